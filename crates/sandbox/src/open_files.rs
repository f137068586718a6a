//! The open file limit of this process. Many systems set a soft limit of 1024 for the sake of
//! programs that use `select`; a referee of many games needs more and does not use it.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::sync::OnceLock;

/// The limit that this process was started with, once it has been raised.
static AT_START: OnceLock<Rlimit> = OnceLock::new();

/// Raises the soft limit to the hard limit. Programs that this process starts get the original
/// limit or their own.
pub fn raise_open_files_limit() {
    let limit = getrlimit(Resource::Nofile);
    AT_START.get_or_init(|| limit);
    // At worst fewer games fit, which is detected before the first one starts.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

/// Restores the limit that this process, or the one it was forked from, was started with.
pub(crate) fn restore() {
    if let Some(limit) = AT_START.get() {
        let _ = setrlimit(Resource::Nofile, *limit);
    }
}
