//! The tables of draughts for a referee: positions of a [`Table`].

use super::tables::Endgames;
use crate::draughts::game::Draughts;
use crate::draughts::movement::Movement;
use crate::draughts::position::Position;
use crate::draughts::rules::Rules;
use crate::endgame_tables::{EndgameResult, EndgameTables};
use crate::game::Game;
use crate::table::Table;

impl EndgameTables for Endgames {
    fn pieces(&self) -> u32 {
        self.most_pieces()
    }

    fn check(&self, table: &dyn Table) -> Result<(), String> {
        let (expected, game) = (Draughts::NAME, table.game());
        if game != expected {
            return Err(format!(
                "the endgame tables are those of {expected}, and the game is {game}"
            ));
        }
        let movement = serde_json::from_value(table.rules()).map(|rules: Rules| rules.movement());
        match movement {
            Ok(Movement::ENGLISH) => Ok(()),
            _ => Err(
                "the endgame tables are for pieces that move as under the rules `english`, and \
                      under the rules of this game they move otherwise"
                    .into(),
            ),
        }
    }

    fn result(&self, table: &dyn Table, most_pieces: u32) -> Option<EndgameResult> {
        let position: Position = table.position()?.parse().ok()?;
        let board = position.board();
        if (board.black | board.white).len() > most_pieces {
            return None;
        }
        self.probe_result(&position)
    }
}
