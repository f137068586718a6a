//! Probabilities in percent, as in options, in a form that is fast to draw with.

use botyard_engine::random::Rng;

/// A probability of 0 to 100 percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percent {
    /// An event happens if a random number of 32 bits is below it.
    threshold: u64,
}

impl Percent {
    /// Makes a probability; above 100 it is 100.
    pub const fn new(percent: u8) -> Percent {
        let percent = if percent > 100 { 100 } else { percent };
        Percent { threshold: ((percent as u64) << 32) / 100 }
    }

    /// As a share of 1.
    pub const fn share(self) -> f64 {
        self.threshold as f64 / (1u64 << 32) as f64
    }

    /// Draws whether it happens. Uses no random number if the probability is 0.
    #[inline]
    pub fn happens<R: Rng + ?Sized>(self, rng: &mut R) -> bool {
        self.threshold > 0 && u64::from(rng.next_u32()) < self.threshold
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::Stream;

    #[test]
    fn happens_as_often_as_it_says() {
        let mut stream = Stream::new(1, "test");
        for (percent, least, most) in [(0, 0, 0), (10, 880, 1120), (100, 10_000, 10_000)] {
            let probability = Percent::new(percent);
            let times = (0..10_000).filter(|_| probability.happens(stream.rng())).count();
            assert!((least..=most).contains(&times), "{percent}%: {times}");
            assert!((probability.share() - f64::from(percent) / 100.0).abs() < 1e-9);
        }
    }
}
