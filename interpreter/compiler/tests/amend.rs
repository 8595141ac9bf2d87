//! Amendments inside of clauses: what each edit makes of its clause, that two compose where their fragments are apart, and
//! what is told where they are not.

use crate::common::*;
use netrep_compiler::browse::Part;
use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;

const RULE: &str = r#"
rule 2 "Washing" {
    [low] vases get -1 height.
    [wash] when a lamp is washed if there is a dusty vase: { break this; soil this }.
    [hot] while there is a dusty lamp: lamps get +2 height.
    [never] a dusty lamp cannot be broken.
    [law] always number of lamps <= 7.
    [course] procedure laundry for (player P) { steps soaking, washing, drying. }
    [soak] step soaking of laundry { [all] for each dusty card as C { wash C }. [vase] soil each vase. }
    [rest] step washing of laundry { [plain] break each dusty card. }
    [end] step drying of laundry { end laundry. }
}
"#;

/// The rule under readings of which each amends it so.
fn amended(readings: &[&str]) -> (Compiler, Profile) {
    amended_with("", readings)
}

/// The same with further rules and words.
fn amended_with(further: &str, readings: &[&str]) -> (Compiler, Profile) {
    let mut compiler = Compiler::new();
    let (mut rulings, mut choices) = (String::new(), String::new());
    for (n, reading) in readings.iter().enumerate() {
        rulings += &format!("ruling Q-{n} \"{n}?\" {{ about 2. reading so {{ authority \"judge\". {reading} }} }}\n");
        choices += &format!("Q-{n} so. ");
    }
    let edition = format!("edition all \"All\" {{ {choices} }}\n");
    compiler.set_files([
        (WORDS_PATH, WORDS),
        (RULES_PATH, format!("{RULE}{further}").as_str()),
        (RULINGS_PATH, rulings.as_str()),
        (EDITIONS_PATH, edition.as_str()),
    ]);
    (compiler, Profile::edition("all"))
}

fn find<'p>(parts: &'p [Part], label: &str) -> Option<&'p Part> {
    parts.iter().find_map(|part| if part.label == label { Some(part) } else { find(&part.parts, label) })
}

/// A clause as it reads under these readings.
fn reads(readings: &[&str], label: &str) -> String {
    let (compiler, profile) = amended(readings);
    let wrong: Vec<String> = compiler.check_under(&profile).iter().map(|diag| told(&compiler, diag)).collect();
    assert_eq!(errors(&compiler.check_under(&profile)).len(), 0, "{wrong:#?}");
    let found = compiler.in_force("rule", "2", &profile).unwrap();
    find(&found.parts, label).unwrap().english.clone().unwrap()
}

/// What is wrong under these readings, of which each is right by itself.
fn wrong(readings: &[&str]) -> Vec<(Code, String)> {
    let (compiler, profile) = amended(readings);
    let diags = compiler.check_under(&profile);
    errors(&diags).into_iter().map(|diag| (diag.code, told(&compiler, diag))).collect()
}

#[test]
fn a_fragment_is_read_otherwise() {
    assert_eq!(reads(&["amend 2 low { read 1 as 2. }"], "low"), "each vase gets -2 height");
    assert_eq!(
        reads(&["amend 2 plain { read { each dusty card } as { each dusty vase as V }. }"], "plain"),
        "break each dusty vase as V"
    );
}

#[test]
fn a_fragment_is_left_out() {
    assert_eq!(
        reads(&["amend 2 wash { without { if there is a dusty vase }. }"], "wash"),
        "when a lamp is washed: break this; soil this"
    );
    assert_eq!(
        reads(&["amend 2 wash { without { ; soil this }. }"], "wash"),
        "when a lamp is washed if there is a dusty vase: break this"
    );
}

#[test]
fn something_stands_before_and_after_a_fragment() {
    assert_eq!(
        reads(&["amend 2 wash { before { break this } insert { wash this ; }. }"], "wash"),
        "when a lamp is washed if there is a dusty vase: wash this; break this; soil this"
    );
    assert_eq!(
        reads(&["amend 2 wash { after { break this } insert { ; wash this }. }"], "wash"),
        "when a lamp is washed if there is a dusty vase: break this; wash this; soil this"
    );
}

#[test]
fn a_step_is_put_in_and_moved() {
    let steps = "amend 2 course { after soaking insert step rinsing. move washing after drying. } \
                 add to 2 { step rinsing of laundry { end laundry. } }";
    let course = |reading: &str| {
        let (compiler, profile) = amended(&[reading]);
        assert_eq!(codes(&compiler.check_under(&profile)), []);
        let found = compiler.in_force("rule", "2", &profile).unwrap();
        find(&found.parts, "course").unwrap().parts[0].english.clone().unwrap()
    };
    assert_eq!(course(steps), "steps soaking, rinsing, drying, washing");
    assert_eq!(course("amend 2 course { move soaking after washing. }"), "steps washing, soaking, drying");
}

#[test]
fn a_clause_has_a_further_condition() {
    assert_eq!(
        reads(&["amend 2 wash { if there is a dusty lamp. }"], "wash"),
        "when a lamp is washed if there is a dusty vase and there is a dusty lamp: break this; soil this"
    );
    assert_eq!(
        reads(&["amend 2 hot { unless there is a clean vase. }"], "hot"),
        "while there is a dusty lamp and there is no clean vase: each lamp gets +2 height"
    );
    assert_eq!(
        reads(&["amend 2 never { if there is a clean vase. }"], "never"),
        "a dusty lamp cannot be broken if there is a clean vase"
    );
    assert_eq!(
        reads(&["amend 2 vase { if there is a dusty lamp. }"], "vase"),
        "if there is a dusty lamp { soil each vase }"
    );
}

#[test]
fn a_clause_in_a_block_is_changed_by_its_label_or_through_the_one_around_it() {
    let own = "amend 2 all { read dusty as clean. }";
    let around = "amend 2 soak { read dusty as clean. }";
    assert_eq!(reads(&[own], "all"), "for each clean card as C { wash C }");
    assert_eq!(reads(&[around], "all"), "for each clean card as C { wash C }");
}

#[test]
fn readings_compose_where_their_fragments_are_apart() {
    let (one, two) = ("amend 2 wash { read lamp as vase. }", "amend 2 wash { read { soil this } as { wash this }. }");
    let both = "when a vase is washed if there is a dusty vase: break this; wash this";
    assert_eq!(reads(&[one, two], "wash"), both);
    assert_eq!(reads(&[two, one], "wash"), both);
    // Both stand behind one place, in their order.
    let (one, two) = (
        "amend 2 wash { after { break this } insert { ; wash this }. }",
        "amend 2 wash { after { break this } insert { ; end laundry }. }",
    );
    assert_eq!(
        reads(&[one, two], "wash"),
        "when a lamp is washed if there is a dusty vase: break this; wash this; end laundry; soil this"
    );
    // Of two conditions, both.
    let (one, two) = ("amend 2 never { if there is a clean vase. }", "amend 2 never { if there is a clean lamp. }");
    assert_eq!(
        reads(&[one, two], "never"),
        "a dusty lamp cannot be broken if there is a clean vase and there is a clean lamp"
    );
}

#[test]
fn fragments_that_meet_are_told_with_both_readings() {
    let one = "amend 2 low { read { -1 height } as { -2 height }. }";
    for two in ["amend 2 low { read 1 as 3. }", "amend 2 low { read { get -1 } as { get +1 }. }"] {
        for pair in [[one, two], [two, one]] {
            let found = wrong(&pair);
            let [(Code::AmendmentsConflict, told)] = found.as_slice() else { panic!("{found:#?}") };
            assert!(told.contains("Q-0=so"), "{told}");
        }
    }
    // What takes the clause away takes the other's words with it.
    for away in ["remove 2 low.", "replace 2 low { [low] vases get -4 height. }"] {
        let found = wrong(&["amend 2 low { read 1 as 3. }", away]);
        assert!(found.iter().all(|(code, _)| *code == Code::AmendmentsConflict) && !found.is_empty(), "{found:#?}");
    }
    let found = wrong(&["amend 2 all { read dusty as clean. }", "remove 2 soak."]);
    assert!(found.iter().any(|(code, _)| *code == Code::AmendmentsConflict), "{found:#?}");
}

#[test]
fn a_fragment_that_is_not_there_once_is_told() {
    let one = |edit: &str| {
        let found = wrong(&[&format!("amend 2 wash {{ {edit} }}")]);
        let [(code, told)] = found.as_slice() else { panic!("{edit}: {found:#?}") };
        (*code, told.clone())
    };
    let (code, told) = one("read { wash a vase } as stop.");
    assert!(code == Code::UnknownClause && told.contains("the clause reads: when a lamp is washed"), "{told}");
    let (code, told) = one("read this as { a lamp }.");
    assert!(code == Code::BadAmendment && told.contains("stands in the clause 2 times"), "{told}");
    assert_eq!(
        reads(&["amend 2 wash { read the second { this } as { each vase }. }"], "wash"),
        "when a lamp is washed if there is a dusty vase: break this; soil each vase"
    );
    assert_eq!(one("read the third { this } as { each vase }.").0, Code::UnknownClause);
    assert_eq!(one("move lamp after vase.").0, Code::BadAmendment);
}

#[test]
fn a_sentence_that_is_no_edit_is_refused_with_its_place() {
    for edit in [
        "",
        "read.",
        "read lamp.",
        "read as vase.",
        "insert lamp.",
        "lamp.",
        "read lamp as.",
        "read lamp as lamp.",
        "read lamp as { }.",
        "after lamp insert { }.",
        "without.",
        "after lamp.",
        "if.",
        "[x] read lamp as vase.",
    ] {
        let (compiler, _) = amended(&[&format!("amend 2 wash {{ {edit} }}")]);
        let diags = compiler.check();
        let found = codes(&diags);
        assert_eq!(found, [Code::BadAmendment], "{edit}: {diags:#?}");
    }
}

#[test]
fn a_clause_that_can_have_no_condition_is_refused_with_one() {
    assert!(!wrong(&["amend 2 law { if there is a dusty lamp. }"]).is_empty());
    assert!(!wrong(&["amend 2 soak { if there is a dusty lamp. }"]).is_empty());
}

#[test]
fn the_layer_of_an_amended_clause_is_the_reading() {
    let (compiler, profile) = amended(&["amend 2 low { read 1 as 2. }"]);
    let clauses = compiler.clauses("rule", "2", &profile);
    let low = clauses.iter().find(|clause| &*clause.label == "low").unwrap();
    assert_eq!((&*low.setter, low.place.file.as_str()), ("Q-0=so", RULINGS_PATH));
    assert_eq!(pointed(&compiler, &low.place), "amend 2 low { read 1 as 2. }");
    let wrong = wrong(&["amend 2 low { read height as hieght. }"]);
    let [(_, told)] = wrong.as_slice() else { panic!("{wrong:#?}") };
    assert!(told.contains("`hieght`"), "what was put in is shown where it is written: {told}");
}

/// What an item whose head is not `rule` says under a reading.
fn item_reads(reading: &str, head: &str, starts: &str, label: &str) -> String {
    let (compiler, profile) = amended(&[reading]);
    let wrong: Vec<String> = compiler.check().iter().map(|diag| told(&compiler, diag)).collect();
    assert_eq!(errors(&compiler.check()).len(), 0, "{wrong:#?}");
    let key = compiler.items().into_iter().find(|item| item.head == head && item.key.starts_with(starts)).unwrap().key;
    let found = compiler.in_force(head, &key, &profile).unwrap();
    find(&found.parts, label).unwrap().english.clone().unwrap()
}

#[test]
fn what_a_word_means_is_amended_in_its_header_or_in_its_clauses() {
    let dusty = "amend adjective \"dusty\" { read Dusty as Clean. }";
    assert_eq!(item_reads(dusty, "adjective", "dusty", ""), "if dust of C is Clean");
    let dusty = "amend adjective \"dusty\" { if C is not unique. }";
    assert_eq!(item_reads(dusty, "adjective", "dusty", ""), "if dust of C is Dusty and C is not unique");
    let beside = "amend relation \"beside\" { read { owner of C is owner of D } as { C is a lamp and D is a lamp }. }";
    assert_eq!(item_reads(beside, "relation", "(card C) beside", ""), "if C is a lamp and D is a lamp");
    let soil = "amend verb \"soil\" does { after Dusty insert { ; break C }. }";
    assert_eq!(item_reads(soil, "verb", "soil", "does"), "effect set dust of C to Dusty; break C");
    let wash = "add to verb \"wash\" { needs C is a lamp. }";
    assert_eq!(item_reads(wash, "verb", "wash", "needs 2"), "if C is a lamp");
}

#[test]
fn who_uses_an_amended_word_means_it_so_and_others_stay() {
    // What is washed is a lamp that is dusty: rule 2 says so through the adjective, the cards do not.
    let (compiler, profile) = amended(&["amend adjective \"dusty\" { if C is a lamp. }"]);
    let base = Profile { without: vec!["Q-0".into()], ..profile.clone() };
    let (amended, before) = (compiler.link(&profile).0, compiler.link(&base).0);
    assert_ne!(amended, before);
    let apart: Vec<String> = compiler
        .apart(&base, &profile)
        .into_iter()
        .map(|(head, key)| format!("{head} {}", &key[..5.min(key.len())]))
        .collect();
    assert_eq!(apart, ["adjective dusty", "rule 2", "verb wash,"]);
    // So does a class that is given by a condition, and its own condition is amended alike.
    let kinds = "class sooty lamp, sooty lamps of (lamp L): L is dusty.\nrule 3 \"Soot\" { [soot] a sooty lamp cannot be broken. }\n";
    for amendment in
        ["amend adjective \"dusty\" { read Dusty as Clean. }", "amend class \"sooty lamp\" { read dusty as clean. }"]
    {
        let (compiler, profile) = amended_with(kinds, &[amendment]);
        let base = Profile { without: vec!["Q-0".into()], ..profile.clone() };
        assert!(compiler.apart(&base, &profile).contains(&("rule", "3".into())), "{amendment}");
    }
    // A word that uses an amended word hands it on.
    let (compiler, profile) = amended_with(
        "adjective grimy of (card C): C is dusty.\nrule 3 \"Grime\" { [grime] a grimy vase cannot be broken. }\n",
        &["amend adjective \"dusty\" { read Dusty as Clean. }"],
    );
    let base = Profile { without: vec!["Q-0".into()], ..profile.clone() };
    assert!(compiler.apart(&base, &profile).contains(&("rule", "3".into())));
}

#[test]
fn two_readings_of_one_word_compose_or_are_told() {
    let one = "amend relation \"beside\" { read { of C } as { of D }. }";
    let two = "amend relation \"beside\" { if C is dusty. }";
    let (compiler, profile) = amended(&[one, two]);
    assert_eq!(codes(&compiler.check_under(&profile)), []);
    let three = "amend relation \"beside\" { read { owner of C } as { owner of D }. }";
    let found = wrong(&[one, three]);
    assert!(matches!(found.as_slice(), [(Code::AmendmentsConflict, _)]), "{found:#?}");
}

#[test]
fn a_word_that_cannot_be_amended_so_is_told() {
    for (reading, code) in [
        ("amend adjective \"dusky\" { read Dusty as Clean. }", Code::UnknownItem),
        ("amend verb \"dusty\" does { read Dusty as Clean. }", Code::UnknownItem),
        ("amend adjective \"dusty\" it { read Dusty as Clean. }", Code::BadAmendment),
        ("remove adjective \"dusty\" it.", Code::BadAmendment),
        ("add to adjective \"dusty\" { unique. }", Code::BadAmendment),
        ("amend verb \"wash\" { read dusty as clean. }", Code::BadAmendment),
        ("amend state \"dust\" { read Clean as Dusty. }", Code::BadAmendment),
        ("amend verb \"wash\" undoes { read dusty as clean. }", Code::UnknownClause),
        ("amend adjective \"dusty\" { read Dusty as Dustier. }", Code::UnknownEntry),
        ("amend adjective \"dusty\" { read { dust of C } as { height of C }. }", Code::WrongSort),
    ] {
        let (compiler, _) = amended(&[reading]);
        let diags = compiler.check();
        assert_eq!(codes(&diags), [code], "{reading}: {diags:#?}");
    }
}

#[test]
fn a_clause_is_added_to_the_block_of_another() {
    let reading = "add to 2 soak { [lamps] soil each lamp. }";
    assert_eq!(reads(&[reading], "lamps"), "soil each lamp");
    let found = wrong(&["add to 2 low { [lamps] soil each lamp. }"]);
    assert!(matches!(found.as_slice(), [(Code::BadAmendment, _)]), "{found:#?}");
    let found = wrong(&["add to 2 soaking { [lamps] soil each lamp. }"]);
    assert!(matches!(found.as_slice(), [(Code::UnknownClause, _)]), "{found:#?}");
    // Who takes the clause away takes what is added to it.
    for pair in [[reading, "remove 2 soak."], ["remove 2 soak.", reading]] {
        assert!(!wrong(&pair).is_empty());
    }
}

#[test]
fn what_two_readings_say_in_the_same_words_is_said_once() {
    let low = "amend 2 low { read 1 as 2. }";
    assert_eq!(reads(&[low, low], "low"), "each vase gets -2 height");
    let added = "add to 2 { [tall] lamps get +4 height. }";
    assert_eq!(reads(&[added, added], "tall"), "each lamp gets +4 height");
    let found = wrong(&[added, "add to 2 { [tall] lamps get +5 height. }"]);
    assert!(matches!(found.as_slice(), [(Code::LabelRepeated, _)]), "{found:#?}");
    assert_eq!(wrong(&["remove 2 low.", "remove 2 low."]), []);
    // What is put in twice is there twice.
    let put = "amend 2 wash { after { break this } insert { ; wash this }. }";
    assert_eq!(
        reads(&[put, put], "wash"),
        "when a lamp is washed if there is a dusty vase: break this; wash this; wash this; soil this"
    );
}

#[test]
fn ordinals_count_in_the_text_before_any_amendment() {
    let both = "amend 2 wash { read the first { this } as { each lamp }. read the second { this } as { each vase }. }";
    assert_eq!(
        reads(&[both], "wash"),
        "when a lamp is washed if there is a dusty vase: break each lamp; soil each vase"
    );
    let (one, two) = (
        "amend 2 wash { read the first { this } as { each lamp }. }",
        "amend 2 wash { read the second { this } as { each vase }. }",
    );
    assert_eq!(reads(&[one, two], "wash"), reads(&[both], "wash"));
}
