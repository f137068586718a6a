//! `botyard check`: prints the checks of a bot, or JSON events. The checks are made elsewhere.

use crate::bars::{TICK, bar};
use crate::containment_arguments::ContainmentArgs;
use crate::failure::{FAILED, Failure, HOST, unless_closed};
use crate::quiet_arguments::QuietArgs;
use crate::text::{out, print_event, warn};
use crate::time_arguments::milliseconds;
use botyard_check::{Check, CheckConfig, CheckEvent, Counts, Observer, run as check};
use botyard_referee::Interrupt;
use botyard_runner::words::quoted;
use botyard_runner::{Error, Message, game_programs};
use clap::Args;
use indicatif::ProgressBar;
use std::path::Path;
use std::process::ExitCode;

/// `botyard check`.
#[derive(Debug, Args)]
#[command(after_help = "\
BOT is written as for `botyard match`. For example:
  botyard check ./my-bot
  botyard check \"python3 mine.py\" --game draughts
  botyard check class/ada --json
  botyard check ./my-bot --game ./nim

Exit code: 0 if no check failed, 1 if one failed, 3 if none failed but the host
could not decide one.")]
pub struct CheckArgs {
    /// Bot to check
    pub bot: String,

    /// Check it in this game only; may be repeated [default: every game that its `hello` lists]
    #[arg(long, value_name = "GAME")]
    pub game: Vec<String>,

    /// Time per move of the check `deadline`, in milliseconds; other games are more patient
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = milliseconds(1..=86_400_000))]
    pub move_time: u64,

    /// Never list the legal actions: the bot must play without
    #[arg(long)]
    pub no_legal: bool,

    /// The sandbox.
    #[command(flatten)]
    pub containment: ContainmentArgs,

    /// The wait for a quiet host.
    #[command(flatten)]
    pub quiet: QuietArgs,

    /// Print events as JSON, one per line
    #[arg(long)]
    pub json: bool,
}

/// Checks the bot.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let config = CheckConfig {
        games: args.game.iter().map(|game| game_of(game, args)).collect::<Result<_, _>>()?,
        move_ms: args.move_time,
        legal: !args.no_legal,
        containment: (&args.containment).into(),
        ..CheckConfig::new(&args.bot)
    };
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let bar = bar(None, "{spinner} {elapsed} {msg}");
    bar.enable_steady_tick(TICK);
    let mut shown = Shown { json: args.json, bar, arguments: arguments(args) };
    unless_closed(match check(&config, &args.quiet.programs()?, &interrupt, &mut shown) {
        Ok(Counts { failed: 1.., .. }) | Err(Error::Interrupted) => Ok(ExitCode::from(FAILED)),
        Ok(Counts { not_decided: 1.., .. }) => Ok(ExitCode::from(HOST)),
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error.into()),
    })
}

/// Returns the name of a game in the registry, which is loaded if it is a directory.
fn game_of(written: &str, args: &CheckArgs) -> Result<String, Error> {
    let here = Path::new("");
    game_programs::named(written, here, &(&args.containment).into(), &args.quiet.programs()?)
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
    fn warn(&mut self, warnings: &[Message]) {
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
            false => out(&in_words(&event, &self.arguments)).map_err(Error::Output),
        })
    }
}

fn in_words(event: &CheckEvent, arguments: &str) -> String {
    let words = event.in_words();
    match event {
        CheckEvent::CheckEnded { interrupted: false, counts, .. }
            if counts.failed == 0 && counts.not_decided > 0 =>
        {
            format!("{words}to decide the rest, run `botyard check {arguments}` on a quiet host\n")
        }
        _ => words,
    }
}
