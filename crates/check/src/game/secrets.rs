//! What seats see of what is hidden from them, by pairs of games that differ only in that.
//!
//! Two games are *alike* to a seat if it has had equal copies of all events, and equal views. From
//! outside it can be tested that views and copies agree: after events with equal copies the views are
//! equal (*a view depends on nothing that its seat cannot know*), and where the views stay equal the
//! copies are equal (*a copy reveals no more than the views*), unless the same state is also reached by
//! an event with the same copy. What a seat may do, the reasons for refusals and pictures are equal,
//! too. These are the rules that the games of Botyard are tested by, with pairs of openings, and with
//! states from `determinize` where the program has it.
//!
//! The end of a game may reveal everything, and so may the end of a round in which the seats decide
//! simultaneously: nothing is compared there. What a seat learns before, by another event, must be in its
//! copy of that event.

use crate::check::Status;
use crate::game::abilities::{Place, determinized, picture, places};
use crate::game::check::GameCheck;
use crate::game::lab::{Effort, Lab};
use crate::game::program::{Event, Setting, Start, Step, Stop, bits, json, shown};
use botyard_engine::random::{Stream, below, choose};
use botyard_engine::{Seat, Turn};
use botyard_rules::ability;
use serde_json::Value;

/// The number of openings that are drawn.
const OPENINGS: usize = 24;

/// The number of openings whose parts are exchanged.
const CROSSED: usize = 5;

/// The most openings with exchanged parts.
const MOST_CROSSED: usize = 60;

/// The longest walk through two games.
const LONGEST: usize = 80;

/// The number of walks of each seat of each kind.
const WALKS: usize = 8;

/// The number of actions that are tried where none are listed, until one is legal.
const SUGGESTIONS: usize = 8;

/// The number of settings that are examined.
const SETTINGS: usize = 4;

/// An opened game.
struct Opened {
    start: Start,
    step: Step,
    state: Value,
    /// The set-up and the view of each seat.
    views: Vec<(Value, Value)>,
    /// Whether the program has drawn it.
    is_drawn: bool,
}

/// A game on its way.
#[derive(Clone)]
struct World {
    start: Start,
    events: Vec<Event>,
    step: Step,
}

/// What was compared.
#[derive(Default)]
struct Compared {
    openings: u64,
    steps: u64,
}

/// Compares pairs of games for each seat. What is found belongs to the checks of views, copies and legal
/// actions.
pub(crate) fn secrets(lab: &mut Lab<'_>) -> Result<String, Stop> {
    if !lab.says(|hello| hello.hidden) {
        return Ok("nothing is hidden".into());
    }
    let mut compared = Compared::default();
    for (index, setting) in lab.settings.clone().iter().take(SETTINGS).enumerate() {
        let mut stream = lab.stream(&format!("secrets {index}"));
        let effort = lab.effort();
        let opened = open_all(lab, setting, &mut stream)?;
        let pairs = pairs(lab, setting, &opened, &mut compared);
        if has_found(lab) {
            break;
        }
        walk_all(lab, setting, &opened, &pairs, &effort, &mut stream, &mut compared)?;
        if has_found(lab) {
            break;
        }
        let can_load = lab.can(ability::LOAD) && !lab.has_failed(GameCheck::Load);
        if lab.can(ability::DETERMINIZE) && can_load {
            walk_from_determinized(lab, index, &mut stream, &mut compared)?;
        }
    }
    let Compared { openings, steps } = compared;
    Ok(format!("compared {openings} pairs of openings and {steps} pairs of steps that look alike"))
}

fn has_found(lab: &Lab<'_>) -> bool {
    [GameCheck::SecretViews, GameCheck::SecretCopies, GameCheck::SecretLegal]
        .iter()
        .any(|check| lab.has_failed(*check))
}

/// Opens games: drawn ones, and ones with a part of another opening.
fn open_all(
    lab: &mut Lab<'_>,
    setting: &Setting,
    stream: &mut Stream,
) -> Result<Vec<Opened>, Stop> {
    let mut all = Vec::new();
    let program = &mut lab.program;
    program.place = format!("rules {}, openings", setting.name);
    for _ in 0..OPENINGS {
        let start = Start::Random(bits(stream));
        let Ok(step) = program.open(setting, &start)? else {
            return Err(program.unexpected(Some(GameCheck::Opening), "a drawn opening"));
        };
        all.push(looked_at(program, setting, start, step, true)?);
    }
    let drawn: Vec<Value> =
        all.iter().take(CROSSED).map(|opened: &Opened| json(&opened.step.full)).collect();
    let mut openings: Vec<Value> = Vec::new();
    for whole in &drawn {
        for donor in &drawn {
            for opening in crossed(whole, donor) {
                if !drawn.contains(&opening) && !openings.contains(&opening) {
                    openings.push(opening);
                }
            }
        }
    }
    for opening in openings.into_iter().take(MOST_CROSSED) {
        let start = Start::Opening(opening.to_string());
        match program.open(setting, &start) {
            Ok(Ok(step)) => match looked_at(program, setting, start, step, false) {
                Ok(opened) => all.push(opened),
                Err(Stop::Fault(_)) => {}
                Err(stop) => return Err(stop),
            },
            Ok(Err(_)) => {}
            // It should have been refused; the games that are played are none of these.
            Err(Stop::Fault(_)) => {}
            Err(stop) => return Err(stop),
        }
    }
    Ok(all)
}

fn looked_at(
    program: &mut crate::game::program::Program<'_>,
    setting: &Setting,
    start: Start,
    step: Step,
    is_drawn: bool,
) -> Result<Opened, Stop> {
    let state = json(&program.state()?);
    let mut views = Vec::new();
    for seat in setting.all_seats() {
        let setup = step.setups.get(seat.index()).map_or(Value::Null, |setup| json(setup));
        views.push((setup, json(&program.view(setting, seat)?)));
    }
    Ok(Opened { start, step, state, views, is_drawn })
}

/// Returns `whole` with each of its parts in turn replaced by the same part of `donor`.
fn crossed(whole: &Value, donor: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    match (whole, donor) {
        (Value::Object(fields), Value::Object(others)) => {
            for (key, field) in fields {
                let Some(other) = others.get(key).filter(|other| *other != field) else { continue };
                let parts = std::iter::once(other.clone()).chain(crossed(field, other));
                all.extend(parts.map(|part| {
                    let mut fields = fields.clone();
                    fields.insert(key.clone(), part);
                    Value::Object(fields)
                }));
            }
        }
        (Value::Array(items), Value::Array(others)) => {
            for (index, (item, other)) in items.iter().zip(others).enumerate() {
                if item == other {
                    continue;
                }
                let parts = std::iter::once(other.clone()).chain(crossed(item, other));
                all.extend(parts.map(|part| {
                    let mut items = items.clone();
                    items[index] = part;
                    Value::Array(items)
                }));
                // A permutation stays one if two of its elements change places.
                if let Some(place) = items.iter().position(|own| own == other) {
                    let mut items = items.clone();
                    items.swap(index, place);
                    all.push(Value::Array(items));
                }
            }
        }
        _ => {}
    }
    all
}

/// Compares openings. Returns the pairs that look the same to a seat.
fn pairs(
    lab: &mut Lab<'_>,
    setting: &Setting,
    opened: &[Opened],
    compared: &mut Compared,
) -> Vec<(Seat, usize, usize)> {
    let mut alike = Vec::new();
    for (first, one) in opened.iter().enumerate() {
        for (second, other) in opened.iter().enumerate().skip(first + 1) {
            let is_over = one.step.turn == Turn::Over || other.step.turn == Turn::Over;
            if is_over || one.state == other.state {
                continue;
            }
            for seat in setting.all_seats() {
                let copies = [one, other].map(|opened| opened.step.copy(seat));
                let views = [one, other].map(|opened| opened.views.get(seat.index()));
                let names = [one, other].map(|opened| opened.step.full.as_str());
                let (is_copy, is_view) = (copies[0] == copies[1], views[0] == views[1]);
                if is_copy && is_view {
                    alike.push((seat, first, second));
                    compared.openings += 1;
                } else if is_copy || is_view {
                    let views = views.map(|view| match view {
                        Some((setup, view)) => format!("{view} with the set-up {setup}"),
                        None => String::new(),
                    });
                    differ(lab, setting, (seat, "the openings", names), is_copy, &views, &copies);
                    return alike;
                }
            }
        }
    }
    alike
}

/// Records that views and copies disagree about whether two events look the same.
fn differ(
    lab: &mut Lab<'_>,
    setting: &Setting,
    (seat, what, names): (Seat, &str, [&str; 2]),
    is_copy: bool,
    views: &[String; 2],
    copies: &[Value; 2],
) {
    let name = setting.seat_name(seat);
    let [one, other] = names.map(shown);
    let [view, other_view] = views.each_ref().map(|view| shown(view));
    let (check, message) = if is_copy {
        let copy = shown(&copies[0].to_string());
        (
            GameCheck::SecretViews,
            format!(
                "{name} cannot tell {what} {one} and {other} from its copy {copy}, but its view is {view} \
                 or {other_view}"
            ),
        )
    } else {
        let [copy, other_copy] = copies.each_ref().map(|copy| shown(&copy.to_string()));
        (
            GameCheck::SecretCopies,
            format!(
                "{name} cannot tell {what} {one} and {other} from its view {view}, but its copy is {copy} \
                 or {other_copy}"
            ),
        )
    };
    let place = lab.program.place.clone();
    lab.find(check, Status::Failed, &place, &message);
}

/// Walks through pairs of games from their openings.
fn walk_all(
    lab: &mut Lab<'_>,
    setting: &Setting,
    opened: &[Opened],
    pairs: &[(Seat, usize, usize)],
    effort: &Effort,
    stream: &mut Stream,
    compared: &mut Compared,
) -> Result<(), Stop> {
    lab.found_alike |= !pairs.is_empty();
    for round in 0..WALKS {
        for seat in setting.all_seats() {
            if effort.is_spent(lab) || has_found(lab) {
                return Ok(());
            }
            let drawn: Vec<_> = pairs
                .iter()
                .filter(|(to, one, other)| {
                    *to == seat && opened[*one].is_drawn && opened[*other].is_drawn
                })
                .collect();
            let any: Vec<_> = pairs.iter().filter(|(to, ..)| *to == seat).collect();
            let from = if drawn.is_empty() { &any } else { &drawn };
            // Games from the same opening differ by what is decided or drawn later.
            let (one, other) = match choose(stream.rng(), from) {
                Some((_, one, other)) if round % 4 != 3 => (*one, *other),
                _ => (round % OPENINGS, round % OPENINGS),
            };
            let (Some(first), Some(second)) = (opened.get(one), opened.get(other)) else {
                continue;
            };
            let is_drawn = first.is_drawn && second.is_drawn;
            let worlds = [first, second].map(|opened| World {
                start: opened.start.clone(),
                events: Vec::new(),
                step: opened.step.clone(),
            });
            lab.program.place =
                format!("rules {}, a pair of games for {}", setting.name, setting.seat_name(seat));
            lab.program.go_to(setting, &worlds[0].start, &[])?;
            lab.second.go_to(setting, &worlds[1].start, &[])?;
            match walk(lab, setting, seat, worlds, stream, compared) {
                // An opening that the program should have refused.
                Err(Stop::Fault(_)) if !is_drawn => {}
                walked => walked?,
            }
        }
    }
    Ok(())
}

/// Walks through pairs of a game and a state that looks the same to a seat.
fn walk_from_determinized(
    lab: &mut Lab<'_>,
    index: usize,
    stream: &mut Stream,
    compared: &mut Compared,
) -> Result<(), Stop> {
    let effort = lab.effort();
    for Place { setting, number, at, start, before, steps, .. } in places(lab, "secrets in games") {
        let Some(step) = steps.into_iter().next() else { continue };
        if lab.settings.get(index) != Some(&setting) || step.turn == Turn::Over {
            continue;
        }
        for seat in setting.all_seats() {
            if effort.is_spent(lab) || has_found(lab) {
                return Ok(());
            }
            lab.program.place = Lab::place(&setting, number, at);
            lab.second.place = lab.program.place.clone();
            lab.program.go_to(&setting, &start, &before)?;
            let view = lab.program.view(&setting, seat)?;
            let state = determinized(lab, &setting, seat, &view, &bits(stream))?;
            let twin = Start::State(state);
            let Ok(other) = lab.second.open(&setting, &twin)? else { continue };
            if other.turn != step.turn || json(&lab.second.view(&setting, seat)?) != json(&view) {
                // That is a finding of another check.
                continue;
            }
            lab.found_alike = true;
            let worlds = [
                World { start: start.clone(), events: before.clone(), step: step.clone() },
                World { start: twin, events: Vec::new(), step: other },
            ];
            walk(lab, &setting, seat, worlds, stream, compared)?;
        }
    }
    Ok(())
}

/// Plays two games that look the same to a seat, with events that do so too, and compares what it sees.
/// The processes are in the positions of the two worlds.
fn walk(
    lab: &mut Lab<'_>,
    setting: &Setting,
    seat: Seat,
    mut worlds: [World; 2],
    stream: &mut Stream,
    compared: &mut Compared,
) -> Result<(), Stop> {
    for number in 0..LONGEST {
        let turn = worlds[0].step.turn;
        if turn == Turn::Over || worlds[1].step.turn != turn {
            return Ok(());
        }
        lab.second.place = lab.program.place.clone();
        if number % 4 == 0 && lab.can(ability::DRAW) && !lab.has_failed(GameCheck::Draw) {
            let one = picture((&mut lab.program, setting), Some(seat))?;
            if picture((&mut lab.second, setting), Some(seat))? != one {
                let message = format!(
                    "two states look the same to {}, but their pictures differ",
                    setting.seat_name(seat)
                );
                return Err(lab.program.fault(Some(GameCheck::SecretViews), message));
            }
        }
        if turn == Turn::Seat(seat) && !is_legal_alike(lab, setting, seat, &worlds, stream)? {
            return Ok(());
        }
        let event = match turn {
            Turn::Chance => Event::Draw(bits(stream)),
            Turn::Seat(mover) => {
                Event::Action(mover, lab.action(setting, &worlds[0].step, stream)?)
            }
            Turn::Over => return Ok(()),
        };
        let Ok(step) = lab.program.apply(setting, &event)? else {
            return Err(lab.program.unexpected(Some(GameCheck::Legal), "a position"));
        };
        let same = match &event {
            Event::Draw(_) => Event::Outcome(step.full.clone()),
            event => event.clone(),
        };
        let is_own = turn == Turn::Seat(seat);
        let instead = if is_own || below(stream.rng(), 2) == 0 {
            same.clone()
        } else {
            another(lab, setting, &worlds[1].step, stream)?.unwrap_or_else(|| same.clone())
        };
        let mut answer = lab.second.apply(setting, &instead)?;
        let mut done = instead;
        if answer.is_err() {
            if is_own {
                return Ok(());
            }
            let Some(event) = another(lab, setting, &worlds[1].step, stream)? else {
                return Ok(());
            };
            answer = lab.second.apply(setting, &event)?;
            done = event;
        }
        let Ok(mut other) = answer else { return Ok(()) };
        worlds[0].events.push(event);
        worlds[0].step = step;
        let mut is_second_try = false;
        let ends_round = lab.says(|hello| hello.simultaneous)
            && match (turn, worlds[0].step.turn) {
                (Turn::Seat(mover), Turn::Seat(next)) => next.index() <= mover.index(),
                _ => true,
            };
        loop {
            let is_over = [&worlds[0].step, &other].iter().any(|step| step.turn == Turn::Over);
            if is_over || worlds[0].step.turn != other.turn {
                return Ok(());
            }
            let copies = [worlds[0].step.copy(seat), other.copy(seat)];
            let views = [lab.program.view(setting, seat)?, lab.second.view(setting, seat)?];
            let (is_copy, is_view) = (copies[0] == copies[1], json(&views[0]) == json(&views[1]));
            let full = [worlds[0].step.full.clone(), other.full.clone()];
            let names = full.each_ref().map(String::as_str);
            match (is_copy, is_view) {
                (true, true) => break,
                // The end of a round reveals what its seats have decided.
                (_, false) if ends_round => return Ok(()),
                (true, false) => {
                    differ(lab, setting, (seat, "the events", names), true, &views, &copies);
                    return Ok(());
                }
                (false, true) => {
                    let states = [lab.program.state()?, lab.second.state()?];
                    if json(&states[0]) == json(&states[1]) {
                        break;
                    }
                    let World { start, events, .. } = &worlds[1];
                    lab.second.go_to(setting, start, events)?;
                    let again = lab.second.apply(setting, &same)?;
                    let is_reached = match again {
                        Ok(step) => {
                            step.copy(seat) == copies[0]
                                && json(&lab.second.state()?) == json(&states[1])
                        }
                        Err(_) => false,
                    };
                    if !is_reached {
                        let what = "the events";
                        differ(lab, setting, (seat, what, names), false, &views, &copies);
                        return Ok(());
                    }
                    done = same.clone();
                    break;
                }
                (false, false) if is_second_try => return Ok(()),
                (false, false) => {
                    // The seat sees the difference: the same event may look the same.
                    let World { start, events, .. } = &worlds[1];
                    lab.second.go_to(setting, start, events)?;
                    let Ok(step) = lab.second.apply(setting, &same)? else { return Ok(()) };
                    other = step;
                    done = same.clone();
                    is_second_try = true;
                }
            }
        }
        compared.steps += 1;
        worlds[1].events.push(done);
        worlds[1].step = other;
    }
    Ok(())
}

/// Compares what the seat may do in two positions that look the same to it.
fn is_legal_alike(
    lab: &mut Lab<'_>,
    setting: &Setting,
    seat: Seat,
    worlds: &[World; 2],
    stream: &mut Stream,
) -> Result<bool, Stop> {
    let [one, other] = worlds.each_ref().map(|world| &world.step);
    let values = |step: &Step| {
        let legal = step.legal.as_ref()?;
        Some(legal.iter().map(|action| json(action)).collect::<Vec<_>>())
    };
    let passes = [one, other].map(|step| step.pass.as_deref().map(json));
    let name = setting.seat_name(seat);
    if values(one) != values(other) || passes[0] != passes[1] {
        let [one, other] = [one, other]
            .map(|step| shown(&serde_json::to_string(&values(step)).unwrap_or_default()));
        let message = format!(
            "two states look the same to {name}, but its legal actions are {one} or {other}"
        );
        let place = lab.program.place.clone();
        lab.find(GameCheck::SecretLegal, Status::Failed, &place, &message);
        return Ok(false);
    }
    if !lab.can(ability::CHECK) {
        return Ok(true);
    }
    let action = lab.action(setting, one, stream)?;
    let strange = lab.suggestions.strange(&action, stream);
    let Some(action) = choose(stream.rng(), &strange).map(Value::to_string) else {
        return Ok(true);
    };
    let checked =
        [lab.program.check(setting, seat, &action)?, lab.second.check(setting, seat, &action)?];
    if checked[0] != checked[1] {
        let [one, other] = checked.map(|checked| match checked {
            Ok(_) => "legal".to_string(),
            Err(reason) => format!("refused: {}", shown(&reason)),
        });
        let message = format!(
            "two states look the same to {name}, but its action {} is {one} or {other}",
            shown(&action)
        );
        let place = lab.program.place.clone();
        lab.find(GameCheck::SecretLegal, Status::Failed, &place, &message);
        return Ok(false);
    }
    Ok(true)
}

/// Returns another event that can happen in the position of the second process.
fn another(
    lab: &mut Lab<'_>,
    setting: &Setting,
    step: &Step,
    stream: &mut Stream,
) -> Result<Option<Event>, Stop> {
    let seat = match step.turn {
        Turn::Chance => return Ok(Some(Event::Draw(bits(stream)))),
        Turn::Seat(seat) => seat,
        Turn::Over => return Ok(None),
    };
    if let Some(legal) = &step.legal {
        let action = choose(stream.rng(), legal);
        return Ok(action.map(|action| Event::Action(seat, action.clone())));
    }
    for _ in 0..SUGGESTIONS {
        let Some(action) = lab.suggestions.draw(stream) else { break };
        if lab.second.check(setting, seat, &action)?.is_ok() {
            return Ok(Some(Event::Action(seat, action)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn crossed_openings_have_one_part_of_the_other_or_stay_permutations() {
        let all = crossed(&json!({"cards": ["Q", "K", "J"]}), &json!({"cards": ["Q", "J", "K"]}));
        assert!(all.contains(&json!({"cards": ["Q", "J", "K"]})));
        assert!(all.contains(&json!({"cards": ["Q", "J", "J"]})));
        assert!(!all.contains(&json!({"cards": ["Q", "K", "J"]})));
    }
}
