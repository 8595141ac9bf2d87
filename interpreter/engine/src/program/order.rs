//! In which order the parts of a condition are asked: what is cheap before what is dear, so that mostly the dear parts need
//! not be asked. What it says is the same; explanations follow the order of the words.
//!
//! A part that may be a fault (several things where one is meant) is asked no sooner than what stands before it.

use netrep_ir::*;

use crate::program::walk::{self, Node, Phase};

/// A condition with its parts in the order in which they are asked.
pub(crate) fn ordered(cond: &Cond) -> Cond {
    match cond {
        Cond::And(parts) => Cond::And(sorted(parts.iter().map(ordered).collect(), cost)),
        Cond::Or(parts) => Cond::Or(sorted(parts.iter().map(ordered).collect(), cost)),
        Cond::Not(inner) => Cond::Not(Box::new(ordered(inner))),
        Cond::Some(sel) => Cond::Some(ordered_sel(sel)),
        Cond::Every(a, b) => Cond::Every(ordered_sel(a), ordered_sel(b)),
        other => other.clone(),
    }
}

/// A selection with its parts in the order in which they are asked.
pub(crate) fn ordered_sel(sel: &Sel) -> Sel {
    match sel {
        Sel::And(parts) => {
            let mut parts: Vec<Sel> = parts.iter().map(ordered_sel).collect();
            // One that is known is where it begins.
            let known = matches!(parts.first(), Some(Sel::This | Sel::It(_) | Sel::Slot(_) | Sel::Role(_)));
            let rest = parts.split_off(usize::from(known));
            parts.extend(sorted(rest, cost_of_sel));
            Sel::And(parts)
        }
        Sel::Or(parts) => Sel::Or(sorted(parts.iter().map(ordered_sel).collect(), cost_of_sel)),
        Sel::Not(inner) => Sel::Not(Box::new(ordered_sel(inner))),
        Sel::Image(attr, of) => Sel::Image(*attr, Box::new(ordered_sel(of))),
        Sel::Preimage(attr, to) => Sel::Preimage(*attr, Box::new(ordered_sel(to))),
        Sel::Where(cond) => Sel::Where(Box::new(ordered(cond))),
        Sel::One(inner) => Sel::One(Box::new(ordered_sel(inner))),
        other => other.clone(),
    }
}

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
    All(Vec<Parted>),
    Any(Vec<Parted>),
    Not(Box<Parted>),
}

impl Parted {
    /// Parts are numbered from `next` on. `foreseeing`: the attributes that hang on what a declaration would do.
    pub(crate) fn new(cond: &Cond, foreseeing: &[bool], next: &mut u32) -> Parted {
        let mut each = |parts: &[Cond]| parts.iter().map(|part| Parted::new(part, foreseeing, next)).collect();
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

/// The parts, each before those that are dearer, as far as faults allow.
fn sorted<T: Walked>(parts: Vec<T>, cost: fn(&T) -> u32) -> Vec<T> {
    let mut found: Vec<(u32, T)> = Vec::with_capacity(parts.len());
    for part in parts {
        let cost = cost(&part);
        let at = if part.may_fault() {
            found.len()
        } else {
            found.iter().rposition(|(c, _)| *c <= cost).map_or(0, |n| n + 1)
        };
        found.insert(at, (cost, part));
    }
    found.into_iter().map(|(_, part)| part).collect()
}

/// What can be walked over.
trait Walked {
    fn walk<'a>(&'a self, see: &mut dyn FnMut(Node<'a>));

    /// Whether it may mean several things where one is meant.
    fn may_fault(&self) -> bool {
        let known = |sel: &Sel| matches!(sel, Sel::This | Sel::It(_) | Sel::Slot(_));
        let mut found = false;
        self.walk(&mut |node| {
            found |= match node {
                Node::Sel(Sel::One(_) | Sel::Next { .. }) => true,
                Node::Num(Num::Attr(_, of) | Num::Base(_, of) | Num::AttrFor(_, of, _)) => !known(of),
                Node::Ent(Ent::Attr(_, of) | Ent::Base(_, of)) => !known(of),
                _ => false,
            };
        });
        found
    }
}

impl Walked for Cond {
    fn walk<'a>(&'a self, see: &mut dyn FnMut(Node<'a>)) {
        walk::cond(self, see);
    }
}

impl Walked for Sel {
    fn walk<'a>(&'a self, see: &mut dyn FnMut(Node<'a>)) {
        walk::sel(self, see);
    }
}

/// What is found out by trying.
const TRIED: u32 = 10_000;
/// What is found out along what a declaration says.
const SAID: u32 = 500;
/// What is asked of one thing after the other.
const EACH: u32 = 20;

/// About how dear it is to ask a condition.
fn cost(cond: &Cond) -> u32 {
    match cond {
        Cond::Is(_) | Cond::During(_) | Cond::Closing(_) => 1,
        Cond::Some(sel) => cost_of_sel(sel),
        Cond::Every(a, b) => cost_of_sel(a).saturating_add(cost_of_sel(b)),
        Cond::And(parts) | Cond::Or(parts) => parts.iter().map(cost).fold(1, u32::saturating_add),
        Cond::Not(inner) => cost(inner),
        Cond::Barred(..) => EACH,
        other => nodes(other),
    }
}

fn cost_of_sel(sel: &Sel) -> u32 {
    match sel {
        Sel::And(parts) | Sel::Or(parts) => parts.iter().map(cost_of_sel).fold(1, u32::saturating_add),
        Sel::Not(inner) | Sel::One(inner) | Sel::Image(_, inner) | Sel::Preimage(_, inner) => {
            cost_of_sel(inner).saturating_add(2)
        }
        Sel::Where(cond) => cost(cond).saturating_mul(EACH),
        other => nodes(other),
    }
}

/// How many nodes something has; what is found out by looking ahead counts for many.
fn nodes(of: &impl Walked) -> u32 {
    let mut found = 0u32;
    of.walk(&mut |node| {
        found = found.saturating_add(match node {
            Node::Sel(Sel::Would(prospect)) => match **prospect {
                // Seen by what is chosen and paid.
                Prospect::Cost(_) | Prospect::Target(_) => 1,
                Prospect::Event(_) => SAID,
                Prospect::Effect(_) | Prospect::Change(_) => TRIED,
            },
            Node::Sel(Sel::Where(_)) => EACH,
            _ => 1,
        });
    });
    found
}
