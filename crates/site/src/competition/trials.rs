//! The trials of versions: threads that build and check them, and play their gates, beside each other. All that is to
//! be done is in the database, so trials that are killed are made again with the next start.

use super::game::{self, State};
use super::outside::gates;
use super::rounds::Rounds;
use super::worker::{LOOK, RECOVER};
use super::{Competition, Competitions};
use crate::submissions::trial::{Trial, Tried, Verdict};
use crate::submissions::{self, ATTEMPTS, Submission};
use botyard_referee::Interrupt;
use botyard_runner::Error;
use botyard_tournament::{Candidate, SingleGate};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The longest trial, after which the version is rejected: one that thinks for a second a move, in a gate of hundreds
/// of games, takes less. The wait for other hosts does not count, and a gate that they did not play is played again
/// from its first game.
const LONGEST: Duration = Duration::from_secs(1800);

/// Starts the threads of trials: more if other hosts play games.
///
/// # Errors
///
/// The database cannot be used, or the host cannot start a thread.
pub(crate) fn start(
    competitions: &Arc<Competitions>,
    has_others: bool,
) -> Result<Vec<Rounds>, Error> {
    let first = competitions.first();
    first.class.database.write(submissions::requeue)?;
    first.submissions.remove_unused_bundles()?;
    let thread = |number: usize| {
        let competitions = Arc::clone(competitions);
        Rounds::start(&format!("trial {number}"), LOOK, move |interrupt| {
            if number > competitions.first().submissions.lanes.looking() {
                return LOOK;
            }
            match try_next(&competitions, interrupt) {
                Ok(true) => Duration::ZERO,
                Ok(false) | Err(Error::Interrupted) => LOOK,
                Err(error) => {
                    let first = competitions.first();
                    first.class.report(&error);
                    // The other threads would meet the same.
                    first.submissions.lanes.close_for(RECOVER);
                    LOOK
                }
            }
        })
    };
    (1..=first.submissions.lanes.most(has_others)).map(thread).collect()
}

/// Tries the next version, if a lane is free. Returns whether there was one.
fn try_next(competitions: &Competitions, interrupt: &Interrupt) -> Result<bool, Error> {
    let first = competitions.first();
    let (class, lanes) = (&first.class, &first.submissions.lanes);
    if !lanes.is_any_free() {
        return Ok(false);
    }
    class.check_free()?;
    let mut open = competitions.all();
    let mut failed = None;
    open.retain(|competition| match competition.game_state() {
        Ok(state) => matches!(state, None | Some(State::Open)),
        Err(error) => {
            failed = Some(error);
            false
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let taken = lanes.take(|| {
        let may = |submission: &Submission| open.iter().any(|its| its.tries(submission));
        let next = class.database.write(|transaction| submissions::begin_next(transaction, may))?;
        Ok::<_, Error>(next.map(|submission| (submission.id, submission)))
    })?;
    let Some((_lane, submission)) = taken else { return Ok(false) };
    let Some(competition) = open.iter().find(|its| its.tries(&submission)) else {
        return Ok(false);
    };
    class.announce();
    match try_one(competition, &submission, interrupt) {
        Err(Error::Rules(failure)) => game::pause(competition, &failure).map(|()| true),
        tried => tried.map(|()| true),
    }
}

/// Tries a version and stores the verdict.
fn try_one(
    competition: &Competition,
    submission: &Submission,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let (class, id) = (&competition.class, submission.id);
    let Tried { verdict, bundle } = tried(competition, submission, interrupt);
    class.database.write(|transaction| match &verdict {
        Ok(Verdict::Accepted(bundle, declared)) => {
            submissions::accept(transaction, id, competition.event.id, bundle, declared).map(drop)
        }
        Ok(Verdict::Rejected(reason)) => submissions::reject(transaction, id, reason),
        // The attempt does not count.
        Err(Error::Interrupted | Error::Rules(_)) => {
            submissions::put_back_interrupted(transaction, id)
        }
        Err(error) if submission.attempts >= ATTEMPTS => {
            let error = error.message().text(class.programs.name);
            let reason = format!("The site could not try this version: {error}\nAsk your teacher.");
            submissions::reject(transaction, id, &reason)
        }
        Err(_) => submissions::put_back(transaction, id),
    })?;
    if let Some(bundle) = bundle {
        competition.submissions.release_bundle(&bundle)?;
    }
    class.announce();
    competition.announce_result();
    verdict.map(drop)
}

/// Makes a trial, which ends early if the version is superseded or cancelled.
fn tried(competition: &Competition, submission: &Submission, interrupt: &Interrupt) -> Tried {
    let rejected = |reason: String| Tried { verdict: Ok(Verdict::Rejected(reason)), bundle: None };
    if submission.attempts > ATTEMPTS {
        return rejected(format!(
            "The site ended {ATTEMPTS} times while it tried this version. Ask your teacher."
        ));
    }
    let (submissions, setup) = (&competition.submissions, &competition.event.setup);
    let made = submissions.interruptible(submission.id, interrupt, || {
        let place = competition.class.directory.new_build().map_err(Error::host)?;
        let trial = Trial::new(submissions, setup, submission, place.path(), interrupt);
        let (made, is_overdue) = within(LONGEST, interrupt, |counts| {
            let mut elsewhere = |gate: &SingleGate, candidate: &Candidate| {
                // The watch has ended only if it raised the interrupt.
                let _ = counts.send(false);
                let played = gates::play(competition, submission, (gate, candidate), interrupt);
                let _ = counts.send(true);
                played
            };
            trial.run(&mut elsewhere)
        });
        Ok(match made {
            Tried { verdict: Err(Error::Interrupted), bundle } if is_overdue => {
                let minutes = LONGEST.as_secs() / 60;
                let reason = format!(
                    "The trial took more than {minutes} minutes. Let the bot answer sooner: the log says how far it came."
                );
                Tried { verdict: Ok(Verdict::Rejected(reason)), bundle }
            }
            made => made,
        })
    });
    made.unwrap_or_else(|error| Tried { verdict: Err(error), bundle: None })
}

/// Does work that is interrupted after this time. Returns whether it was. The work sends whether the time counts from
/// now on, from the beginning.
fn within<T>(
    longest: Duration,
    interrupt: &Interrupt,
    work: impl FnOnce(&Sender<bool>) -> T,
) -> (T, bool) {
    let (counts, changes) = channel();
    thread::scope(|scope| {
        let watch = scope.spawn(move || {
            let is_overdue = is_overdue(longest, &changes);
            if is_overdue {
                interrupt.raise();
            }
            is_overdue
        });
        let made = work(&counts);
        drop(counts);
        (made, watch.join().unwrap_or(false))
    })
}

/// Waits for the end of some work. Returns whether it took more than this time while the time counted.
fn is_overdue(longest: Duration, changes: &Receiver<bool>) -> bool {
    let mut counts = true;
    loop {
        let change = match counts {
            true => changes.recv_timeout(longest),
            false => changes.recv().map_err(RecvTimeoutError::from),
        };
        match change {
            Ok(changed) => counts = changed,
            Err(error) => return error == RecvTimeoutError::Timeout,
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use crate::files::Class;
    use crate::people;
    use crate::site::Site;
    use crate::submissions::built_ins::programs;
    use std::fs;
    use std::thread;
    use std::time::Instant;

    /// An event whose bots are trusted, so that they are built without a sandbox.
    const EVENT: &str = "game = \"connect-four\"\n[sandbox]\nmode = \"none\"\n[time]\nmove_ms = 30000\n\
                         [[bot]]\nname = \"one\"\ncommand = \"random\"\n\
                         [[bot]]\nname = \"two\"\ncommand = \"greedy\"\n";

    /// Returns a class with a submission of this manifest, and its number.
    fn class(place: &std::path::Path, manifest: &str, least_free: u64) -> (Site, i64) {
        fs::create_dir(place.join("class")).expect("it is ours");
        fs::write(place.join("class/event.toml"), EVENT).expect("it is ours");
        let mut class = Class::open(&place.join("class"), programs()).expect("a class");
        class.least_free = least_free;
        let site = Site::of(class).expect("a class");
        fs::create_dir(place.join("bot")).expect("it is ours");
        fs::write(place.join("bot/bot.toml"), manifest).expect("it is ours");
        let source = site.submissions.keep_source(&place.join("bot")).expect("a copy");
        let added = site.class.database.transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let team = people::team(transaction, "red")?;
            submissions::add(
                transaction,
                (team, person),
                submissions::Files::uploaded("bot.zip", &source),
            )
        });
        (site, added.expect("SQLite works"))
    }

    fn found(site: &Site, id: i64) -> Submission {
        let found =
            site.class.database.transaction(|transaction| submissions::find(transaction, id));
        found.expect("SQLite works").expect("it was added")
    }

    #[test]
    fn no_bundle_of_a_rejected_version_is_left() {
        let place = tempfile::tempdir().expect("a directory");
        let (site, id) = class(place.path(), "run = \"false\"\n", 0);
        let bundles = || fs::read_dir(site.class.directory.bundles()).expect("a directory").count();
        // One of a process that was killed.
        fs::create_dir(site.class.directory.bundles().join("a".repeat(64))).expect("it is ours");
        let worker = start(&site.competitions, false).expect("threads");
        let begun = Instant::now();
        while !found(&site, id).state.is_final() {
            assert!(begun.elapsed() < Duration::from_secs(600), "no verdict");
            thread::sleep(Duration::from_millis(5));
        }
        drop(worker);
        let found = found(&site, id);
        assert!(found.reason.contains("failed: "), "it was built and stored: {found:?}");
        assert_eq!(bundles(), 0);
    }

    #[test]
    fn no_build_makes_a_class_that_cannot_be_backed_up() {
        let place = tempfile::tempdir().expect("a directory");
        let manifest = r#"run = "true"
            build = ["python3 -c 'open(bytes([103, 246]), \"w\")'"]"#;
        let (site, id) = class(place.path(), manifest, 0);
        let interrupt = Interrupt::new().expect("descriptors");
        try_next(&site.competitions, &interrupt).expect("a verdict");
        let found = found(&site, id);
        assert!(found.reason.contains(r#"left "g\xF6": expected names"#), "{found:?}");
        crate::backup(site.class.directory.path(), &place.path().join("class.zip"))
            .expect("a backup");
    }

    #[test]
    fn nothing_is_begun_without_free_space() {
        let place = tempfile::tempdir().expect("a directory");
        let (site, id) = class(place.path(), "run = \"false\"\n", u64::MAX);
        let interrupt = Interrupt::new().expect("descriptors");
        let error = try_next(&site.competitions, &interrupt)
            .expect_err("there is no such disk")
            .to_string();
        assert!(error.contains("free some space"), "{error}");
        assert_eq!(found(&site, id).attempts, 0);
    }

    /// Adds a submission of a team.
    fn submit(site: &Site, team: &str, manifest: &str, place: &std::path::Path) -> i64 {
        let bot = tempfile::tempdir_in(place).expect("a directory");
        fs::write(bot.path().join("bot.toml"), manifest).expect("it is ours");
        let source = site.submissions.keep_source(bot.path()).expect("a copy");
        let added = site.class.database.transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let team = people::team(transaction, team)?;
            let files = submissions::Files::uploaded("bot.zip", &source);
            submissions::add(transaction, (team, person), files)
        });
        site.submissions.end_trials().expect("the database");
        added.expect("SQLite works")
    }

    /// Waits until a submission is in this state.
    fn await_state(site: &Site, id: i64, state: submissions::State) {
        let begun = Instant::now();
        while found(site, id).state != state {
            assert!(begun.elapsed() < Duration::from_secs(600), "{:?}", found(site, id));
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_trial_that_sleeps_holds_up_no_other_and_ends_when_its_version_is_replaced() {
        const SLEEPS: &str = "run = \"true\"\nbuild = [\"sh -c 'echo > begun; sleep 1000'\"]\n";
        let place = tempfile::tempdir().expect("a directory");
        let (site, first) = class(place.path(), SLEEPS, 0);
        let threads = start(&site.competitions, false).expect("threads");
        await_state(&site, first, submissions::State::Working);
        let of_blue = submit(&site, "blue", "run = \"false\"\n", place.path());
        await_state(&site, of_blue, submissions::State::Rejected);
        assert_eq!(found(&site, first).state, submissions::State::Working);
        let second = submit(&site, "red", "run = \"false\"\n", place.path());
        assert_eq!(found(&site, first).state, submissions::State::Superseded);
        await_state(&site, second, submissions::State::Rejected);
        let begun = Instant::now();
        while !site.submissions.lanes.elapsed().is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(600), "a trial still runs");
            thread::sleep(Duration::from_millis(5));
        }
        drop(threads);
        assert_eq!(found(&site, first).state, submissions::State::Superseded);
    }

    #[test]
    fn work_that_takes_too_long_is_interrupted() {
        let interrupt = Interrupt::new().expect("descriptors");
        assert!(!within(Duration::from_secs(600), &interrupt, |_| ()).1);
        assert!(!interrupt.is_raised());
        let waits = |_: &Sender<bool>| interrupt.is_raised_within(Duration::from_secs(600));
        assert_eq!(within(Duration::from_millis(1), &interrupt, waits), (true, true));
    }

    #[test]
    fn the_wait_for_other_hosts_does_not_count() {
        let (counts, changes) = channel();
        counts.send(false).expect("it is there");
        drop(counts);
        assert!(!is_overdue(Duration::ZERO, &changes));
        let (counts, changes) = channel();
        for does_count in [false, true] {
            counts.send(does_count).expect("it is there");
        }
        assert!(is_overdue(Duration::ZERO, &changes));
    }

    #[test]
    fn a_submission_whose_build_is_interrupted_waits_again() {
        let place = tempfile::tempdir().expect("a directory");
        let manifest = "run = \"true\"\nbuild = [\"sh -c 'echo > begun; sleep 1000'\"]\n";
        let (site, id) = class(place.path(), manifest, 0);
        let worker = start(&site.competitions, false).expect("threads");
        let begun = Instant::now();
        let is_building = || {
            let builds = fs::read_dir(place.path().join("class/builds")).expect("a directory");
            builds.flatten().any(|build| build.path().join("bot/begun").exists())
        };
        while !is_building() {
            assert!(begun.elapsed() < Duration::from_secs(600), "the build does not begin");
            thread::sleep(Duration::from_millis(5));
        }
        drop(worker);
        let found = found(&site, id);
        assert_eq!((found.state, found.attempts), (submissions::State::Queued, 0), "{found:?}");
    }
}
