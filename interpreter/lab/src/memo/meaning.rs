//! What the phrases of a scenario mean under a program, as one number.
//!
//! A scenario is words, and words are defined elsewhere: the fingerprints of what its run consulted do not show that
//! `lit` has come to mean something else. This number does.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use netrep_compiler::Compiler;
use netrep_engine::{Fact, Value};
use netrep_ir::{Map, Mapper};
use xxhash_rust::xxh3::Xxh3;

use super::names::{Names, hash};
use crate::find::title;
use crate::prepare::{Action, Cited, Prepared};
use crate::words::folded;

/// What a prepared scenario means. Equal for two preparations of one text if all its phrases mean the same.
pub fn meaning(prepared: &Prepared) -> u64 {
    let program = &prepared.program;
    let mut of = Meaning { names: Names::of(program), hasher: Xxh3::new() };
    let setup = &prepared.position.setup;
    for card in &setup.cards {
        of.add(&program.cards.get(card.index()).map(|card| card.id.as_str()));
    }
    for (class, _) in &setup.minted {
        let class = of.names.class(*class);
        of.add(&class);
    }
    setup.facts.iter().for_each(|fact| of.fact(fact));
    setup.roles.iter().for_each(|(_, value)| of.value(value));
    for frame in &setup.start {
        let (proc, step) = (of.names.proc(frame.proc), frame.step.map(|step| of.names.step(step)));
        of.add(&proc);
        of.add(&step);
        frame.arguments.iter().for_each(|value| of.value(value));
    }
    for task in &prepared.script {
        of.add(&task.aside);
        of.action(&task.action);
    }
    prepared.cites.iter().for_each(|cited| of.cited(cited));
    of.hasher.finish()
}

/// A number that stays equal as long as the phrases of scenarios can mean the same: it covers what words mean, and which cards share
/// a name, because of these one is meant.
pub(super) fn words_print(compiler: &Compiler) -> u64 {
    let mut by_title: BTreeMap<String, Vec<(Arc<str>, bool)>> = BTreeMap::new();
    for card in compiler.items().into_iter().filter(|item| item.head == "card") {
        // What is printed before is preferred to a reprint.
        let is_reprint = card.text.contains("reprint of");
        by_title.entry(folded(&title(&card))).or_default().push((card.key, is_reprint));
    }
    by_title.retain(|_, cards| cards.len() > 1);
    hash(&(compiler.phrases_print(), by_title))
}

struct Meaning<'p> {
    names: Names<'p>,
    hasher: Xxh3,
}

impl Meaning<'_> {
    fn add<T: Hash>(&mut self, value: &T) {
        value.hash(&mut self.hasher);
    }

    fn phrase<T: Map + Clone + Hash>(&mut self, phrase: &T) {
        let mut phrase = phrase.clone();
        phrase.map_ids(&mut self.names, 0);
        self.add(&phrase);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Entry(entry) => {
                let entry = self.names.entry(*entry);
                self.add(&entry);
            }
            other => self.add(other),
        }
    }

    fn fact(&mut self, fact: &Fact) {
        let names = &mut self.names;
        match fact {
            Fact::Attr { attr, thing, value } => {
                let attr = names.attr(*attr);
                self.add(&(attr, *thing));
                self.value(value);
            }
            Fact::Without { attr, thing, entry } => {
                let (attr, entry) = (names.attr(*attr), names.entry(*entry));
                self.add(&(attr, *thing, entry));
            }
            Fact::Put { thing, place, owner } => {
                let place = place.map(|place| names.place(place));
                self.add(&(*thing, place, *owner));
            }
            Fact::Holds(cond, words) => {
                self.phrase(cond);
                self.add(words);
            }
            Fact::Past(past, words) => {
                self.phrase(&netrep_ir::Cond::Did(Box::new(past.clone())));
                self.add(words);
            }
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Holds(cond, words) => {
                self.phrase(cond);
                self.add(words);
            }
            Action::Seen { by, cond, text, tells } => {
                self.phrase(cond);
                self.add(&(by, text, tells));
            }
            Action::Refused { because, .. } => because.iter().for_each(|cited| self.cited(cited)),
            Action::Unsaid(wrong) => self.add(&wrong.message),
            Action::Cases(forks) => {
                for task in forks.iter().flat_map(|fork| &fork.script) {
                    self.action(&task.action);
                }
            }
            Action::UntilAt(moment) | Action::Move { at: Some(moment), .. } => {
                self.add(&(moment.text.as_str(), moment.proc.is_some(), moment.steps.len()));
            }
            // Their words are matched with those of options, which the run reads.
            _ => self.add(&action.is_submission()),
        }
    }

    fn cited(&mut self, cited: &Cited) {
        for clause in &cited.clauses {
            let clause = self.names.clause(*clause);
            self.add(&clause);
        }
    }
}
