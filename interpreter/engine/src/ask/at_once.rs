//! What a condition asks of each thing, asked of all of them at once where its form allows.

use netrep_ir::*;

use crate::ask::eval::Eval;
use crate::position::set::Set;

impl Eval<'_> {
    /// Those of some things of which a condition may hold: it asks of each that it lies in a place, or is of a class.
    pub(crate) fn within(&self, cond: &Cond, care: &Set) -> Set {
        let layout = &self.link.layout;
        let mut left = care.clone();
        if let Cond::Some(Sel::And(parts)) = cond
            && parts.contains(&Sel::It(0))
            && self.veil.is_none()
        {
            for part in parts {
                match part {
                    Sel::In(place, _) => left.keep(self.state.words(layout, layout.place(*place))),
                    Sel::Class(class) => left.keep(self.state.words(layout, layout.class(*class))),
                    _ => {}
                }
            }
        }
        left
    }
}

/// Whose declaration it is of which a condition asks whether it has chosen a thing, if it asks that and nothing else.
pub(crate) fn of_targets(cond: &Cond) -> Option<&Sel> {
    let Cond::Some(Sel::And(parts)) = cond else { return None };
    match parts.as_slice() {
        [by @ Sel::This, Sel::Would(prospect)] if **prospect == Prospect::Target(Sel::It(0)) => Some(by),
        _ => None,
    }
}

/// The term that a condition asks for of what a thing has printed or stored, and whether it asks for it or for its absence.
pub(crate) fn of_base(cond: &Cond) -> Option<(AttrId, EntryId, bool)> {
    match cond {
        Cond::Not(inner) => of_base(inner).map(|(attr, entry, so)| (attr, entry, !so)),
        Cond::Same(Ent::Base(attr, of), Ent::Entry(entry)) if **of == Sel::It(0) => Some((*attr, *entry, true)),
        _ => None,
    }
}
