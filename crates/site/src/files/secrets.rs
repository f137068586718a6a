//! Random tokens and codes, and the digests under which they are stored.

use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use std::io;

/// The characters of join codes: none looks like another on paper.
const LETTERS: &[u8; 32] = b"ABCDEFGHJKMNPQRSTVWXYZ0123456789";

/// The length of a join code, in characters of 5 bits.
const CODE: usize = 12;

/// Returns a token of 256 random bits, as hexadecimal digits.
///
/// # Errors
///
/// The system gives no random numbers.
pub(crate) fn token() -> io::Result<String> {
    Ok(hexadecimal(&random::<32>()?))
}

/// Returns a join code in groups of four: `7Q3M-X2AB-K9TD`.
///
/// # Errors
///
/// The system gives no random numbers.
pub(crate) fn join_code() -> io::Result<String> {
    let mut code = String::with_capacity(CODE + CODE / 4);
    for (place, byte) in random::<CODE>()?.into_iter().enumerate() {
        if place > 0 && place % 4 == 0 {
            code.push('-');
        }
        code.push(char::from(LETTERS[usize::from(byte) % LETTERS.len()]));
    }
    Ok(code)
}

/// Returns a typed join code in the form in which codes are stored: case, spaces and hyphens do not
/// matter.
pub(crate) fn typed_code(typed: &str) -> String {
    let plain = typed.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase());
    let mut code = String::new();
    for (place, letter) in plain.take(2 * CODE).enumerate() {
        if place > 0 && place % 4 == 0 {
            code.push('-');
        }
        code.push(match letter {
            'O' => '0',
            'I' | 'L' => '1',
            letter => letter,
        });
    }
    code
}

/// Returns the digest of a token, for one purpose.
pub(crate) fn digest(purpose: &str, token: &str) -> String {
    let hash = Sha256::new().chain_update(purpose).chain_update([0]).chain_update(token).finalize();
    hexadecimal(&hash)
}

fn random<const BYTES: usize>() -> io::Result<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    SysRng.try_fill_bytes(&mut bytes).map_err(|error| {
        io::Error::other(format!("cannot get random numbers from the system: {error}"))
    })?;
    Ok(bytes)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_people_type_them() {
        let code = join_code().expect("random numbers");
        assert_eq!(code.len(), 14);
        let typed = code.to_lowercase().replace('-', " ").replace('0', "o").replace('1', "l");
        assert_eq!(typed_code(&typed), code);
        assert_ne!(join_code().expect("random numbers"), code);
    }

    #[test]
    fn digests_differ_by_token_and_purpose() {
        let one = token().expect("random numbers");
        assert_eq!(one.len(), 64);
        assert_ne!(one, token().expect("random numbers"));
        assert_ne!(digest("session", &one), digest("form", &one));
        assert_eq!(digest("session", &one), digest("session", &one));
    }
}
