//! Roles that nothing binds.
//!
//! A role is bound by `let ROLE be` in a procedure or its steps, and holds while the procedure runs. Two things can be
//! told: that no `let` of the data binds a role that is used, and that a step uses a role which is bound only by
//! procedures that are not running then. Those that run are the step's own and the ones that perform it, and those
//! that perform these; a procedure that is performed from anywhere else (a card, a trigger, an ability) may run inside
//! of any other, and nothing is told of it. A clause that says when it applies (`play … during P`, `may … during P`, `at
//! the end of P`) is judged by that: what binds its roles must run around that procedure, or inside of it. What an effect
//! lays down knows who played a role then, so its roles are judged where it is laid down.

use std::collections::BTreeSet;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Linker;
use crate::link::LinkItem;
use crate::phrase::clause::{ClauseKind, ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, Event, View};
use crate::phrase::tree::{Node, TermKind};

/// What the clauses of an item bind, use and perform.
#[derive(Default)]
pub(super) struct Roles<'i> {
    /// Roles with the procedures that bind them; `None` for what is bound elsewhere.
    binders: BTreeSet<Bound<'i>>,
    /// The roles that are used, each use that differs from those before it.
    uses: Vec<Used<'i>>,
    /// Procedures with those that perform them; `None` for what performs them from elsewhere.
    performers: BTreeSet<Bound<'i>>,
    /// The procedures that it declares: what serves the engine is performed by it at any time.
    procedures: BTreeSet<&'i str>,
}

/// What is bound or performed, and the procedure in whose course it is.
type Bound<'i> = (&'i str, Option<&'i str>);

/// Where it is used does not matter.
impl PartialEq for Roles<'_> {
    fn eq(&self, other: &Self) -> bool {
        (&self.binders, &self.performers, &self.procedures) == (&other.binders, &other.performers, &other.procedures)
            && self.uses.iter().map(Used::key).eq(other.uses.iter().map(Used::key))
    }
}

/// What all items bind and perform.
struct Bindings<'i> {
    binders: FxHashMap<&'i str, BTreeSet<Option<&'i str>>>,
    performers: FxHashMap<&'i str, BTreeSet<Option<&'i str>>>,
}

/// One of these procedures is running; empty: nothing is known of what does.
type Times<'i> = Vec<&'i str>;

/// Where a phrase or a clause stands.
#[derive(Clone, Copy)]
struct At<'a, 'i> {
    /// The procedure in whose course it is.
    inside: Option<&'i str>,
    /// When, if it is in none.
    times: &'a Times<'i>,
    /// An effect lays it down: what it does is done later, and its roles are known before.
    laid: bool,
}

/// A role that is used.
struct Used<'i> {
    role: &'i str,
    span: Span,
    /// The procedure in whose course it is used.
    inside: Option<&'i str>,
    /// When, if it is used in none.
    times: Times<'i>,
}

impl<'i> Used<'i> {
    /// What decides whether something binds it.
    fn key(&self) -> (&'i str, Option<&'i str>, &Times<'i>) {
        (self.role, self.inside, &self.times)
    }
}

/// Reports the roles that are used and cannot be bound. `all`: those of each item.
pub(super) fn unbound<'i>(linker: &mut Linker, items: &[LinkItem], all: &[&Roles<'i>]) {
    let bindings = Bindings::of(items, all);
    let lost = |role: &str| linker.lost.iter().any(|text| text.contains(&format!("let {role} be")));
    let mut told: BTreeSet<(&str, Option<usize>)> = BTreeSet::new();
    let mut found = Vec::new();
    // Most are used again as they were elsewhere.
    let mut held: FxHashSet<(&str, Option<&str>, &Times<'_>)> = FxHashSet::default();
    for (index, used) in all.iter().enumerate().flat_map(|(nth, roles)| roles.uses.iter().map(move |used| (nth, used)))
    {
        if held.contains(&used.key()) {
            continue;
        }
        let Used { role, span, inside, times } = used;
        let of_item = (*role, Some(index));
        let is_told = told.contains(&(*role, None)) || told.contains(&of_item);
        let Some(item) = items.get(index).filter(|_| !is_told && !lost(role)) else { continue };
        let message = match (bindings.binders.get(role), inside) {
            (Some(binders), None) if linker.lost.is_empty() && !times.is_empty() => {
                if times.iter().any(|time| bindings.may_meet(binders, time)) {
                    held.insert(used.key());
                    continue;
                }
                let name = |names: &mut dyn Iterator<Item = &str>| {
                    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
                };
                let (bound, when) = (name(&mut binders.iter().flatten().copied()), name(&mut times.iter().copied()));
                let message = format!("`{role}` is bound only in {bound}, which does not run during {when}");
                told.insert(of_item);
                found.push((item, *span, message, "name what is meant, or another time".to_owned()));
                continue;
            }
            (None, _) => format!("nothing binds the role `{role}`"),
            (Some(binders), Some(inside)) if linker.lost.is_empty() && !bindings.may_hold(binders, inside) => {
                let names: Vec<String> = binders.iter().flatten().map(|b| format!("`{b}`")).collect();
                format!("`{role}` is bound only in {}, which does not run around `{inside}`", names.join(" and "))
            }
            _ => {
                held.insert(used.key());
                continue;
            }
        };
        told.insert((*role, None));
        // total: what stands in no procedure may be bound in any
        let place = inside.unwrap_or("a procedure");
        found.push((item, *span, message, format!("bind it with `let {role} be …` in {place}, or name what is meant")));
    }
    for (item, span, message, help) in found {
        linker.error(item, span, Code::UnboundRole, message, Some(help));
    }
}

/// What serves the engine, which performs it at any time.
fn served(items: &[LinkItem]) -> BTreeSet<String> {
    items.iter().flat_map(|item| &item.lowered.services).map(|service| service.words.join(" ")).collect()
}

impl<'i> Bindings<'i> {
    fn of(items: &[LinkItem], all: &[&Roles<'i>]) -> Bindings<'i> {
        let served = served(items);
        let mut bindings = Bindings { binders: FxHashMap::default(), performers: FxHashMap::default() };
        for roles in all {
            for (role, inside) in &roles.binders {
                bindings.binders.entry(role).or_default().insert(*inside);
            }
            for (procedure, inside) in roles.performers(&served) {
                bindings.performers.entry(procedure).or_default().insert(inside);
            }
        }
        bindings
    }

    /// True if one of the binders may be running around a procedure.
    fn may_hold(&self, binders: &BTreeSet<Option<&str>>, inside: &str) -> bool {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open = vec![inside];
        while let Some(at) = open.pop() {
            if binders.contains(&None) || binders.contains(&Some(at)) {
                return true;
            }
            if !seen.insert(at) {
                continue;
            }
            for performer in self.performers.get(at).into_iter().flatten() {
                match performer {
                    Some(performer) => open.push(performer),
                    None => return true,
                }
            }
        }
        false
    }

    /// True if one of the binders and a procedure may run at the same time: the one around the other.
    fn may_meet(&self, binders: &BTreeSet<Option<&str>>, time: &str) -> bool {
        let itself = BTreeSet::from([Some(time)]);
        self.may_hold(binders, time) || binders.iter().flatten().any(|binder| self.may_hold(&itself, binder))
    }
}

impl<'i> Roles<'i> {
    pub(super) fn of(item: &'i LinkItem) -> Roles<'i> {
        let mut roles = Roles::default();
        let at = At { inside: None, times: &Vec::new(), laid: false };
        roles.clauses(item.item.clauses.iter().map(|clause| &*clause.read), at);
        // What serves the engine is bound by it.
        let words = item.lowered.services.iter().flat_map(|service| &service.words);
        roles.binders.extend(words.map(|name| (name.as_str(), None)));
        let mut seen: FxHashSet<(&str, Option<&str>, Times<'_>)> = FxHashSet::default();
        roles.uses.retain(|used| seen.insert((used.role, used.inside, used.times.clone())));
        roles
    }

    /// The procedures that are performed, and where, when these serve the engine.
    fn performers(&self, served: &BTreeSet<String>) -> impl Iterator<Item = Bound<'i>> {
        let engine = self.procedures.iter().filter(|name| served.contains(**name)).map(|name| (*name, None));
        self.performers.iter().copied().chain(engine)
    }

    /// Clauses one after the other; what follows a way to play a card belongs to it.
    fn clauses(&mut self, clauses: impl Iterator<Item = &'i ReadClause>, at: At<'_, 'i>) {
        let mut own = at.times.clone();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Play { .. } if !at.laid => own = times_of(clause).unwrap_or_else(|| at.times.clone()),
                ClauseKind::Condition(_) | ClauseKind::Cost(_) | ClauseKind::Effect(_) | ClauseKind::Limit(..) => {}
                _ => own = at.times.clone(),
            }
            self.clause(clause, At { times: &own, ..at });
        }
    }

    fn clause(&mut self, clause: &'i ReadClause, at: At<'_, 'i>) {
        if at.laid {
            nodes(&clause.kind).into_iter().for_each(|node| self.node(node, at));
            blocks(&clause.kind).into_iter().for_each(|inner| self.clauses(inner.iter(), at));
            return;
        }
        let At { inside, times, .. } = at;
        // In the course of which procedure its phrases run, and those of its blocks.
        let (phrases, block) = match &clause.kind {
            ClauseKind::Procedure { term, .. } => {
                self.procedures.insert(&term.name);
                (None, Some(&*term.name))
            }
            ClauseKind::Step { procedure, .. } => (None, procedure.as_ref().map(|key| &*key.name).or(inside)),
            // Statements and guards run in the course of their procedure, everything else whenever it applies.
            ClauseKind::Statement(_) | ClauseKind::Ends { .. } => (inside, None),
            ClauseKind::Lasts { .. } => (inside, inside),
            ClauseKind::Figure { .. }
            | ClauseKind::Play { .. }
            | ClauseKind::Timing { .. }
            | ClauseKind::Condition(_)
            | ClauseKind::Cost(_)
            | ClauseKind::Effect(_)
            | ClauseKind::Leaves(_)
            | ClauseKind::When { .. }
            | ClauseKind::Instead { .. }
            | ClauseKind::Modifier { .. }
            | ClauseKind::May { .. }
            | ClauseKind::Norm { .. }
            | ClauseKind::Steps { .. }
            | ClauseKind::Always(_)
            | ClauseKind::Part { .. }
            | ClauseKind::Carried { .. }
            | ClauseKind::In { .. }
            | ClauseKind::Action { .. }
            | ClauseKind::ActionNeeds { .. }
            | ClauseKind::ActionLeaves { .. }
            | ClauseKind::WhenNeeds { .. }
            | ClauseKind::Spares { .. }
            | ClauseKind::Canceled { .. }
            | ClauseKind::Lent { .. }
            | ClauseKind::Otherwise(_)
            | ClauseKind::Limit(..)
            | ClauseKind::Raw { .. } => (None, None),
        };
        let own = times_of(clause).unwrap_or_else(|| times.clone());
        let laid = matches!(clause.kind, ClauseKind::Lasts { .. });
        let said = At { inside: phrases, times: &own, laid };
        nodes(&clause.kind).into_iter().for_each(|node| self.node(node, said));
        // What things carry or do elsewhere has times of its own.
        let known = laid || matches!(clause.kind, ClauseKind::Play { .. } | ClauseKind::May { .. });
        let times = if known { own.clone() } else { Vec::new() };
        let within = At { inside: block, times: &times, laid };
        blocks(&clause.kind).into_iter().for_each(|inner| self.clauses(inner.iter(), within));
    }

    fn node(&mut self, node: &'i Node, at: At<'_, 'i>) {
        let mut names = true;
        let mut laid = at.laid;
        // What is laid down is done whenever it applies.
        let inside = if laid { None } else { at.inside };
        match node.view() {
            View::Act(act) => match act {
                Act::LetRole { role, .. } => {
                    names = false;
                    self.binders.insert((&role.name, inside));
                }
                Act::Perform { procedure, .. } => {
                    self.performers.insert((&procedure.name, inside));
                }
                Act::When { .. } | Act::Norm { .. } => laid = true,
                Act::Do { .. }
                | Act::Sequence { .. }
                | Act::If { .. }
                | Act::ForEach { .. }
                | Act::RepeatUntil { .. }
                | Act::RepeatTimes { .. }
                | Act::Choose { .. }
                | Act::MayChoose { .. }
                | Act::May { .. }
                | Act::ChooseOne { .. }
                | Act::Roll { .. }
                | Act::Set { .. }
                | Act::Put { .. }
                | Act::Remove { .. }
                | Act::LetLabel { .. }
                | Act::End { .. }
                | Act::Stop {}
                | Act::Extend { .. }
                | Act::CancelEffects { .. }
                | Act::Window { .. }
                | Act::ActionEffect {} => {}
            },
            View::Reference(_)
            | View::Thing(_)
            | View::Fact(_)
            | View::Literal(_)
            | View::Predicate(_)
            | View::Number(_)
            | View::Logic(_)
            | View::Condition(_)
            | View::Event(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => {}
        }
        // Whatever names a role uses it, but for what binds it.
        if names {
            node.op.terms(&mut |key| {
                if key.kind == TermKind::Role {
                    let (role, span, times) = (&*key.name, node.span, at.times.clone());
                    self.uses.push(Used { role, span, inside: at.inside, times });
                }
            });
        }
        node.kids.iter().for_each(|kid| self.node(kid, At { laid, ..at }));
    }
}

/// What all items bind, use and perform together, to tell what another item in the place of one changes.
pub(super) struct RoleFacts<'i> {
    served: BTreeSet<String>,
    uses: BTreeSet<Use<'i>>,
}

/// A role, the procedure in whose course it is used, and when.
type Use<'i> = (&'i str, Option<&'i str>, Times<'i>);

/// When a clause applies, if it says so.
fn times_of(clause: &ReadClause) -> Option<Times<'_>> {
    let during = match &clause.kind {
        ClauseKind::Play { during, .. } | ClauseKind::May { during, .. } => {
            during.iter().map(|key| &*key.name).collect()
        }
        ClauseKind::When { event, .. } => match event.view() {
            View::Event(
                Event::Starts { procedure, .. }
                | Event::Ending { procedure, .. }
                | Event::StepStarts { procedure, .. }
                | Event::StepEnding { procedure, .. },
            ) => vec![&*procedure.name],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    (!during.is_empty()).then_some(during)
}

impl<'i> RoleFacts<'i> {
    /// Of all items, with the roles of each.
    pub(super) fn of(items: &[LinkItem], all: &[&Roles<'i>]) -> RoleFacts<'i> {
        let uses = all.iter().flat_map(|roles| &roles.uses).map(|one| (one.role, one.inside, one.times.clone()));
        RoleFacts { served: served(items), uses: uses.collect() }
    }

    /// True if an item uses only roles that are used so already, and binds and performs all that another did.
    pub(super) fn are_kept(&self, old: &Roles<'_>, new: &Roles<'_>) -> bool {
        let performers: BTreeSet<Bound<'_>> = new.performers(&self.served).collect();
        new.uses.iter().all(|one| self.uses.contains(&(one.role, one.inside, one.times.clone())))
            && old.binders.iter().all(|bound| new.binders.contains(bound))
            && old.performers(&self.served).all(|bound| performers.contains(&bound))
    }
}
