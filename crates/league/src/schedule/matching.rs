//! Perfect matching in a general graph, by augmenting paths with shrunk odd cycles (blossoms;
//! Edmonds 1965, "Paths, trees, and flowers").

use std::collections::VecDeque;

/// A graph and a matching in it.
struct Matching<'a> {
    possible: &'a dyn Fn(usize, usize) -> bool,
    mates: Vec<Option<usize>>,
    /// The vertices whose pair is fixed.
    settled: Vec<bool>,
}

/// Pairs all vertices: the first with its most preferred partner among those that leave a perfect
/// matching, then the next one, and so on. `preferences` lists the partners of a vertex, the best
/// first; `possible` returns whether two may be paired. `None` if there is no perfect matching.
pub(super) fn pair_all(
    count: usize,
    possible: &dyn Fn(usize, usize) -> bool,
    preferences: &dyn Fn(usize) -> Vec<usize>,
) -> Option<Vec<[usize; 2]>> {
    let mut matching = Matching { possible, mates: vec![None; count], settled: vec![false; count] };
    for one in 0..count {
        if matching.mates[one].is_none() && !matching.augment(one) {
            return None;
        }
    }
    let mut pairs = Vec::with_capacity(count / 2);
    for one in 0..count {
        if matching.settled[one] {
            continue;
        }
        let other = preferences(one).into_iter().find(|&other| matching.settle(one, other))?;
        pairs.push([one, other]);
    }
    Some(pairs)
}

impl Matching<'_> {
    /// Fixes a pair, if all others can still be paired. The matching is perfect before and after.
    fn settle(&mut self, one: usize, other: usize) -> bool {
        if self.settled[other] || !(self.possible)(one, other) {
            return false;
        }
        [self.settled[one], self.settled[other]] = [true; 2];
        let left = [self.mates[one], self.mates[other]];
        if left[0] == Some(other) {
            return true;
        }
        let [Some(first), Some(second)] = left else { return false };
        [self.mates[first], self.mates[second]] = [None; 2];
        if self.augment(first) {
            [self.mates[one], self.mates[other]] = [Some(other), Some(one)];
            return true;
        }
        [self.mates[first], self.mates[second]] = [Some(one), Some(other)];
        [self.settled[one], self.settled[other]] = [false; 2];
        false
    }

    /// Finds an augmenting path from an unmatched vertex and flips its edges. Returns whether there
    /// is one.
    fn augment(&mut self, root: usize) -> bool {
        let count = self.mates.len();
        let mut search = Search {
            mates: &self.mates,
            base: (0..count).collect(),
            before: vec![None; count],
            is_outer: vec![false; count],
            queue: VecDeque::from([root]),
        };
        search.is_outer[root] = true;
        while let Some(outer) = search.queue.pop_front() {
            for next in (0..count).filter(|&next| !self.settled[next]) {
                let is_new = search.base[outer] != search.base[next] && outer != next;
                if !is_new || !(self.possible)(outer, next) {
                    continue;
                }
                if search.is_outer[next] {
                    search.shrink(outer, next);
                } else if search.before[next].is_none() {
                    search.before[next] = Some(outer);
                    let Some(mate) = self.mates[next] else {
                        let before = search.before;
                        self.flip(&before, next);
                        return true;
                    };
                    search.is_outer[mate] = true;
                    search.queue.push_back(mate);
                }
            }
        }
        false
    }

    /// Flips the edges on the way back from the end of a path.
    fn flip(&mut self, before: &[Option<usize>], end: usize) {
        let mut at = Some(end);
        while let Some(inner) = at
            && let Some(outer) = before[inner]
        {
            at = self.mates[outer];
            [self.mates[inner], self.mates[outer]] = [Some(outer), Some(inner)];
        }
    }
}

/// A search for an augmenting path: a tree whose outer vertices are an even number of edges from
/// its root.
struct Search<'a> {
    mates: &'a [Option<usize>],
    /// The base of each vertex's blossom: the vertex of the odd cycle nearest to the root.
    base: Vec<usize>,
    /// The vertex from which an inner vertex was reached.
    before: Vec<Option<usize>>,
    is_outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl Search<'_> {
    /// Two adjacent outer vertices close an odd cycle: all its vertices become outer.
    fn shrink(&mut self, one: usize, other: usize) {
        let base = self.common_base(one, other);
        let mut in_cycle = vec![false; self.base.len()];
        self.mark(one, base, other, &mut in_cycle);
        self.mark(other, base, one, &mut in_cycle);
        for (index, of_index) in self.base.iter_mut().enumerate() {
            if in_cycle[*of_index] {
                *of_index = base;
                if !self.is_outer[index] {
                    self.is_outer[index] = true;
                    self.queue.push_back(index);
                }
            }
        }
    }

    /// Returns the base of the next outer vertex towards the root; `None` at the root.
    fn up(&self, base: usize) -> Option<usize> {
        Some(self.base[self.before[self.mates[base]?]?])
    }

    fn common_base(&self, one: usize, other: usize) -> usize {
        let way = |from: usize| std::iter::successors(Some(self.base[from]), |&at| self.up(at));
        let of_one: Vec<usize> = way(one).collect();
        way(other).find(|base| of_one.contains(base)).unwrap_or(self.base[other])
    }

    /// Marks the bases between an outer vertex and the base of the cycle, and sets the links back
    /// around it.
    fn mark(&mut self, mut outer: usize, base: usize, mut from: usize, in_cycle: &mut [bool]) {
        while self.base[outer] != base
            && let Some(inner) = self.mates[outer]
            && let Some(next) = self.before[inner]
        {
            [in_cycle[self.base[outer]], in_cycle[self.base[inner]]] = [true; 2];
            self.before[outer] = Some(from);
            (from, outer) = (inner, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::Stream;
    use botyard_engine::random::below;

    /// The same by exhaustive search.
    fn first_of_all(
        left: &[usize],
        possible: &dyn Fn(usize, usize) -> bool,
    ) -> Option<Vec<[usize; 2]>> {
        let Some((&one, others)) = left.split_first() else { return Some(Vec::new()) };
        others.iter().filter(|&&other| possible(one, other)).find_map(|&other| {
            let rest: Vec<usize> = others.iter().copied().filter(|&left| left != other).collect();
            let mut pairs = vec![[one, other]];
            pairs.extend(first_of_all(&rest, possible)?);
            Some(pairs)
        })
    }

    #[test]
    fn matchings_equal_those_of_exhaustive_search() {
        let mut stream = Stream::new(1, "graphs");
        let (mut paired, mut left_over) = (0, 0);
        for graph in 0..4000 {
            let count = 2 * (1 + graph % 5);
            let edges: Vec<bool> = (0..count * count)
                .map(|_| below(stream.rng(), 10) < 1 + graph as u32 % 7)
                .collect();
            let possible =
                |one: usize, other: usize| edges[one.min(other) * count + one.max(other)];
            let found = pair_all(count, &possible, &|one| (one + 1..count).collect());
            assert_eq!(
                found,
                first_of_all(&(0..count).collect::<Vec<_>>(), &possible),
                "{edges:?}"
            );
            *(if found.is_some() { &mut paired } else { &mut left_over }) += 1;
        }
        assert!(paired > 500 && left_over > 500, "{paired} and {left_over}");
    }
}
