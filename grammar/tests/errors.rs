//! One mistake, one error, at the place that the author has to mend.
use netrep_grammar::{Code, SyntaxError, parse_clauses, parse_item, parse_sentence};

/// The code, the text at the place, and the text at the second place of each error.
fn found(text: &str, errors: &[SyntaxError]) -> Vec<(&'static str, String, String)> {
    let at = |span: netrep_grammar::tree::Span| text.get(span.start as usize..span.end as usize).unwrap().to_owned();
    errors
        .iter()
        .map(|e| (e.code.as_str(), at(e.span), e.second.as_ref().map(|s| at(s.span)).unwrap_or_default()))
        .collect()
}

#[track_caller]
fn one(text: &str, code: &str, place: &str, second: &str) -> SyntaxError {
    let (_, errors) = parse_item(text);
    assert_eq!(found(text, &errors), [(code_of(code), place.to_owned(), second.to_owned())], "{errors:#?}");
    let error = errors[0].clone();
    assert!(!error.help.is_empty() && !error.message.ends_with('.') && error.message.len() < 100, "{error:?}");
    error
}

fn code_of(code: &str) -> &'static str {
    Code::ALL.iter().map(|c| c.as_str()).find(|c| *c == code).unwrap()
}

#[test]
fn full_stops() {
    let error = one("rule a {\n  x is y\n}", "missing-full-stop", "y", "");
    assert_eq!(error.message, "a full stop `.` is missing after `y`");
    one("class a, b", "missing-full-stop", "b", "");
    one("rule a { if x { b }\n  or { c. } d. }", "misplaced-full-stop", ".", "").message.contains("full stop");
    one("rule a {\n  if x { b }\n  either { c. }\n}", "missing-full-stop", "}", "");
    one("rule a { x (b. c) d. }", "misplaced-full-stop", ".", "");
    one("rule a { choose { b } or { c. }. }", "misplaced-full-stop", ".", "");
    one("rule a { }.", "text-outside-item", ".", "}");
}

#[test]
fn brackets() {
    let error = one("rule a {\n  x (b c.\n}", "missing-closing-bracket", "(", "}");
    assert_eq!(
        (error.message.as_str(), error.help.as_str()),
        ("the parenthesis `(` is never closed", "write `)` where its part ends")
    );
    one("rule a {\n  x.\n", "missing-closing-bracket", "{", "");
    let text = "rule a {\n  x {\n    y.\n  z {\n    w.\n  }\n}";
    let error = one(text, "missing-closing-bracket", "{", "}");
    assert_eq!(text[..error.span.start as usize].lines().count(), 2, "the indent shows which brace it is");
    one("rule a { x ) y. }", "missing-opening-bracket", ")", "");
    one("rule a {\n  x } y.\n}", "missing-opening-bracket", "}", "");
    one("rule a [b) { }", "mismatched-bracket", ")", "[");
    one("rule a ] { }", "missing-opening-bracket", "]", "");
}

#[test]
fn characters() {
    one("rule a { play \"B. }", "missing-quote", "\"B. }", "");
    one("rule a { play \"\". }", "empty-name", "\"\"", "");
    one("rule a { x! }", "stray-character", "!", "");
    one("rule a { take the 3rd. }", "glued-number", "3rd", "").help.contains("3 rd");
    let error = one("rule a { play „B. }", "look-alike-character", "„", "");
    assert!(error.message.contains("quotation mark"), "{}", error.message);
}

#[test]
fn look_alikes() {
    for (sign, plain) in
        [("’", "'"), ("–", "-"), ("−", "-"), ("×", "*"), ("≤", "<="), ("（", "("), ("。", "."), ("；", ";")]
    {
        let (_, errors) = parse_item(&format!("rule a {{ x {sign} y. }}"));
        assert_eq!(errors[0].code, Code::LookAlike, "{sign}");
        assert!(errors[0].help.contains(&format!("`{plain}`")), "{sign}: {}", errors[0].help);
    }
    for sign in ["\u{301}", "\u{A0}", "\u{200B}"] {
        assert_eq!(parse_item(&format!("rule a {{ e{sign} y. }}")).1[0].code, Code::LookAlike);
    }
}

#[test]
fn clauses_and_markers() {
    one("rule a { x. . y. }", "empty-clause", ".", "");
    one("rule a { { x. } }", "empty-clause", "{", "");
    one("rule a { [b] }", "empty-clause", "]", "");
    one("rule a { [b] . }", "empty-clause", ".", "");
    for marker in ["[]", "[1 b]", "[b 1 2]", "[b,]", "[\"B\"]", "[b: 1]", "[0]", "[99999999999]"] {
        let (_, errors) = parse_item(&format!("rule a {{ {marker} x. }}"));
        assert_eq!(errors.iter().map(|e| e.code).collect::<Vec<_>>(), [Code::BadMarker], "{marker}");
    }
    one("rule a { [b] [1] x. }", "bad-marker", "[1]", "");
    one("rule a { x is 99999999999999999999. }", "large-number", "99999999999999999999", "");
}

#[test]
fn outside_and_depth() {
    assert_eq!(one("crad a { }", "text-outside-item", "crad a { }", "").help, "did you mean `card`?");
    one("class a, b. class c, d.", "text-outside-item", "class c, d.", ".");
    let deep = format!("rule a {{ {}x{}. }}", "(".repeat(200), ")".repeat(200));
    assert_eq!(parse_item(&deep).1[0].code, Code::DeepNesting);
    assert_eq!(parse_item(&deep).1.len(), 1);
    assert_eq!(parse_item("").1[0].code, Code::TextOutsideItem);
}

#[test]
fn several_clauses_several_errors() {
    let (_, errors) = parse_item("rule a {\n  x { y }.\n  .\n  b { c }\n}");
    assert_eq!(errors.iter().map(|e| e.code).collect::<Vec<_>>(), [Code::EmptyClause, Code::MissingFullStop]);
}

#[test]
fn pieces_on_their_own() {
    assert_eq!(parse_sentence("this gets +1").unwrap().len(), 4);
    assert_eq!(parse_sentence("this gets +1.").unwrap().len(), 4);
    for (text, code) in [
        ("", Code::EmptyClause),
        (".", Code::EmptyClause),
        ("a. b", Code::MisplacedFullStop),
        ("a { b. }", Code::MisplacedFullStop),
    ] {
        assert_eq!(parse_sentence(text).unwrap_err()[0].code, code, "{text:?}");
    }
    assert_eq!(parse_clauses("given { a. }\nexpect b.\n// end").unwrap().len(), 2);
    assert_eq!(parse_clauses("").unwrap(), []);
    assert_eq!(parse_clauses("given { a }").unwrap_err()[0].code, Code::MissingFullStop);
}
