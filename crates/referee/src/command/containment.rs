//! How the bots of a match are contained: the tier, the limits, what they may see. The means are
//! the sandbox's; here it is said which of them a bot gets, and what its command needs to run.

use crate::command::bot_command::BotCommand;
use crate::command::bot_files::{BotFiles, BotFilesError};
use botyard_sandbox::{Contained, Launch, Launcher, MIB, ResourceLimits, Tier};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// How a bot is contained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Containment {
    /// How strongly: [`Tier::A`], [`Tier::B`] or [`Tier::C`].
    pub tier: Tier,
    /// What starts it.
    pub launcher: Launcher,
    /// What it may use up.
    pub limits: ResourceLimits,
    /// What it may read and where it runs; why it is not started where it is given nothing.
    pub files: Result<BotFiles, BotFilesError>,
    /// What it may not read, wherever it lies.
    pub hidden: Vec<PathBuf>,
}

impl Containment {
    /// What is to be launched for this command.
    ///
    /// # Errors
    ///
    /// Why the bot is not given its files.
    pub(crate) fn launch(&self, command: &BotCommand) -> Result<Launch, BotFilesError> {
        let files = self.files.clone()?;
        Ok(Launch {
            tier: self.tier,
            program: files.program,
            args: command.args.clone(),
            directory: files.directory,
            readable: files.readable,
            own: files.own,
            writable: Vec::new(),
            hidden: self.hidden.clone(),
            children: Contained::counts_children(self.tier),
            limits: self.limits,
        })
    }

    /// Variables that tell runtimes how much memory there is: they take a share of what the machine
    /// has otherwise, and fail as soon as they want it. What a bot's command line says goes before
    /// them; other programs do not know them.
    pub(crate) fn variables(&self) -> [(OsString, OsString); 2] {
        // The other half is for code, stacks and the runtime itself.
        let heap = (self.limits.memory / MIB / 2).max(1);
        let java = format!("-Xmx{heap}m -XX:+UseSerialGC -XX:-UsePerfData");
        let node = format!("--max-old-space-size={heap}");
        [("JAVA_TOOL_OPTIONS".into(), java.into()), ("NODE_OPTIONS".into(), node.into())]
    }
}

/// The variables of a contained bot.
pub(crate) fn environment(
    containment: &Containment,
    inherited: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let own = containment.variables();
    let is_own = |name: &OsStr| own.iter().any(|(own, _)| own == name);
    let inherited: Vec<_> = inherited.filter(|(name, _)| !is_own(name)).collect();
    inherited.into_iter().chain(own).collect()
}
