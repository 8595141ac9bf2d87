//! `netrep cache`: which answers are kept for later, and where.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use netrep_store::{Held, Store};
use serde::Serialize;

use crate::args::{Cli, OfCache};
use crate::output::Show;
use crate::{Outcome, Wrong};

/// What names the folder, if the command line does not.
const FOLDER: &str = "NETREP_CACHE";

/// A fingerprint of this program: what another one has kept is not taken.
const BUILD: &str = env!("NETREP_BUILD");

/// The result of `cache`.
#[derive(Serialize)]
struct Cache {
    /// Where it is; `null` if nothing is kept.
    folder: Option<PathBuf>,
    /// Why nothing can be kept there.
    closed: Option<String>,
    /// How many answers there are.
    entries: u64,
    /// Their bytes together.
    bytes: u64,
    /// More are not kept.
    bound: u64,
    /// The same by what they are about.
    kinds: BTreeMap<String, Kind>,
    /// How many were removed.
    cleared: u64,
}

/// The answers about something.
#[derive(Serialize)]
struct Kind {
    what: &'static str,
    entries: u64,
    bytes: u64,
}

/// Where answers are kept, by the command line; `None` if none are, or the user has no folder for such things.
pub(crate) fn store(cli: &Cli) -> Option<Arc<Store>> {
    if cli.no_cache {
        return None;
    }
    let named = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let folder = cli.cache_dir.clone().or(named).or_else(Store::own_folder)?;
    Some(Arc::new(Store::at(folder, BUILD)))
}

/// Says what is kept, and where; or removes it.
pub(crate) fn tell_cache(show: &Show, store: Option<&Arc<Store>>, what: Option<OfCache>) -> Result<Outcome, Wrong> {
    let mut told = Cache {
        folder: store.map(|store| store.folder().to_owned()),
        closed: None,
        entries: 0,
        bytes: 0,
        bound: 0,
        kinds: BTreeMap::new(),
        cleared: 0,
    };
    if let Some(store) = store {
        if let Some(OfCache::Clear) = what {
            told.cleared = store.clear()?;
        }
        told.closed = store.can_keep().err().map(|error| error.to_string());
        if told.closed.is_none() {
            let contents = store.contents()?;
            let Held { entries, bytes } = contents.all();
            (told.entries, told.bytes) = (entries, bytes);
            let kinds = contents.kinds.into_iter();
            told.kinds = kinds.map(|(kind, held)| (kind.clone(), of_kind(&kind, held))).collect();
        }
        told.bound = store.bound();
    }
    Ok(show.reply(Outcome::Clean, &told, || lines(show, &told, what)))
}

fn of_kind(kind: &str, Held { entries, bytes }: Held) -> Kind {
    let what = match kind {
        "said" => "what commands said",
        "program" => "linked programs",
        "position" => "positions of scenarios and decks",
        "check" | "choices" => "what is wrong with the data",
        "runs" => "what scenarios read, and what came of them",
        _ => "kept by another version of the program",
    };
    Kind { what, entries, bytes }
}

fn lines(show: &Show, told: &Cache, what: Option<OfCache>) {
    let Some(folder) = &told.folder else {
        return show.line("nothing is kept: there is no folder for it, or --no-cache is given");
    };
    if let Some(OfCache::Clear) = what {
        return show.line(format!("{} removed from {}", count_of(told.cleared), folder.display()));
    }
    show.line(folder.display());
    if let Some(why) = &told.closed {
        return show.line(format!("nothing can be kept there: {why}"));
    }
    for (kind, held) in &told.kinds {
        let (answers, size) = (count_of(held.entries), size(held.bytes));
        show.line(format!("  {size:>9}  {answers:>12}  {kind}: {}", held.what));
    }
    show.line(format!("{}, {} of {} at most", count_of(told.entries), size(told.bytes), size(told.bound)));
}

fn count_of(entries: u64) -> String {
    if entries == 1 { "1 answer".to_owned() } else { format!("{entries} answers") }
}

/// Bytes for people.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{}.{} kB", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}
