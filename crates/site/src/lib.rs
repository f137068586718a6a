//! A site for a class: one process that serves its pages, keeps its database, and plays its games.
//!
//! A [`Server`] serves the directory of a class on the loopback. The first start makes the directory and
//! a link for the administrator; everything else is done on its pages.
//!
//! * Every route states who may use it ([`Access`]), and the check is made before its handler is
//!   called. [`routes`] lists them, for a test of each by every role.
//! * What people write is text: pages are made by `maud`, which escapes it, and the policy of every page
//!   forbids scripts and styles in it.
//! * Passwords are stored by Argon2id, sessions and links by digests of their tokens. Forms carry a
//!   token of their session.
//! * An upload is unpacked under limits and stored by the digest of its files. A worker thread builds it
//!   in the sandbox, makes the checks of `botyard check`, and plays the gate of the event.
//! * A member of a team plays against a bot by the session of `botyard-browser`, on pages of this site. Such a
//!   game has a process for each bot, is stored nowhere, and ends with the site.
//! * The database belongs to this process, which is its only user. A process that is killed
//!   loses nothing that was accepted.
//!
//! [`client`] is the other end for programs, which submit with a token.
//!
//! This crate parses no command line and prints nothing.

#![deny(clippy::unwrap_used)]

mod archive;
mod audit;
mod backup;
#[cfg(test)]
mod built_ins;
pub mod client;
mod database;
mod deadlines;
mod decisions;
mod demo;
mod directory;
mod disk;
mod event;
mod finals;
mod freezes;
mod git;
mod grades;
mod host;
mod hosts;
mod intake;
mod ladder;
mod lfs;
#[cfg(test)]
mod load;
mod outside;
mod pages;
mod passwords;
mod people;
mod practice;
mod rechecks;
mod rejudge_preview;
mod rejudges;
mod retention;
mod role;
mod roster;
mod secrets;
mod server;
mod sessions;
mod shares;
mod site;
mod steady_clock;
mod submissions;
mod tables;
mod throttle;
mod tokens;
mod trial;
mod unpack;
mod web;
mod worker;

pub use archive::{Archived, archive};
pub use backup::{Copied, backup, restore};
pub use demo::{ACCOUNTS, PASSWORD};
pub use outside::{Outside, TOKENS};
pub use retention::{Forgotten, forget, preview as preview_forgetting};
pub use role::{Access, Role};
pub use server::{Options, Server};
pub use web::Proxy;

/// A route of the site: its method, its path with named parts in braces, and who may use it.
pub type ListedRoute = (String, &'static str, Access);

/// Lists the routes of a site.
pub fn routes() -> Vec<ListedRoute> {
    let listed = |route: web::Route| (route.method().to_string(), route.path, route.access);
    pages::routes().into_iter().map(listed).collect()
}
