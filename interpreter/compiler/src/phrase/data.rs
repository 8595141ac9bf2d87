//! Sentences of plain data: what is said of items, not of things in play (`cites`, `printed`, `authority`, `order` ...).
//!
//! They need no vocabulary. Each is a row of the table, which says in which kinds of items it stands, whether once, and what
//! its holes hold. What fits no row is refused at its place; nothing that stands behind a row is left over.

use netrep_diagnostics::{Code, suggestion};
use netrep_grammar::tree::{Clause, Item, Token, TokenKind};

use super::forms::{Category, Form, Forms, Part, Reader, Row};
use super::kept::{ends, spelled};
use super::outline::{Header, Missed, Outline, clause as outline_of, outline};
use super::render::joined_by_or;
use crate::finding::Finding;
use crate::layers::words::shown;

/// The rows of a kind of item or block, or `reading` for the readings of a ruling.
fn rows_of(forms: &Forms, kind: &str) -> Vec<&'static Row> {
    forms.of_kind(kind).collect()
}

/// The words with which a row begins; none if it begins with a name.
fn heads(row: &Row) -> &'static [&'static str] {
    match row.parts.first() {
        Some(Part::Words { any, .. }) => any,
        _ => &[],
    }
}

/// True if a row begins with a name, and such a name stands first.
fn begins_with_name(row: &Row, tokens: &[Token]) -> bool {
    match row.parts.first() {
        Some(Part::Hole { read: [Reader::Kept(kept)], .. }) => !ends(*kept, tokens).is_empty(),
        _ => false,
    }
}

/// True if sentences of plain data in such an item begin with the word.
pub(super) fn begins(forms: &Forms, kind: &str, head: &str) -> bool {
    !head.is_empty() && forms.of_kind(kind).any(|row| heads(row).contains(&head))
}

/// True if sentences of plain data in such an item begin with the word.
pub(crate) fn is_data(kind: &str, head: &str) -> bool {
    begins(Forms::all(), kind, head)
}

/// False if no sentence of such an item that begins with the word is of one of these forms: then it need not be read to see that.
pub(crate) fn may_be(kind: &str, head: &str, wanted: &[Form]) -> bool {
    let mut headed = Forms::all().of_kind(kind).filter(|row| heads(row).contains(&head)).peekable();
    headed.peek().is_none() || headed.any(|row| wanted.contains(&row.form))
}

/// What a clause of such an item says as plain data.
pub(crate) fn sentence<'t>(kind: &str, clause: &'t Clause) -> Result<Outline<'t>, Finding> {
    sentence_by(Forms::all(), kind, clause)
}

/// The same with a table of forms.
pub fn sentence_by<'t>(forms: &Forms, kind: &str, clause: &'t Clause) -> Result<Outline<'t>, Finding> {
    let rows = rows_of(forms, kind);
    let headed: Vec<&Row> = rows.iter().copied().filter(|row| heads(row).contains(&clause.head())).collect();
    let asked = if headed.is_empty() { &rows } else { &headed };
    let found = outline_of(forms, asked, clause).map_err(|missed| refused(forms, kind, &rows, clause, &missed))?;
    if let Some(twice) = found.said_twice(code(kind, Some(found.row))) {
        return Err(twice);
    }
    if let Some(marker) = clause.marker.as_ref().filter(|marker| !marker.derived) {
        // Amendments name clauses of cards and rules by their labels; what is expressed by one is said by no datum.
        let labelled = matches!(kind, "card" | "rule");
        if !labelled || !marker.sentences.is_empty() && !expresses(found.form()) {
            let message = match labelled {
                true => format!("a sentence that begins with `{}` expresses no printed sentence", clause.head()),
                false => format!("a sentence of {} has no label", article(kind)),
            };
            return Err(Finding::new(Code::BadMarker, marker.span, message).help("take what stands in brackets away"));
        }
    }
    Ok(found)
}

/// True for sentences of plain data that may say what a printed sentence says.
fn expresses(form: Form) -> bool {
    matches!(form, Form::DataDespite | Form::DataNote)
}

/// What the header of an item says that is no declaration.
pub(crate) fn header(item: &Item) -> Result<Outline<'_>, Finding> {
    header_by(Forms::all(), item)
}

/// The same with a table of forms.
pub fn header_by<'t>(forms: &Forms, item: &'t Item) -> Result<Outline<'t>, Finding> {
    let header = Header { tokens: &item.header, at: item.head_span, block: None };
    outline(forms, Category::Header, &item.head, header).map_err(|missed| told(&item.head, &item.header, &missed))
}

/// What the clauses of such an item say, with those that say nothing left out and told.
pub(crate) fn sentences<'t>(
    kind: &str,
    clauses: &'t [Clause],
    findings: &mut Vec<Finding>,
) -> Vec<(&'t Clause, Outline<'t>)> {
    let mut read: Vec<(&Clause, Outline<'_>)> = Vec::new();
    // What is said once of an authority is said anew of the next one.
    let mut from = 0;
    for clause in clauses {
        match sentence(kind, clause) {
            Ok(found) => {
                if matches!(found.form(), Form::DataAuthority | Form::DataDocument) {
                    from = read.len();
                }
                let before = read.iter().skip(from).find(|(_, one)| one.form() == found.form());
                match before.filter(|_| found.row.once) {
                    Some((first, _)) => findings.push(twice(kind, found.row, clause, first)),
                    None => read.push((clause, found)),
                }
            }
            Err(finding) => findings.push(finding),
        }
    }
    read
}

/// The error of a sentence that stands twice.
pub(super) fn twice(kind: &str, row: &'static Row, again: &Clause, first: &Clause) -> Finding {
    let message = format!("`{}` stands twice here", again.head());
    Finding::new(code(kind, Some(row)), again.span, message)
        .and(first.span, "the first one")
        .help("say all of it in one sentence, or take one away")
}

/// What is said twice among the clauses of an item with sentences of other kinds.
pub(super) fn repeated(forms: &Forms, kind: &str, clauses: &[Clause]) -> Vec<Finding> {
    let mut first: Vec<(Form, &Clause)> = Vec::new();
    let mut findings = Vec::new();
    // What stands once stands in rows that no other clause begins with.
    let once: Vec<&Row> = forms.of_kind(kind).filter(|row| row.once).collect();
    let data: Vec<&Clause> = clauses.iter().filter(|clause| begins(forms, kind, clause.head())).collect();
    let again = |nth: usize, clause: &Clause| {
        let mut others = data.iter().enumerate().filter(|(other, _)| *other != nth).map(|(_, other)| other.head());
        others.any(|other| once.iter().any(|row| [clause.head(), other].iter().all(|head| heads(row).contains(head))))
    };
    for (_, clause) in data.iter().enumerate().filter(|(nth, clause)| again(*nth, clause)) {
        let Ok(found) = sentence_by(forms, kind, clause) else { continue };
        match first.iter().find(|(form, _)| found.row.once && *form == found.form()) {
            Some((_, before)) => findings.push(twice(kind, found.row, clause, before)),
            None => first.push((found.form(), clause)),
        }
    }
    findings
}

/// The error of a sentence of plain data that stands in an item which has no such sentences.
pub(super) fn misplaced(forms: &Forms, kind: &str, clause: &Clause) -> Option<Finding> {
    let rows = || forms.of_category(Category::Data).iter().copied().filter(|row| heads(row).contains(&clause.head()));
    let row = outline_of(forms, &rows().collect::<Vec<_>>(), clause).ok()?.row;
    let items: Vec<String> = rows().flat_map(|row| row.within).map(|kind| article(kind)).collect();
    let message = format!("{} has no sentence that begins with `{}`", article(kind), clause.head());
    let error = Finding::new(Code::MisplacedClause, clause.span, message);
    Some(error.help(format!("{} has one: `{}`", joined_by_or(&items), row.example)))
}

fn article(kind: &str) -> String {
    let an = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {kind}", if an { "an" } else { "a" })
}

/// Why a clause fits none of the rows.
fn refused(forms: &Forms, kind: &str, rows: &[&'static Row], clause: &Clause, missed: &Missed<'_>) -> Finding {
    let head = clause.head();
    let known: Vec<&str> = rows.iter().flat_map(|row| heads(row)).copied().collect();
    if !known.contains(&head) {
        let near = suggestion(head, known.iter().copied());
        let only_heads = !rows.iter().any(|row| begins_with_name(row, &clause.tokens));
        if !head.is_empty() && (only_heads || near.is_some()) {
            let span = clause.tokens.first().map_or(clause.span, |token| token.span);
            let message = format!("{} has no sentence that begins with `{head}`", article(kind));
            let listed: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
            let help = near.unwrap_or_else(|| format!("its sentences begin with {}", joined_by_or(&listed)));
            return Finding::new(code(kind, None), span, message).help(help);
        }
    }
    if let Some(last) = run_on(forms, kind, rows, clause, missed) {
        let message = format!("a full stop `.` is missing after {}", shown(last));
        return Finding::new(Code::MissingFullStop, last.span, message)
            .help("end every sentence with a full stop `.`; semicolons `;` part statements");
    }
    told(kind, &clause.tokens, missed)
}

/// The error at the farthest place; where a word stands, with the one that it may be meant for.
fn told(kind: &str, tokens: &[Token], missed: &Missed<'_>) -> Finding {
    let error = missed.miss.error(code(kind, missed.miss.row));
    let word = tokens.iter().find(|token| token.span == missed.miss.span).and_then(spelled);
    let expected = missed.miss.expected.iter().filter_map(|one| one.strip_prefix('`')?.strip_suffix('`'));
    match word.and_then(|word| suggestion(word, expected)) {
        Some(help) => error.help(help),
        None => error,
    }
}

/// Where a full stop is missing: behind what is a sentence by itself, another one begins.
fn run_on<'t>(
    forms: &Forms,
    kind: &str,
    rows: &[&'static Row],
    clause: &'t Clause,
    missed: &Missed<'_>,
) -> Option<&'t Token> {
    missed.before.as_ref()?;
    let at = clause.tokens.iter().position(|token| token.span == missed.miss.span)?;
    let (said, rest) = clause.tokens.split_at(at);
    let last = said.last()?;
    let next = Clause { tokens: rest.to_vec(), marker: None, ..clause.clone() };
    let goes_on = begins(forms, kind, next.head())
        || outline_of(forms, rows, &next).is_ok()
        // In a card and a rule, sentences of other kinds begin with words.
        || matches!(kind, "card" | "rule") && matches!(rest.first().map(|t| &t.kind), Some(TokenKind::Word(_)));
    goes_on.then_some(last)
}

/// The code of what is wrong with a sentence of such an item.
fn code(kind: &str, row: Option<&'static Row>) -> Code {
    match (row.map(|row| row.form), kind) {
        (Some(Form::DataDate | Form::DataPart), _) => Code::BadDate,
        (Some(Form::DataRests), _) => Code::BadRests,
        (Some(Form::DataDespite), _) => Code::BadDespite,
        (Some(Form::DataReprint), _) => Code::BadReprint,
        (Some(Form::DataReplace | Form::DataAmend | Form::DataRemove | Form::DataAdd), _) => Code::BadAmendment,
        (Some(Form::HeaderCard | Form::HeaderRule), _) => Code::BadHeader,
        (_, "ruling") => Code::BadRuling,
        (_, "reading") => Code::BadReading,
        (_, "edition" | "variant") => Code::BadEdition,
        (_, "document") => Code::BadDocument,
        (_, "filing") => Code::BadFiling,
        (_, "pattern") => Code::BadPattern,
        (_, "layout") => Code::BadLayout,
        (_, "kernel") => Code::UnknownService,
        _ => Code::BadData,
    }
}
