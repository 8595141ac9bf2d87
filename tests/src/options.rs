//! One datum offers, checks and explains: what is offered, what is taken, what a naive evaluator allows, and what
//! the refusals say, are the same, in random positions with every card of the first journey.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::support::board::Board;
use crate::support::data::{errors, library, one_in, program};
use crate::support::naive::planted::FAULTS;
use crate::support::naive::rules::{fulfils, legal, sensible};
use crate::support::naive::{Position, Scope, passing, standing};
use crate::support::play::random;
use crate::support::positions;
use netrep_compiler::{Compiler, Profile};
use netrep_engine::{Chooser, DecisionKind, Game, Refusal, Submission, ThingId};
use netrep_ir::{AttrId, ClassId, PlaceId, Sel, ValueKind};

/// So many candidates of a position are looked at: all of most kinds, and of declarations as many as there is room for.
const SOME: usize = 40_000;

/// Of so many candidates one is tried, beside all that is offered: there are millions.
const EVERY: usize = 23;

/// What is offered, and one of so many of all that might be said.
fn tried(game: &Game, n: usize, every: usize) -> Vec<Submission> {
    let offered: Vec<Submission> = game.options();
    let others = game.candidates(SOME).into_iter().skip(n % every).step_by(every).filter(|c| !offered.contains(c));
    let others: Vec<Submission> = others.collect();
    offered.into_iter().chain(others).collect()
}

/// The editions under which the positions are played: strikes in fixed order and in any order, both Assassins.
const EDITIONS: [&str; 2] = ["coe", "crf-15"];

/// Shows positions of random play, of every set-up under both editions: the name of the set-up, the game, and how
/// many decisions lie before it.
fn each_position(seeds: std::ops::Range<u64>, most: usize, see: impl FnMut(&str, &Game, usize)) {
    each_position_of(&library().compiler, &positions::all(), seeds, most, see);
}

/// The same of some set-ups.
fn each_position_of(
    compiler: &Compiler,
    all: &[(&'static str, String)],
    seeds: std::ops::Range<u64>,
    most: usize,
    mut see: impl FnMut(&str, &Game, usize),
) {
    for edition in EDITIONS {
        let phrases = compiler.phrases(&Profile::edition(edition));
        for (name, text) in all {
            for seed in seeds.clone() {
                let mut game = Board::new(&phrases, text).game(&phrases);
                let n = RefCell::new(0);
                random(&mut game, seed, most, |game| {
                    let name = format!("{edition} {name} {seed}");
                    see(&name, game, *n.borrow());
                    *n.borrow_mut() += 1;
                });
            }
        }
    }
}

#[test]
fn the_data_has_no_errors() {
    let diags = library().compiler.check();
    assert!(errors(&diags).is_empty(), "{diags:#?}");
}

/// Every candidate is taken on a clone exactly if it is offered, and exactly if the naive evaluator allows it.
#[test]
fn taken_if_offered_and_if_the_naive_evaluator_allows_it() {
    let (mut positions, mut candidates, mut taken, mut guessed) = (0u32, 0u32, 0u32, 0u32);
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    each_position(12..16, 40, |name, game, n| {
        let decision = game.decision().unwrap();
        let kind = format!("{:?}", decision.kind);
        let kind = kind.split([' ', '(']).next().unwrap().to_owned();
        *kinds.entry(kind).or_default() += 1;
        // Windows are many and much alike: one in six.
        if decision.kind == DecisionKind::Act && n % 6 != 0 {
            return;
        }
        let position = Position::of(game.program(), game);
        let offered: Vec<Submission> = game.options();
        let mut found = 0;
        for candidate in tried(game, n, EVERY) {
            let is_offered = offered.contains(&candidate);
            let said = || format!("{name}, decision {n}: {} ({candidate:?})", game.submission_words(&candidate));
            position.guessed.set(false);
            let allowed = legal(&position, decision, &candidate);
            // What only trying tells, the naive evaluator does not know.
            let knows = !position.guessed.get();
            assert!(!knows || allowed == is_offered, "the naive evaluator differs: {}", said());
            guessed += u32::from(!knows);
            assert_eq!(game.is_legal(&candidate), is_offered, "offer and check differ: {}", said());
            if is_offered {
                let mut other = game.clone();
                other.take(&candidate).unwrap_or_else(|e| panic!("offered and refused: {}: {e}", said()));
                assert_ne!(other, *game, "nothing happened: {}", said());
                found += 1;
            }
            candidates += 1;
        }
        // Dice go beyond what the candidates try.
        if !matches!(decision.kind, DecisionKind::Roll { .. }) {
            assert_eq!(found, offered.len(), "{name}, decision {n}: an option is no candidate");
        }
        positions += 1;
        taken += found as u32;
    });
    println!("{positions} positions, {candidates} candidates, {taken} taken; decisions met: {kinds:?}");
    assert!(positions >= 250, "only {positions} positions");
    assert!(guessed * 100 < candidates, "of {candidates} candidates the naive evaluator knows all but {guessed}");
    for kind in ["Act", "Choose", "May", "Roll", "Next", "Step", "Branch"] {
        assert!(kinds.contains_key(kind), "no decision of kind {kind} was met: {kinds:?}");
    }
}

/// What the plans of the engine offer is what is found by trying everything.
#[test]
fn planned_offers_are_those_of_trying_everything() {
    let (mut windows, mut offered) = (0, 0);
    each_position(20..22, 40, |name, game, n| {
        if game.decision().unwrap().kind != DecisionKind::Act || n % 2 != 0 {
            return;
        }
        let is_declared = |s: &Submission| matches!(s, Submission::Declare { .. });
        let planned: Vec<Submission> = game.options().into_iter().filter(is_declared).collect();
        assert_eq!(planned, game.declarations_tried(), "{name}, decision {n}");
        windows += 1;
        offered += planned.len();
    });
    assert!(windows > 100 && offered > windows, "{windows} windows, {offered} declarations");
}

/// Compares every number of every thing, and every selection that one fact makes: how many numbers, how many of them were
/// modified, and how many selections.
fn compared(name: &str, game: &Game, n: usize) -> (u32, u32, u32) {
    let (mut numbers, mut changed, mut selections) = (0u32, 0u32, 0u32);
    let program = game.program();
    let position = Position::of(program, game);
    let mut closed: Vec<Sel> = program.services.functioning.iter().chain(&program.services.stages).cloned().collect();
    closed.extend((0..program.classes.len()).map(|i| Sel::Class(ClassId::from_index(i))));
    closed.extend((0..program.places.len()).map(|i| Sel::In(PlaceId::from_index(i), None)));
    for (i, decl) in program.attrs.iter().enumerate() {
        let attr = AttrId::from_index(i);
        match decl.kind {
            ValueKind::Entry(list) | ValueKind::Entries(list) => {
                let entries = &program.lists[list.index()].entries;
                closed.extend(entries.iter().map(|e| Sel::EntryIs(attr, *e)));
            }
            ValueKind::Flag => closed.push(Sel::Flag(attr)),
            ValueKind::Thing(_) | ValueKind::Things(_) => {
                closed.push(Sel::Preimage(attr, Box::new(Sel::All)));
                closed.push(Sel::Image(attr, Box::new(Sel::All)));
            }
            ValueKind::Number | ValueKind::NumberFor(_) => {}
        }
        for thing in (0..game.things()).map(ThingId::from_index) {
            let has = game.class_of(thing).is_some_and(|c| decl.classes.contains(&c));
            if decl.kind == ValueKind::Number && has && game.exists(thing) {
                let derived = game.derive(attr, thing);
                let said = || format!("{name}, decision {n}: {} of {}", decl.name, game.thing_words(thing));
                assert_eq!(derived.value, position.current(attr, thing, 0), "{}: {derived:?}", said());
                assert_eq!(derived.steps.last().map_or(derived.base, |s| s.after), derived.value, "{}", said());
                numbers += 1;
                changed += u32::from(derived.value != derived.base);
            }
        }
    }
    for sel in closed {
        let selected: Vec<ThingId> = game.select(&sel).iter().collect();
        assert_eq!(selected, position.things(&Scope::default(), &sel), "{name}, decision {n}: {sel:?}");
        selections += 1;
    }
    (numbers, changed, selections)
}

/// Every number of every thing, and every selection that one fact makes, is what the naive evaluator says.
#[test]
fn facts_and_numbers_are_those_of_the_naive_evaluator() {
    let (mut numbers, mut changed, mut selections) = (0u32, 0u32, 0u32);
    each_position(30..31, 24, |name, game, n| {
        // From one decision to the next little changes.
        if n % one_in(9) != 0 {
            return;
        }
        let found = compared(name, game, n);
        numbers += found.0;
        changed += found.1;
        selections += found.2;
    });
    println!("{numbers} numbers, {changed} of them modified; {selections} selections");
    assert!(changed >= 100, "only {changed} numbers were modified");
}

/// A card that silences a sword as long as somebody stands, and one that keeps a dagger from somebody.
const HUSH: &str = r#"
card ZZ-201 "Hush" {
    type Permanent-event. frame Hazard. alignment Neutral.
    play.
    [hush] effects of "Sword of Gondolin" are canceled while "Elladan" is untapped.
}
card ZZ-202 "Calm" {
    type Permanent-event. frame Hazard. alignment Neutral.
    play.
    [calm] effects of "Dagger of Westernesse" as K spare bearer of K.
    [hushed] effects of "Hush" are canceled while "Elladan" is wounded.
}
"#;

/// The same where something is canceled and spared.
#[test]
fn what_is_canceled_and_spared_is_so_for_the_naive_evaluator() {
    let mut library = library();
    library.compiler.set_file("cards/hush.cards", HUSH);
    let hushed = |text: String| {
        format!("{text}\n").replace("    player Ann, Bob\n", "    player Ann, Bob\n    Bob in play: Hush, Calm\n")
    };
    let set_ups = [("journey", hushed(positions::journey())), ("battered", hushed(positions::battered()))];
    let mut steps: BTreeMap<String, usize> = BTreeMap::new();
    each_position_of(&library.compiler, &set_ups, 30..31, 1, |name, game, n| {
        assert!(compared(name, game, n).0 > 0);
        let attr = game.program().attrs.iter().position(|a| a.name == "prowess").unwrap();
        let of = |t: &ThingId| game.thing_words(*t).contains("Boromir II");
        let bearer = (0..game.things()).map(ThingId::from_index).find(of).unwrap();
        let kind = name.split(' ').nth(1).unwrap().to_owned();
        steps.entry(kind).or_insert(game.derive(AttrId::from_index(attr), bearer).steps.len());
    });
    assert!(steps["journey"] < steps["battered"], "the sword is silent as long as Elladan stands: {steps:?}");
}

/// Cards that are paid with several, and one that says what must be done.
const SEVERAL: &str = r#"
card ZZ-203 "Sortie" {
    type Short-event. frame Resource. alignment Hero.
    [out] play {
        [now] if company is facing attack.
        cost tap at least 2 untapped characters in company as C.
        [strong] if total prowess of C >= 9 and total prowess of C < 13.
        effect cancel attack.
    }
}
card ZZ-204 "Rearguard" {
    type Permanent-event. frame Resource. alignment Hero.
    play.
    [last] an attack must be assigned to "Elladan" or "Annalena".
}
"#;

/// Where several are chosen together, and where something must be done.
#[test]
fn several_at_once_and_duties_are_those_of_the_naive_evaluator() {
    let mut library = library();
    library.compiler.set_file("cards/several.cards", SEVERAL);
    let with = |text: String| {
        format!("{text}\n")
            .replace("Ann in hand: ", "Ann in hand: Sortie, Sortie, Sortie, ")
            .replace("    player Ann, Bob\n", "    player Ann, Bob\n    Ann in play: Rearguard\n")
    };
    let set_ups = [("journey", with(positions::journey())), ("assassin", with(positions::assassin()))];
    let (mut gathered, mut bound, mut tried_in_all, mut guessed) = (0, 0, 0, 0);
    each_position_of(&library.compiler, &set_ups, 30..33, 24, |name, game, n| {
        let decision = game.decision().unwrap();
        // Windows are many and much alike: one in three.
        if decision.kind == DecisionKind::Act && n % 3 != 0 {
            return;
        }
        let position = Position::of(game.program(), game);
        let offered = game.options();
        let candidates = tried(game, n, EVERY * 8);
        // What only trying tells, the naive evaluator does not know: there the offer says what is legal.
        let mut unknown = 0;
        let allowed: Vec<bool> = candidates
            .iter()
            .map(|candidate| {
                position.guessed.set(false);
                let allowed = legal(&position, decision, candidate);
                unknown += usize::from(position.guessed.get());
                if position.guessed.get() { offered.contains(candidate) } else { allowed }
            })
            .collect();
        let done: Vec<bool> =
            candidates.iter().zip(&allowed).map(|(c, legal)| *legal && fulfils(&position, decision, c)).collect();
        let binds = done.contains(&true);
        for ((candidate, allowed), done) in candidates.iter().zip(allowed).zip(done) {
            let said = || format!("{name}, decision {n}: {} ({candidate:?})", game.submission_words(candidate));
            let is_offered = offered.contains(candidate);
            assert_eq!(allowed && (done || !binds), is_offered, "the naive evaluator differs: {}", said());
            assert_eq!(game.is_legal(candidate), is_offered, "offer and check differ: {}", said());
        }
        tried_in_all += candidates.len();
        guessed += unknown;
        gathered += usize::from(matches!(decision.kind, DecisionKind::Gather { .. }));
        bound += usize::from(binds);
    });
    println!("{gathered} choices of several, {bound} decisions with a duty; {guessed} of {tried_in_all} guessed");
    assert!(guessed * 100 < tried_in_all, "of {tried_in_all} candidates the naive evaluator knows all but {guessed}");
    assert!(gathered > 5 && bound > 5, "{gathered} choices of several, {bound} decisions with a duty");
}

/// Cards that give sites something as long as somebody is untapped, or for a turn, or withhold what they have; and cards that
/// answer rolls and declarations.
const KENNELS: &str = r#"
card ZZ-205 "Kennels" {
    type Permanent-event. frame Hazard. alignment Neutral.
    play.
    [hounds] while "Elladan" is untapped: each site in play gains a new automatic-attack with race Wolf,
        strikes 1, prowess 6.
    [kin] each automatic-attack with race Undead as A gets +1 prowess.
    [asleep] while "Boromir II" is tapped: "Barrow-downs" loses automatic-attacks.
    [weary] when a character as C is tapped: C gets -1 body this turn.
}
card ZZ-206 "Howl" {
    type Short-event. frame Hazard. alignment Neutral.
    play.
    effect for each automatic-attack of "Barrow-downs" as A { "Rivendell" gains a new automatic-attack from A this turn }.
}
card ZZ-207 "Omen" {
    type Short-event. frame Resource. alignment Hero.
    play during rolling { [body] if roll is a body roll. }
    effect roll gets +1 modification this rolling.
}
card ZZ-208 "Deaf Ear" {
    type Short-event. frame Hazard. alignment Neutral.
    play choosing a declaration as D { [others] if declarer of D is not you. }
    effect cancel D.
}
"#;

/// Each fault is planted so often.
const PLANTED: usize = 4;

/// What cards have only so long, and what is a thing only as long as it goes on, is there exactly then; and the naive evaluator
/// notices it of each kind of fault when it is not.
#[test]
fn what_stands_and_what_passes_is_there_when_the_naive_evaluator_says() {
    let mut library = library();
    library.compiler.set_file("cards/kennels.cards", KENNELS);
    let with = |text: String| {
        format!("{text}\n")
            .replace("Ann in hand: ", "Ann in hand: Omen, Omen, ")
            .replace("Bob in hand: ", "Bob in hand: Howl, Howl, Deaf Ear, Deaf Ear, ")
            .replace("    player Ann, Bob\n", "    player Ann, Bob\n    Bob in play: Kennels\n")
    };
    let set_ups = [("journey", with(positions::journey())), ("turn", with(positions::turn()))];
    let (mut standing, mut passing) = (standing::Found::default(), passing::Found::default());
    let programs: Vec<_> = EDITIONS.iter().map(|e| program(&library.compiler, &Profile::edition(e))).collect();
    let mut before: Option<(String, Position<'_>)> = None;
    let mut planted: BTreeMap<&str, usize> = FAULTS.map(|fault| (fault, 0)).into();
    each_position_of(&library.compiler, &set_ups, 30..34, 60, |name, game, n| {
        let program = programs.iter().find(|p| **p == *game.program()).expect("the program of an edition");
        let position = Position::of(program, game);
        let earlier = before.take().filter(|(other, _)| other == name).map(|(_, earlier)| earlier);
        let wrong = |what: String| panic!("{name}, decision {n}: {what}");
        standing += position.stands(earlier.as_ref()).unwrap_or_else(wrong);
        let wrong = |what: String| panic!("{name}, decision {n}: {what}");
        let decision = game.decision().unwrap();
        passing += position.passes(decision).unwrap_or_else(wrong);
        if planted.values().any(|times| *times < PLANTED) {
            for one in position.planted(earlier.as_ref()) {
                let times = planted.get_mut(one.fault).expect("a fault of the list");
                if *times < PLANTED {
                    let noticed = if one.stands {
                        one.position.stands(earlier.as_ref()).is_err()
                    } else {
                        one.position.passes(decision).is_err()
                    };
                    assert!(noticed, "{name}, decision {n}: nobody notices: {}", one.fault);
                    *times += 1;
                }
            }
        }
        before = Some((name.to_owned(), position));
    });
    println!("{standing:?}, {passing:?}, planted {planted:?}");
    assert!(planted.values().all(|times| *times > 0), "not planted: {planted:?}");
    let standing::Found { given, away, withheld, new, busy } = standing;
    assert!(busy > 5, "nothing stays because it is busy: {standing:?}");
    assert!(given > 400 && away > 200 && withheld > 200 && new > 5, "{standing:?}");
    let passing::Found { rolls, waiting, of, secret: _ } = passing;
    assert!(rolls.0 > 50 && rolls.1 > 20 && waiting.0 > 100 && waiting.1 > 50 && of > 200, "{passing:?}");
}

/// What is refused stays refused, changes nothing, and says which clause is against it; and what it says would make
/// it legal does.
#[test]
fn refusals_name_their_clause_and_mends_mend() {
    let (mut refused, mut mended) = (0u32, 0u32);
    each_position(20..22, 40, |name, game, n| {
        let position = Position::of(game.program(), game);
        for candidate in tried(game, n, EVERY) {
            // Nonsense (a site that plays a sword's text) is most of it, and much alike: now and then is enough.
            if n % 30 != 0 && !sensible(&position, &candidate) {
                continue;
            }
            let mut other = game.clone();
            let verdict = match other.take(&candidate) {
                Ok(()) => continue,
                Err(Refusal::Illegal(verdict)) => verdict,
                Err(refusal) => panic!("{name}, decision {n}: {candidate:?}: {refusal}"),
            };
            let said = || format!("{name}, decision {n}: {} ({candidate:?})", game.submission_words(&candidate));
            assert_eq!(other, *game, "a refusal changed the position: {}", said());
            assert!(!verdict.legal && !verdict.reasons.is_empty(), "refused without a reason: {}", said());
            for reason in &verdict.reasons {
                let clause = game.program().clauses.get(reason.clause.index());
                assert!(clause.is_some_and(|c| !c.label.is_empty()), "{}: {reason:?}", said());
                assert!(!reason.text.is_empty(), "a reason without words: {}: {reason:?}", said());
            }
            if !verdict.would_be_legal_if.is_empty() {
                verdict
                    .would_be_legal_if
                    .iter()
                    .try_for_each(|fact| other.assert(fact))
                    .unwrap_or_else(|e| panic!("{}: {e}", said()));
                assert!(other.is_legal(&candidate), "{}: {:?}", said(), verdict.would_be_legal_if);
                other.take(&candidate).unwrap_or_else(|e| panic!("mended and refused: {}: {e}", said()));
                mended += 1;
            }
            refused += 1;
        }
    });
    println!("{refused} refusals, {mended} of them with mends");
    assert!(refused >= 3_000 && mended >= 5, "{refused} refusals, {mended} with mends");
}

/// There is always someone who can act, and every card lies in exactly one place.
#[test]
fn someone_can_act_and_each_card_lies_in_one_place() {
    let decisions = RefCell::new(0u32);
    each_position(20..26, 120, |name, game, n| {
        let decision = game.decision().unwrap();
        match decision.by {
            Chooser::Seat(seat) => {
                assert!(game.exists(seat), "{name}, decision {n}");
                assert!(!game.options().is_empty(), "{name}, decision {n}: no one can act");
            }
            Chooser::Chance => assert!(game.keyed_roll(1).is_some(), "{name}, decision {n}"),
        }
        let places = game.program().places.len();
        let mut seen = vec![0u32; game.things()];
        for place in (0..places).map(PlaceId::from_index) {
            game.in_place(place, None).into_iter().for_each(|t| seen[t.index()] += 1);
        }
        for thing in (0..game.things()).map(ThingId::from_index) {
            let expected = u32::from(game.card_of(thing).is_some());
            assert_eq!(seen[thing.index()], expected, "{name}, decision {n}: {}", game.thing_words(thing));
        }
        *decisions.borrow_mut() += 1;
    });
    println!("{} decisions", decisions.borrow());
}
