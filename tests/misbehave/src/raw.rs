//! System calls that no library wraps, because nobody should want them.
#![allow(unsafe_code)] // This is a program that does what programs must not do.

use std::ffi::CStr;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

fn checked(result: impl Into<i64>) -> io::Result<()> {
    if result.into() < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Ignores every signal that can be.
pub fn ignore_signals() {
    for signal in 1..32 {
        // SAFETY: no function is called when it comes.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Sends a signal to this process.
pub fn signal_itself(signal: i32) {
    // SAFETY: numbers.
    unsafe { libc::kill(libc::getpid(), signal) };
}

/// Reads where nothing is.
pub fn read_nothing() {
    // SAFETY: none: the system ends the program for it, which is what is wanted.
    unsafe { std::ptr::without_provenance::<u8>(8).read_volatile() };
}

/// Closes a descriptor under whoever uses it.
pub fn close(descriptor: i32) {
    // SAFETY: the standard library allows for its streams being closed.
    unsafe { libc::close(descriptor) };
}

/// Works until this process has used so much processor time more.
pub fn use_processor_time(time: Duration) {
    let end = processor_time() + time;
    while processor_time() < end {
        std::hint::black_box((0..1000).sum::<u64>());
    }
}

/// Asks for the lowest priority that there is, for itself and all that it starts.
pub fn give_way_to_everybody() {
    let lowest = libc::sched_param { sched_priority: 0 };
    // SAFETY: a structure that outlives the call, and numbers. Refusal is what is hoped for.
    unsafe {
        libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const lowest);
        libc::setpriority(libc::PRIO_PROCESS, 0, 19);
    }
}

/// Whether this program's processes are counted apart from all others: in namespaces of its own,
/// or as a user that nobody else is.
pub fn is_counted() -> bool {
    // SAFETY: no arguments.
    let user = unsafe { libc::getuid() };
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname");
    user >= 0x7000_0000 || host.is_ok_and(|name| name.trim() == "bot")
}

/// Ends this thread alone, even if it is the first one, and leaves its stack as it is.
pub fn end_this_thread() -> ! {
    loop {
        // SAFETY: nothing of this thread runs again, and what it has lent others stays in place.
        unsafe { libc::syscall(libc::SYS_exit, 0) };
    }
}

/// A process that starts another, which sleeps, and ends.
pub fn fork_orphan(sleep: Duration) -> io::Result<()> {
    let seconds = sleep.as_secs() as u32;
    // SAFETY: this process has one thread; the children only sleep and end.
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

/// Has the system forget children as soon as they end.
pub fn ignore_ends_of_children() {
    // SAFETY: no function is called when it comes.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
}

/// A child that uses so much processor time and ends; returns when it has.
pub fn burn_in_a_child(time: Duration) -> io::Result<()> {
    in_a_child(|| {
        use_processor_time(time);
        || ()
    })
}

/// A child that reads this program's own file again and again for so long.
pub fn read_in_a_child(time: Duration) -> io::Result<()> {
    // SAFETY: this process has one thread; the child only reads, and ends.
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

/// Reads this program's own file again and again for so long, all of it in one system call.
pub fn read_this_program(time: Duration) {
    use std::os::fd::AsRawFd;
    let end = std::time::Instant::now() + time;
    let Ok(file) = std::fs::File::open("/proc/self/exe") else { return };
    let mut buffer = [0_u8; 64 * 1024];
    let piece = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    // The same memory for each piece of the file, so that it is not much.
    let pieces = [piece; 1024];
    while std::time::Instant::now() < end {
        // SAFETY: pieces of a buffer that outlives the call, and whose content nobody looks at.
        unsafe { libc::preadv(file.as_raw_fd(), pieces.as_ptr(), pieces.len() as i32, 0) };
    }
}

/// A child that fills so much memory and keeps it for so many seconds; returns when it has filled it.
pub fn fill_in_a_child(bytes: usize, seconds: u32) -> io::Result<()> {
    in_a_child(|| {
        fill(bytes);
        move || std::thread::sleep(Duration::from_secs(seconds.into()))
    })
}

/// The same, but the child's first thread ends, and another one keeps the memory.
pub fn fill_in_a_child_without_its_first_thread(bytes: usize, seconds: u32) -> io::Result<()> {
    in_a_child(|| {
        fill(bytes);
        move || {
            let second = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
                std::thread::sleep(Duration::from_secs(seconds.into()));
                // SAFETY: no exit handler of the parent's runs here.
                unsafe { libc::_exit(0) }
            });
            if second.is_ok() {
                end_this_thread();
            }
        }
    })
}

/// Memory that is kept until the process ends.
fn fill(bytes: usize) {
    std::mem::forget(std::hint::black_box(vec![1_u8; bytes]));
}

/// A child that works, then does what its work returned, and ends; returns when it has worked or has
/// ended.
fn in_a_child<After: FnOnce()>(work: impl FnOnce() -> After) -> io::Result<()> {
    let mut ends = [0; 2];
    // SAFETY: room for two descriptors; this process has one thread; the child only does its work,
    // and ends. The read goes to a byte that outlives it.
    unsafe {
        checked(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC))?;
        let child = libc::fork();
        if child == 0 {
            let after = work();
            libc::close(ends[1]);
            libc::close(ends[0]);
            after();
            libc::_exit(0);
        }
        libc::close(ends[1]);
        let mut byte = 0_u8;
        if child > 0 {
            libc::read(ends[0], (&raw mut byte).cast(), 1);
        }
        libc::close(ends[0]);
        checked(child)
    }
}

/// So many bytes of page tables, for memory in which nothing is; they are never given back.
pub fn fill_page_tables(bytes: usize) -> io::Result<()> {
    const PAGE: usize = 4096;
    // What the entries of one table span.
    const SPAN: usize = PAGE / 8 * PAGE;
    let length = bytes / PAGE * SPAN;
    // SAFETY: a new mapping at a place of the kernel's choice, read within its bounds.
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

/// Memory that is shared with children, filled; it is never given back.
pub fn map_shared(bytes: usize) -> io::Result<()> {
    // SAFETY: a new mapping at a place of the kernel's choice, written within its bounds.
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

/// A file in memory, filled; it is never closed.
pub fn fill_memfd(bytes: usize) -> io::Result<()> {
    let content = vec![1_u8; bytes];
    // SAFETY: a C string; bytes that outlive the call.
    unsafe {
        let file = libc::memfd_create(c"hoard".as_ptr(), 0);
        checked(file)?;
        checked(libc::write(file, content.as_ptr().cast(), bytes) as i64)
    }
}

/// A pipe with as much in it as it takes; it is never closed. How many bytes that is.
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

/// Shared memory of System V.
pub fn make_shared_memory(key: i32) -> io::Result<()> {
    // SAFETY: numbers.
    checked(unsafe { libc::shmget(key, 4096, libc::IPC_CREAT | 0o666) })
}

/// A semaphore of System V.
pub fn make_semaphore(key: i32) -> io::Result<()> {
    // SAFETY: numbers.
    checked(unsafe { libc::semget(key, 1, libc::IPC_CREAT | 0o666) })
}

/// A queue of System V.
pub fn make_queue(key: i32) -> io::Result<()> {
    // SAFETY: numbers.
    checked(unsafe { libc::msgget(key, libc::IPC_CREAT | 0o666) })
}

/// A queue of POSIX.
pub fn make_posix_queue(name: &CStr) -> io::Result<()> {
    let none = std::ptr::null::<libc::mq_attr>();
    let flags = libc::O_CREAT | libc::O_RDWR;
    // SAFETY: a C string, numbers, and no attributes, which means the usual ones.
    checked(unsafe { libc::syscall(libc::SYS_mq_open, name.as_ptr(), flags, 0o666, none) })
}

/// Removes it.
pub fn remove_posix_queue(name: &CStr) -> io::Result<()> {
    // SAFETY: a C string.
    checked(unsafe { libc::syscall(libc::SYS_mq_unlink, name.as_ptr()) })
}

/// A key in the ring of its user, which outlives its processes.
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

/// How often a timer has sent SIGCONT.
static WOKEN: AtomicU32 = AtomicU32::new(0);

/// Has a timer send SIGCONT to this process every few milliseconds, which lets a stopped process go
/// on.
pub fn wake_by_timer() -> io::Result<()> {
    extern "C" fn count(_: i32, info: *const libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system passes a valid structure to a handler of this kind.
        if unsafe { (*info).si_code } == libc::SI_TIMER {
            WOKEN.fetch_add(1, Ordering::Relaxed);
        }
    }
    // SAFETY: structures of the right types, zeroed where nothing is said; the handler only counts.
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

/// How often a timer has sent it since this was asked last.
pub fn times_woken() -> u32 {
    WOKEN.swap(0, Ordering::Relaxed)
}

/// The processor time that this process has used.
pub fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
