//! Texts that several front ends print: counts, times, faults, a bot's standard error.

pub use crate::stderr_excerpt::stderr_in_words;
use botyard_protocol::{BotTime, ClockKind, EndOutcome, Fault, TimeControl, printable};
use botyard_replay::VoidEvidence;
pub use botyard_replay::info_in_words;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The width of wrapped text, in columns: it fits a terminal and an e-mail.
const WIDTH: usize = 96;
/// How many characters of a bot's text are shown.
const TEXT_CHARACTERS: usize = 300;

/// Formats a number with its noun: `1 game`, `2 games`.
pub fn counted(number: impl Into<u64>, word: &str) -> String {
    match number.into() {
        1 => format!("1 {word}"),
        number => format!("{number} {word}s"),
    }
}

/// Formats shares of the points: `anna 75.0%, ben 62.5%`.
pub fn shares_in_words(shares: &[(&str, f64)]) -> String {
    let words = shares.iter().map(|(name, share)| format!("{name} {:.1}%", share * 100.0));
    words.collect::<Vec<_>>().join(", ")
}

/// Quotes a word for a shell, if necessary.
pub fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_string(), Into::into)
}

/// Describes a fault, with the line that caused it and its consequence.
pub fn fault_in_words(fault: &Fault, fatal: bool) -> String {
    with_verb(fault, if fatal { "forfeits" } else { "commits a forgiven fault" })
}

/// Describes a fault whose consequence is known, with the line that caused it.
pub(crate) fn ended_by_in_words(fault: &Fault) -> String {
    with_verb(fault, "fails")
}

fn with_verb(fault: &Fault, what: &str) -> String {
    let Fault { kind, seat, turn, message, got } = fault;
    let at = if *turn == 0 { "before the first move".into() } else { format!("at move {turn}") };
    let mut words = format!("{seat} {what} {at}: {}: {}", kind.as_str(), printable(message, 1000));
    if let Some(got) = got {
        words.push_str(&format!("\n          it wrote: {}", printable(got, TEXT_CHARACTERS)));
    }
    words
}

/// Describes the failure of a bot in a game, for its author: the seat, the bots against which it
/// played, the fault and its line.
pub fn failure_in_words(fault: &Fault, against: &[&str]) -> String {
    let words = fault_in_words(fault, true);
    match against {
        [] => format!("it failed as {}: {words}", fault.seat),
        against => format!("it failed as {} against {}: {words}", fault.seat, against.join(", ")),
    }
}

/// Describes the evidence that the host kept a bot from running.
pub(crate) fn evidence_in_words(void: &VoidEvidence) -> String {
    let seat = void.seat.as_deref().unwrap_or("a bot");
    let evidence = &void.evidence;
    let mut words = format!(
        "  {seat} had {} for move {}; the referee was {} late to look",
        milliseconds(evidence.allowed_us as f64),
        void.turn,
        milliseconds(evidence.late_us as f64),
    );
    let watched = milliseconds(evidence.watched_us as f64);
    for (us, what) in [
        (evidence.cpu_us, "CPU time of the bot"),
        (evidence.waited_us, "time that a thread of the bot waited for a core"),
        (evidence.denied_us, "time that a runnable thread waited for a core"),
        (evidence.idle_us, "idle time of all cores together"),
        (evidence.referee_us, "time that the referee waited for a core"),
        (evidence.stolen_us, "time stolen from this virtual machine"),
        (evidence.excused_us, "excused time, not charged to the bot"),
    ] {
        if let Some(us) = us {
            words.push_str(&format!("\n    in {watched}: {what}: {}", milliseconds(us as f64)));
        }
    }
    words.push('\n');
    words
}

/// Describes the clocks of bots, each with its name and its own times: `200 ms per move (wall-clock
/// time)`, or `200 ms per move; mine: 50 ms per move (wall-clock time)`.
pub fn clocks_in_words<'a>(
    time: &TimeControl,
    bots: impl IntoIterator<Item = (&'a str, Option<BotTime>)>,
) -> String {
    let (mut words, mut has_common) = (Vec::new(), false);
    for (name, own) in bots {
        match own {
            Some(_) => words.push(format!("{name}: {}", times_in_words(&time.of_bot(own)))),
            None => has_common = true,
        }
    }
    if has_common || words.is_empty() {
        words.insert(0, times_in_words(time));
    }
    let clock = match time.kind {
        ClockKind::Wall => "(wall-clock time)",
        ClockKind::Cpu => "(CPU time)",
    };
    format!("{} {clock}", words.join("; "))
}

fn times_in_words(time: &TimeControl) -> String {
    let mut words = Vec::new();
    if let Some(ms) = time.move_ms {
        words.push(format!("{ms} ms per move"));
    }
    if let Some(ms) = time.bank_ms {
        words.push(format!("{ms} ms bank"));
    }
    if time.increment_ms > 0 {
        words.push(format!("{} ms increment", time.increment_ms));
    }
    if time.grace_ms > 0 {
        words.push(format!("{} ms grace", time.grace_ms));
    }
    words.join(", ")
}

/// Formats microseconds as milliseconds, with three significant digits.
pub fn milliseconds(us: f64) -> String {
    match us / 1000.0 {
        ms if ms < 9.995 => format!("{ms:.2} ms"),
        ms if ms < 99.95 => format!("{ms:.1} ms"),
        ms => format!("{ms:.0} ms"),
    }
}

/// Formats a duration in a fitting unit, rounded.
pub fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 90.0 => format!("{} s", seconds.ceil()),
        seconds if seconds < 5400.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds < 48.0 * 3600.0 => format!("{:.0} h", seconds / 3600.0),
        seconds => format!("{:.0} days", seconds / 86_400.0),
    }
}

/// Returns the place of a seat that has lost, if the losers have different places.
pub fn place_among_losers(outcome: &EndOutcome, seat: usize) -> Option<u8> {
    let EndOutcome { scores, ranks, .. } = outcome;
    let lost = || scores.iter().zip(ranks).filter(|(points, _)| **points <= 0.0);
    let place = *ranks.get(seat)?;
    lost().any(|(_, &other)| other != place).then_some(place)
}

/// Wraps `text` after `first` at 96 columns. Following lines are indented by the width of `first`.
/// Words are never broken.
pub fn wrapped(first: &str, text: &str) -> String {
    let indent = " ".repeat(textwrap::core::display_width(first));
    let options = Options::new(WIDTH)
        .initial_indent(&indent)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let words: Vec<&str> = text.split_whitespace().collect();
    let filled = textwrap::fill(&words.join(" "), options);
    format!("{first}{}\n", filled.get(indent.len()..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_stay_aligned() {
        let text = wrapped("name  ", &"word ".repeat(30));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.len() <= WIDTH && !line.ends_with(' ')));
        assert!(lines[0].starts_with("name  word") && lines[1].starts_with("      word"));
        assert_eq!(text.split_whitespace().count(), 31);
        let long = "x".repeat(WIDTH + 1);
        assert_eq!(wrapped("- ", &long), format!("- {long}\n"));
        assert_eq!(wrapped("name  ", ""), "name  \n");
        assert_eq!(wrapped("", " a\n b-c "), "a b-c\n");
    }

    #[test]
    fn durations_are_rounded_to_a_fitting_unit() {
        for (seconds, words) in [
            (0.2, "1 s"),
            (59.5, "60 s"),
            (600.0, "10 min"),
            (7200.0, "2 h"),
            (40.0 * 3600.0, "40 h"),
            (3.0 * 86_400.0, "3 days"),
        ] {
            assert_eq!(duration(seconds), words);
        }
    }
}
