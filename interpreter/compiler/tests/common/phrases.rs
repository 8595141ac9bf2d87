//! Material read, rendered and read again: what the tests of phrases share.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use netrep_compiler::finding::Finding;
use netrep_compiler::phrase::clause::{ClauseKind, ReadClause};
use netrep_compiler::phrase::declare::declare;
use netrep_compiler::phrase::lexicon::{Lexicon, Words};
use netrep_compiler::phrase::read::{count_ambiguities, read_item};
use netrep_compiler::phrase::render::render_clause;
use netrep_compiler::phrase::term::Term;
use netrep_compiler::phrase::tree::{TermKey, TermKind};
use netrep_grammar::tree::{Clause, Item, Token, TokenKind};
use netrep_grammar::{parse_item, split};

/// An item with its text and the file it stands in.
pub(crate) struct Source {
    pub file: String,
    pub text: String,
    pub item: Item,
}

/// The files of the language under a folder.
pub(crate) fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| ["words", "rules", "cards"].iter().any(|x| e == *x)) {
            out.push(path);
        }
    }
}

/// The items of the files under a folder, each named by its path in the folder.
pub(crate) fn load(dir: &Path) -> Vec<Source> {
    let mut paths = Vec::new();
    files(dir, &mut paths);
    let mut sources = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let file = path.strip_prefix(dir).unwrap().to_string_lossy().replace('\\', "/");
        for raw in split(&text) {
            let part = text[raw.range.clone()].to_owned();
            let (item, errors) = parse_item(&part);
            assert!(errors.is_empty(), "{file}: {part}\n{errors:?}");
            sources.push(Source { file: file.clone(), text: part, item: item.unwrap() });
        }
    }
    sources
}

/// The terms that the items declare.
pub(crate) fn terms(sources: &[Source], complaints: &mut Vec<String>) -> Vec<Term> {
    let mut terms = Vec::new();
    for source in sources {
        let (declared, errors) = declare(&source.item);
        terms.extend(declared);
        complaints.extend(errors.iter().map(|e| shown(source, e)));
    }
    terms
}

/// A vocabulary of the terms that the items declare.
pub(crate) fn vocabulary(sources: &[Source], complaints: &mut Vec<String>) -> Words {
    let terms = terms(sources, complaints);
    let mut keys: Vec<_> = terms.iter().map(|t| t.key.clone()).collect();
    keys.sort();
    for pair in keys.windows(2) {
        // An attribute may be declared of several classes one by one; it is one attribute.
        if pair[0] == pair[1] && pair[0].kind != TermKind::Attribute {
            complaints.push(format!("declared twice: {:?}", pair[0]));
        }
    }
    Words::new(terms)
}

fn shown(source: &Source, error: &Finding) -> String {
    let (from, to) = (error.place.start as usize, error.place.end as usize);
    let start = source.text[..from].rfind('\n').map_or(0, |i| i + 1);
    let end = source.text[to..].find('\n').map_or(source.text.len(), |i| i + to);
    let labels: Vec<&String> = error.labels.iter().map(|l| &l.text).collect();
    format!(
        "{} [{}] {}\n    {}\n    at `{}` help {:?} {labels:?}",
        source.file,
        error.code,
        error.message,
        source.text[start..end].trim(),
        &source.text[from..to],
        error.help,
    )
}

fn has_block(kind: &ClauseKind) -> bool {
    match kind {
        ClauseKind::May { block, .. } | ClauseKind::Play { block, .. } => !block.is_empty(),
        ClauseKind::Raw { clause, .. } => clause.block.is_some(),
        ClauseKind::Procedure { .. }
        | ClauseKind::Step { .. }
        | ClauseKind::Carried { .. }
        | ClauseKind::Lasts { .. }
        | ClauseKind::In { .. }
        | ClauseKind::Part { .. }
        | ClauseKind::Action { .. } => true,
        _ => false,
    }
}

/// Equal but for places.
fn same(a: &[ReadClause], b: &[ReadClause]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_kind(&a.kind, &b.kind))
}

fn same_kind(a: &ClauseKind, b: &ClauseKind) -> bool {
    fn bare(kind: &ClauseKind) -> (ClauseKind, Vec<Vec<ReadClause>>) {
        let mut kind = kind.clone();
        let blocks = match &mut kind {
            ClauseKind::May { block, .. }
            | ClauseKind::Play { block, .. }
            | ClauseKind::Procedure { block, .. }
            | ClauseKind::Step { block, .. }
            | ClauseKind::Carried { block, .. }
            | ClauseKind::Lasts { block, .. }
            | ClauseKind::In { block, .. }
            | ClauseKind::Part { block, .. }
            | ClauseKind::Action { block, .. } => vec![std::mem::take(block)],
            ClauseKind::Raw { clause, .. } => {
                *clause = Clause::default();
                Vec::new()
            }
            _ => Vec::new(),
        };
        (kind, blocks)
    }
    let ((a, x), (b, y)) = (bare(a), bare(b));
    a == b && x.len() == y.len() && x.iter().zip(&y).all(|(a, b)| same(a, b))
}

fn tokens(tokens: &[Token]) -> usize {
    tokens
        .iter()
        .map(|t| match &t.kind {
            TokenKind::Paren(i) | TokenKind::Bracket(i) | TokenKind::Brace(i) => 2 + self::tokens(i),
            _ => 1,
        })
        .sum()
}

fn clause_tokens(clauses: &[Clause]) -> (usize, usize) {
    clauses.iter().fold((0, 0), |(n, t), c| {
        let (inner, more) = clause_tokens(c.block.as_deref().unwrap_or(&[]));
        (n + 1 + inner, t + tokens(&c.tokens) + more)
    })
}

/// The item's text again, with its clauses rendered.
fn rewritten(source: &Source, clauses: &[ReadClause], words: &Words) -> String {
    let terms = |key: &_| term(words, key);
    let Some(open) = source.item.clauses.first() else { return source.text.clone() };
    let cut = source.text[..open.span.start as usize].rfind('{').map_or(open.span.start as usize, |i| i + 1);
    let mut text = source.text[..cut].to_owned();
    for clause in clauses.iter().filter(|c| c.span.start as usize >= cut) {
        text.push_str("\n    ");
        text.push_str(&render_clause(clause, &terms));
        if !has_block(&clause.kind) {
            text.push('.');
        }
    }
    // What a definition's header holds is read from the header again.
    text.push_str("\n}");
    text
}

/// The term of a key.
pub(crate) fn term(words: &Words, key: &TermKey) -> Option<Arc<Term>> {
    words.term_named(key.kind, &key.name)
}

/// What reading some items came to.
#[derive(Debug, Default)]
pub(crate) struct Proof {
    /// What is wrong, one entry each.
    pub complaints: Vec<String>,
    /// The clauses of each item.
    pub read: Vec<Vec<ReadClause>>,
    pub clauses: usize,
    pub sentences: usize,
    pub tokens: usize,
    /// Sentences with several readings before the preferences, and after them.
    pub ambiguous: (usize, usize),
    pub elapsed: Duration,
}

/// Reads each item, renders it, and reads it again: both readings must be the same.
pub(crate) fn prove(sources: &[Source], words: &Words, runs: usize) -> Proof {
    let mut complaints = Vec::new();
    // The best of several runs, item by item, since the machine may be busy with other things.
    let mut best = vec![Duration::MAX; sources.len()];
    let mut read = Vec::new();
    for _ in 0..runs {
        read = Vec::new();
        for (source, best) in sources.iter().zip(&mut best) {
            let start = Instant::now();
            read.push(read_item(&source.item, words));
            *best = start.elapsed().min(*best);
        }
    }
    let elapsed: Duration = best.iter().sum();
    let (mut sentences, mut before, mut after) = (0, 0, 0);
    let (mut clauses, mut words_read) = (0, 0);
    for (source, (read, errors)) in sources.iter().zip(&read) {
        complaints.extend(errors.iter().map(|e| shown(source, e)));
        let counted = count_ambiguities(&source.item, words);
        sentences += counted.sentences;
        before += counted.before;
        after += counted.after;
        let (n, t) = clause_tokens(&source.item.clauses);
        clauses += n;
        words_read += t + tokens(&source.item.header);
        if !errors.is_empty() || source.item.head == "list" || !source.item.has_body {
            continue;
        }
        let text = rewritten(source, read, words);
        let (item, errors) = parse_item(&text);
        let Some(item) = item else {
            complaints.push(format!("{}: rendered text does not parse: {errors:?}\n{text}", source.file));
            continue;
        };
        let (again, errors) = read_item(&item, words);
        for error in &errors {
            let rendered =
                Source { file: format!("{} (rendered)", source.file), text: text.clone(), item: item.clone() };
            complaints.push(shown(&rendered, error));
        }
        if errors.is_empty() && !same(read, &again) {
            let differs = read.iter().zip(&again).find(|(a, b)| !same_kind(&a.kind, &b.kind));
            if let Some((a, b)) = differs {
                let terms = |key: &_| term(words, key);
                complaints.push(format!(
                    "{}: reads differently when rendered:\n    {}\n    {}\n    {}",
                    source.file,
                    &source.text[a.span.start as usize..a.span.end as usize],
                    render_clause(a, &terms),
                    render_clause(b, &terms)
                ));
            }
        }
    }
    Proof {
        complaints,
        read: read.into_iter().map(|(clauses, _)| clauses).collect(),
        clauses,
        sentences,
        tokens: words_read,
        ambiguous: (before, after),
        elapsed,
    }
}
