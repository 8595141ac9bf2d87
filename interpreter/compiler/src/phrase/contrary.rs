//! What a declaration says and cannot mean: more forms than are used, features of another sort of fact or twice, an inverse
//! between other things, a list without terms.

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Item, Span};

use super::declare::{of_item, param};
use super::forms::Form;
use super::outline::Outline;
use crate::finding::Finding;

/// What is wrong with what an item declares, each of whose parts may be right.
pub(crate) fn contrary(item: &Item) -> Vec<Finding> {
    of_item(item).iter().flat_map(|found| contrary_in(item, found)).collect()
}

fn contrary_in(item: &Item, found: &Outline<'_>) -> Vec<Finding> {
    let mut errors = Vec::new();
    let mut wrong = |span: Option<Span>, message: String, help: &str| {
        errors.push(Finding::new(Code::BadDeclaration, span.unwrap_or(item.head_span), message).help(help));
    };
    if let Some(third) = found.each_tokens("names").nth(2) {
        let span = third.first().zip(third.last()).map(|(first, last)| first.span.to(last.span));
        wrong(span, "a word has one plural".to_owned(), "keep the name and its plural: `class boat, boats`");
    }
    if matches!(found.form(), Form::DeclarationList | Form::DeclarationExtend) && found.lines("terms").is_empty() {
        wrong(None, "a list without terms".to_owned(), "write them into the braces, each with its full stop");
    }
    let mut seen: Vec<Form> = Vec::new();
    for feature in found.parts("features") {
        let of = feature.form();
        if seen.contains(&of) {
            wrong(place_of(feature), "the same is said twice".to_owned(), "say it once");
        } else if !has(found.form(), of) {
            let (what, help) = match of {
                Form::FeaturePlace => {
                    ("only what changes in play begins anew", "take `in PLACE` away, or declare a state")
                }
                _ => ("only a figure is printed", "take it away, or declare a figure"),
            };
            wrong(place_of(feature), what.to_owned(), help);
        }
        seen.push(of);
    }
    if let (Some(of), Some(to), Some(from), Some(at)) =
        (found.part("of"), found.part("to"), found.part("from"), found.part("at"))
        && (param(of), param(to)) != (param(at), param(from))
    {
        let span = found.span("back");
        let message = "what is said the other way round is said of the same two things".to_owned();
        wrong(span, message, "exchange the two parameters: `(boat X) tows (raft Y) or (raft Y) towed by (boat X)`");
    }
    errors
}

/// True if a declaration of that form takes a feature.
fn has(declaration: Form, feature: Form) -> bool {
    match feature {
        Form::FeaturePrinted | Form::FeatureLeast => declaration == Form::DeclarationFigure,
        Form::FeaturePlace => matches!(declaration, Form::DeclarationState | Form::DeclarationLocal),
        _ => true,
    }
}

/// Where a feature stands, by what it names.
fn place_of(feature: &Outline<'_>) -> Option<Span> {
    let classes = || feature.each_tokens("classes").flatten().map(|token| token.span).reduce(Span::to);
    feature.span("place").or_else(|| feature.span("least")).or_else(classes)
}
