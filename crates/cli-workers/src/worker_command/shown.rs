//! The output of a worker: lines for its log, or JSON.

use botyard_cli::text::{eprint_line, out, print_event, warn};
use botyard_worker::{Line, Log, WorkerEvent};

/// The output of a worker.
pub(crate) struct Shown {
    is_json: bool,
    log: Log,
}

impl Shown {
    /// Prints lines, or events as JSON.
    pub(crate) fn new(is_json: bool) -> Shown {
        Shown { is_json, log: Log::default() }
    }

    /// Prints an event.
    pub(crate) fn show(&self, event: &WorkerEvent) {
        // A log that is not read any more does not end the games.
        if self.is_json {
            let _ = print_event(event);
            return;
        }
        if let WorkerEvent::TournamentOpened { warnings, .. } = event {
            warn(warnings);
        }
        match self.log.line(event) {
            Some(Line::Out(line)) => drop(out(&format!("{line}\n"))),
            Some(Line::Err(line)) => eprint_line(&line),
            None => {}
        }
    }
}
