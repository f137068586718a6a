//! The people of a class: teams, roles, how people join and sign in, their tokens, the limits of attempts, who did
//! what, and how long personal data are kept. They know no submissions, no games and no pages.

pub(crate) mod access;
pub(crate) mod announcements;
pub(crate) mod audit;
pub(crate) mod changes;
pub(crate) mod mail_queue;
mod members;
pub(crate) mod passwords;
pub(crate) mod questions;
pub(crate) mod retention;
pub(crate) mod role;
pub(crate) mod roster;
pub(crate) mod sessions;
pub(crate) mod shares;
mod spellings;
pub(crate) mod steady_clock;
pub(crate) mod throttle;
pub(crate) mod tokens;

pub(crate) use members::*;
pub(crate) use role::Role;
