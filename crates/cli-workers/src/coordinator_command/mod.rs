//! `botyard coordinator`: serves a store to workers without database credentials. The crate
//! `botyard-coordinator` does the work; this module has the arguments, the signals and the log.

mod arguments;
mod reach;

pub(crate) use arguments::CoordinatorArgs;
pub(crate) use reach::ReachArgs;
pub use reach::{failure as client_failure, warn_if_open};

use arguments::{CoordinatorVerb, PlaceArgs, TokenVerb};
use botyard_cli::failure::Failure;
use botyard_cli::files::{already_there, create};
use botyard_cli::installed::programs;
use botyard_cli::signals;
use botyard_cli::text::{eprint_line, out, print_event};
use botyard_coordinator::{Coordinator, Limits, Setting, TokenFileError, Tokens};
use botyard_queue::Address;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

/// How long calls in progress may take when a signal ends the coordinator.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs `botyard coordinator`.
pub(crate) fn run(args: &CoordinatorArgs) -> anyhow::Result<ExitCode> {
    match &args.verb {
        None => serve(args),
        Some(CoordinatorVerb::Token(verb)) => token(verb),
    }
}

fn token(verb: &TokenVerb) -> anyhow::Result<ExitCode> {
    match verb {
        TokenVerb::Add { name, out: file, place } => add(name, file.as_deref(), &tokens(place)?)?,
        TokenVerb::List { json, place } => {
            for listed in tokens(place)?.list().map_err(unusable)? {
                if *json {
                    print_event(&listed)?;
                    continue;
                }
                let added = UNIX_EPOCH + Duration::from_secs(listed.added_at);
                let added = humantime::format_rfc3339_seconds(added);
                out(&format!("{:<20} added {added}\n", listed.name))?;
            }
        }
        TokenVerb::Revoke { name, place } => {
            tokens(place)?.revoke(name).map_err(unusable)?;
            eprint_line(&format!("{name} is revoked"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Adds a token, and writes or prints it.
fn add(name: &str, file: Option<&Path>, tokens: &Tokens) -> anyhow::Result<()> {
    if let Some(file) = file.filter(|file| file.exists()) {
        return Err(already_there(file));
    }
    let token = tokens.add(name).map_err(unusable)?;
    let text = format!("{}\n", token.reveal());
    let place = tokens.path().display();
    match file {
        None => {
            out(&text)?;
            eprint_line(&format!(
                "added to {place}, which has only its hash: this is the one time that it is printed"
            ));
        }
        Some(file) => {
            create(file, text.as_bytes()).inspect_err(|_| {
                let _ = tokens.revoke(name);
            })?;
            eprint_line(&format!(
                "added to {place}, which has only its hash; {} has it",
                file.display()
            ));
        }
    }
    Ok(())
}

/// Serves until a signal ends it.
fn serve(args: &CoordinatorArgs) -> anyhow::Result<ExitCode> {
    let tokens = tokens(&args.place)?;
    tokens.check().map_err(unusable)?;
    let mut signals = signals::that_end()?;
    let queue = args.place.store.open_patiently()?;
    let setting = Setting {
        listen: args.listen,
        tokens: Arc::new(tokens),
        programs: programs()?,
        limits: Limits { upload_bytes: usize::from(args.most_upload) << 20, ..Limits::default() },
        log: Arc::new(|event| eprint_line(&event.to_string())),
    };
    let coordinator = Coordinator::start(queue, setting).map_err(|error| {
        Failure::host(format!(
            "cannot listen on {}: {error}; choose another address with --listen",
            args.listen
        ))
    })?;
    out(&format!("http://{}\n", coordinator.address()))?;
    signals.wait();
    coordinator.stop(PATIENCE);
    Ok(ExitCode::SUCCESS)
}

/// Returns the tokens that the arguments name.
fn tokens(place: &PlaceArgs) -> anyhow::Result<Tokens> {
    let path: PathBuf = match (&place.token_file, place.store.address()?) {
        (Some(path), _) => path.clone(),
        (None, Some(Address::File(store))) => {
            let mut name = OsString::from(store);
            name.push(".tokens");
            name.into()
        }
        (None, Some(Address::Postgres(_))) => {
            return Err(Failure::usage(
                "name a file for the tokens with --token-file: beside a PostgreSQL database there is \
                 no place for it",
            ));
        }
        (None, None) => {
            return Err(Failure::usage(
                "name the store with --store or BOTYARD_STORE, or the file of tokens with --token-file",
            ));
        }
    };
    Ok(Tokens::in_file(path))
}

fn unusable(error: TokenFileError) -> anyhow::Error {
    match error {
        TokenFileError::Host { .. } => Failure::host(error),
        error => Failure::usage(error),
    }
}
