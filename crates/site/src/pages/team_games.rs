//! The games of a team in words: won, drawn or lost, against whom, with links that open them where they
//! were lost.

use super::standings::name_for;
use crate::competition::ladder::{GameOfEntrant, Standing};
use crate::people::Person;
use botyard_league::{PlayedGame, Verdict};
use botyard_pages::games::losing_decision;
use botyard_pages::pieces::{cell, moment, name, plain, row_name, table, text};
use maud::{Markup, html};
use std::path::Path;

/// The result of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It alone finished first.
    Won,
    /// It finished first with others.
    Drawn,
    /// It did not finish first; the place in a game of more than two seats.
    Lost(Option<u32>),
    /// The game does not count, because the host failed.
    Void,
}

impl Outcome {
    /// Returns the result of a seat in a game.
    pub(super) fn of(game: &PlayedGame, seat: usize) -> Outcome {
        let Verdict::Scored { places, .. } = &game.verdict else { return Outcome::Void };
        let Some(&own) = places.get(seat) else { return Outcome::Void };
        match places.iter().filter(|&&place| place == own).count() {
            1 if own == 1 => Outcome::Won,
            _ if own == 1 => Outcome::Drawn,
            _ => Outcome::Lost((places.len() > 2).then_some(own)),
        }
    }

    /// Returns a mark with a shape and a word, so that the colour says nothing alone.
    pub(super) fn mark(self) -> Markup {
        let (class, shape, word) = match self {
            Outcome::Won => ("won", "\u{25b2}", "won"),
            Outcome::Drawn => ("drawn", "=", "drawn"),
            Outcome::Lost(_) => ("lost", "\u{25bc}", "lost"),
            Outcome::Void => ("void", "\u{2013}", "void"),
        };
        html! {
            span class=(format!("outcome {class}")) {
                span aria-hidden="true" { (shape) } " " (word)
                @if let Outcome::Lost(Some(place)) = self { ", place " (place) }
            }
        }
    }

    /// Returns whether it is a loss.
    pub(super) fn is_loss(self) -> bool {
        matches!(self, Outcome::Lost(_))
    }
}

/// Returns the names of the others in a game, as the visitor knows them.
pub(super) fn opponents(standing: &Standing, person: &Person, game: &GameOfEntrant) -> Markup {
    let named = |id: usize| {
        let found = standing.entrants.iter().find(|entrant| entrant.id == id as i64);
        found.map_or("a replaced version", |entrant| name_for(entrant, person))
    };
    let others = game.game.seats.iter().enumerate().filter(|(seat, _)| *seat != game.seat);
    html! {
        @for (number, (_, &entrant)) in others.enumerate() {
            @if number > 0 { ", " }
            (name(named(entrant)))
        }
    }
}

/// Returns a table of games.
pub(super) fn rows(standing: &Standing, person: &Person, games: &[GameOfEntrant]) -> Markup {
    let body = html! {
        @for game in games {
            @let seat = standing.standings.seats.get(game.seat).map_or("", String::as_str);
            tr role="row" {
                (row_name(&html! {
                    a href=(format!("/games/{}", game.id)) {
                        "against " (opponents(standing, person, game))
                    }
                }))
                (cell("result", &Outcome::of(&game.game, game.seat).mark()))
                (cell("seat", &text(seat, 40)))
                (plain("decisions", game.game.turns))
                (plain("faults", game.faults))
                (cell("time", &moment(u64::try_from(game.at).unwrap_or_default())))
            }
        }
    };
    table("The newest first", &["game", "result", "seat", "decisions", "faults", "time"], &body)
}

/// Returns the games that were lost last, each with a link to the position after the decision by which
/// it was lost.
pub(super) fn losses(
    directory: &Path,
    standing: &Standing,
    person: &Person,
    lost: &[&GameOfEntrant],
) -> Markup {
    html! {
        ul class="losses" { @for game in lost {
            @let decision = losing_decision(directory, &game.game, game.seat);
            li {
                a href=(match decision {
                    Some(decision) => format!("/games/{}#n={decision}", game.id),
                    None => format!("/games/{}", game.id),
                }) { "against " (opponents(standing, person, game)) }
                ", " (moment(u64::try_from(game.at).unwrap_or_default()))
                @if let Some(decision) = decision {
                    ", opens after "
                    @if game.faults > 0 { "decision " } @else { "your last decision, " }
                    (decision) " of " (game.game.turns)
                }
            }
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_won_drawn_or_lost_in_words_and_not_by_colour_alone() {
        let game = |places: &[u32]| PlayedGame {
            block: 1,
            seats: (0..places.len()).collect(),
            verdict: Verdict::Scored {
                points: places.iter().map(|&place| f64::from(u8::from(place == 1))).collect(),
                places: places.to_vec(),
            },
            void_at: None,
            turns: 9,
            uses: Vec::new(),
            faults: Vec::new(),
            replay: None,
        };
        let two = game(&[1, 2]);
        assert_eq!([0, 1].map(|seat| Outcome::of(&two, seat)), [Outcome::Won, Outcome::Lost(None)]);
        assert_eq!(Outcome::of(&game(&[1, 1]), 0), Outcome::Drawn);
        let three = game(&[1, 3, 2]);
        assert_eq!(Outcome::of(&three, 1), Outcome::Lost(Some(3)));
        assert!(Outcome::of(&three, 1).is_loss() && !Outcome::Drawn.is_loss());
        let void = PlayedGame { verdict: Verdict::Void, ..two };
        assert_eq!(Outcome::of(&void, 0), Outcome::Void);
        let mark = Outcome::Lost(Some(3)).mark().into_string();
        assert!(mark.contains("lost") && mark.contains("place 3"), "{mark}");
    }
}
