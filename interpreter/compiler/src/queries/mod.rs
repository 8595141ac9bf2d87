//! The queries: thin wrappers around the stages that decide what depends on what.
//!
//! ```text
//! file     items                                   Item{file, head, key, nth | text, offset}
//! item     parsed (no_eq) -> skeleton, anchors     spans canonical, see crate::coords
//!          declared
//! index    names -> named(Name)                    the arrow is a firewall: a big index that changes often,
//!          vocabulary -> word_terms(Word),         then a tiny query per name that mostly stays equal
//!                        term(TermName)
//! layers   ruling, edition -> outlines -> active -> amendments -> version_of(item, profile)
//!          variants                               plain functions below active: which are taken, which of them wins
//! patterns shape -> pattern_uses(item)              which clauses stand for those of patterns
//! reprints says_reprint -> found_original(item)     whose clauses a card says
//! version  composed (no_eq) -> amended -> read -> lowered   Version{item, amendments}: profiles that leave an item
//!                                                  alone share everything below
//! worded   lowered -> worded(version)               clauses as English, for who links
//! touched  terms_in -> words_of(item) -> users      whom amendments reach, found from what is amended;
//!          touched_under(profile)                  -> versions_of_reading(ruling, reading)
//! circles  word_uses(item) -> word_circles -> circle_diags
//! filing   filing -> due(item) -> misplaced_in(file)  where items belong
//! advice   used_terms(item) -> advice              what nothing uses
//! report   places, file_places                     the only readers of Item::offset; suspects, alike: causes first, once
//! ```

pub(crate) mod advice;
pub(crate) mod alike;
pub(crate) mod between;
pub(crate) mod broken;
pub(crate) mod causes;
pub(crate) mod circles;
pub(crate) mod filing;
pub(crate) mod items;
pub(crate) mod layers;
pub(crate) mod layout;
pub(crate) mod lexicon;
pub(crate) mod names;
pub(crate) mod patterns;
pub(crate) mod prints;
pub(crate) mod report;
pub(crate) mod reprints;
pub(crate) mod seen;
mod stored;
pub(crate) mod suspects;
pub(crate) mod terms;
pub(crate) mod titles;
pub(crate) mod touched;
pub(crate) mod used;
pub(crate) mod variants;
pub(crate) mod version;
pub(crate) mod worded;
