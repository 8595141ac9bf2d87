//! A game: the one type that the world outside handles.

mod back;
pub(crate) mod make_true;
pub(crate) mod save;
pub(crate) mod setup;
mod suppose;
pub(crate) mod verdict;

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use netrep_ir::*;

use crate::act::chance;
use crate::act::run::{Run, Step};
use crate::ask::eval::{Cx, Eval};
use crate::ask::running::Running;
use crate::game::back::{ANSWERS, Back};
use crate::game::setup::{Fact, Setup};
use crate::game::suppose::Lent;
use crate::game::verdict::Verdict;
use crate::position::cache::Cache;
use crate::position::consulted::Consulted;
use crate::position::error::{EngineError, ErrorKind, Fault, SetupError};
use crate::position::kept::Kept;
use crate::position::link::Link;
use crate::position::set::{Set, ThingId};
use crate::position::stack::{Decision, Frame, Kind};
use crate::position::state::State;
use crate::position::submission::Submission;
use crate::position::tally::Tally;
use crate::position::trace::TraceEntry;
use crate::position::value::Value;
use crate::position::verify::{Planted, Verify, Verifying};

/// Why a submission was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not legal; the verdict says why.
    Illegal(Box<Verdict>),
    /// The engine stopped with an error; the game stays at the decision.
    Failed(Box<EngineError>),
    /// Nothing is to be decided: the stack is empty.
    Over,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Illegal(verdict) => {
                let texts: Vec<&str> = verdict.reasons.iter().map(|r| r.text.as_str()).collect();
                f.write_str(&texts.join("; "))
            }
            Refusal::Failed(error) => error.fmt(f),
            Refusal::Over => f.write_str("nothing is to be decided"),
        }
    }
}

impl std::error::Error for Refusal {}

/// A game at a decision (or over). Cloning forks it; equality and hash are those of the position.
#[derive(Debug)]
pub struct Game {
    link: Arc<Link>,
    state: State,
    cache: Cache,
    trace: Option<Vec<TraceEntry>>,
    /// The way back from an answer that fails.
    back: Back,
    /// What was offered when it was listed last, and at which moment.
    offered: RefCell<(u64, Arc<Vec<Submission>>)>,
    /// If something is supposed in this copy: what the game lends to it.
    lent: Option<Box<Lent>>,
    /// The copy in which something was supposed last, for its room.
    supposed: Option<Box<Game>>,
}

impl Clone for Game {
    fn clone(&self) -> Game {
        let (log, effects) = (self.cache.log.clone(), self.cache.effects.clone());
        let verifying = self.cache.verifying.clone();
        let cache = Cache { log, effects, verifying, ..Cache::empty(&self.link) };
        Game {
            link: Arc::clone(&self.link),
            state: self.state.clone(),
            cache,
            trace: self.trace.clone(),
            back: Back::default(),
            offered: RefCell::default(),
            lent: None,
            supposed: None,
        }
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.state == other.state
    }
}

impl Eq for Game {}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.position_hash());
    }
}

impl Game {
    /// A game from a position; runs to its first decision.
    ///
    /// # Errors
    /// Facts that cannot be made true, invariants that fail, procedures that cannot stand where they should.
    pub fn new(program: Arc<Program>, setup: Setup) -> Result<Game, Vec<SetupError>> {
        crate::game::setup::build(program, setup)
    }

    /// The things to which a card or a rule gives what it allows, where it gives it to others.
    pub fn given(&self, id: AllowanceId) -> Vec<ThingId> {
        self.eval().given(id).iter().collect()
    }

    /// How many effects in force allow this to this thing: what a declaration of it may name.
    pub fn allowed_by_effects(&self, id: AllowanceId, this: Option<ThingId>) -> u16 {
        crate::position::value::short(self.eval().allowed_by(id, this).count())
    }

    /// A position with one of each card of a program, in no place, and nothing else: for questions about what is printed. The
    /// invariants of what is played do not hold in it.
    ///
    /// # Errors
    /// More cards than a game can hold.
    pub fn of_each_card(program: Arc<Program>) -> Result<Game, Vec<SetupError>> {
        let cards = (0..program.cards.len()).map(CardId::from_index).collect();
        crate::game::setup::lay_out(program, Setup { cards, ..Setup::default() })
    }

    /// A position with what is so in it, of which the invariants are not asked and in which nothing runs: for questions about
    /// cards before they have their places.
    ///
    /// # Errors
    /// Facts that cannot be made true, more things than a game can hold.
    pub fn laid_out(program: Arc<Program>, setup: Setup) -> Result<Game, Vec<SetupError>> {
        crate::game::setup::laid_out(program, setup).map(|(game, _)| game)
    }

    pub(crate) fn assemble(link: Arc<Link>, state: State, cache: Cache) -> Game {
        Game {
            link,
            state,
            cache,
            trace: None,
            back: Back::default(),
            offered: RefCell::default(),
            lent: None,
            supposed: None,
        }
    }

    pub(crate) fn eval(&self) -> Eval<'_> {
        let below = self.lent.as_ref().and_then(|lent| lent.kept());
        Eval { below, ..Eval::of(&self.link, &self.state, &self.cache) }
    }

    pub(crate) fn link(&self) -> &Arc<Link> {
        &self.link
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Changes the position; a fault is given its label.
    pub(crate) fn with_run(&mut self, change: impl FnOnce(&mut Run) -> Step) -> Result<(), EngineError> {
        self.back.since = None;
        self.run(change)
    }

    fn run(&mut self, change: impl FnOnce(&mut Run) -> Step) -> Result<(), EngineError> {
        let link = Arc::clone(&self.link);
        let below = self.lent.as_ref().and_then(|lent| lent.kept());
        let mut run = Run { below, ..Run::new(&link, &mut self.state, &mut self.cache, &mut self.trace) };
        let outcome = change(&mut run).and_then(|()| run.faults());
        outcome.map_err(|fault| self.labelled(fault))
    }

    /// A fault with the label of its clause.
    fn labelled(&self, Fault { kind, clause, text }: Fault) -> EngineError {
        EngineError { kind, clause, label: self.link.label(clause).to_string(), text }
    }

    pub(crate) fn go(&mut self) -> Result<(), EngineError> {
        self.with_run(|run| run.run())
    }

    /// The compiled program.
    pub fn program(&self) -> &Arc<Program> {
        &self.link.program
    }

    /// What is to be decided; `None` when nothing is left to do.
    pub fn decision(&self) -> Option<&Decision> {
        self.state.ask.as_ref()
    }

    /// Everything that may be submitted, in order of ids.
    pub fn options(&self) -> Vec<Submission> {
        let options = self.eval().options();
        // What is listed with a fault is not taken.
        if self.cache.fault.borrow().is_none() {
            *self.offered.borrow_mut() = (self.state.moment(), Arc::new(options.clone()));
        }
        options
    }

    /// Whether a submission was offered when the options of this position were listed: what is offered is legal.
    fn was_offered(&self, submission: &Submission) -> bool {
        let offered = self.offered.borrow();
        offered.0 == self.state.moment() && offered.1.contains(submission) && !self.cache.verifying.is_due()
    }

    /// The options with their words, which are distinct: where two would say the same, the clause is added.
    pub fn options_in_words(&self) -> Vec<(String, Submission)> {
        let eval = self.eval();
        let mut all: Vec<(String, Submission)> =
            eval.options().into_iter().map(|s| (eval.submission_words(&s), s)).collect();
        let twice: Vec<bool> = all.iter().map(|a| all.iter().filter(|b| b.0 == a.0).count() > 1).collect();
        for (i, entry) in all.iter_mut().enumerate() {
            if twice[i] {
                match &entry.1 {
                    Submission::Declare { allowance, .. } => {
                        let label = self.link.label(self.program().allowance(*allowance).clause);
                        entry.0 = format!("{} {label}", entry.0);
                    }
                    _ => entry.0 = format!("{} [{}]", entry.0, i + 1),
                }
            }
        }
        all
    }

    /// The offered submission of these words.
    pub fn find(&self, words: &str) -> Option<Submission> {
        self.options_in_words().into_iter().find(|o| o.0 == words).map(|o| o.1)
    }

    /// The declarations among the options, found by trying each on each thing with each choice, as a submission is
    /// checked: for proofs that the faster way in which [`Game::options`] finds them leaves none out and adds none.
    pub fn declarations_tried(&self) -> Vec<Submission> {
        self.eval().declarations_tried()
    }

    /// Submissions of every kind on any things, legal or not, at most `most` of them.
    pub fn candidates(&self, most: usize) -> Vec<Submission> {
        self.eval().candidates(most)
    }

    /// Whether a submission would be taken.
    pub fn is_legal(&self, submission: &Submission) -> bool {
        self.eval().legal(submission)
    }

    /// Answers the decision and runs to the next one.
    ///
    /// # Errors
    /// [`Refusal`]; the game is then as it was.
    pub fn take(&mut self, submission: &Submission) -> Result<(), Refusal> {
        if self.state.ask.is_none() {
            return Err(Refusal::Over);
        }
        let legal = self.was_offered(submission) || self.eval().legal(submission);
        if let Some(fault) = self.cache.fault.take() {
            // What is stale is evaluated anew, so that the fault stands until the position changes.
            self.cache.forget();
            self.offered.take();
            return Err(Refusal::Failed(Box::new(self.labelled(fault))));
        }
        if !legal {
            return Err(Refusal::Illegal(Box::new(self.explain(submission))));
        }
        let link = Arc::clone(&self.link);
        let traced = self.trace().len();
        if self.back.since.as_ref().is_none_or(|since| since.len() >= ANSWERS) {
            self.note_position();
        }
        let verified = self.cache.verifying.is_due().then(|| self.state.clone());
        let mut narrow: Option<State> = None;
        while let Err(error) = self.answer(submission) {
            if let Some(trace) = &mut self.trace {
                trace.truncate(traced);
            }
            self.go_back()?;
            if error.kind == ErrorKind::Overflow {
                if narrow.is_none() {
                    narrow = Some(self.state.clone());
                }
                if self.grow() {
                    self.note_position();
                    continue;
                }
            }
            if let Some(narrow) = narrow
                && !Arc::ptr_eq(&self.link, &link)
            {
                self.cache = self.cache.emptied(&link);
                (self.link, self.state) = (link, narrow);
                self.back.since = None;
            }
            return Err(Refusal::Failed(Box::new(error)));
        }
        if let Some(before) = verified.filter(|before| before.is_as_wide_as(&self.state)) {
            self.verify_answer(submission, &before)?;
        }
        if crate::position::grow::is_tight(&self.link, &self.state) {
            self.grow();
            self.back.since = None;
        }
        if self.cache.kept.is_full() {
            self.cache.kept = Kept::default();
        }
        if let Some(since) = &mut self.back.since {
            since.push(submission.clone());
        }
        Ok(())
    }

    /// Has room for more things from now on; false if it has as much as can be.
    fn grow(&mut self) -> bool {
        // What is kept of the game in which this is supposed is as wide as that.
        if let Some(lent) = &mut self.lent {
            lent.keep_apart();
        }
        crate::position::grow::grow(&mut self.link, &mut self.state, &mut self.cache)
    }

    /// Does what a legal submission says.
    fn answer(&mut self, submission: &Submission) -> Result<(), EngineError> {
        self.run(|run| {
            run.apply(submission)?;
            run.run()
        })
    }

    /// Works out again what is worked out faster than it is said, and stops the game where that makes a difference. Copies of
    /// the game do so too.
    pub fn verify(&mut self, how: Verify) {
        self.cache.verifying = Verifying::new(how);
        let sums = self.state.sums.get_mut();
        sums.stuck = how.planted == Some(Planted::Sums);
        sums.is_uncopied = how.planted == Some(Planted::Copies);
    }

    /// Answers every decision of chance that is asked now, keyed by a seed; stops at the first that is not chance's.
    ///
    /// # Errors
    /// As [`Game::take`].
    pub fn answer_chance(&mut self, seed: u64) -> Result<bool, Refusal> {
        let mut any = false;
        while let Some(submission) = chance::roll(&self.eval(), seed) {
            self.take(&submission)?;
            any = true;
        }
        Ok(any)
    }

    /// What chance would submit at this decision with a seed; `None` if the decision is not chance's.
    pub fn keyed_roll(&self, seed: u64) -> Option<Submission> {
        chance::roll(&self.eval(), seed)
    }

    /// Makes a fact true.
    ///
    /// # Errors
    /// In words, if it cannot be made true.
    pub fn assert(&mut self, fact: &Fact) -> Result<(), String> {
        crate::game::make_true::assert(self, fact)
    }

    /// Begins to trace (dropping an earlier trace), or stops.
    pub fn set_tracing(&mut self, on: bool) {
        self.trace = on.then(Vec::new);
    }

    /// The trace so far.
    pub fn trace(&self) -> &[TraceEntry] {
        // total: without a trace nothing is told.
        self.trace.as_deref().unwrap_or_default()
    }

    /// What this game has consulted since it was set up or since [`Game::clear_consulted`].
    pub fn consulted(&self) -> Consulted {
        self.cache.log.report()
    }

    /// Counts what is asked of each clause from now on, or stops. Copies of the game count into the same.
    pub fn count_into(&mut self, tally: Option<&Arc<Tally>>) {
        self.cache.log.count_into(tally);
    }

    /// Forgets what was consulted.
    pub fn clear_consulted(&mut self) {
        self.cache.log.clear();
        self.cache.forget();
    }

    /// A hash of the position. It rests on what things are called (ids of cards, numbers of rules, labels, words, renamed ones
    /// as they were before), so it is equal in every process and thread, wherever the data stand and whatever else they hold.
    pub fn position_hash(&self) -> u64 {
        crate::position::hash::position(&self.link, &self.state)
    }

    /// The position as JSON, in which every id is a label.
    pub fn save(&self) -> String {
        crate::game::save::save(self)
    }

    /// The game that was saved, under a program that still has what it refers to.
    ///
    /// # Errors
    /// [`crate::LoadError`], naming what is gone.
    pub fn load(program: Arc<Program>, text: &str) -> Result<Game, crate::game::save::LoadError> {
        crate::game::save::load(program, text)
    }

    /// Whether a condition holds.
    pub fn holds(&self, cond: &Cond) -> bool {
        self.eval().cond(&Cx::bare(), cond)
    }

    /// Whether a condition holds as far as a player can tell by their view; `None` if it hangs on what they may not know.
    pub fn seen_by(&self, seat: ThingId, cond: &Cond) -> Option<bool> {
        self.eval().seen_by(seat, &Cx::bare(), cond)
    }

    /// The things of a selection.
    pub fn select(&self, sel: &Sel) -> Set {
        self.eval().all(&Cx::bare(), sel)
    }

    /// A number of a thing as it is now.
    pub fn current(&self, attr: AttrId, thing: ThingId) -> i32 {
        self.eval().current(attr, thing)
    }

    /// A number.
    pub fn number(&self, num: &Num) -> i32 {
        self.eval().num(&Cx::bare(), num)
    }

    /// A value.
    pub fn value(&self, val: &Val) -> Value {
        self.eval().val(&Cx::bare(), val)
    }

    /// The first fault that an evaluation met at this decision (an undecided order, a recursion): nothing can be taken then.
    pub fn fault(&self) -> Option<EngineError> {
        let fault = self.cache.fault.try_borrow().ok()?.clone()?;
        Some(self.labelled(fault))
    }

    /// How many things the game has room for now; it grows as it goes on.
    pub fn capacity(&self) -> usize {
        self.link.layout.capacity
    }

    /// How many declared actions wait to be resolved.
    pub fn chain(&self) -> usize {
        let waiting = |f: &Frame| match &f.kind {
            Kind::Window(w) => w.chain.len(),
            Kind::Declare { .. } | Kind::Resolve { .. } => 1,
            _ => 0,
        };
        self.state.frames.iter().map(waiting).sum()
    }

    /// The window in response in which a player is asked now, by a number that no other window of the game has.
    pub fn responding(&self) -> Option<u32> {
        match self.state.frames.last().map(|f| &f.kind) {
            Some(Kind::Window(w)) if w.response && self.state.ask.is_some() => Some(w.serial),
            _ => None,
        }
    }

    /// How many things there have ever been; their ids are below it.
    pub fn things(&self) -> usize {
        self.state.ever()
    }

    /// Whether a thing exists.
    pub fn exists(&self, thing: ThingId) -> bool {
        self.state.exists(&self.link.layout, thing)
    }

    /// A thing's base class.
    pub fn class_of(&self, thing: ThingId) -> Option<ClassId> {
        self.state.classes.get(thing.index()).copied()
    }

    /// A thing's card, if it is one.
    pub fn card_of(&self, thing: ThingId) -> Option<CardId> {
        self.link.card_of(thing)
    }

    /// What was in the roles of a verb each time it happened, in order.
    pub fn history(&self, verb: VerbId) -> Vec<Vec<Option<ThingId>>> {
        let roles = self.program().verb(verb).roles.len();
        let rows = self.state.history.iter().filter(|row| row.verb == verb);
        rows.map(|row| (0..roles).map(|n| row.role(n)).collect()).collect()
    }

    /// The card on which a thing is printed, or that has it in addition.
    pub fn printed_on(&self, thing: ThingId) -> Option<ThingId> {
        self.eval().host_of(thing)
    }

    /// Where a thing is and whose that place is.
    pub fn place_of(&self, thing: ThingId) -> Option<(PlaceId, Option<ThingId>)> {
        let layout = &self.link.layout;
        let owner = self.state.thing_in(layout, thing, crate::program::layout::OWNER);
        self.state.place(layout, thing).map(|p| (p, owner))
    }

    /// The things in a place of an owner (of everyone, if none is given), lowest first.
    pub fn in_place(&self, place: PlaceId, owner: Option<ThingId>) -> Vec<ThingId> {
        self.eval().in_order(place, owner)
    }

    /// Whether two things are copies of one card, or things without a card, in one place, that nothing tells apart.
    pub fn alike(&self, one: ThingId, other: ThingId) -> bool {
        self.eval().alike(one, other)
    }

    /// A thing in words.
    pub fn thing_words(&self, thing: ThingId) -> String {
        self.eval().thing_words(thing)
    }

    /// The current value of an attribute in words.
    pub fn value_words(&self, attr: AttrId, thing: ThingId) -> String {
        self.eval().value_words(attr, thing)
    }

    /// A submission in words.
    pub fn submission_words(&self, submission: &Submission) -> String {
        self.eval().submission_words(submission)
    }

    /// The running procedures, outermost first, with the step in which each stands and what it is performed for.
    pub fn running(&self) -> Vec<Running> {
        crate::ask::running::running(&self.eval())
    }

    /// What has been declared and is not resolved yet, by what allows it.
    pub fn declared(&self) -> Vec<AllowanceId> {
        let mut found = Vec::new();
        for frame in &self.state.frames {
            match &frame.kind {
                Kind::Window(window) => found.extend(window.chain.iter().map(|item| item.allowance)),
                Kind::Declare { item, .. } | Kind::Resolve { item, .. } => found.push(item.allowance),
                _ => {}
            }
        }
        found
    }

    /// The name of a thing's name id.
    pub fn name(&self, name: NameId) -> &str {
        self.link.table.name(&self.link.program, name)
    }
}
