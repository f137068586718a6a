//! Emil's bot: the last of the legal actions, found without any library. Build it with `rustc -O bot.rs`.

use std::io::{self, BufRead, Write};

/// The last object of the list of legal actions in a `turn`.
fn last_action(line: &str) -> Option<&str> {
    let list = &line[line.find("\"legal\":[")? + 9..];
    let (mut depth, mut begin, mut found) = (0, 0, None);
    for (index, character) in list.char_indices() {
        match character {
            '{' if depth == 0 => (begin, depth) = (index, 1),
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    found = Some(&list[begin..=index]);
                }
            }
            ']' if depth == 0 => return found,
            _ => {}
        }
    }
    None
}

/// The number after a key.
fn number<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = &line[line.find(key)? + key.len()..];
    Some(&rest[..rest.find(|character: char| !character.is_ascii_digit())?])
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.starts_with("{\"type\":\"hello\"") {
            writeln!(out, r#"{{"type":"hello","protocol":1,"name":"emil","version":"1","games":["scotland-yard"]}}"#)?;
        } else if line.starts_with("{\"type\":\"start\"") {
            writeln!(out, r#"{{"type":"ready"}}"#)?;
        } else if line.starts_with("{\"type\":\"turn\"") {
            let turn = number(&line, "\"turn\":").unwrap_or("0");
            let action = last_action(&line).unwrap_or("null");
            writeln!(out, r#"{{"type":"move","turn":{turn},"action":{action}}}"#)?;
        } else if line.starts_with("{\"type\":\"quit\"") {
            break;
        }
        out.flush()?;
    }
    Ok(())
}
