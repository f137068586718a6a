//! The rules of Botyard's games. The crate knows no clocks, files, processes or protocol.
//!
//! A game implements [`Game`]: typed, fast, explicit about chance and about what each seat may
//! know. A [`Table`] is the same game behind JSON, for a referee that knows no game by name. The
//! [`registry`] is the only list of the games.
//!
//! # A tour
//!
//! In Liar's Dice the players roll dice under cups and bid on all of them: chance and hidden
//! information. Every game is used like this.
//!
//! ```
//! use botyard_engine::liars_dice::{Action, LiarsDice};
//! use botyard_engine::{Game, NoFields, Seat, Stream, Turn};
//!
//! let rules = LiarsDice::preset("five-dice").ok_or("there is no such preset")?;
//! let game = LiarsDice::new(rules)?;
//! let mut dice = Stream::new(7, "dice");
//!
//! // Draw: the rules say when it is chance's turn. Both players roll.
//! let mut state = game.start(&NoFields {})?;
//! while game.turn(&state) == Turn::Chance {
//!     let roll = game.draw(&state, dice.rng());
//!     game.apply_chance(&mut state, &roll);
//! }
//!
//! // Generate and play. `check` is for actions that are not trusted.
//! let mut actions = Vec::new();
//! game.actions(&state, &mut actions);
//! assert_eq!(actions.len(), 60);
//! assert!(game.check(&state, Action::Liar).is_err());
//! game.apply(&mut state, Action::Bid { count: 4, face: 6 });
//!
//! // Hide: the second seat sees its own cup and the bid.
//! let second = Seat::new(1);
//! let view = game.view(&state, second);
//! assert_eq!((view.cups[0], view.cups[1]), (None, Some(state.cups[1])));
//!
//! // Determinize: draw a state that has the same view.
//! let guess = game.determinize(&view, second, dice.rng())?;
//! assert_eq!(game.view(&guess, second), view);
//!
//! // The end.
//! game.apply(&mut state, Action::Liar);
//! let outcome = game.outcome(&state).ok_or("the game is not over")?;
//! assert_eq!(outcome.scores.iter().sum::<f64>(), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The example `random_game` plays any game behind JSON.

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

pub mod connect_four;
pub mod dice;
pub mod dice_wars;
pub mod draughts;
pub mod endgame_tables;
pub mod game;
pub mod information;
mod json;
pub mod json_values;
pub mod json_words;
pub mod liars_dice;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod random;
pub mod record;
pub mod registry;
mod rule_description;
pub mod rules;
pub mod schema;
pub mod scotland_yard;
pub mod seat;
pub mod table;

pub use endgame_tables::{EndgameResult, EndgameTables};
pub use game::{Game, Illegal, NoChance, NoFields, OpeningError, Preset, Turn};
pub use information::{Information, NoCopy, PerfectInformation, Seen};
pub use notation::{JsonOnly, Notation};
pub use outcome::{Outcome, Scores};
pub use random::{Seed, Stream};
pub use rule_description::RuleDescription;
pub use rules::RulesError;
pub use seat::{MAX_SEATS, Seat};
pub use table::{ActionError, GameEvent, Table, TableFault, TypedTable};
