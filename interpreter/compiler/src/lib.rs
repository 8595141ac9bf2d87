//! The compiler.
pub mod phrase;
