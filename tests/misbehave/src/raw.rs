//! System calls that no safe library wraps, because programs should not need them.
#![allow(unsafe_code)] // This program does what programs must not do.

use std::ffi::CStr;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

fn checked(result: impl Into<i64>) -> io::Result<()> {
    if result.into() < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Ignores every signal that can be ignored.
pub fn ignore_signals() {
    for signal in 1..32 {
        // SAFETY: ignoring a signal runs no code.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Sends a signal to this process.
pub fn signal_itself(signal: i32) {
    // SAFETY: numbers.
    unsafe { libc::kill(libc::getpid(), signal) };
}

/// Reads from an unmapped address.
pub fn read_nothing() {
    // SAFETY: none: the kernel kills the program for it, as intended.
    unsafe { std::ptr::without_provenance::<u8>(8).read_volatile() };
}

/// Closes a descriptor that is still in use.
pub fn close(descriptor: i32) {
    // SAFETY: the standard library tolerates closed standard streams.
    unsafe { libc::close(descriptor) };
}

/// Works until this process has used `time` more CPU time.
pub fn use_cpu_time(time: Duration) {
    let end = cpu_time() + time;
    while cpu_time() < end {
        std::hint::black_box((0..1000).sum::<u64>());
    }
}

/// Requests the lowest priority for this process and all that it starts.
pub fn request_lowest_priority() {
    let lowest = libc::sched_param { sched_priority: 0 };
    // SAFETY: a structure that outlives the call, and numbers. The calls should be refused.
    unsafe {
        libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const lowest);
        libc::setpriority(libc::PRIO_PROCESS, 0, 19);
    }
}

/// Returns whether the kernel counts this program's processes apart from all others: in its own
/// namespaces, or under an unused UID.
pub fn is_counted() -> bool {
    // SAFETY: no arguments.
    let user = unsafe { libc::getuid() };
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname");
    user >= 0x7000_0000 || host.is_ok_and(|name| name.trim() == "bot")
}

/// Ends this thread alone, even if it is the main thread, and leaves its stack as it is.
pub fn end_this_thread() -> ! {
    loop {
        // SAFETY: nothing of this thread runs again, and its stack stays in place for borrowers.
        unsafe { libc::syscall(libc::SYS_exit, 0) };
    }
}

/// Starts a process that starts a sleeping child and exits.
pub fn fork_orphan(sleep: Duration) -> io::Result<()> {
    let seconds = sleep.as_secs() as u32;
    // SAFETY: this process has one thread; the children only sleep and exit.
    unsafe {
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                if libc::fork() == 0 {
                    libc::sleep(seconds);
                }
                libc::_exit(0)
            }
            child => checked(libc::waitpid(child, std::ptr::null_mut(), 0)),
        }
    }
}

/// Makes the kernel discard children as soon as they end.
pub fn ignore_sigchld() {
    // SAFETY: ignoring a signal runs no code.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
}

/// Starts a child that uses this much CPU time and exits; returns when it has.
pub fn burn_in_a_child(time: Duration) -> io::Result<()> {
    in_a_child(|| {
        use_cpu_time(time);
        || ()
    })
}

/// Starts a child that reads this program's own file repeatedly for this long.
pub fn read_in_a_child(time: Duration) -> io::Result<()> {
    // SAFETY: this process has one thread; the child only reads and exits.
    unsafe {
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                read_this_program(time);
                libc::_exit(0)
            }
            _ => Ok(()),
        }
    }
}

/// Reads this program's own file repeatedly for this long, all of it in each system call.
pub fn read_this_program(time: Duration) {
    use std::os::fd::AsRawFd;
    let end = std::time::Instant::now() + time;
    let Ok(file) = std::fs::File::open("/proc/self/exe") else { return };
    let mut buffer = [0_u8; 64 * 1024];
    let piece = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    // The same buffer for each part of the file, so that little memory is needed.
    let pieces = [piece; 1024];
    while std::time::Instant::now() < end {
        // SAFETY: parts of a buffer that outlives the call and whose contents do not matter.
        unsafe { libc::preadv(file.as_raw_fd(), pieces.as_ptr(), pieces.len() as i32, 0) };
    }
}

/// Starts a child that fills this much memory and keeps it; returns when it has filled it.
pub fn fill_in_a_child(bytes: usize, seconds: u32) -> io::Result<()> {
    in_a_child(|| {
        fill(bytes);
        move || std::thread::sleep(Duration::from_secs(seconds.into()))
    })
}

/// Starts a child that fills as many socket pairs as it can open, and keeps them. Returns when it
/// has.
pub fn fill_sockets_in_a_child(seconds: u32) -> io::Result<()> {
    in_a_child(|| {
        while fill_socket_pair().is_ok() {}
        move || std::thread::sleep(Duration::from_secs(seconds.into()))
    })
}

/// Makes a socket pair and fills it in both directions.
fn fill_socket_pair() -> io::Result<()> {
    let mut pair = [0; 2];
    let content = [1_u8; 4096];
    let kind = libc::SOCK_STREAM | libc::SOCK_NONBLOCK;
    // SAFETY: room for two descriptors; bytes that outlive the calls.
    unsafe {
        checked(libc::socketpair(libc::AF_UNIX, kind, 0, pair.as_mut_ptr()))?;
        for end in pair {
            while libc::write(end, content.as_ptr().cast(), content.len()) > 0 {}
        }
    }
    Ok(())
}

/// Does the same as [`fill_in_a_child`], but the child's main thread ends and another thread keeps
/// the memory.
pub fn fill_in_a_child_without_its_first_thread(bytes: usize, seconds: u32) -> io::Result<()> {
    in_a_child(|| {
        fill(bytes);
        move || {
            let second = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
                std::thread::sleep(Duration::from_secs(seconds.into()));
                // SAFETY: no exit handler of the parent runs here.
                unsafe { libc::_exit(0) }
            });
            if second.is_ok() {
                end_this_thread();
            }
        }
    })
}

/// Fills memory that is kept until the process ends.
fn fill(bytes: usize) {
    std::mem::forget(std::hint::black_box(vec![1_u8; bytes]));
}

/// Starts a child that works, then runs the function that `work` returned, and exits. Returns when
/// the child has worked, or an error if it has ended before.
fn in_a_child<After: FnOnce()>(work: impl FnOnce() -> After) -> io::Result<()> {
    let mut ends = [0; 2];
    // SAFETY: room for two descriptors; this process has one thread; the child only does its work
    // and exits. The read writes to a byte that outlives it.
    unsafe {
        checked(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC))?;
        let child = libc::fork();
        if child == 0 {
            let after = work();
            libc::write(ends[1], c"".as_ptr().cast(), 1);
            libc::close(ends[1]);
            libc::close(ends[0]);
            after();
            libc::_exit(0);
        }
        libc::close(ends[1]);
        let mut byte = 0_u8;
        let has_worked = child > 0 && libc::read(ends[0], (&raw mut byte).cast(), 1) == 1;
        libc::close(ends[0]);
        checked(child)?;
        if has_worked { Ok(()) } else { Err(io::ErrorKind::OutOfMemory.into()) }
    }
}

/// Creates this many bytes of page tables for empty memory, and never frees them.
pub fn fill_page_tables(bytes: usize) -> io::Result<()> {
    const PAGE: usize = 4096;
    // The memory that one page table maps.
    const SPAN: usize = PAGE / 8 * PAGE;
    let length = bytes / PAGE * SPAN;
    // SAFETY: a new mapping at an address of the kernel's choice, read within its bounds.
    unsafe {
        let place = libc::mmap(
            std::ptr::null_mut(),
            length,
            libc::PROT_READ,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        );
        if place == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        libc::madvise(place, length, libc::MADV_NOHUGEPAGE);
        for offset in (0..length).step_by(SPAN) {
            place.cast::<u8>().add(offset).read_volatile();
        }
    }
    Ok(())
}

/// Fills memory and keeps it for this long.
pub fn fill_and_keep(bytes: usize, seconds: u64) {
    fill(bytes);
    std::thread::sleep(Duration::from_secs(seconds));
}

/// Fills memory and makes it read-only; it is never freed.
pub fn fill_read_only(bytes: usize) -> io::Result<()> {
    let place = map_private(bytes)?;
    // SAFETY: the mapping is new and has this length; nothing else refers to it.
    unsafe {
        place.write_bytes(1, bytes);
        checked(libc::mprotect(place.cast(), bytes, libc::PROT_READ))
    }
}

fn map_private(bytes: usize) -> io::Result<*mut u8> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping at an address of the kernel's choice.
    let place = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0) };
    if place == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(place.cast()) }
}

/// Fills memory, of which it makes `pieces` memory maps, starts children that read it, and lets all
/// of them write it at once. Returns how much all have written, a second later.
pub fn write_in_copies(bytes: usize, children: usize, pieces: usize) -> usize {
    const PAGE: usize = 4096;
    let Ok(place) = map_private(bytes) else { return 0 };
    // SAFETY: all accesses are within the mapping, which is never removed; every second page of the
    // first half becomes read-only and is not written again.
    unsafe {
        libc::madvise(place.cast(), bytes, libc::MADV_NOHUGEPAGE);
        place.write_bytes(1, bytes);
        for piece in 0..pieces.min(bytes / PAGE / 4) {
            libc::mprotect(place.add(2 * piece * PAGE).cast(), PAGE, libc::PROT_READ);
        }
    }
    let read = || {
        for offset in (0..bytes).step_by(PAGE) {
            // SAFETY: as above.
            unsafe { place.add(offset).read_volatile() };
        }
    };
    // SAFETY: as above.
    let write = || unsafe { place.add(bytes / 2).write_bytes(2, bytes / 2) };
    bytes + at_once(children, read, write) * bytes / 2
}

/// Fills memory that is read-only then, which no limit of a process counts, and starts children that
/// write it all at once, a piece at a time. Returns how much all have written, a second later.
pub fn write_in_read_only_copies(bytes: usize, children: usize) -> usize {
    const PIECE: usize = 64 * 1024;
    let Ok(place) = map_private(bytes) else { return 0 };
    // SAFETY: the mapping has this length and is never removed.
    unsafe {
        libc::madvise(place.cast(), bytes, libc::MADV_NOHUGEPAGE);
        place.write_bytes(1, bytes);
        libc::mprotect(place.cast(), bytes, libc::PROT_READ);
    }
    let write = || {
        for offset in (0..bytes).step_by(PIECE) {
            // SAFETY: as above; a piece is written only while that is allowed.
            unsafe {
                let piece = place.add(offset);
                let access = libc::PROT_READ | libc::PROT_WRITE;
                if libc::mprotect(piece.cast(), PIECE, access) == 0 {
                    piece.write_bytes(2, PIECE);
                    libc::mprotect(piece.cast(), PIECE, libc::PROT_READ);
                }
            }
        }
    };
    bytes + at_once(children, || (), write) * bytes
}

/// Starts children that prepare, and work all at once when each of them has. Returns how many there
/// are, a second after they have worked. This process must have one thread.
fn at_once(children: usize, prepare: impl Fn(), work: impl Fn()) -> usize {
    let (mut go, mut ready) = ([0; 2], [0; 2]);
    let mut byte = 0_u8;
    // SAFETY: room for two descriptors each; a byte that outlives the calls; the children only do
    // their work, wait and exit.
    unsafe {
        libc::pipe2(go.as_mut_ptr(), libc::O_CLOEXEC);
        libc::pipe2(ready.as_mut_ptr(), libc::O_CLOEXEC);
        let child = || {
            let child = libc::fork();
            if child == 0 {
                libc::close(go[1]);
                let mut byte = 0_u8;
                prepare();
                libc::write(ready[1], (&raw const byte).cast(), 1);
                libc::read(go[0], (&raw mut byte).cast(), 1);
                work();
                libc::write(ready[1], (&raw const byte).cast(), 1);
                libc::sleep(10);
                libc::_exit(0);
            }
            child > 0
        };
        let started = (0..children).take_while(|_| child()).count();
        for _ in 0..started {
            libc::read(ready[0], (&raw mut byte).cast(), 1);
        }
        libc::close(go[1]);
        for _ in 0..started {
            libc::read(ready[0], (&raw mut byte).cast(), 1);
        }
        std::thread::sleep(Duration::from_secs(1));
        started
    }
}

/// Creates shared memory and fills it; it is never freed.
pub fn map_shared(bytes: usize) -> io::Result<()> {
    // SAFETY: a new mapping at an address of the kernel's choice, written within its bounds.
    unsafe {
        let place = libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        if place == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        place.cast::<u8>().write_bytes(1, bytes);
    }
    Ok(())
}

/// Creates a memory file and fills it; it is never closed.
pub fn fill_memfd(bytes: usize) -> io::Result<()> {
    let content = vec![1_u8; bytes];
    // SAFETY: a C string; bytes that outlive the call.
    unsafe {
        let file = libc::memfd_create(c"hoard".as_ptr(), 0);
        checked(file)?;
        checked(libc::write(file, content.as_ptr().cast(), bytes) as i64)
    }
}

/// Creates a pipe and fills it; it is never closed. Returns the number of bytes in it.
pub fn fill_pipe() -> io::Result<usize> {
    let mut ends = [0; 2];
    let content = [1_u8; 4096];
    let mut written = 0;
    // SAFETY: room for two descriptors; bytes that outlive the call.
    unsafe {
        checked(libc::pipe2(ends.as_mut_ptr(), libc::O_NONBLOCK))?;
        while libc::write(ends[1], content.as_ptr().cast(), content.len()) > 0 {
            written += content.len();
        }
    }
    Ok(written)
}

/// Fills this program's own standard input with empty lines.
pub fn fill_stdin() {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = std::fs::File::options();
    let stdin = options.write(true).custom_flags(libc::O_NONBLOCK).open("/proc/self/fd/0");
    if let Ok(mut stdin) = stdin {
        while stdin.write(&[b'\n'; 4096]).is_ok() {}
    }
}

/// Creates a System V shared memory segment.
pub fn make_shared_memory(key: i32) -> io::Result<()> {
    // SAFETY: numbers.
    checked(unsafe { libc::shmget(key, 4096, libc::IPC_CREAT | 0o666) })
}

/// Creates a System V semaphore.
pub fn make_semaphore(key: i32) -> io::Result<()> {
    // SAFETY: numbers.
    checked(unsafe { libc::semget(key, 1, libc::IPC_CREAT | 0o666) })
}

/// Creates a System V message queue.
pub fn make_queue(key: i32) -> io::Result<()> {
    // SAFETY: numbers.
    checked(unsafe { libc::msgget(key, libc::IPC_CREAT | 0o666) })
}

/// Creates a POSIX message queue.
pub fn make_posix_queue(name: &CStr) -> io::Result<()> {
    let none = std::ptr::null::<libc::mq_attr>();
    let flags = libc::O_CREAT | libc::O_RDWR;
    // SAFETY: a C string, numbers, and null attributes, which mean the defaults.
    checked(unsafe { libc::syscall(libc::SYS_mq_open, name.as_ptr(), flags, 0o666, none) })
}

/// Removes a POSIX message queue.
pub fn remove_posix_queue(name: &CStr) -> io::Result<()> {
    // SAFETY: a C string.
    checked(unsafe { libc::syscall(libc::SYS_mq_unlink, name.as_ptr()) })
}

/// Adds a key to the user's keyring, which outlives the user's processes.
pub fn make_key(name: &CStr) -> io::Result<()> {
    const USER_KEYRING: i32 = -4;
    // SAFETY: C strings and a byte.
    checked(unsafe {
        libc::syscall(
            libc::SYS_add_key,
            c"user".as_ptr(),
            name.as_ptr(),
            c"x".as_ptr(),
            1,
            USER_KEYRING,
        )
    })
}

/// How many times a timer has sent SIGCONT.
static WOKEN: AtomicU32 = AtomicU32::new(0);

/// Sets a timer that sends SIGCONT to this process every few milliseconds, which resumes a stopped
/// process.
pub fn wake_by_timer() -> io::Result<()> {
    extern "C" fn count(_: i32, info: *const libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the kernel passes a valid structure to a handler of this kind.
        if unsafe { (*info).si_code } == libc::SI_TIMER {
            WOKEN.fetch_add(1, Ordering::Relaxed);
        }
    }
    // SAFETY: structures of the right types, zeroed except for the fields set here; the handler
    // only counts.
    unsafe {
        let mut action = std::mem::zeroed::<libc::sigaction>();
        action.sa_sigaction = count as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        checked(libc::sigaction(libc::SIGCONT, &raw const action, std::ptr::null_mut()))?;
        let mut event = std::mem::zeroed::<libc::sigevent>();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = libc::SIGCONT;
        let mut timer = std::mem::zeroed::<libc::timer_t>();
        checked(libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer))?;
        let often = libc::timespec { tv_sec: 0, tv_nsec: 2_000_000 };
        let times = libc::itimerspec { it_interval: often, it_value: often };
        checked(libc::timer_settime(timer, 0, &raw const times, std::ptr::null_mut()))
    }
}

/// Returns whether there is something to read on standard input.
pub fn has_input() -> bool {
    let mut stdin = libc::pollfd { fd: 0, events: libc::POLLIN, revents: 0 };
    // SAFETY: one structure that outlives the call.
    unsafe { libc::poll(&raw mut stdin, 1, 0) != 0 }
}

/// Sets a timer by which a signal handler takes nearly half a core, whatever the program waits for.
pub fn think_by_timer() -> io::Result<()> {
    extern "C" fn think(_: i32) {
        use_cpu_time(Duration::from_micros(80));
    }
    // Less often than a handler and its signal take on a busy host, or the program itself never runs.
    let often = libc::timeval { tv_sec: 0, tv_usec: 200 };
    let times = libc::itimerval { it_interval: often, it_value: often };
    // SAFETY: structures of the right types, zeroed except for the fields set here; the handler only
    // reads a clock.
    unsafe {
        let mut action = std::mem::zeroed::<libc::sigaction>();
        action.sa_sigaction = think as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        checked(libc::sigaction(libc::SIGALRM, &raw const action, std::ptr::null_mut()))?;
        checked(libc::setitimer(libc::ITIMER_REAL, &raw const times, std::ptr::null_mut()))
    }
}

/// Returns how many times a timer has sent SIGCONT since the last call.
pub fn times_woken() -> u32 {
    WOKEN.swap(0, Ordering::Relaxed)
}

/// Returns the CPU time of this process.
pub fn cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
