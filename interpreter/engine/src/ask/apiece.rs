//! What is stored of things, read of each by itself: under a veil it is noted of which things it was read, so that what is
//! asked of some does not rest on what is stored of others ([`crate::position::veil::Veil::reads_of`]).

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::position::set::{Set, ThingId};
use crate::position::veil::Veil;
use crate::program::layout::Store;
use crate::program::parts::List;

impl Eval<'_> {
    /// The things of `care` that a bit slot holds.
    pub(crate) fn held_by(&self, slot: usize, care: &Set) -> Set {
        let layout = &self.link.layout;
        match self.veil {
            None => care.and(self.state.words(layout, slot)),
            Some(veil) => {
                veil.reads_of(layout.parts.slot(slot), care);
                care.and(self.state.peek_words(layout, slot))
            }
        }
    }

    /// Whether a bit slot holds a thing.
    pub(crate) fn is_held_by(&self, slot: usize, thing: ThingId) -> bool {
        let layout = &self.link.layout;
        let words = match self.veil {
            None => self.state.words(layout, slot),
            Some(veil) => {
                veil.reads_of_one(layout.parts.slot(slot), thing);
                self.state.peek_words(layout, slot)
            }
        };
        crate::position::set::bit(words, thing)
    }

    /// What a column holds of a thing.
    pub(crate) fn cell(&self, thing: ThingId, column: usize) -> i32 {
        let layout = &self.link.layout;
        match self.veil {
            None => self.state.cell(layout, thing, column),
            Some(veil) => {
                let class = self.state.classes.get(thing.index());
                veil.reads_of_one(layout.parts.column(column, class), thing);
                self.state.peek_cell(layout, thing, column)
            }
        }
    }

    /// The thing that a column holds of another.
    pub(crate) fn thing_in(&self, thing: ThingId, column: usize) -> Option<ThingId> {
        u16::try_from(self.cell(thing, column) - 1).ok().map(ThingId)
    }

    /// Notes that it is read whether a thing exists.
    pub(crate) fn note_existence(&self, thing: ThingId) {
        let layout = &self.link.layout;
        match (self.veil, self.state.classes.get(thing.index())) {
            (Some(veil), Some(_)) => veil.reads_of_one(layout.parts.slot(layout.existing()), thing),
            // What is none yet may come.
            (Some(_), None) => self.state.versions.note(layout.parts.list(List::Ever)),
            (None, _) => self.state.note_existence(layout, thing),
        }
    }

    /// Whether a thing exists.
    pub(crate) fn exists(&self, thing: ThingId) -> bool {
        self.note_existence(thing);
        crate::position::set::bit(self.state.living(&self.link.layout), thing)
    }

    /// Of all things that there may be those that the parts of a conjunction admit, whatever else is written: by what is
    /// printed and never changed, and by whether they hold the thing that is meant, in a column that is noted as a whole.
    /// `None`: any.
    pub(crate) fn admitted_by(&self, cx: &Cx, parts: &[Sel]) -> Option<Set> {
        let mut admitted: Option<Set> = None;
        let mut keep = |set: Set| match &mut admitted {
            Some(admitted) => admitted.keep(set.words()),
            None => admitted = Some(set),
        };
        parts.iter().filter_map(|part| self.always(part)).for_each(&mut keep);
        for part in parts {
            if let Sel::Preimage(attr, to) = part {
                self.holding(cx, *attr, to).into_iter().for_each(&mut keep);
            }
        }
        admitted
    }

    /// The things of which a column holds the one that is meant, if that can be said without asking for more.
    fn holding(&self, cx: &Cx, attr: AttrId, to: &Sel) -> Option<Set> {
        let (layout, state) = (&self.link.layout, self.state);
        let to = match to {
            Sel::This => cx.this,
            Sel::It(n) => cx.nth(*n),
            _ => None,
        }?;
        let Store::Column(at) = layout.attr(attr).store else { return None };
        if self.overlaid(attr) {
            return None;
        }
        layout.parts.whole_column(at).for_each(|part| state.versions.note(part));
        let mut found = self.nothing();
        let things = (0..state.classes.len()).map(ThingId::from_index);
        let holds = |thing: &ThingId| state.peek_cell(layout, *thing, at) == i32::from(to.0) + 1;
        things.filter(holds).for_each(|thing| found.insert(thing));
        Some(found)
    }

    /// The things that are and always will be in a selection, and no others ever, or more than these; `None` if that may
    /// change.
    fn always(&self, sel: &Sel) -> Option<Set> {
        match sel {
            Sel::EntryIs(attr, entry)
                if self.link.layout.attr(*attr).store == Store::Printed
                    && self.link.analysis.is_fixed(*attr, *entry) =>
            {
                self.link.table.entry_set(*attr, self.link.table.position(*entry)).cloned()
            }
            Sel::Or(parts) => {
                let mut any = self.nothing();
                for part in parts {
                    any.add(self.always(part)?.words());
                }
                Some(any)
            }
            Sel::And(parts) => {
                let all = parts.iter().filter_map(|part| self.always(part));
                all.reduce(|all, more| all.and(more.words()))
            }
            _ => None,
        }
    }

    /// Those of a place of an open conjunction whose other parts do not leave them out: where none of them is hidden, the
    /// others need not be looked at.
    pub(crate) fn lying(&self, veil: &Veil, place: PlaceId, admitted: Option<&Set>, care: &Set) -> Set {
        let layout = &self.link.layout;
        let slot = layout.place(place);
        let here = care.and(self.state.peek_words(layout, slot));
        match admitted {
            Some(admitted) if !veil.covers_any(&here) => {
                veil.reads_of(layout.parts.slot(slot), &care.and(admitted.words()));
                here.and(admitted.words())
            }
            _ => {
                veil.reads_of(layout.parts.slot(slot), care);
                here
            }
        }
    }
}
