//! No view reveals what its player may not know, ids and options included.
//!
//! The property is non-interference. From a position other worlds are made that a player cannot tell from it: hidden
//! cards in other hidden places, or turned into other cards; then his view must be the same, byte for byte, and stay the
//! same while the same is done in both worlds and nothing comes to light. And the same game with all its cards numbered
//! otherwise must give every player the same views from beginning to end.
//!
//! What is kept of a view from decision to decision is compared with a view from nothing.
//!
//! The property is asked of Crazy Eights, of Hearts and of the game of the repository, and of looks that leak, each of which it
//! must catch.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::support::board::Board;
use crate::support::data::{library, one_in, program};
use crate::support::eights::Table;
use crate::support::hearts;
use crate::support::knowledge::{Look, Renumbering, leaks, lies_open, named, seats, things, unknown, view, worlds};
use crate::support::play::{Chance, next, random, take};
use crate::support::positions;
use netrep_compiler::{Compiler, Profile};
use netrep_engine::{Chooser, DecisionKind, Fact, Game, Planted, Setup, Submission, ThingId, Value, Verify};
use netrep_ir::{AttrDecl, AttrId, Program, Source, ValueKind};

/// A game to play from, and what it is set up from.
struct Start {
    name: String,
    program: Arc<Program>,
    setup: Setup,
}

impl Start {
    fn game(&self) -> Game {
        Game::new(Arc::clone(&self.program), self.setup.clone()).unwrap_or_else(|e| panic!("{}: {e:?}", self.name))
    }
}

fn eights() -> Vec<Start> {
    let start = |n| {
        let table = Table::new(n);
        Start { name: format!("eights for {n}"), program: Arc::clone(&table.program), setup: table.board.setup }
    };
    (2..=4).map(start).collect()
}

fn hearts() -> Vec<Start> {
    let table = hearts::Table::new();
    vec![Start { name: "hearts".to_owned(), program: table.program, setup: table.board.setup }]
}

/// Two of everything in the decks, so that copies lie hidden of what is seen.
const DECKS: &str = "
    Ann in play deck: Block, Dodge, Giant Spiders, Lucky Strike, Barrow-wight, Concealment, Orc-warriors
    Bob in play deck: Orc-warriors, Assassin, Block, Orc-lieutenant, Fellowship, Giant Spiders, Abductor
    Ann in discard pile: Block, Orc-warriors
    Bob in discard pile: Orc-warriors, Orc-warriors, Giant Spiders, Dodge
";

/// The positions of the repository, with decks.
fn journeys() -> Vec<Start> {
    let library = library();
    let compiler = &library.compiler;
    let program = program(compiler, &Profile::default());
    let start = |(name, text): (&str, String)| {
        let text = text.replacen("    fact owner of C1", &format!("{DECKS}    fact owner of C1"), 1);
        let board = Board::new(&compiler.phrases(&Profile::default()), &text);
        Start { name: name.to_owned(), program: Arc::clone(&program), setup: board.setup }
    };
    let mut open: Vec<Start> = positions::all().into_iter().map(start).collect();
    open.extend(three_seats(compiler));
    let covered: Vec<Start> = open.iter().step_by(4).map(face_down).collect();
    open.into_iter().chain(covered).collect()
}

/// A card that is paid with several of the hand, one that gives something to sites that lie hidden, one that answers what is
/// declared.
const SECRETS: &str = r#"
card ZZ-209 "Barter" {
    type Short-event. frame Resource. alignment Hero.
    play.
    cost discard 2 cards in hand of you as L.
    effect you draws the top card of play deck of you.
}
card ZZ-210 "Lairs" {
    type Permanent-event. frame Resource. alignment Hero.
    play.
    [dens] each site in location deck as S gains a new automatic-attack with race Wolf, strikes 1, prowess 7.
}
card ZZ-211 "Whisper" {
    type Short-event. frame Hazard. alignment Neutral.
    play choosing a declaration as D { [theirs] if declarer of D is not you. }
    effect cancel D.
}
"#;

/// Positions in which several are chosen together in a hand, in which hidden sites have something by a clause, and in which an
/// agent that nobody has seen acts.
fn secrets(compiler: &Compiler) -> Vec<Start> {
    let profile = Profile::default();
    let program = program(compiler, &profile);
    let start = |(name, text): (&str, String)| {
        let more = "
            Ann in play: Lairs
            Ann in location deck: Weathertop, Bree, Lórien
            Bob in location deck: Weathertop, Old Forest, Bree
            Bob in lair: Bill Ferny
        ";
        let text = text
            .replacen("Ann in hand: ", "Ann in hand: Barter, Barter, Barter, ", 1)
            .replacen("Bob in hand: ", "Bob in hand: Whisper, Whisper, ", 1)
            .replacen("    fact owner of C1", &format!("{DECKS}{more}    fact owner of C1"), 1);
        let board = Board::new(&compiler.phrases(&profile), &text);
        Start { name: format!("{name} with secrets"), program: Arc::clone(&program), setup: board.setup }
    };
    [("journey", positions::journey()), ("turn", positions::turn())].into_iter().map(start).collect()
}

/// The third player of a game of several, who may play what is played at any time.
const THIRD: &str = "
    Cid in hand: Twilight, Block, Orc-warriors
    Cid in play deck: Dodge, Giant Spiders, Orc-warriors, Block
    Cid in discard pile: Orc-warriors, Dodge
    Bob in play: Doors of Night
";

/// Positions of three, two of whom watch the hazards of the other and the turn of the third.
fn three_seats(compiler: &Compiler) -> Vec<Start> {
    let profile = Profile::default().variant("several-players");
    let program = program(compiler, &profile);
    let start = |(name, text): (&str, String)| {
        let text = text.replacen("player Ann, Bob", "player Ann, Bob, Cid", 1);
        let text = text.replacen("    fact owner of C1", &format!("{DECKS}{THIRD}    fact owner of C1"), 1);
        let board = Board::new(&compiler.phrases(&profile), &text);
        Start { name: format!("{name} of three"), program: Arc::clone(&program), setup: board.setup }
    };
    [("journey", positions::journey()), ("turn", positions::turn())].into_iter().map(start).collect()
}

/// The same with the discard piles face-down: each is kept from the other player.
fn face_down(start: &Start) -> Start {
    let (program, mut setup) = (Arc::clone(&start.program), start.setup.clone());
    let pile = program.places.iter().position(|p| p.name == "discard pile").expect("a discard pile");
    let laid = setup.facts.iter().filter_map(|fact| match fact {
        Fact::Put { thing, place: Some(place), owner: Some(owner) } if place.index() == pile => Some((*thing, *owner)),
        _ => None,
    });
    let laid: Vec<(ThingId, ThingId)> = laid.collect();
    let attr = program.services.concealed.expect("a fact that conceals");
    let covered = laid.iter().filter_map(|(thing, owner)| {
        let other = laid.iter().map(|x| x.1).find(|x| x != owner)?;
        Some(Fact::Attr { attr, thing: *thing, value: Value::Thing(other) })
    });
    setup.facts.extend(covered);
    Start { name: format!("{} face-down", start.name), program, setup }
}

/// How the property fails for a look.
type Failure = Option<String>;

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Worlds compared with the true one.
    worlds: usize,
    /// Decisions after which two worlds were compared again.
    later: usize,
    /// Decisions of the same game in two numberings.
    numbered: usize,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.worlds += other.worlds;
        self.later += other.later;
        self.numbered += other.numbered;
    }
}

/// Whether anything that differs between the worlds can be known to a player now: a thing that lies where he may look,
/// or a fact that the rules have written down for all to see, such as points. `hidden` is what is hidden from him in each.
fn came_to_light(a: &Game, b: &Game, seat: ThingId, hidden: [&[ThingId]; 2]) -> bool {
    let written =
        a.program().attrs.iter().enumerate().filter(|x| x.1.dynamic && matches!(x.1.source, Source::Stored { .. }));
    let written: Vec<AttrId> = written.map(|x| AttrId::from_index(x.0)).collect();
    let of_open = |t: &ThingId| lies_open(a, seat, *t) && a.card_of(*t).is_none();
    if things(a).filter(of_open).any(|t| written.iter().any(|w| a.value_words(*w, t) != b.value_words(*w, t))) {
        return true;
    }
    let ways = [(a, b, hidden[0]), (b, a, hidden[1])];
    ways.iter().any(|(a, b, hidden)| {
        things(a).any(|t| {
            let differs = a.card_of(t) != b.card_of(t) || a.place_of(t) != b.place_of(t);
            a.card_of(t).is_some() && differs && !hidden.contains(&t)
        })
    })
}

/// The cards that are others in the two worlds, or lie elsewhere, or elsewhere in their pile.
fn other(a: &Game, b: &Game) -> Vec<ThingId> {
    let piles = |game: &Game| -> Vec<Vec<ThingId>> {
        let places = (0..game.program().places.len()).map(netrep_ir::PlaceId::from_index);
        places.map(|place| game.in_place(place, None)).collect()
    };
    let at = |piles: &[Vec<ThingId>], t: ThingId| {
        piles.iter().enumerate().find_map(|(n, pile)| Some((n, pile.iter().position(|x| *x == t)?)))
    };
    let (one, two) = (piles(a), piles(b));
    let cards = things(a).filter(|t| a.card_of(*t).is_some());
    cards.filter(|t| a.card_of(*t) != b.card_of(*t) || at(&one, *t) != at(&two, *t)).collect()
}

/// The same moves in two worlds, for as long as nothing comes to light: at every decision the player sees the same.
fn together(look: Look, seat: ThingId, a: &Game, b: &Game, seed: u64, count: &mut Count) -> Failure {
    let (mut a, mut b) = (a.clone(), b.clone());
    a.set_tracing(true);
    b.set_tracing(true);
    let mut chance = Chance::new(seed);
    for n in 0..12 {
        let submission = next(&a, &mut chance, seed)?;
        // Another's choice of a thing shows it: that is a move that differs.
        if named(&submission).iter().any(|t| a.card_of(*t) != b.card_of(*t)) || !b.is_legal(&submission) {
            return None;
        }
        let before = unknown(&a, seat);
        let hidden: Vec<ThingId> = other(&a, &b).into_iter().filter(|t| before.contains(t)).collect();
        take(&mut a, &submission);
        take(&mut b, &submission);
        // Two cards may have come to light in one move, in another order.
        let (here, there) = (unknown(&a, seat), unknown(&b, seat));
        let seen = hidden.iter().any(|t| !here.contains(t) || !there.contains(t));
        if seen || came_to_light(&a, &b, seat, [&here, &there]) {
            return None;
        }
        let kind = |game: &Game| game.decision().map(|d| (d.by, std::mem::discriminant(&d.kind), d.clause));
        if kind(&a) != kind(&b) {
            // Only a rule that makes a player act if he can tells the others that he could not.
            return forced(&a, &b)
                .then_some(())
                .map_or_else(|| Some(format!("another decision: {:?} and {:?}", kind(&a), kind(&b))), |()| None);
        }
        if a.told(seat) != b.told(seat) {
            let (one, other) = (a.told(seat), b.told(seat));
            let at = one.iter().zip(&other).position(|(x, y)| x != y).unwrap_or(one.len().min(other.len()));
            let who = a.thing_words(seat);
            return Some(format!("{:?} and {:?} was told to {who}", one.get(at), other.get(at)));
        }
        // What is seen too early is still seen a decision or two later.
        if n % one_in(3) != 0 {
            continue;
        }
        count.later += 1;
        let (one, other) = (look(&a, seat), look(&b, seat));
        if one != other {
            return Some(format!("after {}: {}", a.submission_words(&submission), difference(&one, &other)));
        }
    }
    None
}

/// Whether one of the games has just passed over a choice that must be made if it can.
fn forced(a: &Game, b: &Game) -> bool {
    [a, b].iter().any(|game| game.trace().iter().rev().take(8).any(|e| e.text.contains("passes")))
}

fn difference(a: &serde_json::Value, b: &serde_json::Value) -> String {
    use serde_json::Value::{Array, Object};
    match (a, b) {
        (Object(x), Object(y)) => {
            // What is offered says most.
            let other = |(k, v): &(&String, &serde_json::Value)| y.get(*k) != Some(*v);
            let at = x.iter().filter(other).max_by_key(|(k, _)| *k == "options");
            let who = |x: &serde_json::Value| x.get("words").map_or_else(String::new, ToString::to_string);
            let who = if who(a) == who(b) { who(a) } else { format!("{} and {}", who(a), who(b)) };
            at.map_or_else(|| "keys".to_owned(), |(k, v)| format!("{who} {k}: {}", difference(v, &y[k])))
        }
        (Array(x), Array(y)) => match x.iter().zip(y).position(|(v, w)| v != w) {
            Some(i) => format!("[{i}] {}", difference(&x[i], &y[i])),
            None => format!("{} and {} of {:?}", x.len(), y.len(), x.last().or(y.last())),
        },
        _ => format!("{a} and {b}"),
    }
}

/// Every world that a player cannot tell from a position looks like it.
fn other_worlds(look: Look, start: &Start, seed: u64, every: usize, most: usize, count: &mut Count) -> Failure {
    let mut game = start.game();
    let mut failure = None;
    let mut chance = Chance::new(seed ^ 0xabcd);
    let mut n = 0;
    random(&mut game, seed, most, |game| {
        n += 1;
        if failure.is_some() || n % every != 0 {
            return;
        }
        for seat in seats(game) {
            let here = look(game, seat);
            for world in worlds(game, &start.program, seat, &mut chance) {
                count.worlds += 1;
                let there = look(&world, seat);
                if here != there {
                    failure = Some(format!("{}, decision {n}: {}", start.name, difference(&here, &there)));
                    return;
                }
                if let Some(found) = together(look, seat, game, &world, seed + n as u64, count) {
                    failure = Some(format!("{}, decision {n}: {found}", start.name));
                    return;
                }
            }
        }
    });
    failure
}

/// The same game with its cards numbered otherwise looks the same to everyone, from beginning to end.
fn other_numbers(look: Look, start: &Start, seed: u64, most: usize, count: &mut Count) -> Failure {
    let mut chance = Chance::new(seed);
    let numbers = Renumbering::random(start.setup.cards.len(), &mut chance);
    let mut game = start.game();
    let mut other = Game::new(Arc::clone(&start.program), numbers.setup(&start.setup)).expect("the same position");
    for n in 0..most {
        // What is seen too early is still seen a decision or two later.
        if n % one_in(3) == 0 {
            for seat in seats(&game) {
                let (one, two) = (look(&game, seat), look(&other, seat));
                if one != two {
                    let seen = difference(&one, &two);
                    return Some(format!("{}, decision {n}, numbered otherwise: {seen}", start.name));
                }
            }
            count.numbered += 1;
        }
        let submission = next(&game, &mut chance, seed)?;
        let same = numbers.submission(&submission);
        if !other.is_legal(&same) {
            // Things minted in another order have other numbers: from here on the moves cannot be named.
            return None;
        }
        take(&mut game, &submission);
        take(&mut other, &same);
    }
    None
}

/// The property, asked of a look.
fn property(look: Look, starts: &[Start], seeds: std::ops::Range<u64>, most: usize, every: usize) -> (Count, Failure) {
    let mut count = Count::default();
    for start in starts {
        for seed in seeds.clone() {
            let found = other_worlds(look, start, seed, every, most, &mut count)
                .or_else(|| other_numbers(look, start, seed, most, &mut count));
            if found.is_some() {
                return (count, found);
            }
        }
    }
    (count, None)
}

#[test]
fn no_view_of_crazy_eights_reveals_what_its_player_may_not_know() {
    let (count, failure) = property(view, &eights(), 0..2, 200, 5);
    println!("{count:?}");
    assert_eq!(failure, None);
    assert!(count.worlds > 1_000 && count.later > 1_000 && count.numbered > 400, "{count:?}");
}

/// Three cards are chosen one after the other, and lie where not even he sees them who gets them.
#[test]
fn no_view_of_hearts_reveals_what_its_player_may_not_know() {
    let (count, failure) = property(view, &hearts(), 0..2, 120, 4);
    println!("{count:?}");
    assert_eq!(failure, None);
    assert!(count.worlds > 100 && count.later > 100 && count.numbered >= 80, "{count:?}");
}

#[test]
fn no_view_of_the_game_reveals_what_its_player_may_not_know() {
    let (count, failure) = property(view, &journeys(), 1..2, 60, one_in(20));
    println!("{count:?}");
    assert_eq!(failure, None);
    assert!(count.worlds > 40 && count.later > 80 && count.numbered > 50, "{count:?}");
}

/// What is chosen together in a hand, what hidden cards have by a clause, and who has declared what nobody saw.
#[test]
fn no_view_reveals_what_is_chosen_given_or_declared_in_hidden_places() {
    let mut library = library();
    library.compiler.set_file("cards/secrets.cards", SECRETS);
    let starts = secrets(&library.compiler);
    // There is something to reveal: so many choices of several, things of hidden sites, and declarations of nobody's card.
    let (mut chosen, mut given, mut declared) = (0, 0, 0);
    for start in &starts {
        let mut game = start.game();
        let services = &start.program.services;
        let (class, source) = services.declaration.expect("what is declared is a thing");
        random(&mut game, 1, 60, |game| {
            chosen += usize::from(matches!(game.decision().map(|d| &d.kind), Some(DecisionKind::Gather { .. })));
            let hidden = |t: &ThingId| seats(game).iter().any(|seat| !lies_open(game, *seat, *t));
            given += things(game).filter(|t| game.card_of(*t).is_none() && hidden(t)).count();
            let of_class = things(game).filter(|t| game.class_of(*t) == Some(class));
            declared += of_class.filter(|t| matches!(game.value_words(source, *t).as_str(), "none" | "")).count();
        });
    }
    println!("{chosen} choices of several, {given} things of hidden cards, {declared} declarations of hidden cards");
    assert!(chosen > 0 && given > 0, "{chosen} chosen, {given} given, {declared} declared");
    let (count, failure) = property(view, &starts, 1..2, 60, one_in(20));
    println!("{count:?}");
    assert_eq!(failure, None);
    assert!(count.worlds > 12 && count.later > 20 && count.numbered > 10, "{count:?}");
}

/// How many views that are brought up to date from decision to decision are those from nothing, options and all; and the first
/// that is not.
fn brought_up(starts: &[Start], most: usize, planted: Option<Planted>) -> (usize, Failure) {
    let (mut count, mut failure) = (0, None);
    for (start, seed) in starts.iter().zip(1..) {
        let mut game = start.game();
        game.verify(Verify { every: 0, planted });
        let mut chance = Chance::new(seed);
        random(&mut game, seed, most, |game| {
            // A client need not look at every decision.
            let looking = seats(game).into_iter().filter(|_| chance.below(3) > 0);
            for seat in looking.collect::<Vec<_>>() {
                // Of a copy nothing is kept.
                let anew = game.clone();
                count += 1;
                let (one, other) = (view(game, seat), view(&anew, seat));
                let differs = || format!("{}, view {count}: {}", start.name, difference(&one, &other));
                if failure.is_none() && (one != other || game.choices(seat) != anew.choices(seat)) {
                    failure = Some(differs());
                }
            }
        });
        if failure.is_some() {
            break;
        }
    }
    (count, failure)
}

#[test]
fn a_view_that_is_brought_up_to_date_is_the_one_from_nothing() {
    let mut library = library();
    library.compiler.set_file("cards/secrets.cards", SECRETS);
    let secrets = secrets(&library.compiler);
    let starts: Vec<Start> = eights().into_iter().chain(hearts()).chain(journeys()).chain(secrets).collect();
    let (count, failure) = brought_up(&starts, 80, None);
    println!("{count} views");
    assert_eq!(failure, None);
    assert!(count > 1_200, "{count} views");
    // A mistake on purpose is noticed: what was seen of a thing stays as it was.
    for starts in [eights(), journeys()] {
        let (_, failure) = brought_up(&starts, 80, Some(Planted::Views));
        println!("{failure:?}");
        assert!(failure.is_some(), "views that stay as they were are not noticed");
    }
}

/// The test of the test: looks that tell too much are caught, each by one game or the other.
#[test]
fn every_leak_is_caught() {
    let (eights, journeys) = (eights(), journeys());
    let mut missed = Vec::new();
    for (name, look) in leaks() {
        let found = property(look, &eights, 0..2, 120, 3).1.or_else(|| property(look, &journeys, 0..2, 80, 3).1);
        match found {
            Some(how) => println!("{name}: {}", how.chars().take(160).collect::<String>()),
            None => missed.push(name),
        }
    }
    assert!(missed.is_empty(), "these leaks are not caught: {missed:?}");
}

/// What a view shows is so: the facts that it gives of a thing with a name of its own are those of the game.
#[test]
fn what_a_view_shows_is_so() {
    let (mut shown, mut kept) = (0, 0);
    for start in eights().iter().chain(&journeys()) {
        for seed in 0..2 {
            let mut game = start.game();
            let mut n = 0;
            random(&mut game, seed, 120, |game| {
                n += 1;
                if n % 8 != 0 {
                    return;
                }
                let mut named: BTreeMap<String, Vec<ThingId>> = BTreeMap::new();
                for t in things(game) {
                    let words = game.thing_words(t);
                    named.entry(words.split(" #").next().unwrap().to_owned()).or_default().push(t);
                }
                for seat in seats(game) {
                    let view = game.view(seat);
                    for seen in &view.things {
                        let Some([thing]) = named.get(&seen.words).map(Vec::as_slice) else { continue };
                        let attrs = game.program().attrs.iter().enumerate();
                        let class = game.class_of(*thing).expect("a class");
                        let plain = |a: &AttrDecl| {
                            a.classes.contains(&class) && !matches!(a.kind, ValueKind::Thing(_) | ValueKind::Things(_))
                        };
                        for (i, attr) in attrs.filter(|a| plain(a.1)) {
                            let value = game.value_words(netrep_ir::AttrId::from_index(i), *thing);
                            match seen.facts.iter().find(|f| f.0 == attr.name) {
                                Some(fact) => {
                                    assert_eq!(fact.1, value, "{} of {}", attr.name, seen.words);
                                    shown += 1;
                                }
                                None => kept += usize::from(!matches!(value.as_str(), "" | "none" | "no" | "0")),
                            }
                        }
                    }
                }
            });
        }
    }
    println!("{shown} facts are shown, {kept} are not");
    assert!(shown > 10_000 && kept > 0 && kept * 4 < shown, "{shown} shown, {kept} kept");
}

/// Views show all that may be known: every card that lies open to a player, and every card of his options.
#[test]
fn a_view_shows_what_its_player_may_know() {
    for start in eights().iter().chain(&journeys()) {
        let (mut game, mut n) = (start.game(), 0);
        random(&mut game, 9, 60, |game| {
            n += 1;
            if n % one_in(2) != 0 {
                return;
            }
            for seat in seats(game) {
                let view = game.view(seat);
                let hidden = unknown(game, seat);
                assert_eq!(view.hidden.iter().map(|p| p.count).sum::<usize>(), hidden.len());
                let printed = things(game).filter(|t| game.printed_on(*t).is_some_and(|host| hidden.contains(&host)));
                assert_eq!(view.things.len() + hidden.len() + printed.count(), things(game).count());
                let named = |t: &ThingId| game.thing_words(*t).starts_with('"');
                for thing in things(game).filter(|t| lies_open(game, seat, *t)).filter(named) {
                    let words = game.thing_words(thing);
                    let stem = words.split(" #").next().unwrap();
                    assert!(view.things.iter().any(|t| t.words.starts_with(stem)), "{words}");
                }
                let mine = game.decision().is_some_and(|d| d.by == Chooser::Seat(seat));
                assert_eq!(view.options.len(), if mine { game.options().len() } else { 0 });
                let choices: Vec<Submission> = game.choices(seat).into_iter().map(|c| c.1).collect();
                assert!(choices.iter().all(|c| game.is_legal(c)));
            }
        });
    }
}
