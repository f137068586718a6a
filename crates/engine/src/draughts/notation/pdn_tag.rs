//! A tag of PDN, `[Name "value"]`, as people and programs write it: with quotes inside the value,
//! typographic quotes, or a name of any characters.

use super::cursor::{is_line_end, is_space};

/// The name, the value, and the length of the text in bytes.
type Tag = (String, String, usize);

/// The number of bytes in which a value must end.
const LONGEST_VALUE: usize = 8192;

/// Parses the tag with a quoted value at the beginning of a text, within its first line. The value
/// ends at the first quote before a bracket, so it may have quotes itself.
///
/// To try every bracket of a line costs linear time: the search ends soon after the next bracket
/// that has a name and a quote.
pub(super) fn quoted_tag(text: &str) -> Option<Tag> {
    let (name, rest) = name(text)?;
    let opening = rest.chars().next()?;
    let inside = rest.strip_prefix(is_quote)?;
    let closes = |character| is_quote(character) && (opening != '"' || character == '"');
    // A path may end with a backslash before the quote. It is tried only if nothing else ends.
    let end = |escapes| value(inside, closes, escapes);
    let (value, after) = end(true).or_else(|| end(false))?;
    Some((name.to_string(), value, text.len() - after.len()))
}

/// Returns whether a name can be written in a tag.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(ends_name)
}

/// Returns whether a name cannot have a character. A quote after a backslash begins no value.
fn ends_name(character: char) -> bool {
    is_space(character)
        || character.is_control()
        || is_quote(character)
        || matches!(character, '[' | ']' | '\\')
}

/// Returns whether a character may stand between the parts of a tag.
fn is_gap(character: char) -> bool {
    is_space(character) && !is_line_end(character)
}

fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}')
}

/// Splits a text into the name after its bracket and the rest.
fn name(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('[')?.trim_start_matches(is_gap);
    let (name, rest) = inside.split_at(inside.find(ends_name)?);
    is_name(name).then(|| (name, rest.trim_start_matches(is_gap)))
}

/// Reads a value up to its closing quote and the bracket. Returns it, and what follows them.
fn value(text: &str, closes: impl Fn(char) -> bool, escapes: bool) -> Option<(String, &str)> {
    let mut value = String::new();
    let (mut has_quotes, mut has_bracket) = (false, false);
    let mut characters = text.chars();
    while value.len() < LONGEST_VALUE {
        let character = characters.next().filter(|&character| !is_line_end(character))?;
        let rest = characters.as_str();
        match character {
            _ if closes(character) => {
                if let Some(after) = rest.trim_start_matches(is_gap).strip_prefix(']') {
                    return Some((value, after));
                }
                has_quotes = true;
                value.push(character);
            }
            // Only quotes and backslashes are escaped; a path may have single backslashes.
            '\\' if escapes && rest.starts_with(['"', '\\']) => value.extend(characters.next()),
            _ => {
                has_bracket |= character == '[';
                value.push(character);
            }
        }
        // The next tag of the line, after one that is not closed.
        if has_quotes && has_bracket {
            return None;
        }
    }
    None
}
