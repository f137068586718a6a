//! The names of entries: what of them is a path in the directory of the bot.

use super::{Limits, Refused, SHOWN};
use botyard_protocol::printable;
use std::path::PathBuf;

/// The longest name of a file or directory, in bytes.
const NAME: usize = 200;

/// Returns the path of an entry and whether its name is that of a directory; `None` for what systems add, and for the
/// directory of the archive itself. Archives of Windows may have backslashes.
pub(super) fn path_of(name: &str, limits: Limits) -> Result<Option<(PathBuf, bool)>, Refused> {
    let shown = printable(name, SHOWN);
    let refused =
        |why: &str| Err(Refused::archive(format!("the archive has the name {shown:?}, {why}")));
    if name.chars().any(char::is_control) {
        return refused("with a control character: rename the file");
    }
    let plain = name.replace('\\', "/");
    if plain.starts_with('/') {
        return refused("which does not begin in the directory of the bot");
    }
    let is_directory = plain.ends_with('/');
    let mut parts = Vec::new();
    for part in plain.strip_suffix('/').unwrap_or(&plain).split('/') {
        match part {
            "." => {}
            "" => return refused("with an empty part"),
            ".." => return refused("which leads out of the directory of the bot"),
            part if part.len() > NAME => return refused("with a part of more than 200 bytes"),
            part => parts.push(part),
        }
    }
    let Some((first, last)) = parts.first().zip(parts.last()) else { return Ok(None) };
    if first.len() == 2 && first.ends_with(':') {
        return refused("which begins with a drive: pack the folder of the bot itself");
    }
    if parts.len() > limits.depth {
        return refused(&format!("which is more than {} directories deep", limits.depth));
    }
    if is_added(first, last) {
        return Ok(None);
    }
    Ok(Some((parts.iter().collect(), is_directory)))
}

/// Returns whether a system adds such a file to what a person packs.
fn is_added(first: &str, last: &str) -> bool {
    first == "__MACOSX"
        || last == ".DS_Store"
        || last.starts_with("._")
        || ["desktop.ini", "thumbs.db"].contains(&last.to_ascii_lowercase().as_str())
}
