//! The sequential test of a new version against an old one, over pairs of games: it stops as soon
//! as H0 or H1 is accepted.
//!
//! A generalized sequential probability ratio test (GSPRT), over the five results of a pair of
//! games (Van den Bergh, "Comments on Normalized Elo" and "The maximum likelihood estimate for
//! multinomial distributions", as used by fishtest, OpenBench and fastchess). The two games of a
//! pair share their start, so their results are correlated, and the pair is one observation. An
//! incomplete pair does not count.

use serde::Serialize;

/// The model of the Elo difference in H0 and H1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EloModel {
    /// Logistic Elo: an expected score of 1 / (1 + 10^(-elo / 400)).
    Logistic,
    /// Normalized Elo: the expected score's distance from a half in units of the standard deviation
    /// of one game, times 800 / ln 10. It determines the number of games that a test needs,
    /// independent of the draw rate.
    Normalized,
}

impl EloModel {
    /// Returns its name for display.
    pub const fn name(self) -> &'static str {
        match self {
            EloModel::Logistic => "logistic Elo",
            EloModel::Normalized => "normalized Elo",
        }
    }

    /// Returns the maximum Elo difference of a hypothesis. Beyond 231 points of normalized Elo, the
    /// iteration for the maximum likelihood distribution may not converge.
    const fn most(self) -> f64 {
        match self {
            EloModel::Logistic => 1000.0,
            EloModel::Normalized => 200.0,
        }
    }
}

/// The verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// H0 is accepted: the difference is at most `elo0`.
    AcceptH0,
    /// H1 is accepted: the difference is at least `elo1`.
    AcceptH1,
}

/// A test with its pairs so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    elo: [f64; 2],
    bounds: [f64; 2],
    model: EloModel,
    pairs: [u64; 5],
}

/// The state of a test, for display.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The model of `elo0` and `elo1`.
    pub model: EloModel,
    /// The Elo difference under H0.
    pub elo0: f64,
    /// The Elo difference under H1.
    pub elo1: f64,
    /// The pentanomial counts: pairs in which the new version had 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
    /// Its mean score per game; `None` without a pair.
    pub share: Option<f64>,
    /// The log-likelihood ratio (LLR) of H1 to H0. Always a finite number.
    pub llr: f64,
    /// The lower bound of the LLR: H0 is accepted.
    pub lower: f64,
    /// The upper bound of the LLR: H1 is accepted.
    pub upper: f64,
    /// The verdict.
    pub decision: Decision,
}

/// Invalid hypotheses or error rates.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order, or beyond the range of the model.
    #[error(
        "elo0 is {elo0} and elo1 is {elo1}; elo0 must be the smaller one, and both within \
         -{most} and {most} in {}", model.name()
    )]
    Elo {
        /// The Elo difference under H0.
        elo0: f64,
        /// The Elo difference under H1.
        elo1: f64,
        /// The maximum absolute value.
        most: f64,
        /// The model.
        model: EloModel,
    },
    /// Error rates that are not probabilities, or add up to 1 or more.
    #[error("alpha is {0} and beta is {1}; both must be above 0, and their sum below 1")]
    Errors(f64, f64),
}

/// The scores of a pair, as shares of its two games.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The pseudocount of a result that never came: with zeros there would be hypotheses under which
/// the observations are impossible, and the likelihood ratio would be undefined.
const NEVER: f64 = 1e-3;

impl Sprt {
    /// The default Elo difference under H0.
    pub const ELO0: f64 = 0.0;
    /// The default Elo difference under H1.
    pub const ELO1: f64 = 30.0;

    /// Returns a test before its first pair. `alpha` is the type I error rate: the probability of
    /// accepting H1 when H0 is true. `beta` is the type II error rate: the probability of accepting
    /// H0 when H1 is true.
    ///
    /// # Errors
    ///
    /// Hypotheses that are not in order, and invalid error rates.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: EloModel,
    ) -> Result<Sprt, SprtError> {
        let most = model.most();
        if !(-most <= elo0 && elo0 < elo1 && elo1 <= most) {
            return Err(SprtError::Elo { elo0, elo1, most, model });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors(alpha, beta));
        }
        let bounds = [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()];
        Ok(Sprt { elo: [elo0, elo1], bounds, model, pairs: [0; 5] })
    }

    /// Counts a complete pair, given the points, 0 to 1, of the new version in each game. Points
    /// between a loss, a draw and a win are rounded to the nearest half for the pair. A pair with
    /// points that are not numbers does not count.
    pub fn add_pair(&mut self, first: f64, second: f64) {
        if !(first + second).is_finite() {
            return;
        }
        let halves = (2.0 * (first + second)).round().clamp(0.0, 4.0);
        self.pairs[halves as usize] += 1;
    }

    /// Returns the pentanomial counts: pairs in which the new version had 0, 1/2, 1, 3/2 and 2
    /// points.
    pub fn pairs(&self) -> [u64; 5] {
        self.pairs
    }

    /// Returns the log-likelihood ratio of H1 to H0; 0 before the first pair, and always a finite
    /// number.
    pub fn llr(&self) -> f64 {
        if self.pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = self.pairs.map(|count| if count == 0 { NEVER } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let [under0, under1] = self.elo.map(|elo| match self.model {
            EloModel::Logistic => with_mean(&seen, 1.0 / (1.0 + 10f64.powf(-elo / 400.0))),
            EloModel::Normalized => {
                // The standard deviation of a pair's mean is that of a game over the square root of
                // two.
                with_t_value(&seen, 2f64.sqrt() * elo * std::f64::consts::LN_10 / 800.0)
            }
        });
        let ratios = under1.iter().zip(&under0).map(|(one, zero)| one.ln() - zero.ln());
        let llr: f64 = ratios.zip(&counts).map(|(ratio, count)| ratio * count).sum();
        if llr.is_finite() { llr } else { 0.0 }
    }

    /// Returns the verdict after the pairs so far.
    pub fn decision(&self) -> Decision {
        match self.llr() {
            llr if llr <= self.bounds[0] => Decision::AcceptH0,
            llr if llr >= self.bounds[1] => Decision::AcceptH1,
            _ => Decision::Continue,
        }
    }

    /// Returns the state of the test.
    pub fn state(&self) -> SprtState {
        let count: u64 = self.pairs.iter().sum();
        let sum: f64 = self.pairs.iter().zip(SCORES).map(|(&n, score)| n as f64 * score).sum();
        SprtState {
            model: self.model,
            elo0: self.elo[0],
            elo1: self.elo[1],
            pairs: self.pairs,
            share: (count > 0).then(|| sum / count as f64),
            llr: self.llr(),
            lower: self.bounds[0],
            upper: self.bounds[1],
            decision: self.decision(),
        }
    }
}

/// Returns the maximum likelihood distribution with this mean, given the counts: p / (1 + x (score
/// - mean)), with x from that constraint.
fn with_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    tilted(seen, &SCORES.map(|score| score - mean))
}

/// Returns the maximum likelihood distribution with this t-value (the mean's distance above a half,
/// in standard deviations), by iteration from the uniform one.
fn with_t_value(seen: &[f64; 5], t: f64) -> [f64; 5] {
    const ROUNDS: usize = 100;
    let mut found = [0.2; 5];
    for _ in 0..ROUNDS {
        let mean: f64 = found.iter().zip(SCORES).map(|(p, score)| p * score).sum();
        let variance: f64 =
            found.iter().zip(SCORES).map(|(p, score)| p * (score - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let off = SCORES.map(|score| {
            score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0
        });
        let next = tilted(seen, &off);
        let moved = next.iter().zip(&found).map(|(next, found)| (next - found).abs());
        let moved = moved.fold(0.0, f64::max);
        if next.iter().any(|p| !p.is_finite()) {
            break;
        }
        found = next;
        if moved < 1e-12 {
            break;
        }
    }
    found
}

/// Returns seen / (1 + x off), with the x that makes the mean of `off` 0. If all of `off` are on
/// one side of 0 there is none, and `seen` is returned.
fn tilted(seen: &[f64; 5], off: &[f64; 5]) -> [f64; 5] {
    let least = off.iter().copied().fold(f64::INFINITY, f64::min);
    let most = off.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return *seen;
    }
    // Between these two every 1 + x off is positive, and the mean decreases from +infinity to
    // -infinity.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mean =
        |x: f64| -> f64 { seen.iter().zip(off).map(|(p, off)| p * off / (1.0 + x * off)).sum() };
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if mean(middle) > 0.0 { low = middle } else { high = middle }
    }
    // The end at which nothing vanishes, if one does.
    let at = |x: f64| [0, 1, 2, 3, 4].map(|index| seen[index] / (1.0 + x * off[index]));
    [low, high]
        .map(at)
        .into_iter()
        .find(|p| p.iter().all(|p| p.is_finite() && *p > 0.0))
        .unwrap_or(*seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::array::uniform5;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn test(elo0: f64, elo1: f64, model: EloModel, pairs: [u64; 5]) -> Sprt {
        Sprt { pairs, ..Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap() }
    }

    /// Tests of fishtest as they ended there, and the values that fastchess gives for them in its
    /// own tests (app/tests/sprt_test.cpp); pairs with 1 point are won and lost, or drawn twice.
    #[test]
    fn published_tests_have_the_published_ratio() {
        use EloModel::{Logistic, Normalized};
        for (model, elo0, elo1, pairs, llr) in [
            (Normalized, 0.0, 2.0, [365, 16618, 36029 + 200, 16974, 390], 2.25),
            (Normalized, -1.75, 0.25, [127, 4883, 10311 + 401, 5150, 104], 3.01),
            (Logistic, 0.5, 2.5, [223, 9863, 20279 + 1000, 10037, 246], -3.07),
            (Logistic, 0.0, 2.0, [871, 26175, 55003 + 980, 26678, 821], -4.98),
        ] {
            let found = test(elo0, elo1, model, pairs).llr();
            assert!((found - llr).abs() < 0.005, "{pairs:?}: {found:.4}, published {llr}");
        }
    }

    /// Where every pair was won, two results matter: p and 1 - p of winning and losing both, with p
    /// a half under 0 and, for a t-value of t, (p - 1/2)^2 = t^2 p (1 - p).
    #[test]
    fn a_test_without_a_loss_has_the_ratio_that_follows_by_hand() {
        let t = 2f64.sqrt() * 5.0 * std::f64::consts::LN_10 / 800.0;
        let p = 0.5 + 0.5 * (t * t / (1.0 + t * t)).sqrt();
        let found = test(0.0, 5.0, EloModel::Normalized, [0, 0, 0, 0, 104]).llr();
        assert!((found - 104.0 * (p / 0.5).ln()).abs() < 1e-3, "{found}");
        let share = 1.0 / (1.0 + 10f64.powf(-30.0 / 400.0));
        let found = test(0.0, 30.0, EloModel::Logistic, [0, 0, 0, 0, 50]).llr();
        assert!((found - 50.0 * (share / 0.5).ln()).abs() < 1e-3, "{found}");
    }

    #[test]
    fn pairs_are_counted_and_decide() {
        let mut sprt = Sprt::new(Sprt::ELO0, Sprt::ELO1, 0.05, 0.05, EloModel::Logistic).unwrap();
        assert_eq!((sprt.llr(), sprt.decision()), (0.0, Decision::Continue));
        assert_eq!(sprt.state().share, None);
        for (first, second) in
            [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (0.5, 0.5), (1.0, 0.5), (1.0, 1.0)]
        {
            sprt.add_pair(first, second);
        }
        sprt.add_pair(f64::NAN, 1.0);
        assert_eq!(sprt.pairs(), [1, 1, 2, 1, 1]);
        let state = sprt.state();
        assert_eq!((state.share, state.decision), (Some(0.5), Decision::Continue));
        assert!((state.lower + 2.944).abs() < 1e-3 && (state.upper - 2.944).abs() < 1e-3);
        (0..60).for_each(|_| sprt.add_pair(1.0, 0.5));
        assert_eq!(sprt.decision(), Decision::AcceptH1);
        (0..200).for_each(|_| sprt.add_pair(0.0, 0.5));
        assert_eq!(sprt.decision(), Decision::AcceptH0);
    }

    #[test]
    fn invalid_hypotheses_are_refused() {
        let new = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, EloModel::Logistic);
        let message = new(30.0, 0.0, 0.05, 0.05).unwrap_err().to_string();
        assert!(
            message.starts_with("elo0 is 30 and elo1 is 0; elo0 must be the smaller"),
            "{message}"
        );
        for (elo0, elo1, alpha, beta) in [
            (0.0, 0.0, 0.05, 0.05),
            (f64::NAN, 5.0, 0.05, 0.05),
            (0.0, f64::INFINITY, 0.05, 0.05),
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.6, 0.4),
            (0.0, 5.0, 0.05, f64::NAN),
        ] {
            assert!(new(elo0, elo1, alpha, beta).is_err(), "{elo0} {elo1} {alpha} {beta}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: RngSeed::Fixed(1),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn the_ratio_is_a_number(
            pairs in uniform5(0u64..1_000_000_000_000),
            none in uniform5(any::<bool>()),
            part in -1.0f64..0.99,
            width in 0.01f64..100.0,
            normalized in any::<bool>(),
        ) {
            let model = if normalized { EloModel::Normalized } else { EloModel::Logistic };
            let elo0 = part * model.most();
            let elo1 = (elo0 + width).min(model.most());
            prop_assert!(test(elo0, elo1, model, without(pairs, none)).llr().is_finite());
        }

        #[test]
        fn the_ratio_of_the_opposite_test_is_the_negative(
            pairs in uniform5(0u64..100_000),
            none in uniform5(any::<bool>()),
            elo0 in -200.0f64..199.0,
            width in 0.01f64..100.0,
            normalized in any::<bool>(),
        ) {
            let model = if normalized { EloModel::Normalized } else { EloModel::Logistic };
            let pairs = without(pairs, none);
            let elo1 = (elo0 + width).min(200.0);
            let found = test(elo0, elo1, model, pairs).llr();
            let mut mirrored = pairs;
            mirrored.reverse();
            let opposite = test(-elo1, -elo0, model, mirrored).llr();
            let slack = 1e-2 + 1e-6 * found.abs();
            prop_assert!((found + opposite).abs() < slack, "{} and {}", found, opposite);
        }

        #[test]
        fn the_maximum_likelihood_distribution_has_the_given_mean_or_t_value(
            pairs in uniform5(0u64..100_000),
            none in uniform5(any::<bool>()),
            elo in -200.0f64..200.0,
        ) {
            let counts = without(pairs, none).map(|n| if n == 0 { NEVER } else { n as f64 });
            let total: f64 = counts.iter().sum();
            let seen = counts.map(|count| count / total);
            let mean = |p: &[f64; 5]| p.iter().zip(SCORES).map(|(p, score)| p * score).sum::<f64>();
            let share = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
            prop_assert!((mean(&with_mean(&seen, share)) - share).abs() < 1e-6);
            let t = 2f64.sqrt() * elo * std::f64::consts::LN_10 / 800.0;
            let found = with_t_value(&seen, t);
            let (mean, sum) = (mean(&found), found.iter().sum::<f64>());
            let variance: f64 =
                found.iter().zip(SCORES).map(|(p, score)| p * (score - mean).powi(2)).sum();
            prop_assert!((sum - 1.0).abs() < 1e-6, "{}", sum);
            prop_assert!(((mean - 0.5) / variance.sqrt() - t).abs() < 1e-5, "{:?}", found);
        }
    }

    /// Returns the counts with some of them 0.
    fn without(mut pairs: [u64; 5], none: [bool; 5]) -> [u64; 5] {
        pairs.iter_mut().zip(none).for_each(|(count, none)| *count *= u64::from(!none));
        pairs
    }

    /// The error rates are as configured. Games with draws, whose start favours a colour.
    #[test]
    fn the_error_rates_are_as_configured() {
        use botyard_engine::Stream;
        use botyard_engine::random::unit;
        const TESTS: u32 = 200;
        let mut stream = Stream::new(1, "sprt");
        for (elo, right) in [(0.0, Decision::AcceptH0), (60.0, Decision::AcceptH1)] {
            let mut wrong = 0;
            for _ in 0..TESTS {
                let mut sprt = Sprt::new(0.0, 60.0, 0.05, 0.05, EloModel::Logistic).unwrap();
                let share = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
                while sprt.decision() == Decision::Continue {
                    let start = 0.15 * (2.0 * unit(stream.rng()) - 1.0);
                    let mut points = |share: f64| match unit(stream.rng()) {
                        drawn if drawn < 0.4 => 0.5,
                        _ => f64::from(u8::from(unit(stream.rng()) < 0.5 + (share - 0.5) / 0.6)),
                    };
                    let (first, second) = (points(share + start), points(share - start));
                    sprt.add_pair(first, second);
                }
                wrong += u32::from(sprt.decision() != right);
            }
            // 5% of 200 are 10; 19 is the 99.7% point.
            assert!(wrong <= 19, "{elo}: {wrong} of {TESTS}");
        }
    }
}
