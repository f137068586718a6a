//! What is said between a launcher and whoever started it: the launch, the descriptor of the
//! program's standard input and the entrance of its control group, if it has one, one way, reports the
//! other. A socket that keeps messages apart and
//! that the contained program never holds, so that no program can speak for its launcher.

use crate::launch::Launch;
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

/// The longest message, in bytes: what a socket takes at once by default.
const LONGEST: usize = 200 * 1024;

/// What a launcher reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "report")]
pub(crate) enum Report {
    /// The launcher is at work. What ends the channel before that is no program's doing.
    Begun,
    /// Tiers B and C: the number of the namespaces' first process, as the receiver sees it. It is
    /// a child of the receiver's.
    Init {
        /// Its number.
        pid: i32,
    },
    /// Tiers B and C: sent by the process that becomes the program. The system adds the sender's
    /// number, as the receiver sees it.
    Here,
    /// Tiers B and C: the program runs. In tier A the end of the channel says so. With it comes a
    /// descriptor of the `/proc` of its namespaces.
    Started,
    /// The program could not be contained. It was not started.
    Setup {
        /// What was being done.
        step: String,
        /// What the system said.
        errno: Option<i32>,
        /// The same in words.
        message: String,
    },
    /// The program could not be given what the launch names. It was not started.
    Files {
        /// What could not be given, and why.
        message: String,
    },
    /// The program was contained and could not be run.
    Exec {
        /// What the system said.
        errno: i32,
    },
    /// Tiers B and C: the program has ended.
    Ended {
        /// Its exit code, where it ended by itself.
        code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// The most memory that it, or a child that it has waited for, had resident, in bytes.
        peak_memory: u64,
    },
}

/// One end.
#[derive(Debug)]
pub(crate) struct Channel(OwnedFd);

/// What came.
#[derive(Debug)]
pub(crate) enum Received {
    /// A report.
    Report {
        /// What it says.
        report: Report,
        /// The number of the process that sent it, as the receiver sees it.
        sender: Option<i32>,
        /// A descriptor that came with it.
        descriptor: Option<OwnedFd>,
    },
    /// Nothing yet.
    Nothing,
    /// Nothing, and there will be no more.
    Closed,
}

impl Channel {
    /// Both ends: for whoever starts a launcher, and for the launcher.
    pub fn pair() -> io::Result<(Channel, OwnedFd)> {
        let flags = SocketFlags::CLOEXEC;
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        rustix::net::sockopt::set_socket_passcred(&ours, true)?;
        Ok((Channel(ours), theirs))
    }

    /// The end that a launcher was started with.
    pub fn of_launcher(end: OwnedFd) -> Channel {
        Channel(end)
    }

    /// Sends a launch with the program's standard input and, where it has a control group, what the
    /// launcher writes `0` to in order to move into that.
    pub fn send_launch(
        &self,
        launch: &Launch,
        stdin: BorrowedFd<'_>,
        entrance: Option<BorrowedFd<'_>>,
    ) -> io::Result<()> {
        let bytes = serde_json::to_vec(launch)?;
        if bytes.len() > LONGEST {
            return Err(io::ErrorKind::ArgumentListTooLong.into());
        }
        match entrance {
            Some(entrance) => self.send_with(&bytes, &[stdin, entrance]),
            None => self.send_with(&bytes, &[stdin]),
        }
    }

    /// Sends bytes with at most two descriptors.
    fn send_with(&self, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(descriptors));
        sendmsg(&self.0, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// A launch, the program's standard input, and the entrance of its control group if it has one.
    pub fn receive_launch(&self) -> io::Result<(Launch, OwnedFd, Option<OwnedFd>)> {
        let mut bytes = vec![0; LONGEST + 1];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let message = recvmsg(
            &self.0,
            &mut [IoSliceMut::new(&mut bytes)],
            &mut control,
            RecvFlags::CMSG_CLOEXEC,
        )?;
        let mut descriptors = control.drain().flat_map(|message| match message {
            RecvAncillaryMessage::ScmRights(fds) => fds.collect::<Vec<_>>(),
            _ => Vec::new(),
        });
        let launch = serde_json::from_slice(&bytes[..message.bytes])?;
        let stdin = descriptors.next().ok_or_else(|| io::Error::other("no standard input came"))?;
        Ok((launch, stdin, descriptors.next()))
    }

    pub fn report(&self, report: &Report) -> io::Result<()> {
        let bytes = serde_json::to_vec(report)?;
        rustix::net::send(&self.0, &bytes, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    pub fn report_with(&self, report: &Report, descriptor: BorrowedFd<'_>) -> io::Result<()> {
        self.send_with(&serde_json::to_vec(report)?, &[descriptor])
    }

    /// What is there; never waits.
    pub fn receive(&self) -> io::Result<Received> {
        let mut bytes = [0; 4096];
        let mut space =
            [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1), ScmCredentials(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
        let message = loop {
            match recvmsg(&self.0, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags) {
                Ok(message) => break message,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(Received::Nothing),
                Err(Errno::CONNRESET) => return Ok(Received::Closed),
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
