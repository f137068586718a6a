//! The files of a class: its directory, its database, backups, and archives that are unpacked. They know no people,
//! no games and no HTTP.

pub(crate) mod backup;
mod class;
pub(crate) mod course;
pub(crate) mod database;
pub(crate) mod directory;
pub(crate) mod disk;
mod json;
pub(crate) mod secrets;
pub(crate) mod site_file;
mod statements;
pub(crate) mod unpack;
pub(crate) mod zone;

pub(crate) use class::Class;
pub(crate) use database::{Database, now};
pub(crate) use json::Json;
pub(crate) use statements::Statements;
