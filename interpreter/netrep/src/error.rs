//! The one type of error, and what is wrong with data.

use std::fmt;

use netrep_diagnostics::Code;
use serde::Serialize;

/// Why something could not be done. Nothing has changed when one comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of error it is: to decide by.
    pub kind: ErrorKind,
    /// What is wrong, in a sentence: to show.
    pub message: String,
    /// What is wrong with a text (a position, a deck, the data), each with its place; empty for other errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// The kinds of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A folder or file cannot be read.
    File,
    /// A name means nothing: a seat, a deck, an edition, a ruling, a thing. The message says what may be meant.
    Unknown,
    /// A text is not right: a deck, a table, a position. The diagnostics say where.
    Data,
    /// Someone else is asked, or nobody.
    NotAsked,
    /// The option was offered at another question than the one that is asked now.
    Stale,
    /// The words mean no option, or several.
    Words,
    /// What was tried is against the rules, or not among the options.
    Refused,
    /// The engine stopped; the message names the clause at which it did.
    Stopped,
    /// A saved game cannot be read here: another format, other rules, or something in it that is gone.
    Saved,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), diagnostics: Vec::new() }
    }

    /// A text that is not right.
    pub(crate) fn data(diags: Vec<netrep_compiler::Diagnostic>, text: &dyn Fn(&str) -> Option<String>) -> Error {
        let diagnostics: Vec<Diagnostic> = diags.iter().map(|diag| Diagnostic::of(diag, text)).collect();
        let message = match diagnostics.as_slice() {
            [] => "the text is not right".to_owned(),
            [one] => one.to_string(),
            [first, others @ ..] => format!("{first} (and {} more)", others.len()),
        };
        Error { kind: ErrorKind::Data, message, diagnostics }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::new(ErrorKind::File, error.to_string())
    }
}

/// Something that is wrong with a text, or that might be better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// What kind; its page explains it.
    pub code: Code,
    /// True for errors: what they are in is left out of the rules. False for advice.
    pub is_error: bool,
    /// What is wrong, in one line.
    pub message: String,
    /// What would mend it.
    pub help: Option<String>,
    /// The place that matters most; then others, each with what is to be said about it.
    pub places: Vec<Place>,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file, from the root of the data; empty for what has no place.
    pub file: String,
    /// The line, from 1; 0 if the file is not there.
    pub line: usize,
    /// The bytes, from the first to the one behind the last.
    pub bytes: std::ops::Range<u32>,
    /// What is to be said about it; may be empty.
    pub text: String,
}

impl Diagnostic {
    pub(crate) fn of(diag: &netrep_compiler::Diagnostic, text: &dyn Fn(&str) -> Option<String>) -> Diagnostic {
        let place = |place: &netrep_ir::Place, said: &str| Place {
            file: place.file.to_string(),
            line: line(text(&place.file).as_deref(), place.start),
            bytes: place.start..place.end,
            text: said.to_owned(),
        };
        let mut places = vec![place(&diag.place, &diag.label)];
        places.extend(diag.labels.iter().map(|label| place(&label.place, &label.text)));
        Diagnostic {
            code: diag.code,
            is_error: diag.is_error(),
            message: diag.message.clone(),
            help: diag.help.clone(),
            places,
        }
    }
}

/// What is added to a message if something near may be meant.
pub(crate) fn meant_instead(near: Option<impl fmt::Display>) -> String {
    match near {
        Some(near) => format!("; did you mean `{near}`?"),
        // total: nothing is near, and nothing is added
        None => String::new(),
    }
}

/// The line of a byte, from 1; 0 without a text.
pub(crate) fn line(text: Option<&str>, byte: u32) -> usize {
    let before = text.and_then(|text| text.get(..byte as usize));
    // total: 0 is the line of what is not there, as [`Place`] says.
    before.map_or(0, |before| before.matches('\n').count() + 1)
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { file, line, .. }) = self.places.first().filter(|place| !place.file.is_empty()) {
            write!(f, "{file}:{line}: ")?;
        }
        f.write_str(&self.message)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}
