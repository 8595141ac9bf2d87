//! The table of forms: every row is read, written, told, and on the pages; with a row missing each of them notices.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use netrep_compiler::phrase::clause::ClauseKind;
use netrep_compiler::phrase::data::{header_by, sentence_by};
use netrep_compiler::phrase::declare::{declare, declare_by};
use netrep_compiler::phrase::forms::{Builder, CATEGORIES, Category, Form, Forms, Part, ROWS, Row, pages};
use netrep_compiler::phrase::lexicon::{Lexicon, Words};
use netrep_compiler::phrase::read::{completions, read_item, read_sentence, readings};
use netrep_compiler::phrase::render::{render_kind_with, render_with};
use netrep_compiler::phrase::scope::Scope;
use netrep_compiler::phrase::term::Term;
use netrep_compiler::phrase::tree::{Node, Sort, TermKey};
use netrep_grammar::tree::{Item, Token, TokenKind};
use netrep_grammar::{parse_item, parse_sentence, split};

use crate::data::KINDS;

/// The vocabulary of the examples.
pub(crate) const VOCABULARY: &str = include_str!("../../../grammar/forms/example.words");

/// The words of the examples with a table of their own.
struct Spoken<'w> {
    words: &'w Words,
    forms: Forms,
}

impl Lexicon for Spoken<'_> {
    fn terms_with(&self, word: &str) -> Arc<[Arc<Term>]> {
        self.words.terms_with(word)
    }

    fn suggest(&self, word: &str) -> Vec<String> {
        self.words.suggest(word)
    }

    fn forms(&self) -> &Forms {
        &self.forms
    }
}

fn words() -> Words {
    let items = split(VOCABULARY).into_iter().map(|raw| parse_item(&VOCABULARY[raw.range]).0.unwrap());
    Words::new(items.flat_map(|item| declare(&item).0))
}

fn scope() -> Scope {
    let mut scope = Scope::default();
    for (label, class) in [("B", "boat"), ("C", "boat"), ("K", "crate"), ("P", "player"), ("this", "card")] {
        scope.bind(label, Sort::Thing(class.into()));
    }
    scope
}

/// What an example is heard as.
#[derive(PartialEq)]
enum Reading {
    Clause(Box<ClauseKind>),
    Phrase(&'static str, Node),
    /// Plain data of such an item.
    Data(&'static str, String),
    /// A rule with so many errors.
    Nothing(usize),
    /// What it declares as an item, with so many errors.
    Declared(Vec<Term>, usize),
}

/// Everything that an example is heard as.
fn heard(example: &str, lexicon: &Spoken<'_>) -> Vec<Reading> {
    let mut read = Vec::new();
    let (item, errors) = parse_item(example);
    if let (Some(item), true) = (item, errors.is_empty()) {
        let (terms, errors) = declare_by(lexicon.forms(), &item);
        read.push(Reading::Declared(terms, errors.len()));
    }
    read.extend(data(example, lexicon.forms()));
    let head = example.split(" {").next().unwrap_or(example);
    for text in [format!("{example}."), example.to_owned(), format!("{head}.")] {
        let (item, errors) = parse_item(&format!("rule 99 \"Form\" {{ {text} }}"));
        if let (Some(item), true) = (item, errors.is_empty()) {
            let (clauses, errors) = read_item(&item, lexicon);
            read.extend(clauses.into_iter().map(|clause| Reading::Clause(Box::new(clause.kind))));
            read.push(Reading::Nothing(errors.len()));
            // A fact of an item of its own is declared by one of its clauses.
            for clause in &item.clauses {
                if let [Token { kind: TokenKind::Word(head), span }, rest @ ..] = clause.tokens.as_slice()
                    && head == "fact"
                {
                    let own = Item { head: head.clone(), head_span: *span, header: rest.to_vec(), ..Item::default() };
                    let (terms, errors) = declare_by(lexicon.forms(), &own);
                    read.push(Reading::Declared(terms, errors.len()));
                }
            }
        }
    }
    let Ok(tokens) = parse_sentence(example) else { return read };
    for steps in [false, true] {
        read.extend(read_sentence(&tokens, &scope(), steps, lexicon).ok().map(|kind| Reading::Clause(Box::new(kind))));
    }
    for info in CATEGORIES {
        let nodes = readings(&tokens, info.category, &scope(), lexicon);
        read.extend(nodes.into_iter().map(|node| Reading::Phrase(info.name, node)));
    }
    read
}

/// What an example says as plain data.
fn data(example: &str, forms: &Forms) -> Vec<Reading> {
    let mut read = Vec::new();
    if let (Some(item), _) = parse_item(example) {
        read.extend(header_by(forms, &item).ok().map(|said| Reading::Data("header", format!("{said:?}"))));
    }
    for text in [format!("{example}."), example.to_owned()] {
        let (item, errors) = parse_item(&format!("rule 99 \"Form\" {{ {text} }}"));
        let clauses = item.filter(|_| errors.is_empty()).map(|item| item.clauses).unwrap_or_default();
        for (kind, clause) in KINDS.iter().flat_map(|kind| clauses.iter().map(move |clause| (*kind, clause))) {
            read.extend(sentence_by(forms, kind, clause).ok().map(|said| Reading::Data(kind, format!("{said:?}"))));
        }
    }
    read
}

/// A reading as it is written.
fn said(reading: &Reading, lexicon: &Spoken<'_>, forms: &Forms) -> String {
    let terms = |key: &_| term(lexicon, key);
    match reading {
        Reading::Clause(kind) => render_kind_with(forms, kind, &terms),
        Reading::Phrase(_, node) => render_with(forms, node, &terms),
        Reading::Nothing(_) | Reading::Declared(..) | Reading::Data(..) => String::new(),
    }
}

fn term(lexicon: &dyn Lexicon, key: &TermKey) -> Option<Arc<Term>> {
    lexicon.term_named(key.kind, &key.name)
}

/// What an example may stand behind.
const BEFORE: &[&str] = &[
    "",
    "if",
    "if there is a",
    "if length of B",
    "if length of B is",
    "if B would",
    "when",
    "when B sinks",
    "B cannot sink",
    "B gets",
    "B gets +1 length",
    "window",
    "window for P",
    "window for P to",
    "choose a boat as C",
    "for each boat as C",
    "repeat 2 times { stop };",
    "set length of B to 1 (",
];

/// What may follow each beginning of an example, behind whatever it may stand.
fn told(example: &str, lexicon: &Spoken<'_>) -> Vec<Vec<String>> {
    let Ok(tokens) = parse_sentence(example) else { return Vec::new() };
    let mut found = Vec::new();
    for before in BEFORE {
        let before = parse_sentence(before).unwrap_or_default();
        for end in 0..=tokens.len() {
            let whole: Vec<_> = before.iter().chain(&tokens[..end]).cloned().collect();
            found.push(completions(&whole, &scope(), true, lexicon));
        }
    }
    found
}

/// True for the forms of blocks, data and declarations, which are no phrases.
fn is_head(row: &Row) -> bool {
    row.builder == Builder::Data
}

/// True for what a declaration consists of.
fn declares(row: &Row) -> bool {
    DECLARING.contains(&row.category)
}

/// The categories of declarations and their parts.
const DECLARING: &[Category] = &[
    Category::Declaration,
    Category::Narrowing,
    Category::Need,
    Category::Needed,
    Category::Spelling,
    Category::Owned,
    Category::Derived,
    Category::Type,
    Category::Feature,
    Category::Parameter,
    Category::Subject,
    Category::Roles,
];

#[test]
fn every_example_is_read() {
    let words = words();
    let whole = Spoken { words: &words, forms: Forms::all().clone() };
    let mut mute = Vec::new();
    for row in ROWS.iter().filter(|row| !is_head(row)) {
        if !heard(row.example, &whole).iter().any(|reading| matches!(reading, Reading::Clause(_) | Reading::Phrase(..)))
        {
            mute.push(format!("{:?} `{}`", row.form, row.example));
        }
    }
    assert!(mute.is_empty(), "{} examples are not read:\n{}", mute.len(), mute.join("\n"));
}

#[test]
fn every_declaration_is_read() {
    let words = words();
    let whole = Spoken { words: &words, forms: Forms::all().clone() };
    let mut wrong = Vec::new();
    for row in ROWS.iter().filter(|row| declares(row)) {
        let read = heard(row.example, &whole);
        let declared = |reading: &Reading| matches!(reading, Reading::Declared(terms, 0) if !terms.is_empty());
        if !read.iter().any(declared) {
            wrong.push(format!("{:?} `{}`", row.form, row.example));
        }
    }
    assert!(wrong.is_empty(), "{} examples declare nothing:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is wrong with a declaration: the place, what it needs there, and how many terms it declares all the same.
fn refused(text: &str) -> (String, String, usize) {
    let (item, errors) = parse_item(text);
    assert!(errors.is_empty(), "{text}: {errors:?}");
    let (terms, errors) = declare(&item.unwrap());
    assert_eq!(errors.len(), 1, "{text}: {errors:?}");
    let error = &errors[0];
    let at = &text[error.place.start as usize..error.place.end as usize];
    (at.to_owned(), error.message.clone(), terms.len())
}

#[test]
fn a_declaration_says_what_it_needs_and_where() {
    // What is left over or missing is told at its place, with one of the things that could stand there; what stands
    // whole before it is declared, or what is whole with a word or two put in.
    let wrong = [
        ("adjective warm: 1 > 3.", ":", "`of`", 0),
        ("adjective warm of lamp.", "lamp", "`(CLASS X)`", 0),
        ("class lamp, lamps: card with kind \"Lamp\".", "\"Lamp\"", "a term", 1),
        ("class lamp, lamps: 5.", "5", "the name of a class", 1),
        ("class lamp, lamps { need height. }", "need", "`needs`", 1),
        ("figure height lamp: number.", ":", "`of`", 0),
        ("figure height of lamp: number, few.", "few", "`many`, `or none`, `in PLACE`, `on CLASS` or `from NUMBER`", 1),
        ("role host: person, many.", ",", "its end here", 1),
        ("define host: person, many.", ",", "`=`", 1),
        ("place shelf, of player, open.", "of", "`owned`, `shared`", 1),
        ("relation (lamp L) beside.", "beside", "`(CLASS X)`", 0),
        ("relation (lamp L) on (lamp M) and (lamp M) under (lamp L).", "and", "`or`, `:`", 1),
        ("verb wash, washes (lamp L).", "(lamp L)", "`,`", 1),
        ("verb wash, washes, washed (lamp L): stop.", ":", "its end here", 1),
        ("list hue { Red. 5. }", "5", "a name", 2),
    ];
    let told = wrong.iter().filter_map(|(text, place, needs, count)| {
        let (at, message, terms) = refused(text);
        let right = at == *place && message.contains(needs) && message.starts_with("this declaration needs ");
        (!right || terms != *count).then(|| format!("{text} at `{at}`, {terms} terms: {message}"))
    });
    let told: Vec<String> = told.collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn the_reader_misses_each_row() {
    let words = words();
    let whole = Spoken { words: &words, forms: Forms::all().clone() };
    let mut same = Vec::new();
    for row in ROWS {
        let less = Spoken { words: &words, forms: Forms::without(row.form) };
        if heard(row.example, &whole) == heard(row.example, &less) {
            same.push(format!("{:?} `{}`", row.form, row.example));
        }
    }
    assert!(same.is_empty(), "{} rows are not missed:\n{}", same.len(), same.join("\n"));
}

/// Forms that no reading of an example is written in: what they say is written in another form, by the words of the
/// vocabulary, or (plain data) as it stands. Declarations are never written out of what they declare.
const READ_ONLY: &[Form] = &[
    Form::AdmitAct,
    Form::AfterOnePossessive,
    Form::AtomFact,
    Form::AtomLiteral,
    Form::AtomMinus,
    Form::AttributiveAlone,
    Form::BareName,
    Form::ClauseBareCannot,
    Form::ClauseBareMust,
    Form::ClauseFigure,
    Form::ClauseLimit,
    Form::ClauseUnless,
    Form::ComparedIs,
    Form::ComparingLess,
    Form::ComparisonDownward,
    Form::ComparisonExactly,
    Form::ComparisonLeast,
    Form::ComparisonLess,
    Form::ComparisonMore,
    Form::ComparisonMost,
    Form::ComparisonSign,
    Form::ComparisonUpward,
    Form::DataAbout,
    Form::DataAdd,
    Form::DataAmend,
    Form::DataAuthority,
    Form::DataAwaits,
    Form::DataBecame,
    Form::DataBeginning,
    Form::DataBuilds,
    Form::DataCalled,
    Form::DataCeased,
    Form::DataChoice,
    Form::DataCites,
    Form::DataDate,
    Form::DataDefault,
    Form::DataDescribed,
    Form::DataDespite,
    Form::DataDocument,
    Form::DataGreatest,
    Form::DataKind,
    Form::DataLetters,
    Form::DataLines,
    Form::DataListed,
    Form::DataMasked,
    Form::DataNames,
    Form::DataNote,
    Form::DataNumbered,
    Form::DataOrder,
    Form::DataOthers,
    Form::DataOtherwise,
    Form::DataOutermost,
    Form::DataPart,
    Form::DataPartial,
    Form::DataPrinted,
    Form::DataReading,
    Form::DataRemove,
    Form::DataReplace,
    Form::DataReprint,
    Form::DataRests,
    Form::DataService,
    Form::DataSets,
    Form::DataSpeakers,
    Form::DataStatus,
    Form::DataValued,
    Form::DataWas,
    Form::DoingAct,
    Form::FactorsProduct,
    Form::FiniteHas,
    Form::FiniteSuffered,
    Form::GuardUnless,
    Form::HeaderCard,
    Form::HeaderDocument,
    Form::HeaderEdition,
    Form::HeaderFiling,
    Form::HeaderKernel,
    Form::HeaderLayout,
    Form::HeaderPattern,
    Form::HeaderRule,
    Form::HeaderRuling,
    Form::HeaderVariant,
    Form::LastingGame,
    Form::LastingUntil,
    Form::MaskedOne,
    Form::ModifierAfterDescribed,
    Form::ModifierAfterDone,
    Form::ModifierAfterRelation,
    Form::ModifierAfterThatGroup,
    Form::OneCalled,
    Form::OneCard,
    Form::OneFact,
    Form::OneLabel,
    Form::OneName,
    Form::OneOneOf,
    Form::OneTheFact,
    Form::OneThePlace,
    Form::OneYours,
    Form::OrderAround,
    Form::PartGuard,
    Form::PartLimit,
    Form::PartRelated,
    Form::PossessionFact,
    Form::ProposedActive,
    Form::ProposedEvent,
    Form::ProspectAct,
    Form::QualityDescribed,
    Form::QualityDone,
    Form::QualityRelated,
    Form::QualityThing,
    Form::QualityWith,
    Form::ReferenceItem,
    Form::SameSign,
    Form::SimpleAgainst,
    Form::SimpleCompared,
    Form::SimpleGroup,
    Form::SimpleSaid,
    Form::SlotName,
    Form::SlotNumber,
    Form::SlotParameter,
    Form::StandingUnless,
    Form::StatementBranch,
    Form::StatementChange,
    Form::StatementTop,
    Form::StatementUnder,
    Form::StatementUnless,
    Form::StatusDisputed,
    Form::StatusHolds,
    Form::StatusReplaced,
    Form::TargetItem,
    Form::TargetWord,
];

#[test]
fn the_renderer_misses_each_row_that_it_writes() {
    let words = words();
    let whole = Spoken { words: &words, forms: Forms::all().clone() };
    let mut readings: Vec<Reading> = ROWS.iter().flat_map(|row| heard(row.example, &whole)).collect();
    readings.retain(|reading| matches!(reading, Reading::Clause(_) | Reading::Phrase(..)));
    let written = |forms: &Forms| readings.iter().map(|one| said(one, &whole, forms)).collect::<Vec<_>>();
    let full = written(Forms::all());
    let unwritten: BTreeSet<String> = ROWS
        .iter()
        .filter(|row| !declares(row) && full == written(&Forms::without(row.form)))
        .map(|row| format!("{:?}", row.form))
        .collect();
    let known: BTreeSet<String> = READ_ONLY.iter().map(|form| format!("{form:?}")).collect();
    assert_eq!(unwritten, known);
}

#[test]
fn closed_words_and_pages_miss_each_row() {
    let whole = Forms::all();
    for row in ROWS {
        let less = Forms::without(row.form);
        let gone = whole.closed().into_iter().filter(|word| !less.is_closed(word));
        for word in gone {
            assert!(row.pattern.contains(word), "`{word}` went with {:?}", row.form);
        }
        assert_ne!(pages::grammar(whole), pages::grammar(&less), "{:?}", row.form);
        assert_ne!(pages::cheat_sheet(whole), pages::cheat_sheet(&less), "{:?}", row.form);
    }
    // A word of one form alone is no word of the language without it.
    assert!(whole.is_closed("spare") && !Forms::without(Form::ClauseSpare).is_closed("spare"));
}

/// The words with which a form begins; none if it begins with what varies.
fn first_words(row: &Row) -> &'static [&'static str] {
    match row.parts.iter().find(|part| !matches!(part, Part::Before)) {
        Some(Part::Words { any, .. }) => any,
        _ => &[],
    }
}

/// True if the form can only be told by words that another form begins with, or by none.
fn is_told_by_others(row: &Row) -> bool {
    let by_another = |word: &&str| {
        ROWS.iter().any(|other| other.form != row.form && !is_head(other) && first_words(other).contains(word))
    };
    first_words(row).iter().all(by_another)
}

#[test]
fn what_is_expected_misses_each_row() {
    let words = words();
    let whole = Spoken { words: &words, forms: Forms::all().clone() };
    let mut untold = Vec::new();
    for row in ROWS.iter().filter(|row| !is_head(row)) {
        let less = Spoken { words: &words, forms: Forms::without(row.form) };
        if told(row.example, &whole) == told(row.example, &less) && !is_told_by_others(row) {
            untold.push(format!("{:?} `{}`", row.form, row.example));
        }
    }
    assert!(untold.is_empty(), "{} forms are never expected:\n{}", untold.len(), untold.join("\n"));
}

/// The pages in `grammar/forms` are those of the table; `PAGES=write` writes them.
#[test]
fn the_pages_are_those_of_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammar/forms");
    assert!(pages::unlisted().is_empty(), "no chapter has {:?}", pages::unlisted());
    for (file, page) in
        [("GRAMMAR.md", pages::grammar(Forms::all())), ("CHEATSHEET.md", pages::cheat_sheet(Forms::all()))]
    {
        let path = folder.join(file);
        if std::env::var("PAGES").is_ok_and(|how| how == "write") {
            fs::write(&path, &page).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), page, "{file} is out of date: run this test with PAGES=write");
    }
}
