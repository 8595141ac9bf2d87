//! Slips planted in the good items of the data: each is told, each at its place, and nothing else is hidden.
use netrep_grammar::{SyntaxError, parse_item, split};
use std::path::{Path, PathBuf};

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
fn errors(text: &str) -> Vec<(usize, SyntaxError)> {
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

/// Every bracket, brace and quotation mark of every item, left out: the item has an error, and no other item has.
#[test]
fn a_sign_that_is_left_out_is_told_in_its_item() {
    let (mut slips, mut told) = (0, 0);
    for (path, text) in files() {
        for (index, raw) in split(&text).into_iter().enumerate() {
            let body = &text[raw.range.clone()];
            // One of seven, another in each item; braces that open and close the item among them.
            for at in signs(body).into_iter().skip(index % 7).step_by(7) {
                let broken = format!("{}{}", &body[..at], &body[at + 1..]);
                let (item, errors) = parse_item(&broken);
                let shown =
                    || format!("{}: {:?} left out at {at}\n{broken}\n{errors:#?}", path.display(), &body[at..=at]);
                assert!(!errors.is_empty(), "{}", shown());
                assert!(item.is_some_and(|item| item.head == raw.head.unwrap()), "{}", shown());
                let inside =
                    |span: netrep_grammar::tree::Span| broken.get(span.start as usize..span.end as usize).is_some();
                assert!(errors.iter().all(|e| inside(e.span)), "{}", shown());
                if errors.len() > 1 && std::env::var_os("SHOW_SLIPS").is_some() {
                    println!("{}", shown());
                }
                slips += 1;
                told += errors.len();
            }
        }
    }
    println!("{slips} slips, {told} errors");
    assert!(slips > 1000);
    // A quotation mark that is left out may turn what stands between two names into one.
    assert!(told * 100 <= slips * 115, "{told} errors for {slips} slips");
}
