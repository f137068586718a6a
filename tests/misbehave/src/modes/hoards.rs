//! More of each resource than a bot of the tests may use: 64 MiB of memory (256 MiB in two modes), 32
//! files, 1 MiB in /tmp.

use super::Mode;
use crate::bot::{Question, escaped, hang, log, sleep};
use crate::raw;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

const MIB: usize = 1 << 20;

/// The memory limit of a bot of the tests, in bytes.
const MEMORY: usize = 64 * MIB;

pub(super) const MODES: &[Mode] = &[
    ("hoards_heap", |_| {
        let mut held = Vec::new();
        for _ in 0..4 * MEMORY / MIB {
            held.push(std::hint::black_box(vec![1_u8; MIB]));
        }
        escaped("four times the memory");
        hang();
    }),
    ("hoards_page_tables", |question| {
        // Each table maps one page that is only read, so only the tables use memory.
        let pieces = (0..4 * MEMORY / MIB).take_while(|_| raw::fill_page_tables(MIB).is_ok());
        held("page tables", pieces.count() * MIB, question);
    }),
    ("hoards_without_its_first_thread", |question| {
        // The `status` of a process whose main thread has ended omits its memory.
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                let pieces =
                    (0..4 * MEMORY / MIB).take_while(|_| raw::fill_page_tables(MIB).is_ok());
                held("page tables", pieces.count() * MIB, question);
            });
            raw::end_this_thread()
        })
    }),
    ("hoards_children", |question| {
        // Each child stays below its limit.
        const EACH: usize = 60 * MIB;
        let children = (0..64).take_while(|_| raw::fill_in_a_child(EACH, 30).is_ok()).count();
        held("the memory of children", children * EACH, question);
    }),
    ("hoards_children_without_first_threads", |question| {
        const EACH: usize = 20 * MIB;
        let child = || raw::fill_in_a_child_without_its_first_thread(EACH, 30);
        let children = (0..64).take_while(|_| child().is_ok()).count();
        held("the memory of children", children * EACH, question);
    }),
    ("hoards_copies", |question| {
        // The children share most memory with their parent until all of them write at once.
        let bytes = raw::write_in_copies(20 * MIB, 50, 0);
        took("the memory of copies", bytes, 2 * MEMORY, question);
    }),
    ("hoards_copies_in_pieces", |question| {
        // Many memory maps make it slow to find out what is shared.
        let bytes = raw::write_in_copies(20 * MIB, 50, 2000);
        took("the memory of copies", bytes, 2 * MEMORY, question);
    }),
    ("hoards_large_copies", |question| {
        let bytes = raw::write_in_copies(200 * MIB, 50, 0);
        took("the memory of copies", bytes, 8 * MEMORY, question);
    }),
    ("hoards_large_copies_in_pieces", |question| {
        let bytes = raw::write_in_copies(200 * MIB, 50, 10_000);
        took("the memory of copies", bytes, 8 * MEMORY, question);
    }),
    ("hoards_read_only_copies", |question| {
        let bytes = raw::write_in_read_only_copies(40 * MIB, 40);
        took("the memory of copies", bytes, 2 * MEMORY, question);
    }),
    ("hoards_vforked_children", |question| {
        // They begin in the memory of their parent, and have their own as soon as they run.
        let filling = format!("filling-{}", question.world.token);
        let started = (0..50).filter(|_| {
            let mut command = std::process::Command::new("/proc/self/exe");
            command.args(["fill", "12", &filling]).stdin(std::process::Stdio::null());
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            command.spawn().is_ok()
        });
        log(&format!("{} children", started.count()));
        sleep(1);
        question.answer();
    }),
    ("hoards_read_only", |question| {
        // Memory that was written and is read-only then is not data.
        let pieces = (0..4 * MEMORY / MIB).take_while(|_| raw::fill_read_only(MIB).is_ok()).count();
        held("read-only memory", pieces * MIB, question);
    }),
    ("hoards_shared_memory", |question| {
        let pieces = (0..4 * MEMORY / MIB).take_while(|_| raw::map_shared(MIB).is_ok()).count();
        took("shared memory", pieces * MIB, MEMORY, question);
    }),
    ("hoards_memfd", |question| {
        let pieces = (0..4 * MEMORY / MIB).take_while(|_| raw::fill_memfd(MIB).is_ok()).count();
        took("memory in files", pieces * MIB, MEMORY, question);
    }),
    ("hoards_tmp", |question| {
        let written = fill(Path::new("/tmp"), question);
        took("/tmp", written, MIB, question);
    }),
    ("hoards_pipes", |question| {
        // Data in a pipe counts as no process's memory.
        let pieces = (0..2000).map_while(|_| raw::fill_pipe().ok());
        took("pipes", pieces.sum(), MEMORY, question);
    }),
    ("hoards_sockets", |question| {
        // Each of 32 descriptors, less those in use, holds 208 KiB that belong to no process.
        const EACH: usize = 24 * 208 * 1024;
        let children = (0..24).take_while(|_| raw::fill_sockets_in_a_child(30).is_ok()).count();
        held("data in sockets", children * EACH, question);
    }),
    ("hoards_descriptors", |question| {
        let open: Vec<File> = (0..5000).map_while(|_| File::open("/dev/null").ok()).collect();
        if open.len() > 32 {
            escaped("more files than allowed");
        }
        question.answer();
    }),
    ("large_file", |question| {
        // SIGXFSZ kills a program that keeps writing to a file at its size limit.
        if let Ok(mut file) = File::create_new(format!("/tmp/{}", question.world.token)) {
            let written = (0..64).take_while(|_| file.write_all(&vec![1; MIB]).is_ok()).count();
            took("a file", written * MIB, MIB, question);
        } else {
            question.answer();
        }
    }),
    ("fills_the_disk", |question| {
        let own = question.world.place.join("own");
        // The bot may write in its own /tmp; another mode fills that.
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let home = home.filter(|home| !home.starts_with("/tmp"));
        for directory in [Some(own), home, Some("/dev/shm".into()), Some("/var/tmp".into())] {
            let Some(directory) = directory else { continue };
            if fill(&directory, question) > 0 {
                escaped(&format!("wrote in {}", directory.display()));
            }
        }
        question.answer();
    }),
    ("hoards_inodes", |question| {
        let name = |number| format!("/tmp/{}-{number}", question.world.token);
        let made = (0..5000).take_while(|number| File::create_new(name(*number)).is_ok()).count();
        log(&format!("{made} files"));
        if made == 5000 {
            escaped("5,000 files");
        }
        question.answer();
    }),
];

/// Reports like [`took`], but first leaves time for the memory watch.
fn held(what: &str, bytes: usize, question: &Question<'_>) {
    if bytes > MEMORY {
        sleep(5);
    }
    took(what, bytes, MEMORY, question);
}

fn took(what: &str, bytes: usize, allowed: usize, question: &Question<'_>) {
    log(&format!("{} KiB of {what}", bytes / 1024));
    if bytes > allowed {
        escaped(what);
    }
    question.answer();
}

/// Writes files in a directory, at most 64 MiB. Returns the number of bytes written.
fn fill(directory: &Path, question: &Question<'_>) -> usize {
    let mut written = 0;
    let piece = vec![b'x'; 64 * 1024];
    // Each file is smaller than the size limit of a single file.
    for number in 0..128 {
        let path = directory.join(format!("{}-{number}", question.world.token));
        let Ok(mut file) = File::create_new(&path) else { break };
        let pieces = (0..8).map_while(|_| file.write(&piece).ok().filter(|&count| count > 0));
        let count = pieces.sum::<usize>();
        written += count;
        if directory != Path::new("/tmp") {
            // The caller reports it; a failing test need not fill the machine.
            let _ = fs::remove_file(path);
        }
        if count < 8 * piece.len() {
            break;
        }
    }
    written
}
