//! The file of tokens: names and hashes, readable by its owner alone. A running coordinator notices
//! changes, so a token that is revoked is refused from the next call on.

use crate::token::{DrawError, Token};
use serde::{Deserialize, Serialize};
use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The tokens in a file.
#[derive(Debug)]
pub struct Tokens {
    path: PathBuf,
    read: Mutex<Read>,
}

/// The content of the file as it was read last.
#[derive(Debug, Default)]
struct Read {
    /// What the file was then. `None` before it was read.
    stamp: Option<Stamp>,
    entries: Vec<Entry>,
}

/// What changes when the file does: it is replaced as a whole.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    changed: Option<SystemTime>,
    size: u64,
    inode: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    tokens: Vec<Entry>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    sha256: String,
    /// Seconds since 1970.
    added_at: u64,
}

/// A token in a list, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedToken {
    /// Its name.
    pub name: String,
    /// When it was added, in seconds since 1970 (UTC).
    pub added_at: u64,
}

/// Why the file of tokens cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenFileError {
    /// It does not exist.
    #[error(
        "there is no file of tokens {}: `botyard coordinator token add NAME` makes it", .0.display()
    )]
    NotThere(PathBuf),
    /// Others than its owner may read it.
    #[error(
        "the file of tokens {} has the mode {mode:o}, with which others can read it: `chmod 600` it",
        path.display()
    )]
    Mode {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// It has other content.
    #[error("{} is not a file of tokens: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// It cannot be read or written.
    #[error("the file of tokens {} cannot be used: {error}", path.display())]
    Host {
        /// The file.
        path: PathBuf,
        /// The system's message.
        error: io::Error,
    },
    /// The name is taken.
    #[error("there is a token {0:?} already: revoke it first, or choose another name")]
    Taken(String),
    /// There is no token of this name.
    #[error("there is no token {0:?}; `botyard coordinator token list` lists them")]
    Unknown(String),
    /// The token cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

impl Tokens {
    /// Returns the tokens of a file, which need not exist yet.
    pub fn in_file(path: impl Into<PathBuf>) -> Tokens {
        Tokens { path: path.into(), read: Mutex::default() }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Draws a token, adds it, and returns it: the file has only its hash.
    ///
    /// # Errors
    ///
    /// A name that is taken or cannot be one; a file that cannot be used.
    pub fn add(&self, name: &str) -> Result<Token, TokenFileError> {
        let token = Token::draw(name)?;
        let _lock = self.lock()?;
        let mut entries = self.entries_or_none()?;
        if entries.iter().any(|entry| entry.name == name) {
            return Err(TokenFileError::Taken(name.to_string()));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let added_at = now.map_or(0, |since| since.as_secs());
        entries.push(Entry { name: name.to_string(), sha256: token.hash(), added_at });
        self.write(entries)?;
        Ok(token)
    }

    /// Removes a token.
    ///
    /// # Errors
    ///
    /// There is none of this name; a file that cannot be used.
    pub fn revoke(&self, name: &str) -> Result<(), TokenFileError> {
        let _lock = self.lock()?;
        let mut entries = self.entries_or_none()?;
        let before = entries.len();
        entries.retain(|entry| entry.name != name);
        match entries.len() == before {
            true => Err(TokenFileError::Unknown(name.to_string())),
            false => self.write(entries),
        }
    }

    /// Returns all tokens, in the order in which they were added.
    ///
    /// # Errors
    ///
    /// A file that cannot be used.
    pub fn list(&self) -> Result<Vec<ListedToken>, TokenFileError> {
        let listed = |entry: Entry| ListedToken { name: entry.name, added_at: entry.added_at };
        Ok(self.entries_or_none()?.into_iter().map(listed).collect())
    }

    /// Checks that the file can be read.
    ///
    /// # Errors
    ///
    /// It cannot, or it does not exist.
    pub fn check(&self) -> Result<(), TokenFileError> {
        self.entries().map(drop)
    }

    /// Returns whether a token is in the file. The file is read if it has changed.
    ///
    /// # Errors
    ///
    /// A file that cannot be used.
    pub fn has(&self, token: &Token) -> Result<bool, TokenFileError> {
        let stamp = stamp(&self.metadata()?);
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.stamp.as_ref() != Some(&stamp) {
            *read = Read { entries: self.entries()?, stamp: Some(stamp) };
        }
        let entry = read.entries.iter().find(|entry| entry.name == token.name());
        Ok(entry.is_some_and(|entry| token.has_hash(&entry.sha256)))
    }

    fn entries_or_none(&self) -> Result<Vec<Entry>, TokenFileError> {
        match self.entries() {
            Err(TokenFileError::NotThere(_)) => Ok(Vec::new()),
            entries => entries,
        }
    }

    fn entries(&self) -> Result<Vec<Entry>, TokenFileError> {
        check_mode(&self.path, &self.metadata()?)?;
        let text = fs::read_to_string(&self.path).map_err(|error| self.host(error))?;
        let content: Content = serde_json::from_str(&text).map_err(|error| {
            TokenFileError::Content { path: self.path.clone(), message: error.to_string() }
        })?;
        Ok(content.tokens)
    }

    fn metadata(&self) -> Result<Metadata, TokenFileError> {
        fs::metadata(&self.path).map_err(|error| self.host(error))
    }

    fn host(&self, error: io::Error) -> TokenFileError {
        let path = self.path.clone();
        match error.kind() {
            io::ErrorKind::NotFound => TokenFileError::NotThere(path),
            _ => TokenFileError::Host { path, error },
        }
    }

    /// Replaces the file. A temporary file is readable by its owner alone.
    fn write(&self, tokens: Vec<Entry>) -> Result<(), TokenFileError> {
        let failed = |error| TokenFileError::Host { path: self.path.clone(), error };
        let mut text = serde_json::to_vec_pretty(&Content { tokens })
            .map_err(|error| failed(io::Error::other(error)))?;
        text.push(b'\n');
        let written = || -> io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(directory(&self.path))?;
            file.write_all(&text)?;
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            Ok(())
        };
        written().map_err(failed)
    }

    /// Keeps other programs from changing the file at the same time.
    fn lock(&self) -> Result<impl Drop + use<>, TokenFileError> {
        lock(directory(&self.path))
            .map_err(|error| TokenFileError::Host { path: self.path.clone(), error })
    }
}

fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A lock that ends with this value.
struct Locked {
    _directory: Option<fs::File>,
}

impl Drop for Locked {
    fn drop(&mut self) {}
}

/// Waits for the lock of a directory.
#[cfg(unix)]
fn lock(directory: &Path) -> io::Result<Locked> {
    let file = fs::File::open(directory)?;
    rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
    Ok(Locked { _directory: Some(file) })
}

/// Directories cannot be locked: the last of two changes at once wins.
#[cfg(not(unix))]
fn lock(_: &Path) -> io::Result<Locked> {
    Ok(Locked { _directory: None })
}

#[cfg(unix)]
fn check_mode(path: &Path, metadata: &Metadata) -> Result<(), TokenFileError> {
    use std::os::unix::fs::MetadataExt;
    let mode = metadata.mode() & 0o7777;
    match mode & 0o077 {
        0 => Ok(()),
        _ => Err(TokenFileError::Mode { path: path.to_path_buf(), mode }),
    }
}

#[cfg(not(unix))]
fn check_mode(_: &Path, _: &Metadata) -> Result<(), TokenFileError> {
    Ok(())
}

#[cfg(unix)]
fn stamp(metadata: &Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt;
    Stamp { changed: metadata.modified().ok(), size: metadata.size(), inode: metadata.ino() }
}

#[cfg(not(unix))]
fn stamp(metadata: &Metadata) -> Stamp {
    Stamp { changed: metadata.modified().ok(), size: metadata.len(), inode: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_until_it_is_revoked_also_in_a_server_that_runs() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tokens.json");
        let (server, admin) = (Tokens::in_file(&path), Tokens::in_file(&path));
        assert!(matches!(server.check(), Err(TokenFileError::NotThere(_))));
        assert_eq!(admin.list().unwrap(), []);
        let lab = admin.add("lab").unwrap();
        let other = admin.add("other").unwrap();
        assert!(server.has(&lab).unwrap() && server.has(&other).unwrap());
        assert!(matches!(admin.add("lab"), Err(TokenFileError::Taken(_))));
        let names: Vec<String> = admin.list().unwrap().into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["lab", "other"]);
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains(lab.reveal().trim_start_matches("lab.")), "only the hash");
        admin.revoke("lab").unwrap();
        assert!(!server.has(&lab).unwrap() && server.has(&other).unwrap());
        assert!(matches!(admin.revoke("lab"), Err(TokenFileError::Unknown(_))));
        let again = admin.add("lab").unwrap();
        assert!(server.has(&again).unwrap() && !server.has(&lab).unwrap());
    }

    #[test]
    fn many_programs_that_add_tokens_at_once_lose_none() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tokens.json");
        std::thread::scope(|scope| {
            for number in 0..16 {
                let tokens = Tokens::in_file(&path);
                scope.spawn(move || tokens.add(&format!("t{number}")).unwrap());
            }
        });
        assert_eq!(Tokens::in_file(&path).list().unwrap().len(), 16);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tokens.json");
        let tokens = Tokens::in_file(&path);
        let lab = tokens.add("lab").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(tokens.has(&lab), Err(TokenFileError::Mode { mode: 0o640, .. })));
        let error = tokens.add("more").unwrap_err().to_string();
        assert!(error.contains("chmod 600"), "{error}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(&path, "{}").unwrap();
        assert!(matches!(tokens.check(), Err(TokenFileError::Content { .. })));
    }
}
