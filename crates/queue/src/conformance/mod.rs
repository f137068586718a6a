//! The contract of a queue, as tests that any engine must pass. Each function panics where the engine
//! breaks the contract.
//!
//! [`check_all`] takes a function that makes a handle of one and the same queue, which is empty at
//! first. For an engine with one owner this is always the same handle.
//!
//! [`check_work`] is the part that concerns workers, by whatever way they reach the queue.

mod clocks;
mod direct;
mod fixtures;
mod rechecks;
mod tournaments;
mod workers;

use crate::{Queue, Work};
use botyard_league::schedule::TournamentSchedule;
use clocks::a_clock_that_is_set_loses_no_block;
use direct::Direct;
use rechecks::{a_recheck_is_played_by_another, a_share_of_blocks_is_rechecked};
use std::sync::Arc;
use tournaments::{
    a_claim_is_made_once, a_tournament_is_a_store, chosen_blocks_are_played_and_removed,
    unnamed_content_is_removed,
};
use workers::{
    a_late_bot_plays_and_a_held_tournament_does_not, a_lease_that_expired_is_late,
    a_rejudge_plays_its_games_only, a_void_game_is_played_again, a_worker_chooses_tournaments,
    an_end_is_expected_when_enough_blocks_ended, every_block_is_played_once, files_are_stored_once,
    later_rounds_follow_from_results, many_workers_play_every_game_once,
    results_are_delivered_together, what_is_forged_is_refused,
};

/// Makes a handle of the queue.
pub type Open<'a> = &'a (dyn Fn() -> Arc<Queue> + Sync);

/// Makes a worker's way to the queue, for a tournament of these games. The way may find the games in
/// the definition of the tournament instead.
pub type Reach<'a> = &'a (dyn Fn(&TournamentSchedule) -> Arc<dyn Work> + Sync);

/// Checks everything.
///
/// # Panics
///
/// The engine breaks the contract.
pub fn check_all(open: Open<'_>) {
    a_tournament_is_a_store(open);
    a_claim_is_made_once(open);
    unnamed_content_is_removed(open);
    chosen_blocks_are_played_and_removed(open);
    a_share_of_blocks_is_rechecked(open);
    a_clock_that_is_set_loses_no_block(open);
    check_work(open, &|games| Arc::new(Direct { queue: open(), games: games.clone() }));
}

/// Checks what workers see of a queue that has no tournaments of these names.
///
/// # Panics
///
/// Workers that reach the queue by this way do not see what the queue does.
pub fn check_work(open: Open<'_>, reach: Reach<'_>) {
    let way = Way { open, reach };
    a_worker_chooses_tournaments(&way);
    every_block_is_played_once(&way);
    a_lease_that_expired_is_late(&way);
    an_end_is_expected_when_enough_blocks_ended(&way);
    what_is_forged_is_refused(&way);
    a_void_game_is_played_again(&way);
    later_rounds_follow_from_results(&way);
    a_rejudge_plays_its_games_only(&way);
    a_recheck_is_played_by_another(&way);
    a_late_bot_plays_and_a_held_tournament_does_not(&way);
    files_are_stored_once(&way);
    results_are_delivered_together(&way);
    many_workers_play_every_game_once(&way);
}

/// Both ways to a queue.
struct Way<'a> {
    open: Open<'a>,
    reach: Reach<'a>,
}
