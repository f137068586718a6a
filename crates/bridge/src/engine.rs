//! The engine's side of a bridge: what every protocol offers, and what can go wrong.

use crate::think_time::ThinkTime;
use botyard_engine::draughts::{Movement, Position, State};
use botyard_protocol::{Info, MAX_INTEGER, OptionSpec};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::time::Instant;

/// An engine, connected by one of the protocols.
pub trait Engine: Send {
    /// Greets the engine and returns what it says about itself. It must answer before `until`.
    ///
    /// # Errors
    ///
    /// The engine does not answer, or not in the protocol.
    fn greet(&mut self, until: Option<Instant>) -> Result<Identity, EngineError>;

    /// Prepares for a game with these values of options. The engine must be ready before `until`.
    ///
    /// # Errors
    ///
    /// An option that the engine does not have, or an engine that does not answer.
    fn new_game(
        &mut self,
        options: &[(String, String)],
        until: Option<Instant>,
    ) -> Result<(), EngineError>;

    /// Returns the engine's move in a position. Waits as long as the engine takes; reports once that
    /// it is late.
    ///
    /// # Errors
    ///
    /// The engine has ended or answers something else.
    fn think(&mut self, question: &Question<'_>) -> Result<Answer, EngineError>;

    /// Ends the game without an answer.
    fn end_game(&mut self) {}

    /// Ends the engine; one that does not exit by `until` is killed.
    fn quit(&mut self, until: Instant);
}

/// What an engine says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identity {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
    /// The options that a match can set.
    pub options: Vec<DeclaredParameter>,
}

/// An option that the engine declares.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredParameter {
    /// Its name.
    pub name: String,
    /// Its values; `None` if the protocol's type is none that a match can set.
    pub spec: Option<OptionSpec>,
}

/// Returns an option whose values are integers, from the texts of its default and its bounds. A bound
/// that is missing or is no number, or that no message can contain, is the nearest integer that
/// messages can. `None` if the default is not between the bounds.
pub(crate) fn integer_option(
    default: &str,
    min: Option<&str>,
    max: Option<&str>,
) -> Option<OptionSpec> {
    let most = i128::from(MAX_INTEGER);
    let bound = |text: Option<&str>, otherwise: i128| {
        let number = text.and_then(|text| text.parse().ok()).unwrap_or(otherwise);
        i64::try_from(number.clamp(-most, most)).ok()
    };
    let spec = OptionSpec::Int {
        min: bound(min, -most)?,
        max: bound(max, most)?,
        default: default.parse().ok()?,
        about: String::new(),
    };
    spec.accepts(&spec.default_value()).then_some(spec)
}

/// A decision, for the engine.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position and the kings' moves that led to it.
    pub state: &'a State,
    /// The rules of movement.
    pub movement: Movement,
    /// The time.
    pub time: ThinkTime,
    /// The user's limits.
    pub limits: SearchLimits,
}

impl Question<'_> {
    /// Returns the position before the kings' moves that can recur.
    pub fn first_position(&self) -> Position {
        self.state.earlier_positions().last().unwrap_or(*self.state.position())
    }
}

/// The user's limits of a search, beside the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// The depth, in plies.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
}

/// The engine's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move, as the engine wrote it.
    pub text: String,
    /// The whole line, for messages.
    pub line: String,
    /// What it thought.
    pub info: Info,
}

/// Who an engine is, for messages: its command or its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(pub String);

impl Name {
    /// Returns the name of a command.
    pub(crate) fn of_command(command: &[OsString]) -> Name {
        let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
        Name(words.join(" "))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The reason why an engine cannot play.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The engine's program cannot be started.
    #[error("{}", start_words(.name, .error))]
    Start {
        /// The engine.
        name: Name,
        /// The system's error.
        error: io::Error,
    },
    /// No connection.
    #[error("{action}: {error}{}", network_hint(.error))]
    Network {
        /// What was tried.
        action: String,
        /// The system's error.
        error: io::Error,
    },
    /// The engine has ended or closed the connection.
    #[error("expected {expected} from the engine `{name}`, but it {how}{}", last_words(.last))]
    Ended {
        /// The engine.
        name: Name,
        /// What was expected.
        expected: String,
        /// How it ended.
        how: String,
        /// The last line that it wrote.
        last: Option<String>,
    },
    /// The engine did not answer in time.
    #[error(
        "expected {expected} from the engine `{name}`, but it has not answered for {millis} ms{}; an engine \
         must flush its output after every line",
        last_words(.last)
    )]
    Silent {
        /// The engine.
        name: Name,
        /// What was expected.
        expected: String,
        /// How long it was waited for.
        millis: u128,
        /// The last line that it wrote.
        last: Option<String>,
    },
    /// The engine reports an error.
    #[error("the engine `{name}` reports an error: {message}")]
    Reported {
        /// The engine.
        name: Name,
        /// Its message.
        message: String,
    },
    /// An answer that is none by the protocol.
    #[error("expected {expected} from the engine `{name}`, got {got:?}")]
    Unexpected {
        /// The engine.
        name: Name,
        /// What was expected.
        expected: String,
        /// The line.
        got: String,
    },
    /// An option that the engine does not have.
    #[error("the engine `{name}` has no option {option:?}; {}", listed(.known))]
    NoOption {
        /// The engine.
        name: Name,
        /// The option.
        option: String,
        /// The options that it has.
        known: Vec<String>,
    },
    /// An engine for another board.
    #[error(
        "the engine `{name}` plays the variants {variants}, and not `english`: the game is English draughts \
         on 32 squares. If one of them is this game under another name, add --option variant=NAME"
    )]
    Variant {
        /// The engine.
        name: Name,
        /// The variants that it plays.
        variants: String,
    },
    /// The other side of a DXP connection does not want to play.
    #[error("{0}")]
    Refused(String),
}

fn last_words(last: &Option<String>) -> String {
    match last {
        Some(line) => format!("; its last line was {line:?}"),
        None => "; it has not written a line".into(),
    }
}

fn listed(known: &[String]) -> String {
    match known {
        [] => "it declares none".into(),
        _ => format!("its options are {}", known.join(", ")),
    }
}

/// ENOEXEC.
const NO_PROGRAM: i32 = 8;

/// EPERM: the system call is refused, as the sandbox does.
const REFUSED: i32 = 1;

/// What can be done comes first where the rest may be long: an excerpt of it is printed with the fault.
fn start_words(name: &Name, error: &io::Error) -> String {
    let word = name.0.split(' ').next().unwrap_or_default();
    let hint = match error.raw_os_error() {
        Some(REFUSED) => {
            return format!(
                "the sandbox of this host allows a bot one process, and an engine is a second one: use \
                 --sandbox none for an engine that you trust, or see `botyard sandbox`. The engine is `{name}`"
            );
        }
        Some(NO_PROGRAM) => {
            ". It is neither a program for this machine nor a script with a #! line: write its interpreter \
             before it"
                .into()
        }
        _ if error.kind() == io::ErrorKind::NotFound => format!(
            ". Write the path of the program ({}), or a program in PATH; a contained bot sees only the \
             files that its command names, with their directories",
            if word.contains('/') { word.to_string() } else { format!("./{word}") }
        ),
        _ if error.kind() == io::ErrorKind::PermissionDenied => format!(
            ". Is it a program? Try `chmod +x {word}`, or write its interpreter before it; a contained \
             bot runs only files that its command names, and those of the system"
        ),
        _ => String::new(),
    };
    format!("the engine `{name}` cannot be started: {error}{hint}")
}

fn network_hint(error: &io::Error) -> &'static str {
    match error.raw_os_error() {
        Some(REFUSED) => {
            ". The sandbox has no network, and DXP needs one: use --sandbox none for bots that you trust"
        }
        _ if error.kind() == io::ErrorKind::ConnectionRefused => {
            ". Is the engine waiting for a connection on that port?"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_that_no_message_can_contain_are_no_bounds() {
        let most = 1 << 53;
        let spec =
            |min, max, default| Some(OptionSpec::Int { min, max, default, about: String::new() });
        for (default, min, max, expected) in [
            ("16", Some("1"), Some("1024"), spec(1, 1024, 16)),
            ("0", None, None, spec(-most, most, 0)),
            ("7", Some("0"), Some("18446744073709551615"), spec(0, most, 7)),
            ("0", Some("-9223372036854775808"), Some("9223372036854775807"), spec(-most, most, 0)),
            ("0", Some("low"), Some(""), spec(-most, most, 0)),
            ("9007199254740992", None, None, spec(-most, most, most)),
            ("9007199254740993", None, None, None),
            ("18446744073709551615", Some("0"), None, None),
            ("9", Some("1"), Some("8"), None),
            ("none", None, None, None),
        ] {
            assert_eq!(integer_option(default, min, max), expected, "{default} {min:?} {max:?}");
        }
    }

    #[test]
    fn an_engine_that_cannot_be_started_says_what_to_do() {
        for (code, expected) in [
            (1, "use --sandbox none for an engine that you trust"),
            (2, "Write the path of the program (./engine)"),
            (8, "write its interpreter before it"),
            (13, "Try `chmod +x engine`"),
        ] {
            let error = io::Error::from_raw_os_error(code);
            let error = EngineError::Start { name: Name("engine --fast".into()), error };
            assert!(error.to_string().contains(expected), "{error}");
        }
        let error = EngineError::Network {
            action: "connecting".into(),
            error: io::Error::from_raw_os_error(1),
        };
        assert!(error.to_string().contains("The sandbox has no network"), "{error}");
    }
}
