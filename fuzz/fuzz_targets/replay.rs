//! A replay: verified, or refused with the line. The chain of hashes is made right first, because no
//! mutation would get past it otherwise.
#![no_main]

use botyard_replay::{Chain, ReplayReader, registered_table, verify};
use libfuzzer_sys::fuzz_target;

const MARK: &[u8] = br#","chain":""#;

fuzz_target!(|bytes: &[u8]| {
    for replay in [bytes.to_vec(), with_right_chain(bytes)] {
        let Ok(reader) = ReplayReader::new(replay.as_slice()) else { continue };
        if let Err(error) = verify(reader, &registered_table) {
            assert!(!error.to_string().is_empty());
        }
    }
});

fn with_right_chain(bytes: &[u8]) -> Vec<u8> {
    let mut chain = Chain::default();
    let mut right = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let at = line.windows(MARK.len()).rposition(|window| window == MARK);
        match at.filter(|at| line.len() >= at + MARK.len() + 16) {
            Some(at) => {
                right.extend_from_slice(&line[..at + MARK.len()]);
                right.extend_from_slice(chain.extend(&line[..at]).as_str().as_bytes());
                right.extend_from_slice(&line[at + MARK.len() + 16..]);
            }
            None => right.extend_from_slice(line),
        }
    }
    right
}
