//! One game from its opening to its end: the opening, `start` and `ready`, decisions and chance,
//! the verdict, and `end`. One thread runs all of it. This module knows no game by name and makes
//! no system calls. Decisions are in [`decision`], the consequences of failures in [`verdict`], and what a
//! game leaves behind in [`end`].

mod bot_notes;
mod decision;
mod end;
pub(crate) mod report;
mod verdict;

use crate::bot::poll_loop::{Moment, await_line, send};
use crate::bot::{Bot, StartError};
use crate::clock::allowance::Allowance;
use crate::clock::deadline::Deadline;
use crate::clock::seat_clock::{SeatClock, TimeControlError};
use crate::command::backend::Backend;
use crate::failure::{BotFailure, Failure, HostFailure, protocol_failure};
use crate::game::bot_notes::BotNotes;
use crate::game::report::{GameReport, Progress, RefereeError, SeatReport};
use crate::game::verdict::course_failure;
use crate::host::InGame;
use crate::host::evidence::{AFTERWARDS, is_against_the_bot};
use crate::host::gauge::HostGauge;
use crate::host::watch::waiting_afterwards;
use crate::program::connection::{Connected, Connection};
use crate::program::ending::Ending;
use crate::program::interrupt::Interrupt;
use botyard_engine::registry::plain_name;
use botyard_engine::{GameEvent, Seat, Seed, Table};
use botyard_protocol::{
    BotLine, ClockKind, Fault, FaultKind, Limits, PROTOCOL, Player, Program, TimeControl,
    parse_bot_line,
};
use botyard_replay::briefing::{Briefing, REFEREE_NAME, REFEREE_VERSION};
use botyard_replay::{
    Adjudicator, BotIdentity, Course, CourseError, Due, FORMAT, Header, HostEvidence, MoveTime,
    OpeningSource, Phase, PlayedBy, ReplayPlayer, ReplayWriter, SeatHolder, VoidEvidence,
};
use botyard_sandbox::Tier;
use std::io::Write;

/// The specification of a game.
#[derive(Clone, Debug)]
pub struct GameSpec<'a> {
    /// The ID of the game in messages and in the replay.
    pub game_id: &'a str,
    /// The seed of all random draws.
    pub seed: Seed,
    /// The clock of every seat whose bot has [no times of its own](crate::BotCommand::time), and
    /// the rule for faults.
    pub time: TimeControl,
    /// The limits for the bots.
    pub limits: Limits,
    /// Whether `turn` messages list the legal actions.
    pub send_legal: bool,
    /// The opening as the game's JSON; drawn from the seed if there is none.
    pub opening: Option<&'a str>,
    /// For each seat, in seat order, the index of the bot that holds it. Every bot holds at least
    /// one.
    pub seats: &'a [usize],
    /// The source of measurements of the host: [`ThisHost`](crate::ThisHost), except in tests.
    pub gauge: &'a dyn HostGauge,
    /// The bot that was asked when a previous attempt at this game became void.
    pub void_at: Option<usize>,
    /// The rules that end the game if its result is clear, made for tables of this game; `None`
    /// without any.
    pub adjudicator: Option<&'a Adjudicator>,
}

impl GameSpec<'_> {
    /// Returns the header of this game's replay. The bots must have been started.
    ///
    /// # Panics
    ///
    /// If `seats` contains the index of a bot that does not exist. [`play`] would return an error
    /// for it.
    pub fn header(&self, table: &dyn Table, bots: &[Bot]) -> Header {
        let holders = table.seats().iter().zip(self.seats).map(|(seat, &bot)| SeatHolder {
            seat: seat.clone(),
            player: bots[bot].name().to_string(),
        });
        let players =
            self.players(table, bots).into_iter().zip(bots).map(|(player, bot)| ReplayPlayer {
                name: player.name,
                seats: player.seats,
                bot: bot.hello().map(|hello| BotIdentity {
                    name: hello.name.clone(),
                    version: hello.version.clone(),
                    author: hello.author.clone(),
                }),
                options: bot.options().clone(),
                command_sha256: Some(bot.command_sha256()),
                time: bot.command().time,
                untimed: bot.is_untimed(),
            });
        Header {
            format: FORMAT,
            game_id: self.game_id.to_string(),
            game: table.game().to_string(),
            rules: table.rules(),
            engine: Program {
                name: REFEREE_NAME.to_string(),
                version: REFEREE_VERSION.to_string(),
            },
            seed: Some(self.seed),
            opening: match self.opening {
                Some(_) => OpeningSource::Given,
                None => OpeningSource::Drawn,
            },
            protocol: PROTOCOL,
            time_control: self.time.clone(),
            limits: self.limits,
            legal: self.send_legal,
            sandbox: weakest_tier(bots).to_string(),
            frozen: bots.iter().any(Bot::is_frozen),
            backend: bots
                .iter()
                .map(Bot::backend)
                .find(|backend| *backend != Backend::Native)
                .map(|backend| backend.to_string()),
            seats: holders.collect(),
            players: players.collect(),
            adjudication: self.adjudicator.map(|by| by.rules().clone()).unwrap_or_default(),
            imported: None,
            view_of: None,
        }
    }

    /// Returns each bot with its seats, in the order of the bots.
    fn players(&self, table: &dyn Table, bots: &[Bot]) -> Vec<Player> {
        let seats_of = |bot| {
            let held = table.seats().iter().zip(self.seats).filter(move |&(_, &held)| held == bot);
            held.map(|(seat, _)| seat.clone()).collect()
        };
        let player = |(index, bot): (usize, &Bot)| Player {
            name: bot.name().to_string(),
            seats: seats_of(index),
        };
        bots.iter().enumerate().map(player).collect()
    }

    fn check(&self, table: &dyn Table, bots: &[Bot]) -> Result<(), RefereeError> {
        let refuse = |message: String| Err(RefereeError::Seating(message));
        if self.seats.len() != table.seats().len() {
            return refuse(format!(
                "expected a bot for each of the {} seats ({}), got {}",
                table.seats().len(),
                table.seats().join(", "),
                self.seats.len()
            ));
        }
        if let Some(bot) = self.seats.iter().find(|&&bot| bot >= bots.len()) {
            return refuse(format!(
                "expected one of the {} bots in each seat, got index {bot}",
                bots.len()
            ));
        }
        let is_measured = |bot: &Bot| bot.backend() == Backend::Native || bot.is_untimed();
        if self.time.kind == ClockKind::Cpu && !bots.iter().all(is_measured) {
            return Err(TimeControlError::NotMeasured.into());
        }
        for (index, bot) in bots.iter().enumerate() {
            if !self.seats.contains(&index) {
                return refuse(format!("the bot {} has no seat", bot.name()));
            }
            if bots[..index].iter().any(|other| other.name() == bot.name()) {
                return refuse(format!("two bots have the name {}", bot.name()));
            }
        }
        Ok(())
    }
}

/// Returns the weakest tier of the bots. Bots that speak for a person are not counted.
fn weakest_tier(bots: &[Bot]) -> Tier {
    let contained = bots.iter().filter(|bot| !bot.is_untimed() || bot.is_debugged());
    contained.map(Bot::tier).min().unwrap_or(Tier::None)
}

/// Starts every bot that is not running and usable, one after another. While one starts, the sandbox
/// of the next one is prepared, if a core is free; the next one itself does not run yet. A bot that
/// cannot be started stays as it is: in [`play`] this is its fault, or the game is void if the host
/// was too busy to start it.
///
/// # Errors
///
/// An option that a bot does not have, an interrupt, or a failure of the host. The error of an
/// option is returned after all other bots are started; if there are several, it is the first. If
/// the game is played nevertheless, it counts as that bot's start failure. A game that is played
/// after a failure of the host is void.
pub fn start_all(
    bots: &mut [Bot],
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<(), StartError> {
    let mut wrong_option = Ok(());
    for index in 0..bots.len() {
        if let [bot, next, ..] = &mut bots[index..]
            && !bot.is_running()
        {
            next.prepare();
        }
        match bots[index].start(limits, interrupt) {
            Ok(()) | Err(StartError::Failed { .. } | StartError::Overloaded { .. }) => {}
            Err(error @ StartError::Option { .. }) => wrong_option = wrong_option.and(Err(error)),
            Err(error) => {
                bots.iter_mut().for_each(Bot::forget_preparation);
                return Err(error);
            }
        }
    }
    wrong_option
}

/// Plays one game.
///
/// The bots must have been started by [`start_all`], and the replay begun with
/// [`GameSpec::header`]. A bot that has failed is ended and can be restarted for the next game; the
/// others keep running and can play again.
///
/// # Errors
///
/// The reason why the game could not be judged at all. Every bot is ended then, and the replay has
/// no `end` line.
pub fn play<W: Write>(
    table: &mut dyn Table,
    bots: &mut [Bot],
    spec: &GameSpec<'_>,
    interrupt: &Interrupt,
    replay: Option<&mut ReplayWriter<W>>,
    observer: &mut dyn FnMut(&Progress<'_>),
) -> Result<GameReport, RefereeError> {
    play_on(table, bots, spec, &[], interrupt, replay, observer)
}

/// Continues a game from the record of its first decisions. `record` holds their actions in order,
/// in the game's JSON. They are played as soon as the bots are ready, without asking any bot. Draws
/// between them come from the seed, as in the recorded game. The rest is as in [`play`]. Because
/// views are complete, bots miss no information.
///
/// # Errors
///
/// As in [`play`], or an action of the record that cannot be played.
pub fn play_on<W: Write>(
    table: &mut dyn Table,
    bots: &mut [Bot],
    spec: &GameSpec<'_>,
    record: &[String],
    interrupt: &Interrupt,
    replay: Option<&mut ReplayWriter<W>>,
    observer: &mut dyn FnMut(&Progress<'_>),
) -> Result<GameReport, RefereeError> {
    spec.check(table, bots)?;
    let _canary = InGame::begin();
    let clocks = spec.seats.iter().map(|&bot| clock_of(&bots[bot], &spec.time));
    let clocks = clocks.collect::<Result<_, _>>()?;
    // The table is borrowed as a trait object for this game only.
    let table: &mut dyn Table = table;
    let mut course = Course::new(table, spec.time.on_fault, spec.seats, Some(spec.seed));
    if let Some(adjudicator) = spec.adjudicator {
        course = course.adjudicated_by(adjudicator.clone());
    }
    let opening = course.open(spec.opening).map_err(|error| match error {
        CourseError::Refused(error) => RefereeError::Opening(error),
        error => course_failure(error).into(),
    })?;
    check_rules(course.table())?;
    let seats = course.table().seats().to_vec();
    let mut game = GameInProgress {
        clocks,
        tallies: vec![SeatReport::default(); seats.len()],
        notes: vec![BotNotes::default(); bots.len()],
        seats,
        faults: Vec::new(),
        host: None,
        host_failure: None,
        game_event: opening,
        view: Vec::new(),
        legal: Vec::new(),
        line: Vec::new(),
        course,
        bots,
        spec,
        interrupt,
        replay,
        observer,
    };
    let played = game.play(record);
    if played.is_err() {
        for bot in game.bots.iter_mut() {
            bot.stop();
        }
    }
    played
}

/// Returns the clock of a seat that this bot holds, before the first decision.
fn clock_of(bot: &Bot, time: &TimeControl) -> Result<SeatClock, TimeControlError> {
    match bot.is_untimed() {
        true => Ok(SeatClock::untimed(time.kind)),
        false => SeatClock::new(&time.of_bot(bot.command().time)),
    }
}

/// A game in progress.
pub(crate) struct GameInProgress<'a, W: Write> {
    pub course: Course<&'a mut dyn Table>,
    pub bots: &'a mut [Bot],
    pub spec: &'a GameSpec<'a>,
    pub interrupt: &'a Interrupt,
    pub replay: Option<&'a mut ReplayWriter<W>>,
    pub observer: &'a mut dyn FnMut(&Progress<'_>),
    /// The names of the seats.
    pub seats: Vec<String>,
    pub clocks: Vec<SeatClock>,
    pub tallies: Vec<SeatReport>,
    pub notes: Vec<BotNotes>,
    pub faults: Vec<Fault>,
    /// The measurements of a host that did not let a bot run for long enough.
    pub host: Option<VoidEvidence>,
    /// The error of a host that could not run a bot.
    pub host_failure: Option<String>,
    // Buffers that are reused at every ply.
    pub game_event: GameEvent,
    pub view: Vec<u8>,
    pub legal: Vec<u8>,
    pub line: Vec<u8>,
}

impl<W: Write> GameInProgress<'_, W> {
    fn play(&mut self, record: &[String]) -> Result<GameReport, RefereeError> {
        if let Some(replay) = &mut self.replay {
            replay.write_opening(&self.game_event).map_err(replay_failure)?;
        }
        let opened = Progress::Opened { opening: &self.game_event, table: self.course.table() };
        (self.observer)(&opened);
        self.brief()?;
        check_rules(self.course.table())?;
        for action in record {
            self.play_recorded(action)?;
        }
        loop {
            match self.course.due() {
                Due::Draw => self.draw()?,
                Due::Pass(seat) | Due::Substitute(seat) => self.play_for(seat)?,
                Due::Decision(seat) => self.decide(seat)?,
                Due::Opening | Due::Nothing => break,
            }
            check_rules(self.course.table())?;
        }
        self.end()
    }

    /// Sends `start` and awaits `ready`, one bot after another, so that one bot's set-up does not
    /// slow down another's. Failures are judged after all bots were asked: if every bot fails here,
    /// none wins by having been asked last.
    fn brief(&mut self) -> Result<(), RefereeError> {
        let briefing = Briefing {
            game_id: self.spec.game_id.to_string(),
            game: plain_name(self.course.table().game()).to_string(),
            rules: self.course.table().rules(),
            seats: self.seats.clone(),
            players: self.spec.players(self.course.table(), self.bots),
            time: self.spec.time.clone(),
        };
        let mut failures = Vec::new();
        for bot in 0..self.bots.len() {
            let briefed = self
                .await_standstill_of_others(bot)
                .and_then(|()| self.check_stood_still(bot))
                .and_then(|()| self.brief_one(bot, &briefing));
            // On the CPU clock, what it used meanwhile would not be charged to its first decision.
            match briefed {
                Ok(()) if self.spec.time.kind != ClockKind::Cpu => {
                    self.bots[bot].rest_soon_when_ready();
                }
                _ => self.bots[bot].rest(),
            }
            match briefed {
                Ok(()) => {}
                Err(Failure::Bot(_)) if self.is_void_by_host(bot)? => return Ok(()),
                Err(Failure::Bot(failure)) => failures.push((bot, failure)),
                Err(Failure::Overloaded(evidence)) => {
                    let seat = self.first_seat(bot);
                    if let Some(failure) = self.overloaded(0, seat, *evidence)? {
                        failures.push((bot, failure));
                    }
                }
                Err(Failure::Interrupted) => return Err(RefereeError::Interrupted),
                Err(Failure::Host(host)) => return Err(host.into()),
                Err(Failure::Survivors(survivors)) => return Err(survivors.into()),
            }
        }
        for (bot, failure) in failures {
            let seat = self.first_seat(bot);
            self.fail(seat, Phase::Setup, failure, None)?;
        }
        Ok(())
    }

    /// Waits until all other bots have stopped for which a stop was requested, before the clock of
    /// this one starts. A bot that does not stop is ended, and fails at its next decision.
    pub(crate) fn await_standstill_of_others(&mut self, asked: usize) -> Result<(), Failure> {
        for bot in (0..self.bots.len()).filter(|&bot| bot != asked) {
            let Some(connection) = self.bots[bot].connection_mut() else { continue };
            if let Some(failure) = connection.await_standstill(self.interrupt)? {
                self.part_with(bot)?;
                self.notes[bot].ran_on = Some(failure);
            }
        }
        Ok(())
    }

    /// Returns the failure of a bot that was ended because it did not stop.
    pub(crate) fn check_stood_still(&self, bot: usize) -> Result<(), Failure> {
        match &self.notes[bot].ran_on {
            Some(failure) => Err(failure.clone().into()),
            None => Ok(()),
        }
    }

    /// Sends `start` to one bot and awaits its `ready`. A program that has exited normally since
    /// its last game is restarted: it was stopped between the games, so its exit could not be
    /// detected.
    fn brief_one(&mut self, bot: usize, briefing: &Briefing) -> Result<(), Failure> {
        let has_played = self.bots[bot].connection().is_some_and(Connection::has_played);
        let briefed = self.brief_once(bot, briefing).map_err(|failure| match failure {
            Failure::Bot(failure) => {
                self.bots[bot].explain_silence(failure, self.spec.limits.setup_ms).into()
            }
            failure => failure,
        });
        let has_left = |connection: &Connection| {
            connection.processes.ending() == Some(Ending::Exited(0))
                && connection.stdout_bytes() == 0
        };
        let bot_failed = matches!(briefed, Err(Failure::Bot(_)));
        if !(has_played && bot_failed && self.bots[bot].connection().is_some_and(has_left)) {
            return briefed;
        }
        match self.bots[bot].start(&self.spec.limits, self.interrupt) {
            Ok(()) => self.brief_once(bot, briefing),
            Err(StartError::Failed { failure, .. }) => Err(failure.into()),
            // Its options were accepted at its first start.
            Err(StartError::Option { error, .. }) => {
                Err(BotFailure::new(FaultKind::StartFailed, error.to_string()).into())
            }
            Err(StartError::Interrupted) => Err(Failure::Interrupted),
            Err(StartError::Overloaded { evidence, .. }) => Err(Failure::Overloaded(evidence)),
            // The bot remembers the failure, and the game is void.
            Err(StartError::Host(host)) => {
                Err(BotFailure::new(FaultKind::StartFailed, host.to_string()).into())
            }
        }
    }

    fn brief_once(&mut self, bot: usize, briefing: &Briefing) -> Result<(), Failure> {
        let limits = &self.spec.limits;
        let asked = &mut self.bots[bot];
        if let Some(failure) = asked.start_failure() {
            return Err(failure.clone().into());
        }
        if let Some(failure) = asked.start_host_failure() {
            return Err(BotFailure::new(FaultKind::StartFailed, failure).into());
        }
        if let Some(evidence) = asked.start_overload() {
            return Err(Failure::Overloaded(Box::new(*evidence)));
        }
        let (options, own_time) = (asked.options().clone(), asked.command().time);
        let (Some(hello), Some(_)) = (asked.hello(), asked.connection()) else {
            let message = "expected the program to be running, but it was not started";
            return Err(BotFailure::new(FaultKind::StartFailed, message).into());
        };
        if !hello.games.is_empty() && !hello.games.contains(&briefing.game) {
            let games: Vec<String> =
                hello.games.iter().map(|game| botyard_protocol::printable(game, 40)).collect();
            let message = format!(
                "expected a bot that plays {}, got one that says it plays {}",
                briefing.game,
                games.join(", ")
            );
            return Err(BotFailure::new(FaultKind::StartFailed, message).into());
        }
        if let Some(connection) = asked.connection_mut() {
            connection.begin_game(limits);
            let table = self.course.table();
            briefing.write_start(&mut connection.outbox, bot, &options, own_time, table);
        }
        let processes = self.bots[bot].connection().map(|connection| &connection.processes);
        let setup_us = self.bots[bot].allowed_ms(limits.setup_ms).saturating_mul(1000);
        let allowance = Allowance::wall(self.spec.gauge, processes, setup_us);
        let since = send(self.bots, bot, self.interrupt, &allowance)?;
        let mut deadline = Deadline::new(&allowance, since);
        let mut line = std::mem::take(&mut self.line);
        let mut now = Moment::at(since);
        let ready = loop {
            now = await_line(self.bots, bot, self.interrupt, &mut deadline, now, &mut line)?;
            match parse_bot_line(&line, limits) {
                Ok(BotLine::Ready) => break Ok(()),
                Ok(BotLine::Log { text }) => self.log(bot, &text)?,
                Ok(other) => {
                    let message = format!("expected \"ready\", got a {:?}", other.kind());
                    break Err(protocol_failure(message, &line).into());
                }
                Err(error) => break Err(protocol_failure(error.to_string(), &line).into()),
            }
        };
        self.line = line;
        ready
    }

    /// Returns whether a bot failed because the host could not run it: it could not be started, or
    /// its files are missing. The game is void then.
    pub(crate) fn is_void_by_host(&mut self, bot: usize) -> Result<bool, RefereeError> {
        let failed = &self.bots[bot];
        let lost = || failed.lost_files().map(|failure| failure.to_string());
        let Some(failure) = failed.start_host_failure().map(String::from).or_else(lost) else {
            return Ok(false);
        };
        self.part_with(bot)?;
        self.host_failure = Some(failure);
        self.course.host_failed().map_err(course_failure)?;
        Ok(true)
    }

    /// Handles a host that did not let a bot run for long enough to tell whether it was in time.
    /// The game is void, unless a previous attempt was void at this bot's turn and the evidence is
    /// against the bot: then it is the bot's failure, which is returned.
    pub(crate) fn overloaded(
        &mut self,
        turn: u32,
        seat: Seat,
        evidence: HostEvidence,
    ) -> Result<Option<BotFailure>, RefereeError> {
        let bot = self.spec.seats[seat.index()];
        // The rest of its output would be taken for its first output in the next game.
        self.part_with(bot)?;
        self.bots.iter_mut().for_each(Bot::yield_cores);
        let afterwards_us = waiting_afterwards(self.spec.gauge, AFTERWARDS);
        let evidence = HostEvidence { afterwards_us, ..evidence };
        let name = self.seats[seat.index()].clone();
        self.host = Some(VoidEvidence { turn, seat: Some(name), evidence });
        if self.spec.void_at == Some(bot) && is_against_the_bot(&evidence) {
            let message = format!(
                "expected an answer to \"turn\" {turn} within {} ms, none came; the host was busy, as at the \
                 last attempt, but the other bots were idle, and the host was free as soon as this bot had ended",
                evidence.allowed_us / 1000
            );
            return Ok(Some(BotFailure::new(FaultKind::Timeout, message)));
        }
        self.course.stall().map_err(course_failure)?;
        Ok(None)
    }

    fn draw(&mut self) -> Result<(), RefereeError> {
        self.course.draw(&mut self.game_event).map_err(course_failure)?;
        let turn = self.course.turn();
        if let Some(replay) = &mut self.replay {
            replay.write_chance(turn, &self.game_event).map_err(replay_failure)?;
        }
        let drawn = Progress::Drawn { turn, drawn: &self.game_event, table: self.course.table() };
        (self.observer)(&drawn);
        Ok(())
    }

    /// Plays the next decision of the record. Nothing is played once a bot's failure has decided
    /// the game.
    fn play_recorded(&mut self, action: &str) -> Result<(), RefereeError> {
        while self.course.due() == Due::Draw {
            self.draw()?;
        }
        let turn = self.course.turn() + 1;
        let seat = match self.course.due() {
            Due::Decision(seat) => seat,
            Due::Pass(seat) | Due::Substitute(seat) => return Ok(self.play_for(seat)?),
            _ if self.course.is_decided() => return Ok(()),
            Due::Opening | Due::Draw | Due::Nothing => {
                return Err(RefereeError::RecordTooLong { turn });
            }
        };
        self.course.play_recorded(action, &mut self.game_event).map_err(|error| match error {
            CourseError::Refused(error) => RefereeError::Record { turn, error },
            error => course_failure(error).into(),
        })?;
        Ok(self.played_for(seat, PlayedBy::Record)?)
    }

    /// Plays the action that the referee chooses for a seat: its pass or a substitute.
    pub(crate) fn play_for(&mut self, seat: Seat) -> Result<(), HostFailure> {
        self.course.play_for(&mut self.game_event).map_err(course_failure)?;
        self.played_for(seat, PlayedBy::Referee)
    }

    /// Records an action that was played but not chosen by the seat's bot.
    fn played_for(&mut self, seat: Seat, by: PlayedBy) -> Result<(), HostFailure> {
        let turn = self.course.turn();
        if let Some(replay) = &mut self.replay {
            replay
                .write_move(turn, seat, &self.game_event, None, Some(by), None)
                .map_err(replay_failure)?;
        }
        self.moved(seat, None, None)
    }

    /// Completes every action: writes the state's hash if it is due, and calls the observer.
    pub(crate) fn moved(
        &mut self,
        seat: Seat,
        info: Option<&str>,
        time: Option<MoveTime>,
    ) -> Result<(), HostFailure> {
        let turn = self.course.turn();
        if let Some(replay) = &mut self.replay
            && ReplayWriter::<W>::state_is_due(turn)
        {
            let hash = self.course.table().state_hash();
            replay.write_state(turn, hash).map_err(replay_failure)?;
        }
        let (played, table) = (&self.game_event, self.course.table());
        let wall_us = time.map(|time| time.wall_us);
        let excused_us = time.and_then(|time| time.excused_us).unwrap_or(0);
        (self.observer)(&Progress::Moved { turn, seat, played, info, wall_us, excused_us, table });
        Ok(())
    }

    /// Records a `log` line of a bot.
    pub(crate) fn log(&mut self, bot: usize, text: &str) -> Result<(), Failure> {
        let player = self.bots[bot].name();
        if let Some(replay) = &mut self.replay {
            replay.write_log(self.course.turn(), player, text).map_err(replay_failure)?;
        }
        (self.observer)(&Progress::Logged { player, text });
        Ok(())
    }

    /// Returns the seats that a bot holds.
    pub(crate) fn seats_of(&self, bot: usize) -> impl Iterator<Item = Seat> {
        Seat::all(self.seats.len()).filter(move |seat| self.spec.seats[seat.index()] == bot)
    }

    fn first_seat(&self, bot: usize) -> Seat {
        self.seats_of(bot).next().expect("every bot holds a seat: see check()")
    }
}

/// Checks that the rules of a game have not failed.
fn check_rules(table: &dyn Table) -> Result<(), RefereeError> {
    table.fault().map_or(Ok(()), |fault| Err(RefereeError::Rules(fault)))
}

/// Returns the failure of a replay that cannot be written: a game that is not recorded is not
/// judged.
pub(crate) fn replay_failure(error: std::io::Error) -> HostFailure {
    HostFailure::new("writing the replay", error)
}
