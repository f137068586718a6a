//! A replay as text for people: the players, every decision with its time, chance outcomes, faults
//! and the outcome. The game is played through its rules at the same time, so everything printed is
//! sound. A copy for a seat cannot be played, nor a game whose rules are a program that is not here;
//! their lines are printed as they are.

use crate::event::{
    Event, FaultEvent, Header, Imported, MoveEvent, MoveTime, PlayedBy, UnknownSeat,
};
use crate::info::info_in_words;
use crate::playback::{MakeTable, Playback, VerifyError};
use crate::reader::{Line, ReplayReader};
use botyard_engine::record::RECORDED;
use botyard_engine::registry::{SetupError, digest_of, plain_name};
use botyard_engine::{Seat, Seed};
use botyard_protocol::{ADJUDICATED, EndOutcome, OutcomeKind, TimeControl, printable};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

/// The maximum length of a name, in characters.
const NAME: usize = 60;
/// The maximum length of a log line, a message or a line of JSON, in characters.
const TEXT: usize = 400;

/// The reason why a replay cannot be shown, or only in part.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// It is not sound; what comes before the error is printed. Or it is a copy for a seat, and the
    /// lines of a bot are asked for.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The game has no such seat.
    #[error(transparent)]
    Seat(#[from] UnknownSeat),
    /// The output cannot be written to.
    #[error("cannot write: {0}")]
    Host(#[from] io::Error),
}

/// Prints a replay, up to decision number `until` (`None`: all).
///
/// With `seat` (given by name or by number from 1), only what that seat saw is printed: for an
/// action that was partly hidden from it, the JSON that it saw instead; and no boards.
///
/// # Errors
///
/// The replay is not sound, the game has no such seat, or the output cannot be written.
pub fn show<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    seat: Option<&str>,
    until: Option<u32>,
    out: &mut dyn Write,
) -> Result<(), ShowError> {
    let header = reader.header().clone();
    let seat = seat.map(|seat| header.find_seat(seat)).transpose()?;
    let mut missing = None;
    let playback = match header.view_of {
        Some(_) => None,
        None => match Playback::new(&header, make_table) {
            Err(VerifyError::Setup(error @ SetupError::Game(_)))
                if digest_of(&header.game).is_some() =>
            {
                missing = Some(error);
                None
            }
            playback => Some(playback?),
        },
    };
    let until = until.unwrap_or(u32::MAX);
    let mut stage = Stage { playback, seat, header, out };
    stage.header()?;
    if let Some(error) = missing {
        writeln!(stage.out, "  not checked, and listed as recorded: {error}")?;
    }
    for line in reader {
        let line = line.map_err(VerifyError::Read)?;
        if number_of(&line.event) > until {
            stage.board()?;
            break;
        }
        stage.line(&line)?;
    }
    Ok(stage.out.flush()?)
}

/// Returns the number of the decision that an event belongs to.
fn number_of(event: &Event) -> u32 {
    match event {
        Event::Move(event, _) => event.turn,
        Event::Fault(event, _) => event.fault.turn,
        Event::Chance(event) => event.turn,
        Event::Log(event) => event.turn,
        Event::State(event) => event.turn,
        Event::Header(_) | Event::End(..) => 0,
    }
}

struct Stage<'a> {
    playback: Option<Playback>,
    /// The seat whose observations are shown; `None` to show everything.
    seat: Option<Seat>,
    header: Header,
    out: &'a mut dyn Write,
}

impl Stage<'_> {
    fn header(&mut self) -> io::Result<()> {
        let header = &self.header;
        let game = printable(plain_name(&header.game), NAME);
        let id = printable(&header.game_id, NAME);
        let seed = match header.seed {
            Some(seed @ Seed::Number(_)) => format!(", seed {seed}"),
            // A key is too long to be typed again, so it is not shown.
            Some(Seed::Key(_)) | None => String::new(),
        };
        writeln!(self.out, "{game}, game {id}{seed}")?;
        for player in &header.players {
            let name = printable(&player.name, NAME);
            let bot = player.bot.as_ref().map(|bot| {
                let version = bot.version.as_ref().map(|version| format!(" {version}"));
                printable(&format!("{}{}", bot.name, version.unwrap_or_default()), NAME)
            });
            let bot = bot.map(|bot| format!(" ({bot})")).unwrap_or_default();
            writeln!(self.out, "  {}: {name}{bot}", printable(&player.seats.join(", "), TEXT))?;
        }
        if let Some(Imported { source, game, .. }) = &header.imported {
            let (source, game) = (printable(source, NAME), printable(game, NAME));
            writeln!(self.out, "  imported: game {game} of {source}")?;
        }
        if let Some(seat) = &header.view_of {
            writeln!(self.out, "  a copy: only what {} saw", printable(seat, NAME))?;
        }
        if !header.adjudication.is_off() {
            writeln!(self.out, "  adjudicated by: {}", header.adjudication)?;
        }
        let control = &header.time_control;
        let own = header.players.iter().filter_map(|player| {
            let has = match player.time {
                _ if player.untimed => "no clock".to_string(),
                time => time_control(&control.of_bot(Some(time?))),
            };
            Some(format!("; {} has {has}", printable(&player.name, NAME)))
        });
        writeln!(self.out, "  time: {}{}", time_control(control), own.collect::<String>())
    }

    fn line(&mut self, line: &Line) -> Result<(), ShowError> {
        // The text of an action is made before it is played; other lines are printed after they
        // were checked.
        let words = match &line.event {
            Event::Move(event, _) => Some(self.words(&event.action, &event.seen, |playback| {
                playback.table().action_text(event.action.get())
            })),
            Event::Chance(event) => Some(self.words(&event.outcome, &event.seen, |playback| {
                playback.table().chance_text(event.outcome.get())
            })),
            _ => None,
        };
        if let Some(playback) = &mut self.playback {
            playback.follow(line)?;
        }
        match &line.event {
            // The opening is always the second line.
            Event::Chance(event) if line.number == 2 => {
                self.opening(event.outcome.get(), &event.seen)?;
            }
            Event::Chance(_) => {
                writeln!(self.out, "       {}", words.unwrap_or_default())?;
            }
            Event::Move(event, time) => {
                let seat = printable(&event.seat, NAME);
                let took = took(*time, event.by);
                let words = words.unwrap_or_default();
                // Most games name the seat in the text of an action; JSON does not.
                let who = if words.starts_with(['{', '[', '"']) {
                    format!("{seat}: ")
                } else {
                    String::new()
                };
                let info = self.info(event);
                writeln!(self.out, "{:>5}  {who}{words}{took}{info}", event.turn)?;
            }
            Event::Log(event) if self.may_see(&event.player) => {
                let (player, text) = (printable(&event.player, NAME), printable(&event.text, TEXT));
                writeln!(self.out, "       {player} says: {text}")?;
            }
            Event::Fault(event, _) => self.fault(event)?,
            Event::End(event, _) => {
                self.board()?;
                writeln!(self.out, "{}", outcome(&event.outcome, &self.header))?;
            }
            Event::Header(_) | Event::State(_) | Event::Log(_) => {}
        }
        Ok(())
    }

    fn opening(&mut self, full: &str, seen: &Option<Box<RawValue>>) -> io::Result<()> {
        if self.playback.is_none() || self.seat.is_some() {
            let visible = self.visible(seen).unwrap_or_else(|| full.to_string());
            return writeln!(self.out, "\n       opening: {}", printable(&visible, TEXT));
        }
        self.board()
    }

    /// Prints the position, if everything may be shown.
    fn board(&mut self) -> io::Result<()> {
        if let (Some(playback), None) = (&self.playback, self.seat)
            && playback.is_open()
        {
            writeln!(self.out, "\n{}\n", playback.table().text().trim_end())?;
        }
        Ok(())
    }

    fn fault(&mut self, event: &FaultEvent) -> io::Result<()> {
        let fault = &event.fault;
        let evidence = match self.seat {
            Some(seat) if self.header.seats[seat.index()].seat != fault.seat => String::new(),
            _ => format!(": {}", printable(&fault.message, TEXT)),
        };
        let end = if event.fatal { " and forfeits" } else { "" };
        let (seat, kind) = (printable(&fault.seat, NAME), fault.kind.as_str());
        writeln!(self.out, "    !  {seat} fails ({kind}){end}{evidence}")
    }

    /// Returns the text of an action or chance outcome, as far as it may be shown.
    fn words(
        &self,
        full: &RawValue,
        seen: &Option<Box<RawValue>>,
        in_words: impl Fn(&Playback) -> String,
    ) -> String {
        let visible = self.visible(seen);
        match (&self.playback, visible) {
            (_, Some(visible)) => printable(&visible, TEXT),
            (Some(playback), None) if playback.is_open() => printable(&in_words(playback), TEXT),
            _ => printable(full.get(), TEXT),
        }
    }

    /// Returns what the seat saw instead of the full value, if something was hidden from it.
    fn visible(&self, seen: &Option<Box<RawValue>>) -> Option<String> {
        let seat = &self.header.seats[self.seat?.index()].seat;
        let seen = seen.as_ref()?.get();
        let seen: BTreeMap<String, Box<RawValue>> = serde_json::from_str(seen).ok()?;
        seen.get(seat).map(|visible| visible.get().to_string())
    }

    /// Returns what the bot said about its action, if that may be shown.
    fn info(&self, event: &MoveEvent) -> String {
        let holder = self.header.seats.iter().find(|holder| holder.seat == event.seat);
        match &event.info {
            Some(info) if holder.is_some_and(|holder| self.may_see(&holder.player)) => {
                match info_in_words(info.get()) {
                    words if words.is_empty() => words,
                    words => format!("  {words}"),
                }
            }
            _ => String::new(),
        }
    }

    /// Returns whether log lines of a player may be shown: for a seat, only those of its own bot.
    fn may_see(&self, player: &str) -> bool {
        self.seat.is_none_or(|seat| self.header.seats[seat.index()].player == player)
    }
}

fn took(time: Option<MoveTime>, by: Option<PlayedBy>) -> String {
    match (time, by) {
        (_, Some(PlayedBy::Referee)) => "  (played by the referee)".to_string(),
        (_, Some(PlayedBy::Record)) => "  (from an earlier game)".to_string(),
        (Some(time), None) => {
            let ms = |us: u64| format!("{:.3} ms", us as f64 / 1000.0);
            let excused = time.excused_us.filter(|&us| us > 0);
            let excused = excused.map_or(String::new(), |us| format!(", {} excused", ms(us)));
            format!("  ({}{excused})", ms(time.wall_us))
        }
        (None, None) => String::new(),
    }
}

fn time_control(time: &TimeControl) -> String {
    let mut parts = Vec::new();
    parts.extend(time.move_ms.map(|ms| format!("{ms} ms per move")));
    parts.extend(time.bank_ms.map(|ms| format!("bank of {ms} ms")));
    if time.increment_ms > 0 {
        parts.push(format!("increment of {} ms", time.increment_ms));
    }
    if time.grace_ms > 0 {
        parts.push(format!("grace of {} ms", time.grace_ms));
    }
    if parts.is_empty() { "not measured".to_string() } else { parts.join(", ") }
}

fn outcome(outcome: &EndOutcome, header: &Header) -> String {
    let reason = printable(&outcome.reason, NAME);
    let kind = match outcome.kind {
        OutcomeKind::Completed if header.imported.is_some() && reason == RECORDED => {
            "ended as recorded, and not by the rules".to_string()
        }
        OutcomeKind::Completed => match reason.strip_prefix(ADJUDICATED) {
            Some(rule) => format!("adjudicated: {rule}"),
            None => format!("over: {reason}"),
        },
        OutcomeKind::BotFault => format!("decided by a fault: {reason}"),
        OutcomeKind::Void => return format!("void: {reason}"),
    };
    let scores = header.seats.iter().zip(&outcome.scores).zip(&outcome.ranks);
    let scores = scores.map(|((holder, score), rank)| {
        let (seat, player) = (printable(&holder.seat, NAME), printable(&holder.player, NAME));
        format!("{seat} ({player}) {score}, place {rank}")
    });
    format!("{kind}; {}", scores.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excused_time_stands_beside_the_time_of_a_decision() {
        for (excused_us, expected) in [
            (None, "  (2.500 ms)"),
            (Some(0), "  (2.500 ms)"),
            (Some(1_200), "  (2.500 ms, 1.200 ms excused)"),
        ] {
            let time = MoveTime { wall_us: 2_500, cpu_us: None, bank_ms: None, excused_us };
            assert_eq!(took(Some(time), None), expected);
        }
    }
}
