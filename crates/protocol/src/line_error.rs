//! Why a line is no message: one variant a reason, each saying what was expected, what came and at
//! which byte. The words are for the author of the bot that sent the line.

/// Why a line was refused.
///
/// `byte` is the position in the line where the trouble was seen, counted from 1; where it is the
/// JSON reader that saw it, give or take a byte.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Nothing, or nothing but white space.
    #[error("expected a JSON object, got an empty line; print exactly one line per message")]
    Empty,
    /// The line begins with the byte order mark U+FEFF.
    #[error(
        "expected a JSON object, got a byte order mark (EF BB BF) at byte 1; \
         write UTF-8 without a BOM"
    )]
    ByteOrderMark,
    /// Bytes that are not UTF-8.
    #[error("expected UTF-8, got the byte 0x{found:02X} at byte {byte}")]
    NotUtf8 {
        /// The first byte that does not belong.
        found: u8,
        /// Where it stands.
        byte: usize,
    },
    /// A NUL byte.
    #[error("expected JSON, got a NUL byte at byte {byte}")]
    Nul {
        /// Where it stands.
        byte: usize,
    },
    /// Not JSON, or something after the object.
    #[error("expected one JSON object, got something else at byte {byte}: {reason}")]
    NotJson {
        /// What the JSON reader says.
        reason: String,
        /// Where it stands.
        byte: usize,
    },
    /// JSON, but no object.
    #[error("expected a JSON object with a \"type\", got {found}")]
    NotAnObject {
        /// What came: `an array`, ...
        found: &'static str,
    },
    /// Arrays and objects nested too deeply.
    #[error("expected arrays and objects nested at most {limit} deep, got more at byte {byte}")]
    TooDeep {
        /// How deep they may nest, the message itself counted.
        limit: u32,
        /// Where the first one too many begins, or just after.
        byte: usize,
    },
    /// The same key twice in one object.
    #[error("expected each key once in an object, got \"{key}\" again at byte {byte}")]
    DuplicateKey {
        /// The key, unescaped and shortened.
        key: String,
        /// Where it ends.
        byte: usize,
    },
    /// A key that JSON readers in Rust keep for themselves.
    #[error(
        "expected keys of the game's, got the reserved key \"{key}\" at byte {byte}; rename it"
    )]
    ReservedKey {
        /// The key.
        key: &'static str,
        /// Where it ends.
        byte: usize,
    },
    /// A number that a double cannot hold exactly (integers) or at all.
    #[error(
        "expected numbers that fit a 53-bit integer or a finite double, \
         got one that does not at byte {byte}: {found}"
    )]
    NumberTooLarge {
        /// The number, shortened.
        found: String,
        /// Where it stands.
        byte: usize,
    },
    /// No `type`.
    #[error("expected a \"type\" ({expected}), got an object without one")]
    MissingType {
        /// The types there are.
        expected: &'static str,
    },
    /// A `type` that there is not.
    #[error("expected a \"type\" ({expected}), got {found}")]
    UnknownType {
        /// The types there are.
        expected: &'static str,
        /// What came, as JSON, shortened.
        found: String,
    },
    /// A field that the message must have.
    #[error("expected \"{field}\" ({expected}) in a \"{message}\" message, got none")]
    MissingField {
        /// The type of the message.
        message: &'static str,
        /// The field.
        field: &'static str,
        /// What it holds.
        expected: &'static str,
    },
    /// A field of the wrong type.
    #[error(
        "expected {expected} as \"{field}\" of a \"{message}\" message, got {found} at byte {byte}"
    )]
    WrongField {
        /// The type of the message.
        message: &'static str,
        /// The field.
        field: &'static str,
        /// What it should hold.
        expected: &'static str,
        /// What came, as JSON, shortened.
        found: String,
        /// Where it stands.
        byte: usize,
    },
    /// A message of many fields that does not fit its form.
    #[error(
        "expected a \"{message}\" message as the protocol describes it, \
         got one that is wrong at byte {byte}: {reason}"
    )]
    Malformed {
        /// The type of the message.
        message: &'static str,
        /// What the JSON reader says.
        reason: String,
        /// Where it stands.
        byte: usize,
    },
}

impl LineError {
    /// The reason in a word, as test data and statistics name it: `duplicate_key`, ...
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

    /// Where in the line the trouble was seen, counted from 1; `None` where the whole line is it.
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
