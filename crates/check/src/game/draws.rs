//! What chance draws.

use crate::game::check::GameCheck;
use crate::game::lab::Lab;
use crate::game::program::{Event, Stop, bits, json, shown};
use botyard_engine::Turn;
use std::collections::{BTreeMap, HashSet};

/// The most draws in one position.
const DRAWS: u64 = 1000;

/// The most positions in which is drawn.
const POSITIONS: usize = 3;

/// The least expected number of an outcome that is compared by itself.
const LEAST_EXPECTED: f64 = 5.0;

/// The distance from the expected frequencies that fails, in standard deviations.
const TOO_FAR: f64 = 4.5;

/// Draws in some positions, compares with the listed distribution, and gives outcomes.
pub(crate) fn draws(lab: &mut Lab<'_>) -> Result<String, Stop> {
    if !lab.says(|hello| hello.chance) {
        return Ok("nothing is drawn".into());
    }
    let mut stream = lab.stream("draws");
    let mut tried = HashSet::new();
    let (mut drawn, mut positions, mut turns) = (0, 0, 0);
    for index in 0..lab.records.len() {
        let Some((record, setting)) = lab.record(index) else { continue };
        let at_chance = record.steps.iter().position(|step| {
            let key = serde_json::to_string(&step.chances).unwrap_or_default();
            step.turn == Turn::Chance && !tried.contains(&key)
        });
        turns += record.steps.iter().filter(|step| step.turn == Turn::Chance).count();
        let Some(at) = at_chance.filter(|_| positions < POSITIONS) else { continue };
        positions += 1;
        let (start, events, number) =
            (record.start.clone(), record.events[..at].to_vec(), record.number);
        let chances = record.steps[at].chances.clone();
        tried.insert(serde_json::to_string(&chances).unwrap_or_default());
        let program = &mut lab.program;
        program.place = Lab::place(&setting, number, at);
        outcomes(program, &setting, (&start, &events), chances.as_deref())?;
        let Some(chances) = chances else { continue };
        let effort = lab.effort();
        let key = serde_json::to_string(&chances).unwrap_or_default();
        for _ in 0..DRAWS {
            if effort.is_spent(lab) {
                break;
            }
            let program = &mut lab.program;
            program.go_to(&setting, &start, &events)?;
            let Ok(step) = program.apply(&setting, &Event::Draw(bits(&mut stream)))? else {
                return Err(program.unexpected(None, "an outcome drawn from the bits"));
            };
            let outcome = json(&step.full).to_string();
            *lab.draws.entry(key.clone()).or_default().entry(outcome).or_default() += 1;
        }
    }
    for (key, counts) in &lab.draws {
        let chances: Vec<(f64, String)> = serde_json::from_str(key).unwrap_or_default();
        drawn += counts.values().sum::<u64>();
        if let Err(message) = compare(&chances, counts) {
            return Err(lab.program.fault(None, message));
        }
    }
    if turns == 0 {
        return Ok("\"chance\" is true in its `hello`, but nothing was drawn in these games".into());
    }
    if drawn == 0 {
        return Ok(format!("{turns} outcomes were drawn; their probabilities are not listed"));
    }
    Ok(format!("{drawn} outcomes are as frequent as their probabilities say"))
}

/// Gives outcomes: the listed ones, and nonsense.
fn outcomes(
    program: &mut crate::game::program::Program<'_>,
    setting: &crate::game::program::Setting,
    (start, events): (&crate::game::program::Start, &[Event]),
    chances: Option<&[(f64, String)]>,
) -> Result<(), Stop> {
    for (_, outcome) in chances.unwrap_or_default().iter().take(30) {
        program.go_to(setting, start, events)?;
        if program.apply(setting, &Event::Outcome(outcome.clone()))?.is_err() {
            return Err(program.unexpected(None, "a position, as this outcome is listed"));
        }
    }
    program.go_to(setting, start, events)?;
    let state = program.state()?;
    for nonsense in ["null", "[]", "\"?\"", "{\"no_such_part\":1}", "-1", "1000000000000"] {
        let is_listed = |(_, listed): &(f64, String)| json(listed) == json(nonsense);
        if chances.is_some_and(|chances| chances.iter().any(is_listed)) {
            continue;
        }
        if program.apply(setting, &Event::Outcome(nonsense.into()))?.is_ok() {
            return Err(program.unexpected(None, "\"refused\", as this cannot be drawn"));
        }
        if json(&program.state()?) != json(&state) {
            let message = format!("the refused outcome {nonsense} changed the state");
            return Err(program.fault(Some(GameCheck::Draws), message));
        }
    }
    Ok(())
}

/// Compares what was drawn with the distribution, by Pearson's chi-square statistic with the
/// approximation of Wilson and Hilferty (1931).
fn compare(chances: &[(f64, String)], counts: &BTreeMap<String, u64>) -> Result<(), String> {
    let mut listed: BTreeMap<String, f64> = BTreeMap::new();
    for (probability, outcome) in chances {
        *listed.entry(json(outcome).to_string()).or_default() += probability;
    }
    if let Some(stranger) = counts.keys().find(|outcome| !listed.contains_key(*outcome)) {
        return Err(format!("{} was drawn, which is not in \"chances\"", shown(stranger)));
    }
    let total: u64 = counts.values().sum();
    let (mut statistic, mut cells) = (0.0, 0_u32);
    let (mut rest_expected, mut rest_seen) = (0.0, 0.0);
    let mut worst = (0.0, String::new());
    let mut add = |expected: f64, seen: f64, outcome: &str| {
        let part = (seen - expected).powi(2) / expected;
        statistic += part;
        cells += 1;
        if part > worst.0 {
            worst = (part, format!("{outcome} {seen} times, expected {expected:.0}"));
        }
    };
    for (outcome, probability) in &listed {
        let expected = probability * total as f64;
        let seen = counts.get(outcome).copied().unwrap_or_default() as f64;
        if expected >= LEAST_EXPECTED {
            add(expected, seen, outcome);
        } else {
            rest_expected += expected;
            rest_seen += seen;
        }
    }
    if rest_expected >= LEAST_EXPECTED {
        add(rest_expected, rest_seen, "the other outcomes");
    }
    if cells < 2 {
        return Ok(());
    }
    let freedom = f64::from(cells - 1);
    let spread = 2.0 / (9.0 * freedom);
    let distance = ((statistic / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
    match distance > TOO_FAR {
        true => Err(format!("of {total} draws from the same distribution, {}", shown(&worst.1))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(counts: &[(&str, u64)]) -> Result<(), String> {
        let chances: Vec<(f64, String)> =
            (1..=6).map(|face: u32| (1.0 / 6.0, face.to_string())).collect();
        let counts = counts.iter().map(|(face, number)| (face.to_string(), *number)).collect();
        compare(&chances, &counts)
    }

    /// 315,672 dice of Weldon (1894): fives and sixes are 106,602, a chi-square of 27 on one degree
    /// of freedom for p = 1/3; an even distribution of the same number is no surprise.
    #[test]
    fn the_dice_of_weldon_are_not_fair_and_even_counts_are() {
        let chances = [(2.0 / 3.0, "0".to_string()), (1.0 / 3.0, "1".to_string())];
        let weldon = BTreeMap::from([("0".to_string(), 209_070), ("1".to_string(), 106_602)]);
        assert!(compare(&chances, &weldon).is_err());
        let even = BTreeMap::from([("0".to_string(), 210_448), ("1".to_string(), 105_224)]);
        assert_eq!(compare(&chances, &even), Ok(()));
    }

    #[test]
    fn a_face_that_is_never_drawn_or_not_listed_is_found() {
        let five = [("1", 60), ("2", 60), ("3", 60), ("4", 60), ("5", 60)];
        assert!(drawn(&five).unwrap_err().contains("6 0 times"));
        assert!(drawn(&[("7", 1)]).unwrap_err().contains("not in \"chances\""));
    }
}
