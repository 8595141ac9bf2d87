//! Variants: those that a profile takes, what they choose in place of its edition, and which of them wins.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};

use super::items::Item;
use super::layers::{Active, Problem, edition, edition_outline, with_head};
use super::names::{Name, named};
use crate::db::Db;
use crate::finding::Finding;
use crate::inputs::Profile;

/// The variants, in the order of declaration.
pub(crate) fn variants(db: &dyn Db) -> impl Iterator<Item = Item<'_>> {
    with_head(db, "variant")
}

/// The variants that a profile names, each behind those on which it builds.
pub(super) fn chosen_variants<'db>(db: &'db dyn Db, profile: &Profile, active: &mut Active<'db>) -> Vec<Item<'db>> {
    fn take<'db>(db: &'db dyn Db, item: Item<'db>, around: &mut Vec<Item<'db>>, chosen: &mut Vec<Item<'db>>) {
        // What builds on itself is told with the variant.
        if chosen.contains(&item) || around.contains(&item) {
            return;
        }
        around.push(item);
        for below in &edition_outline(db, item).builds_on {
            if let Some(below) = named(db, Name::new(db, "variant", &**below)) {
                take(db, below, around, chosen);
            }
        }
        around.pop();
        chosen.push(item);
    }
    let mut chosen = Vec::new();
    for id in &profile.variants {
        match named(db, Name::new(db, "variant", &**id)) {
            Some(item) => take(db, item, &mut Vec::new(), &mut chosen),
            None => active.problems.push(unknown_variant(db, id)),
        }
    }
    chosen
}

fn unknown_variant(db: &dyn Db, id: &str) -> Problem {
    let known: Vec<&str> = variants(db).map(|item| &**item.key(db)).collect();
    let help = suggestion(id, known.iter().copied());
    let listed = (!known.is_empty()).then(|| format!("there are: {}", known.join(", ")));
    Problem { help: help.or(listed), ..Problem::new(Code::UnknownVariant, (), format!("there is no variant `{id}`")) }
}

/// True if a variant takes another one with it.
fn builds_on<'db>(db: &'db dyn Db, variant: Item<'db>, other: Item<'db>) -> bool {
    let mut open = vec![variant];
    let mut seen = Vec::new();
    while let Some(one) = open.pop() {
        for below in &edition_outline(db, one).builds_on {
            match named(db, Name::new(db, "variant", &**below)) {
                Some(below) if below == other => return true,
                Some(below) if !seen.contains(&below) => {
                    seen.push(below);
                    open.push(below);
                }
                _ => {}
            }
        }
    }
    false
}

/// The readings that variants choose in place of the edition's, with the variant's place among them.
pub(super) fn chosen_by_variants<'db>(
    db: &'db dyn Db,
    variants: &[Item<'db>],
    active: &mut Active<'db>,
) -> BTreeMap<Arc<str>, (Arc<str>, usize)> {
    let mut choices: BTreeMap<Arc<str>, (Arc<str>, usize)> = BTreeMap::new();
    for (at, variant) in variants.iter().enumerate() {
        for (ruling, reading) in &edition_outline(db, *variant).choices {
            if let Some((other, before)) = choices.get(ruling)
                && other != reading
                && let Some(before) = variants.get(*before)
                && !builds_on(db, *variant, *before)
            {
                let text = format!(
                    "the variants `{}` and `{}` answer `{ruling}` differently: `{other}` and `{reading}`",
                    before.key(db),
                    variant.key(db)
                );
                let problem = Problem::new(Code::RulingChosenTwice, (), text);
                active.problems.push(problem.help("play one of them, or say with `--with` which answer is meant"));
            }
            choices.insert(Arc::clone(ruling), (Arc::clone(reading), at));
        }
    }
    choices
}

/// A variant of a profile and those of them on which it builds, each as the bit of its place: one that builds on another has
/// all of its bits and wins over it.
pub(super) fn taken_with<'db>(db: &'db dyn Db, variants: &[Item<'db>], at: usize) -> u64 {
    let top = variants.get(at);
    let under = |one: &Item<'db>| top.is_some_and(|top| one == top || builds_on(db, *top, *one));
    let taken = variants.iter().zip(0u32..).filter(|(one, _)| under(one));
    taken.filter_map(|(_, bit)| 1u64.checked_shl(bit)).fold(0, |layers, bit| layers | bit)
}

/// What is wrong with the links of a variant: one to what is no variant, or back to itself.
pub(super) fn wrong_links<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (below, span) in &edition(db, item).0.builds_on {
        match named(db, Name::new(db, "variant", &**below)) {
            None => found.push(unknown_variant(db, below).map(|()| *span)),
            Some(other) if other == item || builds_on(db, other, item) => found.push(
                Finding::new(Code::BadEdition, *span, format!("variant `{}` builds on itself", item.key(db)))
                    .help("take one of the links away"),
            ),
            Some(_) => {}
        }
    }
    found
}
