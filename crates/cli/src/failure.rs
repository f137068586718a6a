//! Exit codes, which tell a script why `botyard` did not do what it was asked to: 1 a game or a check
//! failed, 2 wrong usage or configuration, 3 the host could not do it. Done is 0.

use botyard_league::store::StoreError;
use botyard_runner::Error;
use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// A game or a check failed.
pub const FAILED: u8 = 1;
/// Wrong usage or configuration.
pub const USAGE: u8 = 2;
/// The host could not do it.
pub const HOST: u8 = 3;

/// Makes errors of verbs that have an exit code of their own.
pub struct Failure;

impl Failure {
    /// Wrong usage, with a sentence that says what to write instead.
    pub fn usage(message: impl Display) -> anyhow::Error {
        Error::usage(message).into()
    }

    /// A host that could not do it, with a sentence that says what to do.
    pub fn host(message: impl Display) -> anyhow::Error {
        Error::host(message).into()
    }
}

/// The exit code for an error that ended a verb: what it does not say itself was the host.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    ExitCode::from(match error.downcast_ref::<Error>() {
        Some(Error::Usage(_)) => USAGE,
        Some(Error::Interrupted) => FAILED,
        Some(Error::Store(error)) => code_of_store(error),
        Some(Error::Host(_) | Error::Output(_)) | None => HOST,
    })
}

fn code_of_store(error: &StoreError) -> u8 {
    match error {
        StoreError::NoTournament { .. }
        | StoreError::NotThere { .. }
        | StoreError::Exists { .. }
        | StoreError::Newer { .. }
        | StoreError::Pending
        | StoreError::NonePending => USAGE,
        StoreError::Damaged(_)
        | StoreError::Full(_)
        | StoreError::Twice { .. }
        | StoreError::Host(_) => HOST,
    }
}

/// An error in words, with what to do about it.
pub fn in_words(error: &anyhow::Error) -> String {
    match error.downcast_ref::<Error>() {
        Some(Error::Store(error)) => format!("{error}{}", remedy(error)),
        _ => format!("{error:#}"),
    }
}

/// What to do about a store that cannot be used; empty where its error says so.
fn remedy(error: &StoreError) -> &'static str {
    match error {
        StoreError::NoTournament { .. } => {
            "\nIf it is damaged, `botyard tournament recover` rebuilds it from the replays"
        }
        StoreError::Damaged(_) => {
            "\n`botyard tournament check` compares it with the replays, and `botyard tournament recover` \
             rebuilds it from them"
        }
        StoreError::Full(_) => "; make room, and `botyard tournament resume` goes on where it was",
        _ => "",
    }
}

/// Whether an error says that nobody reads the output any more, as after `| head`.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let error = match error.downcast_ref::<Error>() {
        Some(Error::Output(error)) => Some(error),
        _ => error.downcast_ref::<io::Error>(),
    };
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
