//! What trials of declarations work with (see `foresee/trial`), and how far the last one has gone.

use netrep_ir::AllowanceId;

use crate::position::cache::Cache;
use crate::position::error::Fault;
use crate::position::link::Link;
use crate::position::set::ThingId;
use crate::position::state::State;
use crate::position::value::Locals;

/// What was tried, to tell whether it is tried again.
#[derive(Debug, PartialEq)]
pub(crate) enum What {
    Attempt { id: AllowanceId, seat: ThingId, this: Option<ThingId>, effect: u16, locals: Locals },
    ChainItem { frame: usize, n: usize },
    Pending { frame: usize, n: usize },
}

/// A trial, as far as it has gone: several questions may be asked of one.
#[derive(Debug)]
pub(crate) struct Tried {
    /// The moment of the position in which it was begun.
    pub at: u64,
    pub what: What,
    /// Courses that go on.
    pub open: Vec<(State, Course)>,
    /// Where courses have ended.
    pub ended: Vec<State>,
    /// How many courses there have been.
    pub courses: usize,
    /// Why it goes no further.
    pub stopped: Option<Stopped>,
}

/// Why a trial goes no further.
#[derive(Debug)]
pub(crate) enum Stopped {
    Fault(Fault),
    TooMany,
}

/// How far a course is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    Declaring,
    Resolving,
}

/// What trials of declarations work with, kept from one to the next for its room.
#[derive(Debug)]
pub(crate) struct TrialRoom {
    pub cache: Cache,
    /// The position in which what is tried was opened.
    pub opened: State,
    /// Positions that are done with.
    pub states: Vec<State>,
    /// What was tried last.
    pub tried: Option<Tried>,
}

impl TrialRoom {
    pub(crate) fn new(link: &Link) -> TrialRoom {
        TrialRoom {
            cache: Cache { trying: true, keeps: false, ..Cache::new(link) },
            opened: State::default(),
            states: Vec::new(),
            tried: None,
        }
    }
}
