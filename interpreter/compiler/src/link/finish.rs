//! What can only be done when every item has its place.

use netrep_ir::{ActionId, ClauseId, Rest, Sel, VerbId};

use super::Linker;
use super::deeds::does_any;
use super::verify::{cited, gone, unknown_label};
use crate::link::LinkItem;

impl Linker {
    /// What can only be done when all is in place.
    pub(super) fn finish(&mut self, items: &[LinkItem]) {
        let p = &mut self.program;
        for c in &mut p.cards {
            c.class = p.services.card;
        }
        let you = p.services.controller.map(|attr| Sel::Image(attr, Box::new(Sel::This)));
        let whose = |by: &mut Sel| {
            if let (Sel::Empty, Some(you)) = (&*by, &you) {
                *by = you.clone();
            }
        };
        p.actions.iter_mut().for_each(|a| whose(&mut a.by));
        let ability = |a: &netrep_ir::ActionDecl| Some(a.verb) == p.services.ability;
        let kinds = [p.actions.iter().position(|a| !ability(a)), p.actions.iter().position(ability)];
        // An ability of a card's own is used where the clauses of its thing function; what a rule lets the owner of such
        // a card do, wherever the rule finds the card.
        let by_rule = kinds[1].and_then(|at| p.actions.get(at).cloned()).map(|action| {
            p.actions.push(action);
            ActionId::from_index(p.actions.len() - 1)
        });
        if let Some(a) = kinds[1].and_then(|at| p.actions.get_mut(at)) {
            let from = std::mem::replace(&mut a.from, Sel::All);
            a.from = Sel::And(std::iter::once(from).chain(p.services.functioning.clone()).collect());
        }
        let hosts = p.services.hosts.clone();
        for part in p.cards.iter_mut().flat_map(|c| &mut c.parts) {
            if let Some((_, attr)) = hosts.iter().find(|h| h.0 == part.class) {
                part.host = *attr;
            }
        }
        for a in &mut p.allowances {
            // No kind of declaration is the use of an ability: then it has no wrapping.
            a.action = a.action.and_then(|kind| kinds.get(kind.index()).copied().flatten().map(ActionId::from_index));
            let ability = a.action.is_some_and(|id| kinds.get(1) == Some(&Some(id.index())));
            if ability
                && a.card.is_none()
                && let Some(carriers) = &a.carriers
            {
                a.action = by_rule.filter(|_| selects(carriers, p.services.card));
            }
            whose(&mut a.by);
            if let Some(id) = a.action
                && let Some(action) = p.actions.get(id.index())
                && let Some(v) = p.verbs.get(action.verb.index())
                && !ability
            {
                a.words = v.forms[0].clone();
            }
        }
        // Passive conditions whose actions include one of these verbs resolve at once, by the rule that says so.
        let mut immediate: Vec<(VerbId, ClauseId)> = Vec::new();
        let mut lasting: Vec<(VerbId, ClauseId)> = Vec::new();
        let mut first = 0;
        for (i, _) in items.iter().zip(&self.placed).filter(|(_, placed)| **placed) {
            let timed = |(v, c): &(VerbId, ClauseId)| {
                let id = i.lowered.symbols.verbs.get(v.index()).and_then(|n| self.tables.verbs.get(n));
                id.map(|v| (VerbId(*v), ClauseId::from_index(first + c.index())))
            };
            immediate.extend(i.lowered.immediate.iter().filter_map(timed));
            lasting.extend(i.lowered.lasting.iter().filter_map(timed));
            first += i.lowered.clauses.len();
        }
        for action in &mut p.actions {
            action.lasting = lasting.iter().find(|(verb, _)| *verb == action.verb).map(|(_, clause)| *clause);
        }
        for (verb, clause) in immediate {
            let at_once: Vec<bool> = p.triggers.iter().map(|t| does_any(p, t.body, &[verb], 0)).collect();
            for (t, yes) in p.triggers.iter_mut().zip(at_once) {
                if yes && !t.immediate {
                    t.immediate = true;
                    t.timing = Some(clause);
                }
            }
        }
        p.rests = rests(items.iter().zip(&self.placed).filter(|(_, placed)| **placed).map(|(i, _)| i));
        // `despite ITEM LABEL`.
        let mut base = 0usize;
        let mut found = Vec::new();
        for (i, placed) in items.iter().zip(&self.placed) {
            if !placed {
                continue;
            }
            for (a, item, label, site) in &i.lowered.despite {
                let wanted = cited(item, label);
                // What is lifted of a card is lifted of its reprints.
                let is_meant =
                    |c: &netrep_ir::ClauseDecl| *c.label == *wanted || c.reprints.as_deref() == Some(&*wanted);
                let meant = p.clauses.iter().enumerate().filter(|(_, c)| is_meant(c));
                let before = found.len();
                found.extend(meant.map(|(c, _)| (base + a, ClauseId::from_index(c))));
                match found.len() > before {
                    true => {}
                    false if gone(items, item, label) => {}
                    false => {
                        let labels = p.clauses.iter().map(|c| &*c.label);
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
    }
}

/// Whether a selection says that its things are of a base class.
fn selects(sel: &Sel, class: netrep_ir::ClassId) -> bool {
    match sel {
        Sel::Class(c) => *c == class,
        Sel::And(parts) => parts.iter().any(|part| selects(part, class)),
        _ => false,
    }
}

/// `rests on ITEM LABEL`, by rule.
fn rests<'i>(items: impl Iterator<Item = &'i LinkItem>) -> Vec<Rest> {
    items
        .filter(|i| !i.lowered.rests.is_empty())
        .map(|i| Rest {
            item: i.item.key.to_string(),
            on: i.lowered.rests.iter().map(|(cited, _)| cited.clone()).collect(),
        })
        .collect()
}
