//! A directory as an archive that a site takes: the rules of [`unpack`](crate::files::unpack), from the other end.

use crate::files::unpack::{ARCHIVE, LIMITS, Limits};
use botyard_protocol::printable;
use botyard_runner::Error;
use botyard_runner::bots::bundle::BESIDE_SOURCES;
use botyard_runner::bots::manifest::Manifest;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The file that marks a directory as a cache, as `target` of Cargo has it (<https://bford.info/cachedir/>).
const CACHE: &str = "CACHEDIR.TAG";

/// The longest path in a message, in characters.
const SHOWN: usize = 200;

/// A packed directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The zip archive.
    pub archive: Vec<u8>,
    /// The number of its files.
    pub files: usize,
    /// What was left out: paths in the directory.
    pub left_out: Vec<String>,
}

/// Packs the directory of a bot. Left out are the directories of version control, compiled files of Python, and
/// caches that are marked with a `CACHEDIR.TAG`.
///
/// # Errors
///
/// It is not the directory of a bot, or a site would refuse it; files that cannot be read.
pub fn pack(directory: &Path) -> Result<Packed, Error> {
    Manifest::read(directory).map_err(Error::usage)?;
    packed(directory, LIMITS, ARCHIVE)
}

fn packed(directory: &Path, limits: Limits, most: u64) -> Result<Packed, Error> {
    let mut packing = Packing {
        writer: ZipWriter::new(Cursor::new(Vec::new())),
        limits,
        entries: 0,
        files: 0,
        bytes: 0,
        of: BTreeMap::new(),
        left_out: Vec::new(),
    };
    packing.add(directory, &mut Vec::new())?;
    let Packing { writer, files, left_out, of, .. } = packing;
    let archive = writer.finish().map_err(Error::host)?.into_inner();
    if archive.len() as u64 > most {
        return Err(Error::usage(format!(
            "the archive of {} has {}, and may have {}{}",
            directory.display(),
            mib(archive.len() as u64),
            mib(most),
            largest(&of)
        )));
    }
    Ok(Packed { archive, files, left_out })
}

/// A directory that is being packed.
struct Packing {
    writer: ZipWriter<Cursor<Vec<u8>>>,
    limits: Limits,
    entries: usize,
    files: usize,
    bytes: u64,
    /// The bytes of each entry of the directory.
    of: BTreeMap<String, u64>,
    left_out: Vec<String>,
}

impl Packing {
    /// Adds the entries of a directory, whose path consists of these parts.
    fn add(&mut self, directory: &Path, parts: &mut Vec<String>) -> Result<(), Error> {
        let unreadable = |path: &Path, error: io::Error| {
            Error::host(format!("{} cannot be read: {error}", path.display()))
        };
        let entries = fs::read_dir(directory).map_err(|error| unreadable(directory, error))?;
        let mut entries = entries
            .collect::<io::Result<Vec<_>>>()
            .map_err(|error| unreadable(directory, error))?;
        entries.sort_by_key(fs::DirEntry::file_name);
        if entries.is_empty() && !parts.is_empty() {
            self.count()?;
            self.writer
                .add_directory(parts.join("/"), SimpleFileOptions::default())
                .map_err(Error::host)?;
        }
        for entry in entries {
            let path = entry.path();
            let kind = entry.file_type().map_err(|error| unreadable(&path, error))?;
            let Ok(name) = entry.file_name().into_string() else {
                return Err(refused(&path, "has a name that is not UTF-8"));
            };
            if name.contains('\\') || name.chars().any(char::is_control) {
                return Err(refused(&path, "has a backslash or a control character in its name"));
            }
            parts.push(name);
            let place = parts.join("/");
            let is_cache = kind.is_dir() && path.join(CACHE).is_file();
            if is_cache || parts.last().is_some_and(|name| BESIDE_SOURCES.contains(&name.as_str()))
            {
                self.left_out.push(place);
            } else if parts.len() > self.limits.depth {
                let why = format!("is more than {} directories deep", self.limits.depth);
                return Err(refused(&path, &why));
            } else if kind.is_dir() {
                self.add(&path, parts)?;
            } else if kind.is_file() {
                self.count()?;
                let file = File::open(&path).map_err(|error| unreadable(&path, error))?;
                self.write(file, &place, &parts[0]).map_err(|error| match error {
                    Failed::Read(error) => unreadable(&path, error),
                    Failed::Refused(error) => error,
                })?;
            } else {
                let why =
                    "is a link or a device: a submission has directories and regular files alone";
                return Err(refused(&path, why));
            }
            parts.pop();
        }
        Ok(())
    }

    /// Counts an entry.
    fn count(&mut self) -> Result<(), Error> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            return Err(Error::usage(format!(
                "the directory has more than {} files: leave out what is built or downloaded",
                self.limits.entries
            )));
        }
        Ok(())
    }

    /// Writes a file, which is in this entry of the directory.
    fn write(&mut self, file: File, place: &str, top: &str) -> Result<(), Failed> {
        let mode = if is_program(&file)? { 0o755 } else { 0o644 };
        let options = SimpleFileOptions::default().unix_permissions(mode);
        self.writer
            .start_file(place, options)
            .map_err(|error| Failed::Refused(Error::host(error)))?;
        let left = self.limits.bytes - self.bytes;
        let written = io::copy(&mut file.take(left + 1), &mut self.writer)?;
        *self.of.entry(top.to_string()).or_default() += written;
        if written > left {
            return Err(Failed::Refused(Error::usage(format!(
                "the files have more than {}, which a site does not take{}",
                mib(self.limits.bytes),
                largest(&self.of)
            ))));
        }
        self.bytes += written;
        self.files += 1;
        Ok(())
    }
}

/// Why a file was not added.
enum Failed {
    Read(io::Error),
    Refused(Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Failed {
        Failed::Read(error)
    }
}

#[cfg(unix)]
fn is_program(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::PermissionsExt::mode(&file.metadata()?.permissions()) & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(_: &File) -> io::Result<bool> {
    Ok(true)
}

fn refused(path: &Path, why: &str) -> Error {
    Error::usage(format!("{} {why}", printable(&path.to_string_lossy(), SHOWN)))
}

fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}

/// Returns which entry of the directory has most, for an error.
fn largest(of: &BTreeMap<String, u64>) -> String {
    let largest = of.iter().max_by_key(|(_, bytes)| **bytes);
    largest.map_or(String::new(), |(name, bytes)| {
        format!("; {} in {} alone", mib(*bytes), printable(name, SHOWN))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::unpack::{bot_directory, unpack};
    use std::io::Write;

    const SMALL: Limits = Limits { entries: 5, depth: 3, bytes: 10_000 };

    fn write(place: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = place.join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("it is ours");
            fs::write(path, text).expect("it is ours");
        }
    }

    #[test]
    fn a_site_unpacks_what_was_packed_without_caches_and_version_control() {
        let place = tempfile::tempdir().expect("a directory");
        write(
            place.path(),
            &[
                ("bot.toml", "run = \"./bot\"\n"),
                ("bot", "#!/bin/sh\n"),
                ("src/main.rs", "fn main() {}\n"),
                (".git/config", "secret"),
                ("src/__pycache__/a.pyc", "x"),
                ("target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55"),
                ("target/debug/bot", "x"),
            ],
        );
        #[cfg(unix)]
        fs::set_permissions(
            place.path().join("bot"),
            std::os::unix::fs::PermissionsExt::from_mode(0o755),
        )
        .expect("it is ours");
        let packed = pack(place.path()).expect("a bot");
        assert_eq!(packed.files, 3);
        assert_eq!(packed.left_out, [".git", "src/__pycache__", "target"]);
        assert_eq!(pack(place.path()).expect("a bot"), packed, "the same files, the same archive");
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(&packed.archive).expect("room");
        let into = tempfile::tempdir().expect("a directory");
        unpack(file, into.path(), LIMITS).expect("a site takes it");
        let bot = bot_directory(into.path()).expect("a bot");
        assert_eq!(fs::read_to_string(bot.join("src/main.rs")).expect("a file"), "fn main() {}\n");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |name: &str| {
                fs::metadata(bot.join(name)).expect("a file").permissions().mode() & 0o111
            };
            assert!(mode("bot") != 0 && mode("bot.toml") == 0);
        }
    }

    #[test]
    fn what_a_site_would_refuse_is_refused_before_it_is_sent() {
        let refusal = |files: &[(&str, &str)]| {
            let place = tempfile::tempdir().expect("a directory");
            write(place.path(), files);
            packed(place.path(), SMALL, 1000).expect_err("refused").to_string()
        };
        let many: Vec<(&str, &str)> =
            ["a", "b", "c", "d", "e", "f"].map(|name| (name, "x")).to_vec();
        assert!(refusal(&many).contains("more than 5 files"));
        assert!(refusal(&[("a/b/c/d", "x")]).contains("more than 3 directories deep"));
        let zeros = "0".repeat(10_001);
        let large = refusal(&[("data/zeros", &zeros), ("bot", "x")]);
        assert!(large.contains("1 MiB in data alone"), "{large}");
        let mut state = 1u64;
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(b'!' + (state >> 58) as u8)
        });
        let noise: String = noise.take(9000).collect();
        let archive = refusal(&[("noise", &noise)]);
        assert!(archive.contains("the archive of"), "{archive}");
        #[cfg(unix)]
        {
            let place = tempfile::tempdir().expect("a directory");
            std::os::unix::fs::symlink("/etc/passwd", place.path().join("key")).expect("a link");
            let refused = packed(place.path(), SMALL, 1000).expect_err("a link").to_string();
            assert!(refused.contains("is a link or a device"), "{refused}");
        }
        let place = tempfile::tempdir().expect("a directory");
        assert!(pack(place.path()).expect_err("no bot").to_string().contains("bot.toml"));
    }
}
