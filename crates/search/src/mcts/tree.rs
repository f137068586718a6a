//! A tree in an arena: nodes in one vector, children as lists linked by index. A node has a child
//! for each event observed after it. The child counts how often it was available, since with hidden
//! information not every child is legal in every iteration.

/// The index of a node.
pub(super) type Index = u32;

/// The root of every tree.
pub(super) const ROOT: Index = 0;

/// Means "none"; trees are far smaller.
const NONE: Index = Index::MAX;

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node<E> {
    /// The event that led here; `None` at the root.
    pub(super) event: Option<E>,
    first_child: Index,
    last_child: Index,
    next_sibling: Index,
    /// The number of visits.
    pub(super) visits: u32,
    /// The number of iterations in which it was available.
    pub(super) available: u32,
    /// The sum of the rewards of the player whose choice led here.
    pub(super) total: f64,
}

impl<E> Node<E> {
    const fn new(event: Option<E>) -> Node<E> {
        Node {
            event,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            visits: 0,
            available: 0,
            total: 0.0,
        }
    }
}

/// A tree; it always has a root.
#[derive(Clone, Debug)]
pub(super) struct Tree<E> {
    nodes: Vec<Node<E>>,
}

impl<E: PartialEq> Tree<E> {
    pub(super) fn new() -> Tree<E> {
        Tree { nodes: vec![Node::new(None)] }
    }

    /// Removes all nodes and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(None));
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(super) fn node(&self, index: Index) -> &Node<E> {
        &self.nodes[index as usize]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, index: Index) -> &mut Node<E> {
        &mut self.nodes[index as usize]
    }

    /// Appends a child to a node's list.
    pub(super) fn add(&mut self, parent: Index, event: E) -> Index {
        let index = self.nodes.len() as Index;
        self.nodes.push(Node::new(Some(event)));
        let parent = &mut self.nodes[parent as usize];
        let last = std::mem::replace(&mut parent.last_child, index);
        if last == NONE {
            parent.first_child = index;
        } else {
            self.nodes[last as usize].next_sibling = index;
        }
        index
    }

    /// Returns the children of a node, in the order in which they were added.
    pub(super) fn children(&self, parent: Index) -> impl Iterator<Item = Index> + '_ {
        let some = |index: Index| (index != NONE).then_some(index);
        let first = some(self.node(parent).first_child);
        std::iter::successors(first, move |&index| some(self.node(index).next_sibling))
    }

    /// Returns the child of an event. The lookup starts at the sibling after `after`: events are
    /// mostly looked up in the order in which they were added.
    #[inline]
    pub(super) fn child(&self, parent: Index, event: &E, after: Option<Index>) -> Option<Index> {
        let first = self.node(parent).first_child;
        let begin = match after.map(|index| self.node(index).next_sibling) {
            Some(index) if index != NONE => index,
            _ => first,
        };
        let mut at = begin;
        while at != NONE {
            let node = self.node(at);
            if node.event.as_ref() == Some(event) {
                return Some(at);
            }
            at = node.next_sibling;
        }
        let mut at = first;
        while at != begin {
            let node = self.node(at);
            if node.event.as_ref() == Some(event) {
                return Some(at);
            }
            at = node.next_sibling;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_from_any_start() {
        let mut tree = Tree::new();
        let events = ["a", "b", "c", "d"];
        let added: Vec<Index> = events.iter().map(|event| tree.add(ROOT, *event)).collect();
        let below = tree.add(added[1], "a");
        assert!(tree.children(ROOT).eq(added.iter().copied()));
        assert!(tree.children(added[1]).eq([below]));
        for after in added.iter().map(|&index| Some(index)).chain([None]) {
            for (event, &index) in events.iter().zip(&added) {
                assert_eq!(tree.child(ROOT, event, after), Some(index), "{event} after {after:?}");
            }
            assert_eq!(tree.child(ROOT, &"e", after), None);
        }
        assert_eq!(tree.child(below, &"a", None), None);
        tree.clear();
        assert_eq!((tree.len(), tree.children(ROOT).count()), (1, 0));
    }
}
