//! Trying a card: a position in which it can be declared, and what it does then.
//!
//! Nothing here knows a game. Positions are those of the scenarios and games: as they stand, with the card in the place
//! of one like it, or with the card added to a place from which something can be declared. Every decision that is
//! reached in them is asked whether the engine offers an option that uses the card. If none does, the nearest refusal
//! tells what would have to be different; that is done, and it is tried again. What is found is a scenario again, which
//! the author can paste.

use std::sync::Arc;

use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;
use netrep_ir::{AllowanceId, CardId, Program};
use serde::Serialize;

use crate::narrate::title;
use crate::report::{Citation, citation};
use crate::scenario::{Scenario, profile_words};
use crate::why::{Derived, Tried};

mod mended;
mod near;
mod perform;
mod played;
mod said;
mod search;
mod stage;

pub use perform::{Difference, Told};

/// What came of trying a card.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// The card's id.
    pub card: String,
    /// Its name.
    pub title: String,
    /// The profile in words.
    pub profile: String,
    /// The printed sentences that it does not express.
    pub missing: Vec<u32>,
    /// The ways in which it can be declared: by its own clauses, or by those of a rule about cards like it.
    pub ways: Vec<Way>,
    /// Numbers that its modifiers change, one for each modifier for which a position was found.
    pub numbers: Vec<Number>,
    /// Its clauses that work by themselves: modifiers, triggers, restrictions.
    pub by_itself: Vec<Citation>,
    /// How many positions were looked at.
    pub positions: usize,
}

/// A way in which a card can be declared.
#[derive(Clone, Debug, Serialize)]
pub struct Way {
    /// What it is called: the first word of its options.
    pub words: String,
    /// The clause that allows it.
    pub clause: Citation,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a way.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was done.
    Done(Box<Demonstration>),
    /// It is refused wherever it was tried; this is the nearest refusal.
    Refused(Box<Refused>),
    /// There was no position in which it could even be tried.
    Untried,
}

/// A position in which the card was declared, and what happened.
#[derive(Clone, Debug, Serialize)]
pub struct Demonstration {
    /// Where the position comes from.
    pub origin: Origin,
    /// What was changed besides, so that it became legal; nothing if it was legal anyway.
    pub changes: Vec<String>,
    /// The whole as a scenario: the position, the moves, and that the card is offered. `None` if the changes cannot be
    /// said in a `given`.
    pub scenario: Option<String>,
    /// Who was asked what.
    pub asked: String,
    /// The other options with the card at that decision.
    pub also: Vec<String>,
    /// What was submitted and what happened, from the declaration on; the first options, where something had to be chosen.
    pub steps: Vec<Told>,
    /// What is different afterwards.
    pub differences: Vec<Difference>,
    /// Why play stopped, if it was not at the end of what the card does.
    pub stopped: Option<String>,
}

/// The nearest refusal.
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    /// Where the position comes from.
    pub origin: Origin,
    /// The position as a scenario.
    pub scenario: String,
    /// What was tried, every reason against it, and what would make it legal.
    pub tried: Tried,
}

/// Where a position comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The scenario.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// What was done to it: nothing, or where the card was put.
    pub how: String,
}

/// A number that a modifier of the card changes.
#[derive(Clone, Debug, Serialize)]
pub struct Number {
    /// Where the position comes from.
    pub origin: Origin,
    /// How the number comes about.
    pub number: Derived,
}

/// A way that is looked for.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    /// The allowances that count as it.
    allowances: Vec<AllowanceId>,
}

/// Tries a card in the positions of scenarios.
///
/// # Errors
/// When the card is not in the program: its errors.
pub fn try_card(
    compiler: &Compiler,
    scenarios: &[Arc<Scenario>],
    card: &str,
    profile: &Profile,
) -> Result<Trial, Vec<Diagnostic>> {
    let (program, diags) = compiler.link(profile);
    let Some((index, decl)) = program.cards.iter().enumerate().find(|(_, one)| one.id == card) else {
        return Err(missing(compiler, card, diags));
    };
    let id = CardId::from_index(index);
    let name = title(&program, decl).to_owned();
    let stages = stage::stages((&program, &compiler.layouts()), scenarios, id, &name);
    let mut search = search::Search::new(compiler, &program, id, profile, stages);
    search.look();
    let by_itself = by_itself(&program, id);
    Ok(Trial {
        card: card.to_owned(),
        title: name,
        profile: profile_words(profile),
        missing: decl.partial.clone(),
        positions: search.positions(),
        numbers: search.numbers(),
        ways: search.ways(),
        by_itself,
    })
}

/// Why a card is not in the program.
fn missing(compiler: &Compiler, card: &str, diags: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let item = compiler.item("card", card);
    let within = |diag: &Diagnostic| item.as_ref().is_some_and(|item| item.place.has_start_of(&diag.place));
    let (own, others): (Vec<Diagnostic>, Vec<Diagnostic>) =
        diags.into_iter().filter(|diag| diag.is_error()).partition(within);
    match (own.is_empty(), &item) {
        (false, _) => own,
        (true, Some(_)) if !others.is_empty() => others,
        (true, item) => {
            let place = match &item {
                Some(item) => item.place.clone(),
                None => netrep_ir::Place::nowhere(),
            };
            vec![Diagnostic::new(Code::UnknownCard, place, format!("no card is called `{card}`"))]
        }
    }
}

/// The clauses of a card that no one declares.
fn by_itself(program: &Program, id: CardId) -> Vec<Citation> {
    let card = Some(id);
    let modifiers = program.modifiers.iter().filter(|one| one.card == card && !one.delayed).map(|one| one.clause);
    let triggers = program.triggers.iter().filter(|one| one.card == card && !one.delayed).map(|one| one.clause);
    let norms = program.norms.iter().filter(|one| one.card == card && !one.delayed).map(|one| one.clause);
    let mut clauses: Vec<_> = modifiers.chain(triggers).chain(norms).collect();
    clauses.sort_unstable();
    clauses.dedup();
    clauses.into_iter().map(|clause| citation(program, clause)).collect()
}
