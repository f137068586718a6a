//! How detectives open while nothing is known of Mr. X: towards stations where many lines meet, no
//! two of them to the same one.
//!
//! The second source has a table of two moves per start card, to stations with all means of
//! transport. This computes them from the board: from any start, with any number of detectives.

use super::board_tables::{BoardTables, UNREACHABLE};
use super::simulation_state::SimulationState;
use botyard_engine::scotland_yard::{Action, Arena, Kinds, Station};

/// In how many rounds the detectives open.
const ROUNDS: u16 = 2;

/// The next step of the opening; `None` where it is over: after two rounds, or once Mr. X has been
/// seen. The state's detectives are to move.
pub fn opening_step(
    tables: &BoardTables,
    arena: &Arena,
    simulated: &SimulationState,
) -> Option<Action> {
    let position = &simulated.position;
    let seen = (1..=position.x_moves()).any(|step| arena.reveals(step));
    if position.round() > ROUNDS || seen {
        return None;
    }
    let detective = simulated.detective_to_move(arena)?;
    // The hubs of those who are in front are taken: where they stand, or are on the way to.
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
    // Having to leave the hub again is no opening.
    best.filter(|(moves, _)| u16::from(*moves) < left).map(|(_, action)| action)
}

/// The station that most lines leave from by these kinds of tickets, of those within so many moves
/// that are not taken; all three means of transport count before the number of lines.
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

    /// From any start: after the opening the detectives stand apart, most of them where all three
    /// means of transport stop; and it is over after two rounds.
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
