//! The command-line options for the settings that errors and warnings of the libraries name.

use botyard_runner::settings::*;

/// Each setting with its option, or with the command that explains it.
const OPTIONS: [(&str, &str); 45] = [
    (SEED, "--seed"),
    (PRESET, "--rules"),
    (RULE, "--rule"),
    (OPENINGS, "--opening"),
    (GAMES, "--games"),
    (KEEP_GOING, "--keep-going"),
    (BOT_OPTION, "--option"),
    (DEBUG, "--debug"),
    (CLOCK, "--clock"),
    (MOVE_MS, "--move-time"),
    (BANK_MS, "--bank"),
    (INCREMENT_MS, "--increment"),
    (GRACE_MS, "--grace"),
    (DRAW, "--draw"),
    (RESIGN, "--resign"),
    (EGDB, "--egdb"),
    (CONCURRENCY, "--concurrency"),
    (OVERSUBSCRIBE, "--oversubscribe"),
    (PIN, "--pin"),
    (STOP, "--freeze"),
    (BACKEND, "--backend"),
    (SANDBOX, "--sandbox"),
    (MEMORY, "--memory"),
    (WRAPPER, "--sandbox-command"),
    (READ, "--read"),
    (DIRECTORY, "--out"),
    (OUTPUT, "--output"),
    (SEATS, "--as"),
    (AGAINST, "--against"),
    (NAME, "--name"),
    (CHOSEN_BOTS, "--bot"),
    (CHOSEN_GAMES, "--game"),
    (CHOSEN_FAULTS, "--faults"),
    (APPLY, "--apply"),
    (DROP, "--drop"),
    (ACCEPT_CHANGES, "--accept-changes"),
    (HOST, "`botyard sandbox`"),
    (GAMES_LIST, "`botyard games`"),
    (GAME_INFO, "`botyard games"),
    (MATCH, "botyard match"),
    (GAMES_AT_ONCE, "-j"),
    (RESUME_CONCURRENCY, "`resume -j`"),
    (EXTEND, "`botyard tournament extend"),
    (UPDATE, "`botyard tournament update"),
    (MOVED_FILE, "--file"),
];

/// Replaces the settings in a library's text by options.
pub fn with_options(text: &str) -> String {
    OPTIONS.iter().fold(text.to_string(), |text, (setting, option)| text.replace(setting, option))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_named_as_options() {
        let text = format!("{READ} x: no file; write {CONCURRENCY} 4, {HOST} says more");
        let expected = "--read x: no file; write --concurrency 4, `botyard sandbox` says more";
        assert_eq!(with_options(&text), expected);
    }
}
