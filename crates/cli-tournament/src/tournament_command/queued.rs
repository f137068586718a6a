//! The verbs of `botyard tournament` for tournaments in a store: `list`, `hold`, `status` and `export`.

use super::arguments::{ExportArgs, HoldArgs, ListArgs, StatusArgs};
use botyard_cli::text::{out, print_event};
use botyard_queue::{Hold, prometheus};
use botyard_runner::Error;
use botyard_runner::words::counted;
use botyard_worker::{export, listing, status};
use std::path::PathBuf;
use std::process::ExitCode;

/// Prints the tournaments of a store.
pub(super) fn list(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let queue = args.store.open()?;
    let listed = listing::chosen(&queue, None)?;
    if args.json {
        listed.iter().try_for_each(|(it, _)| print_event(listing::as_json(it)))?;
    } else if listed.is_empty() {
        out("no tournaments; `botyard tournament submit FILE` submits one\n")?;
    } else {
        out(&listing::in_words(&listed))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Stops the blocks of a tournament from being leased, or leases them again.
pub(super) fn hold(args: &HoldArgs) -> anyhow::Result<ExitCode> {
    let hold = if args.resume { Hold::Open } else { Hold::Held };
    args.store.open()?.hold(&args.tournament, hold).map_err(Error::from)?;
    let then = match hold {
        Hold::Open => "its blocks are leased again",
        Hold::Held => "none of its blocks is leased; workers finish those that they have",
    };
    out(&format!("{}: {then}\n", args.tournament))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the state of one tournament or of all.
pub(super) fn status(args: &StatusArgs) -> anyhow::Result<ExitCode> {
    let queue = args.store.open()?;
    let chosen = listing::chosen(&queue, args.tournament.as_deref())?;
    if args.prometheus {
        out(&prometheus(&chosen))?;
    } else if args.json {
        for (listed, status) in &chosen {
            let definition = queue.definition(&listed.id).map_err(Error::from)?;
            let residuals = queue.residuals(&listed.id).map_err(Error::from)?;
            print_event(status::as_json(listed, status, &residuals, &definition))?;
        }
    } else if chosen.is_empty() {
        out("no tournaments\n")?;
    } else {
        let mut texts = Vec::new();
        for (listed, status) in &chosen {
            let definition = queue.definition(&listed.id).map_err(Error::from)?;
            let residuals = queue.residuals(&listed.id).map_err(Error::from)?;
            texts.push(status::in_words(listed, status, &residuals, &definition));
        }
        out(&texts.join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a tournament of a store as a directory.
pub(super) fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let queue = args.store.open()?;
    let default = || PathBuf::from(format!("{}.tournament", args.tournament.replace('/', "-")));
    let path = args.out.clone().unwrap_or_else(default);
    let exported = export::export(&queue, &args.tournament, &path)?;
    out(&format!(
        "{}: {} with {}; `botyard tournament` verbs work on this directory\n",
        path.display(),
        counted(exported.games, "game"),
        counted(exported.files, "file"),
    ))?;
    Ok(ExitCode::SUCCESS)
}
