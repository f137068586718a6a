//! Draughts as a [`Game`]: connects the rules, the states and the views to the contract of all
//! games.

use super::colour::Colour;
use super::movement::Movement;
use super::moves::Move;
use super::notation::{Ballot, FenError, Standing, ballots};
use super::opening::{self, Opening};
use super::position::Position;
use super::rules::{self, Ballots, Rules};
use super::state::State;
use super::view::{End, View};
use super::{import, perft, text};
use crate::game::{Game, Illegal, NoChance, OpeningError, Preset, Turn};
use crate::information::PerfectInformation;
use crate::notation::Notation;
use crate::outcome::Outcome;
use crate::perft::{Counting, Perft};
use crate::random::{Rng, choose};
use crate::record::Records;
use crate::rules::RulesError;
use crate::seat::Seat;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Draughts under one set of rules.
#[derive(Clone, Debug)]
pub struct Draughts {
    rules: Rules,
    movement: Movement,
    /// The ballots that are drawn from; empty if games begin at the start position.
    ballots: Vec<&'static Ballot>,
    seats: Vec<String>,
}

/// The constant data of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Setup {
    /// The position in which the first decision is made, as FEN.
    pub fen: String,
}

impl Draughts {
    /// Returns the rules of movement, which the methods of a position take.
    pub const fn movement(&self) -> Movement {
        self.movement
    }

    /// Returns the side of a seat: the first mover's seat is the first.
    pub fn colour(&self, seat: Seat) -> Colour {
        if seat.index() == 0 { self.rules.first_mover } else { self.rules.first_mover.other() }
    }

    /// Returns the seat of a side.
    pub fn seat(&self, colour: Colour) -> Seat {
        Seat::new(usize::from(colour != self.rules.first_mover))
    }

    /// Returns how the game has ended; `None` while it is in progress. If several ends coincide, a
    /// loss takes precedence over a draw.
    pub fn end(&self, state: &State) -> Option<End> {
        let position = state.position();
        let reached = |count: u16, limit: u16| limit > 0 && count >= limit;
        if state.forfeited().is_some() {
            Some(End::Forfeit)
        } else if position.board().of(position.turn()).is_empty() {
            Some(End::NoPieces)
        } else if !position.can_move() {
            Some(End::NoMoves)
        } else if reached(state.repetitions(), self.rules.draw_repetitions.into()) {
            Some(End::Repetition)
        } else if reached(state.quiet_plies(), self.rules.draw_quiet_plies) {
            Some(End::QuietPlies)
        } else if state.ply() >= self.rules.max_plies {
            Some(End::MaxPlies)
        } else {
            None
        }
    }

    /// Returns the first position of an opening, before its moves.
    pub(super) fn first_position(&self, opening: &Opening) -> Result<Position, Illegal> {
        match &opening.fen {
            Some(fen) => fen.parse().map_err(|error| Illegal(format!("fen: {error}"))),
            None => Ok(Position::start(self.rules.first_mover)),
        }
    }

    /// Returns the moves of an opening, including those of its ballot.
    fn opening_moves(&self, opening: &Opening) -> Result<Vec<Move>, Illegal> {
        let Some(number) = opening.ballot else { return Ok(opening.moves.clone()) };
        let ballot = ballots().iter().find(|ballot| ballot.number == number).ok_or_else(|| {
            Illegal(format!("ballot: expected 1 to {}, got {number}", ballots().len()))
        })?;
        if opening.fen.is_some() {
            return Err(Illegal(
                "ballot and fen: a ballot begins at the start position; leave one of them out"
                    .into(),
            ));
        }
        if self.rules.first_mover != Colour::Black {
            return Err(Illegal(
                "ballot: the three-move openings begin with a move of Black, and White moves \
                 first under these rules"
                    .into(),
            ));
        }
        if !opening.moves.is_empty() && opening.moves != ballot.moves {
            return Err(Illegal(format!(
                "moves: ballot {number} is {:?}, got {:?}; leave them out",
                ballot.moves, opening.moves
            )));
        }
        Ok(ballot.moves.to_vec())
    }
}

impl Game for Draughts {
    type Rules = Rules;
    type Opening = Opening;
    type State = State;
    type Action = Move;
    type Chance = NoChance;
    type View = View;
    type Setup = Setup;
    type Information = PerfectInformation;
    type Notation = Self;

    const NAME: &'static str = "draughts";
    const ABOUT: &'static str =
        "English draughts (American checkers): men and kings jump each other on 32 dark squares.";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const RULES_SCHEMA: &'static str = include_str!("../../schemas/draughts.json");
    const PRESETS: &'static [Preset] = rules::PRESETS;

    fn preset(name: &str) -> Option<Rules> {
        rules::preset(name)
    }

    fn new(rules: Rules) -> Result<Draughts, RulesError> {
        rules.check()?;
        let drawn = |ballot: &&Ballot| match rules.ballots {
            Ballots::None => false,
            Ballots::ThreeMove => ballot.standing == Standing::Standard,
            Ballots::ThreeMoveAll => true,
        };
        let ballots = ballots().iter().filter(drawn).collect();
        let seats = [rules.first_mover, rules.first_mover.other()];
        let seats = seats.iter().map(Colour::to_string).collect();
        Ok(Draughts { movement: rules.movement(), rules, ballots, seats })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn draw_opening<R: Rng>(&self, rng: &mut R) -> Opening {
        match choose(rng, &self.ballots) {
            Some(ballot) => {
                Opening { fen: None, ballot: Some(ballot.number), moves: ballot.moves.to_vec() }
            }
            None => Opening::default(),
        }
    }

    fn start(&self, opening: &Opening) -> Result<State, Illegal> {
        let mut state = State::new(self.first_position(opening)?);
        for (number, mv) in (1..).zip(self.opening_moves(opening)?) {
            let position = state.position();
            position
                .check(self.movement, mv)
                .map_err(|why| Illegal(format!("moves, number {number}: {why}")))?;
            state = State::new(position.make(mv));
        }
        match self.end(&state) {
            Some(end) => Err(Illegal(format!(
                "there is nothing to play: in {} the game is over ({})",
                state.position(),
                end.reason()
            ))),
            None => Ok(state),
        }
    }

    fn setup(&self, start: &State, _seat: Seat) -> Setup {
        Setup { fen: start.position().to_string() }
    }

    fn turn(&self, state: &State) -> Turn {
        match self.end(state) {
            Some(_) => Turn::Over,
            None => Turn::Seat(self.seat(state.position().turn())),
        }
    }

    fn actions(&self, state: &State, into: &mut Vec<Move>) {
        into.clear();
        if self.end(state).is_none() {
            state.position().for_each_move(self.movement, |mv| into.push(mv));
        }
    }

    fn check(&self, state: &State, action: Move) -> Result<(), Illegal> {
        match self.end(state) {
            Some(end) => Err(Illegal(format!("the game is over: {}", end.reason()))),
            None => state.position().check(self.movement, action),
        }
    }

    fn apply(&self, state: &mut State, action: Move) {
        state.apply(action);
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let end = self.end(state)?;
        if end.is_draw() {
            return Some(Outcome::draw(2, end.reason()));
        }
        let loser = state.forfeited().unwrap_or(state.position().turn());
        let winner = self.seat(loser.other());
        Some(Outcome::winners(2, end.reason(), |seat| seat == winner))
    }

    fn forfeit(&self, state: &mut State, seat: Seat) {
        state.forfeit(self.colour(seat));
    }

    fn view(&self, state: &State, _seat: Seat) -> View {
        View::new(state, self.end(state))
    }

    fn determinize<R: Rng>(
        &self,
        view: &View,
        _seat: Seat,
        _rng: &mut R,
    ) -> Result<State, Illegal> {
        view.state()
    }

    fn text(&self, state: &State) -> String {
        text::state(self, state)
    }

    fn action_text(&self, before: &State, action: Move) -> String {
        text::action(before, action)
    }
}

impl Notation<Draughts> for Draughts {
    const OPENING_SETS: &'static [Preset] = opening::SETS;

    fn opening_set(name: &str) -> Option<Vec<Opening>> {
        opening::set(name)
    }

    fn read_openings(game: &Draughts, text: &str) -> Option<Result<Vec<Opening>, OpeningError>> {
        Some(opening::read(game, text))
    }

    fn import(records: &str) -> Option<Records> {
        Some(import::import(records))
    }

    fn position(_game: &Draughts, state: &State) -> Option<String> {
        Some(state.position().to_string())
    }

    fn perft(
        game: &Draughts,
        position: Option<&str>,
        counting: Counting,
    ) -> Option<Result<Box<dyn Perft>, String>> {
        let position = match position {
            Some(fen) => fen.parse().map_err(|error: FenError| error.to_string()),
            None => Ok(Position::start(game.rules().first_mover)),
        };
        let movement = game.movement();
        Some(position.map(|position| -> Box<dyn Perft> {
            Box::new(perft::Start { position, movement, counting })
        }))
    }
}
