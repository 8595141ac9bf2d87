//! The engine: runs a compiled [`netrep_ir::Program`].
//!
//! It knows things, attributes, verbs, procedures, windows and chances, and no word of any game. A
//! [`Game`] stands at a [`Decision`]; [`Game::options`] says what may be submitted, [`Game::take`] submits,
//! [`Game::explain`] says why or why not. Everything suspended is plain data: a game can be cloned, saved,
//! hashed and compared at every decision.

mod act;
mod ask;
mod explain;
mod fog;
mod foresee;
mod game;
mod legal;
mod position;
mod program;

pub use ask::running::Running;
pub use fog::likeness;
pub use game::save::LoadError;
pub use game::setup::{Fact, Setup, StartFrame};
pub use game::verdict::{Derivation, DerivationStep, Reason, Verdict};
pub use game::{Game, Refusal};
pub use legal::windows::is_admitted_by;
pub use position::consulted::Consulted;
pub use position::effects::Effects;
pub use position::error::{EngineError, ErrorKind, SetupError};
pub use position::set::{Set, ThingId};
pub use position::sight::{Asked, Asks, Pile, Seen, View};
pub use position::stack::{Chooser, Decision, DecisionKind, Gathering};
pub use position::submission::Submission;
pub use position::tally::{Cost, Tally};
pub use position::trace::{TraceEntry, TraceKind};
pub use position::value::Value;
pub use position::verify::{Planted, Verify};
pub use program::analysis::{compares, when_required, when_required_of_kinds};
