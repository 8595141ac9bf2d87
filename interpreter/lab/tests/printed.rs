//! Printed texts: sentences, masks, hashes, drafts and differences, on an invented database.

use netrep_compiler::Compiler;
use netrep_lab::printed::{Card, Difference, Printed, differences, draft, mask, names, sentences, short_hash};

use crate::support::WORDS;

fn card(id: &str, name: &str, text: &str) -> Card {
    Card { id: id.to_owned(), name: name.to_owned(), text: text.to_owned() }
}

fn database() -> Vec<Card> {
    vec![
        card("P-1", "Oil Lamp", "Rises by 3 beside Big Vase. May rise\nagain by 3. It smells."),
        card("P-2", "Big Vase", "Rises by 4 beside Oil Lamp. May rise again by 4. It smells."),
        card("P-3", "Wax Lamp", "It smells. It drips."),
    ]
}

/// A compiler with a pattern for the first two sentences, and the first card.
fn compiler(says: &str) -> Compiler {
    let hash = |text: &str| short_hash(text);
    let pattern = format!(
        "pattern rising by (number N) beside (name A) {{ printed \"{}\" N A, \"{}\" N. [rise] while A is a card: this gets +N height. }}\n",
        hash("Rises by # beside @."),
        hash("May rise again by #.")
    );
    let sentences = sentences(&database()[0].text);
    let printed: Vec<String> = sentences.iter().map(|one| format!("\"{}\"", hash(one))).collect();
    let first = format!(
        "card P-1 \"Oil Lamp\" {{ printed {}. kind Lamp. {says} [smell 3] this gets +1 height. }}\n",
        printed.join(", ")
    );
    let mut compiler = Compiler::new();
    let vase = "card P-2 \"Big Vase\" { kind Lamp. }\n";
    compiler.set_files([
        ("rules/toy.words", WORDS),
        ("rules/toy.patterns", &pattern),
        ("cards/p.cards", &(first + vase)),
    ]);
    compiler
}

#[test]
fn hashes_are_those_of_the_standard() {
    // FIPS 180-4, examples: the empty text, one block, two blocks; and the million of `a`.
    assert_eq!(short_hash(""), "e3b0c442");
    assert_eq!(short_hash("abc"), "ba7816bf");
    assert_eq!(short_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), "248d6a61");
    assert_eq!(short_hash(&"a".repeat(1_000_000)), "cdc76e5c");
}

#[test]
fn a_text_is_cut_into_sentences() {
    let found = sentences("One. Two is\nlong, \nVery long! “Three.” Four (it is 4.5). \n\nFive");
    assert_eq!(found, ["One.", "Two is long, Very long!", "“Three.”", "Four (it is 4.5).", "Five"]);
    assert_eq!(sentences(" \n "), Vec::<String>::new());
}

#[test]
fn numbers_and_names_are_masked_and_kept() {
    let names = names(&database());
    let found = mask("Oil Lamp, Big Vase, Big Vases: 12 and +3.", "Oil Lamp", &names);
    assert_eq!(found.text, "~, @, Big Vases: # and +#.");
    assert_eq!(found.slots, [Printed::Name("Big Vase".to_owned()), Printed::Number(12), Printed::Number(3)]);
}

#[test]
fn a_card_is_drafted_from_its_text() {
    let compiler = compiler("[1, 2] rising by 3 beside \"Big Vase\".");
    let found = draft(&compiler, &database(), "P-2").unwrap();
    assert_eq!(found.unknown, Vec::<u32>::new());
    assert!(found.card.contains("    [1, 2] rising by 4 beside \"Oil Lamp\".\n"), "{}", found.card);
    assert!(found.card.contains("    [smell 3] this gets +1 height.\n"), "as its sister says it: {}", found.card);
    let other = draft(&compiler, &database(), "P-3").unwrap();
    assert_eq!(other.unknown, [2]);
    assert!(other.card.contains("partial 2.") && other.card.contains("[smell 1]"), "{}", other.card);
    assert_eq!(draft(&compiler, &database(), "P-9"), None);
}

#[test]
fn what_differs_from_the_text_is_told() {
    let told = |says: &str| differences(&compiler(says), &database()[..1]);
    let of = |found: &[Difference]| found.iter().map(|one| (one.sentences.clone(), one.advice)).collect::<Vec<_>>();
    // A database of one card masks no other's name: what it says of the pattern is that it is printed otherwise.
    assert_eq!(of(&told("[1, 2] rising by 3 beside \"Big Vase\".")), [(vec![1, 2], false)]);
    let whole = |says: &str| {
        let mut cards = database();
        cards.retain(|card| card.id != "P-3");
        differences(&compiler(says), &cards).into_iter().filter(|one| one.card == "P-1").collect::<Vec<_>>()
    };
    assert_eq!(of(&whole("[1, 2] rising by 3 beside \"Big Vase\".")), []);
    assert_eq!(of(&whole("[1, 2] rising by 5 beside \"Big Vase\".")), [(vec![1, 2], false)]);
    assert_eq!(of(&whole("[1, 2] rising by 3 beside \"Oil Lamp\".")), [(vec![1, 2], false)]);
    assert_eq!(of(&whole("[1, 2] this gets +3 height.")), [(vec![1], true)]);
    let mut cards = database();
    cards[0].text = cards[0].text.replace("smells", "shines");
    let found = differences(&compiler("[1, 2] rising by 3 beside \"Big Vase\"."), &cards);
    assert_eq!(found.iter().find(|one| one.card == "P-1").map(|one| one.sentences.clone()), Some(vec![3]));
}
