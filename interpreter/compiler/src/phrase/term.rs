//! What a declared term is: its words, what it is about, and the frame of a verb.
//!
//! A term holds no body and no span. Whoever uses a word depends on the term, so a changed definition or a
//! moved line must leave the term equal; bodies are read from their item by [`super::read::read_item`].

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::tree::TermKey;

/// How a spelled form of a term is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Use {
    /// The name of anything that has only one; the singular of a noun.
    Name,
    /// The plural of a noun.
    Plural,
    /// The plain form of a verb (`paint`).
    Base,
    /// The third person (`paints`).
    Third,
    /// The past participle (`painted`).
    Past,
    /// A relation between its two things, after a noun or a copula (`in`, `holding`).
    Relates,
    /// A relation as a finite verb (`holds`).
    Finite,
    /// The relation told from its second thing (`held by`), after a noun or a copula.
    Inverse,
    /// The same as a finite verb.
    InverseFinite,
}

/// A spelled form.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Form {
    /// The words, in order.
    pub words: Vec<Arc<str>>,
    /// How it is used.
    pub used: Use,
}

impl Form {
    /// The words joined by a space.
    pub fn text(&self) -> String {
        match self.words.as_slice() {
            [word] => word.to_string(),
            words => words.join(" "),
        }
    }
}

/// What a declared name stands for. Class and list names are not looked up here: a declaration is read alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TypeName {
    /// `number`
    Number,
    /// `yes or no`
    YesNo,
    /// `place`
    Place,
    /// `thing`: a thing of any class.
    Thing,
    /// A class or a list.
    Named(Arc<str>),
    /// `name of CLASS`: a name, whether or not a thing of the class bears it.
    NameOf(Arc<str>),
    /// `number for each LIST`
    NumberFor(Arc<str>),
}

impl TypeName {
    /// The class or list that it names.
    pub(crate) fn class(&self) -> Option<&Arc<str>> {
        match self {
            TypeName::Named(name) | TypeName::NameOf(name) => Some(name),
            _ => None,
        }
    }

    /// As it is written.
    pub(crate) fn text(&self) -> String {
        match self {
            TypeName::Number => "number".to_owned(),
            TypeName::YesNo => "yes or no".to_owned(),
            TypeName::Place => "place".to_owned(),
            TypeName::Thing => "thing".to_owned(),
            TypeName::Named(n) => n.to_string(),
            TypeName::NameOf(n) => format!("name of {n}"),
            TypeName::NumberFor(n) => format!("number for each {n}"),
        }
    }
}

/// A declared parameter: `(CLASS X)` or `(CLASS, CLASS X)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Param {
    /// The label in the body; empty if the declaration gives none.
    pub label: Arc<str>,
    /// What it may be.
    pub types: Vec<TypeName>,
}

/// Where a role stands in a verb phrase.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Seat {
    /// Before the verb.
    Subject,
    /// Directly after the verb.
    Object,
    /// After these words.
    After(Vec<Arc<str>>),
}

/// A role of a verb.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Role {
    /// Its label in the body and what it may be.
    pub param: Param,
    /// Where it stands.
    pub seat: Seat,
    /// True if it may be left out.
    pub optional: bool,
}

/// A piece of the pattern after the verb: words, a role, words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Group {
    /// Words before the role, or the words alone.
    pub before: Vec<Arc<str>>,
    /// The role, as an index into the frame's roles.
    pub role: Option<usize>,
    /// Words after the role.
    pub after: Vec<Arc<str>>,
    /// True if the whole group may be left out.
    pub optional: bool,
}

/// The roles of a verb and the pattern that follows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Frame {
    /// All roles in the order of the declaration; the subject first if there is one.
    pub roles: Vec<Role>,
    /// What follows the verb.
    pub groups: Vec<Group>,
}

impl Frame {
    /// The index of the subject.
    pub(crate) fn subject(&self) -> Option<usize> {
        self.roles.iter().position(|r| r.seat == Seat::Subject)
    }
    /// The index of the object.
    pub(crate) fn object(&self) -> Option<usize> {
        self.roles.iter().position(|r| r.seat == Seat::Object)
    }
}

/// Where an attribute's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// `figure`: printed.
    Figure,
    /// `state`: stored.
    State,
    /// `define … of`: derived.
    Define,
}

/// What is particular to a kind of term.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Detail {
    /// A class, with its superclass.
    Class {
        /// The class it is a predicate over.
        superclass: Option<Arc<str>>,
        /// Of a class by a condition: what its declaration calls the thing of which something is so.
        label: Option<Arc<str>>,
    },
    /// An enumeration.
    List,
    /// A member of a list.
    Entry {
        /// The list.
        list: Arc<str>,
    },
    /// A fact about a thing.
    Attribute {
        /// Printed, stored or derived.
        origin: Origin,
        /// The things that have it.
        of: Param,
        /// What it is.
        value: TypeName,
        /// It may have several values.
        many: bool,
        /// It may be absent.
        optional: bool,
        /// The classes of cards that have it printed; empty: all.
        on: Vec<Arc<str>>,
        /// The least number that is printed.
        least: Option<i64>,
        /// Of a derived number for each term: the label of the term in the definition.
        per: Option<Arc<str>>,
    },
    /// A derived selection or number without a parameter.
    Definition {
        /// What it is.
        value: TypeName,
    },
    /// A dynamically bound name.
    Role {
        /// What it is.
        value: TypeName,
    },
    /// A zone.
    Place {
        /// Belongs to one player (otherwise it is shared).
        of_player: bool,
        /// The words of the declaration, each feature joined by a space.
        features: Vec<Arc<str>>,
    },
    /// A predicate of one thing.
    Adjective {
        /// The thing.
        of: Param,
    },
    /// A predicate of two things.
    Relation {
        /// The first.
        subject: Param,
        /// The second.
        object: Param,
    },
    /// An action or event.
    Verb {
        /// Its roles.
        frame: Frame,
    },
    /// A suspended procedure.
    Procedure {
        /// What it is performed for.
        params: Vec<Param>,
    },
}

/// A declared term.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Term {
    /// Its kind and name.
    pub key: TermKey,
    /// Its spelled forms.
    pub forms: Vec<Form>,
    /// What is particular to its kind.
    pub detail: Detail,
    /// Of a class declared `with ATTR Term, Term`: the attribute and the terms. Two classes whose terms of one
    /// attribute have nothing in common have no thing in common.
    pub only: Option<(Arc<str>, Vec<Arc<str>>)>,
    /// Of a class: the figures that each of its things must have printed.
    pub needs: Vec<Arc<str>>,
    /// Of a class: the figures that none of its things has printed, whatever the classes above it need.
    pub lacks: Vec<Arc<str>>,
}

/// The first word of a name.
pub fn first_word(name: &str) -> &str {
    name.split_once(' ').map_or(name, |(first, _)| first)
}

impl Term {
    /// The words under which a lexicon must find it: the words of its forms, and for an attribute also those
    /// of the list that it takes its value from (`an X-coloured thing` finds its colour by the list).
    pub fn index_words(&self) -> Vec<Arc<str>> {
        let mut words: Vec<Arc<str>> = self.forms.iter().flat_map(|f| f.words.iter().cloned()).collect();
        if let Detail::Attribute { value: TypeName::Named(list), .. } = &self.detail {
            words.extend(list.split(' ').map(Arc::from));
        }
        if let Detail::Verb { frame } = &self.detail {
            // Known words, so that they are no misspellings; prepositions that the language knows are left out,
            // or every sentence would depend on every verb.
            let said = frame.groups.iter().flat_map(|g| g.before.iter().chain(&g.after));
            words.extend(said.filter(|w| !super::closed::is_closed(w)).cloned());
        }
        if let Some((_, entries)) = &self.only {
            // A card finds the classes that its terms put it into.
            words.extend(entries.iter().filter_map(|e| e.split(' ').next()).map(Arc::from));
        }
        words.sort();
        words.dedup();
        words
    }

    /// The types that its declaration names: of the things that it is said of, and of its value.
    pub(crate) fn types(&self) -> Vec<&TypeName> {
        let mut types: Vec<&TypeName> = Vec::new();
        match &self.detail {
            Detail::Attribute { of, value, .. } => types.extend(of.types.iter().chain([value])),
            Detail::Definition { value } | Detail::Role { value } => types.push(value),
            Detail::Adjective { of } => types.extend(&of.types),
            Detail::Relation { subject, object } => types.extend(subject.types.iter().chain(&object.types)),
            Detail::Verb { frame } => types.extend(frame.roles.iter().flat_map(|role| &role.param.types)),
            Detail::Procedure { params } => types.extend(params.iter().flat_map(|param| &param.types)),
            Detail::Class { .. } | Detail::List | Detail::Entry { .. } | Detail::Place { .. } => {}
        }
        types
    }

    /// The first form used like that.
    pub(crate) fn form(&self, used: Use) -> Option<&Form> {
        self.forms.iter().find(|f| f.used == used)
    }

    /// The words for a use; its name if it has none.
    pub(crate) fn said(&self, used: Use) -> String {
        self.form(used).map_or_else(|| self.key.name.to_string(), Form::text)
    }
}
