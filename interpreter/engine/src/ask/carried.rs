//! Who carries a clause: the thing that says it, or those that it is given to.
//!
//! What is given (`X has { … }`) is X's own: `this` is X, uses are counted for X, and it holds as long as what gives it does.
//! Who carries it is asked of the position each time, of a card and a rule as of an effect.

use netrep_ir::*;
use smallvec::{SmallVec, smallvec};

use crate::ask::eval::{Cx, Eval};
use crate::position::set::{Set, ThingId};
use crate::position::stack::Effect;
use crate::position::value::Value;

impl Eval<'_> {
    /// The things that a clause is given to by a thing (by a rule: `None`), with what an effect knows.
    pub(crate) fn given_to(&self, clause: ClauseId, giver: Option<ThingId>, carriers: &Sel, known: &[Value]) -> Set {
        let cx = Cx::clause(clause, giver, known);
        self.unspared(giver, self.all(&cx, carriers))
    }

    /// The things of which a passive condition, a modifier or a prohibition is: what says it, or those that it is given to. A
    /// card has what it is given where clauses of cards function.
    pub(crate) fn carrying(
        &self,
        clause: ClauseId,
        giver: Option<ThingId>,
        carriers: Option<&Sel>,
        known: &[Value],
    ) -> SmallVec<[Option<ThingId>; 1]> {
        let Some(carriers) = carriers else { return smallvec![giver] };
        let program = &self.link.program;
        let cards = self.link.layout.class(program.services.card);
        // What lies where nothing functions is not asked for: under a veil it may be hidden.
        let mut able = self.living(Some(carriers)).minus(self.state.words(&self.link.layout, cards));
        able.add(self.functioning().words());
        let cx = Cx::clause(clause, giver, known);
        self.unspared(giver, self.sel(&cx, carriers, &able)).iter().map(Some).collect()
    }

    /// The same of a thing with which something happens: it carries what it is given wherever it lies.
    pub(crate) fn is_given(
        &self,
        clause: ClauseId,
        giver: Option<ThingId>,
        carriers: &Sel,
        known: &[Value],
        thing: ThingId,
    ) -> bool {
        let one = Set::one(thing, self.link.layout.width);
        let cx = Cx::clause(clause, giver, known);
        !self.unspared(giver, self.sel(&cx, carriers, &one)).is_empty()
    }

    /// The things that carry what an effect in force lays down.
    pub(crate) fn carrying_by(&self, effect: &Effect) -> SmallVec<[Option<ThingId>; 1]> {
        let laid = self.link.program.laid(effect.what);
        self.carrying(effect.clause, effect.this, laid.carriers, &effect.locals)
    }

    /// Who gives away a clause of theirs: the things of its card of which it functions; a rule gives by itself.
    pub(crate) fn givers(
        &self,
        card: Option<CardId>,
        within: Option<&Sel>,
        functioning: &mut Option<Set>,
    ) -> SmallVec<[Option<ThingId>; 1]> {
        match card {
            None => smallvec![None],
            Some(card) => self.carriers(card, within, functioning).iter().map(Some).collect(),
        }
    }

    /// The things to which what somebody may do is given, by what functions and by what is in force.
    pub(crate) fn given(&self, id: AllowanceId) -> Set {
        let mut given = self.nothing();
        let Some(Allowance { clause, card, within, carriers: Some(carriers), delayed, .. }) =
            self.link.program.allowances.get(id.index())
        else {
            return given;
        };
        if *delayed {
            for e in self.effects_in_force_of(|e| e.what == EffectKind::Allowance(id)) {
                given.add(self.given_to(e.clause, e.this, carriers, &e.locals).words());
            }
        } else {
            for giver in self.givers(*card, within.as_ref(), &mut None) {
                given.add(self.given_to(*clause, giver, carriers, &[]).words());
            }
        }
        given
    }

    /// Whether a standing clause is given to a thing.
    pub(crate) fn stands_given(
        &self,
        clause: ClauseId,
        card: Option<CardId>,
        within: Option<&Sel>,
        carriers: &Sel,
        thing: ThingId,
    ) -> bool {
        let givers = self.givers(card, within, &mut None);
        givers.into_iter().any(|giver| self.is_given(clause, giver, carriers, &[], thing))
    }
}
