//! Current entries and flags: printed or stored ones, and what modifiers give and take.

use netrep_ir::*;
use smallvec::SmallVec;

use crate::ask::eval::{Cx, Eval};
use crate::ask::fold::{InForce, Op};
use crate::position::cache::{Changed, Column, fresh};
use crate::position::set::{Set, ThingId, bit};
use crate::position::table::Table;
use crate::program::layout::Store;

impl<'a> Eval<'a> {
    /// The things of `care` whose attribute is or includes an entry.
    pub(crate) fn entry_set(&self, attr: AttrId, entry: EntryId, care: &Set) -> Set {
        let part = self.link.table.position(entry);
        if let Some((_, data)) = self.partial.filter(|partial| partial.0 == attr) {
            return self.in_sets(data, part, care);
        }
        if let Some(veil) = self.veil {
            return self.veiled_entry_set(veil, attr, entry, care);
        }
        if self.overlaid(attr)
            && let Some(column) = self.sets(attr)
        {
            self.note_asked_where(attr, |one| {
                care.contains(one.thing) && one.entry.is_none_or(|changed| changed == entry)
            });
            return self.in_sets(&column.data, part, care);
        }
        self.cache.log.modifiers(attr);
        self.base_entry_set(attr, entry, care)
    }

    /// The things of `care` in the set of an entry; an entry of another list has none.
    fn in_sets(&self, data: &[u64], part: usize, care: &Set) -> Set {
        let width = self.link.layout.width;
        match data.get(part * width..(part + 1) * width) {
            Some(words) => care.and(words),
            None => self.nothing(),
        }
    }

    /// The entries that an attribute can have; none if it is one of something else.
    fn possible(&self, attr: AttrId) -> &'a [EntryId] {
        match self.link.layout.attr(attr).kind {
            ValueKind::Entry(list) | ValueKind::Entries(list) => Table::list(&self.link.program, list),
            _ => &[],
        }
    }

    /// The same before modifiers.
    pub(crate) fn base_entry_set(&self, attr: AttrId, entry: EntryId, care: &Set) -> Set {
        let layout = &self.link.layout;
        let slot = layout.attr(attr);
        let part = self.link.table.position(entry);
        match (slot.store, slot.kind) {
            (Store::Bits(at), ValueKind::Entries(_)) if part < slot.parts => self.held_by(at + part, care),
            (Store::Printed, ValueKind::Entries(_) | ValueKind::Entry(_)) => {
                match self.link.table.entry_set(attr, part) {
                    Some(printed) => care.and(printed.words()),
                    None => Set::empty(layout.width),
                }
            }
            (Store::Column(at), ValueKind::Entry(_)) => {
                let wanted = i32::from(entry.0) + 1;
                let mut found = self.having(attr, care);
                found.retain(|t| self.cell(t, at) == wanted);
                found
            }
            _ => Set::empty(layout.width),
        }
    }

    /// The entry of a thing; the first in the list's order if it has several.
    pub(crate) fn entry_of(&self, attr: AttrId, thing: ThingId) -> Option<EntryId> {
        if self.is_unknowable(attr, thing) {
            return None;
        }
        match self.link.layout.attr(attr).kind {
            ValueKind::Entry(_) if !self.overlaid(attr) => {
                u16::try_from(self.base(attr, thing, 0) - 1).ok().map(EntryId)
            }
            _ => self.entries_of(attr, thing).first().copied(),
        }
    }

    /// The entries of a thing as printed or stored, in the list's order.
    pub(crate) fn base_entries(&self, attr: AttrId, thing: ThingId) -> SmallVec<[EntryId; 4]> {
        if self.is_unknowable(attr, thing) {
            return SmallVec::new();
        }
        let slot = self.link.layout.attr(attr);
        let possible = self.possible(attr).iter().copied();
        match (slot.store, slot.kind) {
            // Each thing has at most one.
            (Store::Column(_), ValueKind::Entry(_)) => {
                let stored = self.has_attr(attr, thing).then(|| self.base(attr, thing, 0));
                stored.and_then(|stored| u16::try_from(stored - 1).ok()).map(EntryId).into_iter().collect()
            }
            (Store::Bits(at), ValueKind::Entries(_)) => {
                let has = |part: usize| self.is_held_by(at + part, thing);
                possible.enumerate().filter(|(part, _)| *part < slot.parts && has(*part)).map(|(_, e)| e).collect()
            }
            (Store::Printed, ValueKind::Entries(_) | ValueKind::Entry(_)) => {
                let has = |part: usize| self.link.table.entry_set(attr, part).is_some_and(|p| p.contains(thing));
                possible.enumerate().filter(|(part, _)| has(*part)).map(|(_, entry)| entry).collect()
            }
            _ => SmallVec::new(),
        }
    }

    /// All entries of a thing.
    pub(crate) fn entries_of(&self, attr: AttrId, thing: ThingId) -> SmallVec<[EntryId; 4]> {
        let possible = self.possible(attr).iter().copied();
        if self.veil.is_some() || self.partial.is_some_and(|partial| partial.0 == attr) {
            let one = Set::one(thing, self.link.layout.width);
            return possible.filter(|e| !self.entry_set(attr, *e, &one).is_empty()).collect();
        }
        if self.overlaid(attr)
            && let Some(column) = self.sets(attr)
        {
            self.note_asked_where(attr, |one| one.thing == thing);
            let sets = column.data.chunks(self.link.layout.width.max(1));
            return possible.zip(sets).filter(|(_, set)| bit(set, thing)).map(|(entry, _)| entry).collect();
        }
        self.cache.log.modifiers(attr);
        self.base_entries(attr, thing)
    }

    /// The things of `care` of which a yes-or-no attribute is true.
    pub(crate) fn flag_set(&self, attr: AttrId, care: &Set) -> Set {
        if let Some(veil) = self.veil {
            return self.veiled_flag_set(veil, attr, care);
        }
        if (self.overlaid(attr) || self.link.layout.attr(attr).store == Store::Derived)
            && let Some(column) = self.sets(attr)
        {
            self.note_asked_where(attr, |one| care.contains(one.thing));
            return care.and(&column.data);
        }
        self.cache.log.modifiers(attr);
        self.base_flag_set(attr, care)
    }

    pub(crate) fn base_flag_set(&self, attr: AttrId, care: &Set) -> Set {
        let layout = &self.link.layout;
        match layout.attr(attr).store {
            Store::Bits(at) => self.held_by(at, care),
            Store::Derived => {
                let cx = Cx::clause(ClauseId(0), None, &[]);
                let defined = match &self.link.program.attr(attr).source {
                    Source::Flag(sel) => self.deeper(attr, || self.sel(&cx, sel, care)),
                    _ => None,
                };
                // Past the bound there is a fault, and the set is not used.
                match defined {
                    Some(things) => things,
                    None => Set::empty(layout.width),
                }
            }
            Store::Printed | Store::Column(_) | Store::Pairs => {
                let mut found = Set::empty(layout.width);
                for t in &self.having(attr, care) {
                    if self.base(attr, t, 0) != 0 {
                        found.insert(t);
                    }
                }
                found
            }
        }
    }

    /// Whether any modifier may change an attribute.
    pub(crate) fn overlaid(&self, attr: AttrId) -> bool {
        match self.veil {
            None => self.link.modified[attr.index()],
            Some(_) => self.link.analysis.alterable[attr.index()].0,
        }
    }

    /// The current sets of an attribute, filled if stale; `None` while they are being filled.
    pub(crate) fn sets(&self, attr: AttrId) -> Option<std::cell::Ref<'a, Column<u64>>> {
        let at = usize::from(self.link.kept.get(attr.index()).copied()??);
        let below = self.below.and_then(|below| Some((below, below.sets.get(at)?)));
        fresh(self.cache, self.state, self.cache.sets.get(at)?, below, |data| self.settled().fill_sets(attr, data))
    }

    fn fill_sets(&self, attr: AttrId, data: &mut Vec<u64>) {
        self.note_refilled(attr);
        self.base_sets(attr, &self.ever_of(attr), data);
        self.alter(attr, data, &self.having(attr, &self.living_of(attr)), &mut |_, _| ());
    }

    /// The sets of an attribute before modifiers: one for each entry, or one for a flag.
    pub(crate) fn base_sets(&self, attr: AttrId, care: &Set, data: &mut Vec<u64>) {
        data.clear();
        let (slot, width) = (self.link.layout.attr(attr), self.link.layout.width);
        match slot.kind {
            // Each thing has at most one: once over the things, not over the entries.
            ValueKind::Entry(list) if matches!(slot.store, Store::Column(_)) => {
                data.resize(Table::list(&self.link.program, list).len() * width, 0);
                for t in &self.having(attr, care) {
                    let Ok(entry) = u16::try_from(self.base(attr, t, 0) - 1) else { continue };
                    let at = self.link.table.position(EntryId(entry)) * width + t.index() / 64;
                    if let Some(word) = data.get_mut(at) {
                        *word |= 1 << (t.index() % 64);
                    }
                }
            }
            ValueKind::Entry(list) | ValueKind::Entries(list) => {
                for entry in Table::list(&self.link.program, list) {
                    data.extend_from_slice(self.base_entry_set(attr, *entry, care).words());
                }
            }
            _ => data.extend_from_slice(self.base_flag_set(attr, care).words()),
        }
    }

    /// Applies the modifiers of an attribute one after the other to the sets of its entries, or to the set of a flag: each
    /// finds what those before it have left. `each` is told which modifier is about which things.
    pub(crate) fn alter(&self, attr: AttrId, data: &mut [u64], living: &Set, each: &mut dyn FnMut(&InForce, &Set)) {
        let (width, kind) = (self.link.layout.width, self.link.layout.attr(attr).kind);
        for f in self.modifiers_in_force(attr) {
            let partial = (kind != ValueKind::Flag).then_some((attr, &*data));
            let subjects = Eval { partial, ..*self }.subjects(&f, living);
            each(&f, &subjects);
            let mut write = |part: usize, on: bool, things: &Set| {
                if self.cache.effects.is_some() {
                    let there = self.in_sets(data, part, things);
                    let other = if on { things.minus(there.words()) } else { there };
                    let entry = self.possible(attr).get(part).copied();
                    other.iter().for_each(|t| self.note_changed(attr, Changed { thing: t, modifier: f.id, entry }));
                }
                for (cell, word) in data.iter_mut().skip(part * width).take(width).zip(things.words()) {
                    if on { *cell |= word } else { *cell &= !word }
                }
            };
            match &f.modifier.change {
                Change::Gain(entry) => write(self.link.table.position(*entry), true, &subjects),
                Change::Become(entry) => {
                    let kept = self.link.table.position(*entry);
                    let others = (0..self.possible(attr).len()).filter(|part| *part != kept);
                    others.for_each(|part| write(part, false, &subjects));
                    write(kept, true, &subjects);
                }
                Change::Lose(entry) => write(self.link.table.position(*entry), false, &subjects),
                Change::Add { .. } | Change::Set(_) if kind == ValueKind::Flag => {
                    for t in &subjects {
                        let on = match self.op(&f, t) {
                            Some(Op::Set(n)) => n != 0,
                            Some(Op::Add { amount, .. }) => amount > 0,
                            None => continue,
                        };
                        write(0, on, &Set::one(t, width));
                    }
                }
                Change::Add { .. } | Change::Set(_) | Change::Hold(_) | Change::Bring(_) | Change::Withhold(_) => {}
            }
        }
    }

    /// What an attribute of a thing is in words, for explanations.
    pub(crate) fn value_words(&self, attr: AttrId, thing: ThingId) -> String {
        let program = &self.link.program;
        match self.link.layout.attr(attr).kind {
            ValueKind::Number => self.current(attr, thing).to_string(),
            ValueKind::NumberFor(list) => {
                let part = |e: &EntryId| {
                    let n = self.current_part(attr, thing, self.link.table.position(*e));
                    (n != 0).then(|| format!("{n} {}", self.entry_words(*e)))
                };
                join(Table::list(program, list).iter().filter_map(part).collect())
            }
            ValueKind::Flag => if self.current(attr, thing) != 0 { "yes" } else { "no" }.to_string(),
            ValueKind::Entry(_) | ValueKind::Entries(_) => {
                join(self.entries_of(attr, thing).into_iter().map(|e| self.entry_words(e).to_string()).collect())
            }
            ValueKind::Thing(_) | ValueKind::Things(_) => {
                let mut set = Set::empty(self.link.layout.width);
                let cx = Cx::clause(ClauseId(0), None, &[]);
                self.values_of(&cx, attr, thing, &self.universe(true), &mut set);
                self.set_words(&set)
            }
        }
    }
}

fn join(words: Vec<String>) -> String {
    if words.is_empty() { "none".to_string() } else { words.join(", ") }
}
