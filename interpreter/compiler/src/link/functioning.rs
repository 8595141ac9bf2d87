//! Clauses of cards that ask their card to be where none of its clauses function.
//!
//! The kernel says where the clauses of a card function, the kinds of declaration say from where a card is played. For
//! each place it is worked out, from what the card prints, whether it could function there; a clause that can hold in
//! none of these places is told. What hangs on anything but the place, what is printed and what the card's own clauses set
//! of it counts as possible.

use std::collections::BTreeSet;
use std::rc::Rc;

use netrep_diagnostics::Code;
use netrep_ir::{
    ActionId, AttrId, Change, Cond, Ent, EntryId, Map, Mapper, PlaceId, Printed, Program, Sel, Source, VerbId,
};

use super::places::clause_span;
use super::raised::Raised;
use super::tables::{Relocation, Tables};
use super::{LinkItem, Linker};
use crate::lower::ABILITY;
use crate::phrase::sorts::article;

/// Whose ids a tree is written in.
#[derive(Clone, Copy)]
enum Ids<'m> {
    /// Those of the program.
    Linked,
    /// Those of an item, which stand for these: its trees need not be copied to be asked.
    Own(&'m Relocation<'m>),
}

impl Ids<'_> {
    fn place(self, id: PlaceId) -> PlaceId {
        match self {
            Ids::Linked => id,
            Ids::Own(m) => PlaceId(meant(&m.places, id.index())),
        }
    }

    fn attr(self, id: AttrId) -> AttrId {
        match self {
            Ids::Linked => id,
            Ids::Own(m) => AttrId(meant(&m.attrs, id.index())),
        }
    }

    fn entry(self, id: EntryId) -> EntryId {
        match self {
            Ids::Linked => id,
            Ids::Own(m) => EntryId(meant(&m.entries, id.index())),
        }
    }
}

/// What a number of an item stands for.
fn meant(ids: &[u16], own: usize) -> u16 {
    // total: `u16::MAX` stands for "any", as where an item is linked
    ids.get(own).copied().unwrap_or(u16::MAX)
}

/// What the items say of all cards: from where each kind of declaration is declared, and what may be given and set.
pub(super) struct Said {
    declared: Vec<(VerbId, Sel)>,
    given: Given,
    pub raised: Rc<Raised>,
}

impl Said {
    pub(super) fn of(linker: &Linker, items: &[LinkItem], tables: &Tables, raised: Rc<Raised>) -> Said {
        Said { declared: declared(&linker.program, items, tables), given: given(items, tables), raised }
    }

    /// True if the same follows from both for all cards but these.
    pub(super) fn says_the_same(&self, other: &Said, but: impl Fn(&usize) -> bool) -> bool {
        self.declared == other.declared
            && self.given == other.given
            && (Rc::ptr_eq(&self.raised, &other.raised) || self.raised.is_same(&other.raised, but))
    }
}

/// Reports the clauses of cards that never function. `cards`: those that are asked, with their places among the items.
pub(super) fn check<'i>(
    linker: &mut Linker,
    cards: impl Iterator<Item = (usize, &'i LinkItem)>,
    tables: &Tables,
    said: &Said,
) {
    let Some(functioning) = linker.program.services.functioning.clone() else { return };
    let mut found = Vec::new();
    let mut never_so = Vec::new();
    let program = &linker.program;
    let Said { declared, given, raised } = said;
    for (nth, item) in cards.filter(|(_, item)| item.lowered.card.is_some()) {
        let low = &*item.lowered;
        let mut unknown = Vec::new();
        let m = Relocation::new(tables, program, &low.symbols, &mut unknown);
        if !unknown.is_empty() {
            continue;
        }
        let own = Ids::Own(&m);
        let figures = low.card.iter().flat_map(|card| &card.figures);
        let entries = figures.filter_map(|(attr, printed)| match printed {
            Printed::Entries(entries) => Some((AttrId(*tables.attrs.get(attr)?), entries)),
            Printed::Number(_) | Printed::Numbers(_) | Printed::Names(_) => None,
        });
        let entries = entries.flat_map(|(attr, all)| all.iter().map(move |entry| (attr, *entry)));
        let printed: Vec<(AttrId, EntryId)> = entries.map(|(attr, entry)| (attr, own.entry(entry))).collect();
        // Where an item is broken, it may do anything.
        let raised = linker.lost.is_empty().then_some((&**raised, nth));
        let card = Card { program, printed, given, raised };
        for said in &low.of_this {
            if card.places(&said.wanted, own).is_empty() {
                never_so.push((item, said));
            }
        }
        let at_work = card.places(&functioning, Ids::Linked);
        // Where a clause functions: where it says itself, or where clauses of cards do.
        let there = |within: Option<&Sel>| within.map_or_else(|| at_work.clone(), |within| card.places(within, own));
        let from = |verb: VerbId| declared.iter().find(|(of, _)| of.0 == meant(&m.verbs, verb.index()));
        // Clauses that it gives to other things, and where it does.
        let mut given_away = Vec::new();
        for norm in low.norms.iter().filter(|norm| !norm.delayed) {
            if norm.carriers.is_some() {
                given_away.push((norm.clause, norm.within.as_ref()));
                continue;
            }
            // What it says of itself it says wherever the event can befall it.
            let places = match (norm.pattern.about_this(), from(norm.pattern.verb)) {
                _ if norm.within.is_some() => there(norm.within.as_ref()),
                (Some(_), Some((_, from))) => card.places(from, Ids::Linked),
                (Some(_), None) => card.places(&Sel::All, own),
                (None, _) => there(norm.within.as_ref()),
            };
            let roles = norm.pattern.roles.iter().filter_map(|(role, _)| role.as_ref());
            if !card.can(&places, roles, norm.cond.as_ref(), own) {
                found.push((item, norm.clause, at_work.is_empty()));
            }
        }
        for trigger in low.triggers.iter().filter(|trigger| !trigger.delayed) {
            if trigger.carriers.is_some() {
                given_away.push((trigger.clause, trigger.within.as_ref()));
                continue;
            }
            let roles = trigger.pattern.roles.iter().filter_map(|(role, _)| role.as_ref());
            if !card.can(&there(trigger.within.as_ref()), roles, trigger.cond.as_ref(), own) {
                found.push((item, trigger.clause, at_work.is_empty()));
            }
        }
        for modifier in low.modifiers.iter().filter(|modifier| !modifier.delayed) {
            if modifier.carriers.is_some() {
                given_away.push((modifier.clause, modifier.within.as_ref()));
                continue;
            }
            if !card.can(&there(modifier.within.as_ref()), [&modifier.subject], modifier.cond.as_ref(), own) {
                found.push((item, modifier.clause, at_work.is_empty()));
            }
        }
        for spare in low.spares.iter().filter(|spare| !spare.delayed) {
            if !card.can(&there(spare.within.as_ref()), [], spare.cond.as_ref(), own) {
                found.push((item, spare.clause, at_work.is_empty()));
            }
        }
        for allowance in low.allowances.iter().filter(|allowance| !allowance.delayed) {
            if allowance.carriers.is_some() {
                given_away.push((allowance.clause, allowance.within.as_ref()));
                continue;
            }
            let kind = allowance.action.and_then(|kind: ActionId| low.symbols.actions.get(kind.index()));
            let places = match kind {
                Some(kind) if **kind == *ABILITY => there(allowance.within.as_ref()),
                Some(_) => match declared.iter().find(|(verb, _)| Some(*verb) != program.services.ability) {
                    Some((_, from)) => card.places(from, Ids::Linked),
                    None => continue,
                },
                None => continue,
            };
            let needs = allowance.requirements.iter().filter(|need| !need.at_resolution);
            for need in needs {
                if !card.can(&places, [], Some(&need.cond), own) {
                    found.push((item, need.clause, places.is_empty()));
                }
            }
        }
        found.extend(
            given_away.iter().filter_map(|(clause, within)| {
                there(*within).is_empty().then_some((item, *clause, at_work.is_empty()))
            }),
        );
    }
    for (item, said) in never_so {
        let (word, class) = &said.words;
        let message = format!("`{word}` is said of {}, and this card can never be one", article(class));
        let help = "say it of what is meant, such as who bears it, or with another word".to_owned();
        linker.error(item, said.span, Code::WrongTarget, message, Some(help));
    }
    for (item, clause, nowhere) in found {
        let (message, help) = if nowhere {
            (
                "this card never lies where its clauses function, so it never applies",
                "say what happens when it is played, and for how long: `effect … this turn`",
            )
        } else {
            (
                "this asks the card to be where none of its clauses function, so it never applies",
                "say it by a rule (`action VERB needs …`), or leave the printed sentence `partial` with a `note`",
            )
        };
        linker.error(item, clause_span(item, clause), Code::NeverFunctions, message.to_owned(), Some(help.to_owned()));
    }
}

/// The kinds of declaration, and from where each is declared.
fn declared(program: &Program, items: &[LinkItem], tables: &Tables) -> Vec<(VerbId, Sel)> {
    let mut found = Vec::new();
    for item in items {
        for decl in item.lowered.actions.iter().filter_map(|action| action.decl.as_ref()) {
            let mut unknown = Vec::new();
            let mut m = Relocation::new(tables, program, &item.lowered.symbols, &mut unknown);
            let mut from = decl.from.clone();
            from.map_ids(&mut m, 0);
            found.push((m.verb(decl.verb), from));
        }
    }
    found
}

/// True if an item declares kinds of declaration from where another one does, and gives all that it gives.
pub(super) fn says_as_much(linker: &Linker, (old, new): (&LinkItem, &LinkItem), tables: &Tables) -> bool {
    let [before, after] = [old, new].map(std::slice::from_ref);
    let (was, is) = (given(before, tables), given(after, tables));
    was.terms.is_subset(&is.terms)
        && was.facts.is_subset(&is.facts)
        && declared(&linker.program, before, tables) == declared(&linker.program, after, tables)
}

/// The terms that some modifier gives or takes away, and the facts that one sets.
#[derive(Default, PartialEq)]
struct Given {
    terms: BTreeSet<(AttrId, EntryId)>,
    facts: BTreeSet<AttrId>,
}

fn given(items: &[LinkItem], tables: &Tables) -> Given {
    let mut given = Given::default();
    for low in items.iter().map(|item| &*item.lowered) {
        for modifier in &low.modifiers {
            let fact = low.symbols.attrs.get(modifier.attr.index()).and_then(|name| tables.attrs.get(name));
            let Some(fact) = fact.map(|fact| AttrId(*fact)) else { continue };
            match modifier.change {
                Change::Gain(entry) | Change::Lose(entry) => {
                    let term = low.symbols.entries.get(entry.index()).and_then(|name| tables.entries.get(name));
                    given.terms.extend(term.map(|term| (fact, EntryId(*term))));
                }
                Change::Add { .. }
                | Change::Set(_)
                | Change::Become(_)
                | Change::Hold(_)
                | Change::Bring(_)
                | Change::Withhold(_) => {
                    given.facts.insert(fact);
                }
            }
        }
    }
    given
}

/// A card, as far as it is known before any game.
struct Card<'p> {
    program: &'p Program,
    printed: Vec<(AttrId, EntryId)>,
    given: &'p Given,
    /// What clauses can make true of it; nothing where an item is broken, which may do anything.
    raised: Option<(&'p Raised, usize)>,
}

impl Card<'_> {
    /// Where it can lie and be selected.
    fn places(&self, sel: &Sel, ids: Ids<'_>) -> Vec<PlaceId> {
        let all = (0..self.program.places.len()).map(PlaceId::from_index);
        all.filter(|place| self.selected(sel, *place, ids) != Some(false)).collect()
    }

    /// True if in one of the places each selection of this card can hold it, and the condition can hold.
    fn can<'s>(
        &self,
        places: &[PlaceId],
        sels: impl IntoIterator<Item = &'s Sel>,
        cond: Option<&Cond>,
        ids: Ids<'_>,
    ) -> bool {
        let sels: Vec<&Sel> = sels.into_iter().filter(|sel| sel.is_this()).collect();
        places.iter().any(|place| {
            sels.iter().all(|sel| self.selected(sel, *place, ids) != Some(false))
                && cond.is_none_or(|cond| self.holds(cond, *place, ids) != Some(false))
        })
    }

    /// Whether it is selected while it lies in a place; `None` if that hangs on more.
    fn selected(&self, sel: &Sel, at: PlaceId, ids: Ids<'_>) -> Option<bool> {
        match sel {
            Sel::All | Sel::This => Some(true),
            Sel::Empty => Some(false),
            Sel::In(place, _) if ids.place(*place) != at => Some(false),
            Sel::In(_, None) => Some(true),
            Sel::EntryIs(attr, entry) => self.has(ids.attr(*attr), ids.entry(*entry)),
            Sel::Flag(attr) => self.is(ids.attr(*attr)),
            Sel::Where(cond) => self.so_of_it(cond, ids),
            Sel::And(parts) => every(parts.iter().map(|part| self.selected(part, at, ids))),
            Sel::Or(parts) => denied(every(parts.iter().map(|part| denied(self.selected(part, at, ids))))),
            Sel::Not(part) => denied(self.selected(part, at, ids)),
            _ => None,
        }
    }

    /// Whether a condition holds while it lies in a place.
    fn holds(&self, cond: &Cond, at: PlaceId, ids: Ids<'_>) -> Option<bool> {
        match cond {
            Cond::Is(known) => Some(*known),
            Cond::And(parts) => every(parts.iter().map(|part| self.holds(part, at, ids))),
            Cond::Or(parts) => denied(every(parts.iter().map(|part| denied(self.holds(part, at, ids))))),
            Cond::Not(part) => denied(self.holds(part, at, ids)),
            Cond::Some(sel) if sel.is_this() => self.selected(sel, at, ids),
            _ => None,
        }
    }

    /// Whether something is so of it that hangs on what it prints alone.
    fn so_of_it(&self, cond: &Cond, ids: Ids<'_>) -> Option<bool> {
        match cond {
            Cond::Not(part) => denied(self.so_of_it(part, ids)),
            Cond::Same(Ent::Base(attr, of), Ent::Entry(entry)) if **of == Sel::It(0) => {
                let (attr, entry) = (ids.attr(*attr), ids.entry(*entry));
                let fact = self.program.attrs.get(attr.index())?;
                let printed = !fact.dynamic && matches!(fact.source, Source::Stored { default: 0 });
                printed.then(|| self.printed.contains(&(attr, entry)))
            }
            _ => None,
        }
    }

    /// Whether it has a term: what it does not print something may give it, and what it prints something may take.
    fn has(&self, attr: AttrId, entry: EntryId) -> Option<bool> {
        let fact = self.program.attrs.get(attr.index())?;
        let plain = !fact.dynamic && matches!(fact.source, Source::Stored { default: 0 });
        let given = self.given.terms.contains(&(attr, entry)) || self.given.facts.contains(&attr);
        (plain && !given).then(|| self.printed.contains(&(attr, entry)))
    }

    /// Whether a state of it is so: what is not so at first, and what nothing sets of it, never is.
    fn is(&self, attr: AttrId) -> Option<bool> {
        let fact = self.program.attrs.get(attr.index())?;
        let (raised, item) = self.raised?;
        let at_first = fact.dynamic && matches!(fact.source, Source::Stored { default: 0 });
        (at_first && !raised.may(item, &fact.name)).then_some(false)
    }
}

fn denied(known: Option<bool>) -> Option<bool> {
    known.map(|known| !known)
}

/// All of them: not so if one is not, unknown if one is unknown.
fn every(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            None => all = None,
            Some(true) => {}
        }
    }
    all
}
