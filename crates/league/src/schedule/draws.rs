//! The seed or secret of a match or tournament, and the tag in the ids of its games. Bots see the
//! ids of their games, so the tag must not help to find the seed: neither is derived from the
//! other.

use botyard_engine::{Seed, Stream};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fmt;

/// The source of all random draws of a match or a tournament, and the tag in the ids of its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draws {
    /// The seed or secret; as JSON, its text form.
    #[serde(serialize_with = "write_seed", deserialize_with = "read_seed")]
    pub seed: Seed,
    /// The public tag, which distinguishes the ids of these games from those of others.
    pub tag: u64,
}

fn write_seed<S: Serializer>(seed: &Seed, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(seed)
}

fn read_seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

impl Draws {
    /// Returns draws from a numeric seed, which are reproducible. The tag is derived from `name`
    /// alone.
    pub fn numbered(number: u64, name: &str) -> Draws {
        let hash = Sha256::new().chain_update("botyard tag 1\0").chain_update(name).finalize();
        let tag = hash.iter().take(8).fold(0, |tag, &byte| tag << 8 | u64::from(byte));
        Draws { seed: Seed::Number(number), tag }
    }

    /// Returns draws from a secret, with a tag drawn independently of it.
    pub fn secret(secret: [u8; 32], tag: u64) -> Draws {
        Draws { seed: Seed::Key(secret), tag }
    }

    /// Returns the draws of a tournament called `name` whose store has no tag: earlier versions
    /// derived it from the seed.
    pub fn without_tag(number: u64, name: &str) -> Draws {
        let tag = Stream::new(number, &format!("event {name}")).next_seed();
        Draws { seed: Seed::Number(number), tag }
    }

    /// Returns the draws of a part, such as the gate of a tournament.
    #[must_use]
    pub fn part(&self, name: &str) -> Draws {
        Draws { seed: self.seed.part(name), tag: Stream::new(self.tag, name).next_seed() }
    }

    /// Returns the secret as 64 hexadecimal digits; `None` for draws from a numeric seed.
    pub fn secret_digits(&self) -> Option<String> {
        match self.seed {
            Seed::Key(_) => self.seed.to_string().split_once(':').map(|(_, key)| key.to_string()),
            Seed::Number(_) => None,
        }
    }

    /// Returns the hash by which a tournament commits itself to its draws: see [`commitment`].
    pub fn commitment(&self) -> Option<String> {
        self.secret_digits().map(|digits| commitment(&digits))
    }

    /// Parses the `Display` form of draws from a secret; `None` for any other text.
    pub fn of_secret_text(text: &str) -> Option<Draws> {
        let (seed, tag) = text.rsplit_once('-')?;
        let draws = Draws { seed: seed.parse().ok()?, tag: u64::from_str_radix(tag, 16).ok()? };
        Some(draws).filter(|draws| draws.to_string() == text)
    }
}

/// The numeric seed; or `key:`, the digits of the secret, `-` and those of the tag.
impl fmt::Display for Draws {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seed {
            Seed::Number(number) => write!(formatter, "{number}"),
            Seed::Key(_) => write!(formatter, "{}-{:016x}", self.seed, self.tag),
        }
    }
}

/// Draws that do not match the commitment of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// The secret does not match the published hash.
    #[error(
        "the SHA-256 of the secret is {found}, but {printed} was printed before the first game"
    )]
    Commitment {
        /// The published hash.
        printed: String,
        /// The hash found.
        found: String,
    },
    /// A secret without a hash, or a hash without a secret.
    #[error("a tournament has a printed hash if and only if it is drawn from a secret")]
    NoCommitment,
    /// A game was not drawn from the seed or secret.
    #[error(
        "game {rotation} of block {block} was not drawn from the tournament's seed or secret \
         for this block"
    )]
    Seed {
        /// The block, from 1.
        block: u32,
        /// The game in the block, from 1.
        rotation: u32,
    },
}

impl Draws {
    /// Checks these draws against the published hash.
    ///
    /// # Errors
    ///
    /// A different hash, or none.
    pub fn check_commitment(&self, printed: Option<&str>) -> Result<(), DrawError> {
        match (self.commitment(), printed) {
            (None, None) => Ok(()),
            (Some(found), Some(printed)) if found == printed => Ok(()),
            (Some(found), Some(printed)) => {
                Err(DrawError::Commitment { printed: printed.to_string(), found })
            }
            (Some(_), None) | (None, Some(_)) => Err(DrawError::NoCommitment),
        }
    }
}

/// Returns the SHA-256, in hexadecimal, of a secret's 64 hexadecimal digits as text: the output of
/// `printf %s DIGITS | sha256sum`.
pub fn commitment(digits: &str) -> String {
    Sha256::digest(digits).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_of_numbered_draws_is_the_same_for_every_number() {
        let one = Draws::numbered(1, "dice");
        assert_eq!(one.tag, Draws::numbered(2, "dice").tag);
        assert_ne!(one.tag, Draws::numbered(1, "cards").tag);
        assert_ne!(one.part("gate").tag, one.tag);
    }

    #[test]
    fn draws_from_a_secret_have_one_text() {
        let draws = Draws::secret([0xab; 32], 7);
        let key = format!("key:{}", "ab".repeat(32));
        assert_eq!(draws.to_string(), format!("{key}-0000000000000007"));
        assert_eq!(Draws::of_secret_text(&draws.to_string()), Some(draws));
        assert_eq!(Draws::numbered(7, "dice").to_string(), "7");
        for text in ["", "7", "7-0000000000000007", &key, &format!("{key}-7"), &format!("{key}-")] {
            assert_eq!(Draws::of_secret_text(text), None, "{text}");
        }
    }

    /// `printf %s abab...ab | sha256sum`
    #[test]
    fn a_commitment_is_what_sha256sum_says() {
        let draws = Draws::secret([0xab; 32], 7);
        assert_eq!(draws.commitment().as_deref(), Some(COMMITMENT));
        let numbered = Draws::numbered(7, "dice");
        assert_eq!(numbered.commitment(), None);
        assert_eq!(draws.check_commitment(Some(COMMITMENT)), Ok(()));
        assert_eq!(numbered.check_commitment(None), Ok(()));
        let other = Draws::secret([0xac; 32], 7).check_commitment(Some(COMMITMENT)).unwrap_err();
        assert!(other.to_string().contains(COMMITMENT), "{other}");
        assert_eq!(draws.check_commitment(None), Err(DrawError::NoCommitment));
        assert_eq!(numbered.check_commitment(Some(COMMITMENT)), Err(DrawError::NoCommitment));
    }

    const COMMITMENT: &str = "271a413bd339c5709fdceaec41f14f11e9fbfb5042d72d331c65f32b284cd09a";
}
