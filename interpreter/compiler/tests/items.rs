//! Items: what they are called in lists and in programs, and where the parts of one are in its file.

use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;

use crate::common::{codes, errors, pointed, with_file};

const PATH: &str = "rules/own.rules";

#[test]
fn a_title_is_no_part_of_the_key() {
    let key = |text: &str| {
        let mut compiler = Compiler::new();
        compiler.set_file("cards/a.cards", text);
        let [item] = compiler.items().try_into().unwrap_or_else(|items| panic!("{text}: {items:?}"));
        (item.head, item.key.to_string())
    };
    let called = |head: &'static str, key: &str| (head, key.to_owned());
    assert_eq!(key("card A-1 \"Lamp\" { }"), called("card", "A-1"));
    assert_eq!(key("ruling \"Lamps\" { }"), called("ruling", "Lamps"));
    assert_eq!(key("verb wash, washes, washed (dish D)."), called("verb", "wash, washes, washed (dish D)"));
    assert_eq!(key("card A-1 Lamp\" { }"), called("card", "A-1"), "a quotation mark is missing");
    assert_eq!(key("ruling R-1 Lamps? { }"), called("ruling", "R-1"));
    assert_eq!(key("document \"cards\" \"Cards\" { }"), called("document", "cards"));
    assert_eq!(key("crad"), called("", "crad"));
}

/// A word is called by its own words: without its parameters, and without its further forms.
#[test]
fn what_a_word_is_called_is_short() {
    let text = "figure weight of ark of (card C): number.\n\
                figure weight of (card C): number.\n\
                verb (card C) hold, holds, held.\n";
    let compiler = with_file(PATH, text);
    let (program, diags) = compiler.link(&Profile::default());
    assert_eq!(codes(&diags), []);
    let called = program.clauses.iter().filter(|clause| clause.place.file == PATH).map(|clause| &*clause.item);
    assert_eq!(called.collect::<Vec<_>>(), ["verb hold"]);
    // In the order of programs a name that has ended comes first, whatever its parameter is called.
    let weights = program.attrs.iter().map(|attr| &*attr.name).filter(|name| name.starts_with("weight"));
    assert_eq!(weights.collect::<Vec<_>>(), ["weight", "weight of ark"]);
}

/// What is read of an item does not hang on how far its clauses are apart; where it is in the file, does.
#[test]
fn a_gap_between_clauses_moves_only_the_places() {
    let made = |gap: &str| {
        let text = format!("verb mend, mends, mended (crad C) {{{gap}\n}}\n");
        text + &format!("rule 9 \"Red\" {{\n    [red] lamps get +1 height.{gap}\n    [blue] vases get +1 hieght.\n}}\n")
    };
    let (near, far) = (with_file(PATH, &made("")), with_file(PATH, &made("\n// a word\n\n// and more")));
    let read =
        |compiler: &Compiler, head: &str, key: &str| compiler.effective(head, key, &Profile::default()).unwrap().0;
    let mend = "mend, mends, mended (crad C)";
    assert_eq!(read(&near, "rule", "9"), read(&far, "rule", "9"));
    assert_eq!(read(&near, "verb", mend), read(&far, "verb", mend));
    for compiler in [near, far] {
        // A word of the header, and one behind the gap.
        let diags = compiler.check();
        let places: Vec<String> = errors(&diags).iter().map(|diag| pointed(&compiler, &diag.place)).collect();
        assert_eq!(places, ["crad", "hieght"], "{diags:#?}");
    }
}

#[test]
fn a_clause_that_is_too_long_is_refused() {
    // The most bytes that a clause has.
    const MOST: usize = (1 << 20) - 1;
    let long = |more: usize| {
        let (begins, ends) = ("[blue] vases get", "+1 height.");
        let clause = format!("{begins}{}{ends}", " ".repeat(MOST + more - begins.len() - ends.len()));
        let compiler = with_file(PATH, &format!("rule 9 \"Red\" {{ [red] lamps get +1 height. {clause} }}"));
        let diags = compiler.check();
        let told = |diag: &&Diagnostic| (diag.code, pointed(&compiler, &diag.place) == clause);
        errors(&diags).iter().map(told).collect::<Vec<_>>()
    };
    assert_eq!(long(0), []);
    assert_eq!(long(1), [(Code::ItemTooLarge, true)]);
}
