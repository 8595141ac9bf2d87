//! Which card is meant where several share a name.
//!
//! An id means one card, and a label what it was given to. A name of a list of cards that several cards have means those of the sets
//! that the data list ([`netrep_ir::program::Services::sets`]), of these those that they prefer for the player whose list it is
//! ([`netrep_ir::program::Services::versions`]), of these those of the first set, and of these the one that is no reprint. What is there
//! already is named among what is there. Where several are left, it is said which.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use netrep_compiler::phrases::Phrases;
use netrep_compiler::{Compiler, Diagnostic};
use netrep_diagnostics::Code;
use netrep_engine::Game;
use netrep_grammar::tree::{Token, TokenKind};
use netrep_ir::{CardId, Program};

use crate::narrate::title;
use crate::position::position;
use crate::problem::Source;
use crate::scenario::{CardsIn, Given, Name};
use crate::words::folded;

/// The cards of a program by their titles, in which case, accents and signs do not count, and by their ids.
#[derive(Debug, Default)]
pub(crate) struct Titles {
    by_title: HashMap<String, Vec<usize>>,
    by_id: HashMap<String, usize>,
}

impl Titles {
    /// Those of a program.
    pub(crate) fn of(program: &Program) -> Titles {
        let mut titles = Titles::default();
        for (i, card) in program.cards.iter().enumerate() {
            titles.by_title.entry(folded(title(program, card))).or_default().push(i);
            titles.by_id.entry(card.id.clone()).or_insert(i);
        }
        titles
    }

    fn titled(&self, name: &str) -> &[usize] {
        // total: no card is called so
        self.by_title.get(&folded(name)).map_or(&[], Vec::as_slice)
    }

    /// The different cards of a position that a name may mean.
    pub(crate) fn there(&self, cards: &[CardId], name: &str) -> Vec<usize> {
        let called = self.titled(name).iter().chain(self.by_id.get(name)).copied();
        let found: BTreeSet<usize> = called.filter(|card| cards.iter().any(|one| one.index() == *card)).collect();
        found.into_iter().collect()
    }
}

/// The cards of a program by what they are called, and which of them are preferred for whom.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    titles: Arc<Titles>,
    /// Of a player's cards that share a name: in which selections each is.
    preferred: BTreeMap<(String, usize), Vec<bool>>,
}

impl Versions {
    /// The cards of a program by their titles, before anything is preferred.
    pub(crate) fn of(titles: &Arc<Titles>) -> Versions {
        Versions { titles: Arc::clone(titles), preferred: BTreeMap::new() }
    }

    /// The cards that a name or an id may mean.
    pub(crate) fn called(&self, name: &str) -> Vec<usize> {
        match self.titles.by_id.get(name) {
            Some(one) => vec![*one],
            None => self.titles.titled(name).to_vec(),
        }
    }

    /// Asks which of the cards that share a name the data prefer, for each player in whose lists the name stands. What is said of the
    /// players alone is so; a list of cards that cannot be laid out prefers none.
    pub(crate) fn prefer(&mut self, compiler: &Compiler, phrases: &Phrases<'_>, given: &[Given], source: &Source) {
        let program = &phrases.program;
        if program.services.versions.is_empty() {
            return;
        }
        let mut asked: BTreeSet<(String, usize)> = BTreeSet::new();
        let mut lists = Vec::new();
        for one in given {
            let Given::Cards(list) = one else { continue };
            let Some(owner) = &list.owner else { continue };
            let mut cards = Vec::new();
            for (name, _) in &list.cards {
                let several = self.called(&name.text);
                for card in several.iter().filter(|_| several.len() > 1) {
                    let decl = program.cards.get(*card);
                    let text = decl.map(|decl| decl.id.clone()).filter(|_| asked.insert((owner.text.clone(), *card)));
                    cards.extend(text.map(|text| (Name { text, span: name.span }, None)));
                }
            }
            if !cards.is_empty() {
                lists.push(Given::Cards(CardsIn { cards, ..list.clone() }));
            }
        }
        if lists.is_empty() {
            return;
        }
        let order: Vec<(String, usize)> = (lists.iter())
            .filter_map(|list| if let Given::Cards(list) = list { Some(list) } else { None })
            .flat_map(|list| {
                // total: only lists with an owner are asked about
                let owner = list.owner.as_ref().map(|owner| owner.text.clone()).unwrap_or_default();
                list.cards.iter().flat_map(|(id, _)| self.called(&id.text)).map(move |card| (owner.clone(), card))
            })
            .collect();
        lists.extend(of_players(program, given));
        let Ok(laid) = position(compiler, phrases, &lists, source) else { return };
        let Ok(game) = Game::laid_out(Arc::clone(program), laid.setup) else { return };
        let selected: Vec<_> = program.services.versions.iter().map(|sel| game.select(sel)).collect();
        for (thing, key) in order.into_iter().enumerate() {
            let thing = netrep_engine::ThingId::from_index(thing);
            self.preferred.insert(key, selected.iter().map(|set| set.contains(thing)).collect());
        }
    }

    /// Of cards that share a name, those that are meant in the list of a player.
    pub(crate) fn meant(&self, program: &Program, owner: Option<&str>, several: &[usize]) -> Vec<usize> {
        let mut left = several.to_vec();
        let is_of = |card: &usize, set: &String| {
            let id = program.cards.get(*card).and_then(|card| card.id.strip_prefix(set.as_str()));
            id.is_some_and(|rest| rest.starts_with('-'))
        };
        // What is of no set that the data list is asked for by its id.
        narrow(&mut left, |card| program.services.sets.iter().any(|set| is_of(card, set)));
        for nth in 0..program.services.versions.len() {
            let is_so = |card: &usize| {
                let flags = owner.and_then(|owner| self.preferred.get(&(owner.to_owned(), *card)));
                flags.and_then(|flags| flags.get(nth)).is_some_and(|yes| *yes)
            };
            narrow(&mut left, is_so);
        }
        for set in &program.services.sets {
            narrow(&mut left, |card| is_of(card, set));
        }
        // A reprint gives way to what was printed before.
        narrow(&mut left, |card| program.cards.get(*card).is_some_and(|card| card.reprint_of.is_none()));
        left
    }
}

/// Keeps those of which it is so, if there are any.
fn narrow(left: &mut Vec<usize>, is_so: impl Fn(&usize) -> bool) {
    if left.len() > 1 && left.iter().any(&is_so) {
        left.retain(is_so);
    }
}

/// The players, and what is said of them alone.
fn of_players(program: &Program, given: &[Given]) -> Vec<Given> {
    let player = program.classes.get(program.services.player.index()).map(|class| class.name.as_str());
    let minted = |of_players: bool| {
        let mints = given.iter().filter_map(move |one| match one {
            Given::Mint { class, names } if (Some(class.text.as_str()) == player) == of_players => Some(names),
            _ => None,
        });
        mints.flatten().map(|name| name.text.as_str()).collect::<BTreeSet<&str>>()
    };
    let (players, others) = (minted(true), minted(false));
    let about = |token: &Token| match &token.kind {
        TokenKind::Capital(word) if players.contains(word.as_str()) => Some(true),
        TokenKind::Capital(word) if others.contains(word.as_str()) => Some(false),
        TokenKind::Quoted(_) => Some(false),
        _ => None,
    };
    let is_of_players = |tokens: &[Token]| {
        let mut said = tokens.iter().filter_map(about).peekable();
        said.peek().is_some() && said.all(|of_players| of_players)
    };
    let kept = given.iter().filter(|one| match one {
        Given::Mint { class, .. } => Some(class.text.as_str()) == player,
        Given::Fact(tokens, _) => is_of_players(tokens),
        Given::Cards(_) | Given::Begin { .. } => false,
        // What stands for these lines is there too.
        Given::Thing(_) | Given::Player { .. } | Given::At(..) | Given::From(_) | Given::Deck { .. } => false,
    });
    kept.cloned().collect()
}

/// That a name means several cards, by their ids.
pub(crate) fn ambiguous(program: &Program, several: &[usize], name: &Name, source: &Source) -> Diagnostic {
    let ids: Vec<&str> = several.iter().filter_map(|i| program.cards.get(*i)).map(|card| card.id.as_str()).collect();
    let text = format!("{} cards are called \"{}\"", ids.len(), name.text);
    let help = format!("name one by its id: {}", ids.join(", "));
    Diagnostic::new(Code::AmbiguousName, source.place(name.span), text).help(help)
}
