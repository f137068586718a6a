//! Submissions: how an archive or a branch becomes a version of a team's bot, until when, how it is built and tried,
//! and what teachers decide about it. They know no games of the class, no standings and no pages.

#[cfg(test)]
pub(crate) mod built_ins;
mod cause;
pub(crate) mod copies;
pub(crate) mod deadlines;
pub(crate) mod decisions;
mod deleted;
pub(crate) mod git;
pub(crate) mod intake;
pub(crate) mod lanes;
mod lfs;
pub(crate) mod log;
pub(crate) mod queue;
pub(crate) mod running;
pub(crate) mod sources;
pub(crate) mod trial;
mod versions;

pub(crate) use deleted::delete_files;
pub(crate) use versions::*;
