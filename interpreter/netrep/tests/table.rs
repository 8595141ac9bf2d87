//! Tables, on a game with hidden hands (Crazy Eights) and on the data that are built in.

use netrep::{Bot, Data, Error, ErrorKind, Event, FORMAT, Offer, Setup, Table, saved_format};

const POSITION: &str = r#"```position a hand each
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

fn eights() -> Data {
    Data::of_texts([
        ("rules/eights.words", include_str!("../../../tests/eights/eights.words")),
        ("rules/eights.rules", include_str!("../../../tests/eights/eights.rules")),
        ("cards/eights.cards", include_str!("../../../tests/eights/eights.cards")),
    ])
}

fn setup() -> Setup {
    eights().rules().position(POSITION).unwrap()
}

fn words(table: &Table) -> Vec<String> {
    table.options().into_iter().map(|offer| offer.words).collect()
}

fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    result.unwrap_err().kind
}

#[test]
fn an_option_is_taken_as_it_was_offered_or_by_its_words() {
    for said in ["\"Two of Clubs\"", "two of clubs", "TWO OF CLUBS"] {
        let mut table = setup().begin(1);
        assert_eq!(table.asked().map(|seat| seat.name()), Some("Ann"));
        table.answer("ann", said).unwrap();
        assert_eq!(table.asked().map(|seat| seat.name()), Some("Bob"));
        assert_eq!(table.answers().iter().map(|one| one.words.as_str()).collect::<Vec<_>>(), ["\"Two of Clubs\""]);
    }
    let mut table = setup().begin(1);
    let offer = table.options().into_iter().find(|offer| offer.words == "\"Two of Clubs\"").unwrap();
    // As a client sends it back.
    let sent: Offer = serde_json::from_str(&serde_json::to_string(&offer).unwrap()).unwrap();
    table.take(&sent).unwrap();
    assert_eq!(table.answers().len(), 1);
}

#[test]
fn an_answer_that_comes_too_late_or_from_another_is_refused() {
    let mut table = setup().begin(1);
    let offers = table.options();
    let before = table.hash();
    let theirs = Offer { seat: "Bob".to_owned(), ..offers[0].clone() };
    assert_eq!(kind(table.take(&theirs)), ErrorKind::NotAsked);
    assert_eq!(kind(table.answer("Bob", "\"King of Clubs\"")), ErrorKind::NotAsked);
    assert_eq!(kind(table.answer("Zed", "pass")), ErrorKind::Unknown);
    let made_up = Offer { words: "\"King of Clubs\"".to_owned(), ..offers[0].clone() };
    assert_eq!(kind(table.take(&made_up)), ErrorKind::Refused);
    assert_eq!(kind(table.answer("Ann", "\"King of Clubs\"")), ErrorKind::Words);
    assert_eq!(table.hash(), before, "what is refused changes nothing");
    table.take(&offers[0]).unwrap();
    assert!(table.undo());
    assert_eq!(table.hash(), before);
    assert_eq!(kind(table.take(&offers[0])), ErrorKind::Stale, "the question was put again since");
    table.take(&table.options()[0].clone()).unwrap();
}

#[test]
fn words_that_mean_several_options_say_which() {
    let mut table = setup().begin(1);
    let error = table.answer("Ann", "two of").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Words, "{error}");
    let seat = table.seat("Ann").unwrap();
    let near = seat.meant("\"Two of Clbs\"").unwrap_err();
    assert!(near.message.contains("did you mean"), "{near}");
}

#[test]
fn undo_save_and_fork_lead_back_to_the_same_game() {
    let mut table = setup().bot("Bob", Bot::Random).unwrap().begin(3);
    let mut states = vec![table.hash()];
    while table.asked().is_some() && states.len() < 6 {
        let offer = table.options().pop().unwrap();
        table.take(&offer).unwrap();
        states.push(table.hash());
    }
    assert!(states.len() > 2);
    let fork = table.clone();
    let saved = table.save().unwrap();
    for state in states.iter().rev().skip(1) {
        assert!(table.undo());
        assert_eq!(table.hash(), *state);
    }
    assert!(!table.undo(), "there is nothing before the first answer");
    assert_eq!(fork.hash(), *states.last().unwrap(), "a fork goes its own way");
    let data = eights();
    let resumed = data.rules().resume(&saved).unwrap();
    assert_eq!((resumed.hash(), resumed.answers()), (fork.hash(), fork.answers()));
    assert_eq!(words(&resumed), words(&fork));
    table.load(&saved).unwrap();
    assert_eq!(table.hash(), fork.hash());
    assert!(table.undo() && table.hash() == states[0], "a load can be taken back");
}

/// Whatever byte of a saved game is another one, it is refused, or it is the same game.
#[test]
fn every_byte_of_a_saved_game_counts() {
    let data = eights();
    let table = setup().begin(1);
    let saved = table.save().unwrap().into_bytes();
    let mut refused = 0;
    for at in 0..saved.len() {
        // A neighbour, another case, and something far off.
        for bit in [0x01, 0x20, 0x10] {
            let mut other = saved.clone();
            other[at] ^= bit;
            let Ok(text) = String::from_utf8(other) else { continue };
            match data.rules().resume(&text) {
                Ok(again) => assert_eq!((again.hash(), again.answers()), (table.hash(), table.answers()), "byte {at}"),
                Err(error) => {
                    assert_eq!(error.kind, ErrorKind::Saved, "byte {at}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > saved.len(), "{refused} of three times {}", saved.len());
}

#[test]
fn a_saved_game_of_another_format_is_refused_by_name() {
    let saved = setup().begin(1).save().unwrap();
    assert_eq!(saved_format(&saved), Some(FORMAT));
    let data = eights();
    let other = saved.replace(&format!("\"format\":{FORMAT}"), "\"format\":99");
    let error = data.rules().resume(&other).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Saved);
    assert!(
        error.message.contains("format 99") && error.message.contains(&format!("format {FORMAT} is read")),
        "{error}"
    );
    let first = r#"{"netrep_play":1,"profile":"default","seed":1,"chance":1,"seats":[],"game":{}}"#;
    assert_eq!(saved_format(first), Some(1));
    assert!(data.rules().resume(first).unwrap_err().message.contains("format 1"));
    assert_eq!(saved_format("# notes"), None);
    assert_eq!(kind(data.rules().resume("# notes")), ErrorKind::Saved);
    let others = saved.replace("\"rules\":\"default\"", "\"rules\":\"others\"");
    assert!(data.rules().resume(&others).unwrap_err().message.contains("played under others"));
    let others = saved.replace("\"by_hand\":false", "\"by_hand\":true");
    assert!(data.rules().resume(&others).unwrap_err().message.contains("seal"));
}

/// Whatever a seat gives out, as one text.
fn given_out(table: &Table, name: &str) -> String {
    let seat = table.seat(name).unwrap();
    let mut text = serde_json::to_string(&(seat.view(), seat.options(), seat.events(), seat.asked_by())).unwrap();
    for words in ["two of clubs", "king of clubs", "four of hearts", "jack of spades", "decline"] {
        text.push_str(&format!("{:?}{:?}", seat.why(words), seat.may_mean(words)).replace(words, ""));
        text.push_str(&format!("{:?}", seat.number(words, "points")).replace(words, ""));
    }
    text
}

/// The same position but for what Ann cannot see: Bob's cards and the stock are exchanged.
#[test]
fn a_seat_gives_out_nothing_that_is_hidden() {
    let swapped = POSITION
        .replace("\"King of Clubs\", \"Four of Hearts\"", "\"Jack of Spades\", \"Queen of Hearts\"")
        .replace("stock: \"Jack of Spades\", \"Queen of Hearts\"", "stock: \"King of Clubs\", \"Four of Hearts\"");
    assert_ne!(POSITION, swapped);
    let data = eights();
    let begun = |text: &str| data.rules().position(text).unwrap().begin(1);
    let (mut one, mut other) = (begun(POSITION), begun(&swapped));
    assert_ne!(one.hash(), other.hash());
    assert_eq!(given_out(&one, "Ann"), given_out(&other, "Ann"));
    assert_ne!(given_out(&one, "Bob"), given_out(&other, "Bob"), "Bob sees his hand");
    for table in [&mut one, &mut other] {
        table.answer("Ann", "\"Two of Clubs\"").unwrap();
    }
    assert_eq!(given_out(&one, "Ann"), given_out(&other, "Ann"), "Bob is asked, and his options are his");
    assert!(one.seat("Ann").unwrap().options().is_empty() && !one.seat("Bob").unwrap().options().is_empty());
}

#[test]
fn events_are_told_to_each_and_only_grow() {
    let mut table = setup().begin(1);
    let heard = |table: &Table, name: &str| table.seat(name).unwrap().events().to_vec();
    assert!(heard(&table, "Bob").is_empty());
    table.answer("Ann", "\"Two of Clubs\"").unwrap();
    let first = heard(&table, "Bob");
    assert!(
        first.iter().any(|event| matches!(event, Event::Happened(text) if text.contains("Two of Clubs"))),
        "{first:?}"
    );
    table.undo();
    let after = heard(&table, "Bob");
    assert_eq!(after.split_last(), Some((&Event::TakenBack, first.as_slice())));
}

#[test]
fn why_cites_the_clause_for_the_table_and_for_a_seat() {
    let table = setup().begin(1);
    let seat = table.seat("Ann").unwrap();
    let can = seat.why("\"Two of Clubs\"").unwrap();
    assert!(can.is_legal && can.by.label == "3.1 move" && can.reasons.is_empty(), "{can}");
    let cannot = seat.why("nine of clubs").unwrap();
    assert!(!cannot.is_legal && !cannot.reasons.is_empty() && cannot.would_be_legal_if.is_empty(), "{cannot}");
    assert!(!table.why("nine of clubs").unwrap().is_legal);
    assert_eq!(kind(table.seat("Bob").unwrap().why("\"King of Clubs\"")), ErrorKind::NotAsked);
    assert_eq!(kind(seat.why("\"King of Clubs\"")), ErrorKind::Words, "what is hidden is as if it were not there");
}

#[test]
fn names_that_mean_nothing_are_refused_with_what_may_be_meant() {
    let data = eights();
    assert_eq!(kind(data.rules().edition("none").position(POSITION).map(|_| ())), ErrorKind::Unknown);
    assert_eq!(kind(data.rules().as_of("tomorrow").position(POSITION).map(|_| ())), ErrorKind::Unknown);
    let error = setup().bot("Rob", Bot::Random).map(|_| ()).unwrap_err();
    assert!(error.message.contains("did you mean `Bob`"), "{error}");
    let error =
        data.rules().position("```position x\ngiven { player Ann. nonsense here. }\n```\n").map(|_| ()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Data);
    assert!(error.diagnostics.iter().all(|found| found.is_error && found.places[0].line == 2), "{error:?}");
}

#[test]
fn a_table_can_be_moved_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Table>();
    is_send::<Setup>();
}

// ---- the data that are built in

#[test]
fn the_built_in_data_are_whole_and_name_no_folder_of_a_machine() {
    let root = std::path::Path::new("../..");
    let all = netrep::built_in::DATA.iter().chain(netrep::built_in::TESTS);
    for (path, text) in all {
        assert!(!path.starts_with('/') && !path.contains(".."), "{path}");
        assert_eq!(std::fs::read_to_string(root.join(path)).unwrap(), *text, "{path}");
    }
    let sorted = |list: &[(&str, &str)]| list.is_sorted_by(|a, b| a.0 < b.0);
    assert!(sorted(netrep::built_in::DATA), "the list is the same on every machine");
    let (built, folder) = (Data::built_in(), Data::folder(root).unwrap());
    assert_eq!(built.editions(), folder.editions());
    assert!(built.editions().iter().any(|edition| edition.is_default));
    let names = |data: &Data| data.decks().unwrap().iter().map(|deck| deck.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&built), names(&folder));
    let hash = |data: &Data| data.rules().table(&data.decks().unwrap()[..2]).unwrap().begin(5).hash();
    assert_eq!(hash(&built), hash(&folder), "the same game from either");
}

#[test]
fn a_number_is_told_modifier_by_modifier_to_who_may_know_it() {
    let data = Data::built_in();
    let table = data.rules().position(include_str!("../examples/judge.md")).unwrap().begin(1);
    let seat = table.asked().unwrap();
    let view = seat.view();
    let numbers = |thing: &netrep::Thing| {
        let told = thing.facts.iter().filter_map(|fact| Some((fact.name.clone(), fact.value.parse::<i32>().ok()?)));
        told.collect::<Vec<_>>()
    };
    let mut told = 0;
    for thing in &view.things {
        for (name, value) in numbers(thing) {
            if let Ok(found) = seat.number(&thing.words, &name) {
                assert_eq!(found.value, value, "{name} of {}", thing.words);
                assert_eq!(table.number(&thing.words, &name).map(|all| all.value), Ok(value));
                told += 1;
            }
        }
    }
    assert!(told > 20, "only {told} numbers were told");
    assert_eq!(kind(seat.number("no such thing", "points")), ErrorKind::Unknown);
}
