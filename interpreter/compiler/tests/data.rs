//! Sentences of plain data: each row of the table is read to its end, in the items that have it and nowhere else.

use std::fmt::Write;

use netrep_compiler::phrase::data::sentence_by;
use netrep_compiler::phrase::forms::{Category, Form, Forms, ROWS, Row};
use netrep_diagnostics::Code;
use netrep_grammar::parse_item;
use netrep_grammar::tree::{Clause, Span, Token, TokenKind};

use crate::common::{errors, with_file};

/// The kinds of items and blocks that have sentences of plain data.
pub(crate) const KINDS: &[&str] =
    &["card", "rule", "ruling", "reading", "edition", "variant", "document", "filing", "layout", "kernel", "pattern"];

/// An item of each kind, with a place for a sentence.
const ITEMS: &[(&str, &str)] = &[
    ("card", "card Z-1 \"Own Lamp\" { kind Lamp. @ }"),
    ("rule", "rule 77 \"Own\" { @ }"),
    ("ruling", "ruling R-77 \"Own?\" { @ }"),
    ("reading", "ruling R-78 \"Own?\" { reading own { authority \"the house\". @ } }"),
    ("edition", "edition own \"Own\" { @ }"),
    ("variant", "variant own \"Own\" { @ }"),
    ("document", "document own \"Own\" { @ }"),
    ("filing", "filing card { @ }"),
    ("layout", "layout lamp L { @ }"),
    ("kernel", "kernel own { @ }"),
    (
        "pattern",
        "pattern own by (number N) { [own] this gets +N height. @ }\ncard Z-2 \"User\" { kind Lamp. own by 3. }",
    ),
    ("verb", "verb mend, mends, mended (card C) { needs C is dusty. @ }"),
    ("procedure", "rule 78 \"Own\" { procedure mending { steps one. } step one of mending { @ } }"),
];

/// Sentences that end with words of any number: labels and words of the vocabulary, judged by those who know them.
const OPEN: &[Form] = &[
    Form::DataMasked,
    Form::DataRests,
    Form::DataDespite,
    Form::DataReplace,
    Form::DataAmend,
    Form::DataRemove,
    Form::DataAdd,
    Form::DataService,
    Form::DataCalled,
    Form::DataOutermost,
    Form::DataDescribed,
    Form::DataGreatest,
];

fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(|row| row.category == Category::Data)
}

/// The clause of an example.
fn clause(row: &Row) -> Clause {
    let stop = if row.example.ends_with('}') { "" } else { "." };
    let (item, errors) = parse_item(&format!("rule 99 \"Form\" {{ {}{stop} }}", row.example));
    assert!(errors.is_empty(), "{}: {errors:?}", row.example);
    item.unwrap().clauses.swap_remove(0)
}

/// What a clause says in such an item: the row, and what its holes hold, with places.
fn said(kind: &str, clause: &Clause) -> Option<(Form, String)> {
    let found = sentence_by(Forms::all(), kind, clause).ok()?;
    Some((found.form(), format!("{found:?}")))
}

/// A token of each kind, at a place where no other stands.
fn samples() -> Vec<Token> {
    let kinds = [
        TokenKind::Word("zebra".to_owned()),
        TokenKind::Capital("Zebra".to_owned()),
        TokenKind::Quoted("zebra".to_owned()),
        TokenKind::Number(7),
        TokenKind::Reference("9.9.9".to_owned()),
        TokenKind::Op("+".to_owned()),
        TokenKind::Possessive,
        TokenKind::Comma,
        TokenKind::Semi,
        TokenKind::Colon,
        TokenKind::Paren(Vec::new()),
        TokenKind::Bracket(Vec::new()),
        TokenKind::Brace(Vec::new()),
    ];
    kinds.into_iter().map(|kind| Token { kind, span: Span::new(9000, 9001) }).collect()
}

#[test]
fn every_sentence_of_data_is_read_where_it_stands() {
    let mut wrong = String::new();
    for row in rows() {
        assert!(row.within.iter().all(|kind| KINDS.contains(kind)), "{row:?}");
        for kind in row.within {
            if said(kind, &clause(row)).is_none_or(|(form, _)| form != row.form) {
                writeln!(wrong, "{:?} in {kind}: `{}`", row.form, row.example).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A token more, one less, or one of another kind: the sentence is refused, or says something else. No token is passed over.
#[test]
fn no_token_of_a_sentence_of_data_is_passed_over() {
    let (mut wrong, mut refused, mut other) = (String::new(), 0, 0);
    for row in rows() {
        let whole = clause(row);
        let mut changed: Vec<Vec<Token>> = Vec::new();
        for at in 0..=whole.tokens.len() {
            for sample in samples() {
                let mut more = whole.tokens.clone();
                more.insert(at, sample.clone());
                changed.push(more);
                if whole.tokens.get(at).is_some_and(|token| token.kind != sample.kind) {
                    let mut another = whole.tokens.clone();
                    another[at] = sample;
                    changed.push(another);
                }
            }
            if at < whole.tokens.len() {
                let mut less = whole.tokens.clone();
                less.remove(at);
                changed.push(less);
            }
        }
        for kind in row.within {
            let before = said(kind, &whole);
            for tokens in &changed {
                match said(kind, &Clause { tokens: tokens.clone(), ..whole.clone() }) {
                    None => refused += 1,
                    Some(now) if Some(&now) != before.as_ref() => other += 1,
                    Some(_) => writeln!(wrong, "{:?} in {kind}: {tokens:?}", row.form).unwrap(),
                }
            }
            // What holds no words of any number has an end: whatever stands behind it is refused.
            for sample in samples().into_iter().filter(|_| !OPEN.contains(&row.form)) {
                let tokens = [whole.tokens.clone(), vec![sample]].concat();
                if said(kind, &Clause { tokens: tokens.clone(), ..whole.clone() }).is_some() {
                    writeln!(wrong, "{:?} in {kind} goes on: {tokens:?}", row.form).unwrap();
                }
            }
            let block = match whole.block {
                Some(_) => None,
                None => Some(Vec::new()),
            };
            if said(kind, &Clause { block, ..whole.clone() }).is_some() {
                writeln!(wrong, "{:?} in {kind}: its block is nothing to it", row.form).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(refused > 5 * other && other > 50, "{refused} are refused, {other} say something else");
}

#[test]
fn a_sentence_of_data_is_refused_in_items_that_have_none_such() {
    let mut wrong = String::new();
    for row in rows() {
        let stop = if row.example.ends_with('}') { "" } else { "." };
        let base = with_file("rules/own.rules", "");
        let before = errors(&base.check()).len();
        assert_eq!(before, 0);
        // Another row may begin with the same word.
        let first = row.example.split(' ').next();
        let within =
            |kind: &str| rows().any(|other| other.example.split(' ').next() == first && other.within.contains(&kind));
        for (kind, item) in ITEMS.iter().filter(|(kind, _)| !within(kind)) {
            let text = item.replace('@', &format!("{}{stop}", row.example));
            let compiler = with_file("rules/own.rules", &text);
            let found = compiler.check();
            let found = errors(&found);
            let here = found.iter().filter(|error| &*error.place.file == "rules/own.rules").count();
            if here == 0 || found.iter().any(|error| error.help.is_none()) {
                writeln!(wrong, "{:?} in {kind}: {found:?}", row.form).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A sentence that is there once, twice.
#[test]
fn what_is_said_once_is_not_said_twice() {
    let mut wrong = String::new();
    for row in rows().filter(|row| row.once) {
        for (kind, item) in ITEMS.iter().filter(|(kind, _)| row.within.contains(kind)) {
            let text = item.replace('@', &format!("{0}. {0}.", row.example));
            let compiler = with_file("rules/own.rules", &text);
            if !errors(&compiler.check()).iter().any(|error| error.message.contains("stands twice")) {
                writeln!(wrong, "{:?} in {kind}", row.form).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Two sentences without the full stop between them: it is told that it is missing, at the end of the first.
#[test]
fn a_missing_full_stop_between_sentences_of_data_is_told() {
    let mut wrong = String::new();
    for kind in KINDS {
        let here: Vec<&Row> = rows().filter(|row| row.within.contains(kind)).collect();
        for first in here.iter().filter(|row| clause(row).block.is_none() && !OPEN.contains(&row.form)) {
            for second in &here {
                let (one, two) = (clause(first), clause(second));
                let shift = |token: &Token| Token {
                    kind: token.kind.clone(),
                    span: Span::new(token.span.start + 500, token.span.end + 500),
                };
                let tokens: Vec<Token> = one.tokens.iter().cloned().chain(two.tokens.iter().map(shift)).collect();
                let both = Clause { tokens, ..two.clone() };
                let last = one.tokens.last().unwrap();
                let Err(error) = sentence_by(Forms::all(), kind, &both) else {
                    writeln!(wrong, "{:?} {:?} in {kind} is accepted", first.form, second.form).unwrap();
                    continue;
                };
                if error.code != Code::MissingFullStop || error.place != last.span {
                    writeln!(wrong, "{:?} {:?} in {kind}: {error:?}", first.form, second.form).unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
