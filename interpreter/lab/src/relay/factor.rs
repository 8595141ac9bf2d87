//! Positions from which several blocks of a section start: what they have in common is written once, above the first of them.

use std::collections::BTreeSet;
use std::ops::Range;

use netrep_grammar::tree::Clause;
use netrep_grammar::{Fence, fences, parse_clauses};

use super::name::{self, Named, name_of};
use super::{WIDTH, block};

/// A position is written if so many lines fewer remain.
const WORTH: usize = 2;

/// Blocks farther from each other than this are not compared.
const NEAR: usize = 12;

/// A block of a file, and the sentences of its `given`.
struct Block {
    /// The rank and number of the heading below which it stands.
    section: usize,
    /// Where its `given` stands in the file.
    range: Range<usize>,
    /// Where what introduces the block begins.
    above: usize,
    lines: Vec<String>,
}

/// A file with what the blocks of a section have in common in blocks of their own.
pub(super) fn factored(text: &str) -> String {
    let all = fences(text);
    let mut names: Named = all.iter().filter_map(|fence| Some((named(fence)?, sentences(text, fence)))).collect();
    let mut open = blocks(text, &all);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let sections: BTreeSet<usize> = open.iter().map(|block| block.section).collect();
    // Long lists first, in the whole file.
    for section in std::iter::once(None).chain(sections.into_iter().map(Some)) {
        while let Some((common, users, name)) = best(&open, section, &names) {
            names.insert(name.clone(), common.clone());
            let from = format!("from {name}.");
            // total: a position that saves lines has users
            let above =
                users.iter().filter_map(|nth| open.get(*nth)).map(|block| block.above).min().unwrap_or_default();
            let written = block(&joined(&common));
            edits.push((above..above, format!("```position {name}\n{written}\n```\n\n")));
            let mut kept = Vec::new();
            for (nth, one) in open.into_iter().enumerate() {
                if users.contains(&nth) {
                    let own = one.lines.iter().filter(|line| !common.contains(line)).cloned();
                    let lines: Vec<String> = std::iter::once(from.clone()).chain(own).collect();
                    edits.push((one.range, block(&joined(&lines))));
                } else {
                    kept.push(one);
                }
            }
            open = kept;
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for (range, new) in edits {
        out.push_str(&text[done..range.start]);
        out.push_str(&new);
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// The name of a block that is a position.
fn named(fence: &Fence) -> Option<String> {
    fence.info.strip_prefix("position ").map(str::to_owned)
}

/// What a position says, sentence by sentence.
fn sentences(text: &str, fence: &Fence) -> Vec<String> {
    let inside = &text[fence.content.clone()];
    let given = parse_clauses(inside).into_iter().flatten().filter(|clause| clause.head() == "given");
    given.flat_map(|clause| clause.block).flatten().map(|clause| written(inside, &clause)).collect()
}

/// A sentence on one line.
fn written(inside: &str, clause: &Clause) -> String {
    let text = &inside[clause.span.start as usize..clause.span.end as usize];
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The blocks that could start from a position.
fn blocks(text: &str, all: &[Fence]) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut sections: Vec<&[String]> = Vec::new();
    let mut above = 0;
    for fence in all {
        // What introduces it begins behind the block or heading above it.
        let between = &text[above..fence.range.start];
        // total: without a heading it begins behind the block above it, or at the beginning of the file.
        let heading = between.rmatch_indices("\n#").next().map_or(0, |(at, _)| at + 1);
        let prose = &between[heading..];
        let line = if prose.starts_with('#') { prose.find('\n').map_or(prose.len(), |at| at + 1) } else { 0 };
        let blank = prose[line..].len() - prose[line..].trim_start_matches(['\n', ' ']).len();
        let start = above + heading + line + blank;
        above = fence.range.end;
        if !fence.info.starts_with("scenario") {
            continue;
        }
        // Headings of the first and second rank.
        let headings = &fence.headings[..fence.headings.len().min(2)];
        let section = match sections.iter().position(|own| *own == headings) {
            Some(section) => section,
            None => {
                sections.push(headings);
                sections.len() - 1
            }
        };
        let inside = &text[fence.content.clone()];
        let Ok(clauses) = parse_clauses(inside) else { continue };
        let given: Vec<&Clause> = clauses.iter().filter(|clause| clause.head() == "given").collect();
        let [one] = given.as_slice() else { continue };
        let range = fence.content.start + one.span.start as usize..fence.content.start + one.span.end as usize;
        let sentences = one.block.iter().flatten();
        let starts = one.block.iter().flatten().any(|line| matches!(line.head(), "from" | "begin"));
        if starts || text[range.clone()].contains("//") {
            continue;
        }
        let lines = sentences.flat_map(|clause| parts(&written(inside, clause))).collect();
        found.push(Block { section, range, above: start, lines });
    }
    found
}

/// What blocks have in common, which they are, and the name of the position that says it.
type Shared = (Vec<String>, Vec<usize>, String);

/// What saves the most lines in a section, or as a long list in the file. A position of one block is none.
fn best(blocks: &[Block], section: Option<usize>, names: &Named) -> Option<Shared> {
    let here = |block: &Block| section.is_none_or(|section| block.section == section);
    let own: Vec<(usize, &Block)> = blocks.iter().enumerate().filter(|(_, block)| here(block)).collect();
    let mut tried: BTreeSet<Vec<&String>> = BTreeSet::new();
    let mut best: Option<(usize, Shared)> = None;
    for (nth, (_, one)) in own.iter().enumerate() {
        for (_, other) in own.iter().skip(nth + 1).take(NEAR) {
            let common: Vec<&String> = one.lines.iter().filter(|line| other.lines.contains(line)).collect();
            let tells = |line: &String| match section {
                Some(_) => is_of_a_thing(line),
                None => line.chars().count() > WIDTH,
            };
            if !common.iter().any(|line| tells(line)) || !tried.insert(common.clone()) {
                continue;
            }
            let common: Vec<String> = common.into_iter().cloned().collect();
            let name = name_of(&common, names);
            let from = format!("from {name}.");
            let mut saved = 0;
            let mut users = Vec::new();
            for (at, block) in own.iter().filter(|(_, block)| common.iter().all(|line| block.lines.contains(line))) {
                let rest = block.lines.iter().filter(|line| !common.contains(line)).cloned();
                let lines: Vec<String> = std::iter::once(from.clone()).chain(rest).collect();
                let (before, after) = (height(&block.lines), height(&lines));
                if after < before {
                    saved += before - after;
                    users.push(*at);
                }
            }
            let price = height(&common);
            let gain = saved.saturating_sub(price);
            if users.len() > 1 && gain >= WORTH && best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, (common, users, name)));
            }
        }
    }
    best.map(|(_, found)| found)
}

/// A sentence that says several things of one (`ONE: THIS; THAT.`) as so many sentences.
fn parts(line: &str) -> Vec<String> {
    let (mut cuts, mut quoted, mut depth) = (Vec::new(), false, 0u32);
    let mut subject = None;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && cuts.is_empty() && subject.is_none() => subject = Some(at),
            ';' if depth == 0 => cuts.push(at),
            _ => {}
        }
    }
    let (Some(colon), false) = (subject, cuts.is_empty()) else { return vec![line.to_owned()] };
    let (whole, rest) = line.split_at(colon);
    // What stands in brackets is said of it once.
    let (plain, own) = match whole.split_once(" (") {
        Some((plain, _)) => (plain, vec![format!("{whole}.")]),
        None => (whole, Vec::new()),
    };
    let starts = std::iter::once(0).chain(cuts.iter().map(|cut| cut - colon));
    let ends = cuts.iter().map(|cut| cut - colon).chain(std::iter::once(rest.len()));
    let said = starts.zip(ends).map(|(from, to)| {
        let said = rest[from..to].trim_start_matches([':', ';', ' ']).trim_end_matches('.');
        format!("{plain}: {said}.")
    });
    own.into_iter().chain(said).collect()
}

/// Sentences one after the other that say something of the same one, as one.
fn joined(lines: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in lines {
        match out.last_mut() {
            Some(last) if continues(last, line) => {
                let begun = last.trim_end_matches('.');
                let sign = if begun.contains(": ") { ";" } else { ":" };
                // total: a sentence that says more of somebody has a colon
                let said = line.split_once(": ").map_or("", |(_, said)| said);
                *last = format!("{begun}{sign} {said}");
            }
            _ => out.push(line.clone()),
        }
    }
    out
}

/// Whether a sentence says more of the one of whom the sentence before it speaks.
fn continues(before: &str, line: &str) -> bool {
    let subject = line.split_once(": ").map(|(subject, _)| subject);
    let spoken_of = before.split([':', '.']).next().and_then(|whole| whole.split(" (").next());
    subject.is_some() && subject == spoken_of && subject.is_some_and(|subject| !subject.contains(['"', '(', ' ']))
}

/// So many lines a block takes.
fn height(lines: &[String]) -> usize {
    let written = block(&joined(lines));
    match written.lines().count() {
        1 => 1,
        more => more.saturating_sub(2),
    }
}

/// Whether a sentence is the line of a thing that is no card, with a name in it.
fn is_of_a_thing(line: &str) -> bool {
    netrep_grammar::parse_sentence(line).is_ok_and(|tokens| name::is_of_a_thing(&tokens))
}
