//! The detectives' opening, before anything is known of Mr. X: towards stations where many lines
//! meet, each to a different one.
//!
//! Belej 2015 has a table of two moves per start card, to stations with all means of
//! transport. This computes them from the board: from any start, with any number of detectives.

use super::board_tables::{BoardTables, UNREACHABLE};
use super::simulation_state::SimulationState;
use botyard_agent::AgentRng;
use botyard_engine::scotland_yard::{Action, Arena, Kinds, Station};

/// The number of rounds of the opening.
const ROUNDS: u16 = 2;

/// How the detectives play the first two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// By the search, as all others.
    Search,
    /// Towards stations where many lines meet ([`opening_step`]).
    Hubs,
    /// At random: the least that a table of moves is better than.
    Random,
}

impl Opening {
    /// Returns the next step of the opening; `None` if it is over. The detectives must be to move.
    pub fn step(
        self,
        tables: &BoardTables,
        arena: &Arena,
        simulated: &SimulationState,
        rng: &mut AgentRng,
    ) -> Option<Action> {
        match self {
            Opening::Search => None,
            Opening::Hubs => opening_step(tables, arena, simulated),
            Opening::Random if is_over(arena, simulated) => None,
            Opening::Random => simulated.position.random_action(arena, rng),
        }
    }
}

/// Whether the opening is over: after two rounds, or after a reveal.
fn is_over(arena: &Arena, simulated: &SimulationState) -> bool {
    let position = &simulated.position;
    position.round() > ROUNDS || (1..=position.x_moves()).any(|step| arena.reveals(step))
}

/// Returns the next step of the opening; `None` if it is over: after two rounds, or after a reveal.
/// The detectives must be to move.
pub fn opening_step(
    tables: &BoardTables,
    arena: &Arena,
    simulated: &SimulationState,
) -> Option<Action> {
    if is_over(arena, simulated) {
        return None;
    }
    let position = &simulated.position;
    let detective = simulated.detective_to_move(arena)?;
    // The hubs of the detectives before this one are taken: their stations or targets.
    let left = ROUNDS + 1 - position.round();
    let mut taken: Vec<Station> = Vec::new();
    for other in position.all_detectives().filter(|&other| other != detective) {
        let Some(at) = position.pawns().get(other) else { continue };
        if position.has_moved(other) {
            let kinds = position.tickets_of(other).kinds();
            taken.extend(hub(tables, arena, kinds, at, left - 1, &taken));
        }
    }
    let at = position.pawns().get(detective)?;
    let kinds = position.tickets_of(detective).kinds();
    let hub = hub(tables, arena, kinds, at, left, &taken)?;
    let row = tables.row(kinds, hub);
    let mut best: Option<(u8, Action)> = None;
    position.for_each_step(arena, detective, |ticket, to| {
        let moves = row[to.index()];
        if moves != UNREACHABLE && best.is_none_or(|(least, _)| moves < least) {
            best = Some((moves, Action::Detective { detective, ticket, to }));
        }
        true
    });
    // No step of the opening leads away from the hub.
    best.filter(|(moves, _)| u16::from(*moves) < left).map(|(_, action)| action)
}

/// Returns the station with the most lines by these kinds of tickets, among the free ones within
/// this number of moves; a station with all three means of transport comes first.
fn hub(
    tables: &BoardTables,
    arena: &Arena,
    kinds: Kinds,
    from: Station,
    moves: u16,
    taken: &[Station],
) -> Option<Station> {
    let row = tables.row(kinds, from);
    let board = arena.board();
    board
        .stations()
        .filter(|station| u16::from(row[station.index()]) <= moves && !taken.contains(station))
        .max_by_key(|&station| {
            let means = (board.kinds(station).bits() & Kinds::FARES.bits()).count_ones();
            let lines = tables.neighbours(kinds, station).len();
            (means, lines, std::cmp::Reverse(station))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::scotland_yard::{ScotlandYard, Stage};
    use botyard_engine::{Game, Stream};

    /// From any start: after the opening the detectives are on different stations, most with all
    /// three means of transport; and it is over after two rounds.
    #[test]
    fn leads_to_stations_with_all_means_of_transport() {
        let game = ScotlandYard::new(ScotlandYard::preset("belej-2015").unwrap()).unwrap();
        let tables = BoardTables::new(&game).unwrap();
        let mut stream = Stream::new(1, "test");
        let (mut at_hubs, mut all) = (0, 0);
        for _ in 0..40 {
            let state = game.start(&game.draw_opening(stream.rng())).unwrap();
            let mut simulated = SimulationState::untracked(*state.position());
            while simulated.position.round() <= ROUNDS {
                let action = match simulated.position.stage() {
                    Stage::Detectives => opening_step(&tables, game.arena(), &simulated),
                    _ => None,
                };
                let action = match action {
                    Some(action) => action,
                    None => match simulated.position.random_action(game.arena(), stream.rng()) {
                        Some(action) => action,
                        None => break,
                    },
                };
                assert!(simulated.position.check(game.arena(), action).is_ok(), "{action:?}");
                simulated.apply(&tables, game.arena(), action);
            }
            for station in simulated.position.pawns().stations() {
                let means = game.board().kinds(station).bits() & Kinds::FARES.bits();
                at_hubs += u32::from(means == Kinds::FARES.bits());
                all += 1;
            }
            if simulated.position.stage() == Stage::MrX {
                let step = simulated.position.random_action(game.arena(), stream.rng()).unwrap();
                simulated.apply(&tables, game.arena(), step);
                assert_eq!(opening_step(&tables, game.arena(), &simulated), None);
            }
        }
        // 14 of London's 199 stations have all three.
        assert!(at_hubs * 2 > all, "{at_hubs} of {all}");
    }
}
