//! Continuous modifiers: `gets`, `gains`, `loses`, `is`, `counts as`.

use super::chart::{Cat, Chart, Found, T, gap};
use super::term::{Detail, TypeName};
use super::tree::{Lasting, Op, Sort, TermKey, TermKind};

/// A change to a number, before it is known of whom and how long.
struct Change {
    key: TermKey,
    amount: T,
    max: Option<T>,
    min: Option<T>,
    end: usize,
    merged: u32,
}

impl Chart<'_> {
    /// Modifiers, with their duration and the condition under which they hold.
    pub(super) fn read_modifier(&self, at: usize) -> Found {
        let mut plain = Found::new();
        for (end, np) in self.cell(Cat::Np, at).iter() {
            if matches!(np.sort, Sort::Thing(_) | Sort::AnyThing) {
                self.gets(at, *end, np, &mut plain);
                self.gains(at, *end, np, &mut plain);
                self.counts(at, *end, np, &mut plain);
            }
        }
        self.becomes(at, &mut plain);
        self.takes_over(at, &mut plain);
        self.scaled(at, &mut plain);
        let mut found = plain.clone();
        for (end, modifier) in plain {
            let mut conditions = self.guarded(end, &["while", "unless"]);
            if self.word(end, "against") {
                conditions.extend(self.cell(Cat::Simple, end).iter().filter(|(_, c)| c.op == Op::Against).cloned());
            }
            for (to, c) in conditions {
                found.push((to, self.tree(Op::While, Sort::Statement, vec![modifier.clone(), c], at, to)));
            }
        }
        found
    }

    /// The durations that may follow, and none.
    fn durations(&self, at: usize) -> Vec<(usize, Option<Lasting>)> {
        let mut found: Vec<(usize, Option<Lasting>)> = vec![(at, None)];
        found.extend(self.lasting(at).into_iter().map(|(e, l)| (e, Some(l))));
        found
    }

    fn gets(&self, at: usize, verb: usize, np: &T, found: &mut Found) {
        if self.one_of(verb, &["gets", "get"]).is_none() {
            return;
        }
        let mut open: Vec<(usize, Vec<Change>)> = vec![(verb + 1, Vec::new())];
        while let Some((pos, list)) = open.pop() {
            for change in self.changes(pos, np) {
                let mut list: Vec<Change> = list.iter().map(Change::copy).collect();
                let end = change.end;
                list.push(change);
                for (to, lasting) in self.durations(end) {
                    let trees: Vec<T> = list.iter().map(|c| self.get(c, np, lasting.as_ref(), at, to)).collect();
                    found.push((to, self.several(trees, at, to)));
                }
                if self.sign(end, ",") && list.len() < 16 {
                    open.push((end + 1, list));
                }
            }
        }
    }

    fn get(&self, change: &Change, np: &T, lasting: Option<&Lasting>, at: usize, to: usize) -> T {
        let part = |p: &Option<T>| p.clone().unwrap_or_else(|| self.absent(to));
        let kids = vec![np.clone(), change.amount.clone(), part(&change.max), part(&change.min)];
        let mut tree = self.raw(Op::Gets(change.key.clone(), lasting.cloned()), Sort::Statement, kids, at, to);
        tree.merged += change.merged;
        tree.spread += if lasting.is_some() { gap(np.to, change.end) } else { 0 };
        T::new(tree)
    }

    /// One tree as it is, several as a sequence.
    pub(super) fn several(&self, trees: Vec<T>, at: usize, to: usize) -> T {
        let mut flat: Vec<T> = Vec::new();
        for tree in trees {
            match tree.op {
                Op::Sequence => flat.extend(tree.kids.iter().cloned()),
                _ => flat.push(tree),
            }
        }
        match flat.as_slice() {
            [one] => one.clone(),
            _ => self.tree(Op::Sequence, Sort::Statement, flat, at, to),
        }
    }

    /// `+N ATTR [max N] [min N]`.
    fn changes(&self, at: usize, np: &T) -> Vec<Change> {
        let minus = self.sign(at, "-");
        if !minus && !self.sign(at, "+") {
            return Vec::new();
        }
        let mut found = Vec::new();
        self.number_at(at + 1);
        for (end, n) in self.cell(Cat::Product, at + 1).iter() {
            let amount = if minus { self.negated(n, at, *end) } else { n.clone() };
            for hit in self.hits_of(*end, TermKind::Attribute) {
                let Detail::Attribute { of, value, .. } = &hit.term.detail else { continue };
                if *value != TypeName::Number || hit.term.second().is_some() {
                    continue;
                }
                if !self.fits_param(&np.sort, of) {
                    self.refuse_attribute(&hit.term, np, hit.end);
                    continue;
                }
                let change = Change {
                    key: hit.term.key.clone(),
                    amount: amount.clone(),
                    max: None,
                    min: None,
                    end: hit.end,
                    merged: super::chart::width((*end, hit.end)),
                };
                self.bounds(change, &mut found);
            }
            self.expect(*end, "an attribute");
        }
        found
    }

    fn bounds(&self, change: Change, found: &mut Vec<Change>) {
        let end = change.end;
        if change.max.is_none() && change.min.is_none() && self.word(end, "max") {
            for (to, n) in self.number_at(end + 1).iter() {
                self.bounds(Change { max: Some(n.clone()), end: *to, ..change.copy() }, found);
            }
        }
        if change.min.is_none() && self.word(end, "min") {
            for (to, n) in self.number_at(end + 1).iter() {
                found.push(Change { min: Some(n.clone()), end: *to, ..change.copy() });
            }
        }
        found.push(change);
    }

    fn gains(&self, at: usize, verb: usize, np: &T, found: &mut Found) {
        let Some(word) = self.one_of(verb, &["gains", "gain", "loses", "lose"]) else { return };
        let gain = word.starts_with('g');
        let mut open: Vec<(usize, Vec<(TermKey, u32)>)> = vec![(verb + 1, Vec::new())];
        while let Some((pos, list)) = open.pop() {
            for hit in self.hits(pos).iter() {
                let applies = match &hit.term.detail {
                    Detail::Entry { list } => self.entry_applies(list, &np.sort),
                    Detail::Attribute { of, value: TypeName::YesNo, .. } => self.fits_param(&np.sort, of),
                    _ => false,
                };
                if !applies {
                    continue;
                }
                let mut list = list.clone();
                list.push((hit.term.key.clone(), super::chart::width((pos, hit.end))));
                for (to, lasting) in self.durations(hit.end) {
                    let one = |(key, merged): &(TermKey, u32)| {
                        let key = key.clone();
                        let op = if gain { Op::Gains(key, lasting.clone()) } else { Op::Loses(key, lasting.clone()) };
                        let mut tree = self.raw(op, Sort::Statement, vec![np.clone()], at, to);
                        tree.merged += merged;
                        T::new(tree)
                    };
                    found.push((to, self.several(list.iter().map(one).collect(), at, to)));
                }
                if self.sign(hit.end, ",") && list.len() < 16 {
                    open.push((hit.end + 1, list));
                }
            }
            self.expect(pos, "a catalogue term");
        }
        if !gain {
            return;
        }
        for (end, thing) in self.cell(Cat::Np, verb + 1).iter() {
            if !matches!(thing.sort, Sort::Thing(_) | Sort::AnyThing) {
                continue;
            }
            for (to, lasting) in self.durations(*end) {
                found.push((
                    to,
                    self.tree(Op::Acquires(lasting), Sort::Statement, vec![np.clone(), thing.clone()], at, to),
                ));
            }
        }
    }

    fn counts(&self, at: usize, verb: usize, np: &T, found: &mut Found) {
        if self.one_of(verb, &["counts", "count"]).is_none() || !self.word(verb + 1, "as") {
            return;
        }
        for (end, p) in self.cell(Cat::Pred, verb + 2).iter().filter(|(_, p)| self.admits(p, &np.sort)) {
            for (to, lasting) in self.durations(*end) {
                let kids = vec![np.clone(), p.clone()];
                let mut tree = self.raw(Op::CountsAs(lasting), Sort::Statement, kids, at, to);
                tree.spread += self.subject_price(np, p) + if to > *end { gap(verb, *end) } else { 0 };
                found.push((to, T::new(tree)));
            }
        }
    }

    /// `ATTR of NP is VALUE`.
    fn becomes(&self, at: usize, found: &mut Found) {
        for (end, attribute) in self.cell(Cat::Np1, at).iter() {
            let (Op::Of(key) | Op::OfFor(key)) = &attribute.op else { continue };
            if self.one_of(*end, &["is", "are"]).is_none() {
                continue;
            }
            for (to, value) in self.values(end + 1, &attribute.sort) {
                for (last, lasting) in self.durations(to) {
                    let op = Op::Becomes(key.clone(), lasting);
                    let kids = attribute.kids.iter().cloned().chain([value.clone()]).collect();
                    let mut tree = self.raw(op, Sort::Statement, kids, at, last);
                    tree.merged = attribute.merged + value.merged;
                    tree.spread += if last > to { gap(*end, to) } else { 0 };
                    found.push((last, T::new(tree)));
                }
            }
        }
    }

    /// Values of a sort: a number, a thing, an entry, `yes`, `no`, `none`.
    pub(super) fn values(&self, at: usize, sort: &Sort) -> Found {
        let mut found = Found::new();
        if *sort == Sort::Number {
            found.extend(self.cell(Cat::Num, at).iter().cloned());
        } else {
            found.extend(self.cell(Cat::Np, at).iter().filter(|(_, t)| self.fits(&t.sort, sort)).cloned());
        }
        if *sort == Sort::Condition {
            if let Some(word) = self.one_of(at, &["yes", "no"]) {
                found.push((at + 1, self.tree(Op::Truth(word == "yes"), Sort::Condition, vec![], at, at + 1)));
            }
            found.extend(self.cell(Cat::Cond, at).iter().cloned());
        }
        if self.word(at, "none") {
            found.push((at + 1, self.tree(Op::Nothing, sort.clone(), vec![], at, at + 1)));
        }
        found
    }
}

impl Change {
    fn copy(&self) -> Change {
        Change {
            key: self.key.clone(),
            amount: self.amount.clone(),
            max: self.max.clone(),
            min: self.min.clone(),
            end: self.end,
            merged: self.merged,
        }
    }
}
