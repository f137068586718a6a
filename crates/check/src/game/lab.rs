//! What all checks of a game share: the program, the results so far, and the random games.

use crate::check::{Checked, Status};
use crate::game::check::{GameCheck, GameCheckEvent, GameChecked, GameFigures, GameFinding};
use crate::game::config::GameCheckConfig;
use crate::game::program::{
    Event, Fault, Line, Program, Setting, Start, Step, Stop, Subject, shown,
};
use crate::game::suggestions::Suggestions;
use crate::suite::Observer;
use botyard_engine::random::{Stream, choose};
use botyard_engine::{Seat, Turn};
use botyard_referee::Interrupt;
use botyard_rules::{Hello, ability};
use botyard_runner::Error;
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

/// The most requests of a check that tries out a part of what could be tried.
const EFFORT: u64 = 3000;

/// The longest time for such a check.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most states that are kept to find two that look alike.
pub(crate) const MOST_STATES: usize = 20_000;

/// A front end that shows the checks of a game.
pub type GameObserver<'a> = dyn Observer<GameCheck, GameCheckEvent> + 'a;

/// A random game that was played to its end.
pub(crate) struct Record {
    /// The index of its setting.
    pub setting: usize,
    /// Its number.
    pub number: u32,
    /// How it began.
    pub start: Start,
    /// What happened.
    pub events: Vec<Event>,
    /// The first position, and the position after each event.
    pub steps: Vec<Step>,
    /// The last state.
    pub end: String,
    /// All requests with their answers.
    pub lines: Vec<Line>,
}

impl Record {
    /// Returns the events with drawn outcomes of chance in place of their bits.
    pub(crate) fn given_events(&self) -> Vec<Event> {
        let after = self.steps.iter().skip(1);
        self.events
            .iter()
            .zip(after)
            .map(|(event, step)| match event {
                Event::Draw(_) => Event::Outcome(step.full.clone()),
                other => other.clone(),
            })
            .collect()
    }
}

/// The bench on which a program is examined.
pub(crate) struct Lab<'a> {
    pub config: &'a GameCheckConfig,
    pub subject: &'a Subject,
    pub interrupt: &'a Interrupt,
    pub observer: &'a mut GameObserver<'a>,
    /// The process that plays the random games.
    pub program: Program<'a>,
    /// Another process.
    pub second: Program<'a>,
    pub hello: Option<Hello>,
    pub settings: Vec<Setting>,
    pub records: Vec<Record>,
    pub results: BTreeMap<GameCheck, GameChecked>,
    pub suggestions: Suggestions,
    /// States by setting, seat, and what the seat sees.
    pub states: HashMap<(usize, Seat, String), String>,
    /// Two differing states that look the same to a seat, in words.
    pub alike: Option<(String, String)>,
    /// Whether two games that look alike were found by the checks of secrets.
    pub found_alike: bool,
    /// Figures that are known already.
    pub figures: GameFigures,
    /// How often a distribution was followed by an outcome, as lists of `(outcome, number)`.
    pub draws: BTreeMap<String, BTreeMap<String, u64>>,
}

/// How much of a check was made.
pub(crate) struct Effort {
    begun: Instant,
    requests: u64,
}

impl Effort {
    /// Returns whether enough was tried after these requests.
    pub(crate) fn is_spent(&self, lab: &Lab<'_>) -> bool {
        lab.requests() - self.requests > EFFORT || self.begun.elapsed() > PATIENCE
    }
}

impl<'a> Lab<'a> {
    /// Begins to count the requests of a check.
    pub(crate) fn effort(&self) -> Effort {
        Effort { begun: Instant::now(), requests: self.requests() }
    }

    /// Returns the number of requests so far.
    pub(crate) fn requests(&self) -> u64 {
        self.program.requests + self.second.requests
    }

    /// Returns whether the program has an ability.
    pub(crate) fn can(&self, ability: &str) -> bool {
        self.hello.as_ref().is_some_and(|hello| hello.can(ability))
    }

    /// Returns whether the answer to `hello` says so.
    pub(crate) fn says(&self, what: impl Fn(&Hello) -> bool) -> bool {
        self.hello.as_ref().is_some_and(what)
    }

    /// Returns the stream of random numbers for a purpose.
    pub(crate) fn stream(&self, purpose: &str) -> Stream {
        Stream::new(self.config.seed, &format!("check-game {purpose}"))
    }

    /// Makes a check, unless one of `needs` has failed. It returns what was checked.
    pub(crate) fn make(
        &mut self,
        check: GameCheck,
        needs: &[GameCheck],
        make: impl FnOnce(&mut Lab<'a>) -> Result<String, Stop>,
    ) -> Result<(), Error> {
        if let Some(need) = needs.iter().find(|need| self.has_failed(**need)) {
            self.skip(check, &format!("the check {} failed", need.as_str()));
            return Ok(());
        }
        self.observer.working(check, "");
        match make(self) {
            Ok(message) => self.set(Checked::new(check, Status::Passed, message)),
            Err(Stop::Run(error)) => return Err(error),
            Err(Stop::Fault(fault)) => {
                let by = fault.check.unwrap_or(check);
                self.fail(by, *fault);
                self.skip(check, &format!("the check {} failed", by.as_str()));
            }
        }
        for fault in std::mem::take(&mut self.program.problems) {
            self.fail(fault.check.unwrap_or(check), fault);
        }
        for fault in std::mem::take(&mut self.second.problems) {
            self.fail(fault.check.unwrap_or(check), fault);
        }
        Ok(())
    }

    /// Returns whether a check has failed, or was not made because another one has.
    pub(crate) fn has_failed(&self, check: GameCheck) -> bool {
        self.results
            .get(&check)
            .is_some_and(|result| matches!(result.status, Status::Failed | Status::NotDecided))
    }

    /// Records a result, unless the check has one that is not better.
    fn set(&mut self, checked: GameChecked) {
        let is_worse = |known: &GameChecked| {
            known.status == Status::Passed && checked.status != Status::Passed
        };
        if self.results.get(&checked.check).is_none_or(is_worse) {
            self.results.insert(checked.check, checked);
        }
    }

    /// Records a failed check.
    pub(crate) fn fail(&mut self, check: GameCheck, fault: Fault) {
        let status = if fault.is_busy { Status::NotDecided } else { Status::Failed };
        self.find(check, status, &fault.place, &fault.message);
    }

    /// Records something that was found.
    pub(crate) fn find(&mut self, check: GameCheck, status: Status, place: &str, message: &str) {
        let finding = GameFinding {
            place: place.to_string(),
            message: shown(message),
            remedy: check.remedy().to_string(),
        };
        if status == Status::NotDecided {
            self.set(Checked::new(check, status, finding.message));
        } else {
            self.set(Checked::found(check, status, vec![finding]));
        }
    }

    /// Records a check that is left out, unless it has a result.
    pub(crate) fn skip(&mut self, check: GameCheck, reason: &str) {
        self.results.entry(check).or_insert_with(|| Checked::new(check, Status::Skipped, reason));
    }

    /// Chooses an action of the seat whose turn it is.
    pub(crate) fn action(
        &mut self,
        setting: &Setting,
        step: &Step,
        stream: &mut Stream,
    ) -> Result<String, Stop> {
        if let Some(legal) = &step.legal {
            let action = choose(stream.rng(), legal).cloned().unwrap_or_default();
            self.suggestions.add(&action);
            return Ok(action);
        }
        if !self.can(ability::CHECK) {
            let expected = "\"legal\", or the ability \"check\" in its \"hello\"";
            return Err(self.program.unexpected(Some(GameCheck::Legal), expected));
        }
        let Turn::Seat(seat) = step.turn else { return Ok(String::new()) };
        for _ in 0..Suggestions::TRIES {
            let Some(action) = self.suggestions.draw(stream) else { break };
            if self.program.check(setting, seat, &action)?.is_ok() {
                self.suggestions.add(&action);
                return Ok(action);
            }
        }
        if let Some(pass) = &step.pass {
            return Ok(pass.clone());
        }
        let message = format!(
            "a position without a list of actions, and none of {} suggestions is legal; describe \
             actions in `schemas.action` of `hello`, by ranges, `enum` or `examples`",
            Suggestions::TRIES
        );
        Err(self.program.fault(Some(GameCheck::Legal), message))
    }

    /// Returns the record with this index and its setting.
    pub(crate) fn record(&self, index: usize) -> Option<(&Record, Setting)> {
        let record = self.records.get(index)?;
        Some((record, self.settings.get(record.setting)?.clone()))
    }

    /// Returns the place of a decision in a random game.
    pub(crate) fn place(setting: &Setting, number: u32, decision: usize) -> String {
        format!("rules {}, game {number}, decision {decision}", setting.name)
    }
}

/// How long after the games they are repeated at least, so that a program that reads a clock of whole
/// seconds reads another time.
pub(crate) const CLOCK: Duration = Duration::from_millis(1100);
