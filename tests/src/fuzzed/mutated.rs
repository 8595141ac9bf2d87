//! Items of the data with some places changed.

use std::ops::Range;

use crate::pig;
use crate::support::data::{compiler_of, files};
use netrep_compiler::Profile;
use netrep_grammar::split;

use super::{Numbers, for_seeds, mutated, targets};

/// The items of some files: each with its file's text, the number of the file, and where it stands in it.
struct Cut<'t>(Vec<(&'t str, usize, Range<usize>)>);

impl Cut<'_> {
    fn of(files: &[(String, String)]) -> Cut<'_> {
        let items = |(nth, (_, text)): (usize, &'_ (String, String))| {
            split(text).into_iter().map(move |item| (nth, item.range)).collect::<Vec<_>>()
        };
        let all = files.iter().enumerate().flat_map(items);
        Cut(all.map(|(nth, range)| (files[nth].1.as_str(), nth, range)).collect())
    }

    /// An item, now and then with the next one of its file, mutated.
    fn items(&self, numbers: &mut Numbers) -> String {
        let at = numbers.below(self.0.len());
        let (text, file, first) = &self.0[at];
        let next = self.0.get(at + 1).filter(|next| numbers.below(8) == 0 && next.1 == *file);
        mutated(&text[first.start..next.unwrap_or(&self.0[at]).2.end], numbers)
    }
}

/// Item-sized inputs through the parser and the formatter: ten million are `SEEDS=0..10000000`. Of a text that is broken the
/// formatter tells what the parser tells: this, and the other ways to parse, are asked of one text in eight.
#[test]
fn mutated_items_are_parsed_and_laid_out() {
    let files = files();
    let cut = Cut::of(&files);
    let totals = for_seeds("parsed and laid out", 1_500, |seed, numbers| {
        let text = cut.items(numbers);
        let whole = targets::parse_file(&text);
        let often = seed.is_multiple_of(8);
        if often {
            targets::parse_parts(&text);
        }
        if whole || often {
            assert_eq!(targets::fmt(&text), whole, "what is whole can be laid out, and nothing else: {text:?}");
        }
        if whole { "whole" } else { "broken" }
    });
    assert_eq!(totals.len(), 2, "some are whole and some are broken");
}

/// Each is one edit of the loaded data: of an item, of any kind, in its file; 200,000 are `SEEDS=0..200000`. What is wrong with
/// its file is asked each time, now and then what is wrong with all, and what is linked without it.
///
/// A declaration is picked less often than other items: all that uses it is read again, twice, which takes forty times as long.
#[test]
fn mutated_items_are_compiled_as_edits() {
    /// So many edits, then a new compiler: it remembers every text that it has seen.
    const KEPT: u64 = 4_000;
    /// Of so many declarations that are picked, one is edited.
    const DECLARATIONS: usize = 128;
    /// After so many edits all is asked for.
    const WHOLE: u64 = 250;
    let files = files();
    let cut = Cut::of(&files);
    let mut compiler = compiler_of(&files);
    compiler.check();
    let totals = for_seeds("compiled as edits", 40, |seed, numbers| {
        if (seed + 1).is_multiple_of(KEPT) {
            compiler = compiler_of(&files);
        }
        let (path, text, item) = loop {
            let (text, nth, item) = &cut.0[numbers.below(cut.0.len())];
            let path = &files[*nth].0;
            if !path.ends_with(".words") || numbers.below(DECLARATIONS) == 0 {
                break (path, text, item);
            }
        };
        let broken = mutated(&text[item.clone()], numbers);
        let edited = format!("{}{broken}{}", &text[..item.start], &text[item.end..]);
        compiler.set_file(path, &edited);
        let whole = seed.is_multiple_of(WHOLE);
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
