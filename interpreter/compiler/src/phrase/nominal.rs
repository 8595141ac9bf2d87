//! Nouns without determiner: a class or catalogue term, modifiers before it and after it.

use netrep_diagnostics::Code;

use std::sync::Arc;

use super::chart::{Chart, Clash, Found, T, gap};
use super::forms::{Category, Form};
use super::slot::SlotKind;
use super::sorts::sort_text;
use super::term::{Detail, Origin, Term, TypeName, Use};
use super::tree::{Op, Sort, TermKey, TermKind};

/// So many attributes may stand before a noun.
const MOST_BEFORE: usize = 8;
/// So many modifiers may follow a noun.
const MOST_MODIFIERS: usize = 12;

impl Chart<'_> {
    /// A class or catalogue term with its modifiers.
    pub(super) fn read_noun(&self, at: usize) -> Found {
        if self.forms.row(Form::NounNoun).is_none() {
            return Found::new();
        }
        let mut heads = Vec::new();
        self.noun_heads(at, at, Vec::new(), &mut heads);
        let mut found = Found::new();
        for head in heads {
            self.with_modifiers(head.to, &head, &mut found);
        }
        found
    }

    fn noun_heads(&self, at: usize, pos: usize, pre: Vec<T>, heads: &mut Vec<T>) {
        if pre.len() > MOST_BEFORE {
            self.stop_at(pos, "eight words before a noun");
            return;
        }
        if pre.is_empty() {
            for hit in self.hits_of(pos, TermKind::List) {
                let sort = Sort::Entry(hit.term.key.name.clone());
                self.push_head(at, (pos, hit.end), &hit.term.key, sort, &pre, hit.used == Use::Plural, heads);
            }
        }
        for hit in self.hits_of(pos, TermKind::Class) {
            let sort = Sort::Thing(hit.term.key.name.clone());
            self.push_head(at, (pos, hit.end), &hit.term.key, sort, &pre, hit.used == Use::Plural, heads);
        }
        if let Some(last) = pre.last() {
            let plural = last.plural;
            for name in self.implied_classes(last).into_iter().flatten() {
                let sort = Sort::Thing(name.clone());
                let key = TermKey { kind: TermKind::Class, name };
                self.push_head(at, (pos, pos), &key, sort, &pre, plural, heads);
            }
        }
        for (end, modifier) in self.cell(Category::Attributive, pos).iter() {
            let mut pre = pre.clone();
            pre.push(modifier.clone());
            self.noun_heads(at, *end, pre, heads);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn push_head(
        &self,
        at: usize,
        span: (usize, usize),
        key: &TermKey,
        sort: Sort,
        pre: &[T],
        plural: bool,
        heads: &mut Vec<T>,
    ) {
        if let Some(wrong) = pre.iter().find(|p| !self.applies(p, &sort)) {
            self.refuse(|| Clash {
                code: Code::WrongModifier,
                from: wrong.from,
                to: wrong.to,
                end: span.1,
                message: format!("`{}` is never said of {}", self.source(wrong.from, wrong.to), sort_text(&sort)),
                help: None,
            });
            return;
        }
        let mut tree = self.raw(Op::Noun(key.clone()), sort, pre.to_vec(), at, span.1);
        tree.merged += super::chart::width(span);
        tree.plural = plural;
        heads.push(T::new(tree));
    }

    /// The classes of things that a catalogue term alone may stand for: those that have the attribute, as
    /// their common class if there is one.
    fn implied_classes(&self, modifier: &T) -> Vec<Option<Arc<str>>> {
        let mut classes: Vec<Sort> = Vec::new();
        if matches!(modifier.op, Op::IsClass(_)) || !self.meant_classes(modifier, &mut classes) {
            return Vec::new();
        }
        let mut merged: Vec<Sort> = Vec::new();
        for class in classes {
            match merged.iter_mut().find_map(|m| self.common(m, &class).map(|c| (m, c))) {
                Some((m, c)) => *m = c,
                None => merged.push(class),
            }
        }
        merged
            .into_iter()
            .filter_map(|s| match s {
                Sort::Thing(name) => Some(Some(name)),
                _ => None,
            })
            .collect()
    }

    /// The classes that a modifier speaks of; false if it holds anything but classes and catalogue terms.
    fn meant_classes(&self, tree: &T, classes: &mut Vec<Sort>) -> bool {
        match &tree.op {
            Op::IsEntry(key) => {
                if let Some(Detail::Entry { list }) = self.lex.term_named(key.kind, &key.name).map(|t| t.detail.clone())
                {
                    // What is printed names a thing; what is only stored of it does not (a colour names a flower, not the bee that visits it).
                    for term in self.attributes_of_list(&list) {
                        if let Detail::Attribute { of, origin: Origin::Figure, .. } = &term.detail {
                            classes.extend(of.types.iter().map(|t| self.type_sort(t)));
                        }
                    }
                }
                true
            }
            Op::IsClass(key) => {
                classes.push(Sort::Thing(key.name.clone()));
                true
            }
            Op::Or | Op::NotIs => !tree.kids.is_empty() && tree.kids.iter().all(|k| self.meant_classes(k, classes)),
            _ => false,
        }
    }

    /// The noun with up to twelve modifiers after it, one after the other. Of equally many that end together only the
    /// preferred ones go on, or a chain of nouns would be taken apart in every possible way.
    fn with_modifiers(&self, head_end: usize, noun: &T, found: &mut Found) {
        let mut open: Found = vec![(noun.to, noun.clone())];
        for _ in 0..=MOST_MODIFIERS {
            found.extend(open.iter().cloned());
            let mut next = Found::new();
            for (_, noun) in &open {
                self.modified_noun(head_end, noun, &mut next);
            }
            if next.is_empty() {
                return;
            }
            open = self.pruned(next, noun.from);
        }
        if let Some((end, _)) = open.first() {
            self.stop_at(*end, "twelve attributes behind a noun");
        }
    }

    /// The noun with one more modifier after it.
    fn modified_noun(&self, head_end: usize, noun: &T, found: &mut Found) {
        for (end, modifier) in self.after_noun(noun.to, &noun.sort) {
            let mut kids = noun.kids.clone();
            let place = match stands_before(self, &modifier) {
                true => kids.iter().take_while(|k| stands_before(self, k)).count(),
                false => kids.len(),
            };
            kids.insert(place, modifier.clone());
            let mut tree = self.raw(noun.op.clone(), noun.sort.clone(), kids, noun.from, end);
            tree.merged = noun.merged + modifier.merged;
            tree.spread = noun.spread + modifier.spread + gap(head_end, modifier.from);
            tree.plural = noun.plural;
            found.push((end, T::new(tree)));
        }
    }

    // ---- modifiers before the noun

    /// One modifier; plural classes only where several are joined.
    pub(super) fn single_pre(&self, at: usize, joined: bool) -> Found {
        if matches!(self.kind(at), Some(SlotKind::Non)) {
            return self
                .single_pre(at + 1, joined)
                .into_iter()
                .map(|(end, p)| {
                    let mut tree = self.raw(Op::NotIs, Sort::Predicate, vec![p.clone()], at, end);
                    tree.plural = p.plural;
                    (end, T::new(tree))
                })
                .collect();
        }
        let mut found = Found::new();
        for hit in self.hits(at).iter() {
            let key = hit.term.key.clone();
            let op = match &hit.term.detail {
                Detail::Adjective { .. } if stands_after(&hit.term) => continue,
                Detail::Adjective { .. } | Detail::Attribute { value: TypeName::YesNo, .. } => Op::Is(key),
                Detail::Entry { .. } => Op::IsEntry(key),
                Detail::Class { .. } if joined || hit.used == Use::Name => Op::IsClass(key),
                _ => continue,
            };
            let mut tree = self.raw(op, Sort::Predicate, vec![], at, hit.end);
            tree.merged += super::chart::width((at, hit.end));
            tree.plural = hit.used == Use::Plural;
            found.push((hit.end, T::new(tree)));
        }
        found
    }
}

/// True for a modifier that stands before its noun.
pub(super) fn stands_before(chart: &Chart<'_>, tree: &T) -> bool {
    match &tree.op {
        Op::IsEntry(_) | Op::IsClass(_) => true,
        Op::Is(key) => !chart.lex.term_named(key.kind, &key.name).is_some_and(|t| stands_after(&t)),
        Op::NotIs | Op::Or => tree.kids.iter().all(|k| stands_before(chart, k)),
        _ => false,
    }
}

/// True for an adjective of several words that begins like a prepositional phrase (`in reach`): it stands
/// after its noun, all others before.
pub(super) fn stands_after(term: &Term) -> bool {
    term.forms.iter().any(|f| f.words.len() > 1 && f.words.first().is_some_and(|w| super::closed::is_closed(w)))
}
