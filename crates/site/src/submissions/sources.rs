//! The sources of versions, for the staff: which files there are, what is in one, and all of them as a zip archive.
//! What students wrote is hostile: nothing is followed, everything has a limit, and what is left out is named.

use botyard_protocol::printable;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::{SimpleFileOptions, StreamWriter};

/// The largest file that is shown, in bytes.
pub(crate) const SHOWN: u64 = 512 << 10;

/// The longest name in a list of what was left out, in characters.
const NAME: usize = 300;

/// A file of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceFile {
    /// Its path in the directory of the bot, with slashes. Untrusted.
    pub path: String,
    /// Its size, in bytes.
    pub bytes: u64,
}

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Text. Bytes that are no UTF-8 are replaced.
    Text(String),
    /// No text.
    Binary,
    /// More than [`SHOWN`].
    Large,
}

/// Returns the regular files below a directory, by their paths.
///
/// # Errors
///
/// The directory cannot be read.
pub(crate) fn list(directory: &Path) -> io::Result<Vec<SourceFile>> {
    let mut found = Vec::new();
    add_files(directory, "", &mut found)?;
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

fn add_files(directory: &Path, above: &str, found: &mut Vec<SourceFile>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = format!("{above}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            add_files(&entry.path(), &format!("{path}/"), found)?;
        } else if kind.is_file() {
            found.push(SourceFile { path, bytes: entry.metadata()?.len() });
        }
    }
    Ok(())
}

/// Reads a file of a list.
///
/// # Errors
///
/// It cannot be read.
pub(crate) fn content(directory: &Path, file: &SourceFile) -> io::Result<Content> {
    if file.bytes > SHOWN {
        return Ok(Content::Large);
    }
    let mut bytes = Vec::new();
    File::open(directory.join(&file.path))?.take(SHOWN).read_to_end(&mut bytes)?;
    Ok(match bytes.contains(&0) {
        true => Content::Binary,
        false => Content::Text(String::from_utf8_lossy(&bytes).into_owned()),
    })
}

/// A zip archive that is written to a stream, with the names of what it lacks.
pub(crate) struct Archive<W: Write> {
    writer: ZipWriter<StreamWriter<W>>,
    left_out: Vec<String>,
}

impl<W: Write> Archive<W> {
    /// Begins an archive.
    pub(crate) fn new(writer: W) -> Archive<W> {
        Archive { writer: ZipWriter::new_stream(writer), left_out: Vec::new() }
    }

    /// Adds a text.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.writer.start_file(name, options(0)).map_err(io::Error::other)?;
        self.writer.write_all(text.as_bytes())
    }

    /// Adds the files below a directory that have at most `most` bytes. What cannot be read or is larger is left out,
    /// and named at the end.
    ///
    /// # Errors
    ///
    /// The archive cannot be written.
    pub(crate) fn directory(&mut self, from: &Path, to: &str, most: u64) -> io::Result<()> {
        let files = match list(from) {
            Ok(files) => files,
            Err(error) => {
                self.leave_out(to, &format!("cannot be read: {error}"));
                return Ok(());
            }
        };
        for file in files {
            let name = format!("{to}/{}", file.path);
            if file.bytes > most {
                self.leave_out(
                    &name,
                    &format!("has {} bytes, and {most} are the most", file.bytes),
                );
                continue;
            }
            let mut opened = match File::open(from.join(&file.path)) {
                Ok(opened) => opened,
                Err(error) => {
                    self.leave_out(&name, &format!("cannot be read: {error}"));
                    continue;
                }
            };
            self.writer.start_file(&name, options(file.bytes)).map_err(io::Error::other)?;
            io::copy(&mut opened, &mut self.writer)?;
        }
        Ok(())
    }

    /// Names something that the archive lacks.
    pub(crate) fn leave_out(&mut self, name: &str, why: &str) {
        self.left_out.push(format!("{} {why}", printable(name, NAME)));
    }

    /// Ends the archive, with a file that names what it lacks, if it lacks anything.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if !self.left_out.is_empty() {
            let text = self.left_out.join("\n") + "\n";
            self.text("left-out.txt", &text)?;
        }
        self.writer.finish().map_err(io::Error::other)?.into_inner().flush()
    }
}

/// Returns how a file of this size is stored.
fn options(bytes: u64) -> SimpleFileOptions {
    SimpleFileOptions::default().large_file(bytes >= u64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn files_are_listed_and_read_and_nothing_is_followed() {
        let place = tempfile::tempdir().expect("a directory");
        fs::create_dir(place.path().join("src")).expect("it is ours");
        fs::write(place.path().join("src/a.py"), "x = 1\n").expect("it is ours");
        fs::write(place.path().join("b.bin"), b"\0\x01").expect("it is ours");
        fs::write(place.path().join("c.txt"), b"caf\xe9").expect("it is ours");
        fs::write(place.path().join("d"), vec![b'x'; 600 << 10]).expect("it is ours");
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", place.path().join("link")).expect("a link");
        let files = list(place.path()).expect("it is ours");
        let shown: Vec<(&str, Content)> = files
            .iter()
            .map(|file| (file.path.as_str(), content(place.path(), file).expect("it is ours")))
            .collect();
        let text = |text: &str| Content::Text(text.into());
        let expected = [
            ("b.bin", Content::Binary),
            ("c.txt", text("caf\u{fffd}")),
            ("d", Content::Large),
            ("src/a.py", text("x = 1\n")),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn an_archive_names_what_it_lacks() {
        let place = tempfile::tempdir().expect("a directory");
        fs::write(place.path().join("a.py"), "x = 1\n").expect("it is ours");
        fs::write(place.path().join("large"), "0123456789").expect("it is ours");
        let mut bytes = Vec::new();
        let mut archive = Archive::new(&mut bytes);
        archive.directory(place.path(), "red-1", 9).expect("memory");
        archive.directory(&place.path().join("gone"), "blue-2", 9).expect("memory");
        archive.finish().expect("memory");
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive");
        let mut text = |name: &str| {
            let mut text = String::new();
            archive.by_name(name).expect(name).read_to_string(&mut text).expect("text");
            text
        };
        assert_eq!(text("red-1/a.py"), "x = 1\n");
        let left_out = text("left-out.txt");
        assert!(left_out.contains("red-1/large has 10 bytes, and 9 are the most"), "{left_out}");
        assert!(left_out.contains("blue-2 cannot be read"), "{left_out}");
    }
}
