//! `netrep cost`: what clauses cost in play.

use netrep_lab::Library;
use netrep_lab::driver::start;
use netrep_lab::simulate::{ClauseCost, Costs, Counts, clauses_named, costs};
use serde::Serialize;

use crate::args::Cost;
use crate::commands::seated;
use crate::names::unknown;
use crate::output::Show;
use crate::{Outcome, Wrong};

/// The result of `cost`.
#[derive(Serialize)]
struct Counted {
    counts: Counts,
    listing: u64,
    rest: u64,
    clauses: Vec<ClauseCost>,
}

/// Plays games and tells what clauses cost in them.
pub(crate) fn count_costs(show: &Show, library: &Library, asked: &Cost) -> Result<Outcome, Wrong> {
    let prepared = seated(library, &asked.between.decks, &asked.readings.profile())?;
    let mut wanted: Vec<String> = Vec::new();
    for name in &asked.items {
        let meant = clauses_named(&prepared.program, name);
        wanted.extend(meant.map_err(|near| unknown("nothing with a clause in these games is called", name, &near))?);
    }
    let game = start(&prepared).map_err(Wrong::Diags)?;
    let plan = asked.by.plan(asked.games);
    let bar = show.progress(asked.games);
    let Costs { counts, listing, rest, clauses } = costs(&game, &plan, &|n| bar.set_position(n));
    bar.finish_and_clear();
    let is_shown = |one: &ClauseCost| if wanted.is_empty() { one.is_asked() } else { wanted.contains(&one.clause) };
    let most = if asked.top == 0 || !wanted.is_empty() { usize::MAX } else { asked.top };
    let clauses: Vec<ClauseCost> = clauses.into_iter().filter(is_shown).take(most).collect();
    let result = Counted { counts, listing, rest, clauses };
    Ok(show.reply(Outcome::Clean, &result, || told(show, &result)))
}

fn told(show: &Show, result: &Counted) {
    let Counted { counts, listing, rest, clauses } = result;
    show.line(format!("games: {}, with {} windows", counts.games, counts.windows));
    show.line(format!("conditions: {listing} asked while options are listed, {rest} while answers are taken"));
    lines(clauses).for_each(|line| show.line(line));
}

/// A line for each clause.
pub(super) fn lines(clauses: &[ClauseCost]) -> impl Iterator<Item = String> {
    clauses.iter().map(|one| {
        format!(
            "{:5.1} % {:>10} asked in {:>8} times consulted, taking {:>8}: {} “{}”",
            one.share, one.conditions, one.consulted, one.rest_conditions, one.clause, one.title
        )
    })
}
