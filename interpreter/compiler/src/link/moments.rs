//! The moments that clauses wait for, as verbs of the program that no word says.

use netrep_diagnostics::Code;
use netrep_ir::{AttrId, ClauseId, EntryId, FrameRole, Moment, ProcId, StepId, ValueKind, VerbDecl};

use super::tables::add;
use super::{LinkItem, Linker, Tables};
use crate::lower::{Awaited, LowMoment};

impl Linker {
    /// Gives ids to the moments that an item waits for.
    pub(super) fn declare_moments(&mut self, item: &LinkItem) {
        for moment in &item.lowered.moments {
            if add(&mut self.tables.verbs, &moment.name).1 {
                self.program.verbs.push(unknown(moment));
            }
        }
    }

    /// Gives ids to those of an item that stands in the place of another, behind all others: no other item asks for them.
    pub(super) fn further_moments(item: &LinkItem, tables: &mut Tables) {
        for moment in &item.lowered.moments {
            add(&mut tables.verbs, &moment.name);
        }
    }

    /// Says of each what it is, when procedures, steps and attributes are known.
    pub(super) fn describe_moments(&mut self, items: &[LinkItem], tables: &Tables) {
        for item in items {
            for moment in &item.lowered.moments {
                let Some(id) = tables.verbs.get(&moment.name).copied() else { continue };
                let decl = match &moment.what {
                    Awaited::Bounds { procedure, step, end } => {
                        // A procedure that nobody declares is told by its name.
                        let Some(proc) = tables.procs.get(procedure).copied().map(ProcId) else { continue };
                        let step = match step {
                            None => None,
                            Some(step) => match tables.steps.get(&(proc.0, step.clone())).copied().map(StepId) {
                                Some(id) if self.program.proc(proc).steps.contains(&id) => Some(id),
                                _ => {
                                    let names = self.program.proc(proc).steps.iter();
                                    let names: Vec<&str> = names.map(|s| self.program.step(*s).name.as_str()).collect();
                                    let text = format!("`{procedure}` has no step `{step}`");
                                    let help = format!("its steps are: {}", names.join(", "));
                                    self.error(item, moment.span, Code::UnlistedStep, text, Some(help));
                                    continue;
                                }
                            },
                        };
                        self.bounds(proc, step, *end)
                    }
                    Awaited::Change { fact, entry, becomes } => {
                        let Some(attr) = tables.attrs.get(fact).copied().map(AttrId) else { continue };
                        let entry = match entry {
                            None => None,
                            Some(entry) => match tables.entries.get(entry).copied().map(EntryId) {
                                Some(entry) => Some(entry),
                                None => continue,
                            },
                        };
                        self.change(attr, entry, *becomes)
                    }
                };
                if let Some(slot) = self.program.verbs.get_mut(usize::from(id)) {
                    *slot = decl;
                }
            }
        }
    }

    fn bounds(&self, proc: ProcId, step: Option<StepId>, end: bool) -> VerbDecl {
        let decl = self.program.proc(proc);
        let role = |(slot, class): &(u8, netrep_ir::ClassId)| FrameRole {
            slot: *slot,
            word: "of".to_owned(),
            class: *class,
            optional: true,
        };
        let (moment, what, clause) = match (step, end) {
            (None, false) => (Moment::Starts(proc), decl.name.clone(), decl.clause),
            (None, true) => (Moment::Ends(proc), decl.name.clone(), decl.clause),
            (Some(step), end) => {
                let of = self.program.step(step);
                let moment = if end { Moment::StepEnds(step) } else { Moment::StepStarts(step) };
                (moment, format!("step {} of {}", of.name, decl.name), of.clause)
            }
        };
        let does = if end { "ends" } else { "begins" };
        VerbDecl {
            name: format!("{what} {does}"),
            forms: [what, does.to_owned(), String::new()],
            roles: decl.parameters.iter().map(role).collect(),
            clause,
            slots: decl.slots,
            moment: Some(moment),
            ..nothing()
        }
    }

    fn change(&self, attr: AttrId, entry: Option<EntryId>, becomes: bool) -> VerbDecl {
        let decl = self.program.attr(attr);
        let does = if becomes { "becomes" } else { "ceases to be" };
        // A fact that is yes or no is so, or is no longer so.
        let so = (decl.kind == ValueKind::Flag).then(|| "so".to_owned());
        let term: String =
            entry.map(|entry| self.program.entries[entry.index()].name.clone()).or(so).into_iter().collect();
        let role = |slot: u8, class| FrameRole { slot, word: String::new(), class, optional: true };
        let mut roles: Vec<FrameRole> = decl.classes.first().map(|class| role(0, *class)).into_iter().collect();
        if let ValueKind::Thing(class) | ValueKind::Things(class) = decl.kind {
            roles.push(role(1, class));
        }
        VerbDecl {
            name: format!("{} {does} {term}", decl.name).trim_end().to_owned(),
            forms: [decl.name.clone(), does.to_owned(), term],
            slots: 2,
            roles,
            moment: Some(if becomes { Moment::Becomes(attr, entry) } else { Moment::Ceases(attr, entry) }),
            ..nothing()
        }
    }
}

fn nothing() -> VerbDecl {
    VerbDecl {
        name: String::new(),
        forms: Default::default(),
        roles: Vec::new(),
        subject: None,
        object: None,
        clause: ClauseId(0),
        needs: Vec::new(),
        body: None,
        leaves: Vec::new(),
        slots: 0,
        moment: None,
    }
}

/// A moment of which it is not known yet what it is.
fn unknown(moment: &LowMoment) -> VerbDecl {
    VerbDecl { name: moment.name.to_string(), ..nothing() }
}
