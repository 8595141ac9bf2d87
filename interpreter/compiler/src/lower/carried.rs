//! Clauses that are given to things (`X has { … }`), and those that an effect lays down (`effect SPAN { … }`).
//!
//! What is given is X's own: in it `this` is X, and `as L` is another name for it. Whether a card, a rule or an effect gives
//! it makes no difference to how it is read.

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{Cond, EffectKind, Ends, Lasting as IrLasting, Sel, SiteId, Statement, Val};

use super::context::{Bound, Cx, Env, Low};
use super::kept::phrases;
use super::several::Many;
use crate::phrase::clause::{ClauseKind, Lasts, ReadClause};
use crate::phrase::tree::{Node, Sort};

/// To whom clauses are given.
#[derive(Clone, Debug)]
pub(crate) struct Carriers {
    /// Which things; in it `This` is the card that gives.
    pub things: Sel,
    /// They are cards.
    pub of_cards: bool,
}

impl Cx<'_> {
    /// A clause that holds while its card functions, or (`delayed`) as an effect; `env`: what is known then.
    pub(super) fn holding(
        &mut self,
        read: &ReadClause,
        carriers: Option<&Carriers>,
        env: &Env,
        delayed: bool,
    ) -> Low<Vec<EffectKind>> {
        let held = match &read.kind {
            ClauseKind::May { .. } => vec![EffectKind::Allowance(self.ability(read, carriers, env.clone())?)],
            ClauseKind::When { event, condition, immediately, body } => {
                let env = &mut env.clone();
                let id = self.trigger(event, condition.as_ref(), body, env, delayed, *immediately, false)?;
                vec![EffectKind::Trigger(id)]
            }
            ClauseKind::Instead { event, condition, body } => {
                let id = self.trigger(event, condition.as_ref(), body, &mut env.clone(), delayed, true, true)?;
                vec![EffectKind::Trigger(id)]
            }
            ClauseKind::Norm { polarity, by, event, condition } => {
                let id = self.norm(*polarity, event, condition.as_ref(), &mut env.clone(), delayed)?;
                if let Some(by) = by {
                    let by = self.sel(by, env)?;
                    self.out.norms.get_mut(id.index()).into_iter().for_each(|norm| norm.by = Some(by.clone()));
                }
                vec![EffectKind::Norm(id)]
            }
            ClauseKind::Modifier { condition, modifiers } => modifiers
                .iter()
                .map(|one| Ok(EffectKind::Modifier(self.modifier(one, condition.as_ref(), env, delayed)?)))
                .collect::<Low<_>>()?,
            // Whose effects spare what is nobody's own.
            ClauseKind::Spares { by, what } if carriers.is_none() => {
                vec![EffectKind::Spare(self.spare(by, Some(what), None, &mut env.clone(), delayed)?)]
            }
            ClauseKind::Canceled { by, condition } if carriers.is_none() => {
                vec![EffectKind::Spare(self.spare(by, None, condition.as_ref(), &mut env.clone(), delayed)?)]
            }
            _ => return self.misplaced(read),
        };
        self.held_by(&held, carriers, delayed);
        Ok(held)
    }

    /// Says who carries clauses that hold. What their own statements lay down is laid down by those.
    fn held_by(&mut self, held: &[EffectKind], carriers: Option<&Carriers>, delayed: bool) {
        let things = carriers.map(|carriers| carriers.things.clone());
        for what in held {
            match *what {
                EffectKind::Allowance(id) => {
                    self.out.allowances.get_mut(id.index()).into_iter().for_each(|one| one.delayed = delayed);
                }
                EffectKind::Trigger(id) => {
                    self.out.triggers.get_mut(id.index()).into_iter().for_each(|one| one.carriers.clone_from(&things));
                }
                EffectKind::Modifier(id) => {
                    self.out.modifiers.get_mut(id.index()).into_iter().for_each(|one| one.carriers.clone_from(&things));
                }
                EffectKind::Norm(id) => {
                    self.out.norms.get_mut(id.index()).into_iter().for_each(|one| one.carriers.clone_from(&things));
                }
                EffectKind::Spare(_) => {}
            }
        }
    }

    /// `NP has { … }` in a card or a rule.
    pub(super) fn carried(&mut self, np: &Node, block: &[ReadClause], read: &ReadClause) -> Low<()> {
        self.given(np, block, read, &Env::default(), false).map(|_| ())
    }

    /// Clauses that are given to things, while their card functions or (`delayed`) as an effect.
    fn given(
        &mut self,
        np: &Node,
        block: &[ReadClause],
        read: &ReadClause,
        env: &Env,
        delayed: bool,
    ) -> Low<Vec<EffectKind>> {
        // A reading may take away all that a rule gives.
        if block.is_empty() && self.out.card.is_some() {
            let help = Some("say in its block what they have");
            return self.fail(Code::NothingFollows, read.span, "nothing follows from this", help);
        }
        let of_cards = match &np.sort {
            Sort::Thing(class) => *self.base_name(class) == *self.ctx.card_class(),
            _ => false,
        };
        let carriers = Carriers { things: self.sel(np, env)?, of_cards };
        let mut inner = env.clone();
        if let (Some(label), _) = np.labelled() {
            inner.bind(label, Bound::Things(Sel::This, Many::One));
        }
        let mut held = Vec::new();
        let mut at = 0;
        while let Some(clause) = block.get(at) {
            let rest: Vec<&ReadClause> = match clause.kind {
                ClauseKind::Play { .. } => {
                    block.iter().skip(at + 1).take_while(|c| super::clause::belongs_to_play(c)).collect()
                }
                _ => Vec::new(),
            };
            held.extend(self.nested(clause, |cx| match clause.kind {
                ClauseKind::Play { .. } => {
                    let id = cx.play(clause, &rest, Some(&carriers), inner.clone())?;
                    let held = vec![EffectKind::Allowance(id)];
                    cx.held_by(&held, Some(&carriers), delayed);
                    Ok(held)
                }
                _ => cx.holding(clause, Some(&carriers), &inner, delayed),
            })?);
            at += 1 + rest.len();
        }
        Ok(held)
    }

    /// `effect SPAN { clauses }` of an action, an ability or a step: each is laid down for so long, with what is known then.
    pub(super) fn laid_down(
        &mut self,
        long: &Lasts,
        block: &[ReadClause],
        span: Span,
        env: &mut Env,
    ) -> Low<Vec<(Statement, SiteId)>> {
        if block.is_empty() {
            let help = Some("say in its block what holds for so long");
            return self.fail(Code::NothingFollows, span, "nothing follows from this", help);
        }
        let around = env.kept.len();
        let until: Vec<&Node> = match long {
            Lasts::As(_) => Vec::new(),
            Lasts::Until(node) | Lasts::While(node) => vec![node],
        };
        let kept = self.keep(&until, around, env)?;
        let (lasting, ends) = match long {
            Lasts::As(lasting) => (self.lasting(Some(lasting)), None),
            Lasts::Until(event) => {
                let mut own = env.clone();
                let pattern = self.pattern(event, &mut own)?;
                env.most = env.most.max(own.most);
                (IrLasting::Game, Some(Ends::After(pattern)))
            }
            Lasts::While(so) => (IrLasting::Game, Some(Ends::Not(self.cond(so, env)?))),
        };
        // What is given to others has a `this` of its own: what `this` was called before keeps its name.
        let mut known = env.clone();
        let mut named = Vec::new();
        for label in env.names_of(&Sel::This) {
            let slot = known.slot();
            named.push(Statement::LetSlot(slot, Val::Things(Sel::This)));
            known.bind(&label, Bound::Things(Sel::Slot(slot), Many::One));
        }
        env.most = env.most.max(known.most);
        let mut clauses = Vec::new();
        for read in block {
            let mut kept = kept.clone();
            kept.extend(self.keep(&phrases(read), around, &mut known)?);
            kept.sort_unstable();
            kept.dedup();
            env.most = env.most.max(known.most);
            clauses.push(self.nested(read, |cx| {
                let site = cx.site_of(read);
                let laid = match &read.kind {
                    ClauseKind::Carried { np, block } => cx.given(np, block, read, &known, true)?,
                    _ => cx.holding(read, None, &known, true)?,
                };
                for what in &laid {
                    cx.ended_by(*what, ends.as_ref(), env.most);
                }
                let lay = |what| (Statement::Effect { what, lasting, kept: kept.clone() }, site);
                let body = cx.block(laid.into_iter().map(lay).collect());
                Ok((Statement::If(Cond::Is(true), body, None), site))
            })?);
        }
        env.kept.truncate(around);
        // total: a block with nothing in it is refused above.
        let Some((_, site)) = clauses.first() else { return Ok(Vec::new()) };
        let site = *site;
        let lines = named.into_iter().map(|statement| (statement, site)).chain(clauses).collect();
        let body = self.block(lines);
        Ok(vec![(Statement::If(Cond::Is(true), body, None), site)])
    }

    /// Says when a clause that an effect lays down is over; it keeps room for so many slots.
    fn ended_by(&mut self, what: EffectKind, ends: Option<&Ends>, slots: u8) {
        macro_rules! say {
            ($table:ident, $id:ident) => {
                self.out.$table.get_mut($id.index()).into_iter().for_each(|one| {
                    one.ends = ends.cloned();
                    one.slots = one.slots.max(slots);
                })
            };
        }
        match what {
            EffectKind::Allowance(id) => say!(allowances, id),
            EffectKind::Trigger(id) => say!(triggers, id),
            EffectKind::Modifier(id) => say!(modifiers, id),
            EffectKind::Norm(id) => say!(norms, id),
            EffectKind::Spare(id) => say!(spares, id),
        }
    }
}
