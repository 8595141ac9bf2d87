//! `netrep words`: words to write with.

use netrep_lab::Library;
use netrep_lab::vocabulary::{User, Word, next, words};
use serde::Serialize;

use crate::names::unknown;
use crate::output::{Show, count};
use crate::{Outcome, Wrong};

/// How many users of a word are listed.
pub(crate) const USERS: usize = 8;

/// The result of `words`.
#[derive(Serialize)]
struct Words<'a> {
    pattern: &'a str,
    words: Vec<Word>,
}

/// Lists the words that match a pattern.
pub(crate) fn list_words(show: &Show, library: &Library, pattern: &str, all: bool) -> Result<Outcome, Wrong> {
    let found = words(&library.compiler, Some(pattern).filter(|pattern| !pattern.is_empty()));
    let words = found.map_err(|near| unknown("no word is declared that matches", pattern, &near))?;
    let result = Words { pattern, words };
    Ok(show.reply(Outcome::Clean, &result, || {
        for word in &result.words {
            show.line(format!("{}  {}", show.paint("1", &word.signature), word.spot));
            let others: Vec<&str> =
                word.forms.iter().map(String::as_str).filter(|f| !word.signature.contains(f)).collect();
            if !others.is_empty() {
                show.line(format!("  also {}", others.join(", ")));
            }
            show.line(format!("  {}", users_words(&word.users, if all { usize::MAX } else { USERS })));
        }
        show.line(count(result.words.len(), "word", "words"));
    }))
}

/// The result of `words --after`.
#[derive(Serialize)]
struct Next<'a> {
    after: &'a str,
    next: Vec<String>,
}

/// Lists what may stand behind the beginning of a sentence.
pub(crate) fn list_next(show: &Show, library: &Library, after: &str) -> Result<Outcome, Wrong> {
    let next = next(&library.compiler, after).map_err(Wrong::Usage)?;
    let result = Next { after, next };
    Ok(show.reply(Outcome::Clean, &result, || {
        for one in &result.next {
            show.line(one);
        }
    }))
}

/// Who uses a word, the first ones by name.
pub(crate) fn users_words(users: &[User], most: usize) -> String {
    if users.is_empty() {
        return "used by no item".to_owned();
    }
    let name = |user: &User| match (user.head.as_str(), user.title.as_str()) {
        ("card", title) => format!("{} \"{title}\"", user.key),
        ("rule", _) => user.key.clone(),
        (head, _) => format!("{head} {}", user.key),
    };
    let first: Vec<String> = users.iter().take(most).map(name).collect();
    let more = users.len().saturating_sub(most);
    let more = if more > 0 { format!(" and {more} more (--all)") } else { String::new() };
    format!("used by {}: {}{more}", count(users.len(), "item", "items"), first.join(", "))
}
