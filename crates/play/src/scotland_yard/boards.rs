//! The board as text: the cells of a grid, or sketches of the London board around pawns; and where Mr. X
//! can be.

use super::ScotlandYardFace;
use super::sketch::{Scene, sketch};
use crate::terminal::{Ink, Tone};
use botyard_engine::scotland_yard::{Action, Detective, Station, StationSet, View};
use std::fmt::Write;

/// The most candidates shown on one line.
const LISTED_IN_A_LINE: usize = 20;
/// The widest grid that fits a terminal.
const WIDEST_DRAWN: u16 = 38;
/// The height of a sketch on request.
const MAP_LINES: usize = 18;

impl ScotlandYardFace {
    /// Returns the person's pawn that a position shows in the middle: one that may move, and at the
    /// end of the game Mr. X.
    pub(super) fn centre(view: &View, legal: &[Action]) -> Option<Station> {
        match legal.first() {
            Some(&action) => Self::from(view, action),
            None => view.mr_x.station,
        }
    }

    /// Sketches the surroundings of a station of the London board.
    pub(super) fn surroundings(
        &self,
        view: &View,
        centre: Station,
        candidates: Option<&StationSet>,
        height: usize,
        ink: Ink,
    ) -> String {
        let mut pawns = Vec::new();
        for (detective, seen) in Detective::all(view.detectives.len()).zip(&view.detectives) {
            let mark = char::from(b'0' + detective.number());
            pawns.extend(seen.station.map(|station| (station, mark, Tone::Cyan)));
        }
        pawns.extend(view.mr_x.station.map(|station| (station, 'X', Tone::Red)));
        let board = self.game.board();
        sketch(&Scene { board, centre, pawns: &pawns, candidates, height }, ink)
    }

    /// Returns the sketches for the command `map`: around the pawn or the station that it names, or
    /// around each pawn that may move. `None`: it is not this command, or the board is a grid.
    pub(super) fn maps(
        &self,
        line: &str,
        view: &View,
        legal: &[Action],
        ink: Ink,
    ) -> Option<String> {
        let rest = line.strip_prefix("map")?;
        if self.grid().is_some() || !(rest.is_empty() || rest.starts_with(' ')) {
            return None;
        }
        let mut centres: Vec<Station> = Vec::new();
        let word = rest.trim();
        if word.is_empty() {
            for &action in legal {
                centres.extend(Self::from(view, action).filter(|from| !centres.contains(from)));
            }
        } else {
            let number = word.parse::<u16>().ok();
            let detective = || {
                let index = usize::from(number?).checked_sub(1)?;
                view.detectives.get(index)?.station
            };
            let station =
                || number.and_then(Station::new).filter(|&station| self.game.board().has(station));
            match detective().or_else(station) {
                Some(centre) => centres.push(centre),
                None => {
                    return Some(format!(
                        "  expected the number of a detective or a station, got {word:?}\n"
                    ));
                }
            }
        }
        let candidates = self.game.candidates_in(view);
        let candidates = Some(candidates.set());
        let maps = centres
            .into_iter()
            .map(|centre| self.surroundings(view, centre, candidates, MAP_LINES, ink));
        Some(maps.collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn candidates(&self, view: &View) -> String {
        let candidates = self.game.candidates_in(view);
        let listed: Vec<String> =
            candidates.set().iter().map(|station| station.to_string()).collect();
        match &listed[..] {
            [single] => format!("  the detectives know: Mr. X is at {single}\n"),
            listed => {
                let mut text =
                    format!("  by the log, Mr. X can be at {} stations:\n", listed.len());
                for line in listed.chunks(LISTED_IN_A_LINE) {
                    let _ = writeln!(text, "    {}", line.join(" "));
                }
                text
            }
        }
    }

    /// Draws the cells row by row: X if Mr. X is visible, the detectives' numbers, dots for
    /// candidates if requested, and the cells that pawns left.
    pub(super) fn drawing(
        &self,
        view: &View,
        candidates: Option<&StationSet>,
        left: &[Station],
        ink: Ink,
    ) -> String {
        let Some(grid) = self.grid().filter(|grid| grid.width() <= WIDEST_DRAWN) else {
            return String::new();
        };
        let pawns = view.pawns();
        let mut text = String::new();
        for row in 0..grid.height() {
            text.push_str("   ");
            for column in 0..grid.width() {
                let cell = Station::from_index(usize::from(row * grid.width() + column));
                text.push(' ');
                let shown = match pawns.who(cell) {
                    Some(detective) => ink.paint(Tone::Cyan, detective),
                    None if view.mr_x.station == Some(cell) => ink.paint(Tone::Red, 'X'),
                    None if candidates.is_some_and(|set| set.contains(cell)) => {
                        ink.paint(Tone::Yellow, '.')
                    }
                    None if left.contains(&cell) => ink.paint(Tone::Yellow, '+'),
                    None => ink.paint(Tone::Dim, '-'),
                };
                text.push_str(&shown);
            }
            text.push('\n');
        }
        if !left.is_empty() {
            text.push_str("  + where a pawn was before its last move\n");
        }
        text
    }
}
