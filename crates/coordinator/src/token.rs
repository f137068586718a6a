//! Tokens of workers: `NAME.SECRET`. The name finds the entry, the secret is compared in constant
//! time by its hash. The secret has 256 random bits, so a fast hash is enough.

use botyard_queue::{content_digest, hexadecimal};
use rand::TryRng;
use rand::rngs::SysRng;
use std::fmt;
use std::str::FromStr;
use subtle::ConstantTimeEq;

/// The number of random bytes in a secret.
const SECRET: usize = 32;

/// The longest name of a token, in characters.
const NAME: usize = 64;

/// The longest name of a worker, in bytes.
const WORKER: usize = 200;

/// A token as a worker has it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    name: String,
    secret: String,
}

/// Why text is no token or no name of one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidToken {
    /// The text has another form.
    #[error(
        "expected a token as `botyard coordinator token add` prints it: NAME.SECRET with {} \
         hexadecimal digits", 2 * SECRET
    )]
    Form,
    /// The name has other characters, or is too long.
    #[error(
        "{0:?} cannot be the name of a token: expected 1 to {NAME} letters, digits, `-` or `_`"
    )]
    Name(String),
}

impl Token {
    /// Draws a token of this name.
    ///
    /// # Errors
    ///
    /// A name that cannot be one; the system has no random numbers.
    pub fn draw(name: &str) -> Result<Token, DrawError> {
        check_name(name)?;
        let mut bytes = [0; SECRET];
        SysRng.try_fill_bytes(&mut bytes).map_err(|error| DrawError::Host(error.to_string()))?;
        Ok(Token { name: name.to_string(), secret: hexadecimal(&bytes) })
    }

    /// Returns its name, which is public.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the hash of its secret, as hexadecimal digits.
    pub fn hash(&self) -> String {
        content_digest(self.secret.as_bytes())
    }

    /// Returns whether this is the hash of its secret. Takes the same time for every hash.
    pub fn has_hash(&self, hash: &str) -> bool {
        self.hash().as_bytes().ct_eq(hash.as_bytes()).into()
    }

    /// Returns the token as text, with its secret.
    pub fn reveal(&self) -> String {
        format!("{}.{}", self.name, self.secret)
    }
}

/// Why a token cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// The name.
    #[error(transparent)]
    Name(#[from] InvalidToken),
    /// The host.
    #[error("a token cannot be drawn: {0}")]
    Host(String),
}

impl FromStr for Token {
    type Err = InvalidToken;

    fn from_str(text: &str) -> Result<Token, InvalidToken> {
        let (name, secret) = text.trim().split_once('.').ok_or(InvalidToken::Form)?;
        check_name(name)?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        match secret.len() == 2 * SECRET && secret.bytes().all(is_digit) {
            true => Ok(Token { name: name.to_string(), secret: secret.to_string() }),
            false => Err(InvalidToken::Form),
        }
    }
}

/// Without the secret.
impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Token({:?})", self.name)
    }
}

fn check_name(name: &str) -> Result<(), InvalidToken> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    match (1..=NAME).contains(&name.len()) && name.bytes().all(is_allowed) {
        true => Ok(()),
        false => Err(InvalidToken::Name(name.chars().take(NAME).collect())),
    }
}

/// Returns whether a token of this name is for this worker: the worker of the same name, or one of
/// the group, `NAME/...`.
pub(crate) fn is_for(name: &str, worker: &str) -> bool {
    let is_printable = worker.len() <= WORKER && !worker.chars().any(char::is_control);
    let rest = worker.strip_prefix(name);
    is_printable && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_printed_and_hides_its_secret() {
        let token = Token::draw("lab-3").unwrap();
        let text = token.reveal();
        assert_eq!(format!(" {text}\n").parse(), Ok(token.clone()));
        assert_eq!(format!("{token:?}"), "Token(\"lab-3\")");
        assert!(token.has_hash(&token.hash()));
        assert!(!token.has_hash(&Token::draw("lab-3").unwrap().hash()));
        assert!(!token.has_hash("") && !token.hash().contains(&text[6..]));
    }

    #[test]
    fn other_text_is_no_token() {
        let digits = "0".repeat(64);
        for text in ["", "lab", "lab.", "lab.12", &digits, &format!("lab.{}", "G".repeat(64))] {
            assert_eq!(text.parse::<Token>(), Err(InvalidToken::Form), "{text:?}");
        }
        for name in ["", "a b", "a/b", "ä", &"x".repeat(65)] {
            assert!(matches!(Token::draw(name), Err(DrawError::Name(_))), "{name:?}");
            assert!(format!("{name}.{digits}").parse::<Token>().is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_token_is_for_its_worker_and_those_of_its_group() {
        for worker in ["lab", "lab/3", "lab/host 1/2"] {
            assert!(is_for("lab", worker), "{worker}");
        }
        for worker in ["", "la", "laboratory", "Lab", "other/lab", "lab/\n", "lab\u{0}"] {
            assert!(!is_for("lab", worker), "{worker}");
        }
        assert!(!is_for("lab", &format!("lab/{}", "x".repeat(200))));
    }
}
