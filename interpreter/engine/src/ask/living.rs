//! Of all things those that exist, which of them a selection reads that begins with all, and which have an attribute.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::ask::eyes::is_plain;
use crate::position::set::{Set, ThingId};

impl Eval<'_> {
    /// All things that exist, for a selection that begins with all of them: which of them it reads is noted as exactly as
    /// it tells by its form. Without one all are read.
    pub(crate) fn living(&self, sel: Option<&Sel>) -> Set {
        self.living_for(&Cx::bare(), sel)
    }

    /// The same for a selection of which it is known what its words refer to.
    pub(crate) fn living_for(&self, cx: &Cx, sel: Option<&Sel>) -> Set {
        let layout = &self.link.layout;
        if sel.is_none_or(|sel| !self.note_living(cx, sel)) {
            return self.universe(false);
        }
        let all = Set::from_words(self.state.living(layout));
        match self.veil {
            Some(veil) => all.minus(veil.sealed().words()),
            None => all,
        }
    }

    /// All things that have ever existed, for a selection that begins with them.
    pub(crate) fn ever(&self, sel: &Sel) -> Set {
        // A new thing comes into the set of its class.
        if self.note_living(&Cx::bare(), sel) {
            Set::first_n(self.state.classes.len(), self.link.layout.width)
        } else {
            self.universe(true)
        }
    }

    /// All things that exist, for those that have an attribute.
    pub(crate) fn living_of(&self, attr: AttrId) -> Set {
        self.living(Some(&Sel::Flag(attr)))
    }

    /// All things that have ever existed, for those that have an attribute.
    pub(crate) fn ever_of(&self, attr: AttrId) -> Set {
        self.ever(&Sel::Flag(attr))
    }

    /// All things that exist, for those that one thing's attribute holds.
    pub(crate) fn living_held(&self, attr: AttrId) -> Set {
        self.living(Some(&Sel::Image(attr, Box::new(Sel::This))))
    }

    /// Those of `care` whose classes have an attribute.
    pub(crate) fn having(&self, attr: AttrId, care: &Set) -> Set {
        let layout = &self.link.layout;
        // Of which class a thing is never changes: under a veil no more is noted than why it is asked about these.
        let of_class = |class: ClassId| match self.veil {
            Some(_) => self.state.peek_words(layout, layout.class(class)),
            None => self.state.words(layout, layout.class(class)),
        };
        match self.link.program.attr(attr).classes.as_slice() {
            [] => care.clone(),
            [one] => care.and(of_class(*one)),
            many => {
                let mut set = self.nothing();
                for class in many {
                    set.add(of_class(*class));
                }
                set.keep(care.words());
                set
            }
        }
    }

    /// Notes which of all things a selection reads that begins with all of them; false if it may read any. Most forms note
    /// themselves what they read.
    fn note_living(&self, cx: &Cx, sel: &Sel) -> bool {
        let (layout, program) = (&self.link.layout, &self.link.program);
        let of = |attr: AttrId| {
            let classes = &program.attr(attr).classes;
            classes.iter().for_each(|class| self.state.versions.note(layout.parts.slot(layout.class(*class))));
            !classes.is_empty()
        };
        match sel {
            Sel::Empty | Sel::This | Sel::It(_) | Sel::Class(_) | Sel::Top(..) => true,
            Sel::In(place, _) => {
                // Under a veil it is noted of those that are asked: here of all, whatever comes.
                if self.veil.is_some() {
                    self.state.versions.note(layout.parts.slot(layout.place(*place)));
                }
                true
            }
            Sel::Slot(_) | Sel::Role(_) | Sel::Group | Sel::Next { .. } | Sel::Happened(..) => true,
            // Under a veil it is asked whether any of all things is hidden.
            Sel::Named(name) if self.veil.is_some() && self.link.on_cards(*name) => false,
            Sel::Named(name) => {
                self.link.named(*name).iter().for_each(|t| self.note_existence(t));
                true
            }
            Sel::Image(attr, _) => match &program.attr(*attr).source {
                Source::Things(sel) => self.note_living(&Cx::bare(), sel),
                _ => true,
            },
            Sel::Preimage(attr, _) | Sel::NameIs(attr, _) | Sel::EntryIs(attr, _) => of(*attr),
            Sel::EntryIsValue(attr, _) | Sel::Flag(attr) | Sel::NumIs(attr, ..) => of(*attr),
            // Under a veil what everyone sees is asked first.
            Sel::And(parts) => {
                let plain = self.veil.and_then(|_| parts.iter().find(|part| is_plain(part)));
                if let (Some(veil), Some(Sel::In(place, _))) = (self.veil, plain)
                    && let Some(admitted) = self.admitted_by(cx, parts)
                {
                    veil.reads_of(layout.parts.slot(layout.place(*place)), &admitted);
                    return true;
                }
                plain.or(parts.first()).is_some_and(|first| self.note_living(cx, first))
            }
            Sel::Or(parts) => parts.iter().all(|part| self.note_living(cx, part)),
            Sel::If(_, a, b) => self.note_living(cx, a) && self.note_living(cx, b),
            // It asks for all of them itself.
            Sel::One(_) => true,
            Sel::All | Sel::Not(_) | Sel::Where(_) | Sel::Would(_) => false,
        }
    }

    /// Those of some things that are cared for.
    pub(crate) fn among(&self, things: &Set, care: &Set) -> Set {
        things.iter().for_each(|thing| self.note_existence(thing));
        care.and(things.words())
    }

    /// Whether a thing is among those that are cared for, which hangs on whether it exists.
    #[inline]
    pub(crate) fn is_cared_for(&self, thing: ThingId, care: &Set) -> bool {
        self.note_existence(thing);
        care.contains(thing)
    }
}
