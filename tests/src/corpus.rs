//! What must hold of all data together, beside what `netrep check` says of the editions.

use std::collections::BTreeMap;

use netrep_compiler::Profile;
use netrep_compiler::views::ItemView;
use netrep_diagnostics::Code;
use netrep_lab::coverage::{Reach, Totals, coverage};

use netrep_lab::show::{Expanded, expanded};
use serde_json::Value as Json;

use crate::support::data::{library, one_in, program};

/// `check` looks at every reading in the place of what the default edition reads, and links as a whole only what might not fit.
/// It comes to the same as to link each: here one in twenty.
#[test]
fn every_reading_fits_the_rest() {
    let library = library();
    let told = library.compiler.check_choices();
    assert_eq!(told.iter().map(|diag| &diag.message).collect::<Vec<_>>(), [] as [&String; 0]);
    let mut wrong = Vec::new();
    let rulings = library.compiler.rulings();
    let readings = rulings.iter().flat_map(|(ruling, _)| ruling.readings.iter().map(move |reading| (ruling, reading)));
    for (ruling, reading) in readings.step_by(one_in(40)) {
        let profile = Profile::default().with(&ruling.id, &reading.name);
        let found = library.compiler.check_under(&profile);
        let found = found.into_iter().filter(|diag| diag.is_error());
        wrong.extend(found.map(|diag| format!("{} {}: {}", ruling.id, reading.name, diag.message)));
    }
    assert_eq!(wrong, [] as [String; 0]);
}

/// A number of the rulebook is said in clauses, rests on clauses, or says that the language carries it or that no
/// clause can: none is explained away by a note.
#[test]
fn no_rule_is_a_note_alone() {
    let library = library();
    let found = coverage(&library.compiler, &Totals::default(), Reach::default(), None);
    assert_eq!(found.rules.noted, [] as [String; 0], "say what they rest on");
}

/// Every item stands where `rules/filing.words` says that it belongs, in the order that it says.
#[test]
fn every_item_is_in_its_place() {
    let library = library();
    let misplaced = library.compiler.check().into_iter().filter(|diag| diag.code == Code::MisplacedItem);
    assert_eq!(
        misplaced.map(|diag| diag.message).collect::<Vec<_>>(),
        [] as [String; 0],
        "`netrep fmt --sort` moves them"
    );
    let refiled = library.compiler.refiled().expect("the same items");
    assert_eq!((refiled.changed, refiled.broken), (Vec::new(), Vec::new()));
}

/// The same without where anything is written, and whether a label is written there.
fn without_places(json: &mut Json) {
    match json {
        Json::Object(fields) if fields.contains_key("file") && fields.contains_key("start") => fields.clear(),
        Json::Object(fields) => {
            fields.remove("derived");
            fields.values_mut().for_each(without_places);
        }
        Json::Array(parts) => parts.iter_mut().for_each(without_places),
        _ => {}
    }
}

/// A pattern stands for clauses, and for no others than `show --expanded` writes: with these in the place of every sentence of
/// a pattern the same program comes of the data, but for the places of its clauses.
#[test]
fn what_a_pattern_stands_for_is_what_is_shown() {
    let mut library = library();
    let profile = Profile::default();
    let tables = |library: &netrep_lab::Library| {
        let mut json = serde_json::to_value(&*program(&library.compiler, &profile)).expect("plain data");
        without_places(&mut json);
        json
    };
    let before = tables(&library);
    let compiler = &library.compiler;
    let items = compiler.items().into_iter().filter(|item| matches!(item.head, "card" | "rule"));
    let users = items.filter(|item| !compiler.put_in(item, &profile).is_empty());
    let mut users: Vec<_> = users.collect();
    // From the end of each file to its beginning, so that what is still to be written otherwise stays where it is.
    users.sort_by_key(|item| std::cmp::Reverse((item.place.file.clone(), item.place.start)));
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for item in &users {
        let shown = expanded(compiler, &item.key, &profile).expect("it is there");
        let is_it = |one: &&Expanded| (one.head.as_str(), one.key.as_str()) == (item.head, &*item.key);
        let shown = shown.iter().find(is_it).expect("itself");
        let file = &item.place.file;
        let text = texts.entry(file).or_insert_with(|| compiler.text(file).expect("its file").to_string());
        text.replace_range(item.place.start as usize..item.place.end as usize, &shown.text);
    }
    for (path, text) in &texts {
        library.compiler.set_file(path, text);
    }
    for ItemView { head, key, place, .. } in &users {
        let item = library.compiler.item(head, key);
        let item = item.unwrap_or_else(|| panic!("{key} of {} cannot be read: {}", place.file, texts[&*place.file]));
        assert!(library.compiler.put_in(&item, &profile).is_empty(), "{key} still uses a pattern: {}", item.text);
    }
    let after = tables(&library);
    let (before, after) = (before.as_object().expect("tables"), after.as_object().expect("tables"));
    for (table, one) in before {
        let other = &after[table];
        let (Some(x), Some(y)) = (one.as_array(), other.as_array()) else {
            assert_eq!(one, other, "{table}");
            continue;
        };
        let differs = x.iter().zip(y).position(|(x, y)| x != y);
        let at = differs.map(|at| format!("{at}: {} and {}", x[at], y[at]));
        assert_eq!((at, x.len()), (None, y.len()), "{table}");
    }
    assert!(users.len() > 20, "only {} items use patterns", users.len());
}
