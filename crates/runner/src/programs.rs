//! The programs that come with the front end: the bots that are built in, and what starts contained bots.
//! A front end that has none of them leaves them out.

use botyard_protocol::OptionSpec;
use botyard_referee::BotCommand;
use botyard_sandbox::Launcher;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What games are played with besides the users' own programs.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The executable that is any built-in bot when it is started as `botyard bot NAME`. Their own
    /// executables, where they were built, are beside it, and called `botyard-NAME`.
    pub botyard: PathBuf,
    /// What starts contained bots.
    pub launcher: Launcher,
    /// The bots that a user can write by name.
    pub built_ins: Vec<BuiltIn>,
}

/// A bot that a user can write by name.
#[derive(Clone, Debug)]
pub struct BuiltIn {
    /// Its name.
    pub name: String,
    /// The games that it plays.
    pub games: Vec<String>,
    /// Its options, those of all games in one list.
    pub options: BTreeMap<String, OptionSpec>,
    /// The options among them that apply at one game alone: the game, the option, and what it is there.
    pub options_of_games: Vec<(String, String, OptionSpec)>,
    /// Whether there is a program of its own, `botyard-NAME`, where that was built. A file of that name
    /// that an earlier version left beside `botyard` is not started for another bot.
    pub has_program: bool,
}

impl BuiltIn {
    /// Whether it plays a game.
    pub fn plays(&self, game: &str) -> bool {
        self.games.iter().any(|played| played == game)
    }

    /// The options that apply at a game.
    pub fn options_at(&self, game: &str) -> BTreeMap<String, OptionSpec> {
        let mut options = self.options.clone();
        for (_, name, _) in &self.options_of_games {
            options.remove(name);
        }
        let here = self.options_of_games.iter().filter(|(at, ..)| at == game);
        options.extend(here.map(|(_, name, spec)| (name.clone(), spec.clone())));
        options
    }

    /// The games at which alone an option applies; none for one that applies at every game.
    pub fn games_of_option(&self, option: &str) -> Vec<&str> {
        let own = self.options_of_games.iter().filter(|(_, name, _)| name == option);
        own.map(|(game, ..)| game.as_str()).collect()
    }
}

impl Programs {
    /// The built-in bot of this name.
    pub fn built_in(&self, name: &str) -> Option<&BuiltIn> {
        self.built_ins.iter().find(|bot| bot.name == name)
    }

    /// The program of a built-in bot, and its arguments.
    pub fn command(&self, name: &str) -> (PathBuf, Vec<OsString>) {
        let own = self.botyard.with_file_name(format!("botyard-{name}"));
        let has_program = self.built_in(name).is_some_and(|bot| bot.has_program);
        if has_program && is_executable(&own) {
            (own, Vec::new())
        } else {
            (self.botyard.clone(), vec!["bot".into(), name.into()])
        }
    }

    /// The name of the built-in bot that a command starts, if it does.
    pub fn built_in_of(&self, command: &BotCommand) -> Option<String> {
        let is_started = |bot: &&BuiltIn| {
            let (program, args) = self.command(&bot.name);
            (&program, &args) == (&command.program, &command.args)
        };
        self.built_ins.iter().find(is_started).map(|bot| bot.name.clone())
    }

    /// Whether a program is one of these, and so has the version of the front end.
    pub fn is_own(&self, program: &Path) -> bool {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let beside = program.parent() == self.botyard.parent() && name.starts_with("botyard-");
        beside || program == self.botyard
    }
}

/// Whether a file can be run.
pub fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Two built-in bots that are never started.
    pub(crate) fn programs() -> Programs {
        let seed = OptionSpec::Int { min: 0, max: i64::MAX, default: 0, about: String::new() };
        let bot = |name: &str| BuiltIn {
            name: name.into(),
            games: vec!["scotland-yard".into()],
            options: [("seed".to_string(), seed.clone())].into(),
            options_of_games: Vec::new(),
            has_program: true,
        };
        Programs {
            botyard: "/usr/bin/botyard".into(),
            launcher: Launcher::this_program(&[]),
            built_ins: vec![bot("random"), bot("greedy")],
        }
    }
}
