//! The launcher: a small program between the referee and a bot. It receives over a socket what to
//! start, contains *itself*, step by step, and then becomes the bot. In tiers B and C it becomes
//! the init process of the bot's namespaces, and its child becomes the bot. Before its last step it
//! waits until the bot may run, so that a bot can be contained while another one starts. It reports
//! failures over the same socket, which the bot never holds. The referee therefore knows whether
//! the sandbox failed (the host's fault) or the bot did.
//!
//! The launcher is a separate program, not a function called between `fork` and `exec`, because a
//! referee has threads: after `fork` in a multithreaded program hardly any function may be called.

mod files;
mod gate;
mod identity;
mod init;
mod program;
mod root;
mod session;
mod setup;
mod shares;
mod system_calls;

pub(crate) use files::landlock_abi;
pub use files::system_files;
pub(crate) use identity::CHOOSING_A_USER;
pub use identity::{is_unused_user, unused_user};

use crate::channel::{Channel, Report};
use crate::control_group::Entrance;
use crate::launch::Launch;
pub(crate) use program::Program;
use rustix::fd::{AsFd, OwnedFd};
use setup::{Step, Unfit};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// The exit code of a launcher that failed. Nothing depends on it: its report has the reason.
const FAILED: u8 = 125;

/// Runs the launcher, with the socket that is its standard input. Returns only if it fails.
pub fn serve() -> ExitCode {
    let channel = match receive() {
        Ok((channel, order)) => {
            let failure = match contain(&channel, order) {
                Ok(never) => match never {},
                Err(failure) => failure,
            };
            // This fails only if the referee is gone and the report is of no use.
            let _ = channel.report(&failure.into_report());
            return ExitCode::from(FAILED);
        }
        Err(error) => error,
    };
    let message = format!("error: this verb is started by a referee, not by hand: {channel}\n");
    let _ = io::stderr().write_all(message.as_bytes());
    ExitCode::from(FAILED)
}

/// The launcher's task and the descriptors that came with it.
struct Order {
    launch: Launch,
    /// The program's standard input.
    stdin: OwnedFd,
    /// The ways into the program's control group, if it has one.
    entrance: Option<Entrance>,
}

fn receive() -> io::Result<(Channel, Order)> {
    // Above the three standard streams: the program's own input replaces the first.
    let channel = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let channel = Channel::of_launcher(channel);
    session::close_others(&channel)?;
    let (launch, stdin, entrance) = channel.receive_launch()?;
    Ok((channel, Order { launch, stdin, entrance }))
}

/// A value that never exists.
enum Never {}

/// Why a program does not run.
enum Failure {
    /// It could not be contained.
    Unfit(Unfit),
    /// It was contained but could not be executed.
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
    become_program(channel, &order.launch, order.stdin, None)
}

/// Performs the last steps, in the process that becomes the program. Waits before the very last one
/// until the program may run.
/// Before a program with a memory limit that its processes share starts one, it asks at the gate.
fn become_program(
    channel: &Channel,
    launch: &Launch,
    stdin: OwnedFd,
    gate: Option<Channel>,
) -> Result<Never, Failure> {
    session::enter(&launch.directory)?;
    rustix::stdio::dup2_stdin(&stdin).step("connecting its standard input")?;
    drop(stdin);
    setup::limit_resources(launch)?;
    files::restrict(launch)?;
    let args = launch.args.iter().map(OsString::as_os_str);
    let program = Program::new(&launch.program, args, std::env::vars_os())
        .own_step("reading its command line")?;
    session::reset_signals();
    // On a host where the gate cannot be installed, only the memory watch limits the tree.
    if let Some(gate) = gate
        && let Ok(asking) = gate::install()
    {
        gate.pass(asking.as_fd()).step("sharing its memory limit")?;
    }
    channel.await_go().step("waiting until it may run")?;
    // From here on, only the system calls that the program itself may make.
    system_calls::restrict(launch)?;
    Err(Failure::Exec(program.run()))
}
