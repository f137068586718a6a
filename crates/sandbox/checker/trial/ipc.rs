//! The network, interprocess communication, and memory that no process limit counts.

use super::machine::allowed;
use super::{Operation, checked, checked_fd};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

pub(super) const OPERATIONS: &[Operation] = &[
    ("make a socket pair", |_| UnixStream::pair().map(drop)),
    ("make a datagram socket pair", |_| {
        let mut pair = [0; 2];
        // SAFETY: room for two descriptors.
        checked(unsafe { libc::socketpair(libc::AF_UNIX, libc::SOCK_DGRAM, 0, pair.as_mut_ptr()) })
    }),
    ("enlarge a socket buffer", |_| {
        let (socket, _other) = UnixStream::pair()?;
        let bytes = 1_i32 << 20;
        let (level, option) = (libc::SOL_SOCKET, libc::SO_SNDBUF);
        // SAFETY: the call reads a number of that size.
        checked(unsafe {
            libc::setsockopt(socket.as_raw_fd(), level, option, (&raw const bytes).cast(), 4)
        })
    }),
    ("send a message with descriptors", |_| {
        let (socket, _other) = UnixStream::pair()?;
        // SAFETY: an empty message.
        unsafe {
            let empty = std::mem::zeroed::<libc::msghdr>();
            checked(libc::sendmsg(socket.as_raw_fd(), &raw const empty, 0) as i64)
        }
    }),
    ("make a TCP socket", |_| socket(libc::AF_INET, libc::SOCK_STREAM)),
    ("make a UDP socket", |_| socket(libc::AF_INET6, libc::SOCK_DGRAM)),
    ("make a Unix socket", |_| socket(libc::AF_UNIX, libc::SOCK_STREAM)),
    ("make a netlink socket", |_| socket(libc::AF_NETLINK, libc::SOCK_RAW)),
    ("make a packet socket", |_| socket(libc::AF_PACKET, libc::SOCK_RAW)),
    ("make a vsock socket", |_| socket(libc::AF_VSOCK, libc::SOCK_STREAM)),
    ("make a crypto socket", |_| socket(libc::AF_ALG, libc::SOCK_SEQPACKET)),
    ("make a System V shared memory segment", |_| {
        // SAFETY: numbers; the segment is removed.
        unsafe {
            let id = libc::shmget(libc::IPC_PRIVATE, 4096, 0o600);
            checked(id)?;
            checked(libc::shmctl(id, libc::IPC_RMID, std::ptr::null_mut()))
        }
    }),
    ("make a System V queue", |_| {
        // SAFETY: numbers; the queue is removed.
        unsafe {
            let id = libc::msgget(libc::IPC_PRIVATE, 0o600);
            checked(id)?;
            checked(libc::msgctl(id, libc::IPC_RMID, std::ptr::null_mut()))
        }
    }),
    ("make a System V semaphore", |_| {
        // SAFETY: numbers; the semaphore is removed.
        unsafe {
            let id = libc::semget(libc::IPC_PRIVATE, 1, 0o600);
            checked(id)?;
            checked(libc::semctl(id, 0, libc::IPC_RMID))
        }
    }),
    ("make a POSIX queue", |_| {
        let flags = libc::O_CREAT | libc::O_RDWR;
        // SAFETY: a C string, numbers, and null attributes, which mean the defaults.
        unsafe {
            let none = std::ptr::null::<libc::mq_attr>();
            let queue = libc::syscall(libc::SYS_mq_open, c"checker".as_ptr(), flags, 0o600, none);
            checked_fd(queue)?;
            checked(libc::syscall(libc::SYS_mq_unlink, c"checker".as_ptr()))
        }
    }),
    ("add a key", |_| {
        const PROCESS_KEYRING: i32 = -2;
        // SAFETY: C strings and a byte.
        checked(unsafe {
            libc::syscall(
                libc::SYS_add_key,
                c"user".as_ptr(),
                c"checker".as_ptr(),
                c"x".as_ptr(),
                1,
                PROCESS_KEYRING,
            )
        })
    }),
    ("map shared memory", |_| map(libc::MAP_SHARED | libc::MAP_ANONYMOUS)),
    ("map memory", |_| map(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS)),
    ("map memory that grows like a stack", |_| {
        map(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_GROWSDOWN)
    }),
    ("map huge pages", |_| {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_HUGETLB;
        match map(flags) {
            // The pool may be empty, but the call is allowed.
            Err(error) if error.raw_os_error() != Some(libc::EPERM) => Ok(()),
            mapped => mapped,
        }
    }),
    ("map a shadow stack", |_| {
        const MAP_SHADOW_STACK: i64 = 453;
        // SAFETY: a size of zero is rejected.
        allowed(unsafe { libc::syscall(MAP_SHADOW_STACK, 0, 0, 0) })
    }),
    ("move memory into a pipe", |_| {
        let mut pipe = [0; 2];
        let piece = libc::iovec { iov_base: c"x".as_ptr().cast_mut().cast(), iov_len: 1 };
        // SAFETY: room for two descriptors; one byte that outlives the program.
        unsafe {
            checked(libc::pipe(pipe.as_mut_ptr()))?;
            checked(libc::vmsplice(pipe[1], &raw const piece, 1, 0) as i64)
        }
    }),
    ("make a memory file", |_| {
        // SAFETY: a C string.
        checked_fd(unsafe { libc::memfd_create(c"checker".as_ptr(), libc::MFD_CLOEXEC) })
    }),
    ("make a large pipe", |_| {
        let mut pipe = [0; 2];
        // SAFETY: room for two descriptors; numbers.
        unsafe {
            checked(libc::pipe(pipe.as_mut_ptr()))?;
            checked(libc::fcntl(pipe[1], libc::F_SETPIPE_SZ, 1 << 20))
        }
    }),
];

fn socket(family: i32, kind: i32) -> io::Result<()> {
    // SAFETY: numbers.
    checked_fd(unsafe { libc::socket(family, kind, 0) })
}

fn map(flags: i32) -> io::Result<()> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping at an address of the kernel's choice, and its removal.
    unsafe {
        let at = libc::mmap(std::ptr::null_mut(), 4096, access, flags, -1, 0);
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        checked(libc::munmap(at, 4096))
    }
}
