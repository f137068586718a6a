//! The features of a host as text: which sandbox tiers work, why the others do not, and how to
//! enable them.

use crate::message;
use crate::settings::{MEMORY, Named, SANDBOX, WRAPPER};
use crate::words::wrapped;
use botyard_sandbox::{Host, Obstacle, Tier};

/// The indentation of what explains a line about a tier.
const INDENT: &str = "                ";

/// Describes a host, with settings named by `name`.
pub fn host_in_words(host: &Host, name: fn(&Named) -> String) -> String {
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
        let note = message![MEMORY, " limits each process, not all together"];
        text.push_str(&wrapped("memory  no      ", &note.text(name)));
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
        let commands = commands.join(", ");
        let note = message![commands, ": ", WRAPPER, " can run bots with such a command (tier D)"];
        text.push_str(&wrapped("\ninstalled: ", &note.text(name)));
    }
    text.push_str(&match host.best() {
        Tier::None => "\nBots cannot be contained here: run only programs that you trust.\n".into(),
        tier => message![
            "\n",
            SANDBOX.with("auto"),
            format!(" uses tier {tier} here; "),
            "docs/reference/sandbox-tiers.md lists what that restricts.\n"
        ]
        .text(name),
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
