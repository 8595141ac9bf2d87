//! A token taken out of the data, one at a time: the item is refused, or it means something else, or the token is of a kind
//! that means nothing, which `deletions.md` lists with its reason.
//!
//! Every token of rulings and editions, one in ten elsewhere. `DELETIONS=FROM..TO` says which of them; without it a sample
//! is made. Every ten thousandth it is told what has come of them so far (`--nocapture`), so that a run which was stopped
//! goes on from there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use netrep_compiler::meaning::{Meaning, Programs};
use netrep_compiler::phrase::forms::Form;
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_grammar::{Fence, fences, parse_clauses};
use netrep_lab::Library;
use netrep_lab::decks::decks;
use netrep_lab::memo::meaning as meaning_of_run;
use netrep_lab::prepare::prepare;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::{Expect, Scenario, What, parse};

use crate::support::data::{self, File, own_library, root};
use crate::support::taken_out::{is_quoted, tokens, without};
use crate::support::tokens::{clauses, items};

/// The kinds of tokens that may be missing.
const KINDS: &str = "tests/deletions.md";
/// There are no more of them.
const MOST_KINDS: usize = 20;
/// Of how many tokens one is taken out where not every one is.
const ONE_IN: u64 = 10;
/// So many edits, then a new compiler: it remembers every text that it has seen.
const KEPT: usize = 4_000;
/// Of how many tokens one is taken out where no range is asked for.
const SAMPLE: usize = 229;

/// What comes of a deletion.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// It is told.
    Refused,
    /// The item means something else.
    Changed,
    /// Nothing is told and nothing is otherwise: the forms, one of which is that of the token, and the token.
    Silent(Vec<String>, String),
}

/// A kind of token that may be missing.
struct Kind {
    form: String,
    token: String,
    file: String,
    /// What stands in the file; the token between brackets.
    example: String,
}

impl Kind {
    fn is(&self, fate: &Fate) -> bool {
        matches!(fate, Fate::Silent(forms, token) if forms.contains(&self.form) && *token == self.token)
    }
}

/// The rows of the table.
fn kinds() -> Vec<Kind> {
    let row = |line: &str| {
        let mut cells = line.trim().trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`').to_owned());
        let mut next = || cells.next().unwrap_or_else(|| panic!("no row of five cells: {line}"));
        let kind = Kind { form: next(), token: next(), file: next(), example: next() };
        assert!(next().len() > 20, "a reason is a sentence: {line}");
        kind
    };
    let text = std::fs::read_to_string(root().join(KINDS)).expect("the table can be read");
    text.lines().filter(|line| line.starts_with("| `")).map(row).collect()
}

/// A form as the table calls it: `HeaderRule` is `header rule`.
fn name_of(form: Form) -> String {
    let mut name = String::new();
    for c in format!("{form:?}").chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push(' ');
        }
        name.extend(c.to_lowercase());
    }
    name
}

/// A text with tokens.
enum Text {
    /// A file of the data.
    Data(File),
    /// A block `scenario` or `position`: its file, what stands on the opening fence, what stands in it.
    Scenario(String, String, String),
    /// A file with decks.
    Decks(File),
}

impl Text {
    fn path(&self) -> &str {
        match self {
            Text::Data((path, _)) | Text::Scenario(path, ..) | Text::Decks((path, _)) => path,
        }
    }

    fn text(&self) -> &str {
        match self {
            Text::Data((_, text)) | Text::Scenario(_, _, text) | Text::Decks((_, text)) => text,
        }
    }

    /// Under what it is counted.
    fn group(&self) -> &'static str {
        let groups = [
            "rules/rulings",
            "rules/editions",
            "rules/sections",
            "rules/patterns",
            "rules/vocabulary",
            "cards",
            "decks",
            "tests",
        ];
        groups.into_iter().find(|group| self.path().starts_with(group)).unwrap_or("rules")
    }

    /// The tokens that are taken out.
    fn chosen(&self) -> Vec<Range<usize>> {
        let found = match self {
            // What stands outside of the blocks is prose.
            Text::Decks((_, text)) => {
                let in_block = |token: &Range<usize>| fences(text).iter().any(|fence| holds(&fence.content, token));
                tokens(text).into_iter().filter(in_block).collect()
            }
            _ => tokens(self.text()),
        };
        let every = matches!(self.group(), "rules/rulings" | "rules/editions");
        // The same tokens in every run, wherever the file stands among the others.
        let seed = self.path().bytes().fold(1, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
        let is_chosen = |(nth, _): &(u64, Range<usize>)| {
            every || (seed.wrapping_add(*nth)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 < (1 << 32) / ONE_IN
        };
        (0..).zip(found).filter(is_chosen).map(|(_, token)| token).collect()
    }
}

fn holds(whole: &Range<usize>, part: &Range<usize>) -> bool {
    whole.start <= part.start && part.end <= whole.end
}

/// The data as they are, what they mean, and the texts.
struct Repository {
    library: Library,
    programs: Programs,
    /// What the items of a file of the data mean.
    meanings: BTreeMap<String, Items>,
    texts: Vec<Text>,
    edits: usize,
}

type Items = Vec<Result<Meaning, Vec<Diagnostic>>>;

impl Repository {
    fn new() -> Repository {
        let library = own_library();
        let programs = library.compiler.programs();
        let mut texts: Vec<Text> = data::files().into_iter().map(Text::Data).collect();
        let parsed = library.scenarios(&[], false).expect("the scenarios can be read");
        for Scenario { name, source, .. } in parsed.scenarios {
            texts.push(Text::Scenario(source.file.clone(), format!("scenario {name}"), source.text.clone()));
        }
        let table = "decks/table.md";
        let text = library.text(table).expect("there is a table");
        let position = fences(&text).into_iter().next().expect("it is a position");
        texts.push(Text::Scenario(table.to_owned(), position.info, text[position.content].to_owned()));
        for deck in ["decks/lorien.md", "decks/rivendell.md"] {
            texts.push(Text::Decks((deck.to_owned(), library.text(deck).expect("there is a deck"))));
        }
        Repository { library, programs, meanings: BTreeMap::new(), texts, edits: 0 }
    }

    /// What comes of the text without the token.
    fn fate(&mut self, text: usize, token: &Range<usize>) -> Fate {
        match &self.texts[text] {
            Text::Data((path, text)) => {
                let (path, text) = (path.clone(), text.clone());
                self.edits += 1;
                if self.edits.is_multiple_of(KEPT) {
                    self.library = own_library();
                    self.programs = self.library.compiler.programs();
                    self.meanings.clear();
                }
                self.fate_of_data(&path, &text, token)
            }
            Text::Scenario(path, info, text) => fate_of_scenario(&self.library.compiler, path, info, text, token),
            Text::Decks((path, text)) => self.fate_of_deck(path, text, token),
        }
    }

    fn fate_of_data(&mut self, path: &str, text: &str, token: &Range<usize>) -> Fate {
        let compiler = &mut self.library.compiler;
        let was = self.meanings.entry(path.to_owned()).or_insert_with(|| compiler.meanings(path));
        compiler.set_file(path, &without(text, token));
        let is = compiler.meanings(path);
        let prose = prose_apart(was, &is);
        let fate = if is.iter().any(Result::is_err) {
            Some(Fate::Refused)
        } else if let Some(form) = prose {
            Some(silent(vec![name_of(form)], text, token))
        } else if is != *was {
            Some(Fate::Changed)
        } else if compiler.check().iter().any(Diagnostic::is_error) {
            Some(Fate::Refused)
        } else {
            (compiler.programs() != self.programs).then_some(Fate::Changed)
        };
        compiler.set_file(path, text);
        fate.unwrap_or_else(|| {
            if is_in_an_edit(text, token) {
                return Fate::Silent(vec!["edit".to_owned()], "a word".to_owned());
            }
            let forms = compiler.forms_at(path, token.start);
            silent(forms.into_iter().map(name_of).collect(), text, token)
        })
    }

    fn fate_of_deck(&self, path: &str, text: &str, token: &Range<usize>) -> Fate {
        let meant = |text: &str| {
            let deck = decks(path, text)?.remove(0);
            let table = self.library.table(&[deck.clone(), deck], &Profile::default())?;
            Ok::<u64, Vec<Diagnostic>>(meaning_of_run(&table))
        };
        let was = meant(text).expect("it can be played with");
        match meant(&without(text, token)) {
            Err(_) => Fate::Refused,
            Ok(is) if is == was => silent(vec!["deck".to_owned()], text, token),
            Ok(_) => Fate::Changed,
        }
    }
}

/// A deletion of which nobody is told.
fn silent(forms: Vec<String>, text: &str, token: &Range<usize>) -> Fate {
    let token = if is_quoted(text, token) { "\"…\"" } else { &text[token.clone()] };
    Fate::Silent(forms, token.to_owned())
}

/// The form of prose in which alone the items of a file differ.
fn prose_apart(was: &Items, is: &Items) -> Option<Form> {
    let pairs = || was.iter().zip(is).filter(|(was, is)| was != is);
    match pairs().next()? {
        (Ok(was), Ok(is)) if pairs().count() == 1 => is.differs_in_prose(was),
        _ => None,
    }
}

/// A block of a scenario as one of its own, with the positions of its file from which it may start.
fn block(path: &str, info: &str, content: &str) -> Option<Scenario> {
    let file = std::fs::read_to_string(root().join(path)).unwrap_or_default();
    let is_base =
        |fence: &&Fence| (fence.info.starts_with("position ") || fence.info.starts_with("deck ")) && fence.info != info;
    let mut text: String = fences(&file)
        .iter()
        .filter(is_base)
        .map(|fence| format!("```{}\n{}```\n", fence.info, &file[fence.content.clone()]))
        .collect();
    text.push_str(&format!("```{info}\n{content}\n```\n"));
    let parsed = parse(path, &text, true);
    let wrong = parsed.diags.iter().any(Diagnostic::is_error);
    parsed.scenarios.into_iter().next_back().filter(|_| !wrong)
}

/// What a scenario means under each of its profiles; none if it is refused.
fn meant(compiler: &Compiler, scenario: Scenario) -> Option<Vec<(Profile, Option<u64>, u64)>> {
    let scenario = Arc::new(scenario);
    let default = Profile::default();
    let profiles = scenario.profiles(&default).into_iter();
    let meant = profiles.map(|profile| {
        let prepared = prepare(compiler, &scenario, &default, &profile).ok()?;
        Some((profile, scenario.seed, meaning_of_run(&prepared)))
    });
    meant.collect()
}

/// What comes of a scenario. The words of its moves mean what the run finds by them, so it is played.
fn fate_of_scenario(compiler: &Compiler, path: &str, info: &str, text: &str, token: &Range<usize>) -> Fate {
    let was = block(path, info, text).expect("it can be read");
    let Some(is) = block(path, info, &without(text, token)) else { return Fate::Refused };
    let form = form_in(&was, token);
    let Some(meaning) = meant(compiler, is.clone()) else { return Fate::Refused };
    if meant(compiler, was).as_ref() != Some(&meaning) {
        return Fate::Changed;
    }
    let reports = run(compiler, &jobs(&[Arc::new(is)], &Profile::default()), 1, false);
    if !reports.iter().all(netrep_lab::Report::passed) {
        return Fate::Refused;
    }
    match is_quoted(text, token) || text[token.clone()].starts_with([',', ';', '.']) {
        true => silent(vec![form.to_owned()], text, token),
        false => Fate::Silent(vec![form.to_owned()], "a word".to_owned()),
    }
}

/// True if a token stands in an edit of an amendment, which finds a fragment by its words.
fn is_in_an_edit(text: &str, token: &Range<usize>) -> bool {
    let mut found = false;
    for (start, item) in items(text).into_iter().filter(|(_, item)| item.head == "ruling") {
        clauses(&item.clauses, &mut |clause| {
            let place = start + clause.span.start as usize..start + clause.span.end as usize;
            let edits = ["read", "without", "before", "after", "move"].contains(&clause.head());
            found |= edits && clause.block.is_none() && holds(&place, token);
        });
    }
    found
}

/// The sentence of a scenario in which a token stands.
fn form_in(scenario: &Scenario, token: &Range<usize>) -> &'static str {
    let of_block = parse_clauses(&scenario.source.text).unwrap_or_default();
    let cites = of_block.iter().find(|clause| clause.head() == "cites");
    if cites.is_some_and(|cites| holds(&(cites.span.start as usize..cites.span.end as usize), token)) {
        return "scenario cites";
    }
    let line = scenario.script.iter().find(|line| holds(&(line.span.start as usize..line.span.end as usize), token));
    match line.map(|line| &line.what) {
        Some(What::Move { .. }) => "scenario move",
        Some(What::Dice { .. }) => "scenario dice",
        Some(What::Stack { .. }) => "scenario stack",
        Some(What::Until(_) | What::DeclineAll { .. }) => "scenario until",
        Some(What::Cases(_)) => "scenario cases",
        Some(What::Let { .. }) => "scenario let",
        Some(What::Expect(Expect::Offered { .. })) => "scenario offered",
        Some(What::Expect(Expect::Refused { .. })) => "scenario refused",
        Some(What::Expect(_)) => "scenario expectation",
        None => "scenario",
    }
}

/// Each kind is one that may be missing, and is met where the table says.
#[test]
fn each_kind_is_in_use() {
    let kinds = kinds();
    assert!(kinds.len() <= MOST_KINDS, "{} kinds", kinds.len());
    let mut repository = Repository::new();
    for kind in &kinds {
        let (before, behind) = kind.example.split_once('⟦').expect("a token in brackets");
        let (token, behind) = behind.split_once('⟧').expect("a token in brackets");
        let whole = format!("{before}{token}{behind}");
        let found = repository.texts.iter().enumerate().find_map(|(nth, text)| {
            let at = text.text().find(&whole).filter(|_| text.path() == kind.file)? + before.len();
            Some((nth, at..at + token.len()))
        });
        let (nth, token) = found.unwrap_or_else(|| panic!("{} has no `{whole}`", kind.file));
        let fate = repository.fate(nth, &token);
        assert!(kind.is(&fate), "{}, `{}`: {fate:?}", kind.form, kind.example);
    }
    let same: BTreeSet<(&String, &String)> = kinds.iter().map(|kind| (&kind.form, &kind.token)).collect();
    assert_eq!(same.len(), kinds.len(), "each kind stands once");
}

/// See the head of the file.
#[test]
fn a_token_less_is_refused_or_means_something_else() {
    let kinds = kinds();
    let mut repository = Repository::new();
    let texts = repository.texts.iter().enumerate();
    let all: Vec<(usize, Range<usize>)> =
        texts.flat_map(|(nth, text)| text.chosen().into_iter().map(move |token| (nth, token))).collect();
    let asked = std::env::var("DELETIONS").ok();
    let range = asked.as_deref().map(|range| {
        let (from, to) = range.split_once("..").expect("DELETIONS=FROM..TO");
        from.parse::<usize>().expect("a number")..to.parse().unwrap_or(all.len()).min(all.len())
    });
    let every = if range.is_some() { 1 } else { data::one_in(SAMPLE) };
    let range = range.unwrap_or(0..all.len());
    let mut totals: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut unlisted = Vec::new();
    let from = range.start;
    let tell = |to: usize, totals: &BTreeMap<(String, String), usize>| {
        println!("deletions {from}..{to} of {}, one in {every}", all.len());
        totals.iter().for_each(|((group, what), number)| println!("    {group}: {number} {what}"));
    };
    for (nth, (text, token)) in all.iter().enumerate().skip(range.start).take(range.len()).step_by(every) {
        let fate = repository.fate(*text, token);
        let what = match &fate {
            Fate::Refused => "refused".to_owned(),
            Fate::Changed => "mean something else".to_owned(),
            Fate::Silent(forms, token) => match kinds.iter().find(|kind| kind.is(&fate)) {
                Some(kind) => format!("of the kind {}, `{}`", kind.form, kind.token),
                None => format!("SILENT {}, `{token}`", forms.join(" or ")),
            },
        };
        let source = &repository.texts[*text];
        if what.starts_with("SILENT") {
            unlisted.push(format!("{} {what}: {}", source.path(), shown(source.text(), token)));
            println!("{}", unlisted[unlisted.len() - 1]);
        }
        if source.group() == "rules/rulings" && &source.text()[token.clone()] == "." && !is_quoted(source.text(), token)
        {
            *totals.entry(("full stops of rules/rulings".to_owned(), what.clone())).or_default() += 1;
        }
        *totals.entry((source.group().to_owned(), what)).or_default() += 1;
        if (nth + 1).is_multiple_of(10_000) {
            tell(nth + 1, &totals);
        }
    }
    tell(range.end, &totals);
    assert!(unlisted.is_empty(), "{} deletions change nothing:\n{}", unlisted.len(), unlisted.join("\n"));
    assert!(totals.keys().any(|(_, what)| what == "refused") && totals.keys().any(|(_, what)| what.contains("else")));
}

/// The line of a token, with the token between brackets.
fn shown(text: &str, token: &Range<usize>) -> String {
    let start = text[..token.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[token.end..].find('\n').map_or(text.len(), |at| token.end + at);
    format!("{}⟦{}⟧{}", text[start..token.start].trim_start(), &text[token.clone()], &text[token.end..end])
}
