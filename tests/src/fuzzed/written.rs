//! Items written from the table of forms: what can be compiled is placed in a position and played.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::support::board::Board;
use crate::support::data::{compiler_of, files};
use crate::support::positions;
use crate::support::writer::{Kind, TITLE, Words, Written, key, written};
use netrep_compiler::phrases::Phrases;
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_engine::{Chooser, Game, Refusal, Submission};
use netrep_ir::{CardId, Program};
use netrep_lab::simulate::{Chance, Plan, Trouble, simulate};

use super::{Guard, Numbers, Totals, for_blocks};

/// Items that are written at a time. Cards know nothing of each other and are compiled together; of each four blocks one is
/// of other items, which change what is there, and a few of these are compiled at a time.
const TOGETHER: u64 = 64;
/// Items other than cards that are compiled at a time.
const FEW: usize = 8;
/// So many blocks, then a new compiler: it remembers every text that it has seen.
const KEPT: u64 = 40;
/// Decisions that are taken with an item.
const DECISIONS: usize = 20;

/// Whole items by seeds, from the rows of the table of forms and the words of the data; 100,000 are `SEEDS=0..100000`. What is
/// right is placed in a position, a card where cards of its class lie, and played at random, so that its options are taken
/// when there are any. The engine may stop with a fault that names its clause; nothing else may be wrong.
#[test]
fn written_items_are_compiled_and_played() {
    let files = files();
    let mut compiler = compiler_of(&files);
    let words = Words::of(&compiler);
    // A block of cards, and one of others.
    let sample = 2 * TOGETHER..4 * TOGETHER;
    let totals = for_blocks("written, compiled and played", sample, TOGETHER, |block, guard, totals| {
        let nth = block.start / TOGETHER;
        if (nth + 1).is_multiple_of(KEPT) {
            compiler = compiler_of(&files);
        }
        let cards = nth % 4 != 3;
        let seeds: Vec<u64> = block.collect();
        for seeds in seeds.chunks(if cards { TOGETHER as usize } else { FEW }) {
            let path = if cards { "cards/zz/written.cards" } else { "rules/written.rules" };
            let items = seeds.iter().map(|seed| {
                guard.begins(*seed);
                (*seed, written(&words, &mut Numbers::of(*seed), *seed, cards))
            });
            let group = Group { path, items: items.collect(), compiler: &mut compiler };
            group.compiled(guard, totals, nth.is_multiple_of(50));
        }
    });
    let of = |what: &str| totals.iter().filter(|(kind, _)| kind.starts_with(what)).map(|(_, n)| n).sum::<u64>();
    let (right, refused) = (of("right"), of("refused"));
    assert!(right * 5 > refused, "at least a sixth of what is written can be compiled: {totals:#?}");
    assert!(of("played") * 2 > right, "at least half of that can be placed somewhere: {totals:#?}");
    assert_eq!(of("broken"), 0, "{totals:#?}");
}

/// Items that stand in one file beside the data.
struct Group<'c> {
    path: &'static str,
    items: Vec<(u64, Written)>,
    compiler: &'c mut Compiler,
}

impl Group<'_> {
    /// Compiles each by itself, those that are right together, plays these, and takes them away again.
    fn compiled(mut self, guard: &Guard, totals: &mut Totals, whole: bool) {
        let items = std::mem::take(&mut self.items);
        let mut right: Vec<(u64, Written)> = Vec::new();
        for (seed, item) in items {
            guard.begins(seed);
            self.compiler.set_file(self.path, &item.text);
            let mut diags = self.compiler.check_file(self.path);
            if whole {
                diags.extend(self.compiler.check());
            }
            match self.wrong(&diags, &item.text, 0..item.text.len()) {
                Some(wrong) => refused(totals, seed, &item, wrong),
                None => right.push((seed, item)),
            }
        }
        self.linked(&right, guard, totals);
        self.compiler.remove_file(self.path);
    }

    /// Compiles together what is right by itself, and plays it.
    fn linked(&mut self, right: &[(u64, Written)], guard: &Guard, totals: &mut Totals) {
        let (mut text, mut places) = (String::new(), Vec::new());
        for (_, item) in right {
            let start = text.len();
            text.push_str(&item.text);
            places.push(start..text.len());
            text.push('\n');
        }
        self.compiler.set_file(self.path, &text);
        let readings = right.iter().filter(|(_, item)| item.kind == Kind::Ruling);
        let profile =
            readings.fold(Profile::default(), |profile, (seed, item)| profile.with(&key(&item.kind, *seed), "one"));
        let (program, diags) = self.compiler.link(&profile);
        let cards = right.iter().all(|(_, item)| matches!(item.kind, Kind::Card(_)));
        let further = |diag: &&Diagnostic| diag.is_error() && !(cards && *diag.place.file == *self.path);
        let elsewhere = diags.iter().find(further);
        match (elsewhere, right) {
            // What makes something else wrong, or takes it away, is no position for the others.
            (Some(wrong), [(seed, item)]) => return refused(totals, *seed, item, wrong),
            (Some(_), [first, rest @ ..]) => {
                self.linked(std::slice::from_ref(first), guard, totals);
                return self.linked(rest, guard, totals);
            }
            _ => {}
        }
        let mut table =
            Table { compiler: self.compiler, program: &program, profile: &profile, boards: BTreeMap::new() };
        for ((seed, item), place) in right.iter().zip(places) {
            guard.begins(*seed);
            if let Some(wrong) = self.wrong(&diags, &text, place) {
                refused(totals, *seed, item, wrong);
                continue;
            }
            *totals.entry(format!("right: {}", item.kind.name())).or_default() += 1;
            let came = table.played(*seed, item);
            tell(*seed, &item.text, &came);
            *totals.entry(came).or_default() += 1;
        }
    }

    /// The first error at a place of the file.
    fn wrong<'d>(&self, diags: &'d [Diagnostic], text: &str, place: Range<usize>) -> Option<&'d Diagnostic> {
        let mut found = None;
        for diag in diags.iter().filter(|diag| *diag.place.file == *self.path) {
            let at = diag.place.start as usize..diag.place.end as usize;
            assert!(text.get(at.clone()).is_some(), "a place outside of the text: {diag:?}\n{text}");
            if diag.is_error() && found.is_none() && (place.contains(&at.start) || at.start == place.end) {
                found = Some(diag);
            }
        }
        found
    }
}

fn refused(totals: &mut Totals, seed: u64, item: &Written, wrong: &Diagnostic) {
    tell(seed, &item.text, &format!("refused: {}: {}", wrong.code, wrong.message));
    *totals.entry(format!("refused: {}", item.kind.name())).or_default() += 1;
}

/// Shows an item and what came of it to who asks with `SHOW=` for a part of what came of it.
fn tell(seed: u64, text: &str, came: &str) {
    if std::env::var("SHOW").is_ok_and(|wanted| came.contains(&wanted)) {
        println!("seed {seed}: {came}\n{text}");
    }
}

/// Positions under a program, made when the first item needs them.
struct Table<'c> {
    compiler: &'c Compiler,
    program: &'c Arc<Program>,
    profile: &'c Profile,
    boards: BTreeMap<(usize, Option<&'static str>), Board>,
}

/// Where a card of a class lies: lines of a position.
fn places(class: &str) -> &'static [&'static str] {
    const HANDS: [&str; 2] = ["Ann in hand: Unheard Of", "Bob in hand: Unheard Of"];
    match class {
        "character" | "avatar" | "member" | "ally" => &[
            "Ann in play: Unheard Of\nfact \"Unheard Of\" is in C1",
            "Ann in play: Unheard Of\nfact \"Unheard Of\" is in C1\nfact \"Unheard Of\" is tapped",
            HANDS[0],
            "Ann in play deck: Unheard Of",
        ],
        "site" => &["- in play: Unheard Of\nfact site of C1 is \"Unheard Of\"", "Ann in location deck: Unheard Of"],
        "region" => &["- in play: Unheard Of\nfact path of C1 is \"Unheard Of\""],
        "creature" | "agent" | "hazard" => &[HANDS[1], "Bob in play: Unheard Of", HANDS[0]],
        _ => &[
            HANDS[0],
            HANDS[1],
            "Ann in play: Unheard Of\nfact bearer of \"Unheard Of\" is \"Elladan\"",
            "Bob in play: Unheard Of\nfact bearer of \"Unheard Of\" is \"Boromir II\"",
            "Bob in play: Unheard Of",
            "Ann in discard pile: Unheard Of",
        ],
    }
}

impl Table<'_> {
    /// A position with the item, and what comes of some decisions there.
    fn played(&mut self, seed: u64, item: &Written) -> String {
        let mut numbers = Numbers::of(seed ^ 0x5eed);
        let base = numbers.below(positions::all().len());
        let (card, place) = match &item.kind {
            Kind::Card(class) => {
                let id = key(&item.kind, seed);
                let card = self.program.cards.iter().position(|card| card.id == id);
                let card = card.unwrap_or_else(|| panic!("{id} is gone and nobody says why:\n{}", item.text));
                let places = places(class);
                (Some(CardId::from_index(card)), Some(places[numbers.below(places.len())]))
            }
            _ => (None, None),
        };
        let board = self.boards.entry((base, place)).or_insert_with(|| {
            let phrases: Phrases<'_> = self.compiler.phrases(self.profile);
            Board::new(&phrases, &position(base, place))
        });
        let mut setup = board.setup.clone();
        if let Some(card) = card {
            let title = self.program.cards[card.index()].name;
            let stands = |known: &&mut CardId| self.program.cards[known.index()].name == title;
            setup.cards.iter_mut().filter(stands).for_each(|known| *known = card);
        }
        match Game::new(Arc::clone(self.program), setup) {
            Ok(game) => played(game, seed, &item.text),
            Err(errors) => {
                let error = errors.first().map(ToString::to_string).unwrap_or_default();
                format!("no position: {}", class_of(&error))
            }
        }
    }
}

/// The position of a number, with further lines before what is running in it.
fn position(base: usize, lines: Option<&str>) -> String {
    let text = positions::all()[base].1.clone();
    let Some(lines) = lines else { return text };
    let text = match lines.contains("site of C1") {
        true => text.replace("fact site of C1 is \"Rivendell\"", ""),
        false => text,
    };
    let (facts, running) = text.split_once("begin ").expect("something is running");
    format!("{facts}\n{lines}\nbegin {running}")
}

/// Takes decisions at random, of those with the card rather than others.
fn played(mut game: Game, seed: u64, text: &str) -> String {
    let mut chance = Chance::new(seed);
    let mut own = false;
    for _ in 0..DECISIONS {
        let Some(decision) = game.decision() else { break };
        let submission = match decision.by {
            Chooser::Chance => game.keyed_roll(seed),
            Chooser::Seat(_) => {
                let options = game.options_in_words();
                let ours: Vec<&(String, Submission)> =
                    options.iter().filter(|(words, _)| words.contains(TITLE)).collect();
                match ours.get(chance.below(ours.len() + 1)) {
                    Some((_, submission)) => {
                        own = true;
                        Some(submission.clone())
                    }
                    None => options.get(chance.below(options.len())).map(|(_, submission)| submission.clone()),
                }
            }
        };
        let Some(submission) = submission else { return "broken: nobody can do anything".to_owned() };
        match game.take(&submission) {
            Ok(()) => {}
            Err(Refusal::Failed(error)) => return stopped(&error.kind, &error.text),
            Err(refusal) => {
                return format!(
                    "broken: {} is offered and refused: {refusal}\n{text}",
                    game.submission_words(&submission)
                );
            }
        }
    }
    if let Some(fault) = game.fault() {
        return stopped(&fault.kind, &fault.text);
    }
    // What must hold in every position: offered is accepted and nothing else, the same again, saved and loaded.
    let again = u64::from(seed.is_multiple_of(8));
    let plan = Plan { games: 1, seed, threads: 1, most: 2, sample: 1, tries: 8, again, shorten: 0, ..Plan::default() };
    match simulate(&game, &plan).failures.into_iter().next() {
        // What a card does may be against what the rules say of every position: that is for its author to see.
        Some(failure) if failure.trouble == Trouble::Invariant => {
            format!("played: against the rules: {}", class_of(&failure.text))
        }
        Some(failure) => format!("broken: {:?}: {}", failure.trouble, class_of(&failure.text)),
        None if own => "played: with options of its own".to_owned(),
        None => "played".to_owned(),
    }
}

fn stopped(kind: &impl std::fmt::Debug, text: &str) -> String {
    format!("played: stopped: {kind:?}: {}", class_of(text))
}

/// A message without what it is about: without what stands in quotes, and without numbers.
fn class_of(message: &str) -> String {
    let mut text = String::new();
    let mut inside = None;
    for c in message.chars() {
        match inside {
            Some(end) if c == end => inside = None,
            Some(_) => {}
            None if c == '`' || c == '"' => {
                inside = Some(c);
                text.push('…');
            }
            None if c.is_ascii_digit() => {
                if !text.ends_with('#') {
                    text.push('#');
                }
            }
            None => text.push(c),
        }
    }
    text
}
