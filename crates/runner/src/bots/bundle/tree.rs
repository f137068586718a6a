//! The files of a bundle, visited in a fixed order for its digest and its copy. Links are never
//! followed: every entry is opened relative to the descriptor of its directory.

use super::BundleError;
use botyard_referee::Interrupt;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;
#[cfg(unix)]
use {
    rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, readlinkat, statat},
    rustix::io::Errno,
    std::os::fd::{AsFd, OwnedFd},
    std::os::unix::ffi::{OsStrExt, OsStringExt},
};

/// The limit of bytes in a bundle.
pub const MOST_BYTES: u64 = 1 << 30;

/// The limit of files, directories and links in a bundle.
pub const MOST_ENTRIES: u32 = 100_000;

/// The deepest nesting of directories. Each level holds a descriptor during the visit.
pub(super) const DEEPEST: usize = 64;

/// How many bytes of a file are read at once.
const CHUNK: usize = 1 << 16;

/// What version control, interpreters, tools and desktops keep beside the sources of a program, and no program
/// needs.
pub const BESIDE_SOURCES: [&str; 8] = [
    ".DS_Store",
    ".git",
    ".hg",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    "__pycache__",
];

/// The file that marks the directory of a tournament.
const TOURNAMENT: &str = "tournament.db";

/// A directory or file that goes into a bundle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Root {
    /// Its place in the bundle.
    pub place: PathBuf,
    /// Its absolute path without links. `None`: an empty directory.
    pub source: Option<PathBuf>,
}

/// The metadata of a file that a copy keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileKind {
    /// Whether it can be executed.
    pub is_executable: bool,
    /// Whether users other than the owner may read it.
    pub is_open: bool,
    /// The time of its last change.
    pub modified: Option<SystemTime>,
}

/// Receives all entries of a bundle, by their places in it.
pub(super) trait Visitor {
    /// A directory, before its entries.
    ///
    /// # Errors
    ///
    /// Any error stops the visit.
    fn directory(&mut self, place: &Path, is_open: bool) -> Result<(), BundleError> {
        let (_, _) = (place, is_open);
        Ok(())
    }

    /// A symbolic link with this target.
    ///
    /// # Errors
    ///
    /// Any error stops the visit.
    fn link(&mut self, place: &Path, text: &Path) -> Result<(), BundleError> {
        let (_, _) = (place, text);
        Ok(())
    }

    /// A file; its bytes follow.
    ///
    /// # Errors
    ///
    /// Any error stops the visit.
    fn file(&mut self, place: &Path, kind: FileKind) -> Result<(), BundleError> {
        let (_, _) = (place, kind);
        Ok(())
    }

    /// Some bytes of the last file.
    ///
    /// # Errors
    ///
    /// Any error stops the visit.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), BundleError> {
        let _ = bytes;
        Ok(())
    }

    /// The last file ends.
    ///
    /// # Errors
    ///
    /// Any error stops the visit.
    fn end_of_file(&mut self) -> Result<(), BundleError> {
        Ok(())
    }
}

/// A visitor that does nothing, to compute the digest alone.
pub(super) struct OnlyDigest;

impl Visitor for OnlyDigest {}

/// Entries in the directories of a bundle that are left out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left<'a> {
    /// These paths.
    pub paths: &'a [PathBuf],
    /// All directories that contain a tournament.
    pub tournaments: bool,
    /// What is called as in [`BESIDE_SOURCES`].
    pub beside_sources: bool,
}

impl Left<'_> {
    /// Returns whether an entry of a directory is left out.
    fn has(&self, name: &OsStr, source: &Path) -> bool {
        let is_beside = || BESIDE_SOURCES.iter().any(|beside| name == *beside);
        self.paths.iter().any(|path| path == source) || self.beside_sources && is_beside()
    }
}

/// Visits everything below these roots, and returns the digest: SHA-256, as hexadecimal digits,
/// over the places of all entries in order, with the target of links and the executable bit and the
/// content of files. `interrupt` stops it at the next entry, or at the next 64 KiB of a file; without
/// one, signals end the whole program.
///
/// # Errors
///
/// The entries exceed [`MOST_BYTES`] or [`MOST_ENTRIES`], a file cannot be read, the visitor fails,
/// or an interrupt.
pub(super) fn visit(
    roots: &[Root],
    left: Left<'_>,
    visitor: &mut dyn Visitor,
    interrupt: Option<&Interrupt>,
) -> Result<String, BundleError> {
    let mut roots = roots.to_vec();
    roots.sort();
    let mut walk = Walk {
        visitor,
        left,
        interrupt,
        hash: Sha256::new(),
        entries: 0,
        bytes: 0,
        whole: "".into(),
    };
    let mut made = BTreeSet::new();
    for Root { place, source } in &roots {
        let mut around = PathBuf::new();
        for name in place.parent().unwrap_or(Path::new("")).components() {
            around.push(name);
            if made.insert(around.clone()) {
                walk.directory(&around, true)?;
            }
        }
        made.insert(place.clone());
        match source {
            None => walk.directory(place, true)?,
            Some(source) => walk.root(place, source)?,
        }
    }
    Ok(hexadecimal(walk.hash))
}

/// Returns a digest as text.
pub(super) fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Walk<'a> {
    visitor: &'a mut dyn Visitor,
    left: Left<'a>,
    interrupt: Option<&'a Interrupt>,
    hash: Sha256,
    entries: u32,
    bytes: u64,
    /// The root being visited.
    whole: PathBuf,
}

impl Walk<'_> {
    #[cfg(unix)]
    fn root(&mut self, place: &Path, source: &Path) -> Result<(), BundleError> {
        self.whole = source.to_path_buf();
        let around = source.parent().unwrap_or(source);
        let opened = open_directory(CWD, around.as_os_str());
        let opened = opened.map_err(|errno| unreadable(around, errno))?;
        self.entry(&opened, source.file_name().unwrap_or(OsStr::new(".")), source, place, 0)
    }

    #[cfg(unix)]
    fn entry(
        &mut self,
        around: &OwnedFd,
        name: &OsStr,
        source: &Path,
        place: &Path,
        depth: usize,
    ) -> Result<(), BundleError> {
        let failed = |errno| unreadable(source, errno);
        let found = statat(around, name, AtFlags::SYMLINK_NOFOLLOW).map_err(failed)?;
        match FileType::from_raw_mode(found.st_mode) {
            FileType::Directory => {
                if depth > DEEPEST {
                    return Err(self.too_large());
                }
                let directory = open_directory(around, name).map_err(failed)?;
                let names = names(&directory).map_err(failed)?;
                let has_tournament = || names.iter().any(|name| name == TOURNAMENT);
                if self.left.tournaments && depth > 0 && has_tournament() {
                    return Ok(());
                }
                self.directory(place, found.st_mode & 0o005 == 0o005)?;
                for name in names {
                    let source = source.join(&name);
                    if !self.left.has(&name, &source) {
                        self.entry(&directory, &name, &source, &place.join(&name), depth + 1)?;
                    }
                }
                Ok(())
            }
            FileType::Symlink => {
                let text = readlinkat(around, name, Vec::new()).map_err(failed)?;
                let text = PathBuf::from(OsString::from_vec(text.into_bytes()));
                let text = text_in_bundle(&self.whole, source, text);
                self.count(b"l", place)?;
                update(&mut self.hash, b"t", text.as_os_str());
                self.visitor.link(place, &text)
            }
            FileType::RegularFile => {
                let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
                let file = openat(around, name, flags, Mode::empty()).map_err(failed)?;
                self.file(File::from(file), source, place)
            }
            _ => Err(failed(Errno::INVAL)),
        }
    }

    #[cfg(not(unix))]
    fn root(&mut self, place: &Path, source: &Path) -> Result<(), BundleError> {
        self.whole = source.to_path_buf();
        self.entry(source, place, 0)
    }

    #[cfg(not(unix))]
    fn entry(&mut self, source: &Path, place: &Path, depth: usize) -> Result<(), BundleError> {
        let failed = |error: io::Error| unreadable(source, error);
        let found = source.symlink_metadata().map_err(failed)?;
        if found.is_file() {
            return self.file(File::open(source).map_err(failed)?, source, place);
        }
        if found.is_symlink() {
            let text = source.read_link().map_err(failed)?;
            let text = text_in_bundle(&self.whole, source, text);
            self.count(b"l", place)?;
            update(&mut self.hash, b"t", text.as_os_str());
            return self.visitor.link(place, &text);
        }
        if depth > DEEPEST {
            return Err(self.too_large());
        }
        let mut names: Vec<OsString> = Vec::new();
        for entry in source.read_dir().map_err(failed)? {
            names.push(entry.map_err(failed)?.file_name());
        }
        names.sort_unstable();
        let has_tournament = || names.iter().any(|name| name == TOURNAMENT);
        if self.left.tournaments && depth > 0 && has_tournament() {
            return Ok(());
        }
        self.directory(place, true)?;
        for name in &names {
            let source = source.join(name);
            if !self.left.has(name, &source) {
                self.entry(&source, &place.join(name), depth + 1)?;
            }
        }
        Ok(())
    }

    fn directory(&mut self, place: &Path, is_open: bool) -> Result<(), BundleError> {
        self.count(b"d", place)?;
        self.visitor.directory(place, is_open)
    }

    fn file(&mut self, mut file: File, source: &Path, place: &Path) -> Result<(), BundleError> {
        let failed = |error: io::Error| BundleError::Unreadable {
            path: source.to_path_buf(),
            message: error.to_string(),
        };
        let metadata = file.metadata().map_err(failed)?;
        #[cfg(unix)]
        let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions());
        // This system has no such permissions.
        #[cfg(not(unix))]
        let mode = 0o644;
        if !metadata.is_file() {
            return Err(unreadable(source, io::Error::from(io::ErrorKind::InvalidInput)));
        }
        // The reported size may be wrong, but it avoids reading a file that is too large.
        if metadata.len() > MOST_BYTES.saturating_sub(self.bytes) {
            return Err(self.too_large());
        }
        let kind = FileKind {
            is_executable: mode & 0o111 != 0,
            is_open: mode & 0o004 != 0,
            modified: metadata.modified().ok(),
        };
        self.count(if kind.is_executable { b"x" } else { b"f" }, place)?;
        self.visitor.file(place, kind)?;
        let mut content = Sha256::new();
        let mut buffer = vec![0; CHUNK];
        loop {
            self.check_interrupt()?;
            let length = match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(failed(error)),
            };
            self.bytes += length as u64;
            if self.bytes > MOST_BYTES {
                return Err(self.too_large());
            }
            content.update(&buffer[..length]);
            self.visitor.bytes(&buffer[..length])?;
        }
        self.hash.update(content.finalize());
        self.visitor.end_of_file()
    }

    fn check_interrupt(&self) -> Result<(), BundleError> {
        match self.interrupt.is_some_and(Interrupt::is_raised) {
            true => Err(BundleError::Interrupted),
            false => Ok(()),
        }
    }

    /// Counts an entry and adds it to the digest.
    fn count(&mut self, tag: &[u8], place: &Path) -> Result<(), BundleError> {
        self.check_interrupt()?;
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            return Err(self.too_large());
        }
        update(&mut self.hash, tag, place.as_os_str());
        Ok(())
    }

    fn too_large(&self) -> BundleError {
        BundleError::TooLarge(self.whole.clone())
    }
}

fn update(hash: &mut Sha256, tag: &[u8], text: &OsStr) {
    hash.update(tag);
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_encoded_bytes());
}

#[cfg(unix)]
fn open_directory(around: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    openat(around, name, flags, Mode::empty())
}

/// Returns the names in a directory, sorted.
#[cfg(unix)]
fn names(directory: &OwnedFd) -> Result<Vec<OsString>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        // One more than the limit is enough to refuse the bundle.
        if name != "." && name != ".." && names.len() <= MOST_ENTRIES as usize {
            names.push(name.to_os_string());
        }
    }
    names.sort_unstable();
    Ok(names)
}

fn unreadable(path: &Path, error: impl Into<io::Error>) -> BundleError {
    let message = error.into().to_string();
    BundleError::Unreadable { path: path.to_path_buf(), message }
}

/// Returns the target of a link in a copy of the directory `whole`. A link to an entry of the
/// directory refers to the same entry in the copy, wherever the copy is.
fn text_in_bundle(whole: &Path, link: &Path, text: PathBuf) -> PathBuf {
    let around = link.parent().and_then(|around| around.strip_prefix(whole).ok());
    let around = around.unwrap_or(Path::new(""));
    if text.is_relative() && stays_within(around, &text) {
        return text;
    }
    let Ok(target) = link.canonicalize() else { return text };
    match target.strip_prefix(whole) {
        Ok(target) => {
            let up = around.components().map(|_| Component::ParentDir);
            let path: PathBuf = up.chain(target.components()).collect();
            if path.as_os_str().is_empty() { ".".into() } else { path }
        }
        // A relative target would refer to another file from the copy.
        Err(_) if text.is_relative() => target,
        Err(_) => text,
    }
}

/// Returns whether `path`, relative to the directory `around` within a bundle, never leaves the
/// bundle.
fn stays_within(around: &Path, path: &Path) -> bool {
    let mut depth = around.components().count();
    path.components().all(|component| match component {
        Component::ParentDir => {
            let is_within = depth > 0;
            depth = depth.saturating_sub(1);
            is_within
        }
        Component::Normal(_) => {
            depth += 1;
            true
        }
        _ => true,
    })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn digest(path: &Path) -> Result<String, BundleError> {
        let root = Root { place: "run".into(), source: Some(path.canonicalize().unwrap()) };
        visit(&[root], Left::default(), &mut OnlyDigest, None)
    }

    /// A visitor that raises the interrupt when the first file begins, and counts what comes then.
    struct Raises<'a>(&'a Interrupt, usize);

    impl Visitor for Raises<'_> {
        fn file(&mut self, _: &Path, _: FileKind) -> Result<(), BundleError> {
            self.0.raise();
            Ok(())
        }

        fn bytes(&mut self, bytes: &[u8]) -> Result<(), BundleError> {
            self.1 += bytes.len();
            Ok(())
        }
    }

    #[test]
    fn an_interrupt_stops_within_a_file_and_between_files() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().canonicalize().unwrap();
        File::create(path.join("a")).unwrap().set_len(20 * CHUNK as u64).unwrap();
        let root = Root { place: "run".into(), source: Some(path.clone()) };
        let visited = || {
            let interrupt = Interrupt::new().unwrap();
            let mut raises = Raises(&interrupt, 0);
            let roots = [root.clone()];
            let ended = visit(&roots, Left::default(), &mut raises, Some(&interrupt));
            (matches!(ended, Err(BundleError::Interrupted)), raises.1)
        };
        assert_eq!(visited(), (true, 0));
        // The first of many empty files.
        for name in ["a", "b", "c"] {
            File::create(path.join(name)).unwrap();
        }
        assert_eq!(visited(), (true, 0));
        let interrupt = Interrupt::new().unwrap();
        assert!(visit(&[root], Left::default(), &mut OnlyDigest, Some(&interrupt)).is_ok());
    }

    #[test]
    #[allow(clippy::type_complexity)] // A list of changes, each with its name.
    fn the_digest_is_that_of_names_contents_and_executable_bits() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir_all(path("ada/lib")).unwrap();
        fs::write(path("ada/bot.py"), "import brain").unwrap();
        fs::write(path("ada/lib/brain.py"), "depth = 3").unwrap();
        symlink("lib/brain.py", path("ada/brain.py")).unwrap();
        let before = digest(&path("ada")).unwrap();
        assert_eq!(before.len(), 64);
        // The path of the bundle and the times of its files do not change the digest.
        fs::rename(path("ada"), path("ben")).unwrap();
        fs::write(path("ben/bot.py"), "import brain").unwrap();
        assert_eq!(digest(&path("ben")).unwrap(), before);
        let executable = fs::Permissions::from_mode(0o755);
        let changes: [(&str, Box<dyn Fn()>); 6] = [
            ("a content", Box::new(|| fs::write(path("ben/lib/brain.py"), "depth = 4").unwrap())),
            (
                "a bit",
                Box::new(|| {
                    fs::set_permissions(path("ben/bot.py"), executable.clone()).unwrap();
                }),
            ),
            ("a name", Box::new(|| fs::rename(path("ben/bot.py"), path("ben/rob.py")).unwrap())),
            ("a directory", Box::new(|| fs::create_dir(path("ben/empty")).unwrap())),
            (
                "a link",
                Box::new(|| {
                    fs::remove_file(path("ben/brain.py")).unwrap();
                    symlink("lib", path("ben/brain.py")).unwrap();
                }),
            ),
            ("a file", Box::new(|| fs::write(path("ben/lib/more.py"), "").unwrap())),
        ];
        let mut known = vec![before];
        for (what, change) in changes {
            change();
            let now = digest(&path("ben")).unwrap();
            assert!(!known.contains(&now), "{what}");
            known.push(now);
        }
    }

    #[test]
    fn no_more_is_read_than_the_limit() {
        let place = tempfile::tempdir().unwrap();
        let sparse = File::create(place.path().join("weights")).unwrap();
        sparse.set_len(MOST_BYTES + 1).unwrap();
        let error = digest(place.path()).unwrap_err().to_string();
        assert!(error.contains("more than 1024 MiB or 100000 files"), "{error}");
    }

    #[test]
    fn links_lead_to_the_same_in_a_copy() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        fs::create_dir_all(place.join("ada/lib/deep")).unwrap();
        fs::write(place.join("ada/bot.py"), "").unwrap();
        fs::write(place.join("python"), "").unwrap();
        let ada = place.join("ada");
        let absolute = ada.join("bot.py");
        let outside = place.join("python");
        for (link, text, expected) in [
            ("one", "bot.py", "bot.py"),
            ("lib/two", "../bot.py", "../bot.py"),
            ("lib/three", "../../ada/bot.py", "../bot.py"),
            ("lib/deep/four", absolute.to_str().unwrap(), "../../bot.py"),
            ("five", ada.to_str().unwrap(), "."),
            ("six", "/usr/bin/env", "/usr/bin/env"),
            ("seven", "../python", outside.to_str().unwrap()),
            ("eight", "nowhere", "nowhere"),
        ] {
            let path = ada.join(link);
            symlink(text, &path).unwrap();
            assert_eq!(text_in_bundle(&ada, &path, text.into()), Path::new(expected), "{link}");
        }
    }
}
