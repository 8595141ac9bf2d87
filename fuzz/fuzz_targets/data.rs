#![no_main]
#[path = "../targets.rs"]
#[allow(dead_code)]
mod targets;

use netrep_compiler::Compiler;
use std::cell::RefCell;

thread_local! {
    static DATA: RefCell<Compiler> = RefCell::new(small());
}

/// The small data of a game of dice: what is fuzzed stands beside it.
fn small() -> Compiler {
    let mut compiler = Compiler::new();
    compiler.set_file("rules/vocabulary/pig.words", include_str!("../../tests/pig/pig.words"));
    compiler.set_file("rules/sections/pig.rules", include_str!("../../tests/pig/pig.rules"));
    compiler
}

libfuzzer_sys::fuzz_target!(|text: &str| DATA.with_borrow_mut(|data| targets::data(data, text)));
