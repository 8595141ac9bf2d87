//! What clauses cost in play, counted: the same on every machine, so that what a clause costs can be told before and after it
//! is written otherwise.

use std::sync::Arc;

use netrep_engine::{Game, Tally, Verify};
use netrep_ir::{ClauseDecl, ClauseId, Program};
use serde::Serialize;

use super::{Counts, Plan, simulate_telling};
use crate::words::{folded, folds_to, nearest_name};

/// Where it is counted what games ask: while options are listed, and while they are taken and all else is done.
#[derive(Clone, Debug)]
pub struct Tallies {
    pub(super) listing: Arc<Tally>,
    pub(super) rest: Arc<Tally>,
}

/// What games cost, clause by clause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Costs {
    /// What was played.
    pub counts: Counts,
    /// How many conditions were asked while options were listed.
    pub listing: u64,
    /// How many were asked while answers were taken, and by players who look ahead.
    pub rest: u64,
    /// All clauses of the program, the dearest first.
    pub clauses: Vec<ClauseCost>,
}

/// What a clause cost in some games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClauseCost {
    /// The item that says it.
    pub item: String,
    /// How the item is called.
    pub title: String,
    /// The item and the label.
    pub clause: String,
    /// What it says.
    pub text: String,
    /// While options were listed: how often it was consulted.
    pub consulted: u64,
    /// While options were listed: how many conditions were asked for it.
    pub conditions: u64,
    /// Of a hundred conditions that were asked while options were listed, so many were asked for it.
    pub share: f64,
    /// The same while answers were taken, and by players who look ahead.
    pub rest_consulted: u64,
    /// See above.
    pub rest_conditions: u64,
}

impl ClauseCost {
    /// Whether anything was asked for it.
    pub fn is_asked(&self) -> bool {
        self.consulted + self.conditions + self.rest_consulted + self.rest_conditions > 0
    }

    /// Those that cost most stand first.
    fn dear(&self) -> (u64, u64, u64) {
        (self.conditions, self.rest_conditions, self.consulted)
    }
}

/// The labels of the clauses that a name means: those of an item, by its key or title, or one of them. `Err`: nothing that has
/// clauses is called so, but this is near.
pub fn clauses_named(program: &Program, name: &str) -> Result<Vec<String>, Vec<String>> {
    let wanted = folded(name.trim().trim_matches('"'));
    let names = |decl: &ClauseDecl| [&decl.item, &decl.title, &decl.label].map(ToString::to_string);
    let meant = program.clauses.iter().filter(|decl| names(decl).iter().any(|name| folds_to(name, &wanted)));
    let found: Vec<String> = meant.map(|decl| decl.label.to_string()).collect();
    if found.is_empty() {
        let all: Vec<String> = program.clauses.iter().flat_map(names).filter(|name| !name.is_empty()).collect();
        return Err(nearest_name(&wanted, all.iter().map(String::as_str)).into_iter().collect());
    }
    Ok(found)
}

/// Plays the games of a plan and counts what they ask; `tell` hears how many games have been played.
pub fn costs(start: &Game, plan: &Plan, tell: &(dyn Fn(u64) + Sync)) -> Costs {
    let program = start.program();
    let tallies = Tallies { listing: Tally::none_of(program), rest: Tally::none_of(program) };
    // What is tried out beside the game, or played again, is not what the game costs.
    let plan = Plan {
        laws: false,
        timing: false,
        sample: 0,
        again: 0,
        shorten: 0,
        verify: Verify::default(),
        tallies: Some(tallies.clone()),
        ..plan.clone()
    };
    let counts = simulate_telling(start, &plan, tell).counts;
    let (listing, rest) = (tallies.listing.total().conditions, tallies.rest.total().conditions);
    let cost = |(n, decl): (usize, &ClauseDecl)| {
        let of = |tally: &Tally| tally.of(ClauseId::from_index(n));
        let (here, there) = (of(&tallies.listing), of(&tallies.rest));
        ClauseCost {
            item: decl.item.to_string(),
            title: decl.title.to_string(),
            clause: decl.label.to_string(),
            text: decl.text.to_string(),
            consulted: here.consulted,
            conditions: here.conditions,
            share: 100.0 * here.conditions as f64 / listing.max(1) as f64,
            rest_consulted: there.consulted,
            rest_conditions: there.conditions,
        }
    };
    let mut clauses: Vec<ClauseCost> = program.clauses.iter().enumerate().map(cost).collect();
    clauses.sort_by(|a, b| b.dear().cmp(&a.dear()).then_with(|| a.clause.cmp(&b.clause)));
    Costs { counts, listing, rest, clauses }
}
