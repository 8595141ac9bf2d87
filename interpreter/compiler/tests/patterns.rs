//! Patterns: what a sentence stands for, where its clauses are told, who is run again; facts of one item.

use crate::common::*;
use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;

const PATTERNS_PATH: &str = "rules/patterns/lamps.patterns";
const USERS_PATH: &str = "cards/users.cards";

const PATTERNS: &str = r#"
pattern tall by (number N) {
    printed "00000001" N.
    [tall] this gets +N height.
    when this is washed: soil this.
}
pattern kin of (term T) beside (name A) { while A is a T: this gets +1 height. }
pattern on washing: (words E) { [washed] when this is washed as C: E. }
pattern very tall (number N) { [more] tall by N. [soiled] when this is soiled: break this. }
"#;

const USERS: &str = r#"
card U-1 "One" { kind Lamp. printed "000000aa", "000000bb". [rise 1, 2] tall by 3. }
card U-2 "Two" { kind Lamp. tall by 4. [washed] kin of Lamp beside "One". on washing: soil this; break this. }
card U-3 "Three" { kind Lamp. very tall 7. }
"#;

fn with(patterns: &str, users: &str) -> Compiler {
    let mut compiler = Compiler::logged();
    compiler.set_files(files());
    compiler.set_files([(PATTERNS_PATH, patterns), (USERS_PATH, users)]);
    compiler
}

/// The labels of a card's clauses under a profile, with what they say.
fn says(compiler: &Compiler, card: &str, profile: &Profile) -> Vec<(String, String)> {
    let found = compiler.in_force("card", card, profile).unwrap();
    let part = |part: &netrep_compiler::browse::Part| (part.label.clone(), part.english.clone().unwrap_or_default());
    found.parts.iter().map(part).filter(|(label, _)| label != "kind" && label != "printed").collect()
}

fn pairs(found: &[(String, String)]) -> Vec<(&str, &str)> {
    found.iter().map(|(label, text)| (label.as_str(), text.as_str())).collect()
}

#[test]
fn a_sentence_stands_for_the_clauses_of_its_pattern() {
    let compiler = with(PATTERNS, USERS);
    let diags = compiler.check();
    assert_eq!(errors(&diags).len(), 0, "{:#?}", errors(&diags));
    let plain = Profile::default();
    let one = says(&compiler, "U-1", &plain);
    assert_eq!(pairs(&one), [("rise tall", "this gets +3 height"), ("rise when", "when this is washed: soil this")]);
    let (item, _) = compiler.effective("card", "U-1", &plain).unwrap();
    let cited: Vec<Vec<u32>> =
        item.tree.clauses.iter().filter_map(|one| one.marker.as_ref()).map(|one| one.sentences.clone()).collect();
    assert_eq!(cited, [vec![], vec![], vec![1, 2], vec![1, 2]]);
    let two = says(&compiler, "U-2", &plain);
    assert_eq!(
        pairs(&two),
        [
            ("tall tall", "this gets +4 height"),
            ("tall when", "when this is washed: soil this"),
            ("washed", "while \"One\" is Lamp: this gets +1 height"),
            ("on washed", "when this as C is washed: soil this; break this"),
        ]
    );
    // One pattern may use another.
    let labels: Vec<String> = says(&compiler, "U-3", &plain).into_iter().map(|(label, _)| label).collect();
    assert_eq!(labels, ["very more tall", "very more when", "very soiled"]);
}

#[test]
fn what_stands_there_is_what_would_be_written() {
    let compiler = with(PATTERNS, "card U-1 \"One\" { kind Lamp. tall by 3. }\n");
    let written = with(
        PATTERNS,
        "card U-1 \"One\" { kind Lamp. [tall tall] this gets +3 height. [tall when] when this is washed: soil this. }\n",
    );
    let bodies = |compiler: &Compiler| {
        let program = compiler.link(&Profile::default()).0;
        (program.modifiers.clone(), program.triggers.len(), program.allowances.len())
    };
    let (of_pattern, plain) = (bodies(&compiler), bodies(&written));
    assert_eq!(of_pattern.1, plain.1);
    assert_eq!(of_pattern.2, plain.2);
    assert_eq!(of_pattern.0.len(), plain.0.len());
}

#[test]
fn an_edited_pattern_runs_its_users_only() {
    let mut compiler = with(PATTERNS, USERS);
    compiler.check();
    compiler.events();
    assert!(
        compiler
            .set_file(PATTERNS_PATH, &PATTERNS.replace("while A is a T: this gets +1", "while A is a T: this gets +2"))
    );
    compiler.check();
    let ran: Vec<String> = compiler.events().iter().map(ToString::to_string).collect();
    let read: Vec<&String> = ran.iter().filter(|one| one.starts_with("read(")).collect();
    assert!(read.iter().any(|one| one.contains("U-2")), "{read:?}");
    assert!(!read.iter().any(|one| one.contains("U-1") || one.contains("A-1")), "{read:?}");
}

#[test]
fn a_mistake_in_a_pattern_is_told_once_there() {
    let compiler = with(
        &PATTERNS.replace("+N height", "+N hieght"),
        "card U-1 \"One\" { kind Lamp. tall by 3. }\ncard U-2 \"Two\" { kind Lamp. tall by 4. }\n",
    );
    let diags = compiler.check();
    let errors = errors(&diags);
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert_eq!((errors[0].code, &*errors[0].place.file), (Code::UnknownWord, PATTERNS_PATH));
    assert!(errors[0].labels.iter().any(|label| label.text.ends_with("U-1")), "{:?}", errors[0].labels);
}

#[test]
fn what_is_put_in_is_told_where_it_is_written() {
    let compiler = with(PATTERNS, "card U-2 \"Two\" { kind Lamp. on washing: wish this. }\n");
    let diags = compiler.check();
    let errors = errors(&diags);
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert_eq!((errors[0].code, &*errors[0].place.file), (Code::UnknownWord, USERS_PATH));
}

#[test]
fn a_ruling_amends_a_pattern_for_all_or_for_one() {
    let ruling = |what: &str| {
        format!(
            "ruling P-1 \"How tall?\" {{ about U-1. reading so {{ authority \"judge\". {what} }} }}\n\
             edition tall \"Tall\" {{ P-1 so. }}\n"
        )
    };
    let profile = Profile::edition("tall");
    let said = |what: &str, card: &str| {
        let mut compiler = with(PATTERNS, USERS);
        compiler.set_file("rules/rulings/patterns.rulings", &ruling(what));
        let wrong = compiler.check_under(&profile);
        assert_eq!(errors(&wrong).len(), 0, "{:#?}", errors(&wrong));
        says(&compiler, card, &profile).into_iter().map(|(_, text)| text).collect::<Vec<_>>()
    };
    let all = "amend pattern \"tall by\" tall { read height as { height, +1 height }. }";
    assert_eq!(said(all, "U-2")[0], "this gets +4 height; this gets +1 height");
    assert_eq!(said(all, "U-3")[0], "this gets +7 height; this gets +1 height", "also through another pattern");
    let one = "replace U-1 rise tall { this gets -1 height. }";
    assert_eq!(said(one, "U-1")[0], "this gets -1 height");
    assert_eq!(said(one, "U-2")[0], "this gets +4 height");
    assert_eq!(said("remove pattern \"tall by\" when.", "U-1").len(), 1);
    // Who uses it is among those that two profiles read differently.
    let mut compiler = with(PATTERNS, USERS);
    compiler.set_file("rules/rulings/patterns.rulings", &ruling(all));
    let apart = compiler.apart(&Profile::default(), &profile);
    let apart: Vec<&str> = apart.iter().map(|(_, key)| &**key).filter(|key| key.starts_with("U-")).collect();
    assert_eq!(apart, ["U-1", "U-2", "U-3"]);
    let targets: std::collections::BTreeSet<_> = compiler.targets("P-1").into_iter().map(|(_, key)| key).collect();
    assert!(["U-1", "U-2", "U-3"].iter().all(|card| targets.contains(*card)), "{targets:?}");
}

#[test]
fn misused_patterns_are_refused() {
    let code = |patterns: &str, users: &str| {
        let diags = with(patterns, users).check();
        codes(&diags).into_iter().collect::<std::collections::BTreeSet<_>>()
    };
    let user = "card U-1 \"One\" { kind Lamp. tall by 3. }\n";
    for wrong in [
        "pattern tall by (number N) { [a] this gets +1 height. }\n",
        "pattern tall by (number N) { }\n",
        "pattern tall by (digits N) { [a] this gets +N height. }\n",
        "pattern tall by (number N), (number N) { [a] this gets +N height. }\n",
        "pattern (number N) tall { [a] this gets +N height. }\n",
        "pattern tall by (words E) (number N) { [a] this gets +N height. [b] when this is washed: E. }\n",
        "pattern tall by (number N) { state size of card: number. [a] this gets +N height. }\n",
        "pattern tall by (number N) { fact size: number. [a] this gets +N height. }\n",
        "pattern tall by (number N) { printed \"00000001\" M. [a] this gets +N height. }\n",
        "pattern tall by (number N) { printed \"00000001\". printed \"00000001\", \"00000002\". [a] this gets +N height. }\n",
    ] {
        assert!(code(wrong, "").contains(&Code::BadPattern), "{wrong}: {:?}", code(wrong, ""));
    }
    let two = "pattern tall by (number N) { [a] this gets +N height. }\npattern tall by (words E) { [a] this gets +E height. }\n";
    // What is no pattern's is read as it stands, too.
    assert!(code(two, user).contains(&Code::BadPatternUse));
    let captured = "pattern on washing: (words E) { [a] when a lamp is washed as C: E. }\n";
    let user = "card U-1 \"One\" { kind Lamp. on washing: for each lamp as C { soil C }. }\n";
    assert_eq!(code(captured, user), [Code::BadPatternUse].into());
    let counted = "pattern tall by (number N) { [a 2] this gets +N height. }\n";
    let user = "card U-1 \"One\" { kind Lamp. printed \"000000aa\". [1] tall by 3. }\n";
    assert_eq!(code(counted, user), [Code::BadPatternUse].into());
    // What is no use of it is read as it stands, and refused as such.
    let near = "card U-1 \"One\" { kind Lamp. tall by and by. }\n";
    assert_eq!(code(PATTERNS, near), [Code::UnknownWord].into());
}

#[test]
fn a_slip_in_the_words_of_a_pattern_is_told_at_the_word() {
    let told = |said: &str| {
        let compiler = with(PATTERNS, &format!("card U-1 \"One\" {{ kind Lamp. {said}. }}\n"));
        let told = compiler.check();
        let [diag] = errors(&told)[..] else { panic!("{said}: {told:#?}") };
        (pointed(&compiler, &diag.place), diag.help.clone().unwrap_or_default())
    };
    assert_eq!(told("very tlal 7"), ("tlal".to_owned(), "did you mean `tall`?".to_owned()));
    assert_eq!(told("kin of Lamp besdie \"One\"").0, "besdie");
    // Two words are no slip.
    assert!(told("very short here 7").1.contains("if a pattern is meant"));
}

#[test]
fn a_fact_is_its_item_s_own() {
    let fact = "card U-1 \"One\" { kind Lamp. fact lost: card. when this is washed: set lost of this to this. \
                while lost of this is this: this gets +1 height. }\n";
    let other = "card U-2 \"Two\" { kind Lamp. when this is washed: set lost of this to this. }\n";
    let wrong = |users: &str| codes(&with("", users).check());
    assert_eq!(wrong(fact), []);
    assert_eq!(wrong(other), [Code::UnknownWord]);
    assert_eq!(wrong(&format!("{fact}{other}")), [Code::UnknownWord]);
    // Two items may call facts of theirs alike.
    assert_eq!(wrong(&format!("{fact}{}", fact.replace("U-1 \"One\"", "U-2 \"Two\""))), []);
    let program = with("", fact).link(&Profile::default()).0;
    assert!(program.attrs.iter().any(|one| one.name == "U-1 lost"), "named after the item");
    // A rule says of what, a word of the vocabulary is taken, and values are in order.
    let rule = |text: &str| {
        let mut compiler = with("", "");
        compiler.set_file("rules/sections/facts.rules", &format!("rule 9 \"Facts\" {{ {text} }}\n"));
        codes(&compiler.check())
    };
    assert_eq!(
        rule(
            "fact lost of card: yes or no. when a lamp is washed as C: set lost of C to yes. lost lamps get +1 height."
        ),
        []
    );
    assert_eq!(rule("fact lost: yes or no. [a] lamps get +1 height."), [Code::BadDeclaration]);
    assert_eq!(rule("fact dust of card: state. [a] lamps get +1 height."), [Code::TermRepeated]);
    assert_eq!(rule("fact lost of card. [a] lamps get +1 height."), [Code::BadDeclaration]);
    assert_eq!(rule("fact lost of card: number = Clean. [a] lamps get +1 height."), [Code::WrongSort]);
}

#[test]
fn a_state_of_one_item_is_advice() {
    let mut compiler = with("", "card U-1 \"One\" { kind Lamp. when this is washed: set warmth of this to 1. }\n");
    compiler.set_file("rules/vocabulary/warmth.words", "state warmth of card: number.\n");
    let told =
        |compiler: &Compiler| compiler.check().into_iter().filter(|diag| diag.code == Code::WordOfOneItem).count();
    assert_eq!(told(&compiler), 1);
    compiler.set_file(
        "cards/more.cards",
        "card U-2 \"Two\" { kind Lamp. while warmth of this > 0: this gets +1 height. }\n",
    );
    assert_eq!(told(&compiler), 0);
}
