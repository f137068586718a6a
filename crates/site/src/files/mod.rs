//! The files of a class: its directory, its database, backups, and archives that are unpacked. They know no people,
//! no games and no HTTP.

pub(crate) mod backup;
pub(crate) mod class;
pub(crate) mod database;
pub(crate) mod directory;
pub(crate) mod disk;
pub(crate) mod json;
pub(crate) mod secrets;
pub(crate) mod statements;
pub(crate) mod unpack;
