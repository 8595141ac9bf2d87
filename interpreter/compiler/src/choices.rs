//! What is wrong under an edition or with a reading that the default edition does not choose.

use std::collections::BTreeSet;

use netrep_diagnostics::Code;
use netrep_ir::Place;

use crate::compiler::{Compiler, Items, linked, sorted};
use crate::db::Db;
use crate::finding::Diagnostic;
use crate::inputs::Profile;
use crate::kept;
use crate::link::{Fitting, LinkItem, Whole};
use crate::queries::between::between_print;
use crate::queries::items::{Item, is_whole};
use crate::queries::layers::{ProfileKey, editions, ruling_outline, rulings};
use crate::queries::report::{header_place, version_diags};
use crate::queries::version::{Version, versions_beside};

impl Compiler {
    /// What is wrong only between the items, each of which may be right by itself, under an edition or with a reading that
    /// the default edition does not choose.
    pub fn check_choices(&self) -> Vec<Diagnostic> {
        let kept = self.kept();
        kept::or_else(kept, "choices", &(), || {
            kept::unless_right(kept, "right", || between_print(&self.db), || self.checked_choices())
        })
    }

    fn checked_choices(&self) -> Vec<Diagnostic> {
        if self.are_choices_sound_still() {
            return Vec::new();
        }
        let told = self.work_out_choices();
        self.keep_choices(&told);
        told
    }

    fn work_out_choices(&self) -> Vec<Diagnostic> {
        let Items { items, diags: own, .. } = self.link_items(&Profile::default());
        let mut whole = Whole::of(&items, self.db.planted());
        let common: BTreeSet<Diagnostic> =
            sorted(whole.found.iter().cloned().chain(own).collect()).into_iter().collect();
        let mut diags = self.check_readings(&items, &mut whole, &common);
        // What a reading makes wrong by itself is told with it, not once more with an edition that chooses it.
        let of_readings: BTreeSet<(Code, Place, String)> =
            diags.iter().map(|diag| (diag.code, diag.place.clone(), diag.message.clone())).collect();
        for edition in editions(&self.db) {
            let Items { items, .. } = self.link_items(&Profile::edition(edition.key(&self.db)));
            for diag in sorted(whole.beside(&items)).into_iter().filter(|diag| !common.contains(diag)) {
                if !of_readings.contains(&(diag.code, diag.place.clone(), diag.message.clone())) {
                    let text = format!("under edition `{}`", edition.key(&self.db));
                    diags.push(diag.and(header_place(&self.db, edition), text));
                }
            }
        }
        sorted(diags)
    }

    /// What is wrong with a reading in the place of what the default edition reads, of which these are the items.
    fn check_readings(
        &self,
        items: &[LinkItem],
        whole: &mut Whole<'_>,
        common: &BTreeSet<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let fitting = Fitting::of(items);
        let known = |item: Item<'_>| {
            let is_it = |i: &LinkItem| i.item.key == *item.key(&self.db) && Some(&*i.item.head) == item.head(&self.db);
            items.iter().position(is_it)
        };
        let default = ProfileKey::new(&self.db, Profile::default());
        let mut diags = Vec::new();
        for ruling in rulings(&self.db).filter(|ruling| is_whole(&self.db, *ruling)) {
            for (nth, (reading, _)) in ruling_outline(&self.db, ruling).iter().enumerate() {
                let said = |diag: Diagnostic| {
                    let text = format!("under reading `{reading}` of {}", ruling.key(&self.db));
                    diag.and(header_place(&self.db, ruling), text)
                };
                let under = |whole: &mut Whole<'_>| {
                    let profile = Profile::default().with(ruling.key(&self.db), reading);
                    self.wrong_under(&profile, |items| whole.beside(items))
                };
                let found = match versions_beside(&self.db, default, ruling, nth) {
                    Some(versions) => {
                        let wrong: Vec<Version<'_>> = versions
                            .iter()
                            .copied()
                            .filter(|one| version_diags(&self.db, *one).iter().any(Diagnostic::is_error))
                            .collect();
                        // What a reading says wrongly by itself is told where every reading is looked at.
                        let beside = wrong.iter().filter(|one| one.rulings(&self.db) > 1);
                        diags.extend(beside.flat_map(|one| version_diags(&self.db, *one).iter().cloned()).map(said));
                        if !wrong.is_empty() {
                            continue;
                        }
                        let others: Option<Vec<(usize, LinkItem)>> = versions
                            .iter()
                            .map(|one| Some((known(one.item(&self.db))?, linked(&self.db, *one)?)))
                            .collect();
                        match others {
                            Some(others)
                                if others.iter().all(|(nth, new)| fitting.fits(*nth, new))
                                    && whole.functions_with(&others) =>
                            {
                                continue;
                            }
                            Some(others) => sorted(whole.with(&others)),
                            None => under(whole),
                        }
                    }
                    None => under(whole),
                };
                diags.extend(found.into_iter().filter(|diag| diag.is_error() && !common.contains(diag)).map(said));
            }
        }
        diags
    }
}
