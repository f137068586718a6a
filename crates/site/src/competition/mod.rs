//! The competition: the event with its conditions, the ladder, the final, practice, rejudges and their standings, who
//! plays the games, and the grades that follow. It knows no pages and no HTTP.

pub(crate) mod event;
pub(crate) mod finals;
pub(crate) mod freezes;
pub(crate) mod grades;
pub(crate) mod host;
pub(crate) mod hosts;
pub(crate) mod ladder;
pub(crate) mod outside;
pub(crate) mod practice;
pub(crate) mod preview;
pub(crate) mod rechecks;
pub(crate) mod rejudges;
pub(crate) mod tables;
pub(crate) mod worker;
