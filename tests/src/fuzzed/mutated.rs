//! Items of the data with some places changed.

use std::ops::Range;

use crate::pig;
use crate::support::data::{compiler_of, files};
use netrep_compiler::Profile;
use netrep_grammar::split;

use super::{Numbers, for_seeds, mutated, targets};

/// The items of some files: a file's text, and where they stand in it.
struct Cut<'t>(Vec<(&'t str, Vec<Range<usize>>)>);

impl Cut<'_> {
    fn of(files: &[(String, String)]) -> Cut<'_> {
        let items = |text: &str| split(text).into_iter().map(|item| item.range).collect();
        Cut(files.iter().map(|(_, text)| (text.as_str(), items(text))).collect())
    }

    /// An item of a file, now and then with the next one, mutated.
    fn items(&self, numbers: &mut Numbers) -> String {
        let (text, all) = &self.0[numbers.below(self.0.len())];
        let first = numbers.below(all.len());
        let last = (first + usize::from(numbers.below(8) == 0)).min(all.len() - 1);
        mutated(&text[all[first].start..all[last].end], numbers)
    }
}

/// Item-sized inputs through the parser and the formatter: ten million are `SEEDS=0..10000000`.
#[test]
fn mutated_items_are_parsed_and_laid_out() {
    let files = files();
    let cut = Cut::of(&files);
    let totals = for_seeds("parsed and laid out", 1_500, |_, numbers| {
        let text = cut.items(numbers);
        targets::parse(&text);
        if targets::fmt(&text) { "whole" } else { "broken" }
    });
    assert_eq!(totals.len(), 2, "some are whole and some are broken");
}

/// Each is one edit of the loaded data: of an item, of any kind, in its file; 200,000 are `SEEDS=0..200000`. What is wrong with
/// its file is asked each time, now and then what is wrong with all, and what is linked without it.
#[test]
fn mutated_items_are_compiled_as_edits() {
    /// So many edits, then a new compiler: it remembers every text that it has seen.
    const KEPT: u64 = 4_000;
    let files = files();
    let cut = Cut::of(&files);
    let mut compiler = compiler_of(&files);
    compiler.check();
    let totals = for_seeds("compiled as edits", 40, |seed, numbers| {
        if (seed + 1).is_multiple_of(KEPT) {
            compiler = compiler_of(&files);
        }
        let nth = numbers.below(files.len());
        let ((path, text), (_, all)) = (&files[nth], &cut.0[nth]);
        let Some(item) = all.get(numbers.below(all.len())) else { return "empty" };
        let broken = mutated(&text[item.clone()], numbers);
        let edited = format!("{}{broken}{}", &text[..item.start], &text[item.end..]);
        compiler.set_file(path, &edited);
        let whole = seed.is_multiple_of(50);
        let diags = if whole { compiler.check() } else { compiler.check_file(path) };
        for diag in &diags {
            let Some(text) = compiler.text(&diag.place.file) else { continue };
            let place = diag.place.start as usize..diag.place.end as usize;
            assert!(text.get(place).is_some(), "seed {seed}: a place outside of the text: {diag:?}");
        }
        if whole {
            compiler.link(&Profile::default());
        }
        compiler.set_file(path, text);
        if diags.iter().any(netrep_compiler::Diagnostic::is_error) { "refused" } else { "accepted" }
    });
    assert!(totals.contains_key("refused"));
}

/// Edits of a small game, each with all that there is to ask.
#[test]
fn mutated_data_are_compiled() {
    let (mut compiler, _) = pig::table();
    let files = [include_str!("../../pig/pig.words"), include_str!("../../pig/pig.rules")]
        .map(|text| (String::new(), text.to_owned()));
    let cut = Cut::of(&files);
    for_seeds("edits of a small game", 600, |_, numbers| {
        targets::data(&mut compiler, &cut.items(numbers));
        "compiled"
    });
}
