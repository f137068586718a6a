//! Replays of Dice Wars as NumPy arrays, in the layout of Doležel et al. (2021, 5.1 and 5.2): a row for
//! each state of a game, to train networks with.

use crate::event::Event;
use crate::npy::NpyWriter;
use crate::playback::{Playback, VerifyError, registered_table};
use crate::reader::{ReadError, ReplayReader};
use botyard_engine::dice_wars::{Area, DiceWars, View, board_vector};
use botyard_engine::{Game, Seat, Table, Turn};
use botyard_protocol::EndOutcome;
use std::io::{self, BufRead, Seek, Write};

/// The numbers in a row: the board, and the winner of its game.
const ROW: usize = board_vector::LENGTH + 1;

/// The reason why a replay cannot be added to the arrays.
#[derive(Debug, thiserror::Error)]
pub enum ArrayExportError {
    /// The replay is not sound, or it is a copy for a seat.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// It is of another game.
    #[error("the arrays have boards of Dice Wars, and this is a game of {0}")]
    Game(String),
    /// Its board has another size.
    #[error("{0}")]
    Board(String),
    /// The arrays cannot be written.
    #[error("cannot write the arrays: {0}")]
    Host(#[from] io::Error),
}

/// Writes the arrays of many games: `states`, of 8-bit numbers, has a row of 664 for each state, and
/// `games`, of 32-bit numbers, has the number of its game, from 0.
///
/// The states of a game are those in which a player is to act, and the last one. A row is a
/// [`board_vector`] and the number of the winner, from 1. Games without a winner have no rows.
pub struct BoardArrays<W> {
    states: NpyWriter<W>,
    games: NpyWriter<W>,
    counts: BoardArrayCounts,
    /// The rows of one game; the memory is reused.
    rows: Vec<u8>,
}

/// What was written to the arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardArrayCounts {
    /// The games with a winner.
    pub games: u32,
    /// The games without one, which have no rows.
    pub without_winner: u32,
    /// The rows.
    pub states: u64,
}

impl<W: Write + Seek> BoardArrays<W> {
    /// Begins the two arrays.
    ///
    /// # Errors
    ///
    /// They cannot be written.
    pub fn new(states: W, games: W) -> io::Result<BoardArrays<W>> {
        Ok(BoardArrays {
            states: NpyWriter::new(states, "|u1", Some(ROW))?,
            games: NpyWriter::new(games, "<u4", None)?,
            counts: BoardArrayCounts::default(),
            rows: Vec::new(),
        })
    }

    /// Appends the states of a game.
    ///
    /// # Errors
    ///
    /// The replay is not sound, or of another game or another size of board; or the arrays cannot be
    /// written.
    pub fn add<R: BufRead>(&mut self, reader: ReplayReader<R>) -> Result<(), ArrayExportError> {
        self.rows.clear();
        let Some(winner) = write_boards(reader, &mut self.rows)? else {
            self.counts.without_winner += 1;
            return Ok(());
        };
        let mut states = 0;
        for row in self.rows.chunks_exact_mut(ROW) {
            row[ROW - 1] = winner.index() as u8 + 1;
            states += 1;
        }
        self.states.append(states, &self.rows)?;
        let number = self.counts.games.to_le_bytes();
        for _ in 0..states {
            self.games.append(1, &number)?;
        }
        self.counts.games += 1;
        self.counts.states += states;
        Ok(())
    }

    /// Completes the arrays.
    ///
    /// # Errors
    ///
    /// They cannot be written.
    pub fn finish(self) -> io::Result<BoardArrayCounts> {
        self.states.finish()?;
        self.games.finish()?;
        Ok(self.counts)
    }
}

/// Appends the rows of a game, in which the winner is 0, and returns the winner.
fn write_boards<R: BufRead>(
    reader: ReplayReader<R>,
    rows: &mut Vec<u8>,
) -> Result<Option<Seat>, ArrayExportError> {
    let header = reader.header();
    if header.game != DiceWars::NAME {
        return Err(ArrayExportError::Game(header.game.clone()));
    }
    let mut playback = Playback::new(header, &registered_table)?;
    let (mut winner, mut view) = (None, Vec::new());
    for line in reader {
        let line = match line {
            // The game was interrupted.
            Err(ReadError::Truncated { .. }) => break,
            line => line.map_err(VerifyError::Read)?,
        };
        playback.follow(&line)?;
        match &line.event {
            Event::Chance(_) | Event::Move(..) if playback.table().turn() != Turn::Chance => {
                write_board(playback.table(), &mut view, rows)?;
            }
            Event::End(end, _) => winner = winner_of(&end.outcome),
            _ => {}
        }
    }
    Ok(winner)
}

fn write_board(
    table: &dyn Table,
    json: &mut Vec<u8>,
    rows: &mut Vec<u8>,
) -> Result<(), ArrayExportError> {
    json.clear();
    table.write_view(Seat::new(0), json);
    let view: View = serde_json::from_slice(json).map_err(io::Error::from)?;
    board_vector::check(view.reserves.len(), view.owners.len()).map_err(ArrayExportError::Board)?;
    let begin = rows.len();
    rows.resize(begin + ROW, 0);
    let row = &mut rows[begin..];
    board_vector::for_each_adjacency(view.adjacent.iter().copied(), |place| row[place] = 1);
    for (area, (player, &dice)) in
        Area::all(view.owners.len()).zip(view.owners.iter().zip(&view.dice))
    {
        row[board_vector::owner(area)] = player.number() as u8;
        row[board_vector::dice(area)] = dice;
    }
    Ok(())
}

/// Returns the only winner.
fn winner_of(outcome: &EndOutcome) -> Option<Seat> {
    let place = outcome.scores.iter().position(|&score| score >= 1.0)?;
    Some(Seat::new(place))
}
