//! Replays compressed with gzip, `NAME.ndjson.gz` in place of `NAME.ndjson`: about a sixth of the
//! size. The lines are the same, and so are the chain of hashes and all checks of a replay.

use crate::text_file;
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The suffix of a compressed replay, after the name of the plain one.
const ENDING: &str = ".gz";

/// The first bytes of a gzip file.
pub(crate) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The maximum number of bytes that are read from one compressed replay, after decompression. A
/// game under the default limits has less than half of that, while a kilobyte of gzip can
/// decompress to a megabyte.
pub const MAX_DECOMPRESSED_BYTES: u64 = 256 * 1024 * 1024;

/// The reason why a compressed file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// The compressed data is corrupt.
    #[error("the compressed file is damaged: {message}; it cannot be read beyond {bytes} bytes")]
    Damaged {
        /// How many bytes were decompressed before.
        bytes: u64,
        /// The error of the decoder.
        message: String,
    },
    /// It decompresses to more bytes than are read.
    #[error(
        "the compressed file decompresses to more than {most} bytes, the limit for such a file; run `gunzip` on \
         it to read it anyway"
    )]
    TooLarge {
        /// The limit in bytes.
        most: u64,
    },
}

/// Returns the path of the compressed replay in place of a plain one.
///
/// ```
/// use botyard_replay::compressed_path;
///
/// assert_eq!(compressed_path("replays/a.ndjson".as_ref()), std::path::Path::new("replays/a.ndjson.gz"));
/// ```
pub fn compressed_path(plain: &Path) -> PathBuf {
    let mut name = OsString::from(plain);
    name.push(ENDING);
    name.into()
}

/// Returns whether a path has the suffix of a compressed replay.
pub fn is_compressed_path(path: &Path) -> bool {
    path.extension() == Some(OsStr::new(&ENDING[1..]))
}

/// Compresses the bytes of a replay. Equal input gives equal output: the archive holds neither a
/// name nor a time.
///
/// # Errors
///
/// More than [`MAX_DECOMPRESSED_BYTES`] bytes, which could not be read back.
#[expect(clippy::missing_panics_doc, reason = "writing to memory does not fail")]
pub fn compress(plain: &[u8]) -> Result<Vec<u8>, ArchiveError> {
    if plain.len() as u64 > MAX_DECOMPRESSED_BYTES {
        return Err(ArchiveError::TooLarge { most: MAX_DECOMPRESSED_BYTES });
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::default());
    let written = encoder.write_all(plain).and_then(|()| encoder.finish());
    Ok(written.expect("writing to memory does not fail"))
}

/// Opens a replay, and decompresses it if it begins like a gzip file. If the file does not exist,
/// opens the compressed one in its place, at [`compressed_path`].
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // The error names the file that was asked for.
            File::open(compressed_path(path)).map_err(|_| error)?
        }
        opened => opened?,
    };
    plain(BufReader::new(file))
}

/// Returns the contents of a replay: decompressed if it begins like a gzip file, and as UTF-8 if a shell has made UTF-16
/// of it.
pub(crate) fn plain<'a>(mut input: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let beginning = input.fill_buf()?;
    if beginning.starts_with(&MAGIC) {
        return Ok(Box::new(BufReader::new(Decompressed::new(input, MAX_DECOMPRESSED_BYTES))));
    }
    if text_file::utf_16(beginning).is_none() {
        return Ok(Box::new(input));
    }
    let mut bytes = Vec::new();
    input.take(MAX_DECOMPRESSED_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_DECOMPRESSED_BYTES {
        return Err(io::Error::other(ArchiveError::TooLarge { most: MAX_DECOMPRESSED_BYTES }));
    }
    // A replay may be cut anywhere, also between the two halves of a character.
    let end = bytes.len() / 2 * 2;
    let read = |end: usize| text_file::utf_16(&bytes[..end]).unwrap_or_else(|| Ok(String::new()));
    let text = read(end).or_else(|error| read(end - 2).map_err(|_| error))?;
    Ok(Box::new(io::Cursor::new(text)))
}

/// The contents of a compressed file, up to a limit of bytes.
pub(crate) struct Decompressed<R> {
    decoder: MultiGzDecoder<R>,
    read: u64,
    most: u64,
}

impl<R: BufRead> Decompressed<R> {
    pub(crate) fn new(input: R, most: u64) -> Decompressed<R> {
        Decompressed { decoder: MultiGzDecoder::new(input), read: 0, most }
    }
}

impl<R: BufRead> Read for Decompressed<R> {
    /// An error of the archive itself contains an [`ArchiveError`]. A truncated archive gives
    /// [`io::ErrorKind::UnexpectedEof`].
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                let (bytes, message) = (self.read, error.to_string());
                io::Error::new(error.kind(), ArchiveError::Damaged { bytes, message })
            }
            _ => error,
        })?;
        self.read += count as u64;
        match self.read > self.most {
            true => Err(io::Error::other(ArchiveError::TooLarge { most: self.most })),
            false => Ok(count),
        }
    }
}

/// Returns the archive's error in an I/O error, if it is one.
pub(crate) fn archive_error(error: &io::Error) -> Option<&ArchiveError> {
    error.get_ref()?.downcast_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decompressed(archive: &[u8], most: u64) -> Result<Vec<u8>, Option<ArchiveError>> {
        let mut all = Vec::new();
        match Decompressed::new(archive, most).read_to_end(&mut all) {
            Ok(_) => Ok(all),
            Err(error) => Err(archive_error(&error).cloned()),
        }
    }

    #[test]
    fn what_was_compressed_comes_back_and_is_the_same_each_time() {
        let plain = br#"{"type":"move","turn":1,"seat":"white","action":"32-28"}"#.repeat(200);
        for bytes in [&b""[..], b"\n", &plain] {
            let archive = compress(bytes).unwrap();
            assert_eq!(decompressed(&archive, MAX_DECOMPRESSED_BYTES).unwrap(), bytes);
            assert_eq!(compress(bytes).unwrap(), archive);
        }
        assert!(compress(&plain).unwrap().len() * 5 < plain.len());
    }

    #[test]
    fn no_more_than_the_most_is_read() {
        let archive = compress(&vec![0; 1 << 20]).unwrap();
        assert!(archive.len() < 1 << 12, "a decompression bomb");
        assert_eq!(decompressed(&archive, 1 << 20).unwrap().len(), 1 << 20);
        let most = (1 << 20) - 1;
        assert_eq!(decompressed(&archive, most), Err(Some(ArchiveError::TooLarge { most })));
    }

    #[test]
    fn every_changed_byte_of_an_archive_is_found_or_makes_no_difference() {
        let plain = br#"{"type":"log","turn":1,"player":"fox","text":"abcdefgh"}"#.repeat(3);
        let archive = compress(&plain).unwrap();
        for place in 0..archive.len() {
            let mut changed = archive.clone();
            changed[place] ^= 0x55;
            match decompressed(&changed, MAX_DECOMPRESSED_BYTES) {
                // The time, the level and the system in the header do not affect the contents.
                Ok(bytes) => assert_eq!((bytes, place < 10), (plain.clone(), true), "byte {place}"),
                Err(None | Some(ArchiveError::Damaged { .. })) => {}
                Err(Some(error)) => panic!("byte {place}: {error}"),
            }
        }
    }
}
