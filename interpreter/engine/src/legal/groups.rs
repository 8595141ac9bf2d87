//! Several things that a declaration chooses together.
//!
//! What is declared is said first, with all choices of one thing. Those of several are made behind it, one thing after the
//! other, and nothing has happened until the last of them: so an option is no longer for what else could be chosen. Each
//! thing is offered only if what is still to be chosen can be chosen so that everything holds that is asked of the whole.

use netrep_ir::limits::GROUPS;
use netrep_ir::*;

use crate::ask::attempt::Attempt;
use crate::ask::eval::Eval;
use crate::legal::conditions::{Fast, Sink, Why};
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::{Set, ThingId};
use crate::position::stack::Gathering;
use crate::position::value::{Value, bind};
use crate::program::walk::{self, Phase};

/// What can be chosen next for a declaration.
pub(crate) struct Next<'a> {
    pub parameter: &'a Parameter,
    pub from: Set,
    /// It may be left at what is chosen.
    pub optional: bool,
}

/// A way to go on with a choice of several.
struct Way<'a> {
    attempt: Attempt<'a>,
    /// The parameter for which is chosen, by its number.
    at: usize,
    chosen: Set,
    /// Of what may still be chosen for it; not known before it is begun.
    left: Option<Set>,
}

impl<'a> Eval<'a> {
    /// A declaration that is being completed, as it stands.
    pub(crate) fn gathered(&self, declaration: &Gathering, seat: ThingId) -> Option<Attempt<'a>> {
        let Gathering { allowance, this, effect, parameters, .. } = declaration;
        self.link.program.allowances.get(allowance.index())?;
        let attempt = Attempt::new(self.link, *allowance, seat, *this);
        let attempt = match self.allowed_by(*allowance, *this).nth(usize::from(*effect)) {
            Some(known) => attempt.by_effect(*effect, known),
            None => attempt,
        };
        Some(attempt.with(parameters))
    }

    /// What can be chosen next, and for which choice, going on to the next one where nothing more can be; `None` if all is
    /// chosen.
    pub(crate) fn next_choice(&self, attempt: &Attempt<'a>, declaration: &mut Gathering) -> Option<Next<'a>> {
        loop {
            let at = usize::from(declaration.at);
            let parameter = attempt.allowance.parameters.get(at)?;
            let Some(several) = parameter.several else {
                declaration.at = declaration.at.saturating_add(1);
                continue;
            };
            let chosen = attempt.chosen(parameter).things(self.link.layout.width);
            let optional = !several.lacks(chosen.len()) && self.completes_behind(attempt, at);
            let more = several.takes_more_than(chosen.len());
            let mut from = self.nothing();
            if more {
                let left = self.pool_of(attempt, parameter).minus(chosen.words());
                for thing in &left {
                    let mut others = left.clone();
                    others.remove(thing);
                    let mut with = chosen.clone();
                    with.insert(thing);
                    if self.leads_on(Way { attempt: attempt.clone(), at, chosen: with, left: Some(others) }) {
                        from.insert(thing);
                    }
                }
            }
            let secret = more && self.pool_is_secret(parameter);
            // Not to ask would tell the others that there is none.
            if optional && from.is_empty() && !secret {
                declaration.at = declaration.at.saturating_add(1);
                continue;
            }
            return Some(Next { parameter, from, optional });
        }
    }

    /// Whether all that an attempt leaves open can be chosen so that everything holds that is asked of the whole.
    pub(crate) fn completes(&self, attempt: &Attempt<'a>) -> bool {
        self.leads_on(Way { attempt: attempt.clone(), at: 0, chosen: self.nothing(), left: None })
    }

    /// The same of what comes behind a choice that is made.
    fn completes_behind(&self, attempt: &Attempt<'a>, at: usize) -> bool {
        self.leads_on(Way { attempt: attempt.clone(), at: at + 1, chosen: self.nothing(), left: None })
    }

    /// Whether a way leads to a whole declaration that is legal. The fewest are tried first.
    fn leads_on(&self, way: Way<'a>) -> bool {
        let clause = way.attempt.allowance.clause;
        let mut open = vec![way];
        let mut looked_at = 0;
        while let Some(mut way) = open.pop() {
            looked_at += 1;
            if looked_at > GROUPS {
                self.cache.fail_once(|| {
                    let text =
                        format!("more than {GROUPS} groups could be chosen, and it is not known whether one will do");
                    Fault::new(ErrorKind::LoopBound, clause, text)
                });
                return false;
            }
            let parameters = &way.attempt.allowance.parameters;
            let next = parameters.iter().enumerate().skip(way.at).find_map(|(n, p)| Some((n, p, p.several?)));
            let Some((at, parameter, several)) = next else {
                if self.whole_is_legal(&way.attempt) {
                    return true;
                }
                continue;
            };
            if at != way.at {
                (way.at, way.chosen, way.left) = (at, self.nothing(), None);
            }
            let left = way.left.take().unwrap_or_else(|| self.pool_of(&way.attempt, parameter));
            bind(&mut way.attempt.locals, parameter.slot, Value::of_set(way.chosen.clone()));
            if several.takes_more_than(way.chosen.len()) {
                let mut longer = Vec::new();
                let mut rest = left;
                while let Some(thing) = rest.pop_first() {
                    let mut chosen = way.chosen.clone();
                    chosen.insert(thing);
                    if !several.lacks(chosen.len() + rest.len()) {
                        longer.push(Way { attempt: way.attempt.clone(), at, chosen, left: Some(rest.clone()) });
                    }
                }
                open.extend(longer.into_iter().rev());
            }
            if !several.lacks(way.chosen.len()) {
                open.push(Way { at: at + 1, chosen: self.nothing(), left: None, ..way });
            }
        }
        false
    }

    /// Whether a declaration of which everything is chosen is legal, as far as that hangs on its choices.
    fn whole_is_legal(&self, attempt: &Attempt<'a>) -> bool {
        let whole = Attempt { open: false, ..attempt.clone() };
        self.check_tail(&whole, Phase::Chosen, &mut Fast) && self.check_tried(&whole, &mut Fast)
    }

    /// The things that may be among those that are chosen, given the choices before: who cannot pay alone is none of them.
    pub(crate) fn pool_of(&self, attempt: &Attempt, parameter: &Parameter) -> Set {
        let mut pool = self.drawn_from(attempt, parameter);
        pool.retain(|thing| self.check_one(attempt, parameter, thing, &mut Fast));
        pool
    }

    /// The same, whether or not they can pay.
    fn drawn_from(&self, attempt: &Attempt, parameter: &Parameter) -> Set {
        match &parameter.from {
            Pool::Things(conjuncts) => self.conjoined(&attempt.cx(), conjuncts.iter(), self.universe(false)),
            // total: several are chosen among things alone; the compiler refuses what says otherwise.
            Pool::Entries(..) => self.nothing(),
        }
    }

    /// Whether what is paid with a thing that is chosen with others can be paid with it.
    pub(crate) fn check_one<S: Sink>(
        &self,
        attempt: &Attempt,
        parameter: &Parameter,
        thing: ThingId,
        sink: &mut S,
    ) -> bool {
        let allowance = attempt.allowance;
        let mut alone = attempt.clone();
        bind(&mut alone.locals, parameter.slot, Value::Thing(thing));
        let later = |slot: u8| {
            let mut others = allowance.parameters.iter().skip_while(|p| p.slot != parameter.slot).skip(1);
            others.any(|p| p.slot == slot)
        };
        let about_it = |act: &&Act| {
            let read: Vec<u8> = act.roles.iter().flatten().flat_map(walk::slots_of).collect();
            act.cost && read.contains(&parameter.slot) && !read.into_iter().any(later)
        };
        self.check_acts(&alone, allowance.acts.iter().filter(about_it), sink)
    }

    /// Whether a selection looks into places that some may not look into, or at what is concealed from some.
    pub(crate) fn reads_hidden(&self, sel: &Sel) -> bool {
        let places = &self.link.program.places;
        let concealed = self.link.program.services.concealed;
        let turned = |p: &PlaceId| {
            let mut pairs = concealed.into_iter().flat_map(|attr| self.state.all_pairs(attr));
            pairs.any(|pair| self.state.place(&self.link.layout, pair.0) == Some(*p))
        };
        let secret = |p: &PlaceId| places.get(p.index()).is_some_and(|d| d.secrecy != Secrecy::Open) || turned(p);
        let mut found = false;
        walk::sel(sel, &mut |node| {
            if let walk::Node::Sel(Sel::In(place, _) | Sel::Top(place, ..)) = node {
                found |= secret(place);
            }
        });
        found
    }

    /// Whether some may not look where several things are chosen from.
    fn pool_is_secret(&self, parameter: &Parameter) -> bool {
        match &parameter.from {
            Pool::Things(conjuncts) => conjuncts.iter().any(|sel| self.reads_hidden(sel)),
            // total: none are chosen there
            Pool::Entries(..) => false,
        }
    }

    /// Whether the choices of several of a declaration can be made; who wants all that is against it hears of it.
    pub(crate) fn check_open<S: Sink>(&self, attempt: &Attempt, sink: &mut S) -> bool {
        let attempt = &self.again(attempt);
        if self.completes(attempt) {
            return true;
        }
        if S::ALL {
            self.tell_why_open(attempt, sink);
        }
        false
    }

    /// The same attempt, as one of the program that is asked.
    fn again(&self, attempt: &Attempt) -> Attempt<'a> {
        let own = Attempt::new(self.link, attempt.id, attempt.seat, attempt.this);
        Attempt { effect: attempt.effect, locals: attempt.locals.clone(), open: attempt.open, ..own }
    }

    /// Tells why no choice of several will do: too few are there, or what is against taking as many as may be taken.
    fn tell_why_open<S: Sink>(&self, attempt: &Attempt<'a>, sink: &mut S) {
        let mut sample = attempt.clone();
        for parameter in &attempt.allowance.parameters {
            let Some(several) = parameter.several else { continue };
            let (mut pool, all) = (self.pool_of(&sample, parameter), self.drawn_from(&sample, parameter));
            if several.lacks(pool.len()) {
                sink.fails(self, attempt, Why::TooFew { parameter, there: pool.len() });
                if let Some(thing) = all.minus(pool.words()).first().filter(|_| !several.lacks(all.len())) {
                    self.check_one(&sample, parameter, thing, sink);
                }
                return;
            }
            if let Some(most) = several.most {
                let some: Vec<ThingId> = pool.iter().take(usize::from(most)).collect();
                pool.retain(|thing| some.contains(&thing));
            }
            bind(&mut sample.locals, parameter.slot, Value::of_set(pool));
        }
        sample.open = false;
        if self.check_tail(&sample, Phase::Chosen, sink) {
            self.check_tried(&sample, sink);
        }
    }
}
