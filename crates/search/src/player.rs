//! The players of a game.

/// The maximum number of players of a game.
pub const MAX_PLAYERS: usize = 8;

/// A number for each player, by player; 0 for players that the game does not have.
pub type Values = [i32; MAX_PLAYERS];

/// A player: an index below [`MAX_PLAYERS`].
///
/// A player has a value or a reward of its own. Often it is a seat, but the pawns of one seat may
/// be a player each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(u8);

impl Player {
    /// Returns the player with this index.
    ///
    /// # Panics
    ///
    /// Panics if `index` is not below [`MAX_PLAYERS`].
    #[inline]
    pub const fn new(index: usize) -> Player {
        assert!(index < MAX_PLAYERS, "a game has at most 8 players");
        Player(index as u8)
    }

    /// Returns its index, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the first `count` players, in order.
    #[inline]
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Player> + ExactSizeIterator {
        (0..count).map(Player::new)
    }
}

#[cfg(feature = "engine")]
impl From<botyard_engine::Seat> for Player {
    #[inline]
    fn from(seat: botyard_engine::Seat) -> Player {
        Player::new(seat.index())
    }
}

#[cfg(feature = "engine")]
impl From<Player> for botyard_engine::Seat {
    #[inline]
    fn from(player: Player) -> botyard_engine::Seat {
        botyard_engine::Seat::new(player.index())
    }
}
