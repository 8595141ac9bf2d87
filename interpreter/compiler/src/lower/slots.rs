//! Which slots of an activation a selection uses.

use netrep_ir::{Names, Sel};

/// Whether a selection uses a slot at or above `known`.
pub(super) fn uses_slot_from(sel: &Sel, known: u8) -> bool {
    let mut found = false;
    walk(sel, &mut |s| {
        if let Sel::Slot(n) = s
            && *n >= known
        {
            found = true;
        }
    });
    found
}

fn walk(sel: &Sel, f: &mut impl FnMut(&Sel)) {
    f(sel);
    match sel {
        Sel::Image(_, s)
        | Sel::Preimage(_, s)
        | Sel::Not(s)
        | Sel::One(s)
        | Sel::In(_, Some(s))
        | Sel::Top(_, Some(s), _) => {
            walk(s, f);
        }
        Sel::And(v) | Sel::Or(v) => v.iter().for_each(|s| walk(s, f)),
        Sel::NameIs(_, names) => walk_names(names, f),
        Sel::Next { of, from, .. } => {
            walk(of, f);
            walk(from, f);
        }
        Sel::If(_, a, b) => {
            walk(a, f);
            walk(b, f);
        }
        Sel::Empty
        | Sel::All
        | Sel::Class(_)
        | Sel::This
        | Sel::It(_)
        | Sel::Slot(_)
        | Sel::Group
        | Sel::Role(_)
        | Sel::Named(_)
        | Sel::EntryIs(..)
        | Sel::EntryIsValue(..)
        | Sel::Flag(_)
        | Sel::NumIs(..)
        | Sel::In(_, None)
        | Sel::Top(_, None, _)
        | Sel::Where(_)
        | Sel::Happened(..)
        | Sel::Would(_) => {}
    }
}

fn walk_names(names: &Names, f: &mut impl FnMut(&Sel)) {
    match names {
        Names::One(_) => {}
        Names::Called(of) | Names::Printed(_, of) => walk(of, f),
        Names::Any(all) => all.iter().for_each(|one| walk_names(one, f)),
    }
}
