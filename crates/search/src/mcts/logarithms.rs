//! Natural logarithms of small numbers, looked up: UCB1 asks for one for every child of every node
//! on the way, and siblings differ in how often they could have been chosen.

/// How many are looked up; few children are met more often.
const KNOWN: usize = 4096;

/// A table of logarithms: the same numbers as those of `f32::ln`.
pub(super) struct Logarithms(Box<[f32]>);

impl Logarithms {
    pub(super) fn new() -> Logarithms {
        Logarithms((0..KNOWN).map(|number| (number as f32).ln()).collect())
    }

    /// The natural logarithm of a number.
    #[inline]
    pub(super) fn ln(&self, number: u32) -> f32 {
        self.0.get(number as usize).copied().unwrap_or_else(|| (number as f32).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looked_up_or_not_they_are_the_same() {
        let logarithms = Logarithms::new();
        for number in [1, 2, 3, 4095, 4096, 4097, 1_000_000] {
            assert_eq!(logarithms.ln(number), (number as f32).ln(), "{number}");
        }
    }
}
