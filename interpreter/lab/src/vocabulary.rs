//! The words of the vocabulary: which there are, how they are used, and who uses them.

use std::collections::BTreeMap;

use netrep_compiler::Compiler;
use netrep_compiler::phrase::read::completions;
use netrep_compiler::phrase::scope::Scope;
use netrep_compiler::phrase::term::{Detail, Param, Term, TypeName};
use netrep_compiler::phrase::tree::TermKind;
use netrep_compiler::signature::{kind_word, signature};
use netrep_compiler::views::TermView;
use netrep_grammar::parse_sentence;
use serde::Serialize;

use crate::find::title;
use crate::spot::Spot;
use crate::words::{folded, nearest_name};

/// A declared term.
#[derive(Clone, Debug, Serialize)]
pub struct Word {
    /// What kind of term it is.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its spelled forms.
    pub forms: Vec<String>,
    /// As it would be declared, without its body: its sorts, and the frame of a verb.
    pub signature: String,
    /// Where it is declared.
    pub spot: Spot,
    /// The items that use it, in the order of declaration.
    pub users: Vec<User>,
}

/// An item that uses a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct User {
    /// Its head word.
    pub head: String,
    /// A card's id, a rule's number, the words of a declaration.
    pub key: String,
    /// A card's name, a rule's title; empty if it has none.
    pub title: String,
}

/// The terms one of whose forms matches a pattern: contains it, or, if it has a `*` or a `?`, is matched by it as a
/// whole. All terms, if there is no pattern. `Err`: none matches, but these are near.
pub fn words(compiler: &Compiler, pattern: Option<&str>) -> Result<Vec<Word>, Vec<String>> {
    let Some(pattern) = pattern else { return Ok(all(compiler)) };
    let terms = compiler.terms();
    let wanted = folded(pattern);
    let found = matching(compiler, &terms, &wanted);
    if !found.is_empty() {
        return Ok(found);
    }
    let forms: Vec<String> = terms.iter().flat_map(|term| term.term.forms.iter().map(|form| form.text())).collect();
    Err(nearest_name(&wanted, forms.iter().map(String::as_str)).into_iter().collect())
}

/// What may stand behind the beginning of a sentence: words of the language, and what kinds of phrases are called.
///
/// # Errors
/// In words, if no sentence begins so: how far one does, and what could stand there.
pub fn next(compiler: &Compiler, beginning: &str) -> Result<Vec<String>, String> {
    let tokens = match beginning.trim() {
        "" => Vec::new(),
        words => parse_sentence(words)
            .map_err(|found| found.into_iter().map(|one| one.message).collect::<Vec<_>>().join("; "))?,
    };
    let lexicon = compiler.lexicon();
    let behind = |tokens| completions(tokens, &Scope::default(), true, &lexicon);
    let readable = (0..=tokens.len()).rev().map(|n| (n, behind(&tokens[..n]))).find(|(_, next)| !next.is_empty());
    match readable {
        Some((n, next)) if n == tokens.len() => Ok(next),
        Some((n, next)) => {
            let wrong = tokens[n].span;
            let wrong = &beginning.trim()[wrong.start as usize..wrong.end as usize];
            Err(format!("`{wrong}` cannot stand there, but {}", next.join(", ")))
        }
        None => Err("no sentence begins so".to_owned()),
    }
}

/// All terms.
pub fn all(compiler: &Compiler) -> Vec<Word> {
    matching(compiler, &compiler.terms(), "")
}

fn matching(compiler: &Compiler, terms: &[TermView], wanted: &str) -> Vec<Word> {
    let matches = |term: &&TermView| {
        let forms = term.term.forms.iter().map(|form| form.text());
        forms.chain([term.term.key.name.to_string()]).any(|form| is_match(wanted, &folded(&form)))
    };
    let titles: BTreeMap<(&str, String), String> =
        compiler.items().iter().map(|item| ((item.head, item.key.to_string()), title(item))).collect();
    let users = uses(terms, &titles);
    let word = |view: &TermView| Word {
        kind: kind_word(&view.term).to_owned(),
        name: view.term.key.name.to_string(),
        forms: view.term.forms.iter().map(|form| form.text()).collect(),
        signature: signature(&view.term),
        spot: Spot::of(compiler, &view.place),
        users: users(view),
    };
    terms.iter().filter(matches).map(word).collect()
}

/// The items that use a term.
pub(crate) fn users(compiler: &Compiler, view: &TermView) -> Vec<User> {
    let terms = compiler.terms();
    let titles: BTreeMap<(&str, String), String> =
        compiler.items().iter().map(|item| ((item.head, item.key.to_string()), title(item))).collect();
    uses(&terms, &titles)(view)
}

/// Finds the users of a term: the items whose clauses use it, and of a class or list the terms that are declared with it.
fn uses<'a>(
    terms: &'a [TermView],
    titles: &'a BTreeMap<(&str, String), String>,
) -> impl Fn(&TermView) -> Vec<User> + 'a {
    move |view| {
        let clause = |(head, key): &(&'static str, std::sync::Arc<str>)| User {
            head: (*head).to_owned(),
            key: key.to_string(),
            // total: what is no item of the files has no title that could be shown.
            title: titles.get(&(*head, key.to_string())).cloned().unwrap_or_default(),
        };
        let mut users: Vec<User> = view.users.iter().map(clause).collect();
        if matches!(view.term.key.kind, TermKind::Class | TermKind::List) {
            let declared = terms.iter().filter(|other| mentions(&other.term, &view.term.key.name));
            users.extend(declared.map(|other| User {
                head: kind_word(&other.term).to_owned(),
                key: other.term.key.name.to_string(),
                title: String::new(),
            }));
        }
        users
    }
}

/// True if a term is declared with a class or list: about it, or as its value.
fn mentions(term: &Term, name: &str) -> bool {
    let of_type = |value: &TypeName| match value {
        TypeName::Named(other) | TypeName::NameOf(other) | TypeName::NumberFor(other) => **other == *name,
        _ => false,
    };
    let of = |param: &Param| param.types.iter().any(of_type);
    match &term.detail {
        Detail::Class { superclass, .. } => superclass.as_deref() == Some(name),
        Detail::Attribute { of: about, value, .. } => of(about) || of_type(value),
        Detail::Definition { value } | Detail::Role { value } => of_type(value),
        Detail::Adjective { of: about } => of(about),
        Detail::Relation { subject, object } => of(subject) || of(object),
        Detail::Verb { frame } => frame.roles.iter().any(|role| of(&role.param)),
        Detail::Procedure { params } => params.iter().any(of),
        Detail::List | Detail::Entry { .. } | Detail::Place { .. } => false,
    }
}

/// Whether a text matches a pattern: contains it, or is matched as a whole if it has a `*` (any text) or a `?` (any sign).
pub fn is_match(pattern: &str, text: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return text.contains(pattern);
    }
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    // The last star, and how much of the text it has taken so far.
    let (mut p, mut t, mut star) = (0, 0, None);
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(sign) if *sign == '?' || text.get(t) == Some(sign) => {
                p += 1;
                t += 1;
            }
            _ => match &mut star {
                Some((at, taken)) => {
                    *taken += 1;
                    p = *at + 1;
                    t = *taken;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).is_none_or(|rest| rest.iter().all(|sign| *sign == '*'))
}
