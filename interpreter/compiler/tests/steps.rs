//! Several rules that describe one step of a procedure: what they say is carried out in the order of their numbers.

use crate::common::*;
use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;
use netrep_ir::{BlockId, Cond, IdKind, Program, Statement};

const WALK: &str = r#"rule 2.IV "A walk" {
    [walk] procedure walk for (player P) { steps out, home. }
    [out] step out of walk { [go] for each lamp as L { wash L }. }
}
"#;
/// Three rules that describe one step, by what each of them does there: washing, soiling, breaking.
const WASHING: &str = "rule 2.IV.ii \"Home\" { [home] step home of walk { for each vase as V { wash V }. } }\n";
const SOILING: &str =
    "rule 2.IV.ii.1a \"Mud\" { [mud] step home of walk { let N be 1. [soil] for each vase as V { soil V }. } }\n";
const BREAKING: &str = "rule 2.IV.iii \"Falls\" { [fall] step home of walk { for each vase as V { break V }. } }\n";
const IN_ORDER: [&str; 3] = ["2.IV.ii home", "2.IV.ii.1a soil", "2.IV.iii fall"];

/// The procedure and these texts, each in a file of its own, in this order.
fn walking(texts: &[&str]) -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_files([(WORDS_PATH, WORDS), (RULES_PATH, WALK)]);
    for (nth, text) in texts.iter().enumerate() {
        compiler.set_file(&format!("rules/sections/s{nth}.rules"), text);
    }
    compiler
}

fn linked(compiler: &Compiler, profile: &Profile) -> std::sync::Arc<Program> {
    let wrong = compiler.check_under(profile);
    assert!(wrong.iter().all(|diag| !diag.is_error()), "{wrong:#?}");
    compiler.link(profile).0
}

/// The clauses that do something in a step, in their order.
fn done_in(program: &Program, step: &str) -> Vec<String> {
    fn doing(program: &Program, block: BlockId, found: &mut Vec<String>) {
        let block = program.block(block);
        for (statement, site) in &block.statements {
            match statement {
                Statement::If(Cond::Is(true), then, None) => {
                    // The place of what is done first in it: of the same rule.
                    let item = &program.clauses[program.block(*then).clause.index()].item;
                    let at = program.sites.get(site.index());
                    assert!(at.is_none_or(|at| program.clauses[at.clause.index()].item == *item), "{at:?}");
                    doing(program, *then, found);
                }
                Statement::LetSlot(..) => {}
                _ => found.push(program.clauses[block.clause.index()].label.to_string()),
            }
        }
    }
    let mut found = Vec::new();
    let step = program.steps.iter().find(|one| one.name == step).unwrap();
    assert_eq!(program.block(step.body).clause, step.clause);
    doing(program, step.body, &mut found);
    found
}

fn home(texts: &[&str]) -> Vec<String> {
    done_in(&linked(&walking(texts), &Profile::default()), "home")
}

#[test]
fn rules_come_in_the_order_of_their_numbers_wherever_they_stand() {
    for (texts, order) in [
        ([WASHING, BREAKING], ["2.IV.ii home", "2.IV.iii fall"]),
        ([BREAKING, WASHING], ["2.IV.ii home", "2.IV.iii fall"]),
        ([SOILING, WASHING], ["2.IV.ii home", "2.IV.ii.1a soil"]),
    ] {
        assert_eq!(home(&texts), order);
    }
    for texts in [[WASHING, SOILING, BREAKING], [BREAKING, SOILING, WASHING], [SOILING, BREAKING, WASHING]] {
        assert_eq!(home(&texts), IN_ORDER);
    }
    // By number, not by sign: 10 comes behind 9, and both behind the ten of a chapter.
    let [ninth, tenth] = ["9", "10"].map(|number| WASHING.replace("2.IV.ii", number));
    assert_eq!(home(&[&tenth, &ninth, BREAKING]), ["2.IV.iii fall", "9 home", "10 home"]);
}

#[test]
fn the_rule_of_the_procedure_has_no_place_of_its_own() {
    let earlier = "rule 1 \"Before\" { [before] step out of walk { for each lamp as L { soil L }. } }\n";
    let program = linked(&walking(&[WASHING, earlier]), &Profile::default());
    assert_eq!(done_in(&program, "out"), ["1 before", "2.IV go"]);
    assert_eq!(done_in(&program, "home"), ["2.IV.ii home"]);
}

#[test]
fn the_text_of_a_program_does_not_hang_on_files() {
    let whole = |texts: &[&str]| {
        let mut program = Program::clone(&linked(&walking(texts), &Profile::default()));
        program.clauses.iter_mut().for_each(|clause| clause.place = netrep_ir::Place::nowhere());
        program.sites.iter_mut().for_each(|site| site.place = netrep_ir::Place::nowhere());
        program
    };
    let whole_of_one = [WASHING, SOILING, BREAKING].concat();
    assert_eq!(whole(&[BREAKING, WASHING, SOILING]), whole(&[&whole_of_one]));
}

/// A game that was saved while one rule described the step is read when others do so, too.
#[test]
fn what_one_rule_says_is_called_as_before_when_others_follow() {
    let alone = linked(&walking(&[WASHING]), &Profile::default());
    let all = linked(&walking(&[BREAKING, SOILING, WASHING]), &Profile::default());
    for kind in [IdKind::Block, IdKind::Site, IdKind::Clause, IdKind::Step] {
        let (few, many) = (alone.names_of(kind), all.names_of(kind));
        assert!(few.iter().all(|name| many.contains(name)), "{few:?} {many:?}");
        assert!(many.len() >= few.len());
    }
    let blocks = all.blocks.len() - alone.blocks.len();
    assert_eq!(blocks, 5, "no block but those of the rules: two steps, a clause in one, what is done to each vase");
}

#[test]
fn a_rule_without_statements_adds_none() {
    let idle = "rule 1 \"Idle\" { [idle] step home of walk { } }\n";
    assert_eq!(home(&[idle, WASHING]), ["2.IV.ii home"]);
    assert_eq!(home(&[&idle.replace("rule 1 ", "rule 9 "), WASHING]), ["2.IV.ii home"]);
}

#[test]
fn one_rule_describes_a_step_once() {
    let twice = "rule 3 \"Twice\" {\n    [one] step home of walk { for each vase as V { wash V }. }\n    \
                 [two] step home of walk { for each vase as V { soil V }. }\n}\n";
    let compiler = walking(&[twice, WASHING]);
    let diags = compiler.check();
    assert_eq!(codes(&diags), [Code::StepTwice]);
    assert_eq!(compiler.link(&Profile::default()).1.iter().filter(|diag| diag.is_error()).count(), 1);
    let diag = errors(&diags)[0];
    assert_eq!(diag.message, "rule 3 describes the step `home` of `walk` twice");
    assert!(pointed(&compiler, &diag.place).contains("soil V"), "{diag:#?}");
    assert!(pointed(&compiler, &diag.labels[0].place).contains("wash V"), "{diag:#?}");
    // Inside the procedure and beside it.
    let inside = WALK.replace("steps out, home. }", "steps out, home. step out { for each lamp as L { soil L }. } }");
    let mut compiler = walking(&[WASHING]);
    compiler.set_file(RULES_PATH, &inside);
    assert_eq!(codes(&compiler.check()), [Code::StepTwice]);
    // Two steps of one rule are two steps.
    let both = "rule 3 \"Both\" { step home of walk { for each vase as V { wash V }. } step out of walk { } }\n";
    assert_eq!(home(&[both]), ["3 step home"]);
}

#[test]
fn a_reading_adds_at_the_place_of_the_rule_that_it_is_added_to() {
    let rulings = r#"ruling R-4 "What else is done at home?" {
    about 2.IV.ii, 2.IV.iii.
    reading before { authority "judge". add to 1 { [early] step home of walk { for each lamp as L { wash L }. } } }
    reading between { authority "judge". add to 2.IV.ii.1a { [between] step home of walk { for each lamp as L { wash L }. } } }
    reading within { authority "judge". add to 2.IV.ii home { [within] for each lamp as L { wash L }. } }
    reading again { authority "judge". add to 2.IV.ii { [again] step home of walk { for each lamp as L { wash L }. } } }
    reading without { authority "judge". remove 2.IV.ii home. }
    reading otherwise { authority "judge". replace 2.IV.iii fall { [rise] for each vase as V { soil V }. } }
}
"#;
    let first = "rule 1 \"Lamps\" { [clean] a dusty lamp cannot be broken. }\n";
    let plain = "rule 2.IV.ii.1a \"Vases\" { [low] vases get -1 height. }\n";
    let compiler = walking(&[BREAKING, WASHING, plain, first, rulings]);
    let under = |reading: &str| Profile::default().with("R-4", reading);
    let home = |reading: &str| done_in(&linked(&compiler, &under(reading)), "home");
    assert_eq!(done_in(&linked(&compiler, &Profile::default()), "home"), ["2.IV.ii home", "2.IV.iii fall"]);
    assert_eq!(home("before"), ["1 early", "2.IV.ii home", "2.IV.iii fall"]);
    assert_eq!(home("between"), ["2.IV.ii home", "2.IV.ii.1a between", "2.IV.iii fall"]);
    assert_eq!(home("within"), ["2.IV.ii home", "2.IV.ii within", "2.IV.iii fall"]);
    assert_eq!(home("without"), ["2.IV.iii fall"]);
    assert_eq!(codes(&compiler.check_under(&under("again"))), [Code::StepTwice]);
    assert!(compiler.check_under(&under("otherwise")).iter().any(netrep_compiler::Diagnostic::is_error));
}

#[test]
fn a_rule_that_is_taken_away_leaves_the_others() {
    let mut compiler = walking(&[WASHING, SOILING, BREAKING]);
    let mut without = |nth: usize, text: &str| {
        let path = format!("rules/sections/s{nth}.rules");
        compiler.remove_file(&path);
        let found = done_in(&linked(&compiler, &Profile::default()), "home");
        compiler.set_file(&path, text);
        found
    };
    assert_eq!(without(0, WASHING), IN_ORDER[1..]);
    assert_eq!(without(1, SOILING), [IN_ORDER[0], IN_ORDER[2]]);
    assert_eq!(without(2, BREAKING), IN_ORDER[..2]);
    // Only where no rule is left something is missing.
    assert_eq!(codes(&walking(&[]).check()), [Code::MissingStep]);
    // Nor is it missing what a broken rule says beside others.
    let broken = BREAKING.replace("break V", "brake V");
    let compiler = walking(&[WASHING, &broken]);
    assert!(codes(&compiler.check()).iter().all(|code| !matches!(code, Code::MissingStep | Code::UnlistedStep)));
    assert_eq!(done_in(&compiler.link(&Profile::default()).0, "home"), IN_ORDER[..1]);
}

#[test]
fn what_each_rule_says_is_looked_at() {
    // A step that leads back to its procedure, by whichever rule; a name that holds in its own block alone.
    let back = "rule 9 \"Back\" { [back] step home of walk { perform walk for P. } }\n";
    for texts in [[WASHING, back], [back, WASHING]] {
        assert_eq!(codes(&walking(&texts).check()), [Code::NeverEnds]);
    }
    let first = back.replace("rule 9", "rule 1");
    assert_eq!(codes(&walking(&[WASHING, &first]).check()), [Code::NeverEnds]);
    let named = "rule 1 \"Named\" { [named] step home of walk { let Q be P. } }\n";
    let using = "rule 9 \"Using\" { [using] step home of walk { perform walk for Q. } }\n";
    let told = codes(&walking(&[WASHING, named, using]).check());
    assert!(!told.is_empty() && !told.contains(&Code::NeverEnds), "{told:?}");
    // A role that nothing binds, and one that another rule binds in the same step.
    let mut compiler =
        walking(&[WASHING, "rule 9 \"Host\" { [host] step home of walk { if P is host { end walk }. } }\n"]);
    compiler.set_file("rules/vocabulary/host.words", "role host: player.\n");
    assert_eq!(codes(&compiler.check()), [Code::UnboundRole]);
    compiler.set_file("rules/sections/b.rules", "rule 1 \"Binds\" { [binds] step home of walk { let host be P. } }\n");
    assert_eq!(codes(&compiler.check()), []);
}

/// What is told of a reading of a ruling about the walk, as code and text.
fn told_of(reading: &str) -> Vec<(Code, String)> {
    let mut compiler = walking(&[WASHING]);
    let text = format!(
        "ruling R-9 \"Which walk?\" {{\n    about 2.IV.\n    reading printed {{ authority \"The house\". }}\n    \
         reading other {{ authority \"The garden\". {reading} }}\n}}\n"
    );
    compiler.set_file(RULINGS_PATH, &text);
    let told = [compiler.check(), compiler.check_choices()].concat();
    let errors = told.iter().filter(|diag| diag.is_error());
    errors.map(|diag| (diag.code, told_at(&compiler, diag))).collect()
}

/// The file and the text at which it points, and of each other place the text.
fn told_at(compiler: &Compiler, diag: &netrep_compiler::Diagnostic) -> String {
    let more = diag.labels.iter().map(|label| pointed(compiler, &label.place));
    let places: Vec<String> = std::iter::once(pointed(compiler, &diag.place)).chain(more).collect();
    format!("{} {}", diag.place.file, places.join(" / "))
}

#[test]
fn a_procedure_that_a_reading_brings_has_a_name_of_its_own() {
    let walk = "[again] procedure walk for (player P) { steps out, home. }";
    let twice = told_of(&format!("add to 2.IV.ii {{ {walk} }}"));
    let [(code, at)] = &twice[..] else { panic!("{twice:#?}") };
    assert_eq!(*code, Code::TermRepeated);
    assert!(
        at.starts_with(RULINGS_PATH)
            && at.contains(" [again] procedure walk")
            && at.contains("/ [walk] procedure walk"),
        "{at}"
    );
    let none: [(Code, String); 0] = [];
    assert_eq!(told_of(&format!("remove 2.IV walk. add to 2.IV.ii {{ {walk} }}")), none, "in place of the other");
    assert_eq!(told_of(&format!("replace 2.IV walk {{ {walk} }}")), none);
    assert_eq!(
        told_of("add to 2.IV.ii { [rest] procedure rest for (player P) { steps sleep. } step sleep of rest { } }"),
        none
    );
}

#[test]
fn a_reading_declares_no_facts() {
    let told = told_of("add to 2.IV.ii { fact worn of lamp: yes or no. [worn] each worn lamp gets +1 height. }");
    let [(code, at)] = &told[..] else { panic!("{told:#?}") };
    assert_eq!(*code, Code::BadAmendment);
    assert_eq!(*at, format!("{RULINGS_PATH} fact worn of lamp: yes or no."));
}
