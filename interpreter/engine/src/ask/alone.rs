//! Whether one thing is of a selection, asked of it alone: most conditions ask that, and sets of one are dear.

use netrep_ir::*;

use crate::ask::at_once::{of_base, of_targets};
use crate::ask::eval::{Cx, Eval};
use crate::position::set::{Set, ThingId, bit};
use crate::position::value::Value;
use crate::position::verify::Planted;
use crate::program::layout::{OWNER, Store};

impl Eval<'_> {
    /// Whether a thing is in a selection.
    pub(crate) fn has(&self, cx: &Cx, sel: &Sel, thing: ThingId) -> bool {
        // What a viewer may not know of one thing is told by what is asked of all.
        if self.veil.is_some() {
            return self.is_among(cx, sel, thing);
        }
        let fits = self.fits(cx, sel, thing);
        if self.cache.verifying.is_due() && fits != self.is_among(cx, sel, thing) {
            self.cache.differs("what is asked of one thing");
        }
        fits
    }

    /// The same by the set.
    fn is_among(&self, cx: &Cx, sel: &Sel, thing: ThingId) -> bool {
        self.sel(cx, sel, &self.only(thing)).contains(thing)
    }

    fn only(&self, thing: ThingId) -> Set {
        Set::one(thing, self.link.layout.width)
    }

    /// Whether a selection holds of a thing. The forms are asked in the order in which [`Eval::sel`] asks them.
    fn fits(&self, cx: &Cx, sel: &Sel, thing: ThingId) -> bool {
        let layout = &self.link.layout;
        let is = |one: Option<ThingId>| {
            one.into_iter().for_each(|one| self.state.note_existence(layout, one));
            one == Some(thing)
        };
        match sel {
            Sel::Empty => false,
            Sel::All => true,
            Sel::Class(class) => bit(self.state.words(layout, layout.class(*class)), thing),
            Sel::This => is(cx.this),
            Sel::It(n) => is(cx.nth(*n)),
            Sel::Slot(slot) => match cx.locals.get(usize::from(*slot)) {
                Some(Value::Thing(one)) => is(Some(*one)),
                Some(Value::Set(_)) => self.is_among(cx, sel, thing),
                _ => false,
            },
            Sel::Named(name) => self.link.named(*name).contains(thing),
            Sel::EntryIs(attr, entry) => self.has_entry(*attr, *entry, thing),
            Sel::EntryIsValue(attr, ent) => self.ent(cx, ent).is_some_and(|entry| self.has_entry(*attr, entry, thing)),
            Sel::Flag(attr) => self.has_flag(*attr, thing),
            Sel::NumIs(attr, op, num) => {
                let to = self.num(cx, num);
                let mut holds = false;
                if self.has_attr(*attr, thing) {
                    self.read_numbers(*attr, |read| holds = op.holds(read(thing), to));
                }
                holds
            }
            Sel::In(place, owner) => {
                bit(self.state.words(layout, layout.place(*place)), thing)
                    && owner.as_ref().is_none_or(|owner| {
                        let owners = self.all(cx, owner);
                        self.state.thing_in(layout, thing, OWNER).is_some_and(|o| owners.contains(o))
                    })
            }
            Sel::Preimage(attr, to) => {
                let to = self.all(cx, to);
                match layout.attr(*attr).store {
                    _ if to.is_empty() => false,
                    Store::Column(at) if !self.holds_other(*attr) => {
                        self.has_attr(*attr, thing)
                            && self.state.thing_in(layout, thing, at).is_some_and(|held| to.contains(held))
                    }
                    _ => self.preimage(cx, *attr, &to, &self.only(thing)).contains(thing),
                }
            }
            Sel::And(parts) => parts.iter().all(|part| self.fits(cx, part, thing)),
            Sel::Or(parts) => {
                let asked = if self.cache.verifying.has(Planted::Alone) { 1 } else { parts.len() };
                parts.iter().take(asked).any(|part| self.fits(cx, part, thing))
            }
            Sel::Not(inner) => !self.fits(cx, inner, thing),
            Sel::Where(cond) if of_base(cond).is_none() && of_targets(cond).is_none() => {
                let it = cx.it(thing);
                self.cond(&cx.about(&it), cond)
            }
            Sel::If(cond, a, b) => self.fits(cx, if self.cond(&cx.asked(), cond) { a } else { b }, thing),
            Sel::Group | Sel::Role(_) | Sel::Image(..) | Sel::NameIs(..) | Sel::Top(..) | Sel::One(_) => {
                self.is_among(cx, sel, thing)
            }
            Sel::Next { .. } | Sel::Where(_) | Sel::Happened(..) | Sel::Would(_) => self.is_among(cx, sel, thing),
        }
    }

    /// Whether a thing is of a class that has an attribute.
    pub(crate) fn has_attr(&self, attr: AttrId, thing: ThingId) -> bool {
        let layout = &self.link.layout;
        let classes = &self.link.program.attr(attr).classes;
        classes.is_empty() || classes.iter().any(|class| bit(self.state.words(layout, layout.class(*class)), thing))
    }

    /// Whether an entry is among those of a thing.
    fn has_entry(&self, attr: AttrId, entry: EntryId, thing: ThingId) -> bool {
        let (layout, slot) = (&self.link.layout, self.link.layout.attr(attr));
        let part = self.link.table.position(entry);
        if self.partial.is_some_and(|partial| partial.0 == attr) {
            return self.entry_set(attr, entry, &self.only(thing)).contains(thing);
        }
        if self.overlaid(attr)
            && let Some(column) = self.sets(attr)
        {
            self.note_asked_where(attr, |one| one.thing == thing && one.entry.is_none_or(|changed| changed == entry));
            let set = column.data.get(part * layout.width..(part + 1) * layout.width);
            return set.is_some_and(|set| bit(set, thing));
        }
        self.cache.log.modifiers(attr);
        match (slot.store, slot.kind) {
            (Store::Bits(at), ValueKind::Entries(_)) if part < slot.parts => {
                bit(self.state.words(layout, at + part), thing)
            }
            (Store::Printed, ValueKind::Entries(_) | ValueKind::Entry(_)) => {
                self.link.table.entry_set(attr, part).is_some_and(|printed| printed.contains(thing))
            }
            (Store::Column(at), ValueKind::Entry(_)) => {
                self.has_attr(attr, thing) && self.state.cell(layout, thing, at) == i32::from(entry.0) + 1
            }
            _ => false,
        }
    }

    /// Whether a yes-or-no attribute of a thing is true.
    pub(crate) fn has_flag(&self, attr: AttrId, thing: ThingId) -> bool {
        let store = self.link.layout.attr(attr).store;
        if (self.overlaid(attr) || store == Store::Derived)
            && let Some(column) = self.sets(attr)
        {
            self.note_asked_where(attr, |one| one.thing == thing);
            return bit(&column.data, thing);
        }
        match store {
            Store::Bits(at) => {
                self.cache.log.modifiers(attr);
                bit(self.state.words(&self.link.layout, at), thing)
            }
            _ => self.flag_set(attr, &self.only(thing)).contains(thing),
        }
    }
}
