//! `botyard play --browser`: a person plays against bots on a page. The crate `botyard-browser` has the
//! game itself.

use botyard_browser::{Browser, Options};
use botyard_cli::failure::FAILED;
use botyard_cli::installed::programs;
use botyard_cli::play::{PlayArgs, place_of};
use botyard_cli::replay::show_address;
use botyard_cli::text::{out, warn};
use std::process::ExitCode;

/// Plays games on a page until a signal ends them. An unfinished game is [`FAILED`].
pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let options = Options { port: args.port, rated: args.rated, level: args.level };
    let browser = Browser::open(args.configuration(), programs()?, options)?;
    warn(browser.warnings());
    let address = browser.address();
    out(&format!("{address}\n"))?;
    if args.open {
        show_address(&address);
    }
    let played = browser.play()?;
    let mut text = String::new();
    if played.is_unfinished {
        text.push_str("the game is left unfinished\n");
    }
    for replay in &played.replays {
        text.push_str(&place_of(replay));
    }
    let is_told = out(&text).is_ok();
    let is_done = is_told && !played.is_unfinished;
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}
