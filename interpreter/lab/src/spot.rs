//! Places as people say them: a file and a line.

use netrep_compiler::Compiler;
use netrep_ir::Place;
use serde::Serialize;

/// A place with its line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// The file, relative to the root of the data.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Spot {
    /// A place in a file of the data.
    pub(crate) fn of(compiler: &Compiler, place: &Place) -> Spot {
        let text = compiler.text(&place.file);
        // total: what is in no file of the data (a profile, a script) is shown at the first line of what it names.
        let before = text.as_deref().and_then(|text| text.get(..place.start as usize)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        Spot { file: place.file.to_string(), line, start: place.start, end: place.end }
    }
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The text of a place.
pub(crate) fn text_at(compiler: &Compiler, place: &Place) -> String {
    let text = compiler.text(&place.file);
    // total: what is in no file of the data is not written anywhere.
    text.and_then(|text| text.get(place.start as usize..place.end as usize).map(str::to_owned)).unwrap_or_default()
}
