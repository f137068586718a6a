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
//! The modules stand on floors, and each knows its own floor and those below: `files`, which has the directory, the
//! database and archives; `people`; `submissions`, from an upload to the verdict; `competition`, which has the event, the
//! ladder, the final and their standings. These know no HTTP. `Site` holds one part of each; above it are `web` and
//! `pages`. A test of the crate reads the sources and refuses what points up.
//!
//! [`client`] is the other end for programs, which submit with a token.
//!
//! This crate parses no command line and prints nothing.

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

pub mod client;
mod competition;
mod demo;
mod error;
mod files;
#[cfg(test)]
mod layers;
#[cfg(test)]
mod load;
#[cfg(test)]
mod load_browsers;
mod mail;
mod oidc;
mod pages;
mod people;
mod server;
mod site;
mod submissions;
mod web;

pub use competition::outside::{Outside, TOKENS};
pub use demo::{ACCOUNTS, PASSWORD};
pub use files::backup::{Copied, backup, restore};
pub use pages::archive::{Archived, archive};
pub use people::retention::{Forgotten, forget, preview as preview_forgetting};
pub use people::role::{Access, Role};
pub use server::{Options, ServedClass, Server, pending_events};
pub use web::Proxy;

/// A route of the site: its method, its path with named parts in braces, and who may use it.
pub type ListedRoute = (String, &'static str, Access);

/// Lists the routes of a site.
pub fn routes() -> Vec<ListedRoute> {
    let listed = |route: web::Route| (route.method().to_string(), route.path, route.access);
    pages::routes().into_iter().map(listed).collect()
}
