//! What holes of phrases hold that is no category: declared words, labels, verbs with their roles, values.

use std::sync::Arc;

use netrep_compiler::phrase::forms::{Category, Form, Own, Takes};
use netrep_compiler::phrase::term::{Detail, Frame, Origin, Seat, Term, TypeName, Use};
use netrep_compiler::phrase::tree::TermKind;

use super::words::{Sort, said, value_of};
use super::{At, Open, Writer};

/// The category of the phrases that a hole holds, if it holds phrases.
pub(super) fn category_of(own: Own) -> Option<Category> {
    Some(match own {
        Own::Things | Own::Joined | Own::Several | Own::Anything => Category::Np,
        Own::Thing | Own::Place | Own::Figure => Category::One,
        Own::Bound => Category::Number,
        Own::Counted => Category::Product,
        Own::Block | Own::Body => Category::Sequence,
        _ => return None,
    })
}

/// True if a hole holds things.
pub(super) fn holds_things(own: Own) -> bool {
    matches!(own, Own::Things | Own::Joined | Own::Several | Own::Thing)
}

/// Whether the row says that a fact changes.
fn alters(open: &Open) -> bool {
    matches!(open.row.form, Form::EventBecomes | Form::EventCeases)
}

impl Writer<'_> {
    /// What stands in a hole that is no category.
    pub(super) fn own(&mut self, own: Own, at: &At, open: &mut Open) -> Option<()> {
        let words = self.words;
        let here = |want: Sort| At { want, ..at.clone() };
        let sort = match own {
            Own::Things | Own::Joined => {
                let want = match open.term.clone() {
                    Some(fact) if alters(open) => self.holder(&fact)?,
                    _ => at.want.clone(),
                };
                self.category(Category::Np, &here(want))?
            }
            Own::Thing => self.one(at)?,
            Own::Several => {
                if self.chance(50) {
                    self.say("each");
                    self.noun(at, false)?
                } else {
                    self.noun(at, true)?
                }
            }
            Own::Place => self.category(Category::One, &here(Sort::Place))?,
            Own::Single | Own::KnownLabel => self.label(&at.want).or_else(|| match own {
                Own::Single => self.term(TermKind::Role, open),
                _ => None,
            })?,
            Own::Fact => {
                let origin = |from: Origin| from != Origin::Figure;
                let facts = words.facts(&Sort::Any, &Sort::Any, origin);
                let fact = self.any(&facts)?;
                self.say(&said(&fact, Use::Name));
                self.say("of");
                let want = self.holder(&fact)?;
                self.one(&At { want, before: Sort::Any, takes: at.takes })?;
                words.sort(value_of(&fact)?)
            }
            Own::Figure => self.category(Category::One, &here(Sort::Number))?,
            Own::Bound => {
                self.category(Category::Number, &here(Sort::Any))?;
                Sort::Number
            }
            Own::Counted => {
                self.category(Category::Product, &here(Sort::Any))?;
                Sort::Number
            }
            Own::EntryLike => self.one(&here(open.last.clone()))?,
            Own::Anything => match self.numbers.below(4) {
                0 => {
                    self.category(Category::Number, &here(Sort::Any))?;
                    Sort::Number
                }
                _ => self.category(Category::Np, &here(Sort::Any))?,
            },
            Own::Value => {
                let wanted = open.term.as_ref().and_then(|term| value_of(term)).map(|value| words.sort(value));
                let wanted = wanted.unwrap_or_else(|| open.last.clone());
                self.value(&wanted, at)?
            }
            Own::Block => return self.block(at),
            Own::Body if open.row.form == Form::ClauseWhile => {
                self.category(Category::Change, &here(Sort::Any))?;
                return Some(());
            }
            Own::Body if self.chance(50) => return self.block(at),
            Own::Body => {
                self.category(Category::Sequence, &here(Sort::Any))?;
                return Some(());
            }
            Own::Arguments => return self.arguments(open, at),
            Own::Facts => return self.of_class(open, at),

            Own::Procedure if open.label.is_some() => {
                let has = |steps: &Vec<String>| open.label.as_ref().is_some_and(|step| steps.contains(step));
                let names: Vec<String> =
                    words.steps.iter().filter(|(_, steps)| has(steps)).map(|(name, _)| name.clone()).collect();
                let procedure = words.named(TermKind::Procedure, &self.any(&names)?)?;
                self.say(&said(procedure, Use::Name));
                return Some(());
            }
            Own::Procedure | Own::Running | Own::Course => self.term(TermKind::Procedure, open)?,
            Own::Role => self.term(TermKind::Role, open)?,
            Own::Class => {
                let made = open.row.form == Form::OneNew;
                let classes = words.those(TermKind::Class, |term| {
                    let class = Sort::Thing(Arc::clone(&term.key.name));
                    words.fits(&class, &at.want) && !(made && words.fits(&class, &words.card))
                });
                let class = self.any(&classes)?;
                self.say(&said(&class, Use::Name));
                open.term = Some(Arc::clone(&class));
                Sort::Thing(Arc::clone(&class.key.name))
            }
            Own::Zone => {
                self.term(TermKind::Place, open)?;
                Sort::Place
            }
            Own::Attribute | Own::NumberFact => {
                let alters = alters(open);
                let of_number = !alters && (own == Own::NumberFact || self.chance(80));
                let want = if of_number { Sort::Number } else { Sort::Any };
                let mut facts = words.facts(&open.last, &want, |from| !alters || from == Origin::State);
                // Of a number no change is told.
                let is_number = |fact: &Term| value_of(fact).is_some_and(|value| words.sort(value) == Sort::Number);
                facts.retain(|fact| !alters || !is_number(fact));
                let fact = self.any(&facts)?;
                self.say(&said(&fact, Use::Name));
                open.term = Some(fact);
                return Some(());
            }
            Own::Trait | Own::TraitBefore => self.trait_of(&open.last)?,
            Own::AloneBefore | Own::Adjective => self.described(&open.last, false)?,
            Own::AdjectiveAfter => self.described(&open.last, true)?,
            Own::Plainest => {
                let verbs = words.those(TermKind::Verb, |term| term.forms.iter().any(|form| form.used == Use::Base));
                let verb = self.any(&verbs)?;
                self.say(&said(&verb, Use::Base));
                open.term = Some(verb);
                return Some(());
            }

            Own::Naming => return self.named(&open.last.clone()),
            Own::Result => return self.named(&Sort::Number),
            Own::Label | Own::NewLabel | Own::Aim => {
                if own == Own::Aim && self.chance(60) {
                    self.say("target");
                    self.bind("target", &open.last);
                    return Some(());
                }
                let label = self.free_label();
                self.say(&label);
                self.bind(&label, &open.last);
                return Some(());
            }
            Own::Capital => {
                let label = self.free_label();
                self.say(&label);
                open.label = Some(label);
                return Some(());
            }
            Own::Step | Own::Rest => {
                let steps: Vec<String> = words.steps.values().flatten().cloned().collect();
                let step = self.any(&steps)?;
                self.say(&step);
                if own == Own::Step {
                    open.label = Some(step);
                }
                return Some(());
            }

            Own::Literal => {
                let number = self.number();
                self.say(&number.to_string());
                Sort::Number
            }
            Own::Amount => {
                let number = 1 + self.number();
                self.say(&number.to_string());
                return Some(());
            }
            Own::Quoted => {
                let title = self.any(&words.titles(&at.want))?;
                self.say(&format!("\"{title}\""));
                words.card.clone()
            }
            Own::NumberedCard => {
                let id = self.any(words.ids())?;
                self.say(&id);
                words.card.clone()
            }
            Own::Called => self.called(&at.want)?,
            Own::FactOf => self.fact_of(at)?,
            Own::Belongings => self.belonging(&open.last, &at.want)?,
            Own::YourOwn => {
                let you = words.named(TermKind::Definition, "you").and_then(|term| value_of(term));
                let you = you.map_or(Sort::Any, |value| words.sort(value));
                self.belonging(&you, &at.want)?
            }
            Own::OwnPlural => self.noun(at, true)?,

            Own::Relation | Own::RelationOfThis => {
                let of = if own == Own::RelationOfThis { self.this.clone() } else { open.last.clone() };
                let sort = self.relation(&of, false, at)?;
                if own == Own::RelationOfThis {
                    self.named(&sort)?;
                }
                return Some(());
            }
            Own::FiniteRelation => {
                self.relation(&open.last, true, at)?;
                return Some(());
            }
            Own::Participle => self.suffered(&open.last, at)?,
            Own::FactWith => self.fact_with(&open.last, at)?,

            Own::PlainAct | Own::PlainEvent => self.act(Use::Base, None, at)?,
            Own::FiniteAct | Own::FiniteEvent => {
                let used = if self.plural { Use::Base } else { Use::Third };
                self.act(used, Some(&open.last), at)?
            }
            Own::DoneAct => self.act(Use::Past, Some(&open.last), at)?,
            Own::BareEvent => self.act(Use::Base, Some(&open.last), at)?,
            Own::SufferedAct | Own::DoneEvent => self.suffered(&open.last, at)?,
            Own::DeedOfThis => {
                let this = self.this.clone();
                self.category(Category::Deed, &At { want: Sort::Any, before: this, takes: at.takes })?;
                return Some(());
            }
            Own::PrintedFigure => {
                let of = self.this.clone();
                let figures = words.facts(&of, &Sort::Any, |from| from == Origin::Figure);
                let figure = self.any(&figures)?;
                return self.printed(&figure);
            }
        };
        if sort != Sort::Any {
            open.last = sort;
        }
        Some(())
    }

    /// A declared word by its name.
    fn term(&mut self, kind: TermKind, open: &mut Open) -> Option<Sort> {
        let term = self.any(self.words.all(kind))?;
        self.say(&said(&term, Use::Name));
        let sort = value_of(&term).map_or(Sort::Any, |value| self.words.sort(value));
        open.term = Some(term);
        Some(sort)
    }

    /// A label that stands for such a thing.
    fn label(&mut self, want: &Sort) -> Option<Sort> {
        let fitting: Vec<(String, Sort)> =
            self.labels.iter().filter(|(_, sort)| self.words.fits(sort, want)).cloned().collect();
        let (label, sort) = self.any(&fitting)?;
        self.say(&label);
        Some(sort)
    }

    /// `as L`.
    fn named(&mut self, sort: &Sort) -> Option<()> {
        let label = self.free_label();
        self.say("as");
        self.say(&label);
        self.bind(&label, sort);
        Some(())
    }

    /// Statements in braces; what is bound in them is known in them.
    pub(super) fn block(&mut self, at: &At) -> Option<()> {
        self.say("{");
        let bound = self.labels.len();
        self.category(Category::Sequence, &At { want: Sort::Any, before: Sort::Any, takes: at.takes })?;
        self.labels.truncate(bound);
        self.say("}");
        Some(())
    }

    /// A value of a sort; now and then there is none.
    pub(super) fn value(&mut self, wanted: &Sort, at: &At) -> Option<Sort> {
        let here = At { want: wanted.clone(), before: Sort::Any, takes: at.takes };
        match wanted {
            _ if self.chance(4) => self.say("none"),
            Sort::Number => _ = self.category(Category::Number, &At { want: Sort::Any, ..here })?,
            Sort::Truth => {
                let word = ["yes", "no"][self.numbers.below(2)];
                self.say(word);
            }
            Sort::Entry(_) | Sort::Place => _ = self.one(&here)?,
            Sort::Thing(_) | Sort::Any => _ = self.category(Category::Np, &here)?,
        }
        Some(wanted.clone())
    }

    /// What a procedure is performed for.
    fn arguments(&mut self, open: &Open, at: &At) -> Option<()> {
        let Detail::Procedure { params } = &open.term.as_ref()?.detail else { return None };
        if params.is_empty() {
            return None;
        }
        for (nth, param) in params.iter().enumerate() {
            if nth > 0 {
                self.say(",");
            }
            let value = self.any(&param.types)?;
            self.value(&self.words.sort(&value), at)?;
        }
        Some(())
    }

    /// Facts with which a thing of the class that was said is made.
    fn of_class(&mut self, open: &Open, at: &At) -> Option<()> {
        let class = Sort::Thing(Arc::clone(&open.term.as_ref()?.key.name));
        let facts = self.words.facts(&class, &Sort::Any, |from| from == Origin::State);
        for nth in 0..=self.numbers.below(3) {
            let fact = self.any(&facts)?;
            if nth > 0 {
                self.say(",");
            }
            self.say(&said(&fact, Use::Name));
            match self.words.sort(value_of(&fact)?) {
                Sort::Truth => {}
                sort => _ = self.value(&sort, at)?,
            }
        }
        Some(())
    }

    /// `length > 3`, `wood Oak`.
    fn fact_with(&mut self, of: &Sort, at: &At) -> Option<Sort> {
        let facts = self.words.facts(of, &Sort::Any, |_| true);
        let fact = self.any(&facts)?;
        self.say(&said(&fact, Use::Name));
        let sort = self.words.sort(value_of(&fact)?);
        let here = At { want: sort.clone(), before: Sort::Any, takes: at.takes };
        match sort {
            Sort::Number => {
                self.category(Category::Comparing, &At { want: Sort::Any, ..here })?;
            }
            Sort::Truth => return None,
            _ => _ = self.one(&here)?,
        }
        Some(Sort::Any)
    }

    /// A verb with its roles, of a subject or without one.
    fn act(&mut self, used: Use, subject: Option<&Sort>, at: &At) -> Option<Sort> {
        let verb = self.any(&self.words.verbs(used, &Seat::Subject, subject))?;
        self.say(&said(&verb, used));
        self.roles(&verb, false, at)
    }

    /// What was done to a thing: the past form, and who did it.
    fn suffered(&mut self, of: &Sort, at: &At) -> Option<Sort> {
        let verb = self.any(&self.words.verbs(Use::Past, &Seat::Object, Some(of)))?;
        self.say(&said(&verb, Use::Past));
        self.roles(&verb, true, at)?;
        let Detail::Verb { frame } = &verb.detail else { return None };
        if let Some(role) = frame.roles.iter().find(|role| role.seat == Seat::Subject)
            && self.left > 1
            && self.chance(30)
        {
            self.say("by");
            let value = self.any(&role.param.types)?;
            self.role(&value, at)?;
        }
        Some(Sort::Any)
    }

    /// The roles that follow a verb, without its object if that has been said.
    fn roles(&mut self, verb: &Term, objectless: bool, at: &At) -> Option<Sort> {
        let Detail::Verb { frame: Frame { roles, groups } } = &verb.detail else { return None };
        for group in groups {
            let role = group.role.and_then(|role| roles.get(role));
            if role.is_some_and(|role| role.seat == Seat::Object) && objectless || group.optional && !self.chance(30) {
                continue;
            }
            group.before.iter().for_each(|word| self.say(word));
            if let Some(role) = role {
                let value = self.any(&role.param.types)?;
                self.role(&value, at)?;
            }
            group.after.iter().for_each(|word| self.say(word));
        }
        Some(Sort::Any)
    }

    fn role(&mut self, value: &TypeName, at: &At) -> Option<()> {
        let want = self.words.sort(value);
        let here = At { want: want.clone(), before: Sort::Any, takes: at.takes };
        match want {
            Sort::Number => _ = self.category(Category::Number, &At { want: Sort::Any, takes: Takes::One, ..here })?,
            Sort::Truth => return None,
            _ => _ = self.category(Category::Np, &here)?,
        }
        Some(())
    }

    /// A figure with its values.
    pub(super) fn printed(&mut self, figure: &Term) -> Option<()> {
        let Detail::Attribute { value, many, least, .. } = &figure.detail else { return None };
        self.say(&said(figure, Use::Name));
        let most = if *many { 3 } else { 1 };
        for nth in 0..=self.numbers.below(most) {
            match self.words.sort(value) {
                Sort::Truth => return Some(()),
                _ if nth > 0 => self.say(","),
                _ => {}
            }
            match (value, self.words.sort(value)) {
                (TypeName::NumberFor(list), _) | (TypeName::Named(list), Sort::Entry(_)) => {
                    let entry = self.any(&self.words.entries(list))?;
                    self.say(&said(&entry, Use::Name));
                }
                (_, Sort::Number) => {
                    let number = self.number().max(u64::try_from(least.unwrap_or(0)).unwrap_or(0));
                    self.say(&number.to_string());
                }
                (_, sort @ (Sort::Thing(_) | Sort::Any)) => {
                    let title = self.any(&self.words.titles(&sort))?;
                    self.say(&format!("\"{title}\""));
                }
                (_, Sort::Place | Sort::Truth | Sort::Entry(_)) => return None,
            }
        }
        Some(())
    }
}
