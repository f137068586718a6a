//! Tournaments, games and results for the contract.

use crate::{Completed, Lease, Request, Schedule, Work};
use botyard_league::scale::Scale;
use botyard_league::schedule::{Draws, Format, GameKey, Stage, TournamentSchedule};
use botyard_league::store::{Definition, StoreError, StoredCopies, StoredGame, conformance};
use botyard_league::{Entrant, PlayedGame, SeatUse, Verdict};
use std::time::Duration;

/// A lease that does not expire during a test.
pub(super) const LONG: Duration = Duration::from_secs(3600);

/// A tournament of this many bots in a game of two seats, which keeps no replays.
pub(super) fn tournament(name: &str, bots: usize, format: &Format, blocks: u32) -> Definition {
    let entrant = |index: usize| Entrant { name: format!("bot {index}"), ..Entrant::default() };
    let rounds = match format {
        Format::Swiss { rounds } => Some(*rounds),
        _ => None,
    };
    let stage = Stage { bots: (0..bots).collect(), blocks, rounds, ..Stage::default() };
    Definition {
        name: name.into(),
        entrants: (0..bots).map(entrant).collect(),
        rejected: Vec::new(),
        draws: Draws::numbered(7, name),
        file: file(bots, format, blocks),
        kept: Some(StoredCopies { stages: vec![stage], ..StoredCopies::default() }),
        ..conformance::definition()
    }
}

/// The text of its file.
pub(super) fn file(bots: usize, format: &Format, blocks: u32) -> String {
    let rounds = match format {
        Format::Swiss { rounds } => format!("rounds = {rounds}\n"),
        _ => String::new(),
    };
    format!(
        "game = \"draughts\"\nformat = \"{}\"\nblocks = {blocks}\n{rounds}seed = 7\n\
         [run]\nreplays = false\n{}",
        format.name(),
        "[[bot]]\ncommand = \"random\"\n".repeat(bots)
    )
}

pub(super) fn games(name: &str, bots: usize, format: &Format, blocks: u32) -> TournamentSchedule {
    let draws = Draws::numbered(7, name);
    TournamentSchedule::new("draughts", draws, (bots, 2), format, blocks)
        .expect("the format fits the bots")
}

pub(super) const ALL: Format = Format::RoundRobin { tables: None };

pub(super) fn schedule(games: &TournamentSchedule) -> Schedule<'_> {
    Schedule { games, scale: Scale::POINT }
}

/// The result of a game: the bot with the lower index wins, or the game is void.
pub(super) fn result(
    games: &TournamentSchedule,
    lease: &Lease,
    index: usize,
    is_void: bool,
) -> StoredGame {
    let leased = &lease.games[index];
    let game = games.game(&lease.block(), leased.rotation, lease.generation);
    let key =
        GameKey { generation: lease.generation, block: lease.block, rotation: leased.rotation };
    let points = if game.seats[0] < game.seats[1] { [1.0, 0.0] } else { [0.0, 1.0] };
    let places = if points[0] > 0.5 { vec![1, 2] } else { vec![2, 1] };
    let verdict = match is_void {
        true => Verdict::Void,
        false => Verdict::Scored { points: points.to_vec(), places },
    };
    StoredGame {
        key,
        id: games.hash(key),
        attempts: leased.attempt,
        game: PlayedGame {
            block: lease.block,
            seats: game.seats,
            verdict,
            void_at: is_void.then_some(1),
            turns: 61,
            uses: vec![SeatUse::default(); 2],
            faults: Vec::new(),
            replay: None,
        },
    }
}

pub(super) fn results(games: &TournamentSchedule, lease: &Lease) -> Vec<StoredGame> {
    (0..lease.games.len()).map(|index| result(games, lease, index, false)).collect()
}

pub(super) fn claim(
    work: &dyn Work,
    worker: &str,
    blocks: u32,
    id: &str,
    ttl: Duration,
) -> Vec<Lease> {
    let (worker, tournament) = (worker.into(), Some(id.into()));
    let request = Request { worker, blocks, ttl, tournament, except: Vec::new() };
    work.claim(&request).expect("claim")
}

pub(super) fn complete(
    work: &dyn Work,
    worker: &str,
    lease: &Lease,
    games: &TournamentSchedule,
) -> Completed {
    work.complete(worker, &lease.token, &results(games, lease), &[]).expect("complete")
}

pub(super) fn is_refused<T>(result: Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Refused(_)))
}
