//! When a frozen bot is stopped and continues.

use crate::bot::Bot;
use crate::command::backend::Backend;
use std::time::Duration;

impl Bot {
    /// Sets whether the bot is frozen: stopped with all its processes whenever nothing is expected
    /// of it. That is from its `hello` to its `start`, from its `ready` or an answer to its next
    /// `turn`, and between games. A frozen bot cannot ponder and takes no core from other bots.
    #[must_use]
    pub fn with_freeze(self, rests: bool) -> Bot {
        Bot { rests, ..self }
    }

    /// Returns whether the bot is stopped outside its turn.
    pub fn is_frozen(&self) -> bool {
        self.rests && self.backend == Backend::Native
    }

    /// Stops the bot, if it is frozen: its turn is over.
    pub(crate) fn rest(&mut self) {
        if self.rests
            && let Some(connection) = &mut self.connection
        {
            connection.rest();
        }
    }

    /// Stops the bot after its answer, if it is frozen; a quiet one a moment later, unless it is asked
    /// again.
    pub(crate) fn rest_soon(&mut self) {
        if self.rests
            && let Some(connection) = &mut self.connection
        {
            connection.rest_soon();
        }
    }

    /// Does the same after its `ready`.
    pub(crate) fn rest_soon_when_ready(&mut self) {
        self.rest_soon();
        if self.rests
            && let Some(connection) = &mut self.connection
        {
            connection.answered(Duration::MAX, connection.processes.own_cpu_time());
        }
    }

    /// Handles the end of a game: stops a frozen bot; lets another one continue if it had to yield
    /// its cores.
    pub(crate) fn rest_or_go_on(&mut self) {
        match &mut self.connection {
            Some(connection) if !self.rests => connection.wake(),
            _ => self.rest(),
        }
    }
}
