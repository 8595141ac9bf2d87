//! The registry: every code with its severity and its page.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Severity;
use crate::page::{Page, same_names, stands_alone};

// `FOLDER`: the names of the files in `pages/`, in alphabetical order.
include!(concat!(env!("OUT_DIR"), "/folder.rs"));

/// One row a code: `Variant: Severity = "name-in-kebab-case",`. The page is `pages/NAME.md`; it begins with the name as its
/// title and the meaning in a line.
macro_rules! codes {
    ($($variant:ident: $severity:ident = $name:literal,)+) => {
        /// What is wrong, or what is advised. The kebab-case name stands in messages and is explained by its page.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(
                #[doc = include_str!(concat!("../pages/", $name, ".md"))]
                $variant,
            )+
        }

        impl Code {
            /// Every code, in alphabetical order.
            pub const ALL: &[Code] = &[$(Code::$variant,)+];

            const NAMES: &[&str] = &[$($name,)+];

            /// The kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// How serious it is; the same wherever it is said.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)+ }
            }

            /// The page that explains it.
            pub const fn page(self) -> Page {
                match self {
                    $(Code::$variant => Page { text: include_str!(concat!("../pages/", $name, ".md")) },)+
                }
            }
        }

        $(
            const _: () = assert!(
                stands_alone($name, Code::$variant.page().text),
                concat!("pages/", $name, ".md begins with `# ", $name, "`, a blank line, the meaning in one line, a blank line"),
            );
        )+
    };
}

codes! {
    ActionWithoutEffect: Error = "action-without-effect",
    AlwaysHolds: Advice = "always-holds",
    AmbiguousMove: Error = "ambiguous-move",
    AmbiguousName: Error = "ambiguous-name",
    AmbiguousPhrase: Error = "ambiguous-phrase",
    AmendmentsConflict: Error = "amendments-conflict",
    BadAmendment: Error = "bad-amendment",
    BadData: Error = "bad-data",
    BadDate: Error = "bad-date",
    BadDeclaration: Error = "bad-declaration",
    BadDespite: Error = "bad-despite",
    BadDocument: Error = "bad-document",
    BadEdition: Error = "bad-edition",
    BadFiling: Error = "bad-filing",
    BadHeader: Error = "bad-header",
    BadLayout: Error = "bad-layout",
    BadMarker: Error = "bad-marker",
    BadPattern: Error = "bad-pattern",
    BadPatternUse: Error = "bad-pattern-use",
    BadReading: Error = "bad-reading",
    BadReprint: Error = "bad-reprint",
    BadRests: Error = "bad-rests",
    BadRuling: Error = "bad-ruling",
    BadStep: Error = "bad-step",
    BareName: Error = "bare-name",
    BlockNotExpected: Error = "block-not-expected",
    CannotBeEvaluated: Error = "cannot-be-evaluated",
    ChangesNothing: Advice = "changes-nothing",
    ChoiceNeeded: Error = "choice-needed",
    ChoiceWithoutChooser: Error = "choice-without-chooser",
    CircularDefinition: Error = "circular-definition",
    CircularModifiers: Error = "circular-modifiers",
    ClauseSaidTwice: Advice = "clause-said-twice",
    DeckSentence: Error = "deck-sentence",
    DeepNesting: Error = "deep-nesting",
    DiceNeeded: Error = "dice-needed",
    EffectOutsidePlay: Error = "effect-outside-play",
    EmptyClause: Error = "empty-clause",
    EmptyName: Error = "empty-name",
    EmptySentence: Error = "empty-sentence",
    FreeAbility: Error = "free-ability",
    GivenTwice: Error = "given-twice",
    GluedNumber: Error = "glued-number",
    IllegalDeck: Error = "illegal-deck",
    ImpossiblePosition: Error = "impossible-position",
    ItemTooLarge: Error = "item-too-large",
    LabelRepeated: Error = "label-repeated",
    LargeNumber: Error = "large-number",
    LookAlikeCharacter: Error = "look-alike-character",
    MismatchedBracket: Error = "mismatched-bracket",
    MisplacedClause: Error = "misplaced-clause",
    MisplacedFullStop: Error = "misplaced-full-stop",
    MisplacedItem: Advice = "misplaced-item",
    MissingClosingBracket: Error = "missing-closing-bracket",
    MissingFigure: Error = "missing-figure",
    MissingFullStop: Error = "missing-full-stop",
    MissingOpeningBracket: Error = "missing-opening-bracket",
    MissingQuote: Error = "missing-quote",
    MissingStep: Error = "missing-step",
    MoveRefused: Error = "move-refused",
    NameRepeated: Error = "name-repeated",
    NeedlessExemption: Error = "needless-exemption",
    NeedlessName: Advice = "needless-name",
    NeverEnds: Error = "never-ends",
    NeverFunctions: Error = "never-functions",
    NeverHolds: Error = "never-holds",
    NeverOffered: Error = "never-offered",
    NeverReached: Error = "never-reached",
    NoData: Error = "no-data",
    NoDefinition: Error = "no-definition",
    NoHost: Error = "no-host",
    NoOwner: Error = "no-owner",
    NoPassive: Error = "no-passive",
    NoRoll: Error = "no-roll",
    NoSubjectHere: Error = "no-subject-here",
    NoSuchAttribute: Error = "no-such-attribute",
    NoSuchStep: Error = "no-such-step",
    NoTable: Error = "no-table",
    NotAskedNow: Error = "not-asked-now",
    NotConsulted: Error = "not-consulted",
    NotDrawn: Error = "not-drawn",
    NotOffered: Error = "not-offered",
    NotOver: Error = "not-over",
    NotRead: Error = "not-read",
    NotRefused: Error = "not-refused",
    NotSo: Error = "not-so",
    NotStacked: Error = "not-stacked",
    NotSupported: Error = "not-supported",
    NotTaken: Error = "not-taken",
    NothingExpected: Error = "nothing-expected",
    NothingFollows: Error = "nothing-follows",
    NothingToExtend: Error = "nothing-to-extend",
    NumberTooLarge: Error = "number-too-large",
    OpenBlock: Error = "open-block",
    OtherNumberOfDecks: Error = "other-number-of-decks",
    OtherReason: Error = "other-reason",
    OtherRoll: Error = "other-roll",
    OtherSpelling: Error = "other-spelling",
    PassTooMany: Error = "pass-too-many",
    PatternNeverUsed: Advice = "pattern-never-used",
    PhraseTooDeep: Error = "phrase-too-deep",
    PhraseTooLong: Error = "phrase-too-long",
    ReadingAfterEdition: Advice = "reading-after-edition",
    ReadingRepeated: Error = "reading-repeated",
    ReadingWithoutAuthority: Error = "reading-without-authority",
    ReasonNotSo: Error = "reason-not-so",
    RetiredWord: Error = "retired-word",
    RulingChosenTwice: Error = "ruling-chosen-twice",
    ScenarioClause: Error = "scenario-clause",
    SentenceNotExpressed: Error = "sentence-not-expressed",
    SetDerived: Error = "set-derived",
    SeveralWhereOne: Error = "several-where-one",
    StepTwice: Error = "step-twice",
    StepWithoutProcedure: Error = "step-without-procedure",
    StrayCharacter: Error = "stray-character",
    SubjectMissing: Error = "subject-missing",
    SupersededByEarlier: Advice = "superseded-by-earlier",
    SupersededByNothing: Advice = "superseded-by-nothing",
    TermNeverUsed: Advice = "term-never-used",
    TermRepeated: Error = "term-repeated",
    TextOutsideItem: Error = "text-outside-item",
    TooManyReadings: Error = "too-many-readings",
    TooMuch: Error = "too-much",
    TwoDefaults: Error = "two-defaults",
    TwoInForce: Advice = "two-in-force",
    UnboundIt: Error = "unbound-it",
    UnboundLabel: Error = "unbound-label",
    UnboundRole: Error = "unbound-role",
    UnexpectedText: Error = "unexpected-text",
    UnexpectedWord: Error = "unexpected-word",
    UnfinishedPhrase: Error = "unfinished-phrase",
    UnknownAttempt: Error = "unknown-attempt",
    UnknownAuthority: Error = "unknown-authority",
    UnknownCard: Error = "unknown-card",
    UnknownClass: Error = "unknown-class",
    UnknownClause: Error = "unknown-clause",
    UnknownDeck: Error = "unknown-deck",
    UnknownDocument: Error = "unknown-document",
    UnknownEdition: Error = "unknown-edition",
    UnknownEntry: Error = "unknown-entry",
    UnknownFormat: Error = "unknown-format",
    UnknownItem: Error = "unknown-item",
    UnknownLabel: Error = "unknown-label",
    UnknownName: Error = "unknown-name",
    UnknownPlace: Error = "unknown-place",
    UnknownPlayer: Error = "unknown-player",
    UnknownPosition: Error = "unknown-position",
    UnknownProcedure: Error = "unknown-procedure",
    UnknownReading: Error = "unknown-reading",
    UnknownRuling: Error = "unknown-ruling",
    UnknownSentence: Error = "unknown-sentence",
    UnknownService: Error = "unknown-service",
    UnknownStep: Error = "unknown-step",
    UnknownThing: Error = "unknown-thing",
    UnknownVariant: Error = "unknown-variant",
    UnknownWord: Error = "unknown-word",
    UnlistedStep: Error = "unlisted-step",
    UnreadExemption: Error = "unread-exemption",
    UnreadTotal: Error = "unread-total",
    UnusedLabel: Advice = "unused-label",
    WordOfOneItem: Advice = "word-of-one-item",
    WrongDeterminer: Error = "wrong-determiner",
    WrongEntry: Error = "wrong-entry",
    WrongFigure: Error = "wrong-figure",
    WrongModifier: Error = "wrong-modifier",
    WrongPredicate: Error = "wrong-predicate",
    WrongRelation: Error = "wrong-relation",
    WrongSort: Error = "wrong-sort",
    WrongTarget: Error = "wrong-target",
}

const _: () =
    assert!(same_names(Code::NAMES, FOLDER), "each file of pages/ is of one code; codes stand in alphabetical order");

impl Code {
    /// What it means, in one line.
    pub fn meaning(self) -> &'static str {
        self.page().meaning()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// No diagnostic has this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchCode;

impl fmt::Display for NoSuchCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no diagnostic has this code")
    }
}

impl std::error::Error for NoSuchCode {}

impl FromStr for Code {
    type Err = NoSuchCode;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Code::ALL.binary_search_by_key(&name, |code| code.as_str()).map(|at| Code::ALL[at]).map_err(|_| NoSuchCode)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
