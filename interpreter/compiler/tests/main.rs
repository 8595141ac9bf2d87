//! The tests of the compiler: one program, so that it is linked once and all cores run it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod amend;
mod causes;
mod circles;
mod common;
mod data;
mod determiners;
mod diagnostics;
mod edit;
mod filing;
mod forms;
mod fresh;
mod idle;
mod incremental;
mod items;
mod kinds;
mod labels;
mod layers;
mod lent;
mod load;
mod mistakes;
mod names;
mod never;
mod patterns;
mod phrase_errors;
mod phrase_samples;
mod reprints;
mod retired;
mod services;
mod several;
mod side_by_side;
mod signature;
mod standing;
mod steps;
mod touchstones;
