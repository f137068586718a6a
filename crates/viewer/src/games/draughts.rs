//! English draughts: a board with numbered squares, and pieces that keep their identity as they
//! move, so that a page can let them slide.
//!
//! IDs: `square-N`; `black-N` and `white-N`, the pieces by their squares at the start;
//! `captured-N`, the crosses on what the last move captured; `last-move`, its path;
//! `black-to-move` and `white-to-move`.

use super::{Drawing, Moment, Occasion, read};
use crate::board::Drawn;
use crate::frame::{Look, Scene};
use crate::games::Begun;
use crate::marks::{Spot, numbered};
use crate::svg::Element;
use botyard_engine::draughts::{Colour, MOST_PIECES, Move, Position, Setup, Square, View};
use botyard_protocol::Place;
use serde::de::Error;

/// The side of a square.
const CELL: f64 = 64.0;
/// The height of the line with a player's name.
const NAME: f64 = 28.0;

pub(super) const STYLE: &str = "\
.botyard .light-square{fill:var(--light-square)}\
.botyard .square rect{fill:var(--dark-square)}\
.botyard .square text{fill:var(--light-square);font-size:12px}\
.botyard .square.from rect,.botyard .square.to rect{stroke:var(--mark);stroke-width:4}\
.botyard .piece .body,.botyard .piece .edge{stroke:var(--ink);stroke-width:1.2}\
.botyard .piece .edge{fill:none}\
.botyard .black .body{fill:var(--black-piece)}\
.botyard .black .edge{stroke:var(--light-square)}\
.botyard .black .crown{fill:var(--white-piece)}\
.botyard .white .body{fill:var(--white-piece)}\
.botyard .white .edge{stroke:var(--dark-square)}\
.botyard .white .crown{fill:var(--black-piece)}\
.botyard .man .crown{visibility:hidden}\
.botyard .captured{opacity:.4}\
.botyard .cross{stroke:var(--mark);stroke-width:5;stroke-linecap:round;fill:none}\
.botyard .path{fill:none;stroke:var(--mark);stroke-width:5;stroke-linecap:round;stroke-linejoin:round}\
.botyard .to-move{fill:var(--mark)}";

/// The drawing of a game.
struct Draughts {
    /// For both colours, the pieces by the numbers in their IDs.
    pieces: [Vec<Piece>; 2],
}

/// A piece that was there at the start.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Where it is; `None` once it was captured.
    at: Option<Square>,
    is_king: bool,
}

fn corner(square: Square) -> (f64, f64) {
    (f64::from(square.column()) * CELL, NAME + f64::from(square.row()) * CELL)
}

fn middle(square: Square) -> (f64, f64) {
    let (x, y) = corner(square);
    (x + CELL / 2.0, y + CELL / 2.0)
}

fn index(colour: Colour) -> usize {
    usize::from(colour == Colour::White)
}

fn class(colour: Colour, is_king: bool) -> String {
    format!("piece {colour} {}", if is_king { "king" } else { "man" })
}

fn piece_id(colour: Colour, piece: usize) -> String {
    format!("{colour}-{}", piece + 1)
}

/// A piece around 0, 0.
fn piece(element: Element, size: f64) -> Element {
    let circle = |class, r| Element::new("circle").class(class).length("r", size * r);
    let at = |(x, y): (f64, f64)| [x * size, y * size];
    let crown = [
        (-0.5, 0.38),
        (-0.56, -0.3),
        (-0.24, 0.0),
        (0.0, -0.42),
        (0.24, 0.0),
        (0.56, -0.3),
        (0.5, 0.38),
    ]
    .map(at);
    element
        .with(circle("body", 1.0))
        .with(circle("edge", 0.78))
        .with(Element::new("polygon").class("crown").set("points", crate::svg::Points(&crown)))
}

/// Begins the drawing of a game.
pub(super) fn begin(occasion: &Occasion) -> Result<Begun, serde_json::Error> {
    let setup: Setup = read(&occasion.setup)?;
    let side = 8.0 * CELL;
    let mut elements = vec![
        Element::new("rect")
            .class("light-square")
            .at(0.0, NAME)
            .length("width", side)
            .length("height", side),
    ];
    for seat in occasion.all_seats() {
        // Black is at the top in either order of the seats.
        let name = &occasion.seats[seat.index()];
        let is_black = *name == Colour::Black.to_string();
        let y = if is_black { 18.0 } else { NAME + side + 20.0 };
        let label = format!("{name}: {}", occasion.player(seat));
        elements.push(Element::words("seat", (18.0, y), label));
        let turn =
            Element::changing("circle", format_args!("{name}-to-move"), Look::hidden("to-move"));
        elements.push(turn.length("cx", 7.0).length("cy", y - 4.5).length("r", 5.0));
    }
    for square in Square::all() {
        let (x, y) = corner(square);
        let look = Look::shown("square");
        let inset = Element::new("rect").at(x + 2.0, y + 2.0);
        elements.push(
            Element::changing("g", format_args!("square-{square}"), look)
                .with(inset.length("width", CELL - 4.0).length("height", CELL - 4.0))
                .with(Element::words("number", (x + 6.0, y + 15.0), square)),
        );
    }
    elements.push(Element::changing("polyline", "last-move", Look::hidden("path")));
    for colour in Colour::ALL {
        elements.extend((0..MOST_PIECES as usize).map(|number| {
            let look = Look::hidden(class(colour, false));
            piece(Element::changing("g", piece_id(colour, number), look), CELL * 0.38)
        }));
    }
    let cross = "M-11,-11L11,11M-11,11L11,-11";
    elements.extend((1..=MOST_PIECES).map(|number| {
        Element::changing("path", format_args!("captured-{number}"), Look::hidden("cross"))
            .set("d", cross)
    }));
    let position: Option<Position> = setup.fen.parse().ok();
    let pieces = Colour::ALL.map(|colour| on_board(position.as_ref(), colour));
    let drawn = Drawn { width: side, height: side + 2.0 * NAME, elements };
    Ok((Box::new(Draughts { pieces }), drawn))
}

/// The pieces of a side in a position, by square.
fn on_board(position: Option<&Position>, colour: Colour) -> Vec<Piece> {
    let piece = |square| {
        let piece = position?.piece(square)?;
        (piece.colour == colour).then_some(Piece { at: Some(square), is_king: piece.is_king })
    };
    Square::all().filter_map(piece).collect()
}

impl Draughts {
    /// The piece on a square.
    fn piece_on(&self, square: Square) -> Option<(Colour, usize)> {
        Colour::ALL.into_iter().find_map(|colour| {
            let pieces = &self.pieces[index(colour)];
            Some((colour, pieces.iter().position(|piece| piece.at == Some(square))?))
        })
    }

    /// Whether the pieces are where the position has them.
    fn agrees_with(&self, position: &Position) -> bool {
        Square::all().all(|square| {
            let there = position.piece(square).map(|piece| piece.colour);
            there == self.piece_on(square).map(|(colour, _)| colour)
        })
    }

    /// Plays a move, and marks it.
    fn play(&mut self, played: Move, by: &str, scene: &mut Scene) {
        let mover = self.piece_on(played.from());
        if let Some((colour, _)) = mover {
            scene.say(format!("{}: {played}{by}.", colour.name()));
        }
        for (number, square) in (1..).zip(played.captured()) {
            if let Some((colour, taken)) = self.piece_on(square) {
                let piece = &mut self.pieces[index(colour)][taken];
                piece.at = None;
                let id = piece_id(colour, taken);
                scene.place(&id, middle(square));
                scene.class(&id, format!("{} captured", class(colour, piece.is_king)));
            }
            scene.place(format_args!("captured-{number}"), middle(square));
        }
        if let Some((colour, moved)) = mover {
            self.pieces[index(colour)][moved].at = Some(played.to());
        }
        scene.class(format_args!("square-{}", played.from()), "square from");
        scene.class(format_args!("square-{}", played.to()), "square to");
        scene.path("last-move", played.path().into_iter().map(middle));
    }
}

impl Drawing for Draughts {
    fn scene(&mut self, moment: &Moment) -> Result<Scene, serde_json::Error> {
        let view: View = read(moment.view)?;
        let position: Position = view.fen.parse().map_err(serde_json::Error::custom)?;
        let mut scene = Scene::default();
        for (_, action, by) in moment.moves() {
            self.play(read(action)?, by, &mut scene);
        }
        if !self.agrees_with(&position) {
            self.pieces = Colour::ALL.map(|colour| on_board(Some(&position), colour));
        }
        for colour in Colour::ALL {
            for (number, piece) in self.pieces[index(colour)].iter_mut().enumerate() {
                let Some(square) = piece.at else { continue };
                piece.is_king = position.piece(square).is_some_and(|piece| piece.is_king);
                let id = piece_id(colour, number);
                scene.place(&id, middle(square));
                scene.class(&id, class(colour, piece.is_king));
            }
        }
        if let Some(colour) = view.to_move {
            scene.show(format_args!("{colour}-to-move"));
        }
        Ok(scene)
    }

    fn spot(&self, place: &Place) -> Option<Spot> {
        let square = Square::new(numbered(place, 32)? as u8)?;
        Some(Spot { at: middle(square), radius: CELL * 0.4, has_text: false })
    }
}
