//! Replays compressed with gzip, `NAME.ndjson.gz` in place of `NAME.ndjson`: about a sixth of the size. The
//! lines are the same, so the chain of hashes and all that is checked of a replay are too.

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// What the name of a compressed replay ends in, behind that of the plain one.
const ENDING: &str = ".gz";

/// What a file compressed with gzip begins with.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The most bytes that are read from one compressed replay, once decompressed. A game under the default
/// limits makes less than half of that, and a kilobyte of gzip can hold a megabyte.
pub const MAX_DECOMPRESSED_BYTES: u64 = 256 * 1024 * 1024;

/// Why a compressed file cannot be read on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// It is not what was compressed.
    #[error(
        "the compressed file is damaged: {message}; the replay cannot be read beyond {bytes} bytes"
    )]
    Damaged {
        /// How many bytes came before, decompressed.
        bytes: u64,
        /// What the decoder says.
        message: String,
    },
    /// There is more in it than in any replay.
    #[error(
        "the compressed file holds more than {most} bytes, which is more than is read of one; \
         decompress it (gunzip) to have it read all the same"
    )]
    TooLarge {
        /// The most that is read.
        most: u64,
    },
}

/// The name of the compressed replay in place of a plain one.
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

/// Whether a path ends as those of compressed replays do.
pub fn is_compressed_path(path: &Path) -> bool {
    path.extension() == Some(OsStr::new(&ENDING[1..]))
}

/// The bytes of a replay, compressed. The same bytes give the same: the archive holds neither a name nor
/// a time.
///
/// # Errors
///
/// More bytes than [`MAX_DECOMPRESSED_BYTES`], which would not be read again.
#[expect(clippy::missing_panics_doc, reason = "writing to memory does not fail")]
pub fn compress(plain: &[u8]) -> Result<Vec<u8>, ArchiveError> {
    if plain.len() as u64 > MAX_DECOMPRESSED_BYTES {
        return Err(ArchiveError::TooLarge { most: MAX_DECOMPRESSED_BYTES });
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::default());
    let written = encoder.write_all(plain).and_then(|()| encoder.finish());
    Ok(written.expect("writing to memory does not fail"))
}

/// Opens a replay, decompressed if it begins as a compressed one does. Where there is no such file, the
/// compressed one in its place is opened, whose name is [`compressed_path`].
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // What is reported as missing is the file that was asked for.
            File::open(compressed_path(path)).map_err(|_| error)?
        }
        opened => opened?,
    };
    let mut file = BufReader::new(file);
    match file.fill_buf()?.starts_with(&MAGIC) {
        true => Ok(Box::new(BufReader::new(Decompressed::new(file, MAX_DECOMPRESSED_BYTES)))),
        false => Ok(Box::new(file)),
    }
}

/// What is in a compressed file, up to a number of bytes.
struct Decompressed<R> {
    decoder: MultiGzDecoder<R>,
    read: u64,
    most: u64,
}

impl<R: BufRead> Decompressed<R> {
    fn new(input: R, most: u64) -> Decompressed<R> {
        Decompressed { decoder: MultiGzDecoder::new(input), read: 0, most }
    }
}

impl<R: BufRead> Read for Decompressed<R> {
    /// Errors of the archive itself are [`ArchiveError`]s inside. One that is cut off ends with
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

/// The error of an archive in one of reading it.
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
        assert!(archive.len() < 1 << 12, "a bomb");
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
                // Of the header the time, the level and the system say nothing about the contents.
                Ok(bytes) => assert_eq!((bytes, place < 10), (plain.clone(), true), "byte {place}"),
                Err(None | Some(ArchiveError::Damaged { .. })) => {}
                Err(Some(error)) => panic!("byte {place}: {error}"),
            }
        }
    }
}
