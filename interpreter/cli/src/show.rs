//! Printing diagnostics: with the source around them, or as JSON.

use std::fmt;
use std::io::{IsTerminal, Write};

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use netrep_ir::{Diag, Severity};

use crate::args::Format;

/// Where results go, and how they look.
pub struct Show {
    /// The format.
    pub format: Format,
    /// With colours and drawn lines.
    pub graphic: bool,
}

impl Show {
    /// For standard output. Colours only on a terminal, and never if `NO_COLOR` is set.
    pub fn new(format: Format) -> Show {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Show { format, graphic: !plain && std::io::stdout().is_terminal() }
    }

    /// True for JSON.
    pub fn json(&self) -> bool {
        self.format == Format::Json
    }

    /// Prints a line; a reader that has gone away is no error of ours.
    pub fn line(&self, text: impl fmt::Display) {
        let _ = writeln!(std::io::stdout(), "{text}");
    }

    /// Prints a value as JSON.
    pub fn value(&self, value: &impl serde::Serialize) {
        match serde_json::to_string_pretty(value) {
            Ok(text) => self.line(text),
            Err(error) => eprintln!("netrep: {error}"),
        }
    }

    /// A word in bold or in a colour.
    pub fn paint(&self, code: &str, text: &str) -> String {
        if self.graphic { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Prints diagnostics with their sources, in full.
    pub fn diags(&self, diags: &[Diag], text: &dyn Fn(&str) -> Option<String>) {
        let theme = if self.graphic { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler = GraphicalReportHandler::new_themed(theme).with_width(110).with_context_lines(1);
        for diag in diags {
            for part in by_file(diag, text) {
                let mut out = String::new();
                if handler.render_report(&mut out, &part).is_err() {
                    out = format!("{}: {}", diag.code, diag.message);
                }
                self.line(out.trim_end_matches('\n'));
            }
        }
    }
}

/// How many of something, in words.
pub fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

/// The last line of a list of diagnostics.
pub fn summary(diags: &[Diag]) -> String {
    let errors = diags.iter().filter(|diag| diag.severity == Severity::Error).count();
    let advice = diags.len() - errors;
    match (errors, advice) {
        (0, 0) => "nothing is wrong".to_owned(),
        (0, n) => count(n, "piece of advice", "pieces of advice"),
        (n, 0) => count(n, "error", "errors"),
        (n, m) => format!("{}, {}", count(n, "error", "errors"), count(m, "piece of advice", "pieces of advice")),
    }
}

/// One diagnostic as the renderer wants it; places in other files become related ones.
struct Rendered {
    diag: Diag,
    main: bool,
    labels: Vec<LabeledSpan>,
    source: Option<NamedSource<String>>,
    related: Vec<Rendered>,
}

fn by_file(diag: &Diag, text: &dyn Fn(&str) -> Option<String>) -> Vec<Rendered> {
    let open = |file: &str| text(file).filter(|_| !file.is_empty());
    let span = |place: &netrep_ir::Place, said: &str, source: &str| {
        let end = usize::try_from(place.end).unwrap_or(0).min(source.len());
        let start = usize::try_from(place.start).unwrap_or(0).min(end);
        let said = (!said.is_empty()).then(|| said.to_owned());
        LabeledSpan::new(said, start, end - start)
    };
    let mut rendered =
        Rendered { diag: diag.clone(), main: true, labels: Vec::new(), source: None, related: Vec::new() };
    if let Some(source) = open(&diag.place.file) {
        rendered.labels.push(span(&diag.place, &diag.label, &source));
        let own = diag.labels.iter().filter(|label| label.place.file == diag.place.file);
        rendered.labels.extend(own.map(|label| span(&label.place, &label.text, &source)));
        rendered.source = Some(NamedSource::new(&diag.place.file, source));
    }
    for label in diag.labels.iter().filter(|label| label.place.file != diag.place.file) {
        if let Some(source) = open(&label.place.file) {
            let labels = vec![span(&label.place, &label.text, &source)];
            let source = Some(NamedSource::new(&label.place.file, source));
            rendered.related.push(Rendered { diag: diag.clone(), main: false, labels, source, related: Vec::new() });
        }
    }
    vec![rendered]
}

impl fmt::Debug for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diag.message)
    }
}

impl fmt::Display for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.main { &self.diag.message } else { "see also" })
    }
}

impl std::error::Error for Rendered {}

impl miette::Diagnostic for Rendered {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        if self.main { Some(Box::new(&self.diag.code)) } else { None }
    }
    fn severity(&self) -> Option<miette::Severity> {
        Some(match (self.main, self.diag.severity) {
            (true, Severity::Error) => miette::Severity::Error,
            _ => miette::Severity::Advice,
        })
    }
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        match &self.diag.help {
            Some(help) if self.main => Some(Box::new(help)),
            _ => None,
        }
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        if self.labels.is_empty() { None } else { Some(Box::new(self.labels.iter().cloned())) }
    }
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        if self.related.is_empty() {
            return None;
        }
        Some(Box::new(self.related.iter().map(|one| one as &dyn miette::Diagnostic)))
    }
}
