//! The built-in games, served as rules programs in this process, pass the checks for everybody's games.

use botyard_check::Observer;
use botyard_check::game::{GameCheck, GameCheckConfig, GameCheckEvent, Subject, examine};
use botyard_check::{Counts, Status};
use botyard_engine::Game;
use botyard_engine::registry::{self, Visitor};
use botyard_referee::Interrupt;
use botyard_rules::{RulesLimits, Served};
use botyard_runner::{Error, Message};
use std::sync::Arc;

struct Serve;

impl Visitor for Serve {
    type Output = Subject;
    fn visit<G: Game>(self) -> Subject {
        Subject {
            name: G::NAME.to_string(),
            presets: Vec::new(),
            start: Arc::new(|| Ok(Box::new(Served::<G>::new("1.0.0")))),
            limits: RulesLimits::default(),
        }
    }
}

/// Keeps what is shown.
#[derive(Default)]
struct Kept(Vec<GameCheckEvent>);

impl Observer<GameCheck, GameCheckEvent> for Kept {
    fn warn(&mut self, _warnings: &[Message]) {}

    fn working(&mut self, _check: GameCheck, _words: &str) {}

    fn event(&mut self, event: GameCheckEvent) -> Result<(), Error> {
        self.0.push(event);
        Ok(())
    }
}

/// Checks that a game passes all checks, and that each of these was made.
fn passes(game: &str, games: u32) {
    let subject = registry::visit(game, Serve).expect("a game of the registry");
    let config = GameCheckConfig { games, ..GameCheckConfig::new("") };
    let interrupt = Interrupt::new().expect("an interrupt");
    let mut kept = Kept::default();
    let counts = examine(&subject, "none", &config, &interrupt, &mut kept);
    let words: Vec<String> = kept.0.iter().map(GameCheckEvent::in_words).collect();
    let words = words.concat();
    let Ok(Counts { failed: 0, not_decided: 0, .. }) = counts else {
        panic!("{game}: {counts:?}\n{words}");
    };
    for event in &kept.0 {
        let GameCheckEvent::GameCheckResult(result) = event else { continue };
        let is_optional =
            matches!(result.check, GameCheck::Parse | GameCheck::Draw | GameCheck::Time);
        assert!(is_optional || result.status == Status::Passed, "{game}: {result:?}\n{words}");
    }
}

#[test]
fn connect_four_passes() {
    passes("connect-four", 20);
}

#[test]
fn scotland_yard_passes() {
    passes("scotland-yard", 6);
}

#[test]
fn draughts_passes() {
    passes("draughts", 12);
}

#[test]
fn dice_wars_passes() {
    passes("dice-wars", 3);
}

#[test]
fn liars_dice_passes() {
    passes("liars-dice", 20);
}

#[test]
fn every_game_is_named_here() {
    let source = include_str!("built_in_games.rs");
    for game in registry::names() {
        assert!(source.contains(&format!("passes(\"{game}\"")), "{game} is checked by no test");
    }
}
