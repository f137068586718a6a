//! `botyard worker`: plays the tournaments of a store. `botyard-worker` does the work; this module has
//! the options, the lines and the exit codes.

mod shown;

use crate::coordinator_command::ReachArgs;
use botyard_cli::failure::{FAILED, Failure, HOST};
use botyard_cli::installed::{for_tournaments, programs};
use botyard_cli::text::{eprint_line, out};
use botyard_cli_tournament::store_arguments::StoreArgs;
use botyard_queue::Work;
use botyard_referee::Interrupt;
use botyard_runner::words::counted;
use botyard_worker::{Direct, Ended, Options, Worker, default_cache};
use clap::Args;
use shown::Shown;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// `botyard worker`.
#[derive(Debug, Args)]
#[command(after_help = "\
A worker claims blocks of games, fetches the bots by their digests, plays in the
sandbox of this host, and sends the results. Start one on each host, at any
time; it may be stopped or killed at any time. A block that it had not played is
played by another worker.

Examples:
  botyard worker --store postgres://botyard@lab-server/botyard
  BOTYARD_STORE=lab.db botyard worker --drain -j 4
  botyard worker --url https://coordinator.lab --token-file lab.token

Exit code: 0 after SIGTERM, SIGINT or the last game; 1 if results could not be
sent (they are kept in the cache, and the next worker sends them); 3 if the host
failed, or if --drain left tournaments that this host cannot play.")]
pub struct WorkerArgs {
    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// The coordinator, in place of a store.
    #[command(flatten)]
    pub coordinator: ReachArgs,

    /// Name of the worker, unique in the store [default: the name of the host]. With a token it
    /// follows the token's name: TOKEN/NAME
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Number of games to play at once [default: number of cores minus one]
    #[arg(short = 'j', long, alias = "games", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// End when no game is left
    #[arg(long)]
    pub drain: bool,

    /// Play this tournament only
    #[arg(long, value_name = "ID")]
    pub tournament: Option<String>,

    /// Directory for copies of bots and for results that could not be sent [default: for root
    /// /var/cache/botyard, otherwise ~/.cache/botyard]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// Seconds after which the games of a silent worker are given to others
    #[arg(long, value_name = "SECONDS", default_value_t = Options::TTL.as_secs(), value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub lease: u64,

    /// Claim no games while the cache has less free space than this
    #[arg(long, value_name = "MIB", default_value_t = Options::LEAST_FREE >> 20)]
    pub min_free_disk: u64,

    /// Minutes between two measurements of the host; 0: no measurement
    #[arg(long, value_name = "MINUTES", default_value_t = Options::CALIBRATION.as_secs() / 60, value_parser = clap::value_parser!(u64).range(0..=100_000))]
    pub calibrate: u64,

    /// Print events as JSON, one object per line, and nothing else
    #[arg(long)]
    pub json: bool,
}

/// Plays until a signal arrives or, with `--drain`, no game is left.
pub(crate) fn run(args: &WorkerArgs) -> anyhow::Result<ExitCode> {
    let mut options = options(args)?;
    let work = reach(args, &mut options)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let shown = Arc::new(Shown::new(args.json));
    let notify = Arc::clone(&shown);
    let worker = Worker::new(
        work,
        options,
        for_tournaments(programs()?),
        Arc::new(move |event| notify.show(event)),
    )?;
    let ended = worker.run(&interrupt)?;
    if !args.json {
        out(&in_words(&ended))?;
    }
    if ended.unsent > 0 {
        return Ok(ExitCode::from(FAILED));
    }
    if ended.is_drained && !ended.refused.is_empty() {
        for (tournament, reason) in &ended.refused {
            eprint_line(&format!("error: not played on this host: {tournament}: {reason}"));
        }
        return Ok(ExitCode::from(HOST));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the way to the queue, and sets the name of the worker.
fn reach(args: &WorkerArgs, options: &mut Options) -> anyhow::Result<Arc<dyn Work>> {
    let Some(reached) = args.coordinator.connect()? else {
        return Ok(Arc::new(Direct::new(args.store.open_patiently()?)));
    };
    options.name = options.name.as_deref().map(|name| reached.name(name));
    options.group = Some(reached.group.clone());
    Ok(Arc::new(reached.client))
}

fn options(args: &WorkerArgs) -> anyhow::Result<Options> {
    let cache = args.cache.clone().or_else(default_cache);
    let cache = cache.ok_or_else(|| {
        Failure::usage("there is no home directory: name a directory with --cache")
    })?;
    Ok(Options {
        name: args.name.clone(),
        concurrency: args.concurrency,
        ttl: Duration::from_secs(args.lease),
        least_free: args.min_free_disk.saturating_mul(1 << 20),
        drain: args.drain,
        tournament: args.tournament.clone(),
        calibration: (args.calibrate > 0).then(|| Duration::from_secs(args.calibrate * 60)),
        ..Options::new(cache)
    })
}

/// Describes the end of a worker.
fn in_words(ended: &Ended) -> String {
    let why = if ended.is_drained { "no game is left" } else { "stopped" };
    let mut text =
        format!("{why}: {} in {}\n", counted(ended.games, "game"), counted(ended.blocks, "block"));
    if ended.unsent > 0 {
        text.push_str(&format!(
            "{} could not be sent and are kept: the next worker with this cache sends them\n",
            counted(ended.unsent as u64, "result")
        ));
    }
    if ended.left > 0 {
        text.push_str(&format!(
            "{} could not be given back: other workers get them when they expire\n",
            counted(ended.left as u64, "lease")
        ));
    }
    text
}
