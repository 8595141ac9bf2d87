//! What a card makes a game do is bounded: whatever has no end is stopped, and the clause is named.

use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;

use crate::support::data;

const SCENARIO: &str = r#"
```scenario without end
given {
    player Jessica, Jason.
    company J1.
    Jessica: play "Aragorn II", "Bree".
    Jessica: hand "Endless Song".
    owner of J1 is Jessica.
    "Aragorn II" is in J1.
    site of J1 is "Bree".
    at organization of turn for Jessica; actions of organization phase for Jessica.
}
when { Jessica: play "Endless Song" on "Aragorn II". }
expect { "Aragorn II" is untapped. }
```
"#;

/// What is said when a card with this effect is played.
fn said(effect: &str) -> String {
    let mut library = data::library();
    let compiler = &mut library.compiler;
    let card = format!(
        "card ZZ-900 \"Endless Song\" {{\n    type Short-event. frame Resource. alignment Hero.\n    play on an untapped \
         character in play as target during organization phase.\n    effect {effect}.\n}}\n"
    );
    compiler.set_file("cards/endless.cards", &card);
    let diags = compiler.check();
    assert!(data::errors(&diags).is_empty(), "{diags:?}");
    let scenarios: Vec<_> = parse("x.md", SCENARIO, false).scenarios.into_iter().map(Arc::new).collect();
    let report = run(compiler, &jobs(&scenarios, &Profile::default()), 1, false).remove(0);
    report.diags.iter().map(|diag| format!("{}\n", diag.message)).collect()
}

#[test]
fn a_repetition_ends() {
    let many = said("repeat 20000 times { untap target }");
    assert!(many.contains("exceeds the bound of 10000 (ZZ-900 effect)"), "{many}");
    let endless = said("repeat { untap target } until target is tapped");
    assert!(endless.contains("a repetition has run 10000 times"), "{endless}");
}

#[test]
fn effects_are_bounded() {
    let effects = said("repeat { target gets +1 prowess this turn } until prowess of target < 0");
    assert!(effects.contains("more than 1024 effects are in force (ZZ-900 effect)"), "{effects}");
    let few = said("repeat 100 times { target gets +1 prowess this turn }");
    assert!(few.is_empty(), "{few}");
}
