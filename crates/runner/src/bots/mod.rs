//! The users' bots: what is written for one, what its directory says of it, how it is built, and which
//! program it is.

pub mod build;
pub mod bundle;
pub mod digest;
pub mod manifest;
pub mod spec;
mod spec_error;

pub use spec_error::BotSpecError;
