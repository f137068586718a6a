//! Who plays in the ladder: the active versions, and the references of the event's file.

use crate::competition::Competition;
use crate::competition::event::Event;
use crate::files::{Database, Statements};
use crate::submissions::decisions::Decision;
use botyard_league::Entrant;
use botyard_referee::BotCommand;
use botyard_runner::Error;
use botyard_runner::bots::bundle::Bundle;
use rusqlite::{Transaction, params};

/// A bot of the ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LadderEntrant {
    /// The entrant.
    pub id: i64,
    /// The team. `None`: a reference.
    pub team: Option<i64>,
    /// The name of the team for the staff and for its members, or that of the reference.
    pub name: String,
    /// The name for everybody else, which is also the name of the bot in replays.
    pub alias: String,
    /// The group of the course of its members.
    pub section: String,
    /// The submission.
    pub submission: Option<i64>,
    /// The version of the team's bot.
    pub version: i64,
}

impl LadderEntrant {
    /// Returns the name of the bot in games and their replays.
    pub(crate) fn name_in_games(&self) -> String {
        match self.submission {
            Some(_) => format!("{} v{}", self.alias, self.version),
            None => self.name.clone(),
        }
    }

    /// Returns the bot as statistics take it.
    pub(crate) fn for_statistics(&self) -> Entrant {
        Entrant { name: self.alias.clone(), ..Entrant::default() }
    }
}

/// An entrant of an event, and what decides whether it plays.
struct Candidate {
    entrant: LadderEntrant,
    /// Whether it is the version of its team that plays, or a reference.
    is_active: bool,
    /// The decision about it that is in force.
    decision: Option<Decision>,
}

/// Returns who plays in the ladder of an event now. New ones become entrants.
pub(crate) fn of_event(
    transaction: &Transaction<'_>,
    event: &Event,
) -> rusqlite::Result<Vec<LadderEntrant>> {
    transaction.change(
        "INSERT OR IGNORE INTO entrants(event, submission) \
         SELECT ?1, submission FROM active WHERE competition = ?2",
        [event.id, event.competition],
    )?;
    add_references(transaction, event)?;
    let plays = |one: &Candidate| one.is_active && one.decision.is_none();
    Ok(candidates(transaction, event.id)?
        .into_iter()
        .filter(plays)
        .map(|one| one.entrant)
        .collect())
}

/// Makes the references of the event's file entrants.
fn add_references(transaction: &Transaction<'_>, event: &Event) -> rusqlite::Result<()> {
    for bot in &event.setup.bots {
        transaction.change(
            "INSERT OR IGNORE INTO entrants(event, reference) VALUES (?1, ?2)",
            params![event.id, bot.name],
        )?;
    }
    Ok(())
}

/// Returns who plays in a final: all its entrants but those that were disqualified.
pub(crate) fn of_final(
    transaction: &Transaction<'_>,
    event: i64,
) -> rusqlite::Result<Vec<LadderEntrant>> {
    let plays = |one: &Candidate| one.decision != Some(Decision::Disqualify);
    Ok(candidates(transaction, event)?.into_iter().filter(plays).map(|one| one.entrant).collect())
}

/// Returns all entrants of an event.
pub(crate) fn all(
    transaction: &Transaction<'_>,
    event: i64,
) -> rusqlite::Result<Vec<LadderEntrant>> {
    Ok(candidates(transaction, event)?.into_iter().map(|one| one.entrant).collect())
}

/// Returns who plays at the end of an event that is no longer in force: the newest version of each team, and the
/// references.
pub(crate) fn at_the_end(
    transaction: &Transaction<'_>,
    event: i64,
) -> rusqlite::Result<Vec<LadderEntrant>> {
    let all = of_final(transaction, event)?;
    let is_newest = |one: &&LadderEntrant| {
        let newer = |other: &LadderEntrant| other.version > one.version;
        one.team.is_none() || !all.iter().any(|other| other.team == one.team && newer(other))
    };
    Ok(all.iter().filter(is_newest).cloned().collect())
}

/// Returns all entrants of an event: versions of teams, then references.
fn candidates(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<Vec<Candidate>> {
    transaction.rows(
        "SELECT entrants.id, teams.id, teams.name, teams.alias, submissions.id, submissions.version, \
         (SELECT COALESCE(MIN(section), '') FROM people WHERE people.team = teams.id), \
         EXISTS (SELECT 1 FROM active WHERE submission = submissions.id), decision, reference FROM entrants \
         LEFT JOIN submissions ON submissions.id = entrants.submission \
         LEFT JOIN teams ON teams.id = submissions.team \
         WHERE entrants.event = ?1 ORDER BY reference IS NOT NULL, entrants.id",
        [event],
        |row| {
            let (id, reference) = (row.get(0)?, row.get::<_, Option<String>>(9)?);
            if let Some(name) = reference {
                let entrant = LadderEntrant {
                    id,
                    team: None,
                    alias: name.clone(),
                    name,
                    section: String::new(),
                    submission: None,
                    version: 0,
                };
                return Ok(Candidate { entrant, is_active: true, decision: None });
            }
            let team: i64 = row.get(1)?;
            let entrant = LadderEntrant {
                id,
                team: Some(team),
                name: row.get(2)?,
                alias: alias(row.get(3)?, team),
                section: row.get(6)?,
                submission: row.get(4)?,
                version: row.get(5)?,
            };
            let decision: Option<String> = row.get(8)?;
            let decision = decision.and_then(|decision| decision.parse().ok());
            Ok(Candidate { entrant, is_active: row.get(7)?, decision })
        },
    )
}

/// Returns what others call a team.
pub(super) fn alias(chosen: Option<String>, team: i64) -> String {
    chosen.unwrap_or_else(|| format!("Team {team}"))
}

/// Returns the command of an entrant, from the copy of its files.
///
/// # Errors
///
/// The stored bundle cannot be read.
pub(crate) fn command(
    competition: &Competition,
    entrant: &LadderEntrant,
) -> Result<BotCommand, Error> {
    let Some(submission) = entrant.submission else {
        let bots = &competition.event.setup.bots;
        let found = bots.iter().find(|bot| bot.name == entrant.name).cloned();
        return found
            .ok_or_else(|| Error::host(format!("there is no reference {:?}", entrant.name)));
    };
    let class = &competition.class;
    let bundle = competition.usable(entrant, bundle(&class.database, submission))?;
    Ok(bundle.command(&entrant.name_in_games(), &class.directory.bundles(), &class.programs))
}

/// Returns the bundle of a submission that was built.
///
/// # Errors
///
/// It cannot be read.
pub(crate) fn bundle(database: &Database, submission: i64) -> Result<Bundle, Error> {
    let json: Option<String> = database.write(|transaction| {
        transaction.value("SELECT bundle FROM submissions WHERE id = ?1", [submission])
    })?;
    serde_json::from_str(&json.unwrap_or_default()).map_err(|error| {
        Error::host(format!("the stored bundle of submission {submission} cannot be read: {error}"))
    })
}
