//! A bot of a match: the command that starts it and, while it runs, its program. It may play many
//! games in sequence. After a failure, or when it has ended, it is restarted. This module does not
//! know what a bot must do in a game.

pub(crate) mod departure;
pub(crate) mod line_program;
#[cfg(target_os = "linux")]
mod native_start;
pub(crate) mod poll_loop;
#[cfg(target_os = "linux")]
mod prepared;
mod rest;
mod start_attempts;
mod start_error;
// Only the native back end prepares bots.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
mod start_permit;

use crate::bot::poll_loop::{Moment, await_line, send};
#[cfg(target_os = "linux")]
use crate::bot::prepared::PreparedBot;
use crate::bot::start_attempts::{PAUSES, StartWatch, may_pass, unless_being_written};
use crate::bot::start_error::NotStarted;
pub use crate::bot::start_error::StartError;
use crate::bot::start_permit::StartPermit;
use crate::clock::allowance::Allowance;
use crate::clock::deadline::Deadline;
use crate::clock::seat_clock::MAX_MS;
use crate::command::backend::Backend;
use crate::command::bot_command::{BotCommand, LaunchError};
use crate::command::containment::Containment;
use crate::command::required_files::RequiredFiles;
use crate::command::wrapper::Wrapper;
use crate::failure::{BotFailure, Failure, HostFailure, Survivors, protocol_failure};
use crate::host::InGame;
use crate::host::gauge::ThisHost;
use crate::program::cause::{ContainedBy, how_to_flush};
use crate::program::connection::{Connected, Connection, Notice, ReadResult};
use crate::program::disturbance::Disturbance;
use crate::program::interrupt::Interrupt;
use crate::program::portable::PortableProgram;
use crate::program::processes::Processes;
use crate::program::streams::Streams;
use crate::program::wiretap::{BotTap, Wiretap};
use botyard_protocol::{
    BotHello, BotLine, FaultKind, Limits, PROTOCOL, check_options, check_specs, parse_bot_line,
    printable,
};
use botyard_replay::HostEvidence;
use botyard_replay::briefing::{REFEREE_VERSION, write_hello};
use botyard_sandbox::{Scheduling, Tier};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::process::Command;
use std::time::{Duration, Instant};

/// The maximum length of a name, a version or an author, in characters.
const NAME_CHARACTERS: usize = 80;

/// A bot of a match. Dropping it kills its processes immediately; [`Bot::quit_all`] lets it quit
/// first.
#[derive(Debug)]
pub struct Bot {
    command: BotCommand,
    hello: Option<BotHello>,
    options: BTreeMap<String, Value>,
    connection: Option<Connection>,
    /// Its launcher, if it is contained already and waits for its start.
    #[cfg(target_os = "linux")]
    prepared: Option<PreparedBot>,
    start_failure: Option<BotFailure>,
    start_overload: Option<Box<HostEvidence>>,
    start_host_failure: Option<String>,
    start_repeats: u32,
    stderr_at_start: String,
    has_failed: bool,
    is_untimed: bool,
    needs_legal: bool,
    rests: bool,
    backend: Backend,
    containment: Option<Containment>,
    wrapper: Option<Wrapper>,
    required: RequiredFiles,
    wiretap: Option<Wiretap>,
    notice: Option<Notice>,
    is_debugged: bool,
    disturbance: Disturbance,
}

impl Bot {
    /// Returns a bot that is not running yet.
    pub fn new(command: BotCommand) -> Bot {
        Bot {
            command,
            hello: None,
            options: BTreeMap::new(),
            connection: None,
            #[cfg(target_os = "linux")]
            prepared: None,
            start_failure: None,
            start_overload: None,
            start_host_failure: None,
            start_repeats: 0,
            stderr_at_start: String::new(),
            has_failed: false,
            is_untimed: false,
            needs_legal: false,
            rests: false,
            backend: Backend::default(),
            containment: None,
            wrapper: None,
            required: RequiredFiles::default(),
            wiretap: None,
            notice: None,
            is_debugged: false,
            disturbance: Disturbance::default(),
        }
    }

    /// Sets the files that the bot needs. If one of them is missing when the bot fails, this is a
    /// failure of the host and not of the bot.
    #[must_use]
    pub fn requiring(self, required: RequiredFiles) -> Bot {
        Bot { required, ..self }
    }

    /// Sets changes to the lines that the bot is sent, from its next start on.
    #[must_use]
    pub fn disturbed(self, disturbance: Disturbance) -> Bot {
        Bot { disturbance, ..self }
    }

    /// Returns the host's failure if one of the bot's files is missing; `None` if none is.
    pub fn lost_files(&self) -> Option<HostFailure> {
        let missing = self.required.first_missing()?;
        let error = io::Error::other(format!("a file of {}: {missing}", self.name()));
        Some(HostFailure::new("running a bot", error))
    }

    /// Sets the wrapper command that starts the bot, from its next start on; `None` for no wrapper.
    #[must_use]
    pub fn wrapped(self, wrapper: impl Into<Option<Wrapper>>) -> Bot {
        Bot { wrapper: wrapper.into(), ..self }
    }

    /// Sets the back end that runs the bot, from its next start on. With [`Backend::Portable`] its
    /// containment and its wrapper are ignored, and it is never frozen.
    #[must_use]
    pub fn run_by(self, backend: Backend) -> Bot {
        Bot { backend, ..self }
    }

    /// Returns the back end that runs the bot.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Sets how the bot is contained, from its next start on; `None` for not at all. A contained
    /// bot is killed when the thread that started it ends.
    #[must_use]
    pub fn contained(self, containment: impl Into<Option<Containment>>) -> Bot {
        Bot { containment: containment.into(), ..self }
    }

    /// Sets what receives the lines of the bot's standard streams, from its next start on.
    #[must_use]
    pub fn tapped(self, wiretap: impl Into<Option<Wiretap>>) -> Bot {
        Bot { wiretap: wiretap.into(), ..self }
    }

    /// Sets what receives a sentence if the bot has not answered `hello` or `start` when its time is over,
    /// from its next start on. The ruling may take much longer on a busy host.
    #[must_use]
    pub fn announcing_silence(self, notice: impl Into<Option<Notice>>) -> Bot {
        Bot { notice: notice.into(), ..self }
    }

    /// Prepares the bot for a debugger, from its next start on: it is not contained, never stopped,
    /// and has no time limit but that for its exit.
    #[must_use]
    pub fn debugged(self) -> Bot {
        let bot = self.contained(None).with_freeze(false).untimed();
        Bot { is_debugged: true, ..bot }
    }

    /// Returns whether the bot is prepared for a debugger.
    pub(crate) fn is_debugged(&self) -> bool {
        self.is_debugged
    }

    /// Returns the limit of its start-up or set-up, in milliseconds.
    pub(crate) fn allowed_ms(&self, limit_ms: u64) -> u64 {
        if self.is_debugged { MAX_MS } else { limit_ms }
    }

    /// Returns the tier in which the bot runs.
    pub fn tier(&self) -> Tier {
        match (&self.wrapper, &self.containment) {
            _ if self.backend == Backend::Portable => Tier::None,
            (Some(_), _) => Tier::D,
            (None, Some(containment)) => containment.tier,
            (None, None) => Tier::None,
        }
    }

    /// Removes the bot's clock, whatever the time control of its games: for a bot that acts for a
    /// person. The time limits of other bots do not change, and its start-up and set-up remain
    /// limited.
    #[must_use]
    pub fn untimed(self) -> Bot {
        Bot { is_untimed: true, ..self }
    }

    /// Returns whether the bot has no clock.
    pub fn is_untimed(&self) -> bool {
        self.is_untimed
    }

    /// Lists the legal actions in its turns, even if those of the other bots have none: for a bot that acts for
    /// a person, to whom they are offered.
    #[must_use]
    pub fn with_legal(self) -> Bot {
        Bot { needs_legal: true, ..self }
    }

    /// Returns whether its turns list the legal actions whatever those of other bots do.
    pub(crate) fn needs_legal(&self) -> bool {
        self.needs_legal
    }

    /// Returns the command that starts it.
    pub fn command(&self) -> &BotCommand {
        &self.command
    }

    /// Returns its name in the match.
    pub fn name(&self) -> &str {
        &self.command.name
    }

    /// Returns its `hello` of the last start; `None` before the first. Its texts are made printable
    /// and shortened.
    pub fn hello(&self) -> Option<&BotHello> {
        self.hello.as_ref()
    }

    /// Returns the options that the match sets, checked and typed; empty before the first start.
    pub fn options(&self) -> &BTreeMap<String, Value> {
        &self.options
    }

    /// Returns why its last start failed; `None` if it succeeded or there was none.
    pub fn start_failure(&self) -> Option<&BotFailure> {
        self.start_failure.as_ref()
    }

    /// Returns the measurements of the host, if its last start failed because the host was
    /// overloaded.
    pub(crate) fn start_overload(&self) -> Option<&HostEvidence> {
        self.start_overload.as_deref()
    }

    /// Returns the host's error, if its last start failed because of one.
    pub(crate) fn start_host_failure(&self) -> Option<&str> {
        self.start_host_failure.as_deref()
    }

    /// Returns how often its last start was repeated because the host had delayed it.
    pub fn start_repeats(&self) -> u32 {
        self.start_repeats
    }

    /// Returns its standard error of a start that failed; empty otherwise.
    pub fn stderr_at_start(&self) -> &str {
        &self.stderr_at_start
    }

    /// Returns its process group ID; `None` while it is not running.
    pub fn process_group(&self) -> Option<i32> {
        self.connection.as_ref().map(|connection| connection.processes.id())
    }

    /// Returns the SHA-256 of its command line in hexadecimal digits: of the program as it was
    /// given, its directory and its arguments, each followed by a zero byte. It shows whether two
    /// games were played with the same command without revealing the command.
    pub fn command_sha256(&self) -> String {
        let mut hash = Sha256::new();
        let directory = self.command.directory.as_deref().unwrap_or("".as_ref());
        let parts = [self.command.program.as_os_str(), directory.as_os_str()];
        for part in parts.into_iter().chain(self.command.args.iter().map(AsRef::as_ref)) {
            hash.update(part.as_encoded_bytes());
            hash.update([0]);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Starts the bot unless it is running and usable: runs the program, writes `hello`, and waits
    /// at most `limits.start_ms` for its `hello`. `log` lines before that belong to no game and are
    /// dropped.
    ///
    /// A start that the host may have delayed is repeated up to three times, after increasing
    /// pauses.
    ///
    /// # Errors
    ///
    /// The reason why it was not started. None of its processes is left running then.
    pub fn start(&mut self, limits: &Limits, interrupt: &Interrupt) -> Result<(), StartError> {
        self.start_repeats = 0;
        if self.is_usable() {
            return Ok(());
        }
        self.start_failure = None;
        self.start_overload = None;
        self.start_host_failure = None;
        let mut pauses = PAUSES.iter();
        loop {
            let error = match self.attempt_start(limits, interrupt) {
                Ok(()) => return Ok(()),
                Err(NotStarted::Settled(error)) => error,
                Err(NotStarted::Stalled(error)) => match pauses.next() {
                    Some(&pause) if interrupt.is_raised_within(pause) => StartError::Interrupted,
                    Some(_) => {
                        self.start_repeats += 1;
                        continue;
                    }
                    None => error,
                },
            };
            match &error {
                StartError::Failed { failure, .. } => self.start_failure = Some(failure.clone()),
                StartError::Overloaded { evidence, .. } => {
                    self.start_overload = Some(evidence.clone());
                }
                StartError::Option { error, .. } => {
                    let failure = BotFailure::new(FaultKind::StartFailed, error.to_string());
                    self.start_failure = Some(failure);
                }
                StartError::Host(failure) => self.start_host_failure = Some(failure.to_string()),
                StartError::Interrupted => {}
            }
            return Err(error);
        }
    }

    /// Contains the bot ahead of its start, if it is not running, if it is to be contained, and if a
    /// core is free for it. Nothing of it runs, and no clock starts, before [`Bot::start`]. What
    /// fails here fails there again, with a message.
    pub(crate) fn prepare(&mut self) {
        #[cfg(target_os = "linux")]
        if self.connection.is_none()
            && self.wrapper.is_none()
            && self.backend == Backend::Native
            && let Some(containment) = &self.containment
        {
            self.prepared = PreparedBot::new(containment, &self.command);
        }
    }

    /// Kills what [`Bot::prepare`] has started, if the bot was not started since.
    pub(crate) fn forget_preparation(&mut self) {
        #[cfg(target_os = "linux")]
        self.prepared.take();
    }

    /// Returns whether its program runs.
    pub(crate) fn is_running(&self) -> bool {
        self.connection.is_some()
    }

    /// Makes one attempt to start it.
    fn attempt_start(&mut self, limits: &Limits, interrupt: &Interrupt) -> Result<(), NotStarted> {
        self.stop();
        self.stderr_at_start.clear();
        self.has_failed = false;
        match self.introduce_and_rest(limits, interrupt) {
            Ok(()) => Ok(()),
            Err(error) => {
                if let Some(connection) = &mut self.connection {
                    connection.drain_stderr();
                    self.stderr_at_start = connection.stderr_log.text();
                }
                self.stop();
                Err(error)
            }
        }
    }

    /// Waits for its `hello` and stops it, if it is frozen: bots that start or play after it then
    /// have the cores to themselves.
    fn introduce_and_rest(
        &mut self,
        limits: &Limits,
        interrupt: &Interrupt,
    ) -> Result<(), NotStarted> {
        self.hello = Some(self.introduce(limits, interrupt)?);
        self.rest();
        let Some(connection) = &mut self.connection else { return Ok(()) };
        match connection.await_standstill(interrupt) {
            Ok(None) => Ok(()),
            Ok(Some(failure)) => Err(self.failed(failure.message).into()),
            Err(_) => Err(StartError::Interrupted.into()),
        }
    }

    fn introduce(
        &mut self,
        limits: &Limits,
        interrupt: &Interrupt,
    ) -> Result<BotHello, NotStarted> {
        let _canary = InGame::begin();
        let permit = StartPermit::wait(interrupt).ok_or(StartError::Interrupted)?;
        let scheduling = Scheduling::of_this_thread();
        let watch = StartWatch::begin();
        let processes = self.spawn_once(permit, interrupt)?;
        let contained = self.contained_by();
        let tap = self.tap();
        let connection = self.connection.insert(Connection::new(processes, limits, contained));
        connection.scheduling = scheduling;
        connection.tap = tap;
        connection.notice = self.notice.map(|notice| (notice, self.command.name.clone()));
        connection.how_to_flush =
            how_to_flush(self.command.words().filter_map(|word| word.to_str()));
        connection.disturbance = self.disturbance;
        write_hello(&mut connection.outbox, REFEREE_VERSION, limits);
        let hello = match self.hear_hello(limits, interrupt) {
            Ok(hello) => hello,
            Err(Failure::Bot(failure)) => {
                let is_late = failure.kind == FaultKind::Timeout;
                let group = self.process_group().unwrap_or_default();
                let is_stalled = is_late && watch.was_held_up(group);
                if is_stalled && let Some(connection) = &mut self.connection {
                    connection.note_silence(limits.start_ms);
                }
                let failure = self.explain_silence(failure, limits.start_ms);
                let message = format!("no hello: {}", failure.message);
                let failure = BotFailure { kind: FaultKind::StartFailed, message, ..failure };
                let error = StartError::Failed { name: self.command.name.clone(), failure };
                return Err(match is_stalled {
                    true => NotStarted::Stalled(error),
                    false => NotStarted::Settled(error),
                });
            }
            Err(Failure::Interrupted) => return Err(StartError::Interrupted.into()),
            Err(Failure::Host(host)) => return Err(host.into()),
            Err(Failure::Overloaded(evidence)) => {
                let name = self.command.name.clone();
                return Err(NotStarted::Stalled(StartError::Overloaded { name, evidence }));
            }
            Err(Failure::Survivors(error)) => {
                let error = io::Error::other(error);
                return Err(HostFailure::new("starting a bot", error).into());
            }
        };
        if hello.protocol != PROTOCOL {
            let message = format!(
                "expected a bot that speaks protocol {PROTOCOL}, got one that speaks {}",
                hello.protocol
            );
            return Err(self.failed(message).into());
        }
        check_specs(&hello.options).map_err(|error| self.failed(error))?;
        self.options = check_options(&hello.options, &self.command.options)
            .map_err(|error| StartError::Option { name: self.command.name.clone(), error })?;
        let text = |text: String| printable(&text, NAME_CHARACTERS);
        Ok(BotHello {
            name: text(hello.name),
            version: hello.version.map(text),
            author: hello.author.map(text),
            ..hello
        })
    }

    /// Makes one attempt to start its program.
    pub(super) fn spawn_once(
        &mut self,
        permit: StartPermit,
        interrupt: &Interrupt,
    ) -> Result<(Processes, Streams), NotStarted> {
        let begun = Instant::now();
        let spawned = match self.backend {
            #[cfg(target_os = "linux")]
            Backend::Native => self.spawn_native(interrupt),
            #[cfg(not(target_os = "linux"))]
            Backend::Native => Err(self.failed("the native back end of the referee needs Linux")),
            Backend::Portable => self.spawn_portable(),
        };
        drop(permit);
        spawned.map_err(|error| match error {
            StartError::Host(failure) if may_pass(&failure) => {
                NotStarted::Stalled(self.host_stalled(failure, begun))
            }
            error => NotStarted::Settled(error),
        })
    }

    /// Returns how its program is contained.
    pub(super) fn contained_by(&self) -> Option<ContainedBy> {
        let contained = self.containment.as_ref().filter(|_| self.backend == Backend::Native);
        contained.map(|it| ContainedBy {
            tier: it.tier,
            memory: it.limits.memory,
            advice: it.advice.clone(),
        })
    }

    /// Returns what receives its lines.
    pub(super) fn tap(&self) -> Option<BotTap> {
        self.wiretap.as_ref().map(|tap| tap.on(&self.command.name))
    }

    /// Returns the error of a host that could not start the program. If the host was only too slow,
    /// it is an overload.
    fn host_stalled(&self, failure: HostFailure, begun: Instant) -> StartError {
        if failure.error.kind() != ErrorKind::TimedOut {
            return failure.into();
        }
        let waited_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let evidence = HostEvidence { late_us: waited_us, ..HostEvidence::default() };
        StartError::Overloaded { name: self.command.name.clone(), evidence: Box::new(evidence) }
    }

    /// The program runs as the referee's user, and can do what that user can; on Linux not as root.
    fn spawn_portable(&self) -> Result<(Processes, Streams), StartError> {
        let mut command = self.command.command().map_err(|error| self.failed(error))?;
        #[cfg(target_os = "linux")]
        {
            use crate::command::ordinary_user::user_of;
            // A bot that acts for a person is the person's own program.
            let user = if self.is_untimed { None } else { user_of(&self.command)? };
            if let Some((user, group)) = user {
                std::os::unix::process::CommandExt::gid(&mut command, group);
                std::os::unix::process::CommandExt::uid(&mut command, user);
            }
            botyard_sandbox::run_only_this(&mut command).map_err(|error| self.failed(error))?;
        }
        let is_busy = |error: &io::Error| error.kind() == ErrorKind::ExecutableFileBusy;
        match unless_being_written(is_busy, || PortableProgram::spawn(&mut command)) {
            Ok((program, streams)) => Ok((Processes::Portable(program), streams)),
            Err(error) => Err(self.not_started(&command, error)),
        }
    }

    fn not_started(&self, command: &Command, error: io::Error) -> StartError {
        match LaunchError::diagnose(command.get_program(), &error) {
            Some(launch) => self.failed(launch),
            None => HostFailure::new("starting a bot", error).into(),
        }
    }

    fn hear_hello(&mut self, limits: &Limits, interrupt: &Interrupt) -> Result<BotHello, Failure> {
        let processes = self.connection.as_ref().map(|connection| &connection.processes);
        let start_us = self.allowed_ms(limits.start_ms).saturating_mul(1000);
        let allowance = Allowance::wall(&ThisHost, processes, start_us);
        // Not from the beginning of the start: until now the host was not watched, and a referee
        // that was stopped meanwhile would blame the bot.
        let mut deadline = Deadline::new(&allowance, Instant::now());
        let alone = std::slice::from_mut(self);
        send(alone, 0, interrupt, &allowance)?;
        let mut line = Vec::new();
        loop {
            let now = Moment::at(Instant::now());
            await_line(alone, 0, interrupt, &mut deadline, now, &mut line)?;
            match parse_bot_line(&line, limits) {
                Ok(BotLine::Hello(hello)) => return Ok(hello),
                Ok(BotLine::Log { .. }) => {}
                Ok(other) => {
                    let message = format!("expected a \"hello\", got a {:?}", other.kind());
                    return Err(protocol_failure(message, &line).into());
                }
                Err(error) => return Err(protocol_failure(error.to_string(), &line).into()),
            }
        }
    }

    /// Adds the likely cause to the failure of a bot that has not answered `hello` or `start`.
    pub(crate) fn explain_silence(&self, failure: BotFailure, allowed_ms: u64) -> BotFailure {
        match &self.connection {
            Some(connection) => connection.explain_silence(failure, allowed_ms),
            None => failure,
        }
    }

    fn failed(&self, message: impl ToString) -> StartError {
        let failure = BotFailure::new(FaultKind::StartFailed, message.to_string());
        StartError::Failed { name: self.command.name.clone(), failure }
    }

    /// Returns whether it is running and can play another game: it has not failed, has not ended,
    /// and has written nothing but `log` lines since its last game. If not, it must be restarted.
    pub fn is_usable(&mut self) -> bool {
        let Some(connection) = &mut self.connection else { return false };
        self.has_failed |= connection.stdin.is_none()
            || connection.processes.ending().is_some()
            || !says_nothing(connection);
        !self.has_failed
    }

    /// Records that it failed in a game: it must be restarted before it can play another one.
    pub(crate) fn mark_failed(&mut self) {
        self.has_failed = true;
    }

    /// Kills its processes immediately. It can be started again.
    pub fn stop(&mut self) {
        self.connection = None;
    }

    /// Sends all bots `quit` and closes their input, waits at most `limits.quit_ms` in total for
    /// them to exit, and then kills what is left of their process groups.
    ///
    /// # Errors
    ///
    /// Some processes are still alive after they were killed. All other bots are ended.
    pub fn quit_all(bots: &mut [Bot], limits: &Limits) -> Result<(), Survivors> {
        let deadline = Instant::now() + Duration::from_millis(limits.quit_ms);
        for connection in bots.iter_mut().filter_map(|bot| bot.connection.as_mut()) {
            connection.say_quit();
        }
        let mut survivors = Ok(());
        for bot in bots {
            if let Some(mut connection) = bot.connection.take() {
                survivors = survivors.and(connection.wait_and_kill(deadline));
            }
        }
        survivors
    }
}

impl Connected for Bot {
    fn connection(&self) -> Option<&Connection> {
        self.connection.as_ref()
    }

    fn connection_mut(&mut self) -> Option<&mut Connection> {
        self.connection.as_mut()
    }

    /// A bot that acts for a person keeps running, and so does what a wrapper runs elsewhere.
    fn yield_cores(&mut self) {
        if !self.is_untimed
            && self.wrapper.is_none()
            && let Some(connection) = &mut self.connection
        {
            connection.rest();
        }
    }
}

/// Returns whether a bot that was not asked has written nothing but `log` lines.
fn says_nothing(connection: &mut Connection) -> bool {
    let mut line = Vec::new();
    loop {
        match connection.read() {
            Ok(ReadResult::Nothing) => return true,
            Ok(ReadResult::Bytes | ReadResult::Newline) => {}
            Ok(ReadResult::Closed) | Err(_) => return false,
        }
        while connection.take_line(&mut line).is_ok_and(|taken| taken) {
            if !matches!(parse_bot_line(&line, &Limits::default()), Ok(BotLine::Log { .. })) {
                return false;
            }
        }
    }
}
