//! The words of a vocabulary by what they may stand for.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_compiler::Compiler;
use netrep_compiler::phrase::term::{Detail, Origin, Param, Seat, Term, TypeName, Use};
use netrep_compiler::phrase::tree::TermKind;

/// What a phrase denotes, as far as the writer keeps account of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Whatever there is.
    Any,
    /// A thing of a class.
    Thing(Arc<str>),
    /// A term of a list.
    Entry(Arc<str>),
    Number,
    Truth,
    Place,
}

/// The declared terms by kind.
pub(crate) struct Words {
    terms: BTreeMap<TermKind, Vec<Arc<Term>>>,
    /// The names of cards, and their texts.
    cards: Vec<(String, Arc<str>)>,
    /// The ids of cards.
    ids: Vec<String>,
    /// Items that can be amended: head, key and the labels of their clauses.
    pub(super) items: Vec<(&'static str, String, Vec<String>)>,
    /// The steps of procedures, by the procedure's name.
    pub(super) steps: BTreeMap<String, Vec<String>>,
    /// The class of cards.
    pub(super) card: Sort,
    /// The class of players.
    pub(super) player: Sort,
}

impl Words {
    /// The words of what is loaded.
    pub(crate) fn of(compiler: &Compiler) -> Words {
        let mut terms: BTreeMap<TermKind, Vec<Arc<Term>>> = BTreeMap::new();
        for view in compiler.terms() {
            terms.entry(view.term.key.kind).or_default().push(view.term);
        }
        let (program, _) = compiler.link(&netrep_compiler::Profile::default());
        let cards = compiler.items().into_iter().filter(|item| item.head == "card").map(|item| {
            let title = item.text.split('"').nth(1).unwrap_or_default().to_owned();
            (title, item.text)
        });
        let cards = cards.collect();
        let ids = program.cards.iter().map(|card| card.id.clone()).collect();
        let clauses = |head: &str, key: &str| {
            let clauses = compiler.clauses(head, key, &netrep_compiler::Profile::default());
            clauses.into_iter().map(|clause| clause.label.to_string()).collect()
        };
        let amended = |head: &str| ["card", "rule"].contains(&head);
        let items = compiler.items().into_iter().filter(|item| amended(item.head));
        let items = items.map(|item| (item.head, item.key.to_string(), clauses(item.head, &item.key))).collect();
        let steps = program.procs.iter().map(|proc| {
            let steps = proc.steps.iter().map(|step| program.steps[step.index()].name.clone()).collect();
            (proc.name.clone(), steps)
        });
        let class = |id: netrep_ir::ClassId| Sort::Thing(Arc::from(program.classes[id.index()].name.as_str()));
        let (card, player) = (class(program.services.card), class(program.services.player));
        Words { terms, cards, ids, items, steps: steps.collect(), card, player }
    }

    /// The names of cards that may be what is wanted: those that have the term of its class printed.
    pub(super) fn titles(&self, want: &Sort) -> Vec<String> {
        let class = match want {
            Sort::Thing(class) => self.named(TermKind::Class, class),
            _ => None,
        };
        let only = class.and_then(|class| class.only.as_ref());
        let fits = |text: &str| {
            only.is_none_or(|(fact, terms)| terms.iter().any(|term| text.contains(&format!("{fact} {term}"))))
        };
        self.cards.iter().filter(|(_, text)| fits(text)).map(|(title, _)| title.clone()).collect()
    }

    /// The ids of cards.
    pub(super) fn ids(&self) -> &[String] {
        &self.ids
    }

    /// The terms of a kind.
    pub(super) fn all(&self, kind: TermKind) -> &[Arc<Term>] {
        self.terms.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// The terms of a kind that are as wanted.
    pub(super) fn those(&self, kind: TermKind, wanted: impl Fn(&Term) -> bool) -> Vec<Arc<Term>> {
        self.all(kind).iter().filter(|term| wanted(term)).cloned().collect()
    }

    /// A term by kind and name.
    pub(super) fn named(&self, kind: TermKind, name: &str) -> Option<&Arc<Term>> {
        self.all(kind).iter().find(|term| &*term.key.name == name)
    }

    /// The class above a class.
    pub(super) fn above(&self, class: &str) -> Option<&Arc<str>> {
        match &self.named(TermKind::Class, class)?.detail {
            Detail::Class { superclass, .. } => superclass.as_ref(),
            _ => None,
        }
    }

    /// True if all things of a class are things of the other.
    fn is_a(&self, class: &str, other: &str) -> bool {
        class == other || self.above(class).is_some_and(|above| self.is_a(above, other))
    }

    /// What a declared type stands for.
    pub(super) fn sort(&self, value: &TypeName) -> Sort {
        match value {
            TypeName::Number | TypeName::NumberFor(_) => Sort::Number,
            TypeName::YesNo => Sort::Truth,
            TypeName::Place => Sort::Place,
            TypeName::Thing => Sort::Any,
            TypeName::NameOf(name) => Sort::Thing(Arc::clone(name)),
            TypeName::Named(name) if self.named(TermKind::Class, name).is_some() => Sort::Thing(Arc::clone(name)),
            TypeName::Named(name) => Sort::Entry(Arc::clone(name)),
        }
    }

    /// True if a phrase of the one sort may stand where the other is wanted.
    pub(super) fn fits(&self, sort: &Sort, wanted: &Sort) -> bool {
        match (sort, wanted) {
            (_, Sort::Any) => true,
            (Sort::Thing(class), Sort::Thing(other)) => self.is_a(class, other),
            _ => sort == wanted,
        }
    }

    /// True if a thing of the sort may be what a parameter asks for.
    pub(super) fn takes(&self, param: &Param, sort: &Sort) -> bool {
        param.types.iter().any(|value| self.fits(sort, &self.sort(value)))
    }

    /// The facts of things of a sort that have a value of the other.
    pub(super) fn facts(&self, of: &Sort, wanted: &Sort, from: impl Fn(Origin) -> bool) -> Vec<Arc<Term>> {
        self.those(TermKind::Attribute, |term| match &term.detail {
            Detail::Attribute { origin, of: param, value, .. } => {
                from(*origin)
                    && !matches!(value, TypeName::NumberFor(_))
                    && self.takes(param, of)
                    && self.fits(&self.sort(value), wanted)
            }
            _ => false,
        })
    }

    /// The terms of a list.
    pub(super) fn entries(&self, of: &str) -> Vec<Arc<Term>> {
        self.those(TermKind::Entry, |term| matches!(&term.detail, Detail::Entry { list } if **list == *of))
    }

    /// The lists of which things of a sort have a term.
    pub(super) fn lists(&self, of: &Sort) -> Vec<Arc<str>> {
        let facts = self.facts(of, &Sort::Any, |_| true);
        let lists = facts.iter().filter_map(|term| match &term.detail {
            Detail::Attribute { value: TypeName::Named(list), .. } if self.named(TermKind::List, list).is_some() => {
                Some(Arc::clone(list))
            }
            _ => None,
        });
        lists.collect()
    }

    /// The verbs with a form, of which the subject or the object may be such a thing.
    pub(super) fn verbs(&self, used: Use, seat: &Seat, thing: Option<&Sort>) -> Vec<Arc<Term>> {
        self.those(TermKind::Verb, |term| {
            let Detail::Verb { frame } = &term.detail else { return false };
            let role = frame.roles.iter().find(|role| role.seat == *seat);
            let seated = match thing {
                Some(thing) => role.is_some_and(|role| self.takes(&role.param, thing)),
                None => role.is_none_or(|role| role.optional),
            };
            seated && term.forms.iter().any(|form| form.used == used)
        })
    }
}

/// What a term with a value has as its value.
pub(super) fn value_of(term: &Term) -> Option<&TypeName> {
    match &term.detail {
        Detail::Attribute { value, .. } | Detail::Definition { value } | Detail::Role { value } => Some(value),
        _ => None,
    }
}

/// The words of a use of a term; its name if it has no such form.
pub(super) fn said(term: &Term, used: Use) -> String {
    let form = term.forms.iter().find(|form| form.used == used);
    form.map_or_else(|| term.key.name.to_string(), |form| form.text())
}
