//! The launcher: a small process between the referee and its bots, one for each thread that starts
//! bots. It receives over a socket what to start, and forks. The new process, a child of the referee,
//! contains *itself*, step by step, and then becomes the bot. In tiers B and C it becomes the init
//! process of the bot's namespaces, and its child becomes the bot. Before its last step it waits until
//! the bot may run, so that a bot can be contained while another one starts. It reports failures over a
//! socket of its own, which the bot never holds. The referee therefore knows whether the sandbox failed
//! (the host's fault) or the bot did.
//!
//! The launcher is a separate program, not a function called between `fork` and `exec`, because a
//! referee has threads: after `fork` in a multithreaded program hardly any function may be called. It
//! lives as long as the thread, because executing a program costs more than most of what it does then.

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
pub use identity::{bots_group, is_unused_user, unused_user};

use crate::channel::{Channel, Report};
use crate::order::{self, Order, Task};
use init::Spare;
pub(crate) use program::{Program, variable};
use rustix::fd::{AsFd, OwnedFd};
use rustix::process::{Gid, Uid};
use rustix::thread::UnshareFlags;
use setup::{Step, Unfit};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use system_calls::Filters;

/// The exit code of a launcher that failed. Nothing depends on it: its report has the reason.
const FAILED: u8 = 125;

/// The step of starting a launcher, or a process of it.
pub(crate) const STARTING: &str = "starting the launcher";

/// Runs the launcher, with the socket that is its standard input, until the other end is closed.
pub fn serve() -> ExitCode {
    match serve_orders() {
        Ok(code) => code,
        Err(error) => {
            let message =
                format!("error: this verb is started by a referee, not by hand: {error}\n");
            let _ = io::stderr().write_all(message.as_bytes());
            ExitCode::from(FAILED)
        }
    }
}

fn serve_orders() -> io::Result<ExitCode> {
    let orders = session::take_orders()?;
    let mut buffer = order::buffer();
    let mut spare = Spare::default();
    let mut filters = Filters::default();
    while let Some((channel, order)) = order::receive(&orders, &mut buffer)? {
        filters.compile(&order.task.launch);
        match init::fork_for(&order.task.launch, &mut spare) {
            Ok(Some(process)) => {
                drop((orders, spare));
                let failure = match contain(&channel, process, order, &filters) {
                    Ok(never) => match never {},
                    Err(failure) => failure,
                };
                // This fails only if the referee is gone and the report is of no use.
                let _ = channel.report(&failure.into_report());
                return Ok(ExitCode::from(FAILED));
            }
            Ok(None)
                if order.task.launch.tier.has_namespaces() && !session::is_readable(&orders)? =>
            {
                drop((channel, order));
                spare.create();
            }
            Ok(None) => {}
            Err(error) => {
                // As above.
                let _ = channel.report(&Unfit::new(STARTING, error).into_report());
            }
        }
    }
    Ok(ExitCode::SUCCESS)
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

/// What the process is that a launcher has forked for an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NewProcess {
    /// The init process of the program's namespaces.
    Init {
        /// The namespaces that it has yet to create.
        missing: UnshareFlags,
        /// The IDs outside of the only user of a new user namespace, if there is one.
        user: Option<(Uid, Gid)>,
    },
    /// A process in the namespaces of the launcher.
    Plain,
}

fn contain(
    channel: &Channel,
    process: NewProcess,
    order: Order,
    filters: &Filters,
) -> Result<Never, Failure> {
    channel.report(&Report::Begun).step("reporting to the referee")?;
    session::begin()?;
    rustix::stdio::dup2_stdout(&order.stdout).step("connecting its standard output")?;
    rustix::stdio::dup2_stderr(&order.stderr).step("connecting its standard error")?;
    if order.task.launch.tier.has_namespaces() {
        return init::start(channel, process, order, filters);
    }
    identity::drop_root(identity::user(&order.task.launch)?)?;
    session::die_with_parent(channel)?;
    become_program(channel, order.task, order.stdin, filters, None)
}

/// Performs the last steps, in the process that becomes the program. Waits before the very last one
/// until the program may run.
/// Before a program with a memory limit that its processes share starts one, it asks at the gate.
fn become_program(
    channel: &Channel,
    task: Task,
    stdin: OwnedFd,
    filters: &Filters,
    gate: Option<Channel>,
) -> Result<Never, Failure> {
    let Task { launch, environment } = &task;
    session::enter(&launch.directory)?;
    rustix::stdio::dup2_stdin(&stdin).step("connecting its standard input")?;
    drop(stdin);
    setup::limit_resources(launch)?;
    files::restrict(launch)?;
    let args = launch.args.iter().map(OsString::as_os_str);
    let program = Program::new(&launch.program, args, environment.iter().cloned())
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
    filters.restrict(launch)?;
    Err(Failure::Exec(program.run()))
}
