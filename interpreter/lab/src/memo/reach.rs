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
}

impl Reach {
    /// As things stand, for these profiles beside a common one.
    pub(super) fn of<'p>(compiler: &Compiler, common: &Profile, profiles: impl Iterator<Item = &'p Profile>) -> Reach {
        let mut reach = Reach { common: Some(common.clone()), ..Reach::default() };
        for item in compiler.items() {
            if item.head == RULING {
                let targets = compiler.targets(&item.key).into_iter().map(own).collect();
                reach.targets.insert(Arc::clone(&item.key), targets);
            }
            let held = reach.texts.entry(own((item.head, item.key))).or_default();
            *held = hash(&(*held, item.text));
        }
        let apart =
            |profile: &'p Profile| (profile.clone(), compiler.apart(common, profile).into_iter().map(own).collect());
        reach.apart = profiles.map(apart).collect();
        reach
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
                "card" | "rule" => drop(found.insert(key.clone())),
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
