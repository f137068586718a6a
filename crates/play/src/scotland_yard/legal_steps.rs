//! The legal steps: the one that a typed line means, a list of all, and each as it is typed.

use super::ScotlandYardFace;
use super::step::Wish;
use botyard_engine::scotland_yard::{Action, Detective, Station, Ticket, View};
use botyard_engine::{Game, Seat, Stream};
use std::collections::BTreeMap;
use std::fmt::Write;

impl ScotlandYardFace {
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
    pub(super) fn step(
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
    pub(super) fn check_second(
        &self,
        view: &View,
        first: Action,
        rest: &str,
    ) -> Result<(), String> {
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
    pub(super) fn list(&self, view: &View, legal: &[Action]) -> String {
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
    pub(super) fn written_shortly(&self, view: &View, action: Action) -> String {
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
}

/// Returns the detective, the ticket, the station, and whether it is the first half of a double
/// move.
pub(super) fn parts(action: Action) -> (Option<Detective>, Ticket, Station, bool) {
    match action {
        Action::MrX { ticket, to, double } => (None, ticket, to, double),
        Action::Detective { detective, ticket, to } => (Some(detective), ticket, to, false),
    }
}

/// Returns a step as it is typed.
pub(super) fn written(action: Action) -> String {
    match parts(action) {
        (Some(detective), ticket, to, _) => format!("{detective} {} {to}", ticket.name()),
        (None, ticket, to, true) => format!("2x {} {to}", ticket.name()),
        (None, ticket, to, false) => format!("{} {to}", ticket.name()),
    }
}
