//! The tests of codes, pages and suggestions.

mod codes;
mod nearest;
mod pages;
