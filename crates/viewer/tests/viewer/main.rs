//! Drawings of recorded games: well-formed, without a script, the same by steps as directly, and
//! without what is hidden.

mod alike;
mod animations;
mod documents;
mod hidden;
mod pages;
mod recording;
mod replays;
