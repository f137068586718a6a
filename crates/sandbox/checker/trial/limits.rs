//! Resources up to and beyond the test's limits: 64 MiB of memory, 32 threads, 32 files, 1 MiB in
//! /tmp.

use super::{Operation, checked, refuse_unless};
use std::fs::{self, File};
use std::io::{self, Write};
use std::sync::mpsc;

pub(super) const OPERATIONS: &[Operation] = &[
    ("take 8 MiB of memory", |_| take_memory(8 << 20)),
    ("take 128 MiB of memory", |_| take_memory(128 << 20)),
    ("start 8 threads", |_| start_threads(8)),
    ("start 100 threads", |_| start_threads(100)),
    ("open 16 files", |_| open_files(16)),
    ("open 100 files", |_| open_files(100)),
    ("write 512 KiB in /tmp", |_| fill_tmp(512)),
    ("write 4 MiB in /tmp", |_| fill_tmp(4096)),
    ("make 8,000 files in /tmp", |_| {
        let made =
            (0..8000).try_for_each(|number| File::create(format!("/tmp/{number}")).map(drop));
        for number in 0..8000 {
            let _ = fs::remove_file(format!("/tmp/{number}"));
        }
        made
    }),
    ("leave a core file", |_| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: a structure of the right type.
        checked(unsafe { libc::getrlimit(libc::RLIMIT_CORE, &raw mut limit) })?;
        refuse_unless(limit.rlim_max > 0, "no core file is written")
    }),
    ("raise a limit", |_| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: structures of the right type.
        checked(unsafe { libc::getrlimit(libc::RLIMIT_DATA, &raw mut limit) })?;
        limit.rlim_max = limit.rlim_max.saturating_add(1 << 20);
        checked(unsafe { libc::setrlimit(libc::RLIMIT_DATA, &raw const limit) })
    }),
];

fn take_memory(bytes: usize) -> io::Result<()> {
    let mut taken = Vec::<u8>::new();
    taken.try_reserve_exact(bytes).map_err(io::Error::other)?;
    taken.resize(bytes, 1);
    refuse_unless(std::hint::black_box(&taken).len() == bytes, "too little")
}

fn start_threads(count: usize) -> io::Result<()> {
    std::thread::scope(|scope| {
        // The threads end when the senders are dropped.
        let mut waiting = Vec::new();
        for _ in 0..count {
            let (go, wait) = mpsc::channel::<()>();
            std::thread::Builder::new().stack_size(16 * 1024).spawn_scoped(scope, move || {
                let _ = wait.recv();
            })?;
            waiting.push(go);
        }
        Ok(())
    })
}

fn open_files(count: usize) -> io::Result<()> {
    let files: Result<Vec<File>, _> = (0..count).map(|_| File::open("/dev/null")).collect();
    files.map(drop)
}

fn fill_tmp(kib: usize) -> io::Result<()> {
    // SIGXFSZ for a file beyond the limit would end the program. SAFETY: ignoring a signal runs no
    // code.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let written = File::create("/tmp/large")
        .and_then(|mut file| (0..kib).try_for_each(|_| file.write_all(&[1; 1024])));
    let _ = fs::remove_file("/tmp/large");
    written
}
