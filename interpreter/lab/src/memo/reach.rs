//! How far an edit reaches: under which profiles it makes the same difference as under another one.
//!
//! Profiles are many, one for each reading that some scenario asks for, and they differ in a few items. What an edit
//! changes in a program is therefore worked out under one profile, and again only under those that amend what was edited.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_compiler::views::ItemKey;
use netrep_compiler::{Compiler, Profile};
use serde::{Deserialize, Serialize};

use super::names::hash;

/// An item by its kind and key. What comes from an earlier process has a word of its own for the kind.
type Key = (Cow<'static, str>, Arc<str>);

fn own((head, key): ItemKey) -> Key {
    (Cow::Borrowed(head), key)
}

/// What decides how far edits reach, at one moment.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Reach {
    /// The fingerprints of all texts.
    texts: BTreeMap<Key, u64>,
    /// What each ruling amends.
    targets: BTreeMap<Arc<str>, Vec<Key>>,
    /// The profile with which the others are compared; what is known of two moments is of use only if it was the same.
    common: Option<Profile>,
    /// The items that each profile amends in another way than the common one.
    apart: BTreeMap<Profile, BTreeSet<Key>>,
    /// By what cards and rules hang together with the others, see [`Compiler::ties`].
    ties: BTreeMap<Key, u128>,
}

impl Reach {
    /// As things stand, for these profiles beside a common one. Where it was known at another moment, and only cards and rules
    /// were edited since, in a way that leaves them tied to the others as they were, it is not found out again.
    pub(super) fn of(compiler: &Compiler, common: &Profile, profiles: &BTreeSet<&Profile>, then: &Reach) -> Reach {
        let mut reach = Reach { common: Some(common.clone()), ..Reach::default() };
        let items = compiler.items();
        for item in &items {
            let held = reach.texts.entry(own((item.head, Arc::clone(&item.key)))).or_default();
            *held = hash(&(*held, &item.text));
        }
        let is_asked = then.common == reach.common && profiles.iter().all(|profile| then.apart.contains_key(*profile));
        if is_asked && reach.is_tied_as(compiler, then) {
            return Reach {
                targets: then.targets.clone(),
                apart: then.apart.clone(),
                ties: then.ties.clone(),
                ..reach
            };
        }
        for item in items {
            match item.head {
                RULING => {
                    let targets = compiler.targets(&item.key).into_iter().map(own).collect();
                    reach.targets.insert(item.key, targets);
                }
                CARD | RULE => {
                    if let Some(ties) = compiler.ties(item.head, &item.key) {
                        reach.ties.insert(own((item.head, item.key)), ties);
                    }
                }
                _ => {}
            }
        }
        let apart =
            |profile: &&Profile| ((*profile).clone(), compiler.apart(common, profile).into_iter().map(own).collect());
        reach.apart = profiles.iter().map(apart).collect();
        reach
    }

    /// Whether only cards and rules are not as they were then, and are tied to the others as then.
    fn is_tied_as(&self, compiler: &Compiler, then: &Reach) -> bool {
        let is_tied = |key: &Key| {
            let ties = || compiler.ties(&key.0, &key.1);
            matches!(&*key.0, CARD | RULE) && then.ties.get(key).is_some_and(|known| ties() == Some(*known))
        };
        let edited = self.texts.iter().filter(|(key, print)| then.texts.get(*key) != Some(*print));
        self.texts.keys().eq(then.texts.keys()) && edited.into_iter().all(|(key, _)| is_tied(key))
    }

    /// The profile with which the others are compared, if there are any.
    pub(crate) fn common(&self) -> Option<&Profile> {
        self.common.as_ref()
    }

    /// The items that an edit from here to `now` may have changed under some profile; `None` if it may reach everywhere, or
    /// if the two are not told apart by the same profile.
    pub(super) fn changed(&self, now: &Reach) -> Option<BTreeSet<Key>> {
        if self.common != now.common {
            return None;
        }
        let mut found = BTreeSet::new();
        let before = self.texts.iter().filter(|(key, print)| now.texts.get(*key) != Some(*print));
        let new = now.texts.iter().filter(|(key, _)| !self.texts.contains_key(*key));
        for (key, _) in before.chain(new) {
            match &*key.0 {
                CARD | RULE => drop(found.insert(key.clone())),
                RULING => {
                    let targets = [&self.targets, &now.targets].into_iter().filter_map(|all| all.get(&key.1));
                    found.extend(targets.flatten().cloned());
                }
                _ => return None,
            }
        }
        Some(found)
    }

    /// Whether these changes are the same under a profile as under the common one.
    pub(crate) fn is_alike(&self, now: &Reach, profile: &Profile, changed: &BTreeSet<Key>) -> bool {
        let alike = |reach: &Reach| reach.apart.get(profile).is_some_and(|apart| apart.is_disjoint(changed));
        alike(self) && alike(now)
    }
}

const RULING: &str = "ruling";
const CARD: &str = "card";
const RULE: &str = "rule";
