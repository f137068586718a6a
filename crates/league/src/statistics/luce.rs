//! Luce's choice model, of which all models of strength here are special cases: one of a set of
//! alternatives is chosen with a probability proportional to its worth, and the logarithm of a
//! worth is a sum of parameters (Luce 1959, "Individual Choice Behavior").
//!
//! Every parameter also plays one virtual draw against an anchor of worth 1 (a prior). This keeps
//! it finite for a bot that won or lost everything, connects bots that never met, and makes the
//! maximum of the likelihood unique. The log-likelihood is concave, so Newton's method with step
//! halving converges from any start. Hunter's MM algorithm (2004, "MM algorithms for generalized
//! Bradley-Terry models") has the same limit, but with a small weight of the anchor it needs
//! thousands of iterations. A test compares the two.

use super::linear::{Cholesky, Symmetric};

/// An alternative: its worth is exp(strength), or exp(strength + seat).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alternative {
    /// The parameter of the player.
    pub strength: usize,
    /// The parameter of the seat, if there is one.
    pub seat: Option<usize>,
}

/// A choice from a set, or several from the same one.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// The alternatives, each with its count: halves for a draw, other fractions for a tie.
    pub chosen: Vec<(Alternative, f64)>,
}

/// The data: contests.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The number of parameters.
    pub parameters: usize,
    /// The contests.
    pub contests: Vec<Contest>,
    /// The number of virtual draws of each parameter against the anchor; above 0.
    pub anchor: f64,
}

/// The maximum likelihood estimate.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The parameters, as natural logarithms of worth; the anchor's is 0.
    pub parameters: Vec<f64>,
    /// The information matrix at the maximum: minus the second derivative of the log-likelihood.
    pub information: Cholesky,
    /// Its diagonal: the information about each parameter if the others are known.
    pub own_information: Vec<f64>,
}

impl Alternative {
    fn log_worth(self, parameters: &[f64]) -> f64 {
        parameters[self.strength] + self.seat.map_or(0.0, |seat| parameters[seat])
    }

    fn each_parameter(self) -> impl Iterator<Item = usize> {
        [Some(self.strength), self.seat].into_iter().flatten()
    }
}

impl Contest {
    fn times(&self) -> f64 {
        self.chosen.iter().map(|(_, times)| times).sum()
    }

    /// Calls `each` with every alternative, its count and its probability.
    fn probabilities(&self, parameters: &[f64], mut each: impl FnMut(Alternative, f64, f64)) {
        // Subtracts the maximum first, so that no worth overflows.
        let log_worth = |&(alternative, _): &(Alternative, f64)| alternative.log_worth(parameters);
        let largest = self.chosen.iter().map(log_worth).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = self.chosen.iter().map(|choice| (log_worth(choice) - largest).exp()).sum();
        for choice in &self.chosen {
            each(choice.0, choice.1, (log_worth(choice) - largest).exp() / sum);
        }
    }

    /// Adds `factor` times the derivative of the log-likelihood by each parameter.
    pub fn add_score(&self, parameters: &[f64], factor: f64, score: &mut [f64]) {
        let times = self.times();
        self.probabilities(parameters, |alternative, chosen, probability| {
            for parameter in alternative.each_parameter() {
                score[parameter] += factor * (chosen - times * probability);
            }
        });
    }

    /// Calls `each` with the position of every alternative and its count minus the expected count.
    pub fn each_surprise(&self, parameters: &[f64], mut each: impl FnMut(usize, f64)) {
        let times = self.times();
        let mut position = 0;
        self.probabilities(parameters, |_, chosen, probability| {
            each(position, chosen - times * probability);
            position += 1;
        });
    }

    fn add_information(&self, parameters: &[f64], information: &mut Symmetric) {
        let times = self.times();
        let mut shares: Vec<(usize, f64)> = Vec::with_capacity(2 * self.chosen.len());
        self.probabilities(parameters, |alternative, _, probability| {
            for one in alternative.each_parameter() {
                shares.push((one, probability));
                for other in alternative.each_parameter().filter(|&other| other <= one) {
                    information.add(one, other, times * probability);
                }
            }
        });
        // The contributions of a parameter in several alternatives are summed.
        shares.sort_unstable_by_key(|&(parameter, _)| parameter);
        shares.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0.0 };
            same
        });
        for (index, &(one, share)) in shares.iter().enumerate() {
            for &(other, other_share) in &shares[..=index] {
                information.add(one, other, -times * share * other_share);
            }
        }
    }

    fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.probabilities(parameters, |_, chosen, probability| {
            if chosen > 0.0 {
                sum += chosen * probability.max(f64::MIN_POSITIVE).ln();
            }
        });
        sum
    }
}

impl Choices {
    /// Returns the maximum likelihood estimate.
    pub fn maximum_likelihood(&self) -> Fit {
        const ROUNDS: usize = 200;
        let mut parameters = vec![0.0; self.parameters];
        let mut likelihood = self.log_likelihood(&parameters);
        for _ in 0..ROUNDS {
            let mut step = self.score(&parameters);
            self.information(&parameters).0.solve(&mut step);
            let mut factor = 1.0;
            // Far from the maximum a full Newton step may overshoot; step halving makes it ascend.
            // Close to it the likelihood changes by less than rounding.
            let rounding = 1e-10 * likelihood.abs();
            let (next, found) = loop {
                let moved = |(at, step): (&f64, &f64)| at + factor * step;
                let next: Vec<f64> = parameters.iter().zip(&step).map(moved).collect();
                let found = self.log_likelihood(&next);
                if found >= likelihood - rounding || factor < 1e-9 {
                    break (next, found);
                }
                factor /= 2.0;
            };
            let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
            if found < likelihood - rounding {
                break;
            }
            (parameters, likelihood) = (next, found);
            if longest < 1e-8 {
                break;
            }
        }
        let (information, own_information) = self.information(&parameters);
        Fit { parameters, information, own_information }
    }

    fn score(&self, parameters: &[f64]) -> Vec<f64> {
        let pull = |&at: &f64| self.anchor * (0.5 - logistic(at));
        let mut score: Vec<f64> = parameters.iter().map(pull).collect();
        self.contests.iter().for_each(|contest| contest.add_score(parameters, 1.0, &mut score));
        score
    }

    /// Returns the factored information matrix, and its diagonal.
    fn information(&self, parameters: &[f64]) -> (Cholesky, Vec<f64>) {
        let mut information = Symmetric::zero(self.parameters);
        for contest in &self.contests {
            contest.add_information(parameters, &mut information);
        }
        // Rounding may cancel the anchor's term if others are huge: increase it until the
        // factorisation succeeds.
        let mut ridge = 0.0;
        loop {
            let mut held = information.clone();
            for (parameter, &at) in parameters.iter().enumerate() {
                let anchored = self.anchor * logistic(at) * logistic(-at);
                held.add(parameter, parameter, anchored.max(1e-12) + ridge);
            }
            let diagonal = held.diagonal();
            if let Some(factor) = held.cholesky() {
                return (factor, diagonal);
            }
            ridge = if ridge == 0.0 { 1e-9 } else { ridge * 10.0 };
        }
    }

    fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        let drawn = |&at: &f64| {
            let either = logistic(at) * logistic(-at);
            self.anchor * 0.5 * either.max(f64::MIN_POSITIVE).ln()
        };
        parameters.iter().map(drawn).sum::<f64>()
            + self.contests.iter().map(|contest| contest.log_likelihood(parameters)).sum::<f64>()
    }
}

/// The logistic function: returns the probability of a log-odds.
pub fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
