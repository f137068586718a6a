//! The order in which games with secrets are played. A program that has played one rotation of a
//! block must be restarted for the next one. If the first rotations of several blocks come before
//! their second ones, one start serves several games.

/// The number of blocks played rotation by rotation. A larger number would save little, and leave
/// more incomplete blocks when a run is interrupted.
pub const BLOCKS_TOGETHER: usize = 8;

/// Returns the same game numbers, from 1, with those of [`BLOCKS_TOGETHER`] blocks at a time in the
/// order of their rotations.
pub fn by_rotation(
    numbers: impl Iterator<Item = u32>,
    block_length: u32,
) -> impl Iterator<Item = u32> {
    let together = BLOCKS_TOGETHER.saturating_mul(block_length as usize);
    let mut numbers = numbers.peekable();
    std::iter::from_fn(move || {
        numbers.peek()?;
        let mut some: Vec<u32> = numbers.by_ref().take(together).collect();
        some.sort_by_key(|number| (number - 1) % block_length);
        Some(some)
    })
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once_and_blocks_stay_together() {
        let order: Vec<u32> = by_rotation(1..=40, 2).collect();
        assert_eq!(order[..16], [1, 3, 5, 7, 9, 11, 13, 15, 2, 4, 6, 8, 10, 12, 14, 16]);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(1..=40));
        assert!(by_rotation(1..=40, 1).eq(1..=40));
        // The missing games of an interrupted run.
        assert!(by_rotation([3, 4, 6].into_iter(), 2).eq([3, 4, 6]));
        assert!(by_rotation([4, 5, 6].into_iter(), 2).eq([5, 4, 6]));
    }
}
