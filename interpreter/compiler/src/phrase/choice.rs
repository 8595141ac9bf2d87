//! Statements about who may do what: choices, rolls, offers, norms, delayed triggers, windows.

use super::chart::{Cat, Chart, Found, T};
use super::clause::Polarity;
use super::term::Use;
use super::tree::{Op, Sort, TermKind};

impl Chart<'_> {
    /// `choose NP as L`, `choose one { } or { }`.
    pub(super) fn chosen(&self, from: usize, at: usize, player: &T, words: &[&str], found: &mut Found) {
        if self.one_of(at, words).is_none() {
            return;
        }
        for (end, np) in self.things_or(at + 1) {
            if let Some(label) = self.labelled(end, &np.sort) {
                let op = Op::Choose(label);
                found.push(self.statement(op.clone(), vec![player.clone(), np.clone()], from, end + 2));
                if player.op == Op::Absent
                    && let Some(next) = self.words(end + 2, &["at", "random"])
                {
                    found.push(self.statement(op, vec![self.chance(next - 1), np], from, next));
                }
            }
        }
        if self.word(at + 1, "one") {
            let mut open: Vec<(usize, Vec<T>)> = vec![(at + 2, vec![player.clone()])];
            while let Some((pos, list)) = open.pop() {
                for (end, s) in self.block(pos) {
                    let mut list = list.clone();
                    list.push(s);
                    if list.len() > 2 {
                        found.push(self.statement(Op::ChooseOne, list.clone(), from, end));
                    }
                    if self.word(end, "or") && list.len() < 16 {
                        open.push((end + 1, list));
                    }
                }
            }
        }
    }

    /// `roll [N dice] as L [for NP]`.
    pub(super) fn rolled(&self, from: usize, at: usize, player: &T, words: &[&str], found: &mut Found) {
        if self.one_of(at, words).is_none() {
            return;
        }
        let mut counts: Found = vec![(at + 1, self.tree(Op::Int(2), Sort::Number, vec![], at, at + 1))];
        for (end, n) in self.cell(Cat::Num, at + 1).iter() {
            if self.one_of(*end, &["dice", "die"]).is_some() {
                counts.push((end + 1, n.clone()));
            }
        }
        for (end, count) in counts {
            let Some(label) = self.labelled(end, &Sort::Number) else { continue };
            let end = end + 2;
            let op = Op::Roll(label);
            found.push(self.statement(op.clone(), vec![player.clone(), count.clone(), self.absent(end)], from, end));
            if self.word(end, "for") {
                for (to, np) in self.things_or(end + 1) {
                    found.push(self.statement(op.clone(), vec![player.clone(), count.clone(), np], from, to));
                }
            }
        }
    }

    /// `P may { }`, `P may choose NP as L { }`, each with an `otherwise`.
    pub(super) fn allowed(&self, from: usize, at: usize, player: &T, found: &mut Found) {
        if !self.word(at, "may") {
            return;
        }
        self.with_otherwise(&Op::May, std::slice::from_ref(player), from, at + 1, found);
        if self.word(at + 1, "choose") {
            for (end, np) in self.things_or(at + 2) {
                if let Some(label) = self.labelled(end, &np.sort) {
                    let kids = [player.clone(), np.clone()];
                    self.with_otherwise(&Op::MayChoose(label), &kids, from, end + 2, found);
                }
            }
        }
    }

    /// `X cannot …`, `X must …`, `X need not …` as an effect, with its duration.
    pub(super) fn barred(&self, from: usize, at: usize, np: &T, found: &mut Found) {
        let norms: [(&[&str], Polarity); 3] =
            [(&["cannot"], Polarity::Cannot), (&["must"], Polarity::Must), (&["need", "not"], Polarity::NeedNot)];
        for (words, polarity) in norms {
            let Some(next) = self.words(at, words) else { continue };
            let mut events = Found::new();
            if self.word(next, "be") {
                self.passive_event(from, next + 1, np, &mut events);
            }
            self.active_event(from, next, &[Use::Base], Some(np), &mut events);
            for (end, event) in events {
                let kids = vec![event];
                for (to, lasting) in self.lasting(end) {
                    found.push(self.statement(Op::Norm(polarity, Some(lasting)), kids.clone(), from, to));
                }
                found.push(self.statement(Op::Norm(polarity, None), kids, from, end));
            }
        }
    }

    /// `when EVENT [if COND] [immediately] { } [duration]`.
    pub(super) fn delayed(&self, at: usize, found: &mut Found) {
        for (end, event) in self.cell(Cat::Event, at + 1).iter() {
            let mut heads = vec![(*end, self.absent(*end))];
            heads.extend(self.guarded(*end, &["if", "unless"]));
            for (end, c) in heads {
                let immediately = self.word(end, "immediately");
                for (end, body) in self.block(end + usize::from(immediately)) {
                    let kids = vec![event.clone(), c.clone(), body];
                    found.push(self.statement(Op::When(None, immediately), kids.clone(), at, end));
                    for (to, lasting) in self.lasting(end) {
                        found.push(self.statement(Op::When(Some(lasting), immediately), kids.clone(), at, to));
                    }
                }
            }
        }
    }

    /// `window [in response] for P [while COND] to V NP or V NP; for Q to …`.
    pub(super) fn window(&self, at: usize, found: &mut Found) {
        let response = self.words(at + 1, &["in", "response"]);
        let mut open: Vec<(usize, Vec<T>)> = vec![(response.unwrap_or(at + 1), Vec::new())];
        while let Some((pos, list)) = open.pop() {
            if !self.word(pos, "for") {
                continue;
            }
            let mut heads = Vec::new();
            for (end, player) in self.things_or(pos + 1) {
                heads.push((end, vec![player.clone(), self.absent(end)]));
                let whilst = self.guarded(end, &["while"]);
                heads.extend(whilst.into_iter().map(|(end, c)| (end, vec![player.clone(), c])));
            }
            for (end, head) in heads {
                let mut admits = vec![(end, self.tree(Op::Admit, Sort::Part, head.clone(), pos, end))];
                if self.word(end, "to") {
                    self.admitted(pos, end + 1, head, &mut admits);
                }
                for (end, admit) in admits {
                    let mut list = list.clone();
                    list.push(admit);
                    found.push(self.statement(Op::Window(response.is_some()), list.clone(), at, end));
                    if (self.sign(end, ";") || self.sign(end, ",")) && self.word(end + 1, "for") && list.len() < 8 {
                        open.push((end + 1, list));
                    }
                }
            }
        }
    }

    fn admitted(&self, from: usize, at: usize, list: Vec<T>, found: &mut Found) {
        let mut events = Found::new();
        if self.word(at, "act") {
            found.push((at + 1, self.tree(Op::Admit, Sort::Part, list.clone(), from, at + 1)));
        }
        if self.word(at, "modify") {
            for (end, np) in self.things_or(at + 1) {
                events.push((end, self.tree(Op::Modifies(None), Sort::Event, vec![np], at, end)));
            }
            for hit in self.hits_of(at + 1, TermKind::Attribute).into_iter().filter(|hit| self.word(hit.end, "of")) {
                for (end, np) in self.things_or(hit.end + 1) {
                    let op = Op::Modifies(Some(hit.term.key.clone()));
                    events.push((end, self.tree(op, Sort::Event, vec![np], at, end)));
                }
            }
        }
        self.active_event(at, at, &[Use::Base], None, &mut events);
        for (end, event) in self.pruned(events, at) {
            let mut list = list.clone();
            list.push(event);
            found.push((end, self.tree(Op::Admit, Sort::Part, list.clone(), from, end)));
            if (self.word(end, "or") || self.sign(end, ",")) && list.len() < 24 {
                self.admitted(from, end + 1, list, found);
            }
        }
    }
}
