//! The checks of a bot as lines of text.

use crate::check::{CheckEvent, Checked, Counts, Status};
use botyard_engine::registry::plain_name;

impl CheckEvent {
    /// Returns the event as text: a line for each check or finding.
    pub fn in_words(&self) -> String {
        match self {
            CheckEvent::CheckStarted { bot, move_ms, sandbox, .. } => {
                let sandbox = match sandbox.as_str() {
                    "none" => "no sandbox".to_string(),
                    tier => format!("sandbox tier {tier}"),
                };
                format!("checking {bot}: {move_ms} ms per move; {sandbox}\n\n")
            }
            CheckEvent::CheckResult(checked) => checked.in_words(),
            CheckEvent::CheckEnded { interrupted, counts, .. } => {
                let Counts { passed, noted, failed, not_decided, skipped } = counts;
                let mut words = format!("\n{passed} passed, {failed} failed");
                for (count, what) in
                    [(noted, "with a note"), (not_decided, "not decided"), (skipped, "skipped")]
                {
                    if *count > 0 {
                        words.push_str(&format!(", {count} {what}"));
                    }
                }
                let end = if *interrupted { "; interrupted" } else { "" };
                format!("{words}{end}\n")
            }
        }
    }
}

impl Checked {
    fn in_words(&self) -> String {
        let status = match self.status {
            Status::Passed => "ok",
            Status::Noted => "note",
            Status::Failed => "FAILED",
            Status::NotDecided => "?",
            Status::Skipped => "-",
        };
        let name = self.check.as_str();
        if self.findings.is_empty() {
            return format!("{status:7} {name:17} {}\n", self.message);
        }
        let lines = self.findings.iter().map(|found| {
            let game = found
                .game
                .as_deref()
                .map_or(String::new(), |game| format!("{}: ", plain_name(game)));
            let (message, remedy) = (&found.message, &found.remedy);
            let remedy = if remedy.is_empty() { String::new() } else { format!(" -> {remedy}") };
            let stderr = found.stderr.trim_end();
            let stderr = if stderr.is_empty() { String::new() } else { format!("{stderr}\n") };
            format!("{status:7} {name:17} {game}{message}{remedy}\n{stderr}")
        });
        lines.collect()
    }
}
