//! Rulings and editions: what is in force, who set it, and what is wrong with a layer.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use netrep_compiler::{Compiler, Profile};

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
    assert_eq!(errors(&diags), [] as [&netrep_ir::Diag; 0]);
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
    assert_eq!((&*diags[0].code, diags[0].help.as_deref()), ("unknown-edition", Some("did you mean `new`?")));
    let (_, diags) = compiler.link(&Profile::default().with("R-1", "twic"));
    assert_eq!((&*diags[0].code, diags[0].help.as_deref()), ("unknown-reading", Some("did you mean `twice`?")));
    let (_, diags) = compiler.link(&Profile::default().without("R-7"));
    assert_eq!(diags[0].code, "unknown-ruling");
}

#[test]
fn two_amendments_of_one_label_need_an_order() {
    let mut compiler = compiler();
    let more = r#"ruling R-3 "And three times?" {
    reading thrice { authority "judge". replace A-1 glow { [glow] this gets +3 height. } }
}
"#;
    compiler.set_file("rules/rulings/b.rulings", more);
    compiler.set_file(EDITIONS_PATH, "edition both \"Both\" { default. R-1 twice. R-3 thrice. }\n");
    let diags = compiler.check();
    let conflict = errors(&diags)[0];
    assert_eq!(conflict.code, "amendments-conflict");
    assert_eq!(pointed(&compiler, &conflict.place), "glow");
    assert_eq!(conflict.place.file, "rules/rulings/b.rulings");
    assert_eq!(conflict.labels[0].place.file, RULINGS_PATH);
    assert_eq!(pointed(&compiler, &conflict.labels[0].place), "glow");

    for (order, winner) in [("R-1, R-3", "R-3=thrice"), ("R-3, R-1", "R-1=twice")] {
        let text = format!("edition both \"Both\" {{ default. R-1 twice. R-3 thrice. order {order}. }}\n");
        compiler.set_file(EDITIONS_PATH, &text);
        assert_eq!(codes(&compiler.check()), [] as [&str; 0]);
        let clauses = clauses(&compiler, "card", "A-1", &Profile::default());
        assert_eq!(clauses, ["kind", "colour", "height", &format!("glow <{winner}>"), "wash"]);
    }
}

#[test]
fn a_figure_is_amended_by_its_name_and_keeps_its_place() {
    let mut compiler = compiler();
    let text = RULINGS.replace("remove A-2 break.", "replace A-2 height { height 9. }");
    compiler.set_file(RULINGS_PATH, &text);
    assert_eq!(codes(&compiler.check()), [] as [&str; 0]);
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
        errors(&diags).into_iter().map(|d| (&*d.code, pointed(&compiler, &d.place), d.help.clone())).collect();
    let help = |text: &str| Some(text.to_owned());
    let expected = [
        ("unknown-clause", "glwo".to_owned(), help("did you mean `glow`?")),
        ("unknown-item", "1.v".to_owned(), help("did you mean `1.i`?")),
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
    assert_eq!(authority.date.as_deref(), Some("1999-05-09"));
    assert_eq!(authority.status.as_deref(), Some("superseded"));
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
    assert_eq!(codes(&compiler.check()), ["sentence-not-expressed"]);
    let compiler = with_file(CARDS_PATH, &card(" partial 2."));
    assert_eq!(codes(&compiler.check()), [] as [&str; 0]);
    let (item, _) = compiler.effective("card", "C-1", &Profile::default()).unwrap();
    assert_eq!((item.printed.len(), item.partial.as_slice()), (3, [2].as_slice()));
    let compiler = with_file(CARDS_PATH, &card(" partial 2, 4."));
    assert_eq!(codes(&compiler.check()), ["unknown-sentence"]);
}
