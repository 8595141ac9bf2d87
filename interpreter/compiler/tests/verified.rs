//! Between the items nothing is verified again when only printed numbers have changed; whatever else is edited then is.
use crate::common::*;
use netrep_compiler::{Compiler, edit};

/// What a compiler says that has known nothing else.
fn fresh(cards: &str) -> Vec<netrep_compiler::Diagnostic> {
    let mut compiler = Compiler::new();
    compiler.set_files(files());
    compiler.set_file(CARDS_PATH, cards);
    compiler.check()
}

#[test]
fn after_any_number_whatever_is_left_out_is_noticed() {
    let mut compiler = Compiler::new();
    compiler.set_files(files());
    assert!(errors(&compiler.check()).is_empty());
    let cards = files()[1].1.to_owned();
    let (mut numbers, mut told) = (0, 0);
    let nudged = netrep_grammar::split(&cards).into_iter().flat_map(|raw| {
        let item = cards[raw.range.clone()].to_owned();
        let other = move |number| edit::nudged(&item, &number, 1);
        let others: Vec<String> = edit::numbers(&cards[raw.range.clone()]).into_iter().filter_map(other).collect();
        others.into_iter().map(move |other| (raw.range.clone(), other))
    });
    for (range, item) in nudged {
        let nudged = [&cards[..range.start], &item, &cards[range.end..]].concat();
        numbers += 1;
        compiler.set_file(CARDS_PATH, &nudged);
        assert_eq!(compiler.check(), fresh(&nudged), "{nudged}");
        // With one line less it may lack what another needs.
        for line in nudged.lines().filter(|line| line.starts_with("    ")) {
            let less = nudged.replacen(&format!("{line}\n"), "", 1);
            compiler.set_file(CARDS_PATH, &less);
            let (said, wanted) = (compiler.check(), fresh(&less));
            assert_eq!(said, wanted, "{less}");
            told += errors(&wanted).len();
            compiler.set_file(CARDS_PATH, &nudged);
            assert_eq!(compiler.check(), fresh(&nudged), "{nudged}");
        }
    }
    assert!(numbers > 3 && told > 0, "{numbers}, {told}");
}
