//! `botyard`: the command line.
fn main() {}
