//! Properties over generated texts: nothing panics, the formatter is stable and changes nothing.
use netrep_grammar::tree::Item;
use netrep_grammar::{FmtError, WIDTH, fences, fmt, parse_clauses, parse_item, parse_sentence, split};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const KINDS: &str = include_str!("fixtures/kinds.txt");

fn all(text: &str) {
    let mut end = 0;
    for raw in split(text) {
        assert!(raw.comments.end == raw.range.start && raw.comments.start >= end && raw.range.end >= raw.range.start);
        let between = &text[end..raw.range.start];
        assert!(between.lines().all(|line| {
            let line = line.trim_matches(['\u{FEFF}', ' ', '\t', '\r']);
            line.is_empty() || line.starts_with("//")
        }));
        end = raw.range.end;
        let body = &text[raw.range];
        let (item, errors) = parse_item(body);
        assert!(item.is_some() || !errors.is_empty());
        for error in &errors {
            let mut places = std::iter::once(error.place).chain(error.labels.iter().map(|label| label.place));
            assert!(places.all(|span| span.start <= span.end && span.end as usize <= body.len().max(1)), "{error:?}");
        }
    }
    let _ = (parse_item(text), parse_clauses(text), parse_sentence(text), fences(text));
    assert_ne!(fmt(text), Err(FmtError::Changed));
    if let Ok(once) = fmt(text) {
        assert_eq!(fmt(&once).as_deref(), Ok(once.as_str()));
    }
}

fn items(text: &str) -> Vec<Item> {
    split(text).into_iter().map(|raw| parse_item(&text[raw.range]).0.unwrap().without_spans()).collect()
}

/// What stands between two tokens of a valid file. Item heads at a line start are put by `file` only.
fn blank() -> impl Strategy<Value = &'static str> {
    prop_oneof![12 => Just(" "), 2 => Just("\n    "), 1 => Just("\n\n\n "), 1 => Just(" // c {\n "), 1 => Just("\n  // d \"\n\n  ")]
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-z]{1,12}",
        2 => Just("or".to_owned()),
        2 => "[A-Z][a-zé]{0,6}(-[a-z]{2})?",
        1 => "\"[A-Z“’ .{]{1,9}\"",
        1 => Just("it's".to_owned()),
        2 => "[0-9]{1,3}",
        1 => Just("2.IV.iii".to_owned()),
        1 => Just("A/B".to_owned()),
        2 => "[-+*=<>&/]",
        1 => "[-+][0-9]",
        2 => "[,;:]",
    ]
}

fn words() -> impl Strategy<Value = Vec<String>> {
    let group = |open: &'static str, close: &'static str| {
        move |inner: Vec<String>| [vec![open.to_owned()], inner, vec![close.to_owned()]].concat()
    };
    let leaf = prop::collection::vec(word(), 1..9);
    leaf.prop_recursive(3, 40, 3, move |inner| {
        let grouped = prop_oneof![
            inner.clone().prop_map(group("(", ")")),
            // Words alone in brackets are a marker, which no sentence holds.
            inner.clone().prop_map(group("[ +", "]")),
            inner.clone().prop_map(group("{", "}")),
        ];
        (inner.clone(), grouped, inner).prop_map(|(a, b, c)| [a, b, c].concat())
    })
}

fn clause() -> impl Strategy<Value = Vec<String>> {
    let marker = prop_oneof![4 => Just(vec![]), 1 => Just(vec!["[bonus 1, 2]".to_owned()])];
    let first = "[a-z]{1,5}".prop_map(|word| vec![word]);
    let sentence = (marker, first, words()).prop_map(|(m, f, w)| [m, f, w, vec![".".to_owned()]].concat());
    sentence.prop_recursive(3, 30, 4, |inner| {
        let head = prop::collection::vec("[a-z]{1,8}", 1..4);
        let body = prop::collection::vec(inner, 1..4).prop_map(|clauses| clauses.concat());
        (head, body).prop_map(|(head, body)| [head, vec!["{".to_owned()], body, vec!["}".to_owned()]].concat())
    })
}

fn item() -> impl Strategy<Value = Vec<String>> {
    let body = prop_oneof![
        1 => Just(vec![".".to_owned()]),
        3 => prop::collection::vec(clause(), 0..5).prop_map(|c| [vec!["{".to_owned()], c.concat(), vec!["}".to_owned()]].concat()),
    ];
    (prop::sample::select(netrep_grammar::HEADS.clone()), body)
        .prop_map(|(head, body)| [vec![head.to_owned(), "some".to_owned()], body].concat())
}

fn file() -> impl Strategy<Value = String> {
    let spaced = item().prop_flat_map(|tokens| {
        let blanks = prop::collection::vec(blank(), tokens.len());
        (Just(tokens), blanks)
            .prop_map(|(tokens, blanks)| tokens.iter().zip(blanks).map(|(t, b)| format!("{t}{b}")).collect::<String>())
    });
    let between = prop::sample::select(vec!["\n", "\n\n\n", "\n// e\n", " // f\n\n// g\n\n"]);
    prop::collection::vec((spaced, between), 0..5)
        .prop_map(|items| items.into_iter().map(|(item, gap)| item + gap).collect())
}

/// A quarter of the usual number of cases, always the same ones: `PROPTEST_CASES` says how many are usual, and texts of all kinds
/// are tried by the hundred thousand elsewhere.
fn some() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases / 4, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..usual }
}

proptest! {
    #![proptest_config(some())]

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        all(&text);
    }

    #[test]
    fn likely_text_never_panics(text in "(card |rule |\n|\nclass |\\{|\\}|\\(|\\)|\\[|\\]|\\.|;|\"|//|'s|\r|a|B|1|é|“|/|-| ){0,40}") {
        all(&text);
    }

    #[test]
    fn formatting_is_stable_and_changes_nothing(text in file()) {
        let once = fmt(&text);
        prop_assert!(once.is_ok(), "{text}\n{once:?}");
        let once = once.unwrap();
        prop_assert_eq!(items(&text), items(&once));
        let twice = fmt(&once).unwrap();
        prop_assert_eq!(&twice, &once);
        let wide = once.lines().filter(|line| !line.contains("//")).find(|line| line.chars().count() > WIDTH + 2);
        prop_assert_eq!(wide, None);
    }

    #[test]
    fn mutations_of_a_valid_file_never_panic(cuts in prop::collection::vec((any::<prop::sample::Index>(), "[ -~\n“é]{0,2}", 0usize..4), 1..4)) {
        let mut chars: Vec<char> = KINDS.chars().collect();
        for (at, with, length) in cuts {
            let at = at.index(chars.len());
            let end = (at + length).min(chars.len());
            chars.splice(at..end, with.chars());
        }
        let text: String = chars.into_iter().collect();
        all(&text);
        // One place of damage costs at most two items of the file, plus what it made of them.
        let broken = split(&text).into_iter().filter(|raw| parse_item(&text[raw.range.clone()]).0.is_none()).count();
        prop_assert!(broken <= 6, "{broken}");
    }
}
