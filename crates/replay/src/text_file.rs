//! Text files as editors, spreadsheets and shells write them: UTF-8 or UTF-16, with or without a byte order mark, lines
//! that end in LF, CRLF or CR. What a reader gets is the same text in all of these forms, with LF.
//!
//! A file of JSON or TOML must be Unicode ([`decode`]). What people wrote in older programs is in Windows-1252 too
//! ([`guess`]). Files that are often compressed are passed through [`decompress`] first.

use crate::archive::{Decompressed, MAGIC};
use encoding_rs::WINDOWS_1252;
use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The byte that ends a text file of DOS.
const DOS_END: char = '\u{1a}';

/// Why a file is not text, with the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotText {
    /// A byte that is not UTF-8.
    #[error("line {line}, column {column}: expected UTF-8, got the byte 0x{byte:02X}{}: save the file as UTF-8", letter(*.byte))]
    Byte {
        /// The line.
        line: usize,
        /// The column, in characters.
        column: usize,
        /// The byte.
        byte: u8,
    },
    /// Half of a character in UTF-16.
    #[error(
        "line {line}, column {column}: expected UTF-16, got half a character: save the file as UTF-8"
    )]
    HalfCharacter {
        /// The line.
        line: usize,
        /// The column, in characters.
        column: usize,
    },
}

impl From<NotText> for io::Error {
    fn from(error: NotText) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

/// Returns the text of a file that is UTF-8 or UTF-16, without byte order mark and with lines that end in LF.
///
/// ```
/// use botyard_replay::text_file::decode;
///
/// assert_eq!(decode(b"\xef\xbb\xbf{}\r\n".to_vec()).unwrap(), "{}\n");
/// assert_eq!(decode(b"\xff\xfe{\0}\0".to_vec()).unwrap(), "{}");
/// let error = decode(b"{\n\"name\": \"M\xfcller\"}".to_vec()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 11: expected UTF-8, got the byte 0xFC (\u{fc} in Windows-1252): save the file as UTF-8"
/// );
/// ```
///
/// # Errors
///
/// The first byte that belongs to no character.
pub fn decode(bytes: Vec<u8>) -> Result<String, NotText> {
    if let Some(text) = utf_16(&bytes) {
        return Ok(plain(&text?).into_owned());
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let end = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let (line, column) = end_of(std::str::from_utf8(&bytes[..end]).unwrap_or_default());
        NotText::Byte { line, column, byte: bytes[end] }
    })?;
    Ok(plain(&text).into_owned())
}

/// Reads a file of JSON or TOML: see [`decode`].
///
/// # Errors
///
/// Those of the system, or the first byte that belongs to no character.
pub fn read(path: &Path) -> io::Result<String> {
    Ok(decode(fs::read(path)?)?)
}

/// Returns the text of a file in any encoding: where it is not Unicode, it is read as Windows-1252. Of a file in another
/// encoding, letters beyond ASCII are wrong.
///
/// ```
/// use botyard_replay::text_file::guess;
///
/// assert_eq!(guess(b"[Black \"M\xfcller\"]\r\n"), "[Black \"M\u{fc}ller\"]\n");
/// ```
pub fn guess(bytes: &[u8]) -> String {
    let text = match utf_16(bytes) {
        Some(Ok(text)) => text,
        Some(Err(_)) | None => {
            // Files that were joined have several encodings.
            let mut text = String::with_capacity(bytes.len());
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
            }
            text
        }
    };
    plain(&text).into_owned()
}

/// Returns the content of a file, decompressed if it begins like a gzip file.
///
/// # Errors
///
/// The compressed file is damaged or cut off, or the content has more than `limit` bytes.
pub fn decompress(bytes: Vec<u8>, limit: u64) -> io::Result<Vec<u8>> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(bytes);
    }
    let mut content = Vec::new();
    Decompressed::new(&bytes[..], limit).read_to_end(&mut content)?;
    Ok(content)
}

/// Returns the text of a file in UTF-16, which a byte order mark says, or zeros in every other byte.
pub(crate) fn utf_16(bytes: &[u8]) -> Option<Result<String, NotText>> {
    let (unit, bytes): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, rest @ ..] => (u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => (u16::from_be_bytes, rest),
        [1..=127, 0, 1..=127, 0, ..] => (u16::from_le_bytes, bytes),
        [0, 1..=127, 0, 1..=127, ..] => (u16::from_be_bytes, bytes),
        _ => return None,
    };
    let units = bytes.chunks(2).map(|pair| pair.try_into().map_or(0xd800, unit));
    let mut text = String::with_capacity(bytes.len() / 2);
    for character in char::decode_utf16(units) {
        let Ok(character) = character else {
            let (line, column) = end_of(&text);
            return Some(Err(NotText::HalfCharacter { line, column }));
        };
        text.push(character);
    }
    Some(Ok(text))
}

/// Returns a text without what is no part of it: its byte order mark, the CR of line ends, and the end of a DOS file.
pub fn plain(text: &str) -> Cow<'_, str> {
    let text = text.strip_suffix(DOS_END).unwrap_or(text);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.contains('\r') {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(text),
    }
}

/// Returns the line and the column after a text, from 1.
fn end_of(text: &str) -> (usize, usize) {
    let text = plain(text);
    let last = text.rsplit('\n').next().unwrap_or_default();
    (1 + text.matches('\n').count(), 1 + last.chars().count())
}

/// Returns the letter that a byte is in Windows-1252, in brackets.
fn letter(byte: u8) -> Cow<'static, str> {
    match WINDOWS_1252.decode_without_bom_handling(&[byte]).0.chars().next() {
        Some(letter) if !letter.is_control() => format!(" ({letter} in Windows-1252)").into(),
        _ => "".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_testkit::mutations::encodings;

    const TEXT: &str = "[Event \"Šárka\"]\n\nMüller – 1\n";

    #[test]
    fn all_forms_of_a_text_are_the_same_text() {
        for form in encodings(TEXT) {
            let read = decode(form.bytes.clone()).unwrap();
            assert_eq!(read.trim_end(), TEXT.trim_end(), "{}", form.what);
            assert_eq!(guess(&form.bytes), read, "{}", form.what);
        }
        // Without a mark, and joined files.
        let wide: Vec<u8> = TEXT.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(wide).unwrap(), TEXT);
        assert_eq!(guess("ü".as_bytes()) + &guess(b"\xfc"), guess(b"\xc3\xbc\xfc"));
        assert_eq!((guess(b""), decode(Vec::new())), (String::new(), Ok(String::new())));
        // A form feed and other letters are not line ends.
        assert_eq!(decode(b"a\x0cb\rc".to_vec()).unwrap(), "a\u{c}b\nc");
    }

    #[test]
    fn what_is_no_character_is_reported_with_its_place() {
        for (bytes, expected) in [
            (
                &b"ab\r\nc\xe9"[..],
                "line 2, column 2: expected UTF-8, got the byte 0xE9 (é in Windows-1252)",
            ),
            (b"\xef\xbb\xbf\xc3", "line 1, column 1: expected UTF-8, got the byte 0xC3"),
            (b"\r\r\x81", "line 3, column 1: expected UTF-8, got the byte 0x81: save"),
            (b"\xff\xfea\0\n\0\0\xd8", "line 2, column 1: expected UTF-16, got half a character"),
            (b"\xff\xfea\0b", "line 1, column 2: expected UTF-16, got half a character"),
        ] {
            let error = decode(bytes.to_vec()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn compressed_files_are_read_up_to_a_limit() {
        let archive = crate::compress(TEXT.as_bytes()).unwrap();
        let limit = TEXT.len() as u64;
        assert_eq!(decompress(archive.clone(), limit).unwrap(), TEXT.as_bytes());
        assert_eq!(decompress(b"plain".to_vec(), 1).unwrap(), b"plain");
        let error = decompress(archive.clone(), limit - 1).unwrap_err().to_string();
        assert!(error.contains(&format!("more than {} bytes", limit - 1)), "{error}");
        assert!(decompress(archive[..archive.len() - 9].to_vec(), limit).is_err());
    }
}
