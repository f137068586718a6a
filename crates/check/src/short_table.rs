//! A table whose game ends after a number of decisions, so that a check takes seconds in any game.

use botyard_engine::{
    ActionError, GameEvent, OpeningError, Outcome, Preset, Scores, Seat, Stream, Table, Turn,
};
use serde_json::Value;

/// The reason of a game that was ended early.
const REASON: &str = "stopped_by_check";

/// A game that is a draw after a number of decisions of one seat.
pub(crate) struct ShortTable {
    table: Box<dyn Table>,
    /// The seat whose decisions count; `None`: those of all seats.
    seat: Option<Seat>,
    left: u32,
}

impl ShortTable {
    /// Returns a table on which a game ends after `decisions` decisions of this seat, or of all
    /// seats together.
    pub(crate) fn new(table: Box<dyn Table>, seat: Option<Seat>, decisions: u32) -> ShortTable {
        ShortTable { table, seat, left: decisions }
    }
}

impl Table for ShortTable {
    fn game(&self) -> &'static str {
        self.table.game()
    }

    fn rules(&self) -> Value {
        self.table.rules()
    }

    fn seats(&self) -> &[String] {
        self.table.seats()
    }

    fn has_secrets(&self) -> bool {
        self.table.has_secrets()
    }

    fn scores(&self) -> Scores {
        self.table.scores()
    }

    fn open(&mut self, stream: &mut Stream) -> GameEvent {
        self.table.open(stream)
    }

    fn open_with(&mut self, opening: &str) -> Result<GameEvent, ActionError> {
        self.table.open_with(opening)
    }

    fn opening_sets(&self) -> &'static [Preset] {
        self.table.opening_sets()
    }

    fn opening_set(&self, name: &str) -> Option<Vec<String>> {
        self.table.opening_set(name)
    }

    fn read_openings(&self, text: &str) -> Option<Result<Vec<String>, OpeningError>> {
        self.table.read_openings(text)
    }

    fn start_class(&self) -> Option<u8> {
        self.table.start_class()
    }

    fn setup(&self, seat: Seat) -> String {
        self.table.setup(seat)
    }

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { self.table.turn() }
    }

    fn write_view(&self, seat: Seat, into: &mut Vec<u8>) {
        self.table.write_view(seat, into);
    }

    fn write_legal(&mut self, into: &mut Vec<u8>) {
        self.table.write_legal(into);
    }

    fn legal(&mut self) -> Vec<Value> {
        self.table.legal()
    }

    fn play(&mut self, action: &str, game_event: &mut GameEvent) -> Result<(), ActionError> {
        let by = self.table.turn();
        self.table.play(action, game_event)?;
        if self.seat.is_none_or(|seat| by == Turn::Seat(seat)) {
            self.left = self.left.saturating_sub(1);
        }
        Ok(())
    }

    fn draw(&mut self, stream: &mut Stream, game_event: &mut GameEvent) {
        self.table.draw(stream, game_event);
    }

    fn play_chance(&mut self, chance: &str, game_event: &mut GameEvent) -> Result<(), ActionError> {
        self.table.play_chance(chance, game_event)
    }

    fn forfeit(&mut self, seat: Seat) {
        self.table.forfeit(seat);
    }

    fn pass(&self) -> String {
        self.table.pass()
    }

    fn outcome(&self) -> Option<Outcome> {
        let stopped = || Outcome::draw(self.table.seats().len(), REASON);
        self.table.outcome().or_else(|| (self.left == 0).then(stopped))
    }

    fn state_hash(&self) -> String {
        self.table.state_hash()
    }

    fn state(&self) -> Value {
        self.table.state()
    }

    fn text(&self) -> String {
        self.table.text()
    }

    fn action_text(&self, action: &str) -> String {
        self.table.action_text(action)
    }

    fn chance_text(&self, chance: &str) -> String {
        self.table.chance_text(chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::{Seed, registry};

    #[test]
    fn a_short_game_is_a_draw_after_its_decisions() {
        let table = registry::tables("connect-four", None, &[]).unwrap()();
        let mut table = ShortTable::new(table, Seat::all(2).last(), 2);
        table.open(&mut Seed::from(1).stream("opening"));
        let mut event = GameEvent::default();
        for _ in 0..4 {
            assert!(table.outcome().is_none());
            let action = table.legal()[0].to_string();
            table.play(&action, &mut event).unwrap();
        }
        assert_eq!(table.turn(), Turn::Over);
        assert_eq!(table.outcome().unwrap().reason, REASON);
    }
}
