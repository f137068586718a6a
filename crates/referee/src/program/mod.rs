//! A running program seen from outside: its processes, pipes, memory use and end. This module knows
//! neither what the lines mean nor how long anything may take.

pub(crate) mod cause;
pub(crate) mod connection;
pub(crate) mod disturbance;
pub(crate) mod ending;
pub(crate) mod interrupt;
mod out_of_memory;
pub(crate) mod portable;
#[cfg(target_os = "linux")]
pub(crate) mod process_group;
pub(crate) mod processes;
pub(crate) mod quietness;
mod standstill;
pub(crate) mod stderr_log;
#[cfg(target_os = "linux")]
mod stop_timer;
pub(crate) mod streams;
pub(crate) mod wiretap;
