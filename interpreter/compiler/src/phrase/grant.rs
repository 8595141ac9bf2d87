//! `play` and `may`: targets, choices, costs, conditions, procedures, limits.

use std::sync::Arc;

use super::chart::{Cat, Chart, Found, T};
use super::draft::{Draft, Place, Shape};
use super::slot::SlotKind;
use super::tree::{Op, Sort, TermKey};

/// The label of the first target of a `play` clause that has none of its own.
pub(super) const TARGET: &str = "target";
/// The label of the second.
pub(super) const SECOND: &str = "second target";

impl Chart<'_> {
    pub(super) fn play(&self, found: &mut Vec<Draft>) {
        self.options(Draft::new(Shape::Play, 1), true, 0, found);
    }

    /// The parts that may follow, in any order: targets, choices, conditions, procedures, limit.
    fn options(&self, draft: Draft, targets: bool, depth: u32, found: &mut Vec<Draft>) {
        found.push(draft.clone());
        if depth > 8 {
            return;
        }
        let at = draft.end;
        if targets && draft.conditions.is_empty() {
            let word = self.one_of(at, &["on", "at"]);
            if word.is_some() && draft.targets.len() < 2 {
                for (end, np) in self.things(at + 1).into_iter().chain(self.joined_things(at + 1)) {
                    for (end, np) in self.target(&np, at + 1, end, draft.targets.is_empty()) {
                        let mut next = draft.clone();
                        next.end = end;
                        next.targets.push(np);
                        self.options(next, targets, depth + 1, found);
                    }
                }
            }
        }
        if targets && draft.conditions.is_empty() {
            self.related_choice(&draft, depth, found);
        }
        if self.word(at, "choosing") {
            for (end, np) in self.cell(Cat::Np, at + 1).iter().filter(|(e, _)| !self.labelled_end(*e)) {
                if !self.word(*end, "as") {
                    continue;
                }
                let Some(label) = self.label(end + 1) else { continue };
                let mut next = draft.clone();
                next.end = end + 2;
                next.choices.push(self.aimed(np, &label, at + 1, end + 2));
                self.options(next, targets, depth + 1, found);
            }
        }
        if draft.conditions.len() <= usize::from(matches!(draft.shape, Shape::Play)) {
            for (end, c) in self.guarded(at, &["if", "unless"]) {
                let mut next = draft.clone();
                next.end = end;
                next.conditions.push(c);
                self.options(next, targets, depth + 1, found);
            }
        }
        if draft.during.is_empty() && self.word(at, "during") {
            for (end, keys) in self.procedure_list(at + 1) {
                let mut next = draft.clone();
                next.end = end;
                next.during = keys;
                self.options(next, targets, depth + 1, found);
            }
        }
        if draft.limit.is_none()
            && !matches!(draft.shape, Shape::Play)
            && let Some((end, limit)) = self.limit(at)
        {
            let mut next = draft.clone();
            next.end = end;
            next.limit = Some(limit);
            self.options(next, targets, depth + 1, found);
        }
    }

    /// `play RELATION a NOUN as L`: the labelled thing is chosen, and the relation of `this` to it is a condition.
    fn related_choice(&self, draft: &Draft, depth: u32, found: &mut Vec<Draft>) {
        if self.one_of(draft.end, &["on", "at"]).is_some() {
            return;
        }
        let sort = self.this_sort();
        let mut relations = Found::new();
        self.relations(draft.end, &sort, false, &mut relations);
        for (end, relation) in relations {
            let Some(np) = relation.kids.first() else { continue };
            let Op::As(label) = &np.op else { continue };
            let this = self.tree(Op::This, sort.clone(), vec![], 0, 1);
            let chosen = self.tree(Op::Label(label.clone()), np.sort.clone(), vec![], np.from, np.to);
            let said = self.tree(relation.op.clone(), Sort::Predicate, vec![chosen], relation.from, relation.to);
            let mut next = draft.clone();
            next.end = end;
            next.choices.push(np.clone());
            next.conditions.push(self.tree(Op::Holds, Sort::Condition, vec![this, said], 0, end));
            self.options(next, false, depth + 1, found);
        }
    }

    fn joined_things(&self, at: usize) -> Found {
        self.cell(Cat::Np, at)
            .iter()
            .filter(|(_, t)| t.op == Op::Either && !matches!(t.sort, Sort::Number | Sort::Entry(_) | Sort::Place))
            .cloned()
            .collect()
    }

    /// The target with its label: the one that is written, else `target` for the first.
    fn target(&self, np: &T, at: usize, end: usize, first: bool) -> Found {
        let mut found = Found::new();
        if self.labelled_end(end) {
            return found;
        }
        if self.word(end, "as") {
            match self.kind(end + 1) {
                Some(SlotKind::Word(w)) if w == TARGET => found.push((end + 2, self.aimed(np, TARGET, at, end + 2))),
                _ => {
                    let label = self.label(end + 1);
                    found.extend(label.map(|label| (end + 2, self.aimed(np, &label, at, end + 2))));
                }
            }
        }
        found.push((end, self.aimed(np, if first { TARGET } else { SECOND }, at, end)));
        found
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

    /// Procedures joined by `,` and `or`.
    fn procedure_list(&self, at: usize) -> Vec<(usize, Vec<TermKey>)> {
        let mut found = Vec::new();
        let start = if self.one_of(at, &["the", "this", "a"]).is_some() { at + 1 } else { at };
        for hit in self.procedure(start) {
            found.push((hit.end, vec![hit.term.key.clone()]));
            if self.sign(hit.end, ",") || self.word(hit.end, "or") {
                for (end, mut rest) in self.procedure_list(hit.end + 1) {
                    rest.insert(0, hit.term.key.clone());
                    found.push((end, rest));
                }
            }
        }
        found
    }

    pub(super) fn may(&self, at: usize, by: Option<&T>, place: Place, found: &mut Vec<Draft>) {
        if !self.word(at, "may") {
            return;
        }
        let mut heads = vec![(at + 1, None)];
        heads.extend(self.cell(Cat::Seq, at + 1).iter().map(|(end, s)| (*end, Some(s.clone()))));
        let mut drafts = Vec::new();
        for (end, cost) in heads {
            let mut draft = Draft::new(Shape::May, end);
            draft.by = by.cloned();
            draft.first = cost;
            self.options(draft, false, 0, &mut drafts);
        }
        for draft in drafts {
            if self.sign(draft.end, ":") {
                for (end, body) in self.body(draft.end + 1) {
                    let mut whole = draft.clone();
                    whole.end = end;
                    whole.body = Some(body);
                    found.push(whole);
                }
            }
            if place.block {
                found.push(draft);
            }
        }
    }
}
