//! The chances of Mr. X's steps at one moment, by his habits.

use super::habits::{Habits, Units};
use super::mr_x_steps::{Moment, StepOption};
use botyard_engine::scotland_yard::{Board, Pawns, Station};

/// The share of steps that are taken to be random.
const AIMLESS: f64 = 0.05;

/// Computes the chances of the steps from any station at one moment.
pub(super) struct StepChances<'a> {
    board: &'a Board,
    habits: &'a Habits,
    moment: Moment<'a>,
    detectives: &'a Pawns,
    has_black: bool,
    /// By destination: what its inputs contribute, once it is known.
    stations: Vec<Option<Units>>,
    likings: Vec<f64>,
}

impl<'a> StepChances<'a> {
    /// Prepares the chances with the detectives at these stations. `has_black` is whether Mr. X has a
    /// black ticket.
    pub(super) fn new(
        board: &'a Board,
        habits: &'a Habits,
        moment: Moment<'a>,
        detectives: &'a Pawns,
        has_black: bool,
    ) -> StepChances<'a> {
        let stations = vec![None; board.len()];
        StepChances { board, habits, moment, detectives, has_black, stations, likings: Vec::new() }
    }

    /// Calls `each` with every step from a station and its chance. The chances add up to 1 unless
    /// there is no step.
    pub(super) fn each_from(&mut self, from: Station, mut each: impl FnMut(StepOption, f64)) {
        let StepChances { board, habits, moment, detectives, has_black, stations, likings } = self;
        let steps = || StepOption::all(board, from, detectives, *has_black);
        likings.clear();
        likings.extend(steps().map(|step| {
            let station = stations[step.to.index()]
                .get_or_insert_with(|| habits.sums(&moment.station(step.to)));
            let fare = habits.sums(&moment.fare(from, step.fare));
            libm::exp(f64::from(habits.exponent(station, &fare)))
        }));
        let sum: f64 = likings.iter().sum();
        let random = AIMLESS / likings.len() as f64;
        for (step, liking) in steps().zip(likings.iter()) {
            each(step, random + (1.0 - AIMLESS) * liking / sum);
        }
    }
}
