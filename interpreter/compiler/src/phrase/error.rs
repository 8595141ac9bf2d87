//! What can be wrong with a phrase.

/// A finding about a phrase, in the coordinates of its item.
pub type PhraseError = crate::finding::Finding;
