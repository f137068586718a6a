//! The checks before the first game: the program starts, resolves rules and opens games.

use crate::game::check::GameCheck;
use crate::game::lab::Lab;
use crate::game::program::{Setting, Start, Stop, bits, json, shown};
use crate::game::suggestions::Suggestions;
use botyard_rules::{GivenPreset, STANDARD, with_changes};
use botyard_runner::Error;
use serde_json::{Map, Value, json as value};

/// The name of a rule that no game has.
const NO_RULE: &str = "no_such_rule";

/// The most rules that are given other values.
const MOST_RULES: usize = 20;

/// Starts the program.
pub(crate) fn start(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let hello = lab.program.start()?;
    let (least, most) = hello.seats.range();
    let seats = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    let version = hello.version.as_ref().map_or(String::new(), |version| format!(" {version}"));
    let message = format!("describes {}{version} with {seats} seats", hello.name);
    lab.suggestions = Suggestions::new(hello.schemas.get("action").cloned());
    lab.hello = Some(hello);
    Ok(message)
}

/// Resolves rules: those that are played, the resolved ones again, and wrong ones.
pub(crate) fn rules(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let Some(hello) = lab.hello.clone() else { return Ok(String::new()) };
    let mut presets = hello.presets.clone();
    presets.extend(lab.subject.presets.iter().cloned());
    if presets.is_empty() {
        let name = STANDARD.to_string();
        presets.push(GivenPreset { name, about: String::new(), rules: Map::new() });
    }
    let default = presets.first().map(|preset| preset.name.clone()).unwrap_or_default();
    let changes = lab.config.changes.clone();
    // Changes belong to one set of rules.
    let chosen = match (&lab.config.rules, changes.is_empty()) {
        (Some(name), _) => Some(name.clone()),
        (None, false) => Some(default.clone()),
        (None, true) => None,
    };
    if let Some(chosen) = &chosen {
        let all = presets.clone();
        presets.retain(|preset| preset.name == *chosen);
        if presets.is_empty() {
            let known: Vec<&str> = all.iter().map(|preset| preset.name.as_str()).collect();
            let message =
                format!("the game has no preset {chosen}: expected one of {}", known.join(", "));
            return Err(Error::usage(message).into());
        }
    }
    for preset in &presets {
        let rules = with_changes(preset.rules.clone(), &changes);
        let words: Vec<String> =
            changes.iter().map(|(key, value)| format!(", {key}={value}")).collect();
        let name = format!("{}{}", preset.name, words.concat());
        if !changes.is_empty() {
            check_changes(lab, &name, &rules)?;
        }
        let setting = resolved(lab, &name, &rules)?;
        lab.settings.push(setting);
    }
    if let Some(rule) = &hello.seats_rule
        && chosen.is_none()
    {
        let (least, most) = hello.seats.range();
        for seats in [least, most] {
            if lab.settings.iter().any(|setting| setting.seats.len() == seats) {
                continue;
            }
            let rules = presets.first().map(|preset| preset.rules.clone()).unwrap_or_default();
            let rules = with_changes(rules, &[(rule.clone(), seats.to_string())]);
            let setting = resolved(lab, &format!("{default}, {rule}={seats}"), &rules)?;
            if setting.seats.len() != seats {
                let expected = format!("{seats} seats by the rule {rule}");
                return Err(lab.program.unexpected(None, &expected));
            }
            lab.settings.push(setting);
        }
    }
    wrong_rules(lab)?;
    let names: Vec<&str> = lab.settings.iter().map(|setting| setting.name.as_str()).collect();
    Ok(format!("resolves {}, and survives others", names.join("; ")))
}

/// Checks that the changes of the user are accepted.
fn check_changes(lab: &mut Lab<'_>, name: &str, rules: &Value) -> Result<(), Stop> {
    let setting = lab.program.resolve(name, &rules.to_string())?;
    let setting = setting.map_err(|reason| Error::usage(format!("the rules {name}: {reason}")))?;
    let known = json(&setting.rules);
    for (key, _) in &lab.config.changes {
        if known.get(key.split('.').next().unwrap_or(key)).is_none() {
            let known: Vec<&str> =
                known.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
            let message =
                format!("the game has no rule {key}: expected one of {}", known.join(", "));
            return Err(Error::usage(message).into());
        }
    }
    Ok(())
}

/// Resolves rules that must be good ones, twice.
fn resolved(lab: &mut Lab<'_>, name: &str, rules: &Value) -> Result<Setting, Stop> {
    let program = &mut lab.program;
    program.place = format!("rules {name}");
    let setting = match program.resolve(name, &rules.to_string())? {
        Ok(setting) => setting,
        Err(_) => return Err(program.unexpected(None, "\"rules\", as these are a preset's")),
    };
    match program.resolve(name, &setting.rules)? {
        Ok(again) if json(&again.rules) == json(&setting.rules) && again.seats == setting.seats => {
        }
        _ => {
            return Err(program.unexpected(None, "resolved rules to give the same rules and seats"));
        }
    }
    Ok(setting)
}

/// Gives the program rules that it does not know, and values that it may refuse.
fn wrong_rules(lab: &mut Lab<'_>) -> Result<(), Stop> {
    let Some(setting) = lab.settings.first().cloned() else { return Ok(()) };
    let mut stream = lab.stream("rules");
    let rules = json(&setting.rules);
    let mut unknown = rules.clone();
    unknown[NO_RULE] = value!(1);
    let program = &mut lab.program;
    if let Ok(accepted) = program.resolve(&setting.name, &unknown.to_string())?
        && json(&accepted.rules).get(NO_RULE).is_some()
    {
        let expected = format!("rules without {NO_RULE}, which does not exist");
        return Err(program.unexpected(None, &expected));
    }
    let names: Vec<String> =
        rules.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    for name in names.iter().take(MOST_RULES) {
        for wrong in [
            Value::Null,
            value!(-1),
            value!(1_000_000_000_000_000_000_u64),
            value!("?"),
            value!([]),
            value!({}),
        ] {
            let mut changed = rules.clone();
            changed[name] = wrong;
            let changed = changed.to_string();
            program.place = format!("rules {}", shown(&changed));
            match program.resolve(&setting.name, &changed) {
                Ok(Ok(accepted)) => {
                    let opened = program.open(&accepted, &Start::Random(bits(&mut stream)));
                    opened.map_err(as_rules)?.ok();
                }
                Ok(Err(reason)) if reason.is_empty() => {
                    return Err(program.unexpected(None, "a message about what is wrong"));
                }
                Ok(Err(_)) => {}
                Err(stop) => return Err(as_rules(stop)),
            }
        }
    }
    Ok(())
}

/// Blames the rules that were accepted.
fn as_rules(stop: Stop) -> Stop {
    match stop {
        Stop::Fault(mut fault) => {
            fault.check = Some(GameCheck::Rules);
            Stop::Fault(fault)
        }
        stop => stop,
    }
}

/// Opens games with drawn openings, with the same ones given, and with nonsense.
pub(crate) fn openings(lab: &mut Lab<'_>) -> Result<String, Stop> {
    let mut stream = lab.stream("openings");
    let mut openings = Vec::new();
    for setting in lab.settings.clone() {
        let program = &mut lab.program;
        program.place = format!("rules {}", setting.name);
        for _ in 0..3 {
            let Ok(drawn) = program.open(&setting, &Start::Random(bits(&mut stream)))? else {
                return Err(
                    program.unexpected(None, "a position with an opening drawn from the bits")
                );
            };
            let state = program.state()?;
            let Ok(given) = program.open(&setting, &Start::Opening(drawn.full.clone()))? else {
                return Err(program.unexpected(None, "a position, as it drew this opening itself"));
            };
            if !given.is_same_position(&drawn)
                || given.setups != drawn.setups
                || json(&given.full) != json(&drawn.full)
            {
                return Err(
                    program.unexpected(None, "the position that followed when it was drawn")
                );
            }
            if json(&program.state()?) != json(&state) {
                let expected = format!("the state of the drawn opening, {}", shown(&state));
                return Err(program.unexpected(None, &expected));
            }
            openings.push(drawn.full);
        }
        let is_fixed = openings.last().is_none_or(|opening| json(opening) == value!({}));
        for nonsense in ["null", "\"?\"", "{\"no_such_part\":1}"] {
            let opened = program.open(&setting, &Start::Opening(nonsense.into()))?;
            if opened.is_ok() && !is_fixed {
                return Err(program.unexpected(None, "\"refused\", as this is no opening"));
            }
        }
    }
    openings.sort();
    openings.dedup();
    Ok(format!("openings given back are the drawn ones ({} different ones)", openings.len()))
}
