//! The directory that an archive is unpacked into, and what is left of its limits.

use super::{Limits, Refused, shown, too_many};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Where an archive is unpacked.
pub(super) struct Target<'a> {
    into: &'a Path,
    limits: Limits,
    /// The bytes that are left.
    left: u64,
    /// The directories that were made.
    made: HashSet<PathBuf>,
    /// All files and directories by their names in lower case.
    names: HashMap<String, PathBuf>,
}

impl<'a> Target<'a> {
    pub(super) fn new(into: &'a Path, limits: Limits) -> Target<'a> {
        Target { into, limits, left: limits.bytes, made: HashSet::new(), names: HashMap::new() }
    }

    pub(super) const fn limits(&self) -> Limits {
        self.limits
    }

    /// Refuses a path that another one differs from in case alone: on other systems they are one file.
    fn check_case(&mut self, path: &Path) -> Result<(), Refused> {
        let folded = path.to_string_lossy().to_lowercase();
        match self.names.insert(folded, path.to_path_buf()) {
            Some(other) if other != path => Err(Refused::archive(format!(
                "the archive has {} and {}, which differ in capital letters alone: rename one of them",
                shown(&other),
                shown(path)
            ))),
            _ => Ok(()),
        }
    }

    /// Makes a directory and those above it.
    pub(super) fn directory(&mut self, path: &Path) -> Result<(), Refused> {
        let mut above: Vec<&Path> =
            path.ancestors().filter(|path| !path.as_os_str().is_empty()).collect();
        above.reverse();
        for directory in above {
            if self.made.contains(directory) {
                continue;
            }
            if self.made.len() >= self.limits.entries {
                return Err(too_many(self.made.len() + 1, self.limits));
            }
            self.check_case(directory)?;
            fs::create_dir(self.into.join(directory)).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => Refused::archive(format!(
                    "the archive has {} as a file and as a directory",
                    shown(directory)
                )),
                _ => Refused::Host(error),
            })?;
            self.made.insert(directory.to_path_buf());
        }
        Ok(())
    }

    /// Writes a file, and makes the directories above it.
    pub(super) fn file(
        &mut self,
        path: &Path,
        is_program: bool,
        content: &mut impl Read,
    ) -> Result<(), Refused> {
        self.directory(path.parent().unwrap_or(Path::new("")))?;
        self.check_case(path)?;
        let shown = shown(path);
        let mut file =
            create(&self.into.join(path), is_program).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists | io::ErrorKind::IsADirectory => {
                    Refused::archive(format!("the archive has {shown} twice"))
                }
                _ => Refused::Host(error),
            })?;
        // One byte more than is left, to notice that there is more. What the archive says of its sizes
        // does not matter.
        let mut reader = content.take(self.left.saturating_add(1));
        let written = io::copy(&mut reader, &mut file)
            .map_err(|error| Refused::archive(format!("{shown} cannot be unpacked: {error}")))?;
        self.left = self.left.checked_sub(written).ok_or_else(|| too_large(self.limits))?;
        Ok(())
    }
}

pub(super) fn too_large(limits: Limits) -> Refused {
    Refused::archive(format!(
        "the archive unpacks to more than {} MiB",
        limits.bytes.div_ceil(1 << 20)
    ))
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
