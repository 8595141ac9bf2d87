//! `netrep simulate`: whole games between two decks.

use std::fs;

use netrep_compiler::Profile;
use netrep_engine::Verify;
use netrep_lab::Library;
use netrep_lab::driver::start;
use netrep_lab::simulate::{
    ClauseCost, Costs, Counts, Failure, Plan, Played, Simulation, Summary, Timing, costs, csv, simulate_telling,
    summary, svg,
};
use serde::Serialize;

use crate::args::{Simulate, Summing};
use crate::commands::{cost, seated};
use crate::output::{Show, count};
use crate::{Outcome, Wrong};

/// The result of `simulate`.
#[derive(Serialize)]
struct Simulated {
    summary: Summary,
    games: Vec<Played>,
    failures: Vec<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Timed>,
}

/// How long what was counted took.
#[derive(Serialize)]
struct Timed {
    #[serde(flatten)]
    timing: Timing,
    counts: Counts,
    /// The dearest clauses, counted in some of the games once more: what is timed is not slowed by it.
    clauses: Vec<ClauseCost>,
}

/// In so many games it is counted which clauses are dear.
const COUNTED: u64 = 5;
/// So many of them are told.
const DEAR: usize = 10;

impl Timed {
    fn lines(&self) -> Vec<String> {
        let mut lines = self.timing.lines(&self.counts);
        lines.push("dearest clauses, by conditions that are asked while options are listed:".to_owned());
        lines.extend(cost::lines(&self.clauses));
        lines
    }
}

/// Plays the games.
pub(crate) fn simulated(show: &Show, library: &Library, asked: &Simulate, profile: &Profile) -> Result<Outcome, Wrong> {
    let prepared = seated(library, &asked.between.decks, profile)?;
    let game = start(&prepared).map_err(Wrong::Diags)?;
    let defaults = asked.by.plan(asked.games);
    let plan = Plan {
        laws: !asked.quick,
        timing: asked.timing,
        // Each kept answer is given so often that every fifth of them meets them all.
        verify: Verify { every: if asked.verify { 5 } else { 0 }, planted: None },
        sample: if asked.quick { 0 } else { 400 },
        again: if asked.quick { 0 } else { 25 },
        shorten: if asked.quick { 0 } else { defaults.shorten },
        ..defaults
    };
    let bar = show.progress(asked.games);
    let simulation = simulate_telling(&game, &plan, &|n| bar.set_position(n));
    bar.finish_and_clear();
    if let Some(path) = &asked.chart {
        fs::write(path, svg(&simulation.played))?;
    }
    let clean = simulation.failures.is_empty();
    let Simulation { counts, played, failures, timing } = simulation;
    let timing = timing.map(|timing| {
        let counted = Plan { games: plan.games.min(COUNTED), ..plan };
        let Costs { clauses, .. } = costs(&game, &counted, &|_| ());
        let clauses = clauses.into_iter().filter(ClauseCost::is_asked).take(DEAR).collect();
        Timed { timing, counts, clauses }
    });
    if asked.summing == Summing::Csv {
        print!("{}", csv(&played));
        // Not among the lines of the games.
        timing.iter().flat_map(Timed::lines).for_each(|line| eprintln!("{line}"));
        return Ok(Outcome::of(clean));
    }
    let result = Simulated { summary: summary(&played), games: played, failures, timing };
    Ok(show.reply(Outcome::of(clean), &result, || told(show, &result)))
}

fn told(show: &Show, result: &Simulated) {
    let sum = &result.summary;
    let ends: Vec<String> = sum.ends.iter().map(|(end, n)| format!("{n} {end}")).collect();
    show.line(format!("{}: {}", count(result.games.len(), "game", "games"), ends.join(", ")));
    let [least, middle, most] = sum.clock;
    if most > 0 {
        show.line(format!("turns: {least} to {most}, median {middle}"));
    }
    let [least, middle, most] = sum.decisions;
    show.line(format!("decisions: {least} to {most}, median {middle}"));
    for (name, outcomes) in &sum.outcomes {
        let list: Vec<String> =
            outcomes.iter().filter(|(o, _)| !o.is_empty()).map(|(outcome, n)| format!("{outcome} {n}")).collect();
        let points: Vec<String> = sum
            .points
            .get(name)
            .into_iter()
            .flatten()
            .filter(|p| p.1 != 0)
            .map(|(what, n)| format!("{what} {}", hundredths(*n)))
            .collect();
        show.line(format!("{name}: {}", list.join(", ")));
        show.line(format!("  on average: {}", points.join(", ")));
    }
    let cards: Vec<String> = sum.cards.iter().take(20).map(|(card, n)| format!("{card} {n}")).collect();
    show.line(format!("played most: {}", cards.join(", ")));
    let lines = result.timing.iter().flat_map(Timed::lines);
    lines.for_each(|line| show.line(line));
    for failure in &result.failures {
        show.line(format!("{} seed {}: {}", show.paint("31", "✗"), failure.seed, failure.text));
        for said in failure.transcript.iter().rev().take(12).collect::<Vec<_>>().into_iter().rev() {
            show.line(format!("    {}: {}.", said.by, said.words));
        }
    }
}

fn hundredths(n: i64) -> String {
    format!("{}{}.{:02}", if n < 0 { "-" } else { "" }, n.abs() / 100, n.abs() % 100)
}
