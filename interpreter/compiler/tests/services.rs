//! Verbs that are done to places, the top of a pile, and the services that the engine takes them for.
use crate::common::{codes, errors};
use netrep_compiler::{Compiler, Profile};
use netrep_diagnostics::Code;
use netrep_ir::{Num, Program, Sel, Statement};

const WORDS: &str = "
class player, players.
class card, cards.
state known of card: player, many.
state owner of card: player.
place deck, owned, ordered, hidden.
place heap, shared, ordered, hidden.
place table, shared, open.
role hands: number.
verb (player P) shuffle, shuffles, shuffled (place X).
verb (player P) draw, draws, drawn (card C) { does put C into table. }
kernel services { player player. card card. shuffle shuffle. revealed known. }
";

fn compiled(words: &str, rules: &str) -> (Compiler, Vec<Code>) {
    let mut compiler = Compiler::new();
    compiler.set_files([("rules/vocabulary/a.words", words), ("rules/sections/a.rules", rules)]);
    let diags = compiler.check();
    let (_, linked) = compiler.link(&Profile::default());
    for code in codes(&diags) {
        let said = errors(&diags).into_iter().find(|d| d.code == code).unwrap();
        assert!(said.help.is_some() || code == Code::WrongSort || code == Code::NotSupported, "{said:?}");
    }
    // What is wrong with the whole is said when it is checked and when it is linked.
    let whole = |code: Code| matches!(code, Code::UnknownService);
    assert_eq!(codes(&diags).into_iter().any(whole), codes(&linked).into_iter().any(whole), "{linked:?}");
    let codes = codes(&diags);
    (compiler, codes)
}

fn rule(statement: &str) -> String {
    format!(
        "rule 1 \"Go\" {{ procedure go for (player P) {{ steps one. }} step one of go {{ let hands be 2. [a] {statement}. }} }}"
    )
}

fn statements(program: &Program) -> Vec<&Statement> {
    program.blocks.iter().flat_map(|b| &b.statements).map(|s| &s.0).collect()
}

#[test]
fn a_verb_done_to_a_place_shuffles_it() {
    for (statement, owned) in [("P shuffles deck of P", true), ("P shuffles heap", false)] {
        let (compiler, codes) = compiled(WORDS, &rule(statement));
        assert!(codes.is_empty(), "{statement}: {codes:?}");
        let (program, _) = compiler.link(&Profile::default());
        let found = statements(&program).into_iter().find_map(|s| match s {
            Statement::Shuffle { place, of } => Some((program.places[place.index()].name.clone(), of.is_some())),
            _ => None,
        });
        assert_eq!(found, Some((if owned { "deck" } else { "heap" }.to_owned(), owned)), "{statement}");
        assert!(program.services.revealed.is_some());
    }
}

#[test]
fn a_choice_before_a_shuffling_is_no_obstacle() {
    let (_, codes) = compiled(WORDS, &rule("P chooses a player as Q; P shuffles deck of Q"));
    assert!(codes.is_empty(), "{codes:?}");
}

#[test]
fn so_many_cards_are_taken_from_the_top() {
    for (words, wanted) in [("the top card of heap", Num::Int(1)), ("the top 3 cards of deck of P", Num::Int(3))] {
        let (compiler, codes) = compiled(WORDS, &rule(&format!("put {words} into table")));
        assert!(codes.is_empty(), "{words}: {codes:?}");
        let (program, _) = compiler.link(&Profile::default());
        let put = statements(&program).into_iter().find_map(|s| match s {
            Statement::Put { what: Sel::And(parts), .. } => Some(parts.clone()),
            _ => None,
        });
        let Some(Sel::Top(_, owner, n)) = put.unwrap().into_iter().find(|p| matches!(p, Sel::Top(..))) else {
            panic!("{words}")
        };
        assert_eq!((*n, owner.is_some()), (wanted, words.contains("of P")), "{words}");
    }
    let (_, codes) = compiled(WORDS, &rule("put the top hands cards of heap into table"));
    assert!(codes.is_empty(), "a number that is worked out: {codes:?}");
}

#[test]
fn what_is_no_shuffling_is_refused() {
    let refused = |from: &str, to: &str, statement: &str| {
        let words = WORDS.replace(from, to);
        assert!(from.is_empty() || words != WORDS, "{from}");
        compiled(&words, &rule(statement)).1
    };
    let quiet = "P draws the top card of heap";
    assert_eq!(refused("shuffle shuffle. ", "", quiet), [Code::NotSupported], "no one says that it shuffles");
    assert_eq!(refused("shuffle shuffle.", "shuffle draw.", quiet), [Code::NotSupported, Code::UnknownService]);
    assert_eq!(refused("shuffle shuffle.", "shuffle shuffle. shuffle churn.", quiet), [Code::UnknownService]);
    let needs = refused("shuffled (place X).", "shuffled (place X) { needs P is P. }", quiet);
    assert_eq!(needs, [Code::NotSupported], "that there is no such verb follows from it");
    assert_eq!(refused("revealed known", "revealed owner", quiet), [Code::UnknownService], "one player is not many");
    assert_eq!(refused("revealed known", "revealed strangers", quiet), [Code::UnknownService]);
    assert_eq!(refused("revealed known", "revealed known. concealed known", quiet), []);
    assert_eq!(refused("revealed known", "concealed owner", quiet), [Code::UnknownService]);
    assert_eq!(refused("", "", "P shuffles deck"), [Code::WrongSort], "whose?");
    let weight = "class card, cards.\nfigure weight of card: number.";
    let greatest = |what: &str| {
        let words = WORDS.replace("class card, cards.", weight);
        let words = words.replace("revealed known", &format!("revealed known. greatest {what}"));
        compiled(&words, &rule(quiet)).1
    };
    assert_eq!(greatest("weight of card"), []);
    for wrong in ["weight of player", "known of card", "height of card", "weight"] {
        assert_eq!(greatest(wrong), [Code::UnknownService], "{wrong}");
    }
    let announced = |lines: &str| {
        let play = "verb (player P) play, plays, played (card C) { does put C into heap. }\nkernel services";
        let words =
            WORDS.replace("kernel services", play).replace("revealed known", &format!("revealed known. {lines}"));
        compiled(&words, &rule(quiet)).1
    };
    assert_eq!(announced("announced draw. announced play"), [], "several verbs are announced");
    assert_eq!(announced("announced draw. announced draw"), [Code::UnknownService]);
    assert_eq!(announced("ability draw. ability play"), [Code::UnknownService], "one verb serves so");
    assert_eq!(announced("evident shuffling of nobody"), [Code::UnknownService], "no such step");
    assert_eq!(announced("evident play"), [Code::UnknownService], "a verb is no step");
    // What happens to places is not observed.
    let watched = "rule 2 \"Watch\" { [w] when a player as Q shuffles heap: put the top card of heap into table. }";
    let (_, codes) = compiled(WORDS, &format!("{}\n{watched}", rule(quiet)));
    assert_eq!(codes, [Code::WrongSort]);
}

/// What is more than a limit is refused where it stands, and told as one.
#[test]
fn what_is_too_much_is_refused() {
    let found = |words: &str| {
        let mut compiler = Compiler::new();
        compiler.set_file("rules/vocabulary/a.words", words);
        let (_, diags) = compiler.link(&Profile::default());
        errors(&diags).into_iter().map(|d| (d.code, d.message.clone())).collect::<Vec<_>>()
    };
    let verb = |roles: usize| {
        let more: String = ["to", "from", "for", "with", "at", "near"]
            .iter()
            .take(roles - 1)
            .zip('B'..)
            .map(|(word, label)| format!(" {word} (player {label})"))
            .collect();
        format!("class player, players.\nverb (player A) send, sends, sent{more}.")
    };
    assert_eq!(found(&verb(6)), []);
    let roles = found(&verb(7));
    assert!(matches!(roles.as_slice(), [(Code::ItemTooLarge, text)] if text.contains("7 roles")), "{roles:?}");
    // An item can hold many entries, but not all of these.
    let lists = |each: usize| -> String {
        let list = |name: char| {
            let entries: String = (0..each).map(|i| format!(" Entry{name}{i}.")).collect();
            format!("list colour{name} {{{entries} }}\n")
        };
        ('a'..='z').map(list).collect()
    };
    assert_eq!(found(&lists(10)), []);
    let entries = found(&lists(2_600));
    assert!(matches!(entries.as_slice(), [(Code::ItemTooLarge, text)] if text.contains("67600")), "{entries:?}");
}
