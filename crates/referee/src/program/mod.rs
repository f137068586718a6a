//! A running program seen from outside: its processes, its pipes, the memory they use, and their end.
//! What its lines mean is not known here, nor how long anything may take.

pub(crate) mod connection;
pub(crate) mod interrupt;
mod out_of_memory;
pub(crate) mod process_group;
pub(crate) mod processes;
mod standstill;
pub(crate) mod stderr_log;
