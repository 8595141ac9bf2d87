//! What new things take over from others: `a new CLASS from Y`.

use netrep_diagnostics::Code;
use netrep_ir::{AttrId, Brought, Change, ClassId, Sel, Statement, Taken, Val};

use super::Linker;
use super::places::clause_span;
use super::tables::Tables;
use crate::finding::Diagnostic;
use crate::link::LinkItem;

impl Linker {
    /// The facts that things of both classes have, of those that are printed on some things and stored with what is made.
    fn shared(&self, class: ClassId, other: ClassId) -> Vec<AttrId> {
        let has = |attr: &&AttrId| {
            let decl = self.program.attrs.get(attr.index());
            decl.is_some_and(|decl| decl.dynamic && decl.classes.contains(&class) && decl.classes.contains(&other))
        };
        self.figures.iter().filter(has).copied().collect()
    }

    /// The figures that each new thing takes over: those that things of both classes have and that are not given. It also knows
    /// what it comes from, as a thing printed on a card knows the card.
    pub(super) fn take_over(&mut self) {
        let mut modifiers = std::mem::take(&mut self.program.modifiers);
        for modifier in &mut modifiers {
            let (host, Change::Bring(brought)) = (modifier.attr, &mut modifier.change) else { continue };
            let Brought { class, values, from: Some(from) } = &mut **brought else { continue };
            let is_given = |attr: &AttrId| *attr == host || values.iter().any(|(given, _)| given == attr);
            from.figures.extend(self.shared(*class, from.class).into_iter().filter(|attr| !is_given(attr)));
        }
        self.program.modifiers = modifiers;
        let mut blocks = std::mem::take(&mut self.program.blocks);
        let (hosts, card) = (&self.program.services.hosts, self.program.services.card);
        for (statement, _) in blocks.iter_mut().flat_map(|block| &mut block.statements) {
            let Statement::Create { class, values, from: Some(from), .. } = statement else { continue };
            let Taken { of, class: other, figures } = &mut **from;
            let is_given = |attr: &AttrId| values.iter().any(|(given, _)| given == attr);
            figures.extend(self.shared(*class, *other).into_iter().filter(|attr| !is_given(attr)));
            let host = hosts.iter().find(|(of, _)| of == class).map(|(_, host)| *host);
            if let Some(host) = host.filter(|host| !is_given(host)) {
                let source = match *other == card {
                    true => Some(of.clone()),
                    // What comes of a thing like itself comes of the same card.
                    false if other == class => Some(Sel::Image(host, Box::new(of.clone()))),
                    false => None,
                };
                values.extend(source.map(|source| (host, Val::Things(source))));
            }
        }
        self.program.blocks = blocks;
    }

    /// Refuses to say by a modifier what a state holds that is read as it is stored.
    pub(super) fn check_held(&mut self, items: &[LinkItem], tables: &Tables) {
        let services = &self.program.services;
        let stored = [services.controller, services.revealed, services.concealed];
        for i in items {
            for modifier in i.lowered.modifiers.iter().filter(|one| matches!(one.change, Change::Hold(_))) {
                let name = i.lowered.symbols.attrs.get(modifier.attr.index());
                let Some((name, id)) = name.and_then(|name| Some((name, AttrId(*tables.attrs.get(name)?)))) else {
                    continue;
                };
                if stored.contains(&Some(id)) {
                    let text = format!("`{name}` is asked as it is stored, so a modifier cannot say what it is");
                    let span = clause_span(i, modifier.clause);
                    let found = Diagnostic::new(Code::NotSupported, i.places.place(span), text);
                    self.diags.push(found.help("`set` it, or do what changes it"));
                }
            }
        }
    }

    /// Tells where nothing is taken over.
    pub(super) fn check_taken(&mut self, items: &[LinkItem], tables: &Tables) {
        for i in items {
            let statements = i.lowered.blocks.iter().flat_map(|block| &block.statements);
            let made = statements.filter_map(|(statement, site)| match statement {
                Statement::Create { class, from: Some(from), .. } => {
                    Some((*class, from.class, i.lowered.sites.get(site.index())?.span))
                }
                _ => None,
            });
            let brought = i.lowered.modifiers.iter().filter_map(|modifier| match &modifier.change {
                Change::Bring(brought) => {
                    Some((brought.class, brought.from.as_ref()?.class, clause_span(i, modifier.clause)))
                }
                _ => None,
            });
            for (class, other, span) in made.chain(brought) {
                let name = |class: ClassId| i.lowered.symbols.classes.get(class.index());
                let Some((class, other)) = name(class).zip(name(other)) else { continue };
                let id = |name: &str| tables.classes.get(name).map(|id| ClassId(*id));
                // Of a class that is not declared only that is told.
                let Some((one, two)) = id(class).zip(id(other)) else { continue };
                if !self.shared(one, two).is_empty() {
                    continue;
                }
                let text = format!("no figure is one of a {other} and of a {class} too: nothing is taken over");
                let found = Diagnostic::new(Code::NothingFollows, i.places.place(span), text);
                self.diags.push(found.help("give what the new thing has by `with FACT VALUE, …`"));
            }
        }
    }
}
