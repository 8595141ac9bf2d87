//! Random games from a position, in parallel, and what must hold in all of them.
//!
//! ```text
//! walk     one game, decision by decision, with its checks
//! laws     what must hold: someone can act, invariants, every card in one place, accepted exactly if offered
//! again    the recorded choices give the same game, also from a saved one
//! shrink   the fewest choices that still go wrong
//! timing   how long that takes
//! cost     what is asked of each clause on the way, counted
//! pairs    the same games under two programs: what shifts, and how sure that is
//! ```
//!
//! A game follows from its seed alone: which options are taken, which dice fall, what is sampled. So the result does
//! not depend on the number of threads, and a failure can be reproduced from its seed or from its transcript.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use netrep_compiler::{Compiler, Diagnostic};
use netrep_engine::{Game, Verify};
use netrep_grammar::parse_sentence;
use netrep_ir::Cond;
use serde::Serialize;

use crate::prepare::{Prepared, phrases_of};
use crate::problem::Source;
use crate::run::{threads, whole};

mod again;
mod chance;
mod cost;
mod laws;
mod pairs;
mod players;
mod result;
mod shrink;
mod timing;
mod walk;

pub use chance::Chance;
pub use cost::{ClauseCost, Costs, Tallies, clauses_named, costs};
pub use pairs::{Shift, Shifts, shifts};
pub use players::{Player, answer};
pub use result::{End, Played, Seat, Summary, csv, summary, svg};
pub use shrink::reproduce;
pub use timing::Timing;

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many games.
    pub games: u64,
    /// The seed of the first; the others follow.
    pub seed: u64,
    /// On how many threads; 0: one for each processor.
    pub threads: usize,
    /// Where a game stops, if it does not end before.
    pub until: Option<Cond>,
    /// Who plays.
    pub player: Player,
    /// At most so many decisions in a game.
    pub most: usize,
    /// What must hold is looked at in every position; else only in the last.
    pub laws: bool,
    /// What the engine works out faster than it is said is worked out again, so often; what is offered is found by trying
    /// everything, much less often.
    pub verify: Verify,
    /// At every n-th decision of a player, on average, it is tried out what is accepted; 0: never.
    pub sample: usize,
    /// How many submissions are then tried beside those that are offered.
    pub tries: usize,
    /// Every n-th game is played again from its record, and from a saved game; 0: none.
    pub again: u64,
    /// It is taken how long that takes.
    pub timing: bool,
    /// Where it is counted what is asked of each clause, if anybody wants to know (see [`costs`]).
    pub tallies: Option<Tallies>,
    /// How many failures are shortened; the others keep their whole transcript.
    pub shorten: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            games: 100,
            seed: 1,
            threads: 0,
            until: None,
            player: Player::Random,
            most: 20_000,
            laws: true,
            verify: Verify::default(),
            sample: 20,
            tries: 40,
            again: 5,
            timing: false,
            tallies: None,
            shorten: 2,
        }
    }
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// A decision without an option.
    Stuck,
    /// An option was refused.
    Refused,
    /// What is not offered would be accepted.
    Accepted,
    /// The engine stopped with an error.
    Failed,
    /// An invariant of the rules does not hold.
    Invariant,
    /// A card is in no place or in several.
    Misplaced,
    /// The recorded choices give another game, or cannot be said.
    Replay,
    /// A saved game cannot be loaded, or goes another way.
    Saved,
    /// What is offered is not what is found by trying everything.
    Offered,
    /// What is supposed comes to something else than what is done in a copy of the game.
    Supposed,
}

/// An answer of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// Who.
    pub by: String,
    /// The words of the option.
    pub words: String,
}

/// A game that went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Its seed, which keys its dice and shufflings.
    pub seed: u64,
    /// What went wrong.
    pub trouble: Trouble,
    /// In words.
    pub text: String,
    /// The answers of the players that lead there; [`reproduce`] plays them.
    pub transcript: Vec<Said>,
    /// How many answers the game had taken when it went wrong.
    pub played: usize,
}

/// What was played and checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Games in which nothing was left to decide.
    pub ended: u64,
    /// Games that stopped where they should.
    pub stopped: u64,
    /// Games that had as many decisions as they may.
    pub cut: u64,
    /// Decisions of players.
    pub decisions: u64,
    /// Those of them that had two options or more.
    pub choices: u64,
    /// Windows among the decisions: in them it is looked for what may be declared.
    pub windows: u64,
    /// Those of them in which nothing can be declared, and which are opened because not everybody may know that.
    pub idle: u64,
    /// Options that were listed.
    pub options: u64,
    /// Dice and shufflings.
    pub rolls: u64,
    /// Decisions at which it was tried out what is accepted.
    pub samples: u64,
    /// Submissions that were not offered, and refused.
    pub refusals: u64,
    /// Submissions that were offered, and accepted on a copy.
    pub acceptances: u64,
    /// Games played again from their record.
    pub replays: u64,
    /// Games that went on from a saved game.
    pub loads: u64,
    /// Decisions of the longest game.
    pub longest_game: u64,
    /// Declared actions that waited to be resolved, at most.
    pub longest_chain: u64,
    /// Things that a game had ever had, at most.
    pub most_things: u64,
    /// Things that a game had room for, at most.
    pub capacity: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.games += other.games;
        self.ended += other.ended;
        self.stopped += other.stopped;
        self.cut += other.cut;
        self.decisions += other.decisions;
        self.choices += other.choices;
        self.windows += other.windows;
        self.idle += other.idle;
        self.options += other.options;
        self.rolls += other.rolls;
        self.samples += other.samples;
        self.refusals += other.refusals;
        self.acceptances += other.acceptances;
        self.replays += other.replays;
        self.loads += other.loads;
        self.longest_game = self.longest_game.max(other.longest_game);
        self.longest_chain = self.longest_chain.max(other.longest_chain);
        self.most_things = self.most_things.max(other.most_things);
        self.capacity = self.capacity.max(other.capacity);
    }
}

/// The result of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Simulation {
    /// What was played.
    pub counts: Counts,
    /// What came of each game, by seed.
    pub played: Vec<Played>,
    /// What went wrong, by seed.
    pub failures: Vec<Failure>,
    /// How long it took, if anybody wants to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
}

impl Simulation {
    /// Nothing went wrong, and something was played.
    pub fn passed(&self) -> bool {
        self.failures.is_empty() && self.counts.decisions > 0
    }
}

/// Plays the games of a plan from a position.
pub fn simulate(start: &Game, plan: &Plan) -> Simulation {
    simulate_telling(start, plan, &|_| ())
}

/// The same; `tell` hears how many games have been played.
pub fn simulate_telling(start: &Game, plan: &Plan, tell: &(dyn Fn(u64) + Sync)) -> Simulation {
    let laws = laws::Laws::of(start);
    let threads = threads(plan.threads);
    let (next, finished) = (AtomicU64::new(0), AtomicU64::new(0));
    let done: Mutex<Simulation> = Mutex::new(Simulation::default());
    // A game is not shared between threads: each has its own copy.
    let copies: Vec<Game> = (0..threads).map(|_| start.clone()).collect();
    std::thread::scope(|scope| {
        for start in copies {
            let (next, finished, done, laws) = (&next, &finished, &done, &laws);
            scope.spawn(move || {
                let mut mine = Simulation::default();
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= plan.games {
                        break;
                    }
                    let (counts, played, failure, timing) = one(&start, plan, laws, n);
                    if let Some(timing) = timing {
                        *mine.timing.get_or_insert_default() += timing;
                    }
                    mine.counts += counts;
                    mine.played.push(played);
                    mine.failures.extend(failure);
                    tell(finished.fetch_add(1, Ordering::Relaxed) + 1);
                }
                let mut done = whole(done.lock());
                done.counts += mine.counts;
                done.played.extend(mine.played);
                done.failures.extend(mine.failures);
                if let Some(timing) = mine.timing {
                    *done.timing.get_or_insert_default() += timing;
                }
            });
        }
    });
    let mut simulation = whole(done.into_inner());
    simulation.failures.sort_by_key(|f| (f.seed, f.trouble));
    simulation.played.sort_by_key(|p| p.seed);
    for failure in simulation.failures.iter_mut().take(plan.shorten) {
        shrink::shorten(start, &laws, failure);
    }
    simulation
}

/// One game, what came of it, and what went wrong in it.
fn one(start: &Game, plan: &Plan, laws: &laws::Laws, n: u64) -> (Counts, Played, Option<Failure>, Option<Timing>) {
    let seed = plan.seed.wrapping_add(n);
    let mut all = plan.timing.then(Duration::default);
    let walked = timing::timed(all.as_mut(), || walk::walk(start, plan, laws, seed));
    let timing = walked.timing.zip(all).map(|(timing, all)| Timing { all, ..timing });
    let mut counts = walked.counts;
    let mut wrong = walked.wrong.clone();
    let end = match () {
        () if wrong.is_some() => End::Wrong,
        () if counts.ended > 0 => End::Over,
        () if counts.stopped > 0 => End::Stopped,
        () => End::Cut,
    };
    let played = Played::of(&walked.game, seed, end, counts.decisions);
    if wrong.is_none() && plan.again > 0 && n.is_multiple_of(plan.again) {
        wrong = again::again(start, seed, &walked, &mut counts);
    }
    let failure = wrong.map(|(trouble, text)| {
        let transcript = again::said(start, seed, &walked.record);
        Failure { seed, trouble, text, played: transcript.len(), transcript }
    });
    (counts, played, failure, timing)
}

/// A condition in the words of the data and the names of a position, such as where a simulation stops.
///
/// # Errors
/// Why it cannot be read; places are in the sentence.
pub fn condition(compiler: &Compiler, prepared: &Prepared, sentence: &str) -> Result<Cond, Vec<Diagnostic>> {
    let text = format!("{}.", sentence.trim().trim_end_matches('.'));
    let source = Source { file: "condition".to_owned(), base: 0, text: text.clone() };
    let tokens =
        parse_sentence(&text).map_err(|found| found.into_iter().map(|e| source.placed(e)).collect::<Vec<_>>())?;
    let phrases = phrases_of(compiler, &prepared.scenario, &prepared.profile);
    let (cond, _) = prepared.position.condition(&phrases, &tokens, &source).map_err(|found| vec![found])?;
    Ok(cond)
}
