//! Installations of language runtimes: the directories of one that a bot may read, and where version
//! managers keep them.

use crate::command::wide_directory::WideDirectories;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Parts of an installation, such as `~/.nvm/versions/node/v20` or a virtual environment, whose
/// programs are in `bin`. Other parts may hold private data: `~/.local/share` has the keys of a
/// desktop.
const INSTALLATION: [&str; 12] = [
    "bin",
    "lib",
    "lib64",
    "libexec",
    "jre",
    "conf",
    "jmods",
    "shims",
    "versions",
    "version",
    "plugins",
    "pyvenv.cfg",
];

/// Where version managers keep installations, below a home directory. Each entry of these
/// directories is an installation and holds nothing else. A virtual environment may link to one
/// that is not in `PATH`.
pub(super) const INSTALLATIONS: [&str; 6] = [
    ".local/share/uv/python",
    ".local/share/mise/installs",
    ".pyenv/versions",
    ".asdf/installs",
    ".nvm/versions",
    ".sdkman/candidates",
];

/// Returns a directory of programs and, if it is the `bin` of an installation, the parts of that
/// installation. No user's home directory is one.
pub(super) fn parts_of_installation(directory: &Path, wide: &WideDirectories) -> Vec<PathBuf> {
    let is_bin =
        matches!(directory.file_name().and_then(OsStr::to_str), Some("bin" | "sbin" | "shims"));
    let prefix = directory.parent().filter(|prefix| is_bin && !wide.is_home_or_top(prefix));
    let parts = prefix.into_iter().flat_map(|prefix| INSTALLATION.map(|part| prefix.join(part)));
    [directory.to_path_buf()].into_iter().chain(parts).filter(|part| part.exists()).collect()
}

/// Returns whether a directory is the `bin` of a Python installation, which is recognized by its
/// standard library.
pub(super) fn is_of_python(directory: &Path) -> bool {
    let Some(prefix) = directory.parent().filter(|_| directory.ends_with("bin")) else {
        return false;
    };
    let libraries = std::fs::read_dir(prefix.join("lib")).into_iter().flatten().flatten();
    libraries
        .filter(|library| library.file_name().to_string_lossy().starts_with("python3"))
        .any(|library| library.path().join("os.py").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The programs in a user's `bin` do not make an installation of the home around it.
    #[test]
    fn a_home_is_no_installation() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        for part in ["bin", "lib", "conf", "keys"] {
            fs::create_dir(place.join(part)).unwrap();
        }
        let parts = |homes: Vec<PathBuf>| {
            let wide = WideDirectories::of(homes.into_iter());
            parts_of_installation(&place.join("bin"), &wide)
        };
        assert_eq!(parts(vec![]), ["bin", "bin", "lib", "conf"].map(|part| place.join(part)));
        assert_eq!(parts(vec![place.clone()]), [place.join("bin")]);
    }
}
