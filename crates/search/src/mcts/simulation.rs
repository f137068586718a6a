//! What the tree search asks of a game: the game as one player sees it before one decision. States
//! here are those of the search, which may hold less than the game's (no history) or more (what the
//! others can have seen).

use crate::SearchRng;
use crate::player::{MAX_PLAYERS, Player};

/// What each player gets in the end, by player: 0 for the worst, 1 for the best.
pub type Rewards = [f32; MAX_PLAYERS];

/// Who decides in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// This player chooses, and the search chooses for it by what is best for it.
    ///
    /// A player has a reward of its own: often it is a seat, but the detectives of one seat
    /// may be a player each.
    Player(Player),
    /// The simulation itself: chance, or a player whose play it has a model of.
    Nature,
    /// Nobody: the game is over.
    Over,
}

/// A game as one player sees it before one decision. See the module's text.
pub trait Simulation: Sync {
    /// A state of the simulated game.
    type State: Clone + Send;
    /// A decision of a player's.
    type Action: Copy + PartialEq + Send;
    /// What the searching player sees of an action or of what nature did; the branches of a tree
    /// are told apart by it.
    type Event: Clone + PartialEq + Send;
    /// Memory that an iteration works with, so that playouts allocate nothing.
    type Scratch: Default + Send;

    /// How many players there are, at most [`MAX_PLAYERS`].
    fn players(&self) -> usize;

    /// Some state of the decision, for memory to work in.
    fn state(&self) -> Self::State;

    /// Begins an iteration: draws a state that looks to the deciding player as the game does now.
    fn begin(&self, state: &mut Self::State, scratch: &mut Self::Scratch, rng: &mut SearchRng);

    /// Who decides. In a state that [`Simulation::begin`] has drawn it is always the same player.
    fn actor(&self, state: &Self::State) -> Actor;

    /// Fills `into` with the actions that are worth considering for the player to move: never
    /// none, and at the root the same in every state drawn.
    fn actions(&self, state: &Self::State, into: &mut Vec<Self::Action>);

    /// What is seen of an action in this state.
    fn event(&self, state: &Self::State, action: Self::Action) -> Self::Event;

    /// The action of an event, where the event identifies it.
    fn action(&self, event: &Self::Event) -> Option<Self::Action>;

    /// Plays an action.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Goes on where it is nature's turn. Returns what is seen of it, by which the tree branches;
    /// or `None` where it is not to branch: what follows is then an average over what can happen.
    fn nature(
        &self,
        state: &mut Self::State,
        scratch: &mut Self::Scratch,
        rng: &mut SearchRng,
    ) -> Option<Self::Event>;

    /// How promising an action looks before it was tried, 0 to 1.
    fn prior(&self, _state: &Self::State, _action: Self::Action) -> f32 {
        0.0
    }

    /// The next action of a playout where a player chooses.
    fn playout_action(
        &self,
        state: &Self::State,
        scratch: &mut Self::Scratch,
        rng: &mut SearchRng,
    ) -> Self::Action;

    /// Plays to the end of the game, or judges where it would lead, and returns the rewards. The
    /// state may be over already.
    fn play_out(
        &self,
        state: &mut Self::State,
        scratch: &mut Self::Scratch,
        rng: &mut SearchRng,
    ) -> Rewards;
}
