//! The features of this host: which tiers work, tested by trying each, and for the others the
//! obstacle and its remedies.

#[cfg(target_os = "linux")]
mod linux;

use crate::launcher_program::Launcher;
use crate::shortage::Shortage;
use crate::tier::Tier;
use serde::Serialize;
use std::path::PathBuf;

/// The features of a host.
#[derive(Clone, Debug, Serialize)]
pub struct Host {
    /// The name of the system, from `/etc/os-release`.
    pub system: String,
    /// The kernel version.
    pub kernel: String,
    /// Whether this program is root.
    pub is_root: bool,
    /// The ABI version of Landlock; 0 if the kernel has none.
    pub landlock: u32,
    /// Tiers A to C, in this order.
    pub tiers: Vec<Offer>,
    /// Why bots in tier B may not start processes: their CPU time could not be counted.
    pub children: Option<Obstacle>,
    /// Why memory cannot be watched in tiers A and B.
    pub memory: Option<Obstacle>,
    /// Installed programs that users can contain bots with (tier D).
    pub commands: Vec<PathBuf>,
}

/// A tier and its obstacle.
#[derive(Clone, Debug, Serialize)]
pub struct Offer {
    /// The tier.
    pub tier: Tier,
    /// Why the tier does not work; `None` if it works.
    pub obstacle: Option<Obstacle>,
}

/// Why a tier does not work on this host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Obstacle {
    /// The step that failed, and the system's error.
    pub reason: String,
    /// How to remove the obstacle; empty if no remedy is known.
    pub remedies: Vec<String>,
}

impl Host {
    /// The first version of Landlock with all restrictions that tier A asks for.
    pub const NEWEST_LANDLOCK: u32 = 6;

    /// Detects the features of this host. Tries each tier once, which takes a few milliseconds.
    ///
    /// # Errors
    ///
    /// Returns the shortage if one prevented a tier from being tried.
    #[cfg(target_os = "linux")]
    pub fn detect(launcher: &Launcher) -> Result<Host, Shortage> {
        linux::detect(launcher)
    }

    /// Describes this host, which cannot contain programs.
    ///
    /// # Errors
    ///
    /// Never fails.
    #[cfg(not(target_os = "linux"))]
    pub fn detect(_: &Launcher) -> Result<Host, Shortage> {
        let system = std::env::consts::OS.to_string();
        let obstacle = Obstacle {
            reason: format!("{system} lacks the means of containment, which are specific to Linux"),
            remedies: vec!["run the competition on Linux, or in a virtual machine with it".into()],
        };
        let offer = |tier| Offer { tier, obstacle: Some(obstacle.clone()) };
        Ok(Host {
            kernel: String::new(),
            is_root: false,
            landlock: 0,
            tiers: vec![offer(Tier::A), offer(Tier::B), offer(Tier::C)],
            children: Some(obstacle.clone()),
            memory: Some(obstacle.clone()),
            commands: Vec::new(),
            system,
        })
    }

    /// Returns whether a tier works on this host.
    pub fn offers(&self, tier: Tier) -> bool {
        self.obstacle(tier).is_none()
    }

    /// Returns why a tier does not work; `None` if it works.
    pub fn obstacle(&self, tier: Tier) -> Option<&Obstacle> {
        let offer = self.tiers.iter().find(|offer| offer.tier == tier)?;
        offer.obstacle.as_ref()
    }

    /// Returns why this host cannot enforce a program's memory limit in a tier. Returns `None` if
    /// the control group (tier C) or the memory watch (tiers A and B) enforces it.
    pub fn memory_obstacle(&self, tier: Tier) -> Option<&Obstacle> {
        self.memory.as_ref().filter(|_| tier != Tier::C)
    }

    /// Returns the strongest tier that works on this host; [`Tier::None`] if none does.
    pub fn best(&self) -> Tier {
        let working = self.tiers.iter().filter(|offer| offer.obstacle.is_none());
        working.map(|offer| offer.tier).max().unwrap_or(Tier::None)
    }
}
