//! Training and the building of endgame tables: files are functions of their settings, byte for byte.
//! One program, because linking takes longer than most of the tests.

mod endgame_files;
mod rebuild;
mod self_play;
