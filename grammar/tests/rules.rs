//! Everything follows from the rules of `pest/`: a line of them is exchanged, and parsing, layout and messages are others.
//!
//! The rules are read as they stand in the files, changed, and run by pest's virtual machine. What it finds is handed on as
//! the pairs that the generated parser would have found.

use netrep_grammar::tree::TokenKind;
use netrep_grammar::{Finding, HEADS, MAX_DEPTH, Rule, Rules, fmt, split};
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::Pairs;
use pest::{ParseResult, ParserState, Position};
use pest_vm::Vm;
use std::cell::RefCell;

/// The files, in the order of the generated parser.
const GRAMMAR: &str = concat!(
    include_str!("../pest/lexical.pest"),
    include_str!("../pest/token.pest"),
    include_str!("../pest/clause.pest"),
    include_str!("../pest/heads.pest"),
    include_str!("../pest/item.pest"),
    include_str!("../pest/file.pest"),
    include_str!("../pest/recovery.pest"),
);

thread_local! {
    /// The rules that this thread has changed.
    static CHANGED: RefCell<Option<Vm>> = const { RefCell::new(None) };
}

/// Runs something by the rules with one part of them exchanged.
fn with<T>(was: &str, is: &str, run: impl FnOnce(Rules) -> T) -> T {
    assert_eq!(GRAMMAR.matches(was).count(), 1, "the rules hold `{was}` once");
    let text = GRAMMAR.replace(was, is);
    let parsed = pest_meta::parser::parse(pest_meta::parser::Rule::grammar_rules, &text).expect("rules");
    let rules = pest_meta::parser::consume_rules(parsed).expect("rules that fit each other");
    let vm = Vm::new(pest_meta::optimizer::optimize(rules));
    CHANGED.with(|place| place.replace(Some(vm)));
    let value = run(Rules::read_by(read));
    CHANGED.with(RefCell::take);
    value
}

/// The pairs by the changed rules.
fn read(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Error<Rule>> {
    CHANGED.with_borrow(|vm| match vm.as_ref().expect("changed rules").parse(&format!("{rule:?}"), text) {
        Ok(found) => pest::state(text, |state| replay(state, text, found)),
        Err(error) => {
            let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
            let place = Position::new(text, at).expect("a place in the text");
            Err(Error::new_from_pos(ErrorVariant::CustomError { message: error.to_string() }, place))
        }
    })
}

/// Goes over a text again as it was gone over, entering and leaving the same rules.
fn replay<'t>(
    mut state: Box<ParserState<'t, Rule>>,
    text: &str,
    found: Pairs<'_, &str>,
) -> ParseResult<Box<ParserState<'t, Rule>>> {
    for pair in found {
        let (start, end) = (pair.as_span().start(), pair.as_span().end());
        state = ahead(state, text, start)?;
        state = state.rule(named(pair.as_rule()), |state| ahead(replay(state, text, pair.into_inner())?, text, end))?;
    }
    Ok(state)
}

fn ahead<'t>(state: Box<ParserState<'t, Rule>>, text: &str, to: usize) -> ParseResult<Box<ParserState<'t, Rule>>> {
    let at = state.position().pos();
    state.skip(text[at..to].chars().count())
}

fn named(name: &str) -> Rule {
    let rules = Rule::all_rules().iter().copied().chain([Rule::EOI]);
    rules.into_iter().find(|rule| format!("{rule:?}") == name).expect("a rule of the generated parser")
}

const KINDS: &str = include_str!("fixtures/kinds.formatted.txt");

/// The codes and places of the errors of an item.
fn told(rules: Rules, text: &str) -> Vec<(&'static str, String)> {
    let (_, errors) = rules.parse_item(text);
    let at = |e: &Finding| text[e.place.start as usize..e.place.end as usize].to_owned();
    errors.iter().map(|error| (error.code.as_str(), at(error))).collect()
}

fn one(code: &'static str, at: &str) -> Vec<(&'static str, String)> {
    vec![(code, at.to_owned())]
}

#[test]
fn rules_that_are_not_changed_find_the_same() {
    let texts = [KINDS, "rule a { b (c. d \"e\n f }\nrul g.\ncard h { [i 1 j! k. {}\n"];
    let all = |rules: Rules, text: &str| {
        let items = rules.split(text);
        let parsed = items.iter().map(|raw| rules.parse_item(&text[raw.range.clone()])).collect::<Vec<_>>();
        (items, parsed, rules.fmt(text))
    };
    for text in texts {
        let generated = all(Rules::default(), text);
        assert_eq!(generated.0, split(text));
        with("stop  = { \".\" }", "stop  = { \".\" }", |rules| assert_eq!(all(rules, text), generated));
    }
}

/// Parsing, layout and messages, each before and after one token rule is changed.
#[test]
fn a_sign_more_is_a_sign_everywhere() {
    let text = "rule a{b%c.}\n";
    assert_eq!(told(Rules::default(), text), one("stray-character", "%"));
    assert!(fmt(text).is_err());
    with("| \"<=\" |", "| \"%\" | \"<=\" |", |rules| {
        let (item, errors) = rules.parse_item(text.trim_end());
        assert_eq!(errors, []);
        assert_eq!(item.unwrap().clauses[0].tokens[1].kind, TokenKind::Op("%".to_owned()));
        assert_eq!(rules.fmt(text).as_deref(), Ok("rule a { b % c. }\n"));
    });
}

#[test]
fn another_sign_ends_clauses_everywhere() {
    let text = "rule a {b! c d!}\nclass e, f!\n";
    assert!(fmt(text).is_err());
    with("stop  = { \".\" }", "stop  = { \"!\" }", |rules| {
        assert_eq!(rules.split(text).len(), 2);
        assert_eq!(rules.parse_item("rule a {b! c d!}").0.unwrap().clauses.len(), 2);
        assert_eq!(rules.fmt(text).as_deref(), Ok("rule a { b! c d! }\nclass e, f!\n"));
        assert_eq!(told(rules, "rule a {\n  b!\n  c\n}"), one("missing-full-stop", "c"));
        assert_eq!(told(rules, "rule a {\n  b!\n  !\n}"), one("empty-clause", "!"));
        assert_eq!(told(rules, "rule a {\n  b. c!\n}"), one("stray-character", "."));
    });
}

#[test]
fn another_beginning_of_comments_is_one_everywhere() {
    let text = "class a,b. # c\n# \"d\nclass e,f.\n";
    assert!(fmt(text).is_err());
    with("remark     = _{ \"//\"", "remark     = _{ \"#\"", |rules| {
        let items = rules.split(text);
        assert_eq!(&text[items[1].comments.clone()], "# \"d\n");
        assert_eq!(rules.fmt(text).as_deref(), Ok("class a, b. # c\n# \"d\nclass e, f.\n"));
    });
}

#[test]
fn a_letter_more_is_one_in_every_word() {
    let text = "rule a{x_y.}\n";
    assert_eq!(told(Rules::default(), text), one("stray-character", "_"));
    with("tail  = _{ 'a'..'z'", "tail  = _{ \"_\" | 'a'..'z'", |rules| {
        assert_eq!(rules.parse_item(text.trim_end()).0.unwrap().clauses[0].head(), "x_y");
        assert_eq!(rules.fmt(text).as_deref(), Ok("rule a { x_y. }\n"));
    });
}

/// What Rust knows of the rules besides.
#[test]
fn heads_and_depth_are_those_of_the_rules() {
    let parsed = pest_meta::parser::parse(pest_meta::parser::Rule::grammar_rules, GRAMMAR).unwrap();
    let rules = pest_meta::parser::consume_rules(parsed).unwrap();
    let rule = |name: &str| rules.iter().find(|rule| rule.name == name).unwrap().expr.clone();
    let mut heads: Vec<String> = rule("kind")
        .iter_top_down()
        .filter_map(|part| match part {
            pest_meta::ast::Expr::Str(word) => Some(word),
            _ => None,
        })
        .collect();
    heads.sort_unstable();
    assert_eq!(heads, **HEADS);
    let depth = MAX_DEPTH as i32;
    assert_eq!(rule("full"), pest_meta::ast::Expr::PeekSlice(depth, Some(depth)));
}
