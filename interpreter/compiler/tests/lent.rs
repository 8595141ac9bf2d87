//! Abilities of other cards: each is an allowance of whoever has it too.

use netrep_compiler::{Compiler, Profile};
use netrep_ir::{Allowance, Program};

use crate::common::WORDS;

const CARDS: &str = "
kernel services { player player. card card. controller owner. }
card L-1 \"Old Lamp\" {
    kind Lamp. colour Red. height 1.
    [glow] you may soil this: break this.
    [gift] each vase has { may soil this: break this. }
    in bin { [last] you may soil this: break this. }
}
card L-2 \"New Lamp\" { kind Lamp. colour Red. height 1. [gleam] you may soil this: break this. }
";

/// The clauses of abilities that a sentence of a card gives to it, by the label of that whose they are.
fn lent(sentence: &str) -> Vec<String> {
    let text = format!("{WORDS}{CARDS}card M-1 \"Mirror\" {{ kind Vase. colour Blue. height 2. {sentence} }}\n");
    let mut compiler = Compiler::new();
    compiler.set_files([("words", text.as_str())]);
    let (program, _) = compiler.link(&Profile::default());
    let label = |allowance: &Allowance| program.clauses[allowance.clause.index()].label.clone();
    let given = program.allowances.iter().filter(|one| label(one) == "M-1 lent");
    given.map(|one| from(&program, one)).collect()
}

/// Whose ability it is: it has the same cost, and hangs on the clause.
fn from(program: &Program, lent: &Allowance) -> String {
    let label = |allowance: &Allowance| program.clauses[allowance.clause.index()].label.clone();
    let same = |one: &&Allowance| one.cost == lent.cost && one.clause != lent.clause;
    let own = program.allowances.iter().find(same).unwrap();
    assert!(lent.carriers.is_some() && lent.requirements.iter().any(|required| required.clause == own.clause));
    label(own).to_string()
}

#[test]
fn whoever_bears_the_name_lends_what_it_may_do_itself() {
    assert_eq!(lent("[lent] this has the abilities of \"Old Lamp\", \"New Lamp\"."), ["L-1 glow", "L-2 gleam"]);
    assert_eq!(lent("[lent] each vase has the abilities of L-2 if this is clean."), ["L-2 gleam"]);
    let none: [&str; 0] = [];
    assert_eq!(lent("[lent] this has the abilities of \"Mirror\"."), none, "it has none");
}
