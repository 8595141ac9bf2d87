//! Predicates: what stands after a noun or a copula.

use netrep_diagnostics::Code;

use super::chart::{Chart, Clash, Found, Hit, T, width};
use super::forms::Category;
use super::nominal::stands_before;
use super::sorts::sort_text;
use super::term::{Detail, Param, TypeName, Use};
use super::tree::{Cmp, Det, Op, Sort, TermKind};

/// How a verb is used where a phrase calls its frame.
pub(super) struct Attribution {
    pub end: usize,
    pub tree: T,
}

impl Chart<'_> {
    /// Modifiers after a noun of the sort: relations, `with`, `that`, `other than`, `named`, participles.
    pub(super) fn after_noun(&self, at: usize, sort: &Sort) -> Found {
        let it = self.tree(Op::It, sort.clone(), vec![], at, at);
        self.going_on(Category::ModifierAfter, at, &it)
    }

    pub(super) fn adjective(&self, at: usize, hit: &Hit) -> T {
        self.termed(Op::Is(hit.term.key.clone()), Sort::Predicate, vec![], at, hit.end, (at, hit.end))
    }

    /// Relations of a thing of the sort: attributive, or finite after a subject.
    pub(super) fn relations(&self, at: usize, sort: &Sort, finite: bool, found: &mut Found) {
        // Relations may be spelled the same: what one of them takes is no mistake.
        let (mut misfits, mut fitting) = (Vec::new(), Vec::new());
        let (mut strangers, mut familiar): (Vec<(usize, String)>, Vec<usize>) = (Vec::new(), Vec::new());
        for hit in self.hits_of(at, TermKind::Relation) {
            let Detail::Relation { subject, object } = &hit.term.detail else { continue };
            let (inverse, wanted) = match hit.used {
                Use::Relates => (false, !finite),
                Use::Finite => (false, finite),
                Use::Inverse => (true, !finite),
                Use::InverseFinite => (true, finite),
                _ => continue,
            };
            if !wanted {
                continue;
            }
            let (mine, other) = if inverse { (object, subject) } else { (subject, object) };
            if !self.fits_param(sort, mine) {
                // What it is said of is told only where it is refused.
                strangers.push((hit.end, if self.notes { self.param_text(mine) } else { String::new() }));
                continue;
            }
            familiar.push(hit.end);
            for (end, np) in self.cell(Category::Np, hit.end).iter() {
                if !self.fits_param(&np.sort, other) && !self.lies_in(np, &hit, sort) {
                    misfits.push((hit.end, *end, np.clone(), other.clone()));
                    continue;
                }
                fitting.push((hit.end, *end));
                let key = hit.term.key.clone();
                let op = if inverse { Op::RelatedBy(key) } else { Op::Relates(key) };
                let mut tree = self.raw(op, Sort::Predicate, vec![np.clone()], at, *end);
                tree.merged += width((at, hit.end));
                tree.spread += self.name_price(np, other);
                found.push((*end, T::new(tree)));
            }
        }
        for (words_end, _) in strangers.iter().filter(|(end, _)| !familiar.contains(end)) {
            let mut of: Vec<&str> = strangers.iter().filter(|(e, _)| e == words_end).map(|(_, of)| &**of).collect();
            of.dedup();
            let end = self.cell(Category::Np, *words_end).iter().map(|(end, _)| *end).max().unwrap_or(*words_end);
            self.refuse(|| Clash {
                code: Code::WrongRelation,
                from: at,
                to: *words_end,
                end,
                message: format!(
                    "`{}` is said of {}, not of {}",
                    self.source(at, *words_end),
                    of.join(" or "),
                    sort_text(sort)
                ),
                help: None,
            });
        }
        for (words_end, end, np, other) in misfits {
            if !fitting.contains(&(words_end, end)) {
                self.refuse_other(at, words_end, end, &np, &other);
            }
        }
    }

    /// Lying in a place needs no relation of its own: any `in` of such a thing will do, unless one for places
    /// is declared.
    fn lies_in(&self, np: &T, hit: &Hit, sort: &Sort) -> bool {
        if np.sort != Sort::Place {
            return false;
        }
        let terms = self.lex.terms_with("in");
        let mut plain = terms.iter().filter_map(|t| match &t.detail {
            Detail::Relation { subject, object }
                if t.forms.iter().any(|f| f.used == Use::Relates && f.text() == "in")
                    && self.fits_param(sort, subject) =>
            {
                Some((t, object))
            }
            _ => None,
        });
        let declared = plain.clone().any(|(_, object)| self.param_sort(object) == Sort::Place);
        !declared && plain.next().is_some_and(|(t, _)| t.key == hit.term.key)
    }

    fn refuse_other(&self, at: usize, words_end: usize, end: usize, np: &T, wanted: &Param) {
        let code = if np.sort == Sort::Number || self.param_sort(wanted) == Sort::Number {
            Code::WrongSort
        } else {
            Code::WrongRelation
        };
        self.refuse(|| Clash {
            code,
            from: np.from,
            to: np.to,
            end,
            message: format!(
                "`{}` wants {}, but this is {}",
                self.source(at, words_end),
                self.param_text(wanted),
                sort_text(&np.sort)
            ),
            help: None,
        });
    }

    /// `painted by a guest this season`: a participle with at least one role or a duration.
    pub(super) fn done(&self, at: usize, sort: &Sort, found: &mut Found) {
        for hit in self.hits_of(at, TermKind::Verb).iter().filter(|h| h.used == Use::Past) {
            for Attribution { end, tree } in self.participle(at, hit, sort) {
                found.push((end, tree));
            }
        }
    }

    /// After `with`: an attribute and its value, or a catalogue term.
    pub(super) fn with(&self, from: usize, at: usize, sort: &Sort, found: &mut Found) {
        for hit in self.hits(at).iter() {
            match &hit.term.detail {
                Detail::Attribute { value, .. } => {
                    if !self.has_fact(sort, &hit.term) {
                        let owner = self.tree(Op::It, sort.clone(), vec![], from, at);
                        self.refuse_attribute(&hit.term, &owner, hit.end);
                        continue;
                    }
                    let key = hit.term.key.clone();
                    let span = (at, hit.end);
                    if matches!(value, TypeName::YesNo | TypeName::NumberFor(_)) {
                        continue;
                    }
                    if self.type_sort(value) == Sort::Number {
                        for (end, cmp, number) in self.comparison(hit.end) {
                            let op = Op::With(key.clone(), cmp);
                            found.push((end, self.termed(op, Sort::Predicate, vec![number], from, end, span)));
                        }
                    } else {
                        let (next, cmp) =
                            if self.sign(hit.end, "=") { (hit.end + 1, Cmp::Eq) } else { (hit.end, Cmp::Eq) };
                        for (end, np) in self.cell(Category::Np, next).iter() {
                            if self.fits(&np.sort, &self.type_sort(value)) {
                                let op = Op::With(key.clone(), cmp);
                                found
                                    .push((*end, self.termed(op, Sort::Predicate, vec![np.clone()], from, *end, span)));
                            }
                        }
                    }
                }
                Detail::Entry { list } if self.entry_applies(list, sort) => {
                    let op = Op::IsEntry(hit.term.key.clone());
                    found.push((hit.end, self.termed(op, Sort::Predicate, vec![], from, hit.end, (at, hit.end))));
                }
                _ => {}
            }
        }
    }

    /// A comparison and its number: `> 3`, `3 or more`, `3`.
    pub(super) fn comparison(&self, at: usize) -> Vec<(usize, Cmp, T)> {
        let found = self.cell(Category::Comparison, at);
        let compared = found.iter().filter_map(|(end, tree)| match (&tree.op, tree.kids.first()) {
            (Op::Compare(cmp), Some(n)) => Some((*end, *cmp, n.clone())),
            _ => None,
        });
        compared.collect()
    }

    // ---- after a copula

    /// Adjectives, terms and yes-or-no facts as predicates.
    pub(super) fn adjectives(&self, at: usize, found: &mut Found) {
        for hit in self.hits(at).iter() {
            let op = match &hit.term.detail {
                Detail::Adjective { .. } | Detail::Attribute { value: TypeName::YesNo, .. } => {
                    Op::Is(hit.term.key.clone())
                }
                Detail::Entry { .. } => Op::IsEntry(hit.term.key.clone()),
                _ => continue,
            };
            found.push((hit.end, self.termed(op, Sort::Predicate, vec![], at, hit.end, (at, hit.end))));
        }
    }

    /// `is an X` as a predicate: of a class or a catalogue term where that is all that is said.
    pub(super) fn membership(&self, np: &T, at: usize, end: usize) -> T {
        if let (Op::Quantified(Det::A), Some(noun)) = (&np.op, np.kids.first()) {
            match (&noun.op, noun.kids.as_slice()) {
                (Op::Noun(class), []) => {
                    let mut tree = self.raw(Op::IsClass(class.clone()), Sort::Predicate, vec![], at, end);
                    tree.merged = noun.merged;
                    return T::new(tree);
                }
                (Op::Noun(_), [only]) if only.to == noun.to && only.from == noun.from && stands_before(self, only) => {
                    let mut tree = self.raw(only.op.clone(), Sort::Predicate, only.kids.clone(), at, end);
                    tree.merged = noun.merged;
                    return T::new(tree);
                }
                _ => {}
            }
        }
        self.tree(Op::Same, Sort::Predicate, vec![np.clone()], at, end)
    }

    /// The predicate said of a subject, or nothing if it cannot be.
    pub(super) fn said_of(&self, subject: &T, predicate: &T, at: usize, end: usize) -> Option<T> {
        // What is said of several is said of each of them.
        let each = if subject.op == Op::Either { subject.kids.as_slice() } else { std::slice::from_ref(subject) };
        if let Some(stranger) = each.iter().find(|one| !self.admits(predicate, &one.sort)) {
            let place = if each.len() > 1 { stranger } else { predicate };
            self.refuse(|| Clash {
                code: Code::WrongPredicate,
                from: place.from,
                to: place.to,
                end,
                message: format!(
                    "`{}` is never said of {}",
                    self.source(predicate.from, predicate.to),
                    sort_text(&stranger.sort)
                ),
                help: None,
            });
            return None;
        }
        let mut tree = self.raw(Op::Holds, Sort::Condition, vec![subject.clone(), predicate.clone()], at, end);
        tree.spread += self.subject_price(subject, predicate);
        Some(T::new(tree))
    }

    /// The price of saying a relation of a name that is not the name of such a thing.
    pub(super) fn subject_price(&self, subject: &T, predicate: &T) -> u32 {
        match &predicate.op {
            Op::Relates(key) | Op::RelatedBy(key) => {
                match self.lex.term_named(key.kind, &key.name).map(|t| t.detail.clone()) {
                    Some(Detail::Relation { subject: s, object: o }) => {
                        self.name_price(subject, if matches!(predicate.op, Op::Relates(_)) { &s } else { &o })
                    }
                    _ => 0,
                }
            }
            Op::NotIs | Op::Or => predicate.kids.iter().map(|k| self.subject_price(subject, k)).sum(),
            _ => 0,
        }
    }

    /// Like [`Chart::applies`], also for relations and participles read without knowing their subject.
    pub(super) fn admits(&self, predicate: &T, sort: &Sort) -> bool {
        let kids = || predicate.kids.iter().all(|k| self.admits(k, sort));
        match &predicate.op {
            Op::Or | Op::And | Op::NotIs => kids(),
            Op::Relates(key) | Op::RelatedBy(key) => {
                match self.lex.term_named(key.kind, &key.name).map(|t| t.detail.clone()) {
                    Some(Detail::Relation { subject, object }) => {
                        self.fits_param(sort, if matches!(predicate.op, Op::Relates(_)) { &subject } else { &object })
                    }
                    _ => true,
                }
            }
            Op::Done(key, _) => match self.lex.term_named(key.kind, &key.name).map(|t| t.detail.clone()) {
                Some(Detail::Verb { frame }) => {
                    frame.object().and_then(|i| frame.roles.get(i)).is_some_and(|r| self.fits_param(sort, &r.param))
                }
                _ => true,
            },
            Op::With(key, _) => self.terms_of(key).iter().any(|fact| self.has_fact(sort, fact)),
            _ => self.applies(predicate, sort),
        }
    }
}
