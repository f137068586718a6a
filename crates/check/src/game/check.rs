//! The checks of a game by name, and their results.

use crate::check::{Checked, Counts};
use serde::{Deserialize, Serialize};

/// A check of a game. Its name in results never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameCheck {
    /// Its program starts and describes the game of `game.toml`.
    Start,
    /// It resolves rules, and refuses others.
    Rules,
    /// It opens games, from bits and from an opening.
    Opening,
    /// Its answers are positions, whatever is played.
    Positions,
    /// What it lists as legal is legal.
    Legal,
    /// Views are the same whenever they are requested, and a request that only reads changes nothing.
    Views,
    /// Games end.
    Ends,
    /// Outcomes are in the range of scores.
    Scores,
    /// Probabilities of chance are a distribution.
    Chances,
    /// Two processes that read the same lines write the same lines.
    Deterministic,
    /// Nothing is left over from earlier games.
    Repeat,
    /// A game from its record equals the game as it was played.
    Replay,
    /// What is not legal is refused, without a change.
    Refusals,
    /// `hidden` of `hello` is true.
    Hidden,
    /// Views depend on nothing that their seat cannot know.
    SecretViews,
    /// Copies reveal no more than the views.
    SecretCopies,
    /// The legal actions and the reasons for refusals depend on nothing that the seat cannot know.
    SecretLegal,
    /// The seats of a round do not see what the others have decided.
    Simultaneous,
    /// What is drawn is listed, as often as its probability says.
    Draws,
    /// Games resume after a bot has failed.
    Forfeits,
    /// A state that is loaded is that state.
    Load,
    /// A state drawn for a seat looks the same to it.
    Determinize,
    /// Playouts are games to their end.
    Playout,
    /// The state for people.
    Text,
    /// Actions that people write.
    Parse,
    /// Pictures of the state.
    Draw,
    /// Unknown fields and requests are ignored.
    Unknown,
    /// Answers come in time.
    Time,
}

impl GameCheck {
    /// All checks, in the order in which they are reported.
    pub const ALL: [GameCheck; 28] = [
        GameCheck::Start,
        GameCheck::Rules,
        GameCheck::Opening,
        GameCheck::Positions,
        GameCheck::Legal,
        GameCheck::Views,
        GameCheck::Ends,
        GameCheck::Scores,
        GameCheck::Chances,
        GameCheck::Deterministic,
        GameCheck::Repeat,
        GameCheck::Replay,
        GameCheck::Refusals,
        GameCheck::Hidden,
        GameCheck::SecretViews,
        GameCheck::SecretCopies,
        GameCheck::SecretLegal,
        GameCheck::Simultaneous,
        GameCheck::Draws,
        GameCheck::Forfeits,
        GameCheck::Load,
        GameCheck::Determinize,
        GameCheck::Playout,
        GameCheck::Text,
        GameCheck::Parse,
        GameCheck::Draw,
        GameCheck::Unknown,
        GameCheck::Time,
    ];

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            GameCheck::Start => "start",
            GameCheck::Rules => "rules",
            GameCheck::Opening => "opening",
            GameCheck::Positions => "positions",
            GameCheck::Legal => "legal",
            GameCheck::Views => "views",
            GameCheck::Ends => "ends",
            GameCheck::Scores => "scores",
            GameCheck::Chances => "chances",
            GameCheck::Deterministic => "deterministic",
            GameCheck::Repeat => "repeat",
            GameCheck::Replay => "replay",
            GameCheck::Refusals => "refusals",
            GameCheck::Hidden => "hidden",
            GameCheck::SecretViews => "secret_views",
            GameCheck::SecretCopies => "secret_copies",
            GameCheck::SecretLegal => "secret_legal",
            GameCheck::Simultaneous => "simultaneous",
            GameCheck::Draws => "draws",
            GameCheck::Forfeits => "forfeits",
            GameCheck::Load => "load",
            GameCheck::Determinize => "determinize",
            GameCheck::Playout => "playout",
            GameCheck::Text => "text",
            GameCheck::Parse => "parse",
            GameCheck::Draw => "draw",
            GameCheck::Unknown => "unknown",
            GameCheck::Time => "time",
        }
    }

    /// Returns what the author of a game can do if it fails.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            GameCheck::Start => {
                "run the program by hand, and type {\"type\":\"hello\",\"rules_protocol\":1}; it must \
                 answer with one line, flushed, whose name is that of game.toml"
            }
            GameCheck::Rules => {
                "answer `new` with every rule of the game, or `refused` with the rule and a message"
            }
            GameCheck::Opening => {
                "answer `open` with the same position whether the opening was drawn or given"
            }
            GameCheck::Positions => {
                "answer with the fields of the page on the rules protocol, section The position"
            }
            GameCheck::Legal => {
                "list exactly the actions that `play` and `check` accept, each once"
            }
            GameCheck::Views => {
                "compute views from the state alone, and change the state only by `open`, `play`, \
                 `chance`, `forfeit` and `load`"
            }
            GameCheck::Ends => "end the game after a number of decisions, with a draw if need be",
            GameCheck::Scores => "correct the outcome, or `scores` in the answer to `hello`",
            GameCheck::Chances => "list each outcome with a probability above 0; their sum is 1",
            GameCheck::Deterministic => {
                "use no clock, no random numbers but those from `random`, and no order of a hash set"
            }
            GameCheck::Repeat => "make everything new at `open`; keep nothing from the last game",
            GameCheck::Replay => {
                "apply a given opening or outcome of chance exactly as if it had been drawn"
            }
            GameCheck::Refusals => {
                "check an action completely before the state is changed; a reason has words for the \
                 bot's author"
            }
            GameCheck::Hidden => {
                "set \"hidden\" in the answer to `hello`, or make the view complete"
            }
            GameCheck::SecretViews => {
                "leave out of the view what the seat cannot know, or put it into its copy in `seen` \
                 when it learns it"
            }
            GameCheck::SecretCopies => {
                "leave out of the seat's copy in `seen` what its view does not show"
            }
            GameCheck::SecretLegal => {
                "compute the legal actions and reasons from what the seat can know"
            }
            GameCheck::Simultaneous => {
                "give the other seats a copy in `seen` without the decision, and show it in no view \
                 before the round is over"
            }
            GameCheck::Draws => "draw by the listed probabilities, from `random` alone",
            GameCheck::Forfeits => {
                "answer `forfeit` with the position after it, and list or name an action for `pass`"
            }
            GameCheck::Load => "put everything that the rules need into the state",
            GameCheck::Determinize => {
                "draw only what the seat cannot see, and keep all that its view shows"
            }
            GameCheck::Playout => {
                "play each playout with a copy of the state and random numbers from `random` alone"
            }
            GameCheck::Text => "answer `text` with a text that is not empty",
            GameCheck::Parse => "answer `parse` with a legal action, or `refused` with a message",
            GameCheck::Draw => {
                "answer `draw` with an SVG document that has a viewBox, and only the elements and attributes that \
                 \"Drawings\" in the rules protocol lists"
            }
            GameCheck::Unknown => {
                "ignore fields that you do not know, and answer an unknown request with \
                 {\"type\":\"unknown\"}"
            }
            GameCheck::Time => "make the program faster, or the game smaller",
        }
    }
}

/// Something that a check of a game found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameFinding {
    /// The rules, the random game and the decision, as far as it belongs to one; otherwise empty.
    pub place: String,
    /// What was asked and what came, or what was compared, on one line.
    pub message: String,
    /// What to do about it, on one line.
    pub remedy: String,
}

/// The result of a check of a game.
pub type GameChecked = Checked<GameCheck, GameFinding>;

/// The numbers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct GameFigures {
    /// The random games.
    pub games: u32,
    /// Decisions and outcomes of chance in these games.
    pub decisions: u64,
    /// The same for the longest of them.
    pub longest: u64,
    /// Decisions per second of the time that the program computed them.
    pub decisions_per_second: f64,
    /// Requests in all checks.
    pub requests: u64,
    /// The longest time for an answer, in milliseconds.
    pub slowest_ms: f64,
}

/// The events of the checks of a game, as `--json` prints them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum GameCheckEvent {
    /// The game was found; its program is started next.
    GameCheckStarted {
        /// The version of Botyard.
        version: &'static str,
        /// The game's name.
        game: String,
        /// The seed of the random games.
        seed: u64,
        /// The number of random games.
        games: u32,
        /// The tier of the sandbox, or `none`.
        sandbox: String,
    },
    /// A check was made or left out.
    GameCheckResult(GameChecked),
    /// All checks were made, or the run was interrupted.
    GameCheckEnded {
        /// Whether the run was interrupted.
        interrupted: bool,
        /// The figures.
        #[serde(flatten)]
        figures: GameFigures,
        /// The results in numbers.
        #[serde(flatten)]
        counts: Counts,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_check_is_the_same_in_text_and_in_json() {
        for check in GameCheck::ALL {
            assert_eq!(serde_json::to_value(check).unwrap(), check.as_str());
        }
        let mut sorted = GameCheck::ALL;
        sorted.sort();
        assert_eq!(sorted, GameCheck::ALL);
    }
}
