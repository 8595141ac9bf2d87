//! Roles that nothing binds.
//!
//! A role is bound by `let ROLE be` in a procedure or its steps, and holds while the procedure runs. Two things can be
//! told: that no `let` of the data binds a role that is used, and that a step uses a role which is bound only by
//! procedures that are not running then. Those that run are the step's own and the ones that perform it, and those
//! that perform these; a procedure that is performed from anywhere else (a card, a trigger, an ability) may run inside
//! of any other, and nothing is told of it. What an effect does later is not judged either.

use std::collections::{BTreeMap, BTreeSet};

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;

use super::Linker;
use crate::link::LinkItem;
use crate::phrase::clause::{ClauseKind, ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, Change, View};
use crate::phrase::tree::{Node, TermKind};

/// What the clauses of all items bind, use and perform.
#[derive(Default)]
struct Roles<'i> {
    /// The procedures that bind a role; `None` for what is bound elsewhere.
    binders: BTreeMap<&'i str, BTreeSet<Option<&'i str>>>,
    /// Uses: the role, its place, and the procedure in whose course it is used.
    uses: Vec<(&'i str, usize, Span, Option<&'i str>)>,
    /// The procedures that perform a procedure; `None` for what performs it from elsewhere.
    performers: BTreeMap<&'i str, BTreeSet<Option<&'i str>>>,
    /// What serves the engine, which performs it at any time.
    served: BTreeSet<String>,
}

/// Reports the roles that are used and cannot be bound.
pub(super) fn unbound(linker: &mut Linker, items: &[LinkItem]) {
    let mut roles = Roles::default();
    let services = items.iter().flat_map(|item| &item.lowered.services);
    roles.served.extend(services.map(|service| service.words.join(" ")));
    for (index, item) in items.iter().enumerate() {
        for clause in &item.item.clauses {
            roles.clause(index, &clause.read, None);
        }
        // What serves the engine is bound by it.
        for name in item.lowered.services.iter().flat_map(|service| &service.words) {
            roles.binders.entry(name).or_default().insert(None);
        }
    }
    let lost = |role: &str| linker.lost.iter().any(|text| text.contains(&format!("let {role} be")));
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    for (role, index, span, inside) in &roles.uses {
        let Some(item) = items.get(*index).filter(|_| !told.contains(role) && !lost(role)) else { continue };
        let message = match (roles.binders.get(role), inside) {
            (None, _) => format!("nothing binds the role `{role}`"),
            (Some(binders), Some(inside)) if linker.lost.is_empty() && !roles.may_hold(binders, inside) => {
                let names: Vec<String> = binders.iter().flatten().map(|b| format!("`{b}`")).collect();
                format!("`{role}` is bound only in {}, which does not run around `{inside}`", names.join(" and "))
            }
            _ => continue,
        };
        told.insert(role);
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

    fn clause(&mut self, item: usize, clause: &'i ReadClause, inside: Option<&'i str>) {
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
            | ClauseKind::Either(_)
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
            | ClauseKind::Otherwise(_)
            | ClauseKind::Limit(..)
            | ClauseKind::Raw { .. } => (None, None),
        };
        nodes(&clause.kind).into_iter().for_each(|node| self.node(item, node, phrases));
        blocks(&clause.kind).into_iter().flatten().for_each(|inner| self.clause(item, inner, block));
    }

    fn node(&mut self, item: usize, node: &'i Node, inside: Option<&'i str>) {
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
                | Act::Create { .. }
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
                | Change::Loses { .. }
                | Change::Turns { .. }
                | Change::CountsAs { .. }
                | Change::TakesOver { .. }
                | Change::Scaled { .. } => {}
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
                    self.uses.push((&key.name, item, node.span, inside));
                }
            });
        }
        let inside = if later { None } else { inside };
        node.kids.iter().for_each(|kid| self.node(item, kid, inside));
    }
}

/// What all items bind, use and perform together, to tell what another item in the place of one changes.
pub(super) struct RoleFacts<'i> {
    served: BTreeSet<String>,
    uses: BTreeSet<Use<'i>>,
}

/// A role, and the procedure in whose course it is used.
type Use<'i> = (&'i str, Option<&'i str>);

impl<'i> RoleFacts<'i> {
    pub(super) fn of(items: &'i [LinkItem]) -> RoleFacts<'i> {
        let services = items.iter().flat_map(|item| &item.lowered.services);
        let mut facts =
            RoleFacts { served: services.map(|service| service.words.join(" ")).collect(), uses: BTreeSet::new() };
        let uses = items.iter().flat_map(|item| facts.roles(item).uses);
        facts.uses = uses.map(|(role, _, _, inside)| (role, inside)).collect();
        facts
    }

    /// True if an item uses only roles that are used so already, and binds and performs all that another did.
    pub(super) fn are_kept(&self, old: &LinkItem, new: &LinkItem) -> bool {
        fn within(old: &BTreeMap<&str, BTreeSet<Option<&str>>>, new: &BTreeMap<&str, BTreeSet<Option<&str>>>) -> bool {
            old.iter().all(|(name, these)| new.get(name).is_some_and(|those| these.is_subset(those)))
        }
        let (old, new) = (self.roles(old), self.roles(new));
        new.uses.iter().all(|(role, _, _, inside)| self.uses.contains(&(*role, *inside)))
            && within(&old.binders, &new.binders)
            && within(&old.performers, &new.performers)
    }

    fn roles<'a>(&self, item: &'a LinkItem) -> Roles<'a> {
        let mut roles = Roles { served: self.served.clone(), ..Roles::default() };
        item.item.clauses.iter().for_each(|clause| roles.clause(0, &clause.read, None));
        roles
    }
}
