//! Linking: the lowered items become one program with dense ids.
//!
//! Ids follow the order of declaration (files by path, then place), never spelling, and are given outside
//! salsa: a new card on top shifts every id below it, and nothing needs to be compiled again for that.
//! A name that no item declares is an error of the item that uses it; the item's clauses are then left out.

use std::sync::Arc;

use netrep_ir::{
    ActionDecl, ActionId, AttrDecl, AttrId, BlockId, CardDecl, CardId, ClassDecl, ClassId, ClauseDecl, ClauseId, Diag,
    EntryDecl, EntryId, Label, ListDecl, ListId, Map, Mapper, ModifierId, NameId, NormId, PlaceDecl, PlaceId, Printed,
    ProcDecl, ProcId, Program, RoleDecl, RoleId, Sel, Severity, Site, SiteId, Source, StepDecl, StepId, TriggerId,
    ValueKind, VerbId,
};
use rustc_hash::FxHashMap;

use crate::linking::LinkItem;
use crate::lower::LowTerm;

mod order;

/// A table from names to dense ids.
type Table = FxHashMap<Arc<str>, u16>;

/// The tables of names.
#[derive(Default)]
struct Tables {
    classes: Table,
    lists: Table,
    entries: Table,
    attrs: Table,
    verbs: Table,
    roles: Table,
    places: Table,
    procs: Table,
    names: Table,
    steps: FxHashMap<(u16, Arc<str>), u16>,
}

fn add(table: &mut Table, name: &Arc<str>) -> (u16, bool) {
    let next = u16::try_from(table.len()).unwrap_or(u16::MAX);
    match table.entry(name.clone()) {
        std::collections::hash_map::Entry::Occupied(o) => (*o.get(), false),
        std::collections::hash_map::Entry::Vacant(v) => (*v.insert(next), true),
    }
}

impl Tables {
    /// The tables of a linked program, for phrases that are not part of it.
    fn of(p: &Program) -> Tables {
        fn table<'a>(names: impl Iterator<Item = &'a str>) -> Table {
            let mut t = Table::default();
            for (i, n) in names.enumerate() {
                // The first declaration of a name holds.
                t.entry(Arc::from(n)).or_insert(u16::try_from(i).unwrap_or(u16::MAX));
            }
            t
        }
        Tables {
            classes: table(p.classes.iter().map(|x| x.name.as_str())),
            lists: table(p.lists.iter().map(|x| x.name.as_str())),
            entries: table(p.entries.iter().map(|x| x.name.as_str())),
            attrs: table(p.attrs.iter().map(|x| x.name.as_str())),
            verbs: table(p.verbs.iter().map(|x| x.name.as_str())),
            roles: table(p.roles.iter().map(|x| x.name.as_str())),
            places: table(p.places.iter().map(|x| x.name.as_str())),
            procs: table(p.procs.iter().map(|x| x.name.as_str())),
            names: table(p.names.iter().map(String::as_str)),
            steps: FxHashMap::default(),
        }
    }
}

/// Gives a tree that was lowered on its own the ids of a program. `more`: further names with their ids. `Err`
/// holds a name that the program does not know, and what it should be.
pub(crate) fn relocate<T: Map>(
    program: &Program,
    symbols: &crate::lower::Symbols,
    more: &[(Arc<str>, NameId)],
    tree: &mut T,
) -> Result<(), (Arc<str>, &'static str)> {
    let mut tables = Tables::of(program);
    for (name, id) in more {
        tables.names.insert(name.clone(), id.0);
    }
    let mut unknown = Vec::new();
    let mut m = Linker::relocation(&tables, program, symbols, &mut unknown);
    if let Some(first) = unknown.into_iter().next() {
        return Err(first);
    }
    tree.map_ids(&mut m, 0);
    Ok(())
}

/// From an item's local ids to the program's.
struct Relocation<'a> {
    classes: Vec<u16>,
    lists: Vec<u16>,
    entries: Vec<u16>,
    attrs: Vec<u16>,
    verbs: Vec<u16>,
    roles: Vec<u16>,
    places: Vec<u16>,
    procs: Vec<u16>,
    names: Vec<u16>,
    action: ActionId,
    clause: usize,
    block: usize,
    modifier: usize,
    trigger: usize,
    norm: usize,
    site: usize,
    tables: &'a Tables,
}

macro_rules! relocate {
    ($($method:ident $id:ident $table:ident),* $(,)?) => {$(
        fn $method(&mut self, id: $id) -> $id {
            // `u16::MAX` stands for "any"; unknown names were reported when the tables were made.
            $id(self.$table.get(id.index()).copied().unwrap_or(u16::MAX))
        }
    )*};
}

macro_rules! offset {
    ($($method:ident $id:ident $base:ident),* $(,)?) => {$(
        fn $method(&mut self, id: $id) -> $id {
            $id::from_index(self.$base + id.index())
        }
    )*};
}

impl Mapper for Relocation<'_> {
    relocate! {
        class ClassId classes, list ListId lists, entry EntryId entries, attr AttrId attrs, verb VerbId verbs,
        role RoleId roles, place PlaceId places, proc ProcId procs, name NameId names,
    }
    offset! {
        clause ClauseId clause, block BlockId block, modifier ModifierId modifier, trigger TriggerId trigger,
        norm NormId norm, site SiteId site,
    }
    fn action(&mut self, _: ActionId) -> ActionId {
        self.action
    }
}

/// Linking under way.
#[derive(Default)]
struct Linker {
    program: Program,
    tables: Tables,
    diags: Vec<Diag>,
    /// Which items are part of the program.
    placed: Vec<bool>,
}

/// Links the items of a profile. Diagnostics are about the whole (unknown names, missing steps, circular
/// modifiers); those of single items were given when they were read and lowered.
pub fn link(items: &[LinkItem]) -> (Program, Vec<Diag>) {
    let mut l = Linker::default();
    l.declare(items);
    l.place_items(items);
    l.finish(items);
    l.diags.sort();
    (l.program, l.diags)
}

/// What [`link`] would find wrong with the names of the whole, without making the program.
pub fn verify(items: &[LinkItem]) -> Vec<Diag> {
    let mut l = Linker::default();
    l.declare(items);
    let tables = std::mem::take(&mut l.tables);
    let mut modifiers = Vec::new();
    for i in items {
        let mut unknown = Vec::new();
        let mut m = Linker::relocation(&tables, &l.program, &i.lowered.symbols, &mut unknown);
        let whole = unknown.is_empty();
        for (name, what) in unknown {
            l.unknown(i, &name, what, &tables);
        }
        for p in &i.lowered.procs {
            l.steps(i, p, &tables);
        }
        if whole {
            i.lowered.terms.iter().for_each(|t| l.term(t, &mut m));
            l.services(i, &mut m, &tables);
            for modifier in &i.lowered.modifiers {
                let clause = i.lowered.clauses.get(modifier.clause.index());
                modifiers.push((i, clause));
                let mut modifier = modifier.clone();
                modifier.map_ids(&mut m, 0);
                l.program.modifiers.push(modifier);
            }
        }
    }
    if let Err(cycle) = order::fold_order(&l.program)
        && let Some((i, Some(clause))) = cycle.first().and_then(|m| modifiers.get(m.index()))
    {
        let name = format!("{} {}", i.item.key, clause.label);
        l.diags.push(circular(i.places.place(clause.span), &name));
    }
    let labels: Vec<String> = items
        .iter()
        .filter(|i| i.lowered.card.is_some() || &*i.item.head == "rule")
        .flat_map(|i| i.lowered.clauses.iter().map(|c| format!("{} {}", i.item.key, c.label).trim_end().to_owned()))
        .collect();
    for i in items.iter().filter(|i| !i.lowered.despite.is_empty()) {
        for (_, item, label, site) in &i.lowered.despite {
            let wanted = format!("{item} {label}");
            if !labels.contains(&wanted) {
                l.diags.push(unknown_label(i, &wanted, *site, labels.iter().map(String::as_str)));
            }
        }
    }
    l.diags.sort();
    l.diags
}

fn circular(place: netrep_ir::Place, label: &str) -> Diag {
    Diag {
        place,
        code: "circular-modifiers".to_owned(),
        severity: Severity::Error,
        message: format!("the modifier `{label}` depends on the value that it changes"),
        label: String::new(),
        labels: Vec::new(),
        help: Some("let one of them read a stored fact instead of the modified value".to_owned()),
    }
}

fn unknown_label<'a>(i: &LinkItem, wanted: &str, site: SiteId, labels: impl Iterator<Item = &'a str>) -> Diag {
    let span = i.lowered.sites.get(site.index()).map_or(i.item.tree.head_span, |s| s.span);
    Diag {
        place: i.places.place(span),
        code: "unknown-label".to_owned(),
        severity: Severity::Error,
        message: format!("no clause is labelled `{wanted}`"),
        label: String::new(),
        labels: Vec::new(),
        help: crate::phrase::lexicon::nearest(wanted, labels).first().map(|n| format!("did you mean `{n}`?")),
    }
}

impl Linker {
    fn error(
        &mut self,
        at: &LinkItem,
        span: netrep_grammar::tree::Span,
        code: &str,
        message: String,
        help: Option<String>,
    ) {
        self.diags.push(Diag {
            place: at.places.place(span),
            code: code.to_owned(),
            severity: Severity::Error,
            message,
            label: String::new(),
            labels: Vec::<Label>::new(),
            help,
        });
    }

    /// Gives ids to everything that is declared.
    fn declare(&mut self, items: &[LinkItem]) {
        for i in items {
            for t in &i.lowered.terms {
                match t {
                    LowTerm::Class(n) => {
                        if add(&mut self.tables.classes, n).1 {
                            self.program.classes.push(ClassDecl { name: n.to_string() });
                        }
                    }
                    LowTerm::List(n, entries) => {
                        let (list, new) = add(&mut self.tables.lists, n);
                        if !new {
                            continue;
                        }
                        let mut ids = Vec::new();
                        for e in entries {
                            let (id, new) = add(&mut self.tables.entries, e);
                            if new {
                                self.program.entries.push(EntryDecl { name: e.to_string(), list: ListId(list) });
                            }
                            ids.push(EntryId(id));
                        }
                        self.program.lists.push(ListDecl { name: n.to_string(), entries: ids });
                    }
                    LowTerm::Role(n, number) => {
                        if add(&mut self.tables.roles, n).1 {
                            self.program.roles.push(RoleDecl { name: n.to_string(), number: *number });
                        }
                    }
                    LowTerm::Place { name, owned, ordered, secrecy } => {
                        if add(&mut self.tables.places, name).1 {
                            self.program.places.push(PlaceDecl {
                                name: name.to_string(),
                                owned: *owned,
                                ordered: *ordered,
                                secrecy: *secrecy,
                            });
                        }
                    }
                    LowTerm::Verb(n, decl) => {
                        if add(&mut self.tables.verbs, n).1 {
                            self.program.verbs.push((**decl).clone());
                        }
                    }
                    LowTerm::Attribute { name, .. } => {
                        if add(&mut self.tables.attrs, name).1 {
                            self.program.attrs.push(AttrDecl {
                                name: name.to_string(),
                                kind: ValueKind::Number,
                                source: Source::Stored { default: 0 },
                                dynamic: false,
                                classes: Vec::new(),
                            });
                        }
                    }
                }
            }
            for p in &i.lowered.procs {
                add(&mut self.tables.procs, &p.name);
            }
            if i.lowered.card.is_some() {
                self.name(&i.item.title);
            }
            for n in &i.lowered.expected {
                self.name(n);
            }
        }
        for words in items.iter().flat_map(|i| &i.lowered.services).filter(|(s, _)| s == "against").map(|(_, w)| w) {
            if let Some(role) = self.tables.roles.get(words.join(" ").as_str()).copied() {
                self.tables.roles.insert(Arc::from(""), role);
            }
        }
        for i in items {
            for s in &i.lowered.steps {
                if let Some(p) = self.tables.procs.get(&s.proc) {
                    let next = u16::try_from(self.tables.steps.len()).unwrap_or(u16::MAX);
                    self.tables.steps.entry((*p, s.name.clone())).or_insert(next);
                }
            }
        }
    }

    fn name(&mut self, name: &Arc<str>) {
        if add(&mut self.tables.names, name).1 {
            self.program.names.push(name.to_string());
        }
    }

    /// Resolves an item's symbols; the first clause's place serves for names that are unknown.
    fn relocation<'a>(
        tables: &'a Tables,
        program: &Program,
        s: &crate::lower::Symbols,
        unknown: &mut Vec<(Arc<str>, &'static str)>,
    ) -> Relocation<'a> {
        let mut map = |names: &[Arc<str>], table: &Table, what: &'static str| -> Vec<u16> {
            names
                .iter()
                .map(|n| {
                    table.get(n).copied().unwrap_or_else(|| {
                        unknown.push((n.clone(), what));
                        u16::MAX
                    })
                })
                .collect()
        };
        Relocation {
            classes: map(&s.classes, &tables.classes, "class"),
            lists: map(&s.lists, &tables.lists, "list"),
            entries: map(&s.entries, &tables.entries, "term"),
            attrs: map(&s.attrs, &tables.attrs, "attribute"),
            verbs: map(&s.verbs, &tables.verbs, "verb"),
            roles: map(&s.roles, &tables.roles, "role"),
            places: map(&s.places, &tables.places, "place"),
            procs: map(&s.procs, &tables.procs, "procedure"),
            names: map(&s.names, &tables.names, "name"),
            action: ActionId(0),
            clause: program.clauses.len(),
            block: program.blocks.len(),
            modifier: program.modifiers.len(),
            trigger: program.triggers.len(),
            norm: program.norms.len(),
            site: program.sites.len(),
            tables,
        }
    }

    fn place_items(&mut self, items: &[LinkItem]) {
        let tables = std::mem::take(&mut self.tables);
        self.program.steps =
            vec![
                StepDecl { name: String::new(), proc: ProcId(0), body: BlockId(0), clause: ClauseId(0) };
                tables.steps.len()
            ];
        let mut procs: Vec<Option<ProcDecl>> = vec![None; tables.procs.len()];
        let mut needs = Vec::new();
        for i in items {
            let mut unknown = Vec::new();
            let mut m = Self::relocation(&tables, &self.program, &i.lowered.symbols, &mut unknown);
            self.placed.push(unknown.is_empty());
            if !unknown.is_empty() {
                for (name, what) in unknown {
                    self.unknown(i, &name, what, &tables);
                }
                continue;
            }
            self.item(i, &mut m);
            let low = &*i.lowered;
            for t in &low.terms {
                self.term(t, &mut m);
            }
            for p in &low.procs {
                self.procedure(i, p, &mut m, &mut procs);
            }
            for s in &low.steps {
                if let Some(p) = tables.procs.get(&s.proc)
                    && let Some(id) = tables.steps.get(&(*p, s.name.clone()))
                {
                    let decl = StepDecl {
                        name: s.name.to_string(),
                        proc: ProcId(*p),
                        body: m.block(s.body),
                        clause: m.clause(s.clause),
                    };
                    if let Some(slot) = self.program.steps.get_mut(usize::from(*id)) {
                        *slot = decl;
                    }
                }
            }
            for a in &low.actions {
                if let Some(decl) = &a.decl {
                    let mut decl: ActionDecl = decl.clone();
                    decl.verb = m.verb(decl.verb);
                    decl.clause = m.clause(decl.clause);
                    decl.from.map_ids(&mut m, 0);
                    decl.by.map_ids(&mut m, 0);
                    decl.declare.map_ids(&mut m, 0);
                    decl.resolve = m.block(decl.resolve);
                    decl.negate.map_ids(&mut m, 0);
                    self.program.actions.push(decl);
                }
                let mut r = a.requirements.clone();
                r.map_ids(&mut m, 0);
                needs.extend(r);
            }
            self.services(i, &mut m, &tables);
        }
        for a in &mut self.program.actions {
            a.requirements.extend(needs.iter().cloned());
        }
        for p in procs {
            self.program.procs.push(p.unwrap_or(ProcDecl {
                name: String::new(),
                clause: ClauseId(0),
                parameters: Vec::new(),
                prologue: None,
                steps: Vec::new(),
                fixed: true,
                guard: None,
                slots: 0,
            }));
        }
        // A procedure's slots must hold what its steps need.
        for i in items {
            for s in &i.lowered.steps {
                if let Some(p) = tables.procs.get(&s.proc)
                    && let Some(decl) = self.program.procs.get_mut(usize::from(*p))
                {
                    decl.slots = decl.slots.max(s.slots);
                }
            }
        }
        self.tables = tables;
    }

    fn unknown(&mut self, i: &LinkItem, name: &str, what: &str, tables: &Tables) {
        let span = i.lowered.sites.first().map(|s| s.span).unwrap_or(i.item.tree.head_span);
        let help = (what == "name").then(|| {
            let near = crate::phrase::lexicon::nearest(name, tables.names.keys().map(|k| &**k));
            match near.first() {
                Some(n) => format!("did you mean \"{n}\"?"),
                None => "declare the card, or list its name under `kernel expected`".to_owned(),
            }
        });
        self.error(i, span, &format!("unknown-{what}"), format!("no {what} is called `{name}`"), help);
    }

    /// Clauses, blocks, sites and the indexed parts of an item.
    fn item(&mut self, i: &LinkItem, m: &mut Relocation<'_>) {
        let low = &*i.lowered;
        let card = low.card.as_ref().map(|_| CardId::from_index(self.program.cards.len()));
        let name = if matches!(&*i.item.head, "card" | "rule") {
            i.item.key.to_string()
        } else {
            format!("{} {}", i.item.head, short(&i.item.key))
        };
        for c in &low.clauses {
            let setter = i.item.setter(c.span).to_owned();
            self.program.clauses.push(ClauseDecl {
                label: format!("{name} {}", c.label).trim_end().to_owned(),
                item: name.clone(),
                title: i.item.title.to_string(),
                setter,
                place: i.places.place(c.span),
                fingerprint: fingerprint(&c.text),
                text: c.text.clone(),
                sources: i.item.sources.clone(),
                card,
            });
        }
        for s in &low.sites {
            self.program.sites.push(Site {
                clause: m.clause(s.clause),
                place: i.places.place(s.span),
                text: s.text.clone(),
            });
        }
        for b in &low.blocks {
            let mut b = b.clone();
            b.label = format!("{name} {}", b.label);
            b.map_ids(m, 0);
            self.program.blocks.push(b);
        }
        macro_rules! parts {
            ($($field:ident),*) => {$(
                for p in &low.$field {
                    let mut p = p.clone();
                    p.map_ids(m, 0);
                    p.card = card;
                    self.program.$field.push(p);
                }
            )*};
        }
        parts!(modifiers, triggers, norms, allowances);
        for v in &low.invariants {
            let mut v = v.clone();
            v.clause = m.clause(v.clause);
            v.cond.map_ids(m, 0);
            self.program.invariants.push(v);
        }
        if let Some(c) = &low.card {
            let mut figures = Vec::new();
            for (attr, printed) in &c.figures {
                let Some(a) = m.tables.attrs.get(attr) else { continue };
                let printed = match printed.clone() {
                    Printed::Number(n) => Printed::Number(n),
                    Printed::Entries(v) => Printed::Entries(v.into_iter().map(|e| m.entry(e)).collect()),
                    Printed::Numbers(v) => Printed::Numbers(v.into_iter().map(|(e, n)| (m.entry(e), n)).collect()),
                    Printed::Names(v) => Printed::Names(v.into_iter().map(|n| m.name(n)).collect()),
                };
                figures.push((AttrId(*a), printed));
            }
            let first = m.clause;
            let clauses = (first..self.program.clauses.len()).map(ClauseId::from_index).collect();
            self.program.cards.push(CardDecl {
                id: i.item.key.to_string(),
                name: m.name(c.name),
                class: ClassId(0),
                figures,
                clauses,
                partial: i.item.partial.clone(),
            });
        }
    }

    fn term(&mut self, t: &LowTerm, m: &mut Relocation<'_>) {
        match t {
            LowTerm::Attribute { name, kind, source, dynamic, classes } => {
                let Some(id) = m.tables.attrs.get(name) else { return };
                let kind = match *kind {
                    ValueKind::Entry(l) => ValueKind::Entry(m.list(l)),
                    ValueKind::Entries(l) => ValueKind::Entries(m.list(l)),
                    ValueKind::NumberFor(l) => ValueKind::NumberFor(m.list(l)),
                    ValueKind::Thing(c) => ValueKind::Thing(m.class(c)),
                    ValueKind::Things(c) => ValueKind::Things(m.class(c)),
                    other => other,
                };
                let source = match source.clone() {
                    Source::Stored { default } => Source::Stored {
                        default: match kind {
                            ValueKind::Entry(_) if default > 0 => {
                                let local = EntryId(u16::try_from(default - 1).unwrap_or(u16::MAX));
                                i32::from(m.entry(local).0) + 1
                            }
                            _ => default,
                        },
                    },
                    Source::Number(mut n) => {
                        n.map_ids(m, 0);
                        Source::Number(n)
                    }
                    Source::Things(mut s) => {
                        s.map_ids(m, 0);
                        Source::Things(s)
                    }
                    Source::Flag(mut s) => {
                        s.map_ids(m, 0);
                        Source::Flag(s)
                    }
                };
                let classes: Vec<ClassId> = classes.iter().map(|c| m.class(*c)).collect();
                let Some(decl) = self.program.attrs.get_mut(usize::from(*id)) else { return };
                let fresh = decl.classes.is_empty();
                if fresh {
                    decl.kind = kind;
                }
                if fresh || !matches!(source, Source::Stored { default: 0 }) {
                    decl.source = source;
                }
                decl.dynamic |= dynamic;
                for c in classes {
                    if !decl.classes.contains(&c) {
                        decl.classes.push(c);
                    }
                }
            }
            LowTerm::Verb(name, decl) => {
                let Some(id) = m.tables.verbs.get(name) else { return };
                let mut d = (**decl).clone();
                for r in &mut d.roles {
                    r.class = m.class(r.class);
                }
                d.clause = m.clause(d.clause);
                for (c, s) in d.needs.iter_mut().chain(&mut d.leaves) {
                    c.map_ids(m, 0);
                    *s = m.site(*s);
                }
                d.body.map_ids(m, 0);
                if let Some(slot) = self.program.verbs.get_mut(usize::from(*id)) {
                    *slot = d;
                }
            }
            _ => {}
        }
    }

    /// The steps of a procedure; one that no rule fills is an error.
    fn steps(&mut self, i: &LinkItem, p: &crate::lower::LowProc, tables: &Tables) -> Vec<StepId> {
        let Some(id) = tables.procs.get(&p.name).copied() else { return Vec::new() };
        let span = i.lowered.clauses.get(p.clause.index()).map_or(i.item.tree.head_span, |c| c.span);
        let mut steps = Vec::new();
        for s in &p.steps {
            match tables.steps.get(&(id, s.clone())) {
                Some(step) => steps.push(StepId(*step)),
                None => self.error(
                    i,
                    span,
                    "missing-step",
                    format!("no rule says what is done in step `{s}` of `{}`", p.name),
                    Some(format!("write `step {s} of {} {{ … }}` in a rule", p.name)),
                ),
            }
        }
        steps
    }

    fn procedure(
        &mut self,
        i: &LinkItem,
        p: &crate::lower::LowProc,
        m: &mut Relocation<'_>,
        procs: &mut [Option<ProcDecl>],
    ) {
        let Some(id) = m.tables.procs.get(&p.name).copied() else { return };
        let steps = self.steps(i, p, m.tables);
        let guard = p.guard.clone().map(|(mut c, then, site)| {
            c.map_ids(m, 0);
            let then = then.and_then(|t| m.tables.steps.get(&(id, t)).map(|s| StepId(*s)));
            (c, then, m.site(site))
        });
        let decl = ProcDecl {
            name: p.name.to_string(),
            clause: m.clause(p.clause),
            parameters: p.parameters.iter().map(|(s, c)| (*s, m.class(*c))).collect(),
            prologue: p.prologue.map(|b| m.block(b)),
            steps,
            fixed: p.fixed,
            guard,
            slots: p.slots,
        };
        if let Some(slot) = procs.get_mut(usize::from(id)) {
            *slot = Some(decl);
        }
    }

    fn services(&mut self, i: &LinkItem, m: &mut Relocation<'_>, tables: &Tables) {
        let low = &*i.lowered;
        for (service, sel) in &low.service_sels {
            let mut sel = sel.clone();
            sel.map_ids(m, 0);
            match service.as_str() {
                "functioning" => self.program.services.functioning = Some(sel),
                "orderer" => self.program.services.orderer = Some(sel),
                _ => self.program.services.stages.push(sel),
            }
        }
        for (service, words) in &low.services {
            let rest = words.join(" ");
            let class = |n: &str| tables.classes.get(n).map(|c| ClassId(*c));
            let attr = |n: &str| tables.attrs.get(n).map(|a| AttrId(*a));
            let known = match service.as_str() {
                "player" => class(&rest).map(|c| self.program.services.player = c).is_some(),
                "card" => class(&rest).map(|c| self.program.services.card = c).is_some(),
                "controller" => attr(&rest).map(|a| self.program.services.controller = a).is_some(),
                "describe" => {
                    let mut parts = words.splitn(2, |w| w == "by");
                    let (c, a) = (parts.next().unwrap_or(&[]).join(" "), parts.next().unwrap_or(&[]).join(" "));
                    class(&c).zip(attr(&a)).map(|p| self.program.services.described.push(p)).is_some()
                }
                "against" => tables.roles.contains_key(rest.as_str()),
                "functioning" | "orderer" | "stage" => true,
                _ => false,
            };
            if !known {
                self.error(
                    i,
                    i.item.tree.head_span,
                    "unknown-service",
                    format!("`{service} {rest}` names no service, or a word that is not declared"),
                    Some(
                        "services are player, card, controller, against, functioning, orderer, stage, describe"
                            .to_owned(),
                    ),
                );
            }
        }
    }

    /// What can only be done when all is in place.
    fn finish(&mut self, items: &[LinkItem]) {
        let p = &mut self.program;
        for c in &mut p.cards {
            c.class = p.services.card;
        }
        let you = Sel::Image(p.services.controller, Box::new(Sel::This));
        for a in &mut p.actions {
            if a.by == Sel::Empty {
                a.by = you.clone();
            }
        }
        for a in &mut p.allowances {
            if a.by == Sel::Empty {
                a.by = you.clone();
            }
            if let Some(id) = a.action
                && let Some(action) = p.actions.get(id.index())
                && let Some(v) = p.verbs.get(action.verb.index())
            {
                a.words = v.forms[0].clone();
            }
        }
        // Passive conditions whose actions include one of these verbs resolve at once, by the rule that says so.
        let mut timings: Vec<(VerbId, ClauseId)> = Vec::new();
        let mut first = 0;
        for (i, _) in items.iter().zip(&self.placed).filter(|(_, placed)| **placed) {
            for (v, c) in &i.lowered.immediate {
                let id = i.lowered.symbols.verbs.get(v.index()).and_then(|n| self.tables.verbs.get(n));
                timings.extend(id.map(|v| (VerbId(*v), ClauseId::from_index(first + c.index()))));
            }
            first += i.lowered.clauses.len();
        }
        for (verb, clause) in timings {
            let at_once: Vec<bool> = p.triggers.iter().map(|t| order::does_any(p, t.body, &[verb], 0)).collect();
            for (t, yes) in p.triggers.iter_mut().zip(at_once) {
                if yes && !t.immediate {
                    t.immediate = true;
                    t.timing = Some(clause);
                }
            }
        }
        // `despite ITEM LABEL`.
        let mut base = 0usize;
        let mut found = Vec::new();
        for (i, placed) in items.iter().zip(&self.placed) {
            if !placed {
                continue;
            }
            for (a, item, label, site) in &i.lowered.despite {
                let wanted = format!("{item} {label}");
                match p.clauses.iter().position(|c| c.label == wanted) {
                    Some(c) => found.push((base + usize::from(*a), ClauseId::from_index(c))),
                    None => {
                        let labels = p.clauses.iter().map(|c| c.label.as_str());
                        self.diags.push(unknown_label(i, &wanted, *site, labels));
                    }
                }
            }
            base += i.lowered.allowances.len();
        }
        for (a, c) in found {
            if let Some(a) = p.allowances.get_mut(a) {
                a.despite.push(c);
            }
        }
        match order::fold_order(p) {
            Ok(o) => p.fold_order = o,
            Err(cycle) => {
                if let Some(c) =
                    cycle.first().and_then(|m| p.modifiers.get(m.index())).and_then(|m| p.clauses.get(m.clause.index()))
                {
                    self.diags.push(circular(c.place.clone(), &c.label));
                }
            }
        }
    }
}

/// A declaration's words up to its further forms, without its parameters: `(thing X) hold, holds` is `hold`.
fn short(key: &str) -> String {
    let mut depth = 0u32;
    let mut plain = String::new();
    for c in key.chars() {
        match c {
            ',' if depth == 0 => break,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A short fingerprint of a text, stable over processes.
fn fingerprint(text: &str) -> String {
    // FNV-1a: short, and nothing here needs to resist an adversary.
    let mut h: u64 = 0xcbf2_9ce4_8422_2325;
    for b in text.bytes() {
        h ^= u64::from(b);
        h = h.wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{h:016x}")
}
