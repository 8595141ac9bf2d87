//! What a position need not say: facts that the steps behind it have brought about by themselves.

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_engine::Game;
use netrep_grammar::tree::{Token, TokenKind};
use netrep_ir::Program;

use crate::nesting::evident;
use crate::position::position;
use crate::scenario::{Given, Scenario};

/// A position whose lines have been spread, without the facts that follow from it under every profile of its scenario.
pub(super) fn thinned(compiler: &Compiler, scenario: &Scenario, given: Vec<Given>) -> Vec<Given> {
    let profiles = scenario.profiles(&Profile::default());
    let program = profiles.first().map(|profile| compiler.link(profile).0);
    let facts: Vec<Vec<String>> = program.iter().flat_map(words).collect();
    let candidates: Vec<usize> =
        (0..given.len()).filter(|at| given.get(*at).is_some_and(|one| says(one, &facts))).collect();
    if candidates.is_empty() {
        return given;
    }
    let of = |given: &[Given]| -> Option<Vec<u64>> {
        profiles.iter().map(|profile| hash(compiler, scenario, given, profile)).collect()
    };
    let Some(whole) = of(&given) else { return given };
    // From behind, so that what is before keeps its number.
    candidates.into_iter().rev().fold(given, |given, at| {
        let mut without = given.clone();
        without.remove(at);
        if of(&without).as_ref() == Some(&whole) { without } else { given }
    })
}

/// The words of the facts that evident steps set.
fn words(program: &Arc<Program>) -> Vec<Vec<String>> {
    let names = evident(program).into_iter().filter_map(|attr| program.attrs.get(attr.index()));
    names.map(|attr| attr.name.split(' ').map(str::to_owned).collect()).collect()
}

/// Whether a line states one of these facts.
fn says(given: &Given, facts: &[Vec<String>]) -> bool {
    let is = |token: &Token, word: &String| matches!(&token.kind, TokenKind::Word(text) if text == word);
    let is_in = |tokens: &[Token], words: &Vec<String>| {
        tokens.windows(words.len()).any(|part| part.iter().zip(words).all(|(token, word)| is(token, word)))
    };
    matches!(given, Given::Fact(tokens, _) if facts.iter().any(|words| is_in(tokens, words)))
}

/// The hash of the position; none if it cannot be set up.
fn hash(compiler: &Compiler, scenario: &Scenario, given: &[Given], profile: &Profile) -> Option<u64> {
    let phrases = compiler.phrases(profile);
    let found = position(compiler, &phrases, given, &scenario.source).ok()?;
    Game::new(Arc::clone(&phrases.program), found.setup).ok().map(|game| game.position_hash())
}
