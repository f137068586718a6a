//! The chain of hashes through a replay: each line carries a hash over itself and the chain before
//! it, so that no line can be changed, left out or put elsewhere without all later ones showing
//! it. It guards against accidents and careless edits; it is no signature, for anyone can compute
//! it.

use sha2::{Digest, Sha256};
use std::fmt;

/// The first 16 hexadecimal digits of a SHA-256.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Link([u8; 16]);

impl Link {
    /// The digits.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("hexadecimal digits are ASCII")
    }
}

impl fmt::Display for Link {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "Link({self})")
    }
}

/// The chain up to some line.
#[derive(Clone, Debug, Default)]
pub struct Chain(Option<Link>);

impl Chain {
    /// Goes on by one line, of which `body` is all up to the comma before `"chain"`: SHA-256 over
    /// the 16 digits of the line before (nothing for the first) and these bytes.
    pub fn extend(&mut self, body: &[u8]) -> Link {
        let mut hash = Sha256::new();
        if let Some(Link(before)) = &self.0 {
            hash.update(before);
        }
        hash.update(body);
        let digest = hash.finalize();
        let mut digits = [0; 16];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(digest) {
            pair[0] = HEX[usize::from(byte >> 4)];
            pair[1] = HEX[usize::from(byte & 15)];
        }
        *self.0.insert(Link(digits))
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf 'abc' | sha256sum` and `printf 'ba7816bf8f01cfeaabc' | sha256sum`.
    #[test]
    fn links_are_what_sha256sum_says() {
        let mut chain = Chain::default();
        assert_eq!(chain.extend(b"abc").as_str(), "ba7816bf8f01cfea");
        assert_eq!(chain.extend(b"abc").as_str(), SECOND);
    }

    const SECOND: &str = "bf56b487df839a19";
}
