//! Escaping of text from bots for display: names, log lines and offending lines may contain
//! terminal escapes, line breaks and bidirectional control characters. This module makes them
//! visible. Escaping for HTML or CSV is left to the code that writes those formats.

/// Returns `text` with characters that move a cursor, break a line, change direction or are
/// invisible written as escapes (`\n`, `\t`, `\u{1b}`), in at most `max` characters; a truncated
/// text ends with `...` within them.
///
/// A backslash is not escaped: the result is for people, not for parsers.
///
/// ```
/// use botyard_protocol::printable;
///
/// assert_eq!(printable("\u{1b}[2Jgone\n", 40), r"\u{1b}[2Jgone\n");
/// assert_eq!(printable("a very long name", 10), "a very ...");
/// ```
pub fn printable(text: &str, max: usize) -> String {
    let mut shown = Shown::default();
    // The cut if the whole does not fit: the last boundary that leaves room for the dots.
    let mut cut = 0;
    for character in text.chars() {
        shown.push(character);
        if shown.characters > max {
            shown.text.truncate(cut);
            shown.text.push_str(&"..."[..max.min(3)]);
            break;
        }
        if shown.characters + 3 <= max {
            cut = shown.text.len();
        }
    }
    shown.text
}

/// Returns a line of a bot as evidence: at most `max` characters of it as in [`printable`], then
/// `... (N bytes)` if truncated. Bytes that are not UTF-8 are shown as `\xFF`.
///
/// ```
/// use botyard_protocol::excerpt;
///
/// assert_eq!(excerpt(b"{\"type\":\"r\xFF\"}", 40), r#"{"type":"r\xFF"}"#);
/// assert_eq!(excerpt(&[b'['; 40_000], 5), "[[[[[... (40000 bytes)");
/// ```
pub fn excerpt(line: &[u8], max: usize) -> String {
    let mut shown = Shown::default();
    for chunk in line.utf8_chunks() {
        let valid = chunk.valid().chars().map(Ok);
        for piece in valid.chain(chunk.invalid().iter().map(Err)) {
            let before = shown.text.len();
            match piece {
                Ok(character) => shown.push(character),
                Err(byte) => shown.escape(&format!("\\x{byte:02X}")),
            }
            if shown.characters > max {
                shown.text.truncate(before);
                return format!("{}... ({} bytes)", shown.text, line.len());
            }
        }
    }
    shown.text
}

/// Escaped text and its length in characters.
#[derive(Default)]
struct Shown {
    text: String,
    characters: usize,
}

impl Shown {
    fn push(&mut self, character: char) {
        match character {
            '\n' => self.escape("\\n"),
            '\r' => self.escape("\\r"),
            '\t' => self.escape("\\t"),
            '\0' => self.escape("\\0"),
            hidden if acts_unseen(hidden) => self.escape(&hidden.escape_unicode().to_string()),
            visible => {
                self.text.push(visible);
                self.characters += 1;
            }
        }
    }

    fn escape(&mut self, ascii: &str) {
        self.text.push_str(ascii);
        self.characters += ascii.len();
    }
}

/// Returns whether a character has an effect on a terminal or a page other than being displayed.
fn acts_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // Soft hyphen, Arabic letter mark, Mongolian vowel separator.
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            // Zero width characters and direction marks; line and paragraph separator and the
            // bidirectional embeddings and overrides; invisible operators and isolates.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            // Byte order mark, interlinear annotations, tags.
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
