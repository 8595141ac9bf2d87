//! How the choices of a declaration are found: each condition is asked as soon as the last choice that it reads is open,
//! of all candidates at once where its form allows, so that no combination is made only to be refused.
//!
//! A plan says nothing new: [`crate::legal::conditions`] asks the same conditions of what is submitted, one after the other
//! ([`crate::Game::declarations_tried`] finds the options that way, for tests).

use netrep_ir::*;

use crate::program::analysis::Asked;
use crate::program::walk::{self, Phase};
use crate::program::whole;

/// What a condition says about one thing that is not fixed yet, its subject: a choice, or what carries a declaration.
#[derive(Debug)]
pub(crate) enum Narrow {
    /// It does not read the subject: it holds of all candidates or of none.
    Whole(Cond),
    /// The candidates that are in all of these, none of which reads the subject.
    Within(Vec<Sel>),
    /// Those for which a thing-valued attribute leads to something that is in all of these.
    LeadsTo(AttrId, Vec<Sel>),
    /// Those that a thing-valued attribute of something holds that is in all of these.
    HeldBy(AttrId, Vec<Sel>),
    /// Those whose number compares so with one that does not read the subject.
    Number(AttrId, CmpOp, Num),
    All(Vec<Narrow>),
    Any(Vec<Narrow>),
    Not(Box<Narrow>),
    /// Only one candidate after the other can tell.
    Each(Cond),
}

/// What is not fixed yet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    Choice(u8),
    This,
}

impl Subject {
    fn is(self, sel: &Sel) -> bool {
        match self {
            Subject::Choice(slot) => *sel == Sel::Slot(slot),
            Subject::This => *sel == Sel::This,
        }
    }
    /// Whether something reads it, by a walk over it.
    fn is_read<'s>(self, walk: impl FnOnce(&mut dyn FnMut(walk::Node<'s>))) -> bool {
        match self {
            Subject::Choice(slot) => walk::slots_read(walk).contains(&slot),
            Subject::This => walk::reads_this(walk),
        }
    }
}

/// A condition that is asked of candidates.
#[derive(Debug)]
pub(crate) struct Filter {
    pub clause: ClauseId,
    pub narrow: Narrow,
}

/// What is asked of the candidates of one choice.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    /// How many of the conjuncts of its pool, from the first, read no earlier choice.
    pub own: usize,
    /// Conditions that read no other choice.
    pub alone: Vec<Filter>,
    /// Conditions that read earlier choices too.
    pub after: Vec<Filter>,
    /// The earlier choices that its pool and its conditions read, unless they read all of them.
    pub reads: Option<Vec<u8>>,
}

/// When each condition of a declaration is asked while it is offered.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub choices: Vec<Choice>,
    /// Conditions that read no choice.
    pub before: Vec<(ClauseId, Cond)>,
    /// Conditions that read the thing that carries it, and no choice.
    pub carried: Vec<Filter>,
    /// The choices on which it hangs whether the whole is legal, when each has been found by itself, unless that hangs on all
    /// of them.
    pub whole: Option<Vec<u8>>,
}

impl Plan {
    /// The plan of an allowance: for its requirements and those of its kind that read choices. `foreseeing`: the attributes
    /// that hang on what a declaration would do.
    pub(crate) fn new<'r>(
        program: &Program,
        allowance: &Allowance,
        requirements: impl Iterator<Item = Asked<'r>> + Clone,
        foreseeing: &[bool],
    ) -> Plan {
        let whole = whole::choices_read(program, allowance, requirements.clone(), foreseeing);
        let mut plan = Plan { whole, ..Plan::default() };
        let parameters = &allowance.parameters;
        let last = |slots: &[u8]| parameters.iter().rposition(|p| slots.contains(&p.slot));
        for (k, parameter) in parameters.iter().enumerate() {
            let earlier = |sel: &Sel| last(&walk::slots_of(sel)).is_some_and(|at| at < k);
            let own = match &parameter.from {
                Pool::Things(conjuncts) => conjuncts.iter().take_while(|sel| !earlier(sel)).count(),
                Pool::Entries(..) => 0,
            };
            plan.choices.push(Choice { own, ..Choice::default() });
        }
        let mut read: Vec<Vec<u8>> = parameters.iter().map(pool_reads).collect();
        let chosen = requirements.clone().filter(|asked| asked.phase == Phase::Chosen);
        for (clause, cond) in chosen.flat_map(|asked| {
            let clause = asked.requirement.clause;
            conjuncts(&asked.requirement.cond).into_iter().map(move |cond| (clause, cond))
        }) {
            let slots = walk::slots_of_cond(cond);
            // What is asked of things that are chosen together is asked when they are chosen.
            if parameters.iter().any(|p| p.several.is_some() && slots.contains(&p.slot)) {
                continue;
            }
            let Some((at, parameter)) = last(&slots).and_then(|at| Some((at, parameters.get(at)?))) else {
                plan.before.push((clause, cond.clone()));
                continue;
            };
            let narrow = match parameter.from {
                Pool::Things(_) => narrow(cond, Subject::Choice(parameter.slot)),
                Pool::Entries(..) => Narrow::Each(cond.clone()),
            };
            let filter = Filter { clause, narrow };
            let alone = !parameters.iter().any(|p| p.slot != parameter.slot && slots.contains(&p.slot));
            if let Some(read) = read.get_mut(at) {
                read.extend(slots);
            }
            if let Some(choice) = plan.choices.get_mut(at) {
                if alone { &mut choice.alone } else { &mut choice.after }.push(filter);
            }
        }
        for asked in requirements.filter(|asked| asked.phase == Phase::Carried) {
            plan.carried.push(Filter {
                clause: asked.requirement.clause,
                narrow: narrow(&asked.requirement.cond, Subject::This),
            });
        }
        plan.carried.sort_by_key(|filter| filter.narrow.cost());
        for ((choice, read), n) in plan.choices.iter_mut().zip(read).zip(0..) {
            choice.reads = whole::fewer(parameters.iter().take(n), &read);
            choice.alone.sort_by_key(|filter| filter.narrow.cost());
            choice.after.sort_by_key(|filter| filter.narrow.cost());
        }
        plan
    }
}

impl Narrow {
    /// How dear it is to ask: whole sets before one thing after the other.
    fn cost(&self) -> u8 {
        match self {
            Narrow::Whole(_) => 0,
            Narrow::Within(_) | Narrow::HeldBy(..) => 1,
            Narrow::LeadsTo(..) | Narrow::Number(..) => 2,
            Narrow::All(parts) | Narrow::Any(parts) => parts.iter().map(Narrow::cost).fold(0, u8::max),
            Narrow::Not(inner) => inner.cost(),
            Narrow::Each(_) => 3,
        }
    }
}

/// The slots that the pool of a choice reads.
fn pool_reads(parameter: &Parameter) -> Vec<u8> {
    match &parameter.from {
        Pool::Things(conjuncts) => conjuncts.iter().flat_map(walk::slots_of).collect(),
        Pool::Entries(_, cond) => walk::slots_of_cond(cond),
    }
}

/// The conditions that must all hold.
fn conjuncts(cond: &Cond) -> Vec<&Cond> {
    match cond {
        Cond::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        one => vec![one],
    }
}

/// What a condition says of its subject, which exists.
fn narrow(cond: &Cond, subject: Subject) -> Narrow {
    let reads = |sel: &Sel| subject.is_read(|see| walk::sel(sel, see));
    if !subject.is_read(|see| walk::cond(cond, see)) {
        return Narrow::Whole(cond.clone());
    }
    match cond {
        Cond::And(parts) => Narrow::All(parts.iter().map(|part| narrow(part, subject)).collect()),
        Cond::Or(parts) => Narrow::Any(parts.iter().map(|part| narrow(part, subject)).collect()),
        Cond::Not(inner) => Narrow::Not(Box::new(narrow(inner, subject))),
        Cond::Some(Sel::Or(parts)) => {
            Narrow::Any(parts.iter().map(|part| narrow(&Cond::Some(part.clone()), subject)).collect())
        }
        Cond::Some(sel) => {
            let parts = if let Sel::And(parts) = sel { parts.as_slice() } else { std::slice::from_ref(sel) };
            let mut reading = parts.iter().filter(|part| reads(part));
            let (Some(one), None) = (reading.next(), reading.next()) else { return Narrow::Each(cond.clone()) };
            let others: Vec<Sel> = parts.iter().filter(|part| !reads(part)).cloned().collect();
            match one {
                one if subject.is(one) => Narrow::Within(others),
                Sel::Image(attr, of) if subject.is(of) => Narrow::LeadsTo(*attr, others),
                Sel::Preimage(attr, to) if subject.is(to) => Narrow::HeldBy(*attr, others),
                _ => Narrow::Each(cond.clone()),
            }
        }
        Cond::Every(all, within) if subject.is(all) && !reads(within) => Narrow::Within(vec![within.clone()]),
        Cond::Cmp(op, Num::Attr(attr, of), to) if subject.is(of) && !subject.is_read(|see| walk::num(to, see)) => {
            Narrow::Number(*attr, *op, to.clone())
        }
        _ => Narrow::Each(cond.clone()),
    }
}
