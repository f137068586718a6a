//! What spreadsheets do to values, and values that look alike. A number that a spreadsheet rounded cannot be restored,
//! so its cell is refused; two values that only look the same would make two people or teams of one.

use unicode_normalization::UnicodeNormalization;

/// Returns a value as it is stored: composed, with ordinary spaces.
pub(crate) fn composed(value: &str) -> String {
    let spaces =
        |c: char| if c.is_whitespace() && c != '\n' && c != '\r' && c != '\t' { ' ' } else { c };
    value.trim().nfc().map(spaces).collect()
}

/// Returns what values that look alike have in common: without case, composition, invisible characters and repeated
/// spaces.
pub(crate) fn folded(value: &str) -> String {
    let plain: String =
        value.nfkc().filter(|&c| !is_invisible(c)).flat_map(char::to_lowercase).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns an ID without the zeros before it, if it is a number.
pub(crate) fn without_zeros(id: &str) -> Option<&str> {
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| id.trim_start_matches('0'))
}

/// Returns whether a character has no width.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}')
}

/// Returns why a value cannot be what a person wrote, if so. Some names need joiners.
pub(crate) fn refused(value: &str, is_name: bool) -> Option<String> {
    if let Some(c) = value.chars().find(|c| c.is_control()) {
        return Some(format!("it has the control character U+{:04X}", u32::from(c)));
    }
    let is_joiner = |c: char| is_name && matches!(c, '\u{200c}' | '\u{200d}');
    if let Some(c) = value.chars().find(|&c| is_invisible(c) && !is_joiner(c)) {
        return Some(format!(
            "{} has the invisible character U+{:04X}: type the value again",
            value.escape_unicode_invisible(),
            u32::from(c)
        ));
    }
    if value.contains('\u{fffd}') {
        return Some(format!(
            "{value:?} has a damaged character: save the file as \u{201c}CSV UTF-8\u{201d}"
        ));
    }
    let is_error =
        ["#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!"].contains(&value);
    if is_error || value.len() > 2 && value.bytes().all(|byte| byte == b'#') {
        return Some(format!("{value} is an error of the spreadsheet: correct the cell"));
    }
    is_rounded(value).then(|| {
        format!(
            "{value} is a rounded number: format the column as text, and enter the values again"
        )
    })
}

/// Returns why an ID cannot be what a grade book has, if so.
pub(crate) fn refused_id(id: &str) -> Option<String> {
    let (whole, decimals) = id.split_once(['.', ','])?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(whole) && is_number(decimals))
        .then(|| format!("{id} is a number with decimals: format the column as text"))
}

/// Returns whether a text is a number with an exponent, as in `1.23457E+11`.
fn is_rounded(value: &str) -> bool {
    let Some((digits, exponent)) = value.split_once(['E', 'e']) else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.strip_prefix(['+', '-']);
    let (whole, decimals) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));
    whole.len() <= 2 && is_number(whole) && is_number(decimals) && exponent.is_some_and(is_number)
}

/// Shows invisible characters.
trait Shown {
    /// Returns the text with invisible characters as their numbers.
    fn escape_unicode_invisible(&self) -> String;
}

impl Shown for str {
    fn escape_unicode_invisible(&self) -> String {
        let shown = |c: char| {
            if is_invisible(c) { format!("<U+{:04X}>", u32::from(c)) } else { c.to_string() }
        };
        self.chars().map(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_numbers_errors_and_invisible_characters_are_refused() {
        for (value, expected) in [
            ("1.23457E+11", "rounded number"),
            ("1,23457E+11", "rounded number"),
            ("2E+10", "rounded number"),
            ("#N/A", "error of the spreadsheet"),
            ("########", "error of the spreadsheet"),
            ("10\u{200b}01", "invisible character U+200B"),
            ("M\u{fffd}ller", "CSV UTF-8"),
            ("a\nb", "control character U+000A"),
        ] {
            assert!(refused(value, false).is_some_and(|it| it.contains(expected)), "{value:?}");
        }
        for value in ["1001", "E12", "1e", "1.5", "E+mc", "#1", "x12E+3", "Anna", ""] {
            assert_eq!(refused(value, false), None, "{value:?}");
        }
        let joined = "نیک\u{200c}فر";
        assert!(refused(joined, true).is_none() && refused(joined, false).is_some());
        assert!(
            refused_id("1001.0").is_some()
                && refused_id("1.a").is_none()
                && refused_id("7").is_none()
        );
    }

    #[test]
    fn values_that_look_alike_fold_to_the_same() {
        for (one, other) in [
            ("Red", "red"),
            ("Zo\u{e9}", "Zoe\u{301}"),
            ("red team", "red\u{a0} team"),
            ("a\u{ad}b", "ab"),
        ] {
            assert_eq!(folded(one), folded(other));
        }
        assert_ne!(folded("red 1"), folded("red 2"));
        assert_eq!((without_zeros("00014"), without_zeros("a14")), (Some("14"), None));
        assert_eq!(composed(" Zoe\u{301}\u{a0}K "), "Zo\u{e9} K");
    }
}
