//! Verbs that only happen, said where nothing follows from them; duties that nothing can fulfil.
//!
//! A verb without `does` changes nothing: clauses listen to it, and rules may say it as a record (somebody has won). Of a verb that the kernel calls `announced`, rules say in
//! the course of a procedure that it happens; a card that says so would announce what nobody does.

use std::collections::{BTreeMap, BTreeSet};

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;

use super::services::verb_called;
use super::{LinkItem, Linker, Tables};
use crate::lower::LowTerm;
use crate::phrase::clause::{ClauseKind, Polarity, ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, View};
use crate::phrase::tree::{Node, TermKind};

/// Where verbs are said, and where they are listened to.
#[derive(Default)]
struct Verbs<'i> {
    /// Said as a statement: the verb, the item, the place, and the procedure in whose step.
    said: Vec<(&'i str, usize, Span, Option<&'i str>)>,
    /// Named in any other way.
    heard: BTreeSet<&'i str>,
    /// Those of kinds of declarations.
    declared: BTreeSet<&'i str>,
    /// Those that somebody must do: the verb, the item, the place.
    owed: Vec<(&'i str, usize, Span)>,
}

/// Reports the statements from which nothing follows.
pub(super) fn check(linker: &mut Linker, items: &[LinkItem], tables: &Tables) {
    let terms = items.iter().flat_map(|item| &item.lowered.terms);
    let bare: BTreeSet<&str> = terms
        .filter_map(|term| match term {
            LowTerm::Verb(name, decl) if decl.body.is_none() => Some(&**name),
            _ => None,
        })
        .collect();
    let mut verbs = Verbs::default();
    for (index, item) in items.iter().enumerate() {
        item.item.clauses.iter().for_each(|clause| verbs.clause(index, &clause.read, None));
    }
    let done: BTreeSet<&str> =
        verbs.said.iter().map(|(verb, ..)| *verb).chain(verbs.declared.iter().copied()).collect();
    let whole = linker.lost.is_empty();
    for (_, index, span) in verbs.owed.iter().filter(|(verb, ..)| whole && !done.contains(verb)) {
        let Some(item) = items.get(*index) else { continue };
        let message = "nothing follows from this duty: no clause does it, so no decision offers it".to_owned();
        let help = "say what happens by itself (`when …`), or what cannot be done instead (`cannot …`)".to_owned();
        linker.error(item, *span, Code::NothingFollows, message, Some(help));
    }
    let served: BTreeSet<String> = items.iter().flat_map(|i| &i.lowered.services).map(|s| s.words.join(" ")).collect();
    let services = items.iter().flat_map(|item| &item.lowered.services);
    let only_rules = services.filter(|service| service.serves == "announced");
    let only_rules: BTreeSet<u16> =
        only_rules.filter_map(|service| verb_called(tables, &service.words.join(" "))).map(|verb| verb.0).collect();
    let mut announced: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (verb, index, _, procedure) in &verbs.said {
        if let (Some(procedure), Some("rule")) = (procedure, items.get(*index).map(|item| &*item.item.head)) {
            announced.entry(verb).or_default().insert(procedure);
        }
    }
    for (verb, index, span, _) in verbs.said.iter().filter(|(verb, ..)| bare.contains(verb)) {
        let Some(item) = items.get(*index) else { continue };
        if &*item.item.head != "card" {
            continue;
        }
        let called = verb.split(' ').next().is_some_and(|base| served.contains(base)) || served.contains(*verb);
        if tables.verbs.get(*verb).is_some_and(|id| only_rules.contains(id)) {
            let procedures = announced.get(verb).into_iter().flatten();
            let procedures: Vec<String> = procedures.map(|name| format!("`{name}`")).collect();
            let message = "nothing is done by this verb: a rule says that it happens when it does".to_owned();
            let help = format!("say `perform PROCEDURE for …`; it happens in the course of {}", procedures.join(", "));
            linker.error(item, *span, Code::NothingFollows, message, Some(help));
        } else if !verbs.heard.contains(verb) && !called && linker.lost.is_empty() {
            let message = "nothing is done by this verb, and no clause listens to it".to_owned();
            let help = "say what it does (`does …` where it is declared), or what follows (`when …`)".to_owned();
            linker.error(item, *span, Code::NothingFollows, message, Some(help));
        }
    }
}

impl<'i> Verbs<'i> {
    fn clause(&mut self, item: usize, clause: &'i ReadClause, inside: Option<&'i str>) {
        let inside = match &clause.kind {
            ClauseKind::Procedure { term, .. } => Some(&*term.name),
            ClauseKind::Step { procedure, .. } => procedure.as_ref().map(|key| &*key.name).or(inside),
            _ => inside,
        };
        match &clause.kind {
            ClauseKind::Action { verb, .. }
            | ClauseKind::ActionNeeds { verb, .. }
            | ClauseKind::ActionLeaves { verb, .. } => {
                self.heard.insert(&verb.name);
                self.declared.insert(&verb.name);
            }
            ClauseKind::Norm { polarity: Polarity::Must, event, .. } => self.duty(item, event),
            _ => {}
        }
        // What follows from a cost is what it is paid for.
        let paid = match &clause.kind {
            ClauseKind::May { cost, .. } => cost.as_ref(),
            ClauseKind::Cost(cost) => Some(cost),
            _ => None,
        };
        let said = nodes(&clause.kind).into_iter().filter(|node| paid.is_none_or(|cost| !std::ptr::eq(cost, *node)));
        said.for_each(|node| self.node(item, node, inside));
        blocks(&clause.kind).into_iter().flatten().for_each(|inner| self.clause(item, inner, inside));
    }

    /// What somebody must do.
    fn duty(&mut self, item: usize, event: &'i Node) {
        event.op.terms(&mut |key| {
            if key.kind == TermKind::Verb {
                self.owed.push((&key.name, item, event.span));
            }
        });
    }

    fn node(&mut self, item: usize, node: &'i Node, inside: Option<&'i str>) {
        match node.view() {
            View::Act(Act::Do { verb, roles }) => {
                // What is done to a place the engine does.
                if roles.iter().all(|role| role.place().is_none()) {
                    self.said.push((&verb.name, item, node.span, inside));
                }
            }
            View::Act(Act::Norm { polarity: Polarity::Must, event, .. }) => self.duty(item, event),
            _ => node.op.terms(&mut |key| {
                if key.kind == TermKind::Verb {
                    self.heard.insert(&key.name);
                }
            }),
        }
        node.kids.iter().for_each(|kid| self.node(item, kid, inside));
    }
}
