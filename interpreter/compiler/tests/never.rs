//! Conditions that can never hold, and that always do: all combinations of what can be asked of a number, and of a fact
//! with three terms, told if and only if no value meets them, or each does.

use netrep_compiler::Compiler;
use netrep_diagnostics::Code;

const WORDS: &str = include_str!("regatta/regatta.words");

/// Of which of these conditions a code is told, each in a clause of its own.
fn told(conditions: &[String], code: Code) -> Vec<bool> {
    let line =
        |(nth, text): (usize, &String)| format!("    [c{nth}] when a boat as B weathers if {text}: scuttle B.\n");
    let clauses: String = conditions.iter().enumerate().map(line).collect();
    let text = format!("card A-9 \"Probe\" {{\n    kind Boat. rig Sloop. length 1.\n{clauses}}}\n");
    let mut compiler = Compiler::new();
    compiler.set_files([("rules/words.words", WORDS), ("cards/a.cards", text.as_str())]);
    let diags = compiler.check();
    let wrong: Vec<_> = diags.iter().filter(|diag| diag.is_error() && diag.code != code).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let told = |nth: usize| {
        let label = format!("[c{nth}] ");
        let begins = text.find(&label).unwrap();
        let ends = begins + text[begins..].find('\n').unwrap();
        diags.iter().any(|diag| diag.code == code && (begins..ends).contains(&(diag.place.start as usize)))
    };
    (0..conditions.len()).map(told).collect()
}

/// A literal: its words, and whether a value meets it.
type Literal<T> = (String, Box<dyn Fn(T) -> bool>);

/// Joined with `and` they are told if no value meets all, with `or` if each value meets one.
fn judge<T: Copy>(literals: &[Literal<T>], values: &[T], many: usize) {
    judge_joined(literals, values, many, " and ", Code::NeverHolds);
    judge_joined(literals, values, many, " or ", Code::AlwaysHolds);
}

fn judge_joined<T: Copy>(literals: &[Literal<T>], values: &[T], many: usize, joined: &str, code: Code) {
    let mut combinations: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..many {
        combinations = combinations
            .into_iter()
            .flat_map(|before| (0..literals.len()).map(move |next| [before.clone(), vec![next]].concat()))
            .collect();
    }
    let text = |one: &Vec<usize>| one.iter().map(|at| literals[*at].0.clone()).collect::<Vec<_>>().join(joined);
    let conditions: Vec<String> = combinations.iter().map(text).collect();
    let said = told(&conditions, code);
    let mut wrong = Vec::new();
    for ((one, text), told) in combinations.iter().zip(&conditions).zip(said) {
        let wanted = match code {
            Code::NeverHolds => !values.iter().any(|value| one.iter().all(|at| literals[*at].1(*value))),
            _ => values.iter().all(|value| one.iter().any(|at| literals[*at].1(*value))),
        };
        if told != wanted {
            wrong.push(format!("{text}: {}", if told { "told, and not so" } else { "silent, and so" }));
        }
    }
    assert!(conditions.iter().len() > 100);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), conditions.len(), wrong.join("\n"));
}

/// A sign, and what it asks of a value and a number.
type Comparison = (&'static str, fn(i64, i64) -> bool);

const COMPARISONS: [Comparison; 6] = [
    ("<", |a, b| a < b),
    ("<=", |a, b| a <= b),
    ("=", |a, b| a == b),
    ("is not", |a, b| a != b),
    (">=", |a, b| a >= b),
    (">", |a, b| a > b),
];

fn numbers(of: &str, bounds: &[i64]) -> Vec<Literal<i64>> {
    let each = bounds.iter().flat_map(|n| COMPARISONS.iter().map(move |(sign, meets)| (*n, *sign, *meets)));
    each.map(|(n, sign, meets)| -> Literal<i64> { (format!("{of} {sign} {n}"), Box::new(move |v| meets(v, n))) })
        .collect()
}

#[test]
fn two_bounds_of_a_number_and_of_a_count() {
    let any: Vec<i64> = (-3..=9).collect();
    judge(&numbers("length of B", &[2, 3]), &any, 2);
    let counted: Vec<i64> = (0..=9).collect();
    judge(&numbers("number of boats in fleet of B", &[1, 3]), &counted, 2);
}

/// Trims are Upright, Heeled and Sunk; a boat always has one.
#[test]
fn terms_and_their_contraries() {
    let literal = |text: &str, holds: fn(u8) -> bool| -> Literal<u8> { (text.to_owned(), Box::new(holds)) };
    let literals = [
        literal("B is upright", |trim| trim == 0),
        literal("B is not upright", |trim| trim != 0),
        literal("B is heeled", |trim| trim == 1),
        literal("not B is heeled", |trim| trim != 1),
        literal("trim of B is Sunk", |trim| trim == 2),
        literal("trim of B is not Sunk", |trim| trim != 2),
    ];
    judge(&literals, &[0, 1, 2], 3);
}

/// What may be absent is asked for by what is asked of it; what is there has the class that it is known to have.
#[test]
fn what_may_be_absent_is_asked_for() {
    let conditions = |each: &[&str]| each.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let always = conditions(&[
        "B is a boat",
        "number of boats in fleet of B >= 0",
        "length of B = length of B",
        "3 > 2",
        "not (B is upright and B is heeled)",
        "there are at least 0 boats in fleet of B",
        "bearer of this is upright or bearer of this is not upright",
        "there is a boat in fleet of B or there is no boat in fleet of B",
    ]);
    assert_eq!(told(&always, Code::AlwaysHolds), vec![true; always.len()]);
    let open = conditions(&[
        "berth of B is a harbour",
        "berth of B is Sandy or shore of berth of B is Rock & Reef",
        "number of boats in fleet of B >= 1",
        "length of B = number of boats in fleet of B",
        "there are at least 1 boats in fleet of B",
        "B is upright or berth of B is a harbour",
    ]);
    assert_eq!(told(&open, Code::AlwaysHolds), vec![false; open.len()]);
}
