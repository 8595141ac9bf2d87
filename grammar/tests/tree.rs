//! The shape of the tree.
use netrep_grammar::tree::{Clause, Item, Span, Token, TokenKind};
use netrep_grammar::{parse_item, parse_sentence};

fn item(text: &str) -> Item {
    let (item, errors) = parse_item(text);
    item.unwrap_or_else(|| panic!("{errors:?}"))
}

/// A token list as text: words as they are, possessives as `'s`, groups in their brackets.
fn show(tokens: &[Token]) -> String {
    let one = |token: &Token| match &token.kind {
        TokenKind::Word(word) | TokenKind::Op(word) => word.clone(),
        TokenKind::Capital(word) => format!("^{word}"),
        TokenKind::Reference(number) => format!("§{number}"),
        TokenKind::Quoted(name) => format!("<{name}>"),
        TokenKind::Number(number) => format!("#{number}"),
        TokenKind::Possessive => "'s".to_owned(),
        TokenKind::Comma => ",".to_owned(),
        TokenKind::Semi => ";".to_owned(),
        TokenKind::Colon => ":".to_owned(),
        TokenKind::Paren(inner) => format!("({})", show(inner)),
        TokenKind::Bracket(inner) => format!("[{}]", show(inner)),
        TokenKind::Brace(inner) => format!("{{{}}}", show(inner)),
    };
    tokens.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn tokens() {
    for (text, expected) in [
        (
            "convoy's convoys' this's \"Gull III\"'s Jason's (x)'s",
            "convoy 's convoys 's this 's <Gull III> 's ^Jason 's (x) 's",
        ),
        (
            "loading/sailing Yawl/Ketch Sand-bank on-deck non-Sloop",
            "loading/sailing ^Yawl / ^Ketch ^Sand-bank on-deck non-Sloop",
        ),
        ("Rocks & Reefs, A1: +1 -2 <= 3;", "^Rocks & ^Reefs , ^A1 : + #1 - #2 <= #3 ;"),
        ("\"“Pearl” (Göta)\" \"Björn’s\" Élise é", "<“Pearl” (Göta)> <Björn’s> ^Élise é"),
        ("2.IV.iii 7.1 2.IV.vii.2.1 g.some-word is 3", "§2.IV.iii §7.1 §2.IV.vii.2.1 §g.some-word is #3"),
        ("[a, (b { c; d })]", "[a , (b {c ; d})]"),
    ] {
        assert_eq!(show(&parse_sentence(text).unwrap()), expected);
    }
}

#[test]
fn items_and_clauses() {
    let text = "rule 2.I.1 \"T\" {\n  [some label 1, 2] x { y; z }.\n  step 1 { a. b { } }\n}";
    let item = item(text);
    assert_eq!((item.head.as_str(), show(&item.header).as_str(), item.has_body), ("rule", "§2.I.1 <T>", true));
    assert_eq!(item.span, Span::new(0, text.len() as u32));
    let [sentence, block] = item.clauses.as_slice() else { panic!("{item:?}") };
    let marker = sentence.marker.as_ref().unwrap();
    assert_eq!((marker.label.as_str(), marker.sentences.as_slice()), ("some label", [1, 2].as_slice()));
    assert_eq!((show(&sentence.tokens).as_str(), &sentence.block), ("x {y ; z}", &None));
    assert_eq!(show(&block.tokens), "step #1");
    let inner = block.block.as_deref().unwrap();
    assert_eq!(inner.len(), 2);
    assert_eq!(inner[1].block.as_deref(), Some([].as_slice()));
    let at = |clause: &Clause| &text[clause.span.start as usize..clause.span.end as usize];
    assert_eq!(at(sentence), "[some label 1, 2] x { y; z }.");
    assert_eq!(at(block), "step 1 { a. b { } }");
    assert_eq!(at(&inner[1]), "b { }");
}

#[test]
fn braces_belong_to_the_sentence_or_are_blocks() {
    let shapes = |text: &str| -> Vec<bool> { item(text).clauses.iter().map(|clause| clause.block.is_some()).collect() };
    assert_eq!(shapes("rule a { choose { b } or { c; d }. }"), [false]);
    assert_eq!(shapes("rule a { either { b. } or { c. d. } }"), [true, true]);
    assert_eq!(shapes("rule a { x { }. y { } z { } otherwise { w }. }"), [false, true, false]);
    assert_eq!(shapes("rule a { x { y { z. } } w. }"), [true, false]);
    assert_eq!(shapes("class a, b."), [] as [bool; 0]);
    assert!(!item("class a, b.").has_body);
}
