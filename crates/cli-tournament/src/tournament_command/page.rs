//! `botyard tournament page`: makes web pages of the standings, of each bot and of games.
//! `botyard-pages` makes them; this module has the directory, the messages and the exit codes.

use super::arguments::PageArgs;
use botyard_cli::bars::bar_of_games;
use botyard_cli::failure::Failure;
use botyard_cli::replay::open_in_browser;
use botyard_cli::text::{out, warn};
use botyard_pages::{Options, PagesError, default_place, make};
use botyard_runner::words::counted;
use std::process::ExitCode;

/// Makes the pages, and prints the path of the first one.
pub(super) fn page(args: &PageArgs) -> anyhow::Result<ExitCode> {
    let place = args.out.clone().unwrap_or_else(|| default_place(&args.directory));
    let options = Options { games: args.games, force: args.force };
    let bar = bar_of_games(0);
    let made = make(&args.directory, &place, options, &mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let made = made.map_err(not_made)?;
    warn(&made.warnings);
    let left_out = match made.left_out {
        0 => String::new(),
        games => format!(
            "\n{} with a fault without a page; --games all makes a page of every game",
            counted(games as u64, "game")
        ),
    };
    out(&format!(
        "{}\npages of {} and {}{left_out}\n",
        made.index.display(),
        counted(made.bots as u64, "bot"),
        counted(made.games as u64, "game"),
    ))?;
    if args.open {
        open_in_browser(made.index.as_os_str())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn not_made(error: PagesError) -> anyhow::Error {
    match error {
        PagesError::Tournament(error) => error.into(),
        PagesError::NotADirectory(_) => {
            Failure::usage(format!("{error}; choose a directory with --out"))
        }
        PagesError::Foreign(_) => Failure::usage(format!(
            "{error}: choose another directory with --out, or write into this one with --force"
        )),
        PagesError::Write { .. } => Failure::host(error),
    }
}
