//! The copies of bundles in the directory of a tournament: read-only, complete or absent, and
//! stored once if equal.

use super::tree::{FileKind, Left, OnlyDigest, Root, Visitor, visit};
use super::{Bundle, BundleError, Draft, RUN, Surroundings};
use crate::containment::passed_by_bots;
use crate::error::Error;
use crate::programs::Programs;
use botyard_league::private_files;
use botyard_referee::{BotCommand, Interrupt};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The prefix of an unfinished copy.
pub(super) const UNFINISHED: &str = ".unfinished-";

/// The length of a copy's name, in characters.
const NAME: usize = 64;

/// The directory with the copies.
#[derive(Debug)]
pub struct Copies {
    path: PathBuf,
    /// Whether this program created the directory.
    is_new: bool,
    /// The copies that this program made.
    made: Vec<PathBuf>,
}

impl Copies {
    /// Opens the directory for copies, and creates it if necessary. Unfinished copies of a killed
    /// program are removed.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub fn create(path: &Path) -> Result<Copies, Error> {
        let unwritable = |error: io::Error| {
            Error::host(format!("copies of the bots cannot be kept in {}: {error}", path.display()))
        };
        let is_new = !path.exists();
        private_files::create_directory(path, passed_by_bots()).map_err(unwritable)?;
        private_files::narrow(path, passed_by_bots()).map_err(unwritable)?;
        // Resolves links, because the directory of a bot must not be reached through one. Links on
        // this path are the user's own.
        let real = if cfg!(windows) { std::path::absolute(path) } else { path.canonicalize() };
        let path = real.map_err(unwritable)?;
        for entry in fs::read_dir(&path).map_err(unwritable)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                remove(&entry.path());
            }
        }
        Ok(Copies { path, is_new, made: Vec::new() })
    }

    /// Returns whether a directory holds nothing but copies, or does not exist.
    pub fn are_all_in(path: &Path) -> bool {
        let is_copy = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_digest =
                    name.len() == NAME && name.bytes().all(|byte| byte.is_ascii_hexdigit());
                is_digest || name.starts_with(UNFINISHED)
            })
        };
        match fs::read_dir(path) {
            Ok(mut entries) => entries.all(is_copy),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }

    /// Returns the path of the directory, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Copies the files of a bot, unless the same files are stored already.
    ///
    /// # Errors
    ///
    /// The files make no bundle, the copy is damaged or cannot be written, or an interrupt, which
    /// leaves no copy.
    pub fn keep(
        &mut self,
        command: &BotCommand,
        surroundings: Surroundings<'_>,
        programs: &Programs,
        interrupt: Option<&Interrupt>,
    ) -> Result<Bundle, BundleError> {
        let draft = Draft::of(command, surroundings, programs)?;
        let Some(files) = draft.digest(interrupt)? else { return Ok(draft.finished(None)) };
        let is_bots_alone = command.source != botyard_referee::Source::CommandLine;
        let files = self.store(&draft.roots, draft.left(), files, is_bots_alone, interrupt)?;
        Ok(draft.finished(Some(files)))
    }

    /// Copies a directory that only its author's files are in, unless the same files are stored
    /// already. Returns their digest, which is the name of the copy.
    ///
    /// # Errors
    ///
    /// The files cannot be copied, the copy is damaged or cannot be written, or an interrupt, which
    /// leaves no copy.
    pub fn keep_directory(
        &mut self,
        directory: &Path,
        interrupt: Option<&Interrupt>,
    ) -> Result<String, BundleError> {
        let roots = [root_of(directory)?];
        let files = visit(&roots, Left::default(), &mut OnlyDigest, interrupt)?;
        self.store(&roots, Left::default(), files, true, interrupt)
    }

    /// Returns the digest of the files in a directory, without the tournaments in it and what only stands beside
    /// its sources.
    ///
    /// # Errors
    ///
    /// The files cannot be read or make no bundle, or an interrupt.
    pub fn digest_of_directory(
        directory: &Path,
        interrupt: Option<&Interrupt>,
    ) -> Result<String, BundleError> {
        digest_without(directory, true, interrupt)
    }

    /// The same with what stands beside the sources, which earlier versions counted.
    ///
    /// # Errors
    ///
    /// Those of [`Copies::digest_of_directory`].
    pub fn whole_digest_of_directory(
        directory: &Path,
        interrupt: Option<&Interrupt>,
    ) -> Result<String, BundleError> {
        digest_without(directory, false, interrupt)
    }

    /// Returns the directory in the copy of a directory with this digest that has its files.
    pub fn kept_directory(&self, files: &str) -> PathBuf {
        Copies::files_in(&self.path.join(files))
    }

    /// Returns the directory with the files of a directory in its copy.
    pub fn files_in(copy: &Path) -> PathBuf {
        copy.join(RUN)
    }

    /// Copies files with this digest, unless they are stored already. Returns the digest of what was
    /// copied: the originals may have changed.
    fn store(
        &mut self,
        roots: &[Root],
        left: Left<'_>,
        files: String,
        is_bots_alone: bool,
        interrupt: Option<&Interrupt>,
    ) -> Result<String, BundleError> {
        if self.path.join(&files).symlink_metadata().is_ok() {
            check(&self.path.join(&files), &files, interrupt)?;
            return Ok(files);
        }
        let failed = |error: io::Error| BundleError::Copy { path: self.path.join(&files), error };
        let part = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.path);
        let part = part.map_err(failed)?;
        let mut copy = Copy::new(part.path(), is_bots_alone);
        let copied = visit(roots, left, &mut copy, interrupt);
        let closed = copied.and_then(|files| {
            copy.close()?;
            Ok(files)
        });
        let files = closed.inspect_err(|_| make_removable(part.path()))?;
        let path = self.path.join(&files);
        let failed = |error: io::Error| BundleError::Copy { path: path.clone(), error };
        if path.symlink_metadata().is_ok() {
            make_removable(part.path());
            check(&path, &files, interrupt)?;
        } else {
            fs::rename(part.keep(), &path).map_err(failed)?;
            File::open(&self.path).and_then(|directory| directory.sync_all()).map_err(failed)?;
            self.made.push(path);
        }
        Ok(files)
    }

    /// Compares the copy of a bundle in the directory `copies` with its digest.
    ///
    /// # Errors
    ///
    /// The copy is damaged or cannot be read, or an interrupt.
    pub fn check_in(
        copies: &Path,
        bundle: &Bundle,
        interrupt: Option<&Interrupt>,
    ) -> Result<(), BundleError> {
        match &bundle.files {
            Some(files) => Copies::check(copies, files, interrupt),
            None => Ok(()),
        }
    }

    /// Compares the copy with this digest of its files in the directory `copies` with the digest.
    ///
    /// # Errors
    ///
    /// The copy is damaged or cannot be read, or an interrupt.
    pub fn check(
        copies: &Path,
        files: &str,
        interrupt: Option<&Interrupt>,
    ) -> Result<(), BundleError> {
        check(&copies.join(files), files, interrupt)
    }

    /// Removes the copy with this digest of its files, if there is one.
    pub fn discard_one(&self, files: &str) {
        remove(&self.path.join(files));
    }

    /// Lets the owner remove the directory `copies` and all copies in it, which are read-only.
    pub fn make_removable(copies: &Path) {
        make_removable(copies);
    }

    /// Removes the copies that this program made.
    pub fn discard(self) {
        self.made.iter().for_each(|copy| remove(copy));
        if self.is_new {
            let _ = fs::remove_dir(&self.path);
        }
    }
}

pub(super) fn check(
    copy: &Path,
    files: &str,
    interrupt: Option<&Interrupt>,
) -> Result<(), BundleError> {
    check_with(copy, files, &mut OnlyDigest, interrupt)
}

/// Compares a copy with its digest, and passes its entries to a visitor.
pub(super) fn check_with(
    copy: &Path,
    files: &str,
    visitor: &mut dyn Visitor,
    interrupt: Option<&Interrupt>,
) -> Result<(), BundleError> {
    let root =
        |name: fs::DirEntry| Root { place: name.file_name().into(), source: Some(name.path()) };
    let unreadable = |error: io::Error| BundleError::Unreadable {
        path: copy.to_path_buf(),
        message: error.to_string(),
    };
    let entries = fs::read_dir(copy).map_err(unreadable)?;
    let roots = entries.map(|entry| entry.map(root)).collect::<Result<Vec<Root>, _>>();
    let roots = roots.map_err(unreadable)?;
    let found = visit(&roots, Left::default(), visitor, interrupt)?;
    match found == files {
        true => Ok(()),
        false => Err(BundleError::Damaged { path: copy.to_path_buf(), found }),
    }
}

/// Returns the digest of the files in a directory without the tournaments in it, and without what only stands beside
/// its sources if `beside_sources`.
fn digest_without(
    directory: &Path,
    beside_sources: bool,
    interrupt: Option<&Interrupt>,
) -> Result<String, BundleError> {
    let left = Left { tournaments: true, beside_sources, ..Left::default() };
    visit(&[root_of(directory)?], left, &mut OnlyDigest, interrupt)
}

/// Returns the root of a bundle that has the files of a directory.
fn root_of(directory: &Path) -> Result<Root, BundleError> {
    let source = directory.canonicalize().map_err(|error| BundleError::Unreadable {
        path: directory.to_path_buf(),
        message: error.to_string(),
    })?;
    Ok(Root { place: RUN.into(), source: Some(source) })
}

/// Removes a copy, of which every directory is read-only.
pub(super) fn remove(copy: &Path) {
    make_removable(copy);
    let _ = fs::remove_dir_all(copy);
}

pub(super) fn make_removable(directory: &Path) {
    let is_directory = directory.symlink_metadata().is_ok_and(|found| found.is_dir());
    if !is_directory || set_mode(directory, 0o700).is_err() {
        return;
    }
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        make_removable(&entry.path());
    }
}

/// Sets the permissions of a file or directory.
#[cfg(unix)]
pub(super) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

/// Does nothing: this system has no such permissions, and copies are not read-only on it.
#[cfg(not(unix))]
pub(super) fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
pub(super) fn make_link(text: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(text, link)
}

#[cfg(not(unix))]
fn make_link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "links are not copied on this system"))
}

/// A copy that is being made.
pub(super) struct Copy<'a> {
    at: &'a Path,
    /// Its directories, and whether users other than the owner may read them.
    directories: Vec<(PathBuf, bool)>,
    /// The file being written.
    file: Option<(File, PathBuf, FileKind)>,
    /// Whether all files are the bot's own, so that the bot may read them even if other users may
    /// not.
    is_bots_alone: bool,
}

impl<'a> Copy<'a> {
    /// Begins a copy in an empty directory.
    pub(super) fn new(at: &'a Path, is_bots_alone: bool) -> Copy<'a> {
        Copy { at, directories: Vec::new(), file: None, is_bots_alone }
    }

    /// Makes everything read-only.
    pub(super) fn close(&self) -> Result<(), BundleError> {
        let close = |path: &Path, is_open: bool| {
            let mode = self.mode(0o555, is_open);
            let closed = set_mode(path, mode);
            closed.map_err(|error| BundleError::Copy { path: path.to_path_buf(), error })
        };
        for (directory, is_open) in self.directories.iter().rev() {
            close(directory, *is_open)?;
        }
        close(self.at, true)
    }

    /// Returns a mode, without the permissions of other users if the original has none. If the
    /// directory has files of others, missing permissions hide those files from the bot.
    fn mode(&self, mode: u32, is_open: bool) -> u32 {
        if is_open || self.is_bots_alone { mode } else { mode & 0o700 }
    }

    fn failed(&self, place: &Path, error: io::Error) -> BundleError {
        BundleError::Copy { path: self.at.join(place), error }
    }
}

impl Visitor for Copy<'_> {
    fn directory(&mut self, place: &Path, is_open: bool) -> Result<(), BundleError> {
        let path = self.at.join(place);
        #[cfg_attr(not(unix), allow(unused_mut))] // Other systems have no modes.
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let made = builder.create(&path);
        made.map_err(|error| self.failed(place, error))?;
        self.directories.push((path, is_open));
        Ok(())
    }

    fn link(&mut self, place: &Path, text: &Path) -> Result<(), BundleError> {
        make_link(text, &self.at.join(place)).map_err(|error| self.failed(place, error))
    }

    fn file(&mut self, place: &Path, kind: FileKind) -> Result<(), BundleError> {
        let path = self.at.join(place);
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let opened = options.write(true).create_new(true).open(&path);
        let opened = opened.map_err(|error| self.failed(place, error))?;
        self.file = Some((opened, path, kind));
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), BundleError> {
        match &mut self.file {
            Some((file, path, _)) => file
                .write_all(bytes)
                .map_err(|error| BundleError::Copy { path: path.clone(), error }),
            None => Ok(()),
        }
    }

    fn end_of_file(&mut self) -> Result<(), BundleError> {
        let Some((file, path, kind)) = self.file.take() else { return Ok(()) };
        let mode = self.mode(if kind.is_executable { 0o555 } else { 0o444 }, kind.is_open);
        // Keeps the time, because Python compiles a module again if its file's time has changed.
        let kept = kind.modified.map_or(Ok(()), |modified| file.set_modified(modified));
        kept.and_then(|()| set_mode(&path, mode)).map_err(|error| BundleError::Copy { path, error })
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::programs::testing::programs;
    use botyard_referee::Source;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn bot(directory: &Path) -> BotCommand {
        BotCommand {
            name: "it".into(),
            program: "sh".into(),
            args: vec!["bot.sh".into()],
            directory: Some(directory.to_path_buf()),
            source: Source::Directory,
            ..BotCommand::default()
        }
    }

    fn mode(path: &Path) -> u32 {
        path.symlink_metadata().unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn an_interrupt_leaves_no_copy() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        fs::create_dir(place.join("ada")).unwrap();
        fs::write(place.join("ada/bot.sh"), "exec true").unwrap();
        let mut copies = Copies::create(&place.join("bundles")).unwrap();
        let command = bot(&place.join("ada"));
        let mut keep = |interrupt: &Interrupt| {
            copies.keep(&command, Surroundings::default(), &programs(), Some(interrupt))
        };
        let interrupt = Interrupt::new().unwrap();
        interrupt.raise();
        assert!(matches!(keep(&interrupt), Err(BundleError::Interrupted)));
        assert_eq!(fs::read_dir(place.join("bundles")).unwrap().count(), 0);
        let bundle = keep(&Interrupt::new().unwrap()).unwrap();
        // The same, of a copy that exists: it is read again.
        assert!(matches!(keep(&interrupt), Err(BundleError::Interrupted)));
        let checked = Copies::check_in(&place.join("bundles"), &bundle, Some(&interrupt));
        assert!(matches!(checked, Err(BundleError::Interrupted)));
        assert_eq!(fs::read_dir(place.join("bundles")).unwrap().count(), 1);
    }

    #[test]
    fn a_copy_is_read_only_and_equal_ones_are_kept_once() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        for name in ["ada", "ben"] {
            fs::create_dir_all(place.join(name).join("lib")).unwrap();
            fs::write(place.join(name).join("bot.sh"), "exec true").unwrap();
            fs::write(place.join(name).join("lib/tool"), "").unwrap();
            let executable = Permissions::from_mode(0o700);
            fs::set_permissions(place.join(name).join("lib/tool"), executable).unwrap();
            symlink("lib/tool", place.join(name).join("tool")).unwrap();
        }
        let mut copies = Copies::create(&place.join("cup/bundles")).unwrap();
        let mut keep = |name: &str| {
            copies
                .keep(&bot(&place.join(name)), Surroundings::default(), &programs(), None)
                .unwrap()
        };
        let bundle = keep("ada");
        assert_eq!(keep("ben"), bundle);
        let files = bundle.files.clone().unwrap();
        let copy = copies.path().join(&files);
        for (name, expected) in
            [("", 0o555), ("run", 0o555), ("run/bot.sh", 0o444), ("run/lib/tool", 0o555)]
        {
            assert_eq!(mode(&copy.join(name)), expected, "{name}");
        }
        assert_eq!(fs::read_link(copy.join("run/tool")).unwrap(), Path::new("lib/tool"));
        assert_eq!(fs::read_dir(copies.path()).unwrap().count(), 1);
        assert!(Copies::are_all_in(copies.path()));
        Copies::check_in(copies.path(), &bundle, None).unwrap();

        // A moved copy is valid; a changed one is refused by name.
        let moved = place.join("moved");
        fs::rename(place.join("cup"), &moved).unwrap();
        let copies = Copies::create(&moved.join("bundles")).unwrap();
        Copies::check_in(copies.path(), &bundle, None).unwrap();
        let script = moved.join("bundles").join(&files).join("run/bot.sh");
        fs::set_permissions(&script, Permissions::from_mode(0o644)).unwrap();
        fs::write(&script, "exec false").unwrap();
        let error = Copies::check_in(copies.path(), &bundle, None).unwrap_err();
        assert!(
            matches!(&error, BundleError::Damaged { path, .. } if path.ends_with(&files)),
            "{error}"
        );
        remove(&moved);
        let error = Copies::check_in(copies.path(), &bundle, None).unwrap_err();
        assert!(matches!(error, BundleError::Unreadable { .. }), "{error}");
    }

    #[test]
    fn what_was_made_is_taken_away_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        fs::create_dir_all(place.join("ada")).unwrap();
        fs::write(place.join("ada/bot.sh"), "").unwrap();
        for is_there in [false, true] {
            let bundles = place.join("bundles");
            if is_there {
                fs::create_dir_all(bundles.join("ab".repeat(32))).unwrap();
                fs::create_dir_all(bundles.join(".unfinished-1/run")).unwrap();
            }
            let mut copies = Copies::create(&bundles).unwrap();
            copies
                .keep(&bot(&place.join("ada")), Surroundings::default(), &programs(), None)
                .unwrap();
            copies.discard();
            let left = fs::read_dir(&bundles).map_or(0, Iterator::count);
            assert_eq!((bundles.exists(), left), (is_there, usize::from(is_there)));
        }
        fs::write(place.join("bundles/essay"), "").unwrap();
        assert!(!Copies::are_all_in(&place.join("bundles")));
    }
}
