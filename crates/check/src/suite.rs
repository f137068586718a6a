//! All checks of a bot, in order.

use crate::arena::{Arena, Played, repeated};
use crate::check::{Check, CheckEvent, Checked, Counts, Finding, Status};
use crate::config::CheckConfig;
use crate::departures::Left;
use crate::first_games::{self, FirstGames};
use crate::{copy, departures, scenarios};
use botyard_engine::registry::{self, plain_name};
use botyard_protocol::printable;
use botyard_referee::{Bot, BotCommand, Departure, Disturbance, Interrupt};
use botyard_runner::bots::{check_built, spec};
use botyard_runner::{
    Error, FirstStart, Message, Programs, QuietHost, await_quiet_host, first_start,
};
use botyard_sandbox::{MIB, Tier};
use std::path::Path;
use std::slice;

/// A front end that shows the checks: of a bot, unless other types are given.
pub trait Observer<C = Check, E = CheckEvent> {
    /// Shows warnings about the host or the configuration. Sentences without a full stop.
    fn warn(&mut self, warnings: &[Message]);

    /// Shows what is being done: a check, and a game and a seat or nothing.
    fn working(&mut self, check: C, words: &str);

    /// Shows an event.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    fn event(&mut self, event: E) -> Result<(), Error>;
}

/// Waits for a quiet host, and makes all checks of a bot. Returns how many passed, failed, and so on.
///
/// # Errors
///
/// A bot or a game that does not exist, an interrupt, a failure of the host, or an output that
/// cannot be written.
pub fn run(
    config: &CheckConfig,
    programs: &Programs,
    interrupt: &Interrupt,
    observer: &mut dyn Observer,
) -> Result<Counts, Error> {
    let (command, arena) = bot_in_its_first_game(config, programs)?;
    let host = await_quiet_host(programs.quiet_within, interrupt)?;
    make(command, arena, host, config, programs, interrupt, observer)
}

/// Makes the same checks of a copy of a bot's files, in the game of the configuration.
///
/// # Errors
///
/// Those of [`run`].
pub fn run_copy(
    command: &BotCommand,
    config: &CheckConfig,
    programs: &Programs,
    interrupt: &Interrupt,
    observer: &mut dyn Observer,
) -> Result<Counts, Error> {
    let Some(game) = config.games.first() else {
        return Err(Error::usage("expected the game of the copy, got none"));
    };
    let arena = Arena::new(config, game, command.clone(), programs)?;
    let host = await_quiet_host(programs.quiet_within, interrupt)?;
    make(command.clone(), arena, host, config, programs, interrupt, observer)
}

/// Makes all checks of the bot with this command, which begin in this arena on a host that was
/// awaited.
pub(crate) fn make(
    command: BotCommand,
    arena: Arena,
    host: QuietHost,
    config: &CheckConfig,
    programs: &Programs,
    interrupt: &Interrupt,
    observer: &mut dyn Observer,
) -> Result<Counts, Error> {
    observer.warn(&arena.plan.warnings);
    observer.warn(&Vec::from_iter(host.warning()));
    observer.event(CheckEvent::CheckStarted {
        version: env!("CARGO_PKG_VERSION"),
        bot: command.name.clone(),
        program: command.program.to_string_lossy().into_owned(),
        args: command.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        move_ms: config.move_ms,
        legal: config.legal,
        sandbox: arena.plan.tier.to_string(),
        quiet_s: (host.took.as_secs_f64() * 10.0).round() / 10.0,
    })?;
    let mut suite = Suite {
        config,
        programs,
        interrupt,
        observer,
        command,
        games: Vec::new(),
        counts: Counts::default(),
        is_clean_together: false,
    };
    let made = suite.make_all(arena);
    let interrupted = matches!(made, Err(Error::Interrupted));
    if made.is_ok() || interrupted {
        let (games, counts) = (suite.games.clone(), suite.counts);
        suite.observer.event(CheckEvent::CheckEnded { games, interrupted, counts })?;
    }
    made.map(|()| suite.counts)
}

/// Returns the command of the bot, and its arena in the first of the given games or the first game
/// that it plays.
fn bot_in_its_first_game(
    config: &CheckConfig,
    programs: &Programs,
) -> Result<(BotCommand, Arena), Error> {
    let command = |game: &str| spec::command(&config.bot, game, programs, Path::new(""));
    for game in &config.games {
        registry::info(game).map_err(Error::usage)?;
        command(game).map_err(Error::usage)?;
    }
    let games = if config.games.is_empty() { registry::names() } else { config.games.clone() };
    let mut refusal = None;
    for game in games {
        match command(&game) {
            Ok(command) => {
                check_built(slice::from_ref(&command))?;
                let arena = Arena::new(config, &game, command.clone(), programs)?;
                return Ok((command, arena));
            }
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    Err(refusal.map_or_else(|| Error::usage("there are no games"), Error::usage))
}

/// The checks of one bot.
struct Suite<'a> {
    config: &'a CheckConfig,
    programs: &'a Programs,
    interrupt: &'a Interrupt,
    observer: &'a mut dyn Observer,
    command: BotCommand,
    games: Vec<String>,
    counts: Counts,
    /// Whether the checks that are made at once are passed.
    is_clean_together: bool,
}

impl Suite<'_> {
    fn make_all(&mut self, first: Arena) -> Result<(), Error> {
        self.working(Check::Hello, "");
        let hello = self.hello(&first)?;
        let status = hello.status;
        self.report(hello)?;
        if status != Status::Passed {
            return self.skip(&Check::ALL[1..], "the bot did not start");
        }
        let at_hello = self.quit(&first)?;
        let mut arenas = vec![first];
        for game in self.games.clone() {
            if arenas[0].game != game {
                arenas.push(Arena::new(self.config, &game, self.command.clone(), self.programs)?);
            }
        }
        arenas.retain(|arena| self.games.contains(&arena.game));
        let first = self.first_games(&arenas)?;
        let clean: Vec<&Arena> =
            first.clean.iter().filter_map(|&index| arenas.get(index)).collect();
        if let [one] = clean[..] {
            self.working(Check::Deadline, &one.game);
            self.is_clean_together = scenarios::together(one, self.interrupt)?;
        }
        for check in first_games::CHECKS {
            let result = first.result(check);
            let is_passed = result.status == Status::Passed;
            match check {
                Check::Deadline if is_passed && !clean.is_empty() => {
                    self.scenario(check, &clean)?
                }
                // Reported with the memory that the bot used.
                Check::Memory if is_passed && !clean.is_empty() => {}
                _ => self.report(result)?,
            }
        }
        let Some(&one) = clean.first() else {
            let reason = "no game was played in every seat without a fault";
            let made_later =
                |check: &&Check| **check >= Check::End && !first_games::CHECKS.contains(check);
            let left: Vec<Check> = Check::ALL.iter().filter(made_later).copied().collect();
            return self.skip(&left, reason);
        };
        let memory_is_open = first.result(Check::Memory).status == Status::Passed;
        let end = self.end(one, at_hello.as_ref(), memory_is_open)?;
        self.scenario(Check::OneProcess, &clean)?;
        match end {
            Status::Failed => {
                self.skip(&[Check::TwoGames], "the bot wrote something after `end`")?
            }
            _ => self.scenario(Check::TwoGames, &clean)?,
        }
        self.scenario(Check::NoLegal, &clean)?;
        for check in [
            Check::UnknownFields,
            Check::UnknownMessages,
            Check::LongLine,
            Check::SplitLine,
            Check::SlowStart,
            Check::Restart,
        ] {
            self.scenario(check, &[one])?;
        }
        self.files(one)
    }

    fn working(&mut self, check: Check, words: &str) {
        self.observer.working(check, words);
    }

    fn report(&mut self, checked: Checked) -> Result<(), Error> {
        self.counts.add(checked.status);
        self.observer.event(CheckEvent::CheckResult(checked))
    }

    fn skip(&mut self, checks: &[Check], reason: &str) -> Result<(), Error> {
        for &check in checks {
            self.report(Checked::new(check, Status::Skipped, reason))?;
        }
        Ok(())
    }

    /// Starts the bot, and finds out which games it plays.
    fn hello(&mut self, arena: &Arena) -> Result<Checked, Error> {
        let mut bot = arena.bot(Disturbance::default());
        let limits = arena.plan.limits;
        let failed = |message: String, remedy: &str, stderr: String| {
            let finding =
                Finding { game: None, seat: None, message, remedy: remedy.to_string(), stderr };
            Ok(Checked::found(Check::Hello, Status::Failed, vec![finding]))
        };
        let first_game = self.config.games.first().map(String::as_str);
        match first_start(&mut bot, first_game, &limits, self.interrupt)? {
            FirstStart::Started => {}
            FirstStart::Stalled(reason) => {
                return Ok(Checked::new(Check::Hello, Status::NotDecided, reason));
            }
            FirstStart::Failed(failure) => {
                let (message, stderr) = failure.split_once('\n').unwrap_or((&failure, ""));
                let message = format!("`hello` was sent; {message}");
                return failed(message, remedy_of_start(&failure), stderr.to_string());
            }
        }
        let hello = bot.hello().cloned();
        Bot::quit_all(&mut [bot], &limits).map_err(Error::host)?;
        let listed = hello.as_ref().map_or(Vec::new(), |hello| hello.games.clone());
        let built_in = self.programs.built_in_of(&self.command);
        let built_in = built_in.and_then(|name| self.programs.built_in(&name));
        let plays = |game: &String| {
            let is_listed = listed.is_empty() || listed.iter().any(|its| its == plain_name(game));
            is_listed && built_in.is_none_or(|bot| bot.plays(game))
        };
        let listed_in_words: Vec<String> = listed.iter().map(|game| printable(game, 40)).collect();
        if let Some(game) = self.config.games.iter().find(|game| !plays(game)) {
            return failed(
                format!(
                    "`hello` was sent; the answer does not list {}, but {}",
                    plain_name(game),
                    listed_in_words.join(", ")
                ),
                "list the game in `games` of the bot's `hello`",
                String::new(),
            );
        }
        self.games = match &self.config.games[..] {
            [] => registry::names().into_iter().filter(plays).collect(),
            games => games.to_vec(),
        };
        if self.games.is_empty() {
            return failed(
                format!(
                    "`hello` was sent; the answer lists only other games: {}",
                    listed_in_words.join(", ")
                ),
                "list games by the names that `botyard games` prints, or leave out `games` for all games",
                String::new(),
            );
        }
        let name = hello.map_or(String::new(), |hello| hello.name);
        let games: Vec<&str> = self.games.iter().map(|game| plain_name(game)).collect();
        let message = format!("{name:?} plays {}", games.join(", "));
        Ok(Checked::new(Check::Hello, Status::Passed, message))
    }

    /// Makes the checks `quit` and `quit_time`. Returns how the bot left.
    fn quit(&mut self, arena: &Arena) -> Result<Option<Departure>, Error> {
        self.working(Check::Quit, "");
        let limits = arena.plan.limits;
        let mut left = None;
        let played = repeated(self.interrupt, || {
            match departures::after_hello(arena, &limits, self.interrupt)? {
                Left::Asked(departure) => {
                    let stayed = departures::stayed(&departure, &limits);
                    left = Some(departure);
                    Ok(stayed.map_or_else(Played::Void, |_| Played::Clean))
                }
                Left::NotStarted(finding) => Ok(Played::Faulty(Check::Quit, finding)),
                Left::Stalled(reason) => Ok(Played::Void(reason)),
            }
        })?;
        match played {
            Played::Faulty(check, finding) => {
                self.report(Checked::found(check, Status::Failed, vec![finding]))?;
                self.skip(&[Check::QuitTime], "the bot did not start again")?;
                return Ok(None);
            }
            Played::Void(reason) if left.is_none() => {
                for check in [Check::Quit, Check::QuitTime] {
                    self.report(Checked::new(check, Status::NotDecided, &reason))?;
                }
                return Ok(None);
            }
            Played::Void(_) | Played::Clean => {}
        }
        let Some(departure) = &left else { return Ok(None) };
        self.report(match departures::spoke("`quit`", departure) {
            Some(finding) => Checked::found(Check::Quit, Status::Failed, vec![finding]),
            None => Checked::new(Check::Quit, Status::Passed, "answers `quit` with silence"),
        })?;
        self.report(match departures::stayed(departure, &limits) {
            Err(busy) => Checked::new(Check::QuitTime, Status::NotDecided, busy),
            Ok(Some(finding)) => Checked::found(Check::QuitTime, Status::Failed, vec![finding]),
            Ok(None) => {
                let message = format!("exits within {} ms", limits.quit_ms);
                Checked::new(Check::QuitTime, Status::Passed, message)
            }
        })?;
        Ok(left)
    }

    fn first_games(&mut self, arenas: &[Arena]) -> Result<FirstGames, Error> {
        let observer = &mut *self.observer;
        let mut working = |words: &str| observer.working(Check::Messages, words);
        first_games::play(arenas, self.interrupt, &mut working)
    }

    /// Makes the checks `memory`, if it is open, and `end`, and returns the status of the latter.
    /// `at_quit` is how the bot left without a game.
    fn end(
        &mut self,
        arena: &Arena,
        at_quit: Option<&Departure>,
        memory_is_open: bool,
    ) -> Result<Status, Error> {
        self.working(Check::End, &arena.game);
        let mut left = None;
        let played = repeated(self.interrupt, || {
            let (played, departure) = departures::after_game(arena, self.interrupt)?;
            left = departure;
            Ok(played)
        })?;
        let (memory, end) = match (played, &left) {
            (Played::Faulty(_, finding), _) => (
                Checked::new(Check::Memory, Status::Skipped, "its game ended with a fault"),
                Checked::found(Check::End, Status::Failed, vec![finding]),
            ),
            (Played::Void(reason), _) => (
                Checked::new(Check::Memory, Status::NotDecided, &reason),
                Checked::new(Check::End, Status::NotDecided, reason),
            ),
            (Played::Clean, None) => {
                let message = "exited after `end`, in silence";
                (
                    Checked::new(Check::Memory, Status::NotDecided, "the program has exited"),
                    Checked::new(Check::End, Status::Passed, message),
                )
            }
            (Played::Clean, Some(departure)) => (
                self.memory(arena, departure),
                match departures::spoke("`end`", departure) {
                    Some(_)
                        if at_quit.is_some_and(|at| departures::said_the_same(at, departure)) =>
                    {
                        let message = "it writes the same when it exits: see the check quit";
                        Checked::new(Check::End, Status::Skipped, message)
                    }
                    Some(finding) => Checked::found(Check::End, Status::Failed, vec![finding]),
                    None => Checked::new(Check::End, Status::Passed, "answers `end` with silence"),
                },
            ),
        };
        let status = end.status;
        if memory_is_open {
            self.report(memory)?;
        }
        self.report(end)?;
        Ok(status)
    }

    fn memory(&self, arena: &Arena, departure: &Departure) -> Checked {
        let is_limited = !matches!(arena.plan.tier, Tier::None | Tier::D);
        let limit = self.config.containment.memory_mib.saturating_mul(MIB);
        match departure.peak_memory.filter(|_| is_limited) {
            None => {
                let message = "memory is limited and measured only in tiers A to C of the sandbox";
                Checked::new(Check::Memory, Status::NotDecided, message)
            }
            Some(peak) => match departures::memory(peak, limit) {
                (_, Some(finding)) => Checked::found(Check::Memory, Status::Noted, vec![finding]),
                (words, None) => Checked::new(Check::Memory, Status::Passed, words),
            },
        }
    }

    /// Makes a check in each of these games.
    fn scenario(&mut self, check: Check, arenas: &[&Arena]) -> Result<(), Error> {
        if self.is_clean_together && scenarios::TOGETHER.contains(&check) {
            return self.report(Checked::new(check, Status::Passed, scenarios::about(check)));
        }
        let mut findings = Vec::new();
        let mut void = None;
        // A match without `--no-legal` sends the list, and a bot may exit after `end`.
        let mut is_optional = check != Check::NoLegal || self.config.legal;
        for arena in arenas {
            self.working(check, &arena.game);
            let attempt = || scenarios::attempt(check, arena, self.interrupt);
            match repeated(self.interrupt, attempt)? {
                Played::Clean => {}
                Played::Faulty(by, finding) => {
                    is_optional &= check == Check::NoLegal || by == Check::End;
                    findings.push(finding);
                }
                Played::Void(reason) => void = Some(format!("{}: {reason}", arena.game)),
            }
        }
        let about = scenarios::about(check);
        let checked = match void {
            _ if !findings.is_empty() => {
                let status = if is_optional { Status::Noted } else { Status::Failed };
                Checked::found(check, status, findings)
            }
            Some(reason) => Checked::new(check, Status::NotDecided, reason),
            None => Checked::new(check, Status::Passed, about),
        };
        self.report(checked)
    }

    fn files(&mut self, arena: &Arena) -> Result<(), Error> {
        self.working(Check::Files, &arena.game);
        let game = &arena.game;
        if self.config.is_copy {
            let message = "the checks were made with the tournament's copy of its files";
            return self.report(Checked::new(Check::Files, Status::Passed, message));
        }
        let played = copy::play(self.config, game, &self.command, self.programs, self.interrupt)?;
        let checked = match played {
            Played::Faulty(_, finding) => {
                Checked::found(Check::Files, Status::Failed, vec![finding])
            }
            Played::Void(reason) => Checked::new(Check::Files, Status::NotDecided, reason),
            Played::Clean => {
                let message = match arena.plan.tier {
                    Tier::None => {
                        "plays from a copy of its files, but without a sandbox".to_string()
                    }
                    tier => format!("plays from a copy of its files in sandbox tier {tier}"),
                };
                let status =
                    if arena.plan.tier == Tier::None { Status::NotDecided } else { Status::Passed };
                Checked::new(Check::Files, status, message)
            }
        };
        self.report(checked)
    }
}

/// Returns what the author of a bot can do about a failed start.
fn remedy_of_start(failure: &str) -> &'static str {
    match failure {
        failure if failure.contains("none came") => {
            "answer `hello` with a line of its own, and flush standard output after it"
        }
        failure if failure.contains("not JSON") => {
            "print debug output to standard error; write only messages to standard output"
        }
        _ => "run the bot's command by hand and type {\"type\":\"hello\"}",
    }
}
