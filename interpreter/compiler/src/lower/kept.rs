//! Roles in what an effect lays down: whoever plays them then, in slots beside the labels.
//!
//! Only roles that the clause itself names are kept. What a definition says with a role it says of whoever plays it
//! when it is asked.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_ir::RoleId;

use super::context::{Cx, Env, Low};
use crate::phrase::clause::{ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, View};
use crate::phrase::tree::{Node, TermKind};

/// Roles, and the slots in which they are kept.
pub(super) type Kept = Vec<(RoleId, u8)>;

impl Env {
    /// The slot in which a role is kept.
    pub(super) fn kept(&self, role: &str) -> Option<u8> {
        self.kept.iter().find(|(kept, _)| **kept == *role).map(|(_, slot)| *slot)
    }
}

impl Cx<'_> {
    /// Lowers what is laid down with the roles in these phrases kept, and says which they are.
    pub(super) fn keeping<T>(
        &mut self,
        said: &[&Node],
        env: &mut Env,
        lower: impl FnOnce(&mut Self, &mut Env) -> Low<T>,
    ) -> Low<(T, Kept)> {
        let around = env.kept.len();
        let kept = self.keep(said, around, env)?;
        let lowered = lower(self, env);
        env.kept.truncate(around);
        Ok((lowered?, kept))
    }

    /// Keeps the roles in these phrases. The first `around` are kept by what has laid down the clause around this one, and
    /// stand in its slots already.
    pub(super) fn keep(&mut self, said: &[&Node], around: usize, env: &mut Env) -> Low<Kept> {
        let mut kept = Kept::new();
        for role in self.roles_in(said)? {
            let slot = match env.kept.iter().position(|(one, _)| *one == role) {
                Some(at) if at < around => continue,
                // total: the position has just been found
                Some(at) => env.kept.get(at).map_or(0, |(_, slot)| *slot),
                None => {
                    let slot = env.slot();
                    env.kept.push((role.clone(), slot));
                    slot
                }
            };
            kept.push((self.out.symbols.role(&role), slot));
        }
        Ok(kept)
    }

    /// The roles that phrases name, each once. None of them can be bound there.
    fn roles_in(&mut self, said: &[&Node]) -> Low<Vec<Arc<str>>> {
        let mut roles: Vec<Arc<str>> = Vec::new();
        let mut open: Vec<&Node> = said.iter().rev().copied().collect();
        while let Some(node) = open.pop() {
            if let View::Act(Act::LetRole { role, .. }) = node.view() {
                let text = format!("what an effect lays down knows who was `{}` then, and binds no role", role.name);
                return self.fail(Code::MisplacedClause, node.span, text, Some("bind a label: `let L be …`"));
            }
            node.op.terms(&mut |key| {
                if key.kind == TermKind::Role && !roles.contains(&key.name) {
                    roles.push(key.name.clone());
                }
            });
            open.extend(node.kids.iter().rev());
        }
        Ok(roles)
    }
}

/// All phrases of a clause and of those in its blocks.
pub(super) fn phrases(read: &ReadClause) -> Vec<&Node> {
    let mut phrases = Vec::new();
    let mut open = vec![read];
    while let Some(read) = open.pop() {
        phrases.extend(nodes(&read.kind));
        open.extend(blocks(&read.kind).into_iter().rev().flat_map(|block| block.iter().rev()));
    }
    phrases
}
