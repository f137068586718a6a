//! What a page asks for.

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::oneshot;

/// A command of a page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Command {
    /// The number of what the page shows: a command of a page that shows something else is refused.
    #[serde(default)]
    pub game: Option<u64>,
    /// The command itself.
    #[serde(flatten)]
    pub order: Order,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(crate) enum Order {
    /// Plays an action.
    Play {
        /// The number of the decision.
        turn: u32,
        /// One of the legal actions.
        action: Value,
    },
    /// Plays an action that the person has typed.
    Type {
        /// The number of the decision.
        turn: u32,
        /// What was typed.
        text: String,
    },
    /// Takes back the person's last decision.
    Undo,
    /// Asks a strong bot.
    Hint {
        /// The number of the decision.
        turn: u32,
    },
    /// Resigns the game.
    Resign,
    /// Asks for a review of the game that is over.
    Review,
    /// Shows what a seat sees, because its person has taken over.
    Look {
        /// The seat.
        seat: String,
    },
    /// Begins another game.
    New {
        /// The person's seats.
        seats: Vec<String>,
        /// The level of the bots, 0 for the strongest bot. `None`: that of the game before.
        #[serde(default)]
        level: Option<u8>,
    },
}

/// A command that waits for its answer: why it was refused, if it was.
#[derive(Debug)]
pub(crate) struct Request {
    pub command: Command,
    pub answer: oneshot::Sender<Result<(), String>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn commands_are_read_from_json() {
        let read = |json: Value| serde_json::from_value::<Command>(json);
        let play = read(json!({"do": "play", "game": 3, "turn": 7, "action": {"attack": [3, 5]}}));
        let order = Order::Play { turn: 7, action: json!({"attack": [3, 5]}) };
        assert_eq!(play.expect("a command"), Command { game: Some(3), order });
        let undo = read(json!({"do": "undo", "game": null}));
        assert_eq!(undo.expect("a command"), Command { game: None, order: Order::Undo });
        for wrong in [json!({}), json!({"do": "win"}), json!({"do": "play", "turn": -1}), json!([])]
        {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
