//! Verbs that only happen, said where nothing follows from them; duties that nothing can fulfil.
//!
//! A verb without `does` changes nothing: clauses listen to it, and rules may say it as a record (somebody has won). Of a verb that the kernel calls `announced`, rules say in
//! the course of a procedure that it happens; a card that says so would announce what nobody does.

use std::collections::BTreeSet;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use rustc_hash::FxHashSet;

use super::services::verb_called;
use super::{LinkItem, Linker, Tables};
use crate::lower::LowTerm;
use crate::phrase::clause::{ClauseKind, Polarity, ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, View};
use crate::phrase::tree::{Node, TermKind};

/// Where an item says verbs, and which it listens to.
#[derive(Default)]
pub(super) struct Verbs<'i> {
    /// Said as a statement: the verb, the place, and the procedure in whose step.
    said: Vec<(&'i str, Span, Option<&'i str>)>,
    /// Named in any other way.
    heard: BTreeSet<&'i str>,
    /// Those of kinds of declarations.
    declared: BTreeSet<&'i str>,
    /// Those that somebody must do: the verb, the place.
    owed: Vec<(&'i str, Span)>,
}

/// Where they are said does not matter.
impl PartialEq for Verbs<'_> {
    fn eq(&self, other: &Self) -> bool {
        let said =
            |(one, _, inside): &(_, Span, _), (other, _, within): &(_, Span, _)| (one, inside) == (other, within);
        self.said.len() == other.said.len()
            && self.said.iter().zip(&other.said).all(|(one, other)| said(one, other))
            && (&self.heard, &self.declared) == (&other.heard, &other.declared)
            && self.owed.iter().map(|(verb, _)| verb).eq(other.owed.iter().map(|(verb, _)| verb))
    }
}

/// Reports the statements from which nothing follows. `all`: the verbs of each item.
pub(super) fn check(linker: &mut Linker, items: &[LinkItem], tables: &Tables, all: &[&Verbs<'_>]) {
    let terms = items.iter().flat_map(|item| &item.lowered.terms);
    let bare: BTreeSet<&str> = terms
        .filter_map(|term| match term {
            LowTerm::Verb(name, decl) if decl.body.is_none() => Some(&**name),
            _ => None,
        })
        .collect();
    let said = all.iter().flat_map(|own| own.said.iter().map(|(verb, ..)| *verb));
    let done: FxHashSet<&str> = said.chain(all.iter().flat_map(|own| own.declared.iter().copied())).collect();
    let whole = linker.lost.is_empty();
    let owed =
        items.iter().zip(all).flat_map(|(item, own)| own.owed.iter().map(move |(verb, span)| (item, *verb, span)));
    for (item, _, span) in owed.filter(|(_, verb, _)| whole && !done.contains(verb)) {
        let message = "nothing follows from this duty: no clause does it, so no decision offers it".to_owned();
        let help = "say what happens by itself (`when …`), or what cannot be done instead (`cannot …`)".to_owned();
        linker.error(item, *span, Code::NothingFollows, message, Some(help));
    }
    let served: BTreeSet<String> = items.iter().flat_map(|i| &i.lowered.services).map(|s| s.words.join(" ")).collect();
    let services = items.iter().flat_map(|item| &item.lowered.services);
    let only_rules = services.filter(|service| service.serves == "announced");
    let only_rules: BTreeSet<u16> =
        only_rules.filter_map(|service| verb_called(tables, &service.words.join(" "))).map(|verb| verb.0).collect();
    let by_item = || items.iter().zip(all);
    let announced = |verb: &str| -> BTreeSet<&str> {
        let rules = by_item().filter(|(item, _)| &*item.item.head == "rule").flat_map(|(_, own)| &own.said);
        rules.filter(|(said, ..)| *said == verb).filter_map(|(.., procedure)| *procedure).collect()
    };
    let by_cards = by_item().filter(|(item, _)| &*item.item.head == "card");
    let said = by_cards.flat_map(|(item, own)| own.said.iter().map(move |(verb, span, _)| (item, *verb, span)));
    let mut heard: Option<FxHashSet<&str>> = None;
    for (item, verb, span) in said.filter(|(_, verb, _)| bare.contains(verb)) {
        let called = verb.split(' ').next().is_some_and(|base| served.contains(base)) || served.contains(verb);
        let heard = heard.get_or_insert_with(|| all.iter().flat_map(|own| own.heard.iter().copied()).collect());
        if tables.verbs.get(verb).is_some_and(|id| only_rules.contains(id)) {
            let procedures: Vec<String> = announced(verb).iter().map(|name| format!("`{name}`")).collect();
            let message = "nothing is done by this verb: a rule says that it happens when it does".to_owned();
            let help = format!("say `perform PROCEDURE for …`; it happens in the course of {}", procedures.join(", "));
            linker.error(item, *span, Code::NothingFollows, message, Some(help));
        } else if !heard.contains(verb) && !called && linker.lost.is_empty() {
            let message = "nothing is done by this verb, and no clause listens to it".to_owned();
            let help = "say what it does (`does …` where it is declared), or what follows (`when …`)".to_owned();
            linker.error(item, *span, Code::NothingFollows, message, Some(help));
        }
    }
}

impl<'i> Verbs<'i> {
    /// True if no more is said and owed than before, and what was said and listened to is so elsewhere. `beside`: the verbs of
    /// the other items.
    pub(super) fn follow_as<'v, A: Iterator<Item = &'v Verbs<'v>>>(
        &self,
        before: &Verbs<'_>,
        beside: impl Fn() -> A,
    ) -> bool {
        let says = |all: &Verbs<'_>, verb: &str| all.said.iter().any(|(said, ..)| *said == verb);
        let does = |all: &Verbs<'_>, verb: &str| all.declared.contains(verb) || says(all, verb);
        let said_before = |(verb, _, inside): &(&str, Span, Option<&str>)| {
            before.said.iter().any(|(was, _, within)| (was, within) == (verb, inside))
        };
        let owed_before = |(verb, _): &(&str, Span)| before.owed.iter().any(|(was, _)| was == verb);
        let mut lost = before.said.iter().map(|(verb, ..)| *verb).chain(before.declared.iter().copied());
        let mut unheard = before.heard.iter().filter(|verb| !self.heard.contains(**verb));
        self.said.iter().all(said_before)
            && self.owed.iter().all(owed_before)
            && lost.all(|verb| does(self, verb) || beside().any(|other| does(other, verb)))
            && unheard.all(|verb| beside().any(|other| other.heard.contains(verb)))
    }

    pub(super) fn of(item: &'i LinkItem) -> Verbs<'i> {
        let mut verbs = Verbs::default();
        item.item.clauses.iter().for_each(|clause| verbs.clause(&clause.read, None));
        verbs
    }

    fn clause(&mut self, clause: &'i ReadClause, inside: Option<&'i str>) {
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
            ClauseKind::Norm { polarity: Polarity::Must, event, .. } => self.duty(event),
            _ => {}
        }
        // What follows from a cost is what it is paid for.
        let paid = match &clause.kind {
            ClauseKind::May { cost, .. } => cost.as_ref(),
            ClauseKind::Cost(cost) => Some(cost),
            _ => None,
        };
        let said = nodes(&clause.kind).into_iter().filter(|node| paid.is_none_or(|cost| !std::ptr::eq(cost, *node)));
        said.for_each(|node| self.node(node, inside));
        blocks(&clause.kind).into_iter().flatten().for_each(|inner| self.clause(inner, inside));
    }

    /// What somebody must do.
    fn duty(&mut self, event: &'i Node) {
        event.op.terms(&mut |key| {
            if key.kind == TermKind::Verb {
                self.owed.push((&key.name, event.span));
            }
        });
    }

    fn node(&mut self, node: &'i Node, inside: Option<&'i str>) {
        match node.view() {
            View::Act(Act::Do { verb, roles }) => {
                // What is done to a place the engine does.
                if roles.iter().all(|role| role.place().is_none()) {
                    self.said.push((&verb.name, node.span, inside));
                }
            }
            View::Act(Act::Norm { polarity: Polarity::Must, event, .. }) => self.duty(event),
            _ => node.op.terms(&mut |key| {
                if key.kind == TermKind::Verb {
                    self.heard.insert(&key.name);
                }
            }),
        }
        node.kids.iter().for_each(|kid| self.node(kid, inside));
    }
}
