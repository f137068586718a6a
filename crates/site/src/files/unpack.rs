//! Uploaded archives, unpacked. An archive is untrusted: its size, its number of entries, their depth
//! and what they unpack to are limited, and it has directories and regular files alone, by plain names.

use botyard_protocol::printable;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zip::HasZipMetadata;
use zip::ZipArchive;
use zip::read::ZipFile;

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

/// The longest name of a file or directory, in bytes.
const NAME: usize = 200;

/// The length of a message's part that an archive determines, in characters.
const SHOWN: usize = 120;

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
    check_count(&mut archive, limits)?;
    let damaged = |error: zip::result::ZipError| {
        Refused::archive(format!("the file is no zip archive: {error}"))
    };
    let mut archive = ZipArchive::new(archive).map_err(damaged)?;
    if archive.has_duplicate_names() {
        return Err(Refused::archive("the archive has two entries of the same name"));
    }
    if archive.len() > limits.entries {
        return Err(too_many(archive.len(), limits));
    }
    let mut left = limits.bytes;
    let mut made = HashSet::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| {
            Refused::archive(format!("an entry of the archive cannot be read: {error}"))
        })?;
        let Some(path) = path_of(&entry, limits)? else { continue };
        let shown = printable(&path.to_string_lossy(), SHOWN);
        check_kind(&entry, &shown)?;
        let is_directory = entry.is_dir();
        make_directories(into, &path, is_directory, &mut made, limits)?;
        if is_directory {
            continue;
        }
        let is_program = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
        let target = into.join(&path);
        let mut file = create(&target, is_program).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::IsADirectory => {
                Refused::archive(format!("the archive has {shown} twice"))
            }
            _ => Refused::Host(error),
        })?;
        // One byte more than is left, to notice that there is more. What the archive says of its sizes
        // does not matter.
        let mut reader = (&mut entry).take(left.saturating_add(1));
        let written = io::copy(&mut reader, &mut file)
            .map_err(|error| Refused::archive(format!("{shown} cannot be unpacked: {error}")))?;
        left = left.checked_sub(written).ok_or_else(|| {
            Refused::archive(format!(
                "the archive unpacks to more than {} MiB",
                limits.bytes.div_ceil(1 << 20)
            ))
        })?;
    }
    Ok(())
}

/// Checks the number of entries before they are listed in memory.
fn check_count(archive: &mut File, limits: Limits) -> Result<(), Refused> {
    /// More than the record at the end of an archive, the longest comment behind it, and what readers allow
    /// before and behind them.
    const END: u64 = 128 << 10;
    let length = archive.seek(SeekFrom::End(0))?;
    archive.seek(SeekFrom::Start(length.saturating_sub(END)))?;
    let mut tail = Vec::new();
    archive.by_ref().take(END).read_to_end(&mut tail)?;
    archive.rewind()?;
    // Every place that may be the record counts: which one a reader takes is its choice.
    for at in places_of(&tail, b"PK\x05\x06") {
        let Some(record) = tail.get(at..at + 22) else { continue };
        // Numbers of disks, of entries on one and in all; the size of their list, and its place.
        let (short, long) = (record[4..12].chunks(2), record[12..20].chunks(4));
        if short.chain(long).any(|field| field.iter().all(|byte| *byte == 0xff)) {
            return Err(zip64());
        }
        let entries = |at: usize| usize::from(u16::from_le_bytes([record[at], record[at + 1]]));
        let entries = entries(8).max(entries(10));
        if entries > limits.entries {
            return Err(too_many(entries, limits));
        }
    }
    match places_of(&tail, b"PK\x06\x07").next() {
        Some(_) => Err(zip64()),
        None => Ok(()),
    }
}

/// Returns the refusal of an archive whose numbers stand in another record.
fn zip64() -> Refused {
    Refused::archive("the archive is a Zip64 archive, which a submission does not need")
}

/// Returns the places of a text.
fn places_of<'a>(bytes: &'a [u8], text: &'a [u8; 4]) -> impl Iterator<Item = usize> + 'a {
    bytes.windows(text.len()).enumerate().filter(move |(_, it)| it == text).map(|(at, _)| at)
}

fn too_many(entries: usize, limits: Limits) -> Refused {
    Refused::archive(format!(
        "the archive has {entries} entries, and may have {}: leave out what is built or downloaded",
        limits.entries
    ))
}

/// Returns the path of an entry; `None` for what a Mac adds.
fn path_of<R: Read>(entry: &ZipFile<'_, R>, limits: Limits) -> Result<Option<PathBuf>, Refused> {
    let Ok(name) = std::str::from_utf8(entry.name_raw()) else {
        return Err(Refused::archive("the archive has a name that is not UTF-8"));
    };
    let shown = printable(name, SHOWN);
    let refused =
        |why: &str| Err(Refused::archive(format!("the archive has the name {shown:?}, {why}")));
    if name.contains('\\') || name.chars().any(char::is_control) {
        return refused("with a backslash or a control character");
    }
    if name.starts_with('/') {
        return refused("which does not begin in the directory of the bot");
    }
    let parts: Vec<&str> = name.strip_suffix('/').unwrap_or(name).split('/').collect();
    for part in &parts {
        match *part {
            "" => return refused("with an empty part"),
            "." | ".." => return refused("which leads out of the directory of the bot"),
            part if part.len() > NAME => return refused("with a part of more than 200 bytes"),
            _ => {}
        }
    }
    if parts.len() > limits.depth {
        return refused(&format!("which is more than {} directories deep", limits.depth));
    }
    if parts[0] == "__MACOSX" || parts.last() == Some(&".DS_Store") {
        return Ok(None);
    }
    Ok(Some(parts.iter().collect()))
}

/// Refuses what is neither a directory nor a regular file.
fn check_kind<R: Read>(entry: &ZipFile<'_, R>, shown: &str) -> Result<(), Refused> {
    const KIND: u32 = 0o170_000;
    const DIRECTORY: u32 = 0o040_000;
    const REGULAR: u32 = 0o100_000;
    if entry.encrypted() {
        return Err(Refused::archive(format!("{shown} is encrypted")));
    }
    // Whatever the system that the archive names: some readers make links of these bits anyway.
    let kind = entry.get_metadata().external_attributes >> 16 & KIND;
    let is_plain = [0, DIRECTORY, REGULAR].contains(&kind) && !entry.is_symlink();
    if !is_plain {
        return Err(Refused::archive(format!(
            "{shown} is a link or a device: send files and directories alone"
        )));
    }
    Ok(())
}

/// Makes the directories of an entry.
fn make_directories(
    into: &Path,
    path: &Path,
    is_directory: bool,
    made: &mut HashSet<PathBuf>,
    limits: Limits,
) -> Result<(), Refused> {
    let own = if is_directory { path } else { path.parent().unwrap_or(Path::new("")) };
    let mut above: Vec<&Path> =
        own.ancestors().filter(|path| !path.as_os_str().is_empty()).collect();
    above.reverse();
    for directory in above {
        if made.contains(directory) {
            continue;
        }
        if made.len() >= limits.entries {
            return Err(too_many(made.len() + 1, limits));
        }
        fs::create_dir(into.join(directory)).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                let shown = printable(&directory.to_string_lossy(), SHOWN);
                Refused::archive(format!("the archive has {shown} as a file and as a directory"))
            }
            _ => Refused::Host(error),
        })?;
        made.insert(directory.to_path_buf());
    }
    Ok(())
}

/// Creates a file that does not exist.
fn create(path: &Path, is_program: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if is_program { 0o755 } else { 0o644 });
    #[cfg(not(unix))]
    let _ = is_program;
    options.open(path)
}

/// Returns the directory of the bot in an unpacked archive: that with `bot.toml`, which is the archive
/// itself or the only directory in it.
pub(crate) fn bot_directory(unpacked: &Path) -> io::Result<PathBuf> {
    let mut entries = fs::read_dir(unpacked)?.collect::<io::Result<Vec<_>>>()?;
    let is_alone = entries.len() == 1;
    Ok(match entries.pop().filter(|_| is_alone) {
        Some(only) if only.file_type()?.is_dir() => only.path(),
        _ => unpacked.to_path_buf(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    const SMALL: Limits = Limits { entries: 20, depth: 4, bytes: 100_000 };

    type Written = ZipWriter<Cursor<Vec<u8>>>;

    fn archive(write: impl FnOnce(&mut Written)) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        write(&mut writer);
        writer.finish().expect("an archive").into_inner()
    }

    fn with(names: &[&str]) -> Vec<u8> {
        archive(|writer| {
            for name in names {
                writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
                writer.write_all(b"x").expect("memory");
            }
        })
    }

    /// Unpacks an archive, and returns its files or the refusal.
    fn unpacked(bytes: &[u8]) -> Result<Vec<String>, String> {
        let place = tempfile::tempdir().expect("a directory");
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("room");
        let into = place.path().join("in");
        fs::create_dir(&into).expect("it is ours");
        let result = unpack(file, &into, SMALL);
        let around = fs::read_dir(place.path()).expect("it is ours").count();
        assert_eq!(around, 1, "nothing is written outside");
        result.map_err(|error| error.to_string())?;
        let mut names = Vec::new();
        let mut open = vec![into.clone()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).expect("it is ours").flatten() {
                if entry.path().is_dir() {
                    open.push(entry.path());
                }
                let path = entry.path();
                names.push(path.strip_prefix(&into).expect("inside").display().to_string());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Replaces a text in an archive by one of the same length: names that no writer makes.
    fn forged(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
        assert_eq!(from.len(), to.len());
        let mut out = bytes.to_vec();
        for at in 0..=out.len() - from.len() {
            if out[at..].starts_with(from) {
                out[at..at + to.len()].copy_from_slice(to);
            }
        }
        out
    }

    #[test]
    fn files_and_directories_are_unpacked_and_additions_of_a_mac_are_not() {
        let names =
            unpacked(&with(&["bot/bot.toml", "bot/src/a.py", "__MACOSX/x", "bot/.DS_Store"]));
        assert_eq!(
            names,
            Ok(["bot", "bot/bot.toml", "bot/src", "bot/src/a.py"].map(String::from).to_vec())
        );
    }

    #[test]
    fn no_name_leads_out() {
        for (name, expected) in [
            ("../a", "leads out"),
            ("aa/../../b", "leads out"),
            ("/etc/a", "does not begin in"),
            ("a//b", "empty part"),
            ("./ab", "leads out"),
            ("a\\b", "backslash"),
            ("C:\\a", "backslash"),
            ("a\nb", "control character"),
            ("a/b/c/d/e", "4 directories deep"),
        ] {
            let plain = "n".repeat(name.len());
            let refused = unpacked(&forged(&with(&[&plain]), plain.as_bytes(), name.as_bytes()));
            assert!(refused.as_ref().is_err_and(|it| it.contains(expected)), "{name}: {refused:?}");
        }
    }

    #[test]
    fn links_devices_and_encrypted_files_are_refused() {
        let link = archive(|writer| {
            writer
                .add_symlink("key", "/etc/passwd", SimpleFileOptions::default())
                .expect("an entry");
        });
        let refused = unpacked(&link);
        assert!(
            refused.as_ref().is_err_and(|it| it.contains("is a link or a device")),
            "{refused:?}"
        );
        // The mode of a character device, in the directory of the archive.
        let plain = with(&["tty"]);
        let at = plain.windows(4).position(|it| it == b"PK\x01\x02").expect("a directory");
        let mut device = plain.clone();
        device[at + 40..at + 42].copy_from_slice(&0o020_644_u16.to_le_bytes());
        let refused = unpacked(&device);
        assert!(
            refused.as_ref().is_err_and(|it| it.contains("is a link or a device")),
            "{refused:?}"
        );
        let mut encrypted = plain;
        encrypted[at + 8] |= 1;
        assert!(unpacked(&encrypted).is_err());
    }

    #[test]
    fn a_bomb_is_refused_whatever_it_says_of_its_size() {
        let bomb = archive(|writer| {
            writer.start_file("zeros", SimpleFileOptions::default()).expect("an entry");
            writer.write_all(&vec![0; 1_000_000]).expect("memory");
        });
        assert!(bomb.len() < 10_000);
        let refused = unpacked(&bomb);
        assert!(
            refused.as_ref().is_err_and(|it| it.contains("unpacks to more than 1 MiB")),
            "{refused:?}"
        );
        let modest = forged(&bomb, &1_000_000_u32.to_le_bytes(), &10_u32.to_le_bytes());
        assert!(unpacked(&modest).is_err());
        let many: Vec<String> = (0..21).map(|number| format!("f{number}")).collect();
        let names: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(
            unpacked(&with(&names)).is_err_and(|it| it.contains("has 21 entries, and may have 20"))
        );
        // Directories that are in names alone count too.
        let deep: Vec<String> = (0..15).map(|number| format!("a{number}/b/c")).collect();
        let names: Vec<&str> = deep.iter().map(String::as_str).collect();
        assert!(unpacked(&with(&names)).is_err_and(|it| it.contains("entries, and may have 20")));
    }

    /// Returns the same archive as Zip64, with a comment and with bytes behind it.
    fn as_zip64(archive: &[u8], comment: &[u8], behind: &[u8]) -> Vec<u8> {
        let end = archive.len() - 22;
        let (mut out, record) = (archive[..end].to_vec(), &archive[end..]);
        assert!(record.starts_with(b"PK\x05\x06"), "it has no comment");
        let wide = |field: &[u8]| {
            let mut wide = [0; 8];
            wide[..field.len()].copy_from_slice(field);
            wide
        };
        // The record of Zip64: its own size, versions, disks, and the numbers of the other record.
        out.extend(b"PK\x06\x06");
        out.extend(44_u64.to_le_bytes());
        out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for field in [&record[8..10], &record[10..12], &record[12..16], &record[16..20]] {
            out.extend(wide(field));
        }
        // Where it is.
        out.extend(b"PK\x06\x07\0\0\0\0");
        out.extend((end as u64).to_le_bytes());
        out.extend([1, 0, 0, 0]);
        out.extend(&record[..12]);
        out.extend([0xff; 4]);
        out.extend(&record[16..20]);
        out.extend(u16::try_from(comment.len()).expect("a comment").to_le_bytes());
        out.extend(comment);
        out.extend(behind);
        out
    }

    #[test]
    fn zip64_is_refused_wherever_its_records_are() {
        let plain = with(&["a", "b"]);
        for (comment, behind) in [(0, 0), (100, 0), (65_535, 0), (65_535, 14)] {
            let archive = as_zip64(&plain, &vec![b'x'; comment], &vec![b'x'; behind]);
            let refused = unpacked(&archive);
            assert!(
                refused.as_ref().is_err_and(|it| it.contains("is a Zip64 archive")),
                "{comment} {behind}: {refused:?}"
            );
        }
        let end = plain.len() - 22;
        for field in [4..6, 6..8, 8..10, 10..12, 12..16, 16..20] {
            let mut archive = plain.clone();
            archive[end + field.start..end + field.end].fill(0xff);
            let refused = unpacked(&archive);
            assert!(
                refused.as_ref().is_err_and(|it| it.contains("is a Zip64 archive")),
                "{field:?}: {refused:?}"
            );
        }
        assert!(unpacked(&plain).is_ok());
    }

    #[test]
    fn what_is_no_archive_or_a_damaged_one_is_refused() {
        assert!(unpacked(b"").is_err());
        assert!(unpacked(b"#!/bin/sh\n").is_err_and(|it| it.contains("no zip archive")));
        let whole = with(&["bot.toml", "b"]);
        for length in 0..whole.len() {
            assert!(unpacked(&whole[..length]).is_err(), "{length}");
        }
        let twice = forged(&with(&["aa", "bb"]), b"bb", b"aa");
        assert!(unpacked(&twice).is_err());
        let both = unpacked(&forged(&with(&["aa", "bb/c"]), b"bb", b"aa"));
        assert!(
            both.as_ref().is_err_and(|it| it.contains("as a file and as a directory")),
            "{both:?}"
        );
    }

    #[test]
    fn a_bot_is_the_archive_or_the_only_directory_in_it() {
        let place = tempfile::tempdir().expect("a directory");
        let inner = place.path().join("bot");
        fs::create_dir(&inner).expect("it is ours");
        assert_eq!(bot_directory(place.path()).expect("it is ours"), inner);
        fs::write(place.path().join("bot.toml"), "").expect("it is ours");
        assert_eq!(bot_directory(place.path()).expect("it is ours"), place.path());
    }
}
