//! JSON for people to read, with the middle left out: `[1,2,... 57 more]`. The result is one line, and
//! no JSON.

/// How many elements of an array, and members of an object in another value, are kept from the first
/// attempt to the last. All members of the outermost object are kept.
const KEPT: [[usize; 2]; 7] = [[8, 64], [4, 32], [2, 16], [1, 8], [0, 4], [0, 2], [0, 0]];

/// How many characters of a string are kept.
const STRING: usize = 60;

/// How deep values are nested at most.
const DEEPEST: usize = 64;

/// Shortens a text of JSON to `characters`, if leaving elements out is enough. `None` if it is not, or if
/// the text is no JSON.
pub(crate) fn short_json(text: &str, characters: usize) -> Option<String> {
    let attempts = KEPT.into_iter().map(|[elements, members]| {
        let mut copy = Copy { rest: text.trim(), out: String::new(), elements, members };
        copy.value(0, true)?;
        copy.rest.is_empty().then_some(copy.out)
    });
    attempts.map_while(|short| short).find(|short| short.chars().count() <= characters)
}

/// A copy of a value.
struct Copy<'a> {
    rest: &'a str,
    out: String,
    elements: usize,
    members: usize,
}

impl Copy<'_> {
    /// Moves over a value, and copies it if it `is_kept`.
    fn value(&mut self, depth: usize, is_kept: bool) -> Option<()> {
        match self.rest.as_bytes().first()? {
            b'[' if depth < DEEPEST => self.list(']', depth, is_kept, self.elements),
            b'{' if depth < DEEPEST => {
                let kept = if depth == 0 { usize::MAX } else { self.members };
                self.list('}', depth, is_kept, kept)
            }
            b'[' | b'{' => None,
            b'"' => self.string(is_kept),
            _ => {
                let end = self.rest.find([',', ']', '}', ':']).unwrap_or(self.rest.len());
                if end == 0 {
                    return None;
                }
                self.pass(end, is_kept);
                Some(())
            }
        }
    }

    /// Moves over an array or an object, and copies `kept` of its elements.
    fn list(&mut self, end: char, depth: usize, is_kept: bool, kept: usize) -> Option<()> {
        self.pass(1, is_kept);
        self.blanks(is_kept);
        let mut number = 0;
        while !self.rest.starts_with(end) {
            let is_shown = is_kept && number < kept;
            if number > 0 {
                self.rest.starts_with(',').then(|| self.pass(1, is_shown))?;
                self.blanks(is_shown);
            }
            if end == '}' {
                self.rest.starts_with('"').then(|| self.string(is_shown))??;
                self.blanks(is_shown);
                self.rest.starts_with(':').then(|| self.pass(1, is_shown))?;
                self.blanks(is_shown);
            }
            self.value(depth + 1, is_shown)?;
            self.blanks(is_shown);
            number += 1;
        }
        if is_kept && number > kept {
            let comma = if kept > 0 { "," } else { "" };
            self.out.push_str(&format!("{comma}... {} more", number - kept));
        }
        self.pass(1, is_kept);
        Some(())
    }

    /// Moves over a string, and copies its beginning.
    fn string(&mut self, is_kept: bool) -> Option<()> {
        let mut is_escaped = false;
        let mut inside = self.rest.char_indices().skip(1);
        let (last, _) = inside.find(|&(_, character)| {
            let is_end = character == '"' && !is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            is_end
        })?;
        let long = self.rest[..last].char_indices().nth(STRING + 1);
        match long.filter(|_| is_kept) {
            Some((cut, _)) => {
                self.out.push_str(&self.rest[..cut]);
                self.out.push_str("...\"");
                self.pass(last + 1, false);
            }
            None => self.pass(last + 1, is_kept),
        }
        Some(())
    }

    /// Moves over blanks.
    fn blanks(&mut self, is_kept: bool) {
        let blanks = self.rest.len() - self.rest.trim_start().len();
        self.pass(blanks, is_kept);
    }

    /// Moves over a number of bytes.
    fn pass(&mut self, bytes: usize, is_kept: bool) {
        let (passed, rest) = self.rest.split_at(bytes);
        if is_kept {
            self.out.push_str(passed);
        }
        self.rest = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted() {
        let numbers = format!("[{}0]", "0,".repeat(99));
        let pairs = format!("{{\"a\":[{}[1, 2]],\"b\": true}}", "[1, 2], ".repeat(30));
        let string = format!("{{\"a\":\"{}\"}}", "\u{e4}\\\"".repeat(90));
        let members: Vec<String> = (0..99).map(|key| format!("\"{key:03}\":[{key}]")).collect();
        let members = format!("{{\"o\":{{{}}}}}", members.join(","));
        for (text, characters, expected) in [
            ("{\"a\": [1, [2], {\"b\": null}]}", 99, Some("{\"a\": [1, [2], {\"b\": null}]}")),
            (&*numbers, 40, Some("[0,0,0,0,0,0,0,0,... 92 more]")),
            (&numbers, 20, Some("[0,0,... 98 more]")),
            (&numbers, 5, None),
            (&pairs, 50, Some("{\"a\":[[1, 2], [1, 2],... 29 more],\"b\": true}")),
            (&pairs, 30, Some("{\"a\":[... 31 more],\"b\": true}")),
            (
                &members,
                150,
                Some(&*{
                    let eight: Vec<String> =
                        (0..8).map(|key| format!("\"{key:03}\":[{key}]")).collect();
                    format!("{{\"o\":{{{},... 91 more}}}}", eight.join(","))
                }),
            ),
            ("[1,2", 99, None),
            ("[1 2]]", 99, None),
            ("{\"a\" 1}", 99, None),
            ("{1:2}", 99, None),
            ("[,]", 99, None),
            ("\"open", 99, None),
            ("", 99, None),
        ] {
            assert_eq!(short_json(text, characters).as_deref(), expected, "{text}");
        }
        let short = short_json(&string, 100).unwrap();
        assert!(short.ends_with("...\"}") && short.chars().count() < 75, "{short}");
        assert_eq!(short_json(&"[".repeat(10_000), 100), None, "deep nesting ends");
    }
}
