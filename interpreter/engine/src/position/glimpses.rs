//! What is asked again and again under a veil ([`crate::position::veil`]), and the answers that are kept.

use std::cell::RefCell;

use netrep_ir::{AttrId, ModifierId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::position::grounds::Noted;
use crate::position::set::{Set, ThingId};
use crate::position::veil::Works;

/// An answer that is kept, and whether something hidden was asked for on the way to it.
#[derive(Clone, Debug)]
pub(crate) struct Glimpse<T> {
    pub noted: Noted,
    pub asked: bool,
    pub value: T,
}

/// A modifier in force as it is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Force {
    pub id: ModifierId,
    pub this: Option<ThingId>,
    /// The place among the effects of the one that laid it down; none if it stands.
    pub effect: Option<usize>,
    pub order: ((usize, u32), u8, u32),
}

/// What a modifier is about, among some things.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct About {
    pub among: Set,
    pub subjects: Set,
}

/// Answers by the number of what was asked.
pub(crate) type Kept<T> = RefCell<FxHashMap<u32, Glimpse<T>>>;

/// Of which attribute and thing entries are.
pub(crate) type EntriesOf = (AttrId, ThingId);

/// The entries of a thing, a bit for each.
pub(crate) type Entries = SmallVec<[u64; 1]>;

/// Answers to one question, by what was cut off on the way to each.
type Variants<T> = SmallVec<[(Works, Glimpse<T>); 1]>;

/// What is asked again and again on the way to what a view shows. Whatever rests on the answer to one of these rests on that,
/// and not on what that rests on: where it is asked anew and the same, what rests on it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    /// The things that lie where their clauses function.
    AtWork,
    /// The things whose effects are canceled.
    Canceled,
    /// The modifiers of an attribute that are in force.
    Forces(AttrId),
    /// What a modifier is about: its number, what carries it, and the place of the effect that laid it down.
    Subjects(ModifierId, Option<ThingId>, Option<usize>),
}

/// What is kept of what is asked again and again.
#[derive(Debug, Default)]
pub(crate) struct Glimpses {
    /// The things that lie where their clauses function, and those whose effects are canceled.
    pub things: Kept<Set>,
    /// The modifiers in force.
    pub forces: Kept<Vec<Force>>,
    /// What they are about.
    pub subjects: Kept<About>,
    /// By attribute and thing: which entries modifiers leave it, where one modifier's work is another one's ground.
    pub altered: RefCell<FxHashMap<EntriesOf, Variants<Option<Entries>>>>,
}

impl Glimpses {
    /// Calls something for what each answer rests on.
    pub(crate) fn each_noted(&mut self, each: &mut dyn FnMut(&mut Noted)) {
        self.things.get_mut().values_mut().for_each(|glimpse| each(&mut glimpse.noted));
        self.forces.get_mut().values_mut().for_each(|glimpse| each(&mut glimpse.noted));
        self.subjects.get_mut().values_mut().for_each(|glimpse| each(&mut glimpse.noted));
        self.altered.get_mut().values_mut().flatten().for_each(|(_, glimpse)| each(&mut glimpse.noted));
    }
}

/// What is another in an answer than in the one before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Differs {
    /// Nothing that anything could rest on.
    Not,
    /// What it says of some things.
    Of(Set),
    Wholly,
}

/// Answers that are compared with those before.
pub(crate) trait Alike {
    fn differs(&self, before: &Self) -> Differs;
}

/// What is in one of two sets only.
fn in_one_only(one: &Set, other: &Set) -> Differs {
    let mut differ = one.minus(other.words());
    differ.add(other.minus(one.words()).words());
    if differ.is_empty() { Differs::Not } else { Differs::Of(differ) }
}

impl Alike for Set {
    fn differs(&self, before: &Set) -> Differs {
        in_one_only(self, before)
    }
}

impl Alike for Vec<Force> {
    fn differs(&self, before: &Vec<Force>) -> Differs {
        if self == before { Differs::Not } else { Differs::Wholly }
    }
}

impl Alike for About {
    /// On what is there no more, or has just come, nothing rests.
    fn differs(&self, before: &About) -> Differs {
        let both = self.among.and(before.among.words());
        in_one_only(&self.subjects.and(both.words()), &before.subjects.and(both.words()))
    }
}
