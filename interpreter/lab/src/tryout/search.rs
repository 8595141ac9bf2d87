//! Looking for a decision at which the card is offered; and, where there is none, for the nearest refusal.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_compiler::phrases::Phrases;
use netrep_compiler::{Compiler, Profile};
use netrep_engine::{Chooser, DecisionKind, Game, Submission, ThingId};
use netrep_ir::{ActionId, Allowance, AllowanceId, CardId, ClauseId, Program};

use super::near::{Near, nearest, score};
use super::said::{fenced, offered_and_done, option_words, seat_words};
use super::stage::Stage;
use super::{Demonstration, Goal, Number, Outcome, Refused, Way, mended};
use crate::driver::{begun, drive};
use crate::narrate::{named, quiet_answer, title};
use crate::prepare::Prepared;
use crate::report::{Step, citation};
use crate::why::{Derived, verdict_of};

/// How many decisions are passed over where no move is written: before the script, and after it.
const QUIET: [usize; 2] = [40, 160];
/// How many decisions are looked at in all, before what was nearest is tried to be mended.
const VISITS: usize = 20_000;
/// How many positions of one kind (who is asked what, in which procedures) are searched for near refusals.
const SAMPLES: usize = 3;
/// How many attempts at one way are explained in all.
const EXPLAINED: usize = 4_000;
/// So many near refusals are kept for each way, each in a position of its own.
const NEARS: usize = 6;
/// So many other cards are tried in the place of one, and so many positions with another card in all.
const OTHERS: (usize, usize) = (60, 200);

/// What is known of a goal.
struct Aim {
    goal: Goal,
    done: Option<Demonstration>,
    /// The allowance that was used, if it is done.
    used: Option<AllowanceId>,
    /// The nearest refusals, the nearest first.
    nears: Vec<Near>,
    /// How many attempts may still be explained.
    left: usize,
    /// The kind of declaration, if a rule allows it.
    carried: Option<ActionId>,
}

/// The search for one card.
pub(crate) struct Search<'c> {
    pub compiler: &'c Compiler,
    pub program: &'c Arc<Program>,
    pub card: CardId,
    pub profile: &'c Profile,
    pub stages: Vec<Stage>,
    pub phrases: Vec<(Profile, Phrases<'c>)>,
    aims: Vec<Aim>,
    /// Modifiers of the card that have been seen at work.
    seen: Vec<(ClauseId, Number)>,
    /// Some position has been looked at, so that rules about cards like it are known.
    asked_rules: bool,
    looked: usize,
    visits: usize,
    sampled: BTreeMap<String, usize>,
}

impl<'c> Search<'c> {
    pub(super) fn new(
        compiler: &'c Compiler,
        program: &'c Arc<Program>,
        card: CardId,
        profile: &'c Profile,
        stages: Vec<Stage>,
    ) -> Search<'c> {
        let own = |(i, one): (usize, &Allowance)| {
            (one.card == Some(card)).then(|| Goal { allowances: vec![AllowanceId::from_index(i)] })
        };
        let aims = program.allowances.iter().enumerate().filter_map(own).map(Aim::new).collect();
        let (phrases, seen, sampled) = (Vec::new(), Vec::new(), BTreeMap::new());
        Search {
            compiler,
            program,
            card,
            profile,
            stages,
            phrases,
            aims,
            seen,
            asked_rules: false,
            looked: 0,
            visits: 0,
            sampled,
        }
    }

    /// Looks in all stages: first where they begin, then at every decision that their moves reach; those that speak of
    /// the card before those to which it was added, of which there are many.
    pub(super) fn look(&mut self) {
        let mut begun = BTreeSet::new();
        for (added, whole) in [(false, false), (false, true), (true, false), (true, true)] {
            for at in 0..self.stages.len() {
                if self.is_satisfied(whole) {
                    return;
                }
                if self.visits > VISITS {
                    break;
                }
                let Some(stage) = self.stages.get(at) else { return };
                if stage.added != added || whole && stage.lines.is_empty() {
                    continue;
                }
                let text = stage.text(if whole { usize::MAX } else { 0 }, &[], "");
                // Many begin alike and differ in their moves only.
                if !whole && !begun.insert(text.clone()) {
                    continue;
                }
                if let Some(prepared) = self.staged(&text) {
                    self.looked += usize::from(!whole);
                    self.walk(at, &prepared, whole);
                }
            }
        }
        for i in 0..self.aims.len() {
            self.mend(i);
            self.vary(i);
        }
    }

    /// True if nothing is left to be found. What is not offered anywhere is looked for to the end.
    fn is_satisfied(&self, whole: bool) -> bool {
        let modifiers = self.modifiers();
        let numbers = whole || modifiers.iter().all(|clause| self.seen.iter().any(|(seen, _)| seen == clause));
        self.asked_rules && self.aims.iter().all(|aim| aim.done.is_some()) && numbers
    }

    /// The clauses of the card's continuous modifiers of numbers.
    fn modifiers(&self) -> Vec<ClauseId> {
        let own = self.program.modifiers.iter().filter(|one| one.card == Some(self.card) && !one.delayed);
        own.map(|one| one.clause).collect()
    }

    /// The things of the card in a stage, the last one first: it is the one that was put there.
    fn things(&self, prepared: &Prepared) -> Vec<ThingId> {
        let card = self.program.cards.get(self.card.index()).map(|decl| decl.id.as_str());
        let is_it = |id: &CardId| prepared.program.cards.get(id.index()).map(|decl| decl.id.as_str()) == card;
        let cards = prepared.position.setup.cards.iter().enumerate().rev();
        cards.filter(|(_, id)| is_it(id)).map(|(i, _)| ThingId::from_index(i)).collect()
    }

    /// Plays a stage and looks at every decision.
    fn walk(&mut self, at: usize, prepared: &Prepared, whole: bool) {
        let things = self.things(prepared);
        // Another reading has another program, whose ids are not those of the goals.
        if things.is_empty() || !Arc::ptr_eq(&prepared.program, self.program) {
            return;
        }
        let Ok(mut game) = begun(prepared) else { return };
        self.see_numbers(at, &game, &things);
        self.ask_rules(&game, &things);
        self.play(at, prepared, whole, &mut game, &things);
        self.ask_rules(&game, &things);
        self.see_numbers(at, &game, &things);
    }

    /// Makes the moves of a stage if the whole of it is wanted, then passes on; looks at every decision.
    fn play(&mut self, at: usize, prepared: &Prepared, whole: bool, game: &mut Game, things: &[ThingId]) {
        let steps = if whole { drive(prepared, None).steps } else { Vec::new() };
        let mut lines = 0;
        for step in &steps {
            self.visit(at, lines, game, things);
            if matches!(step.from, crate::report::From::Script(_)) {
                lines += 1;
            }
            let Some(submission) = submission_of(game, step, prepared.scenario.seed) else { return };
            if game.take(&submission).is_err() || self.is_satisfied(true) {
                return;
            }
        }
        for _ in 0..QUIET[usize::from(whole)] {
            self.visit(at, lines, game, things);
            let Some(next) = quiet_answer(game, prepared.scenario.seed) else { return };
            if game.take(&next).is_err() {
                return;
            }
        }
    }

    /// Looks at a decision.
    fn visit(&mut self, at: usize, lines: usize, game: &Game, things: &[ThingId]) {
        self.visits += 1;
        let Some(decision) = game.decision() else { return };
        let (DecisionKind::Act, Chooser::Seat(_)) = (&decision.kind, decision.by) else { return };
        let offered: Vec<Submission> = game.options();
        let uses = |submission: &&Submission| match submission {
            // What the card gives to others is used by those.
            Submission::Declare { allowance, this: Some(this), .. } => {
                let gives = |one: &Allowance| one.card == Some(self.card) && one.carriers.is_some();
                things.contains(this) || self.program.allowances.get(allowance.index()).is_some_and(gives)
            }
            _ => false,
        };
        let with_card: Vec<&Submission> = offered.iter().filter(uses).collect();
        for i in 0..self.aims.len() {
            let Some(aim) = self.aims.get(i).filter(|aim| aim.done.is_none()) else { continue };
            match with_card.iter().find(|submission| aim.goal.is_met_by(submission)) {
                Some(submission) => self.demonstrate(i, at, lines, game, submission),
                None => self.nearly(i, at, lines, game, things),
            }
        }
    }

    /// Adds the ways that rules about cards like it allow here.
    fn ask_rules(&mut self, game: &Game, things: &[ThingId]) {
        self.asked_rules = true;
        for (i, allowance) in self.program.allowances.iter().enumerate() {
            let id = AllowanceId::from_index(i);
            if self.aims.iter().any(|aim| aim.goal.allowances.contains(&id)) {
                continue;
            }
            let is_such = |sel: &netrep_ir::Sel| things.first().is_some_and(|thing| game.select(sel).contains(*thing));
            if !allowance.carriers.as_ref().is_some_and(is_such) {
                continue;
            }
            // Several clauses of one kind of declaration are alternatives of one way.
            let same = |aim: &&mut Aim| allowance.action.is_some() && aim.carried == allowance.action;
            match self.aims.iter_mut().find(same) {
                Some(aim) => aim.goal.allowances.push(id),
                None => {
                    let aim = Aim { carried: allowance.action, ..Aim::new(Goal { allowances: vec![id] }) };
                    self.aims.push(aim);
                }
            }
        }
    }

    /// Numbers that the card's modifiers change here.
    fn see_numbers(&mut self, at: usize, game: &Game, own: &[ThingId]) {
        let unseen: Vec<ClauseId> =
            self.modifiers().into_iter().filter(|clause| !self.seen.iter().any(|(seen, _)| seen == clause)).collect();
        if unseen.is_empty() {
            return;
        }
        let Some(stage) = self.stages.get(at) else { return };
        for modifier in self.program.modifiers.iter().filter(|one| unseen.contains(&one.clause)) {
            let things = (0..game.things()).map(ThingId::from_index).filter(|other| game.exists(*other));
            for other in things {
                let found = game.derive(modifier.attr, other);
                let works = |step: &netrep_engine::DerivationStep| {
                    let own = modifier.carriers.is_some() || step.source.is_some_and(|source| own.contains(&source));
                    step.clause == modifier.clause && own && step.before != step.after
                };
                if !found.steps.iter().any(works) {
                    continue;
                }
                let attr = named(self.program.attrs.get(modifier.attr.index()).map(|attr| &attr.name));
                let words = format!("{attr} of {}", game.thing_words(other));
                let number = Derived::new(game, modifier.attr, other, words);
                self.seen.push((modifier.clause, Number { origin: stage.origin.clone(), number }));
                break;
            }
        }
    }

    /// The option as a scenario of its own, and what happens in it.
    fn demonstrate(&mut self, aim: usize, at: usize, lines: usize, game: &Game, submission: &Submission) {
        let Some(stage) = self.stages.get(at).cloned() else { return };
        let stage = &stage;
        let Some(words) = option_words(game, submission, stage) else { return };
        let text = stage.text(lines, &[], &offered_and_done(&seat_words(game), &words));
        if let Some(done) = self.played(stage, &text, submission, Vec::new()) {
            self.did(aim, submission, done);
        }
    }

    fn did(&mut self, aim: usize, submission: &Submission, done: Demonstration) {
        if let (Some(aim), Submission::Declare { allowance, .. }) = (self.aims.get_mut(aim), submission) {
            aim.done = Some(done);
            aim.used = Some(*allowance);
        }
    }

    /// The nearest refusal of a goal at a decision, if it is nearer than what is known.
    fn nearly(&mut self, aim: usize, at: usize, lines: usize, game: &Game, things: &[ThingId]) {
        let kind = format!("{aim} {:?} {:?}", game.decision().map(|decision| decision.clause), game.running());
        let Some(one) = self.aims.get_mut(aim).filter(|one| one.left > 0) else { return };
        let sampled = self.sampled.entry(kind).or_default();
        *sampled += 1;
        if *sampled > SAMPLES {
            return;
        }
        for id in one.goal.allowances.clone() {
            let Some(allowance) = self.program.allowances.get(id.index()) else { continue };
            for thing in things {
                let Some((submission, verdict)) = nearest(game, id, allowance, *thing, &mut one.left) else { continue };
                if !verdict.legal {
                    one.nears.push(Near { stage: at, lines, game: game.clone(), submission, verdict });
                }
            }
        }
        one.nears.sort_by_key(|near| score(&near.verdict));
        let mut stages = BTreeSet::new();
        one.nears.retain(|near| stages.insert(near.stage));
        one.nears.truncate(NEARS);
    }

    /// Makes one of the nearest refusals of a goal legal, if it can be.
    fn mend(&mut self, aim: usize) {
        let Some(undone) = self.aims.get(aim).filter(|aim| aim.done.is_none()) else { return };
        let mended = undone.nears.iter().find_map(|near| Some((near.submission.clone(), mended::mended(self, near)?)));
        if let Some((submission, done)) = mended {
            self.did(aim, &submission, done);
        }
    }

    /// Looks where the goal was nearly reached, with another card in the place of one that is there.
    fn vary(&mut self, aim: usize) {
        let undone = |search: &Search<'_>| search.aims.get(aim).is_some_and(|aim| aim.done.is_none());
        let near = self.aims.get(aim).map(|aim| aim.nears.iter().map(|near| (near.stage, near.lines > 0)));
        let near: Vec<(usize, bool)> = near.into_iter().flatten().collect();
        let mut left = OTHERS.1;
        for (at, whole) in near {
            let variants = match self.stages.get(at) {
                Some(stage) => stage.variants(self.program, self.card, OTHERS.0),
                None => continue,
            };
            for variant in variants.into_iter().take(left) {
                if !undone(self) {
                    return;
                }
                left -= 1;
                let text = variant.text(if whole { usize::MAX } else { 0 }, &[], "");
                self.stages.push(variant);
                match self.staged(&text) {
                    Some(prepared) => {
                        self.looked += 1;
                        self.walk(self.stages.len() - 1, &prepared, whole);
                    }
                    None => drop(self.stages.pop()),
                }
            }
        }
    }

    pub(super) fn title(&self) -> String {
        format!("trying {}", title(self.program, &self.program.cards[self.card.index()]))
    }

    pub(super) fn positions(&self) -> usize {
        self.looked
    }

    pub(super) fn numbers(&self) -> Vec<Number> {
        let mut seen = self.seen.clone();
        seen.sort_by_key(|(clause, _)| *clause);
        seen.into_iter().map(|(_, number)| number).collect()
    }

    /// What is known of each way.
    pub(super) fn ways(self) -> Vec<Way> {
        let (program, title) = (self.program, self.title());
        let stages = self.stages;
        let way = |mut aim: Aim| {
            // A goal has at least one, with which it was made.
            let first = &program.allowances[aim.goal.allowances[0].index()];
            let near = if aim.nears.is_empty() { None } else { Some(aim.nears.swap_remove(0)) };
            let clause = match (aim.used, &near) {
                (Some(used), _) => program.allowances[used.index()].clause,
                (None, Some(near)) => near.verdict.licence,
                (None, None) => first.clause,
            };
            let outcome = match (aim.done, near) {
                (Some(done), _) => Outcome::Done(Box::new(done)),
                (None, Some(near)) => match stages.get(near.stage) {
                    Some(stage) => Outcome::Refused(Box::new(refused(&near, stage, &title))),
                    None => Outcome::Untried,
                },
                (None, None) => Outcome::Untried,
            };
            Way { words: first.words.clone(), clause: citation(program, clause), outcome }
        };
        self.aims.into_iter().map(way).collect()
    }
}

fn refused(near: &Near, stage: &Stage, title: &str) -> Refused {
    let words = near.game.submission_words(&near.submission);
    Refused {
        origin: stage.origin.clone(),
        scenario: fenced(title, &stage.text(near.lines, &[], "")),
        tried: verdict_of(&near.game, words, &near.verdict),
    }
}

impl Aim {
    fn new(goal: Goal) -> Aim {
        Aim { goal, done: None, used: None, nears: Vec::new(), left: EXPLAINED, carried: None }
    }
}

impl Goal {
    fn is_met_by(&self, submission: &Submission) -> bool {
        matches!(submission, Submission::Declare { allowance, .. } if self.allowances.contains(allowance))
    }
}

/// The submission of a step that a driver took.
fn submission_of(game: &Game, step: &Step, seed: Option<u64>) -> Option<Submission> {
    match (step.from, game.decision()?.by) {
        (crate::report::From::Seed, _) => game.keyed_roll(seed?),
        (_, Chooser::Chance) => step.chosen.parse().ok().map(Submission::Dice).or_else(|| game.find(&step.chosen)),
        _ => game.find(&step.chosen),
    }
}
