//! The contract of a queue on both engines, and what only one of them has.

mod postgres;
mod server;
mod sqlite;
