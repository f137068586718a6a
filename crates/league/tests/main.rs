//! The statistics: published examples, and simulated leagues of known strength.
//! One program, because linking takes longer than most of the tests.

mod coverage;
mod hostile_names;
mod published;
mod simulated;
mod standings;
