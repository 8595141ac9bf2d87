//! What is shown, as plain data.

use serde::Serialize;

use netrep_compiler::Diagnostic;

use crate::spot::Spot;
use crate::vocabulary::User;

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
    /// A variant.
    Variant(ShownEdition),
    /// A document.
    Document(ShownDocument),
    /// A word of the vocabulary.
    Term(ShownTerm),
}

/// A document, and who cites it.
#[derive(Clone, Debug, Serialize)]
pub struct ShownDocument {
    /// Its id.
    pub key: String,
    /// Its name.
    pub title: String,
    /// Where it is declared.
    pub spot: Spot,
    /// Since when it is known; a month or a year is its last day.
    pub date: Option<String>,
    /// Parts with dates of their own: how places in them begin, and the date.
    pub parts: Vec<(String, String)>,
    /// The readings that cite it, in the order of declaration.
    pub cited_by: Vec<ShownCiting>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// A reading that cites a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownCiting {
    /// The ruling.
    pub ruling: String,
    /// What it asks.
    pub question: String,
    /// The reading.
    pub reading: String,
    /// True if the reading is in force.
    pub in_force: bool,
    /// Who reads it so, with the place in the document and the date.
    pub by: Vec<Source>,
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
    /// The id of the card of which it is a reprint.
    pub reprint_of: Option<String>,
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
    pub diagnostics: Vec<Diagnostic>,
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
    /// Since when: its own date, or that of its document; a month or a year is its last day.
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
    pub diagnostics: Vec<Diagnostic>,
}

/// A question that an edition answers by a reading that was not known yet on a day.
#[derive(Clone, Debug, Serialize)]
pub struct ShownLater {
    /// The ruling.
    pub ruling: String,
    /// What is asked.
    pub question: String,
    /// The reading that the edition chooses.
    pub reading: String,
    /// Who reads it so, and since when.
    pub by: Vec<Source>,
    /// The reading that answered on that day; `None`: no text did, and the text stands as it is.
    pub then: Option<String>,
    /// Where the ruling stands.
    pub spot: Spot,
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
    /// What it waits for, where it cannot be said yet.
    pub awaits: Vec<String>,
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

/// An edition, or a variant.
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
    /// The variants on which a variant builds.
    pub builds_on: Vec<String>,
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
    pub diagnostics: Vec<Diagnostic>,
}
