//! The material of `tests/samples`: every clause of 82 cards and 10 rule sections splits, parses, declares,
//! resolves without ambiguity, and reads the same again when it is rendered. `PHRASE_ROOTS` (folders,
//! separated by blanks) adds other material.

use std::path::{Path, PathBuf};

use crate::common::phrases::{load, term, vocabulary};
use netrep_compiler::phrase::render::render_clause;

/// Clauses that the language can say, but that the samples say shorter than the printed text: a condition or a
/// chooser is left out, or its meaning is left to a word that the sample vocabulary declares without a body.
const SIMPLIFIED: &[&str] = &[
    "TW-8", "TW-117", "TW-296", "TW-321", "TD-2", "AS-40", "BA-39", "DM-35", "DM-70", "DM-121", "DM-132", "TD-41",
    "TD-126", "TD-127", "AS-99", "BA-60", "BA-71", "WH-71", "WH-85", "WH-91", "WH-106", "2.IV.v", "3.I.1", "9.6.1",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples")
}

fn prove(dir: &Path) {
    let sources = load(dir);
    let mut complaints = Vec::new();
    let words = vocabulary(&sources, &mut complaints);
    let proof = crate::common::phrases::prove(&sources, &words, 10);
    complaints.extend(proof.complaints);
    println!(
        "{}: items {}, clauses {}, sentences {}, tokens {}, terms {}, ambiguous before preferences {}, after {}, {:.1} microseconds per sentence",
        dir.display(),
        sources.len(),
        proof.clauses,
        proof.sentences,
        proof.tokens,
        words.len(),
        proof.ambiguous.0,
        proof.ambiguous.1,
        proof.elapsed.as_secs_f64() * 1e6 / proof.sentences.max(1) as f64,
    );
    if std::env::var("PHRASE_PRINT").is_ok() {
        for clause in proof.read.iter().flatten() {
            println!("    {}", render_clause(clause, &|key| term(&words, key)));
        }
    }
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
    assert_eq!(proof.ambiguous.1, 0);
}

#[test]
fn samples_resolve_and_render() {
    prove(&root());
    println!("simplified: {}", SIMPLIFIED.join(", "));
}

#[test]
fn other_material_resolves_and_renders() {
    let Ok(roots) = std::env::var("PHRASE_ROOTS") else { return };
    for dir in roots.split(' ') {
        prove(Path::new(dir));
    }
}
