//! The record that is analyzed: all lines of a replay, and the decisions to ask about.

use botyard_engine::Seat;
use botyard_engine::registry;
use botyard_protocol::OutcomeKind;
use botyard_replay::{
    Event, Header, Line, Playback, ReadError, ReplayReader, VerifyError, registered_table, shares,
};
use botyard_runner::Error;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A replay that was read and found sound.
pub(crate) struct SoundReplay {
    /// The header.
    pub header: Header,
    /// All lines after the header.
    pub lines: Arc<[Line]>,
    /// The chain of the last line.
    pub chain: String,
    /// The share of the points of each seat: see [`Analysis::result`](botyard_replay::Analysis).
    pub result: Vec<Option<f64>>,
    /// Whether the estimate of one seat is also that of the other: see
    /// [`Analysis::is_two_sided`](botyard_replay::Analysis).
    pub is_two_sided: bool,
    /// The numbers of the decisions that a bot made, with their seats, in order.
    pub decisions: Vec<(u32, Seat)>,
}

impl SoundReplay {
    /// Reads a replay and plays it through its rules. A replay without an end is read as far as it
    /// goes.
    ///
    /// # Errors
    ///
    /// The replay cannot be read, is not sound, or is a copy for a seat.
    pub(crate) fn read(path: &Path) -> Result<SoundReplay, Error> {
        let unsound = |error: VerifyError| Error::usage(format!("{}: {error}", path.display()));
        let mut reader = ReplayReader::open(path).map_err(|error| unsound(error.into()))?;
        let header = reader.header().clone();
        let mut playback = Playback::new(&header, &registered_table).map_err(unsound)?;
        let scores = playback.table().scores();
        let (mut lines, mut decisions, mut result) = (Vec::new(), Vec::new(), Vec::new());
        // The players that have forfeited, with all their seats.
        let mut failed = BTreeSet::new();
        loop {
            let line = match reader.next() {
                Some(Ok(line)) => line,
                Some(Err(ReadError::Truncated { .. })) if !lines.is_empty() => break,
                Some(Err(error)) => return Err(unsound(error.into())),
                None => break,
            };
            playback.follow(&line).map_err(unsound)?;
            match &line.event {
                Event::Move(event, _) if event.by.is_none() => {
                    let seat = header.find_seat(&event.seat).map_err(Error::usage)?;
                    decisions.push((event.turn, seat));
                }
                Event::Fault(event, _) if event.fatal => {
                    let seat = header.find_seat(&event.fault.seat).map_err(Error::usage)?;
                    failed.insert(header.seats[seat.index()].player.clone());
                }
                Event::End(event, _) if event.outcome.kind == OutcomeKind::Completed => {
                    let shares = shares(&event.outcome, scores).into_iter().zip(&header.seats);
                    let known = shares
                        .map(|(share, holder)| (!failed.contains(&holder.player)).then_some(share));
                    result = known.collect();
                }
                _ => {}
            }
            lines.push(line);
        }
        let info = registry::info(&header.game).map_err(Error::usage)?;
        let is_two_sided =
            header.seats.len() == 2 && !info.hidden && !info.chance && scores.sum.is_some();
        let chain = reader.last_chain();
        Ok(SoundReplay { header, lines: lines.into(), chain, result, is_two_sided, decisions })
    }

    /// Returns the seats with these names or numbers, in seat order; all of them if there are none.
    ///
    /// # Errors
    ///
    /// The game has no such seat.
    pub(crate) fn seats(&self, names: &[String]) -> Result<BTreeSet<Seat>, Error> {
        match names {
            [] => Ok(Seat::all(self.header.seats.len()).collect()),
            names => {
                names.iter().map(|name| self.header.find_seat(name).map_err(Error::usage)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(name: &str) -> Vec<Option<f64>> {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/tests/data");
        SoundReplay::read(&data.join(name)).unwrap().result
    }

    #[test]
    fn a_result_counts_for_the_seats_whose_bots_played_to_the_end() {
        assert_eq!(result("draughts-imported.ndjson"), [Some(0.0), Some(1.0)]);
        let some_failed = [Some(0.0), None, None, None, Some(1.0)];
        assert_eq!(result("dice-wars-substitute.ndjson"), some_failed);
        for decided_otherwise in ["draughts-forfeit.ndjson", "draughts-void.ndjson"] {
            assert_eq!(result(decided_otherwise), []);
        }
    }
}
