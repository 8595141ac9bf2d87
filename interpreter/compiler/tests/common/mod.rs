//! A small data set about lamps on shelves, shared by the tests.

use netrep_compiler::{Compiler, Diagnostic};
use netrep_diagnostics::Code;

pub(crate) mod phrases;

pub(crate) const WORDS: &str = include_str!("base.words");

pub(crate) const CARDS: &str = r#"// Lamps.

card A-1 "Red lamp" {
    kind Lamp. colour Red. height 3.
    [glow] this gets +1 height.
    [wash] when this is soiled: wash this.
}

card A-2 "Blue lamp" {
    kind Lamp. colour Blue. height 4.
    [break] when a lamp is washed: break this.
}

card B-1 "Vase" {
    kind Vase. colour Green. height 7.
    [soil] when this is washed: soil this.
}
"#;

pub(crate) const RULES: &str = r#"
rule 1 "Lamps" {
    cites "Book 1".
    [clean] a dusty lamp cannot be broken.
}

rule 1.i "Vases" {
    cites "Book 2".
    [low] vases get -1 height.
    [red] vases get +2 height.
}
"#;

pub(crate) const RULINGS: &str = r#"
ruling R-1 "Does the red lamp glow twice?" {
    about A-1.
    reading printed {
        authority "card text". document "cards" "A-1". status in force.
    }
    reading twice {
        authority "committee". document 003 "L1019". date 1999-05-09. status superseded.
        replace A-1 glow {
            [glow] this gets +2 height.
        }
        remove 1.i low.
    }
}

ruling R-2 "Do lamps break?" {
    about A-2.
    reading never {
        authority "judge".
        remove A-2 break.
        add to 1 { [never] a lamp cannot be broken. }
    }
}
"#;

pub(crate) const EDITIONS: &str = r#"
edition old "The old book" {
    R-1 twice.
}
edition new "The new book" {
    default.
    R-1 printed.
    R-2 never.
}
"#;

pub(crate) const CARDS_PATH: &str = "cards/a.cards";
pub(crate) const RULES_PATH: &str = "rules/sections/1.rules";
pub(crate) const RULINGS_PATH: &str = "rules/rulings/a.rulings";
pub(crate) const EDITIONS_PATH: &str = "rules/editions/a.editions";
pub(crate) const WORDS_PATH: &str = "rules/vocabulary/base.words";

/// The data set, in memory.
pub(crate) fn files() -> [(&'static str, &'static str); 5] {
    [(WORDS_PATH, WORDS), (CARDS_PATH, CARDS), (RULES_PATH, RULES), (RULINGS_PATH, RULINGS), (EDITIONS_PATH, EDITIONS)]
}

/// A compiler with the data set and an event log.
pub(crate) fn compiler() -> Compiler {
    let mut compiler = Compiler::logged();
    compiler.set_files(files());
    compiler
}

/// A compiler with the vocabulary and one more file.
pub(crate) fn with_file(path: &str, text: &str) -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_files([(WORDS_PATH, WORDS), (path, text)]);
    compiler
}

/// The errors, without advice.
pub(crate) fn errors(diags: &[Diagnostic]) -> Vec<&Diagnostic> {
    diags.iter().filter(|diag| diag.is_error()).collect()
}

/// The codes of the errors.
pub(crate) fn codes(diags: &[Diagnostic]) -> Vec<Code> {
    errors(diags).into_iter().map(|diag| diag.code).collect()
}

/// The text that a diagnostic points at.
pub(crate) fn pointed(compiler: &Compiler, place: &netrep_ir::Place) -> String {
    let text = compiler.text(&place.file).unwrap_or_default();
    text.get(place.start as usize..place.end as usize).unwrap_or("?").to_owned()
}

/// A diagnostic in plain words, each part on a line of its own, with the texts that its places point at.
pub(crate) fn told(compiler: &Compiler, diag: &Diagnostic) -> String {
    let at = |place: &netrep_ir::Place| format!("`{}`", pointed(compiler, place).replace('\n', "⏎"));
    let mut text = format!("{} at {}: {}\n", diag.code, at(&diag.place), diag.message);
    if !diag.label.is_empty() {
        text += &format!("    here: {}\n", diag.label);
    }
    for label in &diag.labels {
        text += &format!("    {}: {}\n", at(&label.place), label.text);
    }
    for line in diag.help.iter().flat_map(|help| help.lines()) {
        text += &format!("    help: {line}\n");
    }
    text
}
