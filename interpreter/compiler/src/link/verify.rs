//! What is wrong with the names of the whole, without making the program.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};
use netrep_grammar::tree::Span;
use netrep_ir::SiteId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Linker;
use super::places::clause_span;
use super::tables::Relocation;
use crate::finding::Diagnostic;
use crate::link::LinkItem;
use crate::lower::{Awaited, Lowered};
use crate::phrase::term::first_word;

/// What linking would find wrong with the names of the whole, without making the program.
pub(crate) fn verify(items: &[LinkItem]) -> Vec<Diagnostic> {
    let mut l = Linker::default();
    l.declare(items);
    l.check_roles(items);
    let tables = std::mem::take(&mut l.tables);
    let mut named = Vec::with_capacity(items.len());
    for i in items {
        let mut unknown = Vec::new();
        let mut m = Relocation::new(&tables, &l.program, &i.lowered.symbols, &mut unknown);
        let whole = unknown.is_empty();
        for (name, what) in unknown {
            l.unknown(i, &name, what, &tables);
        }
        for p in &i.lowered.procs {
            l.steps(i, p, &tables);
        }
        if whole {
            i.lowered.terms.iter().for_each(|t| l.term(t, &mut m));
            l.services(i, &mut m, &tables);
        }
        named.push(whole.then_some(m));
    }
    l.whole_services(items);
    l.check_services(items, &tables);
    l.check_names(items);
    l.check_called(items);
    l.diags.extend(super::circles::circles(items));
    let procs = items.iter().flat_map(|i| &i.lowered.procs);
    let listed: FxHashSet<(&str, &str)> = procs.flat_map(|p| p.steps.iter().map(|step| (&*p.name, &**step))).collect();
    l.described_twice(items);
    l.declared_twice(items);
    for i in items {
        let lost = |proc: &str| l.lost.iter().any(|text| text.contains(&format!("procedure {proc}")));
        let unlisted: Vec<_> =
            (i.lowered.steps.iter()).filter(|s| !listed.contains(&(&*s.proc, &*s.name)) && !lost(&s.proc)).collect();
        for s in unlisted {
            let span = clause_span(i, s.clause);
            let message = format!("no `steps` sentence of `{}` names the step `{}`, so it never runs", s.proc, s.name);
            l.error(
                i,
                span,
                Code::UnlistedStep,
                message,
                Some(format!("add `{}` to the `steps` of `{}`", s.name, s.proc)),
            );
        }
    }
    l.steps_waited_for(items);
    l.references(items);
    l.check_taken(items, &tables);
    l.check_held(items, &tables);
    super::roles::unbound(&mut l, items);
    super::functioning::check(&mut l, items, &tables, &named);
    super::following::check(&mut l, items, &tables);
    l.diags.sort();
    l.diags
}

impl Linker {
    /// A step for whose beginning or end a clause waits must be one of its procedure.
    fn steps_waited_for(&mut self, items: &[LinkItem]) {
        let mut steps_of: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for p in items.iter().flat_map(|i| &i.lowered.procs) {
            steps_of.entry(&p.name).or_default().extend(p.steps.iter().map(|step| &**step));
        }
        for item in items {
            for moment in &item.lowered.moments {
                let Awaited::Bounds { procedure, step: Some(step), .. } = &moment.what else { continue };
                let Some(steps) = steps_of.get(&**procedure) else { continue };
                // A procedure that nobody declares, or that is lost to an error of its own, is told by its name.
                if !steps.is_empty() && !steps.contains(&&**step) {
                    let text = format!("`{procedure}` has no step `{step}`");
                    let help = format!("its steps are: {}", steps.join(", "));
                    self.error(item, moment.span, Code::UnlistedStep, text, Some(help));
                }
            }
        }
    }

    /// What `despite` and `rests on` name must be there, unless it is lost to an error of its own or a reading has taken
    /// it away.
    fn references(&mut self, items: &[LinkItem]) {
        let labelled = || items.iter().filter(|i| i.lowered.card.is_some() || &*i.item.head == "rule");
        let clauses = || labelled().flat_map(|i| i.lowered.clauses.iter().map(|c| (&*i.item.key, c.label.trim_end())));
        // Few items are named, so that only of these the clauses are asked.
        let mut named: FxHashMap<&str, Vec<&LinkItem>> = FxHashMap::default();
        for (item, ..) in items.iter().flat_map(|i| named_in(&i.lowered)) {
            named.entry(item).or_default();
        }
        for i in labelled() {
            if let Some(of) = named.get_mut(&*i.item.key) {
                of.push(i);
            }
        }
        let is_known = |item: &str, label: &str| {
            let mut of = named.get(item).into_iter().flatten();
            of.any(|i| label.is_empty() || i.lowered.clauses.iter().any(|c| c.label.trim_end() == label))
        };
        for i in items {
            for (item, label, site) in named_in(&i.lowered) {
                let broken = |text: &Arc<str>| {
                    let mut words = text.split_whitespace();
                    matches!(words.next(), Some("rule" | "card")) && words.next() == Some(item)
                };
                if !is_known(item, label) && !gone(items, item, label) && !self.lost.iter().any(broken) {
                    let labels: Vec<String> = clauses().map(|(item, label)| cited(item, label)).collect();
                    let wanted = cited(item, label);
                    self.diags.push(unknown_label(i, &wanted, site, labels.iter().map(String::as_str)));
                }
            }
        }
    }

    /// A step that one item describes twice. Several items are put in order by what they are called; two blocks of one
    /// item have no names that could order them.
    pub(super) fn described_twice(&mut self, items: &[LinkItem]) {
        for i in items {
            let mut described: HashMap<(&str, &str), Span> = HashMap::new();
            for s in &i.lowered.steps {
                match described.entry((&s.proc, &s.name)) {
                    Entry::Vacant(step) => drop(step.insert(s.span)),
                    Entry::Occupied(first) => {
                        let item = format!("{} {}", i.item.head, i.item.key);
                        let message = format!("{item} describes the step `{}` of `{}` twice", s.name, s.proc);
                        self.diags.push(
                            Diagnostic::new(Code::StepTwice, i.places.place(s.span), message)
                                .and(i.places.place(*first.get()), "the first block")
                                .help(
                                    "put all that the rule says of the step into one block, or these statements into a rule or a \
                                     step of their own; a reading adds to a block with `add to ITEM LABEL { … }`",
                                ),
                        );
                    }
                }
            }
        }
    }

    /// A procedure that a reading declares under a name which another has. Where the texts themselves do so, the index of
    /// words tells it.
    pub(super) fn declared_twice(&mut self, items: &[LinkItem]) {
        let mut declared: HashMap<&str, (&LinkItem, Span)> = HashMap::new();
        for i in items {
            for p in &i.lowered.procs {
                let span = clause_span(i, p.clause);
                let Some((other, first)) = declared.insert(&p.name, (i, span)) else { continue };
                let (own, others) = (is_layered(i, span), is_layered(other, first));
                let ((told, at), (kept, before)) = match (own, others) {
                    (false, false) => continue,
                    (false, true) => ((other, first), (i, span)),
                    (true, _) => ((i, span), (other, first)),
                };
                let message = format!("the procedure `{}` is declared twice", p.name);
                self.diags.push(
                    Diagnostic::new(Code::TermRepeated, told.places.place(at), message)
                        .and(kept.places.place(before), "the other one")
                        .help("call the one that the reading adds otherwise, or replace the other: `replace ITEM LABEL { … }`"),
                );
            }
        }
    }
}

/// The clauses that an item names: the item, the label, and where it does.
pub(super) fn named_in(lowered: &Lowered) -> impl Iterator<Item = (&str, &str, SiteId)> {
    let despite = lowered.despite.iter().map(|(_, item, label, site)| (item.as_str(), label.as_str(), *site));
    let rests = lowered.rests.iter().map(|(wanted, site)| {
        // total: an item is named as a whole by its id alone
        let (item, label) = wanted.split_once(' ').unwrap_or((wanted, ""));
        (item, label, *site)
    });
    despite.chain(rests)
}

/// True for a clause that a reading has brought into its item.
fn is_layered(i: &LinkItem, span: Span) -> bool {
    i.item.clauses.iter().any(|clause| clause.read.span == span && !clause.setter.is_empty())
}

/// A clause as it is cited, `ITEM LABEL`; the item alone without a label.
pub(super) fn cited(item: &str, label: &str) -> String {
    if label.is_empty() { item.to_owned() } else { format!("{item} {label}") }
}

/// True for a clause that a reading has taken away.
pub(super) fn gone(items: &[LinkItem], item: &str, label: &str) -> bool {
    let taken = |i: &LinkItem| i.item.gone.iter().any(|gone| **gone == *label);
    items.iter().any(|i| *i.item.key == *item && taken(i))
}

pub(super) fn unknown_label<'a>(
    i: &LinkItem,
    wanted: &str,
    site: SiteId,
    labels: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let span = i.lowered.sites.get(site.index()).map_or(i.item.tree.head_span, |s| s.span);
    let labels: Vec<&str> = labels.collect();
    let item = first_word;
    let wanted_item = first_word(wanted);
    let (code, message, help) = if labels.iter().any(|label| item(label) == wanted_item) {
        let message = format!("no clause is labelled `{wanted}`");
        (Code::UnknownLabel, message, suggestion(wanted, labels.iter().copied()))
    } else {
        let mut items: Vec<&str> = labels.iter().map(|label| item(label)).collect();
        items.dedup();
        (Code::UnknownItem, format!("there is no rule or card `{wanted_item}`"), suggestion(wanted_item, items))
    };
    Diagnostic { help, ..Diagnostic::new(code, i.places.place(span), message) }
}
