//! What is seen of each thing: where it stands, and its facts, as far as they hang on nothing hidden.
//!
//! A portrait is kept from one decision to the next. What of it rests on something that has changed is asked anew, the
//! rest is not.

use std::sync::Arc;

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::ask::eyes::hidden_words;
use crate::position::grounds::Noted;
use crate::position::set::{Set, ThingId};
use crate::position::sight::{Describes, Fact, Lies, Portrait, Says};
use crate::position::veil::Veil;
use crate::program::layout::{OWNER, RANK, Store};

impl Eval<'_> {
    /// What is asked under a veil, and what it rests on.
    fn noting<T>(&self, veil: &Veil, ask: impl FnOnce() -> T) -> (T, Option<Noted>) {
        let before = veil.begin(self.state);
        let value = ask();
        (value, Some(veil.end_apart(self.state, before).0))
    }

    /// Brings what is seen of a thing up to date.
    pub(crate) fn portray(
        &self,
        veil: &Veil,
        (seat, thing): (ThingId, ThingId),
        attrs: &[AttrId],
        kept: &mut Option<Portrait>,
    ) {
        let layout = &self.link.layout;
        let place = self.state.place(layout, thing).map(|at| (at, self.state.thing_in(layout, thing, OWNER)));
        // Who is shown a hidden thing in order to choose it is not told how deep it lies.
        let rank = self.state.cell(layout, thing, RANK);
        let lies = Lies { place, rank: if rank == 0 || self.known_to(seat, thing) { rank } else { 0 } };
        let portrait = kept.get_or_insert_with(|| Portrait {
            name: self.name_words(thing),
            lies: Lies::default(),
            by: None,
            described: None,
            whole: Vec::new(),
            facts: attrs.iter().map(|attr| Fact { attr: *attr, is_past: false, noted: None, says: None }).collect(),
            held: Vec::new(),
            looks: String::new(),
            since: 0,
            called: veil.moment(),
            sent: None,
        });
        if portrait.since != 0 && portrait.lies == lies && veil.stands_on(&portrait.whole) {
            return;
        }
        let mut same = portrait.since != 0 && portrait.lies == lies;
        portrait.lies = lies;
        let stands = |noted: &Option<Noted>| noted.is_some_and(|noted| veil.stands(noted));
        if portrait.name.is_none() && !stands(&portrait.described) {
            let by = || self.description(thing).map(|by| Describes { by, is_hidden: veil.hides(by) });
            let (by, described) = self.noting(veil, by);
            if by != portrait.by {
                portrait.called = veil.moment();
                same = false;
            }
            (portrait.by, portrait.described) = (by, described);
        }
        for fact in &mut portrait.facts {
            let is_past = self.is_past(fact.attr, place.map(|at| at.0));
            if is_past != fact.is_past || !stands(&fact.noted) {
                fact.is_past = is_past;
                let ask = || if is_past { None } else { self.says(veil, fact.attr, thing) };
                let (says, noted) = self.noting(veil, ask);
                same &= says == fact.says;
                (fact.says, fact.noted) = (says, noted);
            }
        }
        let noted = portrait.facts.iter().filter_map(|fact| fact.noted).chain(portrait.described);
        veil.grounds.all_of(noted, &mut portrait.whole);
        if !same {
            portrait.since = veil.moment();
            let says = portrait.facts.iter().filter_map(|fact| Some((fact.attr, fact.says.as_ref()?)));
            let held = says.flat_map(|(attr, says)| says.things.iter().map(move |thing| (attr, *thing)));
            portrait.held.clear();
            portrait.held.extend(held);
            portrait.looks = self.looks(portrait, thing);
        }
    }

    /// How a thing looks by itself, most telling first; nothing in it is less than what parts it.
    fn looks(&self, portrait: &Portrait, thing: ThingId) -> String {
        let mut looks = String::new();
        let place = portrait.lies.place.map(|(at, _)| self.link.place_name(at));
        let rank = format!("{:06}", portrait.lies.rank);
        for part in [portrait.name.as_deref(), Some(self.class_word(thing)), place, Some(&rank)] {
            looks.extend(part);
            looks.push('\0');
        }
        let mut add = |part: &str| {
            looks.push_str(part);
            looks.push('\0');
        };
        for fact in &portrait.facts {
            if let Some(says) = &fact.says {
                add(self.attr_words(fact.attr));
                says.words.iter().for_each(|words| add(words));
            }
        }
        if portrait.by.as_ref().is_some_and(|by| by.is_hidden) {
            add("by something hidden");
        }
        looks
    }

    /// The attributes of a class that are shown. What a thing is called is told as its name.
    pub(crate) fn shown_attrs(&self, class: Option<ClassId>) -> Arc<[AttrId]> {
        let program = &self.link.program;
        let shown = |attr: &AttrId| {
            let classes = &program.attr(*attr).classes;
            let has = classes.is_empty() || class.is_some_and(|class| classes.contains(&class));
            has && program.services.called != Some(*attr)
        };
        (0..program.attrs.len()).map(AttrId::from_index).filter(shown).collect()
    }

    /// True for what was so of a thing in a place in which it does not lie any more: shown in the open, it would tell where
    /// the thing was before it lay among others that nobody saw.
    fn is_past(&self, attr: AttrId, place: Option<PlaceId>) -> bool {
        let anew = self.link.program.attr(attr).anew;
        let elsewhere = |at: &PlaceId| {
            let is_open = self.link.program.places.get(at.index()).is_some_and(|place| place.secrecy == Secrecy::Open);
            is_open && anew != Some(*at)
        };
        anew.is_some() && place.as_ref().is_some_and(elsewhere)
    }

    /// What an attribute says of a thing, if that hangs on nothing hidden.
    fn says(&self, veil: &Veil, attr: AttrId, thing: ThingId) -> Option<Says> {
        let mut says = Says::default();
        match self.link.layout.attr(attr).kind {
            ValueKind::Thing(_) | ValueKind::Things(_) if self.by_name(attr, thing) => {
                self.printed_fact(veil, attr, thing, &mut says);
            }
            ValueKind::Thing(_) | ValueKind::Things(_) => veil.unless_asked(|| {
                let mut set = self.nothing();
                let cx = Cx::clause(ClauseId(0), None, &[]);
                self.values_of(&cx, attr, thing, &self.living_held(attr), &mut set);
                for t in &set {
                    if veil.hides(t) {
                        says.words.push(hidden_words(self.class_word(t)));
                    } else {
                        says.things.push(t);
                    }
                }
                says.words.sort();
            })?,
            _ => veil.unless_asked(|| {
                let value = self.value_words(attr, thing);
                if !matches!(value.as_str(), "" | "none" | "no") {
                    says.words.push(value);
                }
            })?,
        }
        (!says.words.is_empty() || !says.things.is_empty()).then_some(says)
    }

    /// A printed name is shown as it is printed, whether or not anything is called so. If the fact has become a state,
    /// it is shown as far as it is about visible things.
    fn printed_fact(&self, veil: &Veil, attr: AttrId, thing: ThingId, says: &mut Says) {
        if let (Store::Printed, Some(names)) = (self.link.layout.attr(attr).store, self.printed_names(attr, thing)) {
            says.words.extend(names.iter().map(|n| format!("\"{}\"", self.link.table.name(&self.link.program, *n))));
            says.words.sort();
            return;
        }
        let mut set = self.nothing();
        let cx = Cx::clause(ClauseId(0), None, &[]);
        let visible: Set = veil.visible(&self.universe(false));
        self.values_of(&cx, attr, thing, &visible, &mut set);
        says.things.extend(set.iter());
    }
}
