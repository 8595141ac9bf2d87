//! Which of several copies of a card a sentence of a position means.
//!
//! A name means the copies without a label, if there are any, as a label is there to tell a copy from them. Of several without one
//! in one list the first is taken: nothing tells it from the others before the sentence does. Where they are listed in different
//! places, or each has a label, it is said which there are.

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::ThingId;

use crate::problem::Source;
use crate::scenario::{CardsIn, Name};

/// A card of a position, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    thing: ThingId,
    /// In which list, in its words.
    list: String,
    label: Option<String>,
}

impl Copy {
    /// A card of a list.
    pub(crate) fn of(thing: ThingId, list: &CardsIn, label: Option<&Name>) -> Copy {
        let owner: String = list.owner.iter().map(|owner| format!(" of {}", owner.text)).collect();
        let list = format!("{}{owner}", list.place.text);
        Copy { thing, list, label: label.map(|label| label.text.clone()) }
    }
}

/// The one of these copies of a card that its name means.
pub(crate) fn meant(copies: &[&Copy], name: &Name, source: &Source) -> Result<Option<ThingId>, Diagnostic> {
    let plain: Vec<&Copy> = copies.iter().copied().filter(|copy| copy.label.is_none()).collect();
    match (plain.as_slice(), copies) {
        ([], []) => Ok(None),
        ([first, rest @ ..], _) if rest.iter().all(|other| other.list == first.list) => Ok(Some(first.thing)),
        ([], [one]) => Ok(Some(one.thing)),
        _ => {
            let there = copies.iter().map(|copy| match &copy.label {
                Some(label) => format!("  {label} in {}", copy.list),
                None => format!("  one without a label in {}", copy.list),
            });
            let there: Vec<String> = there.collect();
            let text =
                format!("{} copies of \"{}\" are there, and it is not said which is meant", copies.len(), name.text);
            let help =
                format!("name one by a label (`\"{}\" as LABEL` where it is listed):\n{}", name.text, there.join("\n"));
            Err(Diagnostic::new(Code::AmbiguousName, source.place(name.span), text).help(help))
        }
    }
}
