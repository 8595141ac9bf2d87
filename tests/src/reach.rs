//! Complete means that it can happen: every clause that offers, follows, replaces, changes or forbids something takes effect in
//! some scenario, or `exemptions.md` says what is so of the cards that it cannot.
//!
//! The same file has cards that make the reasons false (`netrep against`), and clauses that once were dead, or were said otherwise
//! than by their sisters (`netrep dead LABEL`, `netrep sister HASH`): put back, they are told.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::{Fence, fences};
use netrep_lab::coverage::{awaited, reach, reached, sisters};
use netrep_lab::exempt::{EXEMPTIONS, check_reasons, exemptions_of};
use netrep_lab::{Library, Scenario};

use crate::support::data::{errors, library};
use crate::support::runs::runs;

/// So many lines may be open; fewer is better, and then this is mended.
const OPEN: usize = 28;

/// The blocks of the file whose opening line begins so, each with the rest of that line and its text.
fn blocks(library: &Library, kind: &str) -> Vec<(String, String)> {
    let text = library.files.text(EXEMPTIONS).expect("the exemptions");
    let of = |fence: &Fence| {
        let rest = fence.info.strip_prefix(kind)?;
        Some((rest.trim().to_owned(), text.get(fence.content.clone())?.to_owned()))
    };
    fences(&text).iter().filter_map(of).collect()
}

#[test]
fn every_clause_takes_effect_or_has_a_reason() {
    let (runs, library) = (runs(), library());
    let exempt = exemptions_of(&library.files).expect("the exemptions can be read");
    let failing: Vec<&String> = runs.reports.iter().filter(|one| !one.passed()).map(|one| &one.name).collect();
    assert!(failing.is_empty(), "these fail as they are: {failing:?}");
    let found = reached(&library.compiler, runs.watching.clone(), &exempt);
    let missed: Vec<String> = found
        .unreached
        .iter()
        .map(|one| format!("{} ({} {} {}): {}", one.cited(), one.kind, one.about, one.nth, one.text))
        .collect();
    assert!(missed.is_empty(), "these take effect in no scenario: {missed:#?}");
    assert!(found.needless.is_empty(), "exemptions that are not needed: {:#?}", found.needless);
}

#[test]
fn every_reason_is_so_and_a_card_makes_it_false() {
    let mut library = library();
    let exempt = exemptions_of(&library.files).expect("the exemptions can be read");
    let open = exempt.iter().filter(|one| one.is_open()).count();
    assert!(open <= OPEN, "{open} are open");
    let wrong = check_reasons(&library.compiler, &exempt);
    assert!(wrong.is_empty(), "{wrong:#?}");
    let mut false_once = vec![false; exempt.len()];
    for (_, card) in blocks(&library, "netrep against") {
        library.compiler.set_file("cards/against.cards", &card);
        let diags = library.compiler.check();
        assert!(errors(&diags).is_empty(), "{card}: {:#?}", errors(&diags));
        let wrong = check_reasons(&library.compiler, &exempt);
        assert!(wrong.iter().all(|diag| diag.code == Code::ReasonNotSo), "{wrong:#?}");
        assert!(!wrong.is_empty(), "it makes no reason false: {card}");
        for (one, known) in exempt.iter().zip(&mut false_once) {
            *known |= wrong.iter().any(|diag| diag.place == one.place);
        }
    }
    let never: Vec<_> = exempt.iter().zip(&false_once).filter(|(one, known)| !one.is_open() && !**known).collect();
    assert!(never.is_empty(), "no card makes these false: {never:#?}");
}

/// Puts a card in the place of the one that has its id; its id and its name.
fn put_back(library: &mut Library, card: &str) -> (String, String) {
    let id = card.split_whitespace().nth(1).expect("an id").to_owned();
    let title = card.split('"').nth(1).expect("a name").to_owned();
    let there = library.compiler.items().into_iter().find(|one| *one.key == *id).expect("the card");
    let file = library.compiler.file_with(&there, card.trim()).expect("its file");
    library.compiler.set_file(&there.place.file, &file);
    let diags = library.compiler.check();
    assert!(errors(&diags).is_empty(), "{:#?}", errors(&diags));
    (id, title)
}

#[test]
fn a_dead_clause_is_told_when_it_is_put_back() {
    let told = blocks(&library(), "netrep dead");
    assert!(!told.is_empty());
    for (label, card) in told {
        let mut library = library();
        let (id, title) = put_back(&mut library, &card);
        // It takes effect in no game without the card.
        let with: Vec<Arc<Scenario>> =
            runs().scenarios.iter().filter(|one| one.source.text.contains(&title)).map(Arc::clone).collect();
        assert!(!with.is_empty(), "{title}");
        let found = reach(&library.compiler, &with, &[], 2);
        let cited = format!("{id} {label}");
        assert!(found.unreached.iter().any(|one| one.cited() == cited), "{cited} is not told");
    }
}

#[test]
fn equal_sentences_say_the_same_or_are_listed() {
    let library = library();
    let text = library.files.text(EXEMPTIONS).expect("the exemptions");
    let listed = awaited(EXEMPTIONS, &text).expect("the lines can be read");
    let found = sisters(&library.compiler);
    let missed: Vec<_> = found.iter().filter(|one| !listed.iter().any(|line| line.printed == one.printed)).collect();
    assert!(missed.is_empty(), "said differently: {missed:#?}");
    let needless: Vec<_> = listed
        .iter()
        .filter(|line| !found.iter().any(|one| line.printed == one.printed))
        .map(|one| one.needless())
        .collect();
    assert!(needless.is_empty(), "{needless:#?}");
}

#[test]
fn a_sister_that_says_it_otherwise_is_told_when_it_is_put_back() {
    let told = blocks(&library(), "netrep sister");
    assert!(!told.is_empty());
    for (hash, card) in told {
        let mut library = library();
        assert!(!sisters(&library.compiler).iter().any(|one| one.printed == hash), "{hash}");
        let (id, _) = put_back(&mut library, &card);
        let found = sisters(&library.compiler);
        let of = found.iter().find(|one| one.printed == hash);
        let of = of.unwrap_or_else(|| panic!("{hash} of {id} is not told"));
        assert!(of.told.iter().any(|one| one.cards.contains(&id)), "{of:#?}");
    }
}
