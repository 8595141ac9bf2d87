//! How many things a phrase means, played: in a toy world of boats, for each kind of place that the table of forms
//! knows and each determiner, either there is a diagnostic, or exactly that many are affected.
//!
//! That every hole of the table takes what its kind takes, and nothing else, is seen by
//! `interpreter/compiler/tests/determiners.rs`.

use netrep_compiler::phrase::forms::{Form, TAKINGS, Takes};
use netrep_compiler::{Compiler, Profile};
use netrep_engine::{ErrorKind, Game, Refusal};
use netrep_grammar::parse_sentence;

use crate::support::board::Board;
use crate::support::data::{compiler_of, errors};

const WORDS: &str = "
class player, players.
class boat, boats.
state length of boat: number.
state fast of boat: yes or no.
state glossy of boat: yes or no.
state leader of boat: boat.
state crew of player: boat, many.
state tally of player: number.
role captain: player.
relation (boat B) trails/trailing (boat C): leader of B is C.
verb [(player P)] paint, paints, painted (boat B) { does set glossy of B to yes. }
kernel services { player player. }
";

/// So many boats are there.
const ALL: usize = 5;

/// Each determiner before the noun, and whether the noun is plural.
const DETERMINERS: &[(Form, &str, bool)] = &[
    (Form::DeterminerA, "a", false),
    (Form::DeterminerAnother, "another", false),
    (Form::DeterminerEach, "each", false),
    (Form::DeterminerEach, "", true),
    (Form::DeterminerAny, "any", false),
    (Form::DeterminerNo, "no", false),
    (Form::DeterminerThe, "the", false),
    (Form::DeterminerAtLeast, "at least 2", true),
    (Form::DeterminerUpTo, "up to 2", true),
    (Form::DeterminerExactly, "2", true),
    (Form::DeterminerAnyNumber, "any number of", true),
];

/// Whether it is so of so many, out of so many.
fn so_many(determiner: Form, n: usize, of: usize) -> bool {
    match determiner {
        Form::DeterminerA | Form::DeterminerAny | Form::DeterminerThe => n >= 1,
        Form::DeterminerEach => n == of,
        Form::DeterminerNo => n == 0,
        Form::DeterminerAtLeast => n >= 2,
        Form::DeterminerUpTo => n <= 2,
        Form::DeterminerExactly => n == 2,
        other => panic!("{other:?} is taken by no condition"),
    }
}

/// The rules: a trial of one step, and a clause beside it.
fn world(step: &str, clause: &str) -> Compiler {
    let rules = format!(
        "rule 1 \"Trial\" {{
            [trial] procedure trial for (player P) {{ let captain be P. steps one. }}
            step one of trial {{ [one] {step}. }}
            [painting] procedure painting for (boat B) {{ steps coat. }}
            step coat of painting {{ [coat] set glossy of B to yes. }}
            {clause}
        }}\n"
    );
    let files = [("rules/vocabulary/boats.words", WORDS.to_owned()), ("rules/sections/trial.rules", rules)];
    compiler_of(&files.map(|(path, text)| (path.to_owned(), text)))
}

/// A position with the five boats, of which the first few are fast; the last one trails the first.
fn board(compiler: &Compiler, fast: usize) -> Board {
    let facts: String = (1..=fast).map(|n| format!("fact B{n} is fast\n")).collect();
    let text = format!("player Ann\nboat B1, B2, B3, B4, B5\n{facts}fact leader of B5 is B1\nbegin trial for Ann\n");
    Board::new(&compiler.phrases(&Profile::default()), &text)
}

/// The truth of a sentence, or that it is refused.
fn truth(compiler: &Compiler, board: &Board, game: &Game, sentence: &str) -> Option<bool> {
    let tokens = parse_sentence(&format!("{sentence}.")).unwrap();
    let cond = compiler.phrases(&Profile::default()).condition(&tokens, &board.names).ok()?.0;
    Some(game.holds(&cond))
}

/// True if the game stops, at its beginning or at the first answer, because one is meant and there are several.
fn fails(compiler: &Compiler, board: &Board) -> bool {
    let program = compiler.link(&Profile::default()).0;
    let text = match Game::new(program, board.setup.clone()) {
        Err(errors) => errors[0].text.clone(),
        Ok(mut game) => match game.take(&game.options()[0].clone()) {
            Err(Refusal::Failed(error)) => error.text,
            other => panic!("{other:?}"),
        },
    };
    text.starts_with("one is meant here, and there are ")
}

/// How many things of a phrase there are.
fn count(compiler: &Compiler, board: &Board, game: &Game, things: &str) -> usize {
    let is = |n: &usize| truth(compiler, board, game, &format!("number of {things} = {n}")).unwrap();
    (0..=ALL).find(is).unwrap()
}

/// A statement, what it affects, and how many that are to be.
type Played = (Takes, &'static str, &'static str, &'static str, fn(Form, usize) -> usize);

/// Statements with `{}` for a phrase of fast boats; in the third place a clause that stands beside them.
const STATEMENTS: &[Played] = &[
    (Takes::All, "set length of {} to 4", "", "boats with length 4", |_, fast| fast),
    (Takes::All, "remove {}", "", "boats", |_, fast| ALL - fast),
    (Takes::All, "let S be {}; P paints S", "", "glossy boats", |_, fast| fast),
    (Takes::All, "{} gets +3 length", "", "boats with length 3", |_, fast| fast),
    (Takes::All, "for {} as C { P paints C }", "", "glossy boats", |_, fast| fast),
    (Takes::Deed, "P paints {}", "", "glossy boats", |_, fast| fast),
    (
        Takes::Deed,
        "window for P",
        "[cost] captain may paint {} once per trial: set tally of captain to 1.",
        "glossy boats",
        chosen,
    ),
    (Takes::Group, "P chooses {} as C; P paints C", "", "glossy boats", chosen),
    (Takes::Choice, "P may choose {} as C { P paints C }", "", "glossy boats", |_, _| 1),
    (Takes::Value, "set crew of P to {}", "", "crew of Ann", |_, fast| fast),
    (Takes::Known, "perform painting for {}", "", "glossy boats", |_, _| 0),
    (
        Takes::Some,
        "when P paints {} immediately { set tally of P to tally of P + 1 }; P paints each boat",
        "",
        "boats with length tally of Ann - 1",
        |_, _| 0,
    ),
];

/// How many are chosen where as many as possible are.
fn chosen(form: Form, fast: usize) -> usize {
    match form {
        Form::DeterminerA => fast.min(1),
        Form::DeterminerExactly | Form::DeterminerUpTo => fast.min(2),
        _ => fast,
    }
}

/// Conditions with `{}` for a phrase of boats: the noun, and when they are so by determiner and number of fast boats.
type Asked = (Takes, &'static str, &'static str, fn(Form, usize) -> bool);

const CONDITIONS: &[Asked] = &[
    (Takes::Said, "{} is fast", "boat", |form, fast| so_many(form, fast, ALL)),
    (Takes::There, "there is {}", "fast boat", |form, fast| so_many(form, fast, ALL)),
    (Takes::Related, "B5 trails {}", "fast boat", |form, fast| so_many(form, fast.min(1), ALL)),
    (Takes::Same, "B1 is {}", "fast boat", |form, fast| so_many(form, fast.min(1), ALL)),
    (Takes::One, "length of {} = 0", "fast boat", |_, _| true),
];

fn phrase(words: &str, noun: &str, plural: bool) -> String {
    let noun = if plural { format!("{noun}s") } else { noun.to_owned() };
    format!("{words} {noun}").trim().to_owned()
}

/// Takes the first option, as long as one is asked and it is no pass.
fn decide(game: &mut Game, most: usize) {
    for _ in 0..most {
        let words = game.options_in_words().into_iter().map(|option| option.0);
        let Some(at) = words.into_iter().position(|words| words != "pass" && words != "no") else { return };
        let submission = game.options()[at].clone();
        game.take(&submission).unwrap();
    }
}

#[test]
fn what_is_done_is_done_to_so_many() {
    let mut played = Vec::new();
    for (takes, step, clause, counted, expected) in STATEMENTS {
        for (form, words, plural) in DETERMINERS {
            let said = |text: &str| text.replace("{}", &phrase(words, "fast boat", *plural));
            let compiler = world(&said(step), &said(clause));
            let wrong = !errors(&compiler.check()).is_empty();
            let named = takes.info().determiners.contains(form);
            // What is done to some that nobody has chosen is right in a cost only: there who pays chooses.
            let meant = *takes != Takes::Deed || *form == Form::DeterminerEach || !clause.is_empty();
            assert_eq!(!wrong, named && meant, "`{}` {:?}", said(step), errors(&compiler.check()));
            if wrong {
                continue;
            }
            // The one there is, is one: of several none is meant.
            let is_one = *form == Form::DeterminerThe;
            if is_one {
                assert!(fails(&compiler, &board(&compiler, 3)), "`{}` of several", said(step));
            }
            let fast = if is_one { 1 } else { 3 };
            let board = board(&compiler, fast);
            let mut game = board.game(&compiler.phrases(&Profile::default()));
            decide(&mut game, 5);
            if *takes == Takes::Some {
                assert_eq!(
                    truth(&compiler, &board, &game, &format!("tally of Ann = {fast}")),
                    Some(true),
                    "{}",
                    said(step)
                );
            } else {
                assert_eq!(count(&compiler, &board, &game, counted), expected(*form, fast), "`{}`", said(step));
            }
            played.push(takes.info().name);
        }
    }
    assert!(played.len() > 12, "{played:?}");
}

#[test]
fn a_condition_is_about_so_many() {
    let compiler = world("set tally of P to 0", "");
    for (takes, sentence, noun, expected) in CONDITIONS {
        for (form, words, plural) in DETERMINERS {
            let said = sentence.replace("{}", &phrase(words, noun, *plural));
            let named = takes.info().determiners.contains(form);
            for fast in 0..=ALL {
                let board = board(&compiler, fast);
                let game = board.game(&compiler.phrases(&Profile::default()));
                let found = truth(&compiler, &board, &game, &said);
                assert_eq!(found, named.then(|| expected(*form, fast)), "`{said}` with {fast} fast boats");
                // Of all boats one is asked whether it is fast; else of the fast ones.
                let several = if *takes == Takes::Said { ALL > 1 } else { fast > 1 };
                let is_one = *form == Form::DeterminerThe || *takes == Takes::One;
                let fault = game.fault().map(|fault| fault.kind);
                let wanted = (named && is_one && several).then_some(ErrorKind::Several);
                assert_eq!(fault, wanted, "`{said}` with {fast} fast boats");
            }
        }
    }
}

#[test]
fn others_are_all_but_these() {
    let compiler = world("set tally of P to 0", "");
    for (form, words, plural) in DETERMINERS {
        let said = phrase(words, "fast boat", *plural);
        let board = board(&compiler, 2);
        let game = board.game(&compiler.phrases(&Profile::default()));
        let found = truth(&compiler, &board, &game, &format!("number of boats other than {said} = {}", ALL - 2));
        assert_eq!(found, Takes::Beside.info().determiners.contains(form).then_some(true), "other than {said}");
    }
}

#[test]
fn every_kind_of_place_is_played() {
    let statements = STATEMENTS.iter().map(|one| one.0.info().name);
    let played: Vec<&str> = statements.chain(CONDITIONS.iter().map(|one| one.0.info().name)).collect();
    for taking in TAKINGS {
        // What others are is asked above; what is handed on, the place takes that holds the whole.
        let elsewhere = ["beside", "passed"].contains(&taking.name);
        assert!(elsewhere || played.contains(&taking.name), "{}", taking.name);
    }
}
