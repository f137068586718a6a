//! The format of a file of endgame tables. All numbers are little-endian, checksums are CRC-32:
//!
//! * 16 bytes of header: `BOTYARDE`, the version (2 bytes; 1 for up to four pieces, 2 for five,
//!   3 for six), the most pieces (1), the number of classes (1), the checksum of these 12 bytes (4);
//! * for each class, in the order in which classes are solved, 20 bytes: the men of the side to move,
//!   those of the other side, the kings of both (1 each), the number of positions (4), the length
//!   of what follows (4), its checksum (4), the checksum of these 16 bytes (4); then, compressed with
//!   deflate (RFC 1951), a byte for each position, or with more than four pieces a byte for each four.

use botyard_engine::draughts::endgame::{BadTable, Endgames, Material};
use flate2::read::DeflateDecoder;
use std::io::Read;

/// The version of the format: of the files of the most pieces. Files of earlier versions can be read.
pub const VERSION: u16 = 3;

const MAGIC: &[u8; 8] = b"BOTYARDE";
/// The length of the header, in bytes.
pub const HEADER: usize = 16;
const BLOCK_HEADER: usize = 20;

/// The reason why bytes are not a file of endgame tables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The file is of another kind.
    #[error("it is not a file of endgame tables: expected it to begin with BOTYARDE")]
    NotTables,
    /// The file has another version of the format.
    #[error("it has version {0} of the format, and this program reads versions 1 to {VERSION}")]
    Version(u16),
    /// The checksum of the header is wrong, or a number in it is impossible.
    #[error("its header is damaged")]
    Header,
    /// A class is damaged.
    #[error("the class {material} ({number} of {of}) is damaged: {damage}")]
    Class {
        /// The class.
        material: Material,
        /// The number of the class in the file, from 1.
        number: usize,
        /// The number of classes in the file.
        of: usize,
        /// The damage.
        damage: DamagedBlock,
    },
    /// Bytes after the last class.
    #[error("{0} bytes come after the last class")]
    TooLong(usize),
}

/// The damage of a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamagedBlock {
    /// The file ends before the class does.
    #[error("the file ends {missing} bytes too early")]
    Truncated {
        /// The least number of missing bytes.
        missing: usize,
    },
    /// The checksum of the header is wrong.
    #[error("the checksum of its header is wrong")]
    Header,
    /// Another class is in this place.
    #[error("another class is in its place")]
    OtherClass,
    /// The number of positions is that of another class.
    #[error("it has {expected} positions, got {got}")]
    Positions {
        /// The number of positions of the class.
        expected: u32,
        /// The number in the file.
        got: usize,
    },
    /// The checksum of the compressed bytes is wrong.
    #[error("the checksum of its data is wrong")]
    Checksum,
    /// The bytes cannot be decompressed.
    #[error("its data cannot be decompressed")]
    Compression,
    /// The decompressed bytes are not a table.
    #[error(transparent)]
    Table(#[from] BadTable),
}

/// Returns the checksum of these bytes.
pub fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// Returns the header of a file with every class of at most this many pieces.
///
/// # Panics
///
/// If this number of pieces has more than 255 classes: with more than [`Material::MOST_PIECES`].
pub fn header(pieces: u8) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    let version = 1 + u16::from(pieces.saturating_sub(Material::MOST_WITH_PLIES));
    header.extend(version.to_le_bytes());
    let classes =
        u8::try_from(Material::up_to(pieces).len()).expect("there are 155 with six pieces");
    header.extend([pieces, classes]);
    header.extend(checksum(&header));
    header
}

/// Reads the largest number of pieces of the tables from the header.
///
/// # Errors
///
/// If the bytes do not begin with a header, or its version is unknown.
pub fn read_header(bytes: &[u8]) -> Result<u8, FormatError> {
    if !bytes.starts_with(MAGIC) {
        return Err(FormatError::NotTables);
    }
    let Some(&[.., v0, v1, pieces, _, _, _, _, _]) = bytes.get(..HEADER) else {
        return Err(FormatError::Header);
    };
    let version = u16::from_le_bytes([v0, v1]);
    if bytes[HEADER - 4..HEADER] != checksum(&bytes[..HEADER - 4]) {
        return Err(FormatError::Header);
    }
    if !(1..=VERSION).contains(&version) {
        return Err(FormatError::Version(version));
    }
    if !(2..=Material::MOST_PIECES).contains(&pieces) || bytes[..HEADER] != header(pieces) {
        return Err(FormatError::Header);
    }
    Ok(pieces)
}

/// Reads the table of a class at the beginning of these bytes, and its length in bytes.
pub(super) fn read_block(
    bytes: &[u8],
    material: Material,
) -> Result<(Vec<u8>, usize), DamagedBlock> {
    let truncated = |expected: usize| DamagedBlock::Truncated { missing: expected - bytes.len() };
    let header = bytes.get(..BLOCK_HEADER).ok_or_else(|| truncated(BLOCK_HEADER))?;
    if header[16..] != checksum(&header[..16]) {
        return Err(DamagedBlock::Header);
    }
    let number = |at: usize| {
        u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize
    };
    if header[..4] != [material.men(), material.kings()].concat() {
        return Err(DamagedBlock::OtherClass);
    }
    let (positions, end) = (number(4), BLOCK_HEADER + number(8));
    let packed = bytes.get(BLOCK_HEADER..end).ok_or_else(|| truncated(end))?;
    if header[12..16] != checksum(packed) {
        return Err(DamagedBlock::Checksum);
    }
    let expected = Endgames::positions(material);
    if positions != expected as usize {
        return Err(DamagedBlock::Positions { expected, got: positions });
    }
    // Never unpacks more than the expected size, whatever the data contain.
    let length = Endgames::bytes(material);
    let mut values = Vec::with_capacity(length);
    DeflateDecoder::new(packed)
        .take(length as u64 + 1)
        .read_to_end(&mut values)
        .map_err(|_| DamagedBlock::Compression)?;
    Ok((values, end))
}

/// Reads the tables in the bytes of a file.
///
/// # Errors
///
/// If the bytes are not exactly those of a complete build.
pub fn decode(bytes: &[u8]) -> Result<Endgames, FormatError> {
    let (endgames, length, damage) = decode_beginning(bytes)?;
    match damage {
        Some(damage) => Err(damage),
        None if bytes.len() > length => Err(FormatError::TooLong(bytes.len() - length)),
        None => Ok(endgames),
    }
}

/// Reads the tables of the classes before the first damaged one; also returns their length in the
/// file, and the damage.
///
/// # Errors
///
/// Those of [`read_header`].
pub fn decode_beginning(
    bytes: &[u8],
) -> Result<(Endgames, usize, Option<FormatError>), FormatError> {
    let pieces = read_header(bytes)?;
    let classes = Material::up_to(pieces);
    let (mut endgames, mut at) = (Endgames::default(), HEADER);
    for (number, &material) in (1..).zip(&classes) {
        let read = read_block(&bytes[at..], material).and_then(|(values, length)| {
            endgames.insert(material, values)?;
            Ok(length)
        });
        match read {
            Ok(length) => at += length,
            Err(damage) => {
                let of = classes.len();
                let damage = FormatError::Class { material, number, of, damage };
                return Ok((endgames, at, Some(damage)));
            }
        }
    }
    Ok((endgames, at, None))
}
