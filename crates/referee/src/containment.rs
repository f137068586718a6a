//! How the bots of a match are contained: the tier, the limits, what they may see. The means are
//! the sandbox's; here it is said which of them a bot gets, and what its command needs to run.

use crate::bot_command::BotCommand;
use crate::bot_files::{data_directory, needed_by};
use botyard_sandbox::{Contained, Launch, Launcher, MIB, ResourceLimits, Tier};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// How a bot is contained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Containment {
    /// How strongly: [`Tier::A`], [`Tier::B`] or [`Tier::C`].
    pub tier: Tier,
    /// What starts it.
    pub launcher: Launcher,
    /// What it may use up.
    pub limits: ResourceLimits,
    /// What it may read besides what its command names.
    pub readable: Vec<PathBuf>,
    /// What it may not read, wherever it lies.
    pub hidden: Vec<PathBuf>,
}

impl Containment {
    /// What is to be launched for this command, whose program was found at `program`.
    pub(crate) fn launch(&self, command: &BotCommand, program: &Path) -> Launch {
        let mut readable = needed_by(command, program);
        readable.extend(data_directory());
        readable.extend(self.readable.iter().cloned());
        let here = || std::env::current_dir().unwrap_or_else(|_| "/".into());
        Launch {
            tier: self.tier,
            program: program.to_path_buf(),
            args: command.args.clone(),
            directory: command.directory.clone().unwrap_or_else(here),
            readable,
            writable: Vec::new(),
            hidden: self.hidden.clone(),
            children: Contained::counts_children(self.tier),
            limits: self.limits,
        }
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
