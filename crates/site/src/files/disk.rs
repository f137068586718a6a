//! The room on the disk: what a team's versions take, and what has to be free. Bundles of versions that
//! were not admitted are removed; sources are kept for the staff.

use crate::error::SiteError;
use crate::files::database::failed;
use crate::site::Site;
use botyard_runner::bots::bundle::Copies;
use botyard_runner::{Error, free_space};
use rusqlite::Transaction;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The least free space with which versions are taken, tried and played, in bytes: a build and its bundle
/// take less.
pub const LEAST_FREE: u64 = 1 << 30;

/// The most that the sources and bundles of a team's versions may take, in bytes.
pub const QUOTA: u64 = 8 << 30;

/// Checks that the disk has the room for work.
///
/// # Errors
///
/// It has not.
pub fn check_free(site: &Site) -> Result<(), Error> {
    match free_space(site.directory.path()) {
        Some(free) if free < site.least_free => Err(Error::host(format!(
            "the disk of the class has {} MiB free, and the site works only with at least {} MiB: free some space",
            free >> 20,
            site.least_free >> 20
        ))),
        _ => Ok(()),
    }
}

/// Checks that a team may have the files in this directory besides its others.
///
/// # Errors
///
/// They exceed its quota, or the database cannot be used.
pub fn check_quota(site: &Site, team: i64, new: &Path) -> Result<(), SiteError> {
    let (sources, bundles) = site.database.transaction(|transaction| of_team(transaction, team))?;
    let of = |names: BTreeSet<String>, copies: std::path::PathBuf| -> u64 {
        names.iter().map(|name| site.size_of_copy(&copies.join(name))).sum()
    };
    let used = of(sources, site.directory.sources()) + of(bundles, site.directory.bundles());
    match used + size(new) > site.quota {
        true => Err(SiteError::Wrong(format!(
            "Not accepted: the versions of your team take {} MiB on the disk of the site, and may take {} MiB. \
             Ask your teacher.",
            used >> 20,
            site.quota >> 20
        ))),
        false => Ok(()),
    }
}

/// Returns the names of the copies of a team's sources and bundles.
fn of_team(
    transaction: &Transaction<'_>,
    team: i64,
) -> rusqlite::Result<(BTreeSet<String>, BTreeSet<String>)> {
    let names = |sql: &str| -> rusqlite::Result<BTreeSet<String>> {
        transaction.prepare_cached(sql)?.query_map([team], |row| row.get(0))?.collect()
    };
    Ok((
        names("SELECT source FROM submissions WHERE team = ?1")?,
        names(
            "SELECT bundle ->> '$.files' FROM submissions \
             WHERE team = ?1 AND bundle ->> '$.files' IS NOT NULL",
        )?,
    ))
}

/// Returns the size of a directory or file, in bytes. What cannot be read does not count.
pub fn size(path: &Path) -> u64 {
    /// The smallest size counted for an entry: names and inodes take space too.
    const LEAST: u64 = 4096;
    let Ok(about) = path.symlink_metadata() else { return 0 };
    match about.is_dir() {
        true => {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            LEAST + entries.map(|entry| size(&entry.path())).sum::<u64>()
        }
        false => about.len().max(LEAST),
    }
}

/// Removes the bundles that no version has: those of versions that were not admitted when the process
/// ended.
///
/// # Errors
///
/// The database or the directory cannot be used.
pub fn remove_unused_bundles(site: &Site) -> Result<(), Error> {
    /// The length of the name of a copy, in characters.
    const DIGEST: usize = 64;
    let path = site.directory.bundles();
    let unreadable = |error| Error::host(format!("{} cannot be read: {error}", path.display()));
    let copies = Copies::create(&path)?;
    for entry in fs::read_dir(&path).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        if let Some(name) = name.to_str().filter(|name| name.len() == DIGEST) {
            remove_unless_used(site, &copies, name)?;
        }
    }
    Ok(())
}

/// Removes the bundle with this digest of its files, unless a version has it.
///
/// # Errors
///
/// The database cannot be used.
pub fn remove_unless_used(site: &Site, copies: &Copies, files: &str) -> Result<(), Error> {
    let is_used: bool = site
        .database
        .transaction(|transaction| {
            transaction
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM submissions WHERE bundle ->> '$.files' = ?1)",
                )?
                .query_row([files], |row| row.get(0))
        })
        .map_err(failed)?;
    if !is_used {
        copies.discard_one(files);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people;
    use crate::submissions;
    use crate::submissions::built_ins::programs;
    use std::fs::File;

    #[test]
    fn a_team_may_take_its_quota_and_nothing_is_taken_without_free_space() {
        let place = tempfile::tempdir().expect("a directory");
        let mut site = Site::open(&place.path().join("class"), programs()).expect("a class");
        let bot = place.path().join("bot");
        fs::create_dir(&bot).expect("it is ours");
        File::create(bot.join("weights")).and_then(|file| file.set_len(1 << 20)).expect("a file");
        let source = site.sources.lock().expect("no panic").keep_directory(&bot, None);
        let team = site.database.transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let team = people::team(transaction, "red")?;
            let source = source.expect("a copy");
            submissions::add(
                transaction,
                (team, person),
                submissions::Files::uploaded("bot.zip", &source),
            )?;
            Ok::<_, rusqlite::Error>(team)
        });
        let team = team.expect("SQLite works");
        let refused = |site: &Site| match check_quota(site, team, &bot) {
            Ok(()) => String::new(),
            Err(refusal) => refusal.to_string(),
        };
        site.quota = 3 << 20;
        assert_eq!(refused(&site), "");
        site.quota = 2 << 20;
        assert!(refused(&site).contains("take 1 MiB on the disk of the site, and may take 2 MiB"));

        site.least_free = 0;
        check_free(&site).expect("enough");
        site.least_free = u64::MAX;
        let error = check_free(&site).expect_err("there is no such disk").to_string();
        assert!(error.contains("free some space"), "{error}");
    }
}
