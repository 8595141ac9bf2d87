//! Clauses that no scenario can notice, each with the reason.

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_ir::Place;

use crate::problem::offset;
use crate::words::first_word;

/// An exemption: `- ITEM LABEL [number N]: reason`, or `- ITEM all: reason` for an item that waits for scenarios of
/// its own; it is left out unless it is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exemption {
    /// The item.
    pub item: String,
    /// The clause.
    pub label: String,
    /// The number; else the clause itself is meant.
    pub number: Option<i64>,
    /// Why.
    pub reason: String,
    /// Where.
    pub place: Place,
}

impl Exemption {
    /// Whether it covers a change.
    pub(crate) fn covers(&self, item: &str, label: &str, number: Option<i64>) -> bool {
        self.item == item && self.label == label && self.number == number
    }

    /// Whether it covers an item as a whole.
    pub(crate) fn covers_all_of(&self, item: &str) -> bool {
        self.item == item && self.label == "all" && self.number.is_none()
    }

    /// It is not needed any more.
    pub(crate) fn needless(&self) -> Diagnostic {
        let text = format!("the exemption of {} {} is not needed any more", self.item, self.label);
        Diagnostic::new(Code::NeedlessExemption, self.place.clone(), text).help("remove the line")
    }
}

/// Reads the exemptions of a Markdown file: its list items; other lines are prose. Lines that cannot be read are
/// errors.
pub fn exemptions(file: &str, text: &str) -> (Vec<Exemption>, Vec<Diagnostic>) {
    let (mut found, mut diags) = (Vec::new(), Vec::new());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_end();
        let Some(entry) = bare.strip_prefix("- ") else { continue };
        let place = Place { file: file.to_owned(), start: offset(start), end: offset(start + bare.len()) };
        match one(entry, place.clone()) {
            Some(exemption) => found.push(exemption),
            None => {
                let diag = Diagnostic::new(Code::UnreadExemption, place, "this exemption cannot be read");
                diags.push(diag.help("write `- ITEM LABEL: reason` or `- ITEM LABEL number N: reason`"));
            }
        }
    }
    (found, diags)
}

fn one(entry: &str, place: Place) -> Option<Exemption> {
    let (what, reason) = entry.split_once(": ")?;
    let reason = reason.trim().to_owned();
    let (item, rest) = first_word(what.trim());
    let rest = rest.replace(['[', ']'], " ");
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (label, number) = match words.as_slice() {
        [label @ .., "number", number] => (label.join(" "), Some(number.parse().ok()?)),
        label => (label.join(" "), None),
    };
    (!reason.is_empty() && !item.is_empty()).then(|| Exemption { item: item.to_owned(), label, number, reason, place })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let text = "# Title\n- 3.i late: nothing asks yet\n- AB-1 glow [number 7]: no roll comes near\n- no reason\n";
        let (found, diags) = exemptions("t.md", text);
        assert_eq!(found.len(), 2);
        assert!(found[0].covers("3.i", "late", None) && !found[0].covers("3.i", "late", Some(1)));
        assert!(found[1].covers("AB-1", "glow", Some(7)));
        assert_eq!(diags.len(), 1);
        assert_eq!(found[1].place.start, 37);
    }
}
