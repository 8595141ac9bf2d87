//! Numbers.

use netrep_diagnostics::Code;

use super::chart::{Cat, Cells, Chart, Clash, Found, T};
use super::slot::SlotKind;
use super::sorts::sort_text;
use super::term::{Detail, TypeName};
use super::tree::{Op, Sort, TermKey, TermKind};

impl Chart<'_> {
    /// Sums.
    pub(super) fn read_num(&self, at: usize) -> Found {
        self.arithmetic(at, Cat::Product, &[("+", Op::Add), ("-", Op::Sub)])
    }

    /// Products.
    pub(super) fn read_product(&self, at: usize) -> Found {
        let mut found = self.arithmetic(at, Cat::Atom, &[("*", Op::Mul)]);
        for (end, left) in found.clone() {
            if !self.sign(end, "/") {
                continue;
            }
            for (to, right) in self.cell(Cat::Atom, end + 1).iter() {
                if self.word(*to, "rounded")
                    && let Some(way) = self.one_of(to + 1, &["up", "down"])
                {
                    let kids = vec![left.clone(), right.clone()];
                    found.push((to + 2, self.tree(Op::Quotient(way == "up"), Sort::Number, kids, at, to + 2)));
                }
            }
        }
        found
    }

    fn arithmetic(&self, at: usize, part: Cat, signs: &[(&str, Op)]) -> Found {
        let mut found = self.cell(part, at).to_vec();
        let mut done = 0;
        while done < found.len() {
            let (end, left) = found[done].clone();
            done += 1;
            for (sign, op) in signs {
                if !self.sign(end, sign) {
                    continue;
                }
                for (to, right) in self.cell(part, end + 1).iter() {
                    let kids = vec![left.clone(), right.clone()];
                    found.push((*to, self.tree(op.clone(), Sort::Number, kids, at, *to)));
                }
            }
        }
        found
    }

    /// Numbers where nothing else can stand: what is found instead is refused.
    pub(super) fn number_at(&self, at: usize) -> Cells {
        let numbers = self.cell(Cat::Num, at);
        if numbers.is_empty() {
            for (end, np) in self.cell(Cat::Np1, at).iter() {
                self.refuse_number(np, at, *end);
            }
        }
        numbers
    }

    fn refuse_number(&self, np: &T, at: usize, end: usize) {
        self.refuse(|| Clash {
            code: Code::WrongSort,
            from: at,
            to: end,
            end,
            message: format!("a number is meant here, but this is {}", sort_text(&np.sort)),
            help: None,
        });
    }

    /// One number, with its alternatives.
    pub(super) fn read_atom(&self, at: usize) -> Found {
        let mut found = Found::new();
        let number = |op, kids, end| (end, self.tree(op, Sort::Number, kids, at, end));
        match self.kind(at) {
            Some(SlotKind::Number(n)) => found.push(number(Op::Int(*n), vec![], at + 1)),
            Some(SlotKind::Sign("-")) => {
                // `-1 (2 if C)` negates the 1 only; the parenthesis is read below.
                for (end, n) in self.cell(Cat::Atom, at + 1).iter().filter(|(_, n)| n.op != Op::Alternatives) {
                    found.push((*end, self.negated(n, at, *end)));
                }
            }
            Some(SlotKind::Sign("(")) => {
                for (end, n) in self.cell(Cat::Num, at + 1).iter() {
                    if self.sign(*end, ")") {
                        found.push((end + 1, n.clone()));
                    }
                }
            }
            Some(SlotKind::Word(w)) => match w.as_str() {
                "max" | "min" => self.extreme(at, if w == "max" { Op::Max } else { Op::Min }, &mut found),
                "half" => {
                    for (end, n) in self.cell(Cat::Product, at + 1).iter() {
                        if self.word(*end, "rounded")
                            && let Some(way) = self.one_of(end + 1, &["up", "down"])
                        {
                            found.push(number(Op::Half(way == "up"), vec![n.clone()], end + 2));
                        }
                    }
                }
                "number" if self.word(at + 1, "of") => {
                    for (end, np) in self.cell(Cat::Np, at + 2).iter() {
                        if matches!(np.sort, Sort::Thing(_) | Sort::AnyThing) {
                            found.push(number(Op::Count, vec![np.clone()], *end));
                        }
                    }
                }
                "total" => self.over_all(at, Op::Total, &mut found),
                "highest" => self.over_all(at, |key| Op::Extreme(key, true), &mut found),
                "lowest" => {
                    self.over_all(at, |key| Op::Extreme(key, false), &mut found);
                    self.lowest_of_groups(at, &mut found);
                }
                _ => {}
            },
            _ => {}
        }
        for (end, np) in self.cell(Cat::Np1, at).iter() {
            if np.sort == Sort::Number {
                found.push((*end, np.clone()));
            } else if matches!(np.op, Op::Of(_)) {
                self.refuse_number(np, at, *end);
            }
        }
        let plain = found.clone();
        for (end, n) in plain {
            if self.word(end, "against") && matches!(n.op, Op::Of(_)) {
                for (to, np) in self.cell(Cat::Np1, end + 1).iter() {
                    if matches!(np.sort, Sort::Thing(_) | Sort::AnyThing) {
                        found.push(number(Op::NumberAgainst, vec![n.clone(), np.clone()], *to));
                    }
                }
            }
            if self.sign(end, "(") {
                self.alternatives(at, end + 1, vec![n], &mut found);
            }
        }
        found
    }

    /// A literal is negated in place, anything else by a product.
    pub(super) fn negated(&self, n: &T, at: usize, end: usize) -> T {
        match n.op {
            Op::Int(i) => self.tree(Op::Int(i.saturating_neg()), Sort::Number, vec![], at, end),
            _ => {
                let minus = self.tree(Op::Int(-1), Sort::Number, vec![], at, at + 1);
                self.tree(Op::Mul, Sort::Number, vec![minus, n.clone()], at, end)
            }
        }
    }

    fn extreme(&self, at: usize, op: Op, found: &mut Found) {
        if !self.sign(at + 1, "(") {
            return;
        }
        let mut open: Vec<(usize, Vec<T>)> = vec![(at + 1, Vec::new())];
        while let Some((end, list)) = open.pop() {
            for (to, n) in self.cell(Cat::Num, end + 1).iter() {
                let mut list = list.clone();
                list.push(n.clone());
                if self.sign(*to, ")") {
                    found.push((to + 1, self.tree(op.clone(), Sort::Number, list.clone(), at, to + 1)));
                }
                if self.sign(*to, ",") && list.len() < 16 {
                    open.push((*to, list));
                }
            }
        }
    }

    /// `total ATTR of NP`, `highest ATTR of NP`: one number of many things.
    fn over_all(&self, at: usize, op: impl Fn(TermKey) -> Op, found: &mut Found) {
        for hit in self.hits_of(at + 1, TermKind::Attribute) {
            let Detail::Attribute { of, value, .. } = &hit.term.detail else { continue };
            if *value != TypeName::Number || hit.term.second().is_some() || !self.word(hit.end, "of") {
                continue;
            }
            for (end, np) in self.cell(Cat::Np, hit.end + 1).iter() {
                if self.fits_param(&np.sort, of) {
                    let op = op(hit.term.key.clone());
                    found.push((*end, self.termed(op, Sort::Number, vec![np.clone()], at, *end, (at + 1, hit.end))));
                } else if matches!(np.sort, Sort::Thing(_)) {
                    self.refuse_attribute(&hit.term, np, *end);
                }
            }
        }
    }

    /// `lowest for any group of NP as L of N`.
    fn lowest_of_groups(&self, at: usize, found: &mut Found) {
        let Some(next) = self.words(at + 1, &["for", "any", "group", "of"]) else { return };
        for (end, np) in self.cell(Cat::Np, next).iter() {
            let Some(label) = self.labelled(*end, &np.sort) else { continue };
            if !self.word(end + 2, "of") {
                continue;
            }
            for (end, n) in self.cell(Cat::Atom, end + 3).iter() {
                let op = Op::LowestGroup(label.clone());
                found.push((*end, self.tree(op, Sort::Number, vec![np.clone(), n.clone()], at, *end)));
            }
        }
    }

    /// `1 (2 if C, 3 against NP)`: the list after the opening parenthesis.
    fn alternatives(&self, from: usize, at: usize, list: Vec<T>, found: &mut Found) {
        for (end, n) in self.signed(at) {
            let mut conditions = self.guarded(end, &["if", "unless"]);
            if self.word(end, "against") {
                conditions.extend(self.cell(Cat::Simple, end).iter().filter(|(_, c)| c.op == Op::Against).cloned());
            }
            for (to, c) in conditions {
                let mut list = list.clone();
                list.push(n.clone());
                list.push(c);
                if self.sign(to, ")") {
                    found.push((to + 1, self.tree(Op::Alternatives, Sort::Number, list.clone(), from, to + 1)));
                }
                if self.sign(to, ",") && list.len() < 32 {
                    self.alternatives(from, to + 1, list, found);
                }
            }
        }
    }

    /// A number, also with a leading `+`.
    fn signed(&self, at: usize) -> Found {
        if self.sign(at, "+") {
            return self.cell(Cat::Num, at + 1).to_vec();
        }
        self.cell(Cat::Num, at).to_vec()
    }
}
