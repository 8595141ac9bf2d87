//! A step that several rules describe, played on the toy: the order, what is cited, asked, begun inside of it and left out.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::support::{WORDS, scenario};
use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;
use netrep_lab::ablate::{Noticed, Which, ablate};
use netrep_lab::memo::Memo;
use netrep_lab::report::{Report, label};
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::{Scenario, parse};

/// Behind the throw of rule 1 one point more, and ten for more than six; a second lamp is praised behind the first.
const ONE: &str = "rule 1.i \"One\" { [one] step throw of evening { set points of P to points of P + 1. } }\n";
const TEN: &str = "rule 1.ii \"Ten\" {\n    [ten] step throw of evening {\n        \
                   [many] if points of P > 6 { set points of P to points of P + 10 }.\n    }\n    \
                   [second] step choice of evening { P chooses a dark card as C; praise C. }\n}\n";
/// 1 for what is kindled, 5 for the dice, 1 and 10 by these rules, 1 for the lamp that is lit and 1 for one that is dark.
const EXPECTS: &str = "expect { points of Ann is 18. points of Bob is 1. over. }\n";

fn compiler(texts: &[&str]) -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    for (nth, text) in texts.iter().enumerate() {
        compiler.set_file(&format!("rules/{nth}.rules"), text);
    }
    let wrong: Vec<_> = compiler.check().into_iter().filter(|diag| diag.is_error()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    compiler
}

fn scenarios(text: &str) -> Vec<Arc<Scenario>> {
    let parsed = parse("toy.md", text, false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    parsed.scenarios.into_iter().map(Arc::new).collect()
}

fn evening() -> Vec<Arc<Scenario>> {
    let text = scenario("toy", "cites 1 sum, 1.i one, 1.ii many, 1.ii second.\n", EXPECTS);
    scenarios(&text.replace("dice 5. Ann: \"Tall Lamp\". }", "dice 5. Ann: \"Tall Lamp\". Ann: \"Small Lamp\". }"))
}

fn play(compiler: &Compiler, scenarios: &[Arc<Scenario>]) -> Report {
    run(compiler, &jobs(scenarios, &Profile::default()), 1, true).remove(0)
}

#[test]
fn what_the_rules_say_is_carried_out_in_the_order_of_their_numbers() {
    for texts in [[ONE, TEN], [TEN, ONE]] {
        let compiler = compiler(&texts);
        let report = play(&compiler, &evening());
        assert_eq!(report.diags, [], "{texts:?}");
        let program = compiler.link(&Profile::default()).0;
        let asking: Vec<&str> = report.steps.iter().map(|step| label(&program, step.clause)).collect();
        assert!(asking.ends_with(&["1 best", "1.ii second"]), "each rule asks for itself: {asking:?}");
    }
}

#[test]
fn where_one_of_the_rules_ends_the_procedure_those_behind_it_say_nothing() {
    let ending = "rule 1.iii \"Early\" { [early] step throw of evening { end evening. } }\n";
    let ended = |texts: &[&str], points: u32| {
        let expects = format!("expect {{ points of Ann is {points}. over. }}\n");
        let text =
            scenario("toy", "cites 1.iii early.\n", &expects).replace("dice 5. Ann: \"Tall Lamp\". }", "dice 5. }");
        assert_eq!(play(&compiler(texts), &scenarios(&text)).diags, []);
    };
    ended(&[ending, ONE], 7);
    ended(&[&ONE.replace("1.i ", "1.iv "), ending], 6);
}

#[test]
fn what_one_of_the_rules_performs_can_be_begun_in_the_step() {
    let dance = "rule 1.iii \"Dance\" {\n    [dance] procedure dance for (player Q) { steps bow. }\n    \
                 step bow of dance { [bow] Q chooses a dark card as C; praise C. }\n    \
                 [asked] step throw of evening { perform dance for P. }\n}\n";
    let compiler = compiler(&[dance, ONE]);
    let begun = |step: &str| {
        let text = format!(
            "```scenario toy\ngiven {{\n    player Ann, Bob.\n    Ann: shelf \"Tall Lamp\".\n    \
             at {step} of evening for Ann; bow of dance for Ann.\n}}\n\
             expect {{ offered Ann: \"Tall Lamp\". }}\n```\n"
        );
        play(&compiler, &scenarios(&text)).diags
    };
    assert_eq!(begun("throw"), []);
    let wrong = begun("lighting");
    assert_eq!(wrong.iter().map(|diag| diag.code).collect::<Vec<_>>(), [Code::ImpossiblePosition]);
    assert_eq!(wrong[0].help.as_deref(), Some("it runs in another: `at throw of evening …`"));
}

#[test]
fn each_of_the_rules_can_be_left_out_alone() {
    let compiler = compiler(&[TEN, ONE]);
    let items = ["1.i", "1.ii"].map(str::to_owned);
    // What is cited would be noticed by that alone.
    let text = scenario("toy", "", EXPECTS);
    let text = text.replace("dice 5. Ann: \"Tall Lamp\". }", "dice 5. Ann: \"Tall Lamp\". Ann: \"Small Lamp\". }");
    let found = ablate(&compiler, &scenarios(&text), Memo::new(), Which::whole(&items), &[], 1, &mut |_| ());
    assert_eq!(found.failing, Vec::<String>::new());
    let left_out = found.changes.iter().filter(|change| change.number.is_none());
    let noticed: BTreeMap<(&str, &str), &Noticed> =
        left_out.map(|change| ((&*change.item, &*change.label), &change.outcome)).collect();
    let by = Noticed::By("toy".to_owned());
    for clause in [("1.i", "one"), ("1.ii", "ten"), ("1.ii", "second")] {
        assert_eq!(noticed.get(&clause), Some(&&by), "{noticed:?}");
    }
}

#[test]
fn a_run_is_repeated_when_another_rule_describes_its_step() {
    let mut compiler = compiler(&[]);
    let scenarios = scenarios(&scenario("toy", "cites 1 sum.\n", "expect { points of Ann is 7. over. }\n"));
    let jobs = jobs(&scenarios, &Profile::default());
    let mut memo = Memo::new();
    let mut refreshed = |compiler: &Compiler| {
        let wrong = compiler.check();
        assert!(wrong.iter().all(|diag| !diag.is_error()), "{wrong:#?}");
        let outcome = memo.refresh(compiler, &jobs, 1, &|_| ()).remove(0);
        (outcome.ran, outcome.report.passed())
    };
    assert_eq!(refreshed(&compiler), (true, true));
    assert_eq!(refreshed(&compiler), (false, true));
    // Before the other, whose clauses are as before, and behind it.
    for number in ["0", "9"] {
        let text = format!("rule {number} \"More\" {{ step throw of evening {{ set points of P to 20. }} }}\n");
        compiler.set_file("rules/more.rules", &text);
        assert_eq!(refreshed(&compiler), (true, false), "{number}");
        compiler.remove_file("rules/more.rules");
        assert!(refreshed(&compiler).1, "{number}");
    }
}
