//! Clauses and phrases as English.
//!
//! Lowering only notes which clause or phrase of the item it was; who links has them written.

use netrep_ir::Text;
use serde::{Deserialize, Serialize};

use super::{LowerContext, Lowered, Wording};
use crate::layers::effective::EffectiveItem;
use crate::phrase::clause::{ReadClause, blocks, nodes};
use crate::phrase::render::{render, render_clause};
use crate::phrase::tree::Node;

/// What an item says, in the order of reading.
pub(crate) struct Reading<'i> {
    /// Its clauses, and those of their blocks.
    clauses: Vec<&'i ReadClause>,
    /// The phrases of all of these, and those within them.
    phrases: Vec<&'i Node>,
    /// The clause and the phrase that were looked for last: the next one mostly stands behind.
    last: (usize, usize),
}

impl<'i> Reading<'i> {
    /// Of an item.
    pub(super) fn of(item: &'i EffectiveItem) -> Self {
        let mut reading = Reading { clauses: Vec::new(), phrases: Vec::new(), last: (0, 0) };
        item.clauses.iter().for_each(|clause| reading.add(&clause.read));
        reading
    }

    fn add(&mut self, clause: &'i ReadClause) {
        fn within<'i>(node: &'i Node, phrases: &mut Vec<&'i Node>) {
            phrases.push(node);
            node.kids.iter().for_each(|kid| within(kid, phrases));
        }
        self.clauses.push(clause);
        nodes(&clause.kind).into_iter().for_each(|node| within(node, &mut self.phrases));
        blocks(&clause.kind).into_iter().flatten().for_each(|inner| self.add(inner));
    }

    /// What a clause of the item says.
    pub(super) fn clause(&mut self, read: &ReadClause) -> Option<Wording> {
        let found = find(&self.clauses, read, self.last.0)?;
        self.last.0 = found;
        Some(Wording::Clause(netrep_ir::limits::in_32_bits(found)))
    }

    /// What a phrase of the item says; `None` of one that is no part of it, such as the body of a definition.
    pub(super) fn phrase(&mut self, node: &Node) -> Option<Wording> {
        let found = find(&self.phrases, node, self.last.1)?;
        self.last.1 = found;
        Some(Wording::Phrase(netrep_ir::limits::in_32_bits(found)))
    }
}

/// Where the very same thing stands, looked for from a place on.
fn find<T>(all: &[&T], one: &T, from: usize) -> Option<usize> {
    let (before, behind) = all.split_at(from);
    let is_it = |other: &&T| std::ptr::eq(*other, one);
    behind.iter().position(is_it).map(|nth| from + nth).or_else(|| before.iter().position(is_it))
}

/// The English of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Worded {
    /// Of each labelled clause.
    pub clauses: Vec<Text>,
    /// Of each site.
    pub sites: Vec<Text>,
}

/// What a lowered item says as English.
pub(crate) fn worded(item: &EffectiveItem, lowered: &Lowered, ctx: &dyn LowerContext) -> Worded {
    let reading = Reading::of(item);
    let said = |wording: &Wording| match wording {
        Wording::These(words) => words.as_str().into(),
        Wording::Clause(nth) => nth_of(&reading.clauses, *nth, |read| render_clause(read, &|key| ctx.term(key))),
        Wording::Phrase(nth) => nth_of(&reading.phrases, *nth, |node| render(node, &|key| ctx.term(key))),
    };
    Worded {
        clauses: lowered.clauses.iter().map(|clause| said(&clause.wording)).collect(),
        sites: lowered.sites.iter().map(|site| said(&site.wording)).collect(),
    }
}

fn nth_of<T>(all: &[&T], nth: u32, said: impl Fn(&T) -> String) -> Text {
    let one = usize::try_from(nth).ok().and_then(|nth| all.get(nth));
    // total: what is lowered is a part of its item
    one.map(|one| said(one).into()).unwrap_or_default()
}
