//! Names as values: figures that hold them, what else a thing is called, ids, and names that are not known.

use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;
use netrep_ir::{Printed, Program, Sel, Source};

const WORDS: &str = "
class player, players.
class card, cards.
class boat, boats: card with kind Boat.
list kind { Boat. Quay. }
figure kind of card: kind.
figure berth of card: name of card, many.
figure guise of card: name of card, many.
kernel services { player player. card card. aliases guise. }
card B-1 \"Swift\" { kind Boat. berth \"Old Quay\", \"Farther Shore\". guise \"Grey Heron\". }
card B-2 \"Slow\" { kind Boat. berth \"Farther Shore\". }
card B-3 \"Old Quay\" { kind Quay. }
";

fn compiled(more: &str) -> (Compiler, Vec<Code>) {
    let text = format!("{WORDS}{more}\n");
    let mut compiler = Compiler::new();
    compiler.set_files([("words", text.as_str())]);
    let codes = compiler.check().iter().filter(|diag| diag.code != Code::TermNeverUsed).map(|diag| diag.code).collect();
    (compiler, codes)
}

fn codes(more: &str) -> Vec<Code> {
    compiled(more).1
}

fn printed(program: &Program, id: &str, figure: &str) -> Vec<String> {
    let card = program.cards.iter().find(|card| card.id == id).unwrap();
    let found = card.figures.iter().find(|(attr, _)| program.attrs[attr.index()].name == figure);
    match found {
        Some((_, Printed::Names(names))) => names.iter().map(|name| program.names[name.index()].clone()).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_figure_of_names_holds_what_no_card_bears() {
    assert_eq!(codes(""), []);
    assert_eq!(
        codes("adjective far of (card C): berth of C is \"Farther Shore\".\n"),
        [],
        "what a figure prints is known"
    );
    assert_eq!(
        codes("card B-4 \"Last\" { kind Boat. berth \"Old Quya\". }"),
        [Code::UnknownName],
        "a slip of a card's name"
    );
    assert_eq!(
        codes("card B-4 \"Last\" { kind Boat. berth \"Farther Shor\". }"),
        [Code::UnknownName],
        "a slip of a printed name"
    );
    assert_eq!(
        codes("card B-4 \"Last\" { names \"Old Quya\". kind Boat. berth \"Old Quya\". }"),
        [],
        "it is said to be another"
    );
}

#[test]
fn names_that_only_clauses_mention_are_told_there() {
    let with = |names: &str| {
        format!(
            "figure sound of card: yes or no.\ncard B-4 \"Last\" {{ {names} kind Boat. [far] while berth of this is \"Lost Shore\": this gains sound. }}"
        )
    };
    assert_eq!(codes(&with("")), [Code::UnknownName]);
    assert_eq!(codes(&with("names \"Lost Shore\".")), []);
    assert_eq!(codes("card B-4 \"Last\" { names \"Swift\". kind Boat. }"), [Code::NeedlessName]);
}

#[test]
fn what_else_a_thing_is_called_is_closed_over_all_cards() {
    // The two know each other only through a name that nothing bears.
    let (compiler, codes) = compiled(
        "card B-4 \"Wader\" { kind Boat. guise \"Grey Heron\". }\ncard B-5 \"Grey\" { kind Boat. guise \"Wader\". }",
    );
    assert_eq!(codes, []);
    let (program, _) = compiler.link(&Profile::default());
    let guises = |id: &str| {
        let mut names = printed(&program, id, "guise");
        names.sort();
        names
    };
    assert_eq!(guises("B-1"), ["Grey", "Grey Heron", "Wader"]);
    assert_eq!(guises("B-4"), ["Grey", "Grey Heron", "Swift"]);
    assert_eq!(guises("B-5"), ["Grey Heron", "Swift", "Wader"]);
    assert!(guises("B-2").is_empty());
}

#[test]
fn names_are_compared_as_names() {
    let (compiler, codes) = compiled(
        "define neighbour of (card C): card = cards with berth berth of C.\nadjective landed of (card C): berth of C is \"Farther Shore\".",
    );
    assert_eq!(codes, []);
    let (program, _) = compiler.link(&Profile::default());
    let attr = program.attrs.iter().find(|attr| attr.name == "neighbour").unwrap();
    let Source::Things(Sel::And(parts)) = &attr.source else { panic!("{:?}", attr.source) };
    assert!(parts.iter().any(|part| matches!(part, Sel::NameIs(..))), "{parts:?}");
}

#[test]
fn only_what_is_printed_holds_names() {
    assert_eq!(codes("state mooring of card: name of card."), [Code::NotSupported]);
}

#[test]
fn an_id_names_its_card() {
    assert_eq!(codes("define the first: card = B-1."), []);
    assert_eq!(codes("define the first: card = B-1 or \"Slow\"."), []);
    assert_eq!(
        codes("define the first: card = B-9.\nadjective first of (card C): C is the first."),
        [Code::UnknownEntry]
    );
}

const CALLED: &str = "
figure title of card: name of card, many.
kernel titles { called title. }
";

#[test]
fn what_a_card_is_called_follows_from_its_head() {
    let (compiler, codes) = compiled(&format!(
        "{CALLED}relation (card C) namesake of (card D): title of C is D and C is not D.\ncard B-4 \"Swift\" {{ kind Quay. }}"
    ));
    assert_eq!(codes, []);
    let (program, _) = compiler.link(&Profile::default());
    assert_eq!(["B-1", "B-3", "B-4"].map(|id| printed(&program, id, "title")), [["Swift"], ["Old Quay"], ["Swift"]]);
}

/// Nothing but a card's head says what it is called.
#[test]
fn what_a_card_is_called_is_written_nowhere_else() {
    let with = |more: &str| {
        let (compiler, _) = compiled(&format!("{CALLED}{more}"));
        let found = compiler.check();
        found.iter().find(|diag| diag.code.severity() == netrep_diagnostics::Severity::Error).map(|diag| diag.code)
    };
    assert_eq!(with(""), None);
    assert_eq!(with("card B-4 \"Last\" { kind Boat. title \"Last\". }"), Some(Code::WrongFigure));
    assert_eq!(with("card B-4 \"Last\" { kind Boat. title \"Swift\". }"), Some(Code::WrongFigure));
    assert_eq!(
        with("card B-4 \"Last\" { kind Boat. [it] while there is a boat: title of this is \"Swift\". }"),
        Some(Code::WrongFigure)
    );
    assert_eq!(
        with("verb rename, renames, renamed (card C) { does set title of C to \"Swift\". }"),
        Some(Code::SetDerived)
    );
}
