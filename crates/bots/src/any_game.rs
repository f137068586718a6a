//! Search in any game of the engine, from its rules alone: what `mcts`, `alpha-beta` and `max-n`
//! play in games that they have no knowledge of.
//!
//! Hidden information is drawn at random, as the game itself draws it. A position in which the game
//! is not over is worth an equal share of the points: a search sees only the wins and losses within
//! its depth.

use crate::mcts_info::info;
use crate::mcts_limits::MctsLimits;
use botyard_agent::{Agent, AgentRng, Choice, Decision, Punctuality, TurnError};
use botyard_engine::dice_wars::DiceWars;
use botyard_engine::draughts::Draughts;
use botyard_engine::information::Information;
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_engine::{Game, Seat, Turn};
use botyard_protocol::Info;
use botyard_search::mcts::{self, GameSimulation, Happened, TreeSearcher};
use botyard_search::multiplayer::{
    Actor, Algorithm, MultiplayerGame, MultiplayerSearcher, Settings,
};
use botyard_search::{Limits, Player, Reading};
use serde_json::Value;
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The games that all bots with such a search have agents of their own for.
pub(crate) const WITH_KNOWLEDGE: [&str; 3] = [ScotlandYard::NAME, Draughts::NAME, DiceWars::NAME];

/// The number of decisions that a game is expected to have left, for dividing a bank.
const DECISIONS_TO_COME: u32 = 20;
/// The value of the most points; the value of the least is 0.
const MOST: i32 = 30_000;
/// The number of states drawn for a decision under hidden information.
const DRAWN: usize = 8;
/// The largest number of positions per decision, all of which are kept in memory.
const MOST_NODES: u64 = 400_000;

/// Plays any game by tree search with random playouts.
pub struct PlayoutAgent<G: Game> {
    search: TreeSearcher<Happened<G>>,
    limits: MctsLimits,
}

impl<G: Game> PlayoutAgent<G> {
    /// Makes an agent with these settings and limits.
    pub const fn new(settings: mcts::Settings, limits: MctsLimits) -> PlayoutAgent<G> {
        PlayoutAgent { search: TreeSearcher::new(settings), limits }
    }
}

impl<G: Game> Agent<G> for PlayoutAgent<G> {
    fn choose(
        &mut self,
        game: &G,
        turn: &Decision<'_, G>,
        rng: &mut AgentRng,
    ) -> Result<Choice<G::Action>, TurnError> {
        turn.possible_state(rng)?;
        let simulation = GameSimulation::new(game, turn.view()?, turn.seat(), rng)
            .map_err(|illegal| turn.no_choice(illegal.to_string()))?;
        let limits = self.limits.of(turn.budget(), DECISIONS_TO_COME);
        let report = self.search.search(&simulation, &limits, rng);
        self.limits.searched(report.stall);
        let best = report.best.ok_or_else(|| turn.no_choice("the search tried no action"))?;
        Ok(Choice::with_info(best, info(&report, json)))
    }
}

/// Plays any game by multi-player search to a depth.
pub struct DepthAgent {
    /// Made once: the first use of its memory takes milliseconds, which the clock of a turn counts.
    searcher: MultiplayerSearcher<Place, u32>,
    limits: Limits,
    punctuality: Punctuality,
}

impl DepthAgent {
    /// Makes an agent that searches within these limits and its time. Under hidden information it
    /// searches several states drawn at random, and plays the action that is best in most of them.
    pub fn new(algorithm: Algorithm, limits: Limits) -> DepthAgent {
        let searcher = MultiplayerSearcher::new(Settings::new(algorithm));
        DepthAgent { searcher, limits, punctuality: Punctuality::default() }
    }

    /// Limits the time of a decision, whatever the clock allows.
    #[must_use]
    pub fn within(self, time: Option<Duration>) -> DepthAgent {
        DepthAgent { punctuality: Punctuality::within(time), ..self }
    }
}

impl<G: Game> Agent<G> for DepthAgent {
    fn choose(
        &mut self,
        game: &G,
        turn: &Decision<'_, G>,
        rng: &mut AgentRng,
    ) -> Result<Choice<G::Action>, TurnError> {
        let drawn = if G::Information::HIDDEN { DRAWN } else { 1 };
        let deadline = self.punctuality.deadline(turn.budget(), DECISIONS_TO_COME);
        let nodes = (self.limits.nodes.min(MOST_NODES) / drawn as u64).max(1);
        // By action, in the order of the list: the number of states in which it is best.
        let mut votes = vec![0_usize; turn.legal()?.len()];
        let (mut depth, mut visited, mut value) = (0, 0, 0);
        for left in (1..=drawn as u32).rev() {
            // Without a share for each, the first state would take all of a short time.
            let deadline = deadline.map(|deadline| deadline.share(&Reading::now(), left));
            let limits = Limits { deadline, nodes, ..self.limits };
            let search = Known::new(game, turn.possible_state(rng)?);
            // What one state's positions are worth says nothing of another's.
            self.searcher.forget();
            let report = self.searcher.search(&search, &Known::<G>::ROOT, &limits);
            self.punctuality.searched(report.stall);
            visited += report.nodes;
            // A search that the clock ended before its first iteration does not vote.
            let vote = report.best.filter(|_| report.depth > 0);
            if let Some(count) = vote.and_then(|best| votes.get_mut(best as usize)) {
                *count += 1;
                (depth, value) = (report.depth, report.value);
            }
        }
        let most = votes.iter().copied().max().unwrap_or(0);
        let best = votes.iter().position(|&count| count == most).unwrap_or(0);
        let action = *turn.legal()?.get(best).ok_or_else(|| turn.no_choice("nothing is legal"))?;
        let info = Info {
            score: (depth > 0).then(|| f64::from(value) / f64::from(MOST)),
            depth: Some(depth),
            nodes: Some(visited),
            ..Info::default()
        };
        Ok(Choice::with_info(action, info))
    }
}

fn json<T: serde::Serialize>(action: &T) -> Value {
    serde_json::to_value(action).unwrap_or(Value::Null)
}

/// A game with complete information, for [`MultiplayerSearcher`]. Positions are indices into a
/// growing list of states, because states are not [`Copy`]; moves are indices into the list of
/// actions.
struct Known<'a, G: Game> {
    game: &'a G,
    states: RefCell<Vec<G::State>>,
    actions: RefCell<Vec<G::Action>>,
}

/// A position of [`Known`].
#[derive(Clone, Copy)]
struct Place {
    state: usize,
    ply: u32,
}

impl<'a, G: Game> Known<'a, G> {
    const ROOT: Place = Place { state: 0, ply: 0 };

    fn new(game: &'a G, root: G::State) -> Known<'a, G> {
        Known { game, states: RefCell::new(vec![root]), actions: RefCell::default() }
    }

    fn state(&self, place: &Place) -> G::State {
        self.states.borrow()[place.state].clone()
    }

    fn after(&self, place: &Place, change: impl FnOnce(&mut G::State)) -> Place {
        let mut state = self.state(place);
        change(&mut state);
        let mut states = self.states.borrow_mut();
        states.push(state);
        Place { state: states.len() - 1, ply: place.ply + 1 }
    }

    fn worth(share: f64) -> i32 {
        (share * f64::from(MOST)).round() as i32
    }
}

impl<G: Game> MultiplayerGame for Known<'_, G> {
    type Position = Place;
    type Move = u32;

    fn players(&self) -> usize {
        self.game.seats().len()
    }

    fn actor(&self, place: &Place) -> Actor {
        match self.game.turn(&self.states.borrow()[place.state]) {
            Turn::Seat(seat) => Actor::Player(seat.into()),
            Turn::Chance => Actor::Chance,
            Turn::Over => Actor::Over,
        }
    }

    fn turn(&self, place: &Place) -> u32 {
        place.ply
    }

    fn for_each_move(&self, place: &Place, f: impl FnMut(u32)) {
        let count = {
            let mut actions = self.actions.borrow_mut();
            self.game.actions(&self.states.borrow()[place.state], &mut actions);
            actions.len() as u32
        };
        (0..count).for_each(f);
    }

    fn make(&self, place: &Place, mv: u32) -> Place {
        let action = {
            let mut actions = self.actions.borrow_mut();
            self.game.actions(&self.states.borrow()[place.state], &mut actions);
            actions[mv as usize]
        };
        self.after(place, |state| self.game.apply(state, action))
    }

    fn for_each_outcome(&self, place: &Place, mut f: impl FnMut(u32, Place)) {
        let mut chances = Vec::new();
        self.game.chances(&self.state(place), &mut chances);
        for (probability, chance) in &chances {
            let part = (probability * f64::from(1 << 20)).round().max(1.0) as u32;
            f(part, self.after(place, |state| self.game.apply_chance(state, chance)));
        }
    }

    fn range(&self) -> RangeInclusive<i32> {
        0..=MOST
    }

    fn most_sum(&self) -> Option<i32> {
        let scores = self.game.scores();
        let players = self.players();
        let sum = (scores.sum? - players as f64 * scores.least) / (scores.most - scores.least);
        // Each value is rounded.
        Some(Self::worth(sum) + players as i32)
    }

    fn value(&self, place: &Place, player: Player) -> i32 {
        let scores = self.game.scores();
        let share = match self.game.outcome(&self.states.borrow()[place.state]) {
            Some(outcome) => scores.share(outcome.scores[Seat::from(player).index()]),
            None => scores.sum.map_or(0.5, |sum| scores.share(sum / self.players() as f64)),
        };
        Self::worth(share)
    }

    fn key(&self, place: &Place) -> u64 {
        struct Into(DefaultHasher);
        impl io::Write for Into {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.write(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut hash = Into(DefaultHasher::new());
        serde_json::to_writer(&mut hash, &self.states.borrow()[place.state])
            .expect("states are plain data, and a hash takes every byte");
        hash.0.finish()
    }

    fn move_id(&self, mv: u32) -> u32 {
        mv
    }
}
