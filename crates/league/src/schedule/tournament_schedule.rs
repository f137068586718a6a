//! The games of a tournament, block by block. A block is the smallest fair unit: one seed and one
//! opening, played with every rotation of its bots around the seats.

use super::draws::{DrawError, Draws};
use super::format::{Format, FormatError};
use super::knockout::{Knockout, KnockoutTable};
use super::line_ups::{all_line_ups, balanced_tables, combinations, gauntlet, most_line_ups};
use super::match_schedule::ScheduledGame;
use super::stages::{Stage, Stages};
use super::swiss::{Swiss, SwissTable};
use botyard_engine::registry::plain_name;
use botyard_engine::{Seed, Stream};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The results of whole blocks: by block number, the points of its bots in all its games, in the
/// order of the line-up.
pub type BlockPoints = BTreeMap<u32, Vec<f64>>;

/// The key of a game in a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GameKey {
    /// The generation: 0 as first scheduled, one more for each rejudge.
    pub generation: u32,
    /// Its block, from 1. Block numbers of a knockout have gaps.
    pub block: u32,
    /// The rotation of the line-up, from 0.
    pub rotation: u32,
}

/// A block: the bots that meet, with each rotation of the seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its number, from 1.
    pub number: u32,
    /// Its bots, in the order of the seats of its first game.
    pub line_up: Vec<usize>,
    /// The number of earlier blocks of this line-up: it uses given openings in turn, so that all
    /// line-ups play the same ones.
    pub repeat: u32,
}

/// All games of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentSchedule {
    game: String,
    draws: Draws,
    seats: usize,
    openings: Vec<String>,
    pairings: Pairings,
}

#[derive(Clone, Debug)]
enum Pairings {
    Fixed {
        line_ups: Vec<Vec<usize>>,
        rounds: u32,
    },
    /// The drawn tables of all rounds.
    Drawn(Vec<Vec<usize>>),
    Swiss(Swiss),
    Knockout(Knockout),
    /// The stages of an extended tournament.
    Staged(Stages),
}

impl TournamentSchedule {
    /// Returns the schedule of a tournament of `bots` bots in a game of `seats` seats. `blocks` is
    /// the number of blocks per line-up, 1 or more; with drawn tables it is the number of rounds.
    ///
    /// # Errors
    ///
    /// A format that this number of bots cannot play.
    pub fn new(
        game: &str,
        draws: Draws,
        (bots, seats): (usize, usize),
        format: &Format,
        blocks: u32,
    ) -> Result<TournamentSchedule, FormatError> {
        format.check(bots, seats)?;
        let pairings = match format {
            Format::RoundRobin { tables } => {
                let all = combinations(bots, seats);
                match tables.map(|tables| tables as usize) {
                    Some(tables) if all.is_none_or(|all| all > tables) => {
                        // All rounds are drawn at once: later ones balance earlier ones.
                        let drawn = tables.saturating_mul(blocks as usize);
                        if drawn > most_line_ups() {
                            return Err(FormatError::Tables { tables, blocks });
                        }
                        let mut stream = draws.seed.stream("tables");
                        Pairings::Drawn(balanced_tables(bots, seats, drawn, &mut stream))
                    }
                    _ => Pairings::Fixed { line_ups: all_line_ups(bots, seats), rounds: blocks },
                }
            }
            Format::Gauntlet { challengers } => {
                Pairings::Fixed { line_ups: gauntlet(bots, seats, challengers), rounds: blocks }
            }
            Format::Swiss { rounds } => {
                Pairings::Swiss(Swiss::new(bots, *rounds, blocks, draws.seed))
            }
            Format::Knockout => Pairings::Knockout(Knockout::new(bots, blocks)),
        };
        Ok(TournamentSchedule {
            game: game.to_string(),
            draws,
            seats,
            openings: Vec::new(),
            pairings,
        })
    }

    /// Returns the schedule of an extended tournament in a game of this number of `seats`: with
    /// more blocks or rounds, late bots, or versions that replaced others.
    ///
    /// # Errors
    ///
    /// A format that the bots of a stage cannot play, or that does not allow late bots.
    pub fn staged(
        game: &str,
        draws: Draws,
        seats: usize,
        format: &Format,
        stages: &[Stage],
    ) -> Result<TournamentSchedule, FormatError> {
        let (Some(first), Some(last)) = (stages.first(), stages.last()) else {
            return Err(FormatError::FewBots { bots: 0, seats });
        };
        let format = match format {
            Format::Gauntlet { .. } => Format::Gauntlet { challengers: last.challengers.clone() },
            Format::Swiss { rounds } => Format::Swiss { rounds: last.rounds.unwrap_or(*rounds) },
            format => format.clone(),
        };
        let is_first =
            |stage: &Stage| stage.bots == first.bots && stage.challengers == first.challengers;
        if stages.iter().all(is_first) {
            let size = (last.bots.len(), seats);
            return TournamentSchedule::new(game, draws, size, &format, last.blocks);
        }
        let pairings = Pairings::Staged(Stages::new(&format, seats, stages)?);
        Ok(TournamentSchedule {
            game: game.to_string(),
            draws,
            seats,
            openings: Vec::new(),
            pairings,
        })
    }

    /// Returns whether later pairings depend on the results of earlier blocks.
    pub fn depends_on_results(&self) -> bool {
        matches!(self.pairings, Pairings::Swiss(_) | Pairings::Knockout(_))
    }

    /// Returns whether all of these bots still play: no new version has replaced one of them.
    pub fn plays(&self, bots: &[usize]) -> bool {
        match &self.pairings {
            Pairings::Staged(stages) => stages.plays(bots),
            _ => true,
        }
    }

    /// Sets the openings, as JSON: the blocks of each line-up use them in turn.
    #[must_use]
    pub fn with_openings(self, openings: Vec<String>) -> TournamentSchedule {
        TournamentSchedule { openings, ..self }
    }

    /// Returns the number of games in a block: one for each rotation of the seats.
    pub fn block_length(&self) -> u32 {
        self.seats as u32
    }

    /// Returns the number of games in all; for a knockout, the minimum.
    pub fn games(&self) -> u64 {
        let blocks = match &self.pairings {
            Pairings::Fixed { line_ups, rounds } => line_ups.len() as u64 * u64::from(*rounds),
            Pairings::Drawn(tables) => tables.len() as u64,
            Pairings::Swiss(swiss) => swiss.blocks(),
            Pairings::Knockout(knockout) => knockout.least_blocks(),
            Pairings::Staged(stages) => stages.count(),
        };
        blocks * self.seats as u64
    }

    /// Returns the blocks known after these results, including those already played. Once all of
    /// them are complete and no new one is added, the tournament is over.
    pub fn known_blocks(
        &self,
        points: &BlockPoints,
    ) -> Box<dyn Iterator<Item = Block> + Send + '_> {
        match &self.pairings {
            Pairings::Fixed { line_ups, rounds } => {
                let all = (0..*rounds).flat_map(move |round| {
                    let first = round * line_ups.len() as u32 + 1;
                    (first..).zip(line_ups).map(move |(number, line_up)| Block {
                        number,
                        line_up: line_up.clone(),
                        repeat: round,
                    })
                });
                Box::new(all)
            }
            // Every one of them starts differently.
            Pairings::Drawn(tables) => Box::new((1..).zip(tables).map(|(number, line_up)| Block {
                number,
                line_up: line_up.clone(),
                repeat: number - 1,
            })),
            Pairings::Swiss(swiss) => Box::new(swiss.known_blocks(points).into_iter()),
            Pairings::Knockout(knockout) => Box::new(knockout.known_blocks(points).into_iter()),
            Pairings::Staged(stages) => Box::new(stages.blocks()),
        }
    }

    /// Returns the games of a block, in a generation.
    pub fn games_of(&self, block: &Block, generation: u32) -> Vec<ScheduledGame> {
        (0..self.block_length()).map(|rotation| self.game(block, rotation, generation)).collect()
    }

    /// Returns one game of a block.
    pub fn game(&self, block: &Block, rotation: u32, generation: u32) -> ScheduledGame {
        let seats = block.line_up.len();
        let opening = match self.openings.len() {
            0 => None,
            count => Some(self.openings[block.repeat as usize % count].clone()),
        };
        let key = GameKey { generation, block: block.number, rotation };
        ScheduledGame {
            attempt: 1,
            void_at: None,
            number: self.number(key),
            block: block.number,
            id: self.id(key),
            seed: self.seed(block.number),
            seats: (0..seats)
                .map(|seat| block.line_up[(seat + rotation as usize) % seats])
                .collect(),
            opening,
        }
    }

    /// Returns the draws of the block with this number.
    pub fn seed(&self, block: u32) -> Seed {
        self.draws.seed.part(&format!("block {block}"))
    }

    /// Checks the seed of a game, as recorded in its replay, against these draws.
    ///
    /// # Errors
    ///
    /// A game with another seed.
    pub fn check_seed(&self, key: GameKey, recorded: Option<Seed>) -> Result<(), DrawError> {
        match recorded == Some(self.seed(key.block)) {
            true => Ok(()),
            false => Err(DrawError::Seed { block: key.block, rotation: key.rotation + 1 }),
        }
    }

    /// Returns the id of a game, also the name of its replay: see [`game_id`].
    pub fn id(&self, key: GameKey) -> String {
        game_id(&self.game, self.hash(key))
    }

    /// Returns the unique part of a game's id: a hash of the tag, the block, the rotation and the
    /// generation.
    pub fn hash(&self, key: GameKey) -> u64 {
        let purpose = format!("game {} {} {}", key.block, key.rotation, key.generation);
        Stream::new(self.draws.tag, &purpose).next_seed()
    }

    /// Returns the number of a game in its generation, from 1.
    pub fn number(&self, key: GameKey) -> u32 {
        (key.block - 1).saturating_mul(self.block_length()).saturating_add(key.rotation + 1)
    }

    /// Returns the game of a generation that has this number.
    pub fn key(&self, number: u32, generation: u32) -> GameKey {
        let index = number.saturating_sub(1);
        GameKey {
            generation,
            block: index / self.block_length() + 1,
            rotation: index % self.block_length(),
        }
    }

    /// Returns the table of a Swiss tournament after these results; `None` for another format.
    pub fn swiss_table(&self, points: &BlockPoints) -> Option<SwissTable> {
        match &self.pairings {
            Pairings::Swiss(swiss) => Some(swiss.table(points)),
            _ => None,
        }
    }

    /// Returns the bracket of a knockout after these results; `None` for another format.
    pub fn knockout_table(&self, points: &BlockPoints) -> Option<KnockoutTable> {
        match &self.pairings {
            Pairings::Knockout(knockout) => Some(knockout.table(points)),
            _ => None,
        }
    }
}

/// Returns the id of a game: the plain name of the game or tournament, and sixteen hexadecimal digits.
pub fn game_id(game: &str, hash: u64) -> String {
    format!("{}-{hash:016x}", plain_name(game))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeSet, HashSet};

    fn schedule(bots: usize, seats: usize, format: Format, blocks: u32) -> TournamentSchedule {
        let draws = Draws::without_tag(7, "cup");
        TournamentSchedule::new("dice", draws, (bots, seats), &format, blocks).unwrap()
    }

    fn all_games(schedule: &TournamentSchedule) -> Vec<ScheduledGame> {
        let blocks = schedule.known_blocks(&BlockPoints::new());
        blocks.flat_map(|block| schedule.games_of(&block, 0)).collect()
    }

    const ALL: Format = Format::RoundRobin { tables: None };

    #[test]
    fn in_a_block_every_bot_has_every_seat_once_from_the_same_start() {
        for (bots, seats) in [(2, 2), (5, 2), (5, 3), (6, 6)] {
            let schedule = schedule(bots, seats, ALL, 3);
            let games = all_games(&schedule);
            assert_eq!(games.len() as u64, schedule.games());
            assert_eq!(games.len(), 3 * combinations(bots, seats).unwrap() * seats);
            let ids: BTreeSet<_> = games.iter().map(|game| &game.id).collect();
            let seeds: HashSet<_> = games.iter().map(|game| game.seed).collect();
            assert_eq!((ids.len(), seeds.len()), (games.len(), games.len() / seats));
            for block in games.chunks(seats) {
                assert!(block.iter().all(|game| game.seed == block[0].seed));
                for seat in 0..seats {
                    let holders: BTreeSet<_> = block.iter().map(|game| game.seats[seat]).collect();
                    assert_eq!(holders.len(), seats, "{block:?}");
                }
            }
            for (number, game) in (1..).zip(&games) {
                assert_eq!(game.number, number);
                assert_eq!(schedule.id(schedule.key(number, 0)), game.id);
            }
        }
    }

    #[test]
    fn two_bots_play_what_a_match_with_the_same_seed_plays() {
        let of_a_match = super::super::Schedule {
            game: "dice",
            draws: Draws::numbered(7, "dice"),
            bots: 2,
            games: 10,
            fixed_seats: false,
            openings: vec!["a".into(), "b".into()],
        };
        let openings = vec!["a".to_string(), "b".to_string()];
        for game in all_games(&schedule(2, 2, ALL, 5).with_openings(openings)) {
            let same = of_a_match.game(game.number);
            assert_eq!(ScheduledGame { id: same.id.clone(), ..game }, same);
        }
    }

    #[test]
    fn ids_differ_by_generation_and_tournament_and_are_stable() {
        let schedule = schedule(2, 2, ALL, 1);
        let key = GameKey { generation: 0, block: 1, rotation: 0 };
        let draws = Draws::without_tag(7, "league");
        let other = TournamentSchedule::new("dice", draws, (2, 2), &ALL, 1).unwrap();
        assert_ne!(schedule.id(key), other.id(key));
        assert_ne!(schedule.id(key), schedule.id(GameKey { generation: 1, ..key }));
        assert_eq!(schedule.id(key), "dice-0b1bfedc68a954bd");
    }

    #[test]
    fn line_ups_play_the_same_openings_and_drawn_tables_each_another() {
        let openings: Vec<String> = (0..50).map(|number| number.to_string()).collect();
        let games = all_games(&schedule(4, 2, ALL, 3).with_openings(openings.clone()));
        let of = |line_up: [usize; 2]| -> Vec<_> {
            let met = games.iter().filter(|game| game.seats == line_up);
            met.map(|game| game.opening.clone().unwrap()).collect()
        };
        assert_eq!((of([0, 3]), of([1, 2])), (of([0, 1]), of([0, 1])));
        assert_eq!(of([0, 1]), ["0", "1", "2"]);
        let drawn = Format::RoundRobin { tables: Some(5) };
        let games = all_games(&schedule(10, 4, drawn, 3).with_openings(openings));
        assert_eq!(games.len(), 5 * 3 * 4);
        assert_eq!(
            games.iter().filter_map(|game| game.opening.as_ref()).collect::<BTreeSet<_>>().len(),
            15
        );
    }

    #[test]
    fn drawn_tables_of_a_round_start_differently() {
        let openings: Vec<String> = (0..5).map(|number| number.to_string()).collect();
        let drawn = Format::RoundRobin { tables: Some(5) };
        let games = all_games(&schedule(10, 4, drawn, 1).with_openings(openings));
        let of_tables: Vec<_> =
            games.chunks(4).map(|block| block[0].opening.clone().unwrap()).collect();
        assert_eq!(of_tables, ["0", "1", "2", "3", "4"]);
    }

    #[test]
    fn more_tables_than_can_be_listed_are_refused() {
        let drawn = Format::RoundRobin { tables: Some(1_000_000) };
        let new = |blocks| {
            let draws = Draws::numbered(7, "cup");
            TournamentSchedule::new("dice", draws, (60, 8), &drawn, blocks)
        };
        let error = new(1_000_000).unwrap_err().to_string();
        assert!(error.contains("at most 100000 tables"), "{error}");
    }

    #[test]
    fn a_game_with_another_seed_is_reported() {
        let draws = Draws::secret([7; 32], 1);
        let schedule = TournamentSchedule::new("dice", draws, (2, 2), &ALL, 3).unwrap();
        for game in all_games(&schedule) {
            let key = schedule.key(game.number, 0);
            assert_eq!(schedule.check_seed(key, Some(game.seed)), Ok(()));
            let other = schedule.seed(game.block + 1);
            for seed in [Some(other), Some(7.into()), None] {
                let error = schedule.check_seed(key, seed).unwrap_err().to_string();
                assert!(error.contains(&format!("of block {} was not", game.block)), "{error}");
            }
        }
    }

    #[test]
    fn few_selections_are_all_played_without_drawing_tables() {
        let drawn = Format::RoundRobin { tables: Some(50) };
        assert_eq!(schedule(5, 4, drawn, 2).games(), 5 * 2 * 4);
    }
}
