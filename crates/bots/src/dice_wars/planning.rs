//! Planning of the rest of a turn: attacks, transfers and the end of the turn are one sequence,
//! searched by expectation over the two outcomes of each battle. Wherever a plan stops, the turn
//! ends, and an [`Evaluator`] gives the value for the player to move. The evaluation must account
//! for the other players' replies.
//!
//! A plan can always stop, so looking further ahead never makes a position look worse. Only the most
//! promising actions are followed up: those with the best value if the turn ended right after them.
//! Actions in another order lead to the same position, whose value is computed once for each number
//! of further actions.

use super::evaluation::Evaluator;
use super::evaluation_cache::{EvaluationCache, position_key};
use super::policy::Policy;
use super::transfers::for_each_sensible_transfer;
use arrayvec::ArrayVec;
use botyard_agent::AgentRng;
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, Map, Position, Stage, win_probability};
use botyard_search::{Deadline, Stall, Watch};

/// The settings of a planner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planning {
    /// The number of attacks that are followed up in a position, at least 1.
    pub attacks: usize,
    /// The number of transfers that are followed up in a position.
    pub transfers: usize,
    /// The least probability of attacks that are considered, 0 to 1.
    pub least_chance: f32,
    /// The least gain of a transfer, as a win probability in an even game: transfers are few.
    pub transfer_cost: f32,
    /// The bonus of an attack over its gain, as a win probability in an even game, at the start; as
    /// much again is added after every ten rounds. It makes a game progress in which nothing seems
    /// to matter any more, as to a player that has almost won.
    pub eagerness: f32,
}

impl Default for Planning {
    fn default() -> Planning {
        Planning {
            attacks: 5,
            transfers: 4,
            least_chance: 0.2,
            transfer_cost: 0.0005,
            eagerness: 0.0005,
        }
    }
}

/// The limits of planning.
#[derive(Clone, Copy, Debug)]
pub struct PlanLimits {
    /// The number of actions in a plan, at least 1.
    pub depth: u32,
    /// The number of positions evaluated.
    pub nodes: u64,
    /// The deadline; `None` for no limit.
    pub deadline: Option<Deadline>,
}

/// The result of planning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The best action.
    pub action: Action,
    /// The player's win probability after it, by the evaluation.
    pub value: f32,
    /// The player's win probability if the turn ends now.
    pub end_value: f32,
    /// The number of actions in the plan.
    pub depth: u32,
    /// The number of positions evaluated.
    pub nodes: u64,
    /// The longest time between two checks of the clock.
    pub stall: Stall,
}

/// The largest number of actions of a position that are considered. Attacks from each of 64 areas
/// to all its neighbours would be more; the rest is ignored.
const MOST_ACTIONS: usize = 256;

/// The least scale of costs and bonuses of actions.
const LEAST_SCALE: f32 = 1e-3;

/// Plans turns.
#[derive(Clone, Debug)]
pub struct Planner<E> {
    evaluator: E,
    planning: Planning,
    judged: EvaluationCache<f32>,
    /// Values of best play from a position, for plans of a given length. Their keys contain the
    /// number of the plan: a plan must not depend on what came before.
    planned: EvaluationCache<f32>,
    plans: u64,
    /// The first actions of the last plan with their values, at the last depth that was searched whole.
    first_actions: Vec<(Action, f32)>,
}

/// The number of slots of a planner's tables.
const SLOTS: usize = 1 << 15;

/// Irregular odd numbers, which separate the keys of plans and of their lengths.
const PLAN_STEP: u64 = 0xd134_2543_de82_ef95;
const DEPTH_STEP: u64 = 0x2545_f491_4f6c_dd1d;

/// An action with its value if the turn ends right after it.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    action: Action,
    /// The values after both outcomes of a battle; twice the same for a transfer.
    ends: [f32; 2],
    value: f32,
}

/// The actions of a position.
type Candidates = ArrayVec<Candidate, MOST_ACTIONS>;

/// The limits have been reached.
struct Stopped;

impl<E: Evaluator> Planner<E> {
    /// Makes a planner with this evaluator.
    pub fn new(planning: Planning, evaluator: E) -> Planner<E> {
        Planner {
            evaluator,
            planning,
            judged: EvaluationCache::new(SLOTS),
            planned: EvaluationCache::new(SLOTS),
            plans: 0,
            first_actions: Vec::new(),
        }
    }

    /// Returns the evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Returns the first actions of the last plan whose values are at most `margin` below that of the
    /// best one, as win probabilities, at the last depth that was searched whole.
    pub fn actions_within(&self, margin: f32) -> Vec<Action> {
        let values = self.first_actions.iter().map(|&(_, value)| value);
        let least = values.fold(0.0, f32::max) - margin;
        let near = self.first_actions.iter().filter(|&&(_, value)| value >= least);
        near.map(|&(action, _)| action).collect()
    }

    /// Finds the best action of the player to move by looking one action ahead, then two, and so on
    /// within the limits. At the depth that a limit cuts off, the actions searched so far count: the
    /// best one of the depth before is the first of them. It must be the player's turn to act.
    pub fn plan(&mut self, map: &Map, position: &Position, limits: &PlanLimits) -> Plan {
        let rounds = f32::from(position.turns()) / position.players() as f32;
        self.plans += 1;
        let mut search = Search {
            map,
            seat: position.to_move(),
            bonus: 0.0,
            transfer_cost: 0.0,
            planning: &self.planning,
            evaluator: &self.evaluator,
            judged: &mut self.judged,
            planned: &mut self.planned,
            plan_key: self.plans.wrapping_mul(PLAN_STEP),
            limits,
            nodes: 0,
            watch: Watch::new(limits.deadline),
            may_stop: false,
        };
        // The first check only starts the watch: there is no answer yet.
        search.watch.is_late();
        // Positions do not contain their map: entries of another map must not be found.
        search.judged.clear_for(map);
        let end_value = search.judge(position);
        // Win probabilities change little in a game that is nearly won or lost.
        let scale = (4.0 * end_value * (1.0 - end_value)).max(LEAST_SCALE);
        search.bonus = scale * self.planning.eagerness * (1.0 + rounds / 10.0);
        search.transfer_cost = scale * self.planning.transfer_cost;
        let mut plan = Plan {
            action: Action::EndTurn,
            value: end_value,
            end_value,
            depth: 0,
            nodes: 0,
            stall: Stall::NONE,
        };
        let mut searched = Vec::new();
        for depth in 1..=limits.depth.max(1) {
            let before = search.nodes;
            searched.clear();
            let (best, is_whole) =
                search.root(position, end_value, depth, plan.action, &mut searched);
            if let Some((action, value)) = best {
                plan = Plan { action, value, ..plan };
            }
            if !is_whole {
                break;
            }
            plan.depth = depth;
            std::mem::swap(&mut self.first_actions, &mut searched);
            // An answer exists now.
            search.may_stop = true;
            // One more action takes several times as long.
            let spent = search.nodes - before;
            if spent == 0 || search.nodes + spent > limits.nodes {
                break;
            }
        }
        Plan { nodes: search.nodes, stall: search.watch.stall(), ..plan }
    }
}

struct Search<'a, E> {
    map: &'a Map,
    seat: Seat,
    /// The bonus of an attack over its gain.
    bonus: f32,
    transfer_cost: f32,
    planning: &'a Planning,
    evaluator: &'a E,
    judged: &'a mut EvaluationCache<f32>,
    planned: &'a mut EvaluationCache<f32>,
    plan_key: u64,
    limits: &'a PlanLimits,
    nodes: u64,
    watch: Watch,
    may_stop: bool,
}

impl<E: Evaluator> Search<'_, E> {
    fn judge(&mut self, position: &Position) -> f32 {
        // Cached ones count too: a plan must not depend on what came before.
        self.nodes += 1;
        let key = position_key(position);
        if let Some(value) = self.judged.get(key) {
            return value;
        }
        let value = self.evaluator.shares(self.map, position)[self.seat.index()];
        self.judged.put(key, value);
        value
    }

    fn may_go_on(&mut self) -> Result<(), Stopped> {
        if !self.may_stop {
            return Ok(());
        }
        if self.nodes >= self.limits.nodes || self.watch.is_late() {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Returns the best action and its value at this depth, and whether all actions were searched.
    /// `first` is searched first, as the best action of the depth before; without its value there is
    /// no result. `end_value` is the value of ending the turn here. `searched` receives all actions
    /// with their values.
    fn root(
        &mut self,
        position: &Position,
        end_value: f32,
        depth: u32,
        first: Action,
        searched: &mut Vec<(Action, f32)>,
    ) -> (Option<(Action, f32)>, bool) {
        let mut best = (Action::EndTurn, end_value);
        searched.push(best);
        let mut candidates = Candidates::new();
        self.followed_up(position, depth, &mut candidates);
        if let Some(place) = candidates.iter().position(|candidate| candidate.action == first) {
            candidates[..=place].rotate_right(1);
        }
        for candidate in &candidates {
            match self.value(position, candidate, depth) {
                Ok(value) => {
                    searched.push((candidate.action, value));
                    if value > best.1 {
                        best = (candidate.action, value);
                    }
                }
                Err(Stopped) if candidate.action == first => return (None, false),
                Err(Stopped) => return (Some(best), false),
            }
        }
        (Some(best), true)
    }

    /// Returns the value of best play with at most `depth` more actions. `end_value` is the value
    /// of ending the turn here.
    fn best(&mut self, position: &Position, end_value: f32, depth: u32) -> Result<f32, Stopped> {
        if depth == 0 || position.stage() != Stage::Action {
            return Ok(end_value);
        }
        let of_depth = self.plan_key.wrapping_add(DEPTH_STEP.wrapping_mul(depth.into()));
        let key = position_key(position).wrapping_add(of_depth);
        if let Some(value) = self.planned.get(key) {
            self.nodes += 1;
            return Ok(value);
        }
        self.may_go_on()?;
        let mut best = end_value;
        let mut candidates = Candidates::new();
        self.followed_up(position, depth, &mut candidates);
        for candidate in &candidates {
            best = best.max(self.value(position, candidate, depth)?);
        }
        self.planned.put(key, best);
        Ok(best)
    }

    /// Lists the actions that are followed up, the most promising attacks and then the most
    /// promising transfers; all actions if nothing follows them.
    fn followed_up(&mut self, position: &Position, depth: u32, listed: &mut Candidates) {
        let mut transfers = Candidates::new();
        self.candidates(position, listed, &mut transfers);
        if depth > 1 {
            let Planning { attacks: most_attacks, transfers: most_transfers, .. } = *self.planning;
            for (candidates, most) in
                [(&mut *listed, most_attacks), (&mut transfers, most_transfers)]
            {
                candidates.sort_unstable_by(|a, b| b.value.total_cmp(&a.value));
                candidates.truncate(most);
            }
        }
        let room = listed.remaining_capacity();
        listed.extend(transfers.into_iter().take(room));
    }

    /// Returns the value of an action followed by best play.
    fn value(
        &mut self,
        position: &Position,
        candidate: &Candidate,
        depth: u32,
    ) -> Result<f32, Stopped> {
        if depth == 1 {
            return Ok(candidate.value);
        }
        let [won_end, lost_end] = candidate.ends;
        let mut next = *position;
        match candidate.action {
            Action::Attack(from, to) => {
                let chance = win_probability(position.dice(from), position.dice(to)) as f32;
                next.attack_won(from, to);
                let won = self.best(&next, won_end, depth - 1)?;
                if chance >= 1.0 {
                    return Ok(won + self.bonus);
                }
                next = *position;
                next.attack_lost(from, to);
                let lost = self.best(&next, lost_end, depth - 1)?;
                Ok(chance * won + (1.0 - chance) * lost + self.bonus)
            }
            Action::Transfer(from, to) => {
                next.transfer(from, to);
                let value = self.best(&next, won_end, depth - 1)?;
                Ok(value - self.transfer_cost)
            }
            Action::EndTurn => Ok(won_end),
        }
    }

    fn candidates(
        &mut self,
        position: &Position,
        attacks: &mut Candidates,
        transfers: &mut Candidates,
    ) {
        let (map, least) = (self.map, self.planning.least_chance);
        position.for_each_attack(map, |from, to| {
            let chance = win_probability(position.dice(from), position.dice(to)) as f32;
            if chance < least || attacks.is_full() {
                return;
            }
            let mut next = *position;
            next.attack_won(from, to);
            let won = self.judge(&next);
            let lost = if chance >= 1.0 {
                0.0
            } else {
                next = *position;
                next.attack_lost(from, to);
                self.judge(&next)
            };
            let value = chance * won + (1.0 - chance) * lost + self.bonus;
            attacks.push(Candidate { action: Action::Attack(from, to), ends: [won, lost], value });
        });
        for_each_sensible_transfer(map, position, |from, to| {
            if transfers.is_full() {
                return;
            }
            let mut next = *position;
            next.transfer(from, to);
            let end = self.judge(&next);
            let value = end - self.transfer_cost;
            transfers.push(Candidate { action: Action::Transfer(from, to), ends: [end; 2], value });
        });
    }
}

/// A planner with fixed limits, as a policy.
#[derive(Clone, Debug)]
pub struct PlanPolicy<E> {
    /// The planner.
    pub planner: Planner<E>,
    /// The limits per decision.
    pub limits: PlanLimits,
}

impl<E: Evaluator> Policy for PlanPolicy<E> {
    fn choose(&mut self, map: &Map, position: &Position, _rng: &mut AgentRng) -> Action {
        self.planner.plan(map, position, &self.limits).action
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice_wars::{Hand, Learned};
    use arrayvec::ArrayVec as List;
    use botyard_engine::dice_wars::{Area, AreaSet, Deal, Rules, generate_map};
    use botyard_engine::random::Stream;

    const LIMITS: PlanLimits = PlanLimits { depth: 3, nodes: 20_000, deadline: None };

    fn position(map: &Map, owners: &[usize], dice: &[u8]) -> Position {
        let rules = Rules { players: 2, ..Rules::preset("fair-4").unwrap() };
        let owners: List<Seat, 64> = owners.iter().map(|&owner| Seat::new(owner)).collect();
        assert_eq!(owners.len(), map.areas());
        Position::start(
            &rules,
            &Deal { owners, dice: dice.iter().copied().collect() },
            Seat::new(0),
        )
    }

    /// Areas in a row.
    fn row(areas: usize) -> Map {
        let neighbours: Vec<AreaSet> = (0..areas)
            .map(|index| {
                let beside = [index.wrapping_sub(1), index + 1];
                beside.into_iter().filter(|&other| other < areas).map(Area::new).collect()
            })
            .collect();
        Map::new(&neighbours, Vec::new()).unwrap()
    }

    #[test]
    fn the_last_enemy_is_taken() {
        let map = row(3);
        for name in ["hand", "learned"] {
            let position = position(&map, &[0, 0, 1], &[1, 8, 1]);
            let plan = match name {
                "hand" => Planner::new(Planning::default(), Hand).plan(&map, &position, &LIMITS),
                _ => {
                    let planner = Planner::new(Planning::default(), Learned::new());
                    { planner }.plan(&map, &position, &LIMITS)
                }
            };
            assert_eq!(plan.action, Action::Attack(Area::new(1), Area::new(2)), "{name}");
            assert!(plan.value > 0.99, "{name}: {plan:?}");
        }
    }

    #[test]
    fn what_was_judged_before_changes_no_plan() {
        let rules = Rules::preset("sui-2021").unwrap();
        let limits = PlanLimits { depth: 2, ..LIMITS };
        let mut used = Planner::new(Planning::default(), Learned::new());
        let mut stream = Stream::new(5, "test");
        for _ in 0..4 {
            let map = generate_map(34, stream.rng());
            let deal = Deal::draw(&map, &rules, stream.rng());
            let mut position = Position::start(&rules, &deal, Seat::new(0));
            for _ in 0..10 {
                let plan = used.plan(&map, &position, &limits);
                let fresh = Planner::new(Planning::default(), Learned::new())
                    .plan(&map, &position, &limits);
                assert_eq!((plan.action, plan.value), (fresh.action, fresh.value));
                assert_eq!(position.check(&map, plan.action), Ok(()));
                match plan.action {
                    Action::Attack(from, to) => {
                        position.attack_at_random(from, to, stream.rng());
                    }
                    Action::Transfer(from, to) => position.transfer(from, to),
                    Action::EndTurn => position.end_turn_at_random(&map, stream.rng()),
                }
            }
        }
    }

    #[test]
    fn limits_are_kept() {
        let rules = Rules::preset("sui-2021").unwrap();
        let mut stream = Stream::new(2, "test");
        let map = generate_map(34, stream.rng());
        let deal = Deal::draw(&map, &rules, stream.rng());
        let position = Position::start(&rules, &deal, Seat::new(0));
        let plan = |limits| Planner::new(Planning::default(), Hand).plan(&map, &position, &limits);
        assert!(plan(LIMITS).depth > 1);
        assert_eq!(plan(PlanLimits { depth: 1, ..LIMITS }).depth, 1);
        let shallow = plan(PlanLimits { nodes: 1, ..LIMITS });
        assert_eq!(shallow.depth, 1, "one action ahead is always looked");
        let over =
            plan(PlanLimits { deadline: Some(Deadline::at(std::time::Instant::now())), ..LIMITS });
        assert_eq!((over.depth, over.action), (1, shallow.action));
    }
}
