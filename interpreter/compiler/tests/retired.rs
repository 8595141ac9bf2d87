//! Words and sentences that are no longer said: told as such where they are met, and rewritten.

use netrep_compiler::retired::Retired;
use netrep_diagnostics::Code;

use crate::common::{codes, errors, with_file};

const FILE: &str = "rules/vocabulary/zz.words";

const ROWS: &[(&str, &str, bool)] = &[
    ("when .. begins shining", "at the start of a shine of ..", true),
    ("gloomy .", "cannot be lit .", true),
    ("dim # by ~", "fade # for ~", true),
    ("give ^ to .. now", "hand .. ^", true),
    ("darkness", "what makes it dark", false),
];

fn table() -> Retired {
    Retired::with(ROWS.iter().map(|(before, now, said)| ((*before).to_owned(), (*now).to_owned(), *said)))
}

/// The text with all that is no longer said in the sentence of its first `!`, which marks the place of a mistake.
fn rewritten(marked: &str) -> String {
    let at = marked.find('!').unwrap();
    let text = marked.replacen('!', "", 1);
    table().rewritten(&text, std::iter::once(at..at + 1)).0
}

#[test]
fn what_is_no_longer_said_is_rewritten_with_its_open_parts_as_they_stand() {
    for (before, now) in [
        (
            "[a] when a  lamp as L !begins shining if L is wet: stop.",
            "[a] at the start of a shine of a  lamp as L if L is wet: stop.",
        ),
        ("// gloomy.\n[b] !gloomy.", "// gloomy.\n[b] cannot be lit."),
        ("gloomy. !gloomy. gloomy.", "gloomy. cannot be lit. gloomy."),
        ("{ dim !3 by \"begins shining. X\" }", "{ fade 3 for \"begins shining. X\" }"),
        ("give X !to the // whose?\n next player now.", "hand the // whose?\n next player X."),
    ] {
        assert_eq!(rewritten(before), now);
    }
}

#[test]
fn what_cannot_be_rewritten_stays() {
    for text in [
        // Only the words of the sentence in which the mistake is.
        "gloomy. this is !wrong. gloomy.",
        // A remark would be lost.
        "when a lamp !begins // at last\n shining: stop.",
        // What is meant, the words do not tell.
        "this loses !darkness.",
        // Words in quotation marks are a name.
        "this is \"!gloomy.\"",
        // The sentence is of another form.
        "dim 3 !by five.",
        "give X !to.",
    ] {
        assert_eq!(rewritten(text), text.replacen('!', "", 1));
    }
}

#[test]
fn no_row_of_the_language_says_what_another_has_retired() {
    assert_eq!(Retired::of_language().circles(), Vec::<String>::new());
    let circle = [("dark".to_owned(), "unlit".to_owned(), true), ("unlit".to_owned(), "not dark".to_owned(), true)];
    assert_eq!(Retired::with(circle).circles(), ["unlit", "not dark"]);
}

/// A card of before with rows: its errors, and what would mend them.
fn told(rows: &str, clause: &str) -> Vec<(Code, String, Option<String>)> {
    let text = format!("kernel gone {{ {rows} }}\ncard A-1 \"Lamp\" {{ kind Lamp. {clause} }}");
    let diags = with_file(FILE, &text).check();
    errors(&diags).iter().map(|diag| (diag.code, diag.message.clone(), diag.help.clone())).collect()
}

#[test]
fn check_says_what_to_say_instead() {
    let said = |message: &str, help: &str| vec![(Code::RetiredWord, message.to_owned(), Some(help.to_owned()))];
    let rows = "\"gets # brighter\" became \"gets + # height\". \"gloomy\" ceased, say \"how dark it is\".";
    assert_eq!(
        told(rows, "[a] this gets 1 brighter."),
        said("`gets 1 brighter` is no longer said", "say `gets + 1 height`")
    );
    assert_eq!(told(rows, "[a] this is gloomy."), said("`gloomy` is no longer said", "say how dark it is"));
    // What can be read is as it is, whatever a row says.
    assert_eq!(told("\"height\" became \"size\".", "[a] this gets +1 height."), []);
    // Without its row the same is an unknown word.
    assert!(
        told("\"dull\" became \"dim\".", "[a] this gets 1 brighter.")
            .iter()
            .all(|(code, ..)| *code != Code::RetiredWord)
    );
}

#[test]
fn a_row_is_read_as_data() {
    for wrong in ["\"dull\" became dim.", "\"dull\" ceased.", "\"dull\" became \"dim\", \"dark\"."] {
        let diags = with_file(FILE, &format!("kernel gone {{ {wrong} }}")).check();
        assert_eq!(codes(&diags), [Code::UnknownService], "{wrong}");
    }
}

#[test]
fn every_mistake_of_a_file_is_named() {
    let card = |n: usize| format!("card A-{n} \"Lamp {n}\" {{ kind Lamp. [a] this gets +1 shininess. }}\n");
    let text: String = (1..8).map(card).collect();
    let compiler = with_file("cards/zz.cards", &text);
    assert_eq!(compiler.mistakes("cards/zz.cards").len(), 7);
    assert!(errors(&compiler.check()).len() < 7, "what is wrong in the same words is told once");
}
