//! The scale of points: how the points of a game count in a league, as shares from 0 to 1. Records
//! and stores keep the game's own points; shares are computed where games are added up.
//!
//! Points that always lie from 0 to 1 are shares of a point already, and count as they are. Any other
//! range is mapped to 0 to 1 by one rule for each number of seats:
//!
//! * two seats: a half, and half of the difference of their points in units of the range. The shares of
//!   a game sum to 1, as the models of two seats need it;
//! * more seats: the place in the range, 0 for the least points and 1 for the most.
//!
//! A game is won by a seat that is first alone, drawn by seats that share the first place, and lost
//! by all others.

use botyard_engine::Scores;

/// The range of the points of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale(Scores);

/// The result of a seat in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Its share, 0 to 1.
    pub share: f64,
    /// Whether it won.
    pub result: SeatResult,
    /// The game's own points, if they are not shares.
    pub points: Option<f64>,
}

/// Won, drawn or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatResult {
    /// The whole point, or the first place alone.
    Won,
    /// A part of the point, or the first place with others.
    Drawn,
    /// Nothing, or another place.
    Lost,
}

impl Scale {
    /// The scale of games in which one point is won or divided.
    pub const POINT: Scale = Scale(Scores::ONE_POINT);

    /// Returns the scale of games in which a seat can have these points.
    pub const fn new(scores: Scores) -> Scale {
        Scale(scores)
    }

    /// Returns whether the points are shares already.
    pub fn is_point(self) -> bool {
        self.0.least >= 0.0 && self.0.most <= 1.0
    }

    /// Returns the least and the most points, if they are not shares.
    pub fn range(self) -> Option<Scores> {
        (!self.is_point()).then_some(self.0)
    }

    /// Returns whether a seat can have this number of points.
    pub fn has(self, points: f64) -> bool {
        match self.range() {
            None => (0.0..=1.0).contains(&points),
            Some(scores) => (scores.least..=scores.most).contains(&points),
        }
    }

    /// Returns the share of one seat, with the points of all seats; `None` if there is no such
    /// seat.
    pub fn share(self, points: &[f64], seat: usize) -> Option<f64> {
        let own = *points.get(seat)?;
        let Some(scores) = self.range() else { return Some(own) };
        let share = match points {
            [first, second] => {
                let ahead = if seat == 0 { first - second } else { second - first };
                0.5 + ahead / (2.0 * (scores.most - scores.least))
            }
            _ => scores.share(own),
        };
        Some(share.clamp(0.0, 1.0))
    }

    /// Returns the shares of all seats.
    pub fn shares(self, points: &[f64]) -> Vec<f64> {
        (0..points.len()).filter_map(|seat| self.share(points, seat)).collect()
    }

    /// Returns the result of one seat, with the points and the places of all seats; `None` if there
    /// is no such seat.
    pub fn part<P: Copy + Into<u32>>(
        self,
        points: &[f64],
        places: &[P],
        seat: usize,
    ) -> Option<Part> {
        let share = self.share(points, seat)?;
        if self.is_point() {
            return Some(Part::of_share(share));
        }
        let is_first = |place: &P| (*place).into() == 1;
        let firsts = places.iter().filter(|place| is_first(place)).count();
        let result = match places.get(seat).is_some_and(is_first) {
            true if firsts == 1 => SeatResult::Won,
            true => SeatResult::Drawn,
            false => SeatResult::Lost,
        };
        Some(Part { share, result, points: points.get(seat).copied() })
    }
}

impl Part {
    /// Returns the result of a seat with this share of a point, 0 to 1.
    pub fn of_share(share: f64) -> Part {
        let result = match share {
            1.0.. => SeatResult::Won,
            share if share > 0.0 => SeatResult::Drawn,
            _ => SeatResult::Lost,
        };
        Part { share, result, points: None }
    }

    /// Returns the share for a test of won, drawn and lost games: if the points are not shares, 1
    /// for a win, 1/2 for a draw, 0 for a loss.
    pub fn of_result(self) -> Part {
        let share = match (self.points, self.result) {
            (None, _) => self.share,
            (Some(_), SeatResult::Won) => 1.0,
            (Some(_), SeatResult::Drawn) => 0.5,
            (Some(_), SeatResult::Lost) => 0.0,
        };
        Part { share, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHIPS: Scale = Scale(Scores { least: -100.0, most: 100.0, sum: Some(0.0) });

    #[test]
    fn shares_of_a_point_count_as_they_are() {
        // Three seats, two of which share the point: half of it is the maximum.
        let shared = Scale(Scores { least: 0.0, most: 0.5, sum: Some(1.0) });
        for scale in [Scale::POINT, shared] {
            let part = scale.part(&[0.5, 0.5, 0.0], &[1_u8, 1, 3], 0).unwrap();
            assert_eq!(part, Part { share: 0.5, result: SeatResult::Drawn, points: None });
            assert_eq!(scale.range(), None);
        }
        let part = |points| Scale::POINT.part(&[points, 1.0 - points], &[1_u8, 1], 0).unwrap();
        assert_eq!([1.0, 0.3, 0.0].map(|points| part(points).result), {
            [SeatResult::Won, SeatResult::Drawn, SeatResult::Lost]
        });
        assert_eq!(part(0.3).of_result().share, 0.3);
    }

    #[test]
    fn chips_of_two_are_half_of_their_difference() {
        for (points, places, share, result) in [
            ([100.0, -100.0], [1_u8, 2], 1.0, SeatResult::Won),
            ([40.0, -40.0], [1, 2], 0.7, SeatResult::Won),
            ([0.0, 0.0], [1, 1], 0.5, SeatResult::Drawn),
            ([-60.0, 60.0], [2, 1], 0.2, SeatResult::Lost),
            // Points that do not sum to a constant: the shares do.
            ([100.0, 60.0], [1, 2], 0.6, SeatResult::Won),
        ] {
            let part = CHIPS.part(&points, &places, 0).unwrap();
            assert!((part.share - share).abs() < 1e-12, "{points:?}: {part:?}");
            assert_eq!((part.result, part.points), (result, Some(points[0])));
            let shares = CHIPS.shares(&points);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shares:?}");
        }
        assert_eq!(CHIPS.part(&[40.0, -40.0], &[1_u8, 2], 0).unwrap().of_result().share, 1.0);
        assert_eq!(CHIPS.part(&[40.0, -40.0], &[1_u8, 2], 2), None);
        assert!(CHIPS.has(-100.0) && !CHIPS.has(100.5) && !CHIPS.has(f64::NAN));
    }

    #[test]
    fn chips_of_more_are_the_place_in_the_range() {
        let scale = Scale(Scores { least: -50.0, most: 100.0, sum: Some(0.0) });
        let shares = scale.shares(&[100.0, -50.0, -50.0]);
        assert_eq!(shares, [1.0, 0.0, 0.0]);
        let shares = scale.shares(&[25.0, 25.0, -50.0]);
        assert_eq!(shares, [0.5, 0.5, 0.0]);
        let part = scale.part(&[25.0, 25.0, -50.0], &[1_u8, 1, 3], 1).unwrap();
        assert_eq!((part.result, part.points), (SeatResult::Drawn, Some(25.0)));
    }
}
