//! Procedures and their steps.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_ir::{BlockId, ClassId, SiteId, Statement};

use super::context::{Bound, Cx, Env, Low};
use super::several::Many;
use super::{LowProc, LowStep};
use crate::phrase::clause::{ClauseKind, InBlock, ReadClause};
use crate::phrase::term::{Detail, Param, TypeName};
use crate::phrase::tree::{TermKey, TermKind};

impl Cx<'_> {
    /// The slots and labels of a procedure's parameters.
    fn parameters(&mut self, params: &[Param]) -> (Env, Vec<(u8, ClassId)>) {
        let mut env = Env::default();
        let mut out = Vec::new();
        for p in params {
            let number = p.types.first() == Some(&TypeName::Number);
            let class = self.class_of_param(p);
            let slot = if number {
                env.slot_of(&p.label, |s| Bound::Number(netrep_ir::Num::Slot(s)))
            } else {
                env.slot_of(&p.label, |s| Bound::Things(netrep_ir::Sel::Slot(s), Many::One))
            };
            out.push((slot, class));
        }
        (env, out)
    }

    pub(super) fn procedure_params(&mut self, key: &TermKey, span: netrep_grammar::tree::Span) -> Low<Vec<Param>> {
        let Detail::Procedure { params } = &self.term(key, span)?.detail else {
            return self.fail(Code::WrongSort, span, format!("`{}` is not a procedure", key.name), None);
        };
        Ok(params.clone())
    }

    /// A procedure clause.
    pub(crate) fn procedure(
        &mut self,
        term: &TermKey,
        block: &[ReadClause],
        span: netrep_grammar::tree::Span,
    ) -> Low<()> {
        let params = self.procedure_params(term, span)?;
        let (mut env, parameters) = self.parameters(&params);
        let clause = self.clause;
        let mut proc = LowProc {
            name: term.name.clone(),
            clause,
            parameters,
            prologue: None,
            steps: Vec::new(),
            fixed: true,
            guard: None,
            slots: 0,
        };
        let mut prologue = Vec::new();
        let mut ends = None;
        for c in block {
            match c.kind.in_block() {
                InBlock::Steps(..) if !proc.steps.is_empty() => return self.said_twice(c.span, "steps"),
                InBlock::Ends(..) if proc.guard.is_some() => return self.said_twice(c.span, "ends if"),
                InBlock::Steps(names, fixed) => {
                    proc.steps = names.to_vec();
                    proc.fixed = fixed;
                }
                InBlock::Statement(s) => self.lines(s, &mut env, &mut prologue)?,
                InBlock::Ends(condition, then) => {
                    ends = Some(c.span);
                    let env = env.clone();
                    let guard = self.nested(c, |cx| {
                        let site = cx.site(condition);
                        cx.cond(condition, &env).map(|g| (g, site))
                    })?;
                    proc.guard = Some((guard.0, then.cloned(), guard.1));
                }
                InBlock::Step(name, block) => {
                    let mut env = Env::from_slot(env.next).with_labels_of(&env);
                    self.nested(c, |cx| cx.step_body(name, &term.name, block, c.span, &mut env))?;
                }
                InBlock::Condition(_)
                | InBlock::Cost(_)
                | InBlock::Effect(_)
                | InBlock::Leaves(_)
                | InBlock::Otherwise(_)
                | InBlock::Limit(..)
                | InBlock::Lasts(..)
                | InBlock::Raw(..)
                | InBlock::Other => {
                    return self.fail(Code::MisplacedClause, c.span, "this clause has no place in a procedure", None);
                }
            }
        }
        if let (Some((_, Some(then), _)), Some(ends)) = (&proc.guard, ends)
            && !proc.steps.contains(then)
        {
            let text = format!("`{}` has no step `{then}` at which it could go on", term.name);
            let help = format!("its steps are: {}", proc.steps.join(", "));
            return self.fail(Code::UnlistedStep, ends, text, Some(&help));
        }
        if !prologue.is_empty() {
            proc.prologue = Some(self.block(prologue));
        }
        proc.slots = env.most;
        self.out.procs.push(proc);
        Ok(())
    }

    /// Refuses a second sentence of a kind of which a procedure has one.
    fn said_twice(&mut self, span: netrep_grammar::tree::Span, what: &str) -> Low<()> {
        let text = format!("a procedure has one sentence `{what}`, and this is the second");
        self.fail(Code::MisplacedClause, span, text, Some("say both in one sentence"))
    }

    /// `step NAME of PROCEDURE { … }`.
    pub(crate) fn step(
        &mut self,
        name: &Arc<str>,
        procedure: Option<&TermKey>,
        block: &[ReadClause],
        span: netrep_grammar::tree::Span,
    ) -> Low<()> {
        let Some(procedure) = procedure else {
            return self.fail(
                Code::StepWithoutProcedure,
                span,
                "this step does not say of which procedure it is",
                Some("write `step NAME of PROCEDURE { … }`"),
            );
        };
        let key = TermKey { kind: TermKind::Procedure, name: procedure.name.clone() };
        let params = self.procedure_params(&key, span)?;
        let (mut env, _) = self.parameters(&params);
        self.step_body(name, &procedure.name, block, span, &mut env)
    }

    fn step_body(
        &mut self,
        name: &Arc<str>,
        proc: &Arc<str>,
        block: &[ReadClause],
        span: netrep_grammar::tree::Span,
        env: &mut Env,
    ) -> Low<()> {
        let clause = self.clause;
        let mut outer: Vec<(Statement, SiteId)> = Vec::new();
        for c in block {
            self.nested(c, |cx| {
                let mut lines = Vec::new();
                match &c.kind {
                    ClauseKind::Statement(s) => cx.lines(s, env, &mut lines)?,
                    ClauseKind::Lasts { long, block } => lines.extend(cx.laid_down(long, block, c.span, env)?),
                    _ => return cx.fail(Code::MisplacedClause, c.span, "a step holds statements", None),
                }
                if cx.clause == clause {
                    outer.extend(lines);
                    return Ok(());
                }
                // A labelled statement is a block of its own clause, so that it can be cited and taken away.
                let site = match &c.kind {
                    ClauseKind::Statement(s) => cx.site(s),
                    _ => cx.site_of(c),
                };
                let body = cx.block(lines);
                outer.push((always(body), site));
                Ok(())
            })?;
        }
        let body = self.block(outer);
        self.out.steps.push(LowStep { name: name.clone(), proc: proc.clone(), body, clause, span, slots: env.most });
        Ok(())
    }
}

/// Runs a block where it stands.
pub(crate) fn always(body: BlockId) -> Statement {
    Statement::If(netrep_ir::Cond::Is(true), body, None)
}
