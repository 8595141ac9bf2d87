//! Hearts on the engine that knows no game: tricks, prohibitions that last, cards that are passed three at a time.
//!
//! The rules are data (`hearts/`), and the situations in `hearts/*.md` decide every clause of them. Here whole games are
//! compared, decision by decision, with the rules as they are printed, said once more in Rust.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::data::{errors, scenarios_in};
use crate::support::hearts::{FILES, Table, compiler};
use crate::support::play::{Chance, next, take};
use netrep_compiler::Profile;
use netrep_diagnostics::Code;
use netrep_engine::{Chooser, Game, Submission, ThingId, Value};
use netrep_lab::Scenario;
use netrep_lab::ablate::{Noticed, Which, ablate};
use netrep_lab::memo::Memo;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;
use netrep_lab::simulate::{Plan, simulate};

#[test]
fn its_data_compile_without_a_finding() {
    let diags = compiler().check();
    assert!(errors(&diags).is_empty(), "{diags:#?}");
    assert!(diags.is_empty(), "advice: {diags:#?}");
    let program = Table::new().program;
    let kinds: BTreeSet<String> = program.cards.iter().map(|card| format!("{:?}", &card.figures[..2])).collect();
    assert_eq!((program.cards.len(), kinds.len()), (52, 52), "thirteen heights of four suits");
}

/// A game with spans, moments and choices of several takes so little; no line is longer than those of other data.
#[test]
fn its_data_are_under_two_hundred_and_fifty_lines() {
    let lines: Vec<&str> = FILES.iter().flat_map(|(_, text)| text.lines()).collect();
    assert!(lines.len() < 250, "{} lines", lines.len());
    let long: Vec<_> = lines.iter().filter(|line| line.chars().count() > 120).collect();
    assert!(long.is_empty(), "{long:#?}");
}

fn scenarios() -> Vec<Arc<Scenario>> {
    ["tests/hearts/dealing.md", "tests/hearts/playing.md"].into_iter().flat_map(scenarios_in).collect()
}

#[test]
fn every_situation_is_decided_as_written() {
    let scenarios = scenarios();
    let reports = run(&compiler(), &jobs(&scenarios, &Profile::default()), 2, false);
    let failed: Vec<_> = reports.iter().filter(|r| !r.passed()).map(|r| (&r.name, &r.diags)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(reports.len() >= 20, "only {} situations", reports.len());
}

/// Leaving out a clause, or moving a number in one, changes the outcome of some situation.
#[test]
fn every_clause_and_number_is_noticed() {
    let scenarios = scenarios();
    let result = ablate(&compiler(), &scenarios, Memo::new(), Which::whole(&[]), &[], 2, &mut |_| {});
    assert!(result.failing.is_empty(), "these fail as they are: {:?}", result.failing);
    let nobody = result.changes.iter().filter(|c| c.outcome == Noticed::Nobody && !c.item.contains('-'));
    let unnoticed: Vec<_> = nobody.map(|c| format!("{} {} {:?}", c.item, c.label, c.number)).collect();
    // How many play is noticed by the next test: no situation can be one that is impossible.
    assert_eq!(unnoticed, ["1 four None"]);
}

#[test]
fn four_play() {
    for (seats, possible) in
        [("Ann, Bob, Cid", false), ("Ann, Bob, Cid, Dot", true), ("Ann, Bob, Cid, Dot, Eve", false)]
    {
        let text = format!(
            "```scenario seats\nseed 1.\ngiven {{ player {seats}. at keeping of round for Ann. }}\nexpect {{ score of Ann is 0. }}\n```\n"
        );
        let scenarios: Vec<_> = parse("seats.md", &text, false).scenarios.into_iter().map(Arc::new).collect();
        let reports = run(&compiler(), &jobs(&scenarios, &Profile::default()), 1, false);
        let codes: Vec<Code> = reports.iter().flat_map(|r| &r.diags).map(|diag| diag.code).collect();
        assert_eq!(codes, if possible { vec![] } else { vec![Code::ImpossiblePosition] }, "{seats}");
    }
}

/// A card: its suit, and its height from 2 to 14.
type Card = (char, u32);

/// The card of a name like `"Ten of Spades"`.
fn card(words: &str) -> Card {
    let heights =
        ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace"];
    let (height, suit) = words.trim_matches('"').split_once(" of ").expect("a card");
    let at = heights.iter().position(|h| *h == height).expect("a height");
    (suit.chars().next().expect("a suit"), 2 + u32::try_from(at).unwrap())
}

fn points(card: Card) -> i32 {
    match card {
        ('H', _) => 1,
        ('S', 12) => 13,
        _ => 0,
    }
}

/// What is to be done in a deal.
enum Phase {
    Shuffling,
    /// Who passes, how many have before him, and what he has laid down so far.
    Passing(usize, usize, Vec<Card>),
    Playing,
}

/// What Hearts is, in Rust: the reference that the engine is compared with.
struct Reference {
    dealer: usize,
    hands: [BTreeSet<Card>; 4],
    passed: [Vec<Card>; 4],
    phase: Phase,
    /// Who plays next; who played what in the trick.
    turn: usize,
    trick: Vec<(usize, Card)>,
    first: bool,
    broken: bool,
    taken: [i32; 4],
    scores: [i32; 4],
    deals: usize,
}

impl Reference {
    fn new() -> Reference {
        Reference {
            dealer: 0,
            hands: Default::default(),
            passed: Default::default(),
            phase: Phase::Shuffling,
            turn: 0,
            trick: Vec::new(),
            first: true,
            broken: false,
            taken: [0; 4],
            scores: [0; 4],
            deals: 0,
        }
    }

    /// To the left, to the right, across, and not at all.
    fn distance(&self) -> usize {
        [1, 3, 2, 0][self.deals % 4]
    }

    fn over(&self) -> bool {
        matches!(self.phase, Phase::Shuffling) && self.scores.iter().any(|score| *score >= 100)
    }

    /// Cards from the top of the pack.
    fn shuffled(&mut self, cards: &[Card]) {
        for (i, card) in cards.iter().enumerate() {
            self.hands[(self.dealer + 1 + i) % 4].insert(*card);
        }
        if self.distance() == 0 {
            self.begin();
        } else {
            self.phase = Phase::Passing((self.dealer + 1) % 4, 0, Vec::new());
        }
    }

    fn begin(&mut self) {
        self.phase = Phase::Playing;
        (self.first, self.broken, self.taken) = (true, false, [0; 4]);
        self.turn = self.hands.iter().position(|hand| hand.contains(&('C', 2))).expect("somebody has it");
    }

    /// Who is asked, and what he may answer.
    fn asked(&self) -> (usize, BTreeSet<Card>) {
        match &self.phase {
            Phase::Shuffling => (self.dealer, BTreeSet::new()),
            Phase::Passing(who, _, laid) => {
                (*who, self.hands[*who].iter().filter(|c| !laid.contains(c)).copied().collect())
            }
            Phase::Playing => (self.turn, self.playable()),
        }
    }

    fn playable(&self) -> BTreeSet<Card> {
        let hand = &self.hands[self.turn];
        let only = |keep: &dyn Fn(&Card) -> bool, from: &BTreeSet<Card>| -> BTreeSet<Card> {
            let kept: BTreeSet<Card> = from.iter().filter(|c| keep(c)).copied().collect();
            if kept.is_empty() { from.clone() } else { kept }
        };
        match self.trick.first() {
            None if self.first => only(&|c| *c == ('C', 2), hand),
            None if !self.broken => only(&|c| c.0 != 'H', hand),
            None => hand.clone(),
            Some((_, led)) => {
                let following = only(&|c| c.0 == led.0, hand);
                if self.first { only(&|c| points(*c) == 0, &following) } else { following }
            }
        }
    }

    fn answer(&mut self, card: Card) {
        if let Phase::Passing(who, before, laid) = &mut self.phase {
            laid.push(card);
            if laid.len() < 3 {
                return;
            }
            let (who, before, laid) = (*who, *before, std::mem::take(laid));
            laid.iter().for_each(|card| assert!(self.hands[who].remove(card)));
            self.passed[(who + self.distance()) % 4] = laid;
            self.phase = Phase::Passing((who + 1) % 4, before + 1, Vec::new());
            if before == 3 {
                for (hand, passed) in self.hands.iter_mut().zip(&mut self.passed) {
                    hand.extend(passed.drain(..));
                }
                self.begin();
            }
            return;
        }
        assert!(self.hands[self.turn].remove(&card));
        self.broken |= card.0 == 'H';
        self.trick.push((self.turn, card));
        self.turn = (self.turn + 1) % 4;
        if self.trick.len() == 4 {
            let led = self.trick[0].1.0;
            let best = self.trick.iter().filter(|(_, c)| c.0 == led).max_by_key(|(_, c)| c.1);
            self.turn = best.expect("who led").0;
            self.taken[self.turn] += self.trick.drain(..).map(|(_, c)| points(c)).sum::<i32>();
            self.first = false;
        }
        if self.hands.iter().all(BTreeSet::is_empty) {
            let moon = self.taken.iter().position(|taken| *taken == 26);
            for (player, score) in self.scores.iter_mut().enumerate() {
                *score += moon.map_or(self.taken[player], |who| if who == player { 0 } else { 26 });
            }
            self.phase = Phase::Shuffling;
            self.dealer = (self.dealer + 1) % 4;
            self.deals += 1;
        }
    }
}

/// A game at random beside the reference; says how many deals there were, and whether somebody shot the moon.
fn compared(table: &Table, seed: u64) -> (usize, bool) {
    let (mut game, mut known, mut chance) = (table.game(), Reference::new(), Chance::new(seed));
    let named = |game: &Game, thing: ThingId| card(&game.thing_words(thing));
    let mut moon = false;
    while let Some(submission) = next(&game, &mut chance, seed) {
        let (by, legal) = known.asked();
        match &submission {
            Submission::Shuffled(order) => {
                let top: Vec<Card> = order.iter().rev().map(|thing| named(&game, *thing)).collect();
                assert!(matches!(known.phase, Phase::Shuffling), "seed {seed}: shuffled in the course of a deal");
                known.shuffled(&top);
            }
            Submission::Pick(Value::Thing(thing)) => {
                assert_eq!(game.decision().map(|d| d.by), Some(Chooser::Seat(table.seats[by])), "seed {seed}");
                let offered: BTreeSet<Card> = game
                    .options()
                    .iter()
                    .map(|option| match option {
                        Submission::Pick(Value::Thing(thing)) => named(&game, *thing),
                        other => panic!("seed {seed}: {}", game.submission_words(other)),
                    })
                    .collect();
                assert_eq!(offered, legal, "seed {seed}, deal {}", known.deals);
                let before = known.scores;
                known.answer(named(&game, *thing));
                let gained: Vec<i32> = known.scores.iter().zip(before).map(|(now, before)| now - before).collect();
                moon |= gained.iter().filter(|n| **n == 26).count() == 3;
            }
            other => panic!("seed {seed}: {}", game.submission_words(other)),
        }
        take(&mut game, &submission);
        let scores: Vec<i32> = (0..4).map(|player| table.score(&game, player)).collect();
        assert_eq!(scores, known.scores, "seed {seed}, deal {}", known.deals);
    }
    assert!(known.over(), "seed {seed}: it ends before somebody has a hundred");
    let least = known.scores.iter().min().expect("four");
    for (name, score) in ["Ann", "Bob", "Cid", "Dot"].iter().zip(&known.scores) {
        assert_eq!(table.holds(&game, &format!("{name} has won")), score == least, "seed {seed}: {name}");
    }
    (known.deals, moon)
}

/// Offered is exactly what the printed rules allow, at every decision of whole games, and the points are theirs.
#[test]
fn whole_games_are_those_of_the_printed_rules() {
    let table = Table::new();
    let games: Vec<(usize, bool)> = (0..40).map(|seed| compared(&table, seed)).collect();
    println!("deals: {games:?}");
    assert!(games.iter().all(|(deals, _)| *deals >= 4), "a deal gives nobody more than twenty-six");
    assert!(games.iter().any(|(deals, _)| *deals > 8), "and the round of four begins again");
}

#[test]
fn random_games_keep_the_laws_and_are_played_again() {
    let simulation = simulate(&Table::new().game(), &Plan { games: 12, sample: 40, again: 3, ..Plan::default() });
    println!("{:?}", simulation.counts);
    assert!(simulation.passed(), "{:#?}", simulation.failures);
    assert_eq!((simulation.counts.ended, simulation.counts.replays, simulation.counts.loads), (12, 4, 4));
}
