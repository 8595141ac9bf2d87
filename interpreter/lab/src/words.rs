//! Matching what a script says with what a game offers.
//!
//! Both sides are cut into tokens in which quotes, case, accents and typographic signs do not count. A quoted
//! name is one token. What a script says means an option if its tokens occur in the option's, in their order;
//! it must mean exactly one.

use std::collections::{BTreeMap, BTreeSet};

use netrep_diagnostics::nearest;

/// A text in tokens. A quoted name is one token that begins with `"`.
pub type Tokens = Vec<String>;

/// The first word of a text, and what stands behind it.
pub fn first_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some(parts) => parts,
        None => (text, ""),
    }
}

/// Cuts a text into tokens.
pub fn tokens(text: &str) -> Tokens {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '"' {
            // A name whose quote is never closed goes to the end.
            let (inner, behind) = match after.split_once('"') {
                Some(parts) => parts,
                None => (after, ""),
            };
            found.push(format!("\"{}", folded(inner)));
            rest = behind;
        } else if is_gap(c) {
            rest = after;
        } else {
            let (word, behind) = match rest.find(|c| is_gap(c) || c == '"') {
                Some(end) => rest.split_at(end),
                None => (rest, ""),
            };
            found.push(folded(word));
            rest = behind;
        }
    }
    found.retain(|token| !token.is_empty() && token != "\"");
    found
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | ')' | '[' | ']' | '{' | '}')
}

/// A word or name without what does not count.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Most words are plain, and every option of every decision comes by here.
    if text.bytes().all(|b| b.is_ascii_graphic() && b != b'\'') {
        out.push_str(text);
        out.make_ascii_lowercase();
        return out;
    }
    for c in text.chars().flat_map(char::to_lowercase) {
        match plain(c) {
            Some(letters) => out.push_str(letters),
            None if c.is_whitespace() && (out.is_empty() || out.ends_with(' ')) => {}
            None if c.is_whitespace() => out.push(' '),
            None => out.push(c),
        }
    }
    out.trim_end().to_owned()
}

/// Whether a word or name is another one without what does not count: `folded(text) == wanted`, sooner known.
pub fn folds_to(text: &str, wanted: &str) -> bool {
    // A letter may become none or three, but no plain one does.
    let plain_text = text.bytes().all(|b| b.is_ascii_graphic() && b != b'\'');
    if plain_text { text.eq_ignore_ascii_case(wanted) } else { begins_alike(text, wanted) && folded(text) == wanted }
}

/// Whether the first letter can be the same; it is for most words the first that differs.
fn begins_alike(text: &str, wanted: &str) -> bool {
    match text.chars().next() {
        Some(first) if first.is_ascii_alphanumeric() => wanted.starts_with(first.to_ascii_lowercase()),
        _ => true,
    }
}

/// What stands for a letter with an accent, a ligature or a typographic sign.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' => "a",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' => "e",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ĭ' => "i",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ō' | 'ŏ' | 'ø' => "o",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ŭ' => "u",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ñ' => "n",
        'ç' => "c",
        'ð' => "d",
        'þ' => "th",
        'æ' => "ae",
        'œ' => "oe",
        '‐' | '‑' | '‒' | '–' | '—' | '−' => "-",
        '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '\'' => "",
        '\u{0300}'..='\u{036f}' => "",
        _ => return None,
    })
}

/// Which option a text means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// None.
    None,
    /// This one.
    One(usize),
    /// Any of these.
    Several(Vec<usize>),
}

/// Finds the option that a text means. Labels stand for the words of what they name.
pub fn meant(said: &[String], options: &[Tokens]) -> Meant {
    let holding = |test: &dyn Fn(&Tokens) -> bool| -> Vec<usize> {
        options.iter().enumerate().filter(|(_, option)| test(option)).map(|(i, _)| i).collect()
    };
    let unmarked = unmarked(said);
    let exact = holding(&|option| *option == unmarked);
    if let [one] = exact.as_slice() {
        return Meant::One(*one);
    }
    let found = holding(&|option| occurs(said, option));
    // Of copies that nothing in the text tells apart, the first is meant.
    let stem = |i: &usize| without_copies(&options[*i], said);
    let mut stems: Vec<Tokens> = Vec::new();
    let firsts: Vec<usize> = found
        .into_iter()
        .filter(|i| {
            let own = stem(i);
            let new = !stems.contains(&own);
            stems.push(own);
            new
        })
        .collect();
    match firsts.as_slice() {
        [] => Meant::None,
        [one] => Meant::One(*one),
        _ => Meant::Several(firsts),
    }
}

/// The other options that a text means as well as one: they read the same but for the numbers of copies, of which it says none.
pub(crate) fn copies(said: &[String], options: &[Tokens], one: usize) -> Vec<usize> {
    let stem = |at: usize| options.get(at).map(|option| without_copies(option, said));
    let is_copy = |at: &usize| *at != one && occurs(said, &options[*at]) && stem(*at) == stem(one);
    (0..options.len()).filter(is_copy).collect()
}

/// Said behind a name: the first of its copies, whose name has no number behind it.
const FIRST: &str = "#1";

/// What is said, without what tells the first of copies from the others.
pub(crate) fn unmarked(said: &[String]) -> Tokens {
    said.iter().filter(|token| *token != FIRST).cloned().collect()
}

/// True if the tokens of `said` occur in `option`, in their order.
pub fn occurs(said: &[String], option: &[String]) -> bool {
    let mut rest = option;
    let mut said = said.iter().peekable();
    while let Some(token) = said.next() {
        let first = said.next_if(|next| *next == FIRST).is_some();
        let numbered = |at: usize| rest.get(at + 1).is_some_and(|next| next.starts_with('#'));
        let found = (0..rest.len()).find(|at| rest.get(*at) == Some(token) && !(first && numbered(*at)));
        match found {
            Some(at) => rest = &rest[at + 1..],
            None => return false,
        }
    }
    true
}

/// The tokens without the numbers of copies that `said` does not mention.
fn without_copies(option: &[String], said: &[String]) -> Tokens {
    option.iter().filter(|token| !token.starts_with('#') || said.contains(token)).cloned().collect()
}

/// The cards of a game by their ids.
#[derive(Clone, Debug, Default)]
pub struct Ids {
    /// What each is called.
    pub words: BTreeMap<String, String>,
    /// The ids in front of the first words of the labels of their clauses: there they name the clause.
    pub labels: BTreeSet<(String, String)>,
}

/// A text in tokens, where each label (a whole word) is replaced by the words of what it names: just that, and no other
/// copy of it. The id of a card is replaced by its name, and means any copy; in front of a clause's label it stays.
pub fn with_labels(text: &str, labels: &BTreeMap<String, String>, ids: &Ids) -> Tokens {
    if labels.is_empty() && ids.words.is_empty() {
        return tokens(text);
    }
    let mut out = Vec::new();
    for (i, part) in text.split('"').enumerate() {
        if i % 2 == 1 {
            out.extend(tokens(&format!("\"{part}\"")));
            continue;
        }
        let mut words = part.split(is_gap).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            let is_clause = |next: &&str| ids.labels.contains(&(word.to_owned(), (*next).to_owned()));
            match (labels.get(word), ids.words.get(word)) {
                (Some(words), _) => {
                    let named = tokens(words);
                    let first = named.last().is_some_and(|last| last.starts_with('"'));
                    out.extend(named);
                    out.extend(first.then(|| FIRST.to_owned()));
                }
                (None, Some(card)) if !words.peek().is_some_and(is_clause) => out.extend(tokens(card)),
                (None, _) => out.extend(tokens(word)),
            }
        }
    }
    out
}

/// The options that are nearest to a text, best first, at most three.
pub fn nearest_options<'a>(said: &str, options: &[&'a str]) -> Vec<&'a str> {
    let said = tokens(said);
    let mut scored: Vec<(usize, &str)> = options
        .iter()
        .map(|option| {
            let theirs = tokens(option);
            let score = said.iter().filter(|token| theirs.iter().any(|other| alike(token, other))).count();
            (score, *option)
        })
        .filter(|(score, _)| *score > 0)
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().take(3).map(|(_, option)| option).collect()
}

fn alike(a: &str, b: &str) -> bool {
    a == b || !nearest(a, std::iter::once(b)).is_empty()
}

/// The name nearest to a misspelt one; what does not count in a script does not count here.
pub fn nearest_name<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let wanted = folded(name);
    let all: Vec<(String, &str)> = names.into_iter().map(|n| (folded(n), n)).collect();
    let found = nearest(&wanted, all.iter().map(|(f, _)| f.as_str())).into_iter().next()?;
    all.into_iter().find(|(f, _)| *f == found).map(|(_, n)| n.to_owned())
}
