//! Why a step went as it did: what licences it, what else was possible, why not something else, and how a number
//! comes about.

use std::collections::BTreeMap;

use netrep_compiler::{Compiler, Diagnostic};
use netrep_diagnostics::Code;
use netrep_engine::{Chooser, DerivationStep, Game, Reason, Submission, ThingId, Verdict};
use netrep_grammar::parse_sentence;
use netrep_grammar::tree::Span;
use netrep_ir::{AttrId, ClauseId, Num};
use serde::Serialize;

use crate::attempts::meant_first;
use crate::driver::drive_to;
use crate::narrate::{fact_words, quiet_answer, window};
use crate::prepare::{Prepared, phrases_of};
use crate::problem::Source;
use crate::report::{Citation, Said, citation};
use crate::words::{nearest_name, with_labels};

/// What is asked about a step.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The step, counted from 1; else the last one.
    pub step: Option<usize>,
    /// A number, in words.
    pub number: Option<String>,
    /// Something that might be tried: `NAME: words`.
    pub attempt: Option<String>,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The scenario.
    pub scenario: String,
    /// The profile in words.
    pub profile: String,
    /// The step.
    pub step: usize,
    /// Who decided.
    pub by: String,
    /// What was asked.
    pub asked: String,
    /// The clause that asked.
    pub asked_by: Citation,
    /// What was submitted.
    pub chosen: String,
    /// What allowed it.
    pub licence: Citation,
    /// What else was offered, each with what allows it.
    pub others: Vec<Said>,
    /// What happened, each with its clause.
    pub happened: Vec<Said>,
    /// About the attempt.
    pub attempt: Option<Tried>,
    /// About the number.
    pub number: Option<Derived>,
}

/// About something that might be tried.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    /// Its words.
    pub words: String,
    /// When: the decision, and in the course of what.
    pub asked: String,
    /// False if the player is not asked at the step that was asked about, or has nothing of the kind to try there: then it is
    /// his next decision at which he has.
    pub now: bool,
    /// Whether it would be taken.
    pub legal: bool,
    /// The clause that licences it, or under which it was tried.
    pub licence: Citation,
    /// Every reason against it.
    pub reasons: Vec<Against>,
    /// What would make it legal.
    pub would_be_legal_if: Vec<String>,
}

/// A reason against something.
#[derive(Clone, Debug, Serialize)]
pub struct Against {
    /// The condition that fails, and what it saw.
    pub words: String,
    /// The values that it saw, by name.
    pub values: Vec<(String, String)>,
    /// Its clause.
    pub by: Citation,
}

/// A modifier's part in a number.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// What it does.
    pub words: String,
    /// The value before.
    pub before: i32,
    /// The value after.
    pub after: i32,
    /// Its clause.
    pub by: Citation,
}

/// How a number comes about.
#[derive(Clone, Debug, Serialize)]
pub struct Derived {
    /// The number in words.
    pub words: String,
    /// Before modifiers.
    pub base: i32,
    /// The modifiers, in the order in which they apply.
    pub steps: Vec<Change>,
    /// The value.
    pub value: i32,
    /// Of a defined number: the numbers of which what is there before modifiers is made, down to those that are printed or
    /// stored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made_of: Vec<Derived>,
}

impl Derived {
    /// How a number of a thing comes about, called as it is asked for.
    pub(crate) fn new(game: &Game, attr: AttrId, thing: ThingId, words: String) -> Derived {
        Derived::down_to(game, attr, thing, words, &mut Vec::new())
    }

    fn down_to(
        game: &Game,
        attr: AttrId,
        thing: ThingId,
        words: String,
        above: &mut Vec<(AttrId, ThingId)>,
    ) -> Derived {
        let program = game.program();
        let found = game.derive(attr, thing);
        let change = |step: &DerivationStep| Change {
            words: step.change.clone(),
            before: step.before,
            after: step.after,
            by: citation(program, step.clause),
        };
        above.push((attr, thing));
        let of = game.made_of(attr, thing).into_iter().filter(|one| !above.contains(one)).collect::<Vec<_>>();
        let called = |attr: AttrId, thing| format!("{} of {}", program.attr(attr).name, game.thing_words(thing));
        let made_of =
            of.into_iter().map(|(attr, thing)| Derived::down_to(game, attr, thing, called(attr, thing), above));
        let made_of = made_of.collect();
        above.pop();
        Derived {
            words,
            base: found.base,
            steps: found.steps.iter().map(change).collect(),
            value: found.value,
            made_of,
        }
    }
}

/// Answers a question about a prepared scenario.
///
/// # Errors
/// When the scenario cannot be run so far, or the question cannot be understood.
pub fn why(compiler: &Compiler, prepared: &Prepared, question: &Question) -> Result<Answer, Vec<Diagnostic>> {
    let program = &*prepared.program;
    let (whole, last) = drive_to(prepared, question.step, None);
    let Some(step) = whole.steps.last().filter(|s| question.step.is_none_or(|wanted| wanted == s.number)) else {
        if !whole.diags.is_empty() {
            return Err(whole.diags);
        }
        let text = format!("the scenario has {} steps", whole.steps.len());
        return Err(vec![Diagnostic::new(Code::NoSuchStep, prepared.scenario.place(), text)]);
    };
    let (_, before) = drive_to(prepared, Some(step.number.saturating_sub(1)), None);
    let others: Vec<Said> = before.iter().flat_map(|game| others(game, &step.chosen)).collect();
    let attempt = match (&question.attempt, before) {
        (Some(attempt), Some(game)) => Some(tried(prepared, game, attempt).map_err(|diag| vec![diag])?),
        _ => None,
    };
    let number = match (&question.number, &last) {
        (Some(number), Some(game)) => Some(derived(compiler, prepared, game, number).map_err(|diag| vec![diag])?),
        _ => None,
    };
    Ok(Answer {
        scenario: whole.name.clone(),
        profile: whole.profile.clone(),
        step: step.number,
        by: step.by.clone(),
        asked: step.asked.clone(),
        asked_by: citation(program, step.clause),
        chosen: step.chosen.clone(),
        licence: citation(program, step.licence),
        others,
        happened: step
            .trace
            .iter()
            .map(|entry| Said { words: entry.text.clone(), by: citation(program, entry.clause) })
            .collect(),
        attempt,
        number,
    })
}

/// The clause that licences a submission at a decision, at which the clause `asking` asks.
pub(crate) fn licence(game: &Game, asking: ClauseId, submission: &Submission) -> ClauseId {
    match submission {
        Submission::Declare { allowance, .. } => game.program().allowances[allowance.index()].clause,
        _ => asking,
    }
}

fn others(game: &Game, chosen: &str) -> Vec<Said> {
    // total: where no player decides, nothing else was offered.
    let Some(decision) = game.decision().filter(|decision| decision.by != Chooser::Chance) else { return Vec::new() };
    let options = game.options_in_words().into_iter().filter(|(words, _)| words != chosen);
    options
        .map(|(words, submission)| Said {
            words,
            by: citation(game.program(), licence(game, decision.clause, &submission)),
        })
        .collect()
}

fn question_source(text: &str) -> Source {
    Source { file: String::new(), base: 0, text: text.to_owned() }
}

fn tried(prepared: &Prepared, mut game: Game, attempt: &str) -> Result<Tried, Diagnostic> {
    let wrong =
        |text: String| Diagnostic::new(Code::UnknownAttempt, question_source(attempt).place(Span::default()), text);
    let (by, words) = attempt.split_once(':').ok_or_else(|| wrong("write the attempt as `NAME: words`".to_owned()))?;
    let labels = &prepared.position.labels;
    let seat = labels.get(by.trim()).copied().ok_or_else(|| {
        let near = nearest_name(by.trim(), labels.keys().map(String::as_str));
        let near: String = near.iter().map(|near| format!("; did you mean `{near}`?")).collect();
        wrong(format!("no player is called `{}`{near}", by.trim()))
    })?;
    let names: BTreeMap<String, String> =
        labels.iter().map(|(label, thing)| (label.clone(), game.thing_words(*thing))).collect();
    let said = with_labels(words, &names, &crate::driver::ids_in_words(&game, &prepared.position.setup.cards));
    let here = window(&game);
    for passed in 0..64 {
        if game.decision().is_some_and(|d| d.by == Chooser::Seat(seat)) {
            let verdicts = meant_first(&game, &said).into_iter().map(|(words, s)| (words, game.explain(&s)));
            if let Some((words, verdict)) = verdicts.min_by_key(|(_, verdict)| verdict.reasons.len()) {
                return Ok(Tried { now: passed == 0, ..verdict_of(&game, words, &verdict) });
            }
        }
        // What chance says on the way to that player's next decision does not matter here.
        let next = quiet_answer(&game, prepared.scenario.seed.or(Some(0)));
        if next.is_none_or(|submission| game.take(&submission).is_err()) {
            break;
        }
    }
    let text = format!("nothing of the words `{}` can be tried by {} from this step on", words.trim(), by.trim());
    Err(wrong(text).help(format!("at this step, {here}")))
}

/// A verdict in words.
pub(crate) fn verdict_of(game: &Game, words: String, verdict: &Verdict) -> Tried {
    let program = game.program();
    let against =
        |r: &Reason| Against { words: r.text.clone(), values: r.values.clone(), by: citation(program, r.clause) };
    let reasons = verdict.reasons.iter().map(against).collect();
    Tried {
        words,
        asked: window(game),
        now: true,
        legal: verdict.legal,
        licence: citation(program, verdict.licence),
        reasons,
        would_be_legal_if: verdict.would_be_legal_if.iter().map(|mend| fact_words(game, mend)).collect(),
    }
}

fn derived(compiler: &Compiler, prepared: &Prepared, game: &Game, words: &str) -> Result<Derived, Diagnostic> {
    let source = question_source(words);
    let tokens = parse_sentence(words).map_err(|found| {
        let first = found.into_iter().next().map(|one| source.placed(one));
        // total: it is an error, whether or not it says which.
        first.unwrap_or_else(|| Diagnostic::new(Code::UnexpectedText, source.place(Span::default()), words))
    })?;
    let phrases = phrases_of(compiler, &prepared.scenario, &prepared.profile);
    let (number, words) = phrases.number(&tokens, &prepared.position.names).map_err(|found| source.placed(found))?;
    let number = prepared.position.unaliased(&number);
    let value = game.number(&number);
    if let Num::Attr(attr, of) = &number
        && let Some(thing) = game.select(of).first()
    {
        return Ok(Derived::new(game, *attr, thing, words));
    }
    if let Some(fault) = game.fault() {
        return Err(Diagnostic::new(Code::CannotBeEvaluated, source.place(Span::default()), fault.to_string())
            .help("ask at another step"));
    }
    Ok(Derived { words, base: value, steps: Vec::new(), value, made_of: Vec::new() })
}
