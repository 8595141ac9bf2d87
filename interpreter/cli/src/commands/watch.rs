//! `netrep watch`: waits for saves, and runs what they touch.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use netrep_compiler::load::FOLDERS;
use netrep_compiler::{Diagnostic, Profile};
use netrep_lab::Report;
use netrep_lab::library;
use netrep_lab::watch::{Ran, Round, Watcher};
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecursiveMode, Watcher as _};

use crate::commands::look_at;
use crate::output::{Show, count, summary};
use crate::scenarios::threads;
use crate::{Outcome, Wrong};

/// An editor writes a file in several steps; they are over when nothing has happened for so long.
const QUIET: Duration = Duration::from_millis(40);
/// So often the files are looked at without being told, because not every file system tells.
const PULSE: Duration = Duration::from_secs(2);
/// More passed runs than this are counted, not listed.
const LISTED: usize = 12;

/// Watches the data folder.
pub(crate) fn watch(
    show: &Show,
    root: &Path,
    paths: &[PathBuf],
    default: &Profile,
    once: bool,
    jobs: usize,
) -> Result<Outcome, Wrong> {
    let begun = Instant::now();
    let mut watcher = Watcher::open(root, paths, default, threads(jobs))?;
    look_at(show, watcher.library(), default)?;
    // What happens from now on is not missed, although the first round takes its time.
    let (send, events) = channel();
    let heard = move |event: notify::Result<Event>| {
        if event.is_ok_and(|event| is_write(event.kind)) {
            let _ = send.send(());
        }
    };
    let mut disk = notify::recommended_watcher(heard).map_err(wrong)?;
    if !once {
        for folder in folders(root, paths) {
            disk.watch(&folder, RecursiveMode::Recursive).map_err(wrong)?;
        }
    }
    let bar = show.progress(watcher.runs() as u64);
    let each = |report: &Report| {
        bar.set_message(report.name.clone());
        bar.inc(1);
    };
    let round = watcher.start(&each);
    bar.finish_and_clear();
    let outcome = tell(show, &watcher, &round, begun, true);
    if once {
        return Ok(outcome);
    }
    if !show.json() {
        show.line("Watching; end with Ctrl-C.");
    }
    loop {
        match events.recv_timeout(PULSE) {
            Err(RecvTimeoutError::Disconnected) => return Ok(Outcome::Clean),
            Err(RecvTimeoutError::Timeout) => {}
            // What the event says does not matter: the files are compared with what is known.
            Ok(()) => while events.recv_timeout(QUIET).is_ok() {},
        }
        let begun = Instant::now();
        // A folder that is being moved cannot be read for a moment; the next event comes soon.
        let Ok(saves) = watcher.saves() else { continue };
        if saves.is_empty() {
            continue;
        }
        let round = watcher.changed(&saves, &|_| ());
        tell(show, &watcher, &round, begun, false);
        if show.is_gone() {
            return Ok(Outcome::Clean);
        }
    }
}

/// True for what may have changed a file; reading one is an event too.
fn is_write(kind: EventKind) -> bool {
    !kind.is_access() || kind == EventKind::Access(AccessKind::Close(AccessMode::Write))
}

fn wrong(error: notify::Error) -> Wrong {
    Wrong::File(std::io::Error::other(error))
}

/// The folders to watch: those of the data, and those of the scenarios.
fn folders(root: &Path, paths: &[PathBuf]) -> Vec<PathBuf> {
    let data = FOLDERS.iter().map(|folder| root.join(folder));
    let tests: Vec<PathBuf> = match paths {
        [] => library::FOLDERS.iter().map(|folder| root.join(folder)).collect(),
        paths => paths.iter().map(|path| if path.exists() { path.clone() } else { root.join(path) }).collect(),
    };
    // An editor that replaces a file ends the watch of the file, but not that of its folder.
    let folder = |path: PathBuf| match path.parent().filter(|_| path.is_file()) {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => path,
    };
    let mut all: Vec<PathBuf> = data.chain(tests).map(folder).filter(|path| path.is_dir()).collect();
    all.sort();
    all.dedup();
    all
}

/// Tells a round. Advice only about files that were saved.
fn tell(show: &Show, watcher: &Watcher, round: &Round, begun: Instant, first: bool) -> Outcome {
    let outcome = Outcome::of(round.clean());
    show.reply(outcome, round, || {
        if !first {
            show.line(format!("── {}", round.changed.join(", ")));
        }
        let matters =
            |diag: &&Diagnostic| diag.is_error() || !first && round.changed.iter().any(|file| diag.place.file == *file);
        let wrong: Vec<Diagnostic> = round.diagnostics.iter().filter(matters).cloned().collect();
        show.diags(&wrong, &|file| watcher.text(file));
        if !wrong.is_empty() {
            show.line(summary(&wrong));
        }
        if !round.held.is_empty() {
            let held = round.held.join(", ");
            show.line(format!("{} {held}", show.paint("33", "held back, its last good text stays in force:")));
        }
        ran_lines(show, watcher, round, first);
        let turned = round.ran.iter().filter(|ran| ran.turned()).count();
        show.line(format!(
            "{} of {}, {} failed, {turned} other than before; {} skipped; {} ms",
            round.ran.len(),
            count(watcher.runs(), "run", "runs"),
            round.ran.iter().filter(|ran| !ran.passed).count(),
            round.skipped,
            begun.elapsed().as_millis()
        ));
    })
}

fn ran_lines(show: &Show, watcher: &Watcher, round: &Round, first: bool) {
    let passed = round.ran.iter().filter(|ran| ran.passed && !ran.turned()).count();
    for ran in &round.ran {
        let news = !ran.passed || ran.turned();
        // Of the first round, and of many, only what failed or turned is listed.
        if !news && (first || passed > LISTED) {
            continue;
        }
        show.line(format!("{} {} [{}] in {}{}", mark(show, ran), ran.scenario, ran.profile, ran.file, turn(ran)));
        show.diags(&ran.diagnostics, &|file| watcher.text_in_force(file));
    }
}

fn mark(show: &Show, ran: &Ran) -> String {
    if ran.passed { show.paint("32", "✓") } else { show.paint("31", "✗") }
}

fn turn(ran: &Ran) -> &'static str {
    match (ran.before, ran.passed) {
        (Some(true), false) => ", passed before",
        (Some(false), true) => ", failed before",
        (Some(false), false) => ", still",
        _ => "",
    }
}
