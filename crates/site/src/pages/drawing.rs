//! The drawing of the event's game: a position of a recorded game between built-in bots; of a game whose rules are a
//! program, the last position of a game of the ladder between references.

use super::game;
use crate::web::{Asked, Refusal, Reply};
use botyard_engine::registry::plain_name;
use botyard_league::PlayedGame;
use maud::{Markup, html};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The drawings of built-in games: game, the part of the name of a preset that it is for, and the SVG document.
const DRAWINGS: [(&str, &str, &str); 6] = [
    ("connect-four", "", include_str!("../../../../docs/pictures/connect-four.svg")),
    ("dice-wars", "", include_str!("../../../../docs/pictures/dice-wars.svg")),
    ("draughts", "", include_str!("../../../../docs/pictures/draughts.svg")),
    ("liars-dice", "", include_str!("../../../../docs/pictures/liars-dice.svg")),
    ("scotland-yard", "grid", include_str!("../../../../docs/pictures/grid.svg")),
    ("scotland-yard", "", include_str!("../../../../docs/pictures/london.svg")),
];

/// Returns the drawing of a game under a preset; `None` for one whose rules are a program.
fn of(game: &str, preset: &str) -> Option<&'static str> {
    let found = DRAWINGS.iter().find(|(name, part, _)| *name == game && preset.contains(part));
    found.map(|(.., svg)| *svg)
}

fn of_event(asked: &Asked<'_>) -> Option<&'static str> {
    let event = &asked.competition().event;
    let preset = event.setup.file.rules.as_ref().map_or("", |rules| rules.value.as_str());
    of(event.game(), preset)
}

/// Returns the replay of the last game between references, of an event whose game is a program.
fn between_references(asked: &Asked<'_>) -> Option<PathBuf> {
    let competition = asked.competition();
    competition.event.game.as_ref()?;
    let standing = competition.boards().ladder.clone();
    let references: BTreeSet<usize> = (standing.entrants.iter())
        .filter(|entrant| entrant.team.is_none())
        .map(|entrant| entrant.id as usize)
        .collect();
    // Most events have too few for a game, and the record is long.
    if references.len() < competition.event.setup.seats.len() {
        return None;
    }
    let is_theirs = |game: &&PlayedGame| game.seats.iter().all(|seat| references.contains(seat));
    let last = competition.record().games.iter().rev().find(is_theirs).cloned()?;
    game::stored_replay(asked, &last)
}

/// Returns the drawing as a part of a page; empty if there is none.
pub(super) fn figure(asked: &Asked<'_>) -> Markup {
    let game = plain_name(asked.competition().event.game());
    let bots = match of_event(asked) {
        Some(_) => Some("built-in bots"),
        None => between_references(asked).map(|_| "references"),
    };
    html! {
        @if let Some(bots) = bots {
            figure class="game" {
                img src="/event/board.svg" alt=(format!("A game of {game} between {bots}."));
            }
        }
    }
}

/// Sends the drawing.
pub(super) fn file(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    match of_event(asked) {
        Some(svg) => Ok(Reply::file("image/svg+xml", svg.into())),
        None => game::drawn(asked, &between_references(asked).ok_or(Refusal::NotFound)?),
    }
}

#[cfg(test)]
mod tests {
    use super::of;
    use botyard_engine::registry;

    #[test]
    fn every_built_in_game_has_a_drawing() {
        for game in registry::names() {
            assert!(of(&game, "").is_some_and(|svg| svg.starts_with("<svg")), "{game}");
        }
        assert_ne!(of("scotland-yard", "grid-7x7-3"), of("scotland-yard", "london"));
        assert_eq!(of("nim@00", ""), None);
    }
}
