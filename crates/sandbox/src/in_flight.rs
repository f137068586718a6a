//! Data in flight: what the kernel may hold in the sockets and pipes of a program, in bytes. It
//! belongs to no process, and without a memory controller nothing measures it, so every socket and
//! pipe counts with the most that it can hold. The items of an epoll are counted.

use crate::resident_memory::read;
use rustix::fs::{Mode, OFlags, RawDir, openat, readlinkat};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::CString;
use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::OnceLock;

/// The file with the send buffer of a socket, in bytes. A program of the sandbox cannot enlarge it.
const SEND_BUFFER: &str = "/proc/sys/net/core/wmem_default";

/// The send buffer if the file cannot be read: the default of Linux.
const USUAL_BUFFER: u64 = 208 * 1024;

/// The capacity of a pipe. A program of the sandbox cannot enlarge it.
const PIPE: u64 = 64 * 1024;

/// What the kernel keeps for a descriptor in an epoll: an `epitem`, an `eppoll_entry` and their
/// places in slabs.
const EPOLL_ITEM: u64 = 256;

/// The sockets and pipes of some processes. One that several processes hold counts once.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    held: BTreeSet<CString>,
    /// Descriptors of which it is not known what they are.
    unknown: u64,
    epoll_items: u64,
}

impl InFlight {
    /// Adds the sockets and pipes of the process whose directory in a `/proc` is `place`. `slots` is
    /// the size of its table of descriptors, which counts if the descriptors cannot be read.
    pub(crate) fn add(&mut self, processes: impl AsFd, place: &str, slots: u64) {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        match openat(&processes, format!("{place}/fd"), flags, Mode::empty()) {
            Ok(directory) => {
                for epoll in self.add_all(&directory) {
                    let info = read(&processes, &format!("{place}/fdinfo/{epoll}"));
                    let lines = info.as_deref().unwrap_or_default().lines();
                    self.epoll_items +=
                        lines.filter(|line| line.starts_with("tfd:")).count() as u64;
                }
            }
            // The process has ended.
            Err(Errno::NOENT | Errno::SRCH) => {}
            Err(_) => self.unknown += slots,
        }
    }

    /// Returns the descriptors of epolls, whose links do not say which are the same.
    fn add_all(&mut self, directory: &OwnedFd) -> Vec<String> {
        let mut epolls = Vec::new();
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut entries = RawDir::new(directory, &mut buffer);
        while let Some(Ok(entry)) = entries.next() {
            let Ok(link) = readlinkat(directory, entry.file_name(), Vec::new()) else { continue };
            let is_either =
                [&b"socket:"[..], b"pipe:"].iter().any(|kind| link.to_bytes().starts_with(kind));
            if is_either {
                self.held.insert(link);
            } else if link.to_bytes() == b"anon_inode:[eventpoll]" {
                epolls.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        epolls
    }

    /// Returns the most that they can hold, in bytes.
    pub(crate) fn most(&self) -> u64 {
        let sockets = self.held.iter().filter(|link| link.to_bytes().starts_with(b"socket:"));
        let sockets = sockets.count() as u64;
        let pipes = self.held.len() as u64 - sockets;
        (sockets + self.unknown) * send_buffer() + pipes * PIPE + self.epoll_items * EPOLL_ITEM
    }
}

fn send_buffer() -> u64 {
    static BUFFER: OnceLock<u64> = OnceLock::new();
    let read = || fs::read_to_string(SEND_BUFFER).ok()?.trim().parse().ok();
    *BUFFER.get_or_init(|| read().unwrap_or(USUAL_BUFFER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::CWD;
    use std::os::unix::net::UnixStream;

    #[test]
    fn a_socket_and_a_pipe_count_once_however_many_descriptors_and_processes_have_them() {
        let most_of = |names: &[&OwnedFd]| {
            let place = tempfile::tempdir().unwrap();
            fs::create_dir(place.path().join("fd")).unwrap();
            for (number, fd) in names.iter().enumerate() {
                let target = readlinkat(CWD, path_of(fd), Vec::new()).unwrap();
                let link = place.path().join("fd").join(number.to_string());
                std::os::unix::fs::symlink(target.to_str().unwrap(), link).unwrap();
            }
            let mut all = InFlight::default();
            all.add(CWD, place.path().to_str().unwrap(), 64);
            all.add(CWD, place.path().to_str().unwrap(), 64);
            all.most()
        };
        let (one, other) = UnixStream::pair().unwrap();
        let (one, other) = (OwnedFd::from(one), OwnedFd::from(other));
        let (read, write) = rustix::pipe::pipe().unwrap();
        let file = OwnedFd::from(fs::File::open("/dev/null").unwrap());
        assert_eq!(most_of(&[&file]), 0);
        assert_eq!(most_of(&[&read, &write, &file]), PIPE);
        assert_eq!(most_of(&[&one, &other, &read, &one]), 2 * send_buffer() + PIPE);
    }

    fn path_of(fd: &OwnedFd) -> String {
        use std::os::fd::AsRawFd;
        format!("/proc/self/fd/{}", fd.as_raw_fd())
    }

    #[test]
    fn the_items_of_an_epoll_count() {
        use rustix::event::epoll;
        let most = || {
            let mut all = InFlight::default();
            all.add(CWD, "/proc/thread-self", 0);
            all
        };
        let (epoll, pair) = (epoll::create(epoll::CreateFlags::CLOEXEC), UnixStream::pair());
        let (epoll, (one, other)) = (epoll.unwrap(), pair.unwrap());
        for end in [&one, &other] {
            let data = epoll::EventData::new_u64(0);
            epoll::add(&epoll, end, data, epoll::EventFlags::IN).unwrap();
        }
        // Other tests may have epolls too.
        assert!(most().epoll_items >= 2);
    }

    #[test]
    fn descriptors_that_cannot_be_read_count_as_sockets() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("fd"), "no directory").unwrap();
        let mut all = InFlight::default();
        all.add(CWD, place.path().to_str().unwrap(), 256);
        assert_eq!(all.most(), 256 * send_buffer());
        // Those of a process that has ended do not count.
        all.add(CWD, "/proc/no-such-process", 64);
        assert_eq!(all.most(), 256 * send_buffer());
    }

    #[test]
    fn this_process_has_what_it_opens() {
        let most = || {
            let mut all = InFlight::default();
            all.add(CWD, "/proc/thread-self", 0);
            all
        };
        let pair = UnixStream::pair().unwrap();
        let with = most();
        let link = readlinkat(CWD, path_of(&pair.0.into()), Vec::new()).unwrap();
        assert!(with.held.contains(&link), "{with:?}");
    }
}
