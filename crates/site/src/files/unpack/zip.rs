//! Zip archives, as Windows, macOS and others make them.

use super::names::path_of;
use super::target::Target;
use super::{Limits, MAKE_ZIP, Refused, SHOWN, shown, too_many};
use botyard_protocol::printable;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use zip::read::ZipFile;
use zip::{CompressionMethod, HasZipMetadata, ZipArchive};

/// Unpacks a zip archive.
pub(super) fn unpack(mut archive: File, mut target: Target<'_>) -> Result<(), Refused> {
    let limits = target.limits();
    check_count(&mut archive, limits)?;
    let damaged = |error: zip::result::ZipError| {
        Refused::archive(format!("the file is no zip archive: {error}; {MAKE_ZIP}"))
    };
    let mut archive = ZipArchive::new(archive).map_err(damaged)?;
    if archive.has_duplicate_names() {
        return Err(Refused::archive("the archive has two entries of the same name"));
    }
    if archive.len() > limits.entries {
        return Err(too_many(archive.len(), limits));
    }
    for index in 0..archive.len() {
        let mut entry = entry(&mut archive, index)?;
        let name = name_of(&entry);
        let Some((path, is_directory)) = path_of(&name, limits)? else { continue };
        check_kind(&entry, &shown(&path))?;
        if is_directory {
            target.directory(&path)?;
            continue;
        }
        let is_program = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
        target.file(&path, is_program, &mut entry)?;
    }
    Ok(())
}

/// Opens an entry. If that is not possible, the refusal has its name.
fn entry(archive: &mut ZipArchive<File>, index: usize) -> Result<ZipFile<'_, File>, Refused> {
    let (name, method, is_encrypted) = match archive.by_index_raw(index) {
        Ok(entry) => (printable(&name_of(&entry), SHOWN), entry.compression(), entry.encrypted()),
        Err(error) => {
            return Err(Refused::archive(format!(
                "an entry of the archive cannot be read: {error}"
            )));
        }
    };
    if is_encrypted {
        return Err(Refused::archive(format!("{name} is encrypted: pack it without a password")));
    }
    if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
        return Err(Refused::archive(format!(
            "{name} is compressed by {method}: choose the method \u{201c}Deflate\u{201d} or \u{201c}Store\u{201d}"
        )));
    }
    archive
        .by_index(index)
        .map_err(|error| Refused::archive(format!("{name} cannot be read: {error}")))
}

/// Returns the name of an entry: UTF-8 even if the archive does not say so, and else the code page of DOS.
fn name_of<R: Read>(entry: &ZipFile<'_, R>) -> String {
    match std::str::from_utf8(entry.name_raw()) {
        Ok(name) => name.to_string(),
        Err(_) => match entry.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
        },
    }
}

/// Refuses what is neither a directory nor a regular file.
fn check_kind<R: Read>(entry: &ZipFile<'_, R>, shown: &str) -> Result<(), Refused> {
    const KIND: u32 = 0o170_000;
    const DIRECTORY: u32 = 0o040_000;
    const REGULAR: u32 = 0o100_000;
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

/// Checks the number of entries before they are listed in memory, in every place that may have it: which one a reader
/// takes is its choice.
fn check_count(archive: &mut File, limits: Limits) -> Result<(), Refused> {
    /// More than the record at the end of an archive, the longest comment behind it, and what readers allow
    /// before and behind them.
    const END: u64 = 128 << 10;
    let length = archive.seek(SeekFrom::End(0))?;
    archive.seek(SeekFrom::Start(length.saturating_sub(END)))?;
    let mut tail = Vec::new();
    archive.by_ref().take(END).read_to_end(&mut tail)?;
    archive.rewind()?;
    let mut is_wide = places_of(&tail, b"PK\x06\x07").next().is_some();
    for at in places_of(&tail, b"PK\x05\x06") {
        let Some(record) = tail.get(at..at + 22) else { continue };
        // Numbers of disks, of entries on one and in all; the size of their list, and its place.
        let (short, long) = (record[4..12].chunks(2), record[12..20].chunks(4));
        if short.chain(long).any(|field| field.iter().all(|byte| *byte == 0xff)) {
            is_wide = true;
            continue;
        }
        let entries = |at: usize| u64::from(u16::from_le_bytes([record[at], record[at + 1]]));
        check(entries(8).max(entries(10)), limits)?;
    }
    if !is_wide {
        return Ok(());
    }
    // Zip64: the numbers stand in another record, wherever it is. The file is small.
    let mut whole = Vec::new();
    archive.by_ref().take(length).read_to_end(&mut whole)?;
    archive.rewind()?;
    let mut records = places_of(&whole, b"PK\x06\x06").peekable();
    if records.peek().is_none() {
        return Err(Refused::archive(
            "the archive is a Zip64 archive without the record of one: pack it again",
        ));
    }
    for at in records {
        let Some(record) = whole.get(at..at + 56) else { continue };
        let number = |at: usize| {
            record[at..at + 8]
                .iter()
                .rev()
                .fold(0u64, |number, byte| number << 8 | u64::from(*byte))
        };
        check(number(24).max(number(32)), limits)?;
    }
    Ok(())
}

fn check(entries: u64, limits: Limits) -> Result<(), Refused> {
    match usize::try_from(entries) {
        Ok(entries) if entries <= limits.entries => Ok(()),
        _ => Err(too_many(entries, limits)),
    }
}

/// Returns the places of a text.
fn places_of<'a>(bytes: &'a [u8], text: &'a [u8; 4]) -> impl Iterator<Item = usize> + 'a {
    bytes.windows(text.len()).enumerate().filter(move |(_, it)| it == text).map(|(at, _)| at)
}
