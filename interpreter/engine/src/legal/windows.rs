//! What a window admits from whom, and whether they have to be asked.

use netrep_ir::*;
use smallvec::SmallVec;

use crate::ask::eval::{Cx, Eval};
use crate::position::set::ThingId;
use crate::position::stack::{At, Frame, Kind};
use crate::program::layout::OWNER;

/// What a window admits from one seat.
pub(crate) struct Admitted<'a> {
    /// What it admits itself, and what each window admits that must admit it too.
    layers: SmallVec<[Layer<'a>; 1]>,
    /// One of them admits nothing at all.
    none: bool,
    pub clause: ClauseId,
    pub site: SiteId,
}

/// What one window admits from a seat.
struct Layer<'a> {
    /// The clause that opens it.
    clause: ClauseId,
    /// Nothing: everything.
    kinds: SmallVec<[&'a Footprint; 2]>,
}

impl Admitted<'_> {
    /// Whether a declaration may be made: by its kind, its effects, or because it lifts what the window says.
    pub(crate) fn admits(&self, allowance: &Allowance, kind: Option<VerbId>) -> bool {
        let one = |layer: &Layer| {
            layer.kinds.is_empty()
                || allowance.despite.contains(&layer.clause)
                || layer.kinds.iter().any(|window| is_admitted_by(window, allowance, kind))
        };
        !self.none && self.layers.iter().all(one)
    }
}

impl<'a> Eval<'a> {
    /// What the open window admits from a seat; `None` if no window is open.
    pub(crate) fn admitted(&self, seat: ThingId) -> Option<Admitted<'a>> {
        let (top, below) = self.state.windows().split_last()?;
        let Kind::Window(window) = &top.kind else { return None };
        let (_, site) = self.link.statement(window.at)?;
        // Noted with what hangs on it.
        self.cache.log.during(self.state.acts.peek().iter().filter_map(|act| act.proc));
        let clause = self.link.block_clause(window.at.block);
        let mut admitted = Admitted { layers: SmallVec::new(), none: false, clause, site: *site };
        let mut response = self.admitted_in(top, usize::MAX, seat, &mut admitted)?;
        // What answers something is bound by the window in which that came about.
        for frame in below.iter().rev() {
            if !response {
                break;
            }
            if matches!(frame.kind, Kind::Window(_)) {
                response = self.admitted_in(frame, usize::from(frame.act) + 1, seat, &mut admitted)?;
            }
        }
        Some(admitted)
    }

    /// Adds what one window admits; whether it is one in response.
    fn admitted_in(&self, frame: &Frame, acts: usize, seat: ThingId, admitted: &mut Admitted<'a>) -> Option<bool> {
        let Kind::Window(window) = &frame.kind else { return None };
        let At { block, .. } = window.at;
        let (Statement::Window { admits, response }, _) = self.link.statement(window.at)? else { return None };
        // Noted with the windows.
        let cx = Cx::of(self.state.acts.peek().get(usize::from(frame.act))?, acts);
        self.cache.log.window(block);
        let (mut all, mut kinds) = (false, SmallVec::new());
        for admit in admits.iter().filter(|admit| self.has(&cx, &admit.by, seat) && self.open_now(&cx, admit)) {
            all |= admit.footprints.is_empty();
            kinds.extend(&admit.footprints);
        }
        admitted.none |= !all && kinds.is_empty();
        if !all {
            admitted.layers.push(Layer { clause: self.link.block_clause(block), kinds });
        }
        Some(*response)
    }

    fn open_now(&self, cx: &Cx, admit: &Admit) -> bool {
        admit.whilst.as_ref().is_none_or(|c| self.cond(cx, c))
    }

    /// Whether a seat of the window on top is there only while something is so that is not so now.
    pub(crate) fn is_dormant(&self, seat: ThingId) -> bool {
        self.dormancy(seat) == Some(true)
    }

    /// The same; `None` if no window is on top.
    fn dormancy(&self, seat: ThingId) -> Option<bool> {
        let Frame { kind: Kind::Window(window), act, .. } = self.state.frames.last()? else { return None };
        let (Statement::Window { admits, .. }, _) = self.link.statement(window.at)? else { return None };
        if admits.iter().all(|admit| admit.whilst.is_none()) {
            return Some(false);
        }
        let cx = Cx::of(self.state.acts.get(usize::from(*act))?, usize::MAX);
        self.cache.log.window(window.at.block);
        let mut here = admits.iter().filter(|admit| self.has(&cx, &admit.by, seat)).peekable();
        Some(here.peek().is_some() && here.all(|admit| !self.open_now(&cx, admit)))
    }

    /// Whether a seat has nothing to declare in the open window, and everybody may know it: nothing in the open, and what is
    /// hidden could not be declared there, whichever card of the program it is.
    pub(crate) fn has_nothing_to_declare(&self, seat: ThingId) -> bool {
        let secret = |t: ThingId| {
            let place = self.state.place(&self.link.layout, t).map(|p| self.link.program.place(p));
            place.is_some_and(|p| p.secrecy != Secrecy::Open && !p.ordered)
        };
        let own = |t: ThingId| self.state.thing_in(&self.link.layout, t, OWNER) == Some(seat);
        self.admitted(seat).is_none_or(|window| {
            let hides = || (0..self.state.ever()).map(ThingId::from_index).any(|t| own(t) && secret(t));
            let may_answer = || hides() && self.anything_could_be_declared(&window);
            window.none || !(may_answer() || self.declarations(seat, &mut |_| true))
        })
    }

    /// Whether anything that a rule or any card of the program says, in this game or not, could be declared now: asked of
    /// what everybody can read and see, so that it tells nothing of what a seat holds.
    fn anything_could_be_declared(&self, window: &Admitted) -> bool {
        let found = self.link.program.allowances.iter().find(|allowance| {
            // What the window does not admit anyway is not consulted.
            window.admits(allowance, self.link.verb_of(allowance)) && self.is_time(allowance, window)
        });
        // As long as one of them could be, nothing hangs on the others.
        match found {
            Some(allowance) => self.cache.log.did(allowance.clause),
            // What runs has been noted by those that hang on it.
            None => self.cache.log.silence(self.state.acts.peek().iter().filter_map(|act| act.proc)),
        }
        found.is_some()
    }
}

/// Whether a window that admits a kind of effect or declaration admits an allowance: what it does, or that a declaration of this kind is
/// made.
pub fn is_admitted_by(window: &Footprint, allowance: &Allowance, kind: Option<VerbId>) -> bool {
    matches!(window, Footprint::Does(verb, _) if Some(*verb) == kind)
        || allowance.footprint.iter().any(|effect| meets(window, effect))
}

/// Whether what a window admits meets a kind of effect: an unknown class or attribute meets any.
fn meets(window: &Footprint, effect: &Footprint) -> bool {
    match (window, effect) {
        (Footprint::Does(a, c), Footprint::Does(b, d)) => a == b && (c.is_none() || d.is_none() || c == d),
        (Footprint::Modifies(a, c), Footprint::Modifies(b, d)) => a == b && (c.is_none() || d.is_none() || c == d),
        _ => false,
    }
}
