//! Arenas: the rules of recorded games with the tables of their boards.

use super::recorded_game::RecordedGame;
use botyard_bots::scotland_yard::BoardTables;
use botyard_engine::Game;
use botyard_engine::scotland_yard::{Action, End, Position, ScotlandYard, Stage, State};

/// The rules of games, with the tables of their board.
#[derive(Debug)]
pub struct Arena {
    /// The name of the rules' preset.
    pub preset: String,
    /// The rules.
    pub game: ScotlandYard,
    /// The tables of the board.
    pub tables: BoardTables,
}

impl Arena {
    /// Makes the arena of a preset.
    ///
    /// # Errors
    ///
    /// If there is no such preset, or its board has more stations than tables are made for.
    pub fn new(preset: &str) -> Result<Arena, String> {
        let made = || {
            let game = ScotlandYard::new(ScotlandYard::preset(preset)?).ok()?;
            let tables = BoardTables::new(&game)?;
            Some(Arena { preset: preset.into(), game, tables })
        };
        made().ok_or_else(|| format!("expected a preset of Scotland Yard, got {preset:?}"))
    }

    /// Replays a game: calls `each` with every action and the state before it, and returns the last
    /// position and how the game ended.
    ///
    /// # Errors
    ///
    /// If an action is not legal, or the game does not end.
    pub fn replay(
        &self,
        game: &RecordedGame,
        mut each: impl FnMut(&State, Action),
    ) -> Result<(Position, End), String> {
        let rules = &self.game;
        let mut state = rules.start(&game.opening).map_err(|error| error.to_string())?;
        for &action in &game.actions {
            rules.check(&state, action).map_err(|error| error.to_string())?;
            each(&state, action);
            rules.apply(&mut state, action);
        }
        match state.position().stage() {
            Stage::Over(end) => Ok((*state.position(), end)),
            _ => Err("expected a game with an end, got one without".into()),
        }
    }
}

/// Arenas by the names of their presets, made when they are needed.
#[derive(Debug, Default)]
pub(super) struct Arenas(Vec<Arena>);

impl Arenas {
    /// Returns the arena of a preset.
    ///
    /// # Errors
    ///
    /// Those of [`Arena::new`].
    pub(super) fn of(&mut self, preset: &str) -> Result<&Arena, String> {
        let known = self.0.iter().position(|arena| arena.preset == preset);
        let index = match known {
            Some(index) => index,
            None => {
                self.0.push(Arena::new(preset)?);
                self.0.len() - 1
            }
        };
        Ok(&self.0[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_presets_have_an_arena() {
        let error = Arena::new("paris").unwrap_err();
        assert_eq!(error, "expected a preset of Scotland Yard, got \"paris\"");
    }
}
