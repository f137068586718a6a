//! The drawings: the rating of a bot with its interval, on the scale of all ratings, and the share of
//! its points over its games.

use botyard_league::standings::words::percent;
use botyard_league::standings::{BotStanding, SharePoint};
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

/// Draws the share of the points after each game, with the interval of each number of games and the
/// line of an even share. Empty with less than two games.
pub fn share_curve(history: &[SharePoint], seats: usize) -> Markup {
    const LEFT: f64 = 44.0;
    const TOP: f64 = 8.0;
    const SIZE: (f64, f64) = (306.0, 150.0);
    let (Some(first), Some(last)) = (history.first(), history.last()) else { return html! {} };
    if history.len() < 2 {
        return html! {};
    }
    let span = (last.games - first.games) as f64;
    let x = |games: u64| LEFT + (games - first.games) as f64 / span * SIZE.0;
    let y = |share: f64| TOP + (1.0 - share) * SIZE.1;
    let drawn = thinned(history);
    let list = |value: &dyn Fn(&SharePoint) -> f64| -> Vec<String> {
        drawn.iter().map(|point| format!("{:.1},{:.1}", x(point.games), y(value(point)))).collect()
    };
    let mut band = list(&|point| point.interval.high);
    band.extend(list(&|point| point.interval.low).into_iter().rev());
    let curve = list(&|point| point.share).join(" ");
    let even = y(1.0 / seats.max(1) as f64);
    let (right, bottom) = (LEFT + SIZE.0, TOP + SIZE.1);
    let label = format!(
        "Share of the points after each game: {} after {} games, {} after {} games",
        percent(Some(first.share)),
        first.games,
        percent(Some(last.share)),
        last.games
    );
    html! {
        svg class="share" viewBox="0 0 360 186" role="img" aria-label=(label) {
            @for (share, words) in [(0.0, "0%"), (0.5, "50%"), (1.0, "100%")] {
                line class="grid" x1=(LEFT) x2=(right) y1=(y(share)) y2=(y(share)) {}
                text class="left" x=(LEFT - 5.0) y=(y(share) + 4.0) { (words) }
            }
            polygon class="band" points=(band.join(" ")) {}
            line class="even" x1=(LEFT) x2=(right) y1=(format!("{even:.1}")) y2=(format!("{even:.1}")) {}
            polyline class="curve" points=(curve) {}
            text x=(LEFT) y=(bottom + 18.0) { (first.games) }
            text class="left" x=(right) y=(bottom + 18.0) { (last.games) " games" }
        }
    }
}

/// Returns at most [`POINTS`] of these, the first and the last among them.
fn thinned(history: &[SharePoint]) -> Vec<SharePoint> {
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
            let drawn = thinned(&history);
            assert!(drawn.len() <= POINTS && drawn.len() >= history.len().min(POINTS));
            assert_eq!((drawn.first(), drawn.last()), (history.first(), history.last()));
            assert!(drawn.windows(2).all(|pair| pair[0].games < pair[1].games));
            let curve = share_curve(&history, 2).into_string();
            assert!(curve.contains(&format!("after {games} games\"")), "{curve}");
            assert!(!curve.contains("NaN") && !curve.contains("inf"), "{curve}");
        }
        assert_eq!(share_curve(&history(1), 2).into_string(), "");
        assert_eq!(share_curve(&[], 2).into_string(), "");
    }
}
