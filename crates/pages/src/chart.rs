//! The drawings: the rating of a bot with its interval, on the scale of all ratings, and its rating
//! and the share of its points over its games or over time.

use crate::pieces::moment_text;
use botyard_league::standings::words::percent;
use botyard_league::standings::{BotStanding, RatingPoint, SharePoint};
use botyard_league::statistics::Estimate;
use maud::{Markup, html};

/// The maximum number of points that a curve is drawn through.
const POINTS: usize = 120;

/// The range of all ratings with their intervals.
pub fn scale(bots: &[BotStanding]) -> (f64, f64) {
    let rated = || bots.iter().filter_map(|bot| bot.rating);
    let low = rated().map(|rating| rating.low).fold(0.0, f64::min);
    let high = rated().map(|rating| rating.high).fold(0.0, f64::max);
    (low, high.max(low + 1.0))
}

/// Draws the rating of a bot as a point on the line of its interval, beside the mean of all bots. The
/// numbers are written beside it.
pub fn rating_line(bot: &BotStanding, (low, high): (f64, f64)) -> Markup {
    let x = |value: f64| 4.0 + (value - low) / (high - low) * 112.0;
    let at = |value: f64| format!("{:.1}", x(value));
    html! {
        @if let Some(rating) = bot.rating {
            svg class="rating" viewBox="0 0 120 14" aria-hidden="true" {
                line class="mean" x1=(at(0.0)) x2=(at(0.0)) y1="0" y2="14" {}
                line class="interval" x1=(at(rating.low)) x2=(at(rating.high)) y1="7" y2="7" {}
                circle cx=(at(rating.value)) cy="7" r="4" {}
            }
        }
    }
}

/// Draws the ratings of some days, as pairs of seconds since 1970 and rating, as a small line, with the
/// first and the last one in words.
pub fn trend_line(days: &[(u64, f64)]) -> Markup {
    /// A change below this is not drawn as a slope.
    const LEAST: f64 = 100.0;
    let (Some(&(begin, first)), Some(&(end, last))) = (days.first(), days.last()) else {
        return html! {};
    };
    if days.len() < 2 {
        return html! { span class="note" { "new" } };
    }
    let values = || days.iter().map(|&(_, rating)| rating);
    let (low, high) = (values().fold(first, f64::min), values().fold(first, f64::max));
    let (middle, height) = ((low + high) / 2.0, (high - low).max(LEAST));
    let points: Vec<String> = days
        .iter()
        .map(|&(at, rating)| {
            let x = 2.0 + 76.0 * (at - begin) as f64 / (end - begin).max(1) as f64;
            format!("{x:.1},{:.1}", 9.0 - 14.0 * (rating - middle) / height)
        })
        .collect();
    let words = format!("{first:+.0} to {last:+.0}");
    html! {
        svg class="trend" viewBox="0 0 80 18" role="img" aria-label=(words) {
            title { (words) }
            polyline points=(points.join(" ")) {}
        }
    }
}

/// A rating at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// When, in seconds since 1970.
    pub at: u64,
    /// The rating.
    pub rating: Estimate,
}

/// A value after a number of games or seconds, with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    games: u64,
    value: f64,
    low: f64,
    high: f64,
}

/// A curve through values over the games, with the band of their intervals.
struct Curve {
    points: Vec<Point>,
    /// The values of the horizontal lines with their words, from the lowest of the chart to the
    /// highest.
    grid: Vec<(f64, String)>,
    /// The value of the dashed line.
    even: f64,
    label: String,
    /// The words at the beginning and at the end.
    ends: (String, String),
    /// What began after some games or seconds.
    marks: Vec<(u64, String)>,
}

/// Draws the share of the points after each game, with the interval of each number of games and the
/// line of an even share. Empty with less than two games.
pub(crate) fn share_curve(history: &[SharePoint], seats: usize) -> Markup {
    let (Some(first), Some(last)) = (history.first(), history.last()) else { return html! {} };
    let label = format!(
        "Share of the points after each game: {} after {} games, {} after {} games",
        percent(Some(first.share)),
        first.games,
        percent(Some(last.share)),
        last.games
    );
    let point = |point: &SharePoint| {
        let SharePoint { games, share: value, interval } = *point;
        Point { games, value, low: interval.low, high: interval.high }
    };
    let grid = [(0.0, "0%"), (0.5, "50%"), (1.0, "100%")];
    let grid = grid.map(|(share, words)| (share, words.to_string())).to_vec();
    let points = history.iter().map(point).collect();
    let ends = (first.games.to_string(), format!("{} games", last.games));
    let even = 1.0 / seats.max(1) as f64;
    Curve { points, grid, even, label, ends, marks: Vec::new() }.drawn()
}

/// Draws the rating after parts of a tournament, with its interval and the line of the mean of all
/// bots. Empty with less than two parts.
pub(crate) fn rating_curve(history: &[RatingPoint]) -> Markup {
    let (Some(first), Some(last)) = (history.first(), history.last()) else { return html! {} };
    let label = format!(
        "Rating after parts of the tournament: {:+.0} after {} games, {:+.0} after {} games",
        first.rating.value, first.games, last.rating.value, last.games
    );
    let point = |point: &RatingPoint| {
        let RatingPoint { games, rating } = *point;
        Point { games, value: rating.value, low: rating.low, high: rating.high }
    };
    let ends = (first.games.to_string(), format!("{} games", last.games));
    of_ratings(history.iter().map(point).collect(), label, ends, Vec::new())
}

/// Draws the rating over time, with its interval, the line of the mean of all bots, and marks for what
/// began at a moment. Empty with less than two moments.
pub fn rating_over_time(history: &[Moment], marks: &[(u64, String)]) -> Markup {
    let (Some(first), Some(last)) = (history.first(), history.last()) else { return html! {} };
    let (from, to) = (moment_text(first.at), moment_text(last.at));
    let label = format!(
        "Rating over time: {:+.0} at {from}, {:+.0} at {to}",
        first.rating.value, last.rating.value
    );
    let since = |at: u64| at.saturating_sub(first.at);
    let point = |moment: &Moment| {
        let Moment { at, rating } = *moment;
        Point { games: since(at), value: rating.value, low: rating.low, high: rating.high }
    };
    let marks = marks.iter().map(|(at, words)| (since(*at), words.clone())).collect();
    of_ratings(history.iter().map(point).collect(), label, (from, to), marks)
}

/// Draws ratings, with lines at round values.
fn of_ratings(
    points: Vec<Point>,
    label: String,
    ends: (String, String),
    marks: Vec<(u64, String)>,
) -> Markup {
    let low = points.iter().map(|point| point.low).fold(0.0, f64::min);
    let high = points.iter().map(|point| point.high).fold(low + 1.0, f64::max);
    let step = round_step((high - low) / 4.0);
    let steps = (low / step).floor() as i64..=(high / step).ceil() as i64;
    let grid =
        steps.map(|number| number as f64 * step).map(|value| (value, format!("{value:+.0}")));
    Curve { points, grid: grid.collect(), even: 0.0, label, ends, marks }.drawn()
}

/// Returns the least step of 1, 2 or 5 times a power of ten that is not below this, and at least 10.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(10.0).log10().floor());
    [1.0, 2.0, 5.0]
        .map(|times| times * power)
        .into_iter()
        .find(|&step| step >= least)
        .unwrap_or(10.0 * power)
}

impl Curve {
    fn drawn(&self) -> Markup {
        const LEFT: f64 = 44.0;
        const TOP: f64 = 8.0;
        const SIZE: (f64, f64) = (306.0, 150.0);
        let [first, .., last] = self.points[..] else { return html! {} };
        let (Some((lowest, _)), Some((highest, _))) = (self.grid.first(), self.grid.last()) else {
            return html! {};
        };
        let span = (last.games - first.games).max(1) as f64;
        let height = highest - lowest;
        let x = |games: u64| LEFT + (games - first.games) as f64 / span * SIZE.0;
        let y = |value: f64| TOP + (highest - value) / height * SIZE.1;
        let drawn = thinned(&self.points);
        let list = |value: &dyn Fn(&Point) -> f64| -> Vec<String> {
            let at = |point: &Point| format!("{:.1},{:.1}", x(point.games), y(value(point)));
            drawn.iter().map(at).collect()
        };
        let mut band = list(&|point| point.high);
        band.extend(list(&|point| point.low).into_iter().rev());
        let curve = list(&|point| point.value).join(" ");
        let even = y(self.even);
        let (right, bottom) = (LEFT + SIZE.0, TOP + SIZE.1);
        html! {
            svg class="share" viewBox="0 0 360 186" role="img" aria-label=(self.label) {
                @for (value, words) in &self.grid {
                    line class="grid" x1=(LEFT) x2=(right) y1=(format!("{:.1}", y(*value))) y2=(format!("{:.1}", y(*value))) {}
                    text class="left" x=(LEFT - 5.0) y=(format!("{:.1}", y(*value) + 4.0)) { (words) }
                }
                polygon class="band" points=(band.join(" ")) {}
                line class="even" x1=(LEFT) x2=(right) y1=(format!("{even:.1}")) y2=(format!("{even:.1}")) {}
                polyline class="curve" points=(curve) {}
                @for (at, words) in &self.marks {
                    @let at = x((*at).clamp(first.games, last.games));
                    line class="even" x1=(format!("{at:.1}")) x2=(format!("{at:.1}")) y1=(TOP) y2=(bottom) {}
                    text x=(format!("{:.1}", at + 3.0)) y=(TOP + 10.0) { (words) }
                }
                text x=(LEFT) y=(bottom + 18.0) { (self.ends.0) }
                text class="left" x=(right) y=(bottom + 18.0) { (self.ends.1) }
            }
        }
    }
}

/// Returns at most [`POINTS`] of these, the first and the last among them.
fn thinned(history: &[Point]) -> Vec<Point> {
    if history.len() <= POINTS {
        return history.to_vec();
    }
    let last = history.len() - 1;
    (0..POINTS).map(|number| history[number * last / (POINTS - 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_league::score::Interval;

    fn history(games: u64) -> Vec<SharePoint> {
        let point = |games| SharePoint {
            games,
            share: 1.0 / games as f64,
            interval: Interval { low: 0.0, high: 1.0 },
        };
        (1..=games).map(point).collect()
    }

    #[test]
    fn a_curve_ends_in_its_last_point_however_many_there_are() {
        for games in [2, 120, 121, 5000] {
            let history = history(games);
            let points: Vec<Point> = history
                .iter()
                .map(|its| Point { games: its.games, value: its.share, low: 0.0, high: 1.0 })
                .collect();
            let drawn = thinned(&points);
            assert!(drawn.len() <= POINTS && drawn.len() >= points.len().min(POINTS));
            assert_eq!((drawn.first(), drawn.last()), (points.first(), points.last()));
            assert!(drawn.windows(2).all(|pair| pair[0].games < pair[1].games));
            let curve = share_curve(&history, 2).into_string();
            assert!(curve.contains(&format!("after {games} games\"")), "{curve}");
            assert!(!curve.contains("NaN") && !curve.contains("inf"), "{curve}");
        }
        assert_eq!(share_curve(&history(1), 2).into_string(), "");
        assert_eq!(share_curve(&[], 2).into_string(), "");
        assert_eq!(rating_over_time(&[], &[]).into_string(), "");
    }

    #[test]
    fn a_rating_over_time_has_marks() {
        let moment = |at, value| Moment {
            at,
            rating: Estimate { value, low: value - 50.0, high: value + 50.0 },
        };
        let history = [moment(1_000_000, 10.0), moment(1_000_600, -20.0), moment(1_003_600, 70.0)];
        let marks = [(1_000_000, "v1".to_string()), (1_000_600, "v2".to_string())];
        let drawn = rating_over_time(&history, &marks).into_string();
        assert!(drawn.contains("Rating over time: +10 at 1970-01-12 13:46 UTC, +70 at"), "{drawn}");
        assert!(drawn.contains(">v1</text>") && drawn.contains(">v2</text>"), "{drawn}");
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
    }

    #[test]
    fn a_curve_of_ratings_has_round_lines_around_all_intervals() {
        let rating =
            |value: f64, wide: f64| Estimate { value, low: value - wide, high: value + wide };
        let point = |games, value, wide| RatingPoint { games, rating: rating(value, wide) };
        let curve = rating_curve(&[point(10, -37.0, 130.0), point(20, 60.0, 90.0)]).into_string();
        assert!(curve.contains("-37 after 10 games, +60 after 20 games"), "{curve}");
        for line in ["-200", "-100", "+0", "+100", "+200"] {
            assert!(curve.contains(&format!(">{line}</text>")), "{line}: {curve}");
        }
        assert!(!curve.contains("NaN") && !curve.contains("inf"), "{curve}");
        let flat = rating_curve(&[point(1, 0.0, 0.0), point(1, 0.0, 0.0)]).into_string();
        assert!(!flat.contains("NaN") && !flat.contains("inf"), "{flat}");
        assert_eq!(rating_curve(&[point(1, 0.0, 5.0)]).into_string(), "");
        let steps = [1.0, 10.0, 11.0, 21.0, 51.0, 100.0].map(round_step);
        assert_eq!(steps, [10.0, 10.0, 20.0, 50.0, 100.0, 100.0]);
    }
}
