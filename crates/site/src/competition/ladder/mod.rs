//! The ladder: games between the active versions and the references of the event, block by block, as
//! long as the site runs. Which block is next is chosen from what was played; whatever was chosen or
//! played is stored before anything else happens.

mod choice;
mod entrant_games;
mod entrants;
mod ratings;
mod record;
mod standing;

pub(super) use choice::next_block;
pub(crate) use entrant_games::{ChosenGames, GameOfEntrant, games_of};
pub(crate) use entrants::{LadderEntrant, all, at_the_end, bundle, command, of_event, of_final};
pub(crate) use ratings::{RatingAt, keep as keep_ratings, of_team as ratings_of_team, trends};
pub(crate) use record::{
    FoundGame, OpenBlock, Record, add_block, add_game, add_seats, drop_block, find_game,
    games_of_event, open_blocks, open_blocks_of,
};
pub(crate) use standing::{Design, Inputs, Standing};

/// Returns a block of these entrants as if it were chosen, for tests.
#[cfg(test)]
pub(crate) fn choice_of(line_up: &[i64]) -> choice::Chosen {
    choice::Chosen { line_up: line_up.to_vec(), reason: choice::Reason::Turn }
}
