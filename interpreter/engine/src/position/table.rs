//! What never changes in a game: its cards, its names, its printed figures.

use netrep_ir::{AttrId, CardId, ClassId, EntryId, ListId, NameId, Printed, Program, ValueKind};

use rustc_hash::FxHashMap;

use crate::position::set::{Set, ThingId};
use crate::program::layout::Layout;

/// A thing that is there from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub class: ClassId,
    pub card: Option<CardId>,
    pub name: Option<NameId>,
    /// The how-manieth thing of its card (or of its class, if minted), from 1.
    pub copy: u16,
    /// The how-manieth given thing of its name, from 1.
    pub namesake: u16,
    /// Another card of the game has its name.
    pub shared: bool,
}

/// The immutable part of a game.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub given: Vec<Given>,
    /// Names beyond the program's.
    pub names: Vec<String>,
    /// Per name: the things that carry it.
    pub named: Vec<Option<Set>>,
    /// Per card: its things.
    pub cards: Vec<Option<Set>>,
    /// The cards that are in the game, in order of id.
    pub card_ids: Vec<CardId>,
    /// Per attribute: printed numbers, thing-major with the attribute's parts; empty if none is printed.
    numbers: Vec<Vec<i32>>,
    /// Per attribute: printed entries, one set for each entry of the list; empty if none. Those of which a thing has
    /// one are among the numbers too.
    entries: Vec<Vec<Set>>,
    /// Things printed on cards: the card's thing and the number of the part in its definition.
    pub parts: Vec<(ThingId, usize)>,
    /// Printed things of many-valued attributes, sorted.
    pub pairs: Vec<(AttrId, ThingId, ThingId)>,
    /// Printed values of attributes of names, sorted.
    pub printed_names: Vec<(AttrId, ThingId, NameId)>,
    /// The same by attribute and name.
    bearing: FxHashMap<(AttrId, NameId), Set>,
    /// Per entry: its number in its list.
    pub positions: Vec<u16>,
}

impl Table {
    /// Builds the printed columns for the given things, whose cards and classes have been looked up in the program.
    pub(crate) fn new(
        program: &Program,
        layout: &Layout,
        cards: &[CardId],
        minted: &[(ClassId, Option<NameId>)],
        names: Vec<String>,
    ) -> Table {
        let mut given = Vec::with_capacity(cards.len() + minted.len());
        for id in cards {
            let card = program.card(*id);
            given.push(Given {
                class: card.class,
                card: Some(*id),
                name: Some(card.name),
                copy: 0,
                namesake: 0,
                shared: false,
            });
        }
        for (class, name) in minted {
            given.push(Given { class: *class, card: None, name: *name, copy: 0, namesake: 0, shared: false });
        }
        let mut parts = Vec::new();
        for (i, id) in cards.iter().enumerate() {
            for (n, part) in program.card(*id).parts.iter().enumerate() {
                parts.push((ThingId::from_index(i), n));
                given.push(Given { class: part.class, card: None, name: None, copy: 0, namesake: 0, shared: false });
            }
        }
        for i in 0..given.len() {
            let me = given[i];
            let before = &given[..i];
            let alike = |g: &&Given| {
                if me.card.is_some() { g.card == me.card } else { g.card.is_none() && g.class == me.class }
            };
            let copy = 1 + before.iter().filter(alike).count();
            let namesake = 1 + before.iter().filter(|g| g.name.is_some() && g.name == me.name).count();
            given[i].copy = crate::position::value::short(copy);
            given[i].namesake = crate::position::value::short(namesake);
            let others = cards.iter().filter(|card| Some(program.card(**card).name) == me.name);
            given[i].shared = me.card.is_some_and(|mine| others.into_iter().any(|card| *card != mine));
        }
        let mut named = vec![None; program.names.len() + names.len()];
        let mut by_card = vec![None; program.cards.len()];
        for (i, g) in given.iter().enumerate() {
            let thing = ThingId::from_index(i);
            let add = |sets: &mut Vec<Option<Set>>, at: usize| {
                if let Some(set) = sets.get_mut(at) {
                    set.get_or_insert_with(|| Set::empty(layout.width)).insert(thing);
                }
            };
            if let Some(name) = g.name {
                add(&mut named, name.index());
            }
            if let Some(card) = g.card {
                add(&mut by_card, card.index());
            }
        }
        // A card's id is a name that it bears alone.
        for (id, card) in program.ids_as_names() {
            named[id.index()] = by_card[card.index()].clone();
        }
        let mut card_ids: Vec<CardId> = cards.to_vec();
        card_ids.sort_unstable();
        card_ids.dedup();
        let mut positions = vec![0; program.entries.len()];
        for list in &program.lists {
            for (i, entry) in list.entries.iter().enumerate() {
                if let Some(p) = positions.get_mut(entry.index()) {
                    *p = crate::position::value::short(i);
                }
            }
        }
        let mut table = Table {
            given,
            names,
            named,
            cards: by_card,
            card_ids,
            numbers: vec![Vec::new(); program.attrs.len()],
            entries: vec![Vec::new(); program.attrs.len()],
            parts,
            pairs: Vec::new(),
            printed_names: Vec::new(),
            bearing: FxHashMap::default(),
            positions,
        };
        for (i, id) in cards.iter().enumerate() {
            for (attr, printed) in &program.card(*id).figures {
                table.print(program, layout, ThingId::from_index(i), *attr, printed);
            }
        }
        let first = cards.len() + minted.len();
        for (i, (host, n)) in table.parts.clone().into_iter().enumerate() {
            let part = &program.card(cards[host.index()]).parts[n];
            let thing = ThingId::from_index(first + i);
            for (attr, printed) in &part.figures {
                table.print(program, layout, thing, *attr, printed);
            }
            table.put_number(layout, thing, part.host, 0, i32::from(host.0) + 1);
        }
        table.pairs.sort_unstable();
        table.pairs.dedup();
        table.printed_names.sort_unstable();
        table.printed_names.dedup();
        for (attr, thing, name) in &table.printed_names {
            let of = table.bearing.entry((*attr, *name));
            of.or_insert_with(|| Set::empty(layout.width)).insert(*thing);
        }
        table
    }

    /// The given things that are no cards and are printed on none, such as players.
    pub(crate) fn minted(&self) -> impl Iterator<Item = &Given> {
        let printed = self.given.len() - self.parts.len();
        self.given.iter().take(printed).filter(|g| g.card.is_none())
    }

    fn print(&mut self, program: &Program, layout: &Layout, thing: ThingId, attr: AttrId, printed: &Printed) {
        let decl = program.attr(attr);
        let slot = layout.attr(attr);
        match printed {
            Printed::Number(n) => self.put_number(layout, thing, attr, 0, *n),
            Printed::Numbers(pairs) => {
                for (entry, n) in pairs {
                    let part = self.position(*entry);
                    self.put_number(layout, thing, attr, part, *n);
                }
            }
            Printed::Entries(entries) => {
                for entry in entries {
                    let part = self.position(*entry);
                    let sets = &mut self.entries[attr.index()];
                    if sets.is_empty() {
                        *sets = vec![Set::empty(layout.width); slot.parts];
                    }
                    if matches!(decl.kind, ValueKind::Entry(_)) {
                        // The last one counts.
                        sets.iter_mut().for_each(|set| set.remove(thing));
                        self.put_number(layout, thing, attr, 0, i32::from(entry.0) + 1);
                    }
                    if let Some(set) = self.entries[attr.index()].get_mut(part) {
                        set.insert(thing);
                    }
                }
            }
            Printed::Names(names) => {
                for name in names {
                    // Which things bear the name is asked when it is wanted.
                    if decl.names {
                        self.printed_names.push((attr, thing, *name));
                        continue;
                    }
                    let Some(Some(things)) = self.named.get(name.index()) else { continue };
                    if matches!(decl.kind, ValueKind::Thing(_)) {
                        if let Some(first) = things.first() {
                            self.put_number(layout, thing, attr, 0, i32::from(first.0) + 1);
                        }
                    } else {
                        self.pairs.extend(things.iter().map(|t| (attr, thing, t)));
                    }
                }
            }
        }
    }

    fn put_number(&mut self, layout: &Layout, thing: ThingId, attr: AttrId, part: usize, n: i32) {
        let slot = layout.attr(attr);
        let parts = number_parts(slot.kind, slot.parts);
        let column = &mut self.numbers[attr.index()];
        if column.is_empty() {
            *column = vec![slot.default; self.given.len() * parts];
        }
        if let Some(cell) = column.get_mut(thing.index() * parts + part) {
            *cell = n;
        }
    }

    /// The things on which an attribute of names prints a name.
    pub(crate) fn bearing(&self, attr: AttrId, name: NameId) -> Option<&Set> {
        self.bearing.get(&(attr, name))
    }

    /// The number of an entry in its list. What is submitted or asserted with an entry that the program does not have is
    /// refused before this is asked.
    #[inline]
    pub(crate) fn position(&self, entry: EntryId) -> usize {
        usize::from(self.positions[entry.index()])
    }

    /// The printed number (entry plus one, thing plus one) of a thing, else the attribute's default.
    #[inline]
    pub(crate) fn number(&self, layout: &Layout, attr: AttrId, thing: ThingId, part: usize) -> i32 {
        let slot = layout.attr(attr);
        let parts = number_parts(slot.kind, slot.parts);
        self.numbers[attr.index()].get(thing.index() * parts + part).copied().unwrap_or(slot.default)
    }

    /// The things on which an entry is printed.
    #[inline]
    pub(crate) fn entry_set(&self, attr: AttrId, part: usize) -> Option<&Set> {
        self.entries[attr.index()].get(part)
    }

    /// Of a thing that is printed on a card: the card's thing, and the number of the part in its definition.
    pub(crate) fn part(&self, thing: ThingId) -> Option<(ThingId, usize)> {
        let first = self.given.len() - self.parts.len();
        thing.index().checked_sub(first).and_then(|n| self.parts.get(n)).copied()
    }

    /// The thing of the card on which a thing is printed.
    pub(crate) fn printed_on(&self, thing: ThingId) -> Option<ThingId> {
        self.part(thing).map(|p| p.0)
    }

    /// A name.
    pub(crate) fn name<'a>(&'a self, program: &'a Program, name: NameId) -> &'a str {
        let known = program.names.len();
        if name.index() < known { &program.names[name.index()] } else { &self.names[name.index() - known] }
    }

    /// The entries of a list.
    pub(crate) fn list(program: &Program, list: ListId) -> &[EntryId] {
        &program.list(list).entries
    }
}

/// How many numbers an attribute has for each thing: only those indexed by a list have more than one.
#[inline]
pub(crate) fn number_parts(kind: ValueKind, parts: usize) -> usize {
    if matches!(kind, ValueKind::NumberFor(_)) { parts } else { 1 }
}
