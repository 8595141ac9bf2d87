//! Which scenarios a command means, and on how many threads they run.

use std::path::PathBuf;
use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_lab::prepare::{Prepared, recalled};
pub(crate) use netrep_lab::run::threads;
use netrep_lab::{Library, Scenario};

use crate::Wrong;
use crate::output::{Show, count};

/// The scenarios of paths.
pub(crate) fn scenarios(
    show: &Show,
    library: &Library,
    paths: &[PathBuf],
    position: bool,
) -> Result<Vec<Arc<Scenario>>, Wrong> {
    let parsed = library.scenarios(paths, position)?;
    if !parsed.diags.is_empty() {
        return Err(Wrong::Diags(parsed.diags));
    }
    if parsed.scenarios.is_empty() {
        show.warn("no scenario is there".to_owned());
    }
    Ok(parsed.scenarios.into_iter().map(Arc::new).collect())
}

/// The one scenario of a file, or the one with a part of its name.
pub(crate) fn one_of<'s>(all: &'s [Arc<Scenario>], name: Option<&str>) -> Result<&'s Arc<Scenario>, Wrong> {
    netrep_lab::scenario::one_of(all, name).map_err(Wrong::Usage)
}

/// A scenario made ready under the first profile that it asks for.
pub(crate) fn ready(library: &Library, scenario: &Arc<Scenario>, default: &Profile) -> Result<Prepared, Wrong> {
    let profile = match scenario.profiles(default).into_iter().next() {
        Some(first) => first,
        None => default.clone(),
    };
    recalled(&library.compiler, scenario, default, &profile).map_err(Wrong::Diags)
}

/// Says what of the command line is not followed, because scenarios name their own.
pub(crate) fn tell_own(show: &Show, scenarios: &[Arc<Scenario>], default: &Profile) {
    let tell = |asked: String, own: usize| {
        if own > 0 {
            let own = count(own, "scenario names its own", "scenarios name their own");
            show.warn(format!("{own}, and `{asked}` is not followed there"));
        }
    };
    if let Some(edition) = &default.edition {
        let names = |scenario: &&Arc<Scenario>| scenario.profile.edition.as_ref().is_some_and(|own| own != edition);
        tell(format!("--edition {edition}"), scenarios.iter().filter(names).count());
    }
    if let Some(day) = &default.as_of {
        let names = |scenario: &&Arc<Scenario>| scenario.profile.as_of.as_ref().is_some_and(|own| own != day);
        tell(format!("--as-of {day}"), scenarios.iter().filter(names).count());
    }
    for (ruling, reading) in &default.with {
        let names = |scenario: &&Arc<Scenario>| {
            let own = &scenario.profile;
            own.with.iter().any(|(other, chosen)| other == ruling && chosen != reading) || own.without.contains(ruling)
        };
        tell(format!("--with {ruling}={reading}"), scenarios.iter().filter(names).count());
    }
}
