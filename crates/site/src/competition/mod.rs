//! The competition: the event with its conditions, the ladder, the final, practice, rejudges and their standings, who
//! plays the games, and the grades that follow. It knows no pages and no HTTP.

pub(crate) mod about;
pub(crate) mod boards;
mod competitions;
mod difference;
pub(crate) mod event;
pub(crate) mod file_settings;
pub(crate) mod finals;
pub(crate) mod freezes;
pub(crate) mod game;
pub(crate) mod grades;
pub(crate) mod history;
pub(crate) mod host;
pub(crate) mod hosts;
pub(crate) mod ladder;
mod next;
pub(crate) mod outside;
mod play;
pub(crate) mod practice;
pub(crate) mod preview;
pub(crate) mod rechecks;
pub(crate) mod rejudges;
mod rounds;
mod running;
pub(crate) mod tables;
pub(crate) mod trials;
pub(crate) mod worker;

pub(crate) use about::Course;
pub(crate) use boards::Board;
pub(crate) use competitions::Competitions;
pub(crate) use rounds::Rounds;
pub(crate) use running::Competition;
