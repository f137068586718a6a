//! Installations of language runtimes: the directories of one that a bot may read, and where version
//! managers keep them.

use crate::command::bot_files::TOO_WIDE;
use std::env;
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
/// installation.
pub(super) fn parts_of_installation(directory: &Path) -> Vec<PathBuf> {
    let is_bin =
        matches!(directory.file_name().and_then(OsStr::to_str), Some("bin" | "sbin" | "shims"));
    let is_home = |prefix: &Path| env::var_os("HOME").is_some_and(|home| home == *prefix);
    let prefix = directory.parent().filter(|prefix| is_bin && !is_home(prefix));
    let prefix = prefix.filter(|prefix| !TOO_WIDE.iter().any(|wide| *prefix == Path::new(wide)));
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
