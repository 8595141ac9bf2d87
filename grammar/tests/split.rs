//! A file is cut into items at its heads, and a mistake costs one item.

use netrep_grammar::{HEADS, split};

#[test]
fn every_head_begins_an_item_and_nothing_longer_does() {
    assert!(HEADS.len() > 10);
    let head_of = |line: &str| split(line).first().and_then(|raw| raw.head);
    for head in HEADS.iter() {
        assert_eq!(head_of(&format!("{head} 2.I.1 {{")), Some(*head));
        assert_eq!(head_of(&format!("{head}{{")), Some(*head));
        for line in ["X of play", "X-bound", "X's", "Xé"].map(|line| line.replace('X', &format!("{head}s"))) {
            assert_eq!(head_of(&line), None, "{line}");
        }
        assert_eq!(head_of(&format!(" {head} 1")), None);
    }
    assert_eq!(head_of(""), None);
}

fn texts(text: &str) -> Vec<&str> {
    split(text).into_iter().map(|item| text.get(item.range).unwrap_or("?")).collect()
}

#[test]
fn cuts_at_heads() {
    let text = "// top\n\n// about\n// it\ncard A-1 \"B. {\" { // c\n  x.\n} // after\n// next\nrule 2.IV.iii \"T\" { a. }\nclass a, b.\n";
    assert_eq!(texts(text), ["card A-1 \"B. {\" { // c\n  x.\n}", "rule 2.IV.iii \"T\" { a. }", "class a, b."]);
    let items = split(text);
    assert_eq!(items[0].key, "card A-1 \"B. {\"");
    assert_eq!(&text[items[0].comments.clone()], "// about\n// it\n");
    assert_eq!(&text[items[1].comments.clone()], "// next\n");
    assert_eq!(items[1].key, "rule 2.IV.iii \"T\"");
    assert_eq!(items[2].key, "class a, b");
    assert!(items[2].comments.is_empty());
    assert!(items.iter().all(|item| item.head.is_some()));
}

#[test]
fn keys_stop_at_the_definition() {
    let items = split("define x of (card  C): number = 3.\ndefine x of (card C): number = 4.\n");
    assert_eq!(items[0].key, "define x of (card C)");
    assert_eq!((items[0].ordinal, items[1].ordinal), (0, 1));
}

#[test]
fn a_missing_brace_or_quote_costs_one_item() {
    assert_eq!(texts("card A {\n  x {\n  y.\n\n// c\ncard B { z. }\n"), ["card A {\n  x {\n  y.", "card B { z. }"]);
    assert_eq!(texts("card \"A {\n  x.\n}\ncard B { z. }\n").len(), 2);
    assert_eq!(texts("card A ( {\n  x.\n}\nhello\ncard B { z. }\n"), ["card A ( {\n  x.\n}", "hello", "card B { z. }"]);
}

#[test]
fn a_brace_too_many_stays_with_its_item() {
    assert_eq!(texts("card A {\n  x }.\n  y.\n}\ncard B { z. }\n"), ["card A {\n  x }.\n  y.\n}", "card B { z. }"]);
}

#[test]
fn text_outside() {
    let items = split("crad A {\n  x.\n}\ncrad B {\n}\ncard C { }\n");
    assert_eq!(items.len(), 3);
    assert_eq!((items[0].head, items[0].key.as_str()), (None, "crad"));
    assert_eq!(items[1].ordinal, 1);
    assert_eq!(items[2].head, Some("card"));
    assert!(split("\u{FEFF}// only\n\n").is_empty());
    assert_eq!(split("\u{FEFF}class a, b.")[0].head, Some("class"));
}
