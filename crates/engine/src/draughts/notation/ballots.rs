//! The three-move openings: every sequence of three plies from the start that does not lose a piece
//! without compensation, numbered as on the cards that tournaments draw from. Seventeen of them are
//! barred because they lose.

use super::move_text::MoveText;
use crate::draughts::movement::Movement;
use crate::draughts::moves::Move;
use crate::draughts::position::Position;
use std::sync::LazyLock;

/// Whether a ballot is drawn in tournaments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is drawn.
    Standard,
    /// It is barred: one side is lost.
    Lost,
}

/// One of the three-move openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// Its number, from 1.
    pub number: u16,
    /// The moves of Black, White and Black from the start.
    pub moves: [Move; 3],
    /// Whether it is drawn in tournaments.
    pub standing: Standing,
    /// The position after it.
    pub position: Position,
}

const TABLE: &str = include_str!("../../../data/draughts/ballots_3move.tsv");

/// Returns all ballots, in the order of their numbers.
pub fn ballots() -> &'static [Ballot] {
    static BALLOTS: LazyLock<Vec<Ballot>> = LazyLock::new(|| {
        let mut ballots = Vec::new();
        for line in TABLE.lines() {
            ballots.push(ballot(line).expect("the table of ballots is valid: a test reads it"));
        }
        ballots
    });
    &BALLOTS
}

/// Parses a line of the table: number, moves, standing, the position after them.
fn ballot(line: &str) -> Option<Ballot> {
    let mut fields = line.split('\t');
    let number = fields.next()?.parse().ok()?;
    let mut position = Position::START;
    let mut moves = [None; 3];
    let mut written = fields.next()?.split(' ');
    for slot in &mut moves {
        let text: MoveText = written.next()?.parse().ok()?;
        let mv = text.find(&position, Movement::ENGLISH).ok()?;
        position = position.make(mv);
        *slot = Some(mv);
    }
    let [Some(first), Some(second), Some(third)] = moves else { return None };
    let standing = match fields.next()? {
        "standard" => Standing::Standard,
        "lost" => Standing::Lost,
        _ => return None,
    };
    let agrees = fields.next()?.parse() == Ok(position) && fields.next().is_none();
    let moves = [first, second, third];
    (agrees && written.next().is_none()).then_some(Ballot { number, moves, standing, position })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        assert_eq!(TABLE.lines().filter_map(ballot).count(), 174);
        for (number, ballot) in (1..).zip(ballots()) {
            assert_eq!(ballot.number, number);
        }
        let barred = ballots().iter().filter(|ballot| ballot.standing == Standing::Lost).count();
        assert_eq!(barred, 17);
    }

    #[test]
    fn no_two_ballots_are_the_same() {
        let mut moves: Vec<_> = ballots().iter().map(|ballot| ballot.moves).collect();
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), 174);
    }
}
