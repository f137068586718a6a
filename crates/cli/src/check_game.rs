//! `botyard check-game`: prints the checks of a game whose rules are a program, or JSON events. The
//! checks are made elsewhere.

use crate::bars::{TICK, bar};
use crate::containment_arguments::ContainmentArgs;
use crate::failure::{FAILED, Failure, HOST, unless_closed};
use crate::installed::programs;
use crate::start::key_and_value;
use crate::text::{out, print_event, warn};
use botyard_check::game::{GameCheck, GameCheckConfig, GameCheckEvent, run as check};
use botyard_check::{Counts, Observer};
use botyard_referee::Interrupt;
use botyard_runner::{Error, Message};
use clap::Args;
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard check-game`.
#[derive(Debug, Args)]
#[command(after_help = "\
DIR is a directory with a game.toml. For example:
  botyard check-game ./nim
  botyard check-game ./nim --rules misere --games 100
  botyard check-game ./nim --rule heaps=[1,2] --json

Exit code: 0 if no check failed, 1 if one failed, 3 if none failed but the host
could not decide one.")]
pub struct CheckGameArgs {
    /// Directory of the game to check
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Preset of the rules [default: every preset]
    #[arg(long, value_name = "PRESET")]
    pub rules: Option<String>,

    /// Change a rule of the preset; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub rule: Vec<(String, String)>,

    /// Number of random games
    #[arg(long, value_name = "N", default_value_t = GameCheckConfig::GAMES, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,

    /// Seed of the random games
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,

    /// Number of decisions within which every game must end
    #[arg(long, value_name = "N", default_value_t = GameCheckConfig::LONGEST, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub longest: u32,

    /// The sandbox.
    #[command(flatten)]
    pub containment: ContainmentArgs,

    /// Print events as JSON, one per line
    #[arg(long)]
    pub json: bool,
}

/// Checks the game.
pub(crate) fn run(args: &CheckGameArgs) -> anyhow::Result<ExitCode> {
    let config = GameCheckConfig {
        games: args.games,
        seed: args.seed,
        rules: args.rules.clone(),
        changes: args.rule.clone(),
        longest: args.longest,
        containment: (&args.containment).into(),
        ..GameCheckConfig::new(&args.directory)
    };
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let bar = bar(None, "{spinner} {elapsed} {msg}");
    bar.enable_steady_tick(TICK);
    let mut shown = Shown { json: args.json, bar };
    unless_closed(match check(&config, &programs()?, &interrupt, &mut shown) {
        Ok(Counts { failed: 1.., .. }) | Err(Error::Interrupted) => Ok(ExitCode::from(FAILED)),
        Ok(Counts { not_decided: 1.., .. }) => Ok(ExitCode::from(HOST)),
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error.into()),
    })
}

/// The output: text or JSON, with a spinner on a terminal.
struct Shown {
    json: bool,
    bar: ProgressBar,
}

impl Observer<GameCheck, GameCheckEvent> for Shown {
    fn warn(&mut self, warnings: &[Message]) {
        self.bar.suspend(|| warn(warnings));
    }

    fn working(&mut self, check: GameCheck, words: &str) {
        self.bar.set_message(format!("{} {words}", check.as_str()));
    }

    fn event(&mut self, event: GameCheckEvent) -> Result<(), Error> {
        if matches!(event, GameCheckEvent::GameCheckEnded { .. }) {
            self.bar.finish_and_clear();
        }
        let json = self.json;
        self.bar.suspend(|| match json {
            true => print_event(&event),
            false => out(&event.in_words()).map_err(Error::Output),
        })
    }
}
