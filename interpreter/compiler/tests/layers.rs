//! Rulings and editions: what is in force, who set it, and what is wrong with a layer.
use crate::common::*;
use netrep_compiler::layers::date::{Date, FORM};
use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;

/// Label and setter of the clauses of an item.
fn clauses(compiler: &Compiler, head: &str, key: &str, profile: &Profile) -> Vec<String> {
    let clauses = compiler.clauses(head, key, profile);
    let shown = |label: &str, setter: &str| match setter {
        "" => label.to_owned(),
        setter => format!("{label} <{setter}>"),
    };
    clauses.iter().map(|clause| shown(&clause.label, &clause.setter)).collect()
}

#[test]
fn the_toy_data_is_in_order() {
    let diags = compiler().check();
    assert_eq!(errors(&diags), [] as [&netrep_compiler::Diagnostic; 0]);
}

#[test]
fn the_default_edition_is_used_where_none_is_named() {
    let compiler = compiler();
    let default = Profile::default();
    assert_eq!(clauses(&compiler, "card", "A-1", &default), ["kind", "colour", "height", "glow", "wash"]);
    assert_eq!(clauses(&compiler, "card", "A-2", &default), ["kind", "colour", "height"]);
    assert_eq!(clauses(&compiler, "rule", "1", &default), ["cites", "clean", "never <R-2=never>"]);
}

#[test]
fn another_edition_has_other_clauses_and_each_says_who_set_it() {
    let compiler = compiler();
    let old = Profile::edition("old");
    assert_eq!(clauses(&compiler, "card", "A-1", &old), ["kind", "colour", "height", "glow <R-1=twice>", "wash"]);
    assert_eq!(clauses(&compiler, "rule", "1.i", &old), ["cites", "red"]);
    assert_eq!(clauses(&compiler, "card", "A-2", &old), ["kind", "colour", "height", "break"]);
    let glow = &compiler.clauses("card", "A-1", &old)[3];
    assert_eq!(glow.place.file, RULINGS_PATH);
    assert_eq!(pointed(&compiler, &glow.place), "[glow] this gets +2 height.");
}

#[test]
fn a_profile_departs_from_its_edition() {
    let compiler = compiler();
    let with = Profile::edition("new").with("R-1", "twice");
    assert_eq!(clauses(&compiler, "rule", "1.i", &with), ["cites", "red"]);
    let without = Profile::edition("new").without("R-2");
    assert_eq!(clauses(&compiler, "rule", "1", &without), ["cites", "clean"]);
}

#[test]
fn a_profile_that_does_not_exist_is_refused_with_a_suggestion() {
    let compiler = compiler();
    let (_, diags) = compiler.link(&Profile::edition("nwe"));
    assert_eq!((diags[0].code, diags[0].help.as_deref()), (Code::UnknownEdition, Some("did you mean `new`?")));
    let (_, diags) = compiler.link(&Profile::default().with("R-1", "twic"));
    assert_eq!((diags[0].code, diags[0].help.as_deref()), (Code::UnknownReading, Some("did you mean `twice`?")));
    let (_, diags) = compiler.link(&Profile::default().without("R-7"));
    assert_eq!(diags[0].code, Code::UnknownRuling);
}

#[test]
fn two_amendments_of_one_label_need_an_order() {
    let mut compiler = compiler();
    let more = r#"ruling R-3 "And three times?" {
    about A-1.
    reading thrice { authority "judge". replace A-1 glow { [glow] this gets +3 height. } }
}
"#;
    compiler.set_file("rules/rulings/b.rulings", more);
    compiler.set_file(EDITIONS_PATH, "edition both \"Both\" { default. R-1 twice. R-3 thrice. }\n");
    let diags = compiler.check();
    let conflict = errors(&diags)[0];
    assert_eq!(conflict.code, Code::AmendmentsConflict);
    assert_eq!(pointed(&compiler, &conflict.place), "glow");
    assert_eq!(conflict.place.file, "rules/rulings/b.rulings");
    assert_eq!(conflict.labels[0].place.file, RULINGS_PATH);
    assert_eq!(pointed(&compiler, &conflict.labels[0].place), "glow");
    let edition = &conflict.labels[1];
    assert_eq!((edition.text.as_str(), edition.place.file.as_str()), ("edition `both` chooses both", EDITIONS_PATH));

    for (order, winner) in [("R-1, R-3", "R-3=thrice"), ("R-3, R-1", "R-1=twice")] {
        let text = format!("edition both \"Both\" {{ default. R-1 twice. R-3 thrice. order {order}. }}\n");
        compiler.set_file(EDITIONS_PATH, &text);
        assert_eq!(codes(&compiler.check()), []);
        let clauses = clauses(&compiler, "card", "A-1", &Profile::default());
        assert_eq!(clauses, ["kind", "colour", "height", &format!("glow <{winner}>"), "wash"]);
    }
}

#[test]
fn what_only_a_reading_makes_wrong_between_items_is_found_once() {
    let mut compiler = compiler();
    compiler.set_file(
        "rules/day.words",
        "rule 8 \"Dawn\" { step dawn of day { for each card as C { wash C }. } }
rule 7 \"Day\" {
    [day] procedure day for (player P) { steps dawn, dusk. }
    step dusk of day { for each card as C { wash C }. }
}
",
    );
    let more = r#"ruling R-3 "Does it grow dark?" {
    about 7.
    reading bright { authority "judge". replace 7 day { [day] procedure day for (player P) { steps dawn. } } }
}
"#;
    compiler.set_file("rules/rulings/b.rulings", more);
    // No edition chooses it, and it is told all the same.
    let diags = compiler.check_choices();
    let wrong = errors(&diags);
    assert_eq!(wrong.len(), 1, "{wrong:#?}");
    assert_eq!((wrong[0].code, wrong[0].place.file.as_str()), (Code::UnlistedStep, "rules/day.words"));
    compiler.set_file(EDITIONS_PATH, "edition bright \"Bright\" { R-3 bright. }\n");
    assert_eq!(errors(&compiler.check()), [] as [&netrep_compiler::Diagnostic; 0], "each is right by itself");
    let diags = compiler.check_choices();
    let wrong = errors(&diags);
    assert_eq!(wrong.len(), 1, "{wrong:#?}");
    let wrong = wrong[0];
    assert_eq!((wrong.code, wrong.place.file.as_str()), (Code::UnlistedStep, "rules/day.words"));
    assert_eq!(
        (wrong.labels[0].text.as_str(), wrong.labels[0].place.file.as_str()),
        ("under reading `bright` of R-3", "rules/rulings/b.rulings")
    );
    let by_name = compiler.check_under(&Profile::default().with("R-3", "bright"));
    assert_eq!(codes(&by_name), [Code::UnlistedStep]);
}

#[test]
fn what_is_asked_for_by_name_stands_above_the_edition() {
    let mut compiler = compiler();
    let more = r#"ruling R-3 "And three times?" {
    about A-1.
    reading thrice { authority "judge". replace A-1 glow { [glow] this gets +3 height. } }
}
"#;
    compiler.set_file("rules/rulings/b.rulings", more);
    let both = Profile::edition("old").with("R-3", "thrice");
    assert_eq!(compiler.link(&both).1.iter().filter(|d| d.code == Code::AmendmentsConflict).count(), 0);
    assert_eq!(clauses(&compiler, "card", "A-1", &both)[3], "glow <R-3=thrice>");
    // Of two that are asked for, the later one.
    let asked = Profile::edition("new").with("R-3", "thrice").with("R-1", "twice");
    assert_eq!(clauses(&compiler, "card", "A-1", &asked)[3], "glow <R-1=twice>");
}

#[test]
fn a_figure_is_amended_by_its_name_and_keeps_its_place() {
    let mut compiler = compiler();
    let text = RULINGS.replace("remove A-2 break.", "replace A-2 height { height 9. }");
    compiler.set_file(RULINGS_PATH, &text);
    assert_eq!(codes(&compiler.check()), []);
    let default = Profile::default();
    assert_eq!(clauses(&compiler, "card", "A-2", &default), ["kind", "colour", "height <R-2=never>", "break"]);
}

#[test]
fn an_unknown_item_or_label_is_named_with_a_suggestion() {
    let mut compiler = compiler();
    let text = RULINGS.replace("replace A-1 glow", "replace A-1 glwo").replace("remove 1.i low", "remove 1.v low");
    compiler.set_file(RULINGS_PATH, &text);
    let diags = compiler.check();
    let found: Vec<_> =
        errors(&diags).into_iter().map(|d| (d.code, pointed(&compiler, &d.place), d.help.clone())).collect();
    let help = |text: &str| Some(text.to_owned());
    let expected = [
        (Code::UnknownClause, "glwo".to_owned(), help("did you mean `glow`?")),
        (Code::UnknownItem, "1.v".to_owned(), help("did you mean `1.i`?")),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_ruling_is_read_with_its_authorities() {
    let compiler = compiler();
    let rulings = compiler.rulings();
    let ruling = &rulings[0].0;
    assert_eq!((&*ruling.id, &*ruling.question), ("R-1", "Does the red lamp glow twice?"));
    let authority = &ruling.readings[1].authorities[0];
    assert_eq!(authority.name, "committee");
    assert_eq!(authority.document.as_deref(), Some("003 L1019"));
    assert_eq!(authority.date.map(|date| date.to_string()).as_deref(), Some("1999-05-09"));
    assert_eq!(authority.status.map(|status| status.to_string()).as_deref(), Some("superseded"));
    assert_eq!(compiler.editions().len(), 2);
}

#[test]
fn an_error_in_an_amendment_is_shown_in_the_ruling() {
    let mut compiler = compiler();
    compiler.set_file(RULINGS_PATH, &RULINGS.replace("this gets +2 height", "this gets +2 hieght"));
    let diags = compiler.check();
    let errors = errors(&diags);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].place.file, RULINGS_PATH);
    assert!(pointed(&compiler, &errors[0].place).contains("hieght"));
}

#[test]
fn printed_sentences_are_expressed_or_admitted() {
    let card = |partial: &str| {
        format!(
            "card C-1 \"Lamp\" {{\n kind Lamp. [1] height 3. [glow 3] this gets +1 height.\n printed \"00000001\", \"00000002\", \"00000003\".{partial}\n}}\n"
        )
    };
    let compiler = with_file(CARDS_PATH, &card(""));
    assert_eq!(codes(&compiler.check()), [Code::SentenceNotExpressed]);
    let compiler = with_file(CARDS_PATH, &card(" partial 2."));
    assert_eq!(codes(&compiler.check()), []);
    let (item, _) = compiler.effective("card", "C-1", &Profile::default()).unwrap();
    assert_eq!((item.printed.len(), item.partial.as_slice()), (3, [2].as_slice()));
    let compiler = with_file(CARDS_PATH, &card(" partial 2, 4."));
    assert_eq!(codes(&compiler.check()), [Code::UnknownSentence]);
}

/// The question has an answer of 1996 (in a document), one of May 1999 (of its own date), and a late one.
const DATED: &str = r#"
document 001 "The new book" { date 2025-03. }
document 003 "Collected rulings" { date 1999-05-29. }
document cards "Printed cards" { date 2020. part A date 1996. }

ruling R-5 "How tall is the vase?" {
    about B-1.
    reading tall { authority "book". document 001 "1". status in force. replace B-1 height { height 9. } }
    reading low { authority "committee". document 003 "L7". status superseded. replace B-1 height { height 2. } }
    reading flat { authority "card". document "cards" "A-1". status superseded. replace B-1 height { height 1. } }
    reading odd { authority "a player". date 1999-04-01. status disputed. replace B-1 height { height 3. } }
}
ruling R-6 "Who says so?" {
    about B-1.
    reading nobody { authority "hearsay". remove B-1 soil. }
    reading somebody { authority "letter". date 1998. }
}
edition dated "With dates" { R-5 tall. R-6 nobody. }
"#;

#[test]
fn as_of_a_day_no_later_text_answers() {
    let mut compiler = compiler();
    compiler.set_file("rules/rulings/dated.rulings", DATED);
    assert_eq!(codes(&compiler.check()), []);
    let as_of = |day: &str| Profile::edition("dated").as_of(day.parse().unwrap());
    let chosen = |profile: &Profile| -> Vec<String> {
        let now = compiler.readings_in_force(profile);
        let mut now: Vec<String> = now.iter().map(|(ruling, reading)| format!("{ruling} {reading}")).collect();
        now.sort();
        now
    };
    let later = |profile: &Profile| -> Vec<String> {
        let one = |later: &netrep_compiler::browse::AnsweredLater| {
            format!("{} {} {}", later.ruling, later.wanted, later.then.as_deref().unwrap_or("-"))
        };
        compiler.answered_later(profile).iter().map(one).collect()
    };
    // A reading without a date may be chosen on any day, but it is never put in the place of another.
    for (day, readings, moved) in [
        ("2025-03-31", vec!["R-5 tall", "R-6 nobody"], vec![]),
        ("2025-03-30", vec!["R-5 low", "R-6 nobody"], vec!["R-5 tall low"]),
        ("1999-05-29", vec!["R-5 low", "R-6 nobody"], vec!["R-5 tall low"]),
        // Who is disputed gives way to who is older and is not.
        ("1999-05-28", vec!["R-5 flat", "R-6 nobody"], vec!["R-5 tall flat"]),
        ("1996", vec!["R-5 flat", "R-6 nobody"], vec!["R-5 tall flat"]),
        ("1996-12-30", vec!["R-6 nobody"], vec!["R-5 tall -"]),
    ] {
        let profile = as_of(day);
        assert_eq!(
            (chosen(&profile), later(&profile)),
            (readings.into_iter().map(str::to_owned).collect(), moved.into_iter().map(str::to_owned).collect()),
            "{day}"
        );
    }
    assert_eq!(clauses(&compiler, "card", "B-1", &as_of("1996-12-30")), ["kind", "colour", "height"]);
    assert_eq!(clauses(&compiler, "card", "B-1", &as_of("1998")), ["kind", "colour", "height <R-5=flat>"]);
    // What is asked for by name is chosen all the same, and is no question.
    let asked = as_of("1990").with("R-5", "tall").without("R-6");
    assert_eq!((chosen(&asked), later(&asked)), (vec!["R-5 tall".to_owned()], vec![]));
    assert_eq!(later(&Profile::edition("dated")), [] as [&str; 0]);
}

#[test]
fn as_of_a_day_the_later_of_two_texts_wins() {
    let mut compiler = compiler();
    let more = "ruling R-7 \"And how wide?\" {\n about B-1.\n reading wide { authority \"letter\". date 1999-05-30. \
                replace B-1 height { height 8. } }\n}\n";
    compiler.set_file("rules/rulings/dated.rulings", &format!("{DATED}{more}").replace("R-6 nobody. }", "R-7 wide. }"));
    let height =
        |day: &str| clauses(&compiler, "card", "B-1", &Profile::edition("dated").as_of(day.parse().unwrap())).remove(2);
    assert_eq!(height("1999-05-29"), "height <R-5=low>");
    assert_eq!(height("1999-05-30"), "height <R-7=wide>");
    let conflicts =
        |profile: &Profile| compiler.link(profile).1.iter().filter(|d| d.code == Code::AmendmentsConflict).count();
    assert_eq!(conflicts(&Profile::edition("dated").as_of("2000".parse().unwrap())), 0);
    assert_eq!(conflicts(&Profile::edition("dated")), 1, "without a day the edition must declare the order");
}

#[test]
fn the_date_of_a_document_reaches_those_that_cite_it() {
    let mut compiler = compiler();
    compiler.set_file("rules/rulings/dated.rulings", DATED);
    let then = |compiler: &Compiler| {
        let now = compiler.readings_in_force(&Profile::edition("dated").as_of("2000".parse().unwrap()));
        now.iter().find(|(ruling, _)| &**ruling == "R-5").map(|(_, reading)| reading.to_string()).unwrap()
    };
    assert_eq!(then(&compiler), "low");
    compiler.set_file("rules/rulings/dated.rulings", &DATED.replace("{ date 2025-03. }", "{ date 1999-12. }"));
    assert_eq!(then(&compiler), "tall");
    // One authority in two documents: the earlier one counts, wherever it stands.
    let two = DATED.replace("document 001 \"1\".", "document 003 \"L8\". document 001 \"1\".");
    compiler.set_file("rules/rulings/dated.rulings", &two);
    assert_eq!(then(&compiler), "tall");
    let wrong = DATED.replace("document 003 \"L7\"", "document 033 \"L7\"").replace("1999-04-01", "1999-14-01");
    compiler.set_file("rules/rulings/dated.rulings", &wrong);
    let diags = compiler.check();
    let found: Vec<_> = errors(&diags).iter().map(|d| (d.code, pointed(&compiler, &d.place), d.help.clone())).collect();
    let help = "a date is a year, a month or a day: `1999`, `1999-05`, `1999-05-29`";
    // The file of the base data cites documents too, and is asked to declare them.
    assert!(
        found.contains(&(Code::UnknownDocument, "033".to_owned(), Some("did you mean `003`?".to_owned()))),
        "{found:?}"
    );
    assert!(found.contains(&(Code::BadDate, "1999-14-01".to_owned(), Some(help.to_owned()))), "{found:?}");
}

#[test]
fn an_edition_with_a_date_says_what_is_later() {
    let mut compiler = compiler();
    let text = DATED.replace("{ R-5 tall. R-6 nobody. }", "{ date 1999. R-5 tall. R-6 nobody. }");
    compiler.set_file("rules/rulings/dated.rulings", &text);
    let diags = compiler.check();
    let late: Vec<_> = diags.iter().filter(|d| d.code == Code::ReadingAfterEdition).collect();
    assert_eq!(late.len(), 1);
    assert_eq!(pointed(&compiler, &late[0].place), "1999");
    assert!(late[0].help.as_deref().is_some_and(|help| help.ends_with(": R-5 tall (then low)")), "{:?}", late[0].help);
}

/// A rule describes a step once, with what a reading adds to it.
#[test]
fn a_reading_does_not_describe_a_step_again() {
    let mut compiler = compiler();
    let rule = r#"rule 9 "A walk" {
    [walk] procedure walk { steps out, home. }
    step out of walk { [out] for each lamp as L { wash L }. }
    step home of walk { [home] for each vase as V { wash V }. }
}
"#;
    compiler.set_file("rules/sections/walk.rules", rule);
    let more = r#"ruling R-4 "Another way home?" {
    about 9.
    reading other { authority "judge". add to 9 { step home of walk { [other] for each lamp as L { soil L }. } } }
}
"#;
    compiler.set_file("rules/rulings/c.rulings", more);
    let codes = |profile: &Profile| {
        let diags = compiler.link(profile).1;
        diags.iter().map(|diag| diag.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&Profile::default()), []);
    assert_eq!(codes(&Profile::default().with("R-4", "other")), [Code::StepTwice]);
}

#[test]
fn a_year_and_a_month_are_their_last_day() {
    let date = |text: &str| text.parse::<Date>().map(|date| date.to_string());
    assert_eq!(date("1996"), Ok("1996-12-31".to_owned()));
    assert_eq!(date("1996-02"), Ok("1996-02-29".to_owned()));
    assert_eq!(date("1999-05-29"), Ok("1999-05-29".to_owned()));
    for wrong in ["", "96", "1996-13", "1997-02-29", "1996-00", "1996-01-01-01", "soon", "1996-x"] {
        assert_eq!(date(wrong), Err(FORM), "{wrong}");
    }
    assert!("1996-05".parse::<Date>() < "1996".parse::<Date>());
}
