//! Items as the compiler reads them: with the clauses of patterns in the places of the sentences that stand for them.

use netrep_compiler::layers::words::joined;
use netrep_compiler::views::ItemView;
use netrep_compiler::{Compiler, Profile};
use netrep_grammar::tree::Clause;
use serde::Serialize;

use crate::find::{Found, find};

/// An item with the clauses of patterns put in.
#[derive(Clone, Debug, Serialize)]
pub struct Expanded {
    /// Its head.
    pub head: String,
    /// What names it.
    pub key: String,
    /// It in the language; of a pattern what it stands for in each of those that use it.
    pub text: String,
}

/// The cards, rules and patterns that a name means. `Err`: nothing is called so, but these are near.
pub fn expanded(compiler: &Compiler, name: &str, profile: &Profile) -> Result<Vec<Expanded>, Vec<String>> {
    let one = |found: Found| match found {
        Found::Item(item, _) if matches!(item.head, "card" | "rule") => whole(compiler, &item, profile),
        Found::Item(item, _) if item.head == PATTERN => Some(uses(compiler, &item, profile)),
        Found::Item(..) | Found::Term(_) => None,
    };
    let found: Vec<Expanded> = find(compiler, name)?.into_iter().filter_map(one).collect();
    if found.is_empty() { Err(Vec::new()) } else { Ok(found) }
}

/// The head of patterns.
const PATTERN: &str = "pattern";

fn whole(compiler: &Compiler, item: &ItemView, profile: &Profile) -> Option<Expanded> {
    let (effective, _) = compiler.effective(item.head, &item.key, profile)?;
    let header = item.text.split('{').next()?.trim_end().to_owned();
    let mut text = format!("{header} {{\n");
    effective.tree.clauses.iter().for_each(|clause| write(clause, &mut text));
    text.push_str("}\n");
    Some(shown(item, laid_out(text)))
}

fn uses(compiler: &Compiler, item: &ItemView, profile: &Profile) -> Expanded {
    let name = compiler
        .patterns()
        .into_iter()
        .find(|one| one.place.file == item.place.file && one.place.start == item.place.start);
    let name = name.map(|one| one.name);
    let mut text = String::new();
    for user in compiler.items() {
        let put_in = compiler.put_in(&user, profile);
        let own: Vec<&Clause> = put_in.iter().filter(|(of, _)| Some(of) == name.as_ref()).map(|(_, one)| one).collect();
        if own.is_empty() {
            continue;
        }
        let Some(header) = user.text.split('{').next() else { continue };
        let mut body = format!("{} {{\n", header.trim_end());
        own.into_iter().for_each(|clause| write(clause, &mut body));
        body.push_str("}\n");
        text.push_str(&laid_out(body));
    }
    shown(item, text)
}

fn shown(item: &ItemView, text: String) -> Expanded {
    Expanded { head: item.head.to_owned(), key: item.key.to_string(), text }
}

/// A text as it is laid out; one that the layout does not take, as it is.
fn laid_out(text: String) -> String {
    netrep_grammar::fmt(&text).unwrap_or(text)
}

fn write(clause: &Clause, text: &mut String) {
    let mut begin = String::new();
    if let Some(marker) = &clause.marker {
        let mut inside: Vec<String> = Vec::new();
        let sentences: Vec<String> = marker.sentences.iter().map(u32::to_string).collect();
        // A label that a clause has from the sentence that stands for it would not be derived from its own words.
        let words = joined(&clause.tokens);
        let own = words.split(' ').next() == marker.label.split(' ').next();
        if !(marker.label.is_empty() || marker.derived && own) {
            inside.push(marker.label.clone());
        }
        if !sentences.is_empty() {
            inside.push(sentences.join(", "));
        }
        if !inside.is_empty() {
            begin = format!("[{}] ", inside.join(" "));
        }
    }
    text.push_str(&begin);
    text.push_str(&joined(&clause.tokens));
    match &clause.block {
        Some(block) => {
            text.push_str(" {\n");
            block.iter().for_each(|inner| write(inner, text));
            text.push_str("}\n");
        }
        None => text.push_str(".\n"),
    }
}
