//! The examples of the pages of codes that scenarios trigger, and what must be true of all pages together.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;

const WORDS: &str = include_str!("pages/base.words");
/// The position of examples that give none.
const GIVEN: &str = include_str!("pages/base.given");

/// Codes of which no small text is an example: limits, questions from outside, faults of files and tools, and what only a
/// broken tool would cause.
const WITHOUT_EXAMPLE: [Code; 26] = [
    Code::CannotBeEvaluated,
    Code::DeckSentence,
    Code::EmptySentence,
    Code::IllegalDeck,
    Code::ItemTooLarge,
    Code::NeedlessExemption,
    Code::NeverFunctions,
    Code::NoData,
    Code::NoPassive,
    Code::NoSuchStep,
    Code::NoTable,
    Code::NotRead,
    Code::OpenBlock,
    Code::OtherNumberOfDecks,
    Code::PhraseTooDeep,
    Code::PhraseTooLong,
    Code::ReasonNotSo,
    Code::TooManyReadings,
    Code::TooMuch,
    Code::UnboundLabel,
    Code::UnexpectedText,
    Code::UnknownDeck,
    Code::UnknownEdition,
    Code::UnknownName,
    Code::UnreadExemption,
    Code::UnreadTotal,
];

fn compiler() -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/base.words", WORDS);
    let errors: Vec<_> = compiler.check().into_iter().filter(|diag| diag.is_error()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    compiler
}

/// The codes of what is wrong with a scenario.
fn codes_of(compiler: &Compiler, example: &str) -> BTreeSet<Code> {
    let given = if example.contains("given {") { "" } else { GIVEN };
    let parsed = parse("page.md", &format!("```scenario page\n{given}{example}\n```\n"), false);
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    let reports = run(compiler, &jobs(&scenarios, &Profile::default()), 1, false);
    reports.into_iter().flat_map(|report| report.diags).chain(parsed.diags).map(|diag| diag.code).collect()
}

#[test]
fn every_scenario_of_a_page_shows_exactly_its_code() {
    let compiler = compiler();
    let mut played = 0;
    for code in Code::ALL {
        let Some(example) = code.page().example("scenario") else { continue };
        assert_eq!(codes_of(&compiler, example), BTreeSet::from([*code]));
        played += 1;
    }
    assert!(played > 25, "only {played} scenarios were found");
}

/// The others' examples are compiled by the compiler's tests.
#[test]
fn every_page_but_a_few_has_an_example() {
    let without = Code::ALL.iter().filter(|code| {
        let page = code.page();
        page.example("netrep").is_none() && page.example("scenario").is_none()
    });
    assert_eq!(without.copied().collect::<Vec<_>>(), WITHOUT_EXAMPLE);
}

/// The codes that the sources of a folder name. There are no tests in them.
fn said_in(folder: &Path, said: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            said_in(&path, said);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            let names = text.split("Code::").skip(1);
            said.extend(names.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric()).collect::<String>()));
        }
    }
}

#[test]
fn every_code_is_said_by_a_stage() {
    let mut said = BTreeSet::new();
    for stage in ["src", "../compiler/src", "../../grammar/src"] {
        said_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join(stage), &mut said);
    }
    let idle: Vec<&Code> = Code::ALL.iter().filter(|code| !said.contains(&format!("{code:?}"))).collect();
    assert!(idle.is_empty(), "no stage says {idle:?}");
}
