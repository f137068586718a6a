//! New projects of bots: a directory with a small bot that plays a game better than `random`, the
//! kit of its language, a unit test, a manifest and a page that says what to do next.
//!
//! [`create`] writes the files of a [`Project`]. All of them are compiled into this crate, so a
//! project needs neither a network nor the sources of Botyard, except in Rust, whose kit is a crate.
//! [`create_game`] does the same for a [`GameProject`], the project of a game, and
//! [`create_from_open_spiel`] for one of OpenSpiel's games. This crate parses no command line and prints nothing.
//!
//! ```
//! use botyard_projects::{Language, Project, create};
//!
//! # let place = tempfile::tempdir()?;
//! # let directory = place.path().join("fox");
//! let language = Language::Python;
//! let project = Project { directory, language, game: "draughts".into(), kit_path: None };
//! let created = create(&project)?;
//! assert_eq!(created.name, "fox");
//! assert!(created.files.contains(&"bot.py".to_string()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod bots;
mod first_move;
mod game_project;
mod kits;
mod language;
mod open_spiel;
mod page;
mod project;

pub use bots::{has_ideas, languages as languages_with_a_bot};
pub use game_project::{GAME_LANGUAGES, GameProject, create_game};
pub use kits::that_know as kits_that_know;
pub use language::Language;
pub use open_spiel::create_from_open_spiel;
pub use project::{Build, Created, Project, ProjectError, create};
