//! Finding out what a Linux host offers: each tier is tried, and where it fails the settings are
//! looked at that are known to forbid it.

use super::{Host, Obstacle, Offer};
use crate::contained::{Contained, SpawnError};
use crate::launch::Launch;
use crate::launcher::{CHOOSING_A_USER, landlock_abi};
use crate::launcher_program::Launcher;
use crate::limits::ResourceLimits;
use crate::tier::Tier;
use std::fs;
use std::path::{Path, PathBuf};

/// Commands with which users contain programs themselves: tier D.
const COMMANDS: [&str; 4] = ["docker", "podman", "bwrap", "runsc"];

pub(super) fn detect(launcher: &Launcher) -> Host {
    let offer = |tier| Offer { tier, obstacle: obstacle(launcher, tier) };
    let namespaces = offer(Tier::B);
    let groups = match &namespaces.obstacle {
        None => offer(Tier::C),
        Some(_) => {
            let reason = "it needs tier B, which does not work".to_string();
            Offer { tier: Tier::C, obstacle: Some(Obstacle { reason, remedies: Vec::new() }) }
        }
    };
    Host {
        system: system(),
        kernel: kernel(),
        is_root: rustix::process::geteuid().is_root(),
        landlock: landlock_abi(),
        tiers: vec![offer(Tier::A), namespaces, groups],
        commands: COMMANDS.iter().filter_map(|command| in_path(command)).collect(),
    }
}

/// Tries a tier on a program that does not exist: where everything else has worked, that is what
/// the system says.
fn obstacle(launcher: &Launcher, tier: Tier) -> Option<Obstacle> {
    let trial = Launch {
        tier,
        program: "/nonexistent/program".into(),
        args: Vec::new(),
        directory: "/".into(),
        readable: Vec::new(),
        writable: Vec::new(),
        hidden: Vec::new(),
        children: true,
        limits: ResourceLimits::default(),
    };
    match Contained::spawn(launcher, &trial, &[]) {
        Ok(_) | Err(SpawnError::Program(_)) => None,
        Err(SpawnError::Setup { step, error }) => {
            let remedies = match tier {
                _ if step == CHOOSING_A_USER => vec![
                    "run botyard as another user than root (docker run --user 1000), or give the \
                     container more than one uid"
                        .to_string(),
                ],
                Tier::A => remedies_for_landlock(),
                Tier::C => remedies_for_control_groups(),
                _ => remedies_for_namespaces(),
            };
            Some(Obstacle { reason: format!("{step}: {error}"), remedies })
        }
    }
}

fn remedies_for_landlock() -> Vec<String> {
    let mut remedies = Vec::new();
    if landlock_abi() == 0 {
        remedies.push(
            "Landlock needs Linux 5.13 or later (Debian 12, Ubuntu 22.04, Fedora 35, RHEL 9.6 or \
             later), and must be enabled: boot with `landlock` in the list of the kernel's \
             parameter `lsm=` (see /sys/kernel/security/lsm)"
                .to_string(),
        );
    }
    remedies.extend(container().map(|_| {
        "a container may hide it: use a newer docker (20.10.18) or podman, whose lists of system \
         calls know it"
            .to_string()
    }));
    remedies
}

fn remedies_for_namespaces() -> Vec<String> {
    let setting = |path: &str| fs::read_to_string(Path::new("/proc/sys").join(path)).ok();
    let is = |path: &str, value: &str| setting(path).is_some_and(|text| text.trim() == value);
    let mut remedies = Vec::new();
    if is("kernel/unprivileged_userns_clone", "0") {
        remedies.push(
            "Debian: sysctl -w kernel.unprivileged_userns_clone=1, and the same line in a file of \
             /etc/sysctl.d to keep it"
                .to_string(),
        );
    }
    if is("user/max_user_namespaces", "0") {
        remedies.push(
            "RHEL, CentOS and others: sysctl -w user.max_user_namespaces=15000, and the same line \
             in a file of /etc/sysctl.d to keep it"
                .to_string(),
        );
    }
    if is("kernel/apparmor_restrict_unprivileged_userns", "1") {
        remedies.push(
            "Ubuntu 23.10 and later: allow it to botyard alone, by an AppArmor profile with \
             `userns,` (docs/security.md has one), or to all programs: sysctl -w \
             kernel.apparmor_restrict_unprivileged_userns=0"
                .to_string(),
        );
    }
    if let Some(container) = container() {
        remedies.push(format!(
            "in a {container} container: start it with --security-opt seccomp=unconfined \
             --security-opt systempaths=unconfined, or run botyard on the host"
        ));
    }
    remedies
}

fn remedies_for_control_groups() -> Vec<String> {
    // A line for each controller: its name, the number of its hierarchy (0: version 2), ...
    let controllers = fs::read_to_string("/proc/cgroups").unwrap_or_default();
    let is_version_1 = controllers.lines().any(|line| {
        let mut fields = line.split_whitespace();
        fields.next() == Some("memory") && fields.next().is_some_and(|number| number != "0")
    });
    if is_version_1 {
        return vec![
            "the controller of memory belongs to control groups of version 1 here: boot with \
             cgroup_no_v1=all systemd.unified_cgroup_hierarchy=1"
                .to_string(),
        ];
    }
    if let Some(container) = container() {
        return vec![format!(
            "a {container} container has no control group to divide up: run botyard on the host"
        )];
    }
    let user = if rustix::process::geteuid().is_root() { "" } else { "--user " };
    let own = if Path::new("/run/systemd/system").exists() {
        format!(
            "start botyard in a control group of its own: systemd-run {user}--scope --quiet \
             --property=Delegate=yes botyard match ..."
        )
    } else {
        "start botyard in a control group of its own, as docs/security.md has it".to_string()
    };
    vec![own]
}

/// The kind of container that this is, where it is one.
fn container() -> Option<&'static str> {
    [("/.dockerenv", "docker"), ("/run/.containerenv", "podman")]
        .into_iter()
        .find_map(|(file, kind)| Path::new(file).exists().then_some(kind))
}

fn system() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    name.map_or_else(|| "Linux".to_string(), |name| name.trim_matches('"').to_string())
}

fn kernel() -> String {
    rustix::system::uname().release().to_string_lossy().into_owned()
}

fn in_path(command: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|directory| directory.join(command))
        .find(|path| path.is_file())
}
