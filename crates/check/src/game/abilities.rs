//! The abilities of a program, as far as no other check is about them, and what it must ignore.

use crate::check::Status;
use crate::game::check::GameCheck;
use crate::game::lab::Lab;
use crate::game::program::{Event, Setting, Start, Step, Stop, bits, json, raw, shown};
use botyard_engine::Turn;
use botyard_engine::random::below;
use botyard_rules::Request;
use botyard_viewer::drawing::Drawing;
use std::collections::BTreeSet;

/// How many things are named that are not shown of pictures.
const DROPPED: usize = 5;

/// A position of a random game.
pub(crate) struct Place {
    /// The game's setting.
    pub setting: Setting,
    /// The number of the game.
    pub number: u32,
    /// The decisions before it.
    pub at: usize,
    /// How the game begins.
    pub start: Start,
    /// What happens before it.
    pub before: Vec<Event>,
    /// What happens after it, with outcomes instead of bits.
    pub after: Vec<Event>,
    /// The position, and those after it.
    pub steps: Vec<Step>,
}

/// Returns a position of each random game.
pub(crate) fn places(lab: &Lab<'_>, purpose: &str) -> Vec<Place> {
    let mut stream = lab.stream(purpose);
    let mut places = Vec::new();
    for index in 0..lab.records.len() {
        let Some((record, setting)) = lab.record(index) else { continue };
        let at = below(stream.rng(), record.events.len() as u32 + 1) as usize;
        places.push(Place {
            setting,
            number: record.number,
            at,
            start: record.start.clone(),
            before: record.events[..at].to_vec(),
            after: record.given_events()[at..].to_vec(),
            steps: record.steps[at..].to_vec(),
        });
    }
    places
}

/// Loads states into another process, and plays the rest of the game there.
pub(crate) fn load(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let effort = lab.effort();
    let mut loaded = 0;
    for place in places(lab, "load") {
        if effort.is_spent(lab) {
            break;
        }
        let Place { setting, number, at, start, before, after, steps } = place;
        lab.program.place = Lab::place(&setting, number, at);
        lab.second.place = lab.program.place.clone();
        lab.program.go_to(&setting, &start, &before)?;
        let state = lab.program.state()?;
        lab.second.stop();
        let program = &mut lab.second;
        let Ok(mut step) = program.open(&setting, &Start::State(state.clone()))? else {
            return Err(program.unexpected(None, "a position, as this was its state"));
        };
        if json(&program.state()?) != json(&state) {
            let expected = format!("the state that was loaded, {}", shown(&state));
            return Err(program.unexpected(None, &expected));
        }
        for (index, known) in steps.iter().enumerate() {
            if !step.is_same_position(known) || (index > 0 && step.seen != known.seen) {
                let expected = format!("the position {index} decisions after a state was loaded");
                return Err(program.unexpected(None, &expected));
            }
            let Some(event) = after.get(index) else { break };
            let Ok(next) = program.apply(&setting, event)? else {
                return Err(
                    program.unexpected(None, "the position of the game that was not loaded")
                );
            };
            step = next;
        }
        loaded += 1;
    }
    Ok(format!("{loaded} games continue from a state as they did without"))
}

/// Draws states that look the same to a seat.
pub(crate) fn determinize(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let effort = lab.effort();
    let mut stream = lab.stream("determinize bits");
    let (mut drawn, mut other) = (0, 0);
    for place in places(lab, "determinize") {
        let Place { setting, number, at, start, before, steps, .. } = place;
        let Some(step) = steps.first().filter(|step| step.turn != Turn::Over) else { continue };
        lab.program.place = Lab::place(&setting, number, at);
        lab.second.place = lab.program.place.clone();
        for seat in setting.all_seats() {
            if effort.is_spent(lab) {
                break;
            }
            lab.program.go_to(&setting, &start, &before)?;
            let view = lab.program.view(&setting, seat)?;
            let state = lab.program.state()?;
            let guess = determinized(lab, &setting, seat, &view, &bits(&mut stream))?;
            if json(&lab.program.state()?) != json(&state) {
                let expected = "the same state after `determinize`";
                return Err(lab.program.unexpected(None, expected));
            }
            let program = &mut lab.second;
            let Ok(guessed) = program.open(&setting, &Start::State(guess.clone()))? else {
                return Err(program.unexpected(None, "a position, as it drew this state"));
            };
            let seen = program.view(&setting, seat)?;
            if json(&seen) != json(&view) {
                let expected = format!("in the drawn state the view {}", shown(&view));
                return Err(program.unexpected(None, &expected));
            }
            let legal = |step: &Step| {
                let legal = step.legal.as_ref()?;
                Some(legal.iter().map(|action| json(action)).collect::<Vec<_>>())
            };
            // Where it is another's turn, the view need not say whose.
            if step.turn == Turn::Seat(seat) && guessed.turn != step.turn {
                let message = format!(
                    "it is {}'s turn, but not in the state that was drawn for it: {}",
                    setting.seat_name(seat),
                    shown(&guess)
                );
                return Err(program.fault(None, message));
            }
            if step.turn == Turn::Seat(seat) && legal(&guessed) != legal(step) {
                let message = format!(
                    "in the state drawn for {} it has other legal actions: {}",
                    setting.seat_name(seat),
                    shown(&guess)
                );
                return Err(program.fault(None, message));
            }
            drawn += 1;
            other += u32::from(json(&guess) != json(&state));
        }
    }
    Ok(format!("{drawn} states look the same to their seat; {other} differ from the real one"))
}

/// Asks for a state that looks the same to a seat.
pub(crate) fn determinized(
    lab: &mut Lab<'_>,
    setting: &Setting,
    seat: botyard_engine::Seat,
    view: &str,
    bits: &str,
) -> Result<String, Stop> {
    let request = Request {
        seat: Some(setting.seat_name(seat).into()),
        view: Some(raw(view)),
        random: Some(bits.into()),
        ..Request::new("determinize")
    };
    lab.program.read(&request, "\"state\" with a state", |answer| {
        let state = answer.state.filter(|_| answer.kind == "state")?;
        Some(state.get().to_string())
    })
}

/// Has texts read as actions.
pub(crate) fn parse(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let mut read = 0;
    for Place { setting, number, at, start, before, steps, .. } in places(lab, "parse") {
        let Some(step) = steps.first() else { continue };
        if !matches!(step.turn, Turn::Seat(_)) {
            continue;
        }
        lab.program.place = Lab::place(&setting, number, at);
        lab.program.go_to(&setting, &start, &before)?;
        let first = step.legal.as_ref().and_then(|legal| legal.first());
        let texts = [first.map_or("1", String::as_str), "", "?", "no such action", "\u{1f3b2}"];
        for text in texts {
            let request = Request { text: Some(text.into()), ..Request::new("parse") };
            let known = lab.program.read(
                &request,
                "\"action\" with one, or \"refused\" with a message",
                |answer| match &*answer.kind {
                    "action" => answer.action.map(|_| true),
                    "refused" => {
                        answer.message.as_deref().filter(|it| !it.is_empty()).map(|_| false)
                    }
                    _ => None,
                },
            )?;
            read += u32::from(known);
        }
    }
    Ok(format!("reads texts ({read} were actions)"))
}

/// Has the state drawn, for each seat and for all, and cleans the drawings as pages do.
pub(crate) fn draw(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let mut drawn = 0;
    let mut dropped = BTreeSet::new();
    let mut first = String::new();
    for Place { setting, number, at, start, before, .. } in places(lab, "draw").into_iter().take(5)
    {
        lab.program.place = Lab::place(&setting, number, at);
        lab.program.go_to(&setting, &start, &before)?;
        for seat in std::iter::once(None).chain(setting.all_seats().map(Some)) {
            let svg = picture((&mut lab.program, &setting), seat)?;
            let cleaned =
                Drawing::clean(&svg).map_err(|error| lab.program.fault(None, error.to_string()))?;
            if dropped.is_empty() && !cleaned.dropped.is_empty() {
                first = Lab::place(&setting, number, at);
            }
            dropped.extend(cleaned.dropped);
            drawn += 1;
        }
    }
    if !dropped.is_empty() {
        let some: Vec<&str> = dropped.iter().take(DROPPED).map(String::as_str).collect();
        let more = match dropped.len() - some.len() {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let message = format!("not shown of its pictures: {}{more}", some.join(", "));
        lab.find(GameCheck::Draw, Status::Noted, &first, &message);
    }
    Ok(format!("{drawn} pictures can be shown"))
}

/// Asks for a picture.
pub(crate) fn picture(
    (program, setting): (&mut crate::game::program::Program<'_>, &Setting),
    seat: Option<botyard_engine::Seat>,
) -> Result<String, Stop> {
    let seat = seat.map(|seat| setting.seat_name(seat).into());
    let request = Request { seat, ..Request::new("draw") };
    program.read(&request, "\"picture\" with an SVG document as \"svg\"", |answer| {
        answer.svg.as_deref().filter(|_| answer.kind == "picture").map(String::from)
    })
}

/// Writes a request and fields that no version has.
pub(crate) fn unknown(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let Some(Place { setting, number, at, start, before, .. }) =
        places(lab, "unknown").into_iter().next()
    else {
        return Ok(String::new());
    };
    let program = &mut lab.program;
    program.place = Lab::place(&setting, number, at);
    program.go_to(&setting, &start, &before)?;
    let state = program.state()?;
    let answer =
        program.line("{\"type\":\"state\",\"no_such_field\":{\"a\":[1]},\"text\":\"?\"}")?;
    if json(&answer).get("state") != Some(&json(&state)) {
        return Err(program.unexpected(None, "the state, whatever else is in the request"));
    }
    let answer = program.line("{\"type\":\"no_such_request\",\"no_such_field\":1}")?;
    let kind = json(&answer);
    let expected = program.unexpected(None, "{\"type\":\"unknown\"}");
    if json(&program.state()?) != json(&state) {
        let expected = "the same state after an unknown request";
        return Err(program.unexpected(None, expected));
    }
    if kind.get("type").and_then(serde_json::Value::as_str) != Some("unknown")
        && let Stop::Fault(fault) = expected
    {
        lab.find(GameCheck::Unknown, Status::Noted, &fault.place, &fault.message);
    }
    Ok("ignores unknown fields and requests".into())
}
