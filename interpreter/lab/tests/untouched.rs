//! What a run has read decides whether it is made again. On the toy each clause is left out, each number is moved, words are said
//! otherwise, and all of that is undone: what is not made again then comes to the same when it is. What a run must note to that
//! end is noticed, piece by piece, where it is not noted.

use std::sync::Arc;

use netrep_compiler::{Compiler, Diagnostic, Profile, edit};
use netrep_lab::Report;
use netrep_lab::ablate::without;
use netrep_lab::memo::{Memo, Outcome, Ran, Read};
use netrep_lab::report::Consulted;
use netrep_lab::run::{Job, jobs};
use netrep_lab::scenario::parse;

use crate::support::{RULING, WORDS};

/// A dusk in which lamps are rubbed, trimmed and blown out.
const FILES: [(&str, &str); 5] = [
    ("rules/toy.words", WORDS),
    ("rules/toy.rulings", RULING),
    ("rules/dusk.rules", include_str!("support/dusk.rules")),
    ("rules/dusk.rulings", include_str!("support/dusk.rulings")),
    ("cards/dusk.cards", include_str!("support/dusk.cards")),
];

/// What is said, and what is said in its place.
const OTHERWISE: &[(&str, &str)] = &[
    ("host", "opponent of host"),
    ("owner of C", "host"),
    ("a card", "a dark card"),
    ("each card", "each lit card"),
    ("Brass", "Glass"),
    ("Glass", "Wick"),
    ("Wick", "Brass"),
    ("kindled", "snuffed"),
    ("snuffed", "kindled"),
    ("kindle", "praise"),
    ("polish", "kindle"),
    ("praise", "polish"),
    ("lit", "dark"),
    ("dark", "lit"),
    ("during dusk", "during evening"),
    ("once per dusk", "2 times per dusk"),
    ("oil", "height"),
    ("height", "oil"),
    (">", "<"),
    (" immediately", ""),
    (": praise", " immediately: praise"),
    ("cannot", "may"),
    ("work, offer, fall", "work, fall, offer"),
    ("points of P", "points of host"),
    ("on a", "on each"),
    ("you may", "host may"),
    ("this dusk", "for the rest of the game"),
    ("spare", "are canceled while host is host; spare"),
    ("is canceled", "spare"),
    ("R < 7", "R < points of P"),
    ("start", "end"),
    ("hidden", "open"),
    ("owned", "shared"),
    ("owned, hidden", "owned, ordered, hidden"),
    (", many", ""),
    ("= Dark", "= Lit"),
    ("shown cards", "cards in drawer"),
    ("Tall Lamp", "Small Lamp"),
    ("Candle", "Hidden Lamp"),
    ("C is dark", "C is lit"),
    ("needs C is lit.", ""),
    ("other than P", "in play"),
    ("controller owner", "controller maker"),
    ("not during evening", "not during dusk"),
    ("host < 9", "host < 0"),
    ("this is not Glass", "this is not Brass"),
    ("this is not Tin", "this is not Glass"),
];

/// The files that are edited.
type Files = Vec<(String, String)>;

fn files() -> Files {
    FILES.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec()
}

fn compiler(files: &Files) -> Compiler {
    let mut compiler = Compiler::new();
    set(&mut compiler, files);
    compiler
}

fn set(compiler: &mut Compiler, files: &Files) {
    compiler.set_files(files.iter().map(|(path, text)| (&**path, &**text)));
}

/// The files after each edit, and what that is.
fn edited() -> Vec<(String, Files)> {
    let compiler = compiler(&files());
    let mut found = Vec::new();
    let mut with = |what: String, path: &str, text: String| {
        let mut all = files();
        all.iter_mut().filter(|(other, _)| other == path).for_each(|(_, was)| was.clone_from(&text));
        found.push((what, all));
    };
    for item in &compiler.items() {
        let file = &item.place.file;
        let mut changed = |what: String, text: &str| {
            if let Some(text) = compiler.file_with(item, text) {
                with(format!("{} {}: {what}", item.head, item.key), file, text);
            }
        };
        for place in edit::clauses(&item.text) {
            let left = without(&item.text, place.span);
            left.into_iter().for_each(|text| changed(format!("without {}", place.label), &text));
        }
        for number in edit::numbers(&item.text) {
            for by in [1, -1] {
                let moved = edit::nudged(&item.text, &number, by);
                moved.into_iter().for_each(|text| changed(format!("{} moved", number.value), &text));
            }
        }
        for (was, is) in OTHERWISE {
            for (at, _) in item.text.match_indices(was) {
                let text = [&item.text[..at], is, &item.text[at + was.len()..]].concat();
                changed(format!("`{is}` for `{was}`"), &text);
            }
        }
    }
    found
}

fn all_jobs() -> Vec<Job> {
    let parsed = parse("dusk.md", include_str!("support/dusk.md"), false);
    assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
    let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
    jobs(&scenarios, &Profile::default())
}

fn is_sound(compiler: &Compiler, jobs: &[Job]) -> bool {
    let is_right = |diags: Vec<Diagnostic>| !diags.iter().any(Diagnostic::is_error);
    is_right(compiler.check()) && jobs.iter().all(|job| is_right(compiler.link(&job.profile).1))
}

/// What came of a run.
fn said(report: &Report) -> String {
    let steps = report.steps.iter().map(|step| (&step.by, &step.options, &step.chosen));
    let checks = report.checks.iter().map(|check| (&check.text, check.held));
    let steps: Vec<_> = steps.collect();
    let checks: Vec<_> = checks.collect();
    format!("{:x} {steps:?} {:?} {checks:?} {:?}", report.hash, report.answers, report.diags)
}

/// The scenarios as they come out as the files are, each said to have read what it did.
fn ran(compiler: &Compiler, jobs: &[Job]) -> (Memo, Vec<Outcome>) {
    let mut memo = Memo::new();
    let outcomes = memo.refresh(compiler, jobs, 1, &|_| ());
    (memo, outcomes)
}

/// Of what was known, how much was made again; all of it comes to what it should.
#[track_caller]
fn compared(memo: &mut Memo, (compiler, jobs): (&Compiler, &[Job]), wanted: &[Outcome], what: &str) -> usize {
    let kept = memo.refresh(compiler, jobs, 1, &|_| ());
    for (kept, wanted) in kept.iter().zip(wanted) {
        let Report { name, profile, .. } = &*wanted.report;
        assert_eq!(said(&kept.report), said(&wanted.report), "{what}: {name} [{profile}]");
    }
    kept.iter().filter(|kept| kept.ran).count()
}

/// With `EVERY=1` of all edits, else of one in eight.
#[test]
fn what_an_edit_does_not_touch_comes_to_the_same() {
    let (whole, jobs, step) = (files(), all_jobs(), if std::env::var("EVERY").is_ok() { 1 } else { 8 });
    let mut compiler = compiler(&whole);
    assert!(is_sound(&compiler, &jobs), "{:#?}", compiler.check());
    let (known, before) = ran(&compiler, &jobs);
    before.iter().for_each(|run| assert!(run.report.passed(), "{:#?}", run.report.diags));
    let (mut runs, mut again) = (0, 0);
    for (what, files) in edited().iter().step_by(step) {
        set(&mut compiler, files);
        if is_sound(&compiler, &jobs) {
            let (mut anew, there) = ran(&compiler, &jobs);
            again += compared(&mut known.clone(), (&compiler, &jobs), &there, what);
            set(&mut compiler, &whole);
            again += compared(&mut anew, (&compiler, &jobs), &before, &format!("{what}, undone"));
            runs += 2 * jobs.len();
        }
    }
    assert!(runs > 2_000 / step && again * 3 > runs && again * 3 < runs * 2, "{again} of {runs}");
}

/// Something that is not remembered of a run, and an edit by which that is noticed, when it is made or undone.
struct Forgotten {
    what: fn(&mut Consulted),
    edit: &'static str,
    undone: bool,
}

const fn forgotten(what: fn(&mut Consulted), edit: &'static str) -> Forgotten {
    Forgotten { what, edit, undone: false }
}

const fn undone(what: fn(&mut Consulted), edit: &'static str) -> Forgotten {
    Forgotten { what, edit, undone: true }
}

/// Leaves out of what was read what is such.
macro_rules! without {
    ($pattern:pat) => {
        |read| read.reads.retain(|one| !matches!(**one, $pattern))
    };
}

/// What a run notes. What may be declared is noted more than once: of all of it, of what a window admits, and of the procedures that run.
const FORGOTTEN: [Forgotten; 20] = [
    forgotten(made_no_difference, "card M-2: without clear"),
    undone(without!(Read::Asked(_)), "adjective proud of (card C): 3 moved"),
    forgotten(without!(Read::Weighed(_)), "card M-1: `host may` for `you may`"),
    undone(without!(Read::Triggers(_)), "card M-2: without clear"),
    undone(without!(Read::Norms(_)), "rule 4: without bar"),
    undone(without!(Read::Attribute(_)), "card M-3: without drip"),
    undone(without!(Read::Admitted(_)), "rule 4: `polish` for `praise`"),
    undone(without!(Read::During(Some(_))), "card M-1: `during evening` for `during dusk`"),
    undone(without!(Read::Spares), "rule 4: without spared"),
    forgotten(without!(Read::Times(None)), "card L-1: `polish` for `praise`"),
    forgotten(without!(Read::Times(Some(_))), "rule 4: `polish` for `praise`"),
    forgotten(without!(Read::Labels(_)), "rule 3: without wind"),
    forgotten(without!(Read::Card(_)), "card M-1: 2 moved"),
    forgotten(without!(Read::Ground), "card M-4: without ward"),
    forgotten(without!(Read::Kind(_)), "rule 5: `not during dusk` for `not during evening`"),
    forgotten(without!(Read::Bears(_)), "rule 5: `this is not Brass` for `this is not Glass`"),
    forgotten(without!(Read::Held(_)), "rule 5: without calm"),
    forgotten(without!(Read::Asks(_)), "rule 5: `this is not Glass` for `this is not Tin`"),
    forgotten(without!(Read::Weighs(_)), "rule 5: `this is not Glass` for `this is not Tin`"),
    undone(|read| read.cards.clear(), "card M-1: `during evening` for `during dusk`"),
];

/// What made a difference is taken for what was looked at alone.
fn made_no_difference(read: &mut Consulted) {
    for one in &mut read.reads {
        if let Read::Clause(label) = &**one {
            *one = Arc::new(Read::Asked(label.clone()));
        }
    }
    read.reads.sort();
}

/// A run of which something is not remembered.
#[derive(Clone)]
struct Forgetful<const N: usize>(Report);

impl<const N: usize> From<Report> for Forgetful<N> {
    fn from(mut report: Report) -> Self {
        (FORGOTTEN[N].what)(&mut report.consulted);
        Forgetful(report)
    }
}

impl<const N: usize> Ran for Forgetful<N> {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn steps(&self) -> usize {
        self.0.steps.len()
    }

    fn consulted(&self) -> &Consulted {
        &self.0.consulted
    }

    fn passed(&self) -> bool {
        self.0.passed()
    }
}

/// Whether it is noticed that something is not remembered: a run is said to come to the same, and comes to something else.
fn is_noticed<const N: usize>(compiler: &mut Compiler, jobs: &[Job], edited: &[(String, Files)]) -> bool {
    let Forgotten { edit, undone, .. } = FORGOTTEN[N];
    let whole = files();
    // Several edits may be called so.
    edited.iter().filter(|(what, _)| what == edit).any(|(_, files)| {
        let (from, to) = if undone { (files, &whole) } else { (&whole, files) };
        set(compiler, from);
        let mut memo: Memo<Forgetful<N>> = Memo::default();
        memo.refresh(compiler, jobs, 1, &|_| ());
        set(compiler, to);
        let (_, wanted) = ran(compiler, jobs);
        let kept = memo.refresh(compiler, jobs, 1, &|_| ());
        let mut kept = kept.iter().zip(&wanted).filter(|(kept, _)| !kept.ran);
        kept.any(|(kept, wanted)| said(&kept.report.0) != said(&wanted.report))
    })
}

#[test]
fn whatever_a_run_does_not_note_is_noticed() {
    let (jobs, edited, mut compiler) = (all_jobs(), edited(), compiler(&files()));
    macro_rules! each {
        ($($n:literal)*) => {[$(is_noticed::<$n>),*]};
    }
    let each: [_; FORGOTTEN.len()] = each!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    for (n, is_noticed) in each.into_iter().enumerate() {
        assert!(is_noticed(&mut compiler, &jobs, &edited), "number {n}, by {}", FORGOTTEN[n].edit);
    }
}
