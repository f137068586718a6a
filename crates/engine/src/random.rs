//! Value-stable randomness: the same seed always gives the same game, on every machine.
//!
//! [`Stream`] is ChaCha8 keyed by a seed and a purpose, so that openings, dice and tie-breaks never
//! share numbers, and no bot can compute the next die from the last ones. The sampling functions
//! are implemented here because a library may change its values with a release. These never change:
//! golden playthroughs pin them.

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

pub use rand_core::Rng;

/// The seed that everything in a game is drawn from.
///
/// ```
/// use botyard_engine::Seed;
///
/// let seed: Seed = "7".parse()?;
/// assert_eq!(seed, Seed::Number(7));
/// assert_eq!(Seed::Key([0xab; 32]).to_string(), format!("key:{}", "ab".repeat(32)));
/// # Ok::<(), botyard_engine::random::SeedError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seed {
    /// A number, for repeatable games. A short one can be found by trial from one observed draw.
    Number(u64),
    /// A secret of 256 bits, or a key derived from one.
    Key([u8; 32]),
}

/// The prefix of a key as text.
const KEY_PREFIX: &str = "key:";

impl Seed {
    /// Returns the stream for one purpose: see [`Stream::new`] and [`Stream::keyed`].
    pub fn stream(&self, purpose: &str) -> Stream {
        match self {
            Seed::Number(number) => Stream::new(*number, purpose),
            Seed::Key(key) => Stream::keyed(key, purpose),
        }
    }

    /// Returns the seed of a part, such as a block of a match. From a number it is the first number
    /// of the stream; from a key it is SHA-256 of `"botyard key 1"`, a zero byte, the key and the
    /// name of the part. From such a key neither the parent's key nor any other part's can be
    /// computed.
    #[must_use]
    pub fn part(&self, name: &str) -> Seed {
        match self {
            Seed::Number(number) => Seed::Number(Stream::new(*number, name).next_seed()),
            Seed::Key(key) => Seed::Key(keyed_hash(b"botyard key 1\0", key, name)),
        }
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Seed {
        Seed::Number(number)
    }
}

/// A number in decimal; `key:` and 64 hexadecimal digits.
impl fmt::Display for Seed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seed::Number(number) => write!(formatter, "{number}"),
            Seed::Key(key) => {
                formatter.write_str(KEY_PREFIX)?;
                key.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
            }
        }
    }
}

/// Does not print a key: `Debug` output may end up in a log.
impl fmt::Debug for Seed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seed::Number(number) => write!(formatter, "Number({number})"),
            Seed::Key(_) => formatter.write_str("Key(..)"),
        }
    }
}

/// A text that is not a seed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a seed: a decimal number from 0 to {max}, or {KEY_PREFIX} and 64 hexadecimal digits; \
     got {text:?}",
    max = u64::MAX
)]
pub struct SeedError {
    /// The text.
    pub text: String,
}

/// Reads exactly what `Display` writes: a seed has one text.
impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Seed, SeedError> {
        let seed = match text.strip_prefix(KEY_PREFIX) {
            Some(digits) => key_of_digits(digits).map(Seed::Key),
            None => text.parse().ok().map(Seed::Number),
        };
        seed.filter(|seed| seed.to_string() == text)
            .ok_or_else(|| SeedError { text: text.to_string() })
    }
}

fn key_of_digits(digits: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    if digits.len() != 2 * key.len() || !digits.is_ascii() {
        return None;
    }
    for (index, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(key)
}

/// SHA-256 of a domain, a key and a purpose. The domain and the key have fixed lengths, and no
/// purpose extends another by the padding of SHA-256, so that one hash reveals nothing about
/// another.
fn keyed_hash(domain: &[u8], key: &[u8; 32], purpose: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(domain);
    hash.update(key);
    hash.update(purpose.as_bytes());
    hash.finalize().into()
}

/// A named stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// Returns the stream for one purpose (`"opening"`, `"chance"`, ...) of the game with this
    /// seed: ChaCha8 whose key is SHA-256 of `"botyard stream 1"`, a zero byte, the seed
    /// (little-endian) and the purpose.
    pub fn new(seed: u64, purpose: &str) -> Stream {
        let mut hash = Sha256::new();
        hash.update(b"botyard stream 1\0");
        hash.update(seed.to_le_bytes());
        hash.update(purpose.as_bytes());
        Stream(ChaCha8Rng::from_seed(hash.finalize().into()))
    }

    /// Returns the stream for one purpose of the game with this key: ChaCha8 whose key is SHA-256
    /// of `"botyard stream 2"`, a zero byte, the key and the purpose.
    pub fn keyed(key: &[u8; 32], purpose: &str) -> Stream {
        Stream(ChaCha8Rng::from_seed(keyed_hash(b"botyard stream 2\0", key, purpose)))
    }

    /// Returns the generator itself, for the functions of this module.
    pub fn rng(&mut self) -> &mut (impl Rng + use<>) {
        &mut self.0
    }

    /// Draws a seed from this stream, for a game or another stream.
    pub fn next_seed(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// Returns a uniform integer below `bound`, without bias (Lemire 2019, "Fast random integer
/// generation in an interval").
///
/// # Panics
///
/// If `bound` is 0.
pub fn below<R: Rng + ?Sized>(rng: &mut R, bound: u32) -> u32 {
    assert!(bound > 0, "expected a bound above 0");
    let mut product = u64::from(rng.next_u32()) * u64::from(bound);
    if (product as u32) < bound {
        let threshold = bound.wrapping_neg() % bound;
        while (product as u32) < threshold {
            product = u64::from(rng.next_u32()) * u64::from(bound);
        }
    }
    (product >> 32) as u32
}

/// Returns a uniform element of `items`, or `None` if it is empty.
pub fn choose<'a, T, R: Rng + ?Sized>(rng: &mut R, items: &'a [T]) -> Option<&'a T> {
    (!items.is_empty()).then(|| &items[below(rng, items.len() as u32) as usize])
}

/// Puts `items` into a uniformly random order (Fisher-Yates).
pub fn shuffle<T, R: Rng + ?Sized>(rng: &mut R, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(rng, last as u32 + 1) as usize);
    }
}

/// Returns a uniform number in 0..1 with 53 random bits.
pub fn unit<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_never_change() {
        let mut stream = Stream::new(1, "opening");
        let drawn: Vec<u32> = (0..6).map(|_| below(stream.rng(), 100)).collect();
        assert_eq!(drawn, STREAM_1_OPENING);
        assert_ne!(Stream::new(1, "chance").next_seed(), Stream::new(1, "opening").next_seed());
    }

    /// Computed independently of this code, from the definition of ChaCha8 with the key that
    /// [`Stream::new`] documents. The numbers of every recorded game depend on it.
    const STREAM_1_OPENING: [u32; 6] = [36, 67, 47, 73, 6, 88];

    #[test]
    fn keyed_streams_never_change() {
        let key = std::array::from_fn(|index| index as u8);
        let mut stream = Stream::keyed(&key, "opening");
        let drawn: Vec<u32> = (0..6).map(|_| below(stream.rng(), 100)).collect();
        assert_eq!(drawn, KEYED_STREAM_OPENING);
        assert_eq!(Seed::Key(key).part("block 1").to_string(), PART_BLOCK_1);
        assert_ne!(Seed::Key(key).part("block 1"), Seed::Key(key).part("block 2"));
    }

    /// Computed independently of this code, like [`STREAM_1_OPENING`].
    const KEYED_STREAM_OPENING: [u32; 6] = [29, 40, 88, 51, 40, 14];

    /// `hashlib.sha256(b"botyard key 1\0" + bytes(range(32)) + b"block 1")`.
    const PART_BLOCK_1: &str =
        "key:5e8ff5f2d6a0b29e25ca8123aad331c683f2a01d10268aa31d08f71e9ce16e6a";

    #[test]
    fn a_seed_has_one_text() {
        let key = "key:".to_string() + &"0f".repeat(32);
        for text in ["0", "7", "18446744073709551615", &key] {
            assert_eq!(text.parse::<Seed>().unwrap().to_string(), text);
        }
        let long = format!("{key}00");
        let upper = key.to_uppercase().replace("KEY", "key");
        let odd = format!("key:{}é", "0".repeat(62));
        for text in ["", "-1", "+1", "07", "18446744073709551616", "key:", &long, &upper, &odd] {
            let error = text.parse::<Seed>().unwrap_err().to_string();
            assert!(error.starts_with("expected a seed: a decimal number"), "{text}: {error}");
        }
    }

    #[test]
    fn a_key_is_not_shown_by_debug() {
        assert_eq!(format!("{:?}", Seed::Key([7; 32])), "Key(..)");
    }

    #[test]
    fn below_is_uniform() {
        let mut stream = Stream::new(7, "test");
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[below(stream.rng(), 6) as usize] += 1;
        }
        // Chi-squared with 5 degrees of freedom: 20.5 is the 0.1% point.
        let chi2: f64 = counts.iter().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
        assert!(chi2 < 20.5, "{counts:?}");
    }

    #[test]
    fn shuffle_reaches_every_order() {
        let mut stream = Stream::new(3, "test");
        let mut seen = std::collections::HashSet::new();
        for _ in 0..500 {
            let mut items = [1, 2, 3, 4];
            shuffle(stream.rng(), &mut items);
            seen.insert(items);
        }
        assert_eq!(seen.len(), 24);
    }
}
