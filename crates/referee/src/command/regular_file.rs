//! Opening files that another user may have made. Only a regular file is opened, and opening never
//! blocks: a FIFO, a device or a socket is an error. Reading is limited by the bytes that were read
//! and not by the size in the file's metadata: a sparse file has a larger size than it has data,
//! and files of `/proc` have the size 0 and may never end.

use botyard_replay::text_file;
#[cfg(unix)]
use rustix::fs::{FileType, Mode, OFlags, fstat};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file for reading. Symbolic links are followed.
///
/// # Errors
///
/// An error of the operating system, or a file that is not regular.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open(path, true)
}

/// The same, but refuses a path that is itself a symbolic link.
///
/// # Errors
///
/// An error of the operating system, or a file that is not regular.
pub fn open_regular_itself(path: &Path) -> io::Result<File> {
    open(path, false)
}

/// Reads a text of at most `limit` bytes from a file that was opened by [`open_regular`] or
/// [`open_regular_itself`], as JSON and TOML may be encoded: see [`text_file::decode`].
///
/// # Errors
///
/// An error of the operating system, a longer file, or the first byte that is not Unicode, with its place.
pub fn read_text(file: File, limit: u64) -> io::Result<String> {
    Ok(text_file::decode(read_bytes(file, limit)?)?)
}

/// Reads all bytes of a file, at most `limit`.
fn read_bytes(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::Error::other(format!("it has more than {limit} bytes"))),
        false => Ok(bytes),
    }
}

/// Reads a regular file of at most `limit` bytes as text, decompressed if gzip compressed it. Symbolic links are
/// followed. `is_unicode` says whether a file of this text must be Unicode, as JSON must; otherwise it is guessed
/// ([`text_file::guess`]).
///
/// # Errors
///
/// Those of [`open_regular`], [`read_text`] and [`text_file::decompress`].
pub fn read_text_file(
    path: &Path,
    limit: u64,
    is_unicode: impl FnOnce(&str) -> bool,
) -> io::Result<String> {
    let bytes = text_file::decompress(read_bytes(open_regular(path)?, limit)?, limit)?;
    let guessed = text_file::guess(&bytes);
    match is_unicode(&guessed) {
        true => Ok(text_file::decode(bytes)?),
        false => Ok(guessed),
    }
}

#[cfg(unix)]
fn open(path: &Path, follows_links: bool) -> io::Result<File> {
    let flags = if follows_links { OFlags::empty() } else { OFlags::NOFOLLOW };
    let flags = flags | OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(error) => {
            // A socket cannot be opened at all, and the error of the operating system does not
            // explain why.
            let is_socket = |found: std::fs::Metadata| {
                std::os::unix::fs::FileTypeExt::is_socket(&found.file_type())
            };
            return Err(match path.symlink_metadata().is_ok_and(is_socket) {
                true => not_regular(kind_in_words(FileType::Socket)),
                false => error.into(),
            });
        }
    };
    match FileType::from_raw_mode(fstat(&file)?.st_mode) {
        FileType::RegularFile => Ok(file),
        kind => Err(not_regular(kind_in_words(kind))),
    }
}

#[cfg(not(unix))]
fn open(path: &Path, follows_links: bool) -> io::Result<File> {
    let found = if follows_links { path.metadata() } else { path.symlink_metadata() }?;
    match found.file_type() {
        kind if kind.is_file() => File::open(path),
        kind if kind.is_dir() => Err(not_regular("a directory")),
        kind if kind.is_symlink() => Err(not_regular("a symbolic link")),
        _ => Err(not_regular("a device")),
    }
}

fn not_regular(kind: &str) -> io::Error {
    let message = format!("expected a regular file, got {kind}");
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// Returns the name of a kind of file, with its article.
#[cfg(unix)]
pub(crate) fn kind_in_words(kind: FileType) -> &'static str {
    match kind {
        FileType::RegularFile => "a regular file",
        FileType::Directory => "a directory",
        FileType::Symlink => "a symbolic link",
        FileType::Fifo => "a FIFO",
        FileType::Socket => "a socket",
        FileType::CharacterDevice | FileType::BlockDevice => "a device",
        FileType::Unknown => "a file of an unknown kind",
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use rustix::fs::{CWD, mknodat};
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_regular_files_are_opened_and_nothing_waits() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("file"), "text").unwrap();
        symlink("file", at("link")).unwrap();
        mknodat(CWD, at("fifo"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        assert_eq!(read_text(open_regular(&at("file")).unwrap(), 4).unwrap(), "text");
        assert_eq!(read_text(open_regular(&at("link")).unwrap(), 4).unwrap(), "text");
        assert!(open_regular_itself(&at("link")).is_err());
        for (path, expected) in [
            (at("fifo"), "a FIFO"),
            (at("socket"), "a socket"),
            (place.path().to_path_buf(), "a directory"),
            ("/dev/null".into(), "a device"),
        ] {
            let error = open_regular(&path).unwrap_err().to_string();
            assert_eq!(error, format!("expected a regular file, got {expected}"));
        }
    }

    #[test]
    fn no_more_is_read_than_was_asked_for() {
        let place = tempfile::tempdir().unwrap();
        let sparse = place.path().join("sparse");
        File::create(&sparse).unwrap().set_len(1 << 40).unwrap();
        for path in [sparse.as_path(), Path::new("/proc/self/maps")] {
            let error = read_text(open_regular(path).unwrap(), 100).unwrap_err().to_string();
            assert!(error.contains("more than 100 bytes"), "{path:?}: {error}");
        }
    }
}
