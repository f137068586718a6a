//! The steps that Mr. X can make, and what distinguishes them: the inputs of his
//! [habits](super::habits::Habits), each 0 or 1.

use super::board_tables::BoardTables;
use super::station_bits::StationBits;
use botyard_engine::scotland_yard::{Arena, Board, Kinds, Pawns, Station, Step, Ticket, Transport};

/// When a step is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The detectives see where it leads.
    Reveal,
    /// They see where the next step leads.
    BeforeReveal,
    /// They saw where the step before led.
    AfterReveal,
    /// None of these.
    Hidden,
    /// It is the first half of a double move.
    FirstHalf,
}

impl Phase {
    const COUNT: usize = 5;

    /// Returns the phase of Mr. X's step of this number, from 1.
    pub fn of(arena: &Arena, number: u16, is_first_half: bool) -> Phase {
        if is_first_half {
            Phase::FirstHalf
        } else if arena.reveals(number) {
            Phase::Reveal
        } else if arena.reveals(number + 1) {
            Phase::BeforeReveal
        } else if arena.reveals(number - 1) {
            Phase::AfterReveal
        } else {
            Phase::Hidden
        }
    }
}

/// How Mr. X pays for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fare {
    /// By the ticket for this transport.
    Open(Transport),
    /// By a black ticket.
    Black,
}

impl Fare {
    /// Returns the ticket that he shows.
    pub const fn ticket(self) -> Ticket {
        match self {
            Fare::Open(by) => by.ticket(),
            Fare::Black => Ticket::Black,
        }
    }
}

/// A step that Mr. X can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepOption {
    /// The station that it leads to.
    pub to: Station,
    /// How it is paid for.
    pub fare: Fare,
}

impl StepOption {
    /// Returns all steps from a station to free ones. The kinds of his fare tickets are not counted.
    pub fn all<'a>(
        board: &'a Board,
        from: Station,
        detectives: &'a Pawns,
        has_black: bool,
    ) -> impl Iterator<Item = StepOption> + 'a {
        let steps = board.steps(from);
        let free = move |step: &&Step| !detectives.occupy(step.to);
        let fares = steps.iter().filter(free).filter(|step| Kinds::FARES.has(step.by));
        // One for each station, however many kinds of transport lead there.
        let is_first = move |(index, step): &(usize, &Step)| {
            steps[..*index].iter().all(|other| other.to != step.to)
        };
        let black = steps.iter().enumerate().filter(move |_| has_black).filter(is_first);
        let black = black.map(|(_, step)| step).filter(free);
        fares
            .map(|step| StepOption { to: step.to, fare: Fare::Open(step.by) })
            .chain(black.map(|step| StepOption { to: step.to, fare: Fare::Black }))
    }
}

/// The numbers of categories of the traits of a station, in the order of [`Moment::station`].
const CATEGORIES: [usize; TRAITS] = [6, 6, 6, 8, 8, 8, 10, 3, Phase::COUNT, 6];
/// The number of traits of a station.
pub(crate) const TRAITS: usize = 10;
/// The number of fares.
const FARES: usize = 5;
/// The number of categories of the candidates after a step.
const CROWDS: usize = 7;
/// The first input of the fares.
const FIRST_FARE: usize = {
    let (mut sum, mut index) = (0, 0);
    while index < TRAITS {
        sum += CATEGORIES[index];
        index += 1;
    }
    sum
};
/// The first input of the candidates.
const FIRST_CROWD: usize = FIRST_FARE + FARES;
/// The first input of the distance of the nearest detective before the step.
const FIRST_DANGER: usize = FIRST_CROWD + CROWDS;
/// The number of inputs.
pub const INPUTS: usize = FIRST_DANGER + 6;

/// The inputs of a step that are 1: those of its [station](Moment::station) and of its
/// [fare](Moment::fare).
pub type StepInputs = [usize; STEP_INPUTS];
/// The number of inputs that are 1.
pub const STEP_INPUTS: usize = TRAITS + 3;

/// What a step is judged by: the detectives around Mr. X, the reveals, and where he can be.
pub struct Moment<'a> {
    tables: &'a BoardTables,
    /// The rows of the detectives' distances.
    distances: &'a [&'a [u8]],
    /// The stations that some detective can reach in one move, in two, and in three.
    reached: [StationBits; 3],
    phase: Phase,
    /// By fare: the category of the number of candidates after it.
    crowds: [usize; FARES],
}

impl<'a> Moment<'a> {
    /// Makes the moment of a step, before which Mr. X can be at `candidates`.
    pub fn new(
        tables: &'a BoardTables,
        distances: &'a [&'a [u8]],
        detectives: &Pawns,
        phase: Phase,
        candidates: StationBits,
    ) -> Moment<'a> {
        let within = |moves: u8| {
            let stations = (0..tables.stations()).map(Station::from_index);
            let is_near =
                |station: &Station| distances.iter().any(|row| row[station.index()] <= moves);
            stations.filter(is_near).collect()
        };
        let occupied: StationBits = detectives.stations().collect();
        let crowd = |kinds: Kinds| {
            let there = tables.spread(kinds, candidates).without(occupied).len();
            (u32::BITS - there.leading_zeros()).clamp(1, CROWDS as u32) as usize - 1
        };
        let crowds = [
            crowd(Kinds::only(Transport::Taxi)),
            crowd(Kinds::only(Transport::Bus)),
            crowd(Kinds::only(Transport::Underground)),
            crowd(Kinds::only(Transport::Ferry)),
            crowd(Kinds::ALL),
        ];
        Moment { tables, distances, reached: [within(1), within(2), within(3)], phase, crowds }
    }

    /// Returns the inputs of a station: the moves of the three nearest detectives to it, the stations
    /// that he can flee to from there in one step, in two and in three, the neighbours, the best
    /// transport, the phase, and the detectives that need at most three moves.
    pub fn station(&self, station: Station) -> [usize; TRAITS] {
        let mut near = [u8::MAX; 3];
        for row in self.distances {
            let mut moves = row[station.index()];
            for other in &mut near {
                (*other, moves) = ((*other).min(moves), (*other).max(moves));
            }
        }
        let [nearest, second, third] = near.map(|moves| usize::from(moves.clamp(1, 6)) - 1);
        let neighbours = self.tables.neighbours(Kinds::ALL, station);
        let exits = neighbours.without(self.reached[0]);
        let flight = self.tables.spread(Kinds::ALL, exits).without(self.reached[1]);
        let far = self.tables.spread(Kinds::ALL, flight).without(self.reached[2]).len();
        let flight = flight.len();
        let category =
            |count: u32, most: [u32; 7]| most.iter().filter(|&&most| count > most).count();
        let stop = |by| !self.tables.neighbours(Kinds::only(by), station).is_empty();
        let hub = if stop(Transport::Underground) { 2 } else { usize::from(stop(Transport::Bus)) };
        let categories = [
            nearest,
            second,
            third,
            exits.len().min(7) as usize,
            category(flight, [0, 1, 3, 6, 10, 15, 22]),
            category(far, [0, 2, 6, 12, 20, 30, 45]),
            neighbours.len().clamp(1, 10) as usize - 1,
            hub,
            self.phase as usize,
            self.distances.iter().filter(|row| row[station.index()] <= 3).count().min(5),
        ];
        let mut first = 0;
        std::array::from_fn(|index| {
            let input = first + categories[index];
            first += CATEGORIES[index];
            input
        })
    }

    /// Returns the inputs of a fare from a station: which it is, the number of Mr. X's candidates after
    /// it, and the moves of the nearest detective to where he was.
    pub fn fare(&self, from: Station, fare: Fare) -> [usize; 3] {
        let near = self.distances.iter().map(|row| row[from.index()]).min().unwrap_or(u8::MAX);
        let danger = usize::from(near.clamp(1, 6)) - 1;
        let fare = match fare {
            Fare::Open(Transport::Taxi) => 0,
            Fare::Open(Transport::Bus) => 1,
            Fare::Open(Transport::Underground) => 2,
            Fare::Open(Transport::Ferry) => 3,
            Fare::Black => 4,
        };
        [FIRST_FARE + fare, FIRST_CROWD + self.crowds[fare], FIRST_DANGER + danger]
    }

    /// Returns the inputs of a step from a station.
    pub fn step(&self, from: Station, step: StepOption) -> StepInputs {
        let (station, fare) = (self.station(step.to), self.fare(from, step.fare));
        let mut inputs = [0; STEP_INPUTS];
        inputs[..TRAITS].copy_from_slice(&station);
        inputs[TRAITS..].copy_from_slice(&fare);
        inputs
    }
}
