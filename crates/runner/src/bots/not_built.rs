//! Bots in directories that were not built: the manifest has build commands, and what runs is missing.
//! A match would report the missing file without the cause.

use super::manifest::Manifest;
use super::spec::bot_in;
use crate::error::Error;
use crate::message;
use crate::settings::BUILD;
use crate::words::quoted;
use botyard_referee::{BotCommand, Source};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Options of `java` whose value is a list of paths with the program.
const PATH_OPTIONS: [&str; 4] = ["-cp", "-classpath", "--class-path", "-jar"];

/// A build tool that fetches packages, which it cannot in the sandbox of a build.
const CARGO: &str = "cargo ";

/// Checks that every bot in a directory was built, if its manifest has build commands.
///
/// # Errors
///
/// The first bot whose program is missing, with the command that builds it.
pub fn check_built(bots: &[BotCommand]) -> Result<(), Error> {
    for bot in bots.iter().filter(|bot| bot.source == Source::Manifest) {
        let Some(directory) = &bot.directory else { continue };
        let Ok(manifest) = Manifest::read(directory) else { continue };
        let Some(missing) = missing(bot, directory).filter(|_| !manifest.build.is_empty()) else {
            continue;
        };
        let shown = from_here(directory);
        let what = format!(
            "bot {}: it is not built, as there is no {}; to build it, run ",
            bot.name,
            from_here(&missing).display()
        );
        return Err(match manifest.build.iter().any(|line| line.starts_with(CARGO)) {
            true => {
                let directory = quoted(&shown.to_string_lossy());
                let commands = manifest.build.join(" && ");
                Error::usage(format!("{what}`(cd {directory} && {commands})`"))
            }
            false => Error::usage(message![what, BUILD.with(bot_in(&shown))]),
        });
    }
    Ok(())
}

/// Returns the program of a bot's command, or the classes that `java` is to run, if it does not exist in
/// the bot's directory.
fn missing(bot: &BotCommand, directory: &Path) -> Option<PathBuf> {
    if bot.program.starts_with(directory) {
        return (!bot.program.exists()).then(|| bot.program.clone());
    }
    if bot.program.file_stem().is_none_or(|name| name != "java") {
        return None;
    }
    let is_option = |word: &OsStr| PATH_OPTIONS.iter().any(|option| word == *option);
    let value = bot.args.iter().skip_while(|word| !is_option(word)).nth(1)?;
    // All archives of a directory are written `lib/*`.
    let of_directory = |path: &str| path.strip_suffix('*').unwrap_or(path).to_string();
    let mut paths = value.to_str()?.split(':').map(|path| directory.join(of_directory(path)));
    let first = paths.clone().next()?;
    (!paths.any(|path| path.exists())).then_some(first)
}

/// Returns a path relative to the current directory, if it is below it.
fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    // Components leave out a `.` in the middle.
    let shown: PathBuf = path.strip_prefix(&here).unwrap_or(path).components().collect();
    if shown.as_os_str().is_empty() { ".".into() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::manifest::FILE;
    use crate::bots::spec;
    use crate::programs::testing;
    use crate::settings::Named;
    use std::fs;

    /// Each case: the manifest, the path that the build makes, and what the error names.
    #[test]
    fn a_bot_that_is_not_built_is_named_with_the_command_that_builds_it() {
        for (manifest, built, expected) in [
            ("build = ['g++ -o bot bot.cpp']\nrun = './bot'\n", "bot", Some("botyard build ")),
            ("build = ['go build .']\nrun = 'out/bot --fast'\n", "out/bot", Some("there is no ")),
            (
                "build = ['javac -d classes Fox.java']\nrun = 'java -cp classes Fox'\n",
                "classes/Fox.class",
                Some("/classes; to build it, run `botyard build "),
            ),
            (
                "build = ['cargo build --release']\nrun = 'target/release/fox'\n",
                "target/release/fox",
                Some("fox && cargo build --release)`"),
            ),
            ("run = './bot'\n", "bot", None),
            ("build = ['make']\nrun = \"java -cp './*' Fox\"\n", "fox.jar", None),
            ("build = ['make']\nrun = 'sh -c true -cp 1.5'\n", "bot", None),
        ] {
            let place = tempfile::tempdir().unwrap();
            let directory = place.path().canonicalize().unwrap().join("fox");
            fs::create_dir(&directory).unwrap();
            fs::write(directory.join(FILE), manifest).unwrap();
            let spec = directory.to_string_lossy().into_owned();
            let programs = testing::programs();
            let bots = spec::commands(&[spec], "scotland-yard", &programs).unwrap();
            let found = check_built(&bots).map_err(|error| match error {
                Error::Usage(message) => message.text(Named::option),
                error => error.to_string(),
            });
            match expected {
                Some(expected) => {
                    let error = found.expect_err(manifest);
                    assert!(error.starts_with("bot fox: it is not built"), "{error}");
                    assert!(error.contains(expected), "{error}");
                }
                None => found.unwrap(),
            }
            fs::create_dir_all(directory.join(built).parent().unwrap()).unwrap();
            fs::write(directory.join(built), "").unwrap();
            check_built(&bots).unwrap();
        }
    }
}
