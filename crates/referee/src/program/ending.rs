//! How a program ended.

use std::fmt;
use std::process::ExitStatus;

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// It was killed by this signal.
    Killed(i32),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Ending::Exited(code) => write!(f, "exited with code {code}"),
            Ending::Killed(signal) => match signal_name(signal) {
                Some(name) => write!(f, "was killed by signal {signal} ({name})"),
                None => write!(f, "was killed by signal {signal}"),
            },
        }
    }
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Ending {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Ending::Killed(signal);
        }
        Ending::Exited(status.code().unwrap_or_default())
    }
}

#[cfg(unix)]
fn signal_name(signal: i32) -> Option<&'static str> {
    use signal_hook::consts as c;
    Some(match signal {
        c::SIGABRT => "SIGABRT",
        c::SIGALRM => "SIGALRM",
        c::SIGBUS => "SIGBUS",
        c::SIGFPE => "SIGFPE",
        c::SIGHUP => "SIGHUP",
        c::SIGILL => "SIGILL",
        c::SIGINT => "SIGINT",
        c::SIGKILL => "SIGKILL",
        c::SIGPIPE => "SIGPIPE",
        c::SIGQUIT => "SIGQUIT",
        c::SIGSEGV => "SIGSEGV",
        c::SIGSYS => "SIGSYS",
        c::SIGTERM => "SIGTERM",
        c::SIGTRAP => "SIGTRAP",
        c::SIGXCPU => "SIGXCPU",
        c::SIGXFSZ => "SIGXFSZ",
        _ => return None,
    })
}

/// Other systems have no signals that end a program.
#[cfg(not(unix))]
fn signal_name(_: i32) -> Option<&'static str> {
    None
}
