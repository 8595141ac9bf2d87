//! What must hold of all data together, beside what `netrep check` says of the editions.

use netrep_compiler::Profile;
use netrep_diagnostics::Code;
use netrep_lab::coverage::{Reach, Totals, coverage};

use crate::support::data::{library, one_in};

/// `check` looks at every reading in the place of what the default edition reads, and links as a whole only what might not fit.
/// It comes to the same as to link each: here one in twenty.
#[test]
fn every_reading_fits_the_rest() {
    let library = library();
    let told = library.compiler.check_choices();
    assert_eq!(told.iter().map(|diag| &diag.message).collect::<Vec<_>>(), [] as [&String; 0]);
    let mut wrong = Vec::new();
    let rulings = library.compiler.rulings();
    let readings = rulings.iter().flat_map(|(ruling, _)| ruling.readings.iter().map(move |reading| (ruling, reading)));
    for (ruling, reading) in readings.step_by(one_in(40)) {
        let profile = Profile::default().with(&ruling.id, &reading.name);
        let found = library.compiler.check_under(&profile);
        let found = found.into_iter().filter(|diag| diag.is_error());
        wrong.extend(found.map(|diag| format!("{} {}: {}", ruling.id, reading.name, diag.message)));
    }
    assert_eq!(wrong, [] as [String; 0]);
}

/// A number of the rulebook is said in clauses, rests on clauses, or says that the language carries it or that no
/// clause can: none is explained away by a note.
#[test]
fn no_rule_is_a_note_alone() {
    let library = library();
    let found = coverage(&library.compiler, &Totals::default(), Reach::default(), None);
    assert_eq!(found.rules.noted, [] as [String; 0], "say what they rest on");
}

/// Every item stands where `rules/filing.words` says that it belongs, in the order that it says.
#[test]
fn every_item_is_in_its_place() {
    let library = library();
    let misplaced = library.compiler.check().into_iter().filter(|diag| diag.code == Code::MisplacedItem);
    assert_eq!(
        misplaced.map(|diag| diag.message).collect::<Vec<_>>(),
        [] as [String; 0],
        "`netrep fmt --sort` moves them"
    );
    let refiled = library.compiler.refiled().expect("the same items");
    assert_eq!((refiled.changed, refiled.broken), (Vec::new(), Vec::new()));
}
