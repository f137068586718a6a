//! The games of a final, in the order of blocks, some on a page.

use super::paging;
use crate::web::Asked;
use botyard_league::{PlayedGame, Verdict};
use botyard_pages::pieces::{cell, name, row_name, table, text};
use maud::{Markup, html};

/// How many games are on a page.
const GAMES: usize = 200;

/// Returns the table of the games that have a replay, on the page that was asked for, with the names of their bots.
/// `address` is that of a page of the list.
pub(super) fn list(
    asked: &Asked<'_>,
    games: &[PlayedGame],
    named: &dyn Fn(usize) -> String,
    address: &dyn Fn(u32) -> String,
) -> Markup {
    let number = paging::number(asked);
    let skipped = (number as usize - 1).saturating_mul(GAMES);
    let with_replay = games.iter().filter_map(|game| Some((game, id_of(game.replay.as_deref()?)?)));
    let mut shown: Vec<_> = with_replay.skip(skipped).take(GAMES + 1).collect();
    let has_more = paging::cut(&mut shown, GAMES as u32);
    let rows = html! {
        @for (game, id) in shown {
            tr role="row" {
                (row_name(&html! {
                    a href=(format!("/games/{id}")) {
                        @let between = if game.seats.len() == 2 { " against " } else { ", " };
                        @for (place, &seat) in game.seats.iter().enumerate() {
                            @if place > 0 { (between) }
                            (name(&named(seat)))
                        }
                    }
                }))
                (cell("result", &result(game, named)))
                (cell("ID", &text(id, 60)))
            }
        }
    };
    html! {
        (table("In the order of blocks", &["game", "result", "ID"], &rows))
        (paging::links(number, has_more, address))
    }
}

/// Returns who won a game, if anyone alone did.
fn result(game: &PlayedGame, named: &dyn Fn(usize) -> String) -> Markup {
    let Verdict::Scored { places, .. } = &game.verdict else { return html! { "void" } };
    let mut first = game.seats.iter().zip(places).filter(|(_, place)| **place == 1);
    match (first.next(), first.next()) {
        (Some((&winner, _)), None) => html! { (name(&named(winner))) " won" },
        _ => html! { "drawn" },
    }
}

/// Returns the ID of a game from the name of its replay.
fn id_of(replay: &str) -> Option<&str> {
    replay.rsplit('/').next()?.split('.').next()
}
