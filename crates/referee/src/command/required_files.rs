//! The files without which a bot cannot play. They existed when its games were planned; if one is
//! missing later, this is a failure of the host and not of the bot.

use crate::command::bot_command::BotCommand;
use crate::command::bot_files::files_named_by;
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(unix)]
use {
    rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat},
    std::ffi::OsStr,
    std::os::fd::OwnedFd,
    std::os::unix::ffi::OsStrExt,
};

/// The maximum number of files that are checked.
const MOST: usize = 20_000;

/// The permissions that a file must not lose.
const READABLE: u32 = 0o555;

/// The files without which a bot cannot play, with their permissions when its games were planned.
#[derive(Clone, Debug, Default)]
pub struct RequiredFiles(Arc<[(PathBuf, u32)]>);

impl RequiredFiles {
    /// Returns the files of a command as far as they exist: its program, its directory and the
    /// files that its arguments name; and if it has a bundle, everything in it, up to 20,000 files.
    pub fn of(command: &BotCommand) -> RequiredFiles {
        let mut files = Vec::new();
        let named = files_named_by(command).flatten().map(|(path, _)| path);
        let paths = command.find_program().into_iter().chain(command.directory.clone());
        for path in paths.chain(named) {
            files.extend(mode_of(&path).map(|mode| (path, mode)));
        }
        if let Some(bundle) = &command.bundle {
            list_all(bundle, &mut files);
        }
        RequiredFiles(files.into())
    }

    /// Returns which of the files is missing or no longer readable, as the end of a sentence.
    pub(crate) fn first_missing(&self) -> Option<String> {
        let lost = |(path, before): &(PathBuf, u32)| match mode_of(path) {
            None => {
                Some(format!("{} is gone, but it existed before the first game", path.display()))
            }
            Some(mode) if before & READABLE & !mode != 0 => {
                Some(format!("{} cannot be read any longer", path.display()))
            }
            Some(_) => None,
        };
        self.0.iter().find_map(lost)
    }
}

/// Returns the permissions of the file at a path. Symbolic links are followed.
#[cfg(unix)]
#[allow(clippy::useless_conversion)] // Modes are narrower on some systems.
fn mode_of(path: &Path) -> Option<u32> {
    statat(CWD, path, AtFlags::empty()).ok().map(|found| found.st_mode.into())
}

/// Returns whether a file exists: permissions are not known on this system.
#[cfg(not(unix))]
fn mode_of(path: &Path) -> Option<u32> {
    path.exists().then_some(READABLE)
}

/// Lists the files below a directory with their permissions. The targets of links are left out.
#[cfg(not(unix))]
fn list_all(directory: &Path, files: &mut Vec<(PathBuf, u32)>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if files.len() >= MOST {
            return;
        }
        if kind.is_dir() {
            list_all(&entry.path(), files);
        }
        if !kind.is_symlink() {
            files.push((entry.path(), READABLE));
        }
    }
}

/// Lists the files below a directory with their permissions. The targets of links are left out.
#[cfg(unix)]
fn list_all(directory: &Path, files: &mut Vec<(PathBuf, u32)>) {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    if let Ok(opened) = openat(CWD, directory, flags, Mode::empty()) {
        list(opened, directory, files);
    }
}

#[cfg(unix)]
#[allow(clippy::useless_conversion)]
fn list(directory: OwnedFd, path: &Path, files: &mut Vec<(PathBuf, u32)>) {
    let Ok(entries) = Dir::read_from(&directory) else { return };
    for entry in entries.flatten() {
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let Ok(found) = statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        let path = path.join(name);
        match FileType::from_raw_mode(found.st_mode) {
            // The target of a link is either listed itself or not required.
            FileType::Symlink => continue,
            FileType::Directory => {
                let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                if let Ok(inner) = openat(&directory, name, flags, Mode::empty()) {
                    list(inner, &path, files);
                }
            }
            _ => {}
        }
        if files.len() >= MOST {
            return;
        }
        files.push((path, found.st_mode.into()));
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn what_has_gone_or_was_closed_is_named() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("lib")).unwrap();
        for file in ["bot.py", "lib/brain.py"] {
            fs::write(path(file), "").unwrap();
        }
        let command = BotCommand {
            program: "sh".into(),
            args: vec!["bot.py".into(), "not-there".into()],
            directory: Some(place.path().into()),
            ..BotCommand::default()
        };
        let named = RequiredFiles::of(&command);
        let bundle = Some(place.path().to_path_buf());
        let whole = RequiredFiles::of(&BotCommand { bundle, ..command });
        assert_eq!((named.first_missing(), whole.first_missing()), (None, None));
        // A file that the command does not name may be missing, unless it is part of a bundle.
        fs::remove_file(path("lib/brain.py")).unwrap();
        assert_eq!(named.first_missing(), None);
        assert!(whole.first_missing().unwrap().contains("lib/brain.py is gone"));
        fs::set_permissions(path("bot.py"), fs::Permissions::from_mode(0o000)).unwrap();
        assert!(named.first_missing().unwrap().contains("bot.py cannot be read"));
        fs::remove_file(path("bot.py")).unwrap();
        assert!(named.first_missing().unwrap().contains("bot.py is gone"));
    }
}
