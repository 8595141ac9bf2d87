//! What a run consulted: clauses evaluated in any way, and indexes looked up (found empty or not).
//!
//! Outcomes memoised by the fingerprints of these clauses stay valid until one of them changes, or a clause
//! appears under one of these indexes.

use std::cell::Cell;

use netrep_ir::*;

/// Bits that can be set through a shared reference.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks(Vec<Cell<u64>>);

impl Marks {
    fn new(n: usize) -> Marks {
        Marks(vec![Cell::new(0); n.div_ceil(64)])
    }
    #[inline]
    fn set(&self, i: usize) {
        if let Some(word) = self.0.get(i / 64) {
            word.set(word.get() | 1 << (i % 64));
        }
    }
    fn list(&self) -> Vec<usize> {
        let one = |(i, w): (usize, &Cell<u64>)| (0..64).filter(move |b| w.get() >> b & 1 == 1).map(move |b| i * 64 + b).collect::<Vec<_>>();
        self.0.iter().enumerate().flat_map(one).collect()
    }
    fn add(&self, other: &Marks) {
        for (a, b) in self.0.iter().zip(&other.0) {
            a.set(a.get() | b.get());
        }
    }
}

/// The log behind shared references.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    clauses: Marks,
    triggers: Marks,
    norms: Marks,
    modifiers: Marks,
    windows: Marks,
    attrs: Marks,
}

impl Log {
    pub fn new(program: &Program) -> Log {
        Log {
            clauses: Marks::new(program.clauses.len()),
            triggers: Marks::new(program.verbs.len()),
            norms: Marks::new(program.verbs.len()),
            modifiers: Marks::new(program.attrs.len()),
            windows: Marks::new(program.blocks.len()),
            attrs: Marks::new(program.attrs.len()),
        }
    }
    #[inline]
    pub fn clause(&self, clause: ClauseId) {
        self.clauses.set(clause.index());
    }
    #[inline]
    pub fn triggers(&self, verb: VerbId) {
        self.triggers.set(verb.index());
    }
    #[inline]
    pub fn norms(&self, verb: VerbId) {
        self.norms.set(verb.index());
    }
    #[inline]
    pub fn modifiers(&self, attr: AttrId) {
        self.modifiers.set(attr.index());
    }
    #[inline]
    pub fn window(&self, block: BlockId) {
        self.windows.set(block.index());
    }
    #[inline]
    pub fn attr(&self, attr: AttrId) {
        self.attrs.set(attr.index());
    }
    /// Adds another log.
    pub fn absorb(&self, other: &Log) {
        self.clauses.add(&other.clauses);
        self.triggers.add(&other.triggers);
        self.norms.add(&other.norms);
        self.modifiers.add(&other.modifiers);
        self.windows.add(&other.windows);
        self.attrs.add(&other.attrs);
    }
    pub fn report(&self) -> Consulted {
        let ids = |m: &Marks| m.list();
        Consulted {
            clauses: ids(&self.clauses).into_iter().map(ClauseId::from_index).collect(),
            triggers: ids(&self.triggers).into_iter().map(VerbId::from_index).collect(),
            norms: ids(&self.norms).into_iter().map(VerbId::from_index).collect(),
            modifiers: ids(&self.modifiers).into_iter().map(AttrId::from_index).collect(),
            windows: ids(&self.windows).into_iter().map(BlockId::from_index).collect(),
            attrs: ids(&self.attrs).into_iter().map(AttrId::from_index).collect(),
        }
    }
}

/// What a run consulted, in order of ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consulted {
    /// Clauses: conditions, modifiers considered, triggers matched or refused, blocks run, norms.
    pub clauses: Vec<ClauseId>,
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
