//! Piles: what a script says was drawn lies on top when a place is shuffled; what a place must hold.

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::{DecisionKind, Submission, ThingId};
use netrep_ir::PlaceId;

use super::Driver;
use crate::prepare::{Action, Task};
use crate::report::From;
use crate::scenario::CardsIn;

impl Driver<'_> {
    /// At a shuffle: the order in which the cards that the script still draws come first, the others below them
    /// as they lie. `None` at any other decision, and if the script draws nothing more from there.
    pub(super) fn arranged(&self) -> Option<Submission> {
        // total: at any other decision there is nothing to arrange.
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

    /// Plays on until the draw has happened: shuffles, and answers that need no line.
    pub(super) fn until_drawn(&mut self, task: &Task, by: &str, cards: &[String]) -> Result<(), Diagnostic> {
        for _ in 0..super::PATIENCE {
            if self.drawn(task, by, cards).is_ok() {
                return Ok(());
            }
            let (words, answer, from) = match (self.arranged(), self.default_answer()) {
                (Some(order), _) => ("as drawn later".to_owned(), order, From::Script(task.span)),
                (None, Some((words, answer))) if !matches!(answer, Submission::Shuffled(_) | Submission::Dice(_)) => {
                    (words, answer, From::Driver)
                }
                _ => return Ok(()),
            };
            self.submit(&words, &answer, from).map_err(|e| self.stopped(task, e))?;
        }
        Ok(())
    }

    /// Each of the cards must have come to the player: it lies in a place of his that has no order.
    pub(super) fn drawn(&self, task: &Task, by: &str, cards: &[String]) -> Result<(), Diagnostic> {
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
                    return Err(Diagnostic::new(Code::NotDrawn, self.place(task), text).help(help));
                }
            }
        }
        Ok(())
    }

    /// Exactly the cards of a list must lie in a place; their order does not matter.
    pub(super) fn contents(&self, task: &Task, wanted: &CardsIn) -> Result<(), Diagnostic> {
        let owner = wanted.owner.as_ref().map(|owner| self.seat(task, &owner.text)).transpose()?;
        let places = &self.game.program().places;
        let Some(place) = places.iter().position(|place| place.name == wanted.place.text) else {
            let text = format!("no place is called `{}`", wanted.place.text);
            let near = crate::words::nearest_name(&wanted.place.text, places.iter().map(|place| place.name.as_str()));
            let diag = Diagnostic::new(Code::UnknownPlace, self.place(task), text);
            return Err(match near {
                Some(near) => diag.help(format!("did you mean `{near}`?")),
                None => diag,
            });
        };
        let mut more = self.game.in_place(PlaceId::from_index(place), owner);
        more.retain(|thing| self.game.card_of(*thing).is_some());
        let mut missing = Vec::new();
        for (card, _) in &wanted.cards {
            match more.iter().position(|thing| self.is_called(*thing, &card.text)) {
                Some(i) => drop(more.remove(i)),
                None => missing.push(format!("\"{}\"", card.text)),
            }
        }
        if missing.is_empty() && more.is_empty() {
            return Ok(());
        }
        let more: Vec<String> = more.iter().map(|thing| self.game.thing_words(*thing)).collect();
        let list = |title: &str, names: &[String]| {
            if names.is_empty() { String::new() } else { format!("{title}: {}", names.join(", ")) }
        };
        let help = [list("missing", &missing), list("besides", &more)].into_iter().filter(|s| !s.is_empty());
        Err(Diagnostic::new(Code::NotSo, self.place(task), format!("the {} holds other cards", wanted.place.text))
            .help(help.collect::<Vec<_>>().join("\n")))
    }

    fn is_called(&self, thing: ThingId, name: &str) -> bool {
        let card = self.game.card_of(thing).and_then(|id| self.game.program().cards.get(id.index()));
        card.is_some_and(|card| self.game.name(card.name) == name || card.id == name)
    }
}
