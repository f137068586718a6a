//! Directories that hold more than a bot, and that no bot gets as a whole: the homes of users, the
//! directories that contain those, the top of a file system, and the directories that every user may
//! write in.

use std::fs;
use std::path::{Path, PathBuf};

/// Directories that are never granted, nor searched for the parts of an installation.
const TOP: [&str; 13] = [
    "/", "/boot", "/dev", "/dev/shm", "/etc", "/home", "/proc", "/root", "/run", "/sys", "/tmp",
    "/var", "/var/tmp",
];

/// Directories whose entries belong to different owners. They may hold an installation.
const SHARED: [&str; 4] = ["/media", "/mnt", "/opt", "/srv"];

/// Directories of which every entry is the home of a user, also of one that `/etc/passwd` does not
/// list.
const OF_HOMES: [&str; 2] = ["/home", "/Users"];

/// The list of users. Its sixth field is a home directory.
const USERS: &str = "/etc/passwd";

/// The directories of this host that hold more than a bot.
#[derive(Debug)]
pub(super) struct WideDirectories {
    homes: Vec<PathBuf>,
    of_homes: Vec<PathBuf>,
}

impl WideDirectories {
    /// Returns those of this host, with the home of the user who runs this program. A program that
    /// runs as root by `sudo` has another `HOME` than the user, so all homes count.
    pub(super) fn of_host(home: Option<PathBuf>) -> WideDirectories {
        let users = fs::read(USERS).unwrap_or_default();
        let listed = String::from_utf8_lossy(&users);
        WideDirectories::of(home.into_iter().chain(homes_in(&listed)))
    }

    /// Returns those of a host with these homes.
    pub(super) fn of(homes: impl Iterator<Item = PathBuf>) -> WideDirectories {
        let homes = homes.filter(|home| home.is_absolute()).flat_map(with_real);
        let of_homes = OF_HOMES.iter().map(PathBuf::from).flat_map(with_real);
        WideDirectories { homes: homes.collect(), of_homes: of_homes.collect() }
    }

    /// Returns whether this is a home, or contains one, or is the top of a file system.
    pub(super) fn is_home_or_top(&self, path: &Path) -> bool {
        TOP.iter().any(|top| path == Path::new(top))
            || self.homes.iter().any(|home| home.starts_with(path))
            || self.of_homes.iter().any(|of_homes| {
                of_homes.starts_with(path) || path.parent() == Some(of_homes.as_path())
            })
    }

    /// Returns whether a directory holds more than a bot. `path` must be absolute.
    pub(super) fn contains(&self, path: &Path) -> bool {
        SHARED.iter().any(|shared| path == Path::new(shared)) || self.is_home_or_top(path)
    }
}

/// Returns a path, and the same without links if it differs.
fn with_real(path: PathBuf) -> impl Iterator<Item = PathBuf> {
    let real = path.canonicalize().ok().filter(|real| *real != path);
    [path].into_iter().chain(real)
}

fn homes_in(users: &str) -> impl Iterator<Item = PathBuf> {
    users.lines().filter_map(|user| user.split(':').nth(5)).map(PathBuf::from)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn homes_of_all_users_and_what_contains_them_are_wide() {
        let users = "root:x:0:0:root:/root:/bin/sh\n\
                     daemon:x:1:1::/usr/sbin:\n\
                     ada:x:1000:1000:Ada,,,:/srv/people/ada:/bin/sh\n\
                     odd\n\
                     none:x:9:9:::\n";
        let wide = WideDirectories::of(homes_in(users).chain([PathBuf::from("/data/ben")]));
        for path in [
            "/",
            "/tmp",
            "/var/tmp",
            "/dev/shm",
            "/root",
            "/srv",
            "/srv/people",
            "/srv/people/ada",
            "/data",
            "/data/ben",
            "/home",
            // Users of a directory service are not listed.
            "/home/carl",
            "/Users/dora",
            "/opt",
            "/mnt",
            "/media",
        ] {
            assert!(wide.contains(Path::new(path)), "{path}");
        }
        for path in [
            "/srv/people/ada/bot",
            "/srv/class",
            "/data/ben/bot",
            "/home/carl/bot",
            "/opt/jdk",
            "/tmp/class",
            "/work",
        ] {
            assert!(!wide.contains(Path::new(path)), "{path}");
        }
        // `/opt/bin` may be that of an installation in `/opt`.
        assert!(!wide.is_home_or_top(Path::new("/opt")));
        assert!(wide.is_home_or_top(Path::new("/home/carl")));
    }

    #[test]
    fn a_home_is_found_by_its_link_and_by_its_real_path() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        fs::create_dir(place.join("real")).unwrap();
        std::os::unix::fs::symlink("real", place.join("home")).unwrap();
        let wide = WideDirectories::of([place.join("home")].into_iter());
        for path in [place.join("home"), place.join("real"), place.clone()] {
            assert!(wide.contains(&path), "{path:?}");
        }
        assert!(!wide.contains(&place.join("real/bot")));
    }
}
