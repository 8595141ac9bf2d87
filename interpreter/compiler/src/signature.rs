//! A term as one line: its words, what it is about, the frame of a verb; in the form in which it is declared.

use std::sync::Arc;

use crate::phrase::term::{Detail, Frame, Group, Origin, Param, Term, Use};

/// What a kind of term is called; the head of its declaration where it has one of its own.
pub fn kind_word(term: &Term) -> &'static str {
    match &term.detail {
        Detail::Attribute { origin, .. } => match origin {
            Origin::Figure => "figure",
            Origin::State => "state",
            Origin::Define => "define",
        },
        Detail::Definition { .. } => "define",
        Detail::Class { .. } => "class",
        Detail::List => "list",
        Detail::Entry { .. } => "entry",
        Detail::Role { .. } => "role",
        Detail::Place { .. } => "place",
        Detail::Adjective { .. } => "adjective",
        Detail::Relation { .. } => "relation",
        Detail::Verb { .. } => "verb",
        Detail::Procedure { .. } => "procedure",
    }
}

/// A term as it would be declared, without its body: `verb (player P) give, gives, given (card C) to (player Q)`.
pub fn signature(term: &Term) -> String {
    let forms = |used: &[Use]| -> String {
        let all = used.iter().filter_map(|used| term.form(*used)).map(|form| form.text());
        all.collect::<Vec<_>>().join(", ")
    };
    let words = match &term.detail {
        Detail::Class { superclass, label } => {
            let mut words = forms(&[Use::Name, Use::Plural]);
            match (superclass, label) {
                (Some(above), Some(label)) => words.push_str(&format!(" of ({above} {label})")),
                (Some(above), None) => words.push_str(&format!(": {above}")),
                (None, _) => {}
            }
            if let Some((attr, terms)) = &term.only {
                words.push_str(&format!(" with {attr} {}", terms.join(", ")));
            }
            words
        }
        Detail::List => forms(&[Use::Name]),
        Detail::Entry { list } => format!("{} of {list}", forms(&[Use::Name, Use::Plural])),
        Detail::Attribute { of, value, many, optional, .. } => {
            let many = if *many { ", many" } else { "" };
            let optional = if *optional { ", or none" } else { "" };
            format!("{} of {}: {}{many}{optional}", forms(&[Use::Name]), parameter(of), value.text())
        }
        Detail::Definition { value } | Detail::Role { value } => format!("{}: {}", forms(&[Use::Name]), value.text()),
        Detail::Place { features, .. } => std::iter::once(forms(&[Use::Name]))
            .chain(features.iter().map(|f| f.to_string()))
            .collect::<Vec<_>>()
            .join(", "),
        Detail::Adjective { of } => format!("{} of {}", forms(&[Use::Name]), parameter(of)),
        Detail::Relation { subject, object } => {
            let side = |finite: Use, after: Use| match (term.form(finite), term.form(after)) {
                (Some(a), Some(b)) if a.words != b.words => format!("{}/{}", a.text(), b.text()),
                (_, Some(one)) | (Some(one), None) => one.text(),
                (None, None) => String::new(),
            };
            let plain = format!("{} {} {}", parameter(subject), side(Use::Finite, Use::Relates), parameter(object));
            match side(Use::InverseFinite, Use::Inverse) {
                inverse if inverse.is_empty() => plain,
                inverse => format!("{plain} or {} {inverse} {}", parameter(object), parameter(subject)),
            }
        }
        Detail::Verb { frame } => framed(frame, &forms(&[Use::Base, Use::Third, Use::Past])),
        Detail::Procedure { params } => {
            let params: Vec<String> = params.iter().map(parameter).collect();
            match params.is_empty() {
                true => forms(&[Use::Name]),
                false => format!("{} for {}", forms(&[Use::Name]), params.join(", ")),
            }
        }
    };
    // A term without forms of the expected uses is still called something.
    let words = if words.is_empty() { term.key.name.to_string() } else { words };
    format!("{} {words}", kind_word(term))
}

fn parameter(param: &Param) -> String {
    let types = param.types.iter().map(|one| one.text()).collect::<Vec<_>>().join(", ");
    if param.label.is_empty() { format!("({types})") } else { format!("({types} {})", param.label) }
}

fn framed(frame: &Frame, forms: &str) -> String {
    let role = |at: usize| parameter(&frame.roles[at].param);
    let words = |list: &[Arc<str>]| list.join(" ");
    let group = |group: &Group| {
        let parts = [Some(words(&group.before)), group.role.map(role), Some(words(&group.after))];
        let text = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        if group.optional { format!("[{text}]") } else { text }
    };
    let subject = frame.subject().map(role).into_iter();
    let said = subject.chain([forms.to_owned()]).chain(frame.groups.iter().map(group));
    said.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
