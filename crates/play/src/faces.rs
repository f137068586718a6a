//! The list of faces. Every game with its own face has one line in [`FACES`].

use crate::dice_wars::DiceWarsFace;
use crate::draughts::DraughtsFace;
use crate::face::{Face, GameFace, TypedFace};
use crate::plain::Plain;
use crate::replica::Replica;
use crate::scotland_yard::ScotlandYardFace;
use botyard_engine::Game;
use botyard_protocol::Start;
use serde::Deserialize;

/// Makes the face of a game. `None`: its rules or setup cannot be read.
type Maker = fn(&Start) -> Option<Box<dyn Face>>;

/// Every game that has its own face.
const FACES: [(&str, Maker); 3] =
    [row::<DiceWarsFace>(), row::<DraughtsFace>(), row::<ScotlandYardFace>()];

const fn row<F: GameFace + 'static>() -> (&'static str, Maker) {
    (F::Game::NAME, typed::<F>)
}

fn typed<F: GameFace + 'static>(start: &Start) -> Option<Box<dyn Face>> {
    let game = F::Game::new(Deserialize::deserialize(&start.rules).ok()?).ok()?;
    let setup = Deserialize::deserialize(&start.setup).ok()?;
    Some(Box::new(TypedFace::new(F::new(game, setup))))
}

/// Returns whether a game has its own face.
pub fn has_face(game: &str) -> bool {
    FACES.iter().any(|(name, _)| *name == game)
}

/// Returns the face of the game that this message starts: its own, or the one that
/// numbers the legal actions. `replica`: that of a game whose rules are a program.
pub(crate) fn face(start: &Start, replica: Option<Replica>) -> Box<dyn Face> {
    let own = FACES.iter().find(|(name, _)| *name == start.game);
    own.and_then(|(_, make)| make(start)).unwrap_or_else(|| Box::new(Plain::new(replica)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::Question;
    use crate::face::Chosen;
    use crate::terminal::Ink;
    use botyard_engine::{GameEvent, Seat, Stream, Turn, registry};
    use botyard_runner::TimeConfig;
    use serde_json::{Value, json};

    fn seen(event: &GameEvent, by: Seat) -> Value {
        let redacted =
            event.seen.iter().find(|(seat, _)| *seat == by).map(|(_, seen)| seen.clone());
        redacted.unwrap_or_else(|| serde_json::from_str(&event.full).unwrap())
    }

    #[test]
    fn every_face_reads_what_the_referee_sends_to_each_seat() {
        for (name, make) in FACES {
            let tables = registry::tables(name, None, &[]).unwrap();
            let seats = tables().seats().len();
            for own in Seat::all(seats) {
                let (mut table, mut stream) = (tables(), Stream::new(5, "test"));
                table.open(&mut stream);
                let start = Start {
                    game_id: "g".into(),
                    game: name.into(),
                    rules: table.rules(),
                    seats: table.seats().to_vec(),
                    you: vec![table.seats()[own.index()].clone()],
                    players: Vec::new(),
                    time: TimeConfig { move_ms: Some(1000), ..TimeConfig::default() }.control(),
                    options: Default::default(),
                    setup: serde_json::from_str(&table.setup(own)).unwrap(),
                    setups: Default::default(),
                };
                let mut face = make(&start).expect("its rules and setup are read");
                let mut event = GameEvent::default();
                for turn in 1..60 {
                    let seat = match table.turn() {
                        Turn::Seat(seat) => seat,
                        Turn::Chance => {
                            table.draw(&mut stream, &mut event);
                            let words = face.drawn(&seen(&event, own));
                            assert!(!words.contains('{'), "{name}: {words}");
                            continue;
                        }
                        Turn::Over => break,
                    };
                    let legal = table.legal();
                    if seat == own {
                        let mut view = Vec::new();
                        table.write_view(seat, &mut view);
                        let view: Value = serde_json::from_slice(&view).unwrap();
                        let seat = table.seats()[seat.index()].clone();
                        face.ask(&Question { turn, seat, view, legal: legal.clone() });
                        // Without JSON, which is how games without a face are shown.
                        let shown = face.position(Ink::plain());
                        assert!(!shown.is_empty() && !shown.contains('"'), "{name}: {shown}");
                        let typed = face.completions().remove(0);
                        for (line, action) in typed.iter().zip(&legal) {
                            assert_eq!(face.read(line), Ok(Chosen::only(action.clone())), "{line}");
                        }
                    }
                    table.play(&legal[0].to_string(), &mut event).unwrap();
                    let words = face.moved(&table.seats()[seat.index()], &seen(&event, own));
                    assert!(!words.contains('{'), "{name}: {words}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_of_the_game_is_shown_by_numbers() {
        let table = registry::tables("draughts", None, &[]).unwrap();
        let game = botyard_engine::draughts::Draughts::new(
            serde_json::from_value(table().rules()).unwrap(),
        );
        let setup = serde_json::from_value(json!({ "fen": "W:W32:B1" })).unwrap();
        let mut face = TypedFace::new(DraughtsFace::new(game.unwrap(), setup));
        let legal = vec![json!({ "take": 1 })];
        face.ask(&Question { turn: 1, seat: "white".into(), view: json!({ "heap": 3 }), legal });
        assert!(face.position(Ink::plain()).contains("heap: 3"));
        assert_eq!(face.read("1"), Ok(Chosen::only(json!({ "take": 1 }))));
        assert_eq!(face.moved("white", &json!(7)), "white: 7");
    }
}
