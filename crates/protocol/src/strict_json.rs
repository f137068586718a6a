//! The checks that JSON parsers omit and the protocol needs: nesting depth, duplicate keys (also
//! those that differ only in their escapes) and numbers that would lose precision. `serde_json`
//! parses; a visitor walks every value once and stores only the keys of the enclosing objects.

use crate::line_error::LineError;
use crate::reason;
use crate::text::printable;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

/// The maximum of [`crate::Limits::nesting`]: the recursion limit of `serde_json`. A greater limit
/// counts as this one.
pub const MAX_NESTING: u32 = 127;

/// The greatest integer up to which a double represents every integer, 2^53.
pub const MAX_INTEGER: u64 = 1 << 53;

/// As the first key of an object, it makes `serde_json` parse the value (a string) as raw JSON. A
/// line must not mean one thing here and another in a replay.
const RESERVED_KEY: &str = "$serde_json::private::RawValue";

/// Validates one JSON value at offset `base` of a line, inside `inside` arrays and objects, of
/// which `limit` are allowed.
///
/// `json` must be well-formed except for the contents of strings and numbers, as a `RawValue` is.
pub(crate) fn check(json: &str, base: usize, inside: u32, limit: u32) -> Result<(), LineError> {
    if is_plain_scalar(json) {
        return Ok(());
    }
    let mut findings = Findings::default();
    let mut reader = serde_json::Deserializer::from_str(json);
    let levels = limit.saturating_sub(inside);
    let walked = Walk { levels, findings: &mut findings }.deserialize(&mut reader);
    if (walked.is_err() || findings.large_number)
        && let Some((start, number)) = first_oversized_number(json)
    {
        let found = printable(number, 40);
        return Err(LineError::NumberTooLarge { found, byte: base + start + 1 });
    }
    let Err(error) = walked else { return Ok(()) };
    let byte = base + byte_of(&error, json);
    Err(match findings.broken {
        Some(Broken::TooDeep) => LineError::TooDeep { limit, byte },
        Some(Broken::Key(KeyError::Duplicate(key))) => LineError::DuplicateKey { key, byte },
        Some(Broken::Key(KeyError::Reserved)) => LineError::ReservedKey { key: RESERVED_KEY, byte },
        None => LineError::NotJson { reason: reason::of_syntax(&error, json), byte },
    })
}

/// Returns whether a well-formed value is a scalar that needs no further check: most values are.
fn is_plain_scalar(json: &str) -> bool {
    match json.as_bytes().first() {
        Some(b'"') => !json.contains('\\'),
        Some(b'-' | b'0'..=b'9') => json.len() <= 15 && !json.contains(['e', 'E']),
        Some(b'{' | b'[') | None => false,
        Some(_) => true,
    }
}

/// Returns the byte of an error in `json`, from 1 (`serde_json` counts lines and columns).
pub(crate) fn byte_of(error: &serde_json::Error, json: &str) -> usize {
    let lines_before = error.line().saturating_sub(1);
    let before: usize = json.split_inclusive('\n').take(lines_before).map(str::len).sum();
    before + error.column()
}

/// An invalid key.
pub(crate) enum KeyError {
    /// A duplicate in its object; shortened for messages.
    Duplicate(String),
    /// It is [`RESERVED_KEY`].
    Reserved,
}

impl KeyError {
    /// Returns the error of a line with this key at `byte`.
    pub(crate) fn at(self, byte: usize) -> LineError {
        match self {
            KeyError::Duplicate(key) => LineError::DuplicateKey { key, byte },
            KeyError::Reserved => LineError::ReservedKey { key: RESERVED_KEY, byte },
        }
    }
}

/// The keys of one object so far. The first few are compared one by one; after that a hash set
/// keeps an object of thousands of keys linear.
#[derive(Default)]
pub(crate) struct Keys<'de> {
    first: SmallVec<[Cow<'de, str>; 8]>,
    others: Option<HashSet<Cow<'de, str>>>,
}

impl<'de> Keys<'de> {
    pub(crate) fn insert(&mut self, key: Cow<'de, str>) -> Result<(), KeyError> {
        if key == RESERVED_KEY {
            return Err(KeyError::Reserved);
        }
        let fresh = if self.first.contains(&key) {
            false
        } else if self.first.len() < self.first.inline_size() {
            self.first.push(key.clone());
            true
        } else {
            self.others.get_or_insert_default().insert(key.clone())
        };
        if fresh { Ok(()) } else { Err(KeyError::Duplicate(printable(&key, 40))) }
    }
}

/// A key, borrowed from the line if it has no escapes.
pub(crate) struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Cow<'de, str>, D::Error> {
        reader.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

enum Broken {
    TooDeep,
    Key(KeyError),
}

/// A finding of a walk that `serde_json`'s error cannot carry.
#[derive(Default)]
struct Findings {
    broken: Option<Broken>,
    /// A number beyond 2^53: an error if it was written as an integer.
    large_number: bool,
}

impl Findings {
    fn stop<E: Error>(&mut self, broken: Broken) -> E {
        self.broken = Some(broken);
        E::custom("refused")
    }
}

struct Walk<'f> {
    /// The number of levels of arrays and objects that may still open.
    levels: u32,
    findings: &'f mut Findings,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.findings.large_number |= number > MAX_INTEGER;
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.findings.large_number |= number.unsigned_abs() > MAX_INTEGER;
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        // An integer of 20 or more digits is parsed as a double, like 1e30, which is allowed.
        self.findings.large_number |= number.abs() > MAX_INTEGER as f64;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Some(levels) = self.levels.checked_sub(1) else {
            return Err(self.findings.stop(Broken::TooDeep));
        };
        while items.next_element_seed(Walk { levels, findings: &mut *self.findings })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let Some(levels) = self.levels.checked_sub(1) else {
            return Err(self.findings.stop(Broken::TooDeep));
        };
        let mut keys = Keys::default();
        while let Some(key) = fields.next_key_seed(Key)? {
            keys.insert(key).map_err(|error| self.findings.stop(Broken::Key(error)))?;
            fields.next_value_seed(Walk { levels, findings: &mut *self.findings })?;
        }
        Ok(())
    }
}

/// Returns the first number in well-formed JSON that is an integer beyond 2^53 or not a finite
/// double, and its offset. Called only if the walk found a number that may be one.
fn first_oversized_number(json: &str) -> Option<(usize, &str)> {
    let bytes = json.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'-' | b'0'..=b'9' => {
                let length = bytes[at..]
                    .iter()
                    .take_while(|byte| {
                        matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
                    })
                    .count();
                let number = &json[at..at + length];
                let fits = if number.contains(['.', 'e', 'E']) {
                    number.parse().is_ok_and(f64::is_finite)
                } else {
                    number.parse().is_ok_and(|value: i64| value.unsigned_abs() <= MAX_INTEGER)
                };
                if !fits {
                    return Some((at, number));
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    None
}
