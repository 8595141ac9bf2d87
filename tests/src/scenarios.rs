//! All scenarios and games of the repository, and the measure of what they decide.
//!
//! Ablation is the measure: every labelled clause of every rule and card is left out, every number in them is
//! moved by one, and some expectation must flip, or `exemptions.md` says why none can.

use netrep_lab::ablate::{Noticed, Which, ablate};
use netrep_lab::exempt::exemptions_of;

use crate::support::data::library;
use crate::support::runs::runs;

#[test]
fn the_data_has_no_errors() {
    let library = library();
    let errors: Vec<_> = library.compiler.check().into_iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn every_scenario_passes() {
    let runs = runs();
    assert!(runs.scenarios.len() > 150, "only {} scenarios were found", runs.scenarios.len());
    let failed: Vec<_> = runs.reports.iter().filter(|r| !r.passed()).map(|r| (&r.name, &r.diags)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Every change takes long: one in a thousand and twenty-four is made here, others with every edit of the data. `ABLATION=1` makes all of them.
#[test]
fn every_clause_and_number_is_noticed() {
    let (runs, library) = (runs(), library());
    let exempt = exemptions_of(&library.files).expect("the exemptions can be read");
    let one_in = std::env::var("ABLATION").ok().and_then(|n| n.parse().ok()).unwrap_or(1024);
    let (which, known) = (Which { items: &[], one_in }, runs.memo.clone());
    let result = ablate(&library.compiler, &runs.scenarios, known, which, &exempt, 2, &mut |_| {});
    assert!(result.failing.is_empty(), "these fail as they are: {:?}", result.failing);
    let unnoticed: Vec<_> = result
        .changes
        .iter()
        .filter(|c| c.outcome == Noticed::Nobody)
        .map(|c| format!("{} {} {:?}", c.item, c.label, c.number))
        .collect();
    assert!(unnoticed.is_empty(), "no scenario notices: {unnoticed:#?}");
    assert!(result.needless.is_empty(), "exemptions that are not needed: {:#?}", result.needless);
    // The measure must measure: most changes are noticed in play, not by the compiler.
    let in_play = result.changes.iter().filter(|c| matches!(c.outcome, Noticed::By(_))).count();
    assert!(in_play * 2 > result.changes.len(), "{in_play} of {} changes are noticed in play", result.changes.len());
}
