//! The permissions of files that this process creates (`umask`). Stores, replays and bundles are for
//! their owner alone; what bots and builds create is as their user wants it.

use rustix::fs::Mode;
use rustix::process::umask;
use std::sync::OnceLock;

/// The mask that this process was started with, once it has been changed.
static AT_START: OnceLock<Mode> = OnceLock::new();

/// Keeps files that this process creates from now on from all other users. Programs that it starts
/// get the original mask.
pub fn keep_new_files_private() {
    AT_START.get_or_init(|| umask(Mode::RWXG | Mode::RWXO));
}

/// Restores the mask that this process, or the one it was forked from, was started with.
pub(crate) fn restore() {
    if let Some(mask) = AT_START.get() {
        umask(*mask);
    }
}
