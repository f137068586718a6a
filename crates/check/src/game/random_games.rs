//! The random games, in which every answer is read as the referee reads it.

use crate::check::Status;
use crate::game::check::GameCheck;
use crate::game::lab::{Lab, MOST_STATES, Record};
use crate::game::program::{Event, Setting, Start, Step, Stop, bits, json, shown};
use botyard_engine::Turn;
use botyard_engine::random::{Stream, below, choose};
use botyard_rules::ability;
use std::collections::HashSet;
use std::mem::take;

/// The number of decisions of a game that are all examined; later ones are sampled.
const EXAMINED: usize = 40;

/// The part of later decisions that is examined.
const SAMPLED: u32 = 16;

/// The longest list of actions that is searched for duplicates.
const MOST_COMPARED: usize = 5000;

/// Plays the random games. Returns what was seen.
pub(crate) fn play_all(lab: &mut Lab<'_>) -> Result<String, Stop> {
    // A second process reads the same lines later, and no others.
    lab.program.stop();
    let settings = lab.settings.clone();
    let games = lab.config.games;
    let mut number = 0;
    for (index, setting) in settings.iter().enumerate() {
        let share = games / settings.len() as u32;
        let extra = u32::from((index as u32) < games % settings.len() as u32);
        for _ in 0..(share + extra).max(1) {
            number += 1;
            lab.observer.working(GameCheck::Positions, &format!("game {number} of {games}"));
            let record = play(lab, index, setting, number)?;
            lab.records.push(record);
        }
    }
    let longest = lab.records.iter().map(|record| record.events.len()).max().unwrap_or_default();
    Ok(format!("{} games to their ends; the longest has {longest} decisions", lab.records.len()))
}

fn play(lab: &mut Lab<'_>, index: usize, setting: &Setting, number: u32) -> Result<Record, Stop> {
    let mut stream = lab.stream(&format!("game {number}"));
    // Numbers of their own, so that the game does not depend on what is examined.
    let mut examined = lab.stream(&format!("examination of game {number}"));
    lab.program.place = Lab::place(setting, number, 0);
    lab.program.choose(setting)?;
    lab.program.log();
    let start = Start::Random(bits(&mut stream));
    let Ok(mut step) = lab.program.open(setting, &start)? else {
        let expected = "a position with an opening drawn from the bits";
        return Err(lab.program.unexpected(Some(GameCheck::Opening), expected));
    };
    let (mut events, mut steps) = (Vec::new(), Vec::new());
    let setups = step.setups.clone();
    loop {
        let decision = events.len();
        lab.program.place = Lab::place(setting, number, decision);
        if decision < EXAMINED || below(examined.rng(), SAMPLED) == 0 || step.turn == Turn::Over {
            examine(lab, (index, setting), &step, &setups, &mut examined)?;
        }
        if decision as u32 >= lab.config.longest && step.turn != Turn::Over {
            let message = format!("no end after {decision} decisions");
            return Err(lab.program.fault(Some(GameCheck::Ends), message));
        }
        let event = match step.turn {
            Turn::Over => break,
            Turn::Chance => Event::Draw(bits(&mut stream)),
            Turn::Seat(seat) => Event::Action(seat, lab.action(setting, &step, &mut stream)?),
        };
        let Ok(next) = lab.program.apply(setting, &event)? else {
            let (check, expected) = match event {
                Event::Draw(_) => (GameCheck::Draws, "an outcome drawn from the bits"),
                _ => (GameCheck::Legal, "a position, as it said that this action is legal"),
            };
            return Err(lab.program.unexpected(Some(check), expected));
        };
        if let (Event::Draw(_), Some(chances)) = (&event, &step.chances) {
            let key = serde_json::to_string(chances).unwrap_or_default();
            let drawn = json(&next.full).to_string();
            *lab.draws.entry(key).or_default().entry(drawn).or_default() += 1;
        }
        events.push(event);
        steps.push(std::mem::replace(&mut step, next));
    }
    steps.push(step);
    let end = lab.program.state()?;
    let lines = lab.program.logged();
    for fault in take(&mut lab.program.problems) {
        lab.fail(fault.check.unwrap_or(GameCheck::Positions), fault);
    }
    Ok(Record { setting: index, number, start, events, steps, end, lines })
}

/// Examines a position: the list of legal actions, and all that only reads.
fn examine(
    lab: &mut Lab<'_>,
    (index, setting): (usize, &Setting),
    step: &Step,
    setups: &[String],
    stream: &mut Stream,
) -> Result<(), Stop> {
    let program = &mut lab.program;
    if let Some(legal) = step.legal.as_ref().filter(|legal| legal.len() <= MOST_COMPARED) {
        let mut known = HashSet::new();
        for action in legal {
            if !known.insert(json(action).to_string()) {
                let message = format!("the action {} is listed twice", shown(action));
                return Err(program.fault(Some(GameCheck::Legal), message));
            }
        }
        if let Some(pass) = &step.pass
            && !known.contains(&json(pass).to_string())
        {
            let message = format!("\"pass\" is {}, which is not listed", shown(pass));
            return Err(program.fault(Some(GameCheck::Legal), message));
        }
    }
    let state = program.state()?;
    for seat in setting.all_seats() {
        let view = program.view(setting, seat)?;
        if step.turn == Turn::Seat(seat) && json(&view) != json(&step.view) {
            let expected = format!("the view of the position, {}", shown(&step.view));
            let stop = program.unexpected(Some(GameCheck::Views), &expected);
            note(lab, GameCheck::Views, stop)?;
            return Ok(());
        }
        let setup = setups.get(seat.index()).map_or("", String::as_str);
        let seen = format!("{setup} {}", json(&view));
        let state = json(&state).to_string();
        if lab.states.len() < MOST_STATES && step.turn != Turn::Over {
            let key = (index, seat, seen.clone());
            if let Some(known) = lab.states.get(&key) {
                if *known != state && lab.alike.is_none() {
                    let words = format!(
                        "two states look the same to {}, which sees {}: {} and {}",
                        setting.seat_name(seat),
                        shown(&seen),
                        shown(known),
                        shown(&state)
                    );
                    lab.alike = Some((program.place.clone(), words));
                }
            } else {
                lab.states.insert(key, state);
            }
        }
    }
    let program = &mut lab.program;
    if let (Turn::Seat(seat), Some(legal), true) =
        (step.turn, &step.legal, program.can(ability::CHECK))
        && let Some(action) = choose(stream.rng(), legal)
        && program.check(setting, seat, action)?.is_err()
    {
        let stop =
            program.unexpected(Some(GameCheck::Legal), "\"legal\", as this action is listed");
        return Err(stop);
    }
    if program.can(ability::TEXT) {
        let request = botyard_rules::Request::new("text");
        let text = program.read(&request, "\"text\" with the text", |answer| {
            answer.text.as_ref().filter(|_| answer.kind == "text").map(|text| text.to_string())
        });
        match text {
            Ok(text) if text.trim().is_empty() => {
                let stop = program.unexpected(Some(GameCheck::Text), "a text that is not empty");
                note(lab, GameCheck::Text, stop)?;
            }
            Ok(_) => {}
            Err(stop) => note(lab, GameCheck::Text, stop)?,
        }
    }
    let program = &mut lab.program;
    if json(&program.state()?) != json(&state) {
        let expected = format!("the same state after requests that only read, {}", shown(&state));
        let stop = program.unexpected(Some(GameCheck::Views), &expected);
        note(lab, GameCheck::Views, stop)?;
    }
    Ok(())
}

/// Records a fault after which the game continues.
fn note(lab: &mut Lab<'_>, check: GameCheck, stop: Stop) -> Result<(), Stop> {
    match stop {
        Stop::Fault(fault) => {
            let status = if fault.is_busy { Status::NotDecided } else { Status::Failed };
            lab.find(check, status, &fault.place, &fault.message);
            Ok(())
        }
        stop => Err(stop),
    }
}

/// Tries every listed action of some positions.
pub(crate) fn legal_actions(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let mut stream = lab.stream("legal actions");
    let effort = lab.effort();
    let mut tried = 0;
    for round in 0..3 {
        for index in 0..lab.records.len() {
            let Some((record, setting)) = lab.record(index) else { continue };
            let at = below(stream.rng(), record.events.len() as u32 + 1) as usize;
            let (start, events) = (record.start.clone(), record.events[..at].to_vec());
            let (number, step) = (record.number, &record.steps[at]);
            let Turn::Seat(seat) = step.turn else { continue };
            let Some(legal) = &step.legal else { continue };
            // A long game leaves time for few of its positions.
            if round > 0 && at > 200 {
                continue;
            }
            let stride = legal.len().div_ceil(20).max(1);
            let legal: Vec<String> = legal.iter().step_by(stride).cloned().collect();
            for action in legal {
                if effort.is_spent(lab) {
                    return Ok(format!("accepts what it lists ({tried} actions were tried)"));
                }
                let program = &mut lab.program;
                program.place = Lab::place(&setting, number, at);
                program.go_to(&setting, &start, &events)?;
                if program.apply(&setting, &Event::Action(seat, action))?.is_err() {
                    let expected = "a position, as this action is listed";
                    return Err(program.unexpected(None, expected));
                }
                tried += 1;
            }
        }
    }
    Ok(format!("accepts what it lists ({tried} actions were tried)"))
}
