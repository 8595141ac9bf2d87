//! Coverage on the toy: rules against numbers, cards against sets, words by whom they serve.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::support::{WORDS, scenario};
use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;
use netrep_lab::Library;
use netrep_lab::ablate::{Which, ablate, size};
use netrep_lab::coverage::{Cards, Coverage, NUMBERS, Reach, Totals, coverage, reach, sisters};
use netrep_lab::exempt::{Exemption, check_reasons, exemptions};
use netrep_lab::files::Files;
use netrep_lab::memo::Memo;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::{Scenario, parse};

const MORE: &str = r#"
verb dust, dusts, dusted (card C) { does shine C. }
verb shine, shines, shone (card C) { does set light of C to Lit. }

rule 3.6 "A guest" { note "a guest is no player". }
rule 3.1 "Manners" { note "not mechanical: it asks for courtesy". }
rule 3.2 "The moon" { awaits "a word for the sky". awaits "a moon". }
rule 3.3 "The stars" { [stars] each card gets +0 height. awaits "a word for the sky". }
rule 3.4 "Silence" { cites "A". }
rule 3.5 "Broken" { [x] each card gets +1 heigth. }
rule 3.7 "Tallness" { rests on 2 tall. note "who is tall is so by rule 2". }
rule 3.8 "Small talk" { rests on 2 tall, 3.7. }
rule 3.9 "Order" { note "the language: statements are done in the order in which they stand". }
rule 9 "Not in the book" { note "an old number". }
"#;
const CARDS: &str = r#"
card L-3 "Old Lamp" { printed "00000001", "00000002". kind Lamp. [1] height 2. partial 2. }
card M-1 "Moon Lamp" { kind Lamp. }
card M-2 "Dusty Lamp" { kind Lamp. [feather] you may dust this { effect praise this. } }
card M-3 "Bad Lamp" { knid Lamp. }
"#;
const SETS: &str = "filing card { id L in \"cards/l.cards\", 10 in all. id K in \"cards/k.cards\", 4 in all. }\n";
const EXPECTS: &str =
    "expect { points of Ann is 7. over. height of \"Tall Lamp\" is 4. light of \"Small Lamp\" is Dark. }\n";

fn ready() -> (Compiler, Vec<Arc<Scenario>>) {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/toy.words", WORDS);
    compiler.set_file("rules/more.words", MORE);
    compiler.set_file("cards/more.cards", CARDS);
    compiler.set_file("rules/sets.words", SETS);
    let text = scenario("toy", "cites 3.7, 2 tall.\n", EXPECTS);
    let scenarios: Vec<_> = parse("toy.md", &text, false).scenarios.into_iter().map(Arc::new).collect();
    let reports = run(&compiler, &jobs(&scenarios, &Profile::default()), 1, false);
    assert!(reports.iter().all(|report| report.passed()), "{:#?}", reports[0].diags);
    (compiler, scenarios)
}

fn totals() -> Totals {
    let numbers = ["1", "2", "3.6", "3.7", "3.8", "3.9", "3.1", "3.2", "3.3", "3.4", "3.5", "4"];
    Totals { numbers: Some(numbers.map(str::to_owned).to_vec()) }
}

/// Exemptions for reasons that are so.
fn exempt(whats: &[&str]) -> Vec<Exemption> {
    let lines: String = whats.iter().map(|what| format!("- {what} while 1 = 1\n")).collect();
    let (found, diags) = exemptions("exempt.md", &lines);
    assert!(diags.is_empty(), "{diags:#?}");
    found
}

fn measured(exemptions: &[Exemption]) -> Coverage {
    let (compiler, scenarios) = ready();
    let expected = size(&compiler, &[]);
    let mut changes = 0;
    let found = ablate(&compiler, &scenarios, Memo::new(), Which::whole(&[]), exemptions, 2, &mut |_| changes += 1);
    assert_eq!(changes, expected, "the size of an ablation is known before");
    coverage(&compiler, &totals(), Reach::default(), Some(&found))
}

fn set<'c>(coverage: &'c Coverage, code: &str) -> &'c Cards {
    coverage.cards.iter().find(|(set, _)| set == code).map(|(_, cards)| cards).expect("the set")
}

#[test]
fn every_number_is_data_not_mechanical_or_missing() {
    let (compiler, _) = ready();
    let rules = coverage(&compiler, &totals(), Reach::default(), None).rules;
    assert_eq!((rules.total, rules.data, rules.not_mechanical, rules.missing), (12, 6, 1, 5));
    assert_eq!(rules.resting, 2);
    assert_eq!((rules.language, rules.noted), (vec!["3.9".to_owned()], vec!["3.6".to_owned()]));
    assert_eq!(rules.absent, ["4"]);
    assert_eq!(rules.broken, ["3.4", "3.5"], "who says nothing, and who cannot be read");
    let awaiting: Vec<_> = rules.awaiting.iter().map(|one| (one.rule.as_str(), one.awaits.len(), one.begun)).collect();
    assert_eq!(awaiting, [("3.2", 2, false), ("3.3", 1, true)]);
    assert_eq!(rules.beyond, ["9"]);
    assert_eq!((rules.tested, rules.untested.len()), (None, 0), "no one has tried");
}

#[test]
fn without_totals_what_is_written_is_all() {
    let (mut compiler, _) = ready();
    compiler.remove_file("rules/sets.words");
    let found = coverage(&compiler, &Totals::default(), Reach::default(), None);
    assert_eq!((found.rules.total, found.rules.absent.len(), found.rules.beyond.len()), (12, 0, 0));
    assert_eq!((set(&found, "L").total, set(&found, "M").total), (3, 3));
}

#[test]
fn cards_are_complete_partial_or_broken_by_set() {
    let (compiler, _) = ready();
    let found = coverage(&compiler, &totals(), Reach::default(), None);
    let l = set(&found, "L");
    assert_eq!((l.total, l.complete, l.partial, l.tested), (10, 2, 1, None));
    assert_eq!(l.partial_cards, ["L-3"]);
    let m = set(&found, "M");
    assert_eq!((m.total, m.complete, m.partial), (3, 2, 0), "a set of which no one says how big it is");
    assert_eq!(m.broken, ["M-3"]);
    assert_eq!((set(&found, "K").total, set(&found, "K").complete), (4, 0));
    assert_eq!(found.cards.iter().map(|(set, _)| set.as_str()).collect::<Vec<_>>(), ["L", "K", "M"]);
}

#[test]
fn an_item_is_tested_if_every_change_is_noticed_or_exempt() {
    let found = measured(&[]);
    assert!(found.failing.is_empty() && !found.quick);
    assert_eq!(found.rules.noted, ["3.6"], "a note cannot be left out");
    assert_eq!(found.rules.uncited, ["3.8"], "what 3.7 rests on is noticed, and the scenario cites it");
    assert!(found.rules.untested.contains(&"1".to_owned()), "{:?}", found.rules);
    assert_eq!(found.rules.tested, Some(2), "rule 2 is noticed by its height, and 3.7 with it");
    let l = set(&found, "L");
    assert_eq!(l.tested, Some(1), "the lamp whose height is asked for");
    assert_eq!(l.untested, ["L-3", "L-1"], "in the order of declaration");
    assert_eq!(set(&found, "M").unchangeable, ["M-1"]);
    let clauses = exempt(&["L-1 glow", "L-1 own", "L-1 height number 1"]);
    assert_eq!(set(&measured(&clauses), "L").tested, Some(2), "what is exempt is tested");
}

#[test]
fn a_word_that_serves_one_card_is_found_through_other_words() {
    let (compiler, _) = ready();
    let words = coverage(&compiler, &totals(), Reach::default(), None).words;
    let single: Vec<(&str, &str)> = words.single.iter().map(|one| (one.word.as_str(), one.card.as_str())).collect();
    let of = |word: &str| single.iter().find(|(name, _)| name.split(' ').any(|part| part == word)).map(|one| one.1);
    assert_eq!((of("dust"), of("shine")), (Some("M-2"), Some("M-2")), "{single:?}");
    assert_eq!(of("kindle"), None, "two cards kindle");
    assert_eq!(words.single_card, single.len());
    assert_eq!(words.by_users.iter().map(|one| one.words).sum::<usize>(), words.total);
    let share = words.single_card as f64 / words.total as f64;
    assert!((words.single_card_share - share).abs() < 1e-9);
}

#[test]
fn the_json_has_its_keys() {
    let found = serde_json::to_value(measured(&[])).unwrap();
    for (path, keys) in [
        ("/rules", &["total", "data", "tested", "not_mechanical", "missing"][..]),
        ("/cards/L", &["total", "complete", "partial", "tested"]),
        ("/words", &["total", "single_card"]),
    ] {
        let at = found.pointer(path).unwrap_or_else(|| panic!("{path}"));
        assert!(keys.iter().all(|key| at[*key].is_u64()), "{path}: {at:#}");
    }
}

#[test]
fn the_numbers_are_read_from_the_folder() {
    let folder = std::env::temp_dir().join(format!("netrep-coverage-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("rules")).unwrap();
    assert_eq!(Totals::read(&Files::Folder(folder.clone())), Ok(Totals::default()));
    std::fs::write(folder.join("rules/numbers.txt"), "# All\n1\n1.2\n").unwrap();
    let library = Library::open(&folder).unwrap();
    let read = Totals::read(&library.files).unwrap();
    assert_eq!(read.numbers, Some(vec!["1".to_owned(), "1.2".to_owned()]));
    std::fs::write(folder.join("rules/numbers.txt"), "1 2\n").unwrap();
    let wrong = Totals::read(&Files::Folder(folder.clone())).unwrap_err();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(wrong.iter().map(|diag| diag.code).collect::<Vec<_>>(), [Code::UnreadTotal]);
}

#[test]
fn lines_of_numbers_are_read_and_remarks_are_not() {
    let read = |text: &str| {
        let texts = BTreeMap::from([(NUMBERS.to_owned(), text.to_owned())]);
        Totals::read(&Files::Held(Arc::new(texts)))
    };
    let numbers = ["1", "1.i.2"].map(str::to_owned).to_vec();
    assert_eq!(read("# All\n1\n\n1.i.2\n"), Ok(Totals { numbers: Some(numbers) }));
    // Of the lines around it nothing is said: they are read.
    let wrong = read("1\n1 2\n2\n").unwrap_err();
    let places: Vec<(u32, u32)> = wrong.iter().map(|diag| (diag.place.start, diag.place.end)).collect();
    assert_eq!(places, [(2, 5)]);
}

/// The files of the repository: what they hold is what the book and the sets hold.
#[test]
fn the_totals_of_the_repository_are_whole() {
    let totals = Totals::read(&Files::Folder("../..".into())).unwrap();
    let numbers = totals.numbers.unwrap();
    let mut once = numbers.clone();
    once.sort();
    once.dedup();
    assert_eq!((numbers.len(), once.len()), (494, 494));
    let library = Library::open(std::path::Path::new("../..")).unwrap();
    let sets = library.compiler.filing("card").unwrap();
    let totals: Vec<usize> = sets.beginnings.iter().filter_map(|one| one.total).collect();
    assert_eq!((totals.len(), totals.iter().sum::<usize>()), (7, 1683));
}

#[test]
fn what_never_takes_effect_is_reported() {
    let (compiler, scenarios) = ready();
    let found = reach(&compiler, &scenarios, &[], 2);
    assert!(found.failing.is_empty(), "{:?}", found.failing);
    let cited: Vec<String> = found.unreached.iter().map(|one| one.cited()).collect();
    assert!(cited.contains(&"M-2 feather".to_owned()), "nobody has that card: {cited:?}");
    assert!(!cited.contains(&"L-2 glow".to_owned()), "it is kindled: {cited:?}");
    let total: usize = found.kinds.iter().map(|kind| kind.total).sum();
    let reached: usize = found.kinds.iter().map(|kind| kind.reached).sum();
    assert_eq!(total - reached, found.unreached.len());
    let exempt = exempt(&["M-2 feather", "L-2 glow"]);
    let again = reach(&compiler, &scenarios, &exempt, 1);
    assert_eq!(again.unreached.len() + 1, found.unreached.len());
    assert_eq!(again.exempt.iter().map(|one| one.element.cited()).collect::<Vec<_>>(), ["M-2 feather"]);
    assert_eq!(again.needless.iter().map(|diag| diag.code).collect::<Vec<_>>(), [Code::NeedlessExemption]);
}

#[test]
fn lines_of_exemptions_are_read() {
    let text = "- 3.i late while there is no lamp\n- AB-1 glow number 7 while 1 > 2\n- no reason\n- X-1 while a\n\
                - 3.i early awaits a lamp\n";
    let (found, diags) = exemptions("t.md", text);
    assert_eq!(found.iter().map(Exemption::is_open).collect::<Vec<_>>(), [false, false, true]);
    assert!(found[0].covers("3.i", "late", None) && !found[0].covers("3.i", "late", Some(1)));
    assert!(found[1].covers("AB-1", "glow", Some(7)));
    assert_eq!(diags.len(), 2);
    assert_eq!((found[1].place.start, &*found[1].reason), (34, "1 > 2"));
    // The places within a condition are counted from where it begins: what is wrong in it is told there.
    let (compiler, _) = ready();
    let (broken, _) = exemptions("t.md", &text.replace("1 > 2", "1 > moon"));
    let wrong = check_reasons(&compiler, &broken[1..2]);
    let places: Vec<(Code, u32, u32)> =
        wrong.iter().map(|diag| (diag.code, diag.place.start, diag.place.end)).collect();
    let end = broken[1].place.end;
    assert_eq!(places, [(Code::UnknownWord, end - 4, end)], "{wrong:#?}");
}

#[test]
fn a_reason_is_asked_of_the_cards_that_there_are() {
    let (mut compiler, _) = ready();
    let text = "- L-1 glow while there is no card named \"Moon Lamp\"\n- L-1 own while there is no card with height > 90\n\
                - L-1 height while there is no moon\n- L-2 glow awaits a moon\n";
    let (found, diags) = exemptions("exempt.md", text);
    assert!(diags.is_empty(), "{diags:#?}");
    let said = |compiler: &Compiler| -> Vec<(Code, u32)> {
        check_reasons(compiler, &found).into_iter().map(|diag| (diag.code, diag.place.start)).collect()
    };
    let at = |part: &str| u32::try_from(text.find(part).unwrap()).unwrap();
    let unknown = (Code::UnknownWord, at("moon\n"));
    assert_eq!(said(&compiler), [(Code::ReasonNotSo, 0), unknown]);
    compiler.set_file("cards/tall.cards", "card T-1 \"Tower Lamp\" { kind Lamp. height 91. }\n");
    assert_eq!(said(&compiler), [(Code::ReasonNotSo, 0), (Code::ReasonNotSo, at("- L-1 own")), unknown]);
}

#[test]
fn equal_sentences_that_are_said_differently_are_told() {
    let card = |id: &str, says: &str| {
        format!(
            "card {id} \"Lamp {id}\" {{ printed \"000000aa\". kind Lamp. [one 1] each card named \"Lamp {id}\" {says}. }}\n"
        )
    };
    let (mut compiler, _) = ready();
    compiler.set_file("cards/same.cards", &(card("S-1", "gets +1 height") + &card("S-2", "gets +2 height")));
    assert_eq!(sisters(&compiler), [], "names of their own and numbers do not count");
    compiler.set_file("cards/other.cards", &card("S-3", "gets -1 height"));
    let found = sisters(&compiler);
    assert_eq!(found.len(), 1);
    let mut cards: Vec<Vec<String>> = found[0].told.iter().map(|told| told.cards.clone()).collect();
    cards.sort();
    assert_eq!(cards, [vec!["S-1".to_owned(), "S-2".to_owned()], vec!["S-3".to_owned()]]);
}

#[test]
fn a_reprint_is_counted_as_its_original() {
    let (mut compiler, scenarios) = ready();
    let reached = |compiler: &Compiler| {
        let found = reach(compiler, &scenarios, &[], 1);
        (found.kinds, found.unreached, found.failing)
    };
    let (before, tried) = (reached(&compiler), size(&compiler, &[]));
    assert!(before.1.iter().any(|element| element.item == "M-2"), "{before:#?}");
    let again = "card K-1 \"Tall Lamp\" { reprint of L-2. }\ncard K-2 \"Dusty Lamp\" { reprint of M-2. }\n";
    compiler.set_file("cards/again.cards", again);
    assert_eq!(reached(&compiler), before);
    assert_eq!(size(&compiler, &[]), tried, "what a reprint has from its original is changed there");
}
