//! `netrep show`, `netrep rulings`, `netrep words`: what is in the data, as it is in force.

use netrep_compiler::Profile;
use netrep_lab::Library;
use netrep_lab::show::{
    Layer, Shown, ShownDocument, ShownEdition, ShownItem, ShownLater, ShownPart, ShownReading, ShownRuling, ShownTerm,
    later, rulings, show as look_up,
};
use netrep_lab::vocabulary::{User, Word, words};
use serde::Serialize;

use crate::show::{Show, count};
use crate::{Outcome, Wrong, look_at};

/// How many users of a word are listed.
const USERS: usize = 8;

/// The result of `show`.
#[derive(Serialize)]
struct ShownName<'a> {
    name: &'a str,
    shown: Vec<Shown>,
}

/// Shows everything that a name means.
pub fn show_name(show: &Show, library: &Library, name: &str, profile: &Profile) -> Result<Outcome, Wrong> {
    look_at(show, library, profile)?;
    let shown = look_up(&library.compiler, name, profile).map_err(|near| unknown("nothing is called", name, &near))?;
    let result = ShownName { name, shown };
    Ok(show.reply(Outcome::Clean, &result, || {
        for (i, one) in result.shown.iter().enumerate() {
            if i > 0 {
                show.line("");
            }
            match one {
                Shown::Item(item) => item_lines(show, library, item),
                Shown::Ruling(ruling) => ruling_lines(show, library, ruling),
                Shown::Edition(edition) => edition_lines(show, edition),
                Shown::Document(document) => document_lines(show, library, document),
                Shown::Term(term) => term_lines(show, library, term),
            }
        }
    }))
}

/// The result of `rulings`.
#[derive(Serialize)]
struct Listed<'a> {
    about: Option<&'a str>,
    rulings: Vec<ShownRuling>,
    /// With `--as-of`: the questions that were not answered so yet.
    later: Vec<ShownLater>,
}

/// Lists rulings: the reading in force with its authorities, then the others; as of a day, what only later texts answer.
pub fn list_rulings(show: &Show, library: &Library, about: Option<&str>, profile: &Profile) -> Result<Outcome, Wrong> {
    look_at(show, library, profile)?;
    let found = rulings(&library.compiler, about, profile)
        .map_err(|near| unknown("nothing is called", about.unwrap_or_default(), &near))?;
    let mut later = later(&library.compiler, profile);
    later.retain(|one| found.iter().any(|ruling| ruling.key == one.ruling));
    let result = Listed { about, rulings: found, later };
    Ok(show.reply(Outcome::Clean, &result, || {
        for ruling in &result.rulings {
            show.line(format!("{} {}", show.paint("1", &ruling.key), ruling.question));
            let (now, others): (Vec<&ShownReading>, Vec<_>) = ruling.readings.iter().partition(|one| one.in_force);
            for reading in &now {
                show.line(format!("  {} in force{}", show.paint("36", &reading.name), said_by(reading)));
            }
            if now.is_empty() {
                show.line("  no reading is chosen: the text as it stands");
            }
            for reading in others {
                show.line(format!("  {}{}", reading.name, said_by(reading)));
            }
        }
        show.line(count(result.rulings.len(), "ruling", "rulings"));
        if let Some(day) = profile.as_of {
            later_lines(show, &result.later, &day.to_string());
        }
    }))
}

/// What only later texts answer, and what was answered otherwise.
fn later_lines(show: &Show, later: &[ShownLater], day: &str) {
    let line = |one: &ShownLater| {
        let by: Vec<String> = one.by.iter().map(ToString::to_string).collect();
        let then = one.then.as_ref().map(|then| format!("then {then}; ")).unwrap_or_default();
        let now = show.paint("36", &one.reading);
        show.line(format!("  {} {}", show.paint("1", &one.ruling), one.question));
        show.line(format!("    {then}later {now}: {}  ({})", by.join("; "), one.spot));
    };
    let (moved, open): (Vec<&ShownLater>, Vec<&ShownLater>) = later.iter().partition(|one| one.then.is_some());
    if !moved.is_empty() {
        show.line(format!("{} answered otherwise as of {day}:", count(moved.len(), "question is", "questions are")));
        moved.into_iter().for_each(line);
    }
    let questions = count(open.len(), "question is", "questions are");
    show.line(format!(
        "{questions} answered by no text as of {day}, only by later ones{}",
        if open.is_empty() { "" } else { ":" }
    ));
    open.into_iter().for_each(line);
}

/// Who reads it so, and what is still missing for it.
fn said_by(reading: &ShownReading) -> String {
    let authorities = reading.authorities.iter().map(|source| format!("; {source}"));
    let awaits = reading.awaits.iter().map(|what| format!("; awaits {what}"));
    authorities.chain(awaits).collect()
}

/// A name that means nothing, and what may have been meant.
pub fn unknown(said: &str, name: &str, near: &[String]) -> Wrong {
    let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
    let help = match near.split_last() {
        None => "; `netrep words` and `netrep check` tell what there is".to_owned(),
        Some((last, [])) => format!("; did you mean {last}?"),
        Some((last, others)) => format!("; did you mean {} or {last}?", others.join(", ")),
    };
    Wrong::Usage(format!("{said} `{name}`{help}"))
}

fn item_lines(show: &Show, library: &Library, item: &ShownItem) {
    let title = show.paint("1", &format!("{} \"{}\"", item.key, item.title));
    show.line(format!("{} {title}  [{}]  {}", item.head, item.profile, item.spot));
    if !item.sources.is_empty() {
        show.line(format!("  after {}", item.sources.join(", ")));
    }
    if item.sentences > 0 {
        let (all, missing) = (item.sentences, item.missing.len());
        let left = if missing == 0 { "all expressed".to_owned() } else { format!("{missing} not expressed yet") };
        show.line(format!("  {}, {left}", count(all, "printed sentence", "printed sentences")));
    }
    item.parts.iter().for_each(|part| part_lines(show, part, 1));
    for gone in &item.gone {
        let by = gone.layer.as_ref().map(|layer| format!(", taken by {}", layer_words(layer))).unwrap_or_default();
        show.line(format!("  not in force: {}{by}", one_line(&gone.written)));
    }
    for number in &item.missing {
        let words = format!("printed sentence {number} is not expressed yet");
        show.line(format!("  {}", show.paint("33", &words)));
    }
    if !item.otherwise.is_empty() {
        show.line(format!("  otherwise read by {}  (`--with`)", item.otherwise.join(", ")));
    }
    show.diags(&item.diagnostics, &|file| library.text(file));
}

fn part_lines(show: &Show, part: &ShownPart, depth: usize) {
    let indent = "  ".repeat(depth);
    // A label that was derived from the first words says nothing new.
    let derived = part.english.as_ref().is_some_and(|english| english.starts_with(&part.label));
    let label = if derived { String::new() } else { format!("[{}] ", show.paint("36", &part.label)) };
    let text = match &part.english {
        Some(english) => english.clone(),
        None => format!("{} {}", show.paint("31", "not understood:"), one_line(&part.written)),
    };
    let colon = if part.parts.is_empty() { "" } else { ":" };
    let cited: Vec<String> = part.sentences.iter().map(ToString::to_string).collect();
    let cited = if cited.is_empty() { String::new() } else { format!("  (sentence {})", cited.join(", ")) };
    show.line(format!("{indent}{label}{text}{colon}{cited}"));
    if let Some(layer) = &part.layer {
        show.line(format!(
            "{indent}    {}",
            show.paint("35", &format!("set by {} ({})", layer_words(layer), part.spot))
        ));
    }
    part.parts.iter().for_each(|inner| part_lines(show, inner, depth + 1));
}

/// `RULING=READING: authority, document, date, status; authority …`
fn layer_words(layer: &Layer) -> String {
    let by: Vec<String> = layer.authorities.iter().map(ToString::to_string).collect();
    let by = if by.is_empty() { String::new() } else { format!(": {}", by.join("; ")) };
    format!("{}={}{by}", layer.ruling, layer.reading)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn ruling_lines(show: &Show, library: &Library, ruling: &ShownRuling) {
    let title = show.paint("1", &format!("{} {}", ruling.key, ruling.question));
    show.line(format!("ruling {title}  [{}]  {}", ruling.profile, ruling.spot));
    show.line(format!("  about {}", ruling.about.join(", ")));
    for reading in &ruling.readings {
        let now = if reading.in_force { show.paint("32", "  in force") } else { String::new() };
        let editions = match reading.editions.as_slice() {
            [] => String::new(),
            editions => format!("  in {}", editions.join(", ")),
        };
        show.line(format!("  {}{now}{editions}", show.paint("36", &reading.name)));
        for source in &reading.authorities {
            show.line(format!("    {source}"));
        }
        for awaited in &reading.awaits {
            show.line(format!("    awaits {awaited}"));
        }
        if reading.amendments.is_empty() && reading.awaits.is_empty() {
            show.line("    the text as it stands");
        }
        for amendment in &reading.amendments {
            show.line(format!("    {} {}  ({})", amendment.does, amendment.what, amendment.spot));
            show.line(format!("      {}", one_line(&amendment.written)));
        }
    }
    show.diags(&ruling.diagnostics, &|file| library.text(file));
}

fn edition_lines(show: &Show, edition: &ShownEdition) {
    let default = if edition.default { "  the default" } else { "" };
    let title = show.paint("1", &format!("{} \"{}\"", edition.key, edition.title));
    show.line(format!("edition {title}{default}  {}", edition.spot));
    for (ruling, reading) in &edition.choices {
        show.line(format!("  {ruling} {reading}"));
    }
    if !edition.order.is_empty() {
        show.line(format!("  where two amend one clause, the later wins: {}", edition.order.join(", ")));
    }
}

fn document_lines(show: &Show, library: &Library, document: &ShownDocument) {
    let title = show.paint("1", &format!("{} \"{}\"", document.key, document.title));
    let date = document.date.as_ref().map(|date| format!("  {date}")).unwrap_or_default();
    show.line(format!("document {title}{date}  {}", document.spot));
    for (part, date) in &document.parts {
        show.line(format!("  {part}  {date}"));
    }
    for citing in &document.cited_by {
        let now = if citing.in_force { show.paint("32", "  in force") } else { String::new() };
        show.line(format!("  {} {}{now}  {}", citing.ruling, show.paint("36", &citing.reading), citing.question));
        for source in &citing.by {
            show.line(format!("    {source}"));
        }
    }
    show.line(format!("  cited by {}", count(document.cited_by.len(), "reading", "readings")));
    show.diags(&document.diagnostics, &|file| library.text(file));
}

fn term_lines(show: &Show, library: &Library, term: &ShownTerm) {
    show.line(format!("{}  {}", show.paint("1", &term.signature), term.spot));
    if let Some(rule) = &term.rule {
        show.line(format!("  declared in {rule}"));
    }
    if !term.members.is_empty() {
        show.line(format!("  {}", term.members.join(", ")));
    }
    term.parts.iter().for_each(|part| part_lines(show, part, 1));
    show.line(format!("  {}", users_words(&term.users, USERS)));
    show.diags(&term.diagnostics, &|file| library.text(file));
}

/// The result of `words`.
#[derive(Serialize)]
struct Words<'a> {
    pattern: &'a str,
    words: Vec<Word>,
}

/// Lists the words that match a pattern.
pub fn list_words(show: &Show, library: &Library, pattern: &str, all: bool) -> Result<Outcome, Wrong> {
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

fn users_words(users: &[User], most: usize) -> String {
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
