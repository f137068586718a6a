//! The difference between the file of a competition and the conditions of one of its events: by settings, not by text,
//! and whether it changes the games.

use botyard_league::tournament_file::{FileChange, TournamentFile, file_changes};

/// The settings that change no game of a class: how the host plays, and names. The site chooses the blocks itself.
const HARMLESS: [&str; 7] = [
    "name",
    "blocks",
    "run.concurrency",
    "run.oversubscribe",
    "run.compress",
    "run.replays",
    "run.pin",
];

/// The settings of a bot that change no game.
const OF_BOTS: [&str; 2] = [".team", ".student_id"];

/// How a file differs from the conditions of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// Its settings are the same.
    None,
    /// These settings differ, and the games are the same.
    Harmless(Vec<String>),
    /// These settings differ, and the games are others.
    Games(Vec<String>),
    /// It has errors.
    Broken(String),
}

impl Difference {
    /// Returns whether the games are the same.
    pub(crate) fn keeps_games(&self) -> bool {
        matches!(self, Difference::None | Difference::Harmless(_))
    }
}

/// Compares the text of a file, called `shown` in errors, with that of an event.
pub(crate) fn between(shown: &str, before: &str, after: &str) -> Difference {
    if before == after {
        return Difference::None;
    }
    if let Err(problems) = TournamentFile::read(shown, "event", after) {
        return Difference::Broken(problems.to_string());
    }
    let changes = file_changes(before, after);
    let words = |is_wanted: &dyn Fn(&FileChange) -> bool| -> Vec<String> {
        changes.iter().filter(|change| is_wanted(change)).map(in_words).collect()
    };
    let games = words(&|change| !is_harmless(change));
    match games.is_empty() {
        false => Difference::Games(games),
        true if changes.is_empty() => Difference::None,
        true => Difference::Harmless(words(&|_| true)),
    }
}

fn is_harmless(change: &FileChange) -> bool {
    let key = change.key.as_str();
    HARMLESS.contains(&key)
        || (key.starts_with("bot ") && OF_BOTS.iter().any(|end| key.ends_with(end)))
}

/// Returns a change in words: "line 5: time.move_ms 1000 became 500".
fn in_words(change: &FileChange) -> String {
    let place = match change.line {
        0 => String::new(),
        line => format!("line {line}: "),
    };
    let key = &change.key;
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!("{place}{key} {before} became {after}"),
        (None, Some(after)) => format!("{place}{key} = {after} is new"),
        (Some(before), None) => format!("{key} = {before} is gone"),
        (None, None) => format!("{place}{key} differs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "game = \"connect-four\"\n[time]\nmove_ms = 1000\n\
                          [[bot]]\ncommand = \"random\"\n[[bot]]\ncommand = \"greedy\"\n";

    fn changed(from: &str, to: &str) -> Difference {
        between("event.toml", BEFORE, &BEFORE.replace(from, to))
    }

    #[test]
    fn comments_and_order_are_no_difference() {
        let other = "# Ours.\n\n[[bot]]\ncommand = \"greedy\"\n[[bot]]\ncommand='random'\n\n\
                     [time]\nmove_ms = 1_000 # a second\n";
        let other = format!("game = 'connect-four'\n{other}");
        assert_eq!(between("event.toml", BEFORE, &other), Difference::None);
    }

    #[test]
    fn a_difference_says_whether_it_changes_the_games() {
        let games = |words: &str| Difference::Games(vec![words.to_string()]);
        assert_eq!(changed("1000", "500"), games("line 3: time.move_ms 1000 became 500"));
        let harmless = changed("[time]", "[run]\nconcurrency = 2\n[time]");
        let words = vec!["line 3: run.concurrency = 2 is new".to_string()];
        assert_eq!(harmless, Difference::Harmless(words));
        assert!(harmless.keeps_games());
        let Difference::Broken(why) = changed("1000", "\"soon\"") else { panic!("it is wrong") };
        assert!(why.contains("event.toml, line 3"), "{why}");
    }
}
