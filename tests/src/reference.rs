//! The examples of the language reference, compiled and played.
//!
//! In `grammar/README.md` a fence `netrep` holds items that compile without an error beside the data of the
//! repository, each example alone; `netrep CODE` holds items that are refused with that code and no other;
//! `scenario NAME` holds a scenario that passes. Fragments are in fences `text`.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use netrep_compiler::phrase::closed::is_closed;
use netrep_compiler::{Diagnostic, Profile};
use netrep_grammar::{Fence, HEADS, fences};
use netrep_lab::run::{jobs, run};
use netrep_lab::{Library, Scenario};

use crate::support::data::{library, root};

const FILE: &str = "grammar/README.md";
/// Where an example stands while it is compiled: a file of its own among the others.
const EXAMPLE: &str = "rules/reference.rules";

fn reference() -> String {
    fs::read_to_string(root().join(FILE)).expect("the reference can be read")
}

/// The fences of a kind: what stands behind the kind on the opening line, the heading above, and the content.
fn examples<'t>(text: &'t str, kind: &str) -> Vec<(String, String, &'t str)> {
    let of_kind = |fence: &Fence| {
        let (found, rest) = fence.info.split_once(' ').unwrap_or((&fence.info, ""));
        (found == kind).then(|| {
            let heading = fence.headings.last().cloned().unwrap_or_default();
            (rest.trim().to_owned(), heading, &text[fence.content.clone()])
        })
    };
    fences(text).iter().filter_map(of_kind).collect()
}

fn errors(diags: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diags.into_iter().filter(|diag| diag.is_error()).collect()
}

/// An example: the codes with which it is refused, the heading above it, and its text.
type Example<'t> = (String, String, &'t str);

/// What an example of cards and rules calls itself; `None` if it says more than cards and rules.
fn called<'t>(example: &'t str) -> Option<Vec<&'t str>> {
    let mut starts = example.lines().filter(|line| !line.is_empty() && !line.starts_with([' ', '}', '/']));
    let names = |line: &'t str| [line.split(' ').nth(1), line.split('"').nth(1)].into_iter().flatten();
    starts.clone().all(|line| line.starts_with("card ") || line.starts_with("rule ")).then_some(())?;
    Some(starts.by_ref().flat_map(names).collect())
}

/// Whether an example speaks of another by its number or name.
fn speaks_of(example: &str, other: &str) -> bool {
    let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit());
    let says = |key: &str| example.match_indices(key).any(|(at, _)| is_whole(&example[at + key.len()..]));
    called(other).is_some_and(|keys| keys.into_iter().any(says))
}

/// Items that bring words along and touch nothing that does not say these words.
const WORDS: [&str; 12] = [
    "card ",
    "rule ",
    "class ",
    "list ",
    "figure ",
    "state ",
    "place ",
    "role ",
    "define ",
    "adjective ",
    "relation ",
    "verb ",
];

/// The words of an example that the data do not know, and the numbers of its rules; `None` if it brings more than words along.
fn fresh<'t>(example: &'t str, known: &BTreeSet<String>) -> Option<BTreeSet<&'t str>> {
    let mut starts = example.lines().filter(|line| !line.is_empty() && !line.starts_with([' ', '}', '/']));
    starts.clone().all(|line| WORDS.iter().any(|head| line.starts_with(head))).then_some(())?;
    let is_fresh = |word: &&str| word.contains(char::is_alphabetic) && !known.contains(*word) && !is_closed(word);
    let words =
        example.split(|c: char| !c.is_alphanumeric() && c != '-').filter(is_fresh).filter(|word| word.len() > 1);
    let numbers = starts.by_ref().filter_map(|line| line.strip_prefix("rule ")?.split(' ').next());
    Some(words.chain(numbers).collect())
}

/// Groups of examples that do not touch each other: cards and rules that do not speak of each other, either all right or all refused;
/// what is right and brings words along, with what says none of these.
fn groups<'a, 't>(all: &'a [Example<'t>], known: &BTreeSet<String>) -> Vec<Vec<&'a Example<'t>>> {
    let are_apart = |one: &Example<'t>, other: &Example<'t>| {
        if called(one.2).is_some() && called(other.2).is_some() {
            return one.0.is_empty() == other.0.is_empty() && !speaks_of(one.2, other.2) && !speaks_of(other.2, one.2);
        }
        let (Some(here), Some(there)) = (fresh(one.2, known), fresh(other.2, known)) else { return false };
        one.0.is_empty() && other.0.is_empty() && here.is_disjoint(&there)
    };
    let mut groups: Vec<Vec<&Example<'_>>> = Vec::new();
    for example in all {
        let fits = |group: &&mut Vec<&Example<'t>>| group.iter().all(|other| are_apart(example, other));
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(example),
            None => groups.push(vec![example]),
        }
    }
    groups
}

/// What is found wrong with some examples that stand beside the data together, each in a file of its own; `None` if it cannot
/// be told whose it is.
fn found(library: &mut Library, examples: &[&Example<'_>], standing: &[Diagnostic]) -> Option<Vec<Vec<Diagnostic>>> {
    let file = |n: usize| if n == 0 { EXAMPLE.to_owned() } else { EXAMPLE.replace('.', &format!("-{n}.")) };
    for (n, (.., text)) in examples.iter().enumerate() {
        library.compiler.set_file(&file(n), text);
    }
    let mut by_example = vec![Vec::new(); examples.len()];
    let mut nobodys = false;
    for diag in errors(library.compiler.check()).into_iter().filter(|diag| !standing.contains(diag)) {
        match (0..examples.len()).find(|n| file(*n) == diag.place.file) {
            Some(n) => by_example[n].push(diag),
            // Alone there is no other whose it could be.
            None if examples.len() == 1 => by_example[0].push(diag),
            None => nobodys = true,
        }
    }
    for n in 0..examples.len() {
        library.compiler.remove_file(&file(n));
    }
    (!nobodys).then_some(by_example)
}

/// Whether an example is as it says; otherwise what is wrong.
fn as_it_says((code, heading, example): &Example<'_>, found: &[Diagnostic]) -> Result<(), String> {
    let codes: BTreeSet<&str> = found.iter().map(|diag| diag.code.as_str()).collect();
    if codes == code.split(' ').filter(|code| !code.is_empty()).collect() {
        return Ok(());
    }
    let said: Vec<_> =
        found.iter().map(|d| format!("  {}: {} {} {:?}", d.place.file, d.code, d.message, d.help)).collect();
    Err(format!("{heading}:\n{example}{}", said.join("\n")))
}

/// Examples that touch no other are looked at together, those that compile and those that are refused apart; each that is not as
/// it says, and all others, alone.
#[test]
fn every_data_example_compiles() {
    let text = reference();
    let mut library = library();
    let standing = errors(library.compiler.check());
    let all = examples(&text, "netrep");
    let (mut shared, mut alone) = (0, Vec::new());
    let terms = library.compiler.terms();
    let forms = terms.iter().flat_map(|view| &view.term.forms);
    let known: BTreeSet<String> = forms.flat_map(|form| &form.words).map(ToString::to_string).collect();
    for group in groups(&all, &known) {
        let found = if group.len() > 1 { found(&mut library, &group, &standing) } else { None };
        for (n, example) in group.into_iter().enumerate() {
            match &found {
                Some(found) if as_it_says(example, &found[n]).is_ok() => shared += 1,
                _ => alone.push(example),
            }
        }
    }
    let mut wrong = Vec::new();
    println!("{shared} examples are looked at together, {} alone", alone.len());
    for example in alone {
        let found = found(&mut library, &[example], &standing).unwrap_or_default();
        wrong.extend(as_it_says(example, found.first().map_or(&[][..], Vec::as_slice)).err());
    }
    assert!(wrong.is_empty(), "{} examples are wrong:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(all.len() > 50, "only {} examples were found", all.len());
}

#[test]
fn every_scenario_example_passes() {
    let library = library();
    let parsed = library.scenarios(&[root().join(FILE)], false).expect("the reference can be read");
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenarios: Vec<Arc<Scenario>> = parsed.scenarios.into_iter().map(Arc::new).collect();
    assert_eq!(scenarios.len(), examples(&reference(), "scenario").len());
    assert!(!scenarios.is_empty(), "the reference has no scenario");
    let reports = run(&library.compiler, &jobs(&scenarios, &Profile::default()), 2, false);
    let failed: Vec<_> = reports.iter().filter(|r| !r.passed()).map(|r| (&r.name, &r.profile, &r.diags)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn every_fence_is_of_a_known_kind() {
    let text = reference();
    for fence in fences(&text) {
        let kind = fence.info.split(' ').next().unwrap_or_default();
        assert!(["netrep", "scenario", "text"].contains(&kind), "a fence `{}` is not tested", fence.info);
        assert!(fence.closed, "the fence `{}` is never closed", fence.info);
    }
}

#[test]
fn every_head_is_mentioned() {
    let text = reference();
    let missing: Vec<_> = HEADS.iter().filter(|head| !text.contains(&format!("`{head}`"))).collect();
    assert!(missing.is_empty(), "the reference says nothing about {missing:?}");
}

/// The lists of cases from the books: each names the scenarios that prove it, or says why there is none.
#[test]
fn every_listed_case_has_its_scenarios() {
    let library = library();
    let all = library.scenarios(&[], false).expect("the scenarios").scenarios;
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for scenario in &all {
        assert!(known.insert(&scenario.name), "two scenarios are called “{}”", scenario.name);
    }
    for (file, least) in [("tests/cases.md", 20), ("tests/companion.md", 60)] {
        let text = fs::read_to_string(root().join(file)).expect("the list");
        let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
        let mut ids = BTreeSet::new();
        let mut proved = 0;
        for line in &lines {
            let (id, rest) = line.split_once(": ").unwrap_or_else(|| panic!("{file}: no case in `{line}`"));
            assert!(ids.insert(id), "{file}: {id} stands there twice");
            if let Some(reason) = rest.strip_prefix("not here: ") {
                assert!(reason.len() > 10, "{file}: {id} gives no reason");
                continue;
            }
            for title in rest.split("; ") {
                let title = title.strip_prefix('"').and_then(|title| title.strip_suffix('"'));
                let title = title.unwrap_or_else(|| panic!("{file}: {id} names no scenario: {rest}"));
                assert!(known.contains(title), "{file}: {id}: there is no scenario “{title}”");
            }
            proved += 1;
        }
        assert!(proved >= least && proved * 2 > lines.len(), "{file}: {proved} of {} are proved", lines.len());
    }
}
