//! Measures a policy among the course's bots: one of it against randomly drawn others, in blocks of
//! one start and every seat.

use super::play::FIELD;
use super::steps::{AnyEvaluator, Play};
use arrayvec::ArrayVec;
use botyard_bots::dice_wars::{Arena, Baseline, PlanPolicy, Planner, Policy};
use botyard_engine::dice_wars::Rules;
use botyard_engine::random::choose;
use botyard_engine::{MAX_SEATS, Stream};
use std::ops::Range;

/// The results of a policy from each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Won {
    /// Games won alone, by seat.
    pub wins: [u32; MAX_SEATS],
    /// Games played from each seat.
    pub games: u32,
    /// Games without a winner, over all seats.
    pub undecided: u32,
}

/// Plays the blocks with these seeds by the planner with an evaluation: see [`play_measured`].
/// `how` has the planner's settings and limits. Calls `on_block` after each block.
///
/// # Errors
///
/// The rules contradict each other.
pub fn measure_planner(
    rules: Rules,
    how: &Play,
    evaluator: AnyEvaluator,
    field: &[Baseline],
    seeds: Range<u64>,
    mut on_block: impl FnMut(),
) -> Result<Won, String> {
    let arena = Arena::new(rules).map_err(|error| error.to_string())?;
    let planner = Planner::new(how.planning(), evaluator);
    let mut policy = PlanPolicy { planner, limits: how.limits() };
    let mut won = Won::default();
    for seed in seeds {
        play_measured(&arena, seed, &mut policy, field, &mut won);
        on_block();
    }
    Ok(won)
}

/// Plays the block with this seed and adds its results: one game from each seat, all from the same
/// start and with the same others, which are drawn from `field`, or from [`FIELD`] if that is
/// empty.
pub fn play_measured<P: Policy>(
    arena: &Arena,
    seed: u64,
    policy: &mut P,
    field: &[Baseline],
    won: &mut Won,
) {
    let field = if field.is_empty() { &FIELD } else { field };
    let mut stream = Stream::new(seed, "opponents");
    let mut others: ArrayVec<Baseline, MAX_SEATS> = (1..arena.players())
        .map(|_| choose(stream.rng(), field).copied().unwrap_or(Baseline::STEI_ADT))
        .collect();
    let mut entrants: ArrayVec<&mut dyn Policy, MAX_SEATS> = ArrayVec::new();
    entrants.push(policy);
    entrants.extend(others.iter_mut().map(|other| other as &mut dyn Policy));
    let line_up: ArrayVec<usize, MAX_SEATS> = (0..arena.players()).collect();
    for played in arena.play_block(seed, &mut entrants, &line_up) {
        match played.winner() {
            Some(winner) if played.seats[winner.index()] == 0 => won.wins[winner.index()] += 1,
            Some(_) => {}
            None => won.undecided += 1,
        }
    }
    won.games += 1;
}
