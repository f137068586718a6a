//! The games of a row that are still to be played, and the results of all: each in the file of results as
//! soon as it is over.

use super::definition::Row;
use super::figures::RowFigures;
use super::game_result::GameResult;
use super::results_file::ResultsFile;
use super::row_plan::RowMatch;
use botyard_league::schedule::ScheduledGame;
use botyard_protocol::OutcomeKind;
use botyard_runner::{Error, GameSource, Numbered, PlayedGame};
use std::collections::BTreeSet;

/// Every game of an experiment that was played, of any row, in earlier runs and in this one.
pub struct Results {
    games: Vec<GameResult>,
    file: Option<ResultsFile>,
}

impl Results {
    /// The games of a file, to which all others are added; none and nowhere where there is no file.
    pub fn new(file: Option<ResultsFile>) -> Results {
        Results { games: file.as_ref().map_or_else(Vec::new, |file| file.games.clone()), file }
    }

    /// The games.
    pub fn games(&self) -> &[GameResult] {
        &self.games
    }

    /// The numbers of those of a row.
    pub fn numbers_of(&self, row: &Row) -> BTreeSet<u32> {
        let of_row = self.games.iter().filter(|game| game.row == row.label);
        of_row.map(|game| game.number).collect()
    }

    /// The figures of a row so far: of its first `wanted` games, in order.
    pub fn figures(&self, row: &Row, wanted: u32) -> RowFigures {
        let of_row = |game: &&GameResult| game.row == row.label && game.number <= wanted;
        let mut games: Vec<GameResult> = self.games.iter().filter(of_row).cloned().collect();
        games.sort_by_key(|game| game.number);
        RowFigures::new(row, wanted, &games)
    }

    /// A void game is not kept in the file: the next run plays it again.
    fn keep(&mut self, game: GameResult) -> Result<(), Error> {
        if let Some(file) = &mut self.file
            && game.kind != OutcomeKind::Void
        {
            file.add(&game)?;
        }
        self.games.push(game);
        Ok(())
    }
}

/// The games of one match of a row.
pub struct RowGames<'a> {
    results: &'a mut Results,
    row: &'a Row,
    of: RowMatch<'a>,
    games: Numbered<'a>,
}

impl<'a> RowGames<'a> {
    /// Those that have these numbers in the match.
    pub fn new(
        results: &'a mut Results,
        row: &'a Row,
        of: RowMatch<'a>,
        numbers: Vec<u32>,
    ) -> RowGames<'a> {
        RowGames { results, row, of, games: Numbered::new(of.plan(), numbers.into_iter()) }
    }

    /// All results so far.
    pub fn results(&self) -> &Results {
        self.results
    }
}

impl GameSource for RowGames<'_> {
    /// `None` where it is repeated.
    type Record = Option<GameResult>;

    fn next_game(&mut self) -> Option<ScheduledGame> {
        self.games.next_game()
    }

    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<Option<GameResult>, Error> {
        if again {
            return Ok(None);
        }
        let game = GameResult::new(&self.row.label, self.of, &played);
        self.results.keep(game.clone())?;
        Ok(Some(game))
    }
}
