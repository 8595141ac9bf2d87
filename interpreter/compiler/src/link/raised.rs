//! Which facts a card's clauses can make true of their own card: a state that nothing sets of it stays as it was at first.
//!
//! A clause sets a fact of `this`, or performs a procedure for `this` that sets it of the thing for which it runs. What is
//! set of anything else may be set of every card.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_ir::{Block, BlockId, Num, Sel, Statement, Val};

use super::LinkItem;
use crate::lower::Lowered;

/// A procedure, and the how many-th thing for which it runs.
type Parameter = (Arc<str>, usize);

/// Of whom a fact is set, or for whom a procedure runs.
enum Target {
    This,
    Parameter(Parameter),
    Any,
}

/// The facts that may be set, by their names.
#[derive(Default)]
pub(super) struct Raised {
    /// Of every card.
    any: BTreeSet<Arc<str>>,
    /// Of the card of an item.
    own: BTreeMap<usize, BTreeSet<Arc<str>>>,
}

impl Raised {
    /// `all`: what each item sets.
    pub(super) fn of(all: &[&Sets]) -> Raised {
        let mut search = Search::default();
        all.iter().enumerate().for_each(|(at, sets)| search.add(at, sets));
        search.finish()
    }

    /// True if it is the same for all items but these.
    pub(super) fn is_same(&self, other: &Raised, but: impl Fn(&usize) -> bool) -> bool {
        let of_others = |raised: &'_ Raised| -> Vec<(usize, BTreeSet<Arc<str>>)> {
            raised.own.iter().filter(|(nth, _)| !but(nth)).map(|(nth, own)| (*nth, own.clone())).collect()
        };
        self.any == other.any && of_others(self) == of_others(other)
    }

    /// Whether a fact may come to be true of the card of an item.
    pub(super) fn may(&self, item: usize, fact: &str) -> bool {
        self.any.contains(fact) || self.own.get(&item).is_some_and(|own| own.contains(fact))
    }
}

/// What an item sets, and of whom.
#[derive(Default, PartialEq)]
pub(super) struct Sets {
    /// The facts that it sets of its own card, and those that it may set of every one.
    own: BTreeSet<Arc<str>>,
    any: BTreeSet<Arc<str>>,
    /// What a procedure sets of its things, and the procedures that it performs for them.
    sets: BTreeSet<(Parameter, Arc<str>)>,
    performs: BTreeSet<(Parameter, Parameter)>,
    /// The procedures that it performs for its own card, and those for any.
    for_own: BTreeSet<Parameter>,
    for_any: BTreeSet<Parameter>,
}

impl Sets {
    /// True if all is set that another one sets.
    pub(super) fn covers(&self, other: &Sets) -> bool {
        let Sets { own, any, sets, performs, for_own, for_any } = other;
        own.is_subset(&self.own)
            && any.is_subset(&self.any)
            && sets.is_subset(&self.sets)
            && performs.is_subset(&self.performs)
            && for_own.is_subset(&self.for_own)
            && for_any.is_subset(&self.for_any)
    }

    pub(super) fn of(item: &LinkItem) -> Sets {
        let mut own = Sets::default();
        let low = &*item.lowered;
        let attrs = |attr: netrep_ir::AttrId| low.symbols.attrs.get(attr.index()).cloned();
        own.any.extend(low.modifiers.iter().filter_map(|modifier| attrs(modifier.attr)));
        let parameters = parameters(low);
        // In what it gives to others `this` is another thing.
        let gives = low.allowances.iter().any(|one| one.carriers.is_some())
            || low.triggers.iter().any(|one| one.carriers.is_some());
        for (nth, block) in low.blocks.iter().enumerate() {
            let of = |sel: &Sel| match sel {
                Sel::This if low.card.is_some() && !gives => Target::This,
                Sel::Slot(slot) => match parameters.get(&BlockId::from_index(nth)).and_then(|of| of.get(slot)) {
                    Some(parameter) => Target::Parameter(parameter.clone()),
                    None => Target::Any,
                },
                _ => Target::Any,
            };
            for (statement, _) in &block.statements {
                match statement {
                    Statement::Set { value: Val::Flag(false) | Val::Num(Num::Int(0)), .. } => {}
                    Statement::Set { attr, of: things, .. } => {
                        let Some(fact) = attrs(*attr) else { continue };
                        match of(things) {
                            Target::This => own.own.insert(fact),
                            Target::Parameter(parameter) => own.sets.insert((parameter, fact)),
                            Target::Any => own.any.insert(fact),
                        };
                    }
                    Statement::Perform { proc, arguments } => {
                        let Some(name) = low.symbols.procs.get(proc.index()) else { continue };
                        for (nth, value) in arguments.iter().enumerate() {
                            let Val::Things(things) = value else { continue };
                            let callee = (Arc::clone(name), nth);
                            match of(things) {
                                Target::This => own.for_own.insert(callee),
                                Target::Parameter(caller) => own.performs.insert((caller, callee)),
                                Target::Any => own.for_any.insert(callee),
                            };
                        }
                    }
                    _ => {}
                }
            }
        }
        own
    }
}

#[derive(Default)]
struct Search {
    found: Raised,
    /// What a procedure sets of its things, and the procedures that it performs for them.
    sets: BTreeMap<Parameter, BTreeSet<Arc<str>>>,
    performs: BTreeMap<Parameter, BTreeSet<Parameter>>,
    /// The procedures that run for any card, and those for the cards of items.
    for_any: BTreeSet<Parameter>,
    for_own: BTreeSet<(usize, Parameter)>,
}

impl Search {
    fn add(&mut self, at: usize, of: &Sets) {
        self.found.any.extend(of.any.iter().cloned());
        if !of.own.is_empty() {
            self.found.own.insert(at, of.own.clone());
        }
        for (parameter, fact) in &of.sets {
            self.sets.entry(parameter.clone()).or_default().insert(Arc::clone(fact));
        }
        for (caller, callee) in &of.performs {
            self.performs.entry(caller.clone()).or_default().insert(callee.clone());
        }
        self.for_any.extend(of.for_any.iter().cloned());
        self.for_own.extend(of.for_own.iter().map(|callee| (at, callee.clone())));
    }

    fn finish(mut self) -> Raised {
        for start in std::mem::take(&mut self.for_any) {
            let facts = self.facts(start);
            self.found.any.extend(facts);
        }
        for (item, start) in std::mem::take(&mut self.for_own) {
            let facts = self.facts(start);
            self.found.own.entry(item).or_default().extend(facts);
        }
        self.found
    }

    /// What a procedure sets of one of its things, itself or through others.
    fn facts(&self, start: Parameter) -> BTreeSet<Arc<str>> {
        let mut facts = BTreeSet::new();
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(one) = open.pop() {
            facts.extend(self.sets.get(&one).into_iter().flatten().cloned());
            for next in self.performs.get(&one).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        facts
    }
}

/// For each block of a procedure: its things by the slots in which they are.
fn parameters(low: &Lowered) -> BTreeMap<BlockId, BTreeMap<u8, Parameter>> {
    let mut all = BTreeMap::new();
    for proc in &low.procs {
        let slots = proc.parameters.iter().enumerate();
        let slots: BTreeMap<u8, Parameter> =
            slots.map(|(nth, (slot, _))| (*slot, (Arc::clone(&proc.name), nth))).collect();
        let bodies = low.steps.iter().filter(|step| step.proc == proc.name).map(|step| step.body);
        for body in bodies.chain(proc.prologue) {
            within(low, body, &mut |block| {
                all.insert(block, slots.clone());
            });
        }
    }
    all
}

/// A block and those that run as a part of it.
pub(super) fn within(low: &Lowered, block: BlockId, see: &mut impl FnMut(BlockId)) {
    see(block);
    let Some(Block { statements, .. }) = low.blocks.get(block.index()) else { return };
    for (statement, _) in statements {
        let parts: Vec<BlockId> = match statement {
            Statement::If(_, one, other) | Statement::Choose { optional: Some((one, other)), .. } => {
                std::iter::once(*one).chain(*other).collect()
            }
            Statement::May { body, otherwise, .. } => std::iter::once(*body).chain(*otherwise).collect(),
            Statement::ForEach { body, .. } | Statement::RepeatUntil(body, _) | Statement::RepeatTimes(_, body) => {
                vec![*body]
            }
            Statement::ChooseOne { branches, .. } => branches.clone(),
            _ => Vec::new(),
        };
        for part in parts {
            within(low, part, see);
        }
    }
}
