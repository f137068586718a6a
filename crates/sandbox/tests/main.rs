//! Contained programs: what they can do and cannot, how they are measured, and how they end.
#![cfg(target_os = "linux")]

mod given;
mod host;
mod lifetime;
mod measures;
mod prepared;
mod runtimes;
mod tiers;
