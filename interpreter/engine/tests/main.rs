//! The tests of the engine, on the toy: one program, so that it is linked once and all cores run it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod beginnings;
mod canceled;
mod carried;
mod groups;
mod knowledge;
mod likeness;
mod moments;
mod names;
mod passing;
mod properties;
mod resolution;
mod roles;
mod room;
mod scope;
mod services;
mod sets;
mod several;
mod spans;
mod standing;
mod supposed;
mod toy;
mod windows;
