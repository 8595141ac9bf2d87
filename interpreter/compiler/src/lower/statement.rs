//! Statements to blocks.

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{
    Act, Admit, BlockId, ClassId, EffectKind, Ent, Footprint, Lasting as IrLasting, Num, Order, PlaceId, Sel, SiteId,
    Statement, Val, ValueKind,
};

use super::context::{ANY_CLASS, AttrInfo, Bound, Cx, Env, Low};
use super::groups::Count;
use super::several::{Many, Meant};
use super::stored::read_as_stored;
use crate::determiners::quantified;
use crate::phrase::operators::{Act as ActView, Change, Event, Literal, Part, Thing, View};
use crate::phrase::term::{Detail, Origin, TypeName};
use crate::phrase::tree::{Det, Lasting, Node, Op, Sort, TermKey};

/// Statements of a block, each with its place.
pub(super) type Lines = Vec<(Statement, SiteId)>;

impl Cx<'_> {
    /// A statement or sequence as a block of its own.
    pub(crate) fn block_of(&mut self, node: &Node, env: &mut Env) -> Low<BlockId> {
        let mut lines = Vec::new();
        self.lines(node, env, &mut lines)?;
        Ok(self.block(lines))
    }

    /// The body of a repetition.
    fn repeated(&mut self, body: &Node, env: &mut Env) -> Low<BlockId> {
        env.repetitions += 1;
        let block = self.block_of(body, env);
        env.repetitions -= 1;
        block
    }

    /// Appends a statement or sequence.
    pub(crate) fn lines(&mut self, node: &Node, env: &mut Env, out: &mut Lines) -> Low<()> {
        let mut statements = node.statements();
        while let Some((first, after)) = statements.split_first() {
            self.line(first, after, env, out)?;
            statements = after;
        }
        Ok(())
    }

    fn line(&mut self, node: &Node, after: &[Node], env: &mut Env, out: &mut Lines) -> Low<()> {
        let site = self.site(node);
        if let View::Act(ActView::Choose { label, who, what }) = node.view()
            && let Some(count) = Count::of(what)
        {
            out.extend(self.choose_several((who, what, label), count, after, env, site)?);
            return Ok(());
        }
        if let View::Act(ActView::LetLabel { label, value }) = node.view()
            && matches!(value.op, Op::New(..))
        {
            out.push((self.made(value, label, env)?, site));
            return Ok(());
        }
        let about = self.made_for(node, env, out)?;
        // total: what nothing is made for is as it is said
        let node = about.as_ref().unwrap_or(node);
        let statement = match node.view() {
            View::Act(act) => self.own_line(act, node, after, env, site)?,
            View::Change(change) => self.change(change, node, env)?,
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
            | View::Malformed => return self.no_statement(node),
        };
        out.push((statement, site));
        Ok(())
    }

    /// The order of a for-each.
    fn order(&mut self, said: Option<&Node>, env: &mut Env) -> Low<Order> {
        Ok(match said.map(|node| (node, node.view())) {
            None => Order::Age,
            Some((_, View::Part(Part::Around { onwards, from }))) => {
                Order::Around(self.sel_of_one(Meant::Start, from, env)?, *onwards)
            }
            Some((chooser, _)) => Order::Chosen(self.sel_of_one(Meant::Chooser, chooser, env)?),
        })
    }

    pub(super) fn no_statement<T>(&mut self, node: &Node) -> Low<T> {
        self.wrong_sort(node, "a statement is meant here")
    }

    fn own_line(
        &mut self,
        statement: ActView<'_>,
        node: &Node,
        after: &[Node],
        env: &mut Env,
        site: SiteId,
    ) -> Low<Statement> {
        let block = |cx: &mut Self, body: Option<&Node>, env: &mut Env| body.map(|b| cx.block_of(b, env)).transpose();
        let thing = |s| Bound::Things(Sel::Slot(s), Many::One);
        Ok(match statement {
            ActView::Do { roles, .. } if roles.iter().any(is_place) => self.shuffle(roles, node.span, env)?,
            ActView::Do { verb, roles } => {
                let act = self.act(verb, roles, env, site)?;
                Statement::Do { verb: act.verb, roles: act.roles }
            }
            ActView::If { condition, then, otherwise } => {
                let c = self.cond(condition, env)?;
                let then = self.block_of(then, env)?;
                Statement::If(c, then, block(self, otherwise.first(), env)?)
            }
            ActView::ForEach { label, things, body, order } => {
                let of = self.sel(things, env)?;
                let order = self.order(order.first(), env)?;
                let slot = env.slot_of(label, thing);
                let body = self.repeated(body, env)?;
                Statement::ForEach { of, slot, body, order }
            }
            ActView::RepeatUntil { body, condition } => {
                let body = self.repeated(body, env)?;
                Statement::RepeatUntil(body, self.cond(condition, env)?)
            }
            ActView::RepeatTimes { number, body } => {
                let n = self.num(number, env)?;
                if matches!(n, Num::Int(times) if times < 1) {
                    let help = Some("say how often, at least once, or take it away");
                    return self.fail(Code::NeverHolds, number.span, "what is repeated so often never happens", help);
                }
                Statement::RepeatTimes(n, self.repeated(body, env)?)
            }
            ActView::Choose { label, who, what } => {
                self.who(who)?;
                let by = if who.op == Op::Chance { None } else { Some(self.sel_of_one(Meant::Chooser, who, env)?) };
                let from = self.sel(what, env)?;
                let slot = env.slot_of(label, thing);
                let then = self.leads_to(after, label, env)?;
                Statement::Choose { by, from, slot, optional: None, then }
            }
            ActView::MayChoose { label, who, what, body, otherwise } => {
                self.who(who)?;
                let (by, from) = (self.sel_of_one(Meant::Chooser, who, env)?, self.sel(what, env)?);
                let slot = env.slot_of(label, thing);
                let then = self.leads_to(std::slice::from_ref(body), label, env)?;
                let body = self.block_of(body, env)?;
                let otherwise = block(self, otherwise.first(), env)?;
                Statement::Choose { by: Some(by), from, slot, optional: Some((body, otherwise)), then }
            }
            ActView::May { who, body, otherwise } => {
                self.who(who)?;
                let by = self.sel_of_one(Meant::Chooser, who, env)?;
                let body = self.block_of(body, env)?;
                Statement::May { by, body, otherwise: block(self, otherwise.first(), env)? }
            }
            ActView::ChooseOne { who, modes } => {
                self.who(who)?;
                let by = self.sel_of_one(Meant::Chooser, who, env)?;
                let branches = modes.iter().map(|b| self.block_of(b, env)).collect::<Low<_>>()?;
                Statement::ChooseOne { by, branches }
            }
            ActView::Roll { label, count, .. } if count.present().is_none() => {
                let slot = env.slot_of(label, |s| Bound::Number(Num::Slot(s)));
                Statement::Roll { by: Sel::Empty, dice: None, slot, subject: None, values: Vec::new() }
            }
            ActView::Roll { label, class, who, count, whom } => {
                let by = self.sel_of_one(Meant::Roller, who, env)?;
                let values = match class {
                    Some(class) => self.kind_of_roll(class, node.span)?,
                    // total: a roll that is of no class has no term of its own
                    None => Vec::new(),
                };
                let Num::Int(dice) = self.num(count, env)? else {
                    return self.fail(Code::WrongSort, count.span, "the number of dice is a fixed number", None);
                };
                let Ok(dice) = u8::try_from(dice) else {
                    return self.fail(Code::NumberTooLarge, count.span, "so many dice cannot be rolled", None);
                };
                let subject = whom.present().map(|whom| self.sel_of_one(Meant::RolledFor, whom, env)).transpose()?;
                let slot = env.slot_of(label, |s| Bound::Number(Num::Slot(s)));
                Statement::Roll { by, dice: Some(dice), slot, subject, values }
            }
            ActView::Set { fact, thing, value } => {
                let info = self.attribute(fact, node.span)?;
                if info.derived.is_some() {
                    return self.fail(
                        Code::SetDerived,
                        node.span,
                        format!("`{}` is derived and cannot be set", fact.name),
                        Some("set what it is derived from, or modify it (`gets`)"),
                    );
                }
                self.changes(fact, thing)?;
                self.single_value(&info, value, env)?;
                let (of, mut value) = (self.sel(thing, env)?, self.val(value, env)?);
                read_as_stored(&mut value, info.id, &of);
                Statement::Set { attr: info.id, of, value }
            }
            ActView::Put { bottom, what, place } => {
                let what = self.sel(what, env)?;
                if let Some((_, Some(owner))) = place.place() {
                    self.means_one(Meant::Owner, owner, env)?;
                }
                let (place, of, _) = self.place_of(place, env)?;
                Statement::Put { what, place, of, bottom: *bottom }
            }
            ActView::Remove { what } => {
                if let Sort::Thing(class) = &what.sort {
                    self.of_the_game(class, what.span, "taken away")?;
                }
                Statement::Remove(self.sel(what, env)?)
            }
            ActView::LetLabel { label, value } => {
                let v = self.val(value, env)?;
                let many = self.many(value, env);
                let slot = match &v {
                    Val::Num(_) => env.slot_of(label, |s| Bound::Number(Num::Slot(s))),
                    Val::Entry(_) => env.slot_of(label, |s| Bound::Entry(Ent::Slot(s))),
                    Val::Things(_) | Val::Flag(_) => env.slot_of(label, |s| Bound::Things(Sel::Slot(s), many)),
                };
                Statement::LetSlot(slot, v)
            }
            ActView::LetRole { role, value } => {
                self.means_one(Meant::Role, value, env)?;
                Statement::LetRole(self.out.symbols.role(&role.name), self.val(value, env)?)
            }
            ActView::Perform { procedure, arguments } => {
                let arguments = arguments.iter().map(|argument| {
                    self.means_one(Meant::Performed, argument, env)?;
                    self.val(argument, env)
                });
                let arguments = arguments.collect::<Low<_>>()?;
                Statement::Perform { proc: self.out.symbols.proc(&procedure.name), arguments }
            }
            ActView::End { procedure } => Statement::End(self.out.symbols.proc(&procedure.name)),
            ActView::Stop {} if env.repetitions == 0 => {
                let help = Some("put it into `repeat` or `for each`, leave it out, or say `end PROCEDURE`");
                let text = "`stop` leaves a repetition, and none is around it";
                return self.fail(Code::NothingFollows, node.span, text, help);
            }
            ActView::Stop {} => Statement::Stop,
            ActView::Extend { of, to } => Statement::Extend { of: self.sel(of, env)?, to: self.sel(to, env)? },
            ActView::CancelEffects { of } => Statement::CancelEffects(self.sel(of, env)?),
            ActView::ActionEffect {} => Statement::ActionEffect,
            ActView::Window { response, admits } => {
                let admits = admits.iter().map(|a| self.admit(a, env)).collect::<Low<_>>()?;
                Statement::Window { admits, response: *response }
            }
            ActView::When { lasting, immediately, event, condition, body } => {
                let lasting = self.lasting(lasting.as_ref());
                let (trigger, kept) = self.keeping(&[node], env, |cx, env| {
                    cx.trigger(event, condition.present(), body, env, true, *immediately, false)
                })?;
                Statement::Effect { what: EffectKind::Trigger(trigger), lasting, kept }
            }
            ActView::Norm { polarity, lasting, event, condition } => {
                let lasting = self.lasting(lasting.as_ref());
                let norm = |cx: &mut Self, env: &mut Env| cx.norm(*polarity, event, condition.first(), env, true);
                let (norm, kept) = self.keeping(&[node], env, norm)?;
                Statement::Effect { what: EffectKind::Norm(norm), lasting, kept }
            }
            // Several are lines of their own.
            ActView::Sequence { .. } => return self.no_statement(node),
        })
    }

    /// Refuses several things as the value of a fact that has one.
    pub(super) fn single_value(&mut self, info: &AttrInfo, value: &Node, env: &Env) -> Low<()> {
        let several = quantified(value).into_iter().find(|one| one.det == Det::Each);
        match (info.kind, several) {
            (ValueKind::Thing(_), Some(several)) => self.fail(
                Code::WrongDeterminer,
                several.span,
                "this fact has one value, and these are several",
                Some("say `the …` where there is one, let somebody choose (`PLAYER chooses a … as X`), or declare the fact with `, many`"),
            ),
            (ValueKind::Thing(_), None) => self.means_one(Meant::Value, value, env),
            (_, _) => Ok(()),
        }
    }

    /// A modifier as an effect.
    fn change(&mut self, change: Change<'_>, node: &Node, env: &mut Env) -> Low<Statement> {
        let lasting = match change {
            Change::Gets { lasting, .. }
            | Change::Gains { lasting, .. }
            | Change::Loses { lasting, .. }
            | Change::Becomes { lasting, .. }
            | Change::Turns { lasting, .. }
            | Change::Acquires { lasting, .. }
            | Change::Sheds { lasting, .. } => self.lasting(lasting.as_ref()),
            Change::While { .. } => return self.no_statement(node),
        };
        let (modifier, kept) = self.keeping(&[node], env, |cx, env| cx.modifier(node, None, env, true))?;
        Ok(Statement::Effect { what: EffectKind::Modifier(modifier), lasting, kept })
    }

    /// A fact that can be set: one that changes in play. What is printed on a card stays, whatever modifies it.
    fn changes(&mut self, fact: &TermKey, thing: &Node) -> Low<()> {
        let term = self.term(fact, thing.span)?;
        let (Sort::Thing(class), Detail::Attribute { origin: Origin::Figure, of, .. }) = (&thing.sort, &term.detail)
        else {
            return Ok(());
        };
        if of.types.contains(&TypeName::Named(self.base_name(class))) {
            let text = format!("`{}` is printed on a card, and stays as it is printed", fact.name);
            let help = format!("say how it is modified (`X gets +1 {}`), or declare a `state`", fact.name);
            return self.fail(Code::SetDerived, thing.span, text, Some(&help));
        }
        Ok(())
    }

    /// A place, whose it is, and whether its cards have an order.
    pub(super) fn place_of(&mut self, node: &Node, env: &Env) -> Low<(PlaceId, Option<Sel>, bool)> {
        let Some((place, owner)) = node.place() else {
            return self.wrong_sort(node, "a place is meant here");
        };
        let term = self.term(place, node.span)?;
        let Detail::Place { of_player, features } = &term.detail else {
            return self.wrong_sort(node, "a place is meant here");
        };
        if *of_player && owner.is_none() {
            let text = format!("each player has a {}: this leaves open whose is meant", place.name);
            return self.fail(Code::WrongSort, node.span, text, Some("add `of PLAYER`"));
        }
        let is_ordered = features.iter().any(|feature| **feature == *"ordered");
        let of = owner.map(|o| self.sel(o, env)).transpose()?;
        Ok((self.out.symbols.place(&place.name), of, is_ordered))
    }

    /// A verb that is done to a place: it shuffles it.
    fn shuffle(&mut self, kids: &[Node], span: Span, env: &Env) -> Low<Statement> {
        let mut found = None;
        for k in kids.iter().filter_map(Node::present) {
            if k.place().is_none() {
                self.sel(k, env)?;
                continue;
            }
            let (place, of, _) = self.place_of(k, env)?;
            found = Some(Statement::Shuffle { place, of });
        }
        let span = kids.first().map_or(span, |k| k.span);
        found.map_or_else(|| self.fail(Code::WrongSort, span, "a place is meant here", None), Ok)
    }

    pub(super) fn lasting(&mut self, lasting: Option<&Lasting>) -> IrLasting {
        match lasting {
            Some(Lasting::Procedure(p)) => IrLasting::Procedure(self.out.symbols.proc(&p.name)),
            Some(Lasting::Game) => IrLasting::Game,
            None => IrLasting::Open,
        }
    }

    /// A verb with its roles.
    pub(crate) fn act(&mut self, verb: &TermKey, kids: &[Node], env: &Env, site: SiteId) -> Low<Act> {
        // What it happens to is taken one by one; whoever else is in it is one.
        let object = match self.ctx.term(verb).as_deref().map(|term| &term.detail) {
            Some(Detail::Verb { frame }) => frame.object(),
            _ => None,
        };
        let mut roles = Vec::new();
        for (nth, kid) in kids.iter().enumerate() {
            let Some(kid) = kid.present() else {
                roles.push(None);
                continue;
            };
            if object != Some(nth) {
                self.means_one(Meant::InEvent, kid, env)?;
            }
            roles.push(Some(self.sel(kid, env)?));
        }
        Ok(Act { verb: self.out.symbols.verb(&verb.name), roles, cost: false, site })
    }

    /// The verbs that a choice leads to at once: those of the next statements that use its label.
    pub(super) fn leads_to(&mut self, after: &[Node], label: &str, env: &Env) -> Low<Vec<Act>> {
        let mut acts = Vec::new();
        for n in after.iter().flat_map(Node::statements) {
            // What is done to a place is no verb for a look-ahead; other statements are none at all.
            let View::Act(ActView::Do { verb, roles }) = n.view() else { continue };
            if roles.iter().any(is_place) || !roles.iter().any(|k| k.mentions(label)) {
                continue;
            }
            let site = self.site(n);
            // Roles bound in between are not known yet: such an act is no look-ahead.
            if roles.iter().all(|k| labels_bound(k, env)) {
                acts.push(self.act(verb, roles, env, site)?);
            }
        }
        Ok(acts)
    }

    /// A value to store or bind.
    pub(crate) fn val(&mut self, node: &Node, env: &Env) -> Low<Val> {
        if let View::Literal(literal) = node.view() {
            match literal {
                Literal::Nothing {} => return Ok(Val::Things(Sel::Empty)),
                Literal::Truth { yes } => return Ok(Val::Flag(*yes)),
                Literal::Entry { .. } => {}
            }
        }
        Ok(match node.sort {
            Sort::Number => Val::Num(self.num(node, env)?),
            Sort::Entry(_) => Val::Entry(self.ent(node, env)?),
            // What is none of these is told as no thing.
            Sort::Thing(_)
            | Sort::AnyThing
            | Sort::Condition
            | Sort::Predicate
            | Sort::Statement
            | Sort::Event
            | Sort::Place
            | Sort::Part => Val::Things(self.sel(node, env)?),
        })
    }

    fn admit(&mut self, node: &Node, env: &Env) -> Low<Admit> {
        let View::Part(Part::Admit { who, whilst, deeds }) = node.view() else {
            return self.wrong_sort(node, "a window is for a player");
        };
        let by = self.sel(who, env)?;
        let whilst = whilst.present().map(|whilst| self.cond(whilst, env)).transpose()?;
        let mut footprints = Vec::new();
        for k in deeds {
            let View::Event(event) = k.view() else { return self.no_footprint(k) };
            footprints.push(match event {
                Event::Modifies { fact, things } => {
                    let fact = fact.as_ref().map(|key| self.out.symbols.attr(&key.name));
                    Footprint::Modifies(self.admitted(things)?, fact)
                }
                Event::Event { verb, roles } => {
                    let mut said = roles.iter().filter_map(Node::present);
                    let class = said.next().map(|object| self.admitted(object)).transpose()?;
                    if let Some(more) = said.next() {
                        return self.only_classes(more);
                    }
                    Footprint::Does(self.out.symbols.verb(&verb.name), class)
                }
                Event::Starts { .. }
                | Event::Ending { .. }
                | Event::StepStarts { .. }
                | Event::StepEnding { .. }
                | Event::Comes { .. }
                | Event::Ceases { .. }
                | Event::HaveEffect { .. }
                | Event::ChangeNumber { .. }
                | Event::PaidWith { .. }
                | Event::Targets { .. } => return self.no_footprint(k),
            });
        }
        Ok(Admit { by, whilst, footprints })
    }

    fn no_footprint<T>(&mut self, node: &Node) -> Low<T> {
        self.wrong_sort(node, "a window admits verbs or `modify`")
    }

    /// The class of the things that a window admits something to be done to. What an action does is known by base classes
    /// alone, so nothing narrower may be said.
    fn admitted(&mut self, things: &Node) -> Low<ClassId> {
        let View::Thing(Thing::Quantified { noun, .. }) = things.view() else { return self.only_classes(things) };
        match noun.view() {
            View::Thing(Thing::Noun { class, modifiers: [] }) if self.is_base_class(&class.name) => {
                Ok(self.class_of(things))
            }
            _ => self.only_classes(things),
        }
    }

    fn only_classes<T>(&mut self, node: &Node) -> Low<T> {
        let help = match &node.sort {
            Sort::Thing(class) => format!("say `a {}`", self.base_name(class)),
            _ => "say `a CLASS`, or leave it out".to_owned(),
        };
        let message = "a window asks of what an action does only the verb and the class of its thing";
        self.fail(Code::WrongSort, node.span, message, Some(&help))
    }

    /// The base class of a noun phrase's things.
    pub(crate) fn class_of(&mut self, np: &Node) -> ClassId {
        match &np.sort {
            Sort::Thing(class) => self.base_class(class),
            Sort::AnyThing
            | Sort::Number
            | Sort::Entry(_)
            | Sort::Condition
            | Sort::Predicate
            | Sort::Statement
            | Sort::Event
            | Sort::Place
            | Sort::Part => ANY_CLASS,
        }
    }
}

fn is_place(node: &Node) -> bool {
    node.place().is_some()
}

/// True if every label that a phrase uses is bound already.
fn labels_bound(node: &Node, env: &Env) -> bool {
    let unbound = matches!(&node.op, Op::Label(label) if env.get(label).is_none());
    !unbound && node.kids.iter().all(|k| labels_bound(k, env))
}
