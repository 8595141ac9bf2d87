//! Labels of clauses: how they are derived, and which clause one names.

use netrep_compiler::Profile;
use netrep_grammar::tree::Clause;

use crate::common::with_file;

/// The labels of clauses, each before those within its block, where many have none.
fn labels(clauses: &[Clause]) -> Vec<&str> {
    let mut found = Vec::new();
    for clause in clauses {
        found.extend(clause.marker.as_ref().map(|marker| &*marker.label).filter(|label| !label.is_empty()));
        found.extend(clause.block.iter().flat_map(|block| labels(block)));
    }
    found
}

#[test]
fn a_label_is_written_or_derived_and_numbered() {
    let text = "colour Red. [tint 1] colour Blue. [2] when this is red: wash it. when this dries: dry it. \
                this gets +1 height. owner may wash this: dry it. \
                step first wash of laundry { wash it. } unique. this is red.";
    let compiler = with_file("cards/a.cards", &format!("card A-9 \"Colours\" {{ {text} }}"));
    let (item, _) = compiler.effective("card", "A-9", &Profile::default()).unwrap();
    let expected = ["colour", "tint", "when", "when 2", "gets", "may", "step first wash", "unique", "is"];
    assert_eq!(labels(&item.tree.clauses), expected);
}

#[test]
fn a_nested_label_is_found_by_itself_or_behind_its_parent() {
    let rule = "rule 9 \"Washing\" {
        [course] procedure laundry for (player P) { steps soaking, drying. }
        [one] step soaking of laundry { [x] soil each vase. [y] wash each vase. }
        [two] step drying of laundry { [x] soil each lamp. }
    }";
    // The labels that are left where a clause is removed, and what is wrong with that.
    let removed = |label: &str| {
        let reading = format!("reading so {{ authority \"judge\". remove 9 {label}. }}");
        let mut compiler = with_file("rules/9.rules", rule);
        compiler.set_file("rules/rulings/9.rulings", &format!("ruling R-9 \"So?\" {{ about 9. {reading} }}"));
        let profile = Profile::default().with("R-9", "so");
        let (item, _) = compiler.effective("rule", "9", &profile).unwrap();
        let wrong: Vec<String> = compiler.check_under(&profile).into_iter().map(|diag| diag.message).collect();
        (labels(&item.tree.clauses).join(" "), wrong.join("; "))
    };
    let found = |left: &str, wrong: &str| (left.to_owned(), wrong.to_owned());
    let lost = "no rule says what is done in step `drying` of `laundry`";
    assert_eq!(removed("two"), found("course one x y", lost));
    assert_eq!(removed("y"), found("course one x two x", ""));
    assert_eq!(removed("x"), found("course one x y two x", "several clauses of rule 9 have the label `x`"));
    assert_eq!(removed("two x"), found("course one x y two", ""));
    assert_eq!(removed("z"), found("course one x y two x", "rule 9 has no clause `z`"));
}
