//! The socket between this process and the process that becomes a program. The permission to run the
//! program goes one way, reports go the other.
//! The socket preserves message boundaries. The contained program never holds it, so no program can
//! speak for its launcher.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags,
    SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg,
    sendmsg, socketpair,
};
use serde::{Deserialize, Serialize};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;

/// The message that lets a launcher run its program.
const GO: &[u8] = b"go";

/// A report of a launcher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "report")]
pub(crate) enum Report {
    /// The first process of this start exists. If the channel closes before this, the program is not to
    /// blame. The kernel adds the sender's PID, as the receiver sees it, to this and all reports.
    Begun,
    /// Tiers B and C: sent by the init process of the PID namespace as soon as it exists. It is a
    /// child of the receiver. The kernel adds the sender's PID, as the receiver sees it.
    Init,
    /// Tiers B and C: sent by the process that becomes the program. The kernel adds the sender's
    /// PID, as the receiver sees it.
    Here,
    /// Tiers B and C: the program runs. In tier A, the closing of the channel means this. Carries a
    /// descriptor of the `/proc` of the program's namespaces.
    Started,
    /// The program could not be contained and was not started.
    Setup {
        /// The step that failed.
        step: String,
        /// The system's error number, if any.
        errno: Option<i32>,
        /// The error message.
        message: String,
    },
    /// The program could not get the files that the launch names and was not started.
    Files {
        /// Which file is missing, and why.
        message: String,
    },
    /// The program was contained but could not be executed.
    Exec {
        /// The system's error number.
        errno: i32,
    },
    /// Tiers B and C, once: the program may have processes other than its own from now on.
    Children,
    /// Tiers B and C: the program has ended.
    Ended {
        /// Its exit code, if it exited.
        code: Option<i32>,
        /// The signal that killed it, if any.
        signal: Option<i32>,
        /// The peak resident set size of the program or of a child that it has reaped, in bytes.
        peak_memory: u64,
        /// The processes among which its memory limit was divided: when one was last refused, or the
        /// most at once.
        processes: u32,
    },
}

/// One end of the channel.
#[derive(Debug)]
pub(crate) struct Channel(OwnedFd);

/// The result of a receive.
#[derive(Debug)]
pub(crate) enum Received {
    /// A report.
    Report {
        /// The report.
        report: Report,
        /// The PID of the sender, as the receiver sees it.
        sender: Option<i32>,
        /// The descriptor that came with the report.
        descriptor: Option<OwnedFd>,
    },
    /// No message yet.
    Nothing,
    /// The other end is closed.
    Closed,
}

impl Channel {
    /// Creates both ends: for the process that starts a launcher, and for the launcher.
    pub(crate) fn pair() -> io::Result<(Channel, OwnedFd)> {
        let flags = SocketFlags::CLOEXEC;
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        rustix::net::sockopt::set_socket_passcred(&ours, true)?;
        Ok((Channel(ours), theirs))
    }

    /// Wraps the end that a launcher was started with.
    pub(crate) fn of_launcher(end: OwnedFd) -> Channel {
        Channel(end)
    }

    /// Sends bytes with a descriptor.
    fn send_with(&self, bytes: &[u8], descriptor: BorrowedFd<'_>) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        let descriptors = [descriptor];
        control.push(SendAncillaryMessage::ScmRights(&descriptors));
        sendmsg(&self.0, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// Lets the launcher run the program, now or as soon as it has contained itself; never waits.
    pub(crate) fn send_go(&self) -> io::Result<()> {
        rustix::net::send(&self.0, GO, SendFlags::NOSIGNAL | SendFlags::DONTWAIT)?;
        Ok(())
    }

    /// Waits until the program may run.
    ///
    /// # Errors
    ///
    /// Fails if the other end is closed: the program is not wanted any more.
    pub(crate) fn await_go(&self) -> io::Result<()> {
        let mut bytes = [0; GO.len()];
        loop {
            match rustix::net::recv(&self.0, &mut bytes, RecvFlags::empty()) {
                Ok((received, _)) if bytes[..received] == *GO => return Ok(()),
                Ok((0, _)) => return Err(io::ErrorKind::BrokenPipe.into()),
                Ok(_) => return Err(io::ErrorKind::InvalidData.into()),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    pub(crate) fn report(&self, report: &Report) -> io::Result<()> {
        let bytes = serde_json::to_vec(report)?;
        rustix::net::send(&self.0, &bytes, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    pub(crate) fn report_with(
        &self,
        report: &Report,
        descriptor: BorrowedFd<'_>,
    ) -> io::Result<()> {
        self.send_with(&serde_json::to_vec(report)?, descriptor)
    }

    /// Returns whether a message has arrived, as far as that is known.
    pub(crate) fn has_message(&self) -> bool {
        !matches!(rustix::io::ioctl_fionread(&self.0), Ok(0))
    }

    /// Sends a descriptor alone.
    pub(crate) fn pass(&self, descriptor: BorrowedFd<'_>) -> io::Result<()> {
        self.send_with(b"fd", descriptor)
    }

    /// Waits for a descriptor that is sent alone; `None` if the other end is closed before.
    pub(crate) fn passed(&self) -> io::Result<Option<OwnedFd>> {
        let mut space =
            [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1), ScmCredentials(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut bytes = [0; 2];
        let buffers = &mut [IoSliceMut::new(&mut bytes)];
        loop {
            match recvmsg(&self.0, buffers, &mut control, RecvFlags::CMSG_CLOEXEC) {
                Err(Errno::INTR) => {}
                Err(Errno::CONNRESET) => return Ok(None),
                Err(errno) => return Err(errno.into()),
                Ok(_) => break,
            }
        }
        let descriptors = control.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmRights(mut fds) => fds.next(),
            _ => None,
        });
        Ok(descriptors)
    }

    /// Receives a message, if there is one; never waits.
    pub(crate) fn receive(&self) -> io::Result<Received> {
        let mut bytes = [0; 4096];
        let mut space =
            [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1), ScmCredentials(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
        let message = loop {
            match recvmsg(&self.0, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags) {
                Ok(message) => break message,
                // The kernel says once that the other end was closed with an unread message in it: a
                // launcher that failed before it asked whether to run. Its report follows.
                Err(Errno::INTR | Errno::CONNRESET) => {}
                Err(Errno::AGAIN) => return Ok(Received::Nothing),
                Err(errno) => return Err(errno.into()),
            }
        };
        if message.bytes == 0 {
            return Ok(Received::Closed);
        }
        if message.flags.contains(ReturnFlags::TRUNC) {
            return Err(io::Error::other("a launcher's report is too long"));
        }
        let (mut sender, mut descriptor) = (None, None);
        for extra in control.drain() {
            match extra {
                RecvAncillaryMessage::ScmCredentials(of) => sender = Some(of.pid.as_raw_pid()),
                RecvAncillaryMessage::ScmRights(mut fds) => descriptor = fds.next(),
                _ => {}
            }
        }
        let report = serde_json::from_slice(&bytes[..message.bytes])?;
        Ok(Received::Report { report, sender, descriptor })
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
