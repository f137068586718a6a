//! Liar's Dice: a line for each player with its cup and its last bid. A cup that is hidden is
//! drawn closed.
//!
//! IDs: `die-P-N`, the dice of player P, ascending; `bid-P`; `to-move-P`.

use super::{Drawing, Moment, Occasion, read};
use crate::board::Drawn;
use crate::frame::{Look, Scene};
use crate::games::Begun;
use crate::marks::Spot;
use crate::svg::Element;
use botyard_engine::liars_dice::{Action, Cup, Loss, Rules, Table};
use botyard_protocol::Place;
use std::iter;

const WIDTH: f64 = 640.0;
/// The height of a player's line.
const LINE: f64 = 62.0;
/// The side of a die.
const DIE: f64 = 38.0;
/// Where the dice begin.
const DICE: f64 = 190.0;
/// Where the bids begin.
const BID: f64 = 430.0;

pub(super) const STYLE: &str = "\
.botyard .face rect{fill:var(--die);stroke:var(--border);stroke-width:1.5}\
.botyard .face circle{fill:var(--die-ink);visibility:hidden}\
.botyard .f1 .p4,.botyard .f2 .p1,.botyard .f2 .p7,.botyard .f3 .p1,.botyard .f3 .p4,\
.botyard .f3 .p7,.botyard .f4 .p1,.botyard .f4 .p2,.botyard .f4 .p6,.botyard .f4 .p7,\
.botyard .f5 .p1,.botyard .f5 .p2,.botyard .f5 .p4,.botyard .f5 .p6,.botyard .f5 .p7,\
.botyard .f6 .p1,.botyard .f6 .p2,.botyard .f6 .p3,.botyard .f6 .p5,.botyard .f6 .p6,\
.botyard .f6 .p7{visibility:visible}\
.botyard .face.closed rect{fill:var(--panel);stroke:var(--dim);stroke-dasharray:4 3}\
.botyard .face.counted rect{stroke:var(--mark);stroke-width:4}\
.botyard .to-move{fill:var(--mark)}\
.botyard text.bid{font-size:17px}\
.botyard text.lost{fill:var(--mark);font-weight:700}";

/// The drawing of a game.
struct LiarsDice {
    seats: Vec<String>,
    dice: u8,
    /// The last bid of every player.
    bids: Vec<Option<(u8, u8)>>,
}

fn middle(line: usize) -> f64 {
    LINE * (line as f64 + 0.5)
}

/// A die around 0, 0, with a dot in each of the seven places; the class shows some of them.
fn die(id: String) -> Element {
    let step = DIE * 0.27;
    let dots = [(-1, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (1, 1)];
    let square = Element::new("rect").at(-DIE / 2.0, -DIE / 2.0);
    Element::changing("g", id, Look::hidden("face"))
        .with(square.length("width", DIE).length("height", DIE).set("rx", 7))
        .with_all((1..).zip(dots).map(|(number, (x, y))| {
            Element::new("circle")
                .class(format_args!("p{number}"))
                .length("cx", f64::from(x) * step)
                .length("cy", f64::from(y) * step)
                .length("r", DIE * 0.095)
        }))
}

/// Begins the drawing of a game.
pub(super) fn begin(occasion: &Occasion) -> Result<Begun, serde_json::Error> {
    let Rules { dice, .. } = read(occasion.rules)?;
    let mut elements = Vec::new();
    for seat in occasion.all_seats() {
        let (line, number) = (seat.index(), seat.index() + 1);
        let y = middle(line);
        let panel = Element::new("rect").class("panel").at(0.0, y - LINE / 2.0 + 2.0);
        elements.push(panel.length("width", WIDTH).length("height", LINE - 4.0).set("rx", 7));
        let turn =
            Element::changing("circle", format_args!("to-move-{number}"), Look::hidden("to-move"));
        elements.push(turn.length("cx", 14.0).length("cy", y).length("r", 6.0));
        let seat_name = &occasion.seats[line];
        elements.push(Element::words("strong", (30.0, y - 3.0), seat_name));
        elements.push(Element::words("dim", (30.0, y + 14.0), short(&occasion.player(seat))));
        elements.extend((1..=dice).map(|die_number| die(format!("die-{number}-{die_number}"))));
        let bid = Element::changing("text", format_args!("bid-{number}"), Look::shown("bid"));
        elements.push(bid.at(BID, y + 6.0));
    }
    let height = LINE * occasion.seats.len() as f64;
    let drawing =
        LiarsDice { seats: occasion.seats.to_vec(), dice, bids: vec![None; occasion.seats.len()] };
    Ok((Box::new(drawing), Drawn { width: WIDTH, height, elements }))
}

/// A name that fits before the dice.
fn short(name: &str) -> String {
    botyard_protocol::printable(name, 21)
}

/// The faces of a cup, ascending.
fn faces(cup: &Cup) -> impl Iterator<Item = u8> {
    (1..).zip(cup).flat_map(|(face, &count)| iter::repeat_n(face, count.into()))
}

fn words((count, face): (u8, u8)) -> String {
    format!("{count} {}, face {face}", if count == 1 { "die" } else { "dice" })
}

impl Drawing for LiarsDice {
    fn scene(&mut self, moment: &Moment) -> Result<Scene, serde_json::Error> {
        let table: Table<Option<Cup>> = read(moment.view)?;
        let mut scene = Scene::default();
        for (seat, action, by) in moment.moves() {
            let name = self.seats.get(seat.index()).map_or("", String::as_str);
            match read(action)? {
                Action::Bid { count, face } => {
                    if let Some(bid) = self.bids.get_mut(seat.index()) {
                        *bid = Some((count, face));
                    }
                    scene.say(format!("{name} bids {}{by}.", words((count, face))));
                }
                Action::Liar => {
                    let bid = table.bid.map(words).unwrap_or_default();
                    scene.say(format!("{name} calls it a lie: {bid}{by}."));
                }
            }
        }
        for (line, cup) in table.cups.iter().enumerate() {
            let shown: Vec<Option<u8>> = match cup {
                Some(cup) => faces(cup).map(Some).collect(),
                None => vec![None; self.dice.into()],
            };
            for (die, face) in shown.into_iter().take(self.dice.into()).enumerate() {
                let id = format!("die-{}-{}", line + 1, die + 1);
                let x = DICE + DIE / 2.0 + (DIE + 7.0) * die as f64;
                scene.place(&id, (x, middle(line)));
                let bid = table.bid.filter(|_| table.lost.is_some());
                let counted = match (bid, face) {
                    (Some((_, bid)), Some(face)) if bid == face => " counted",
                    _ => "",
                };
                scene.class(
                    &id,
                    match face {
                        Some(face) => format!("face f{face}{counted}"),
                        None => "face closed".to_string(),
                    },
                );
            }
        }
        for (number, bid) in (1..).zip(&self.bids) {
            if let Some(bid) = *bid {
                scene.text(format_args!("bid-{number}"), format_args!("bids {}", words(bid)));
            }
        }
        match table.lost {
            Some((seat, loss)) => {
                let id = format!("bid-{}", seat + 1);
                scene.class(&id, "bid lost");
                let bid = self.bids.get(usize::from(seat)).copied().flatten();
                scene.text(
                    &id,
                    match (loss, bid) {
                        (Loss::Lied, Some(bid)) => format!("{}: a lie", words(bid)),
                        (Loss::Lied, None) => "lied".to_string(),
                        (Loss::Doubted, _) => "doubted".to_string(),
                        (Loss::Forfeit, _) => "forfeits".to_string(),
                    },
                );
            }
            None if table.cups.len() == self.seats.len() => {
                let number = table.bids as usize % self.seats.len() + 1;
                scene.show(format_args!("to-move-{number}"));
            }
            None => {}
        }
        Ok(scene)
    }

    fn spot(&self, place: &Place) -> Option<Spot> {
        let Place::Name(name) = place else { return None };
        let seat = self.seats.iter().position(|seat| seat == name)?;
        let x = DICE + (DIE + 7.0) * f64::from(self.dice) / 2.0;
        Some(Spot { at: (x, middle(seat)), radius: DIE * 0.6, has_text: false })
    }
}
