//! What a player may know, and the rules seen with a player's eyes.
//!
//! A player may know what lies in open places or nowhere, unless it lies there concealed from him, what lies in their own
//! places, and what was revealed to them where it lies. Of all else they may know that it is there, of which class it is,
//! where it lies and whose it is.
//!
//! A [`Veil`] is put before an evaluation: facts of hidden things then read as nothing, and the veil remembers that
//! they were asked for. What is printed on a hidden card as a thing of its own, or given to it, is not even known to be there:
//! under a veil it does not exist. What was evaluated without touching the veil is the same whatever the hidden things are, so
//! it may be shown; what touched it may not, be it right by chance or not. Nothing derived is cached under a veil,
//! because a column that is filled for all would have touched it for one; what is kept under it is kept with what it touched
//! ([`crate::position::veil`]).

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::ask::fold::Op;
use crate::ask::words::article;
use crate::position::cache::Cache;
use crate::position::glimpses::Question;
use crate::position::set::{Set, ThingId};
use crate::position::state::Row;
use crate::position::trace::TraceEntry;
use crate::position::veil::{Hidden, Veil};
use crate::program::layout::{OWNER, SINCE};

/// What things are called.
#[derive(Clone, Copy)]
pub(crate) enum Names<'a> {
    /// As this list says, thing by thing.
    Listed(&'a [String]),
    /// As they are told to a player while something happens: by name, without numbers that tell copies apart.
    Told(ThingId),
}

impl<'a> Eval<'a> {
    /// The card to which a thing belongs that is printed on it, or that it has as long as a clause gives it that.
    pub(crate) fn host_of(&self, thing: ThingId) -> Option<ThingId> {
        let given = || self.state.standing.iter().find(|one| one.thing == thing).map(|one| one.host);
        self.link.table.printed_on(thing).or_else(given)
    }

    /// What is hidden from a player, who in this moment may look at some hidden things too.
    pub(crate) fn hidden_from(&self, seat: ThingId, shown: &Set) -> Hidden {
        let (mut hidden, mut sealed, mut without_history) = (self.nothing(), self.nothing(), self.nothing());
        for t in &self.universe(false) {
            let host = self.host_of(t);
            if !self.lies_open(seat, t) {
                without_history.insert(t);
                if !self.known_to(seat, t) && !shown.contains(host.unwrap_or(t)) {
                    hidden.insert(t);
                    if host.is_some() {
                        sealed.insert(t);
                    }
                }
            }
        }
        Hidden { hidden, sealed, without_history }
    }

    /// A player's eyes, of which nothing is kept yet.
    pub(crate) fn veil(&self, seat: ThingId, shown: &Set) -> Veil {
        Veil::new(self.state, self.hidden_from(seat, shown), &self.link.program)
    }

    /// Whether a thing lies where a player may look; what belongs to a card lies where the card does.
    fn lies_open(&self, seat: ThingId, thing: ThingId) -> bool {
        let layout = &self.link.layout;
        let thing = self.host_of(thing).unwrap_or(thing);
        match self.state.place(layout, thing).map(|place| self.link.program.place(place).secrecy) {
            // What lies nowhere lies open.
            None => true,
            Some(Secrecy::Owner) => self.state.thing_in(layout, thing, OWNER) == Some(seat),
            Some(Secrecy::Hidden) => false,
            Some(Secrecy::Open) => {
                let kept = |attr| self.state.pairs_of(attr, thing).any(|one| one == seat);
                !self.link.program.services.concealed.is_some_and(kept)
            }
        }
    }

    /// Whether a condition holds as far as a player can tell; `None` if it hangs on what is not to be known.
    pub(crate) fn seen_by(&self, seat: ThingId, cx: &Cx, cond: &Cond) -> Option<bool> {
        let veil = self.veil(seat, &self.nothing());
        let cache = Cache::empty(self.link);
        let eyes = Eval { cache: &cache, veil: Some(&veil), ..*self };
        veil.unless_asked(|| eyes.cond(cx, cond))
    }

    /// Whether a player may know what a thing is: where it lies, or because it was revealed to them there.
    pub(crate) fn known_to(&self, seat: ThingId, thing: ThingId) -> bool {
        let thing = self.host_of(thing).unwrap_or(thing);
        let revealed = || {
            let attr = self.link.program.services.revealed?;
            self.state.pairs_of(attr, thing).find(|one| *one == seat)
        };
        self.lies_open(seat, thing) || revealed().is_some()
    }

    /// Those of whose attribute the viewer may know; notes that the others were asked for. Whose a thing is and of
    /// which class, everyone sees.
    pub(crate) fn knowable(&self, attr: AttrId, care: Set) -> Set {
        match self.veil {
            Some(veil) if Some(attr) != self.link.program.services.controller && veil.hides_any(&care) => {
                veil.touch(&self.having(attr, &care));
                if veil.has_given_up() { self.nothing() } else { veil.visible(&care) }
            }
            _ => care,
        }
    }

    /// Whether what is asked under a veil has been given up.
    #[inline]
    pub(crate) fn is_given_up(&self) -> bool {
        self.veil.is_some_and(Veil::has_given_up)
    }

    /// Whether an attribute of a thing is not to be known; notes that it was asked for.
    #[inline]
    pub(crate) fn is_unknowable(&self, attr: AttrId, thing: ThingId) -> bool {
        self.veil.is_some_and(|veil| {
            let hides = Some(attr) != self.link.program.services.controller && veil.hides(thing);
            if hides {
                veil.asks();
            }
            hides
        })
    }

    /// Whether the viewer cannot tell that a row of the history is about this thing; notes that it was asked for.
    pub(crate) fn is_untold(&self, row: &Row, thing: ThingId) -> bool {
        self.veil.is_some_and(|veil| {
            let since = self.cell(thing, SINCE);
            let without_history = veil.hides_history(thing) || i64::from(row.serial) <= i64::from(since);
            if without_history {
                veil.asks();
            }
            without_history
        })
    }

    /// The names that are printed on a card, or on a part of it, as the value of an attribute, if any are.
    pub(crate) fn printed_names(&self, attr: AttrId, thing: ThingId) -> Option<&'a [NameId]> {
        self.link.figures_of(thing).iter().find_map(|(a, printed)| match printed {
            Printed::Names(names) if *a == attr => Some(names.as_slice()),
            _ => None,
        })
    }

    /// Whether what an attribute of a thing holds hangs on what other things are called.
    pub(crate) fn by_name(&self, attr: AttrId, thing: ThingId) -> bool {
        self.printed_names(attr, thing).is_some()
    }

    /// A conjunction: first what everyone sees, so that no more is asked for than need be.
    pub(crate) fn veiled_and(&self, veil: &Veil, cx: &Cx, parts: &[Sel], mut left: Set) -> Set {
        let lies = parts.iter().any(|part| matches!(part, Sel::In(..)));
        let admitted = if lies { self.admitted_by(cx, parts) } else { None };
        for part in parts.iter().filter(|part| is_plain(part)).chain(parts.iter().filter(|part| !is_plain(part))) {
            if left.is_empty() {
                break;
            }
            left = match part {
                Sel::In(place, owner) => {
                    self.owned_by(cx, owner.as_deref(), self.lying(veil, *place, admitted.as_ref(), &left))
                }
                _ => self.sel(cx, part, &left),
            };
        }
        left
    }

    /// The current number of a thing, worked out for it alone.
    pub(crate) fn veiled_number(&self, veil: &Veil, attr: AttrId, thing: ThingId, part: usize) -> i32 {
        let base = self.base(attr, thing, part);
        if self.is_unknowable(attr, thing) || !self.overlaid(attr) {
            return base;
        }
        let folded = veil.within(attr, || self.folded(attr, thing, part));
        folded.unwrap_or(base)
    }

    /// Works out what modifiers of an attribute make of it; `None` if that is being done already.
    pub(crate) fn veiled<T>(&self, veil: &Veil, attr: AttrId, work: impl FnOnce() -> T) -> Option<T> {
        veil.within(attr, work)
    }

    /// The things of `care` whose attribute is or includes an entry.
    pub(crate) fn veiled_entry_set(&self, veil: &Veil, attr: AttrId, entry: EntryId, care: &Set) -> Set {
        let care = self.knowable(attr, care.clone());
        let mut found = self.base_entry_set(attr, entry, &care);
        if !self.overlaid(attr) {
            return found;
        }
        let living = || self.having(attr, &care.and(self.living_of(attr).words()));
        if self.link.analysis.chained[attr.index()] {
            return self.veiled_altered(veil, attr, entry, &care).unwrap_or(found);
        }
        veil.within(attr, || {
            let living = living();
            for f in self.modifiers_in_force(attr) {
                let subjects = self.subjects(&f, &living);
                match f.modifier.change {
                    Change::Gain(gained) | Change::Become(gained) if gained == entry => found.add(subjects.words()),
                    Change::Become(_) => found.cut(subjects.words()),
                    Change::Lose(lost) if lost == entry => found.cut(subjects.words()),
                    Change::Gain(_) | Change::Lose(_) | Change::Add { .. } | Change::Set(_) | Change::Hold(_) => {}
                    Change::Bring(_) | Change::Withhold(_) => {}
                }
            }
        });
        found
    }

    /// The things of `care` of which a yes-or-no attribute is true.
    pub(crate) fn veiled_flag_set(&self, veil: &Veil, attr: AttrId, care: &Set) -> Set {
        let care = self.knowable(attr, care.clone());
        let mut found = self.base_flag_set(attr, &care);
        if self.overlaid(attr) {
            veil.within(attr, || {
                let living = self.having(attr, &care.and(self.living_of(attr).words()));
                for f in self.modifiers_in_force(attr) {
                    for t in &self.subjects(&f, &living) {
                        match self.op(&f, t) {
                            Some(Op::Set(0)) => found.remove(t),
                            Some(Op::Set(_)) => found.insert(t),
                            Some(Op::Add { amount, .. }) if amount > 0 => found.insert(t),
                            Some(Op::Add { .. }) => found.remove(t),
                            None => {}
                        }
                    }
                }
            });
        }
        found
    }

    /// The visible things that lie where their clauses function, of which only some are of interest: whatever is only assumed,
    /// as with the eyes of the rules.
    pub(crate) fn veiled_at_work(&self, veil: &Veil, among: Option<&Set>) -> Set {
        let Some(sel) = &self.link.program.services.functioning else { return veil.lift(&self.universe(false)) };
        self.settled().told_things(veil, (Question::AtWork, among), &|eval| match veil
            .only_once(|| eval.all(&Cx::bare(), sel))
        {
            Some(set) => veil.lift(&set),
            None => eval.nothing(),
        })
    }

    /// The matching rows of the history as far as the viewer can tell, last first.
    pub(crate) fn veiled_rows(&self, cx: &Cx, past: &Past, since: u32, mut visit: impl FnMut(&Row) -> bool) -> bool {
        let width = self.link.layout.width;
        let mut at = self.state.latest_row(past.verb);
        while let Some(row) = (at as usize).checked_sub(1).and_then(|i| self.state.history.peek().get(i)) {
            if row.serial < since {
                return false;
            }
            let met = past.roles.iter().enumerate().all(|(i, role)| match (role, row.role(i)) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(sel), Some(t)) => !self.is_untold(row, t) && !self.sel(cx, sel, &Set::one(t, width)).is_empty(),
            });
            if met && visit(row) {
                return true;
            }
            at = row.before;
        }
        false
    }

    /// An entry of the trace as it is told to a player. A clause of a card is cited only if they see such a card.
    pub(crate) fn told(&self, seat: ThingId, make: &dyn Fn(&Eval) -> TraceEntry) -> String {
        let entry = make(&Eval { names: Some(Names::Told(seat)), ..*self });
        let clause = self.link.program.clauses.get(entry.clause.index());
        let seen = |card| {
            let things = self.link.things_of(card).and(self.universe(false).words());
            things.iter().any(|t| self.known_to(seat, t))
        };
        if clause.and_then(|c| c.card).is_none_or(seen) {
            format!("{} ({})", entry.text, self.link.label(entry.clause))
        } else {
            entry.text
        }
    }

    /// A thing as it is told to a player while something happens.
    pub(crate) fn told_words(&self, seat: ThingId, thing: ThingId, depth: u8) -> String {
        let class = self.class_word(thing);
        if !self.known_to(seat, thing) {
            return hidden_words(class);
        }
        if let Some(name) = self.name_words(thing) {
            return name;
        }
        match self.description(thing) {
            Some(by) if depth < 3 => format!("{class} {}", self.told_words(seat, by, depth + 1)),
            _ => class.to_string(),
        }
    }

    /// The word of a thing's class. What a submission calls a thing and is none, is called a thing.
    pub(crate) fn class_word(&self, thing: ThingId) -> &'a str {
        match self.state.class_of(thing) {
            Some(class) => self.link.class_name(class),
            None => "thing",
        }
    }

    /// A thing's name in quotes, without a number; `None` if it has none.
    pub(crate) fn name_words(&self, thing: ThingId) -> Option<String> {
        let name = self.link.table.given.get(thing.index())?.name?;
        Some(format!("\"{}\"", self.link.table.name(&self.link.program, name)))
    }
}

/// True for what everyone sees of a thing, whatever it is.
pub(crate) fn is_plain(sel: &Sel) -> bool {
    matches!(
        sel,
        Sel::Empty
            | Sel::All
            | Sel::Class(_)
            | Sel::This
            | Sel::It(_)
            | Sel::Slot(_)
            | Sel::Group
            | Sel::Role(_)
            | Sel::In(..)
            | Sel::Top(..)
    )
}

/// Whether words say of a thing no more than its class.
pub(crate) fn is_hidden_words(words: &str, class: &str) -> bool {
    words.split_once(' ') == Some((article(class), class))
}

/// A thing of which no more is known than its class.
pub(crate) fn hidden_words(class: &str) -> String {
    format!("{} {class}", article(class))
}
