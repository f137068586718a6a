//! The remaining games of a row, and the results of all games, each of which is stored in the
//! results file as soon as it ends.

use super::asked_again::AskedAgain;
use super::definition::Row;
use super::figures::RowFigures;
use super::game_result::GameResult;
use super::results_file::ResultsFile;
use super::row_plan::RowMatch;
use botyard_league::schedule::ScheduledGame;
use botyard_protocol::OutcomeKind;
use botyard_runner::{Error, GameSource, NumberedGames, PlayedGame};
use std::collections::BTreeSet;

/// The results of all games of an experiment, in any row, from earlier runs and this one.
pub struct Results {
    games: Vec<GameResult>,
    file: Option<ResultsFile>,
}

impl Results {
    /// Starts with the games of a file, to which new games are added. `None`: nothing is stored.
    pub fn new(file: Option<ResultsFile>) -> Results {
        Results { games: file.as_ref().map_or_else(Vec::new, |file| file.games.clone()), file }
    }

    /// Returns the results.
    pub fn games(&self) -> &[GameResult] {
        &self.games
    }

    /// Returns the numbers of the played games of a row.
    pub(crate) fn numbers_of(&self, row: &Row) -> BTreeSet<u32> {
        let of_row = self.games.iter().filter(|game| game.row == row.label);
        of_row.map(|game| game.number).collect()
    }

    /// Returns the figures of a row so far: of its first `wanted` games.
    pub fn figures(&self, row: &Row, wanted: u32) -> RowFigures {
        RowFigures::new(row, wanted, &self.games)
    }

    /// Stores a result, unless there is one of this game. A void game is not stored in the file: the next run plays it
    /// again.
    fn keep(&mut self, game: GameResult) -> Result<(), Error> {
        if self.games.iter().any(|other| other.number == game.number && other.row == game.row) {
            return Ok(());
        }
        if let Some(file) = &mut self.file
            && game.kind != OutcomeKind::Void
        {
            file.add(&game)?;
        }
        self.games.push(game);
        Ok(())
    }
}

/// The remaining games of one match of a row.
pub struct RowGames<'a> {
    results: &'a mut Results,
    row: &'a Row,
    of: RowMatch<'a>,
    games: NumberedGames<'a>,
    again: &'a AskedAgain<'a>,
}

impl<'a> RowGames<'a> {
    /// Makes the source of the games with these numbers in the match.
    pub(crate) fn new(
        results: &'a mut Results,
        row: &'a Row,
        of: RowMatch<'a>,
        numbers: Vec<u32>,
        again: &'a AskedAgain<'a>,
    ) -> RowGames<'a> {
        let games = NumberedGames::new(of.plan(), numbers.into_iter());
        RowGames { results, row, of, games, again }
    }

    /// Returns all results so far.
    pub fn results(&self) -> &Results {
        self.results
    }
}

impl GameSource for RowGames<'_> {
    /// The result. `None`: the game is repeated.
    type Record = Option<GameResult>;

    fn next_game(&mut self) -> Option<ScheduledGame> {
        self.games.next_game()
    }

    /// While the decisions of a game are searched again, no other game is played: times may be measured.
    fn is_asked_ahead(&self) -> bool {
        self.again.of(self.row).is_empty()
    }

    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<Option<GameResult>, Error> {
        if again {
            return Ok(None);
        }
        let game = GameResult::new(&self.row.label, self.of, &played);
        for result in self.again.ask(self.row, &game, &played)? {
            self.results.keep(result)?;
        }
        self.results.keep(game.clone())?;
        Ok(Some(game))
    }
}
