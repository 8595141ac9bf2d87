//! What may be done in a position: by whom, by which rule; and what is nearly possible.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_engine::{Chooser, Decision, DecisionKind, Game};
use serde::Serialize;

use crate::attempts::attempts;
use crate::driver::drive_to;
use crate::memo::Read;
use crate::narrate::{asked, decider, quiet_answer, running};
use crate::prepare::{Prepared, prepare};
use crate::report::{Consulted, Said, citation};
use crate::scenario::{Scenario, profile_words};
use crate::switches::{Switch, Switches};
use crate::why::{Tried, licence, verdict_of};

/// More near misses of one player than this are not listed.
const NEAR: usize = 24;

/// What a position allows.
#[derive(Clone, Debug, Serialize)]
pub struct Possible {
    /// The position's name.
    pub name: String,
    /// The running procedures with their steps, outermost first.
    pub running: Vec<String>,
    /// For each player who is asked, in turn.
    pub seats: Vec<Seat>,
    /// The editions under which it allows something else, see [`ask_across`]; empty if nobody asked.
    pub otherwise: Vec<Otherwise>,
}

/// What a player may do.
#[derive(Clone, Debug, Serialize)]
pub struct Seat {
    /// Who.
    pub name: String,
    /// Who is asked what.
    pub asked: String,
    /// What is offered, each with what allows it.
    pub options: Vec<Said>,
    /// What only one condition forbids.
    pub nearly: Vec<Tried>,
}

/// Editions under which a position allows something else.
#[derive(Clone, Debug, Serialize)]
pub struct Otherwise {
    /// The profiles that agree in it.
    pub profiles: Vec<String>,
    /// What may be done there, and not under the profile that was asked about: who, and what.
    pub more: Vec<String>,
    /// What may not be done there.
    pub less: Vec<String>,
    /// Why the position cannot be asked about there.
    pub stopped: Option<String>,
    /// A smallest set of rulings behind it; empty if no set of rulings is.
    pub because: Vec<Switch>,
}

/// Who may do what, or why nobody can say.
type Answer = Result<BTreeSet<String>, String>;

fn answer(compiler: &Compiler, scenario: &Arc<Scenario>, default: &Profile, profile: &Profile) -> (Answer, Consulted) {
    let asked = prepare(compiler, scenario, default, profile).and_then(|prepared| asked_of(&prepared));
    match asked {
        Ok((found, consulted)) => {
            let said = |seat: &Seat| {
                let name = seat.name.clone();
                seat.options.iter().map(move |said| format!("{name}: {}", said.words)).collect::<Vec<_>>()
            };
            (Ok(found.seats.iter().flat_map(said).collect()), consulted)
        }
        Err(diags) => {
            let first = diags.into_iter().take(1).map(|diag| diag.message);
            (Err(first.collect()), Consulted::default())
        }
    }
}

/// Under which of these profiles a position allows something else, and which rulings are behind it.
pub fn ask_across(
    compiler: &Compiler,
    scenario: &Arc<Scenario>,
    default: &Profile,
    profile: &Profile,
    others: &[Profile],
) -> Vec<Otherwise> {
    let (here, read_here) = answer(compiler, scenario, default, profile);
    let mut found: Vec<(Answer, Otherwise)> = Vec::new();
    for other in others {
        let (there, read_there) = answer(compiler, scenario, default, other);
        if there == here {
            continue;
        }
        let words = profile_words(other);
        if let Some((_, same)) = found.iter_mut().find(|(answer, _)| *answer == there) {
            same.profiles.push(words);
            continue;
        }
        let switches = Switches::between(compiler, profile, other);
        let because = switches.behind(&[&read_here, &read_there], &mut Vec::new(), &mut |profile| {
            answer(compiler, scenario, default, &profile).0 == there
        });
        let apart = |one: &Answer, other: &Answer| match (one, other) {
            (Ok(one), Ok(other)) => one.difference(other).cloned().collect(),
            _ => Vec::new(),
        };
        let otherwise = Otherwise {
            profiles: vec![words],
            more: apart(&there, &here),
            less: apart(&here, &there),
            stopped: there.as_ref().err().cloned(),
            because,
        };
        found.push((there, otherwise));
    }
    found.into_iter().map(|(_, otherwise)| otherwise).collect()
}

/// Says what a position allows, after the moves of its script if it has any.
///
/// # Errors
/// When the position is impossible or its script cannot be played.
pub fn ask(prepared: &Prepared) -> Result<Possible, Vec<Diagnostic>> {
    asked_of(prepared).map(|(found, _)| found)
}

/// The same, with the clauses that were consulted.
fn asked_of(prepared: &Prepared) -> Result<(Possible, Consulted), Vec<Diagnostic>> {
    let (report, game) = drive_to(prepared, None, None);
    let Some(mut game) = game.filter(|_| report.diags.is_empty()) else { return Err(report.diags) };
    let mut found = Possible { name: report.name, running: running(&game), seats: Vec::new(), otherwise: Vec::new() };
    let mut seen = Vec::new();
    // The others of the same window are asked when those before them have passed.
    while let Some(decision) = game.decision().cloned() {
        let Chooser::Seat(seat) = decision.by else { break };
        if seen.contains(&seat) || seen.len() > 8 {
            break;
        }
        seen.push(seat);
        found.seats.push(seat_of(&game, &decision));
        let next = quiet_answer(&game, None).filter(|_| decision.kind == DecisionKind::Act);
        let taken = next.is_some_and(|submission| game.take(&submission).is_ok());
        if !taken || game.decision().is_none_or(|next| next.clause != decision.clause) {
            break;
        }
    }
    let program = game.program();
    let labels = game.consulted().clauses.into_iter().filter_map(|id| program.clauses.get(id.index()));
    let mut reads: Vec<Read> = labels.map(|clause| Read::Clause(clause.label.to_string())).collect();
    reads.sort();
    reads.dedup();
    Ok((found, Consulted { reads: reads.into_iter().map(Arc::new).collect(), ..Consulted::default() }))
}

fn seat_of(game: &Game, decision: &Decision) -> Seat {
    let options: Vec<Said> = game
        .options_in_words()
        .into_iter()
        .map(|(words, submission)| Said {
            words,
            by: citation(game.program(), licence(game, decision.clause, &submission)),
        })
        .collect();
    let mut nearly: Vec<Tried> = Vec::new();
    for (words, submission) in attempts(game, None) {
        if nearly.len() >= NEAR || game.is_legal(&submission) || nearly.iter().any(|other| other.words == words) {
            continue;
        }
        let verdict = game.explain(&submission);
        if verdict.reasons.len() == 1 {
            nearly.push(verdict_of(game, words, &verdict));
        }
    }
    Seat { name: decider(game, decision.by), asked: asked(game), options, nearly }
}
