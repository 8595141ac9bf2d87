//! What an earlier process has made of items is found again only where it would be made again: whatever is edited in between.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use netrep_compiler::{Compiler, Diagnostic, Planted, Profile};
use netrep_ir::Program;
use netrep_store::Store;

use crate::common::*;

/// Reprints, uses of a pattern, names of others, a fact of one card: what follows from more than one item.
const MORE: [(&str, &str); 5] = [
    ("rules/vocabulary/more.words", "verb polish, polishes, polished (vase V) { does set dust of V to Clean. }\n"),
    ("rules/patterns/lamps.patterns", "pattern tall by (number N) {\n    [tall] this gets +N height.\n}\n"),
    (
        "cards/more.cards",
        "card Z-1 \"Red lamp\" { reprint of A-1. }\n\ncard Z-2 \"Green vase\" {\n    kind Vase. colour Green. height 2.\n    tall by 2.\n}\n\n\
         card Z-3 \"Odd lamp\" {\n    kind Lamp. colour Red. height 2.\n    fact warmth: number = 1.\n    \
         [warm] this gets +warmth of this height.\n    [wash] when \"Vase\" is washed: wash this.\n    \
         [named] when \"Vase\" is polished: wash this.\n    [by-id] when B-1 is polished: wash this.\n    \
         [jug] when \"Jug\" is polished: wash this.\n}\n\n\
         card Z-4 \"Jug\" {\n    kind Vase. colour Green. height 1.\n}\n\ncard Z-5 \"Pot\" {\n    kind Lamp. colour Red. height 1.\n}\n",
    ),
    (
        "rules/rulings/more.rulings",
        "ruling R-3 \"How tall?\" {\n    about Z-2.\n    reading more {\n        authority \"judge\".\n        \
         amend pattern \"tall by\" tall { read height as { height, +1 height }. }\n    }\n    \
         reading dirty {\n        authority \"judge\".\n        amend adjective \"dusty\" { read Dusty as Clean. }\n        \
         amend pattern \"tall by\" tall { read height as { height, +2 height }. }\n    }\n}\n\
         ruling R-4 \"How bright?\" {\n    about A-1.\n    reading bright {\n        authority \"judge\". date 1999-05-09.\n        \
         replace A-1 glow { [glow] this gets +3 height. }\n    }\n}\n",
    ),
    (
        "rules/editions/more.editions",
        "edition bright \"The bright book\" {\n    R-1 twice. R-4 bright. order R-1, R-4.\n}\n",
    ),
];

/// What others see of an item, said otherwise: what stands there, and what stands in its place.
const OTHERWISE: [(&str, &str); 15] = [
    // Of which class something is that others call by its name, and what it is called.
    ("kind Vase. colour Green. height 7", "kind Lamp. colour Green. height 7"),
    ("card B-1 \"Vase\"", "card B-1 \"Vases\""),
    ("card B-1 \"Vase\"", "card B-2 \"Vase\""),
    (
        "card Z-4 \"Jug\" {\n    kind Vase. colour Green. height 1.\n}\n\ncard Z-5 \"Pot\"",
        "card Z-4 \"Pot\" {\n    kind Vase. colour Green. height 1.\n}\n\ncard Z-5 \"Jug\"",
    ),
    // What a reprint names, and what that names.
    ("reprint of A-1", "reprint of B-1"),
    ("card A-1 \"Red lamp\" {", "card A-1 \"Red lamp\" {\n    reprint of B-1."),
    ("this gets +1 height", "this gets +2 height"),
    // Words that mean something else, that are said otherwise, and that one card alone has.
    ("dust of C is Clean", "dust of C is Dusty"),
    ("wash, washes, washed", "rinse, rinses, rinsed"),
    ("warmth: number", "warmth: yes or no"),
    ("figure height of card: number", "figure height of lamp: number"),
    // What readings amend, in which order, and what is put in.
    ("pattern tall by (number N) {\n    [tall]", "pattern tall by (number N) {\n    [taller]"),
    ("remove A-2 break", "remove B-1 soil"),
    ("R-4 bright. order R-1, R-4.\n", "R-4 bright.\n"),
    ("amend pattern \"tall by\" tall { read height", "amend Z-3 warm { read height"),
];

/// A folder of its own.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("netrep-kept-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Folder(std::env::temp_dir().join(name))
    }

    /// A process that has these files, and what earlier ones have kept.
    fn process(&self, files: &[(String, String)]) -> Compiler {
        let mut compiler = opened(files);
        compiler.keep_in(Arc::new(Store::at(self.0.clone(), "tests")), "here");
        compiler
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn opened(files: &[(String, String)]) -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_files(files.iter().map(|(path, text)| (&**path, &**text)));
    compiler
}

/// All that is said of the files.
type Said = (Vec<Diagnostic>, Vec<Diagnostic>, Vec<(Program, Vec<Diagnostic>)>, Vec<String>);

fn said(compiler: &Compiler) -> Said {
    said_under(compiler, &[Profile::default(), Profile::edition("old"), Profile::default().with("R-3", "more")])
}

fn said_under(compiler: &Compiler, profiles: &[Profile]) -> Said {
    let linked = profiles.iter().map(|profile| compiler.link(profile));
    let programs = linked.map(|(program, diags)| ((*program).clone(), diags)).collect();
    let users = compiler.terms().iter().map(|term| format!("{:?} {:?}", term.term.key, term.users)).collect();
    (compiler.check(), compiler.check_choices(), programs, users)
}

/// The files with each line of each of them left out in turn, each number moved by one, each file, and what others see said
/// otherwise.
fn edited() -> Vec<Vec<(String, String)>> {
    let all: Vec<(String, String)> =
        files().into_iter().chain(MORE).map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
    let mut found = vec![all.clone()];
    let mut with = |at: usize, text: String| {
        let mut edited = all.clone();
        edited[at].1 = text;
        found.push(edited);
    };
    for (at, (path, text)) in all.iter().enumerate() {
        // Of the many words, and of what is there besides, each takes long and is like others.
        let step = match () {
            () if path.ends_with(".words") => 17,
            () if path.contains("/more.") => 3,
            () => 1,
        };
        let lines: Vec<&str> = text.lines().collect();
        for nth in (0..lines.len()).step_by(step) {
            let others = lines.iter().enumerate().filter(|(other, _)| *other != nth);
            with(at, others.map(|(_, line)| format!("{line}\n")).collect());
            if let Some(digit) = lines[nth].find(|c: char| c.is_ascii_digit()) {
                let other = if lines[nth][digit..].starts_with('9') { "8" } else { "9" };
                let mut moved = lines.iter().map(ToString::to_string).collect::<Vec<_>>();
                moved[nth].replace_range(digit..=digit, other);
                with(at, moved.join("\n"));
            }
        }
        with(at, String::new());
    }
    for (from, to) in OTHERWISE {
        let at = all.iter().position(|(_, text)| text.contains(from)).unwrap_or_else(|| panic!("{from}"));
        with(at, all[at].1.replacen(from, to, 1));
    }
    found
}

#[test]
fn whatever_is_edited_between_processes_all_is_said_as_it_is_without_what_was_kept() {
    let folder = Folder::new();
    let edited = edited();
    let expected: Vec<Said> = edited.iter().map(|files| said(&opened(files))).collect();
    assert!(expected[0].0.iter().all(|diag| !diag.is_error()), "{:#?}", expected[0].0);
    let told = expected.iter().filter(|said| said.0 != expected[0].0).count();
    assert!(edited.len() > 80 && told * 2 > edited.len(), "{told} of {}", edited.len());
    // Each process finds what those before it have kept of other texts; then all of them again.
    for round in 0..2 {
        for (files, expected) in edited.iter().zip(&expected) {
            assert!(said(&folder.process(files)) == *expected, "round {round}: {files:#?}");
        }
    }
}

#[test]
fn what_was_kept_is_not_asked_for_after_an_edit_and_then_all_is_said_as_anew() {
    let folder = Folder::new();
    let edited = edited();
    drop(said(&folder.process(&edited[0])));
    for files in edited.iter().step_by(5) {
        let mut compiler = folder.process(&edited[0]);
        let first = said(&compiler);
        compiler.set_files(files.iter().map(|(path, text)| (&**path, &**text)));
        assert!(said(&compiler) == said(&opened(files)), "{files:#?}");
        compiler.set_files(edited[0].iter().map(|(path, text)| (&**path, &**text)));
        assert!(said(&compiler) == first, "{files:#?}");
    }
}

/// Spoilt is the file in which all of it is: then it is made again.
#[test]
fn what_was_kept_and_is_spoilt_is_made_again() {
    let folder = Folder::new();
    let files = &edited()[0];
    let expected = said(&folder.process(files));
    let kept: Vec<PathBuf> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is_items = |path: &&PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("items-");
    let items = kept.iter().find(is_items).unwrap().clone();
    kept.iter().filter(|path| **path != items).for_each(|path| fs::remove_file(path).unwrap());
    let whole = fs::read(&items).unwrap();
    for at in (0..whole.len()).step_by(whole.len() / 20) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        fs::write(&items, bytes).unwrap();
        assert!(said(&folder.process(files)) == expected, "byte {at}");
    }
}

/// By which edit it is noticed that a part of the fingerprints is left out: what is said instead.
const NOTICED: [(Planted, &str); 16] = [
    (Planted::Kind, "kind Lamp. colour Green. height 7"),
    (Planted::Declared, "dust of C is Dusty"),
    (Planted::Cards, "card B-2 \"Vase\""),
    (Planted::Titles, "card Z-4 \"Pot\""),
    (Planted::Classes, "kind Lamp. colour Green. height 7"),
    (Planted::Vocabulary, "dust of C is Dusty"),
    (Planted::Text, "kind Lamp. colour Green. height 7"),
    (Planted::Rulings, "remove B-1 soil"),
    (Planted::Readings, "this gets +2 height"),
    (Planted::Ranks, "R-4 bright.\n"),
    (Planted::AmendedWords, "this gets +2 height"),
    (Planted::Sources, "this gets +2 height"),
    (Planted::Originals, "this gets +2 height"),
    (Planted::Version, "this gets +2 height"),
    (Planted::Context, "kind Lamp. colour Green. height 7"),
    (Planted::Texts, "dust of C is Dusty"),
];

/// Another process makes something else of an edit then, or stops.
#[test]
fn a_part_of_a_fingerprint_that_is_left_out_is_noticed() {
    assert_eq!(NOTICED.map(|(planted, _)| planted), Planted::PRINTS);
    let edited = edited();
    let amended = ["more", "dirty"].map(|reading| Profile::default().with("R-3", reading));
    let profiles = [Profile::default(), Profile::edition("old"), Profile::edition("bright")];
    let profiles: Vec<Profile> = profiles.into_iter().chain(amended).collect();
    let said = |compiler: &Compiler| said_under(compiler, &profiles);
    for (planted, said_instead) in NOTICED {
        let at = OTHERWISE.iter().position(|(_, is)| is.starts_with(said_instead));
        let at = at.unwrap_or_else(|| panic!("{said_instead}"));
        let files = &edited[edited.len() - OTHERWISE.len() + at];
        let expected = said(&opened(files));
        let folder = Folder::new();
        let process = |files| {
            let mut compiler = folder.process(files);
            compiler.plant(planted);
            said(&compiler)
        };
        drop(process(&edited[0]));
        let found = catch_unwind(AssertUnwindSafe(|| process(files)));
        assert!(found.is_err() || found.is_ok_and(|said| said != expected), "{planted:?} is not noticed");
    }
}
