//! Items written at random from the rows of the table of forms, with the words of a vocabulary.
//!
//! A row is written part by part: its words as they stand, its holes by what they hold. What a hole holds is chosen so that
//! sorts mostly fit: a fact is one of the thing before it, a verb one whose subject it can be. What cannot be written is
//! taken back, and another row is tried. Nothing here decides what compiles: that is for the compiler to say.

mod holes;
mod items;
mod kept;
mod nouns;
mod words;

use std::sync::OnceLock;

use netrep_compiler::phrase::forms::{CATEGORIES, Category, Form, Part, ROWS, Reader, Row, Takes};
use netrep_compiler::phrase::term::{Detail, Term};
use netrep_ir::limits;

use crate::fuzzed::Numbers;
use std::sync::Arc;

pub(crate) use items::{Kind, TITLE, Written, key, written};
pub(crate) use kept::words_of_letters;
pub(crate) use words::{Sort, Words};

/// So often another row is tried where one could not be written.
const TRIES: usize = 6;

/// Writes phrases.
pub(crate) struct Writer<'w> {
    words: &'w Words,
    numbers: &'w mut Numbers,
    text: String,
    /// The labels that are bound, with what they stand for.
    labels: Vec<(String, Sort)>,
    /// What `this` is; `Any`: there is none.
    this: Sort,
    /// So deep rows may still stand in each other.
    left: usize,
    /// Where the sentence begins, and how long it may become before only what is short is written.
    begun: usize,
    length: usize,
    /// A cost is written: who pays it chooses.
    paying: bool,
    /// A statement is written, not what holds as long as its thing is there.
    done: bool,
    /// The noun that was written last stands for several.
    plural: bool,
    /// What is invented is called by this number, and by how much was before it.
    nth: u64,
    invented: u64,
}

/// Where a phrase is written.
#[derive(Clone, Debug)]
struct At {
    /// What it has to be.
    want: Sort,
    /// What stands before it: the thing that it is said of.
    before: Sort,
    /// Which determiners stand there.
    takes: Takes,
}

/// A row that is being written.
struct Open {
    row: &'static Row,
    at: At,
    /// What was written last, or stood before.
    last: Sort,
    /// The declared term that was written last.
    term: Option<Arc<Term>>,
    /// A label that stands for what the row ends with.
    label: Option<String>,
}

/// Where a text was, to go back to.
#[derive(Clone, Copy)]
struct Mark(usize, usize);

impl Writer<'_> {
    // ---- chance

    /// True in so many of a hundred cases.
    fn chance(&mut self, percent: usize) -> bool {
        self.numbers.below(100) < percent
    }

    fn is_long(&self) -> bool {
        self.text.len() > self.begun + self.length
    }

    fn any<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        of.get(self.numbers.below(of.len())).cloned()
    }

    /// A number as data have them, now and then one at the edge of what there is.
    fn number(&mut self) -> u64 {
        match self.numbers.below(40) {
            0 => [99, 1_000, 65_535, 2_147_483_647][self.numbers.below(4)],
            1 => u64::from(limits::REPETITIONS) + 1,
            _ => self.numbers.below(7) as u64,
        }
    }

    // ---- text

    fn mark(&self) -> Mark {
        Mark(self.text.len(), self.labels.len())
    }

    fn back(&mut self, to: Mark) {
        self.text.truncate(to.0);
        self.labels.truncate(to.1);
    }

    /// Writes what may fail; what was written is taken back if it does.
    fn tried<T>(&mut self, write: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mark = self.mark();
        let done = write(self);
        if done.is_none() {
            self.back(mark);
        }
        done
    }

    fn say(&mut self, words: &str) {
        let close = [",", ".", ";", ":", ")", "]", "'s"].contains(&words);
        if !self.text.is_empty() && !close && !self.text.ends_with(['(', '[', '\n', ' ']) {
            self.text.push(' ');
        }
        self.text.push_str(words);
    }

    // ---- labels

    /// A label that is not bound yet.
    fn free_label(&mut self) -> String {
        let first = self.numbers.below(26);
        let letter = |n: usize| char::from(b'A' + ((first + n) % 26) as u8).to_string();
        let bound = |label: &String| self.labels.iter().any(|(other, _)| other == label);
        (0..26).map(letter).find(|label| !bound(label)).unwrap_or_else(|| "Z9".to_owned())
    }

    fn bind(&mut self, label: &str, sort: &Sort) {
        self.labels.push((label.to_owned(), sort.clone()));
    }

    // ---- rows

    /// A phrase of a category, by one of its rows.
    fn category(&mut self, category: Category, at: &At) -> Option<Sort> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let done = self.done;
        self.done |= category == Category::Statement;
        let low = heights().1[category as usize];
        let most = if self.is_long() { low + 1 } else { self.left.max(low) };
        let rows: Vec<&'static Row> = ROWS
            .iter()
            .filter(|row| row.category == category && heights().0[row.form as usize] <= most && self.may_stand(row, at))
            .flat_map(|row| std::iter::repeat_n(row, weight(row.form)))
            .collect();
        let mut found = None;
        for _ in 0..TRIES {
            let Some(row) = self.any(&rows) else { break };
            found = self.tried(|writer| writer.row(row, at).filter(|sort| writer.words.fits(sort, &at.want)));
            if found.is_some() {
                break;
            }
        }
        self.left += 1;
        self.done = done;
        found
    }

    /// A row; what it stands for is what its last hole does.
    fn row(&mut self, row: &'static Row, at: &At) -> Option<Sort> {
        match row.form {
            Form::OneAll | Form::OneOneOf => self.plural = true,
            Form::ModifierAfterNamed => {
                let title = self.any(&self.words.titles(&Sort::Any))?;
                self.say(&format!("named \"{title}\""));
                return Some(Sort::Any);
            }
            // What is done holds for a while, not while something is so.
            Form::StatementChange => return self.category(Category::Change, at),
            Form::NounNoun => return self.noun(at, self.plural),
            Form::FactPhraseOf => return self.fact_of(at),
            _ => {}
        }
        let mut open = Open { row, at: at.clone(), last: at.before.clone(), term: None, label: None };
        self.parts(row.parts, &mut open)?;
        if matches!(row.form, Form::DeterminerAtLeast | Form::DeterminerUpTo | Form::DeterminerExactly) {
            self.plural = true;
        }
        if let Some(label) = &open.label {
            self.bind(label, &open.last);
        }
        if row.form == Form::PartTarget && !self.text.ends_with("target") {
            self.bind("target", &open.last);
        }
        Some(match row.category {
            Category::Type if row.form != Form::TypeNamed => match row.form {
                Form::TypeNumber | Form::TypeTally => Sort::Number,
                Form::TypeTruth => Sort::Truth,
                Form::TypePlace => Sort::Place,
                _ => Sort::Any,
            },
            // What is said of things is asked of nobody.
            Category::One | Category::AfterOne | Category::Np | Category::Noun | Category::FactPhrase => open.last,
            Category::Type | Category::Owned | Category::Derived | Category::Parameter => open.last,
            _ => Sort::Any,
        })
    }

    fn parts(&mut self, parts: &'static [Part], open: &mut Open) -> Option<()> {
        for part in parts {
            match part {
                Part::Before => {}
                Part::Option(inner) => {
                    let wanted = self.asked(open) || self.left > 1 && !self.is_long() && self.chance(25);
                    if wanted {
                        let last = (open.last.clone(), open.term.clone());
                        let needed = self.asked(open);
                        if self.tried(|writer| writer.parts(inner, open)).is_none() {
                            if needed {
                                return None;
                            }
                            (open.last, open.term) = last;
                        }
                    }
                }
                Part::Words { any, plural, .. } => {
                    let at = if self.chance(92) { 0 } else { self.numbers.below(any.len()) };
                    let word = any.get(at).copied()?;
                    self.say(plural.filter(|_| self.plural).unwrap_or(word));
                    if row_of_all(open.row.form) {
                        self.plural = word == "all";
                    }
                }
                Part::Hole { hole, read, list } => {
                    let many = match list {
                        Some(_) if one_of_several(open.row.form) => 2,
                        Some(_) if open.row.form == Form::NpEither && !self.chance(25) => 1,
                        Some(_) if self.left > 1 && !self.is_long() && self.chance(12) => 2 + self.numbers.below(2),
                        _ => 1,
                    };
                    for nth in 0..many {
                        if let Some(list) = list.filter(|_| nth > 0) {
                            let between =
                                if nth + 1 == many && !list.last.is_empty() { list.last } else { list.between };
                            let between = if between.is_empty() { list.last } else { between };
                            // What stands for both stands between words, and a comma everywhere.
                            let between = if between.contains(&",") { &[","] } else { between };
                            if let Some(between) = self.any(between) {
                                self.say(between);
                            }
                        }
                        let reader = self.any(read);
                        self.hole(*hole, reader, open)?;
                    }
                    // Sentences of a list in braces end with their sign.
                    if list.is_some_and(|list| list.between == ["."]) {
                        self.text.push_str(".\n");
                    }
                }
            }
        }
        Some(())
    }

    /// What stands in a hole.
    fn hole(&mut self, hole: usize, reader: Option<Reader>, open: &mut Open) -> Option<()> {
        let takes = open.row.takes.iter().find(|(place, _)| *place == hole).map(|(_, takes)| *takes);
        let takes = takes.filter(|takes| *takes != Takes::Passed).unwrap_or(open.at.takes);
        let at = At { want: self.wanted(open, hole, reader), before: open.last.clone(), takes };
        match reader {
            // So many dice are rolled as are written.
            _ if is_rolled(open.row.form) && open.row.holes.get(hole) == Some(&"n") => {
                self.say("2");
                Some(())
            }
            Some(Reader::Cell(category)) => {
                let sort = self.of_category(category, &at)?;
                if sort != Sort::Any || is_of_things(category) {
                    open.last = sort;
                }
                Some(())
            }
            Some(Reader::Own(own)) => self.own(own, &at, open),
            Some(Reader::Kept(kept)) => self.kept(kept, hole, &at, open),
            None => None,
        }
    }

    /// A phrase of a category with what may follow it.
    fn of_category(&mut self, category: Category, at: &At) -> Option<Sort> {
        match category {
            Category::Noun => self.noun(at, self.plural),
            Category::One => self.one(at),
            Category::Atom if self.left > 2 && !self.is_long() && self.chance(3) => {
                let number = At { want: Sort::Any, ..at.clone() };
                self.category(Category::Atom, &number)?;
                self.category(Category::AfterAtom, &number)
            }
            Category::Simple if self.left > 2 && !self.is_long() && self.chance(12) => self.comparison_of_terms(at),
            _ => self.category(category, at),
        }
    }

    /// `colour of B is Red`.
    fn comparison_of_terms(&mut self, at: &At) -> Option<Sort> {
        let lists: Vec<Sort> = self.words.lists(&Sort::Any).into_iter().map(Sort::Entry).collect();
        let want = self.any(&lists)?;
        let of = At { want, before: Sort::Any, takes: Takes::One };
        let entry = self.fact_of(&of)?;
        self.category(Category::Same, &At { before: entry, ..at.clone() })
    }

    /// True for a part that may be left out and that what was written before it asks for.
    fn asked(&self, open: &Open) -> bool {
        let params = open.term.as_ref().map(|term| &term.detail);
        let lasts = open.row.category == Category::Change
            || matches!(open.row.form, Form::StatementCannot | Form::StatementRegardless);
        lasts && self.done
            || is_rolled(open.row.form) && open.last == open.at.before
            || open.row.form == Form::StatementPerform
                && matches!(params, Some(Detail::Procedure { params }) if !params.is_empty())
    }

    /// What a hole has to hold in view of what was written before it.
    fn wanted(&self, open: &Open, hole: usize, reader: Option<Reader>) -> Sort {
        let things = matches!(reader, Some(Reader::Cell(Category::Np | Category::One | Category::Noun)))
            || matches!(reader, Some(Reader::Own(own)) if holes::holds_things(own));
        match &open.term {
            _ if is_player(open.row, hole) => self.words.player.clone(),
            Some(term) if things => self.holder(term).unwrap_or(Sort::Any),
            _ if open.row.category == Category::Np || open.row.category == Category::One => open.at.want.clone(),
            _ if open.row.category == Category::AfterOne => open.at.want.clone(),
            _ => Sort::Any,
        }
    }
}

/// Rows whose word says whether the noun behind it stands for several.
fn row_of_all(form: Form) -> bool {
    matches!(form, Form::DeterminerEach)
}

/// Rows of which there are always several.
fn one_of_several(form: Form) -> bool {
    matches!(form, Form::StatementModes | Form::StatementOffers)
}

fn is_rolled(form: Form) -> bool {
    matches!(form, Form::StatementRoll | Form::StatementRolls)
}

/// True for a hole of a row that only players fill.
fn is_player(row: &Row, hole: usize) -> bool {
    let players = matches!(
        row.form,
        Form::StatementChooses
            | Form::StatementOffers
            | Form::StatementRolls
            | Form::StatementMay
            | Form::StatementPick
            | Form::AdmitAct
            | Form::AdmitAdmit
            | Form::OrderChosen
            | Form::ClauseSubjectMay
    );
    players && row.holes.get(hole) == Some(&"who")
}

fn is_of_things(category: Category) -> bool {
    matches!(category, Category::Np | Category::One | Category::Noun)
}

/// How often a row is taken, against others of its category.
fn weight(form: Form) -> usize {
    match form {
        Form::OneThis | Form::OneDetermined | Form::OneAll | Form::OneLabel | Form::StatementAct => 20,
        Form::OneFact | Form::StatementDo | Form::StatementChange | Form::AtomLiteral | Form::SimpleSaid => 12,
        Form::OneCalled | Form::SimpleThere | Form::FiniteIs | Form::QualityDescribed | Form::DeterminerEach => 8,
        // What stands in few places, or asks for something that stands elsewhere.
        Form::OneIt | Form::OneIts | Form::OneYour | Form::OneYours | Form::OneOfYours | Form::OneGroup => 1,
        Form::StatementEffect | Form::SimpleUnchanged | Form::SimpleAgainst | Form::StatementStop => 1,
        Form::StatementMust | Form::StatementNeed | Form::ChangeAcquires => 1,
        Form::SimpleModified
        | Form::ModifierAgainst
        | Form::StatementPerform
        | Form::StatementRoll
        | Form::StatementRolls => 1,
        Form::OneNew | Form::OneTop | Form::StatementWindow | Form::StatementEnd | Form::OneName => 2,
        _ => 4,
    }
}

/// How deep rows and categories are at least, by their places in the table.
fn heights() -> &'static (Vec<usize>, Vec<usize>) {
    static HEIGHTS: OnceLock<(Vec<usize>, Vec<usize>)> = OnceLock::new();
    HEIGHTS.get_or_init(|| {
        const MOST: usize = 99;
        let (mut rows, mut categories) = (vec![MOST; ROWS.len()], vec![MOST; CATEGORIES.len()]);
        loop {
            let before = rows.clone();
            for row in ROWS {
                rows[row.form as usize] = 1 + height(row.parts, &categories);
                let low = &mut categories[row.category as usize];
                *low = (*low).min(rows[row.form as usize]);
            }
            if rows == before {
                return (rows, categories);
            }
        }
    })
}

fn height(parts: &[Part], categories: &[usize]) -> usize {
    let of = |reader: &Reader| match reader {
        Reader::Cell(category) => categories[*category as usize],
        Reader::Own(own) => holes::category_of(*own).map_or(1, |category| categories[category as usize]),
        Reader::Kept(_) => 1,
    };
    let heights = parts.iter().map(|part| match part {
        Part::Hole { read, .. } => read.iter().map(of).min().unwrap_or(2),
        _ => 0,
    });
    heights.max().unwrap_or(0)
}
