//! What a switch of a reading, or an edit that is not saved yet, touches: cards, rules, scenarios and games.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_compiler::layers::ruling::Ruling;
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_diagnostics::Code;
use serde::Serialize;

use crate::across::Across;
use crate::compare::{Parting, parting, told};
use crate::find::title;
use crate::memo::Memo;
use crate::report::Report;
use crate::run::jobs;
use crate::scenario::Scenario;
use crate::simulate::Shifts;

/// What a reading changes, against the one that is in force.
#[derive(Clone, Debug, Serialize)]
pub struct Effect {
    /// The ruling.
    pub ruling: String,
    /// What it asks.
    pub question: String,
    /// The reading in force; `None`: none is chosen.
    pub instead_of: Option<String>,
    /// The reading that is looked at.
    pub reading: String,
    /// The cards and rules whose clauses are not the same under both.
    pub items: Vec<String>,
    /// The scenarios and games in which something else happens, or a question is answered otherwise.
    pub departs: Vec<Departure>,
    /// True if it changes something, and no scenario shows what.
    pub unnoticed: bool,
    /// What it still waits for.
    pub awaits: Vec<String>,
    /// How results of whole games shift, if games were played.
    pub simulated: Option<Shifts>,
}

/// A scenario or game in which something else happens.
#[derive(Clone, Debug, Serialize)]
pub struct Departure {
    /// Its name.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// The profile, if it names one itself.
    pub profile: String,
    /// Whether everything was as expected before.
    pub passed_before: bool,
    /// Whether everything is as expected after.
    pub passed_after: bool,
    /// The first step or question at which they part, what came of it before, and what comes of it after.
    pub parting: Parting,
    /// What comes of it there, before and after, each in a line.
    pub outcomes: [String; 2],
}

impl Departure {
    fn of(before: &Report, after: &Report) -> Option<Departure> {
        let parting = parting(before, after, 1)?;
        Some(Departure {
            scenario: before.name.clone(),
            file: before.file.clone(),
            profile: before.profile.clone(),
            passed_before: before.passed(),
            passed_after: after.passed(),
            outcomes: parting.outcomes(),
            parting,
        })
    }

    /// True if what is expected of it came to hold, or holds no more.
    pub fn flips(&self) -> bool {
        self.passed_before != self.passed_after
    }
}

/// What readings change.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Effects {
    /// Each reading that is not in force.
    pub readings: Vec<Effect>,
    /// How many scenarios and games were looked at.
    pub scenarios: usize,
    /// How many runs were made.
    pub ran: usize,
    /// How many were not needed.
    pub spared: usize,
}

/// What the other readings of rulings would change under a profile. A scenario that asks for a reading itself is asked only
/// about this one, and about those under which it expects something; with `every`, those that ask for another edition are
/// asked too. `tell` hears of each effect.
pub fn effects(
    compiler: &Compiler,
    scenarios: &[Arc<Scenario>],
    (wanted, every): (&dyn Fn(&Ruling) -> bool, bool),
    base: &Profile,
    threads: usize,
    tell: &mut dyn FnMut(&Effect),
) -> Effects {
    let mut across = Across::recalled(compiler, scenarios, base, threads);
    let now = compiler.readings_in_force(base);
    let mut found = Effects { scenarios: scenarios.len(), ..Effects::default() };
    for (ruling, _) in compiler.rulings().into_iter().filter(|(ruling, _)| wanted(ruling)) {
        let chosen = now.iter().find(|(id, _)| *id == ruling.id).map(|(_, reading)| Arc::clone(reading));
        let mut before = base.clone();
        before.with.retain(|(id, _)| *id != ruling.id);
        before = match &chosen {
            Some(reading) => before.with(&ruling.id, reading),
            None => before.without(&ruling.id),
        };
        // A scenario that asks for an edition or readings itself is asked about this ruling only; of all rulings, only if it
        // names it.
        let is_asked = |at: usize| {
            let scenario = &scenarios[at];
            if scenario.asks_about(&ruling.id) {
                return true;
            }
            let mut own = scenario.base_profile(base);
            own.with.retain(|(id, _)| *id != ruling.id || base.with.iter().any(|(other, _)| other == id));
            own.without.retain(|id| *id != ruling.id || base.without.contains(id));
            if every {
                own.edition.clone_from(&base.edition);
            }
            own == *base
        };
        let named: Vec<(usize, Arc<Report>)> = across.anew(&before, &is_asked);
        for reading in ruling.readings.iter().filter(|reading| chosen.as_ref() != Some(&reading.name)) {
            let mut other = base.clone();
            other.with.retain(|(id, _)| *id != ruling.id);
            other.without.retain(|id| *id != ruling.id);
            other = other.with(&ruling.id, &reading.name);
            let items = compiler.apart(base, &other);
            let mut departs: Vec<Departure> = if items.is_empty() {
                Vec::new()
            } else {
                let after = across.anew(&other, &is_asked);
                across.spared += (0..scenarios.len()).filter(|at| is_asked(*at)).count() - after.len();
                let of = |runs: &[(usize, Arc<Report>)], at: usize| {
                    let run = runs.iter().find(|(other, _)| *other == at).map(|(_, report)| Arc::clone(report));
                    run.or_else(|| across.report(at).cloned())
                };
                let both: BTreeSet<usize> = after.iter().chain(&named).map(|(at, _)| *at).collect();
                // What comes to the same as in the run that is known is no difference; only the others are looked at in full.
                let is_other = |at: &usize| {
                    let told = |runs: &[(usize, Arc<Report>)]| {
                        let run = runs.iter().find(|(other, _)| other == at);
                        run.map(|(_, report)| told(report)).or_else(|| across.told(*at))
                    };
                    told(&named).is_none_or(|before| told(&after) != Some(before))
                };
                let both: BTreeSet<usize> = both.into_iter().filter(is_other).collect();
                across.filled(both.iter().copied());
                let pairs = both.into_iter().filter_map(|at| Some((of(&named, at)?, of(&after, at)?)));
                pairs.filter_map(|(before, after)| Departure::of(&before, &after)).collect()
            };
            departs.sort_by_key(|one| !one.flips());
            let effect = Effect {
                ruling: ruling.id.to_string(),
                question: ruling.question.clone(),
                instead_of: chosen.as_ref().map(ToString::to_string),
                reading: reading.name.to_string(),
                unnoticed: !items.is_empty() && departs.is_empty(),
                items: items.iter().map(|(head, key)| format!("{head} {key}")).collect(),
                departs,
                awaits: reading.awaits.clone(),
                simulated: None,
            };
            tell(&effect);
            found.readings.push(effect);
        }
    }
    (found.ran, found.spared) = (across.ran, across.spared);
    found
}

/// An item that a draft brings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drafted {
    /// Its kind and name.
    pub item: String,
    /// Its title.
    pub title: String,
    /// The file in which it takes the place of the one that is there; `None` for a new one.
    pub replaces: Option<String>,
}

/// The data with a draft in them.
pub struct Draft {
    /// The data as they would be.
    pub compiler: Compiler,
    /// What the draft brings; what is the same as it is there is left out.
    pub items: Vec<Drafted>,
    /// The rulings among them.
    pub rulings: BTreeSet<String>,
}

/// Puts a draft into the data. Each of its items takes the place of the one of the same kind and name, or is new. With
/// `place`, the draft takes the place of that file as a whole.
pub fn draft(compiler: &Compiler, name: &str, text: &str, place: Option<&str>) -> Draft {
    let mut drafted = Compiler::new();
    let files = compiler.paths().into_iter().filter_map(|path| Some((Arc::clone(&path), compiler.text(&path)?)));
    let files: Vec<(Arc<str>, Arc<str>)> = files.collect();
    drafted.set_files(files.iter().map(|(path, text)| (&**path, &**text)));
    let mut alone = Compiler::new();
    alone.set_file(name, text);
    let mut items = Vec::new();
    let mut rulings = BTreeSet::new();
    let mut rest = String::new();
    for item in alone.items() {
        let there = compiler.item(item.head, &item.key).filter(|_| !item.head.is_empty());
        if there.as_ref().is_some_and(|there| there.text == item.text) {
            continue;
        }
        if item.head == "ruling" {
            rulings.insert(item.key.to_string());
        }
        let replaces = there.as_ref().map(|there| there.place.file.to_string());
        items.push(Drafted { item: format!("{} {}", item.head, item.key), title: title(&item), replaces });
        let now = drafted.item(item.head, &item.key).filter(|_| there.is_some());
        match now.and_then(|now| Some((drafted.file_with(&now, &item.text)?, now.place.file))) {
            Some((text, file)) if place.is_none() => drop(drafted.set_file(&file, &text)),
            _ => {
                rest.push_str(&item.text);
                rest.push_str("\n\n");
            }
        }
    }
    match place {
        Some(place) => drop(drafted.set_file(place, text)),
        None if rest.is_empty() => {}
        None => drop(drafted.set_file(name, &rest)),
    }
    Draft { compiler: drafted, items, rulings }
}

/// What an edit changes where nothing is switched.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Edited {
    /// What is wrong with the data after it, and was not before.
    pub diagnostics: Vec<Diagnostic>,
    /// The scenarios and games in which something else happens.
    pub departs: Vec<Departure>,
    /// How many runs consulted what it changes, and so were made again.
    pub ran: usize,
    /// How many were not needed.
    pub spared: usize,
}

/// What happens otherwise under an edit, in every scenario and under every profile that one asks for.
pub fn edited(
    before: &Compiler,
    after: &Compiler,
    scenarios: &[Arc<Scenario>],
    default: &Profile,
    threads: usize,
) -> Edited {
    let known: BTreeSet<(Code, String)> = before.check().into_iter().map(|diag| (diag.code, diag.message)).collect();
    let mut diagnostics = after.check();
    diagnostics.retain(|diag| !known.contains(&(diag.code, diag.message.clone())));
    let all = jobs(scenarios, default);
    let profiles: BTreeSet<&Profile> = all.iter().map(|job| &job.profile).collect();
    if profiles.iter().all(|profile| before.link(profile).0 == after.link(profile).0)
        && before.phrases_print() == after.phrases_print()
    {
        return Edited { diagnostics, spared: all.len(), ..Edited::default() };
    }
    let mut memo = Memo::new();
    let base = memo.refresh(before, &all, threads, &|_| ());
    let anew = memo.refresh(after, &all, threads, &|_| ());
    let pairs = base.iter().zip(&anew).filter(|(_, after)| after.ran);
    Edited {
        diagnostics,
        departs: pairs.filter_map(|(before, after)| Departure::of(&before.report, &after.report)).collect(),
        ran: anew.iter().filter(|outcome| outcome.ran).count(),
        spared: anew.iter().filter(|outcome| !outcome.ran).count(),
    }
}
