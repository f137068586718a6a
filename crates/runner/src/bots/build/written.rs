//! The amount of data that a build has written to its directory, and its limit.
//!
//! The build is stopped while its directory is measured, and every file counts at least 4 KiB, so a
//! build with many files costs itself time, and can neither put a measurement off nor write beside
//! it. Between measurements the free space of the file system says when the next one is due.

use super::tree::Tree;
use crate::error::Error;
use crate::message;
use crate::message::Message;
use crate::settings::OUTPUT;
use botyard_sandbox::{Contained, MIB};
use std::time::{Duration, Instant};

/// The shortest and the longest time between two measurements of a directory while the file system
/// shows no need for one: a large file with a hole takes no space, and other programs may free some.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(5);

/// The ratio of that time to the duration of the measurement before it, in which the build stood.
const SHARE: u32 = 10;

/// The longest wait until a build has stopped: a thread may wait for a busy disk.
const STOPPING: Duration = Duration::from_millis(200);

/// The amount that a build has written in its directory.
#[derive(Debug)]
pub(super) struct Written<'a> {
    tree: &'a Tree,
    /// The size before the build, in bytes.
    before: u64,
    /// The limit of growth, in bytes.
    most: u64,
    /// What may still be written, by the last measurement, in bytes.
    left: u64,
    /// What was used of the file system then, by all programs, in bytes.
    used: u64,
    next: Instant,
}

impl<'a> Written<'a> {
    /// Starts with the current size of the directory.
    pub(super) fn since_now(tree: &'a Tree, most: u64) -> Result<Written<'a>, Error> {
        let before = tree.size(u64::MAX).map_err(|error| {
            Error::usage(format!("cannot measure the directory of the build: {error}"))
        })?;
        let next = Instant::now() + PAUSE;
        Ok(Written { tree, before, most, left: most, used: tree.used_around(), next })
    }

    /// Returns whether the limit is exceeded or the size cannot be measured. Measures only when that
    /// is due, and stops the program meanwhile.
    pub(super) fn is_too_much_by_now(&mut self, program: &Contained) -> bool {
        if !self.is_due(Instant::now(), self.tree.used_around()) {
            return false;
        }
        let begun = Instant::now();
        program.stop();
        let until = begun + STOPPING;
        while !program.is_stopped() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.used = self.tree.used_around();
        let enough = self.enough();
        let size = self.tree.size(enough).ok().filter(|&size| size <= enough);
        self.next = Instant::now() + (begun.elapsed() * SHARE).clamp(PAUSE, LONGEST);
        let Some(size) = size else { return true };
        self.left = enough - size;
        program.resume();
        false
    }

    /// Returns whether the build may have written half of what is left, or has not been measured for
    /// a while.
    fn is_due(&self, now: Instant, used: u64) -> bool {
        now >= self.next || used.saturating_sub(self.used) > self.left / 2
    }

    fn enough(&self) -> u64 {
        self.before.saturating_add(self.most)
    }

    /// Returns the message if the limit is exceeded or the size cannot be measured, which is the
    /// build's fault.
    pub(super) fn too_much(&self) -> Option<Message> {
        let enough = self.enough();
        match self.tree.size(enough) {
            Ok(size) if size <= enough => None,
            Ok(_) => Some(message![
                format!(
                    "it wrote more than {} MiB in its directory (not deleted); ",
                    self.most / MIB
                ),
                OUTPUT,
                " sets the limit"
            ]),
            Err(error) => Some(message![format!("cannot measure what it wrote: {error}")]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_sandbox::Walked;

    #[test]
    fn a_measurement_is_due_when_half_of_the_rest_may_be_written_and_now_and_then() {
        let directory = tempfile::tempdir().unwrap();
        let found = Walked::along(&directory.path().canonicalize().unwrap()).unwrap();
        let tree = Tree::open(&found).unwrap();
        let written = Written::since_now(&tree, 64 * MIB).unwrap();
        let (used, at_once) = (written.used, written.next - PAUSE);
        for (what, now, used, is_due) in [
            ("nothing has happened", at_once, used, false),
            ("a little was written", at_once, used + 32 * MIB, false),
            ("much was written", at_once, used + 33 * MIB, true),
            ("another program has removed files", at_once, used / 2, false),
            ("time has passed", at_once + PAUSE, used, true),
        ] {
            assert_eq!(written.is_due(now, used), is_due, "{what}");
        }
    }
}
