//! Citations and refusals in lines, as several commands print them.

use netrep_lab::Library;
use netrep_lab::report::Citation;
use netrep_lab::why::Tried;

use crate::output::Show;

/// A citation in one line: label, title, layer, place, documents.
pub(crate) fn cite(library: &Library, citation: &Citation) -> String {
    let text = library.text(&citation.file);
    let before = text.as_deref().and_then(|text| text.get(..citation.start as usize));
    // total: what is in no file of the data is shown at the first line of what it names.
    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
    let mut words = format!("{} — {}", citation.label, citation.title);
    if let Some(reprints) = &citation.reprints {
        words.push_str(&format!(", reprint of {reprints}"));
    }
    if !citation.setter.is_empty() {
        words.push_str(&format!(", set by {}", citation.setter));
    }
    words.push_str(&format!(", {}:{}", citation.file, line));
    if !citation.sources.is_empty() {
        words.push_str(&format!(", after {}", citation.sources.join(", ")));
    }
    words
}

/// Something that might be tried: what allows it, or every reason against it and what would mend it.
pub(crate) fn show_tried(show: &Show, library: &Library, tried: &Tried, indent: &str) {
    let when = if tried.now { "" } else { "is nothing to try at this step; later it " };
    if tried.legal {
        show.line(format!(
            "{indent}{} {when}is allowed ({}): {}",
            tried.words,
            tried.asked,
            cite(library, &tried.licence)
        ));
        return;
    }
    show.line(format!("{indent}{} {when}is refused ({})", tried.words, tried.asked));
    for against in &tried.reasons {
        show.line(format!("{indent}  because {}: {}", against.words, cite(library, &against.by)));
    }
    if !tried.would_be_legal_if.is_empty() {
        show.line(format!("{indent}  it would be legal if {}", tried.would_be_legal_if.join(" and ")));
    }
}
