//! What a player sees, as plain data: the views that clients are sent, and what is kept of them from one decision to the
//! next.

use std::cell::RefCell;
use std::sync::Arc;

use netrep_ir::{AttrId, PlaceId};
use serde::Serialize;

use crate::position::grounds::Noted;
use crate::position::set::{Set, ThingId};
use crate::position::stack::Decision;
use crate::position::submission::Submission;
use crate::position::veil::Veil;
use crate::position::versions::Reads;

/// A player's view of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Whose view.
    pub seat: String,
    /// The known things, in order of what is seen of them. One that looks as it did at the last decision is the same.
    pub things: Vec<Arc<Seen>>,
    /// What is hidden, by place and class.
    pub hidden: Vec<Pile>,
    /// What is running, outermost first: procedures, each with its step.
    pub running: Vec<String>,
    /// What is asked; nothing if nothing is left to decide.
    pub asked: Option<Asked>,
    /// This player's options in words, which are distinct; none if another decides.
    pub options: Vec<String>,
}

/// A known thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// The thing in words, which are distinct in this view and mean nothing in another.
    pub words: String,
    /// Its class.
    pub class: String,
    /// Where it is, in words; empty if nowhere.
    pub place: String,
    /// How high it lies in a pile, from 1 for the lowest; 0 if not in a pile, or if its height is not known.
    pub rank: i32,
    /// Its attributes in words, without those that are empty.
    pub facts: Vec<(String, String)>,
}

/// Things that are hidden in a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pile {
    /// The place in words.
    pub place: String,
    /// The class of the things.
    pub class: String,
    /// How many.
    pub count: usize,
}

/// A decision as a player sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Who decides; empty for chance.
    pub by: String,
    /// Whether it is the viewer.
    pub you: bool,
    /// What kind of decision it is.
    pub kind: Asks,
    /// What the viewer is asked, in words; empty if another decides.
    pub question: String,
    /// The label of the clause that asks the viewer; empty if another decides.
    pub clause: String,
}

/// The kinds of decision, as far as everyone may know them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asks {
    /// One of some things.
    Choose,
    /// Yes or no.
    May,
    /// One of several branches.
    Branch,
    /// An action, or nothing.
    Act,
    /// A step, or none.
    Step,
    /// What comes first.
    Order,
    /// Dice.
    Roll {
        /// How many.
        dice: u8,
        /// Who rolls.
        by: String,
        /// What for.
        subject: Option<String>,
    },
    /// A shuffling.
    Shuffle {
        /// Of which place.
        place: String,
    },
}

/// What an attribute says of a thing as it is seen, before things have their words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Says {
    /// Its words, of what is no thing; else what is seen of hidden things.
    pub words: Vec<String>,
    pub things: Vec<ThingId>,
}

/// A fact of a thing and what it rests on.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub attr: AttrId,
    /// It was so where the thing does not lie any more.
    pub is_past: bool,
    pub noted: Option<Noted>,
    /// Nothing where it says nothing, or where it hangs on what is hidden.
    pub says: Option<Says>,
}

/// Where a thing is, and how high as far as that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lies {
    pub place: Option<(PlaceId, Option<ThingId>)>,
    pub rank: i32,
}

/// What describes a thing that has no name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Describes {
    pub by: ThingId,
    pub is_hidden: bool,
}

/// What is seen of a thing.
#[derive(Debug)]
pub(crate) struct Portrait {
    pub name: Option<String>,
    pub lies: Lies,
    /// What describes it, and what that rests on.
    pub by: Option<Describes>,
    pub described: Option<Noted>,
    /// What all of it rests on, but where it lies.
    pub whole: Vec<u64>,
    pub facts: Vec<Fact>,
    /// The things that facts of it hold.
    pub held: Vec<(AttrId, ThingId)>,
    /// How it looks by itself, most telling first, in one text that sorts as its parts do.
    pub looks: String,
    /// The moment since which it looks so, and that since which it is described so.
    pub since: u64,
    pub called: u64,
    /// As it was last sent: the moment since which it looked so then, and the things that are named in it.
    pub sent: Option<Sent>,
}

impl Portrait {
    /// Calls something for what each part of it rests on.
    pub(crate) fn each_noted(&mut self, each: &mut dyn FnMut(&mut Noted)) {
        let facts = self.facts.iter_mut().map(|fact| &mut fact.noted);
        facts.chain([&mut self.described]).flatten().for_each(each);
    }
}

/// What is sent of a thing.
#[derive(Debug)]
pub(crate) struct Sent {
    pub seen: Arc<Seen>,
    pub since: u64,
    pub names: Set,
}

/// What can be answered with a thing, and with which others.
pub(crate) type Answering = (ThingId, String, Vec<ThingId>);

/// What a player may know, and submit, and what is kept of it for the next decision.
#[derive(Debug)]
pub(crate) struct Sight {
    pub seat: ThingId,
    pub view: View,
    /// What each option of the view submits.
    pub submissions: Vec<Submission>,
    /// What the view calls each thing, thing by thing; hidden ones by their class.
    pub words: Vec<String>,
    /// The player's eyes.
    pub veil: Veil,
    /// The decision for which it is.
    pub ask: Option<Decision>,
    /// The hidden things that the options show, and what it rests on what is hidden else.
    pub shown: Set,
    pub secrets: Option<Reads>,
    /// By thing.
    pub portraits: Vec<Option<Portrait>>,
    pub visible: Set,
    /// The known things in their order, and what else that rests on.
    pub order: Vec<ThingId>,
    pub answering: Vec<Answering>,
    pub rolled: Option<ThingId>,
    /// By class: its attributes that are shown.
    pub attrs: Vec<Option<Arc<[AttrId]>>>,
}

/// What the players see, by their seats, however many there are.
#[derive(Debug, Default)]
pub(crate) struct Sights(RefCell<Vec<(ThingId, Box<Sight>)>>);

impl Sights {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.0.get_mut().clear();
    }

    /// Reads what a seat sees, brought up to date from what is kept of it.
    pub(crate) fn with<T>(
        &self,
        seat: ThingId,
        update: impl FnOnce(Option<Box<Sight>>) -> Box<Sight>,
        read: impl FnOnce(&Sight) -> T,
    ) -> T {
        let kept = self.0.try_borrow_mut().ok().and_then(|mut all| {
            let at = all.iter().position(|one| one.0 == seat)?;
            Some(all.swap_remove(at).1)
        });
        let sight = update(kept);
        let said = read(&sight);
        if let Ok(mut all) = self.0.try_borrow_mut() {
            all.retain(|one| one.0 != seat);
            all.push((seat, sight));
        }
        said
    }
}
