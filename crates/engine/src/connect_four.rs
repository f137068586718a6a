//! Connect Four: two players drop discs into seven columns of six cells; the first with four in a
//! line wins. An example of a whole game in one file, without hidden information or chance.
//!
//! Rules: Hasbro's; the game was solved by James D. Allen and Victor Allis in 1988 (the first
//! player wins from the middle).

use crate::game::{Game, Illegal, NoChance, NoFields, Preset, Turn};
use crate::information::PerfectInformation;
use crate::notation::JsonOnly;
use crate::outcome::Outcome;
use crate::rules::RulesError;
use crate::seat::Seat;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

const COLUMNS: usize = 7;
const ROWS: usize = 6;

/// The content of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub enum Cell {
    /// Empty.
    #[default]
    #[serde(rename = ".")]
    Empty,
    /// A disc of the first player, yellow.
    #[serde(rename = "x")]
    Yellow,
    /// A disc of the second player, red.
    #[serde(rename = "o")]
    Red,
}

/// A position. Nothing is hidden, so it is also the view of both players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The cells by column from left to right, each from bottom to top.
    pub columns: [[Cell; ROWS]; COLUMNS],
    /// The number of discs dropped. Yellow moves when it is even.
    pub discs: u8,
    /// The end of the game, if it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The last mover has four in a line.
    FourInLine,
    /// The board is full.
    Full,
    /// Yellow's program failed.
    YellowForfeits,
    /// Red's program failed.
    RedForfeits,
}

/// An action: drops a disc into a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Drop {
    /// The column, from 1 (left) to 7 (right).
    pub column: u8,
}

/// The game.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    seats: [String; 2],
}

impl State {
    fn mover(&self) -> usize {
        usize::from(self.discs % 2)
    }

    /// Returns whether the disc at the top of a column is in a line of four.
    fn is_won_at(&self, column: usize, row: usize) -> bool {
        let disc = self.columns[column][row];
        let run = |dx: isize, dy: isize| {
            (1..4)
                .take_while(|n| {
                    let x = column.checked_add_signed(dx * n);
                    let y = row.checked_add_signed(dy * n);
                    let cell = x.zip(y).and_then(|(x, y)| self.columns.get(x)?.get(y));
                    cell == Some(&disc)
                })
                .count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| run(dx, dy) + run(-dx, -dy) >= 3)
    }
}

impl Game for ConnectFour {
    type Rules = NoFields;
    type Opening = NoFields;
    type State = State;
    type Action = Drop;
    type Chance = NoChance;
    type View = State;
    type Setup = NoFields;
    type Information = PerfectInformation;
    type Notation = JsonOnly;

    const NAME: &'static str = "connect-four";
    const ABOUT: &'static str = "Connect Four: drop discs into columns; four in a line win.";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const RULES_SCHEMA: &'static str = include_str!("../schemas/connect-four.json");
    const PRESETS: &'static [Preset] =
        &[Preset { name: "standard", about: "seven columns of six cells, yellow begins" }];

    fn preset(name: &str) -> Option<NoFields> {
        (name == "standard").then_some(NoFields {})
    }

    fn new(NoFields {}: NoFields) -> Result<ConnectFour, RulesError> {
        Ok(ConnectFour { seats: ["yellow".into(), "red".into()] })
    }

    fn rules(&self) -> &NoFields {
        &NoFields {}
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn start(&self, NoFields {}: &NoFields) -> Result<State, Illegal> {
        Ok(State::default())
    }

    fn setup(&self, _start: &State, _seat: Seat) -> NoFields {
        NoFields {}
    }

    fn turn(&self, state: &State) -> Turn {
        match state.end {
            Some(_) => Turn::Over,
            None => Turn::Seat(Seat::new(state.mover())),
        }
    }

    fn actions(&self, state: &State, into: &mut Vec<Drop>) {
        into.clear();
        if state.end.is_none() {
            let open =
                (1..).zip(&state.columns).filter(|(_, cells)| cells[ROWS - 1] == Cell::Empty);
            into.extend(open.map(|(column, _)| Drop { column }));
        }
    }

    fn apply(&self, state: &mut State, Drop { column }: Drop) {
        let column = usize::from(column) - 1;
        let Some(row) = state.columns[column].iter().position(|&cell| cell == Cell::Empty) else {
            return;
        };
        state.columns[column][row] = [Cell::Yellow, Cell::Red][state.mover()];
        state.discs += 1;
        if state.is_won_at(column, row) {
            state.end = Some(End::FourInLine);
        } else if usize::from(state.discs) == COLUMNS * ROWS {
            state.end = Some(End::Full);
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let (winner, reason) = match state.end? {
            End::Full => return Some(Outcome::draw(2, "full")),
            End::FourInLine => (1 - state.mover(), "four_in_line"),
            End::YellowForfeits => (1, "forfeit"),
            End::RedForfeits => (0, "forfeit"),
        };
        Some(Outcome::winners(2, reason, |seat| seat.index() == winner))
    }

    fn forfeit(&self, state: &mut State, seat: Seat) {
        state.end = Some([End::YellowForfeits, End::RedForfeits][seat.index()]);
    }

    fn view(&self, state: &State, _seat: Seat) -> State {
        *state
    }

    fn text(&self, state: &State) -> String {
        let mut text = String::new();
        for row in (0..ROWS).rev() {
            for column in &state.columns {
                text.push_str([" .", " x", " o"][column[row] as usize]);
            }
            text.push('\n');
        }
        text + " 1 2 3 4 5 6 7\n"
    }

    fn action_text(&self, before: &State, Drop { column }: Drop) -> String {
        format!("{}: column {column}", self.seats[before.mover()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn after(columns: &[u8]) -> State {
        let game = ConnectFour::new(NoFields {}).unwrap();
        let mut state = game.start(&NoFields {}).unwrap();
        for &column in columns {
            game.check(&state, Drop { column }).unwrap();
            game.apply(&mut state, Drop { column });
        }
        state
    }

    fn successors(game: &ConnectFour, state: &State) -> Vec<State> {
        let mut actions = Vec::new();
        game.actions(state, &mut actions);
        let play = |&action: &Drop| {
            let mut next = *state;
            game.apply(&mut next, action);
            next
        };
        actions.iter().map(play).collect()
    }

    fn perft(game: &ConnectFour, state: &State, depth: u32) -> u64 {
        let next = successors(game, state);
        match depth {
            1 => next.len() as u64,
            _ => next.iter().map(|next| perft(game, next, depth - 1)).sum(),
        }
    }

    /// Perft of Connect Four, as published by several authors of engines.
    #[test]
    fn perft_counts_the_games_of_every_length() {
        let game = ConnectFour::new(NoFields {}).unwrap();
        let counts = [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];
        for (depth, expected) in (1..).zip(counts) {
            assert_eq!(perft(&game, &State::default(), depth), expected, "depth {depth}");
        }
    }

    /// Positions after n discs: sequence A212693 of the OEIS, by John Tromp.
    #[test]
    fn positions_are_as_many_as_tromp_counted() {
        let game = ConnectFour::new(NoFields {}).unwrap();
        let mut positions = vec![State::default()];
        for expected in [7, 49, 238, 1_120, 4_263, 16_422, 54_859] {
            let mut seen = HashSet::new();
            let all = positions.iter().flat_map(|state| successors(&game, state));
            positions = all.filter(|next| seen.insert(game.text(next))).collect();
            assert_eq!(positions.len(), expected);
        }
    }

    #[test]
    fn four_in_a_line_win_in_every_direction() {
        let game = ConnectFour::new(NoFields {}).unwrap();
        for line in [
            &[1, 1, 2, 2, 3, 3, 4][..],
            &[1, 2, 1, 2, 1, 2, 1],
            &[1, 2, 2, 3, 3, 4, 3, 4, 4, 6, 4],
            &[7, 6, 6, 5, 5, 4, 5, 4, 4, 2, 4],
        ] {
            let before = after(&line[..line.len() - 1]);
            assert_eq!(game.turn(&before), Turn::Seat(Seat::new(0)), "{line:?}");
            let outcome = game.outcome(&after(line)).expect("the last disc makes four in a line");
            assert_eq!((&*outcome.reason, outcome.scores[0]), ("four_in_line", 1.0), "{line:?}");
        }
    }

    #[test]
    fn a_full_column_takes_no_disc() {
        let game = ConnectFour::new(NoFields {}).unwrap();
        let why = game.check(&after(&[4; 6]), Drop { column: 4 }).unwrap_err().0;
        assert_eq!(why, r#"{"column":4} is not one of the 6 legal actions"#);
    }
}
