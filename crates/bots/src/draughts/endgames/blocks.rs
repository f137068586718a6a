//! Tables in blocks that can be read alone. A table is cut every [`BLOCK`] bytes, and each block is
//! compressed with deflate (RFC 1951). Before the blocks is their directory: for each, its length in the
//! file and its checksum (4 bytes each), and at its end the checksum of all of this (4). Numbers are
//! little-endian, checksums are CRC-32.

use super::format::checksum;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// The length of a block before compression, in bytes; that of the last one of a table may be less.
pub(super) const BLOCK: usize = 4096;

/// The length of a block's entry in the directory.
const ENTRY: usize = 8;

/// A block in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its length in the file.
    pub length: u32,
    /// Its checksum.
    pub sum: [u8; 4],
}

/// Returns the number of blocks of a table of this length.
pub(super) const fn count(length: usize) -> usize {
    length.div_ceil(BLOCK)
}

/// Returns the length of the directory of a table of this length, in bytes.
pub(super) const fn directory_length(length: usize) -> usize {
    count(length) * ENTRY + 4
}

/// Reads a directory; `None` if it is damaged.
pub(super) fn read_directory(bytes: &[u8]) -> Option<impl Iterator<Item = Entry>> {
    let (entries, sum) = bytes.split_last_chunk::<4>()?;
    let entry = |bytes: &[u8; ENTRY]| {
        let [l0, l1, l2, l3, sum @ ..] = *bytes;
        Entry { length: u32::from_le_bytes([l0, l1, l2, l3]), sum }
    };
    (*sum == checksum(entries)).then(|| entries.as_chunks().0.iter().map(entry))
}

/// Returns a table in blocks, with their directory.
pub(super) fn pack(table: &[u8]) -> Vec<u8> {
    let mut compress = Compress::new(Compression::best(), false);
    let (mut directory, mut blocks) = (Vec::new(), Vec::new());
    // More than deflate makes of any block.
    let mut packed = Vec::with_capacity(2 * BLOCK);
    for block in table.chunks(BLOCK) {
        compress.reset();
        packed.clear();
        let status = compress.compress_vec(block, &mut packed, FlushCompress::Finish);
        assert!(matches!(status, Ok(Status::StreamEnd)), "there is space for the block");
        let length = u32::try_from(packed.len()).expect("at most the capacity");
        directory.extend(length.to_le_bytes());
        directory.extend(checksum(&packed));
        blocks.extend_from_slice(&packed);
    }
    let sum = checksum(&directory);
    [directory, sum.to_vec(), blocks].concat()
}

/// Returns the table of this length whose blocks and directory are exactly these bytes.
pub(super) fn unpack(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    let (directory, mut rest) = bytes.split_at_checked(directory_length(length))?;
    let mut inflate = Decompress::new(false);
    let mut table = vec![0; length];
    for (entry, block) in read_directory(directory)?.zip(table.chunks_mut(BLOCK)) {
        let (packed, after) = rest.split_at_checked(entry.length as usize)?;
        unpack_block(&mut inflate, packed, block)?;
        rest = after;
    }
    rest.is_empty().then_some(table)
}

/// Unpacks a block to exactly the length of `into`.
pub(super) fn unpack_block(inflate: &mut Decompress, packed: &[u8], into: &mut [u8]) -> Option<()> {
    inflate.reset(false);
    let status = inflate.decompress(packed, into, FlushDecompress::Finish);
    let is_whole = inflate.total_in() == packed.len() as u64;
    let is_full = inflate.total_out() == into.len() as u64;
    (matches!(status, Ok(Status::StreamEnd)) && is_whole && is_full).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_in_blocks_is_unpacked_whole_or_not_at_all() {
        for length in [1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 77] {
            // Blocks that deflate makes much smaller, and one that it cannot.
            let mut state = 1u32;
            let mut noise = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            };
            let table: Vec<u8> =
                (0..length).map(|at| if at < BLOCK { noise() } else { at as u8 / 16 }).collect();
            let packed = pack(&table);
            assert_eq!(unpack(&packed, length), Some(table), "{length}");
            assert_eq!(unpack(&packed[..packed.len() - 1], length), None, "{length}");
            assert_eq!(unpack(&[&packed[..], &[0]].concat(), length), None, "{length}");
            assert_eq!(unpack(&packed, length + 1), None, "{length}");
        }
    }
}
