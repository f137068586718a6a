//! `botyard sandbox`: the sandbox tiers that this host supports, and how to enable the others. Also
//! how `botyard` starts itself as the launcher of contained bots.

use crate::failure::Failure;
use crate::text::out;
use botyard_runner::words::wrapped;
use botyard_sandbox::{Host, Launcher, Obstacle, Tier};
use clap::Args;
use std::process::ExitCode;

/// The argument that makes `botyard` the launcher of a bot. Not a verb.
pub const LAUNCHER_ARGUMENT: &str = "sandbox-launcher";

/// `botyard sandbox`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard sandbox
  botyard match scotland-yard greedy ./my-bot --sandbox strict

Exit code: 0 if tier B or better works, 1 otherwise.")]
pub struct SandboxArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The launcher of contained bots: this program.
pub fn launcher() -> Launcher {
    Launcher::this_program(&[LAUNCHER_ARGUMENT])
}

/// Prints what this host supports.
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
    let user = if host.is_root { ", as root: bots run under unused UIDs" } else { "" };
    let mut text = format!("{}, Linux {}{user}\n\n", host.system, host.kernel);
    for offer in &host.tiers {
        let works = if offer.obstacle.is_none() { "works" } else { "no" };
        text.push_str(&wrapped(&format!("tier {}  {works:6}", offer.tier), offer.tier.about()));
        match &offer.obstacle {
            Some(obstacle) => explain(&mut text, obstacle),
            // Matters only if tier B is the strongest.
            None if offer.tier == Tier::B && host.best() == Tier::B => {
                if let Some(obstacle) = &host.children {
                    let note = "in games, bots cannot start child processes, because this host \
                                cannot measure their CPU time (threads are allowed)";
                    text.push_str(&wrapped("                ", note));
                    explain(&mut text, obstacle);
                }
            }
            None => {}
        }
    }
    if let Some(obstacle) = host.memory_obstacle(host.best()) {
        text.push_str(&wrapped(
            "memory  no      ",
            "--memory limits each process, not all together",
        ));
        explain(&mut text, obstacle);
    }
    if host.landlock > 0 && host.landlock < Host::NEWEST_LANDLOCK {
        let note = format!(
            "this kernel has version {} of Landlock; version {} (Linux 6.12) restricts more",
            host.landlock,
            Host::NEWEST_LANDLOCK
        );
        text.push_str(&wrapped("\nnote: ", &note));
    }
    let commands: Vec<_> = host.commands.iter().map(|path| path.display().to_string()).collect();
    if !commands.is_empty() {
        let note = format!(
            "{}: --sandbox-command can run bots with such a command (tier D)",
            commands.join(", ")
        );
        text.push_str(&wrapped("\ninstalled: ", &note));
    }
    text.push_str(&match host.best() {
        Tier::None => "\nBots cannot be contained here: run only programs that you trust.\n".into(),
        tier => format!(
            "\n--sandbox auto uses tier {tier} here; docs/reference/sandbox-tiers.md lists what that \
             restricts.\n"
        ),
    });
    text
}

/// Appends the reason of an obstacle and its remedies.
fn explain(text: &mut String, obstacle: &Obstacle) {
    text.push_str(&wrapped("                ", &obstacle.reason));
    for remedy in &obstacle.remedies {
        text.push_str(&wrapped("                -> ", remedy));
    }
}
