//! `netrep check`: everything that is wrong below a root.

use netrep_compiler::{Diagnostic, Profile};
use netrep_lab::Library;
use serde::Serialize;

use crate::output::{Show, count, summary};
use crate::{Outcome, Wrong};

/// The result of `check`.
#[derive(Serialize)]
struct Checked {
    /// No errors.
    clean: bool,
    /// How many files were read.
    files: usize,
    /// Files among them that were not.
    not_read: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

/// Everything that is wrong with the data, the decks and the positions, and what was read; advice is counted, and
/// shown if it is wanted.
pub(crate) fn check(show: &Show, library: &Library, profile: &Profile, advice: bool) -> Result<Outcome, Wrong> {
    let found = library.survey(profile)?;
    let clean = found.diagnostics.iter().all(|diag| !diag.is_error());
    let checked = Checked { clean, files: found.read, not_read: found.others, diagnostics: found.diagnostics };
    Ok(show.reply(Outcome::of(clean), &checked, || {
        let shown: Vec<Diagnostic> =
            checked.diagnostics.iter().filter(|diag| advice || diag.is_error()).cloned().collect();
        show.diags(&shown, &|file| library.text(file));
        show.line(inventory(&checked));
        let more = if shown.len() < checked.diagnostics.len() { " (`--advice` shows it)" } else { "" };
        show.line(format!("{}{more}", summary(&checked.diagnostics)));
    }))
}

/// What was read and what was not, in a line.
fn inventory(checked: &Checked) -> String {
    let files = count(checked.files, "file", "files");
    match checked.not_read.as_slice() {
        [] => files,
        others => format!("{files}, {} not read: {}", others.len(), others.join(", ")),
    }
}
