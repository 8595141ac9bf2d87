//! The engine: runs a compiled [`netrep_ir::Program`].
//!
//! It knows things, attributes, verbs, procedures, windows and chances, and no word of any game. A
//! [`Game`] stands at a [`Decision`]; [`Game::options`] says what may be submitted, [`Game::take`] submits,
//! [`Game::explain`] says why or why not. Everything suspended is plain data: a game can be cloned, saved,
//! hashed and compared at every decision.

mod admit;
mod assert;
mod blame;
mod cache;
mod choices;
mod consulted;
mod error;
mod eval;
mod event;
mod execute;
mod explain;
mod fold;
mod force;
mod frame;
mod game;
mod grow;
mod hash;
mod history;
mod knowledge;
mod labels;
mod layout;
mod legality;
mod likeness;
mod link;
mod mend;
mod narrow;
mod offer;
mod plan;
mod procedure;
mod prospect;
mod rehearse;
mod relation;
mod rng;
mod run;
mod save;
mod set;
mod setup;
mod state;
mod table;
mod terms;
mod trace;
mod value;
mod view;
mod walk;
mod window;
mod words;
mod would;

pub use choices::{Opt, Submission};
pub use consulted::Consulted;
pub use error::{EngineError, ErrorKind, SetupError};
pub use explain::{Derivation, DerivationStep, Mend, Reason, Verdict};
pub use frame::{Chooser, Decision, DecisionKind};
pub use game::{Game, Refusal};
pub use save::LoadError;
pub use set::{Set, ThingId};
pub use setup::{Fact, Setup, StartFrame};
pub use trace::{TraceEntry, TraceKind};
pub use value::Value;
pub use view::{Asked, Asks, Pile, Seen, View};
