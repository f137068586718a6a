//! The chain of hashes through a replay: each line carries a hash over itself and the chain before
//! it, so that no line can be changed, left out or moved without a mismatch in all later ones. It
//! protects against accidents and careless edits. It is not a signature: anyone can compute it.

use arrayvec::ArrayString;
use sha2::{Digest, Sha256};
use std::fmt;

/// The first 16 hexadecimal digits of a SHA-256.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Link(ArrayString<16>);

impl Link {
    fn new(digest: &[u8]) -> Link {
        let nibbles = digest.iter().take(8).flat_map(|byte| [byte >> 4, byte & 15]);
        let mut digits = ArrayString::new();
        for nibble in nibbles {
            digits.push(char::from(b"0123456789abcdef"[usize::from(nibble)]));
        }
        Link(digits)
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
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
    /// Returns the link of the last line; `None` before the first.
    pub fn last(&self) -> Option<Link> {
        self.0
    }

    /// Extends the chain by one line, of which `body` is everything before the comma of `"chain"`.
    /// The new link is SHA-256 over the 16 digits of the line before (nothing for the first line)
    /// and these bytes.
    pub fn extend(&mut self, body: &[u8]) -> Link {
        let mut hash = Sha256::new();
        if let Some(before) = &self.0 {
            hash.update(before.as_str());
        }
        hash.update(body);
        *self.0.insert(Link::new(&hash.finalize()))
    }
}

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
