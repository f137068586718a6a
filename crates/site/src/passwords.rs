//! Passwords: Argon2id, one at a time, because each takes 19 MiB of memory. Few threads wait for their
//! turn, because pages need threads as well.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The least length of a password, in characters.
pub const LEAST: usize = 10;

/// The greatest length of a password, in bytes.
pub const MOST: usize = 200;

/// The most threads that work on passwords or wait for their turn: a part of those that answer requests.
const PLACES: usize = 64;

/// The turns of threads that work on passwords.
#[derive(Debug, Default)]
pub struct Passwords {
    turn: Mutex<()>,
    taken: AtomicUsize,
}

/// Too many threads work on passwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

impl Passwords {
    /// Returns a place among the threads that work on passwords.
    ///
    /// # Errors
    ///
    /// All places are taken.
    pub fn place(&self) -> Result<Place<'_>, Busy> {
        // It counts before the comparison, so that two threads cannot take the last place.
        let place = Place(self);
        match self.taken.fetch_add(1, Ordering::Relaxed) < PLACES {
            true => Ok(place),
            false => Err(Busy),
        }
    }
}

/// Returns why a text cannot be a password, if so.
pub fn refused(password: &str) -> Option<String> {
    let length = password.chars().count();
    if length < LEAST {
        return Some(format!("a password has {LEAST} characters or more; this one has {length}"));
    }
    (password.len() > MOST).then(|| format!("a password has {MOST} bytes at most"))
}

/// A place among the threads that work on passwords.
#[derive(Debug)]
pub struct Place<'a>(&'a Passwords);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Place<'_> {
    /// Returns the stored form of a password: a PHC string with a new salt.
    ///
    /// # Errors
    ///
    /// The system gives no random numbers.
    pub fn stored(&self, password: &str) -> io::Result<String> {
        let _turn = self.0.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = Argon2::default().hash_password(password.as_bytes());
        hash.map(|hash| hash.to_string()).map_err(|error| io::Error::other(error.to_string()))
    }

    /// Returns whether a password is the stored one. Without a stored one the work is the same, so that
    /// the time of an answer does not show whether an account exists.
    pub fn is_right(&self, password: &str, stored: Option<&str>) -> bool {
        /// A hash of a random text that nothing else has.
        const NONE: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$\
                            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let _turn = self.0.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let verified = PasswordHash::new(stored.unwrap_or(NONE)).is_ok_and(|hash| {
            Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
        });
        verified && stored.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_its_own_and_no_other() {
        let passwords = Passwords::default();
        let place = passwords.place().expect("no one else has one");
        let kept = place.stored("correct horse").expect("random numbers");
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert_ne!(kept, place.stored("correct horse").expect("random numbers"));
        assert!(place.is_right("correct horse", Some(&kept)));
        assert!(!place.is_right("correct horsf", Some(&kept)));
        assert!(!place.is_right("correct horse", None));
        assert!(!place.is_right("", Some("damaged")));
    }

    #[test]
    fn few_threads_work_on_passwords_and_others_are_refused_at_once() {
        let passwords = Passwords::default();
        let mut places: Vec<Place<'_>> =
            (0..PLACES).map(|_| passwords.place().expect("a place")).collect();
        for _ in 0..2 {
            assert_eq!(passwords.place().map(|_| ()), Err(Busy));
        }
        places.pop();
        places.push(passwords.place().expect("one became free"));
        assert_eq!(passwords.place().map(|_| ()), Err(Busy));
    }

    #[test]
    fn short_and_endless_passwords_are_refused() {
        assert!(refused("short").is_some_and(|why| why.contains("this one has 5")));
        assert_eq!(refused("ten letter"), None);
        assert!(refused(&"x".repeat(201)).is_some());
    }
}
