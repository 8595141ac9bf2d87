//! Which moments of a program are waited for, and as what they are announced.

use netrep_ir::*;

/// What an attribute can come to hold, and hold no longer: an entry (a thing, or yes, if there is none).
pub(crate) struct Watched {
    pub entry: Option<EntryId>,
    pub becomes: Option<VerbId>,
    pub ceases: Option<VerbId>,
}

/// By procedure, step and attribute, what is announced of it. What nobody waits for is not announced.
#[derive(Default)]
pub(crate) struct Moments {
    starts: Vec<Option<VerbId>>,
    ends: Vec<Option<VerbId>>,
    step_starts: Vec<Option<VerbId>>,
    step_ends: Vec<Option<VerbId>>,
    facts: Vec<Vec<Watched>>,
}

impl std::fmt::Debug for Moments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Moments").field("starts", &self.starts).field("ends", &self.ends).finish_non_exhaustive()
    }
}

fn put(table: &mut [Option<VerbId>], at: usize, verb: VerbId) {
    if let Some(slot) = table.get_mut(at) {
        *slot = Some(verb);
    }
}

impl Moments {
    pub(crate) fn new(program: &Program) -> Moments {
        let (procs, steps) = (program.procs.len(), program.steps.len());
        let mut moments = Moments {
            starts: vec![None; procs],
            ends: vec![None; procs],
            step_starts: vec![None; steps],
            step_ends: vec![None; steps],
            facts: program.attrs.iter().map(|_| Vec::new()).collect(),
        };
        for (i, verb) in program.verbs.iter().enumerate() {
            let id = VerbId::from_index(i);
            let Some(moment) = verb.moment else { continue };
            match moment {
                Moment::Starts(proc) => put(&mut moments.starts, proc.index(), id),
                Moment::Ends(proc) => put(&mut moments.ends, proc.index(), id),
                Moment::StepStarts(step) => put(&mut moments.step_starts, step.index(), id),
                Moment::StepEnds(step) => put(&mut moments.step_ends, step.index(), id),
                Moment::Becomes(attr, entry) => moments.watched(attr, entry, |watched| watched.becomes = Some(id)),
                Moment::Ceases(attr, entry) => moments.watched(attr, entry, |watched| watched.ceases = Some(id)),
            }
        }
        moments
    }

    fn watched(&mut self, attr: AttrId, entry: Option<EntryId>, change: impl FnOnce(&mut Watched)) {
        let Some(list) = self.facts.get_mut(attr.index()) else { return };
        match list.iter_mut().find(|watched| watched.entry == entry) {
            Some(watched) => change(watched),
            None => {
                let mut watched = Watched { entry, becomes: None, ceases: None };
                change(&mut watched);
                list.push(watched);
            }
        }
    }

    pub(crate) fn starts(&self, proc: ProcId) -> Option<VerbId> {
        self.starts.get(proc.index()).copied().flatten()
    }

    pub(crate) fn ends(&self, proc: ProcId) -> Option<VerbId> {
        self.ends.get(proc.index()).copied().flatten()
    }

    pub(crate) fn step_starts(&self, step: StepId) -> Option<VerbId> {
        self.step_starts.get(step.index()).copied().flatten()
    }

    pub(crate) fn step_ends(&self, step: StepId) -> Option<VerbId> {
        self.step_ends.get(step.index()).copied().flatten()
    }

    /// What is waited for of an attribute.
    pub(crate) fn facts(&self, attr: AttrId) -> &[Watched] {
        &self.facts[attr.index()]
    }
}
