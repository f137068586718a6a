//! The copies of what teams submit: sources and bundles, and the room that those of a team take. Bundles of versions
//! that were not admitted are removed; sources are kept for the staff.

use super::lanes::Lanes;
use super::running::Running;
use crate::error::SiteError;
use crate::files::{Class, Statements, disk};
use botyard_connections::Pool;
use botyard_referee::{BotCommand, Interrupt};
use botyard_runner::Error;
use botyard_runner::bots::bundle::{Bundle, BundleError, Copies, Surroundings};
use rusqlite::Transaction;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most that the sources and bundles of a team's versions may take, in bytes.
const QUOTA: u64 = 8 << 30;

/// The most repositories that are fetched at a time.
pub(crate) const FETCHES: usize = 3;

/// The most downloads of sources by the staff at a time, and by students, which do not wait for each other.
const DOWNLOADS: usize = 4;
const DOWNLOADS_OF_TEAMS: usize = 16;

/// The submissions of a class that is open.
#[derive(Debug)]
pub(crate) struct Submissions {
    /// The class.
    pub(crate) class: Arc<Class>,
    /// The copies of the sources.
    pub(super) sources: Mutex<Copies>,
    /// The copies of what was built.
    bundles: Mutex<Copies>,
    /// The cores that trials and games share.
    pub(crate) lanes: Lanes,
    /// The trials that run.
    pub(super) running: Running,
    /// The sizes of copies, which never change.
    sizes: Mutex<HashMap<PathBuf, u64>>,
    /// What the versions of a team may take on the disk, in bytes.
    quota: u64,
    /// The git repositories that are being fetched, by team.
    pub(super) fetches: Pool<i64>,
    /// The downloads of sources that are being written, by person: those of the staff.
    pub(crate) downloads: Pool<i64>,
    /// The same of students.
    pub(crate) downloads_of_teams: Pool<i64>,
}

impl Submissions {
    /// Opens the submissions of a class.
    ///
    /// # Errors
    ///
    /// The directory of their sources cannot be used.
    pub(crate) fn open(class: &Arc<Class>) -> Result<Submissions, Error> {
        Ok(Submissions {
            class: Arc::clone(class),
            sources: Mutex::new(Copies::create(&class.directory.sources())?),
            bundles: Mutex::new(Copies::create(&class.directory.bundles())?),
            lanes: Lanes::of_this_host(),
            running: Running::default(),
            sizes: Mutex::default(),
            quota: QUOTA,
            fetches: Pool::with_most(FETCHES, 1),
            downloads: Pool::with_most(DOWNLOADS, 1),
            downloads_of_teams: Pool::with_most(DOWNLOADS_OF_TEAMS, 1),
        })
    }

    /// Copies the sources in a directory. Returns their digest.
    ///
    /// # Errors
    ///
    /// They cannot be copied.
    pub(crate) fn keep_source(&self, directory: &Path) -> Result<String, BundleError> {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        sources.keep_directory(directory, None)
    }

    /// Returns the directory with the sources of this digest.
    pub(crate) fn source(&self, digest: &str) -> PathBuf {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner).kept_directory(digest)
    }

    /// Returns the size of a copy of sources or of a bundle, in bytes.
    fn size_of_copy(&self, copy: &Path) -> u64 {
        let sizes = || self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(size) = sizes().get(copy).copied() {
            return size;
        }
        let size = disk::size(copy);
        if size > 0 {
            sizes().insert(copy.to_path_buf(), size);
        }
        size
    }

    /// Checks that a team may have the files in this directory besides its others.
    ///
    /// # Errors
    ///
    /// They exceed its quota, or the database cannot be used.
    pub(super) fn check_quota(&self, team: i64, new: &Path) -> Result<(), SiteError> {
        let Class { directory, database, .. } = &*self.class;
        let (sources, bundles) = database.transaction(|transaction| of_team(transaction, team))?;
        let of = |names: Vec<String>, copies: PathBuf| -> u64 {
            names.iter().map(|name| self.size_of_copy(&copies.join(name))).sum()
        };
        let used = of(sources, directory.sources()) + of(bundles, directory.bundles());
        match used + disk::size(new) > self.quota {
            true => Err(SiteError::wrong(format!(
                "Not accepted: the versions of your team take {} MiB on the disk of the site, and may take {} MiB. \
                 Ask your teacher.",
                used >> 20,
                self.quota >> 20
            ))),
            false => Ok(()),
        }
    }

    /// Removes the bundles that no version and no game of an event has: those of versions that were not admitted when the process
    /// ended.
    ///
    /// # Errors
    ///
    /// The database or the directory cannot be used.
    pub(crate) fn remove_unused_bundles(&self) -> Result<(), Error> {
        /// The length of the name of a copy, in characters.
        const DIGEST: usize = 64;
        let path = self.class.directory.bundles();
        let unreadable = |error| Error::host(format!("{} cannot be read: {error}", path.display()));
        let copies = self.bundles();
        for entry in fs::read_dir(&path).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            if let Some(name) = name.to_str().filter(|name| name.len() == DIGEST) {
                self.remove_unless_used(&copies, name)?;
            }
        }
        Ok(())
    }

    /// Stores a built bot, and returns its bundle and the directory of copies that it is in. Until it is
    /// [released](Submissions::release_bundle), the trial of no other version removes it.
    ///
    /// # Errors
    ///
    /// It cannot be copied.
    pub(super) fn keep_bundle(
        &self,
        command: &BotCommand,
        surroundings: Surroundings<'_>,
        interrupt: &Interrupt,
    ) -> Result<(Bundle, PathBuf), BundleError> {
        let mut copies = self.bundles();
        let bundle = copies.keep(command, surroundings, &self.class.programs, Some(interrupt))?;
        if let Some(files) = &bundle.files {
            self.running.hold_bundle(files);
        }
        Ok((bundle, copies.path().to_path_buf()))
    }

    /// Removes the bundle with this digest of its files after a trial, unless a version or another trial has it.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn release_bundle(&self, files: &str) -> Result<(), Error> {
        // No other trial stores the same files meanwhile.
        let copies = self.bundles();
        match self.running.release_bundle(files) {
            true => self.remove_unless_used(&copies, files),
            false => Ok(()),
        }
    }

    fn bundles(&self) -> MutexGuard<'_, Copies> {
        self.bundles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the bundle with this digest of its files, unless a version or a game of an event has it.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    fn remove_unless_used(&self, copies: &Copies, files: &str) -> Result<(), Error> {
        let is_used: bool = self.class.database.write(|transaction| {
            transaction.value(
                "SELECT EXISTS (SELECT 1 FROM submissions WHERE bundle ->> '$.files' = ?1) \
                 OR EXISTS (SELECT 1 FROM event_games WHERE kept ->> '$.bundle.files' = ?1)",
                [files],
            )
        })?;
        if !is_used {
            copies.discard_one(files);
        }
        Ok(())
    }
}

/// Returns the names of the copies of a team's sources and bundles.
fn of_team(
    transaction: &Transaction<'_>,
    team: i64,
) -> rusqlite::Result<(Vec<String>, Vec<String>)> {
    let names = |sql: &str| transaction.rows(sql, [team], |row| row.get(0));
    Ok((
        names("SELECT DISTINCT source FROM submissions WHERE team = ?1")?,
        names(
            "SELECT DISTINCT bundle ->> '$.files' FROM submissions \
             WHERE team = ?1 AND bundle ->> '$.files' IS NOT NULL",
        )?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people;
    use crate::submissions::{self, built_ins::programs};
    use std::fs::File;

    #[test]
    fn a_team_may_take_its_quota_and_nothing_is_taken_without_free_space() {
        let place = tempfile::tempdir().expect("a directory");
        let mut class = Class::open(&place.path().join("class"), programs()).expect("a class");
        class.least_free = 0;
        class.check_free().expect("enough");
        class.least_free = u64::MAX;
        let error = class.check_free().expect_err("there is no such disk").to_string();
        assert!(error.contains("free some space"), "{error}");

        let mut own = Submissions::open(&Arc::new(class)).expect("a class");
        let bot = place.path().join("bot");
        fs::create_dir(&bot).expect("it is ours");
        File::create(bot.join("weights")).and_then(|file| file.set_len(1 << 20)).expect("a file");
        let source = own.keep_source(&bot).expect("a copy");
        let team = own.class.database.transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let team = people::team(transaction, "red")?;
            let files = submissions::Files::uploaded("bot.zip", &source);
            submissions::add(transaction, (team, person), files)?;
            Ok::<_, rusqlite::Error>(team)
        });
        let team = team.expect("SQLite works");
        own.quota = 3 << 20;
        own.check_quota(team, &bot).expect("it fits");
        own.quota = 2 << 20;
        let refused = own.check_quota(team, &bot).expect_err("it does not").to_string();
        assert!(refused.contains("take 1 MiB on the disk of the site, and may take 2 MiB"));
    }
}
