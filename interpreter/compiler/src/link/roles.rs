//! Roles that nothing binds.
//!
//! A role is bound by `let ROLE be` in a procedure or its steps, and holds while the procedure runs. Two things can be
//! told: that no `let` of the data binds a role that is used, and that a step uses a role which is bound only by
//! procedures that are not running then. Those that run are the step's own and the ones that perform it, and those
//! that perform these; a procedure that is performed from anywhere else (a card, a trigger, an ability) may run inside
//! of any other, and nothing is told of it. A clause that says when it applies (`play … during P`, `may … during P`, `at
//! the end of P`) is judged by that: what binds its roles must run around that procedure, or inside of it. What an effect
//! does later is not judged.

use std::collections::{BTreeMap, BTreeSet};

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;

use super::Linker;
use crate::link::LinkItem;
use crate::phrase::clause::{ClauseKind, ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, Change, Event, View};
use crate::phrase::tree::{Node, TermKind};

/// What the clauses of all items bind, use and perform.
#[derive(Default)]
struct Roles<'i> {
    /// The procedures that bind a role; `None` for what is bound elsewhere.
    binders: BTreeMap<&'i str, BTreeSet<Option<&'i str>>>,
    /// Where roles are used.
    uses: Vec<Used<'i>>,
    /// The procedures that perform a procedure; `None` for what performs it from elsewhere.
    performers: BTreeMap<&'i str, BTreeSet<Option<&'i str>>>,
    /// What serves the engine, which performs it at any time.
    served: BTreeSet<String>,
}

/// One of these procedures is running; empty: nothing is known of what does.
type Times<'i> = Vec<&'i str>;

/// A role that is used.
struct Used<'i> {
    role: &'i str,
    item: usize,
    span: Span,
    /// The procedure in whose course it is used.
    inside: Option<&'i str>,
    /// When, if it is used in none.
    times: Times<'i>,
}

/// Reports the roles that are used and cannot be bound.
pub(super) fn unbound(linker: &mut Linker, items: &[LinkItem]) {
    let mut roles = Roles::default();
    let services = items.iter().flat_map(|item| &item.lowered.services);
    roles.served.extend(services.map(|service| service.words.join(" ")));
    for (index, item) in items.iter().enumerate() {
        roles.clauses(index, item.item.clauses.iter().map(|clause| &*clause.read), None, &Vec::new());
        // What serves the engine is bound by it.
        for name in item.lowered.services.iter().flat_map(|service| &service.words) {
            roles.binders.entry(name).or_default().insert(None);
        }
    }
    let lost = |role: &str| linker.lost.iter().any(|text| text.contains(&format!("let {role} be")));
    let mut told: BTreeSet<(&str, Option<usize>)> = BTreeSet::new();
    let mut found = Vec::new();
    for Used { role, item: index, span, inside, times } in &roles.uses {
        let of_item = (*role, Some(*index));
        let is_told = told.contains(&(*role, None)) || told.contains(&of_item);
        let Some(item) = items.get(*index).filter(|_| !is_told && !lost(role)) else { continue };
        let message = match (roles.binders.get(role), inside) {
            (Some(binders), None) if linker.lost.is_empty() && !times.is_empty() => {
                if times.iter().any(|time| roles.may_meet(binders, time)) {
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
            (Some(binders), Some(inside)) if linker.lost.is_empty() && !roles.may_hold(binders, inside) => {
                let names: Vec<String> = binders.iter().flatten().map(|b| format!("`{b}`")).collect();
                format!("`{role}` is bound only in {}, which does not run around `{inside}`", names.join(" and "))
            }
            _ => continue,
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

impl<'i> Roles<'i> {
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

    /// Clauses one after the other; what follows a way to play a card belongs to it.
    fn clauses(
        &mut self,
        item: usize,
        clauses: impl Iterator<Item = &'i ReadClause>,
        inside: Option<&'i str>,
        times: &Times<'i>,
    ) {
        let mut own = times.clone();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Play { .. } => own = times_of(clause).unwrap_or_else(|| times.clone()),
                ClauseKind::Condition(_) | ClauseKind::Cost(_) | ClauseKind::Effect(_) | ClauseKind::Limit(..) => {}
                _ => own = times.clone(),
            }
            self.clause(item, clause, inside, &own);
        }
    }

    fn clause(&mut self, item: usize, clause: &'i ReadClause, inside: Option<&'i str>, times: &Times<'i>) {
        // In the course of which procedure its phrases run, and those of its blocks.
        let (phrases, block) = match &clause.kind {
            ClauseKind::Procedure { term, .. } => {
                if self.served.contains(&*term.name) {
                    self.performers.entry(&term.name).or_default().insert(None);
                }
                (None, Some(&*term.name))
            }
            ClauseKind::Step { procedure, .. } => (None, procedure.as_ref().map(|key| &*key.name).or(inside)),
            // Statements and guards run in the course of their procedure, everything else whenever it applies.
            ClauseKind::Statement(_) | ClauseKind::Ends { .. } => (inside, None),
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
            | ClauseKind::Lasts { .. }
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
        nodes(&clause.kind).into_iter().for_each(|node| self.node(item, node, phrases, &own));
        // What is laid down, and what things carry or do elsewhere, has times of its own.
        let anew = !matches!(clause.kind, ClauseKind::Play { .. } | ClauseKind::May { .. });
        let within = if anew { Vec::new() } else { own };
        blocks(&clause.kind).into_iter().for_each(|inner| self.clauses(item, inner.iter(), block, &within));
    }

    fn node(&mut self, item: usize, node: &'i Node, inside: Option<&'i str>, times: &Times<'i>) {
        let mut names = true;
        let mut later = false;
        match node.view() {
            View::Act(act) => match act {
                Act::LetRole { role, .. } => {
                    names = false;
                    self.binders.entry(&role.name).or_default().insert(inside);
                }
                Act::Perform { procedure, .. } => {
                    self.performers.entry(&procedure.name).or_default().insert(inside);
                }
                // What is laid down now and looked at later.
                Act::When { .. } | Act::Norm { .. } => later = true,
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
            View::Change(change) => match change {
                Change::Gets { .. } | Change::Becomes { .. } | Change::While { .. } => later = true,
                Change::Gains { .. }
                | Change::Acquires { .. }
                | Change::Sheds { .. }
                | Change::Loses { .. }
                | Change::Turns { .. } => {}
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
            | View::Part(_)
            | View::Malformed => {}
        }
        // Whatever names a role uses it, but for what binds it.
        if names {
            node.op.terms(&mut |key| {
                if key.kind == TermKind::Role {
                    let (role, span, times) = (&*key.name, node.span, times.clone());
                    self.uses.push(Used { role, item, span, inside, times });
                }
            });
        }
        let nothing = Vec::new();
        let (inside, times) = if later { (None, &nothing) } else { (inside, times) };
        node.kids.iter().for_each(|kid| self.node(item, kid, inside, times));
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
    pub(super) fn of(items: &'i [LinkItem]) -> RoleFacts<'i> {
        let services = items.iter().flat_map(|item| &item.lowered.services);
        let mut facts =
            RoleFacts { served: services.map(|service| service.words.join(" ")).collect(), uses: BTreeSet::new() };
        let uses = items.iter().flat_map(|item| facts.roles(item).uses);
        facts.uses = uses.map(|one| (one.role, one.inside, one.times)).collect();
        facts
    }

    /// True if an item uses only roles that are used so already, and binds and performs all that another did.
    pub(super) fn are_kept(&self, old: &LinkItem, new: &LinkItem) -> bool {
        fn within(old: &BTreeMap<&str, BTreeSet<Option<&str>>>, new: &BTreeMap<&str, BTreeSet<Option<&str>>>) -> bool {
            old.iter().all(|(name, these)| new.get(name).is_some_and(|those| these.is_subset(those)))
        }
        let (old, new) = (self.roles(old), self.roles(new));
        new.uses.iter().all(|one| self.uses.contains(&(one.role, one.inside, one.times.clone())))
            && within(&old.binders, &new.binders)
            && within(&old.performers, &new.performers)
    }

    fn roles<'a>(&self, item: &'a LinkItem) -> Roles<'a> {
        let mut roles = Roles { served: self.served.clone(), ..Roles::default() };
        roles.clauses(0, item.item.clauses.iter().map(|clause| &*clause.read), None, &Vec::new());
        roles
    }
}
