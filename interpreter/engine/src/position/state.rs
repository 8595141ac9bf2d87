//! The state of a game: flat columns and bits, the stack, the history. Cloned and compared by content.

use std::cell::RefCell;

use netrep_ir::limits::ROLES;
use netrep_ir::*;
use serde::{Deserialize, Serialize};

use crate::position::hash::Sums;
use crate::position::set::{Set, ThingId, bit};
use crate::position::stack::*;
use crate::position::table::Table;
use crate::position::value::{Roles, count, number, plus_one};
use crate::position::versions::{Tracked, Versions};
use crate::program::layout::*;
use crate::program::parts::List;

/// A committed event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Row {
    pub verb: VerbId,
    /// Things plus one; 0 = none.
    pub roles: [u16; ROLES],
    pub serial: u32,
    pub clause: ClauseId,
    /// The row before of the same verb, plus one; 0 = none.
    pub before: u32,
}

impl Row {
    pub(crate) fn role(&self, n: usize) -> Option<ThingId> {
        self.roles.get(n).and_then(|t| t.checked_sub(1)).map(ThingId)
    }
}

/// How often an allowance was declared by a thing within an instance of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Usage {
    pub allowance: AllowanceId,
    pub this: Option<ThingId>,
    pub proc: u32,
    pub count: u16,
}

/// How many rolls there were of a purpose for a subject, both as what keys them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Ordinal {
    /// See [`crate::act::chance::purpose_key`].
    pub purpose: u64,
    pub subject: u64,
    pub count: u32,
}

/// A thing that is there as long as a clause gives it to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Standing {
    pub modifier: ModifierId,
    /// What carries the clause.
    pub giver: Option<ThingId>,
    /// The effect that laid it down, by its serial; 0: it stands.
    pub effect: u32,
    /// What has it.
    pub host: ThingId,
    /// What is given.
    pub thing: ThingId,
    /// It has been taken away for good.
    pub removed: bool,
}

/// Something that is no part of what a position is: it makes no difference between two.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unseen<T>(pub T);

impl<T> PartialEq for Unseen<T> {
    fn eq(&self, _: &Unseen<T>) -> bool {
        true
    }
}

impl<T> Eq for Unseen<T> {}

impl<T> std::ops::Deref for Unseen<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> std::ops::DerefMut for Unseen<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// A position. [`crate::position::hash::position`] is its hash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub classes: Vec<ClassId>,
    pub values: Vec<i32>,
    pub bits: Vec<u64>,
    pub pairs: Tracked<Vec<(AttrId, ThingId, ThingId)>>,
    pub ordinals: Tracked<Vec<Ordinal>>,
    pub effects: Tracked<Vec<Effect>>,
    pub history: Tracked<Vec<Row>>,
    /// Per verb: its last row, plus one.
    pub latest: Vec<u32>,
    pub usage: Tracked<Vec<Usage>>,
    pub acts: Tracked<Vec<Activation>>,
    pub frames: Tracked<Vec<Frame>>,
    pub pending: Tracked<Vec<Pending>>,
    pub announced: Tracked<Vec<Announced>>,
    pub ask: Option<Decision>,
    pub serial: u32,
    /// What clauses give, as long as they may give it again.
    pub standing: Tracked<Vec<Standing>>,
    /// What is not there as long as a clause withholds it.
    pub withheld: Tracked<Vec<ThingId>>,
    pub versions: Unseen<Versions>,
    /// By thing: the stamp of what was last written of it in a column (see `position/copies`).
    pub written: Unseen<Vec<u64>>,
    /// By thing: whether a row of the history speaks of it.
    pub told: Unseen<Vec<bool>>,
    /// How many of the first rows of its history are those of the game in which it is tried; all, if it is the game's own.
    pub own: Unseen<usize>,
    pub sums: Unseen<RefCell<Sums>>,
}

impl State {
    /// The state in which every given thing has its printed values and nothing runs.
    pub(crate) fn new(program: &Program, layout: &Layout, table: &Table) -> State {
        let mut state = State {
            classes: Vec::new(),
            values: Vec::new(),
            bits: vec![0; layout.slots * layout.width],
            pairs: Vec::new().into(),
            ordinals: Vec::new().into(),
            effects: Vec::new().into(),
            history: Vec::new().into(),
            latest: vec![0; program.verbs.len()],
            usage: Vec::new().into(),
            acts: Vec::new().into(),
            frames: Vec::new().into(),
            pending: Vec::new().into(),
            announced: Vec::new().into(),
            ask: None,
            serial: 1,
            standing: Vec::new().into(),
            withheld: Vec::new().into(),
            versions: Unseen(Versions::new(layout.parts)),
            written: Unseen::default(),
            told: Unseen::default(),
            own: Unseen(usize::MAX),
            sums: Unseen::default(),
        };
        for given in &table.given {
            state.mint(program, layout, given.class);
        }
        for i in 0..program.attrs.len() {
            let attr = AttrId::from_index(i);
            let slot = layout.attr(attr);
            for t in 0..table.given.len() {
                let thing = ThingId::from_index(t);
                match (slot.store, slot.kind) {
                    (Store::Column(at), kind) => {
                        let parts = if matches!(kind, ValueKind::NumberFor(_)) { slot.parts } else { 1 };
                        for part in 0..parts {
                            state.set_cell(layout, thing, at + part, table.number(layout, attr, thing, part));
                        }
                    }
                    (Store::Bits(at), ValueKind::Flag) => {
                        state.set_bit(layout, at, thing, table.number(layout, attr, thing, 0) != 0);
                    }
                    (Store::Bits(at), _) => {
                        for part in 0..slot.parts {
                            if table.entry_set(attr, part).is_some_and(|s| s.contains(thing)) {
                                state.set_bit(layout, at + part, thing, true);
                            }
                        }
                    }
                    (Store::Pairs | Store::Printed | Store::Derived, _) => {}
                }
            }
            if slot.store == Store::Pairs {
                state.pairs.extend(table.pairs.iter().filter(|p| p.0 == attr));
            }
        }
        state.pairs.sort_unstable();
        state
    }

    /// Whether its sets have the width of those of another.
    pub(crate) fn is_as_wide_as(&self, other: &State) -> bool {
        self.bits.len() == other.bits.len()
    }

    /// How many things there have ever been.
    #[inline]
    pub(crate) fn ever(&self) -> usize {
        self.versions.note(self.versions.parts.list(List::Ever));
        self.classes.len()
    }

    /// A new thing of a class with default values, or `None` if there is no room.
    pub(crate) fn mint(&mut self, program: &Program, layout: &Layout, class: ClassId) -> Option<ThingId> {
        if self.ever() >= layout.capacity {
            return None;
        }
        let thing = ThingId::from_index(self.ever());
        self.classes.push(class);
        self.told.push(false);
        let row = self.values.len();
        self.values.resize(row + layout.columns, 0);
        for i in 0..program.attrs.len() {
            let attr = AttrId::from_index(i);
            let slot = layout.attr(attr);
            match (slot.store, slot.kind) {
                (Store::Column(at), kind) => {
                    let parts = if matches!(kind, ValueKind::NumberFor(_)) { slot.parts } else { 1 };
                    self.values[row + at..row + at + parts].fill(slot.default);
                }
                (Store::Bits(at), ValueKind::Flag) => self.set_bit(layout, at, thing, slot.default != 0),
                (Store::Bits(_) | Store::Pairs | Store::Printed | Store::Derived, _) => {}
            }
        }
        let now = self.versions.stamp(self.versions.parts.list(List::Ever));
        self.written.push(now);
        self.set_existing(layout, thing, true);
        self.set_bit(layout, layout.class(class), thing, true);
        Some(thing)
    }

    /// A thing that was made is there no more.
    pub(crate) fn discard(&mut self, program: &Program, layout: &Layout, thing: ThingId) {
        self.put(program, layout, thing, None, false);
        self.set_existing(layout, thing, false);
    }

    /// The first thing of a class that is gone, and of which nothing speaks: no row of the history, no effect in force.
    pub(crate) fn gone(&self, layout: &Layout, class: ClassId) -> Option<ThingId> {
        let classes = self.classes.iter().zip(&self.told.0).enumerate();
        let untold = classes.filter(|(_, (of, told))| **of == class && !**told).map(|(n, _)| ThingId::from_index(n));
        untold.filter(|t| !bit(self.living(layout), *t)).find(|t| {
            let known = |effect: &Effect| effect.locals.iter().any(|value| value.things(layout.width).contains(*t));
            !self.effects.peek().iter().any(known)
        })
    }

    /// A thing that is gone is there again, as a new one.
    pub(crate) fn revive(&mut self, program: &Program, layout: &Layout, thing: ThingId) {
        let some_pairs = self.pairs.peek().iter().any(|pair| pair.1 == thing);
        for attr in (0..program.attrs.len()).map(AttrId::from_index) {
            if some_pairs || layout.attr(attr).store != Store::Pairs {
                self.reset(layout, attr, thing);
            }
        }
        self.set_existing(layout, thing, true);
    }

    /// A thing is there from now on, or is not. Whoever asks for things of its class, or for what lies in its place, asks for
    /// that too.
    pub(crate) fn set_existing(&mut self, layout: &Layout, thing: ThingId, there: bool) {
        self.set_bit(layout, layout.existing(), thing, there);
        if let Some(class) = self.class_of(thing) {
            self.versions.stamp(layout.parts.slot(layout.class(class)));
        }
        if let Some(place) = self.place(layout, thing) {
            self.versions.stamp(layout.parts.slot(layout.place(place)));
        }
    }

    /// Notes that it is read whether a thing exists.
    #[inline]
    pub(crate) fn note_existence(&self, layout: &Layout, thing: ThingId) {
        match self.class_of(thing) {
            Some(class) => self.versions.note(layout.parts.slot(layout.class(class))),
            // What is none yet may come.
            None => self.versions.note(layout.parts.list(List::Ever)),
        }
    }

    /// A stored attribute of a thing begins anew.
    pub(crate) fn reset(&mut self, layout: &Layout, attr: AttrId, thing: ThingId) {
        let slot = layout.attr(attr);
        match (slot.store, slot.kind) {
            (Store::Column(at), kind) => {
                let parts = if matches!(kind, ValueKind::NumberFor(_)) { slot.parts } else { 1 };
                (at..at + parts).for_each(|column| self.set_cell(layout, thing, column, slot.default));
            }
            (Store::Bits(at), ValueKind::Flag) => self.set_bit(layout, at, thing, slot.default != 0),
            (Store::Bits(at), _) => (at..at + slot.parts).for_each(|bit| self.set_bit(layout, bit, thing, false)),
            (Store::Pairs, _) => self.set_pairs(attr, thing, &[]),
            (Store::Printed | Store::Derived, _) => {}
        }
    }

    #[inline]
    pub(crate) fn cell(&self, layout: &Layout, thing: ThingId, column: usize) -> i32 {
        let part = self.versions.parts.column(column, self.classes.get(thing.index()));
        self.versions.note(part);
        self.peek_cell(layout, thing, column)
    }
    /// The same without a note.
    #[inline]
    pub(crate) fn peek_cell(&self, layout: &Layout, thing: ThingId, column: usize) -> i32 {
        // total: a submission or what was saved may name what is no thing; nothing is stored of it.
        self.values.get(thing.index() * layout.columns + column).copied().unwrap_or(0)
    }
    #[inline]
    pub(crate) fn set_cell(&mut self, layout: &Layout, thing: ThingId, column: usize, value: i32) {
        let part = self.versions.parts.column(column, self.classes.get(thing.index()));
        self.versions.note(part);
        if let Some(cell) = self.values.get_mut(thing.index() * layout.columns + column)
            && *cell != value
        {
            *cell = value;
            let now = self.versions.stamp(part);
            let sums = self.sums.get_mut();
            sums.forget(thing);
            if !sums.is_uncopied {
                self.written[thing.index()] = now;
            }
        }
    }
    /// The words of a bit slot.
    #[inline]
    pub(crate) fn words(&self, layout: &Layout, slot: usize) -> &[u64] {
        self.versions.note(layout.parts.slot(slot));
        self.peek_words(layout, slot)
    }
    /// The same without a note.
    pub(crate) fn peek_words(&self, layout: &Layout, slot: usize) -> &[u64] {
        &self.bits[slot * layout.width..(slot + 1) * layout.width]
    }
    #[inline]
    pub(crate) fn set_bit(&mut self, layout: &Layout, slot: usize, thing: ThingId, on: bool) {
        if let Some(word) = self.bits.get_mut(slot * layout.width + thing.index() / 64) {
            let mask = 1 << (thing.index() % 64);
            let now = if on { *word | mask } else { *word & !mask };
            self.versions.note(layout.parts.slot(slot));
            if now != *word {
                *word = now;
                self.versions.stamp(layout.parts.slot(slot));
                self.sums.get_mut().forget(thing);
            }
        }
    }

    /// What is stored of a thing in one fact becomes what it was before.
    pub(crate) fn keep(&mut self, layout: &Layout, attr: AttrId, thing: ThingId, before: &State) {
        let slot = layout.attr(attr);
        match slot.store {
            Store::Column(at) => (at..at + slot.parts).for_each(|column| {
                self.set_cell(layout, thing, column, before.cell(layout, thing, column));
            }),
            Store::Bits(at) => (at..at + slot.parts).for_each(|slot| {
                self.set_bit(layout, slot, thing, bit(before.words(layout, slot), thing));
            }),
            Store::Pairs => {
                let values: Vec<ThingId> = before.pairs_of(attr, thing).collect();
                self.set_pairs(attr, thing, &values);
            }
            Store::Printed | Store::Derived => {}
        }
    }
    /// Whether a thing exists: minted or given, and not retired.
    #[inline]
    pub(crate) fn exists(&self, layout: &Layout, thing: ThingId) -> bool {
        self.note_existence(layout, thing);
        bit(self.living(layout), thing)
    }
    /// The words of what exists, without a note that it is read: for what notes more exactly what it has read.
    #[inline]
    pub(crate) fn living(&self, layout: &Layout) -> &[u64] {
        self.peek_words(layout, layout.existing())
    }
    /// All things that exist.
    #[inline]
    pub(crate) fn existing(&self, layout: &Layout) -> Set {
        Set::from_words(self.words(layout, layout.existing()))
    }
    /// The place where a thing is.
    pub(crate) fn place(&self, layout: &Layout, thing: ThingId) -> Option<PlaceId> {
        u16::try_from(self.cell(layout, thing, PLACE) - 1).ok().map(PlaceId)
    }
    /// A thing stored in a column.
    #[inline]
    pub(crate) fn thing_in(&self, layout: &Layout, thing: ThingId, column: usize) -> Option<ThingId> {
        u16::try_from(self.cell(layout, thing, column) - 1).ok().map(ThingId)
    }

    /// Moves a thing; ranks in ordered places stay 1, 2, 3 ...
    pub(crate) fn put(
        &mut self,
        program: &Program,
        layout: &Layout,
        thing: ThingId,
        to: Option<(PlaceId, Option<ThingId>)>,
        bottom: bool,
    ) {
        let from = (self.cell(layout, thing, PLACE), self.cell(layout, thing, OWNER));
        let rank = self.cell(layout, thing, RANK);
        if from.0 > 0 {
            if let Some(place) = self.place(layout, thing) {
                self.set_bit(layout, layout.place(place), thing, false);
            }
            if rank > 0 {
                self.shift(layout, from, rank, -1);
            }
        }
        let place = plus_one(to.map(|(p, _)| p.0));
        let owner = plus_one(to.and_then(|(_, o)| o).map(|o| o.0));
        let mut rank = 0;
        if let Some((p, o)) = to {
            if program.place(p).ordered {
                if bottom {
                    self.shift(layout, (place, owner), 0, 1);
                    rank = 1;
                } else {
                    rank = 1 + self.count_in(layout, (place, owner), thing);
                }
            }
            self.set_bit(layout, layout.place(p), thing, true);
            if o.is_some() && self.cell(layout, thing, HOME) == 0 {
                self.set_cell(layout, thing, HOME, owner);
            }
        }
        let secret = |p: Option<PlaceId>| p.is_some_and(|p| program.place(p).secrecy != Secrecy::Open);
        let hides = secret(to.map(|t| t.0));
        let hidden = secret(self.place(layout, thing));
        if hides || !hidden {
            self.forget_concealed(program, thing);
        }
        if hides || hidden {
            self.set_cell(layout, thing, SINCE, number(self.serial as usize));
        }
        if hides {
            self.forget_revealed(program, thing);
        }
        self.set_cell(layout, thing, PLACE, place);
        self.set_cell(layout, thing, OWNER, owner);
        self.set_cell(layout, thing, RANK, rank);
        // Which of two came first counts only where something is canceled.
        if program.spares.iter().any(Spare::cancels) {
            let now = self.next_serial();
            self.set_cell(layout, thing, CAME, number(now as usize));
        }
    }

    /// Whatever was revealed of a hidden thing is no longer known.
    pub(crate) fn forget_revealed(&mut self, program: &Program, thing: ThingId) {
        self.forget(program.services.revealed, thing);
    }

    /// Nobody is kept from looking at a thing any more.
    fn forget_concealed(&mut self, program: &Program, thing: ThingId) {
        self.forget(program.services.concealed, thing);
    }

    /// Takes away what a many-valued attribute of a thing holds.
    fn forget(&mut self, attr: Option<AttrId>, thing: ThingId) {
        let Some(attr) = attr else { return };
        self.set_pairs(attr, thing, &[]);
    }

    fn count_in(&self, layout: &Layout, place: (i32, i32), but: ThingId) -> i32 {
        let here = |t: &usize| {
            let thing = ThingId::from_index(*t);
            thing != but && self.cell(layout, thing, PLACE) == place.0 && self.cell(layout, thing, OWNER) == place.1
        };
        number((0..self.ever()).filter(here).count())
    }

    fn shift(&mut self, layout: &Layout, place: (i32, i32), above: i32, by: i32) {
        for t in 0..self.ever() {
            let thing = ThingId::from_index(t);
            if self.cell(layout, thing, PLACE) == place.0 && self.cell(layout, thing, OWNER) == place.1 {
                let rank = self.cell(layout, thing, RANK);
                if rank > above {
                    self.set_cell(layout, thing, RANK, rank + by);
                }
            }
        }
    }

    /// The next serial.
    pub(crate) fn next_serial(&mut self) -> u32 {
        self.serial = self.serial.saturating_add(1);
        self.serial
    }

    /// Notes that a part of the stack is read as it is seen from the first `acts` activations: from all of them by itself,
    /// else with all that there are.
    #[inline]
    pub(crate) fn note_stack(&self, acts: usize, part: usize) {
        let part = if acts == usize::MAX { part } else { self.versions.parts.list(List::Acts) };
        self.versions.note(part);
    }

    /// The serial of the innermost running instance of a procedure, seen from the first `acts` activations.
    pub(crate) fn running(&self, proc: ProcId, acts: usize) -> Option<u32> {
        self.note_stack(acts, self.versions.parts.proc(proc));
        self.acts.peek().iter().take(acts).rev().find(|a| a.proc == Some(proc)).map(|a| a.serial)
    }

    /// The frames, for those that ask only which windows are open, and in which activations.
    pub(crate) fn windows(&self) -> &[Frame] {
        self.versions.note(self.versions.parts.list(List::Windows));
        self.frames.peek()
    }

    /// The frames, for those that ask only what waits in chains.
    pub(crate) fn chains(&self) -> impl Iterator<Item = &Frame> {
        self.versions.note(self.versions.parts.list(List::Chains));
        self.frames.peek().iter()
    }

    /// Whether the end of the innermost running instance of a procedure has been announced, seen from the first `acts`
    /// activations.
    pub(crate) fn closing(&self, proc: ProcId, acts: usize) -> bool {
        let mut frames = self.frames.iter().rev().filter(|frame| usize::from(frame.act) < acts);
        let innermost = frames.find_map(|frame| match &frame.kind {
            Kind::Procedure(running) if running.proc == proc => Some(running.closing),
            _ => None,
        });
        innermost == Some(true)
    }

    /// The instance of a procedure for which declarations are counted.
    pub(crate) fn counted_in(&self, proc: ProcId) -> u32 {
        // total: 0: while the procedure does not run, they are counted for the game.
        self.running(proc, usize::MAX).unwrap_or(0)
    }

    /// The activation in which the top frame runs.
    pub(crate) fn act_here(&self) -> u16 {
        // total: below the first frame is the activation of the game itself, number 0.
        self.frames.last().map_or(0, |frame| frame.act)
    }

    /// The base class of a thing that there is or has been; `None` for what a submission calls a thing and is none.
    pub(crate) fn class_of(&self, thing: ThingId) -> Option<ClassId> {
        self.classes.get(thing.index()).copied()
    }

    /// The last row of a verb, plus one; 0 if there is none.
    pub(crate) fn latest_row(&self, verb: VerbId) -> u32 {
        self.versions.note(self.versions.parts.rows(verb));
        self.latest[verb.index()]
    }

    /// How many rows the history has.
    pub(crate) fn rows_so_far(&self) -> u32 {
        count(self.history.len())
    }

    /// Adds a row to the history.
    pub(crate) fn record(&mut self, verb: VerbId, roles: &Roles, clause: ClauseId) -> u32 {
        let serial = self.next_serial();
        let mut cells = [0u16; ROLES];
        for (cell, role) in cells.iter_mut().zip(roles) {
            if let Some(thing) = role {
                *cell = thing.0 + 1;
            }
        }
        self.push_row(Row { verb, roles: cells, serial, clause, before: 0 });
        self.versions.stamp(self.versions.parts.rows(verb));
        serial
    }

    /// Adds a row as it was; the one before it of its verb is found.
    pub(crate) fn push_row(&mut self, row: Row) {
        let before = self.latest_row(row.verb);
        for thing in (0..ROLES).filter_map(|role| row.role(role)) {
            if let Some(told) = self.told.get_mut(thing.index()) {
                *told = true;
            }
        }
        self.history.push(Row { before, ..row });
        self.latest[row.verb.index()] = self.rows_so_far();
    }
}
