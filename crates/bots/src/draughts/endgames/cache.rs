//! Tables that stay in their file, and a cache of their [blocks](super::blocks). A position that is asked
//! for is in memory after its block is read and unpacked; the file itself is in the page cache of the
//! system, which all processes of the host share.
//!
//! All memory is allocated when the file is opened. The cache consists of parts with a lock each, so
//! that threads seldom wait for each other, and each part of sets of [`WAYS`] blocks: a new block
//! replaces the one of its set that was used least recently.

use super::blocks::{self, BLOCK, unpack_block};
use super::format::{
    CLASS_HEADER, DamagedBlock, FormatError, HEADER, Header, checksum, read_class_header,
};
use super::place::LoadError;
use super::shared_file::SharedFile;
use botyard_engine::draughts::endgame::{Endgames, Material, StoredTables};
use flate2::Decompress;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of parts of a cache.
const PARTS: usize = 16;

/// The number of blocks of a set.
const WAYS: usize = 8;

/// A block in the file.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: u64,
    length: u32,
    sum: [u8; 4],
    /// Its length before compression.
    unpacked: u32,
}

/// The tables of a file whose blocks are read when they are needed.
#[derive(Debug)]
struct CachedTables {
    file: SharedFile,
    blocks: Vec<Place>,
    parts: Vec<Mutex<Part>>,
}

/// A part of the cache.
#[derive(Debug)]
struct Part {
    /// For each set and way, the number of its block plus 1; 0 for none.
    blocks: Vec<[u32; WAYS]>,
    /// When each was last used, by `clock`.
    used: Vec<[u32; WAYS]>,
    clock: u32,
    bytes: Vec<u8>,
    /// Where blocks are read to.
    packed: Vec<u8>,
    inflate: Decompress,
}

/// Opens tables in blocks without loading them: their blocks go through a cache of at most
/// `most_bytes`, the directory of the blocks included. A cache always has room for some hundred
/// blocks.
///
/// # Errors
///
/// If the file cannot be read, or its headers or directories are damaged. A block that is damaged or
/// cannot be read makes its positions unknown.
pub(super) fn open(path: &Path, most_bytes: usize) -> Result<Endgames, LoadError> {
    let read_error = |source| LoadError::Read { path: path.into(), source };
    let format_error = |source| LoadError::Format { path: path.into(), source };
    let file = SharedFile::open(path).map_err(read_error)?;
    let length = file.length();
    let mut header = [0; HEADER];
    file.read(&mut header, 0).map_err(read_error)?;
    let header = Header::read(&header).map_err(format_error)?;
    let classes = Material::up_to(header.pieces);
    let (mut places, mut firsts) = (Vec::new(), Vec::with_capacity(classes.len()));
    let mut at = HEADER as u64;
    for (number, &material) in (1..).zip(&classes) {
        firsts.push(places.len());
        let class = add_class(&file, length, at, material, &mut places);
        at = class.map_err(|damage| {
            format_error(FormatError::Class { material, number, of: classes.len(), damage })
        })?;
    }
    if at < length {
        return Err(format_error(FormatError::TooLong((length - at) as usize)));
    }
    let directory = places.len() * size_of::<Place>();
    let sets = most_bytes.saturating_sub(directory) / (PARTS * WAYS * BLOCK);
    let longest = places.iter().map(|place| place.length).max().unwrap_or(0);
    let part = || Mutex::new(Part::new(sets.max(1), longest as usize));
    let parts = (0..PARTS).map(|_| part()).collect();
    let tables: Arc<dyn StoredTables> = Arc::new(CachedTables { file, blocks: places, parts });
    let mut endgames = Endgames::default();
    for (material, first) in classes.into_iter().zip(firsts) {
        endgames.insert_stored(material, Arc::clone(&tables), (first * BLOCK) as u64);
    }
    Ok(endgames)
}

/// Adds the blocks of the class whose header is at this place of the file; returns where it ends.
fn add_class(
    file: &SharedFile,
    file_length: u64,
    at: u64,
    material: Material,
    places: &mut Vec<Place>,
) -> Result<u64, DamagedBlock> {
    let read = |into: &mut [u8], at: u64| {
        let missing = (at + into.len() as u64).saturating_sub(file_length) as usize;
        match missing {
            0 => file.read(into, at).map_err(|_| DamagedBlock::Checksum),
            missing => Err(DamagedBlock::Truncated { missing }),
        }
    };
    let mut header = [0; CLASS_HEADER];
    read(&mut header, at)?;
    let (packed, _) = read_class_header(&header, material)?;
    let (start, length) = (at + CLASS_HEADER as u64, Endgames::bytes(material));
    let end = start + packed as u64;
    if end > file_length {
        return Err(DamagedBlock::Truncated { missing: (end - file_length) as usize });
    }
    let mut directory = vec![0; blocks::directory_length(length)];
    read(&mut directory, start)?;
    let mut at = start + directory.len() as u64;
    let entries = blocks::read_directory(&directory).ok_or(DamagedBlock::Checksum)?;
    for (number, entry) in entries.enumerate() {
        let unpacked = (length - number * BLOCK).min(BLOCK) as u32;
        places.push(Place { at, length: entry.length, sum: entry.sum, unpacked });
        at += u64::from(entry.length);
    }
    if at == end { Ok(end) } else { Err(DamagedBlock::Compression) }
}

impl StoredTables for CachedTables {
    fn byte(&self, at: u64) -> Option<u8> {
        let (block, within) = (at / BLOCK as u64, at % BLOCK as u64);
        let block = usize::try_from(block).ok()?;
        // What a panic left is a block that is not marked as there.
        let part = self.parts[block % PARTS].lock();
        let mut part = part.unwrap_or_else(PoisonError::into_inner);
        part.byte(&self.file, block, self.blocks.get(block)?, within as usize)
    }
}

impl Part {
    fn new(sets: usize, longest: usize) -> Part {
        Part {
            blocks: vec![[0; WAYS]; sets],
            used: vec![[0; WAYS]; sets],
            clock: 0,
            bytes: vec![0; sets * WAYS * BLOCK],
            packed: vec![0; longest],
            inflate: Decompress::new(false),
        }
    }

    /// Returns a byte of a block, which it reads if it is not there.
    fn byte(
        &mut self,
        file: &SharedFile,
        block: usize,
        place: &Place,
        within: usize,
    ) -> Option<u8> {
        let set = block / PARTS % self.blocks.len();
        let mark = block as u32 + 1;
        self.clock = self.clock.wrapping_add(1);
        let way = match self.blocks[set].iter().position(|&other| other == mark) {
            Some(way) => way,
            None => self.read(file, place, set, mark)?,
        };
        self.used[set][way] = self.clock;
        self.bytes.get((set * WAYS + way) * BLOCK + within).copied()
    }

    /// Reads a block in place of the least recently used one of its set.
    #[cold]
    fn read(&mut self, file: &SharedFile, place: &Place, set: usize, mark: u32) -> Option<usize> {
        let age = |way: &usize| self.clock.wrapping_sub(self.used[set][*way]);
        let is_empty = |way: &usize| self.blocks[set][*way] == 0;
        let way = (0..WAYS).find(is_empty).or_else(|| (0..WAYS).max_by_key(age))?;
        self.blocks[set][way] = 0;
        let packed = &mut self.packed[..place.length as usize];
        file.read(packed, place.at).ok()?;
        if checksum(packed) != place.sum {
            return None;
        }
        let first = (set * WAYS + way) * BLOCK;
        let into = &mut self.bytes[first..first + place.unpacked as usize];
        unpack_block(&mut self.inflate, packed, into)?;
        self.blocks[set][way] = mark;
        Some(way)
    }
}
