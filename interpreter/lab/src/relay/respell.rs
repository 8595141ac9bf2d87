//! What a position says in a sentence of its own, in the words of a layout: then it can stand in a line.
//!
//! That both say the same is not known from the words, which the data define; it is found by setting the position up both ways.

use std::sync::Arc;

use netrep_compiler::Compiler;
use netrep_grammar::tree::{Span, Token, TokenKind};

use super::thin::{Standing, own_facts};
use crate::layout::fold::atoms;
use crate::layout::spell::spell;
use crate::layout::{Layout, Said, label_of};
use crate::scenario::{Given, Scenario};

/// A position whose lines have been spread, with each sentence about two things as that layout says it which says the same.
pub(super) fn respelled(
    compiler: &Compiler,
    layouts: &[Arc<Layout>],
    scenario: &Scenario,
    given: Vec<Given>,
) -> Vec<Given> {
    let templates: Vec<&[Token]> = templates(layouts).collect();
    let candidates: Vec<(usize, Vec<Vec<Given>>)> = own_facts(scenario, &given)
        .filter_map(|(at, tokens, span)| Some((at, ways(&templates, tokens, span)?)))
        .collect();
    if candidates.is_empty() {
        return given;
    }
    let standing = Standing::of(compiler, scenario);
    let Some(whole) = standing.hashes(&given) else { return given };
    // From behind, so that what is before keeps its number.
    candidates.into_iter().rev().fold(given, |given, (at, ways)| {
        let said = |way: Vec<Given>| {
            let mut said = given.clone();
            said.splice(at..=at, way);
            said
        };
        let same = ways.into_iter().map(said).find(|said| standing.hashes(said).as_ref() == Some(&whole));
        same.unwrap_or(given)
    })
}

/// The facts about two things that layouts say.
fn templates(layouts: &[Arc<Layout>]) -> impl Iterator<Item = &[Token]> {
    let says = layouts.iter().flat_map(|layout| &layout.links).flat_map(|link| &link.says);
    says.filter_map(|said| match said {
        Said::Fact(tokens) if tokens.iter().filter(|token| label_of(token).is_some()).count() == 2 => {
            Some(tokens.as_slice())
        }
        _ => None,
    })
}

/// The ways in which layouts could say a sentence; none if it is not about two things at a time, or is in such words already.
fn ways(templates: &[&[Token]], tokens: &[Token], span: Span) -> Option<Vec<Vec<Given>>> {
    let parts = atoms(tokens);
    let pairs: Vec<[&Token; 2]> = parts.iter().map(|atom| pair(atom)).collect::<Option<_>>()?;
    let words: Vec<String> = parts.iter().map(spell).collect();
    let mut ways = Vec::new();
    for template in templates {
        for turned in [false, true] {
            let facts: Vec<Vec<Token>> = pairs.iter().map(|pair| filled(template, *pair, turned)).collect();
            if facts.iter().map(spell).eq(words.iter().cloned()) {
                return None;
            }
            ways.push(facts.into_iter().map(|fact| Given::Fact(fact, span)).collect());
        }
    }
    Some(ways)
}

/// The two things of which a fact speaks.
fn pair(atom: &[Token]) -> Option<[&Token; 2]> {
    let is_name = |token: &&Token| matches!(token.kind, TokenKind::Quoted(_) | TokenKind::Capital(_));
    let mut names = atom.iter().filter(is_name);
    match (names.next(), names.next(), names.next()) {
        (Some(one), Some(other), None) => Some([one, other]),
        _ => None,
    }
}

/// A fact of a layout about two things.
fn filled(template: &[Token], [one, other]: [&Token; 2], turned: bool) -> Vec<Token> {
    let first = template.iter().find_map(label_of);
    let filled = |token: &Token| match label_of(token) {
        Some(label) if (Some(label) == first) != turned => one.clone(),
        Some(_) => other.clone(),
        None => token.clone(),
    };
    template.iter().map(filled).collect()
}
