//! Sorts: which fits where, and what a sort is called in a message.

use std::sync::Arc;

use super::chart::{Chart, T};
use super::lexicon::Lexicon;
use super::term::{Detail, Param, Term, TypeName};
use super::tree::{Op, Sort, TermKey, TermKind};

/// The sort of a class or list by its name.
pub(crate) fn named_sort(lex: &dyn Lexicon, name: &str) -> Option<Sort> {
    if lex.term_named(TermKind::Class, name).is_some() {
        return Some(Sort::Thing(Arc::from(name)));
    }
    lex.term_named(TermKind::List, name).map(|_| Sort::Entry(Arc::from(name)))
}

/// What a sort is called in a message.
pub(super) fn sort_text(sort: &Sort) -> String {
    match sort {
        Sort::Thing(class) => article(class),
        Sort::AnyThing => "a thing".to_owned(),
        Sort::Number => "a number".to_owned(),
        Sort::Entry(list) => article(list),
        Sort::Condition => "a condition".to_owned(),
        Sort::Predicate => "a predicate".to_owned(),
        Sort::Statement => "a statement".to_owned(),
        Sort::Event => "an event".to_owned(),
        Sort::Place => "a place".to_owned(),
        Sort::Part => "a part of a phrase".to_owned(),
    }
}

/// The word with its indefinite article.
pub(crate) fn article(word: &str) -> String {
    // `unique`, `one`: spelled with a vowel, spoken with none.
    let spoken = ["uni", "use", "one", "eu"].iter().any(|w| word.starts_with(w));
    let vowel = !spoken && word.chars().next().is_some_and(|c| "aeiouAEIOUéÉáÁóÓ".contains(c));
    format!("{} {word}", if vowel { "an" } else { "a" })
}

/// True for a quoted name, also labelled or joined.
fn is_name(np: &T) -> bool {
    match np.op {
        Op::Name(_) | Op::Card(_) => true,
        Op::As(_) | Op::Either => np.kids.iter().all(is_name),
        _ => false,
    }
}

impl Chart<'_> {
    /// The sort of a declared type; things of unknown classes are things of any class.
    pub(super) fn type_sort(&self, value: &TypeName) -> Sort {
        match value {
            TypeName::Number | TypeName::NumberFor(_) => Sort::Number,
            TypeName::YesNo => Sort::Condition,
            TypeName::Place => Sort::Place,
            TypeName::Thing => Sort::AnyThing,
            // total: as said above; link tells that no class is called so
            TypeName::Named(name) | TypeName::NameOf(name) => self.named_sort(name).unwrap_or(Sort::AnyThing),
        }
    }

    /// The sort of a parameter's value: that of its type, or any thing if it has several.
    pub(super) fn param_sort(&self, param: &Param) -> Sort {
        match param.types.as_slice() {
            [one] => self.type_sort(one),
            [first, ..] if !matches!(self.type_sort(first), Sort::Thing(_)) => self.type_sort(first),
            _ => Sort::AnyThing,
        }
    }

    /// True if a value of one sort may stand where the other is wanted. A narrower thing may stand for a wider
    /// one, and a wider one is tested when the clause runs.
    pub(super) fn fits(&self, found: &Sort, wanted: &Sort) -> bool {
        match (found, wanted) {
            (Sort::AnyThing, Sort::Thing(_) | Sort::AnyThing) | (Sort::Thing(_), Sort::AnyThing) => true,
            (Sort::Thing(a), Sort::Thing(b)) => {
                self.lex.is_subclass(a, b) || self.lex.is_subclass(b, a) || self.overlap(a, b, found, wanted)
            }
            (a, b) => a == b,
        }
    }

    /// True if two classes may have things in common: both narrow one class, and nothing says they are disjoint.
    fn overlap(&self, a: &str, b: &str, found: &Sort, wanted: &Sort) -> bool {
        // Of which things a condition holds is known in play: those of the class above may be among them.
        if let Some(above) = self.above_condition(a) {
            return self.fits(&Sort::Thing(above), wanted);
        }
        if let Some(above) = self.above_condition(b) {
            return self.fits(found, &Sort::Thing(above));
        }
        let limit = |name: &str| self.lex.term_named(TermKind::Class, name).and_then(|t| t.only.clone());
        // Of a term that is not declared nothing is known but that.
        let is_lost = |term: &Arc<str>| self.lex.term_named(TermKind::Entry, term).is_none();
        limit(a).zip(limit(b)).is_some_and(|(x, y)| {
            let shares = x.1.iter().any(|e| y.1.contains(e)) || x.1.iter().chain(&y.1).any(is_lost);
            self.common(found, wanted).is_some() && (x.0 != y.0 || shares)
        })
    }

    /// The class above one that is given by a condition.
    fn above_condition(&self, class: &str) -> Option<Arc<str>> {
        match &self.lex.term_named(TermKind::Class, class)?.detail {
            // One that leads back to itself is told where it is declared.
            Detail::Class { label: Some(_), .. } => self.lex.lineage(class).get(1).cloned(),
            _ => None,
        }
    }

    /// True if the value fits one of the parameter's types.
    pub(super) fn fits_param(&self, found: &Sort, param: &Param) -> bool {
        param.types.iter().any(|t| self.fits(found, &self.type_sort(t)))
    }

    /// True if a thing of the sort can have a fact: it is declared of such things, and, of what is printed, on such cards.
    pub(super) fn has_fact(&self, sort: &Sort, fact: &Term) -> bool {
        let prints = |class: &Arc<str>| self.fits(sort, &Sort::Thing(class.clone()));
        matches!(&fact.detail, Detail::Attribute { of, on, .. }
            if self.fits_param(sort, of) && (on.is_empty() || on.iter().any(prints)))
    }

    /// A name is first of all that of a card: the price of taking it for anything else.
    pub(super) fn name_price(&self, np: &T, param: &Param) -> u32 {
        let of_card = |t: &TypeName| match self.type_sort(t) {
            Sort::Thing(class) => self.lex.is_subclass(&class, &self.lex.card_class()),
            _ => true,
        };
        u32::from(is_name(np) && !param.types.iter().any(of_card)) << 10
    }

    /// What a parameter wants, in words.
    pub(super) fn param_text(&self, param: &Param) -> String {
        param.types.iter().map(|t| sort_text(&self.type_sort(t))).collect::<Vec<_>>().join(" or ")
    }

    /// The narrowest sort of both, for `or`; `None` if they have nothing in common.
    pub(super) fn common(&self, a: &Sort, b: &Sort) -> Option<Sort> {
        match (a, b) {
            (Sort::AnyThing, Sort::Thing(_) | Sort::AnyThing) | (Sort::Thing(_), Sort::AnyThing) => {
                Some(Sort::AnyThing)
            }
            (Sort::Thing(x), Sort::Thing(y)) => {
                let mut above = self.lex.lineage(x).into_iter();
                above.find(|class| self.lex.is_subclass(y, class)).map(Sort::Thing)
            }
            (a, b) if a == b && matches!(a, Sort::Entry(_) | Sort::Place | Sort::Predicate) => Some(a.clone()),
            _ => None,
        }
    }

    /// The attributes whose value is of a list.
    pub(super) fn attributes_of_list(&self, list: &Arc<str>) -> Vec<Arc<Term>> {
        let first = super::term::first_word(list);
        let is_of =
            |t: &&Arc<Term>| matches!(&t.detail, Detail::Attribute { value: TypeName::Named(n), .. } if n == list);
        self.lex.terms_with(first).iter().filter(is_of).cloned().collect()
    }

    /// The terms of a key: several if an attribute is declared of several classes one by one.
    pub(super) fn terms_of(&self, key: &TermKey) -> Vec<Arc<Term>> {
        let first = super::term::first_word(&key.name);
        self.lex.terms_with(first).iter().filter(|t| t.key == *key).cloned().collect()
    }

    /// True if the entry can be said of a thing of the sort: the thing has an attribute that takes it.
    pub(super) fn entry_applies(&self, list: &Arc<str>, sort: &Sort) -> bool {
        self.attributes_of_list(list).iter().any(|fact| self.has_fact(sort, fact))
    }

    /// True if a predicate can be said of a thing of the sort.
    pub(super) fn applies(&self, predicate: &T, sort: &Sort) -> bool {
        let kid = |p: &T| p.kids.first().is_some_and(|k| self.applies(k, sort));
        match &predicate.op {
            Op::Or | Op::And => predicate.kids.iter().all(|k| self.applies(k, sort)),
            Op::NotIs => kid(predicate),
            Op::Is(key) => self.terms_of(key).iter().any(|t| match &t.detail {
                Detail::Adjective { of } => self.fits_param(sort, of),
                Detail::Attribute { .. } => self.has_fact(sort, t),
                _ => true,
            }),
            Op::IsEntry(key) => match self.lex.term_named(key.kind, &key.name).map(|t| t.detail.clone()) {
                Some(Detail::Entry { list }) => self.entry_applies(&list, sort),
                _ => true,
            },
            Op::IsClass(key) => self.common(sort, &Sort::Thing(key.name.clone())).is_some(),
            Op::Same | Op::OtherThan => predicate.kids.first().is_some_and(|k| self.fits(sort, &k.sort)),
            _ => true,
        }
    }
}
