//! Who can be compared with whom: parameters are connected where a chain of contests leads from one
//! to the other. Between parts that are not, only the virtual draws against the anchor speak, which
//! is no evidence.

use super::luce::Contest;
use std::collections::BTreeSet;

/// For each parameter a number that it shares with those connected to it.
pub fn parts<'a>(parameters: usize, contests: impl Iterator<Item = &'a Contest>) -> Vec<usize> {
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

/// How many parameters the contests determine: of those in a part, all but one, and of the seats'
/// terms likewise.
pub fn degrees_of_freedom<'a>(
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

/// Whether results say anything of a combination of parameters: in each part its factors must add
/// up to 0.
pub fn estimable(contrast: &[(usize, f64)], parts: &[usize]) -> bool {
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
