//! The drawing of the event's game: a position of a recorded game between built-in bots; of a game whose rules are a
//! program, what it draws of a game with random actions. No game of a team is shown, which others may not see.

use super::game::picture_file;
use crate::competition::event::Event;
use crate::competition::game::{State, status};
use crate::web::{Asked, Refusal, Reply};
use axum::http::header;
use botyard_engine::Turn;
use botyard_engine::random::{Stream, choose};
use botyard_engine::registry::{self, plain_name};
use botyard_viewer::drawing::Drawing;
use maud::{Markup, html};

/// The most decisions and draws of the game that a program draws: it may be longer, and then this position is drawn.
const DECISIONS: usize = 100;

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

/// Returns what the program of the event's game draws of a game with random actions, which is played for it alone;
/// `None` if it draws nothing, or is not played.
fn by_program(asked: &Asked<'_>) -> Option<String> {
    let competition = asked.competition();
    if let Some(drawn) = competition.drawing.get() {
        return drawn.clone();
    }
    let game = competition.event.game.as_ref()?;
    let status = asked.database().transaction(|transaction| status(transaction, game.event));
    if status.ok()??.state != State::Open {
        return None;
    }
    competition.drawing.get_or_init(|| drawn_by(&competition.event)).clone()
}

fn drawn_by(event: &Event) -> Option<String> {
    let (game, file) = (event.game.as_ref()?, &event.setup.file);
    let preset = file.rules.as_ref().map_or(&game.kept.preset, |rules| &rules.value);
    let mut table = registry::tables(event.game(), Some(preset.as_str()), &file.rule).ok()?();
    let mut stream = Stream::new(0, "drawing of an event");
    let mut happened = table.open(&mut stream);
    for _ in 0..DECISIONS {
        if table.fault().is_some() {
            return None;
        }
        match table.turn() {
            Turn::Over => break,
            Turn::Chance => table.draw(&mut stream, &mut happened),
            Turn::Seat(_) => {
                let legal = table.legal();
                // The actions of some games are too many to list: then this position is drawn.
                let Some(action) = choose(stream.rng(), &legal) else { break };
                table.play(&action.to_string(), &mut happened).ok()?;
            }
        }
    }
    Some(Drawing::clean(&table.picture(None)?).ok()?.drawing.to_svg())
}

/// Returns the drawing as a part of a page; empty if there is none.
pub(super) fn figure(asked: &Asked<'_>) -> Markup {
    let game = plain_name(asked.competition().event.game());
    let of_what = match of_event(asked) {
        Some(_) => Some("between built-in bots"),
        None => by_program(asked).map(|_| "with random actions"),
    };
    html! {
        @if let Some(of_what) = of_what {
            figure class="game" {
                img src="/event/board.svg" alt=(format!("A game of {game} {of_what}."));
            }
        }
    }
}

/// Sends the drawing.
pub(super) fn file(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    match of_event(asked) {
        Some(svg) => Ok(Reply::file("image/svg+xml", svg.into())),
        None => Ok(picture_file(by_program(asked).ok_or(Refusal::NotFound)?)
            .with(header::CACHE_CONTROL, "private, no-cache")),
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
