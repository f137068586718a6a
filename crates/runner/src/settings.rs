//! The settings that messages name: one row each, with the field of the configuration, the key in a
//! tournament file and the option of the command line. A key is empty if a tournament file does not have
//! the setting. The last rows are not settings, but what messages refer the user to; `{}` in a name stands
//! for its argument.

use std::fmt;

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The field of the configuration, such as `containment.read` of a [`Config`](crate::Config).
    pub field: &'static str,
    /// The key in a tournament file, such as `sandbox.read`.
    pub key: &'static str,
    /// The option of the command line, such as `--read`.
    pub option: &'static str,
}

impl Setting {
    /// Returns the setting with a value, or what it refers to with an argument.
    pub fn with(self, value: impl fmt::Display) -> Named {
        Named { setting: self, value: Some(value.to_string()) }
    }
}

/// A setting in a message, with its value if that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The setting.
    pub setting: Setting,
    /// Its value.
    pub value: Option<String>,
}

impl Named {
    /// Returns the name for users of the library: `containment.sandbox strict`.
    pub fn field(&self) -> String {
        self.after(self.setting.field)
    }

    /// Returns the name on the command line: `--sandbox strict`.
    pub fn option(&self) -> String {
        self.after(self.setting.option)
    }

    /// Returns the name in a tournament file, `sandbox.mode = "strict"`; `None` if it has no such key.
    pub fn key(&self) -> Option<String> {
        let key = Some(self.setting.key).filter(|key| !key.is_empty())?;
        Some(match &self.value {
            None => key.into(),
            Some(number) if number.parse::<u64>().is_ok() => format!("{key} = {number}"),
            Some(text) => format!("{key} = {text:?}"),
        })
    }

    /// Returns the name for people who have a tournament file and the command line.
    pub fn key_or_option(&self) -> String {
        let key = self.key().map(|key| format!("{key} in the tournament file"));
        key.unwrap_or_else(|| self.option())
    }

    fn after(&self, name: &str) -> String {
        match (name.split_once("{}"), &self.value) {
            (Some((before, after)), value) => {
                format!("{before}{}{after}", value.as_deref().unwrap_or_default())
            }
            (None, None) => name.into(),
            (None, Some(value)) => format!("{name} {value}"),
        }
    }
}

impl From<Setting> for Named {
    fn from(setting: Setting) -> Named {
        Named { setting, value: None }
    }
}

macro_rules! settings {
    ($($name:ident: $field:literal, $key:literal, $option:literal;)*) => {
        $(
            #[doc = concat!($field, ": ", $option, ".")]
            pub const $name: Setting = Setting { field: $field, key: $key, option: $option };
        )*

        /// All rows.
        pub const ALL: &[Setting] = &[$($name),*];
    };
}

settings! {
    SEED: "start.seed", "seed", "--seed";
    PRESET: "start.rules", "rules", "--rules";
    RULE: "start.changes", "rule", "--rule";
    OPENINGS: "start.openings", "openings", "--opening";
    GAMES: "games", "", "--games";
    KEEP_GOING: "keep_going", "", "--keep-going";
    BOT_OPTION: "options", "", "--option";
    DEBUG: "debug", "", "--debug";
    CLOCK: "time.clock", "time.clock", "--clock";
    MOVE_MS: "time.move_ms", "time.move_ms", "--move-time";
    BANK_MS: "time.bank_ms", "time.bank_ms", "--bank";
    INCREMENT_MS: "time.increment_ms", "time.increment_ms", "--increment";
    GRACE_MS: "time.grace_ms", "time.grace_ms", "--grace";
    ON_FAULT: "time.on_fault", "time.on_fault", "--on-fault";
    START_MS: "limits.start_ms", "time.start_ms", "--start-time";
    SETUP_MS: "limits.setup_ms", "time.setup_ms", "--setup-time";
    DRAW: "adjudication.draw", "adjudication.draw", "--draw";
    RESIGN: "adjudication.resign", "adjudication.resign", "--resign";
    EGDB: "adjudication.egdb", "adjudication.egdb", "--egdb";
    CONCURRENCY: "running.concurrency", "run.concurrency", "--concurrency";
    OVERSUBSCRIBE: "running.oversubscribe", "run.oversubscribe", "--oversubscribe";
    PIN: "running.pin", "run.pin", "--pin";
    RESTART: "running.restart", "run.restart", "--restart";
    LEGAL: "running.legal", "run.legal", "--no-legal";
    COMPRESS: "running.compress", "run.compress", "--compress";
    STOP: "running.between_turns", "time.freeze", "--freeze";
    PONDER: "running.between_turns", "time.ponder", "--ponder";
    BACKEND: "containment.backend", "run.backend", "--backend";
    SANDBOX: "containment.sandbox", "sandbox.mode", "--sandbox";
    MEMORY: "containment.memory_mib", "sandbox.memory_mib", "--memory";
    PROCESSES: "containment.processes", "sandbox.processes", "--processes";
    FILES: "containment.files", "sandbox.files", "--files";
    SCRATCH: "containment.scratch_mib", "sandbox.scratch_mib", "--scratch";
    GAME_MEMORY: "containment.game.memory_mib", "sandbox.game_memory_mib", "--game-memory";
    GAME_PROCESSES: "containment.game.processes", "sandbox.game_processes", "--game-processes";
    GAME_ANSWER_MS: "containment.game.answer_ms", "sandbox.game_answer_ms", "--game-answer-time";
    READ: "containment.read", "sandbox.read", "--read";
    WRAPPER: "containment.command", "sandbox.command", "--sandbox-command";
    WRAPPER_END: "containment.end", "sandbox.end", "--sandbox-end";
    DIRECTORY: "replays.directory", "", "--out";
    OUTPUT: "output_mib", "", "--output";
    SEATS: "seats", "", "--as";
    AGAINST: "against", "", "--against";
    NAME: "name", "", "--name";
    CHOSEN_BOTS: "bots", "", "--bot";
    CHOSEN_GAMES: "games", "", "--game";
    CHOSEN_FAULTS: "faults", "", "--faults";
    APPLY: "apply", "", "--apply";
    DROP: "drop", "", "--drop";
    ACCEPT_CHANGES: "accept_changes", "", "--accept-changes";
    MOVED_FILE: "file", "", "--file";
    RUN_CONCURRENCY: "the concurrency of the plan", "", "`resume -j`";
    HOST: "the report on the sandbox of this host", "", "`botyard sandbox`";
    GAMES_LIST: "the registry", "", "`botyard games`";
    GAME_INFO: "the description of {}", "", "`botyard games {}`";
    BUILD: "a build of {}", "", "`botyard build {}`";
    MATCH: "a match of {}", "", "botyard match {}";
    EXTEND: "an extension of {}", "", "`botyard tournament extend {}`";
    UPDATE: "an update of {}", "", "`botyard tournament update {}`";
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_league::tournament_file::TournamentFile;

    #[test]
    fn a_name_has_the_form_of_its_front_end() {
        for (named, names) in [
            (
                SANDBOX.with("strict"),
                ["containment.sandbox strict", "--sandbox strict", "sandbox.mode = \"strict\""],
            ),
            (
                CONCURRENCY.with(4),
                ["running.concurrency 4", "--concurrency 4", "run.concurrency = 4"],
            ),
            (GAME_INFO.with("go"), ["the description of go", "`botyard games go`", ""]),
        ] {
            let key = named.key().unwrap_or_default();
            assert_eq!([named.field(), named.option(), key], names);
        }
        for setting in ALL {
            let Setting { field, key, option } = setting;
            assert!(![field, key, option].iter().any(|name| name.contains("::")), "{setting:?}");
            assert!(!field.is_empty() && !option.is_empty(), "{setting:?}");
        }
    }

    #[test]
    fn every_key_of_a_file_that_a_match_has_too_is_a_setting() {
        for section in ["time", "adjudication", "run", "sandbox"] {
            let text = format!("[{section}]\nno_such = 1\n");
            let refused = TournamentFile::read("cup.toml", "cup", &text).unwrap_err().to_string();
            let (_, keys) = refused.split_once("its keys are ").unwrap();
            let keys = keys.lines().next().unwrap().split(", ");
            let mut keys: Vec<String> = keys.map(|key| format!("{section}.{key}")).collect();
            // Where replays are is for each front end to say.
            keys.retain(|key| key != "run.replays");
            let known = ALL.iter().map(|setting| setting.key);
            let mut known: Vec<_> =
                known.filter(|key| key.starts_with(&format!("{section}."))).collect();
            keys.sort();
            known.sort();
            assert_eq!(keys, known);
        }
    }
}
