//! The bots of users: the notation for a bot, its manifest, its build, its digest and its bundle.

pub mod build;
pub mod bundle;
mod command_check;
pub mod digest;
pub mod manifest;
mod not_built;
pub mod spec;
mod spec_error;

pub use not_built::check_built;
pub use spec_error::BotSpecError;
