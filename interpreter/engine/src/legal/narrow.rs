//! What a plan asks, asked of all candidates at once: the choices of a declaration, and the things that carry it.

use netrep_ir::*;

use crate::ask::attempt::Attempt;
use crate::ask::eval::{Cx, Eval};
use crate::legal::once::Once;
use crate::position::set::Set;
use crate::position::table::Table;
use crate::position::value::{Locals, Value, bind};
use crate::position::verify::Planted;
use crate::program::plan::{Filter, Narrow, Plan, Subject};
use crate::program::walk::{self, Phase};

/// So many things are few.
const FEW: usize = 16;

/// What is offered of one allowance and one thing that carries it.
pub(crate) struct Filling<'a> {
    plan: &'a Plan,
    /// By choice: the candidates as far as they do not hang on earlier choices; none for one that is no choice of things.
    alone: Vec<Option<Set>>,
    /// By choice: the candidates, by the earlier choices on which they hang.
    candidates: Vec<Once<Vec<Value>>>,
    /// Whether the whole is legal, by the choices on which that hangs.
    legal: Once<bool>,
}

impl Filling<'_> {
    /// Whether the whole is legal, asked once of all that agree in what that hangs on.
    pub(crate) fn is_legal(&self, attempt: &Attempt, ask: impl FnOnce() -> bool) -> bool {
        self.legal.answer(self.plan.whole.as_deref(), attempt, ask)
    }
}

impl<'a> Eval<'a> {
    /// The candidates of each choice as far as they hang on no other; `None` if there is none for one of them, or what
    /// reads no choice does not hold.
    pub(crate) fn filling(&self, attempt: &Attempt) -> Option<Filling<'a>> {
        let plan = self.link.plan(attempt.id, attempt.allowance);
        let cx = attempt.cx();
        for (clause, cond) in &plan.before {
            let met = self.cond(&Cx { clause: *clause, ..cx }, cond);
            self.note_required(*clause, met);
            if !met {
                return None;
            }
        }
        let mut alone = Vec::with_capacity(plan.choices.len());
        for (choice, parameter) in plan.choices.iter().zip(&attempt.allowance.parameters) {
            alone.push(match &parameter.from {
                Pool::Things(conjuncts) => {
                    let pool = self.conjoined(
                        &cx,
                        conjuncts.iter().take(choice.own),
                        self.living(conjuncts.first().filter(|_| choice.own > 0)),
                    );
                    let pool = self.filtered(&cx, &choice.alone, Subject::Choice(parameter.slot), pool);
                    if parameter.several.map_or(pool.is_empty(), |several| several.lacks(pool.len())) {
                        return None;
                    }
                    Some(pool)
                }
                Pool::Entries(..) => None,
            });
        }
        let candidates = plan.choices.iter().map(|_| Once::default()).collect();
        Some(Filling { plan, alone, candidates, legal: Once::default() })
    }

    /// The candidates of the `n`-th choice, given those before it.
    pub(crate) fn candidates_of(
        &self,
        attempt: &Attempt,
        filling: &Filling,
        n: usize,
        parameter: &Parameter,
    ) -> Vec<Value> {
        let reads = filling.plan.choices[n].reads.as_deref();
        filling.candidates[n].answer(reads, attempt, || self.found_for(attempt, filling, n, parameter))
    }

    fn found_for(&self, attempt: &Attempt, filling: &Filling, n: usize, parameter: &Parameter) -> Vec<Value> {
        let cx = attempt.cx();
        let choice = &filling.plan.choices[n];
        match (&parameter.from, filling.alone.get(n).and_then(Option::as_ref)) {
            (Pool::Things(conjuncts), Some(alone)) => {
                let pool = self.conjoined(&cx, conjuncts.iter().skip(choice.own), alone.clone());
                let pool = self.filtered(&cx, &choice.after, Subject::Choice(parameter.slot), pool);
                let left_out = usize::from(self.cache.verifying.has(Planted::Plan));
                pool.iter().skip(left_out).map(Value::Thing).collect()
            }
            (Pool::Things(_), None) => Vec::new(),
            (Pool::Entries(list, cond), _) => {
                let mut own: Locals = cx.locals.into();
                let mut found = Vec::new();
                for entry in Table::list(&self.link.program, *list) {
                    bind(&mut own, parameter.slot, Value::Entry(*entry));
                    let cx = Cx { locals: &own, ..cx };
                    let mut filters = choice.alone.iter().chain(&choice.after);
                    if self.cond(&cx, cond) && filters.all(|filter| self.meets_filter(&cx, filter)) {
                        found.push(Value::Entry(*entry));
                    }
                }
                found
            }
        }
    }

    /// Those of some things, of which it is known that they carry an allowance, that can declare it as far as that does not
    /// hang on its choices: what [`Eval::check_carried`] asks of one. Those are left out of which it is known that there are
    /// no choices for it.
    pub(crate) fn able(&self, attempt: &Attempt, things: Set) -> Set {
        let allowance = attempt.allowance;
        let cx = attempt.cx();
        let mut left = things;
        if left.is_empty() {
            return left;
        }
        if let (Some(id), Some(action)) = (allowance.action, attempt.action) {
            self.cache.log.clause(action.clause);
            if self.link.analysis.from_reads_this[id.index()] {
                left.retain(|t| self.is_in_place(&cx, id, action, t));
            } else {
                left.keep(self.in_place_for(id, action).words());
            }
        }
        let seat = attempt.seat;
        match attempt.declared_by() {
            Sel::Empty => left.retain(|t| self.declarer(Some(t)).is_none_or(|who| who == seat)),
            by if walk::sel_reads_this(by) => left.retain(|t| self.has(&Cx { this: Some(t), ..cx }, by, seat)),
            by => {
                if !left.is_empty() && !self.has(&cx, by, seat) {
                    return self.nothing();
                }
            }
        }
        if let Some((limit, proc)) = allowance.limit {
            left.retain(|t| self.used(attempt.id, Some(t), proc) < limit);
        }
        // Of few it is asked of each, and kept; of many of all at once.
        if left.len() <= FEW {
            left.retain(|t| {
                !self.offers_nothing(attempt, Some(t)) && self.meets_requirements(&cx, attempt, Phase::Carried, Some(t))
            });
            return left;
        }
        let plan = self.link.plan(attempt.id, allowance);
        self.filtered(&cx, &plan.carried, Subject::This, left)
    }

    pub(crate) fn conjoined<'s>(&self, cx: &Cx, conjuncts: impl Iterator<Item = &'s Sel>, mut left: Set) -> Set {
        for sel in conjuncts {
            if left.is_empty() {
                break;
            }
            self.cache.log.condition(cx.clause);
            left = self.sel(cx, sel, &left);
        }
        left
    }

    fn filtered(&self, cx: &Cx, filters: &[Filter], subject: Subject, mut left: Set) -> Set {
        for filter in filters {
            if left.is_empty() {
                break;
            }
            let before = left.len();
            left = self.narrowed(&Cx { clause: filter.clause, ..*cx }, &filter.narrow, subject, left);
            self.note_required(filter.clause, left.len() == before);
        }
        left
    }

    /// Whether a condition holds of the entry that is chosen.
    fn meets_filter(&self, cx: &Cx, filter: &Filter) -> bool {
        let met = match &filter.narrow {
            Narrow::Each(cond) => self.cond(&Cx { clause: filter.clause, ..*cx }, cond),
            // Conditions on entries have no other form.
            _ => false,
        };
        self.note_required(filter.clause, met);
        met
    }

    /// Those of `care` of which it is true when the subject is each of them.
    fn narrowed(&self, cx: &Cx, narrow: &Narrow, subject: Subject, care: Set) -> Set {
        match narrow {
            Narrow::Whole(cond) => {
                if self.cond(cx, cond) {
                    care
                } else {
                    self.nothing()
                }
            }
            Narrow::Within(sels) => self.conjoined(cx, sels.iter(), care),
            Narrow::LeadsTo(attr, sels) => {
                let to = self.conjoined(cx, sels.iter(), self.living(sels.first()));
                let mut left = care;
                if to.is_empty() {
                    return to;
                }
                left.retain(|t| {
                    let mut held = self.nothing();
                    self.values_of(cx, *attr, t, &to, &mut held);
                    !held.is_empty()
                });
                left
            }
            Narrow::HeldBy(attr, sels) => {
                let of = self.conjoined(cx, sels.iter(), self.having(*attr, &self.living_of(*attr)));
                self.image(cx, *attr, &of, &care)
            }
            Narrow::Number(attr, op, to) => {
                self.cache.log.condition(cx.clause);
                let to = self.num(cx, to);
                let mut left = care;
                left.retain(|t| op.holds(self.current(*attr, t), to));
                left
            }
            Narrow::All(parts) => parts
                .iter()
                .fold(care, |left, part| if left.is_empty() { left } else { self.narrowed(cx, part, subject, left) }),
            Narrow::Any(parts) => {
                let (mut found, mut left) = (self.nothing(), care);
                for part in parts {
                    if left.is_empty() {
                        break;
                    }
                    let more = self.narrowed(cx, part, subject, left.clone());
                    left.cut(more.words());
                    found.add(more.words());
                }
                found
            }
            Narrow::Not(inner) => care.minus(self.narrowed(cx, inner, subject, care.clone()).words()),
            Narrow::Each(cond) => {
                let mut left = care;
                match subject {
                    Subject::Choice(slot) => {
                        let mut own: Locals = cx.locals.into();
                        left.retain(|t| {
                            bind(&mut own, slot, Value::Thing(t));
                            self.cond(&Cx { locals: &own, ..*cx }, cond)
                        });
                    }
                    Subject::This => left.retain(|t| self.cond(&Cx { this: Some(t), ..*cx }, cond)),
                }
                left
            }
        }
    }
}
