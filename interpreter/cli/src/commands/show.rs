//! `netrep show`: what a name means, as it is in force.

use netrep_compiler::Profile;
use netrep_lab::Library;
use netrep_lab::show::{
    Expanded, Layer, Shown, ShownDocument, ShownEdition, ShownItem, ShownPart, ShownRuling, ShownTerm, expanded,
    show as look_up,
};
use serde::Serialize;

use crate::commands::look_at;
use crate::commands::words::{USERS, users_words};
use crate::names::unknown;
use crate::output::{Show, count};
use crate::{Outcome, Wrong};

/// The result of `show`.
#[derive(Serialize)]
struct ShownName<'a> {
    name: &'a str,
    shown: Vec<Shown>,
}

/// Shows everything that a name means: of the words together, or else of each of several names.
pub(crate) fn show_names(
    show: &Show,
    library: &Library,
    names: &[String],
    profile: &Profile,
) -> Result<Outcome, Wrong> {
    look_at(show, library, profile)?;
    let name = &*names.join(" ");
    let each = || names.iter().map(|one| look_up(&library.compiler, one, profile)).collect::<Result<Vec<_>, _>>();
    let shown = match look_up(&library.compiler, name, profile) {
        Ok(shown) => shown,
        Err(near) => match each() {
            Ok(several) if names.len() > 1 => several.into_iter().flatten().collect(),
            _ => return Err(unknown("nothing is called", name, &near)),
        },
    };
    let result = ShownName { name, shown };
    Ok(show.reply(Outcome::Clean, &result, || {
        for (i, one) in result.shown.iter().enumerate() {
            if i > 0 {
                show.line("");
            }
            match one {
                Shown::Item(item) => item_lines(show, library, item),
                Shown::Ruling(ruling) => ruling_lines(show, library, ruling),
                Shown::Edition(edition) => edition_lines(show, "edition", edition),
                Shown::Variant(variant) => edition_lines(show, "variant", variant),
                Shown::Document(document) => document_lines(show, library, document),
                Shown::Term(term) => term_lines(show, library, term),
            }
        }
    }))
}

/// The result of `show --expanded`.
#[derive(Serialize)]
struct ExpandedName<'a> {
    name: &'a str,
    expanded: Vec<Expanded>,
}

/// Shows the items that a name means as the compiler reads them.
pub(crate) fn show_expanded(show: &Show, library: &Library, name: &str, profile: &Profile) -> Result<Outcome, Wrong> {
    look_at(show, library, profile)?;
    let expanded = expanded(&library.compiler, name, profile)
        .map_err(|near| unknown("no card, rule or pattern is called", name, &near))?;
    let result = ExpandedName { name, expanded };
    Ok(show.reply(Outcome::Clean, &result, || {
        result.expanded.iter().for_each(|one| show.line(one.text.trim_end()));
    }))
}

fn item_lines(show: &Show, library: &Library, item: &ShownItem) {
    let title = show.paint("1", &format!("{} \"{}\"", item.key, item.title));
    show.line(format!("{} {title}  [{}]  {}", item.head, item.profile, item.spot));
    if let Some(original) = &item.reprint_of {
        show.line(format!("  reprint of {original}"));
    }
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
        let by: String = gone.layer.iter().map(|layer| format!(", taken by {}", layer_words(layer))).collect();
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

fn edition_lines(show: &Show, head: &str, edition: &ShownEdition) {
    let default = if edition.default { "  the default" } else { "" };
    let title = show.paint("1", &format!("{} \"{}\"", edition.key, edition.title));
    show.line(format!("{head} {title}{default}  {}", edition.spot));
    if !edition.builds_on.is_empty() {
        show.line(format!("  builds on {}", edition.builds_on.join(", ")));
    }
    for (ruling, reading) in &edition.choices {
        show.line(format!("  {ruling} {reading}"));
    }
    if !edition.order.is_empty() {
        show.line(format!("  where two amend one clause, the later wins: {}", edition.order.join(", ")));
    }
}

fn document_lines(show: &Show, library: &Library, document: &ShownDocument) {
    let title = show.paint("1", &format!("{} \"{}\"", document.key, document.title));
    let date: String = document.date.iter().map(|date| format!("  {date}")).collect();
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
