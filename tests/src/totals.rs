//! What is missing is not passed over in silence: every place of the program that puts a constant where a value is missing
//! is counted here, and says in a line of its own, `// total: REASON`, why that constant is right.

use crate::support::crates::{CRATES, each_rust_file};
use crate::support::data::root;

/// How many there were when they were first counted, by the rule of this file.
const FIRST: usize = 626;

/// The ways to put something in place of what is missing: it stands behind them, up to the comma or bracket that ends it.
const WAYS: [&str; 4] = [".unwrap_or(", ".unwrap_or_else(", ".map_or(", ".map_or_else("];

#[test]
fn every_constant_for_what_is_missing_has_its_reason_and_few_are_left() {
    let (mut all, mut silent) = (0, Vec::new());
    for krate in CRATES {
        each_rust_file(&root().join(krate).join("src"), &mut |path, text| {
            for line in totals(text) {
                all += 1;
                if !has_reason(text, line) {
                    silent.push(format!("{}:{}", path.strip_prefix(root()).unwrap().display(), line + 1));
                }
            }
        });
    }
    println!("{all} constants stand for what is missing, {} without a reason", silent.len());
    assert!(silent.is_empty(), "no line `// total: REASON` above {silent:#?}");
    assert!(all * 3 <= FIRST, "{all} are left; a third of {FIRST} may be");
}

/// Whether the line or one of the three above it gives a reason: calls are chained over lines.
fn has_reason(code: &str, line: usize) -> bool {
    code.lines().skip(line.saturating_sub(3)).take(line.min(3) + 1).any(|line| line.contains("// total: "))
}

/// The lines on which a constant stands for what is missing.
fn totals(code: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = |offset: usize| {
        let before = &code[..offset];
        let comment = before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with("//"));
        if !comment {
            found.push(before.matches('\n').count());
        }
    };
    code.match_indices(".unwrap_or_default()").for_each(|(offset, _)| at(offset));
    for way in WAYS {
        for (offset, _) in code.match_indices(way) {
            if is_constant(first_argument(&code[offset + way.len()..])) {
                at(offset);
            }
        }
    }
    for (offset, _) in code.match_indices("None => ") {
        let value = first_argument(&code[offset + "None => ".len()..]).trim();
        // Another type's `None`; a case of its own, true or false; or words that say that it is missing.
        let of_option = !code[..offset].ends_with("::");
        let is_told = value.len() > 2 && value.starts_with('"') || matches!(value, "None" | "()" | "true" | "false");
        let is_plain = is_constant(value) && !value.contains(char::is_uppercase) || value.ends_with("::new()");
        if of_option && is_plain && !is_told {
            at(offset);
        }
    }
    for (offset, _) in code.match_indices("else {") {
        let body = code[offset + "else {".len()..].trim_start();
        let value = body.strip_prefix("return ").and_then(|rest| rest.split(['}', ';', '\n']).next());
        // To say on that it is missing, or to do nothing, makes no value up.
        let says_so = |value: &str| {
            let value = value.trim();
            matches!(value, "None" | "" | "Ok(())" | "Ok(None)" | "ControlFlow::Break(None)")
                || value.starts_with("Err(")
        };
        if value.is_some_and(|value| is_constant(value) && !says_so(value)) {
            at(offset);
        }
    }
    found
}

/// A text up to the comma or bracket that ends it.
fn first_argument(text: &str) -> &str {
    let mut depth = 0;
    let mut quoted = false;
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' | ',' if depth == 0 => return &text[..i],
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    text
}

/// Whether an expression is a constant: a literal, a path to one, or something new and empty.
fn is_constant(expression: &str) -> bool {
    let expression =
        expression.trim().trim_start_matches("|_|").trim_start_matches("||").trim().trim_start_matches('&');
    let literal = |text: &str| {
        text.parse::<f64>().is_ok()
            || matches!(text, "true" | "false" | "None" | "()" | "[]" | "[][..]" | "vec![]")
            || text.len() >= 2 && text.starts_with(['"', '\'']) && text.ends_with(['"', '\''])
    };
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    let last = |path: &str| path.rsplit("::").next().unwrap().to_owned();
    match expression.split_once('(') {
        _ if literal(expression) => true,
        // `Order::Less`, `MOST`, `u16::MAX`; and a function that is handed on, `String::new`.
        None => {
            is_name(expression) && {
                let last = last(expression);
                last.starts_with(char::is_uppercase) || matches!(last.as_str(), "new" | "default")
            }
        }
        // `Vec::new()`, `ClauseId(0)`.
        Some((path, rest)) => {
            let inner = rest.strip_suffix(')').unwrap_or(rest).trim();
            let new = inner.is_empty() && matches!(last(path).as_str(), "new" | "default");
            is_name(path) && (new || last(path).starts_with(char::is_uppercase) && is_constant(inner))
        }
    }
}

#[test]
fn what_counts_is_counted() {
    let counted = [
        "x.unwrap_or_default();",
        "x.unwrap_or(0);",
        "x.unwrap_or(\"?\");",
        "x.unwrap_or(&[][..]);",
        "match x { Some(x) => x, None => 0 }",
        "match x { Some(x) => x, None => String::new() }",
        "match x { Some(x) => x, None => \"\" }",
        "x.map_or(&[], |y| y.z());",
        "x.map_or(ClauseId(0), f);",
        "x.map_or_else(String::new, f);",
        "x.unwrap_or_else(|| Vec::new());",
        "x.unwrap_or(u16::MAX);",
        "let Some(y) = x else { return false };",
        "let Some(y) = x else {\n    return Vec::new();\n};",
    ];
    for code in counted {
        assert_eq!(totals(code).len(), 1, "{code}");
    }
    let others = [
        "x.unwrap_or(y);",
        "x.unwrap_or_else(|| other(1));",
        "x.map_or(y.len(), f);",
        "let Some(y) = x else { return None };",
        "let Some(y) = x else { return };",
        "let Some(y) = x else { return Err(Fault::Missing) };",
        "match x { Some(x) => x > 1, None => true }",
        "match x { Some(x) => x.name(), None => \"nobody\" }",
        "// x.unwrap_or_default()",
    ];
    for code in others {
        assert_eq!(totals(code), [0; 0], "{code}");
    }
}
