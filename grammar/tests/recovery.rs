//! Slips planted in the good items of the data: each is told, each at its place, and nothing else is hidden.
use netrep_grammar::recover::{by_lines, mended};
use netrep_grammar::{Finding, parse_item, split};
use std::path::{Path, PathBuf};

const KINDS: &str = include_str!("fixtures/kinds.formatted.txt");

/// Blocks and statements so far in that the strict rules are not tried any more.
const FAR_IN: &str = "rule a {
    b { [c 1] d { e { f { g { h. [i] j k { l; m { n } otherwise { } }. o { } p { q. }
                        r (s) [t (u)] { v { w { x } }; y }, z. } } } } }
}
";

/// The texts of all files of the data.
fn files() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let kind = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_owned();
            match kind.as_str() {
                _ if path.is_dir() => walk(&path, found),
                "md" | "txt" => {}
                _ => found.push((path.clone(), std::fs::read_to_string(&path).unwrap())),
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    ["cards", "rules"].iter().for_each(|folder| walk(&root.join(folder), &mut found));
    found.sort();
    found
}

/// The errors of every item of a file, each with the number of its item.
fn errors(text: &str) -> Vec<(usize, Finding)> {
    let all = split(text).into_iter().enumerate();
    all.flat_map(|(index, raw)| {
        let (_, errors) = parse_item(&text[raw.range]);
        errors.into_iter().map(move |error| (index, error))
    })
    .collect()
}

#[test]
fn the_data_have_no_errors() {
    for (path, text) in files() {
        assert_eq!(errors(&text), [], "{}", path.display());
    }
}

/// Where a sign of a text may be left out: those that the skeleton must miss.
fn signs(text: &str) -> Vec<usize> {
    let mut in_name = false;
    let mut in_comment = false;
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '\n' => (in_name, in_comment) = (false, false),
            _ if in_comment => {}
            '/' if text[at..].starts_with("//") && !in_name => in_comment = true,
            '"' => {
                in_name = !in_name;
                found.push(at);
            }
            '(' | ')' | '[' | ']' | '{' | '}' if !in_name => found.push(at),
            _ => {}
        }
    }
    found
}

/// Brackets, braces and quotation marks of every item, left out: the item has an error, and no other item has. One in twenty-one;
/// `EVERY=1` leaves out each.
#[test]
fn a_sign_that_is_left_out_is_told_in_its_item() {
    let every = std::env::var("EVERY").ok().and_then(|n| n.parse().ok()).filter(|n| *n > 0).unwrap_or(21);
    let (mut slips, mut told) = (0, 0);
    for (path, text) in files() {
        for (index, raw) in split(&text).into_iter().enumerate() {
            let body = &text[raw.range.clone()];
            // Others in each item; braces that open and close the item among them.
            for at in signs(body).into_iter().skip(index % every).step_by(every) {
                let broken = format!("{}{}", &body[..at], &body[at + 1..]);
                let (item, errors) = parse_item(&broken);
                let shown =
                    || format!("{}: {:?} left out at {at}\n{broken}\n{errors:#?}", path.display(), &body[at..=at]);
                assert!(!errors.is_empty(), "{}", shown());
                assert!(item.is_some_and(|item| item.head == raw.head.unwrap()), "{}", shown());
                let inside =
                    |span: netrep_grammar::tree::Span| broken.get(span.start as usize..span.end as usize).is_some();
                assert!(errors.iter().all(|e| inside(e.place)), "{}", shown());
                if errors.len() > 1 && std::env::var_os("SHOW_SLIPS").is_some() {
                    println!("{}", shown());
                }
                if slips % 5 == 0 {
                    let file = format!("{}{broken}{}", &text[..raw.range.start], &text[raw.range.end..]);
                    let others = |text: &str| {
                        let all = split(text).into_iter().enumerate();
                        let others = all.filter(|(other, _)| *other != index);
                        others.map(|(_, other)| text[other.range].to_owned()).collect::<Vec<_>>()
                    };
                    assert_eq!(others(&file), others(&text), "the other items are as they were: {}", shown());
                }
                slips += 1;
                told += errors.len();
            }
        }
    }
    println!("{slips} slips, {told} errors");
    assert!(slips * every > 7000, "{slips} of {every}");
    // A quotation mark that is left out may turn what stands between two names into one.
    assert!(told * 100 <= slips * 115, "{told} errors for {slips} slips");
}

/// The brackets of an item's clauses, clause by clause: of those that stand on lines of their own.
fn brackets_by_clause(text: &str) -> Vec<Vec<usize>> {
    let (item, _) = parse_item(text);
    let places = item.unwrap().clauses.into_iter().map(|clause| clause.span.start as usize..clause.span.end as usize);
    let own_line = |at: usize| text[..at].trim_end_matches(' ').ends_with('\n');
    let brackets: Vec<usize> = signs(text).into_iter().filter(|at| "()[]".contains(&text[*at..=*at])).collect();
    let inside = |place: std::ops::Range<usize>| brackets.iter().copied().filter(|at| place.contains(at)).collect();
    places.filter(|place| own_line(place.start)).map(inside).filter(|found: &Vec<usize>| !found.is_empty()).collect()
}

/// Three brackets left out in three clauses of one item are three errors or more.
#[test]
fn slips_in_several_clauses_are_all_told() {
    let mut tried = 0;
    for (_, text) in files() {
        for (index, raw) in split(&text).into_iter().enumerate().filter(|(index, _)| index % 3 == 0) {
            let body = &text[raw.range];
            let clauses = brackets_by_clause(body);
            if clauses.len() < 3 {
                continue;
            }
            let chosen = (0..3).map(|i| &clauses[i * (clauses.len() - 1) / 2]);
            let three: Vec<usize> = chosen.map(|signs| signs[index % signs.len()]).collect();
            let broken: String = body.char_indices().filter(|(i, _)| !three.contains(i)).map(|(_, c)| c).collect();
            let (_, errors) = parse_item(&broken);
            tried += 1;
            assert!(errors.len() >= 3, "{broken}\n{errors:#?}");
        }
    }
    assert!(tried >= 50, "{tried}");
}

/// What is whole beside a slip is read: the clauses without slips are those of the item without the slip.
#[test]
fn clauses_without_slips_are_read() {
    let text = "card A {\n    a b.\n    either {\n        c (d.\n        e.\n    }\n    [x 1 f.\n    g \"h.\n    i j! .\n    k.\n}";
    let (item, errors) = parse_item(text);
    let item = item.unwrap();
    let words = |clause: &netrep_grammar::tree::Clause| clause.head().to_owned();
    assert_eq!(item.clauses.iter().map(words).collect::<Vec<_>>(), ["a", "either", "k"]);
    assert_eq!(item.clauses[1].block.iter().flatten().map(words).collect::<Vec<_>>(), ["e"]);
    let codes: Vec<&str> = errors.iter().map(|error| error.code.as_str()).collect();
    assert_eq!(codes, ["missing-closing-bracket", "missing-closing-bracket", "missing-quote", "stray-character"]);
    assert_eq!(item.faulty.len(), 4);
}

/// A block that is never closed is read by nobody: which words it was to hold, nobody knows.
#[test]
fn a_block_that_is_never_closed_is_not_read() {
    let (item, errors) = parse_item("rule a {\n  x {\n    y.\n  z {\n    w.\n  }\n}");
    let item = item.unwrap();
    assert_eq!(errors.iter().map(|error| error.code.as_str()).collect::<Vec<_>>(), ["missing-closing-bracket"]);
    let heads =
        |clauses: &[netrep_grammar::tree::Clause]| clauses.iter().map(|c| c.head().to_owned()).collect::<Vec<_>>();
    assert_eq!((heads(&item.clauses), heads(&item.faulty)), (vec!["z".to_owned()], vec!["x".to_owned()]));
}

/// The rules of recovery are tried on broken texts only; on whole ones they would say the same as the strict ones.
#[test]
fn nothing_is_wrong_with_what_is_whole() {
    let texts = split(KINDS).into_iter().map(|raw| &KINDS[raw.range]);
    for text in texts.chain([FAR_IN.trim_end()]) {
        let (item, errors) = parse_item(text);
        assert_eq!(errors, []);
        let item = item.unwrap();
        assert_eq!(mended(text), Some((item.clone(), Vec::new())));
        if let Some((again, errors)) = by_lines(text) {
            assert_eq!(errors, []);
            assert_eq!(again, item);
        }
    }
}

/// Whatever is never closed or never opened, over and over and deeper than can be: each rule goes on.
#[test]
fn what_is_never_closed_is_read_to_its_end() {
    let lines = |n: usize| (0..n).map(|i: usize| format!("{}x {{\n", " ".repeat(i % 80 + 1))).collect::<String>();
    for part in [
        "(", ")", "{ ", "} ", "[a ", "a { b ", "x { a. ", "\" ", "x (a. ", ". ", "a; ", "{ a } b ", "'", "x { (", "[1 ",
    ] {
        let text = format!("rule a {{\n  {}\n}}", part.repeat(1_500 / part.len()));
        let (_, errors) = parse_item(&text);
        assert!(!errors.is_empty() || part == "a; ", "{part}");
    }
    let (_, errors) = parse_item(&format!("rule a {{\n{}", lines(16)));
    assert!(!errors.is_empty());
}
