//! Pages made from the table: the grammar, and a cheat sheet.

use std::fmt::Write;

use super::{CATEGORIES, Category, Forms, Info, RESERVED, ROWS, Row, TAKINGS};

/// The chapters of the pages, with their categories.
const CHAPTERS: &[(&str, &[Category])] = &[
    (
        "Clauses",
        &[
            Category::Clause,
            Category::Part,
            Category::Limit,
            Category::Blocks,
            Category::Data,
            Category::Header,
            Category::Target,
            Category::Reference,
            Category::Masked,
            Category::Slot,
            Category::Status,
        ],
    ),
    (
        "Declarations",
        &[
            Category::Declaration,
            Category::Narrowing,
            Category::Need,
            Category::Needed,
            Category::Spelling,
            Category::Owned,
            Category::Bare,
            Category::Derived,
            Category::Type,
            Category::Feature,
            Category::Parameter,
            Category::Subject,
            Category::Roles,
        ],
    ),
    (
        "Statements",
        &[
            Category::Sequence,
            Category::Statement,
            Category::Branch,
            Category::Order,
            Category::Chance,
            Category::Admit,
            Category::Admitted,
        ],
    ),
    (
        "Modifiers",
        &[
            Category::Modifier,
            Category::Change,
            Category::Difference,
            Category::Modification,
            Category::Lasting,
            Category::Truth,
            Category::Nothing,
        ],
    ),
    (
        "Events",
        &[Category::Event, Category::Proposed, Category::Deed, Category::Doing, Category::Moment, Category::Boundary],
    ),
    (
        "Conditions",
        &[
            Category::Condition,
            Category::Conjunction,
            Category::Simple,
            Category::Finite,
            Category::Prospect,
            Category::Compared,
            Category::Comparing,
            Category::Comparison,
            Category::Same,
            Category::Guard,
            Category::Standing,
            Category::Whilst,
            Category::Against,
        ],
    ),
    (
        "Noun phrases",
        &[
            Category::Np,
            Category::One,
            Category::AfterOne,
            Category::Determiner,
            Category::FactPhrase,
            Category::Noun,
            Category::Attributive,
            Category::ModifierAfter,
            Category::Possession,
            Category::Predicate,
            Category::Quality,
        ],
    ),
    (
        "Numbers",
        &[Category::Number, Category::Product, Category::Factors, Category::Atom, Category::AfterAtom, Category::Case],
    ),
];

/// The grammar: every form with its words and holes, what it means, and an example.
pub fn grammar(forms: &Forms) -> String {
    let mut page = String::from(
        "# The grammar\n\nMade from the table of forms (`*.forms` in this folder) by a test. `<what: things>` is a hole and what it holds, \
         `[…]` may be left out, `a|b` is one or the other, `one/many` agrees with what stands before, `..` is what has been read already, \
         `<x: y ... ,>` are several with commas between, and behind `;` stands which [determiners](#how-many) are taken. Of forms that could be read in several ways the longest term wins, then the \
         nearest attachment, then the narrowest join; a higher number binds more tightly. The examples speak of boats \
         (`example.words`).\n",
    );
    for (title, categories) in CHAPTERS {
        let _ = write!(page, "\n## {title}\n");
        for category in *categories {
            let rows = forms.of_category(*category);
            if !rows.is_empty() {
                chapter(category.info(), rows, &mut page);
            }
        }
    }
    page.push_str(
        "\n## How many\n\nWhich determiners a hole takes, as it says behind its `;`; a name, a label, a role, and a fact of such a one, \
         always. Any other determiner is refused.\n\n| takes | how many are meant | determiners |\n|---|---|---|\n",
    );
    for taking in TAKINGS {
        let rows = taking.determiners.iter().filter_map(|form| ROWS.iter().find(|row| row.form == *form));
        let names: Vec<String> = rows.map(|row| format!("`{}`", row.example)).collect();
        let _ = writeln!(page, "| {} | {} | {} |", taking.name, taking.meaning, names.join(", "));
    }
    page.push_str("\n## Words without a form\n\n");
    for (why, words) in RESERVED {
        let _ = writeln!(page, "{why}: {}.", words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(" "));
    }
    page
}

fn chapter(info: &Info, rows: &[&Row], page: &mut String) {
    let _ = write!(page, "\n### {} (binds {}", info.name, info.binds);
    if let Some(after) = info.after {
        let _ = write!(page, ", after a {after}");
    }
    page.push_str(")\n\n| form | means | example |\n|---|---|---|\n");
    for row in rows {
        let cell = |text: &str| text.replace('|', "\\|");
        let within = match row.within.join(", ") {
            none if none.is_empty() => none,
            items => format!(" (in: {items}{})", if row.once { "; once" } else { "" }),
        };
        let _ = writeln!(page, "| `{}` | {}{within} | `{}` |", cell(row.pattern), cell(row.meaning), cell(row.example));
    }
}

/// The cheat sheet: an example of each form, on one page.
pub fn cheat_sheet(forms: &Forms) -> String {
    let mut page =
        String::from("# Cheat sheet\n\nAn example of each form; [the grammar](GRAMMAR.md) says what they mean.\n");
    for (title, categories) in CHAPTERS {
        let _ = write!(page, "\n**{title}**\n");
        for category in *categories {
            let examples: Vec<String> =
                forms.of_category(*category).iter().map(|r| format!("`{}`", r.example)).collect();
            if !examples.is_empty() {
                let _ = writeln!(page, "- {}", examples.join(" · "));
            }
        }
    }
    page
}

/// The categories that no chapter holds; none, as a test says.
pub fn unlisted() -> Vec<&'static str> {
    let listed = |info: &&Info| !CHAPTERS.iter().any(|(_, categories)| categories.contains(&info.category));
    CATEGORIES.iter().filter(listed).map(|info| info.name).collect()
}
