//! Crazy Eights on the engine that knows no game: hidden hands, a shuffled stock, suits that are named.
//!
//! The rules are data (`eights/`); the situations in `eights/*.md` decide every clause of them. Here thousands of
//! random games keep what must always hold. What each player may know is in `knowledge.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::support::board::named_place;
use crate::support::data::{errors, one_in, program, scenarios_in};
use crate::support::eights::{Table, compiler};
use crate::support::play::{Chance, next, random, take};
use netrep_compiler::Profile;
use netrep_engine::{Chooser, DecisionKind, Game, Submission, ThingId, Value};
use netrep_ir::{Cond, PlaceId};
use netrep_lab::ablate::{Noticed, Which, ablate};
use netrep_lab::memo::Memo;
use netrep_lab::run::{jobs, run};

/// Players of a game, by its number.
fn players(n: u64) -> usize {
    2 + (n % 3) as usize
}

#[test]
fn its_data_compile_without_a_finding() {
    let compiler = compiler();
    let diags = compiler.check();
    assert!(errors(&diags).is_empty(), "{diags:#?}");
    assert!(diags.is_empty(), "advice: {diags:#?}");
    let program = program(&compiler, &Profile::default());
    assert_eq!(program.cards.len(), 52);
    let mut kinds: Vec<_> = program.cards.iter().map(|card| &card.figures[..2]).collect();
    kinds.dedup();
    assert_eq!(kinds.len(), 52, "thirteen ranks of four suits");
}

fn scenarios() -> Vec<Arc<netrep_lab::Scenario>> {
    ["tests/eights/playing.md", "tests/eights/dealing.md"].into_iter().flat_map(scenarios_in).collect()
}

#[test]
fn every_situation_is_decided_as_written() {
    let compiler = compiler();
    let scenarios = scenarios();
    let reports = run(&compiler, &jobs(&scenarios, &Profile::default()), 2, false);
    let failed: Vec<_> = reports.iter().filter(|r| !r.passed()).map(|r| (&r.name, &r.diags)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(reports.len() >= 14, "only {} situations", reports.len());
}

/// Leaving out a clause, or moving a number in one, changes the outcome of some situation.
#[test]
fn every_clause_and_number_is_noticed() {
    let compiler = compiler();
    let scenarios = scenarios();
    // No situation begins with a starter that is wild: that is `a_wild_starter_goes_back`, below.
    let result = ablate(&compiler, &scenarios, Memo::new(), Which::whole(&[]), &[], 2, &mut |_| {});
    assert!(result.failing.is_empty(), "these fail as they are: {:?}", result.failing);
    let unnoticed: Vec<_> = result
        .changes
        .iter()
        .filter(|c| c.outcome == Noticed::Nobody && !c.item.contains('-'))
        .map(|c| format!("{} {} {:?}", c.item, c.label, c.number))
        .collect();
    assert!(unnoticed.is_empty(), "no situation notices: {unnoticed:#?}");
}

/// The shuffling that gives this order, lowest first; the cards that are not named come below.
fn order(table: &Table, game: &Game, top: &[&str]) -> Submission {
    let named: Vec<ThingId> = top.iter().map(|name| table.card(name)).collect();
    let stock = game.in_place(named_place(&table.program, "stock"), None);
    let below = stock.into_iter().filter(|t| !named.contains(t));
    Submission::Shuffled(below.chain(named.iter().rev().copied()).collect())
}

/// Dealt from the top in turn; a wild starter goes back, and the stock is shuffled again.
#[test]
fn a_wild_starter_goes_back() {
    let table = Table::new(4);
    let mut game = table.game();
    assert!(matches!(game.decision().unwrap().kind, DecisionKind::Shuffle { .. }));
    let dealt = [
        "Ace of Clubs",
        "Two of Clubs",
        "Three of Clubs",
        "Four of Clubs",
        "Five of Clubs",
        "Six of Clubs",
        "Seven of Clubs",
        "Nine of Clubs",
        "Ten of Clubs",
        "Jack of Clubs",
        "Queen of Clubs",
        "King of Clubs",
        "Ace of Spades",
        "Two of Spades",
        "Three of Spades",
        "Four of Spades",
        "Five of Spades",
        "Six of Spades",
        "Seven of Spades",
        "Nine of Spades",
        "Eight of Hearts",
        "King of Hearts",
    ];
    let stacked = order(&table, &game, &dealt);
    take(&mut game, &stacked);
    assert!(matches!(game.decision().unwrap().kind, DecisionKind::Shuffle { .. }), "the eight is buried");
    for (i, seat) in table.seats.iter().enumerate() {
        let hand = game.in_place(named_place(&table.program, "hand"), Some(*seat));
        let mut wanted: Vec<ThingId> = dealt.iter().skip(i).step_by(4).take(5).map(|n| table.card(n)).collect();
        wanted.sort_unstable();
        assert_eq!(hand, wanted, "player {i}");
    }
    // Another eight, and then a card that stays.
    for top in ["Eight of Clubs", "Queen of Diamonds"] {
        assert_eq!(game.in_place(named_place(&table.program, "stock"), None).len(), 32);
        let stacked = order(&table, &game, &[top]);
        take(&mut game, &stacked);
    }
    let pile = game.in_place(named_place(&table.program, "discard pile"), None);
    assert_eq!(pile, [table.card("Queen of Diamonds")]);
    assert!(game.holds(&table.cond("wanted suit of T is Diamonds")));
    assert_eq!(game.decision().unwrap().by, Chooser::Seat(table.seats[1]), "the dealer's left neighbour begins");
}

/// What must hold at every decision.
struct Watch {
    hand: PlaceId,
    stock: PlaceId,
    pile: PlaceId,
    won: Cond,
}

impl Watch {
    fn new(table: &Table) -> Watch {
        let place = |name| named_place(&table.program, name);
        let won = table.cond("there is a victorious player");
        Watch { hand: place("hand"), stock: place("stock"), pile: place("discard pile"), won }
    }

    fn check(&self, game: &Game, seats: &[ThingId]) {
        // Every card is in exactly one place.
        let mut seen: BTreeMap<ThingId, u32> = BTreeMap::new();
        let mut count = |things: Vec<ThingId>| things.into_iter().for_each(|t| *seen.entry(t).or_default() += 1);
        seats.iter().for_each(|s| count(game.in_place(self.hand, Some(*s))));
        count(game.in_place(self.stock, None));
        count(game.in_place(self.pile, None));
        assert_eq!(seen.len(), 52);
        assert!(seen.values().all(|n| *n == 1), "{seen:?}");
        let Some(decision) = game.decision() else { return };
        assert!(!game.holds(&self.won), "it goes on after someone has won");
        if let Chooser::Seat(seat) = decision.by {
            assert!(seats.contains(&seat));
            assert!(!game.options().is_empty(), "someone must be able to act");
            assert!(!game.in_place(self.pile, None).is_empty(), "there is a starter");
        }
    }
}

/// Whether a submission of any kind is taken exactly if it is offered.
fn accepted_exactly_if_offered(game: &Game) -> usize {
    let options: Vec<Submission> = game.options();
    let chance = game.decision().is_some_and(|d| d.by == Chooser::Chance);
    let candidates = game.candidates(400);
    let mut refused = 0;
    for candidate in &candidates {
        let taken = game.clone().take(candidate).is_ok();
        assert_eq!(taken, options.contains(candidate), "{}", game.submission_words(candidate));
        refused += usize::from(!taken);
    }
    assert!(chance || options.iter().all(|o| candidates.contains(o)));
    refused
}

/// One in four of two thousand; `EVERY=1` plays all.
#[test]
fn thousands_of_games_keep_the_rules() {
    let tables: Vec<Table> = (2..=4).map(Table::new).collect();
    let watches: Vec<Watch> = tables.iter().map(Watch::new).collect();
    let (mut decisions, mut longest, mut refused, mut drawn) = (0, 0, 0, 0);
    let mut wins = [[0u32; 4]; 3];
    let games = 2_000 / one_in(4) as u64;
    for seed in 0..games {
        let table = &tables[players(seed) - 2];
        let watch = &watches[players(seed) - 2];
        // One game of ten is played from nothing to the end; the others begin with a head start.
        let mut game = table.game_from(if seed % 10 == 0 { 0 } else { 50 * table.seats.len() as i32 - 20 });
        let mut taken = 0;
        let sample = seed % 25 == 0;
        random(&mut game, seed, 20_000, |game| {
            taken += 1;
            if taken % 7 == 1 || sample {
                watch.check(game, &table.seats);
            }
            if sample && taken % 11 == 1 {
                refused += accepted_exactly_if_offered(game);
            }
        });
        watch.check(&game, &table.seats);
        assert!(game.decision().is_none(), "game {seed} does not end");
        decisions += taken;
        longest = longest.max(taken);
        // It ends by the rules: someone has the points, has won, and nobody else has.
        let goal = 50 * i32::try_from(table.seats.len()).unwrap();
        for (i, name) in table.names.iter().enumerate() {
            let won = game.holds(&table.cond(&format!("{name} has won")));
            assert_eq!(won, table.score(&game, i) >= goal, "game {seed}: {name}");
            wins[players(seed) - 2][i] += u32::from(won);
        }
        drawn += usize::from(game.holds(&table.cond("a player has passed")));
    }
    println!("{decisions} decisions, the longest game {longest}; {refused} refusals; someone passed in {drawn} games");
    println!("wins at tables of two, three and four: {wins:?}");
    assert!(refused as u64 > games * 5, "only {refused} refusals");
    for (n, wins) in wins.iter().enumerate() {
        let of_table = &wins[..n + 2];
        assert!(
            of_table.iter().all(|w| u64::from(*w) > games * 3 / 100),
            "all sit at one table, and chance is even: {of_table:?}"
        );
    }
}

#[test]
fn replayed_choices_give_the_same_game() {
    for seed in 0..40 {
        let table = Table::new(players(seed));
        let mut game = table.game();
        let mut chance = Chance::new(seed);
        let mut record: Vec<String> = Vec::new();
        let mut middle = None;
        while let Some(submission) = next(&game, &mut chance, seed) {
            // A choice is recorded as its words, a shuffling by its key alone.
            let by_chance = game.decision().is_some_and(|d| d.by == Chooser::Chance);
            let found = game.options_in_words().into_iter().find(|o| o.1 == submission);
            record.push(if by_chance { String::new() } else { found.expect("an option").0 });
            take(&mut game, &submission);
            if record.len() == 60 {
                middle = Some(game.save());
            }
        }
        let replay = |mut game: Game, record: &[String]| {
            for words in record {
                let submission = if words.is_empty() { game.keyed_roll(seed) } else { game.find(words) };
                take(&mut game, &submission.unwrap_or_else(|| panic!("`{words}` is not offered")));
            }
            game
        };
        assert_eq!(replay(table.game(), &record).position_hash(), game.position_hash(), "seed {seed}");
        let loaded = Game::load(Arc::clone(&table.program), &middle.expect("a long game")).expect("a saved game");
        assert_eq!(replay(loaded, &record[60..]), game, "seed {seed}");
    }
}

/// The seed decides the shuffling, and only that.
#[test]
fn shuffles_are_keyed() {
    let table = Table::new(3);
    let game = table.game();
    let order = |seed| match game.keyed_roll(seed).unwrap() {
        Submission::Shuffled(order) => order,
        other => panic!("{other:?}"),
    };
    assert_eq!(order(1), order(1));
    let mut tops: BTreeMap<ThingId, u32> = BTreeMap::new();
    for seed in 0..2_000 {
        *tops.entry(*order(seed).last().unwrap()).or_default() += 1;
    }
    // 2,000 over 52 is 38 each, with a deviation of 6.
    assert_eq!(tops.len(), 52);
    assert!(tops.values().all(|n| (14..70).contains(n)), "{tops:?}");
    assert!(game.clone().take(&Submission::Shuffled(order(1)[1..].to_vec())).is_err(), "a card is missing");
    assert!(game.clone().take(&Submission::Pick(Value::Thing(table.card("Ace of Spades")))).is_err());
}
