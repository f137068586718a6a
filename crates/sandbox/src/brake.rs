//! Stops and resumes a program for two: the referee, outside the program's turn, and the memory
//! watch, while it measures. The program runs while neither wants it stopped.

use crate::control_group::ControlGroup;
use rustix::process::{Pid, Signal, kill_process_group};
use std::sync::{Mutex, PoisonError};

/// Who wants a program stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Referee,
    MemoryWatch,
}

/// For whom a program is stopped.
#[derive(Debug, Default)]
pub(crate) struct Brake(Mutex<[bool; 2]>);

impl Brake {
    /// Stops the program, or resumes it if the other does not want it stopped. `program` is its main
    /// process, which has not been reaped.
    pub(crate) fn set(&self, by: By, stopped: bool, group: Option<&ControlGroup>, program: Pid) {
        self.change(by, stopped, |stopped| match group {
            Some(group) => group.freeze(stopped),
            None => {
                let signal = if stopped { Signal::STOP } else { Signal::CONT };
                let _ = kill_process_group(program, signal);
            }
        });
    }

    /// Returns whether this one wants the program stopped.
    pub(crate) fn is_set(&self, by: By) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)[by as usize]
    }

    /// Applied while locked, so that the last change prevails.
    fn change(&self, by: By, stopped: bool, apply: impl FnOnce(bool)) {
        let mut wanted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        wanted[by as usize] = stopped;
        if stopped || !wanted.contains(&true) {
            apply(stopped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_runs_while_neither_wants_it_stopped() {
        let brake = Brake::default();
        let mut is_stopped = false;
        for (by, stop, then) in [
            (By::Referee, true, true),
            (By::MemoryWatch, true, true),
            (By::Referee, false, true),
            (By::MemoryWatch, false, false),
            (By::MemoryWatch, true, true),
            (By::Referee, true, true),
            (By::MemoryWatch, false, true),
            (By::Referee, false, false),
        ] {
            brake.change(by, stop, |stopped| is_stopped = stopped);
            assert_eq!(is_stopped, then, "{by:?} {stop}");
            assert_eq!(brake.is_set(by), stop, "{by:?} {stop}");
        }
    }
}
