//! The searches on artificial games, and the tests of the examples.

#[path = "../examples/coins.rs"]
mod coins;
mod multiplayer;
#[path = "../examples/nim.rs"]
mod nim;
#[path = "../examples/pig.rs"]
mod pig;
mod toys;
