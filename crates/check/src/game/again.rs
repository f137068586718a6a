//! The same game again: by another process, after other games, and from its record.

use crate::game::check::GameCheck;
use crate::game::lab::{CLOCK, Lab};
use crate::game::program::{Line, Program, Start, Stop, json, shown};
use botyard_runner::Error;

/// The most lines that are compared.
const MOST_LINES: usize = 20_000;

/// How much of two lines that differ is shown before the difference, in characters.
const BEFORE: usize = 100;

/// Gives all requests to a second process, at another time.
pub(crate) fn by_another_process(lab: &mut Lab<'_>) -> Result<String, Stop> {
    // A clock of whole seconds shows another time then.
    if lab.interrupt.is_raised_within(CLOCK) {
        return Err(Error::Interrupted.into());
    }
    if Some(lab.second.start()?) != lab.hello {
        return Err(lab
            .second
            .fault(None, "a second process answered `hello` with something else"));
    }
    let mut lines = 0;
    for index in 0..lab.records.len() {
        let Some((record, setting)) = lab.record(index) else { continue };
        let (number, games) = (record.number, lab.records.len());
        lab.observer.working(GameCheck::Deterministic, &format!("game {number} of {games}"));
        let program = &mut lab.second;
        program.place = Lab::place(&setting, number, 0);
        program.choose(&setting)?;
        let wrote = ["the first process wrote", "a second one"];
        lines += compare(program, &lab.records[index].lines, wrote)?;
        if lines > MOST_LINES {
            break;
        }
    }
    Ok(format!("a second process wrote the same {lines} lines"))
}

/// Gives the requests of the games to a new process, in the reverse order, and the last one twice.
pub(crate) fn after_other_games(lab: &mut Lab<'_>) -> Result<String, Stop> {
    lab.second.stop();
    let mut order: Vec<usize> = (0..lab.records.len()).rev().collect();
    order.extend(order.first().copied());
    let mut lines = 0;
    for (done, index) in order.iter().copied().enumerate() {
        let Some((record, setting)) = lab.record(index) else { continue };
        let number = record.number;
        let program = &mut lab.second;
        program.place = Lab::place(&setting, number, 0);
        program.choose(&setting)?;
        let wrote = ["it wrote", "after other games"];
        lines += compare(program, &lab.records[index].lines, wrote)?;
        if lines > MOST_LINES && done > 1 {
            break;
        }
    }
    Ok(format!("the same {lines} lines after other games"))
}

/// Gives requests to a program, and compares the answers.
fn compare(program: &mut Program<'_>, lines: &[Line], wrote: [&str; 2]) -> Result<usize, Stop> {
    for line in lines {
        let answer = program.line(&line.request)?;
        if answer != line.answer {
            let differ = line.answer.chars().zip(answer.chars()).take_while(|(a, b)| a == b);
            let same = differ.count().saturating_sub(BEFORE);
            let part = |text: &str| {
                let dots = if same > 0 { "... " } else { "" };
                let text: String = text.chars().skip(same).take(3 * BEFORE).collect();
                format!("{dots}{text}")
            };
            let [one, other] = wrote;
            let message = format!(
                "asked {}, {one} {}, and {other} {}",
                botyard_protocol::printable(&line.request, 300),
                part(&line.answer),
                part(&answer)
            );
            return Err(program.fault(None, message));
        }
    }
    Ok(lines.len())
}

/// Plays the games from their records: the opening and the outcomes of chance are given.
pub(crate) fn from_the_record(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let effort = lab.effort();
    let mut games = 0;
    for index in 0..lab.records.len() {
        if effort.is_spent(lab) {
            break;
        }
        let Some((record, setting)) = lab.record(index) else { continue };
        let Some(first) = record.steps.first() else { continue };
        let (number, start) = (record.number, Start::Opening(first.full.clone()));
        let events = record.given_events();
        let program = &mut lab.second;
        program.place = Lab::place(&setting, number, 0);
        let mut answer = program.open(&setting, &start)?;
        for (decision, step) in lab.records[index].steps.iter().enumerate() {
            program.place = Lab::place(&setting, number, decision);
            let Ok(replayed) = answer else {
                return Err(program.unexpected(None, "a position, as the recorded game has one"));
            };
            if !replayed.is_same_position(step) || replayed.seen != step.seen {
                let expected = "the position of the recorded game";
                return Err(program.unexpected(None, expected));
            }
            if json(&replayed.full) != json(&step.full) {
                let expected = format!("the event of the recorded game, {}", shown(&step.full));
                return Err(program.unexpected(None, &expected));
            }
            let Some(event) = events.get(decision) else { break };
            answer = program.apply(&setting, event)?;
        }
        let end = &lab.records[index].end;
        if json(&program.state()?) != json(end) {
            let expected = format!("the last state of the recorded game, {}", shown(end));
            return Err(program.unexpected(None, &expected));
        }
        games += 1;
    }
    Ok(format!("{games} games from their records are the same"))
}
