//! What a `set` reads of the fact that it sets.

use netrep_ir::{AttrId, Num, Sel, Val};

/// A `set` stores a value under all that modifies it, so what it reads of the same fact of the same thing is what is stored:
/// were it the modified value, the modifiers would count twice.
pub(super) fn read_as_stored(value: &mut Val, attr: AttrId, of: &Sel) {
    if let Val::Num(number) = value {
        in_number(number, attr, of);
    }
}

fn in_number(number: &mut Num, attr: AttrId, of: &Sel) {
    match number {
        Num::Attr(read, owner) if *read == attr && **owner == *of => {
            *number = Num::Base(attr, owner.clone());
        }
        Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Quotient(a, b, _) => {
            in_number(a, attr, of);
            in_number(b, attr, of);
        }
        Num::Max(each) | Num::Min(each) => each.iter_mut().for_each(|one| in_number(one, attr, of)),
        Num::Alternatives(default, cases) => {
            in_number(default, attr, of);
            cases.iter_mut().for_each(|(one, _)| in_number(one, attr, of));
        }
        Num::Given(_, _, inner) => in_number(inner, attr, of),
        Num::Int(_)
        | Num::Slot(_)
        | Num::Role(_)
        | Num::Attr(..)
        | Num::Base(..)
        | Num::AttrFor(..)
        | Num::Count(_)
        | Num::Total(..)
        | Num::Extreme(..)
        | Num::Least(..) => {}
    }
}
