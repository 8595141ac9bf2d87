//! What is wrong under a reading is found by what it changes; it must be what is found when everything is looked at. Each clause of
//! a regatta is taken away, and said with other words, by a reading of its own.

use std::collections::BTreeSet;

use netrep_compiler::{Compiler, Diagnostic, Planted, Profile};
use netrep_diagnostics::Code;

use crate::mistakes::FILES;

/// What a regatta needs beside it so that it is asked where clauses function, what is set of whom, and what follows from verbs.
const HARBOUR: [(&str, &str); 2] = [
    ("rules/harbour.rules", include_str!("regatta/harbour.rules")),
    ("cards/harbour.cards", include_str!("regatta/harbour.cards")),
];

/// Words in the place of others: of roles, verbs, facts, things, times, names and clauses.
const OTHERWISE: &[(&str, &str)] = &[
    ("skipper", "time"),
    ("skipper", "rival"),
    ("rival", "skipper"),
    ("H ends", "heel leader of racers of H"),
    ("scuttle", "heel"),
    ("abandon", "end"),
    ("\"Long Sound\"", "\"Long Soudn\""),
    ("\"Old Quay\"", "\"Slack Water\""),
    ("boat", "crate"),
    ("length", "draught"),
    ("length", "weight"),
    ("weight", "length"),
    ("+1 length max 8", "+length of A-1 length"),
    ("each boat in fleet of this gets +1 length", "each boat gets +length of this length"),
    ("each boat in fleet of this gets +1 length", "must scuttle this"),
    ("during season", "during docking"),
    ("perform heat", "perform docking"),
    ("for each heat against P as H { perform heat for H }", "perform season for P"),
    ("steps ashore", "steps ashore, aboard"),
    ("steps muster, sailing, finish", "steps muster, sailing"),
    ("procedure docking", "procedure mooring"),
    ("let rival be opponent of leader of racers of H;", ""),
    ("let rival be opponent of leader of racers of H.", ""),
    ("let skipper be leader of racers of H.", ""),
    ("let time be R + length of heat", "let rival be opponent of skipper"),
    ("1.i late", "1.i finish"),
    ("1.i late", "2 docking"),
    ("a heat that is Begun cannot be abandoned", "at the end of docking: set outcome of leg to Won"),
    ("a heat that is Begun cannot be abandoned", "when a boat joins fleet of a player: scuttle it"),
    ("a heat that is Begun cannot be abandoned", "while length of heat > 3: heat gets +1 length"),
    ("when a boat joins fleet of this: scuttle this", "when a boat is scuttled: scuttle this"),
    ("moored", "painted"),
    ("luffs", "weathers"),
    ("weathers", "luffs"),
    ("in deep of owner of C", "in sea of owner of C"),
];

/// A clause of an item, and its text without what labels it.
struct Said {
    key: String,
    label: String,
    text: String,
}

/// The clauses that can be amended.
fn clauses(compiler: &Compiler) -> Vec<Said> {
    let items = compiler.items().into_iter().filter(|item| matches!(item.head, "rule" | "card"));
    let of_item = |item: netrep_compiler::views::ItemView| {
        let clauses = compiler.clauses(item.head, &item.key, &Profile::default());
        clauses.into_iter().filter(|clause| clause.setter.is_empty()).map(move |clause| (item.key.to_string(), clause))
    };
    let said = |(key, clause): (String, netrep_compiler::views::ClauseView)| {
        let file = compiler.text(&clause.place.file).expect("a file");
        let text = &file[clause.place.start as usize..clause.place.end as usize];
        let text = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((_, text)) => text.trim(),
            None => text,
        };
        Said { key, label: clause.label.to_string(), text: text.to_owned() }
    };
    items.flat_map(of_item).map(said).collect()
}

/// A ruling for each clause, with its readings.
fn rulings(compiler: &Compiler) -> (String, Vec<(String, String)>) {
    let (mut text, mut all) = (String::new(), Vec::new());
    for (nth, Said { key, label, text: said }) in clauses(compiler).iter().enumerate() {
        let mut readings = vec![format!("remove {key} {label}.")];
        for (was, is) in OTHERWISE.iter().filter(|(was, _)| said.contains(was)) {
            readings.push(format!("replace {key} {label} {{ [{label}] {} }}", said.replace(was, is)));
        }
        text += &format!("ruling Z-{nth} \"Is it so?\" {{\n    about {key}.\n    reading so {{ authority \"x\". }}\n");
        for (at, amends) in readings.iter().enumerate() {
            text += &format!("    reading other-{at} {{ authority \"y\". {amends} }}\n");
            all.push((format!("Z-{nth}"), format!("other-{at}")));
        }
        text += "}\n";
    }
    (text, all)
}

/// What is told, without the places to which it leads further.
fn plain<'d>(diags: impl IntoIterator<Item = &'d Diagnostic>) -> BTreeSet<(Code, String, u32, String)> {
    let plain = |diag: &Diagnostic| (diag.code, diag.place.file.to_string(), diag.place.start, diag.message.clone());
    diags.into_iter().filter(|diag| diag.is_error()).map(plain).collect()
}

/// The regatta with its harbour and a ruling for each clause; the readings.
fn ruled() -> (Compiler, Vec<(String, String)>) {
    let mut compiler = Compiler::new();
    compiler.set_files(FILES.iter().copied().chain(HARBOUR));
    let (text, readings) = rulings(&compiler);
    compiler.set_file("rules/choices.rulings", &text);
    (compiler, readings)
}

#[test]
fn what_a_reading_makes_wrong_is_what_is_wrong_when_everything_is_looked_at() {
    let (compiler, readings) = ruled();
    let common = plain(&compiler.check_under(&Profile::default()));
    let alone: BTreeSet<_> = plain(&compiler.check()).difference(&common).cloned().collect();
    assert_eq!(common, BTreeSet::new());
    let told = compiler.check_choices();
    let mut found = BTreeSet::new();
    let mut compared = 0;
    for (ruling, reading) in &readings {
        let whole = plain(&compiler.check_under(&Profile::default().with(ruling, reading)));
        if !whole.is_disjoint(&alone) {
            // What a reading says wrongly by itself is told where every reading is looked at.
            continue;
        }
        let under = format!("under reading `{reading}` of {ruling}");
        let own = told.iter().filter(|diag| diag.labels.last().is_some_and(|label| label.text == under));
        let wrong: BTreeSet<_> = whole.difference(&common).cloned().collect();
        assert_eq!(plain(own), wrong, "{ruling} {reading}");
        found.extend(wrong.iter().map(|(code, ..)| *code));
        compared += 1;
    }
    assert!(compared > 80, "{compared} of {}", readings.len());
    use Code::{
        CircularModifiers, MissingStep, NeverEnds, NeverFunctions, NothingFollows, TermRepeated, UnboundRole,
        UnknownName, UnlistedStep, WrongTarget,
    };
    let lost = [MissingStep, TermRepeated, UnboundRole, UnknownName, UnlistedStep, WrongTarget];
    let each = [CircularModifiers, NeverEnds, NeverFunctions, NothingFollows].into_iter().chain(lost);
    assert_eq!(found, each.collect());
    // Whatever of what is otherwise is not looked at, that is noticed.
    for planted in Planted::READINGS {
        let (mut compiler, _) = ruled();
        compiler.plant(planted);
        assert_ne!(plain(&compiler.check_choices()), plain(&told), "{planted:?} is not noticed");
    }
}
