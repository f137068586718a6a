//! Passwords: Argon2id, one at a time, because each takes 19 MiB of memory.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use std::io;
use std::sync::{Mutex, PoisonError};

/// The least length of a password, in characters.
pub const LEAST: usize = 10;

/// The greatest length of a password, in bytes.
pub const MOST: usize = 200;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Returns why a text cannot be a password, if so.
pub fn refused(password: &str) -> Option<String> {
    let length = password.chars().count();
    if length < LEAST {
        return Some(format!("a password has {LEAST} characters or more; this one has {length}"));
    }
    (password.len() > MOST).then(|| format!("a password has {MOST} bytes at most"))
}

/// Returns the stored form of a password: a PHC string with a new salt.
///
/// # Errors
///
/// The system gives no random numbers.
pub fn stored(password: &str) -> io::Result<String> {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|error| io::Error::other(error.to_string()))
}

/// Returns whether a password is the stored one. Without a stored one the work is the same, so that
/// the time of an answer does not show whether an account exists.
pub fn is_right(password: &str, stored: Option<&str>) -> bool {
    /// A hash of a random text that nothing else has.
    const NONE: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$\
                        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let verified = PasswordHash::new(stored.unwrap_or(NONE))
        .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok());
    verified && stored.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_its_own_and_no_other() {
        let kept = stored("correct horse").expect("random numbers");
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert_ne!(kept, stored("correct horse").expect("random numbers"));
        assert!(is_right("correct horse", Some(&kept)));
        assert!(!is_right("correct horsf", Some(&kept)));
        assert!(!is_right("correct horse", None));
        assert!(!is_right("", Some("damaged")));
    }

    #[test]
    fn short_and_endless_passwords_are_refused() {
        assert!(refused("short").is_some_and(|why| why.contains("this one has 5")));
        assert_eq!(refused("ten letter"), None);
        assert!(refused(&"x".repeat(201)).is_some());
    }
}
