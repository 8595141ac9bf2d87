//! Giving the parts of one item their places in the program.

use netrep_diagnostics::Code;
use netrep_ir::{
    AttrId, CardDecl, CardId, ClassId, ClauseDecl, ClauseId, EntryId, Map, Mapper, PartDecl, PlaceId, Printed,
    ProcDecl, ProcId, Site, SiteId, Source, StepDecl, StepId, Text, ValueKind,
};

use super::Linker;
use super::named::short;
use super::places::clause_span;
use super::tables::{Relocation, Tables};
use crate::link::LinkItem;
use crate::lower::{LowStep, LowTerm, Lowered, Worded, always};

impl Linker {
    /// Clauses, blocks, sites and the indexed parts of an item.
    pub(super) fn item(&mut self, i: &LinkItem, m: &mut Relocation<'_>) {
        let low = &*i.lowered;
        let card = low.card.as_ref().map(|_| CardId::from_index(self.program.cards.len()));
        let name = if matches!(&*i.item.head, "card" | "rule") {
            i.item.key.to_string()
        } else {
            format!("{} {}", i.item.head, short(&i.item.key))
        };
        let item = Text::from(&*name);
        let base = Text::default();
        let sources: Vec<Text> = i.item.sources.iter().map(|source| Text::from(&**source)).collect();
        let text = |of: fn(&Worded) -> &Vec<Text>, nth: usize| {
            // total: what is linked only to be verified is not read
            i.worded.as_ref().and_then(|worded| of(worded).get(nth)).cloned().unwrap_or_default()
        };
        for (nth, c) in low.clauses.iter().enumerate() {
            let cited = |item: &str| -> Text { format!("{item} {}", c.label).trim_end().into() };
            self.program.clauses.push(ClauseDecl {
                label: cited(&name),
                derived: c.derived,
                item: item.clone(),
                title: Text::from(&i.item.title),
                setter: match i.item.setter(c.span) {
                    "" => base.clone(),
                    setter => Text::from(setter),
                },
                place: i.places.place(c.span),
                text: text(|worded| &worded.clauses, nth),
                sources: sources.clone(),
                card,
                reprints: i.item.original(c.span).map(cited),
            });
        }
        for (nth, s) in low.sites.iter().enumerate() {
            self.program.sites.push(Site {
                clause: m.clause(s.clause),
                place: i.places.place(s.span),
                text: text(|worded| &worded.sites, nth),
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
        parts!(modifiers, triggers, norms, spares, allowances);
        self.lents_of(i, card, m);
        macro_rules! of_rules {
            ($($field:ident),*) => {$(
                for p in &low.$field {
                    let mut p = p.clone();
                    p.map_ids(m, 0);
                    self.program.$field.push(p);
                }
            )*};
        }
        of_rules!(guards);
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
                figures.push((AttrId(*a), self::printed(printed, m)));
            }
            let mut printed_parts = Vec::new();
            for p in &c.parts {
                let figures = (p.figures.iter())
                    .filter_map(|(a, printed)| Some((AttrId(*m.tables.attrs.get(a)?), self::printed(printed, m))))
                    .collect();
                // The host attribute is known when all services are read.
                let (class, clause) = (m.class(p.class), m.clause(p.clause));
                printed_parts.push(PartDecl { class, host: AttrId(0), figures, clause });
            }
            let first = m.clause;
            let clauses = (first..self.program.clauses.len()).map(ClauseId::from_index).collect();
            self.program.cards.push(CardDecl {
                id: i.item.key.to_string(),
                name: m.name(c.name),
                class: ClassId(0),
                figures,
                parts: printed_parts,
                clauses,
                reprint_of: i.item.reprint.as_ref().map(|reprint| reprint.original.to_string()),
                partial: i.item.partial.clone(),
            });
        }
    }

    pub(super) fn term(&mut self, t: &LowTerm, m: &mut Relocation<'_>) {
        match t {
            LowTerm::Attribute { name, kind, source, dynamic, names, classes, anew } => {
                let Some(id) = m.tables.attrs.get(name) else { return };
                let kind = match *kind {
                    ValueKind::Entry(l) => ValueKind::Entry(m.list(l)),
                    ValueKind::Entries(l) => ValueKind::Entries(m.list(l)),
                    ValueKind::NumberFor(l) => ValueKind::NumberFor(m.list(l)),
                    ValueKind::Thing(c) => ValueKind::Thing(m.class(c)),
                    ValueKind::Things(c) => ValueKind::Things(m.class(c)),
                    plain @ (ValueKind::Number | ValueKind::Flag) => plain,
                };
                let source = match source.clone() {
                    Source::Stored { default } => Source::Stored {
                        default: match kind {
                            ValueKind::Entry(_) => match u16::try_from(default - 1) {
                                Ok(local) => i32::from(m.entry(EntryId(local)).0) + 1,
                                // No entry.
                                Err(_) => default,
                            },
                            ValueKind::Number
                            | ValueKind::NumberFor(_)
                            | ValueKind::Flag
                            | ValueKind::Entries(_)
                            | ValueKind::Thing(_)
                            | ValueKind::Things(_) => default,
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
                if !dynamic && matches!(source, Source::Stored { .. }) {
                    self.figures.insert(AttrId(*id));
                }
                let Some(decl) = self.program.attrs.get_mut(usize::from(*id)) else { return };
                let fresh = decl.classes.is_empty();
                if fresh {
                    decl.kind = kind;
                }
                if fresh || !matches!(source, Source::Stored { default: 0 }) {
                    decl.source = source;
                }
                decl.dynamic |= dynamic;
                decl.names |= names;
                if let Some(place) = anew.as_ref().and_then(|p| m.tables.places.get(p)) {
                    decl.anew = Some(PlaceId(*place));
                }
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
            // Their names stand in the tables, which are made before.
            LowTerm::Class(_)
            | LowTerm::List(..)
            | LowTerm::Entries(..)
            | LowTerm::Role(..)
            | LowTerm::Place { .. } => {}
        }
    }

    /// The steps of a procedure; one that no rule fills is an error.
    pub(super) fn steps(&mut self, i: &LinkItem, p: &crate::lower::LowProc, tables: &Tables) -> Vec<StepId> {
        let span = clause_span(i, p.clause);
        let mut steps = Vec::new();
        for (id, s) in tables.procs.get(&p.name).into_iter().flat_map(|id| p.steps.iter().map(move |s| (*id, s))) {
            match tables.steps.get(&(id, s.clone())) {
                Some(step) => steps.push(StepId(*step)),
                None if self.lost.iter().any(|text| text.contains(&format!("step {s} of {}", p.name))) => {}
                None => self.error(
                    i,
                    span,
                    Code::MissingStep,
                    format!("no rule says what is done in step `{s}` of `{}`", p.name),
                    Some(format!("write `step {s} of {} {{ … }}` in a rule", p.name)),
                ),
            }
        }
        steps
    }

    /// What an item says of a step: it is the step's block, or, where an item that comes before has said something of it,
    /// carried out behind that, as a block of its own clause. So the block of the first, and all that is called after it, is
    /// the same whether others follow or not.
    pub(super) fn step(&mut self, low: &Lowered, s: &LowStep, m: &mut Relocation<'_>) {
        let Some(proc) = m.tables.procs.get(&s.proc).copied() else { return };
        let Some(id) = m.tables.steps.get(&(proc, s.name.clone())).copied() else { return };
        let Some(step) = self.program.steps.get_mut(usize::from(id)) else { return };
        let body = m.block(s.body);
        if step.name.is_empty() {
            *step = StepDecl { name: s.name.to_string(), proc: ProcId(proc), body, clause: m.clause(s.clause) };
            return;
        }
        // The place of what is done first; a block in which nothing is done has none.
        let site = match low.blocks.get(s.body.index()).and_then(|block| block.statements.first()) {
            Some((_, site)) => m.site(*site),
            None => SiteId(u16::MAX),
        };
        if let Some(first) = self.program.blocks.get_mut(step.body.index()) {
            first.statements.push((always(body), site));
        }
    }

    pub(super) fn procedure(
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
}

fn printed(printed: &Printed, m: &mut Relocation<'_>) -> Printed {
    match printed.clone() {
        Printed::Number(n) => Printed::Number(n),
        Printed::Entries(v) => Printed::Entries(v.into_iter().map(|e| m.entry(e)).collect()),
        Printed::Numbers(v) => Printed::Numbers(v.into_iter().map(|(e, n)| (m.entry(e), n)).collect()),
        Printed::Names(v) => Printed::Names(v.into_iter().map(|n| m.name(n)).collect()),
    }
}
