//! `netrep coverage`: how much of a game is there, and how much of it scenarios notice.

use netrep_compiler::Profile;
use netrep_lab::ablate::{Ablated, Which, ablate, size};
use netrep_lab::coverage::{Awaiting, Coverage, Element, NUMBERS, Totals, coverage as measure, reach};
use netrep_lab::exempt::exemptions_of;
use netrep_lab::memo::Memo;
use netrep_lab::{Library, Verdict};

use crate::commands::look_at;
use crate::output::{Show, count};
use crate::scenarios::{scenarios, threads};
use crate::{Outcome, Wrong};

/// Lists of numbers and ids are broken at this width.
const WIDTH: usize = 100;

/// Words that serve more items than this are told together.
const FEW: usize = 5;

/// Measures the data.
pub(crate) fn coverage(show: &Show, library: &Library, quick: bool) -> Result<Outcome, Wrong> {
    look_at(show, library, &Profile::default())?;
    let totals = Totals::read(&library.files).map_err(Wrong::Diags)?;
    if totals.numbers.is_none() {
        show.warn(format!("there is no {NUMBERS}, so the rules that are written count as all"));
    }
    let all = scenarios(show, library, &[], false)?;
    let exempt = exemptions_of(&library.files).map_err(Wrong::Diags)?;
    let reached = reach(&library.compiler, &all, &exempt, threads(0));
    let ablation = if quick {
        show.warn("ablation is left out, so it is not known what is tested".to_owned());
        None
    } else {
        let bar = show.progress(size(&library.compiler, &[]) as u64);
        bar.set_message("every scenario");
        bar.tick();
        let mut progress = |one: &Ablated| {
            bar.set_message(one.item.clone());
            bar.inc(1);
        };
        let found = ablate(
            &library.compiler,
            &all,
            Memo::<Verdict>::default(),
            Which::whole(&[]),
            &exempt,
            threads(0),
            &mut progress,
        );
        bar.finish_and_clear();
        Some(found)
    };
    let found = measure(&library.compiler, &totals, reached, ablation.as_ref());
    if !found.failing.is_empty() {
        let failing = count(found.failing.len(), "scenario", "scenarios");
        show.warn(format!("{failing} that fail as they are notice nothing: {}", found.failing.join(", ")));
    }
    Ok(show.reply(Outcome::Clean, &found, || {
        rules(show, &found);
        cards(show, &found);
        words(show, &found);
        effects(show, library, &found);
        differences(show, &found);
    }))
}

/// A share in whole percent, rounded down: nothing is complete before it is.
fn percent(part: usize, whole: usize) -> String {
    match (part * 100).checked_div(whole) {
        Some(n) => format!("{n} %"),
        // total: of nothing there is no share
        None => String::new(),
    }
}

/// A number that may be unknown.
fn known(n: Option<usize>) -> String {
    match n {
        Some(n) => n.to_string(),
        None => "?".to_owned(),
    }
}

fn rules(show: &Show, found: &Coverage) {
    let rules = &found.rules;
    show.line(show.paint("1", "Rules"));
    let row = |name: &str, n: usize| show.line(format!("  {name:16}{n:>5}{:>7}", percent(n, rules.total)));
    row("in all", rules.total);
    row("data", rules.data);
    row("  resting", rules.resting);
    match rules.tested {
        Some(n) => row("  tested", n),
        None => show.line(format!("  {:16}{:>5}", "  tested", "?")),
    }
    row("not mechanical", rules.not_mechanical);
    row("missing", rules.missing);
    let awaits = |one: &Awaiting| {
        let begun = if one.begun { ", begun" } else { "" };
        format!("    {} {}{begun}: {}", one.rule, one.title, one.awaits.join("; "))
    };
    if !rules.awaiting.is_empty() {
        show.line(format!("  missing, because they wait ({}):", rules.awaiting.len()));
        rules.awaiting.iter().for_each(|one| show.line(awaits(one)));
    }
    list(show, "missing, no rule has the number", &rules.absent);
    list(show, "missing, nothing is said or it does not compile", &rules.broken);
    list(show, "data, but a change goes unnoticed", &rules.untested);
    list(show, "resting on other clauses, but no scenario cites them", &rules.uncited);
    list(show, "data by the meaning of the language", &rules.language);
    list(show, "data by a note alone", &rules.noted);
    list(show, "data in which there is nothing to change", &rules.unchangeable);
    list(show, "numbers that the rulebook does not have", &rules.beyond);
    show.line("");
}

fn cards(show: &Show, found: &Coverage) {
    show.line(show.paint("1", "Cards"));
    show.line(format!("  {:8}{:>7}{:>10}{:>7}{:>9}{:>9}", "set", "in all", "complete", "", "partial", "tested"));
    let row = |set: &str, total: usize, complete: usize, partial: usize, tested: Option<usize>| {
        let share = percent(complete, total);
        show.line(format!("  {set:8}{total:>7}{complete:>10}{share:>7}{partial:>9}{:>9}", known(tested)));
    };
    for (set, cards) in &found.cards {
        row(set, cards.total, cards.complete, cards.partial, cards.tested);
    }
    let sum = |of: &dyn Fn(&netrep_lab::coverage::Cards) -> usize| found.cards.iter().map(|(_, one)| of(one)).sum();
    let tested = found.cards.iter().map(|(_, one)| one.tested).sum::<Option<usize>>().filter(|_| !found.quick);
    row("all", sum(&|one| one.total), sum(&|one| one.complete), sum(&|one| one.partial), tested);
    for (set, cards) in &found.cards {
        list(show, &format!("{set}: partial"), &cards.partial_cards);
        list(show, &format!("{set}: do not compile"), &cards.broken);
        list(show, &format!("{set}: a change goes unnoticed"), &cards.untested);
        list(show, &format!("{set}: there is nothing to change"), &cards.unchangeable);
    }
    show.line("");
}

fn words(show: &Show, found: &Coverage) {
    let words = &found.words;
    show.line(show.paint("1", "Words"));
    let share = percent(words.single_card, words.total);
    show.line(format!("  {} in all; {} serve one card and nothing else: {share}", words.total, words.single_card));
    for one in words.by_users.iter().filter(|one| one.users <= FEW) {
        show.line(format!("  {:>5} serve {}", one.words, count(one.users, "item", "items")));
    }
    let more: usize = words.by_users.iter().filter(|one| one.users > FEW).map(|one| one.words).sum();
    show.line(format!("  {more:>5} serve more"));
    let single: Vec<String> =
        words.single.iter().map(|one| format!("{} {} ({})", one.kind, one.word, one.card)).collect();
    list(show, "serve one card", &single);
    list(show, "serve nothing", &words.unused);
}

fn effects(show: &Show, library: &Library, found: &Coverage) {
    let reach = &found.reach;
    show.line("");
    show.line(show.paint("1", "What takes effect in scenarios"));
    for one in &reach.kinds {
        show.line(format!(
            "  {:16}{:>5} of {:>4}{:>7}",
            one.kind,
            one.reached,
            one.total,
            percent(one.reached, one.total)
        ));
    }
    let words = |one: &Element| format!("{} ({} {}): {}", one.cited(), one.kind, one.about, one.text);
    if !reach.exempt.is_empty() {
        show.line(format!("  never, with a reason ({}):", reach.exempt.len()));
        reach.exempt.iter().for_each(|one| show.line(format!("    {}: {}", one.element.cited(), one.reason)));
    }
    if !reach.unreached.is_empty() {
        show.line(format!("  never, and no reason is given ({}):", reach.unreached.len()));
        reach.unreached.iter().for_each(|one| show.line(format!("    {}", words(one))));
    }
    show.diags(&reach.needless, &|file| library.text(file));
}

fn differences(show: &Show, found: &Coverage) {
    show.line("");
    show.line(show.paint("1", "Printed sentences that cards share and say differently"));
    for one in &found.sisters {
        show.line(format!("  {}:", one.printed));
        for told in &one.told {
            show.line(format!("    {}", told.cards.join(", ")));
            told.says.iter().for_each(|says| show.line(format!("      {says}")));
        }
    }
}

/// A list on as few lines as it needs; nothing, if it is empty.
fn list(show: &Show, what: &str, names: &[String]) {
    if names.is_empty() {
        return;
    }
    show.line(format!("  {what} ({}):", names.len()));
    let mut line = String::new();
    for name in names {
        if !line.is_empty() && line.chars().count() + name.chars().count() + 2 > WIDTH {
            show.line(format!("    {line}"));
            line.clear();
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(name);
    }
    show.line(format!("    {line}"));
}
