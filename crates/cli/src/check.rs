//! `botyard check`: prints the checks of a bot, or JSON events. The checks are made elsewhere.

use crate::containment_arguments::ContainmentArgs;
use crate::failure::{FAILED, Failure, HOST, unless_closed};
use crate::installed::programs;
use crate::settings::with_options;
use crate::text::{out, print_event, warn};
use botyard_check::{Check, CheckConfig, CheckEvent, Counts, Observer, Status, run as check};
use botyard_referee::Interrupt;
use botyard_runner::Error;
use botyard_runner::words::quoted;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::process::ExitCode;
use std::time::Duration;

/// `botyard check`.
#[derive(Debug, Args)]
#[command(after_help = "\
BOT is written as for `botyard match`. For example:
  botyard check ./my-bot
  botyard check \"python3 mine.py\" --game draughts
  botyard check class/ada --json

Exit code: 0 if no check failed, 1 if one failed, 3 if none failed but the host
could not decide one.")]
pub struct CheckArgs {
    /// Bot to check
    pub bot: String,

    /// Check it in this game only; may be repeated [default: every game that its `hello` lists]
    #[arg(long, value_name = "GAME")]
    pub game: Vec<String>,

    /// Time per move of the check `deadline`, in milliseconds; other games are more patient
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub move_time: u64,

    /// Never list the legal actions: the bot must play without
    #[arg(long)]
    pub no_legal: bool,

    /// The sandbox.
    #[command(flatten)]
    pub containment: ContainmentArgs,

    /// Print events as JSON, one per line
    #[arg(long)]
    pub json: bool,
}

/// Checks the bot.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let config = CheckConfig {
        bot: args.bot.clone(),
        games: args.game.clone(),
        move_ms: args.move_time,
        legal: !args.no_legal,
        containment: (&args.containment).into(),
    };
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut shown = Shown { json: args.json, bar, arguments: arguments(args) };
    unless_closed(match check(&config, &programs()?, &interrupt, &mut shown) {
        Ok(Counts { failed: 1.., .. }) | Err(Error::Interrupted) => Ok(ExitCode::from(FAILED)),
        Ok(Counts { not_decided: 1.., .. }) => Ok(ExitCode::from(HOST)),
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error.into()),
    })
}

/// The arguments that a later run needs, for the summary.
fn arguments(args: &CheckArgs) -> String {
    let games: Vec<String> = args.game.iter().map(|game| format!(" --game {game}")).collect();
    format!("{}{}", quoted(&args.bot), games.concat())
}

/// The output: text or JSON, with a spinner on a terminal.
struct Shown {
    json: bool,
    bar: ProgressBar,
    arguments: String,
}

impl Observer for Shown {
    fn warn(&mut self, warnings: &[String]) {
        self.bar.suspend(|| warn(warnings));
    }

    fn working(&mut self, check: Check, words: &str) {
        self.bar.set_message(format!("{} {words}", check.as_str()));
    }

    fn event(&mut self, event: CheckEvent) -> Result<(), Error> {
        let json = self.json;
        if matches!(event, CheckEvent::CheckEnded { .. }) {
            self.bar.finish_and_clear();
        }
        self.bar.suspend(|| match json {
            true => print_event(&event),
            false => out(&with_options(&in_words(&event, &self.arguments))).map_err(Error::Output),
        })
    }
}

fn in_words(event: &CheckEvent, arguments: &str) -> String {
    match event {
        CheckEvent::CheckStarted { bot, move_ms, sandbox, .. } => {
            let sandbox = match sandbox.as_str() {
                "none" => "no sandbox".to_string(),
                tier => format!("sandbox tier {tier}"),
            };
            format!("checking {bot}: {move_ms} ms per move; {sandbox}\n\n")
        }
        CheckEvent::CheckResult(checked) => {
            let status = match checked.status {
                Status::Passed => "ok",
                Status::Noted => "note",
                Status::Failed => "FAILED",
                Status::NotDecided => "?",
                Status::Skipped => "-",
            };
            let name = checked.check.as_str();
            if checked.findings.is_empty() {
                return format!("{status:7} {name:17} {}\n", checked.message);
            }
            let lines = checked.findings.iter().map(|found| {
                let game = found.game.as_ref().map_or(String::new(), |game| format!("{game}: "));
                let (message, remedy) = (&found.message, &found.remedy);
                let remedy =
                    if remedy.is_empty() { String::new() } else { format!(" -> {remedy}") };
                let stderr = found.stderr.trim_end();
                let stderr = if stderr.is_empty() { String::new() } else { format!("{stderr}\n") };
                format!("{status:7} {name:17} {game}{message}{remedy}\n{stderr}")
            });
            lines.collect()
        }
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
            if *interrupted {
                words.push_str("; interrupted");
            } else if *failed == 0 && *not_decided > 0 {
                words.push_str(&format!(
                    "\nto decide the rest, run `botyard check {arguments}` on a quiet host"
                ));
            }
            format!("{words}\n")
        }
    }
}
