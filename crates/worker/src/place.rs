//! The directories of a worker on its host. The cache has copies of bots, which all workers of the host
//! share, and a directory for each worker, which one process at a time owns.

use botyard_league::private_files::{self, Use};
use botyard_runner::{Error, locked_within, passed_by_bots};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest name of a worker, in bytes.
const LONGEST: usize = 100;

/// The most workers of one host whose names are derived from it.
const MOST: u32 = 10_000;

/// How long the process that had a worker's directory may take to end.
const DYING: Duration = Duration::from_secs(2);

/// The directory of a worker, locked by this process.
#[derive(Debug)]
pub struct Place {
    name: String,
    cache: PathBuf,
    own: PathBuf,
    /// The lock is held while the file is open.
    _lock: File,
}

/// Returns the directory of the cache unless another one is given: `/var/cache/botyard` for root,
/// whose home no bot may enter, else `$XDG_CACHE_HOME/botyard` or `$HOME/.cache/botyard`.
pub fn default_cache() -> Option<PathBuf> {
    #[cfg(unix)]
    if rustix::process::geteuid().is_root() {
        return Some("/var/cache/botyard".into());
    }
    let set =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || Some(set("HOME").or_else(|| set("USERPROFILE"))?.join(".cache"));
    Some(set("XDG_CACHE_HOME").or_else(home)?.join("botyard"))
}

impl Place {
    /// Takes the directory of the worker with this name; without one, the first free one of this
    /// host: `HOST`, `HOST-2` and so on, in a group `GROUP/HOST`.
    ///
    /// # Errors
    ///
    /// A name with other characters than letters, digits, `.`, `_`, `-` and `/`; another process has
    /// it; the cache is not writable.
    pub fn take(cache: &Path, name: Option<&str>, group: Option<&str>) -> Result<Place, Error> {
        let cache = std::path::absolute(cache).map_err(Error::host)?;
        if let Some(name) = name {
            check_name(name)?;
            return Place::lock(&cache, name, DYING)?.ok_or_else(|| {
                Error::usage(format!(
                    "another process is the worker {name} with the cache {}: give this one another \
                     name",
                    cache.display()
                ))
            });
        }
        let host = match group {
            Some(group) => format!("{group}/{}", host_name()),
            None => host_name(),
        };
        for number in 1..=MOST {
            let name = if number == 1 { host.clone() } else { format!("{host}-{number}") };
            if let Some(place) = Place::lock(&cache, &name, Duration::ZERO)? {
                return Ok(place);
            }
        }
        Err(Error::host(format!("{MOST} workers of this host use the cache {}", cache.display())))
    }

    fn lock(cache: &Path, name: &str, patience: Duration) -> Result<Option<Place>, Error> {
        let own = cache.join("workers").join(name.replace('/', "%"));
        let failed = |error: io::Error| {
            Error::host(format!("the cache {} cannot be used: {error}", cache.display()))
        };
        private_files::create_directory(cache, passed_by_bots()).map_err(failed)?;
        private_files::create_directory(&own, Use::OwnerAlone).map_err(failed)?;
        private_files::tighten_directory(&cache.join("workers"), &[], Use::OwnerAlone);
        let lock = locked_within(&own.join("lock"), patience).map_err(failed)?;
        let Some(lock) = lock else { return Ok(None) };
        Ok(Some(Place { name: name.to_string(), cache: cache.to_path_buf(), own, _lock: lock }))
    }

    /// Returns the name of the worker.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the cache.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// Returns the directory with the copies of bots.
    pub fn copies(&self) -> PathBuf {
        self.cache.join("bundles")
    }

    /// Returns the directory of this worker's unsent results.
    pub fn spool(&self) -> PathBuf {
        self.own.join("spool")
    }

    /// Returns an empty directory for the replays of running games. What an earlier process left
    /// belongs to games that are played again.
    ///
    /// # Errors
    ///
    /// The cache is not writable.
    pub fn games(&self) -> io::Result<PathBuf> {
        let games = self.own.join("games");
        match fs::remove_dir_all(&games) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::create_dir_all(&games)?;
        Ok(games)
    }

    /// Returns the directories of workers that have ended, each locked by this process.
    ///
    /// # Errors
    ///
    /// The cache cannot be read.
    pub fn ended(&self) -> io::Result<Vec<Place>> {
        let mut ended = Vec::new();
        for entry in fs::read_dir(self.cache.join("workers"))? {
            let own = entry?.path();
            // A second lock of the own directory would be granted, and its end would end both.
            if own == self.own || !own.join("spool").is_dir() {
                continue;
            }
            if let Some(lock) = locked_within(&own.join("lock"), Duration::ZERO)? {
                let name = own.file_name().unwrap_or_default().to_string_lossy();
                let name = name.replace('%', "/");
                ended.push(Place { name, cache: self.cache.clone(), own, _lock: lock });
            }
        }
        Ok(ended)
    }
}

/// Checks the name of a worker.
fn check_name(name: &str) -> Result<(), Error> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte);
    let parts = || name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
    match (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_allowed) && parts() {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "expected a worker's name of 1 to {LONGEST} letters, digits, and . _ - /, got {name:?}"
        ))),
    }
}

/// Returns the name of this host, as a worker's name.
pub(crate) fn host_name() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    let allowed = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' | '-' => letter,
        _ => '-',
    };
    let name: String = name.chars().map(allowed).take(60).collect();
    let name = name.trim_start_matches('.');
    if name.is_empty() { "worker".into() } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words() {
        for (name, is_good) in [
            ("lab-3", true),
            ("lab/host.example_1", true),
            ("", false),
            ("a b", false),
            ("../x", false),
            ("/x", false),
            ("x/", false),
            (".hidden", false),
        ] {
            let cache = tempfile::tempdir().unwrap();
            assert_eq!(Place::take(cache.path(), Some(name), None).is_ok(), is_good, "{name}");
        }
        check_name(&host_name()).unwrap();
    }

    #[test]
    fn the_games_of_an_earlier_process_are_removed_and_its_results_are_not() {
        let cache = tempfile::tempdir().unwrap();
        let place = Place::take(cache.path(), Some("lab/1"), None).unwrap();
        fs::write(place.games().unwrap().join("game.ndjson"), "").unwrap();
        fs::create_dir_all(place.spool()).unwrap();
        drop(place);
        let place = Place::take(cache.path(), Some("lab/2"), None).unwrap();
        let ended = place.ended().unwrap();
        assert_eq!(ended.iter().map(Place::name).collect::<Vec<_>>(), ["lab/1"]);
        assert!(ended[0].spool().is_dir());
        assert_eq!(fs::read_dir(ended[0].games().unwrap()).unwrap().count(), 0);
    }
}
