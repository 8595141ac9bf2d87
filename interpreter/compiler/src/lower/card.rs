//! Cards: printed figures and clauses.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::Printed;

use super::context::{Cx, Low};
use super::{LowCard, LowPart};
use crate::phrase::clause::{ClauseKind, FigureValue, ReadClause};
use crate::phrase::tree::TermKey;

/// Lowers a card.
pub(super) fn lower(cx: &mut Cx<'_>) {
    super::clause::header_of(cx);
    let name = cx.out.symbols.name(&cx.item.title);
    cx.out.card = Some(LowCard { name, figures: Vec::new(), parts: Vec::new() });
    let item = cx.item;
    for c in item.clauses.iter() {
        if let ClauseKind::Figure { attribute, values } = &c.read.kind
            && let Ok(figure) = figure(cx, attribute, values, c.read.span)
            && let Some(card) = &mut cx.out.card
        {
            card.figures.push(figure);
        }
    }
    super::clause::clauses(cx);
    item.clauses.iter().for_each(|clause| cx.note_of_this(&clause.read));
}

impl Cx<'_> {
    /// `CLASS { figures }`: a thing printed on the card.
    pub(crate) fn printed_part(&mut self, class: &TermKey, block: &[ReadClause], span: Span) -> Low<()> {
        let span = block.first().map_or(span, |c| c.span);
        let mut figures = Vec::new();
        // What makes it one of its class need not be said again.
        if let Some((attribute, entries)) = &self.term(class, span)?.only
            && let [entry] = entries.as_slice()
        {
            figures.push((attribute.clone(), Printed::Entries(vec![self.out.symbols.entry(entry)])));
        }
        let class = self.base_class(&class.name);
        for c in block {
            let ClauseKind::Figure { attribute, values } = &c.kind else {
                return self.fail(
                    Code::MisplacedClause,
                    c.span,
                    "a thing printed on a card has figures, nothing else",
                    Some("write clauses about it as clauses of the card"),
                );
            };
            figures.push(figure(self, attribute, values, c.span)?);
        }
        let clause = self.clause;
        if let Some(card) = &mut self.out.card {
            card.parts.push(LowPart { class, figures, clause });
        }
        Ok(())
    }
}

fn figure(cx: &mut Cx<'_>, attribute: &TermKey, values: &[FigureValue], span: Span) -> Low<(Arc<str>, Printed)> {
    cx.attribute(attribute, span)?;
    let mut entries = Vec::new();
    let mut numbers = Vec::new();
    let mut names = Vec::new();
    let mut number = None;
    for v in values {
        match v {
            FigureValue::Number(n) => number = Some(cx.fitting(*n, span)?),
            FigureValue::Yes => number = Some(1),
            FigureValue::Entry(e) => entries.push(cx.out.symbols.entry(&e.name)),
            FigureValue::EntryNumber(e, n) => numbers.push((cx.out.symbols.entry(&e.name), cx.fitting(*n, span)?)),
            FigureValue::Name(n) => names.push(cx.out.symbols.name(n)),
        }
    }
    let printed = if !entries.is_empty() {
        Printed::Entries(entries)
    } else if !numbers.is_empty() {
        Printed::Numbers(numbers)
    } else if !names.is_empty() {
        Printed::Names(names)
    } else {
        // total: a figure that is printed without a value says yes
        Printed::Number(number.unwrap_or(1))
    };
    Ok((attribute.name.clone(), printed))
}
