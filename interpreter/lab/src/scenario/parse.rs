//! From a Markdown file to its scenarios.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_compiler::retired::Retired;
use netrep_compiler::{Diagnostic, Profile};
use netrep_diagnostics::{Code, nearest, suggestion};
use netrep_grammar::tree::{Clause, Token, TokenKind};
use netrep_grammar::{Fence, fences, parse_clauses};
use netrep_ir::Place;
use netrep_ir::limits::{BLOCKS, GIVEN, LINES};
use serde::{Deserialize, Serialize};

use super::cases::cases;
use super::clauses::{beyond, block, day, misread, word, words};
use super::given::{given, in_position};
use super::script::{cites, expected, moved, under};
use super::{Given, GivenLine, Line, Name, Scenario, What};
use crate::decks::{Deck, Decks, decks};
use crate::problem::{Source, offset, sorted};
use crate::words::{first_word, folded};

/// The format of scenarios and recorded games, which a block may name (`format 1.`). It counts up when what was written
/// before would be misread.
const FORMAT: i64 = 1;

/// What a file contains.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Parsed {
    /// The scenarios that can be read.
    pub scenarios: Vec<Scenario>,
    /// What is wrong with the others.
    pub diags: Vec<Diagnostic>,
}

/// Reads the scenarios of a file: its fenced blocks whose opening line begins with `scenario`.
///
/// With `position`, blocks without expectations are allowed and blocks may also be called `position`; one from which another
/// block of the file starts is no block by itself.
///
/// A deck that it names must be one of the file itself; [`parse_with`] knows others.
pub fn parse(file: &str, text: &str, position: bool) -> Parsed {
    parse_with(file, text, position, &Decks::default())
}

/// The same, where players may have these decks.
pub fn parse_with(file: &str, text: &str, position: bool, decks: &Decks) -> Parsed {
    let mut parsed = parsed(file, text, position, decks, false);
    if !parsed.diags.is_empty() {
        let retired = Retired::of_language();
        parsed.diags = parsed.diags.into_iter().map(|diag| retired.told(text, diag)).collect();
    }
    let starts = parsed.scenarios.iter().flat_map(|scenario| &scenario.given_lines).filter_map(|line| line.of.clone());
    let bases: BTreeSet<String> = starts.collect();
    parsed.scenarios.retain(|scenario| !(scenario.script.is_empty() && bases.contains(&scenario.name)));
    parsed
}

/// The same, where lines as they were written once are read too.
pub(crate) fn parse_old(file: &str, text: &str, position: bool, decks: &Decks) -> Parsed {
    parsed(file, text, position, decks, true)
}

fn parsed(file: &str, text: &str, position: bool, decks: &Decks, old: bool) -> Parsed {
    let mut parsed = Parsed::default();
    let file_fences = fences(text);
    let blocks = Blocks { file, text, fences: &file_fences, decks, old };
    if file_fences.iter().any(|fence| first_word(&fence.info).0 == "deck") {
        // What is called nearly as a deck is told below.
        let wrong = self::decks(file, text).err().into_iter().flatten();
        parsed.diags.extend(wrong.filter(|diag| diag.code != Code::NotRead));
    }
    for fence in &file_fences {
        let (kind, name) = first_word(&fence.info);
        if !matches!(kind, "scenario" | "position") {
            parsed.diags.extend(misspelt(file, fence, kind));
            continue;
        }
        if parsed.scenarios.len() + parsed.diags.len() >= BLOCKS {
            let place = Place { file: file.into(), start: offset(fence.content.start), end: offset(fence.content.end) };
            parsed.diags.push(beyond(place, "blocks in the file", BLOCKS));
            break;
        }
        match scenario(&blocks, fence, name.trim(), &[]) {
            Ok(_) if kind == "position" && !position => {}
            Ok(scenario) => {
                let expects = scenario.script.iter().any(|line| line.what.expects());
                if expects || position {
                    parsed.scenarios.push(scenario);
                } else {
                    let diag = Diagnostic::new(
                        Code::NothingExpected,
                        scenario.place(),
                        "the scenario expects nothing, so it cannot fail",
                    );
                    parsed.diags.push(diag.help("add `expect { … }`"));
                }
            }
            Err(found) => parsed.diags.extend(found),
        }
    }
    parsed.diags = sorted(parsed.diags);
    parsed
}

/// With what the parts of a scenario begin.
const PARTS: [&str; 12] =
    ["format", "cites", "edition", "variant", "with", "without", "as of", "seed", "given", "when", "expect", "cases"];
/// Those that are said once.
const ONCE: [&str; 4] = ["format", "edition", "as", "seed"];

/// The kinds of block in Markdown files that mean something.
pub(crate) const BLOCK_KINDS: [&str; 3] = ["scenario", "position", "deck"];

/// A block that is none of these, and is called nearly as one of them.
pub(crate) fn misspelt(file: &str, fence: &Fence, kind: &str) -> Option<Diagnostic> {
    if BLOCK_KINDS.contains(&kind) {
        return None;
    }
    let near = nearest(kind, BLOCK_KINDS).into_iter().next()?;
    let place = Place { file: file.into(), start: offset(fence.content.start), end: offset(fence.content.end) };
    let diag = Diagnostic::new(Code::NotRead, place, format!("a block `{kind}` is not read"));
    Some(diag.help(format!("did you mean `{near}`?")))
}

/// The blocks of a file.
struct Blocks<'a> {
    file: &'a str,
    text: &'a str,
    fences: &'a [Fence],
    /// Decks besides those of the file.
    decks: &'a Decks,
    /// Whether lines are read as they were written once.
    old: bool,
}

/// So many positions start from each other at most.
const MOST_POSITIONS: usize = 16;

impl Blocks<'_> {
    /// The position from which a block starts, inside of `within`.
    fn position(&self, name: &Name, source: &Source, within: &[&str]) -> Result<Scenario, Vec<Diagnostic>> {
        let wrong = |text: String, help: String| {
            vec![Diagnostic::new(Code::UnknownPosition, source.place(name.span), text).help(help)]
        };
        let positions = || {
            self.fences.iter().filter_map(|fence| {
                let (kind, own) = first_word(&fence.info);
                (kind == "position").then(|| (own.trim(), fence))
            })
        };
        let mut found = positions().filter(|(own, _)| *own == name.text);
        let Some((own, fence)) = found.next() else {
            let near = suggestion(&name.text, positions().map(|(own, _)| own));
            let help = near.unwrap_or_else(|| format!("write a block `position {}` into this file", name.text));
            return Err(wrong(format!("no position of this file is called `{}`", name.text), help));
        };
        if found.next().is_some() {
            let help = "give one of the two another name".to_owned();
            return Err(wrong(format!("two positions are called `{own}`"), help));
        }
        if within.contains(&own) || within.len() >= MOST_POSITIONS {
            let help = "say in one of them what it needs of the other".to_owned();
            return Err(wrong(format!("the position `{own}` starts from itself"), help));
        }
        let chain: Vec<&str> = within.iter().copied().chain([own]).collect();
        let position = scenario(self, fence, own, &chain)?;
        let bare = position.script.is_empty() && position.cites.is_empty() && position.seed.is_none();
        if !bare || position.profile != Profile::default() {
            let help = "leave only `given { … }` in it".to_owned();
            return Err(wrong(format!("the position `{own}` says more than what is given"), help));
        }
        Ok(position)
    }

    /// What a deck says of its player: one of the file, else one that is known besides.
    fn deck(&self, name: &Name, owner: &Name, source: &Source) -> Result<Scenario, Vec<Diagnostic>> {
        let own = decks(self.file, self.text)?;
        let fits = |deck: &&Deck| folded(&deck.name) == folded(&name.text);
        let found: Vec<&Deck> = match own.iter().filter(fits).collect::<Vec<_>>() {
            none if none.is_empty() => self.decks.all()?.iter().filter(fits).collect(),
            own => own,
        };
        let wrong = |text: String, help: String| {
            vec![Diagnostic::new(Code::UnknownDeck, source.place(name.span), text).help(help)]
        };
        match found.as_slice() {
            [one] => one.of(&owner.text),
            [] => {
                let known = || own.iter().chain(self.decks.all().into_iter().flatten()).map(|deck| deck.name.as_str());
                let names: Vec<&str> = known().collect();
                let help = match (suggestion(&name.text, known()), names.is_empty()) {
                    (Some(near), _) => near,
                    (None, true) => format!("write a block `deck {}` into this file", name.text),
                    (None, false) => format!("there are: {}", names.join(", ")),
                };
                Err(wrong(format!("no deck is called `{}`", name.text), help))
            }
            _ => Err(wrong(
                format!("several decks are called `{}`", name.text),
                "give one of them another name".to_owned(),
            )),
        }
    }
}

fn scenario(blocks: &Blocks<'_>, fence: &Fence, name: &str, within: &[&str]) -> Result<Scenario, Vec<Diagnostic>> {
    let source = Source {
        file: blocks.file.to_owned(),
        base: offset(fence.content.start),
        text: blocks.text[fence.content.clone()].to_owned(),
    };
    let clauses = parse_clauses(&source.text)
        .map_err(|errors| errors.into_iter().map(|found| source.placed(found)).collect::<Vec<_>>())?;
    // total: a block without a name, below no heading, has none; it is found by its file.
    let heading = || fence.headings.last().cloned().unwrap_or_default();
    let mut reader = Reader {
        scenario: Scenario {
            name: if name.is_empty() { heading() } else { name.to_owned() },
            headings: fence.headings.clone(),
            prose: fence.prose.clone(),
            source: Arc::new(source),
            cites: Vec::new(),
            profile: Profile::default(),
            seed: None,
            given: Vec::new(),
            given_lines: Vec::new(),
            script: Vec::new(),
        },
        blocks,
        within,
        things: 0,
        said: Vec::new(),
        diags: Vec::new(),
    };
    for clause in &clauses {
        if let Err(diag) = reader.clause(clause).and_then(|()| reader.bounded()) {
            reader.diags.push(diag);
        }
        if reader.diags.iter().any(|diag| diag.code == Code::TooMuch) {
            break;
        }
    }
    if !fence.closed {
        reader.diags.push(Diagnostic::new(Code::OpenBlock, reader.scenario.place(), "the block is never closed"));
    }
    reader.once_at();
    if reader.diags.is_empty() { Ok(reader.scenario) } else { Err(reader.diags) }
}

/// How a line is written that was once written otherwise.
fn old(given: &Given, source: &Source, clause: &Clause) -> Option<Diagnostic> {
    let (text, now) = match given {
        Given::Cards(list) => {
            let owner = list.owner.as_ref()?;
            list.class.as_ref()?;
            let text = "the cards of a player are listed behind his name";
            (text, format!("write `{}: {} \"NAME\".`", owner.text, list.place.text))
        }
        Given::Begin { procedure, step, .. } => {
            let step: String = step.iter().map(|step| format!("{} of ", step.text)).collect();
            (
                "what runs is said with `at`",
                format!("write `at {step}{} for NAME.`, and what runs in it behind a semicolon", procedure.text),
            )
        }
        _ => return None,
    };
    Some(misread(source, clause.span, text, &format!("{now}; `netrep fmt FILE` does it")))
}

struct Reader<'a> {
    scenario: Scenario,
    blocks: &'a Blocks<'a>,
    /// The positions of which this is one.
    within: &'a [&'a str],
    /// How many cards and other things the position has so far.
    things: usize,
    /// What is said once and has been said.
    said: Vec<String>,
    diags: Vec<Diagnostic>,
}

impl Reader<'_> {
    /// Refuses a block that says more than is read.
    fn bounded(&self) -> Result<(), Diagnostic> {
        let place = || self.scenario.place();
        if self.things > GIVEN {
            return Err(beyond(place(), "cards and other things in the position", GIVEN));
        }
        if self.scenario.given.len() + self.scenario.script.len() > LINES {
            return Err(beyond(place(), "sentences in the block", LINES));
        }
        Ok(())
    }

    fn given(&mut self, found: Given, line: GivenLine) {
        self.things += found.things();
        self.scenario.given.push(found);
        self.scenario.given_lines.push(line);
    }

    /// Puts in what a position says. What is wrong in it then is told where the block starts from it.
    fn start(&mut self, name: &Name, source: &Source) {
        match self.blocks.position(name, source, self.within) {
            Ok(position) => {
                for (found, line) in position.given.into_iter().zip(position.given_lines) {
                    let line = GivenLine { of: Some(name.text.clone()), ..line };
                    self.given(found.at(name.span), line);
                }
            }
            Err(diags) => self.diags.extend(diags),
        }
    }

    /// Puts in the cards of a deck, and what else its line says.
    fn deck(&mut self, owner: &Name, name: &Name, more: Option<Given>, clause: &Clause, source: &Source) {
        match self.blocks.deck(name, owner, source) {
            Ok(deck) => {
                for (found, line) in deck.given.into_iter().zip(deck.given_lines) {
                    let of = Some(source.slice(name.span).to_owned());
                    self.given(found.at(name.span), GivenLine { of, ..line });
                }
            }
            Err(diags) => self.diags.extend(diags),
        }
        let Some(more) = more else { return };
        let (line, deck) = (source.slice(clause.span), source.slice(name.span));
        // total: the line names the deck
        let (before, behind) = line.split_once(deck).unwrap_or((line, ""));
        let behind = behind.trim_start_matches([';', ' ', '\n']);
        let before = if behind.starts_with('.') { before.trim_end_matches([' ', '\n', ':']) } else { before };
        self.given(more, GivenLine { text: format!("{before}{behind}"), of: None });
    }

    /// Where the game stands is said once; a block says it anew, and the position from which it starts does not count then.
    fn once_at(&mut self) {
        let is_at = |given: &Given| matches!(given, Given::At(..) | Given::Begin { .. });
        let pairs = || self.scenario.given.iter().zip(&self.scenario.given_lines);
        let own = pairs().any(|(given, line)| is_at(given) && line.of.is_none());
        if !own {
            return;
        }
        let keep: Vec<bool> = pairs().map(|(given, line)| !is_at(given) || line.of.is_none()).collect();
        let mut kept = keep.iter().copied();
        // total: as many as there are lines
        self.scenario.given.retain(|_| kept.next().unwrap_or(true));
        let mut kept = keep.iter().copied();
        self.scenario.given_lines.retain(|_| kept.next().unwrap_or(true));
        let twice = self.scenario.given.iter().filter_map(|given| match given {
            Given::At(_, span) => Some(*span),
            _ => None,
        });
        if let Some(again) = twice.skip(1).last() {
            let help = "say what runs in it behind a semicolon, in one line";
            self.diags.push(misread(&self.scenario.source, again, "where the game stands is said twice", help));
        }
    }

    fn clause(&mut self, clause: &Clause) -> Result<(), Diagnostic> {
        let source = Arc::clone(&self.scenario.source);
        let no_part = || {
            let first = clause.tokens.first();
            let near = first.and_then(word).and_then(|head| suggestion(head, PARTS));
            let shape = near.unwrap_or_else(|| format!("a scenario has `{}`", PARTS.join("`, `")));
            misread(&source, first.map_or(clause.span, |head| head.span), "this is no part of a scenario", &shape)
        };
        let head = clause.tokens.split_first().and_then(|(head, rest)| Some((word(head)?, rest)));
        let (head, rest) = head.ok_or_else(no_part)?;
        if ONCE.contains(&head) {
            if self.said.iter().any(|said| said == head) {
                return Err(misread(
                    &source,
                    clause.span,
                    &format!("`{head}` is said twice"),
                    "keep the one that is meant",
                ));
            }
            self.said.push(head.to_owned());
        }
        match head {
            "given" => {
                for inner in block(clause, &source, "given")? {
                    match given(inner, &source) {
                        Ok(Given::From(name)) => self.start(&name, &source),
                        Ok(Given::Deck { owner, name, more }) => {
                            self.deck(&owner, &name, more.map(|more| *more), inner, &source);
                        }
                        Ok(found) => {
                            self.diags.extend(old(&found, &source, inner).filter(|_| !self.blocks.old));
                            let text = source.slice(inner.span).to_owned();
                            self.given(found, GivenLine { text, of: None });
                        }
                        Err(diag) => self.diags.push(in_position(diag)),
                    }
                    self.bounded()?;
                }
            }
            "when" | "expect" => {
                let under = under(rest, &source, clause)?;
                for inner in block(clause, &source, head)? {
                    let what =
                        if head == "when" { moved(inner, &source) } else { expected(inner, &source).map(What::Expect) };
                    match what {
                        Ok(what) => self.scenario.script.push(Line { what, under: under.clone(), span: inner.span }),
                        Err(diag) => self.diags.push(diag),
                    }
                }
            }
            "cases" => {
                let under = under(rest, &source, clause)?;
                let inner = block(clause, &source, "cases")?;
                let what = What::Cases(cases(inner, clause, &source)?);
                self.scenario.script.push(Line { what, under, span: clause.span });
            }
            "format" => match rest {
                [Token { kind: TokenKind::Number(format), .. }] if *format == FORMAT => {}
                [Token { kind: TokenKind::Number(format), span }] => {
                    let text = format!("this is of format {format}, and format {FORMAT} is read");
                    let help = "run it with the release that wrote it, or write it anew as `grammar/README.md` says";
                    return Err(Diagnostic::new(Code::UnknownFormat, source.place(*span), text).help(help));
                }
                _ => return Err(misread(&source, clause.span, "a format is a number", "write `format 1.`")),
            },
            "cites" => self.scenario.cites.extend(cites(rest, &source, clause)?),
            "edition" if !rest.is_empty() => {
                self.scenario.profile.edition = Some(Arc::from(words(rest, &source, clause.span).text));
            }
            "variant" if !rest.is_empty() => {
                self.scenario.profile.variants.push(Arc::from(words(rest, &source, clause.span).text));
            }
            "with" if rest.len() >= 2 => {
                let (ruling, reading) = rest.split_at(1);
                let text = |tokens| words(tokens, &source, clause.span).text;
                self.scenario.profile.with.push((Arc::from(text(ruling)), Arc::from(text(reading))));
            }
            "without" if !rest.is_empty() => {
                self.scenario.profile.without.push(Arc::from(words(rest, &source, clause.span).text));
            }
            "as" if rest.len() >= 2 && rest.first().and_then(word) == Some("of") => {
                self.scenario.profile.as_of = Some(day(&rest[1..], &source, clause)?);
            }
            "seed" => match rest {
                [one] if matches!(one.kind, TokenKind::Number(_)) => {
                    if let TokenKind::Number(seed) = one.kind {
                        self.scenario.seed = u64::try_from(seed).ok();
                    }
                }
                _ => return Err(misread(&source, clause.span, "a seed is a number", "write `seed 7.`")),
            },
            _ => return Err(no_part()),
        }
        Ok(())
    }
}
