//! Piles: what a script puts on top when one is shuffled; what was drawn; what a place must hold.

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::{Chooser, DecisionKind, Submission, ThingId};
use netrep_grammar::tree::Span;
use netrep_ir::PlaceId;

use super::Driver;
use crate::prepare::{Action, Task};
use crate::scenario::CardsIn;

/// What is to lie on top of a pile.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    /// Whose pile; `None`: one that is no player's.
    owner: Option<ThingId>,
    /// The cards in words, the topmost first.
    cards: Vec<String>,
    /// Where that is said.
    span: Span,
}

/// What lies in a place that has an order, lowest first, and whose it is.
type Pile = (ThingId, Vec<ThingId>);

/// Whether a script asks what was drawn.
pub(super) fn asks(script: &[Task]) -> bool {
    script.iter().any(|task| match &task.action {
        Action::Drew { .. } => true,
        Action::Cases(forks) => forks.iter().any(|fork| asks(&fork.script)),
        _ => false,
    })
}

impl Driver<'_> {
    /// Remembers what is to lie on top when a pile of a player is shuffled next.
    pub(super) fn stacked(&mut self, task: &Task, by: &str, cards: &[String]) -> Result<(), Diagnostic> {
        let owner = match self.decider(task, by)? {
            Chooser::Seat(seat) => Some(seat),
            Chooser::Chance => None,
        };
        self.stacks.push(Stack { owner, cards: cards.to_vec(), span: task.span });
        Ok(())
    }

    /// At a shuffle: the order in which the cards that the script has stacked come first, the others below them as they
    /// lie. `None` at any other decision, and if nothing is stacked for it.
    pub(super) fn arranged(&mut self) -> Result<Option<(Submission, Span)>, Diagnostic> {
        // total: at any other decision there is nothing to arrange.
        let Some(DecisionKind::Shuffle { place, owner, .. }) = self.game.decision().map(|decision| &decision.kind)
        else {
            return Ok(None);
        };
        let mut below = self.game.in_place(*place, *owner);
        let holds = |card: &String| below.iter().any(|thing| self.is_called(*thing, card));
        // Of several piles of a player the one is meant in which the cards are.
        let meant = |stack: &Stack| stack.owner == *owner && stack.cards.iter().any(holds);
        let Some(at) = self.stacks.iter().position(meant) else { return Ok(None) };
        let stack = self.stacks.remove(at);
        let mut top: Vec<ThingId> = Vec::new();
        for card in &stack.cards {
            match below.iter().rposition(|thing| self.is_called(*thing, card)) {
                Some(at) => top.push(below.remove(at)),
                None => return Err(self.not_stacked(&stack, &format!("{card} is not among what is shuffled"))),
            }
        }
        below.extend(top.into_iter().rev());
        Ok(Some((Submission::Shuffled(below), stack.span)))
    }

    /// What is stacked must have been shuffled.
    pub(super) fn all_stacked(&self) -> Result<(), Diagnostic> {
        match self.stacks.first() {
            Some(stack) => {
                Err(self.not_stacked(stack, "no pile in which these cards are was shuffled after this line"))
            }
            None => Ok(()),
        }
    }

    fn not_stacked(&self, stack: &Stack, text: &str) -> Diagnostic {
        let help = "say it before the move that has the pile shuffled, and name cards that lie in it";
        Diagnostic::new(Code::NotStacked, self.prepared.scenario.source.place(stack.span), text).help(help)
    }

    /// The piles of players as they are when a submission has been taken, if it is to be noted what is drawn from them.
    pub(super) fn piles(&self, submission: &Submission) -> Vec<Pile> {
        if !self.watched {
            return Vec::new();
        }
        let program = self.game.program();
        let players = self.game.select(&netrep_ir::Sel::Class(program.services.player));
        let ordered = program.places.iter().enumerate().filter(|(_, place)| place.ordered && place.owned);
        let of = |place: PlaceId| players.iter().map(move |owner| (owner, place));
        let all = ordered.flat_map(|(at, _)| of(PlaceId::from_index(at)));
        let kind = self.game.decision().map(|decision| &decision.kind);
        let pile = |(player, pile): (ThingId, PlaceId)| match (kind, submission) {
            (Some(DecisionKind::Shuffle { place, owner, .. }), Submission::Shuffled(order))
                if *place == pile && *owner == Some(player) =>
            {
                (player, order.clone())
            }
            _ => (player, self.game.in_place(pile, Some(player))),
        };
        all.map(pile).collect()
    }

    /// Notes what has come from the top of a pile of a player to a place of his that has no order.
    pub(super) fn note_drawn(&mut self, piles: Vec<Pile>) {
        for (owner, pile) in piles {
            for thing in pile.into_iter().rev() {
                let Some((place, Some(whose))) = self.game.place_of(thing) else { continue };
                let is_pile = self.game.program().places.get(place.index()).is_some_and(|place| place.ordered);
                if whose == owner && !is_pile {
                    self.drawn.push((owner, thing));
                }
            }
        }
    }

    /// Exactly these cards must have been drawn by the player, in this order, since it was asked before.
    pub(super) fn drew(&mut self, task: &Task, by: &str, cards: &[String]) -> Result<(), Diagnostic> {
        let seat = self.seat(task, by)?;
        let (own, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.drawn).into_iter().partition(|one| one.0 == seat);
        self.drawn = others;
        let same =
            own.len() == cards.len() && own.iter().zip(cards).all(|((_, thing), card)| self.is_called(*thing, card));
        if same {
            return Ok(());
        }
        let drawn: Vec<String> = own.iter().map(|(_, thing)| self.game.thing_words(*thing)).collect();
        let drawn = if drawn.is_empty() { "nothing".to_owned() } else { drawn.join(", ") };
        let text = format!("{by} has not drawn these cards in this order");
        Err(Diagnostic::new(Code::NotDrawn, self.place(task), text)
            .help(format!("{by} has drawn {drawn} since the last `drew {by}`, or the start")))
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

    /// Whether words name a thing: with the number of a copy, this one; else any of that name.
    fn is_called(&self, thing: ThingId, words: &str) -> bool {
        if let Some((first, "1")) = words.rsplit_once(" #") {
            return self.game.thing_words(thing) == first;
        }
        let card = self.game.card_of(thing).and_then(|id| self.game.program().cards.get(id.index()));
        let name = words.trim_matches('"');
        card.is_some_and(|card| self.game.name(card.name) == name || card.id == name)
            || words.contains("\" #") && self.game.thing_words(thing) == words
    }
}
