//! TEMPORARY placeholder, to be overwritten by the real benchmark.
fn main() {}
