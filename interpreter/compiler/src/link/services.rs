//! The lines of `kernel` items: which words serve the engine. What a service takes is said in one table, and a line that
//! names something else, or says again what is said once, is refused.

use netrep_diagnostics::{Code, suggestion};
use netrep_ir::{AttrDecl, AttrId, ClassId, Map, ProcId, RoleId, StepId, ValueKind, VerbId};

use super::Linker;
use super::tables::{Relocation, Tables};
use crate::link::LinkItem;
use crate::lower::LowService;

/// What a service takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// A class that is no part of another.
    Class,
    Role,
    Procedure,
    Verb,
    /// A verb that is done to a place.
    Shuffling,
    /// A defined selection; it is looked at where it is lowered.
    Selection,
    /// A fact of players or of cards.
    Fact(Of, Holds),
    /// `STEP of PROCEDURE`.
    StepOf,
    /// `NUMBER of CLASS`.
    NumberOf,
    /// `CLASS by FACT`.
    By(Holds),
}

/// Whose a fact is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Player,
    Card,
}

/// What a fact holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Anything,
    Number,
    Player,
    /// Players that change in the course of the game.
    Players,
    Card,
    /// Several names of cards.
    Names,
}

/// What each service takes, and whether several lines may say it.
const SERVICES: [(&str, Takes, bool); 33] = [
    ("player", Takes::Class, false),
    ("card", Takes::Class, false),
    ("controller", Takes::Fact(Of::Card, Holds::Player), false),
    ("against", Takes::Role, false),
    ("functioning", Takes::Selection, false),
    ("orderer", Takes::Selection, false),
    ("answers", Takes::Procedure, false),
    ("around", Takes::Procedure, false),
    ("roll", Takes::By(Holds::Player), false),
    ("rolled", Takes::By(Holds::Anything), false),
    ("total", Takes::NumberOf, false),
    ("declaration", Takes::By(Holds::Card), false),
    ("declarer", Takes::By(Holds::Player), false),
    ("stage", Takes::Selection, true),
    ("version", Takes::Selection, true),
    ("rank", Takes::Fact(Of::Card, Holds::Number), false),
    ("greatest", Takes::NumberOf, true),
    ("describe", Takes::By(Holds::Anything), true),
    ("host", Takes::By(Holds::Card), true),
    ("called", Takes::Fact(Of::Card, Holds::Names), false),
    ("aliases", Takes::Fact(Of::Card, Holds::Names), false),
    ("ability", Takes::Verb, false),
    ("announced", Takes::Verb, true),
    ("shuffle", Takes::Shuffling, true),
    ("revealed", Takes::Fact(Of::Card, Holds::Players), false),
    ("concealed", Takes::Fact(Of::Card, Holds::Players), false),
    ("resolved", Takes::Verb, false),
    ("evident", Takes::StepOf, true),
    ("outcome", Takes::Fact(Of::Player, Holds::Anything), false),
    ("clock", Takes::Fact(Of::Player, Holds::Number), false),
    ("seat", Takes::Fact(Of::Player, Holds::Number), false),
    ("valuation", Takes::Fact(Of::Player, Holds::Number), false),
    ("report", Takes::Fact(Of::Player, Holds::Number), true),
];

/// What a service takes, and whether several lines may say it.
fn taken(serves: &str) -> Option<(Takes, bool)> {
    SERVICES.iter().find(|(name, ..)| *name == serves).map(|(_, takes, several)| (*takes, *several))
}

/// The words on both sides of `by` or `of`.
fn parted(words: &[String], at: &str) -> Option<(String, String)> {
    let at = words.iter().position(|word| word == at)?;
    Some((words[..at].join(" "), words[at + 1..].join(" ")))
}

/// The class that a line is about, and the fact, where it names both.
fn class_and_fact(takes: Takes, words: &[String]) -> Option<(String, String)> {
    match takes {
        Takes::By(_) => parted(words, "by"),
        Takes::NumberOf => parted(words, "of").map(|(number, class)| (class, number)),
        _ => None,
    }
}

impl Linker {
    /// Puts what an item says into the program; what does not fit is told by [`Self::check_services`].
    pub(super) fn services(&mut self, i: &LinkItem, m: &mut Relocation<'_>, tables: &Tables) {
        let low = &*i.lowered;
        let services = &mut self.program.services;
        for (service, sel) in &low.service_sels {
            let mut sel = sel.clone();
            sel.map_ids(m, 0);
            match service.as_str() {
                "functioning" => services.functioning = Some(sel),
                "orderer" => services.orderer = Some(sel),
                "version" => services.versions.push(sel),
                _ => services.stages.push(sel),
            }
        }
        services.sets.extend(low.sets.iter().map(ToString::to_string));
        for LowService { serves, words, .. } in &low.services {
            let Some((takes, _)) = taken(serves) else { continue };
            let rest = words.join(" ");
            let class = |n: &str| tables.classes.get(n).map(|c| ClassId(*c));
            let attr = |n: &str| tables.attrs.get(n).map(|a| AttrId(*a));
            let both = || class_and_fact(takes, words).and_then(|(of, fact)| class(&of).zip(attr(&fact)));
            match serves.as_str() {
                "player" => services.player = class(&rest).unwrap_or(services.player),
                "card" => services.card = class(&rest).unwrap_or(services.card),
                "controller" => services.controller = attr(&rest),
                "describe" => services.described.extend(both()),
                "host" => services.hosts.extend(both()),
                "greatest" => services.greatest.extend(both()),
                "roll" => services.roll = both(),
                "rolled" => services.rolled = both(),
                "total" => services.total = both(),
                "declaration" => services.declaration = both(),
                "declarer" => services.declarer = both(),
                "around" => services.around = tables.procs.get(rest.as_str()).map(|p| ProcId(*p)),
                "called" => services.called = attr(&rest),
                "aliases" => services.aliases = attr(&rest),
                "ability" => services.ability = verb_called(tables, &rest),
                "resolved" => services.resolved = verb_called(tables, &rest),
                "outcome" => services.outcome = attr(&rest),
                "clock" => services.clock = attr(&rest),
                "seat" => services.seat = attr(&rest),
                "valuation" => services.valuation = attr(&rest),
                "report" => services.reports.extend(attr(&rest)),
                "against" => services.against = tables.roles.get(rest.as_str()).map(|r| RoleId(*r)),
                "rank" => services.rank = attr(&rest),
                "answers" => services.answers = tables.procs.get(rest.as_str()).map(|p| ProcId(*p)),
                "evident" => services.evident.extend(step_called(tables, &rest)),
                "revealed" => services.revealed = attr(&rest),
                "concealed" => services.concealed = attr(&rest),
                // The others are found by their words.
                _ => {}
            }
        }
    }

    /// Each line names what its service takes, and none says again what is said once.
    pub(super) fn check_services(&mut self, items: &[LinkItem], tables: &Tables) {
        // What a broken item says serves is not missing.
        if self.lost.iter().any(|text| text.starts_with("kernel")) {
            return;
        }
        let lines: Vec<(&LinkItem, &LowService)> =
            items.iter().flat_map(|i| i.lowered.services.iter().map(move |service| (i, service))).collect();
        for (nth, (i, service)) in lines.iter().enumerate() {
            let LowService { serves, words, span } = service;
            let Some((takes, several)) = taken(serves) else { continue };
            let about = |words: &[String]| match takes {
                Takes::By(_) => class_and_fact(takes, words).map(|(class, _)| class),
                _ => Some(words.join(" ")),
            };
            let again = |(_, other): &&(&LinkItem, &LowService)| {
                other.serves == *serves && (!several || about(&other.words) == about(words))
            };
            match lines.iter().take(nth).find(again) {
                Some((other, first)) => {
                    let message = format!("`{serves}` is said already, and one word serves so");
                    self.diags.push(
                        netrep_diagnostics::Diagnostic::new(Code::UnknownService, i.places.place(*span), message)
                            .and(other.places.place(first.span), "the first one")
                            .help("keep the line that is meant"),
                    );
                }
                None => self.check_service(i, service, takes, (items, &lines, tables)),
            }
        }
    }

    fn check_service(
        &mut self,
        i: &LinkItem,
        LowService { serves, words, span }: &LowService,
        takes: Takes,
        (items, lines, tables): (&[LinkItem], &[(&LinkItem, &LowService)], &Tables),
    ) {
        let said = words.join(" ");
        let served = |serves: &str| {
            let line = lines.iter().find(|(_, line)| line.serves == serves);
            line.map(|(_, line)| line.words.join(" "))
        };
        // A class that serves and is not declared is told at its own line.
        let class_of = |name: &str| tables.classes.get(name).map(|c| ClassId(*c));
        let word_of = |of: Of| match of {
            Of::Player => "player",
            Of::Card => "card",
        };
        let base = |of: Of| served(word_of(of));
        let fitting = |of: ClassId, holds: Holds| -> Vec<&str> {
            let class = |of: Of| base(of).and_then(|name| class_of(&name));
            let fits = |a: &&AttrDecl| {
                a.classes.contains(&of)
                    && match (holds, a.kind) {
                        (Holds::Anything, _) | (Holds::Number, ValueKind::Number) => true,
                        (Holds::Player, ValueKind::Thing(c)) => Some(c) == class(Of::Player),
                        (Holds::Players, ValueKind::Things(c)) => a.dynamic && Some(c) == class(Of::Player),
                        (Holds::Card, ValueKind::Thing(c)) => Some(c) == class(Of::Card),
                        (Holds::Names, ValueKind::Things(c)) => a.names && Some(c) == class(Of::Card),
                        _ => false,
                    }
            };
            self.program.attrs.iter().filter(fits).map(|a| a.name.as_str()).collect()
        };
        let held = |holds: Holds| match holds {
            Holds::Anything => "a fact",
            Holds::Number => "a number",
            Holds::Player => "the fact that holds the player",
            Holds::Players => "a state that holds players",
            Holds::Card => "the fact that holds the card",
            Holds::Names => "a figure that holds names of cards",
        };
        let named = |table: &super::tables::Table| -> Vec<String> { table.keys().map(ToString::to_string).collect() };
        let (wrong, wanted, known): (&str, String, Vec<String>) = match takes {
            Takes::Class => (&said, "a class of its own, no part of another".to_owned(), named(&tables.classes)),
            Takes::Role => (&said, "a role".to_owned(), named(&tables.roles)),
            Takes::Procedure => (&said, "a procedure".to_owned(), named(&tables.procs)),
            Takes::Verb => match verb_called(tables, &said) {
                Some(_) => return,
                None => (&said, "a verb".to_owned(), spoken(tables)),
            },
            Takes::StepOf => {
                let names = tables.procs.iter().map(|(name, id)| (*id, name));
                let of = |id: u16| names.clone().find(|(own, _)| *own == id).map(|(_, name)| name);
                let steps = tables.steps.keys().filter_map(|(proc, step)| Some(format!("{step} of {}", of(*proc)?)));
                (&said, "a step of a procedure: `STEP of PROCEDURE`".to_owned(), steps.collect())
            }
            Takes::Shuffling => {
                let verbs = items.iter().flat_map(|i| i.lowered.place_verbs.iter().cloned());
                (&said, "a verb that is done to a place".to_owned(), verbs.collect())
            }
            Takes::Selection => return,
            Takes::Fact(of, holds) => {
                let Some(name) = base(of) else {
                    let word = word_of(of);
                    // What is there and cannot be read is told where it stands.
                    let kernel = items.iter().filter(|i| i.item.tree.head == "kernel");
                    if kernel.flat_map(|i| &i.item.tree.clauses).any(|clause| clause.head() == word) {
                        return;
                    }
                    let message = format!("`{serves}` is about each {word}, and no class serves as `{word}`");
                    let help = format!("say which class does: `{word} CLASS.`");
                    return self.error(i, *span, Code::UnknownService, message, Some(help));
                };
                let Some(class) = class_of(&name) else { return };
                let known = fitting(class, holds).into_iter().map(str::to_owned).collect();
                (&said, format!("{} of a {name}", held(holds)), known)
            }
            Takes::NumberOf | Takes::By(_) => {
                let Some((name, fact)) = class_and_fact(takes, words) else { return };
                let holds = if let Takes::By(holds) = takes { holds } else { Holds::Number };
                match class_of(&name) {
                    None => (&said, "about a class of its own, no part of another".to_owned(), named(&tables.classes)),
                    Some(_) if holds == Holds::Card && base(Of::Card).is_none() => return,
                    Some(class) => {
                        let known: Vec<String> = fitting(class, holds).into_iter().map(str::to_owned).collect();
                        if known.contains(&fact) {
                            return;
                        }
                        (&said, format!("{} of a {name}", held(holds)), known)
                    }
                }
            }
        };
        let word = class_and_fact(takes, words).map_or(said.clone(), |(_, fact)| fact);
        // A fact whose item is broken is one of nothing yet.
        let broken = tables.attrs.get(word.as_str()).and_then(|a| self.program.attrs.get(usize::from(*a)));
        if known.iter().any(|name| name == wrong) || broken.is_some_and(|a| a.classes.is_empty()) || self.is_lost(words)
        {
            return;
        }
        let help = suggestion(&word, known.iter().map(String::as_str))
            .unwrap_or_else(|| "declare such a word, or name another".to_owned());
        let message = format!("`{wrong}` cannot serve as `{serves}`: that is {wanted}");
        self.error(i, *span, Code::UnknownService, message, Some(help));
    }

    /// True if a broken item says the words that serve, those in front of `by` or `of`: what it declares is not missing.
    fn is_lost(&self, words: &[String]) -> bool {
        let served: Vec<&str> =
            words.iter().map(String::as_str).take_while(|word| !matches!(*word, "by" | "of")).collect();
        let served = served.join(" ");
        self.lost.iter().any(|text| text.contains(&served))
    }
}

/// The step that words name: `STEP of PROCEDURE`.
fn step_called(tables: &Tables, words: &str) -> Option<StepId> {
    words.match_indices(" of ").find_map(|(at, of)| {
        let proc = tables.procs.get(&words[at + of.len()..])?;
        tables.steps.get(&(*proc, words[..at].into())).map(|step| StepId(*step))
    })
}

/// A verb's words without the classes of its roles.
fn spoken_of(tables: &Tables, name: &str) -> String {
    let own: Vec<&str> = name.split(' ').filter(|w| w.split('/').any(|c| !tables.classes.contains_key(c))).collect();
    own.join(" ")
}

/// The words of all verbs.
fn spoken(tables: &Tables) -> Vec<String> {
    tables.verbs.keys().map(|name| spoken_of(tables, name)).collect()
}

/// The verb with these words, whatever its roles are; the first declared of several.
pub(super) fn verb_called(tables: &Tables, words: &str) -> Option<VerbId> {
    tables.verbs.iter().filter(|(name, _)| spoken_of(tables, name) == words).map(|(_, id)| VerbId(*id)).min()
}
