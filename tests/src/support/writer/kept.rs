//! What holes of blocks, data and declarations hold: names that are there or are invented, ids, dates, clauses.

use std::sync::Arc;

use netrep_compiler::phrase::forms::{Form, Kept, Takes};
use netrep_compiler::phrase::term::Use;
use netrep_compiler::phrase::tree::TermKind;

use super::words::{Sort, said};
use super::{At, Open, Writer};

impl Writer<'_> {
    /// What stands in such a hole.
    pub(super) fn kept(&mut self, kept: Kept, hole: usize, at: &At, open: &mut Open) -> Option<()> {
        let words = self.words;
        let text = match kept {
            Kept::Class => {
                let class = self.any(words.all(TermKind::Class))?;
                open.last = Sort::Thing(Arc::clone(&class.key.name));
                said(&class, Use::Name)
            }
            Kept::Clauses => return self.inner(open.row.form),
            Kept::Figure => said(&*self.any(&words.facts(&Sort::Any, &Sort::Any, |_| true))?, Use::Name),
            Kept::Label => {
                let label = self.free_label();
                self.bind(&label, &open.last);
                label
            }
            Kept::Term => said(&*self.any(words.all(TermKind::Entry))?, Use::Name),
            Kept::Value => return self.default_value(open, at),
            Kept::Word | Kept::Words => self.name(open.row.form, open.row.holes[hole], open)?,
            Kept::Id | Kept::Key => self.invented(),
            Kept::Quoted => format!("\"{}\"", self.invented()),
            Kept::Book => self.any(&["ICE", "METW", "MELE"])?.to_owned(),
            Kept::CardId | Kept::RuleNumber | Kept::Item => {
                let head = match kept {
                    Kept::CardId => Some("card"),
                    Kept::RuleNumber => Some("rule"),
                    _ => None,
                };
                let of: Vec<String> = words
                    .items
                    .iter()
                    .filter(|item| head.is_none_or(|head| head == item.0))
                    .map(|item| item.1.clone())
                    .collect();
                self.any(&of)?
            }
            Kept::ClauseName => {
                // Mostly of the item that was just named.
                let key = self.text.rsplit(' ').next().unwrap_or_default();
                let labels = words.items.iter().find(|item| item.1 == key).map(|item| item.2.clone());
                self.any(&labels.filter(|labels| !labels.is_empty())?)?
            }
            Kept::Count => (1 + self.number()).to_string(),
            Kept::Date => format!("{}-05-29", 1990 + self.numbers.below(40)),
            Kept::Hash => format!("\"{:08x}\"", self.numbers.below(usize::MAX) as u32),
        };
        self.say(&text);
        Some(())
    }

    /// A name that nobody has.
    pub(super) fn invented(&mut self) -> String {
        const SOUNDS: [&str; 8] = ["ba", "lu", "mik", "zor", "te", "wex", "nyl", "gof"];
        let sound = SOUNDS[self.numbers.below(SOUNDS.len())];
        self.invented += 1;
        format!("q{}{sound}{}", words_of_letters(self.nth), words_of_letters(self.invented))
    }

    /// Words in a declaration: those of a new term, or of one that is there.
    fn name(&mut self, form: Form, hole: &str, open: &mut Open) -> Option<String> {
        let words = self.words;
        let kind = match (form, hole) {
            (Form::DeclarationExtend, "name") => TermKind::List,
            (Form::TypeTally, "of") => TermKind::List,
            (Form::FeatureMany, "of") | (Form::FeaturePrinted, "classes") => TermKind::Class,
            (Form::FeaturePlace, "place") => TermKind::Place,
            (Form::SpellingTerm, _) => {
                let mut name = self.invented();
                name.replace_range(..1, "Q");
                return Some(name);
            }
            (Form::NeededOne, "figures") => TermKind::Attribute,
            (Form::BlocksTiming, "verbs") | (Form::BlocksAction, "v") => TermKind::Verb,
            (Form::BlocksTiming, "name") => return Some(["immediate", "following"][self.numbers.below(2)].to_owned()),
            (Form::BlocksSteps, "names") | (Form::BlocksStep, "name" | "p") => return None,
            (Form::DataService | Form::DataGreatest | Form::DataDescribed, _) => TermKind::Attribute,
            // What stands between roles is said often.
            (Form::RolesRole | Form::RolesOptional | Form::RolesWords | Form::RolesAside, _) => {
                return Some(["with", "into", "for", "against", "beside", "up"][self.numbers.below(6)].to_owned());
            }
            _ => return Some(self.invented()),
        };
        let term = self.any(words.all(kind))?;
        open.term = Some(Arc::clone(&term));
        Some(said(&term, if kind == TermKind::Verb { Use::Base } else { Use::Name }))
    }

    /// What a fact is where nothing else has been said.
    fn default_value(&mut self, open: &Open, at: &At) -> Option<()> {
        match open.last.clone() {
            Sort::Number | Sort::Any => {
                let number = self.number();
                self.say(&number.to_string());
            }
            sort => _ = self.value(&sort, &At { takes: Takes::Value, ..at.clone() })?,
        }
        Some(())
    }
}

/// A number in letters: names have no digits.
pub(crate) fn words_of_letters(mut number: u64) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return text;
        }
    }
}
