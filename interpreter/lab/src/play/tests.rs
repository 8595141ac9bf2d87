//! Play at Crazy Eights, in which hands are hidden.

use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};

use super::*;
use crate::prepare::prepare;
use crate::scenario::parse;

const FILE: &str = r#"```position a hand each
given {
    player Ann, Bob. table T.
    left neighbour of Ann is Bob. left neighbour of Bob is Ann.
    cards of Ann in hand: "Two of Clubs", "Nine of Clubs", "Two of Hearts", "Eight of Spades".
    cards of Bob in hand: "King of Clubs", "Four of Hearts".
    cards in stock: "Jack of Spades", "Queen of Hearts", "Three of Clubs".
    cards in discard pile: "Three of Spades", "Two of Diamonds".
    wanted suit of T is Hearts.
    begin game for T, Bob at step deals.
    begin round for Ann at step turns.
}
```
"#;

fn game() -> Game {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/eights.words", include_str!("../../../../tests/eights/eights.words"));
    compiler.set_file("rules/eights.rules", include_str!("../../../../tests/eights/eights.rules"));
    compiler.set_file("cards/eights.cards", include_str!("../../../../tests/eights/eights.cards"));
    let parsed = parse("eights.md", FILE, true);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenario = Arc::new(parsed.scenarios.into_iter().next().unwrap());
    let prepared = prepare(&compiler, &scenario, &Profile::default(), &Profile::default()).unwrap();
    crate::driver::start(&prepared).unwrap()
}

fn begun(seed: u64, random: &[&str]) -> Play {
    let chosen: Vec<(String, Who)> = random.iter().map(|name| ((*name).to_owned(), Who::Random)).collect();
    Play::new(game(), "default", seed, &chosen).unwrap()
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}

fn says(play: &mut Play, line: &str) -> String {
    text(&play.answer(line).lines)
}

#[test]
fn who_decides_sees_the_board_and_options_with_numbers() {
    let mut play = begun(1, &[]);
    let shown = text(&play.question());
    for part in [
        "the hand of \"Ann\"\n",
        "\"Two of Clubs\"",
        "the hand of \"Bob\"\n  2 × card, hidden\n",
        "the stock\n  3 × card, hidden\n",
        "Ann: ",
        "(3.1 move)",
        "   1. \"Eight of Spades\"\n",
        "decline\n",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    assert!(!shown.contains("King of Clubs") && !shown.contains("Jack of Spades"), "{shown}");
    assert!(!text(&play.question()).contains("the stock"), "the board is shown once to each");
    assert!(says(&mut play, "board").contains("the stock"));
    let one = says(&mut play, "board two of hearts");
    assert!(one.contains("\"Two of Hearts\": card, in the hand of \"Ann\"") && one.contains("suit: Hearts"), "{one}");
    assert!(says(&mut play, "board King of Clubs").contains("nothing that you can see"));
}

#[test]
fn an_option_is_taken_by_its_number_or_words() {
    for line in ["2", "\"Two of Clubs\"", "two of clubs"] {
        let mut play = begun(1, &[]);
        let shown = text(&play.question());
        assert!(shown.contains("   2. \"Two of Clubs\"\n") && !play.hands_over(), "{shown}");
        let reply = play.answer(line);
        assert!(reply.moved && reply.lines.is_empty(), "{line}: {reply:?}");
        let said = Said { by: "Ann".to_owned(), words: "\"Two of Clubs\"".to_owned() };
        assert_eq!(play.said(), [said]);
        assert_eq!(play.asked().map(|seat| seat.name.as_str()), Some("Bob"));
        assert!(play.hands_over(), "Bob has not seen the board");
        let shown = text(&play.question());
        assert!(shown.contains("  \"Ann\" plays \"Two of Clubs\" ("), "what has happened: {shown}");
        assert!(shown.contains("King of Clubs") && !shown.contains("Nine of Clubs"), "now Bob looks: {shown}");
    }
}

#[test]
fn what_means_nothing_is_answered_with_what_would() {
    let mut play = begun(1, &[]);
    assert!(says(&mut play, "\"Two of").contains("neither an option nor a command"));
    assert!(says(&mut play, "99").contains("options 1 to "));
    assert!(says(&mut play, "0").contains("options 1 to "));
    assert!(says(&mut play, "\"Two of Clbs\"").contains("did you mean"));
    assert!(says(&mut play, "dance").contains("`why dance`"));
    assert!(says(&mut play, "hlep").contains("did you mean `help`"));
    let help = says(&mut play, "help");
    assert!(super::answer::COMMANDS.iter().all(|command| help.contains(command)), "{help}");
    assert!(says(&mut play, "undo").contains("no answer to take back"));
    assert!(says(&mut play, "save").contains("save FILE"));
    assert!(play.said().is_empty() && play.asked().is_some());
    assert!(play.answer("quit").quit);
}

#[test]
fn why_cites_and_tells_nothing_hidden() {
    let mut play = begun(1, &[]);
    assert!(says(&mut play, "why").contains("3.1 move"));
    let can = says(&mut play, "why 1");
    assert!(can.contains("is possible by 3.1 move"), "{can}");
    assert_eq!(says(&mut play, "why \"Eight of Spades\""), can);
    let cannot = says(&mut play, "why nine of clubs");
    assert!(cannot.contains("`\"Nine of Clubs\"` is not possible") && cannot.contains("3.1 move"), "{cannot}");
    // A card that is hidden and one that does not exist are the same to who asks.
    let hidden = says(&mut play, "why \"King of Clubs\"").replace("King of Clubs", "X");
    assert_eq!(hidden, says(&mut play, "why \"X\""));
    assert!(says(&mut play, "why 99").contains("options 1 to "));
}

/// Cards of which a view does not speak.
fn unseen(play: &Play, seat: ThingId) -> Vec<String> {
    let view = play.game.view(seat);
    let seen = |words: &str| view.things.iter().any(|thing| thing.words.contains(words));
    play.game.program().names.iter().map(|name| format!("\"{name}\"")).filter(|name| !seen(name)).collect()
}

#[test]
fn nothing_hidden_is_ever_shown() {
    let mut looked = 0;
    for seed in 0..6 {
        let mut play = begun(seed, if seed % 2 == 0 { &[] } else { &["Bob"] });
        let mut chance = Chance::new(seed);
        for _ in 0..120 {
            let Some(seat) = play.asked().map(|seat| seat.thing) else { break };
            let hidden = unseen(&play, seat);
            let count = play.options().len();
            let mut shown: String = text(&play.question());
            for line in ["board", "why", "why decline", "why 1", "why 2", "why 3"] {
                shown.push_str(&says(&mut play, line));
            }
            for name in &hidden {
                // What was told in its time, when the card lay open, may be told to who was not asked since.
                let old = shown.lines().filter(|line| line.contains(name.as_str())).collect::<Vec<_>>();
                assert!(old.iter().all(|line| line.starts_with("  ") && line.contains('(')), "{name}: {old:#?}");
                assert!(!says(&mut play, &format!("why {name}")).contains("possible"), "{name}");
                looked += 1;
            }
            let number = chance.below(count) + 1;
            assert!(play.answer(&number.to_string()).moved, "an option can be taken");
        }
    }
    assert!(looked > 200, "only {looked} hidden cards were looked for");
}

#[test]
fn an_answer_can_be_taken_back_with_all_that_came_of_it() {
    let mut play = begun(3, &["Bob"]);
    let start = play.saved().unwrap();
    let mut states = vec![start.clone()];
    for _ in 0..4 {
        assert!(play.answer("decline").moved || play.answer("1").moved);
        states.push(play.saved().unwrap());
        if play.asked().is_none() {
            break;
        }
    }
    assert!(states.windows(2).all(|pair| pair[0] != pair[1]) && states.len() > 2);
    for state in states.iter().rev().skip(1) {
        assert!(play.answer("undo").moved);
        assert_eq!(&play.saved().unwrap(), state);
    }
    assert!(!play.answer("undo").moved);
    // The same answers lead to the same game again, the random player's choices included.
    for state in &states[1..] {
        assert!(play.answer("decline").moved || play.answer("1").moved);
        assert_eq!(&play.saved().unwrap(), state);
    }
    let all = states.len() - 1;
    assert!(says(&mut play, &format!("undo {all}")).contains("taken back"));
    assert_eq!(play.saved().unwrap(), start);
}

#[test]
fn a_saved_game_goes_on_in_the_same_way() {
    let folder = std::env::temp_dir().join(format!("netrep-play-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (file, other) = (folder.join("game.json"), folder.join("notes.md"));
    std::fs::write(&other, "notes").unwrap();
    let mut play = begun(5, &["Bob"]);
    assert!(play.answer("decline").moved);
    assert!(says(&mut play, &format!("save {}", file.display())).contains("saved as"));
    assert!(says(&mut play, &format!("save {}", other.display())).contains("no saved game"));
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "notes");
    let there = play.saved().unwrap();
    assert!(is_saved(&there));
    let text = std::fs::read_to_string(&file).unwrap();
    let mut resumed = Play::resume(play.game.shared_program(), "default", &text).unwrap();
    assert_eq!(resumed.saved().unwrap(), there);
    for one in [&mut play, &mut resumed] {
        assert!(one.answer("1").moved);
    }
    assert_eq!(play.saved().unwrap(), resumed.saved().unwrap());
    let later = play.saved().unwrap();
    assert!(play.answer(&format!("load {}", file.display())).moved);
    assert_eq!(play.saved().unwrap(), there);
    assert!(play.answer("undo").moved, "a load can be taken back");
    assert_eq!(play.saved().unwrap(), later);
    for wrong in ["no-such-file.json", &other.display().to_string(), &folder.display().to_string()] {
        assert!(!play.answer(&format!("load {wrong}")).moved, "{wrong}");
    }
    assert!(Play::resume(play.game.shared_program(), "another", &text).unwrap_err().contains("played under default"));
    let broken = text.replace("[\"Ann\",", "[\"Zed\",");
    assert!(Play::resume(play.game.shared_program(), "default", &broken).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn players_are_named_and_one_of_them_is_a_person() {
    let new = |chosen: &[(&str, Who)]| {
        let chosen: Vec<(String, Who)> = chosen.iter().map(|(name, who)| ((*name).to_owned(), *who)).collect();
        Play::new(game(), "default", 1, &chosen)
    };
    let play = new(&[("bob", Who::Random)]).unwrap();
    let seats: Vec<(&str, Who)> = play.seats().iter().map(|seat| (seat.name.as_str(), seat.who)).collect();
    assert_eq!(seats, [("Ann", Who::Me), ("Bob", Who::Random)]);
    assert!(new(&[("Rob", Who::Random)]).unwrap_err().contains("did you mean `Bob`"));
    assert!(new(&[("Ann", Who::Random), ("Bob", Who::Random)]).unwrap_err().contains("must be `me`"));
}

/// Whatever is typed is answered, and what is refused changes nothing.
#[test]
fn any_line_is_answered() {
    let mut play = begun(2, &["Bob"]);
    let mut chance = Chance::new(9);
    let signs: Vec<char> = "\"'#()[]{}:;,.0123456789 \u{0}\u{1b}éß\u{301}🙂 why undo load".chars().collect();
    let mut answered = 0;
    let fixed =
        ["", " ", "\"", "\"\"", "why \"", "why \"\"", "why why", "board \"", "undo -1", "undo 99999999999999999999"];
    let random = (0..400).map(|_| {
        let length = chance.below(12);
        (0..length).map(|_| signs[chance.below(signs.len())]).collect::<String>()
    });
    let lines: Vec<String> = fixed.iter().map(|line| (*line).to_owned()).chain(random.collect::<Vec<_>>()).collect();
    for line in lines.iter().chain([&"x".repeat(100_000)]) {
        let before = play.said().len();
        let reply = play.answer(line);
        assert!(reply.moved || reply.quit || !reply.lines.is_empty(), "{line:?}");
        assert!(reply.moved || play.said().len() == before, "{line:?}");
        play.question();
        answered += 1;
    }
    assert!(answered > 400);
}
