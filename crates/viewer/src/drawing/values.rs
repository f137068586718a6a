//! The values of attributes that a drawing may have. Each is parsed and written as parsed, so that nothing
//! passes that was not understood: no reference, no style, no script.

use serde_json::Value;

/// The largest absolute value of a number.
const LARGEST: f64 = 1e6;

/// The longest label or action, in bytes.
const LONGEST: usize = 4096;

/// What kind of value an attribute has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// One number or several, each perhaps with `px` or `%`.
    Numbers,
    /// Path data.
    Path,
    /// Transformations: `translate(1 2) rotate(30)`.
    Transform,
    /// A colour.
    Colour,
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words, or a number.
    WordOrNumber(&'static [&'static str]),
    /// Names of font families.
    Families,
    /// An action as JSON.
    Action,
    /// A text for people.
    Label,
}

impl Kind {
    /// Reads a value and returns it as it is written; `None` if it is not one of this kind.
    pub(super) fn read(self, value: &str) -> Option<String> {
        let value = value.trim();
        match self {
            Kind::Numbers => numbers(value),
            Kind::Path => path(value),
            Kind::Transform => transform(value),
            Kind::Colour => colour(value),
            Kind::Word(words) => words.contains(&value).then(|| value.to_string()),
            Kind::WordOrNumber(words) => Kind::Word(words).read(value).or_else(|| numbers(value)),
            Kind::Families => families(value),
            Kind::Action => action(value),
            Kind::Label => (!value.is_empty() && value.len() <= LONGEST).then(|| value.to_string()),
        }
    }
}

/// Reads the number at the beginning of a text; returns it and the rest.
fn number(text: &str) -> Option<(f64, &str)> {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(sign);
    let mut end = sign + whole;
    let mut part = 0;
    if bytes.get(end) == Some(&b'.') {
        part = digits(end + 1);
        end += 1 + part;
    }
    if whole + part == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    let (number, rest) = text.split_at(end);
    let value: f64 = number.parse().ok()?;
    (value.abs() <= LARGEST).then_some((value, rest))
}

/// Writes a number with at most four decimals.
pub(super) fn written(value: f64) -> String {
    // Minus zero would be written as -0.
    (((value * 1e4).round() / 1e4) + 0.0).to_string()
}

fn after_separator(text: &str) -> &str {
    let text = text.trim_start();
    text.strip_prefix(',').unwrap_or(text).trim_start()
}

fn numbers(text: &str) -> Option<String> {
    let mut all = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (value, after) = number(rest)?;
        let (unit, after) = match after {
            _ if after.starts_with('%') => ("%", &after[1..]),
            _ => ("", after.strip_prefix("px").unwrap_or(after)),
        };
        all.push(written(value) + unit);
        rest = after_separator(after);
    }
    (!all.is_empty()).then(|| all.join(" "))
}

/// The plain numbers of a text, such as a `viewBox`.
pub(super) fn plain_numbers(text: &str) -> Option<Vec<f64>> {
    let mut all = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (value, after) = number(rest)?;
        all.push(value);
        rest = after_separator(after);
    }
    Some(all)
}

/// Path data are passed as they are, as the flags of arcs can be written without a space; but they have
/// commands and numbers only.
fn path(text: &str) -> Option<String> {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        rest = match first {
            'M' | 'm' | 'L' | 'l' | 'H' | 'h' | 'V' | 'v' | 'C' | 'c' | 'S' | 's' | 'Q' | 'q'
            | 'T' | 't' | 'A' | 'a' | 'Z' | 'z' | ',' | ' ' | '\n' | '\r' | '\t' => &rest[1..],
            _ => number(rest)?.1,
        };
    }
    let words = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    words.starts_with(['M', 'm']).then_some(words)
}

fn transform(text: &str) -> Option<String> {
    let mut all = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, after) = rest.split_once('(')?;
        let (inner, after) = after.split_once(')')?;
        let name = name.trim();
        let numbers = plain_numbers(inner)?;
        let fits = match name {
            "translate" | "scale" => (1..=2).contains(&numbers.len()),
            "rotate" => matches!(numbers.len(), 1 | 3),
            "skewX" | "skewY" => numbers.len() == 1,
            "matrix" => numbers.len() == 6,
            _ => false,
        };
        if !fits {
            return None;
        }
        let numbers: Vec<String> = numbers.into_iter().map(written).collect();
        all.push(format!("{name}({})", numbers.join(" ")));
        rest = after_separator(after);
    }
    (!all.is_empty()).then(|| all.join(" "))
}

fn colour(text: &str) -> Option<String> {
    if text == "currentColor" {
        return Some(text.to_string());
    }
    let text = text.to_ascii_lowercase();
    if let Some(digits) = text.strip_prefix('#') {
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return (is_hex && matches!(digits.len(), 3 | 6)).then_some(text);
    }
    if let Some(parts) = text.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')')) {
        let parts = numbers(parts.trim())?;
        let parts: Vec<&str> = parts.split(' ').collect();
        return (parts.len() == 3).then(|| format!("rgb({})", parts.join(", ")));
    }
    let is_name =
        (3..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase());
    is_name.then_some(text)
}

fn families(text: &str) -> Option<String> {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || " ,-_'\"".contains(character);
    (text.len() <= 200 && !text.is_empty() && text.chars().all(is_plain)).then(|| text.to_string())
}

fn action(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let action: Value = serde_json::from_str(text).ok()?;
    let mut json = String::new();
    for character in action.to_string().chars() {
        // Only strings have others, and characters that act unseen among them.
        match character.is_ascii() {
            true => json.push(character),
            false => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    json.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    Some(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_anew_or_refused() {
        for (kind, value, expected) in [
            (Kind::Numbers, " 1.50px ", Some("1.5")),
            // A number may follow another without a separator.
            (Kind::Numbers, "1,2 3-4.00001", Some("1 2 3 -4")),
            (Kind::Numbers, "1 , 2e1 .5% -0", Some("1 20 0.5% 0")),
            (Kind::Numbers, "1e7", None),
            (Kind::Numbers, "1e999", None),
            (Kind::Numbers, "NaN", None),
            (Kind::Numbers, "inf", None),
            (Kind::Numbers, "", None),
            (Kind::Numbers, "calc(1px)", None),
            (Kind::Numbers, "5em", None),
            (Kind::Path, "M0,0l1-1.5\n a1 1 0 0110 10z", Some("M0,0l1-1.5 a1 1 0 0110 10z")),
            (Kind::Path, "L1 1", None),
            (Kind::Path, "M1 1 url(#a)", None),
            (Kind::Path, "M1e99 1", None),
            (Kind::Transform, "translate(1,2)rotate( 30 )", Some("translate(1 2) rotate(30)")),
            (Kind::Transform, "matrix(1 0 0 1 5 5)", Some("matrix(1 0 0 1 5 5)")),
            (Kind::Transform, "rotate(1 2)", None),
            (Kind::Transform, "perspective(1)", None),
            (Kind::Transform, "translate(1", None),
            (Kind::Colour, "Red", Some("red")),
            (Kind::Colour, "#FFF", Some("#fff")),
            (Kind::Colour, "#a1b2c3", Some("#a1b2c3")),
            (Kind::Colour, "rgb(1,2, 3)", Some("rgb(1, 2, 3)")),
            (Kind::Colour, "rgb(1% 2% 3%)", Some("rgb(1%, 2%, 3%)")),
            (Kind::Colour, "currentColor", Some("currentColor")),
            (Kind::Colour, "none", Some("none")),
            (Kind::Colour, "url(#a)", None),
            (Kind::Colour, "url(https://example.org/a)", None),
            (Kind::Colour, "var(--paper)", None),
            (Kind::Colour, "#12345", None),
            (Kind::Colour, "rgb(1,2)", None),
            (Kind::Colour, "red;background:url(x)", None),
            (Kind::Word(&["start", "end"]), "end", Some("end")),
            (Kind::Word(&["start", "end"]), "END", None),
            (Kind::WordOrNumber(&["bold"]), "700", Some("700")),
            (Kind::WordOrNumber(&["bold"]), "bold", Some("bold")),
            (Kind::Families, "'DejaVu Sans', serif", Some("'DejaVu Sans', serif")),
            (Kind::Families, "url(https://example.org/font)", None),
            (Kind::Families, "a;src:b", None),
            (Kind::Action, " {\"to\": [1, 2]} ", Some("{\"to\":[1,2]}")),
            (Kind::Action, "\"<script>\"", Some("\"<script>\"")),
            (Kind::Action, "\"\u{202e}\u{1f3b2}\"", Some("\"\\u202e\\ud83c\\udfb2\"")),
            (Kind::Action, "pass", None),
            (Kind::Label, "  ", None),
        ] {
            assert_eq!(kind.read(value).as_deref(), expected, "{kind:?} {value:?}");
        }
    }
}
