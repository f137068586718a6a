//! The bytes of a file of endgame tables. All numbers are little-endian, checksums are CRC-32:
//!
//! * 16 bytes of header: `BOTYARDE`, the version (2 bytes), the most pieces (1), the number of
//!   classes (1), the checksum of these 12 bytes (4);
//! * for each class, in the order in which classes are solved, 20 bytes: the men of the side to move,
//!   those of the other side, the kings of both (1 each), the number of positions (4), the length
//!   of what follows (4), its checksum (4), the checksum of these 16 bytes (4); then a byte for each
//!   position, compressed with deflate (RFC 1951).

use botyard_engine::draughts::endgame::{BadTable, Endgames, Material};
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::io::Read;

/// The version of the format.
pub const VERSION: u16 = 1;

const MAGIC: &[u8; 8] = b"BOTYARDE";
pub(super) const HEADER: usize = 16;
const BLOCK_HEADER: usize = 20;

/// Why bytes are no file of endgame tables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Something else altogether.
    #[error("it is no file of endgame tables: expected it to begin with BOTYARDE")]
    NotTables,
    /// Another version.
    #[error("it has version {0} of the format, and this program reads version {VERSION}")]
    Version(u16),
    /// The header does not have its checksum, or promises what there cannot be.
    #[error("its header is damaged")]
    Header,
    /// A class is damaged.
    #[error("the class {material} ({number} of {of}) is damaged: {damage}")]
    Class {
        /// The class.
        material: Material,
        /// Which one of all it is, from 1.
        number: usize,
        /// How many there should be.
        of: usize,
        /// What is wrong with it.
        damage: DamagedBlock,
    },
    /// Bytes after the last class.
    #[error("{0} bytes come after the last class")]
    TooLong(usize),
}

/// What is wrong with the bytes of a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamagedBlock {
    /// The file ends before it does.
    #[error("the file ends {missing} bytes too early")]
    Truncated {
        /// How many bytes are missing at least.
        missing: usize,
    },
    /// The header does not have its checksum.
    #[error("its header does not have its checksum")]
    Header,
    /// Another class is in this place.
    #[error("another class is in its place")]
    OtherClass,
    /// The compressed bytes do not have their checksum.
    #[error("its data do not have their checksum")]
    Checksum,
    /// The bytes cannot be decompressed.
    #[error("its data cannot be decompressed")]
    Compression,
    /// What was compressed is no table.
    #[error(transparent)]
    Table(#[from] BadTable),
}

pub(super) fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// The header of a file with every class of at most so many pieces.
pub(super) fn header(pieces: u8) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    let classes = u8::try_from(Material::up_to(pieces).len()).expect("there are 41 with 4 pieces");
    header.extend([pieces, classes]);
    header.extend(checksum(&header));
    header
}

/// The bytes of a class.
pub(super) fn block(material: Material, values: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    DeflateEncoder::new(values, Compression::best())
        .read_to_end(&mut packed)
        .expect("reading from memory does not fail");
    let number = |length: usize| u32::try_from(length).expect("below 2^20 positions").to_le_bytes();
    let mut block = [material.men(), material.kings()].concat();
    block.extend(number(values.len()));
    block.extend(number(packed.len()));
    block.extend(checksum(&packed));
    block.extend(checksum(&block));
    block.extend(packed);
    block
}

/// The most pieces of the tables in a file that begins with these bytes.
pub(super) fn read_header(bytes: &[u8]) -> Result<u8, FormatError> {
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
    if version != VERSION {
        return Err(FormatError::Version(version));
    }
    if !(2..=Material::MOST_PIECES).contains(&pieces) || bytes[..HEADER] != header(pieces) {
        return Err(FormatError::Header);
    }
    Ok(pieces)
}

/// The table of a class at the beginning of these bytes, and how many bytes it takes.
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
        return Err(BadTable::Length { material, expected, got: positions }.into());
    }
    // No more than it should be is unpacked, whatever the data say.
    let mut values = Vec::with_capacity(positions);
    DeflateDecoder::new(packed)
        .take(positions as u64 + 1)
        .read_to_end(&mut values)
        .map_err(|_| DamagedBlock::Compression)?;
    Ok((values, end))
}

/// The tables in the bytes of a file.
///
/// # Errors
///
/// Bytes that are not exactly what a finished build wrote.
pub fn decode(bytes: &[u8]) -> Result<Endgames, FormatError> {
    let (endgames, length, damage) = decode_beginning(bytes)?;
    match damage {
        Some(damage) => Err(damage),
        None if bytes.len() > length => Err(FormatError::TooLong(bytes.len() - length)),
        None => Ok(endgames),
    }
}

/// The tables of the classes before the first damaged one, the length of these in the file, and
/// the damage.
pub(super) fn decode_beginning(
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
