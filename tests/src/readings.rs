//! Readings of different rulings compose: every two that touch one item stand together in one edition, but for those that
//! contradict each other, which are listed with the reason.

use std::collections::BTreeSet;

use netrep_compiler::layers::ruling::{Change, Reading};
use netrep_compiler::{Compiler, Profile};

use crate::support::data;

/// Pairs of readings that answer one question differently, though two rulings ask it, and pairs that wait for a word.
const CONTRADICTIONS: &str = include_str!("../readings.md");

/// A reading, and what it changes.
struct Touching {
    ruling: String,
    choice: String,
    items: BTreeSet<String>,
    /// The clauses that it changes, in any way.
    changed: BTreeSet<String>,
    /// Those that it puts others in the place of.
    replaced: BTreeSet<String>,
}

fn touching(compiler: &Compiler) -> Vec<Touching> {
    let mut found = Vec::new();
    for (ruling, _) in compiler.rulings() {
        let one = |reading: &Reading| {
            let labels = |which: &dyn Fn(&Change) -> bool| {
                let changed = reading.operations.iter().filter(|one| which(&one.change));
                changed.filter_map(|one| Some(format!("{} {}", one.target, one.change.label()?.0))).collect()
            };
            Touching {
                ruling: ruling.id.to_string(),
                choice: format!("{} {}", ruling.id, reading.name),
                items: reading.operations.iter().map(|operation| operation.target.to_string()).collect(),
                changed: labels(&|_| true),
                replaced: labels(&|change| matches!(change, Change::Replace { .. })),
            }
        };
        found.extend(ruling.readings.iter().map(one));
    }
    found
}

/// What is wrong in an edition of these readings, in this order if it declares one.
fn together(compiler: &mut Compiler, readings: &[&Touching], ordered: bool) -> Vec<String> {
    let choices: String = readings.iter().map(|one| format!("{}. ", one.choice)).collect();
    let rulings: Vec<&str> = readings.iter().map(|one| &*one.ruling).collect();
    let order = if ordered { format!("order {}.", rulings.join(", ")) } else { String::new() };
    let text = format!("edition pair \"Two\" {{ {choices}{order} }}\n");
    compiler.set_file("rules/editions/pair.edition", &text);
    let diags = compiler.check_under(&Profile::edition("pair"));
    diags.iter().filter(|diag| diag.is_error()).map(|diag| format!("{}: {}", diag.code, diag.message)).collect()
}

/// Whether two readings stand together: without an order, or in one in which the later takes nothing away but by removing the
/// clause of which the earlier speaks.
fn compose(compiler: &mut Compiler, one: &Touching, other: &Touching) -> Result<(), String> {
    let wrong = together(compiler, &[one, other], false);
    if wrong.is_empty() {
        return Ok(());
    }
    for (earlier, later) in [(one, other), (other, one)] {
        let loses = !later.replaced.is_disjoint(&earlier.changed);
        if !loses && together(compiler, &[earlier, later], true).is_empty() {
            return Ok(());
        }
    }
    Err(wrong.join("; "))
}

/// Groups of at most so many pairs of which none touches what another touches, and none answers what another answers: if nothing
/// is wrong where all of a group stand together, each pair of it composes. With `EVERY=1` each is looked at alone.
fn apart<'t>(pairs: &[[&'t Touching; 2]]) -> Vec<Vec<[&'t Touching; 2]>> {
    let most = if data::one_in(2) == 1 { 1 } else { MOST };
    let is_apart =
        |one: &&Touching, other: &&Touching| one.ruling != other.ruling && one.items.is_disjoint(&other.items);
    let mut groups: Vec<Vec<[&Touching; 2]>> = Vec::new();
    for pair in pairs {
        let fits = |group: &&mut Vec<[&Touching; 2]>| {
            let others = || group.iter().flatten();
            group.len() < most && pair.iter().all(|one| others().all(|other| is_apart(one, other)))
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(*pair),
            None => groups.push(vec![*pair]),
        }
    }
    groups
}

/// More in one group, and one that is wrong has too many looked at again.
const MOST: usize = 6;

#[test]
fn readings_that_touch_one_item_compose_or_contradict_each_other() {
    let mut library = data::library();
    let compiler = &mut library.compiler;
    let readings = touching(compiler);
    let behind = |index: usize| readings.iter().skip(index + 1);
    let all = readings.iter().enumerate().flat_map(|(index, one)| behind(index).map(move |other| [one, other]));
    let touch = |[one, other]: &[&Touching; 2]| one.ruling != other.ruling && !one.items.is_disjoint(&other.items);
    let pairs: Vec<[&Touching; 2]> = all.filter(touch).collect();
    let (mut alone, mut found) = (0, BTreeSet::new());
    for group in apart(&pairs) {
        if group.len() > 1 && together(compiler, &group.concat(), false).is_empty() {
            continue;
        }
        for [one, other] in group {
            alone += 1;
            if let Err(told) = compose(compiler, one, other) {
                println!("{} + {}: {told}", one.choice, other.choice);
                found.insert(format!("{} + {}", one.choice, other.choice));
            }
        }
    }
    println!("{} pairs, {alone} of them looked at alone", pairs.len());
    assert!(pairs.len() > 100, "{}", pairs.len());
    let rows = CONTRADICTIONS.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let listed: BTreeSet<String> = rows.map(|(pair, _)| pair.to_owned()).collect();
    assert_eq!(found, listed);
}

#[test]
fn every_variant_stands_on_every_edition() {
    let library = data::library();
    let compiler = &library.compiler;
    let editions = compiler.editions();
    let variants = compiler.variants();
    assert!(editions.len() >= 6 && variants.len() >= 2);
    for (edition, _) in &editions {
        for (variant, _) in &variants {
            let wrong = compiler.link(&Profile::edition(&edition.id).variant(&variant.id)).1;
            let wrong: Vec<String> = wrong.iter().filter(|d| d.is_error()).map(|d| d.message.clone()).collect();
            assert_eq!(wrong, [] as [String; 0], "{} on {}", variant.id, edition.id);
        }
    }
}
