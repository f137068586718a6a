//! A sandbox for untrusted programs: starts them contained and limited, measures them, and kills
//! whole process trees. The programs are written by others and run by a referee; they may be buggy,
//! greedy or hostile.
//!
//! A [`Launch`] describes the program, how strongly it is contained (its [`Tier`]), which files it
//! may access, and its resource limits. A [`Launcher`] is a program that calls [`serve_launcher`]
//! and nothing else: it forks for each program, and the new process contains itself and then becomes
//! the program. [`Contained`] is the handle to the running program, and [`Prepared`] to one that is
//! contained but does not run yet. [`Host`] lists the tiers that a host supports, with remedies for
//! the others; [`HostLoad`] measures how busy the host is, and [`CoreWaits`] how long a program
//! waited for a core.
//!
//! This crate knows nothing of games, bots or protocols. It is the only crate of the workspace with
//! `unsafe` code: system calls that no library wraps, each with its reason. On systems other than
//! Linux the crate compiles and reports that it cannot contain programs.
//!
//! ```no_run
//! use botyard_sandbox::{Host, Launcher};
//!
//! // The program of this process is the launcher too, under another argument.
//! # #[cfg(target_os = "linux")]
//! if std::env::args().nth(1).is_some_and(|argument| argument == "launcher") {
//!     let _ = botyard_sandbox::serve_launcher();
//!     return Ok(());
//! }
//! let launcher = Launcher { program: std::env::current_exe()?, args: vec!["launcher".into()] };
//! let host = Host::detect(&launcher)?;
//! println!("the strongest tier of this host is {}", host.best());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod core_waits;
mod host;
mod host_load;
mod launcher_program;
mod limits;
mod scheduling;
mod shortage;
mod tier;

pub use core_waits::{CoreWait, CoreWaits};
pub use host::{Host, Obstacle, Offer};
pub use host_load::{HostLoad, own_core_wait};
pub use launcher_program::Launcher;
pub use limits::{MIB, ResourceLimits};
pub use scheduling::Scheduling;
pub use shortage::Shortage;
pub use tier::{Tier, UnknownTier};

#[cfg(target_os = "linux")]
mod brake;
#[cfg(target_os = "linux")]
mod channel;
#[cfg(target_os = "linux")]
mod contained;
#[cfg(target_os = "linux")]
mod control_group;
#[cfg(target_os = "linux")]
mod cpu_time;
#[cfg(target_os = "linux")]
mod file_mask;
#[cfg(target_os = "linux")]
mod in_flight;
#[cfg(target_os = "linux")]
mod launch;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod memory_watch;
#[cfg(target_os = "linux")]
mod open_files;
#[cfg(target_os = "linux")]
mod order;
#[cfg(target_os = "linux")]
mod path_walk;
#[cfg(not(target_os = "linux"))]
#[path = "path_walk_elsewhere.rs"]
mod path_walk;
#[cfg(target_os = "linux")]
mod resident_memory;
#[cfg(target_os = "linux")]
mod standstill;
#[cfg(target_os = "linux")]
mod thread_priority;
#[cfg(target_os = "linux")]
mod uncontained;
mod walk_error;

#[cfg(target_os = "linux")]
pub use contained::{
    Contained, Exit, Pipes, Prepared, SpawnError, Survivor, end_launcher_of_this_thread,
};
#[cfg(target_os = "linux")]
pub use cpu_time::{
    of_program as cpu_time_of_program, of_program_tree as cpu_time_of_program_tree, tree_of_program,
};
#[cfg(target_os = "linux")]
pub use file_mask::keep_new_files_private;
#[cfg(target_os = "linux")]
pub use launch::{FileId, Launch, Writable};
#[cfg(target_os = "linux")]
pub use launcher::{
    bots_group, is_unused_user, serve as serve_launcher, system_files, unused_user,
};
#[cfg(target_os = "linux")]
pub use open_files::raise_open_files_limit;
pub use path_walk::Walked;
#[cfg(target_os = "linux")]
pub use standstill::of_child as child_stands_still;
#[cfg(target_os = "linux")]
pub use thread_priority::run_soon;
#[cfg(target_os = "linux")]
pub use uncontained::{end_exactly_this_with_this_thread, end_with_this_thread, run_only_this};
pub use walk_error::WalkError;

/// The UID and GID that a program sees in its own user namespace.
#[cfg(target_os = "linux")]
const NAMESPACE_UID: u32 = 1000;
