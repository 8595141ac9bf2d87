//! The mistakes of authors. Each is made in correct data of the repository: one error comes of it, with its own code,
//! pointing at the words that are wrong, and saying how to mend them.

use std::path::Path;

use netrep_compiler::{Compiler, Diagnostic};
use netrep_diagnostics::Code;

/// A mistake: in an item, the first `was` becomes `is`.
struct Mistake {
    /// The item, by the beginning of its header; empty for a new file that holds `is`.
    item: &'static str,
    was: &'static str,
    is: &'static str,
    code: Code,
    /// The text that the error points at.
    at: &'static str,
    /// What the message or the help line names.
    help: &'static str,
}

const fn m(
    item: &'static str,
    was: &'static str,
    is: &'static str,
    code: Code,
    at: &'static str,
    help: &'static str,
) -> Mistake {
    Mistake { item, was, is, code, at, help }
}

/// An item of its own beside the data.
const fn new(is: &'static str, code: Code, at: &'static str, help: &'static str) -> Mistake {
    Mistake { item: "", was: "", is, code, at, help }
}

const MISSPELT_VERBS: &[Mistake] = &[
    m("card TW-204", "effect cancel attack", "effect cancle attack", Code::UnknownWord, "cancle", "`cancel`"),
    m("card TW-204", "cost tap target", "cost tapp target", Code::UnknownWord, "tapp", "`tap`"),
    m("card TW-1", "wounds a", "wouns a", Code::UnknownWord, "wouns", "`wounds`"),
    m("card TW-8", "be assigned", "be asigned", Code::UnknownWord, "asigned", "`assigned`"),
    m("card TW-73", "has faced", "has facd", Code::UnknownWord, "facd", "`faced`"),
    m("card TW-240", "discard this", "discrad this", Code::UnknownWord, "discrad", "`discard`"),
];

const MISSPELT_NOUNS: &[Mistake] = &[
    m("card TW-209", "a member facing", "a charakter facing", Code::UnknownWord, "charakter", "`character`"),
    m("card TW-264", "attack gets", "atack gets", Code::UnknownWord, "atack", "`attack`"),
    m("card TW-240", "on a company", "on a compnay", Code::UnknownWord, "compnay", "`company`"),
    m("card TW-240", "number of allies", "number of alies", Code::UnknownWord, "alies", "`allies`"),
    m("card TW-1", "a strike of", "a stirke of", Code::UnknownWord, "stirke", "`strike`"),
];

const MISSPELT_ATTRIBUTES: &[Mistake] = &[
    m("card TW-1", "prowess 10", "prowes 10", Code::UnknownWord, "prowes", "`prowess`"),
    m("card TW-206", "+1 prowess", "+1 prowses", Code::UnknownWord, "prowses", "`prowess`"),
    m("card TW-206", "corruption 1", "coruption 1", Code::UnknownWord, "coruption", "`corruption`"),
    m("card TW-40", "body of C", "boddy of C", Code::UnknownWord, "boddy", "`body`"),
    m("card TW-40", "hold keys", "hold kesy", Code::UnknownWord, "kesy", "`keys`"),
];

const MISSPELT_RACES: &[Mistake] = &[
    m("card TW-1", "race Man", "race Mna", Code::UnknownEntry, "Mna", "`Man`"),
    m("card TW-73", "race Orc", "race Ork", Code::UnknownEntry, "Ork", "`Orc`"),
    m("card TW-264", "non-Nazgûl", "non-Nazgul", Code::UnknownEntry, "Nazgul", "`Nazgûl`"),
    m("card TW-1", "non-Wizard", "non-Wizzard", Code::UnknownEntry, "Wizzard", "`Wizard`"),
    m("card TW-73", "an Orc attack", "an Orv attack", Code::UnknownEntry, "Orv", "`Orc`"),
    m("card TW-73", "race Orc", "race Warrior", Code::WrongEntry, "Warrior", "a race"),
];

const MISSPELT_CARDS: &[Mistake] = &[
    m(
        "card TW-264",
        "[all 1] each",
        "[all 1] while \"Giant Spidres\" is in play: each",
        Code::UnknownName,
        "\"Giant Spidres\"",
        "\"Giant Spiders\"",
    ),
    m(
        "card TW-240",
        "when a member joins",
        "when \"Aragorn I\" joins",
        Code::UnknownName,
        "\"Aragorn I\"",
        "\"Aragorn II\"",
    ),
    m(
        "card TW-206",
        "bearer of this gets +1 prowess max 8",
        "\"Analena\" gets +1 prowess",
        Code::UnknownName,
        "\"Analena\"",
        "\"Annalena\"",
    ),
];

const MISSPELT_SITES: &[Mistake] = &[
    m("card TW-375", "\"Rivendell\"", "\"Rivendel\"", Code::UnknownName, "\"Rivendel\"", "\"Rivendell\""),
    m("card TW-375", "\"Cardolan\"", "\"Cardolann\"", Code::UnknownName, "\"Cardolann\"", "\"Cardolan\""),
    m(
        "card TW-40",
        "\"Woodland Realm\"",
        "\"Woodland Reaml\"",
        Code::UnknownName,
        "\"Woodland Reaml\"",
        "\"Woodland Realm\"",
    ),
];

const WRONG_TARGETS: &[Mistake] = &[
    m(
        "card TW-204",
        "effect cancel attack",
        "effect cancel target",
        Code::WrongTarget,
        "target",
        "an attack or a strike",
    ),
    m("card TW-1", "discard C", "discard company", Code::WrongTarget, "company", "a card"),
    m("card TW-204", "cost tap target", "cost tap company", Code::WrongTarget, "company", "a card"),
    m(
        "card TW-1",
        "wounds a non-Wizard non-Ringwraith member",
        "wounds an item",
        Code::WrongTarget,
        "an item as C",
        "a member",
    ),
    m("card TW-199", "a Warrior facing", "an item facing", Code::WrongRelation, "facing", "a member"),
    m("card TW-209", "when strike wounds", "when attack wounds", Code::WrongTarget, "attack", "a strike"),
];

const NO_SUCH_ATTRIBUTES: &[Mistake] = &[
    m(
        "card TW-206",
        "bearer of this gets +1 prowess",
        "company gets +1 prowess",
        Code::NoSuchAttribute,
        "company",
        "prowess",
    ),
    m(
        "card TW-264",
        "each Nazgûl attack gets -3 prowess",
        "each Nazgûl attack gets -3 corruption",
        Code::NoSuchAttribute,
        "each Nazgûl attack",
        "a card",
    ),
    m("card TW-40", "body of C", "body of company", Code::NoSuchAttribute, "company", "body"),
    m("card TW-40", "body of C", "excess of C", Code::NoSuchAttribute, "C", "an attack"),
    m("card TW-199", "stance of strike", "stance of target", Code::NoSuchAttribute, "target", "a strike"),
];

const NUMBERS_FOR_THINGS: &[Mistake] = &[
    m("card TW-204", "cost tap target", "cost tap 1", Code::WrongSort, "1", "a card"),
    m("card TW-1", "discard C", "discard prowess of C", Code::WrongSort, "prowess of C", "a card"),
    m(
        "card TW-40",
        "if strike is a strike of this",
        "if body of C is a strike of this",
        Code::WrongSort,
        "body of C",
        "a number",
    ),
    m("card TW-40", "= body of C", "= company of C", Code::WrongSort, "company of C", "a number"),
    m("card TW-1", "prowess 10", "prowess Man", Code::WrongSort, "Man", "a number"),
    m("card TW-206", "max 8", "max this", Code::WrongSort, "this", "a number"),
];

const MISSING_MARKS: &[Mistake] = &[
    m("card TW-206", "type Minor-item.", "type Minor-item", Code::MissingFullStop, "Minor-item", "full stop"),
    m("card TW-206", "corruption 1.", "corruption 1", Code::MissingFullStop, "1", "full stop"),
    m("card TW-1", "prowess 10.", "prowess 10", Code::MissingFullStop, "10", "full stop"),
    m("card TW-204", "cancel attack.", "cancel attack", Code::MissingFullStop, "attack", "full stop"),
    m("card TW-204", "cancel attack.\n}", "cancel attack.\n", Code::MissingClosingBracket, "{", "}"),
    m("card TW-204", "\"Concealment\" {", "\"Concealment\"", Code::MissingOpeningBracket, "}", "{"),
    m("card TW-8", "effect cancel attack.\n    }", "effect cancel attack.\n", Code::MissingClosingBracket, "{", "}"),
    m(
        "rule 3.iv.2",
        "attacker allocates attack against quarry of S }\n        }.",
        "attacker allocates attack against quarry of S \n        }.",
        Code::MissingClosingBracket,
        "{",
        "}",
    ),
    m("card TW-1", "\"a169b833\".", "\"a169b833\"", Code::MissingFullStop, "\"a169b833\"", "full stop"),
    m("card TW-375", "region \"Cardolan\".", "region \"Cardolan\"", Code::MissingFullStop, "\"Cardolan\"", "full stop"),
    m(
        "rule 3.iv",
        "staying untapped, support, defender actions.",
        "staying untapped, support, defender actions",
        Code::MissingFullStop,
        "actions",
        "full stop",
    ),
    m("rule 3.iv.1", "cites METW.", "cites METW", Code::MissingFullStop, "METW", "full stop"),
    m("rule 3.iv.7", "{ tap quarry of S }.", "{ tap quarry of S }", Code::MissingFullStop, "}", "full stop"),
    m("card TW-375", "\"Cardolan\"", "\"Cardolan", Code::MissingQuote, "\"Cardolan.", "line"),
];

const SAME_IDS: &[Mistake] = &[
    m(
        "card TW-206",
        "card TW-206",
        "card TW-204",
        Code::NameRepeated,
        "card TW-204 \"Dagger of Westernesse\"",
        "TW-204",
    ),
    new(
        "card TW-204 \"Hiding\" { type Short-event. frame Resource. }",
        Code::NameRepeated,
        "card TW-204 \"Hiding\"",
        "TW-204",
    ),
    new(
        "rule 3.iv.2 \"Excess\" { note \"again\". }",
        Code::NameRepeated,
        "rule 3.iv.2 \"Strike sequence, step 2: excess strikes\"",
        "3.iv.2",
    ),
    m(
        "ruling TW-8-tapped-away",
        "ruling TW-8-tapped-away",
        "ruling TW-8-tapped-away \"Which?\" { about 3.i. reading so { authority \"a house rule\". } }\n\nruling TW-8-tapped-away",
        Code::NameRepeated,
        "ruling TW-8-tapped-away\n    \"Which attacks of an Assassin or a Slayer may be tapped away once a strike is assigned?\"",
        "TW-8-tapped-away",
    ),
    new(
        "edition coe \"Another one\" { combat-order-of-actions fixed. }",
        Code::NameRepeated,
        "edition coe \"Another one\"",
        "coe",
    ),
    // What is stored of companies cannot be defined for characters: `set` would not know which is meant. The first of two
    // declarations holds, so the second stands in a file behind that of the first.
    m(
        "figure conditional",
        "yes or no.",
        "yes or no.\n\ndefine hazard limit of (character C): number = prowess of C.",
        Code::TermRepeated,
        "define hazard limit of (character C): number = prowess of C",
        "`hazard limit`",
    ),
];

const UNKNOWN_LABELS: &[Mistake] = &[
    m("ruling TW-8-tapped-away", "replace TW-8 cancel", "replace TW-8 cancle", Code::UnknownClause, "cancle", "cancel"),
    m(
        "ruling combat-order-of-actions",
        "remove 3.iv.2 last",
        "remove 3.iv.2 lsat",
        Code::UnknownClause,
        "lsat",
        "last",
    ),
    m(
        "ruling combat-order-of-actions",
        "replace 3.iv order",
        "replace 3.iv ordre",
        Code::UnknownClause,
        "ordre",
        "order",
    ),
];

const UNORDERED: &[Mistake] = &[
    new(
        "ruling TW-900-again \"Again?\" {\n    about TW-8.\n    reading so { authority \"a house rule\". remove TW-8 cancel. }\n}\n\
         edition house \"A house\" { TW-8-tapped-away first-attack. TW-900-again so. }",
        Code::AmendmentsConflict,
        "cancel",
        "order TW-8-tapped-away, TW-900-again",
    ),
    new(
        "ruling combat-late \"Late?\" {\n    about 3.i.\n    reading never { authority \"a house rule\". remove 3.i late. }\n}\n\
         ruling combat-later \"Late?\" {\n    about 3.i.\n    reading never { authority \"another\". remove 3.i late. }\n}\n\
         edition house \"A house\" { combat-late never. combat-later never. }",
        Code::AmendmentsConflict,
        "late",
        "order combat-late, combat-later",
    ),
];

const CITATIONS: &[Mistake] = &[
    m("card TW-8", "despite 3.i late", "despite 3.i lat", Code::UnknownLabel, "despite 3.i lat.", "3.i late"),
    m("card TW-8", "despite 3.i late", "despite 3.ix late", Code::UnknownItem, "despite 3.ix late.", "3.i"),
    m("ruling combat-order-of-actions", "about 3.iv,", "about 3.ivv,", Code::UnknownItem, "3.ivv", "3.iv"),
    m(
        "ruling combat-order-of-actions",
        "remove 3.iv.2 last",
        "remove 3.iv.22 last",
        Code::UnknownItem,
        "3.iv.22",
        "3.iv.2",
    ),
    m("ruling TW-8-tapped-away", "replace TW-8 cancel", "replace TW-88 cancel", Code::UnknownItem, "TW-88", "TW-8"),
];

const MISSING_FIGURES: &[Mistake] = &[
    m("card TW-1", "prowess 10.", "", Code::MissingFigure, "card TW-1 \"Abductor\"", "`prowess N.`"),
    m(
        "card TW-40",
        "strikes 2",
        "body 2",
        Code::MissingFigure,
        "card TW-40 \"Giant Spiders\"",
        "a creature without strikes",
    ),
    m("card TW-120", "race Dúnadan.", "", Code::MissingFigure, "card TW-120 \"Aragorn II\"", "`race TERM.`"),
    m(
        "card TW-375",
        "terrain Ruins & Lairs.",
        "",
        Code::MissingFigure,
        "card TW-375 \"Barrow-downs\"",
        "a site without terrain",
    ),
];

/// Classes of comparisons that are decided: literals, counts, one number in two ranges, one fact in two terms (said,
/// through adjectives, through classes, of a thing of a class), and terms of another list.
const NEVER: &[Mistake] = &[
    m("card TW-240", ">= 4", ">= 4 and 3 > 5", Code::NeverHolds, "3 > 5", "3 is compared with 5"),
    m(
        "card TW-240",
        "number of characters in target + number of allies in target >= 4",
        "number of allies in target < 0",
        Code::NeverHolds,
        "number of allies in target < 0",
        "at least 0",
    ),
    m(
        "card TW-240",
        ">= 4",
        "<= -1",
        Code::NeverHolds,
        "number of characters in target + number of allies in target <= -1",
        "at least 0 is compared with -1",
    ),
    m(
        "card TW-40",
        "if strike is a strike of this",
        "if C is untapped and C is tapped",
        Code::NeverHolds,
        "C is untapped and C is tapped",
        "Untapped and Tapped",
    ),
    m(
        "card TW-40",
        "if strike is a strike of this",
        "if mind of C > 5 and mind of C < 3",
        Code::NeverHolds,
        "mind of C > 5 and mind of C < 3",
        "at least 6 and at most 2",
    ),
    m("card TW-40", "if strike is a strike of this", "if C is an item", Code::NeverHolds, "C is an item", "type"),
    m("card TD-134", "an untapped Sage", "an untapped tapped Sage", Code::NeverHolds, "untapped tapped", "orientation"),
    m(
        "card TW-1",
        "a non-Wizard non-Ringwraith member",
        "an Elf Hobbit character",
        Code::NeverHolds,
        "Elf Hobbit",
        "race",
    ),
    m(
        "card TW-199",
        "a Warrior facing",
        "a character with mind > 5 that has mind < 2 facing",
        Code::NeverHolds,
        "with mind > 5 that has mind < 2",
        "mind",
    ),
    m(
        "card TW-40",
        "if strike is a strike of this",
        "if race of C is Elf and C is an Orc",
        Code::NeverHolds,
        "race of C is Elf and C is an Orc",
        "Elf and Orc",
    ),
    m("card TW-40", "if strike is a strike of this", "if C is a site", Code::NeverHolds, "C is a site", "type"),
    m(
        "card TW-206",
        "bearer of this gets +1",
        "each character item gets +1",
        Code::NeverHolds,
        "character item",
        "and Character",
    ),
    m("card TW-40", "if strike is a strike of this", "if race of C is Warrior", Code::WrongEntry, "Warrior", "a race"),
];

const UNBOUND_ROLES: &[Mistake] = &[
    m(
        "rule 3.iv.6",
        "let strike roll be",
        "let check roll be",
        Code::UnboundRole,
        "strike roll",
        "nothing binds the role `strike roll`",
    ),
    m("rule 2.IV.vii", "window for resource player", "window for attacker", Code::UnboundRole, "attacker", "`combat`"),
    m("rule 2.II", "window for P", "window for defender", Code::UnboundRole, "defender", "`organization phase`"),
    new(
        "role guest: player.\nrule 99 \"Guests\" { [late] characters of guest get -1 prowess. }",
        Code::UnboundRole,
        "guest",
        "`let guest be …`",
    ),
    m(
        "card TW-40",
        "[4] region keys",
        "[again 3] when an attack of this ends: discard C.\n    [4] region keys",
        Code::UnboundLabel,
        "C",
        "as",
    ),
    new(
        "rule 99 \"Resting\" {\n    procedure slumber for (player P) { steps sleep. }\n    step sleep of slumber { tap C. }\n}",
        Code::UnknownLabel,
        "C",
        "as C",
    ),
];

const AMBIGUOUS: &[Mistake] = &[
    m(
        "card TW-264",
        "each non-Nazgûl attack gets",
        "each attack of a creature keyed to this gets",
        Code::AmbiguousPhrase,
        "each attack of a creature keyed to this gets -1 prowess",
        "parentheses",
    ),
    m(
        "card TW-264",
        "each Nazgûl attack gets",
        "each attack of a creature keyed to \"Barrow-downs\" gets",
        Code::AmbiguousPhrase,
        "each attack of a creature keyed to \"Barrow-downs\" gets -3 prowess",
        "parentheses",
    ),
    m(
        "card TW-240",
        "when a member joins company of this",
        "when a creature keyed to this is played",
        Code::AmbiguousPhrase,
        "when a creature keyed to this is played: discard this",
        "parentheses",
    ),
];

const TABLE: &[(&str, &[Mistake])] = &[
    ("a misspelt verb", MISSPELT_VERBS),
    ("a misspelt noun", MISSPELT_NOUNS),
    ("a misspelt attribute", MISSPELT_ATTRIBUTES),
    ("a misspelt race", MISSPELT_RACES),
    ("a misspelt card", MISSPELT_CARDS),
    ("a misspelt site", MISSPELT_SITES),
    ("a verb with a target that it cannot take", WRONG_TARGETS),
    ("an attribute of a thing that has none", NO_SUCH_ATTRIBUTES),
    ("a number where a thing is meant", NUMBERS_FOR_THINGS),
    ("a missing full stop or brace", MISSING_MARKS),
    ("the same id twice", SAME_IDS),
    ("an amendment of a label that does not exist", UNKNOWN_LABELS),
    ("two unordered amendments", UNORDERED),
    ("an unknown citation", CITATIONS),
    ("a required figure that is missing", MISSING_FIGURES),
    ("a comparison that can never hold", NEVER),
    ("a role that nothing binds", UNBOUND_ROLES),
    ("an ambiguous phrase", AMBIGUOUS),
];

/// Mistakes that are too large to write down: a part of a phrase so many times over.
#[test]
fn nesting_that_is_too_deep_is_told_at_its_place() {
    let deep = |open: &str, close: &str, n: usize| format!("{}this is untapped{}", open.repeat(n), close.repeat(n));
    let mut compiler = data();
    for (condition, code, at) in [
        (deep("(", ")", 80), Code::DeepNesting, "("),
        (deep("not ", "", 400), Code::PhraseTooDeep, "not"),
        (format!("number of {}characters > 1", "characters other than ".repeat(200)), Code::PhraseTooDeep, ""),
    ] {
        let text = format!(
            "card EX-1 \"Deep\" {{\n    type Ally. frame Resource.\n    [deep] while {condition}: this gets +1 prowess.\n}}\n"
        );
        compiler.set_file("cards/deep.cards", &text);
        let found = errors(&compiler);
        let [one] = found.as_slice() else { panic!("{code}: {found:#?}") };
        assert_eq!(one.code, code, "{one:#?}");
        let pointed = &text[one.place.start as usize..one.place.end as usize];
        assert!(at.is_empty() || pointed == at, "{code} at `{pointed}`");
        assert!(one.help.is_some(), "{one:#?}");
    }
}

fn data() -> Compiler {
    let mut compiler = Compiler::new();
    compiler.load_dir(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    assert_eq!(errors(&compiler), Vec::new(), "the data themselves are right");
    compiler
}

fn errors(compiler: &Compiler) -> Vec<Diagnostic> {
    compiler.check().into_iter().filter(|diag| diag.is_error()).collect()
}

/// The file and the place of an item.
fn find(compiler: &Compiler, header: &str) -> Option<(String, String, usize)> {
    compiler.paths().into_iter().find_map(|path| {
        let text = compiler.text(&path)?;
        let begins = |i: &usize| *i == 0 || text[..*i].ends_with('\n');
        let ends = |i: &usize| text[i + header.len()..].starts_with(char::is_whitespace);
        let at = text.match_indices(header).map(|(i, _)| i).find(|i| begins(i) && ends(i))?;
        Some((path.to_string(), text.to_string(), at))
    })
}

#[test]
fn each_mistake_is_one_error_at_its_place_with_its_mend() {
    let mut compiler = data();
    let mut wrong = Vec::new();
    for (kind, mistakes) in TABLE {
        for Mistake { item, was, is, code, at, help } in *mistakes {
            let (path, text, broken) = if item.is_empty() {
                ("rules/mistake.rules".to_owned(), String::new(), (*is).to_owned())
            } else {
                let (path, text, start) = find(&compiler, item).unwrap_or_else(|| panic!("there is no {item}"));
                let place = text[start..].find(was).unwrap_or_else(|| panic!("{item} holds no `{was}`")) + start;
                let broken = format!("{}{is}{}", &text[..place], &text[place + was.len()..]);
                (path, text, broken)
            };
            compiler.set_file(&path, &broken);
            let found = errors(&compiler);
            let pointed = |diag: &Diagnostic| {
                let text = compiler.text(&diag.place.file).unwrap_or_default();
                text.get(diag.place.start as usize..diag.place.end as usize).unwrap_or("?").to_owned()
            };
            let right = match found.as_slice() {
                [one] => {
                    one.code == *code
                        && pointed(one) == *at
                        && format!("{} {}", one.message, one.help.clone().unwrap_or_default()).contains(help)
                }
                _ => false,
            };
            if !right {
                let told: Vec<String> = found
                    .iter()
                    .map(|d| {
                        format!(
                            "    {} at `{}`: {} ({})",
                            d.code,
                            pointed(d),
                            d.message,
                            d.help.clone().unwrap_or_default()
                        )
                    })
                    .collect();
                wrong.push(format!(
                    "{kind}: {item} `{was}` -> `{is}` wants {code} at `{at}` naming {help}:\n{}",
                    told.join("\n")
                ));
            }
            if item.is_empty() {
                compiler.remove_file(&path);
            } else {
                compiler.set_file(&path, &text);
            }
        }
    }
    assert!(wrong.is_empty(), "{} mistakes are not told well:\n{}", wrong.len(), wrong.join("\n"));
}
