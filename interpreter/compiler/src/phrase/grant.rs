//! `play` and `may`: targets, choices, costs, conditions, procedures, limits.

use std::sync::Arc;

use super::chart::{Chart, Found, T};
use super::draft::{Draft, Place, Shape, times};
use super::forms::{Builder, Category, Caught, ClauseRule, Match};
use super::slot::SlotKind;
use super::tree::{Op, Sort};

/// The label of the first target of a `play` clause that has none of its own.
pub(super) const TARGET: &str = "target";
/// The label of the second.
pub(super) const SECOND: &str = "second target";

impl Chart<'_> {
    /// The parts that may follow, in any order: targets, choices, conditions, procedures, limit.
    pub(super) fn options(&self, draft: Draft, targets: bool, depth: u32, found: &mut Vec<Draft>) {
        found.push(draft.clone());
        if depth > 8 {
            return;
        }
        for part in self.matches(Category::Part, draft.end, None) {
            let Builder::Clause(rule) = part.row.builder else { continue };
            if let Some((next, targets)) = self.next_part(rule, &part, &draft, targets) {
                self.options(next, targets, depth + 1, found);
            }
        }
    }

    /// The draft with one more part, and whether it may still get a target.
    fn next_part(&self, rule: ClauseRule, part: &Match, draft: &Draft, targets: bool) -> Option<(Draft, bool)> {
        let aiming = targets && draft.conditions.is_empty();
        let play = matches!(draft.shape, Shape::Play);
        let mut next = draft.clone();
        next.end = part.to;
        match rule {
            ClauseRule::Target if aiming && draft.targets.len() < 2 => {
                let np = part.tree("x")?;
                if self.labelled_end(np.to) {
                    return None;
                }
                let usual = if draft.targets.is_empty() { TARGET } else { SECOND };
                let label = part.label("l").map_or(usual, |l| l);
                next.targets.push(self.aimed(np, label, draft.end + 1, part.to));
            }
            ClauseRule::Related if aiming => {
                // A thing chosen by its relation: the relation of `this` to it is a condition.
                let relation = part.tree("p")?;
                let np = relation.kids.first()?;
                let label = match &np.op {
                    Op::As(label) => label,
                    _ => return None,
                };
                let this = self.tree(Op::This, self.this_sort(), vec![], 0, 1);
                let chosen = self.tree(Op::Label(label.clone()), np.sort.clone(), vec![], np.from, np.to);
                let said = self.tree(relation.op.clone(), Sort::Predicate, vec![chosen], relation.from, relation.to);
                next.choices.push(np.clone());
                next.conditions.push(self.tree(Op::Holds, Sort::Condition, vec![this, said], 0, part.to));
                return Some((next, false));
            }
            ClauseRule::Choosing => {
                let (np, label) = (part.tree("x")?, part.label("l")?);
                if self.labelled_end(np.to) {
                    return None;
                }
                next.choices.push(self.aimed(np, label, draft.end + 1, part.to));
            }
            ClauseRule::Guarded if draft.conditions.len() <= usize::from(play) => {
                next.conditions.extend(part.tree("c").cloned());
            }
            ClauseRule::During if draft.during.is_empty() => {
                let keys = part.list("ps").iter().filter_map(|(_, piece)| match &piece.what {
                    Caught::Term(hit) => Some(hit.term.key.clone()),
                    _ => None,
                });
                next.during = keys.collect();
            }
            ClauseRule::Limited if draft.limit.is_none() && !play => {
                next.limit = part.tree("l").and_then(times);
            }
            _ => return None,
        }
        Some((next, targets))
    }

    pub(super) fn joined_things(&self, at: usize) -> Found {
        self.cell(Category::Np, at)
            .iter()
            .filter(|(_, t)| t.op == Op::Either && !matches!(t.sort, Sort::Number | Sort::Entry(_) | Sort::Place))
            .cloned()
            .collect()
    }

    /// True if `as L` stands just before the place: here the label is the whole phrase's, and for the nearest
    /// noun's the noun stands in parentheses.
    fn labelled_end(&self, end: usize) -> bool {
        matches!(self.kind(end.wrapping_sub(1)), Some(SlotKind::Capital(w)) if super::closed::is_label(w))
            && matches!(self.kind(end.wrapping_sub(2)), Some(SlotKind::Word(w)) if w == "as")
    }

    fn aimed(&self, np: &T, label: &str, at: usize, end: usize) -> T {
        let label: Arc<str> = Arc::from(label);
        self.bind(&label, &np.sort, at);
        let mut tree = self.raw(Op::As(label), np.sort.clone(), vec![np.clone()], at, end);
        tree.spread += super::chart::gap(0, at);
        T::new(tree)
    }

    /// An allowance: its cost, its parts, and its effect behind a colon or in a block.
    pub(super) fn may(&self, at: usize, by: Option<&T>, place: Place, found: &mut Vec<Draft>) {
        let mut heads = vec![(at, None)];
        heads.extend(self.cell(Category::Sequence, at).iter().map(|(end, s)| (*end, Some(s.clone()))));
        let mut drafts = Vec::new();
        for (end, cost) in heads {
            let mut draft = Draft::new(Shape::May, end);
            draft.by = by.cloned();
            draft.first = cost;
            self.options(draft, false, 0, &mut drafts);
        }
        for draft in drafts {
            for part in self.matches(Category::Part, draft.end, None) {
                if part.row.builder == Builder::Clause(ClauseRule::Does) {
                    let mut whole = draft.clone();
                    whole.end = part.to;
                    whole.body = part.tree("s").cloned();
                    found.push(whole);
                }
            }
            if place.block {
                found.push(draft);
            }
        }
    }
}
