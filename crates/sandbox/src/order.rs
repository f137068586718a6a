//! The socket between a thread of this process and its launcher, which lives as long as the thread.
//! Each message is an order to start a program, with the descriptors for it. The launcher answers
//! over the channel of the order alone.

use crate::channel::Channel;
use crate::control_group::Entrance;
use crate::launch::{Launch, os_strings};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;

/// The longest message, in bytes: what a socket accepts at once by default.
const LONGEST: usize = 200 * 1024;

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub launch: Launch,
    /// The program's whole environment, as `NAME=value`.
    #[serde(with = "os_strings")]
    pub environment: Vec<OsString>,
}

/// An order, as the launcher receives it.
#[derive(Debug)]
pub(crate) struct Order {
    pub task: Task,
    /// The program's standard streams.
    pub stdin: OwnedFd,
    pub stdout: OwnedFd,
    pub stderr: OwnedFd,
    /// The ways into the program's control group, if it has one.
    pub entrance: Option<Entrance>,
}

/// Encodes a task.
///
/// # Errors
///
/// Fails with `ArgumentListTooLong` if the task does not fit in one message.
pub(crate) fn encoded(task: &Task) -> io::Result<Vec<u8>> {
    let bytes = serde_json::to_vec(task)?;
    match bytes.len() > LONGEST {
        true => Err(io::ErrorKind::ArgumentListTooLong.into()),
        false => Ok(bytes),
    }
}

/// Sends an encoded task with the launcher's end of its channel and the descriptors of an [`Order`];
/// never waits.
pub(crate) fn send(
    socket: impl AsFd,
    task: &[u8],
    descriptors: &[BorrowedFd<'_>],
) -> Result<(), Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(6))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(descriptors));
    let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
    sendmsg(socket, &[IoSlice::new(task)], &mut control, flags).map(drop)
}

/// Returns a buffer for [`receive`].
pub(crate) fn buffer() -> Vec<u8> {
    vec![0; LONGEST + 1]
}

/// Waits for an order, and returns it with its channel; `None` if the other end is closed.
pub(crate) fn receive(
    socket: impl AsFd,
    buffer: &mut [u8],
) -> io::Result<Option<(Channel, Order)>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(6))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let message = loop {
        let buffers = &mut [IoSliceMut::new(buffer)];
        match recvmsg(&socket, buffers, &mut control, RecvFlags::CMSG_CLOEXEC) {
            Err(Errno::INTR) => {}
            received => break received?,
        }
    };
    if message.bytes == 0 {
        return Ok(None);
    }
    let mut descriptors = control.drain().flat_map(|message| match message {
        RecvAncillaryMessage::ScmRights(fds) => fds.collect::<Vec<_>>(),
        _ => Vec::new(),
    });
    let mut next = || descriptors.next().ok_or_else(|| io::Error::other("a descriptor is missing"));
    let channel = Channel::of_launcher(next()?);
    let (stdin, stdout, stderr) = (next()?, next()?, next()?);
    let entrance = next().ok().zip(next().ok());
    let entrance = entrance.map(|(directory, processes)| Entrance { directory, processes });
    let task = serde_json::from_slice(&buffer[..message.bytes])?;
    Ok(Some((channel, Order { task, stdin, stdout, stderr, entrance })))
}
