//! What of the file system a contained bot needs: what its command names, the directory that this
//! lies in, and the programs that it finds by `PATH`. The system's own programs and libraries are
//! not listed here: every contained program has them.
//!
//! Nothing is given that holds more than a bot: not a home directory, though a bot may lie in it.

use crate::bot_command::BotCommand;
use std::env;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Parts of an installation, such as `~/.nvm/versions/node/v20` or a virtual environment, whose
/// programs lie in `bin`. Other parts may hold what is nobody's business: `~/.local/share` has the
/// keys of a desktop.
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

/// What is never given as a whole; nor is a home directory, or what holds one.
const TOO_WIDE: [&str; 11] =
    ["/", "/boot", "/dev", "/etc", "/home", "/proc", "/root", "/run", "/sys", "/tmp", "/var"];

/// What every contained program has anyway.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store"];

/// What a command needs to read, whose program was found at `program`.
pub fn needed_by(command: &BotCommand, program: &Path) -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let mut needed = Needed { home, paths: Vec::new() };
    let directories = env::var_os("PATH").unwrap_or_default();
    for directory in env::split_paths(&directories) {
        needed.programs_of(&directory);
    }
    if command.is_handed_in {
        // What it names may be anything of whoever runs the match. Its own program is in its
        // directory, the others are found by PATH.
        if !has_slash(&command.program) {
            needed.program(program);
        }
        command.directory.iter().for_each(|directory| needed.whole(directory));
        return needed.paths;
    }
    needed.program(program);
    files_named_by(command).for_each(|path| needed.named(&path));
    if let Some(directory) = &command.directory {
        needed.whole(directory);
    }
    needed.paths
}

/// The files and directories that the words of a command name, as far as they exist.
pub(crate) fn files_named_by(command: &BotCommand) -> impl Iterator<Item = PathBuf> {
    let args = command.args.iter().map(|arg| arg.as_os_str());
    let words = args.chain(command.options.values().map(OsStr::new));
    let paths = words.flat_map(named_by).map(Path::new);
    let paths = paths.map(|path| match &command.directory {
        Some(directory) => directory.join(path),
        None => path.to_path_buf(),
    });
    paths.filter_map(|path| std::path::absolute(path).ok()).filter(|path| path.exists())
}

fn has_slash(path: &Path) -> bool {
    path.as_os_str().as_bytes().contains(&b'/')
}

/// The directory for the data of `botyard`'s own bots, such as endgame tables.
pub fn data_directory() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let default = || Some(set("HOME")?.join(".local/share"));
    Some(set("XDG_DATA_HOME").or_else(default)?.join("botyard"))
}

/// What may be paths in an argument: all of it, the value of `--key=value`, the parts of a list
/// with colons such as a class path.
fn named_by(argument: &OsStr) -> impl Iterator<Item = &OsStr> {
    let bytes = argument.as_bytes();
    let value = bytes.splitn(2, |&byte| byte == b'=').nth(1);
    let parts = value.unwrap_or(bytes).split(|&byte| byte == b':');
    [bytes].into_iter().chain(value).chain(parts).map(OsStr::from_bytes)
}

struct Needed {
    home: Option<PathBuf>,
    paths: Vec<PathBuf>,
}

impl Needed {
    /// A directory of `PATH`, with the installation that it belongs to.
    fn programs_of(&mut self, directory: &Path) {
        let is_installation =
            matches!(directory.file_name().and_then(OsStr::to_str), Some("bin" | "sbin" | "shims"));
        self.whole(directory);
        if let Some(prefix) = directory.parent()
            && is_installation
            && !self.is_too_wide(prefix)
        {
            for part in INSTALLATION {
                self.whole(&prefix.join(part));
            }
        }
    }

    /// The bot's program: the file, where it leads to if it is a link, and the installation or
    /// directory of both.
    fn program(&mut self, program: &Path) {
        for path in [Some(program.to_path_buf()), program.canonicalize().ok()].into_iter().flatten()
        {
            // What lies beside this very program belongs to it, and not to a bot of its own.
            if !is_beside_this_program(&path)
                && let Some(directory) = path.parent()
            {
                self.programs_of(directory);
            }
            self.push(path);
        }
    }

    /// What a command names: a directory, or a file with the directory it lies in.
    fn named(&mut self, path: &Path) {
        for path in [Some(path.to_path_buf()), path.canonicalize().ok()].into_iter().flatten() {
            if path.is_dir() {
                self.whole(&path);
            } else {
                if let Some(directory) = path.parent() {
                    self.whole(directory);
                }
                self.push(path);
            }
        }
    }

    /// A directory with all that is in it, unless that is too much.
    fn whole(&mut self, directory: &Path) {
        let Ok(directory) = std::path::absolute(directory) else { return };
        let real = directory.canonicalize().unwrap_or_else(|_| directory.clone());
        if !self.is_too_wide(&directory) && !self.is_too_wide(&real) && real.exists() {
            self.push(directory);
        }
    }

    fn is_too_wide(&self, path: &Path) -> bool {
        TOO_WIDE.iter().any(|wide| path == Path::new(wide))
            || self.home.as_ref().is_some_and(|home| home.starts_with(path))
    }

    fn push(&mut self, path: PathBuf) {
        if !SYSTEM.iter().any(|given| path.starts_with(given))
            && !self.paths.iter().any(|given| path.starts_with(given))
        {
            self.paths.push(path);
        }
    }
}

fn is_beside_this_program(path: &Path) -> bool {
    let own = env::current_exe().ok();
    own.is_some_and(|own| own.parent() == path.parent())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn needed(home: &Path, command: &BotCommand) -> Vec<PathBuf> {
        let mut needed = Needed { home: Some(home.to_path_buf()), paths: Vec::new() };
        needed.program(&command.program);
        files_named_by(command).for_each(|path| needed.named(&path));
        needed.paths
    }

    #[test]
    fn a_bot_that_brings_its_own_command_gets_its_directory_only() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        for file in ["ada/bot.py", "keys/id_ed25519"] {
            let path = place.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        std::os::unix::fs::symlink(place.join("keys/id_ed25519"), place.join("ada/run")).unwrap();
        for program in ["python3", "ada/run", "keys/id_ed25519"] {
            let program = if program == "python3" { program.into() } else { place.join(program) };
            let command = BotCommand {
                program: program.clone(),
                args: vec![place.join("keys/id_ed25519").into()],
                directory: Some(place.join("ada")),
                is_handed_in: true,
                ..BotCommand::default()
            };
            let needed = needed_by(&command, &program);
            let own: Vec<_> = needed.iter().filter(|path| path.starts_with(&place)).collect();
            assert_eq!(own, [&place.join("ada")], "{program:?}");
        }
    }

    #[test]
    fn a_bot_gets_what_its_command_names_and_no_home() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        for file in ["bots/mine.py", "bots/weights.bin", "alone.py", "venv/bin/python"] {
            let path = home.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        fs::create_dir_all(home.join("venv/lib")).unwrap();
        fs::create_dir_all(home.join("venv/share")).unwrap();
        let at = |path: &str| home.join(path).into_os_string();
        let option = |path: &str| {
            let mut option = std::ffi::OsString::from("--weights=");
            option.push(at(path));
            option
        };
        for (program, args, expected) in [
            // The directory of a script, with what lies beside it.
            ("/usr/bin/python3", vec![at("bots/mine.py")], vec!["bots"]),
            // In a home directory itself, only the file.
            ("/usr/bin/python3", vec![at("alone.py")], vec!["alone.py"]),
            ("/usr/bin/python3", vec![option("bots/weights.bin")], vec!["bots"]),
            ("/usr/bin/java", vec!["-cp".into(), at("bots"), "Main".into()], vec!["bots"]),
            // An installation, without what does not belong to it.
            ("venv/bin/python", vec![], vec!["venv/bin", "venv/lib"]),
            ("alone.py", vec!["no/such/file".into()], vec!["alone.py"]),
        ] {
            let command = BotCommand { program: home.join(program), args, ..BotCommand::default() };
            let found = needed(&home, &command);
            let own: Vec<&Path> =
                found.iter().filter_map(|path| path.strip_prefix(&home).ok()).collect();
            let expected: Vec<&Path> = expected.into_iter().map(Path::new).collect();
            assert_eq!(own, expected, "{command:?}");
            assert!(found.iter().all(|path| path != Path::new("/")), "{found:?}");
        }
    }
}
