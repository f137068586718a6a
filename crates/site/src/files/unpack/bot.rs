//! The directory of the bot in an unpacked archive, and the files of it that are run.

use super::Refused;
use botyard_protocol::printable;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the file that makes a directory that of a bot.
const MANIFEST: &str = "bot.toml";

/// How many directories may stand around the bot, each alone in the one above.
const AROUND: usize = 3;

/// How many similar names a refusal has.
const LISTED: usize = 3;

/// Returns the directory of the bot in an unpacked archive: that with `bot.toml`, which is the archive itself or the
/// only directory in it, or in that.
///
/// # Errors
///
/// There is none, though other files look as if they were meant: the refusal names them.
pub(crate) fn bot_directory(unpacked: &Path) -> Result<PathBuf, Refused> {
    let mut directory = unpacked.to_path_buf();
    for _ in 0..AROUND {
        if directory.join(MANIFEST).is_file() {
            return Ok(directory);
        }
        let mut entries = fs::read_dir(&directory)?.collect::<io::Result<Vec<_>>>()?;
        let is_alone = entries.len() == 1;
        match entries.pop().filter(|_| is_alone) {
            Some(only) if only.file_type()?.is_dir() => directory = only.path(),
            _ => break,
        }
    }
    if directory.join(MANIFEST).is_file() {
        return Ok(directory);
    }
    let mut similar = Vec::new();
    find(unpacked, Path::new(""), &mut similar)?;
    similar.sort_by_key(|path| (path.components().count(), path.clone()));
    let named: Vec<String> = similar
        .iter()
        .take(LISTED)
        .map(|path| format!("{:?}", printable(&path.to_string_lossy(), 120)))
        .collect();
    let Some(first) = similar.first() else {
        return Err(Refused::archive(
            "the archive has no bot.toml: the file says how the bot is run, and stands beside its files",
        ));
    };
    let advice = match first.file_name().is_some_and(|name| name == MANIFEST) {
        true => "pack the folder with bot.toml and the files of the bot alone",
        false => {
            "name it bot.toml, in small letters and without another ending (on Windows: in the Explorer, show file \
             name extensions)"
        }
    };
    Err(Refused::archive(format!(
        "the archive has no bot.toml in its folder. Did you mean {}? Then {advice}",
        named.join(" or ")
    )))
}

/// Finds files whose names are similar to that of the manifest.
fn find(root: &Path, below: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let (path, kind) = (below.join(entry.file_name()), entry.file_type()?);
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if kind.is_dir() {
            find(root, &path, found)?;
        } else if is_similar(&name) {
            found.push(path);
        }
    }
    Ok(())
}

/// Returns whether a name in small letters was meant to be that of the manifest.
fn is_similar(name: &str) -> bool {
    let plain = name.strip_suffix(".txt").unwrap_or(name).replace([' ', '_', '-'], "");
    // A browser numbers a second download.
    let plain = plain.replace("(1)", "").replace("(2)", "");
    [MANIFEST, "bot.tml", "bot.tolm", "bots.toml", "bottoml", "bot"].contains(&plain.as_str())
        && !matches!(name, "bot")
}

/// Lets the files of the bot be run that its command lines name: archives of Windows do not say which these are.
///
/// # Errors
///
/// The host fails.
pub(crate) fn let_run<'a>(
    directory: &Path,
    lines: impl Iterator<Item = &'a str>,
) -> io::Result<()> {
    for line in lines {
        let program = line.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']);
        let parts: Vec<&str> =
            program.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        if !program.contains('/') || program.starts_with('/') || parts.contains(&"..") {
            continue;
        }
        let file = directory.join(parts.iter().collect::<PathBuf>());
        let Ok(metadata) = file.symlink_metadata() else { continue };
        #[cfg(unix)]
        if metadata.is_file() {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(
                &file,
                fs::Permissions::from_mode(metadata.permissions().mode() | 0o111),
            )?;
        }
        #[cfg(not(unix))]
        let _ = metadata;
    }
    Ok(())
}
