//! Circles of what is in force: numbers that hang on themselves by way of modifiers, and courses that lead back to
//! themselves, so that what is begun never ends.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{
    AttrId, BlockId, Change, ClauseId, EntryId, FrameRole, Map, Mapper, Modifier, Num, Pattern, Sel, SiteId, Source,
    Statement, Trigger, Val, VerbId,
};

use super::places::clause_span;
use crate::finding::Diagnostic;
use crate::graph::{Circle, Graph, told};
use crate::link::LinkItem;
use crate::lower::{LowTerm, Lowered};
use crate::phrase::declare::declare;
use crate::phrase::tree::{TermKey, TermKind};
use crate::queries::circles::mentions;

/// The circles among the items that are in force.
pub(super) fn circles(items: &[LinkItem]) -> Vec<Diagnostic> {
    let own: Vec<Numbers> = items.iter().map(Numbers::of).collect();
    let mut found = numbers(items, &own.iter().collect::<Vec<_>>());
    found.extend(courses(items));
    found
}

/// Where a link stands: the item's index, and the span in it.
type At = (usize, Span);

// ---- numbers

/// The facts that a tree reads. What is printed or stored is there before any modifier.
struct Reads<'l> {
    low: &'l Lowered,
    found: BTreeSet<Arc<str>>,
}

impl Mapper for Reads<'_> {
    fn attr(&mut self, id: AttrId) -> AttrId {
        self.found.extend(self.low.symbols.attrs.get(id.index()).cloned());
        id
    }
    fn base(&mut self, id: AttrId) -> AttrId {
        id
    }
    fn barred(&mut self, id: VerbId) -> VerbId {
        self.found.extend(self.low.symbols.verbs.get(id.index()).map(|verb| barred(verb)));
        id
    }
    fn in_force(&mut self) {
        self.found.insert(in_force());
    }
}

/// What stands for the prohibitions of a verb in the graph of what is read.
fn barred(verb: &str) -> Arc<str> {
    Arc::from(format!("what forbids {verb}"))
}

/// What stands for what effects are about in the graph of what is read.
fn in_force() -> Arc<str> {
    Arc::from("the effects in force")
}

/// The facts that a tree reads, each with the term that it asks of it where it asks one.
struct Asks<'l> {
    low: &'l Lowered,
    found: BTreeSet<Asked>,
    last: Option<Arc<str>>,
}

impl<'l> Asks<'l> {
    fn of(low: &'l Lowered, sel: &Sel) -> BTreeSet<Asked> {
        let mut asks = Asks { low, found: BTreeSet::new(), last: None };
        sel.clone().map_ids(&mut asks, 0);
        asks.found.extend(asks.last.take().map(|fact| (fact, None)));
        asks.found
    }
}

impl Mapper for Asks<'_> {
    fn attr(&mut self, id: AttrId) -> AttrId {
        let next = self.low.symbols.attrs.get(id.index()).cloned();
        self.found.extend(std::mem::replace(&mut self.last, next).map(|fact| (fact, None)));
        id
    }
    fn base(&mut self, id: AttrId) -> AttrId {
        id
    }
    fn entry(&mut self, id: EntryId) -> EntryId {
        let term = self.low.symbols.entries.get(id.index()).cloned();
        self.found.extend(self.last.take().map(|fact| (fact, term)));
        id
    }
}

/// What an item says of which fact hangs on which.
#[derive(Default)]
pub(super) struct Numbers {
    /// What whether something functions hangs on: facts, and the terms that are asked of them.
    functioning: Vec<(BTreeSet<Asked>, Span)>,
    /// What it hangs on what is canceled.
    canceled: Vec<(Arc<str>, Span)>,
    /// True if it cancels something.
    cancels: bool,
    /// What a card changes and forbids, which hangs on what is canceled.
    by_card: Vec<(Arc<str>, Span)>,
    /// All else that hangs on something.
    links: Vec<(Arc<str>, On, Span)>,
}

/// A fact, and the term that is asked of it.
type Asked = (Arc<str>, Option<Arc<str>>);

/// On what something hangs.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum On {
    Fact(Arc<str>),
    /// On whether what says so functions: a fact that is changed, or gains or loses a term.
    Functioning(Option<Option<Arc<str>>>),
}

/// Where it is said does not matter.
impl PartialEq for Numbers {
    fn eq(&self, other: &Self) -> bool {
        fn said<T>(all: &[(T, Span)]) -> impl Iterator<Item = &T> {
            all.iter().map(|(what, _)| what)
        }
        let links = |one: &Self| {
            one.links.iter().map(|(from, on, _)| (from, on)).collect::<Vec<_>>()
                == other.links.iter().map(|(from, on, _)| (from, on)).collect::<Vec<_>>()
        };
        said(&self.functioning).eq(said(&other.functioning))
            && said(&self.canceled).eq(said(&other.canceled))
            && self.cancels == other.cancels
            && said(&self.by_card).eq(said(&other.by_card))
            && links(self)
    }
}

/// What serves as the place where things function.
fn functioning() -> Arc<str> {
    Arc::from("functioning")
}

/// What stands for all that is canceled.
fn canceled() -> Arc<str> {
    Arc::from("what is canceled")
}

impl Numbers {
    pub(super) fn of(i: &LinkItem) -> Numbers {
        let low = &*i.lowered;
        let mut own = Numbers::default();
        for (_, sel) in low.service_sels.iter().filter(|(service, _)| service == "functioning") {
            let line = low.services.iter().find(|line| line.serves == "functioning");
            // total: a selection without its line is shown by its item
            let span = line.map_or(i.item.tree.span, |line| line.span);
            own.functioning.push((Asks::of(low, sel), span));
        }
        for spare in low.spares.iter().filter(|spare| spare.cancels()) {
            let mut reads = Reads { low, found: BTreeSet::new() };
            spare.clone().map_ids(&mut reads, 0);
            let span = clause_span(i, spare.clause);
            own.canceled.extend(reads.found.into_iter().map(|read| (read, span)));
            own.cancels = true;
        }
        if low.card.is_some() {
            own.canceled_by_card(i);
        }
        for modifier in &low.modifiers {
            own.modifier(i, modifier);
        }
        for norm in &low.norms {
            let Some(verb) = low.symbols.verbs.get(norm.pattern.verb.index()) else { continue };
            let mut reads = Reads { low, found: BTreeSet::new() };
            norm.carriers.clone().map_ids(&mut reads, 0);
            norm.by.clone().map_ids(&mut reads, 0);
            norm.pattern.clone().map_ids(&mut reads, 0);
            norm.cond.clone().map_ids(&mut reads, 0);
            own.reads(barred(verb), reads.found, clause_span(i, norm.clause));
        }
        let named = |pattern: &Pattern| pattern.roles.iter().filter_map(|(role, _)| role.clone()).collect();
        // What is given to somebody is about him.
        let about = |carriers: &Option<Sel>, own: Vec<Sel>| carriers.clone().map_or(own, |carriers| vec![carriers]);
        let laid = low.modifiers.iter().filter(|m| m.delayed);
        let laid = laid.map(|m| (m.clause, about(&m.carriers, vec![m.subject.clone()])));
        let triggers = low.triggers.iter().filter(|t| t.delayed);
        let laid = laid.chain(triggers.map(|t| (t.clause, about(&t.carriers, named(&t.pattern)))));
        let norms = low.norms.iter().filter(|n| n.delayed);
        let laid = laid.chain(norms.map(|n| (n.clause, about(&n.carriers, named(&n.pattern)))));
        for (clause, about) in laid {
            let mut reads = Reads { low, found: BTreeSet::new() };
            about.into_iter().for_each(|mut sel: Sel| sel.map_ids(&mut reads, 0));
            own.reads(in_force(), reads.found, clause_span(i, clause));
        }
        for term in &low.terms {
            let LowTerm::Attribute { name, source, .. } = term else { continue };
            let mut reads = Reads { low, found: BTreeSet::new() };
            match source.clone() {
                Source::Number(mut number) => number.map_ids(&mut reads, 0),
                Source::Things(mut sel) | Source::Flag(mut sel) => sel.map_ids(&mut reads, 0),
                Source::Stored { .. } => {}
            }
            // That a definition asks itself of another thing was judged where it is declared.
            reads.found.remove(name);
            own.reads(Arc::clone(name), reads.found, i.item.tree.span);
        }
        own
    }

    /// What hangs on what, wherever it is said; nothing is known of what says whether things function or cancels them.
    pub(super) fn hangs(&self) -> Option<impl Iterator<Item = (Arc<str>, On)>> {
        let by_card = self.by_card.iter().map(|(from, _)| (Arc::clone(from), On::Fact(canceled())));
        let links = self.links.iter().map(|(from, on, _)| (Arc::clone(from), on.clone()));
        (self.functioning.is_empty() && !self.cancels).then(|| links.chain(by_card))
    }

    /// What a card says, which may be canceled.
    fn canceled_by_card(&mut self, i: &LinkItem) {
        let low = &*i.lowered;
        for modifier in &low.modifiers {
            if let Some(fact) = low.symbols.attrs.get(modifier.attr.index()) {
                self.by_card.push((Arc::clone(fact), clause_span(i, modifier.clause)));
            }
        }
        for norm in &low.norms {
            if let Some(verb) = low.symbols.verbs.get(norm.pattern.verb.index()) {
                self.by_card.push((barred(verb), clause_span(i, norm.clause)));
            }
        }
        self.by_card.push((in_force(), i.item.tree.span));
    }

    fn modifier(&mut self, i: &LinkItem, modifier: &Modifier) {
        let low = &*i.lowered;
        let Some(fact) = low.symbols.attrs.get(modifier.attr.index()) else { return };
        let span = clause_span(i, modifier.clause);
        // What a card gives, it gives as long as it functions.
        if (low.card.is_some() && !modifier.delayed) || modifier.carriers.is_some() {
            let term = match modifier.change {
                Change::Gain(entry) | Change::Lose(entry) => Some(low.symbols.entries.get(entry.index()).cloned()),
                Change::Add { .. } | Change::Set(_) | Change::Become(_) | Change::Hold(_) => None,
                Change::Bring(_) | Change::Withhold(_) => None,
            };
            self.links.push((Arc::clone(fact), On::Functioning(term), span));
        }
        // Adding terms to a fact never makes a number hang on itself; what is there may not hang on what is there.
        match &modifier.change {
            Change::Add { .. } | Change::Set(_) | Change::Hold(_) | Change::Bring(_) | Change::Withhold(_) => {}
            Change::Gain(_) | Change::Lose(_) | Change::Become(_) => return,
        }
        let mut reads = Reads { low, found: BTreeSet::new() };
        modifier.carriers.clone().map_ids(&mut reads, 0);
        modifier.subject.clone().map_ids(&mut reads, 0);
        modifier.cond.clone().map_ids(&mut reads, 0);
        // What is given is reckoned when it comes to be; whether it is there does not hang on that.
        if !matches!(modifier.change, Change::Bring(_)) {
            modifier.change.clone().map_ids(&mut reads, 0);
        }
        self.reads(Arc::clone(fact), reads.found, span);
    }

    fn reads(&mut self, from: Arc<str>, found: BTreeSet<Arc<str>>, span: Span) {
        self.links.extend(found.into_iter().map(|read| (Arc::clone(&from), On::Fact(read), span)));
    }
}

/// A fact whose value, or what changes it, hangs on its value; what a card changes hangs on whether the card functions. `all`: what
/// each item says of it.
pub(super) fn numbers(items: &[LinkItem], all: &[&Numbers]) -> Vec<Diagnostic> {
    let mut graph: Graph<Arc<str>, At> = Graph::default();
    let mut asked: BTreeSet<&Asked> = BTreeSet::new();
    for (at, own) in all.iter().enumerate() {
        for (asks, span) in &own.functioning {
            asks.iter().for_each(|(fact, _)| graph.link(functioning(), Arc::clone(fact), (at, *span)));
            asked.extend(asks);
        }
    }
    // What is canceled is asked before all that cards say: it may not hang on that.
    let any_cancels = all.iter().any(|own| own.cancels);
    for (at, own) in all.iter().enumerate() {
        own.canceled.iter().for_each(|(read, span)| graph.link(canceled(), Arc::clone(read), (at, *span)));
        for (from, span) in own.by_card.iter().filter(|_| any_cancels) {
            graph.link(Arc::clone(from), canceled(), (at, *span));
        }
    }
    for (at, own) in all.iter().enumerate() {
        for (from, on, span) in &own.links {
            match on {
                On::Fact(read) => graph.link(Arc::clone(from), Arc::clone(read), (at, *span)),
                On::Functioning(term) => {
                    let mut asks = asked.iter().filter(|(of, _)| of == from).peekable();
                    let asks_others = |term: &Option<Arc<str>>| {
                        asks.peek().is_some() && asks.all(|(_, asks)| asks.is_some() && asks != term)
                    };
                    if !term.as_ref().is_some_and(asks_others) {
                        graph.link(Arc::clone(from), functioning(), (at, *span));
                    }
                }
            }
        }
    }
    let circles = graph.circles();
    if circles.is_empty() {
        return Vec::new();
    }
    let words = Words::of(items);
    let tell = |circle: Circle<Arc<str>, At>| {
        let turns: Vec<(String, At)> = (circle.iter().enumerate())
            .flat_map(|(nth, (fact, at))| {
                let (next, _) = circle.get(nth + 1).unwrap_or(&circle[0]);
                words.way(items, fact, *at, next)
            })
            .collect();
        let circle: Vec<_> = turns.into_iter().map(|(name, at)| (name, place(items, at))).collect();
        let help = "let one of them read a printed or stored fact instead of the value that is changed";
        told(Code::CircularModifiers, "hangs on itself", &circle, help)
    };
    circles.into_iter().filter_map(tell).collect()
}

fn place(items: &[LinkItem], (item, span): At) -> netrep_ir::Place {
    items.get(item).map_or_else(netrep_ir::Place::nowhere, |i| i.places.place(span))
}

/// What the words that are put where they are used say, to show by way of which of them one fact reads another.
struct Words(Graph<TermKey, At>);

impl Words {
    fn of(items: &[LinkItem]) -> Words {
        let mut graph = Graph::default();
        for (at, i) in items.iter().enumerate() {
            for term in declare(&i.item.tree).0 {
                let clauses = i.item.clauses.iter().map(|clause| &*clause.read);
                mentions(clauses, None, &mut |uses, span| graph.link(term.key.clone(), uses.clone(), (at, span)));
            }
        }
        Words(graph)
    }

    /// From the clause that changes or defines a fact to the one that it reads: the fact, and the words between.
    fn way(&self, items: &[LinkItem], fact: &str, (item, clause): At, to: &str) -> Vec<(String, At)> {
        let wanted = TermKey { kind: TermKind::Attribute, name: Arc::from(to) };
        let mut direct = None;
        let mut starts = Vec::new();
        if let Some(i) = items.get(item) {
            mentions(i.item.clauses.iter().map(|clause| &*clause.read), None, &mut |uses, span| {
                if clause.start <= span.start && span.end <= clause.end {
                    match *uses == wanted {
                        true => direct = direct.or(Some(span)),
                        false if uses.kind != TermKind::Attribute => starts.push((uses.clone(), span)),
                        false => {}
                    }
                }
            });
        }
        let name = |name: &str| format!("`{name}`");
        if let Some(span) = direct {
            return vec![(name(fact), (item, span))];
        }
        let by = starts.into_iter().filter_map(|(word, span)| {
            let way = self.0.way(&word, &wanted, &|word| word.kind != TermKind::Attribute)?;
            Some((span, way))
        });
        let Some((span, way)) = by.min_by_key(|(_, way)| way.len()) else { return vec![(name(fact), (item, clause))] };
        let between = way.into_iter().map(|(word, at)| (name(&word.name), at));
        std::iter::once((name(fact), (item, span))).chain(between).collect()
    }
}

// ---- courses

/// What begins, and does something before it ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Course {
    Verb(Arc<str>),
    Procedure(Arc<str>),
    /// A passive condition, by its item and its number in it.
    Trigger(usize, usize),
}

/// What items say that may keep a verb from being done, or a procedure from going on.
#[derive(Default)]
struct Outs {
    verbs: BTreeSet<Arc<str>>,
    procedures: BTreeSet<Arc<str>>,
}

impl Outs {
    fn of(items: &[LinkItem]) -> Outs {
        let mut outs = Outs::default();
        for i in items {
            let low = &*i.lowered;
            let forbidden = low.norms.iter().map(|norm| norm.pattern.verb);
            let asked = low.guards.iter().map(|guard| guard.pattern.verb);
            let replaced = low.triggers.iter().filter(|trigger| trigger.instead).map(|trigger| trigger.pattern.verb);
            let verbs = forbidden.chain(asked).chain(replaced);
            outs.verbs.extend(verbs.filter_map(|verb| low.symbols.verbs.get(verb.index()).cloned()));
            for (statement, _) in low.blocks.iter().flat_map(|block| &block.statements) {
                if let Statement::End(procedure) = statement {
                    outs.procedures.extend(low.symbols.procs.get(procedure.index()).cloned());
                }
            }
            outs.procedures.extend(low.procs.iter().filter(|p| p.guard.is_some()).map(|p| Arc::clone(&p.name)));
        }
        outs
    }
}

/// What is always done again by what it does: no condition, choice or number is asked on the way. What may end is left to
/// the bounds of the engine.
pub(super) fn courses(items: &[LinkItem]) -> Vec<Diagnostic> {
    let outs = Outs::of(items);
    let mut graph: Graph<Course, At> = Graph::default();
    let mut observers: BTreeMap<Arc<str>, Vec<(usize, usize)>> = BTreeMap::new();
    let mut frames: BTreeMap<Arc<str>, (usize, Vec<FrameRole>)> = BTreeMap::new();
    let mut given: BTreeMap<Arc<str>, BTreeSet<u8>> = BTreeMap::new();
    for (at, i) in items.iter().enumerate() {
        for procedure in &i.lowered.procs {
            given.insert(Arc::clone(&procedure.name), procedure.parameters.iter().map(|(slot, _)| *slot).collect());
        }
        for term in &i.lowered.terms {
            if let LowTerm::Verb(name, verb) = term {
                frames.insert(Arc::clone(name), (at, verb.roles.clone()));
            }
        }
    }
    for (at, i) in items.iter().enumerate() {
        let low = &*i.lowered;
        for term in &low.terms {
            let LowTerm::Verb(name, verb) = term else { continue };
            if let (Some(body), true) = (verb.body, verb.needs.is_empty()) {
                let given = verb.roles.iter().filter(|role| !role.optional).map(|role| role.slot).collect();
                Body { low, at, given, outs: &outs }.links(&Course::Verb(Arc::clone(name)), body, &mut graph);
            }
        }
        for step in low.steps.iter().filter(|step| !outs.procedures.contains(&step.proc)) {
            // total: a course that nothing performs is given nothing
            let given = given.get(&step.proc).cloned().unwrap_or_default();
            Body { low, at, given, outs: &outs }.links(
                &Course::Procedure(Arc::clone(&step.proc)),
                step.body,
                &mut graph,
            );
        }
        for (nth, trigger) in low.triggers.iter().enumerate() {
            let Some(verb) = low.symbols.verbs.get(trigger.pattern.verb.index()) else { continue };
            if low.card.is_none() && frames.get(verb).is_some_and(|frame| is_always_met(items, i, trigger, frame)) {
                observers.entry(Arc::clone(verb)).or_default().push((at, nth));
                let given = trigger.pattern.roles.iter().filter_map(|(_, slot)| *slot).collect();
                Body { low, at, given, outs: &outs }.links(&Course::Trigger(at, nth), trigger.body, &mut graph);
            }
        }
    }
    for (verb, triggers) in observers.iter().filter(|(verb, _)| !outs.verbs.contains(*verb)) {
        for (at, nth) in triggers {
            let clause = items[*at].lowered.triggers[*nth].clause;
            let place = (*at, clause_span(&items[*at], clause));
            graph.link(Course::Verb(Arc::clone(verb)), Course::Trigger(*at, *nth), place);
        }
    }
    let name = |course: &Course| match course {
        Course::Verb(name) => format!("`{name}`"),
        Course::Procedure(name) => format!("the procedure `{name}`"),
        Course::Trigger(at, nth) => {
            let clause = items[*at].lowered.triggers[*nth].clause;
            // total: what a header says has no label
            let label = items[*at].lowered.clauses.get(clause.index()).map_or("", |clause| clause.label.as_str());
            format!("`{}`", super::verify::cited(&items[*at].item.key, label))
        }
    };
    let help = "ask a condition before one of them, or leave one out";
    let tell = |circle: Circle<Course, At>| {
        let circle: Vec<_> = circle.iter().map(|(course, at)| (name(course), place(items, *at))).collect();
        told(Code::NeverEnds, "leads back to itself whenever it begins, so it never ends", &circle, help)
    };
    graph.circles().into_iter().filter_map(tell).collect()
}

/// True for a passive condition of a rule that every event of its verb meets.
fn is_always_met(items: &[LinkItem], i: &LinkItem, trigger: &Trigger, frame: &(usize, Vec<FrameRole>)) -> bool {
    let class = |low: &Lowered, id: netrep_ir::ClassId| low.symbols.classes.get(id.index()).cloned();
    let (verb, roles) = (&items[frame.0].lowered, &frame.1);
    let any = |(nth, role): (usize, &(Option<Sel>, Option<u8>))| match &role.0 {
        None => true,
        Some(Sel::Class(asked)) => roles.get(nth).is_some_and(|role| {
            !role.optional && class(verb, role.class).is_some_and(|own| class(&i.lowered, *asked) == Some(own))
        }),
        Some(_) => false,
    };
    !trigger.delayed && !trigger.instead && trigger.cond.is_none() && trigger.pattern.roles.iter().enumerate().all(any)
}

/// A block in its item, and the slots that are filled whenever it runs.
struct Body<'l> {
    low: &'l Lowered,
    at: usize,
    given: BTreeSet<u8>,
    outs: &'l Outs,
}

impl Body<'_> {
    /// Links a course to those that are always begun in a block.
    fn links(&self, from: &Course, block: BlockId, graph: &mut Graph<Course, At>) {
        let Some(block) = self.low.blocks.get(block.index()) else { return };
        for (statement, site) in &block.statements {
            match statement {
                Statement::Do { verb, roles } => {
                    let name = self.low.symbols.verbs.get(verb.index());
                    let done = |name: &&Arc<str>| !self.outs.verbs.contains(*name);
                    if let (Some(name), true) =
                        (name.filter(done), roles.iter().flatten().all(|role| self.is_there(role)))
                    {
                        graph.link(from.clone(), Course::Verb(Arc::clone(name)), self.place(*site, block.clause));
                    }
                }
                Statement::Perform { proc, arguments } => {
                    let there = |value: &Val| match value {
                        Val::Things(sel) => self.is_there(sel),
                        Val::Num(_) | Val::Entry(_) | Val::Flag(_) => true,
                    };
                    if let (Some(name), true) = (self.low.symbols.procs.get(proc.index()), arguments.iter().all(there))
                    {
                        graph.link(from.clone(), Course::Procedure(Arc::clone(name)), self.place(*site, block.clause));
                    }
                }
                Statement::RepeatUntil(body, _) => self.links(from, *body, graph),
                Statement::RepeatTimes(Num::Int(1..), body) => self.links(from, *body, graph),
                // What stands behind may be left out.
                Statement::End(_) | Statement::Stop => return,
                Statement::RepeatTimes(..)
                | Statement::If(..)
                | Statement::ForEach { .. }
                | Statement::Choose { .. }
                | Statement::May { .. }
                | Statement::ChooseOne { .. }
                | Statement::Set { .. }
                | Statement::Put { .. }
                | Statement::Create { .. }
                | Statement::Remove(_)
                | Statement::LetSlot(..)
                | Statement::LetRole(..)
                | Statement::Roll { .. }
                | Statement::Shuffle { .. }
                | Statement::Window { .. }
                | Statement::Effect { .. }
                | Statement::Extend { .. }
                | Statement::CancelEffects(_)
                | Statement::ActionEffect => {}
            }
        }
    }

    /// True for a thing that is there whenever the block runs.
    fn is_there(&self, sel: &Sel) -> bool {
        matches!(sel, Sel::Slot(slot) if self.given.contains(slot))
    }

    fn place(&self, site: SiteId, clause: ClauseId) -> At {
        let clause = || self.low.clauses.get(clause.index()).map(|clause| clause.span);
        let span = self.low.sites.get(site.index()).map(|site| site.span).or_else(clause);
        // total: an item without that clause is shown by its header
        (self.at, span.unwrap_or_default())
    }
}
