//! The kit for bots in Rust: sessions over the protocol, and the example.
//! One program, because linking takes longer than most of the tests.

mod one_ply;
mod replay;
mod serve;
#[cfg(unix)]
mod streams;
