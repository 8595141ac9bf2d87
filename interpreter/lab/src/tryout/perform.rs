//! Playing on with the first options until what was declared has been done, and what is different then.

use netrep_engine::{Chooser, DecisionKind, Game, Refusal, Submission, TraceKind, View};
use serde::Serialize;

use crate::narrate::{asked, decider, happened, line};
use crate::report::{From, Step};

/// More answers than this are not given.
const MOST: usize = 120;

/// A step as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// Who decided; `chance` for dice.
    pub by: String,
    /// What was asked.
    pub asked: String,
    /// What was submitted.
    pub chosen: String,
    /// True if nothing had to be chosen: a pass, or the only option.
    pub quiet: bool,
    /// What happened until the next decision, each with the label of its clause.
    pub happened: Vec<String>,
}

/// Something that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The thing.
    pub thing: String,
    /// What about it: a fact, or `place`.
    pub what: String,
    /// Before; empty for nothing.
    pub before: String,
    /// Afterwards.
    pub after: String,
}

/// What is played.
pub(crate) struct Play<'a> {
    pub seed: Option<u64>,
    /// Who declared.
    pub seat: Option<Chooser>,
    pub submission: &'a Submission,
}

/// What came of playing on.
pub(super) struct Played {
    pub steps: Vec<Told>,
    /// The answers of players, in order.
    pub answers: Vec<Answer>,
    pub differences: Vec<Difference>,
    pub stopped: Option<String>,
}

/// An answer of a player.
pub(super) struct Answer {
    /// As a line of a script.
    pub line: String,
    /// A pass, or the only option: what a script need not say.
    pub quiet: bool,
    /// The position afterwards.
    pub hash: u64,
}

/// Plays on from the position after a declaration, whose step is `first`.
pub(crate) fn perform(play: &Play<'_>, before: &Game, mut game: Game, first: Step) -> Played {
    let depth = before.running().len();
    let mut resolved = resolves(play, before, &first);
    let mut played =
        Played { steps: vec![told(&first, false)], answers: Vec::new(), differences: Vec::new(), stopped: None };
    for _ in 0..MOST {
        let Some(decision) = game.decision() else { break };
        let now = game.running().len();
        let acts = matches!(decision.kind, DecisionKind::Act | DecisionKind::Step);
        if now < depth || (resolved && now <= depth && acts) {
            break;
        }
        let by = decision.by;
        let chance = by == Chooser::Chance;
        let options = game.options_in_words();
        let pass = options.iter().find(|(_, one)| acts && *one == Submission::Pass);
        // total: a position without a seed has its dice from the first one, and the answers are written down.
        let seed = play.seed.unwrap_or(1);
        let next = if chance {
            game.keyed_roll(seed).map(|roll| (None, roll))
        } else {
            pass.or(options.first()).map(|(words, submission)| (Some(words.clone()), submission.clone()))
        };
        let Some((words, next)) = next else {
            played.stopped = Some(format!("{}, and nothing is offered", asked(&game)));
            break;
        };
        let quiet = acts || options.len() == 1;
        let from = if chance { From::Seed } else { From::Driver };
        match submit(&mut game, &next, from) {
            Ok(step) => {
                resolved |= resolves(play, before, &step);
                if let Some(words) = words {
                    let line = format!("{}: {}.", step.by, words);
                    played.answers.push(Answer { line, quiet, hash: game.position_hash() });
                }
                played.steps.push(told(&step, quiet));
            }
            Err(refusal) => {
                played.stopped = Some(refusal.to_string());
                break;
            }
        }
    }
    if played.steps.len() > MOST && played.stopped.is_none() {
        played.stopped = Some(format!("after {MOST} answers it is still not done"));
    }
    if let Some(Chooser::Seat(seat)) = play.seat {
        played.differences = differences(&before.view(seat), &game.view(seat));
    }
    played
}

/// Submits, and says what happened.
pub(crate) fn submit(game: &mut Game, submission: &Submission, from: From) -> Result<Step, Refusal> {
    let Some(decision) = game.decision().cloned() else { return Err(Refusal::Over) };
    let by = decider(game, decision.by);
    let (asked, chosen) = (asked(game), game.submission_words(submission));
    let licence = crate::why::licence(game, decision.clause, submission);
    let line = line(game, submission, &chosen);
    let traced = game.trace().len();
    game.take(submission)?;
    let trace = game.trace().iter().skip(traced).cloned().collect();
    Ok(Step { number: 0, by, asked, clause: decision.clause, licence, options: Vec::new(), chosen, line, from, trace })
}

fn told(step: &Step, quiet: bool) -> Told {
    Told {
        by: step.by.clone(),
        asked: step.asked.clone(),
        chosen: step.chosen.clone(),
        quiet,
        happened: happened(step, false).into_iter().map(str::to_owned).collect(),
    }
}

/// True if what was declared resolved in a step, or was negated.
fn resolves(play: &Play<'_>, game: &Game, step: &Step) -> bool {
    // total: what is no declaration is done when it is taken.
    let Submission::Declare { allowance, .. } = play.submission else { return true };
    let clause = game.program().allowances.get(allowance.index()).map(|allowance| allowance.clause);
    let ends = |kind: TraceKind| matches!(kind, TraceKind::Resolves | TraceKind::Negated);
    step.trace.iter().any(|entry| ends(entry.kind) && Some(entry.clause) == clause)
}

/// What a player sees that is not as it was; things that are new or gone are not told.
fn differences(before: &View, after: &View) -> Vec<Difference> {
    let mut found = Vec::new();
    for old in &before.things {
        let Some(new) = after.things.iter().find(|new| new.words == old.words) else { continue };
        let mut tell = |what: &str, before: &str, after: &str| {
            if before != after {
                found.push(Difference {
                    thing: old.words.clone(),
                    what: what.to_owned(),
                    before: before.to_owned(),
                    after: after.to_owned(),
                });
            }
        };
        tell("place", &old.place, &new.place);
        let value = |facts: &'_ [(String, String)], name: &str| {
            // total: what cannot be seen any more is told as nothing.
            facts.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone()).unwrap_or_default()
        };
        for (name, was) in &old.facts {
            tell(name, was, &value(&new.facts, name));
        }
        for (name, is) in new.facts.iter().filter(|(name, _)| !old.facts.iter().any(|(other, _)| other == name)) {
            tell(name, "", is);
        }
    }
    found
}
