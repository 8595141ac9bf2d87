//! The decks of the repository on its table, and what is wrong with those that are not well written.

use netrep_compiler::Profile;
use netrep_diagnostics::Code;
use netrep_lab::Library;
use netrep_lab::decks::{Deck, decks};
use netrep_lab::driver::start;
use netrep_lab::simulate::{End, Plan, Player, csv, simulate, summary, svg};

use crate::support::data::library;

fn two(library: &Library) -> Vec<Deck> {
    ["Rivendell", "decks/lorien.md"].iter().map(|name| library.deck(name).expect("a deck")).collect()
}

/// Whole games from the decks to the council: none gets stuck, none breaks a law of the rules, and all are decided.
#[test]
fn whole_games_end_by_the_rules() {
    let library = library();
    let prepared = library.table(&two(&library), &Profile::default()).expect("the table");
    let game = start(&prepared).expect("a legal position");
    let games = std::env::var("WHOLE_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    let plan = Plan { games, sample: 800, again: 10, ..Plan::default() };
    let simulation = simulate(&game, &plan);
    println!("{:?}", simulation.counts);
    assert!(simulation.passed(), "{:#?}", simulation.failures.first());
    assert!(simulation.played.iter().all(|game| game.end == End::Over && game.clock > 2));
    let decided = |outcome: &str| matches!(outcome, "Won" | "Lost" | "Tied");
    assert!(simulation.played.iter().flat_map(|game| &game.seats).all(|seat| decided(&seat.outcome)));
    // What won says, the other side lost.
    let sum = summary(&simulation.played);
    let of = |name: &str, outcome: &str| sum.outcomes[name].get(outcome).copied().unwrap_or_default();
    assert_eq!(of("Jessica", "Won"), of("Jason", "Lost"));
    assert_eq!(of("Jessica", "Tied"), of("Jason", "Tied"));
    assert!(!sum.cards.is_empty() && sum.cards.is_sorted_by(|a, b| a.1 >= b.1));
    assert_eq!(csv(&simulation.played).lines().count(), 1 + 2 * usize::try_from(games).unwrap());
    let chart = svg(&simulation.played);
    assert!(chart.starts_with("<svg") && chart.ends_with("</svg>\n") && chart.contains("<rect"));
}

/// So do games of three, four and five, with the hazard-opponent to the left and with another one each turn: who has lost plays
/// no more, and at the end nobody is undecided.
#[test]
fn games_of_several_end_by_the_rules() {
    let library = library();
    let decks = ["Rivendell", "Saruman", "Radagast", "Alatar", "Pallando"];
    let decks: Vec<Deck> = decks.iter().map(|name| library.deck(name).expect("a deck")).collect();
    let wanted = std::env::var("WHOLE_GAMES").ok().and_then(|n| n.parse().ok());
    let games = wanted.unwrap_or(1);
    // Who the hazards come from matters most where there are more than two whom it could be.
    let rotating = if wanted.is_some() { 3..=5 } else { 4..=4 };
    for (variant, of) in [("several-players", 3..=5), ("rotating-hazards", rotating)] {
        let profile = Profile::default().variant(variant);
        for players in of {
            let prepared = library.table(&decks[..players], &profile).expect("the table");
            // How many play changes nothing of how a game is recorded and saved.
            let again = u64::from(players == 3);
            let plan = Plan { games, sample: 800, again, ..Plan::default() };
            let simulation = simulate(&start(&prepared).expect("a legal position"), &plan);
            assert!(simulation.passed(), "{variant}, {players}: {:#?}", simulation.failures.first());
            for game in &simulation.played {
                assert!(game.end == End::Over && game.seats.len() == players, "{variant}, {players}");
                let winners = game.seats.iter().filter(|seat| seat.outcome == "Won").count();
                assert!(
                    winners <= 1 && game.seats.iter().all(|seat| seat.outcome != "Undecided"),
                    "{variant}, {players}"
                );
            }
        }
    }
}

/// One player alone has no table yet: he is told for how many there is one.
#[test]
fn a_game_of_one_is_refused_by_name() {
    let library = library();
    let alone = [library.deck("Rivendell").expect("a deck")];
    let found = library.table(&alone, &Profile::default()).expect_err("nobody plays alone");
    assert_eq!(found[0].code, Code::OtherNumberOfDecks);
    assert_eq!(found[0].message, "there is no table for 1 decks, but for 2, 3, 4, 5 players");
}

/// The greedy player comes to the end too.
#[test]
fn a_greedy_game_ends() {
    let library = library();
    let prepared = library.table(&two(&library), &Profile::default()).expect("the table");
    let plan = Plan { games: 1, seed: 3, player: Player::Greedy, sample: 0, again: 0, ..Plan::default() };
    let simulation = simulate(&start(&prepared).expect("a legal position"), &plan);
    assert!(simulation.passed(), "{:#?}", simulation.failures.first());
    assert_eq!(simulation.played[0].end, End::Over);
}

/// A deck that the rules refuse is refused before a game begins, with all their reasons, and the other deck is not blamed.
#[test]
fn an_illegal_deck_is_an_error_with_its_reasons() {
    let library = library();
    let text = "```deck Mine\ncards in play deck: 4 \"Block\".\ncards in location deck: \"Rivendell\".\n```\n";
    let mine = decks("mine.md", text).expect("it can be read").remove(0);
    let legal = library.deck("Rivendell").expect("a deck");
    for decks in [vec![mine.clone(), legal.clone()], vec![legal, mine]] {
        let found = library.table(&decks, &Profile::default()).expect_err("it is illegal");
        assert_eq!(found.iter().map(|diag| diag.code).collect::<Vec<_>>(), [Code::IllegalDeck]);
        assert_eq!(found[0].place.file, "mine.md");
        let reasons = found[0].help.clone().expect("reasons");
        for rule in ["1.5 resources", "1.5.1 twelve", "1.3.1 three", "\"Block\" #4"] {
            assert!(reasons.contains(rule), "{rule}: {reasons}");
        }
    }
}

/// More copies than are read are told by name, and take no time.
#[test]
fn a_deck_without_bounds_is_refused() {
    let library = library();
    let table = |text: &str| {
        let deck = decks("mine.md", text).expect("it can be read").remove(0);
        let found = library.table(&[deck.clone(), deck], &Profile::default()).expect_err("it is too large");
        found.into_iter().map(|diag| (diag.code, diag.place.file)).next().expect("why")
    };
    let entries = vec!["100 \"Block\""; 2_000].join(", ");
    for cards in ["1000000 \"Block\"", "99999999999999 \"Block\"", &entries] {
        let text = format!("```deck Mine\ncards in play deck: {cards}.\n```\n");
        assert_eq!(table(&text), (Code::TooMuch, "mine.md".into()));
    }
    let sentences = "cards in play deck: 100 \"Block\".\n".repeat(1_000);
    assert_eq!(table(&format!("```deck Mine\n{sentences}```\n")).0, Code::TooMuch);
}

/// Mistakes have their place in the file in which they stand.
#[test]
fn what_is_wrong_with_a_deck_is_said_in_its_file() {
    let library = library();
    let table = |text: &str| {
        let deck = decks("mine.md", text).expect("it can be read").remove(0);
        let decks = vec![deck, library.deck("Rivendell").expect("a deck")];
        library.table(&decks, &Profile::default()).expect_err("it is wrong").remove(0)
    };
    let text = "# Mine\n\n```deck Mine\ncards in pool: \"Aragorn II\", 2 \"Elladam\".\n```\n";
    let diag = table(text);
    assert_eq!((diag.code, diag.place.file.as_str()), (Code::UnknownCard, "mine.md"));
    assert_eq!(&text[diag.place.start as usize..diag.place.end as usize], "\"Elladam\"");
    assert!(diag.help.unwrap().contains("Elladan"));
    let diag = table("```deck Mine\n\"Aragorn II\" is tapped.\n```\n");
    assert_eq!((diag.code, diag.place.file.as_str()), (Code::DeckSentence, "mine.md"));
    let code = |found: Vec<netrep_compiler::Diagnostic>| found.into_iter().map(|d| d.code).collect::<Vec<_>>();
    assert_eq!(code(library.deck("Nowhere").unwrap_err()), [Code::UnknownDeck]);
    assert_eq!(code(library.table(&two(&library)[..1], &Profile::default()).unwrap_err()), [Code::OtherNumberOfDecks]);
    assert!(decks("mine.md", "```deck Mine\ncards in pool: \"A\n```\n").is_err());
}
