//! Noun phrases: names, labels, roles, determined nouns, possessives, attributes and places.

use netrep_diagnostics::Code;

use std::sync::Arc;

use super::chart::{Chart, Clash, Found, T, gap, shown};
use super::forms::{Category, Form};
use super::nominal::stands_before;
use super::slot::SlotKind;
use super::sorts::{article, sort_text};
use super::term::{Detail, Param, Term, TypeName, Use};
use super::tree::{Det, Op, Sort, TermKind};

/// The definition that `your` speaks of.
pub(super) const YOU: &str = "you";

impl Chart<'_> {
    /// One noun phrase with its possessives and its labels.
    pub(super) fn read_one(&self, at: usize) -> Found {
        let mut found = self.by_rows(Category::One, at);
        let mut done = 0;
        while done < found.len() {
            let (end, tree) = found[done].clone();
            done += 1;
            found.extend(self.going_on(Category::AfterOne, end, &tree));
        }
        found
    }

    /// `an X as L with …`: modifiers after the label belong to the noun.
    pub(super) fn continued(&self, at: usize, end: usize, tree: &T, label: &Arc<str>, found: &mut Found) {
        let (Op::Quantified(_), Some(noun)) = (&tree.op, tree.kids.first()) else { return };
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

    pub(super) fn labels(&self, at: usize, found: &mut Found) {
        let Some(word) = self.slots.get(at).and_then(super::slot::Slot::word) else { return };
        let sorts = if word == "this" { Vec::new() } else { self.label_sorts(word, at) };
        for sort in sorts {
            found.push((at + 1, self.tree(Op::Label(Arc::from(word)), sort, vec![], at, at + 1)));
        }
    }

    /// Roles, definitions and entries by their bare words.
    pub(super) fn named(&self, at: usize, found: &mut Found) {
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

    /// Single noun phrases that denote things.
    pub(super) fn things(&self, at: usize) -> Found {
        let thing = |s: &Sort| matches!(s, Sort::Thing(_) | Sort::AnyThing);
        self.cell(Category::One, at).iter().filter(|(_, t)| thing(&t.sort)).cloned().collect()
    }

    /// `ATTR of NP`, `ATTR of NP for ENTRY`.
    pub(super) fn attribute_of(&self, from: usize, at: usize, found: &mut Found) {
        if self.forms.row(Form::FactPhraseOf).is_none() {
            return;
        }
        for hit in self.hits_of(at, TermKind::Attribute) {
            if !self.word(hit.end, "of") {
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
        let Detail::Attribute { value, .. } = &term.detail else { return };
        if !self.has_fact(&owner.sort, term) {
            self.refuse_attribute(term, owner, end);
            return;
        }
        let key = term.key.clone();
        if let TypeName::NumberFor(_) = value {
            if self.word(end, "for") {
                for (to, entry) in
                    self.cell(Category::One, end + 1).iter().filter(|(_, t)| matches!(t.sort, Sort::Entry(_)))
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
        if self.terms_of(&term.key).iter().any(|fact| self.has_fact(&owner.sort, fact)) {
            return;
        }
        // Of several facts the one that is refused, of one the word before it too.
        let words = term.key.name.split(' ').count();
        let (from, to) = match owner.op {
            Op::It if end > owner.from + words + 1 => (end - words, end),
            Op::It => (owner.from, end),
            _ => (owner.from, owner.to),
        };
        self.refuse(|| Clash {
            code: Code::NoSuchAttribute,
            from,
            to,
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
            match &t.detail {
                Detail::Attribute { on, .. } if !on.is_empty() => owners.extend(on.iter().map(|class| article(class))),
                Detail::Attribute { of, .. } => {
                    owners.extend(of.types.iter().map(|t| sort_text(&self.type_sort(t))));
                }
                _ => {}
            }
        }
        owners.dedup();
        if owners.is_empty() { self.param_text(of) } else { owners.join(" or ") }
    }

    /// What follows a possessive: an attribute, a place or a noun.
    pub(super) fn owned(&self, from: usize, at: usize, owner: &T, found: &mut Found) {
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
        for (end, noun) in self.cell(Category::Noun, at).iter() {
            let det = if noun.plural { Det::Each } else { Det::The };
            for noun in self.belonging(noun, owner) {
                found.push((*end, self.quantified(det, &noun, from, *end)));
            }
        }
    }

    /// The definition that `your` and `yours` speak of.
    pub(super) fn you(&self, at: usize, end: usize) -> Option<T> {
        let Some(you) = self.lex.term_named(TermKind::Definition, YOU) else {
            self.expect(at, "a definition of `you`");
            return None;
        };
        match &you.detail {
            Detail::Definition { value } => {
                Some(self.tree(Op::Defined(you.key.clone()), self.type_sort(value), vec![], at, end))
            }
            _ => None,
        }
    }

    /// The noun with the relation `of` to its owner, placed before its other relations.
    pub(super) fn belonging(&self, noun: &T, owner: &T) -> Vec<T> {
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
            let place = kids.iter().take_while(|k| stands_before(self, k)).count();
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
}

/// True for what a label may be given to: not what has a name already.
pub(super) fn nameable(tree: &T) -> bool {
    matches!(tree.sort, Sort::Thing(_) | Sort::AnyThing | Sort::Entry(_))
        && (matches!(tree.op, Op::Quantified(_) | Op::Of(_) | Op::Top(_) | Op::Next(_) | Op::New(..))
            || tree.op == Op::Either && tree.kids.iter().any(|k| !matches!(k.op, Op::Name(_) | Op::Card(_))))
}

/// True for what commas alone may join: names, terms, labels and bare plurals.
pub(super) fn light(tree: &T) -> bool {
    matches!(tree.op, Op::Name(_) | Op::Card(_) | Op::Entry(_) | Op::Label(_)) || bare_plural(tree)
}

fn bare_plural(tree: &T) -> bool {
    matches!(tree.op, Op::Quantified(Det::Each)) && tree.kids.first().is_some_and(|n| n.from == tree.from)
}
