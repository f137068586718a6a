//! The page cache: one process could leave it in a state that the next one observes.

use super::files::own;
use super::machine::allowed;
use super::{Operation, checked, refuse_unless};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr;

pub(super) const OPERATIONS: &[Operation] = &[
    ("advise the system about its file", |on| {
        let file = File::open(own(on))?;
        // SAFETY: an open descriptor and numbers.
        checked(unsafe {
            libc::syscall(libc::SYS_fadvise64, file.as_raw_fd(), 0, 0, libc::POSIX_FADV_SEQUENTIAL)
        })
    }),
    ("drop a file from the page cache", |_| {
        // SAFETY: numbers; the descriptor is invalid.
        made(unsafe { libc::syscall(libc::SYS_fadvise64, -1, 0, 0, libc::POSIX_FADV_DONTNEED) })
    }),
    ("read a file ahead", |_| {
        // SAFETY: numbers; the descriptor is invalid.
        made(unsafe { libc::syscall(libc::SYS_readahead, -1, 0, 4096) })
    }),
    ("read its file without flags", |on| checked(read_with(&File::open(own(on))?, 0))),
    ("read only from the page cache", |on| {
        allowed(read_with(&File::open(own(on))?, libc::RWF_NOWAIT))
    }),
    ("write only if that does not block", |_| {
        // SAFETY: no buffers, and the descriptor is invalid.
        allowed(unsafe {
            libc::syscall(libc::SYS_pwritev2, -1, ptr::null::<u8>(), 0, 0, 0, libc::RWF_NOWAIT)
        })
    }),
    ("query which pages of its file are cached", |on| {
        let file = File::open(own(on))?;
        let (private, mut resident) = (libc::MAP_PRIVATE, 0_u8);
        // SAFETY: a new mapping of one page, about which the kernel writes one byte.
        unsafe {
            let page =
                libc::mmap(ptr::null_mut(), 4096, libc::PROT_READ, private, file.as_raw_fd(), 0);
            if page == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let asked = allowed(libc::mincore(page, 1, &raw mut resident));
            libc::munmap(page, 4096);
            asked
        }
    }),
    ("page out its memory", |_| {
        let advise = |advice: i32| {
            // SAFETY: an empty range.
            allowed(unsafe { libc::madvise(ptr::null_mut(), 0, advice) })
        };
        advise(libc::MADV_PAGEOUT).or_else(|_| advise(libc::MADV_COLD))
    }),
];

/// Reads the first byte of a file.
fn read_with(file: &File, flags: i32) -> i64 {
    let mut byte = 0_u8;
    let buffer = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    let descriptor = file.as_raw_fd();
    // SAFETY: one buffer of one byte; both outlive the call.
    unsafe { libc::syscall(libc::SYS_preadv2, descriptor, &raw const buffer, 1, 0, 0, flags) }
}

/// Returns an error unless the kernel has made this call, which then fails.
fn made(result: i64) -> io::Result<()> {
    refuse_unless(result != 0, "it succeeds without being made")?;
    allowed(result)
}
