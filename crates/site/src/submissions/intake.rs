//! The intake of submissions: what a team may submit now, and how an archive or a branch of a git
//! repository becomes a version that waits.

use super::copies::{FETCHES, Submissions};
use crate::error::SiteError;
use crate::files::unpack::{LIMITS, Refused, bot_directory, let_run, unpack};
use crate::people::{Person, audit};
use crate::submissions::{self, A_DAY, Files, State, Submission, deadlines, git, lfs};
use botyard_pages::pieces::moment_text;
use botyard_protocol::printable;
use botyard_runner::bots::manifest::Manifest;
use rusqlite::Transaction;
use std::fs::File;
use std::io;

/// The longest name of a file, in characters.
const NAME: usize = 300;

/// A submission that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Its number.
    pub id: i64,
    /// The version of the team's bot.
    pub version: i64,
    /// Whether the files are new. Else the newest version has them already, and is not rejected.
    pub is_new: bool,
}

impl Submissions {
    /// Takes an archive as a submission of a person for a team, unless the newest version has the same files.
    ///
    /// # Errors
    ///
    /// The team may not submit now, the archive has no bot, or the host fails.
    pub(crate) fn take(
        &self,
        person: &Person,
        (team, competition): (i64, i64),
        name: Option<&str>,
        archive: File,
    ) -> Result<Taken, SiteError> {
        self.class
            .database
            .transaction(|transaction| refuse_if_closed(transaction, team, competition))?;
        self.class.check_free()?;
        self.keep(person, (team, competition), (name.unwrap_or("bot.zip"), None), archive)
    }

    /// Fetches a branch of a git repository as a submission of a person for a team, as [`Submissions::take`] takes an
    /// archive.
    ///
    /// # Errors
    ///
    /// The same; the host of the repository is not allowed, or nothing can be fetched.
    pub(crate) fn take_branch(
        &self,
        person: &Person,
        (team, competition): (i64, i64),
        from: git::Source<'_>,
    ) -> Result<Taken, SiteError> {
        let address = git::Address::parse(from.address).map_err(SiteError::Wrong)?;
        self.class.database.transaction(|transaction| {
            if !git::hosts(transaction)?.iter().any(|host| host == address.host()) {
                let host = printable(address.host(), NAME);
                return Err(SiteError::Wrong(format!(
                    "Not accepted: {host} is not an allowed host."
                )));
            }
            refuse_if_closed(transaction, team, competition)
        })?;
        self.class.check_free()?;
        let _share = self.fetches.take(&team, 1).ok_or_else(|| {
        SiteError::TooMany(format!(
            "Another repository of your team, or {FETCHES} in all, are being fetched. Try again in a minute."
        ))
    })?;
        let place = self.class.directory.new_upload()?;
        let fetched =
            git::fetch(&address, &from, place.path(), git::LIMITS).map_err(
                |error| match error {
                    git::GitError::Refused(why) => SiteError::Wrong(format!("Not accepted: {why}")),
                    error => io::Error::other(error).into(),
                },
            )?;
        let parts = [address.url(), from.branch, from.directory];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let shown = parts.join(" ");
        self.keep(person, (team, competition), (&shown, Some(&fetched.commit)), fetched.archive)
    }

    /// Stores the bot in an archive, and adds the submission.
    fn keep(
        &self,
        person: &Person,
        (team, competition): (i64, i64),
        (name, commit): (&str, Option<&str>),
        archive: File,
    ) -> Result<Taken, SiteError> {
        let place = self.class.directory.new_upload()?;
        unpack(archive, place.path(), LIMITS).map_err(not_accepted)?;
        self.check_quota(team, place.path())?;
        let directory = bot_directory(place.path()).map_err(not_accepted)?;
        if let Some(pointer) = lfs::pointer(&directory)? {
            return Err(SiteError::Wrong(format!(
                "Not accepted: {:?} is a pointer of Git LFS, and the file that it stands for is not fetched. \
             Send the file itself.",
                printable(&pointer.to_string_lossy(), 100)
            )));
        }
        // Without the place on this host.
        let manifest = Manifest::read(&directory).map_err(|error| {
            let shown = error.to_string().replace(&format!("{}/", directory.display()), "");
            let shown = shown.replace(&format!(" in {}", directory.display()), " in the archive");
            SiteError::Wrong(format!("Not accepted: {shown}."))
        })?;
        let_run(&directory, manifest.build.iter().chain([&manifest.run]).map(String::as_str))?;
        let source = self.keep_source(&directory).map_err(|error| match error.of_author() {
            Ok(error) => SiteError::Wrong(format!("Not accepted: {error}.")),
            Err(error) => error.into(),
        })?;
        let files = Files { name: &printable(name, NAME), source: &source, commit, competition };
        let taken =
            self.class.database.transaction(|transaction| add(transaction, person, team, files))?;
        self.end_trials()?;
        self.class.announce();
        Ok(taken)
    }
}

/// Returns the error of an archive that was refused.
fn not_accepted(refused: Refused) -> SiteError {
    match refused {
        Refused::Archive(why) => SiteError::Wrong(format!("Not accepted: {why}.")),
        Refused::Host(error) => error.into(),
    }
}

/// Adds a submission of stored files.
fn add(
    transaction: &Transaction<'_>,
    person: &Person,
    team: i64,
    files: Files<'_>,
) -> Result<Taken, SiteError> {
    let versions = submissions::of_team_in(transaction, team, files.competition)?;
    let is_open =
        |it: &&Submission| matches!(it.state, State::Queued | State::Working | State::Accepted);
    if let Some(same) = versions.first().filter(is_open).filter(|it| it.source == files.source) {
        return Ok(Taken { id: same.id, version: same.version, is_new: false });
    }
    refuse_if_closed(transaction, team, files.competition)?;
    let id = submissions::add(transaction, (team, person.id), files)?;
    let others = submissions::others_with(transaction, team, files.source)?;
    if !others.is_empty() {
        let team = person.team_name.as_deref().unwrap_or_default();
        let detail =
            format!("submission {id} of {team} has the same files as one of {}", others.join(", "));
        audit::about(transaction, None, ("equal sources", team), &detail)?;
    }
    let version = submissions::find(transaction, id)?.map_or(0, |added| added.version);
    Ok(Taken { id, version, is_new: true })
}

/// Refuses a team that may not submit now.
fn refuse_if_closed(
    transaction: &Transaction<'_>,
    team: i64,
    competition: i64,
) -> Result<(), SiteError> {
    if !deadlines::is_open(transaction, competition, team)? {
        let until = deadlines::of_team(transaction, competition, team)?.unwrap_or_default();
        return Err(SiteError::Wrong(format!(
            "Not accepted: submissions ended at {}.",
            moment_text(u64::try_from(until).unwrap_or_default())
        )));
    }
    if submissions::within_a_day(transaction, team)? >= A_DAY {
        return Err(SiteError::TooMany(format!(
            "A team has {A_DAY} submissions in 24 hours, and yours are used."
        )));
    }
    Ok(())
}
