//! `botyard match --repeat-on-change`: builds the bots that have a build, plays the match, waits until a
//! file of a bot has changed, and begins again, until it is interrupted.

use super::changes::{Files, Of, Written};
use super::{MatchArgs, planned, play};
use crate::failure::{Failure, in_words};
use crate::installed::{game, programs};
use crate::sandbox_command::launcher;
use crate::text::{eprint_line, eprint_text};
use botyard_referee::{BotCommand, Interrupt, Source};
use botyard_runner::bots::build::{BuildConfig, Outcome, build};
use botyard_runner::bots::manifest::Manifest;
use botyard_runner::bots::spec;
use botyard_runner::settings::Named;
use botyard_runner::words::quoted;
use botyard_runner::{Config, Sandbox};
use botyard_sandbox::Tier;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The time between two looks at the files. A change is over when two looks see the same.
const LOOK: Duration = Duration::from_millis(300);

/// The time between two looks at whether the match is over to which an interrupt is passed on.
const RELAY: Duration = Duration::from_millis(50);

/// How many builds in a row change a file that the build writes. A bot that was built before is built
/// this often at first.
const BUILDS: u32 = 2;

/// How many matches in a row change a file that the bot writes. More, because a match can be long
/// enough for several edits.
const MATCHES: u32 = 3;

/// A bot whose files are looked at.
struct Watched {
    command: BotCommand,
    /// What builds it.
    build: Build,
    /// Whether it has a build, and no build has succeeded since its files changed last.
    needs_build: bool,
    /// What its files are compared with: a look at them before the last build or match, with what
    /// these wrote.
    before: Files,
    by_build: Written,
    by_match: Written,
}

/// How a bot is built before a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    /// Not at all.
    None,
    /// By `botyard build`.
    ByBotyard,
    /// By its author: Cargo needs what the sandbox of a build withholds.
    ByCargo,
}

impl Watched {
    fn new(command: BotCommand, sandbox: Sandbox) -> Watched {
        let manifest = (command.source == Source::Manifest).then_some(command.directory.as_deref());
        let manifest = manifest.flatten().and_then(|directory| Manifest::read(directory).ok());
        let build = match manifest.map_or(Vec::new(), |manifest| manifest.build) {
            commands if commands.is_empty() => Build::None,
            commands if sandbox == Sandbox::None || !is_of_cargo(&commands) => Build::ByBotyard,
            _ => Build::ByCargo,
        };
        let mut bot = Watched {
            command,
            build,
            // What was built before may be old.
            needs_build: build == Build::ByBotyard,
            before: Files::default(),
            by_build: Written::after(BUILDS),
            by_match: Written::after(MATCHES),
        };
        bot.before = bot.files();
        bot
    }

    fn files(&self) -> Files {
        // The sources of a program that is built elsewhere change before it does.
        let of = if self.build == Build::ByCargo { Of::Command } else { Of::Directory };
        Files::of(&self.command, of)
    }

    fn changed(&self) -> Option<PathBuf> {
        self.files().changed_since(&self.before)
    }

    /// Looks at its files before they are used. It needs a build if they have changed.
    fn look(&mut self) {
        let now = self.files();
        let has_changed = now.changed_since(&self.before).is_some();
        self.needs_build |= has_changed && self.build == Build::ByBotyard;
        self.before = now;
    }

    /// Builds it if it needs that, and again if it was edited meanwhile. It still needs it if a build
    /// fails.
    fn build(&mut self, config: &BuildConfig, interrupt: &Interrupt) -> anyhow::Result<()> {
        while self.needs_build {
            let Some(directory) = self.command.directory.clone() else { return Ok(()) };
            self.look();
            let outcome = build(&directory, config, &launcher(), interrupt, &mut eprint_text)?;
            let has_failed = matches!(outcome, Outcome::Failed(_));
            let now = self.files();
            self.before = self.by_build.adopted(&self.before, &now, has_failed);
            if let Outcome::Failed(why) = outcome {
                let (name, why) = (&self.command.name, why.text(Named::option));
                eprint_line(&format!("{name}: build failed: {why}"));
                return Ok(());
            }
            let edited = now.changed_since(&self.before);
            if let Some(file) = &edited {
                eprint_line(&format!("changed during the build: {}", file.display()));
            }
            self.needs_build = edited.is_some();
        }
        Ok(())
    }
}

/// Ends the relay of an interrupt when it is dropped, also by a panic.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn is_of_cargo(commands: &[String]) -> bool {
    commands.iter().any(|command| command.starts_with("cargo "))
}

/// Plays the match again whenever a file of a bot has changed. Returns the exit code of the last match.
///
/// # Errors
///
/// The first match cannot be planned, a failure of the host, or an output that cannot be written.
pub(super) fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let game = game(&args.game)?;
    let programs = programs()?;
    let commands = spec::commands(&args.bots, &game, &programs).map_err(Failure::usage)?;
    let config = Config::from(args);
    let build =
        BuildConfig { sandbox: config.containment.sandbox, ..BuildConfig::new(Named::option) };
    let sandbox = config.containment.sandbox;
    let mut bots: Vec<Watched> = Vec::new();
    for command in commands {
        // A bot that plays against itself is built once. Built-in bots are not the author's.
        let directory = &command.directory;
        let is_same = |bot: &Watched| directory.is_some() && bot.command.directory == *directory;
        if programs.built_in_of(&command).is_none() && !bots.iter().any(is_same) {
            bots.push(Watched::new(command, sandbox));
        }
    }
    for bot in bots.iter().filter(|bot| bot.build == Build::ByCargo) {
        let directory = bot.command.directory.as_deref().unwrap_or(Path::new("."));
        eprint_line(&format!(
            "{}: Cargo builds it, which needs what the sandbox withholds: after a change, run (cd {} && cargo \
             build --release)",
            bot.command.name,
            quoted(&directory.to_string_lossy())
        ));
    }
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let mut code = ExitCode::SUCCESS;
    let mut is_first = true;
    loop {
        for bot in &mut bots {
            bot.build(&build, &interrupt)?;
        }
        if bots.iter().all(|bot| !bot.needs_build) {
            // The match uses these as they are. The others may have been edited since their builds.
            let as_they_are = bots.iter_mut().filter(|bot| bot.build != Build::ByBotyard);
            as_they_are.for_each(Watched::look);
            match once(args, &interrupt, &mut bots) {
                Ok(played) => code = played,
                Err(error) if is_first => return Err(error),
                Err(error) => eprint_line(&format!("error: {}", in_words(&error))),
            }
            is_first = false;
        }
        if interrupt.is_raised() {
            return Ok(code);
        }
        eprint_line("waiting for a change of a bot's files; Ctrl-C ends");
        match await_change(&bots, &interrupt) {
            Some(file) => eprint_line(&format!("changed: {}\n", file.display())),
            None => return Ok(code),
        }
        bots.iter_mut().for_each(Watched::look);
    }
}

/// Plays the match once.
fn once(args: &MatchArgs, interrupt: &Interrupt, bots: &mut [Watched]) -> anyhow::Result<ExitCode> {
    let plan = planned(args)?;
    // A match that stops early raises its own switch, which cannot be reset.
    let of_match = Interrupt::new().map_err(Failure::host)?;
    let is_over = AtomicBool::new(false);
    let played = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                if interrupt.is_raised_within(RELAY) {
                    return of_match.raise();
                }
            }
        });
        let _ends = Ends(&is_over);
        play(&plan, args, &of_match)
    });
    plan.remove_unused_directory();
    if matches!(plan.tier, Tier::None | Tier::D) {
        // The bots may have written files.
        for bot in bots {
            let now = bot.files();
            bot.before = bot.by_match.adopted(&bot.before, &now, played.is_err());
        }
    }
    played
}

/// Waits until a file has changed and changes no more, and returns it; `None` after an interrupt.
fn await_change(bots: &[Watched], interrupt: &Interrupt) -> Option<PathBuf> {
    let look = || bots.iter().map(Watched::files).collect::<Vec<Files>>();
    let mut before = look();
    loop {
        if interrupt.is_raised_within(LOOK) {
            return None;
        }
        let now = look();
        let is_still = now.iter().zip(&before).all(|(now, before)| now == before);
        if let Some(file) = bots.iter().find_map(Watched::changed).filter(|_| is_still) {
            return Some(file);
        }
        before = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Returns a bot with this build in a new directory with these files, each with its name as its text.
    fn bot(build: &str, files: &[&str]) -> (tempfile::TempDir, Watched) {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().canonicalize().unwrap();
        let manifest = format!("build = ['{build}']\nrun = 'python3 bot.py'\n");
        fs::write(directory.join("bot.toml"), manifest).unwrap();
        for file in files {
            fs::write(directory.join(file), file).unwrap();
        }
        let command = BotCommand {
            directory: Some(directory),
            source: Source::Manifest,
            ..BotCommand::default()
        };
        (place, Watched::new(command, Sandbox::None))
    }

    fn build_it(bot: &mut Watched) {
        let config = BuildConfig { sandbox: Sandbox::None, ..BuildConfig::new(Named::option) };
        bot.build(&config, &Interrupt::new().unwrap()).unwrap();
    }

    #[test]
    fn a_bot_needs_a_build_until_one_succeeds() {
        let (place, mut bot) = bot("cp source.py bot.py", &[]);
        // The second time after a change of another bot.
        for _ in 0..2 {
            build_it(&mut bot);
            assert!(bot.needs_build);
            bot.look();
        }
        fs::write(place.path().join("source.py"), "1").unwrap();
        build_it(&mut bot);
        assert!(!bot.needs_build);
        assert_eq!(bot.changed(), None);
        fs::write(place.path().join("source.py"), "22").unwrap();
        bot.look();
        assert!(bot.needs_build);
    }

    #[test]
    fn a_build_that_changes_an_old_file_ends() {
        let (place, mut bot) = bot("cp source.py bot.py", &["source.py", "bot.py"]);
        build_it(&mut bot);
        assert!(!bot.needs_build);
        assert_eq!(bot.changed(), None);
        assert_eq!(fs::read_to_string(place.path().join("bot.py")).unwrap(), "source.py");
    }
}
