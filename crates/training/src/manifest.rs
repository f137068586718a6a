//! Manifests: what a set of weights was made from, generation by generation, with the digest of
//! every file. The format is TOML:
//!
//! ```toml
//! game = "draughts"
//! weights = "SHA-256 of the last generation's weights, in hexadecimal digits"
//!
//! [[generation]]
//! games = 20000          # how many, ...
//! seed = 0               # ... with this seed and the following ones
//! learns-from = 1        # weights are fitted to the games of the last N generations; of all by default
//! play = { nodes = 3000 }
//! fit = { epochs = 10 }
//! games-digest = "SHA-256"
//! weights-digest = "SHA-256"
//! ```
//!
//! `play` and `fit` have the options of `botyard train GAME generate` and `fit`. The first
//! generation plays by the evaluation set by hand, each later one by the weights of the previous
//! generation. Unknown digests are left out.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The SHA-256 of a file.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of these bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Digest, String> {
        let wrong = || format!("expected a SHA-256 of 64 hexadecimal digits, got {text:?}");
        let mut bytes = [0; 32];
        if text.len() != 2 * bytes.len() || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Digest(bytes))
    }
}

/// What a set of weights was made from. `P` and `F` are the game's settings for playing and for
/// fitting.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Manifest<P, F> {
    /// The name of the game.
    pub game: String,
    /// The digest of the weights.
    pub weights: Option<Digest>,
    /// The generations in order; empty if it is not known how the weights were made.
    #[serde(default = "Vec::new", rename = "generation")]
    pub generations: Vec<Generation<P, F>>,
}

/// Games, and weights fitted to them.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Generation<P, F> {
    /// The number of games.
    pub games: u64,
    /// The seed of the first; each following one has the next number.
    pub seed: u64,
    /// The settings of the games.
    pub play: P,
    /// The number of generations, including this one, to whose games the weights are fitted; `None`
    /// for all so far.
    pub learns_from: Option<usize>,
    /// The settings of the fit.
    pub fit: F,
    /// The digest of the games.
    pub games_digest: Option<Digest>,
    /// The digest of the weights.
    pub weights_digest: Option<Digest>,
}

/// A text that is not a manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a manifest of weights: {0}")]
pub struct InvalidManifest(String);

impl<P: DeserializeOwned, F: DeserializeOwned> Manifest<P, F> {
    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// A text that is not a manifest, or one whose last digest is not that of the weights.
    pub fn read(text: &str) -> Result<Manifest<P, F>, InvalidManifest> {
        let manifest: Manifest<P, F> = parse(text)?;
        if let Some(generation) = manifest.generations.last()
            && generation.weights_digest != manifest.weights
        {
            return Err(InvalidManifest(
                "weights and the weights-digest of the last generation differ".into(),
            ));
        }
        Ok(manifest)
    }
}

/// Returns the name of the game that a manifest is of.
///
/// # Errors
///
/// If the text is not a manifest.
pub fn game_of(text: &str) -> Result<String, InvalidManifest> {
    #[derive(Deserialize)]
    struct Named {
        game: String,
    }
    parse(text).map(|Named { game }| game)
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, InvalidManifest> {
    toml::from_str(text).map_err(|error| InvalidManifest(error.to_string().trim_end().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Play {
        nodes: u64,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Fit {}

    fn read(text: &str) -> Result<Manifest<Play, Fit>, InvalidManifest> {
        Manifest::read(text)
    }

    const DIGEST: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_manifest_is_read() {
        let text = format!(
            "game = \"draughts\"\nweights = \"{DIGEST}\"\n\n[[generation]]\ngames = 3\nseed = 7\n\
             play = {{ nodes = 5 }}\nfit = {{}}\nweights-digest = \"{DIGEST}\"\n"
        );
        let manifest = read(&text).unwrap();
        assert_eq!(manifest.weights, Some(Digest::of(b"abc")));
        let [generation] = &manifest.generations[..] else { panic!("{manifest:?}") };
        assert_eq!((generation.games, generation.seed, generation.play.nodes), (3, 7, 5));
        assert_eq!(generation.games_digest, None);
        assert_eq!(game_of(&text).as_deref(), Ok("draughts"));
    }

    #[test]
    fn what_is_wrong_with_a_manifest_is_said() {
        let generation = |line: &str| {
            format!(
                "game = \"draughts\"\n[[generation]]\ngames = 3\nseed = 7\nfit = {{}}\n{line}\n"
            )
        };
        for (text, message) in [
            ("weights = \"12\"".to_string(), "64 hexadecimal digits"),
            (String::new(), "missing field `game`"),
            ("game = \"draughts\"\nweights = \"12\"".into(), "64 hexadecimal digits, got \"12\""),
            (generation(""), "missing field `play`"),
            (generation("play = { nodes = 5, depth = 2 }"), "unknown field `depth`"),
            (
                generation(&format!("play = {{ nodes = 5 }}\nweights-digest = \"{DIGEST}\"")),
                "weights and the weights-digest of the last generation differ",
            ),
        ] {
            let error = read(&text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
