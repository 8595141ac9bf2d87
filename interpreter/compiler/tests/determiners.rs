//! Each hole of the table of forms × each determiner: taken as the table says, or a diagnostic. That what is taken is
//! meant, the toy world of `tests/src/determiners.rs` shows by playing it.

use std::collections::BTreeSet;

use netrep_compiler::Compiler;
use netrep_compiler::determiners::contradictions;
use netrep_compiler::phrase::forms::{Builder, Category, Form, ROWS, Takes};
use netrep_diagnostics::Code;

use crate::forms::VOCABULARY;

/// Where a sentence stands.
#[derive(Clone, Copy)]
enum At {
    /// A statement of a step.
    Step,
    /// A clause of a rule.
    Rule,
    /// A clause of a card.
    Card,
    /// An item.
    Item,
}
use At::{Card, Item, Rule, Step};

/// A hole, where its sentence stands, and the sentence with `{}` for the phrase of that noun.
type Template = (Form, &'static str, At, &'static str, &'static str);

/// A sentence for each hole that says what it takes.
const TEMPLATES: &[Template] = &[
    (Form::ClauseSpare, "who", Rule, "effects of {} spare crates", "boat"),
    (Form::ClauseSpare, "what", Rule, "effects of boats spare {}", "crate"),
    (Form::ClauseCanceled, "who", Rule, "effects of {} are canceled", "boat"),
    (Form::ClauseSubjectMay, "who", Card, "{} may paint this once per season: stop", "player"),
    (Form::ClauseHas, "who", Rule, "{} has { may paint this once per season: stop. }", "boat"),
    (Form::ClauseAbilities, "who", Rule, "{} has the abilities of \"Barge\"", "boat"),
    (Form::ClauseAbilities, "of", Rule, "boats have the abilities of {}", "boat"),
    (Form::ClauseEffectsCannot, "who", Card, "effects of {} cannot paint a boat", "boat"),
    (Form::ClauseCannot, "who", Rule, "{} cannot be painted", "boat"),
    (Form::ClauseMust, "who", Rule, "{} must sink", "boat"),
    (Form::ClauseNeed, "who", Rule, "{} need not sink", "boat"),
    (Form::ClauseRegardless, "who", Rule, "{} may be painted regardless", "boat"),
    (Form::ClauseBareCannot, "e", Card, "cannot be loaded onto {}", "boat"),
    (Form::ClauseBareMust, "e", Card, "must be loaded onto {}", "boat"),
    (Form::PartTarget, "x", Card, "play on {} as target", "boat"),
    (Form::PartRelated, "p", Card, "play in {} as H", "harbour"),
    (Form::PartChoosing, "x", Card, "play choosing {} as C", "boat"),
    (Form::AgainstAgainst, "who", Step, "B gets +1 length against {}", "boat"),
    (Form::SimpleThere, "what", Step, "if there is {} { stop }", "boat"),
    (Form::FiniteIs, "..", Step, "if {} is fast { stop }", "boat"),
    (Form::FiniteHas, "..", Step, "if {} has length > 3 { stop }", "boat"),
    (Form::FiniteDone, "act", Step, "if P has painted {} { stop }", "boat"),
    (Form::FiniteSuffered, "act", Step, "if B has been painted by {} { stop }", "player"),
    (Form::FiniteWould, "..", Step, "if {} would sink { stop }", "boat"),
    (Form::FiniteAwaits, "..", Step, "if {} awaits resolution { stop }", "boat"),
    (Form::FiniteBarred, "..", Step, "if {} cannot be painted { stop }", "boat"),
    (Form::FiniteEffective, "..", Step, "if {} has an effect { stop }", "boat"),
    (Form::FiniteEffective, "what", Step, "if B has an effect on {} { stop }", "boat"),
    (Form::FiniteRelated, "..", Step, "if {} carries K { stop }", "boat"),
    (Form::FiniteRelated, "p", Step, "if B carries {} { stop }", "crate"),
    (Form::ProspectAct, "act", Step, "if B would paint {} { stop }", "boat"),
    (Form::ProspectEffect, "what", Step, "if B would have an effect on {} { stop }", "boat"),
    (Form::ProspectTarget, "what", Step, "if B would target {} { stop }", "boat"),
    (Form::ProspectPaid, "what", Step, "if B would be paid with {} { stop }", "boat"),
    (Form::EventActive, "who", Step, "when {} sinks { stop }", "boat"),
    (Form::EventActive, "act", Step, "when P paints {} { stop }", "boat"),
    (Form::EventPassive, "what", Step, "when {} is painted { stop }", "boat"),
    (Form::EventPassive, "act", Step, "when B is painted by {} { stop }", "player"),
    (Form::ProposedActive, "who", Card, "when {} would sink instead: stop", "boat"),
    (Form::ProposedActive, "act", Card, "when a boat would ram {} instead: stop", "boat"),
    (Form::ProposedPassive, "what", Card, "when {} would be painted instead: stop", "boat"),
    (Form::ProposedPassive, "act", Card, "when a boat would be painted by {} instead: stop", "player"),
    (Form::DeedPassive, "act", Rule, "a boat cannot be painted by {}", "player"),
    (Form::DeedActive, "act", Rule, "a boat cannot ram {}", "boat"),
    (Form::EventBecomes, "of", Step, "when berth of {} becomes H { stop }", "boat"),
    (Form::EventBecomes, "value", Step, "when berth of B becomes {} { stop }", "harbour"),
    (Form::EventCeases, "of", Step, "when berth of {} ceases to be H { stop }", "boat"),
    (Form::EventCeases, "value", Step, "when berth of B ceases to be {} { stop }", "harbour"),
    (
        Form::BoundaryStart,
        "whom",
        Card,
        "play on a boat as target. effect until the start of a season of {} { target cannot be painted. }",
        "player",
    ),
    (
        Form::BoundaryEnd,
        "whom",
        Card,
        "play on a boat as target. effect until the end of a season of {} { target cannot be painted. }",
        "player",
    ),
    (Form::DoingAct, "act", Card, "effects of boats cannot paint {}", "boat"),
    (Form::MomentStart, "whom", Card, "at the start of a season of {}: stop", "player"),
    (Form::MomentEnd, "whom", Card, "at the end of a season of {}: stop", "player"),
    (Form::MomentStepStart, "whom", Card, "at the start of step mooring of a season of {}: stop", "player"),
    (Form::MomentStepEnd, "whom", Card, "at the end of step mooring of a season of {}: stop", "player"),
    (Form::ChangeGets, "who", Step, "{} gets +1 length", "boat"),
    (Form::ChangeGains, "who", Step, "{} gains Red", "boat"),
    (Form::ChangeLoses, "who", Step, "{} loses Red", "boat"),
    (Form::ChangeTurns, "who", Step, "{} becomes Red", "boat"),
    (Form::ChangeAcquires, "who", Step, "{} gains a new crate with wood Oak", "boat"),
    (Form::ChangeAcquires, "what", Step, "B gains {}", "crate"),
    (Form::ChangeSheds, "who", Step, "{} loses crates", "boat"),
    (Form::ChangeSheds, "what", Step, "B loses {}", "crate"),
    (Form::ChangeBecomes, "fact", Step, "length of {} is 3", "boat"),
    (Form::ChangeBecomes, "value", Step, "owner of B is {}", "player"),
    (Form::ModificationFact, "of", Step, "if there is a modification of length of {} by K { stop }", "boat"),
    (Form::ModificationFact, "author", Step, "if there is a modification of length of B by {} { stop }", "crate"),
    (Form::OneTop, "p", Step, "remove the top card of shelf of {}", "player"),
    (Form::OneNext, "who", Step, "remove boats of the next player after {}", "player"),
    (Form::OneBefore, "who", Step, "remove boats of the next player before {}", "player"),
    (Form::OrderAround, "who", Step, "for each player as Q from {} onwards { stop }", "player"),
    (Form::OneNew, "from", Step, "B gains a new boat from {}", "crate"),
    (Form::OneNew, "facts", Step, "B gains a new boat with cargo {}", "crate"),
    (Form::ModifierAfterRelation, "p", Step, "remove boats carrying {}", "crate"),
    (Form::ModifierAfterDone, "p", Step, "remove boats painted by {}", "player"),
    (Form::ModifierAfterOther, "x", Step, "remove boats other than {}", "boat"),
    (Form::PossessionFact, "p", Step, "if B has berth {} { stop }", "harbour"),
    (Form::QualityRelated, "p", Step, "if B is carrying {} { stop }", "crate"),
    (Form::QualityDone, "p", Step, "if B is painted by {} { stop }", "player"),
    (Form::QualityThing, "x", Step, "if B is {} { stop }", "fast boat"),
    (Form::AtomCount, "what", Step, "let wave be number of {}", "boat"),
    (Form::AtomTotal, "what", Step, "let wave be total length of {}", "boat"),
    (Form::AtomHighest, "what", Step, "let wave be highest length of {}", "boat"),
    (Form::AtomLowest, "what", Step, "let wave be lowest length of {}", "boat"),
    (Form::AtomGroupOf, "what", Step, "let wave be lowest for any group of {} as G of number of G", "boat"),
    (Form::AfterAtomAgainst, "side", Step, "let wave be length of B against {}", "boat"),
    (Form::StatementEach, "of", Step, "for {} as D { remove D }", "boat"),
    (Form::StatementEach, "order", Step, "for each boat as D in an order chosen by {} { remove D }", "player"),
    (Form::StatementPerform, "values", Step, "perform race for {}, 2", "boat"),
    (Form::StatementExtend, "of", Step, "what lasts for {} lasts for K too", "boat"),
    (Form::StatementExtend, "to", Step, "what lasts for K lasts for {} too", "boat"),
    (Form::StatementCancel, "of", Step, "cancel effects of {}", "boat"),
    (Form::StatementName, "value", Step, "let D be {}", "boat"),
    (Form::StatementBind, "value", Step, "let winner be {}", "player"),
    (Form::StatementSet, "fact", Step, "set owner of {} to P", "boat"),
    (Form::StatementSet, "value", Step, "set cargo of B to {}", "crate"),
    (Form::StatementPut, "what", Step, "put {} into sea", "boat"),
    (Form::StatementPut, "place", Step, "put B into shelf of {}", "player"),
    (Form::StatementBottom, "what", Step, "put {} into shelf of P at the bottom", "boat"),
    (Form::StatementBottom, "place", Step, "put B into shelf of {} at the bottom", "player"),
    (Form::StatementTop, "what", Step, "put {} on top of shelf of P", "boat"),
    (Form::StatementTop, "place", Step, "put B on top of shelf of {}", "player"),
    (Form::StatementUnder, "what", Step, "put {} at the bottom of shelf of P", "boat"),
    (Form::StatementUnder, "place", Step, "put B at the bottom of shelf of {}", "player"),
    (Form::StatementRemove, "what", Step, "remove {}", "boat"),
    (Form::StatementRandom, "what", Step, "choose {} as D at random", "boat"),
    (Form::StatementRolls, "who", Step, "{} rolls 2 dice as R", "player"),
    (Form::StatementRolls, "whom", Step, "P rolls 2 dice as R for {}", "boat"),
    (Form::StatementRoll, "whom", Step, "roll 2 dice as R for {}", "boat"),
    (Form::StatementChoose, "what", Step, "choose {} as D", "boat"),
    (Form::StatementChooses, "who", Step, "{} chooses a boat as D", "player"),
    (Form::StatementChooses, "what", Step, "P chooses {} as D", "boat"),
    (Form::StatementOffers, "who", Step, "{} chooses one { stop } or { remove B }", "player"),
    (Form::StatementMay, "who", Step, "{} may { remove B }", "player"),
    (Form::StatementPick, "who", Step, "{} may choose a boat as D { remove D }", "player"),
    (Form::StatementPick, "what", Step, "P may choose {} as D { remove D }", "boat"),
    (Form::StatementCannot, "who", Step, "{} cannot be painted this season", "boat"),
    (Form::StatementMust, "who", Step, "{} must sink this season", "boat"),
    (Form::StatementNeed, "who", Step, "{} need not sink this season", "boat"),
    (Form::StatementRegardless, "who", Step, "{} may be painted regardless this season", "boat"),
    (Form::StatementDo, "who", Step, "{} sinks", "boat"),
    (Form::StatementDo, "act", Step, "P paints {}", "boat"),
    (Form::StatementAct, "act", Step, "paint {}", "boat"),
    (Form::StatementAct, "act", Card, "may paint {} once per season: stop", "boat"),
    (Form::AdmitAct, "who", Step, "window for {} to act", "player"),
    (Form::AdmitAdmit, "who", Step, "window for {} to paint a boat", "player"),
    (Form::AdmittedModify, "of", Step, "window for P to modify {}", "boat"),
    (Form::AdmittedFact, "of", Step, "window for P to modify length of {}", "boat"),
    (Form::AdmittedAct, "act", Step, "window for P to paint {}", "boat"),
    (Form::DeclarationDefine, "value", Item, "define fleet: boat = {}", "boat"),
    (Form::DeclarationFact, "value", Item, "define consort of (boat B): boat = {}", "boat"),
];

/// Holes without a sentence of their own, with the reason.
const WITHOUT: &[(Form, &str, &str)] = &[
    (Form::SimpleNone, "what", "a label or a role stands there, which has no determiner"),
    (Form::ModifierAfterNamed, "x", "a name stands there"),
    (Form::DeclarationEach, "value", "a number"),
];

/// Each determiner with a noun.
const DETERMINERS: &[(Form, &str, bool)] = &[
    (Form::DeterminerA, "a", false),
    (Form::DeterminerAnother, "another", false),
    (Form::DeterminerEach, "each", false),
    (Form::DeterminerEach, "", true),
    (Form::DeterminerAny, "any", false),
    (Form::DeterminerNo, "no", false),
    (Form::DeterminerThe, "the", false),
    (Form::DeterminerAtLeast, "at least 2", true),
    (Form::DeterminerUpTo, "up to 2", true),
    (Form::DeterminerAnyNumber, "any number of", true),
    (Form::DeterminerExactly, "2", true),
];

/// What the sentence is told for.
fn told(compiler: &mut Compiler, at: At, sentence: &str) -> Vec<Code> {
    let item = match at {
        At::Item => format!("{sentence}.\n"),
        At::Card => format!("card A-1 \"Thing\" {{ kind Crate. wood Oak. {} }}\n", ended(sentence)),
        At::Rule => format!("rule 99 \"Form\" {{ {} }}\n", ended(sentence)),
        At::Step => format!(
            "rule 99 \"Form\" {{\n    procedure trial for (boat B), (boat C), (crate K), (player P) {{ steps one. }}\n    step one of trial {{ {sentence}. }}\n}}\n"
        ),
    };
    compiler.set_file(PATH, &item);
    let diags = compiler.check();
    diags.iter().filter(|diag| diag.is_error() && &*diag.place.file == PATH).map(|diag| diag.code).collect()
}

/// The file of the sentence.
const PATH: &str = "rules/sections/form.rules";

/// What the words of the examples lack.
const SERVICES: &str =
    "kernel services { player player. card card. controller owner. against rival side. }\nrole rival side: boat.\n";

fn ended(sentence: &str) -> String {
    if sentence.ends_with('}') { sentence.to_owned() } else { format!("{sentence}.") }
}

fn phrase(determiner: &str, noun: &str, plural: bool) -> String {
    let noun = if plural { format!("{noun}s") } else { noun.to_owned() };
    format!("{determiner} {noun}").trim().to_owned()
}

#[test]
fn each_hole_takes_the_determiners_that_it_names() {
    let of_determiners = [Code::ChoiceWithoutChooser, Code::WrongDeterminer];
    let misread = [Code::UnexpectedWord, Code::UnknownWord, Code::UnfinishedPhrase, Code::UnknownEntry];
    let mut compiler = Compiler::new();
    compiler.set_file("rules/vocabulary/boats.words", &format!("{VOCABULARY}{SERVICES}"));
    let mut wrong = Vec::new();
    for (form, hole, at, sentence, noun) in TEMPLATES {
        let row = ROWS.iter().find(|row| row.form == *form).unwrap();
        let place = row.holes.iter().position(|name| name == hole).unwrap_or_else(|| panic!("{form:?} has no {hole}"));
        let (_, takes) = row.takes.iter().find(|(hole, _)| *hole == place).unwrap();
        for (determiner, words, plural) in DETERMINERS {
            let said = sentence.replacen("{}", &phrase(words, noun, *plural), 1);
            let codes = told(&mut compiler, *at, &said);
            // In a cost who pays chooses; elsewhere what is chosen needs a chooser first.
            let in_cost = matches!(at, At::Card) && *takes == Takes::Deed;
            let taken = takes.info().determiners.contains(determiner)
                && (*takes != Takes::Deed || in_cost || *determiner == Form::DeterminerEach);
            let refused = codes.iter().any(|code| of_determiners.contains(code));
            let right = match taken {
                true => !refused && !codes.iter().any(|code| misread.contains(code)),
                false => !codes.is_empty(),
            };
            if !right {
                let expected = if taken { "taken" } else { "refused" };
                wrong.push(format!("{form:?} {hole}: `{said}` is to be {expected}, told {codes:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn each_hole_has_a_sentence() {
    let mut open = BTreeSet::new();
    for row in ROWS {
        for (place, takes) in row.takes.iter().filter(|(_, takes)| *takes != Takes::Passed) {
            let hole = row.holes[*place];
            let said = TEMPLATES.iter().any(|(form, name, ..)| *form == row.form && *name == hole);
            let excused = WITHOUT.iter().any(|(form, name, _)| *form == row.form && *name == hole);
            if said == excused {
                open.insert(format!("{:?} {hole} ({takes:?})", row.form));
            }
        }
    }
    assert!(open.is_empty(), "give each a sentence in TEMPLATES:\n{open:#?}");
}

#[test]
fn no_phrase_that_holds_things_leaves_open_what_it_takes() {
    // The build refuses such a row; here it is seen that rows of phrases take determiners at all.
    let phrases = ROWS.iter().filter(|row| row.builder != Builder::Data && row.category != Category::Determiner);
    assert!(phrases.filter(|row| !row.takes.is_empty()).count() > 80);
}

#[test]
fn rows_agree_about_an_operator() {
    assert_eq!(contradictions(), []);
}
