//! What ran: readable names for salsa's events, for the tests that hold the compiler to its promise.

use salsa::plumbing::FromId;
use salsa::{Database, DatabaseKeyIndex};

use crate::db::CompilerDb;
use crate::inputs::SourceFile;
use crate::queries::items::Item;
use crate::queries::names::Name;
use crate::queries::terms::{TermName, Word};
use crate::queries::version::{ItemIn, Version};

/// A query whose body ran.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// The query.
    pub query: String,
    /// What it ran for: the key of an item, a path, a word; empty for a query about everything.
    pub key: String,
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}({})", self.query, self.key)
    }
}

/// Names a query and its key.
pub(crate) fn describe(db: &CompilerDb, key: DatabaseKeyIndex) -> Event {
    let query = db.ingredient_debug_name(key.ingredient_index()).into_owned();
    let id = key.key_index();
    let item = |item: Item<'_>| item.key(db).to_string();
    let key = match query.as_str() {
        "items" => SourceFile::from_id(id).path(db).to_string(),
        "parsed" | "skeleton" | "is_whole" | "anchors" | "syntax_findings" | "declared" | "ruling" | "edition"
        | "document" | "dated" | "ruling_outline" | "edition_outline" | "layer_findings" | "item_origin"
        | "item_diags" | "filing" | "filing_findings" | "layout" | "layout_findings" | "due" | "extension_findings" => {
            item(Item::from_id(id))
        }
        "composed" | "amended" | "read" | "lowered" | "places" | "version_diags" => item(Version::from_id(id).item(db)),
        "version_of" => item(ItemIn::from_id(id).item(db)),
        "named" => Name::from_id(id).key(db).clone(),
        "word_terms" => Word::from_id(id).text(db).clone(),
        "term" | "declaring_item" => TermName::from_id(id).name(db).clone(),
        _ => String::new(),
    };
    Event { query, key }
}
