#![no_main]
#[path = "../targets.rs"]
#[allow(dead_code)]
mod targets;

use netrep_compiler::{Compiler, Profile};
use netrep_ir::Program;
use std::sync::{Arc, LazyLock};

/// The program of a game of dice; a corpus of its saves makes the start easier.
static PROGRAM: LazyLock<Arc<Program>> = LazyLock::new(|| {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/vocabulary/pig.words", include_str!("../../tests/pig/pig.words"));
    compiler.set_file("rules/sections/pig.rules", include_str!("../../tests/pig/pig.rules"));
    compiler.link(&Profile::default()).0
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::save(&PROGRAM, bytes));
