//! Server and client over the loopback, on SQLite.

mod access;
mod conformance;
mod interruptions;
mod proxy;
mod requests;
mod results;
mod setup;
