//! Dice Wars as a [`Simulation`]: everything is observed, battles branch the tree by their
//! outcomes, and new dice are averaged over.

use crate::dice_wars::lookahead::Candidates;
use crate::dice_wars::{AttackRule, Evaluator};
use botyard_agent::AgentRng;
use botyard_engine::dice_wars::{Action, Map, Position, Stage, attacker_wins};
use botyard_engine::random::below;
use botyard_search::mcts::{Actor, Rewards, Simulation};

/// The settings of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutSettings {
    /// The attacks in the tree.
    pub candidates: Candidates,
    /// The number of turns, from the root's, after which a playout is evaluated; 0 for immediately.
    pub turns: u16,
    /// The percentage of random actions in playouts.
    pub random: u32,
}

/// A game on one map before a decision.
pub struct DiceWarsSimulation<'a, E> {
    map: &'a Map,
    evaluator: &'a E,
    playouts: PlayoutSettings,
    root: Position,
}

/// An edge of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A player's action.
    Action(Action),
    /// The end of a battle: whether the attacker has won.
    Battle(bool),
}

impl<'a, E: Evaluator> DiceWarsSimulation<'a, E> {
    /// Makes a simulation of the game in progress.
    pub const fn new(
        map: &'a Map,
        evaluator: &'a E,
        playouts: PlayoutSettings,
        root: Position,
    ) -> DiceWarsSimulation<'a, E> {
        DiceWarsSimulation { map, evaluator, playouts, root }
    }

    fn battle(&self, position: &mut Position, rng: &mut AgentRng) -> Option<bool> {
        let Stage::Battle { from, to } = position.stage() else { return None };
        let won = attacker_wins(position.dice(from), position.dice(to), rng);
        position.attack(from, to, won);
        Some(won)
    }

    /// Plays one action by rule, and the chance outcomes that follow.
    fn play_on(&self, position: &mut Position, rng: &mut AgentRng) {
        let is_in_play = position.place(position.to_move()).is_none();
        let attack = match () {
            () if !is_in_play => None,
            // Sometimes any action, including the end of the turn.
            () if below(rng, 100) < self.playouts.random => {
                let choices = position.count_attacks(self.map) + 1;
                match below(rng, choices) {
                    0 => None,
                    _ => position.random_attack(self.map, rng),
                }
            }
            () => AttackRule::FromLargestRegion.choose(self.map, position, rng),
        };
        match attack {
            Some((from, to)) => {
                position.attack_at_random(from, to, rng);
            }
            None => position.end_turn_at_random(self.map, rng),
        }
    }
}

impl<E: Evaluator + Sync> Simulation for DiceWarsSimulation<'_, E> {
    type State = Position;
    type Action = Action;
    type Event = Event;
    type Scratch = ();

    fn players(&self) -> usize {
        self.root.players()
    }

    fn state(&self) -> Position {
        self.root
    }

    fn begin(&self, state: &mut Position, _scratch: &mut (), _rng: &mut AgentRng) {
        *state = self.root;
    }

    fn actor(&self, state: &Position) -> Actor {
        match state.stage() {
            Stage::Action => Actor::Player(state.to_move().into()),
            Stage::Battle { .. } | Stage::Reinforcement => Actor::Nature,
            Stage::Over(_) => Actor::Over,
        }
    }

    fn actions(&self, state: &Position, into: &mut Vec<Action>) {
        into.clear();
        if state.place(state.to_move()).is_none() {
            let attacks = self.playouts.candidates.attacks(self.map, state);
            into.extend(attacks.into_iter().map(|(from, to, _)| Action::Attack(from, to)));
        }
        into.push(Action::EndTurn);
    }

    fn event(&self, _state: &Position, action: Action) -> Event {
        Event::Action(action)
    }

    fn action(&self, event: &Event) -> Option<Action> {
        match event {
            Event::Action(action) => Some(*action),
            Event::Battle(_) => None,
        }
    }

    fn apply(&self, state: &mut Position, action: Action) {
        state.apply(action);
    }

    fn nature(&self, state: &mut Position, _scratch: &mut (), rng: &mut AgentRng) -> Option<Event> {
        match self.battle(state, rng) {
            Some(won) => Some(Event::Battle(won)),
            None => {
                state.end_turn_at_random(self.map, rng);
                None
            }
        }
    }

    fn play_out(&self, state: &mut Position, _scratch: &mut (), rng: &mut AgentRng) -> Rewards {
        self.battle(state, rng);
        let last = self.root.turns().saturating_add(self.playouts.turns);
        loop {
            match state.stage() {
                Stage::Over(_) => break,
                Stage::Reinforcement if state.turns() >= last => break,
                Stage::Action if state.turns() >= last => break,
                Stage::Reinforcement => state.end_turn_at_random(self.map, rng),
                Stage::Action | Stage::Battle { .. } => self.play_on(state, rng),
            }
        }
        if let Some(outcome) = state.outcome() {
            let mut rewards = Rewards::default();
            for (reward, score) in rewards.iter_mut().zip(&outcome.scores) {
                *reward = *score as f32;
            }
            return rewards;
        }
        self.evaluator.shares(self.map, state)
    }
}
