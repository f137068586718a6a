//! The pending games of a schedule: all that have no result yet.

use botyard_league::scale::Scale;
use botyard_league::schedule::{
    Block, BlockPoints, BlockSums, GameKey, ScheduledGame, TournamentSchedule,
};
use botyard_league::{PlayedGame, Verdict};
use std::collections::{HashMap, HashSet, VecDeque};

/// The games of a schedule that have no result yet.
pub struct PendingGames<'a> {
    schedule: &'a TournamentSchedule,
    generation: u32,
    /// Known blocks that were not scheduled yet.
    blocks: Box<dyn Iterator<Item = Block> + Send + 'a>,
    /// The remaining games of the current blocks.
    rest: VecDeque<ScheduledGame>,
    /// The numbers of games that were scheduled or have a result.
    taken: HashSet<u32>,
    /// The numbers of the selected games, if only some are played.
    only: Option<HashSet<u32>>,
    /// The number of attempts at games that were void in earlier runs.
    attempts: HashMap<u32, u32>,
    /// The bot at whose turn each of these games was void last.
    void_at: HashMap<u32, usize>,
    /// How many blocks are played together, rotation by rotation.
    together: usize,
    depends_on_results: bool,
    sums: BlockSums,
}

impl<'a> PendingGames<'a> {
    /// Makes the pending games of a generation: all of them. Tracks results if later pairings depend on
    /// them.
    pub fn new(
        schedule: &'a TournamentSchedule,
        depends_on_results: bool,
        generation: u32,
    ) -> PendingGames<'a> {
        PendingGames {
            blocks: schedule.known_blocks(&BlockPoints::new()),
            schedule,
            generation,
            rest: VecDeque::new(),
            taken: HashSet::new(),
            only: None,
            attempts: HashMap::new(),
            void_at: HashMap::new(),
            together: 1,
            depends_on_results,
            sums: BlockSums::new(Scale::POINT),
        }
    }

    /// Sets the scale of a game's points. Pairings and tables of blocks count shares.
    #[must_use]
    pub fn scaled(self, scale: Scale) -> PendingGames<'a> {
        PendingGames { sums: BlockSums::new(scale), ..self }
    }

    /// Schedules this many blocks at a time, in the order of their rotations.
    #[must_use]
    pub fn together(self, together: usize) -> PendingGames<'a> {
        PendingGames { together, ..self }
    }

    /// Restricts the pending games to these.
    #[must_use]
    pub fn only(self, games: &[(u32, u32)]) -> PendingGames<'a> {
        let generation = self.generation;
        let number = |&(block, rotation): &(u32, u32)| {
            self.schedule.number(GameKey { generation, block, rotation })
        };
        let only = games.iter().map(number).collect();
        PendingGames { only: Some(only), ..self }
    }

    /// Adds a game that was played before this run.
    pub fn was_played(&mut self, key: GameKey, attempts: u32, game: &PlayedGame) {
        let number = self.schedule.number(key);
        if game.verdict == Verdict::Void {
            self.attempts.insert(number, attempts);
            // If the game is void at the same bot's turn, the referee examines whether that bot is
            // to blame.
            let void_at = game.void_at.and_then(|seat| game.seats.get(seat)).copied();
            self.void_at.extend(void_at.map(|bot| (number, bot)));
        } else {
            self.taken.insert(number);
            self.count(key, game);
        }
    }

    /// Returns the next game. `None`: no further game is known before another has ended.
    pub fn next_game(&mut self) -> Option<ScheduledGame> {
        loop {
            if let Some(game) = self.rest.pop_front() {
                let is_wanted = self.only.as_ref().is_none_or(|only| only.contains(&game.number));
                if is_wanted && self.taken.insert(game.number) {
                    let void_at = self.void_at.get(&game.number).copied();
                    let attempt = 1 + self.attempts.get(&game.number).copied().unwrap_or(0);
                    return Some(ScheduledGame { attempt, void_at, ..game });
                }
                continue;
            }
            let block = match self.blocks.next() {
                None if self.depends_on_results => self.newly_known()?,
                block => block?,
            };
            let more = self.blocks.by_ref().take(self.together - 1);
            let blocks: Vec<Block> = std::iter::once(block).chain(more).collect();
            for rotation in 0..self.schedule.block_length() {
                let game = |block| self.schedule.game(block, rotation, self.generation);
                self.rest.extend(blocks.iter().map(game));
            }
        }
    }

    /// Returns a block that follows from results that arrived after the others were listed.
    fn newly_known(&mut self) -> Option<Block> {
        let (schedule, generation) = (self.schedule, self.generation);
        let is_new = |block: &Block| {
            let mut games = (0..schedule.block_length()).map(|rotation| GameKey {
                generation,
                block: block.number,
                rotation,
            });
            games.any(|key| !self.taken.contains(&schedule.number(key)))
        };
        let new: Vec<Block> = schedule.known_blocks(self.sums.points()).filter(is_new).collect();
        self.blocks = Box::new(new.into_iter());
        self.blocks.next()
    }

    /// Records that a scheduled game has ended and is not repeated.
    pub fn ended(&mut self, scheduled: &ScheduledGame, game: &PlayedGame) {
        self.count(self.schedule.key(scheduled.number, self.generation), game);
    }

    /// Adds the points of a game to its block.
    fn count(&mut self, key: GameKey, game: &PlayedGame) {
        let Verdict::Scored { points, .. } = &game.verdict else { return };
        if self.depends_on_results && points.len() == self.schedule.block_length() as usize {
            self.sums.add(key, points);
        }
    }

    /// Returns the results of whole blocks, if pairings depend on them.
    pub fn points(&self) -> &BlockPoints {
        self.sums.points()
    }

    /// Returns the number of known games without a result, whether they were played or not.
    pub fn without_result(&self, scored: u64) -> u64 {
        let known = match (&self.only, self.depends_on_results) {
            (Some(only), _) => only.len() as u64,
            (None, false) => self.schedule.games(),
            (None, true) => {
                let blocks = self.schedule.known_blocks(self.sums.points()).count() as u64;
                blocks * u64::from(self.schedule.block_length())
            }
        };
        known.saturating_sub(scored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_league::schedule::{Draws, Format};

    fn schedule(format: &Format) -> TournamentSchedule {
        let draws = Draws::numbered(1, "cup");
        TournamentSchedule::new("dice", draws, (4, 2), format, 2).unwrap()
    }

    fn played(scheduled: &ScheduledGame, verdict: Verdict) -> PlayedGame {
        PlayedGame {
            void_at: None,
            block: scheduled.block,
            seats: scheduled.seats.clone(),
            verdict,
            turns: 1,
            uses: Vec::new(),
            faults: Vec::new(),
            replay: None,
        }
    }

    fn won_by_lower(scheduled: &ScheduledGame) -> PlayedGame {
        let first = scheduled.seats[0] < scheduled.seats[1];
        let points = if first { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
        played(scheduled, Verdict::Scored { points, places: vec![1, 2] })
    }

    #[test]
    fn every_game_is_given_out_once_however_often_it_is_begun_anew() {
        let all = Format::RoundRobin { tables: None };
        for format in [all, Format::Swiss { rounds: 3 }, Format::Knockout] {
            let schedule = schedule(&format);
            let mut results: Vec<(ScheduledGame, PlayedGame)> = Vec::new();
            // Restarted after every second game, with one more game whose result is lost.
            loop {
                let mut pending = PendingGames::new(&schedule, format.depends_on_results(), 0);
                pending = pending.together(1 + results.len() % 3);
                for (scheduled, game) in &results {
                    pending.was_played(schedule.key(scheduled.number, 0), 1, game);
                }
                let before = results.len();
                for _ in 0..2 {
                    let Some(scheduled) = pending.next_game() else { break };
                    let game = won_by_lower(&scheduled);
                    pending.ended(&scheduled, &game);
                    results.push((scheduled, game));
                }
                let lost = pending.next_game();
                assert_eq!(lost.is_none(), pending.without_result(results.len() as u64) == 0);
                if results.len() == before {
                    break;
                }
            }
            let numbers: HashSet<u32> = results.iter().map(|(game, _)| game.number).collect();
            assert_eq!(numbers.len(), results.len());
            assert_eq!(results.len() as u64, schedule.games(), "{format:?}");
        }
    }

    #[test]
    fn a_void_game_holds_up_what_depends_on_it_and_is_played_by_the_next_run() {
        let format = Format::Knockout;
        let schedule = schedule(&format);
        let mut pending = PendingGames::new(&schedule, true, 0);
        let games: Vec<ScheduledGame> = std::iter::from_fn(|| pending.next_game()).collect();
        assert_eq!(games.len(), 8, "the two pairings of the first round");
        for game in &games[1..] {
            pending.ended(game, &won_by_lower(game));
        }
        pending.ended(&games[0], &played(&games[0], Verdict::Void));
        assert_eq!((pending.next_game(), pending.without_result(7)), (None, 1));

        // The next run repeats it, knows at whose turn it was void, and continues with the final.
        let mut pending = PendingGames::new(&schedule, true, 0);
        let void = PlayedGame { void_at: Some(1), ..played(&games[0], Verdict::Void) };
        pending.was_played(schedule.key(games[0].number, 0), 4, &void);
        for game in &games[1..] {
            pending.was_played(schedule.key(game.number, 0), 1, &won_by_lower(game));
        }
        let void_at = Some(games[0].seats[1]);
        let again = ScheduledGame { attempt: 5, void_at, ..games[0].clone() };
        assert_eq!(pending.next_game(), Some(again));
        pending.ended(&games[0], &won_by_lower(&games[0]));
        assert_eq!(std::iter::from_fn(|| pending.next_game()).count(), 4);
    }
}
