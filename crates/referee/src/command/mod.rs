//! A bot before it runs: the command that starts it, the files that it may read, and its
//! containment. Nothing is started here.

pub(crate) mod advice;
pub(crate) mod backend;
pub(crate) mod bot_command;
pub(crate) mod bot_files;
pub(crate) mod containment;
pub(crate) mod held_files;
mod installation;
pub(crate) mod ordinary_user;
pub(crate) mod regular_file;
pub(crate) mod required_files;
mod submission;
mod wide_directory;
// Only the native back end has wrappers.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub(crate) mod wrapper;

pub use submission::SubmissionError;
