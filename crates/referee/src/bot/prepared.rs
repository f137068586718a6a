//! A bot that is contained ahead of its start: its launcher has started and waits, and nothing of
//! the bot runs. A game's second bot is prepared while its first one starts.

use crate::bot::start_permit::PreparationPermit;
use crate::command::bot_command::BotCommand;
use crate::command::containment::{Containment, environment};
use botyard_sandbox::{Contained, Launch, Prepared};
use std::ffi::OsString;

/// A prepared bot. Dropping it kills its launcher.
#[derive(Debug)]
pub(super) struct PreparedBot {
    prepared: Prepared,
    launch: Launch,
    environment: Vec<(OsString, OsString)>,
    /// Dropped last: the permit is free once the launcher is used or gone.
    _permit: PreparationPermit,
}

impl PreparedBot {
    /// Prepares a bot. Returns `None` if no core is free for it or if it cannot be started.
    pub(super) fn new(containment: &Containment, command: &BotCommand) -> Option<PreparedBot> {
        let permit = PreparationPermit::take()?;
        let launch = containment.launch(command).ok()?;
        let environment = environment(containment, command.environment());
        let prepared = Contained::prepare(&containment.launcher, &launch, &environment).ok()?;
        Some(PreparedBot { prepared, launch, environment, _permit: permit })
    }

    /// Returns the prepared program, if it is this one; kills it otherwise.
    pub(super) fn of(
        self,
        launch: &Launch,
        environment: &[(OsString, OsString)],
    ) -> Option<Prepared> {
        let is_same = self.launch == *launch && self.environment == environment;
        is_same.then_some(self.prepared)
    }
}
