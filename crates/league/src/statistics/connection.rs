//! Connectivity: parameters are comparable if a chain of contests connects them. Between
//! disconnected components, only the virtual draws against the anchor link them, which are not
//! evidence.

use super::luce::Contest;
use std::collections::BTreeSet;

/// Returns, for each parameter, the number of its component.
pub(super) fn parts<'a>(
    parameters: usize,
    contests: impl Iterator<Item = &'a Contest>,
) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..parameters).collect();
    for contest in contests {
        let mut strengths = contest.chosen.iter().map(|(alternative, _)| alternative.strength);
        let Some(first) = strengths.next() else { continue };
        for other in strengths {
            let (one, other) = (root(&mut parent, first), root(&mut parent, other));
            parent[one.max(other)] = one.min(other);
        }
    }
    (0..parameters).map(|parameter| root(&mut parent, parameter)).collect()
}

/// Returns the number of parameters that the contests determine: in each component all but one, and
/// likewise for the seat terms.
pub(super) fn degrees_of_freedom<'a>(
    parameters: usize,
    contests: impl Iterator<Item = &'a Contest> + Clone,
) -> usize {
    let alternatives =
        || contests.clone().flat_map(|contest| contest.chosen.iter().map(|(who, _)| who));
    let strengths: BTreeSet<usize> = alternatives().map(|who| who.strength).collect();
    let seats: BTreeSet<usize> = alternatives().filter_map(|who| who.seat).collect();
    let parts = parts(parameters, contests.clone());
    let parts: BTreeSet<usize> = strengths.iter().map(|&strength| parts[strength]).collect();
    strengths.len() - parts.len() + seats.len().saturating_sub(1)
}

/// Returns whether the results determine a linear combination of parameters: in each component its
/// coefficients must sum to 0.
pub(super) fn estimable(contrast: &[(usize, f64)], parts: &[usize]) -> bool {
    let mut sums = vec![0.0; parts.len()];
    for &(parameter, factor) in contrast {
        sums[parts[parameter]] += factor;
    }
    sums.iter().all(|sum: &f64| sum.abs() < 1e-9)
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}
