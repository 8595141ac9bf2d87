//! Declarations of relations and verbs: forms, roles and patterns.

use std::sync::Arc;

use super::declare::{Declared, joined, param, types_text};
use super::forms::Form as TableForm;
use super::outline::Outline;
use super::term::{Detail, Form, Frame, Group, Param, Role, Seat, Use};
use super::tree::TermKind;

impl Declared {
    /// Two things with words between them, and the inverse, told from the second thing.
    pub(super) fn relation(&mut self, found: &Outline<'_>) {
        let (Some(subject), Some(object)) = (found.part("of").map(param), found.part("to").map(param)) else { return };
        let words = found.words("name");
        let mut forms = relation_forms(&words, Use::Finite, Use::Relates);
        if found.has("back") {
            forms.extend(relation_forms(&found.words("back"), Use::InverseFinite, Use::Inverse));
        }
        let name = format!("{} {} {}", types_text(&subject), joined(&words), types_text(&object));
        self.push(TermKind::Relation, Arc::from(name), forms, Detail::Relation { subject, object });
    }

    pub(super) fn verb(&mut self, found: &Outline<'_>) {
        let mut frame = Frame::default();
        if let Some((subject, param)) = found.part("who").and_then(|s| Some((s, param(s.part("who")?)))) {
            let optional = subject.row.form == TableForm::SubjectOptional;
            frame.roles.push(Role { param, seat: Seat::Subject, optional });
        }
        let (base, third, mut past) = (found.words("base"), found.words("third"), found.words("past"));
        // The past form has as many words as the plain one; the rest begins the pattern.
        let mut before = past.split_off(base.len().min(past.len()));
        for part in found.parts("frame") {
            let optional = matches!(part.row.form, TableForm::RolesOptional | TableForm::RolesAside);
            if optional {
                frame.speak(&mut before);
            }
            before.extend(part.words("before"));
            match part.part("of").map(param) {
                Some(param) => frame.play(param, &mut before, part.words("after"), optional),
                None if optional => {
                    let before = std::mem::take(&mut before);
                    frame.groups.push(Group { before, role: None, after: Vec::new(), optional });
                }
                None => {}
            }
        }
        frame.speak(&mut before);
        let forms = [(base, Use::Base), (third, Use::Third), (past, Use::Past)];
        let forms = forms.map(|(words, used)| Form { words, used });
        let mut name: Vec<String> = Vec::new();
        if let Some(subject) = frame.subject().and_then(|i| frame.roles.get(i)) {
            name.push(types_text(&subject.param));
        }
        name.push(forms[0].text());
        for group in frame.groups.iter().filter(|g| !g.optional) {
            name.extend(group.before.iter().map(ToString::to_string));
            if let Some(role) = group.role.and_then(|i| frame.roles.get(i)) {
                name.push(types_text(&role.param));
            }
            name.extend(group.after.iter().map(ToString::to_string));
        }
        self.push(TermKind::Verb, Arc::from(name.join(" ")), forms.into(), Detail::Verb { frame });
    }
}

impl Frame {
    /// Words that belong to the verb, if there are any.
    fn speak(&mut self, words: &mut Vec<Arc<str>>) {
        if !words.is_empty() {
            let before = std::mem::take(words);
            self.groups.push(Group { before, role: None, after: Vec::new(), optional: false });
        }
    }

    /// A role with the words before it and after it.
    fn play(&mut self, param: Param, before: &mut Vec<Arc<str>>, after: Vec<Arc<str>>, optional: bool) {
        let before = std::mem::take(before);
        let seat = if before.is_empty() { Seat::Object } else { Seat::After(before.clone()) };
        self.roles.push(Role { param, seat, optional });
        self.groups.push(Group { before, role: Some(self.roles.len() - 1), after, optional });
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
