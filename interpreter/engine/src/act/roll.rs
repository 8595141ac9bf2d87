//! Rolls as things: there from before dice fall until what they are rolled for knows the total.
//!
//! The statement that rolls makes the thing, performs the procedure that the program has around each roll, and binds the
//! total that this has stored. Dice fall where a step of that procedure throws them: as those of the statement, keyed by
//! it and its subject, so that a roll comes out the same whatever is done around it.

use netrep_ir::*;

use crate::act::run::{Run, Step};
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::ThingId;
use crate::position::stack::*;
use crate::position::value::Value;

/// What a statement rolls.
pub(crate) struct Roll {
    pub at: At,
    pub dice: u8,
    pub by: ThingId,
    pub subject: Option<ThingId>,
}

impl Run<'_> {
    /// A new roll, and what is performed around it.
    pub(crate) fn roll(&mut self, act: u16, rolling: Rolling, roll: Roll, values: &[(AttrId, Val)]) -> Step {
        let Roll { at, dice, by, subject } = roll;
        let clause = self.link.block_clause(at.block);
        let values: Vec<(AttrId, Value)> = {
            let (eval, cx) = (self.eval(), self.cx(act));
            values.iter().map(|(attr, value)| (*attr, eval.val(&cx, value))).collect()
        };
        let thing = self.new_passing(rolling.class, clause)?;
        self.store(thing, rolling.roller, &Value::Thing(by), clause)?;
        if let (Some(attr), Some(subject)) = (rolling.subject, subject)
            && self.may_hold(attr, subject)
            && self.is_known_to_all(subject)
        {
            self.store(thing, attr, &Value::Thing(subject), clause)?;
        }
        for (attr, value) in &values {
            self.store(thing, *attr, value, clause)?;
        }
        self.push(act, false, Kind::Rolling(Box::new(Rolled { at, roll: thing, dice, by, subject, thrown: false })))?;
        self.open(rolling.around, vec![Value::Thing(thing)])
    }

    /// Whether an attribute of things is for things of this class.
    pub(crate) fn may_hold(&self, attr: AttrId, thing: ThingId) -> bool {
        match self.link.layout.attr(attr).kind {
            ValueKind::Thing(class) => self.state.class_of(thing) == Some(class),
            _ => false,
        }
    }

    /// The roll around which the running procedure is performed.
    fn roll_around(&mut self, act: u16) -> Option<&mut Rolled> {
        let around = self.link.program.services.around?;
        let runs = |frame: &Frame| {
            matches!(&frame.kind, Kind::Procedure(running) if running.proc == around) && frame.act == act
        };
        let at = self.state.frames.iter().rposition(runs)?;
        match &mut self.state.frames.get_mut(at.checked_sub(1)?)?.kind {
            Kind::Rolling(rolled) => Some(rolled),
            _ => None,
        }
    }

    /// The dice of the roll around which the running procedure is performed.
    pub(crate) fn throw(&mut self, act: u16) -> Step {
        let Some(rolled) = self.roll_around(act) else {
            return Err(self.unsound("dice are thrown, and there is no roll around which this is performed"));
        };
        rolled.thrown = true;
        let Rolled { at, dice, by, subject, .. } = *rolled;
        let clause = self.link.block_clause(at.block);
        let Some((_, site)) = self.link.statement(at) else {
            return Err(self.unsound("no statement rolls where one was met"));
        };
        let kind = DecisionKind::Roll { dice, by, subject, purpose: at.block };
        self.state.ask = Some(Decision { by: Chooser::Chance, kind, clause, site: *site });
        Ok(())
    }

    /// The procedure around a roll is over: its total is known.
    pub(crate) fn step_rolling(&mut self, act: u16) -> Step {
        let rolled = match self.state.frames.last().map(|frame| &frame.kind) {
            Some(Kind::Rolling(rolled)) => Rolled::clone(rolled),
            _ => return Err(self.unsound("no roll is on top of the stack")),
        };
        let clause = self.link.block_clause(rolled.at.block);
        let (Some(rolling), Some((Statement::Roll { slot, .. }, _))) =
            (self.link.program.services.rolling(), self.link.statement(rolled.at))
        else {
            return Err(Fault::new(ErrorKind::Unsound, clause, "no statement rolls where one was met"));
        };
        if !rolled.thrown {
            return Err(Fault::new(
                ErrorKind::Unsound,
                clause,
                "no dice have been thrown in the procedure around the roll",
            ));
        }
        let total = self.eval().current(rolling.total, rolled.roll);
        self.pop();
        self.bind(act, *slot, Value::Num(total))
    }
}
