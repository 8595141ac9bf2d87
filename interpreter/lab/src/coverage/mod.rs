//! How much of a game is there: rules against the numbers of the rulebook, cards against the sets, words by whom they
//! serve; and how much of it scenarios notice.
//!
//! A number that no rule has, a rule that waits for something, and an item that does not compile are all missing:
//! what cannot run is not counted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_compiler::views::ItemView;
use netrep_compiler::{Compiler, Diagnostic, Profile};
use netrep_grammar::tree::{Clause, TokenKind};
use netrep_ir::Program;
use serde::{Serialize, Serializer};

use crate::ablate::{Ablated, Ablation, Noticed};
use crate::find::title;
use crate::prepare::resting;

mod reach;
mod sisters;
mod totals;
mod words;

pub use reach::{Element, Exempt, Kind, Reach, Watching, reach, reached};
pub(crate) use sisters::SENTENCE;
pub use sisters::{Awaited, Sisters, Told, awaited, sisters};
pub use totals::{NUMBERS, Totals};
pub use words::{Count, Single, Words};

/// How much is there.
#[derive(Clone, Debug, Serialize)]
pub struct Coverage {
    /// True if nothing was ablated, so that no one knows what is tested.
    pub quick: bool,
    /// The rules.
    pub rules: Rules,
    /// The cards, by set.
    #[serde(serialize_with = "by_set")]
    pub cards: Vec<(String, Cards)>,
    /// The vocabulary.
    pub words: Words,
    /// What takes effect in scenarios.
    pub reach: Reach,
    /// Printed sentences that cards share and say differently.
    pub sisters: Vec<Sisters>,
    /// Scenarios that fail, and so notice nothing.
    pub failing: Vec<String>,
}

/// The rules against the numbers of the rulebook: each is data, not mechanical or missing.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Rules {
    /// Numbers of the rulebook; rules, if no file names the numbers.
    pub total: usize,
    /// Said in clauses, resting on clauses, carried by the language or explained by a note.
    pub data: usize,
    /// Of these, those that rest on clauses of other items alone.
    pub resting: usize,
    /// Of these, those of which every change is noticed or exempt; nothing, if nothing was ablated.
    pub tested: Option<usize>,
    /// Those that a note says not to be mechanical.
    pub not_mechanical: usize,
    /// All others.
    pub missing: usize,
    /// Missing: what they wait for.
    pub awaiting: Vec<Awaiting>,
    /// Missing: numbers without a rule.
    pub absent: Vec<String>,
    /// Missing: rules without a clause, or that do not compile.
    pub broken: Vec<String>,
    /// Data of which a change goes unnoticed.
    pub untested: Vec<String>,
    /// Data that rests on clauses of other items, and no scenario that passes cites it.
    pub uncited: Vec<String>,
    /// Data that is carried by the meaning of the language itself, as its note says.
    pub language: Vec<String>,
    /// Data that only a note explains: nothing says which clauses make it so.
    pub noted: Vec<String>,
    /// Other data in which ablation finds nothing to change: without labels and numbers.
    pub unchangeable: Vec<String>,
    /// Rules whose number is not in the rulebook; they count for nothing above.
    pub beyond: Vec<String>,
}

/// A rule that waits for something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Awaiting {
    /// Its number.
    pub rule: String,
    /// Its title.
    pub title: String,
    /// What it waits for.
    pub awaits: Vec<String>,
    /// Whether some of it is said in clauses.
    pub begun: bool,
}

/// The cards of a set.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Cards {
    /// Cards of the set; of those that are written, if the data do not say how many there are.
    pub total: usize,
    /// Written and wholly expressed.
    pub complete: usize,
    /// Written, and saying which printed sentences they do not express.
    pub partial: usize,
    /// Of both, those of which every change is noticed or exempt; nothing, if nothing was ablated.
    pub tested: Option<usize>,
    /// The ids of those that are partial.
    pub partial_cards: Vec<String>,
    /// The ids of those that do not compile; they count for nothing above.
    pub broken: Vec<String>,
    /// The ids of those of which a change goes unnoticed.
    pub untested: Vec<String>,
    /// The ids of those in which ablation finds nothing to change.
    pub unchangeable: Vec<String>,
}

fn by_set<S: Serializer>(sets: &[(String, Cards)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(sets.iter().map(|(set, cards)| (set, cards)))
}

/// How a rule stands.
enum Standing {
    Data,
    Resting,
    Language,
    Noted,
    NotMechanical,
    Awaits(Vec<String>, bool),
    Broken,
}

/// What a note begins with that says why no clause can express a rule.
const NOT_MECHANICAL: &str = "not mechanical";
/// What a note begins with that says how the meaning of the language carries a rule.
const LANGUAGE: &str = "the language";

/// Measures the data, of which scenarios reach so much; `ablation` says what is tested, without it no one knows.
pub fn coverage(compiler: &Compiler, totals: &Totals, reach: Reach, ablation: Option<&Ablation>) -> Coverage {
    let errors: Vec<Diagnostic> = compiler.check().into_iter().filter(|diag| diag.is_error()).collect();
    let (program, _) = compiler.link(&Profile::default());
    let measure = Measure { compiler, program, errors, ablation, noticed: ablation.map(noticed) };
    let items = compiler.items();
    Coverage {
        quick: ablation.is_none(),
        rules: measure.rules(totals, &items),
        cards: measure.cards(&items),
        words: words::of(compiler),
        failing: reach.failing.clone(),
        reach,
        sisters: sisters(compiler),
    }
}

/// For each item that ablation changed: whether its changes are noticed.
fn noticed(ablation: &Ablation) -> BTreeMap<String, bool> {
    let mut by_item: BTreeMap<&str, Vec<&Ablated>> = BTreeMap::new();
    for change in &ablation.changes {
        by_item.entry(&change.item).or_default().push(change);
    }
    by_item.into_iter().map(|(item, changes)| (item.to_owned(), all_noticed(&changes))).collect()
}

/// Whether every change is noticed or exempt, and one of them by a scenario or by its exemption: what only the
/// compiler notices is not tested.
fn all_noticed(changes: &[&Ablated]) -> bool {
    changes.iter().all(|change| change.outcome != Noticed::Nobody)
        && changes.iter().any(|change| matches!(change.outcome, Noticed::By(_) | Noticed::Exempt(_)))
}

struct Measure<'c> {
    compiler: &'c Compiler,
    program: Arc<Program>,
    errors: Vec<Diagnostic>,
    ablation: Option<&'c Ablation>,
    noticed: Option<BTreeMap<String, bool>>,
}

/// What is known of an item's tests.
enum Tests {
    Tested,
    Untested,
    Uncited,
    Unchangeable,
}

impl Measure<'_> {
    fn is_broken(&self, item: &ItemView) -> bool {
        self.errors.iter().any(|diag| item.place.has_start_of(&diag.place))
    }

    fn tests(&self, item: &ItemView) -> Option<Tests> {
        let noticed = self.noticed.as_ref()?;
        // What a reprint has from its original is changed there.
        let original = self.compiler.original(&item.key).filter(|_| item.head == "card");
        let own = noticed.get(&*item.key).into_iter();
        let found: Vec<&bool> = own.chain(original.and_then(|original| noticed.get(&*original))).collect();
        Some(match found.as_slice() {
            [] => Tests::Unchangeable,
            found if found.iter().all(|noticed| **noticed) => Tests::Tested,
            _ => Tests::Untested,
        })
    }

    /// The tests of a rule that rests on clauses of other items: each of those must be noticed, and a scenario that
    /// passes must cite the rule.
    fn tests_of_grounds(&self, item: &ItemView) -> Option<Tests> {
        let ablation = self.ablation?;
        let noticed = |ground: &&str| -> bool {
            let of = |one: &&Ablated| {
                one.item == **ground
                    || ground.strip_prefix(&*one.item).is_some_and(|label| label.trim_start() == one.label)
            };
            let changes: Vec<&Ablated> = ablation.changes.iter().filter(of).collect();
            // A rule without clauses of its own, which rests on others, is no ground itself.
            let passes_on = self.program.rests.iter().any(|rest| rest.item == **ground);
            (passes_on && changes.is_empty()) || all_noticed(&changes)
        };
        let grounds = resting(&self.program, &item.key);
        Some(match (grounds.iter().skip(1).all(&noticed), ablation.cited.contains(&*item.key)) {
            (false, _) => Tests::Untested,
            (true, false) => Tests::Uncited,
            (true, true) => Tests::Tested,
        })
    }

    fn rules(&self, totals: &Totals, items: &[ItemView]) -> Rules {
        let mut by_number: BTreeMap<&str, &ItemView> = BTreeMap::new();
        for item in items.iter().filter(|item| item.head == "rule") {
            by_number.entry(&item.key).or_insert(item);
        }
        let there: Vec<String> = items.iter().filter(|i| i.head == "rule").map(|i| i.key.to_string()).collect();
        let numbers = match &totals.numbers {
            Some(numbers) => numbers,
            None => &there,
        };
        let mut rules = Rules { tested: self.noticed.as_ref().map(|_| 0), ..Rules::default() };
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for number in numbers.iter().filter(|number| seen.insert(number)) {
            rules.total += 1;
            let Some(item) = by_number.get(number.as_str()) else {
                rules.absent.push(number.clone());
                continue;
            };
            match self.standing(item) {
                standing @ (Standing::Data | Standing::Resting) => {
                    rules.data += 1;
                    let resting = matches!(standing, Standing::Resting);
                    rules.resting += usize::from(resting);
                    match if resting { self.tests_of_grounds(item) } else { self.tests(item) } {
                        Some(Tests::Tested) => rules.tested = rules.tested.map(|n| n + 1),
                        Some(Tests::Untested) => rules.untested.push(number.clone()),
                        Some(Tests::Uncited) => rules.uncited.push(number.clone()),
                        Some(Tests::Unchangeable) => rules.unchangeable.push(number.clone()),
                        None => {}
                    }
                }
                Standing::Language => {
                    rules.data += 1;
                    rules.language.push(number.clone());
                }
                Standing::Noted => {
                    rules.data += 1;
                    rules.noted.push(number.clone());
                }
                Standing::NotMechanical => rules.not_mechanical += 1,
                Standing::Awaits(awaits, begun) => {
                    rules.awaiting.push(Awaiting { rule: number.clone(), title: title(item), awaits, begun });
                }
                Standing::Broken => rules.broken.push(number.clone()),
            }
        }
        rules.missing = rules.absent.len() + rules.awaiting.len() + rules.broken.len();
        rules.beyond = by_number.keys().filter(|number| !seen.contains(*number)).map(|n| (*n).to_owned()).collect();
        rules
    }

    fn standing(&self, item: &ItemView) -> Standing {
        let effective = self.compiler.effective(item.head, &item.key, &Profile::default());
        // total: what no program holds is broken.
        let Some((effective, _)) = effective.filter(|_| !self.is_broken(item)) else { return Standing::Broken };
        let (mut awaits, mut notes, mut rests, mut clauses) = (Vec::new(), Vec::new(), false, 0);
        for clause in &effective.tree.clauses {
            match clause.head() {
                "cites" => {}
                "note" => notes.extend(quoted(clause)),
                "awaits" => awaits.extend(quoted(clause)),
                "rests" => rests = true,
                _ => clauses += 1,
            }
        }
        if !awaits.is_empty() {
            return Standing::Awaits(awaits, rests || clauses > 0);
        }
        let all_say = |what: &str| !notes.is_empty() && notes.iter().all(|note| note.starts_with(what));
        match clauses {
            0 if rests => Standing::Resting,
            0 if all_say(NOT_MECHANICAL) => Standing::NotMechanical,
            0 if all_say(LANGUAGE) => Standing::Language,
            0 if notes.is_empty() => Standing::Broken,
            0 => Standing::Noted,
            _ => Standing::Data,
        }
    }

    fn cards(&self, items: &[ItemView]) -> Vec<(String, Cards)> {
        let fresh = || Cards { tested: self.noticed.as_ref().map(|_| 0), ..Cards::default() };
        let filing = self.compiler.filing("card");
        let counted =
            |id: &str| filing.as_ref().and_then(|filing| filing.beginning(id)).filter(|one| one.total.is_some());
        let declared = filing.iter().flat_map(|filing| &filing.beginnings);
        let mut sets: Vec<(String, Cards)> =
            declared.filter_map(|one| Some((one.id.to_string(), Cards { total: one.total?, ..fresh() }))).collect();
        for item in items.iter().filter(|item| item.head == "card") {
            // An id is the code of the set and a number: `AB-12`.
            let known = counted(&item.key);
            let set = match (known, item.key.rsplit_once('-')) {
                (Some(one), _) => &*one.id,
                (None, Some((code, _))) => code,
                (None, None) => "",
            };
            let at = match sets.iter().position(|(code, _)| code == set) {
                Some(at) => at,
                None => {
                    sets.push((set.to_owned(), fresh()));
                    sets.len() - 1
                }
            };
            let (_, cards) = &mut sets[at];
            cards.total += usize::from(known.is_none());
            let id = || item.key.to_string();
            let effective = self.compiler.effective(item.head, &item.key, &Profile::default());
            let Some((effective, _)) = effective.filter(|_| !self.is_broken(item)) else {
                cards.broken.push(id());
                continue;
            };
            if effective.partial.is_empty() {
                cards.complete += 1;
            } else {
                cards.partial += 1;
                cards.partial_cards.push(id());
            }
            match self.tests(item) {
                Some(Tests::Tested) => cards.tested = cards.tested.map(|n| n + 1),
                Some(Tests::Untested) => cards.untested.push(id()),
                Some(Tests::Unchangeable) => cards.unchangeable.push(id()),
                Some(Tests::Uncited) | None => {}
            }
        }
        sets
    }
}

fn quoted(clause: &Clause) -> impl Iterator<Item = String> + '_ {
    clause.tokens.iter().filter_map(|token| match &token.kind {
        TokenKind::Quoted(text) => Some(text.clone()),
        _ => None,
    })
}
