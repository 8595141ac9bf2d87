//! Lines of a position as those of a block that starts from it.

use netrep_grammar::tree::{Span, Token, TokenKind};

use super::{Argument, CardsIn, Described, Entry, Given, Name, Pile, Running};

impl Given {
    /// How many cards and other things it brings, or may.
    pub(super) fn things(&self) -> usize {
        match self {
            Given::Cards(list) => list.cards.len(),
            Given::Mint { names, .. } => names.len(),
            Given::Thing(line) => 1 + line.list.iter().chain([&line.links]).map(|tokens| quoted(tokens)).sum::<usize>(),
            Given::Player { piles, .. } => {
                piles.iter().flat_map(|pile| &pile.entries).map(|entry| entry.copies + quoted(&entry.said)).sum()
            }
            Given::Fact(..) | Given::Begin { .. } | Given::At(..) | Given::From(_) => 0,
            Given::Deck { more, .. } => more.iter().map(|more| more.things()).sum(),
        }
    }

    /// The same with all its places at one.
    #[must_use]
    pub(super) fn at(self, span: Span) -> Given {
        let name = |name: Name| Name { span, ..name };
        let tokens = |tokens: Vec<Token>| at(tokens, span);
        match self {
            Given::Mint { class, names } => {
                Given::Mint { class: name(class), names: names.into_iter().map(name).collect() }
            }
            Given::Cards(list) => Given::Cards(CardsIn {
                class: list.class.map(name),
                owner: list.owner.map(name),
                place: name(list.place),
                cards: list.cards.into_iter().map(|(card, label)| (name(card), label.map(name))).collect(),
                others: list.others,
            }),
            Given::Fact(said, _) => Given::Fact(tokens(said), span),
            Given::Begin { procedure, arguments, step } => {
                Given::Begin { procedure: name(procedure), arguments: moved(arguments, span), step: step.map(name) }
            }
            Given::Thing(line) => Given::Thing(Described {
                class: name(line.class),
                name: name(line.name),
                links: tokens(line.links),
                list: line.list.map(tokens),
                span,
            }),
            Given::Player { name: owner, said, piles } => {
                let entry = |entry: Entry| Entry {
                    card: name(entry.card),
                    label: entry.label.map(name),
                    said: tokens(entry.said),
                    ..entry
                };
                let pile = |pile: Pile| Pile {
                    owner: name(pile.owner),
                    place: name(pile.place),
                    entries: pile.entries.into_iter().map(entry).collect(),
                };
                let piles = piles.into_iter().map(pile).collect();
                Given::Player { name: name(owner), said: tokens(said), piles }
            }
            Given::At(frames, _) => {
                let frame = |one: Running| Running { said: name(one.said), arguments: moved(one.arguments, span) };
                Given::At(frames.into_iter().map(frame).collect(), span)
            }
            Given::From(from) => Given::From(name(from)),
            Given::Deck { owner, name: deck, more } => {
                let more = more.map(|more| Box::new(more.at(span)));
                Given::Deck { owner: name(owner), name: name(deck), more }
            }
        }
    }
}

fn moved(arguments: Vec<Argument>, span: Span) -> Vec<Argument> {
    let argument = |one| match one {
        Argument::Thing(name) => Argument::Thing(Name { span, ..name }),
        Argument::Number(n) => Argument::Number(n),
    };
    arguments.into_iter().map(argument).collect()
}

fn at(tokens: Vec<Token>, span: Span) -> Vec<Token> {
    let token = |token: Token| {
        let kind = match token.kind {
            TokenKind::Paren(inner) => TokenKind::Paren(at(inner, span)),
            TokenKind::Bracket(inner) => TokenKind::Bracket(at(inner, span)),
            TokenKind::Brace(inner) => TokenKind::Brace(at(inner, span)),
            kind => kind,
        };
        Token { kind, span }
    };
    tokens.into_iter().map(token).collect()
}

/// How many names in quotes there are, at any depth.
fn quoted(tokens: &[Token]) -> usize {
    let count = |token: &Token| match &token.kind {
        TokenKind::Quoted(_) => 1,
        TokenKind::Paren(inner) => quoted(inner),
        _ => 0,
    };
    tokens.iter().map(count).sum()
}
