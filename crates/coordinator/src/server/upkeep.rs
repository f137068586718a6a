//! What a coordinator does by itself: it ends leases that have expired, so that they are seen in
//! time, and removes content that no result names.

use super::desk::Desk;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often expired leases are ended.
const REAP: Duration = Duration::from_secs(5);

/// How often content is removed.
const REMOVE: Duration = Duration::from_secs(3600);

/// How old content without a name must be. A worker that cannot reach the coordinator keeps what it
/// has not sent, and stores the content again before its result.
const AGE: Duration = Duration::from_secs(24 * 3600);

/// The thread that does it, until this is dropped.
pub(super) struct Upkeep {
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Upkeep {
    pub(super) fn start(desk: Arc<Desk>) -> io::Result<Upkeep> {
        let (stop, stopped) = sync_channel(1);
        let thread = thread::Builder::new().name("upkeep".to_string()).spawn(move || {
            let mut removed = Instant::now();
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(REAP) {
                desk.reap();
                if removed.elapsed() >= REMOVE {
                    removed = Instant::now();
                    desk.remove_unnamed(AGE);
                }
            }
        })?;
        Ok(Upkeep { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Upkeep {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
