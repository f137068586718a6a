//! The errors of a line: one variant per cause, each with what was expected, what came and at which
//! byte. The messages are for the author of the bot that sent the line.

/// The error of a rejected line.
///
/// `byte` is the position of the error in the line, from 1. Where the JSON parser found the error,
/// it may be off by one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Nothing, or only white space.
    #[error("expected a JSON object, got an empty line; print exactly one line per message")]
    Empty,
    /// The line starts with the byte order mark U+FEFF.
    #[error(
        "expected a JSON object, got a byte order mark (EF BB BF) at byte 1; \
         write UTF-8 without a BOM"
    )]
    ByteOrderMark,
    /// Bytes that are not UTF-8.
    #[error("expected UTF-8, got the byte 0x{found:02X} at byte {byte}")]
    NotUtf8 {
        /// The first invalid byte.
        found: u8,
        /// Its position.
        byte: usize,
    },
    /// A NUL byte.
    #[error("expected JSON, got a NUL byte at byte {byte}")]
    Nul {
        /// Its position.
        byte: usize,
    },
    /// Not JSON, or text after the object.
    #[error("this is not JSON (byte {byte}): {reason}")]
    NotJson {
        /// The reason, in words about the JSON.
        reason: String,
        /// Its position.
        byte: usize,
    },
    /// JSON, but not an object.
    #[error("expected a JSON object with a \"type\", got {found}")]
    NotAnObject {
        /// The kind of value that came: `an array`, ...
        found: &'static str,
    },
    /// Arrays and objects nested too deeply.
    #[error("expected arrays and objects nested at most {limit} deep, got more at byte {byte}")]
    TooDeep {
        /// The maximum nesting depth, including the message itself.
        limit: u32,
        /// The position at or just after the first value nested too deeply.
        byte: usize,
    },
    /// The same key twice in one object.
    #[error("expected each key once in an object, got \"{key}\" again at byte {byte}")]
    DuplicateKey {
        /// The key, unescaped and shortened.
        key: String,
        /// The position of its end.
        byte: usize,
    },
    /// A key reserved by the JSON parser.
    #[error("\"{key}\" is a reserved key (byte {byte}); rename it")]
    ReservedKey {
        /// The key.
        key: &'static str,
        /// The position of its end.
        byte: usize,
    },
    /// An integer that a double cannot hold exactly, or a number that is not a finite double.
    #[error(
        "expected 53-bit integers and finite doubles, \
         got {found} at byte {byte}"
    )]
    NumberTooLarge {
        /// The number, shortened.
        found: String,
        /// Its position.
        byte: usize,
    },
    /// No `type`.
    #[error("expected a \"type\" ({expected}), but it is missing")]
    MissingType {
        /// The known types.
        expected: &'static str,
    },
    /// An unknown `type`.
    #[error("expected a \"type\" ({expected}), got {found}")]
    UnknownType {
        /// The known types.
        expected: &'static str,
        /// The value, as JSON, shortened.
        found: String,
    },
    /// A missing field.
    #[error("expected \"{field}\" ({expected}) in a \"{message}\" message, but it is missing")]
    MissingField {
        /// The type of the message.
        message: &'static str,
        /// The field.
        field: &'static str,
        /// The value expected.
        expected: &'static str,
    },
    /// A field of the wrong type.
    #[error("\"{field}\" in a \"{message}\" message must be {expected}, not {found} (byte {byte})")]
    WrongField {
        /// The type of the message.
        message: &'static str,
        /// The field.
        field: &'static str,
        /// The value expected.
        expected: &'static str,
        /// The value that came, as JSON, shortened.
        found: String,
        /// Its position.
        byte: usize,
    },
    /// A `hello` or a message of the referee with a wrong field.
    #[error("wrong \"{message}\" message (byte {byte}): {reason}")]
    Malformed {
        /// The type of the message.
        message: &'static str,
        /// The reason, in words about the JSON.
        reason: String,
        /// Its position.
        byte: usize,
    },
}

impl LineError {
    /// Returns the name of the error, as in test data and statistics: `duplicate_key`, ...
    pub const fn name(&self) -> &'static str {
        match self {
            LineError::Empty => "empty",
            LineError::ByteOrderMark => "byte_order_mark",
            LineError::NotUtf8 { .. } => "not_utf8",
            LineError::Nul { .. } => "nul",
            LineError::NotJson { .. } => "not_json",
            LineError::NotAnObject { .. } => "not_an_object",
            LineError::TooDeep { .. } => "too_deep",
            LineError::DuplicateKey { .. } => "duplicate_key",
            LineError::ReservedKey { .. } => "reserved_key",
            LineError::NumberTooLarge { .. } => "number_too_large",
            LineError::MissingType { .. } => "missing_type",
            LineError::UnknownType { .. } => "unknown_type",
            LineError::MissingField { .. } => "missing_field",
            LineError::WrongField { .. } => "wrong_field",
            LineError::Malformed { .. } => "malformed",
        }
    }

    /// Returns the byte of the error, from 1; `None` if it concerns the whole line.
    pub const fn byte(&self) -> Option<usize> {
        match self {
            LineError::Empty
            | LineError::NotAnObject { .. }
            | LineError::MissingType { .. }
            | LineError::UnknownType { .. }
            | LineError::MissingField { .. } => None,
            LineError::ByteOrderMark => Some(1),
            LineError::NotUtf8 { byte, .. }
            | LineError::Nul { byte }
            | LineError::NotJson { byte, .. }
            | LineError::TooDeep { byte, .. }
            | LineError::DuplicateKey { byte, .. }
            | LineError::ReservedKey { byte, .. }
            | LineError::NumberTooLarge { byte, .. }
            | LineError::WrongField { byte, .. }
            | LineError::Malformed { byte, .. } => Some(*byte),
        }
    }
}
