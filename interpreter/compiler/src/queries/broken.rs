//! What the clauses of an item that could not be parsed may bind for its others.

use std::collections::BTreeSet;

use netrep_grammar::tree::{self, Clause, Span, Token, TokenKind};

use crate::coords::clause_index;
use crate::phrase::closed::is_label;

/// The labels in clauses that could not be parsed: they may be what binds them for others.
pub(super) fn labels_of(faulty: &[Clause]) -> BTreeSet<&str> {
    let mut labels = BTreeSet::new();
    for clause in faulty {
        // What the language binds where a clause says what is played on.
        if clause.head() == "play" {
            labels.insert("target");
        }
        words_of(&clause.tokens, &mut |word| {
            if is_label(word) {
                labels.insert(word);
            }
        });
        if let Some(block) = &clause.block {
            labels.extend(labels_of(block));
        }
    }
    labels
}

/// True if the clause at a place uses one of these labels.
pub(super) fn speaks_of(item: &tree::Item, place: Span, labels: &BTreeSet<&str>) -> bool {
    fn clause<'t>(one: &'t Clause, see: &mut impl FnMut(&'t str)) {
        words_of(&one.tokens, see);
        one.block.iter().flatten().for_each(|inner| clause(inner, see));
    }
    let mut found = false;
    if let Some(one) = clause_index(place.start).and_then(|index| item.clauses.get(index)) {
        clause(one, &mut |word| found |= labels.contains(word));
    }
    found
}

fn words_of<'t>(tokens: &'t [Token], see: &mut impl FnMut(&'t str)) {
    for token in tokens {
        match &token.kind {
            TokenKind::Word(word) | TokenKind::Capital(word) => see(word),
            TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => words_of(inner, see),
            _ => {}
        }
    }
}
