//! However a compiler came to its files, it says what a fresh one says: after any edits, in any order.
use crate::common::*;
use netrep_compiler::{Compiler, Profile};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// An edit of one of the files.
#[derive(Clone, Debug)]
enum Edit {
    /// Take out some bytes.
    Cut(usize, usize, usize),
    /// Write something into it.
    Insert(usize, usize, &'static str),
    /// Remove the file.
    Remove(usize),
    /// Put the original text back.
    Restore(usize),
}

const PIECES: [&str; 12] = [
    " ",
    "// note\n",
    "\n}\n",
    "{",
    "1",
    " lamp",
    "glow",
    "card A-1 \"Other\" { kind Lamp. }\n",
    "[x] ",
    ".",
    "\"",
    "R-2 ",
];

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let file = 0..files().len();
    let cut = (file.clone(), 0..2000usize, 1..12usize).prop_map(|(file, at, length)| Edit::Cut(file, at, length));
    let insert = (file.clone(), 0..2000usize, 0..PIECES.len())
        .prop_map(|(file, at, piece)| Edit::Insert(file, at, PIECES[piece]));
    let other =
        (file, any::<bool>()).prop_map(|(file, remove)| if remove { Edit::Remove(file) } else { Edit::Restore(file) });
    prop::collection::vec(prop_oneof![3 => cut, 3 => insert, 1 => other], 1..8)
}

/// A position in a text at which it can be cut.
fn boundary(text: &str, at: usize) -> usize {
    let at = at % (text.len() + 1);
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

fn apply(compiler: &mut Compiler, edit: &Edit) {
    let (Edit::Cut(file, ..) | Edit::Insert(file, ..) | Edit::Remove(file) | Edit::Restore(file)) = edit;
    let (path, original) = files()[*file];
    let text = compiler.text(path).unwrap_or_default();
    match edit {
        Edit::Cut(_, at, length) => {
            let start = boundary(&text, *at);
            let end = boundary(&text, start + length).max(start);
            compiler.set_file(path, &[&text[..start], &text[end..]].concat());
        }
        Edit::Insert(_, at, piece) => {
            let at = boundary(&text, *at);
            compiler.set_file(path, &[&text[..at], piece, &text[at..]].concat());
        }
        Edit::Remove(_) => drop(compiler.remove_file(path)),
        Edit::Restore(_) => drop(compiler.set_file(path, original)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn an_edited_compiler_says_what_a_fresh_one_says(edits in edits()) {
        let mut edited = compiler();
        for edit in &edits {
            apply(&mut edited, edit);
            // Work something out in between, so that there is something to go stale.
            edited.check();
        }
        let mut fresh = Compiler::new();
        for path in edited.paths() {
            fresh.set_file(&path, &edited.text(&path).unwrap());
        }
        prop_assert_eq!(edited.items(), fresh.items());
        prop_assert_eq!(edited.check(), fresh.check());
        for profile in [Profile::default(), Profile::edition("old"), Profile::edition("new").without("R-1")] {
            prop_assert_eq!(edited.link(&profile), fresh.link(&profile));
        }
        for diag in edited.check() {
            let text = edited.text(&diag.place.file).unwrap_or_default();
            prop_assert!(text.get(diag.place.start as usize..diag.place.end as usize).is_some(), "{:?}", diag);
        }
    }
}
