//! `botyard sandbox`: how strongly bots can be contained on this host, and what to do where that
//! is less than it could be. Also how `botyard` starts itself as the launcher of contained bots.

use crate::failure::Failure;
use crate::text::out;
use botyard_runner::words::wrapped;
use botyard_sandbox::{Host, Launcher, Obstacle, Tier};
use clap::Args;
use std::process::ExitCode;

/// The argument with which `botyard` is the launcher of a bot. No verb: whoever types it is told so.
pub const LAUNCHER_ARGUMENT: &str = "sandbox-launcher";

/// `botyard sandbox`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard sandbox
  botyard match scotland-yard greedy ./my-bot --sandbox strict

Exit code: 0 where tier B or better works, 1 where it does not.")]
pub struct SandboxArgs {
    /// Print JSON for a program to read
    #[arg(long)]
    pub json: bool,
}

/// How `botyard` starts contained bots: as itself.
pub fn launcher() -> Launcher {
    Launcher::this_program(&[LAUNCHER_ARGUMENT])
}

/// Prints what this host offers.
///
/// # Errors
///
/// An output that cannot be written.
pub fn run(args: &SandboxArgs) -> anyhow::Result<ExitCode> {
    let host = Host::detect(&launcher()).map_err(Failure::host)?;
    out(&if args.json {
        format!("{:#}\n", serde_json::to_value(&host)?)
    } else {
        in_words(&host)
    })?;
    Ok(if host.best() >= Tier::B { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn in_words(host: &Host) -> String {
    let user = if host.is_root { ", as root: bots run under uids that nobody has" } else { "" };
    let mut text = format!("{}, Linux {}{user}\n\n", host.system, host.kernel);
    for offer in &host.tiers {
        let works = if offer.obstacle.is_none() { "works" } else { "no" };
        text.push_str(&wrapped(&format!("tier {}  {works:6}", offer.tier), about(offer.tier)));
        match &offer.obstacle {
            Some(obstacle) => explain(&mut text, obstacle),
            // Only where tier B is the best there is does this matter.
            None if offer.tier == Tier::B && host.best() == Tier::B => {
                if let Some(obstacle) = &host.children {
                    let note = "in games, child processes are refused because their CPU time could \
                                not be counted here (threads are allowed)";
                    text.push_str(&wrapped("                ", note));
                    explain(&mut text, obstacle);
                }
            }
            None => {}
        }
    }
    if let Some(obstacle) = host.memory_obstacle(host.best()) {
        text.push_str(&wrapped("memory  no      ", "--memory holds for single processes only"));
        explain(&mut text, obstacle);
    }
    if host.landlock > 0 && host.landlock < NEWEST_LANDLOCK {
        let note = format!(
            "version {} of Landlock; a kernel with version {NEWEST_LANDLOCK} (Linux 6.12) or later \
             holds more",
            host.landlock
        );
        text.push_str(&wrapped("\nnote: ", &note));
    }
    let commands: Vec<_> = host.commands.iter().map(|path| path.display().to_string()).collect();
    if !commands.is_empty() {
        let note = format!(
            "{}: --sandbox-command has bots run by such a command instead (tier D)",
            commands.join(", ")
        );
        text.push_str(&wrapped("\ninstalled: ", &note));
    }
    text.push_str(&match host.best() {
        Tier::None => "\nBots cannot be contained here: run only programs that you trust.\n".into(),
        tier => format!(
            "\n--sandbox auto takes tier {tier} here; docs/security.md says what it holds.\n"
        ),
    });
    text
}

/// What stands in the way, and what to do about it.
fn explain(text: &mut String, obstacle: &Obstacle) {
    text.push_str(&wrapped("                ", &obstacle.reason));
    for remedy in &obstacle.remedies {
        text.push_str(&wrapped("                -> ", remedy));
    }
}

/// The version of Landlock from which on it holds all that tier A has it hold.
const NEWEST_LANDLOCK: u32 = 6;

fn about(tier: Tier) -> &'static str {
    match tier {
        Tier::None => "no sandbox",
        Tier::A => {
            "one process that reads what it was given and writes nothing (Landlock, seccomp, limits)"
        }
        Tier::B => "processes, network and file system of its own (namespaces)",
        Tier::C => "memory, processes and processor time counted and limited together (cgroup v2)",
        Tier::D => "a command of your own",
    }
}
