//! The built-in bots: their decisions, their searches, their programs.
//! One program, because linking takes longer than most of the tests.

mod dice_wars_arena;
mod dice_wars_bots;
mod dice_wars_recorded;
mod draughts;
mod endgames;
mod general;
mod in_memory;
mod levels;
mod mcts;
mod parallel;
mod program;
mod scotland_yard;
mod search;
mod turns;
