//! New things: `a new CLASS from Y with FACT VALUE, …`, in a statement and as what cards gain; and what makes a roll one of its kind.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{AttrId, Brought, Ent, Sel, Statement, Taken, Val};

use super::context::{ANY_CLASS, Bound, Cx, Env, Low};
use super::several::{Many, Meant};
use super::statement::Lines;
use crate::phrase::operators::{Act as ActView, Thing, View};
use crate::phrase::sorts::article;
use crate::phrase::term::Detail;
use crate::phrase::tree::{Node, Op, TermKey, TermKind};

impl Cx<'_> {
    /// What a statement makes in order to do something with it is made before, and is known by a label that nobody can write.
    pub(super) fn made_for(&mut self, node: &Node, env: &mut Env, out: &mut Lines) -> Low<Option<Node>> {
        let does = matches!(node.view(), View::Act(ActView::Do { .. } | ActView::Perform { .. }));
        if !does || !node.kids.iter().any(|kid| matches!(kid.op, Op::New(..))) {
            return Ok(None);
        }
        let mut about = node.clone();
        for kid in about.kids.iter_mut().filter(|kid| matches!(kid.op, Op::New(..))) {
            let label: Arc<str> = Arc::from(format!("new {}", env.most));
            let site = self.site(kid);
            out.push((self.made(kid, &label, env)?, site));
            *kid = Node { op: Op::Label(label), kids: Vec::new(), ..kid.clone() };
        }
        Ok(Some(about))
    }

    /// The statement that makes a thing and gives it a label.
    pub(super) fn made(&mut self, node: &Node, label: &str, env: &mut Env) -> Low<Statement> {
        let View::Thing(Thing::New { class, facts, from, values }) = node.view() else {
            return self.no_statement(node);
        };
        let Brought { class, values, from } = self.novelty((class, facts, from, values), node.span, env)?;
        let slot = env.slot_of(label, |s| Bound::Things(Sel::Slot(s), Many::One));
        Ok(Statement::Create { class, slot, values, from: from.map(Box::new) })
    }

    /// A new thing: its class, and the facts that are given, in the order of their values.
    pub(super) fn novelty(
        &mut self,
        (class, facts, from, values): (&TermKey, &[TermKey], &Node, &[Node]),
        span: Span,
        env: &Env,
    ) -> Low<Brought> {
        self.of_the_game(&class.name, span, "made in a game")?;
        let mut set = self.made_of(class, facts, span)?;
        let from = from.present().map(|from| self.taken(from, env)).transpose()?;
        let class = self.base_class(&class.name);
        for (nth, (a, v)) in facts.iter().zip(values).enumerate() {
            if facts[..nth].contains(a) {
                let text = format!("`{}` is given twice", a.name);
                return self.fail(Code::WrongFigure, v.span, text, Some("keep the one that is meant"));
            }
            let info = self.attribute(a, v.span)?;
            self.single_value(&info, v, env)?;
            set.push((info.id, self.val(v, env)?));
        }
        Ok(Brought { class, values: set, from })
    }

    /// What makes a new thing one of its class: the term of each class in the line that has one, unless it is given.
    fn made_of(&mut self, class: &TermKey, given: &[TermKey], span: Span) -> Low<Vec<(AttrId, Val)>> {
        let mut made: Vec<(AttrId, Val)> = Vec::new();
        for above in self.line_of(&class.name).collect::<Vec<_>>() {
            let term = self.term(&TermKey { kind: TermKind::Class, name: above.clone() }, span)?;
            let one = match (&term.detail, &term.only) {
                (Detail::Class { label: Some(_), .. }, _) => None,
                (_, Some((fact, _))) if given.iter().any(|given| given.name == *fact) => continue,
                (_, Some((fact, terms))) => terms.first().filter(|_| terms.len() == 1).map(|term| (fact, term)),
                (_, None) => continue,
            };
            let Some((fact, term)) = one else {
                let text = format!("nothing here makes the new thing {}", article(&above));
                let base = self.base_name(&class.name);
                let help = format!("`a new {base} with …`, with the facts that make it one");
                return self.fail(Code::WrongSort, span, text, Some(&help));
            };
            made.push((self.out.symbols.attr(fact), Val::Entry(Ent::Entry(self.out.symbols.entry(term)))));
        }
        Ok(made)
    }

    /// What makes a roll one of its kind.
    pub(super) fn kind_of_roll(&mut self, class: &TermKey, span: Span) -> Low<Vec<(AttrId, Val)>> {
        let base = self.base_name(&class.name);
        match self.ctx.roll_class() {
            Some(roll) if *roll == *base => self.made_of(class, &[], span),
            Some(roll) => {
                let text = format!("{} is no {roll}", article(&class.name));
                self.fail(Code::WrongSort, span, text, Some(&format!("name a class of {roll}s, or leave it out")))
            }
            None => {
                let help =
                    "say in a `kernel` item which class of things rolls are (`roll CLASS by FACT.`), or leave it out";
                self.fail(Code::WrongSort, span, "here rolls are no things, so of no class", Some(help))
            }
        }
    }

    /// From which thing a new one takes over figures; which they are is known when all is linked.
    fn taken(&mut self, from: &Node, env: &Env) -> Low<Taken> {
        self.means_one(Meant::Taken, from, env)?;
        let class = self.class_of(from);
        if class == ANY_CLASS {
            let help = "name it first by a phrase that says of what class it is";
            return self.fail(Code::WrongSort, from.span, "what this is, and so what it has, is open", Some(help));
        }
        Ok(Taken { of: self.sel(from, env)?, class, figures: Vec::new() })
    }

    /// Refuses what is there from the beginning of a game to its end: cards, which lie somewhere, and players.
    pub(super) fn of_the_game(&mut self, class: &str, span: Span, what: &str) -> Low<()> {
        let base = self.base_name(class);
        if *base == *self.ctx.card_class() {
            let text = format!("a {base} is not {what}: it always lies in a place");
            return self.fail(Code::WrongTarget, span, text, Some("say where it comes: `put X into PLACE`"));
        }
        if self.ctx.player_class().is_some_and(|player| *player == *base) {
            let text = format!("a {base} is not {what}");
            return self.fail(
                Code::WrongTarget,
                span,
                text,
                Some("say what becomes of the player: `set FACT of P to …`"),
            );
        }
        Ok(())
    }
}
