//! The way to a rules program: one line there, one line back.

use std::time::Duration;

/// A running rules program, or something that behaves like one.
pub trait Transport: Send {
    /// Writes a request, a line with its newline, and moves the answer into `answer`, without its
    /// newline.
    ///
    /// # Errors
    ///
    /// The program did not answer with a line within `limit`: what was expected and what happened
    /// instead, in words, with what the program wrote to its standard error. It is not usable any
    /// more.
    fn exchange(
        &mut self,
        request: &[u8],
        answer: &mut Vec<u8>,
        limit: Duration,
    ) -> Result<(), String>;

    /// Returns whether the program can be asked, as far as that is known without asking: one that waits for its next
    /// game may be killed meanwhile. The default is that it can.
    fn is_running(&self) -> bool {
        true
    }
}
