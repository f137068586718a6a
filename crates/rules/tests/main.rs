//! Tests of the rules protocol, without processes.

mod built_in_games;
mod faults;
mod lockstep;
mod served;
