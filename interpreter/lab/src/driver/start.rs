//! Setting up the position of a scenario.

use std::sync::Arc;

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::Game;

use crate::prepare::Prepared;

/// The game at the first decision of a scenario, or why its position is impossible.
pub fn start(prepared: &Prepared) -> Result<Game, Vec<Diagnostic>> {
    let source = &prepared.scenario.source;
    Game::new(Arc::clone(&prepared.program), prepared.position.setup.clone()).map_err(|errors| {
        let one = |found: &netrep_engine::SetupError| {
            let span = found.fact.and_then(|fact| prepared.position.fact_spans.get(fact).copied());
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
        errors.iter().map(one).collect()
    })
}
