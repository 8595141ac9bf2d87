//! What must hold at every decision of every game.

use netrep_engine::{Game, Refusal, Submission, ThingId, Value};
use netrep_ir::{AllowanceId, Cond, EntryId, PlaceId, Pool};

use super::chance::Chance;
use super::{Counts, Trouble};
use crate::attempts::listed;
use crate::report::label;

/// What is wrong, in words.
pub(super) type Wrong = (Trouble, String);

/// The laws of a program and a position.
pub(super) struct Laws {
    /// The rules' invariants with the labels of their clauses.
    invariants: Vec<(String, Cond)>,
    places: Vec<PlaceId>,
    /// The cards that lie somewhere at the start: they always do.
    placed: Vec<ThingId>,
}

impl Laws {
    pub(super) fn of(start: &Game) -> Laws {
        let program = start.program();
        let cards = (0..start.things()).map(ThingId::from_index).filter(|t| start.card_of(*t).is_some());
        Laws {
            invariants: program
                .invariants
                .iter()
                .map(|i| (label(program, i.clause).to_owned(), i.cond.clone()))
                .collect(),
            places: (0..program.places.len()).map(PlaceId::from_index).collect(),
            placed: cards.filter(|t| start.place_of(*t).is_some()).collect(),
        }
    }

    /// What does not hold in a position.
    pub(super) fn broken(&self, game: &Game) -> Option<Wrong> {
        if let Some(fault) = game.fault() {
            return Some((Trouble::Failed, fault.to_string()));
        }
        if let Some((label, _)) = self.invariants.iter().find(|(_, cond)| !game.holds(cond)) {
            return Some((Trouble::Invariant, format!("{label} does not hold")));
        }
        self.misplaced(game)
    }

    fn misplaced(&self, game: &Game) -> Option<Wrong> {
        let mut found = vec![0u32; game.things()];
        for place in &self.places {
            for thing in game.in_place(*place, None) {
                if let Some(n) = found.get_mut(thing.index()) {
                    *n += 1;
                }
                if game.place_of(thing).is_none_or(|at| at.0 != *place) {
                    return Some((Trouble::Misplaced, format!("{} is and is not there", game.thing_words(thing))));
                }
            }
        }
        let there = self.placed.iter().filter(|thing| game.exists(**thing));
        let (thing, n) = there.map(|thing| (thing, found[thing.index()])).find(|(_, n)| *n != 1)?;
        Some((Trouble::Misplaced, format!("{} is in {n} places", game.thing_words(*thing))))
    }

    /// Whether the declarations that are offered are those that are found by trying everything.
    pub(super) fn offered(&self, game: &Game, options: &[Submission]) -> Option<Wrong> {
        let tried = game.declarations_tried();
        let declared: Vec<&Submission> = options.iter().filter(|s| matches!(s, Submission::Declare { .. })).collect();
        // Where something must be done, what does not fulfil it is not offered.
        let bound = !tried.is_empty() && !options.contains(&Submission::Pass);
        let same = if bound { declared.iter().all(|one| tried.contains(one)) } else { tried.iter().eq(declared) };
        let text = || format!("{} declarations are found by trying everything", tried.len());
        (!same).then(|| (Trouble::Offered, text()))
    }

    /// Whether what is supposed comes to the same as what is done in a copy: an answer, and what is offered first then.
    pub(super) fn supposed(&self, game: &mut Game, submission: &Submission) -> Option<Wrong> {
        let seen = |game: &mut Game| -> Option<(u64, Vec<Submission>, u64)> {
            game.take(submission).ok()?;
            let (hash, options) = (game.position_hash(), game.options());
            options.first().map(|next| game.take(next));
            Some((hash, options, game.position_hash()))
        };
        let there = seen(&mut game.clone());
        let same = game.suppose(seen) == there;
        (!same).then(|| (Trouble::Supposed, game.submission_words(submission)))
    }

    /// Whether what is offered is accepted and nothing else is: of some submissions, sound or not. What is wrong, and with
    /// which of them.
    pub(super) fn accepted(
        &self,
        game: &Game,
        options: &[Submission],
        tries: usize,
        chance: &mut Chance,
        counts: &mut Counts,
    ) -> Option<(Wrong, Submission)> {
        counts.samples += 1;
        for n in 0..tries {
            let submission = any(game, options, chance);
            let offered = options.contains(&submission);
            if game.is_legal(&submission) != offered {
                let trouble = if offered { Trouble::Refused } else { Trouble::Accepted };
                let text = format!("{submission:?}, which reads {}", game.submission_words(&submission));
                return Some(((trouble, text), submission));
            }
            if !offered {
                counts.refusals += 1;
            }
            // To take it says more than to ask, and costs more.
            if n % 8 == 0 {
                let mut copy = game.clone();
                let taken = copy.take(&submission);
                if let Err(Refusal::Failed(error)) = &taken {
                    let text = format!("{}: {error}", game.submission_words(&submission));
                    return Some(((Trouble::Failed, text), submission));
                }
                if taken.is_ok() != offered {
                    let trouble = if offered { Trouble::Refused } else { Trouble::Accepted };
                    let text = format!("{} is taken otherwise", game.submission_words(&submission));
                    return Some(((trouble, text), submission));
                }
                if taken.is_err() && copy != *game {
                    let text = format!("{} is refused and changes the position", game.submission_words(&submission));
                    return Some(((Trouble::Accepted, text), submission));
                }
                counts.acceptances += u64::from(offered);
            }
        }
        None
    }
}

/// A submission of any kind: an option, an option with something changed, or anything that can be said.
fn any(game: &Game, options: &[Submission], chance: &mut Chance) -> Submission {
    let thing = |chance: &mut Chance| Value::Thing(ThingId::from_index(chance.below(game.things())));
    // total: where nothing is offered, a pass is something to be refused.
    let option = options.get(chance.below(options.len())).cloned().unwrap_or(Submission::Pass);
    match (chance.below(4), option) {
        (0, option) => option,
        (1, Submission::Declare { allowance, this, effect, mut parameters }) => {
            let at = chance.below(parameters.len() + 1);
            match parameters.get_mut(at) {
                Some(parameter) if parameter.thing().is_some() => *parameter = thing(chance),
                Some(parameter) => *parameter = Value::Entry(EntryId::from_index(chance.below(entries(game)))),
                None => return Submission::Declare { allowance, this: thing(chance).thing(), effect, parameters },
            }
            Submission::Declare { allowance, this, effect, parameters }
        }
        (2, _) => declaration(game, chance, &thing),
        (1, _) => Submission::Pick(thing(chance)),
        _ => {
            let n = chance.below(6) as u16;
            let kinds = [
                Submission::Pass,
                Submission::Decline,
                Submission::Yes,
                Submission::No,
                Submission::Branch(n),
                Submission::Order(n),
                Submission::Dice(i32::from(n)),
                Submission::Pick(thing(chance)),
                Submission::Pick(Value::None),
            ];
            kinds[chance.below(kinds.len())].clone()
        }
    }
}

fn entries(game: &Game) -> usize {
    game.program().entries.len()
}

/// Any allowance with things and terms of the right kinds, mostly not where they should be.
fn declaration(game: &Game, chance: &mut Chance, thing: &dyn Fn(&mut Chance) -> Value) -> Submission {
    let program = game.program();
    let n = chance.below(program.allowances.len());
    // total: where nothing can be declared, a pass is something to be refused.
    let Some(allowance) = program.allowances.get(n) else { return Submission::Pass };
    let mut parameters = Vec::new();
    for parameter in &allowance.parameters {
        parameters.push(match &parameter.from {
            _ if parameter.several.is_some() && chance.below(4) > 0 => Value::None,
            Pool::Things(_) => thing(chance),
            Pool::Entries(list, _) => {
                let entries = listed(program, *list);
                match entries.get(chance.below(entries.len())) {
                    Some(entry) => Value::Entry(*entry),
                    None => Value::None,
                }
            }
        });
    }
    let mut this = if chance.below(4) == 0 { None } else { thing(chance).thing() };
    if let Some(card) = allowance.card {
        // A thing that carries the clause, if there is one.
        let carries = |t: &ThingId| game.card_of(*t) == Some(card);
        this = (0..game.things()).map(ThingId::from_index).find(carries).or(this);
    }
    let effect = u16::from(chance.below(8) == 0);
    Submission::Declare { allowance: AllowanceId::from_index(n), this, effect, parameters }
}
