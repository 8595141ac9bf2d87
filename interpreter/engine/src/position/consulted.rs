//! What a run consulted: clauses evaluated in any way, and indexes looked up (found empty or not).
//!
//! How much of a clause was asked is noted with it: most are looked at everywhere, and make a difference where their time has come
//! and somebody is there of whom they speak.
//!
//! Outcomes memoised by the fingerprints of these clauses stay valid until one of them changes, or a clause
//! appears under one of these indexes.

use std::cell::Cell;
use std::sync::Arc;

use netrep_ir::*;

use crate::position::tally::Tally;

/// What is asked for no clause (what a word means, what a service selects) has this one.
const WORDS: ClauseId = ClauseId(0);

/// The log behind shared references: one row of bits, a stretch for each kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    words: Vec<Cell<u64>>,
    /// The first word of each kind, and the end.
    starts: [usize; KINDS + 1],
    /// Where it is counted what is asked, if anybody wants to know, and for which clause something was asked last.
    tally: Option<Arc<Tally>>,
    asked: Cell<ClauseId>,
}

/// What is noted: a stretch of bits for each.
#[derive(Clone, Copy)]
enum Kind {
    /// Clauses of which anything may have made a difference.
    Whole,
    /// Verbs whose triggers were looked up.
    Triggers,
    /// Verbs whose norms were looked up.
    Norms,
    /// Attributes whose modifiers were looked up.
    Modifiers,
    /// Blocks of windows.
    Windows,
    /// Attributes that were read.
    Attrs,
    /// Clauses that were looked at.
    Asked,
    /// Clauses of which it was asked who may declare what they allow.
    Weighed,
    /// Clauses of which it was asked whether it is the time for what they allow, or whether what they require of a kind of declaration
    /// is so: that alone makes no difference.
    Timed,
    /// What ran when something could be declared.
    During,
    /// That it was the time for nothing.
    Silence,
    /// What ran when it was.
    Silent,
}

/// So many kinds there are.
const KINDS: usize = Kind::Silent as usize + 1;

impl Log {
    pub(crate) fn new(program: &Program) -> Log {
        let sizes = [
            program.clauses.len(),
            program.verbs.len(),
            program.verbs.len(),
            program.attrs.len(),
            program.blocks.len(),
            program.attrs.len(),
            program.clauses.len(),
            program.clauses.len(),
            program.clauses.len(),
            program.procs.len(),
            1,
            program.procs.len(),
        ];
        let mut starts = [0; KINDS + 1];
        for (i, size) in sizes.into_iter().enumerate() {
            starts[i + 1] = starts[i] + size.div_ceil(64);
        }
        Log { words: vec![Cell::new(0); starts[KINDS]], starts, tally: None, asked: Cell::new(WORDS) }
    }
    /// Begins to count what is asked, or stops.
    pub(crate) fn count_into(&mut self, tally: Option<&Arc<Tally>>) {
        self.tally = tally.cloned();
    }
    /// Counts into what another log counts into.
    pub(crate) fn count_like(&mut self, other: &Log) {
        self.count_into(other.tally.as_ref());
        self.asked.set(other.asked.get());
    }
    /// Begins anew beside another log of the same program.
    pub(crate) fn begin_like(&mut self, other: &Log) {
        self.count_like(other);
        if self.words.len() == other.words.len() {
            self.clear();
        } else {
            (self.words, self.starts) = (vec![Cell::new(0); other.words.len()], other.starts);
        }
    }
    /// A condition is asked for a clause. What words mean is asked for the clause for which something was asked last.
    #[inline]
    pub(crate) fn condition(&self, clause: ClauseId) {
        if let Some(tally) = &self.tally {
            if clause != WORDS {
                self.asked.set(clause);
            }
            tally.ask(self.asked.get());
        }
    }
    #[inline]
    fn set(&self, kind: Kind, i: usize) {
        if let Some(word) = self.words.get(self.starts[kind as usize] + i / 64) {
            word.set(word.get() | 1 << (i % 64));
        }
    }
    /// Notes what another log of the same program has noted.
    pub(crate) fn merge(&self, other: &Log) {
        for (word, more) in self.words.iter().zip(&other.words) {
            word.set(word.get() | more.get());
        }
    }
    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.words.iter().for_each(|word| word.set(0));
    }
    /// A clause was looked at, and anything of it may have made a difference.
    #[inline]
    pub(crate) fn clause(&self, clause: ClauseId) {
        self.looked_at(Kind::Whole, clause);
    }
    /// A clause of which all is said by what it does was looked at. Where it does something, [`Log::did`] is said besides.
    #[inline]
    pub(crate) fn asked(&self, clause: ClauseId) {
        self.looked_at(Kind::Asked, clause);
    }
    /// It was asked who may declare what a clause allows, as far as that hangs neither on choices nor on what it does. Where
    /// somebody may, [`Log::did`] is said besides.
    #[inline]
    pub(crate) fn weighed(&self, clause: ClauseId) {
        self.set(Kind::Weighed, clause.index());
    }
    /// It was asked whether it is the time for what a clause allows. Where it is, and something carries it, [`Log::weighed`] is
    /// said besides.
    #[inline]
    pub(crate) fn timed(&self, clause: ClauseId) {
        self.looked_at(Kind::Timed, clause);
    }
    /// It was asked whether something is as a declaration requires; where it is not, [`Log::did`] is said besides. `of_kind`: of every
    /// declaration of a kind. Then what is required is no part of what the clause has done to those that met it.
    #[inline]
    pub(crate) fn required(&self, clause: ClauseId, of_kind: bool) {
        self.looked_at(if of_kind { Kind::Timed } else { Kind::Asked }, clause);
    }
    /// It was asked what may be declared while these procedures ran.
    #[inline]
    pub(crate) fn during(&self, running: impl Iterator<Item = ProcId>) {
        running.for_each(|proc| self.set(Kind::During, proc.index()));
    }
    /// It was asked whether anything at all could be declared, and while these procedures ran it was the time for nothing.
    pub(crate) fn silence(&self, running: impl Iterator<Item = ProcId>) {
        self.set(Kind::Silence, 0);
        running.for_each(|proc| self.set(Kind::Silent, proc.index()));
    }
    /// What a clause says made a difference, or may have; that it was looked at has been noted.
    #[inline]
    pub(crate) fn did(&self, clause: ClauseId) {
        if clause.0 != u16::MAX {
            self.set(Kind::Whole, clause.index());
        }
    }
    #[inline]
    fn looked_at(&self, kind: Kind, clause: ClauseId) {
        if clause.0 != u16::MAX {
            self.set(kind, clause.index());
            if let Some(tally) = &self.tally {
                tally.consult(clause);
            }
        }
    }
    #[inline]
    pub(crate) fn triggers(&self, verb: VerbId) {
        self.set(Kind::Triggers, verb.index());
    }
    #[inline]
    pub(crate) fn norms(&self, verb: VerbId) {
        self.set(Kind::Norms, verb.index());
    }
    #[inline]
    pub(crate) fn modifiers(&self, attr: AttrId) {
        self.set(Kind::Modifiers, attr.index());
    }
    #[inline]
    pub(crate) fn window(&self, block: BlockId) {
        self.set(Kind::Windows, block.index());
    }
    #[inline]
    pub(crate) fn attr(&self, attr: AttrId) {
        self.set(Kind::Attrs, attr.index());
    }
    fn list<T>(&self, kind: Kind, id: fn(usize) -> T) -> Vec<T> {
        let words = &self.words[self.starts[kind as usize]..self.starts[kind as usize + 1]];
        let mut found = Vec::new();
        for (i, word) in words.iter().enumerate() {
            let mut left = word.get();
            while left != 0 {
                found.push(id(i * 64 + left.trailing_zeros() as usize));
                left &= left - 1;
            }
        }
        found
    }
    pub(crate) fn report(&self) -> Consulted {
        let kinds = [Kind::Whole, Kind::Asked, Kind::Weighed, Kind::Timed];
        let [whole, asked, weighed, timed] = kinds.map(|kind| self.list(kind, ClauseId::from_index));
        let mut clauses = [&*whole, &asked, &weighed, &timed].concat();
        clauses.sort_unstable();
        clauses.dedup();
        Consulted {
            clauses,
            whole,
            asked,
            weighed,
            during: self.list(Kind::During, ProcId::from_index),
            silence: !self.list(Kind::Silence, ClauseId::from_index).is_empty(),
            silent: self.list(Kind::Silent, ProcId::from_index),
            triggers: self.list(Kind::Triggers, VerbId::from_index),
            norms: self.list(Kind::Norms, VerbId::from_index),
            modifiers: self.list(Kind::Modifiers, AttrId::from_index),
            windows: self.list(Kind::Windows, BlockId::from_index),
            attrs: self.list(Kind::Attrs, AttrId::from_index),
        }
    }
}

/// What a run consulted, in order of ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consulted {
    /// Clauses: conditions, modifiers considered, triggers matched or refused, blocks run, norms.
    pub clauses: Vec<ClauseId>,
    /// Those of them of which anything may have made a difference.
    pub whole: Vec<ClauseId>,
    /// Those that were looked at. If they are not among the former, none of them did, changed, forbade or spared anything:
    /// without them all would have been the same.
    pub asked: Vec<ClauseId>,
    /// Those of which it was asked who may declare what they allow, beside what is chosen and what it does. If they are not
    /// among the first, nobody might.
    pub weighed: Vec<ClauseId>,
    /// What ran when it was asked what may be declared.
    pub during: Vec<ProcId>,
    /// Whether it was once the time for nothing that any rule or card allows.
    pub silence: bool,
    /// What ran when it was.
    pub silent: Vec<ProcId>,
    /// Verbs whose triggers were looked up.
    pub triggers: Vec<VerbId>,
    /// Verbs whose norms were looked up.
    pub norms: Vec<VerbId>,
    /// Attributes whose modifiers were looked up.
    pub modifiers: Vec<AttrId>,
    /// Blocks whose windows looked up allowances.
    pub windows: Vec<BlockId>,
    /// Attributes whose value or definition was read.
    pub attrs: Vec<AttrId>,
}
