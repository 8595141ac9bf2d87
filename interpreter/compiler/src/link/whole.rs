//! Services that can only be judged when every item has said what it declares.

use netrep_diagnostics::Code;
use netrep_ir::ValueKind;

use super::Linker;
use super::places::clause_span;
use crate::link::LinkItem;
use crate::lower::LowService;

impl Linker {
    /// The verb that shuffles and the fact that remembers what was revealed are what the engine takes them for.
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
        for (i, service) in shuffling {
            if !items.iter().any(|i| i.lowered.place_verbs.contains(&service.words.join(" "))) {
                self.no_service(i, service, "names no verb that is done to a place");
            }
        }
        let services = &self.program.services;
        let is_known = |(_, service): &(&LinkItem, &LowService)| {
            self.program.classes.iter().any(|class| class.name == service.words.join(" "))
        };
        let knows_players = served("player").iter().all(is_known);
        for (serves, fact) in [("revealed", services.revealed), ("concealed", services.concealed)] {
            for (i, service) in served(serves) {
                let fits = fact.and_then(|a| self.program.attrs.get(a.index())).is_none_or(|a| {
                    a.dynamic && matches!(a.kind, ValueKind::Things(c) if c == self.program.services.player)
                });
                if !fits && knows_players {
                    self.no_service(i, service, "names no fact that holds players");
                }
            }
        }
        let greatest = self.program.services.greatest.clone();
        for ((i, service), (class, number)) in served("greatest").into_iter().zip(greatest) {
            let has = |a: &netrep_ir::AttrDecl| a.kind == ValueKind::Number && a.classes.contains(&class);
            if !self.program.attrs.get(number.index()).is_some_and(has) {
                self.no_service(i, service, "names no number that such things have");
            }
        }
    }

    /// True if a broken item says the words that serve, those in front of `by` or `of`: what it declares is not missing.
    pub(super) fn is_lost(&self, words: &[String]) -> bool {
        let served: Vec<&str> =
            words.iter().map(String::as_str).take_while(|word| !matches!(*word, "by" | "of")).collect();
        let served = served.join(" ");
        self.lost.iter().any(|text| text.contains(&served))
    }

    fn no_service(&mut self, i: &LinkItem, service: &LowService, what: &str) {
        let help = "declare `verb shuffle, shuffles, shuffled (place X).`, `state known of card: player, many.` or a number of \
                    the class";
        let LowService { serves, words, span } = service;
        if self.is_lost(words) {
            return;
        }
        let message = format!("`{serves} {}` {what}", words.join(" "));
        self.error(i, *span, Code::UnknownService, message, Some(help.to_owned()));
    }
}
