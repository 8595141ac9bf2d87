//! Setting up the position of a scenario.

use std::sync::Arc;

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::{Game, SetupError};
use netrep_grammar::tree::Span;
use netrep_ir::ClauseId;

use crate::prepare::Prepared;

/// So many clauses that a position breaks are traced to a fact of it,
const TRACED: usize = 4;
/// in a position of so many facts at most.
const TRACED_FACTS: usize = 200;

/// The game at the first decision of a scenario, or why its position is impossible.
pub fn start(prepared: &Prepared) -> Result<Game, Vec<Diagnostic>> {
    let source = &prepared.scenario.source;
    begun(prepared).map_err(|errors| {
        let mut traced = 0;
        let mut one = |found: &SetupError| {
            let mut span = found.fact.and_then(|fact| prepared.position.fact_spans.get(fact).copied());
            if let (None, Some(clause)) = (span, found.clause)
                && traced < TRACED
            {
                traced += 1;
                span = culprit(prepared, clause, &errors);
            }
            let place = match span {
                Some(span) => source.place(span),
                None => prepared.scenario.place(),
            };
            let diag = Diagnostic::new(Code::ImpossiblePosition, place, found.text.clone());
            match found.clause.and_then(|clause| prepared.program.clauses.get(clause.index())) {
                Some(clause) => diag.and(clause.place.clone(), clause.label.clone()),
                None => diag,
            }
        };
        errors.iter().map(&mut one).collect()
    })
}

/// The same without saying where what is wrong is written.
pub(crate) fn begun(prepared: &Prepared) -> Result<Game, Vec<SetupError>> {
    Game::new(Arc::clone(&prepared.program), prepared.position.setup.clone())
}

/// Where the last fact is written without which a position would not break a clause, and nothing that it did not break before.
fn culprit(prepared: &Prepared, clause: ClauseId, broken: &[SetupError]) -> Option<Span> {
    let position = &prepared.position;
    let facts = position.setup.facts.len();
    if facts > TRACED_FACTS {
        return None;
    }
    let is_at_fault = |fact: &usize| {
        let mut setup = position.setup.clone();
        setup.facts.remove(*fact);
        match Game::new(Arc::clone(&prepared.program), setup) {
            Ok(_) => true,
            // What a fact says, or what is running, may rest on this one: then nothing is known.
            Err(errors) => errors.iter().all(|other| {
                other.clause.is_some()
                    && other.clause != Some(clause)
                    && broken.iter().any(|before| before.clause == other.clause)
            }),
        }
    };
    let fact = (0..facts).rev().find(is_at_fault)?;
    position.fact_spans.get(fact).copied()
}
