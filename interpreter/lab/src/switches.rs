//! The rulings in which two profiles differ, and a smallest set of them that makes a difference.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use serde::Serialize;

use crate::report::Consulted;

/// A ruling that two profiles read differently.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Switch {
    /// The ruling.
    pub ruling: String,
    /// The reading of the one profile; `None`: no reading is chosen, the text stands as it is.
    pub here: Option<String>,
    /// The reading of the other.
    pub there: Option<String>,
}

impl std::fmt::Display for Switch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        fn word(reading: &Option<String>) -> &str {
            match reading {
                Some(reading) => reading,
                None => "no reading",
            }
        }
        write!(f, "{}: {} against {}", self.ruling, word(&self.here), word(&self.there))
    }
}

/// The rulings in which two profiles differ.
#[derive(Clone, Debug)]
pub(crate) struct Switches {
    to: Profile,
    all: Vec<Switch>,
    /// For each, the labels of the clauses that it brings, takes or replaces under either profile, and the items.
    touched: Vec<(BTreeSet<String>, BTreeSet<Arc<str>>)>,
}

impl Switches {
    /// What has to be switched to come from one profile to another. Only rulings of which a reading amends something.
    pub(crate) fn between(compiler: &Compiler, from: &Profile, to: &Profile) -> Switches {
        let readings =
            |profile| compiler.readings_in_force(profile).into_iter().collect::<BTreeMap<Arc<str>, Arc<str>>>();
        let (here, there) = (readings(from), readings(to));
        let mut rulings: Vec<&Arc<str>> = here.keys().chain(there.keys()).collect();
        rulings.sort();
        rulings.dedup();
        let reading = |of: &BTreeMap<Arc<str>, Arc<str>>, ruling: &Arc<str>| of.get(ruling).map(|one| one.to_string());
        let differs = |ruling: &&&Arc<str>| here.get(**ruling) != there.get(**ruling);
        let amends = |ruling: &&&Arc<str>| !compiler.targets(ruling).is_empty();
        let switch = |ruling: &Arc<str>| Switch {
            ruling: ruling.to_string(),
            here: reading(&here, ruling),
            there: reading(&there, ruling),
        };
        let all = rulings.iter().filter(differs).filter(amends).map(|ruling| switch(ruling)).collect();
        let mut switches = Switches { to: to.clone(), all, touched: Vec::new() };
        let programs = [compiler.link(from).0, compiler.link(to).0];
        let known = compiler.rulings();
        let touched = |one: &Switch| {
            let ruling = known.iter().find(|(ruling, _)| *ruling.id == *one.ruling).map(|(ruling, _)| ruling);
            let chosen = |name: &str| [&one.here, &one.there].into_iter().flatten().any(|reading| *reading == name);
            let readings = ruling.iter().flat_map(|ruling| &ruling.readings).filter(|reading| chosen(&reading.name));
            let changes = readings.flat_map(|reading| &reading.operations);
            let named = changes.filter_map(|one| Some(format!("{} {}", one.target.key, one.change.label()?.0)));
            let mut labels: BTreeSet<String> = named.collect();
            let setters: Vec<String> = [&one.here, &one.there]
                .into_iter()
                .flatten()
                .map(|reading| format!("{}={reading}", one.ruling))
                .collect();
            let brought = programs.iter().flat_map(|program| &program.clauses);
            labels.extend(
                brought
                    .filter(|clause| setters.iter().any(|setter| clause.setter == *setter))
                    .map(|clause| clause.label.to_string()),
            );
            (labels, compiler.targets(&one.ruling).into_iter().map(|(_, key)| key).collect())
        };
        switches.touched = switches.all.iter().map(touched).collect();
        switches
    }

    /// Those that touch a clause of which one of these runs consulted one; and those that touch another clause of an item
    /// of which one was consulted.
    pub(crate) fn near(&self, runs: &[&Consulted]) -> [Vec<&Switch>; 2] {
        let clauses: BTreeSet<&str> = runs.iter().flat_map(|run| run.labels()).collect();
        let items: BTreeSet<&str> = runs.iter().flat_map(|run| run.items()).collect();
        let both = self.all.iter().zip(&self.touched);
        let is_there = |labels: &BTreeSet<String>| labels.iter().any(|label| clauses.contains(label.as_str()));
        let (nearest, others): (Vec<_>, Vec<_>) = both.partition(|(_, (labels, _))| is_there(labels));
        let beside = others.into_iter().filter(|(_, (_, keys))| keys.iter().any(|key| items.contains(&**key)));
        [nearest.into_iter().map(|(one, _)| one).collect(), beside.map(|(one, _)| one).collect()]
    }

    /// A smallest set of rulings behind a difference: with these switched it is there, with one less it is not; empty if no
    /// set makes it. `runs` are what was consulted on either side; `known` are sets that were found before, and are tried
    /// first; `holds` says whether a profile has the outcome of the other one.
    pub(crate) fn behind(
        &self,
        runs: &[&Consulted],
        known: &mut Vec<Vec<Switch>>,
        holds: &mut dyn FnMut(Profile) -> bool,
    ) -> Vec<Switch> {
        let mut asked: Vec<(Vec<Switch>, bool)> = Vec::new();
        let mut holds = |switched: &[&Switch]| {
            let set: Vec<Switch> = switched.iter().map(|one| (*one).clone()).collect();
            if let Some((_, holds)) = asked.iter().find(|(other, _)| *other == set) {
                return *holds;
            }
            let found = holds(self.profile(switched));
            asked.push((set, found));
            found
        };
        // Only what amends a consulted clause can be behind it; what else amends such an item, because a clause may be read
        // as a part of another; then all.
        let [near, beside] = self.near(runs);
        let wider: Vec<&Switch> = near.iter().chain(&beside).copied().collect();
        // What was found before is tried first; what is left of it is the smallest again.
        let again = known.iter().filter(|set| set.iter().all(|one| near.contains(&one)));
        let again = again.map(|set| set.iter().collect::<Vec<_>>()).find(|set| holds(set));
        let again: Option<Vec<Switch>> =
            again.and_then(|set| smallest(&set, &mut holds)).map(|set| set.into_iter().cloned().collect());
        let found = again.or_else(|| {
            let mut found = smallest(&near, &mut holds);
            if found.is_none() && !beside.is_empty() {
                found = smallest(&wider, &mut holds);
            }
            if found.is_none() && wider.len() < self.all.len() {
                let all: Vec<&Switch> = self.all.iter().collect();
                // Each of the others alone would be a run for each; all together say whether it is worth it.
                found = holds(&all).then(|| smallest(&all, &mut holds)).flatten();
            }
            found.map(|set| set.into_iter().cloned().collect())
        });
        // total: no set of rulings is behind it, which is told as none.
        let set = found.unwrap_or_default();
        if !set.is_empty() && !known.contains(&set) {
            known.push(set.clone());
        }
        set
    }

    /// The profile in which only these are switched. It is the other one, with the readings of the first for all others, so
    /// that its order decides where two amend one clause.
    pub(crate) fn profile(&self, switched: &[&Switch]) -> Profile {
        let mut profile = self.to.clone();
        for one in self.all.iter().filter(|one| !switched.contains(one)) {
            profile.with.retain(|(ruling, _)| **ruling != *one.ruling);
            profile.without.retain(|ruling| **ruling != *one.ruling);
            profile = match &one.here {
                Some(reading) => profile.with(&one.ruling, reading),
                None => profile.without(&one.ruling),
            };
        }
        profile
    }
}

/// A smallest part of a list for which something holds: no part of it with one element less does. `None` if it does not
/// hold for the whole list.
///
/// First each element alone, then ever smaller parts are left out (delta debugging), then one by one.
pub fn smallest<'a, T>(all: &[&'a T], holds: &mut dyn FnMut(&[&'a T]) -> bool) -> Option<Vec<&'a T>> {
    if let Some(one) = all.iter().find(|one| holds(&[**one])) {
        return Some(vec![*one]);
    }
    if all.len() < 2 || !holds(all) {
        return None;
    }
    let mut kept: Vec<&'a T> = all.to_vec();
    let mut size = kept.len().div_ceil(2);
    loop {
        let mut at = 0;
        while at < kept.len() && kept.len() > 1 {
            let end = (at + size).min(kept.len());
            let without: Vec<&'a T> = kept.iter().take(at).chain(kept.iter().skip(end)).copied().collect();
            if !without.is_empty() && holds(&without) {
                kept = without;
            } else {
                at = end;
            }
        }
        if size == 1 {
            return Some(kept);
        }
        size = size.div_ceil(2);
    }
}
