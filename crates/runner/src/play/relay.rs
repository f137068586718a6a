//! How a person is a bot to the referee: a process like any other, which passes the referee's lines
//! on to the `botyard play` that started it, and the answers back.
//!
//! Why a process: the referee needs no second kind of player, so whatever holds for bots (their
//! process group, limits, verdicts, the replay) holds for people, and nothing of it is said twice.
//! Why it only passes lines on: bots run in process groups of their own, and one that is not the
//! terminal's foreground group may neither read the terminal nor get its Ctrl-C.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// How much is passed on at once, in bytes.
const PIECE: usize = 16 * 1024;

/// The end of `botyard play`, before its relay has called.
#[derive(Debug)]
pub struct Switchboard {
    listener: UnixListener,
    /// Only this user may enter it; it goes with the value.
    directory: tempfile::TempDir,
}

impl Switchboard {
    /// A socket that nobody else knows of.
    ///
    /// # Errors
    ///
    /// A temporary directory that cannot be written to.
    pub fn new() -> io::Result<Switchboard> {
        let directory = tempfile::Builder::new().prefix("botyard-play-").tempdir()?;
        let listener = UnixListener::bind(directory.path().join("line"))?;
        Ok(Switchboard { listener, directory })
    }

    /// The arguments with which `botyard` starts itself as the relay.
    pub fn relay_arguments(&self) -> Vec<OsString> {
        vec!["relay".into(), self.path().into_os_string()]
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("line")
    }

    /// Waits for the relay to call.
    ///
    /// # Errors
    ///
    /// Those of the socket.
    pub fn accept(&self) -> io::Result<UnixStream> {
        self.listener.accept().map(|(stream, _)| stream)
    }

    /// Calls in the relay's place, so that nobody waits for a relay that never ran.
    pub fn give_up(&self) {
        // Where nobody listens, nobody waits.
        let _ = UnixStream::connect(self.path());
    }
}

/// Passes standard input on to the socket, and what comes from there to standard output, until
/// the referee has nothing more to say.
///
/// # Errors
///
/// A socket that nobody listens at.
pub fn relay(socket: &Path) -> io::Result<()> {
    let from_person = UnixStream::connect(socket)?;
    let to_person = from_person.try_clone()?;
    let referee = std::thread::spawn(move || {
        pass_on(io::stdin(), &to_person);
        // The referee has nothing more to say. What the person says now concerns nobody.
        let _ = to_person.shutdown(Shutdown::Both);
    });
    pass_on(from_person, io::stdout());
    // The person has nothing more to say. That is told by closing the output and staying: a
    // program that ends would count as crashed.
    rustix::stdio::dup2_stdout(File::open("/dev/null")?)?;
    // A panic there ends this as well.
    let _ = referee.join();
    Ok(())
}

/// Copies as it comes, until one of them fails or ends: both mean that the game is over.
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
