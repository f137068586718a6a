//! The format of a file of endgame tables. All numbers are little-endian, checksums are CRC-32:
//!
//! * 16 bytes of header: `BOTYARDE`, the version (2 bytes), the most pieces (1), the number of
//!   classes (1), the checksum of these 12 bytes (4);
//! * for each class, in the order in which classes are solved, 20 bytes: the men of the side to move,
//!   those of the other side, the kings of both (1 each), the number of positions (4), the length
//!   of what follows (4), its checksum (4), the checksum of these 16 bytes (4); then its table: a
//!   byte for each position, or with more than four pieces a byte for each four.
//!
//! Tables of up to four pieces have version 1: each is compressed with deflate (RFC 1951) as a whole.
//! With more pieces it is 4: each is in blocks, so that a part of it can be read alone.
//! Files of versions 2 (five pieces) and 3 (six) have the form of version 1.

use super::blocks;
use botyard_engine::draughts::endgame::{BadTable, Endgames, Material};
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::io::Read;

/// The version of the format: of files with blocks. Files of earlier versions can be read.
pub const VERSION: u16 = 4;

const MAGIC: &[u8; 8] = b"BOTYARDE";
/// The length of the header, in bytes.
pub const HEADER: usize = 16;
/// The length of the header of a class, in bytes.
pub(super) const CLASS_HEADER: usize = 20;

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

/// The header of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version of the format.
    pub version: u16,
    /// The largest number of pieces of a class.
    pub pieces: u8,
}

impl Header {
    /// Returns the header of a new file with every class of at most this many pieces.
    pub const fn new(pieces: u8) -> Header {
        let version = if pieces > Material::MOST_WITH_PLIES { VERSION } else { 1 };
        Header { version, pieces }
    }

    /// Returns whether the tables are in blocks.
    pub const fn has_blocks(self) -> bool {
        self.version == VERSION
    }

    /// Returns the bytes of the header.
    ///
    /// # Panics
    ///
    /// If this number of pieces has more than 255 classes: with more than [`Material::MOST_PIECES`].
    pub fn bytes(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.version.to_le_bytes());
        let classes = u8::try_from(Material::up_to(self.pieces).len());
        bytes.extend([self.pieces, classes.expect("there are 155 with six pieces")]);
        bytes.extend(checksum(&bytes));
        bytes
    }

    /// Reads the header at the beginning of these bytes.
    ///
    /// # Errors
    ///
    /// If the bytes do not begin with a header, or its version is unknown.
    pub fn read(bytes: &[u8]) -> Result<Header, FormatError> {
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
        let header = Header { version, pieces };
        let earlier = 1 + u16::from(pieces.saturating_sub(Material::MOST_WITH_PLIES));
        let is_version = version == earlier || header == Header::new(pieces);
        let is_known = is_version && (2..=Material::MOST_PIECES).contains(&pieces);
        match is_known && bytes[..HEADER] == header.bytes() {
            true => Ok(header),
            false => Err(FormatError::Header),
        }
    }
}

/// Reads the header of a class: the length and the checksum of the table that follows it.
pub(super) fn read_class_header(
    header: &[u8],
    material: Material,
) -> Result<(usize, [u8; 4]), DamagedBlock> {
    let missing = CLASS_HEADER.saturating_sub(header.len());
    let Some(&[m0, m1, k0, k1, p0, p1, p2, p3, l0, l1, l2, l3, c0, c1, c2, c3, ..]) =
        header.get(..CLASS_HEADER)
    else {
        return Err(DamagedBlock::Truncated { missing });
    };
    if header[16..CLASS_HEADER] != checksum(&header[..16]) {
        return Err(DamagedBlock::Header);
    }
    if ([m0, m1], [k0, k1]) != (material.men(), material.kings()) {
        return Err(DamagedBlock::OtherClass);
    }
    let (positions, expected) =
        (u32::from_le_bytes([p0, p1, p2, p3]), Endgames::positions(material));
    if positions != expected {
        return Err(DamagedBlock::Positions { expected, got: positions as usize });
    }
    Ok((u32::from_le_bytes([l0, l1, l2, l3]) as usize, [c0, c1, c2, c3]))
}

/// Returns the bytes of a class with this table.
///
/// # Panics
///
/// If the table takes 4 GiB or more, compressed. A class has fewer than 2^28 positions.
pub fn class_bytes(header: Header, material: Material, table: &[u8]) -> Vec<u8> {
    let packed = match header.has_blocks() {
        true => blocks::pack(table),
        false => whole(table),
    };
    let length = u32::try_from(packed.len()).expect("a class has fewer than 2^28 positions");
    let mut class = [material.men(), material.kings()].concat();
    class.extend(Endgames::positions(material).to_le_bytes());
    class.extend(length.to_le_bytes());
    class.extend(checksum(&packed));
    class.extend(checksum(&class));
    class.extend(packed);
    class
}

/// Returns a table compressed as a whole.
fn whole(table: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = DeflateEncoder::new(table, Compression::best());
    encoder.read_to_end(&mut packed).expect("reading from memory does not fail");
    packed
}

/// Reads the table of a class at the beginning of these bytes, and its length in bytes.
fn read_class(
    bytes: &[u8],
    header: Header,
    material: Material,
) -> Result<(Vec<u8>, usize), DamagedBlock> {
    let (length, sum) = read_class_header(bytes, material)?;
    let end = CLASS_HEADER + length;
    let packed = bytes
        .get(CLASS_HEADER..end)
        .ok_or_else(|| DamagedBlock::Truncated { missing: end - bytes.len() })?;
    if sum != checksum(packed) {
        return Err(DamagedBlock::Checksum);
    }
    let length = Endgames::bytes(material);
    if header.has_blocks() {
        let table = blocks::unpack(packed, length).ok_or(DamagedBlock::Compression)?;
        return Ok((table, end));
    }
    // Never unpacks more than the expected size, whatever the data contain.
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
/// Those of [`Header::read`].
pub fn decode_beginning(
    bytes: &[u8],
) -> Result<(Endgames, usize, Option<FormatError>), FormatError> {
    let header = Header::read(bytes)?;
    let classes = Material::up_to(header.pieces);
    let (mut endgames, mut at) = (Endgames::default(), HEADER);
    for (number, &material) in (1..).zip(&classes) {
        let read = read_class(&bytes[at..], header, material).and_then(|(values, length)| {
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
