//! The interface between a game and tree search: the game from the view of one player before one
//! decision. States here belong to the search; they may hold less than the game's (no history) or
//! more (the information sets of the others).

use crate::SearchRng;
use crate::player::{MAX_PLAYERS, Player};

/// The rewards of all players, by player: 0 for the worst, 1 for the best.
pub type Rewards = [f32; MAX_PLAYERS];

/// The actor in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A player, for whom the search chooses the action that is best for that player.
    ///
    /// Each player has a reward of its own. Often a player is a seat, but the detectives of one
    /// seat may be a player each.
    Player(Player),
    /// The simulation itself: chance, or a player that it has a model of.
    Nature,
    /// None: the game is over.
    Over,
}

/// A game from the view of one player before one decision. See the module's documentation.
pub trait Simulation: Sync {
    /// A state of the simulated game.
    type State: Clone + Send;
    /// An action of a player.
    type Action: Copy + PartialEq + Send;
    /// The searching player's observation of an action or of a chance outcome; the branches of a
    /// tree are keyed by it.
    type Event: Clone + PartialEq + Send;
    /// Scratch memory of an iteration, so that playouts do not allocate.
    type Scratch: Default + Send;

    /// Returns the number of players, at most [`MAX_PLAYERS`].
    fn players(&self) -> usize;

    /// Returns any state of the decision, used to allocate memory.
    fn state(&self) -> Self::State;

    /// Starts an iteration: draws a determinization of the deciding player's view.
    fn begin(&self, state: &mut Self::State, scratch: &mut Self::Scratch, rng: &mut SearchRng);

    /// Returns the actor. It is the same player in every state drawn by [`Simulation::begin`].
    fn actor(&self, state: &Self::State) -> Actor;

    /// Fills `into` with the actions worth considering for the player to move: at least one, and at
    /// the root the same ones in every state drawn.
    fn actions(&self, state: &Self::State, into: &mut Vec<Self::Action>);

    /// Returns the searching player's observation of an action in this state.
    fn event(&self, state: &Self::State, action: Self::Action) -> Self::Event;

    /// Returns the acting player's observation of its own action, by which its own tree branches
    /// ([`Trees::PerPlayer`](super::Trees::PerPlayer)).
    fn own_event(&self, state: &Self::State, action: Self::Action) -> Self::Event {
        self.event(state, action)
    }

    /// Returns whether different actions of a state may have the same event. The search then plays
    /// one of them at random.
    fn merges_actions(&self) -> bool {
        false
    }

    /// Returns the action of an event, if the event identifies it.
    fn action(&self, event: &Self::Event) -> Option<Self::Action>;

    /// Plays an action.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Advances the state where chance is to act. Returns the observation on which the tree
    /// branches, or `None` if the tree does not branch: the subtree then averages over the
    /// outcomes.
    fn nature(
        &self,
        state: &mut Self::State,
        scratch: &mut Self::Scratch,
        rng: &mut SearchRng,
    ) -> Option<Self::Event>;

    /// Returns the prior of an action, from 0 to 1.
    fn prior(&self, _state: &Self::State, _action: Self::Action) -> f32 {
        0.0
    }

    /// Returns whether the search ends before its limits, after at least one iteration: because another
    /// one would take too long, or could not be trusted.
    fn is_spent(&self) -> bool {
        false
    }

    /// Plays to the end of the game, or judges the state, and returns the rewards. The game may be
    /// over already.
    fn play_out(
        &self,
        state: &mut Self::State,
        scratch: &mut Self::Scratch,
        rng: &mut SearchRng,
    ) -> Rewards;
}
