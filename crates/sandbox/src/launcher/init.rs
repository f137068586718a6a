//! Tiers B and C: namespaces of the program's own, and their first process. When that ends, for
//! whatever reason, the kernel kills everything in them and only then counts it as ended. So the
//! referee, whose child it is, ends a whole process tree with one signal and knows when the last
//! of it is gone.
//!
//! The first process is the launcher itself and not the program: the first process of a pid
//! namespace is immune to signals from within, and programs do not expect to inherit orphans.

use super::setup::{Step, Unfit};
use super::{Failure, Never, Order, become_program, identity, root, session};
use crate::channel::{Channel, Report};
use crate::launch::Launch;
use crate::resident_memory::peak_of_children;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    DumpableBehavior, Pid, WaitOptions, getegid, geteuid, set_dumpable_behavior, wait,
};
use rustix::thread::UnshareFlags;
use std::fs;
use std::io;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};

/// Starts the program in namespaces of its own. Returns only where that failed.
pub(super) fn start(channel: &Channel, order: Order) -> Result<Never, Failure> {
    let Order { launch, stdin, entrance } = order;
    let launch = &launch;
    enter_namespaces(launch)?;
    // A child of the referee, not of this process, whose work ends here.
    if let Some(pid) = fork_sibling().step("starting the first process of its namespaces")? {
        channel.report(&Report::Init { pid }).step("reporting to the referee")?;
        std::process::exit(0);
    }
    session::die_with_parent(channel)?;
    if let Some(entrance) = entrance {
        // This process and not the one before it, which would count as one of the program's.
        rustix::io::write(&entrance, b"0").step("entering its control group")?;
    }
    // Made from within the group, so that the program does not see what is around it.
    unshare(UnshareFlags::NEWCGROUP).step("making its namespace of control groups")?;
    let _ = rustix::system::sethostname(b"bot");
    // By its number on the machine, which is to be seen as long as the machine's /proc is.
    let user = identity::user(launch)?;
    root::enter(launch)?;
    identity::drop_root(user)?;
    session::die_with_parent(channel)?;
    let failure = match supervise(channel, launch, stdin) {
        Ok(never) => match never {},
        Err(failure) => failure,
    };
    Err(failure)
}

/// New namespaces for everything but control groups. Root makes them as root; anybody else, and a
/// root that may not, inside a user namespace in which this one user is called 1000.
fn enter_namespaces(launch: &Launch) -> Result<(), Unfit> {
    let all = UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS;
    if geteuid().is_root() {
        if unshare(all).is_ok() {
            return Ok(());
        }
        identity::drop_root(identity::user(launch)?)?;
        // A process that has changed its uid may not write its own maps otherwise.
        set_dumpable_behavior(DumpableBehavior::Dumpable).step("preparing its user namespace")?;
    }
    let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
    unshare(all | UnshareFlags::NEWUSER).step("making its namespaces")?;
    let name = crate::NAMESPACE_UID;
    for (file, text) in [
        ("/proc/self/setgroups", "deny".to_string()),
        ("/proc/self/uid_map", format!("{name} {uid} 1")),
        ("/proc/self/gid_map", format!("{name} {gid} 1")),
    ] {
        fs::write(file, text).step("naming its user")?;
    }
    Ok(())
}

#[allow(unsafe_code)]
fn unshare(namespaces: UnshareFlags) -> Result<(), Errno> {
    // SAFETY: the table of descriptors, which must not be unshared lightly, is not among them.
    unsafe { rustix::thread::unshare_unsafe(namespaces) }
}

/// `fork`, but the new process is a sibling of this one. Its number; `None` in the new process.
#[allow(unsafe_code)]
fn fork_sibling() -> io::Result<Option<i32>> {
    let flags = libc::CLONE_PARENT | libc::SIGCHLD;
    // SAFETY: without a stack of its own and without CLONE_VM this is a `fork`; the process has
    // one thread, so that no lock is held by another one that would be missing in the child.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
    match i32::try_from(pid) {
        Ok(0) => Ok(None),
        Ok(pid @ 1..) => Ok(Some(pid)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// `fork`: the number of the new process, `None` in the new process.
#[allow(unsafe_code)]
fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: the process has one thread, as above.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(Pid::from_raw(pid)),
    }
}

/// Starts the program, reaps whatever ends, and ends with the program or the referee.
fn supervise(channel: &Channel, launch: &Launch, stdin: OwnedFd) -> Result<Never, Failure> {
    let children = child_signals().step("watching for its end")?;
    let (running, is_running) = pipe_with(PipeFlags::CLOEXEC).step("watching for its start")?;
    let Some(program) = fork().step("starting its process")? else {
        drop((running, children));
        channel.report(&Report::Here).step("reporting to the referee")?;
        let failure = match begin_program(launch, stdin) {
            Ok(never) => match never {},
            Err(failure) => failure,
        };
        // Told before the other process hears that there was a failure.
        let _ = channel.report(&failure.into_report());
        let _ = rustix::io::write(&is_running, b"!");
        std::process::exit(1);
    };
    drop((is_running, stdin));
    leave_streams()?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable).step("closing itself to others")?;
    // The other end of the pipe closes when the program takes the process over.
    if read_to_end(&running).step("watching for its start")? > 0 {
        std::process::exit(1);
    }
    let processes = rustix::fs::open("/proc", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .step("opening its /proc")?;
    channel.report_with(&Report::Started, processes.as_fd()).step("reporting to the referee")?;
    drop(processes);
    loop {
        let mut fds = [PollFd::new(channel, PollFlags::IN), PollFd::new(&children, PollFlags::IN)];
        match poll(&mut fds, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(Unfit::new("watching for its end", errno).into()),
        }
        if !fds[0].revents().is_empty() {
            // The referee is gone, or has let go of the program.
            std::process::exit(0);
        }
        let mut news = [0; size_of::<libc::signalfd_siginfo>()];
        let _ = rustix::io::read(&children, &mut news);
        if let Some(ended) = reap(program) {
            let _ = channel.report(&ended);
            std::process::exit(0);
        }
    }
}

/// The way of the program's own process from here.
fn begin_program(launch: &Launch, stdin: OwnedFd) -> Result<Never, Failure> {
    session::begin()?;
    identity::drop_capabilities()?;
    become_program(launch, stdin)
}

/// Lets go of the program's pipes, so that they close when the program closes them.
fn leave_streams() -> Result<(), Unfit> {
    const STEP: &str = "leaving its streams to it";
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty());
    let null = null.step(STEP)?;
    rustix::stdio::dup2_stdin(&null).step(STEP)?;
    rustix::stdio::dup2_stdout(&null).step(STEP)?;
    rustix::stdio::dup2_stderr(&null).step(STEP)
}

fn read_to_end(pipe: &OwnedFd) -> Result<usize, Errno> {
    loop {
        match rustix::io::read(pipe, &mut [0; 1]) {
            Err(Errno::INTR) => {}
            read => return read,
        }
    }
}

/// A descriptor that is readable when a child has ended, instead of a signal.
#[allow(unsafe_code)]
fn child_signals() -> io::Result<OwnedFd> {
    // SAFETY: `set` is initialised by `sigemptyset` before it is read, and outlives the calls; the
    // descriptor that `signalfd` returns is new and nobody else's.
    unsafe {
        let mut set = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGCHLD);
        if libc::sigprocmask(libc::SIG_BLOCK, set.as_ptr(), std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
        match libc::signalfd(-1, set.as_ptr(), libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) {
            -1 => Err(io::Error::last_os_error()),
            fd => Ok(OwnedFd::from_raw_fd(fd)),
        }
    }
}

/// Reaps every child that has ended, orphans that the program has left among them; how the program
/// did, once it has.
fn reap(program: Pid) -> Option<Report> {
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        if pid == program {
            return Some(Report::Ended {
                code: status.exit_status(),
                signal: status.terminating_signal(),
                peak_memory: peak_of_children(),
            });
        }
    }
    None
}
