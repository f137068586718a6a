//! The standings as comma-separated values (RFC 4180), for a grade book or a spreadsheet.
//!
//! A text that a spreadsheet would parse as a formula is prefixed with an apostrophe.
//!
//! New columns are added behind the others, so that a program that counts columns can still read the
//! file. The reason of the gate is a long text in one line.

use super::{BotStanding, Standings};
use botyard_protocol::{FaultKind, printable};

/// The maximum length of a reason, in characters.
const REASON: usize = 1000;

/// The kinds of faults, each of which has a column.
const FAULTS: [FaultKind; 8] = [
    FaultKind::Timeout,
    FaultKind::Crash,
    FaultKind::Closed,
    FaultKind::IllegalAction,
    FaultKind::Protocol,
    FaultKind::OutputLimit,
    FaultKind::Memory,
    FaultKind::StartFailed,
];

pub(super) fn write(standings: &Standings) -> String {
    let mut columns: Vec<String> = [
        "rank",
        "rank_lo",
        "rank_hi",
        "team",
        "bot",
        "version",
        "sha256",
        "games",
        "win_share",
        "ci_lo",
        "ci_hi",
        "rating",
        "rating_rank",
    ]
    .map(String::from)
    .to_vec();
    columns.extend(standings.seats.iter().map(|seat| format!("win_share_{seat}")));
    let has_points = standings.points.is_some();
    if has_points {
        columns.push("points".into());
        columns.extend(standings.seats.iter().map(|seat| format!("points_{seat}")));
    }
    columns.extend(["faults", "void", "gate_passed"].map(String::from));
    columns.extend(["student_id", "won", "drawn", "lost"].map(String::from));
    columns.extend(["rating_lo", "rating_hi", "groups"].map(String::from));
    columns.extend(FAULTS.map(|kind| format!("fault_{}", kind.as_str())));
    columns.extend(["gate_reason", "excused_us", "longest_excused_us"].map(String::from));
    let mut text = row(columns.iter().map(|column| quoted(column)));
    for bot in &standings.bots {
        text.push_str(&row(cells(bot, has_points).into_iter()));
    }
    text
}

fn cells(bot: &BotStanding, has_points: bool) -> Vec<String> {
    let number = |value: Option<f64>, digits: usize| {
        value.map_or_else(String::new, |value| format!("{value:.digits$}"))
    };
    let rank = |rank: Option<usize>| rank.map_or_else(String::new, |rank| rank.to_string());
    let interval = bot.block_interval.or(bot.score.interval);
    let mut cells = vec![
        rank(bot.rank),
        rank(bot.rank_low),
        rank(bot.rank_high),
        quoted(if bot.team.is_empty() { &bot.name } else { &bot.team }),
        quoted(&bot.name),
        quoted(&bot.version),
        quoted(&bot.sha256),
        bot.score.games.to_string(),
        number(bot.score.share, 4),
        number(interval.map(|interval| interval.low), 4),
        number(interval.map(|interval| interval.high), 4),
        number(bot.rating.map(|rating| rating.value), 1),
        rank(bot.rating_rank),
    ];
    cells.extend(bot.by_seat.iter().map(|score| number(score.share, 4)));
    if has_points {
        cells.push(number(bot.score.points, 4));
        cells.extend(bot.by_seat.iter().map(|score| number(score.points, 4)));
    }
    cells.push(bot.fault_count().to_string());
    cells.push(bot.void.to_string());
    cells.push(bot.gate_passed.map_or_else(String::new, |passed| passed.to_string()));
    cells.push(quoted(&bot.student_id));
    cells.extend([bot.score.wins, bot.score.draws, bot.score.losses].map(|n| n.to_string()));
    cells.push(number(bot.rating.map(|rating| rating.low), 1));
    cells.push(number(bot.rating.map(|rating| rating.high), 1));
    cells.push(bot.group_letters());
    cells.extend(FAULTS.map(|kind| bot.faults.get(&kind).copied().unwrap_or_default().to_string()));
    let reason: Vec<&str> = bot.gate_reason.split_whitespace().collect();
    cells.push(quoted(&printable(&reason.join(" "), REASON)));
    cells.extend([bot.time.excused_us, bot.time.longest_excused_us].map(|us| us.to_string()));
    cells
}

fn row(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(",") + "\r\n"
}

/// Returns a text as a cell. Every character that starts a formula in some spreadsheet is
/// neutralised, including full-width ones and those after spaces.
fn quoted(text: &str) -> String {
    let formula = text.trim_start().starts_with([
        '=', '+', '-', '@', '|', '%', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
    ]);
    let text = if formula { format!("'{text}") } else { text.to_string() };
    if text.contains([',', '"', ';', '\'']) || text != text.trim() {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_fault_has_a_column() {
        for kind in FAULTS {
            // A new kind does not compile here: it needs a column.
            match kind {
                FaultKind::Timeout
                | FaultKind::Crash
                | FaultKind::Closed
                | FaultKind::IllegalAction
                | FaultKind::Protocol
                | FaultKind::OutputLimit
                | FaultKind::Memory
                | FaultKind::StartFailed => {}
            }
        }
        let distinct: std::collections::BTreeSet<FaultKind> = FAULTS.into();
        assert_eq!(distinct.len(), FAULTS.len());
    }
}
