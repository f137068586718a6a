//! How people reach a class: their passwords, their shares of what all use, and the link of the administrator.

use super::passwords::Passwords;
use super::shares::Shares;
use crate::error::SiteError;
use crate::files::Database;
use crate::oidc::Documents;
use botyard_connections::Names;
use tokio::sync::watch;

/// What all people of a class use.
#[derive(Debug)]
pub(crate) struct People {
    /// The threads that work on passwords.
    pub(crate) passwords: Passwords,
    /// What all visitors use.
    pub(crate) shares: Shares,
    /// Documents of providers of sign-in.
    pub(crate) documents: Documents,
    /// A number that changes when a session may have ended, or a person has another role or team.
    sessions: watch::Sender<u64>,
}

impl People {
    /// Makes what the people of a server for these names use.
    pub(crate) fn new(names: Names) -> People {
        People {
            passwords: Passwords::default(),
            shares: Shares::new(names),
            documents: Documents::default(),
            sessions: watch::channel(0).0,
        }
    }

    /// Ends what visitors follow whose session has ended, or who have another role or team.
    pub(crate) fn check_sessions(&self) {
        self.sessions.send_modify(|number| *number = number.wrapping_add(1));
    }

    /// Returns what changes when a session may have ended.
    pub(crate) fn sessions(&self) -> watch::Receiver<u64> {
        self.sessions.subscribe()
    }
}

/// Makes a link with which an administrator chooses a password, if so asked or if none can sign in. Returns its token.
///
/// # Errors
///
/// The database cannot be used, or the system gives no random numbers.
pub(crate) fn admin_link(database: &Database, is_asked: bool) -> Result<Option<String>, SiteError> {
    database.transaction(|transaction| {
        if !is_asked && super::has_admin(transaction)? {
            return Ok(None);
        }
        let admin = super::first_admin(transaction)?;
        super::link(transaction, admin).map(Some)
    })
}
