//! No Middle-earth in Rust: with every word of the vocabulary renamed to nonsense, the same games are played.
//!
//! The renamed data tell how each word was called before, so ids and hashes follow the names of before, and both programs
//! get the same set-up, in ids. Options are chosen by their place in canonical order. Equal must be, at every decision: how many options there are, which
//! clauses refuse what is refused, and the hash of the position.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::support::board::Board;
use crate::support::data::{File, compiler_of, errors, files, library, one_in, program};
use crate::support::play::{Chance, pick, refused_clauses, take};
use crate::support::positions;
use crate::support::rename::Renaming;
use crate::support::runs::runs;
use netrep_compiler::{Compiler, Profile};
use netrep_engine::{Game, Setup, Submission};
use netrep_ir::Program;
use netrep_lab::report::Report;
use netrep_lab::run::{jobs, run};
use netrep_lab::scenario::parse;

/// Decisions of one game at most.
const MOST: usize = 150;

/// The data as it is, and renamed.
struct Both {
    files: Vec<File>,
    renaming: Renaming,
    plain: Compiler,
    renamed: Compiler,
}

impl Both {
    fn new() -> Both {
        let files = files();
        let plain = compiler_of(&files);
        let renaming = Renaming::new(&plain, &files);
        let renamed = compiler_of(&renaming.files(&files));
        Both { files, renaming, plain, renamed }
    }

    /// Those that all tests share, one after the other: they edit nothing.
    fn shared() -> MutexGuard<'static, Both> {
        static BOTH: LazyLock<Mutex<Both>> = LazyLock::new(|| Mutex::new(Both::new()));
        BOTH.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn programs(&self, profile: &Profile) -> [Arc<Program>; 2] {
        [program(&self.plain, profile), program(&self.renamed, profile)]
    }
}

/// Submissions to try at every decision besides the offered ones: a sample of the candidates.
fn attempts(game: &Game, chance: &mut Chance) -> Vec<Submission> {
    let all = game.candidates(20_000);
    (0..12).map(|_| all[chance.below(all.len())].clone()).collect()
}

/// Plays a position under both programs; says how many decisions were compared.
fn compare(both: &Both, programs: &[Arc<Program>; 2], setup: &Setup, seed: u64, what: &str) -> usize {
    let [mut a, mut b] = programs.each_ref().map(|p| Game::new(Arc::clone(p), setup.clone()).unwrap());
    let mut chance = Chance::new(seed);
    for n in 0..MOST {
        let at = format!("{what}, seed {seed}, decision {n}");
        assert_eq!(a.position_hash(), b.position_hash(), "{at}: the positions differ");
        assert_eq!(a.decision().is_some(), b.decision().is_some(), "{at}");
        let Some(decision) = a.decision() else { return n };
        assert_eq!(Some(decision), b.decision(), "{at}");
        assert_eq!(a.options(), b.options(), "{at}");
        for attempt in attempts(&a, &mut chance) {
            let [old, new] = [&a, &b].map(|game| refused_clauses(game, &attempt));
            let same = old.len() == new.len() && old.iter().zip(&new).all(|(o, n)| both.renaming.same_label(o, n));
            assert!(same, "{at}: {attempt:?} is refused by {old:?} and by {new:?}");
        }
        let submissions = match pick(&a, &mut chance) {
            Some(i) => [&a, &b].map(|game| game.options()[i].clone()),
            None => [&a, &b].map(|game| game.keyed_roll(seed).unwrap()),
        };
        assert_eq!(submissions[0], submissions[1], "{at}: the dice differ");
        take(&mut a, &submissions[0]);
        take(&mut b, &submissions[1]);
    }
    MOST
}

/// The renaming renames: no old word is left but those of the closed class and those kept.
#[test]
fn the_vocabulary_is_nonsense() {
    let both = Both::shared();
    assert!(both.renaming.len() >= 200, "only {} words are renamed", both.renaming.len());
    let old: Vec<&str> = both.renaming.pairs().map(|(old, _)| old).collect();
    let mut left: Vec<String> = Vec::new();
    for view in both.renamed.terms() {
        for word in view.term.forms.iter().flat_map(|form| form.words.iter()) {
            if old.contains(&&**word) {
                left.push(word.to_string());
            }
        }
    }
    assert!(left.is_empty(), "not renamed: {left:?}");
}

/// The renamed data compiles as well as the data, finding for finding.
#[test]
fn renamed_data_compiles() {
    let both = Both::shared();
    let found = [&both.plain, &both.renamed].map(|compiler| {
        let diags = compiler.check();
        let wrong = errors(&diags);
        assert!(wrong.is_empty(), "{wrong:#?}");
        diags.iter().map(|d| (d.place.file.clone(), d.code)).collect::<Vec<_>>()
    });
    assert_eq!(found[0], found[1]);
    for profile in [Profile::default(), Profile::edition("crf-15")] {
        let [a, b] = both.programs(&profile);
        assert_eq!(a.clauses.len(), b.clauses.len());
        for (old, new) in a.clauses.iter().zip(&b.clauses) {
            assert!(both.renaming.same_label(&old.label, &new.label), "`{}` and `{}`", old.label, new.label);
        }
        // The clauses mean the same, id by id.
        assert_eq!(a.modifiers, b.modifiers);
        assert_eq!(a.norms, b.norms);
        assert_eq!(a.allowances.len(), b.allowances.len());
        assert_eq!(a.services, b.services);
    }
}

/// A position's sentences, renamed and read with the renamed vocabulary, are the same conditions.
#[test]
fn renamed_sentences_are_the_same_conditions() {
    let both = Both::shared();
    let profile = Profile::default();
    let (plain, renamed) = (both.plain.phrases(&profile), both.renamed.phrases(&profile));
    let mut read = 0;
    for (name, text) in positions::all() {
        let board = Board::new(&plain, &text);
        let mut other = board.clone();
        for named in &mut other.names {
            named.class = both.renaming.sentence(&named.class);
        }
        for fact in &board.facts {
            let here = board.condition(&plain, fact).0;
            let there = other.condition(&renamed, &both.renaming.sentence(fact)).0;
            assert_eq!(here, there, "{name}: {fact}");
            read += 1;
        }
    }
    assert!(read >= 20);
}

/// What scenarios come to: which clauses asked and licensed each step, which expectations held, and where they ended.
fn reports(compiler: &Compiler, texts: &[File]) -> Vec<Report> {
    let mut scenarios = Vec::new();
    for (path, text) in texts {
        let parsed = parse(path, text, false);
        assert!(parsed.diags.is_empty(), "{:#?}", parsed.diags);
        scenarios.extend(parsed.scenarios.into_iter().map(Arc::new));
    }
    run(compiler, &jobs(&scenarios, &Profile::default()), 2, false)
}

/// Scenarios with all their words renamed have the same verdicts, by the same clauses, with the same hashes: one file in six here, all
/// with `EVERY=1`.
#[test]
fn scenarios_have_the_same_verdicts() {
    let both = Both::shared();
    let texts = library().scenario_files(&["tests/scenarios".into()]).expect("the scenarios can be read");
    let texts: Vec<File> = texts.into_iter().step_by(one_in(6)).collect();
    let renamed: Vec<File> = texts.iter().map(|(path, text)| (path.clone(), both.renaming.scenarios(text))).collect();
    let in_texts = |report: &&Arc<Report>| texts.iter().any(|(path, _)| *path == report.file);
    let old: Vec<&Arc<Report>> = runs().reports.iter().filter(in_texts).collect();
    let new = reports(&both.renamed, &renamed);
    assert_eq!(old.len(), new.len());
    let steps =
        |report: &Report| report.steps.iter().map(|s| (s.clause, s.licence, s.options.len())).collect::<Vec<_>>();
    let checks = |report: &Report| report.checks.iter().map(|c| (c.after, c.held)).collect::<Vec<_>>();
    let mut wrong = Vec::new();
    for (old, new) in old.iter().zip(&new) {
        let same = steps(old) == steps(new) && checks(old) == checks(new) && old.hash == new.hash;
        if !same || old.passed() != new.passed() {
            let (one, other) = (old.diags.first(), new.diags.first());
            wrong.push(format!("{} under {}: {one:?} and {other:?}", old.name, old.profile));
        }
    }
    println!("{} scenarios, {} of them pass", old.len(), old.iter().filter(|report| report.passed()).count());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(old.len() >= 20, "only {} scenarios", old.len());
}

/// A game that was saved before words were renamed goes on under the new ones, and one that is saved then under the old.
#[test]
fn saved_games_outlive_renamed_words() {
    let both = Both::shared();
    let programs = both.programs(&Profile::default());
    let phrases = both.plain.phrases(&Profile::default());
    for (name, text) in positions::all() {
        let setup = Board::new(&phrases, &text).setup;
        let [mut old, mut new] = programs.each_ref().map(|p| Game::new(Arc::clone(p), setup.clone()).unwrap());
        for game in [&mut old, &mut new] {
            let mut chance = Chance::new(11);
            for _ in 0..30 {
                let Some(submission) = crate::support::play::next(game, &mut chance, 11) else { break };
                take(game, &submission);
            }
        }
        assert_eq!(old.save(), new.save(), "{name}");
        for (program, saved) in [(&programs[1], old.save()), (&programs[0], new.save())] {
            let loaded = Game::load(Arc::clone(program), &saved).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(loaded.position_hash(), old.position_hash(), "{name}");
        }
    }
}

/// Random games under both vocabularies are the same games.
#[test]
fn random_games_are_the_same() {
    let both = Both::shared();
    let mut decisions = 0;
    for edition in ["coe", "crf-15"] {
        let profile = Profile::edition(edition);
        let programs = both.programs(&profile);
        let phrases = both.plain.phrases(&profile);
        for (name, text) in positions::all() {
            let setup = Board::new(&phrases, &text).setup;
            for seed in 0..1 {
                decisions += compare(&both, &programs, &setup, seed, &format!("{edition} {name}"));
            }
        }
    }
    println!("{decisions} decisions, {} words, {} files", both.renaming.len(), both.files.len());
    assert!(decisions >= 300);
}
