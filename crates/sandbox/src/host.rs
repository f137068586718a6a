//! What this host offers: which tiers work, found out by trying each, and for those that do not
//! what stands in the way and how to clear it away.

#[cfg(target_os = "linux")]
mod linux;

use crate::launcher_program::Launcher;
use crate::shortage::Shortage;
use crate::tier::Tier;
use serde::Serialize;
use std::path::PathBuf;

/// What a host offers.
#[derive(Clone, Debug, Serialize)]
pub struct Host {
    /// The system, as it calls itself.
    pub system: String,
    /// The version of its kernel.
    pub kernel: String,
    /// Whether this program is root.
    pub is_root: bool,
    /// The version of Landlock; 0 where the kernel has none.
    pub landlock: u32,
    /// Tiers A to C, in this order.
    pub tiers: Vec<Offer>,
    /// Why bots in tier B may not start processes: nothing could count the processor time of these.
    pub children: Option<Obstacle>,
    /// Why the memory of a program cannot be watched in tiers A and B.
    pub memory: Option<Obstacle>,
    /// Programs that users can contain others with, where they are installed.
    pub commands: Vec<PathBuf>,
}

/// A tier, and what stands in its way.
#[derive(Clone, Debug, Serialize)]
pub struct Offer {
    /// The tier.
    pub tier: Tier,
    /// Nothing where it works.
    pub obstacle: Option<Obstacle>,
}

/// Why a tier does not work here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Obstacle {
    /// What failed, and what the system said.
    pub reason: String,
    /// What to do about it; empty where nothing is known.
    pub remedies: Vec<String>,
}

impl Host {
    /// Looks at this host. Tries each tier once, which takes a few milliseconds.
    ///
    /// # Errors
    ///
    /// What the host is short of, where that kept a tier from being tried.
    #[cfg(target_os = "linux")]
    pub fn detect(launcher: &Launcher) -> Result<Host, Shortage> {
        linux::detect(launcher)
    }

    /// Looks at this host, which is none that can contain anything.
    ///
    /// # Errors
    ///
    /// None.
    #[cfg(not(target_os = "linux"))]
    pub fn detect(_: &Launcher) -> Result<Host, Shortage> {
        let system = std::env::consts::OS.to_string();
        let obstacle = Obstacle {
            reason: format!("{system} has none of the means: they are Linux's"),
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

    /// Whether a tier works here.
    pub fn offers(&self, tier: Tier) -> bool {
        self.obstacle(tier).is_none()
    }

    /// What stands in a tier's way; `None` where it works.
    pub fn obstacle(&self, tier: Tier) -> Option<&Obstacle> {
        let offer = self.tiers.iter().find(|offer| offer.tier == tier)?;
        offer.obstacle.as_ref()
    }

    /// What keeps this host from holding a program to its limit of memory in a tier; `None` where the
    /// control group of tier C does, or the watch over tiers A and B.
    pub fn memory_obstacle(&self, tier: Tier) -> Option<&Obstacle> {
        self.memory.as_ref().filter(|_| tier != Tier::C)
    }

    /// The strongest tier that works here; [`Tier::None`] where none does.
    pub fn best(&self) -> Tier {
        let working = self.tiers.iter().filter(|offer| offer.obstacle.is_none());
        working.map(|offer| offer.tier).max().unwrap_or(Tier::None)
    }
}
