//! One mistake, one error, at the place that the author has to mend.
use netrep_diagnostics::Code;
use netrep_grammar::{Finding, parse_clauses, parse_item, parse_sentence, text_outside};

/// The code, the text at the place, and the text at the second place of each error.
fn found(text: &str, errors: &[Finding]) -> Vec<(Code, String, String)> {
    let at = |span: netrep_grammar::tree::Span| text.get(span.start as usize..span.end as usize).unwrap().to_owned();
    errors.iter().map(|e| (e.code, at(e.place), e.labels.first().map(|l| at(l.place)).unwrap_or_default())).collect()
}

#[track_caller]
fn one(text: &str, code: Code, place: &str, second: &str) -> Finding {
    let (_, errors) = parse_item(text);
    assert_eq!(found(text, &errors), [(code, place.to_owned(), second.to_owned())], "{errors:#?}");
    let error = errors[0].clone();
    assert!(
        error.help.as_deref().is_some_and(|help| !help.is_empty())
            && !error.message.ends_with('.')
            && error.message.len() < 100,
        "{error:?}"
    );
    error
}

#[test]
fn full_stops() {
    let error = one("rule a {\n  x is y\n}", Code::MissingFullStop, "y", "");
    assert_eq!(error.message, "a full stop `.` is missing after `y`");
    one("class a, b", Code::MissingFullStop, "b", "");
    one("rule a { if x { b }\n  or { c. } d. }", Code::MisplacedFullStop, ".", "").message.contains("full stop");
    one("rule a {\n  if x { b }\n  either { c. }\n}", Code::MissingFullStop, "}", "");
    one("rule a { x (b. c) d. }", Code::MisplacedFullStop, ".", "");
    one("rule a { choose { b } or { c. }. }", Code::MisplacedFullStop, ".", "");
    one("rule a { }.", Code::TextOutsideItem, ".", "}");
}

#[test]
fn brackets() {
    let error = one("rule a {\n  x (b c.\n}", Code::MissingClosingBracket, "(", "}");
    assert_eq!(
        (error.message.as_str(), error.help.as_deref().unwrap()),
        ("the parenthesis `(` is never closed", "write `)` where its part ends")
    );
    one("rule a {\n  x.\n", Code::MissingClosingBracket, "{", "");
    let text = "rule a {\n  x {\n    y.\n  z {\n    w.\n  }\n}";
    let error = one(text, Code::MissingClosingBracket, "{", "}");
    assert_eq!(text[..error.place.start as usize].lines().count(), 2, "the indent shows which brace it is");
    one("rule a { x ) y. }", Code::MissingOpeningBracket, ")", "");
    one("rule a {\n  x } y.\n}", Code::MissingOpeningBracket, "}", "");
    one("rule a [b) { }", Code::MismatchedBracket, ")", "[");
    one("rule a ] { }", Code::MissingOpeningBracket, "]", "");
}

#[test]
fn characters() {
    one("rule a { play \"B. }", Code::MissingQuote, "\"B. }", "");
    one("rule a { play \"\". }", Code::EmptyName, "\"\"", "");
    one("rule a { x! }", Code::StrayCharacter, "!", "");
    one("rule a { take the 3rd. }", Code::GluedNumber, "3rd", "");
    // Blanks stand before the item.
    one(" rule a\u{A0}b {\n    x.\n    y.\n}", Code::LookAlikeCharacter, "\u{A0}", "");
    let error = one("rule a { play „B. }", Code::LookAlikeCharacter, "„", "");
    assert!(error.message.contains("quotation mark"), "{}", error.message);
}

#[test]
fn look_alikes() {
    for (sign, plain) in
        [("’", "'"), ("–", "-"), ("−", "-"), ("×", "*"), ("≤", "<="), ("（", "("), ("。", "."), ("；", ";")]
    {
        let (_, errors) = parse_item(&format!("rule a {{ x {sign} y. }}"));
        assert_eq!(errors[0].code, Code::LookAlikeCharacter, "{sign}");
        assert!(
            errors[0].help.as_deref().is_some_and(|help| help.contains(&format!("`{plain}`"))),
            "{sign}: {errors:?}"
        );
    }
    for sign in ["\u{301}", "\u{A0}", "\u{200B}"] {
        assert_eq!(parse_item(&format!("rule a {{ e{sign} y. }}")).1[0].code, Code::LookAlikeCharacter);
    }
}

#[test]
fn clauses_and_markers() {
    one("rule a { x. . y. }", Code::EmptyClause, ".", "");
    one("rule a { { x. } }", Code::EmptyClause, "{", "");
    one("rule a { [b] }", Code::EmptyClause, "]", "");
    one("rule a { [b] . }", Code::EmptyClause, ".", "");
    for marker in ["[]", "[1 b]", "[b 1 2]", "[b,]", "[\"B\"]", "[b: 1]", "[0]", "[99999999999]"] {
        let (_, errors) = parse_item(&format!("rule a {{ {marker} x. }}"));
        assert_eq!(errors.iter().map(|e| e.code).collect::<Vec<_>>(), [Code::BadMarker], "{marker}");
    }
    one("rule a { [b] [1] x. }", Code::BadMarker, "[1]", "");
    one("rule a { x is 99999999999999999999. }", Code::LargeNumber, "99999999999999999999", "");
}

#[test]
fn outside_and_depth() {
    assert_eq!(
        one("crad a { }", Code::TextOutsideItem, "crad a { }", "").help.as_deref(),
        Some("did you mean `card`?")
    );
    one("class a, b. class c, d.", Code::TextOutsideItem, "class c, d.", ".");
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

#[test]
fn the_head_that_may_be_meant_is_told() {
    let guess = |word: &str| {
        let help = text_outside(&format!("{word} A {{ }}")).help.unwrap();
        help.strip_prefix("did you mean `").and_then(|rest| rest.strip_suffix("`?")).map(str::to_owned)
    };
    assert_eq!(guess("crad").as_deref(), Some("card"));
    assert_eq!(guess("Card").as_deref(), Some("card"));
    assert_eq!(guess("rul").as_deref(), Some("rule"));
    assert_eq!(guess("adjectives").as_deref(), Some("adjective"));
    assert_eq!(guess("house"), None);
}
