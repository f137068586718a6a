//! Submissions: how an archive or a branch becomes a version of a team's bot, until when, how it is built and tried,
//! and what teachers decide about it. They know no games of the class, no standings and no pages.

#[cfg(test)]
pub(crate) mod built_ins;
pub(crate) mod copies;
pub(crate) mod deadlines;
pub(crate) mod decisions;
pub(crate) mod git;
pub(crate) mod intake;
mod lfs;
pub(crate) mod log;
pub(crate) mod trial;
mod versions;

pub(crate) use versions::*;
