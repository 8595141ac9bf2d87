//! The rulings in which two profiles differ, and a smallest set of them that makes a difference.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_compiler::{Compiler, Profile};
use serde::Serialize;

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
        let word = |reading: &Option<String>| reading.clone().unwrap_or_else(|| "no reading".to_owned());
        write!(f, "{}: {} against {}", self.ruling, word(&self.here), word(&self.there))
    }
}

/// The rulings in which two profiles differ.
#[derive(Clone, Debug)]
pub struct Switches {
    to: Profile,
    all: Vec<Switch>,
}

impl Switches {
    /// What has to be switched to come from one profile to another. Only rulings of which a reading amends something.
    pub fn between(compiler: &Compiler, from: &Profile, to: &Profile) -> Switches {
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
        Switches { to: to.clone(), all }
    }

    /// All of them.
    pub fn all(&self) -> &[Switch] {
        &self.all
    }

    /// The profile in which only these are switched. It is the other one, with the readings of the first for all others, so
    /// that its order decides where two amend one clause.
    pub fn profile(&self, switched: &[&Switch]) -> Profile {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_part_is_found_and_nothing_of_it_can_be_left_out() {
        let numbers: Vec<u32> = (0..40).collect();
        let all: Vec<&u32> = numbers.iter().collect();
        let find = |wanted: &[u32]| {
            let mut asked = 0;
            let found = smallest(&all, &mut |part: &[&u32]| {
                asked += 1;
                wanted.iter().all(|one| part.contains(&one))
            });
            (found.map(|found| found.into_iter().copied().collect::<Vec<_>>()), asked)
        };
        assert_eq!(find(&[7]), (Some(vec![7]), 8));
        assert_eq!(find(&[3, 31]).0, Some(vec![3, 31]));
        assert_eq!(find(&[0, 1, 2, 20, 39]).0, Some(vec![0, 1, 2, 20, 39]));
        assert_eq!(find(&[99]).0, None);
    }
}
