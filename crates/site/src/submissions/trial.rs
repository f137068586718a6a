//! The trial of a submission: it is built and checked, and plays the gate of the event, each by the code
//! of the command line. Everything is written to its log.

use super::cause::{cause, cause_first};
use super::copies::Submissions;
use crate::submissions::log::{LINE, Log};
use crate::submissions::{self, Submission};
use botyard_check::{Check, CheckConfig, CheckEvent, Status};
use botyard_engine::registry;
use botyard_league::schedule::ScheduledGame;
use botyard_protocol::printable;
use botyard_referee::{BotCommand, Interrupt};
use botyard_runner::bots::build::{BuildConfig, Outcome, build};
use botyard_runner::bots::bundle::{Bundle, Surroundings};
use botyard_runner::bots::spec;
use botyard_runner::words::counted;
use botyard_runner::{ContainmentConfig, Error, Message, Observer, Programs, Sandbox};
use botyard_tournament::{
    Admitted, Candidate, GateElsewhere, GateGames, Setup, SingleGate, admit_single,
};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The verdict on a submission.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// It is admitted: its bundle as JSON, and what it declared.
    Accepted(String, String),
    /// It is not, for this reason.
    Rejected(String),
}

/// What came of a trial.
pub(crate) struct Tried {
    /// The verdict.
    pub verdict: Result<Verdict, Error>,
    /// The digest of the files of its bundle, which is to be released once the verdict is stored.
    pub bundle: Option<String>,
}

/// The trial of a submission under the conditions of an event.
pub(crate) struct Trial<'a> {
    submissions: &'a Submissions,
    setup: &'a Setup,
    submission: &'a Submission,
    /// Where the bot is built.
    directory: PathBuf,
    interrupt: &'a Interrupt,
    log: Log<'a>,
    /// The digest of the files of its bundle, once it is stored.
    held: Option<String>,
}

impl<'a> Trial<'a> {
    /// Prepares the trial of a submission in the directory `place`, which is empty.
    pub(crate) fn new(
        submissions: &'a Submissions,
        setup: &'a Setup,
        submission: &'a Submission,
        place: &Path,
        interrupt: &'a Interrupt,
    ) -> Trial<'a> {
        let directory = place.join("bot");
        let id = submission.id;
        let place = format!("{}/", directory.display());
        let log = Log::new(&submissions.class, &place, move |transaction, text| {
            submissions::log(transaction, id, text)
        });
        Trial { submissions, setup, submission, directory, interrupt, log, held: None }
    }

    /// Builds, checks and tries the submission; its gate may be played `elsewhere`. The error of a verdict is an
    /// interrupt or a failure of the host: the submission is not to blame.
    pub(crate) fn run(mut self, elsewhere: &mut GateElsewhere<'_>) -> Tried {
        let verdict = self.tried(elsewhere);
        let flushed = self.log.flush();
        Tried { verdict: flushed.and(verdict), bundle: self.held }
    }

    fn game(&self) -> &'a str {
        &self.setup.file.game.value
    }

    fn programs(&self) -> &'a Programs {
        &self.submissions.class.programs
    }

    /// Writes why the submission is not admitted to its log.
    fn rejected(&mut self, reason: String) -> Result<Verdict, Error> {
        self.log.add(&format!("{reason}\n"))?;
        Ok(Verdict::Rejected(reason))
    }

    fn tried(&mut self, elsewhere: &mut GateElsewhere<'_>) -> Result<Verdict, Error> {
        let source = self.submissions.source(&self.submission.source);
        copy_tree(&source, &self.directory).map_err(|error| {
            Error::host(format!("{} cannot be copied: {error}", source.display()))
        })?;
        self.log.add(&format!("$ botyard build version-{}\n", self.submission.version))?;
        if let Some(reason) = self.built()? {
            return self.rejected(reason);
        }
        if let Some(path) = unusual_name(&self.directory) {
            let path = path.strip_prefix(&self.directory).unwrap_or(&path);
            let path = printable(&format!("{path:?}"), LINE);
            return self.rejected(format!(
                "the build left {path}: expected names and targets of links in UTF-8, without backslashes or control \
                 characters"
            ));
        }
        let (command, bundle) = match self.bundled()? {
            Ok(bundled) => bundled,
            Err(reason) => return self.rejected(reason),
        };
        self.admitted(command, bundle, elsewhere)
    }

    /// Checks and tries the bot that was built, and its bundle.
    fn admitted(
        &mut self,
        command: BotCommand,
        bundle: Bundle,
        elsewhere: &mut GateElsewhere<'_>,
    ) -> Result<Verdict, Error> {
        let version = self.submission.version;
        let game = match registry::digest_of(self.game()) {
            Some(_) => format!("./{}", registry::plain_name(self.game())),
            None => self.game().to_string(),
        };
        self.log.add(&format!("\n$ botyard check version-{version} --game {game}\n"))?;
        if let Some(reason) = self.checked(&command)? {
            return Ok(Verdict::Rejected(reason));
        }
        self.log.add("\ngate of the event\n")?;
        let candidate = Candidate { command, bundle };
        let mut setup = self.setup.clone();
        if let Some(gate) = &mut setup.file.gate {
            // They were made above, with a log.
            gate.checks = false;
        }
        // Other trials have the other cores.
        setup.file.run.concurrency = Some(1);
        let (programs, interrupt) = (self.programs(), self.interrupt);
        let mut elsewhere_played = None;
        let mut elsewhere = |gate: &SingleGate, candidate: &Candidate| {
            let played = elsewhere(gate, candidate)?;
            elsewhere_played = played.is_some().then(|| gate.games());
            Ok(played)
        };
        let mut gate = Gate { log: &mut self.log };
        let Admitted { entrant, rejected } =
            admit_single(&setup, &candidate, programs, &mut elsewhere, &mut gate, interrupt)?;
        if let Some(games) = elsewhere_played {
            let games = counted(games, "game");
            self.log.add(&format!("played by workers on other hosts: {games}\n"))?;
        }
        if let Some(reason) = rejected {
            self.log.add(&format!("rejected by the gate: {reason}\n"))?;
            return Ok(Verdict::Rejected(cause_first(reason)));
        }
        self.log.add("passed: this version plays from now on\n")?;
        let json = serde_json::to_string(&candidate.bundle)
            .map_err(|error| Error::host(format!("a bundle cannot be stored: {error}")))?;
        Ok(Verdict::Accepted(json, entrant.version))
    }

    /// Builds the bot. Returns why that failed, if so.
    fn built(&mut self) -> Result<Option<String>, Error> {
        let programs = self.programs();
        let config = BuildConfig {
            read: self.setup.readable()?,
            ..limits_of_builds(&self.setup.containment(), programs)
        };
        let mut show = |text: &str| self.log.add(text).map_err(io::Error::other);
        let launcher = &programs.launcher;
        let outcome = match build(&self.directory, &config, launcher, self.interrupt, &mut show) {
            Ok(outcome) => outcome,
            // What the manifest says is the author's.
            Err(Error::Usage(message)) => Outcome::Failed(message),
            Err(error) => return Err(error),
        };
        match outcome {
            Outcome::NothingToDo => self.log.add("nothing to build\n")?,
            Outcome::Built(tier) => self.log.add(&format!("built in sandbox tier {tier}\n"))?,
            Outcome::Failed(why) => {
                return Ok(Some(format!("build failed: {}", why.text(programs.name))));
            }
        }
        Ok(None)
    }

    /// Stores the built bot. Returns the command that runs the copy and its bundle, or why there is none.
    fn bundled(&mut self) -> Result<Result<(BotCommand, Bundle), String>, Error> {
        let (programs, directory) = (self.programs(), &self.directory);
        let spec = format!("./{}", directory.file_name().unwrap_or_default().to_string_lossy());
        let above = directory.parent().unwrap_or(directory);
        let command = match spec::command(&spec, self.game(), programs, above) {
            Ok(command) => command,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let readable = self.setup.readable()?;
        let surroundings = Surroundings { readable: &readable, ..Surroundings::default() };
        let kept = self.submissions.keep_bundle(&command, surroundings, self.interrupt);
        let (bundle, copies) = match kept {
            Ok(kept) => kept,
            Err(error) => return Ok(Err(error.of_author()?.in_words(&programs.advice()))),
        };
        let name = format!("submission {}", self.submission.id);
        self.held.clone_from(&bundle.files);
        let command = bundle.command(&name, &copies, programs);
        Ok(Ok((command, bundle)))
    }

    /// Makes the checks of `botyard check` in the game of the event, with the copy that will play. Returns which failed,
    /// if one did.
    fn checked(&mut self, command: &BotCommand) -> Result<Option<String>, Error> {
        let (setup, programs) = (self.setup, self.programs());
        let time = &setup.file.time;
        let name = format!("version-{}", self.submission.version);
        let defaults = CheckConfig::new(&*name);
        let config = CheckConfig {
            games: vec![self.game().to_string()],
            rules: setup.file.rules.as_ref().map(|rules| rules.value.clone()),
            changes: setup.file.rule.clone(),
            move_ms: time.move_ms.or(time.bank_ms).unwrap_or(defaults.move_ms),
            legal: setup.file.run.legal,
            is_copy: true,
            containment: setup.containment(),
            ..defaults
        };
        let mut checks = Checks { log: &mut self.log, failed: Vec::new(), cause: None };
        let command = BotCommand { name, ..command.clone() };
        let made =
            botyard_check::run_copy(&command, &config, programs, self.interrupt, &mut checks);
        let counts = match made {
            Ok(counts) => counts,
            // The configuration is the event's, which was checked: what is left is the bot's.
            Err(Error::Usage(message)) => return Ok(Some(message.text(programs.name))),
            Err(error) => return Err(error),
        };
        let (failed, cause) = (checks.failed, checks.cause);
        Ok((counts.failed > 0).then(|| {
            let number = counted(failed.len() as u64, "check");
            let failed = format!("{number} failed: {}", failed.join(", "));
            let hint = "The log says what was expected and what to do.";
            match cause {
                Some(cause) => format!("{cause}\n{failed}\n{hint}"),
                None => format!("{failed}\n{hint}"),
            }
        }))
    }
}

/// Returns the limits of a build in an event with this containment.
pub(crate) fn limits_of_builds(
    containment: &ContainmentConfig,
    programs: &Programs,
) -> BuildConfig {
    BuildConfig {
        // An event without a sandbox trusts its bots, and builds them so as well.
        sandbox: match containment.sandbox {
            Sandbox::None => Sandbox::None,
            _ => Sandbox::Strict,
        },
        cpu_seconds: 60,
        // The submissions of others wait.
        seconds: Some(300),
        memory_mib: 1024,
        processes: 256,
        scratch_mib: 256,
        output_mib: 256,
        read: Vec::new(),
        name: programs.name,
    }
}

/// The output of the checks.
struct Checks<'a, 'b> {
    log: &'a mut Log<'b>,
    failed: Vec<&'static str>,
    /// What the first failed check found.
    cause: Option<String>,
}

impl botyard_check::Observer for Checks<'_, '_> {
    fn warn(&mut self, _: &[Message]) {}

    fn working(&mut self, _: Check, _: &str) {}

    fn event(&mut self, event: CheckEvent) -> Result<(), Error> {
        if let CheckEvent::CheckResult(checked) = &event
            && checked.status == Status::Failed
        {
            self.failed.push(checked.check.as_str());
            if let (None, Some(finding)) = (&self.cause, checked.findings.first()) {
                self.cause = Some(cause(finding));
            }
        }
        self.log.add(&event.in_words())
    }
}

/// The output of the gate.
struct Gate<'a, 'b> {
    log: &'a mut Log<'b>,
}

impl<'a> Observer<GateGames<'a>> for Gate<'_, '_> {
    fn started(&mut self, gate: &GateGames<'a>, game: &ScheduledGame) -> Result<(), Error> {
        let (number, games) = (gate.settled() + 1, gate.games());
        self.log.add(&format!("game {number} of {games}, in block {}\n", game.block))
    }

    fn ended(&mut self, _: &GateGames<'a>, (): ()) -> Result<(), Error> {
        Ok(())
    }
}

/// Returns an entry below a directory whose name a backup cannot keep on every system, or a link with
/// such a target. What cannot be read is left to the copy of the bot.
pub(crate) fn unusual_name(directory: &Path) -> Option<PathBuf> {
    let is_plain = |text: &OsStr| {
        text.to_str()
            .is_some_and(|text| !text.contains('\\') && !text.chars().any(char::is_control))
    };
    fs::read_dir(directory).into_iter().flatten().flatten().find_map(|entry| {
        let (path, kind) = (entry.path(), entry.file_type().ok()?);
        let target = if kind.is_symlink() { fs::read_link(&path).ok() } else { None };
        let is_target_plain = target.is_none_or(|target| is_plain(target.as_os_str()));
        match is_plain(&entry.file_name()) && is_target_plain {
            true if kind.is_dir() => unusual_name(&path),
            true => None,
            false => Some(path),
        }
    })
}

/// Copies a directory of directories and regular files, so that the owner can write in it, and a bot with
/// another UID can read it, whatever the umask.
pub(crate) fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    #[cfg(unix)]
    fs::set_permissions(to, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target)?;
            let mut permissions = fs::metadata(&target)?.permissions();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let is_program = permissions.mode() & 0o111 != 0;
                permissions.set_mode(if is_program { 0o755 } else { 0o644 });
            }
            #[cfg(not(unix))]
            permissions.set_readonly(false);
            fs::set_permissions(&target, permissions)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    #[test]
    fn names_and_targets_that_a_backup_cannot_keep_are_found() {
        let place = tempfile::tempdir().expect("a directory");
        let below = place.path().join("lib");
        fs::create_dir(&below).expect("it is ours");
        fs::write(below.join("größe.py"), "").expect("it is ours");
        symlink("größe.py", below.join("link")).expect("it is ours");
        assert_eq!(unusual_name(place.path()), None);
        let target = OsStr::from_bytes(b"gr\xf6\xdfe.py");
        for name in [target, OsStr::new("a\\"), OsStr::new("a\nb")] {
            fs::write(below.join(name), "").expect("it is ours");
            assert_eq!(unusual_name(place.path()), Some(below.join(name)));
            fs::remove_file(below.join(name)).expect("it is ours");
        }
        symlink(target, below.join("other")).expect("it is ours");
        assert_eq!(unusual_name(place.path()), Some(below.join("other")));
    }
}
