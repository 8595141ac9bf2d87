//! What is several by its form, by its own or by that of the words that declare it, is refused where one thing is meant; one thing
//! there, and several where several are meant, are told nothing of.

use netrep_compiler::Compiler;
use netrep_diagnostics::Code;

const WORDS: &str = "
class player, players.
class boat, boats.
list colour { Red. Blue. }
state length of boat: number.
state fast of boat: yes or no.
state colour of boat: colour.
state paint of boat: colour.
state owner of boat: player.
state consort of boat: boat.
state fleet of player: boat, many.
state tally of player: number.
place dock, owned, ordered.
role pilot: player.
define others of (player P): player = players other than P.
define neighbour of (player P): player = the next player after P.
define rest of (player P): player = others of P.
define ships of (player P): boat = boats with owner P.
define ship of (player P): boat = the boat with owner P.
define host of (boat B): player = owner of B.
define after of (player P): player = the next player after neighbour of P.
define crowd: player = players.
define speed of (boat B): number = length of B.
relation (boat B) outruns/outrunning (boat C): length of B > length of C.
relation (boat B) trails/trailing (boat C): consort of B is C.
verb [(player P)] paint, paints, painted (boat B) [with (boat C)] { does set colour of B to Red. }
verb (player P) rest, rests, rested { does set tally of P to 1. }
kernel services { player player. }
";

/// The errors of some statements of a step for the boats B and C and the players P and Q, with their places.
fn told(statements: &str) -> Vec<(Code, String)> {
    let rule = format!(
        "rule 1 \"Trial\" {{
    procedure trial for (boat B), (boat C), (player P), (player Q) {{ steps one. }}
    procedure race for (player P), (boat B) {{ steps start. }}
    step one of trial {{ {statements}. }}
    step start of race {{ P paints B. }}
}}\n"
    );
    refused(WORDS, &rule)
}

/// The errors of words and a rule, with their places.
fn refused(words: &str, rule: &str) -> Vec<(Code, String)> {
    let files = [("rules/vocabulary/words.words", words), ("rules/sections/trial.rules", rule)];
    let mut compiler = Compiler::new();
    compiler.set_files(files);
    let diags = compiler.check().into_iter().filter(|diag| diag.is_error());
    let text = |path: &str| files.iter().find(|file| file.0 == path).map_or("", |file| file.1);
    diags
        .map(|diag| {
            let place = &text(&diag.place.file)[diag.place.start as usize..diag.place.end as usize];
            assert!(diag.code != Code::SeveralWhereOne || diag.help.is_some(), "{diag:?}");
            (diag.code, place.to_owned())
        })
        .collect()
}

/// A statement with `{}` for what is several, and for what is one.
type Row = (&'static str, &'static str, &'static str);

/// Each place in which one thing is meant.
const ONE_IS_MEANT: &[Row] = &[
    ("{} chooses a boat as D; P paints D", "others of P", "neighbour of P"),
    ("{} may choose a boat as D { P paints D }", "others of P", "neighbour of P"),
    ("{} may { P paints B }", "others of P", "neighbour of P"),
    ("{} may { P paints B }", "crowd", "Q"),
    ("{} chooses one { P paints B } or { P paints C }", "rest of P", "after of P"),
    ("{} rolls 2 dice as R; set tally of P to R", "others of P", "neighbour of P"),
    ("P rolls 2 dice as R for {}; set tally of P to R", "fleet of P", "ship of P"),
    ("for each boat as D in an order chosen by {} { P paints D }", "others of P", "neighbour of P"),
    ("for each player as D from {} onwards { D paints B }", "others of P", "neighbour of P"),
    ("perform race for {}, B", "others of P", "neighbour of P"),
    ("perform race for P, {}", "the top 2 boats of dock of P", "the top boat of dock of P"),
    ("perform race for P, {}", "the top boat of dock of others of P", "the top boat of dock of P"),
    ("let pilot be {}; pilot paints B", "others of P", "neighbour of P"),
    ("{} paint B", "others of P", "neighbour of P"),
    ("{} paints B", "each player", "Q"),
    ("{} rest", "players", "Q"),
    ("P paints B with {}", "ships of P", "ship of P"),
    ("P paints B with {}", "(C or ships of P)", "C"),
    ("set tally of P to length of {}", "fleet of P", "ship of P"),
    ("set tally of P to length of {}", "consort of fleet of P", "consort of ship of P"),
    ("set tally of P to speed of {}", "fleet of P", "ship of P"),
    ("if length of {} > 3 { P paints B }", "fleet of P", "ship of P"),
    ("set colour of B to paint of {}", "fleet of P", "C"),
    ("if paint of {} is Red { P paints B }", "fleet of P", "C"),
    ("set owner of B to {}", "others of P", "neighbour of P"),
    ("set owner of B to {}", "host of fleet of P", "host of C"),
    ("let D be a new boat with owner {}; P paints D", "others of P", "neighbour of P"),
    ("put B into dock of {}", "others of P", "neighbour of P"),
    ("let D be the next player after {}; D paints B", "others of P", "neighbour of P"),
];

#[test]
fn several_are_refused_where_one_is_meant() {
    let mut wrong = Vec::new();
    for (statement, several, one) in ONE_IS_MEANT {
        let (refused, taken) = (told(&statement.replace("{}", several)), told(&statement.replace("{}", one)));
        let place = several.trim_start_matches('(').trim_end_matches(')');
        if refused.len() != 1 || refused[0].0 != Code::SeveralWhereOne || !refused[0].1.contains(place) {
            wrong.push(format!("{statement} of {several}: {refused:?}"));
        }
        if !taken.is_empty() {
            wrong.push(format!("{statement} of {one}: {taken:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The engine goes through all of these, or they are a set.
#[test]
fn several_are_meant_elsewhere() {
    let fine = [
        "for each player that is others of P as D { D paints B }",
        "P paints fleet of P",
        "P paints each boat with B",
        "remove ships of P",
        "set length of fleet of P to 3",
        "set fleet of P to ships of Q",
        "set tally of P to number of others of P",
        "set tally of P to total length of fleet of P",
        "set tally of P to highest length of ships of P",
        "if fleet of P is fast { P paints B }",
        "if fleet of P has length > 3 { P paints B }",
        "if there is a boat that is ships of P { P paints B }",
        "if Q is others of P { P paints B }",
        "if owner of B is others of P { P paints B }",
        "window for P; for others of P",
        "let D be ships of P; P paints D",
        "fleet of P gets +1 length",
        "put fleet of P into dock of P",
        "remove the top 2 boats of dock of others of P",
        "P paints each boat outrunning a fast boat",
        "P paints each boat outrunning fleet of P",
    ];
    for statement in fine {
        assert_eq!(told(statement), [], "{statement}");
    }
}

#[test]
fn a_label_stands_for_as_many_as_it_was_given() {
    let several = |place: &str| vec![(Code::SeveralWhereOne, place.to_owned())];
    assert_eq!(told("let D be others of P; D may { P paints B }"), several("D"));
    assert_eq!(told("let D be each boat; set tally of P to length of D"), several("D"));
    assert_eq!(told("let D be each boat; let S be D; set tally of P to length of S"), several("S"));
    assert_eq!(told("let D be neighbour of P; D may { P paints B }"), []);
    assert_eq!(told("for each player other than P as D { D may { P paints B } }"), []);
    let group = |asked: &str| told(&format!("set tally of P to lowest for any group of fleet of P as G of {asked}"));
    assert_eq!(group("length of G"), several("G"));
    assert_eq!(group("total length of G"), []);
}

/// What its own determiner says is told by that alone, as before.
#[test]
fn a_determiner_is_told_once() {
    for statement in
        ["each player may { P paints B }", "set tally of P to length of each boat", "perform race for players, B"]
    {
        let told = told(statement);
        assert_eq!(told.iter().map(|one| one.0).collect::<Vec<_>>(), [Code::WrongDeterminer], "{statement}");
    }
}

#[test]
fn a_definition_is_told_where_it_asks_and_where_it_is_given_several() {
    let more = |line: &str| refused(&format!("{WORDS}{line}\n"), "");
    let own = more("define spread of (player P): number = length of fleet of P.");
    assert_eq!(own, [(Code::SeveralWhereOne, "fleet of P".to_owned())]);
    assert_eq!(more("define spread of (player P): number = total length of fleet of P."), []);
    // One by its words, and it asks for one: several given to it are told where that is.
    assert_eq!(
        told("set tally of P to number of after of others of P"),
        [(Code::SeveralWhereOne, "after of others of P".to_owned())]
    );
    assert_eq!(told("set tally of P to number of after of Q"), []);
    // What leads back to itself is told as that.
    let round =
        more("define here of (player P): player = there of P.\ndefine there of (player P): player = here of P.");
    assert!(!round.iter().any(|told| told.0 == Code::SeveralWhereOne), "{round:?}");
}

#[test]
fn one_puts_in_order() {
    let orderer = |is: &str| {
        let words = WORDS.replace("player player. }", "player player. orderer orderer. }");
        refused(&format!("{words}define orderer: player = {is}.\n"), "")
    };
    assert_eq!(orderer("players with tally > 0"), [(Code::SeveralWhereOne, "orderer".to_owned())]);
    assert_eq!(orderer("the player with tally > 0"), []);
}

#[test]
fn the_definition_that_is_several_is_named() {
    let mut compiler = Compiler::new();
    let rule = "rule 1 \"Trial\" { procedure trial for (player P) { steps one. } step one of trial { others of P may { repeat { stop } until tally of P > 0 }. } }\n";
    compiler.set_files([("rules/vocabulary/words.words", WORDS), ("rules/sections/trial.rules", rule)]);
    let diags = compiler.check();
    let found = diags.iter().find(|diag| diag.code == Code::SeveralWhereOne).unwrap();
    assert_eq!(found.message, "`others of P` can be several, and one is meant here: who decides");
    let help = found.help.clone().unwrap();
    assert!(
        help.contains("for each …")
            && help.contains("chooses a …")
            && help.ends_with("or define `others` so that it is one"),
        "{help}"
    );
}
