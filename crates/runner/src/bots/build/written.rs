//! The amount of data that a build has written to its directory, and its limit.

use super::tree::Tree;
use crate::error::Error;
use crate::settings::OUTPUT;
use botyard_sandbox::MIB;
use std::time::{Duration, Instant};

/// The shortest time between two measurements of a directory while a build runs.
const PAUSE: Duration = Duration::from_millis(500);

/// The ratio of the wait to the duration of the measurement before it: measuring a large directory
/// must not cost more than the build.
const SHARE: u32 = 20;

/// The longest time between two measurements: a build cannot postpone them with many files.
const LONGEST: Duration = Duration::from_secs(2);

/// The amount that a build has written in its directory.
#[derive(Debug)]
pub struct Written<'a> {
    tree: &'a Tree,
    /// The size before the build, in bytes.
    before: u64,
    /// The limit of growth, in bytes.
    most: u64,
    next: Instant,
}

impl<'a> Written<'a> {
    /// Starts with the current size of the directory.
    pub fn since_now(tree: &'a Tree, most: u64) -> Result<Written<'a>, Error> {
        let before = tree.size(u64::MAX).map_err(|error| {
            Error::usage(format!("cannot measure the directory of the build: {error}"))
        })?;
        Ok(Written { tree, before, most, next: Instant::now() + PAUSE })
    }

    /// Returns whether the limit is exceeded or the size cannot be measured. Measures only now and
    /// then.
    pub fn is_too_much_by_now(&mut self) -> bool {
        let begun = Instant::now();
        if begun < self.next {
            return false;
        }
        let is_too_much = self.too_much().is_some();
        self.next = Instant::now() + (begun.elapsed() * SHARE).clamp(PAUSE, LONGEST);
        is_too_much
    }

    /// Returns the message if the limit is exceeded or the size cannot be measured, which is the
    /// build's fault.
    pub fn too_much(&self) -> Option<String> {
        let enough = self.before.saturating_add(self.most);
        match self.tree.size(enough) {
            Ok(size) if size <= enough => None,
            Ok(_) => Some(format!(
                "it wrote more than {} MiB in its directory (not deleted); {OUTPUT} sets the limit",
                self.most / MIB
            )),
            Err(error) => Some(format!("cannot measure what it wrote: {error}")),
        }
    }
}
