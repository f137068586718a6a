//! Luce's choice model, of which all our models of strength are cases: from a set of alternatives
//! one is chosen with a probability in proportion to its worth, and the logarithm of a worth is a
//! sum of parameters (Luce 1959, "Individual Choice Behavior").
//!
//! Every parameter also plays one virtual draw against an anchor of worth 1. That keeps it finite
//! for a bot that won or lost everything, ties together bots that never met, and makes the
//! maximum of the likelihood unique. The log-likelihood is concave, so Newton's method with step
//! halving finds that maximum from anywhere; Hunter's MM algorithm (2004, "MM algorithms for
//! generalized Bradley-Terry models") has the same one as its limit, but where the anchor weighs
//! little it takes thousands of rounds to get there. A test compares the two.

use super::linear::{Cholesky, Symmetric};

/// What may be chosen: its worth is exp(strength), or exp(strength + seat).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alternative {
    /// The parameter of who it is.
    pub strength: usize,
    /// The parameter of where it sits, if that matters.
    pub seat: Option<usize>,
}

/// A choice from a set, or several from the same one.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// The alternatives, each with how often it was chosen: halves for a draw, whatever for a tie.
    pub chosen: Vec<(Alternative, f64)>,
}

/// Contests to learn from.
#[derive(Clone, Debug)]
pub struct Choices {
    /// How many parameters there are.
    pub parameters: usize,
    /// The contests.
    pub contests: Vec<Contest>,
    /// How many virtual draws each parameter plays against the anchor; above 0.
    pub anchor: f64,
}

/// The parameters that make what was chosen most likely.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The parameters, in units of the natural logarithm; the anchor's is 0.
    pub parameters: Vec<f64>,
    /// The information there, minus the second derivative of the log-likelihood.
    pub information: Cholesky,
    /// Its diagonal: what is known of each parameter if the others are.
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

    /// Calls `each` with every alternative, how often it was chosen and its probability.
    fn probabilities(&self, parameters: &[f64], mut each: impl FnMut(Alternative, f64, f64)) {
        // The largest taken out first: no worth overflows.
        let log_worth = |&(alternative, _): &(Alternative, f64)| alternative.log_worth(parameters);
        let largest = self.chosen.iter().map(log_worth).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = self.chosen.iter().map(|choice| (log_worth(choice) - largest).exp()).sum();
        for choice in &self.chosen {
            each(choice.0, choice.1, (log_worth(choice) - largest).exp() / sum);
        }
    }

    /// Adds the derivative of the log-likelihood by each parameter, `factor` times.
    pub fn add_score(&self, parameters: &[f64], factor: f64, score: &mut [f64]) {
        let times = self.times();
        self.probabilities(parameters, |alternative, chosen, probability| {
            for parameter in alternative.each_parameter() {
                score[parameter] += factor * (chosen - times * probability);
            }
        });
    }

    /// Calls `each` with the position of every alternative and how much more often it was chosen
    /// than expected.
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
        // What a parameter has in several alternatives counts together.
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
    /// The maximum likelihood estimate.
    pub fn maximum_likelihood(&self) -> Fit {
        const ROUNDS: usize = 200;
        let mut parameters = vec![0.0; self.parameters];
        let mut likelihood = self.log_likelihood(&parameters);
        for _ in 0..ROUNDS {
            let mut step = self.score(&parameters);
            self.information(&parameters).0.solve(&mut step);
            let mut factor = 1.0;
            // Far from the maximum a whole step may overshoot; half of it, or half of that, climbs.
            // Close to it the likelihood changes by less than its rounding.
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

    /// The information, factored, and its diagonal.
    fn information(&self, parameters: &[f64]) -> (Cholesky, Vec<f64>) {
        let mut information = Symmetric::zero(self.parameters);
        for contest in &self.contests {
            contest.add_information(parameters, &mut information);
        }
        // Rounding may eat the anchor's part where others are huge: more of it until it holds.
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

/// The probability that goes with a log-odds.
pub fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
