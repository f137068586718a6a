//! Files of learned weights: a header (magic number, version, number of weights, checksum), then
//! the weights. Each game describes its weights ([`Kind`]); this module validates the files.

use flate2::Crc;

/// The version of the format.
const VERSION: u8 = 1;
/// The length of a magic number; the version is the byte after it.
const MAGIC: usize = 7;
/// Magic number, version, number of weights and checksum.
const HEADER: usize = MAGIC + 1 + 4 + 4;

/// The weights of one evaluation.
pub struct Kind {
    /// The magic number at the beginning of a file.
    pub magic: &'static [u8; MAGIC],
    /// The name of the game.
    pub game: &'static str,
    /// What writes such files.
    pub writer: &'static str,
    /// The number of weights of the evaluation: its shape.
    pub weights: usize,
    /// The number of bytes per weight.
    pub bytes_each: usize,
}

/// The reason why bytes are not weights of the evaluation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidWeights {
    /// Another kind of file, or weights of another game.
    #[error(
        "expected a file of weights for {game}, which begins with {expected:?}; got {}: pass a file \
         written by {writer}",
        beginning(.got)
    )]
    Foreign {
        /// The name of the game.
        game: &'static str,
        /// What writes such files.
        writer: &'static str,
        /// The magic number.
        expected: String,
        /// The bytes in its place; fewer if the file is shorter.
        got: Vec<u8>,
    },
    /// An unknown version of the format.
    #[error("expected version {VERSION} of the format of weights, got version {got}")]
    Version {
        /// The version in the file.
        got: u8,
    },
    /// Weights of an evaluation of another shape.
    #[error("expected {expected} weights, got {got}: they were trained for another evaluation")]
    Shape {
        /// The number of weights of the evaluation.
        expected: usize,
        /// The number of weights in the file, by its header.
        got: usize,
    },
    /// A file that is too short or too long.
    #[error(
        "expected a file of {expected} bytes, got {got}: it is cut off, or has more at its end"
    )]
    Length {
        /// The number of bytes of the header and all weights.
        expected: usize,
        /// The number of bytes of the file.
        got: usize,
    },
    /// Damaged weights.
    #[error("expected weights with CRC-32 {expected:08x}, got {got:08x}: the file is damaged")]
    Checksum {
        /// The checksum in the header.
        expected: u32,
        /// The checksum of the weights.
        got: u32,
    },
}

fn beginning(bytes: &[u8]) -> String {
    match bytes {
        [] => "an empty file".into(),
        bytes => format!("\"{}\"", bytes.escape_ascii()),
    }
}

impl Kind {
    /// Writes a file of these weights: the magic number (7 bytes), the version (1), the number of
    /// weights (4), the CRC-32 of the weights (4), and the weights; all numbers are little-endian.
    pub fn write(&self, weights: &[u8]) -> Vec<u8> {
        debug_assert_eq!(weights.len(), self.weights * self.bytes_each);
        let mut bytes = Vec::with_capacity(HEADER + weights.len());
        bytes.extend(self.magic);
        bytes.push(VERSION);
        bytes.extend((self.weights as u32).to_le_bytes());
        bytes.extend(checksum(weights).to_le_bytes());
        bytes.extend(weights);
        bytes
    }

    /// Reads the weights in a file.
    ///
    /// # Errors
    ///
    /// If the file does not have these weights.
    pub fn read<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], InvalidWeights> {
        if !bytes.starts_with(self.magic) {
            return Err(InvalidWeights::Foreign {
                game: self.game,
                writer: self.writer,
                expected: self.magic.escape_ascii().to_string(),
                got: bytes[..bytes.len().min(MAGIC)].to_vec(),
            });
        }
        let expected = HEADER + self.weights * self.bytes_each;
        let length = || InvalidWeights::Length { expected, got: bytes.len() };
        let (header, weights) = bytes.split_first_chunk::<HEADER>().ok_or_else(length)?;
        let word = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        if header[MAGIC] != VERSION {
            return Err(InvalidWeights::Version { got: header[MAGIC] });
        }
        let got = word(MAGIC + 1) as usize;
        if got != self.weights {
            return Err(InvalidWeights::Shape { expected: self.weights, got });
        }
        if bytes.len() != expected {
            return Err(length());
        }
        let (expected, got) = (word(MAGIC + 5), checksum(weights));
        if got != expected {
            return Err(InvalidWeights::Checksum { expected, got });
        }
        Ok(weights)
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind {
        magic: b"bytests",
        game: "chess",
        writer: "`botyard train chess`",
        weights: 3,
        bytes_each: 2,
    };

    #[test]
    fn weights_are_read_as_written() {
        let file = KIND.write(b"abcdef");
        assert_eq!(KIND.read(&file), Ok(&b"abcdef"[..]));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let file = KIND.write(b"abcdef");
        let with = |at: usize, byte: u8| {
            let mut file = file.clone();
            file[at] = byte;
            file
        };
        for (bytes, message) in [
            (vec![], "begins with \"bytests\"; got an empty file"),
            (b"by".to_vec(), "got \"by\": pass a file written by `botyard train chess`"),
            (b"PK\x03\x04 and more".to_vec(), "got \"PK\\x03\\x04 an\""),
            (with(7, 2), "expected version 1 of the format of weights, got version 2"),
            (with(8, 4), "expected 3 weights, got 4"),
            (with(17, b'x'), "the file is damaged"),
            (file[..21].to_vec(), "expected a file of 22 bytes, got 21"),
            (file[..9].to_vec(), "expected a file of 22 bytes, got 9"),
            ([&file[..], b"g"].concat(), "expected a file of 22 bytes, got 23"),
        ] {
            let error = KIND.read(&bytes).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
