//! `netrep check`: everything that is wrong in the data.

use netrep_compiler::{Diagnostic, Profile};
use netrep_lab::Library;
use netrep_lab::exempt::{check_reasons, exemptions_of};
use serde::Serialize;

use crate::Outcome;
use crate::output::{Show, summary};

/// The result of `check`.
#[derive(Serialize)]
struct Checked {
    /// No errors.
    clean: bool,
    diagnostics: Vec<Diagnostic>,
}

/// Everything that is wrong with the data; advice is counted, and shown if it is wanted.
pub(crate) fn check(show: &Show, library: &Library, profile: &Profile, advice: bool) -> Outcome {
    let mut diagnostics = library.compiler.check();
    diagnostics.extend(library.compiler.check_editions());
    diagnostics.extend(match exemptions_of(&library.files) {
        Ok(exempt) => check_reasons(&library.compiler, &exempt),
        Err(unread) => unread,
    });
    if *profile != Profile::default() {
        diagnostics.extend(library.compiler.check_under(profile));
    }
    diagnostics.sort();
    diagnostics.dedup();
    let clean = diagnostics.iter().all(|diag| !diag.is_error());
    let checked = Checked { clean, diagnostics };
    show.reply(Outcome::of(clean), &checked, || {
        let shown: Vec<Diagnostic> =
            checked.diagnostics.iter().filter(|diag| advice || diag.is_error()).cloned().collect();
        show.diags(&shown, &|file| library.text(file));
        let more = if shown.len() < checked.diagnostics.len() { " (`--advice` shows it)" } else { "" };
        show.line(format!("{}{more}", summary(&checked.diagnostics)));
    })
}
