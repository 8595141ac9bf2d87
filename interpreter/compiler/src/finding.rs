//! What the stages report, and in whose coordinates.
//!
//! A stage sees one item, and its findings count in it. A finding gets its place in a file only in
//! [`crate::queries::report`], the one reader of file offsets.

use netrep_grammar::tree::Span;
use netrep_ir::Place;

/// A diagnostic about an item, in the item's coordinates ([`crate::coords`]).
pub type Finding = netrep_diagnostics::Diagnostic<Span>;

/// A diagnostic with its places in files.
pub type Diagnostic = netrep_diagnostics::Diagnostic<Place>;

/// The candidate that is nearest to a misspelt name, if one is near enough to be meant.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong_lower = wrong.to_lowercase();
    let limit = (wrong.chars().count() / 3).clamp(1, 4);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&wrong_lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        // The name decides between equals, so that the order of files does not.
        .min()
        .map(|(_, candidate)| candidate)
}

/// The help line of a misspelt name.
pub fn suggestion<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    did_you_mean(wrong, candidates).map(|name| format!("did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        let names = ["yellow", "fellow", "blue"];
        assert_eq!(did_you_mean("yelow", names), Some("yellow"));
        assert_eq!(did_you_mean("bleu", names), Some("blue"));
        assert_eq!(did_you_mean("magenta", names), None);
    }
}
