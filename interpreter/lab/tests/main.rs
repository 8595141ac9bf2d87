//! The tests of the lab, on its toy: one program, so that it is linked once and all cores run it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod copies;
mod costs;
mod coverage;
mod driver;
mod duties;
mod groups;
mod kept;
mod laid_down;
mod layouts;
mod pages;
mod printed;
mod questions;
mod readings;
mod scenario;
mod script;
mod shifts;
mod steps;
mod support;
mod untouched;
mod windows;
mod words;
