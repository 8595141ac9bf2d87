//! Requirements of which parts are kept by themselves.

use netrep_ir::order::{cost, may_fault};
use netrep_ir::*;

use crate::program::walk::{self, Phase};

/// A condition of which parts are kept by themselves, because what else it reads changes more often.
#[derive(Debug)]
pub(crate) enum Parted {
    /// It hangs on nothing but the position and, if so, on what carries the declaration.
    Kept {
        number: u32,
        reads_this: bool,
        cond: Cond,
    },
    Asked(Cond),
    All(Joined),
    Any(Joined),
    Not(Box<Parted>),
}

/// Parts of which one decides.
#[derive(Debug)]
pub(crate) struct Joined {
    /// Numbered like what is kept.
    pub number: u32,
    /// Each with whether it may be asked sooner than what stands before it: that is no fault then.
    pub parts: Vec<(bool, Parted)>,
}

impl Parted {
    /// Parts are numbered from `next` on. `foreseeing`: the attributes that hang on what a declaration would do.
    pub(crate) fn new(cond: &Cond, foreseeing: &[bool], next: &mut u32) -> Parted {
        let mut each = |parts: &[Cond]| {
            let number = *next;
            *next += 1;
            let mut part = |part| (!may_fault(part), Parted::new(part, foreseeing, next));
            Joined { number, parts: parts.iter().map(&mut part).collect() }
        };
        match cond {
            Cond::And(parts) => Parted::All(each(parts)),
            Cond::Or(parts) => Parted::Any(each(parts)),
            Cond::Not(inner) => Parted::Not(Box::new(Parted::new(inner, foreseeing, next))),
            leaf => {
                let phase = walk::phase(leaf, foreseeing);
                let plain = phase <= Phase::Carried && !walk::foresees(leaf, foreseeing);
                if !plain || cost(leaf) <= CHEAP {
                    return Parted::Asked(leaf.clone());
                }
                *next += 1;
                Parted::Kept { number: *next - 1, reads_this: phase == Phase::Carried, cond: leaf.clone() }
            }
        }
    }
}

/// What is as cheap as that is not worth keeping.
const CHEAP: u32 = 2;
