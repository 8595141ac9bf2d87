//! Ablation: leave out each labelled clause, move each number by one, and see whether any scenario notices.
//!
//! A clause that can be left out unnoticed is untested. Only runs that read what changed are repeated.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use netrep_compiler::views::{ItemKey, ItemView};
use netrep_compiler::{Compiler, Diagnostic, Profile, edit};
use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::exempt::Exemption;
use crate::memo::{Memo, Ran};
use crate::run::{Job, jobs, run};
use crate::scenario::Scenario;

/// The heads of the items that are ablated.
const HEADS: [&str; 3] = ["card", "pattern", "rule"];
/// The head of the items whose clauses express printed sentences.
const SENTENCES: &str = "card";

/// What was changed, and who noticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ablated {
    /// The item.
    pub item: String,
    /// The clause.
    pub label: String,
    /// The number and what was put in its place; else the clause was left out.
    pub number: Option<(i64, i64)>,
    /// The place, in bytes of the file.
    pub place: netrep_ir::Place,
    /// What came of it.
    pub outcome: Noticed,
}

/// Who noticed a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noticed {
    /// A scenario that passed before does not pass any more.
    By(String),
    /// The data does not compile any more.
    Compiler(String),
    /// No one, and this is why that is right.
    Exempt(String),
    /// No one.
    Nobody,
}

/// The result of an ablation.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Ablation {
    /// Every change.
    pub changes: Vec<Ablated>,
    /// Scenarios that did not pass in the first place, and were left out.
    pub failing: Vec<String>,
    /// What the scenarios that pass cite.
    #[serde(skip)]
    pub cited: BTreeSet<String>,
    /// Exemptions that are not needed any more.
    pub needless: Vec<Diagnostic>,
}

impl Ablation {
    /// True if every change was noticed or is exempt, and no exemption is needless.
    pub fn clean(&self) -> bool {
        self.needless.is_empty() && self.changes.iter().all(|change| change.outcome != Noticed::Nobody)
    }
}

/// A change of an item's text.
struct Change {
    label: String,
    number: Option<(i64, i64)>,
    span: Span,
    text: String,
}

/// What is to be ablated.
#[derive(Clone, Copy, Debug)]
pub struct Which<'a> {
    /// Items by their keys; all cards, rules and patterns, if none is named.
    pub items: &'a [String],
    /// Every so manieth change only; which these are follows from the data, so that other data show others.
    pub one_in: usize,
}

impl<'a> Which<'a> {
    /// Every change of these items, or of all.
    pub fn whole(items: &'a [String]) -> Which<'a> {
        Which { items, one_in: 1 }
    }
}

/// Ablates items. What the memo knows of the data as they are is not run again. Whether an exemption is needless is only
/// known if nothing is left out.
pub fn ablate<R: Ran>(
    compiler: &Compiler,
    scenarios: &[Arc<Scenario>],
    mut memo: Memo<R>,
    which: Which<'_>,
    exemptions: &[Exemption],
    threads: usize,
    progress: &mut dyn FnMut(&Ablated),
) -> Ablation {
    let all = jobs(scenarios, &Profile::default());
    let outcomes = memo.refresh(compiler, &all, threads, &|_| ());
    let (mut base, failing): (Vec<_>, Vec<_>) =
        all.into_iter().zip(outcomes).partition(|(_, outcome)| outcome.report.passed());
    // One that notices is enough, so the short ones are asked first.
    base.sort_by_key(|(_, outcome)| outcome.report.steps());
    let base: Vec<Job> = base.into_iter().map(|(job, _)| job).collect();
    let failing = failing.into_iter().map(|(_, outcome)| outcome.report.name().to_owned()).collect();
    let cited = base.iter().flat_map(|job| &job.scenario.cites).map(|cite| cite.text.clone()).collect();
    let mut result = Ablation { failing, cited, ..Ablation::default() };
    let Which { items, one_in } = which;
    let chosen = chosen(compiler, items);
    let files = files(compiler);
    let mut used = vec![false; exemptions.len()];
    let mut asked: Vec<(&ItemView, Change)> = Vec::new();
    for item in &chosen {
        asked.extend(changes(compiler, item).into_iter().map(|change| (item, change)));
    }
    if one_in > 1 {
        let text: String = files.iter().map(|(_, text)| &**text).collect();
        let first = xxh3_64(text.as_bytes()) % one_in as u64;
        asked = asked.into_iter().skip(first as usize).step_by(one_in).collect();
    }
    let known = errors(compiler, base.iter().map(|job| &job.profile).collect());
    let common = Profile::default();
    let profiles: BTreeSet<&Profile> = base.iter().map(|job| &job.profile).collect();
    let amended = profiles.into_iter().map(|profile| (profile.clone(), compiler.apart(&common, profile))).collect();
    let bench = Bench { files, memo, base, known, amended };
    let mut outcomes: Vec<Option<Noticed>> = vec![None; asked.len()];
    bench.all(&asked, threads, &mut |at, mut outcome| {
        let (item, change) = &asked[at];
        let covers = |e: &Exemption| e.covers(&item.key, &change.label, change.number.map(|n| n.0));
        if outcome == Noticed::Nobody
            && let Some((exemption, used)) = exemptions.iter().zip(&mut used).find(|(e, _)| covers(e))
        {
            *used = true;
            outcome = Noticed::Exempt(exemption.reason.clone());
        }
        progress(&ablated(item, change, outcome.clone()));
        outcomes[at] = Some(outcome);
    });
    let done = asked.iter().zip(outcomes);
    result.changes = done.filter_map(|((item, change), outcome)| Some(ablated(item, change, outcome?))).collect();
    let about = |e: &Exemption| items.is_empty() || chosen.iter().any(|item| *item.key == *e.item);
    let needless = exemptions.iter().zip(&used).filter(|(e, used)| one_in <= 1 && !**used && about(e));
    result.needless = needless.map(|(e, _)| e.needless()).collect();
    result
}

fn ablated(item: &ItemView, change: &Change, outcome: Noticed) -> Ablated {
    let span = change.span.shifted(item.place.start);
    let place = netrep_ir::Place { file: item.place.file.clone(), start: span.start, end: span.end };
    Ablated { item: item.key.to_string(), label: change.label.clone(), number: change.number, place, outcome }
}

fn files(compiler: &Compiler) -> Vec<(Arc<str>, Arc<str>)> {
    compiler.paths().into_iter().filter_map(|path| Some((Arc::clone(&path), compiler.text(&path)?))).collect()
}

/// What every change is tried on.
struct Bench<R> {
    files: Vec<(Arc<str>, Arc<str>)>,
    memo: Memo<R>,
    /// Runs that pass, the short ones first.
    base: Vec<Job>,
    known: Vec<Known>,
    /// The items that each profile amends; no change of a card or rule moves that.
    amended: BTreeMap<Profile, BTreeSet<ItemKey>>,
}

impl<R: Ran> Bench<R> {
    /// Tries changes on so many threads, each with a compiler of its own; `each` hears of every outcome, in any order.
    fn all(&self, asked: &[(&ItemView, Change)], threads: usize, each: &mut dyn FnMut(usize, Noticed)) {
        let next = AtomicUsize::new(0);
        let (tell, told) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, asked.len().max(1)) {
                let (tell, next) = (tell.clone(), &next);
                scope.spawn(move || {
                    let mut compiler = Compiler::new();
                    compiler.set_files(self.files.iter().map(|(path, text)| (&**path, &**text)));
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some((item, change)) = asked.get(at) else { return };
                        if let Some(outcome) = self.one(&mut compiler, item, change)
                            && tell.send((at, outcome)).is_err()
                        {
                            return;
                        }
                    }
                });
            }
            drop(tell);
            told.into_iter().for_each(|(at, outcome)| each(at, outcome));
        });
    }

    /// Tries a change; `None` if the item is not where it was.
    fn one(&self, compiler: &mut Compiler, item: &ItemView, change: &Change) -> Option<Noticed> {
        let before = compiler.text(&item.place.file)?;
        let file = compiler.file_with(item, &change.text)?;
        compiler.set_file(&item.place.file, &file);
        let outcome = self.notice(compiler, item);
        compiler.set_file(&item.place.file, &before);
        Some(outcome)
    }

    /// Who notices the files as they are now, beside what was wrong with them before.
    fn notice(&self, compiler: &Compiler, item: &ItemView) -> Noticed {
        // Under profiles that have the item as it stands, the same is wrong as without any.
        let (common, key) = (Profile::default(), (item.head, Arc::clone(&item.key)));
        let amend = self.amended.iter().filter(|(_, amended)| amended.contains(&key));
        let mut asked: BTreeSet<&Profile> = amend.map(|(profile, _)| profile).collect();
        asked.insert(&common);
        let wrong = errors(compiler, asked).into_iter().find(|error| !self.known.contains(error));
        if let Some((code, message)) = wrong {
            return Noticed::Compiler(format!("{code}: {message}"));
        }
        let untouched = self.memo.untouched(compiler, &self.base);
        let (affected, others): (Vec<_>, Vec<_>) =
            self.base.iter().zip(untouched).partition(|(_, kept)| kept.is_none());
        let mut affected: Vec<&Job> = affected.into_iter().map(|(job, _)| job).collect();
        // One that notices is enough. Those that cite the item come first.
        affected.sort_by_key(|job| !job.scenario.cites.iter().any(|cite| cite.text.starts_with(&*item.key)));
        if let Some(name) = affected.into_iter().find_map(|job| failing(compiler, job)) {
            return Noticed::By(name);
        }
        // Those that read nothing of it are made ready only where nobody else notices: their words may mean something else.
        if self.memo.has_same_words(compiler) {
            return Noticed::Nobody;
        }
        let mut others: Vec<_> = others.into_iter().filter_map(|(job, kept)| Some((job, kept?))).collect();
        others.sort_by(|(one, _), (other, _)| one.profile.cmp(&other.profile));
        let mut otherwise = others.into_iter().filter(|(job, kept)| !Memo::<R>::is_meant(compiler, job, kept));
        match otherwise.find_map(|(job, _)| failing(compiler, job)) {
            Some(name) => Noticed::By(name),
            None => Noticed::Nobody,
        }
    }
}

/// The name of the scenario of a job, if that does not pass now.
fn failing(compiler: &Compiler, job: &Job) -> Option<String> {
    let reports = run(compiler, std::slice::from_ref(job), 1, false);
    reports.into_iter().find(|report| !report.passed()).map(|report| report.name)
}

/// The items to ablate: those named, or all cards, rules and patterns.
fn chosen(compiler: &Compiler, items: &[String]) -> Vec<ItemView> {
    let wanted = |item: &ItemView| {
        HEADS.contains(&item.head) && (items.is_empty() || items.iter().any(|wanted| **wanted == *item.key))
    };
    compiler.items().into_iter().filter(wanted).collect()
}

/// How many changes [`ablate`] would try: for showing how far it is.
pub fn size(compiler: &Compiler, items: &[String]) -> usize {
    chosen(compiler, items).iter().map(|item| changes(compiler, item).len()).sum()
}

/// Every change of an item: each labelled clause left out, each number up and down by one.
fn changes(compiler: &Compiler, item: &ItemView) -> Vec<Change> {
    let text = &*item.text;
    let places = edit::clauses(text);
    let mut found = Vec::new();
    for place in places.iter().filter(|place| !place.label.is_empty()) {
        if let Some(text) = without(text, place.span) {
            found.push(Change { label: place.label.clone(), number: None, span: place.span, text });
        }
    }
    let derived = compiler.labels(item);
    let top = |index: Option<usize>| index.and_then(|index| derived.get(index).cloned());
    for number in edit::numbers(text) {
        // The innermost labelled clause around it names it; without one, the label that its clause is given.
        let around = places
            .iter()
            .filter(|p| !p.label.is_empty() && p.span.start <= number.span.start && number.span.end <= p.span.end);
        let label = around.max_by_key(|p| p.depth).map(|p| p.label.clone()).or_else(|| top(number.clause));
        // total: a number in the head, or in an item that cannot be read, is in no clause: it is told by what it is.
        let label = label.unwrap_or_default();
        for by in [1, -1] {
            if let Some(text) = edit::nudged(text, &number, by) {
                found.push(Change {
                    label: label.clone(),
                    number: Some((number.value, number.value + by)),
                    span: number.span,
                    text,
                });
            }
        }
    }
    found
}

/// The text of an item without a clause. The printed sentences that only it expresses are then said to be missing, because
/// the question is who notices in play. `None` if the span is not that of a clause with a marker.
pub fn without(text: &str, span: Span) -> Option<String> {
    let range = |span: Span| text.get(usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?);
    let (_, marker) = range(span)?.split_once('[')?;
    let cited = |marker: &str| -> Vec<u32> {
        let marker = marker.split(']').take(1);
        marker.flat_map(|marker| marker.split([' ', ','])).filter_map(|word| word.parse().ok()).collect()
    };
    let lost = cited(marker);
    let left = edit::without(text, span)?;
    let still: Vec<u32> = left.split('[').skip(1).flat_map(cited).collect();
    let lost: Vec<String> = lost.into_iter().filter(|n| !still.contains(n)).map(|n| n.to_string()).collect();
    if lost.is_empty() || !left.starts_with(SENTENCES) {
        return Some(left);
    }
    let (before, after) = left.split_once('{')?;
    Some(match after.split_once("partial ") {
        Some((head, tail)) => format!("{before}{{{head}partial {}, {tail}", lost.join(", ")),
        None => format!("{before}{{ partial {}.{after}", lost.join(", ")),
    })
}

/// Code and message of an error; its place moves with the text above it.
type Known = (Code, String);

/// What is wrong with the programs of profiles as the files are now.
fn errors(compiler: &Compiler, profiles: BTreeSet<&Profile>) -> Vec<Known> {
    let diags = profiles.into_iter().flat_map(|profile| compiler.link(profile).1);
    diags.filter(|diag| diag.is_error()).map(|diag| (diag.code, diag.message)).collect()
}
