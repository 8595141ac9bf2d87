//! Whole items: cards of a class with what is printed on them, rules with a procedure, rulings, declarations.

use std::sync::Arc;

use netrep_compiler::phrase::forms::{Category, Form, ROWS, Row, Takes};
use netrep_compiler::phrase::term::{Detail, Origin, Term, TypeName, Use};
use netrep_compiler::phrase::tree::TermKind;

use super::words::{Sort, said};
use super::{At, Words, Writer};
use crate::fuzzed::Numbers;

/// What kind of item was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A card, with the class that it was written as.
    Card(String),
    Rule,
    /// A ruling with one reading.
    Ruling,
    Declaration,
}

impl Kind {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Kind::Card(_) => "card",
            Kind::Rule => "rule",
            Kind::Ruling => "ruling",
            Kind::Declaration => "declaration",
        }
    }
}

/// An item that was written.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub kind: Kind,
    pub text: String,
}

/// The name of every card that is written: which of them stands in a position makes no difference to its text.
pub(crate) const TITLE: &str = "Unheard Of";

/// The id of a card, rule or ruling.
pub(crate) fn key(kind: &Kind, nth: u64) -> String {
    match kind {
        Kind::Card(_) => format!("ZZ-{nth}"),
        Kind::Rule => format!("99.{nth}"),
        Kind::Ruling => format!("zz-{nth}"),
        Kind::Declaration => String::new(),
    }
}

/// The item of a number; of its sentences those that cannot be written are left out.
pub(crate) fn written(words: &Words, numbers: &mut Numbers, nth: u64, card: bool) -> Written {
    let (left, length) = (7 + numbers.below(8), 20 + numbers.below(150));
    let (text, labels) = (String::new(), Vec::new());
    let mut writer = Writer {
        words,
        numbers,
        text,
        labels,
        this: Sort::Any,
        left,
        begun: 0,
        length,
        paying: false,
        done: false,
        plural: false,
        nth,
        invented: 0,
    };
    let kind = match writer.numbers.below(10) {
        _ if card => writer.card(),
        0..4 => writer.rule(),
        4..6 => writer.ruling(),
        _ => writer.declaration(),
    };
    Written { kind, text: writer.text }
}

/// Clauses that stand in cards and in rules, in rules alone, and in the block of `play` or `may`.
fn clauses(of: &[Form]) -> Vec<&'static Row> {
    ROWS.iter().filter(|row| row.category == Category::Clause && of.contains(&row.form)).collect()
}

const COMMON: &[Form] = &[
    Form::ClauseWhen,
    Form::ClauseWhen,
    Form::ClauseWhen,
    Form::ClauseInstead,
    Form::ClauseInstead,
    Form::ClauseWhile,
    Form::ClauseWhile,
    Form::ClauseCannot,
    Form::ClauseRegardless,
    Form::ClauseStatement,
    Form::ClauseStatement,
    Form::ClauseStatement,
    Form::ClauseHas,
];
const OF_CARDS: &[Form] = &[
    Form::ClausePlay,
    Form::ClausePlay,
    Form::ClausePlay,
    Form::ClauseMay,
    Form::ClauseMay,
    Form::ClauseMay,
    Form::ClauseSubjectMay,
    Form::ClauseBareCannot,
    Form::ClauseFigure,
];
const OF_RULES: &[Form] = &[
    Form::ClauseWhenNeeds,
    Form::ClauseAtNeeds,
    Form::ClauseAlways,
    Form::ClauseSubjectMay,
    Form::ClauseAction,
    Form::ClauseSpare,
    Form::ClauseMust,
    Form::ClauseNeed,
    Form::ClauseAt,
];
const OF_BLOCKS: &[Form] = &[
    Form::ClauseIf,
    Form::ClauseIf,
    Form::ClauseUnless,
    Form::ClauseCost,
    Form::ClauseEffect,
    Form::ClauseLasts,
    Form::ClauseLastsUntil,
    Form::ClauseLastsWhile,
];
/// What stands in few blocks.
const SELDOM: &[Form] = &[Form::ClauseLeaves, Form::ClauseOtherwise, Form::ClauseLimit, Form::ClauseEnds];

impl Writer<'_> {
    fn nothing(&self) -> At {
        At { want: Sort::Any, before: Sort::Any, takes: Takes::Known }
    }

    /// A card of some class, with what must be printed, something more, and some clauses.
    fn card(&mut self) -> Kind {
        let words = self.words;
        self.text.push_str(&format!("card {} \"{TITLE}\" {{\n", key(&Kind::Card(String::new()), self.nth)));
        let printed =
            |class: &Term| class.only.is_some() && words.fits(&Sort::Thing(Arc::clone(&class.key.name)), &words.card);
        let classes = words.those(TermKind::Class, printed);
        let class = self.any(&classes);
        let mut name = String::new();
        if let Some(class) = class {
            name = class.key.name.to_string();
            self.this = Sort::Thing(Arc::clone(&class.key.name));
            // What is printed makes it one of further classes, which ask for more.
            let mut facts: Vec<(Arc<str>, Arc<str>)> = Vec::new();
            let mut above = Some(class);
            while let Some(class) = above {
                if let Some((fact, terms)) = &class.only
                    && !facts.iter().any(|(known, _)| known == fact)
                {
                    facts.extend(self.any(terms).map(|term| (Arc::clone(fact), term)));
                }
                above = words.above(&class.key.name).and_then(|name| words.named(TermKind::Class, name)).cloned();
            }
            for (fact, term) in &facts {
                self.sentence(&format!("{fact} {term}"));
            }
            let is_so = |class: &Term| {
                class.only.as_ref().is_some_and(|(fact, terms)| {
                    facts.iter().any(|(known, term)| known == fact && terms.contains(term))
                })
            };
            let classes = words.those(TermKind::Class, is_so);
            let mut needs: Vec<String> =
                classes.iter().flat_map(|class| &class.needs).map(|needs| needs.to_string()).collect();
            let printed = |figure: &Term| match &figure.detail {
                Detail::Attribute { on, .. } => {
                    on.is_empty() || on.iter().any(|on| classes.iter().any(|class| class.key.name == *on))
                }
                _ => false,
            };
            for _ in 0..self.numbers.below(3) {
                let mut others = words.facts(&self.this, &Sort::Any, |from| from == Origin::Figure);
                others.retain(|figure| printed(figure));
                needs.extend(self.any(&others).map(|figure| figure.key.name.to_string()));
            }
            needs.sort();
            needs.dedup();
            for figure in needs {
                // Of several that would do, the first.
                let figure = figure.split(" or ").next().unwrap_or_default();
                if facts.iter().any(|(known, _)| **known == *figure) {
                    continue;
                }
                let Some(figure) = words.named(TermKind::Attribute, figure).cloned() else { continue };
                self.line(|writer| writer.printed(&figure));
            }
        }
        self.clauses(&[COMMON, OF_CARDS, OF_CARDS].concat());
        self.text.push_str("}\n");
        Kind::Card(name)
    }

    /// A rule: clauses, now and then a procedure with a step, and what sets it off.
    fn rule(&mut self) -> Kind {
        self.text.push_str(&format!("rule {} \"{TITLE}\" {{\n", key(&Kind::Rule, self.nth)));
        if self.chance(40) {
            let name = self.invented();
            self.sentence(&format!("[{name}] procedure {name} for (player P) {{ steps {name} one. }}"));
            self.text.push_str(&format!("step {name} one of {name} {{\n"));
            self.bind("P", &self.words.sort(&TypeName::Named(Arc::from("player"))));
            for _ in 0..=self.numbers.below(3) {
                self.line(|writer| {
                    let at = writer.nothing();
                    writer.category(Category::Statement, &at)
                });
            }
            self.labels.clear();
            self.text.push_str("}\n");
            self.line(|writer| {
                writer.say("when");
                let at = writer.nothing();
                writer.category(Category::Event, &At { takes: Takes::Some, ..at })?;
                writer.say(": perform");
                writer.say(&name);
                writer.say("for you");
                Some(())
            });
        }
        self.clauses(&[COMMON, OF_RULES].concat());
        self.text.push_str("}\n");
        Kind::Rule
    }

    /// A ruling whose one reading changes what is there.
    fn ruling(&mut self) -> Kind {
        self.text.push_str(&format!("ruling {} \"{TITLE}?\" {{\n", key(&Kind::Ruling, self.nth)));
        let about = self.any(&self.words.items).map(|item| item.1).unwrap_or_default();
        self.sentence(&format!("about {about}"));
        self.text.push_str("reading one {\nauthority \"nobody\".\ndate 2020-01-31.\nstatus in force.\n");
        let changes = ROWS
            .iter()
            .filter(|row| matches!(row.form, Form::DataReplace | Form::DataAmend | Form::DataRemove | Form::DataAdd));
        let changes: Vec<&'static Row> = changes.collect();
        for _ in 0..=self.numbers.below(2) {
            self.this = self.words.card.clone();
            let Some(row) = self.any(&changes) else { continue };
            self.line(|writer| {
                let at = writer.nothing();
                writer.row(row, &at)
            });
        }
        self.text.push_str("}\n}\n");
        Kind::Ruling
    }

    /// A word of the vocabulary.
    fn declaration(&mut self) -> Kind {
        for _ in 0..8 {
            let done = self.line(|writer| {
                let at = writer.nothing();
                writer.category(Category::Declaration, &at)
            });
            if done.is_some() {
                break;
            }
        }
        Kind::Declaration
    }

    // ---- sentences

    /// True behind a block of clauses: its brace stands on a line of its own, as that of a block of statements does not.
    fn is_closed(&self) -> bool {
        self.text.trim_end().ends_with("\n}")
    }

    fn sentence(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push_str(if words.ends_with('}') { "\n" } else { ".\n" });
    }

    /// A sentence to its end; nothing, if it cannot be written.
    fn line<T>(&mut self, write: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.begun = self.text.len();
        let done = self.tried(write)?;
        // Clauses in braces end their sentence, statements do not.
        self.text.push_str(if self.is_closed() { "\n" } else { ".\n" });
        Some(done)
    }

    /// Some clauses of these kinds.
    fn clauses(&mut self, of: &[Form]) {
        let rows = clauses(of);
        let most = [1, 1, 1, 2, 2, 5][self.numbers.below(6)];
        for _ in 0..most {
            let Some(form) = self.any(of) else { return };
            let Some(row) = rows.iter().copied().find(|row| row.form == form) else { continue };
            self.labels.clear();
            self.line(|writer| {
                let label = writer.invented();
                writer.say(&format!("[{label}]"));
                writer.clause(row)
            });
        }
    }

    /// A clause with the parts and the block that follow it.
    fn clause(&mut self, row: &'static Row) -> Option<()> {
        let at = self.nothing();
        self.paying = row.form == Form::ClauseCost;
        // On a card a sentence by itself is a modifier; what is done stands behind what sets it off.
        if row.form == Form::ClauseStatement && self.this != Sort::Any {
            return self.category(Category::Modifier, &at).map(|_| ());
        }
        self.row(row, &at)?;
        self.paying = false;
        match row.form {
            Form::ClausePlay => {
                self.granted(&[Form::PartTarget, Form::PartChoosing, Form::PartDuring, Form::PartGuard])
            }
            Form::ClauseMay | Form::ClauseSubjectMay => {
                let deed = At { takes: Takes::Deed, ..at };
                self.paying = true;
                match self.numbers.below(10) {
                    0 => {}
                    1 => _ = self.category(Category::Statement, &deed)?,
                    _ => _ = self.row(ROWS.iter().find(|row| row.form == Form::StatementAct)?, &deed)?,
                }
                self.paying = false;
                self.granted(&[Form::PartChoosing, Form::PartDuring, Form::PartLimit, Form::PartGuard])
            }
            Form::ClauseHas | Form::ClauseLasts | Form::ClauseLastsUntil | Form::ClauseLastsWhile => {
                self.say("{");
                self.left += 1;
                let inner = [Form::ClauseStatement, Form::ClauseCannot, Form::ClauseWhen, Form::ClauseMay];
                let inner = self.any(&clauses(&inner))?;
                // What things have says `this` of them.
                let this = if row.form == Form::ClauseHas { self.words.card.clone() } else { self.this.clone() };
                let before = std::mem::replace(&mut self.this, this);
                let done = self.clause(inner);
                self.this = before;
                done?;
                self.close();
                Some(())
            }
            _ => Some(()),
        }
    }

    /// What follows `play` and `may`: parts, then a body or a block.
    fn granted(&mut self, parts: &[Form]) -> Option<()> {
        let at = At { takes: Takes::Choice, ..self.nothing() };
        for form in parts {
            if self.chance(40)
                && let Some(row) = ROWS.iter().find(|row| row.form == *form)
            {
                self.tried(|writer| writer.row(row, &at));
            }
        }
        if self.chance(25) && parts.contains(&Form::PartLimit) {
            let does = ROWS.iter().find(|row| row.form == Form::PartDoes)?;
            self.row(does, &self.nothing())?;
            return Some(());
        }
        self.say("{");
        for _ in 0..=self.numbers.below(3) {
            let of = if self.chance(5) { SELDOM } else { OF_BLOCKS };
            let row = self.any(&clauses(of))?;
            self.line(|writer| writer.clause(row));
        }
        self.begun = self.text.len();
        let effect = ROWS.iter().find(|row| row.form == Form::ClauseEffect)?;
        self.clause(effect)?;
        self.close();
        Some(())
    }

    fn close(&mut self) {
        self.text.push_str(if self.is_closed() || self.text.ends_with('\n') { "\n}\n" } else { ".\n}\n" });
    }

    /// The clauses in the braces of a block, a declaration or a change.
    pub(super) fn inner(&mut self, form: Form) -> Option<()> {
        let inner: &[Form] = match form {
            Form::DeclarationVerb => &[Form::ClauseIf, Form::ClauseEffect, Form::ClauseLeaves],
            Form::BlocksAction => &[Form::ClauseIf, Form::ClauseCost, Form::ClauseEffect, Form::ClauseOtherwise],
            Form::DataAmend => return self.edit(),
            _ => &[COMMON, OF_CARDS].concat(),
        };
        let rows = clauses(inner);
        for _ in 0..=self.numbers.below(2) {
            let row = self.any(&rows)?;
            self.line(|writer| writer.clause(row));
        }
        Some(())
    }

    /// An edit of a clause, which names words that may stand there.
    fn edit(&mut self) -> Option<()> {
        let terms = [TermKind::Attribute, TermKind::Class, TermKind::Adjective, TermKind::Entry];
        let kind = self.any(&terms)?;
        let name = |writer: &mut Self| Some(said(&*writer.any(writer.words.all(kind))?, Use::Name));
        let (one, other) = (name(self)?, name(self)?);
        match self.numbers.below(5) {
            0 => {
                let (read, by) = (self.numbers.below(4), self.numbers.below(9));
                self.say(&format!("read {read} as {by}"));
            }
            1 => self.say(&format!("read {{ {one} }} as {{ {other} }}")),
            2 => self.say(&format!("without {{ {one} }}")),
            3 => self.say(&format!("after {{ {one} }} insert {{ {other} }}")),
            _ => {
                let guard = self.nothing();
                self.category(Category::Guard, &guard)?;
            }
        }
        self.text.push_str(".\n");
        Some(())
    }
}
