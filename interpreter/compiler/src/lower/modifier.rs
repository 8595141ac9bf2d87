//! Continuous modifiers.

use netrep_diagnostics::Code;
use netrep_ir::{Change, Modifier, ModifierId, Sel, ValueKind};

use super::context::{Bound, Cx, Env, Low};
use super::select::and;
use crate::phrase::tree::{Node, Op};

impl Cx<'_> {
    /// A modifier, in force while its card functions, or (`delayed`) only as an effect.
    pub fn modifier(&mut self, node: &Node, condition: Option<&Node>, env: &Env, delayed: bool) -> Low<ModifierId> {
        if node.op == Op::While {
            // `MODIFIER while COND` and `while COND: MODIFIER` are the same; both conditions hold.
            return match (node.kids.as_slice(), condition) {
                ([inner, cond], None) => self.modifier(inner, Some(cond), env, delayed),
                ([inner, cond], Some(outer)) => {
                    let both = Node {
                        op: Op::And,
                        sort: cond.sort.clone(),
                        kids: vec![outer.clone(), cond.clone()],
                        span: cond.span,
                    };
                    self.modifier(inner, Some(&both), env, delayed)
                }
                _ => self.fail(Code::WrongSort, node.span, "a modifier and a condition are needed", None),
            };
        }
        let [np, rest @ ..] = node.kids.as_slice() else {
            return self.fail(Code::WrongSort, node.span, "a modifier is about something", None);
        };
        let mut subject = self.sel(np, env)?;
        let mut inner = env.under_binder();
        inner.it = Some(Sel::It(0));
        let mut cond = None;
        if let Op::As(label) = &np.op {
            // The condition may speak of the very thing that is modified.
            inner.bind(label, Bound::Things(Sel::It(0), true));
            if let Some(c) = condition {
                subject = and(vec![subject, self.set_where(c, label, env)?]);
            }
        } else if let Some(c) = condition {
            cond = Some(self.cond(c, env)?);
        }
        let (attr, change) = match (&node.op, rest) {
            (Op::Gets(attr, _), [amount, max, min]) => {
                let info = self.attribute(attr, node.span)?;
                if info.kind != ValueKind::Number {
                    return self.fail(Code::WrongSort, node.span, format!("`{}` is not a number", attr.name), None);
                }
                let cap =
                    |cx: &mut Self, n: &Node| if n.op == Op::Absent { Ok(None) } else { cx.num(n, &inner).map(Some) };
                let amount = self.num(amount, &inner)?;
                (info.id, Change::Add { amount, max: cap(self, max)?, min: cap(self, min)? })
            }
            (Op::Becomes(attr, _), [value]) => {
                let info = self.attribute(attr, node.span)?;
                if info.kind != ValueKind::Number {
                    return self.fail(
                        Code::NotSupported,
                        node.span,
                        format!("only numbers can be set by a modifier, and `{}` is none", attr.name),
                        None,
                    );
                }
                (info.id, Change::Set(self.num(value, &inner)?))
            }
            (Op::Gains(entry, _), _) | (Op::Loses(entry, _), _) => {
                let list = self.list_of(entry, node.span)?;
                let attr = self.out.symbols.attr(&list);
                let e = self.out.symbols.entry(&entry.name);
                (attr, if matches!(node.op, Op::Gains(..)) { Change::Gain(e) } else { Change::Lose(e) })
            }
            _ => return self.fail(Code::NotSupported, node.span, "this kind of modifier awaits its rules", None),
        };
        self.out.modifiers.push(Modifier {
            clause: self.clause,
            card: None,
            attr,
            subject,
            cond,
            change,
            delayed,
            slots: env.most,
        });
        Ok(ModifierId::from_index(self.out.modifiers.len() - 1))
    }
}
