//! Detection of what a Linux host offers: tries each tier and, if it fails, checks the settings
//! that are known to forbid it.

use super::{Host, Obstacle, Offer};
use crate::contained::{Contained, SpawnError};
use crate::control_group;
use crate::launch::Launch;
use crate::launcher::{CHOOSING_A_USER, landlock_abi};
use crate::launcher_program::Launcher;
use crate::limits::ResourceLimits;
use crate::resident_memory;
use crate::shortage::Shortage;
use crate::tier::Tier;
use rustix::io::Errno;
use std::fs;
use std::path::{Path, PathBuf};

/// Commands with which users can contain programs themselves: tier D.
const COMMANDS: [&str; 4] = ["docker", "podman", "bwrap", "runsc"];

pub(super) fn detect(launcher: &Launcher) -> Result<Host, Shortage> {
    let offer = |tier| Ok(Offer { tier, obstacle: obstacle(launcher, tier)? });
    let namespaces = offer(Tier::B)?;
    let groups = match &namespaces.obstacle {
        None => offer(Tier::C)?,
        Some(_) => {
            let reason = "it needs tier B, which does not work".to_string();
            Offer { tier: Tier::C, obstacle: Some(Obstacle { reason, remedies: Vec::new() }) }
        }
    };
    Ok(Host {
        system: system(),
        kernel: kernel(),
        is_root: rustix::process::geteuid().is_root(),
        landlock: landlock_abi(),
        tiers: vec![offer(Tier::A)?, namespaces, groups],
        children: children_obstacle(),
        memory: memory_obstacle(),
        commands: COMMANDS.iter().filter_map(|command| in_path(command)).collect(),
    })
}

fn children_obstacle() -> Option<Obstacle> {
    let denied = control_group::obstacle_without_controllers()?;
    let reason = format!("{}: {}", denied.step, denied.error());
    let is_read_only = Errno::from_io_error(&denied.error()) == Some(Errno::ROFS);
    Some(Obstacle { reason, remedies: remedies_for_groups(is_read_only) })
}

fn memory_obstacle() -> Option<Obstacle> {
    (!resident_memory::is_reported()).then(|| Obstacle {
        reason: "/proc/self/status does not report RssAnon, RssShmem, VmSwap and VmPTE".to_string(),
        remedies: vec!["mount the whole of /proc; Linux 4.5 or later reports these".to_string()],
    })
}

/// Tries a tier with a program that does not exist: if everything else works, that is the error.
fn obstacle(launcher: &Launcher, tier: Tier) -> Result<Option<Obstacle>, Shortage> {
    let trial = Launch {
        tier,
        program: "/nonexistent/program".into(),
        args: Vec::new(),
        directory: "/".into(),
        readable: Vec::new(),
        own: Vec::new(),
        writable: Vec::new(),
        hidden: Vec::new(),
        children: true,
        limits: ResourceLimits::default(),
    };
    let spawned = Contained::spawn(launcher, &trial, &[]);
    if let Err(error) = &spawned
        && let Some(shortage) = error.shortage()
        && !forbids_user_namespaces()
    {
        return Err(shortage);
    }
    Ok(match spawned {
        Ok(_) | Err(SpawnError::Program(_) | SpawnError::Cancelled) => None,
        // The trial requires only the files that every program requires.
        Err(SpawnError::Files(reason)) => Some(Obstacle { reason, remedies: Vec::new() }),
        Err(SpawnError::Setup { step, error }) => {
            let remedies = match tier {
                _ if step == CHOOSING_A_USER => vec![
                    "run botyard as another user than root (docker run --user 1000), or give the \
                     container more than one UID"
                        .to_string(),
                ],
                Tier::A => remedies_for_landlock(),
                Tier::C => remedies_for_control_groups(),
                _ => remedies_for_namespaces(),
            };
            Some(Obstacle { reason: format!("{step}: {error}"), remedies })
        }
    })
}

/// Returns whether an administrator has set the limit of user namespaces to 0. The kernel reports
/// this with the same error as too many namespaces.
fn forbids_user_namespaces() -> bool {
    setting("user/max_user_namespaces").is_some_and(|text| text.trim() == "0")
}

fn setting(path: &str) -> Option<String> {
    fs::read_to_string(Path::new("/proc/sys").join(path)).ok()
}

fn remedies_for_landlock() -> Vec<String> {
    let mut remedies = Vec::new();
    if landlock_abi() == 0 {
        remedies.push(
            "Landlock needs Linux 5.13 or later (Debian 12, Ubuntu 22.04, Fedora 35, RHEL 9.6 or \
             later), and must be enabled: boot with `landlock` in the list of the kernel \
             parameter `lsm=` (see /sys/kernel/security/lsm)"
                .to_string(),
        );
    }
    remedies.extend(container().map(|_| {
        "a container may block it: use a newer docker (20.10.18) or podman, whose lists of system \
         calls include it"
            .to_string()
    }));
    remedies
}

fn remedies_for_namespaces() -> Vec<String> {
    let is = |path: &str, value: &str| setting(path).is_some_and(|text| text.trim() == value);
    let mut remedies = Vec::new();
    if is("kernel/unprivileged_userns_clone", "0") {
        remedies.push(
            "Debian: sysctl -w kernel.unprivileged_userns_clone=1, and the same line in a file of \
             /etc/sysctl.d to keep it"
                .to_string(),
        );
    }
    if forbids_user_namespaces() {
        remedies.push(
            "RHEL, CentOS and others: sysctl -w user.max_user_namespaces=15000, and the same line \
             in a file of /etc/sysctl.d to keep it"
                .to_string(),
        );
    }
    if is("kernel/apparmor_restrict_unprivileged_userns", "1") {
        remedies.push(
            "Ubuntu 23.10 and later: allow it to botyard alone, by an AppArmor profile with \
             `userns,` (docs/do/set-up-a-host.md has one), or to all programs: sysctl -w \
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
    // One line per controller: its name, the ID of its hierarchy (0: version 2), ...
    let controllers = fs::read_to_string("/proc/cgroups").unwrap_or_default();
    let is_version_1 = controllers.lines().any(|line| {
        let mut fields = line.split_whitespace();
        fields.next() == Some("memory") && fields.next().is_some_and(|number| number != "0")
    });
    if is_version_1 {
        return vec![
            "the memory controller belongs to control groups of version 1 here: boot with \
             cgroup_no_v1=all systemd.unified_cgroup_hierarchy=1"
                .to_string(),
        ];
    }
    if let Some(container) = container() {
        return vec![format!(
            "a {container} container has no control group to delegate: run botyard on the host"
        )];
    }
    let user = if rustix::process::geteuid().is_root() { "" } else { "--user " };
    let own = if Path::new("/run/systemd/system").exists() {
        format!(
            "start botyard in its own control group: systemd-run {user}--scope --quiet \
             --property=Delegate=yes botyard match ..."
        )
    } else {
        "start botyard in its own control group, as described in docs/do/set-up-a-host.md"
            .to_string()
    };
    vec![own]
}

/// Returns how to get a control group for bots in tier B, which needs no controllers.
fn remedies_for_groups(is_read_only: bool) -> Vec<String> {
    let mounted = control_group::own_mount_and_group();
    if let Some(container) = container()
        && (is_read_only || mounted.is_none())
    {
        return vec![format!(
            "a {container} container cannot create control groups: run botyard on the host"
        )];
    }
    let is_root = rustix::process::geteuid().is_root();
    if Path::new("/run/systemd/system").exists() {
        let user = if is_root { "" } else { "--user " };
        return vec![format!(
            "start botyard in its own control group: systemd-run {user}--scope --quiet \
             --property=Delegate=yes botyard match ..."
        )];
    }
    if is_root {
        return vec!["root needs CAP_SYS_ADMIN, to mount control groups (cgroup2)".to_string()];
    }
    let (mount, point) = match mounted {
        Some((point, _)) => (String::new(), point.join("games").display().to_string()),
        None => {
            let mount = "mkdir -p /run/cgroup2; mount -t cgroup2 none /run/cgroup2; ";
            (mount.to_string(), "/run/cgroup2/games".to_string())
        }
    };
    vec![format!(
        "delegate a control group to your shell, once for each shell: sudo sh -c \"{mount}mkdir -p \
         {point}/botyard; chown -R $(id -u) {point}; echo $$ > {point}/botyard/cgroup.procs\""
    )]
}

/// Returns the kind of container that this process runs in, if any.
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
