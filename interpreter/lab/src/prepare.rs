//! A scenario made ready for a profile: its position and script with every phrase compiled.
//!
//! The result is plain data, so that scenarios can be run on several threads although the compiler stays on one.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use netrep_compiler::phrases::Phrases;
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{ClauseId, Cond, ProcId, Program, StepId, Val};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::position::{Position, position};
use crate::problem::Source;
use crate::run::Job;
use crate::scenario::{self, CardsIn, Case, CaseAnswer, Cite, Expect, Scenario, Until, What};
use crate::words::nearest_name;

/// A scenario ready to be run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The profile.
    pub profile: Profile,
    /// Its program.
    pub program: Arc<Program>,
    /// The position.
    pub position: Position,
    /// The script, in order.
    pub script: Vec<Task>,
    /// What it cites.
    pub cites: Vec<Cited>,
}

/// A citation with the clauses that it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cited {
    /// As written.
    pub cite: Cite,
    /// The clauses.
    pub clauses: Vec<ClauseId>,
}

/// A line of the script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Where it stands.
    pub span: Span,
    /// What it does.
    pub action: Action,
    /// True if it is only asked: nothing is expected of the answer, and the run goes on as if nobody had asked.
    pub aside: bool,
}

/// What a line does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// A player's answer.
    Move {
        /// Who.
        by: String,
        /// The answer is to his next decision in the course of this, and to no other.
        at: Option<Moment>,
        /// The words.
        words: String,
    },
    /// A player says no to every offer of the step.
    DeclineAll {
        /// Who.
        by: String,
    },
    /// Everybody passes and declines up to a decision in the course of this.
    UntilAt(Moment),
    /// Everybody passes and declines up to the next decision of this player.
    UntilAsked(String),
    /// Everybody passes and declines up to the end.
    UntilOver,
    /// The total of the next roll.
    Dice {
        /// The total.
        total: i32,
        /// What the roll must be for.
        subject: Option<String>,
    },
    /// A name for what a phrase now means.
    Let {
        /// The name.
        label: String,
        /// The phrase.
        phrase: Val,
        /// Its words.
        text: String,
    },
    /// When a pile of a player is shuffled next, these cards come to lie on top.
    Stack {
        /// Whose pile.
        by: String,
        /// The cards in words, the topmost first.
        cards: Vec<String>,
    },
    /// What must be so for each of several answers to the decision at hand.
    Cases(Vec<Fork>),
    /// Exactly these cards a player has drawn since this was asked before.
    Drew {
        /// Who.
        by: String,
        /// The cards in words.
        cards: Vec<String>,
    },
    /// A condition must hold; its words.
    Holds(Cond, String),
    /// The decision at hand must be a player's and offer something.
    Offered {
        /// Who.
        by: String,
        /// It is his next decision that must.
        next: bool,
        /// The words.
        words: String,
    },
    /// Something must be refused at the decision at hand.
    Refused {
        /// Who.
        by: String,
        /// It must be at his next decision at which it can be tried.
        next: bool,
        /// The words.
        words: String,
        /// Of each, one clause must be among the reasons.
        because: Vec<Cited>,
    },
    /// A condition must hold as far as a player can tell, or he must not be able to tell.
    Seen {
        /// Who.
        by: String,
        /// The condition.
        cond: Cond,
        /// Its words.
        text: String,
        /// Whether he can tell.
        tells: bool,
    },
    /// A place must hold exactly these cards.
    Contents(CardsIn),
    /// Nothing may be left to decide.
    Over,
    /// A question whose words mean nothing under this profile, and what is wrong with them.
    Unsaid(Diagnostic),
}

/// A procedure or a step that is running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// As written.
    pub text: String,
    /// The procedure of this name.
    pub proc: Option<ProcId>,
    /// The steps of this name, of whatever procedure.
    pub steps: Vec<StepId>,
    /// What it is performed for: a label or a name.
    pub of: Option<String>,
}

/// One of several ways in which a script may go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fork {
    /// What parts it from the others.
    pub answer: ForkAnswer,
    /// What comes of it.
    pub script: Vec<Task>,
    /// Where it is named.
    pub span: Span,
}

/// What parts a fork from the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ForkAnswer {
    /// The next roll has one of these totals.
    Dice {
        /// The totals.
        totals: Vec<i32>,
        /// What the roll must be for.
        subject: Option<String>,
    },
    /// The next roll has a total that no other fork names.
    Else,
    /// A player's answer.
    Move {
        /// Who.
        by: String,
        /// The words.
        words: String,
    },
}

impl Action {
    /// True for what the driver submits, false for what it checks.
    pub(crate) fn is_submission(&self) -> bool {
        matches!(
            self,
            Action::Move { .. }
                | Action::Dice { .. }
                | Action::DeclineAll { .. }
                | Action::UntilAt(_)
                | Action::UntilAsked(_)
                | Action::UntilOver
        )
    }
}

/// Makes a job ready.
///
/// # Errors
/// What in it cannot be understood.
pub(crate) fn ready(compiler: &Compiler, job: &Job) -> Result<Prepared, Vec<Diagnostic>> {
    made(compiler, &job.scenario, (&job.default, &job.profile), job.compared)
}

/// Makes a scenario ready for a profile. `default` is what the scenario leaves open; `profile` is one of
/// [`Scenario::profiles`].
pub fn prepare(
    compiler: &Compiler,
    scenario: &Arc<Scenario>,
    default: &Profile,
    profile: &Profile,
) -> Result<Prepared, Vec<Diagnostic>> {
    made(compiler, scenario, (default, profile), false)
}

/// The same as an earlier process has made it ready, if the files and the scenario are as they were then: for what asks about
/// few scenarios.
///
/// # Errors
/// What in it cannot be understood.
pub fn recalled(
    compiler: &Compiler,
    scenario: &Arc<Scenario>,
    default: &Profile,
    profile: &Profile,
) -> Result<Prepared, Vec<Diagnostic>> {
    let Some(kept) = compiler.kept() else { return prepare(compiler, scenario, default, profile) };
    // All that it says, with where that stands.
    let about = (xxh3_128(format!("{scenario:?}").as_bytes()), default, profile);
    if let Some((position, script, cites)) = kept.answer(POSITION, &about) {
        let (scenario, program) = (Arc::clone(scenario), compiler.link(profile).0);
        return Ok(Prepared { scenario, profile: profile.clone(), program, position, script, cites });
    }
    let prepared = prepare(compiler, scenario, default, profile)?;
    kept.keep(POSITION, &about, &(&prepared.position, &prepared.script, &prepared.cites));
    Ok(prepared)
}

/// The kind of the answers.
const POSITION: &str = "position";

/// A reader of phrases in which the facts can be said of the cards and rules that a scenario cites.
pub(crate) fn phrases_of<'c>(compiler: &'c Compiler, scenario: &Scenario, profile: &Profile) -> Phrases<'c> {
    compiler.phrases(profile).about(scenario.cites.iter().filter_map(|cite| cite.text.split(' ').next()))
}

/// With `compared`, what is expected under other readings is asked aside, and what means nothing under this one stops
/// nothing: it is not so, and so it is answered. Under the scenario's own profile it is always asked aside: so its run is the one
/// with which others are compared.
fn made(
    compiler: &Compiler,
    scenario: &Arc<Scenario>,
    profiles: (&Profile, &Profile),
    compared: bool,
) -> Result<Prepared, Vec<Diagnostic>> {
    put_together(compiler, scenario, profiles, compared).map_err(|diags| {
        let retired = compiler.retired();
        diags.into_iter().map(|diag| scenario.source.told(&retired, diag)).collect()
    })
}

fn put_together(
    compiler: &Compiler,
    scenario: &Arc<Scenario>,
    (default, profile): (&Profile, &Profile),
    compared: bool,
) -> Result<Prepared, Vec<Diagnostic>> {
    let phrases = phrases_of(compiler, scenario, profile);
    let source = &scenario.source;
    if *profile != Profile::default() {
        // What a profile asks for and does not exist has no place in the data.
        let unknown = compiler.link(profile).1.into_iter().filter(|diag| diag.place.file.is_empty());
        let unknown: Vec<Diagnostic> = unknown.map(|diag| Diagnostic { place: scenario.place(), ..diag }).collect();
        if !unknown.is_empty() {
            return Err(unknown);
        }
    }
    let position = position(compiler, &phrases, &scenario.given, source)?;
    let base = scenario.base_profile(default);
    let mut script = Vec::new();
    let program = Arc::clone(&phrases.program);
    let mut maker = Maker { phrases: &phrases, position: &position, source, compared, diags: Vec::new() };
    let asks_aside = compared || base == *profile;
    for line in &scenario.script {
        let aside = line.under.as_ref().is_some_and(|under| under.applied(&base) != *profile);
        if aside && !(asks_aside && line.what.expects()) {
            continue;
        }
        maker.compared = compared || aside;
        if let Some(action) = maker.action(&line.what) {
            script.push(Task { span: line.span, action, aside });
        }
    }
    let mut diags = maker.diags;
    let cites = cited(&phrases, &scenario.cites, source, (!compared).then_some(&mut diags));
    if diags.is_empty() {
        Ok(Prepared { scenario: Arc::clone(scenario), profile: profile.clone(), program, position, script, cites })
    } else {
        Err(diags)
    }
}

/// What a line that expects nothing does; `None` if something is wrong with it.
pub(crate) fn moves(phrases: &Phrases<'_>, position: &Position, source: &Source, what: &What) -> Option<Action> {
    let mut maker = Maker { phrases, position, source, compared: false, diags: Vec::new() };
    if what.expects() { None } else { maker.action(what) }
}

/// Makes what lines do of what they say.
struct Maker<'m> {
    phrases: &'m Phrases<'m>,
    position: &'m Position,
    source: &'m Source,
    /// What means nothing under this profile stops nothing.
    compared: bool,
    diags: Vec<Diagnostic>,
}

impl Maker<'_> {
    /// What a line does; `None` if something is wrong with it.
    fn action(&mut self, what: &What) -> Option<Action> {
        Some(match what {
            What::Move { by, at, words } => {
                let at = match at {
                    Some(at) => Some(self.moment(at)?),
                    None => None,
                };
                Action::Move { by: by.text.clone(), at, words: words.clone() }
            }
            What::DeclineAll { by } => Action::DeclineAll { by: by.text.clone() },
            What::Until(Until::Moment(moment)) => Action::UntilAt(self.moment(moment)?),
            What::Until(Until::Asked(by)) => Action::UntilAsked(by.text.clone()),
            What::Until(Until::Over) => Action::UntilOver,
            What::Dice { total, subject } => Action::Dice { total: *total, subject: subject.clone() },
            What::Let { label, phrase } => match self.position.value(self.phrases, phrase, self.source) {
                Ok((phrase, text)) => Action::Let { label: label.text.clone(), phrase, text },
                Err(diag) => return self.wrong(diag),
            },
            What::Stack { by, cards } => Action::Stack { by: by.text.clone(), cards: cards.clone() },
            What::Cases(cases) => Action::Cases(cases.iter().filter_map(|case| self.fork(case)).collect()),
            What::Expect(expect) => return self.expectation(expect),
        })
    }

    fn expectation(&mut self, expect: &Expect) -> Option<Action> {
        Some(match expect {
            Expect::Contents(cards) => Action::Contents(cards.clone()),
            Expect::Over => Action::Over,
            Expect::Drew { by, cards } => Action::Drew { by: by.text.clone(), cards: cards.clone() },
            Expect::Offered { by, next, words } => {
                Action::Offered { by: by.text.clone(), next: *next, words: words.clone() }
            }
            Expect::Refused { by, next, words, because } => {
                let diags = (!self.compared).then_some(&mut self.diags);
                let because = cited(self.phrases, because, self.source, diags);
                Action::Refused { by: by.text.clone(), next: *next, words: words.clone(), because }
            }
            Expect::Seen { by, cond, tells } => match self.position.condition(self.phrases, cond, self.source) {
                Ok((cond, text)) => Action::Seen { by: by.text.clone(), cond, text, tells: *tells },
                Err(diag) if self.compared => Action::Unsaid(diag),
                Err(diag) => return self.wrong(diag),
            },
            Expect::Holds(tokens) => match self.position.condition(self.phrases, tokens, self.source) {
                Ok((cond, text)) => Action::Holds(cond, text),
                Err(diag) if self.compared => Action::Unsaid(diag),
                Err(diag) => return self.wrong(diag),
            },
        })
    }

    fn wrong(&mut self, diag: Diagnostic) -> Option<Action> {
        self.diags.push(diag);
        None
    }

    fn fork(&mut self, case: &Case) -> Option<Fork> {
        let answer = match &case.answer {
            CaseAnswer::Dice { totals, subject } => {
                ForkAnswer::Dice { totals: totals.clone(), subject: subject.clone() }
            }
            CaseAnswer::Else => ForkAnswer::Else,
            CaseAnswer::Move(what) => match self.action(what)? {
                Action::Move { by, words, .. } => ForkAnswer::Move { by, words },
                _ => return None,
            },
        };
        let mut script = Vec::new();
        for line in &case.lines {
            let action = self.action(&line.what)?;
            script.push(Task { span: line.span, action, aside: false });
        }
        Some(Fork { answer, script, span: case.span })
    }

    /// The procedure or the steps of a name.
    fn moment(&mut self, moment: &scenario::Moment) -> Option<Moment> {
        let program = &self.phrases.program;
        let name = &moment.name.text;
        let proc = program.procs.iter().position(|proc| proc.name == *name).map(ProcId::from_index);
        let named = |at: &usize| program.steps.get(*at).is_some_and(|step| step.name == *name);
        let steps: Vec<StepId> = (0..program.steps.len()).filter(named).map(StepId::from_index).collect();
        if proc.is_none() && steps.is_empty() {
            let text = format!("no procedure and no step is called `{name}`");
            let known = program.procs.iter().map(|proc| &proc.name).chain(program.steps.iter().map(|step| &step.name));
            let near = nearest_name(name, known.map(String::as_str));
            let mut diag = Diagnostic::new(Code::UnknownStep, self.source.place(moment.name.span), text);
            if let Some(near) = near {
                diag = diag.help(format!("did you mean `{near}`?"));
            }
            self.diags.push(diag);
            return None;
        }
        let text = match &moment.of {
            Some(of) => format!("{name} of {}", of.text),
            None => name.clone(),
        };
        Some(Moment { text, proc, steps, of: moment.of.as_ref().map(|of| of.text.clone()) })
    }
}

/// With `diags`, a citation that means no clause is wrong; else it is one that nothing can be because of.
fn cited(
    phrases: &Phrases<'_>,
    cites: &[Cite],
    source: &Source,
    mut diags: Option<&mut Vec<Diagnostic>>,
) -> Vec<Cited> {
    let mut found = Vec::new();
    let citations = phrases.beside(Citations::of);
    let program = &phrases.program;
    for cite in cites {
        let clauses = citations.clauses_of(program, &cite.text);
        if let Some(diags) = diags.as_mut().filter(|_| clauses.is_empty()) {
            let text = format!("no clause is called `{}`", cite.text);
            let mut diag = Diagnostic::new(Code::UnknownClause, source.place(cite.span), text);
            let known = program.clauses.iter().flat_map(|clause| [clause.label.as_str(), clause.item.as_str()]);
            if let Some(near) = nearest_name(&cite.text, known) {
                diag = diag.help(format!("did you mean `{near}`?"));
            }
            diags.push(diag);
        }
        found.push(Cited { cite: cite.clone(), clauses });
    }
    found
}

/// Where in a program the clauses are that a citation may mean, see [`netrep_ir::ClauseDecl::is_cited_as`].
#[derive(Debug)]
pub(crate) struct Citations {
    by_cite: HashMap<String, Vec<ClauseId>>,
}

impl Citations {
    /// Those of a program.
    pub(crate) fn of(program: &Program) -> Citations {
        let mut by_cite: HashMap<String, Vec<ClauseId>> = HashMap::new();
        for (i, clause) in program.clauses.iter().enumerate() {
            let reprints = clause.reprints.as_deref();
            let item = reprints.and_then(|label| label.split(' ').next());
            for cite in [Some(clause.label.as_str()), Some(clause.item.as_str()), reprints, item].into_iter().flatten()
            {
                match by_cite.get_mut(cite) {
                    Some(known) => known.push(ClauseId::from_index(i)),
                    None => drop(by_cite.insert(cite.to_owned(), vec![ClauseId::from_index(i)])),
                }
            }
        }
        Citations { by_cite }
    }

    /// The clauses that a citation means: all of an item and those that it rests on, or one by its label; of a card that is reprinted
    /// those of the reprints, too.
    pub(crate) fn clauses_of(&self, program: &Program, cite: &str) -> Vec<ClauseId> {
        let cited = resting(program, cite);
        let means =
            |cite: &str, id: &ClauseId| program.clauses.get(id.index()).is_some_and(|clause| clause.is_cited_as(cite));
        let of = |cite: &&str| {
            let known = self.by_cite.get(*cite).into_iter().flatten();
            known.filter(|id| means(cite, id)).copied().collect::<Vec<_>>()
        };
        let found: BTreeSet<ClauseId> = cited.iter().flat_map(of).collect();
        found.into_iter().collect()
    }
}

/// A citation, and what the rules that it means rest on, each once.
pub(crate) fn resting<'p>(program: &'p Program, cite: &'p str) -> Vec<&'p str> {
    let mut cited = vec![cite];
    let mut at = 0;
    while let Some(item) = cited.get(at).copied() {
        let rest = program.rests.iter().filter(|rest| rest.item == item).flat_map(|rest| &rest.on);
        let new: Vec<&str> = rest.map(String::as_str).filter(|on| !cited.contains(on)).collect();
        cited.extend(new);
        at += 1;
    }
    cited
}
