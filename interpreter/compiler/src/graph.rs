//! What cannot be known, or cannot end, without what: circles in it.
//!
//! Whoever asks makes a node of each thing, and a link with a place wherever one leads to another. A circle is told with
//! all its links, so that no place in it looks as if it alone were wrong, and none is shown that has no part in it.

use std::collections::{BTreeMap, VecDeque};

use netrep_diagnostics::Code;
use netrep_ir::Place;

use crate::finding::Diagnostic;

/// Nodes and the links between them.
#[derive(Clone, Debug)]
pub struct Graph<K, P> {
    links: BTreeMap<K, Vec<(K, P)>>,
}

/// A circle: each node with the place of the link that leads to the next one, the last one's to the first.
pub type Circle<K, P> = Vec<(K, P)>;

impl<K, P> Default for Graph<K, P> {
    fn default() -> Self {
        Graph { links: BTreeMap::new() }
    }
}

impl<K: Ord + Clone, P: Clone> Graph<K, P> {
    /// Adds a link; of several between the same two, the first one's place is told.
    pub fn link(&mut self, from: K, to: K, place: P) {
        let links = self.links.entry(from).or_default();
        if !links.iter().any(|(known, _)| *known == to) {
            links.push((to, place));
        }
    }

    /// The links from a node.
    pub fn from(&self, node: &K) -> &[(K, P)] {
        // total: a node that is only led to leads nowhere
        self.links.get(node).map_or(&[], Vec::as_slice)
    }

    /// A shortest circle of each component in which every node leads to every other, by its least node.
    pub fn circles(&self) -> Vec<Circle<K, P>> {
        self.components().iter().filter_map(|component| self.shortest(component)).collect()
    }

    /// The strongly connected components, each sorted (Tarjan's algorithm, without recursion: nodes are as many as the data
    /// have clauses).
    fn components(&self) -> Vec<Vec<K>> {
        let nodes: Vec<&K> = self.links.keys().collect();
        let index: BTreeMap<&K, usize> = nodes.iter().enumerate().map(|(at, node)| (*node, at)).collect();
        let next = |at: usize| -> Vec<usize> {
            self.from(nodes[at]).iter().filter_map(|(to, _)| index.get(to).copied()).collect()
        };
        let mut found = Vec::new();
        let (mut order, mut low) = (vec![usize::MAX; nodes.len()], vec![usize::MAX; nodes.len()]);
        let (mut open, mut is_open, mut seen) = (Vec::new(), vec![false; nodes.len()], 0);
        for start in 0..nodes.len() {
            if order[start] != usize::MAX {
                continue;
            }
            let mut path = vec![(start, next(start), 0)];
            while let Some((at, links, done)) = path.last_mut() {
                let at = *at;
                if *done == 0 && order[at] == usize::MAX {
                    (order[at], low[at]) = (seen, seen);
                    seen += 1;
                    open.push(at);
                    is_open[at] = true;
                }
                if let Some(to) = links.get(*done).copied() {
                    *done += 1;
                    if order[to] == usize::MAX {
                        path.push((to, next(to), 0));
                    } else if is_open[to] {
                        low[at] = low[at].min(order[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some((above, ..)) = path.last() {
                    low[*above] = low[*above].min(low[at]);
                }
                if low[at] == order[at] {
                    // total: the node has just been found on the way
                    let first = open.iter().rposition(|one| *one == at).unwrap_or(0);
                    let mut component: Vec<usize> = open.split_off(first);
                    component.iter().for_each(|one| is_open[*one] = false);
                    component.sort_unstable();
                    found.push(component.into_iter().map(|one| nodes[one].clone()).collect::<Vec<K>>());
                }
            }
        }
        found.sort();
        found
    }

    /// The shortest way from a node of a component back to itself; of equally short ones that of the least node.
    fn shortest(&self, component: &[K]) -> Option<Circle<K, P>> {
        let ways = component.iter().filter_map(|start| self.way(start, start, &|node| component.contains(node)));
        ways.min_by_key(Vec::len)
    }

    /// The shortest way from one node to another, over those that are admitted: each node on it with the place of its link.
    pub fn way(&self, from: &K, to: &K, admits: &dyn Fn(&K) -> bool) -> Option<Circle<K, P>> {
        let mut before: BTreeMap<&K, (&K, &P)> = BTreeMap::new();
        let mut ahead = VecDeque::from([from]);
        while let Some(at) = ahead.pop_front() {
            for (next, place) in self.from(at) {
                if next == to {
                    let mut way = vec![(at.clone(), place.clone())];
                    let mut back = at;
                    while let Some((previous, place)) = before.get(back).filter(|_| back != from) {
                        way.push(((*previous).clone(), (*place).clone()));
                        back = previous;
                    }
                    way.reverse();
                    return Some(way);
                }
                if admits(next) && next != from && !before.contains_key(next) {
                    before.insert(next, (at, place));
                    ahead.push_back(next);
                }
            }
        }
        None
    }
}

/// A circle as it is told: how each of its things is called, and the place at which it leads to the next.
pub(crate) fn told(code: Code, what: &str, circle: &[(String, Place)], help: &str) -> Option<Diagnostic> {
    let ((first, place), rest) = circle.split_first()?;
    let next = |at: usize| circle.get(at + 1).map_or(first, |(name, _)| name);
    let message = format!("{first} {what}");
    let mut diag = Diagnostic::new(code, place.clone(), message).label(format!("{first} needs {}", next(0)));
    for (at, (name, place)) in rest.iter().enumerate() {
        diag = diag.and(place.clone(), format!("{name} needs {}", next(at + 1)));
    }
    Some(diag.help(help))
}
