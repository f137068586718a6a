//! The rules, checked from outside: golden playthroughs, independent generators, published figures, properties.
//! One program, because linking takes longer than most of the tests.

mod battery;
mod dice_wars_docs;
mod dice_wars_import;
mod dice_wars_input;
mod dice_wars_maps;
mod dice_wars_rules;
mod draughts_archives;
mod draughts_docs;
mod draughts_endgame;
mod draughts_nonsense;
mod draughts_notation;
mod draughts_perft;
mod draughts_reference;
mod draughts_rules;
mod golden_games;
mod kit_vectors;
mod leaks;
mod rules;
mod schemas;
mod scotland_yard_board;
mod scotland_yard_docs;
mod scotland_yard_import;
mod scotland_yard_input;
mod scotland_yard_knowledge;
mod scotland_yard_rules;
mod scotland_yard_statistics;
