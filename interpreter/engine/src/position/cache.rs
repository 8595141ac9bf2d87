//! Derived columns, outside the state's hash and save: one dirty mark, filled lazily at the first read after a write.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use netrep_ir::{ClauseId, EntryId, ModifierId};

use crate::position::effects::Effects;
use crate::position::error::{ErrorKind, Fault};
use crate::position::kept::Kept;
use crate::position::link::Link;
use crate::position::set::{Set, ThingId};
use crate::position::sight::Sights;
use crate::position::state::State;
use crate::position::tried::TrialRoom;
use crate::position::verify::{Planted, Verify, Verifying};
use crate::position::versions::Reads;

/// A value and the moment for which it holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held<T> {
    pub epoch: u64,
    /// The filling that is at work on it; 0 if none is.
    pub filling: u64,
    /// The filling that was at work on something else that this value hangs on, so that it holds only while that lasts;
    /// 0 if there was none.
    pub within: u64,
    /// The moment for which it was filled or found to hold still, and what of the position it rests on.
    pub at: u64,
    pub reads: Reads,
    /// The moment, as `epoch`, at which what is kept of the position of which this is a copy was found to serve instead.
    pub passed_over: Cell<u64>,
    pub data: T,
}

impl<T> Held<T> {
    /// Whether nothing on which it rests has been written since.
    pub(crate) fn holds_in(&self, state: &State) -> bool {
        self.at != NEVER && self.within == 0 && state.versions.last(&self.reads) <= self.at
    }
}

/// Of so many kept answers one is asked again where assertions are on: there are many for each new one, and more would cost as
/// much as what is new. `verified` of the tests asks every fifth.
const SAMPLE: u32 = if cfg!(debug_assertions) { 512 } else { 0 };

/// Before any moment: what is of it is stale.
const NEVER: u64 = 0;

/// A column of derived values.
pub(crate) type Column<T> = Held<Vec<T>>;

/// A value of this moment, filled if it is older; `None` while it is being filled, which a fold that depends on itself
/// would ask for. What was filled then, without knowing the whole, is forgotten when that is filled: else it would
/// hang on what was asked first.
pub(crate) fn fresh<'a, T: Default + PartialEq>(
    cache: &'a Cache,
    state: &State,
    cell: &'a RefCell<Held<T>>,
    below: Option<(&'a Cache, &'a RefCell<Held<T>>)>,
    fill: impl FnOnce(&mut T),
) -> Option<std::cell::Ref<'a, Held<T>>> {
    if let Some(held) = below.and_then(|(_, below)| below.try_borrow().ok())
        && held.filling == 0
        && let Ok(own) = cell.try_borrow()
        && (own.passed_over.get() == cache.epoch || held.holds_in(state))
    {
        own.passed_over.set(cache.epoch);
        state.versions.note_all(&held.reads);
        return Some(held);
    }
    {
        let held = cell.try_borrow().ok()?;
        if held.filling != 0 {
            cache.fillings.note(held.filling);
            return None;
        }
        if held.epoch == cache.epoch && (held.within == 0 || cache.fillings.note(held.within)) {
            state.versions.note_all(&held.reads);
            return Some(held);
        }
    }
    let now = state.moment_asked();
    let (outer, mut data, known) = {
        let mut held = cell.try_borrow_mut().ok()?;
        let planted = cache.verifying.has(Planted::Columns) && held.at != NEVER;
        let holds = cache.keeps && (planted || held.holds_in(state));
        let verified = holds && cache.verifying.is_due();
        if holds && !verified {
            (held.epoch, held.at) = (cache.epoch, now);
            state.versions.note_all(&held.reads);
            drop(held);
            return cell.try_borrow().ok();
        }
        let (filling, outer) = cache.fillings.begin();
        held.filling = filling;
        let data = std::mem::take(&mut held.data);
        if verified { (outer, T::default(), Some(data)) } else { (outer, data, None) }
    };
    let before = state.begin_reading();
    fill(&mut data);
    let reads = state.end_reading(&before);
    let within = cache.fillings.end(outer);
    if known.is_some_and(|known| known != data) {
        cache.differs("a column that is kept");
    }
    if let Some((of_game, below)) = below
        && within == 0
        && cache.serves_below(of_game, state, &reads)
        && let Ok(mut held) = below.try_borrow_mut()
        && held.filling == 0
    {
        let at = of_game.kept.floor.get();
        *held = Held { epoch: NEVER, filling: 0, within, at, reads, data, ..Held::default() };
        drop(held);
        forget_filling(cell);
        return below.try_borrow().ok();
    }
    {
        let mut held = cell.try_borrow_mut().ok()?;
        *held = Held { epoch: cache.epoch, filling: 0, within, at: now, reads, data, ..Held::default() };
    }
    cell.try_borrow().ok()
}

/// Nothing is being filled, and nothing is known.
fn forget_filling<T>(cell: &RefCell<Held<T>>) {
    if let Ok(mut held) = cell.try_borrow_mut() {
        (held.filling, held.epoch, held.at) = (0, NEVER, NEVER);
    }
}

/// The fillings at work, outermost first, and which of them were asked for what they had not done yet.
#[derive(Debug)]
pub(crate) struct Fillings {
    running: RefCell<Vec<u64>>,
    begun: Cell<u64>,
    /// The outermost that was asked for, since the filling on top began.
    asked: Cell<usize>,
}

/// None was asked for.
const NONE: usize = usize::MAX;

impl Default for Fillings {
    fn default() -> Self {
        Fillings { running: RefCell::default(), begun: Cell::new(0), asked: Cell::new(NONE) }
    }
}

impl Fillings {
    /// Notes that a filling was asked for what it had not done yet, if it is at work; whether it is.
    fn note(&self, filling: u64) -> bool {
        let at = self.running.borrow().iter().position(|one| *one == filling);
        if let Some(at) = at {
            self.asked.set(self.asked.get().min(at));
        }
        at.is_some()
    }

    /// A new filling, and what was asked for before it.
    fn begin(&self) -> (u64, usize) {
        let filling = self.begun.get() + 1;
        self.begun.set(filling);
        self.running.borrow_mut().push(filling);
        (filling, self.asked.replace(NONE))
    }

    /// Ends the filling on top; the outermost of the others on which it hangs, or 0.
    fn end(&self, outer: usize) -> u64 {
        let mut running = self.running.borrow_mut();
        running.pop();
        match running.get(self.asked.get()) {
            Some(hangs) => {
                self.asked.set(outer.min(self.asked.get()));
                *hangs
            }
            None => {
                self.asked.set(outer);
                0
            }
        }
    }

    /// Runs something; and whether it hangs on no filling that is at work.
    pub(crate) fn apart<T>(&self, run: impl FnOnce() -> T) -> (T, bool) {
        let outer = self.asked.replace(NONE);
        let value = run();
        let asked = self.asked.get();
        self.asked.set(outer.min(asked));
        (value, asked == NONE)
    }
}

/// The derived values of a position.
#[derive(Debug)]
pub(crate) struct Cache {
    /// Changes with every write.
    pub epoch: u64,
    /// Per attribute that needs it (see [`Link::kept`]): current numbers, thing-major.
    pub numbers: Vec<RefCell<Column<i32>>>,
    /// The same for current sets, one for each entry (or one for a flag).
    pub sets: Vec<RefCell<Column<u64>>>,
    /// The things whose clauses function.
    pub functioning: RefCell<Held<Set>>,
    /// The things whose effects are canceled as long as something is so.
    pub canceled: RefCell<Held<Set>>,
    /// What is being filled.
    pub fillings: Fillings,
    /// How deep derived definitions are nested at this moment.
    pub depth: Cell<u16>,
    /// The first fault met by an evaluation; reported when the statement ends.
    pub fault: RefCell<Option<Fault>>,
    /// This is a trial of what a declaration would do.
    pub trying: bool,
    /// What is worked out is kept from one moment to the next, as far as what it has read is not written.
    pub keeps: bool,
    /// Answers that are kept so.
    pub kept: Kept,
    /// What of it is worked out again.
    pub verifying: Verifying,
    /// What the players see.
    pub sights: Sights,
    /// What trials work with.
    pub spare: RefCell<Option<Box<TrialRoom>>>,
    /// What was consulted.
    pub log: crate::position::consulted::Log,
    /// Where what takes effect is noted, if anybody wants to know.
    pub effects: Option<Arc<Effects>>,
    /// If so: what modifiers have changed in the columns that are filled, by attribute.
    pub changed: RefCell<Vec<Vec<Changed>>>,
}

/// A value of a filled column that a modifier has changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed {
    pub thing: ThingId,
    pub modifier: ModifierId,
    /// The entry that it gave or took away, of an attribute that can have several.
    pub entry: Option<EntryId>,
}

impl Cache {
    pub(crate) fn new(link: &Link) -> Cache {
        Cache { log: crate::position::consulted::Log::new(&link.program), ..Cache::empty(link) }
    }

    /// Without a log.
    pub(crate) fn empty(link: &Link) -> Cache {
        Cache::of_columns(link.columns)
    }

    /// For what is asked under a veil: no column is kept of that.
    pub(crate) fn blind() -> Cache {
        Cache::of_columns(0)
    }

    fn of_columns(attrs: usize) -> Cache {
        Cache {
            epoch: 1,
            numbers: (0..attrs).map(|_| RefCell::default()).collect(),
            sets: (0..attrs).map(|_| RefCell::default()).collect(),
            functioning: RefCell::default(),
            canceled: RefCell::default(),
            fillings: Fillings::default(),
            depth: Cell::new(0),
            fault: RefCell::new(None),
            trying: false,
            keeps: true,
            kept: Kept::default(),
            verifying: Verifying::new(Verify { every: SAMPLE, planted: None }),
            sights: Sights::default(),
            spare: RefCell::new(None),
            log: crate::position::consulted::Log::default(),
            effects: None,
            changed: RefCell::default(),
        }
    }

    /// An empty one for the same game: what is noted of it goes on being noted.
    pub(crate) fn emptied(&mut self, link: &Link) -> Cache {
        let (log, effects) = (std::mem::take(&mut self.log), self.effects.take());
        Cache { log, effects, verifying: self.verifying.clone(), ..Cache::empty(link) }
    }

    /// Marks every derived value as stale.
    #[inline]
    pub(crate) fn touch(&mut self) {
        self.epoch += 1;
    }

    /// Asks what is said about something that may be nonsense, such as why it is not legal: that it means several things
    /// where one is meant, or somebody who is not there, is no fault of the position. What was kept meanwhile may hang on
    /// it, and is stale.
    pub(crate) fn aside<T>(&self, ask: impl FnOnce() -> T) -> T {
        let before = self.fault.take();
        let said = ask();
        let met = self.fault.replace(before);
        match met {
            Some(fault) if matches!(fault.kind, ErrorKind::Several | ErrorKind::Unplayed) => {
                self.forget_columns();
            }
            Some(fault) => self.fail(fault),
            None => {}
        }
        said
    }

    /// Nothing that is worked out holds any more.
    pub(crate) fn forget(&mut self) {
        self.touch();
        self.forget_columns();
        self.kept = Kept::default();
        self.sights.clear();
        // The position may come by stamps that it had in another course.
        self.spare = RefCell::new(None);
    }

    /// Begins to serve a copy of the position of which another one is kept: what it knows is of a copy that is gone.
    pub(crate) fn begin_again(&mut self, of: &Cache) {
        self.touch();
        self.forget_columns();
        self.kept.clear();
        self.sights.clear();
        *self.fault.get_mut() = None;
        self.verifying = of.verifying.clone();
        self.effects.clone_from(&of.effects);
        self.log.begin_like(&of.log);
    }

    fn forget_columns(&self) {
        fn forget<T>(held: &RefCell<Held<T>>) {
            let mut held = held.borrow_mut();
            (held.epoch, held.at) = (NEVER, NEVER);
        }
        self.numbers.iter().for_each(forget);
        self.sets.iter().for_each(forget);
        forget(&self.functioning);
        forget(&self.canceled);
    }

    /// Something that is kept is another thing when it is worked out again.
    pub(crate) fn differs(&self, what: &str) {
        let text = format!("{what} is another when it is worked out again");
        self.fail(Fault::new(ErrorKind::Unsound, ClauseId(0), text));
    }

    /// Whether what is worked out in a copy in which something is supposed, and rests on these parts, is so in the game as
    /// well, because nothing of that has been written.
    pub(crate) fn serves_below(&self, below: &Cache, state: &State, reads: &Reads) -> bool {
        // One trial does not hold another, so that something else may come out there; and what took effect is noted there.
        let plain = !self.trying && below.effects.is_none() && !self.is_faulty();
        plain && (self.verifying.has(Planted::Supposed) || state.versions.last(reads) <= below.kept.floor.get())
    }

    /// Whether an evaluation has met a fault.
    pub(crate) fn is_faulty(&self) -> bool {
        !self.fault.try_borrow().is_ok_and(|fault| fault.is_none())
    }

    /// Notes a fault that takes words to tell, unless there is one.
    pub(crate) fn fail_once(&self, fault: impl FnOnce() -> Fault) {
        if self.fault.try_borrow().is_ok_and(|noted| noted.is_none()) {
            self.fail(fault());
        }
    }

    /// Notes a fault; the first one stands.
    pub(crate) fn fail(&self, fault: Fault) {
        if let Ok(mut slot) = self.fault.try_borrow_mut() {
            slot.get_or_insert(fault);
        }
    }
}
