//! `botyard match`: plays games between bots, and shows them, sums them up, or tells a program of
//! them. How a game is played is the referee's business.

mod arguments;
mod capacity;
mod concurrency;
mod json_events;
mod opening_file;
mod plan;
mod progress;
mod searches;
mod standings;
mod summary;
mod watch;
mod worker;

pub use arguments::MatchArgs;
pub use plan::{Plan, quoted, read_openings, tables};
pub use progress::bar;
pub use searches::Searches;
pub use summary::empty_table;
pub use watch::{fault_in_words, place_among_losers, stderr_in_words};
pub use worker::{Event, GameSource, PlayedGame, Stop, play_all, play_games};

use crate::error::Error;
use crate::failure::{FAILED, Failure, is_broken_pipe};
use crate::installed::programs;
use crate::text::{out, warn};
use botyard_protocol::{FaultKind, printable};
use botyard_referee::Interrupt;
use json_events::MatchEvent;
use standings::Standings;
use std::collections::BTreeMap;
use std::io::{self, BufWriter};
use std::process::ExitCode;
use watch::Watch;
use worker::{Worker, pin};

/// Plays the match that the arguments ask for.
///
/// The exit code is that of a failed game where a game was void, a bot could never be started, or
/// the match was interrupted. A bot's fault in a game is a result like any other.
///
/// # Errors
///
/// Arguments that make no match, and what the host cannot do.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let plan = Plan::new(&args.into(), &programs()?)?;
    warn(&plan.warnings);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let standings = if args.json {
        play_for_a_program(&plan, args.keep_going, &interrupt)
    } else if plan.schedule.games == 1 {
        play_for_a_person(&plan, &interrupt)
    } else {
        play_for_the_score(&plan, args.keep_going, &interrupt)
    };
    match standings {
        Ok(standings) => Ok(exit_code(&plan, &standings)),
        // Who reads has heard enough.
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::from(FAILED)),
        Err(error) => Err(error),
    }
}

fn exit_code(plan: &Plan, standings: &Standings) -> ExitCode {
    let all_played = standings.counted == plan.schedule.games;
    if all_played && standings.never_started().next().is_none() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    }
}

/// One game, move by move.
fn play_for_a_person(plan: &Plan, interrupt: &Interrupt) -> anyhow::Result<Standings> {
    let mut standings = Standings::new(plan);
    let mut watch = Watch::new(plan, BufWriter::new(io::stdout()));
    pin(plan.cores.first());
    let mut worker = Worker::new(plan, interrupt);
    let game = plan.schedule.game(1);
    watch.header(plan, &game)?;
    let played = worker.play(game, &mut |progress| {
        watch.step(progress);
        if watch.has_failed() {
            interrupt.raise();
        }
    });
    watch.finish()?;
    let played = match played {
        Ok(played) => played,
        Err(Stop::Failed(error)) => return Err(error.into()),
        Err(Stop::Interrupted) => {
            out("\ninterrupted\n")?;
            return Ok(standings);
        }
    };
    standings.add(plan, &played);
    out(&watch::ending(plan, &played))?;
    match worker.dismiss() {
        Err(Stop::Failed(error)) => Err(error.into()),
        Err(Stop::Interrupted) | Ok(()) => Ok(standings),
    }
}

/// Many games: a bar on a terminal, and tables at the end.
fn play_for_the_score(
    plan: &Plan,
    keep_going: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Standings> {
    out(&progress::announcement(plan))?;
    let bar = bar(plan.schedule.games);
    let mut standings = Standings::new(plan);
    let mut in_order = InOrder::default();
    let mut stopped = None;
    let mut start_failure = StartFailure::new(plan, keep_going);
    let add = |standings: &mut Standings, played: &PlayedGame| {
        standings.add(plan, played);
        bar.inc(1);
        bar.set_message(progress::live_score(standings));
    };
    play_all(plan, 1..=plan.schedule.games, interrupt, |event| {
        match event {
            Event::Started(_) => {}
            Event::Ended(played) => {
                start_failure.look_for(&played, interrupt);
                in_order.push(played).iter().for_each(|played| add(&mut standings, played));
            }
            Event::Stopped(stop) => keep_worse(&mut stopped, stop),
        }
        Ok(())
    })?;
    in_order.rest().iter().for_each(|played| add(&mut standings, played));
    bar.finish_and_clear();
    if stopped.is_none() || standings.counted + standings.void > 0 {
        out(&summary::summary(plan, &standings))?;
    }
    match stopped {
        Some(Stop::Failed(error)) => Err(error.into()),
        Some(Stop::Interrupted) => {
            let finished = standings.counted + standings.void;
            let games = plan.schedule.games;
            out(&match start_failure.found {
                Some(found) => format!(
                    "\nstopped after {finished} of {games} games: {found}\n--keep-going plays the \
                     others all the same\n"
                ),
                None => format!("interrupted: {finished} of {games} games were finished\n"),
            })?;
            Ok(standings)
        }
        None => Ok(standings),
    }
}

/// Events, one JSON object a line.
fn play_for_a_program(
    plan: &Plan,
    keep_going: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Standings> {
    let tell = |event: MatchEvent<'_>| {
        let line = serde_json::to_string(&event).map_err(Error::host)?;
        out(&format!("{line}\n")).map_err(Error::Output)
    };
    tell(json_events::match_started(plan))?;
    let mut standings = Standings::new(plan);
    let mut in_order = InOrder::default();
    let mut stopped = None;
    let mut start_failure = StartFailure::new(plan, keep_going);
    play_all(plan, 1..=plan.schedule.games, interrupt, |event| {
        match event {
            Event::Started(game) => tell(json_events::game_started(plan, &game))?,
            Event::Ended(played) => {
                start_failure.look_for(&played, interrupt);
                for played in in_order.push(played) {
                    standings.add(plan, &played);
                    tell(json_events::game_ended(plan, &played))?;
                }
            }
            Event::Stopped(stop) => keep_worse(&mut stopped, stop),
        }
        Ok(())
    })?;
    for played in in_order.rest() {
        standings.add(plan, &played);
        tell(json_events::game_ended(plan, &played))?;
    }
    let start_failure = stopped.is_some().then_some(start_failure.found).flatten();
    tell(json_events::match_ended(plan, &standings, stopped.is_some(), start_failure.as_deref()))?;
    match stopped {
        Some(Stop::Failed(error)) => Err(error.into()),
        Some(Stop::Interrupted) | None => Ok(standings),
    }
}

/// The first start of a bot that failed. One that cannot be started in a game will hardly be started
/// in the next, so the match ends there unless it is to keep going.
struct StartFailure<'a> {
    plan: &'a Plan,
    keep_going: bool,
    /// The bot and why it did not start.
    found: Option<String>,
}

impl<'a> StartFailure<'a> {
    fn new(plan: &'a Plan, keep_going: bool) -> StartFailure<'a> {
        StartFailure { plan, keep_going, found: None }
    }

    /// Looks at a game that has ended, and raises the interrupt at the first failure.
    fn look_for(&mut self, played: &PlayedGame, interrupt: &Interrupt) {
        if !self.keep_going && self.found.is_none() {
            self.found = start_failure(self.plan, played);
            if self.found.is_some() {
                interrupt.raise();
            }
        }
    }
}

/// Which bot could not be started for this game, and why, where one could not.
pub fn start_failure(plan: &Plan, played: &PlayedGame) -> Option<String> {
    let fault = played.report.faults.iter().find(|fault| fault.kind == FaultKind::StartFailed)?;
    let seat = plan.seats.iter().position(|seat| *seat == fault.seat)?;
    let bot = plan.bots.get(*played.game.seats.get(seat)?)?;
    Some(format!("bot {} could not be started: {}", bot.name, printable(&fault.message, 1000)))
}

/// Games that were played, put into the order of their numbers: so the sums, and what is printed,
/// do not depend on which worker was faster.
#[derive(Debug, Default)]
struct InOrder {
    waiting: BTreeMap<u32, PlayedGame>,
    next: u32,
}

impl InOrder {
    /// Takes one in, and gives those back whose turn it is now.
    fn push(&mut self, played: Box<PlayedGame>) -> Vec<PlayedGame> {
        self.waiting.insert(played.game.number, *played);
        let mut ready = Vec::new();
        while let Some(played) = self.waiting.remove(&(self.next + 1)) {
            self.next += 1;
            ready.push(played);
        }
        ready
    }

    /// What is left when no more come: games behind one that was not finished.
    fn rest(self) -> Vec<PlayedGame> {
        self.waiting.into_values().collect()
    }
}

/// Of several reasons to stop, a failure tells more than the interrupt that it caused elsewhere.
pub fn keep_worse(kept: &mut Option<Stop>, stop: Stop) {
    if !matches!(kept, Some(Stop::Failed(_))) {
        *kept = Some(stop);
    }
}
