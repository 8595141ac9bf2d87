//! The state of lowering one item: tables, labels in scope, blocks under construction.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Span, Token, TokenKind};
use netrep_ir::{AttrId, Block, BlockId, ClassId, ClauseId, Ent, Map, Mapper, Num, Sel, SiteId, Statement, ValueKind};
use serde::{Deserialize, Serialize};

use super::several::Many;
use super::wording::Reading;
use super::{LowClause, LowSite, LowerContext, Lowered, Wording};
use crate::finding::Finding;
use crate::layers::effective::{EffectiveClause, EffectiveItem};
use crate::phrase::clause::{ClauseKind, InBlock, ReadClause};
use crate::phrase::render;
use crate::phrase::sorts::article;
use crate::phrase::term::{Detail, Origin, Param, Term, TypeName};
use crate::phrase::tree::{Node, Sort, TermKey, TermKind};

/// In place of a class: things of any.
pub(super) const ANY_CLASS: ClassId = ClassId(u16::MAX);

/// What a label stands for.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    /// A selection, and how many things it stands for.
    Things(Sel, Many),
    /// A number.
    Number(Num),
    /// An entry.
    Entry(Ent),
}

/// Labels in scope. Cloned at binders, so that an inner scope never leaks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    labels: Vec<(Arc<str>, Bound)>,
    /// The slots of roles that are read as they were when a clause was laid down.
    pub kept: Vec<(Arc<str>, u8)>,
    /// What `it` is.
    pub it: Option<Sel>,
    /// The next free slot.
    pub next: u8,
    /// The most slots used so far in this activation.
    pub most: u8,
    /// So many repetitions are around the statement.
    pub repetitions: u8,
}

impl Env {
    /// An environment whose slots start at `next`.
    pub(crate) fn from_slot(next: u8) -> Self {
        Env { next, most: next, ..Env::default() }
    }

    /// This environment with the labels of another.
    #[must_use]
    pub(crate) fn with_labels_of(mut self, other: &Env) -> Self {
        self.labels.clone_from(&other.labels);
        self
    }

    /// What a label stands for.
    pub(crate) fn get(&self, label: &str) -> Option<&Bound> {
        self.labels.iter().rev().find(|(l, _)| **l == *label).map(|(_, b)| b)
    }

    /// Binds a label.
    pub(crate) fn bind(&mut self, label: &str, bound: Bound) {
        self.labels.push((Arc::from(label), bound));
    }

    /// The labels that stand for a selection.
    pub(crate) fn names_of(&self, sel: &Sel) -> Vec<Arc<str>> {
        let is_it = |label: &Arc<str>| matches!(self.get(label), Some(Bound::Things(one, _)) if one == sel);
        let mut names: Vec<Arc<str>> = self.labels.iter().map(|(label, _)| label.clone()).filter(is_it).collect();
        names.sort();
        names.dedup();
        names
    }

    /// A fresh slot.
    pub(crate) fn slot(&mut self) -> u8 {
        let s = self.next;
        self.next = self.next.saturating_add(1);
        self.most = self.most.max(self.next);
        s
    }

    /// The slot of a label that is bound to one, else a fresh one bound to it.
    pub(crate) fn slot_of(&mut self, label: &str, like: impl Fn(u8) -> Bound) -> u8 {
        let held = match self.get(label) {
            Some(Bound::Things(Sel::Slot(s), _) | Bound::Number(Num::Slot(s)) | Bound::Entry(Ent::Slot(s))) => Some(*s),
            Some(Bound::Things(..) | Bound::Number(_) | Bound::Entry(_)) | None => None,
        };
        let slot = held.unwrap_or_else(|| self.slot());
        self.bind(label, like(slot));
        slot
    }

    /// The same environment one per-thing binder further in: every `It` moves out by one.
    pub(crate) fn under_binder(&self) -> Env {
        let mut env = self.clone();
        for (_, b) in &mut env.labels {
            match b {
                Bound::Things(s, _) => s.map_ids(&mut Shift, 0),
                Bound::Number(n) => n.map_ids(&mut Shift, 0),
                Bound::Entry(e) => e.map_ids(&mut Shift, 0),
            }
        }
        if let Some(it) = &mut env.it {
            it.map_ids(&mut Shift, 0);
        }
        env
    }
}

/// Moves free `It`s out by one binder.
pub(super) struct Shift;

impl Mapper for Shift {
    fn it(&mut self, k: u8, binders: u8) -> u8 {
        if k >= binders { k.saturating_add(1) } else { k }
    }
}

/// A selection under one more binder.
pub(super) fn shifted(mut sel: Sel) -> Sel {
    sel.map_ids(&mut Shift, 0);
    sel
}

/// What lowering needs to know of an attribute.
pub(crate) struct AttrInfo {
    /// Its local id.
    pub id: AttrId,
    /// What its values are.
    pub kind: ValueKind,
    /// Its values are names.
    pub names: bool,
    /// Derived: the label of the parameter in its definition.
    pub derived: Option<Arc<str>>,
}

/// The phrase of an item's only clause: a definition's body.
pub(super) fn body_of(clauses: &[EffectiveClause]) -> Option<&Node> {
    clauses.iter().find_map(|clause| match &clause.read.kind {
        ClauseKind::Always(node) => Some(node),
        kind => match kind.in_block() {
            InBlock::Condition(node) | InBlock::Statement(node) | InBlock::Effect(node) => Some(node),
            InBlock::Cost(_)
            | InBlock::Leaves(_)
            | InBlock::Otherwise(_)
            | InBlock::Limit(..)
            | InBlock::Lasts(..)
            | InBlock::Steps(..)
            | InBlock::Step(..)
            | InBlock::Ends(..)
            | InBlock::Raw(..)
            | InBlock::Other => None,
        },
    })
}

/// What a definition says, where it stands: bodies are long, and put in the place of a word wherever it is used.
pub(crate) struct Definition(Arc<EffectiveItem>);

impl Definition {
    /// Its body.
    pub(crate) fn body(&self) -> &Node {
        // total: an item without a body is no definition
        body_of(&self.0.clauses).unwrap_or(Node::absent())
    }
}

/// An error that ends the lowering of a clause; already reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

/// The result of lowering a phrase.
pub(crate) type Low<T> = Result<T, Reported>;

/// Lowering of one item.
pub(crate) struct Cx<'a> {
    /// The item.
    pub item: &'a EffectiveItem,
    pub(super) ctx: &'a dyn LowerContext,
    /// The result under construction.
    pub out: Lowered,
    errors: Vec<Finding>,
    /// What is wrong only because a word is that is used here.
    follows: Vec<Follows>,
    /// The clause that is being lowered.
    pub clause: ClauseId,
    /// What the item says.
    reading: Reading<'a>,
    /// The words whose definitions are being put in their place, outermost first.
    expanding: Vec<TermKey>,
    /// The label path for blocks.
    path: String,
    counter: u16,
}

/// Where a number stands in a clause.
fn number_within(clauses: &[Clause], n: i64, span: Span) -> Option<Span> {
    let is_it = |token: &&Token| {
        matches!(token.kind, TokenKind::Number(found) if found.unsigned_abs() == n.unsigned_abs())
            && span.start <= token.span.start
            && token.span.end <= span.end
    };
    clauses.iter().find_map(|clause| {
        let here = clause.tokens.iter().find(is_it).map(|token| token.span);
        here.or_else(|| number_within(clause.block.as_deref()?, n, span))
    })
}

/// Classes have no more classes above them than this.
const CLASSES: usize = 64;

/// What is wrong with a phrase because a word of it is wrong: told only if nothing is told where the word is declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Follows {
    /// The word.
    pub word: TermKey,
    /// What is wrong here.
    pub finding: Finding,
}

impl<'a> Cx<'a> {
    /// Starts on an item.
    pub(crate) fn new(item: &'a EffectiveItem, ctx: &'a dyn LowerContext) -> Self {
        Cx {
            item,
            ctx,
            out: Lowered::default(),
            errors: Vec::new(),
            follows: Vec::new(),
            clause: ClauseId(0),
            reading: Reading::of(item),
            expanding: Vec::new(),
            path: String::new(),
            counter: 0,
        }
    }

    /// The result, what is wrong here, and what is wrong because a word is.
    pub(crate) fn finish(self) -> (Lowered, Vec<Finding>, Vec<Follows>) {
        (self.out, self.errors, self.follows)
    }

    /// Ends the phrase because a word of it has no meaning.
    fn follow<T>(&mut self, word: &TermKey, span: Span, message: String) -> Low<T> {
        let finding = Finding::new(Code::NoDefinition, span, message);
        if !self.follows.iter().any(|one| one.word == *word) {
            self.follows.push(Follows { word: word.clone(), finding });
        }
        Err(Reported)
    }

    /// Lowers the definition of a word in its own item.
    pub(crate) fn within<T>(&mut self, word: &TermKey, lower: impl FnOnce(&mut Self) -> Low<T>) -> Low<T> {
        self.expanding.push(word.clone());
        let lowered = lower(self);
        self.expanding.pop();
        lowered
    }

    /// Lowers what is put where it is used, only to see what is wrong with it.
    pub(crate) fn try_out<T>(&mut self, lower: impl FnOnce(&mut Self) -> Low<T>) {
        let out = std::mem::take(&mut self.out);
        let _ = lower(self);
        self.out = out;
    }

    /// Tells what is wrong with the item.
    pub(super) fn tell(&mut self, finding: Finding) {
        self.errors.push(finding);
    }

    /// Reports an error and ends the phrase.
    pub(crate) fn fail<T>(&mut self, code: Code, span: Span, message: impl Into<String>, help: Option<&str>) -> Low<T> {
        self.errors.push(Finding { help: help.map(str::to_owned), ..Finding::new(code, span, message) });
        Err(Reported)
    }

    /// A number as it is written, in the width that the program has for it.
    pub(crate) fn fitting<T: TryFrom<i64>>(&mut self, n: i64, span: Span) -> Low<T> {
        match T::try_from(n) {
            Ok(n) => Ok(n),
            Err(_) => {
                let place = number_within(&self.item.tree.clauses, n, span).unwrap_or(span);
                let bounds = i32::try_from(n).is_err().then_some(super::number::BOUNDS);
                self.fail(Code::NumberTooLarge, place, "this number is too large", bounds)
            }
        }
    }

    /// The term of a key; an unknown one is an internal slip of the resolver and reported as such.
    pub(crate) fn term(&mut self, key: &TermKey, span: Span) -> Low<Arc<Term>> {
        match self.ctx.term(key) {
            Some(t) => Ok(t),
            None => {
                let near = self.ctx.near(key);
                self.fail(Code::UnknownWord, span, format!("`{}` is not declared", key.name), near.as_deref())
            }
        }
    }

    /// The term of a key; `Err` holds a name that is almost its, as a question.
    pub(super) fn known(&self, key: &TermKey) -> Result<Arc<Term>, Option<String>> {
        self.ctx.term(key).ok_or_else(|| self.ctx.near(key))
    }

    /// The item that declares a term.
    pub(crate) fn declaring(&mut self, key: &TermKey, span: Span) -> Low<Arc<EffectiveItem>> {
        match self.ctx.declaring(key) {
            Some(t) => Ok(t),
            None => self.follow(key, span, format!("`{}` has no definition that can be read", key.name)),
        }
    }

    /// What a definition says.
    pub(crate) fn definition(&mut self, key: &TermKey, span: Span) -> Low<Definition> {
        let item = self.declaring(key, span)?;
        if body_of(&item.clauses).is_none() {
            return self.follow(key, span, format!("`{}` has no definition", key.name));
        }
        Ok(Definition(item))
    }

    /// Runs `f` inside a definition. What is wrong in there is told where it stands, once.
    pub(crate) fn expand<T>(&mut self, key: &TermKey, span: Span, f: impl FnOnce(&mut Self) -> Low<T>) -> Low<T> {
        self.expand_of(key, span, Many::One, f)
    }

    /// The same of so many things: a definition that asks for one is told where it is given several.
    pub(super) fn expand_of<T>(
        &mut self,
        key: &TermKey,
        span: Span,
        many: Many,
        f: impl FnOnce(&mut Self) -> Low<T>,
    ) -> Low<T> {
        if self.expanding.contains(key) {
            return self.follow(key, span, format!("the definition of `{}` leads back to itself", key.name));
        }
        let told = self.errors.len();
        self.expanding.push(key.clone());
        let lowered = f(self);
        self.expanding.pop();
        let mut own = self.errors.drain(told..);
        let asks_for_one = many == Many::Several && own.any(|finding| finding.code == Code::SeveralWhereOne);
        drop(own);
        match lowered {
            Ok(lowered) => Ok(lowered),
            Err(Reported) if asks_for_one => {
                let message = format!("`{}` is said here of several, and its definition asks for one", key.name);
                self.fail(Code::SeveralWhereOne, span, message, Some(super::several::ONE_BY_ONE))
            }
            Err(Reported) => self.follow(key, span, format!("`{}` has no definition that can be run", key.name)),
        }
    }

    /// The base class of a class and its local id.
    pub(crate) fn base_class(&mut self, name: &str) -> ClassId {
        let base = self.base_name(name);
        self.out.symbols.class(&base)
    }

    /// True for a class that is no part of another.
    pub(crate) fn is_base_class(&self, name: &str) -> bool {
        *self.base_name(name) == *name
    }

    /// The name of the base class of a class.
    pub(crate) fn base_name(&self, name: &str) -> Arc<str> {
        self.line_of(name).last().unwrap_or_else(|| Arc::from(name))
    }

    /// True for a class that is given by a condition, or is a part of one.
    pub(crate) fn is_by_condition(&self, name: &str) -> bool {
        let by_condition = |class: Arc<str>| {
            let term = self.ctx.term(&TermKey { kind: TermKind::Class, name: class });
            term.is_some_and(|term| matches!(term.detail, Detail::Class { label: Some(_), .. }))
        };
        self.line_of(name).any(by_condition)
    }

    /// True for a class that is another, or a part of it.
    pub(crate) fn is_part_of(&self, class: &str, whole: &str) -> bool {
        self.line_of(class).any(|above| *above == *whole)
    }

    /// A class and those of which it is a part, up to its base class.
    pub(super) fn line_of(&self, name: &str) -> impl Iterator<Item = Arc<str>> {
        let above = |at: &Arc<str>| match &self.ctx.term(&TermKey { kind: TermKind::Class, name: at.clone() })?.detail {
            Detail::Class { superclass, .. } => superclass.clone(),
            _ => None,
        };
        std::iter::successors(Some(Arc::from(name)), above).take(CLASSES)
    }

    /// Refuses what is no player where a player is meant.
    pub(crate) fn who(&mut self, node: &Node) -> Low<()> {
        match (&node.sort, self.ctx.player_class()) {
            (Sort::Thing(class), Some(player)) if *self.base_name(class) != *player => {
                let text = format!("{} is meant here, and this is {}", article(&player), article(class));
                self.fail(Code::WrongSort, node.span, text, Some("say which: `owner of X may …`"))
            }
            (_, _) => Ok(()),
        }
    }

    /// The base class of a parameter's things: that of its first type.
    pub(crate) fn class_of_param(&mut self, param: &Param) -> ClassId {
        match param.types.first() {
            Some(TypeName::Named(class) | TypeName::NameOf(class)) => self.base_class(class),
            Some(TypeName::Number | TypeName::YesNo | TypeName::Place | TypeName::Thing | TypeName::NumberFor(_))
            | None => ANY_CLASS,
        }
    }

    /// What an attribute is.
    pub(crate) fn attribute(&mut self, key: &TermKey, span: Span) -> Low<AttrInfo> {
        let term = self.term(key, span)?;
        let Detail::Attribute { origin, of, value, many, .. } = &term.detail else {
            return self.fail(Code::UnknownWord, span, format!("`{}` is not an attribute", key.name), None);
        };
        let kind = self.value_kind(value, *many);
        let names = matches!(value, TypeName::NameOf(_));
        let id = self.out.symbols.attr(&key.name);
        let derived = match origin {
            Origin::Define => {
                // A definition that cannot be read is told wherever it is used.
                self.declaring(key, span)?;
                Some(of.label.clone())
            }
            Origin::Figure | Origin::State => None,
        };
        Ok(AttrInfo { id, kind, names, derived })
    }

    /// True for the name of a list.
    pub(crate) fn is_list(&self, name: &Arc<str>) -> bool {
        self.ctx.term(&TermKey { kind: TermKind::List, name: name.clone() }).is_some()
    }

    /// What the values of a declared type are.
    pub(crate) fn value_kind(&mut self, value: &TypeName, many: bool) -> ValueKind {
        match value {
            TypeName::Number | TypeName::Place => ValueKind::Number,
            TypeName::YesNo => ValueKind::Flag,
            TypeName::Thing => ValueKind::Thing(ANY_CLASS),
            TypeName::NumberFor(list) => ValueKind::NumberFor(self.out.symbols.list(list)),
            TypeName::NameOf(class) => {
                let class = self.base_class(class);
                if many { ValueKind::Things(class) } else { ValueKind::Thing(class) }
            }
            TypeName::Named(n) => {
                if self.is_list(n) {
                    let l = self.out.symbols.list(n);
                    if many { ValueKind::Entries(l) } else { ValueKind::Entry(l) }
                } else {
                    let c = self.base_class(n);
                    if many { ValueKind::Things(c) } else { ValueKind::Thing(c) }
                }
            }
        }
    }

    /// The list of an entry.
    pub(crate) fn list_of(&mut self, entry: &TermKey, span: Span) -> Low<Arc<str>> {
        let Detail::Entry { list } = &self.term(entry, span)?.detail else {
            return self.fail(Code::UnknownEntry, span, format!("`{}` is not a term of a list", entry.name), None);
        };
        Ok(list.clone())
    }

    /// A phrase as English.
    pub(crate) fn words(&self, node: &Node) -> String {
        render::render(node, &|k| self.ctx.term(k))
    }

    /// A site for a phrase.
    pub(crate) fn site(&mut self, node: &Node) -> SiteId {
        let wording = self.reading.phrase(node).unwrap_or_else(|| Wording::These(self.words(node)));
        self.site_saying(node.span, wording)
    }

    /// A site for a place with its own text.
    pub(crate) fn site_at(&mut self, span: Span, text: String) -> SiteId {
        self.site_saying(span, Wording::These(text))
    }

    /// A site for a clause of the item.
    pub(crate) fn site_of(&mut self, read: &ReadClause) -> SiteId {
        let wording = self.wording(read);
        self.site_saying(read.span, wording)
    }

    fn site_saying(&mut self, span: Span, wording: Wording) -> SiteId {
        self.out.sites.push(LowSite { clause: self.clause, span, wording });
        SiteId::from_index(self.out.sites.len() - 1)
    }

    /// Enters a clause: if it has a label of its own (or `label` gives one), a new labelled clause; else the
    /// enclosing one stays.
    pub(crate) fn enter(&mut self, read: &ReadClause, label: Option<&str>) -> ClauseId {
        let own = read.marker.as_ref().map(|m| m.label.as_str()).filter(|l| !l.is_empty());
        let Some(label) = label.or(own) else { return self.clause };
        let wording = self.wording(read);
        self.out.clauses.push(LowClause {
            label: label.to_owned(),
            derived: read.marker.as_ref().is_some_and(|marker| marker.derived),
            span: read.span,
            wording,
        });
        self.clause = ClauseId::from_index(self.out.clauses.len() - 1);
        self.path = label.to_owned();
        self.counter = 0;
        self.clause
    }

    /// What a clause says.
    fn wording(&mut self, read: &ReadClause) -> Wording {
        let known = self.reading.clause(read);
        known.unwrap_or_else(|| Wording::These(render::render_clause(read, &|key| self.ctx.term(key))))
    }

    /// Runs `f` for a nested clause, and comes back to the enclosing one.
    pub(crate) fn nested<T>(&mut self, read: &ReadClause, f: impl FnOnce(&mut Self) -> T) -> T {
        let (clause, path, counter) = (self.clause, self.path.clone(), self.counter);
        self.enter(read, None);
        let r = f(self);
        if self.clause == clause {
            // The same clause goes on: its blocks keep counting, so that labels stay unique.
            self.path = path;
        } else {
            (self.clause, self.path, self.counter) = (clause, path, counter);
        }
        r
    }

    /// Adds a block.
    pub(crate) fn block(&mut self, statements: Vec<(Statement, SiteId)>) -> BlockId {
        let label = if self.counter == 0 { self.path.clone() } else { format!("{}/{}", self.path, self.counter) };
        self.counter += 1;
        self.out.blocks.push(Block { label, clause: self.clause, statements });
        BlockId::from_index(self.out.blocks.len() - 1)
    }
}
