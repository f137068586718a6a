//! The launcher: a small program between the referee and a bot. It is told over a socket what to
//! start, contains *itself*, step by step, and then becomes the bot, or, in tiers B and C, the
//! first process of the bot's namespaces, whose child becomes it. What fails on the way is
//! reported over the same socket, which the bot never holds: so it is known whether the sandbox
//! failed (the host's fault) or the bot did.
//!
//! It is a program of its own, and not a function called between `fork` and `exec`, because a
//! referee has threads: after `fork` in such a program hardly anything may be called.

mod files;
mod identity;
mod init;
mod program;
mod root;
mod session;
mod setup;
mod system_calls;

pub(crate) use files::landlock_abi;
pub use files::system_files;
pub(crate) use identity::CHOOSING_A_USER;
pub use identity::{is_unused_user, unused_user};

use crate::channel::{Channel, Report};
use crate::launch::Launch;
pub(crate) use program::Program;
use rustix::fd::OwnedFd;
use setup::{Step, Unfit};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// The code with which a launcher ends that could not do its work. Nobody relies on it: what went
/// wrong is in its report.
const FAILED: u8 = 125;

/// Does what a launcher does, with the socket that is its standard input. It returns only where
/// that failed.
pub fn serve() -> ExitCode {
    let channel = match receive() {
        Ok((channel, order)) => {
            let failure = match contain(&channel, order) {
                Ok(never) => match never {},
                Err(failure) => failure,
            };
            // Nobody listens any more only where nobody is left to know it.
            let _ = channel.report(&failure.into_report());
            return ExitCode::from(FAILED);
        }
        Err(error) => error,
    };
    let message = format!("error: this verb is started by a referee, not by hand: {channel}\n");
    let _ = io::stderr().write_all(message.as_bytes());
    ExitCode::from(FAILED)
}

/// What the launcher is to do, and what it was given for that.
struct Order {
    launch: Launch,
    /// The program's standard input.
    stdin: OwnedFd,
    /// What lets a process into the program's control group, where it has one.
    entrance: Option<OwnedFd>,
}

fn receive() -> io::Result<(Channel, Order)> {
    // Above the three standard streams, the first of which gives way to the program's own.
    let channel = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let channel = Channel::of_launcher(channel);
    session::close_others(&channel)?;
    let (launch, stdin, entrance) = channel.receive_launch()?;
    Ok((channel, Order { launch, stdin, entrance }))
}

/// What never happens.
enum Never {}

/// Why a program is not running.
enum Failure {
    /// It could not be contained.
    Unfit(Unfit),
    /// It was contained and could not be run.
    Exec(io::Error),
}

impl Failure {
    fn into_report(self) -> Report {
        match self {
            Failure::Unfit(unfit) => unfit.into_report(),
            Failure::Exec(error) => match error.raw_os_error() {
                Some(errno) => Report::Exec { errno },
                None => Unfit::new("running the program", error).into_report(),
            },
        }
    }
}

impl From<Unfit> for Failure {
    fn from(unfit: Unfit) -> Failure {
        Failure::Unfit(unfit)
    }
}

fn contain(channel: &Channel, order: Order) -> Result<Never, Failure> {
    channel.report(&Report::Begun).step("reporting to the referee")?;
    session::begin()?;
    if order.launch.tier.has_namespaces() {
        return init::start(channel, order);
    }
    identity::drop_root(identity::user(&order.launch)?)?;
    session::die_with_parent(channel)?;
    become_program(&order.launch, order.stdin)
}

/// The last steps, in the process that becomes the program.
fn become_program(launch: &Launch, stdin: OwnedFd) -> Result<Never, Failure> {
    session::enter(&launch.directory)?;
    rustix::stdio::dup2_stdin(&stdin).step("connecting its standard input")?;
    drop(stdin);
    setup::limit_resources(launch)?;
    files::restrict(launch)?;
    let args = launch.args.iter().map(OsString::as_os_str);
    let program = Program::new(&launch.program, args, std::env::vars_os())
        .own_step("reading its command line")?;
    session::reset_signals();
    // From here on only what the program itself may do.
    system_calls::restrict(launch)?;
    Err(Failure::Exec(program.run()))
}
