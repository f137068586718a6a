//! The review after a game of `botyard play`: how many mistakes the person made. The crate
//! `botyard-analysis` makes it.

use crate::analyze::Shown;
use crate::text::{eprint_line, out};
use botyard_analysis::{AnalysisConfig, review};
use botyard_play::{Record, reviewer};
use botyard_referee::Interrupt;
use botyard_runner::words::quoted;
use botyard_runner::{ContainmentConfig, Error, Programs};
use clap::ValueEnum;
use std::io::{self, IsTerminal};
use std::path::Path;

/// When a game is reviewed at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReviewWhen {
    /// At a terminal
    #[default]
    Auto,
    /// Also where the output is no terminal
    Always,
    /// Not at all
    Never,
}

impl ReviewWhen {
    fn is_now(self) -> bool {
        match self {
            ReviewWhen::Auto => io::stdout().is_terminal() && io::stderr().is_terminal(),
            ReviewWhen::Always => true,
            ReviewWhen::Never => false,
        }
    }
}

/// Reviews a game that has ended, unless the person interrupts that. `kept` is its replay where it is
/// kept. A review that cannot be made is no failure of the game: the person reads why.
///
/// # Errors
///
/// The output is closed.
pub(crate) fn after_game(
    when: ReviewWhen,
    record: &Record,
    kept: Option<&Path>,
    programs: &Programs,
    containment: ContainmentConfig,
) -> io::Result<()> {
    if !when.is_now() {
        return Ok(());
    }
    eprint_line("looking at your decisions; Ctrl-C ends that");
    let config = AnalysisConfig {
        seats: record.seats.clone(),
        containment,
        ..AnalysisConfig::by_nodes(&record.replay, reviewer())
    };
    match made(&config, programs) {
        Ok(text) => out(&text)?,
        Err(Error::Interrupted) => return Ok(()),
        Err(error) => {
            eprint_line(&format!("no review: {}", error.message().text(programs.name)));
            return Ok(());
        }
    }
    match kept {
        Some(file) => out(&format!("  botyard analyze {}\n", quoted(&file.to_string_lossy()))),
        None => out("with --out DIR, `botyard analyze` shows every decision of a game\n"),
    }
}

fn made(config: &AnalysisConfig, programs: &Programs) -> Result<String, Error> {
    let interrupt = Interrupt::on_signals().map_err(Error::host)?;
    let mut shown = Shown::new();
    let made = review(config, programs, &interrupt, &mut shown);
    shown.end();
    Ok(made?.0.to_text())
}
