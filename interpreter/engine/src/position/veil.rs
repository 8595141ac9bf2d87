//! A player's eyes: what is hidden from him, and what is noted of what is asked with them.
//!
//! An answer under a veil follows from three things: parts of the position, which of some things are hidden, and which
//! attributes were being worked out when it was asked (what leads back to one of them is cut off). A veil notes all three
//! while something is asked, so that what is kept is the answer that would be given anew.
//!
//! What is shown only if it hangs on nothing hidden is given up at the first hidden thing that it asks for: the rest of the
//! way is not gone, and it rests on that this thing is hidden, and on what led to it.

use std::cell::{Cell, RefCell};

use netrep_ir::{AttrId, Program, RoleId};
use smallvec::SmallVec;

use crate::position::glimpses::Glimpses;
use crate::position::grounds::{Changed, Grounds, Noted, Shape};
use crate::position::retold::{Bits, Retold};
use crate::position::set::{Set, ThingId};
use crate::position::state::State;
use crate::position::versions::Reads;
use crate::program::layout::Layout;

/// Attributes, what functions (the number behind them), that it is given up what asks for something hidden (the number behind
/// that), and roles of which it was asked who plays them (behind these): a bit for each.
pub(crate) type Works = SmallVec<[u64; 6]>;

/// What was noted before something is asked, for [`Veil::end`].
pub(crate) struct Before {
    reads: Reads,
    looked: Set,
    worked: Works,
    apiece: Apiece,
    used: Bits,
    asked: bool,
}

/// Parts of the position that were read of some things only, a bit for each, and the things of which any of them was.
#[derive(Clone, Debug)]
pub(crate) struct Apiece {
    pub parts: Reads,
    pub things: Set,
}

/// A player's eyes.
#[derive(Debug)]
pub(crate) struct Veil {
    hidden: Set,
    /// Those of them that belong to hidden cards.
    sealed: Set,
    /// Those of which the player knows no history: hidden things, and what others hold and have revealed to them.
    without_history: Set,
    asked: Cell<bool>,
    /// What is being worked out, and whether it is given up if it asks for something hidden.
    busy: RefCell<Works>,
    attrs: usize,
    works: usize,
    /// Hidden things that have been hidden as long as there is this veil.
    steady: Set,
    /// The things of which it was asked whether they are hidden.
    looked: RefCell<Set>,
    /// What was worked out, or would have been if it were not being worked out.
    worked: RefCell<Works>,
    /// What was read of some things only.
    apiece: RefCell<Apiece>,
    /// The answers that were used of what is asked again and again.
    pub used: RefCell<Bits>,
    /// A mistake on purpose: what was found hidden is not noted.
    pub unlit: bool,
    /// Another: what is read of some things is not noted.
    pub unread: bool,
    /// Another: what was cut off is told wherever it is asked.
    pub uncut: bool,
    pub grounds: Grounds,
    pub retold: Retold,
    pub glimpses: Glimpses,
}

/// What is hidden from a player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hidden {
    pub hidden: Set,
    pub sealed: Set,
    pub without_history: Set,
}

impl Veil {
    /// A veil of which nothing is kept yet.
    pub(crate) fn new(state: &State, of: Hidden, program: &Program) -> Veil {
        let width = of.hidden.width();
        let attrs = program.attrs.len();
        let works = (attrs + 2 + program.roles.len()).div_ceil(64);
        let shape = Shape { parts: state.versions.parts.len().div_ceil(64), things: width, works };
        Veil {
            steady: of.hidden.clone(),
            hidden: of.hidden,
            sealed: of.sealed,
            without_history: of.without_history,
            asked: Cell::new(false),
            busy: RefCell::new(SmallVec::from_elem(0, works)),
            attrs,
            works,
            looked: RefCell::new(Set::empty(width)),
            worked: RefCell::new(SmallVec::from_elem(0, works)),
            apiece: RefCell::new(shape.apiece()),
            used: RefCell::default(),
            unlit: false,
            unread: false,
            uncut: false,
            grounds: Grounds::new(shape, state.moment()),
            retold: Retold::default(),
            glimpses: Glimpses::default(),
        }
    }

    /// Draws it before the position as it is now: what is kept holds as far as it rests on nothing that has changed since.
    /// `of`: what is hidden, if it is not the same as before.
    pub(crate) fn redraw(&mut self, layout: &Layout, state: &State, of: Option<Hidden>) {
        let before = self.hidden.clone();
        let changed = of.map(|of| self.turn(layout, state, of));
        self.grounds.go_on(layout, state, changed, (&before, &self.hidden));
        self.retold.go_on();
    }

    /// Hides other things; answers what has changed by that.
    fn turn(&mut self, layout: &Layout, state: &State, of: Hidden) -> Changed {
        let pairs =
            [(&self.hidden, &of.hidden), (&self.sealed, &of.sealed), (&self.without_history, &of.without_history)];
        let mut turned = Set::empty(self.hidden.width());
        for (old, new) in pairs {
            turned.add(old.minus(new.words()).words());
            turned.add(new.minus(old.words()).words());
        }
        // What belongs to a hidden card is not even there: it comes and goes like what is (`State::set_existing`).
        let mut come = self.sealed.minus(of.sealed.words());
        come.add(of.sealed.minus(self.sealed.words()).words());
        let mut parts = Vec::new();
        for thing in &come {
            let class = state.class_of(thing).map(|class| layout.class(class));
            let place = state.place(layout, thing).map(|place| layout.place(place));
            let slots = [Some(layout.existing()), class, place].into_iter().flatten();
            parts.extend(slots.map(|slot| (thing, layout.parts.slot(slot))));
        }
        let place = |thing| Some((thing, layout.parts.slot(layout.place(state.place(layout, thing)?))));
        let places = turned.iter().filter_map(place).collect();
        // What has just been made knows of nothing hidden yet.
        if self.hidden.is_empty() {
            self.steady = of.hidden.clone();
        } else {
            self.steady.cut(turned.words());
        }
        (self.hidden, self.sealed, self.without_history) = (of.hidden, of.sealed, of.without_history);
        Changed { turned, parts, places }
    }

    /// Whether it can be drawn anew before a position: it is another one than before, and as wide as that.
    pub(crate) fn can_be_redrawn(&self, moment: u64, width: usize) -> bool {
        self.moment() < moment && self.hidden.width() == width
    }

    /// The moment for which it is drawn.
    pub(crate) fn moment(&self) -> u64 {
        self.grounds.moment()
    }

    /// The hidden things, for what is not kept.
    pub(crate) fn hidden(&self) -> &Set {
        &self.hidden
    }

    /// Those of the hidden things of which it is not even known that they are there. Who reads them notes what there is.
    pub(crate) fn sealed(&self) -> &Set {
        &self.sealed
    }

    /// Notes that a part of the position is read of some things, whatever it holds of others. A place is read of them as far
    /// as none that lies there is hidden: if another is, or was, that is as if the place had been read of all.
    pub(crate) fn reads_of(&self, part: usize, things: &Set) {
        let mut apiece = self.apiece.borrow_mut();
        if let Some(word) = apiece.parts.get_mut(part / 64).filter(|_| !self.unread) {
            *word |= 1 << (part % 64);
        }
        apiece.things.add(things.words());
    }

    /// The same of one thing.
    pub(crate) fn reads_of_one(&self, part: usize, thing: ThingId) {
        let mut apiece = self.apiece.borrow_mut();
        if let Some(word) = apiece.parts.get_mut(part / 64).filter(|_| !self.unread) {
            *word |= 1 << (part % 64);
        }
        apiece.things.insert(thing);
    }

    /// Notes that what is read of some things is read of these too.
    pub(crate) fn reads_too(&self, things: &Set) {
        self.apiece.borrow_mut().things.add(things.words());
    }

    /// Whether any of some things is hidden, which is not noted.
    pub(crate) fn covers_any(&self, things: &Set) -> bool {
        things.meets(self.hidden.words())
    }

    /// Whether a thing is hidden.
    pub(crate) fn hides(&self, thing: ThingId) -> bool {
        self.looked.borrow_mut().insert(thing);
        self.hidden.contains(thing)
    }

    /// Whether the player knows no history of a thing.
    pub(crate) fn hides_history(&self, thing: ThingId) -> bool {
        self.looked.borrow_mut().insert(thing);
        self.without_history.contains(thing)
    }

    /// Whether any of some things is hidden: one that is, is noted, else all of them.
    pub(crate) fn hides_any(&self, things: &Set) -> bool {
        let mut hidden = things.and(self.hidden.words());
        let steady = hidden.and(self.steady.words());
        if !steady.is_empty() {
            hidden = steady;
        }
        match hidden.first() {
            Some(_) if self.unlit => {}
            Some(one) => self.looked.borrow_mut().insert(one),
            None => self.looked.borrow_mut().add(things.words()),
        }
        !hidden.is_empty()
    }

    /// What is not hidden of some things.
    pub(crate) fn visible(&self, things: &Set) -> Set {
        self.looked.borrow_mut().add(things.words());
        things.minus(self.hidden.words())
    }

    /// Something hidden was asked for.
    pub(crate) fn asks(&self) {
        self.asked.set(true);
        let (at, bit) = self.giving_up();
        if self.busy.borrow().get(at).is_some_and(|busy| busy & bit != 0)
            && let Some(word) = self.worked.borrow_mut().get_mut(at)
        {
            *word |= bit;
        }
    }

    /// Where it stands that it is given up what asks for something hidden.
    fn giving_up(&self) -> (usize, u64) {
        let number = self.attrs + 1;
        (number / 64, 1 << (number % 64))
    }

    /// Notes that it was asked who plays a role.
    pub(crate) fn asks_for(&self, role: RoleId) {
        let (at, bit) = self.asking_for(role);
        self.worked.borrow_mut().get_mut(at).into_iter().for_each(|word| *word |= bit);
    }

    /// Whether it was asked on the way to something who plays a role.
    pub(crate) fn asked_for(&self, worked: &[u64], role: RoleId) -> bool {
        let (at, bit) = self.asking_for(role);
        worked.get(at).is_some_and(|word| word & bit != 0)
    }

    /// Where it stands that it was asked who plays a role.
    fn asking_for(&self, role: RoleId) -> (usize, u64) {
        let number = self.attrs + 2 + role.index();
        (number / 64, 1 << (number % 64))
    }

    /// Whether what is asked has been given up: whatever it says counts for nothing.
    #[inline]
    pub(crate) fn has_given_up(&self) -> bool {
        let (at, bit) = self.giving_up();
        self.asked.get() && self.busy.borrow().get(at).is_some_and(|busy| busy & bit != 0)
    }

    /// Asks what counts for nothing if it asks for something hidden.
    pub(crate) fn or_give_up<T>(&self, ask: impl FnOnce() -> T) -> T {
        let (at, bit) = self.giving_up();
        let set = |works: &RefCell<Works>, on: bool| {
            let mut works = works.borrow_mut();
            // total: there is a word for each number.
            works.get_mut(at).is_some_and(|word| {
                let was = *word & bit != 0;
                *word = if on { *word | bit } else { *word & !bit };
                was
            })
        };
        let (noted, was) = (set(&self.worked, false), set(&self.busy, true));
        let value = ask();
        // Whether it was given up before hangs on nothing around it.
        set(&self.busy, was);
        set(&self.worked, noted);
        value
    }

    /// Notes that something hidden was asked for, if any of these is.
    pub(crate) fn touch(&self, things: &Set) {
        if self.hides_any(things) {
            self.asks();
        }
    }

    /// Notes that something hidden was asked for, if anything is.
    pub(crate) fn touch_all(&self) {
        let width = self.hidden.width();
        self.touch(&Set::first_n(width * 64, width));
    }

    /// What is not hidden of these; notes that the others were asked for.
    pub(crate) fn lift(&self, things: &Set) -> Set {
        self.touch(things);
        if self.has_given_up() { Set::empty(self.hidden.width()) } else { self.visible(things) }
    }

    /// What an evaluation gives if it asks for nothing hidden.
    pub(crate) fn unless_asked<T>(&self, evaluate: impl FnOnce() -> T) -> Option<T> {
        self.asked.set(false);
        let value = self.or_give_up(evaluate);
        (!self.asked.get()).then_some(value)
    }

    /// Runs with an attribute being worked out; `None` if it already is.
    pub(crate) fn within<T>(&self, attr: AttrId, run: impl FnOnce() -> T) -> Option<T> {
        self.working(attr.index(), run)
    }

    /// Asks what functions, unless that is being asked.
    pub(crate) fn only_once<T>(&self, ask: impl FnOnce() -> T) -> Option<T> {
        self.working(self.attrs, ask)
    }

    fn working<T>(&self, number: usize, run: impl FnOnce() -> T) -> Option<T> {
        let (at, bit) = (number / 64, 1 << (number % 64));
        if let Some(word) = self.worked.borrow_mut().get_mut(at) {
            *word |= bit;
        }
        let busy = |on: bool| {
            let mut busy = self.busy.borrow_mut();
            let word = busy.get_mut(at)?;
            let was = *word & bit != 0;
            *word = if on { *word | bit } else { *word & !bit };
            Some(was)
        };
        if busy(true) == Some(true) {
            return None;
        }
        let value = run();
        busy(false);
        Some(value)
    }

    /// Of what is or would be worked out on the way to an answer that which is being worked out now: there it is cut off.
    pub(crate) fn busy_of(&self, worked: &[u64]) -> Works {
        self.busy.borrow().iter().zip(worked).map(|(busy, worked)| busy & worked).collect()
    }

    /// Whether an answer for which all that was worked out on the way was cut off there, and no more, would be given now.
    pub(crate) fn is_cut_like(&self, worked: &[u64], under: &[u64]) -> bool {
        self.busy.borrow().iter().zip(worked).zip(under).all(|((busy, worked), under)| busy & worked == *under)
    }

    /// Asks something as if this were being worked out, and nothing else.
    pub(crate) fn under<T>(&self, works: &Works, ask: impl FnOnce() -> T) -> T {
        let busy = self.busy.replace(works.clone());
        let value = ask();
        self.busy.replace(busy);
        value
    }

    /// Begins to note what something rests on.
    pub(crate) fn begin(&self, state: &State) -> Before {
        let none = SmallVec::from_elem(0, self.works);
        Before {
            reads: state.begin_reading(),
            looked: self.looked.replace(Set::empty(self.hidden.width())),
            worked: self.worked.replace(none),
            apiece: self.apiece.replace(self.grounds.shape().apiece()),
            used: self.used.take(),
            asked: self.asked.replace(false),
        }
    }

    /// What something rests on that was asked since, and whether it asked for something hidden. What was noted before is
    /// noted still, and this too but the asking.
    pub(crate) fn end(&self, state: &State, before: Before) -> (Noted, bool) {
        let (noted, asked, before) = self.close(state, before);
        self.looked.borrow_mut().add(before.looked.words());
        unite(&mut self.worked.borrow_mut(), &before.worked);
        self.note_apiece(&before.apiece.parts, before.apiece.things.words());
        unite(&mut self.used.borrow_mut(), &before.used);
        (noted, asked)
    }

    /// The same, where nothing of this is noted for what was noted before.
    pub(crate) fn end_apart(&self, state: &State, before: Before) -> (Noted, bool) {
        let (noted, asked, before) = self.close(state, before);
        state.versions.begin();
        state.versions.note_all(&before.reads);
        self.looked.replace(before.looked);
        self.worked.replace(before.worked);
        self.apiece.replace(before.apiece.clone());
        self.used.replace(before.used);
        (noted, asked)
    }

    fn close(&self, state: &State, before: Before) -> (Noted, bool, Before) {
        let reads = state.end_reading(&before.reads);
        let asked = self.asked.replace(before.asked);
        let (looked, worked, used) = (self.looked.borrow(), self.worked.borrow(), self.used.borrow());
        let noted = self.grounds.number(&reads, looked.words(), &worked, &self.apiece.borrow(), &used);
        // Of what others have rested on before, it is noted that it is new here.
        self.holds(noted);
        (noted, asked, before)
    }

    /// Notes that what was noted of something is read.
    pub(crate) fn note(&self, state: &State, noted: Noted) {
        self.grounds.with(noted, |ground| {
            state.versions.note_all(ground.parts);
            self.looked.borrow_mut().add(ground.things);
            unite(&mut self.worked.borrow_mut(), ground.works);
            self.note_apiece(ground.apiece.0, ground.apiece.1);
            unite(&mut self.used.borrow_mut(), ground.used);
        });
    }

    fn note_apiece(&self, parts: &[u64], things: &[u64]) {
        let mut apiece = self.apiece.borrow_mut();
        unite(&mut apiece.parts, parts);
        apiece.things.add(things);
    }

    /// Notes that something is or would be worked out.
    pub(crate) fn note_works(&self, worked: &[u64]) {
        unite(&mut self.worked.borrow_mut(), worked);
    }
}

/// Adds bits to others.
fn unite<const N: usize>(words: &mut SmallVec<[u64; N]>, more: &[u64])
where
    [u64; N]: smallvec::Array<Item = u64>,
{
    if words.len() < more.len() {
        words.resize(more.len(), 0);
    }
    words.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}
