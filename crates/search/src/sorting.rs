//! Stable sorting by a falling key, with little code for each type: the standard library's sort is a
//! thousand lines of it, and searches are compiled for every game.

use std::cmp::Ordering;

/// Lists up to this length are sorted by insertion, as in the standard library.
const FEW: usize = 20;

/// Sorts by falling keys; equal ones keep their order.
pub(crate) fn sort_falling<T: Copy>(list: &mut [T], key: impl Fn(&T) -> f64) {
    if list.len() <= FEW {
        for end in 1..list.len() {
            let item = list[end];
            let own = key(&item);
            let mut at = end;
            while at > 0 && key(&list[at - 1]) < own {
                list[at] = list[at - 1];
                at -= 1;
            }
            list[at] = item;
        }
        return;
    }
    let mut keys: Vec<(f64, usize)> = list.iter().map(key).zip(0..).collect();
    sort_keys(&mut keys);
    let before = list.to_vec();
    for (item, (_, index)) in list.iter_mut().zip(keys) {
        *item = before[index];
    }
}

/// Compiled once, with this crate.
fn sort_keys(keys: &mut [(f64, usize)]) {
    keys.sort_by(|(one, _), (other, _)| other.partial_cmp(one).unwrap_or(Ordering::Equal));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_keep_their_order() {
        for length in [0, 1, 2, FEW, FEW + 1, 100] {
            let list: Vec<(u32, u32)> = (0..length as u32).map(|n| (n * 7 % 5, n)).collect();
            let mut sorted = list.clone();
            sort_falling(&mut sorted, |&(key, _)| key.into());
            let mut expected = list;
            expected.sort_by_key(|&(key, _)| std::cmp::Reverse(key));
            assert_eq!(sorted, expected);
        }
    }
}
