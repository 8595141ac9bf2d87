//! Conditions.

use netrep_diagnostics::Code;

use super::chart::{Cat, Chart, Clash, Found, T, gap};
use super::sorts::sort_text;
use super::term::Use;
use super::tree::{Cmp, Det, Lasting, Op, Sort, TermKind};

impl Chart<'_> {
    /// Conditions joined by `or`, which binds looser than `and`.
    pub(super) fn read_cond(&self, at: usize) -> Found {
        self.chain(at, Cat::Conj, "or", Op::Or)
    }

    /// Conditions joined by `and`.
    pub(super) fn read_conj(&self, at: usize) -> Found {
        self.chain(at, Cat::Simple, "and", Op::And)
    }

    fn chain(&self, at: usize, part: Cat, word: &str, op: Op) -> Found {
        let mut found = Found::new();
        let mut open: Vec<(usize, Vec<T>)> =
            self.cell(part, at).iter().map(|(end, t)| (*end, vec![t.clone()])).collect();
        while let Some((end, list)) = open.pop() {
            match list.as_slice() {
                [one] => found.push((end, one.clone())),
                _ => found.push((end, self.tree(op.clone(), Sort::Condition, list.clone(), at, end))),
            }
            if list.len() < 32 && self.word(end, word) {
                for (to, next) in self.cell(part, end + 1).iter() {
                    let mut list = list.clone();
                    list.push(next.clone());
                    open.push((*to, list));
                }
            }
        }
        found
    }

    /// One condition.
    pub(super) fn read_simple(&self, at: usize) -> Found {
        let mut found = Found::new();
        if self.sign(at, "(") {
            for (end, c) in self.cell(Cat::Cond, at + 1).iter() {
                if self.sign(*end, ")") {
                    found.push((end + 1, c.clone()));
                }
            }
        }
        if self.word(at, "not") {
            for (end, c) in self.cell(Cat::Simple, at + 1).iter() {
                found.push((*end, self.tree(Op::Not, Sort::Condition, vec![c.clone()], at, *end)));
            }
        }
        if self.word(at, "there") && self.one_of(at + 1, &["is", "are"]).is_some() {
            for (end, np) in self.cell(Cat::Np, at + 2).iter() {
                if matches!(np.sort, Sort::Thing(_) | Sort::AnyThing) {
                    found.push((*end, self.existence(np, at, *end)));
                }
            }
        }
        if self.word(at, "there") && self.word(at + 1, "is") && self.word(at + 2, "no") {
            // `no attack` is none at all, even if a role is called so too.
            let class = !self.hits_of(at + 3, TermKind::Class).is_empty();
            let named = |t: &T| matches!(t.op, Op::Label(_)) || matches!(t.op, Op::Role(_)) && !class;
            for (end, label) in self.cell(Cat::Np1, at + 3).iter().filter(|(_, t)| named(t)) {
                let exists = self.tree(Op::Exists, Sort::Condition, vec![label.clone()], at, *end);
                found.push((*end, self.tree(Op::Not, Sort::Condition, vec![exists], at, *end)));
            }
        }
        if self.word(at, "there")
            && self.one_of(at + 1, &["is", "are"]).is_some()
            && let Some(det) = self.one_of(at + 2, &["a", "no"])
        {
            for (end, modification) in self.modification(at + 3) {
                let exists = self.tree(Op::Exists, Sort::Condition, vec![modification], at, end);
                found.push((
                    end,
                    match det {
                        "no" => self.tree(Op::Not, Sort::Condition, vec![exists], at, end),
                        _ => exists,
                    },
                ));
            }
        }
        if self.word(at, "nothing") && self.word(at + 1, "has") && self.word(at + 2, "changed") {
            found.push((at + 3, self.tree(Op::Unchanged, Sort::Condition, vec![], at, at + 3)));
        }
        if self.word(at, "during") {
            for hit in self.hits_of(at + 1, TermKind::Procedure) {
                let op = Op::During(hit.term.key.clone());
                found.push((hit.end, self.tree(op, Sort::Condition, vec![], at, hit.end)));
            }
        }
        if self.word(at, "against") {
            for (end, np) in self.cell(Cat::Np, at + 1).iter() {
                if matches!(np.sort, Sort::Thing(_) | Sort::AnyThing) {
                    found.push((*end, self.tree(Op::Against, Sort::Condition, vec![np.clone()], at, *end)));
                }
            }
        }
        for (end, np) in self.cell(Cat::Np, at).iter() {
            for (to, c) in self.finite(*end, np) {
                found.push((to, c));
            }
        }
        for (end, n) in self.cell(Cat::Num, at).iter() {
            self.compare(at, *end, n, &mut found);
        }
        found
    }

    /// `there is no X` denies that there is one.
    fn existence(&self, np: &T, at: usize, end: usize) -> T {
        if let (Op::Quantified(Det::No), Some(noun)) = (&np.op, np.kids.first()) {
            let some = self.quantified(Det::A, noun, np.from, end);
            let exists = self.tree(Op::Exists, Sort::Condition, vec![some], at, end);
            return self.tree(Op::Not, Sort::Condition, vec![exists], at, end);
        }
        self.tree(Op::Exists, Sort::Condition, vec![np.clone()], at, end)
    }

    /// A comparison of a number.
    fn compare(&self, at: usize, end: usize, left: &T, found: &mut Found) {
        let signed = [("<=", Cmp::Le), (">=", Cmp::Ge), ("<", Cmp::Lt), (">", Cmp::Gt), ("=", Cmp::Eq)];
        let mut sides = Vec::new();
        if signed.iter().any(|(s, _)| self.sign(end, s)) {
            sides = self.comparison(end);
        } else if self.one_of(end, &["is", "are"]).is_some() {
            sides = self.comparison(end + 1);
            if self.word(end + 1, "not") {
                sides.extend(self.cell(Cat::Num, end + 2).iter().map(|(e, n)| (*e, Cmp::Ne, n.clone())));
            }
        }
        if sides.is_empty() && self.one_of(end, &["is", "are"]).is_some() {
            for (to, _) in self.cell(Cat::Pred, end + 1).iter() {
                self.refuse(|| Clash {
                    code: Code::WrongSort,
                    from: left.from,
                    to: left.to,
                    end: *to,
                    message: "a thing is meant here, but this is a number".to_owned(),
                    help: None,
                });
            }
        }
        for (to, cmp, right) in sides {
            let kids = vec![left.clone(), right];
            found.push((to, self.tree(Op::Compare(cmp), Sort::Condition, kids, at, to)));
        }
    }

    /// What may follow a subject to make a condition.
    pub(super) fn finite(&self, at: usize, subject: &T) -> Found {
        let mut found = Found::new();
        let from = subject.from;
        match &subject.sort {
            Sort::Entry(_) => {
                if self.one_of(at, &["is", "are"]).is_some() {
                    let (next, cmp) = if self.word(at + 1, "not") { (at + 2, Cmp::Ne) } else { (at + 1, Cmp::Eq) };
                    self.same_entry(from, next, cmp, subject, &mut found);
                }
                if self.sign(at, "=") {
                    self.same_entry(from, at + 1, Cmp::Eq, subject, &mut found);
                }
                return found;
            }
            Sort::Thing(_) | Sort::AnyThing => {}
            _ => return found,
        }
        if self.one_of(at, &["is", "are"]).is_some() {
            for (end, p) in self.cell(Cat::Pred, at + 1).iter() {
                found.extend(self.said_of(subject, p, from, *end).map(|c| (*end, c)));
            }
        }
        if self.one_of(at, &["has", "have"]).is_some() {
            self.having(from, at + 1, subject, &mut found);
        }
        if self.word(at, "would") {
            let (next, not) = if self.word(at + 1, "not") { (at + 2, true) } else { (at + 1, false) };
            let mut events = Found::new();
            self.active_event(next, next, &[Use::Base], None, &mut events);
            self.deeds(next, &mut events);
            for (end, event) in self.pruned(events, next) {
                let would = self.tree(Op::Would, Sort::Condition, vec![subject.clone(), event], from, end);
                found.push(match not {
                    true => (end, self.tree(Op::Not, Sort::Condition, vec![would], from, end)),
                    false => (end, would),
                });
            }
        }
        if self.one_of(at, &["awaits", "await"]).is_some() && self.word(at + 1, "resolution") {
            let waits = self.tree(Op::Awaits, Sort::Condition, vec![subject.clone()], from, at + 2);
            found.push((at + 2, waits));
        }
        let mut relations = Found::new();
        self.relations(at, &subject.sort, true, &mut relations);
        for (end, p) in relations {
            found.extend(self.said_of(subject, &p, from, end).map(|c| (end, c)));
        }
        found
    }

    /// What a declaration may do beside the verbs that are declared: `have an effect [on NP]`, `change NUMBER`,
    /// `be paid with NP`, `target NP`.
    fn deeds(&self, at: usize, found: &mut Found) {
        let words = |words: &[&str]| words.iter().enumerate().all(|(i, word)| self.word(at + i, word));
        if words(&["have", "an", "effect"]) {
            found.push((at + 3, self.tree(Op::HaveEffect, Sort::Event, Vec::new(), at, at + 3)));
            if self.word(at + 3, "on") {
                for (end, np) in self.cell(Cat::Np, at + 4).iter() {
                    found.push((*end, self.tree(Op::HaveEffect, Sort::Event, vec![np.clone()], at, *end)));
                }
            }
        }
        if words(&["change"]) {
            for (end, number) in self.cell(Cat::Num, at + 1).iter() {
                found.push((*end, self.tree(Op::ChangeNumber, Sort::Event, vec![number.clone()], at, *end)));
            }
        }
        if words(&["target"]) {
            for (end, np) in self.cell(Cat::Np, at + 1).iter() {
                found.push((*end, self.tree(Op::Targets, Sort::Event, vec![np.clone()], at, *end)));
            }
        }
        if words(&["be", "paid", "with"]) {
            for (end, np) in self.cell(Cat::Np, at + 3).iter() {
                found.push((*end, self.tree(Op::PaidWith, Sort::Event, vec![np.clone()], at, *end)));
            }
        }
    }

    fn same_entry(&self, from: usize, at: usize, cmp: Cmp, subject: &T, found: &mut Found) {
        for (end, np) in self.cell(Cat::Np, at).iter() {
            if np.sort != subject.sort {
                self.refuse(|| Clash {
                    code: Code::WrongEntry,
                    from: np.from,
                    to: np.to,
                    end: *end,
                    message: format!(
                        "`{}` is {}, and this is {}",
                        self.source(subject.from, subject.to),
                        sort_text(&subject.sort),
                        sort_text(&np.sort)
                    ),
                    help: Some(format!("compare it with {}", sort_text(&subject.sort))),
                });
                continue;
            }
            let kids = vec![subject.clone(), np.clone()];
            found.push((*end, self.tree(Op::Compare(cmp), Sort::Condition, kids, from, *end)));
        }
    }

    /// After `has`: a term, an attribute with its value, or a verb in the perfect.
    fn having(&self, from: usize, at: usize, subject: &T, found: &mut Found) {
        let (next, not) = if self.one_of(at, &["no", "not"]).is_some() { (at + 1, true) } else { (at, false) };
        let mut predicates = Found::new();
        self.with(at, next, &subject.sort, &mut predicates);
        for (end, p) in predicates {
            let p = if not { self.tree(Op::NotIs, Sort::Predicate, vec![p], at, end) } else { p };
            found.extend(self.said_of(subject, &p, from, end).map(|c| (end, c)));
        }
        let mut perfect = Found::new();
        for hit in self.verbs(next, &[Use::Past]) {
            for (end, kids, spread) in self.active(&hit, Some(subject), true) {
                self.perfect(from, (next, hit.end), end, &hit, kids, spread, &mut perfect);
            }
        }
        if self.word(next, "been") {
            for hit in self.verbs(next + 1, &[Use::Past]) {
                for (end, kids, spread) in self.passive(&hit, subject) {
                    self.perfect(from, (next + 1, hit.end), end, &hit, kids, spread, &mut perfect);
                }
            }
        }
        for (end, c) in perfect {
            let c = if not { self.tree(Op::Not, Sort::Condition, vec![c], from, end) } else { c };
            found.push((end, c));
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn perfect(
        &self,
        from: usize,
        verb: (usize, usize),
        end: usize,
        hit: &super::chart::Hit,
        kids: Vec<T>,
        spread: u32,
        found: &mut Found,
    ) {
        let did = |lasting: Option<Box<Lasting>>| Op::Did(hit.term.key.clone(), lasting);
        self.push_verb(did(None), Sort::Condition, (from, end), verb, kids.clone(), spread, found);
        for (to, lasting) in self.lasting(end) {
            let op = did(Some(Box::new(lasting)));
            let spread = spread + gap(verb.1, end);
            self.push_verb(op, Sort::Condition, (from, to), verb, kids.clone(), spread, found);
        }
    }

    /// `if COND`, `unless COND` (negated), `while COND`: the condition after one of the words.
    pub(super) fn guarded(&self, at: usize, words: &[&str]) -> Found {
        let Some(word) = self.one_of(at, words) else { return Found::new() };
        self.cell(Cat::Cond, at + 1)
            .iter()
            .map(|(end, c)| {
                let c = if word == "unless" {
                    self.tree(Op::Not, Sort::Condition, vec![c.clone()], at, *end)
                } else {
                    c.clone()
                };
                (*end, c)
            })
            .collect()
    }

    /// The procedure or step names at a place.
    pub(super) fn procedure(&self, at: usize) -> Vec<super::chart::Hit> {
        let hits = self.hits_of(at, TermKind::Procedure);
        if hits.is_empty() {
            self.expect(at, "a procedure");
        }
        hits
    }
}
