//! Which scenarios a command means, and on how many threads they run.

use std::path::PathBuf;
use std::sync::Arc;

use netrep_compiler::Profile;
use netrep_lab::prepare::{Prepared, prepare};
pub(crate) use netrep_lab::run::threads;
use netrep_lab::{Library, Scenario};

use crate::Wrong;
use crate::output::Show;

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
    prepare(&library.compiler, scenario, default, &profile).map_err(Wrong::Diags)
}
