//! Services that can only be judged when every item has said what it declares.

use netrep_diagnostics::Code;

use super::Linker;
use super::places::clause_span;
use crate::link::LinkItem;
use crate::lower::LowService;

impl Linker {
    /// What is printed on a card and a verb that is done to a place have their service.
    pub(super) fn whole_services(&mut self, items: &[LinkItem]) {
        // What a broken item says serves is not missing.
        if self.lost.iter().any(|text| text.starts_with("kernel")) {
            return;
        }
        let served = |serves: &str| -> Vec<(&LinkItem, &LowService)> {
            let lines = items.iter().flat_map(|i| i.lowered.services.iter().map(move |service| (i, service)));
            lines.filter(|(_, service)| service.serves == serves).collect()
        };
        let hosts = served("host");
        for i in items {
            for part in i.lowered.card.iter().flat_map(|card| &card.parts) {
                let class = &i.lowered.symbols.classes[part.class.index()];
                if !hosts.iter().any(|(_, host)| host.words.join(" ").starts_with(&format!("{class} by "))) {
                    let span = clause_span(i, part.clause);
                    let message = format!("no attribute leads from a {class} to the card on which it is printed");
                    let help = format!("say `host {class} by ATTRIBUTE.` in `kernel services`");
                    self.error(i, span, Code::NoHost, message, Some(help));
                }
            }
        }
        let shuffling = served("shuffle");
        for i in items {
            let is_said = |verb: &String| shuffling.iter().any(|(_, service)| service.words.join(" ") == *verb);
            for verb in i.lowered.place_verbs.iter().filter(|verb| !is_said(verb)) {
                self.error(
                    i,
                    i.item.tree.head_span,
                    Code::NotSupported,
                    format!("`{verb}` is done to a place, and nothing can be done to a place but shuffling it"),
                    Some(format!("if it shuffles, say so in `kernel services`: `shuffle {verb}.`")),
                );
            }
        }
    }
}
