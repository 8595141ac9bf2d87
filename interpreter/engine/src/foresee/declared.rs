//! What a declared action would do if it resolved.
//!
//! Events are looked for along its statements, in which nothing happens: what hangs on an answer or on dice that are not
//! known yet is taken as possible; the bodies of verbs and the steps of procedures are not looked into: an action would do
//! what its own effect says. What it would change is found by trying, see [`crate::foresee::trial`].

use netrep_ir::*;
use smallvec::SmallVec;

use crate::ask::eval::{Cx, Eval};
use crate::foresee::trial::Start;
use crate::position::set::{Set, ThingId};
use crate::position::stack::Kind;
use crate::position::state::State;
use crate::position::value::{Locals, Value, bind};
use crate::program::walk;

/// Deeper blocks than this are not looked into.
const DEPTH: u8 = 32;

impl Eval<'_> {
    /// The things of `care` whose declaration waits in a chain, or is about to be made, and would do such a thing.
    pub(crate) fn would(&self, cx: &Cx, prospect: &Prospect, care: &Set) -> Set {
        let declared = self.declared(care);
        // Mostly nothing of what is asked about is declared, and what it might do is not worked out.
        if declared.is_empty() {
            return self.nothing();
        }
        match prospect {
            // What waits may itself ask what something would do, of itself too.
            Prospect::Event(_) if self.ahead => {
                let mut found = self.nothing();
                declared.iter().flat_map(|one| one.cared_for(care)).for_each(|t| found.insert(t));
                found
            }
            Prospect::Event(event) => Eval { ahead: true, ..*self }.would_bring(cx, event, &declared, care),
            Prospect::Cost(of) => self.would_cost(cx, of, &declared, care),
            Prospect::Target(of) => self.would_target(cx, of, &declared, care),
            Prospect::Effect(on) => {
                let on = on.as_ref().map(|on| self.all(cx, on));
                if on.as_ref().is_some_and(Set::is_empty) {
                    return self.nothing();
                }
                self.tried(&declared, care, &mut |this, before, after| self.differs(this, on.as_ref(), before, after))
            }
            Prospect::Change(number) => {
                let before = self.num(cx, number);
                self.tried(&declared, care, &mut |_, _, after| after.num(cx, number) != before)
            }
        }
    }

    /// Whether one of these things waits in a chain to be resolved, or a passive condition of it does.
    pub(crate) fn awaiting(&self, cx: &Cx, sel: &Sel) -> bool {
        let mut waiting = self.nothing();
        for frame in self.state.chains() {
            match &frame.kind {
                Kind::Window(w) => {
                    w.chain.iter().flat_map(|i| [i.this, i.thing]).flatten().for_each(|t| waiting.insert(t));
                }
                Kind::Following(f) => {
                    f.items.iter().flat_map(|p| [p.this, p.thing]).flatten().for_each(|t| waiting.insert(t));
                }
                _ => {}
            }
        }
        !self.sel(cx, sel, &waiting).is_empty()
    }

    /// The things that were chosen when one of these was declared, of what waits in a chain or is about to be made.
    pub(crate) fn targets_of(&self, cx: &Cx, by: &Sel) -> Set {
        let by = self.all(cx, by);
        let mut found = self.nothing();
        for one in &self.declared(&by) {
            self.cache.log.clause(one.said.clause);
            let chosen = one.said.parameters.iter().filter_map(|p| one.locals.get(usize::from(p.slot)));
            chosen.for_each(|value| found.add(value.things(self.link.layout.width).words()));
        }
        found
    }

    /// What waits in a chain and what is about to be declared, as far as it is of `care`.
    fn declared<'e>(&'e self, care: &Set) -> SmallVec<[Declared<'e>; 2]> {
        let program = &self.link.program;
        let mut found = SmallVec::new();
        let mut add = |one: Declared<'e>| {
            if one.cared_for(care).next().is_some() {
                found.push(one);
            }
        };
        for (frame, one) in self.state.chains().enumerate() {
            match &one.kind {
                // What was declared in a window.
                Kind::Window(window) => {
                    for (n, item) in window.chain.iter().enumerate() {
                        add(Declared {
                            start: Start::ChainItem { frame, n },
                            said: Said::of(program.allowance(item.allowance)),
                            this: item.this,
                            is: [item.this, item.thing],
                            locals: &item.locals,
                        });
                    }
                }
                // A passive condition is a declaration as a thing; the card that carries it is not declared.
                Kind::Following(following) => {
                    for (n, pending) in following.items.iter().enumerate() {
                        let trigger = program.trigger(pending.trigger);
                        let effect = Some(trigger.body);
                        add(Declared {
                            start: Start::Pending { frame, n },
                            said: Said { clause: trigger.clause, acts: &[], parameters: &[], effect },
                            this: pending.this,
                            is: [None, pending.thing],
                            locals: &pending.locals,
                        });
                    }
                }
                _ => {}
            }
        }
        if let Some(attempt) = self.proposed {
            add(Declared {
                start: Start::Attempt(attempt),
                said: Said::of(attempt.allowance),
                this: attempt.this,
                is: [attempt.this, None],
                locals: &attempt.locals,
            });
        }
        found
    }

    fn would_cost(&self, cx: &Cx, of: &Sel, declared: &[Declared], care: &Set) -> Set {
        let of = self.all(cx, of);
        self.of_which(declared, care, |one| {
            let own = Cx::clause(one.said.clause, one.this, one.locals).done();
            let touched = |act: &Act| act.roles.iter().flatten().any(|role| self.all(&own, role).meets(of.words()));
            one.said.acts.iter().any(|act| act.cost && touched(act))
        })
    }

    fn would_target(&self, cx: &Cx, of: &Sel, declared: &[Declared], care: &Set) -> Set {
        let of = self.all(cx, of);
        self.of_which(declared, care, |one| {
            let chosen = one.said.parameters.iter().filter_map(|p| one.locals.get(usize::from(p.slot)));
            chosen.map(|value| value.things(self.link.layout.width)).any(|things| things.meets(of.words()))
        })
    }

    /// The things of `care` of whose declaration something is so.
    fn of_which(&self, declared: &[Declared], care: &Set, mut holds: impl FnMut(&Declared) -> bool) -> Set {
        let mut found = self.nothing();
        for one in declared {
            if one.cared_for(care).all(|t| found.contains(t)) {
                continue;
            }
            self.cache.log.clause(one.said.clause);
            if holds(one) {
                one.cared_for(care).for_each(|t| found.insert(t));
            }
        }
        found
    }

    /// The things of `care` whose declaration leads, in some course, to a position in which something is so.
    fn tried(&self, declared: &[Declared], care: &Set, holds: &mut dyn FnMut(ThingId, &State, &Eval) -> bool) -> Set {
        self.of_which(declared, care, |one| {
            // total: a rule's declaration leads nowhere of which a thing can be asked
            let Some(this) = one.this.or(one.is[1]) else { return false };
            self.try_declaration(&one.start, &mut |before, after| holds(this, before, after))
        })
    }

    fn would_bring(&self, cx: &Cx, event: &Past, declared: &[Declared], care: &Set) -> Set {
        let wanted: Vec<Option<Set>> = event.roles.iter().map(|r| r.as_ref().map(|s| self.all(cx, s))).collect();
        self.of_which(declared, care, |one| {
            let mut ahead = Ahead {
                eval: self,
                verb: event.verb,
                wanted: &wanted,
                clause: one.said.clause,
                this: one.this,
                locals: one.locals.clone(),
                lets: Vec::new(),
            };
            one.said.effect.is_some_and(|block| ahead.meets(block, 0))
        })
    }
}

/// What a declaration says.
struct Said<'e> {
    clause: ClauseId,
    acts: &'e [Act],
    parameters: &'e [Parameter],
    effect: Option<BlockId>,
}

impl<'e> Said<'e> {
    fn of(allowance: &'e Allowance) -> Said<'e> {
        Said {
            clause: allowance.clause,
            acts: &allowance.acts,
            parameters: &allowance.parameters,
            effect: allowance.effect,
        }
    }
}

/// A declaration that is asked what it would do.
struct Declared<'e> {
    start: Start<'e>,
    said: Said<'e>,
    this: Option<ThingId>,
    /// What it is called: what is declared, and the declaration as a thing.
    is: [Option<ThingId>; 2],
    locals: &'e Locals,
}

impl Declared<'_> {
    /// What it is called, of what is asked about.
    fn cared_for(&self, care: &Set) -> impl Iterator<Item = ThingId> {
        self.is.into_iter().flatten().filter(|t| care.contains(*t))
    }
}

struct Ahead<'e> {
    eval: &'e Eval<'e>,
    verb: VerbId,
    wanted: &'e [Option<Set>],
    clause: ClauseId,
    this: Option<ThingId>,
    locals: Locals,
    /// The roles that it gives out itself: who plays them is not known yet.
    lets: Vec<RoleId>,
}

impl Ahead<'_> {
    fn cx(&self) -> Cx<'_> {
        Cx::clause(self.clause, self.this, &self.locals)
    }

    /// The things that what is done names; all there are, if that hangs on a role that it gives out itself.
    fn all(&self, sel: &Sel) -> Set {
        let mut open = false;
        walk::sel(sel, &mut |node| open |= self.is_open(node));
        if open { self.eval.universe(false) } else { self.eval.all(&self.cx().done(), sel) }
    }

    /// Whether a number hangs on a role that it gives out itself.
    fn hangs(&self, num: &Num) -> bool {
        let mut open = false;
        walk::num(num, &mut |node| open |= self.is_open(node));
        open
    }

    /// Whether this is a role that it gives out itself.
    fn is_open(&self, node: walk::Node) -> bool {
        matches!(node, walk::Node::Sel(Sel::Role(role)) | walk::Node::Num(Num::Role(role)) if self.lets.contains(role))
    }

    /// Whether the condition holds; `None` if it hangs on what is not known yet.
    fn holds(&self, cond: &Cond) -> Option<bool> {
        let mut open = false;
        walk::cond(cond, &mut |node| {
            open |= self.is_open(node);
            if let walk::Node::Sel(Sel::Slot(k)) | walk::Node::Num(Num::Slot(k)) | walk::Node::Ent(Ent::Slot(k)) = node
            {
                open |= matches!(self.locals.get(usize::from(*k)), None | Some(Value::None));
            }
        });
        (!open).then(|| self.eval.cond(&self.cx(), cond))
    }

    /// Whether a block does what is asked for.
    fn meets(&mut self, block: BlockId, depth: u8) -> bool {
        let link = self.eval.link;
        depth < DEPTH && link.block(block).iter().any(|(statement, _)| self.does(statement, depth + 1))
    }

    fn does(&mut self, statement: &Statement, depth: u8) -> bool {
        match statement {
            Statement::Do { verb, roles } if *verb == self.verb => {
                let pairs = self.wanted.iter().zip(roles.iter().chain(std::iter::repeat(&None)));
                pairs.into_iter().all(|(wanted, role)| match (wanted, role) {
                    (None, _) => true,
                    (Some(wanted), Some(role)) => self.all(role).meets(wanted.words()),
                    (Some(_), None) => false,
                })
            }
            Statement::LetSlot(slot, value) => {
                let value = match value {
                    Val::Things(sel) => Value::of_set(self.all(sel)),
                    Val::Num(num) if self.hangs(num) => Value::None,
                    value => self.eval.val(&self.cx().done(), value),
                };
                bind(&mut self.locals, *slot, value);
                false
            }
            Statement::LetRole(role, _) => {
                self.lets.push(*role);
                false
            }
            Statement::If(cond, then, otherwise) => match self.holds(cond) {
                Some(true) => self.meets(*then, depth),
                Some(false) => otherwise.is_some_and(|b| self.meets(b, depth)),
                None => self.meets(*then, depth) || otherwise.is_some_and(|b| self.meets(b, depth)),
            },
            Statement::ForEach { of, slot, body, .. } => {
                self.one_of(of, *slot);
                self.meets(*body, depth)
            }
            Statement::Choose { from, slot, optional, .. } => {
                self.one_of(from, *slot);
                optional
                    .is_some_and(|(then, other)| self.meets(then, depth) || other.is_some_and(|b| self.meets(b, depth)))
            }
            Statement::May { body, otherwise, .. } => {
                self.meets(*body, depth) || otherwise.is_some_and(|b| self.meets(b, depth))
            }
            Statement::ChooseOne { branches, .. } => branches.iter().any(|b| self.meets(*b, depth)),
            Statement::RepeatUntil(body, _) | Statement::RepeatTimes(_, body) => self.meets(*body, depth),
            _ => false,
        }
    }

    /// Any of them may be meant.
    fn one_of(&mut self, of: &Sel, slot: u8) {
        let set = self.all(of);
        bind(&mut self.locals, slot, Value::of_set(set));
    }
}
