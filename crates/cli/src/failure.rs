//! Why `botyard` could not do what it was asked to, and the exit code that tells a script which
//! kind of reason it was: 1 a game or a check failed, 2 wrong usage or configuration, 3 the host
//! could not do it. Done is 0.

use std::io;
use std::process::ExitCode;

/// A game or a check failed.
pub const FAILED: u8 = 1;
/// Wrong usage or configuration.
pub const USAGE: u8 = 2;
/// The host could not do it.
pub const HOST: u8 = 3;

/// A reason with its exit code, in a sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The command line or a file it names makes no sense.
    #[error("{0}")]
    Usage(String),
    /// The machine could not do it: no space, no processes, no permission.
    #[error("{0}")]
    Host(String),
}

impl Failure {
    /// A [`Failure::Usage`] as the error of a verb.
    pub fn usage(message: impl std::fmt::Display) -> anyhow::Error {
        Failure::Usage(message.to_string()).into()
    }

    /// A [`Failure::Host`] as the error of a verb.
    pub fn host(message: impl std::fmt::Display) -> anyhow::Error {
        Failure::Host(message.to_string()).into()
    }
}

/// The exit code for an error that ended a verb: what it does not say itself was the host.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    match error.downcast_ref::<Failure>() {
        Some(Failure::Usage(_)) => ExitCode::from(USAGE),
        Some(Failure::Host(_)) | None => ExitCode::from(HOST),
    }
}

/// Whether an error says that nobody reads the output any more, as after `| head`.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
