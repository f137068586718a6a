//! Scotland Yard as a [`Game`]: connects the rules, the states and the views to the contract of all
//! games.

use super::action::Action;
use super::arena::Arena;
use super::board::{Board, Shape};
use super::detective::{Detective, Pawns};
use super::distances::Distances;
use super::opening::{DetectiveTickets, Opening, StartSet};
use super::position::{Position, Purse, Stage};
use super::presets;
use super::rules::{Rules, Seats};
use super::start_parity::even_detectives;
use super::state::State;
use super::station::Station;
use super::ticket::{Allowance, Tickets, Transport};
use super::view::{DoubleMove, Mover, Side, View};
use super::{import, text};
use crate::game::{Game, Illegal, NoChance, Preset, Turn};
use crate::notation::Notation;
use crate::outcome::{Outcome, Scores};
use crate::random::{Rng, choose};
use crate::record::Records;
use crate::rules::RulesError;
use crate::seat::Seat;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Scotland Yard under one set of rules.
#[derive(Clone, Debug)]
pub struct ScotlandYard {
    rules: Rules,
    board: Arc<Board>,
    arena: Arena,
    distances: Distances,
    mr_x_cards: Vec<Station>,
    detective_cards: Vec<Station>,
    seats: Vec<String>,
}

/// The board and the start cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Setup {
    /// The number of stations. Stations are numbered from 1.
    pub stations: u16,
    /// Every edge once: two stations, the lower one first, and the means of transport between them.
    /// An edge from a cell to itself means that a pawn may stay.
    pub edges: Vec<(Station, Station, Transport)>,
    /// On a grid, the number of cells from left to right. Cells are numbered row by row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u16>,
    /// On a grid, the number of cells from top to bottom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u16>,
    /// Where Mr. X may have started, in ascending order; never a detective's start.
    pub mr_x_starts: Vec<Station>,
    /// The stations of the detectives' start cards, in ascending order.
    pub detective_starts: Vec<Station>,
    /// On the London map, where to draw each station, in order of their numbers: from `[0, 0]` at
    /// the top left to `[1, 1]` at the bottom right of a picture that is 1.33 times as wide as
    /// high.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coordinates: Vec<(f64, f64)>,
}

impl ScotlandYard {
    /// Returns the board and the rules of movement, which the methods of a position take.
    pub const fn arena(&self) -> &Arena {
        &self.arena
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the distances of the board.
    pub const fn distances(&self) -> &Distances {
        &self.distances
    }

    /// Returns the stations on Mr. X's start cards, in ascending order.
    pub fn mr_x_cards(&self) -> &[Station] {
        &self.mr_x_cards
    }

    /// Returns the stations on the detectives' start cards, in ascending order.
    pub fn detective_cards(&self) -> &[Station] {
        &self.detective_cards
    }

    /// Returns the side of a seat.
    pub const fn side(seat: Seat) -> Side {
        if seat.index() == 0 { Side::MrX } else { Side::Detectives }
    }

    /// Returns the seat to move; `None` when the game is over.
    pub fn mover(&self, position: &Position) -> Option<Mover> {
        match position.stage() {
            Stage::Over(_) => None,
            Stage::MrX | Stage::SecondLeg => Some(Mover::MrX),
            Stage::Detectives if self.rules.seats == Seats::Sides => Some(Mover::Detectives),
            Stage::Detectives => position.detective_to_move().map(Mover::Detective),
        }
    }

    /// Returns the detectives' tickets at the start.
    fn detective_tickets(&self, opening: &Opening) -> Result<Vec<Allowance>, Illegal> {
        let count = usize::from(self.rules.detectives);
        let held = match &opening.detective_tickets {
            None => vec![self.rules.detective_tickets; count],
            Some(DetectiveTickets::All(allowance)) => vec![*allowance; count],
            Some(DetectiveTickets::Each(allowances)) if allowances.len() == count => {
                allowances.clone()
            }
            Some(DetectiveTickets::Each(allowances)) => {
                return Err(Illegal(format!(
                    "detective_tickets has {} entries; there are {count} detectives",
                    allowances.len()
                )));
            }
        };
        for allowance in &held {
            if let Some(tickets) = allowance.tickets() {
                few_enough("detective_tickets", tickets)?;
            }
        }
        Ok(held)
    }

    /// Returns Mr. X's tickets at the start.
    fn purse(&self, opening: &Opening) -> Result<Purse, Illegal> {
        let given = opening.mr_x_tickets.unwrap_or_default();
        let tickets = match self.rules.x_tickets {
            Allowance::Limited(usual) => Allowance::Limited(Tickets {
                taxi: given.taxi.unwrap_or(usual.taxi),
                bus: given.bus.unwrap_or(usual.bus),
                underground: given.underground.unwrap_or(usual.underground),
            }),
            Allowance::Unlimited => match (given.taxi, given.bus, given.underground) {
                (None, None, None) => Allowance::Unlimited,
                (Some(taxi), Some(bus), Some(underground)) => {
                    Allowance::limited(taxi, bus, underground)
                }
                _ => {
                    return Err(Illegal(
                        "mr_x_tickets: Mr. X's tickets are unlimited under these rules; give taxi, \
                         bus and underground together, or none of them"
                            .into(),
                    ));
                }
            },
        };
        if let Some(tickets) = tickets.tickets() {
            few_enough("mr_x_tickets", tickets)?;
        }
        let black = given.black.unwrap_or(self.rules.black_tickets());
        let double = given.double.unwrap_or(self.rules.double);
        few_enough("mr_x_tickets", Tickets::new(black, double, 0))?;
        Ok(Purse { tickets, black, double })
    }

    /// Returns the stations at which the detectives must expect Mr. X.
    fn start_set(&self, opening: &Opening) -> Result<StartSet, Illegal> {
        let starts = match &opening.mr_x_starts {
            Some(stations) => StartSet::among(stations.clone()),
            None if self.mr_x_cards.contains(&opening.mr_x) => StartSet::Cards,
            None => StartSet::Anywhere,
        };
        let stations = self.start_stations(&starts);
        if let Some(stranger) = stations.iter().find(|&&station| !self.board.has(station)) {
            return Err(Illegal(format!("mr_x_starts: {}", self.no_station(*stranger))));
        }
        if !stations.contains(&opening.mr_x) {
            return Err(Illegal(format!(
                "mr_x_starts does not have {}, where Mr. X starts",
                opening.mr_x
            )));
        }
        Ok(starts)
    }

    fn no_station(&self, station: Station) -> String {
        format!("there is no station {station}; the board has {}", self.board.len())
    }
}

fn few_enough(field: &str, tickets: Tickets) -> Result<(), Illegal> {
    let most = tickets.taxi.max(tickets.bus).max(tickets.underground);
    if most > Tickets::MOST {
        return Err(Illegal(format!(
            "{field}: {most} tickets of a kind; at most {}",
            Tickets::MOST
        )));
    }
    Ok(())
}

impl Game for ScotlandYard {
    type Rules = Rules;
    type Opening = Opening;
    type State = State;
    type Action = Action;
    type Chance = NoChance;
    type View = View;
    type Setup = Setup;
    type Information = Self;
    type Notation = Self;

    const NAME: &'static str = "scotland-yard";
    const ABOUT: &'static str =
        "Mr. X flees through London or over a grid, mostly unseen; detectives pursue him.";
    const SEATS: RangeInclusive<usize> = 2..=6;
    const RULES_SCHEMA: &'static str = include_str!("../../schemas/scotland-yard.json");
    const PRESETS: &'static [Preset] = presets::PRESETS;
    const SEATS_ALIKE: bool = false;
    const SCORING: &'static str = "Mr. X has 1 point and the first place if he escapes, each seat of the \
                                   detectives if they catch him. The other side has none and shares the \
                                   places after it.";

    fn preset(name: &str) -> Option<Rules> {
        presets::preset(name)
    }

    fn new(rules: Rules) -> Result<ScotlandYard, RulesError> {
        let (rules, board) = rules.resolve()?;
        let mut seats = vec![Mover::MrX.to_string()];
        match rules.seats {
            Seats::Sides => seats.push(Mover::Detectives.to_string()),
            Seats::Pawns => seats.extend(
                Detective::all(rules.detectives.into())
                    .map(|detective| Mover::Detective(detective).to_string()),
            ),
        }
        let arena = Arena::new(&rules, Arc::clone(&board));
        let distances = Distances::of(&board);
        let mr_x_cards = rules.starts.of_mr_x(&board);
        let detective_cards = rules.starts.of_detectives(&board);
        Ok(ScotlandYard { rules, board, arena, distances, mr_x_cards, detective_cards, seats })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    /// Every seat of the winning side has one point.
    fn scores(&self) -> Scores {
        let sum = (self.rules.seats == Seats::Sides).then_some(1.0);
        Scores { sum, ..Scores::ONE_POINT }
    }

    fn draw_opening<R: Rng>(&self, rng: &mut R) -> Opening {
        let mut taken: Vec<Station> = Vec::new();
        for place in 0..=self.rules.detectives {
            let cards = if place == 0 { &self.mr_x_cards } else { &self.detective_cards };
            // Drawing again is cheaper than shuffling a grid of 10,000 cells.
            let station = loop {
                let drawn = *choose(rng, cards).expect("every deck has cards; a test counts them");
                if !taken.contains(&drawn) {
                    break drawn;
                }
            };
            taken.push(station);
        }
        let detectives = taken.split_off(1);
        let mr_x = taken[0];
        Opening { mr_x, detectives, detective_tickets: None, mr_x_tickets: None, mr_x_starts: None }
    }

    fn start(&self, opening: &Opening) -> Result<State, Illegal> {
        let count = usize::from(self.rules.detectives);
        if opening.detectives.len() != count {
            return Err(Illegal(format!(
                "{} stations for detectives; there are {count}",
                opening.detectives.len()
            )));
        }
        for station in opening.detectives.iter().chain([&opening.mr_x]) {
            if !self.board.has(*station) {
                return Err(Illegal(self.no_station(*station)));
            }
        }
        for (place, station) in opening.detectives.iter().enumerate() {
            if *station == opening.mr_x || opening.detectives[..place].contains(station) {
                return Err(Illegal(format!("two pawns start on {station}")));
            }
        }
        let starts = self.start_set(opening)?;
        let pawns = Pawns::new(opening.detectives.iter().copied().map(Some));
        let tickets = self.detective_tickets(opening)?;
        let purse = self.purse(opening)?;
        let position = Position::new(&self.arena, opening.mr_x, purse, pawns, &tickets);
        Ok(State::new(position, Vec::new(), starts))
    }

    fn setup(&self, start: &State, _seat: Seat) -> Setup {
        let mut mr_x_starts = self.start_stations(start.starts()).into_owned();
        let first = start.log().first().map_or(*start.position().pawns(), |entry| entry.detectives);
        mr_x_starts.retain(|&station| !first.occupy(station));
        let grid = match self.board.shape() {
            Shape::Grid(grid, _) => Some(grid),
            Shape::London => None,
        };
        Setup {
            stations: self.board.len() as u16,
            edges: self.board.edges().collect(),
            width: grid.map(|grid| grid.width()),
            height: grid.map(|grid| grid.height()),
            mr_x_starts,
            detective_starts: self.detective_cards.clone(),
            coordinates: match self.board.shape() {
                Shape::Grid(..) => Vec::new(),
                Shape::London => {
                    self.board.stations().map(|station| self.board.coordinates(station)).collect()
                }
            },
        }
    }

    /// On grids, the number of detectives that start at an even distance from Mr. X. The others can
    /// never step onto him.
    fn start_class(&self, start: &State) -> Option<u8> {
        even_detectives(self.board.shape(), start.position())
    }

    fn turn(&self, state: &State) -> Turn {
        match self.mover(state.position()) {
            None => Turn::Over,
            Some(Mover::MrX) => Turn::Seat(Seat::new(0)),
            Some(Mover::Detectives) => Turn::Seat(Seat::new(1)),
            Some(Mover::Detective(detective)) => Turn::Seat(Seat::new(1 + detective.index())),
        }
    }

    fn actions(&self, state: &State, into: &mut Vec<Action>) {
        state.position().actions(&self.arena, into);
    }

    fn check(&self, state: &State, action: Action) -> Result<(), Illegal> {
        state.position().check(&self.arena, action)
    }

    fn apply(&self, state: &mut State, action: Action) {
        state.apply(&self.arena, action);
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let Stage::Over(end) = state.position().stage() else { return None };
        let mr_x_wins = end.mr_x_wins();
        Some(Outcome::winners(self.seats.len(), end.reason(), |seat| {
            (ScotlandYard::side(seat) == Side::MrX) == mr_x_wins
        }))
    }

    fn forfeit(&self, state: &mut State, seat: Seat) {
        state.forfeit(ScotlandYard::side(seat) == Side::MrX);
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        let to_move = self.mover(state.position());
        let mut view = View::new(&self.arena, state, ScotlandYard::side(seat), to_move);
        if self.rules.show_candidates {
            view.candidates = Some(self.candidates(state).set().iter().collect());
        }
        if self.rules.show_second_legs && ScotlandYard::side(seat) == Side::MrX {
            let moves = state.position().double_moves(&self.arena);
            let double_moves =
                moves.into_iter().map(|(first, second)| DoubleMove { first, second });
            view.double_moves = double_moves.collect();
        }
        view
    }

    fn determinize<R: Rng>(&self, view: &View, seat: Seat, rng: &mut R) -> Result<State, Illegal> {
        self.complete(view, ScotlandYard::side(seat), rng)
    }

    fn text(&self, state: &State) -> String {
        text::state(self, state)
    }

    fn action_text(&self, before: &State, action: Action) -> String {
        text::action(self, before, action)
    }

    fn own_action_text(&self, before: &State, action: Action) -> String {
        text::own_action(self, before, action)
    }
}

impl Notation<ScotlandYard> for ScotlandYard {
    fn import(records: &str) -> Option<Records> {
        Some(Ok(import::import(records)))
    }
}
