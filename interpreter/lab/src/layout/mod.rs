//! Positions as a table shows them, and what they stand for.
//!
//! What a line says of a thing is declared by the layouts of the data. [`spread`] reads them forwards: lines become things, cards
//! in places, facts and what runs. [`fold`](fold::fold) reads them backwards, for whoever writes a position.

use netrep_compiler::phrase::term::TypeName;
use netrep_grammar::tree::{Token, TokenKind};
use netrep_ir::Program;

pub(crate) mod fold;
pub(crate) mod frames;
pub(crate) mod same;
pub(crate) mod spell;
pub(crate) mod spread;

pub(crate) use netrep_compiler::layout::{Layout, Link, Said, label_of};

/// What the labels of layouts stand for in a line.
pub(crate) type Env = Vec<(String, Token)>;

/// What a label stands for.
pub(crate) fn bound<'e>(env: &'e Env, label: &str) -> Option<&'e Token> {
    env.iter().rev().find(|(own, _)| own == label).map(|(_, token)| token)
}

/// The layout of a class.
pub(crate) fn of_class<'l>(layouts: &'l [std::sync::Arc<Layout>], class: &str) -> Option<&'l Layout> {
    layouts.iter().map(|layout| &**layout).find(|layout| *layout.class == *class)
}

/// The layout of cards, of which one speaks in brackets.
pub(crate) fn of_cards<'l>(layouts: &'l [std::sync::Arc<Layout>], program: &Program) -> Option<&'l Layout> {
    of_class(layouts, &program.classes.get(program.services.card.index())?.name)
}

/// The layout of players.
pub(crate) fn of_players<'l>(layouts: &'l [std::sync::Arc<Layout>], program: &Program) -> Option<&'l Layout> {
    of_class(layouts, &program.classes.get(program.services.player.index())?.name)
}

/// The label by which layouts know the player of a line: that of the layout of players.
pub(crate) fn owner_label<'l>(layouts: &'l [std::sync::Arc<Layout>], program: &Program) -> Option<&'l str> {
    of_players(layouts, program).map(|layout| &*layout.label)
}

/// True if what stands behind the words of a link is a card, of which more may be said in brackets.
pub(crate) fn takes_cards(link: &Link) -> bool {
    link.says.iter().any(|said| {
        let own = link.value.as_ref().map(|value| &value.label);
        matches!(said, Said::Put { card, .. } if label_of(card) == own.map(|own| &**own))
    })
}

/// True if what stands behind the words of a link is a number.
pub(crate) fn takes_number(link: &Link) -> bool {
    link.value.as_ref().is_some_and(|value| value.types == [TypeName::Number])
}

/// True for links that may be left without saying anything but who is meant.
pub(crate) fn only_binds(link: &Link) -> bool {
    link.says.is_empty()
}

/// The word of a token that is one.
pub(crate) fn plain(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Word(text) | TokenKind::Capital(text) => Some(text),
        _ => None,
    }
}
