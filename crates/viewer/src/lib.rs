//! Pictures of recorded games: a board as SVG, and for each decision the changes to it.
//!
//! * A [`Board`] is what never changes in a game (the map, the squares, the cells), with the
//!   elements that will move or change, each with an ID.
//! * A [`Frame`] is what one decision changes, as a list of [`Change`]s of elements by ID (place,
//!   class, text, points, visibility) and a caption. Frames know no game: the same few lines apply
//!   them all.
//! * [`film`] makes the board of a replay and a frame for each decision, [`clip`] of a part of it;
//!   [`picture`] draws one position as an SVG document, [`Film::animation`] all of them.
//! * [`page()`] makes one HTML page of a game, which shows it in a browser without loading anything;
//!   [`page_of_file`] with what is kept beside the replay.
//! * A [`Shell`] is a page about something else, in the same look.
//! * A [`drawing::Drawing`] is what the program of a game has drawn, cleaned: it is shown as the drawings of this
//!   crate are.
//! * A [`LiveGame`] is a game that is still being played, for a page that follows it.
//! * [`Places`] are the places of a board, on which bots draw.
//! * A [`Perspective`] is that of a seat, of a spectator, or of the whole truth. What is hidden from
//!   it is in no board and no frame.
//!
//! ```no_run
//! use botyard_replay::{ReplayReader, registered_table};
//! use botyard_viewer::{Perspective, Theme, picture};
//!
//! let reader = ReplayReader::open("game.ndjson".as_ref())?;
//! let drawn = picture(reader, &registered_table, Perspective::Spectator, Some(40), Theme::Light)?;
//! std::fs::write("board.svg", drawn.svg)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # In a page
//!
//! A page has [`Board::markup`] and the frames ([`frames_as_json`]), and applies a frame so:
//!
//! ```js
//! for (const { id, at, class: name, text, path, visible } of frame.changes) {
//!   const element = document.getElementById(id);
//!   if (at) element.setAttribute("transform", `translate(${at[0]} ${at[1]})`);
//!   if (name !== undefined) element.setAttribute("class", name);
//!   if (text !== undefined) element.textContent = text;
//!   if (path) element.setAttribute("points", path.join(" "));
//!   if (visible === false) element.setAttribute("visibility", "hidden");
//!   if (visible === true) element.removeAttribute("visibility");
//! }
//! ```
//!
//! Names and other texts from outside are escaped where they are written, and characters that act
//! unseen are made visible, so the markup has no script and no element that a bot chose.

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod animation;
mod board;
pub mod drawing;
mod film;
mod frame;
mod games;
mod marks;
mod page;
mod palette;
mod perspective;
mod svg;

pub use animation::{Speed, SpeedError};
pub use board::Board;
pub use film::{Film, Picture, ViewError, clip, film, picture};
pub use frame::{Change, Frame, frames_as_json};
pub use games::has_drawing;
pub use marks::Places;
pub use page::{
    Document, LiveGame, Page, PageOptions, PlayParts, Shell, has_page_drawing, has_picks, page,
    page_of_file, shared_style,
};
pub use palette::Theme;
pub use perspective::Perspective;
