//! A lookup table of natural logarithms of small integers: UCB1 needs one for every child of every
//! node on the path, and siblings differ in their availability counts.

/// The size of the table; few children exceed it.
const KNOWN: usize = 4096;

/// A table of logarithms, with the same values as `f32::ln`.
pub(super) struct Logarithms(Box<[f32]>);

impl Logarithms {
    pub(super) fn new() -> Logarithms {
        Logarithms((0..KNOWN).map(|number| (number as f32).ln()).collect())
    }

    /// Returns the natural logarithm of a number.
    #[inline]
    pub(super) fn ln(&self, number: u32) -> f32 {
        self.0.get(number as usize).copied().unwrap_or_else(|| (number as f32).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_equals_f32_ln() {
        let logarithms = Logarithms::new();
        for number in [1, 2, 3, 4095, 4096, 4097, 1_000_000] {
            assert_eq!(logarithms.ln(number), (number as f32).ln(), "{number}");
        }
    }
}
