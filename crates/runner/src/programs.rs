//! The programs that come with a front end: built-in bots, and the launcher of contained bots. A
//! front end without them leaves them out.

use crate::config::ContainmentConfig;
use crate::error::Error;
use crate::game_programs;
use crate::settings::{HOST, MEMORY, Named, READ, SANDBOX};
use botyard_engine::{EndgameTables, registry};
use botyard_protocol::OptionSpec;
use botyard_referee::{Advice, BotCommand, Interrupt};
use botyard_sandbox::Launcher;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// The argument under which `botyard` is the launcher of contained bots.
pub const LAUNCHER_ARGUMENT: &str = "sandbox-launcher";

/// The programs besides the users' own.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The executable that runs any built-in bot as `botyard bot NAME`. A separate executable
    /// `botyard-NAME`, if it was built, is in the same directory.
    pub botyard: PathBuf,
    /// The program that starts contained bots.
    pub launcher: Launcher,
    /// The bots that users can write by name.
    pub built_ins: Vec<BuiltIn>,
    /// The front end's names of settings, for messages that are recorded in replays and stores.
    pub name: fn(&Named) -> String,
    /// Loads endgame tables for adjudication.
    pub endgames: LoadEndgames,
    /// Makes the checks of a gate.
    pub checks: CheckCandidate,
    /// The longest wait for a quiet host before checks and the games of a gate.
    pub quiet_within: Duration,
    /// Receives what a bot's author should know before the game has a result, as a sentence without a
    /// full stop: that a bot is silent, and the likely cause.
    pub notice: fn(&str),
}

/// The `notice` of a front end that shows none.
pub fn no_notice(_: &str) {}

/// Returns the names of remedies in messages to a bot's author, by a front end's names of settings.
pub fn advice(name: fn(&Named) -> String) -> Advice {
    Advice {
        read: name(&READ.into()),
        host: name(&HOST.into()),
        uncontained: name(&SANDBOX.with("none")),
        memory: name(&MEMORY.into()),
    }
}

/// A bot that a gate checks, and the conditions of its tournament.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The bot. Its files are the tournament's copy.
    pub command: &'a BotCommand,
    /// The game.
    pub game: &'a str,
    /// The preset of its rules; `None`: the default.
    pub rules: Option<&'a str>,
    /// Changed rules.
    pub changes: &'a [(String, String)],
    /// The time for a move, in milliseconds.
    pub move_ms: u64,
    /// Whether turns list the legal actions.
    pub legal: bool,
    /// The sandbox.
    pub containment: &'a ContainmentConfig,
}

/// Checks a bot beyond its games. Returns why it may not play, in words for its author. What the host
/// could not decide does not count against it.
pub type CheckCandidate =
    fn(&Candidate<'_>, &Programs, &Interrupt) -> Result<Option<String>, Error>;

/// The [`CheckCandidate`] of a front end without checks.
///
/// # Errors
///
/// Always.
pub fn no_checks(_: &Candidate<'_>, _: &Programs, _: &Interrupt) -> Result<Option<String>, Error> {
    Err(Error::usage("[gate] checks: this program makes no checks of bots"))
}

/// Loads the endgame tables of a file, or, without one, those that the front end finds. An error
/// says what to do.
pub type LoadEndgames = fn(Option<&Path>) -> Result<Arc<dyn EndgameTables>, String>;

/// The [`LoadEndgames`] of a front end without tables.
///
/// # Errors
///
/// Always.
pub fn no_endgames(_: Option<&Path>) -> Result<Arc<dyn EndgameTables>, String> {
    Err("this program has no endgame tables".into())
}

/// A built-in bot, which users can write by name.
#[derive(Clone, Debug, Default)]
pub struct BuiltIn {
    /// Its name.
    pub name: String,
    /// The games that it plays.
    pub games: Vec<String>,
    /// Whether it also plays games whose rules are programs.
    pub other_games: bool,
    /// Whether it plays those only with a copy of the program as its model.
    pub needs_model: bool,
    /// Its options: one list for all games.
    pub options: BTreeMap<String, OptionSpec>,
    /// The options that apply to a single game: the game, the option, and its specification there.
    pub options_of_games: Vec<(String, String, OptionSpec)>,
    /// Whether the bot has a separate program, `botyard-NAME`, if built. A file of that name left
    /// by an earlier version is not started for a bot without one.
    pub has_program: bool,
}

impl BuiltIn {
    /// Reads the list that `botyard bots --json` prints. None of them has a separate program.
    ///
    /// # Errors
    ///
    /// Text that is no such list.
    pub fn of_list(json: &[u8]) -> serde_json::Result<Vec<BuiltIn>> {
        let bots: Vec<ListedBot> = serde_json::from_slice(json)?;
        Ok(bots.into_iter().map(BuiltIn::from).collect())
    }

    /// Returns whether it plays a game.
    pub fn plays(&self, game: &str) -> bool {
        let is_other = registry::digest_of(game).is_some() && self.lacks_model(game).is_none();
        is_other && self.other_games || self.games.iter().any(|played| played == game)
    }

    /// Returns what a game lacks whose program the bot needs as its model; `None` if it lacks nothing.
    pub fn lacks_model(&self, game: &str) -> Option<String> {
        game_programs::loaded(game).filter(|_| self.needs_model)?.lacks_as_model()
    }

    /// Returns the games that it plays, in words.
    pub(crate) fn plays_in_words(&self) -> String {
        let others = self.other_games.then_some("games whose rules are programs");
        let names = self.games.iter().map(String::as_str).chain(others);
        names.collect::<Vec<_>>().join(", ")
    }

    /// Returns the options that apply to a game.
    pub fn options_at(&self, game: &str) -> BTreeMap<String, OptionSpec> {
        let mut options = self.options.clone();
        for (_, name, _) in &self.options_of_games {
            options.remove(name);
        }
        let here = self.options_of_games.iter().filter(|(at, ..)| at == game);
        options.extend(here.map(|(_, name, spec)| (name.clone(), spec.clone())));
        options
    }

    /// Returns the games that an option is restricted to. Empty if it applies to every game.
    pub(crate) fn games_of_option(&self, option: &str) -> Vec<&str> {
        let own = self.options_of_games.iter().filter(|(_, name, _)| name == option);
        own.map(|(game, ..)| game.as_str()).collect()
    }
}

/// A bot as `botyard bots --json` lists it.
#[derive(Deserialize)]
struct ListedBot {
    name: String,
    games: Vec<String>,
    #[serde(default)]
    other_games: bool,
    #[serde(default)]
    needs_model: bool,
    options: BTreeMap<String, OptionSpec>,
    declared: Vec<ListedOption>,
}

/// An option of a listed bot.
#[derive(Deserialize)]
struct ListedOption {
    name: String,
    /// The game to which alone it applies.
    game: Option<String>,
    spec: OptionSpec,
}

impl From<ListedBot> for BuiltIn {
    fn from(bot: ListedBot) -> BuiltIn {
        let of_game = |option: ListedOption| Some((option.game?, option.name, option.spec));
        BuiltIn {
            name: bot.name,
            games: bot.games,
            other_games: bot.other_games,
            needs_model: bot.needs_model,
            options: bot.options,
            options_of_games: bot.declared.into_iter().filter_map(of_game).collect(),
            has_program: false,
        }
    }
}

impl Programs {
    /// Returns the programs of a front end that starts bots by this launcher and has nothing else: no built-in bots,
    /// no checks, no endgame tables, and no wait for a quiet host.
    pub fn new(launcher: Launcher) -> Programs {
        Programs {
            botyard: launcher.program.clone(),
            launcher,
            built_ins: Vec::new(),
            name: Named::field,
            endgames: no_endgames,
            checks: no_checks,
            quiet_within: Duration::ZERO,
            notice: no_notice,
        }
    }

    /// Returns the programs of an executable of `botyard`, which contains the bots and has built-in bots that users
    /// can write by name. There are no checks, no endgame tables, and no wait for a quiet host.
    ///
    /// # Errors
    ///
    /// The executable cannot be started, or does not list its bots.
    pub fn of_botyard(path: impl Into<PathBuf>) -> Result<Programs, Error> {
        let mut path = path.into();
        if path.components().count() > 1 {
            // A bot has a working directory of its own.
            path = std::path::absolute(&path).map_err(Error::host)?;
        }
        let failed = |reason: String| {
            Error::host(format!("{} does not list its bots: {reason}", path.display()))
        };
        let listed = Command::new(&path).args(["bots", "--json"]).output();
        let listed = listed.map_err(|error| failed(error.to_string()))?;
        if !listed.status.success() {
            return Err(failed(String::from_utf8_lossy(&listed.stderr).trim().into()));
        }
        let built_ins =
            BuiltIn::of_list(&listed.stdout).map_err(|error| failed(error.to_string()))?;
        let launcher = Launcher { program: path.clone(), args: vec![LAUNCHER_ARGUMENT.into()] };
        Ok(Programs { built_ins, ..Programs::new(launcher) })
    }

    /// Returns the names of remedies in messages to a bot's author.
    pub fn advice(&self) -> Advice {
        advice(self.name)
    }

    /// Returns the built-in bot of this name.
    pub fn built_in(&self, name: &str) -> Option<&BuiltIn> {
        self.built_ins.iter().find(|bot| bot.name == name)
    }

    /// Returns the strongest built-in bot for a game whose rules are a program: one that searches, if the
    /// game allows it.
    pub fn strongest_at_other_game(&self, game: &str) -> Option<&BuiltIn> {
        let plays = self.built_ins.iter().filter(|bot| bot.other_games && bot.plays(game));
        plays.max_by_key(|bot| bot.needs_model)
    }

    /// Returns the program of a built-in bot, and its arguments.
    pub fn command(&self, name: &str) -> (PathBuf, Vec<OsString>) {
        let own = format!("botyard-{name}{}", std::env::consts::EXE_SUFFIX);
        let own = self.botyard.with_file_name(own);
        let has_program = self.built_in(name).is_some_and(|bot| bot.has_program);
        if has_program && is_executable(&own) {
            (own, Vec::new())
        } else {
            (self.botyard.clone(), vec!["bot".into(), name.into()])
        }
    }

    /// Returns the name of the built-in bot that a command starts, if any.
    pub fn built_in_of(&self, command: &BotCommand) -> Option<String> {
        let is_started = |bot: &&BuiltIn| {
            let (program, args) = self.command(&bot.name);
            (&program, &args) == (&command.program, &command.args)
        };
        self.built_ins.iter().find(is_started).map(|bot| bot.name.clone())
    }

    /// Returns whether a program is one of these, and thus has the front end's version.
    pub fn is_own(&self, program: &Path) -> bool {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let beside = program.parent() == self.botyard.parent() && name.starts_with("botyard-");
        beside || program == self.botyard
    }
}

/// Returns whether a file is executable.
#[cfg(unix)]
pub(crate) fn is_executable(path: &Path) -> bool {
    let mode =
        |found: &std::fs::Metadata| std::os::unix::fs::PermissionsExt::mode(&found.permissions());
    path.metadata().is_ok_and(|found| found.is_file() && mode(&found) & 0o111 != 0)
}

/// Returns whether a path is a file: this system has no permission to execute one.
#[cfg(not(unix))]
pub(crate) fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Returns two built-in bots that are never started.
    pub(crate) fn programs() -> Programs {
        let seed = OptionSpec::Int { min: 0, max: i64::MAX, default: 0, about: String::new() };
        let bot = |name: &str| BuiltIn {
            name: name.into(),
            games: vec!["scotland-yard".into()],
            options: [("seed".to_string(), seed.clone())].into(),
            has_program: true,
            ..BuiltIn::default()
        };
        Programs {
            botyard: "/usr/bin/botyard".into(),
            built_ins: vec![bot("random"), bot("greedy")],
            ..Programs::new(Launcher::this_program(&[]))
        }
    }
}
