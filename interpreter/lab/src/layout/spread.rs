//! Lines of a position become what they stand for: things, cards in places, facts, and what runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_compiler::Diagnostic;
use netrep_diagnostics::{Code, suggestion};
use netrep_grammar::tree::{Span, Token, TokenKind};
use netrep_ir::Program;

use super::{
    Env, Layout, Link, Said, bound, frames, label_of, of_cards, of_class, of_players, owner_label, plain, takes_cards,
    takes_number,
};
use crate::nesting::Courses;
use crate::problem::Source;
use crate::scenario::{CardsIn, Described, Entry, Given, Name, Pile, entries, entry};
use crate::words::folded;

/// What the lines of a position stand for.
///
/// # Errors
/// What no layout declares, and where the game cannot stand.
pub(crate) fn spread(
    layouts: &[Arc<Layout>],
    program: &Program,
    given: &[Given],
    source: &Source,
) -> Result<Vec<Given>, Vec<Diagnostic>> {
    match told(layouts, (program, &Courses::of(program)), given, source)? {
        (out, None) => Ok(out),
        (_, Some(diag)) => Err(vec![diag]),
    }
}

/// The same; where the game cannot stand hides nothing of what is wrong besides.
pub(crate) fn told(
    layouts: &[Arc<Layout>],
    (program, courses): (&Program, &Courses),
    given: &[Given],
    source: &Source,
) -> Result<(Vec<Given>, Option<Diagnostic>), Vec<Diagnostic>> {
    let mut there: BTreeMap<String, Vec<Lies>> = BTreeMap::new();
    let mut count = |card: &Name, label: &Option<Name>, place: &Name, copies: usize| {
        let lies = Lies { place: bare(&place.text).to_owned(), labelled: label.is_some(), at: card.span };
        there.entry(folded(&card.text)).or_default().extend(std::iter::repeat_n(lies, copies));
    };
    for one in given {
        match one {
            Given::Cards(list) => list.cards.iter().for_each(|(card, label)| count(card, label, &list.place, 1)),
            Given::Player { piles, .. } => {
                for pile in piles {
                    let cards = pile.entries.iter().filter(|entry| entry.is_card && !entry.others);
                    cards.for_each(|entry| count(&entry.card, &entry.label, &pile.place, entry.copies));
                }
            }
            _ => {}
        }
    }
    let cards = of_cards(layouts, program);
    let mut spread = Spread { layouts, program, source, cards, there, out: Vec::new(), diags: Vec::new() };
    let mut standing = None;
    for one in given {
        let done = match one {
            Given::Player { name, said, piles } => {
                spread.player(name, said).and_then(|()| piles.iter().try_for_each(|pile| spread.pile(pile)))
            }
            Given::Thing(line) => spread.thing(line),
            Given::At(running, span) => {
                standing = Some((running, *span));
                Ok(())
            }
            Given::From(name) => {
                let text = "a position starts from another one where it is a block".to_owned();
                Err(Diagnostic::new(Code::UnknownPosition, source.place(name.span), text))
            }
            Given::Deck { name, .. } => {
                let text = "a deck is put on the table where the block is read".to_owned();
                Err(Diagnostic::new(Code::UnknownDeck, source.place(name.span), text))
            }
            plain => {
                spread.out.push(plain.clone());
                Ok(())
            }
        };
        spread.diags.extend(done.err());
    }
    spread.understood();
    let Spread { mut out, diags, .. } = spread;
    if !diags.is_empty() {
        return Err(diags);
    }
    let Some((running, span)) = standing else { return Ok((out, None)) };
    match frames::frames(layouts, (program, courses), running, (&out, span), source) {
        Ok(begun) => {
            out.extend(begun);
            Ok((out, None))
        }
        Err(diag) => Ok((out, Some(diag))),
    }
}

struct Spread<'a> {
    layouts: &'a [Arc<Layout>],
    program: &'a Program,
    source: &'a Source,
    /// The layout of cards.
    cards: Option<&'a Layout>,
    /// Where the cards of a name lie.
    there: BTreeMap<String, Vec<Lies>>,
    out: Vec<Given>,
    diags: Vec<Diagnostic>,
}

/// A card that a position gives.
#[derive(Clone)]
struct Lies {
    /// In which place, by its name alone.
    place: String,
    /// A label tells it from others.
    labelled: bool,
    /// Where that is written.
    at: Span,
}

/// Something said in a line: the link, and what stands behind its words.
struct Piece<'a> {
    link: &'a Link,
    values: Vec<Entry>,
    at: Span,
}

impl<'a> Spread<'a> {
    fn told(&self, at: Span, text: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::ScenarioClause, self.source.place(at), text).help(help)
    }

    /// What a position need not say: who is there if nobody is named.
    fn understood(&mut self) {
        for layout in self.layouts.iter().filter(|layout| !layout.otherwise.is_empty()) {
            let named =
                self.out.iter().any(|one| matches!(one, Given::Mint { class, .. } if *class.text == *layout.class));
            if !named {
                let name = |text: &Arc<str>| Name { text: text.to_string(), span: Span::default() };
                let names = layout.otherwise.iter().map(name).collect();
                self.out.insert(0, Given::Mint { class: name(&layout.class), names });
            }
        }
    }

    /// What is said of a player in brackets.
    fn player(&mut self, name: &Name, said: &[Token]) -> Result<(), Diagnostic> {
        if said.is_empty() {
            return Ok(());
        }
        let layout = of_players(self.layouts, self.program).ok_or_else(|| {
            let text = "no layout says what stands in brackets behind a player";
            self.told(name.span, text, "say it in sentences of their own")
        })?;
        let pieces = self.bracketed(layout, said, name.span)?;
        let mut env = vec![(layout.label.to_string(), capital(name))];
        bind(&pieces, &mut env);
        in_order(layout, &pieces).into_iter().try_for_each(|piece| self.piece(piece, &env, layout))
    }

    fn pile(&mut self, pile: &Pile) -> Result<(), Diagnostic> {
        for entry in &pile.entries {
            if !entry.is_card {
                let help = "write the name of the card in quotes: `\"NAME\"`";
                return Err(self.told(entry.card.span, "this is no card", help));
            }
        }
        // What nobody names lies where it is listed, in lists of its own.
        for run in pile.entries.chunk_by(|one, next| one.others == next.others) {
            let others = run.first().is_some_and(|entry| entry.others);
            let mut cards = Vec::new();
            for entry in run {
                match others {
                    true => cards.extend(self.others(entry)?.into_iter().map(|card| (card, None))),
                    false => {
                        let card = (entry.card.clone(), entry.label.clone());
                        cards.extend(std::iter::repeat_n(card, entry.copies));
                    }
                }
            }
            let (owner, place) = (Some(pile.owner.clone()), pile.place.clone());
            self.out.push(Given::Cards(CardsIn { class: None, owner, place, cards, others }));
        }
        let mut env = Env::new();
        if let Some(label) = owner_label(self.layouts, self.program) {
            env.push((label.to_owned(), capital(&pile.owner)));
        }
        for entry in pile.entries.iter().filter(|entry| !entry.said.is_empty()) {
            self.brackets(entry, &env)?;
        }
        Ok(())
    }

    /// Cards that nobody names: copies of the first of those that the data declare for them which the position does not name.
    fn others(&self, entry: &Entry) -> Result<Vec<Name>, Diagnostic> {
        let declared = of_players(self.layouts, self.program).map(|layout| layout.others.as_slice());
        let free = declared.into_iter().flatten().find(|name| !self.there.contains_key(&folded(name)));
        let Some(name) = free else {
            let text = "no layout of players says which cards these others are, or the position names them all";
            return Err(self.told(entry.card.span, text, "name the cards"));
        };
        Ok(vec![Name { text: name.to_string(), span: entry.card.span }; entry.copies])
    }

    fn thing(&mut self, line: &Described) -> Result<(), Diagnostic> {
        let class = &line.class;
        let Some(layout) = of_class(self.layouts, &class.text) else {
            let known: Vec<&str> = self.layouts.iter().map(|layout| &*layout.class).collect();
            let near = suggestion(&class.text, known.iter().copied());
            let help = near.unwrap_or_else(|| format!("lines say something of: {}", known.join(", ")));
            return Err(self.told(class.span, format!("no layout says how a {} is written", class.text), help));
        };
        self.out.push(Given::Mint { class: class.clone(), names: vec![line.name.clone()] });
        let mut pieces = self.pieces(layout, &line.links)?;
        if let Some(list) = &line.list {
            let span = list.first().map_or(line.span, |first| first.span);
            let Some(link) = layout.links.iter().find(|link| link.words.is_empty()) else {
                let text = format!("nothing is listed behind a {}", class.text);
                return Err(self.told(span, text, "take the colon and what stands behind it away"));
            };
            pieces.push(Piece { link, values: entries(list, span, self.source)?, at: span });
        }
        let mut env = vec![(layout.label.to_string(), capital(&line.name))];
        bind(&pieces, &mut env);
        in_order(layout, &pieces).into_iter().try_for_each(|piece| self.piece(piece, &env, layout))
    }

    /// What stands in a line behind the name of its thing.
    fn pieces(&self, layout: &'a Layout, tokens: &[Token]) -> Result<Vec<Piece<'a>>, Diagnostic> {
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        let mut rest = tokens;
        while let Some(first) = rest.first() {
            let (link, behind) = self.link(layout, rest)?;
            let (values, behind) = self.values(layout, link, first.span, behind)?;
            self.once(&pieces, link, first.span)?;
            pieces.push(Piece { link, values, at: first.span });
            rest = behind;
        }
        Ok(pieces)
    }

    fn once(&self, pieces: &[Piece<'_>], link: &Link, at: Span) -> Result<(), Diagnostic> {
        if pieces.iter().any(|piece| std::ptr::eq(piece.link, link)) {
            let text = format!("`{}` is said twice here", link.words.join(" "));
            return Err(self.told(at, text, "say it once"));
        }
        Ok(())
    }

    /// The link whose words stand first; of several the longest.
    fn link<'t>(&self, layout: &'a Layout, tokens: &'t [Token]) -> Result<(&'a Link, &'t [Token]), Diagnostic> {
        let fits = layout.links.iter().filter(|link| !link.words.is_empty() && begins(tokens, &link.words));
        if let Some(link) = fits.max_by_key(|link| link.words.len()) {
            return Ok((link, &tokens[link.words.len()..]));
        }
        // total: it is asked of what is not empty
        let first = tokens.first().map_or(layout.span, |first| first.span);
        if let Some(TokenKind::Paren(inner)) = tokens.first().map(|token| &token.kind)
            && layout.links.iter().any(|link| !link.words.is_empty() && begins(inner, &link.words))
        {
            let text = format!("what the line says of a {} stands without brackets", layout.class);
            return Err(self.told(first, text, "take the brackets away; what else is said follows without a comma"));
        }
        let known: Vec<String> =
            layout.links.iter().filter(|l| !l.words.is_empty()).map(|l| l.words.join(" ")).collect();
        let near = tokens.first().and_then(plain).and_then(|word| suggestion(word, known.iter().map(String::as_str)));
        let listed: Vec<String> = known.iter().map(|words| format!("`{words}`")).collect();
        let help = near.unwrap_or_else(|| format!("what may stand here is {}", listed.join(", ")));
        Err(self.told(first, format!("this says nothing of a {}", layout.class), help))
    }

    /// What stands behind the words of a link, and what stands behind that.
    fn values<'t>(
        &self,
        layout: &Layout,
        link: &Link,
        at: Span,
        tokens: &'t [Token],
    ) -> Result<(Vec<Entry>, &'t [Token]), Diagnostic> {
        let mut values = Vec::new();
        let mut rest = tokens;
        if link.value.is_none() {
            return Ok((values, rest));
        }
        loop {
            let len = value_length(rest);
            if len == 0 {
                let what = if takes_number(link) { "a number" } else { "a name" };
                let at = rest.first().map_or(at, |next| next.span);
                let text = format!("{what} is missing behind `{}`", link.words.join(" "));
                return Err(self.told(at, text, format!("write `{} {}`", link.words.join(" "), shape(link))));
            }
            let (value, behind) = rest.split_at(len);
            values.push(self.value(link, value)?);
            rest = behind;
            let goes_on = link.each && rest.first().is_some_and(|next| next.kind == TokenKind::Comma);
            if !goes_on || layout.links.iter().any(|next| !next.words.is_empty() && begins(&rest[1..], &next.words)) {
                return Ok((values, rest));
            }
            rest = &rest[1..];
        }
    }

    fn value(&self, link: &Link, tokens: &[Token]) -> Result<Entry, Diagnostic> {
        let at = tokens.first().map_or(link.span, |first| first.span);
        if let [Token { kind: TokenKind::Number(n), span }] = tokens {
            if !takes_number(link) {
                return Err(self.told(*span, "this is no name", format!("write `{} NAME`", link.words.join(" "))));
            }
            let card = Name { text: n.to_string(), span: *span };
            return Ok(Entry { copies: 1, card, is_card: false, label: None, said: Vec::new(), others: false });
        }
        let found = entry(tokens, at, self.source)?;
        let more = found.label.is_some() || !found.said.is_empty();
        if more && !takes_cards(link) {
            let text = format!("of what stands behind `{}` nothing else is said here", link.words.join(" "));
            return Err(self.told(at, text, "say it where the card lies"));
        }
        Ok(found)
    }

    /// All that a piece of a line stands for.
    fn piece(&mut self, piece: &Piece<'_>, env: &Env, layout: &Layout) -> Result<(), Diagnostic> {
        if piece.link.value.is_none() {
            return self.says(piece.link, env, None, piece.at, layout);
        }
        piece.values.iter().try_for_each(|value| {
            let mut env = env.clone();
            env.extend(piece.link.value.iter().map(|own| (own.label.to_string(), reference(value))));
            // Whoever is named in brackets is meant in what is said of the card, too.
            let inner = self.inner(value)?;
            let mut around = env.clone();
            bind(&inner, &mut around);
            self.says(piece.link, &around, Some(value), value.card.span, layout)?;
            self.said(value, inner, &env)
        })
    }

    /// The sentences of a link.
    fn says(
        &mut self,
        link: &Link,
        env: &Env,
        value: Option<&Entry>,
        at: Span,
        layout: &Layout,
    ) -> Result<(), Diagnostic> {
        for said in &link.says {
            match said {
                Said::Put { owner, place, card } => {
                    let own = link.value.as_ref().is_some_and(|value| label_of(card) == Some(&*value.label));
                    let Some(entry) = value.filter(|entry| own && entry.is_card) else { continue };
                    let key = folded(&entry.card.text);
                    let labelled = entry.label.is_some();
                    let lies = Lies { place: bare(place).to_owned(), labelled, at: entry.card.span };
                    if entry.label.is_none()
                        && let Some(there) = self.there.get(&key)
                    {
                        // What is listed lies there; what else is said of a card is said wherever it lies.
                        if link.words.is_empty() {
                            self.lies_there(&entry.card, &lies, there)?;
                        }
                        continue;
                    }
                    let owner = match owner {
                        Some(label) => Some(self.named(label, env, at, link, layout)?),
                        None => None,
                    };
                    self.there.entry(key).or_default().push(lies);
                    self.out.push(Given::Cards(CardsIn {
                        class: None,
                        owner,
                        place: Name { text: place.to_string(), span: at },
                        cards: vec![(entry.card.clone(), entry.label.clone())],
                        others: false,
                    }));
                }
                Said::Fact(tokens) => {
                    let mut fact = Vec::new();
                    for token in tokens {
                        fact.push(match label_of(token) {
                            Some(label) => match bound(env, label) {
                                Some(token) => token.clone(),
                                None => return Err(self.unbound(label, at, link, layout)),
                            },
                            None => Token { kind: token.kind.clone(), span: at },
                        });
                    }
                    self.out.push(Given::Fact(fact, at));
                }
            }
        }
        Ok(())
    }

    /// Refuses the name of a card in a list if the card that it means lies in another place.
    fn lies_there(&self, card: &Name, here: &Lies, there: &[Lies]) -> Result<(), Diagnostic> {
        // A name means the card without a label, if there is one.
        let plain = there.iter().any(|one| !one.labelled);
        let meant = || there.iter().filter(|one| !plain || !one.labelled);
        let Some(other) = meant().next().filter(|_| meant().all(|one| one.place != here.place)) else { return Ok(()) };
        let text =
            format!("\"{}\" is given in `{}`, and in this list it lies in `{}`", card.text, other.place, here.place);
        let help = format!("if they are two, give one of them a label: `\"{}\" as LABEL`", card.text);
        let told = self.told(card.span, text, help).label("this is the same card");
        Err(told.and(self.source.place(other.at), "it is given here"))
    }

    fn named(&self, label: &Token, env: &Env, at: Span, link: &Link, layout: &Layout) -> Result<Name, Diagnostic> {
        let named = label_of(label).map(|label| (label, bound(env, label)));
        match named.map(|(label, token)| (label, token.and_then(|token| Some((plain(token)?, token.span))))) {
            Some((_, Some((text, span)))) => Ok(Name { text: text.to_owned(), span }),
            Some((label, None)) => Err(self.unbound(label, at, link, layout)),
            None => Err(self.told(at, "this is no label", "write the label of what is meant")),
        }
    }

    /// A label that no words of the line say.
    fn unbound(&self, label: &str, at: Span, link: &Link, layout: &Layout) -> Diagnostic {
        let all = self.layouts.iter().map(|layout| &**layout).chain([layout]).flat_map(|layout| &layout.links);
        let saying = all.rev().find(|one| one.value.as_ref().is_some_and(|value| *value.label == *label));
        let text = match link.words.is_empty() {
            true => "what is listed here does not say whose it is, or where".to_owned(),
            false => format!("`{}` does not say whose it is, or where", link.words.join(" ")),
        };
        let help = match saying {
            Some(one) => format!("say `{} NAME` before it", one.words.join(" ")),
            None => format!("say whom `{label}` means"),
        };
        self.told(at, text, help)
    }

    /// What stands in the brackets behind a card.
    fn inner(&self, value: &Entry) -> Result<Vec<Piece<'a>>, Diagnostic> {
        if value.said.is_empty() {
            return Ok(Vec::new());
        }
        let Some(layout) = self.cards else {
            let text = "no layout says what stands in brackets behind a card";
            return Err(self.told(value.card.span, text, "say it in sentences of their own"));
        };
        // total: what is nowhere is there no time
        let same = self.there.get(&folded(&value.card.text)).map_or(0, Vec::len);
        if value.is_card && value.label.is_none() && same > 1 {
            let text = format!("several cards are called \"{}\"", value.card.text);
            return Err(self.told(
                value.card.span,
                text,
                "give the one that is meant a label: `\"NAME\" as LABEL (…)`",
            ));
        }
        self.bracketed(layout, &value.said, value.card.span)
    }

    /// What is said in brackets, with semicolons between.
    fn bracketed(&self, layout: &'a Layout, said: &[Token], at: Span) -> Result<Vec<Piece<'a>>, Diagnostic> {
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        for part in said.split(|token| token.kind == TokenKind::Semi) {
            let at = part.first().map_or(at, |first| first.span);
            let is_link = layout.links.iter().any(|link| !link.words.is_empty() && begins(part, &link.words));
            let list = layout.links.iter().find(|link| link.words.is_empty());
            let is_list =
                matches!(part.first().map(|first| &first.kind), Some(TokenKind::Quoted(_) | TokenKind::Capital(_)));
            match list.filter(|_| !is_link && is_list) {
                Some(link) => {
                    self.once(&pieces, link, at)?;
                    pieces.push(Piece { link, values: entries(part, at, self.source)?, at });
                }
                None if part.is_empty() => {
                    return Err(self.told(at, "nothing is said between semicolons", "take one semicolon away"));
                }
                None => {
                    let (link, behind) = self.link(layout, part)?;
                    let (values, behind) = self.values(layout, link, at, behind)?;
                    if let Some(more) = behind.first() {
                        let help = "part what is said of a card with semicolons";
                        return Err(self.told(more.span, "this does not belong to what stands before it", help));
                    }
                    self.once(&pieces, link, at)?;
                    pieces.push(Piece { link, values, at });
                }
            }
        }
        Ok(pieces)
    }

    fn brackets(&mut self, entry: &Entry, env: &Env) -> Result<(), Diagnostic> {
        let inner = self.inner(entry)?;
        self.said(entry, inner, env)
    }

    /// What brackets stand for.
    fn said(&mut self, entry: &Entry, inner: Vec<Piece<'_>>, env: &Env) -> Result<(), Diagnostic> {
        let Some(layout) = self.cards.filter(|_| !inner.is_empty()) else { return Ok(()) };
        let mut env = env.clone();
        env.push((layout.label.to_string(), reference(entry)));
        bind(&inner, &mut env);
        in_order(layout, &inner).into_iter().try_for_each(|piece| self.piece(piece, &env, layout))
    }
}

/// What a line says, in the order of the layout, however it is written.
fn in_order<'p, 'a>(layout: &Layout, pieces: &'p [Piece<'a>]) -> Vec<&'p Piece<'a>> {
    let mut sorted: Vec<&Piece<'_>> = pieces.iter().collect();
    sorted.sort_by_key(|piece| layout.links.iter().position(|link| std::ptr::eq(link, piece.link)));
    sorted
}

/// The name of a place, as it is declared.
fn bare(place: &str) -> &str {
    // total: a name without an article is one
    place.strip_prefix("the ").unwrap_or(place)
}

/// True if the words stand first.
fn begins(tokens: &[Token], words: &[Arc<str>]) -> bool {
    tokens.len() >= words.len() && tokens.iter().zip(words).all(|(token, word)| plain(token) == Some(&**word))
}

/// How many tokens one value takes: a number, a term or a name, with its label and brackets.
fn value_length(tokens: &[Token]) -> usize {
    let kind = |at: usize| tokens.get(at).map(|token| &token.kind);
    let mut len = match kind(0) {
        Some(TokenKind::Number(_) | TokenKind::Capital(_) | TokenKind::Quoted(_)) => 1,
        _ => return 0,
    };
    if kind(1) == Some(&TokenKind::Word("as".to_owned())) && matches!(kind(2), Some(TokenKind::Capital(_))) {
        len = 3;
    }
    len + usize::from(matches!(kind(len), Some(TokenKind::Paren(_))))
}

fn shape(link: &Link) -> &'static str {
    match (takes_number(link), link.each) {
        (true, _) => "3",
        (_, true) => "\"NAME\", \"NAME\"",
        _ => "NAME",
    }
}

/// What single values stand for in the whole line.
fn bind(pieces: &[Piece<'_>], env: &mut Env) {
    for piece in pieces.iter().filter(|piece| !piece.link.each) {
        if let (Some(value), Some(entry)) = (&piece.link.value, piece.values.first()) {
            env.push((value.label.to_string(), reference(entry)));
        }
    }
}

/// How sentences name a card or what else stands in a line.
fn reference(entry: &Entry) -> Token {
    let span = entry.card.span;
    let kind = match &entry.label {
        Some(label) => TokenKind::Capital(label.text.clone()),
        None if entry.is_card => TokenKind::Quoted(entry.card.text.clone()),
        None => match entry.card.text.parse() {
            Ok(number) => TokenKind::Number(number),
            Err(_) => TokenKind::Capital(entry.card.text.clone()),
        },
    };
    Token { kind, span }
}

fn capital(name: &Name) -> Token {
    Token { kind: TokenKind::Capital(name.text.clone()), span: name.span }
}
