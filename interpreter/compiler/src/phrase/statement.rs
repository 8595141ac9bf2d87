//! Statements: the language's own forms, modifiers, and declared verbs in the imperative or with a subject.

use std::sync::Arc;

use super::chart::{Cat, Chart, Found, T};
use super::closed;
use super::slot::SlotKind;
use super::term::{Detail, TypeName, Use};
use super::tree::{Det, Op, Sort, TermKey, TermKind};

impl Chart<'_> {
    /// Statements joined by `;`.
    pub(super) fn read_seq(&self, at: usize) -> Found {
        let mut found = Found::new();
        let mut open: Vec<(usize, Vec<T>)> = vec![(at, Vec::new())];
        while let Some((pos, list)) = open.pop() {
            for (end, s) in self.cell(Cat::Stmt, pos).iter() {
                let mut list = list.clone();
                list.push(s.clone());
                found.push((*end, self.several(list.clone(), at, *end)));
                if self.sign(*end, ";") {
                    if matches!(self.kind(end + 1), None | Some(SlotKind::Sign("}"))) {
                        found.push((end + 1, self.several(list, at, *end)));
                    } else {
                        open.push((end + 1, list));
                    }
                }
            }
            if open.len() > 64 {
                break;
            }
        }
        found
    }

    /// `{ statements }`.
    pub(super) fn block(&self, at: usize) -> Found {
        if !self.sign(at, "{") {
            return Found::new();
        }
        if self.sign(at + 1, "}") {
            return vec![(at + 2, self.tree(Op::Sequence, Sort::Statement, vec![], at, at + 2))];
        }
        let done = self.cell(Cat::Seq, at + 1);
        done.iter().filter(|(end, _)| self.sign(*end, "}")).map(|(end, s)| (end + 1, s.clone())).collect()
    }

    pub(super) fn statement(&self, op: Op, kids: Vec<T>, at: usize, end: usize) -> (usize, T) {
        (end, self.tree(op, Sort::Statement, kids, at, end))
    }

    /// One statement.
    pub(super) fn read_stmt(&self, at: usize) -> Found {
        let mut found = Found::new();
        if let Some(SlotKind::Word(word)) = self.kind(at) {
            match word.as_str() {
                "if" | "unless" => self.branch(at, &mut found),
                "for" => self.each(at, &mut found),
                "repeat" => self.repeat(at, &mut found),
                "perform" => self.perform(at, &mut found),
                "end" => self.ending(at, &mut found),
                "what" => self.extension(at, &mut found),
                "stop" => found.push(self.statement(Op::Stop, vec![], at, at + 1)),
                "let" => self.binding(at, &mut found),
                "set" => self.setting(at, &mut found),
                "put" => self.putting(at, &mut found),
                "create" => self.creation(at, &mut found),
                "remove" => {
                    for (end, np) in self.things_or(at + 1) {
                        found.push(self.statement(Op::Remove, vec![np], at, end));
                    }
                }
                "when" => self.delayed(at, &mut found),
                "window" => self.window(at, &mut found),
                _ => {}
            }
        }
        let nobody = self.absent(at);
        self.chosen(at, at, &nobody, &["choose"], &mut found);
        self.rolled(at, at, &nobody, &["roll"], &mut found);
        for (end, np) in self.cell(Cat::Np, at).iter() {
            if !matches!(np.sort, Sort::Thing(_) | Sort::AnyThing) {
                continue;
            }
            self.chosen(at, *end, np, &["chooses", "choose"], &mut found);
            self.rolled(at, *end, np, &["rolls", "roll"], &mut found);
            self.allowed(at, *end, np, &mut found);
            self.barred(at, *end, np, &mut found);
            for hit in self.verbs(*end, &[Use::Third, Use::Base]) {
                for (to, kids, spread) in self.active(&hit, Some(np), false) {
                    let op = Op::Do(hit.term.key.clone());
                    self.push_verb(op, Sort::Statement, (at, to), (*end, hit.end), kids, spread, &mut found);
                }
            }
        }
        for hit in self.verbs(at, &[Use::Base]) {
            for (to, kids, spread) in self.active(&hit, None, false) {
                let op = Op::Do(hit.term.key.clone());
                self.push_verb(op, Sort::Statement, (at, to), (at, hit.end), kids, spread, &mut found);
            }
        }
        found.extend(self.cell(Cat::Modifier, at).iter().cloned());
        found
    }

    /// Chance in place of who chooses.
    pub(super) fn chance(&self, at: usize) -> T {
        self.tree(Op::Chance, Sort::Part, vec![], at, at + 1)
    }

    /// Things, also joined.
    pub(super) fn things_or(&self, at: usize) -> Found {
        let thing = |s: &Sort| matches!(s, Sort::Thing(_) | Sort::AnyThing);
        self.cell(Cat::Np, at).iter().filter(|(_, t)| thing(&t.sort)).cloned().collect()
    }

    fn branch(&self, at: usize, found: &mut Found) {
        for (end, c) in self.guarded(at, &["if", "unless"]) {
            for (end, then) in self.block(end) {
                found.push(self.statement(Op::If, vec![c.clone(), then.clone()], at, end));
                for (end, other) in self.otherwise(end) {
                    found.push(self.statement(Op::If, vec![c.clone(), then.clone(), other], at, end));
                }
            }
        }
    }

    /// `otherwise { }` or `otherwise if …`.
    fn otherwise(&self, at: usize) -> Found {
        if !self.word(at, "otherwise") {
            return Found::new();
        }
        let mut found = self.block(at + 1);
        if self.word(at + 1, "if") {
            self.branch(at + 1, &mut found);
        }
        found
    }

    /// A body and, if it follows, its alternative.
    pub(super) fn with_otherwise(&self, op: &Op, kids: &[T], at: usize, body: usize, found: &mut Found) {
        for (end, s) in self.block(body) {
            let mut kids = kids.to_vec();
            kids.push(s);
            found.push(self.statement(op.clone(), kids.clone(), at, end));
            for (end, other) in self.otherwise(end) {
                let mut kids = kids.clone();
                kids.push(other);
                found.push(self.statement(op.clone(), kids, at, end));
            }
        }
    }

    /// The label after `as`, bound to the noun phrase.
    pub(super) fn labelled(&self, at: usize, sort: &Sort) -> Option<Arc<str>> {
        if !self.word(at, "as") {
            return None;
        }
        let label = self.label(at + 1)?;
        self.bind(&label, sort, at + 1);
        Some(label)
    }

    fn each(&self, at: usize, found: &mut Found) {
        // Things, or the terms of a list.
        let several = |s: &Sort| matches!(s, Sort::Thing(_) | Sort::AnyThing | Sort::Entry(_));
        for (end, np) in self.cell(Cat::Np, at + 1).iter() {
            if !several(&np.sort) || !matches!(np.op, Op::Quantified(Det::Each)) {
                continue;
            }
            let Some(label) = self.labelled(*end, &np.sort) else { continue };
            let op = Op::ForEach(label);
            for (end, body) in self.block(end + 2) {
                found.push(self.statement(op.clone(), vec![np.clone(), body], at, end));
            }
            if let Some(next) = self.words(end + 2, &["in", "a", "random", "order"]) {
                for (end, body) in self.block(next) {
                    let kids = vec![np.clone(), body, self.chance(next - 2)];
                    found.push(self.statement(op.clone(), kids, at, end));
                }
            }
            if let Some(next) = self.words(end + 2, &["in", "an", "order", "chosen", "by"]) {
                for (end, chooser) in self.things_or(next) {
                    for (end, body) in self.block(end) {
                        found.push(self.statement(op.clone(), vec![np.clone(), body, chooser.clone()], at, end));
                    }
                }
            }
        }
    }

    /// `what lasts for NP lasts for NP too`.
    fn extension(&self, at: usize, found: &mut Found) {
        let Some(next) = self.words(at, &["what", "lasts", "for"]) else { return };
        for (end, of) in self.things_or(next) {
            let Some(next) = self.words(end, &["lasts", "for"]) else { continue };
            for (end, to) in self.things_or(next) {
                if self.word(end, "too") {
                    found.push(self.statement(Op::Extend, vec![of.clone(), to], at, end + 1));
                }
            }
        }
    }

    fn repeat(&self, at: usize, found: &mut Found) {
        for (end, body) in self.block(at + 1) {
            if self.word(end, "until") {
                for (end, c) in self.cell(Cat::Cond, end + 1).iter() {
                    found.push(self.statement(Op::RepeatUntil, vec![body.clone(), c.clone()], at, *end));
                }
            }
        }
        for (end, n) in self.cell(Cat::Num, at + 1).iter() {
            if self.word(*end, "times") {
                for (end, body) in self.block(end + 1) {
                    found.push(self.statement(Op::RepeatTimes, vec![n.clone(), body], at, end));
                }
            }
        }
    }

    fn perform(&self, at: usize, found: &mut Found) {
        if self.word(at + 1, "effect") {
            found.push(self.statement(Op::ActionEffect, vec![], at, at + 2));
        }
        for hit in self.procedure(at + 1) {
            let Detail::Procedure { params } = &hit.term.detail else { continue };
            let op = Op::Perform(hit.term.key.clone());
            if params.is_empty() {
                found.push((hit.end, self.termed(op.clone(), Sort::Statement, vec![], at, hit.end, (at + 1, hit.end))));
                continue;
            }
            if !self.word(hit.end, "for") {
                continue;
            }
            let mut open: Vec<(usize, Vec<T>)> = vec![(hit.end + 1, Vec::new())];
            while let Some((pos, list)) = open.pop() {
                let Some(param) = params.get(list.len()) else { continue };
                for (end, value) in self.arguments(pos, param) {
                    let mut list = list.clone();
                    list.push(value);
                    if list.len() == params.len() {
                        let span = (at + 1, hit.end);
                        found.push((end, self.termed(op.clone(), Sort::Statement, list, at, end, span)));
                    } else if self.sign(end, ",") {
                        open.push((end + 1, list));
                    }
                }
            }
        }
    }

    fn arguments(&self, at: usize, param: &super::term::Param) -> Found {
        let sort = self.param_sort(param);
        if sort == Sort::Number {
            return self.cell(Cat::Num, at).to_vec();
        }
        self.cell(Cat::Np, at).iter().filter(|(_, t)| self.fits_param(&t.sort, param)).cloned().collect()
    }

    fn ending(&self, at: usize, found: &mut Found) {
        let next = if self.one_of(at + 1, &["the", "this"]).is_some() { at + 2 } else { at + 1 };
        for hit in self.procedure(next) {
            let op = Op::End(hit.term.key.clone());
            found.push((hit.end, self.termed(op, Sort::Statement, vec![], at, hit.end, (next, hit.end))));
        }
    }

    /// `let ROLE|LABEL be VALUE`.
    fn binding(&self, at: usize, found: &mut Found) {
        if let Some(SlotKind::Capital(w)) = self.kind(at + 1)
            && closed::is_label(w)
            && self.word(at + 2, "be")
        {
            let label: Arc<str> = Arc::from(w.as_str());
            let mut values = self.things_or(at + 3);
            values.extend(self.cell(Cat::Num, at + 3).iter().cloned());
            values.extend(self.cell(Cat::Np, at + 3).iter().filter(|(_, t)| matches!(t.sort, Sort::Entry(_))).cloned());
            for (end, value) in values {
                self.bind(&label, &value.sort, at + 1);
                found.push(self.statement(Op::LetLabel(label.clone()), vec![value], at, end));
            }
        }
        for hit in self.hits_of(at + 1, TermKind::Role) {
            let Detail::Role { value } = &hit.term.detail else { continue };
            if !self.word(hit.end, "be") {
                continue;
            }
            for (end, value) in self.values(hit.end + 1, &self.type_sort(value)) {
                let op = Op::LetRole(hit.term.key.clone());
                found.push((end, self.termed(op, Sort::Statement, vec![value], at, end, (at + 1, hit.end))));
            }
        }
    }

    fn setting(&self, at: usize, found: &mut Found) {
        for (end, attribute) in self.cell(Cat::Np1, at + 1).iter() {
            let (Op::Of(key) | Op::OfFor(key)) = &attribute.op else { continue };
            if !self.word(*end, "to") {
                continue;
            }
            for (to, value) in self.values(end + 1, &attribute.sort) {
                let kids = attribute.kids.iter().cloned().chain([value]).collect();
                let mut tree = self.raw(Op::Set(key.clone()), Sort::Statement, kids, at, to);
                tree.merged += attribute.merged.saturating_sub(attribute.kids.iter().map(|k| k.merged).sum());
                found.push((to, T::new(tree)));
            }
        }
    }

    fn putting(&self, at: usize, found: &mut Found) {
        for (end, np) in self.things_or(at + 1) {
            let ways: [(&[&str], bool); 3] =
                [(&["into"], false), (&["on", "top", "of"], false), (&["at", "the", "bottom", "of"], true)];
            for (words, bottom) in ways {
                let Some(next) = self.words(end, words) else { continue };
                for (end, place) in self.cell(Cat::Np1, next).iter().filter(|(_, t)| t.sort == Sort::Place) {
                    found.push(self.statement(Op::Put(bottom), vec![np.clone(), place.clone()], at, *end));
                    if words == ["into"] {
                        if let Some(to) = self.words(*end, &["at", "the", "bottom"]) {
                            found.push(self.statement(Op::Put(true), vec![np.clone(), place.clone()], at, to));
                        }
                        if let Some(to) = self.words(*end, &["on", "top"]) {
                            found.push(self.statement(Op::Put(false), vec![np.clone(), place.clone()], at, to));
                        }
                    }
                }
            }
        }
    }

    /// `create a CLASS as L with ATTR VALUE, ATTR VALUE`.
    fn creation(&self, at: usize, found: &mut Found) {
        if self.one_of(at + 1, &["a", "an"]).is_none() {
            return;
        }
        for hit in self.hits_of(at + 2, TermKind::Class) {
            let sort = Sort::Thing(hit.term.key.name.clone());
            let Some(label) = self.labelled(hit.end, &sort) else { continue };
            let head = hit.end + 2;
            let op = |keys| Op::Create(hit.term.key.clone(), label.clone(), keys);
            found.push(self.statement(op(Vec::new()), vec![], at, head));
            if !self.word(head, "with") {
                continue;
            }
            for (end, keys, values) in self.facts(head + 1, &sort) {
                found.push(self.statement(op(keys), values, at, end));
            }
        }
    }

    /// `ATTR VALUE, ATTR VALUE` of a thing of the sort; a yes-or-no attribute stands alone.
    pub(super) fn facts(&self, at: usize, sort: &Sort) -> Vec<(usize, Vec<TermKey>, Vec<T>)> {
        let mut found = Vec::new();
        let mut open: Vec<(usize, Vec<TermKey>, Vec<T>)> = vec![(at, Vec::new(), Vec::new())];
        while let Some((pos, keys, values)) = open.pop() {
            for hit in self.hits_of(pos, TermKind::Attribute) {
                let Detail::Attribute { of, value, .. } = &hit.term.detail else { continue };
                if !self.fits_param(sort, of) {
                    let owner = self.tree(Op::It, sort.clone(), vec![], at, pos);
                    self.refuse_attribute(&hit.term, &owner, hit.end);
                    continue;
                }
                let mut said = self.values(hit.end, &self.type_sort(value));
                if *value == TypeName::YesNo {
                    said = vec![(hit.end, self.tree(Op::Truth(true), Sort::Condition, vec![], pos, hit.end))];
                }
                for (end, value) in said {
                    let (mut keys, mut values) = (keys.clone(), values.clone());
                    keys.push(hit.term.key.clone());
                    values.push(value);
                    if self.sign(end, ",") && keys.len() < 24 {
                        open.push((end + 1, keys.clone(), values.clone()));
                    }
                    found.push((end, keys, values));
                }
            }
            self.expect(pos, "an attribute");
        }
        found
    }
}
