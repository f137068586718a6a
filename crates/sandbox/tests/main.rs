//! Contained programs: what they can do and cannot, and how they end.
#![cfg(target_os = "linux")]

mod given;
mod host;
mod lifetime;
mod prepared;
mod runtimes;
mod tiers;
