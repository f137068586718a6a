//! The bots of new projects: examples of the kits, and bots for the games that have no example.

use crate::language::Language;

/// A bot: its file in the project, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotFile {
    /// The name of the file.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Returns the bot of a game. `name` is the name of the project.
pub fn bot(language: Language, game: &str, name: &str) -> Option<BotFile> {
    let file = |path: &str, text: &str| Some(BotFile { path: path.into(), text: text.into() });
    match language {
        Language::Python => file("bot.py", python(game)?),
        // The examples lie beside the kit's directory, and the bot in the one above it.
        Language::Javascript => {
            file("bot.mjs", &javascript(game)?.replace("\"../botyard/", "\"./botyard/"))
        }
        Language::Go => file("main.go", go(game)?),
        Language::Cpp => file("bot.cpp", cpp(game)?),
        Language::Java => {
            let (class, text) = java(game)?;
            file(&format!("{class}.java"), text)
        }
        Language::Rust => file("src/main.rs", &rust(game).replace("{{name}}", name)),
    }
}

/// The other games have a bot that plays every game.
fn rust(game: &str) -> &'static str {
    match game {
        "scotland-yard" => include_str!("../../agent/examples/detective.rs"),
        "draughts" => include_str!("../../agent/examples/draughts_two_ply.rs"),
        "dice-wars" => include_str!("../../agent/examples/dice_wars_rule.rs"),
        _ => include_str!("../templates/rust/main.rs"),
    }
}

/// Returns the class of the bot in Java.
pub fn java_class(game: &str) -> &'static str {
    java(game).map_or("Bot", |(class, _)| class)
}

fn python(game: &str) -> Option<&'static str> {
    Some(match game {
        "scotland-yard" => include_str!("../../../sdk/python/examples/detective.py"),
        "draughts" => include_str!("../../../sdk/python/examples/draughts_two_ply.py"),
        "dice-wars" => include_str!("../../../sdk/python/examples/dice_wars_rule.py"),
        "connect-four" => include_str!("../templates/python/connect_four.py"),
        "liars-dice" => include_str!("../templates/python/liars_dice.py"),
        _ => return None,
    })
}

fn javascript(game: &str) -> Option<&'static str> {
    Some(match game {
        "scotland-yard" => include_str!("../../../sdk/javascript/examples/detective.mjs"),
        "draughts" => include_str!("../../../sdk/javascript/examples/draughts_two_ply.mjs"),
        "dice-wars" => include_str!("../../../sdk/javascript/examples/dice_wars_rule.mjs"),
        "connect-four" => include_str!("../templates/javascript/connect_four.mjs"),
        "liars-dice" => include_str!("../templates/javascript/liars_dice.mjs"),
        _ => return None,
    })
}

fn go(game: &str) -> Option<&'static str> {
    Some(match game {
        "scotland-yard" => include_str!("../../../sdk/go/examples/detective/main.go"),
        "draughts" => include_str!("../../../sdk/go/examples/draughts_two_ply/main.go"),
        "dice-wars" => include_str!("../../../sdk/go/examples/dice_wars_rule/main.go"),
        "connect-four" => include_str!("../templates/go/connect_four.go"),
        "liars-dice" => include_str!("../templates/go/liars_dice.go"),
        _ => return None,
    })
}

fn cpp(game: &str) -> Option<&'static str> {
    Some(match game {
        "scotland-yard" => include_str!("../../../sdk/cpp/examples/detective.cpp"),
        "draughts" => include_str!("../../../sdk/cpp/examples/draughts_two_ply.cpp"),
        "dice-wars" => include_str!("../../../sdk/cpp/examples/dice_wars_rule.cpp"),
        "connect-four" => include_str!("../templates/cpp/connect_four.cpp"),
        "liars-dice" => include_str!("../templates/cpp/liars_dice.cpp"),
        _ => return None,
    })
}

fn java(game: &str) -> Option<(&'static str, &'static str)> {
    Some(match game {
        "scotland-yard" => ("Detective", include_str!("../../../sdk/java/examples/Detective.java")),
        "draughts" => {
            ("DraughtsTwoPly", include_str!("../../../sdk/java/examples/DraughtsTwoPly.java"))
        }
        "dice-wars" => {
            ("DiceWarsRule", include_str!("../../../sdk/java/examples/DiceWarsRule.java"))
        }
        "connect-four" => ("ConnectFourBot", include_str!("../templates/java/ConnectFourBot.java")),
        "liars-dice" => ("LiarsDiceBot", include_str!("../templates/java/LiarsDiceBot.java")),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::registry;

    #[test]
    fn every_game_has_a_bot_in_every_language() {
        for game in registry::names() {
            for language in Language::ALL {
                let bot =
                    bot(language, &game, "mine").unwrap_or_else(|| panic!("{language}: {game}"));
                assert!(!bot.text.contains("{{name}}"), "{language}: {game}");
                assert!(!bot.text.contains("../"), "{language}: {game}");
            }
        }
    }
}
