//! The worker: a thread that tries submissions, one after another, and plays the ladder while none waits.
//! All that is to be done is in the database, so a worker that is killed resumes with the next start.

use super::Competition;
use super::game::{self, State};
use super::play::play_batch;
use super::rounds::Rounds;
use crate::submissions::trial::{Trial, Verdict};
use crate::submissions::{self, ATTEMPTS, Submission};
use botyard_referee::Interrupt;
use botyard_runner::Error;
use std::sync::Arc;
use std::time::Duration;

/// How often the worker looks for work.
const LOOK: Duration = Duration::from_millis(250);

/// How long the worker waits after a failure of the host.
const RECOVER: Duration = Duration::from_secs(10);

/// Starts the worker.
///
/// # Errors
///
/// The database cannot be used, or the host cannot start a thread.
pub(crate) fn start(competition: Arc<Competition>) -> Result<Rounds, Error> {
    competition.class.database.write(submissions::requeue)?;
    competition.submissions.remove_unused_bundles()?;
    Rounds::start("worker", LOOK, move |interrupt| match work(&competition, interrupt) {
        Ok(true) => Duration::ZERO,
        Ok(false) | Err(Error::Interrupted) => LOOK,
        Err(error) => {
            competition.class.report(&error);
            RECOVER
        }
    })
}

/// Does the next piece of work. Returns whether there was any. If the program of the game fails, the event pauses.
fn work(competition: &Competition, interrupt: &Interrupt) -> Result<bool, Error> {
    competition.class.check_free()?;
    match competition.game_state()? {
        None | Some(State::Open) => {}
        Some(State::Waiting) => return game::check(competition, interrupt).map(|()| true),
        Some(State::Failed | State::Paused) => return Ok(false),
    }
    match try_or_play(competition, interrupt) {
        Err(Error::Rules(failure)) => game::pause(competition, &failure).map(|()| true),
        worked => worked,
    }
}

/// Tries the next submission, or else plays what is next. Returns whether there was any.
fn try_or_play(competition: &Competition, interrupt: &Interrupt) -> Result<bool, Error> {
    let class = &competition.class;
    let next = class.database.write(submissions::begin_next)?;
    let Some(submission) = next else { return play_batch(competition, interrupt) };
    class.announce();
    let verdict = try_one(competition, &submission, interrupt);
    let id = submission.id;
    class.database.write(|transaction| match &verdict {
        Ok(Verdict::Accepted(bundle, declared)) => {
            submissions::accept(transaction, id, competition.event.id, bundle, declared)
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
    class.announce();
    competition.announce_result();
    verdict.map(|_| true)
}

fn try_one(
    competition: &Competition,
    submission: &Submission,
    interrupt: &Interrupt,
) -> Result<Verdict, Error> {
    if submission.attempts > ATTEMPTS {
        return Ok(Verdict::Rejected(format!(
            "The site ended {ATTEMPTS} times while it tried this version. Ask your teacher."
        )));
    }
    let place = competition.class.directory.new_build().map_err(Error::host)?;
    let (submissions, setup) = (&competition.submissions, &competition.event.setup);
    Trial::new(submissions, setup, submission, place.path(), interrupt).run()
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
        let worker = start(Arc::clone(&site.competition)).expect("a thread");
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
        work(&site.competition, &interrupt).expect("a verdict");
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
        let error =
            work(&site.competition, &interrupt).expect_err("there is no such disk").to_string();
        assert!(error.contains("free some space"), "{error}");
        assert_eq!(found(&site, id).attempts, 0);
    }

    #[test]
    fn a_submission_whose_build_is_interrupted_waits_again() {
        let place = tempfile::tempdir().expect("a directory");
        let manifest = "run = \"true\"\nbuild = [\"sh -c 'echo > begun; sleep 1000'\"]\n";
        let (site, id) = class(place.path(), manifest, 0);
        let worker = start(Arc::clone(&site.competition)).expect("a thread");
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
