//! A [`Simulation`] of any game, from its rules alone: the game draws the determinizations,
//! playouts are uniformly random, and rewards are the points of the outcome scaled to 0 to 1, or
//! the value that a judge supplied by the caller gives to a state during the playout.
//!
//! ```
//! use botyard_engine::draughts::Draughts;
//! use botyard_engine::{Game, Turn};
//! use botyard_search::mcts::{GameSimulation, Settings, TreeSearcher};
//! use botyard_search::{Limits, SearchRng};
//! use rand_xoshiro::rand_core::SeedableRng;
//!
//! let game = Draughts::new(Draughts::preset("english").unwrap()).unwrap();
//! let mut rng = SearchRng::seed_from_u64(1);
//! let state = game.start(&game.draw_opening(&mut rng)).unwrap();
//! let Turn::Seat(seat) = game.turn(&state) else { unreachable!("the game has just begun") };
//! let view = game.view(&state, seat);
//! let simulation = GameSimulation::new(&game, &view, seat, &mut rng).unwrap();
//! let mut searcher = TreeSearcher::new(Settings::default());
//! let report = searcher.search(&simulation, &Limits::iterations(200), &mut rng);
//! assert_eq!(report.playouts, 200);
//! assert!(game.check(&state, report.best.unwrap()).is_ok());
//! ```

use super::simulation::{Actor, Rewards, Simulation};
use crate::SearchRng;
use crate::player::Player;
use botyard_engine::information::{Information, Seen};
use botyard_engine::random::choose;
use botyard_engine::{Game, MAX_SEATS, Seat, Turn};

/// The number of determinizations drawn before the search; each iteration uses one of them. In
/// games with much hidden information, drawing one costs far more than an iteration.
const STATES: usize = 256;

/// The value of a state to each player, from 0 to 1; `None` if the state cannot be judged without
/// further play.
pub type Judge<'a, S> = &'a (dyn Fn(&S) -> Option<Rewards> + Sync);

/// A game before a decision of one of its seats.
pub struct GameSimulation<'a, G: Game> {
    game: &'a G,
    /// The searching seat.
    seat: Seat,
    states: Vec<G::State>,
    /// The judge that ends playouts before the game is over.
    judge: Option<Judge<'a, G::State>>,
}

/// The searching seat's observation of a seat's action or of an outcome of chance. Events that the seat
/// cannot tell apart are equal.
pub enum Happened<G: Game> {
    /// A seat's action, of which nothing is hidden.
    Action(G::Action),
    /// An outcome of chance, of which nothing is hidden.
    Chance(G::Chance),
    /// The copy of another seat's action.
    SeenAction(<G::Information as Information<G>>::Action),
    /// The copy of an outcome of chance.
    SeenChance(<G::Information as Information<G>>::Chance),
}

impl<G: Game> Clone for Happened<G> {
    fn clone(&self) -> Happened<G> {
        match self {
            Happened::Action(action) => Happened::Action(*action),
            Happened::Chance(chance) => Happened::Chance(chance.clone()),
            Happened::SeenAction(copy) => Happened::SeenAction(copy.clone()),
            Happened::SeenChance(copy) => Happened::SeenChance(copy.clone()),
        }
    }
}

impl<G: Game> PartialEq for Happened<G> {
    fn eq(&self, other: &Happened<G>) -> bool {
        match (self, other) {
            (Happened::Action(a), Happened::Action(b)) => a == b,
            (Happened::Chance(a), Happened::Chance(b)) => a == b,
            (Happened::SeenAction(a), Happened::SeenAction(b)) => a == b,
            (Happened::SeenChance(a), Happened::SeenChance(b)) => a == b,
            _ => false,
        }
    }
}

impl<'a, G: Game> GameSimulation<'a, G> {
    /// Returns the simulation of the game from the view of `seat`.
    ///
    /// # Errors
    ///
    /// Fails if no state of this game has this view.
    pub fn new(
        game: &'a G,
        view: &G::View,
        seat: Seat,
        rng: &mut SearchRng,
    ) -> Result<GameSimulation<'a, G>, botyard_engine::Illegal> {
        let first = game.determinize(view, seat, rng)?;
        let mut states = vec![first];
        // Without hidden information, every determinization has the view of the first, so one is
        // enough.
        let all_is_known = game.seats().iter().enumerate().all(|(other, _)| {
            serde_json::to_value(game.view(&states[0], Seat::new(other))).ok()
                == serde_json::to_value(view).ok()
        });
        if !all_is_known {
            for _ in 1..STATES {
                states.push(game.determinize(view, seat, rng)?);
            }
        }
        Ok(GameSimulation { game, seat, states, judge: None })
    }

    /// Returns the same simulation with playouts that end as soon as `judge` returns the value of a
    /// state.
    #[must_use]
    pub fn judged_by(self, judge: Judge<'a, G::State>) -> GameSimulation<'a, G> {
        GameSimulation { judge: Some(judge), ..self }
    }
}

/// Scratch memory of an iteration: the actions of a state.
pub struct Actions<G: Game>(Vec<G::Action>);

impl<G: Game> Default for Actions<G> {
    fn default() -> Actions<G> {
        Actions(Vec::new())
    }
}

impl<G: Game> Simulation for GameSimulation<'_, G>
where
    G::State: Sync,
{
    type State = G::State;
    type Action = G::Action;
    type Event = Happened<G>;
    type Scratch = Actions<G>;

    fn players(&self) -> usize {
        self.game.seats().len()
    }

    fn state(&self) -> G::State {
        self.states[0].clone()
    }

    fn begin(&self, state: &mut G::State, _scratch: &mut Actions<G>, rng: &mut SearchRng) {
        let drawn = choose(rng, &self.states).expect("there is always a first state");
        state.clone_from(drawn);
    }

    fn actor(&self, state: &G::State) -> Actor {
        match self.game.turn(state) {
            Turn::Seat(seat) => Actor::Player(Player::new(seat.index())),
            Turn::Chance => Actor::Nature,
            Turn::Over => Actor::Over,
        }
    }

    fn actions(&self, state: &G::State, into: &mut Vec<G::Action>) {
        self.game.actions(state, into);
    }

    fn event(&self, state: &G::State, action: G::Action) -> Happened<G> {
        if !G::Information::HIDDEN {
            return Happened::Action(action);
        }
        match G::Information::seen_action(self.game, state, action, self.seat) {
            Seen::Whole => Happened::Action(action),
            Seen::Redacted(copy) => Happened::SeenAction(copy),
        }
    }

    fn own_event(&self, _state: &G::State, action: G::Action) -> Happened<G> {
        Happened::Action(action)
    }

    fn merges_actions(&self) -> bool {
        G::Information::HIDDEN
    }

    fn action(&self, event: &Happened<G>) -> Option<G::Action> {
        match event {
            Happened::Action(action) => Some(*action),
            Happened::Chance(_) | Happened::SeenAction(_) | Happened::SeenChance(_) => None,
        }
    }

    fn apply(&self, state: &mut G::State, action: G::Action) {
        self.game.apply(state, action);
    }

    fn nature(
        &self,
        state: &mut G::State,
        _scratch: &mut Actions<G>,
        rng: &mut SearchRng,
    ) -> Option<Happened<G>> {
        let chance = self.game.draw(state, rng);
        let seen = if G::Information::HIDDEN {
            G::Information::seen_chance(self.game, state, &chance, self.seat)
        } else {
            Seen::Whole
        };
        self.game.apply_chance(state, &chance);
        Some(match seen {
            Seen::Whole => Happened::Chance(chance),
            Seen::Redacted(copy) => Happened::SeenChance(copy),
        })
    }

    fn play_out(
        &self,
        state: &mut G::State,
        scratch: &mut Actions<G>,
        rng: &mut SearchRng,
    ) -> Rewards {
        loop {
            if let Some(judge) = self.judge
                && self.game.turn(state) != Turn::Over
                && let Some(rewards) = judge(state)
            {
                return rewards;
            }
            match self.game.turn(state) {
                Turn::Over => break,
                Turn::Chance => {
                    self.nature(state, scratch, rng);
                }
                Turn::Seat(_) => {
                    self.game.actions(state, &mut scratch.0);
                    let action =
                        *choose(rng, &scratch.0).expect("the seat to move has a legal action");
                    self.game.apply(state, action);
                }
            }
        }
        let mut rewards = [0.0; MAX_SEATS];
        if let Some(outcome) = self.game.outcome(state) {
            for (reward, score) in rewards.iter_mut().zip(&outcome.scores) {
                *reward = self.game.scores().share(*score) as f32;
            }
        }
        rewards
    }
}
