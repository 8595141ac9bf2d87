//! The mistakes of authors. Each is made in a small regatta of boats that is right as it stands: one error comes of it. At
//! which words it points, what it says and how it helps, a snapshot of each kind of mistake pins.

use std::fmt::Write;

use netrep_compiler::{Compiler, Diagnostic};
use netrep_diagnostics::Code;

use crate::common::{pointed, told};

/// The regatta: words, rules, cards, rulings and an edition.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("rules/regatta.words", include_str!("regatta/regatta.words")),
    ("rules/regatta.rules", include_str!("regatta/regatta.rules")),
    ("rules/regatta.rulings", include_str!("regatta/regatta.rulings")),
    ("rules/regatta.editions", include_str!("regatta/regatta.editions")),
    ("cards/regatta.cards", include_str!("regatta/regatta.cards")),
];

/// Where an item of its own stands: behind all others, so that what it repeats was there before.
const OWN_FILE: &str = "rules/slip.rules";

/// A mistake: in the item whose header begins so, the first of one text becomes another; in the empty item, the other is
/// a new file.
struct Mistake {
    item: &'static str,
    was: &'static str,
    is: &'static str,
    code: Code,
}

const fn m(item: &'static str, was: &'static str, is: &'static str, code: Code) -> Mistake {
    Mistake { item, was, is, code }
}

/// An item of its own beside the data.
const fn own(is: &'static str, code: Code) -> Mistake {
    Mistake { item: "", was: "", is, code }
}

fn regatta() -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_files(FILES.iter().copied());
    assert_eq!(errors(&compiler), [], "the data themselves are right");
    compiler
}

fn errors(compiler: &Compiler) -> Vec<Diagnostic> {
    compiler.check().into_iter().filter(Diagnostic::is_error).collect()
}

/// The file of an item, and the file's text with the mistakes in the item.
fn broken(item: &str, edits: &[(&str, &str)]) -> (&'static str, String) {
    let begins = |text: &str| {
        let starts = text.match_indices(item).map(|(at, _)| at);
        let header = |at: &usize| {
            (*at == 0 || text[..*at].ends_with('\n')) && text[at + item.len()..].starts_with(char::is_whitespace)
        };
        starts.into_iter().find(header)
    };
    let found = FILES.iter().find_map(|(path, text)| Some((*path, *text, begins(text)?)));
    let (path, text, start) = found.unwrap_or_else(|| panic!("there is no {item}"));
    let (before, mut rest) = (text[..start].to_owned(), text[start..].to_owned());
    for (was, is) in edits {
        assert!(rest.contains(was), "{item} holds no `{was}`");
        rest = rest.replacen(was, is, 1);
    }
    (path, before + &rest)
}

/// Makes each mistake by itself, and tells what is said of it.
fn story(kinds: &[(&str, &[Mistake])]) -> String {
    let mut compiler = regatta();
    let mut story = String::new();
    let mut wrong = Vec::new();
    for (kind, mistakes) in kinds {
        writeln!(story, "# {kind}\n").unwrap();
        for Mistake { item, was, is, code } in *mistakes {
            let (path, text) = if item.is_empty() { (OWN_FILE, (*is).to_owned()) } else { broken(item, &[(was, is)]) };
            compiler.set_file(path, &text);
            let found = errors(&compiler);
            let said: String = found.iter().map(|diag| told(&compiler, diag)).collect();
            let slip = match item.is_empty() {
                true => format!("a file of its own: `{}`", is.replace('\n', "⏎")),
                false => format!("{item}: `{}` -> `{}`", was.replace('\n', "⏎"), is.replace('\n', "⏎")),
            };
            if found.iter().map(|diag| diag.code).ne([*code]) {
                wrong.push(format!("{slip} wants {code} alone:\n{said}"));
            }
            writeln!(story, "{slip}\n{said}").unwrap();
            match FILES.iter().find(|(file, _)| *file == path) {
                Some((_, whole)) => drop(compiler.set_file(path, whole)),
                None => drop(compiler.remove_file(path)),
            }
        }
    }
    assert!(wrong.is_empty(), "{} mistakes are not told well:\n{}", wrong.len(), wrong.join("\n"));
    story
}

#[test]
fn words_that_are_misspelt() {
    use Code::{UnknownEntry, UnknownName, UnknownWord, WrongEntry};
    let said = story(&[
        (
            "a misspelt verb",
            &[
                m("card B-4", "effect abandon heat", "effect abadnon heat", UnknownWord),
                m("card B-4", "cost heel target", "cost heell target", UnknownWord),
                m("card B-1", "batters a", "baters a", UnknownWord),
                m("rule 1.i", "be abandoned", "be abandond", UnknownWord),
                m("card B-2", "has entered", "has entred", UnknownWord),
                m("card B-5", "scuttle this", "sctutle this", UnknownWord),
            ],
        ),
        (
            "a misspelt noun",
            &[
                m("card B-6", "facing a leg", "facing a lge", UnknownWord),
                m("card B-3", "Sloop heat gets", "Sloop haet gets", UnknownWord),
                m("card B-5", "on a fleet", "on a flete", UnknownWord),
                m("card B-5", "number of crates", "number of crats", UnknownWord),
                m("card B-1", "a leg of", "a lge of", UnknownWord),
            ],
        ),
        (
            "a misspelt figure",
            &[
                m("card A-1", "length 7", "lenght 7", UnknownWord),
                m("card A-3", "+1 length", "+1 lenghts", UnknownWord),
                m("card A-3", "weight 1", "wieght 1", UnknownWord),
                m("card B-2", "draught of B", "draugth of B", UnknownWord),
                m("card B-1", "haunts \"Old", "haunst \"Old", UnknownWord),
            ],
        ),
        (
            "a misspelt term",
            &[
                m("card A-1", "rig Sloop", "rig Slopo", UnknownEntry),
                m("card A-1", "trade Pilot", "trade Pilto", UnknownEntry),
                m("card A-1", "trade Pilot", "trade pilot", UnknownWord),
                m("card B-2", "non-Räseiler", "non-Raseiler", UnknownEntry),
                m("card B-1", "non-Brig", "non-Brg", UnknownEntry),
                m("card B-3", "each Sloop heat", "each Slopo heat", UnknownEntry),
                m("card A-1", "rig Sloop", "rig Pilot", WrongEntry),
            ],
        ),
        (
            "a misspelt name",
            &[
                m("card B-3", "[all 1] each", "[all 1] while \"Grey Hreon\" is in sea: each", UnknownName),
                m("card B-5", "when a boat joins", "when \"Swif\" joins", UnknownName),
                m("card A-3", "bearer of this gets +1 length max 8", "\"Swifft\" gets +1 length", UnknownName),
                m("card B-1", "\"Long Sound\"", "\"Long Soudn\"", UnknownName),
                m("card A-4", "\"Long Sound\"", "\"Long Soun\"", UnknownName),
                m("card B-1", "\"Old Quay\"", "\"Old Qay\"", UnknownName),
            ],
        ),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn beginnings_that_are_misspelt() {
    let said = story(&[
        ("the head of an item", &[m("card B-5", "card B-5", "crad B-5", Code::TextOutsideItem)]),
        ("the first word of a clause", &[m("card B-5", "when a boat", "whne a boat", Code::UnknownWord)]),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn things_and_numbers_of_another_kind_than_is_meant() {
    use Code::{NoSuchAttribute, WrongRelation, WrongSort, WrongTarget};
    let said = story(&[
        (
            "a verb with a target that it cannot take",
            &[
                m("card B-4", "effect abandon heat", "effect abandon target", WrongTarget),
                m("card B-1", "scuttle B", "scuttle fleet", WrongTarget),
                m("card B-4", "cost heel target", "cost heel fleet", WrongTarget),
                m("card B-1", "batters a non-Brig boat", "batters a squall", WrongTarget),
                m("card B-6", "an upright Pilot facing a leg", "a squall facing a leg", WrongRelation),
                m("card A-4", "when a leg batters", "when a heat batters", WrongTarget),
            ],
        ),
        (
            "an attribute of a thing that has none",
            &[
                m("card A-3", "bearer of this gets +1 length", "fleet gets +1 length", NoSuchAttribute),
                m("card B-3", "each Sloop heat gets -3 length", "each Sloop heat gets -3 weight", NoSuchAttribute),
                m("card B-2", "draught of B", "draught of fleet", NoSuchAttribute),
                m("card B-2", "draught of B", "margin of B", NoSuchAttribute),
                m("card B-6", "outcome of leg", "outcome of target", NoSuchAttribute),
            ],
        ),
        (
            "a number where a thing is meant, and a thing where a number is",
            &[
                m("card B-4", "cost heel target", "cost heel 1", WrongSort),
                m("card B-1", "scuttle B", "scuttle length of B", WrongSort),
                m("card B-2", "if leg is a leg of this", "if draught of B is a leg of this", WrongSort),
                m("card B-2", "= draught of B", "= fleet of B", WrongSort),
                m("card A-1", "length 7", "length Sloop", WrongSort),
                m("card A-3", "max 8", "max this", WrongSort),
            ],
        ),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn marks_that_are_missing() {
    use Code::{MissingClosingBracket, MissingFullStop, MissingOpeningBracket, MissingQuote};
    let said = story(&[
        (
            "a full stop",
            &[
                m("card A-1", "kind Boat.", "kind Boat", MissingFullStop),
                m("card A-3", "weight 1.", "weight 1", MissingFullStop),
                m("card A-1", "length 7.", "length 7", MissingFullStop),
                m("card B-4", "abandon heat.", "abandon heat", MissingFullStop),
                m("card A-2", "\"0a1b2c3d\".", "\"0a1b2c3d\"", MissingFullStop),
                m("rule 1", "\"Log 1\".", "\"Log 1\"", MissingFullStop),
                m("card A-4", "waters \"Long Sound\".", "waters \"Long Sound\"", MissingFullStop),
                m("rule 1.i", "muster, sailing, finish.", "muster, sailing, finish", MissingFullStop),
                m("rule 2", "cites LOGC.", "cites LOGC", MissingFullStop),
                m("rule 1.ii", "{ heel runner of G }.", "{ heel runner of G }", MissingFullStop),
            ],
        ),
        (
            "a brace",
            &[
                m("card B-4", "abandon heat.\n}", "abandon heat.\n", MissingClosingBracket),
                m("card B-4", "\"Signal\" {", "\"Signal\"", MissingOpeningBracket),
                m("card B-1", "effect abandon heat.\n    }", "effect abandon heat.\n", MissingClosingBracket),
                m("rule 1.ii", "to runner of G }\n        }.", "to runner of G \n        }.", MissingClosingBracket),
            ],
        ),
        ("a quotation mark", &[m("card A-4", "\"Long Sound\"", "\"Long Sound", MissingQuote)]),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn names_that_are_taken() {
    use Code::{NameRepeated, TermRepeated};
    let said = story(&[
        (
            "the same id twice",
            &[
                m("card A-3", "card A-3", "card A-2", NameRepeated),
                own("card B-4 \"Flag\" { kind Order. }", NameRepeated),
                own("rule 1.ii \"Legs\" { note \"again\". }", NameRepeated),
                m(
                    "ruling R-2",
                    "ruling R-2",
                    "ruling R-2 \"Which?\" { about 1.i. reading so { authority \"a house rule\". } }\n\nruling R-2",
                    NameRepeated,
                ),
                own("edition log \"Another one\" { R-1 first. }", NameRepeated),
            ],
        ),
        (
            // `set` would not know which is meant. The first of two declarations holds.
            "what is stored of fleets, defined for boats",
            &[own("define wind limit of (boat B): number = length of B.", TermRepeated)],
        ),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn layers_that_do_not_fit() {
    use Code::{AmendmentsConflict, UnknownClause, UnknownItem, UnknownLabel, UnknownReading, UnknownRuling};
    let said = story(&[
        (
            "an amendment of a label that does not exist",
            &[
                m("ruling R-1", "replace B-1 shift", "replace B-1 shfit", UnknownClause),
                m("ruling R-2", "remove 1.ii last", "remove 1.ii lsat", UnknownClause),
                m("ruling R-2", "replace 1.ii sequence", "replace 1.ii squence", UnknownClause),
            ],
        ),
        (
            "two unordered amendments",
            &[
                own(
                    "ruling R-9 \"Again?\" {\n    about B-1.\n    reading so { authority \"a house rule\". remove B-1 shift. }\n}\n\
                     edition house \"A house\" { R-1 first. R-9 so. }",
                    AmendmentsConflict,
                ),
                own(
                    "ruling R-8 \"Late?\" {\n    about 1.i.\n    reading never { authority \"a house rule\". remove 1.i late. }\n}\n\
                     ruling R-9 \"Late?\" {\n    about 1.i.\n    reading never { authority \"another\". replace 1.i late { [late] a heat that is Begun cannot be abandoned if nothing has changed. } }\n}\n\
                     edition house \"A house\" { R-8 never. R-9 never. }",
                    AmendmentsConflict,
                ),
            ],
        ),
        (
            "an unknown citation",
            &[
                m("card B-1", "despite 1.i late", "despite 1.i lat", UnknownLabel),
                m("card B-1", "despite 1.i late", "despite 1.ix late", UnknownItem),
                m("ruling R-2", "about 1.ii,", "about 1.iii,", UnknownItem),
                m("ruling R-2", "remove 1.ii last", "remove 1.iii last", UnknownItem),
                m("ruling R-1", "replace B-1 shift", "replace B-11 shift", UnknownItem),
            ],
        ),
        (
            "a ruling or reading that is not there",
            &[
                m("edition log", "R-1 printed", "R-11 printed", UnknownRuling),
                m("edition log", "R-2 listed", "R-2 lsited", UnknownReading),
            ],
        ),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn figures_that_are_missing() {
    let said = story(&[(
        "a required figure that is missing",
        &[
            m("card A-1", "length 7.", "", Code::MissingFigure),
            m("card A-5", "shore Sandy.", "waters \"Old Quay\".", Code::MissingFigure),
            m("card A-2", "rig Ketch.", "", Code::MissingFigure),
            m("card A-5", "shore Sandy.", "", Code::MissingFigure),
        ],
    )]);
    insta::assert_snapshot!(said);
}

/// Classes of comparisons that are decided: literals, counts, one number in two ranges, one fact in two terms (said,
/// through adjectives, through classes, of a thing of a class), and terms of another list.
#[test]
fn comparisons_that_can_never_hold() {
    use Code::{NeverHolds, WrongEntry};
    const IF_LEG: &str = "if leg is a leg of this";
    let said = story(&[
        (
            "numbers",
            &[
                m("card B-5", ">= 4", ">= 4 and 3 > 5", NeverHolds),
                m(
                    "card B-5",
                    "number of boats in target + number of crates in target >= 4",
                    "number of crates in target < 0",
                    NeverHolds,
                ),
                m("card B-5", ">= 4", "<= -1", NeverHolds),
                m("card B-2", IF_LEG, "if length of B > 5 and length of B < 3", NeverHolds),
                m("card B-6", "an upright Pilot", "a boat with length > 5 that has length < 2", NeverHolds),
            ],
        ),
        (
            "terms",
            &[
                m("card B-2", IF_LEG, "if B is upright and B is heeled", NeverHolds),
                m("card B-6", "an upright Pilot", "an upright heeled Pilot", NeverHolds),
                m("card B-1", "a non-Brig boat", "a Sloop Ketch boat", NeverHolds),
                m("card B-2", IF_LEG, "if rig of B is Sloop and B is a Brig", NeverHolds),
                m("card B-2", IF_LEG, "if rig of B is Pilot", WrongEntry),
            ],
        ),
        (
            "contraries",
            &[
                m("card B-2", IF_LEG, "if B is upright and B is not upright", NeverHolds),
                m("card B-2", IF_LEG, "if B is in fleet and B is not in fleet", NeverHolds),
                m("card B-2", IF_LEG, "if B is not upright and B is not heeled and trim of B is not Sunk", NeverHolds),
                m("card B-1", "a non-Brig boat", "a non-Sloop Sloop boat", NeverHolds),
                m("card B-1", "a non-Brig boat", "a non-Pilot Pilot boat", NeverHolds),
                m("card B-2", IF_LEG, "if number of boats in fleet > 5 and number of boats in fleet < 3", NeverHolds),
                m("card B-2", IF_LEG, "if there is a leg that is Open and there is no leg that is Open", NeverHolds),
                m("card B-2", IF_LEG, "if heat is Begun and not heat is Begun", NeverHolds),
            ],
        ),
        (
            "classes",
            &[
                m("card B-2", IF_LEG, "if B is a crate", NeverHolds),
                m("card B-2", IF_LEG, "if B is a harbour", NeverHolds),
                m("card A-2", "crates on this get", "each boat crate gets", NeverHolds),
            ],
        ),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn letters_and_roles_that_nothing_binds() {
    use Code::{UnboundLabel, UnboundRole, UnknownLabel};
    let said = story(&[
        (
            "a role",
            &[
                m("rule 1.ii", "let time be", "let drift be", UnboundRole),
                m("rule 2", "window for P", "window for rival", UnboundRole),
                m("rule 1", "window for P", "window for skipper", UnboundRole),
                own(
                    "role guest: player.\nrule 9 \"Guests\" { [late] heats against guest get -1 length. }",
                    UnboundRole,
                ),
            ],
        ),
        (
            "a letter",
            &[
                m(
                    "card B-1",
                    "[shift 3]",
                    "[again 2] when a heat of this ends: scuttle B.\n    [shift 3]",
                    UnboundLabel,
                ),
                own(
                    "rule 9 \"Calm\" {\n    procedure calm for (player P) { steps drift. }\n    step drift of calm { heel B. }\n}",
                    UnknownLabel,
                ),
            ],
        ),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn phrases_that_read_in_two_ways() {
    use Code::AmbiguousPhrase;
    let said = story(&[(
        "two readings",
        &[
            m("card B-3", "each non-Sloop heat gets", "each heat of a squall bound for this gets", AmbiguousPhrase),
            m(
                "card B-5",
                "when a boat joins fleet of this",
                "when a squall bound for this is scuttled",
                AmbiguousPhrase,
            ),
        ],
    )]);
    insta::assert_snapshot!(said);
}

/// Three slips in three clauses of one item are three messages, each as if it stood alone; in whatever mixture.
#[test]
fn three_slips_in_one_item_are_three_messages() {
    const SLIPS: &[(&str, [(&str, &str); 3])] = &[
        ("card B-4", [("[1] play", "[1 play"), ("heel target.", "heel target"), ("abandon heat", "abadnon heat")]),
        ("card A-1", [("rig Sloop", "rig Slopo"), ("length 7.", "lenght 7."), ("each boat", "each baot")]),
        (
            "card B-1",
            [("kind Squall.", "kind Squall"), ("\"Long Sound\".", "\"Long Sound."), ("as B: scuttle", "as B scuttle")],
        ),
        ("card B-2", [("legs 1.", "legs !1."), ("[bonus 3]", "[bonus 3"), ("time = draught", "time = (draught")]),
        ("rule 1.i", [("LOGB.", "LOGB"), ("be H.", "be (H."), ("for rival to", "for rivla to")]),
    ];
    let mut compiler = regatta();
    let mut story = String::new();
    for (item, slips) in SLIPS {
        let (path, text) = broken(item, slips);
        compiler.set_file(path, &text);
        let found = errors(&compiler);
        let said: String = found.iter().map(|diag| told(&compiler, diag)).collect();
        let shown: Vec<String> = slips.iter().map(|(was, is)| format!("`{was}` -> `{is}`")).collect();
        writeln!(story, "{item}: {}\n{said}", shown.join(", ")).unwrap();
        assert_eq!(found.len(), 3, "{story}");
        let whole = FILES.iter().find(|(file, _)| *file == path).unwrap().1;
        compiler.set_file(path, whole);
    }
    insta::assert_snapshot!(story);
}

/// Mistakes that are too large to write down: a part of a phrase so many times over.
#[test]
fn nesting_that_is_too_deep_is_told_at_its_place() {
    let deep = |open: &str, close: &str, n: usize| format!("{}this is upright{}", open.repeat(n), close.repeat(n));
    let mut compiler = regatta();
    for (condition, code, at) in [
        (deep("(", ")", 80), Code::DeepNesting, "("),
        (deep("not ", "", 400), Code::PhraseTooDeep, "not"),
        (format!("number of {}boats > 1", "boats other than ".repeat(200)), Code::PhraseTooDeep, ""),
    ] {
        let text =
            format!("card D-1 \"Deep\" {{\n    kind Crate.\n    [deep] while {condition}: this gets +1 weight.\n}}\n");
        compiler.set_file("cards/deep.cards", &text);
        let found = errors(&compiler);
        let [one] = found.as_slice() else { panic!("{code}: {found:#?}") };
        assert_eq!(one.code, code, "{one:#?}");
        let pointed = pointed(&compiler, &one.place);
        assert!(at.is_empty() || pointed == at, "{code} at `{pointed}`");
        assert!(one.help.is_some(), "{one:#?}");
    }
}

/// What cannot be read because a bound of the reader is met says so, and is no slip of syntax.
#[test]
fn phrases_that_are_too_long_are_told_as_such() {
    let mut compiler = regatta();
    let joined = |n: usize| vec!["this is upright"; n].join(" and ");
    let after = |n: usize| format!("number of boats {} > 1", vec!["that are upright"; n].join(" "));
    for (condition, code) in [
        (joined(32), None),
        (joined(33), Some(Code::PhraseTooLong)),
        (after(12), None),
        (after(17), Some(Code::PhraseTooLong)),
        ("this is \"Swift\", \"Bilge Pump\", \"Old Quay\" or \"Long Sound\"".to_owned(), None),
    ] {
        let text =
            format!("card D-1 \"Long\" {{\n    kind Crate.\n    [long] while {condition}: this gets +1 weight.\n}}\n");
        compiler.set_file("cards/long.cards", &text);
        let found: Vec<Code> = errors(&compiler).iter().map(|diag| diag.code).collect();
        assert_eq!(found, Vec::from_iter(code), "{condition}");
    }
}

/// Several that are joined have one `or`, before the last.
#[test]
fn names_are_parted_by_commas_before_the_last() {
    let mut compiler = regatta();
    let text = "card D-1 \"Long\" {\n    kind Crate.\n    [long] while this is on (\"Swift\" or \"Grey Heron\" or \"Swift\" or \"Grey Heron\"): this gets +1 weight.\n}\n";
    compiler.set_file("cards/long.cards", text);
    let found = errors(&compiler);
    let [one] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!((one.code, &*pointed(&compiler, &one.place)), (Code::UnexpectedWord, "or"), "{one:#?}");
    assert!(one.help.as_deref().is_some_and(|help| help.contains("commas")), "{one:#?}");
}
