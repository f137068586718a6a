//! The guarantees of replays: read back as written, refused when changed, playable again, and
//! hiding what is hidden. The games here are played at a table without bots, so every line is
//! known.

mod adjudication;
mod chain_by_others;
mod cut_and_garbled;
mod earlier_versions;
mod fair_copies;
mod imported_games;
mod pdn;
mod random_courses;
mod recorded_game;
mod rulings;
mod shown;
mod soundness;
mod writing;
