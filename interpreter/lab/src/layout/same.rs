//! Whether two ways to write a position stand for the same, up to the order of what has none.

use std::collections::BTreeMap;

use netrep_ir::Program;

use super::fold::atoms;
use super::spell::spell;
use crate::scenario::{Argument, Given};
use crate::words::folded;

/// What a position says, sentence by sentence; what comes in any order is sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    /// The players as they sit, then all other things that are no cards.
    minted: Vec<String>,
    /// Where cards lie, place by place, in the order in which they come there if it has one.
    places: BTreeMap<String, Vec<String>>,
    /// Of several cards of one name, by which the position names one, where each lies, in the order in which it finds them.
    namesakes: BTreeMap<String, Vec<String>>,
    facts: Vec<String>,
    running: Vec<String>,
}

impl Told {
    fn sentences(&self) -> Vec<String> {
        let piles =
            self.places.iter().chain(&self.namesakes).map(|(place, cards)| format!("{place}: {}", cards.join(", ")));
        let all = self.minted.iter().chain(&self.facts).chain(&self.running).cloned();
        all.chain(piles).collect()
    }

    /// What one says and another does not.
    pub(crate) fn beyond(&self, other: &Told) -> Option<String> {
        let others = other.sentences();
        self.sentences().into_iter().find(|one| !others.contains(one))
    }
}

/// What a position says whose lines have been spread.
pub(crate) fn told(program: &Program, given: &[Given]) -> Told {
    let mut told = Told::default();
    let player = program.classes.get(program.services.player.index()).map(|class| class.name.as_str());
    let mut others = Vec::new();
    for one in given {
        match one {
            Given::Mint { class, names } => {
                let list = if Some(class.text.as_str()) == player { &mut told.minted } else { &mut others };
                list.extend(names.iter().map(|name| format!("{} {}", class.text, name.text)));
            }
            Given::Cards(list) => {
                let decl = program.places.iter().find(|place| place.name == list.place.text);
                let ordered = decl.is_some_and(|place| place.ordered);
                let owner: String = list.owner.iter().map(|owner| format!("{}: ", owner.text)).collect();
                let order = if ordered { "in order, " } else { "" };
                let place = format!("{order}{owner}{}", list.place.text);
                for (card, label) in &list.cards {
                    let label: String = label.iter().map(|label| format!(" as {}", label.text)).collect();
                    let name = folded(&card.text);
                    told.places.entry(place.clone()).or_default().push(format!("{name}{label}"));
                    told.namesakes.entry(name).or_default().push(format!("{place}{label}"));
                }
            }
            Given::Fact(tokens, _) => told.facts.extend(atoms(tokens).iter().map(|atom| folded(&spell(atom)))),
            Given::Begin { procedure, arguments, step } => {
                let step: String = step.iter().map(|step| format!(" at {}", step.text)).collect();
                let argument = |one: &Argument| match one {
                    Argument::Thing(name) => folded(&format!("\"{}\"", name.text)),
                    Argument::Number(n) => n.to_string(),
                };
                let list: Vec<String> = arguments.iter().map(argument).collect();
                told.running.push(format!("{}{step} for {}", procedure.text, list.join(", ")));
            }
            // Lines have been spread.
            _ => {}
        }
    }
    others.sort();
    told.minted.extend(others);
    told.facts.sort();
    for (place, cards) in &mut told.places {
        if !place.starts_with("in order") {
            cards.sort();
        }
    }
    let quoted = |name: &str| format!("\"{name}\"");
    let sentences = told.facts.iter().chain(&told.running);
    let said = sentences.map(String::as_str).collect::<Vec<_>>().join(" ");
    told.namesakes.retain(|name, places| places.len() > 1 && said.contains(&quoted(name)));
    told
}
