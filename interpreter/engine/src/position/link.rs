//! The immutable side of a game: program, table and the indexes built once at set-up.
//!
//! Triggers and norms are found by verb, modifiers by attribute, allowances by card; only clauses of rules
//! and of cards that are in the game are indexed.

use std::sync::{Arc, OnceLock};

use netrep_ir::*;

use crate::position::hash::Called;
use crate::position::set::{Set, ThingId};
use crate::position::stack::At;
use crate::position::table::Table;
use crate::program::layout::{Layout, Store};
use crate::program::plan::Plan;
use crate::program::walk::{self, Phase};

/// What a game never changes.
#[derive(Debug)]
pub(crate) struct Link {
    pub program: Arc<Program>,
    pub layout: Layout,
    pub table: Table,
    /// Per verb: standing triggers, those of rules first.
    pub triggers: Vec<Vec<TriggerId>>,
    /// Per verb: standing norms.
    pub norms: Vec<Vec<NormId>>,
    /// Per attribute: standing modifiers, in order of clause.
    pub modifiers: Vec<Vec<ModifierId>>,
    /// Per attribute: whether any modifier, standing or not, may change it.
    pub modified: Vec<bool>,
    /// Per attribute: whether a modifier of any card or rule of the program, in this game or not, may change it; and
    /// whether a card's may while it functions. What may be known must not hang on which cards there are.
    pub alterable: Vec<(bool, bool)>,
    /// Per attribute: whether a modifier of the program finds its things by the entries that others have changed.
    pub chained: Vec<bool>,
    /// Per attribute: the column of derived values that it needs, if it does (it is modified or defined).
    pub kept: Vec<Option<u16>>,
    /// How many such columns there are.
    pub columns: usize,
    /// Allowances of rules: those that nothing carries, and those that things carry.
    pub open: Vec<AllowanceId>,
    pub carried: Vec<AllowanceId>,
    /// Per name: whether it is the name of a card of the program.
    on_cards: Vec<bool>,
    /// Per card: its allowances.
    pub of_card: Vec<Vec<AllowanceId>>,
    /// Per action kind: `from` depends on the thing.
    pub from_reads_this: Vec<bool>,
    /// Some clause asks whether anything has changed since a declaration.
    pub compares: bool,
    /// Per allowance, and per action kind: when each of its requirements can be asked.
    pub phases: [Vec<Vec<Phase>>; 2],
    /// Per allowance: how its choices are found, worked out when it is first offered.
    plans: Vec<OnceLock<Plan>>,
    /// Per step: the first statement in it that asks a player.
    pub asks: Vec<Option<At>>,
    /// Stored attributes that begin anew when their thing comes into a place.
    pub anew: Vec<(PlaceId, AttrId)>,
    /// No things, in the game's width.
    pub nothing: Set,
    called: OnceLock<Called>,
}

impl Link {
    pub fn new(program: Arc<Program>, layout: Layout, table: Table) -> Link {
        let here = |card: Option<CardId>| card.is_none_or(|c| table.card_ids.binary_search(&c).is_ok());
        let mut triggers = vec![Vec::new(); program.verbs.len()];
        for of_rule in [true, false] {
            for (i, t) in program.triggers.iter().enumerate() {
                if !t.delayed
                    && t.card.is_none() == of_rule
                    && here(t.card)
                    && let Some(list) = triggers.get_mut(t.pattern.verb.index())
                {
                    list.push(TriggerId::from_index(i));
                }
            }
        }
        let mut norms = vec![Vec::new(); program.verbs.len()];
        for (i, n) in program.norms.iter().enumerate() {
            if !n.delayed
                && here(n.card)
                && let Some(list) = norms.get_mut(n.pattern.verb.index())
            {
                list.push(NormId::from_index(i));
            }
        }
        let mut modifiers = vec![Vec::new(); program.attrs.len()];
        let mut modified = vec![false; program.attrs.len()];
        let mut order: Vec<usize> = (0..program.modifiers.len()).collect();
        order.sort_by_key(|i| program.modifiers.get(*i).map(|m| (m.clause, *i)));
        for i in order {
            let Some(m) = program.modifiers.get(i) else { continue };
            if here(m.card) && m.attr.index() < modified.len() {
                modified[m.attr.index()] = true;
                if !m.delayed {
                    modifiers[m.attr.index()].push(ModifierId::from_index(i));
                }
            }
        }
        let mut alterable = vec![(false, false); program.attrs.len()];
        for m in &program.modifiers {
            if let Some(slot) = alterable.get_mut(m.attr.index()) {
                slot.0 = true;
                slot.1 |= m.card.is_some() && !m.delayed;
            }
        }
        let mut chained = vec![false; program.attrs.len()];
        for m in &program.modifiers {
            let reads = walk::reads_entries(&m.subject, m.attr);
            if let Some(slot) = chained.get_mut(m.attr.index()) {
                *slot |= reads;
            }
        }
        let mut columns = 0;
        let mut kept = Vec::with_capacity(modified.len());
        for (i, modified) in modified.iter().enumerate() {
            let needs = *modified || layout.attr(AttrId::from_index(i)).store == Store::Derived;
            kept.push(needs.then(|| crate::position::value::short(columns)));
            columns += usize::from(needs);
        }
        let mut open = Vec::new();
        let mut carried = Vec::new();
        let mut of_card = vec![Vec::new(); program.cards.len()];
        for (i, a) in program.allowances.iter().enumerate() {
            let id = AllowanceId::from_index(i);
            match (a.card, a.action.is_some() || a.carriers.is_some()) {
                (Some(card), _) => {
                    if let Some(list) = of_card.get_mut(card.index()) {
                        list.push(id);
                    }
                }
                (None, false) => open.push(id),
                (None, true) => carried.push(id),
            }
        }
        let mut on_cards = vec![false; program.names.len()];
        for card in &program.cards {
            if let Some(on) = on_cards.get_mut(card.name.index()) {
                *on = true;
            }
        }
        let mut statements = program.blocks.iter().flat_map(|b| &b.statements);
        let compares = statements.any(|(s, _)| matches!(s, Statement::If(cond, ..) if walk::asks_for_change(cond)));
        let from_reads_this = program.actions.iter().map(|a| walk::sel_reads_this(&a.from)).collect();
        let foreseeing = walk::foreseeing(&program);
        let phases_of = |all: &[Requirement]| all.iter().map(|r| walk::phase(&r.cond, &foreseeing)).collect();
        let phases = [
            program.allowances.iter().map(|a| phases_of(&a.requirements)).collect(),
            program.actions.iter().map(|a| phases_of(&a.requirements)).collect(),
        ];
        let asks = program.steps.iter().map(|s| first_ask(&program, s.body, 0)).collect();
        let plans = program.allowances.iter().map(|_| OnceLock::new()).collect();
        let nothing = Set::empty(layout.width);
        let anew = (program.attrs.iter().enumerate())
            .filter_map(|(i, a)| a.anew.map(|place| (place, AttrId::from_index(i))))
            .collect();
        Link {
            anew,
            program,
            layout,
            table,
            triggers,
            norms,
            modifiers,
            modified,
            alterable,
            chained,
            kept,
            columns,
            open,
            carried,
            on_cards,
            of_card,
            compares,
            from_reads_this,
            phases,
            plans,
            asks,
            nothing,
            called: OnceLock::new(),
        }
    }

    /// How the choices of an allowance are found.
    pub fn plan(&self, id: AllowanceId, allowance: &Allowance) -> &Plan {
        self.plans[id.index()].get_or_init(|| Plan::new(allowance, self.requirements(id, allowance)))
    }

    /// What an allowance and its kind require when it is declared, and when each can be asked.
    pub fn requirements<'l>(
        &'l self,
        id: AllowanceId,
        allowance: &'l Allowance,
    ) -> impl Iterator<Item = (Phase, &'l Requirement)> + Clone {
        let [own, of_kind] = &self.phases;
        let own = own.get(id.index()).into_iter().flatten().zip(&allowance.requirements);
        let action = allowance.action.and_then(|a| self.program.actions.get(a.index()));
        // total: what is no action of a kind is required nothing for it.
        let of_action = action.map_or(&[][..], |a| a.requirements.as_slice());
        let kind = allowance.action.and_then(|a| of_kind.get(a.index()));
        let all = own.chain(kind.into_iter().flatten().zip(of_action));
        all.filter(|(_, r)| !r.at_resolution && !allowance.despite.contains(&r.clause)).map(|(phase, r)| (*phase, r))
    }

    /// What of the state is hashed, under its names; worked out when it is first asked for.
    pub fn called(&self) -> &Called {
        self.called.get_or_init(|| Called::new(self))
    }

    /// The label of a clause.
    pub fn label(&self, clause: ClauseId) -> &str {
        // total: ids come with the program; a label is only said.
        self.program.clauses.get(clause.index()).map_or("?", |c| c.label.as_str())
    }
    /// The English of a site.
    pub fn site_text(&self, site: SiteId) -> &str {
        // total: a place without a text says nothing.
        self.program.sites.get(site.index()).map_or("", |s| s.text.as_str())
    }
    /// A block's statements.
    pub fn block(&self, block: BlockId) -> &[(Statement, SiteId)] {
        // total: a block that is none does nothing; ids come with the program.
        self.program.blocks.get(block.index()).map_or(&[], |b| b.statements.as_slice())
    }
    /// The clause of a block.
    pub fn block_clause(&self, block: BlockId) -> ClauseId {
        // total: ids come with the program.
        self.program.blocks.get(block.index()).map_or(ClauseId(0), |b| b.clause)
    }
    /// A statement.
    pub fn statement(&self, at: At) -> Option<&(Statement, SiteId)> {
        self.block(at.block).get(usize::from(at.pc))
    }
    /// The things of a card.
    pub fn things_of(&self, card: CardId) -> &Set {
        self.table.cards.get(card.index()).and_then(Option::as_ref).unwrap_or(&self.nothing)
    }
    /// The things that carry a name.
    pub fn named(&self, name: NameId) -> &Set {
        self.table.named.get(name.index()).and_then(Option::as_ref).unwrap_or(&self.nothing)
    }
    /// Whether a card of the program has a name.
    pub fn on_cards(&self, name: NameId) -> bool {
        self.on_cards.get(name.index()).is_some_and(|on| *on)
    }
    /// The card of a thing.
    pub fn card_of(&self, thing: ThingId) -> Option<CardId> {
        self.table.given.get(thing.index()).and_then(|g| g.card)
    }
    /// What is printed of a card or of a part of a card.
    pub fn figures_of(&self, thing: ThingId) -> &[(AttrId, Printed)] {
        let card = |thing| self.card_of(thing).and_then(|c| self.program.cards.get(c.index()));
        let figures = match self.table.part(thing) {
            Some((host, n)) => card(host).and_then(|c| c.parts.get(n)).map(|p| &p.figures),
            None => card(thing).map(|c| &c.figures),
        };
        // total: what is no card has nothing printed.
        figures.map_or(&[], Vec::as_slice)
    }
}

/// The first statement of a block, inner blocks included, that asks a player.
fn first_ask(program: &Program, block: BlockId, depth: u8) -> Option<At> {
    if depth > 32 {
        return None;
    }
    let statements = &program.blocks.get(block.index())?.statements;
    for (i, (statement, _)) in statements.iter().enumerate() {
        let inner: [Option<BlockId>; 2] = match statement {
            Statement::Choose { by: Some(_), .. }
            | Statement::May { .. }
            | Statement::ChooseOne { .. }
            | Statement::Window { .. } => {
                return Some(At { block, pc: u16::try_from(i).ok()? });
            }
            Statement::ForEach { chooser: Some(_), .. } => return Some(At { block, pc: u16::try_from(i).ok()? }),
            Statement::If(_, then, other) => [Some(*then), *other],
            Statement::ForEach { body, .. } | Statement::RepeatUntil(body, _) | Statement::RepeatTimes(_, body) => {
                [Some(*body), None]
            }
            _ => [None, None],
        };
        if let Some(found) = inner.into_iter().flatten().find_map(|b| first_ask(program, b, depth + 1)) {
            return Some(found);
        }
    }
    None
}
