//! The capacity of this host for concurrent games, on systems where it is not known before the first
//! game.

use crate::error::Error;
use botyard_sandbox::Tier;

/// Checks nothing.
///
/// # Errors
///
/// None.
pub fn check(_: usize, _: usize, _: Tier) -> Result<(), Error> {
    Ok(())
}
