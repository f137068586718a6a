//! Hostile bots: none of their ways of failing harms the referee, their opponent or the host.
#![cfg(target_os = "linux")]

mod arena;
mod busy_core;
mod clocks;
mod endurance;
mod fixtures;
mod memory;
mod outside_turns;
mod starts;
mod traces;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Makes a test run alone until the result is dropped: the tests count descriptors, memory and processes.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
