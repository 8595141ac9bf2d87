//! Noun phrases.

use std::sync::Arc;

use super::row::fill;
use super::{Writer, absent, kid, spaced};
use crate::phrase::forms::Form;
use crate::phrase::nominal::stands_after;
use crate::phrase::noun::YOU;
use crate::phrase::sorts::article;
use crate::phrase::term::{Detail, Origin, TypeName, Use};
use crate::phrase::tree::{Cmp, Det, Node, Op, Sort, TermKey, TermKind};

impl Writer<'_> {
    /// A noun phrase.
    pub(super) fn np(&self, node: &Node) -> String {
        match &node.op {
            Op::This => self.word_of(Form::OneThis),
            Op::It => self.word_of(Form::OneIt),
            Op::Name(name) => format!("\"{name}\""),
            Op::Card(id) => id.to_string(),
            Op::Label(label) => label.to_string(),
            Op::Role(key) | Op::Defined(key) => self.name(key),
            Op::Entry(key) => self.name(key),
            Op::Quantified(det) => self.quantified(*det, kid(node, 0), false),
            Op::Noun(_) => self.quantified(Det::A, node, false),
            Op::Either => {
                let last = node.kids.len().saturating_sub(1);
                let part = |(i, k): (usize, &Node)| self.grouped(k, k.op == Op::Either || i < last && trailing(k));
                self.joined_as(Form::NpEither, "each", node.kids.iter().enumerate().map(part).collect())
            }
            Op::Of(key) => self.attribute(key, kid(node, 0)),
            Op::Printed(key) => {
                let owner = self.grouped(kid(node, 0), kid(node, 0).op == Op::Either);
                let fact = self.say(Form::FactPhraseOf, &[fill("a", self.name(key)), fill("x", owner)]);
                self.say(Form::OnePrinted, &[fill("x", fact)])
            }
            Op::OfFor(key) => format!("{} for {}", self.attribute(key, kid(node, 0)), self.np(kid(node, 1))),
            Op::As(label) => {
                let inner = kid(node, 0);
                let np = self.grouped(inner, inner.op == Op::Either || inner.kids.iter().any(holds_noun));
                self.say(Form::AfterOneLabelled, &[fill("..", np), fill("l", &**label)])
            }
            Op::Top(key) => {
                let (count, noun) = match &kid(node, 0).op {
                    Op::Int(1) => (String::new(), self.name(key)),
                    _ => {
                        let noun = self.form_of(key, Use::Plural).unwrap_or_else(|| self.name(key));
                        (self.atom(kid(node, 0)), noun)
                    }
                };
                self.say(Form::OneTop, &[fill("n", count), fill("c", noun), fill("p", self.np(kid(node, 1)))])
            }
            Op::Next(after) => {
                let from = self.grouped(kid(node, 1), kid(node, 1).op == Op::Either);
                let (noun, _) = self.noun(kid(node, 0), false, None);
                let form = if *after { Form::OneNext } else { Form::OneBefore };
                self.say(form, &[fill("n", noun), fill("who", from)])
            }
            Op::New(class, keys) => {
                let from = kid(node, 0);
                let from = if absent(from) { String::new() } else { self.np(from) };
                let facts = self.facts(keys, node.kids.iter().skip(1));
                self.say(Form::OneNew, &[fill("c", self.name(class)), fill("from", from), fill("facts", facts)])
            }
            Op::Place(key) => match node.kids.first() {
                Some(owner) => self.owned(Form::OnePlace, "p", owner, key),
                None => self.say(Form::OnePlace, &[fill("p", self.name(key))]),
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
            Op::Either => format!("{} {}", self.name(key), self.grouped(value, true)),
            _ => spaced(&[&self.name(key), &self.value(value)]),
        }
    }

    /// In parentheses if need be.
    pub(super) fn grouped(&self, node: &Node, parens: bool) -> String {
        if parens { self.closed(self.np(node)) } else { self.np(node) }
    }

    fn attribute(&self, key: &TermKey, owner: &Node) -> String {
        self.owned(Form::FactPhraseOf, "a", owner, key)
    }

    /// `X of OWNER`, `its X`, `your X`.
    fn owned(&self, form: Form, hole: &str, owner: &Node, key: &TermKey) -> String {
        let what = self.name(key);
        match &owner.op {
            Op::It => self.say(Form::OneIts, &[fill("x", what)]),
            Op::Defined(key) if *key.name == *YOU => self.say(Form::OneYour, &[fill("x", what)]),
            _ => {
                let owner = self.grouped(owner, owner.op == Op::Either);
                self.say(form, &[fill(hole, what), fill("x", owner)])
            }
        }
    }

    /// The word with its indefinite article.
    pub(super) fn with_article(&self, word: &str) -> (&'static str, String) {
        (if article(word).starts_with("an ") { "an" } else { "a" }, word.to_owned())
    }

    fn indefinite(&self, word: &str) -> String {
        let (a, noun) = self.with_article(word);
        self.determined(self.say(Form::DeterminerA, &[fill("a", a)]), noun)
    }

    fn determined(&self, determiner: String, noun: String) -> String {
        self.say(Form::OneDetermined, &[fill("d", determiner), fill("n", noun)])
    }

    /// A determined noun. `plain`: a bare plural will do for `each`.
    pub(super) fn quantified(&self, det: Det, noun: &Node, plain: bool) -> String {
        let many = match det {
            Det::Exactly(n) => n != 1,
            Det::AtLeast(_) | Det::UpTo(_) | Det::AnyNumber => true,
            Det::Each => plain,
            _ => false,
        };
        if let Some(text) = self.yours(det, noun) {
            return text;
        }
        let (text, plural) = self.noun(noun, many, None);
        let counted = |form, n: i64| self.say(form, &[fill("n", n.to_string())]);
        let determiner = match det {
            Det::A => return self.indefinite(&text),
            Det::Each if plain && plural => return self.say(Form::OneAll, &[fill("n", text)]),
            Det::Another => self.word_of(Form::DeterminerAnother),
            Det::Each => self.word_of(Form::DeterminerEach),
            Det::Any => self.word_of(Form::DeterminerAny),
            Det::No => self.word_of(Form::DeterminerNo),
            Det::The => self.word_of(Form::DeterminerThe),
            Det::Exactly(n) => counted(Form::DeterminerExactly, n),
            Det::AtLeast(n) => counted(Form::DeterminerAtLeast, n),
            Det::UpTo(n) => counted(Form::DeterminerUpTo, n),
            Det::AnyNumber => self.word_of(Form::DeterminerAnyNumber),
        };
        self.determined(determiner, text)
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
            Det::The => Some(self.say(Form::OneYour, &[fill("x", text)])),
            Det::Each if plural => Some(self.say(Form::OneYour, &[fill("x", text)])),
            Det::A if plural => {
                let one = self.say(Form::DeterminerA, &[fill("a", "one")]);
                Some(self.say(Form::OneOfYours, &[fill("d", one), fill("n", text)]))
            }
            _ => None,
        }
    }

    /// The noun with its modifiers, and whether it is plural. `without`: a modifier that is said elsewhere.
    fn noun(&self, noun: &Node, many: bool, without: Option<usize>) -> (String, bool) {
        let Op::Noun(class) = &noun.op else { return (self.np(noun), false) };
        let kids: Vec<&Node> =
            noun.kids.iter().enumerate().filter(|(i, _)| Some(*i) != without).map(|(_, k)| k).collect();
        let cut = kids.iter().take_while(|k| self.before(k)).count();
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
        let (before, class) = words.split_at(cut.min(words.len()));
        let text = self.say(Form::NounNoun, &[fill("before", before.to_vec()), fill("after", class.to_vec())]);
        (text, plural)
    }

    /// True if the modifier alone names the noun: one whose catalogue is a figure of exactly this class.
    fn implies(&self, modifier: &Node, class: &TermKey) -> bool {
        match &modifier.op {
            Op::NotIs => self.implies(kid(modifier, 0), class),
            Op::IsEntry(key) => {
                let list = (self.terms)(key).and_then(|term| match &term.detail {
                    Detail::Entry { list } => Some(list.clone()),
                    _ => None,
                });
                let named = |list: Arc<str>| TermKey { kind: TermKind::Attribute, name: list };
                list.map(named).and_then(|key| (self.terms)(&key)).is_some_and(|t| match &t.detail {
                    Detail::Attribute { of, value: TypeName::Named(n), origin: Origin::Figure, .. } => {
                        *n == t.key.name && of.types.as_slice() == [TypeName::Named(class.name.clone())].as_slice()
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
            Op::Or => {
                self.joined_as(Form::AttributiveOr, "each", node.kids.iter().map(|k| self.modifier_before(k)).collect())
            }
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
                let form = if more { Form::ModifierAfterThatGroup } else { Form::ModifierAfterThat };
                self.say(form, &[fill("c", self.finite(kid(node, 0)))])
            }
            Op::OtherThan => self.say(Form::ModifierAfterOther, &[fill("x", inner(kid(node, 0)))]),
            Op::Same => self.say(Form::ModifierAfterNamed, &[fill("x", inner(kid(node, 0)))]),
            Op::Done(key, lasting) => self.done(key, lasting.as_deref(), node),
            Op::IsEntry(_) | Op::IsClass(_) | Op::NotIs | Op::Or => self.predicate(node),
            _ => self.by_row(node),
        }
    }

    /// `with ATTR > 3`, `with ATTR "X"`.
    fn with(&self, key: &TermKey, cmp: Cmp, value: &Node, more: bool) -> String {
        let name = self.name(key);
        let said = match super::condition::sign(cmp) {
            Some(sign) if value.sort == Sort::Number => self.say(sign, &[fill("n", self.atom(value))]),
            _ => self.grouped(value, more && (open(value) || value.op == Op::Either)),
        };
        self.say(Form::ModifierAfterWith, &[fill("p", format!("{name} {said}"))])
    }

    /// A predicate after a copula.
    pub(super) fn predicate(&self, node: &Node) -> String {
        match &node.op {
            Op::Is(key) => self.name(key),
            Op::IsEntry(key) => self.name(key),
            Op::IsClass(key) => self.indefinite(&self.name(key)),
            Op::NotIs => self.say(Form::QualityNot, &[fill("p", self.predicate(kid(node, 0)))]),
            Op::Or => self.joined_as(Form::PredicateOr, "each", node.kids.iter().map(|k| self.predicate(k)).collect()),
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
    matches!(
        node.op,
        Op::Quantified(_) | Op::Either | Op::Of(_) | Op::Printed(_) | Op::Top(_) | Op::Next(_) | Op::New(..)
    ) || node.kids.iter().any(holds_noun)
}

/// True if the phrase ends in another phrase, which a following `or` would join first.
fn trailing(node: &Node) -> bool {
    match &node.op {
        Op::Quantified(_) => node.kids.iter().any(trailing),
        Op::Noun(_) => node.kids.iter().any(|k| !k.kids.is_empty() && !matches!(k.op, Op::NotIs | Op::Or)),
        Op::Of(_) | Op::OfFor(_) | Op::Printed(_) | Op::Top(_) | Op::Next(_) | Op::New(..) => true,
        Op::Place(_) => !node.kids.is_empty(),
        _ => false,
    }
}
