//! Triggers, continuous clauses and norms: sentences about what happens and what holds.

use super::chart::{Cat, Chart, Found, Hit, T};
use super::clause::Polarity;
use super::draft::{Draft, Place, Shape, is_modifier};
use super::term::{Detail, Use};
use super::tree::{Op, Sort, TermKey};

impl Chart<'_> {
    pub(super) fn when(&self, found: &mut Vec<Draft>) {
        let plain = self.cell(Cat::Event, 1);
        let proposed = self.cell(Cat::Proposed, 1);
        for (instead, (end, event)) in plain.iter().map(|e| (false, e)).chain(proposed.iter().map(|e| (true, e))) {
            let mut draft = Draft::new(if instead { Shape::Instead } else { Shape::When { immediately: false } }, *end);
            draft.first = Some(event.clone());
            self.triggered(draft, instead, found);
        }
        for (end, event) in self.boundary(1) {
            let mut draft = Draft::new(Shape::When { immediately: false }, end);
            draft.first = Some(event);
            self.triggered(draft, false, found);
        }
    }

    /// `at the start of PROCEDURE [for NP]: …`
    pub(super) fn turning(&self, found: &mut Vec<Draft>) {
        for (end, event) in self.boundary_after(0) {
            let mut draft = Draft::new(Shape::When { immediately: false }, end);
            draft.first = Some(event);
            self.triggered(draft, false, found);
        }
    }

    /// The rest of a triggered clause: condition, `immediately` or `instead`, and the statements.
    fn triggered(&self, draft: Draft, instead: bool, found: &mut Vec<Draft>) {
        if !instead && self.word(draft.end, "needs") {
            for (end, c) in self.cell(Cat::Cond, draft.end + 1).iter() {
                let mut needs = draft.clone();
                needs.shape = Shape::WhenNeeds;
                needs.end = *end;
                needs.conditions.push(c.clone());
                found.push(needs);
            }
        }
        let mut heads = vec![draft.clone()];
        for (end, c) in self.guarded(draft.end, &["if", "unless"]) {
            let mut next = draft.clone();
            next.end = end;
            next.conditions.push(c);
            heads.push(next);
        }
        for mut head in heads {
            if instead {
                if !self.word(head.end, "instead") {
                    continue;
                }
                head.end += 1;
            } else if self.word(head.end, "immediately") {
                head.end += 1;
                head.shape = Shape::When { immediately: true };
            }
            if !self.sign(head.end, ":") {
                continue;
            }
            for (end, body) in self.body(head.end + 1) {
                let mut whole = head.clone();
                whole.end = end;
                whole.body = Some(body);
                found.push(whole);
            }
        }
    }

    /// `effects of NP as L spare NP`.
    pub(super) fn spares(&self, found: &mut Vec<Draft>) {
        if !self.word(1, "of") {
            return;
        }
        for (end, by) in self.things_or(2) {
            let (next, by) = match self.labelled(end, &by.sort) {
                Some(label) => (end + 2, self.tree(Op::As(label), by.sort.clone(), vec![by], 2, end + 2)),
                None => (end, by),
            };
            if !self.word(next, "spare") {
                continue;
            }
            for (end, what) in self.things_or(next + 1) {
                let mut draft = Draft::new(Shape::Spares, end);
                draft.by = Some(by.clone());
                draft.first = Some(what);
                found.push(draft);
            }
        }
    }

    /// `PROCEDURE [for NP] starts`, `… ends`.
    pub(super) fn boundary(&self, at: usize) -> Found {
        let mut found = Found::new();
        let start = if self.one_of(at, &["the", "a", "an"]).is_some() { at + 1 } else { at };
        for hit in self.procedure(start) {
            let mut heads: Vec<(usize, Option<T>)> = vec![(hit.end, None)];
            if self.word(hit.end, "for") {
                heads.extend(self.things(hit.end + 1).into_iter().map(|(e, t)| (e, Some(t))));
            }
            for (end, np) in heads {
                if let Some(word) = self.one_of(end, &["starts", "ends"]) {
                    found.push((end + 1, self.bounds_tree(&hit.term.key, word == "starts", np, at, end + 1)));
                }
            }
        }
        found
    }

    fn boundary_after(&self, at: usize) -> Found {
        let mut found = Found::new();
        if !self.word(at, "at") || !self.word(at + 1, "the") {
            return found;
        }
        let Some(word) = self.one_of(at + 2, &["start", "end"]) else { return found };
        if !self.word(at + 3, "of") {
            return found;
        }
        let next = if self.one_of(at + 4, &["the", "each", "a", "an"]).is_some() { at + 5 } else { at + 4 };
        for hit in self.procedure(next) {
            found.push((hit.end, self.bounds_tree(&hit.term.key, word == "start", None, at, hit.end)));
            if self.word(hit.end, "for") {
                for (end, np) in self.things(hit.end + 1) {
                    found.push((end, self.bounds_tree(&hit.term.key, word == "start", Some(np), at, end)));
                }
            }
        }
        found
    }

    fn bounds_tree(&self, key: &TermKey, start: bool, np: Option<T>, at: usize, end: usize) -> T {
        let op = if start { Op::Starts(key.clone()) } else { Op::Ending(key.clone()) };
        self.tree(op, Sort::Event, np.into_iter().collect(), at, end)
    }

    // ---- continuous clauses

    pub(super) fn whilst(&self, found: &mut Vec<Draft>) {
        for (end, c) in self.cell(Cat::Cond, 1).iter() {
            if !self.sign(*end, ":") {
                continue;
            }
            for (to, s) in self.body(end + 1) {
                if is_modifier(&s) {
                    let mut draft = Draft::new(Shape::Modifier, to);
                    draft.conditions.push(c.clone());
                    draft.body = Some(s);
                    found.push(draft);
                }
            }
        }
    }

    /// Sentences with a subject: allowances, norms, carried clauses.
    pub(super) fn with_subject(&self, place: Place, found: &mut Vec<Draft>) {
        let this = self.tree(Op::This, self.this_sort(), vec![], 0, 0);
        let mut subjects: Found = self
            .cell(Cat::Np, 0)
            .iter()
            .filter(|(_, t)| matches!(t.sort, Sort::Thing(_) | Sort::AnyThing))
            .cloned()
            .collect();
        if self.one_of(0, &["cannot", "must"]).is_some() {
            subjects.push((0, this));
        }
        for (end, np) in subjects {
            self.may(end, Some(&np), place, found);
            if place.block && self.one_of(end, &["has", "have"]).is_some() {
                let mut draft = Draft::new(Shape::Carried, end + 1);
                draft.by = Some(np.clone());
                found.push(draft);
            }
            let norms: [(&[&str], Polarity); 4] = [
                (&["cannot"], Polarity::Cannot),
                (&["must"], Polarity::Must),
                (&["need", "not"], Polarity::NeedNot),
                (&["may"], Polarity::Permit),
            ];
            for (words, polarity) in norms {
                if let Some(next) = self.words(end, words) {
                    self.norm(polarity, &np, next, found);
                }
            }
        }
    }

    fn norm(&self, polarity: Polarity, np: &T, at: usize, found: &mut Vec<Draft>) {
        let mut events = Found::new();
        if self.word(at, "be") {
            self.passive_event(0, at + 1, np, &mut events);
        }
        self.active_event(0, at, &[Use::Base], Some(np), &mut events);
        for (end, event) in self.pruned(events, at) {
            let end = match polarity {
                Polarity::Permit => match self.words(end, &["regardless"]) {
                    Some(end) => end,
                    None => continue,
                },
                _ => end,
            };
            let mut draft = Draft::new(Shape::Norm(polarity), end);
            draft.first = Some(event);
            for (end, c) in self.guarded(end, &["if", "unless", "while"]) {
                let mut next = draft.clone();
                next.end = end;
                next.conditions.push(c);
                found.push(next);
            }
            found.push(draft);
        }
    }

    /// Of verbs that are spelled the same, those that need the fewest roles.
    fn plainest(&self, hits: Vec<Hit>) -> Vec<Hit> {
        let needs = |hit: &Hit| match &hit.term.detail {
            Detail::Verb { frame } => frame.groups.iter().filter(|g| !g.optional).count(),
            _ => 0,
        };
        let least = hits.iter().map(needs).min();
        hits.into_iter().filter(|h| Some(needs(h)) == least).collect()
    }

    /// The sort of `this`.
    pub(super) fn this_sort(&self) -> Sort {
        self.scope.sorts("this").next().cloned().unwrap_or(Sort::AnyThing)
    }

    /// `action VERB needs COND`, `action VERB leaves COND`.
    pub(super) fn action_needs(&self, found: &mut Vec<Draft>) {
        for hit in self.plainest(self.verbs(1, &[Use::Base])) {
            let key = hit.term.key.clone();
            let shape = match self.one_of(hit.end, &["needs", "leaves"]) {
                Some("needs") => Shape::ActionNeeds(key),
                Some(_) => Shape::ActionLeaves(key),
                None => continue,
            };
            for (end, c) in self.cell(Cat::Cond, hit.end + 1).iter() {
                let mut draft = Draft::new(shape.clone(), *end);
                draft.first = Some(c.clone());
                found.push(draft);
            }
        }
    }
}
