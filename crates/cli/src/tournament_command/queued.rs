//! The verbs of `botyard tournament` for tournaments in a store: `list`, `hold`, `status` and `export`.

use super::arguments::{ExportArgs, HoldArgs, ListArgs, StatusArgs};
use crate::text::{out, print_event};
use botyard_league::plain_table::table_of_numbers;
use botyard_queue::{Hold, Listed, Queue, Status, prometheus};
use botyard_runner::Error;
use botyard_runner::words::counted;
use botyard_worker::{export, status};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Prints the tournaments of a store.
pub fn list(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let queue = args.store.open()?;
    let listed = queue.tournaments().map_err(Error::from)?;
    if args.json {
        for it in &listed {
            print_event(json!({
                "tournament": it.id,
                "name": it.name,
                "game": it.game,
                "state": it.hold.as_str(),
                "created_at": it.created_at,
            }))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if listed.is_empty() {
        out("no tournaments; `botyard tournament submit FILE` submits one\n")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = table_of_numbers(&["tournament", "game", "state", "blocks", "submitted"]);
    for it in &listed {
        let blocks = queue.status(&it.id).map_err(Error::from)?.blocks;
        let known = blocks.ready + blocks.leased + blocks.done + blocks.void;
        table.add_row([
            it.id.clone(),
            it.game.clone(),
            it.hold.as_str().to_string(),
            format!("{} of {known}", blocks.done),
            date(it.created_at),
        ]);
    }
    out(&format!("{table}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Formats a time in milliseconds since 1970.
fn date(at: i64) -> String {
    let since = Duration::from_millis(u64::try_from(at).unwrap_or_default());
    let at: Option<SystemTime> = UNIX_EPOCH.checked_add(since);
    at.map_or(String::new(), |at| humantime::format_rfc3339_seconds(at).to_string())
}

/// Stops the blocks of a tournament from being leased, or leases them again.
pub fn hold(args: &HoldArgs) -> anyhow::Result<ExitCode> {
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
pub fn status(args: &StatusArgs) -> anyhow::Result<ExitCode> {
    let queue = args.store.open()?;
    let chosen = chosen(&queue, args.tournament.as_deref())?;
    if args.prometheus {
        out(&prometheus(&chosen))?;
    } else if args.json {
        for (listed, status) in &chosen {
            let definition = queue.definition(&listed.id).map_err(Error::from)?;
            print_event(status::as_json(listed, status, &definition))?;
        }
    } else if chosen.is_empty() {
        out("no tournaments\n")?;
    } else {
        let mut texts = Vec::new();
        for (listed, status) in &chosen {
            let definition = queue.definition(&listed.id).map_err(Error::from)?;
            texts.push(status::in_words(listed, status, &definition));
        }
        out(&texts.join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns a tournament, or all of them, with their states.
fn chosen(queue: &Queue, id: Option<&str>) -> Result<Vec<(Listed, Status)>, Error> {
    let listed = queue.tournaments()?;
    if let Some(id) = id
        && !listed.iter().any(|it| it.id == id)
    {
        let known: Vec<&str> = listed.iter().map(|it| it.id.as_str()).collect();
        return Err(Error::usage(match known.is_empty() {
            true => format!("there is no tournament {id:?}: the store is empty"),
            false => format!("there is no tournament {id:?}; there are {}", known.join(", ")),
        }));
    }
    let chosen = listed.into_iter().filter(|it| id.is_none_or(|id| it.id == id));
    chosen.map(|it| Ok((it.clone(), queue.status(&it.id)?))).collect()
}

/// Writes a tournament of a store as a directory.
pub fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
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
