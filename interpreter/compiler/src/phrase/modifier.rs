//! Continuous modifiers: `gets`, `gains`, `loses`, `becomes`, `is`.

use std::sync::Arc;

use netrep_diagnostics::Code;

use super::chart::{Chart, Clash, Found, T, gap, width};
use super::forms::{Category, Caught, Form, Match};
use super::sorts::sort_text;
use super::term::{Detail, Term, TypeName};
use super::tree::{Op, Sort};

impl Chart<'_> {
    /// Changes of numbers of one thing, with one duration.
    pub(super) fn gets(&self, found: &Match, out: &mut Found) {
        let Some(np) = found.tree("who") else { return };
        let lasting = found.lasting("long");
        let mut trees = Vec::new();
        for change in found.trees("changes") {
            let Op::Gets(key, _) = &change.op else { return };
            let terms = self.terms_of(key);
            let number = |t: &&Arc<Term>| matches!(t.detail, Detail::Attribute { value: TypeName::Number, .. });
            if !terms.iter().filter(number).any(|fact| self.has_fact(&np.sort, fact)) {
                terms.iter().for_each(|term| self.refuse_attribute(term, np, change.to));
                return;
            }
            let kids = [np.clone()].into_iter().chain(change.kids.iter().cloned()).collect();
            let op = Op::Gets(key.clone(), lasting.clone());
            let mut tree = self.raw(op, Sort::Statement, kids, found.from, found.to);
            tree.merged = np.merged + change.merged;
            tree.spread += if lasting.is_some() { gap(np.to, change.to) } else { 0 };
            trees.push(T::new(tree));
        }
        out.push((found.to, self.several(trees, found.from, found.to)));
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

    /// Terms and yes-or-no facts that one thing gains or loses.
    pub(super) fn gains(&self, found: &Match, out: &mut Found) {
        let Some(np) = found.tree("who") else { return };
        let lasting = found.lasting("long");
        let mut trees = Vec::new();
        for (_, piece) in found.list("traits") {
            let Caught::Term(hit) = &piece.what else { return };
            let key = hit.term.key.clone();
            let op = match found.row.form {
                Form::ChangeGains => Op::Gains(key, lasting.clone()),
                _ => Op::Loses(key, lasting.clone()),
            };
            let mut tree = self.raw(op, Sort::Statement, vec![np.clone()], found.from, found.to);
            tree.merged += width((piece.from, piece.to));
            trees.push(T::new(tree));
        }
        out.push((found.to, self.several(trees, found.from, found.to)));
    }

    /// A thing that has a term in place of what it had.
    pub(super) fn turns(&self, found: &Match, out: &mut Found) {
        let (Some(np), Some(piece)) = (found.tree("who"), found.piece("what")) else { return };
        let Caught::Term(hit) = &piece.what else { return };
        let op = Op::Turns(hit.term.key.clone(), found.lasting("long"));
        let mut tree = self.raw(op, Sort::Statement, vec![np.clone()], found.from, found.to);
        tree.merged += width((piece.from, piece.to));
        out.push((found.to, T::new(tree)));
    }

    /// A fact that is something.
    pub(super) fn becomes(&self, found: &Match, out: &mut Found) {
        let (Some(fact), Some(value)) = (found.tree("fact"), found.tree("value")) else { return };
        let Op::Of(key) = &fact.op else { return };
        let lasting = found.lasting("long");
        let price = if lasting.is_some() { gap(fact.to, value.to) } else { 0 };
        let kids = fact.kids.iter().cloned().chain([value.clone()]).collect();
        let mut tree = self.raw(Op::Becomes(key.clone(), lasting), Sort::Statement, kids, found.from, found.to);
        tree.merged = fact.merged + value.merged;
        tree.spread += price;
        out.push((found.to, T::new(tree)));
    }

    /// Values of a sort: a number, a thing, an entry, `yes`, `no`, `none`.
    pub(super) fn values(&self, at: usize, sort: &Sort) -> Found {
        let mut found = Found::new();
        if *sort == Sort::Number {
            found.extend(self.cell(Category::Number, at).iter().cloned());
        } else {
            found.extend(self.cell(Category::Np, at).iter().filter(|(_, t)| self.fits(&t.sort, sort)).cloned());
        }
        if *sort == Sort::Condition {
            let said = self.cell(Category::Truth, at);
            found
                .extend(said.iter().map(|(end, t)| (*end, self.tree(t.op.clone(), Sort::Condition, vec![], at, *end))));
            found.extend(self.cell(Category::Condition, at).iter().cloned());
        }
        if found.is_empty() {
            self.refuse_value(at, sort);
        }
        let nothing = self.cell(Category::Nothing, at);
        found.extend(nothing.iter().map(|(end, t)| (*end, self.tree(t.op.clone(), sort.clone(), vec![], at, *end))));
        found
    }

    /// Notes that a value of another sort stands where one of this is meant.
    fn refuse_value(&self, at: usize, sort: &Sort) {
        let things = self.cell(Category::Np, at);
        let numbers = self.cell(Category::Number, at);
        for (end, found) in things.iter().chain(numbers.iter()) {
            let both = matches!((&found.sort, sort), (Sort::Entry(_), Sort::Entry(_)));
            self.refuse(|| Clash {
                code: if both { Code::WrongEntry } else { Code::WrongSort },
                from: found.from,
                to: found.to,
                end: *end,
                message: format!("{} is meant here, and this is {}", sort_text(sort), sort_text(&found.sort)),
                help: None,
            });
        }
    }
}
