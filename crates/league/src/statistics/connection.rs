//! Who can be compared with whom: parameters are connected where a chain of contests leads from one
//! to the other. Between parts that are not, only the virtual draws against the anchor speak, which is no
//! evidence.

use super::luce::Contest;

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

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}
