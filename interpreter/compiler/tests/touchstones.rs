//! The touchstones: hard cards said whole, in the vocabulary of the repository. Those that wait resolve without ambiguity,
//! and read the same again when they are rendered. Words that no rule declares yet are declared in `awaited.words`; `expected-missing.md` lists for each
//! file which of them it uses, no more and no less. `TOUCHSTONES_WRITE=1` writes that list.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::phrases::{Proof, Source, files, load, prove, terms};
use netrep_compiler::phrase::clause::{ClauseKind, ReadClause};
use netrep_compiler::phrase::lexicon::Words;
use netrep_compiler::phrase::term::{Detail, Frame, Param, Seat, Term, TypeName};
use netrep_compiler::phrase::tree::{TermKey, TermKind};
use netrep_compiler::uses::of_clauses;
use netrep_grammar::fmt;
use netrep_grammar::tree::{Clause, TokenKind};

const LIST: &str = "expected-missing.md";
const AWAITED: &str = "awaited.words";
/// Where those stand that run: they are compiled with the data and played, in the tests of the whole.
const RUNNING: &str = "cards/";
/// What the touchstones must at least be.
const CARDS: usize = 43;
const SETS: [&str; 7] = ["TW", "TD", "DM", "LE", "AS", "WH", "BA"];
const RULES: [&str; 2] = ["2.IV.v.F1", "2.IV.v.B1"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn touchstones() -> PathBuf {
    repository().join("tests/touchstones")
}

/// What all tests here look at.
struct Material {
    /// The cards and rule sections.
    sources: Vec<Source>,
    /// The terms that `rules/` declares.
    rules: Vec<Term>,
    /// The terms of `awaited.words`.
    awaited: Vec<Term>,
    words: Words,
    complaints: Vec<String>,
}

fn material() -> Material {
    let mut complaints = Vec::new();
    let rules = terms(&load(&repository().join("rules")), &mut complaints);
    let (awaited, sources): (Vec<Source>, Vec<Source>) =
        load(&touchstones()).into_iter().filter(|s| !s.file.starts_with(RUNNING)).partition(|s| s.file == AWAITED);
    let awaited = terms(&awaited, &mut complaints);
    // A section that the repository has too declares its procedures again; those of the repository count.
    let own = terms(&sources, &mut complaints);
    let key = |t: &Term| t.key.clone();
    let known: BTreeSet<TermKey> = rules.iter().map(key).collect();
    // A list in `awaited.words` adds terms to the list of its name.
    let added = awaited.iter().filter(|t| !(t.key.kind == TermKind::List && known.contains(&t.key)));
    let mut all: Vec<Term> = rules.iter().chain(added).cloned().collect();
    let known: BTreeSet<TermKey> = all.iter().map(key).collect();
    all.extend(own.into_iter().filter(|t| !known.contains(&t.key)));
    Material { words: Words::new(all), sources, rules, awaited, complaints }
}

fn said(key: &TermKey) -> String {
    format!("{} `{}`", format!("{:?}", key.kind).to_lowercase(), key.name)
}

#[test]
fn touchstones_resolve_and_render() {
    let Material { sources, words, mut complaints, .. } = material();
    let Proof { complaints: more, ambiguous, clauses, sentences, .. } = prove(&sources, &words, 1);
    complaints.extend(more);
    println!("{} items, {clauses} clauses, {sentences} sentences", sources.len());
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
    assert_eq!(ambiguous.1, 0);
}

#[test]
fn touchstones_are_in_the_canonical_layout() {
    let mut paths = Vec::new();
    files(&touchstones(), &mut paths);
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let once = fmt(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(fmt(&once).as_ref(), Ok(&once), "{}: the layout is not its own layout", path.display());
        if std::env::var("TOUCHSTONES_WRITE").is_ok() {
            fs::write(&path, &once).unwrap();
        } else {
            assert!(once == text, "{} is not in the canonical layout: run `netrep fmt` on it", path.display());
        }
    }
}

#[test]
fn touchstones_cover_every_set() {
    let sources = load(&touchstones());
    let named = |head: &str| -> BTreeSet<String> {
        let of_head = sources.iter().filter(|s| s.item.head == head);
        of_head
            .map(|s| match s.item.header.first().map(|t| &t.kind) {
                Some(TokenKind::Capital(id) | TokenKind::Word(id) | TokenKind::Reference(id)) => id.clone(),
                other => panic!("{}: a header begins with an id, not {other:?}", s.file),
            })
            .collect()
    };
    let (cards, sections) = (named("card"), named("rule"));
    assert!(cards.len() >= CARDS, "{} cards", cards.len());
    for set in SETS {
        assert!(cards.iter().any(|id| id.starts_with(&format!("{set}-"))), "no card of {set}");
    }
    let missing: Vec<&&str> = RULES.iter().filter(|id| !sections.contains(**id)).collect();
    assert!(missing.is_empty(), "these sections are missing: {missing:?}");
}

/// The numbers of the printed sentences that the clauses cite, and how many sentences there are.
fn cited(clauses: &[Clause], numbers: &mut BTreeSet<u32>) -> usize {
    let mut printed = 0;
    for clause in clauses {
        if let Some(marker) = &clause.marker {
            numbers.extend(marker.sentences.iter().copied());
        }
        match clause.tokens.first().map(|t| &t.kind) {
            Some(TokenKind::Word(w)) if w == "printed" => {
                printed = clause.tokens.iter().filter(|t| matches!(t.kind, TokenKind::Quoted(_))).count();
            }
            Some(TokenKind::Word(w)) if w == "partial" => panic!("a touchstone says its text whole"),
            _ => {}
        }
        printed += cited(clause.block.as_deref().unwrap_or(&[]), numbers);
    }
    printed
}

#[test]
fn every_printed_sentence_is_expressed() {
    for source in load(&touchstones()).iter().filter(|s| s.item.head == "card") {
        let mut numbers = BTreeSet::new();
        let printed = cited(&source.item.clauses, &mut numbers);
        let all: BTreeSet<u32> = (1..=u32::try_from(printed).unwrap()).collect();
        let head = source.text.lines().next().unwrap_or_default();
        assert!(printed > 0, "{head}: no printed sentences");
        assert_eq!(numbers, all, "{head}: the sentences that the clauses cite are not those that are printed");
    }
}

/// The awaited words that each file uses.
fn used(material: &Material) -> BTreeMap<String, BTreeSet<String>> {
    // A list that the rules have too is only added to.
    let has = |key: &TermKey| key.kind == TermKind::List && material.rules.iter().any(|t| t.key == *key);
    let awaited: BTreeSet<&TermKey> = material.awaited.iter().map(|t| &t.key).filter(|k| !has(k)).collect();
    let proof = prove(&material.sources, &material.words, 1);
    let mut lists: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (source, clauses) in material.sources.iter().zip(&proof.read) {
        let mut keys = BTreeSet::new();
        of_clauses(clauses, &mut keys);
        declared_in(clauses, &mut keys, &material.words);
        let list = lists.entry(source.file.clone()).or_default();
        list.extend(keys.iter().filter(|k| awaited.contains(k)).map(said));
    }
    lists
}

/// Classes and lists of parameters that the clauses of an item bind.
fn declared_in(clauses: &[ReadClause], keys: &mut BTreeSet<TermKey>, words: &Words) {
    use netrep_compiler::phrase::lexicon::Lexicon;
    for clause in clauses {
        if let ClauseKind::Procedure { parameters, .. } = &clause.kind {
            for (_, name) in parameters {
                keys.extend(words.term_named(TermKind::Class, name).map(|t| t.key.clone()));
            }
        }
    }
}

/// The list as it is written.
fn listed() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(touchstones().join(LIST)).unwrap();
    let mut lists: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut file = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            lists.entry(name.to_owned()).or_default();
            file = Some(name.to_owned());
        } else if let (Some(file), Some(word)) = (&file, line.strip_prefix("- ")) {
            lists.entry(file.clone()).or_default().insert(word.to_owned());
        }
    }
    lists
}

#[test]
fn the_missing_words_are_those_that_are_listed() {
    let material = material();
    let used = used(&material);
    if std::env::var("TOUCHSTONES_WRITE").is_ok() {
        let mut text = String::from(
            "# Words that the touchstones await\n\nFor each file the words of `awaited.words` that it uses. A word \
             that a rule declares is deleted here and there.\n",
        );
        for (file, words) in &used {
            write!(text, "\n## {file}\n\n").unwrap();
            words.iter().for_each(|word| writeln!(text, "- {word}").unwrap());
        }
        fs::write(touchstones().join(LIST), text).unwrap();
    }
    let listed = listed();
    let mut wrong = String::new();
    for file in used.keys().chain(listed.keys()).collect::<BTreeSet<_>>() {
        let none = BTreeSet::new();
        let (used, listed) = (used.get(file).unwrap_or(&none), listed.get(file).unwrap_or(&none));
        for word in used.difference(listed) {
            writeln!(wrong, "add to {LIST} under {file}: {word}").unwrap();
        }
        for word in listed.difference(used) {
            writeln!(wrong, "delete in {LIST} under {file}: {word}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_awaited_word_is_awaited_by_something() {
    let material = material();
    let used: BTreeSet<String> = used(&material).into_values().flatten().collect();
    let mut wrong = String::new();
    for term in &material.awaited {
        // A list stands for its terms where all of them are meant, and for the facts of its kind.
        let by_its_list = match &term.detail {
            Detail::Entry { list } => used.contains(&format!("list `{list}`")),
            Detail::List => true,
            _ => false,
        };
        if !by_its_list && !used.contains(&said(&term.key)) {
            writeln!(wrong, "delete in {AWAITED}, for nothing uses it: {}", said(&term.key)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn no_awaited_word_is_declared_already() {
    let Material { rules, awaited, .. } = material();
    let mut wrong = String::new();
    for word in awaited.iter().filter(|t| t.key.kind != TermKind::List) {
        if let Some(there) = rules.iter().find(|there| covers(there, word)) {
            writeln!(
                wrong,
                "rules/ declares {} now: delete {} in {AWAITED} and its lines in {LIST} (or run the test with TOUCHSTONES_WRITE=1)",
                said(&there.key),
                said(&word.key)
            )
            .unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// True if a term of the rules says what the awaited one would say: the same name or, of a verb or relation, the same
/// words with roles that it has too.
fn covers(there: &Term, word: &Term) -> bool {
    if there.key == word.key {
        return true;
    }
    if there.key.kind != word.key.kind {
        return false;
    }
    let form = |t: &Term| t.forms.first().map(|f| f.words.clone());
    let same = form(there) == form(word);
    match (&there.detail, &word.detail) {
        (Detail::Verb { frame: a }, Detail::Verb { frame: b }) => same && frame_covers(a, b),
        (Detail::Relation { subject: a, object: x }, Detail::Relation { subject: b, object: y }) => {
            same && share(a, b) && share(x, y)
        }
        (Detail::Relation { .. } | Detail::Attribute { .. }, _) => false,
        _ => same,
    }
}

fn frame_covers(a: &Frame, b: &Frame) -> bool {
    b.roles.iter().all(|role| {
        let seated = |r: &&netrep_compiler::phrase::term::Role| match (&r.seat, &role.seat) {
            (Seat::Subject, Seat::Subject) | (Seat::Object, Seat::Object) => share(&r.param, &role.param),
            (Seat::After(a), Seat::After(b)) => a == b && share(&r.param, &role.param),
            _ => false,
        };
        a.roles.iter().find(seated).is_some()
    }) && b.groups.iter().filter(|g| g.role.is_none()).all(|g| a.groups.iter().any(|h| h.before == g.before))
}

/// True if the parameters have a type in common, or one may be any thing.
fn share(a: &Param, b: &Param) -> bool {
    a.types.iter().any(|t| *t == TypeName::Thing || b.types.contains(t)) || b.types.contains(&TypeName::Thing)
}
