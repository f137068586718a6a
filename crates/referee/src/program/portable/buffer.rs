//! A bounded buffer of bytes between the referee, which never blocks, and a thread that reads or
//! writes a program's pipe and blocks there.
//!
//! The bound is about that of a pipe. When it is reached, the thread reads no more, so a program
//! that floods its output is blocked by its own full pipe, and takes no memory of the referee.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::Duration;

/// How many bytes the buffer takes before its writer has to wait. A reader thread adds at most
/// another [`PIECE`].
const ROOM: usize = 64 * 1024;

/// How much is read from a pipe at once: as much as a pipe usually holds, so that lines that were
/// written together arrive together.
const PIECE: usize = 64 * 1024;

/// How long the thread usually takes at most to write a line.
const WRITING: Duration = Duration::from_millis(1);

#[derive(Debug, Default)]
struct State {
    bytes: VecDeque<u8>,
    /// How many bytes the thread has taken out and not written yet.
    in_hand: usize,
    /// No more bytes will be put in.
    is_complete: bool,
    /// No more bytes will be taken out: further ones are dropped.
    is_abandoned: bool,
    /// The pipe is to be closed.
    is_closed: bool,
    /// The thread of the referee to wake when something changes.
    waiter: Option<Thread>,
}

/// The buffer. Its ends share it.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    state: Mutex<State>,
    /// Wakes the thread.
    changed: Condvar,
}

impl Buffer {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the thread and the referee after a change.
    fn tell(&self, state: MutexGuard<'_, State>) {
        let waiter = state.waiter.clone();
        drop(state);
        self.changed.notify_all();
        if let Some(waiter) = waiter {
            waiter.unpark();
        }
    }

    /// Makes changes wake the calling thread, if it parks.
    pub(crate) fn wake_this_thread(&self) {
        let mut state = self.state();
        let this = std::thread::current();
        if state.waiter.as_ref().is_none_or(|waiter| waiter.id() != this.id()) {
            state.waiter = Some(this);
        }
    }

    /// Returns whether the buffer has bytes or will get no more.
    pub(crate) fn is_readable(&self) -> bool {
        let state = self.state();
        !state.bytes.is_empty() || state.is_complete
    }

    /// Returns whether everything that was put in has been written, or cannot be written.
    pub(crate) fn is_written(&self) -> bool {
        let state = self.state();
        state.is_abandoned || (state.bytes.is_empty() && state.in_hand == 0)
    }

    /// Returns whether the end of the stream has been reached, apart from bytes in the buffer.
    pub(crate) fn is_complete(&self) -> bool {
        self.state().is_complete
    }

    /// Ends the use of the buffer: its thread need not wait for room or for bytes any longer.
    pub(crate) fn abandon(&self) {
        let mut state = self.state();
        state.is_abandoned = true;
        self.tell(state);
    }

    /// Ends the use of the buffer and of the pipe: its thread closes the pipe after the next read or
    /// write. A process that was not killed with the program then notices that nothing reads it.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.is_abandoned = true;
        self.tell(state);
    }

    /// Reads a program's pipe to its end, into the buffer. A thread does this.
    pub(crate) fn fill(&self, mut pipe: impl Read) {
        let mut piece = vec![0; PIECE];
        loop {
            let count = match pipe.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // The pipe is just not read any more.
                Err(_) => break,
            };
            let mut state = self.state();
            while state.bytes.len() >= ROOM && !state.is_abandoned {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.is_closed {
                break;
            }
            if state.bytes.len() < ROOM {
                state.bytes.extend(&piece[..count]);
                self.tell(state);
            }
        }
        let mut state = self.state();
        state.is_complete = true;
        self.tell(state);
    }

    /// Writes everything from the buffer into a program's pipe, until it is complete. A thread does
    /// this.
    pub(crate) fn empty(&self, mut pipe: impl Write) {
        let mut piece = Vec::new();
        loop {
            let mut state = self.state();
            while state.bytes.is_empty() && !state.is_complete && !state.is_abandoned {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.is_abandoned || state.bytes.is_empty() {
                return;
            }
            piece.clear();
            piece.extend(state.bytes.drain(..));
            state.in_hand = piece.len();
            drop(state);
            let written = pipe.write_all(&piece).and_then(|()| pipe.flush());
            let mut state = self.state();
            state.in_hand = 0;
            state.is_abandoned |= written.is_err();
            self.tell(state);
        }
    }
}

/// The end of the buffer for a program's input.
#[derive(Debug)]
pub(crate) struct Inlet(pub Arc<Buffer>);

impl Inlet {
    /// As [`Input::write`](crate::program::streams::Input::write).
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.state();
        if state.is_abandoned {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let count = bytes.len().min(ROOM.saturating_sub(state.bytes.len()));
        if count == 0 && !bytes.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        state.bytes.extend(&bytes[..count]);
        drop(state);
        self.0.changed.notify_all();
        Ok(count)
    }

    /// As [`Input::on_the_way`](crate::program::streams::Input::on_the_way), after a short wait for
    /// the thread.
    pub(crate) fn on_the_way(&self) -> io::Result<usize> {
        let is_on_the_way = |state: &mut State| {
            !state.is_abandoned && (!state.bytes.is_empty() || state.in_hand > 0)
        };
        let waited = self.0.changed.wait_timeout_while(self.0.state(), WRITING, is_on_the_way);
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        match state.is_abandoned {
            true => Err(ErrorKind::BrokenPipe.into()),
            false => Ok(state.bytes.len() + state.in_hand),
        }
    }
}

impl Drop for Inlet {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_complete = true;
        self.0.tell(state);
    }
}

/// The end of the buffer for a program's output.
#[derive(Debug)]
pub(crate) struct Outlet(pub Arc<Buffer>);

impl Outlet {
    /// As [`Output::read`](crate::program::streams::Output::read).
    pub(crate) fn read(&self, mut space: &mut [u8]) -> io::Result<usize> {
        let mut state = self.0.state();
        if state.bytes.is_empty() {
            return if state.is_complete { Ok(0) } else { Err(ErrorKind::WouldBlock.into()) };
        }
        let was_full = state.bytes.len() >= ROOM;
        let count = state.bytes.len().min(space.len());
        for (from, to) in state.bytes.drain(..count).zip(space.iter_mut()) {
            *to = from;
        }
        space = &mut space[..count];
        drop(state);
        if was_full {
            self.0.changed.notify_all();
        }
        Ok(space.len())
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe from which 1 MiB can be read.
    struct Flood(usize);

    impl Read for Flood {
        fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
            let count = space.len().min(self.0);
            space[..count].fill(b'x');
            self.0 -= count;
            Ok(count)
        }
    }

    #[test]
    fn a_flood_waits_for_the_reader_and_arrives_whole() {
        const ALL: usize = 1 << 20;
        let buffer = Arc::new(Buffer::default());
        let fills = buffer.clone();
        let thread = std::thread::spawn(move || fills.fill(Flood(ALL)));
        let outlet = Outlet(buffer.clone());
        let (mut space, mut total) = ([0; 10_000], 0);
        buffer.wake_this_thread();
        loop {
            assert!(buffer.state().bytes.len() < ROOM + PIECE);
            match outlet.read(&mut space) {
                Ok(0) => break,
                Ok(count) => total += count,
                Err(_) => std::thread::park_timeout(Duration::from_secs(1)),
            }
        }
        assert_eq!(total, ALL);
        thread.join().unwrap();
    }

    #[test]
    fn a_thread_that_waits_for_room_reads_the_rest_when_the_outlet_is_gone() {
        let buffer = Arc::new(Buffer::default());
        let fills = buffer.clone();
        let thread = std::thread::spawn(move || fills.fill(Flood(1 << 20)));
        drop(Outlet(buffer));
        thread.join().unwrap();
    }

    #[test]
    fn a_thread_closes_an_endless_pipe_when_the_program_is_torn_down() {
        let buffer = Arc::new(Buffer::default());
        let fills = buffer.clone();
        let thread = std::thread::spawn(move || fills.fill(Flood(usize::MAX)));
        buffer.close();
        thread.join().unwrap();
    }

    #[test]
    fn what_was_taken_is_written_before_the_input_is_closed() {
        let buffer = Arc::new(Buffer::default());
        let inlet = Inlet(buffer.clone());
        let line = vec![b'x'; ROOM + 1];
        assert_eq!(inlet.write(&line).unwrap(), ROOM);
        assert_eq!(inlet.write(&line).unwrap_err().kind(), ErrorKind::WouldBlock);
        assert_eq!(inlet.on_the_way().unwrap(), ROOM);
        drop(inlet);
        let mut written = Vec::new();
        buffer.empty(&mut written);
        assert_eq!(written.len(), ROOM);
        assert!(buffer.is_written());
    }

    /// A pipe that is closed on the other side.
    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_broken_pipe_is_reported_to_the_writer() {
        let buffer = Arc::new(Buffer::default());
        let inlet = Inlet(buffer.clone());
        inlet.write(b"line\n").unwrap();
        buffer.empty(Broken);
        assert!(buffer.is_written());
        assert_eq!(inlet.on_the_way().unwrap_err().kind(), ErrorKind::BrokenPipe);
        assert_eq!(inlet.write(b"line\n").unwrap_err().kind(), ErrorKind::BrokenPipe);
    }
}
