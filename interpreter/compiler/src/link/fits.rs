//! Whether an item that a reading puts in the place of another leaves everything between the items as it is.
//!
//! To link the whole for each of some hundred readings takes too long. But most readings need no name that is missing,
//! take none away that another item needs, and add no dependency between numbers: then nothing between the items can
//! become wrong that was right. What is not seen to be so is linked as a whole.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Linker;
use super::circles::{Numbers, On};
use super::names::names_alike;
use super::roles::{RoleFacts, Roles};
use super::tables::{Relocation, Tables};
use super::verify::named_in;
use crate::link::LinkItem;
use crate::lower::Lowered;

/// What the items of a profile have and need.
pub(crate) struct Fitting<'i> {
    items: &'i [LinkItem],
    linker: Linker,
    tables: Tables,
    roles: RoleFacts<'i>,
    /// Those of each item.
    own: Vec<Roles<'i>>,
    /// What hangs on what.
    hangs: FxHashSet<(Arc<str>, On)>,
    /// The clauses that are there, and those that are named: an item and a label.
    clauses: FxHashSet<(&'i str, &'i str)>,
    named: FxHashSet<(&'i str, &'i str)>,
}

impl<'i> Fitting<'i> {
    /// Of the items of a profile, between which nothing is wrong.
    pub(crate) fn of(items: &'i [LinkItem]) -> Fitting<'i> {
        let mut linker = Linker::default();
        linker.declare(items);
        let tables = std::mem::take(&mut linker.tables);
        let hangs =
            items.iter().filter_map(|item| Some(Numbers::of(item).hangs()?.collect::<Vec<_>>())).flatten().collect();
        let own: Vec<Roles<'i>> = items.iter().map(Roles::of).collect();
        let roles = RoleFacts::of(items, &own.iter().collect::<Vec<_>>());
        let clauses = items.iter().flat_map(clauses_of).collect();
        let named = items.iter().flat_map(|item| references(&item.lowered)).collect();
        Fitting { items, linker, tables, roles, own, hangs, clauses, named }
    }

    /// Whether an item speaks of no procedure of which it did not, nor a card or a trigger of an event; and a card makes no
    /// prohibition, which might be where it never functions. What follows from verbs is asked elsewhere.
    fn speaks_alike(old: &Lowered, new: &Lowered) -> bool {
        let (before, after) = (&old.symbols.verbs, &new.symbols.verbs);
        let says_no_more = |before: &[Arc<str>], after: &[Arc<str>]| after.iter().all(|one| before.contains(one));
        // A trigger's new event, or a new procedure, may lead back to where it came from.
        let says_no_event = says_no_more(before, after);
        says_no_more(&old.symbols.procs, &new.symbols.procs)
            && (says_no_event || (new.triggers.is_empty() && new.card.is_none()))
            && (new.card.is_none() || new.norms.is_empty())
    }

    /// True if all names that an item uses are declared.
    fn are_known(&self, item: &LinkItem) -> bool {
        let mut unknown = Vec::new();
        Relocation::new(&self.tables, &self.linker.program, &item.lowered.symbols, &mut unknown);
        unknown.is_empty()
    }

    /// True if an item can stand in the place of another, and nothing between the items is wrong for it, but for what
    /// [`Whole::functions_with`](super::Whole::functions_with) looks at. False says nothing.
    pub(crate) fn fits(&self, nth: usize, new: &LinkItem) -> bool {
        // total: what is not there before is linked as a whole
        let Some(old) = self.items.get(nth) else { return false };
        let numbers = Numbers::of(new);
        // total: what says of what all cards say whether it holds is linked as a whole
        let Some(mut hangs) = numbers.hangs() else { return false };
        let has = |reference: (&str, &str)| self.clauses.contains(&reference);
        old.lost.is_none()
            && new.lost.is_none()
            && declares_alike(&old.lowered, &new.lowered)
            && names_alike(old, new)
            && Self::speaks_alike(&old.lowered, &new.lowered)
            && hangs.all(|one| self.hangs.contains(&one))
            && self.are_known(new)
            && references(&new.lowered).all(has)
            && {
                let kept: FxHashSet<(&str, &str)> = clauses_of(new).collect();
                clauses_of(old).all(|clause| kept.contains(&clause) || !self.named.contains(&clause))
            }
            && self.roles.are_kept(&self.own[nth], &Roles::of(new))
    }
}

/// The clauses of an item that can be named, and the item itself.
fn clauses_of(item: &LinkItem) -> impl Iterator<Item = (&str, &str)> {
    let key = &*item.item.key;
    let labels = item.lowered.clauses.iter().map(|clause| clause.label.trim_end());
    labels.chain(std::iter::once("")).map(move |label| (key, label))
}

/// The clauses and items that an item names.
fn references(lowered: &Lowered) -> impl Iterator<Item = (&str, &str)> {
    named_in(lowered).map(|(item, label, _)| (item, label))
}

/// Whether two items declare the same: terms, services, procedures, steps, things printed on a card.
fn declares_alike(old: &Lowered, new: &Lowered) -> bool {
    let procs = |low: &Lowered| low.procs.iter().map(|p| (p.name.clone(), p.steps.clone())).collect::<Vec<_>>();
    let steps = |low: &Lowered| low.steps.iter().map(|s| (s.proc.clone(), s.name.clone())).collect::<Vec<_>>();
    let prints = |low: &Lowered| low.card.as_ref().is_some_and(|card| !card.parts.is_empty());
    let plain = |low: &Lowered| low.terms.is_empty() && low.services.is_empty() && low.service_sels.is_empty();
    plain(old)
        && plain(new)
        && old.place_verbs == new.place_verbs
        && procs(old) == procs(new)
        && steps(old) == steps(new)
        && !prints(old)
        && !prints(new)
}
