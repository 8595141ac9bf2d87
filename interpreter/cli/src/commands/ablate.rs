//! `netrep ablate`: what no scenario notices.

use netrep_lab::ablate::{Ablated, Noticed, Which, ablate};
use netrep_lab::exempt::exemptions_of;
use netrep_lab::memo::Memo;
use netrep_lab::{Library, Verdict};

use crate::output::{Show, count};
use crate::scenarios::{scenarios, threads};
use crate::{Outcome, Wrong};

/// Ablates items.
pub(crate) fn ablate_items(show: &Show, library: &Library, which: Which<'_>) -> Result<Outcome, Wrong> {
    let all = scenarios(show, library, &[], false)?;
    let exempt = exemptions_of(&library.files).map_err(Wrong::Diags)?;
    if let Some(item) = which.items.iter().find(|key| library.compiler.items().iter().all(|item| *item.key != ***key)) {
        return Err(Wrong::Usage(format!("no item is called `{item}`")));
    }
    let json = show.json();
    let mut progress = |one: &Ablated| {
        if !json {
            show.line(ablated_words(show, one));
        }
    };
    let result = ablate(&library.compiler, &all, Memo::<Verdict>::default(), which, &exempt, threads(0), &mut progress);
    Ok(show.reply(Outcome::of(result.clean()), &result, || {
        for name in &result.failing {
            show.line(format!("left out, because it fails as it is: {name}"));
        }
        show.diags(&result.needless, &|file| library.text(file));
        let of = |test: &dyn Fn(&Noticed) -> bool| result.changes.iter().filter(|one| test(&one.outcome)).count();
        let unnoticed = of(&|outcome| *outcome == Noticed::Nobody);
        let exempt = of(&|outcome| matches!(outcome, Noticed::Exempt(_)));
        let changes = count(result.changes.len(), "change", "changes");
        show.line(format!("{changes}: {unnoticed} unnoticed, {exempt} exempt"));
    }))
}

fn ablated_words(show: &Show, one: &Ablated) -> String {
    let what = match one.number {
        Some((from, to)) => format!("{} {}: {from} → {to}", one.item, one.label),
        None => format!("{} {}: left out", one.item, one.label),
    };
    match &one.outcome {
        Noticed::By(name) => format!("{} {what}, noticed by “{name}”", show.paint("32", "✓")),
        Noticed::Compiler(error) => format!("{} {what}, does not compile: {error}", show.paint("32", "✓")),
        Noticed::Exempt(reason) => format!("{} {what}, exempt: {reason}", show.paint("33", "–")),
        Noticed::Nobody => format!("{} {what}, unnoticed", show.paint("31", "✗")),
    }
}
