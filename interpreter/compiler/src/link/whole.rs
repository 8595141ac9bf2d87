//! Services that can only be judged when every item has said what it declares.

use netrep_diagnostics::Code;
use netrep_ir::{BlockId, Statement};

use super::Linker;
use super::places::clause_span;
use super::raised::within;
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
        self.rolls(items, &served);
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

    /// Rolls are things if all is said that such a thing needs; dice are thrown in the procedure around a roll, and only there.
    fn rolls<'i>(&mut self, items: &'i [LinkItem], served: &impl Fn(&str) -> Vec<(&'i LinkItem, &'i LowService)>) {
        const NEEDED: [(&str, &str); 3] = [
            ("roll", "roll CLASS by FACT.` (who rolls)"),
            ("total", "total NUMBER of CLASS.` (what it comes to)"),
            ("around", "around PROCEDURE.` (what is performed for it)"),
        ];
        let said = ["roll", "rolled", "total", "around"].iter().find_map(|serves| served(serves).into_iter().next());
        for (serves, line) in NEEDED {
            if let (Some((i, first)), true) = (said, served(serves).is_empty()) {
                let message = format!("rolls are things here, and no line says what serves as `{serves}`");
                self.error(i, first.span, Code::UnknownService, message, Some(format!("say `{line}")));
            }
        }
        let around = served("around").first().map(|(_, line)| line.words.join(" "));
        for i in items {
            let low = &i.lowered;
            let steps = low.steps.iter().filter(|step| Some(&*step.proc) == around.as_deref());
            let mut inside: Vec<BlockId> = Vec::new();
            steps.for_each(|step| within(low, step.body, &mut |block| inside.push(block)));
            for (nth, block) in low.blocks.iter().enumerate() {
                let is_inside = inside.iter().any(|block| block.index() == nth);
                for (statement, site) in &block.statements {
                    let Statement::Roll { dice, .. } = statement else { continue };
                    let Some(at) = low.sites.get(site.index()) else { continue };
                    let (message, help) = match (dice.is_none(), is_inside) {
                        (true, false) => (
                            "dice are thrown in a step of the procedure around a roll, and this is none",
                            "say who rolls: `PLAYER rolls 2 dice as R`",
                        ),
                        (false, true) => (
                            "this is a step of the procedure around a roll, which would be around this roll too",
                            "throw the dice of the roll that it is around: `throw the dice as R`",
                        ),
                        (true, true) | (false, false) => continue,
                    };
                    self.error(i, at.span, Code::MisplacedClause, message.to_owned(), Some(help.to_owned()));
                }
            }
        }
    }
}
