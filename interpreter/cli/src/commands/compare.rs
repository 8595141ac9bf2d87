//! `netrep compare`: a matrix of verdicts, who agrees with whom, and why.

use std::path::PathBuf;

use netrep_compiler::Profile;
use netrep_lab::Library;
use netrep_lab::compare::{Because, Comparison, Matrix, compare};

use crate::args::Compare;
use crate::commands::look_at;
use crate::output::{Show, count};
use crate::scenarios::{scenarios, threads};
use crate::{Outcome, Wrong};

/// The letters of the groups.
const LETTERS: [char; 12] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'];

/// Of more scenarios than this it is not told where they part, unless it is asked for.
const TOLD: usize = 3;

/// Of more scenarios than this only those are listed whose verdict is not the same everywhere.
const ROWS: usize = 60;

/// So many ways in which profiles agree are listed.
const SIDES: usize = 10;

/// So many sets of rulings are named.
const CAUSES: usize = 6;

/// Runs scenarios under several profiles.
pub(crate) fn compare_files(show: &Show, library: &Library, asked: &Compare) -> Result<Outcome, Wrong> {
    let profiles = profiles(library, asked)?;
    for profile in &profiles {
        look_at(show, library, profile)?;
    }
    let paths: Vec<PathBuf> = asked.paths.clone();
    let scenarios = scenarios(show, library, &paths, true)?;
    let matrix = compare(&library.compiler, &scenarios, &profiles, threads(asked.jobs));
    Ok(show.reply(Outcome::Clean, &matrix, || {
        let apart: Vec<&Comparison> = matrix.scenarios.iter().filter(|one| one.groups.len() > 1).collect();
        table(show, &matrix, asked);
        sides(show, &matrix, asked.all);
        if asked.partings || apart.len() <= TOLD {
            apart.iter().for_each(|one| partings(show, one));
        } else {
            show.line("`--partings` tells where each of them parts");
        }
        show.line(format!(
            "{} of {} the same under {}; {}, {} not needed",
            matrix.scenarios.len() - apart.len(),
            count(matrix.scenarios.len(), "scenario", "scenarios"),
            count(matrix.profiles.len(), "profile", "profiles"),
            count(matrix.ran, "run", "runs"),
            matrix.spared,
        ));
    }))
}

fn profiles(library: &Library, asked: &Compare) -> Result<Vec<Profile>, Wrong> {
    let known: Vec<String> = library.compiler.editions().iter().map(|(edition, _)| edition.id.to_string()).collect();
    let mut wanted = asked.editions.clone();
    if wanted.is_empty() && asked.rulings.is_empty() && asked.as_of.is_empty() {
        // The default one first, against which the others are seen.
        let mut editions = library.compiler.editions();
        editions.sort_by_key(|(edition, _)| edition.default.is_none());
        wanted = editions.iter().map(|(edition, _)| edition.id.to_string()).collect();
    }
    if let Some(id) = wanted.iter().find(|id| !known.contains(id)) {
        return Err(Wrong::Usage(format!("no edition is called `{id}`; there are {}", known.join(", "))));
    }
    let mut profiles: Vec<Profile> = wanted.iter().map(|id| Profile::edition(id)).collect();
    for id in &asked.rulings {
        let all = library.compiler.rulings();
        let Some((ruling, _)) = all.iter().find(|(ruling, _)| *ruling.id == **id) else {
            let ids: Vec<String> = all.iter().map(|(ruling, _)| ruling.id.to_string()).collect();
            return Err(Wrong::Usage(format!("no ruling is called `{id}`; there are {}", ids.join(", "))));
        };
        let bases = if wanted.is_empty() { vec![Profile::default()] } else { profiles.clone() };
        profiles.retain(|profile| !bases.contains(profile));
        for base in bases {
            profiles.extend(ruling.readings.iter().map(|reading| base.clone().with(id, &reading.name)));
        }
    }
    for day in &asked.as_of {
        let bases = if wanted.is_empty() { vec![Profile::default()] } else { profiles.clone() };
        if wanted.is_empty() && profiles.is_empty() {
            profiles.push(Profile::default());
        }
        profiles.extend(bases.into_iter().map(|base| base.as_of(*day)));
    }
    Ok(profiles)
}

fn letter(group: usize) -> char {
    // total: groups for which there is no letter left share one sign.
    LETTERS.get(group).copied().unwrap_or('*')
}

/// Scenarios by profiles: a letter for each group that agrees, small where an expectation fails. Of many, those in which
/// only the course of things differs are left out.
fn table(show: &Show, matrix: &Matrix, asked: &Compare) {
    let apart = matrix.scenarios.iter().filter(|one| one.groups.len() > 1).count();
    let short = apart > ROWS && !asked.all && !asked.course;
    let is_row = |one: &&Comparison| asked.all || if short { one.flips() } else { one.groups.len() > 1 };
    let rows: Vec<&Comparison> = matrix.scenarios.iter().filter(is_row).collect();
    for (at, profile) in matrix.profiles.iter().enumerate() {
        show.line(format!("{:>3} {profile}", at + 1));
    }
    let numbers: Vec<String> = (1..=matrix.profiles.len()).map(|n| format!("{n:>2}")).collect();
    if !rows.is_empty() {
        show.line(show.paint("1", &numbers.join(" ")));
    }
    for one in &rows {
        let cell = |group: &usize| {
            let passed = one.groups.get(*group).is_some_and(|group| group.passed);
            let letter = letter(*group);
            let cell = format!(" {}", if passed { letter } else { letter.to_ascii_lowercase() });
            if *group == 0 { cell } else { show.paint("33", &cell) }
        };
        let cells: Vec<String> = one.row.iter().map(cell).collect();
        show.line(format!("{}  {}  ({})", cells.join(" "), one.scenario, one.file));
        if one.groups.len() > 1 {
            for (at, group) in one.groups.iter().enumerate() {
                let share = format!("{} of {}", group.profiles.len(), matrix.profiles.len());
                show.line(format!("      {} ({share}): {}", letter(at), group.outcome));
            }
        }
    }
    if !rows.is_empty() {
        show.line("The same letter: the same happens, and the script's questions are answered the same. A small one: an expectation of the scenario fails there.");
    }
    if short && apart > rows.len() {
        let more = count(apart - rows.len(), "more scenario", "more scenarios");
        show.line(format!("{more} in which something else happens, and every verdict is the same (--course)"));
    }
}

/// Who agrees against whom, and because of what.
fn sides(show: &Show, matrix: &Matrix, all: bool) {
    let Some(first) = matrix.profiles.first() else { return };
    for one in matrix.against.iter().filter(|one| one.count > 0) {
        let title = show.paint("1", &format!("{} against {first}", one.profile));
        let verdicts = if one.verdicts == 0 { "none".to_owned() } else { one.verdicts.to_string() };
        show.line(format!("{title}: {}, the verdict in {verdicts}", count(one.count, "scenario", "scenarios")));
        show.line(format!("    {}", because(&one.because, all)));
    }
    let most = if all { usize::MAX } else { SIDES };
    if matrix.profiles.len() > 2 {
        show.line(show.paint("1", "Who agrees with whom:"));
        for one in matrix.sides.iter().take(most) {
            let groups: Vec<String> = one.groups.iter().map(|group| group.join(", ")).collect();
            show.line(format!("{:>5}  {}", one.count, groups.join(&show.paint("2", " | "))));
            show.line(format!("         {}", because(&one.because, all)));
        }
        if matrix.sides.len() > most {
            show.line(format!("       … and {} other ways (--all)", matrix.sides.len() - most));
        }
    }
}

fn because(found: &[Because], all: bool) -> String {
    let most = if all { usize::MAX } else { CAUSES };
    let words = |one: &Because| match one.rulings.as_slice() {
        [] => format!("no ruling alone ({})", one.count),
        rulings => format!("{} ({})", rulings.join(" with "), one.count),
    };
    let mut list: Vec<String> = found.iter().take(most).map(words).collect();
    if found.len() > most {
        list.push(format!("… and {} more", found.len() - most));
    }
    format!("because of {}", list.join(", "))
}

fn partings(show: &Show, comparison: &Comparison) {
    show.line(format!("{}  {}", show.paint("1", &comparison.scenario), comparison.file));
    for (i, group) in comparison.groups.iter().enumerate() {
        let verdict = if group.passed { "every expectation holds" } else { "an expectation fails" };
        let steps = count(group.steps, "step", "steps");
        show.line(format!("  {}. {}: {steps}, {verdict}", letter(i), group.profiles.join(", ")));
        for failure in &group.failures {
            show.line(format!("       {failure}"));
        }
    }
    for parting in &comparison.partings {
        let other = letter(parting.group);
        show.line(format!("  A and {other} part {}:", parting.place()));
        for (letter, lines) in [('A', &parting.here), (other, &parting.there)] {
            for line in lines.iter().take(8) {
                show.line(format!("     {letter} | {line}"));
            }
        }
        for switch in &parting.because {
            show.line(format!("     because of {switch}"));
        }
    }
}
