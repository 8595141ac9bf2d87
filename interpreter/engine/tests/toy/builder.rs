//! A toy program under construction: declarations get their numbers, clauses their places.

use netrep_ir::*;

use super::*;

/// A program under construction.
pub(crate) struct Toy {
    pub p: Program,
}

impl Toy {
    pub(crate) fn clause(&mut self, label: &str, card: Option<CardId>) -> ClauseId {
        self.p.clauses.push(ClauseDecl {
            label: label.into(),
            derived: false,
            item: label.split(' ').next().unwrap().into(),
            title: label.into(),
            setter: Text::default(),
            place: Place { file: "toy".into(), start: 0, end: 0 },
            text: format!("the text of {label}").into(),
            sources: vec![],
            card,
            reprints: None,
        });
        ClauseId::from_index(self.p.clauses.len() - 1)
    }
    pub(crate) fn site(&mut self, clause: ClauseId, text: &str) -> SiteId {
        let place = Place { file: "toy".into(), start: 0, end: 0 };
        self.p.sites.push(Site { clause, place, text: text.into() });
        SiteId::from_index(self.p.sites.len() - 1)
    }
    pub(crate) fn block(&mut self, clause: ClauseId, statements: Vec<Statement>) -> BlockId {
        let label = format!("{} block {}", self.p.clauses[clause.index()].label, self.p.blocks.len());
        let mut with = Vec::new();
        for (i, s) in statements.into_iter().enumerate() {
            let site = self.site(clause, &format!("{label}.{i}"));
            with.push((s, site));
        }
        self.p.blocks.push(Block { label, clause, statements: with });
        BlockId::from_index(self.p.blocks.len() - 1)
    }
    pub(crate) fn attr(
        &mut self,
        name: &str,
        kind: ValueKind,
        dynamic: bool,
        default: i32,
        classes: &[ClassId],
    ) -> AttrId {
        let source = Source::Stored { default };
        self.p.attrs.push(AttrDecl {
            name: name.into(),
            kind,
            source,
            dynamic,
            classes: classes.to_vec(),
            anew: None,
            names: false,
        });
        AttrId::from_index(self.p.attrs.len() - 1)
    }
    pub(crate) fn verb(&mut self, forms: [&str; 3], class: ClassId, body: Vec<Statement>) -> VerbId {
        let clause = self.clause(&format!("verb {}", forms[0]), None);
        let body = if body.is_empty() { None } else { Some(self.block(clause, body)) };
        self.p.verbs.push(VerbDecl {
            name: forms[0].into(),
            forms: forms.map(String::from),
            roles: vec![FrameRole { slot: 0, word: String::new(), class, optional: false }],
            subject: None,
            object: Some(0),
            clause,
            needs: vec![],
            body,
            leaves: vec![],
            slots: 1,
            moment: None,
        });
        VerbId::from_index(self.p.verbs.len() - 1)
    }
    pub(crate) fn card(&mut self, id: &str, name: &str, strength: i32, hues: &[EntryId]) -> CardId {
        self.p.names.push(name.into());
        self.p.cards.push(CardDecl {
            id: id.into(),
            name: NameId::from_index(self.p.names.len() - 1),
            class: PLANT,
            figures: vec![(STRENGTH, Printed::Number(strength)), (HUES, Printed::Entries(hues.to_vec()))],
            parts: vec![],
            clauses: vec![],
            reprint_of: None,
            partial: vec![],
        });
        CardId::from_index(self.p.cards.len() - 1)
    }
    pub(crate) fn allowance(&mut self, clause: ClauseId, words: &str) -> Allowance {
        Allowance {
            clause,
            card: None,
            within: None,
            carriers: None,
            ends: None,
            action: None,
            by: role(),
            words: words.into(),
            parameters: vec![],
            requirements: vec![],
            during: vec![],
            limit: None,
            cost: None,
            effect: None,
            acts: vec![],
            footprint: vec![],
            despite: vec![],
            delayed: false,
            slots: 4,
        }
    }
    pub(crate) fn trigger(&mut self, clause: ClauseId, verb: VerbId, of: Sel, body: Vec<Statement>) -> TriggerId {
        let body = self.block(clause, body);
        let card = self.p.clauses[clause.index()].card;
        let pattern = Pattern { verb, roles: vec![(Some(of), Some(0))] };
        self.p.triggers.push(Trigger {
            clause,
            card,
            within: None,
            carriers: None,
            ends: None,
            pattern,
            cond: None,
            body,
            instead: false,
            immediate: false,
            timing: None,
            delayed: false,
            slots: 2,
        });
        TriggerId::from_index(self.p.triggers.len() - 1)
    }
    pub(crate) fn modifier(&mut self, clause: ClauseId, attr: AttrId, subject: Sel, change: Change) -> ModifierId {
        let card = self.p.clauses[clause.index()].card;
        self.p.modifiers.push(Modifier {
            clause,
            card,
            within: None,
            carriers: None,
            ends: None,
            attr,
            subject,
            cond: None,
            change,
            delayed: false,
            slots: 4,
        });
        ModifierId::from_index(self.p.modifiers.len() - 1)
    }
    pub(crate) fn norm(&mut self, clause: ClauseId, kind: NormKind, verb: VerbId, of: Sel) -> NormId {
        let card = self.p.clauses[clause.index()].card;
        let pattern = Pattern { verb, roles: vec![(Some(of), None)] };
        self.p.norms.push(Norm {
            clause,
            card,
            within: None,
            carriers: None,
            ends: None,
            kind,
            by: None,
            pattern,
            cond: None,
            delayed: false,
            slots: 1,
        });
        NormId::from_index(self.p.norms.len() - 1)
    }
    pub(crate) fn step(&mut self, proc: ProcId, name: &str, body: Vec<Statement>) -> StepId {
        let clause = self.clause(&format!("{} {name}", self.p.procs[proc.index()].name), None);
        let body = self.block(clause, body);
        self.p.steps.push(StepDecl { name: name.into(), proc, body, clause });
        let step = StepId::from_index(self.p.steps.len() - 1);
        self.p.procs[proc.index()].steps.push(step);
        step
    }
    pub(crate) fn proc(&mut self, name: &str, parameters: &[(u8, ClassId)], fixed: bool) -> ProcId {
        let clause = self.clause(name, None);
        self.p.procs.push(ProcDecl {
            name: name.into(),
            clause,
            parameters: parameters.to_vec(),
            prologue: None,
            steps: vec![],
            fixed,
            guard: None,
            slots: 6,
        });
        ProcId::from_index(self.p.procs.len() - 1)
    }

    /// Declarations, verbs and procedures, without cards.
    pub(crate) fn bare() -> Toy {
        let mut t = Toy { p: Program::default() };
        t.clause("nothing", None);
        for name in ["gardener", "plant", "pebble"] {
            t.p.classes.push(ClassDecl { name: name.into() });
        }
        for (list, names) in [("posture", ["Standing", "Lying"]), ("hue", ["Red", "Blue"])] {
            let id = ListId::from_index(t.p.lists.len());
            let mut entries = Vec::new();
            for name in names {
                entries.push(EntryId::from_index(t.p.entries.len()));
                t.p.entries.push(EntryDecl { name: name.into(), list: id });
            }
            t.p.lists.push(ListDecl { name: list.into(), entries });
        }
        t.attr("keeper", ValueKind::Thing(GARDENER), true, 0, &[PLANT]);
        t.attr("posture", ValueKind::Entry(ListId(0)), true, 1, &[PLANT]);
        t.attr("strength", ValueKind::Number, true, 0, &[PLANT]);
        t.attr("hues", ValueKind::Entries(ListId(1)), true, 0, &[PLANT]);
        t.attr("luck", ValueKind::Number, true, 0, &[GARDENER]);
        t.attr("under", ValueKind::Thing(PLANT), true, 0, &[PEBBLE]);
        t.attr("sturdy", ValueKind::Flag, true, 0, &[PLANT]);
        t.p.attrs[STURDY.index()].source = Source::Flag(Sel::NumIs(STRENGTH, CmpOp::Ge, b(Num::Int(4))));
        t.attr("wealth", ValueKind::Number, false, 0, &[GARDENER]);
        t.p.attrs[WEALTH.index()].source =
            Source::Number(Num::Total(STRENGTH, b(and([in_field(), kept_by(Sel::It(0))]))));
        t.attr("friends", ValueKind::Things(PLANT), true, 0, &[PLANT]);
        t.attr("weather", ValueKind::NumberFor(ListId(1)), true, 0, &[GARDENER]);
        t.attr("marked", ValueKind::Flag, true, 0, &[PLANT]);
        t.attr("shown", ValueKind::Things(GARDENER), true, 0, &[PLANT]);
        t.p.roles.push(RoleDecl { name: "current".into(), number: false });
        for (name, owned, ordered, secrecy) in [
            ("field", false, false, Secrecy::Open),
            ("basket", true, false, Secrecy::Owner),
            ("heap", true, true, Secrecy::Hidden),
            ("mulch", true, false, Secrecy::Open),
            ("limbo", false, false, Secrecy::Open),
        ] {
            t.p.places.push(PlaceDecl { name: name.into(), owned, ordered, secrecy });
        }
        let set = |attr, value| Statement::Set { attr, of: Sel::Slot(0), value };
        t.verb(["lower", "lowers", "lowered"], PLANT, vec![set(POSTURE, Val::Entry(Ent::Entry(LIES)))]);
        t.verb(["raise", "raises", "raised"], PLANT, vec![set(POSTURE, Val::Entry(Ent::Entry(STANDS)))]);
        t.verb(["play", "plays", "played"], PLANT, vec![]);
        let away = Statement::Put { what: Sel::Slot(0), place: MULCH, of: None, bottom: false };
        t.verb(["wilt", "wilts", "wilted"], PLANT, vec![away]);
        let more = Num::Add(b(Num::Base(LUCK, b(Sel::Slot(0)))), b(Num::Int(1)));
        t.verb(["praise", "praises", "praised"], GARDENER, vec![set(LUCK, Val::Num(more))]);
        let clause = t.p.verbs[LOWER.index()].clause;
        let (up, down) = (t.site(clause, "standing"), t.site(clause, "still lying"));
        t.p.verbs[LOWER.index()].needs = vec![(Cond::Some(and([Sel::Slot(0), is(STANDS)])), up)];
        t.p.verbs[LOWER.index()].leaves = vec![(Cond::Some(and([Sel::Slot(0), is(LIES)])), down)];
        t.p.services = Services {
            player: GARDENER,
            card: PLANT,
            controller: Some(KEEPER),
            functioning: Some(in_field()),
            orderer: Some(role()),
            described: vec![(PEBBLE, UNDER)],
            revealed: Some(SHOWN),
            ..Services::default()
        };
        t
    }

    /// The kinds of declaration: `play hastily` performs its effect, `play` puts the plant into the field.
    pub(crate) fn actions(&mut self) {
        let own = Sel::In(BASKET, Some(b(role())));
        for (label, last) in [("hasty", MULCH), ("slow", FIELD)] {
            let clause = self.clause(label, None);
            let put = |place| Statement::Put { what: Sel::This, place, of: None, bottom: false };
            let declare = self.block(clause, vec![put(LIMBO)]);
            let keep = Statement::Set { attr: KEEPER, of: Sel::This, value: Val::Things(role()) };
            let resolve = self.block(clause, vec![Statement::ActionEffect, keep, put(last)]);
            let negate = self.block(clause, vec![put(MULCH)]);
            self.p.actions.push(ActionDecl {
                verb: PLAY,
                from: own.clone(),
                by: role(),
                clause,
                declare: Some(declare),
                resolve,
                negate: Some(negate),
                lasting: None,
                requirements: vec![],
                slots: 1,
            });
        }
    }
}
