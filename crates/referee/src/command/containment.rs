//! The containment of the bots of a match: the tier, the limits, and the files that they may read.
//! The sandbox provides the means; this module decides which of them a bot gets and what its
//! command needs to run.

use crate::command::advice::Advice;
use crate::command::bot_files::{BotFiles, BotFilesError};
use botyard_sandbox::{Launcher, ResourceLimits, Tier};
use std::path::PathBuf;
#[cfg(target_os = "linux")]
use {
    crate::command::bot_command::BotCommand,
    botyard_sandbox::{Contained, Launch, MIB},
    std::ffi::{OsStr, OsString},
};

/// How a bot is contained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Containment {
    /// The tier: [`Tier::A`], [`Tier::B`] or [`Tier::C`].
    pub tier: Tier,
    /// The launcher that starts it.
    pub launcher: Launcher,
    /// The resources that it may use.
    pub limits: ResourceLimits,
    /// The files that it may read and its directory, or the reason why it is not started.
    pub files: Result<BotFiles, BotFilesError>,
    /// Files that it may not read, wherever they are.
    pub hidden: Vec<PathBuf>,
    /// The names of remedies in messages to its author.
    pub advice: Advice,
}

#[cfg(target_os = "linux")]
impl Containment {
    /// Returns the launch for this command.
    ///
    /// # Errors
    ///
    /// The reason why the bot is not given its files.
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

    /// Returns environment variables that tell runtimes how much memory they may use. Without them,
    /// a runtime plans with a share of the machine's memory, and fails as soon as it uses that. The
    /// options on a bot's command line take precedence; other programs ignore the variables.
    pub(crate) fn variables(&self) -> [(OsString, OsString); 2] {
        // The other half is for code, stacks and the runtime itself.
        let heap = (self.limits.memory / MIB / 2).max(1);
        let java = format!("-Xmx{heap}m -XX:+UseSerialGC -XX:-UsePerfData");
        let node = format!("--max-old-space-size={heap}");
        [("JAVA_TOOL_OPTIONS".into(), java.into()), ("NODE_OPTIONS".into(), node.into())]
    }
}

/// Returns the environment variables of a contained bot.
#[cfg(target_os = "linux")]
pub(crate) fn environment(
    containment: &Containment,
    inherited: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let own = containment.variables();
    let is_own = |name: &OsStr| own.iter().any(|(own, _)| own == name);
    let inherited: Vec<_> = inherited.filter(|(name, _)| !is_own(name)).collect();
    inherited.into_iter().chain(own).collect()
}
