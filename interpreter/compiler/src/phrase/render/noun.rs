//! Noun phrases.

use super::{Writer, absent, kid, listed, spaced};
use crate::phrase::nominal::stands_after;
use crate::phrase::noun::YOU;
use crate::phrase::sorts::article;
use crate::phrase::term::{Detail, Origin, TypeName, Use};
use crate::phrase::tree::{Cmp, Det, Node, Op, Sort, TermKey, TermKind};

impl Writer<'_> {
    /// A noun phrase.
    pub(super) fn np(&self, node: &Node) -> String {
        match &node.op {
            Op::This => "this".to_owned(),
            Op::It => "it".to_owned(),
            Op::Name(name) => format!("\"{name}\""),
            Op::Label(label) => label.to_string(),
            Op::Role(key) | Op::Defined(key) => self.name(key),
            Op::Entry(key) => self.name(key),
            Op::Quantified(det) => self.quantified(*det, kid(node, 0), false),
            Op::Noun(_) => self.quantified(Det::A, node, false),
            Op::Either => {
                let last = node.kids.len().saturating_sub(1);
                let part = |(i, k): (usize, &Node)| self.grouped(k, k.op == Op::Either || i < last && trailing(k));
                listed(&node.kids.iter().enumerate().map(part).collect::<Vec<_>>())
            }
            Op::Of(key) => self.attribute(key, kid(node, 0)),
            Op::Printed(key) => {
                format!("printed {} of {}", self.name(key), self.grouped(kid(node, 0), kid(node, 0).op == Op::Either))
            }
            Op::OfFor(key) => self.of_two(key, kid(node, 0), kid(node, 1)),
            Op::As(label) => {
                let inner = kid(node, 0);
                format!(
                    "{} as {label}",
                    self.grouped(inner, inner.op == Op::Either || inner.kids.iter().any(holds_noun))
                )
            }
            Op::Top(key) => match &kid(node, 0).op {
                Op::Int(1) => format!("the top {} of {}", self.name(key), self.np(kid(node, 1))),
                _ => {
                    let noun = self.form_of(key, Use::Plural).unwrap_or_else(|| self.name(key));
                    format!("the top {} {noun} of {}", self.atom(kid(node, 0)), self.np(kid(node, 1)))
                }
            },
            Op::New(class, keys) => {
                let facts: Vec<String> = keys.iter().zip(&node.kids).map(|(k, v)| self.fact(k, v)).collect();
                let with = if facts.is_empty() { String::new() } else { format!(" with {}", facts.join(", ")) };
                format!("a new {}{with}", self.name(class))
            }
            Op::Place(key) => match node.kids.first() {
                Some(owner) => self.owned(owner, &self.name(key)),
                None => self.name(key),
            },
            _ if node.sort == Sort::Number => self.number(node),
            _ => self.any_other(node),
        }
    }

    fn any_other(&self, node: &Node) -> String {
        match node.sort {
            Sort::Predicate => self.predicate(node),
            Sort::Condition => self.condition(node),
            _ => String::new(),
        }
    }

    /// `ATTR VALUE`.
    pub(super) fn fact(&self, key: &TermKey, value: &Node) -> String {
        match value.op {
            Op::Truth(true) => self.name(key),
            Op::Either => format!("{} ({})", self.name(key), self.np(value)),
            _ => spaced(&[&self.name(key), &self.value(value)]),
        }
    }

    /// In parentheses if need be.
    pub(super) fn grouped(&self, node: &Node, parens: bool) -> String {
        if parens { format!("({})", self.np(node)) } else { self.np(node) }
    }

    /// `keying of X for K`, `distance between X and Y`.
    fn of_two(&self, key: &TermKey, owner: &Node, other: &Node) -> String {
        let second = (self.terms)(key).and_then(|t| t.second().cloned());
        match second {
            Some(second) if *second.before != *"of" => spaced(&[
                &self.name(key),
                &second.before,
                &self.grouped(owner, owner.op == Op::Either),
                &second.words.join(" "),
                &self.grouped(other, other.op == Op::Either),
            ]),
            Some(second) => spaced(&[
                &self.attribute(key, owner),
                &second.words.join(" "),
                &self.grouped(other, other.op == Op::Either),
            ]),
            None => format!("{} for {}", self.attribute(key, owner), self.np(other)),
        }
    }

    fn attribute(&self, key: &TermKey, owner: &Node) -> String {
        self.owned(owner, &self.name(key))
    }

    /// `X of OWNER`, `its X`, `your X`.
    fn owned(&self, owner: &Node, what: &str) -> String {
        match &owner.op {
            Op::It => format!("its {what}"),
            Op::Defined(key) if *key.name == *YOU => format!("your {what}"),
            Op::Either => format!("{what} of ({})", self.np(owner)),
            _ => format!("{what} of {}", self.np(owner)),
        }
    }

    /// A determined noun. `plain`: a bare plural will do for `each`.
    pub(super) fn quantified(&self, det: Det, noun: &Node, plain: bool) -> String {
        let many = match det {
            Det::Exactly(n) => n != 1,
            Det::AtLeast(_) | Det::UpTo(_) => true,
            Det::Each => plain,
            _ => false,
        };
        if let Some(text) = self.yours(det, noun) {
            return text;
        }
        let (text, plural) = self.noun(noun, many, None);
        match det {
            Det::A => article(&text),
            Det::Another => format!("another {text}"),
            Det::Each if plain && plural => text,
            Det::Each => format!("each {text}"),
            Det::Any => format!("any {text}"),
            Det::No => format!("no {text}"),
            Det::The => format!("the {text}"),
            Det::Exactly(n) => format!("{n} {text}"),
            Det::AtLeast(n) => format!("at least {n} {text}"),
            Det::UpTo(n) => format!("up to {n} {text}"),
        }
    }

    /// `your X`, `one of your Xs` where the first relation of the noun is being yours.
    fn yours(&self, det: Det, noun: &Node) -> Option<String> {
        let at = noun.kids.iter().position(|k| !self.before(k))?;
        let first = noun.kids.get(at)?;
        let mine = matches!(&first.op, Op::Relates(key) if self.form_of(key, Use::Relates).as_deref() == Some("of"))
            && matches!(&kid(first, 0).op, Op::Defined(key) if *key.name == *YOU);
        if !mine {
            return None;
        }
        let (text, plural) = self.noun(noun, det != Det::The, Some(at));
        match det {
            Det::The => Some(format!("your {text}")),
            Det::Each if plural => Some(format!("your {text}")),
            Det::A if plural => Some(format!("one of your {text}")),
            _ => None,
        }
    }

    /// The noun with its modifiers, and whether it is plural. `without`: a modifier that is said elsewhere.
    fn noun(&self, noun: &Node, many: bool, without: Option<usize>) -> (String, bool) {
        let Op::Noun(class) = &noun.op else { return (self.np(noun), false) };
        let kids: Vec<&Node> =
            noun.kids.iter().enumerate().filter(|(i, _)| Some(*i) != without).map(|(_, k)| k).collect();
        let cut = kids.iter().position(|k| !self.before(k)).unwrap_or(kids.len());
        let (before, after) = kids.split_at(cut);
        let mut words: Vec<String> = Vec::new();
        let mut plural = false;
        let implied = before.last().is_some_and(|last| self.implies(last, class));
        for (i, modifier) in before.iter().enumerate() {
            let last = implied && i + 1 == before.len();
            let as_plural = if last && many { self.plural_entry(modifier) } else { None };
            plural |= as_plural.is_some();
            words.push(as_plural.unwrap_or_else(|| self.modifier_before(modifier)));
        }
        if !implied {
            let head = if many { self.form_of(class, Use::Plural) } else { None };
            plural |= head.is_some();
            words.push(head.unwrap_or_else(|| self.name(class)));
        }
        for (i, modifier) in after.iter().enumerate() {
            words.push(self.after(modifier, i + 1 < after.len()));
        }
        (words.join(" "), plural)
    }

    /// True if the modifier alone names the noun: one whose catalogue is a figure of exactly this class.
    fn implies(&self, modifier: &Node, class: &TermKey) -> bool {
        match &modifier.op {
            Op::NotIs => self.implies(kid(modifier, 0), class),
            Op::IsEntry(key) => {
                let Some(term) = (self.terms)(key) else { return false };
                let Detail::Entry { list } = &term.detail else { return false };
                let attribute = TermKey { kind: TermKind::Attribute, name: list.clone() };
                (self.terms)(&attribute).is_some_and(|t| match &t.detail {
                    Detail::Attribute { of, value: TypeName::Named(n), origin: Origin::Figure, .. } => {
                        n == list && of.types.as_slice() == [TypeName::Named(class.name.clone())].as_slice()
                    }
                    _ => false,
                })
            }
            _ => false,
        }
    }

    fn plural_entry(&self, modifier: &Node) -> Option<String> {
        match &modifier.op {
            Op::IsEntry(key) => self.form_of(key, Use::Plural),
            Op::NotIs => self.plural_entry(kid(modifier, 0)).map(|p| format!("non-{p}")),
            _ => None,
        }
    }

    /// True for a modifier that stands before its noun.
    pub(super) fn before(&self, node: &Node) -> bool {
        match &node.op {
            Op::IsEntry(_) | Op::IsClass(_) => true,
            Op::Is(key) => !(self.terms)(key).is_some_and(|t| stands_after(&t)),
            Op::NotIs | Op::Or => node.kids.iter().all(|k| self.before(k)),
            _ => false,
        }
    }

    fn modifier_before(&self, node: &Node) -> String {
        match &node.op {
            Op::NotIs => format!("non-{}", self.modifier_before(kid(node, 0))),
            Op::Or => listed(&node.kids.iter().map(|k| self.modifier_before(k)).collect::<Vec<_>>()),
            Op::Is(key) | Op::IsEntry(key) | Op::IsClass(key) => self.name(key),
            _ => String::new(),
        }
    }

    /// A modifier after its noun; `more` follow, so that an open noun phrase in it must be closed.
    pub(super) fn after(&self, node: &Node, more: bool) -> String {
        let inner = |n: &Node| self.grouped(n, matches!(n.op, Op::As(_)) || more && (open(n) || n.op == Op::Either));
        match &node.op {
            Op::Is(key) => self.name(key),
            Op::Relates(key) => spaced(&[&self.form(key, Use::Relates), &inner(kid(node, 0))]),
            Op::RelatedBy(key) => spaced(&[&self.form(key, Use::Inverse), &inner(kid(node, 0))]),
            Op::With(key, cmp) => self.with(key, *cmp, kid(node, 0), more),
            Op::That => {
                let text = self.finite(kid(node, 0));
                if more { format!("that ({text})") } else { format!("that {text}") }
            }
            Op::OtherThan => format!("other than {}", inner(kid(node, 0))),
            Op::Same => format!("named {}", inner(kid(node, 0))),
            Op::Done(..) => self.done(node),
            _ => self.predicate(node),
        }
    }

    /// `with ATTR > 3`, `with ATTR "X"`.
    fn with(&self, key: &TermKey, cmp: Cmp, value: &Node, more: bool) -> String {
        let name = self.name(key);
        if value.sort == Sort::Number {
            let sign = super::condition::sign(cmp);
            return format!("with {name} {sign} {}", self.atom(value));
        }
        format!("with {name} {}", self.grouped(value, more && (open(value) || value.op == Op::Either)))
    }

    /// A predicate after a copula.
    pub(super) fn predicate(&self, node: &Node) -> String {
        match &node.op {
            Op::Is(key) => self.name(key),
            Op::IsEntry(key) => self.name(key),
            Op::IsClass(key) => article(&self.name(key)),
            Op::NotIs => format!("not {}", self.predicate(kid(node, 0))),
            Op::Or => listed(&node.kids.iter().map(|k| self.predicate(k)).collect::<Vec<_>>()),
            Op::Same => self.np(kid(node, 0)),
            _ if absent(node) => String::new(),
            _ => self.after(node, false),
        }
    }
}

/// True if something that follows could be taken for a modifier of the phrase's noun.
pub(super) fn open(node: &Node) -> bool {
    match &node.op {
        Op::Quantified(_) | Op::Noun(_) | Op::Either | Op::New(..) => true,
        Op::Of(_) | Op::OfFor(_) | Op::Printed(_) => node.kids.iter().any(open),
        Op::Place(_) => node.kids.iter().any(open),
        _ => false,
    }
}

/// True if a modifier of the noun holds another noun, to which a label after it would belong.
fn holds_noun(node: &Node) -> bool {
    matches!(node.op, Op::Quantified(_) | Op::Either | Op::Of(_) | Op::Printed(_) | Op::Top(_) | Op::New(..))
        || node.kids.iter().any(holds_noun)
}

/// True if the phrase ends in another phrase, which a following `or` would join first.
fn trailing(node: &Node) -> bool {
    match &node.op {
        Op::Quantified(_) => node.kids.iter().any(trailing),
        Op::Noun(_) => node.kids.iter().any(|k| !k.kids.is_empty() && !matches!(k.op, Op::NotIs | Op::Or)),
        Op::Of(_) | Op::OfFor(_) | Op::Printed(_) | Op::Top(_) | Op::New(..) => true,
        Op::Place(_) => !node.kids.is_empty(),
        _ => false,
    }
}
