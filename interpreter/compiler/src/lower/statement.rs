//! Statements to blocks.

use netrep_diagnostics::Code;
use netrep_ir::{
    Act, Admit, BlockId, ClassId, EffectKind, Ent, Footprint, Lasting as IrLasting, Num, Sel, SiteId, Statement, Val,
};

use super::condition::det;
use super::context::{Bound, Cx, Env, Low};
use super::select::is_single;
use crate::phrase::term::Detail;
use crate::phrase::tree::{Det, Lasting, Node, Op, Sort, TermKey};

type Lines = Vec<(Statement, SiteId)>;

impl Cx<'_> {
    /// A statement or sequence as a block of its own.
    pub fn block_of(&mut self, node: &Node, env: &mut Env) -> Low<BlockId> {
        let mut lines = Vec::new();
        self.lines(node, env, &mut lines)?;
        Ok(self.block(lines))
    }

    /// Appends a statement or sequence.
    pub fn lines(&mut self, node: &Node, env: &mut Env, out: &mut Lines) -> Low<()> {
        if node.op == Op::Sequence {
            for (i, k) in node.kids.iter().enumerate() {
                self.line(k, node.kids.get(i + 1..).unwrap_or(&[]), env, out)?;
            }
            return Ok(());
        }
        self.line(node, &[], env, out)
    }

    fn line(&mut self, node: &Node, after: &[Node], env: &mut Env, out: &mut Lines) -> Low<()> {
        let site = self.site(node);
        let kids = node.kids.as_slice();
        let statement = match (&node.op, kids) {
            (Op::Do(_), _) if kids.iter().any(is_place) => self.shuffle(kids, env)?,
            (Op::Do(verb), _) => {
                let act = self.act(verb, kids, env, site)?;
                Statement::Do { verb: act.verb, roles: act.roles }
            }
            (Op::If, [c, then, more @ ..]) => {
                let c = self.cond(c, env)?;
                let then = self.block_of(then, env)?;
                let otherwise = more.first().map(|o| self.block_of(o, env)).transpose()?;
                Statement::If(c, then, otherwise)
            }
            (Op::ForEach(label), [np, body, more @ ..]) => {
                let of = self.sel(np, env)?;
                let chooser = more.first().map(|c| self.sel(c, env)).transpose()?;
                let slot = env.slot_of(label, |s| Bound::Things(Sel::Slot(s), true));
                let body = self.block_of(body, env)?;
                Statement::ForEach { of, slot, body, chooser }
            }
            (Op::RepeatUntil, [body, c]) => {
                let body = self.block_of(body, env)?;
                Statement::RepeatUntil(body, self.cond(c, env)?)
            }
            (Op::RepeatTimes, [n, body]) => {
                let n = self.num(n, env)?;
                Statement::RepeatTimes(n, self.block_of(body, env)?)
            }
            (Op::Choose(_) | Op::MayChoose(_), [_, np, ..]) if matches!(det(np), Some(Det::Exactly(n) | Det::AtLeast(n) | Det::UpTo(n)) if n != 1) =>
            {
                return self.fail(Code::NotSupported, np.span, "a choice is of one thing", Some("repeat the choice"));
            }
            (Op::Choose(label), [by, np]) => {
                let by = if by.op == Op::Chance { None } else { Some(self.sel(by, env)?) };
                let from = self.sel(np, env)?;
                let slot = env.slot_of(label, |s| Bound::Things(Sel::Slot(s), true));
                let then = self.leads_to(after, label, env)?;
                Statement::Choose { by, from, slot, optional: None, then }
            }
            (Op::MayChoose(label), [by, np, body, more @ ..]) => {
                let (by, from) = (self.sel(by, env)?, self.sel(np, env)?);
                let slot = env.slot_of(label, |s| Bound::Things(Sel::Slot(s), true));
                let then = self.leads_to(std::slice::from_ref(body), label, env)?;
                let body = self.block_of(body, env)?;
                let otherwise = more.first().map(|o| self.block_of(o, env)).transpose()?;
                Statement::Choose { by: Some(by), from, slot, optional: Some((body, otherwise)), then }
            }
            (Op::May, [by, body, more @ ..]) => {
                let by = self.sel(by, env)?;
                let body = self.block_of(body, env)?;
                let otherwise = more.first().map(|o| self.block_of(o, env)).transpose()?;
                Statement::May { by, body, otherwise }
            }
            (Op::ChooseOne, [by, branches @ ..]) => {
                let by = self.sel(by, env)?;
                Statement::ChooseOne {
                    by,
                    branches: branches.iter().map(|b| self.block_of(b, env)).collect::<Low<_>>()?,
                }
            }
            (Op::Roll(label), [by, count, subject]) => {
                let by = self.sel(by, env)?;
                let Num::Int(dice) = self.num(count, env)? else {
                    return self.fail(Code::WrongSort, count.span, "the number of dice is a fixed number", None);
                };
                let Ok(dice) = u8::try_from(dice) else {
                    return self.fail(Code::NumberTooLarge, count.span, "so many dice cannot be rolled", None);
                };
                let subject = if subject.op == Op::Absent { None } else { Some(self.sel(subject, env)?) };
                let slot = env.slot_of(label, |s| Bound::Number(Num::Slot(s)));
                Statement::Roll { by, dice, slot, subject }
            }
            (Op::Set(attr), [np, value]) => {
                let info = self.attribute(attr, node.span)?;
                if info.derived.is_some() {
                    return self.fail(
                        Code::SetDerived,
                        node.span,
                        format!("`{}` is derived and cannot be set", attr.name),
                        Some("set what it is derived from, or modify it (`gets`)"),
                    );
                }
                Statement::Set { attr: info.id, of: self.sel(np, env)?, value: self.val(value, env)? }
            }
            (Op::Put(bottom), [np, place]) => {
                let what = self.sel(np, env)?;
                let Op::Place(p) = &place.op else {
                    return self.fail(Code::WrongSort, place.span, "a place is meant here", None);
                };
                let of = place.kids.first().map(|k| self.sel(k, env)).transpose()?;
                Statement::Put { what, place: self.out.symbols.place(&p.name), of, bottom: *bottom }
            }
            (Op::Create(class, label, attrs), values) => {
                let class = self.base_class(&class.name);
                let mut set = Vec::new();
                for (a, v) in attrs.iter().zip(values) {
                    let info = self.attribute(a, v.span)?;
                    set.push((info.id, self.val(v, env)?));
                }
                let slot = env.slot_of(label, |s| Bound::Things(Sel::Slot(s), true));
                Statement::Create { class, slot, values: set }
            }
            (Op::Remove, [np]) => Statement::Remove(self.sel(np, env)?),
            (Op::LetLabel(label), [value]) => {
                let v = self.val(value, env)?;
                let single = is_single(value, env);
                let slot = match &v {
                    Val::Num(_) => env.slot_of(label, |s| Bound::Number(Num::Slot(s))),
                    Val::Entry(_) => env.slot_of(label, |s| Bound::Entry(Ent::Slot(s))),
                    _ => env.slot_of(label, |s| Bound::Things(Sel::Slot(s), single)),
                };
                Statement::LetSlot(slot, v)
            }
            (Op::LetRole(role), [value]) => {
                Statement::LetRole(self.out.symbols.role(&role.name), self.val(value, env)?)
            }
            (Op::Perform(_), args) if args.iter().any(|a| matches!(det(a), Some(Det::A | Det::Another))) => {
                return self.fail(
                    Code::ChoiceWithoutChooser,
                    node.span,
                    "this leaves open which one is meant and who chooses",
                    Some("say `PLAYER chooses … as X` first"),
                );
            }
            (Op::Perform(p), args) => {
                let arguments = args.iter().map(|a| self.val(a, env)).collect::<Low<_>>()?;
                Statement::Perform { proc: self.out.symbols.proc(&p.name), arguments }
            }
            (Op::End(p), _) => Statement::End(self.out.symbols.proc(&p.name)),
            (Op::Stop, _) => Statement::Stop,
            (Op::Extend, [of, to]) => Statement::Extend { of: self.sel(of, env)?, to: self.sel(to, env)? },
            (Op::ActionEffect, _) => Statement::ActionEffect,
            (Op::Window(response), admits) => {
                let admits = admits.iter().map(|a| self.admit(a, env)).collect::<Low<_>>()?;
                Statement::Window { admits, response: *response }
            }
            (
                Op::Gets(_, lasting)
                | Op::Gains(_, lasting)
                | Op::Loses(_, lasting)
                | Op::Becomes(_, lasting)
                | Op::CountsAs(lasting),
                _,
            ) => {
                let lasting = self.lasting(lasting.as_ref());
                let modifier = self.modifier(node, None, env, true)?;
                Statement::Effect { what: EffectKind::Modifier(modifier), lasting }
            }
            (Op::When(lasting, immediately), [event, c, body]) => {
                let lasting = self.lasting(lasting.as_ref());
                let c = if c.op == Op::Absent { None } else { Some(c) };
                let trigger = self.trigger(event, c, body, env, true, *immediately, false)?;
                Statement::Effect { what: EffectKind::Trigger(trigger), lasting }
            }
            _ => return self.fail(Code::WrongSort, node.span, "a statement is meant here", None),
        };
        out.push((statement, site));
        Ok(())
    }

    /// A verb that is done to a place: it shuffles it.
    fn shuffle(&mut self, kids: &[Node], env: &Env) -> Low<Statement> {
        let mut found = None;
        for k in kids.iter().filter(|k| k.op != Op::Absent) {
            let Op::Place(p) = &k.op else {
                self.sel(k, env)?;
                continue;
            };
            let Detail::Place { of_player, .. } = self.term(p, k.span)?.detail else {
                return self.fail(Code::WrongSort, k.span, "a place is meant here", None);
            };
            if of_player && k.kids.is_empty() {
                let text = format!("each player has a {}: this leaves open whose is meant", p.name);
                return self.fail(Code::WrongSort, k.span, text, Some("add `of PLAYER`"));
            }
            let of = k.kids.first().map(|o| self.sel(o, env)).transpose()?;
            found = Some(Statement::Shuffle { place: self.out.symbols.place(&p.name), of });
        }
        let span = kids.first().map(|k| k.span).unwrap_or_default();
        found.map_or_else(|| self.fail(Code::WrongSort, span, "a place is meant here", None), Ok)
    }

    fn lasting(&mut self, lasting: Option<&Lasting>) -> IrLasting {
        match lasting {
            Some(Lasting::Procedure(p)) => IrLasting::Procedure(self.out.symbols.proc(&p.name)),
            Some(Lasting::Game) | None => IrLasting::Open,
        }
    }

    /// A verb with its roles.
    pub fn act(&mut self, verb: &TermKey, kids: &[Node], env: &Env, site: SiteId) -> Low<Act> {
        let mut roles = Vec::new();
        for k in kids {
            if k.op == Op::Absent {
                roles.push(None);
                continue;
            }
            if matches!(det(k), Some(Det::A | Det::Another)) && !matches!(k.op, Op::As(_)) {
                return self.fail(
                    Code::ChoiceWithoutChooser,
                    k.span,
                    "this leaves open which one is meant and who chooses",
                    Some("say `PLAYER chooses … as X` first, or `each`"),
                );
            }
            roles.push(Some(self.sel(k, env)?));
        }
        Ok(Act { verb: self.out.symbols.verb(&verb.name), roles, cost: false, site })
    }

    /// The verbs that a choice leads to at once: those of the next statements that use its label.
    fn leads_to(&mut self, after: &[Node], label: &str, env: &Env) -> Low<Vec<Act>> {
        let mut acts = Vec::new();
        for node in after {
            let inner: &[Node] = if node.op == Op::Sequence { &node.kids } else { std::slice::from_ref(node) };
            for n in inner {
                if let Op::Do(verb) = &n.op
                    && !n.kids.iter().any(is_place)
                    && n.kids.iter().any(|k| super::select::mentions(k, label))
                {
                    let site = self.site(n);
                    // Roles bound in between are not known yet: such an act is no look-ahead.
                    if n.kids.iter().all(|k| labels_bound(k, env)) {
                        acts.push(self.act(verb, &n.kids, env, site)?);
                    }
                }
            }
        }
        Ok(acts)
    }

    /// A value to store or bind.
    pub fn val(&mut self, node: &Node, env: &Env) -> Low<Val> {
        Ok(match node.sort {
            _ if node.op == Op::Nothing => Val::Things(netrep_ir::Sel::Empty),
            _ if matches!(node.op, Op::Truth(_)) => Val::Flag(node.op == Op::Truth(true)),
            Sort::Number => Val::Num(self.num(node, env)?),
            Sort::Entry(_) => Val::Entry(self.ent(node, env)?),
            _ => Val::Things(self.sel(node, env)?),
        })
    }

    fn admit(&mut self, node: &Node, env: &Env) -> Low<Admit> {
        let [by, whilst, kinds @ ..] = node.kids.as_slice() else {
            return self.fail(Code::WrongSort, node.span, "a window is for a player", None);
        };
        let by = self.sel(by, env)?;
        let whilst = if whilst.op == Op::Absent { None } else { Some(self.cond(whilst, env)?) };
        let mut footprints = Vec::new();
        for k in kinds {
            footprints.push(match (&k.op, k.kids.first()) {
                (Op::Modifies(fact), Some(np)) => {
                    let fact = fact.as_ref().map(|key| self.out.symbols.attr(&key.name));
                    Footprint::Modifies(self.class_of(np), fact)
                }
                (Op::Event(verb), _) => {
                    let object = k.kids.iter().find(|r| r.op != Op::Absent);
                    let class = object.map(|o| self.class_of(o));
                    Footprint::Does(self.out.symbols.verb(&verb.name), class)
                }
                _ => return self.fail(Code::WrongSort, k.span, "a window admits verbs or `modify`", None),
            });
        }
        Ok(Admit { by, whilst, footprints })
    }

    /// The base class of a noun phrase's things.
    pub fn class_of(&mut self, np: &Node) -> ClassId {
        match &np.sort {
            Sort::Thing(c) => self.base_class(c),
            _ => ClassId(u16::MAX),
        }
    }
}

fn is_place(node: &Node) -> bool {
    matches!(node.op, Op::Place(_))
}

fn labels_bound(node: &Node, env: &Env) -> bool {
    match &node.op {
        Op::Label(l) => env.get(l).is_some(),
        _ => node.kids.iter().all(|k| labels_bound(k, env)),
    }
}
