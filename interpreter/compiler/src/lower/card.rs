//! Cards: printed figures and clauses.

use netrep_grammar::tree::TokenKind;
use netrep_ir::Printed;

use super::LowCard;
use super::context::{Cx, Low};
use crate::phrase::clause::{ClauseKind, FigureValue};
use crate::phrase::tree::TermKey;

/// Lowers a card.
pub fn lower(cx: &mut Cx<'_>) {
    super::clause::header(cx, "write `card ID \"NAME\" { … }`", |id| matches!(id, TokenKind::Capital(_)));
    let name = cx.out.symbols.name(&cx.item.title);
    cx.out.card = Some(LowCard { name, figures: Vec::new() });
    let item = cx.item;
    for c in &item.clauses {
        if let ClauseKind::Figure { attribute, values } = &c.read.kind {
            let _ = figure(cx, attribute, values, c.read.span);
        }
    }
    super::clause::clauses(cx);
}

fn figure(cx: &mut Cx<'_>, attribute: &TermKey, values: &[FigureValue], span: netrep_grammar::tree::Span) -> Low<()> {
    let info = cx.attribute(attribute, span)?;
    let _ = info.id;
    let mut entries = Vec::new();
    let mut numbers = Vec::new();
    let mut names = Vec::new();
    let mut number = None;
    for v in values {
        match v {
            FigureValue::Number(n) => match i32::try_from(*n) {
                Ok(n) => number = Some(n),
                Err(_) => return cx.fail("number-too-large", span, "this number is too large", None),
            },
            FigureValue::Yes => number = Some(1),
            FigureValue::Entry(e) => entries.push(cx.out.symbols.entry(&e.name)),
            FigureValue::EntryNumber(e, n) => {
                numbers.push((cx.out.symbols.entry(&e.name), i32::try_from(*n).unwrap_or(i32::MAX)))
            }
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
        Printed::Number(number.unwrap_or(1))
    };
    if let Some(card) = &mut cx.out.card {
        card.figures.push((attribute.name.clone(), printed));
    }
    Ok(())
}
