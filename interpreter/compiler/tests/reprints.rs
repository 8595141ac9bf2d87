//! Reprints: what they say, who amends them, and what is wrong with them.

use crate::common::*;
use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;

const PATH: &str = "cards/reprints.cards";

fn with(text: &str) -> Compiler {
    let mut compiler = Compiler::logged();
    compiler.set_files(files());
    compiler.set_files([(PATH, text)]);
    compiler
}

/// The labels of a card's clauses under a profile, with what they say and who set it.
fn says(compiler: &Compiler, card: &str, profile: &Profile) -> Vec<String> {
    let found = compiler.in_force("card", card, profile).unwrap();
    let part = |part: &netrep_compiler::browse::Part| {
        let by = if part.setter.is_empty() { String::new() } else { format!(" <{}>", part.setter) };
        format!("{}: {}{by}", part.label, part.english.clone().unwrap_or_default())
    };
    found.parts.iter().map(part).filter(|line| !line.starts_with("reprint")).collect()
}

/// The code, the words pointed at and the message of each error.
fn wrong(compiler: &Compiler) -> Vec<(Code, String, String)> {
    let diags = compiler.check();
    errors(&diags).iter().map(|one| (one.code, pointed(compiler, &one.place), one.message.clone())).collect()
}

#[test]
fn a_reprint_says_what_its_original_says() {
    let compiler = with("card Z-1 \"Red lamp\" { reprint of A-1. }\n");
    assert_eq!(wrong(&compiler), []);
    let plain = Profile::default();
    assert_eq!(says(&compiler, "Z-1", &plain), says(&compiler, "A-1", &plain));
    let program = compiler.link(&plain).0;
    let card = |id: &str| program.cards.iter().find(|card| card.id == id).unwrap();
    assert_eq!(card("Z-1").figures, card("A-1").figures);
    assert_eq!((card("Z-1").reprint_of.as_deref(), &card("A-1").reprint_of), (Some("A-1"), &None));
    let clause = program.clauses.iter().find(|clause| clause.label == "Z-1 glow").unwrap();
    assert_eq!(clause.reprints.as_deref(), Some("A-1 glow"));
    assert_eq!(pointed(&compiler, &clause.place), "[glow] this gets +1 height.");
    assert!(["Z-1", "Z-1 glow", "A-1", "A-1 glow"].iter().all(|cite| clause.is_cited_as(cite)));
    assert!(!clause.is_cited_as("A-1 wash"));
}

#[test]
fn a_clause_of_its_own_takes_the_place_of_the_one_of_that_label() {
    let compiler = with("card Z-1 \"Red lamp\" { height 4. reprint of A-1. [glow] this gets +2 height. }\n");
    assert_eq!(wrong(&compiler), []);
    let plain = Profile::default();
    assert_eq!(
        says(&compiler, "Z-1", &plain),
        [
            "kind: kind Lamp",
            "colour: colour Red",
            "height: height 4",
            "glow: this gets +2 height",
            "wash: when this is soiled: wash this"
        ]
    );
    let program = compiler.link(&plain).0;
    let clause = program.clauses.iter().find(|clause| clause.label == "Z-1 glow").unwrap();
    assert_eq!(clause.reprints, None);
    // Readings of the original leave it alone.
    let twice = Profile::default().with("R-1", "twice");
    assert!(says(&compiler, "Z-1", &twice).contains(&"glow: this gets +2 height".to_owned()));
}

#[test]
fn what_amends_the_original_binds_the_reprint_unless_the_reading_names_it() {
    let compiler = with("card Z-1 \"Red lamp\" { reprint of A-1. }\n");
    let twice = Profile::default().with("R-1", "twice");
    assert_eq!(says(&compiler, "Z-1", &twice), says(&compiler, "A-1", &twice));
    assert!(says(&compiler, "Z-1", &twice).contains(&"glow: this gets +2 height <R-1=twice>".to_owned()));
    assert!(!says(&compiler, "Z-1", &Profile::default()).iter().any(|line| line.contains("R-1")));
    let gone = compiler.in_force("card", "Z-1", &twice).unwrap().gone;
    assert_eq!(
        gone.iter().map(|one| (one.label.as_str(), one.setter.as_str())).collect::<Vec<_>>(),
        [("glow", "R-1=twice")]
    );
    assert!(compiler.targets("R-1").iter().any(|(_, key)| **key == *"Z-1"));
    let mut compiler = with("card Z-1 \"Red lamp\" { reprint of A-1. }\n");
    let more = r#"ruling R-3 "And the new one?" {
    about A-1, Z-1.
    reading apart {
        authority "judge".
        amend A-1 glow { read 1 as 3. }
        amend Z-1 glow { read 1 as 5. }
    }
    reading dark { authority "judge". remove A-1 glow. }
}
"#;
    compiler.set_file("rules/rulings/b.rulings", more);
    assert_eq!(wrong(&compiler), []);
    let apart = Profile::default().with("R-3", "apart");
    assert!(says(&compiler, "A-1", &apart).contains(&"glow: this gets +3 height <R-3=apart>".to_owned()));
    assert!(says(&compiler, "Z-1", &apart).contains(&"glow: this gets +5 height <R-3=apart>".to_owned()));
    let dark = Profile::default().with("R-3", "dark");
    assert!(!says(&compiler, "Z-1", &dark).iter().any(|line| line.starts_with("glow")));
}

#[test]
fn facts_of_the_original_are_the_reprints_own() {
    let text = "card Z-1 \"Torch\" {\n    kind Lamp. colour Red. height 1.\n    fact lit of card: yes or no.\n    \
                [lit] while this is lit: this gets +1 height.\n    [light] when this is washed: set lit of this to yes.\n}\n\
                card Z-2 \"Torch\" { reprint of Z-1. }\n";
    let compiler = with(text);
    assert_eq!(wrong(&compiler), []);
    let program = compiler.link(&Profile::default()).0;
    let facts: Vec<&str> = program.attrs.iter().map(|a| a.name.as_str()).filter(|name| name.ends_with("lit")).collect();
    assert_eq!(facts, ["Z-1 lit", "Z-2 lit"]);
}

#[test]
fn what_is_a_reprint_of_nothing_is_refused() {
    let one = |text: &str| {
        let found = wrong(&with(text));
        assert_eq!(found.len(), 1, "{found:#?}");
        let (code, at, message) = found.into_iter().next().unwrap();
        assert_eq!(code, Code::BadReprint, "{message}");
        (at, message)
    };
    let say = |at: &str, message: &str| (at.to_owned(), message.to_owned());
    assert_eq!(one("card Z-1 \"Lamp\" { reprint of A-7. }\n"), say("reprint of A-7.", "there is no card A-7"));
    assert_eq!(one("card Z-1 \"Lamp\" { reprint of Z-1. }\n"), say("reprint of Z-1.", "Z-1 is a reprint of itself"));
    assert_eq!(
        one("card Z-1 \"Lamp\" { reprint of A-1. }\ncard Z-2 \"Lamp\" { reprint of Z-1. }\n"),
        say("reprint of Z-1.", "Z-1 is a reprint itself")
    );
    assert_eq!(
        one("card Z-1 \"Lamp\" { reprint of A-1. [glw] this gets +2 height. }\n"),
        say("[glw] this gets +2 height.", "A-1 has no clause `glw` in whose place this one could stand")
    );
    assert_eq!(
        one("card Z-1 \"Lamp\" { reprint of A-1. [glow] this gets +1 height. }\n"),
        say("[glow] this gets +1 height.", "A-1 says this in the same words")
    );
    // Two that name each other are told each.
    let circle = wrong(&with("card Z-1 \"Lamp\" { reprint of Z-2. }\ncard Z-2 \"Lamp\" { reprint of Z-1. }\n"));
    assert_eq!(circle.iter().map(|one| one.0).collect::<Vec<_>>(), [Code::BadReprint, Code::BadReprint]);
}

#[test]
fn what_is_wrong_with_the_original_is_told_once() {
    let found = wrong(&with(
        "card Z-1 \"Lamp\" { kind Lamp. [glow] this gets +1 hight. }\ncard Z-2 \"Lamp\" { reprint of Z-1. }\n",
    ));
    assert_eq!(found.iter().map(|one| (one.0, one.1.as_str())).collect::<Vec<_>>(), [(Code::UnknownWord, "hight")]);
}

#[test]
fn an_edit_of_the_original_makes_the_reprint_anew() {
    let mut compiler = with("card Z-1 \"Red lamp\" { reprint of A-1. }\n");
    compiler.link(&Profile::default());
    let text = compiler.text(CARDS_PATH).unwrap().replace("this gets +1 height", "this gets +6 height");
    compiler.set_file(CARDS_PATH, &text);
    assert!(says(&compiler, "Z-1", &Profile::default()).contains(&"glow: this gets +6 height".to_owned()));
}
