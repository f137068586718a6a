//! The games of a match: seats, seeds and openings. All of it follows from the match's draws and a
//! game's number, so any game can be repeated alone, and the order in which workers finish does not
//! matter.

use super::draws::Draws;
use botyard_engine::Seed;
use botyard_engine::registry::plain_name;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The plan of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The name of the game, the first part of every game's id.
    pub game: &'static str,
    /// The source of all random draws.
    pub draws: Draws,
    /// The number of bots; each holds one seat.
    pub bots: usize,
    /// The number of games.
    pub games: u32,
    /// Whether bot 1 always has the first seat, bot 2 the second, and so on.
    pub fixed_seats: bool,
    /// Openings as JSON, used in turn by the blocks; empty if they are drawn.
    pub openings: Vec<String>,
}

/// One game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its number, from 1.
    pub number: u32,
    /// Its block, from 1. The games of a block have the same seed and the same opening, with each
    /// rotation of the bots in turn.
    pub block: u32,
    /// Its id in logs and replays; also the stem of its file names.
    pub id: String,
    /// The seed of its opening and its chance.
    pub seed: Seed,
    /// The bot that holds each seat, in seat order; bots count from 0.
    pub seats: Vec<usize>,
    /// Its opening as JSON, if it is given.
    pub opening: Option<String>,
    /// The attempt, from 1: a void game is repeated.
    pub attempt: u32,
    /// The bot that was to move when the last attempt became void.
    pub void_at: Option<usize>,
}

impl ScheduledGame {
    /// Returns a hash of the start of the game. It is equal for the games of a block, and for games
    /// with the same given opening.
    pub fn start(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match &self.opening {
            Some(opening) => opening.hash(&mut hasher),
            None => self.seed.hash(&mut hasher),
        }
        hasher.finish()
    }
}

impl Schedule {
    /// Returns the number of games in a block: one for each rotation of the seats.
    pub fn block_length(&self) -> u32 {
        if self.fixed_seats { 1 } else { u32::try_from(self.bots).unwrap_or(u32::MAX).max(1) }
    }

    /// Returns eight hexadecimal digits that identify the match: the first ones of the tag.
    fn match_id(&self) -> String {
        format!("{:08x}", self.draws.tag >> 32)
    }

    /// Returns the game with this number, from 1.
    pub fn game(&self, number: u32) -> ScheduledGame {
        let index = number.saturating_sub(1);
        let (block, rotation) = (index / self.block_length(), index % self.block_length());
        let opening = match self.openings.len() {
            0 => None,
            count => Some(self.openings[block as usize % count].clone()),
        };
        ScheduledGame {
            attempt: 1,
            void_at: None,
            number,
            block: block + 1,
            id: format!("{}-{}-{number:05}", plain_name(self.game), self.match_id()),
            seed: self.draws.seed.part(&format!("block {}", block + 1)),
            seats: (0..self.bots).map(|seat| (seat + rotation as usize) % self.bots).collect(),
            opening,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeSet, HashSet};

    fn schedule(bots: usize, games: u32) -> Schedule {
        let draws = Draws::numbered(7, "dice");
        Schedule { game: "dice", draws, bots, games, fixed_seats: false, openings: Vec::new() }
    }

    fn games(schedule: &Schedule) -> Vec<ScheduledGame> {
        (1..=schedule.games).map(|number| schedule.game(number)).collect()
    }

    #[test]
    fn in_a_block_every_bot_has_every_seat_once_from_the_same_start() {
        for bots in [1, 2, 3, 6] {
            let games = games(&schedule(bots, 4 * bots as u32));
            let mut seeds = HashSet::new();
            for (block, games) in games.chunks(bots).enumerate() {
                assert!(games.iter().all(|game| game.block as usize == block + 1));
                assert!(games.iter().all(|game| game.seed == games[0].seed));
                seeds.insert(games[0].seed);
                for seat in 0..bots {
                    let holders: BTreeSet<_> = games.iter().map(|game| game.seats[seat]).collect();
                    assert_eq!(holders, (0..bots).collect(), "seat {seat} of {bots}");
                }
            }
            assert_eq!(seeds.len(), 4, "every block has a seed of its own");
        }
    }

    #[test]
    fn the_first_game_has_the_bots_as_they_were_given() {
        assert_eq!(schedule(3, 1).game(1).seats, [0, 1, 2]);
    }

    #[test]
    fn fixed_seats_stay_and_every_game_has_its_own_start() {
        let schedule = Schedule { fixed_seats: true, ..schedule(2, 20) };
        let games = games(&schedule);
        assert!(games.iter().all(|game| game.seats == [0, 1]));
        assert_eq!(games.iter().map(|game| game.seed).collect::<HashSet<_>>().len(), 20);
    }

    #[test]
    fn a_game_depends_on_its_number_and_the_draws_alone() {
        assert_eq!(schedule(2, 10).game(7), schedule(2, 500).game(7));
        let other = Schedule { draws: Draws::numbered(8, "dice"), ..schedule(2, 10) };
        assert_ne!(schedule(2, 10).game(7).seed, other.game(7).seed);
        let secret = |byte| Schedule { draws: Draws::secret([byte; 32], 1), ..schedule(2, 10) };
        assert_ne!(secret(1).game(7).seed, secret(2).game(7).seed);
    }

    #[test]
    fn an_id_depends_on_the_tag_and_the_number_alone() {
        let of = |draws| Schedule { draws, ..schedule(2, 10) }.game(7).id;
        let numbered = |number| of(Draws::numbered(number, "dice"));
        assert_eq!(numbered(7), numbered(8));
        assert_ne!(schedule(2, 10).game(7).id, schedule(2, 10).game(8).id);
        let secret = |secret, tag| of(Draws::secret([secret; 32], tag));
        assert_eq!(secret(1, 0x68c4_7802_0000_0000), "dice-68c47802-00007");
        assert_eq!(secret(1, 5 << 40), secret(2, 5 << 40));
        assert_ne!(secret(1, 5 << 40), secret(1, 6 << 40));
    }

    #[test]
    fn games_of_a_block_or_an_opening_have_the_same_start() {
        let drawn: Vec<u64> = games(&schedule(2, 6)).iter().map(ScheduledGame::start).collect();
        assert_eq!(drawn[0], drawn[1]);
        assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), 3);
        // A given opening recurs in later blocks.
        let given = Schedule { openings: vec!["a".into(), "b".into()], ..schedule(2, 8) };
        let given: Vec<u64> = games(&given).iter().map(ScheduledGame::start).collect();
        assert_eq!(given[..4], given[4..]);
        assert_eq!(given.iter().collect::<BTreeSet<_>>().len(), 2);
    }

    #[test]
    fn given_openings_are_taken_in_turn_by_the_blocks() {
        let schedule = Schedule { openings: vec!["a".into(), "b".into()], ..schedule(2, 7) };
        let openings: Vec<_> =
            games(&schedule).into_iter().filter_map(|game| game.opening).collect();
        assert_eq!(openings, ["a", "a", "b", "b", "a", "a", "b"]);
    }
}
