//! An item or a word as it is in force: each part as English, with the layer that set it and its authority.

use netrep_compiler::browse::Part;
use netrep_compiler::layers::ruling::{Change, Reading, Ruling};
use netrep_compiler::phrase::term::{Detail, Term};
use netrep_compiler::phrase::tree::TermKind;
use netrep_compiler::signature::{kind_word, signature};
use netrep_compiler::views::{ItemView, TermView};
use netrep_compiler::{Compiler, Profile};
use netrep_ir::Diag;
use serde::Serialize;

use crate::find::{Found, find, title};
use crate::scenario::profile_words;
use crate::spot::{Spot, text_at};
use crate::vocabulary::{User, users};
use crate::words::{folded, nearest_name};

/// What is shown of a name.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Shown {
    /// A card or a rule.
    Item(ShownItem),
    /// A ruling.
    Ruling(ShownRuling),
    /// An edition.
    Edition(ShownEdition),
    /// A word of the vocabulary.
    Term(ShownTerm),
}

/// A card or a rule in force.
#[derive(Clone, Debug, Serialize)]
pub struct ShownItem {
    /// `card` or `rule`.
    pub head: String,
    /// A card's id, a rule's number.
    pub key: String,
    /// A card's name, a rule's title.
    pub title: String,
    /// The profile in words.
    pub profile: String,
    /// Where the base text stands.
    pub spot: Spot,
    /// The documents that it cites.
    pub sources: Vec<String>,
    /// How many sentences are printed on the card.
    pub sentences: usize,
    /// Those that it does not express yet.
    pub missing: Vec<u32>,
    /// Its clauses, in order.
    pub parts: Vec<ShownPart>,
    /// Clauses of the base text that are not in force.
    pub gone: Vec<ShownGone>,
    /// Readings of rulings that would change it, and are not in force: `RULING=READING`.
    pub otherwise: Vec<String>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diag>,
}

/// A clause in force.
#[derive(Clone, Debug, Serialize)]
pub struct ShownPart {
    /// Its label; empty if it has none.
    pub label: String,
    /// As English; `None` if it cannot be read.
    pub english: Option<String>,
    /// As it is written, with its block.
    pub written: String,
    /// The printed sentences that it expresses.
    pub sentences: Vec<u32>,
    /// The layer that set it; `None` for the base text.
    pub layer: Option<Layer>,
    /// Where it is written.
    pub spot: Spot,
    /// The clauses of its block.
    pub parts: Vec<ShownPart>,
}

/// A reading of a ruling, with its authority.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Layer {
    /// The ruling.
    pub ruling: String,
    /// The reading.
    pub reading: String,
    /// What the ruling asks.
    pub question: String,
    /// Who reads it so.
    pub authorities: Vec<Source>,
}

/// Who reads something so, and where that is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The authority.
    pub name: String,
    /// The document, and the place in it.
    pub document: Option<String>,
    /// Since when.
    pub date: Option<String>,
    /// Whether it is in force, superseded ...
    pub status: Option<String>,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        for detail in [&self.document, &self.date, &self.status].into_iter().flatten() {
            write!(f, ", {detail}")?;
        }
        Ok(())
    }
}

/// A clause of the base text that is not in force.
#[derive(Clone, Debug, Serialize)]
pub struct ShownGone {
    /// Its label.
    pub label: String,
    /// As it is written.
    pub written: String,
    /// The layer that took or replaced it.
    pub layer: Option<Layer>,
    /// Where it is written.
    pub spot: Spot,
}

/// A ruling.
#[derive(Clone, Debug, Serialize)]
pub struct ShownRuling {
    /// Its id.
    pub key: String,
    /// What is asked.
    pub question: String,
    /// Where it stands.
    pub spot: Spot,
    /// The items that it is about.
    pub about: Vec<String>,
    /// The documents that it cites.
    pub sources: Vec<String>,
    /// The profile in words.
    pub profile: String,
    /// Its readings.
    pub readings: Vec<ShownReading>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diag>,
}

/// A reading.
#[derive(Clone, Debug, Serialize)]
pub struct ShownReading {
    /// Its name.
    pub name: String,
    /// Whether it is in force under the profile.
    pub in_force: bool,
    /// The editions that choose it.
    pub editions: Vec<String>,
    /// Who reads it so.
    pub authorities: Vec<Source>,
    /// What it changes; nothing for the text as it stands.
    pub amendments: Vec<ShownAmendment>,
}

/// An amendment.
#[derive(Clone, Debug, Serialize)]
pub struct ShownAmendment {
    /// `replaces`, `removes` or `adds to`.
    pub does: String,
    /// The item, and the label of the clause if one is named.
    pub what: String,
    /// As it is written.
    pub written: String,
    /// Where.
    pub spot: Spot,
}

/// An edition.
#[derive(Clone, Debug, Serialize)]
pub struct ShownEdition {
    /// Its id.
    pub key: String,
    /// Its name.
    pub title: String,
    /// Where it stands.
    pub spot: Spot,
    /// Used where no edition is asked for.
    pub default: bool,
    /// Its choices: ruling and reading.
    pub choices: Vec<(String, String)>,
    /// The order of rulings that amend the same clause; the last one wins.
    pub order: Vec<String>,
}

/// A word of the vocabulary.
#[derive(Clone, Debug, Serialize)]
pub struct ShownTerm {
    /// What kind of term it is.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its spelled forms.
    pub forms: Vec<String>,
    /// As it would be declared, without its body.
    pub signature: String,
    /// Where it is declared.
    pub spot: Spot,
    /// The item that declares it, if that is a rule.
    pub rule: Option<String>,
    /// Its body: what it means, needs and does.
    pub parts: Vec<ShownPart>,
    /// The members of a list.
    pub members: Vec<String>,
    /// The items that use it.
    pub users: Vec<User>,
    /// What is wrong with its declaration.
    pub diagnostics: Vec<Diag>,
}

/// First words of clauses about an item, not of it: its sources, its printed sentences.
const SAID_ABOVE: [&str; 3] = ["cites", "printed", "partial"];

/// Everything that a name means, as it is in force under a profile. `Err`: nothing is called so, but these are near.
pub fn show(compiler: &Compiler, name: &str, profile: &Profile) -> Result<Vec<Shown>, Vec<String>> {
    let one = |found: Found| match found {
        Found::Item(item, label) => match item.head {
            "ruling" => ruling_of(compiler, &item, profile).map(Shown::Ruling),
            "edition" => edition_of(compiler, &item).map(Shown::Edition),
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

/// How the clauses of an item are cited: the one that is nearest to a label, else the first ones.
fn citations(compiler: &Compiler, found: &Found, profile: &Profile) -> Vec<String> {
    const MOST: usize = 8;
    let Found::Item(item, Some(label)) = found else { return Vec::new() };
    let parts = compiler.in_force(item.head, &item.key, profile).map(|found| found.parts).unwrap_or_default();
    let mut labels = Vec::new();
    labels_of(&parts, &mut labels);
    let near = nearest_name(label, labels.iter().map(String::as_str));
    let chosen = near.map_or_else(|| labels.into_iter().take(MOST).collect(), |near| vec![near]);
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
fn diagnostics(compiler: &Compiler, item: &ItemView) -> Vec<Diag> {
    let within = |diag: &Diag| item.place.start <= diag.place.start && diag.place.end <= item.place.end;
    compiler.check_file(&item.place.file).into_iter().filter(within).collect()
}

fn item_of(compiler: &Compiler, item: &ItemView, label: Option<&str>, profile: &Profile) -> Option<ShownItem> {
    let rulings: Vec<Ruling> = compiler.rulings().into_iter().map(|(ruling, _)| (*ruling).clone()).collect();
    let mut shown = ShownItem {
        head: item.head.to_owned(),
        key: item.key.to_string(),
        title: title(item),
        profile: profile_words(profile),
        spot: Spot::of(compiler, &item.place),
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
        !SAID_ABOVE.contains(&part.english.as_deref().unwrap_or_default().split(' ').next().unwrap_or_default())
    };
    shown.parts = found.parts.iter().filter(is_head).map(|part| shown_part(compiler, &rulings, part)).collect();
    let gone = |gone: &netrep_compiler::browse::Gone| ShownGone {
        label: gone.label.clone(),
        written: text_at(compiler, &gone.place),
        layer: layer(&rulings, &gone.setter),
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
        layer: layer(rulings, &part.setter),
        spot: Spot::of(compiler, &part.place),
        parts: part.parts.iter().map(|part| shown_part(compiler, rulings, part)).collect(),
    }
}

/// The layer of a setter (`RULING=READING`).
fn layer(rulings: &[Ruling], setter: &str) -> Option<Layer> {
    let (ruling, reading) = setter.split_once('=')?;
    let found = rulings.iter().find(|one| *one.id == *ruling);
    let by = found.and_then(|one| one.readings.iter().find(|other| *other.name == *reading));
    Some(Layer {
        ruling: ruling.to_owned(),
        reading: reading.to_owned(),
        question: found.map(|one| one.question.clone()).unwrap_or_default(),
        authorities: by.map(authorities).unwrap_or_default(),
    })
}

fn authorities(reading: &Reading) -> Vec<Source> {
    let one = |authority: &netrep_compiler::layers::ruling::Authority| Source {
        name: authority.name.clone(),
        document: authority.document.clone(),
        date: authority.date.clone(),
        status: authority.status.clone(),
    };
    reading.authorities.iter().map(one).collect()
}

/// The readings that would change an item, and are not in force.
fn otherwise(compiler: &Compiler, item: &ItemView, rulings: &[Ruling], profile: &Profile) -> Vec<String> {
    let now = compiler.readings_in_force(profile);
    let is_now =
        |ruling: &Ruling, reading: &Reading| now.iter().any(|(id, name)| *id == ruling.id && *name == reading.name);
    let changes = |reading: &Reading| {
        reading.operations.iter().any(|one| *one.target.key == *item.key && one.target.word() == item.head)
    };
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
        let chosen = |edition: &netrep_compiler::layers::edition::Edition| {
            edition.choices.iter().any(|one| one.ruling == ruling.id && one.reading == reading.name)
        };
        let amendment = |one: &netrep_compiler::layers::ruling::Operation| {
            let place = compiler.operation_place(&ruling.id, one).unwrap_or_else(|| item.place.clone());
            let label = one.change.label().map(|(label, _)| format!(" {label}")).unwrap_or_default();
            let does = match one.change {
                Change::Replace { .. } => "replaces",
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
            authorities: authorities(reading),
            amendments: reading.operations.iter().map(amendment).collect(),
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

fn edition_of(compiler: &Compiler, item: &ItemView) -> Option<ShownEdition> {
    let (edition, _) = compiler.editions().into_iter().find(|(edition, _)| edition.id == item.key)?;
    Some(ShownEdition {
        key: item.key.to_string(),
        title: edition.title.clone(),
        spot: Spot::of(compiler, &item.place),
        default: edition.default.is_some(),
        choices: edition.choices.iter().map(|one| (one.ruling.to_string(), one.reading.to_string())).collect(),
        order: edition.order.iter().map(|(ruling, _)| ruling.to_string()).collect(),
    })
}

fn term_of(compiler: &Compiler, view: &TermView, profile: &Profile) -> ShownTerm {
    let term: &Term = &view.term;
    let item = compiler.declaring(&term.key);
    let rulings: Vec<Ruling> = compiler.rulings().into_iter().map(|(ruling, _)| (*ruling).clone()).collect();
    let in_force = item.as_ref().and_then(|item| compiler.in_force(item.head, &item.key, profile));
    let in_rule = item.as_ref().filter(|item| matches!(item.head, "rule" | "ruling"));
    let parts = in_force.map(|found| found.parts).unwrap_or_default();
    // Of a rule that declares it, only the clause that does; of a list, its members are said on their own.
    let own = |part: &&Part| {
        in_rule.is_none() || part.english.as_deref().is_some_and(|text| text.starts_with(&signature(term)))
    };
    let parts: Vec<ShownPart> = match term.key.kind {
        TermKind::List | TermKind::Entry => Vec::new(),
        _ => parts.iter().filter(own).map(|part| shown_part(compiler, &rulings, part)).collect(),
    };
    let members = compiler.terms().into_iter().filter_map(|other| match &other.term.detail {
        Detail::Entry { list } if term.key.kind == TermKind::List && *list == term.key.name => {
            Some(other.term.key.name.to_string())
        }
        _ => None,
    });
    ShownTerm {
        kind: kind_word(term).to_owned(),
        name: term.key.name.to_string(),
        forms: term.forms.iter().map(|form| form.text()).collect(),
        signature: signature(term),
        spot: Spot::of(compiler, &view.place),
        rule: in_rule.map(|item| item.key.to_string()),
        parts,
        members: members.collect(),
        users: users(compiler, view),
        diagnostics: item.map(|item| diagnostics(compiler, &item)).unwrap_or_default(),
    }
}
