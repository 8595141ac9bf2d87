//! What is made of a text that the strict rules refuse: the tree of what is whole, and all errors.
//!
//! Two readings are tried. One reads on from slip to slip (`mended_…` in `pest/recovery.pest`). The other goes by the layout: where
//! every clause begins on a line of its own, each is read alone, so that a missing brace or quote cannot reach into the
//! next one (`laid_out`). The reading with fewer errors is taken; of two with as many, the one by the layout.

use crate::build::{Builder, Slips};
use crate::diagnose::{self, Sign};
use crate::error::{Code, Finding};
use crate::parser::{Refused, Rule, Rules};
use crate::tree::{Clause, Item, Token};
use pest::iterators::Pair;
use std::ops::Range;

/// So many layouts are read one inside the other; a block that stands deeper is read on from slip to slip.
const MOST_LAYOUTS: usize = 6;

/// No more wrong characters than this are told at once; a text with more is no text of this language.
const MOST: usize = 8;

/// The item and the errors of a text that was read.
pub(crate) fn finished(item: Item, slips: Slips) -> (Option<Item>, Vec<Finding>) {
    let (item, errors) = whole((item, slips));
    (Some(item), errors)
}

/// A reading with what is not whole put into its item.
fn whole((mut item, mut slips): Reading<Item>) -> (Item, Vec<Finding>) {
    item.faulty = std::mem::take(&mut slips.faulty);
    (item, told(slips))
}

/// The errors in the order of their places.
pub(crate) fn told(slips: Slips) -> Vec<Finding> {
    let mut errors = slips.errors;
    if errors.is_empty() {
        return errors;
    }
    errors.sort();
    errors.dedup();
    // What is nested too deeply is not read, and what is said of the rest would follow from that.
    if let Some(deep) = errors.iter().find(|error| error.code == Code::DeepNesting) {
        return vec![deep.clone()];
    }
    let mut characters = 0;
    errors.retain(|error| {
        characters += usize::from(is_character(error.code));
        characters <= MOST || !is_character(error.code)
    });
    errors
}

/// Drops what a missing quotation mark explains: on its line names and words have changed places, and behind it signs
/// may be in the name that it begins. The text begins at `base`.
fn without_echoes(errors: &mut Vec<Finding>, text: &str, base: usize) {
    let quote = |error: &&Finding| error.code == Code::MissingQuote;
    let Some(at) = errors.iter().filter(quote).map(|error| error.place.start).min() else { return };
    let before = &text[..at as usize - base];
    let line = match before.rfind('\n') {
        Some(end) => base + end + 1,
        None => base,
    } as u32;
    errors.retain(|error| match error.code {
        Code::MissingQuote => true,
        code if is_character(code) => error.place.start < line || error.place.start > at,
        _ => error.place.start < line,
    });
}

fn is_character(code: Code) -> bool {
    matches!(
        code,
        Code::MissingQuote | Code::EmptyName | Code::StrayCharacter | Code::LookAlikeCharacter | Code::GluedNumber
    )
}

/// An item as the rules of recovery read it from slip to slip, also one that is whole, with its errors. `None` if it has no head.
pub fn mended(text: &str) -> Option<(Item, Vec<Finding>)> {
    item_mended(Rules::default(), text).map(whole)
}

/// An item as it is read by its layout, also one that is whole, with its errors. `None` if its clauses do not begin on lines of
/// their own.
pub fn by_lines(text: &str) -> Option<(Item, Vec<Finding>)> {
    item_by_lines(Rules::default(), text).map(whole)
}

/// A text as it was read, and what is wrong with it.
type Reading<T> = (T, Slips);

/// An item that the strict rules refuse.
pub(crate) fn item(rules: Rules, text: &str, refused: Refused) -> (Option<Item>, Vec<Finding>) {
    let Some(mended) = item_mended(rules, text) else {
        let loose = |pair: &Pair<'_, Rule>| pair.as_rule() == Rule::loose;
        let word = rules.pairs(Rule::file, text).ok().and_then(|pairs| pairs.flatten().find(loose));
        let start = word.map_or(text.len(), |pair| pair.as_span().start());
        return (None, vec![diagnose::text_outside(&text[start..]).map(|span| span.shifted(start as u32))]);
    };
    let (item, mut slips) = better(item_by_lines(rules, text), mended, text, 0);
    if slips.errors.is_empty() {
        slips.errors.push(diagnose::unexpected(text, refused.0));
    }
    finished(item, slips)
}

/// An item read on from slip to slip; `None` if it has no head.
fn item_mended(rules: Rules, text: &str) -> Option<Reading<Item>> {
    let steps = rules.steps(Rule::mended_item, text).ok()?;
    Some(built(text, 0, steps, Builder::item))
}

/// The clauses of a text that begins at `base`; `depth` counts the layouts around it.
pub(crate) fn clauses(rules: Rules, text: &str, base: usize, depth: usize) -> Reading<Vec<Clause>> {
    let refused = match rules.steps(Rule::clauses, text) {
        Ok(steps) => return built(text, base, steps, Builder::clauses),
        Err(refused) => refused,
    };
    let Ok(steps) = rules.steps(Rule::mended_clauses, text) else { return unread(text, refused) };
    let mended = built(text, base, steps, Builder::clauses);
    let by_lines = if depth < MOST_LAYOUTS { block_by_lines(rules, text, base, depth) } else { None };
    let (clauses, mut slips) = better(by_lines, mended, text, base);
    if slips.errors.is_empty() {
        slips.errors.push(diagnose::unexpected(text, refused.0).map(|span| span.shifted(base as u32)));
    }
    (clauses, slips)
}

/// The tokens of a text.
pub(crate) fn words(rules: Rules, text: &str) -> Reading<Vec<Token>> {
    let refused = match rules.steps(Rule::words, text) {
        Ok(steps) => return built(text, 0, steps, Builder::words),
        Err(refused) => refused,
    };
    let Ok(steps) = rules.steps(Rule::mended_words, text) else { return unread(text, refused) };
    let (tokens, mut slips) = built(text, 0, steps, Builder::words);
    if slips.errors.is_empty() {
        slips.errors.push(diagnose::unexpected(text, refused.0));
    }
    (tokens, slips)
}

fn built<'t, T>(
    text: &'t str,
    base: usize,
    steps: pest::iterators::Tokens<'t, Rule>,
    make: impl FnOnce(&mut Builder<'t>) -> T,
) -> Reading<T> {
    let mut builder = Builder::new(text, base as u32, steps);
    let value = make(&mut builder);
    (value, builder.slips)
}

fn unread<T: Default>(text: &str, refused: Refused) -> Reading<T> {
    let mut slips = Slips::default();
    slips.errors.push(diagnose::unexpected(text, refused.0));
    (T::default(), slips)
}

/// The reading with fewer errors. What a missing quotation mark explains is in one clause where the layout says where
/// clauses begin, and in all that follows where it does not.
fn better<T>(by_lines: Option<Reading<T>>, mended: Reading<T>, text: &str, base: usize) -> Reading<T> {
    match by_lines {
        Some(reading) if reading.1.errors.len() <= mended.1.errors.len() => reading,
        _ => {
            let (value, mut slips) = mended;
            slips.without_echoes(|errors| without_echoes(errors, text, base));
            (value, slips)
        }
    }
}

/// How a text is laid out.
struct Layout {
    /// The words before the body, with their brace.
    heading: Range<usize>,
    /// True if the brace is missing.
    bare: bool,
    /// The clauses.
    parts: Vec<Range<usize>>,
    /// The brace that closes the body.
    close: Option<Sign>,
}

fn layout(rules: Rules, text: &str, base: usize) -> Option<Layout> {
    let mut layout = Layout { heading: 0..0, bare: false, parts: Vec::new(), close: None };
    for pair in rules.pairs(Rule::laid_out, text).ok()?.next()?.into_inner() {
        let place = pair.as_span().start()..pair.as_span().end();
        match pair.as_rule() {
            Rule::heading => layout.heading = place,
            Rule::bare_heading => (layout.heading, layout.bare) = (place, true),
            Rule::part => layout.parts.push(place),
            Rule::close_brace => {
                let span = crate::tree::Span::new((base + place.start) as u32, (base + place.end) as u32);
                layout.close = Some(Sign { rule: Rule::close_brace, span });
            }
            _ => {}
        }
    }
    // Without either brace there is no body.
    (!layout.bare || layout.close.is_some()).then_some(layout)
}

/// An item whose clauses begin on lines of their own.
fn item_by_lines(rules: Rules, text: &str) -> Option<Reading<Item>> {
    let layout = layout(rules, text, 0)?;
    let heading = text.get(layout.heading.clone())?;
    let start = layout.heading.start;
    let mut builder = Builder::new(heading, start as u32, rules.steps(Rule::mended_heading, heading).ok()?);
    let mut item = builder.item();
    item.has_body = true;
    builder.slips.without_echoes(|errors| without_echoes(errors, heading, start));
    item.clauses = parts(rules, &mut builder, &layout, text, 0, 0);
    item.span.end = layout.close.map(|close| close.span.end).or(item.clauses.last().map(|last| last.span.end))?;
    Some((item, builder.slips))
}

/// A block whose clauses begin on lines of their own.
fn block_by_lines(rules: Rules, text: &str, base: usize, depth: usize) -> Option<Reading<Vec<Clause>>> {
    let layout = layout(rules, text, base)?;
    let heading = text.get(layout.heading.clone())?;
    let start = base + layout.heading.start;
    let mut builder = Builder::new(heading, start as u32, rules.steps(Rule::mended_opening, heading).ok()?);
    let mut clause = builder.opening();
    // Which words a brace that is never closed was to hold, nobody knows.
    let whole = builder.slips.errors.is_empty() && layout.close.is_some();
    clause.block = Some(parts(rules, &mut builder, &layout, text, base, depth));
    clause.span.end = (base + text.trim_end().len()) as u32;
    let mut slips = builder.slips;
    let clauses = if whole {
        vec![clause]
    } else {
        slips.faulty.push(clause);
        Vec::new()
    };
    Some((clauses, slips))
}

/// The clauses of a body, each read on its own, and what is wrong with its braces.
fn parts(
    rules: Rules,
    builder: &mut Builder<'_>,
    layout: &Layout,
    text: &str,
    base: usize,
    depth: usize,
) -> Vec<Clause> {
    let mut found = Vec::new();
    // The rest of a line is taken for a name, and the brace may be in it.
    let in_quote = builder.ends_in_quote();
    let open = builder.brace();
    for part in &layout.parts {
        let Some(inner) = text.get(part.clone()) else { continue };
        let (clauses, slips) = clauses(rules, inner, base + part.start, depth + 1);
        found.extend(clauses);
        builder.slips.add(slips);
    }
    match (open, layout.close) {
        (_, Some(close)) => {
            builder.slips.closed(0, close);
            if layout.bare && !in_quote {
                builder.slips.errors.push(diagnose::unopened(close, None));
            }
        }
        (Some(open), None) => builder.slips.unclosed(open),
        (None, None) => {}
    }
    found
}
