//! Uploaded archives, unpacked: zip and tar.gz. An archive is untrusted: its size, its number of entries, their depth
//! and what they unpack to are limited, and it has directories and regular files alone, by plain names.

mod bot;
mod names;
mod tar;
mod target;
mod zip;

pub(crate) use bot::{bot_directory, let_run};
use botyard_protocol::printable;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use target::Target;

/// The largest archive, in bytes.
pub(crate) const ARCHIVE: u64 = 20 << 20;

/// The limits of an archive's contents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The number of files and directories.
    pub entries: usize,
    /// The number of directories above a file.
    pub depth: usize,
    /// The number of bytes of all files, unpacked.
    pub bytes: u64,
}

/// The limits of a submission.
pub(crate) const LIMITS: Limits = Limits { entries: 2000, depth: 16, bytes: 100 << 20 };

/// The length of a message's part that an archive determines, in characters.
const SHOWN: usize = 120;

/// What to do on Windows and elsewhere to get an archive that is taken.
const MAKE_ZIP: &str = "send a zip archive or a tar.gz (on Windows: right-click the folder, \u{201c}Compress to ZIP \
                        file\u{201d})";

/// Archives are unpacked one at a time: what one may take of memory and of the disk is all that they take.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Why an archive was refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    /// The archive is at fault. The text says what was expected.
    #[error("{0}")]
    Archive(String),
    /// The files cannot be written.
    #[error("{0}")]
    Host(#[from] io::Error),
}

impl Refused {
    fn archive(message: impl Into<String>) -> Refused {
        Refused::Archive(message.into())
    }
}

/// Unpacks an archive into an empty directory.
///
/// # Errors
///
/// The archive breaks a rule. What was unpacked before stays.
pub(crate) fn unpack(mut archive: File, into: &Path, limits: Limits) -> Result<(), Refused> {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut beginning = Vec::new();
    archive.rewind()?;
    archive.by_ref().take(512).read_to_end(&mut beginning)?;
    archive.rewind()?;
    let target = Target::new(into, limits);
    if beginning.starts_with(b"\x1f\x8b") {
        return tar::unpack(archive, target);
    }
    match other_kind(&beginning) {
        Some(kind) => {
            Err(Refused::archive(format!("the file is no zip archive, but {kind}: {MAKE_ZIP}")))
        }
        None => zip::unpack(archive, target),
    }
}

/// Returns what a file is that is neither a zip archive nor a tar.gz, if its beginning says so.
fn other_kind(beginning: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 5] = [
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"Rar!", "a RAR archive"),
        (b"\xfd7zXZ", "a file compressed by xz"),
        (b"BZh", "a file compressed by bzip2"),
        (b"\x28\xb5\x2f\xfd", "a file compressed by zstd"),
    ];
    let known = KINDS.iter().find(|(magic, _)| beginning.starts_with(magic));
    let is_tar = beginning.get(257..262).is_some_and(|it| it == b"ustar");
    known.map(|(_, kind)| *kind).or(is_tar.then_some("a tar archive that is not compressed"))
}

/// Returns a name of an archive for a message.
fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy(), SHOWN)
}

fn too_many(entries: impl std::fmt::Display, limits: Limits) -> Refused {
    Refused::archive(format!(
        "the archive has {entries} entries, and may have {}: leave out what is built or downloaded",
        limits.entries
    ))
}

#[cfg(test)]
mod tests;
