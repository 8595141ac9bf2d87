//! A guess for errors that only the words can show: two sentences that ran together.

use crate::tree::{Clause, Span};

/// Where a full stop may be missing in a sentence that parsed: behind the last token of a line, when the next line
/// begins no deeper than the clause itself. For the help of errors in reading the words; `text` is the item's text.
pub fn suspect_full_stop(text: &str, clause: &Clause) -> Option<Span> {
    let own = column_if_first(text, clause.span.start)?;
    let pairs = clause.tokens.iter().zip(clause.tokens.iter().skip(1));
    let mut ends = pairs.filter(|(_, next)| column_if_first(text, next.span.start).is_some_and(|column| column <= own));
    ends.next().map(|(last, _)| last.span)
}

/// How far `at` is from the start of its line, if only blanks stand between.
fn column_if_first(text: &str, at: u32) -> Option<usize> {
    let before = text.get(..at as usize)?;
    let line = before.get(before.rfind('\n')? + 1..)?;
    line.chars().all(char::is_whitespace).then(|| line.chars().count())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::parse_item;

    #[test]
    fn sees_lines_at_the_clause_own_depth() {
        let text = "rule x {\n    a dog runs\n    a cat sleeps.\n    a bird\n        sings.\n}";
        let item = parse_item(text).0.unwrap();
        let hint = suspect_full_stop(text, &item.clauses[0]).unwrap();
        assert_eq!(&text[hint.start as usize..hint.end as usize], "runs");
        assert_eq!(suspect_full_stop(text, &item.clauses[1]), None);
    }
}
