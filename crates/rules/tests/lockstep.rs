//! A table of a built-in game and one of the same game behind the rules protocol, played in lockstep:
//! whatever both are asked, they must say the same.

use botyard_engine::registry::{self, LoadedGame, SetupError, TableMaker, Visitor};
use botyard_engine::{
    ActionError, Game, GameEvent, OpeningError, Outcome, Preset, Scores, Seat, Stream, Table, Turn,
};
use botyard_rules::{ProgramGame, RulesLimits, Served};
use serde_json::Value;
use std::sync::Arc;

/// The digest of programs in these tests.
pub(crate) const DIGEST: &str = "00000000000000000000000000000000";

/// Returns a game of the engine behind the rules protocol, without a process.
pub(crate) fn served<G: Game>() -> ProgramGame {
    ProgramGame::new(
        (G::NAME, DIGEST),
        G::ABOUT,
        Vec::new(),
        Arc::new(|| Ok(Box::new(Served::<G>::new("1.0.0")))),
        RulesLimits::default(),
    )
    .unwrap_or_else(|error| panic!("{}: {error}", G::NAME))
}

/// Returns the built-in game of this name behind the rules protocol.
pub(crate) fn served_by_name(game: &str) -> ProgramGame {
    struct Serve;
    impl Visitor for Serve {
        type Output = ProgramGame;
        fn visit<G: Game>(self) -> ProgramGame {
            served::<G>()
        }
    }
    registry::visit(game, Serve).expect("a game of the registry")
}

/// Which of both tables draws what is random. The other is given what was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Draws {
    BuiltIn,
    Program,
}

/// Two tables in lockstep. It says what the built-in one says.
pub(crate) struct Lockstep {
    built_in: Box<dyn Table>,
    program: Box<dyn Table>,
    draws: Draws,
    has_forfeit: bool,
}

/// Sets up both tables with the same rules. Both refuse the same rules for the same reason.
pub(crate) fn lockstep(
    game: &str,
    preset: Option<&str>,
    changes: &[(String, String)],
    draws: Draws,
) -> Result<Lockstep, SetupError> {
    both(
        registry::tables(game, preset, changes),
        served_by_name(game).tables(preset, changes),
        draws,
    )
}

/// The same with complete rules.
pub(crate) fn lockstep_with_rules(game: &str, rules: &Value) -> Result<Lockstep, SetupError> {
    both(
        registry::tables_with_rules(game, rules),
        served_by_name(game).tables_with_rules(rules),
        Draws::BuiltIn,
    )
}

fn both(
    built_in: Result<TableMaker, SetupError>,
    program: Result<TableMaker, SetupError>,
    draws: Draws,
) -> Result<Lockstep, SetupError> {
    match (built_in, program) {
        (Ok(built_in), Ok(program)) => {
            Ok(Lockstep { built_in: built_in(), program: program(), draws, has_forfeit: false })
        }
        (Err(one), Err(other)) => {
            assert_eq!(one.to_string(), other.to_string());
            Err(one)
        }
        (one, other) => panic!("{:?} and {:?}", one.err(), other.err()),
    }
}

impl Lockstep {
    /// Compares all that the tables say of the state.
    fn compare(&mut self) {
        let Lockstep { built_in, program, .. } = self;
        assert_eq!(program.fault(), None);
        assert_eq!(built_in.turn(), program.turn());
        assert_eq!(built_in.outcome(), program.outcome());
        assert_eq!(built_in.state_hash(), program.state_hash());
        if built_in.turn() == Turn::Over {
            assert_eq!(built_in.state(), program.state());
        }
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for seat in Seat::all(built_in.seats().len()) {
            built_in.write_view(seat, &mut one);
            program.write_view(seat, &mut other);
        }
        built_in.write_legal(&mut one);
        program.write_legal(&mut other);
        assert!(one == other, "{}\n{}", text(&one), text(&other));
        assert_eq!(built_in.legal(), program.legal());
        assert_eq!(built_in.text(), program.text());
        if self.has_forfeit && matches!(built_in.turn(), Turn::Seat(_)) {
            assert_eq!(built_in.pass(), program.pass());
        }
    }

    fn opened(&mut self) {
        for seat in Seat::all(self.built_in.seats().len()) {
            assert_eq!(self.built_in.setup(seat), self.program.setup(seat));
        }
        self.has_forfeit = false;
        self.compare();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns what both tables answered.
fn same<T: PartialEq + std::fmt::Debug>(
    one: Result<T, ActionError>,
    other: Result<T, ActionError>,
    what: &str,
) -> Result<T, ActionError> {
    match (&one, &other) {
        (Ok(one), Ok(other)) => assert_eq!(one, other, "{what}"),
        (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string(), "{what}"),
        _ => panic!("{what}: {one:?} and {other:?}"),
    }
    one
}

impl Table for Lockstep {
    fn game(&self) -> &'static str {
        assert_eq!(registry::plain_name(self.program.game()), self.built_in.game());
        self.built_in.game()
    }

    fn rules(&self) -> Value {
        assert_eq!(self.built_in.rules(), self.program.rules());
        self.built_in.rules()
    }

    fn seats(&self) -> &[String] {
        assert_eq!(self.built_in.seats(), self.program.seats());
        self.built_in.seats()
    }

    fn has_secrets(&self) -> bool {
        assert_eq!(self.built_in.has_secrets(), self.program.has_secrets());
        self.built_in.has_secrets()
    }

    fn scores(&self) -> Scores {
        assert_eq!(self.built_in.scores(), self.program.scores());
        self.built_in.scores()
    }

    fn open(&mut self, stream: &mut Stream) -> GameEvent {
        let (drawing, given) = match self.draws {
            Draws::BuiltIn => (&mut self.built_in, &mut self.program),
            Draws::Program => (&mut self.program, &mut self.built_in),
        };
        let opening = drawing.open(stream);
        assert_eq!(given.open_with(&opening.full), Ok(opening.clone()));
        self.opened();
        opening
    }

    fn open_with(&mut self, opening: &str) -> Result<GameEvent, ActionError> {
        let (one, other) = (self.built_in.open_with(opening), self.program.open_with(opening));
        let opened = same(one, other, opening)?;
        self.opened();
        Ok(opened)
    }

    fn opening_sets(&self) -> &'static [Preset] {
        self.built_in.opening_sets()
    }

    fn opening_set(&self, name: &str) -> Option<Vec<String>> {
        self.built_in.opening_set(name)
    }

    fn read_openings(&self, text: &str) -> Option<Result<Vec<String>, OpeningError>> {
        self.built_in.read_openings(text)
    }

    fn start_class(&self) -> Option<u8> {
        self.built_in.start_class()
    }

    fn setup(&self, seat: Seat) -> String {
        self.built_in.setup(seat)
    }

    fn turn(&self) -> Turn {
        self.built_in.turn()
    }

    fn write_view(&self, seat: Seat, into: &mut Vec<u8>) {
        self.built_in.write_view(seat, into);
    }

    fn write_legal(&mut self, into: &mut Vec<u8>) {
        self.built_in.write_legal(into);
    }

    fn legal(&mut self) -> Vec<Value> {
        self.built_in.legal()
    }

    fn canonical_action(&mut self, action: &str) -> Result<String, ActionError> {
        let one = self.built_in.canonical_action(action);
        same(one, self.program.canonical_action(action), action)
    }

    fn play(&mut self, action: &str, game_event: &mut GameEvent) -> Result<(), ActionError> {
        let mut other = GameEvent::default();
        let played = self.built_in.play(action, game_event);
        same(played.clone(), self.program.play(action, &mut other), action)?;
        assert_eq!(*game_event, other, "{action}");
        self.compare();
        played
    }

    fn draw(&mut self, stream: &mut Stream, game_event: &mut GameEvent) {
        let (drawing, given) = match self.draws {
            Draws::BuiltIn => (&mut self.built_in, &mut self.program),
            Draws::Program => (&mut self.program, &mut self.built_in),
        };
        drawing.draw(stream, game_event);
        assert_eq!(drawing.fault(), None);
        let mut other = GameEvent::default();
        assert_eq!(given.play_chance(&game_event.full, &mut other), Ok(()));
        assert_eq!(*game_event, other);
        self.compare();
    }

    fn play_chance(&mut self, chance: &str, game_event: &mut GameEvent) -> Result<(), ActionError> {
        let mut other = GameEvent::default();
        let played = self.built_in.play_chance(chance, game_event);
        same(played.clone(), self.program.play_chance(chance, &mut other), chance)?;
        assert_eq!(*game_event, other, "{chance}");
        self.compare();
        played
    }

    fn forfeit(&mut self, seat: Seat) {
        self.built_in.forfeit(seat);
        self.program.forfeit(seat);
        self.has_forfeit = true;
        self.compare();
    }

    fn pass(&self) -> String {
        self.built_in.pass()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.built_in.outcome()
    }

    fn state_hash(&self) -> String {
        self.built_in.state_hash()
    }

    fn state(&self) -> Value {
        self.built_in.state()
    }

    fn text(&self) -> String {
        self.built_in.text()
    }

    fn position(&self) -> Option<String> {
        self.built_in.position()
    }

    fn action_text(&self, action: &str) -> String {
        self.built_in.action_text(action)
    }

    fn own_action_text(&self, action: &str) -> String {
        self.built_in.own_action_text(action)
    }

    fn chance_text(&self, chance: &str) -> String {
        self.built_in.chance_text(chance)
    }
}
