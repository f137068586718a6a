//! A program that tries what a contained program must not be able to do, and what it must, and
//! tells which of it works. It is also its own launcher.
//!
//!     checker launch                      be the launcher
//!     checker all PLACE REFEREE           try every operation; a line each: name, tab, result
//!     checker NAME PLACE REFEREE          try one
//!     checker referee TIER PLACE          start one that sleeps, tell its process, and wait
//!
//! PLACE is a directory that a test has prepared, REFEREE the number of the process that started
//! the launcher. Nothing that it tries does harm where it works.
#![allow(unsafe_code)] // Operations that nobody is meant to do have no safe names.

#[cfg(target_os = "linux")]
mod trial;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    trial::run()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("only Linux contains programs, so there is nothing to check here");
}
