//! The face of Scotland Yard: tickets and station numbers on the London board, w/a/s/d on a grid.
//! Everything is drawn from the seat's view. The engine computes where Mr. X can be from its public
//! part.

mod sketch;
mod step;

use crate::face::{Chosen, Face, GameFace, Happened, Question};
use crate::terminal::{Ink, Tone};
use botyard_engine::scotland_yard::{
    Action, Detective, Grid, LimitUnit, MrXView, ScotlandYard, Shape, Station, StationSet, Ticket,
    Tickets, View,
};
use botyard_engine::{Game, Seat, Stream};
use botyard_protocol::Start;
use botyard_runner::words::wrapped;
use serde::Deserialize;
use serde_json::Value;
use sketch::{Scene, sketch};
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use step::{Wish, double, first_and_rest};

/// The most candidates shown on one line.
const LISTED_IN_A_LINE: usize = 20;
/// The widest grid that fits a terminal.
const WIDEST_DRAWN: u16 = 38;
/// The height of the sketch that is part of a position, so that both fit 24 lines.
const SKETCH_LINES: usize = 11;
/// The height of a sketch on request.
const MAP_LINES: usize = 18;

/// The face of Scotland Yard.
pub struct ScotlandYardFace {
    game: ScotlandYard,
}

impl GameFace for ScotlandYardFace {
    type Game = ScotlandYard;

    fn new(start: &Start) -> Option<ScotlandYardFace> {
        let rules = serde_json::from_value(start.rules.clone()).ok()?;
        Some(ScotlandYardFace { game: ScotlandYard::new(rules).ok()? })
    }
}

/// The last move of a pawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LastMove {
    /// The station that it left, if that is known from its moves.
    from: Option<Station>,
    /// The ticket, as the person's seats observed it.
    ticket: String,
}

impl LastMove {
    /// Returns the last move of each pawn: `None` is Mr. X.
    fn of_all(past: &[Happened]) -> BTreeMap<Option<u8>, LastMove> {
        let mut last = BTreeMap::new();
        let mut stations: BTreeMap<Option<u8>, Station> = BTreeMap::new();
        for event in past {
            let Happened::Moved { told, .. } = event else { continue };
            let (pawn, to) = match Action::deserialize(told).map(parts) {
                Ok((detective, _, to, _)) => (detective.map(Detective::number), Some(to)),
                Err(_) => (None, None),
            };
            let ticket = told["ticket"].as_str().unwrap_or_default().to_string();
            let from = match to {
                Some(to) => stations.insert(pawn, to),
                None => {
                    stations.remove(&pawn);
                    None
                }
            };
            last.insert(pawn, LastMove { from, ticket });
        }
        last
    }
}

impl fmt::Display for LastMove {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from {
            Some(from) => write!(formatter, ", by {} from {from}", self.ticket),
            None => write!(formatter, ", by {}", self.ticket),
        }
    }
}

impl ScotlandYardFace {
    /// Returns the person's pawn that a position shows in the middle: one that may move, and at the
    /// end of the game Mr. X.
    fn centre(view: &View, legal: &[Action]) -> Option<Station> {
        match legal.first() {
            Some(&action) => Self::from(view, action),
            None => view.mr_x.station,
        }
    }

    /// Sketches the surroundings of a station of the London board.
    fn surroundings(
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
    fn maps(&self, line: &str, view: &View, legal: &[Action], ink: Ink) -> Option<String> {
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

    fn grid(&self) -> Option<Grid> {
        match self.game.board().shape() {
            Shape::Grid(grid, _) => Some(grid),
            Shape::London => None,
        }
    }

    /// Returns the station that an action starts from.
    fn from(view: &View, action: Action) -> Option<Station> {
        match action {
            Action::MrX { .. } => view.mr_x.station,
            Action::Detective { detective, .. } => view.detectives.get(detective.index())?.station,
        }
    }

    fn fits(&self, wish: &Wish, view: &View, action: Action) -> bool {
        let (detective, ticket, to, double) = parts(action);
        let direction = || {
            let (grid, from) = (self.grid()?, Self::from(view, action)?);
            let (column, row) = grid.column_and_row(from);
            let (to_column, to_row) = grid.column_and_row(to);
            Some((i32::from(to_column) - i32::from(column), i32::from(to_row) - i32::from(row)))
        };
        (wish.detective.is_none() || wish.detective == detective)
            && wish.ticket.is_none_or(|wished| wished == ticket)
            && wish.to.is_none_or(|wished| wished == to)
            && wish.direction.is_none_or(|wished| direction() == Some(wished))
            && wish.double == double
    }

    /// Returns the single legal step that matches a line.
    fn step(
        &self,
        line: &str,
        double: bool,
        view: &View,
        legal: &[Action],
    ) -> Result<Action, String> {
        let wish = Wish::read(line, double, self.game.board())?;
        let fitting: Vec<Action> =
            legal.iter().copied().filter(|&action| self.fits(&wish, view, action)).collect();
        match fitting[..] {
            [single] => Ok(single),
            [] if wish.double && !legal.iter().any(|&action| parts(action).3) => {
                Err("a double move is not possible now".into())
            }
            [] => Err(format!("{line:?} is not possible")),
            _ => {
                let written: Vec<String> = fitting.iter().map(|&action| written(action)).collect();
                Err(format!("{line:?} may be {}; say which", written.join(" or ")))
            }
        }
    }

    /// Checks that the second half of a double move is possible after the first. Mr. X's view is
    /// complete, so a state can be made from it.
    fn check_second(&self, view: &View, first: Action, rest: &str) -> Result<(), String> {
        let seat = Seat::new(0);
        let mut stream = Stream::new(0, "play");
        let Ok(mut state) = self.game.determinize(view, seat, stream.rng()) else { return Ok(()) };
        self.game.apply(&mut state, first);
        let mut legal = Vec::new();
        self.game.actions(&state, &mut legal);
        let view = self.game.view(&state, seat);
        self.step(rest, false, &view, &legal).map(|_| ()).map_err(|error| {
            format!(
                "after {}: {error}; possible steps:\n{}",
                written(first),
                self.list(&view, &legal)
            )
        })
    }

    /// Lists the legal steps by pawn and ticket.
    fn list(&self, view: &View, legal: &[Action]) -> String {
        let mut by_pawn: BTreeMap<Option<u8>, BTreeMap<Ticket, Vec<u16>>> = BTreeMap::new();
        let mut doubles = false;
        for &action in legal {
            let (detective, ticket, to, double) = parts(action);
            doubles |= double;
            if !double {
                let by_ticket = by_pawn.entry(detective.map(Detective::number)).or_default();
                by_ticket.entry(ticket).or_default().push(to.number());
            }
        }
        let mut text = String::new();
        for (detective, by_ticket) in &by_pawn {
            let (name, from) = match detective.and_then(Detective::new) {
                None => ("you".to_string(), view.mr_x.station),
                Some(detective) => (
                    format!("detective {detective}"),
                    view.detectives.get(detective.index()).and_then(|seen| seen.station),
                ),
            };
            let at = from.map_or(String::new(), |from| format!(" at {from}"));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {name}{at}:");
            for (ticket, stations) in by_ticket {
                let steps: Vec<String> =
                    stations.iter().map(|&to| self.step_in_words(from, to)).collect();
                let _ = writeln!(text, "    {:11}  {}", ticket.name(), steps.join("  "));
            }
        }
        if doubles {
            text.push_str("  or a double move: 2x before the first step\n");
        }
        text
    }

    /// Returns a step as it is typed in few keys: `2 t 45`, `2w`.
    fn written_shortly(&self, view: &View, action: Action) -> String {
        let (detective, ticket, to, double) = parts(action);
        let first = if double { "2x ".to_string() } else { String::new() };
        let number = detective.map_or(String::new(), |detective| detective.to_string());
        match self.keys(Self::from(view, action), to) {
            Some(keys) => format!("{first}{number}{keys}"),
            None => {
                let space = if number.is_empty() { "" } else { " " };
                let key = match ticket {
                    Ticket::Taxi => 't',
                    Ticket::Bus => 'b',
                    Ticket::Underground => 'u',
                    Ticket::Black => 'x',
                };
                format!("{first}{number}{space}{key} {to}")
            }
        }
    }

    /// Returns the keys for a step on a grid.
    fn keys(&self, from: Option<Station>, to: Station) -> Option<String> {
        let (grid, from) = (self.grid()?, from?);
        let ((column, row), (to_column, to_row)) =
            (grid.column_and_row(from), grid.column_and_row(to));
        let (right, down) =
            (i32::from(to_column) - i32::from(column), i32::from(to_row) - i32::from(row));
        let vertical = ["w", "", "s"].get(usize::try_from(down + 1).ok()?)?;
        let horizontal = ["a", "", "d"].get(usize::try_from(right + 1).ok()?)?;
        let keys = format!("{vertical}{horizontal}");
        Some(if keys.is_empty() { "stay".to_string() } else { keys })
    }

    /// Describes a station, with its direction on a grid: `w (12)`.
    fn step_in_words(&self, from: Option<Station>, to: u16) -> String {
        let keys = Station::new(to).and_then(|station| self.keys(from, station));
        keys.map_or(to.to_string(), |keys| format!("{keys} ({to})"))
    }

    fn log(&self, view: &View) -> String {
        let entries = (1..).zip(&view.log).map(|(number, entry)| match entry.station {
            Some(station) if entry.reveal => format!("{number} {} [{station}]", entry.ticket),
            Some(station) => format!("{number} {} ({station})", entry.ticket),
            None => format!("{number} {}", entry.ticket),
        });
        entries.collect::<Vec<_>>().join(", ")
    }

    fn candidates(&self, view: &View) -> String {
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
    fn drawing(
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

    fn mr_x(&self, view: &View, last: Option<&LastMove>, ink: Ink) -> String {
        let MrXView { station, tickets, black, double } = &view.mr_x;
        let last_reveal = view.log.iter().enumerate().rev().find(|(_, entry)| entry.reveal);
        let place = match (station, last_reveal) {
            (Some(station), _) => format!("at {station:>3}"),
            (None, Some((index, entry))) => match entry.station {
                Some(station) => format!("revealed at {station} after his step {}", index + 1),
                None => format!("revealed after his step {}", index + 1),
            },
            (None, None) => "not revealed yet".to_string(),
        };
        format!(
            "  {}        {place}  tickets {}, black {black}, double {double}{}\n",
            ink.paint(Tone::Red, "Mr. X"),
            in_words(*tickets),
            last.map_or(String::new(), LastMove::to_string),
        )
    }
}

/// Returns the detective, the ticket, the station, and whether it is the first half of a double
/// move.
fn parts(action: Action) -> (Option<Detective>, Ticket, Station, bool) {
    match action {
        Action::MrX { ticket, to, double } => (None, ticket, to, double),
        Action::Detective { detective, ticket, to } => (Some(detective), ticket, to, false),
    }
}

/// Returns a step as it is typed.
fn written(action: Action) -> String {
    match parts(action) {
        (Some(detective), ticket, to, _) => format!("{detective} {} {to}", ticket.name()),
        (None, ticket, to, true) => format!("2x {} {to}", ticket.name()),
        (None, ticket, to, false) => format!("{} {to}", ticket.name()),
    }
}

fn in_words(tickets: Option<Tickets>) -> String {
    tickets.map_or("unlimited".to_string(), |tickets| tickets.to_string())
}

fn view_and_legal(question: &Question) -> Option<(View, Vec<Action>)> {
    let view = serde_json::from_value(question.view.clone()).ok()?;
    let legal =
        question.legal.iter().cloned().map(serde_json::from_value).collect::<Result<_, _>>();
    Some((view, legal.ok()?))
}

impl Face for ScotlandYardFace {
    fn position(&self, question: &Question, ink: Ink) -> String {
        let Some((view, legal)) = view_and_legal(question) else { return String::new() };
        let last = LastMove::of_all(&question.past);
        let left: Vec<Station> = last.values().filter_map(|last| last.from).collect();
        let rules = self.game.rules();
        let limit = match rules.limit_unit {
            LimitUnit::Rounds => format!("round {} of {}", view.round, rules.limit),
            LimitUnit::XMoves => format!(
                "round {}, {} of Mr. X's {} steps made",
                view.round,
                view.log.len(),
                rules.limit
            ),
        };
        // Writing to a string cannot fail.
        let mut text = format!("  {limit}\n{}", self.mr_x(&view, last.get(&None), ink));
        for (detective, seen) in Detective::all(view.detectives.len()).zip(&view.detectives) {
            let place =
                seen.station.map_or("is out ".to_string(), |station| format!("at {station:>3}"));
            let _ = writeln!(
                text,
                "  {}  {place}  tickets {}{}{}",
                ink.paint(Tone::Cyan, format_args!("detective {detective}")),
                in_words(seen.tickets),
                last.get(&Some(detective.number())).map_or(String::new(), LastMove::to_string),
                if seen.moved { ", has moved" } else { "" }
            );
        }
        if !view.log.is_empty() {
            text.push_str(&wrapped("  log: ", &self.log(&view)));
        }
        let candidates = view.candidates.as_ref().map(|stations| {
            let mut set = StationSet::empty(self.game.board().len());
            set.extend(stations.iter().copied());
            set
        });
        if candidates.is_some() {
            text.push_str(&self.candidates(&view));
        }
        text.push_str(&match (self.grid(), Self::centre(&view, &legal)) {
            (Some(_), _) => self.drawing(&view, candidates.as_ref(), &left, ink),
            (None, Some(centre)) => {
                self.surroundings(&view, centre, candidates.as_ref(), SKETCH_LINES, ink)
            }
            (None, None) => String::new(),
        });
        if view.second_leg {
            text.push_str("  the second step of your double move\n");
        }
        text
    }

    fn final_position(&self, question: &Question, views: &[Value], ink: Ink) -> Option<String> {
        // Mr. X sees everything.
        let question = Question { view: views.first()?.clone(), ..question.clone() };
        Some(self.position(&question, ink)).filter(|drawn| !drawn.is_empty())
    }

    fn words(&self, seat: &str, told: &Value) -> String {
        if let Ok(action) = serde_json::from_value::<Action>(told.clone()) {
            return match parts(action) {
                (Some(detective), ticket, to, _) => {
                    format!("detective {detective}: {ticket} to {to}")
                }
                (None, ticket, to, double) => {
                    let double = if double { ", first step of a double move" } else { "" };
                    format!("Mr. X: {ticket} to {to}{double}")
                }
            };
        }
        let ticket = told["ticket"].as_str().unwrap_or("a ticket");
        let double = if told["double"] == true { ", first step of a double move" } else { "" };
        let who = if seat == "mr-x" { "Mr. X" } else { seat };
        format!("{who}: {ticket}{double}")
    }

    fn choices(&self, question: &Question) -> String {
        match view_and_legal(question) {
            Some((view, legal)) => self.list(&view, &legal),
            None => String::new(),
        }
    }

    fn completions(&self, question: &Question) -> Vec<Vec<String>> {
        let Some((view, legal)) = view_and_legal(question) else { return Vec::new() };
        let long = legal.iter().map(|&action| written(action)).collect();
        let short = legal.iter().map(|&action| self.written_shortly(&view, action)).collect();
        match self.grid() {
            Some(_) => vec![short, long],
            None => vec![long, short],
        }
    }

    fn commands(&self) -> &'static [&'static str] {
        if self.grid().is_some() { &["candidates"] } else { &["candidates", "map"] }
    }

    fn read(&self, line: &str, question: &Question) -> Result<Chosen, String> {
        let (view, legal) = view_and_legal(question).ok_or("the position cannot be read")?;
        let with_choices =
            |error| format!("{error}; possible steps:\n{}", self.list(&view, &legal));
        let doubled = double(line).filter(|_| question.seat == "mr-x");
        let (first, rest) = match doubled {
            Some(steps) => first_and_rest(steps),
            None => line.split_once([',', ';']).unwrap_or((line, "")),
        };
        let rest = rest.trim();
        let action =
            self.step(first.trim(), doubled.is_some(), &view, &legal).map_err(with_choices)?;
        if doubled.is_some() && !rest.is_empty() {
            self.check_second(&view, action, rest)?;
        }
        let action = question
            .legal
            .iter()
            .zip(&legal)
            .find_map(|(json, typed)| (*typed == action).then(|| json.clone()));
        let action = action.ok_or_else(|| with_choices(format!("{line:?} is not possible")))?;
        Ok(Chosen { action, then: (!rest.is_empty()).then(|| rest.to_string()) })
    }

    fn on_request(&self, line: &str, question: &Question, ink: Ink) -> Option<String> {
        let (view, legal) = view_and_legal(question)?;
        if !matches!(line, "candidates" | "c") {
            return self.maps(line, &view, &legal, ink);
        }
        let candidates = self.game.candidates_in(&view);
        Some(self.candidates(&view) + &self.drawing(&view, Some(candidates.set()), &[], ink))
    }

    fn help(&self) -> String {
        let steps = match self.grid() {
            Some(_) => {
                "  w up, a left, s down, d right; two of them for a diagonal, `stay` to stay. If several\n  \
                 detectives may move, put the number first: 2w.\n"
            }
            None => {
                "  A step is a ticket and a station: t 45 (taxi), b 120 (bus), u 67 (underground), x 67 (black\n  \
                 or the ferry); the station alone if only one ticket leads there. If several detectives may\n  \
                 move, put the number first: 2 t 45. Several steps: 1 t 45, 2 b 52\n"
            }
        };
        let double = match self.game.rules().double {
            0 => "",
            _ => "  A double move of Mr. X: 2x t 45 b 58\n",
        };
        let map = match self.grid() {
            Some(_) => "",
            None => {
                "  map          draw the surroundings of your pawns, with the candidates\n  \
                 map 67       the same of a station, or of a detective by its number\n"
            }
        };
        format!("{steps}{double}  candidates   show where Mr. X can be by the log\n{map}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn face(preset: &str) -> ScotlandYardFace {
        let rules = ScotlandYard::preset(preset).unwrap();
        ScotlandYardFace { game: ScotlandYard::new(rules).unwrap() }
    }

    /// Returns the first question to a seat in the game of this seed, after `moves` decisions.
    fn question(face: &ScotlandYardFace, seed: u64, moves: usize) -> Question {
        let game = &face.game;
        let mut stream = Stream::new(seed, "opening");
        let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
        let mut legal = Vec::new();
        for _ in 0..moves {
            game.actions(&state, &mut legal);
            game.apply(&mut state, legal[0]);
        }
        game.actions(&state, &mut legal);
        let botyard_engine::Turn::Seat(seat) = game.turn(&state) else { panic!("over") };
        Question {
            turn: 1 + moves as u32,
            seat: game.seats()[seat.index()].clone(),
            view: json!(game.view(&state, seat)),
            legal: legal.iter().map(|action| json!(action)).collect(),
            past: Vec::new(),
        }
    }

    #[test]
    fn every_legal_step_can_be_written() {
        for preset in ["ravensburger", "grid-5x5-2", "grid-15x15-3-stay"] {
            let face = face(preset);
            for moves in [0, 1, 2] {
                let question = question(&face, 3, moves);
                for json in &question.legal {
                    let action: Action = serde_json::from_value(json.clone()).unwrap();
                    let read = face.read(&written(action), &question).unwrap();
                    assert_eq!(read, Chosen::only(json.clone()), "{preset}: {}", written(action));
                }
                for form in face.completions(&question) {
                    assert_eq!(form.len(), question.legal.len());
                    for (line, json) in form.iter().zip(&question.legal) {
                        let read = face.read(line, &question);
                        assert_eq!(read, Ok(Chosen::only(json.clone())), "{preset}: {line}");
                    }
                }
            }
        }
    }

    #[test]
    fn steps_are_read_as_people_write_them() {
        let face = face("ravensburger");
        let question = question(&face, 3, 0);
        let taxi = question.legal.iter().find(|action| action["ticket"] == "taxi").unwrap();
        let to = taxi["to"].as_u64().unwrap();
        for line in [format!("t {to}"), format!("T{to}"), format!("taxi to {to}")] {
            assert_eq!(face.read(&line, &question), Ok(Chosen::only(taxi.clone())), "{line}");
        }
        let chosen = face.read(&format!("2x t {to} x {}", 999), &question).unwrap_err();
        assert!(chosen.contains("there is no station 999"), "{chosen}");
        let alone = face.read(&format!("2x t{to}"), &question).unwrap();
        assert_eq!((&alone.action["double"], &alone.action["to"]), (&json!(true), &json!(to)));
        // Back to his first station: the second half is checked before the first is played.
        let view: View = serde_json::from_value(question.view.clone()).unwrap();
        let home = view.mr_x.station.unwrap();
        let both = face.read(&format!("2x t {to} t {home}"), &question).unwrap();
        assert_eq!(both, Chosen { then: Some(format!("t {home}")), ..alone });
    }

    #[test]
    fn last_moves_are_shown() {
        let face = face("ravensburger");
        let mut question = question(&face, 3, 0);
        let moved = |seat: &str, told| Happened::Moved { seat: seat.into(), told };
        question.past = vec![
            moved("mr-x", json!({"ticket": "taxi"})),
            moved("detectives", json!({"detective": 2, "ticket": "bus", "to": 52})),
            moved("mr-x", json!({"ticket": "black"})),
            moved("detectives", json!({"detective": 2, "ticket": "taxi", "to": 39})),
            moved("detectives", json!({"detective": 3, "ticket": "underground", "to": 13})),
        ];
        let shown = face.position(&question, Ink::plain());
        let line = |start: &str| {
            let mut lines = shown.lines().filter(|line| line.trim_start().starts_with(start));
            lines.next().unwrap_or_default().to_string()
        };
        assert!(line("Mr. X").ends_with(", by black"), "{shown}");
        assert!(line("detective 2").ends_with(", by taxi from 52"), "{shown}");
        assert!(line("detective 3").ends_with(", by underground"), "{shown}");
        assert!(!line("detective 1").contains(" by "), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    }

    #[test]
    fn a_position_in_london_fits_a_terminal_and_shows_the_surroundings() {
        let face = face("ravensburger");
        for moves in [0, 1, 2] {
            let question = question(&face, 3, moves);
            let shown = face.position(&question, Ink::plain());
            assert!(shown.lines().count() < 24, "{shown}");
            assert!(shown.contains('[') && shown.contains(". taxi"), "{shown}");
            let map = face.on_request("map", &question, Ink::plain()).unwrap();
            assert!(map.contains(". taxi"), "{map}");
            let of_station = face.on_request("map 67", &question, Ink::plain()).unwrap();
            assert!(of_station.contains("[67"), "{of_station}");
            let error = face.on_request("map 200", &question, Ink::plain()).unwrap();
            assert!(error.contains("the number of a detective or a station"), "{error}");
        }
    }

    #[test]
    fn on_a_grid_keys_are_directions() {
        let face = face("grid-5x5-2");
        let grid = face.grid().unwrap();
        let question = question(&face, 3, 1);
        let view: View = serde_json::from_value(question.view.clone()).unwrap();
        for json in &question.legal {
            let action: Action = serde_json::from_value(json.clone()).unwrap();
            let (detective, _, to, _) = parts(action);
            let detective = detective.unwrap();
            let from = view.detectives[detective.index()].station.unwrap();
            let key = match (grid.column_and_row(from), grid.column_and_row(to)) {
                ((a, _), (b, _)) if b < a => "a",
                ((a, _), (b, _)) if b > a => "d",
                ((_, a), (_, b)) if b < a => "w",
                _ => "s",
            };
            let read = face.read(&format!("{detective}{key}"), &question);
            assert_eq!(read, Ok(Chosen::only(json.clone())), "{detective}{key}");
        }
        for line in ["wd", "ww", "q", "up", "stay"] {
            let error = face.read(line, &question).unwrap_err();
            assert!(error.contains("possible steps"), "{line}: {error}");
        }
    }

    #[test]
    fn what_is_no_step_is_answered_by_the_possible_ones() {
        let face = face("ravensburger");
        let question = question(&face, 3, 0);
        for (line, expected) in [
            ("", "expected a station or a direction"),
            ("taxi", "expected a station or a direction"),
            ("t 200", "there is no station 200"),
            ("fly 45", "\"fly\" is neither a ticket nor a station"),
            ("1 2 3", "too many numbers"),
            ("t 99999999", "neither a ticket"),
            ("9 t 45", "there is no detective 9"),
        ] {
            let error = face.read(line, &question).unwrap_err();
            assert!(
                error.contains(expected) && error.contains("possible steps"),
                "{line}: {error}"
            );
        }
    }

    #[test]
    fn what_the_seat_may_not_know_is_not_shown() {
        // The screen depends on the view only, and the view does not contain Mr. X's station.
        let face = face("ravensburger");
        let game = &face.game;
        for seed in 0..20 {
            let mut stream = Stream::new(seed, "opening");
            let opening = game.draw_opening(stream.rng());
            let state = game.start(&opening).unwrap();
            let detectives = Seat::new(1);
            let view = game.view(&state, detectives);
            let mut others = Vec::new();
            for _ in 0..20 {
                others.push(game.determinize(&view, detectives, stream.rng()).unwrap());
            }
            let screen = |state| {
                let question = Question {
                    turn: 1,
                    seat: "detectives".into(),
                    view: json!(game.view(state, detectives)),
                    legal: Vec::new(),
                    past: Vec::new(),
                };
                let shown = face.position(&question, Ink::plain());
                shown + &face.on_request("candidates", &question, Ink::plain()).unwrap()
            };
            let places: std::collections::BTreeSet<_> =
                others.iter().map(|state| state.position().mr_x().number()).collect();
            assert!(places.len() > 1, "Mr. X is at different places in these states");
            for other in &others {
                assert_eq!(screen(other), screen(&state));
            }
        }
        let secret = face.words("mr-x", &json!({"ticket": "taxi"}));
        assert_eq!(secret, "Mr. X: taxi");
    }
}
