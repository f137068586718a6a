//! A bot of a plan, with what its processes need.

use botyard_referee::{Backend, Bot, BotCommand, Containment, RequiredFiles, Wrapper};

/// A bot of a plan.
#[derive(Clone, Debug)]
pub struct PlannedBot {
    /// How it is started.
    pub command: BotCommand,
    /// Its containment; `None` if it is not contained, or by a wrapper.
    pub containment: Option<Containment>,
    /// The files that it needs to play. If one is gone, the host lost it, and the game is void.
    pub required: RequiredFiles,
}

impl PlannedBot {
    /// Makes a bot that needs the files of its command as they are now.
    pub(crate) fn new(command: BotCommand, containment: Option<Containment>) -> PlannedBot {
        PlannedBot { required: RequiredFiles::of(&command), command, containment }
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.command.name
    }

    /// Returns the bot, not running yet.
    pub(crate) fn bot(&self, backend: Backend, wrapper: Option<&Wrapper>) -> Bot {
        Bot::new(self.command.clone())
            .run_by(backend)
            .contained(self.containment.clone())
            .wrapped(wrapper.cloned())
            .requiring(self.required.clone())
    }
}
