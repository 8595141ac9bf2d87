//! Everything that is wrong below a root, and what lies there: what `netrep check` says.
//!
//! The data, under every edition and every reading; the decks, each on the table by itself; the table and other positions;
//! the scenarios as far as they can be read. What scenarios expect is for [`mod@crate::run`].

use std::io;
use std::sync::Arc;

use crate::exempt::{check_reasons, exemptions_of};
use netrep_compiler::{Diagnostic, Profile};
use netrep_diagnostics::{Code, suggestion};
use netrep_ir::Place;

use crate::coverage::{NUMBERS, Totals};
use crate::decks::Decks;
use crate::driver::start;
use crate::library::Library;
use crate::prepare::prepare;
use crate::problem::sorted;
use crate::scenario::parse_with;

/// What was looked at, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// How many files were read.
    pub read: usize,
    /// The paths of files that were not, sorted.
    pub others: Vec<String>,
    /// What is wrong, and advice: causes before what follows from them, else by place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Library {
    /// Looks at everything, also at what a profile chooses together.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn survey(&self, profile: &Profile) -> io::Result<Survey> {
        let compiler = &self.compiler;
        let mut told = compiler.check();
        let mut found = Survey { read: compiler.paths().len(), others: self.others.clone(), diagnostics: Vec::new() };
        // What stands between the items, and what is made of them, is looked at when each of them is right: else it would be
        // said again all over what is wrong with them.
        let right = !told.iter().any(Diagnostic::is_error);
        if right {
            found.diagnostics.extend(compiler.check_choices());
        }
        if *profile != Profile::default() {
            found.diagnostics.extend(compiler.check_under(profile));
        }
        found.diagnostics.extend(match exemptions_of(&self.files) {
            Ok(exempt) => check_reasons(compiler, &exempt),
            Err(unread) => unread,
        });
        self.survey_numbers(&mut found);
        self.survey_tests(&mut found)?;
        if right {
            self.survey_decks(profile, &mut found)?;
        }
        found.others.sort();
        // The compiler tells causes before what follows from them.
        let further = sorted(found.diagnostics).into_iter().filter(|diag| !told.contains(diag)).collect::<Vec<_>>();
        told.extend(further);
        found.diagnostics = told;
        Ok(found)
    }

    /// What is numbered by rules is numbered as the rulebook is, where its numbers are known.
    fn survey_numbers(&self, found: &mut Survey) {
        let numbers = match Totals::read(&self.files) {
            Ok(Totals { numbers: Some(numbers) }) => numbers,
            Ok(Totals { numbers: None }) => return,
            Err(unread) => return found.diagnostics.extend(unread),
        };
        let wrong = |code: Code, number: &str, place: Place| {
            let diag = Diagnostic::new(code, place, format!("the rulebook has no number `{number}`"));
            let near = suggestion(number, numbers.iter().map(String::as_str));
            diag.help(near.unwrap_or_else(|| format!("its numbers stand in `{NUMBERS}`")))
        };
        // What is numbered otherwise is a term of a glossary, or an example.
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let is_known = |number: &str| {
            let below = |one: &String| one.strip_prefix(number).is_some_and(|rest| rest.starts_with('.'));
            !is_number(number) || numbers.iter().any(|one| one == number || below(one))
        };
        let documents = self.compiler.documents();
        let is_numbered = |id: &str| documents.iter().any(|(document, _)| *document.id == *id && document.numbered);
        for (document, cited, place) in self.compiler.cited() {
            let number: String = cited.chars().take_while(|c| !matches!(c, ',' | ' ' | ';')).collect();
            if is_numbered(&document) && !is_known(&number) {
                found.diagnostics.push(wrong(Code::UnknownDocument, &number, place));
            }
        }
        for (rule, place) in self.compiler.rule_numbers() {
            if !is_known(&rule) {
                found.diagnostics.push(wrong(Code::BadHeader, &rule, place));
            }
        }
    }

    /// The files with scenarios are read, and their positions set up that nothing plays.
    fn survey_tests(&self, found: &mut Survey) -> io::Result<()> {
        let files = self.scenario_inventory(&[])?;
        found.read += files.files.len();
        found.others.extend(files.others);
        found.diagnostics.extend(files.wrong);
        let decks = self.decks();
        for (file, text) in &files.files {
            found.diagnostics.extend(parse_with(file, text, false, &decks).diags);
            if text.contains("```position") {
                self.survey_positions(file, text, &decks, found);
            }
        }
        Ok(())
    }

    /// Positions that nothing plays are set up.
    fn survey_positions(&self, file: &str, text: &str, decks: &Decks, found: &mut Survey) {
        let default = Profile::default();
        for scenario in parse_with(file, text, true, decks).scenarios.into_iter().filter(|one| one.script.is_empty()) {
            let scenario = Arc::new(scenario);
            for profile in scenario.profiles(&default) {
                let set_up = prepare(&self.compiler, &scenario, &default, &profile).and_then(|ready| start(&ready));
                found.diagnostics.extend(set_up.err().into_iter().flatten());
            }
        }
    }

    /// Each deck is put on the tables, before every player: on one of them it must be legal.
    fn survey_decks(&self, profile: &Profile, found: &mut Survey) -> io::Result<()> {
        let files = self.files.markdown(crate::decks::FOLDER)?;
        found.read += files.files.len();
        found.others.extend(files.others);
        if !files.wrong.is_empty() {
            found.diagnostics.extend(files.wrong);
            return Ok(());
        }
        let seats = self.seats();
        if seats.is_empty() {
            // Without a table no deck can be put on it; who has no decks needs none.
            if !files.files.is_empty() {
                found.diagnostics.extend(self.table(&[], profile).err().into_iter().flatten());
            }
            return Ok(());
        }
        match self.all_decks() {
            Ok(decks) => {
                for deck in decks {
                    // A deck is made for a table; which one, only its rules tell.
                    let mut wrong = Vec::new();
                    for seats in &seats {
                        let placed = self.table(&vec![deck.clone(); *seats], profile);
                        let diags = placed.and_then(|prepared| start(&prepared).map(|_| ())).err();
                        let Some(diags) = diags else {
                            wrong.clear();
                            break;
                        };
                        if wrong.is_empty() {
                            wrong = diags;
                        }
                    }
                    // What is wrong with the deck of one player is wrong with that of the next.
                    let mut told = Vec::new();
                    wrong.retain(|diag| {
                        let new = diag.code != Code::IllegalDeck || !told.contains(&diag.place);
                        told.push(diag.place.clone());
                        new
                    });
                    found.diagnostics.extend(wrong);
                }
            }
            Err(diags) => found.diagnostics.extend(diags),
        }
        Ok(())
    }
}
