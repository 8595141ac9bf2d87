//! What is asked of any bytes: plain functions that panic where a promise is broken. The fuzz targets call them, and so
//! does a test with a sample.

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_engine::Game;
use netrep_grammar::tree::Span;
use netrep_grammar::{Finding, FmtError, parse_clauses, parse_item, parse_sentence, split, text_outside};
use netrep_ir::Program;

/// All ways to read a text.
pub(crate) fn parse(text: &str) {
    parse_file(text);
    parse_parts(text);
}

/// Cuts a text into items and parses them: all of it is there, and every error has its place. True if there is none.
pub(crate) fn parse_file(text: &str) -> bool {
    let (mut end, mut whole) = (0, true);
    for raw in split(text) {
        let between = text.get(end..raw.range.start).expect("items follow each other");
        let blank = |line: &str| {
            let line = line.trim_matches(['\u{FEFF}', ' ', '\t', '\r']);
            line.is_empty() || line.starts_with("//")
        };
        assert!(between.lines().all(blank), "nothing is lost between items: {between:?}");
        assert_eq!(raw.comments.end, raw.range.start, "comments stand directly above");
        let part = text.get(raw.range.clone()).expect("an item is a part of its file");
        end = raw.range.end;
        let (item, errors) = match raw.head {
            Some(_) => parse_item(part),
            None => (None, vec![text_outside(part)]),
        };
        assert!(item.is_some() || !errors.is_empty(), "neither item nor error: {part:?}");
        assert!(errors.is_sorted(), "errors stand in order");
        whole &= errors.is_empty();
        errors.iter().for_each(|error| placed(part, error));
    }
    assert!(text.get(end..).is_some());
    whole
}

/// Parses a text as one item, as clauses and as a sentence: every error has its place.
pub(crate) fn parse_parts(text: &str) {
    parse_item(text).1.iter().for_each(|error| placed(text, error));
    parse_clauses(text).err().iter().flatten().for_each(|error| placed(text, error));
    parse_sentence(text).err().iter().flatten().for_each(|error| placed(text, error));
}

fn placed(text: &str, error: &Finding) {
    let inside = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    assert!(inside(error.place), "{error:?} in {text:?}");
    assert!(error.labels.iter().all(|label| inside(label.place)), "{error:?} in {text:?}");
}

/// Lays a file out: never another text, and twice is once. True if it could be.
pub(crate) fn fmt(text: &str) -> bool {
    match netrep_grammar::fmt(text) {
        Ok(once) => {
            assert_eq!(netrep_grammar::fmt(&once).as_deref(), Ok(&*once), "laying out twice is laying out once");
            true
        }
        Err(error) => {
            assert_ne!(error, FmtError::Changed, "{text:?}");
            false
        }
    }
}

/// Sets a file of the data, asks for all that is wrong and for the program, and takes it away again.
pub(crate) fn data(compiler: &mut Compiler, text: &str) {
    const PATH: &str = "rules/any.rules";
    compiler.set_file(PATH, text);
    for diag in compiler.check().iter().filter(|diag| diag.place.file == PATH) {
        let place = diag.place.start as usize..diag.place.end as usize;
        assert!(text.get(place).is_some(), "a place outside of the text: {diag:?}");
    }
    compiler.link(&Profile::default());
    compiler.remove_file(PATH);
}

/// Loads a saved game: it is refused, or it is a game that can be saved and loaded.
pub(crate) fn save(program: &Arc<Program>, bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(game) = Game::load(Arc::clone(program), text) {
        let again = Game::load(Arc::clone(program), &game.save());
        assert!(again.is_ok_and(|again| again == game), "what was loaded can be saved: {text}");
    }
}
