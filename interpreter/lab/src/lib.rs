//! The lab: positions, scenarios and the questions that are asked of them.
pub mod problem;
pub mod scenario;
pub mod words;
