//! Services that can only be judged when every item has said what it declares.

use netrep_diagnostics::Code;
use netrep_ir::ValueKind;

use super::Linker;
use super::places::clause_span;
use crate::link::LinkItem;

impl Linker {
    /// The verb that shuffles and the fact that remembers what was revealed are what the engine takes them for.
    pub(super) fn whole_services(&mut self, items: &[LinkItem]) {
        let served = |service: &str| -> Vec<(usize, String)> {
            let lines = items.iter().enumerate().flat_map(|(n, i)| i.lowered.services.iter().map(move |s| (n, s)));
            lines.filter(|(_, (head, _))| head == service).map(|(n, (_, words))| (n, words.join(" "))).collect()
        };
        let hosts = served("host");
        for i in items {
            for part in i.lowered.card.iter().flat_map(|card| &card.parts) {
                let class = &i.lowered.symbols.classes[part.class.index()];
                if !hosts.iter().any(|(_, words)| words.starts_with(&format!("{class} by "))) {
                    let span = clause_span(i, part.clause);
                    let message = format!("no attribute leads from a {class} to the card on which it is printed");
                    let help = format!("say `host {class} by ATTRIBUTE.` in `kernel services`");
                    self.error(i, span, Code::NoHost, message, Some(help));
                }
            }
        }
        let shuffling = served("shuffle");
        for i in items {
            for verb in i.lowered.place_verbs.iter().filter(|verb| !shuffling.iter().any(|(_, s)| s == *verb)) {
                self.error(
                    i,
                    i.item.tree.head_span,
                    Code::NotSupported,
                    format!("`{verb}` is done to a place, and nothing can be done to a place but shuffling it"),
                    Some(format!("if it shuffles, say so in `kernel services`: `shuffle {verb}.`")),
                );
            }
        }
        for (n, words) in shuffling {
            if !items.iter().any(|i| i.lowered.place_verbs.contains(&words)) {
                self.no_service(items, n, format!("`shuffle {words}` names no verb that is done to a place"));
            }
        }
        let services = &self.program.services;
        for (service, fact) in [("revealed", services.revealed), ("concealed", services.concealed)] {
            for (n, words) in served(service) {
                let fits = fact.and_then(|a| self.program.attrs.get(a.index())).is_none_or(|a| {
                    a.dynamic && matches!(a.kind, ValueKind::Things(c) if c == self.program.services.player)
                });
                if !fits {
                    self.no_service(items, n, format!("`{service} {words}` names no fact that holds players"));
                }
            }
        }
        let greatest = self.program.services.greatest.clone();
        for ((n, words), (class, number)) in served("greatest").into_iter().zip(greatest) {
            let has = |a: &netrep_ir::AttrDecl| a.kind == ValueKind::Number && a.classes.contains(&class);
            if !self.program.attrs.get(number.index()).is_some_and(has) {
                self.no_service(items, n, format!("`greatest {words}` names no number that such things have"));
            }
        }
    }

    fn no_service(&mut self, items: &[LinkItem], n: usize, message: String) {
        if let Some(i) = items.get(n) {
            let help = "declare `verb shuffle, shuffles, shuffled (place X).`, `state known of card: player, many.` or a number of \
                        the class";
            self.error(i, i.item.tree.head_span, Code::UnknownService, message, Some(help.to_owned()));
        }
    }
}
