//! From what a position stands for to its lines: layouts read backwards.
//!
//! What no layout says stays a sentence of its own, as it was written.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_grammar::tree::{Span, Token, TokenKind};
use netrep_ir::Program;

use super::spell::spell;
use super::{
    Env, Layout, Link, Said, bound, frames, label_of, of_cards, of_class, of_players, only_binds, owner_label, plain,
};
use crate::nesting::Courses;
use crate::scenario::{Argument, Given, Name};
use crate::words::folded;

/// Brackets are written at most so deep.
const DEEPEST: usize = 6;

/// A card of the position.
struct Card {
    name: String,
    label: Option<String>,
    owner: Option<String>,
    place: String,
    /// Nobody names it.
    other: bool,
    /// A line says where it is.
    said: bool,
    /// What its entry in a list of cards says in brackets.
    brackets: String,
}

impl Card {
    /// How sentences name it.
    fn reference(&self) -> Token {
        let kind = match &self.label {
            Some(label) => TokenKind::Capital(label.clone()),
            None => TokenKind::Quoted(self.name.clone()),
        };
        token(kind)
    }

    /// How a list names it.
    fn entry(&self) -> String {
        match &self.label {
            Some(label) => format!("\"{}\" as {label}", self.name),
            None => format!("\"{}\"", self.name),
        }
    }
}

/// A fact about one thing.
struct Atom {
    tokens: Vec<Token>,
    /// The sentence of which it is.
    sentence: usize,
    said: bool,
}

fn token(kind: TokenKind) -> Token {
    Token { kind, span: Span::default() }
}

/// The lines of a position, each with its full stop. `other`: a card of which copies are written as some that nobody names.
pub(crate) fn fold(layouts: &[Arc<Layout>], program: &Program, given: &[Given], other: Option<&str>) -> Vec<String> {
    let mut fold = Fold {
        layouts,
        program,
        cards: Vec::new(),
        atoms: Vec::new(),
        names: BTreeMap::new(),
        card_layout: of_cards(layouts, program),
    };
    let mut sentences: Vec<&[Token]> = Vec::new();
    for one in given {
        match one {
            Given::Cards(list) => {
                for (card, label) in &list.cards {
                    let label = label.as_ref().map(|label| label.text.clone());
                    let is_other = list.others || other.is_some_and(|other| folded(other) == folded(&card.text));
                    if label.is_none() && !is_other {
                        *fold.names.entry(folded(&card.text)).or_default() += 1;
                    }
                    fold.cards.push(Card {
                        name: card.text.clone(),
                        label,
                        owner: list.owner.as_ref().map(|owner| owner.text.clone()),
                        place: list.place.text.clone(),
                        other: is_other,
                        said: false,
                        brackets: String::new(),
                    });
                }
            }
            Given::Fact(tokens, _) => {
                let sentence = sentences.len();
                sentences.push(tokens);
                fold.atoms.extend(atoms(tokens).into_iter().map(|tokens| Atom { tokens, sentence, said: false }));
            }
            _ => {}
        }
    }
    let mut lines = Vec::new();
    fold.mints(given, &mut lines);
    fold.of_players();
    let said = fold.players(given);
    fold.piles(given, &said, &mut lines);
    fold.facts(&sentences, &mut lines);
    lines.extend(fold.standing(given));
    lines
}

struct Fold<'a> {
    layouts: &'a [Arc<Layout>],
    program: &'a Program,
    cards: Vec<Card>,
    atoms: Vec<Atom>,
    /// How many cards without a label have a name.
    names: BTreeMap<String, usize>,
    card_layout: Option<&'a Layout>,
}

impl<'a> Fold<'a> {
    /// The things that are no cards.
    fn mints(&mut self, given: &[Given], lines: &mut Vec<String>) {
        let minted = given.iter().filter_map(|one| match one {
            Given::Mint { class, names } => Some((class, names)),
            _ => None,
        });
        let minted: Vec<(&Name, &Vec<Name>)> = minted.collect();
        for (class, names) in &minted {
            let layout = of_class(self.layouts, &class.text);
            let alone = minted.iter().filter(|(own, _)| own.text == class.text).count() == 1;
            if alone
                && let Some(layout) = layout
                && layout.otherwise.iter().map(|name| &**name).eq(names.iter().map(|name| name.text.as_str()))
            {
                continue;
            }
            let players = of_players(self.layouts, self.program);
            let is_player = players.zip(layout).is_some_and(|(players, layout)| players.class == layout.class);
            let Some(layout) = layout.filter(|layout| !is_player && !layout.links.is_empty()) else {
                let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                lines.push(format!("{} {}.", class.text, names.join(", ")));
                continue;
            };
            for name in *names {
                let line = self.thing(layout, &name.text);
                lines.push(format!("{} {}{line}.", class.text, name.text));
            }
        }
    }

    /// What a line says of a thing, behind its name.
    fn thing(&mut self, layout: &'a Layout, name: &str) -> String {
        let mut env: Env = vec![(layout.label.to_string(), token(TokenKind::Capital(name.to_owned())))];
        let mut line = String::new();
        let mut list = None;
        for link in &layout.links {
            if link.words.is_empty() {
                list = Some(link);
                continue;
            }
            let said = self.link(link, &mut env, 0);
            if let Some(said) = said {
                line.push(' ');
                line.push_str(&link.words.join(" "));
                line.push_str(&said);
            }
        }
        if let Some(said) = list.and_then(|link| self.link(link, &mut env, 0)) {
            line.push(':');
            line.push_str(&said);
        }
        line
    }

    /// What stands behind the words of a link, if it says anything that is so, with a blank before it.
    fn link(&mut self, link: &Link, env: &mut Env, depth: usize) -> Option<String> {
        let Some(value) = &link.value else {
            return self.take(link, env, None).map(|_| String::new());
        };
        let mut written: Vec<String> = Vec::new();
        loop {
            let found = self
                .values(link, env)
                .into_iter()
                .find_map(|found| self.take(link, env, Some(&found)).map(|owner| (found, owner)));
            let Some((found, owner)) = found else { break };
            let mut entry = spell([&found]);
            let mut inner: Env = env.clone();
            inner.push((value.label.to_string(), found.clone()));
            if let Some((at, bind)) = owner {
                self.cards[at].said = true;
                entry = self.cards[at].entry();
                let (bind, word) = bind.map_or((None, None), |(label, word, name)| (Some((label, name)), Some(word)));
                inner.extend(bind);
                let brackets = self.brackets(at, &mut inner, depth + 1, word);
                if !brackets.is_empty() {
                    entry.push_str(&format!(" ({brackets})"));
                }
            }
            written.push(entry);
            if !link.each {
                env.push((value.label.to_string(), found));
                break;
            }
        }
        (!written.is_empty()).then(|| format!(" {}", written.join(", ")))
    }

    /// What may stand behind the words of a link: whatever makes one of its facts one that is so.
    fn values<'l>(&self, link: &'l Link, env: &'l Env) -> Vec<Token> {
        let first = link.says.iter().find_map(|said| match said {
            Said::Fact(tokens) => Some(tokens),
            Said::Put { .. } => None,
        });
        let open = || self.atoms.iter().filter(|atom| !atom.said);
        let fitting = |label: &'l str| open().filter_map(move |atom| matched(first?, &atom.tokens, env, Some(label))?);
        link.value.iter().flat_map(|value| fitting(&value.label)).collect()
    }

    /// Takes the facts of a link, if all are so. With a value that is a card which lies where the link says: which one, and
    /// how brackets say whose it is if that is another's.
    #[allow(clippy::type_complexity, reason = "it is taken apart at once")]
    fn take(
        &mut self,
        link: &Link,
        env: &Env,
        value: Option<&Token>,
    ) -> Option<Option<(usize, Option<(String, String, Token)>)>> {
        let mut env = env.clone();
        if let (Some(own), Some(value)) = (&link.value, value) {
            env.push((own.label.to_string(), value.clone()));
        }
        let mut taken = Vec::new();
        let mut put = None;
        for said in &link.says {
            match said {
                Said::Fact(template) => {
                    let at = self.atoms.iter().enumerate().position(|(at, atom)| {
                        !atom.said && !taken.contains(&at) && matched(template, &atom.tokens, &env, None).is_some()
                    })?;
                    taken.push(at);
                }
                Said::Put { owner, place, card } => {
                    let named = label_of(card).and_then(|card| bound(&env, card));
                    let Some(card) = named.and_then(|name| self.card(name)) else { continue };
                    if *self.cards[card].place != **place {
                        continue;
                    }
                    match (owner, self.cards[card].owner.clone()) {
                        (None, None) => put = Some((card, None)),
                        (Some(label), Some(is)) => {
                            let Some(label) = label_of(label) else { continue };
                            let meant = bound(&env, label);
                            if meant.is_some_and(|token| plain(token) == Some(is.as_str())) {
                                put = Some((card, None));
                            } else if let Some(word) = self.binding(label) {
                                let name = token(TokenKind::Capital(is));
                                put = Some((card, Some((label.to_owned(), word, name))));
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        // What a label stands for that is not bound makes a sentence of the line that cannot be read.
        if link.says.is_empty() {
            return None;
        }
        taken.iter().for_each(|at| self.atoms[*at].said = true);
        Some(put)
    }

    /// The words in brackets that only say whom a label means.
    fn binding(&self, label: &str) -> Option<String> {
        let links = self.card_layout.into_iter().flat_map(|layout| &layout.links);
        let mut fits = links.filter(|link| only_binds(link) && link.value.as_ref().is_some_and(|v| *v.label == *label));
        fits.next().map(|link| link.words.join(" "))
    }

    /// The card that a name means, if it means one and no line has said where it is.
    fn card(&self, name: &Token) -> Option<usize> {
        let is_it = |card: &Card| match &name.kind {
            TokenKind::Capital(label) => card.label.as_ref() == Some(label),
            TokenKind::Quoted(name) => !card.other && card.label.is_none() && folded(&card.name) == folded(name),
            _ => false,
        };
        if let TokenKind::Quoted(name) = &name.kind
            && self.cards.iter().filter(|card| folded(&card.name) == folded(name)).count() != 1
        {
            return None;
        }
        self.cards.iter().position(|card| !card.said && is_it(card))
    }

    /// What stands in brackets behind a card.
    fn brackets(&mut self, at: usize, env: &mut Env, depth: usize, whose: Option<String>) -> String {
        // total: without a layout of cards there are no words to say anything with, nor `whose`.
        let Some(layout) = self.card_layout else { return String::new() };
        let card = &self.cards[at];
        let mut parts: Vec<String> = Vec::new();
        if let Some(word) = whose {
            parts.extend(card.owner.iter().map(|owner| format!("{word} {owner}")));
        }
        // Of several of a name, brackets say nothing.
        let several = self.cards.iter().filter(|other| folded(&other.name) == folded(&card.name)).count() > 1;
        if depth > DEEPEST || several && card.label.is_none() {
            return parts.join("; ");
        }
        env.push((layout.label.to_string(), card.reference()));
        for link in &layout.links {
            if let Some(said) = self.link(link, env, depth) {
                parts.push(format!("{}{said}", link.words.join(" ")).trim().to_owned());
            }
        }
        parts.join("; ")
    }

    /// What is said in brackets of players.
    fn players(&mut self, given: &[Given]) -> BTreeMap<String, String> {
        let mut said = BTreeMap::new();
        let Some(layout) = of_players(self.layouts, self.program) else { return said };
        for one in given {
            let Given::Mint { class, names } = one else { continue };
            for name in names.iter().filter(|_| *class.text == *layout.class) {
                let mut env: Env = vec![(layout.label.to_string(), token(TokenKind::Capital(name.text.clone())))];
                let mut link = |fold: &mut Self, link: &Link| {
                    fold.link(link, &mut env, 0).map(|said| format!("{}{said}", link.words.join(" ")))
                };
                let mut parts = Vec::new();
                for one in &layout.links {
                    parts.extend(link(self, one));
                }
                said.insert(name.text.clone(), parts.join("; "));
            }
        }
        said
    }

    /// What is said in brackets of the cards that no line of a thing names.
    fn of_players(&mut self) {
        for at in 0..self.cards.len() {
            let Some(owner) = self.cards[at].owner.clone().filter(|_| !self.cards[at].said) else { continue };
            let mut env = Env::new();
            if let Some(label) = owner_label(self.layouts, self.program) {
                env.push((label.to_owned(), token(TokenKind::Capital(owner))));
            }
            // What is written on this card is not written by itself.
            self.cards[at].said = true;
            let brackets = self.brackets(at, &mut env, 1, None);
            self.cards[at].said = false;
            self.cards[at].brackets = brackets;
        }
    }

    /// The cards that no other line names, by player and place.
    fn piles(&self, given: &[Given], said: &BTreeMap<String, String>, lines: &mut Vec<String>) {
        let mut piles: Vec<(Option<&str>, &str, Vec<&Card>)> = Vec::new();
        for card in self.cards.iter().filter(|card| !card.said) {
            let owner = card.owner.as_deref();
            match piles.iter_mut().find(|(own, place, _)| *own == owner && *place == card.place) {
                Some((_, _, cards)) => cards.push(card),
                None => piles.push((owner, &card.place, vec![card])),
            }
        }
        // Players come in the order in which they sit.
        let minted = given.iter().filter_map(|one| match one {
            Given::Mint { names, .. } => Some(names.iter().map(|name| name.text.as_str())),
            _ => None,
        });
        let has_some = |name: &&str| {
            piles.iter().any(|(owner, _, _)| *owner == Some(*name))
                || said.get(*name).is_some_and(|said| !said.is_empty())
        };
        let mut owners: Vec<&str> = minted.flatten().filter(has_some).collect();
        for (owner, _, _) in &piles {
            owners.extend(owner.iter().filter(|owner| !owners.contains(owner)).copied().collect::<Vec<_>>());
        }
        for owner in owners {
            let own = piles.iter().filter(|(of, _, _)| *of == Some(owner));
            let parts: Vec<String> = own.map(|(_, place, cards)| format!("{place} {}", listed(cards))).collect();
            let mut line = owner.to_owned();
            if let Some(said) = said.get(owner).filter(|said| !said.is_empty()) {
                line.push_str(&format!(" ({said})"));
            }
            if !parts.is_empty() {
                line.push_str(&format!(": {}", parts.join("; ")));
            }
            lines.push(format!("{line}."));
        }
        let class = given.iter().find_map(|one| match one {
            Given::Cards(list) if list.owner.is_none() => list.class.as_ref().map(|class| class.text.clone()),
            _ => None,
        });
        let class =
            class.or_else(|| self.program.classes.get(self.program.services.card.index()).map(|c| c.name.clone()));
        for (_, place, cards) in piles.iter().filter(|(owner, _, _)| owner.is_none()) {
            lines.extend(class.iter().map(|class| format!("{class} in {place}: {}.", listed(cards))));
        }
    }

    /// The facts that no other line says.
    fn facts(&self, sentences: &[&[Token]], lines: &mut Vec<String>) {
        for (nth, sentence) in sentences.iter().enumerate() {
            let own: Vec<&Atom> = self.atoms.iter().filter(|atom| atom.sentence == nth).collect();
            if own.iter().all(|atom| !atom.said) {
                lines.push(format!("{}.", spell(*sentence)));
                continue;
            }
            let left: Vec<&Atom> = own.iter().filter(|atom| !atom.said).copied().collect();
            let verb = sentence.iter().position(is_verb);
            let behind = verb.map(|at| &sentence[at + 1..]);
            match behind {
                Some(behind) if left.len() > 1 && sentence.first().is_some_and(is_name) => {
                    let names: Vec<String> =
                        left.iter().filter_map(|atom| atom.tokens.first()).map(|n| spell([n])).collect();
                    lines.push(format!("{} are {}.", names.join(", "), spell(behind)));
                }
                _ => lines.extend(left.iter().map(|atom| format!("{}.", spell(&atom.tokens)))),
            }
        }
    }

    /// Where the game stands.
    fn standing(&self, given: &[Given]) -> Option<String> {
        let begun = given.iter().filter_map(|one| match one {
            Given::Begin { procedure, arguments, step } => {
                let proc = self.program.procs.iter().position(|proc| proc.name == procedure.text)?;
                let steps = &self.program.procs.get(proc)?.steps;
                let named = |name: &Name| {
                    steps.iter().find(|id| self.program.steps.get(id.index()).is_some_and(|s| s.name == name.text))
                };
                let step = step.as_ref().and_then(named).copied();
                Some(((netrep_ir::ProcId::from_index(proc), step), arguments))
            }
            _ => None,
        });
        let (begun, courses): (Vec<(frames::Frame, &Vec<Argument>)>, _) = (begun.collect(), Courses::of(self.program));
        // What is understood around what stands behind it need not be written.
        let understood = |from: usize| {
            let (frame, arguments) = begun.get(from)?;
            let chains = frames::around(self.layouts, self.program, &courses, frame.0);
            let [chain] = chains.as_slice() else { return (from == 0 && chains.is_empty()).then_some(()) };
            let before = &begun[..from];
            let same = chain.iter().eq(before.iter().map(|(frame, _)| frame));
            (same && before.iter().all(|(outer, own)| self.follows(outer.0, own, arguments, given))).then_some(())
        };
        // total: where nothing is understood all is written.
        let first = (0..begun.len()).rev().find(|from| understood(*from).is_some()).unwrap_or(0);
        let written: Vec<String> = begun
            .get(first..)?
            .iter()
            .map(|(frame, arguments)| {
                let list: Vec<String> = arguments
                    .iter()
                    .map(|argument| match argument {
                        Argument::Number(n) => n.to_string(),
                        Argument::Thing(name) => self.named(name),
                    })
                    .collect();
                let words = frames::words(self.program, *frame);
                if list.is_empty() { words } else { format!("{words} for {}", list.join(", ")) }
            })
            .collect();
        (!written.is_empty()).then(|| format!("at {}.", written.join("; ")))
    }

    /// A name as it is written: a card's in quotes, a label without.
    fn named(&self, name: &Name) -> String {
        let is_card = self.cards.iter().any(|card| card.label.is_none() && folded(&card.name) == folded(&name.text));
        if is_card { format!("\"{}\"", name.text) } else { name.text.clone() }
    }

    /// Whether it follows for whom something runs, from what runs in it.
    fn follows(&self, proc: netrep_ir::ProcId, own: &[Argument], inner: &[Argument], given: &[Given]) -> bool {
        let parameters = frames::parameters(self.program, proc);
        match (own, inner.first()) {
            ([], _) => parameters.is_empty(),
            ([Argument::Thing(own)], Some(Argument::Thing(inner))) => {
                own.text == inner.text
                    || frames::owner(self.program, inner, given).is_some_and(|owner| owner.text == own.text)
            }
            _ => false,
        }
    }
}

/// A list of cards; equal ones that lie together are counted.
fn listed(cards: &[&Card]) -> String {
    let mut parts: Vec<(usize, String)> = Vec::new();
    // What nobody names is counted as it lies.
    let mut others = 0;
    let close = |parts: &mut Vec<(usize, String)>, others: &mut usize| match std::mem::take(others) {
        0 => {}
        1 => parts.push((1, "1 other".to_owned())),
        n => parts.push((1, format!("{n} others"))),
    };
    for card in cards {
        let plain = card.brackets.is_empty();
        if card.other {
            others += 1;
            continue;
        }
        close(&mut parts, &mut others);
        let text = if plain { card.entry() } else { format!("{} ({})", card.entry(), card.brackets) };
        match parts.last_mut() {
            Some((n, last)) if *last == text && plain && card.label.is_none() => *n += 1,
            _ => parts.push((1, text)),
        }
    }
    close(&mut parts, &mut others);
    let part = |(n, text): (usize, String)| if n > 1 { format!("{n} {text}") } else { text };
    parts.into_iter().map(part).collect::<Vec<_>>().join(", ")
}

pub(crate) fn is_verb(token: &Token) -> bool {
    matches!(plain(token), Some("is" | "are"))
}

fn is_name(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Quoted(_) | TokenKind::Capital(_))
}

/// A sentence as facts about one thing each: of names with commas before the verb, or behind it.
pub(crate) fn atoms(tokens: &[Token]) -> Vec<Vec<Token>> {
    let whole = || vec![single(tokens)];
    let Some(verb) = tokens.iter().position(is_verb) else { return whole() };
    let names = |list: &[Token]| -> Option<Vec<Token>> {
        list.split(|token| token.kind == TokenKind::Comma)
            .map(|part| match part {
                [one] if is_name(one) => Some(one.clone()),
                _ => None,
            })
            .collect()
    };
    let is = |at: &Token| Token { kind: TokenKind::Word("is".to_owned()), span: at.span };
    let (before, behind) = (&tokens[..verb], &tokens[verb + 1..]);
    if let Some(subjects) = names(before) {
        let rest = |subject: Token| [subject, is(&tokens[verb])].into_iter().chain(behind.iter().cloned()).collect();
        return subjects.into_iter().map(rest).collect();
    }
    match names(behind) {
        Some(values) if values.len() > 1 => {
            let fact = |value: Token| before.iter().cloned().chain([is(&tokens[verb]), value]).collect();
            values.into_iter().map(fact).collect()
        }
        _ => whole(),
    }
}

/// The same with `is` for `are`.
fn single(tokens: &[Token]) -> Vec<Token> {
    let one = |token: &Token| match plain(token) {
        Some("are") => Token { kind: TokenKind::Word("is".to_owned()), span: token.span },
        _ => token.clone(),
    };
    tokens.iter().map(one).collect()
}

/// Whether a fact is what a sentence of a layout says, and what then stands for the label that is still free.
#[allow(clippy::option_option, reason = "whether it fits, and what for")]
fn matched(template: &[Token], fact: &[Token], env: &Env, free: Option<&str>) -> Option<Option<Token>> {
    let template = single(template);
    if template.len() != fact.len() {
        return None;
    }
    let mut found: Option<Token> = None;
    for (meant, is) in template.iter().zip(fact) {
        match label_of(meant) {
            Some(label) if free == Some(label) && found.is_none() => {
                let fits = matches!(is.kind, TokenKind::Quoted(_) | TokenKind::Capital(_) | TokenKind::Number(_));
                found = fits.then(|| is.clone());
                found.as_ref()?;
            }
            Some(label) if free == Some(label) => {
                found.as_ref().filter(|found| found.kind == is.kind)?;
            }
            Some(label) => {
                bound(env, label).filter(|token| alike(&token.kind, &is.kind))?;
            }
            None if meant.kind == is.kind => {}
            None => return None,
        }
    }
    Some(found)
}

/// Names are compared as they are looked up.
fn alike(one: &TokenKind, other: &TokenKind) -> bool {
    match (one, other) {
        (TokenKind::Quoted(one), TokenKind::Quoted(other)) => folded(one) == folded(other),
        (one, other) => one == other,
    }
}
