//! Tiers B and C: the namespaces of the program, and their init process. When the init process
//! ends, for whatever reason, the kernel kills all processes in the PID namespace before it reports
//! the end. The init process is a child of the referee, so the referee kills a whole process tree
//! with one signal and knows when its last process has ended.
//!
//! The init process is the launcher itself, not the program: a PID namespace's init process is
//! immune to signals from inside, and programs do not expect to inherit orphans.

use super::setup::{Step, Unfit};
use super::shares::Shares;
use super::system_calls::Filters;
use super::{Failure, Never, NewProcess, Order, become_program, identity, root, session};
use crate::channel::{Channel, Report};
use crate::launch::Launch;
use crate::resident_memory::peak_of_children;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    DumpableBehavior, Gid, Pid, Uid, WaitOptions, getegid, geteuid, set_dumpable_behavior, wait,
};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space};
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

const SHARING: &str = "sharing its memory limit";

/// All namespaces except the cgroup namespace and the user namespace.
const NAMESPACES: UnshareFlags =
    UnshareFlags::NEWNS.union(UnshareFlags::NEWPID).union(UnshareFlags::NEWUTS).union(SLOW);

/// The namespaces that take the kernel longest to create.
const SLOW: UnshareFlags = UnshareFlags::NEWNET.union(UnshareFlags::NEWIPC);

/// The namespaces that the next program of a launcher gets.
#[derive(Debug, Default)]
pub(super) struct Spare {
    networks: Networks,
    has_ipc: bool,
}

impl Spare {
    /// Enters the namespaces of the next program ahead of its start, while there is nothing else to
    /// do. Only root can, without a user namespace.
    pub(super) fn create(&mut self) {
        if geteuid().is_root() {
            let _ = self.networks.enter_unused() || self.networks.enter_new();
            self.has_ipc = self.has_ipc || unshare(UnshareFlags::NEWIPC).is_ok();
        }
    }

    /// Returns which of the slow namespaces the next program's process has yet to create itself.
    fn missing(&mut self) -> UnshareFlags {
        let mut missing = SLOW;
        missing.set(UnshareFlags::NEWNET, !self.networks.enter_unused());
        missing.set(UnshareFlags::NEWIPC, !std::mem::take(&mut self.has_ipc));
        missing
    }
}

/// Network namespaces that programs have one after another, because to create and to destroy one takes
/// the kernel longer than the rest of a start. They stay as they are: no program can make a socket, or
/// change a device. This process is in the last one.
#[derive(Debug, Default)]
struct Networks(Vec<Network>);

#[derive(Debug)]
struct Network {
    namespace: OwnedFd,
    /// The processes in it that this one has forked. All processes of a program end before its init
    /// process.
    users: Vec<OwnedFd>,
}

impl Network {
    /// Forgets the users that have ended, and returns whether there is none.
    fn is_unused(&mut self) -> bool {
        self.users.retain(|user| !matches!(session::is_readable(user), Ok(true)));
        self.users.is_empty()
    }
}

impl Networks {
    /// Enters one that no program has, if there is one.
    fn enter_unused(&mut self) -> bool {
        let Some(at) = self.0.iter_mut().rposition(Network::is_unused) else { return false };
        let is_elsewhere = at + 1 < self.0.len();
        let network = self.0.remove(at);
        let kind = Some(LinkNameSpaceType::Network);
        if is_elsewhere && move_into_link_name_space(network.namespace.as_fd(), kind).is_err() {
            return false;
        }
        self.0.push(network);
        true
    }

    /// Enters a new one.
    fn enter_new(&mut self) -> bool {
        if unshare(UnshareFlags::NEWNET).is_err() {
            return false;
        }
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        match rustix::fs::open("/proc/self/ns/net", flags, Mode::empty()) {
            Ok(namespace) => self.0.push(Network { namespace, users: Vec::new() }),
            Err(_) => self.0.clear(),
        }
        !self.0.is_empty()
    }

    /// Notes that a forked process is in the namespace of this one.
    fn add_user(&mut self, user: OwnedFd) {
        if let Some(network) = self.0.last_mut() {
            let _ = network.is_unused();
            network.users.push(user);
        }
    }
}

/// Forks the first process of a start, a sibling of this one. Returns `None` in this process. In tiers
/// B and C the new one is the init process of new namespaces, if the system allows that in one step.
pub(super) fn fork_for(launch: &Launch, spare: &mut Spare) -> io::Result<Option<NewProcess>> {
    let mut forked = None;
    if launch.tier.has_namespaces() {
        let (at_once, missing, user) = match geteuid() {
            // What is missing is created by the new process, while this one may take another order.
            Uid::ROOT => (NAMESPACES - SLOW, spare.missing(), None),
            uid => {
                (NAMESPACES | UnshareFlags::NEWUSER, UnshareFlags::empty(), Some((uid, getegid())))
            }
        };
        // If this fails, the new process tries it in other ways, and reports why it cannot.
        let init = NewProcess::Init { missing, user };
        forked = fork_sibling(at_once).ok().map(|process| (process, init));
    }
    let (process, new) = match forked {
        Some(forked) => forked,
        None => (fork_sibling(UnshareFlags::empty())?, NewProcess::Plain),
    };
    let Process::Old(pidfd) = process else { return Ok(Some(new)) };
    spare.networks.add_user(pidfd);
    Ok(None)
}

/// Starts the program in its own namespaces. Returns only if that fails.
pub(super) fn start(
    channel: &Channel,
    process: NewProcess,
    order: Order,
    filters: &Filters,
) -> Result<Never, Failure> {
    let launch = &order.task.launch;
    match process {
        NewProcess::Init { missing, user } => {
            unshare(missing).step("making its namespaces")?;
            user.map_or(Ok(()), name_user)?;
        }
        NewProcess::Plain => {
            enter_namespaces(launch)?;
            // The child belongs to the referee, not to this process, which exits here.
            let forked = fork_sibling(UnshareFlags::empty());
            if let Process::Old(_) = forked.step("starting the first process of its namespaces")? {
                std::process::exit(0);
            }
        }
    }
    // First of all: a referee that gives up the start kills this process as soon as it knows it.
    channel.report(&Report::Init).step("reporting to the referee")?;
    session::die_with_parent(channel)?;
    let _ = rustix::system::sethostname(b"bot");
    // The UID is derived from the PID on the machine, which is visible only in the machine's /proc.
    let user = identity::user(launch)?;
    root::enter(launch)?;
    supervise(channel, order, user, filters)
}

/// Creates all namespaces except the cgroup namespace. Root creates them directly. Other users, and
/// a root that lacks the privilege, create them inside a user namespace with a single user, UID
/// 1000.
fn enter_namespaces(launch: &Launch) -> Result<(), Unfit> {
    if geteuid().is_root() {
        if unshare(NAMESPACES).is_ok() {
            return Ok(());
        }
        identity::drop_root(identity::user(launch)?)?;
        // Otherwise a process that has changed its UID may not write its own ID maps.
        set_dumpable_behavior(DumpableBehavior::Dumpable).step("preparing its user namespace")?;
    }
    let ids = (geteuid(), getegid());
    unshare(NAMESPACES | UnshareFlags::NEWUSER).step("making its namespaces")?;
    name_user(ids)
}

/// Names the only user of a new user namespace, who has these IDs outside.
fn name_user((uid, gid): (Uid, Gid)) -> Result<(), Unfit> {
    let (uid, gid) = (uid.as_raw(), gid.as_raw());
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
    // SAFETY: the descriptor table, which is dangerous to unshare, is not among these flags.
    unsafe { rustix::thread::unshare_unsafe(namespaces) }
}

/// Which of the two processes after a fork this is.
#[derive(Debug)]
enum Process {
    /// The one that forked, with a descriptor of the new one.
    Old(OwnedFd),
    New,
}

/// Forks a sibling of this process, in new namespaces of these kinds.
#[allow(unsafe_code)]
fn fork_sibling(namespaces: UnshareFlags) -> io::Result<Process> {
    let flags = libc::CLONE_PARENT | libc::CLONE_PIDFD | libc::SIGCHLD;
    let flags = namespaces.bits() | flags.cast_unsigned();
    let mut pidfd: libc::c_int = -1;
    // SAFETY: without a stack of its own and without CLONE_VM, this call is a `fork`. The process
    // has one thread, so no lock is held by another thread that would be missing in the child. The
    // kernel writes the descriptor, which has no other owner, before the call returns.
    unsafe {
        let pid = libc::syscall(libc::SYS_clone, flags, 0, &raw mut pidfd, 0, 0);
        Ok(match child_of(pid)? {
            Some(_) => Process::Old(OwnedFd::from_raw_fd(pidfd)),
            None => Process::New,
        })
    }
}

/// Forks. Returns the PID of the child; `None` in the child.
#[allow(unsafe_code)]
fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: the process has one thread, as above.
    child_of(unsafe { libc::fork() }.into())
}

/// Forks into the control group with this directory.
#[allow(unsafe_code)]
fn fork_into(group: BorrowedFd<'_>) -> io::Result<Option<Pid>> {
    /// From the kernel's `sched.h`.
    const CLONE_INTO_CGROUP: u64 = 1 << 33;
    // The structure `clone_args`: flags, three results that are not requested, the signal of its
    // end, no stack and its size, no thread-local storage, no chosen PIDs and their number, the
    // group.
    let mut arguments = [0_u64; 11];
    arguments[0] = CLONE_INTO_CGROUP;
    arguments[4] = u64::from(libc::SIGCHLD.unsigned_abs());
    arguments[10] = u64::from(group.as_raw_fd().unsigned_abs());
    // SAFETY: the call reads a structure of eleven words, whose size is passed. Otherwise as above.
    let pid =
        unsafe { libc::syscall(libc::SYS_clone3, arguments.as_ptr(), size_of_val(&arguments)) };
    child_of(pid)
}

/// Interprets the result of a fork.
fn child_of(result: libc::c_long) -> io::Result<Option<Pid>> {
    match result {
        ..0 => Err(io::Error::last_os_error()),
        pid => Ok(i32::try_from(pid).ok().and_then(Pid::from_raw)),
    }
}

/// Starts the program, reaps children, and exits with the program or the referee. This process stays
/// outside the program's control group, so that it is neither woken when the program is stopped nor
/// counted as the program's.
fn supervise(
    channel: &Channel,
    order: Order,
    user: Option<Uid>,
    filters: &Filters,
) -> Result<Never, Failure> {
    let children = child_signals().step("watching for its end")?;
    let (running, is_running) = pipe_with(PipeFlags::CLOEXEC).step("watching for its start")?;
    let (gate, asking) = Channel::pair().step(SHARING)?;
    // While this process is still root, which alone may start a process in the group.
    let group = order.entrance.as_ref().map(|entrance| fork_into(entrance.directory.as_fd()));
    let (forked, is_in_group) = match group {
        Some(Ok(forked)) => (forked, true),
        // Without a group, or on an older kernel, or where that call is forbidden.
        Some(Err(_)) | None => (fork().step("starting its process")?, false),
    };
    let Some(program) = forked else {
        drop((running, children, gate));
        let failure = match begin_program(channel, order, user, filters, is_in_group, asking) {
            Ok(never) => match never {},
            Err(failure) => failure,
        };
        // Report first: the other process must not learn of the failure before the referee.
        let _ = channel.report(&failure.into_report());
        let _ = rustix::io::write(&is_running, b"!");
        std::process::exit(1);
    };
    identity::drop_root(user)?;
    session::die_with_parent(channel)?;
    let memory = order.task.launch.limits.memory;
    drop((is_running, order, asking));
    leave_streams()?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable).step("closing itself to others")?;
    let shares = gate.passed().step(SHARING)?;
    let shares = shares.map(|gate| Shares::new(gate, memory));
    let mut shares = shares.transpose().step(SHARING)?;
    // The write end of the pipe closes when the process executes the program.
    wait_on([running.as_fd()], &mut shares, || {}).step("watching for its start")?;
    if read_to_end(&running).step("watching for its start")? > 0 {
        std::process::exit(1);
    }
    let processes = rustix::fs::open("/proc", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .step("opening its /proc")?;
    channel.report_with(&Report::Started, processes.as_fd()).step("reporting to the referee")?;
    drop((processes, gate));
    let report_children = || drop(channel.report(&Report::Children));
    // Without a gate, it need not ask.
    if shares.as_ref().is_none_or(Shares::has_started_one) {
        report_children();
    }
    loop {
        let on = [channel.as_fd(), children.as_fd()];
        let over = wait_on(on, &mut shares, report_children).step("watching for its end")?;
        let [is_over, _] = over;
        if is_over {
            // The referee has ended, or has dropped the program.
            std::process::exit(0);
        }
        let mut news = [0; size_of::<libc::signalfd_siginfo>()];
        let _ = rustix::io::read(&children, &mut news);
        if let Some(ended) = reap(program, shares.as_ref()) {
            let _ = channel.report(&ended);
            std::process::exit(0);
        }
    }
}

/// Waits until one of these is readable, and answers the program's calls at the gate meanwhile.
/// Calls `first` before the first of them that starts a process. Returns which are.
fn wait_on<const N: usize>(
    on: [BorrowedFd<'_>; N],
    shares: &mut Option<Shares>,
    first: impl Fn(),
) -> Result<[bool; N], Errno> {
    loop {
        let mut fds = Vec::with_capacity(N + 1);
        fds.extend(on.iter().map(|&fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        let open = shares.as_ref().filter(|shares| !shares.is_over());
        fds.extend(open.map(|shares| PollFd::new(shares, PollFlags::IN)));
        let pause = shares.as_ref().and_then(Shares::pause);
        let pause = pause.map(|pause| Timespec {
            tv_sec: 0,
            tv_nsec: pause.min(Duration::from_millis(999)).subsec_nanos().into(),
        });
        let ready = match poll(&mut fds, pause.as_ref()) {
            Err(Errno::INTR) => continue,
            ready => ready?,
        };
        let news: Vec<PollFlags> = fds.iter().map(PollFd::revents).collect();
        if let Some(open) = shares {
            match news.get(N) {
                Some(asked) if asked.contains(PollFlags::IN) => open.answer(&first),
                // No process is left that could ask.
                Some(asked) if !asked.is_empty() => open.end(),
                _ if ready == 0 => open.divide_again(),
                _ => {}
            }
        }
        let readable = std::array::from_fn(|at| !news[at].is_empty());
        if readable.contains(&true) {
            return Ok(readable);
        }
    }
}

/// Performs the last steps of the program's own process.
fn begin_program(
    channel: &Channel,
    order: Order,
    user: Option<Uid>,
    filters: &Filters,
    is_in_group: bool,
    asking: OwnedFd,
) -> Result<Never, Failure> {
    let Order { task, stdin, entrance, .. } = order;
    channel.report(&Report::Here).step("reporting to the referee")?;
    if let Some(entrance) = entrance
        && !is_in_group
    {
        rustix::io::write(&entrance.processes, b"0").step("entering its control group")?;
    }
    // Created inside the group, so that the program does not see the groups around it.
    unshare(UnshareFlags::NEWCGROUP).step("making its namespace of control groups")?;
    identity::drop_root(user)?;
    session::begin()?;
    let gate = task.launch.shares_memory().then(|| Channel::of_launcher(asking));
    become_program(channel, task, stdin, filters, gate)
}

/// Releases the program's pipes, so that they close when the program closes them.
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

/// Returns a descriptor that is readable when a child has ended, instead of a signal.
#[allow(unsafe_code)]
fn child_signals() -> io::Result<OwnedFd> {
    // SAFETY: `sigemptyset` initializes `set` before it is read, and `set` outlives the calls; the
    // descriptor that `signalfd` returns is new and has no other owner.
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

/// Reaps every child that has ended, including orphans of the program. Returns how the program
/// ended, once it has.
fn reap(program: Pid, shares: Option<&Shares>) -> Option<Report> {
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        if pid == program {
            return Some(Report::Ended {
                code: status.exit_status(),
                signal: status.terminating_signal(),
                peak_memory: peak_of_children(),
                processes: shares.map_or(1, Shares::sharing),
            });
        }
    }
    None
}
