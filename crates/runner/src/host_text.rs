//! The features of a host as text: which sandbox tiers work, why the others do not, and how to
//! enable them.

use crate::settings::{MEMORY, SANDBOX, WRAPPER};
use crate::words::wrapped;
use botyard_sandbox::{Host, Obstacle, Tier};

/// The indentation of what explains a line about a tier.
const INDENT: &str = "                ";

/// Describes a host. `named` replaces settings by the front end's names for them.
pub fn host_in_words(host: &Host, named: fn(&str) -> String) -> String {
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
                    text.push_str(&wrapped(INDENT, note));
                    explain(&mut text, obstacle);
                }
            }
            None => {}
        }
    }
    if let Some(obstacle) = host.memory_obstacle(host.best()) {
        let note = format!("{MEMORY} limits each process, not all together");
        text.push_str(&wrapped("memory  no      ", &named(&note)));
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
        let note =
            format!("{}: {WRAPPER} can run bots with such a command (tier D)", commands.join(", "));
        text.push_str(&wrapped("\ninstalled: ", &named(&note)));
    }
    text.push_str(&match host.best() {
        Tier::None => "\nBots cannot be contained here: run only programs that you trust.\n".into(),
        tier => named(&format!(
            "\n{SANDBOX} auto uses tier {tier} here; docs/reference/sandbox-tiers.md lists what that \
             restricts.\n"
        )),
    });
    text
}

/// Appends the reason of an obstacle and its remedies.
fn explain(text: &mut String, obstacle: &Obstacle) {
    text.push_str(&wrapped(INDENT, &obstacle.reason));
    for remedy in &obstacle.remedies {
        text.push_str(&wrapped(&format!("{INDENT}-> "), remedy));
    }
}
