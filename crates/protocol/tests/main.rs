//! The protocol: lines, transcripts, schemas, and the page for authors of bots.
//! One program, because linking takes longer than most of the tests.

mod bot_lines;
mod compose;
mod first_bots;
mod framing;
mod marks;
mod page;
mod schemas;
mod text;
mod transcripts;
