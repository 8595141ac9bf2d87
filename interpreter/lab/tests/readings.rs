//! Readings against each other on the toy: the matrix, the rulings behind it, and what a switch or a draft touches.

use std::sync::Arc;

use crate::support::{RULING, WORDS, scenario};
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_ir::Place;
use netrep_lab::Report;
use netrep_lab::compare::{Because, Matrix, compare, difference, told};
use netrep_lab::impact::{Effect, draft, edited, effects};
use netrep_lab::memo::Memo;
use netrep_lab::report::Verdict;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::{Scenario, parse};
use netrep_lab::switches::smallest;

/// Two rulings that each change the points, one that changes what nobody looks at, and one that two editions do not choose.
const MORE: &str = r#"
ruling R-2 "Does a throw count one more?" {
    about 1.
    reading plain { authority "The house". status in force. }
    reading more { authority "The garden". replace 1 sum { [sum] set points of P to points of P + R + 1. } }
}
ruling R-3 "Is the best lamp praised twice?" {
    about 1.
    reading once { authority "The house". status in force. }
    reading twice { authority "The garden". replace 1 best { [best] P chooses a lit card as C; praise C; praise C. } }
}
ruling R-4 "Can it not be said?" {
    about 1.
    reading no { authority "The house". }
    reading unsaid { authority "The garden". awaits "a word". }
}
edition plain "As it stands" { R-1 short. R-2 plain. R-3 once. R-4 no. }
edition park "The park" { R-1 long. R-2 more. R-3 twice. R-4 unsaid. }
edition field "The field" { R-1 short. R-2 more. R-3 once. }
"#;

const POINTS: &str = "expect { points of Ann is 7. over. }\n";

fn ready() -> (Compiler, Vec<Arc<Scenario>>) {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    compiler.set_file("rules/toy.rulings", RULING);
    compiler.set_file("rules/more.rulings", MORE);
    let text = [
        scenario("toy", "", POINTS),
        // Nothing is thrown yet.
        scenario("early", "", "").replace(" dice 5. Ann: \"Tall Lamp\". }\n", " }\nexpect { \"Tall Lamp\" is lit. }\n"),
        scenario("asked", "with R-2 more.\n", "expect { points of Ann is 8. over. }\n"),
    ]
    .concat();
    let parsed = parse("toy.md", &text, false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    (compiler, parsed.scenarios.into_iter().map(Arc::new).collect())
}

fn matrix(editions: &[&str]) -> Matrix {
    let (compiler, scenarios) = ready();
    let profiles: Vec<Profile> = editions.iter().map(|id| Profile::edition(id)).collect();
    compare(&compiler, &scenarios[..2], &profiles, 2)
}

#[test]
fn the_matrix_says_who_agrees_and_which_rulings_are_behind_it() {
    let found = matrix(&["plain", "house", "park", "field"]);
    let [toy, early] = found.scenarios.as_slice() else { panic!("{found:#?}") };
    assert_eq!((&toy.row[..], &early.row[..]), (&[0, 0, 1, 2][..], &[0, 0, 0, 0][..]));
    assert_eq!(toy.groups.iter().map(|group| group.passed).collect::<Vec<_>>(), [true, false, false]);
    let because = |at: usize| toy.partings[at].because.iter().map(ToString::to_string).collect::<Vec<_>>();
    // Neither alone makes the park's outcome; what amends only the height does not belong to it.
    assert_eq!(because(0), ["R-2: plain against more", "R-3: once against twice"]);
    assert_eq!(because(1), ["R-2: plain against more"]);
    assert_eq!(toy.partings[0].step, 6, "the throw: {:#?}", toy.partings);
    let [sides] = found.sides.as_slice() else { panic!("{:#?}", found.sides) };
    let sets = |because: &[Because]| because.iter().map(|one| one.rulings.join(" ")).collect::<Vec<_>>();
    assert_eq!(
        (sides.count, sides.verdicts, sets(&sides.because)),
        (1, 1, vec!["R-2".to_owned(), "R-2 R-3".to_owned()])
    );
    let against: Vec<_> =
        found.against.iter().map(|one| (one.profile.as_str(), one.count, sets(&one.because))).collect();
    let set = |text: &str| vec![text.to_owned()];
    assert_eq!(against, [("house", 0, vec![]), ("park", 1, set("R-2 R-3")), ("field", 1, set("R-2"))]);
    assert_eq!(sides.groups, [vec!["plain", "house"], vec!["park"], vec!["field"]]);
}

#[test]
fn only_what_consulted_the_difference_is_run() {
    let found = matrix(&["plain", "house"]);
    assert_eq!((found.ran, found.spared), (2, 2), "the same readings: each scenario once");
    // No throw comes early, and nobody asks for the height: there the editions cannot part.
    let found = matrix(&["plain", "field"]);
    assert_eq!((found.spared, found.scenarios[1].groups.len()), (1, 1));
    assert!(found.sides.len() == 1 && found.sides[0].because[0].rulings == ["R-2"]);
}

/// The effects of rulings under the default edition.
fn of(wanted: &str) -> (Vec<Effect>, usize, usize) {
    let (compiler, scenarios) = ready();
    let mut told = 0;
    let wanted = |ruling: &netrep_compiler::layers::ruling::Ruling| wanted.is_empty() || *ruling.id == *wanted;
    let found = effects(&compiler, &scenarios, (&wanted, false), &Profile::default(), 2, &mut |_| told += 1);
    assert_eq!(told, found.readings.len());
    (found.readings, found.ran, found.spared)
}

#[test]
fn a_switch_says_what_it_touches() {
    let (found, ran, spared) = of("R-2");
    // `house` is the default edition and chooses no reading here: both are looked at, one is the text as it stands.
    let [plain, more] = found.as_slice() else { panic!("{found:#?}") };
    assert!(plain.items.is_empty() && plain.departs.is_empty() && !plain.unnoticed);
    assert_eq!((more.items.as_slice(), more.unnoticed), (&["rule 1".to_owned()][..], false));
    let departs: Vec<_> =
        more.departs.iter().map(|one| (one.scenario.as_str(), one.flips(), one.parting.step)).collect();
    // The one that asks for the reading itself failed without it.
    assert_eq!(departs, [("toy", true, 6), ("asked", true, 6)]);
    assert!(more.departs[0].passed_before && more.departs[1].passed_after);
    // Each once; the two that consulted the sum once more; the early one consulted nothing of it, and the one that asks for
    // the reading had been run so.
    assert_eq!((ran, spared), (3 + 2, 2));
}

#[test]
fn a_reading_that_no_scenario_shows_is_named() {
    let (found, ran, _) = of("");
    let unnoticed: Vec<_> = found.iter().filter(|one| one.unnoticed).map(|one| one.reading.as_str()).collect();
    assert_eq!(unnoticed, ["long"], "the height, which nobody asks for; what waits changes nothing");
    assert_eq!(found.iter().find(|one| one.reading == "unsaid").map(|one| one.awaits.len()), Some(1));
    // Three to begin with, two for R-2; R-3 does not reach the early one and is not asked of the one that names R-2.
    assert_eq!(ran, 3 + 2 + 1);
}

#[test]
fn a_draft_takes_the_place_of_what_is_called_so_and_the_rest_is_new() {
    let (compiler, scenarios) = ready();
    let rule = "rule 2 \"Praise\" {\n    [tall] each card gets +5 height.\n}\n";
    let ruling = "ruling R-9 \"Is nothing thrown?\" {\n    about 1.\n    reading none { authority \"A draft\". remove 1 sum. }\n}\n";
    let same = "card L-9 \"New Lamp\" { kind Lamp. height 1. }\n";
    let found = draft(&compiler, "draft.rules", &[rule, ruling, same].concat(), None);
    let items: Vec<_> = found.items.iter().map(|one| (one.item.as_str(), one.replaces.as_deref())).collect();
    assert_eq!(items, [("rule 2", Some("rules/toy.words")), ("ruling R-9", None), ("card L-9", None)]);
    let edit = edited(&compiler, &found.compiler, &scenarios, &Profile::default(), 2);
    assert!(edit.diagnostics.is_empty() && edit.departs.is_empty(), "{edit:#?}");
    assert_eq!((edit.ran, edit.spared), (0, 3), "nobody asks for the height");
    let wanted = |ruling: &netrep_compiler::layers::ruling::Ruling| found.rulings.contains(&*ruling.id);
    let switched = effects(&found.compiler, &scenarios, (&wanted, true), &Profile::default(), 2, &mut |_| ());
    assert_eq!(switched.readings.len(), 1);
    assert_eq!(switched.readings[0].departs.iter().map(|one| one.scenario.as_str()).collect::<Vec<_>>(), ["toy"]);
    // The data themselves are as they were.
    assert!(compiler.item("ruling", "R-9").is_none());
}

#[test]
fn an_edit_runs_what_consulted_it_and_nothing_else() {
    let (compiler, scenarios) = ready();
    let rule = compiler.item("rule", "1").unwrap().text.replace("points of P + R", "points of P + R + 1");
    let found = draft(&compiler, "draft.rules", &rule, None);
    let edit = edited(&compiler, &found.compiler, &scenarios, &Profile::default(), 2);
    assert_eq!(
        (edit.ran, edit.spared),
        (1, 2),
        "the early one throws nothing; the reading replaces the sum: {edit:#?}"
    );
    assert_eq!(
        edit.departs.iter().map(|one| (one.scenario.as_str(), one.flips())).collect::<Vec<_>>(),
        [("toy", true)]
    );
    let broken = draft(&compiler, "draft.rules", "rule 2 \"Praise\" { [tall] each card gets +1 heigth. }\n", None);
    let edit = edited(&compiler, &broken.compiler, &scenarios, &Profile::default(), 1);
    assert_eq!(edit.diagnostics.iter().map(|diag| diag.code).collect::<Vec<_>>().first(), Some(&Code::UnknownWord));
    // In the place of a file, what the file had is gone.
    let file = draft(&compiler, "x", "edition plain \"Alone\" { default. }\n", Some("rules/more.rulings"));
    assert!(file.compiler.item("ruling", "R-2").is_none() && file.compiler.item("edition", "park").is_none());
}

/// A ruling that lets nobody kindle a small lamp, and one that forbids it by another clause; nothing else happens by them.
const REFUSING: &str = r#"
ruling R-5 "Who kindles small lamps?" {
    about 1.
    reading host { authority "The house". status in force. }
    reading nobody { authority "The garden". replace L-1 glow { [glow] you may kindle this { [own] if owner of this is host. [never] if points of host is 9. effect praise this. } } }
    reading anyone { authority "The park". replace L-1 glow { [glow] you may kindle this { effect praise this. } } }
}
edition lawn "The lawn" { R-5 nobody. }
"#;

/// The default data with that ruling, and scenarios that only ask: nothing but answers can differ.
fn asking(scripts: &[&str]) -> (Compiler, Vec<Arc<Scenario>>) {
    let (mut compiler, _) = ready();
    compiler.set_file("rules/refusing.rulings", REFUSING);
    let given = "given { player Ann, Bob. Ann: shelf \"Small Lamp\" as S. Bob: shelf \"Small Lamp\" as B.
        at lighting of evening for Ann. }";
    let text: String = scripts
        .iter()
        .enumerate()
        .map(|(at, script)| format!("```scenario asks {at}\n{given}\n{script}\n```\n"))
        .collect();
    let parsed = parse("asks.md", &text, false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    (compiler, parsed.scenarios.into_iter().map(Arc::new).collect())
}

/// What the readings of R-5 part in, in the only scenario: the reading, the question, and both answers.
fn parted(script: &str) -> Vec<(String, Option<String>, String, String)> {
    let (compiler, scenarios) = asking(&[script]);
    let wanted = |ruling: &netrep_compiler::layers::ruling::Ruling| *ruling.id == *"R-5";
    let found = effects(&compiler, &scenarios, (&wanted, false), &Profile::default(), 1, &mut |_| ());
    let departs = |effect: &Effect| effect.departs.first().map(|one| one.parting.clone());
    let part = |effect: &Effect| {
        assert_eq!(effect.unnoticed, effect.departs.is_empty() && !effect.items.is_empty());
        let parting = departs(effect)?;
        Some((effect.reading.clone(), parting.asked, parting.here.join("; "), parting.there.join("; ")))
    };
    found.readings.iter().filter_map(part).collect()
}

#[test]
fn readings_that_part_only_in_what_is_offered_are_told_apart() {
    // Each line is stated for one reading, and asked under all of them.
    let script = "expect under R-5 host { offered Ann: S: kindle. }
        expect under R-5 nobody { refused Ann: S: kindle because L-1 never. }";
    let question = Some("Ann: S: kindle".to_owned());
    let refused = "refused because L-1 never".to_owned();
    // No reading is chosen by the edition: that of the house is the text as it stands.
    assert_eq!(parted(script), [("nobody".to_owned(), question.clone(), "offered".to_owned(), refused.clone())]);
    // It does not matter for which of them it is stated, nor which way.
    assert_eq!(parted("expect under R-5 anyone { refused Ann: S: kindle. }")[0].3, refused);
    let (compiler, scenarios) = asking(&[script]);
    let found = compare(&compiler, &scenarios, &["house", "lawn"].map(Profile::edition), 1);
    assert_eq!(found.scenarios[0].row, [0, 1]);
    let parting = &found.scenarios[0].partings[0];
    assert_eq!((parting.step, &parting.asked), (0, &question));
    assert_eq!(parting.place(), "at the start, asked `Ann: S: kindle`");
    assert_eq!(parting.because.iter().map(|one| one.ruling.as_str()).collect::<Vec<_>>(), ["R-5"]);
    // Where nobody asks for it, nothing parts: the reading is flagged.
    assert_eq!(parted("expect { points of Ann is 0. }"), []);
}

#[test]
fn refusals_by_other_clauses_are_other_answers() {
    let script = "expect { next refused Bob: B: kindle because L-1 own. }";
    let found = parted(script);
    let words: Vec<&str> = found.iter().map(|(_, _, _, there)| there.as_str()).collect();
    assert_eq!(words, ["refused because L-1 never, L-1 own", "offered"], "{found:#?}");
    assert!(found.iter().all(|(_, _, here, _)| here == "refused because L-1 own"));
}

#[test]
fn what_is_only_asked_is_neither_expected_nor_a_proof_of_a_citation() {
    let under =
        "expect under R-1 long { height of S is 3. } expect under R-9 none { S is nonsense. points of Ann is 7. }";
    let (compiler, scenarios) = asking(&[
        &format!("expect {{ over. }} {under}").replace("over", "S is dark"),
        &format!("cites 2 tall. expect {{ S is dark. }} {under}"),
    ]);
    let found = compare(&compiler, &scenarios, &["house", "garden"].map(Profile::edition), 1);
    let [plain, citing] = found.scenarios.as_slice() else { panic!("{found:#?}") };
    // The height is asked under both, and expected under none of the editions by name.
    assert!(plain.groups.iter().all(|group| group.passed), "{plain:#?}");
    assert_eq!(plain.partings[0].asked.as_deref(), Some("height of S is 3"));
    assert_eq!((&*plain.partings[0].here[0], &*plain.partings[0].there[0]), ("not so", "so"));
    assert_eq!(citing.groups[0].failures, ["the run never consulted 2 tall"]);
    // What cannot be said under either is no difference.
    assert_eq!(plain.partings.len(), 1);
}

#[test]
fn what_is_read_on_the_way_to_a_question_belongs_to_the_run() {
    // Bob is asked for the second time after Ann has passed: only the copy on which that is looked up reads what praises.
    let (mut compiler, scenarios) = asking(&["expect { next refused Bob: S: kindle. }", "expect { S is dark. }"]);
    let jobs = jobs(&scenarios, &Profile::default());
    let mut memo = Memo::new();
    memo.refresh(&compiler, &jobs, 1, &|_| ());
    let ran = |memo: &mut Memo, compiler: &Compiler| {
        memo.refresh(compiler, &jobs, 1, &|_| ()).iter().map(|outcome| outcome.ran).collect::<Vec<_>>()
    };
    assert_eq!(ran(&mut memo, &compiler), [false, false]);
    compiler.set_file(
        "rules/never.rules",
        "rule 3 \"Never\" { [still] a card cannot be kindled if points of host is 9. }\n",
    );
    let wrong = compiler.check();
    assert!(wrong.iter().all(|diag| !diag.is_error()), "{wrong:#?}");
    assert_eq!(ran(&mut memo, &compiler), [true, false]);
}

/// What goes touches those in whose run it made a difference; what is changed, those that looked at it; what comes, those that
/// looked where it stands.
#[test]
fn a_clause_that_did_nothing_may_go_unnoticed() {
    let (mut compiler, _) = ready();
    let tall = scenario("tall", "", "expect { height of \"Tall Lamp\" is 4. }\n");
    let tall: Vec<_> = parse("tall.md", &tall, false).scenarios.into_iter().map(Arc::new).collect();
    let jobs = jobs(&tall, &Profile::default());
    let mut memo = Memo::new();
    let mut says = |text: &str| {
        compiler.set_file("rules/more.rules", &format!("rule 7 \"More\" {{ {text} }}\n"));
        let wrong: Vec<_> = compiler.check().into_iter().filter(|diag| diag.is_error()).collect();
        assert!(wrong.is_empty(), "{text}: {wrong:#?}");
        memo.refresh(&compiler, &jobs, 1, &|_| ()).iter().any(|outcome| outcome.ran)
    };
    let before = "[other] while points of host is 97: each card gets +1 height.";
    let clauses = [
        ("while points of host is 98: each card gets +2 height", Some("each card gets +2 height")),
        ("a card cannot be praised if points of host is 98", None),
        (
            "when a card as C is kindled if points of host is 98: praise C",
            Some("when a card as C is kindled: praise C"),
        ),
    ];
    assert!(says(before));
    for (idle, busy) in clauses {
        assert!(says(&format!("{before} [it] {idle}.")), "{idle}: it comes");
        assert!(says(&format!("{before} [it] {}.", idle.replace("98", "99"))), "{idle}: it is another");
        assert!(!says(before), "{idle}: it goes");
        if let Some(busy) = busy {
            assert!(says(&format!("{before} [it] {busy}.")), "{busy}: it comes");
            assert!(says(before), "{busy}: it goes");
        }
    }
}

#[test]
fn a_word_that_only_a_part_of_a_reading_says_is_used() {
    let (mut compiler, _) = ready();
    let words = "define score of (player P): number = points of P.\ndefine luck of (player P): number = points of P.\n\
                 list glaze { Waxed. Bare. }\nstate glaze of card: glaze = Bare.\nstate polish of card: glaze = Bare.\n\
                 list rust { Rusty. }\nstate rust of card: rust, many.\n";
    compiler.set_file("rules/more.words", words);
    let unused = |compiler: &Compiler| {
        let advice = compiler.check().into_iter().filter(|diag| diag.code == Code::TermNeverUsed);
        let said = advice.filter(|diag| diag.place.file == "rules/more.words").map(|diag| diag.message);
        said.map(|text| text.trim_start_matches("no clause uses ").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(unused(&compiler), ["`score`", "`luck`", "`glaze`", "`polish`", "`rust`"]);
    // What is replaced is a clause within a step.
    let ruling = "ruling R-6 \"Is it the score?\" {\n    about 1.\n    reading score { authority \"The park\". \
                  replace 1 sum { [sum] set points of P to score of P + number of Rusty cards. } }\n}\n";
    compiler.set_file("rules/score.rulings", ruling);
    let errors: Vec<_> = compiler.check().into_iter().filter(|diag| diag.is_error()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert_eq!(unused(&compiler), ["`luck`", "`glaze`", "`polish`"], "a state is used by its terms");
    let users = compiler.terms().into_iter().find(|view| &*view.term.key.name == "score").unwrap().users;
    assert_eq!(users.iter().map(|(head, key)| format!("{head} {key}")).collect::<Vec<_>>(), ["ruling R-6"]);
}

#[test]
fn moves_of_one_edition_are_not_blamed_on_rulings() {
    // In the garden Ann kindles her lamp; that is the script's doing, and every ruling could be switched without it.
    let script = "when under edition garden { Ann: S: kindle. } expect { next offered Bob: pass. } expect under edition garden { S is lit. }";
    let (compiler, scenarios) = asking(&[script]);
    let found = compare(&compiler, &scenarios, &["house", "garden"].map(Profile::edition), 1);
    let parting = &found.scenarios[0].partings[0];
    assert_eq!((&parting.asked, parting.because.as_slice()), (&None, &[][..]), "{parting:#?}");
    // Where one edition only plays what all could, and a ruling makes the difference, it is named.
    let script =
        "when under edition lawn { Ann: pass. } expect { S is dark. next refused Bob: B: kindle because L-1 own. }
        expect under edition lawn { next refused Bob: B: kindle because L-1 never. }";
    let (compiler, scenarios) = asking(&[script]);
    let found = compare(&compiler, &scenarios, &["house", "lawn"].map(Profile::edition), 1);
    let parting = &found.scenarios[0].partings[0];
    assert_eq!(parting.because.iter().map(|one| one.ruling.as_str()).collect::<Vec<_>>(), ["R-5"], "{parting:#?}");
}

#[test]
fn the_smallest_part_is_found_and_nothing_of_it_can_be_left_out() {
    let numbers: Vec<u32> = (0..40).collect();
    let all: Vec<&u32> = numbers.iter().collect();
    let find = |wanted: &[u32]| {
        let mut asked = 0;
        let found = smallest(&all, &mut |part: &[&u32]| {
            asked += 1;
            wanted.iter().all(|one| part.contains(&one))
        });
        (found.map(|found| found.into_iter().copied().collect::<Vec<_>>()), asked)
    };
    assert_eq!(find(&[7]), (Some(vec![7]), 8));
    assert_eq!(find(&[3, 31]).0, Some(vec![3, 31]));
    assert_eq!(find(&[0, 1, 2, 20, 39]).0, Some(vec![0, 1, 2, 20, 39]));
    assert_eq!(find(&[99]).0, None);
}

/// Where a position stands rests on what performs what, also where its run comes by nothing that a reading amends.
#[test]
fn a_reading_by_which_something_runs_elsewhere_touches_who_stands_in_it() {
    let words = WORDS.replacen("steps lighting,", "steps lighting, dusk,", 1).replacen(
        "for opponent of P. }",
        "for opponent of P. [eve] set points of P to 3. }\n    step dusk of evening { [fall] perform night for P. }",
        1,
    );
    let night = "rule 3 \"Night\" {\n    [night] procedure night for (player P) { steps dream. }\n    \
                 step dream of night { [dream] set points of P to 1. }\n}\n";
    let ruling = "ruling R-7 \"When is it night?\" {\n    about 3.\n    reading dusk { authority \"The house\". }\n    \
                  reading early {\n        authority \"The garden\".\n        replace 1 eve { [eve] perform night for P. }\n        \
                  replace 1 fall { [fall] set points of P to 3. }\n    }\n}\nedition night \"Night\" { R-7 dusk. }\n";
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", &(words + night));
    compiler.set_file("rules/toy.rulings", &(RULING.to_owned() + ruling));
    let text = "```scenario night\nedition night.\ngiven {\n    player Ann, Bob.\n    Ann: shelf \"Tall Lamp\".\n    \
                at dusk of evening for Ann; dream of night for Ann.\n}\nexpect { points of Ann is 1. }\n```\n";
    let parsed = parse("toy.md", text, false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    let wanted = |ruling: &netrep_compiler::layers::ruling::Ruling| *ruling.id == *"R-7";
    let found = effects(&compiler, &scenarios, (&wanted, true), &Profile::edition("night"), 1, &mut |_| ());
    let [early] = found.readings.as_slice() else { panic!("{:#?}", found.readings) };
    let departs: Vec<_> = early.departs.iter().map(|one| (one.passed_before, one.passed_after)).collect();
    assert_eq!(departs, [(true, false)], "at dusk it is not night: {early:#?}");
}

/// All by which two runs are told apart is in their fingerprints, and nothing else.
#[test]
fn runs_that_differ_have_other_fingerprints() {
    let (compiler, scenarios) = ready();
    let before = run(&compiler, &jobs(&scenarios[..1], &Profile::default()), 1, false).remove(0);
    let alike = |other: &Report| (told(other) == told(&before), difference(&before, other).is_none());
    assert!(!before.answers.is_empty() && before.steps.iter().any(|step| step.trace.len() > 1));
    let changed = |change: fn(&mut Report)| {
        let mut other = before.clone();
        change(&mut other);
        alike(&other)
    };
    let changes: [fn(&mut Report); 9] = [
        |report| report.steps[0].by.push('x'),
        |report| report.steps[0].chosen.push('x'),
        |report| drop(report.steps.pop()),
        |report| {
            report
                .steps
                .iter_mut()
                .filter_map(|step| step.trace.first_mut())
                .for_each(|entry| entry.text.insert(0, 'x'))
        },
        |report| report.steps.iter_mut().for_each(|step| drop(step.trace.pop())),
        |report| report.answers[0].verdict = Verdict::So(false),
        |report| report.answers[0].verdict = Verdict::Unsaid,
        |report| report.diags.push(Diagnostic::new(Code::NotSo, Place::nowhere(), "x".to_owned())),
        |report| report.steps.iter_mut().for_each(|step| step.trace.clear()),
    ];
    for (n, change) in changes.into_iter().enumerate() {
        assert_eq!(changed(change), (false, false), "change {n}");
    }
    // Answers that are not asked at the same point are not compared: they are told apart all the same.
    assert!(!changed(|report| report.answers[0].after += 1).0);
    assert!(!changed(|report| report.answers[0].span.end += 1).0);
    // A clause of another name that does the same is no difference, nor is what was offered besides.
    let same: [fn(&mut Report); 3] = [
        |report| {
            report
                .steps
                .iter_mut()
                .flat_map(|step| &mut step.trace)
                .for_each(|entry| entry.text = entry.text.replace(" (1 ", " (7 "))
        },
        |report| report.steps[0].options.clear(),
        |report| report.hash += 1,
    ];
    for (n, change) in same.into_iter().enumerate() {
        assert_eq!(changed(change), (true, true), "no change {n}");
    }
}
