//! A bot of a match: the command that starts it and, between start and end, the running program.
//! It may play many games, one after another; after a failure, or when it has ended, it is started
//! anew. What it must do in a game is not known here.

pub(crate) mod poll_loop;
mod start_attempts;
mod start_permit;

use crate::bot::poll_loop::{Moment, await_line, send};
use crate::bot::start_attempts::{PAUSES, StartWatch, may_pass, unless_being_written};
use crate::bot::start_permit::StartPermit;
use crate::clock::allowance::Allowance;
use crate::clock::deadline::Deadline;
use crate::command::bot_command::{BotCommand, LaunchError};
use crate::command::containment::{Containment, environment};
use crate::command::ordinary_user::user_of;
use crate::command::required_files::RequiredFiles;
use crate::command::wrapper::Wrapper;
use crate::failure::{BotFailure, Failure, HostFailure, Survivors, protocol_failure};
use crate::host::InGame;
use crate::host::gauge::ThisHost;
use crate::program::connection::{Connected, Connection, Heard};
use crate::program::interrupt::Interrupt;
use crate::program::process_group::{Pipes, ProcessGroup};
use crate::program::processes::Processes;
use botyard_protocol::{
    BotHello, BotLine, FaultKind, Limits, OptionError, PROTOCOL, check_options, check_specs,
    parse_bot_line, printable,
};
use botyard_replay::HostEvidence;
use botyard_replay::briefing::{REFEREE_VERSION, write_hello};
use botyard_sandbox::{
    Contained, Shortage, SpawnError, Tier, end_exactly_this_with_this_thread, end_with_this_thread,
};
use rustix::io::Errno;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// How much of a name, a version or an author is kept, in characters.
const NAME_CHARACTERS: usize = 80;

/// Why a bot was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It could not be started, or did not introduce itself as the protocol wants. The bot
    /// remembers this: in a game it is its fault `start_failed`.
    #[error("{name} could not be started: {failure}")]
    Failed {
        /// The bot's name in the match.
        name: String,
        /// What went wrong.
        failure: BotFailure,
    },
    /// The match sets an option that the bot does not have or that cannot have this value. This is
    /// the fault of whoever runs the match.
    #[error("{name}: {error}")]
    Option {
        /// The bot's name in the match.
        name: String,
        /// Which option, and what it may be.
        error: OptionError,
    },
    /// The host was too busy at every attempt to say whether the bot would have started in time.
    /// The bot remembers this: a game with it is void.
    #[error(
        "{name} could not be started: at each of {} attempts the host was too busy to run it or the \
         referee in time",
        PAUSES.len() + 1
    )]
    Overloaded {
        /// The bot's name in the match.
        name: String,
        /// What is known of the last attempt.
        evidence: Box<HostEvidence>,
    },
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// The host failed. The bot remembers this: a game with it is void.
    #[error(transparent)]
    Host(#[from] HostFailure),
}

/// A start that came to nothing.
enum NotStarted {
    /// Another attempt would end like this one.
    Settled(StartError),
    /// The host may have caused it, so another attempt is worth while.
    Stalled(StartError),
}

impl<E: Into<StartError>> From<E> for NotStarted {
    fn from(error: E) -> NotStarted {
        NotStarted::Settled(error.into())
    }
}

/// A bot of a match. Dropping it ends its processes at once; [`Bot::dismiss`] is the polite way.
#[derive(Debug)]
pub struct Bot {
    command: BotCommand,
    hello: Option<BotHello>,
    options: BTreeMap<String, Value>,
    connection: Option<Connection>,
    start_failure: Option<BotFailure>,
    start_overload: Option<Box<HostEvidence>>,
    start_host_failure: Option<String>,
    start_repeats: u32,
    stderr_at_start: String,
    has_failed: bool,
    is_untimed: bool,
    rests: bool,
    containment: Option<Containment>,
    wrapper: Option<Wrapper>,
    required: RequiredFiles,
}

impl Bot {
    /// A bot that is not running yet.
    pub fn new(command: BotCommand) -> Bot {
        Bot {
            command,
            hello: None,
            options: BTreeMap::new(),
            connection: None,
            start_failure: None,
            start_overload: None,
            start_host_failure: None,
            start_repeats: 0,
            stderr_at_start: String::new(),
            has_failed: false,
            is_untimed: false,
            rests: false,
            containment: None,
            wrapper: None,
            required: RequiredFiles::default(),
        }
    }

    /// The same bot, which needs these files: where one of them has gone when the bot fails, the host has
    /// failed and not the bot.
    #[must_use]
    pub fn requiring(self, required: RequiredFiles) -> Bot {
        Bot { required, ..self }
    }

    /// The failure of a host on which the bot's files are not there any more; `None` while they are.
    pub fn lost_files(&self) -> Option<HostFailure> {
        let missing = self.required.first_missing()?;
        let error = io::Error::other(format!("a file of {}: {missing}", self.name()));
        Some(HostFailure::new("running a bot", error))
    }

    /// The same bot, started by this command from its next start on, or not where this is `None`.
    #[must_use]
    pub fn wrapped(self, wrapper: impl Into<Option<Wrapper>>) -> Bot {
        Bot { wrapper: wrapper.into(), ..self }
    }

    /// The same bot, contained from its next start on, or not where this is `None`. A contained
    /// bot ends with the thread that started it.
    #[must_use]
    pub fn contained(self, containment: impl Into<Option<Containment>>) -> Bot {
        Bot { containment: containment.into(), ..self }
    }

    /// How strongly it is contained when it runs.
    pub fn tier(&self) -> Tier {
        match (&self.wrapper, &self.containment) {
            (Some(_), _) => Tier::D,
            (None, Some(containment)) => containment.tier,
            (None, None) => Tier::None,
        }
    }

    /// The same bot, stopped with all its processes whenever nothing is expected of it: from its
    /// `hello` to its `start`, from its `ready` or an answer to its next `turn`, and between games.
    /// It does not think in the others' time, and takes no core from them.
    #[must_use]
    pub fn frozen(self, rests: bool) -> Bot {
        Bot { rests, ..self }
    }

    /// Whether it is stopped when it is not its turn.
    pub fn is_frozen(&self) -> bool {
        self.rests
    }

    /// It is not its turn any more.
    pub(crate) fn rest(&mut self) {
        if self.rests
            && let Some(connection) = &mut self.connection
        {
            connection.rest();
        }
    }

    /// The game is over: it rests, or goes on where it had to yield to another.
    pub(crate) fn rest_or_go_on(&mut self) {
        match &mut self.connection {
            Some(connection) if !self.rests => connection.wake(),
            _ => self.rest(),
        }
    }

    /// The same bot without a clock, whatever the time control of its games: one that speaks for a
    /// person. What others may take does not change, and start-up and set-up have their limits.
    #[must_use]
    pub fn untimed(self) -> Bot {
        Bot { is_untimed: true, ..self }
    }

    /// Whether it has no clock.
    pub fn is_untimed(&self) -> bool {
        self.is_untimed
    }

    /// How it is started.
    pub fn command(&self) -> &BotCommand {
        &self.command
    }

    /// Its name in the match.
    pub fn name(&self) -> &str {
        &self.command.name
    }

    /// What it said of itself when it was last started; `None` before that. Its texts are made
    /// printable and short.
    pub fn hello(&self) -> Option<&BotHello> {
        self.hello.as_ref()
    }

    /// The options that the match sets, checked and typed; empty before the first start.
    pub fn options(&self) -> &BTreeMap<String, Value> {
        &self.options
    }

    /// Why it could not be started last time; `None` where it could, or was not yet.
    pub fn start_failure(&self) -> Option<&BotFailure> {
        self.start_failure.as_ref()
    }

    /// What is known of the host, where that kept it from being started last time.
    pub(crate) fn start_overload(&self) -> Option<&HostEvidence> {
        self.start_overload.as_deref()
    }

    /// What the host said that kept it from being started last time.
    pub(crate) fn start_host_failure(&self) -> Option<&str> {
        self.start_host_failure.as_deref()
    }

    /// How often its last start was repeated because the host had stalled it.
    pub fn start_repeats(&self) -> u32 {
        self.start_repeats
    }

    /// What it wrote to standard error when it could not be started; empty otherwise.
    pub fn stderr_at_start(&self) -> &str {
        &self.stderr_at_start
    }

    /// The number of its process group; `None` while it is not running.
    pub fn process_group(&self) -> Option<i32> {
        self.connection.as_ref().map(|connection| connection.processes.id())
    }

    /// SHA-256 of its command line, as hexadecimal digits: the program as it was given, its
    /// directory and its arguments, each followed by a zero byte. Tells whether two games were
    /// played by the same command without telling the command.
    pub fn command_sha256(&self) -> String {
        let mut hash = Sha256::new();
        let directory = self.command.directory.as_deref().unwrap_or("".as_ref());
        let parts = [self.command.program.as_os_str(), directory.as_os_str()];
        for part in parts.into_iter().chain(self.command.args.iter().map(AsRef::as_ref)) {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Starts it, unless it is running and fit to play: runs the program, says `hello`, and hears
    /// its `hello` within `limits.start_ms`. `log` lines before that belong to no game and are dropped.
    ///
    /// A start that the host may have stalled is repeated up to three times, after longer and longer pauses.
    ///
    /// # Errors
    ///
    /// What kept it from starting; nothing of it is running then.
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

    /// Starts it once.
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

    /// Has it introduce itself. Others that start, or play, from then on have the cores to themselves.
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
        let begun = Instant::now();
        let watch = StartWatch::begin();
        let spawned = match (&self.wrapper, &self.containment) {
            (Some(wrapper), _) => self.spawn_wrapped(wrapper),
            (None, Some(containment)) => self.spawn_contained(containment, interrupt),
            (None, None) => self.spawn(),
        };
        drop(permit);
        let processes = spawned.map_err(|error| match error {
            StartError::Host(failure) if may_pass(&failure) => {
                NotStarted::Stalled(self.host_stalled(failure, begun))
            }
            error => NotStarted::Settled(error),
        })?;
        let memory = self.containment.as_ref().map(|containment| containment.limits.memory);
        let connection = self.connection.insert(Connection::new(processes, limits, memory));
        write_hello(&mut connection.outbox, REFEREE_VERSION, limits);
        let hello = match self.hear_hello(limits, interrupt, begun) {
            Ok(hello) => hello,
            Err(Failure::Bot(failure)) => {
                let is_late = failure.kind == FaultKind::Timeout;
                let message = format!("no hello: {}", failure.message);
                let failure = BotFailure { kind: FaultKind::StartFailed, message, ..failure };
                let error = StartError::Failed { name: self.command.name.clone(), failure };
                let group = self.process_group().unwrap_or_default();
                return Err(match is_late && watch.was_held_up(group) {
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

    /// What it means that the host could not start the program: nothing for a game, where it was
    /// only too slow.
    fn host_stalled(&self, failure: HostFailure, begun: Instant) -> StartError {
        if failure.error.kind() != ErrorKind::TimedOut {
            return failure.into();
        }
        let waited_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let evidence = HostEvidence { late_us: waited_us, ..HostEvidence::default() };
        StartError::Overloaded { name: self.command.name.clone(), evidence: Box::new(evidence) }
    }

    /// The wrapper sees all that the referee does: it is the user's own.
    fn spawn_wrapped(&self, wrapper: &Wrapper) -> Result<(Processes, Pipes), StartError> {
        self.command.existing_directory().map_err(|error| self.failed(error))?;
        let (mut start, farewell) = wrapper.wrap(&self.command);
        end_with_this_thread(&mut start);
        match spawn_group(&mut start) {
            Ok((group, pipes)) => Ok((Processes::Group(group.with_farewell(farewell)), pipes)),
            Err(error) => Err(self.not_started(&start, error)),
        }
    }

    fn spawn(&self) -> Result<(Processes, Pipes), StartError> {
        let mut command = self.command.command().map_err(|error| self.failed(error))?;
        // One that speaks for a person is the person's own program.
        let user = if self.is_untimed { None } else { user_of(&self.command) };
        if let Some(user) = user {
            command.gid(user).uid(user);
        }
        end_exactly_this_with_this_thread(&mut command).map_err(|error| self.failed(error))?;
        match spawn_group(&mut command) {
            Ok((group, pipes)) => Ok((Processes::Group(group), pipes)),
            // No program that others may run is refused to them like this.
            Err(error) if user.is_some() && is_about_users(&error) => {
                Err(HostFailure::new("becoming a bot's user", error).into())
            }
            Err(error) => Err(self.not_started(&command, error)),
        }
    }

    fn not_started(&self, command: &Command, error: io::Error) -> StartError {
        match LaunchError::diagnose(command.get_program(), &error) {
            Some(launch) => self.failed(launch),
            None => HostFailure::new("starting a bot", error).into(),
        }
    }

    fn spawn_contained(
        &self,
        containment: &Containment,
        interrupt: &Interrupt,
    ) -> Result<(Processes, Pipes), StartError> {
        let launch = containment.launch(&self.command).map_err(|error| self.failed(error))?;
        self.command.existing_directory().map_err(|error| self.failed(error))?;
        let environment = environment(containment, BotCommand::environment());
        let spawn = || {
            let cancel = interrupt.as_fd();
            Contained::spawn_unless(&containment.launcher, &launch, &environment, cancel)
        };
        let is_busy = |error: &SpawnError| match error {
            SpawnError::Program(error) => error.kind() == ErrorKind::ExecutableFileBusy,
            SpawnError::Setup { .. } | SpawnError::Files(_) | SpawnError::Cancelled => false,
        };
        match unless_being_written(is_busy, spawn) {
            Ok((contained, pipes)) => Ok((Processes::Contained(contained), pipes.into())),
            Err(SpawnError::Program(error)) => {
                Err(match LaunchError::diagnose_contained(&launch.program, &error) {
                    Some(launch) => self.failed(launch),
                    None => HostFailure::new("starting a bot", error).into(),
                })
            }
            Err(SpawnError::Cancelled) => Err(StartError::Interrupted),
            Err(SpawnError::Files(message)) => {
                Err(self.failed(format!("it cannot be given its files: {message}")))
            }
            Err(SpawnError::Setup { step, error }) => {
                let kind = error.kind();
                let error = match Shortage::in_error(&step, &error) {
                    Some(shortage) => io::Error::new(kind, shortage),
                    None => io::Error::new(kind, format!("{step}: {error}")),
                };
                Err(HostFailure::new("containing a bot", error).into())
            }
        }
    }

    fn hear_hello(
        &mut self,
        limits: &Limits,
        interrupt: &Interrupt,
        begun: Instant,
    ) -> Result<BotHello, Failure> {
        let processes = self.connection.as_ref().map(|connection| &connection.processes);
        let start_us = limits.start_ms.saturating_mul(1000);
        let allowance = Allowance::wall(&ThisHost, processes, start_us);
        let mut deadline = Deadline::new(&allowance, begun);
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

    fn failed(&self, message: impl ToString) -> StartError {
        let failure = BotFailure::new(FaultKind::StartFailed, message.to_string());
        StartError::Failed { name: self.command.name.clone(), failure }
    }

    /// Whether it is running and fit for another game: it has not failed, has not ended, and has
    /// said nothing since its last game but `log` lines. Once it is not, it must be started anew.
    pub fn is_usable(&mut self) -> bool {
        let Some(connection) = &mut self.connection else { return false };
        self.has_failed |= connection.stdin.is_none()
            || connection.processes.ending().is_some()
            || !says_nothing(connection);
        !self.has_failed
    }

    /// It has failed in a game: it will not play another one without being started anew.
    pub(crate) fn mark_failed(&mut self) {
        self.has_failed = true;
    }

    /// Ends its processes at once. It can be started again.
    pub fn stop(&mut self) {
        self.connection = None;
    }

    /// Tells bots to `quit` and closes their input, gives all of them together `limits.quit_ms` to
    /// end by themselves, and then ends what is left of their process groups.
    ///
    /// # Errors
    ///
    /// Processes that cannot be ended; all others are.
    pub fn dismiss(bots: &mut [Bot], limits: &Limits) -> Result<(), Survivors> {
        let deadline = Instant::now() + Duration::from_millis(limits.quit_ms);
        for connection in bots.iter_mut().filter_map(|bot| bot.connection.as_mut()) {
            connection.say_quit();
        }
        let mut survivors = Ok(());
        for bot in bots {
            if let Some(mut connection) = bot.connection.take() {
                survivors = survivors.and(connection.part(deadline));
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

    /// One that speaks for a person goes on, and so does what a wrapper runs elsewhere.
    fn yield_cores(&mut self) {
        if !self.is_untimed
            && self.wrapper.is_none()
            && let Some(connection) = &mut self.connection
        {
            connection.rest();
        }
    }
}

fn spawn_group(command: &mut Command) -> io::Result<(ProcessGroup, Pipes)> {
    let is_busy = |error: &io::Error| error.kind() == ErrorKind::ExecutableFileBusy;
    unless_being_written(is_busy, || ProcessGroup::spawn(command))
}

/// Whether an error says that this process may not become the user that it wanted to be.
fn is_about_users(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::PERM | Errno::INVAL))
}

/// Whether a bot that is not asked anything has said nothing but `log` lines.
fn says_nothing(connection: &mut Connection) -> bool {
    let mut line = Vec::new();
    loop {
        match connection.read() {
            Ok(Heard::Nothing) => return true,
            Ok(Heard::Bytes | Heard::Newline) => {}
            Ok(Heard::Closed) | Err(_) => return false,
        }
        while connection.take_line(&mut line).is_ok_and(|taken| taken) {
            if !matches!(parse_bot_line(&line, &Limits::default()), Ok(BotLine::Log { .. })) {
                return false;
            }
        }
    }
}
