//! Draws that a script names: cards that a book says were drawn lie on top when the place is shuffled.

use netrep_engine::{DecisionKind, Submission, ThingId};
use netrep_ir::Diag;

use super::Driver;
use crate::prepare::{Action, Task};
use crate::problem::{Mended, error};
use crate::report::From;

impl Driver<'_> {
    /// At a shuffle: the order in which the cards that the script still draws come first, the others below them
    /// as they lie. `None` at any other decision, and if the script draws nothing more from there.
    pub(super) fn arranged(&self) -> Option<Submission> {
        let DecisionKind::Shuffle { place, owner, .. } = self.game.decision()?.kind else { return None };
        let mut below = self.game.in_place(place, owner);
        let mut drawn: Vec<ThingId> = Vec::new();
        for task in self.prepared.script.get(self.at..)? {
            let Action::Draws { by, cards } = &task.action else { continue };
            if owner.is_some() && self.prepared.position.labels.get(by).copied() != owner {
                continue;
            }
            for card in cards {
                if let Some(i) = below.iter().rposition(|thing| self.is_called(*thing, card)) {
                    drawn.push(below.remove(i));
                }
            }
        }
        if drawn.is_empty() {
            return None;
        }
        below.extend(drawn.into_iter().rev());
        Some(Submission::Shuffled(below))
    }

    /// Shuffles that stand before a draw.
    pub(super) fn shuffled(&mut self, task: &Task) -> Result<(), Diag> {
        loop {
            let (words, answer, from) = match (self.arranged(), self.game.options_in_words().as_slice()) {
                (Some(order), _) => ("as drawn later".to_owned(), order, From::Script(task.span)),
                // What leaves no choice needs no line.
                (None, [(words, only)]) if !matches!(only, Submission::Shuffled(_)) => {
                    (words.clone(), only.clone(), From::Driver)
                }
                _ => return Ok(()),
            };
            self.submit(&words, &answer, from).map_err(|e| self.stopped(task, e))?;
        }
    }

    /// Each of the cards must have come to the player: it lies in a place of his that has no order.
    pub(super) fn drawn(&self, task: &Task, by: &str, cards: &[String]) -> Result<(), Diag> {
        let seat = self.seat(task, by)?;
        let program = self.game.program();
        let mut here: Vec<ThingId> = (0..self.game.things())
            .map(ThingId::from_index)
            .filter(|thing| {
                self.game.place_of(*thing).is_some_and(|(place, owner)| {
                    owner == Some(seat) && program.places.get(place.index()).is_some_and(|decl| !decl.ordered)
                })
            })
            .collect();
        for card in cards {
            match here.iter().position(|thing| self.is_called(*thing, card)) {
                Some(i) => drop(here.remove(i)),
                None => {
                    let text = format!("{by} has not drawn \"{card}\"");
                    let help = "draws are written behind the move that causes them, in the order of the draws";
                    return Err(error("not-drawn", self.place(task), text).help(help));
                }
            }
        }
        Ok(())
    }

    fn is_called(&self, thing: ThingId, name: &str) -> bool {
        let card = self.game.card_of(thing).and_then(|id| self.game.program().cards.get(id.index()));
        card.is_some_and(|card| self.game.name(card.name) == name)
    }
}
