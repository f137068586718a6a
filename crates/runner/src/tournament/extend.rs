//! What can be added to a tournament that was begun: a new version of a bot, bots that come late or were
//! repaired, more games. Who is new passes the gate; no game that was played changes.

use super::changes::check_adoptable;
use super::directory::Directory;
use super::gate::Admission;
use super::keeping::{KeptBots, bundle_of};
use super::setup::Setup;
use crate::error::Error;
use crate::programs::Programs;
use botyard_engine::rules::did_you_mean;
use botyard_league::schedule::{Format, Stage, TournamentSchedule};
use botyard_league::store::{Definition, GenerationState, Kept, KeptBot, Store};
use botyard_league::tournament_file::Remedy;
use std::path::Path;

/// What is to be added to a tournament.
#[derive(Debug)]
pub struct Addition {
    /// The bots that are new, as the file has them, which run from their copies.
    pub setup: Setup,
    /// Their copies.
    pub kept: KeptBots,
    /// What a user should know, a sentence each without a full stop.
    pub warnings: Vec<String>,
    /// What they are called in the file.
    entries: Vec<String>,
    /// The version that each of them is to replace.
    replaces: Vec<Option<usize>>,
    /// The whole file.
    whole: Setup,
    /// Whether the file's number of blocks, or rounds, is adopted.
    extends: bool,
}

impl Addition {
    /// A new version of the bot that has this name in the file, which is that of the beginning unless
    /// another one is given.
    ///
    /// # Errors
    ///
    /// A bot that is not there or has not changed; a file that differs in something else; a tournament that
    /// keeps no copies, or whose later pairings follow from results.
    pub fn update(
        directory: &Directory,
        store: &dyn Store,
        file: Option<&Path>,
        bot: &str,
        programs: &Programs,
    ) -> Result<Addition, Error> {
        let (definition, kept) = begun(store)?;
        let whole = current(definition, kept, directory, file, programs)?;
        refuse_if_results_pair(&whole, "no new version of a bot can be entered")?;
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
                true => format!("{} has no bot {entry:?} any more", whole.path.display()),
                false => format!(
                    "no bot that plays is called {bot:?}{near}; they are {}\n`botyard tournament extend` enters \
                     a bot that is new, or that the gate has rejected",
                    known.join(", ")
                ),
            }));
        };
        check_adoptable(
            &whole.path.display().to_string(),
            &definition.file,
            &whole.text,
            |remedy| matches!(remedy, Remedy::Update(_)),
            "`update` adopts a new version of a bot and nothing else: adopt more games and new bots by \
             `botyard tournament extend` first, and take back what nothing adopts",
        )?;
        let (mut setup, copies) = KeptBots::copy_some(&whole, &[index], directory, programs)?;
        let now = copies.bots.first().and_then(|bundle| bundle.as_ref().ok());
        if let (Some(now), Ok(before)) = (now, bundle_of(&kept.bots[old]))
            && now.digest == before.digest
        {
            copies.discard();
            return Err(Error::usage(format!(
                "the bot {entry} is the one that plays: its files, command and options have not changed"
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
            warnings: warnings(store)?,
            entries: vec![entry.to_string()],
            replaces: vec![Some(old)],
            whole,
            extends: false,
        })
    }

    /// More games, and the bots of the file that do not take part: those that are new, and those that were
    /// rejected by the gate and have changed since.
    ///
    /// # Errors
    ///
    /// A file that adds nothing, or differs in something that cannot be adopted; a tournament that keeps no
    /// copies.
    pub fn extend(
        directory: &Directory,
        store: &dyn Store,
        file: Option<&Path>,
        programs: &Programs,
    ) -> Result<Addition, Error> {
        let (definition, kept) = begun(store)?;
        let whole = current(definition, kept, directory, file, programs)?;
        check_adoptable(
            &whole.path.display().to_string(),
            &definition.file,
            &whole.text,
            |remedy| matches!(remedy, Remedy::Extend | Remedy::Update(_)),
            "a tournament that was begun cannot adopt this: take it back, or run a new tournament",
        )?;
        let is_new = |&index: &usize| {
            let name = &whole.bots[index].name;
            !kept.bots.iter().any(|bot| bot.entry == *name)
        };
        let mut new: Vec<usize> = (0..whole.bots.len()).filter(is_new).collect();
        let (_, tried) = KeptBots::copy_some(&whole, &new, directory, programs)?;
        let mut warnings = warnings(store)?;
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
                warnings.push(format!("the bot {name} has not changed since the gate rejected it"));
            }
            !is_same
        });
        tried.discard();
        let stage = kept.stages.last().cloned().unwrap_or_default();
        if whole.file.format.value.depends_on_results() && whole.file.blocks != stage.blocks {
            return Err(Error::usage(format!(
                "in a {} the number of blocks of a pairing decides what follows it, and cannot change; run a new \
                 tournament",
                whole.file.format.value.name()
            )));
        }
        let more = whole.file.blocks > stage.blocks || rounds(&whole) > stage.rounds;
        if new.is_empty() && !more {
            warnings.push(format!(
                "{} adds nothing: write a larger number of blocks, or a bot that is new",
                whole.path.display()
            ));
            return Err(Error::usage(warnings.join("\n")));
        }
        if !new.is_empty() {
            refuse_if_results_pair(&whole, "no bot can come late")?;
        }
        let (setup, copies) = KeptBots::copy_some(&whole, &new, directory, programs)?;
        Ok(Addition {
            entries: setup.bots.iter().map(|bot| bot.name.clone()).collect(),
            replaces: vec![None; setup.bots.len()],
            setup,
            kept: copies,
            warnings,
            whole,
            extends: true,
        })
    }

    /// What the tournament is with the bots that passed the gate.
    ///
    /// # Errors
    ///
    /// A format that they cannot play.
    ///
    /// # Panics
    ///
    /// Never: every field of a bundle is JSON.
    pub fn definition(
        &self,
        before: &Definition,
        admission: Admission,
    ) -> Result<Definition, Error> {
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

/// How many rounds the file says.
fn rounds(setup: &Setup) -> Option<u32> {
    match setup.file.format.value {
        Format::Swiss { rounds } => Some(rounds),
        _ => None,
    }
}

/// A tournament to which something can be added.
fn begun(store: &dyn Store) -> Result<(&Definition, &Kept), Error> {
    let definition = store.definition();
    let Some(kept) = &definition.kept else {
        return Err(Error::usage(
            "an earlier version of botyard began this tournament and kept no copies of its bots: it can be \
             resumed, and to change it run a new one",
        ));
    };
    let pending = |it: &botyard_league::store::Generation| it.state == GenerationState::Pending;
    if store.generations()?.iter().any(pending) {
        return Err(Error::usage(
            "games are being rejudged: settle them first by `botyard tournament rejudge` with --apply or --drop",
        ));
    }
    Ok((definition, kept))
}

/// The tournament file as it is now, whose games are drawn as from the beginning on.
fn current(
    definition: &Definition,
    kept: &Kept,
    directory: &Directory,
    file: Option<&Path>,
    programs: &Programs,
) -> Result<Setup, Error> {
    let path = file.unwrap_or(Path::new(&kept.path));
    if !path.exists() {
        return Err(Error::usage(format!(
            "there is no tournament file {}: name the file by --file",
            path.display()
        )));
    }
    let mut setup = Setup::of_file(path, programs)?;
    // A late bot passes the gate that the others have passed, under the rules that they play.
    let copies = directory.bundles();
    let copies = copies.canonicalize().unwrap_or(copies);
    let begun = Setup::of_kept(definition, kept, &copies, programs)?;
    setup.file.rule.clone_from(&kept.rules);
    Ok(Setup {
        draws: definition.draws,
        gate_bots: begun.gate_bots,
        rules: begun.rules,
        openings: begun.openings,
        ..setup
    })
}

fn refuse_if_results_pair(setup: &Setup, what: &str) -> Result<(), Error> {
    let format = &setup.file.format.value;
    match format.depends_on_results() {
        false => Ok(()),
        true => Err(Error::usage(format!(
            "{what} in a {}: later pairings follow from the results that were there; run a new tournament",
            format.name()
        ))),
    }
}

/// What a user should know who adds games to this tournament.
fn warnings(store: &dyn Store) -> Result<Vec<String>, Error> {
    let has_secret = store.definition().commitment.is_some();
    Ok(match has_secret && super::results::is_revealed(store)? {
        true => vec![
            "the secret that the games are drawn from was published, because every game had a result: \
             its readers can compute the starts and the dice of the new games"
                .to_string(),
        ],
        false => Vec::new(),
    })
}
