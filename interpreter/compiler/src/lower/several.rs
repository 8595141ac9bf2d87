//! How many things a phrase stands for, as far as its form tells, and the places where only one is meant.
//!
//! `each boat` and `boats` say themselves that they are several; `fleet of P` says it by the words that declare it. Where one
//! thing is meant the engine stops at several, so what is several by its form is refused here. What may be one or several, such as
//! a name that cards share, is known only in play.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::Sel;

use super::context::{Bound, Cx, Env, Low, body_of};
use crate::phrase::operators::{Fact, Number, Reference, Thing, View};
use crate::phrase::term::{Detail, Origin};
use crate::phrase::tree::{Det, Node, TermKey};

/// How many things a phrase stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Many {
    /// Never more than one.
    One,
    /// One or several: its form does not tell.
    Open,
    /// Its form is that of several.
    Several,
}

impl Many {
    /// That of a fact whose own form is this one, of a thing.
    fn of(self, owner: Many) -> Many {
        match (self, owner) {
            (Many::Several, _) | (_, Many::Several) => Many::Several,
            (Many::One, Many::One) => Many::One,
            (Many::Open, _) | (_, Many::Open) => Many::Open,
        }
    }
}

/// A place where one thing is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// Who chooses, or says yes or no.
    Chooser,
    /// Who rolls.
    Roller,
    /// What is rolled for.
    RolledFor,
    /// What a procedure runs for.
    Performed,
    /// What the name of a role stands for.
    Role,
    /// Whose number or term is asked.
    Fact,
    /// What a fact holds that has one value.
    Value,
    /// Who is in an event besides what it happens to.
    InEvent,
    /// Whose place something is put into.
    Owner,
    /// From whom on things are counted around the table.
    Start,
    /// Who puts in order what is to be done at once.
    Orderer,
    /// From what a new thing takes over its figures.
    Taken,
}

impl Meant {
    /// What the place takes.
    fn words(self) -> &'static str {
        match self {
            Meant::Chooser => "who decides",
            Meant::Roller => "who rolls",
            Meant::RolledFor => "what is rolled for",
            Meant::Performed => "what a procedure is performed for",
            Meant::Role => "what a role stands for",
            Meant::Fact => "whose fact is asked",
            Meant::Value => "what a fact holds that has one value",
            Meant::InEvent => "who is in an event besides what it happens to",
            Meant::Owner => "whose place something is put into",
            Meant::Start => "where a round begins",
            Meant::Orderer => "who puts in order what is to be done at once",
            Meant::Taken => "from what a new thing takes over its figures",
        }
    }

    /// What to say instead.
    fn mend(self) -> &'static str {
        match self {
            Meant::Chooser
            | Meant::Roller
            | Meant::RolledFor
            | Meant::Performed
            | Meant::InEvent
            | Meant::Owner
            | Meant::Taken
            | Meant::Role => ONE_BY_ONE,
            Meant::Fact => {
                "say `total …`, `highest …` or `lowest …` of all of them, go through them (`for each … as X { … }`), in a condition \
                 `each … has …`, or say `the …` where there is one"
            }
            Meant::Value => {
                "say `the …` where there is one, let somebody choose first (`PLAYER chooses a … as X`), or declare the fact with `, many`"
            }
            Meant::Start => "say from which of them: `the next … after P`, or `the …` where there is one",
            Meant::Orderer => "define one: `the … that …`",
        }
    }
}

/// What to say instead of several.
pub(super) const ONE_BY_ONE: &str = "say it of one after the other (`for each … as X { … }`), let somebody choose first \
     (`PLAYER chooses a … as X`), or say `the …` where there is one";

impl Cx<'_> {
    /// How many things a phrase stands for.
    pub(super) fn many(&self, node: &Node, env: &Env) -> Many {
        self.many_within(node, env, &mut Vec::new())
    }

    /// The same, behind definitions that are being looked into.
    fn many_within(&self, node: &Node, env: &Env, behind: &mut Vec<TermKey>) -> Many {
        match node.view() {
            View::Reference(reference) => match reference {
                Reference::This {} | Reference::It {} | Reference::Role { .. } => Many::One,
                Reference::Label { label } => match env.get(label) {
                    Some(Bound::Things(_, many)) => *many,
                    Some(Bound::Number(_) | Bound::Entry(_)) | None => Many::Open,
                },
                Reference::Name { .. } | Reference::Card { .. } => Many::Open,
                Reference::Defined { term } => self.defined(term, &Env::default(), behind),
            },
            View::Thing(thing) => match thing {
                Thing::As { inner, .. } => self.many_within(inner, env, behind),
                Thing::Quantified { det: Det::Each, .. } => Many::Several,
                Thing::Quantified { det: Det::The, .. } | Thing::Next { .. } => Many::One,
                Thing::Either { parts } => {
                    let several = parts.iter().any(|part| self.many_within(part, env, behind) == Many::Several);
                    if several { Many::Several } else { Many::Open }
                }
                Thing::Top { count, place, .. } => {
                    let many = match count.view() {
                        View::Number(Number::Int { n }) if *n > 1 => Many::Several,
                        View::Number(Number::Int { .. }) => Many::One,
                        _ => Many::Open,
                    };
                    match place.place().and_then(|(_, owner)| owner) {
                        Some(owner) => many.of(self.many_within(owner, env, behind)),
                        None => many,
                    }
                }
                Thing::Quantified { .. } | Thing::Noun { .. } | Thing::New { .. } | Thing::Place { .. } => Many::Open,
            },
            View::Fact(Fact::Of { fact, owner }) => {
                let of = self.many_within(owner, env, behind);
                match self.ctx.term(fact).as_deref().map(|term| &term.detail) {
                    Some(Detail::Attribute { many: true, .. }) => Many::Several,
                    Some(Detail::Attribute { origin: Origin::Define, of: param, .. }) => {
                        let mut env = Env::default();
                        env.bind(&param.label, Bound::Things(Sel::It(0), of));
                        self.defined(fact, &env, behind)
                    }
                    _ => of,
                }
            }
            View::Fact(Fact::OfFor { .. } | Fact::Printed { .. })
            | View::Literal(_)
            | View::Predicate(_)
            | View::Number(_)
            | View::Logic(_)
            | View::Condition(_)
            | View::Event(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => Many::Open,
        }
    }

    /// How many things a definition stands for, with its parameter bound.
    fn defined(&self, word: &TermKey, env: &Env, behind: &mut Vec<TermKey>) -> Many {
        let item = self.ctx.declaring(word);
        match item.as_ref().and_then(|item| body_of(&item.clauses)) {
            Some(body) if !behind.contains(word) => {
                behind.push(word.clone());
                let many = self.many_within(body, env, behind);
                behind.pop();
                many
            }
            // What leads back to itself, or has no definition that can be read, is told elsewhere.
            _ => Many::Open,
        }
    }

    /// Whether `X is not …` is said of a phrase as of one thing: none of what one thing has is so.
    pub(super) fn is_spoken_of_as_one(&self, node: &Node, env: &Env) -> bool {
        let of_one = match node.view() {
            View::Fact(Fact::Of { owner, .. }) => self.is_spoken_of_as_one(owner, env),
            _ => false,
        };
        of_one || self.many(node, env) == Many::One
    }

    /// The one thing that a phrase selects.
    pub(super) fn sel_of_one(&mut self, meant: Meant, node: &Node, env: &Env) -> Low<Sel> {
        self.means_one(meant, node, env)?;
        self.sel(node, env)
    }

    /// Refuses what is several by its form where one is meant.
    pub(super) fn means_one(&mut self, meant: Meant, node: &Node, env: &Env) -> Low<()> {
        if self.many(node, env) != Many::Several {
            return Ok(());
        }
        let words = self.words(node);
        self.several(meant, &words, node.span, self.plural_word(node))
    }

    /// Tells that something is several where one is meant.
    pub(super) fn several(&mut self, meant: Meant, words: &str, span: Span, word: Option<Arc<str>>) -> Low<()> {
        let message = format!("`{words}` can be several, and one is meant here: {}", meant.words());
        let help = match word {
            Some(word) => format!("{}; or define `{word}` so that it is one", meant.mend()),
            None => meant.mend().to_owned(),
        };
        self.fail(Code::SeveralWhereOne, span, message, Some(&help))
    }

    /// The definition by which a phrase is several, if its own form does not say so.
    fn plural_word(&self, node: &Node) -> Option<Arc<str>> {
        match node.view() {
            View::Thing(Thing::As { inner, .. }) => self.plural_word(inner),
            View::Reference(Reference::Defined { term }) => Some(Arc::clone(&term.name)),
            View::Fact(Fact::Of { fact, .. }) => {
                let term = self.ctx.term(fact)?;
                let Detail::Attribute { origin: Origin::Define, of, .. } = &term.detail else { return None };
                let mut env = Env::default();
                env.bind(&of.label, Bound::Things(Sel::It(0), Many::One));
                let own = self.defined(fact, &env, &mut Vec::new());
                (own == Many::Several).then(|| Arc::clone(&fact.name))
            }
            _ => None,
        }
    }
}
