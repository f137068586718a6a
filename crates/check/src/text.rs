//! The checks of a bot as lines of text.

use crate::check::{CheckEvent, Checked, Counts, Status};
use crate::game::{GameCheckEvent, GameChecked, GameFigures};
use botyard_engine::registry::plain_name;

impl CheckEvent {
    /// Returns the event as text: a line for each check or finding.
    pub fn in_words(&self) -> String {
        match self {
            CheckEvent::CheckStarted { bot, move_ms, sandbox, .. } => {
                let sandbox = tier_in_words(sandbox);
                format!("checking {bot}: {move_ms} ms per move; {sandbox}\n\n")
            }
            CheckEvent::CheckResult(checked) => checked.in_words(),
            CheckEvent::CheckEnded { interrupted, counts, .. } => {
                let end = if *interrupted { "; interrupted" } else { "" };
                format!("\n{}{end}\n", counts.in_words())
            }
        }
    }
}

impl GameCheckEvent {
    /// Returns the event as text: a line for each check or finding.
    pub fn in_words(&self) -> String {
        match self {
            GameCheckEvent::GameCheckStarted { game, seed, games, sandbox, .. } => {
                let sandbox = tier_in_words(sandbox);
                format!("checking {game}: {games} random games from seed {seed}; {sandbox}\n\n")
            }
            GameCheckEvent::GameCheckResult(checked) => checked.in_words(),
            GameCheckEvent::GameCheckEnded { interrupted, figures, counts } => {
                let end = if *interrupted { "; interrupted" } else { "" };
                let GameFigures { games, decisions, longest, decisions_per_second, .. } = figures;
                format!(
                    "\n{}{end}\n{games} games, {decisions} decisions (the longest game: {longest}), \
                     {decisions_per_second:.0} decisions per second\n",
                    counts.in_words()
                )
            }
        }
    }
}

fn tier_in_words(sandbox: &str) -> String {
    match sandbox {
        "none" => "no sandbox".to_string(),
        tier => format!("sandbox tier {tier}"),
    }
}

impl Counts {
    fn in_words(&self) -> String {
        let Counts { passed, noted, failed, not_decided, skipped } = self;
        let mut words = format!("{passed} passed, {failed} failed");
        for (count, what) in
            [(noted, "with a note"), (not_decided, "not decided"), (skipped, "skipped")]
        {
            if *count > 0 {
                words.push_str(&format!(", {count} {what}"));
            }
        }
        words
    }
}

impl Checked {
    fn in_words(&self) -> String {
        self.lines(self.check.as_str(), |found| {
            let (message, remedy) = (&found.message, &found.remedy);
            let remedy = if remedy.is_empty() { String::new() } else { format!(" -> {remedy}") };
            let game = found
                .game
                .as_deref()
                .map_or(String::new(), |game| format!("{}: ", plain_name(game)));
            let stderr = found.stderr.trim_end();
            let stderr = if stderr.is_empty() { String::new() } else { format!("\n{stderr}") };
            format!("{game}{message}{remedy}{stderr}")
        })
    }
}

impl GameChecked {
    fn in_words(&self) -> String {
        self.lines(self.check.as_str(), |found| {
            let place = if found.place.is_empty() { "" } else { &format!("{}: ", found.place) };
            format!("{place}{} -> {}", found.message, found.remedy)
        })
    }
}

impl<C, F> Checked<C, F> {
    fn lines(&self, name: &str, in_words: impl Fn(&F) -> String) -> String {
        let status = match self.status {
            Status::Passed => "ok",
            Status::Noted => "note",
            Status::Failed => "FAILED",
            Status::NotDecided => "?",
            Status::Skipped => "-",
        };
        if self.findings.is_empty() {
            return format!("{status:7} {name:17} {}\n", self.message);
        }
        let lines = self.findings.iter().map(in_words);
        lines.map(|words| format!("{status:7} {name:17} {words}\n")).collect()
    }
}
