//! The errors of the skeleton, each with its words.

mod characters;

pub(crate) use characters::flaw;

use crate::error::{Code, Finding};
use crate::heads::{self, HEADS};
use crate::parser::Rule;
use crate::split::first_line;
use crate::tree::Span;
use netrep_diagnostics::Label;

/// A sign that opens or closes, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sign {
    /// Which one.
    pub(crate) rule: Rule,
    /// Where.
    pub(crate) span: Span,
}

impl Sign {
    /// The sign, if it is one that closes.
    pub(crate) fn closing(rule: Rule, span: Span) -> Option<Self> {
        matches!(rule, Rule::close_paren | Rule::close_bracket | Rule::close_brace).then_some(Sign { rule, span })
    }

    fn text(self) -> char {
        match self.rule {
            Rule::open_paren => '(',
            Rule::close_paren => ')',
            Rule::open_bracket => '[',
            Rule::close_bracket => ']',
            Rule::close_brace => '}',
            _ => '{',
        }
    }

    /// The other sign of the pair.
    fn partner(self) -> char {
        match self.rule {
            Rule::open_paren => ')',
            Rule::close_paren => '(',
            Rule::open_bracket => ']',
            Rule::close_bracket => '[',
            Rule::close_brace => '{',
            _ => '}',
        }
    }

    /// The name of the sign: "brace `{`".
    fn named(self) -> String {
        let noun = match self.rule {
            Rule::open_paren | Rule::close_paren => "parenthesis",
            Rule::open_bracket | Rule::close_bracket => "bracket",
            _ => "brace",
        };
        format!("{noun} `{}`", self.text())
    }
}

/// An error of the skeleton always says what would mend it.
fn error(code: Code, place: Span, message: impl Into<String>, help: impl Into<String>) -> Finding {
    Finding::new(code, place, message).help(help)
}

/// No words at all.
pub(crate) fn no_words() -> Finding {
    error(Code::EmptyClause, Span::default(), "there are no words here", "write a sentence")
}

/// A sign that opens and is never closed.
pub(crate) fn unclosed(open: Sign) -> Finding {
    let message = format!("the {} is never closed", open.named());
    let help = format!("write `{}` where its part ends", open.partner());
    error(Code::MissingClosingBracket, open.span, message, help)
}

/// What shows that a sign is never closed.
pub(crate) fn shown_by(close: Sign) -> Label<Span> {
    Label { place: close.span, text: format!("this {} closes something else", close.named()) }
}

/// A sign that closes what nothing opened; `before` closed what was open last.
pub(crate) fn unopened(close: Sign, before: Option<Sign>) -> Finding {
    let message = format!("the {} closes nothing", close.named());
    let help = format!("remove it, or write `{}` where its part begins", close.partner());
    let found = error(Code::MissingOpeningBracket, close.span, message, help);
    match before {
        Some(before) => found.and(before.span, "everything was closed here"),
        None => found,
    }
}

/// Two signs of different kinds.
pub(crate) fn crossed(open: Sign, close: Sign) -> Finding {
    let message = format!("the {} is closed by the {}", open.named(), close.named());
    let help = format!("write `{}` instead of `{}`", open.partner(), close.text());
    error(Code::MismatchedBracket, close.span, message, help).and(open.span, "opened here")
}

/// A level too much.
pub(crate) fn deep(open: Span) -> Finding {
    let message = format!("brackets are nested more than {} deep", crate::MAX_DEPTH);
    error(Code::DeepNesting, open, message, "name the inner parts with `define`")
}

/// A sentence that does not end; `last` is its last word.
pub(crate) fn missing_stop(span: Span, last: &str, help: &str) -> Finding {
    error(Code::MissingFullStop, span, format!("a full stop `.` is missing after `{last}`"), help)
}

/// A full stop where no sentence can end.
pub(crate) fn misplaced(stop: Span, help: &str) -> Finding {
    error(Code::MisplacedFullStop, stop, "no sentence can end at this full stop `.`", help)
}

/// A clause that says nothing.
pub(crate) fn empty(span: Span, message: &str) -> Finding {
    error(Code::EmptyClause, span, message, "write the clause, or remove what is left of it")
}

/// Brackets in front of a clause that are no marker; `again`: there is one already.
pub(crate) fn bad_marker(span: Span, again: bool) -> Finding {
    let message = match again {
        true => "a clause has one marker only",
        false => "brackets `[ ]` at the start of a clause must be a marker",
    };
    let help = "a marker holds a label, the numbers of printed sentences, or both: `[label 1, 2]`";
    error(Code::BadMarker, span, message, help)
}

/// A number in a marker that no sentence has.
pub(crate) fn no_sentence(span: Span, number: &str) -> Finding {
    let message = format!("`{number}` is no number of a printed sentence");
    error(Code::BadMarker, span, message, "printed sentences are counted from 1")
}

/// A number that cannot be kept.
pub(crate) fn large_number(span: Span) -> Finding {
    let help = format!("numbers lie between {} and {}", i32::MIN, i32::MAX);
    error(Code::LargeNumber, span, "this number is too large", help)
}

/// Text behind the end of an item, whose last sign is `ended`.
pub(crate) fn outside(span: Span, is_stop: bool, (rule, ended): (Rule, Span)) -> Finding {
    let (message, help) = match is_stop && rule == Rule::close_brace {
        true => ("a full stop `.` follows the closing brace `}` of the item", "remove the full stop"),
        false => (
            "this text stands behind the end of its item",
            "begin an item at the start of a line, or move the end of this one",
        ),
    };
    error(Code::TextOutsideItem, span, message, help).and(ended, "the item ends here")
}

/// The error for text that belongs to no item; `text` begins with its first word.
pub fn text_outside(text: &str) -> Finding {
    let line = first_line(text).trim_end();
    let Some(word) = line.split_whitespace().next() else {
        let help = format!("an item begins with one of: {}", HEADS.join(", "));
        return error(Code::TextOutsideItem, Span::default(), "there is no item here", help);
    };
    let help = match heads::guess(word) {
        Some(head) if head == word => format!("begin `{head}` at the start of its line"),
        Some(head) => format!("did you mean `{head}`?"),
        None => format!("an item begins at the start of a line with one of: {}", HEADS.join(", ")),
    };
    let span = Span::new(0, line.len() as u32);
    error(Code::TextOutsideItem, span, "this text belongs to no item", help)
}

/// The error of last resort: what stands where pest could not go on.
pub(crate) fn unexpected(text: &str, at: usize) -> Finding {
    let rest = &text[at..];
    let (message, start, end) = match rest.split_whitespace().next() {
        Some(word) => {
            let start = text.len() - rest.trim_start().len();
            (format!("`{word}` is not expected here"), start, start + word.len())
        }
        None => ("the text ends too early".to_owned(), at, at),
    };
    let span = Span::new(start as u32, end as u32);
    error(Code::UnexpectedText, span, message, "compare the words before it with a neighbouring clause")
}
