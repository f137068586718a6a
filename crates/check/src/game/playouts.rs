//! The playouts of a program: random games that end as games do, and touch nothing.

use crate::game::abilities::{Place, places};
use crate::game::lab::Lab;
use crate::game::program::{Setting, Stop, bits, json, raw};
use botyard_engine::Turn;
use botyard_rules::GivenOutcome;
use botyard_rules::Request;
use botyard_rules::position::{Frame, checked_outcome};
use std::time::Instant;

/// The playouts of a position, unless they are slow.
const COUNT: u32 = 3;

/// The words of the kits where a playout came to a position that does not list its actions.
const NOT_LISTED: &str = "lists the legal actions";

/// Has positions played out from the game in progress and from their states.
pub(crate) fn playouts(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let effort = lab.effort();
    let mut stream = lab.stream("playout bits");
    let mut played = 0;
    for Place { setting, number, at, start, before, steps, .. } in places(lab, "playout") {
        // Where actions are not listed, none can be chosen.
        let is_listed = steps.first().is_some_and(|step| match step.turn {
            Turn::Seat(_) => step.legal.is_some(),
            Turn::Chance | Turn::Over => true,
        });
        if !is_listed || effort.is_spent(lab) {
            continue;
        }
        lab.program.place = Lab::place(&setting, number, at);
        lab.program.go_to(&setting, &start, &before)?;
        let state = lab.program.state()?;
        let bits = bits(&mut stream);
        let begun = Instant::now();
        if playouts_from(lab, &setting, None, (&bits, 1))?.is_none() {
            continue;
        }
        // Several must take no longer than an answer may.
        let is_slow = begun.elapsed() * 2 * COUNT > lab.program.time_for_an_answer();
        let asked = (&*bits, if is_slow { 1 } else { COUNT });
        let Some(own) = playouts_from(lab, &setting, None, asked)? else { continue };
        if playouts_from(lab, &setting, Some(&state), asked)?.as_ref() != Some(&own) {
            let expected = "the same playouts from the same state with the same bits";
            return Err(lab.program.unexpected(None, expected));
        }
        if json(&lab.program.state()?) != json(&state) {
            return Err(lab.program.unexpected(None, "the same state after `playout`"));
        }
        played += own.len();
    }
    Ok(format!("{played} playouts end with points in their range"))
}

/// Asks for playouts from a state or from the game in progress, and checks the points. `None` where one came
/// to a position that does not list its actions.
fn playouts_from(
    lab: &mut Lab<'_>,
    setting: &Setting,
    state: Option<&str>,
    (bits, count): (&str, u32),
) -> Result<Option<Vec<Option<Vec<f64>>>>, Stop> {
    let request = Request {
        state: state.map(raw),
        random: Some(bits.into()),
        count: Some(count),
        ..Request::new("playout")
    };
    let expected = format!("\"playouts\" with a list of {count}");
    let playouts = lab.program.read(&request, &expected, |answer| {
        let message = answer.message.as_deref().unwrap_or_default();
        if answer.kind == "refused" && message.contains(NOT_LISTED) {
            return Some(None);
        }
        let playouts = answer.playouts.clone().filter(|_| answer.kind == "playouts")?;
        (playouts.len() == count as usize).then_some(Some(playouts))
    })?;
    let frame =
        Frame { seats: &setting.seats, scores: setting.scores, chance: false, hidden: false };
    for scores in playouts.iter().flatten().flatten() {
        let outcome = GivenOutcome { scores: scores.clone(), ranks: None, reason: None };
        checked_outcome(&outcome, &frame)
            .map_err(|expected| lab.program.unexpected(None, &expected))?;
    }
    Ok(playouts)
}
