//! Numbers and findings in words, shared by all formats.

use super::{BotStanding, Neighbours, RankedBy, Standings, TimeUse};
use crate::score::Interval;
use crate::statistics::power::games_to_show;
use crate::statistics::{ELO, Estimate, Model, SHRINKING_DRAWS};
use botyard_engine::Scores;
use std::fmt::Write;

/// The text for a missing value.
pub const NOTHING: &str = "-";

/// Formats a share: `62.5%`.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| NOTHING.into(), |share| format!("{:.1}%", share * 100.0))
}

/// Returns a mean of a game's own points.
pub fn own_points(points: Option<f64>) -> String {
    points.map_or_else(|| NOTHING.into(), |points| format!("{:.2}", points + 0.0))
}

/// Formats an interval of a share: `43.1 to 78.4%`.
pub fn percents(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || NOTHING.into(),
        |Interval { low, high }| format!("{:.1} to {:.1}%", low * 100.0, high * 100.0),
    )
}

/// Formats a rating without decimals; with a minus sign only if the rounded number is not 0.
pub fn points(value: f64) -> String {
    format!("{:+.0}", value.round() + 0.0)
}

/// Formats a rating without its interval: `+34`.
pub fn rating(rating: Option<Estimate>) -> String {
    rating.map_or_else(|| NOTHING.into(), |rating| points(rating.value))
}

/// Formats the interval of an estimate in Elo points: `-12 to +80`.
pub fn range(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(
        || NOTHING.into(),
        |estimate| format!("{} to {}", points(estimate.low), points(estimate.high)),
    )
}

/// Formats a rank.
pub fn rank(rank: Option<usize>) -> String {
    rank.map_or_else(|| NOTHING.into(), |rank| rank.to_string())
}

/// Formats the places that the data do not exclude: `2-4`.
pub fn places(bot: &BotStanding) -> String {
    match (bot.rank_low, bot.rank_high) {
        (Some(low), Some(high)) if low == high => low.to_string(),
        (Some(low), Some(high)) => format!("{low}-{high}"),
        _ => NOTHING.into(),
    }
}

/// Returns the letters of a number from 1: `a` to `z`, then `aa`.
pub fn letter(number: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = number;
    while rest > 0 {
        rest -= 1;
        letters.push(b'a' + (rest % 26) as u8);
        rest /= 26;
    }
    letters.iter().rev().map(|&letter| char::from(letter)).collect()
}

/// Returns the letters of groups, separated by spaces.
pub fn letters(groups: &[usize]) -> String {
    groups.iter().map(|&group| letter(group)).collect::<Vec<_>>().join(" ")
}

/// Lists the faults by kind: `timeout 2, crash 1`.
pub fn faults(bot: &BotStanding) -> String {
    let counts: Vec<String> =
        bot.faults.iter().map(|(kind, count)| format!("{} {count}", kind.as_str())).collect();
    if counts.is_empty() { NOTHING.into() } else { counts.join(", ") }
}

/// Formats microseconds as milliseconds.
pub fn milliseconds(us: Option<f64>) -> String {
    us.map_or_else(
        || NOTHING.into(),
        |us| match us / 1000.0 {
            ms @ ..1.0 => format!("{ms:.3} ms"),
            ms @ ..100.0 => format!("{ms:.1} ms"),
            ms => format!("{ms:.0} ms"),
        },
    )
}

/// Formats the excused time of a bot: all of it, and the most of a decision.
pub fn excused(time: &TimeUse) -> String {
    let [all, longest] =
        [time.excused_us, time.longest_excused_us].map(|us| milliseconds(Some(us as f64)));
    if time.excused_us == 0 { NOTHING.into() } else { format!("{all}, longest {longest}") }
}

/// Says whether a bot passed the gate.
pub fn gate(bot: &BotStanding) -> &'static str {
    match bot.gate_passed {
        Some(true) => "passed",
        Some(false) => "failed",
        None => NOTHING,
    }
}

/// Describes the comparison of a bot with the next one, without their names.
pub fn comparison(neighbours: &Neighbours) -> String {
    let (Some(difference), Some(p)) = (neighbours.difference, neighbours.p) else {
        return "cannot be compared".into();
    };
    let verdict = match neighbours.separated {
        true if difference.value < 0.0 => "separated, the lower one is stronger",
        true => "separated",
        false => "not separated",
    };
    let p = if p < 0.002 { "p < 0.002".into() } else { format!("p = {p:.3}") };
    format!("{verdict} ({} Elo, {}; {p})", points(difference.value), range(Some(difference)))
}

/// Names a model of ratings.
pub fn model(model: Model) -> &'static str {
    match model {
        Model::BradleyTerry => "Bradley-Terry",
        Model::TwoRole => "Bradley-Terry with a strength for each role",
        Model::PlackettLuce => "Plackett-Luce with terms for the seats",
        Model::PlackettLuceWithoutSeats => {
            "Plackett-Luce; the bots kept their seats, so strength and seat are confounded"
        }
    }
}

/// Describes the criterion of the rank.
fn ranking(standings: &Standings) -> String {
    match standings.ranked_by {
        RankedBy::Score if standings.seats.len() > 2 => {
            "Rank: by the share of the points; bots with the same share by how often they finished \
             ahead of an opponent, then by the games among them. The rating is from the finishing \
             order of each game."
        }
        RankedBy::Score => {
            "Rank: by the share of the points; bots with the same share by the games among them."
        }
        RankedBy::Rating => {
            "Rank: by the rating, because the bots met different opponents; bots that the games do not \
             separate share the rank. The share says what a bot scored against the opponents that it had."
        }
        RankedBy::Swiss => {
            "Rank: by the score in the Swiss table, then Buchholz, Sonneborn-Berger and the points of \
             single games."
        }
        RankedBy::Knockout => {
            "Rank: by the round reached; bots that lost in the same round share a place."
        }
    }
    .into()
}

/// Returns remarks about the whole standings, a sentence or two each.
pub fn remarks(standings: &Standings) -> Vec<String> {
    let mut remarks = vec![ranking(standings)];
    if standings.seats.len() > 2 && !standings.scoring.is_empty() {
        remarks.push(format!("Points and places of a game: {}", standings.scoring));
    }
    if !standings.times.is_empty() {
        remarks.push(format!("The times of the bots differ: {}.", standings.times));
    }
    if let Some(Scores { least, most, .. }) = standings.points {
        remarks.push(format!(
            "Points: the mean of the game's own, from {least} to {most}. Share: {}.",
            match standings.seats.len() {
                2 => "a half, and half of the lead in points in units of that range",
                _ => "the place of the points in that range, 0% for the least",
            }
        ));
    }
    let estimate = match standings.ranked_by {
        RankedBy::Rating => format!(
            "shrunk towards the mean by {SHRINKING_DRAWS} virtual draws of each bot against a mean one, so \
             that a few games say little"
        ),
        RankedBy::Score | RankedBy::Swiss | RankedBy::Knockout => "maximum likelihood".into(),
    };
    remarks.push(format!(
        "Rating: {}, {estimate}, in Elo points; 0 is the mean. Intervals: 95%, {} resamples of {} \
         blocks.",
        model(standings.model),
        standings.resamples,
        standings.blocks
    ));
    remarks.push(
        "Places, and what separates neighbours: places by strength that the data do not exclude, for \
         all bots at once with a confidence of 95%."
            .into(),
    );
    if let Some(edge) = standings.edge_shown {
        let seats = standings.seats.len() as u64;
        let even = 1.0 / seats as f64;
        let fewest = standings.bots.iter().map(|bot| bot.score.games).filter(|&games| games > 0);
        let mut text = format!(
            "{} games of a bot show a share of {:.3} or more against {even:.3} (80% power, 5% \
             two-sided).",
            fewest.min().unwrap_or(0),
            even + edge
        );
        let needed = [0.10, 0.05, 0.02].map(|edge| games_to_show(edge, seats));
        if let [Some(large), Some(small), Some(tiny)] = needed {
            let _ = write!(
                text,
                " An edge of .10 needs {large} games, .05 needs {small}, .02 needs {tiny}."
            );
        }
        remarks.push(text);
    }
    if let (Some(advantage), [first, second, ..]) = (standings.role_advantage, &standings.seats[..])
    {
        let even = 1.0 / (1.0 + (-advantage.value / ELO).exp());
        remarks.push(format!(
            "{first} is worth {} Elo ({}): among equals it beats {second} in {:.1}% of the games.",
            points(advantage.value),
            range(Some(advantage)),
            even * 100.0
        ));
    }
    if let Some(terms) = &standings.seat_terms {
        let mut text = String::from("Seats are worth, in Elo points: ");
        for (index, (seat, term)) in standings.seats.iter().zip(terms).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            let _ = write!(text, "{comma}{seat} {} ({})", points(term.value), range(Some(*term)));
        }
        remarks.push(text + ".");
    }
    if !standings.connected {
        remarks.push(
            "Not all bots can be compared: some never met, not even through others. Ratings of \
             different groups cannot be compared."
                .into(),
        );
    }
    if standings.void > 0 {
        remarks.push(format!(
            "{} void: the host failed. They are counted, not scored.",
            if standings.void == 1 {
                "1 game is".into()
            } else {
                format!("{} games are", standings.void)
            }
        ));
    }
    if standings.unreadable > 0 {
        remarks.push(format!(
            "Results that cannot be read and do not count: {}.",
            standings.unreadable
        ));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_counted_in_letters() {
        for (number, expected) in
            [(0, ""), (1, "a"), (26, "z"), (27, "aa"), (28, "ab"), (52, "az"), (703, "aaa")]
        {
            assert_eq!(letter(number), expected);
        }
        assert_eq!(letters(&[2, 3]), "b c");
    }
}
