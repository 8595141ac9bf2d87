//! An item or a word as it is in force: each part as English, with the layer that set it and its authority.

use std::sync::Arc;

use netrep_compiler::browse::{AnsweredLater, Part};
use netrep_compiler::layers::Target;
use netrep_compiler::layers::edition::Edition;
use netrep_compiler::layers::ruling::{Change, Reading, Ruling};
use netrep_compiler::phrase::term::{Detail, Term};
use netrep_compiler::phrase::tree::TermKind;
use netrep_compiler::signature::{kind_word, signature};
use netrep_compiler::views::{ItemView, TermView};
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_ir::Place;

use crate::find::{Found, find, title};
use crate::scenario::profile_words;
use crate::spot::{Spot, text_at};
use crate::vocabulary::users;
use crate::words::{folded, nearest_name};

mod expanded;
mod shapes;

pub use expanded::{Expanded, expanded};
pub use shapes::*;

/// First words of clauses about an item, not of it: its sources, its printed sentences.
const SAID_ABOVE: [&str; 4] = ["cites", "printed", "partial", "reprint"];

/// Everything that a name means, as it is in force under a profile. `Err`: nothing is called so, but these are near.
pub fn show(compiler: &Compiler, name: &str, profile: &Profile) -> Result<Vec<Shown>, Vec<String>> {
    let one = |found: Found| match found {
        Found::Item(item, label) => match item.head {
            "ruling" => ruling_of(compiler, &item, profile).map(Shown::Ruling),
            "edition" => edition_of(compiler, &item, &compiler.editions()).map(Shown::Edition),
            "variant" => edition_of(compiler, &item, &compiler.variants()).map(Shown::Variant),
            "document" => document_of(compiler, &item, profile).map(Shown::Document),
            _ => item_of(compiler, &item, label.as_deref(), profile).map(Shown::Item),
        },
        Found::Term(term) => Some(Shown::Term(term_of(compiler, &term, profile))),
    };
    let found = find(compiler, name)?;
    let shown: Vec<Shown> = found.iter().cloned().filter_map(one).collect();
    if shown.is_empty() {
        Err(found.iter().flat_map(|found| citations(compiler, found, profile)).collect())
    } else {
        Ok(shown)
    }
}

/// All rulings, or those about what a name means or that would change it; where nothing is called so, those that ask about these
/// words. `Err`: none does, but these are near.
pub fn rulings(compiler: &Compiler, about: Option<&str>, profile: &Profile) -> Result<Vec<ShownRuling>, Vec<String>> {
    let subjects = match about.map(|name| (name, find(compiler, name))) {
        None => None,
        Some((_, Ok(subjects))) => Some(subjects),
        Some((words, Err(near))) => {
            let wanted = folded(words.trim().trim_matches('"'));
            let asks = |ruling: &Ruling| !wanted.is_empty() && folded(&ruling.question).contains(&wanted);
            let asked = compiler.rulings().into_iter().filter(|(ruling, _)| asks(ruling));
            let items = asked.filter_map(|(ruling, _)| compiler.item("ruling", &ruling.id));
            let found: Vec<ShownRuling> = items.filter_map(|item| ruling_of(compiler, &item, profile)).collect();
            return if found.is_empty() { Err(near) } else { Ok(found) };
        }
    };
    let is_subject = |target: &Target| {
        let same = |found: &Found| match found {
            Found::Item(item, _) => is_about(compiler, item, target),
            Found::Term(_) => false,
        };
        subjects.as_ref().is_none_or(|subjects| subjects.iter().any(same))
    };
    let concerns = |ruling: &Ruling| {
        let amended = ruling.readings.iter().flat_map(|reading| &reading.operations).map(|one| &one.target);
        subjects.is_none() || ruling.about.iter().map(|(target, _)| target).chain(amended).any(is_subject)
    };
    let chosen = compiler.rulings().into_iter().filter(|(ruling, _)| concerns(ruling));
    let items = chosen.filter_map(|(ruling, _)| compiler.item("ruling", &ruling.id));
    Ok(items.filter_map(|item| ruling_of(compiler, &item, profile)).collect())
}

/// The original of an item, if it is a card that is a reprint.
fn original(compiler: &Compiler, item: &ItemView) -> Option<Arc<str>> {
    compiler.original(&item.key).filter(|_| item.head == "card")
}

/// Whether what amends a target, or is asked about it, concerns an item: it is the target, or a reprint of it.
fn is_about(compiler: &Compiler, item: &ItemView, target: &Target) -> bool {
    item.head == target.word() && (item.key == target.key || original(compiler, item).as_ref() == Some(&target.key))
}

/// How the clauses of an item are cited: the one that is nearest to a label, else the first ones.
fn citations(compiler: &Compiler, found: &Found, profile: &Profile) -> Vec<String> {
    const MOST: usize = 8;
    // total: only a label can be near to others.
    let Found::Item(item, Some(label)) = found else { return Vec::new() };
    let in_force = compiler.in_force(item.head, &item.key, profile);
    let parts: Vec<Part> = in_force.into_iter().flat_map(|found| found.parts).collect();
    let mut labels = Vec::new();
    labels_of(&parts, &mut labels);
    let near = nearest_name(label, labels.iter().map(String::as_str));
    let chosen = match near {
        Some(near) => vec![near],
        None => labels.into_iter().take(MOST).collect(),
    };
    chosen.into_iter().map(|label| format!("{} {label}", item.key)).collect()
}

fn labels_of(parts: &[Part], labels: &mut Vec<String>) {
    for part in parts {
        if !part.label.is_empty() {
            labels.push(part.label.clone());
        }
        labels_of(&part.parts, labels);
    }
}

/// What is wrong with an item, as it stands in its file.
fn diagnostics(compiler: &Compiler, item: &ItemView) -> Vec<Diagnostic> {
    compiler.check_file(&item.place.file).into_iter().filter(|diag| item.place.has_start_of(&diag.place)).collect()
}

fn item_of(compiler: &Compiler, item: &ItemView, label: Option<&str>, profile: &Profile) -> Option<ShownItem> {
    let rulings: Vec<Ruling> = compiler.rulings().into_iter().map(|(ruling, _)| (*ruling).clone()).collect();
    let mut shown = ShownItem {
        head: item.head.to_owned(),
        key: item.key.to_string(),
        title: title(item),
        profile: profile_words(profile),
        spot: Spot::of(compiler, &item.place),
        reprint_of: original(compiler, item).map(|id| id.to_string()),
        sources: Vec::new(),
        sentences: 0,
        missing: Vec::new(),
        parts: Vec::new(),
        gone: Vec::new(),
        otherwise: otherwise(compiler, item, &rulings, profile),
        diagnostics: diagnostics(compiler, item),
    };
    let Some(found) = compiler.in_force(item.head, &item.key, profile) else {
        // What cannot be parsed is shown as it is written.
        shown.parts.push(ShownPart {
            label: String::new(),
            english: None,
            written: item.text.to_string(),
            sentences: Vec::new(),
            layer: None,
            spot: shown.spot.clone(),
            parts: Vec::new(),
        });
        return Some(shown);
    };
    shown.title = found.item.title.to_string();
    shown.sources.clone_from(&found.item.sources);
    shown.sentences = found.item.printed.len();
    shown.missing.clone_from(&found.item.partial);
    // What these say is said above the clauses.
    let is_head = |part: &&Part| {
        let first = part.english.as_deref().and_then(|text| text.split(' ').next());
        first.is_none_or(|first| !SAID_ABOVE.contains(&first))
    };
    shown.parts = found.parts.iter().filter(is_head).map(|part| shown_part(compiler, &rulings, part)).collect();
    let gone = |gone: &netrep_compiler::browse::Gone| ShownGone {
        label: gone.label.clone(),
        written: text_at(compiler, &gone.place),
        layer: layer(compiler, &rulings, &gone.setter),
        spot: Spot::of(compiler, &gone.place),
    };
    shown.gone = found.gone.iter().map(gone).collect();
    if let Some(label) = label {
        let all = std::mem::take(&mut shown.parts);
        collect(all, label, &mut shown.parts);
        shown.gone.retain(|gone| folded(&gone.label) == label);
        if shown.parts.is_empty() && shown.gone.is_empty() {
            return None;
        }
    }
    Some(shown)
}

/// The parts with a label, wherever they stand.
fn collect(parts: Vec<ShownPart>, label: &str, found: &mut Vec<ShownPart>) {
    for mut part in parts {
        if folded(&part.label) == label {
            found.push(part);
        } else {
            collect(std::mem::take(&mut part.parts), label, found);
        }
    }
}

fn shown_part(compiler: &Compiler, rulings: &[Ruling], part: &Part) -> ShownPart {
    ShownPart {
        label: part.label.clone(),
        english: part.english.clone(),
        written: text_at(compiler, &part.place),
        sentences: part.sentences.clone(),
        layer: layer(compiler, rulings, &part.setter),
        spot: Spot::of(compiler, &part.place),
        parts: part.parts.iter().map(|part| shown_part(compiler, rulings, part)).collect(),
    }
}

/// The layer of a setter (`RULING=READING`).
fn layer(compiler: &Compiler, rulings: &[Ruling], setter: &str) -> Option<Layer> {
    let (ruling, reading) = setter.split_once('=')?;
    let found = rulings.iter().find(|one| *one.id == *ruling);
    let by = found.and_then(|one| one.readings.iter().find(|other| *other.name == *reading));
    Some(Layer {
        ruling: ruling.to_owned(),
        reading: reading.to_owned(),
        question: found.map(|one| one.question.as_str()).into_iter().collect(),
        authorities: by.into_iter().flat_map(|by| authorities(compiler, ruling, by)).collect(),
    })
}

/// Who reads it so; who has no date of his own has that of his document.
fn authorities(compiler: &Compiler, ruling: &str, reading: &Reading) -> Vec<Source> {
    let dated = compiler.dated(ruling).into_iter().find(|one| one.name == reading.name);
    let dates: Vec<_> = dated.into_iter().flat_map(|one| one.sayings).collect();
    let one = |(at, authority): (usize, &netrep_compiler::layers::ruling::Authority)| Source {
        name: authority.name.clone(),
        document: authority.document.clone(),
        date: dates.get(at).and_then(|saying| saying.date).map(|date| date.to_string()),
        status: authority.status.map(|status| status.to_string()),
    };
    reading.authorities.iter().enumerate().map(one).collect()
}

/// The questions that the edition of a profile answers by readings that were not known yet on the profile's day.
pub fn later(compiler: &Compiler, profile: &Profile) -> Vec<ShownLater> {
    let rulings = compiler.rulings();
    let one = |AnsweredLater { ruling: id, wanted, then }: AnsweredLater| {
        let (ruling, _) = rulings.iter().find(|(ruling, _)| ruling.id == id)?;
        let reading = ruling.readings.iter().find(|reading| reading.name == wanted)?;
        Some(ShownLater {
            ruling: id.to_string(),
            question: ruling.question.clone(),
            reading: wanted.to_string(),
            by: authorities(compiler, &id, reading),
            then: then.map(|then| then.to_string()),
            spot: Spot::of(compiler, &compiler.item("ruling", &id)?.place),
        })
    };
    compiler.answered_later(profile).into_iter().filter_map(one).collect()
}

/// The readings that would change an item, and are not in force.
fn otherwise(compiler: &Compiler, item: &ItemView, rulings: &[Ruling], profile: &Profile) -> Vec<String> {
    let now = compiler.readings_in_force(profile);
    let is_now =
        |ruling: &Ruling, reading: &Reading| now.iter().any(|(id, name)| *id == ruling.id && *name == reading.name);
    let changes = |reading: &Reading| reading.operations.iter().any(|one| is_about(compiler, item, &one.target));
    let of = |ruling: &Ruling| {
        let others = ruling.readings.iter().filter(|reading| changes(reading) && !is_now(ruling, reading));
        others.map(|reading| format!("{}={}", ruling.id, reading.name)).collect::<Vec<_>>()
    };
    rulings.iter().flat_map(of).collect()
}

fn ruling_of(compiler: &Compiler, item: &ItemView, profile: &Profile) -> Option<ShownRuling> {
    let (ruling, _) = compiler.rulings().into_iter().find(|(ruling, _)| ruling.id == item.key)?;
    let now = compiler.readings_in_force(profile);
    let editions = compiler.editions();
    let reading = |reading: &Reading| {
        let chosen = |edition: &Edition| {
            edition.choices.iter().any(|one| one.ruling == ruling.id && one.reading == reading.name)
        };
        let amendment = |one: &netrep_compiler::layers::ruling::Operation| {
            let place = match compiler.operation_place(&ruling.id, one) {
                Some(place) => place,
                None => item.place.clone(),
            };
            let label: String = one.change.label().iter().map(|(label, _)| format!(" {label}")).collect();
            let does = match one.change {
                Change::Replace { .. } => "replaces",
                Change::Amend { .. } => "amends",
                Change::Remove { .. } => "removes",
                Change::Add { .. } => "adds to",
            };
            ShownAmendment {
                does: does.to_owned(),
                what: format!("{}{label}", one.target.key),
                written: text_at(compiler, &place),
                spot: Spot::of(compiler, &place),
            }
        };
        ShownReading {
            name: reading.name.to_string(),
            in_force: now.iter().any(|(id, name)| *id == ruling.id && *name == reading.name),
            editions: editions.iter().filter(|(e, _)| chosen(e)).map(|(e, _)| e.id.to_string()).collect(),
            authorities: authorities(compiler, &ruling.id, reading),
            amendments: reading.operations.iter().map(amendment).collect(),
            awaits: reading.awaits.clone(),
        }
    };
    Some(ShownRuling {
        key: item.key.to_string(),
        question: ruling.question.clone(),
        spot: Spot::of(compiler, &item.place),
        about: ruling.about.iter().map(|(target, _)| target.key.to_string()).collect(),
        sources: ruling.sources.clone(),
        profile: profile_words(profile),
        readings: ruling.readings.iter().map(reading).collect(),
        diagnostics: diagnostics(compiler, item),
    })
}

/// An edition among the editions, or a variant among the variants.
fn edition_of(compiler: &Compiler, item: &ItemView, among: &[(Arc<Edition>, Place)]) -> Option<ShownEdition> {
    let (edition, _) = among.iter().find(|(edition, _)| edition.id == item.key)?;
    Some(ShownEdition {
        key: item.key.to_string(),
        title: edition.title.clone(),
        spot: Spot::of(compiler, &item.place),
        default: edition.default.is_some(),
        builds_on: edition.builds_on.iter().map(|(variant, _)| variant.to_string()).collect(),
        choices: edition.choices.iter().map(|one| (one.ruling.to_string(), one.reading.to_string())).collect(),
        order: edition.order.iter().map(|(ruling, _)| ruling.to_string()).collect(),
    })
}

fn document_of(compiler: &Compiler, item: &ItemView, profile: &Profile) -> Option<ShownDocument> {
    let (document, _) = compiler.documents().into_iter().find(|(document, _)| document.id == item.key)?;
    let now = compiler.readings_in_force(profile);
    let mut cited_by = Vec::new();
    for (ruling, _) in compiler.rulings() {
        for reading in &ruling.readings {
            let cites =
                reading.authorities.iter().map(|one| one.cited.as_ref().is_some_and(|(id, _)| *id == document.id));
            if !cites.clone().any(|cites| cites) {
                continue;
            }
            let by = authorities(compiler, &ruling.id, reading).into_iter().zip(cites);
            cited_by.push(ShownCiting {
                ruling: ruling.id.to_string(),
                question: ruling.question.clone(),
                reading: reading.name.to_string(),
                in_force: now.iter().any(|(id, name)| *id == ruling.id && *name == reading.name),
                by: by.filter(|(_, cites)| *cites).map(|(source, _)| source).collect(),
            });
        }
    }
    Some(ShownDocument {
        key: item.key.to_string(),
        title: document.title.clone(),
        spot: Spot::of(compiler, &item.place),
        date: document.date.map(|date| date.to_string()),
        parts: document.parts.iter().map(|(part, date)| (part.clone(), date.to_string())).collect(),
        cited_by,
        diagnostics: diagnostics(compiler, item),
    })
}

fn term_of(compiler: &Compiler, view: &TermView, profile: &Profile) -> ShownTerm {
    let term: &Term = &view.term;
    let item = compiler.declaring(&term.key);
    let rulings: Vec<Ruling> = compiler.rulings().into_iter().map(|(ruling, _)| (*ruling).clone()).collect();
    let in_force = item.as_ref().and_then(|item| compiler.in_force(item.head, &item.key, profile));
    let in_rule = item.as_ref().filter(|item| matches!(item.head, "rule" | "ruling"));
    let parts: Vec<Part> = in_force.into_iter().flat_map(|found| found.parts).collect();
    // Of a rule that declares it, only the clause that does; of a list, its members are said on their own.
    let own = |part: &&Part| {
        in_rule.is_none() || part.english.as_deref().is_some_and(|text| text.starts_with(&signature(term)))
    };
    let parts: Vec<ShownPart> = match term.key.kind {
        TermKind::List | TermKind::Entry => Vec::new(),
        _ => parts.iter().filter(own).map(|part| shown_part(compiler, &rulings, part)).collect(),
    };
    let is_member = |other: &TermView| matches!(&other.term.detail, Detail::Entry { list } if *list == term.key.name);
    let all = if term.key.kind == TermKind::List { compiler.terms() } else { Vec::new() };
    // Those that other items add stand behind the list's own, by the alphabet.
    let (own_members, mut added): (Vec<TermView>, Vec<TermView>) =
        all.into_iter().filter(is_member).partition(|other| other.place == view.place);
    added.sort_by(|one, other| one.term.key.name.cmp(&other.term.key.name));
    ShownTerm {
        kind: kind_word(term).to_owned(),
        name: term.key.name.to_string(),
        forms: term.forms.iter().map(|form| form.text()).collect(),
        signature: signature(term),
        spot: Spot::of(compiler, &view.place),
        rule: in_rule.map(|item| item.key.to_string()),
        parts,
        members: own_members.iter().chain(&added).map(|other| other.term.key.name.to_string()).collect(),
        users: users(compiler, view),
        diagnostics: item.iter().flat_map(|item| diagnostics(compiler, item)).collect(),
    }
}
