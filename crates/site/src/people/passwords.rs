//! Passwords: Argon2id, one at a time, because each takes 19 MiB of memory. Few threads wait for their
//! turn, because pages need threads as well.

use crate::error::SiteError;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use botyard_connections::{Pool, Share};
use std::io;
use std::sync::{Mutex, PoisonError};

/// The least length of a password, in characters.
pub(crate) const LEAST: usize = 10;

/// The greatest length of a password, in bytes.
pub(crate) const MOST: usize = 200;

/// The most threads that work on passwords or wait for their turn: a part of those that answer requests.
const PLACES: usize = 64;

/// The turns of threads that work on passwords.
#[derive(Debug)]
pub(crate) struct Passwords {
    turn: Mutex<()>,
    places: Pool<String>,
}

impl Default for Passwords {
    fn default() -> Passwords {
        Passwords { turn: Mutex::default(), places: Pool::new(PLACES) }
    }
}

/// Whose password it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// This person's.
    Person(i64),
    /// No one's: somebody at this address names an account that does not exist.
    StrangerAt(String),
}

impl Passwords {
    /// Returns a place among the threads that work on passwords.
    ///
    /// # Errors
    ///
    /// The person, or the strangers at an address, have their share of the places.
    pub(crate) fn place(&self, whose: &Whose) -> Result<Place<'_>, SiteError> {
        let holder = match whose {
            Whose::Person(id) => format!("person {id}"),
            Whose::StrangerAt(address) => format!("stranger at {address}"),
        };
        let share = self.places.take(&holder, 1).ok_or_else(|| {
            SiteError::TooMany(
                "Too many people sign in at this moment. Try again in a minute.".to_string(),
            )
        })?;
        Ok(Place { turn: &self.turn, _share: share })
    }
}

/// Returns why a text cannot be a password, if so.
pub(crate) fn refused(password: &str) -> Option<String> {
    let length = password.chars().count();
    if length < LEAST {
        return Some(format!("a password has {LEAST} characters or more; this one has {length}"));
    }
    (password.len() > MOST).then(|| format!("a password has {MOST} bytes at most"))
}

/// A place among the threads that work on passwords.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    turn: &'a Mutex<()>,
    _share: Share<String>,
}

impl Place<'_> {
    /// Returns the stored form of a password: a PHC string with a new salt.
    ///
    /// # Errors
    ///
    /// The system gives no random numbers.
    pub(crate) fn stored(&self, password: &str) -> io::Result<String> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = Argon2::default().hash_password(password.as_bytes());
        hash.map(|hash| hash.to_string()).map_err(|error| io::Error::other(error.to_string()))
    }

    /// Returns whether a password is the stored one. Without a stored one the work is the same, so that
    /// the time of an answer does not show whether an account exists.
    pub(crate) fn is_right(&self, password: &str, stored: Option<&str>) -> bool {
        /// A hash of a random text that nothing else has.
        const NONE: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$\
                            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
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
        let place = passwords.place(&Whose::Person(1)).expect("no one else has one");
        let kept = place.stored("correct horse").expect("random numbers");
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert_ne!(kept, place.stored("correct horse").expect("random numbers"));
        assert!(place.is_right("correct horse", Some(&kept)));
        assert!(!place.is_right("correct horsf", Some(&kept)));
        assert!(!place.is_right("correct horse", None));
        assert!(!place.is_right("", Some("damaged")));
    }

    #[test]
    fn few_threads_work_on_passwords_and_each_person_has_a_part_of_them() {
        let passwords = Passwords::default();
        let all = |whose: Whose| -> Vec<Place<'_>> {
            std::iter::from_fn(|| passwords.place(&whose).ok()).collect()
        };
        let strangers = all(Whose::StrangerAt("10.0.0.1".into()));
        assert_eq!(strangers.len(), PLACES / 2);
        let others: Vec<Place<'_>> = (1..=20)
            .map(|person| passwords.place(&Whose::Person(person)).expect("a place"))
            .collect();
        drop(strangers);
        assert_eq!(all(Whose::Person(30)).len(), (PLACES - others.len()) / 2);
    }

    #[test]
    fn short_and_endless_passwords_are_refused() {
        assert!(refused("short").is_some_and(|why| why.contains("this one has 5")));
        assert_eq!(refused("ten letter"), None);
        assert!(refused(&"x".repeat(201)).is_some());
    }
}
