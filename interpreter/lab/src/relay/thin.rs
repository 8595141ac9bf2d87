//! What a position need not say: facts that are so without it, by default or because the steps behind it have brought them about.

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use netrep_engine::Game;
use netrep_grammar::tree::{Span, Token, TokenKind};
use netrep_ir::Program;

use crate::layout::fold::is_verb;
use crate::nesting::evident;
use crate::position::position;
use crate::scenario::{Given, Scenario};

/// A position whose lines have been spread, without the facts that are so all the same under every profile of its scenario.
pub(super) fn thinned(compiler: &Compiler, scenario: &Scenario, given: Vec<Given>) -> Vec<Given> {
    let standing = Standing::of(compiler, scenario);
    let own = own_facts(scenario, &given).filter(|(_, tokens, _)| tokens.iter().any(is_verb)).map(|(at, ..)| at);
    let mut candidates: Vec<usize> = own.collect();
    let facts = standing.evident();
    candidates.extend((0..given.len()).filter(|at| given.get(*at).is_some_and(|one| says(one, &facts))));
    candidates.sort_unstable();
    candidates.dedup();
    if candidates.is_empty() {
        return given;
    }
    let Some(whole) = standing.hashes(&given) else { return given };
    // From behind, so that what is before keeps its number.
    candidates.into_iter().rev().fold(given, |given, at| {
        let mut without = given.clone();
        without.remove(at);
        if standing.hashes(&without).as_ref() == Some(&whole) { without } else { given }
    })
}

/// The facts that are written as sentences of their own, with their places among what the lines of the position stand for.
pub(super) fn own_facts<'g>(
    scenario: &'g Scenario,
    given: &'g [Given],
) -> impl Iterator<Item = (usize, &'g [Token], Span)> {
    given.iter().enumerate().filter(|(_, one)| scenario.given.contains(one)).filter_map(|(at, one)| match one {
        Given::Fact(tokens, span) => Some((at, tokens.as_slice(), *span)),
        _ => None,
    })
}

/// The position of a scenario as it is set up under each of its profiles.
pub(super) struct Standing<'a> {
    compiler: &'a Compiler,
    scenario: &'a Scenario,
    profiles: Vec<Profile>,
}

impl<'a> Standing<'a> {
    pub(super) fn of(compiler: &'a Compiler, scenario: &'a Scenario) -> Standing<'a> {
        Standing { compiler, scenario, profiles: scenario.profiles(&Profile::default()) }
    }

    /// The hashes of the position with these lines; none if it cannot be set up.
    pub(super) fn hashes(&self, given: &[Given]) -> Option<Vec<u64>> {
        let hash = |profile: &Profile| {
            let phrases = self.compiler.phrases(profile);
            let found = position(self.compiler, &phrases, given, &self.scenario.source).ok()?;
            Game::new(Arc::clone(&phrases.program), found.setup).ok().map(|game| game.position_hash())
        };
        self.profiles.iter().map(hash).collect()
    }

    /// The words of the facts that evident steps set.
    fn evident(&self) -> Vec<Vec<String>> {
        let program = self.profiles.first().map(|profile| self.compiler.link(profile).0);
        let of = |program: &Arc<Program>| {
            let names = evident(program).into_iter().filter_map(|attr| program.attrs.get(attr.index()));
            names.map(|attr| attr.name.split(' ').map(str::to_owned).collect()).collect::<Vec<_>>()
        };
        program.iter().flat_map(of).collect()
    }
}

/// Whether a line states one of these facts.
fn says(given: &Given, facts: &[Vec<String>]) -> bool {
    let is = |token: &Token, word: &String| matches!(&token.kind, TokenKind::Word(text) if text == word);
    let is_in = |tokens: &[Token], words: &Vec<String>| {
        tokens.windows(words.len()).any(|part| part.iter().zip(words).all(|(token, word)| is(token, word)))
    };
    matches!(given, Given::Fact(tokens, _) if facts.iter().any(|words| is_in(tokens, words)))
}
