//! The engine for those who embed it: clients, servers, bots.
//!
//! ```text
//! Data      rules, cards, rulings, editions, decks: built in, of a folder, of texts
//! Rules     the data under an edition, as of a day, with readings chosen otherwise
//! Setup     where a game begins: a table with decks, or a position; who answers for whom
//! Table     a game that is being played: answers, undo, save; a clone is a fork. It knows everything
//! Seat      a player at a table: view, options, events, explanations. Nothing comes from it that he may not know
//! ```
//!
//! ```
//! use netrep::{Data, Error};
//!
//! # fn main() -> Result<(), Error> {
//! let data = Data::built_in();
//! let mut table = data.rules().table(&data.decks()?[..2])?.begin(7);
//! while let Some(offer) = table.options().pop() {
//!     table.take(&offer)?;
//! #   if table.answers().len() > 20 { break; }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A server keeps the [`Table`] and sends each client what its [`Seat`] gives out: the view, the events that it has not
//! seen yet, and explanations. A client sends an [`Offer`] back, or words. All of these are plain data for serde.

#![allow(clippy::result_large_err, reason = "errors carry what is wrong with a text, on paths that end the question")]

pub mod built_in;
mod data;
mod error;
mod event;
mod explain;
mod rules;
mod saved;
mod seat;
mod table;
mod view;

pub use data::{Data, Deck, Edition};
pub use error::{Diagnostic, Error, ErrorKind, Place};
pub use event::Event;
pub use explain::{Change, Citation, Derivation, Explanation, Reason};
pub use netrep_store::Store;
pub use rules::{Rules, Setup};
pub use saved::{FORMAT, saved_format};
pub use seat::{Offer, Seat};
pub use table::{Answer, Bot, Roll, Table};
pub use view::{Asked, Fact, Pile, Thing, View};
