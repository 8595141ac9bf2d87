//! What new things take over from others: `create a CLASS as X from Y`.

use netrep_diagnostics::Code;
use netrep_ir::{AttrId, ClassId, Sel, Statement, Taken, Val};

use super::Linker;
use crate::finding::Diagnostic;

impl Linker {
    /// The figures that each new thing takes over: of those that are printed on something, the ones that things of both classes
    /// have and that are not given. It also knows what it comes from, as a thing printed on a card knows the card.
    pub(super) fn take_over(&mut self) {
        let (program, figures) = (&mut self.program, &self.figures);
        let attrs = &program.attrs;
        let both = |class: ClassId, other: ClassId| {
            let has = move |attr: &&AttrId| {
                let decl = attrs.get(attr.index());
                decl.is_some_and(|decl| decl.dynamic && decl.classes.contains(&class) && decl.classes.contains(&other))
            };
            figures.iter().filter(has).copied().collect::<Vec<AttrId>>()
        };
        let mut idle = Vec::new();
        for (statement, site) in program.blocks.iter_mut().flat_map(|block| &mut block.statements) {
            let Statement::Create { class, values, from: Some(from), .. } = statement else { continue };
            let Taken { of, class: other, figures } = &mut **from;
            let shared = both(*class, *other);
            if shared.is_empty() {
                idle.push((*site, *class, *other));
            }
            figures.extend(shared.into_iter().filter(|attr| values.iter().all(|(given, _)| given != attr)));
            let host = program.services.hosts.iter().find(|(of, _)| of == class).map(|(_, host)| *host);
            if let Some(host) = host.filter(|host| values.iter().all(|(given, _)| given != host)) {
                let source = match *other == program.services.card {
                    true => Some(of.clone()),
                    // What comes of a thing like itself comes of the same card.
                    false if other == class => Some(Sel::Image(host, Box::new(of.clone()))),
                    false => None,
                };
                values.extend(source.map(|source| (host, Val::Things(source))));
            }
        }
        for (site, class, other) in idle {
            let name = |class: ClassId| program.classes.get(class.index()).map_or("", |class| class.name.as_str());
            let text = format!("no figure is one of a {} and of a {} too: nothing is taken over", name(other), name(class));
            let Some(site) = program.sites.get(site.index()) else { continue };
            let found = Diagnostic::new(Code::NothingFollows, site.place.clone(), text);
            self.diags.push(found.help("give what the new thing has by `with FACT VALUE, …`"));
        }
    }
}
