//! How much a build has written in its directory, against what it may.

use super::tree::Tree;
use crate::error::Error;
use crate::settings::OUTPUT;
use botyard_sandbox::MIB;
use std::time::{Duration, Instant};

/// The shortest time between two looks at a directory while a build runs.
const PAUSE: Duration = Duration::from_millis(500);

/// How many times as long as a look takes the next one waits at least: looking at a large directory
/// must not cost more than the build.
const SHARE: u32 = 20;

/// The amount that a build has written in its directory.
#[derive(Debug)]
pub struct Written<'a> {
    tree: &'a Tree,
    /// How many bytes were there before.
    before: u64,
    /// How many more there may be.
    most: u64,
    next: Instant,
}

impl<'a> Written<'a> {
    /// Measures from what is in the directory now.
    pub fn since_now(tree: &'a Tree, most: u64) -> Result<Written<'a>, Error> {
        let before = tree.size(u64::MAX).map_err(|error| {
            Error::usage(format!("measuring the directory of the build: {error}"))
        })?;
        Ok(Written { tree, before, most, next: Instant::now() + PAUSE })
    }

    /// Whether it is too much by now, or cannot be told; looks only now and then.
    pub fn is_too_much_by_now(&mut self) -> bool {
        let begun = Instant::now();
        if begun < self.next {
            return false;
        }
        let is_too_much = self.too_much().is_some();
        self.next = Instant::now() + PAUSE.max(begun.elapsed() * SHARE);
        is_too_much
    }

    /// What to say where it is too much, or cannot be told, which is the build's doing.
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
