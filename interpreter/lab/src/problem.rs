//! A block of text in a file, and the places of what is wrong in it.

use netrep_compiler::Diagnostic;
use netrep_compiler::finding::Finding;
use netrep_compiler::retired::Retired;
use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::Place;
use serde::{Deserialize, Serialize};

/// A position in a text, as places count it.
pub(crate) fn offset(at: usize) -> u32 {
    netrep_ir::limits::in_32_bits(at)
}

/// A block of text in a file, in whose bytes spans are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// The file, relative to the root.
    pub file: String,
    /// Where the block begins in it, in bytes.
    pub base: u32,
    /// The block.
    pub text: String,
}

impl Source {
    /// The place of a span of the block.
    pub(crate) fn place(&self, span: Span) -> Place {
        let span = span.shifted(self.base);
        Place { file: self.file.as_str().into(), start: span.start, end: span.end }
    }

    /// The text of a span.
    pub(crate) fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// What is wrong in the block, told as what is no longer said where it is that.
    pub(crate) fn told(&self, retired: &Retired, diag: Diagnostic) -> Diagnostic {
        let (start, end) = (diag.place.start.checked_sub(self.base), diag.place.end.checked_sub(self.base));
        let within = |at: u32| at as usize <= self.text.len();
        match (start, end) {
            (Some(start), Some(end)) if diag.place.file == self.file && within(end) => {
                let place = Place { start, end, ..diag.place.clone() };
                let told = retired.told(&self.text, Diagnostic { place, ..diag.clone() });
                let span = Span::new(told.place.start, told.place.end);
                if told.code == diag.code { diag } else { Diagnostic { place: self.place(span), ..told } }
            }
            _ => diag,
        }
    }

    /// What is wrong in the block, with its places in the file.
    pub(crate) fn placed(&self, found: Finding) -> Diagnostic {
        found.map(|span| self.place(span))
    }
}

/// Whether a finding is about what a profile asks for, which has no place in a file.
pub fn is_of_a_profile(diag: &Diagnostic) -> bool {
    const ASKED_FOR: [Code; 3] = [Code::UnknownEdition, Code::UnknownRuling, Code::UnknownReading];
    diag.is_error() && diag.place.file.is_empty() && ASKED_FOR.contains(&diag.code)
}

/// Sorted by place, without repetitions.
pub(crate) fn sorted(mut diags: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diags.sort();
    diags.dedup();
    diags
}
