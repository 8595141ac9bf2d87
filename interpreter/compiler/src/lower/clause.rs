//! The clauses of rules and cards.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Span};
use netrep_ir::{Guard, Invariant, Sel, Spare, SpareId};

use super::context::{Bound, Cx, Env, Low};
use super::several::Many;
use crate::finding::Finding;
use crate::phrase::clause::{ClauseKind, InBlock, ReadClause};
use crate::phrase::data::{header, may_be, sentence};
use crate::phrase::declare::FACT;
use crate::phrase::forms::Form;
use crate::phrase::outline::Outline;
use crate::phrase::tree::{Node, Op, TermKey};

/// Lowers a rule.
pub(super) fn lower_rule(cx: &mut Cx<'_>) {
    header_of(cx);
    clauses(cx);
}

/// Tells what is wrong with the header of a card, a rule or a kernel.
pub(super) fn header_of(cx: &mut Cx<'_>) {
    if let Err(finding) = header(&cx.item.tree) {
        cx.tell(finding);
    }
}

/// Lowers every effective clause of the item; a broken one is left out and reported.
pub(super) fn clauses(cx: &mut Cx<'_>) {
    let item = cx.item;
    let several = item.clauses.iter().filter(|c| matches!(c.read.kind, ClauseKind::Play { .. })).count() > 1;
    let mut i = 0;
    while let Some(c) = item.clauses.get(i) {
        cx.enter(&c.read, Some(&c.label));
        let mut used = 1;
        if matches!(c.read.kind, ClauseKind::Play { .. }) {
            // A play sentence owns the conditions, costs and effects up to the next sentence of another kind.
            let rest: Vec<&ReadClause> =
                item.clauses.iter().skip(i + 1).map_while(|c| belongs_to_play(&c.read).then_some(&*c.read)).collect();
            used += rest.len();
            match rest.first().filter(|_| several) {
                Some(first) => cx.tell(outside_play(first)),
                None => {
                    let _ = cx.play(&c.read, &rest, None, Env::default());
                }
            }
        } else {
            let _ = cx.one(&c.read);
        }
        i += used;
    }
}

/// Of several ways to play a card, each says in its own block what belongs to it.
fn outside_play(read: &ReadClause) -> Finding {
    let text = "the card is played in several ways, and this does not say to which it belongs";
    let help = Some("put it into the block of its `play`".to_owned());
    Finding { help, ..Finding::new(Code::EffectOutsidePlay, read.span, text) }
}

pub(super) fn belongs_to_play(read: &ReadClause) -> bool {
    match read.kind.in_block() {
        InBlock::Condition(_) | InBlock::Cost(_) | InBlock::Effect(_) | InBlock::Lasts(..) | InBlock::Limit(..) => true,
        InBlock::Raw(clause) => clause.head() == "despite",
        InBlock::Leaves(_)
        | InBlock::Otherwise(_)
        | InBlock::Statement(_)
        | InBlock::Steps(..)
        | InBlock::Step(..)
        | InBlock::Ends(..)
        | InBlock::Other => false,
    }
}

impl Cx<'_> {
    /// One clause.
    pub(crate) fn one(&mut self, read: &ReadClause) -> Low<()> {
        match &read.kind {
            ClauseKind::Figure { .. } => Ok(()),
            ClauseKind::Part { class, block } if self.out.card.is_some() => self.printed_part(class, block, read.span),
            ClauseKind::May { .. }
            | ClauseKind::When { .. }
            | ClauseKind::Instead { .. }
            | ClauseKind::Modifier { .. }
            | ClauseKind::Norm { .. }
            | ClauseKind::Spares { .. }
            | ClauseKind::Canceled { .. } => self.holding(read, None, &Env::default(), false).map(|_| ()),
            ClauseKind::Procedure { term, block, .. } => self.procedure(term, block, read.span),
            ClauseKind::Step { name, procedure, block } => self.step(name, procedure.as_ref(), block, read.span),
            ClauseKind::Always(c) => {
                let cond = self.cond(c, &Env::default())?;
                self.out.invariants.push(Invariant { clause: self.clause, cond });
                Ok(())
            }
            ClauseKind::Carried { np, block } => self.carried(np, block, read),
            ClauseKind::Lent { who, of, condition } => self.lent(who, of, condition.as_ref()),
            ClauseKind::In { places, block } if self.out.card.is_some() => self.placed(places, block, read),
            ClauseKind::Action { verb, parameter, block } => self.action(verb, parameter, block, read.span),
            ClauseKind::ActionNeeds { verb, condition } => self.action_needs(verb, condition, false),
            ClauseKind::ActionLeaves { verb, condition } => self.action_needs(verb, condition, true),
            ClauseKind::WhenNeeds { event, condition } if self.out.card.is_none() => {
                let mut env = Env::default();
                if let Some(span) = [event, condition].into_iter().find_map(says_this) {
                    let text = "no card is `this` here: the rule is asked of what any card carries";
                    return self.fail(
                        Code::NotSupported,
                        span,
                        text,
                        Some("name what takes part in the event: `… as C`"),
                    );
                }
                let pattern = self.pattern(event, &mut env)?;
                let cond = self.cond(condition, &env)?;
                self.out.guards.push(Guard { clause: self.clause, pattern, cond, slots: env.most });
                Ok(())
            }
            ClauseKind::Timing { name, verbs } if ["immediate", "lasting"].contains(&&**name) => {
                for v in verbs {
                    let timed = (self.out.symbols.verb(&v.name), self.clause);
                    if **name == *"lasting" { self.out.lasting.push(timed) } else { self.out.immediate.push(timed) }
                }
                Ok(())
            }
            ClauseKind::Raw { clause, .. } => self.raw(read, clause),
            ClauseKind::Timing { name, .. } if self.out.card.is_none() => {
                let text = format!("there is no timing `{name}`");
                self.fail(
                    Code::MisplacedClause,
                    read.span,
                    text,
                    Some("say `timing immediate: …` or `timing lasting: …`"),
                )
            }
            // `play` owns what follows it, and is lowered with it; the others say something in a block or in an item of
            // another kind.
            ClauseKind::Play { .. }
            | ClauseKind::Part { .. }
            | ClauseKind::WhenNeeds { .. }
            | ClauseKind::Timing { .. }
            | ClauseKind::Condition(_)
            | ClauseKind::Cost(_)
            | ClauseKind::Effect(_)
            | ClauseKind::Lasts { .. }
            | ClauseKind::In { .. }
            | ClauseKind::Leaves(_)
            | ClauseKind::Otherwise(_)
            | ClauseKind::Statement(_)
            | ClauseKind::Limit(..)
            | ClauseKind::Steps { .. }
            | ClauseKind::Ends { .. } => self.misplaced(read),
        }
    }

    /// What effects of some things leave as it is, or whose are canceled; `delayed`: only as an effect.
    pub(super) fn spare(
        &mut self,
        by: &Node,
        what: Option<&Node>,
        condition: Option<&Node>,
        env: &mut Env,
        delayed: bool,
    ) -> Low<SpareId> {
        let (label, by) = by.labelled();
        let by = self.sel(by, env)?;
        // What is spared may speak of the thing whose effect it is.
        let slot = label.map(|label| env.slot_of(label, |slot| Bound::Things(Sel::Slot(slot), Many::One)));
        let what = what.map(|what| self.sel(what, env)).transpose()?;
        let cond = condition.map(|cond| self.cond(cond, env)).transpose()?;
        let (clause, slots) = (self.clause, env.most);
        self.out.spares.push(Spare {
            clause,
            card: None,
            within: None,
            by,
            slot,
            what,
            cond,
            delayed,
            ends: None,
            slots,
        });
        Ok(SpareId::from_index(self.out.spares.len() - 1))
    }

    /// Tells that a clause stands where none of its kind can.
    pub(super) fn misplaced<T>(&mut self, read: &ReadClause) -> Low<T> {
        self.fail(Code::MisplacedClause, read.span, "this clause has no place here", None)
    }

    /// `in PLACE { … }`: clauses that function there, and nowhere else.
    fn placed(&mut self, places: &[TermKey], block: &[ReadClause], read: &ReadClause) -> Low<()> {
        if block.is_empty() {
            let help = Some("say in its block what is so there");
            return self.fail(Code::NothingFollows, read.span, "nothing follows from this", help);
        }
        let there = places.iter().map(|place| Sel::In(self.out.symbols.place(&place.name), None)).collect::<Vec<_>>();
        let within = match there.as_slice() {
            [one] => one.clone(),
            _ => Sel::Or(there),
        };
        for clause in block {
            if !matches!(
                clause.kind,
                ClauseKind::May { .. }
                    | ClauseKind::When { .. }
                    | ClauseKind::Instead { .. }
                    | ClauseKind::Modifier { .. }
                    | ClauseKind::Norm { .. }
                    | ClauseKind::Spares { .. }
                    | ClauseKind::Canceled { .. }
                    | ClauseKind::Carried { .. }
            ) {
                return self.misplaced(clause);
            }
            let out = &self.out;
            let had =
                [out.allowances.len(), out.triggers.len(), out.modifiers.len(), out.norms.len(), out.spares.len()];
            self.nested(clause, |cx| cx.one(clause))?;
            let out = &mut self.out;
            out.allowances.iter_mut().skip(had[0]).for_each(|one| one.within = Some(within.clone()));
            out.triggers.iter_mut().skip(had[1]).for_each(|one| one.within = Some(within.clone()));
            out.modifiers.iter_mut().skip(had[2]).for_each(|one| one.within = Some(within.clone()));
            out.norms.iter_mut().skip(had[3]).for_each(|one| one.within = Some(within.clone()));
            out.spares.iter_mut().skip(had[4]).for_each(|one| one.within = Some(within.clone()));
        }
        Ok(())
    }

    /// `rests on ITEM LABEL, ITEM`: the clauses without which the rule would not hold.
    fn rests(&mut self, read: &ReadClause, said: &Outline<'_>) -> Low<()> {
        for part in said.parts("parts") {
            if *part.written("item") == *self.item.key {
                let span = part.span("item").unwrap_or(read.span);
                let help = Some("name the clauses of other items");
                return self.fail(Code::BadRests, span, "no rule rests on itself", help);
            }
            let wanted = [part.written("item"), part.written("label")].join(" ").trim_end().to_owned();
            let site = self.site_at(read.span, format!("rests on {wanted}"));
            self.out.rests.push((wanted, site));
        }
        Ok(())
    }

    /// A sentence of plain data. What is wrong with one has been told where it was read.
    fn raw(&mut self, read: &ReadClause, clause: &Clause) -> Low<()> {
        if clause.head() == FACT {
            return self.fact(clause);
        }
        let meant = [Form::DataRests, Form::DataDespite, Form::DataNames];
        if !may_be(&self.item.head, clause.head(), &meant) {
            return Ok(());
        }
        let Ok(said) = sentence(&self.item.head, clause) else { return Ok(()) };
        match said.form() {
            Form::DataRests => self.rests(read, &said),
            Form::DataDespite => self.misplaced(read),
            Form::DataNames => {
                self.out.expected.extend(said.each_quoted("names").map(Arc::from));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Where a phrase says `this`.
fn says_this(node: &Node) -> Option<Span> {
    if node.op == Op::This { Some(node.span) } else { node.kids.iter().find_map(says_this) }
}
