//! Noun phrases of a wanted sort.

use std::sync::Arc;

use netrep_compiler::phrase::closed::is_closed;
use netrep_compiler::phrase::forms::{Category, Form, ROWS, Row, Takes};
use netrep_compiler::phrase::term::{Detail, Origin, Term, Use};
use netrep_compiler::phrase::tree::TermKind;

use super::words::{Sort, said, value_of};
use super::{At, Writer};

impl Writer<'_> {
    /// True if a row of noun phrases can be what is wanted there.
    pub(super) fn may_stand(&self, row: &Row, at: &At) -> bool {
        // Outside of a cost somebody has to choose first.
        let chosen = matches!(row.form, Form::DeterminerA | Form::OneOneOf);
        if chosen && at.takes == Takes::Deed && !self.paying {
            return false;
        }
        if row.category == Category::Determiner {
            return at.takes.info().determiners.contains(&row.form);
        }
        if row.category != Category::One {
            return true;
        }
        let thing = matches!(at.want, Sort::Any | Sort::Thing(_));
        // What is chosen, or there, is said with a determiner.
        if matches!(at.takes, Takes::Choice | Takes::There) && !matches!(row.form, Form::OneDetermined | Form::OneOneOf)
        {
            return false;
        }
        let taken = |form: Form| at.takes.info().determiners.contains(&form);
        match row.form {
            Form::OneThis => self.this != Sort::Any && self.words.fits(&self.this, &at.want),
            Form::OneLabel => {
                self.labels.iter().any(|(label, sort)| label.len() < 3 && self.words.fits(sort, &at.want))
            }
            Form::OneName => thing && self.words.fits(&self.words.card, &at.want),
            Form::OneDetermined => thing && !at.takes.info().determiners.is_empty(),
            Form::OneOfYours => thing && !at.takes.info().determiners.is_empty(),
            Form::OneOneOf => thing && taken(Form::DeterminerA),
            Form::OneAll => thing && taken(Form::DeterminerEach),
            Form::OneTop => thing && taken(Form::DeterminerEach),
            // Only what is gained is made for the occasion.
            Form::OneNew => thing && at.takes == Takes::All && at.before != Sort::Any,
            Form::OnePlace | Form::OneThePlace => at.want == Sort::Place,
            Form::OneIt => thing && self.left > 6,
            Form::OneIts => self.left > 6,
            Form::OneYours => self.words.fits(&self.words.player, &at.want),
            Form::OneYour | Form::OneGroup | Form::OneCalled => true,
            Form::OneFact | Form::OneTheFact => at.want != Sort::Place,
            Form::OnePrinted => matches!(at.want, Sort::Number | Sort::Entry(_)),
            _ => thing,
        }
    }

    /// One noun phrase, now and then with a label or as somebody's.
    pub(super) fn one(&mut self, at: &At) -> Option<Sort> {
        self.plural = false;
        let row = |form: Form| ROWS.iter().find(|row| row.form == form);
        if self.left > 2 && self.chance(4) {
            let owner = self.category(Category::One, &At { want: Sort::Any, ..at.clone() })?;
            let mine = At { before: owner, ..at.clone() };
            return self.row(row(Form::AfterOnePossessive)?, &mine);
        }
        let sort = self.category(Category::One, at)?;
        let named = !at.takes.info().determiners.is_empty() && matches!(sort, Sort::Thing(_));
        if named && !self.plural && self.left > 1 && self.chance(1) {
            self.row(row(Form::AfterOneLabelled)?, &At { before: sort.clone(), ..at.clone() })?;
        }
        Some(sort)
    }

    /// Things of a class, with what is said of them before and behind.
    pub(super) fn noun(&mut self, at: &At, plural: bool) -> Option<Sort> {
        let words = self.words;
        let classes = words.those(TermKind::Class, |term| {
            let class = Sort::Thing(Arc::clone(&term.key.name));
            words.fits(&class, &at.want) || words.fits(&at.want, &class) && at.want != Sort::Any
        });
        let class = self.any(&classes)?;
        let sort = Sort::Thing(Arc::clone(&class.key.name));
        let here = At { want: Sort::Any, before: sort.clone(), takes: Takes::Some };
        while self.left > 1 && !self.is_long() && self.chance(20) {
            if self.tried(|writer| writer.category(Category::Attributive, &here)).is_none() {
                break;
            }
        }
        let used = if plural { Use::Plural } else { Use::Name };
        self.say(&said(&class, used));
        if self.left > 2 && !self.is_long() && self.chance(25) {
            self.tried(|writer| writer.category(Category::ModifierAfter, &here));
        }
        self.plural = plural;
        Some(match words.fits(&sort, &at.want) {
            true => sort,
            false => at.want.clone(),
        })
    }

    /// A fact of a thing, of the wanted sort.
    pub(super) fn fact_of(&mut self, at: &At) -> Option<Sort> {
        let facts = self.words.facts(&Sort::Any, &at.want, |_| true);
        let facts = self.things_first(facts, &at.want);
        let term = self.any(&facts)?;
        self.say(&said(&term, Use::Name));
        self.say("of");
        let want = self.holder(&term)?;
        self.left = self.left.checked_sub(1)?;
        let owner = self.category(Category::One, &At { want, before: Sort::Any, takes: at.takes });
        self.left += 1;
        owner?;
        value_of(&term).map(|value| self.words.sort(value))
    }

    /// Of terms with a value, where anything will do, mostly those that stand for things.
    fn things_first(&mut self, terms: Vec<Arc<Term>>, want: &Sort) -> Vec<Arc<Term>> {
        if *want != Sort::Any || self.chance(5) {
            return terms;
        }
        let is_thing =
            |term: &Arc<Term>| value_of(term).is_some_and(|value| matches!(self.words.sort(value), Sort::Thing(_)));
        terms.into_iter().filter(is_thing).collect()
    }

    /// A thing of which a fact is.
    pub(super) fn holder(&self, term: &Term) -> Option<Sort> {
        match &term.detail {
            // Of several classes the first one: chance has had its say with the fact.
            Detail::Attribute { of, .. } => of.types.first().map(|value| self.words.sort(value)),
            _ => None,
        }
    }

    /// A fact of what stands before: by its name alone.
    pub(super) fn belonging(&mut self, of: &Sort, want: &Sort) -> Option<Sort> {
        let facts = self.words.facts(of, want, |_| true);
        let facts = self.things_first(facts, want);
        let term = self.any(&facts)?;
        self.say(&said(&term, Use::Name));
        value_of(&term).map(|value| self.words.sort(value))
    }

    /// A role, a definition or a term, by its name.
    pub(super) fn called(&mut self, want: &Sort) -> Option<Sort> {
        let words = self.words;
        if let Sort::Entry(list) = want {
            let entry = self.any(&words.entries(list))?;
            self.say(&said(&entry, Use::Name));
            return Some(want.clone());
        }
        let valued = |term: &Term| value_of(term).is_some_and(|value| words.fits(&words.sort(value), want));
        let mut names = words.those(TermKind::Role, valued);
        names.extend(words.those(TermKind::Definition, valued));
        let names = self.things_first(names, want);
        let term = self.any(&names)?;
        self.say(&said(&term, Use::Name));
        value_of(&term).map(|value| words.sort(value))
    }

    /// An adjective, a term or a yes-or-no fact of a thing.
    pub(super) fn described(&mut self, of: &Sort, behind: bool) -> Option<Sort> {
        let words = self.words;
        let adjectives = words.those(TermKind::Adjective, |term| match &term.detail {
            Detail::Adjective { of: param } => words.takes(param, of) && closed_first(term) == behind,
            _ => false,
        });
        if !adjectives.is_empty() && (behind || self.chance(60)) {
            let adjective = self.any(&adjectives)?;
            self.say(&said(&adjective, Use::Name));
            return Some(Sort::Any);
        }
        if !behind && self.chance(70) {
            return self.trait_of(of);
        }
        None
    }

    /// A term or a yes-or-no fact of a thing.
    pub(super) fn trait_of(&mut self, of: &Sort) -> Option<Sort> {
        let lists = self.words.lists(of);
        let flags = self.words.facts(of, &Sort::Truth, |from| from != Origin::Define);
        if !flags.is_empty() && (lists.is_empty() || self.chance(30)) {
            let flag = self.any(&flags)?;
            self.say(&said(&flag, Use::Name));
            return Some(Sort::Any);
        }
        let list = self.any(&lists)?;
        let entry = self.any(&self.words.entries(&list))?;
        self.say(&said(&entry, Use::Name));
        Some(Sort::Any)
    }

    /// A relation of what stands before, with the other thing.
    pub(super) fn relation(&mut self, of: &Sort, finite: bool, at: &At) -> Option<Sort> {
        let words = self.words;
        let (straight, inverse) = match finite {
            true => (Use::Finite, Use::InverseFinite),
            false => (Use::Relates, Use::Inverse),
        };
        let mut found = Vec::new();
        for term in words.all(TermKind::Relation) {
            let Detail::Relation { subject, object } = &term.detail else { continue };
            let has = |used: Use| term.forms.iter().any(|form| form.used == used);
            if has(straight) && words.takes(subject, of) {
                found.push((said(term, straight), object.clone()));
            }
            if has(inverse) && words.takes(object, of) {
                found.push((said(term, inverse), subject.clone()));
            }
        }
        let (text, other) = self.any(&found)?;
        self.say(&text);
        let want = self.any(&other.types).map(|value| words.sort(&value))?;
        self.category(Category::Np, &At { want, before: Sort::Any, takes: at.takes })
    }
}

/// True if the words of a term begin like a preposition: then it stands behind what it is said of.
fn closed_first(term: &Term) -> bool {
    term.key.name.split(' ').next().is_some_and(is_closed)
}
