//! `netrep impact`: what a switch of a reading, or an edit that is not saved yet, touches.

use std::io::Read;
use std::path::Path;

use netrep_compiler::{Compiler, Profile};
use netrep_lab::driver::start;
use netrep_lab::impact::{Departure, Draft, Drafted, Edited, Effect, Effects, draft, edited, effects};
use netrep_lab::simulate::{Plan, Played, Shifts, shifts, simulate_telling};
use netrep_lab::words::nearest_name;
use netrep_lab::{Library, library};
use serde::Serialize;

use crate::args::Impact;
use crate::commands::{decks_named, look_at, seated};
use crate::output::{Show, count};
use crate::scenarios::{scenarios, threads};
use crate::{Outcome, Wrong};

/// So many scenarios of one reading are named, unless all are asked for.
const NAMED: usize = 8;

/// The name of a draft that is read from standard input.
const PIPED: &str = "-";

/// The result of `impact`.
#[derive(Serialize)]
struct Impacted {
    /// The items of a draft; empty without one.
    draft: Vec<Drafted>,
    /// What the draft changes where no reading is switched.
    edit: Option<Edited>,
    /// How results of whole games shift by it, if games were asked for.
    simulated: Option<Shifts>,
    /// What each other reading of the rulings changes.
    readings: Effects,
}

/// Says what is touched.
pub(crate) fn impact(show: &Show, library: &Library, asked: &Impact) -> Result<Outcome, Wrong> {
    let profile = asked.readings.profile();
    look_at(show, library, &profile)?;
    if let Some(what) = &asked.what {
        is_known(library, what)?;
    }
    let all = scenarios(show, library, &[], false)?;
    let threads = threads(asked.by.jobs);
    if asked.games > 0 {
        // What is wrong with the decks is said before anything is run.
        decks_named(library, &asked.decks)?;
    }
    let mut result = Impacted { draft: Vec::new(), edit: None, simulated: None, readings: Effects::default() };
    let Some(what) = &asked.what else {
        let compiler = &library.compiler;
        let amends = |ruling: &netrep_compiler::layers::ruling::Ruling| !compiler.targets(&ruling.id).is_empty();
        let rulings = compiler.rulings();
        let bar = show.progress(rulings.iter().map(|(ruling, _)| ruling.readings.len().saturating_sub(1) as u64).sum());
        result.readings = effects(compiler, &all, (&amends, false), &profile, threads, &mut |_| bar.inc(1));
        bar.finish_and_clear();
        return Ok(show.reply(Outcome::Clean, &result, || table(show, &result.readings)));
    };
    let path = Path::new(what);
    if what == PIPED || path.is_file() {
        let drafted = drafted(library, what, asked.place.as_deref())?;
        let found = edited(&library.compiler, &drafted.compiler, &all, &profile, threads);
        let broken = found.diagnostics.iter().any(|diag| diag.is_error());
        let wanted = |ruling: &netrep_compiler::layers::ruling::Ruling| drafted.rulings.contains(&*ruling.id);
        result.readings = effects(&drafted.compiler, &all, (&wanted, true), &profile, threads, &mut |_| ());
        let after = library.with_compiler(drafted.compiler);
        if asked.games > 0 && !broken {
            let before = games(show, library, asked, &profile)?;
            result.simulated = Some(shifts(&before, &games(show, &after, asked, &profile)?));
            simulate(show, &after, asked, &profile, &mut result.readings)?;
        }
        (result.draft, result.edit) = (drafted.items, Some(found));
        return Ok(show.reply(Outcome::of(!broken), &result, || {
            draft_lines(show, &after.compiler, library, &result);
            result.readings.readings.iter().for_each(|effect| effect_lines(show, effect, asked.all));
            needed(show, &result.readings);
        }));
    }
    let wanted = |ruling: &netrep_compiler::layers::ruling::Ruling| *ruling.id == **what;
    result.readings = effects(&library.compiler, &all, (&wanted, true), &profile, threads, &mut |_| ());
    simulate(show, library, asked, &profile, &mut result.readings)?;
    Ok(show.reply(Outcome::Clean, &result, || {
        result.readings.readings.iter().for_each(|effect| effect_lines(show, effect, asked.all));
        needed(show, &result.readings);
    }))
}

/// Refuses what is neither a ruling nor a draft.
fn is_known(library: &Library, what: &str) -> Result<(), Wrong> {
    if what == PIPED || Path::new(what).is_file() || library.compiler.item("ruling", what).is_some() {
        return Ok(());
    }
    let rulings = library.compiler.rulings();
    let help = match nearest_name(what, rulings.iter().map(|(ruling, _)| &*ruling.id)) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => "; `netrep rulings` lists the rulings".to_owned(),
    };
    Err(Wrong::Usage(format!("`{what}` is no ruling and no file{help}")))
}

/// The data with a draft of a file, or of what is piped in.
fn drafted(library: &Library, what: &str, place: Option<&str>) -> Result<Draft, Wrong> {
    let (name, text) = if what == PIPED {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        let text = String::from_utf8(bytes).map_err(|_| Wrong::Usage("what is piped in is no text".to_owned()))?;
        ("standard input".to_owned(), text)
    } else {
        (what.to_owned(), netrep_compiler::load::read_text(Path::new(what))?)
    };
    if let Some(place) = place.filter(|place| !netrep_compiler::load::is_source(place)) {
        let known = netrep_compiler::load::EXTENSIONS.join(", .");
        return Err(Wrong::Usage(format!("`{place}` is no file of the language: .{known}")));
    }
    Ok(draft(&library.compiler, &name, &text, place))
}

/// Whole games under a profile.
fn games(show: &Show, library: &Library, asked: &Impact, profile: &Profile) -> Result<Vec<Played>, Wrong> {
    let prepared = seated(library, &asked.decks, profile)?;
    let game = start(&prepared).map_err(Wrong::Diags)?;
    let plan = Plan { sample: 0, again: 0, shorten: 0, ..asked.by.plan(asked.games) };
    let bar = show.progress(asked.games);
    let simulation = simulate_telling(&game, &plan, &|n| bar.set_position(n));
    bar.finish_and_clear();
    if let Some(failure) = simulation.failures.first() {
        let failed = count(simulation.failures.len(), "game", "games");
        let profile = netrep_lab::scenario::profile_words(profile);
        show.warn(format!("{failed} went wrong under {profile}; of seed {}: {}", failure.seed, failure.text));
    }
    Ok(simulation.played)
}

/// Plays games under each reading that changes something, and under the one in force.
fn simulate(
    show: &Show,
    library: &Library,
    asked: &Impact,
    profile: &Profile,
    found: &mut Effects,
) -> Result<(), Wrong> {
    if asked.games == 0 || found.readings.iter().all(|effect| effect.items.is_empty()) {
        return Ok(());
    }
    let before = games(show, library, asked, profile)?;
    for effect in found.readings.iter_mut().filter(|effect| !effect.items.is_empty()) {
        let mut other = profile.clone();
        other.with.retain(|(ruling, _)| **ruling != *effect.ruling);
        let after = games(show, library, asked, &other.with(&effect.ruling, &effect.reading))?;
        effect.simulated = Some(shifts(&before, &after));
    }
    Ok(())
}

/// A line for each reading.
fn table(show: &Show, effects: &Effects) {
    show.line(show.paint("1", "cards  rules  depart  flip  reading"));
    for effect in &effects.readings {
        let of = |head: &str| effect.items.iter().filter(|item| item.starts_with(head)).count();
        let flips = effect.departs.iter().filter(|one| one.flips()).count();
        let note = match () {
            () if effect.unnoticed => show.paint("33", "  no scenario shows what it changes"),
            () if effect.items.is_empty() && effect.awaits.is_empty() => "  the text as it stands".to_owned(),
            () if effect.items.is_empty() => "  waits".to_owned(),
            () => String::new(),
        };
        let (cards, rules, departs) = (of("card "), of("rule "), effect.departs.len());
        show.line(format!(
            "{cards:>5}  {rules:>5}  {departs:>6}  {flips:>4}  {} {}{note}",
            effect.ruling, effect.reading
        ));
    }
    let unnoticed = effects.readings.iter().filter(|effect| effect.unnoticed).count();
    let readings = count(effects.readings.len(), "reading", "readings");
    show.line(format!("{readings} not in force, {unnoticed} of which change something that no scenario shows"));
    needed(show, effects);
}

fn needed(show: &Show, effects: &Effects) {
    let scenarios = count(effects.scenarios, "scenario", "scenarios");
    show.line(format!("{scenarios}; {}, {} not needed", count(effects.ran, "run", "runs"), effects.spared));
}

fn draft_lines(show: &Show, after: &Compiler, library: &Library, result: &Impacted) {
    for item in &result.draft {
        let place = match &item.replaces {
            Some(file) => format!("in the place of {file}"),
            None => "new".to_owned(),
        };
        show.line(format!("{} {}: {place}", show.paint("1", &item.item), item.title));
    }
    if result.draft.is_empty() {
        show.line("everything in it is there already");
    }
    let Some(edit) = &result.edit else { return };
    show.diags(&edit.diagnostics, &|file| after.text(file).map(|t| t.to_string()).or_else(|| library.text(file)));
    departures(show, &edit.departs, usize::MAX);
    let departs = count(edit.departs.len(), "scenario or game departs", "scenarios and games depart");
    show.line(format!("{departs}; {}, {} not needed", count(edit.ran, "run", "runs"), edit.spared));
    if let Some(found) = &result.simulated {
        shift_lines(show, found);
    }
}

fn effect_lines(show: &Show, effect: &Effect, all: bool) {
    let instead = match &effect.instead_of {
        Some(reading) => reading,
        None => "the text as it stands",
    };
    let title = show.paint("1", &format!("{} {}", effect.ruling, effect.reading));
    show.line(format!("{title} in place of {instead}: {}", effect.question));
    for what in &effect.awaits {
        show.line(format!("  awaits {what}"));
    }
    if effect.items.is_empty() {
        show.line("  changes no clause");
        return;
    }
    show.line(format!("  changes {}", effect.items.join(", ")));
    departures(show, &effect.departs, if all { usize::MAX } else { NAMED });
    if effect.unnoticed {
        show.line(show.paint("33", "  no scenario shows what it changes: write one"));
    }
    if let Some(found) = &effect.simulated {
        shift_lines(show, found);
    }
}

fn departures(show: &Show, departs: &[Departure], most: usize) {
    // Recorded games are few, and each is told.
    let is_game = |one: &&Departure| one.file.starts_with(library::FOLDERS[1]);
    let (games, others): (Vec<&Departure>, Vec<&Departure>) = departs.iter().partition(is_game);
    let more = others.len().saturating_sub(most);
    for one in games.into_iter().chain(others.into_iter().take(most)) {
        let verdict = match (one.passed_before, one.passed_after) {
            (true, false) => show.paint("31", "fails now"),
            (false, true) => show.paint("32", "holds now"),
            (true, true) => "still holds".to_owned(),
            (false, false) => "still fails".to_owned(),
        };
        let kind = if is_game(&one) { "game " } else { "" };
        show.line(format!("  {kind}{}  {}  [{}]: {verdict}", show.paint("1", &one.scenario), one.file, one.profile));
        let from = match one.parting.asked {
            Some(_) => one.parting.place(),
            None => format!("from step {} on", one.parting.step),
        };
        show.line(format!("    {from}"));
        for (letter, outcome) in ['A', 'B'].into_iter().zip(&one.outcomes) {
            show.line(format!("    {letter} {outcome}"));
        }
        // The outcome is one of the lines; where there is one alone, it has been told.
        for (letter, lines) in [('A', &one.parting.here), ('B', &one.parting.there)] {
            for line in lines.iter().take(4).filter(|_| lines.len() > 1) {
                show.line(format!("      {letter} | {line}"));
            }
        }
    }
    if more > 0 {
        show.line(format!("  … and {more} more (--all)"));
    }
}

fn shift_lines(show: &Show, found: &Shifts) {
    let games = count(found.games, "game", "games");
    show.line(format!("  {games} by the same seeds: {} come out otherwise", found.departed));
    for shift in &found.shifts {
        let whose = if shift.player.is_empty() { "a game".to_owned() } else { shift.player.clone() };
        let sure = if shift.is_sure() { "" } else { "; may be chance" };
        show.line(format!(
            "    {whose}, {}: {:.2} → {:.2}, {:+.2} (19 times in 20 between {:+.2} and {:+.2}{sure})",
            shift.what, shift.before, shift.after, shift.difference, shift.low, shift.high
        ));
    }
}
