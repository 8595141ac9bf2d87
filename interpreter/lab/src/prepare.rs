//! A scenario made ready for a profile: its position and script with every phrase compiled.
//!
//! The result is plain data, so that scenarios can be run on several threads although the compiler stays on one.

use std::sync::Arc;

use netrep_compiler::phrases::Phrases;
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{ClauseId, Cond, Program, Val};

use crate::position::{Position, position};
use crate::problem::Source;
use crate::run::Job;
use crate::scenario::{CardsIn, Cite, Expect, Scenario, What};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cited {
    /// As written.
    pub cite: Cite,
    /// The clauses.
    pub clauses: Vec<ClauseId>,
}

/// A line of the script.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Where it stands.
    pub span: Span,
    /// What it does.
    pub action: Action,
    /// True if it is only asked: nothing is expected of the answer, and the run goes on as if nobody had asked.
    pub aside: bool,
}

/// What a line does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A player's answer.
    Move {
        /// Who.
        by: String,
        /// The words.
        words: String,
    },
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
    /// Cards that a player has drawn.
    Draws {
        /// Who.
        by: String,
        /// Their names.
        cards: Vec<String>,
    },
    /// A condition must hold; its words.
    Holds(Cond, String),
    /// A player's next decision must offer something.
    Offered {
        /// Who.
        by: String,
        /// The words.
        words: String,
    },
    /// Something must be refused.
    Refused {
        /// Who.
        by: String,
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

impl Action {
    /// True for what the driver submits, false for what it checks.
    pub(crate) fn is_submission(&self) -> bool {
        matches!(self, Action::Move { .. } | Action::Dice { .. })
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

/// A reader of phrases in which the facts can be said of the cards and rules that a scenario cites.
pub(crate) fn phrases_of<'c>(compiler: &'c Compiler, scenario: &Scenario, profile: &Profile) -> Phrases<'c> {
    compiler.phrases(profile).about(scenario.cites.iter().filter_map(|cite| cite.text.split(' ').next()))
}

/// With `compared`, what is expected under other readings is asked aside, and what means nothing under this one stops
/// nothing: it is not so, and so it is answered.
fn made(
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
    let mut diags = Vec::new();
    let mut script = Vec::new();
    let program = Arc::clone(&phrases.program);
    for line in &scenario.script {
        let aside = line.under.as_ref().is_some_and(|under| under.applied(&base) != *profile);
        if aside && !(compared && matches!(line.what, What::Expect(_))) {
            continue;
        }
        let action = match &line.what {
            What::Move { by, words } => Action::Move { by: by.text.clone(), words: words.clone() },
            What::Dice { total, subject } => Action::Dice { total: *total, subject: subject.clone() },
            What::Let { label, phrase } => match position.value(&phrases, phrase, source) {
                Ok((phrase, text)) => Action::Let { label: label.text.clone(), phrase, text },
                Err(diag) => {
                    diags.push(diag);
                    continue;
                }
            },
            What::Draws { by, cards } => Action::Draws { by: by.text.clone(), cards: cards.clone() },
            What::Expect(Expect::Contents(cards)) => Action::Contents(cards.clone()),
            What::Expect(Expect::Over) => Action::Over,
            What::Expect(Expect::Offered { by, words }) => {
                Action::Offered { by: by.text.clone(), words: words.clone() }
            }
            What::Expect(Expect::Refused { by, words, because }) => {
                let because = cited(&program, because, source, (!compared).then_some(&mut diags));
                Action::Refused { by: by.text.clone(), words: words.clone(), because }
            }
            What::Expect(Expect::Seen { by, cond, tells }) => match position.condition(&phrases, cond, source) {
                Ok((cond, text)) => Action::Seen { by: by.text.clone(), cond, text, tells: *tells },
                Err(diag) if compared => Action::Unsaid(diag),
                Err(diag) => {
                    diags.push(diag);
                    continue;
                }
            },
            What::Expect(Expect::Holds(tokens)) => match position.condition(&phrases, tokens, source) {
                Ok((cond, text)) => Action::Holds(cond, text),
                Err(diag) if compared => Action::Unsaid(diag),
                Err(diag) => {
                    diags.push(diag);
                    continue;
                }
            },
        };
        script.push(Task { span: line.span, action, aside });
    }
    let cites = cited(&program, &scenario.cites, source, (!compared).then_some(&mut diags));
    if diags.is_empty() {
        Ok(Prepared { scenario: Arc::clone(scenario), profile: profile.clone(), program, position, script, cites })
    } else {
        Err(diags)
    }
}

/// With `diags`, a citation that means no clause is wrong; else it is one that nothing can be because of.
fn cited(program: &Program, cites: &[Cite], source: &Source, mut diags: Option<&mut Vec<Diagnostic>>) -> Vec<Cited> {
    let mut found = Vec::new();
    for cite in cites {
        let clauses = clauses_of(program, &cite.text);
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

/// The clauses that a citation means: all of an item and those that it rests on, or one by its label.
pub(crate) fn clauses_of(program: &Program, cite: &str) -> Vec<ClauseId> {
    let cited = resting(program, cite);
    let means = |i: &usize| {
        program.clauses.get(*i).is_some_and(|c| cited.contains(&c.item.as_str()) || cited.contains(&c.label.as_str()))
    };
    (0..program.clauses.len()).filter(means).map(ClauseId::from_index).collect()
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
