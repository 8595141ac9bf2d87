//! The names that an item's local ids stand for.

use std::sync::Arc;

use netrep_ir::{ActionId, AttrId, ClassId, EntryId, ListId, NameId, PlaceId, ProcId, RoleId, VerbId};
use serde::{Deserialize, Serialize};

/// Tables of names; a local id is an index. An entry is named by its list and itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Symbols {
    /// Base classes.
    pub classes: Vec<Arc<str>>,
    /// Enumerations.
    pub lists: Vec<Arc<str>>,
    /// Entries.
    pub entries: Vec<Arc<str>>,
    /// Attributes.
    pub attrs: Vec<Arc<str>>,
    /// Verbs.
    pub verbs: Vec<Arc<str>>,
    /// Roles.
    pub roles: Vec<Arc<str>>,
    /// Places.
    pub places: Vec<Arc<str>>,
    /// Procedures.
    pub procs: Vec<Arc<str>>,
    /// Kinds of declaration.
    pub actions: Vec<Arc<str>>,
    /// Names of things.
    pub names: Vec<Arc<str>>,
}

fn intern(table: &mut Vec<Arc<str>>, name: &str) -> usize {
    if let Some(i) = table.iter().position(|n| **n == *name) {
        return i;
    }
    table.push(Arc::from(name));
    table.len() - 1
}

macro_rules! interning {
    ($($method:ident $table:ident $id:ident),* $(,)?) => {
        impl Symbols {$(
            /// The local id of a name.
            pub(crate) fn $method(&mut self, name: &str) -> $id {
                $id::from_index(intern(&mut self.$table, name))
            }
        )*}
    };
}

interning! {
    class classes ClassId,
    list lists ListId,
    entry entries EntryId,
    attr attrs AttrId,
    verb verbs VerbId,
    role roles RoleId,
    place places PlaceId,
    proc procs ProcId,
    action actions ActionId,
    name names NameId,
}
