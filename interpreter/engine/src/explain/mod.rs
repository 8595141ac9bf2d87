//! Answers in words: why something is legal or not and what would mend it, and how a number comes about.

pub(crate) mod derive;
pub(crate) mod remedies;
pub(crate) mod verdict;
