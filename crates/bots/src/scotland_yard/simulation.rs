//! Scotland Yard as a [`Simulation`], before a decision of either side.
//!
//! For the detectives, Mr. X's station is drawn from their belief in every iteration. For Mr. X,
//! who knows it, the simulated detectives move by his candidates as far as they could tell;
//! otherwise he would regard every game as lost.

use super::assignment::Assignment;
use super::belief::{Belief, LIKELIHOOD, category};
use super::board_tables::BoardTables;
use super::cutoff::Cutoff;
use super::evasion::Evasion;
use super::features::FeatureReader;
use super::habits::Habits;
use super::move_filter::keep_worthwhile;
use super::network::Chance;
use super::percent::Percent;
use super::playout_policy::PlayoutPolicy;
use super::simulation_state::{SearchState, SimulationState};
use super::suspicion::{Suspicion, Transitions};
use botyard_agent::AgentRng;
use botyard_engine::random::unit;
use botyard_engine::scotland_yard::{
    Action, Arena, Kinds, Position, ScotlandYard, Side, Stage, Station, Ticket,
};
use botyard_search::mcts::{Actor, Rewards, Simulation};
use botyard_search::{MAX_PLAYERS, Player};

/// The value of a finished playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// 1 for a win and 0 for a loss.
    Win,
    /// An earlier capture is better for the detectives, and worse for Mr. X.
    Shaped,
}

impl Reward {
    /// All of them, by the names used in options.
    pub const ALL: [(&'static str, Reward); 2] = [("win", Reward::Win), ("shaped", Reward::Shaped)];
}

/// The settings of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutSettings {
    /// The detectives' policy in playouts, and everywhere in Mr. X's search.
    pub policy: PlayoutPolicy,
    /// The probability of a random step of a detective there.
    pub detectives_random: Percent,
    /// How Mr. X evades in playouts and where his play is modelled.
    pub evasion: Evasion,
    /// Whether, in the detectives' search, Mr. X evades by the rule of playouts; otherwise the tree
    /// searches for him too, as if his station were known.
    pub model_mr_x: bool,
    /// Whether the tree branches by what the detectives see of a modelled Mr. X.
    pub branch_by_log: bool,
    /// Whether, in the detectives' search, Mr. X stays at his station while the tree is descended, and moves in
    /// playouts alone.
    pub stands_in_tree: bool,
    /// Whether, in the detectives' search, Mr. X's station is redrawn after each of his simulated
    /// steps, from his candidates and by the distance categories (Belej 2015).
    pub redraw: bool,
    /// The loss of value of a capture for the detectives who did not make it (Nijssen & Winands
    /// 2012).
    pub coalition: f32,
    /// Whether a detective that can step onto a candidate considers nothing else.
    pub decisive: bool,
    /// Whether actions that waste Mr. X's tickets are left out.
    pub filter: bool,
    /// The value of a finished playout.
    pub reward: Reward,
}

/// A game before a decision.
pub struct YardSimulation<'a> {
    tables: &'a BoardTables,
    arena: &'a Arena,
    playouts: PlayoutSettings,
    side: Side,
    root: SearchState,
    /// How the suspicion moves; `None` where it is not simulated.
    transitions: Option<Transitions>,
    belief: Belief,
    /// For the detectives, by kinds of tickets and station: the mean number of moves to Mr. X.
    expected: Vec<f32>,
    /// The probability of Mr. X at each station, by the detectives' belief.
    likely: Suspicion,
    features: FeatureReader<'a>,
    cutoff: Option<&'a Cutoff>,
}

/// The searching side's observation of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation {
    /// The whole step.
    Action(Action),
    /// Mr. X's ticket, and his station at a reveal.
    Shown(Ticket, Option<Station>),
}

/// The memory of an iteration.
#[derive(Clone, Debug, Default)]
pub struct Playout {
    assignment: Assignment,
}

/// The value of a capture that is as good as at the limit, by [`Reward::Shaped`].
const LATEST: f32 = 0.4;
/// How much better a capture at once is.
const EARLINESS: f32 = 0.6;

/// The player that is Mr. X.
const MR_X: Player = Player::new(0);

impl<'a> YardSimulation<'a> {
    /// Makes the game from the point of view of `side`, which is to move in `root`. `belief` is the
    /// detectives' belief, and `habits` is what they expect of Mr. X from now on.
    pub fn new(
        game: &'a ScotlandYard,
        tables: &'a BoardTables,
        playouts: PlayoutSettings,
        side: Side,
        root: SimulationState,
        belief: Belief,
        habits: &Habits,
    ) -> YardSimulation<'a> {
        let (is_searching, is_believing) =
            (playouts.policy.is_searching(), playouts.policy.is_believing());
        let tracked = match side {
            Side::MrX => is_searching,
            Side::Detectives => playouts.decisive || playouts.redraw || is_searching,
        };
        let tracked_root = SimulationState { tracked, ..root };
        let likely = Suspicion::of(&belief);
        let suspicion = is_believing.then_some(likely);
        let transitions = is_believing.then(|| Transitions::new(game, tables, &root, habits));
        let expected = match side {
            Side::MrX => Vec::new(),
            Side::Detectives => expected_moves(tables, &belief),
        };
        YardSimulation {
            tables,
            arena: game.arena(),
            playouts,
            side,
            root: SearchState { game: tracked_root, suspicion },
            transitions,
            belief,
            expected,
            likely,
            features: FeatureReader::new(game, tables),
            cutoff: None,
        }
    }

    /// Cuts playouts off, or with `None` plays them to the end of the game. A position judged by the
    /// network has no captor: all detectives get the same reward, whatever
    /// [`PlayoutSettings::coalition`] is. The reward of the cutoff, if it has one, replaces
    /// [`PlayoutSettings::reward`].
    #[must_use]
    pub fn with_cutoff(self, cutoff: Option<&'a Cutoff>) -> YardSimulation<'a> {
        // The network looks at the candidates.
        let tracked = self.root.game.tracked || cutoff.is_some();
        let game = SimulationState { tracked, ..self.root.game };
        let root = SearchState { game, ..self.root };
        let reward = cutoff.and_then(|cutoff| cutoff.reward).unwrap_or(self.playouts.reward);
        let playouts = PlayoutSettings { reward, ..self.playouts };
        YardSimulation { root, cutoff, playouts, ..self }
    }

    /// Returns the probability of Mr. X at a station, by the detectives' belief.
    pub fn probability(&self, station: Station) -> f32 {
        self.likely.at(station)
    }

    fn expected(&self, kinds: Kinds, station: Station) -> f32 {
        self.expected[usize::from(kinds.bits()) % 8 * self.tables.stations() + station.index()]
    }

    fn step(
        &self,
        state: &SearchState,
        scratch: &mut Playout,
        rng: &mut AgentRng,
    ) -> Option<Action> {
        match state.game.position.stage() {
            Stage::Over(_) => None,
            Stage::MrX | Stage::SecondLeg if self.is_aimless() => {
                state.game.position.random_action(self.arena, rng)
            }
            Stage::MrX | Stage::SecondLeg => {
                self.playouts.evasion.step(self.tables, self.arena, &state.game.position, rng)
            }
            Stage::Detectives => self.playouts.policy.step(
                self.tables,
                self.arena,
                state,
                self.playouts.detectives_random,
                &mut scratch.assignment,
                rng,
            ),
        }
    }

    /// Plays a step of nature or of a playout.
    #[inline]
    fn advance(&self, state: &mut SearchState, action: Action) {
        if let (Some(transitions), Some(suspicion)) = (&self.transitions, &mut state.suspicion) {
            transitions.advance(suspicion, &state.game, self.arena, action);
        }
        state.game.apply(self.tables, self.arena, action);
    }

    #[inline]
    fn go_on(&self, state: &mut SearchState, action: Action, rng: &mut AgentRng) {
        self.advance(state, action);
        if self.playouts.redraw
            && self.side == Side::Detectives
            && matches!(action, Action::MrX { .. })
            && !matches!(state.game.position.stage(), Stage::Over(_))
            && let Some(station) = draw_by_category(self.tables, &state.game, rng)
        {
            state.game.position = state.game.position.with_mr_x(station);
        }
    }

    /// Has Mr. X use his turn for a step, and stand where he stood.
    fn pass(&self, state: &mut SearchState, action: Action) {
        let (station, candidates) = (state.game.position.mr_x(), state.game.candidates);
        self.advance(state, action);
        if !matches!(state.game.position.stage(), Stage::Over(_)) {
            state.game.position = state.game.position.with_mr_x(station);
            state.game.candidates = candidates;
        }
    }

    /// Returns whether playouts are random for all players.
    fn is_aimless(&self) -> bool {
        self.playouts.policy == PlayoutPolicy::Random
    }

    fn rewards(&self, state: &SearchState) -> Rewards {
        let Stage::Over(end) = state.game.position.stage() else { return [0.5; MAX_PLAYERS] };
        if end.mr_x_wins() {
            let mut rewards = [0.0; MAX_PLAYERS];
            rewards[MR_X.index()] = 1.0;
            return rewards;
        }
        let capture = match self.playouts.reward {
            Reward::Win => 1.0,
            Reward::Shaped => LATEST + EARLINESS * self.decay(state),
        };
        let mut rewards = [capture * (1.0 - self.playouts.coalition); MAX_PLAYERS];
        rewards[MR_X.index()] = 1.0 - capture;
        match state.game.position.pawns().who(state.game.position.mr_x()) {
            Some(captor) => rewards[1 + captor.index()] = capture,
            // Surrounded: all detectives did it.
            None => rewards[1..].fill(capture),
        }
        rewards
    }

    /// Returns the value of an early capture in this state.
    fn decay(&self, state: &SearchState) -> f32 {
        let steps = state.game.position.x_moves() - self.root.game.position.x_moves();
        Chance::DECAY.powi(i32::from(steps))
    }

    /// Returns the mean rewards of a state with Mr. X to move, by the network.
    fn predicted(&self, state: &SearchState, cutoff: &Cutoff) -> Rewards {
        let chance =
            cutoff.network.chance(&self.features.read(&state.game, state.suspicion.as_ref()));
        let capture = match self.playouts.reward {
            Reward::Win => chance.caught,
            Reward::Shaped => LATEST * chance.caught + EARLINESS * self.decay(state) * chance.early,
        };
        let mut rewards = [capture; MAX_PLAYERS];
        rewards[MR_X.index()] = 1.0 - capture;
        rewards
    }
}

/// Draws a candidate by the distance categories.
fn draw_by_category(
    tables: &BoardTables,
    state: &SimulationState,
    rng: &mut AgentRng,
) -> Option<Station> {
    let distances = tables.detective_distances(&state.position);
    let weight = |station| LIKELIHOOD[category(distances.nearest(station).into())] as f32;
    let sum: f32 = state.candidates.iter().map(weight).sum();
    let mut rest = unit(rng) as f32 * sum;
    let mut last = None;
    for station in state.candidates.iter() {
        last = Some(station);
        rest -= weight(station);
        if rest < 0.0 {
            break;
        }
    }
    last
}

/// Computes, by kinds of tickets and station, the mean number of moves to Mr. X; an unreachable
/// station counts as far.
fn expected_moves(tables: &BoardTables, belief: &Belief) -> Vec<f32> {
    const FAR: u8 = 20;
    let mut expected = vec![0.0; 8 * tables.stations()];
    for (bits, row) in expected.chunks_exact_mut(tables.stations()).enumerate() {
        for &(station, probability) in belief.stations() {
            let moves = tables.row(Kinds::from_bits(bits as u8), station);
            for (sum, &moves) in row.iter_mut().zip(moves) {
                *sum += probability as f32 * f32::from(moves.min(FAR));
            }
        }
    }
    expected
}

impl Simulation for YardSimulation<'_> {
    type State = SearchState;
    type Action = Action;
    type Event = Observation;
    type Scratch = Playout;

    fn players(&self) -> usize {
        1 + self.root.game.position.pawns().len()
    }

    fn state(&self) -> SearchState {
        self.root
    }

    fn begin(&self, state: &mut SearchState, scratch: &mut Playout, rng: &mut AgentRng) {
        *state = self.root;
        scratch.assignment = Assignment::default();
        if self.side == Side::Detectives
            && let Some(station) = self.belief.draw(rng)
        {
            state.game.position = self.root.game.position.with_mr_x(station);
        }
    }

    fn actor(&self, state: &SearchState) -> Actor {
        match (state.game.position.stage(), self.side) {
            (Stage::Over(_), _) => Actor::Over,
            (Stage::MrX | Stage::SecondLeg, Side::Detectives) if self.playouts.model_mr_x => {
                Actor::Nature
            }
            (Stage::MrX | Stage::SecondLeg, _) => Actor::Player(MR_X),
            (Stage::Detectives, Side::MrX) => Actor::Nature,
            (Stage::Detectives, Side::Detectives) => match state.game.detective_to_move(self.arena)
            {
                Some(detective) => Actor::Player(Player::new(1 + detective.index())),
                None => Actor::Over,
            },
        }
    }

    fn actions(&self, state: &SearchState, into: &mut Vec<Action>) {
        into.clear();
        let Some(detective) = state.game.detective_to_move(self.arena) else {
            state.game.position.actions(self.arena, into);
            if self.playouts.filter {
                keep_worthwhile(self.tables, self.arena, &state.game.position, into);
            }
            return;
        };
        state.game.position.for_each_step(self.arena, detective, |ticket, to| {
            into.push(Action::Detective { detective, ticket, to });
            true
        });
        if self.playouts.decisive {
            let onto = |action: &Action| match action {
                Action::Detective { to, .. } => state.game.candidates.contains(*to),
                Action::MrX { .. } => false,
            };
            if into.iter().any(onto) {
                into.retain(onto);
            }
        }
    }

    fn event(&self, _state: &SearchState, action: Action) -> Observation {
        Observation::Action(action)
    }

    fn action(&self, event: &Observation) -> Option<Action> {
        match event {
            Observation::Action(action) => Some(*action),
            Observation::Shown(..) => None,
        }
    }

    fn apply(&self, state: &mut SearchState, action: Action) {
        self.advance(state, action);
    }

    fn nature(
        &self,
        state: &mut SearchState,
        scratch: &mut Playout,
        rng: &mut AgentRng,
    ) -> Option<Observation> {
        let action = self.step(state, scratch, rng)?;
        if self.playouts.stands_in_tree && matches!(action, Action::MrX { .. }) {
            self.pass(state, action);
        } else {
            self.go_on(state, action, rng);
        }
        match action {
            Action::MrX { ticket, to, .. } if self.playouts.branch_by_log => {
                let shown = self.arena.reveals(state.game.position.x_moves());
                Some(Observation::Shown(ticket, shown.then_some(to)))
            }
            _ => None,
        }
    }

    fn prior(&self, state: &SearchState, action: Action) -> f32 {
        let position: &Position = &state.game.position;
        match action {
            Action::MrX { to, .. } => {
                f32::from(self.tables.detective_distances(position).nearest(to).min(4)) / 4.0
            }
            Action::Detective { detective, to, .. } => {
                let Some(at) = position.pawns().get(detective) else { return 0.0 };
                let kinds = position.tickets_of(detective).kinds();
                let nearer = self.expected(kinds, at) - self.expected(kinds, to);
                // A step usually changes a distance by at most 1.
                (0.5 + 0.25 * nearer + self.probability(to)).clamp(0.0, 1.0)
            }
        }
    }

    fn play_out(
        &self,
        state: &mut SearchState,
        scratch: &mut Playout,
        rng: &mut AgentRng,
    ) -> Rewards {
        if self.is_aimless() && !state.game.tracked {
            state.game.position.play_out(self.arena, rng);
        }
        let mut rounds = self.cutoff.map_or(0, |cutoff| cutoff.rounds);
        loop {
            if let Some(cutoff) = self.cutoff
                && state.game.position.stage() == Stage::MrX
            {
                if rounds == 0 {
                    return self.predicted(state, cutoff);
                }
                rounds -= 1;
            }
            let Some(action) = self.step(state, scratch, rng) else { break };
            self.go_on(state, action, rng);
        }
        self.rewards(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scotland_yard::Determinization;
    use botyard_engine::{Game, Seat};
    use rand_xoshiro::rand_core::SeedableRng;

    /// Mr. X at 100 after his first move, which the detectives do not see, and they have moved.
    #[test]
    fn mr_x_stands_in_the_trees_or_evades_as_in_playouts() {
        let game = ScotlandYard::new(ScotlandYard::preset("belej-2015").unwrap()).unwrap();
        let tables = BoardTables::new(&game).unwrap();
        let opening = r#"{"mr_x":104,"detectives":[13,26,29,34,50]}"#;
        let mut state = game.start(&serde_json::from_str(opening).unwrap()).unwrap();
        let mut actions = Vec::new();
        while state.position().x_moves() == 0 || state.position().stage() != Stage::MrX {
            game.actions(&state, &mut actions);
            game.apply(&mut state, actions[0]);
        }
        let view = game.view(&state, Seat::new(1));
        let candidates = game.candidates_in(&view).set().iter().collect();
        let position = *state.position();
        let simulated = SimulationState { position, candidates, tracked: true };
        let reached = |stands_in_tree| {
            let playouts = PlayoutSettings {
                policy: PlayoutPolicy::Random,
                detectives_random: Percent::new(20),
                evasion: Evasion::BELEJ,
                stands_in_tree,
                model_mr_x: true,
                branch_by_log: false,
                redraw: false,
                coalition: 0.7,
                decisive: true,
                filter: false,
                reward: Reward::Win,
            };
            let by = Determinization::Categories;
            let belief = Belief::new(&game, &tables, &view, &position, candidates, by);
            let habits = Habits::on(game.rules().board);
            let (side, root) = (Side::Detectives, simulated);
            let simulation =
                YardSimulation::new(&game, &tables, playouts, side, root, belief, habits);
            let mut rng = AgentRng::seed_from_u64(1);
            let (mut state, mut scratch) = (simulation.root, Playout::default());
            assert_eq!(simulation.actor(&state), Actor::Nature);
            simulation.nature(&mut state, &mut scratch, &mut rng);
            assert_eq!(state.game.position.x_moves(), 2);
            assert_eq!(state.game.position.stage(), Stage::Detectives);
            (state.game.position.mr_x(), state.game.candidates)
        };
        assert_eq!(reached(true), (position.mr_x(), candidates));
        let (station, after) = reached(false);
        assert!(station != position.mr_x() && after != candidates);
    }
}
