//! The face of Scotland Yard: tickets and station numbers on the London board, w/a/s/d on a grid.
//! Everything is drawn from the seat's view. The engine computes where Mr. X can be from its public
//! part.

mod boards;
mod last_move;
mod legal_steps;
mod sketch;
mod step;
#[cfg(test)]
mod tests;

use crate::face::{Chosen, GameFace, Seen, SeenAction, Sight};
use crate::terminal::{Ink, Tone};
use botyard_engine::Game;
use botyard_engine::scotland_yard::{
    Action, Detective, Grid, LimitUnit, MrXView, ScotlandYard, Setup, Shape, Station, StationSet,
    Tickets, View,
};
use botyard_runner::words::wrapped;
use last_move::LastMove;
use legal_steps::{parts, written};
use std::fmt::Write;
use step::{double, first_and_rest};

/// The height of the sketch that is part of a position, so that both fit 24 lines.
const SKETCH_LINES: usize = 11;

/// The face of Scotland Yard.
pub(crate) struct ScotlandYardFace {
    game: ScotlandYard,
}

impl ScotlandYardFace {
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

    fn log(&self, view: &View) -> String {
        let entries = (1..).zip(&view.log).map(|(number, entry)| match entry.station {
            Some(station) if entry.reveal => format!("{number} {} [{station}]", entry.ticket),
            Some(station) => format!("{number} {} ({station})", entry.ticket),
            None => format!("{number} {}", entry.ticket),
        });
        entries.collect::<Vec<_>>().join(", ")
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

fn in_words(tickets: Option<Tickets>) -> String {
    tickets.map_or("unlimited".to_string(), |tickets| tickets.to_string())
}

impl GameFace for ScotlandYardFace {
    type Game = ScotlandYard;

    fn new(game: ScotlandYard, _: Setup) -> ScotlandYardFace {
        ScotlandYardFace { game }
    }

    fn position(&self, sight: &Sight<ScotlandYard>, ink: Ink) -> Option<String> {
        let Sight { view, legal, .. } = sight;
        let last = LastMove::of_all(&sight.past);
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
        let mut text = format!("  {limit}\n{}", self.mr_x(view, last.get(&None), ink));
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
            text.push_str(&wrapped("  log: ", &self.log(view)));
        }
        let candidates = view.candidates.as_ref().map(|stations| {
            let mut set = StationSet::empty(self.game.board().len());
            set.extend(stations.iter().copied());
            set
        });
        if candidates.is_some() {
            text.push_str(&self.candidates(view));
        }
        text.push_str(&match (self.grid(), Self::centre(view, legal)) {
            (Some(_), _) => self.drawing(view, candidates.as_ref(), &left, ink),
            (None, Some(centre)) => {
                self.surroundings(view, centre, candidates.as_ref(), SKETCH_LINES, ink)
            }
            (None, None) => String::new(),
        });
        if view.second_leg {
            text.push_str("  the second step of your double move\n");
        }
        Some(text)
    }

    fn final_position(
        &self,
        sight: &Sight<ScotlandYard>,
        views: &[View],
        ink: Ink,
    ) -> Option<String> {
        // Mr. X sees everything.
        self.position(&Sight { view: views.first()?.clone(), ..sight.clone() }, ink)
    }

    fn words(&self, _: &str, action: &SeenAction<ScotlandYard>) -> String {
        let first_step = |double| if double { ", first step of a double move" } else { "" };
        match action {
            Seen::Whole(action) => match parts(*action) {
                (Some(detective), ticket, to, _) => {
                    format!("detective {detective}: {ticket} to {to}")
                }
                (None, ticket, to, double) => {
                    format!("Mr. X: {ticket} to {to}{}", first_step(double))
                }
            },
            // Only his steps are hidden.
            Seen::Redacted(step) => format!("Mr. X: {}{}", step.ticket, first_step(step.double)),
        }
    }

    fn choices(&self, sight: &Sight<ScotlandYard>) -> String {
        self.list(&sight.view, &sight.legal)
    }

    fn completions(&self, sight: &Sight<ScotlandYard>) -> Vec<Vec<String>> {
        let Sight { view, legal, .. } = sight;
        let long = legal.iter().map(|&action| written(action)).collect();
        let short = legal.iter().map(|&action| self.written_shortly(view, action)).collect();
        match self.grid() {
            Some(_) => vec![short, long],
            None => vec![long, short],
        }
    }

    fn commands(&self) -> &'static [&'static str] {
        if self.grid().is_some() { &["candidates"] } else { &["candidates", "map"] }
    }

    fn read(&self, line: &str, sight: &Sight<ScotlandYard>) -> Result<Chosen<Action>, String> {
        let Sight { view, legal, .. } = sight;
        let with_choices = |error| format!("{error}; possible steps:\n{}", self.list(view, legal));
        let doubled = double(line).filter(|_| sight.seat == "mr-x");
        let (first, rest) = match doubled {
            Some(steps) => first_and_rest(steps),
            None => line.split_once([',', ';']).unwrap_or((line, "")),
        };
        let rest = rest.trim();
        let action =
            self.step(first.trim(), doubled.is_some(), view, legal).map_err(with_choices)?;
        if doubled.is_some() && !rest.is_empty() {
            self.check_second(view, action, rest)?;
        }
        Ok(Chosen { action, then: (!rest.is_empty()).then(|| rest.to_string()) })
    }

    fn on_request(&self, line: &str, sight: &Sight<ScotlandYard>, ink: Ink) -> Option<String> {
        let Sight { view, legal, .. } = sight;
        if !matches!(line, "candidates" | "c") {
            return self.maps(line, view, legal, ink);
        }
        let candidates = self.game.candidates_in(view);
        Some(self.candidates(view) + &self.drawing(view, Some(candidates.set()), &[], ink))
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
