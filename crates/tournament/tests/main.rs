//! Tests of tournaments without a front end.

mod mutated_files;
mod own_scores;
