//! What may be done in a position: by whom, by which rule; and what is nearly possible.

use netrep_engine::{Chooser, DecisionKind, Game};
use netrep_ir::Diag;
use serde::Serialize;

use crate::attempts::attempts;
use crate::driver::drive_to;
use crate::narrate::{asked, quiet_answer};
use crate::prepare::Prepared;
use crate::report::{Said, citation};
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
}

/// What a player may do.
#[derive(Clone, Debug, Serialize)]
pub struct Seat {
    /// Who is asked what.
    pub asked: String,
    /// What is offered, each with what allows it.
    pub options: Vec<Said>,
    /// What only one condition forbids.
    pub nearly: Vec<Tried>,
}

/// Says what a position allows, after the moves of its script if it has any.
///
/// # Errors
/// When the position is impossible or its script cannot be played.
pub fn ask(prepared: &Prepared) -> Result<Possible, Vec<Diag>> {
    let (report, game) = drive_to(prepared, usize::MAX, None);
    let Some(mut game) = game.filter(|_| report.diags.is_empty()) else { return Err(report.diags) };
    let program = game.program();
    let step = |id: Option<netrep_ir::StepId>| {
        id.and_then(|id| program.steps.get(id.index())).map(|s| format!(", {}", s.name))
    };
    let running = game.running().into_iter().map(|(proc, at)| {
        let name = program.procs.get(proc.index()).map_or("?", |p| p.name.as_str());
        format!("{name}{}", step(at).unwrap_or_default())
    });
    let mut found = Possible { name: report.name, running: running.collect(), seats: Vec::new() };
    let mut seen = Vec::new();
    // The others of the same window are asked when those before them have passed.
    while let Some(decision) = game.decision().cloned() {
        let Chooser::Seat(seat) = decision.by else { break };
        if seen.contains(&seat) || seen.len() > 8 {
            break;
        }
        seen.push(seat);
        found.seats.push(seat_of(&game));
        let next = quiet_answer(&game, None).filter(|_| decision.kind == DecisionKind::Act);
        let taken = next.is_some_and(|submission| game.take(&submission).is_ok());
        if !taken || game.decision().is_none_or(|next| next.clause != decision.clause) {
            break;
        }
    }
    Ok(found)
}

fn seat_of(game: &Game) -> Seat {
    let options: Vec<Said> = game
        .options_in_words()
        .into_iter()
        .map(|(words, submission)| Said { words, by: citation(game.program(), licence(game, &submission)) })
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
    Seat { asked: asked(game), options, nearly }
}
