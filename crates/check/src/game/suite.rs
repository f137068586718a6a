//! All checks of a game, in order.

use crate::check::{Counts, Status};
use crate::game::abilities;
use crate::game::again;
use crate::game::check::{GameCheck, GameCheckEvent, GameFigures};
use crate::game::config::GameCheckConfig;
use crate::game::draws::draws;
use crate::game::forfeits::forfeits;
use crate::game::lab::{GameObserver, Lab};
use crate::game::opening_checks;
use crate::game::playouts;
use crate::game::program::{Program, Stop, Subject};
use crate::game::random_games;
use crate::game::refusals::refusals;
use crate::game::secrets::secrets;
use crate::game::simultaneous::rounds;
use botyard_referee::Interrupt;
use botyard_rules::{GivenPreset, RulesLimits, ability};
use botyard_runner::game_manifest::GAME_FILE;
use botyard_runner::game_programs::unloaded;
use botyard_runner::{Error, Programs};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// An answer that takes longer is worth a note.
const SLOW: Duration = Duration::from_millis(100);

/// Makes all checks of the game in a directory. Returns how many passed, failed, and so on.
///
/// # Errors
///
/// There is no directory, its program cannot be contained, an interrupt, a failure of the host, or an
/// output that cannot be written.
pub fn run(
    config: &GameCheckConfig,
    programs: &Programs,
    interrupt: &Interrupt,
    observer: &mut GameObserver<'_>,
) -> Result<Counts, Error> {
    let directory = &config.directory;
    if !directory.is_dir() {
        let message = format!("expected the directory of a game, got {}", directory.display());
        return Err(Error::usage(message));
    }
    let found = unloaded(directory, &config.containment, programs, interrupt);
    let found = match found {
        Ok(found) => found,
        // What is wrong with the manifest is a finding of the first check.
        Err(Error::Usage(message)) if directory.join(GAME_FILE).is_file() => {
            let name = directory.file_name().map_or(String::new(), |it| it.display().to_string());
            let message = message.plain();
            let start = std::sync::Arc::new(move || Err(message.clone()));
            let limits = RulesLimits::default();
            let subject = Subject { name, presets: Vec::new(), start, limits };
            return examine(&subject, "none", config, interrupt, observer);
        }
        Err(error) => return Err(error),
    };
    observer.warn(&found.warnings);
    let presets = found.manifest.presets.iter().map(|(name, preset)| GivenPreset {
        name: name.clone(),
        about: preset.about.clone(),
        rules: preset.rules.clone(),
    });
    let subject = Subject {
        name: found.manifest.name.clone(),
        presets: presets.collect(),
        start: found.start,
        limits: found.limits.of_protocol(),
    };
    examine(&subject, &found.tier.to_string(), config, interrupt, observer)
}

/// Makes all checks of a game. `sandbox` is the tier in which its program runs, or `none`.
///
/// # Errors
///
/// An interrupt, a failure of the host, or an output that cannot be written.
pub fn examine(
    subject: &Subject,
    sandbox: &str,
    config: &GameCheckConfig,
    interrupt: &Interrupt,
    observer: &mut GameObserver<'_>,
) -> Result<Counts, Error> {
    observer.event(GameCheckEvent::GameCheckStarted {
        version: env!("CARGO_PKG_VERSION"),
        game: subject.name.clone(),
        seed: config.seed,
        games: config.games,
        sandbox: sandbox.to_string(),
    })?;
    let mut lab = Lab {
        config,
        subject,
        interrupt,
        observer,
        program: Program::new(subject, interrupt),
        second: Program::new(subject, interrupt),
        hello: None,
        settings: Vec::new(),
        records: Vec::new(),
        results: BTreeMap::new(),
        suggestions: crate::game::suggestions::Suggestions::default(),
        states: HashMap::new(),
        alike: None,
        found_alike: false,
        draws: BTreeMap::new(),
        figures: GameFigures::default(),
    };
    let made = make_all(&mut lab);
    let interrupted = match made {
        Ok(()) => false,
        Err(Error::Interrupted) => true,
        Err(error) => return Err(error),
    };
    let mut counts = Counts::default();
    for (_, result) in std::mem::take(&mut lab.results) {
        counts.add(result.status);
        lab.observer.event(GameCheckEvent::GameCheckResult(result))?;
    }
    let figures = figures(&lab);
    lab.observer.event(GameCheckEvent::GameCheckEnded { interrupted, figures, counts })?;
    if interrupted { Err(Error::Interrupted) } else { Ok(counts) }
}

fn make_all(lab: &mut Lab<'_>) -> Result<(), Error> {
    use GameCheck as Is;
    lab.make(Is::Start, &[], opening_checks::start)?;
    lab.make(Is::Rules, &[Is::Start], opening_checks::rules)?;
    // A preset was resolved, whatever became of wrong rules.
    if !lab.settings.is_empty() {
        lab.make(Is::Opening, &[Is::Start], opening_checks::openings)?;
        lab.make(Is::Positions, &[Is::Start], random_games::play_all)?;
    }
    lab.figures.decisions_per_second =
        decisions(lab) as f64 / lab.program.waited.as_secs_f64().max(f64::MIN_POSITIVE);
    if lab.records.is_empty()
        || lab.results.get(&Is::Positions).is_none_or(|it| it.status != Status::Passed)
    {
        let reason = "the random games were not all played";
        for check in Is::ALL {
            if check != Is::Time {
                lab.skip(check, reason);
            }
        }
        return time(lab);
    }
    // These are decided by the random games, unless a later check finds something.
    let needs = [Is::Start, Is::Positions];
    lab.make(Is::Views, &needs, |_| Ok("the same whenever they are requested".into()))?;
    let longest = lab.config.longest;
    lab.make(Is::Ends, &needs, |_| Ok(format!("games end within {longest} decisions")))?;
    lab.make(Is::Deterministic, &needs, again::by_another_process)?;
    if lab.has_failed(Is::Deterministic) && lab.results.remove(&Is::Views).is_some() {
        lab.skip(Is::Views, "the check deterministic failed");
    }
    let again = [Is::Deterministic, Is::Views];
    lab.make(Is::Repeat, &again, again::after_other_games)?;
    let again = [Is::Opening, Is::Deterministic, Is::Views, Is::Repeat];
    lab.make(Is::Replay, &again, again::from_the_record)?;
    lab.make(Is::Legal, &again, random_games::legal_actions)?;
    lab.make(Is::Refusals, &again, refusals)?;
    let again = [
        Is::Opening,
        Is::Deterministic,
        Is::Views,
        Is::Repeat,
        Is::Replay,
        Is::Legal,
        Is::Refusals,
    ];
    able(lab, Is::Load, ability::LOAD, &again, abilities::load)?;
    able(lab, Is::Text, ability::TEXT, &again, |_| Ok("is never empty".into()))?;
    able(lab, Is::Parse, ability::PARSE, &again, abilities::parse)?;
    able(lab, Is::Draw, ability::DRAW, &again, abilities::draw)?;
    lab.make(Is::SecretViews, &again, secrets)?;
    for check in [Is::SecretCopies, Is::SecretLegal] {
        let message = lab.results.get(&Is::SecretViews).map(|result| result.message.clone());
        let is_made =
            lab.results.get(&Is::SecretViews).is_none_or(|it| it.status == Status::Passed);
        let message = message.unwrap_or_default();
        match is_made {
            true => lab.make(check, &again, |_| Ok(message))?,
            false => lab.skip(check, "the check secret_views did not pass"),
        }
    }
    lab.make(Is::Hidden, &needs, hidden)?;
    lab.make(Is::Simultaneous, &again, rounds)?;
    lab.make(Is::Draws, &again, draws)?;
    lab.make(Is::Forfeits, &needs, forfeits)?;
    let again = [Is::Views, Is::Repeat, Is::Load, Is::SecretViews, Is::SecretLegal];
    able(lab, Is::Determinize, ability::DETERMINIZE, &again, abilities::determinize)?;
    lab.make(Is::Unknown, &again, abilities::unknown)?;
    let again = [Is::Views, Is::Repeat, Is::Load];
    able(lab, Is::Playout, ability::PLAYOUT, &again, playouts::playouts)?;
    lab.make(Is::Scores, &needs, |_| Ok("in the range and with the sum that `hello` has".into()))?;
    lab.make(Is::Chances, &needs, |_| Ok("distributions".into()))?;
    time(lab)
}

/// Makes a check of a program that has this ability.
fn able(
    lab: &mut Lab<'_>,
    check: GameCheck,
    ability: &str,
    needs: &[GameCheck],
    make: fn(&mut Lab<'_>) -> Result<String, Stop>,
) -> Result<(), Error> {
    match lab.can(ability) {
        true => lab.make(check, needs, |lab| make(lab)),
        false => {
            lab.skip(check, "the program does not have this ability");
            Ok(())
        }
    }
}

/// Compares `hidden` of `hello` with what was seen.
fn hidden(lab: &mut Lab<'_>) -> Result<String, Stop> {
    if lab.says(|hello| hello.hidden) {
        if lab.alike.is_none() && !lab.found_alike {
            let message =
                "\"hidden\" is true, but no two states were found that look the same to a seat";
            lab.find(GameCheck::Hidden, Status::Noted, "", message);
        }
        return Ok("something is hidden".into());
    }
    match lab.alike.take() {
        Some((place, message)) => {
            lab.program.place = place;
            Err(lab.program.fault(None, format!("\"hidden\" is false, but {message}")))
        }
        None => Ok("nothing is hidden".into()),
    }
}

/// Reports the slowest answer.
fn time(lab: &mut Lab<'_>) -> Result<(), Error> {
    if lab.has_failed(GameCheck::Start) {
        lab.skip(GameCheck::Time, "the check start failed");
        return Ok(());
    }
    let slowest = [&lab.program.slowest, &lab.second.slowest].into_iter().max_by_key(|it| it.time);
    let slowest = slowest.cloned().unwrap_or_default();
    let words =
        format!("the slowest answer took {} ms, to {}", slowest.time.as_millis(), slowest.request);
    lab.make(GameCheck::Time, &[], |_| Ok(words.clone()))?;
    if slowest.time > SLOW {
        lab.find(GameCheck::Time, Status::Noted, "", &words);
    }
    Ok(())
}

fn decisions(lab: &Lab<'_>) -> u64 {
    lab.records.iter().map(|record| record.events.len() as u64).sum()
}

fn figures(lab: &Lab<'_>) -> GameFigures {
    let rounded = |number: f64, places: i32| {
        let unit = 10_f64.powi(places);
        (number * unit).round() / unit
    };
    let slowest = lab.program.slowest.time.max(lab.second.slowest.time);
    GameFigures {
        games: lab.records.len() as u32,
        decisions: decisions(lab),
        longest: lab.records.iter().map(|it| it.events.len() as u64).max().unwrap_or_default(),
        decisions_per_second: rounded(lab.figures.decisions_per_second, 0),
        requests: lab.requests(),
        slowest_ms: rounded(slowest.as_secs_f64() * 1000.0, 1),
    }
}
