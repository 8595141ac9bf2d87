//! How things are related: what thing-valued attributes hold and what holds a thing, and what lies in a place.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::position::pairs::pairs_of;
use crate::position::set::{Set, ThingId};
use crate::program::layout::Store;

impl Eval<'_> {
    /// The things in a place of an owner, lowest first.
    pub(crate) fn in_order(&self, place: PlaceId, owner: Option<ThingId>) -> Vec<ThingId> {
        let layout = &self.link.layout;
        let here = Set::from_words(self.state.words(layout, layout.place(place)));
        let mine =
            |t: &ThingId| owner.is_none() || self.state.thing_in(layout, *t, crate::program::layout::OWNER) == owner;
        let mut things: Vec<ThingId> = here.iter().filter(mine).collect();
        things.sort_by_key(|t| (self.state.cell(layout, *t, crate::program::layout::RANK), *t));
        things
    }

    pub(crate) fn image(&self, cx: &Cx, attr: AttrId, of: &Set, care: &Set) -> Set {
        let mut found = self.nothing();
        for t in of {
            self.values_of(cx, attr, t, care, &mut found);
        }
        found
    }

    /// Adds the things that a thing-valued attribute of one thing holds.
    pub(crate) fn values_of(&self, cx: &Cx, attr: AttrId, thing: ThingId, care: &Set, found: &mut Set) {
        if self.is_unknowable(attr, thing) {
            return;
        }
        let layout = &self.link.layout;
        // A printed name means whatever is called so: which hidden things are is not to be known.
        let named = self.veil.filter(|_| self.by_name(attr, thing));
        if let Some(veil) = named {
            veil.touch_all();
            if veil.has_given_up() {
                return;
            }
        }
        let mut add = |t: ThingId| {
            if self.is_cared_for(t, care) && named.is_none_or(|veil| !veil.hides(t)) {
                found.insert(t);
            }
        };
        let slot = layout.attr(attr);
        if self.holds_other(attr)
            && let Some(held) = self.held_instead(attr, thing)
        {
            held.iter().for_each(add);
            return;
        }
        match slot.store {
            Store::Column(at) => self.thing_in(thing, at).into_iter().for_each(add),
            Store::Pairs => self.state.pairs_of(attr, thing).for_each(add),
            Store::Printed if matches!(slot.kind, ValueKind::Thing(_)) => {
                if let Some(t) = u16::try_from(self.link.table.number(layout, attr, thing, 0) - 1).ok().map(ThingId) {
                    add(t);
                }
            }
            Store::Printed if self.link.program.attr(attr).names => {
                self.names_on(attr, thing).for_each(|name| self.link.named(name).iter().for_each(&mut add));
            }
            Store::Printed => pairs_of(&self.link.table.pairs, attr, thing).for_each(add),
            Store::Derived => {
                if let Source::Things(sel) = &self.link.program.attr(attr).source {
                    let own = Cx { this: None, locals: &[], it: None, ..cx.asked() };
                    let it = own.it(thing);
                    if let Some(set) = self.deeper(attr, || self.sel(&own.about(&it), sel, care)) {
                        found.add(set.words());
                    }
                }
            }
            Store::Bits(_) => {}
        }
    }

    /// Whether modifiers may put other things in place of those that a state holds.
    pub(crate) fn holds_other(&self, attr: AttrId) -> bool {
        let stored = matches!(self.link.layout.attr(attr).store, Store::Column(_) | Store::Pairs);
        if stored {
            self.cache.log.modifiers(attr);
        }
        stored && self.overlaid(attr)
    }

    /// What the last modifier in force says that a state of a thing holds; `None`: what is stored.
    fn held_instead(&self, attr: AttrId, thing: ThingId) -> Option<Set> {
        let one = if self.exists(thing) && self.veil.is_none_or(|veil| !veil.sealed().contains(thing)) {
            self.having(attr, &Set::one(thing, self.link.layout.width))
        } else {
            self.nothing()
        };
        let last = || {
            let forces = self.modifiers_in_force(attr);
            let force = forces.iter().rev().find(|force| !self.subjects(force, &one).is_empty())?;
            let Change::Hold(things) = &force.modifier.change else { return None };
            let cx = force.cx();
            let it = cx.it(thing);
            if let Some(effects) = &self.cache.effects {
                effects.note_modifier(force.id);
            }
            Some(self.all(&cx.about(&it), things))
        };
        match self.veil {
            Some(veil) => self.veiled(veil, attr, last),
            None => self.deeper(attr, last),
        }?
    }

    pub(crate) fn preimage(&self, cx: &Cx, attr: AttrId, to: &Set, care: &Set) -> Set {
        let mut found = self.nothing();
        if to.is_empty() {
            return found;
        }
        let known;
        let care = if self.veil.is_some() {
            known = self.knowable(attr, care.clone());
            &known
        } else {
            care
        };
        let layout = &self.link.layout;
        let other = self.holds_other(attr);
        match layout.attr(attr).store {
            Store::Column(at) if !other => {
                for t in &self.having(attr, care) {
                    if self.thing_in(t, at).is_some_and(|v| to.contains(v)) {
                        found.insert(t);
                    }
                }
            }
            Store::Pairs if !other => {
                for (t, v) in self.state.all_pairs(attr) {
                    if self.is_cared_for(t, care) && to.contains(v) {
                        found.insert(t);
                    }
                }
            }
            _ => {
                for t in &self.having(attr, care) {
                    let mut values = self.nothing();
                    self.values_of(cx, attr, t, to, &mut values);
                    if !values.is_empty() {
                        found.insert(t);
                    }
                }
            }
        }
        found
    }
}

impl Eval<'_> {
    /// The names that are meant, in order. What a viewer cannot tell of a thing, he cannot tell of its name.
    pub(crate) fn names(&self, cx: &Cx, names: &Names) -> Vec<NameId> {
        let mut found = Vec::new();
        self.add_names(cx, names, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn add_names(&self, cx: &Cx, names: &Names, found: &mut Vec<NameId>) {
        match names {
            Names::One(name) => found.push(*name),
            Names::Called(of) => {
                let of = self.all(cx, of);
                let of = self.veil.map_or_else(|| of.clone(), |veil| veil.lift(&of));
                found.extend(of.iter().filter_map(|thing| self.link.table.given.get(thing.index())?.name));
            }
            Names::Printed(attr, of) => {
                for thing in &self.knowable(*attr, self.all(cx, of)) {
                    found.extend(self.names_on(*attr, thing));
                }
            }
            Names::Any(all) => all.iter().for_each(|one| self.add_names(cx, one, found)),
        }
    }

    /// What an attribute of names prints on a thing.
    fn names_on(&self, attr: AttrId, thing: ThingId) -> impl Iterator<Item = NameId> {
        let all = &self.link.table.printed_names;
        let from = all.partition_point(|row| (row.0, row.1) < (attr, thing));
        all[from..].iter().take_while(move |row| (row.0, row.1) == (attr, thing)).map(|row| row.2)
    }

    /// Those of `care` on which an attribute prints one of these names.
    pub(crate) fn of_names(&self, attr: AttrId, names: &[NameId], care: &Set) -> Set {
        let mut found = self.nothing();
        names.iter().filter_map(|name| self.link.table.bearing(attr, *name)).for_each(|set| found.add(set.words()));
        if found.is_empty() {
            return found;
        }
        found.keep(self.knowable(attr, self.having(attr, care)).words());
        found
    }

    /// Whether an attribute prints on a thing one of the names that are meant, asked from what it prints: of what is called so,
    /// or prints that, only few have to be asked whether they are meant.
    pub(crate) fn prints_one_of(&self, cx: &Cx, attr: AttrId, names: &Names, thing: ThingId) -> bool {
        self.has_attr(attr, thing) && self.names_on(attr, thing).any(|name| self.is_meant(cx, names, name))
    }

    /// Whether a name is among those that are meant.
    fn is_meant(&self, cx: &Cx, names: &Names, name: NameId) -> bool {
        match names {
            Names::One(one) => *one == name,
            Names::Called(of) => {
                let given = |t: ThingId| self.link.table.given.get(t.index());
                let called = self.link.named(name).only(|t| given(t).is_some_and(|given| given.name == Some(name)));
                self.has_one(cx, of, &called)
            }
            Names::Printed(attr, of) => {
                self.link.table.bearing(*attr, name).is_some_and(|bearing| self.has_one(cx, of, bearing))
            }
            Names::Any(all) => all.iter().any(|one| self.is_meant(cx, one, name)),
        }
    }

    /// Whether one of some things is in a selection.
    fn has_one(&self, cx: &Cx, of: &Sel, among: &Set) -> bool {
        let all = if cx.past { self.ever(of) } else { self.living(Some(of)) };
        let among = all.and(among.words());
        !among.is_empty() && !self.sel(cx, of, &among).is_empty()
    }
}
