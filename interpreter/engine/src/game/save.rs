//! Saving and loading a position at a decision, as JSON in which every id is a label.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use netrep_ir::limits::{FRAMES, SAVED, THINGS};
use netrep_ir::{IdKind as Of, *};
use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::position::cache::Cache;
use crate::position::labels;
use crate::position::link::Link;
use crate::position::set::ThingId;
use crate::position::stack::*;
use crate::position::state::{Ordinal, Row, Standing, State, Usage};
use crate::position::table::Table;
use crate::position::value::plus_one;
use crate::program::layout::*;

/// Why a saved game cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// It is not a saved game.
    Malformed(String),
    /// It was written in this version of the format, which is not read.
    Version(u32),
    /// It refers to something that the program does not have: the kind and the label.
    Missing(String, String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Version(found) => write!(
                f,
                "the position is of version {found}, and version {VERSION} is read: play it to its end with the release that \
                 wrote it, or begin a new game"
            ),
            LoadError::Malformed(why) => write!(f, "not a saved game: {why}"),
            LoadError::Missing(kind, label) => write!(f, "the saved game refers to `{label}` in {kind}, which is gone"),
        }
    }
}

impl std::error::Error for LoadError {}

const VERSION: u32 = 3;

/// Per thing, its cells.
type Rows<T> = Vec<(ThingId, Vec<T>)>;

/// What is read before the rest.
#[derive(Deserialize)]
struct Header {
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    cards: Vec<String>,
    given: Vec<(u16, Option<String>)>,
    /// How many things are printed on the cards.
    parts: usize,
    capacity: usize,
    labels: BTreeMap<String, Vec<String>>,
    classes: Vec<u16>,
    retired: Vec<ThingId>,
    places: Vec<(ThingId, u16, i32, i32)>,
    homes: Vec<(ThingId, i32)>,
    since: Vec<(ThingId, i32)>,
    /// When each came where it is, if that counts for anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    came: Vec<(ThingId, i32)>,
    numbers: Vec<(u16, Vec<(ThingId, i32)>)>,
    /// Numbers for the entries of a list.
    tables: Vec<(u16, Rows<(u16, i32)>)>,
    entries: Vec<(u16, Vec<(ThingId, u16)>)>,
    many: Vec<(u16, Rows<u16>)>,
    pairs: Vec<(u16, ThingId, ThingId)>,
    rest: Rest,
}

#[derive(Clone, Serialize, Deserialize)]
struct Rest {
    ordinals: Vec<Ordinal>,
    effects: Vec<Effect>,
    history: Vec<Row>,
    usage: Vec<Usage>,
    acts: Vec<Activation>,
    frames: Vec<Frame>,
    pending: Vec<Pending>,
    #[serde(default)]
    announced: Vec<Announced>,
    ask: Option<Decision>,
    serial: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    standing: Vec<Standing>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    withheld: Vec<ThingId>,
    /// For each procedure on the stack the step that comes next, as a label.
    next: Vec<Option<u16>>,
}

impl Saved {
    /// Refuses what no game comes to, before anything is made of it.
    fn bounded(&self) -> Result<(), LoadError> {
        let rest = &self.rest;
        let lists = [
            ("cards", self.cards.len(), THINGS),
            ("other things", self.given.len(), THINGS),
            ("things", self.classes.len(), THINGS),
            ("facts of two", self.pairs.len(), SAVED),
            ("rows of the history", rest.history.len(), SAVED),
            ("effects", rest.effects.len(), SAVED),
            ("rolls", rest.ordinals.len(), SAVED),
            ("uses", rest.usage.len(), SAVED),
            ("activations", rest.acts.len(), FRAMES),
            ("frames", rest.frames.len(), FRAMES),
            ("triggers", rest.pending.len(), SAVED),
            ("announcements", rest.announced.len(), SAVED),
            ("things given", rest.standing.len(), THINGS),
            ("things withheld", rest.withheld.len(), THINGS),
        ];
        match lists.into_iter().find(|(_, n, most)| n > most) {
            Some((what, n, most)) => Err(LoadError::Malformed(format!("it has {n} {what}, and {most} is the most"))),
            None => Ok(()),
        }
    }
}

impl Rest {
    fn visit(&mut self, f: &mut labels::Visit) {
        self.effects.iter_mut().for_each(|e| labels::effect(e, f));
        self.history.iter_mut().for_each(|r| labels::row(r, f));
        self.usage.iter_mut().for_each(|u| labels::usage(u, f));
        self.acts.iter_mut().for_each(|a| labels::activation(a, f));
        self.frames.iter_mut().for_each(|x| labels::frame(x, f));
        self.pending.iter_mut().for_each(|p| labels::pending(p, f));
        self.announced.iter_mut().for_each(|a| labels::announced(a, f));
        self.standing.iter_mut().for_each(|s| f(Of::Modifier, &mut s.modifier.0));
        self.ask.iter_mut().for_each(|d| labels::decision(d, f));
        self.next.iter_mut().flatten().for_each(|s| f(Of::Step, s));
    }
}

/// Interns labels while a game is saved.
struct Names<'a> {
    program: &'a Program,
    used: BTreeMap<Of, (Vec<String>, BTreeMap<u16, u16>)>,
}

impl Names<'_> {
    fn name(&mut self, of: Of, id: u16) -> u16 {
        let all = self.program.names_of(of);
        let (list, known) = self.used.entry(of).or_default();
        *known.entry(id).or_insert_with(|| {
            // total: a game that was loaded may cite a clause or place that is gone: it is still gone, because nothing has an
            // empty name.
            list.push(all.get(usize::from(id)).cloned().unwrap_or_default());
            crate::position::value::short(list.len() - 1)
        })
    }
}

/// The position as JSON.
pub(crate) fn save(game: &Game) -> String {
    let (link, state) = (game.link(), game.state());
    let (program, layout, table) = (&link.program, &link.layout, &link.table);
    let mut names = Names { program, used: BTreeMap::new() };
    let fresh = State::new(program, layout, table);
    let things: Vec<ThingId> = (0..state.ever()).map(ThingId::from_index).collect();
    let eval = game.eval();
    let mut saved = Saved {
        version: VERSION,
        cards: table.given.iter().filter_map(|g| g.card).map(|c| program.card(c).id.clone()).collect(),
        given: Vec::new(),
        parts: table.parts.len(),
        capacity: layout.capacity,
        labels: BTreeMap::new(),
        classes: state.classes.iter().map(|c| names.name(Of::Class, c.0)).collect(),
        retired: things.iter().copied().filter(|t| !state.exists(layout, *t)).collect(),
        places: Vec::new(),
        homes: Vec::new(),
        since: Vec::new(),
        came: Vec::new(),
        numbers: Vec::new(),
        tables: Vec::new(),
        entries: Vec::new(),
        many: Vec::new(),
        pairs: Vec::new(),
        rest: Rest {
            ordinals: state.ordinals.to_vec(),
            effects: state.effects.to_vec(),
            history: state.history.to_vec(),
            usage: state.usage.to_vec(),
            acts: state.acts.to_vec(),
            frames: state.frames.to_vec(),
            pending: state.pending.to_vec(),
            announced: state.announced.to_vec(),
            ask: state.ask.clone(),
            serial: state.serial,
            standing: state.standing.to_vec(),
            withheld: state.withheld.to_vec(),
            next: Vec::new(),
        },
    };
    for g in table.minted() {
        saved.given.push((names.name(Of::Class, g.class.0), g.name.map(|n| table.name(program, n).to_string())));
    }
    for t in &things {
        if let Some(place) = state.place(layout, *t) {
            let place = names.name(Of::Place, place.0);
            saved.places.push((*t, place, state.cell(layout, *t, OWNER), state.cell(layout, *t, RANK)));
        }
        if state.cell(layout, *t, HOME) > 0 {
            saved.homes.push((*t, state.cell(layout, *t, HOME)));
        }
        if state.cell(layout, *t, SINCE) != 0 {
            saved.since.push((*t, state.cell(layout, *t, SINCE)));
        }
        if link.analysis.cancels && state.cell(layout, *t, CAME) != 0 {
            saved.came.push((*t, state.cell(layout, *t, CAME)));
        }
    }
    for i in 0..program.attrs.len() {
        let attr = AttrId::from_index(i);
        let slot = layout.attr(attr);
        let having = eval.having(attr, &eval.universe(true));
        let label = names.name(Of::Attr, attr.0);
        match (slot.store, slot.kind) {
            (Store::Column(at), ValueKind::Entry(_)) => {
                let cell = |t: &ThingId| (*t, state.cell(layout, *t, at));
                let keep = |(t, v): &(ThingId, i32)| having.contains(*t) || *v != fresh.cell(layout, *t, at);
                let cells: Vec<(ThingId, i32)> = things.iter().map(cell).filter(keep).collect();
                // Entries are labels from 1; 0 is none.
                let entry = |v: i32, names: &mut Names| match u16::try_from(v - 1) {
                    Ok(entry) => names.name(Of::Entry, entry) + 1,
                    Err(_) => 0,
                };
                saved.entries.push((label, cells.into_iter().map(|(t, v)| (t, entry(v, &mut names))).collect()));
            }
            (Store::Column(at), ValueKind::NumberFor(list)) => {
                let row = |s: &State, t: ThingId| -> Vec<i32> {
                    (0..slot.parts).map(|part| s.cell(layout, t, at + part)).collect()
                };
                let keep = |t: &&ThingId| having.contains(**t) || row(state, **t) != row(&fresh, **t);
                let mut rows = Vec::new();
                for t in things.iter().filter(keep) {
                    let entries = Table::list(program, list).iter().map(|entry| names.name(Of::Entry, entry.0));
                    rows.push((*t, entries.zip(row(state, *t)).collect()));
                }
                saved.tables.push((label, rows));
            }
            (Store::Column(at), _) => {
                let keep =
                    |t: &&ThingId| having.contains(**t) || state.cell(layout, **t, at) != fresh.cell(layout, **t, at);
                let cell = |t: &ThingId| (*t, state.cell(layout, *t, at));
                saved.numbers.push((label, things.iter().filter(keep).map(cell).collect()));
            }
            (Store::Bits(at), ValueKind::Flag) => {
                let bit = |t: &ThingId| (*t, i32::from(crate::position::set::bit(state.words(layout, at), *t)));
                saved.numbers.push((label, things.iter().map(bit).collect()));
            }
            (Store::Bits(at), ValueKind::Entries(list)) => {
                let mut rows = Vec::new();
                for t in &things {
                    let mut row = Vec::new();
                    for (part, entry) in Table::list(program, list).iter().enumerate() {
                        if crate::position::set::bit(state.words(layout, at + part), *t) {
                            row.push(names.name(Of::Entry, entry.0));
                        }
                    }
                    if !row.is_empty() || having.contains(*t) {
                        rows.push((*t, row));
                    }
                }
                saved.many.push((label, rows));
            }
            (Store::Pairs, _) => {
                let mine = state.pairs.iter().filter(|p| p.0 == attr);
                saved.pairs.extend(mine.map(|p| (label, p.1, p.2)));
            }
            (Store::Bits(_) | Store::Printed | Store::Derived, _) => {}
        }
    }
    for frame in &saved.rest.frames {
        if let Kind::Procedure(r) = &frame.kind {
            let step = program.proc(r.proc).steps.get(usize::from(r.next));
            saved.rest.next.push(step.map(|s| s.0));
        }
    }
    saved.rest.visit(&mut |of, id| *id = names.name(of, *id));
    for of in Of::ALL {
        if let Some((list, _)) = names.used.remove(of) {
            saved.labels.insert(of.name().to_string(), list);
        }
    }
    // total: plain data with words as keys can always be written.
    serde_json::to_string(&saved).unwrap_or_default()
}

/// Finds ids by label while a game is loaded.
struct Ids<'a> {
    program: &'a Program,
    labels: &'a BTreeMap<String, Vec<String>>,
    found: BTreeMap<Of, Vec<Option<u16>>>,
    missing: Option<(String, String)>,
}

impl Ids<'_> {
    fn check(&self) -> Result<(), LoadError> {
        match self.missing.clone() {
            Some((kind, label)) => Err(LoadError::Missing(kind, label)),
            None => Ok(()),
        }
    }

    fn id(&mut self, of: Of, n: u16) -> u16 {
        let kind = of.name();
        let used = self.labels.get(kind);
        let program = self.program;
        let found = self.found.entry(of).or_insert_with(|| {
            let all = program.names_of(of);
            let mut index: Vec<(&str, usize)> = all.iter().enumerate().map(|(i, l)| (l.as_str(), i)).collect();
            index.sort_unstable();
            let find =
                |l: &String| index.binary_search_by(|x| x.0.cmp(l)).ok().and_then(|i| u16::try_from(index[i].1).ok());
            used.into_iter().flatten().map(find).collect()
        });
        match found.get(usize::from(n)) {
            Some(Some(id)) => *id,
            // The place of a citation may go; what is cited by it was executed long ago.
            Some(None) if of == Of::Clause || of == Of::Site => u16::MAX,
            _ => {
                let label = match used.and_then(|used| used.get(usize::from(n))) {
                    Some(label) => label.clone(),
                    None => format!("number {n}"),
                };
                self.missing.get_or_insert((kind.to_string(), label));
                0
            }
        }
    }
}

/// The game that was saved, under a program that has what it refers to.
pub(crate) fn load(program: Arc<Program>, text: &str) -> Result<Game, LoadError> {
    let malformed = |why: &str| LoadError::Malformed(why.to_string());
    let unread = |e: serde_json::Error| LoadError::Malformed(e.to_string());
    // The version first: what is of another one need not have the same fields.
    let Header { version } = serde_json::from_str(text).map_err(unread)?;
    if version != VERSION {
        return Err(LoadError::Version(version));
    }
    let mut saved: Saved = serde_json::from_str(text).map_err(unread)?;
    saved.bounded()?;
    let labels = std::mem::take(&mut saved.labels);
    let mut ids = Ids { program: &program, labels: &labels, found: BTreeMap::new(), missing: None };
    let mut cards = Vec::new();
    for id in &saved.cards {
        match program.cards.iter().position(|c| c.id == *id) {
            Some(i) => cards.push(CardId::from_index(i)),
            None => return Err(LoadError::Missing("cards".to_string(), id.clone())),
        }
    }
    let mut names = Vec::new();
    let mut minted = Vec::new();
    for (class, name) in &saved.given {
        let name = name.as_ref().map(|n| {
            let known = program
                .names
                .iter()
                .position(|x| x == n)
                .or_else(|| names.iter().position(|x: &String| x == n).map(|i| i + program.names.len()));
            NameId::from_index(known.unwrap_or_else(|| {
                names.push(n.clone());
                program.names.len() + names.len() - 1
            }))
        });
        minted.push((ClassId(ids.id(Of::Class, *class)), name));
    }
    ids.check()?;
    let things = saved.classes.len();
    if !saved.capacity.is_multiple_of(64)
        || saved.capacity > THINGS
        || things > saved.capacity
        || cards.len() + minted.len() > things
    {
        return Err(malformed("more things than it has room for"));
    }
    let layout = Layout::new(&program, saved.capacity);
    let table = Table::new(&program, &layout, &cards, &minted, names);
    if table.parts.len() != saved.parts || table.given.len() > things {
        return Err(malformed("the cards print other things than when it was saved"));
    }
    let mut state = State::new(&program, &layout, &table);
    for class in saved.classes.iter().skip(state.ever()) {
        let class = ClassId(ids.id(Of::Class, *class));
        ids.check()?;
        state.mint(&program, &layout, class);
    }
    for (thing, place, owner, rank) in &saved.places {
        let place = PlaceId(ids.id(Of::Place, *place));
        ids.check()?;
        state.set_bit(&layout, layout.place(place), *thing, true);
        state.set_cell(&layout, *thing, PLACE, i32::from(place.0) + 1);
        state.set_cell(&layout, *thing, OWNER, *owner);
        state.set_cell(&layout, *thing, RANK, *rank);
    }
    saved.homes.iter().for_each(|(t, home)| state.set_cell(&layout, *t, HOME, *home));
    saved.since.iter().for_each(|(t, serial)| state.set_cell(&layout, *t, SINCE, *serial));
    saved.came.iter().for_each(|(t, serial)| state.set_cell(&layout, *t, CAME, *serial));
    saved.retired.iter().for_each(|t| state.set_bit(&layout, layout.existing(), *t, false));
    for (attr, rows) in &saved.numbers {
        let attr = AttrId(ids.id(Of::Attr, *attr));
        ids.check()?;
        let slot = layout.attr(attr).clone();
        for (thing, n) in rows {
            match (slot.store, slot.kind) {
                (Store::Column(at), ValueKind::Number | ValueKind::Thing(_)) => state.set_cell(&layout, *thing, at, *n),
                (Store::Bits(at), ValueKind::Flag) => state.set_bit(&layout, at, *thing, *n != 0),
                _ => return Err(malformed("a fact has other values than when it was saved")),
            }
        }
    }
    for (attr, rows) in &saved.tables {
        let attr = AttrId(ids.id(Of::Attr, *attr));
        ids.check()?;
        let slot = layout.attr(attr).clone();
        let (Store::Column(at), ValueKind::NumberFor(_)) = (slot.store, slot.kind) else {
            return Err(malformed("a fact has other values than when it was saved"));
        };
        for (thing, row) in rows {
            for (entry, n) in row {
                let part = table.position(EntryId(ids.id(Of::Entry, *entry)));
                if part < slot.parts {
                    state.set_cell(&layout, *thing, at + part, *n);
                }
            }
        }
        ids.check()?;
    }
    for (attr, rows) in &saved.entries {
        let attr = AttrId(ids.id(Of::Attr, *attr));
        ids.check()?;
        for (thing, entry) in rows {
            let value = plus_one(entry.checked_sub(1).map(|entry| ids.id(Of::Entry, entry)));
            if let (Store::Column(at), ValueKind::Entry(_)) = (layout.attr(attr).store, layout.attr(attr).kind) {
                state.set_cell(&layout, *thing, at, value);
            }
        }
    }
    for (attr, rows) in &saved.many {
        let attr = AttrId(ids.id(Of::Attr, *attr));
        ids.check()?;
        let slot = layout.attr(attr).clone();
        let (Store::Bits(at), ValueKind::Entries(_)) = (slot.store, slot.kind) else { continue };
        for (thing, row) in rows {
            (0..slot.parts).for_each(|p| state.set_bit(&layout, at + p, *thing, false));
            for entry in row {
                let part = table.position(EntryId(ids.id(Of::Entry, *entry)));
                if part < slot.parts {
                    state.set_bit(&layout, at + part, *thing, true);
                }
            }
        }
    }
    let stored: Vec<AttrId> = saved.pairs.iter().map(|p| AttrId(ids.id(Of::Attr, p.0))).collect();
    *state.pairs = stored.into_iter().zip(&saved.pairs).map(|(a, p)| (a, p.1, p.2)).collect();
    state.pairs.sort_unstable();
    let mut rest = saved.rest;
    rest.visit(&mut |of, id| *id = ids.id(of, *id));
    ids.check()?;
    restore(&program, &mut state, rest)?;
    let link = Arc::new(Link::new(program, layout, table));
    let cache = Cache::new(&link);
    Ok(Game::assemble(link, state, cache))
}

/// The stack and the history, checked as far as the machine relies on them.
fn restore(program: &Program, state: &mut State, mut rest: Rest) -> Result<(), LoadError> {
    let mut next = rest.next.into_iter();
    for frame in &mut rest.frames {
        if usize::from(frame.act) >= rest.acts.len() {
            return Err(LoadError::Malformed("a frame without its activation".to_string()));
        }
        if let Kind::Procedure(r) = &mut frame.kind {
            let steps = &program.proc(r.proc).steps;
            let step = next.next().flatten();
            let at = step.and_then(|s| steps.iter().position(|x| x.0 == s)).unwrap_or(steps.len());
            r.next = crate::position::value::short(at);
        }
    }
    for row in &rest.history {
        state.push_row(*row);
    }
    rest.ordinals.sort_unstable();
    rest.usage.sort_unstable();
    state.ordinals = rest.ordinals.into();
    state.effects = rest.effects.into();
    state.usage = rest.usage.into();
    state.acts = rest.acts.into();
    state.frames = rest.frames.into();
    state.pending = rest.pending.into();
    state.announced = rest.announced.into();
    state.ask = rest.ask;
    state.serial = rest.serial;
    state.standing = rest.standing.into();
    state.withheld = rest.withheld.into();
    Ok(())
}
