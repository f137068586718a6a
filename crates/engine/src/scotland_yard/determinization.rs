//! Determinization: draws a state that agrees with a view. What the view hides is drawn so that the
//! state has the same view and could have arisen in play.

use super::candidates::{follow, public_log_of_view};
use super::detective::Pawns;
use super::position::{Parts, Position, Purse, Stage};
use super::state::{LogEntry, State};
use super::station::Station;
use super::station_set::StationSet;
use super::view::{Mover, Side, View};
use super::{Allowance, ScotlandYard, Tickets};
use crate::game::{Game, Illegal};
use crate::random::{Rng, choose};

impl ScotlandYard {
    /// Draws a state that `side` sees as this view. Mr. X's present station is drawn uniformly from
    /// the candidates (those that can move, if it is his turn). His path is drawn backwards, each
    /// step uniformly.
    ///
    /// # Errors
    ///
    /// If no state of this game can have this view.
    pub(super) fn complete<R: Rng>(
        &self,
        view: &View,
        side: Side,
        rng: &mut R,
    ) -> Result<State, Illegal> {
        let stage = self.plausible(view)?;
        let known: Option<Vec<Station>> = view.log.iter().map(|entry| entry.station).collect();
        let (mr_x, path) = match (side, view.mr_x.station, known) {
            (Side::MrX, Some(mr_x), Some(path)) => (mr_x, path),
            (Side::MrX, None, _) => return impossible("Mr. X's own view has no `mr_x.station`"),
            (Side::MrX, _, None) => {
                return impossible("an entry of the log in Mr. X's own view has no `station`");
            }
            (Side::Detectives, ..) => self.draw_path(view, stage, rng)?,
        };
        let log = view
            .log
            .iter()
            .zip(path)
            .map(|(entry, station)| LogEntry {
                ticket: entry.ticket,
                station,
                detectives: entry.detectives,
            })
            .collect();
        let position = self.position_of(view, stage, mr_x)?;
        if self.mover(&position) != view.to_move {
            return impossible("`to_move` is not the seat whose turn it is");
        }
        let mut actions = 0;
        position.for_each_action(self.arena(), |_| actions += 1);
        if actions == 0 && view.over.is_none() {
            return impossible("the seat to move has no legal action, but the game is not `over`");
        }
        Ok(State::new(position, log, view.mr_x_starts.clone()))
    }

    /// Checks that the public parts of a view fit this game and each other; returns the stage.
    fn plausible(&self, view: &View) -> Result<Stage, Illegal> {
        let count = usize::from(self.rules().detectives);
        if view.detectives.len() != count {
            return impossible(format!(
                "{} detectives in the view; the game has {count}",
                view.detectives.len()
            ));
        }
        let limit = self.rules().limit;
        if !(1..=limit).contains(&view.round) {
            return impossible(format!("round {} of a game of at most {limit}", view.round));
        }
        // A round has one step of Mr. X, or two with a double ticket.
        let longest = usize::from(view.round) + usize::from(Tickets::MOST);
        if view.log.len() > longest || view.log.len() + 1 < usize::from(view.round) {
            return impossible(format!("{} log entries in round {}", view.log.len(), view.round));
        }
        let pawns = view.pawns();
        for (number, entry) in (1..).zip(&view.log) {
            if entry.detectives.len() != count {
                return impossible(format!(
                    "log entry {number} has {} detectives; the game has {count}",
                    entry.detectives.len()
                ));
            }
            if entry.reveal != self.arena().reveals(number) {
                return impossible(format!(
                    "log entry {number} has reveal {}, contrary to the rules",
                    entry.reveal
                ));
            }
            if entry.reveal && entry.station.is_none() {
                return impossible(format!("log entry {number} is a reveal without a station"));
            }
        }
        let stations =
            view.log.iter().flat_map(|entry| entry.detectives.stations().chain(entry.station));
        for station in stations.chain(pawns.stations()).chain(view.mr_x.station) {
            if !self.board().has(station) {
                return impossible(format!(
                    "there is no station {station} on a board of {}",
                    self.board().len()
                ));
            }
        }
        let mover = match view.over {
            Some(end) => return Ok(Stage::Over(end)),
            None => view.to_move,
        };
        match mover {
            Some(Mover::MrX) if view.second_leg => Ok(Stage::SecondLeg),
            Some(Mover::MrX) => Ok(Stage::MrX),
            Some(_) if view.second_leg => impossible("`second_leg` is true on a detective's turn"),
            Some(_) => Ok(Stage::Detectives),
            None => impossible("`to_move` is null although the game is not `over`"),
        }
    }

    fn position_of(&self, view: &View, stage: Stage, mr_x: Station) -> Result<Position, Illegal> {
        let pawns = view.pawns();
        // Detectives that were taken off the board since then block nothing.
        let before = view.log.last().map_or(pawns, |last| {
            let pairs = last.detectives.iter().zip(pawns.iter());
            Pawns::new(pairs.map(|(then, now)| then.filter(|_| now.is_some())))
        });
        let Ok(x_moves) = u16::try_from(view.log.len()) else {
            return impossible("the log is longer than any game");
        };
        Position::try_from(Parts {
            round: view.round,
            x_moves,
            stage,
            mr_x,
            purse: Purse {
                tickets: Allowance::from(view.mr_x.tickets),
                black: view.mr_x.black,
                double: view.mr_x.double,
            },
            pawns,
            tickets: view.detectives.iter().map(|d| Allowance::from(d.tickets)).collect(),
            before,
            moved: view.detectives.iter().map(|d| d.moved).collect(),
        })
        .map_err(Illegal)
    }

    /// Draws a path of Mr. X: his station now, and the station of each entry of the log.
    fn draw_path<R: Rng>(
        &self,
        view: &View,
        stage: Stage,
        rng: &mut R,
    ) -> Result<(Station, Vec<Station>), Illegal> {
        let board = self.board();
        let starts = self.start_stations(&view.mr_x_starts);
        let pawns = view.pawns();
        let mut layers: Vec<StationSet> = Vec::with_capacity(view.log.len() + 1);
        let last = follow(board, &starts, public_log_of_view(view), &pawns, |candidates| {
            layers.push(candidates.set().clone());
        });
        let caught = view.mr_x.station.filter(|_| view.over.is_some());
        let mut possible: Vec<Station> = match caught {
            Some(station) => vec![station],
            None => last.set().iter().collect(),
        };
        if matches!(stage, Stage::MrX | Stage::SecondLeg) {
            // If Mr. X had no move, the game would be over.
            let here = self.position_of(view, stage, Station::from_index(0))?;
            possible.retain(|&station| here.with_mr_x(station).x_can_move(self.arena()));
        }
        let Some(&mr_x) = choose(rng, &possible) else {
            return impossible("no station is left for Mr. X after this log");
        };
        let mut path = vec![mr_x; view.log.len()];
        for place in (1..path.len()).rev() {
            let (step, here) = (&view.log[place], path[place]);
            let possible: Vec<Station> = board
                .neighbours(here)
                .iter()
                .copied()
                .filter(|&from| board.joins(from, step.ticket, here))
                .filter(|&from| layers[place].contains(from) && !step.detectives.occupy(from))
                .collect();
            path[place - 1] = match choose(rng, &possible) {
                Some(&from) => from,
                None => {
                    return impossible(format!(
                        "log entry {}: no path leads to the station shown there",
                        place + 1
                    ));
                }
            };
        }
        Ok((mr_x, path))
    }
}

fn impossible<T>(message: impl Into<String>) -> Result<T, Illegal> {
    Err(Illegal(message.into()))
}
