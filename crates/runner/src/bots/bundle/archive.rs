//! Copies of bundles as archives: tar, compressed with gzip. Equal copies make equal archives. An
//! archive is trusted with nothing: what it contains must have the digest of the bundle's files.

use super::copies::{Copy, UNFINISHED, check, check_with, make_removable};
use super::tree::{FileKind, Visitor};
use super::{BundleError, Copies, MOST_BYTES, MOST_ENTRIES, RUN};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tar::{Archive, Builder, Entry, EntryType, Header};

impl Copies {
    /// Returns the copy with this digest of its files, in the directory `copies`, as an archive.
    ///
    /// # Errors
    ///
    /// The copy is damaged or cannot be read.
    pub fn pack(copies: &Path, files: &str) -> Result<Vec<u8>, BundleError> {
        pack(copies, files, None)
    }

    /// Returns the directory in the copy of a bundle as an archive for people: one directory of this name, whose
    /// files their owner may change.
    ///
    /// # Errors
    ///
    /// The copy is damaged or cannot be read.
    pub fn pack_for_people(copies: &Path, files: &str, name: &str) -> Result<Vec<u8>, BundleError> {
        pack(copies, files, Some(name))
    }

    /// Makes the copy with this digest of its files from an archive, unless there is one.
    ///
    /// # Errors
    ///
    /// The archive is damaged, too large, or one of other files; a failure of the host.
    pub fn unpack(&mut self, files: &str, archive: &[u8]) -> Result<(), BundleError> {
        let path = self.path().join(files);
        if path.symlink_metadata().is_ok() {
            return check(&path, files, None);
        }
        let failed = |error: io::Error| BundleError::Copy { path: path.clone(), error };
        let part = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(self.path());
        let part = part.map_err(failed)?;
        // The archive says of every file whether others may read it.
        let mut copy = Copy::new(part.path(), false);
        let made = unpack_all(archive, &path, &mut copy)
            .and_then(|()| copy.close())
            .and_then(|()| check(part.path(), files, None));
        if let Err(error) = made {
            make_removable(part.path());
            return Err(error);
        }
        fs::rename(part.keep(), &path).map_err(failed)?;
        File::open(self.path()).and_then(|directory| directory.sync_all()).map_err(failed)
    }
}

/// Packs a copy, or its directory under a name of its own.
fn pack(copies: &Path, files: &str, name: Option<&str>) -> Result<Vec<u8>, BundleError> {
    let copy = copies.join(files);
    let encoder = GzEncoder::new(Vec::new(), Compression::default());
    let mut packing = Packing { at: &copy, name, archive: Builder::new(encoder), file: None };
    check_with(&copy, files, &mut packing, None)?;
    let packed = packing.archive.into_inner().and_then(GzEncoder::finish);
    packed.map_err(|error| BundleError::Unreadable { path: copy, message: error.to_string() })
}

/// An archive that is being made of a copy.
struct Packing<'a> {
    at: &'a Path,
    /// What the directory with the files is called in an archive for people.
    name: Option<&'a str>,
    archive: Builder<GzEncoder<Vec<u8>>>,
    /// The file being read.
    file: Option<(PathBuf, FileKind, Vec<u8>)>,
}

impl Packing<'_> {
    fn failed(&self, place: &Path, error: &io::Error) -> BundleError {
        BundleError::Unreadable { path: self.at.join(place), message: error.to_string() }
    }

    /// Returns the place of an entry in the archive; `None` for what people do not get.
    fn place(&self, place: &Path) -> Option<PathBuf> {
        match self.name {
            None => Some(place.to_path_buf()),
            Some(name) => Some(Path::new(name).join(place.strip_prefix(RUN).ok()?)),
        }
    }

    /// Returns the permissions of an entry, which are these in a copy.
    fn mode(&self, mode: u32) -> u32 {
        if self.name.is_some() { mode | 0o200 } else { mode }
    }
}

/// Returns the header of an entry; `is_open` if users other than the owner may read it.
fn header(kind: EntryType, mode: u32, is_open: bool, modified: Option<SystemTime>) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(if is_open { mode } else { mode & 0o700 });
    let since = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    header.set_mtime(since.map_or(0, |since| since.as_secs()));
    header.set_uid(0);
    header.set_gid(0);
    header.set_size(0);
    header
}

impl Visitor for Packing<'_> {
    fn directory(&mut self, place: &Path, is_open: bool) -> Result<(), BundleError> {
        let Some(to) = self.place(place) else { return Ok(()) };
        let mut header = header(EntryType::Directory, self.mode(0o555), is_open, None);
        let added = self.archive.append_data(&mut header, to, io::empty());
        added.map_err(|error| self.failed(place, &error))
    }

    fn link(&mut self, place: &Path, text: &Path) -> Result<(), BundleError> {
        let Some(to) = self.place(place) else { return Ok(()) };
        let mut header = header(EntryType::Symlink, 0o777, true, None);
        let added = self.archive.append_link(&mut header, to, text);
        added.map_err(|error| self.failed(place, &error))
    }

    fn file(&mut self, place: &Path, kind: FileKind) -> Result<(), BundleError> {
        self.file = Some((place.to_path_buf(), kind, Vec::new()));
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), BundleError> {
        if let Some((_, _, content)) = &mut self.file {
            content.extend_from_slice(bytes);
        }
        Ok(())
    }

    fn end_of_file(&mut self) -> Result<(), BundleError> {
        let Some((place, kind, content)) = self.file.take() else { return Ok(()) };
        let Some(to) = self.place(&place) else { return Ok(()) };
        let mode = self.mode(if kind.is_executable { 0o555 } else { 0o444 });
        let mut header = header(EntryType::Regular, mode, kind.is_open, kind.modified);
        header.set_size(content.len() as u64);
        let added = self.archive.append_data(&mut header, to, &content[..]);
        added.map_err(|error| self.failed(&place, &error))
    }
}

/// Passes the entries of an archive to a copy that is being made at last at `path`.
fn unpack_all(archive: &[u8], path: &Path, copy: &mut Copy<'_>) -> Result<(), BundleError> {
    let bad = |message: &str| BundleError::Unreadable {
        path: path.to_path_buf(),
        message: format!("the archive of its files: {message}"),
    };
    // One byte more than a bundle may have, and room for the headers.
    let most = MOST_BYTES + u64::from(MOST_ENTRIES) * 2048 + 1;
    let mut archive = Archive::new(GzDecoder::new(archive).take(most));
    let mut directories = BTreeSet::from([PathBuf::new()]);
    let mut entries = 0;
    for entry in archive.entries().map_err(|error| bad(&error.to_string()))? {
        let mut entry = entry.map_err(|error| bad(&error.to_string()))?;
        entries += 1;
        if entries > MOST_ENTRIES {
            return Err(bad("it has too many entries"));
        }
        let place = entry.path().map_err(|error| bad(&error.to_string()))?.into_owned();
        let is_plain = place.components().all(|part| matches!(part, Component::Normal(_)));
        // Files are made in directories of this archive only, and so through no link.
        let is_inside = place.parent().is_some_and(|parent| directories.contains(parent));
        if !is_plain || !is_inside {
            return Err(bad("an entry has a path that leads out of it"));
        }
        match entry.header().entry_type() {
            EntryType::Directory => {
                copy.directory(&place, is_open(&entry))?;
                directories.insert(place);
            }
            EntryType::Symlink => {
                let text = entry.link_name().ok().flatten();
                let text = text.ok_or_else(|| bad("a link without a target"))?.into_owned();
                copy.link(&place, &text)?;
            }
            EntryType::Regular => unpack_file(&mut entry, &place, copy)
                .map_err(|error| error.unwrap_or_else(|error| bad(&error.to_string())))?,
            _ => return Err(bad("an entry is no file, directory or link")),
        }
    }
    Ok(())
}

fn is_open<R: Read>(entry: &Entry<'_, R>) -> bool {
    entry.header().mode().is_ok_and(|mode| mode & 0o004 != 0)
}

/// Copies a file of an archive. The error is one of the archive, or of the copy.
fn unpack_file<R: Read>(
    entry: &mut Entry<'_, R>,
    place: &Path,
    copy: &mut Copy<'_>,
) -> Result<(), Result<BundleError, io::Error>> {
    let header = entry.header();
    let modified = header.mtime().ok().filter(|&seconds| seconds > 0);
    let kind = FileKind {
        is_executable: header.mode().is_ok_and(|mode| mode & 0o111 != 0),
        is_open: is_open(entry),
        modified: modified.and_then(|seconds| UNIX_EPOCH.checked_add(Duration::from_secs(seconds))),
    };
    copy.file(place, kind).map_err(Ok)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match entry.read(&mut buffer).map_err(Err)? {
            0 => break,
            length => copy.bytes(&buffer[..length]).map_err(Ok)?,
        }
    }
    copy.end_of_file().map_err(Ok)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::bots::bundle::Surroundings;
    use crate::programs::testing::programs;
    use botyard_referee::{BotCommand, Source};
    use std::os::unix::fs::{MetadataExt, symlink};

    /// Returns copies with one bot's files, and their digest.
    fn copies(place: &Path) -> (Copies, String) {
        let ada = place.join("ada");
        fs::create_dir_all(ada.join("lib").join("long".repeat(30))).unwrap();
        fs::write(ada.join("bot.sh"), "exec true").unwrap();
        fs::write(ada.join("lib").join("long".repeat(30)).join("file".repeat(30)), "deep").unwrap();
        super::super::copies::set_mode(&ada.join("bot.sh"), 0o755).unwrap();
        symlink("bot.sh", ada.join("link")).unwrap();
        let command = BotCommand {
            name: "it".into(),
            program: "sh".into(),
            args: vec!["bot.sh".into()],
            directory: Some(ada.clone()),
            source: Source::Directory,
            ..BotCommand::default()
        };
        let mut copies = Copies::create(&place.join("copies")).unwrap();
        let bundle = copies.keep(&command, Surroundings::default(), &programs(), None).unwrap();
        (copies, bundle.files.unwrap())
    }

    #[test]
    fn an_archive_makes_the_same_copy_elsewhere() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        let (copies, files) = copies(&place);
        let archive = Copies::pack(copies.path(), &files).unwrap();
        let mut elsewhere = Copies::create(&place.join("elsewhere")).unwrap();
        for _ in 0..2 {
            elsewhere.unpack(&files, &archive).unwrap();
        }
        assert_eq!(Copies::pack(elsewhere.path(), &files).unwrap(), archive);
        for name in ["run", "run/bot.sh", "run/lib"] {
            let [one, other] = [&copies, &elsewhere]
                .map(|copies| fs::metadata(copies.path().join(&files).join(name)).unwrap());
            assert_eq!(one.mode(), other.mode(), "{name}");
            assert!(one.is_dir() || one.mtime() == other.mtime(), "{name}");
        }
        let link = elsewhere.path().join(&files).join("run/link");
        assert_eq!(fs::read_link(link).unwrap(), Path::new("bot.sh"));
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
        // For people the same files have another directory, and can be changed.
        let packed = Copies::pack_for_people(copies.path(), &files, "ada").unwrap();
        Archive::new(GzDecoder::new(&packed[..])).unpack(place.join("at-home")).unwrap();
        let [copied, unpacked] =
            [copies.path().join(&files).join("run"), place.join("at-home/ada")]
                .map(|directory| Copies::digest_of_directory(&directory, None).unwrap());
        assert_eq!(copied, unpacked);
        let mode = |name| fs::metadata(place.join("at-home/ada").join(name)).unwrap().mode();
        assert_eq!([mode(""), mode("bot.sh")].map(|mode| mode & 0o700), [0o700, 0o700]);
        copies.discard();
        elsewhere.discard();
        super::super::copies::remove(&place.join("elsewhere"));
    }

    #[test]
    fn archives_of_other_files_and_damaged_ones_leave_nothing() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        let (copies, files) = copies(&place);
        let archive = Copies::pack(copies.path(), &files).unwrap();
        copies.discard();
        let mut elsewhere = Copies::create(&place.join("elsewhere")).unwrap();
        let other = "ab".repeat(32);
        let error = elsewhere.unpack(&other, &archive).unwrap_err();
        assert!(matches!(error, BundleError::Damaged { .. }), "{error}");
        for length in [0, 10, archive.len() / 2] {
            elsewhere.unpack(&files, &archive[..length]).unwrap_err();
        }
        for (kind, path, expected) in [
            (EntryType::Regular, "run/../../out", "leads out of it"),
            (EntryType::Regular, "missing/file", "leads out of it"),
            (EntryType::Fifo, "pipe", "no file, directory or link"),
        ] {
            let mut header = header(kind, 0o555, true, None);
            // The library refuses to write such a path.
            header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
            archive.append(&header, io::empty()).unwrap();
            let archive = archive.into_inner().unwrap().finish().unwrap();
            let error = elsewhere.unpack(&files, &archive).unwrap_err().to_string();
            assert!(error.contains(expected), "{path}: {error}");
        }
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        assert!(!place.join("out").exists());
    }
}
