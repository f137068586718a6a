//! The standard streams of a bot. The protocol has the streams that the process was started with. In
//! their places, file descriptor 1 becomes a copy of standard error and 0 reads nothing, so that
//! neither a print nor a library or a child process writes into the protocol or reads from it.

use std::io::{self, BufRead, Write};

/// The streams of the protocol.
pub(crate) struct Streams {
    /// The lines of the referee.
    pub input: Box<dyn BufRead>,
    /// Where answers go.
    pub output: Box<dyn Write>,
}

impl Streams {
    /// Takes the standard streams for the protocol. Where that fails, as on systems other than unix,
    /// prints still go to the referee.
    pub(crate) fn take() -> Streams {
        #[cfg(unix)]
        if let Ok(taken) = replace() {
            return taken;
        }
        Streams { input: Box::new(io::stdin().lock()), output: Box::new(io::stdout()) }
    }
}

#[cfg(unix)]
fn replace() -> io::Result<Streams> {
    use std::fs::File;
    let above_standard = 3;
    let input = rustix::io::fcntl_dupfd_cloexec(io::stdin(), above_standard)?;
    let output = rustix::io::fcntl_dupfd_cloexec(io::stdout(), above_standard)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    if let Ok(nothing) = File::open("/dev/null") {
        rustix::stdio::dup2_stdin(nothing)?;
    }
    Ok(Streams {
        input: Box::new(io::BufReader::new(File::from(input))),
        output: Box::new(File::from(output)),
    })
}
