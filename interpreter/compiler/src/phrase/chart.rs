//! The chart: memoised recognition of all readings over a row of slots.
//!
//! A cell is a category at a place; it holds every reading that begins there, as an end and a tree. Sorts are
//! checked while trees are built, so most ambiguities die early; of readings that cover the same slots with
//! the same sort only the preferred ones are kept: longest terms first, then nearest attachment and narrowest
//! joins. Failures are noted at the farthest place, for the one error of a phrase that cannot be read.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::closed;
use super::forms::{Category, Forms, Piece};
use super::lexicon::{Lexicon, Rereading};
use super::scope::Scope;
use super::slot::{Slot, SlotKind};
use super::term::{Form, Term, Use};
use super::tree::{Node, Op, Sort, TermKind};
use crate::finding::Finding;

/// A tree under construction, shared between readings.
#[derive(Debug)]
pub(super) struct Tree {
    pub op: Op,
    pub sort: Sort,
    pub kids: Vec<T>,
    /// The slots it covers.
    pub from: usize,
    pub to: usize,
    /// Words saved by multi-word terms: more is better.
    pub merged: u32,
    /// Distances of attachments and widths of joins: less is better.
    pub spread: u32,
    /// Grammatical number of a noun.
    pub plural: bool,
}

/// A shared tree.
pub(super) type T = Rc<Tree>;
/// The readings of a cell: end and tree.
pub(super) type Cells = Rc<Vec<(usize, T)>>;
/// Readings being collected.
pub(super) type Found = Vec<(usize, T)>;

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || (self.op == other.op
                && self.sort == other.sort
                && self.plural == other.plural
                && self.from == other.from
                && self.to == other.to
                && self.kids == other.kids)
    }
}

/// A term found at a place.
#[derive(Clone)]
pub(super) struct Hit {
    pub term: Arc<Term>,
    pub used: Use,
    pub end: usize,
}

/// A reading that was refused for its sort.
#[derive(Clone, Debug)]
pub(super) struct Clash {
    pub code: Code,
    pub from: usize,
    pub to: usize,
    /// How far the refused reading came.
    pub end: usize,
    pub message: String,
    pub help: Option<String>,
}

impl Clash {
    /// True if its place holds the place of the other.
    fn holds(&self, other: &Clash) -> bool {
        self.from <= other.from && other.to <= self.to
    }
}

const CELL_CAP: usize = 24;
const CELL_CAP_ALL: usize = 64;
const DEPTH: u32 = 192;
/// Few sentences have more cells.
const CELLS: usize = 56;

/// The chart over one row of slots.
pub(super) struct Chart<'a> {
    pub slots: &'a [Slot],
    pub lex: &'a dyn Lexicon,
    pub scope: &'a Scope,
    /// The forms of the language.
    pub forms: &'a Forms,
    /// False keeps readings that the preferences would drop, to count them.
    pub prefer: bool,
    /// Failures are noted: only when a phrase that could not be read is read again to explain why.
    pub(super) notes: bool,
    memo: RefCell<FxHashMap<(Category, usize), Cells>>,
    /// A cell without readings, as most are.
    none: Cells,
    /// Where rows have held what they found, to be used again.
    spare: RefCell<Vec<Vec<Option<Piece>>>>,
    /// The terms that begin at each place, where that was asked.
    hits: RefCell<Vec<Option<Rc<Vec<Hit>>>>>,
    sorts: RefCell<FxHashMap<Arc<str>, Option<Sort>>>,
    depth: Cell<u32>,
    far: Cell<usize>,
    expected: RefCell<Vec<String>>,
    clash: RefCell<Option<Clash>>,
    /// Labels bound inside the phrase: name, sort, slot.
    bound: RefCell<Vec<(Arc<str>, Sort, usize)>>,
    missed: Cell<bool>,
    /// Labels that were looked up, and whether one of them was bound after that.
    asked: RefCell<Vec<Arc<str>>>,
    stale: Cell<bool>,
    overflow: Cell<Option<usize>>,
    too_deep: Cell<Option<usize>>,
    too_long: Cell<Option<(usize, &'static str)>>,
}

impl<'a> Chart<'a> {
    pub(super) fn new(slots: &'a [Slot], lex: &'a dyn Lexicon, scope: &'a Scope, prefer: bool, notes: bool) -> Self {
        Chart {
            slots,
            lex,
            scope,
            forms: lex.forms(),
            prefer,
            notes,
            memo: RefCell::new(FxHashMap::with_capacity_and_hasher(CELLS, FxBuildHasher)),
            none: Cells::default(),
            spare: RefCell::default(),
            hits: RefCell::new(vec![None; slots.len()]),
            sorts: RefCell::default(),
            depth: Cell::new(0),
            far: Cell::new(0),
            expected: RefCell::default(),
            clash: RefCell::default(),
            bound: RefCell::default(),
            missed: Cell::new(false),
            asked: RefCell::default(),
            stale: Cell::new(false),
            overflow: Cell::new(None),
            too_deep: Cell::new(None),
            too_long: Cell::new(None),
        }
    }

    /// True if a label was looked up before its binding was read; the caller then reads once more. Where none was bound that
    /// had been looked up before, all would be found again as it was: most words of a sentence that stand in it twice are no
    /// labels.
    pub(super) fn wants_again(&self) -> bool {
        let more = self.missed.replace(false) & self.stale.replace(false);
        let again = match self.lex.rereading() {
            Rereading::WhereBound => more,
            Rereading::Always => true,
            Rereading::Never => false,
        };
        if !again {
            return false;
        }
        self.memo.borrow_mut().clear();
        self.clash.replace(None);
        true
    }

    // ---- slots

    pub(super) fn kind(&self, at: usize) -> Option<&'a SlotKind> {
        self.slots.get(at).map(|s| &s.kind)
    }

    /// The span from slot `from` up to and excluding slot `to`.
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        let last = self.slots.len().saturating_sub(1);
        match (self.slots.get(from.min(last)), self.slots.get(to.saturating_sub(1).min(last))) {
            (Some(a), Some(b)) if to > from => a.span.to(b.span),
            (Some(a), _) => a.span,
            _ => Span::default(),
        }
    }

    /// True if the word stands at the place; notes that it was expected.
    pub(super) fn word(&self, at: usize, word: &str) -> bool {
        if matches!(self.kind(at), Some(SlotKind::Word(w)) if w == word) {
            return true;
        }
        self.expect(at, word);
        false
    }

    /// The place after a row of declared words.
    pub(super) fn spelled(&self, at: usize, words: &[Arc<str>]) -> Option<usize> {
        let mut at = at;
        for word in words {
            if !matches!(self.slots.get(at), Some(s) if s.word() == Some(word)) {
                self.expect(at, word);
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// True if the sign stands at the place.
    pub(super) fn sign(&self, at: usize, sign: &str) -> bool {
        if matches!(self.kind(at), Some(SlotKind::Sign(s)) if *s == sign) {
            return true;
        }
        self.expect(at, sign);
        false
    }

    /// A label at the place.
    pub(super) fn label(&self, at: usize) -> Option<Arc<str>> {
        match self.kind(at) {
            // Besides single letters, the names that a position gives to its players and groups.
            Some(SlotKind::Capital(w)) if closed::is_label(w) || self.scope.sorts(w).next().is_some() => {
                Some(Arc::from(w.as_str()))
            }
            // The whole phrase is called so, not the noun before it.
            _ if self.names_target(at) => None,
            _ => {
                self.expect(at, "a label");
                None
            }
        }
    }

    /// True for the word that names the target of a `play` clause.
    pub(super) fn names_target(&self, at: usize) -> bool {
        let is = |at: usize, word: &str| matches!(self.kind(at), Some(SlotKind::Word(w)) if w == word);
        is(at, super::grant::TARGET) && is(0, "play")
    }

    // ---- failures

    /// Notes what could have stood at a place.
    pub(super) fn expect(&self, at: usize, what: &str) {
        if !self.notes {
            return;
        }
        let far = self.far.get();
        if at < far {
            return;
        }
        let mut expected = self.expected.borrow_mut();
        if at > far {
            self.far.set(at);
            expected.clear();
        }
        if !expected.iter().any(|e| e == what) {
            expected.push(what.to_owned());
        }
    }

    /// The farthest place and what was expected there.
    pub(super) fn farthest(&self) -> (usize, Vec<String>) {
        (self.far.get(), self.expected.borrow().clone())
    }

    /// Notes a reading refused for its sort; the one that ends last is told. Of two that end together, one whose
    /// place holds the other's is the cause: what stands in it could be read after all. Else the later one is.
    pub(super) fn refuse(&self, clash: impl FnOnce() -> Clash) {
        if !self.notes {
            return;
        }
        let clash = clash();
        let mut kept = self.clash.borrow_mut();
        let better = match &*kept {
            Some(old) if clash.end != old.end => clash.end > old.end,
            Some(old) => match (clash.holds(old), old.holds(&clash)) {
                (true, false) => true,
                (false, true) => false,
                _ => clash.from > old.from,
            },
            None => true,
        };
        if better {
            *kept = Some(clash);
        }
    }

    /// The refused reading that is told; none, if what was refused could be read in another way, which then went on.
    pub(super) fn refused(&self) -> Option<Clash> {
        let clash = self.clash.borrow().clone()?;
        let holds = |tree: &T| tree.from < clash.from && tree.to == clash.end && clash.to == clash.end;
        let memo = self.memo.borrow();
        let otherwise = memo.values().any(|cells| cells.iter().any(|(_, tree)| holds(tree)));
        (!otherwise).then_some(clash)
    }

    /// Notes that a phrase goes on behind a bound.
    pub(super) fn stop_at(&self, at: usize, bound: &'static str) {
        if self.notes && self.too_long.get().is_none() {
            self.too_long.set(Some((at, bound)));
        }
    }

    /// The error for a phrase beyond the bounds, if it met them.
    pub(super) fn beyond(&self) -> Option<Finding> {
        if let Some(at) = self.too_deep.get() {
            let error = Finding::new(Code::PhraseTooDeep, self.span(at, at + 1), "this phrase is nested too deeply");
            return Some(error.help("define a part of it under a name of its own"));
        }
        if let Some((at, bound)) = self.too_long.get() {
            let error = Finding::new(
                Code::PhraseTooLong,
                self.span(at, at + 1),
                format!("{bound} are the most that can be read"),
            );
            return Some(error.help("define a part of it under a name of its own, or split it into several sentences"));
        }
        let at = self.overflow.get()?;
        let error = Finding::new(Code::TooManyReadings, self.span(at, at + 1), "this phrase has too many readings");
        Some(error.help("group it with parentheses, or split it into several sentences"))
    }

    // ---- cells

    /// The readings of a category at a place.
    pub(super) fn cell(&self, category: Category, at: usize) -> Cells {
        if let Some(done) = self.memo.borrow().get(&(category, at)) {
            return done.clone();
        }
        let shown = category.info().shown;
        if at >= self.slots.len() {
            self.expect_phrase(at, shown);
            return self.none.clone();
        }
        // The phrase is refused in any case: nothing more need be read.
        if self.too_deep.get().is_some() {
            return self.none.clone();
        }
        if self.depth.get() >= DEPTH {
            self.too_deep.set(Some(at));
            return self.none.clone();
        }
        self.depth.set(self.depth.get() + 1);
        let found = match category {
            // What goes on from itself, and what a rule reads as a whole.
            Category::One => self.read_one(at),
            Category::Atom => self.read_atom(at),
            Category::Noun => self.read_noun(at),
            _ => self.by_rows(category, at),
        };
        self.depth.set(self.depth.get() - 1);
        let found = self.pruned(found, at);
        let found = match found.is_empty() {
            true => {
                self.expect_phrase(at, shown);
                self.none.clone()
            }
            false => Rc::new(found),
        };
        self.memo.borrow_mut().insert((category, at), found.clone());
        found
    }

    /// Notes that a phrase was expected, by what messages call it.
    fn expect_phrase(&self, at: usize, shown: &str) {
        if !shown.is_empty() {
            self.expect(at, shown);
        }
    }

    /// Keeps, of readings with the same end, sort and number, the preferred ones.
    pub(super) fn pruned(&self, found: Found, at: usize) -> Found {
        if found.len() < 2 {
            return found;
        }
        let mut kept: Found = Vec::with_capacity(found.len());
        for (end, tree) in found {
            if kept.iter().any(|(e, t)| *e == end && *t == tree) {
                continue;
            }
            if self.prefer {
                let rival = |e: usize, t: &T| e == end && t.sort == tree.sort && t.plural == tree.plural;
                if kept.iter().any(|(e, t)| rival(*e, t) && better(t, &tree)) {
                    continue;
                }
                kept.retain(|(e, t)| !(rival(*e, t) && better(&tree, t)));
            }
            kept.push((end, tree));
        }
        let cap = if self.prefer { CELL_CAP * 4 } else { CELL_CAP_ALL };
        if kept.len() > cap {
            if self.prefer {
                self.overflow.set(Some(at));
            }
            kept.truncate(cap);
        }
        kept
    }

    /// Room for what the holes of a row hold.
    pub(super) fn spare_pieces(&self) -> Vec<Option<Piece>> {
        // total: where nothing lies ready, new room is empty, as all of it is
        self.spare.borrow_mut().pop().unwrap_or_default()
    }

    /// Takes such room back.
    pub(super) fn give_back(&self, mut pieces: Vec<Option<Piece>>) {
        pieces.clear();
        self.spare.borrow_mut().push(pieces);
    }

    // ---- trees

    /// A tree over the slots.
    pub(super) fn tree(&self, op: Op, sort: Sort, kids: Vec<T>, from: usize, to: usize) -> T {
        Rc::new(self.raw(op, sort, kids, from, to))
    }

    /// The same, to be changed before it is shared.
    pub(super) fn raw(&self, op: Op, sort: Sort, kids: Vec<T>, from: usize, to: usize) -> Tree {
        let merged = kids.iter().map(|k| k.merged).sum();
        let spread = kids.iter().fold(0u32, |sum, k| sum.saturating_add(k.spread));
        Tree { op, sort, kids, from, to, merged, spread, plural: false }
    }

    /// A tree for a term that spans slots: longer terms are preferred.
    pub(super) fn termed(&self, op: Op, sort: Sort, kids: Vec<T>, from: usize, to: usize, hit: (usize, usize)) -> T {
        let mut tree = self.raw(op, sort, kids, from, to);
        tree.merged += width(hit);
        Rc::new(tree)
    }

    /// An absent role.
    pub(super) fn absent(&self, at: usize) -> T {
        self.tree(Op::Absent, Sort::Part, Vec::new(), at, at)
    }

    /// The tree, or an absent one.
    pub(super) fn or_absent(&self, tree: Option<T>, at: usize) -> T {
        tree.unwrap_or_else(|| self.absent(at))
    }

    // ---- words

    /// The terms whose form stands at a place.
    pub(super) fn hits(&self, at: usize) -> Rc<Vec<Hit>> {
        if let Some(done) = self.hits.borrow().get(at).and_then(Option::as_ref) {
            return done.clone();
        }
        let mut hits = Vec::new();
        if let Some(word) = self.slots.get(at).and_then(Slot::word) {
            for (term, nth) in self.lex.forms_from(word).iter() {
                if let Some(form) = term.forms.get(*nth)
                    && let Some(end) = self.spelled(at, &form.words)
                {
                    hits.push(Hit { term: term.clone(), used: form.used, end });
                }
            }
        }
        let hits = Rc::new(hits);
        if let Some(kept) = self.hits.borrow_mut().get_mut(at) {
            *kept = Some(hits.clone());
        }
        hits
    }

    /// The hits of a kind.
    pub(super) fn hits_of(&self, at: usize, kind: TermKind) -> Vec<Hit> {
        self.hits(at).iter().filter(|h| h.term.key.kind == kind).cloned().collect()
    }

    /// The sort that a declared type name has; looked up once.
    pub(super) fn named_sort(&self, name: &Arc<str>) -> Option<Sort> {
        if let Some(done) = self.sorts.borrow().get(name) {
            return done.clone();
        }
        let sort = super::sorts::named_sort(self.lex, name);
        self.sorts.borrow_mut().insert(name.clone(), sort.clone());
        sort
    }

    // ---- labels

    /// Notes that a label is bound at a place.
    pub(super) fn bind(&self, label: &Arc<str>, sort: &Sort, at: usize) {
        let mut bound = self.bound.borrow_mut();
        if !bound.iter().any(|(l, s, a)| l == label && s == sort && *a == at) {
            bound.push((label.clone(), sort.clone(), at));
            self.stale.set(self.stale.get() || self.asked.borrow().contains(label));
        }
    }

    /// The sorts that a label may have at a place: those bound before it in the phrase, else those in scope,
    /// else those bound later. Which of several is meant is settled by the whole reading.
    pub(super) fn label_sorts(&self, label: &str, at: usize) -> Vec<Sort> {
        let mut asked = self.asked.borrow_mut();
        if !asked.iter().any(|one| **one == *label) {
            asked.push(Arc::from(label));
        }
        let bound = self.bound.borrow();
        let of = |wanted: &dyn Fn(usize) -> bool| {
            let mut sorts: Vec<Sort> = Vec::new();
            for (l, sort, place) in bound.iter() {
                if **l == *label && wanted(*place) && !sorts.contains(sort) {
                    sorts.push(sort.clone());
                }
            }
            sorts
        };
        let before = of(&|place| place < at);
        if !before.is_empty() {
            return before;
        }
        let scoped: Vec<Sort> = self.scope.sorts(label).cloned().collect();
        if !scoped.is_empty() {
            return scoped;
        }
        let later = of(&|_| true);
        if later.is_empty() && self.slots.iter().enumerate().any(|(i, s)| i != at && s.word() == Some(label)) {
            self.missed.set(true);
        }
        later
    }

    /// All labels bound in the phrase, in order.
    pub(super) fn bindings(&self) -> Vec<(Arc<str>, Sort)> {
        let mut bound = self.bound.borrow().clone();
        bound.sort_by_key(|(_, _, at)| *at);
        bound.into_iter().map(|(l, s, _)| (l, s)).collect()
    }

    /// The tree as plain data.
    pub(super) fn node(&self, tree: &Tree) -> Node {
        Node {
            op: tree.op.clone(),
            sort: tree.sort.clone(),
            kids: tree.kids.iter().map(|k| self.node(k)).collect(),
            span: self.span(tree.from, tree.to),
        }
    }
}

/// How many words a term saves.
pub(super) fn width(hit: (usize, usize)) -> u32 {
    stretch(hit.0 + 1, hit.1)
}

/// The distance of an attachment; it weighs more than the width of any join.
pub(super) fn gap(from: usize, to: usize) -> u32 {
    stretch(from, to).saturating_mul(1 << 10)
}

/// The width of a join.
pub(super) fn stretch(from: usize, to: usize) -> u32 {
    count(to.saturating_sub(from))
}

/// So many of a sentence's words.
pub(super) fn count(words: usize) -> u32 {
    netrep_ir::limits::in_32_bits(words)
}

/// True if the first reading is preferred to the second.
pub(super) fn better(a: &Tree, b: &Tree) -> bool {
    (std::cmp::Reverse(a.merged), a.spread) < (std::cmp::Reverse(b.merged), b.spread)
}

/// The text of the form that a term is shown by.
pub(super) fn shown(term: &Term) -> String {
    term.forms.first().map(Form::text).unwrap_or_else(|| term.key.name.to_string())
}
