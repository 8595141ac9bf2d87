//! Terms as one line.

use netrep_compiler::phrase::declare::declare;
use netrep_compiler::signature::signature;

fn said(text: &str) -> Vec<String> {
    let item = netrep_grammar::parse_item(text).0.unwrap();
    declare(&item).0.iter().map(signature).collect()
}

#[test]
fn a_term_is_said_as_it_is_declared() {
    let same = [
        "class lamp, lamps: thing",
        "class dim lamp, dim lamps of (lamp L)",
        "figure height of (lamp): number",
        "state owner of (lamp L): person, or none",
        "define worth of (lamp L): number",
        "role host: person",
        "place shelf, owned, open",
        "adjective lit of (lamp L)",
        "relation (lamp L) beside (lamp M)",
        "verb (person P) give, gives, given (lamp L) to (person Q) [by (lamp M)]",
        "verb (lamp L) burst, bursts, burst",
    ];
    for text in same {
        let body = if text.starts_with("class dim") { ": L is lit" } else { "" };
        assert_eq!(said(&format!("{text}{body}.")).first().map(String::as_str), Some(text));
    }
    assert_eq!(
        said("list hue { Red. Dark Green, Dark Greens. }")[1..],
        ["entry Red of hue", "entry Dark Green, Dark Greens of hue"]
    );
}
