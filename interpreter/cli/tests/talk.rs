//! What is typed and shown in a game, at Crazy Eights, in which hands are hidden.

use netrep::{Answer, Bot, Data, ErrorKind, FORMAT, saved_format};
use netrep_cli::play::{COMMANDS, Line, Talk};
use netrep_lab::simulate::Chance;

const FILE: &str = r#"```position a hand each
given {
    player Ann, Bob. table T.
    left neighbour of Ann is Bob. left neighbour of Bob is Ann.
    Ann: hand "Two of Clubs", "Nine of Clubs", "Two of Hearts", "Eight of Spades".
    Bob: hand "King of Clubs", "Four of Hearts".
    cards in stock: "Jack of Spades", "Queen of Hearts", "Three of Clubs".
    cards in discard pile: "Three of Spades", "Two of Diamonds".
    wanted suit of T is Hearts.
    at deals of game for T, Bob; turns of round for Ann.
}
```
"#;

/// The game, on its own.
fn data() -> Data {
    Data::of_texts([
        ("rules/eights.words", include_str!("../../../tests/eights/eights.words")),
        ("rules/eights.rules", include_str!("../../../tests/eights/eights.rules")),
        ("cards/eights.cards", include_str!("../../../tests/eights/eights.cards")),
    ])
}

fn begun(seed: u64, random: &[&str]) -> Talk {
    let mut setup = data().rules().position(FILE).unwrap();
    for name in random {
        setup = setup.bot(name, Bot::Random).unwrap();
    }
    Talk::new(setup.begin(seed))
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}

/// All of a game but how often someone was asked: a question that is put again is another one.
fn saved(play: &Talk) -> String {
    let mut saved: serde_json::Value = serde_json::from_str(&play.table.save().unwrap()).unwrap();
    // The seal is that of the question too.
    for field in ["question", "seal"] {
        saved.as_object_mut().unwrap().remove(field).unwrap();
    }
    saved.to_string()
}

fn says(play: &mut Talk, line: &str) -> String {
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
        let said = Answer { seat: "Ann".to_owned(), words: "\"Two of Clubs\"".to_owned() };
        assert_eq!(play.table.answers(), [said]);
        assert_eq!(play.asked().as_deref(), Some("Bob"));
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
    assert!(COMMANDS.iter().all(|command| help.contains(command)), "{help}");
    assert!(says(&mut play, "undo").contains("no answer to take back"));
    assert!(says(&mut play, "save").contains("save FILE"));
    assert!(play.table.answers().is_empty() && play.table.asked().is_some());
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

/// Cards of which a player's view does not speak.
fn unseen(play: &Talk, seat: &str) -> Vec<String> {
    let view = play.table.seat(seat).unwrap().view();
    let seen = |words: &str| view.things.iter().any(|thing| thing.words.contains(words));
    let cards = include_str!("../../../tests/eights/eights.cards").lines();
    let names: Vec<&str> =
        cards.filter(|line| line.starts_with("card ")).filter_map(|line| line.split('"').nth(1)).collect();
    assert!(names.len() > 20, "{names:?}");
    names.into_iter().map(|name| format!("\"{name}\"")).filter(|name| !seen(name)).collect()
}

#[test]
fn nothing_hidden_is_ever_shown() {
    let mut looked = 0;
    for seed in 0..6 {
        let mut play = begun(seed, if seed % 2 == 0 { &[] } else { &["Bob"] });
        let mut chance = Chance::new(seed);
        for _ in 0..120 {
            let Some(seat) = play.asked() else { break };
            let hidden = unseen(&play, &seat);
            let count = play.table.options().len();
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
    let start = saved(&play);
    let mut states = vec![start.clone()];
    for _ in 0..4 {
        assert!(play.answer("decline").moved || play.answer("1").moved);
        states.push(saved(&play));
        if play.table.asked().is_none() {
            break;
        }
    }
    assert!(states.windows(2).all(|pair| pair[0] != pair[1]) && states.len() > 2);
    for state in states.iter().rev().skip(1) {
        assert!(play.answer("undo").moved);
        assert_eq!(&saved(&play), state);
    }
    assert!(!play.answer("undo").moved);
    // The same answers lead to the same game again, the random player's choices included.
    for state in &states[1..] {
        assert!(play.answer("decline").moved || play.answer("1").moved);
        assert_eq!(&saved(&play), state);
    }
    let all = states.len() - 1;
    assert!(says(&mut play, &format!("undo {all}")).contains("taken back"));
    assert_eq!(saved(&play), start);
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
    let there = saved(&play);
    assert_eq!(saved_format(&play.table.save().unwrap()), Some(FORMAT));
    let text = std::fs::read_to_string(&file).unwrap();
    let mut resumed = Talk::new(data().rules().resume(&text).unwrap());
    assert_eq!(saved(&resumed), there);
    for one in [&mut play, &mut resumed] {
        assert!(one.answer("1").moved);
    }
    assert_eq!(saved(&play), saved(&resumed));
    let later = saved(&play);
    assert!(play.answer(&format!("load {}", file.display())).moved);
    assert_eq!(saved(&play), there);
    assert!(play.answer("undo").moved, "a load can be taken back");
    assert_eq!(saved(&play), later);
    for wrong in ["no-such-file.json", &other.display().to_string(), &folder.display().to_string()] {
        assert!(!play.answer(&format!("load {wrong}")).moved, "{wrong}");
    }
    let other = text.replace("\"rules\":\"default\"", "\"rules\":\"others\"");
    assert!(data().rules().resume(&other).unwrap_err().message.contains("played under others, not under default"));
    let broken = text.replace("[\"Ann\",", "[\"Zed\",");
    assert_eq!(data().rules().resume(&broken).unwrap_err().kind, ErrorKind::Saved);
    std::fs::remove_dir_all(&folder).unwrap();
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
        let before = play.table.answers().len();
        let reply = play.answer(line);
        assert!(reply.moved || reply.quit || !reply.lines.is_empty(), "{line:?}");
        assert!(reply.moved || play.table.answers().len() == before, "{line:?}");
        play.question();
        answered += 1;
    }
    assert!(answered > 400);
}
