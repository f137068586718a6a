//! How much a build has written in its directory, against what it may.

use super::tree::Tree;
use crate::failure::Failure;
use botyard_sandbox::MIB;
use std::time::{Duration, Instant};

/// The shortest time between two looks at a directory while a build runs.
const PAUSE: Duration = Duration::from_millis(500);

/// How many times as long as a look takes the next one waits at least: looking at a large directory
/// must not cost more than the build.
const SHARE: u32 = 20;

/// The amount that a build has written in its directory.
#[derive(Debug)]
pub struct Written {
    tree: Tree,
    /// How many bytes were there before.
    before: u64,
    /// How many more there may be.
    most: u64,
    next: Instant,
}

impl Written {
    /// Measures from what is in the directory now.
    pub fn since_now(tree: Tree, most: u64) -> anyhow::Result<Written> {
        let before = tree.size(u64::MAX).map_err(unknown)?;
        Ok(Written { tree, before, most, next: Instant::now() + PAUSE })
    }

    /// Whether it is too much by now; looks only now and then.
    pub fn is_too_much_by_now(&mut self) -> anyhow::Result<bool> {
        let begun = Instant::now();
        if begun < self.next {
            return Ok(false);
        }
        let size = self.size()?;
        self.next = Instant::now() + PAUSE.max(begun.elapsed() * SHARE);
        Ok(size > self.enough())
    }

    /// What to say where it is too much, now that nobody writes any more.
    pub fn too_much(&self) -> anyhow::Result<Option<String>> {
        let size = self.size()?;
        Ok((size > self.enough()).then(|| {
            format!(
                "it has written more than {} MiB in its directory, where it is still; --output gives \
                 it more",
                self.most / MIB
            )
        }))
    }

    fn enough(&self) -> u64 {
        self.before.saturating_add(self.most)
    }

    fn size(&self) -> anyhow::Result<u64> {
        self.tree.size(self.enough()).map_err(unknown)
    }
}

fn unknown(error: std::io::Error) -> anyhow::Error {
    Failure::host(format!("measuring the directory of the build: {error}"))
}
