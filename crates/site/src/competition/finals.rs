//! The final of an event: a complete design of blocks between the versions that play when it begins and
//! the references, drawn from a secret of its own. Students see nothing of it until it is released, in
//! steps: the standings, then the replays and the secrets.

use super::Board;
use crate::competition::event::{Event, begin_part, newest_part};
use crate::competition::{freezes, ladder};
use crate::error::SiteError;
use crate::files::{Statements, now};
use crate::submissions::deadlines;
use botyard_league::schedule::{Draws, Format, TournamentSchedule};
use rusqlite::{Transaction, params};
use std::collections::BTreeMap;

/// A step of a final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It does not count; another may begin.
    Discarded,
    /// Everybody sees its standings.
    Standings,
    /// Everybody sees its games, those of the ladder, and the secrets.
    Replays,
}

impl Step {
    /// Returns its name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Step::Discarded => "discarded",
            Step::Standings => "standings",
            Step::Replays => "replays",
        }
    }
}

/// A final.
#[derive(Clone, Debug)]
pub(crate) struct FinalRound {
    /// How far it is.
    pub state: FinalState,
    /// The standings.
    pub board: Board,
}

/// How far a final is.
#[derive(Clone, Debug)]
pub(crate) struct FinalState {
    /// Its games as an event: the conditions of the ladder, with another secret.
    pub event: Event,
    /// When it began, in seconds since 1970.
    pub began_at: i64,
    /// The number of its blocks that are not played.
    pub open: u64,
    /// The number of its blocks.
    pub blocks: u64,
    /// Whether everybody sees the standings.
    pub has_standings: bool,
    /// Whether everybody sees the games and the secrets.
    pub has_replays: bool,
}

impl FinalState {
    /// Returns whether all games have a result.
    pub(crate) fn is_complete(&self) -> bool {
        self.open == 0
    }
}

/// Returns how far the final of an event is that was not discarded.
pub(crate) fn state(
    transaction: &Transaction<'_>,
    event: &Event,
) -> rusqlite::Result<Option<FinalState>> {
    let Some((own, began_at)) = newest_part(transaction, event, "final")? else { return Ok(None) };
    let count = |sql: &str| -> rusqlite::Result<u64> {
        let count: i64 = transaction.value(sql, [own.id])?;
        Ok(count.unsigned_abs())
    };
    let open = count("SELECT COUNT(*) FROM blocks WHERE event = ?1 AND state = 'open'")?;
    let blocks = count("SELECT COUNT(*) FROM blocks WHERE event = ?1 AND state <> 'dropped'")?;
    let has = |step: Step| -> rusqlite::Result<bool> {
        transaction.value(
            "SELECT EXISTS (SELECT 1 FROM steps WHERE event = ?1 AND step = ?2)",
            params![own.id, step.as_str()],
        )
    };
    let (has_standings, has_replays) = (has(Step::Standings)?, has(Step::Replays)?);
    Ok(Some(FinalState { event: own, began_at, open, blocks, has_standings, has_replays }))
}

fn refused<T>(why: impl Into<String>) -> Result<T, SiteError> {
    Err(SiteError::wrong(why))
}

/// How a final is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Design {
    /// The number of blocks of each line-up.
    pub blocks: u32,
    /// The most tables of a round, if not every line-up is to meet.
    pub tables: Option<u32>,
}

/// Begins the final of an event, and freezes the board. Returns the number of games.
///
/// # Errors
///
/// Submissions may still come or wait, a final is under way, or too few bots play.
pub(crate) fn begin(
    transaction: &Transaction<'_>,
    event: &Event,
    design: Design,
    draws: Draws,
    person: i64,
) -> Result<u64, SiteError> {
    if newest_part(transaction, event, "final")?.is_some() {
        return refused("This event has a final. Discard it before you begin another.");
    }
    match deadlines::last_of_all(transaction, event.competition)? {
        Some(last) if last <= now() => {}
        Some(_) => {
            return refused("Submissions have not ended: the deadline or an extension is to come.");
        }
        None => {
            return refused(
                "Set a deadline first: the final is between the versions that play then.",
            );
        }
    }
    let waiting: i64 = transaction.query_row(
        "SELECT COUNT(*) FROM submissions WHERE state IN ('queued', 'working') \
         AND competition = ?1",
        [event.competition],
        |row| row.get(0),
    )?;
    if waiting > 0 {
        return refused(format!(
            "Versions are still being tried: {waiting}. Try again when they are done."
        ));
    }
    let playing = ladder::of_event(transaction, event)?;
    let part = begin_part(transaction, event, "final", draws)?;
    for entrant in &playing {
        transaction.change(
            "INSERT INTO entrants(event, submission, reference) VALUES (?1, ?2, ?3)",
            params![
                part.id,
                entrant.submission,
                entrant.submission.is_none().then_some(&entrant.name)
            ],
        )?;
    }
    let entrants = ladder::of_final(transaction, part.id)?;
    let size = (entrants.len(), event.setup.seats.len());
    let format = Format::RoundRobin { tables: design.tables };
    let schedule = TournamentSchedule::new(event.game(), draws, size, &format, design.blocks);
    let schedule = match schedule {
        Ok(schedule) => schedule,
        Err(error) => return refused(format!("The final cannot be played: {error}.")),
    };
    for block in schedule.known_blocks(&BTreeMap::new()) {
        let ids: Vec<i64> = block.line_up.iter().map(|&index| entrants[index].id).collect();
        ladder::add_block(transaction, (part.id, block.number), &ids, "final", Some(block.repeat))?;
    }
    if freezes::in_force(transaction, event.id)?.is_none() {
        let ids: Vec<i64> = playing.iter().map(|entrant| entrant.id).collect();
        freezes::set(transaction, event.id, Some(&ids), "the final began", person)?;
    }
    Ok(schedule.games())
}

/// Takes a step of a final.
///
/// # Errors
///
/// It is not its turn.
pub(crate) fn take(
    transaction: &Transaction<'_>,
    event: &Event,
    step: Step,
    reason: &str,
    person: i64,
) -> Result<(), SiteError> {
    let Some(state) = state(transaction, event)? else {
        return refused("This event has no final.");
    };
    match step {
        Step::Discarded if state.has_standings => {
            return refused("The standings of the final are published: it cannot be discarded.");
        }
        Step::Standings if !state.is_complete() => {
            return refused(format!(
                "{} of {} blocks of the final are not played.",
                state.open, state.blocks
            ));
        }
        Step::Standings if state.has_standings => return refused("The standings are published."),
        Step::Replays if !state.has_standings => return refused("Publish the standings first."),
        Step::Replays if state.has_replays => return refused("The replays are published."),
        _ => {}
    }
    transaction.change(
        "INSERT INTO steps(event, step, reason, person, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![state.event.id, step.as_str(), reason, person, now()],
    )?;
    if step != Step::Replays && freezes::in_force(transaction, event.id)?.is_some() {
        let why = if step == Step::Standings {
            "the final was published"
        } else {
            "the final was discarded"
        };
        freezes::set(transaction, event.id, None, why, person)?;
    }
    Ok(())
}

/// Returns whether everybody sees the games of a ladder's event and of its final.
pub(crate) fn is_released(transaction: &Transaction<'_>, ladder: i64) -> rusqlite::Result<bool> {
    transaction.value(
        "SELECT EXISTS (SELECT 1 FROM steps JOIN events ON events.id = steps.event \
         WHERE of = ?1 AND step = 'replays')",
        [ladder],
    )
}

/// Undoes the last step of the final of an event, while nothing depends on it. What was done is kept.
///
/// # Errors
///
/// Something depends on it, or no such step was taken last.
pub(crate) fn undo(
    transaction: &Transaction<'_>,
    event: &Event,
    step: Step,
    reason: &str,
    person: i64,
) -> Result<(), SiteError> {
    let state = state(transaction, event)?;
    let of = match (step, &state) {
        (Step::Discarded, Some(_)) => {
            return refused("Another final has begun since: discard it first.");
        }
        (Step::Discarded, None) => last_discarded(transaction, event.id)?,
        (Step::Standings, Some(state)) if state.has_replays => {
            return refused("The replays are published: take them back first.");
        }
        (Step::Standings, Some(state)) if state.has_standings => {
            let grades: i64 = transaction
                .value("SELECT COUNT(*) FROM grades WHERE event = ?1", [state.event.id])?;
            if grades > 0 {
                return refused("Grades were frozen from these standings: they stay published.");
            }
            Some(state.event.id)
        }
        (Step::Replays, Some(state)) if state.has_replays => Some(state.event.id),
        _ => None,
    };
    let Some(of) = of else { return refused("This step was not taken, or is undone already.") };
    let undone = params![of, step.as_str(), reason, person, now()];
    transaction.change(
        "INSERT INTO undone_steps SELECT event, step, reason, person, at, ?3, ?4, ?5 FROM steps \
         WHERE event = ?1 AND step = ?2",
        undone,
    )?;
    let sql = "DELETE FROM steps WHERE event = ?1 AND step = ?2";
    transaction.change(sql, params![of, step.as_str()])?;
    if step != Step::Replays && freezes::in_force(transaction, event.id)?.is_none() {
        let ids: Vec<i64> =
            ladder::of_event(transaction, event)?.iter().map(|entrant| entrant.id).collect();
        let why = "the final is not published";
        freezes::set(transaction, event.id, Some(&ids), why, person)?;
    }
    Ok(())
}

/// Returns the final of an event that was discarded last.
pub(crate) fn last_discarded(
    transaction: &Transaction<'_>,
    event: i64,
) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT MAX(events.id) FROM events JOIN steps ON steps.event = events.id \
               WHERE of = ?1 AND kind = 'final' AND step = 'discarded'";
    transaction.value(sql, [event])
}

/// What a final with one block of each line-up would be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    /// The number of bots.
    pub(crate) bots: usize,
    /// The number of games for each block of a line-up.
    pub(crate) games: u64,
    /// How long a game took lately, in seconds; `None`: none was played.
    pub(crate) seconds: Option<f64>,
}

/// Returns what the final of an event would be if it began now.
pub(crate) fn estimate(
    transaction: &Transaction<'_>,
    event: &Event,
) -> rusqlite::Result<Option<Estimate>> {
    /// The gaps between games that tell how long one takes: a longer one is a pause.
    const PAUSE: i64 = 60;
    let bots = ladder::of_event(transaction, event)?.len();
    let size = (bots, event.setup.seats.len());
    let format = Format::RoundRobin { tables: None };
    let schedule = TournamentSchedule::new(event.game(), event.setup.draws, size, &format, 1).ok();
    let Some(schedule) = schedule else { return Ok(None) };
    let (count, total): (i64, i64) = transaction.row(
        "SELECT COUNT(*), COALESCE(SUM(MIN(gap, ?2)), 0) FROM (SELECT at - LAG(at) OVER (ORDER BY at) AS gap \
         FROM (SELECT at FROM games WHERE event = ?1 ORDER BY rowid DESC LIMIT 500)) WHERE gap IS NOT NULL",
        [event.id, PAUSE],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let seconds = (count > 0).then(|| total as f64 / count as f64);
    Ok(Some(Estimate { bots, games: schedule.games(), seconds }))
}

/// A step that was taken.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    /// Its name.
    pub step: String,
    /// The final.
    pub event: i64,
    /// Why.
    pub reason: String,
    /// Who took it.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// Returns the steps of all finals of an event, the newest first.
pub(crate) fn taken(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<Vec<Taken>> {
    transaction.rows(
        "SELECT step, steps.event, reason, people.name, at FROM steps \
         JOIN people ON people.id = steps.person JOIN events ON events.id = steps.event \
         WHERE events.of = ?1 ORDER BY at DESC, step",
        [event],
        |row| {
            Ok(Taken {
                step: row.get(0)?,
                event: row.get(1)?,
                reason: row.get(2)?,
                person: row.get(3)?,
                at: row.get(4)?,
            })
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;
    use crate::files::directory::ClassDirectory;
    use crate::people;
    use crate::submissions::built_ins::programs;
    use crate::submissions::{self, Files};

    #[test]
    fn a_final_waits_for_the_last_submission_and_is_released_in_steps() {
        let place = tempfile::tempdir().expect("a directory");
        let directory = ClassDirectory::open(&place.path().join("class")).expect("a class");
        let database = database();
        let event =
            Event::open(&directory, &database, &programs()).expect("the file of a new class");
        let checked = database.transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let draws = Draws::secret([7; 32], 9);
            let design = Design { blocks: 3, tables: None };
            let refused = || match begin(transaction, &event, design, draws, person) {
                Err(SiteError::Wrong(why)) => why,
                other => panic!("expected a refusal, got {other:?}"),
            };
            let (red, blue) =
                (people::team(transaction, "red")?, people::team(transaction, "blue")?);
            for (team, file) in [(red, "a"), (blue, "b")] {
                let id =
                    submissions::add(transaction, (team, person), Files::uploaded(file, file))?;
                submissions::accept(transaction, id, event.id, "{}", "")?;
            }
            assert!(refused().contains("Set a deadline first"));
            deadlines::set(transaction, 1, (None, Some(100)), "why", person)?;
            deadlines::set(transaction, 1, (Some(red), Some(i64::MAX)), "ill", person)?;
            assert!(refused().contains("extension"));
            deadlines::set(transaction, 1, (Some(red), Some(200)), "well again", person)?;
            let third = submissions::add(transaction, (red, person), Files::uploaded("c", "c"))?;
            assert!(refused().contains("still being tried: 1"));
            submissions::reject(transaction, third, "no")?;

            // Two versions and two references are six pairs.
            let games = begin(transaction, &event, design, draws, person)?;
            assert_eq!(games, 6 * 3 * 2);
            assert!(refused().contains("has a final"));
            let freeze = freezes::in_force(transaction, event.id)?.expect("the board is frozen");
            assert_eq!((freeze.entrants.len(), freeze.reason.as_str()), (4, "the final began"));
            let state = || state(transaction, &event);
            let begun = state()?.expect("it began");
            assert_eq!((begun.blocks, begun.open, begun.is_complete()), (18, 18, false));
            assert_ne!(begun.event.commitment, event.commitment);
            let repeats: Vec<u32> = ladder::open_blocks(transaction, begun.event.id, 99)?
                .iter()
                .map(|block| block.repeat)
                .collect();
            assert_eq!(repeats, [[0; 6], [1; 6], [2; 6]].concat());

            let step = |step| take(transaction, &event, step, "why", person);
            let why = |step: Result<(), SiteError>| step.expect_err("a refusal").to_string();
            assert!(why(step(Step::Standings)).contains("18 of 18 blocks"));
            step(Step::Discarded)?;
            assert!(state()?.is_none());
            assert!(freezes::in_force(transaction, event.id)?.is_none());

            begin(transaction, &event, design, Draws::secret([8; 32], 10), person)?;
            transaction.execute("UPDATE blocks SET state = 'played'", [])?;
            assert!(why(step(Step::Replays)).contains("standings first"));
            step(Step::Standings)?;
            assert!(freezes::in_force(transaction, event.id)?.is_none(), "the board is live again");
            assert!(why(step(Step::Discarded)).contains("cannot be discarded"));
            step(Step::Replays)?;
            let published = state()?.expect("it began");
            assert!(published.has_standings && published.has_replays);
            assert_eq!(taken(transaction, event.id)?.len(), 3);

            let back = |step| undo(transaction, &event, step, "a mistake", person);
            assert!(why(back(Step::Standings)).contains("take them back first"));
            back(Step::Replays)?;
            assert!(!is_released(transaction, event.id)?);
            assert!(why(back(Step::Replays)).contains("undone already"));
            back(Step::Standings)?;
            assert!(state()?.is_some_and(|state| !state.has_standings));
            assert!(freezes::in_force(transaction, event.id)?.is_some(), "the board is frozen");
            step(Step::Discarded)?;
            back(Step::Discarded)?;
            assert_eq!(state()?.map(|state| state.event.id), Some(published.event.id));
            let sql = "SELECT step, taken_reason, reason FROM undone_steps ORDER BY rowid";
            let undone = transaction.rows(sql, [], |row| {
                Ok([row.get(0)?, row.get(1)?, row.get::<_, String>(2)?].join(", "))
            })?;
            let expected = ["replays", "standings", "discarded"];
            assert_eq!(undone, expected.map(|step| format!("{step}, why, a mistake")));
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }
}
