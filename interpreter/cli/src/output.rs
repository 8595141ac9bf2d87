//! Printing: lines, diagnostics with the source around them, or one JSON value.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{ErrorKind, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use serde::{Deserialize, Serialize};

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Severity;

use crate::args::Format;
use crate::reply::{FORMAT, Problem, Reply};
use crate::{Outcome, Wrong};

/// Where results go, and how they look.
pub(crate) struct Show {
    /// The format.
    pub format: Format,
    /// With colours.
    graphic: bool,
    /// The command, for the envelope.
    command: &'static str,
    warnings: RefCell<Vec<String>>,
    gone: Cell<bool>,
    /// What was printed, if it is wanted once more.
    said: RefCell<Option<Vec<Said>>>,
}

/// Something that was printed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Said {
    /// To standard output.
    Out(String),
    /// To standard error.
    Aside(String),
}

/// More than this is not remembered of what was printed.
const REMEMBERED: usize = 8 * 1024 * 1024;

impl Show {
    /// For standard output. Colours only on a terminal, and never if `NO_COLOR` is set.
    pub(crate) fn new(format: Format, command: &'static str) -> Show {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let graphic = !plain && std::io::stdout().is_terminal();
        let (warnings, gone, said) = (RefCell::default(), Cell::new(false), RefCell::default());
        Show { format, graphic, command, warnings, gone, said }
    }

    /// True for JSON.
    pub(crate) fn json(&self) -> bool {
        self.format == Format::Json
    }

    /// True once no one reads what is printed any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone.get()
    }

    /// True if colours are shown.
    pub(crate) fn is_graphic(&self) -> bool {
        self.graphic
    }

    /// From now on remembers what is printed.
    pub(crate) fn remember(&self) {
        *self.said.borrow_mut() = Some(Vec::new());
    }

    /// What was printed since, if someone has read it all, and it is not too much.
    pub(crate) fn remembered(&self) -> Option<Vec<Said>> {
        let all = self.said.take().filter(|_| !self.is_gone())?;
        let long = |said: &Said| match said {
            Said::Out(text) | Said::Aside(text) => text.len(),
        };
        (all.iter().map(long).sum::<usize>() <= REMEMBERED).then_some(all)
    }

    /// Prints what was printed before.
    pub(crate) fn say(&self, said: Said) {
        match &said {
            Said::Out(text) => {
                let mut out = std::io::stdout();
                let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                if done.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
                    self.gone.set(true);
                }
            }
            Said::Aside(text) => drop(std::io::stderr().write_all(text.as_bytes())),
        }
        if let Some(all) = self.said.borrow_mut().as_mut() {
            match (all.last_mut(), said) {
                (Some(Said::Out(before)), Said::Out(text)) => before.push_str(&text),
                (_, said) => all.push(said),
            }
        }
    }

    /// Prints a line; a reader that has gone away is no error of ours.
    pub(crate) fn line(&self, text: impl fmt::Display) {
        self.say(Said::Out(format!("{text}\n")));
    }

    /// Prints what is not a whole line, and shows it at once.
    pub(crate) fn prompt(&self, text: &str) {
        self.say(Said::Out(text.to_owned()));
    }

    /// Takes what was printed from the screen.
    pub(crate) fn clear(&self) {
        match self.graphic {
            true => self.prompt("\u{1b}[2J\u{1b}[3J\u{1b}[H"),
            // Without signs for the terminal it can only be pushed out of sight.
            false => self.prompt(&"\n".repeat(200)),
        }
    }

    /// True if a person types what is read, and sees what is printed.
    pub(crate) fn is_talk(&self) -> bool {
        !self.json() && std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
    }

    /// Says something beside the result: on standard error, or in the envelope.
    pub(crate) fn warn(&self, text: String) {
        if self.json() {
            self.warnings.borrow_mut().push(text);
        } else {
            self.say(Said::Aside(format!("netrep: {text}\n")));
        }
    }

    /// Prints a result in its envelope if JSON is wanted, else as `human` does.
    pub(crate) fn reply<T: Serialize>(&self, outcome: Outcome, result: &T, human: impl FnOnce()) -> Outcome {
        if self.json() {
            self.envelope(outcome.status(), Some(result), None);
        } else {
            human();
        }
        outcome
    }

    /// Says why a command could not be carried out; gives the exit status.
    pub(crate) fn fail(&self, wrong: Wrong, text: &dyn Fn(&str) -> Option<String>) -> u8 {
        let (status, message, diagnostics) = match wrong {
            Wrong::Usage(text) => (2, text, Vec::new()),
            Wrong::File(error) => (2, error.to_string(), Vec::new()),
            Wrong::Diags(diags) => (1, summary(&diags), diags),
        };
        if self.json() {
            self.envelope::<()>(status, None, Some(Problem { message, diagnostics }));
        } else if diagnostics.is_empty() {
            self.warn(message);
        } else {
            self.diags(&diagnostics, text);
            self.line(message);
        }
        status
    }

    fn envelope<T: Serialize>(&self, status: u8, result: Option<&T>, error: Option<Problem>) {
        let warnings = self.warnings.take();
        let reply = Reply { format: FORMAT, command: self.command, status, warnings, result, error };
        // A program that waits for the next value reads line by line.
        let text = match self.command {
            "watch" => serde_json::to_string(&reply),
            _ => serde_json::to_string_pretty(&reply),
        };
        match text {
            Ok(text) => self.line(text),
            Err(error) => self.say(Said::Aside(format!("netrep: {error}\n"))),
        }
    }

    /// A bar that shows how far something is, on a terminal; hidden elsewhere.
    pub(crate) fn progress(&self, length: u64) -> ProgressBar {
        let watched = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        if self.json() || !watched {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{bar:40} {pos} of {len}  {wide_msg}");
        let bar = ProgressBar::new(length);
        // total: a bar that looks otherwise shows the same.
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }

    /// A word in bold or in a colour.
    pub(crate) fn paint(&self, code: &str, text: &str) -> String {
        if self.graphic { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Prints diagnostics with their sources, in full.
    pub(crate) fn diags(&self, diags: &[Diagnostic], text: &dyn Fn(&str) -> Option<String>) {
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
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

/// The last line of a list of diagnostics.
pub(crate) fn summary(diags: &[Diagnostic]) -> String {
    let errors = diags.iter().filter(|diag| diag.is_error()).count();
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
    diag: Diagnostic,
    main: bool,
    labels: Vec<LabeledSpan>,
    source: Option<NamedSource<String>>,
    related: Vec<Rendered>,
}

fn by_file(diag: &Diagnostic, text: &dyn Fn(&str) -> Option<String>) -> Vec<Rendered> {
    let open = |file: &str| text(file).filter(|_| !file.is_empty());
    let span = |place: &netrep_ir::Place, said: &str, source: &str| {
        let end = (place.end as usize).min(source.len());
        let start = (place.start as usize).min(end);
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
