//! The game of two as a [`Simulation`]: with complete information and random playouts.

use super::joint_move::JointMove;
use super::shaping::Shaping;
use crate::scotland_yard::BoardTables;
use botyard_agent::AgentRng;
use botyard_engine::scotland_yard::{Action, Arena, End, Position, Stage};
use botyard_search::mcts::{Actor, Rewards, Simulation};
use botyard_search::{MAX_PLAYERS, Player};

/// A state of the simulated game.
#[derive(Clone, Copy, Debug)]
pub struct JointState {
    position: Position,
    /// The value of the detectives' steps since the root, with shaped rewards.
    steps: f64,
}

/// A game from a position that is assumed to be the true one.
pub struct JointSimulation<'a> {
    arena: &'a Arena,
    root: Position,
    shaping: Option<(Shaping, &'a BoardTables)>,
}

const MR_X: Player = Player::new(0);
const DETECTIVES: Player = Player::new(1);

impl<'a> JointSimulation<'a> {
    /// Makes the game from this position on. A playout is worth 1 or 0, or its reward by `shaping`.
    pub const fn new(
        arena: &'a Arena,
        root: Position,
        shaping: Option<(Shaping, &'a BoardTables)>,
    ) -> JointSimulation<'a> {
        JointSimulation { arena, root, shaping }
    }

    #[inline]
    fn step(&self, state: &mut JointState, action: Action) {
        state.position.apply(self.arena, action);
        if let (Some((shaping, tables)), Action::Detective { detective, .. }) =
            (&self.shaping, action)
        {
            state.steps += shaping.step(tables, &state.position, detective);
        }
    }

    fn rewards(&self, state: &JointState, end: End) -> Rewards {
        let detectives = match &self.shaping {
            None => f64::from(!end.mr_x_wins()),
            Some((shaping, _)) => shaping.reward(&state.position, end.mr_x_wins(), state.steps),
        };
        let mut rewards = [0.0; MAX_PLAYERS];
        rewards[MR_X.index()] = (1.0 - detectives) as f32;
        rewards[DETECTIVES.index()] = detectives as f32;
        rewards
    }
}

impl Simulation for JointSimulation<'_> {
    type State = JointState;
    type Action = JointMove;
    type Event = JointMove;
    type Scratch = ();

    fn players(&self) -> usize {
        2
    }

    fn state(&self) -> JointState {
        JointState { position: self.root, steps: 0.0 }
    }

    fn begin(&self, state: &mut JointState, _scratch: &mut (), _rng: &mut AgentRng) {
        *state = self.state();
    }

    fn actor(&self, state: &JointState) -> Actor {
        match state.position.stage() {
            Stage::Over(_) => Actor::Over,
            Stage::MrX | Stage::SecondLeg => Actor::Player(MR_X),
            Stage::Detectives => Actor::Player(DETECTIVES),
        }
    }

    fn actions(&self, state: &JointState, into: &mut Vec<JointMove>) {
        JointMove::list(self.arena, &state.position, into);
    }

    fn event(&self, _state: &JointState, joint: JointMove) -> JointMove {
        joint
    }

    fn action(&self, event: &JointMove) -> Option<JointMove> {
        Some(*event)
    }

    fn apply(&self, state: &mut JointState, joint: JointMove) {
        for step in joint.steps() {
            self.step(state, step);
        }
    }

    fn nature(
        &self,
        _state: &mut JointState,
        _scratch: &mut (),
        _rng: &mut AgentRng,
    ) -> Option<JointMove> {
        None
    }

    fn play_out(&self, state: &mut JointState, _scratch: &mut (), rng: &mut AgentRng) -> Rewards {
        if self.shaping.is_none() {
            let (end, _) = state.position.play_out(self.arena, rng);
            return self.rewards(state, end);
        }
        loop {
            if let Stage::Over(end) = state.position.stage() {
                return self.rewards(state, end);
            }
            let action = state.position.random_action(self.arena, rng);
            self.step(state, action.expect("a seat to move has a legal action"));
        }
    }
}
