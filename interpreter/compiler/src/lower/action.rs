//! Allowances: what a player can declare. Playing a card and using a clause are the same shape.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{
    ActionDecl, Allowance, AllowanceId, BlockId, Cond, Ent, Footprint, Parameter, Pool, Requirement, Sel, SiteId,
    Statement,
};

use super::LowAction;
use super::carried::Carriers;
use super::context::{Bound, Cx, Env, Low};
use super::groups::Count;
use super::several::Many;
use super::slots::uses_slot_from;
use crate::phrase::clause::{ClauseKind, InBlock, ReadClause, nodes};
use crate::phrase::data::sentence;
use crate::phrase::operators::{Act, Change, Logic, View};
use crate::phrase::term::Use;
use crate::phrase::tree::{Det, Node, Op, Sort, TermKey, TermKind, relation_of_choice};

/// The parts of an allowance while they are gathered.
#[derive(Default)]
struct Parts {
    /// How many slots were filled where it takes effect.
    given: u8,
    parameters: Vec<Parameter>,
    /// The labels of those that choose several.
    groups: Vec<Arc<str>>,
    requirements: Vec<Requirement>,
    during: Vec<netrep_ir::ProcId>,
    limit: Option<(u16, netrep_ir::ProcId)>,
    cost: Vec<(Statement, SiteId)>,
    effect: Vec<(Statement, SiteId)>,
    footprint: Vec<Footprint>,
    despite: Vec<(String, String, SiteId)>,
}

impl Cx<'_> {
    /// A `play` sentence with the conditions, costs and effects that follow it.
    pub(crate) fn play(
        &mut self,
        first: &ReadClause,
        rest: &[&ReadClause],
        carriers: Option<&Carriers>,
        mut env: Env,
    ) -> Low<AllowanceId> {
        let ClauseKind::Play { targets, during, conditions, choices, block } = &first.kind else {
            return self.misplaced(first);
        };
        let mut parts = Parts { given: env.next, ..Parts::default() };
        for t in targets {
            self.parameter(t, "on", &mut env, &mut parts)?;
        }
        for c in choices {
            let word = self.said_with(c, conditions)?;
            self.parameter(c, &word, &mut env, &mut parts)?;
        }
        self.during(during, &mut parts);
        for c in conditions {
            self.requirement(c, &env, &mut parts)?;
        }
        for c in block.iter().chain(rest.iter().copied()) {
            self.nested(c, |cx| cx.part(c, &mut env, &mut parts))?;
        }
        // The kind of declaration that `play` sentences are: link finds it, whatever its verb is called.
        let action = Some(self.out.symbols.action(""));
        self.allowance(action, Sel::Empty, String::new(), parts, &env, carriers)
    }

    /// The words that introduce a choice: those of the relation that it was said with.
    fn said_with(&mut self, choice: &Node, conditions: &[Node]) -> Low<String> {
        // total: what is chosen without a relation has no words of its own
        let Some((relation, span)) = relation_of_choice(choice, conditions) else { return Ok(String::new()) };
        Ok(self.term(relation, span)?.said(Use::Relates))
    }

    /// A `may` sentence; `env`: what is known where it takes effect.
    pub(crate) fn ability(&mut self, read: &ReadClause, carriers: Option<&Carriers>, mut env: Env) -> Low<AllowanceId> {
        let ClauseKind::May { by, cost, choices, conditions, during, limit, effect, block } = &read.kind else {
            return self.misplaced(read);
        };
        let mut parts = Parts { given: env.next, ..Parts::default() };
        // total: whoever controls it may, where nobody is named: link puts him there
        by.iter().try_for_each(|by| self.who(by))?;
        let by = by.as_ref().map(|b| self.sel(b, &env)).transpose()?.unwrap_or(Sel::Empty);
        for c in choices {
            self.parameter(c, "", &mut env, &mut parts)?;
        }
        let mut words = String::new();
        if let Some(cost) = cost {
            words = self.cost(cost, &mut env, &mut parts)?;
        }
        self.during(during, &mut parts);
        for c in conditions {
            self.requirement(c, &env, &mut parts)?;
        }
        if let Some((n, p)) = limit {
            self.limit(*n, p, read.span, &mut parts)?;
        }
        if let Some(e) = effect {
            self.effect(e, &mut env, &mut parts)?;
        }
        for c in block {
            self.nested(c, |cx| cx.part(c, &mut env, &mut parts))?;
        }
        if parts.cost.is_empty() && parts.limit.is_none() && (self.out.card.is_some() || carriers.is_some()) {
            return self.fail(
                Code::FreeAbility,
                read.span,
                "this costs nothing, and nothing says how often it may be done",
                Some("name its cost between `may` and the colon, or say how often: `once per PROCEDURE`"),
            );
        }
        // Else the cost itself may be what is done.
        if parts.effect.is_empty() && parts.cost.is_empty() {
            return self.fail(
                Code::NothingFollows,
                read.span,
                "nothing follows from this",
                Some("say what it does: `effect …`"),
            );
        }
        if words.is_empty() {
            words = self.first_verb(effect.as_ref(), block)?;
        }
        // What a card lets its player do, by its own text or by a rule about such cards, is a kind of declaration of its
        // own, if a rule wraps it.
        let carried = match carriers {
            Some(carriers) => self.out.card.is_none() || carriers.of_cards,
            None => self.out.card.is_some(),
        };
        let action = carried.then(|| self.out.symbols.action(super::ABILITY));
        self.allowance(action, by, words, parts, &env, carriers)
    }

    /// The plain form of the first verb that an ability without a cost does: so its option is called.
    fn first_verb(&mut self, effect: Option<&Node>, block: &[ReadClause]) -> Low<String> {
        let in_block = block.iter().filter_map(|clause| match clause.kind.in_block() {
            InBlock::Effect(effect) => Some(effect),
            _ => None,
        });
        for statement in effect.into_iter().chain(in_block).flat_map(Node::statements) {
            if let View::Act(Act::Do { verb, .. }) = statement.view() {
                return Ok(self.term(verb, statement.span)?.said(Use::Base));
            }
        }
        Ok(String::new())
    }

    /// A clause inside an allowance.
    fn part(&mut self, read: &ReadClause, env: &mut Env, parts: &mut Parts) -> Low<()> {
        match read.kind.in_block() {
            InBlock::Condition(c) => self.requirement(c, env, parts),
            InBlock::Cost(c) => self.cost(c, env, parts).map(|_| ()),
            InBlock::Effect(e) => self.effect(e, env, parts),
            InBlock::Lasts(long, block) => {
                for read in block {
                    self.footprint_of(read, &mut parts.footprint);
                }
                let lines = self.laid_down(long, block, read.span, env)?;
                parts.effect.extend(lines);
                Ok(())
            }
            InBlock::Limit(times, procedure) => self.limit(times, procedure, read.span, parts),
            InBlock::Raw(clause) if clause.head() == "despite" => {
                // What does not name a clause has been told where it was read.
                let Ok(said) = sentence(&self.item.head, clause) else { return Err(super::context::Reported) };
                let (item, label) = (said.written("item"), said.written("label"));
                let site = self.site_at(read.span, format!("despite {item} {label}"));
                parts.despite.push((item, label, site));
                Ok(())
            }
            InBlock::Leaves(_)
            | InBlock::Otherwise(_)
            | InBlock::Statement(_)
            | InBlock::Steps(..)
            | InBlock::Step(..)
            | InBlock::Ends(..)
            | InBlock::Raw(..)
            | InBlock::Other => {
                self.fail(Code::MisplacedClause, read.span, "this clause has no place in an allowance", None)
            }
        }
    }

    fn limit(&mut self, times: i64, procedure: &TermKey, span: Span, parts: &mut Parts) -> Low<()> {
        if times < 1 {
            let help = Some("say how often, at least once, or take it away");
            return self.fail(Code::NeverHolds, span, "what may be done so often is never done", help);
        }
        parts.limit = Some((self.fitting(times, span)?, self.out.symbols.proc(&procedure.name)));
        Ok(())
    }

    fn during(&mut self, during: &[TermKey], parts: &mut Parts) {
        for p in during {
            let p = self.out.symbols.proc(&p.name);
            parts.during.push(p);
        }
    }

    fn requirement(&mut self, cond: &Node, env: &Env, parts: &mut Parts) -> Low<()> {
        // Conjuncts are kept apart, so that a refusal names the one that failed.
        if let View::Logic(Logic::And { each }) = cond.view() {
            return each.iter().try_for_each(|k| self.requirement(k, env, parts));
        }
        let site = self.site(cond);
        let cond = self.cond(cond, env)?;
        parts.requirements.push(Requirement { cond, clause: self.clause, site, at_resolution: false });
        Ok(())
    }

    /// A choice made at declaration.
    fn parameter(&mut self, node: &Node, word: &str, env: &mut Env, parts: &mut Parts) -> Low<()> {
        let (label, np) = node.labelled();
        // total: what has no label is spoken of by none.
        let label = label.map_or("", |label| label);
        let site = self.site(np);
        let several = Count::of(np).map(|count| self.several_at_declaration(node, np, count)).transpose()?;
        if several.is_none() {
            self.chosen_before(np, &parts.groups)?;
        }
        let (slot, from) = if let Sort::Entry(list) = &node.sort {
            let list = self.out.symbols.list(list);
            (env.slot_of(label, |s| Bound::Entry(Ent::Slot(s))), Pool::Entries(list, Cond::Is(true)))
        } else {
            let from = match self.sel(np, env)? {
                Sel::And(v) => v,
                one => vec![one],
            };
            let many = if several.is_some() { Many::Several } else { Many::One };
            (env.slot_of(label, |s| Bound::Things(Sel::Slot(s), many)), Pool::Things(from))
        };
        if several.is_some() {
            parts.groups.push(Arc::from(label));
        }
        parts.parameters.push(Parameter { slot, from, site, word: word.to_owned(), several });
        Ok(())
    }

    /// Statements of a cost. `a THING`, or so many, in it is chosen at declaration. Answers the first verb's plain form.
    fn cost(&mut self, node: &Node, env: &mut Env, parts: &mut Parts) -> Low<String> {
        let mut words = String::new();
        for s in node.statements() {
            let mut s = s.clone();
            if let Op::Do(verb) = &s.op {
                if words.is_empty() {
                    words = self.term(verb, s.span)?.said(Use::Base);
                }
                for (i, k) in s.kids.iter_mut().enumerate() {
                    if k.det() == Some(Det::A) || Count::of(k).is_some() {
                        let (label, np) = k.labelled();
                        let label = label.cloned().unwrap_or_else(|| {
                            // A label that no author can write.
                            Arc::from(format!(" cost {} {i}", parts.parameters.len()))
                        });
                        let (sort, span) = (k.sort.clone(), k.span);
                        let named =
                            Node { op: Op::As(label.clone()), sort: sort.clone(), kids: vec![np.clone()], span };
                        self.parameter(&named, "", env, parts)?;
                        *k = Node { op: Op::Label(label), sort, kids: Vec::new(), span };
                    }
                }
            }
            self.lines(&s, env, &mut parts.cost)?;
        }
        Ok(words)
    }

    fn effect(&mut self, node: &Node, env: &mut Env, parts: &mut Parts) -> Low<()> {
        self.footprint(node, &mut parts.footprint);
        // A labelled effect is a block of its own clause.
        let mut lines = Vec::new();
        self.lines(node, env, &mut lines)?;
        let site = self.site(node);
        let body = self.block(lines);
        parts.effect.push((Statement::If(Cond::Is(true), body, None), site));
        Ok(())
    }

    /// What kinds of effect a clause has that an effect lays down. What somebody may do later is another action.
    fn footprint_of(&mut self, read: &ReadClause, out: &mut Vec<Footprint>) {
        match &read.kind {
            ClauseKind::May { .. } | ClauseKind::Play { .. } => {}
            ClauseKind::Carried { block, .. } => block.iter().for_each(|inner| self.footprint_of(inner, out)),
            kind => nodes(kind).into_iter().for_each(|node| self.footprint(node, out)),
        }
    }

    /// What kinds of effect a phrase has.
    fn footprint(&mut self, node: &Node, out: &mut Vec<Footprint>) {
        let mut push = |f: Footprint| {
            if !out.contains(&f) {
                out.push(f);
            }
        };
        match node.view() {
            View::Act(act) => match act {
                Act::Do { verb, roles } => {
                    let object = roles
                        .iter()
                        .find(|k| matches!(k.sort, Sort::Thing(_) | Sort::AnyThing) && k.present().is_some());
                    let class = object.map(|o| self.class_of(o));
                    push(Footprint::Does(self.out.symbols.verb(&verb.name), class));
                }
                Act::Set { fact, thing, .. } => {
                    let class = self.class_of(thing);
                    push(Footprint::Modifies(class, Some(self.out.symbols.attr(&fact.name))));
                }
                // What they do is done by the statements within them, or it is no effect that a window asks for.
                Act::Sequence { .. }
                | Act::If { .. }
                | Act::ForEach { .. }
                | Act::RepeatUntil { .. }
                | Act::RepeatTimes { .. }
                | Act::Choose { .. }
                | Act::MayChoose { .. }
                | Act::May { .. }
                | Act::ChooseOne { .. }
                | Act::Roll { .. }
                | Act::Put { .. }
                | Act::Remove { .. }
                | Act::LetLabel { .. }
                | Act::LetRole { .. }
                | Act::Perform { .. }
                | Act::End { .. }
                | Act::Stop {}
                | Act::Extend { .. }
                | Act::CancelEffects { .. }
                | Act::Window { .. }
                | Act::ActionEffect {}
                | Act::Norm { .. }
                | Act::When { .. } => {}
            },
            View::Change(change) => match change {
                Change::Gets { fact, who: thing, .. } | Change::Becomes { fact, thing, .. } => {
                    let class = self.class_of(thing);
                    push(Footprint::Modifies(class, Some(self.out.symbols.attr(&fact.name))));
                }
                Change::Gains { who, .. }
                | Change::Loses { who, .. }
                | Change::Turns { who, .. }
                | Change::Acquires { who, .. }
                | Change::Sheds { who, .. } => {
                    let class = self.class_of(who);
                    push(Footprint::Modifies(class, None));
                }
                // The modifier within `while` has its own.
                Change::While { .. } => {}
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
        for k in &node.kids {
            self.footprint(k, out);
        }
    }

    fn allowance(
        &mut self,
        action: Option<netrep_ir::ActionId>,
        by: Sel,
        words: String,
        mut parts: Parts,
        env: &Env,
        carriers: Option<&Carriers>,
    ) -> Low<AllowanceId> {
        // Several are chosen when it is known what is declared with all its single choices.
        parts.parameters.sort_by_key(|parameter| parameter.several.is_some());
        let cost = (!parts.cost.is_empty()).then(|| self.block(parts.cost));
        let effect = (!parts.effect.is_empty()).then(|| self.block(parts.effect));
        // total: it saturates as the numbers of slots do
        let known = u8::try_from(parts.parameters.len()).unwrap_or(u8::MAX).saturating_add(parts.given);
        let mut acts = Vec::new();
        for (block, is_cost) in [(cost, true), (effect, false)] {
            if let Some(b) = block {
                self.acts(b, is_cost, known, 0, &mut acts);
            }
        }
        let mut footprint = parts.footprint;
        footprint.sort();
        let index = self.out.allowances.len();
        for (item, label, site) in parts.despite {
            self.out.despite.push((index, item, label, site));
        }
        self.out.allowances.push(Allowance {
            clause: self.clause,
            card: None,
            within: None,
            carriers: carriers.map(|carriers| carriers.things.clone()),
            ends: None,
            action,
            by,
            words,
            parameters: parts.parameters,
            requirements: parts.requirements,
            during: parts.during,
            limit: parts.limit,
            cost,
            effect,
            acts,
            footprint,
            despite: Vec::new(),
            delayed: false,
            slots: env.most,
        });
        Ok(AllowanceId::from_index(index))
    }

    /// The verbs that a block performs whatever happens, with roles that are known at declaration.
    fn acts(&self, block: BlockId, cost: bool, known: u8, depth: u8, out: &mut Vec<netrep_ir::Act>) {
        let Some(b) = self.out.blocks.get(block.index()) else { return };
        for (s, site) in &b.statements {
            match s {
                Statement::Do { verb, roles } if roles.iter().flatten().all(|r| !uses_slot_from(r, known)) => {
                    out.push(netrep_ir::Act { verb: *verb, roles: roles.clone(), cost, site: *site });
                }
                Statement::If(Cond::Is(true), inner, _) if depth < 8 => self.acts(*inner, cost, known, depth + 1, out),
                // Whatever it does hangs on a condition, a choice or a thing that is not known yet, or it is no verb.
                Statement::Do { .. }
                | Statement::If(..)
                | Statement::ForEach { .. }
                | Statement::RepeatUntil(..)
                | Statement::RepeatTimes(..)
                | Statement::Choose { .. }
                | Statement::May { .. }
                | Statement::ChooseOne { .. }
                | Statement::Set { .. }
                | Statement::Put { .. }
                | Statement::Create { .. }
                | Statement::Remove(_)
                | Statement::LetSlot(..)
                | Statement::LetRole(..)
                | Statement::Roll { .. }
                | Statement::Shuffle { .. }
                | Statement::Perform { .. }
                | Statement::End(_)
                | Statement::Stop
                | Statement::Window { .. }
                | Statement::Effect { .. }
                | Statement::Extend { .. }
                | Statement::CancelEffects(_)
                | Statement::ActionEffect => {}
            }
        }
    }

    /// `action VERB for (CLASS X) { … }`.
    pub(crate) fn action(
        &mut self,
        verb: &TermKey,
        parameter: &(Arc<str>, Arc<str>),
        block: &[ReadClause],
        span: Span,
    ) -> Low<()> {
        let clause = self.clause;
        let mut env = Env::default();
        env.bind(&parameter.0, Bound::Things(Sel::This, Many::One));
        let key = TermKey { kind: TermKind::Class, name: parameter.1.clone() };
        let span = block.first().map_or(span, |c| c.span);
        let class = self.class(&key, span)?;
        let (mut from, mut declare, mut resolve, mut negate) = (class, None, None, None);
        for c in block {
            self.nested(c, |cx| {
                match c.kind.in_block() {
                    InBlock::Condition(n) => {
                        let set = cx.set_where(n, &parameter.0, &Env::default())?;
                        from = super::select::and(vec![from.clone(), set]);
                    }
                    InBlock::Cost(n) => declare = Some(cx.block_of(n, &mut env)?),
                    InBlock::Effect(n) => resolve = Some(cx.block_of(n, &mut env)?),
                    InBlock::Otherwise(n) => negate = Some(cx.block_of(n, &mut env)?),
                    InBlock::Leaves(_)
                    | InBlock::Statement(_)
                    | InBlock::Limit(..)
                    | InBlock::Lasts(..)
                    | InBlock::Steps(..)
                    | InBlock::Step(..)
                    | InBlock::Ends(..)
                    | InBlock::Raw(..)
                    | InBlock::Other => {
                        return cx.fail(Code::MisplacedClause, c.span, "this clause has no place in an action", None);
                    }
                }
                Ok(())
            })?;
        }
        let Some(resolve) = resolve else {
            return self.fail(
                Code::ActionWithoutEffect,
                span,
                "an action says what happens when it resolves",
                Some("add `effect … perform effect … .`"),
            );
        };
        self.out.actions.push(LowAction {
            name: verb.name.clone(),
            decl: Some(ActionDecl {
                verb: self.out.symbols.verb(&verb.name),
                from,
                by: Sel::Empty,
                clause,
                declare,
                resolve,
                negate,
                requirements: Vec::new(),
                lasting: None,
                slots: env.most,
            }),
            requirements: Vec::new(),
        });
        Ok(())
    }

    /// `action VERB needs COND.`; `action VERB leaves COND.`, which is asked when a declaration resolves.
    pub(crate) fn action_needs(&mut self, verb: &TermKey, condition: &Node, at_resolution: bool) -> Low<()> {
        let mut env = Env::default();
        // By convention the first target of a declaration is in its first slot.
        env.bind("target", Bound::Things(Sel::Slot(0), Many::One));
        let mut parts = Parts::default();
        self.requirement(condition, &env, &mut parts)?;
        parts.requirements.iter_mut().for_each(|r| r.at_resolution = at_resolution);
        self.out.actions.push(LowAction { name: verb.name.clone(), decl: None, requirements: parts.requirements });
        Ok(())
    }
}
