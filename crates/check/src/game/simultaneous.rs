//! Rounds in which the seats decide simultaneously: none of them sees what the others have decided.

use crate::game::lab::Lab;
use crate::game::program::{Event, Setting, Start, Step, Stop, json, shown};
use botyard_engine::random::Stream;
use botyard_engine::{Seat, Turn};
use serde_json::Value;

/// How many other decisions are compared with the one that was made.
const OTHERS: usize = 4;

/// Compares what a seat sees after different decisions of another seat of the same round. In a round the
/// seats are asked in seat order, so the next seat is of the same round if it comes later.
pub(crate) fn rounds(lab: &mut Lab<'_>) -> Result<String, Stop> {
    if !lab.says(|hello| hello.simultaneous) {
        return Ok("the seats decide one after the other".into());
    }
    let effort = lab.effort();
    let mut stream = lab.stream("simultaneous");
    let mut compared = 0;
    for index in 0..lab.records.len() {
        let Some((record, setting)) = lab.record(index) else { continue };
        let (start, events, steps, number) =
            (record.start.clone(), record.events.clone(), record.steps.clone(), record.number);
        for (at, event) in events.iter().enumerate() {
            let (Event::Action(decider, made), Some(before)) = (event, steps.get(at)) else {
                continue;
            };
            // In the last seat of a round there is nothing to compare.
            let is_last = match steps.get(at + 1).map(|after| after.turn) {
                Some(Turn::Seat(next)) => next.index() <= decider.index(),
                _ => true,
            };
            if is_last {
                continue;
            }
            let place = (start.clone(), events[..at].to_vec());
            for other in others(lab, &setting, (*decider, made), before, &place, &mut stream)? {
                if effort.is_spent(lab) {
                    return Ok(in_words(compared));
                }
                let program = &mut lab.program;
                program.go_to(&setting, &start, &events[..at])?;
                let mut event = Event::Action(*decider, other.clone());
                let mut last = *decider;
                for (later, after) in steps.iter().enumerate().skip(at + 1) {
                    let Turn::Seat(next) = after.turn else { break };
                    if next.index() <= last.index() {
                        break;
                    }
                    program.place = Lab::place(&setting, number, later);
                    let Ok(step) = program.apply(&setting, &event)? else {
                        return Err(program.unexpected(None, "a position, as this action is legal"));
                    };
                    if sees(&step, next) != sees(after, next) {
                        let message = format!(
                            "{} decides in the same round as {}, and sees whether that was {} or {}: \
                             its view is {} or {}, its copy {} or {}",
                            setting.seat_name(next),
                            setting.seat_name(*decider),
                            shown(made),
                            shown(&other),
                            shown(&after.view),
                            shown(&step.view),
                            after.copy(next),
                            step.copy(next)
                        );
                        return Err(program.fault(None, message));
                    }
                    compared += 1;
                    let Some(again) = events.get(later) else { break };
                    event = again.clone();
                    last = next;
                }
            }
        }
    }
    Ok(in_words(compared))
}

/// Returns legal actions other than the one that was made.
fn others(
    lab: &mut Lab<'_>,
    setting: &Setting,
    (seat, made): (Seat, &str),
    before: &Step,
    (start, events): &(Start, Vec<Event>),
    stream: &mut Stream,
) -> Result<Vec<String>, Stop> {
    let mut others = match &before.legal {
        Some(legal) => legal.clone(),
        None => {
            lab.program.go_to(setting, start, events)?;
            let mut found = Vec::new();
            for suggestion in (0..2 * OTHERS).filter_map(|_| lab.suggestions.draw(stream)) {
                if lab.program.check(setting, seat, &suggestion)?.is_ok() {
                    found.push(suggestion);
                }
            }
            found
        }
    };
    others.retain(|other| json(other) != json(made));
    others.truncate(OTHERS);
    Ok(others)
}

/// Returns what a seat sees at its turn: the view, its copy and its legal actions.
fn sees(step: &Step, seat: Seat) -> Option<(Value, Value, Option<Vec<Value>>)> {
    let legal = step.legal.as_ref();
    let legal = legal.map(|legal| legal.iter().map(|action| json(action)).collect());
    (step.turn == Turn::Seat(seat)).then(|| (json(&step.view), step.copy(seat), legal))
}

fn in_words(compared: u32) -> String {
    format!("{compared} other decisions look the same to the seats that decide later in a round")
}
