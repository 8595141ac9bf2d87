//! What may have been meant by a misspelt name: the one rule of all stages and commands.

use strsim::damerau_levenshtein;

/// More than this number of candidates is not named.
const MOST: usize = 3;

/// The candidates that may have been meant, nearest first, at most three.
///
/// A candidate is near if no more than a third of the letters of the name are wrong, missing, too many, or swapped with a
/// neighbour; one may always be, and no more where it has digits. Case does not count, but decides which of two that are otherwise equal is named, and then the
/// alphabet, so that the order of files does not. The name itself is no suggestion, nor is a single letter, which is near to everything short.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let letters = wrong.chars().count();
    // A number that is far off by little is another number.
    let limit = if wrong.contains(|c: char| c.is_ascii_digit()) { 1 } else { (letters / 3).max(1) };
    let folded = wrong.to_lowercase();
    let counted = counts(wrong);
    let mut found: Vec<(usize, usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| {
            let theirs = candidate.chars().count();
            theirs > 1
                && theirs.abs_diff(letters) <= limit
                && *candidate != wrong
                && differing(&counted, candidate) <= limit
        })
        .map(|candidate| {
            let apart = damerau_levenshtein(&folded, &candidate.to_lowercase());
            (apart, damerau_levenshtein(wrong, candidate), candidate)
        })
        .filter(|(apart, ..)| *apart <= limit)
        .collect();
    found.sort_unstable();
    let mut near: Vec<String> = Vec::new();
    for (.., candidate) in found {
        if !near.iter().any(|one| one.to_lowercase() == candidate.to_lowercase()) {
            near.push(candidate.to_owned());
        }
    }
    near.truncate(MOST);
    near
}

/// Kinds of letter that are counted one by one; others share a count.
const KINDS: usize = 64;

/// How many letters of two words differ: wrong, missing, too many, or swapped with a neighbour. Case does not count.
pub fn distance(one: &str, other: &str) -> usize {
    damerau_levenshtein(&one.to_lowercase(), &other.to_lowercase())
}

/// Whether no more letters of two words differ than so many. It says what [`distance`] does, and says it much sooner of words that
/// are far apart.
pub fn is_within(one: &str, other: &str, most: usize) -> bool {
    differing(&counts(one), other) <= most && distance(one, other) <= most
}

/// How often each kind of letter is in a name, whatever its case.
fn counts(name: &str) -> [i16; KINDS] {
    let mut counts = [0; KINDS];
    for c in name.chars().flat_map(char::to_lowercase) {
        let count: &mut i16 = &mut counts[c as usize % KINDS];
        *count = count.saturating_add(1);
    }
    counts
}

/// So many letters at least must be changed for a name to be the other: those that one has more of. It is never more than
/// the distance, and much sooner known.
fn differing(wrong: &[i16; KINDS], candidate: &str) -> usize {
    let (mut more, mut fewer) = (0, 0);
    for (one, other) in wrong.iter().zip(counts(candidate)) {
        more += usize::from((one - other).max(0).unsigned_abs());
        fewer += usize::from((other - one).max(0).unsigned_abs());
    }
    more.max(fewer)
}

/// The help line that names the nearest candidate, if one is near.
pub fn suggestion<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(wrong, candidates).first().map(|name| format!("did you mean `{name}`?"))
}
