//! The bots of new projects and what to try next: a row for each game. A game without a row, or a row
//! without a language, has a bot that plays every game.

use crate::language::Language;
use botyard_engine::registry;

/// A bot: its file in the project, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BotFile {
    /// The name of the file.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The texts of a game.
struct Row {
    game: &'static str,
    /// Bots that play this game.
    bots: &'static [(Language, &'static str)],
    /// Things to try next.
    ideas: &'static [&'static str],
}

/// What projects have in every other game: a bot that plays by random playouts in Rust, whose kit has
/// the rules, and a random legal action elsewhere.
const ANY_GAME: Row = Row {
    game: "",
    bots: &[
        (Language::Python, include_str!("../../../sdk/python/examples/legal.py")),
        (Language::Javascript, include_str!("../../../sdk/javascript/examples/legal.mjs")),
        (Language::Go, include_str!("../../../sdk/go/examples/legal/main.go")),
        (Language::Cpp, include_str!("../../../sdk/cpp/examples/legal.cpp")),
        (Language::Java, include_str!("../../../sdk/java/examples/Legal.java")),
        (Language::Rust, include_str!("../templates/rust/main.rs")),
    ],
    ideas: &[
        "Score every legal action by what the view shows, and play the best one.",
        "Play an action that wins immediately, and none after which the others can win immediately.",
        "Look further ahead while `turn.clock` has time left.",
    ],
};

/// What projects in Rust have in a game whose rules are a program, which their kit does not have.
const OTHER_GAME_IN_RUST: &str = include_str!("../templates/rust/legal.rs");

/// Every game that has bots or ideas of its own.
const GAMES: &[Row] = &[
    Row {
        game: "scotland-yard",
        bots: &[
            (Language::Python, include_str!("../../../sdk/python/examples/detective.py")),
            (Language::Javascript, include_str!("../../../sdk/javascript/examples/detective.mjs")),
            (Language::Go, include_str!("../../../sdk/go/examples/detective/main.go")),
            (Language::Cpp, include_str!("../../../sdk/cpp/examples/detective.cpp")),
            (Language::Java, include_str!("../../../sdk/java/examples/Detective.java")),
            (Language::Rust, include_str!("../../agent/examples/detective.rs")),
        ],
        ideas: &[
            "As a detective, keep apart from the other detectives, so that Mr. X has fewer ways out.",
            "As Mr. X, count the ways on from a station, not only the distance of the detectives.",
            "Save black tickets and double moves for the turns after Mr. X was visible.",
        ],
    },
    Row {
        game: "draughts",
        bots: &[
            (Language::Python, include_str!("../../../sdk/python/examples/draughts_two_ply.py")),
            (
                Language::Javascript,
                include_str!("../../../sdk/javascript/examples/draughts_two_ply.mjs"),
            ),
            (Language::Go, include_str!("../../../sdk/go/examples/draughts_two_ply/main.go")),
            (Language::Cpp, include_str!("../../../sdk/cpp/examples/draughts_two_ply.cpp")),
            (Language::Java, include_str!("../../../sdk/java/examples/DraughtsTwoPly.java")),
            (Language::Rust, include_str!("../../agent/examples/draughts_two_ply.rs")),
        ],
        ideas: &[
            "Count kings, the back rank and the centre in the evaluation.",
            "Search deeper while `turn.clock` has time left, with alpha-beta.",
            "Search on while there are captures, so that no exchange is cut in half.",
        ],
    },
    Row {
        game: "dice-wars",
        bots: &[
            (Language::Python, include_str!("../../../sdk/python/examples/dice_wars_rule.py")),
            (
                Language::Javascript,
                include_str!("../../../sdk/javascript/examples/dice_wars_rule.mjs"),
            ),
            (Language::Go, include_str!("../../../sdk/go/examples/dice_wars_rule/main.go")),
            (Language::Cpp, include_str!("../../../sdk/cpp/examples/dice_wars_rule.cpp")),
            (Language::Java, include_str!("../../../sdk/java/examples/DiceWarsRule.java")),
            (Language::Rust, include_str!("../../agent/examples/dice_wars_rule.rs")),
        ],
        ideas: &[
            "Prefer attacks that join two of your regions.",
            "Leave weak neighbours of strong players alone.",
            "Play out the turns until your next one at random, and compare what is left.",
        ],
    },
    Row {
        game: "connect-four",
        bots: &[
            (Language::Python, include_str!("../templates/python/connect_four.py")),
            (Language::Javascript, include_str!("../templates/javascript/connect_four.mjs")),
            (Language::Go, include_str!("../templates/go/connect_four.go")),
            (Language::Cpp, include_str!("../templates/cpp/connect_four.cpp")),
            (Language::Java, include_str!("../templates/java/ConnectFourBot.java")),
        ],
        ideas: &[
            "Avoid a column above which the other side would win.",
            "Search two discs ahead, then as deep as `turn.clock` allows, with alpha-beta.",
            "Count open lines of two and three in the evaluation.",
        ],
    },
    Row {
        game: "liars-dice",
        bots: &[
            (Language::Python, include_str!("../templates/python/liars_dice.py")),
            (Language::Javascript, include_str!("../templates/javascript/liars_dice.mjs")),
            (Language::Go, include_str!("../templates/go/liars_dice.go")),
            (Language::Cpp, include_str!("../templates/cpp/liars_dice.cpp")),
            (Language::Java, include_str!("../templates/java/LiarsDiceBot.java")),
        ],
        ideas: &[
            "Conclude from the bids what the others may have under their cups.",
            "Bid faces that you have none of now and then, so that your bids say less.",
            "Compare a bid with what the next player can make of it.",
        ],
    },
];

fn row(game: &str) -> Option<&'static Row> {
    GAMES.iter().find(|row| row.game == game)
}

impl Row {
    fn text(&self, language: Language) -> Option<&'static str> {
        self.bots.iter().find(|(its, _)| *its == language).map(|&(_, text)| text)
    }
}

/// Returns the languages in which a project has a bot for this game alone.
pub fn languages(game: &str) -> Vec<Language> {
    let has = |language: &Language| row(game).is_some_and(|row| row.text(*language).is_some());
    Language::ALL.into_iter().filter(has).collect()
}

/// Returns whether there are ideas for this game alone.
pub fn has_ideas(game: &str) -> bool {
    row(game).is_some_and(|row| !row.ideas.is_empty())
}

/// Returns things to try next in a game.
pub(crate) fn ideas(game: &str) -> &'static [&'static str] {
    row(game).map(|row| row.ideas).filter(|ideas| !ideas.is_empty()).unwrap_or(ANY_GAME.ideas)
}

fn text(language: Language, game: &str) -> &'static str {
    if language == Language::Rust && !registry::names().iter().any(|known| known == game) {
        return OTHER_GAME_IN_RUST;
    }
    let own = row(game).and_then(|row| row.text(language));
    own.or(ANY_GAME.text(language)).unwrap_or_default()
}

/// Returns the bot of a game. `name` is the name of the project.
pub(crate) fn bot(language: Language, game: &str, name: &str) -> BotFile {
    let text = text(language, game);
    let file = |path: &str, text: String| BotFile { path: path.into(), text };
    match language {
        Language::Python => file("bot.py", text.into()),
        // The examples lie beside the kit's directory, and the bot in the one above it.
        Language::Javascript => file("bot.mjs", text.replace("\"../botyard/", "\"./botyard/")),
        Language::Go => file("main.go", text.into()),
        Language::Cpp => file("bot.cpp", text.into()),
        Language::Java => file(&format!("{}.java", java_class(game)), text.into()),
        Language::Rust => file("src/main.rs", text.replace("{{name}}", name)),
    }
}

/// Returns the class of the bot in Java.
pub(crate) fn java_class(game: &str) -> &'static str {
    let after = text(Language::Java, game).split("\npublic class ").nth(1).unwrap_or_default();
    after.split(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kits;
    use std::path::Path;

    #[test]
    fn every_game_has_a_bot_and_ideas_its_own_or_those_of_any_game() {
        for game in registry::names().into_iter().chain(["a-new-game".to_string()]) {
            for language in Language::ALL {
                let bot = bot(language, &game, "mine");
                assert!(bot.text.len() > 100, "{language}: {game}");
                assert!(!bot.text.contains("{{name}}"), "{language}: {game}");
                assert!(!bot.text.contains("../"), "{language}: {game}");
            }
            let class = java_class(&game);
            assert!(class.chars().all(char::is_alphanumeric) && class.len() > 3, "{class:?}");
            assert_eq!(ideas(&game).len(), 3, "{game}");
        }
    }

    #[test]
    fn every_row_is_of_a_game() {
        for row in GAMES {
            assert!(registry::info(row.game).is_ok(), "{}", row.game);
        }
    }

    /// The kits' functions for a game are tested with its vectors.
    #[test]
    fn games_that_a_kit_knows_have_vectors() {
        let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/vectors");
        for game in registry::names() {
            let is_known = !kits::that_know(&game).is_empty();
            assert_eq!(vectors.join(format!("{game}.jsonl")).is_file(), is_known, "{game}");
        }
    }
}
