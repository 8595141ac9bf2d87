//! Phrases outside the data: the lines of a scenario, the questions of a tool.
//!
//! They are read with the same vocabulary and lowered with the same code as a card's clauses, and then given
//! the ids of a linked program.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Item, Token};
use netrep_ir::{Cond, Map, NameId, Num, Program, Sel, Val};
use serde::{Deserialize, Serialize};

use crate::compiler::Compiler;
use crate::finding::Finding;
use crate::inputs::Profile;
use crate::layers::effective::EffectiveItem;
use crate::link::{Tables, relocate};
use crate::lower::{Bound, Cx, Env, Low, Many, Symbols};
use crate::phrase::lexicon::WithFacts;
use crate::phrase::read::{Want, read_phrase};
use crate::phrase::scope::Scope;
use crate::phrase::term::Term;
use crate::phrase::tree::{Node, Sort};

/// A name that a position gives to one of its things.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionName {
    /// As it is written (`Ann`, `J1`).
    pub label: String,
    /// Its id in the position: above the names of the program.
    pub id: NameId,
    /// The class of the thing.
    pub class: String,
}

/// A reader of phrases under a profile.
pub struct Phrases<'c> {
    pub(crate) compiler: &'c Compiler,
    /// The program whose ids the phrases get.
    pub program: Arc<Program>,
    profile: Profile,
    item: EffectiveItem,
    /// The facts of items that may be said as in these.
    facts: Vec<Arc<Term>>,
}

impl Compiler {
    /// A reader of phrases, with the program of a profile.
    pub fn phrases(&self, profile: &Profile) -> Phrases<'_> {
        let program = self.link(profile).0;
        let nothing = Item { head: "phrase".to_owned(), ..Item::default() };
        let item = EffectiveItem::bare(nothing);
        Phrases { compiler: self, program, profile: profile.clone(), item, facts: Vec::new() }
    }
}

impl Phrases<'_> {
    /// The same where the facts can be said that these cards and rules have declared for themselves.
    #[must_use]
    pub fn about<'a>(mut self, items: impl IntoIterator<Item = &'a str>) -> Self {
        for key in items {
            for term in self.compiler.facts(key) {
                if !self.facts.contains(&term) {
                    self.facts.push(term);
                }
            }
        }
        self
    }

    /// A condition, and the same as English.
    pub fn condition(&self, tokens: &[Token], names: &[PositionName]) -> Result<(Cond, String), Finding> {
        self.lowered(tokens, Want::Condition, names, |cx, n, e| cx.cond(n, e))
    }

    /// A value: things, a number or an entry.
    pub fn value(&self, tokens: &[Token], names: &[PositionName]) -> Result<(Val, String), Finding> {
        self.lowered(tokens, Want::Value, names, |cx, n, e| cx.val(n, e))
    }

    /// A number.
    pub fn number(&self, tokens: &[Token], names: &[PositionName]) -> Result<(Num, String), Finding> {
        self.lowered(tokens, Want::Value, names, |cx, n, e| cx.num(n, e))
    }

    fn lowered<T: Map>(
        &self,
        tokens: &[Token],
        want: Want,
        names: &[PositionName],
        lower: impl Fn(&mut Cx<'_>, &Node, &Env) -> Low<T>,
    ) -> Result<(T, String), Finding> {
        let mut scope = Scope::default();
        for n in names {
            scope.bind(n.label.as_str(), Sort::Thing(Arc::from(n.class.as_str())));
        }
        let lexicon = self.compiler.lexicon();
        let node = read_phrase(tokens, want, &scope, &WithFacts::new(&lexicon, &self.facts))?;
        if let Some(error) = crate::determiners::check_phrase(&node).into_iter().next() {
            return Err(error);
        }
        let context = self.compiler.context(&self.profile);
        let mut cx = Cx::new(&self.item, &context);
        let mut env = Env::default();
        for n in names {
            let local = cx.out.symbols.name(&own(&n.label));
            env.bind(&n.label, Bound::Things(Sel::Named(local), Many::One));
        }
        let low = lower(&mut cx, &node, &env);
        let text = cx.words(&node);
        let (out, mut errors, follows) = cx.finish();
        errors.extend(follows.into_iter().map(|one| one.finding));
        errors.extend(crate::never::check_phrase(&node, &context));
        let symbols: Symbols = out.symbols;
        let mut tree = match (low, errors.into_iter().next()) {
            (Ok(t), None) => t,
            (_, Some(e)) => return Err(e),
            (Err(_), None) => return Err(Finding::new(Code::WrongSort, node.span, "this cannot be evaluated")),
        };
        let more: Vec<(Arc<str>, NameId)> = names.iter().map(|n| (own(&n.label), n.id)).collect();
        let tables = self.beside(Tables::of);
        relocate(&self.program, &tables, &symbols, &more, &mut tree).map_err(|(name, what)| {
            Finding::new(Code::UnknownName, node.span, format!("no {what} is called `{name}` in this program"))
        })?;
        Ok((tree, text))
    }
}

/// A position's own name as a symbol that no card can have.
fn own(label: &str) -> Arc<str> {
    Arc::from(format!(" {label}"))
}
