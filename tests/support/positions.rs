//! The positions of chapter 3 from which the tests play.
