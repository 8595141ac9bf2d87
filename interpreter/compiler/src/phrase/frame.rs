//! Declarations of relations and verbs: forms, roles and patterns.

use std::sync::Arc;

use netrep_grammar::tree::{Token, TokenKind};

use super::declare::{Declared, head_part, joined, param, types_text, words_of};
use super::forms::Form as TableForm;
use super::term::{Detail, Form, Frame, Group, Role, Seat, Use};
use super::tree::TermKind;

impl Declared {
    /// `(CLASS X) WORDS (CLASS Y)`, and optionally `or (CLASS Y) WORDS (CLASS X)` for the inverse.
    pub(super) fn relation(&mut self, header: &[Token]) {
        let example = TableForm::DeclarationRelation.row().example;
        let head = head_part(header);
        let parens: Vec<(usize, &[Token])> = head
            .iter()
            .enumerate()
            .filter_map(|(i, t)| match &t.kind {
                TokenKind::Paren(inner) => Some((i, inner.as_slice())),
                _ => None,
            })
            .collect();
        let (Some((0, first)), Some((second_at, second))) = (parens.first(), parens.get(1)) else {
            self.fail(head.first(), "two things with words between them", example);
            return;
        };
        let words = words_of(&head[1..*second_at]);
        let (Some(words), Some(subject), Some(object)) = (words, param(first), param(second)) else {
            self.fail(head.first(), "two things with words between them", example);
            return;
        };
        let mut forms = relation_forms(&words, Use::Finite, Use::Relates);
        if let (Some((from, _)), Some((to, _))) = (parens.get(2), parens.get(3)) {
            match words_of(&head[from + 1..*to]) {
                Some(words) => forms.extend(relation_forms(&words, Use::InverseFinite, Use::Inverse)),
                None => self.fail(head.get(*from), "words between the two things of the inverse", example),
            }
        }
        let name = format!("{} {} {}", types_text(&subject), joined(&words), types_text(&object));
        self.push(TermKind::Relation, Arc::from(name), forms, Detail::Relation { subject, object });
    }

    pub(super) fn verb(&mut self, header: &[Token]) {
        let example = TableForm::DeclarationVerb.row().example;
        let head = head_part(header);
        let mut frame = Frame::default();
        let mut rest = head;
        let subject = match head.first().map(|t| &t.kind) {
            Some(TokenKind::Paren(inner)) => Some((inner.as_slice(), false)),
            Some(TokenKind::Bracket(inner)) => match inner.as_slice() {
                [Token { kind: TokenKind::Paren(inner), .. }] => Some((inner.as_slice(), true)),
                _ => None,
            },
            _ => None,
        };
        if let Some((inner, optional)) = subject {
            let Some(param) = param(inner) else {
                self.fail(head.first(), "a class in the subject", example);
                return;
            };
            frame.roles.push(Role { param, seat: Seat::Subject, optional });
            rest = &head[1..];
        }
        let stop = rest.iter().take_while(|t| !matches!(t.kind, TokenKind::Paren(_) | TokenKind::Bracket(_))).count();
        let (spoken, pattern) = rest.split_at(stop);
        let Some((forms, leftover)) = verb_forms(spoken) else {
            self.fail(head.first(), "three forms: `paint, paints, painted`", example);
            return;
        };
        let base = forms[0].text();
        if self.pattern(&mut frame, &leftover, pattern, false).is_none() {
            self.fail(pattern.first(), "roles like `(CLASS X)` with words between them", example);
            return;
        }
        let mut name: Vec<String> = Vec::new();
        if let Some(subject) = frame.subject().and_then(|i| frame.roles.get(i)) {
            name.push(types_text(&subject.param));
        }
        name.push(base);
        for group in frame.groups.iter().filter(|g| !g.optional) {
            name.extend(group.before.iter().map(ToString::to_string));
            if let Some(role) = group.role.and_then(|i| frame.roles.get(i)) {
                name.push(types_text(&role.param));
            }
            name.extend(group.after.iter().map(ToString::to_string));
        }
        self.push(TermKind::Verb, Arc::from(name.join(" ")), forms.into(), Detail::Verb { frame });
    }

    /// Reads the part after the verb: roles, words, and optional groups in brackets.
    fn pattern(&mut self, frame: &mut Frame, leftover: &[Arc<str>], tokens: &[Token], optional: bool) -> Option<()> {
        let mut before: Vec<Arc<str>> = leftover.to_vec();
        for (i, token) in tokens.iter().enumerate() {
            match &token.kind {
                TokenKind::Paren(inner) => {
                    let param = param(inner)?;
                    let seat = if before.is_empty() { Seat::Object } else { Seat::After(before.clone()) };
                    frame.roles.push(Role { param, seat, optional });
                    // In an optional group, words after its role belong to the group.
                    let after = if optional { words_of(&tokens[i + 1..]) } else { None };
                    let done = after.is_some();
                    let after = after.into_iter().flatten().collect();
                    let role = Some(frame.roles.len() - 1);
                    frame.groups.push(Group { before: std::mem::take(&mut before), role, after, optional });
                    if done {
                        return Some(());
                    }
                }
                TokenKind::Bracket(inner) => {
                    if optional {
                        return None;
                    }
                    if !before.is_empty() {
                        let words = std::mem::take(&mut before);
                        frame.groups.push(Group { before: words, role: None, after: Vec::new(), optional: false });
                    }
                    self.pattern(frame, &[], inner, true)?;
                }
                TokenKind::Word(w) | TokenKind::Capital(w) => before.push(Arc::from(w.as_str())),
                _ => return None,
            }
        }
        if !before.is_empty() {
            frame.groups.push(Group { before, role: None, after: Vec::new(), optional });
        }
        Some(())
    }
}

/// `PRESENT/PARTICIPLE …` gives a finite and an attributive form, anything else only the attributive one.
fn relation_forms(words: &[Arc<str>], finite: Use, plain: Use) -> Vec<Form> {
    match words.split_first().and_then(|(first, tail)| Some((first.split_once('/')?, tail))) {
        Some(((present, participle), tail)) => [(present, finite), (participle, plain)]
            .into_iter()
            .map(|(word, used)| {
                let mut words: Vec<Arc<str>> = vec![Arc::from(word)];
                words.extend(tail.iter().cloned());
                Form { words, used }
            })
            .collect(),
        None => vec![Form { words: words.to_vec(), used: plain }],
    }
}

/// `BASE, THIRD, PAST` and the words of the pattern that directly follow the third form: the past form has as
/// many words as the plain one, the rest begins the pattern.
fn verb_forms(tokens: &[Token]) -> Option<([Form; 3], Vec<Arc<str>>)> {
    let parts: Option<Vec<Vec<Arc<str>>>> = tokens.split(|t| t.kind == TokenKind::Comma).map(words_of).collect();
    let [base, third, past]: &[Vec<Arc<str>>; 3] = &parts?.try_into().ok()?;
    let (past, leftover) = past.split_at(base.len().min(past.len()));
    let form = |words: &[Arc<str>], used| Form { words: words.to_vec(), used };
    Some(([form(base, Use::Base), form(third, Use::Third), form(past, Use::Past)], leftover.to_vec()))
}
