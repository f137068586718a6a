//! The setup of a tournament: its file with everything that the file names, checked. Every error
//! that can be found before a bot is started is found here, and all are reported together.

mod look;

use self::look::look_at;
use crate::bot_copies::{bundle_of, stage};
use crate::conditions::{adjudication, containment, limits, running, time, times_of_bots};
use crate::game_copy::load_kept;
use crate::stored_tournament::file_of;
use botyard_engine::Scores;
use botyard_league::Entrant;
use botyard_league::schedule::{Draws, Format, FormatError, Stage, TournamentSchedule};
use botyard_league::store::{Definition, KeptBot, StoredCopies};
use botyard_league::tournament_file::{Gate, Problems, TournamentFile, line_of_key};
use botyard_referee::{BotCommand, Interrupt, open_regular, read_text};
use botyard_runner::settings::{CONCURRENCY, EGDB, Named};
use botyard_runner::{
    Candidate, Config, ContainmentConfig, DEFAULT_MOVE_MS, Error, Games, GivenSeed, MOST_GAMES,
    Message, Plan, Programs, Replays, RunConfig, StartConfig, message, secret_draws, tables,
    tables_within,
};
use std::path::{Path, PathBuf};

/// The largest tournament file, in bytes.
const LARGEST: u64 = 16 << 20;

/// A tournament that can be played, as far as that is known before its bots are started.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The name of the file in messages.
    pub name: String,
    /// The parsed file.
    pub file: TournamentFile,
    /// The text of the file.
    pub text: String,
    /// The path of the file. Empty if it is not known.
    pub path: PathBuf,
    /// The directory that paths in the file are relative to.
    pub base: PathBuf,
    /// The source of random draws for all games.
    pub draws: Draws,
    /// The bots of the file, with distinct names.
    pub bots: Vec<BotCommand>,
    /// For each bot why its files make no bot, or `None`. Only a file with a gate may have such
    /// bots, which the gate rejects; their commands stand in and cannot be started.
    pub unusable: Vec<Option<String>>,
    /// The bots of the gate, with names distinct from those as well.
    pub gate_bots: Vec<BotCommand>,
    /// The names of the seats.
    pub seats: Vec<String>,
    /// The points that a seat can have under these rules.
    pub scores: Scores,
    /// The rules that differ from the preset, with the contents of rule files.
    pub rules: Vec<(String, String)>,
    /// The openings, as JSON. Empty if they are drawn.
    pub openings: Vec<String>,
    /// The stages of a started tournament. Empty before.
    pub stages: Vec<Stage>,
    /// SHA-256 of the changed rules and of the openings.
    pub digest: String,
    /// The number of pieces of the endgame tables that end games. `None` without tables, and in a
    /// tournament whose store does not say it.
    pub endgame_pieces: Option<u32>,
}

impl Setup {
    /// Reads a file and checks everything that it names.
    ///
    /// # Errors
    ///
    /// The file cannot be read or has errors. The message lists all of them.
    pub fn of_file(path: &Path, programs: &Programs) -> Result<Setup, Error> {
        let shown = path.display();
        let text = open_regular(path)
            .and_then(|opened| read_text(opened, LARGEST))
            .map_err(|error| Error::usage(format!("{shown} cannot be read: {error}")))?;
        let absolute = std::path::absolute(path)
            .map_err(|error| Error::host(format!("cannot find the current directory: {error}")))?;
        let base = absolute.parent().unwrap_or(Path::new("/")).to_path_buf();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let setup = Setup::new(&shown.to_string(), &stem, text, base, None, programs)?;
        Ok(Setup { path: absolute, ..setup })
    }

    /// Returns the setup of a started tournament, from its stored copies.
    ///
    /// # Errors
    ///
    /// This version cannot read them.
    pub(crate) fn of_kept(
        definition: &Definition,
        kept: &StoredCopies,
        copies: &Path,
        programs: &Programs,
    ) -> Result<Setup, Error> {
        let name = "tournament.toml";
        let mut file = file_of(definition)?;
        file.rule.clone_from(&kept.rules);
        let base = PathBuf::from(&definition.directory);
        if let Some(game) = &kept.game {
            load_kept(&definition.game, game, copies, &containment(&file, &base), programs)?;
        }
        let preset = file.rules.as_ref().map(|rules| rules.value.as_str());
        let (tables, _) = tables(&file.game.value, preset, &file.rule, None)?;
        let table = tables();
        let command = |name: &str, bot: &KeptBot| -> Result<BotCommand, Error> {
            Ok(bundle_of(bot)?.command(name, copies, programs))
        };
        let bots = definition.entrants.iter().zip(&kept.bots);
        let times = times_of_bots(&file);
        let bots = bots.map(|(entrant, bot)| {
            let time = times.get(&bot.entry).copied();
            Ok(BotCommand { time, ..command(&entrant.name, bot)? })
        });
        let gate_bots = kept.gate.iter().map(|bot| command(&bot.entry, bot));
        let bots = bots.collect::<Result<Vec<_>, Error>>()?;
        Ok(Setup {
            name: name.to_string(),
            unusable: vec![None; bots.len()],
            text: definition.file.clone(),
            path: kept.path.clone().into(),
            base,
            draws: definition.draws,
            bots,
            gate_bots: gate_bots.collect::<Result<_, _>>()?,
            seats: table.seats().to_vec(),
            scores: table.scores(),
            rules: kept.rules.clone(),
            openings: kept.openings.clone(),
            stages: kept.stages.clone(),
            digest: definition.digest.clone(),
            endgame_pieces: kept.endgame_pieces,
            file,
        })
    }

    /// Checks that the endgame tables of this host end games as those of the tournament's start did.
    ///
    /// # Errors
    ///
    /// There are no tables, or they are of another number of pieces.
    pub(super) fn check_endgames(&self, programs: &Programs) -> Result<(), Error> {
        let Some(begun) = self.endgame_pieces.filter(|_| self.file.adjudication.egdb) else {
            return Ok(());
        };
        let unusable = |error: String| self.placed(Error::usage(error).within(EGDB), false);
        let found = (programs.endgames)(None).map_err(unusable)?.pieces();
        match found == begun {
            true => Ok(()),
            false => Err(unusable(format!(
                "the tournament began with endgame tables of up to {begun} pieces, and those of this host are \
                 of up to {found}, so that its games would end by other rules\nBuild tables of {begun} \
                 pieces, or run a new tournament"
            ))),
        }
    }

    /// Returns the same setup with these of its bots alone.
    #[must_use]
    pub fn only(&self, chosen: &[usize]) -> Setup {
        let mut only = self.clone();
        only.bots = chosen.iter().map(|&bot| self.bots[bot].clone()).collect();
        only.unusable = chosen.iter().map(|&bot| self.unusable[bot].clone()).collect();
        only.file.bots = chosen.iter().map(|&bot| self.file.bots[bot].clone()).collect();
        only
    }

    /// Returns what a tournament under these conditions stores of these bots, which play in a stage.
    pub fn copies(&self, bots: Vec<KeptBot>, stage: Stage) -> StoredCopies {
        StoredCopies {
            path: self.path.to_string_lossy().into_owned(),
            rules: self.rules.clone(),
            openings: self.openings.clone(),
            bots,
            gate: Vec::new(),
            stages: vec![stage],
            endgame_pieces: self.endgame_pieces,
            game: None,
        }
    }

    /// Returns the definition of a tournament between these bots under these conditions, none of which was
    /// rejected.
    pub fn definition(&self, entrants: Vec<Entrant>, kept: StoredCopies) -> Definition {
        Definition {
            name: self.file.name.clone(),
            game: self.file.game.value.clone(),
            draws: self.draws,
            commitment: self.draws.commitment(),
            file: self.text.clone(),
            directory: self.base.to_string_lossy().into_owned(),
            digest: self.digest.clone(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            entrants,
            rejected: Vec::new(),
            kept: Some(kept),
        }
    }

    /// Returns the stage in which these of the file's bots play the file's format.
    pub fn stage(&self, entrants: &[usize]) -> Stage {
        stage(self, entrants)
    }

    /// Returns the containment of the bots.
    pub fn containment(&self) -> ContainmentConfig {
        containment(&self.file, &self.base)
    }

    /// Returns the paths that all bots may read besides their own files, without links.
    ///
    /// # Errors
    ///
    /// A path does not exist.
    pub fn readable(&self) -> Result<Vec<PathBuf>, Error> {
        self.containment().readable().map_err(|error| self.placed(error, false))
    }

    /// Makes the setup of a file that was read before, with the draws of that time.
    ///
    /// # Errors
    ///
    /// As for [`Setup::of_file`].
    pub fn new(
        name: &str,
        stem: &str,
        text: String,
        base: PathBuf,
        draws: Option<Draws>,
        programs: &Programs,
    ) -> Result<Setup, Error> {
        Setup::with_game((name, stem), text, base, draws, None, programs)
    }

    /// The same with another game in place of the one that the file names: with its copy. `game` is how the file
    /// would name it, from which a seed in the file draws, and the copy's directory or its name in the registry. The
    /// file has this name in messages, and this stem.
    ///
    /// # Errors
    ///
    /// As for [`Setup::of_file`].
    pub fn with_game(
        (name, stem): (&str, &str),
        text: String,
        base: PathBuf,
        draws: Option<Draws>,
        game: Option<(&str, &str)>,
        programs: &Programs,
    ) -> Result<Setup, Error> {
        let mut file = TournamentFile::read(name, stem, &text).map_err(Error::usage)?;
        let named = game.map_or_else(|| file.game.value.clone(), |(named, _)| named.to_string());
        if let Some((_, copy)) = game {
            file.game.value = copy.to_string();
        }
        let mut problems: Problems<Message> = Problems::new(name);
        resolve_rule_files(&mut file, &base);
        let draws = match (draws, file.seed) {
            (Some(draws), _) => draws,
            (None, Some(number)) => Draws::numbered(number, &format!("{named} {}", file.name)),
            (None, None) => secret_draws()?,
        };
        let setup = look_at(file, text, base, draws, programs, &mut problems);
        match setup {
            Some(setup) if problems.is_empty() => Ok(Setup { name: name.to_string(), ..setup }),
            _ => {
                let lines =
                    problems.in_order().map(|(place, problem)| message![place, ": ", *problem]);
                Err(Error::usage(Message::joined(lines, "\n")))
            }
        }
    }

    /// Returns the schedule of these of the file's bots, with the challengers of the file's format.
    ///
    /// # Errors
    ///
    /// The bots cannot play the format.
    pub fn schedule(&self, entrants: &[usize]) -> Result<TournamentSchedule, FormatError> {
        let format = self.format(entrants);
        let size = (entrants.len(), self.seats.len());
        let game = &self.file.game.value;
        if !self.stages.is_empty() {
            let (draws, seats) = (self.draws, self.seats.len());
            let schedule = TournamentSchedule::staged(game, draws, seats, &format, &self.stages)?;
            return Ok(schedule.with_openings(self.openings.clone()));
        }
        let schedule = TournamentSchedule::new(game, self.draws, size, &format, self.file.blocks)?;
        Ok(schedule.with_openings(self.openings.clone()))
    }

    /// Returns the schedule of all of the file's bots.
    ///
    /// # Errors
    ///
    /// The bots cannot play the format.
    pub fn full_schedule(&self) -> Result<TournamentSchedule, FormatError> {
        self.schedule(&(0..self.bots.len()).collect::<Vec<_>>())
    }

    /// Returns the schedule of a gate for the first `candidates` bots. The gate's bots follow them.
    ///
    /// # Errors
    ///
    /// There are too many bots to list.
    pub(crate) fn gate_schedule(
        &self,
        gate: &Gate,
        candidates: usize,
    ) -> Result<TournamentSchedule, FormatError> {
        let size = (candidates + self.gate_bots.len(), self.seats.len());
        let format = Format::Gauntlet { challengers: (0..candidates).collect() };
        // The gate has other starts than the tournament.
        let (game, draws) = (&self.file.game.value, self.draws.part("gate"));
        let schedule = TournamentSchedule::new(game, draws, size, &format, gate.blocks)?;
        Ok(schedule.with_openings(self.openings.clone()))
    }

    /// Returns the format among these of the file's bots.
    pub fn format(&self, entrants: &[usize]) -> Format {
        if let Some(stage) = self.stages.last() {
            return match &self.file.format.value {
                Format::Gauntlet { .. } => {
                    Format::Gauntlet { challengers: stage.challengers.clone() }
                }
                Format::Swiss { rounds } => {
                    Format::Swiss { rounds: stage.rounds.unwrap_or(*rounds) }
                }
                format => format.clone(),
            };
        }
        match &self.file.format.value {
            Format::Gauntlet { challengers } => {
                let place = |bot| entrants.iter().position(|entrant| entrant == bot);
                Format::Gauntlet { challengers: challengers.iter().filter_map(place).collect() }
            }
            format => format.clone(),
        }
    }

    /// Returns the plan of this many games between these bots, with `concurrency` in place of the
    /// file's value.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub fn plan(
        &self,
        bots: Vec<BotCommand>,
        games: u64,
        replays: Replays,
        concurrency: Option<u16>,
        programs: &Programs,
    ) -> Result<Plan, Error> {
        let config = self.config(games, replays, concurrency);
        let start = &config.start;
        let (game, preset) = ((config.game.as_str(), &config.containment), start.rules.as_deref());
        let (tables, changes) = tables_within(game, preset, &start.changes, None)?;
        let plan = Plan::with_bots(&config, programs, tables, &changes, bots)
            .map_err(|error| self.placed(error, concurrency.is_some()))?;
        let named = |warning: Message| warning.naming(key(concurrency.is_some()));
        let warnings = plan.warnings.into_iter().map(named).collect();
        Ok(Plan { bots_were_tried: true, warnings, ..plan })
    }

    /// Names the settings in an error by the keys of the file. If the first one is in the file, its line is
    /// in front. If the concurrency is the caller's, the caller names it.
    fn placed(&self, error: Error, own_concurrency: bool) -> Error {
        error.map(|message| {
            let name = key(own_concurrency);
            let line = line_in(&self.text, &message, &name);
            let message = message.naming(name);
            match line {
                Some(line) => message![format!("{}, line {line}: ", self.name), message],
                None => message,
            }
        })
    }

    /// Makes the checks of a gate with one of the bots. Returns why it may not play.
    ///
    /// # Errors
    ///
    /// An interrupt, or a failure of the host.
    pub fn check(
        &self,
        bot: usize,
        programs: &Programs,
        interrupt: &Interrupt,
    ) -> Result<Option<String>, Error> {
        let file = &self.file;
        let time = time(file).control();
        let candidate = Candidate {
            command: &self.bots[bot],
            game: &file.game.value,
            rules: file.rules.as_ref().map(|rules| rules.value.as_str()),
            changes: &file.rule,
            move_ms: time.move_ms.or(time.bank_ms).unwrap_or(DEFAULT_MOVE_MS),
            legal: running(file).legal,
            containment: &containment(file, &self.base),
        };
        (programs.checks)(&candidate, programs, interrupt)
            .map_err(|error| self.placed(error, false))
    }

    /// Returns the configuration of a match between the same bots: settings common to both have the
    /// same meaning.
    fn config(&self, games: u64, replays: Replays, concurrency: Option<u16>) -> Config {
        let file = &self.file;
        let running = running(file);
        Config {
            start: StartConfig {
                seed: Some(GivenSeed::Draws(self.draws)),
                rules: file.rules.as_ref().map(|rules| rules.value.clone()),
                changes: file.rule.clone(),
                openings: None,
            },
            games: Games::Number(u32::try_from(games).unwrap_or(MOST_GAMES).clamp(1, MOST_GAMES)),
            time: time(file),
            adjudication: adjudication(file),
            running: RunConfig { concurrency: concurrency.or(running.concurrency), ..running },
            containment: containment(file, &self.base),
            replays,
            limits: limits(file),
            ..Config::new(&file.game.value, Vec::new())
        }
    }
}

/// Returns what names settings by the keys of a file.
fn key(own_concurrency: bool) -> impl Fn(&Named) -> Option<String> {
    move |named| match own_concurrency && named.setting == CONCURRENCY {
        true => None,
        false => named.key(),
    }
}

/// Returns the line of the first setting of a message, if it is in a file and has a `name` there.
fn line_in(
    text: &str,
    message: &Message,
    name: impl Fn(&Named) -> Option<String>,
) -> Option<usize> {
    let first = message.settings().next().filter(|named| name(named).is_some())?;
    line_of_key(text, first.setting.key)
}

/// Makes the paths of rule files absolute.
pub(crate) fn resolve_rule_files(file: &mut TournamentFile, base: &Path) {
    for (_, value) in &mut file.rule {
        if value.ends_with(".json") {
            *value = base.join(&*value).to_string_lossy().into_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::{EndgameResult, EndgameTables, Table};
    use botyard_runner::BuiltIn;
    use botyard_sandbox::Launcher;
    use std::sync::Arc;

    const FILE: &str = "game = 'draughts'\nseed = 1\nblocks = 1\n[adjudication]\negdb = true\n\
                        [[bot]]\ncommand = 'random'\n[[bot]]\ncommand = 'greedy'\n";

    /// Returns two built-in bots that are never started.
    fn programs() -> Programs {
        let bot = |name: &str| BuiltIn {
            name: name.into(),
            games: vec!["scotland-yard".into()],
            has_program: true,
            ..BuiltIn::default()
        };
        Programs {
            botyard: "/usr/bin/botyard".into(),
            built_ins: vec![bot("random"), bot("greedy")],
            ..Programs::new(Launcher::this_program(&[]))
        }
    }

    struct Tables(u32);

    impl EndgameTables for Tables {
        fn pieces(&self) -> u32 {
            self.0
        }

        fn check(&self, _: &dyn Table) -> Result<(), String> {
            Ok(())
        }

        fn result(&self, _: &dyn Table, _: u32) -> Option<EndgameResult> {
            None
        }
    }

    fn found<const PIECES: u32>(_: Option<&Path>) -> Result<Arc<dyn EndgameTables>, String> {
        Ok(Arc::new(Tables(PIECES)))
    }

    #[cfg(unix)]
    #[test]
    fn files_that_make_no_bot_are_left_to_the_gate_and_other_mistakes_are_not() {
        let class = tempfile::tempdir().unwrap();
        let base = class.path().canonicalize().unwrap();
        std::fs::create_dir(base.join("ada")).unwrap();
        std::fs::write(base.join("ada/mine.sh"), "").unwrap();
        let setup = |manifest: &str, entry: &str, gate: &str| {
            let file = base.join("ada/bot.toml");
            let _ = std::fs::remove_file(&file);
            match manifest {
                "" => {}
                "a link" => std::os::unix::fs::symlink("mine.sh", file).unwrap(),
                text => std::fs::write(file, text).unwrap(),
            }
            let text = format!(
                "game = 'scotland-yard'\nseed = 1\nblocks = 1\n{gate}[[bot]]\n{entry}\n\
                 [[bot]]\ncommand = 'random'\n"
            );
            let programs = programs();
            Setup::new("cup.toml", "cup", text, base.clone(), None, &programs)
                .map_err(|error| error.to_string())
        };
        let gate = "[gate]\nagainst = ['random']\n";
        let (here, inside) = ("command = './ada'", "directory = 'ada'\ncommand = ");
        let inside = |command: &str| format!("{inside}'{command}'");
        for (manifest, entry, expected) in [
            ("run = 'sh ../ben/bot.sh'", here, "got \"../ben/bot.sh\", which leads out of it"),
            ("run = 'sh mine.sh'\nspeed = 9", here, "unknown field `speed`"),
            ("run = ", here, "bot.toml"),
            ("name = 'minimax'", here, "missing field `run`"),
            ("run = \"sh 'mine.sh\"", here, "expected a command line"),
            ("a link", here, "is a directory without a bot.toml"),
            ("", here, "is a directory without a bot.toml"),
            ("", &*inside("sh other.sh"), "there is no file other.sh"),
            ("", &*inside("./other"), "there is no file"),
            ("", &*inside("./mine.sh"), "mine.sh is not executable"),
        ] {
            let with_gate = setup(manifest, entry, gate).expect("the others can play");
            let [Some(error), None] = &with_gate.unusable[..] else {
                panic!("{manifest:?}: {:?}", with_gate.unusable)
            };
            assert!(error.contains(expected), "{manifest:?}: {error}");
            assert_eq!(with_gate.bots[0].name, "ada", "{manifest:?}");
            assert!(with_gate.bots[0].program.is_dir(), "a command that cannot be started");
            let without = setup(manifest, entry, "").expect_err("no gate rejects the bot");
            assert!(without.contains(expected), "{manifest:?}: {without}");
        }
        for (entry, expected) in [
            ("command = './adda'", "there is no file"),
            ("command = 'gredy'", "no bot \"gredy\""),
            (&*inside("no-such-language mine.py"), "there is no program"),
            (&*inside("../venv/bin/python3 mine.py"), "there is no file"),
            ("directory = 'adda'\ncommand = 'sh mine.sh'", "there is no directory"),
        ] {
            let error = setup("", entry, gate).expect_err(entry);
            assert!(error.contains(expected), "{entry}: {error}");
        }
    }

    #[test]
    fn a_tournament_is_resumed_with_endgame_tables_of_the_same_number_of_pieces() {
        let mut programs = programs();
        for bot in &mut programs.built_ins {
            bot.games = vec!["draughts".into()];
        }
        programs.endgames = found::<4>;
        let new = |programs| Setup::new("cup.toml", "cup", FILE.into(), "/".into(), None, programs);
        let setup = new(&programs).unwrap();
        assert_eq!(setup.endgame_pieces, Some(4));
        let definition = Definition {
            name: "cup".into(),
            game: "draughts".into(),
            draws: setup.draws,
            commitment: None,
            file: setup.text,
            directory: "/".into(),
            digest: setup.digest,
            version: "0.1.0".into(),
            entrants: Vec::new(),
            rejected: Vec::new(),
            kept: None,
        };
        let resumed = |endgame_pieces, programs: &Programs| {
            let kept = StoredCopies { endgame_pieces, ..StoredCopies::default() };
            let setup = Setup::of_kept(&definition, &kept, Path::new("/"), programs).unwrap();
            setup.check_endgames(programs).map_err(|error| error.to_string())
        };
        assert_eq!(resumed(Some(4), &programs), Ok(()));
        programs.endgames = found::<3>;
        let error = resumed(Some(4), &programs).unwrap_err();
        assert!(error.contains("tables of up to 4 pieces, and those of this host are of up to 3"));
        // A store of an earlier version does not say it.
        assert_eq!(resumed(None, &programs), Ok(()));
        programs.endgames = botyard_runner::no_endgames;
        assert!(resumed(Some(4), &programs).unwrap_err().contains("has no endgame tables"));
    }
}
