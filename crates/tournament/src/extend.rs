//! Additions to a started tournament: a new version of a bot, late or repaired bots, more games.
//! New bots must pass the gate. No played game changes.

use crate::admission::admission;
use crate::bot_copies::{KeptBots, bundle_of};
use crate::changes::check_adoptable;
use crate::directory::Directory;
use crate::gate::{Admission, GateGames};
use crate::setup::Setup;
use crate::tournament::Tournament;
use botyard_engine::registry::plain_name;
use botyard_engine::rules::did_you_mean;
use botyard_league::schedule::{Format, Stage, TournamentSchedule};
use botyard_league::store::{
    Definition, GenerationState, KeptBot, Rejected, SqliteStore, Store, StoredCopies,
};
use botyard_league::tournament_file::Remedy;
use botyard_referee::Interrupt;
use botyard_runner::settings::MOVED_FILE;
use botyard_runner::{Error, Message, Observer, Programs, message, tables};
use std::path::Path;

/// An addition to a tournament, whose directory is locked by this program.
pub struct Addition {
    /// The new bots, as the file describes them. They run from their copies.
    pub setup: Setup,
    /// Their copies.
    pub kept: KeptBots,
    /// What a user should know. Sentences without a full stop.
    pub warnings: Vec<Message>,
    /// The names of the new bots in the file.
    entries: Vec<String>,
    /// The version that each new bot replaces.
    replaces: Vec<Option<usize>>,
    /// The whole file.
    whole: Setup,
    /// Whether the file's number of blocks or rounds is adopted.
    extends: bool,
    directory: Directory,
    store: SqliteStore,
    programs: Programs,
}

impl Addition {
    /// Prepares a new version of the bot with this name in the tournament file, which is the
    /// original one unless `file` is given.
    ///
    /// # Errors
    ///
    /// The bot does not exist or has not changed; the file differs in something else; the
    /// tournament has no copies of its bots, its later pairings follow from results, or the secret
    /// of its draws was published; or an interrupt.
    pub fn update(
        path: &Path,
        file: Option<&Path>,
        bot: &str,
        programs: Programs,
        interrupt: &Interrupt,
    ) -> Result<Addition, Error> {
        let directory = Directory::open(path)?;
        let store = directory.store()?;
        let (definition, kept) = begun(&store)?;
        let whole = current(definition, kept, &directory, file, &programs)?;
        refuse_if_results_pair(&whole, "no new version of a bot can be entered")?;
        let warnings = warnings(&store, &whole)?;
        let current = |kept: &&KeptBot| kept.replaced_by.is_none();
        let of_entrant = definition.entrants.iter().position(|entrant| entrant.name == bot);
        let entry = of_entrant.and_then(|index| Some(kept.bots.get(index)?.entry.as_str()));
        let entry = entry.unwrap_or(bot);
        let old = kept.bots.iter().position(|bot| bot.entry == entry && current(&bot));
        let known: Vec<String> =
            kept.bots.iter().filter(current).map(|bot| bot.entry.clone()).collect();
        let (Some(old), Some(index)) = (old, whole.bots.iter().position(|it| it.name == entry))
        else {
            let near = did_you_mean(bot, &known);
            return Err(Error::usage(match known.iter().any(|known| known == entry) {
                true => format!("{} no longer has a bot {entry:?}", whole.path.display()),
                false => format!(
                    "no bot that plays is called {bot:?}{near}; they are {}\nTo enter a bot that is new, or \
                     that the gate has rejected, extend the tournament",
                    known.join(", ")
                ),
            }));
        };
        check_adoptable(
            &whole.path.display().to_string(),
            &definition.file,
            &whole.text,
            |remedy| matches!(remedy, Remedy::Update(_)),
            "an update enters a new version of one bot and nothing else: to adopt more games and new bots, \
             extend the tournament first; undo changes that cannot be adopted",
        )?;
        let (mut setup, copies) =
            KeptBots::copy_some(&whole, &[index], &directory, &programs, Some(interrupt))?;
        let now = copies.bots.first().and_then(|bundle| bundle.as_ref().ok());
        if let (Some(now), Ok(before)) = (now, bundle_of(&kept.bots[old]))
            && now.digest == before.digest
        {
            copies.discard();
            return Err(Error::usage(format!(
                "the bot {entry} is the version that plays: its files, command and options have not changed"
            )));
        }
        let versions = kept.bots.iter().filter(|bot| bot.entry == entry).count();
        let is_taken = |name: &String| {
            let entrants = definition.entrants.iter().map(|entrant| &entrant.name);
            entrants.chain(whole.bots.iter().map(|bot| &bot.name)).any(|other| other == name)
        };
        let names = (versions + 1..).map(|number| format!("{entry} v{number}"));
        setup.bots[0].name = { names }.find(|name| !is_taken(name)).unwrap_or_default();
        Ok(Addition {
            setup,
            kept: copies,
            warnings,
            entries: vec![entry.to_string()],
            replaces: vec![Some(old)],
            whole,
            extends: false,
            directory,
            store,
            programs,
        })
    }

    /// Prepares more games and the bots of the file that do not take part: new bots, and bots
    /// rejected by the gate that have changed since.
    ///
    /// # Errors
    ///
    /// The file adds nothing, or differs in something that cannot be adopted; the tournament has no
    /// copies of its bots, or the secret of its draws was published; or an interrupt.
    pub fn extend(
        path: &Path,
        file: Option<&Path>,
        programs: Programs,
        interrupt: &Interrupt,
    ) -> Result<Addition, Error> {
        let directory = Directory::open(path)?;
        let store = directory.store()?;
        let (definition, kept) = begun(&store)?;
        let whole = current(definition, kept, &directory, file, &programs)?;
        check_adoptable(
            &whole.path.display().to_string(),
            &definition.file,
            &whole.text,
            |remedy| matches!(remedy, Remedy::Extend | Remedy::Update(_)),
            "a started tournament cannot adopt this: undo the change, or run a new tournament",
        )?;
        let mut warnings = warnings(&store, &whole)?;
        let is_new = |&index: &usize| {
            let name = &whole.bots[index].name;
            !kept.bots.iter().any(|bot| bot.entry == *name)
        };
        let mut new: Vec<usize> = (0..whole.bots.len()).filter(is_new).collect();
        let (_, tried) = KeptBots::copy_some(&whole, &new, &directory, &programs, Some(interrupt))?;
        let digests = tried.bots.iter().map(|it| it.as_ref().ok().map(|it| it.digest.clone()));
        let digests: Vec<Option<String>> = digests.collect();
        let mut place = 0;
        new.retain(|&index| {
            let digest = &digests[place];
            place += 1;
            let name = &whole.bots[index].name;
            let rejected = definition.rejected.iter().find(|it| it.entrant.name == *name);
            let is_same = rejected.is_some_and(|rejected| {
                !rejected.entrant.digest.is_empty()
                    && digest.as_ref() == Some(&rejected.entrant.digest)
            });
            if is_same {
                warnings.push(
                    format!("the bot {name} has not changed since the gate rejected it").into(),
                );
            }
            !is_same
        });
        tried.discard();
        let stage = kept.stages.last().cloned().unwrap_or_default();
        if whole.file.format.value.depends_on_results() && whole.file.blocks != stage.blocks {
            return Err(Error::usage(format!(
                "in a {} the number of blocks of a pairing decides what follows it, and cannot change; run \
                 a new tournament",
                whole.file.format.value.name()
            )));
        }
        let more = whole.file.blocks > stage.blocks || rounds(&whole) > stage.rounds;
        if new.is_empty() && !more {
            let path = whole.path.display();
            warnings.push(message![
                path,
                " adds nothing: write a larger number of blocks, or add a bot"
            ]);
            return Err(Error::usage(Message::joined(warnings, "\n")));
        }
        if !new.is_empty() {
            refuse_if_results_pair(&whole, "no bot can join late")?;
        }
        let (setup, copies) =
            KeptBots::copy_some(&whole, &new, &directory, &programs, Some(interrupt))?;
        Ok(Addition {
            entries: setup.bots.iter().map(|bot| bot.name.clone()).collect(),
            replaces: vec![None; setup.bots.len()],
            setup,
            kept: copies,
            warnings,
            whole,
            extends: true,
            directory,
            store,
            programs,
        })
    }

    /// Starts every new bot once, and plays the gate. `warnings` gets what a user should know.
    /// Removes the copies of the bots if it fails.
    ///
    /// # Errors
    ///
    /// An interrupt, bots that cannot play, or a failure of the host.
    pub fn admit(
        self,
        concurrency: Option<u16>,
        observer: &mut dyn for<'a> Observer<GateGames<'a>>,
        warnings: &mut Vec<Message>,
        interrupt: &Interrupt,
    ) -> Result<AdmittedAddition, Error> {
        if self.setup.bots.is_empty() {
            return Ok(AdmittedAddition { addition: self, admission: Admission::default() });
        }
        let admitted = admission(
            &self.setup,
            &self.setup.path,
            &self.kept,
            concurrency,
            &self.programs,
            observer,
            warnings,
            interrupt,
        );
        match admitted {
            Ok(admission) => Ok(AdmittedAddition { addition: self, admission }),
            Err(error) => {
                self.kept.discard();
                Err(error)
            }
        }
    }

    /// Returns the definition of the tournament with the bots that passed the gate.
    ///
    /// # Errors
    ///
    /// The bots cannot play the format.
    ///
    /// # Panics
    ///
    /// Never: every field of a bundle is JSON.
    fn definition(&self, before: &Definition, admission: Admission) -> Result<Definition, Error> {
        let mut after = before.clone();
        let mut kept = before.kept.clone().unwrap_or_default();
        let mut stage = kept.stages.last().cloned().unwrap_or_default();
        for rejected in admission.rejected {
            after.rejected.retain(|other| other.entrant.name != rejected.entrant.name);
            after.rejected.push(rejected);
        }
        for (index, entrant) in admission.admitted {
            let Some(Ok(bundle)) = self.kept.bots.get(index) else { continue };
            let number = after.entrants.len();
            after.rejected.retain(|other| other.entrant.name != entrant.name);
            after.entrants.push(entrant);
            match self.replaces[index] {
                Some(old) => {
                    kept.bots[old].replaced_by = Some(number);
                    for bot in stage.bots.iter_mut().filter(|bot| **bot == old) {
                        *bot = number;
                    }
                }
                None => stage.bots.push(number),
            }
            kept.bots.push(KeptBot {
                entry: self.entries[index].clone(),
                bundle: serde_json::to_value(bundle).expect("a bundle is JSON: see its fields"),
                replaced_by: None,
            });
        }
        if let Format::Gauntlet { challengers } = &self.whole.file.format.value {
            let names: Vec<&str> =
                challengers.iter().map(|&bot| self.whole.bots[bot].name.as_str()).collect();
            let is_challenger = |bot: &usize| names.contains(&kept.bots[*bot].entry.as_str());
            stage.challengers = stage.bots.iter().copied().filter(is_challenger).collect();
        }
        if self.extends {
            stage.blocks = stage.blocks.max(self.whole.file.blocks);
            stage.rounds = stage.rounds.max(rounds(&self.whole));
        }
        if kept.stages.last() != Some(&stage) {
            kept.stages.push(stage);
        }
        self.check(&kept.stages)?;
        kept.path = self.whole.path.to_string_lossy().into_owned();
        after.file.clone_from(&self.whole.text);
        after.directory = self.whole.base.to_string_lossy().into_owned();
        after.kept = Some(kept);
        Ok(after)
    }

    fn check(&self, stages: &[Stage]) -> Result<(), Error> {
        let Setup { file, draws, seats, .. } = &self.whole;
        let format = &file.format.value;
        TournamentSchedule::staged(&file.game.value, *draws, seats.len(), format, stages)
            .map(drop)
            .map_err(Error::usage)
    }
}

/// An addition whose bots were started and played the gate.
pub struct AdmittedAddition {
    addition: Addition,
    admission: Admission,
}

/// What an addition changed.
pub enum Adoption {
    /// Nothing: no bot passed the gate. The definition has the rejected bots.
    Nothing(Box<Definition>),
    /// The tournament has new bots or more games.
    Adopted {
        /// The tournament.
        tournament: Box<Tournament>,
        /// The names of the new bots.
        entered: Vec<String>,
    },
}

impl AdmittedAddition {
    /// Returns the bots that the gate rejected.
    pub fn rejected(&self) -> &[Rejected] {
        &self.admission.rejected
    }

    /// Stores the addition, and notes it in the audit log. Removes the copies of the bots if
    /// nothing is adopted.
    ///
    /// # Errors
    ///
    /// The bots cannot play the format, or the host fails. An interrupt comes after the addition was
    /// stored.
    pub fn adopt(self, interrupt: &Interrupt) -> Result<Adoption, Error> {
        let AdmittedAddition { mut addition, admission } = self;
        let before = addition.store.definition().clone();
        let after = match addition.definition(&before, admission) {
            Ok(after) => after,
            Err(error) => {
                addition.kept.discard();
                return Err(error);
            }
        };
        let stages = |of: &Definition| of.kept.as_ref().map_or(0, |kept| kept.stages.len());
        if stages(&after) == stages(&before) {
            addition.kept.discard();
            return Ok(Adoption::Nothing(Box::new(after)));
        }
        let is_new = |name: &String| !before.entrants.iter().any(|other| other.name == *name);
        let names = after.entrants.iter().map(|entrant| entrant.name.clone());
        let entered: Vec<String> = names.filter(is_new).collect();
        addition.store.redefine(after.clone())?;
        let what = if addition.extends { "extended" } else { "updated" };
        let detail = match entered.is_empty() {
            true => "more games".to_string(),
            false => format!("entered: {}", entered.join(", ")),
        };
        addition.store.note(what, &detail)?;
        let Addition { directory, store, programs, .. } = addition;
        directory.keep_addition(&after)?;
        let tournament = Tournament::of_store(directory, store, programs, Some(interrupt))?;
        let tournament = Box::new(tournament);
        Ok(Adoption::Adopted { tournament, entered })
    }
}

/// Returns the number of rounds in the file.
fn rounds(setup: &Setup) -> Option<u32> {
    match setup.file.format.value {
        Format::Swiss { rounds } => Some(rounds),
        _ => None,
    }
}

/// Returns the definition of a tournament that can be extended.
fn begun(store: &dyn Store) -> Result<(&Definition, &StoredCopies), Error> {
    let definition = store.definition();
    let Some(kept) = &definition.kept else {
        return Err(Error::usage(
            "an earlier version of botyard started this tournament and kept no copies of its bots: it can be \
             resumed, but not changed; to change it, run a new one",
        ));
    };
    let pending = |it: &botyard_league::store::Generation| it.state == GenerationState::Pending;
    if store.generations()?.iter().any(pending) {
        return Err(Error::usage("a rejudge is pending: apply or drop it first"));
    }
    Ok((definition, kept))
}

/// Reads the current tournament file, with the original draws.
fn current(
    definition: &Definition,
    kept: &StoredCopies,
    directory: &Directory,
    file: Option<&Path>,
    programs: &Programs,
) -> Result<Setup, Error> {
    let path = file.unwrap_or(Path::new(&kept.path));
    if !path.exists() {
        return Err(Error::usage(message![
            format!("there is no tournament file {}: give its path with ", path.display()),
            MOVED_FILE
        ]));
    }
    let mut setup = Setup::of_file(path, programs)?;
    // A late bot passes the same gate, under the same rules as the others.
    let copies = directory.bundles();
    let copies = copies.canonicalize().unwrap_or(copies);
    let begun = Setup::of_kept(definition, kept, &copies, programs)?;
    begun.check_endgames(programs)?;
    setup.file.rule.clone_from(&kept.rules);
    if plain_name(&setup.file.game.value) == plain_name(&definition.game) {
        // It may have changed since. The new games are played by the same rules as the others.
        setup.file.game.value.clone_from(&definition.game);
    }
    Ok(Setup {
        draws: definition.draws,
        gate_bots: begun.gate_bots,
        rules: begun.rules,
        openings: begun.openings,
        endgame_pieces: begun.endgame_pieces,
        ..setup
    })
}

fn refuse_if_results_pair(setup: &Setup, what: &str) -> Result<(), Error> {
    let format = &setup.file.format.value;
    match format.depends_on_results() {
        false => Ok(()),
        true => Err(Error::usage(format!(
            "{what} in a {}: later pairings follow from earlier results; run a new tournament",
            format.name()
        ))),
    }
}

/// Returns what a user should know before adding games to this tournament.
///
/// # Errors
///
/// The secret that the games are drawn from was published, and in this game something is hidden or
/// drawn: anyone could compute the new games before they are played.
fn warnings(store: &dyn Store, setup: &Setup) -> Result<Vec<Message>, Error> {
    let definition = store.definition();
    if definition.commitment.is_none() || !crate::results::is_revealed(store)? {
        return Ok(Vec::new());
    }
    let published =
        "the secret that the games are drawn from was published, because every game had a result";
    let preset = setup.file.rules.as_ref().map(|rules| rules.value.as_str());
    let (tables, _) = tables(&setup.file.game.value, preset, &setup.rules, None)?;
    if !tables().has_secrets() {
        return Ok(vec![message![
            published,
            ": anyone can compute the openings of the new games from it"
        ]]);
    }
    Err(Error::usage(format!(
        "{published}: anyone could compute the hidden starts and the dice of new games from it\nRun a new \
         tournament, whose games are drawn from a new secret. To add games to a tournament, do so before its \
         last game has a result, or give its file a seed, which makes all its games predictable"
    )))
}
