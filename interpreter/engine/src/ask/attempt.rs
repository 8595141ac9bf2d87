//! A declaration that is offered or attempted: an allowance, who makes it, the thing that carries it, the choices.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::position::link::Link;
use crate::position::set::{Set, ThingId};
use crate::position::stack::{Chooser, Decision, Effect};
use crate::position::submission::Submission;
use crate::position::value::{Locals, Roles, Value, bind, locals};
use crate::program::layout::OWNER;

/// A declaration that is offered or attempted.
#[derive(Clone, Debug)]
pub(crate) struct Attempt<'a> {
    pub id: AllowanceId,
    pub allowance: &'a Allowance,
    pub action: Option<&'a ActionDecl>,
    pub seat: ThingId,
    pub this: Option<ThingId>,
    /// Which of the effects in force that allow this to this thing, the oldest first.
    pub effect: u16,
    pub locals: Locals,
    /// What it chooses several of is still to be chosen.
    pub open: bool,
}

impl<'a> Attempt<'a> {
    /// Of an allowance of the program: what is submitted goes through [`Eval::attempt`].
    pub(crate) fn new(link: &'a Link, id: AllowanceId, seat: ThingId, this: Option<ThingId>) -> Attempt<'a> {
        let allowance = link.program.allowance(id);
        let action = allowance.action.map(|a| link.program.action(a));
        let open = allowance.parameters.iter().any(|p| p.several.is_some());
        Attempt { id, allowance, action, seat, this, effect: 0, locals: locals(allowance.slots), open }
    }
    /// As an effect allows it, with what was known when that took effect.
    pub(crate) fn by_effect(mut self, nth: u16, known: &Locals) -> Attempt<'a> {
        self.effect = nth;
        self.locals.iter_mut().zip(known).for_each(|(own, known)| own.clone_from(known));
        self
    }
    /// With its parameters bound.
    pub(crate) fn with(mut self, values: &[Value]) -> Attempt<'a> {
        for (parameter, value) in self.allowance.parameters.iter().zip(values) {
            bind(&mut self.locals, parameter.slot, value.clone());
        }
        self
    }
    /// What was chosen for a parameter.
    pub(crate) fn chosen(&self, parameter: &Parameter) -> &Value {
        // total: what is not chosen yet, or not in what was saved, is nothing, which no pool holds.
        self.locals.get(usize::from(parameter.slot)).unwrap_or(&Value::None)
    }
    /// What its kind requires of every declaration.
    pub(crate) fn required_by_kind(&self) -> impl Iterator<Item = &'a Requirement> + use<'a> {
        self.action.into_iter().flat_map(|action| &action.requirements)
    }
    /// Who may, by its own words or by those of its kind; nobody named: whoever has the thing.
    pub(crate) fn declared_by(&self) -> &'a Sel {
        match (&self.allowance.by, self.action) {
            (Sel::Empty, Some(action)) => &action.by,
            (by, _) => by,
        }
    }
    pub(crate) fn cx(&self) -> Cx<'_> {
        Cx::clause(self.allowance.clause, self.this, &self.locals)
    }
}

impl Eval<'_> {
    /// A declaration as an attempt by whoever decides; `None` if it names no allowance, too few or many parameters, or an
    /// entry that is none.
    pub(crate) fn attempt(&self, submission: &Submission) -> Option<Attempt<'_>> {
        let Submission::Declare { allowance, this, effect, parameters } = submission else { return None };
        let Some(Decision { by: Chooser::Seat(seat), .. }) = self.state.ask else { return None };
        let program = &self.link.program;
        let named = program.allowances.get(allowance.index())?;
        let is_entry = |value: &Value| value.entry().is_none_or(|entry| entry.index() < program.entries.len());
        let attempt = || {
            let attempt = Attempt::new(self.link, *allowance, seat, *this);
            match self.allowed_by(*allowance, *this).nth(usize::from(*effect)) {
                Some(known) => attempt.by_effect(*effect, known),
                // What no effect allows says so itself when it is asked who carries it.
                None => Attempt { effect: *effect, ..attempt },
            }
            .with(parameters)
        };
        (named.parameters.len() == parameters.len() && parameters.iter().all(is_entry)).then(attempt)
    }

    /// The effects in force that allow something to a thing, the oldest first: what each knows.
    pub(crate) fn allowed_by(&self, id: AllowanceId, this: Option<ThingId>) -> impl Iterator<Item = &Locals> {
        let carriers = self.link.program.allowances.get(id.index()).and_then(|allowance| allowance.carriers.as_ref());
        let allows = move |e: &Effect| {
            e.what == EffectKind::Allowance(id)
                && match (carriers, this) {
                    (None, this) => e.this == this,
                    (Some(carriers), Some(this)) => self.is_given(e.clause, e.this, carriers, &e.locals, this),
                    (Some(_), None) => false,
                }
        };
        self.effects_in_force_of(allows).map(|e| &e.locals)
    }

    /// Who declares what says nothing about it: whose place the thing lies in, else who controls it; no one in particular
    /// for a rule's.
    pub(crate) fn declarer(&self, this: Option<ThingId>) -> Option<ThingId> {
        let this = this?;
        self.state.thing_in(&self.link.layout, this, OWNER).or_else(|| self.controller(this))
    }

    /// Who controls a thing.
    pub(crate) fn controller(&self, thing: ThingId) -> Option<ThingId> {
        let mut set = Set::empty(self.link.layout.width);
        let cx = Cx::clause(ClauseId(0), None, &[]);
        self.values_of(
            &cx,
            self.link.program.services.controller?,
            thing,
            &Set::from_words(self.state.living(&self.link.layout)),
            &mut set,
        );
        set.first()
    }
}

/// The roles of the verb of an action kind: who declares, the card, and in the next role the first target.
pub(crate) fn action_roles(
    decl: &VerbDecl,
    allowance: &Allowance,
    seat: ThingId,
    this: Option<ThingId>,
    own: &[Value],
) -> Roles {
    let mut roles: Roles = smallvec::smallvec![None; decl.roles.len()];
    if let Some(role) = decl.object.and_then(|o| roles.get_mut(usize::from(o))) {
        *role = this;
    }
    if let Some(role) = decl.subject.and_then(|s| roles.get_mut(usize::from(s))) {
        *role = Some(seat);
    }
    let taken = [decl.object, decl.subject].map(|r| r.map(usize::from));
    // What is chosen with others is no target: the frame has room for one.
    let first = allowance.parameters.first().filter(|p| p.several.is_none());
    let target = first.and_then(|p| match own.get(usize::from(p.slot)) {
        Some(Value::Thing(target)) => Some(*target),
        _ => None,
    });
    if let Some(i) = (0..roles.len()).find(|i| !taken.contains(&Some(*i))) {
        roles[i] = target;
    }
    roles
}
