//! Exit codes: 0 success, 1 a game or check failed, 2 wrong usage or configuration, 3 the host
//! failed.

use crate::text::eprint_line;
use botyard_league::StoreError;
use botyard_runner::settings::Named;
use botyard_runner::{Error, Piece};
use std::borrow::Cow;
use std::io;
use std::process::ExitCode;

/// A game or a check failed.
pub const FAILED: u8 = 1;
/// Wrong usage or configuration.
pub(crate) const USAGE: u8 = 2;
/// The host failed: a system call, a full disk, an unwritable file.
pub const HOST: u8 = 3;

/// Constructors of errors with their own exit codes.
pub struct Failure;

impl Failure {
    /// Wrong usage. The message says what to write instead.
    pub fn usage(message: impl Piece) -> anyhow::Error {
        Error::usage(message).into()
    }

    /// A failure of the host. The message says what to do.
    pub fn host(message: impl Piece) -> anyhow::Error {
        Error::host(message).into()
    }
}

/// The exit code for an error that ended a verb; [`HOST`] for an error without its own code.
pub(crate) fn exit_code(error: &anyhow::Error) -> ExitCode {
    ExitCode::from(match error.downcast_ref::<Error>() {
        Some(Error::Usage(_)) => USAGE,
        Some(Error::Interrupted) => FAILED,
        Some(Error::Store(error)) if !error.is_failure() => USAGE,
        Some(Error::Store(_) | Error::Host(_) | Error::Rules(_) | Error::Output(_)) | None => HOST,
    })
}

/// The error message, with a remedy where there is one.
pub fn in_words(error: &anyhow::Error) -> String {
    match error.downcast_ref::<Error>() {
        Some(Error::Store(error)) => format!("{error}{}", remedy(error)),
        Some(Error::Usage(message) | Error::Host(message) | Error::Rules(message)) => {
            message.text(Named::option)
        }
        _ => format!("{error:#}"),
    }
}

/// What to do about a store that cannot be used; empty if the error message says so itself.
fn remedy(error: &StoreError) -> Cow<'static, str> {
    let remedy = match error {
        StoreError::Exists { directory } => {
            return format!(
                ": resume it with `botyard tournament resume {}`, or choose another directory with \
                 --out",
                directory.display()
            )
            .into();
        }
        StoreError::NoTournament { .. } => {
            "\nIf the store is damaged, `botyard tournament recover` rebuilds it from the replays"
        }
        StoreError::Damaged(_) => {
            "\n`botyard tournament check` compares the store with the replays; `botyard tournament \
             recover` rebuilds it from them"
        }
        StoreError::Full(_) => "; free some space, then run `botyard tournament resume`",
        _ => "",
    };
    remedy.into()
}

/// Prints the reason of a failure to standard error, and returns the exit code [`FAILED`].
///
/// # Errors
///
/// None: a verb ends with this.
pub fn failed(reason: &str) -> anyhow::Result<ExitCode> {
    eprint_line(reason);
    Ok(ExitCode::from(FAILED))
}

/// The exit code after games: success if they are `whole`, [`FAILED`] otherwise, also after an
/// interrupt.
///
/// # Errors
///
/// Any other reason of a stop.
pub fn after_games(stopped: Option<Error>, is_whole: bool) -> anyhow::Result<ExitCode> {
    match stopped {
        Some(Error::Interrupted) | None if is_whole => Ok(ExitCode::SUCCESS),
        Some(Error::Interrupted) | None => Ok(ExitCode::from(FAILED)),
        Some(error) => Err(error.into()),
    }
}

/// The exit code of games whose output was closed is [`FAILED`]: they were not all played.
///
/// # Errors
///
/// Any other error of the games.
pub fn unless_closed(played: anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode> {
    match played {
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::from(FAILED)),
        played => played,
    }
}

/// Whether the error is a closed output pipe, as after `| head`.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let error = match error.downcast_ref::<Error>() {
        Some(Error::Output(error)) => Some(error),
        _ => error.downcast_ref::<io::Error>(),
    };
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
