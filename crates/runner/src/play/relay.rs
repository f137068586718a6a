//! The relay, a process that acts for a person as a bot. It passes the referee's lines to the
//! `botyard play` that started it, and the answers back.
//!
//! It is a process so that the referee needs no second kind of player: process groups, limits,
//! verdicts and replays are the same for people and bots. It only relays because bots run in their
//! own process groups, and a process outside the terminal's foreground group can neither read the
//! terminal nor receive its Ctrl-C.

use std::ffi::OsString;
#[cfg(unix)]
use std::fs::File;
use std::io;
#[cfg(unix)]
use std::io::{Read, Write};
#[cfg(unix)]
use std::net::Shutdown;
#[cfg(unix)]
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

/// The connection between `botyard play` and its relay.
#[cfg(unix)]
pub type Line = std::os::unix::net::UnixStream;

/// The connection between `botyard play` and its relay. The standard library has no sockets on this
/// system that only one user can reach, so none is ever opened.
#[cfg(not(unix))]
pub type Line = std::net::TcpStream;

/// Why a person cannot play on this system.
#[cfg(not(unix))]
const NO_PLAY: &str = "a person can play only on Linux and macOS: on this system there is no private \
                       connection between the terminal and the referee";

/// The most bytes passed on at a time.
#[cfg(unix)]
const PIECE: usize = 16 * 1024;

/// The listening socket of `botyard play`, before its relay connects.
#[derive(Debug)]
pub struct Switchboard {
    #[cfg(unix)]
    listener: UnixListener,
    /// Only this user may access it. It is removed when the value is dropped.
    directory: tempfile::TempDir,
}

impl Switchboard {
    /// Opens a socket in a private directory.
    ///
    /// # Errors
    ///
    /// The temporary directory is not writable.
    #[cfg(unix)]
    pub fn new() -> io::Result<Switchboard> {
        let directory = tempfile::Builder::new().prefix("botyard-play-").tempdir()?;
        let listener = UnixListener::bind(directory.path().join("line"))?;
        Ok(Switchboard { listener, directory })
    }

    /// Fails: see [`Line`].
    ///
    /// # Errors
    ///
    /// Always.
    #[cfg(not(unix))]
    pub fn new() -> io::Result<Switchboard> {
        Err(io::Error::new(io::ErrorKind::Unsupported, NO_PLAY))
    }

    /// Returns the arguments with which `botyard` starts itself as the relay.
    pub(crate) fn relay_arguments(&self) -> Vec<OsString> {
        vec!["relay".into(), self.path().into_os_string()]
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("line")
    }

    /// Waits for the relay to connect.
    ///
    /// # Errors
    ///
    /// The socket fails.
    pub fn accept(&self) -> io::Result<Line> {
        #[cfg(unix)]
        return self.listener.accept().map(|(stream, _)| stream);
        #[cfg(not(unix))]
        return Err(io::Error::new(io::ErrorKind::Unsupported, NO_PLAY));
    }

    /// Connects in the relay's place, to end the wait for a relay that never ran.
    pub fn give_up(&self) {
        // If the socket is closed, nothing waits for it.
        #[cfg(unix)]
        let _ = Line::connect(self.path());
    }
}

/// Copies standard input to the socket, and the socket to standard output, until the referee closes
/// its side.
///
/// # Errors
///
/// Nothing listens at the socket.
#[cfg(unix)]
pub fn relay(socket: &Path) -> io::Result<()> {
    let from_person = Line::connect(socket)?;
    let to_person = from_person.try_clone()?;
    let referee = std::thread::spawn(move || {
        pass_on(io::stdin(), &to_person);
        // The referee has closed its side. Later answers from the person are ignored.
        let _ = to_person.shutdown(Shutdown::Both);
    });
    pass_on(from_person, io::stdout());
    // The person's side is closed. The relay closes its output and keeps running, because the
    // referee takes a program that exits for crashed.
    rustix::stdio::dup2_stdout(File::open("/dev/null")?)?;
    // A panic in that thread ends the relay as well.
    let _ = referee.join();
    Ok(())
}

/// Fails: see [`Line`].
///
/// # Errors
///
/// Always.
#[cfg(not(unix))]
pub fn relay(_: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, NO_PLAY))
}

/// Copies data as it arrives, until reading or writing fails or ends. Each means that the game is
/// over.
#[cfg(unix)]
fn pass_on(mut from: impl Read, mut to: impl Write) {
    let mut piece = vec![0; PIECE];
    loop {
        match from.read(&mut piece) {
            Ok(0) => return,
            Ok(count) => {
                if to.write_all(&piece[..count]).and_then(|()| to.flush()).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
