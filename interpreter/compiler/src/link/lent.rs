//! Abilities that things have of others (`X has the abilities of Y`).
//!
//! Each ability of each card that bears one of the names is an allowance once more: the clause that says so gives it, and whoever
//! has it is `this` in it. So amendments of the ability hold for it too, and whatever asks who carries a clause knows it.

use netrep_diagnostics::Code;
use netrep_ir::{Allowance, CardId, ClauseId, Cond, Map, Mapper, Requirement, Sel};

use super::Linker;
use super::tables::Relocation;
use crate::finding::Diagnostic;
use crate::link::LinkItem;
use crate::lower::names_in;

/// That some things have the abilities of others, with the program's ids.
pub(super) struct Lent {
    clause: ClauseId,
    card: Option<CardId>,
    who: Sel,
    of: Sel,
}

impl Linker {
    /// Keeps what an item says of abilities of others until all items have their places.
    pub(super) fn lents_of(&mut self, i: &LinkItem, card: Option<CardId>, m: &mut Relocation<'_>) {
        for low in &i.lowered.lents {
            let (mut who, mut of) = (low.who.clone(), low.of.clone());
            who.map_ids(m, 0);
            of.map_ids(m, 0);
            let lent = Lent { clause: m.clause(low.clause), card, who, of };
            self.lents.push((lent, i.places.place(low.span)));
        }
    }

    /// Gives the abilities of others to those that have them too.
    pub(super) fn lend(&mut self) {
        for (lent, place) in std::mem::take(&mut self.lents) {
            let p = &self.program;
            // total: what is not lent by names is refused when it is lowered
            let named = names_in(&lent.of).unwrap_or_default();
            let mut given = Vec::new();
            for ability in p.allowances.iter().filter(|a| self.is_ability(a)) {
                let Some(card) = ability.card.and_then(|card| p.cards.get(card.index())) else { continue };
                // The id of a card is a name that only its things bear.
                let own = self.tables.names.get(card.id.as_str()).map(|id| netrep_ir::NameId(*id));
                let bears = |name: &netrep_ir::NameId| *name == card.name || Some(*name) == own;
                let Some(own) = own.filter(|_| named.iter().any(bears)) else { continue };
                let there = [lent.of.clone(), Sel::Named(own)].into_iter().chain(p.services.functioning.clone());
                let there = Cond::Some(Sel::And(there.collect()));
                let who = Sel::If(Box::new(there), Box::new(lent.who.clone()), Box::new(Sel::Empty));
                let mut copy = ability.clone();
                // What it hangs on is the clause whose ability it is, too.
                if let Some(site) = copy.parameters.first().map(|one| one.site).or_else(|| site_of(p, ability)) {
                    let met = Requirement { cond: Cond::Is(true), clause: ability.clause, site, at_resolution: false };
                    copy.requirements.push(met);
                }
                given.push(Allowance { clause: lent.clause, card: lent.card, carriers: Some(who), ..copy });
            }
            if given.is_empty() {
                let found = Diagnostic::new(Code::ChangesNothing, place, "none of these may do anything of its own");
                self.diags.push(found.help("name cards that say `… may …`"));
            }
            self.program.allowances.extend(given);
        }
    }

    /// Whether something may be done with a card that functions, by its own words.
    fn is_ability(&self, a: &Allowance) -> bool {
        let p = &self.program;
        let uses = |id: netrep_ir::ActionId| p.actions.get(id.index()).map(|action| action.verb) == p.services.ability;
        let elsewhere = a.within.is_some() || a.delayed || a.carriers.is_some();
        a.card.is_some() && !elsewhere && a.action.is_none_or(uses)
    }
}

/// A place of what an ability does.
fn site_of(p: &netrep_ir::Program, ability: &Allowance) -> Option<netrep_ir::SiteId> {
    let block = ability.cost.or(ability.effect)?;
    p.blocks.get(block.index())?.statements.first().map(|(_, site)| *site)
}
