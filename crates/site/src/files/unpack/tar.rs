//! Compressed tar archives. What is read is limited as a whole: an archive may have more headers than files.

use super::names::path_of;
use super::target::{Target, too_large};
use super::{MAKE_ZIP, Refused, shown, too_many};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read};
use tar::{Archive, EntryType};

/// The most bytes of headers and padding for each entry.
const AROUND: u64 = 4096;

/// Unpacks a tar.gz.
pub(super) fn unpack(archive: File, mut target: Target<'_>) -> Result<(), Refused> {
    let limits = target.limits();
    let most = limits.bytes.saturating_add(AROUND * (limits.entries as u64 + 1));
    let content = Limited { content: MultiGzDecoder::new(BufReader::new(archive)), left: most };
    let mut archive = Archive::new(content);
    let damaged = |error: io::Error| match error.kind() {
        io::ErrorKind::FileTooLarge => too_large(limits),
        _ => {
            Refused::archive(format!("the file is no tar.gz that can be read: {error}; {MAKE_ZIP}"))
        }
    };
    let mut count = 0;
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        count += 1;
        if count > limits.entries {
            return Err(too_many(format_args!("more than {}", limits.entries), limits));
        }
        let kind = entry.header().entry_type();
        if matches!(kind, EntryType::XGlobalHeader) {
            continue;
        }
        let name = entry.path_bytes().into_owned();
        let name = String::from_utf8(name).map_err(|error| {
            let name = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Refused::archive(format!(
                "the archive has the name {name:?}, which is not UTF-8: rename the file"
            ))
        })?;
        let Some((path, names_directory)) = path_of(&name, limits)? else { continue };
        match kind {
            EntryType::Directory => target.directory(&path)?,
            EntryType::Regular | EntryType::Continuous if !names_directory => {
                let is_program = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
                target.file(&path, is_program, &mut entry)?;
            }
            EntryType::GNUSparse => {
                return Err(Refused::archive(format!(
                    "{} is a sparse file: {MAKE_ZIP}",
                    shown(&path)
                )));
            }
            _ => {
                return Err(Refused::archive(format!(
                    "{} is a link or a device: send files and directories alone",
                    shown(&path)
                )));
            }
        }
    }
    Ok(())
}

/// A reader that fails after a number of bytes.
struct Limited<R> {
    content: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !into.is_empty() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(into.len());
        let read = self.content.read(&mut into[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}
