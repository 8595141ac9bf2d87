//! Noun phrases: names, labels, roles, determined nouns, possessives, attributes and places.

use std::sync::Arc;

use netrep_diagnostics::Code;

use super::chart::{Cat, Chart, Clash, Found, T, gap, shown, stretch};
use super::nominal::stands_before;
use super::slot::SlotKind;
use super::sorts::sort_text;
use super::term::{Detail, Param, Term, TypeName, Use};
use super::tree::{Det, Op, Sort, TermKind};

/// The definition that `your` speaks of.
pub(super) const YOU: &str = "you";

impl Chart<'_> {
    /// Noun phrases joined by `or`; names, entries and labels also by commas alone.
    pub(super) fn read_np(&self, at: usize) -> Found {
        let first = self.cell(Cat::Np1, at);
        let mut found: Found = first.to_vec();
        for (end, tree) in first.iter() {
            self.join(at, *end, vec![tree.clone()], tree.sort.clone(), &mut found);
        }
        found
    }

    fn join(&self, at: usize, end: usize, list: Vec<T>, sort: Sort, found: &mut Found) {
        let light = |t: &T| matches!(t.op, Op::Name(_) | Op::Entry(_) | Op::Label(_)) || bare_plural(t);
        let last = self.word(end, "or") || (self.sign(end, "/") && list.iter().all(|t| matches!(t.op, Op::Entry(_))));
        let comma = self.sign(end, ",");
        if !last && !comma {
            return;
        }
        for (to, next) in self.cell(Cat::Np1, end + 1).iter() {
            let Some(sort) = self.common(&sort, &next.sort) else { continue };
            let mut list = list.clone();
            list.push(next.clone());
            if last || list.iter().all(light) {
                let mut tree = self.raw(Op::Either, sort.clone(), list.clone(), at, *to);
                tree.spread += stretch(at, *to);
                found.push((*to, T::new(tree)));
            }
            let slash = last && self.sign(end, "/");
            if comma || slash {
                self.join(at, *to, list, sort, found);
            }
        }
    }

    /// One noun phrase with its possessives and its label.
    pub(super) fn read_np1(&self, at: usize) -> Found {
        let mut found = self.np_heads(at);
        let mut done = 0;
        while done < found.len() {
            let (end, tree) = found[done].clone();
            done += 1;
            if self.sign(end, "'s") {
                self.owned(at, end + 1, &tree, &mut found);
            }
            if nameable(&tree)
                && self.word(end, "as")
                && let Some(label) = self.label(end + 1)
            {
                self.bind(&label, &tree.sort, end + 1);
                let mut named = self.raw(Op::As(label), tree.sort.clone(), vec![tree.clone()], at, end + 2);
                named.spread += gap(at, end);
                found.push((end + 2, T::new(named)));
                self.continued(at, end + 2, &tree, &mut found);
            }
        }
        found
    }

    /// `an X as L with …`: modifiers after the label belong to the noun.
    fn continued(&self, at: usize, end: usize, tree: &T, found: &mut Found) {
        let (Op::Quantified(_), Some(noun), Some(label)) = (&tree.op, tree.kids.first(), self.label(end - 1)) else {
            return;
        };
        for (to, modifier) in self.after_noun(end, &noun.sort) {
            let mut kids = noun.kids.clone();
            kids.push(modifier.clone());
            let mut whole = self.raw(noun.op.clone(), noun.sort.clone(), kids, noun.from, to);
            whole.merged = noun.merged + modifier.merged;
            whole.spread = noun.spread + modifier.spread + gap(noun.to, modifier.from);
            whole.plural = noun.plural;
            let quantified = self.tree(tree.op.clone(), tree.sort.clone(), vec![T::new(whole)], at, to);
            let mut named = self.raw(Op::As(label.clone()), tree.sort.clone(), vec![quantified], at, to);
            named.spread += gap(at, end - 2);
            found.push((to, T::new(named)));
        }
    }

    fn np_heads(&self, at: usize) -> Found {
        let mut found = Found::new();
        match self.kind(at) {
            Some(SlotKind::Quoted(name)) => {
                let op = Op::Name(Arc::from(name.as_str()));
                found.push((at + 1, self.tree(op, Sort::AnyThing, vec![], at, at + 1)));
            }
            Some(SlotKind::Word(word)) => {
                match word.as_str() {
                    "this" => {
                        let sort = self.scope.sorts("this").next().cloned().unwrap_or(Sort::AnyThing);
                        found.push((at + 1, self.tree(Op::This, sort, vec![], at, at + 1)));
                    }
                    "it" => found.push((at + 1, self.tree(Op::It, Sort::AnyThing, vec![], at, at + 1))),
                    "its" | "their" => {
                        let it = self.tree(Op::It, Sort::AnyThing, vec![], at, at + 1);
                        self.owned(at, at + 1, &it, &mut found);
                    }
                    "your" => self.yours(at, at + 1, None, &mut found),
                    "yours" => {
                        let you = self.you(at, at + 1);
                        found.extend(you.map(|you| (at + 1, you)));
                    }
                    _ => {}
                }
                self.determined(at, &mut found);
                self.top(at, &mut found);
                self.novel(at, &mut found);
                if word == "the" {
                    self.places(at, at + 1, &mut found);
                }
            }
            Some(SlotKind::Number(_)) => self.determined(at, &mut found),
            Some(SlotKind::Sign("(")) => {
                for (end, np) in self.cell(Cat::Np, at + 1).iter() {
                    if np.sort != Sort::Number && self.sign(*end, ")") {
                        found.push((end + 1, np.clone()));
                    }
                }
            }
            _ => {}
        }
        self.labels(at, &mut found);
        self.named(at, &mut found);
        self.places(at, at, &mut found);
        self.attribute_of(at, at, &mut found);
        if self.word(at, "printed") {
            let mut values = Found::new();
            self.attribute_of(at, at + 1, &mut values);
            for (end, value) in values {
                if let Op::Of(key) = &value.op {
                    let mut tree = self.raw(Op::Printed(key.clone()), value.sort.clone(), value.kids.clone(), at, end);
                    tree.merged = value.merged;
                    found.push((end, T::new(tree)));
                }
            }
        }
        if self.word(at, "the") {
            self.attribute_of(at, at + 1, &mut found);
        }
        for (end, noun) in self.cell(Cat::Noun, at).iter().filter(|(_, n)| n.plural) {
            found.push((*end, self.quantified(Det::Each, noun, at, *end)));
        }
        found
    }

    fn labels(&self, at: usize, found: &mut Found) {
        let Some(word) = self.slots.get(at).and_then(super::slot::Slot::word) else { return };
        let sorts = if word == "this" { Vec::new() } else { self.label_sorts(word, at) };
        for sort in sorts {
            found.push((at + 1, self.tree(Op::Label(Arc::from(word)), sort, vec![], at, at + 1)));
        }
    }

    /// Roles, definitions and entries by their bare words.
    fn named(&self, at: usize, found: &mut Found) {
        for hit in self.hits(at).iter() {
            let key = || hit.term.key.clone();
            let label = self
                .slots
                .get(at)
                .and_then(super::slot::Slot::word)
                .is_some_and(|w| !self.label_sorts(w, at).is_empty());
            match &hit.term.detail {
                Detail::Role { value } if hit.used == Use::Name && !label => {
                    let sort = self.type_sort(value);
                    found.push((hit.end, self.termed(Op::Role(key()), sort, vec![], at, hit.end, (at, hit.end))));
                }
                Detail::Definition { value } if !label => {
                    let sort = self.type_sort(value);
                    found.push((hit.end, self.termed(Op::Defined(key()), sort, vec![], at, hit.end, (at, hit.end))));
                }
                Detail::Entry { list } if hit.used == Use::Name => {
                    let sort = Sort::Entry(list.clone());
                    found.push((hit.end, self.termed(Op::Entry(key()), sort, vec![], at, hit.end, (at, hit.end))));
                }
                _ => {}
            }
        }
    }

    /// `PLACE`, `PLACE of NP`.
    fn places(&self, from: usize, at: usize, found: &mut Found) {
        for hit in self.hits_of(at, TermKind::Place) {
            let Detail::Place { of_player, .. } = &hit.term.detail else { continue };
            let span = (at, hit.end);
            let op = || Op::Place(hit.term.key.clone());
            found.push((hit.end, self.termed(op(), Sort::Place, vec![], from, hit.end, span)));
            if *of_player && self.word(hit.end, "of") {
                for (end, owner) in self.things(hit.end + 1) {
                    found.push((end, self.termed(op(), Sort::Place, vec![owner], from, end, span)));
                }
            }
        }
    }

    /// Single noun phrases that denote things.
    pub(super) fn things(&self, at: usize) -> Found {
        let thing = |s: &Sort| matches!(s, Sort::Thing(_) | Sort::AnyThing);
        self.cell(Cat::Np1, at).iter().filter(|(_, t)| thing(&t.sort)).cloned().collect()
    }

    /// `ATTR of NP`, `ATTR of NP for ENTRY`.
    fn attribute_of(&self, from: usize, at: usize, found: &mut Found) {
        for hit in self.hits_of(at, TermKind::Attribute) {
            let before = hit.term.second().map_or("of", |s| &*s.before);
            if !self.word(hit.end, before) {
                continue;
            }
            for (end, owner) in self.things(hit.end + 1) {
                self.push_attribute(from, end, &hit.term, (at, hit.end), &owner, found);
            }
        }
    }

    fn push_attribute(
        &self,
        at: usize,
        end: usize,
        term: &Arc<Term>,
        span: (usize, usize),
        owner: &T,
        found: &mut Found,
    ) {
        let Detail::Attribute { of, value, .. } = &term.detail else { return };
        if !self.fits_param(&owner.sort, of) {
            self.refuse_attribute(term, owner, end);
            return;
        }
        let key = term.key.clone();
        if let Some(second) = term.second() {
            let Some(start) = self.spelled(end, &second.words) else { return };
            for (to, other) in self.cell(Cat::Np1, start).iter() {
                if !self.fits_param(&other.sort, &second.param) {
                    self.refuse(|| Clash {
                        code: Code::WrongSort,
                        from: other.from,
                        to: other.to,
                        end: *to,
                        message: format!(
                            "`{}` wants {} here, but this is {}",
                            shown(term),
                            self.param_text(&second.param),
                            sort_text(&other.sort)
                        ),
                        help: None,
                    });
                    continue;
                }
                let kids = vec![owner.clone(), other.clone()];
                let sort = self.type_sort(value);
                found.push((*to, self.termed(Op::OfFor(key.clone()), sort, kids, at, *to, span)));
            }
            return;
        }
        if let TypeName::NumberFor(_) = value {
            if self.word(end, "for") {
                for (to, entry) in self.cell(Cat::Np1, end + 1).iter().filter(|(_, t)| matches!(t.sort, Sort::Entry(_)))
                {
                    let kids = vec![owner.clone(), entry.clone()];
                    found.push((*to, self.termed(Op::OfFor(key.clone()), Sort::Number, kids, at, *to, span)));
                }
            }
            return;
        }
        let sort = self.type_sort(value);
        found.push((end, self.termed(Op::Of(key), sort, vec![owner.clone()], at, end, span)));
    }

    /// Notes that a thing has no such attribute.
    pub(super) fn refuse_attribute(&self, term: &Term, owner: &T, end: usize) {
        let Detail::Attribute { of, .. } = &term.detail else { return };
        // The same words may be declared of several classes one by one.
        let fits =
            |t: &Arc<Term>| matches!(&t.detail, Detail::Attribute { of, .. } if self.fits_param(&owner.sort, of));
        if self.terms_of(&term.key).iter().any(fits) {
            return;
        }
        self.refuse(|| Clash {
            code: Code::NoSuchAttribute,
            from: owner.from,
            to: if matches!(owner.op, Op::It) { end } else { owner.to },
            end,
            message: format!("{} has no {}", sort_text(&owner.sort), shown(term)),
            help: Some(format!("`{}` is declared of {}", shown(term), self.owners_text(term, of))),
        });
    }

    /// All classes that an attribute is declared of.
    fn owners_text(&self, term: &Term, of: &Param) -> String {
        let terms = self.terms_of(&term.key);
        let mut owners: Vec<String> = Vec::new();
        for t in &terms {
            if let Detail::Attribute { of, .. } = &t.detail {
                owners.extend(of.types.iter().map(|t| sort_text(&self.type_sort(t))));
            }
        }
        owners.dedup();
        if owners.is_empty() { self.param_text(of) } else { owners.join(" or ") }
    }

    /// What follows a possessive: an attribute, a place or a noun.
    fn owned(&self, from: usize, at: usize, owner: &T, found: &mut Found) {
        if !matches!(owner.sort, Sort::Thing(_) | Sort::AnyThing) {
            return;
        }
        for hit in self.hits(at).iter() {
            match &hit.term.detail {
                Detail::Attribute { .. } => {
                    self.push_attribute(from, hit.end, &hit.term, (at, hit.end), owner, found);
                }
                Detail::Place { of_player: true, .. } => {
                    let op = Op::Place(hit.term.key.clone());
                    let kids = vec![owner.clone()];
                    found.push((hit.end, self.termed(op, Sort::Place, kids, from, hit.end, (at, hit.end))));
                }
                _ => {}
            }
        }
        for (end, noun) in self.cell(Cat::Noun, at).iter() {
            let det = if noun.plural { Det::Each } else { Det::The };
            for noun in self.belonging(noun, owner) {
                found.push((*end, self.quantified(det, &noun, from, *end)));
            }
        }
    }

    /// `your …`, or `DET of your …`.
    fn yours(&self, from: usize, at: usize, det: Option<Det>, found: &mut Found) {
        let Some(you) = self.you(at - 1, at) else { return };
        match det {
            None => self.owned(from, at, &you, found),
            Some(det) => {
                for (end, noun) in self.cell(Cat::Noun, at).iter().filter(|(_, n)| n.plural) {
                    for noun in self.belonging(noun, &you) {
                        found.push((*end, self.quantified(det, &noun, from, *end)));
                    }
                }
            }
        }
    }

    /// The definition that `your` and `yours` speak of.
    fn you(&self, at: usize, end: usize) -> Option<T> {
        let Some(you) = self.lex.term_named(TermKind::Definition, YOU) else {
            self.expect(at, "a definition of `you`");
            return None;
        };
        let Detail::Definition { value } = &you.detail else { return None };
        Some(self.tree(Op::Defined(you.key.clone()), self.type_sort(value), vec![], at, end))
    }

    /// The noun with the relation `of` to its owner, placed before its other relations.
    fn belonging(&self, noun: &T, owner: &T) -> Vec<T> {
        let mut nouns = Vec::new();
        for term in self.lex.terms_with("of").iter() {
            let Detail::Relation { subject, object } = &term.detail else { continue };
            let plain = term.forms.iter().any(|f| f.used == Use::Relates && f.text() == "of");
            if !plain || !self.fits_param(&noun.sort, subject) || !self.fits_param(&owner.sort, object) {
                continue;
            }
            let relation =
                self.tree(Op::Relates(term.key.clone()), Sort::Predicate, vec![owner.clone()], owner.from, owner.to);
            let mut kids = noun.kids.clone();
            let place = kids.iter().position(|k| !stands_before(self, k)).unwrap_or(kids.len());
            kids.insert(place, relation);
            let mut tree = self.raw(noun.op.clone(), noun.sort.clone(), kids, noun.from, noun.to);
            tree.merged = noun.merged + owner.merged;
            tree.spread = noun.spread + owner.spread;
            tree.plural = noun.plural;
            nouns.push(T::new(tree));
        }
        nouns
    }

    pub(super) fn quantified(&self, det: Det, noun: &T, from: usize, to: usize) -> T {
        self.tree(Op::Quantified(det), noun.sort.clone(), vec![noun.clone()], from, to)
    }

    /// `a X`, `each X`, `2 Xs`, `at least 2 Xs`, `up to 2 Xs`, `one of your Xs`.
    fn determined(&self, at: usize, found: &mut Found) {
        let Some((det, next)) = self.determiner(at) else { return };
        if self.word(next, "of") && self.word(next + 1, "your") {
            self.yours(at, next + 2, Some(det), found);
        }
        if det == Det::A && self.word(at, "one") && self.word(next, "of") {
            let start = if self.word(next + 1, "the") { next + 2 } else { next + 1 };
            for (end, noun) in self.cell(Cat::Noun, start).iter().filter(|(_, n)| n.plural) {
                found.push((*end, self.quantified(det, noun, at, *end)));
            }
        }
        for (end, noun) in self.cell(Cat::Noun, next).iter() {
            let agrees = match det {
                Det::A | Det::Another => !noun.plural,
                _ => true,
            };
            if agrees {
                found.push((*end, self.quantified(det, noun, at, *end)));
            }
        }
    }

    fn determiner(&self, at: usize) -> Option<(Det, usize)> {
        match self.kind(at)? {
            SlotKind::Number(n) => Some((Det::Exactly(*n), at + 1)),
            SlotKind::Word(w) => match w.as_str() {
                "a" | "an" | "one" => Some((Det::A, at + 1)),
                "another" => Some((Det::Another, at + 1)),
                "each" | "every" | "all" => Some((Det::Each, at + 1)),
                "any" => Some((Det::Any, at + 1)),
                "no" => Some((Det::No, at + 1)),
                "the" => Some((Det::The, at + 1)),
                "at" if self.word(at + 1, "least") => self.amount(at + 2).map(|n| (Det::AtLeast(n), at + 3)),
                "up" if self.word(at + 1, "to") => self.amount(at + 2).map(|n| (Det::UpTo(n), at + 3)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A literal number.
    pub(super) fn amount(&self, at: usize) -> Option<i64> {
        match self.kind(at) {
            Some(SlotKind::Number(n)) => Some(*n),
            _ => {
                self.expect(at, "a number");
                None
            }
        }
    }

    /// `the top card of PLACE`, `the top N cards of PLACE`: the noun is declared, its number counts.
    fn top(&self, at: usize, found: &mut Found) {
        let Some(at_noun) = self.words(at, &["the", "top"]) else { return };
        let one = self.tree(Op::Int(1), Sort::Number, vec![], at + 1, at + 2);
        let mut counts: Found = vec![(at_noun, one)];
        counts.extend(self.cell(Cat::Atom, at_noun).iter().cloned());
        for (end, count) in counts {
            for hit in self.hits_of(end, TermKind::Class) {
                if !self.word(hit.end, "of") {
                    continue;
                }
                for (to, place) in self.cell(Cat::Np1, hit.end + 1).iter().filter(|(_, t)| t.sort == Sort::Place) {
                    let sort = Sort::Thing(hit.term.key.name.clone());
                    let kids = vec![count.clone(), place.clone()];
                    found.push((*to, self.tree(Op::Top(hit.term.key.clone()), sort, kids, at, *to)));
                }
            }
        }
    }

    /// `a new CLASS with ATTR VALUE, ATTR VALUE`.
    fn novel(&self, at: usize, found: &mut Found) {
        if self.one_of(at, &["a", "an"]).is_none() || !self.word(at + 1, "new") {
            return;
        }
        for hit in self.hits_of(at + 2, TermKind::Class) {
            let sort = Sort::Thing(hit.term.key.name.clone());
            let op = |keys| Op::New(hit.term.key.clone(), keys);
            if !self.word(hit.end, "with") {
                found.push((hit.end, self.tree(op(Vec::new()), sort, vec![], at, hit.end)));
                continue;
            }
            for (end, keys, values) in self.facts(hit.end + 1, &sort) {
                let mut tree = self.raw(op(keys), sort.clone(), values, at, end);
                tree.spread += stretch(at, end);
                found.push((end, T::new(tree)));
            }
        }
    }
}

/// True for what a label may be given to: not what has a name already.
fn nameable(tree: &T) -> bool {
    matches!(tree.sort, Sort::Thing(_) | Sort::AnyThing | Sort::Entry(_))
        && (matches!(tree.op, Op::Quantified(_) | Op::Of(_) | Op::Top(_) | Op::New(..))
            || tree.op == Op::Either && tree.kids.iter().any(|k| !matches!(k.op, Op::Name(_))))
}

fn bare_plural(tree: &T) -> bool {
    matches!(tree.op, Op::Quantified(Det::Each)) && tree.kids.first().is_some_and(|n| n.from == tree.from)
}
