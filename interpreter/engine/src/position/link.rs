//! The immutable side of a game: program, table and the indexes built once at set-up over what is in the game.
//!
//! Triggers and norms are found by verb, modifiers by attribute, allowances by card; only clauses of rules
//! and of cards that are in the game are indexed.

use std::sync::{Arc, OnceLock};

use netrep_ir::*;

use crate::position::hash::Called;
use crate::position::set::{Set, ThingId};
use crate::position::stack::At;
use crate::position::table::Table;
use crate::program::analysis::{Analysis, Asked};
use crate::program::layout::{Layout, Store};
use crate::program::plan::Plan;
use crate::program::walk::Phase;

/// What a game never changes.
#[derive(Debug)]
pub(crate) struct Link {
    pub program: Arc<Program>,
    /// What follows from the program alone.
    pub analysis: Arc<Analysis>,
    pub layout: Layout,
    pub table: Table,
    /// Per verb: standing triggers, those of rules first.
    pub triggers: Vec<Vec<TriggerId>>,
    /// Per verb: standing norms.
    pub norms: Vec<Vec<NormId>>,
    /// What spares things by rules and cards, and what cancels effects.
    pub spares: Vec<SpareId>,
    /// Per attribute: standing modifiers, in order of clause.
    pub modifiers: Vec<Vec<ModifierId>>,
    /// What makes things of cards be there, or not, as long as it is in force: the attributes by which they know their cards,
    /// each with the clauses that stand, in order; none if nothing does, by an effect either.
    pub standing: Vec<(AttrId, Vec<ModifierId>)>,
    /// Per attribute: whether any modifier, standing or not, may change it.
    pub modified: Vec<bool>,
    /// Per attribute: the column of derived values that it needs, if it does (it is modified or defined).
    pub kept: Vec<Option<u16>>,
    /// How many such columns there are.
    pub columns: usize,
    /// No things, in the game's width.
    pub nothing: Set,
    called: OnceLock<Called>,
}

impl Link {
    pub(crate) fn new(program: Arc<Program>, layout: Layout, table: Table) -> Link {
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
        let stands = |(_, spare): &(usize, &Spare)| !spare.delayed && here(spare.card);
        let spares = program.spares.iter().enumerate().filter(stands).map(|(i, _)| SpareId::from_index(i)).collect();
        let mut modifiers = vec![Vec::new(); program.attrs.len()];
        let mut modified = vec![false; program.attrs.len()];
        let mut order: Vec<usize> = (0..program.modifiers.len()).collect();
        order.sort_by_key(|i| program.modifiers.get(*i).map(|m| (m.clause, *i)));
        let mut standing: Vec<(AttrId, Vec<ModifierId>)> = Vec::new();
        for i in order {
            let m = &program.modifiers[i];
            if m.change.stands() {
                if here(m.card) {
                    let at = standing.iter().position(|(attr, _)| *attr == m.attr).unwrap_or_else(|| {
                        standing.push((m.attr, Vec::new()));
                        standing.len() - 1
                    });
                    standing[at].1.extend((!m.delayed).then(|| ModifierId::from_index(i)));
                }
                continue;
            }
            if here(m.card) && m.attr.index() < modified.len() {
                modified[m.attr.index()] = true;
                if !m.delayed {
                    modifiers[m.attr.index()].push(ModifierId::from_index(i));
                }
            }
        }
        let mut columns = 0;
        let mut kept = Vec::with_capacity(modified.len());
        for (i, modified) in modified.iter().enumerate() {
            let needs = *modified || layout.attr(AttrId::from_index(i)).store == Store::Derived;
            kept.push(needs.then(|| crate::position::value::short(columns)));
            columns += usize::from(needs);
        }
        let nothing = Set::empty(layout.width);
        Link {
            analysis: program.analysis(Analysis::new),
            program,
            layout,
            table,
            triggers,
            norms,
            spares,
            modifiers,
            standing,
            modified,
            kept,
            columns,
            nothing,
            called: OnceLock::new(),
        }
    }

    /// How the choices of an allowance are found.
    pub(crate) fn plan(&self, id: AllowanceId, allowance: &Allowance) -> &Plan {
        self.analysis.plan(&self.program, id, allowance)
    }

    /// As what an allowance is declared, if it is of a kind.
    #[inline]
    pub(crate) fn verb_of(&self, allowance: &Allowance) -> Option<VerbId> {
        allowance.action.map(|action| self.program.action(action).verb)
    }

    /// What an allowance and its kind require when it is declared, and when each can be asked.
    pub(crate) fn requirements<'l>(
        &'l self,
        id: AllowanceId,
        allowance: &'l Allowance,
    ) -> impl Iterator<Item = Asked<'l>> + Clone {
        self.analysis.requirements(&self.program, id, allowance)
    }

    /// Those of them that can be asked in one phase.
    pub(crate) fn requirements_in<'l>(
        &'l self,
        id: AllowanceId,
        allowance: &'l Allowance,
        phase: Phase,
    ) -> impl Iterator<Item = Asked<'l>> + Clone {
        self.analysis.requirements_in(&self.program, id, allowance, phase)
    }

    /// What of the state is hashed, under its names; worked out when it is first asked for.
    pub(crate) fn called(&self) -> &Called {
        self.called.get_or_init(|| Called::new(self))
    }

    /// The label of a clause.
    pub(crate) fn label(&self, clause: ClauseId) -> &str {
        // total: a game that was saved may cite a clause that is gone, and a bare program has none.
        self.program.clauses.get(clause.index()).map_or("?", |c| &*c.label)
    }
    /// The English of a clause.
    pub(crate) fn clause_text(&self, clause: ClauseId) -> &str {
        // total: as for its label.
        self.program.clauses.get(clause.index()).map_or("", |c| &*c.text)
    }
    /// The English of a site.
    pub(crate) fn site_text(&self, site: SiteId) -> &str {
        // total: not everything that asks has a place (`SiteId(u16::MAX)`), and one that was saved may be gone.
        self.program.sites.get(site.index()).map_or("", |s| &*s.text)
    }
    /// A block's statements.
    pub(crate) fn block(&self, block: BlockId) -> &[(Statement, SiteId)] {
        &self.program.block(block).statements
    }
    /// The clause of a block.
    pub(crate) fn block_clause(&self, block: BlockId) -> ClauseId {
        self.program.block(block).clause
    }
    /// A statement.
    pub(crate) fn statement(&self, at: At) -> Option<&(Statement, SiteId)> {
        self.block(at.block).get(usize::from(at.pc))
    }
    /// The things of a card.
    pub(crate) fn things_of(&self, card: CardId) -> &Set {
        match &self.table.cards[card.index()] {
            Some(things) => things,
            None => &self.nothing,
        }
    }
    /// The things that carry a name.
    pub(crate) fn named(&self, name: NameId) -> &Set {
        match self.table.named.get(name.index()) {
            Some(Some(things)) => things,
            // Nothing in the game is called so.
            _ => &self.nothing,
        }
    }
    /// Whether a card of the program has a name.
    pub(crate) fn on_cards(&self, name: NameId) -> bool {
        self.analysis.on_cards.get(name.index()).is_some_and(|on| *on)
    }
    /// The card of a thing.
    pub(crate) fn card_of(&self, thing: ThingId) -> Option<CardId> {
        self.table.given.get(thing.index()).and_then(|g| g.card)
    }
    /// What is printed of a card or of a part of a card.
    pub(crate) fn figures_of(&self, thing: ThingId) -> &[(AttrId, Printed)] {
        let (of, part) = match self.table.part(thing) {
            Some((host, n)) => (host, Some(n)),
            None => (thing, None),
        };
        match (self.card_of(of).map(|card| self.program.card(card)), part) {
            (Some(card), Some(n)) => &card.parts[n].figures,
            (Some(card), None) => &card.figures,
            // What is no card has nothing printed.
            (None, _) => &[],
        }
    }
}
