//! The clauses of rules and cards.

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Token, TokenKind};
use netrep_ir::{Guard, Invariant, Sel, Spare};

use super::context::{Bound, Cx, Env, Low};
use crate::phrase::clause::{ClauseKind, InBlock, ReadClause};

/// Lowers a rule.
pub(super) fn lower_rule(cx: &mut Cx<'_>) {
    header(cx, "write `rule NUMBER \"TITLE\" { … }`", |id| {
        matches!(id, TokenKind::Reference(_) | TokenKind::Number(_))
    });
    clauses(cx);
}

/// Checks that a header is one id and one name.
pub(super) fn header(cx: &mut Cx<'_>, help: &str, is_id: impl Fn(&TokenKind) -> bool) {
    let item = cx.item;
    let well = match item.tree.header.as_slice() {
        [id, name] => is_id(&id.kind) && matches!(name.kind, TokenKind::Quoted(_)),
        _ => false,
    };
    if !well {
        let span = item.tree.header.first().map_or(item.tree.head_span, |t| t.span);
        let _ = cx.fail::<()>(Code::BadHeader, span, "a header is an id and a name in quotes", Some(help));
    }
}

/// Lowers every effective clause of the item; a broken one is left out and reported.
pub(super) fn clauses(cx: &mut Cx<'_>) {
    let item = cx.item;
    let mut i = 0;
    while let Some(c) = item.clauses.get(i) {
        cx.enter(&c.read, Some(&c.label));
        let mut used = 1;
        if matches!(c.read.kind, ClauseKind::Play { .. }) {
            // A play sentence owns the conditions, costs and effects up to the next sentence of another kind.
            let rest: Vec<&ReadClause> =
                item.clauses.iter().skip(i + 1).map_while(|c| belongs_to_play(&c.read).then_some(&*c.read)).collect();
            used += rest.len();
            let _ = cx.play(&c.read, &rest, None);
        } else {
            let _ = cx.one(&c.read, None);
        }
        i += used;
    }
}

fn belongs_to_play(read: &ReadClause) -> bool {
    match read.kind.in_block() {
        InBlock::Condition(_) | InBlock::Cost(_) | InBlock::Effect(_) | InBlock::Limit(..) => true,
        InBlock::Raw(head, _) => head == "despite",
        InBlock::Leaves(_)
        | InBlock::Otherwise(_)
        | InBlock::Statement(_)
        | InBlock::Steps(..)
        | InBlock::Step(..)
        | InBlock::Ends(..)
        | InBlock::Other => false,
    }
}

impl Cx<'_> {
    /// One clause. `carriers`: it stands in an `each … has` block.
    pub(crate) fn one(&mut self, read: &ReadClause, carriers: Option<&Sel>) -> Low<()> {
        match &read.kind {
            ClauseKind::Figure { .. } => Ok(()),
            ClauseKind::Part { class, block } if self.out.card.is_some() => self.printed_part(class, block, read.span),
            ClauseKind::May { .. } => self.may(read, carriers.cloned()),
            ClauseKind::When { event, condition, immediately, body } => {
                let mut env = Env::default();
                self.trigger(event, condition.as_ref(), body, &mut env, false, *immediately, false).map(|_| ())
            }
            ClauseKind::Instead { event, condition, body } => {
                let mut env = Env::default();
                self.trigger(event, condition.as_ref(), body, &mut env, false, true, true).map(|_| ())
            }
            ClauseKind::Modifier { condition, modifiers } => {
                for m in modifiers {
                    self.modifier(m, condition.as_ref(), &Env::default(), false)?;
                }
                Ok(())
            }
            ClauseKind::Norm { polarity, event, condition } => {
                self.norm(*polarity, event, condition.as_ref()).map(|_| ())
            }
            ClauseKind::Procedure { term, block, .. } => self.procedure(term, block, read.span),
            ClauseKind::Step { name, procedure, block } => self.step(name, procedure.as_ref(), block, read.span),
            ClauseKind::Always(c) => {
                let cond = self.cond(c, &Env::default())?;
                self.out.invariants.push(Invariant { clause: self.clause, cond });
                Ok(())
            }
            ClauseKind::Carried { .. } if self.out.card.is_some() => self.fail(
                Code::NotSupported,
                read.span,
                "a card cannot give clauses to other things yet: they would be offered to the card itself",
                Some("say it as an ability of this card (`you may tap bearer of this: …`), or leave the sentence `partial`"),
            ),
            ClauseKind::Carried { np, block } => self.carried(np, block),
            ClauseKind::Action { verb, parameter, block } => self.action(verb, parameter, block, read.span),
            ClauseKind::ActionNeeds { verb, condition } => self.action_needs(verb, condition, false),
            ClauseKind::ActionLeaves { verb, condition } => self.action_needs(verb, condition, true),
            ClauseKind::WhenNeeds { event, condition } if self.out.card.is_none() => {
                let mut env = Env::default();
                let pattern = self.pattern(event, &mut env)?;
                let cond = self.cond(condition, &env)?;
                self.out.guards.push(Guard { clause: self.clause, pattern, cond, slots: env.most });
                Ok(())
            }
            ClauseKind::Spares { by, what } if self.out.card.is_none() => {
                let mut env = Env::default();
                let by_sel = self.sel(by, &env)?;
                if let (Some(label), _) = by.labelled() {
                    env.bind(label, Bound::Things(Sel::This, true));
                }
                let what = self.sel(what, &env)?;
                self.out.spares.push(Spare { clause: self.clause, by: by_sel, what });
                Ok(())
            }
            ClauseKind::Timing { name, verbs } if ["immediate", "lasting"].contains(&&**name) => {
                for v in verbs {
                    let timed = (self.out.symbols.verb(&v.name), self.clause);
                    if **name == *"lasting" { self.out.lasting.push(timed) } else { self.out.immediate.push(timed) }
                }
                Ok(())
            }
            ClauseKind::Raw { head, tokens, .. } => self.raw(read, head, tokens),
            // `play` owns what follows it, and is lowered with it; the others say something in a block or in an item of
            // another kind.
            ClauseKind::Play { .. }
            | ClauseKind::Part { .. }
            | ClauseKind::WhenNeeds { .. }
            | ClauseKind::Spares { .. }
            | ClauseKind::Timing { .. }
            | ClauseKind::Condition(_)
            | ClauseKind::Cost(_)
            | ClauseKind::Effect(_)
            | ClauseKind::Leaves(_)
            | ClauseKind::Otherwise(_)
            | ClauseKind::Statement(_)
            | ClauseKind::Limit(..)
            | ClauseKind::Steps { .. }
            | ClauseKind::Ends { .. }
            | ClauseKind::Either(_) => self.misplaced(read),
        }
    }

    /// Tells that a clause stands where none of its kind can.
    pub(super) fn misplaced<T>(&mut self, read: &ReadClause) -> Low<T> {
        self.fail(Code::MisplacedClause, read.span, "this clause has no place here", None)
    }

    /// `each NOUN has { … }`.
    fn carried(&mut self, np: &crate::phrase::tree::Node, block: &[ReadClause]) -> Low<()> {
        let carriers = self.sel(np, &Env::default())?;
        let mut i = 0;
        while let Some(c) = block.get(i) {
            let mut used = 1;
            let r = self.nested(c, |cx| {
                if matches!(c.kind, ClauseKind::Play { .. }) {
                    let rest: Vec<&ReadClause> = block.iter().skip(i + 1).take_while(|c| belongs_to_play(c)).collect();
                    used += rest.len();
                    cx.play(c, &rest, Some(carriers.clone()))
                } else if matches!(c.kind, ClauseKind::May { .. }) {
                    cx.one(c, Some(&carriers))
                } else {
                    cx.fail(
                        Code::MisplacedClause,
                        c.span,
                        "things carry `play` and `may` clauses by rule, nothing else yet",
                        None,
                    )
                }
            });
            r?;
            i += used;
        }
        Ok(())
    }

    /// `rests on ITEM LABEL, ITEM`: the clauses without which the rule would not hold.
    fn rests(&mut self, read: &ReadClause, tokens: &[Token]) -> Low<()> {
        let on = match tokens.split_first() {
            Some((Token { kind: TokenKind::Word(on), .. }, rest)) if on == "on" && !rest.is_empty() => rest,
            _ => &[],
        };
        let parts: Option<Vec<(String, String)>> =
            on.split(|token| token.kind == TokenKind::Comma).map(item_and_maybe_label).collect();
        let Some(parts) = parts else {
            let message = "`rests on` names rules or cards, with the labels of their clauses";
            return self.fail(Code::BadRests, read.span, message, Some("write `rests on ITEM LABEL, ITEM.`"));
        };
        for (item, label) in parts {
            let wanted = format!("{item} {label}").trim_end().to_owned();
            let site = self.site_at(read.span, format!("rests on {wanted}"));
            self.out.rests.push((wanted, site));
        }
        Ok(())
    }

    fn raw(&mut self, read: &ReadClause, head: &str, tokens: &[Token]) -> Low<()> {
        match head {
            "cites" | "printed" | "partial" | "note" | "awaits" => Ok(()),
            "rests" if &*self.item.head == "rule" => self.rests(read, tokens),
            _ => self.fail(
                Code::MisplacedClause,
                read.span,
                format!("a clause that begins with `{head}` has no place here"),
                None,
            ),
        }
    }
}

/// An item (`3.i`, `A-8`) and a label in a token list.
pub(super) fn item_and_label(tokens: &[Token]) -> Option<(String, String)> {
    item_and_maybe_label(tokens).filter(|(_, label)| !label.is_empty())
}

/// An item, and the label behind it or an empty one.
fn item_and_maybe_label(tokens: &[Token]) -> Option<(String, String)> {
    let (first, rest) = tokens.split_first()?;
    let item = match &first.kind {
        TokenKind::Reference(r) | TokenKind::Capital(r) => r.clone(),
        TokenKind::Number(n) => n.to_string(),
        _ => return None,
    };
    let words: Vec<String> = rest
        .iter()
        .map(|t| match &t.kind {
            TokenKind::Word(w) | TokenKind::Capital(w) => Some(w.clone()),
            TokenKind::Number(n) => Some(n.to_string()),
            _ => None,
        })
        .collect::<Option<_>>()?;
    Some((item, words.join(" ")))
}
