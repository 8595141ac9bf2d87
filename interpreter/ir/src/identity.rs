//! What everything in a program is called, so that positions, rolls and saved games know it again.
//!
//! Ids are dense and hang on what else is declared; nothing that outlives a program may rest on them. What is declared by
//! a word is called by that word, a clause by its item and label, and what a clause holds by the clause and a number. Words
//! that have been renamed go on under the name that they had before ([`Program::former`]), so a new spelling changes no
//! hash and breaks no saved game. Rolls are keyed without any word of the vocabulary ([`roll_key`]).

use std::borrow::Cow;

use rustc_hash::{FxBuildHasher, FxHashMap};
use xxhash_rust::xxh3::xxh3_64;

use crate::clause::ClauseDecl;
use crate::declare::VerbDecl;
use crate::ids::*;
use crate::program::Program;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)*) => {
        /// The kinds of id that a position refers to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum IdKind { $($(#[$doc])* $kind,)* }

        impl IdKind {
            /// All kinds.
            pub const ALL: &'static [IdKind] = &[$(IdKind::$kind,)*];

            /// How a saved game calls the kind.
            pub fn name(self) -> &'static str {
                match self { $(IdKind::$kind => $name,)* }
            }
        }
    };
}

kinds! {
    /// [`ClassId`]
    Class = "classes",
    /// [`EntryId`]
    Entry = "entries",
    /// [`AttrId`]
    Attr = "attributes",
    /// [`VerbId`]
    Verb = "verbs",
    /// [`RoleId`]
    Role = "roles",
    /// [`PlaceId`]
    Place = "places",
    /// [`ProcId`]
    Proc = "procedures",
    /// [`StepId`]
    Step = "steps",
    /// [`ClauseId`]
    Clause = "clauses",
    /// [`BlockId`]
    Block = "blocks",
    /// [`SiteId`]
    Site = "sites",
    /// [`AllowanceId`]
    Allowance = "allowances",
    /// [`TriggerId`]
    Trigger = "triggers",
    /// [`ModifierId`]
    Modifier = "modifiers",
    /// [`NormId`]
    Norm = "norms",
    /// [`SpareId`]
    Spare = "spares",
}

/// What the ids of a kind are called, in the order of the ids.
fn named(program: &Program, kind: IdKind) -> Vec<String> {
    let renamed = Renamed::new(&program.former);
    let old = |name: &str| renamed.former(name).into_owned();
    let of_clause = |id: ClauseId| clause_name(&renamed, &program.clauses[id.index()]);
    let list = |id: ListId| old(&program.list(id).name);
    let proc = |id: ProcId| old(&program.proc(id).name);
    match kind {
        IdKind::Class => program.classes.iter().map(|c| old(&c.name)).collect(),
        IdKind::Entry => program.entries.iter().map(|e| format!("{}/{}", list(e.list), old(&e.name))).collect(),
        IdKind::Attr => program.attrs.iter().map(|a| old(&a.name)).collect(),
        IdKind::Verb => {
            let name = |v: &VerbDecl| match v.moment {
                None => format!("{} ({})", old(&v.forms[0]), of_clause(v.clause)),
                Some(_) => v.forms.each_ref().map(|form| old(form)).join(" / "),
            };
            program.verbs.iter().map(name).collect()
        }
        IdKind::Role => program.roles.iter().map(|r| old(&r.name)).collect(),
        IdKind::Place => program.places.iter().map(|p| old(&p.name)).collect(),
        IdKind::Proc => program.procs.iter().map(|p| old(&p.name)).collect(),
        IdKind::Step => program.steps.iter().map(|s| format!("{}/{}", proc(s.proc), old(&s.name))).collect(),
        IdKind::Clause => clause_names(&renamed, &program.clauses),
        IdKind::Block => program.blocks.iter().map(|b| of_clause(b.clause)).collect(),
        IdKind::Site => program.sites.iter().map(|s| of_clause(s.clause)).collect(),
        IdKind::Allowance => program.allowances.iter().map(|a| of_clause(a.clause)).collect(),
        IdKind::Trigger => program.triggers.iter().map(|t| of_clause(t.clause)).collect(),
        IdKind::Modifier => program.modifiers.iter().map(|m| of_clause(m.clause)).collect(),
        IdKind::Norm => program.norms.iter().map(|n| of_clause(n.clause)).collect(),
        IdKind::Spare => program.spares.iter().map(|s| of_clause(s.clause)).collect(),
    }
}

/// What the ids of a kind are called, in the order of the ids and each different: the second of one name is `name#2`.
pub(crate) fn names(program: &Program, kind: IdKind) -> Vec<String> {
    let mut all = named(program, kind);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|a, b| (&all[*a], a).cmp(&(&all[*b], b)));
    let mut numbers = vec![1; all.len()];
    for pair in order.windows(2) {
        if all[pair[0]] == all[pair[1]] {
            numbers[pair[1]] = numbers[pair[0]] + 1;
        }
    }
    for (name, n) in all.iter_mut().zip(numbers) {
        if n > 1 {
            name.push_str(&format!("#{n}"));
        }
    }
    all
}

/// An item and the label of a clause in it.
fn clause_name(renamed: &Renamed, clause: &ClauseDecl) -> String {
    named_in(&renamed.former(&clause.item), renamed, clause)
}

/// The same of all clauses of a program, in which those of one item follow each other.
fn clause_names(renamed: &Renamed, clauses: &[ClauseDecl]) -> Vec<String> {
    let mut names = Vec::with_capacity(clauses.len());
    for of_item in clauses.chunk_by(|one, next| one.item == next.item) {
        if let Some(first) = of_item.first() {
            let item = renamed.former(&first.item);
            names.extend(of_item.iter().map(|clause| named_in(&item, renamed, clause)));
        }
    }
    names
}

fn named_in(item: &str, renamed: &Renamed, clause: &ClauseDecl) -> String {
    let label = clause.label.strip_prefix(&*clause.item).unwrap_or(&clause.label);
    let label = if clause.derived { renamed.former(label) } else { Cow::Borrowed(label) };
    [item, &label].concat()
}

/// Words and rows of words that have been renamed, found by their first word.
#[derive(Clone, Debug, Default)]
pub struct Renamed<'a>(FxHashMap<&'a str, Vec<(&'a str, &'a str)>>);

impl<'a> Renamed<'a> {
    /// Of pairs: what something is called, and what it was called before. Of two rows with one first word the longer is
    /// found first, and of two that are equal always the same, wherever they are written.
    pub fn new(pairs: &'a [(String, String)]) -> Renamed<'a> {
        let mut rows: FxHashMap<&str, Vec<(&str, &str)>> = FxHashMap::default();
        for (new, old) in pairs.iter().filter(|(new, _)| !new.is_empty()) {
            rows.entry(first_word(new)).or_default().push((new, old));
        }
        rows.values_mut().for_each(|rows| rows.sort_by_key(|(new, old)| (std::cmp::Reverse(new.len()), *old)));
        Renamed(rows)
    }

    /// A text with every word or row of words that is called otherwise now as it was called before. The longest row is
    /// taken first; what has no name of before stays.
    pub fn former<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut said = Cow::Borrowed("");
        // What comes before is said already, up to where it is as it was.
        let (mut kept, mut at) = (0, 0);
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let word = first_word(rest);
            let known = self.0.get(word).and_then(|rows| rows.iter().find(|(new, _)| begins(rest, new)));
            match known {
                Some((new, old)) => {
                    let said = said.to_mut();
                    said.push_str(&text[kept..at]);
                    said.push_str(old);
                    at += new.len();
                    kept = at;
                }
                // A row that is not renamed is gone over a word (or what stands between words) at a time.
                None if word.is_empty() => at += rest.chars().take(1).map(char::len_utf8).sum::<usize>(),
                None => at += word.len(),
            }
        }
        if kept == 0 {
            return Cow::Borrowed(text);
        }
        said.to_mut().push_str(&text[kept..]);
        said
    }
}

/// Whether a text begins with a row of words, and no word of it goes on behind the row.
fn begins(text: &str, row: &str) -> bool {
    text.strip_prefix(row).is_some_and(|rest| !rest.starts_with(in_word))
}

/// The word with which a text begins; empty if it begins with something else.
fn first_word(text: &str) -> &str {
    // Most words are of plain letters.
    let plain = text.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(text.len());
    let rest = &text[plain..];
    &text[..plain + rest.find(|c| !in_word(c)).unwrap_or(rest.len())]
}

/// Whether a character is part of a word; a stroke joins two words.
fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '\'' | '&')
}

/// Numbers that stand for the names of a program's ids: equal in every program in which something is called so.
#[derive(Clone, Debug)]
pub struct Identities {
    of: Vec<Vec<u64>>,
}

impl Identities {
    /// The names of all that a program declares.
    pub fn new(program: &Program) -> Identities {
        let clauses = told_apart(hashes(program, IdKind::Clause));
        let within = |kind: IdKind, ids: &mut dyn Iterator<Item = ClauseId>| {
            let of_clause = ids.map(|id| mixed(clauses[id.index()], kind as u64 + 1));
            told_apart(of_clause.collect())
        };
        let of = |kind: &IdKind| match kind {
            IdKind::Clause => clauses.clone(),
            IdKind::Block => within(*kind, &mut program.blocks.iter().map(|b| b.clause)),
            IdKind::Site => within(*kind, &mut program.sites.iter().map(|s| s.clause)),
            IdKind::Allowance => within(*kind, &mut program.allowances.iter().map(|a| a.clause)),
            IdKind::Trigger => within(*kind, &mut program.triggers.iter().map(|t| t.clause)),
            IdKind::Modifier => within(*kind, &mut program.modifiers.iter().map(|m| m.clause)),
            IdKind::Norm => within(*kind, &mut program.norms.iter().map(|n| n.clause)),
            IdKind::Spare => within(*kind, &mut program.spares.iter().map(|s| s.clause)),
            _ => told_apart(hashes(program, *kind)),
        };
        Identities { of: IdKind::ALL.iter().map(of).collect() }
    }

    /// What stands for the name of an id; 0 for one that the program does not have.
    #[inline]
    pub fn of(&self, kind: IdKind, id: u16) -> u64 {
        // total: a position may cite no place, and one that was saved a clause or place that is gone; all of them count alike.
        self.of[kind as usize].get(usize::from(id)).copied().unwrap_or(0)
    }
}

/// The names of the ids of a kind as numbers; of clauses, without any that repeat a name made different.
fn hashes(program: &Program, kind: IdKind) -> Vec<u64> {
    named(program, kind).iter().map(|name| xxh3_64(name.as_bytes())).collect()
}

/// The second of one number becomes another number, and so on.
fn told_apart(mut all: Vec<u64>) -> Vec<u64> {
    let mut seen: FxHashMap<u64, u64> = FxHashMap::with_capacity_and_hasher(all.len(), FxBuildHasher);
    for one in &mut all {
        let times = seen.entry(*one).or_default();
        *times += 1;
        if *times > 1 {
            *one = mixed(*one, *times);
        }
    }
    all
}

/// What keys the rolls of a clause: its item, and the label that its author gave it or the word that says what kind of
/// sentence it is. `None` for the declaration of a word, which has no name but the word.
pub fn roll_key(clause: &ClauseDecl) -> Option<u64> {
    // The name of an item that declares a word holds a blank.
    if clause.item.contains(' ') {
        return None;
    }
    // total: a clause that does not name its item first has no label in it.
    let label = clause.label.strip_prefix(&*clause.item).unwrap_or_default().trim();
    let label = match label.split_once(' ') {
        Some((first, _)) if clause.derived => first,
        _ => label,
    };
    Some(xxh3_64(format!("{}\0{label}", clause.item).as_bytes()))
}

/// One number of two, spread over all bits.
#[inline]
pub fn mixed(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    let [low, high] = [product as u64, (product >> 64) as u64];
    (low ^ high).wrapping_add(a.rotate_left(29)).wrapping_mul(0xff51_afd7_ed55_8ccd)
}
