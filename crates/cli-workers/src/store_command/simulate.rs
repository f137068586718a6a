//! `botyard store simulate`: how many workers a store carries, and what limits them.

use botyard_cli::failure::Failure;
use botyard_cli::text::{out, print_event};
use botyard_cli_tournament::store_arguments::{address, open};
use botyard_league::plain_table::table_of_numbers;
use botyard_queue::{Address, Queue};
use botyard_runner::Error;
use botyard_runner::words::counted;
use botyard_worker::measurement::measure;
use botyard_worker::simulation::{Kind, Model, Outcome, Times};
use clap::Args;
use serde_json::json;
use std::process::ExitCode;
use std::sync::Arc;

/// The blocks by which the requests are measured.
const BLOCKS: u32 = 200;

/// `botyard store simulate`.
#[derive(Debug, Args)]
#[command(after_help = "\
The times of the requests are measured: in a new SQLite file, or in the empty
store that --store names. Then workers are simulated whose requests wait for
each other at the store. Their hosts and the network have no limits there.

Examples:
  botyard store simulate
  botyard store simulate --store postgres://botyard@lab/empty --served 4
  botyard store simulate --times claim=2,upload=1,result=3,heartbeat=1")]
pub(crate) struct SimulateArgs {
    /// Empty store in which requests are measured; one tournament, which is held, remains in it
    #[arg(long, value_name = "STORE", conflicts_with = "times")]
    store: Option<String>,

    /// Milliseconds that the store takes for each request, instead of a measurement
    #[arg(long, value_name = "KIND=MS,...", value_parser = times)]
    times: Option<Times>,

    /// Requests that the store serves at once [default: 1 for a file, the number of cores of this host
    /// for PostgreSQL]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    served: Option<u32>,

    /// Mean length of the games
    #[arg(long, value_name = "SECONDS,...", value_delimiter = ',', default_values_t = [1.0, 5.0, 60.0])]
    game: Vec<f64>,

    /// Number of games in a block
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    block: u32,

    /// Number of games that each worker plays at once
    #[arg(short = 'j', long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,

    /// Size of a replay; 0: no replays
    #[arg(long, value_name = "KIB", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=102_400))]
    replay: u32,

    /// Mean time of a claim at which claims are said to wait
    #[arg(long, value_name = "MS", default_value_t = 5.0)]
    most: f64,

    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Parses `claim=2,upload=1,result=3,heartbeat=1`, in milliseconds.
fn times(text: &str) -> Result<Times, String> {
    let expected = "expected claim=MS,upload=MS,result=MS,heartbeat=MS";
    let mut found = [None; 4];
    for part in text.split(',') {
        let (name, value) = part.split_once('=').ok_or(expected)?;
        let index = ["claim", "upload", "result", "heartbeat"].iter().position(|it| *it == name);
        let value: f64 = value.parse().map_err(|_| expected)?;
        if !(value > 0.0 && value < 1e6) {
            return Err(format!("{expected}, each more than 0"));
        }
        found[index.ok_or(expected)?] = Some(value / 1000.0);
    }
    match found {
        [Some(claim), Some(upload), Some(result), Some(heartbeat)] => {
            Ok(Times { claim, upload, result, heartbeat })
        }
        _ => Err(expected.into()),
    }
}

/// Measures the store, simulates, and prints the capacities.
pub(crate) fn simulate(args: &SimulateArgs) -> anyhow::Result<ExitCode> {
    if let Some(game) = args.game.iter().find(|game| !(0.001..=100_000.0).contains(*game)) {
        return Err(Failure::usage(format!(
            "expected games of 0.001 to 100000 seconds, got {game}"
        )));
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u32;
    let (times, what, at_once) = match (&args.times, &args.store) {
        (Some(times), _) => (*times, "as given".to_string(), 1),
        (None, Some(text)) => {
            let address = address(text)?;
            let at_once = if matches!(address, Address::Postgres(_)) { cores } else { 1 };
            (measured(args, &open(&address)?)?, format!("measured in {address}"), at_once)
        }
        (None, None) => {
            let place = tempfile::tempdir().map_err(Failure::host)?;
            let address = Address::File(place.path().join("simulate.db"));
            (measured(args, &open(&address)?)?, "measured in a new SQLite file".into(), 1)
        }
    };
    let served_at_once = args.served.unwrap_or(at_once);
    let model = |game: f64| Model {
        game,
        block: args.block,
        concurrency: args.concurrency,
        served_at_once,
        replays: args.replay > 0,
        times,
    };
    let found: Vec<(f64, Option<Outcome>)> =
        args.game.iter().map(|&game| (game, model(game).capacity(args.most / 1000.0, 1))).collect();
    if args.json {
        for (game, outcome) in &found {
            print_event(json!({
                "type": "capacity",
                "model": model(*game),
                "most_s": args.most / 1000.0,
                "outcome": outcome,
                "limited_by": outcome.as_ref().map(Outcome::heaviest),
            }))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let ms = |seconds: f64| format!("{:.2} ms", seconds * 1000.0);
    let mut text = format!(
        "requests, {what}: claim {}, upload of a replay of {} KiB {}, result of a block {}, heartbeat {}\n\
         the store serves {} at once; workers play {} at once, in blocks of {}\n\
         the most workers whose claims take {} ms or less in the mean:\n\n",
        ms(times.claim),
        args.replay,
        ms(times.upload),
        ms(times.result),
        ms(times.heartbeat),
        counted(served_at_once, "request"),
        counted(args.concurrency, "game"),
        args.block,
        args.most,
    );
    let mut table = table_of_numbers(&[
        "game",
        "workers",
        "games/s",
        "claim",
        "claim, 99%",
        "waiting",
        "store busy",
        "limited by",
    ]);
    for (game, outcome) in &found {
        table.add_row(match outcome {
            Some(outcome) => row(*game, outcome, ms),
            None => vec![format!("{game} s"), "0".into()],
        });
    }
    text.push_str(&format!("{table}\n"));
    out(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn row(game: f64, outcome: &Outcome, ms: impl Fn(f64) -> String) -> Vec<String> {
    let heaviest = outcome.heaviest();
    let part = outcome.load[heaviest as usize] / outcome.busy().max(1e-12);
    vec![
        format!("{game} s"),
        outcome.workers.to_string(),
        format!("{:.1}", outcome.games),
        ms(outcome.claim),
        ms(outcome.claim_p99),
        format!("{:.2}%", outcome.idle * 100.0),
        format!("{:.0}%", outcome.busy() * 100.0),
        format!("{} ({:.0}% of the work)", Kind::as_str(heaviest), part * 100.0),
    ]
}

fn measured(args: &SimulateArgs, queue: &Arc<Queue>) -> Result<Times, Error> {
    measure(queue, BLOCKS, (args.replay as usize) << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_whole_or_not_at_all() {
        let read = times("claim=2,upload=1,result=3,heartbeat=0.5").unwrap();
        assert_eq!((read.claim, read.heartbeat), (0.002, 0.0005));
        for text in ["", "claim=2", "claim=2,upload=1,result=3,heartbeat=0", "claim=x", "y=1"] {
            assert!(times(text).unwrap_err().contains("expected claim=MS"), "{text}");
        }
    }
}
